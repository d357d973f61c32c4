"""Goofspiel: the sizes of Lanctot 2013 and Lisý 2014, play as in OpenSpiel, who knows which bids."""

import itertools
from collections import Counter

import numpy as np
import pytest
from positions import after, child, every_history

import fogspiel as fs
from fogspiel import PUBLIC
from fogspiel.games.goofspiel import shuffled


@pytest.mark.parametrize(
    ("cards", "histories", "infosets", "pairs"),
    [(4, 2229, 738, 924), (5, 55731, 9948, 12390), (6, 2006323, 166002, 205596)],
)
def test_goofspiel_with_hidden_bids_has_the_sizes_of_lanctot_2013(cards, histories, infosets, pairs):
    tree = fs.unroll(fs.load("goofspiel", cards=cards))
    assert (tree.size, tree.infosets, tree.pairs) == (histories, infosets, pairs)


def test_goofspiel_with_hidden_bids_has_the_information_sets_of_lisy_2014_in_every_round():
    tree = fs.unroll(fs.load("goofspiel(cards=6)"))
    holder = np.repeat(np.arange(len(tree.player)), tree.count)
    rounds = np.zeros(len(tree.player), int)
    for i, parent in enumerate(tree.parent):
        rounds[i] = 0 if parent < 0 else rounds[holder[parent]] + 1
    for player in range(2):
        assert np.bincount(rounds[tree.player == player]).tolist() == [1, 16, 208, 2088, 14928, 65760]


def test_with_open_bids_every_joint_history_of_goofspiel_is_an_information_set_of_both():
    tree = fs.unroll(fs.load("goofspiel(cards=4,bids=open)"))
    assert tree.size == 2229
    assert tree.infosets == 2 * (1 + 4**2 + 4**2 * 3**2 + 2 * 4**2 * 3**2 * 2)


def openspiel_goofspiel(cards, order, hidden, returns):
    pyspiel = pytest.importorskip("pyspiel")
    inner = f"goofspiel(imp_info={hidden},num_cards={cards},points_order={order},returns_type={returns},players=2)"
    return pyspiel.load_game(f"turn_based_simultaneous_game(game={inner})")


@pytest.mark.parametrize(("cards", "order"), [(4, "descending"), (4, "ascending"), (5, "descending"), (3, "random")])
def test_goofspiel_has_the_information_sets_of_openspiel_but_for_the_forced_last_cards(cards, order):
    theirs, todo = {}, [openspiel_goofspiel(cards, order, True, "win_loss").new_initial_state()]
    while todo:
        s = todo.pop()
        if s.is_terminal():
            continue
        if not s.is_chance_node():
            theirs[s.current_player(), s.information_state_string()] = len(s.legal_actions())
        todo += [s.child(a) for a in s.legal_actions()]
    ours = {}
    for s in every_history(f"goofspiel(cards={cards},order={order})"):
        if s.actor >= 0 and len(s.moves()) > 1:
            ours[s.actor, s.key(s.actor)] = len(s.moves())
    assert len(ours) == len(theirs)
    assert Counter(ours.values()) == Counter(theirs.values())


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize(("cards", "order"), [(4, "descending"), (4, "ascending"), (3, "random")])
@pytest.mark.parametrize(("payoff", "returns"), [("win_loss", "win_loss"), ("points", "point_difference")])
def test_goofspiel_plays_and_pays_as_in_openspiel(cards, order, hidden, payoff, returns):
    bids = "hidden" if hidden else "open"
    ours = fs.load("goofspiel", cards=cards, order=order, bids=bids, payoff=payoff).start()
    todo = [(ours, openspiel_goofspiel(cards, order, hidden, returns).new_initial_state())]
    ends = 0
    while todo:
        s, t = todo.pop()
        if t.is_terminal():  # OpenSpiel plays the last round by itself
            while not s.over:
                (move,) = s.moves()
                s.play(move)
            scale = 1 if payoff == "win_loss" else 2  # OpenSpiel's difference is to the mean of both players
            assert s.payoff() == [scale * x for x in t.returns()]
            ends += 1
            continue
        assert s.actor == t.current_player()
        assert s.moves() == t.legal_actions()
        todo += [(child(s, move), t.child(move)) for move in s.moves()]
    assert ends == {4: 24**2, 3: 6**3}[cards]


@pytest.mark.parametrize("bids", ["hidden", "open"])
def test_a_pending_bid_of_goofspiel_is_known_to_its_bidder_alone(bids):
    states = [after(f"goofspiel(cards=4,bids={bids})", 2, 1, card) for card in (0, 1, 3)]
    assert len({s.key(0) for s in states}) == 3
    assert len({s.key(1) for s in states}) == len({s.key(PUBLIC) for s in states}) == 1


def test_hidden_bids_of_goofspiel_tell_who_won_and_open_bids_tell_the_cards():
    hidden, open_ = (
        {pair: after(f"goofspiel(bids={bids})", *pair) for pair in itertools.product(range(4), repeat=2)}
        for bids in ("hidden", "open")
    )
    assert len({s.key(PUBLIC) for s in hidden.values()}) == 3
    assert len({s.key(0) for s in hidden.values()}) == len({s.key(1) for s in hidden.values()}) == 3 * 4 - 2
    assert hidden[1, 2].key(0) == hidden[1, 3].key(0) != hidden[1, 0].key(0)
    for viewer in (PUBLIC, 0, 1):
        assert len({s.key(viewer) for s in open_.values()}) == 16


def test_shuffled_point_cards_come_in_an_order_that_both_know():
    orders = Counter(tuple(shuffled(3, n)) for n in range(600))
    assert set(orders) == set(itertools.permutations(range(3)))
    assert min(orders.values()) > 60
    assert tuple(after("goofspiel(cards=5,order=shuffled,shuffle=3)").view.prize[:5]) == tuple(shuffled(5, 3))
    game = fs.load("goofspiel(cards=4,order=shuffled,shuffle=8,bids=open)")
    assert not any(s.actor == fs.CHANCE for s in every_history(game))
    assert fs.solve(game, "backward-induction").value[0] == pytest.approx(0)
    assert fs.unroll(game).size == fs.unroll("goofspiel(cards=4,bids=open)").size


def test_the_lowest_card_of_goofspiel_may_be_worth_nothing():
    def take_all_but_the_first(lowest):
        return after(f"goofspiel(cards=3,lowest={lowest},payoff=points)", 0, 2, 1, 0, 2, 1).payoff()

    assert take_all_but_the_first(1) == [0, 0]
    assert take_all_but_the_first(0) == [-1, 1]


def test_resampling_goofspiel_draws_the_states_that_fit_the_results_equally_often():
    sets = {}
    for s in every_history("goofspiel(cards=4)"):
        if s.actor == 1 and s.view.round == 2:
            sets.setdefault(s.key(1), []).append(s)
    rng = np.array([2013], np.uint64)
    largest = max(sets.values(), key=len)
    for states in [largest, *list(sets.values())[::20]]:
        drawn = Counter()
        for _ in range(400 * len(states)):
            t = states[0].copy()
            t.resample(1, rng)
            drawn[t.data.tobytes()] += 1
        assert set(drawn) == {s.data.tobytes() for s in states}
        assert max(drawn.values()) < 500
        assert min(drawn.values()) > 300
