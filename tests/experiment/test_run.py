"""Experiments: the same table wherever and in however many pieces they are run; old code is never mixed with new."""

import contextlib
import json
import math
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import binomtest, norm, t

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.app.experiment_plots import figure_of
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import (
    Curves,
    EveryDeal,
    FixedDeals,
    Matches,
    Measurements,
    Scale,
    Tuning,
    against,
    every_pair,
    lineups,
    pairings,
    teams,
)
from fogspiel.experiment.differences import compare
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.functions import version_of_function
from fogspiel.experiment.pool import WorkerPool
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import run
from fogspiel.experiment.scheduler import fitting
from fogspiel.experiment.store import Store
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.timing import Rate
from fogspiel.experiment.tuning import tune

ROOT = Path(__file__).parents[2]
RANDOM = {"about": "random play", "games": "kuhn", "agents": {"a": "random", "b": "random"}, "measure": "utility"}


def first(observation):
    return observation.moves[0]


def matches(**changes) -> Matches:
    return Matches(**RANDOM | {"scales": {"small": Scale(40), "medium": Scale(60)}} | changes)


def found(path: Path, name: str = "x", scale: str = "small") -> list[tuple]:
    with Store(path) as store:
        return store.base.execute(
            (
                "SELECT place, run, deal, seed, json_extract(found, '$.utility') FROM run WHERE experiment = ? AND "
                "scale = ? ORDER BY place, run"
            ),
            (name, scale),
        ).fetchall()


def test_a_later_resume_at_another_scale_gives_the_same_rows(tmp_path):
    whole, pieces = tmp_path / "whole.sqlite", tmp_path / "pieces.sqlite"
    run(matches(), "x", whole, Execution(scale="medium"))
    assert run(matches(), "x", pieces).played == 80
    rest = run(matches(), "x", pieces, Execution(scale="medium"))
    assert (rest.played, rest.counts["done"], rest.stopped) == (40, 120, "done")
    assert found(whole, scale="medium") == found(pieces, scale="medium")
    assert found(pieces) == [row for row in found(whole, scale="medium") if row[1] < 40]
    assert len({seed for _, _, _, seed, _ in found(whole, scale="medium")}) == 120


SHORT = """
from fogspiel.experiment import Matches, Scale
SCALES = {"small": Scale(10**6)}
GAMES = Matches(about="short games", games="kuhn", agents=["random", "mine.py"], measure="utility", scales=SCALES)
"""
FIRST = "def choose(observation):\n    return observation.moves[0]\n"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
def test_nothing_stored_is_lost_and_nothing_is_stored_twice_whoever_is_killed():
    """More kills: `python tests/experiment/kills.py --kills 200 --games 100000 --patience 1`."""
    command = [
        sys.executable,
        Path(__file__).with_name("kills.py"),
        "--kills",
        "10",
        "--together",
        "0.3",
        "--seed",
        "4",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert "none was lost" in done.stdout, done.stderr
    assert all(how in done.stdout for how in ("moment", "instruction", "parent", "worker", "group"))


class Meeting:
    """Of two threads, each of which waits in its first run for that of the other."""

    def __init__(self):
        self.barrier, self.seeds, self.there = threading.Barrier(2), [], set()

    def attend(self, seed: int) -> None:
        self.seeds.append(seed)
        if (me := threading.get_ident()) not in self.there:
            self.there.add(me)
            self.barrier.wait(60)


MEETING = Meeting()


def met(seed: int, x: int) -> dict[str, float]:
    MEETING.attend(seed)
    return {"value": seed % 10 + x}


def test_who_runs_the_same_at_once_shares_the_work(tmp_path):
    experiment = Measurements(about="x", function=met, grid={"x": [0, 5]}, measure="value", scales={"small": Scale(40)})
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda _: run(experiment, "x", tmp_path / "x.sqlite"), range(2)))
    assert len(MEETING.seeds) == len({*MEETING.seeds}) == 80
    assert sum(one.played for one in both) == 80
    assert all(0 < one.played < 80 and one.counts["done"] == 80 for one in both)
    assert both[0].table == both[1].table
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.sqlite"]


def test_what_the_dead_have_claimed_is_taken_over_and_the_living_are_waited_for(tmp_path):
    path = tmp_path / "x.sqlite"
    run(matches(scales={"small": Scale(1)}), "x", path)
    claim = (
        f"from fogspiel.experiment.store import Store; store = Store({str(path)!r}); print(store.claim([(1, 1), "
        "(2, 1)])); "
    )
    for end, told in (("import os; os.kill(os.getpid(), 9)", "done"), ("import time; time.sleep(100)", "budget")):
        other = subprocess.Popen(
            [sys.executable, "-uc", claim + end],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert other.stdout.readline().startswith("([(1, 1), (2, 1)], [])")
        if told == "done":
            other.wait()
        found = run(matches(scales={"small": Scale(2)}), "x", path, Execution(until=1))
        other.kill()
        other.communicate()
        assert (found.stopped, found.played) == (told, 2 if told == "done" else 0)
        with Store(path) as store:
            store.base.execute("DELETE FROM result WHERE run = 1")


def test_claims_hold_by_whatever_name_the_file_is_opened(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.sqlite"
    try:
        link.symlink_to(tmp_path / "x.sqlite")
    except OSError:
        pytest.skip("no symbolic links here")
    with Store(tmp_path / "x.sqlite", create=True) as one, Store(link) as other:
        assert one.take_turn("x")
        assert not other.take_turn("x")


def test_several_open_a_new_file_at_once(tmp_path):
    together = threading.Barrier(4)

    def opened(number: int) -> bool:
        together.wait(60)
        with Store(tmp_path / f"{number // 4}.sqlite", create=True) as store:
            return store.take_turn(str(number))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(opened, range(4 * 50)))


def unwilling(seed: int) -> dict[str, float]:
    FAILING.attend(seed)
    raise ValueError(seed)


FAILING = Meeting()


def test_a_run_that_failed_is_done_again_by_the_next_command_and_not_by_one_that_waits(tmp_path):
    experiment = Measurements(about="x", function=unwilling, measure="value", scales={"small": Scale(20)})
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda _: run(experiment, "x", tmp_path / "x.sqlite"), range(2)))
    assert sum(one.played for one in both) == len(FAILING.seeds) == 20
    assert all(one.counts["failed"] == 20 for one in both)
    FAILING.attend = FAILING.seeds.append
    assert run(experiment, "x", tmp_path / "x.sqlite").played == 20


def slow(seed: int) -> dict[str, float]:
    time.sleep(0.05)
    return {"value": seed}


def test_a_budget_chooses_by_runs_that_no_other_process_is_at(tmp_path):
    scales = {"small": Scale(2), "medium": Scale(10), "paper": Scale(10**5)}
    experiment, path = Measurements(about="x", function=slow, measure="value", scales=scales), tmp_path / "x.sqlite"

    def chosen(pool: WorkerPool) -> str:
        with Store(path, create=True) as file:
            return fitting(experiment, "x", file, Execution(scale="paper"), pool, time.monotonic() + 600)

    with contextlib.closing(WorkerPool(1, None, pytest.fail)) as pool:
        assert chosen(pool) == "medium"
        with Store(path) as other:
            other.claim([(1, number) for number in range(9)])
            assert chosen(pool) == "medium"
            other.claim([(1, number) for number in range(10**5)])
            assert chosen(pool) == "small"  # all that is left is taken


def sleeping(seed: int, seconds: float) -> dict[str, float]:
    time.sleep(seconds)
    return {"value": seconds}


LONG = Measurements(
    about="x",
    function=sleeping,
    grid={"seconds": [0]},
    measure="value",
    scales={"small": Scale(2), "paper": Scale(2, seconds=[300])},
)


def test_a_larger_scale_is_tried_and_given_up_within_the_budget(tmp_path, monkeypatch):
    monkeypatch.setattr("fogspiel.experiment.scheduler.LOOK", 600)
    outcome = run(LONG, "x", tmp_path / "x.sqlite", Execution(scale="paper", budget=600))
    assert (outcome.scale, outcome.stopped, outcome.counts["done"]) == ("small", "done", 2)


def test_a_run_under_way_is_ended_when_the_budget_is_spent(tmp_path):
    endless = replace(LONG, grid={"seconds": [300]})
    outcome = run(endless, "x", tmp_path / "x.sqlite", Execution(budget=0.5))
    assert (outcome.scale, outcome.stopped, outcome.counts["done"]) == ("small", "budget", 0)
    tuning = Tuning(about="x", of=endless, parameters={"seconds": [300, 301]}, method="grid")
    outcome = tune(tuning, "t", tmp_path / "x.sqlite", Execution(budget=0.5))
    assert (outcome.scale, outcome.stopped, outcome.counts["done"]) == ("small", "budget", 0)


THREE = """
from fogspiel.experiment import Measurements, Scale

def value(seed):
    return {"v": 1.0}

A, B, C = (Measurements(about="ones", function=value, measure="v", scales={"small": Scale(2)}) for _ in range(3))
"""


def test_a_budget_is_shared_out_over_the_experiments_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("three.py").write_text(THREE)
    shares = []

    def carried_out(experiment, name, store, execution):
        shares.append(execution.budget or execution.until)
        return run(experiment, name, store, replace(execution, scale="small", budget=None, until=0.0))

    monkeypatch.setattr("fogspiel.experiment.tuning.carry_out", carried_out)
    app(["run", "three.py", "--budget", "5h"], standalone_mode=False)
    assert shares == pytest.approx([6000, 9000, 18000], rel=0.02)  # what one leaves over goes to the next
    shares.clear()
    app(["run", "three.py", "--budget", "0.001s", "--json", "-"], standalone_mode=False)
    assert shares == [0.0] * 3  # to read the file took longer


def test_the_example_is_short_and_runs(tmp_path):
    """A new experiment of the usual kind takes twenty lines at most."""
    example = ROOT / "examples" / "my_experiment.py"
    assert len(example.read_text().splitlines()) <= 20
    ended = app(["run", str(example), "--store", str(tmp_path / "x.sqlite")], standalone_mode=False)
    assert (ended or 0) in (0, 1)  # whether it passes at this scale is up to its seed
    with Results(tmp_path / "x.sqlite") as results:
        assert results.view().counts == {"asked": 300, "done": 300, "failed": 0, "faults": 0}


def test_an_older_file_of_results_is_used_and_does_not_tell_how_long_runs_took(tmp_path):
    path = tmp_path / "x.sqlite"
    whole = run(matches(), "x", path)
    assert whole.spent > 0
    base = sqlite3.connect(path)
    base.execute("ALTER TABLE result DROP COLUMN seconds")
    base.commit()
    base.close()
    old = run(matches(), "x", path)
    assert (old.played, old.table, old.spent) == (0, whole.table, None)
    assert run(matches(scales={"small": Scale(50)}), "x", path).spent is None
    assert run(matches(seed=3), "y", path).spent > 0


def test_an_interrupt_between_runs_leaves_what_is_there(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "claim", interrupt)
    assert run(matches(), "x", tmp_path / "x.sqlite").stopped == "interrupted"


RAISES = "def choose(observation):\n    return 1 // 0\n"
LOADS = "import multiprocessing, time\n\nif multiprocessing.parent_process():\n    time.sleep(2)\n\n" + FIRST


def test_an_agent_that_raises_does_not_make_the_next_one_late(tmp_path, monkeypatch):
    """A process in which an agent hangs is ended; that the next agent's file takes longer to load is no hanging."""
    monkeypatch.setattr("fogspiel.experiment.pool.PATIENCE", 0)
    monkeypatch.setattr("fogspiel.experiment.pool.GRACE", 1.0)
    (tmp_path / "raises.py").write_text(RAISES)
    (tmp_path / "loads.py").write_text(LOADS)
    agents = {"raises": "raises.py", "loads": "loads.py", "random": "random"}
    games = matches(
        agents=agents,
        seats=lineups(("raises", "random"), ("loads", "random")),
        move_time=60,
        scales={"small": Scale(1)},
    )
    outcome = run(games, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    assert [text for text, _ in outcome.errors if "ZeroDivisionError" not in text] == []
    assert outcome.counts == {"asked": 2, "done": 2, "failed": 0, "faults": 1}


def test_a_changed_agent_is_noticed_and_its_old_games_do_not_count(tmp_path):
    own, store, heard = tmp_path / "mine.py", tmp_path / "x.sqlite", []
    own.write_text(FIRST)
    experiment = matches(agents={"mine": "mine.py", "b": "random"})
    before = run(experiment, "x", store, Execution(folder=str(tmp_path), notice=heard.append))
    own.write_text(FIRST.replace("[0]", "[-1]"))
    after = run(experiment, "x", store, Execution(folder=str(tmp_path), notice=heard.append))
    assert (before.played, after.played) == (80, 80)
    assert heard == ["agent mine.py changed: 80 runs of before are kept, and not counted"]
    assert before.table["mine"].value != after.table["mine"].value
    own.write_text(FIRST)
    again = run(experiment, "x", store, Execution(folder=str(tmp_path)))
    assert (again.played, again.table) == (0, before.table)


PLAYERS = [fs.agent("mo-ismcts(simulations=2)"), fs.agent("random")]


def gained(seed: int) -> dict[str, float]:
    mine, other = fs.play_game("kuhn", PLAYERS, deal=seed, seed=seed).utilities
    return {"mine": mine, "other": other}


def test_two_measures_of_the_same_games_share_their_runs(tmp_path):
    measured = Measurements(about="a game", function=gained, measure="mine", scales={"small": Scale(2)})
    before = run(measured, "mine", tmp_path / "x.sqlite")
    after = run(replace(measured, measure="other"), "other", tmp_path / "x.sqlite")
    assert (before.played, after.played) == (2, 0)
    assert after.table[()].value == -before.table[()].value


def test_all_deals_weighted_by_their_probabilities_give_the_exact_value(tmp_path):
    strategy = fs.solve("kuhn", "lp").strategy.greedy()
    fs.save(strategy, tmp_path / "pure.fog")
    experiment = Matches(
        about="every deal of a game of dice",
        games="kuhn",
        agents={"pure": "pure.fog"},
        seats=every_pair,
        deals=EveryDeal(),
        measure="utility",
        scales={"small": Scale(1)},
    )
    outcome = run(experiment, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    assert outcome.counts["done"] == 6
    value = fs.expected_values("kuhn", strategy)[0]
    assert outcome.table["pure", "pure"].value == pytest.approx(value, abs=1e-12)
    few = replace(experiment, deals=FixedDeals(3), values="pure.fog", measure="aivat", scales={"small": Scale(3)})
    row = run(few, "few", tmp_path / "x.sqlite", Execution(folder=str(tmp_path))).table["pure", "pure"]
    assert row.value == pytest.approx(value, abs=1e-12)  # all that was left was chance
    assert row.half == math.inf


def test_curves_are_those_of_the_solver(tmp_path):
    experiment = Curves(about="cfr+", games="kuhn", players=["cfr+"], budgets=(20,), scales={"small": Scale(1)})
    table = run(experiment, "x", tmp_path / "x.sqlite").table
    expected = fs.solve("kuhn", "cfr+", iterations=20)
    assert [(row.key, row.value) for row in table] == [(("cfr+", 20), expected.nash_conv)]
    several = replace(experiment, players=["cfr+", "cfr"], budgets=[5, 20, 70], scales={"small": Scale(2)})
    table = run(several, "several", tmp_path / "x.sqlite").table
    assert [row.key[1] for row in table] == [5, 20, 70, 5, 20, 70]
    assert table["cfr+", 20].value == expected.nash_conv


def squared(seed: int, x: int) -> dict:
    return {"square": x * x, "parity": seed % 2}


def test_a_grid_measures_a_function_and_the_criterion_decides(tmp_path):
    experiment = Measurements(
        about="squares",
        function=squared,
        grid={"x": [1, 2, 3]},
        measure="square",
        printed={1: 1, 3: 10},
        scales={"small": Scale(8)},
        criterion="as printed",
        passes=lambda table: table.agrees(),
        deterministic=True,
    )
    outcome = run(experiment, "x", tmp_path / "x.sqlite")
    assert [(row.key, row.value, row.printed) for row in outcome.table] == [
        ((1,), 1, 1),
        ((2,), 4, None),
        ((3,), 9, 10),
    ]
    assert outcome.passed is False
    assert outcome.table["3"].near(10, within=1)


def test_a_wrong_criterion_costs_no_table_and_a_wrong_measure_no_runs(tmp_path):
    wrong = Measurements(
        about="squares",
        function=squared,
        grid={"x": [1, 2]},
        measure="square",
        scales={"small": Scale(4)},
        criterion="x",
        passes=lambda t: t[7].value,
    )
    outcome = run(wrong, "x", tmp_path / "x.sqlite")
    assert ([row.value for row in outcome.table], outcome.verdict) == ([1, 4], "")
    assert "line" in outcome.mistake
    assert outcome.mistake.endswith("the table by x has no row 7")
    outcome = run(replace(wrong, passes=lambda t: "yes"), "x", tmp_path / "x.sqlite")
    assert outcome.mistake == "passes must return True, False or None, not 'yes'"
    with pytest.raises(fs.SpecError, match="there is no measure 'squares'; did you mean square"):
        run(replace(wrong, measure="squares"), "y", tmp_path / "y.sqlite")
    with Store(tmp_path / "y.sqlite") as store:
        assert store.counts("y", "small")["done"] == 1


def hopeless(seed: int, x: int) -> dict:
    share = 1 / x
    return {1: {"y": float("nan")}, 2: "nothing", 3: {"y": [share, 2], "z": [1]}}[x]


def test_what_a_function_does_wrong_is_told_with_its_line(tmp_path, capsys):
    wrong = Measurements(
        about="x", function=hopeless, grid={"x": [0, 1, 2, 3]}, measure="y", scales={"small": Scale(1)}
    )
    line = hopeless.__code__.co_firstlineno + 1
    assert sorted(text for text, _ in run(wrong, "x", tmp_path / "x.sqlite").errors) == [
        f"at x=0: test_run.py, line {line}: ZeroDivisionError: division by zero",
        "at x=1: hopeless must return numbers, and y is nan",
        "at x=2: hopeless must return a dictionary of numbers, not 'nothing'",
        "at x=3: the lists that hopeless returns must be as long as each other: y has 2, z has 1",
    ]
    app(["results", "table", str(tmp_path / "x.sqlite")], standalone_mode=False)
    assert f"1 time: at x=0: test_run.py, line {line}: ZeroDivisionError" in capsys.readouterr().out
    with pytest.raises(fs.SpecError, match=r"hopeless cannot be called as hopeless\(seed=..., y=...\): missing .*'x'"):
        run(replace(wrong, grid={"y": [0]}), "x", tmp_path / "x.sqlite")


def test_a_table_in_which_all_seats_count_is_the_first_seats_or_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def choose(observation, which=0):\n    return observation.moves[which]\n")
    experiment = matches(agents={"a": "mine.py(which={n})", "b": "random"}, grid={"n": [0, -1]})
    run(experiment, "x", tmp_path / "x.sqlite")
    with Results("x.sqlite") as results:
        table = results.view().table(["seat 0", "seat 1"])
        assert table["b", "a"].value != 0 != table["a", "b"].value
        assert table["a", "b"].runs == 80
        with pytest.raises(fs.SpecError, match="no row has n=11; there are 0, -1"):
            _ = results.view(where=["n=11"]).rows
        with pytest.raises(fs.SpecError, match="all seats of every game count"):
            compare(results.view().rows, "n", "utility")
        assert len(compare(results.view(where=["agent=a"]).rows, "n", "utility")) == 1
    app(["results", "table", "x.sqlite", "--by", "n"], standalone_mode=False)
    assert "together they always get the same" in capsys.readouterr().out
    for arguments, told in (
        ("table x.sqlite --thresholds 1", "--thresholds is for --categories"),
        (
            "table x.sqlite --categories n=0,-1 --by n",
            "--categories has a table of its own, so --by would have no effect",
        ),
        ("table x.sqlite --second", "No such option: --second"),
        ("compare x.sqlite n --by game", "No such option: --by"),
        ("nemeses x.sqlite --plot p.svg", "No such option: --plot"),
        ("table x.sqlite --measure gain", "there is no measure 'gain'; choose from "),
    ):
        with pytest.raises(SystemExit):
            app(["results", *arguments.split()])
        assert told in capsys.readouterr().err


def test_a_file_of_results_is_no_file_of_experiments(tmp_path):
    Store(tmp_path / "x.sqlite", create=True).close()
    with pytest.raises(fs.SpecError, match=r"x.sqlite is a file of results, not of experiments; see: fogspiel results"):
        read_experiments(tmp_path / "x.sqlite")


def test_a_wrong_declaration_in_a_file_is_told_as_such(tmp_path):
    for wrong, told in (
        (
            "Matches(about='x', game='kuhn', agents='random', scales={})",
            "line 2: Matches has no game; did you mean games",
        ),
        (
            "Curves(about='x', games='kuhn', players='cfr', budgets=[0], scales={'small': Scale(1)})",
            "line 2: each budget must be",
        ),
        (
            "Curves(about='x', games='kuhn', players='cfr', grid={'n': [1]}, scales={'small': Scale(1)})",
            "line 2: the grid has n",
        ),
    ):
        (tmp_path / "mine.py").write_text(f"from fogspiel.experiment import Curves, Matches, Scale\nX = {wrong}\n")
        with pytest.raises(fs.SpecError, match=told):
            read_experiments(tmp_path / "mine.py")
    curves = Curves(about="x", games="kuhn", players="cfrr", scales={"small": Scale(1)})
    with pytest.raises(fs.SpecError, match=r"there is no solver and no agent 'cfrr'; did you mean cfr"):
        run(curves, "x", tmp_path / "x.sqlite")


def test_what_is_deterministic_has_no_interval(tmp_path):
    experiment = Measurements(
        about="squares",
        function=squared,
        grid={"x": [1, 3]},
        measure="square",
        deterministic=True,
        scales={"small": Scale(1)},
    )
    assert [(row.low, row.high) for row in run(experiment, "x", tmp_path / "x.sqlite").table] == [(1, 1), (9, 9)]


def shifted(seed: int, off: float) -> dict:
    return {"nash_conv": seed % 7 + off, "budget": 1}


def test_what_is_never_negative_has_no_interval_below_0(tmp_path):
    experiment = Measurements(
        about="x", function=shifted, grid={"off": [0.0]}, measure="nash_conv", scales={"small": Scale(3)}
    )
    (row,) = run(experiment, "x", tmp_path / "x.sqlite").table
    assert row.low == 0 < row.value < row.high
    (apart,) = run(replace(experiment, grid={"off": [-1.0]}), "y", tmp_path / "x.sqlite").table  # a difference may be
    assert apart.low < -1
    told = replace(experiment, function=squared, grid={"x": [1]}, measure="parity", bounds=(-0.25, math.inf))
    assert run(told, "t", tmp_path / "x.sqlite").table.rows[0].low == -0.25
    with Results(tmp_path / "x.sqlite") as results:
        assert (
            results.view("t").table().rows[0].low == -0.25 > results.view("t").table(measure="square").rows[0].low - 1
        )
    alike = replace(experiment, scales={"small": Scale(1)})
    assert run(alike, "z", tmp_path / "x.sqlite").table.rows[0].half == math.inf


def by_the_library(seed: int) -> dict:
    return {"value": fs.solve("kuhn", "lp").value[0]}


def test_the_version_of_a_function_does_not_change_by_its_use():
    before = version_of_function(by_the_library)
    by_the_library(1)
    assert version_of_function(by_the_library) == before
    assert version_of_function(squared) != before


def test_pairs_sit_both_ways_and_the_first_ones_result_counts(tmp_path):
    seats = pairings(("first", "other"), ("other", "other"))
    experiment = matches(agents={"first": "mine.py", "other": "random"}, seats=seats)
    (tmp_path / "mine.py").write_text(FIRST)
    table = run(experiment, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path))).table
    assert (table.by, table.values("agent"), table.values("opponent")) == (
        ("agent", "opponent"),
        ["first", "other"],
        ["other"],
    )
    rows = found(tmp_path / "x.sqlite")
    counted = [json.loads(row[4])[row[0] % 2] for row in rows if row[0] < 2]
    assert (table["first", "other"].runs, table["first", "other"].deals) == (80, 40)
    assert table["first", "other"].value == pytest.approx(sum(counted) / 80)


def test_the_baseline_plays_itself_only_if_asked(tmp_path):
    table = run(matches(seats=against("b")), "x", tmp_path / "x.sqlite").table
    assert [row.key for row in table] == [("a", 0), ("a", 1)]
    table = run(matches(seats=against("b", itself=True)), "x", tmp_path / "x.sqlite").table
    assert [row.key for row in table] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_wins_have_wilsons_interval_by_students_quantile(tmp_path):
    outcome = run(matches(seats=against("b", seats=[0]), measure="points"), "x", tmp_path / "x.sqlite")
    row = outcome.table["a"]
    level = 2 * norm.cdf(t.ppf(0.975, 39)) - 1
    expected = binomtest(round(row.value * 40), 40).proportion_ci(level, "wilson")
    assert (row.low, row.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_fixed_deals_come_again_in_every_setting(tmp_path):
    run(matches(deals=FixedDeals(5, chosen=2), seats=every_pair), "x", tmp_path / "x.sqlite")
    deals = [[deal for place, _, deal, *_ in found(tmp_path / "x.sqlite") if place == p] for p in range(4)]
    assert deals == [[10, 11, 12, 13, 14] * 8] * 4


def by_card(state):
    """The player of the higher card is one team, the other the second."""
    cards = state.view.card
    return [int(cards[p] < cards[1 - p]) for p in range(2)]


def test_agents_can_be_seated_by_the_roles_that_chance_deals(tmp_path):
    experiment = matches(agents={"first": "random"}, seats=teams(by_card), scales={"small": Scale(200)})
    table = run(experiment, "x", tmp_path / "x.sqlite").table
    assert table["first", "first"].low > 0  # who has the higher card wins more


def by_seat(state):
    return [0, 1, 1]


def test_a_role_of_several_seats_is_a_team_with_one_result(tmp_path):
    experiment = matches(
        games="dou_di_zhu",
        agents={"one": "random"},
        seats=teams(by_seat, subject=1),
        measure="wins",
        scales={"small": Scale(20)},
    )
    row = run(experiment, "x", tmp_path / "x.sqlite").table["one", "one"]
    assert row.runs == 20
    assert row.value == sum(json.loads(utility)[1] > 0 for *_, utility in found(tmp_path / "x.sqlite")) / 20 > 0


def tuned(**changes) -> Tuning:
    return Tuning(
        about="x", of=matches(agents=["rollouts(simulations={c})", "random"]), parameters={"c": [1]}, **changes
    )


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(fs.SpecError, match=r"has \{n\}, which is neither in the grid nor in the scale"):
        run(matches(agents=["mo-ismcts(simulations={n})", "random"]), "x", tmp_path / "x.sqlite")
    with pytest.raises(fs.SpecError, match="scales must name some of small, medium, paper"):
        matches(scales={"huge": Scale(1)})
    with pytest.raises(fs.SpecError, match=r"the scale small must be a Scale, such as Scale\(100\), not 5"):
        matches(scales={"small": 5})
    for wrong in (5, [Scale(1)]):
        with pytest.raises(fs.SpecError, match="scales must be a dictionary such as"):
            matches(scales=wrong)
    for budgets, told in (([], "budgets must have a number"), ([-3], "each budget must be a whole number")):
        with pytest.raises(fs.SpecError, match=told):
            Curves(about="x", games="kuhn", players="cfr", budgets=budgets, scales={"small": Scale(1)})
    with pytest.raises(
        fs.SpecError, match=r"the scale medium has bugdet, and no spec string has \{bugdet\}; did you mean bud"
    ):
        matches(agents=["rollouts(simulations={budget})"], scales={"medium": Scale(1, bugdet=5)})
    for wrong, told in ((matches, "has budgets, of which Matches has none"), (tuned, "has budgets, of which Tuning")):
        with pytest.raises(fs.SpecError, match=told):
            wrong(scales={"small": Scale(1, budgets=[5])})
    with pytest.raises(fs.SpecError, match="bounds must be two numbers, the smaller first"):
        matches(bounds=(1, 0))
    with pytest.raises(fs.SpecError, match="has deals, of which Curves has none"):
        Curves(about="x", games="kuhn", players="cfr", scales={"small": Scale(1, deals=5)})
    with pytest.raises(fs.SpecError, match=r"the scale small has d, and no spec string has \{d\}"):
        tuned(scales={"small": Scale(1, d=5)})
    with pytest.raises(fs.SpecError, match="agents has random twice: to tell them apart, give labels"):
        run(matches(agents=["random", "random"]), "x", tmp_path / "x.sqlite")
    with pytest.raises(fs.SpecError, match="the game has 2 seats, and there are only agents for 1: a"):
        run(matches(agents={"a": "random"}), "x", tmp_path / "x.sqlite")
    with pytest.raises(fs.SpecError, match="no agent 'c' to play against"):
        run(matches(seats=against("c")), "x", tmp_path / "x.sqlite")
    (tmp_path / "other.sqlite").write_text("no database at all, but a text")
    with pytest.raises(fs.FileError, match="cannot use .*other.sqlite for results"):
        run(matches(), "x", tmp_path / "other.sqlite")
    with sqlite3.connect(tmp_path / "theirs.sqlite") as base:
        base.execute("CREATE TABLE t (x)")
    with pytest.raises(fs.FileError, match="is a database of something else"):
        run(matches(), "x", tmp_path / "theirs.sqlite")
    with Store(tmp_path / "old.sqlite", create=True) as store:
        store.base.execute("ALTER TABLE experiment DROP COLUMN passed")
    for old in (lambda: run(matches(), "x", tmp_path / "old.sqlite"), lambda: Store(tmp_path / "old.sqlite")):
        with pytest.raises(fs.FileError, match="was written before Fogspiel noted which experiments passed"):
            old()


def test_the_command_line_runs_a_file_and_shows_its_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("short.py").write_text(SHORT.replace("10**6", "10").replace("mine.py", "kuhn.py"))
    Path("kuhn.py").write_text(FIRST)
    for arguments in (
        "run short.py --budget 1h",
        "results table short.sqlite --by agent,seat",
        "results plot short.sqlite x.svg --by agent,seat",
        "results report short.sqlite x.html --by agent,seat",
        "results report short.sqlite y.md --interval bootstrap",
        "results export short.sqlite x.csv",
        "results ratings short.sqlite",
    ):
        app(arguments.split(), standalone_mode=False)
    text = capsys.readouterr().out
    assert "20 of 20 runs are there; 20 of this time" in text
    assert text.count("kuhn.py  ") >= 3
    assert "random   +140" in text
    assert len(Path("x.csv").read_text().splitlines()) == 41
    assert "<title>short games</title>" in Path("x.html").read_text()
    assert "Intervals: over deals, or where all deals were played, over how each was." in Path("x.html").read_text()
    assert "![short games](y.svg)" in Path("y.md").read_text()
    assert "| agent random | " in Path("y.md").read_text()
    assert "Intervals: by the bootstrap over deals." in Path("y.md").read_text()
    assert "written to y.md\nwritten to y.svg\n" in text
    with pytest.raises(SystemExit):
        app(["results", "report", "short.sqlite", "x.md", "--json", "x.svg"])
    assert "two of the files to write are one" in capsys.readouterr().err
    with Results("short.sqlite") as results:
        assert len(results.view().rows) == 40
        answer = results.view().sql(
            "SELECT agent, count(*) AS n, sum(utility) AS u FROM results GROUP BY agent ORDER BY agent"
        )
        assert answer.n.tolist() == [20, 20]
        assert answer.u.sum() == 0
        with pytest.raises(fs.SpecError, match="this query asks for nothing"):
            results.view().sql("")


def test_a_picture_has_a_panel_for_what_it_cannot_tell_apart():
    rows = [
        Row((game, n, a, b), Estimate(n / 10, 0.0, 1.0), 4, 4)
        for game in ("kuhn", "leduc")
        for n in (1, 5)
        for a in "xy"
        for b in "xy"
    ]
    cross = Table(("game", "n", "seat 0", "seat 1"), "points", tuple(rows))
    panels = [axes.get_title() for axes in figure_of(cross, "all").axes if axes.images]
    assert panels == ["kuhn, n 1", "kuhn, n 5", "leduc, n 1", "leduc, n 5"]
    curves = figure_of(cross, "all", "curves").axes
    assert [axes.get_title() for axes in curves] == ["kuhn, x", "kuhn, y", "leduc, x", "leduc, y"]
    assert [line.get_label() for line in curves[0].lines] == ["x", "y"]
    assert [list(line.get_xdata()) for line in curves[0].lines] == [[1, 5], [1, 5]]
    many = Table(("a", "b"), "points", tuple(Row((str(i), f"b{i}"), Estimate(0, 0, 0), 1, 1) for i in range(30)))
    with pytest.raises(fs.SpecError, match="30 panels are too many to draw: choose columns with --by"):
        figure_of(many, "all")


def one(seed: int) -> dict[str, float]:
    return {"v": 1.0}


def test_results_are_found_by_the_name_of_the_variable_and_parts_are_told(tmp_path, capsys):
    store = tmp_path / "r.sqlite"
    for name in ("mine/M", "mine/N", "yours/N", "lisy-2014/E-06/convergence", "lisy-2014/E-06/matches"):
        run(Measurements(about="ones", function=one, measure="v", scales={"small": Scale(1)}), name, store)
    with Results(store) as results:
        assert results.view("M").declared.name == "mine/M"
        with pytest.raises(fs.SpecError, match="more than one experiment 'N': mine/N, yours/N"):
            results.view("N")
        with pytest.raises(fs.SpecError, match="'lisy-2014/E-06': lisy-2014/E-06/convergence, lisy-2014/E-06/matches"):
            results.view("lisy-2014/E-06")
        with pytest.raises(fs.SpecError, match="has no experiment 'mine/O'; did you mean mine/"):
            results.view("mine/O")
    app(["results", "table", str(store), "lisy-2014/E-06", "--json", str(tmp_path / "r.json")], standalone_mode=False)
    told = capsys.readouterr().out
    assert told.index("lisy-2014/E-06/convergence  ones") < told.index("lisy-2014/E-06/matches  ones")
    assert "also there: mine/M (small), mine/N (small), yours/N (small)\n" in told
    both = json.loads((tmp_path / "r.json").read_text())["results"]
    assert [one["experiment"] for one in both] == ["lisy-2014/E-06/convergence", "lisy-2014/E-06/matches"]
    with pytest.raises(SystemExit):
        app(["results", "plot", str(store), str(tmp_path / "x.svg"), "lisy-2014/E-06"])
    assert "lisy-2014/E-06/matches; choose one" in capsys.readouterr().err


def test_a_single_run_has_no_interval(tmp_path, capsys):
    run(Measurements(about="ones", function=one, measure="v", scales={"small": Scale(1)}), "x", tmp_path / "x.sqlite")
    app(["results", "table", str(tmp_path / "x.sqlite")], standalone_mode=False)
    app(["results", "report", str(tmp_path / "x.sqlite"), str(tmp_path / "x.md")], standalone_mode=False)
    assert [line.split() for line in capsys.readouterr().out.splitlines()][2:4] == [
        ["v", "95", "%", "runs"],
        ["1", "-", "1"],
    ]
    assert "| 1 | - | 1 |" in (tmp_path / "x.md").read_text()


JUDGED = """
from fogspiel.experiment import Measurements, Scale

def same(seed):
    return {"v": 1.0}

def ones(**judged):
    return Measurements(about="ones", function=same, measure="v", scales={"small": Scale(2)}, **judged)

def experiment(answer):
    return ones(criterion="v is 1", passes=lambda t: answer)

GOOD, BAD, OPEN = experiment(True), experiment(False), experiment(None)
FREE = ones()
"""


@pytest.mark.parametrize(
    ("name", "verdict", "status"),
    [("GOOD", "passed", 0), ("BAD", "failed", 1), ("OPEN", "undecided", 1), ("FREE", "", 0)],
)
def test_a_verdict_is_told_alike_by_run_and_results(tmp_path, monkeypatch, capsys, name, verdict, status):
    monkeypatch.chdir(tmp_path)
    Path("judged.py").write_text(JUDGED)
    assert (app(["run", "judged.py", name], standalone_mode=False) or 0) == status
    ran = capsys.readouterr().out.splitlines()
    app(["results", "table", "judged.sqlite"], standalone_mode=False)
    for lines in (ran, capsys.readouterr().out.splitlines()):
        assert [line for line in lines if "wanted" in line] == ([f"{verdict}; wanted: v is 1"] if verdict else [])


def test_curves_of_exploitability_are_logarithmic_and_candidates_are_not_joined():
    rows = [Row((10**k,), Estimate(0.1**k, -0.1, 0.2), 2, 2) for k in range(1, 4)]
    table = Table(("budget",), "nash_conv", tuple(rows))
    axes = figure_of(table, "").axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.lines[0].get_linestyle() == "-"
    assert figure_of(table, "", joined=False).axes[0].lines[0].get_linestyle() == "None"


def test_a_single_run_decides_nothing_unless_it_is_declared_deterministic(tmp_path):
    def asked(table):
        (row,) = table
        return [row.above(0), row.below(3), row.inside(0, 2), row.near(1), row.near(1, within=5), table.agrees()]

    single = Measurements(about="x", function=one, measure="v", printed={(): 1.0}, scales={"small": Scale(1)})
    assert asked(run(single, "x", tmp_path / "x.sqlite").table) == [None] * 6
    assert asked(run(replace(single, deterministic=True), "y", tmp_path / "x.sqlite").table) == [True] * 6
    several = replace(single, scales={"small": Scale(5)})
    assert asked(run(several, "z", tmp_path / "x.sqlite").table) == [None] * 6  # nobody knows what a sixth would be
    assert asked(run(replace(several, bounds=(0.0, 1.0)), "w", tmp_path / "x.sqlite").table)[1] is True


def test_every_deal_of_a_game_is_no_sample(tmp_path, capsys):
    """All six deals of Kuhn poker are as likely as each other."""
    run(matches(deals=EveryDeal(), seats=every_pair, scales={"small": Scale(5)}), "x", tmp_path / "x.sqlite")
    with Results(tmp_path / "x.sqlite") as results:
        table, rows = results.view().table(), results.view().rows
        drawn = results.view(where=["seat 0=a", "seat 1=b"]).table()
    values = [
        [row["utility"] for row in rows if (row["seat 0"], row["seat 1"], row["deal"]) == ("a", "b", d)]
        for d in range(6)
    ]
    assert table["a", "b"].value == pytest.approx(sum(map(sum, values)) / 30) == drawn["a", "b"].value
    within = sum(sum((x - sum(v) / 5) ** 2 for x in v) / 4 / 5 / 36 for v in values)
    assert 1.96 * within**0.5 < table["a", "b"].half < 2.6 * within**0.5
    app(["results", "compare", str(tmp_path / "x.sqlite"), "seat 1", "--where", "seat 0=a"], standalone_mode=False)
    assert f"{table['a', 'a'].value - table['a', 'b'].value:.4f}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        app(["results", "table", str(tmp_path / "x.sqlite"), "--interval", "student"])
    assert "interval must be" in capsys.readouterr().err


def test_the_time_left_does_not_count_what_comes_before_the_first_run_of_a_setting():
    rate, now = Rate(), 100.0
    rate.last = now
    assert rate.seconds_per_run is None
    for setting in (0, 1, 2):  # each compiles for ten seconds
        now += 10
        rate.heard(setting, now)
        assert rate.seconds_per_run == 10
        assert rate.known == (setting > 0)
    for count, setting in enumerate([0, 1, 2] * 4):
        now += 0.25
        rate.heard(setting, now)
        assert (rate.seconds_per_run, rate.known) == (0.25, count >= 7)


def which(seed: int) -> dict[str, float]:
    time.sleep(0.01)
    return {"pid": os.getpid()}


def test_experiments_that_are_given_one_pool_share_its_processes_which_end_with_it(tmp_path):
    experiment = Measurements(about="x", function=which, measure="pid", scales={"small": Scale(20)})
    with Execution(workers=2).with_pool() as shared:
        for name in "xy":
            assert run(experiment, name, tmp_path / f"{name}.sqlite", shared).played == 20
    pids = []
    for name in "xy":
        with Results(tmp_path / f"{name}.sqlite") as results:
            pids.append({row["pid"] for row in results.view().rows})
    assert len(pids[0] | pids[1]) <= 2
    assert os.getpid() not in pids[0]
    for pid in pids[0]:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"workers": 0}, "workers must be a whole number from 1"),
        ({"budget": 0}, "budget must be a number above 0, not 0"),
        ({"until": -1}, "until must be a number of at least 0, not -1"),
    ],
)
def test_an_execution_that_cannot_be_is_a_sentence(wrong, told):
    with pytest.raises(fs.SpecError, match=told):
        Execution(**wrong)
