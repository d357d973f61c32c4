"""The flat arrays of a tree say what walking the game state by state says."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel import CHANCE, OVER

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "goofspiel(cards=3,order=random)",
    "bluff(faces=3)",
    "matrix",
    "hidden_coin",
    "observed_moves",
    "poker(ranks=2)",
    "deadlock",
    "absent_minded_driver",
    "oshi_zumo(coins=4)",
]


def every_history(spec):
    """Every history, depth first: its parent's number, the last move, the state, and what chance contributed."""
    seen = []

    def visit(s, parent, move, reach):
        here = len(seen)
        seen.append((parent, move, s, reach))
        odds = dict(s.chance()) if s.actor == CHANCE else {}
        for m in s.moves():
            child = s.copy()
            child.play(m)
            visit(child, here, m, reach * odds.get(m, 1.0))

    visit(fs.load(spec).start(), -1, -1, 1.0)
    return seen


@pytest.mark.parametrize("spec", GAMES)
def test_histories_are_those_of_the_game_in_order_of_play(spec):
    tree = fs.unroll(spec, histories=True)
    h, seen = tree.histories, every_history(spec)
    assert tree.size == len(seen) == len(h.parent)
    assert h.parent.tolist() == [parent for parent, *_ in seen]
    assert h.move.tolist() == [move for _, move, *_ in seen]
    assert h.actor.tolist() == [s.actor for *_, s, _ in seen]
    assert h.reach == pytest.approx([reach for *_, reach in seen])
    assert (h.parent[1:] < np.arange(1, tree.size)).all()


@pytest.mark.parametrize("spec", GAMES)
def test_information_sets_hold_the_histories_with_their_key_and_moves(spec):
    tree = fs.unroll(spec, histories=True)
    h = tree.histories
    for i, (*_, s, _) in enumerate(every_history(spec)):
        found = h.infoset[i]
        assert (found >= 0) == (s.actor >= 0)
        if found >= 0:
            assert tree.player[found] == s.actor
            assert int(tree.key[found]) == s.key(s.actor)
            assert tree.move[tree.first[found] : tree.first[found] + tree.count[found]].tolist() == s.moves()


@pytest.mark.parametrize("spec", GAMES)
def test_terminals_hold_payoffs_times_what_chance_contributed_and_everyones_last_action(spec):
    tree = fs.unroll(spec, histories=True)
    h = tree.histories
    holder = np.repeat(np.arange(len(tree.player)), tree.count)
    for i, (*_, s, reach) in enumerate(every_history(spec)):
        z = h.terminal[i]
        assert (z >= 0) == s.over
        if z < 0:
            continue
        assert tree.reach[z] == pytest.approx(reach)
        assert tree.pay[z] == pytest.approx(np.array(s.payoff()) * reach)
        last = np.full(tree.game.players, -1)
        while h.parent[i] >= 0:
            i, move = h.parent[i], h.move[i]
            who = h.actor[i]
            if who >= 0 and last[who] < 0:
                options = tree.first[h.infoset[i]] + np.arange(tree.count[h.infoset[i]])
                last[who] = options[tree.move[options] == move][0]
                assert holder[last[who]] == h.infoset[i]
        assert tree.last[z].tolist() == last.tolist()


@pytest.mark.parametrize("spec", [*GAMES, "leduc", "goofspiel(cards=5)", "small_poker"])
def test_every_history_has_a_child_for_each_move(spec):
    tree = fs.unroll(spec, histories=True)
    h = tree.histories
    children = np.bincount(h.parent[1:], minlength=tree.size)
    decisions = h.infoset >= 0
    assert (children[decisions] == tree.count[h.infoset[decisions]]).all()
    assert (children[h.actor == CHANCE] >= 1).all()
    assert (children[h.actor == OVER] == 0).all()
    assert (h.actor == CHANCE).sum() == tree.chance_nodes
    assert h.terminal[h.actor == OVER].tolist() == list(range(tree.terminals))


@pytest.mark.parametrize("spec", [*GAMES, "leduc", "goofspiel(cards=5)", "small_poker", "bluff"])
def test_the_terminals_under_uniform_play_have_probability_one(spec):
    """Own probabilities are gathered along each player's actions, from the action to the one before it."""
    tree = fs.unroll(spec)
    holder = np.repeat(np.arange(len(tree.player)), tree.count)
    own = np.ones(len(tree.move) + 1)
    for a, i in enumerate(holder):
        own[a] = own[tree.parent[i]] / tree.count[i]
    assert (tree.reach * own[tree.last].prod(axis=1)).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=5)"])
def test_a_players_information_sets_come_after_the_actions_that_lead_to_them(spec):
    tree = fs.unroll(spec)
    holder = np.repeat(np.arange(len(tree.player)), tree.count)
    assert (tree.parent < tree.first).all()
    after = tree.parent >= 0
    assert (tree.player[holder[tree.parent[after]]] == tree.player[after]).all()
    assert (tree.first == np.append(0, np.cumsum(tree.count)[:-1])).all()


def test_the_tree_is_the_same_with_and_without_histories():
    kept, plain = (fs.unroll("goofspiel(cards=5)", histories=keep) for keep in (True, False))
    assert plain.histories is None
    for name, values in vars(plain).items():
        if isinstance(values, np.ndarray):
            assert np.array_equal(values, getattr(kept, name)), name
    assert kept.bytes > plain.bytes
