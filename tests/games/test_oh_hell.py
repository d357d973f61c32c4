"""Oh Hell: play as in OpenSpiel, bids and points, hidden hands of up to six others redrawn as often."""

import random
from collections import Counter

import pytest
from card_games import at_decision, every_deal
from peers import assert_plays_as_in_openspiel
from positions import generator, load, random_states

import fogspiel as fs
from fogspiel.games.oh_hell import BID, BIDDING, DEALING, PLAYING, TURNING, next_card
from fogspiel.games.toolkit.cards import redeal


def translate(state, move):
    """Their cards count ranks first, and the deal, without the cards left, is told with the trump."""
    v = state.view
    ours = state.game.parameters

    def theirs(card):
        return ours["suits"] * (card % 13) + card // 13

    if v.phase == DEALING:
        return []
    if v.phase == TURNING:
        hands = [[card for card in range(52) if v.hand[i] >> card & 1] for i in range(v.players)]
        return [theirs(card) for cards in zip(*hands, strict=True) for card in cards] + [theirs(move)]
    if v.phase == BIDDING:
        return [ours["suits"] * ours["ranks"] + move - BID]
    fixed = [v.size[0]] if v.phase == 1 and ours["tricks"] else []
    return [theirs(move)] if v.phase == PLAYING else [*fixed, move]


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("", "num_tricks_fixed=7", 200),
        ("tricks=0", "", 200),
        (
            "players=4,tricks=7,points=2,penalty=yes",
            "players=4,num_tricks_fixed=7,points_per_trick=2,off_bid_penalty=true",
            200,
        ),
        ("players=7,tricks=0", "players=7", 100),
        ("suits=2,ranks=5,tricks=0", "num_suits=2,num_cards_per_suit=5", 300),
    ],
)
def test_oh_hell_plays_and_pays_as_in_openspiel(ours, theirs, games):
    assert_plays_as_in_openspiel(f"oh_hell({ours})", f"oh_hell({theirs})", games, translate, keys=False)


def test_the_bids_never_come_to_the_number_of_tricks():
    for s in random_states(load("oh_hell(players=5,tricks=0)"), 40, 1):
        if not s.over and s.view.phase == PLAYING:
            assert sum(s.view.bid[:5]) != s.view.size[0]


def test_rounds_go_down_to_one_card_and_points_are_added():
    sizes, dealers = [], []
    for s in random_states(load("oh_hell(players=4,tricks=3,rounds=down)"), 1, 3):
        v = s.view
        if v.phase == DEALING and v.made == 0:
            sizes.append(v.size[0])
            dealers.append(v.dealer)
        before = list(v.score)
    assert sizes == [3, 2, 1]
    assert dealers == [(dealers[0] + i) % 4 for i in range(3)]
    assert s.payoff() == before[:4]
    assert sum(s.payoff()) >= 3 + 2 + 1


def test_a_small_game_has_every_deal_once():
    """Nine deals of a card each of a deck of three, of which two hands and the trump take all, and every dealer."""
    game = load("oh_hell(suits=2,ranks=2,tricks=1)")
    deals, todo = Counter(), [game.start()]
    while todo:
        s = todo.pop()
        if s.view.phase == BIDDING:
            deals[tuple(s.view.hand[:3]), s.view.trump, s.view.dealer] += 1
            continue
        for move in s.moves():
            todo.append(s.copy())
            todo[-1].play(move)
    assert len(deals) == 4 * 3 * 2 * 1 * 3
    assert set(deals.values()) == {1}


@pytest.mark.parametrize(("players", "tricks", "made"), [(4, 4, 9), (5, 3, 7), (6, 2, 6), (7, 2, 9)])
def test_many_hidden_hands_are_redrawn_in_every_way_that_fits_as_often(players, tricks, made):
    """The cards of four holders or more, of a short deck with a few cards left over."""
    rng = random.Random(players)
    s = at_decision(
        f"oh_hell(players={players},tricks={tricks},ranks=5)",
        players,
        lambda s: s.view.made == made and s.view.phase == PLAYING,
    )
    v, me = s.view, s.actor
    others = [i for i in range(players + 1) if i != me]
    spare = [card for card in range(52) if v.hand[players] >> card & 1]
    for card in rng.sample(spare, max(0, len(spare) - 1)):
        v.hand[players] ^= 1 << card
    hidden = [card for card in range(52) if any(v.hand[i] >> card & 1 for i in others)]
    fitting = {
        dealt
        for dealt in every_deal(hidden, [bin(v.hand[i]).count("1") for i in others])
        if not any(hand & v.cannot[i] for i, hand in zip(others, dealt, strict=True))
    }
    draws, drawn = generator(players), Counter()
    each = max(30, min(100, 20000 // len(fitting)))
    for _ in range(each * len(fitting)):
        t = s.copy()
        t.resample(me, draws)
        drawn[tuple(t.view.hand[i] for i in others)] += 1
    assert set(drawn) <= fitting
    assert len(drawn) == len(fitting)
    spread = sum((n - each) ** 2 for n in drawn.values()) / each  # chi squared
    assert spread < len(fitting) + 5 * (2 * len(fitting)) ** 0.5


def test_deals_to_four_holders_of_whom_three_lack_a_suit_are_as_likely():
    clubs, diamonds, hearts = 0b11, 0b11 << 13, 0b11 << 26
    cannot = [clubs, diamonds, hearts, 0, 0]
    cards, rng, drawn = [0, 1, 13, 14, 26, 27, 39], generator(1), Counter()
    fitting = {
        dealt
        for dealt in every_deal(cards, [2, 2, 1, 2])
        if not any(hand & never for hand, never in zip(dealt, cannot, strict=False))
    }
    start = [*min(fitting), 0]
    for _ in range(100 * len(fitting)):
        hands = list(start)
        redeal(hands, cannot, 5, 4, rng)
        drawn[tuple(hands[:4])] += 1
    assert set(drawn) == fitting
    assert min(drawn.values()) > 50
    assert max(drawn.values()) < 150


def test_parameters_that_need_more_cards_are_refused():
    with pytest.raises(fs.SpecError, match="12 cards are too few for 7 players with 2 each and a trump"):
        load("oh_hell(players=7,ranks=3,tricks=2)")


def test_cards_are_dealt_suit_by_suit():
    s = load("oh_hell(suits=2,ranks=5,tricks=2)").start()
    s.play(0)
    seen = []
    while s.view.phase == DEALING:
        seen.append(next_card(s.view))
        s.play(s.moves()[0])
    assert seen == [0, 1, 2, 3, 4, 13, 14, 15, 16, 17]
