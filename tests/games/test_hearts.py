"""Hearts: play as in OpenSpiel, shooting the moon, places, deals and passes redrawn from what a player has seen
(Whitehouse 2014, sec. 4.2.3)."""

from collections import Counter

import pytest
from card_games import at_decision, deal, every_deal, in_turn
from peers import assert_plays_as_in_openspiel
from positions import generator, load, random_states

from fogspiel import CHANCE
from fogspiel.game import CONTINUES
from fogspiel.games.hearts import DEALING, DIRECTING, PASSING, PLAYING, place
from fogspiel.games.toolkit.cards import CLUBS, DECK, HEARTS, SUIT, name

LEFT = 1


def cards(text):
    return sum(1 << card for card in range(52) if name(card) in text.split())


def translate(state, move):
    """Their cards count ranks first; our direction of passing may be known, and the deal is told when it is
    complete."""
    v = state.view
    if v.phase == DIRECTING:
        return [move]
    if v.phase != DEALING:
        return [theirs(move)]
    if v.made < 51:
        return []
    hands = [v.hand[i] | (i == move) << 51 for i in range(4)]
    known = [] if state.game.parameters["passing"] == "random" else [v.direction]
    return known + [theirs(card) for card in in_turn(hands)]


def theirs(card):
    return 4 * (card % 13) + card // 13


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("passing=random", "", 300),
        ("passing=in_turn", "", 100),
        ("passing=none", "pass_cards=false", 100),
        ("passing=none,breaking=no", "pass_cards=false,must_break_hearts=false", 100),
        ("passing=none,breaking=hearts", "pass_cards=false,qs_breaks_hearts=false", 200),
        ("passing=none,first_trick=any", "pass_cards=false,no_pts_on_first_trick=false", 100),
        ("passing=none,opening=clubs", "pass_cards=false,can_lead_any_club=true", 100),
        ("passing=none,spare_queen=yes", "pass_cards=false,can_lead_hearts_instead_of_qs=true", 200),
        ("passing=none,jack=10,no_tricks=5", "pass_cards=false,jd_bonus=true,avoid_all_tricks_bonus=true", 200),
    ],
)
def test_hearts_plays_and_pays_as_in_openspiel(ours, theirs, games):
    assert_plays_as_in_openspiel(f"hearts({ours})", f"hearts({theirs})", games, translate, keys=False)


def test_who_takes_all_points_shoots_the_moon():
    mine = cards("2C AC AS KS QS AH KH QH JH TH 9H 8H 7H")
    rest = [card for card in range(52) if not mine >> card & 1]
    hands = [mine, *(sum(1 << card for card in rest[i::3]) for i in range(3))]
    s = deal(load("hearts(passing=none,opening=clubs)").start(), hands)
    plan = ["AC", "AS", "KS", "QS", "AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H", "2C"]
    while not s.over:
        s.play(next(card for card in s.moves() if name(card) == plan[0]) if s.actor == 0 else s.moves()[0])
        if s.view.made % 4 == 1:
            plan.pop(0)
    assert s.payoff() == [26, 0, 0, 0]


def test_the_leader_has_the_two_of_clubs_after_passing_and_hearts_are_closed():
    for s in random_states(load("hearts"), 20, 1):
        v = s.view
        if s.actor == CHANCE or v.phase != PLAYING:
            continue
        if v.made == 0:
            assert s.moves() == [0]
        elif v.led == 0 and not any(v.shown[i] & (HEARTS | 1 << 49) for i in range(4)) and v.hand[s.actor] & ~HEARTS:
            assert not any(1 << card & HEARTS for card in s.moves())


def test_three_cards_are_passed_one_by_one_and_seen_when_all_have_passed():
    s = at_decision("hearts", 1, lambda s: s.view.phase == PASSING)
    hands = [s.view.hand[i] for i in range(4)]
    given = []
    for player in range(4):
        for _ in range(3):
            assert s.actor == player
            assert len(s.moves()) == 13 - len(given) % 3
            given.append(s.moves()[0])
            s.play(given[-1])
    for player in range(4):
        away = sum(1 << card for card in given[3 * player : 3 * player + 3])
        got = sum(1 << card for card in given[3 * ((player - LEFT) % 4) :][:3])
        assert s.view.hand[player] == hands[player] & ~away | got


def test_directions_rotate_and_the_game_ends_at_the_threshold():
    for seed in range(3):
        directions, scores = [], []
        for s in random_states(load("hearts(threshold=50)"), 1, seed):
            v = s.view
            if v.phase == DEALING and v.made == 0:
                directions.append(v.direction)
                scores.append(list(v.score))
        assert directions == [(1, 3, 2, 0)[r % 4] for r in range(len(directions))]
        assert all(max(row) < 50 for row in scores)
        assert max(s.view.score) >= 50
        assert s.payoff() == [26 - score for score in s.view.score]
        assert (sum(s.view.score) - 26 * len(directions)) % 52 == 0


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ((1, 2, 3, 4), (1, 0.5, 0.5, 0)),
        ((5, 5, 9, 3), (0.5, 0.5, 0, 1)),
        ((2, 2, 7, 7), (0.75, 0.75, 0.25, 0.25)),
        ((4, 4, 4, 4), (0.5,) * 4),
    ],
)
def test_places_pay_one_a_half_or_nothing_and_equal_players_their_mean(scores, rewards):
    assert tuple(place(scores, i) for i in range(4)) == rewards


def test_episodes_are_deals_and_tricks():
    episode = load("hearts").module.episode
    labels = Counter()
    for s in random_states(load("hearts"), 5, 2):
        if not s.over:
            label = episode(s.view)
            labels[label != CONTINUES] += 1
            assert label == CONTINUES or label == (0 if s.actor == CHANCE else 1 + s.actor)
    assert labels[True] == 5 * (1 + 13)


def legal(played, hands):
    """Whether the cards of a round, each with its player, could be played from these hands, by the rule book."""
    hands, led, shown = list(hands), 0, 0
    for i, (player, card) in enumerate(played):
        hand, suit = hands[player], SUIT[card]
        points = HEARTS | 1 << 49
        if i == 0:
            allowed = 1
        elif i % 4 and hand & led:
            allowed = hand & led
        elif i < 4 and hand & ~points:
            allowed = hand & ~points
        elif i % 4 == 0 and not shown & points and hand & ~HEARTS:
            allowed = hand & ~HEARTS
        else:
            allowed = hand
        if not allowed >> card & 1:
            return False
        led = suit if i % 4 == 0 else led
        hands[player] ^= 1 << card
        shown |= 1 << card
    return True


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hidden_hands_are_redrawn_in_every_way_that_could_have_been_played_as_often(seed):
    s = at_decision("hearts(passing=none)", seed, lambda s: s.view.made == 40 + seed)
    v, me = s.view, s.actor
    others = [i for i in range(4) if i != me]
    by = [(next(i for i in range(4) if v.shown[i] >> card & 1), card) for card in v.order[: v.made]]
    hidden = [card for card in range(52) if any(v.hand[i] >> card & 1 for i in others)]
    fitting = set()
    for dealt in every_deal(hidden, [bin(v.hand[i]).count("1") for i in others]):
        hands = dict(zip(others, dealt, strict=True)) | {me: v.hand[me]}
        if legal(by, [hands[i] | v.shown[i] for i in range(4)]):
            fitting.add(tuple(hands[i] for i in range(4)))
    rng, drawn = generator(seed), Counter()
    for _ in range(100 * len(fitting)):
        t = s.copy()
        t.resample(me, rng)
        drawn[tuple(t.view.hand)] += 1
    assert set(drawn) == fitting
    assert min(drawn.values()) > 40
    assert max(drawn.values()) < 160


def test_what_others_passed_is_redrawn_from_what_their_receivers_hold():
    s = at_decision("hearts", 4, lambda s: s.view.phase == PLAYING and s.view.made == 20)
    rng, me = generator(1), s.actor
    known, orders = [s.view.passed[i] for i in range(12)], Counter()
    for _ in range(300):
        t = s.copy()
        t.resample(me, rng)
        v = t.view
        for giver in range(4):
            passed, receiver = list(v.passed[3 * giver : 3 * giver + 3]), (giver + v.direction) % 4
            assert len(set(passed)) == 3
            assert all((v.hand[receiver] | v.shown[receiver]) >> card & 1 for card in passed)
            before = known[3 * giver : 3 * giver + 3]
            if giver == me:
                assert passed == before
            elif receiver == me:
                assert sorted(passed) == sorted(before)
                orders[tuple(passed)] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 25


def test_two_of_clubs_is_known_to_be_with_who_leads():
    s = at_decision("hearts", 2, lambda s: s.view.phase == PLAYING)
    me, rng = (s.actor + 1) % 4, generator(3)
    for _ in range(50):
        t = s.copy()
        t.resample(me, rng)
        assert t.view.hand[s.actor] & CLUBS & 1
        assert sum(t.view.hand[i] for i in range(4)) == DECK
