"""Published experiments as commands: they are listed, run, and judged by what is measured."""

import pytest

from fogspiel.app import (
    targets,
    targets_exact,
    targets_hidden,
    targets_pursuit,
)
from fogspiel.app.cross_table import Cell, play_table, read_table
from fogspiel.evaluate.online import OnlinePoint

TABLES = [f"L-{n}" for n in (8, 9, 10, 12, 13, 14, 16, 17)]


@pytest.mark.parametrize("name", TABLES)
def test_a_cross_table_passes_by_the_numbers_that_were_printed_and_not_by_others(monkeypatch, name):
    def cells(by):
        def play(games, players, printed, count, score=None):
            assert {one for pair in printed for one in pair} == players.keys()
            return [], {pair: Cell(by(x), 0.0) for pair, x in printed.items()}

        return play

    for by, passes in ((lambda x: x, True), (lambda x: 58.0, False)):
        for module in (targets_hidden, targets_pursuit):
            monkeypatch.setattr(module, "play_table", cells(by))
        assert targets.reproduce(name).passed == passes


def test_a_cross_table_is_played_with_the_row_in_the_first_seat():
    rows, cells = play_table(
        ["matrix(game=rps)", "kuhn"], {"a": "random", "b": "random"}, read_table("a 1 2\nb 3 4"), 6
    )
    assert [(row["algorithm"], row["printed"]) for row in rows] == [
        ("a - a", 1),
        ("a - b", 2),
        ("b - a", 3),
        ("b - b", 4),
    ]
    assert all(row["games"] == 6 and row["first seat"] == cells["a", "a"].mean for row in rows)


@pytest.mark.parametrize("name", ["L-7", "L-11"])
def test_convergence_passes_by_the_order_that_was_printed(monkeypatch, name):
    order = ["oos", "rm", "exp3", "=uct", "ruct"]
    monkeypatch.setattr(targets_hidden, "form_of", lambda game, real=targets_hidden.form_of: real("kuhn"))

    def curve(game, spec, budgets, *, seed, form):
        place = next(i for i, kind in enumerate(order) if kind in spec)
        end = 1 + place if forwards else 9 - place
        return [OnlinePoint(n, 0.0, end + seed / 100, 1.0) for n in budgets]

    monkeypatch.setattr(targets_hidden, "converge", curve)
    for forwards in (True, False):
        assert targets.reproduce(name).passed == forwards


@pytest.mark.parametrize("off", [0, 1e-4])
def test_exact_players_must_win_exactly_as_often(monkeypatch, off):
    shares = {agent: targets_exact.EXPECTED[name] for name, agent in targets_exact.FIRST.items()}

    def gained(game, agents, step):
        share = shares[agents[0]][[*targets_exact.PLAYERS.values()].index(agents[1])]
        return 2 * (share + off) - 1, 1 - 2 * (share + off)

    monkeypatch.setattr(targets_exact, "agent", lambda spec: spec)
    monkeypatch.setattr(targets_exact, "every_deal", gained)
    assert targets.reproduce("W-3", "full").passed == (off == 0)


@pytest.mark.parametrize("name", ["L-15"])
def test_what_is_known_of_small_games_comes_out(name):
    assert targets.reproduce(name).passed
