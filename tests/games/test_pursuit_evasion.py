"""Pursuit-evasion on a grid: the positions of each depth that Lisý 2014 counts, their values, captures, random
starts."""

import numpy as np
import pytest
from positions import after, child, named

import fogspiel as fs
from fogspiel.game.matrix_game import matrix_value
from fogspiel.games import pursuit_evasion
from fogspiel.solvers.exact import induction


class Stages:
    """The game by depth: for each position the number of its histories and the matrix of what follows, positions or
    payoffs."""

    def __init__(self, spec):
        start = fs.load(spec).start()
        level = {self.position(start): (1, start)}
        self.levels = []
        while level:
            below, matrices = {}, {}
            for position, (n, s) in level.items():
                rows = matrices[position] = []
                for mine in s.moves():
                    pending = child(s, mine)
                    after = [child(pending, yours) for yours in pending.moves()]
                    rows.append([t.payoff()[0] if t.over else self.position(t) for t in after])
                    for t in after:
                        if not t.over:
                            at = self.position(t)
                            below[at] = (below.get(at, (0,))[0] + n, t)
            self.levels.append({at: (n, matrices[at]) for at, (n, _) in level.items()})
            level = below

    def position(self, s):
        return (s.view.evader, *s.view.unit)

    def totals(self):
        return [sum(n for n, _ in level.values()) for level in self.levels]

    def solve(self):
        """The value of the game, and how many histories of each depth have no saddle point."""
        value, mixed = {}, []
        for level in reversed(self.levels):
            found, count = {}, 0
            for at, (n, rows) in level.items():
                matrix = np.array(
                    [[value.get(to, to) if isinstance(to, tuple) else to for to in row] for row in rows], float
                )
                found[at] = matrix_value(matrix)[0]
                count += n * bool(matrix.min(axis=1).max() < matrix.max(axis=0).min() - 1e-9)
            value, mixed = found, [count, *mixed]
        return next(iter(value.values())), mixed


def test_four_by_four_has_the_positions_of_each_depth_that_lisy_2014_counts():
    stages = Stages("pursuit_evasion")
    assert stages.totals() == [1, 12, 324, 8664, 248712]
    value, mixed = stages.solve()
    assert value == pytest.approx(-1 / 7)
    assert mixed == [0, 0, 40, 1008, 6726]


def test_stages_that_must_be_mixed_are_told_from_rounding():
    """The same by backward induction on the tree; equal values differ by rounding there."""
    counted = induction.stages(fs.load("pursuit_evasion")).count()
    assert [sum(level) for level in counted] == [1, 12, 324, 8664, 248712]
    assert [mixed for _, mixed in counted] == [0, 0, 40, 1008, 6726]


def test_the_solvers_agree_with_the_values_of_stages():
    assert fs.solve("pursuit_evasion", "do-alpha-beta").value[0] == pytest.approx(-1 / 7)
    for spec in ("pursuit_evasion(limit=4,seed=2)", "pursuit_evasion(limit=4,seed=15)"):
        value, _ = Stages(spec).solve()
        assert fs.solve(spec, "backward-induction").value[0] == pytest.approx(value)


def on(size, evader, *units, limit=2):
    """The game of a size with the pieces in these cells."""
    state = fs.load("pursuit_evasion", size=size, limit=limit).start()
    state.view.evader = evader
    for j, cell in enumerate(units):
        state.view.unit[j] = cell
    return state


def test_a_unit_in_the_evaders_cell_has_caught_it_and_so_has_one_that_it_meets():
    state = on(3, 4, 0, 8)
    state.play(0)
    state.play(next(m for m in state.moves() if state.game.move_name(state, m) == "right up"))
    assert state.payoff() == [-1, 1]
    state = on(3, 4, 1, 8)
    state.play(0)
    state.play(next(m for m in state.moves() if state.game.move_name(state, m) == "down up"))
    assert state.payoff() == [-1, 1]


def test_an_evader_that_is_not_caught_in_time_wins():
    assert named("pursuit_evasion(limit=1)", ["right", "left left"]).payoff() == [1, -1]


def test_every_piece_has_to_move():
    state = after("pursuit_evasion")
    assert [state.game.move_name(state, move) for move in state.moves()] == ["down", "right"]
    state.play(1)
    assert len(state.moves()) == 6


@pytest.mark.parametrize(("size", "limit"), [(4, 4), (10, 15)])
def test_random_starts_are_near_enough(size, limit):
    starts = set()
    for seed in range(1, 11):
        view = fs.load("pursuit_evasion", size=size, limit=limit, seed=seed).start().view
        cells = [divmod(cell, size) for cell in (view.evader, *view.unit)]
        for row, column in cells[1:]:
            assert 0 < abs(row - cells[0][0]) + abs(column - cells[0][1]) <= 2 * limit // 3
        starts.add(tuple(cells))
    assert len(starts) == 10


def test_the_evaluation_is_the_printed_one():
    guess = np.zeros(2)
    pursuit_evasion.evaluate(on(10, 0, 5, 90).view, guess)
    assert (guess[0] + 1) / 2 == pytest.approx((5 + 0.01 * 9) / (1.01 * 20))
    assert guess[0] == -guess[1]


def test_a_move_is_seen_once_both_have_moved():
    assert after("pursuit_evasion", 1).key(1) == after("pursuit_evasion", 3).key(1)
    assert after("pursuit_evasion", 1).key(0) != after("pursuit_evasion", 3).key(0)
