"""Dominated moves, pure equilibria and indifference in matrix games."""

import itertools

import numpy as np
import pytest
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app


def matrix(first, second=None):
    more = {} if second is None else {"payoffs2": str(np.asarray(second).tolist())}
    return fs.load("matrix", payoffs=str(np.asarray(first).tolist()), **more)


def test_the_prisoners_dilemma_is_solved_by_strict_dominance():
    found = fs.dominance("matrix(game=prisoners_dilemma)")
    assert found.left == (("defect",), ("defect",))
    assert [(d.round, d.player, d.move, d.by) for d in found.removed] == [
        (1, p, "cooperate", {"defect": 1.0}) for p in (0, 1)
    ]
    assert fs.pure_equilibria("matrix(game=prisoners_dilemma)") == [("defect", "defect")]


def test_nothing_is_dominated_in_rock_paper_scissors_and_nothing_pure_is_an_equilibrium():
    for weak, mixed in itertools.product((False, True), repeat=2):
        assert fs.dominance("matrix(game=rps)", weak=weak, mixed=mixed).removed == ()
    assert fs.pure_equilibria("matrix(game=rps)") == []


def test_each_player_varies_its_own_move_in_a_pure_equilibrium():
    assert fs.pure_equilibria("matrix(game=battle_of_the_sexes)") == [("Bach", "Bach"), ("Stravinsky", "Stravinsky")]
    assert fs.pure_equilibria("matrix(game=chicken)") == [("dare", "chicken"), ("chicken", "dare")]


def test_a_mixture_dominates_what_no_single_move_does():
    game = matrix([[3, 0], [0, 3], [1, 1]])
    assert fs.dominance(game, mixed=False).removed == ()
    (removed,) = fs.dominance(game).removed
    assert removed.move == "row 3"
    assert removed.by == pytest.approx({"row 1": 0.5, "row 2": 0.5})


def test_a_mixture_can_dominate_weakly_alone():
    game = matrix([[2, 0, 1], [0, 2, 1], [1, 1, 0], [0, 0, 3]], np.zeros((4, 3)))
    assert fs.dominance(game).removed == ()
    assert fs.dominance(game, weak=True, mixed=False).removed == ()
    (removed,) = fs.dominance(game, weak=True).removed
    assert removed.move == "row 3"
    assert removed.by["row 1"] == pytest.approx(removed.by["row 2"])


def test_elimination_goes_on_in_what_is_left():
    # the textbook's: right is dominated by middle, then down by up, then left by middle
    found = fs.dominance(matrix([[1, 1, 0], [0, 0, 2]], [[0, 2, 1], [3, 1, 0]]))
    assert [(d.round, d.player, d.move) for d in found.removed] == [
        (1, 1, "column 3"),
        (2, 0, "row 2"),
        (3, 1, "column 1"),
    ]
    assert found.left == (("row 1",), ("column 2",))


def test_equal_moves_dominate_each_other_not_at_all():
    assert fs.dominance(matrix([[1, 2], [1, 2]], np.zeros((2, 2))), weak=True).removed == ()


def test_what_dominates_gets_more_and_values_stay_what_they_are():
    rng = np.random.default_rng(5)
    for _ in range(15):
        payoff = rng.integers(-4, 5, rng.integers(2, 6, 2)).astype(float)
        game = matrix(payoff)
        value = fs.solve(game, "lp").value[0]
        strict, weak = fs.dominance(game), fs.dominance(game, weak=True)
        assert {d.move for d in strict.removed} <= {d.move for d in weak.removed}
        for found in (strict, weak):
            rows, columns = ([int(name.split()[1]) - 1 for name in moves] for moves in found.left)
            assert fs.solve(matrix(payoff[np.ix_(rows, columns)]), "lp").value[0] == pytest.approx(value, abs=1e-9)
        # strictly dominated moves are in no equilibrium's support
        prob = fs.solve(game, "lp").strategy
        sides = fs.indifference(game, prob)
        for d in strict.removed:
            assert sides[d.player].plays[d.move] == pytest.approx(0, abs=1e-9)


def test_at_an_equilibrium_players_are_indifferent_between_what_they_mix():
    game = fs.load("matrix(game=biased_rps)")
    for side in fs.indifference(game, fs.solve(game, "lp").strategy):
        assert side.plays == pytest.approx({"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16}, abs=1e-9)
        assert (side.gain, side.uneven) == pytest.approx((0, 0), abs=1e-9)
    for side in fs.indifference(game, fs.solve(game, "cfr", iterations=3).strategy):
        assert side.gain > 0.1
        assert side.uneven >= side.gain


def test_a_player_with_a_single_move_has_nothing_to_be_indifferent_about():
    game = matrix([[1, 2, 3]])
    first, second = fs.indifference(game, fs.solve(game, "lp").strategy)
    assert (first.plays, first.gain, first.value) == ({"row 1": 1.0}, 0.0, 1.0)
    assert second.gets == pytest.approx({"column 1": -1, "column 2": -2, "column 3": -3})
    assert fs.dominance(game).left == (("row 1",), ("column 1",))


@pytest.mark.parametrize("game", ["kuhn", "oshi_zumo(coins=3)", "tic_tac_toe", "kuhn(players=3)"])
def test_other_games_are_refused_in_a_sentence(game):
    with pytest.raises(fs.Unsuitable, match="is no matrix game"):
        fs.dominance(game)


def test_the_command_line_tells_of_dominated_moves_and_of_indifference(tmp_path):
    told = CliRunner().invoke(app, ["games", "matrix(game=prisoners_dilemma)"]).output
    assert "player 0: cooperate, by defect" in told
    assert "pure equilibria: (defect, defect)" in told
    saved = str(tmp_path / "rps.fog")
    CliRunner().invoke(app, ["solve", "matrix(game=biased_rps)", "--algorithm", "lp", "--save", saved])
    told = CliRunner().invoke(app, ["evaluate", "matrix(game=biased_rps)", saved]).output
    assert "0.062500" in told
    assert "indifferent" in told
