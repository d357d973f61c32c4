"""Tables of information sets begin small and grow; where memory is short, that is what is said."""

import subprocess
import sys

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.mccfr import table
from fogspiel.solvers.mccfr.solver import Sampling

resource = pytest.importorskip("resource")


def limited(megabytes, *words):
    """A command under a limit of address space."""
    limit = megabytes * 1_000_000
    return subprocess.run(
        [sys.executable, "-m", "fogspiel", *words],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes of its address space is told by Linux")
def test_a_small_game_is_solved_in_little_address_space():
    done = limited(600, "solve", "kuhn", "-a", "es-mccfr", "-n", "100")
    assert done.returncode == 0, done.stderr
    assert "12 in the table" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes of its address space is told by Linux")
def test_too_little_is_told_as_that():
    done = limited(200, "solve", "kuhn", "-a", "es-mccfr", "-n", "100")
    assert done.returncode == 2
    assert done.stderr.startswith("fogspiel: memory is short: this process may take 200 MB (ulimit -v)")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes of its address space is told by Linux")
def test_a_search_ahead_over_large_states_takes_a_share_of_what_is_left():
    """Those of this search are of 97 KiB each, one for each move of a line."""
    command = ["match", "tic_tac_toe", "ist-minimax(depth=2)", "random", "--games", "2", "--seed", "1"]
    done = limited(64_000, *command), limited(600, *command)  # the first compiles, for which 600 MB are too few
    assert [one.returncode for one in done] == [0, 0], done[1].stdout
    assert [one.stdout.count("forfeits") for one in done] == [0, 0], done[1].stdout


@pytest.mark.parametrize("algorithm", ["os-mccfr", "os-mccfr(words=64)", "os-mccfr(average=lazy)"])
def test_a_table_that_grows_learns_the_same(monkeypatch, algorithm):
    found = []
    for start in (1 << 20, 1 << 12):
        monkeypatch.setattr(table, "START", start)
        found.append(fs.solve("leduc", algorithm, iterations=2000, seed=3))
    assert found[0].strategy == found[1].strategy
    assert found[0].memory == found[1].memory
    assert found[1].memory["bytes"] > 2 * (1 << 12)


def test_threads_share_a_table_that_grows(monkeypatch):
    monkeypatch.setattr(table, "START", 1 << 12)
    found = fs.solve("leduc", "os-mccfr", iterations=30_000, threads=2)
    assert found.stopped == "iterations"
    assert 250 < found.memory["information sets"] <= 288


def test_a_checkpoint_is_taken_in_by_a_table_that_began_small(monkeypatch, tmp_path):
    file = tmp_path / "checkpoint"
    fs.solve("leduc", "es-mccfr", iterations=200, checkpoint=file)
    monkeypatch.setattr(table, "START", 1 << 12)
    on, whole = (
        fs.solve("leduc", "es-mccfr", iterations=300, resume=file),
        fs.solve("leduc", "es-mccfr", iterations=300),
    )
    assert on.iterations == 300
    assert len(on.strategy) == len(whole.strategy)


def test_a_strategy_that_is_given_fits_in_a_table_that_begins_small(monkeypatch):
    """Every set of the strategy is there: what it plays is what the response is to."""
    uniform = fs.solve("leduc", "cfr", iterations=1).strategy
    found = []
    for start in (1 << 20, 1 << 12):
        monkeypatch.setattr(table, "START", start)
        found.append(fs.restricted_response("leduc", uniform, 0, 1.0, "os-mccfr", iterations=2000))
    assert found[0].exploitation == found[1].exploitation


def test_a_table_that_cannot_grow_is_full(monkeypatch):
    made = table.Table._made
    monkeypatch.setattr(table, "START", 1 << 12)
    monkeypatch.setattr(table.Table, "_made", lambda self, room: made(self, room) if room <= 1 << 11 else None)
    found = fs.solve("leduc", "os-mccfr", iterations=30_000)
    assert found.stopped == "memory"
    assert np.all(found.strategy.prob >= 0)


def test_no_table_at_all_is_told(monkeypatch):
    monkeypatch.setattr(table.Table, "_made", lambda self, room: None)
    with pytest.raises(fs.TooLarge, match="memory is short.*ulimit -v"):
        fs.solve("leduc", "os-mccfr", iterations=1)


@pytest.mark.parametrize("each", [0.0, 0.02, 0.05])
def test_making_the_strategy_is_part_of_the_seconds(monkeypatch, each):
    """By a clock that counts: an iteration takes a second, and the strategy so much for each information set."""
    now = [0.0]
    for module in ("fogspiel.solvers.drive", "fogspiel.solvers.clock", "fogspiel.solvers.mccfr.solver"):
        monkeypatch.setattr(f"{module}.working_time", lambda: now[0])
    monkeypatch.setattr("fogspiel.solvers.mccfr.solver.FIRST_TRIED", 1 << 10)
    advance, answer = Sampling.advance, Sampling.answer

    def slow_advance(self, iterations):
        now[0] += iterations
        advance(self, iterations)

    def slow_answer(self):
        now[0] += each * self.table.nodes
        return answer(self)

    monkeypatch.setattr(Sampling, "advance", slow_advance)
    monkeypatch.setattr(Sampling, "answer", slow_answer)
    found = fs.solve("goofspiel(cards=7)", "os-mccfr", seconds=300, measure=False)
    assert found.stopped == "seconds"
    assert 200 < now[0] < 310
    assert (found.making > 20) == (each > 0)
