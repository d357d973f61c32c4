"""Linear programs folded by colour refinement: smaller, and worth the same."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.posg import one_sided
from fogspiel.solvers.posg.folding import Program, folded
from fogspiel.solvers.posg.pairs import pairs_of


def matrix_game(pays):
    """The least that who mixes columns must pay: columns are the mix and the value, rows those of the matrix and the
    sum of the mix."""
    m, n = pays.shape
    full = np.block([[-pays, np.ones((m, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    row, column = np.nonzero(full)
    last = np.arange(n + 1) == n
    return Program(
        last * 1.0, last, (np.arange(m + 1) == m) * 1.0, np.arange(m + 1) == m, row, column, full[row, column]
    )


def circular(first):
    return np.array([np.roll(first, i) for i in range(len(first))], float)


def test_a_game_that_looks_the_same_from_every_move_folds_to_one():
    game = matrix_game(circular([0, -1, 3, -2, 1]))
    small = folded(game)
    assert (len(small.program.cost), len(small.program.least)) == (2, 2)
    x, multiplier = small.unfolded(*small.program.solve())
    assert x == pytest.approx([0.2] * 5 + [0.2])
    assert multiplier[:5] == pytest.approx([0.2] * 5)


def test_a_folded_program_has_solutions_of_the_whole():
    rng = np.random.default_rng(4)
    pays = rng.integers(-3, 4, (3, 4)).astype(float)
    order = rng.permutation(6), rng.permutation(8)
    twice = np.kron(pays, [[2, 0], [0, 2]])[order[0]][:, order[1]]  # each move as two, which match or miss
    small, whole = folded(matrix_game(twice)), matrix_game(pays)
    assert len(small.program.cost) == 5
    value = whole.solve()[0][-1]
    x, multiplier = small.unfolded(*small.program.solve())
    assert x[-1] == pytest.approx(value)
    assert (twice @ x[:8]).max() == pytest.approx(value)
    assert (multiplier[:6] @ twice).min() == pytest.approx(value)


def test_what_nothing_mirrors_is_not_folded():
    game = matrix_game(np.random.default_rng(1).normal(size=(4, 5)))
    assert len(folded(game).program.cost) == len(game.cost)


@pytest.mark.parametrize(
    "game",
    [
        "blind_pursuit(width=2,height=2,pursuers=1,rounds=3,horizon=rn)",
        "search_game(width=1,height=3,defenders=0:1_0:2,rounds=3,horizon=rn,loss=0)",
        "patrolling(attack=2,loss=0,rounds=3,horizon=v)",
    ],
)
def test_a_bounded_game_made_smaller_has_the_same_equilibria(game, monkeypatch):
    pairs = pairs_of(fs.load(game))
    value = fs.solve(game, "lp").value[0]
    programs = []
    monkeypatch.setattr(one_sided, "LARGE", 0)
    monkeypatch.setattr(one_sided, "folded", lambda program: programs.append(folded(program)) or programs[-1])
    behaviour, own = one_sided.solve_pairs(pairs)
    assert len(programs[0].program.cost) < len(programs[0].columns) <= pairs.sequences + (pairs.inside >= 0).sum()
    assert len(programs[0].program.least) < len(programs[0].rows) < pairs.rows[-1] + len(pairs.before)
    assert pairs.response(behaviour) @ pairs.nodes.start == pytest.approx(value, abs=1e-5)
    assert pairs.answer(own) == pytest.approx(value, abs=1e-5)
