"""Spades: play as in OpenSpiel, points, bags and nil bids, hidden hands redrawn as often (Whitehouse 2014, sec.
4.2.4)."""

from collections import Counter

import pytest
from card_games import at_decision, every_deal, in_turn
from peers import assert_plays_as_in_openspiel
from positions import generator, load, random_states

from fogspiel import CHANCE
from fogspiel.game import CONTINUES
from fogspiel.games.spades import BID, BIDDING, DEALING, PLAYING, scored
from fogspiel.games.toolkit.cards import DECK, SPADES, SUIT


def translate(state, move):
    """The deal is told when it is complete."""
    v = state.view
    if v.phase != DEALING:
        return [move]
    return [] if v.made < 51 else in_turn([v.hand[i] | (i == move) << 51 for i in range(4)])


def test_spades_plays_and_pays_as_in_openspiel():
    assert_plays_as_in_openspiel("spades(breaking=never,payoff=points)", "spades", 600, translate, keys=False)


@pytest.mark.parametrize(
    ("bids", "tricks", "before", "points", "bags"),
    [
        ((3, 4), (3, 4), 0, 70, 0),
        ((3, 4), (2, 4), 0, -70, 0),
        ((3, 4), (6, 3), 0, 70, 2),
        ((3, 4), (6, 3), 9, 70 - 100, 1),
        ((0, 4), (0, 5), 0, 40 + 100, 1),
        ((0, 4), (1, 3), 0, 40 - 100, 0),
        ((0, 0), (0, 0), 3, 200, 3),
        ((13, 0), (13, 0), 0, 230, 0),
    ],
)
def test_points_are_those_of_the_rule_book(bids, tricks, before, points, bags):
    assert scored(0, *bids, *tricks, before) == (points, bags)
    assert scored(1, *bids, *tricks, before) == (points + max(sum(tricks) - sum(bids), 0), bags)


def test_value_is_the_difference_in_points_less_ten_a_bag_over_two_hundred():
    for s in random_states(load("spades"), 20, 3):
        if s.over:
            (a, b), (x, y) = s.view.score, s.view.bags
            value = ((a - 10 * x) - (b - 10 * y)) / 200
            assert s.payoff() == pytest.approx([value, -value, value, -value])


def test_partners_bid_no_more_than_all_tricks_together():
    s = at_decision("spades", 1, lambda s: s.view.phase == BIDDING)
    assert s.moves() == [BID + bid for bid in range(14)]
    s.play(BID + 9)
    s.play(BID + 13)
    assert s.moves() == [BID + bid for bid in range(5)]
    s.play(BID + 0)
    assert s.moves() == [BID]
    s.play(BID)
    assert (s.actor, s.view.phase) == (0, PLAYING)


def test_spades_are_not_led_before_one_was_played():
    led = 0
    for s in random_states(load("spades"), 30, 5):
        v = s.view
        if s.actor == CHANCE or s.over or v.phase != PLAYING or v.made % 4:
            continue
        shown = any(1 << card & SPADES for card in v.order[: v.made])
        can = any(1 << card & SPADES for card in s.moves())
        assert can == bool(v.hand[s.actor] & SPADES and (shown or not v.hand[s.actor] & ~SPADES))
        led += can
    assert led > 50


def test_a_game_ends_with_its_round_at_the_target_or_at_mercy_and_others_bid_first():
    for seed in range(5):
        first = []
        for s in random_states(load("spades(target=150,mercy=200,payoff=win)"), 1, seed):
            v = s.view
            if v.phase == DEALING and v.made == 0:
                first.append(v.first)
                assert max(v.score) < 150
                assert min(v.score) > -200
        assert first == [r % 4 for r in range(len(first))]
        assert max(v.score) >= 150 or min(v.score) <= -200
        ahead = (v.score[0] > v.score[1]) - (v.score[0] < v.score[1])
        assert s.payoff() == [ahead, -ahead, ahead, -ahead]


def test_episodes_are_deals_and_tricks():
    game = load("spades")
    states = [s for s in random_states(game, 5, 2) if not s.over]
    assert sum(game.module.episode(s.view) != CONTINUES for s in states) == 5 * (1 + 13)


def legal(played, hands):
    """Whether cards, each with its player, could be played from these hands."""
    hands, led, broken = list(hands), 0, False
    for i, (player, card) in enumerate(played):
        hand = hands[player]
        wanted = led if i % 4 else DECK if broken else DECK ^ SPADES
        if not (hand & wanted or hand) >> card & 1:
            return False
        led = SUIT[card] if i % 4 == 0 else led
        broken = broken or bool(1 << card & SPADES)
        hands[player] ^= 1 << card
    return True


@pytest.mark.parametrize("seed", [1, 2])
def test_hidden_hands_are_redrawn_in_every_way_that_could_have_been_played_as_often(seed):
    s = at_decision("spades", seed, lambda s: s.view.phase == PLAYING and s.view.made == 40 + seed)
    v, me = s.view, s.actor
    others = [i for i in range(4) if i != me]
    by = [(player, card) for trick in tricks_of(v) for player, card in trick]
    shown = [sum(1 << card for player, card in by if player == i) for i in range(4)]
    hidden = [card for card in range(52) if any(v.hand[i] >> card & 1 for i in others)]
    fitting = set()
    for dealt in every_deal(hidden, [bin(v.hand[i]).count("1") for i in others]):
        hands = dict(zip(others, dealt, strict=True)) | {me: v.hand[me]}
        if legal(by, [hands[i] | shown[i] for i in range(4)]):
            fitting.add(tuple(hands[i] for i in range(4)))
    rng, drawn = generator(seed), Counter()
    for _ in range(100 * len(fitting)):
        t = s.copy()
        t.resample(me, rng)
        drawn[tuple(t.view.hand)] += 1
    assert set(drawn) == fitting
    assert min(drawn.values()) > 40
    assert max(drawn.values()) < 160


def tricks_of(v):
    """The cards played with their players: the highest spade or card of the suit led takes a trick and leads the
    next."""
    leader, played = v.first, list(v.order[: v.made])
    for i in range(0, len(played), 4):
        trick = [((leader + j) % 4, card) for j, card in enumerate(played[i : i + 4])]
        yield trick
        leader = max(trick, key=lambda one: (SUIT[one[1]] == SPADES, SUIT[one[1]] == SUIT[trick[0][1]], one[1]))[0]
