"""Games that agents lost by faults are counted for whoever lost them, and are played again where that is asked for."""

import json
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.app.experiments import print_outcome
from fogspiel.experiment import Curves, EveryDeal, Matches, Measurements, Scale, Tuning, against, lineups, teams
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import run
from fogspiel.experiment.tuning import tune

NEEDY = """
from pathlib import Path


def choose(observation, key="key"):
    if not (Path(__file__).parent / key).exists():
        raise FileNotFoundError("the key is not there")
    return observation.moves[0]
"""
MORTAL = """
import multiprocessing
import os
from pathlib import Path

if multiprocessing.parent_process() and not (Path(__file__).parent / "key").exists():
    os._exit(7)
"""
ILLEGAL = "def choose(observation):\n    return 99\n"
SHARED = """
from fogspiel.experiment import Matches, Scale, against

AGENTS = {"needy": "needy.py", "illegal": "illegal.py", "b": "random"}
SMALL = {"small": Scale(2)}
GAMES = Matches(about="x", games="kuhn", agents=AGENTS, seats=against("b"), measure="utility", scales=SMALL)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("needy.py", NEEDY), ("illegal.py", ILLEGAL), ("shared.py", SHARED)):
        Path(name).write_text(text)
    return tmp_path


def matches(**changes) -> Matches:
    usual = {"about": "x", "games": "kuhn", "agents": {"needy": "needy.py", "b": "random"}, "measure": "utility"}
    return Matches(**usual | {"scales": {"small": Scale(4)}} | changes)


def fogspiel(line: str) -> int:
    return app(line.split(), standalone_mode=False) or 0


def test_lost_games_are_told_by_run_and_results_for_each_agent_and_end_with_status_1(capsys):
    assert fogspiel("run shared.py") == 1
    ran = capsys.readouterr().out
    fogspiel("results table shared.sqlite")
    for text in (ran, capsys.readouterr().out):
        lost, raised, again = text[text.index("8 games lost") :].splitlines()[:3]
        assert lost == "8 games lost by faults: 4 by needy, 4 by illegal"
        assert raised == "in 4 an agent raised an exception; to play these again:"
        assert again == f"  fogspiel run {'shared.py' if text == ran else 'FILE'} --again"
    assert fogspiel("run shared.py --json") == 1
    lost = {"by": {"needy": 4, "illegal": 4}, "raised": 4}
    assert json.loads(capsys.readouterr().out)["lost"] == lost
    fogspiel("results table shared.sqlite --json")
    assert json.loads(capsys.readouterr().out)["lost"] == lost


def test_a_file_of_results_without_faults_says_nothing_of_them_and_ends_with_status_0(capsys):
    Path("key").touch()
    Path("shared.py").write_text(SHARED.replace('"illegal": "illegal.py", ', ""))
    assert fogspiel("run shared.py") == 0
    assert "lost by faults" not in capsys.readouterr().out


def test_only_games_in_which_an_agent_raised_an_exception_are_played_again(capsys):
    fogspiel("run shared.py")
    Path("key").touch()
    capsys.readouterr()
    assert fogspiel("run shared.py") == 1
    assert "8 of 8 runs are there; 0 of this time" in capsys.readouterr().out
    assert fogspiel("run shared.py --again") == 1
    ran = capsys.readouterr().out
    assert "8 of 8 runs are there; 4 of this time" in ran
    assert "4 games lost by faults: 4 by illegal\n" in ran
    assert "--again" not in ran


def test_games_played_again_are_those_that_would_have_been_played_at_once(folder):
    lost = run(matches(), "x", "x.sqlite", Execution(folder=str(folder)))
    (folder / "key").touch()
    again = run(matches(), "x", "x.sqlite", Execution(folder=str(folder), again=True))
    at_once = run(matches(), "x", "y.sqlite", Execution(folder=str(folder)))
    assert (lost.lost.by, lost.lost.raised) == ({"needy": 8}, 8)
    assert (again.lost.by, again.lost.raised, again.counts["faults"]) == ({}, 0, 0)
    assert lost.table != again.table == at_once.table


def test_a_run_whose_process_died_has_its_own_deal_once_it_is_done(folder):
    (folder / "mortal.py").write_text(MORTAL + Path(fs.load("kuhn").module.__file__).read_text())
    agents, once = {"a": "random", "b": "random"}, {"small": Scale(1)}
    games = matches(games="mortal.py", agents=agents, seats=lineups(("a", "b")), deals=EveryDeal(step=4), scales=once)
    assert run(games, "x", "x.sqlite", Execution(folder=str(folder), workers=2)).counts["failed"] == 2
    (folder / "key").touch()
    for name in ("x", "y"):
        run(games, "x", f"{name}.sqlite", Execution(folder=str(folder)))
    with Results("x.sqlite") as later, Results("y.sqlite") as at_once:
        rows, others = ([{**row, "seconds": 0} for row in one.view().rows] for one in (later, at_once))
    assert [row["deal"] for row in rows] == [0, 4]
    assert rows == others


def test_that_games_may_be_played_again_is_told_however_many_errors_there_are(folder, capsys):
    (folder / "varied.py").write_text("def choose(observation, n=0):\n    raise ValueError(n)\n")
    agents = {"a{n}": "varied.py(n={n})", "c": "illegal.py", "b": "random"}
    seats = lineups(("a{n}", "b"), ("c", "b"))
    spread = matches(agents=agents, grid={"n": [*range(8)]}, seats=seats, scales={"small": Scale(1)})
    found = run(spread, "x", "x.sqlite", Execution(folder=str(folder)))
    assert len(found.errors) == 5
    assert found.lost.by == {"c": 1} | {f"a{n}": 1 for n in range(8)}  # what c plays is the same whatever n is
    fogspiel("results table x.sqlite")
    assert "in 8 an agent raised an exception; to play these again:" in capsys.readouterr().out


def by_card(state):
    """The player of the higher card is one team, the other the second."""
    cards = state.view.card
    return [int(cards[p] < cards[1 - p]) for p in range(2)]


def test_where_chance_deals_the_roles_the_one_at_fault_is_found_whatever_its_seat(folder):
    for agents in ({"needy": "needy.py", "b": "random"}, {"b": "random", "needy": "needy.py"}):
        found = run(
            matches(agents=agents, seats=teams(by_card)),
            "x",
            f"{next(iter(agents))}.sqlite",
            Execution(folder=str(folder)),
        )
        assert set(found.lost.by) == {"needy"}
        assert sum(found.lost.by.values()) == found.counts["faults"] == 12
    both = run(
        matches(agents={"needy": "needy.py"}, seats=teams(by_card)), "x", "both.sqlite", Execution(folder=str(folder))
    )
    assert both.lost.by == {"needy": 4}


def last_is_alone(state):
    return [0, 0, 1]


def test_a_fault_of_one_seat_is_its_roles(folder):
    seats = teams(last_is_alone)
    games = matches(
        games="dou_di_zhu", agents={"ill": "illegal.py", "b": "random"}, seats=seats, scales={"small": Scale(2)}
    )
    lost = run(games, "x", "x.sqlite", Execution(folder=str(folder))).lost
    assert (set(lost.by), lost.raised) == ({"ill"}, 0)
    with Results("x.sqlite") as results:
        rows = [row for row in results.view(everyone=True).rows if {row["role 0"], row["role 1"]} == {"ill", "b"}]
    assert {row["agent"] for row in rows if row["points"] == 0} == {"ill"}


def test_a_tuning_plays_lost_games_again_too(folder):
    of = matches(agents={"tuned": "needy.py(key={k})", "b": "random"}, seats=against("b"), where={"agent": "tuned"})
    tuning = Tuning(about="x", of=of, parameters={"k": ["key", "other"]}, method="halving")
    (folder / "other").touch()
    lost = tune(tuning, "x", "x.sqlite", Execution(folder=str(folder)))
    assert lost.best == {"k": "other"}
    assert set(lost.lost.by) == {"tuned"}
    (folder / "key").touch()
    assert tune(tuning, "x", "x.sqlite", Execution(folder=str(folder))).played == 0
    again = tune(tuning, "x", "x.sqlite", Execution(folder=str(folder), again=True))
    assert again.played >= sum(lost.lost.by.values()) > 0
    assert (again.lost.by, again.counts["faults"]) == ({}, 0)


def left(seed: int) -> dict:
    raise SystemExit(seed)


def gone(table):
    raise SystemExit("gone")


def fine(seed: int) -> dict:
    return {"v": 1.0}


def test_what_leaves_python_is_a_failure_like_any_other(folder):
    ends = run(Measurements(about="x", function=left, measure="v", scales={"small": Scale(2)}), "x", "x.sqlite")
    assert ends.counts["failed"] == 2
    assert all(text.startswith("test_faults.py, line ") and "SystemExit: " in text for text, _ in ends.errors)
    judged = Measurements(about="x", function=fine, measure="v", criterion="c", passes=gone, scales={"small": Scale(2)})
    outcome = run(judged, "y", "x.sqlite")
    assert (outcome.verdict, outcome.stopped) == ("", "done")
    assert outcome.mistake.startswith("passes fails on this table: test_faults.py, line ")
    assert outcome.mistake.endswith("SystemExit: gone")
    (folder / "leaves.py").write_text("import sys\n\n\ndef choose(observation):\n    sys.exit(3)\n")
    played = run(matches(agents={"leaves": "leaves.py", "b": "random"}), "z", "x.sqlite", Execution(folder=str(folder)))
    assert (played.counts["done"], played.lost.by) == (8, {"leaves": 8})


def leaving(state):
    raise SystemExit


def test_roles_that_leave_python_cost_their_runs_and_not_the_process(folder):
    found = run(matches(agents={"a": "random"}, seats=teams(leaving)), "x", "x.sqlite")
    assert (found.counts["failed"], found.lost.by) == (4, {})


def some_fail(seed: int, n: int, m: int) -> dict:
    if n == 20:
        raise ValueError("too many")
    if m == 2:
        raise KeyError("m")
    return {"v": float(n)}


FAILING = Measurements(
    about="x", function=some_fail, grid={"n": [10, 20, 30], "m": [1, 2]}, measure="v", scales={"small": Scale(2)}
)


def test_a_setting_whose_runs_all_fail_has_a_line_without_a_number(folder, capsys):
    outcome = run(FAILING, "x", "x.sqlite")
    assert [row.key for row in outcome.table] == [(10, 1), (30, 1)]
    print_outcome(outcome, Path("x.sqlite"))
    ran = capsys.readouterr().out
    fogspiel("results table x.sqlite")
    for text in (ran, capsys.readouterr().out):
        lines = [line.split() for line in text.splitlines()[3:9]]
        assert [line[:2] for line in lines] == [[n, m] for n in ("10", "20", "30") for m in "12"]
        assert [line[-3:] for line in lines[1:4]] == [["-", "-", "0"]] * 3
        assert [line[-1] for line in lines] == ["2", "0", "0", "0", "2", "0"]
    fogspiel("results table x.sqlite --by n")
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[3:6]] == ["10", "20", "30"]


def test_a_report_has_a_line_for_a_setting_whose_runs_all_fail(folder):
    run(FAILING, "x", "x.sqlite")
    fogspiel("results report x.sqlite x.md")
    assert "| 20 | 1 | - | - | 0 |" in Path("x.md").read_text()


def test_an_error_says_in_which_of_several_settings_it_was(folder):
    told = [text for text, _ in run(FAILING, "x", "x.sqlite").errors]
    assert {text.partition(": test_faults.py, line ")[0] for text in told} == {
        "at n=20, in 2 settings",
        "at m=2, in 2 settings",
    }
    (folder / "lock").touch()
    agents = {"needy": "needy.py(key={k})", "b": "random"}
    games = matches(grid={"k": ["key", "lock"]}, agents=agents, seats=against("b", seats=[0]))
    ((text, often),) = run(games, "y", "x.sqlite", Execution(folder=str(folder))).errors
    assert (text.partition(": seat")[0], often) == ("at k=key", 4)


def test_games_in_which_the_process_of_an_agent_ended_are_played_again_too(folder):
    (folder / "mortal.py").write_text(
        NEEDY.replace('raise FileNotFoundError("the key is not there")', "__import__('os')._exit(7)")
    )
    games = matches(
        agents={"mortal": "mortal.py", "b": "random"}, seats=lineups(("mortal", "b")), scales={"small": Scale(2)}
    )
    lost = run(games, "x", "x.sqlite", Execution(folder=str(folder)))
    assert [text for text, _ in lost.errors] == ["seat 0 failed: its process ended (exit code 7)"]
    assert lost.lost.raised == 2
    (folder / "key").touch()
    assert run(games, "x", "x.sqlite", Execution(folder=str(folder), again=True)).counts["faults"] == 0


RARE = Path(__file__).parents[1] / "game" / "rare.py"
TOLD = r"^rule payoff .* no finite payoff.*, after the moves 15, 15, 15"


@pytest.mark.parametrize("workers", [1, 2])
def test_rules_of_a_game_that_fail_end_the_experiment_and_what_was_stored_stays(folder, workers):
    (folder / "rare.py").write_text(RARE.read_text())
    agents, many = {"a": "random", "b": "random"}, {"small": Scale(400)}
    rare = matches(games="rare.py(kind=payoff-nan)", agents=agents, seed=3, scales=many)
    with pytest.raises(fs.GameError, match=TOLD):
        run(rare, "x", "x.sqlite", Execution(folder=str(folder), workers=workers))
    with Results("x.sqlite") as results:
        counts = results.view().counts
    assert 0 < counts["done"] < counts["asked"]
    assert counts["failed"] == 0


def test_a_curve_of_a_game_whose_rules_fail_ends_its_experiment_as_well(folder):
    curves = Curves(
        about="x",
        games=[f"{RARE}(kind=payoff-nan)", "kuhn"],
        players=["es-mccfr"],
        budgets=[2],
        scales={"small": Scale(3)},
    )
    with pytest.raises(fs.GameError, match=TOLD):
        run(curves, "x", "x.sqlite", Execution(folder=str(folder)))
