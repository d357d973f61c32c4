"""Tron: the positions of each depth that Lisý 2014 counts, its evaluation beside a plain flood fill, ends of the
game."""

import math

import numpy as np
import pytest
from positions import named, random_states

import fogspiel as fs
from fogspiel.games import tron
from fogspiel.solvers.exact.induction import stages


def test_tron_has_the_positions_of_each_depth_that_lisy_2014_counts():
    found = stages("tron")
    counted = [1, 4, 16, 100, 574, 2605, 9559, 26056, 54410, 83745, 87083, 63642, 23296, 3127]
    assert [pure + mixed for pure, mixed in found.count()] == counted
    # printed are a few more, of stages where the solver mixed and need not have
    assert [mixed for _, mixed in found.count()] == [0, 0, 2, 0, 8, 4, 49, 80, 104, 110, 74, 0, 0, 0]
    assert found.value[0] == 0


@pytest.mark.parametrize("spec", ["tron(width=3,height=3)", "tron(width=4,height=4)", "tron(width=2,height=7)"])
def test_both_riders_have_the_same_chances(spec):
    assert fs.solve(spec, "do-alpha-beta").value[0] == pytest.approx(0)


def nearer(state):
    """How many more free cells player 0 is nearer to, by plain search."""
    rows = [line.split() for line in state.show().splitlines()[: state.view.height]]
    free = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."}
    away = []
    for player in range(2):
        at = divmod(state.view.at[player], tron.STRIDE)
        found, level = {at: 0}, [at]
        while level:
            level = [
                to
                for r, c in level
                for to in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
                if to in free and found.setdefault(to, found[r, c] + 1) == found[r, c] + 1
            ]
            level = list(dict.fromkeys(level))
        away.append(found)
    return sum(
        np.sign(away[1].get(cell, math.inf) - away[0].get(cell, math.inf)) if cell in away[0] or cell in away[1] else 0
        for cell in free
    )


@pytest.mark.parametrize(
    "spec", ["tron", "tron(width=13,height=13)", "tron(width=15,height=15)", "tron(width=15,height=2)"]
)
def test_the_evaluation_is_that_of_cells_a_player_reaches_first(spec):
    guess = np.zeros(2)
    for state in random_states(fs.load(spec), 5, seed=3):
        if not state.over:
            tron.evaluate(state.view, guess)
            assert guess.tolist() == [math.tanh(nearer(state) / 5), -math.tanh(nearer(state) / 5)]


@pytest.mark.parametrize(
    ("moves", "pays"),
    [
        (["right", "left"], None),
        (["right", "left", "down", "up"], [0, 0]),  # both into one cell
        (["right", "up", "right", "left"], [-1, 1]),
        (["right", "up", "down", "up"], [1, -1]),
    ],
)
def test_who_cannot_ride_on_loses(moves, pays):
    state = named("tron(width=3,height=3)", moves)
    assert (state.payoff() if state.over else None) == pays


def test_nobody_wins_if_neither_can_ride_on():
    assert named("tron(width=3,height=2)", ["down", "up", "right", "left"]).payoff() == [0, 0]


def test_a_move_is_seen_once_both_have_moved():
    assert named("tron", ["right"]).key(1) == named("tron", ["down"]).key(1)
    assert named("tron", ["right"]).key(0) != named("tron", ["down"]).key(0)
    assert named("tron", ["right", "up"]).key(1) != named("tron", ["down", "up"]).key(1)


def test_sensible_play_keeps_out_of_dead_ends():
    state = named("tron(width=4,height=4)", ["right", "left", "right", "left", "right", "up", "down", "right"])
    assert [state.game.move_name(state, move) for move in state.moves()] == ["down", "left"]
    moves, odds = np.zeros(4, int), np.zeros(4)
    assert tron.guide(state.view, moves, odds) == 2
    assert odds[:2].tolist() == [0, 1]
