"""Ctrl-C: what was found is kept, nothing is cut in half, and the program ends in good order."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import highspy
import numpy as np
import pytest

import fogspiel as fs
from fogspiel.experiment.store import Store
from fogspiel.solvers.cfr.variants import CFR

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as on POSIX")
MAIN = "from fogspiel.app.cli import main; main()"


@contextmanager
def started(folder: Path, arguments: list[str], sign: str, code: str = MAIN, **options) -> Iterator[subprocess.Popen]:
    """A command that runs in a process of its own, as soon as a line with `sign` has come on standard error."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    guard = threading.Timer(120, process.kill)
    guard.start()
    try:
        seen = []
        for line in process.stderr:
            seen.append(line)
            if sign in line:
                break
        else:
            pytest.fail(f"ended before it said {sign!r}: {''.join(seen)}")
        yield process
    finally:
        guard.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def end(process: subprocess.Popen) -> tuple[int, str, list[str]]:
    """Exit status, standard output, and what standard error said apart from progress."""
    out, err = process.communicate(timeout=60)
    return (
        process.returncode,
        out,
        [line for line in err.splitlines() if "it/s" not in line and not line.startswith("walking")],
    )


# solving


def test_ctrl_c_keeps_the_result_so_far(tmp_path):
    arguments = ["solve", "goofspiel(cards=5)", "--seconds", "600", "--save", "x.fog", "--json", "r.json"]
    with started(tmp_path, arguments, "it/s") as process:
        process.send_signal(signal.SIGINT)
        status, out, complaints = end(process)
    assert (status, complaints) == (130, [])
    assert "interrupted; this is the result so far" in out
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["stopped"] == "interrupted"
    assert result["iterations"] > 0
    measured = fs.nash_conv("goofspiel(cards=5)", fs.read(tmp_path / "x.fog"))
    assert measured == pytest.approx(result["nash_conv"], abs=1e-12)


def test_ctrl_c_tells_how_to_go_on_from_the_checkpoint(tmp_path):
    arguments = ["solve", "goofspiel(cards=4)", "-a", "cfr", "--seconds", "600", "--checkpoint", "my run.ck"]
    with started(tmp_path, arguments, "it/s") as process:
        process.send_signal(signal.SIGINT)
        status, out, complaints = end(process)
    assert (status, complaints) == (130, [])
    told = next(line for line in out.splitlines() if line.startswith("to go on"))
    words = shlex.split(told.removeprefix("to go on"))
    assert words[0] == "fogspiel"
    assert words[1:6] == [*arguments[:4], "--seconds"]
    assert words[-4:] == ["--checkpoint", "my run.ck", "--resume", "my run.ck"]


def test_ctrl_c_with_json_on_standard_output_leaves_nothing_else_there(tmp_path):
    # nothing is shown on the way, so a checkpoint tells that solving has begun
    code = f"import fogspiel.solvers.run as r; r.solve.__kwdefaults__['checkpoint_every'] = 0; {MAIN}"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "solve", "kuhn", "--seconds", "600", "--json", "-", "--checkpoint", "c.fog"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "c.fog").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    status, out, complaints = end(process)
    assert (status, complaints) == (130, [])
    assert json.loads(out)["stopped"] == "interrupted"


def test_ctrl_c_cuts_no_iteration_in_half(tmp_path):
    arguments = [
        "solve",
        "goofspiel(cards=4)",
        "--seconds",
        "600",
        "--checkpoint",
        "c.fog",
        "--save",
        "x.fog",
        "--json",
        "r.json",
    ]
    with started(tmp_path, arguments, "it/s") as process:
        time.sleep(0.05)  # into the next slice of iterations
        process.send_signal(signal.SIGINT)
        assert end(process)[0] == 130
    done = json.loads((tmp_path / "r.json").read_text())["iterations"]
    straight = fs.solve("goofspiel(cards=4)", iterations=done)
    assert np.array_equal(fs.read(tmp_path / "x.fog").prob, straight.strategy.prob)
    resumed = fs.solve("goofspiel(cards=4)", iterations=done + 100, resume=tmp_path / "c.fog")
    assert np.array_equal(resumed.strategy.prob, fs.solve("goofspiel(cards=4)", iterations=done + 100).strategy.prob)


def test_ctrl_c_twice_ends_in_good_order(tmp_path):
    with started(tmp_path, ["solve", "goofspiel(cards=5)", "--seconds", "600", "--save", "x.fog"], "it/s") as process:
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        status, out, complaints = end(process)
    assert status == 130
    # if the second comes when the solver has stopped, it ends the program
    assert complaints == ["fogspiel: interrupted"] or (complaints == [] and "this is the result so far" in out)
    assert [f.name for f in tmp_path.iterdir()] in ([], ["x.fog"])


@pytest.mark.parametrize("presses", [1, 2])
def test_an_interrupt_within_an_iteration_waits_for_its_end_unless_it_is_repeated(tmp_path, monkeypatch, presses):
    real, halves = CFR.advance, []

    def advance(self, iterations):
        if self.iterations >= 10:
            for _ in range(presses):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0)
            halves.append(iterations)
        real(self, iterations)

    monkeypatch.setattr(CFR, "advance", advance)
    result = fs.solve("kuhn", iterations=500, checkpoint=tmp_path / "c.fog")
    assert result.stopped == "interrupted"
    assert len(halves) == (presses == 1)
    assert 10 <= result.iterations < 500
    # a checkpoint is written only of whole iterations
    assert (tmp_path / "c.fog").exists() == (presses == 1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_raised_by_the_callback_ends_the_run(tmp_path):
    def callback(point):
        if point.iterations >= 20:
            raise KeyboardInterrupt

    result = fs.solve("kuhn", iterations=500, callback=callback, checkpoint=tmp_path / "c.fog")
    assert (result.stopped, result.iterations) == ("interrupted", 22)
    assert fs.solve("kuhn", iterations=0, resume=tmp_path / "c.fog").iterations == 22


def test_an_interrupt_after_the_last_iteration_is_not_lost():
    def callback(point):
        if point.iterations == 30:
            os.kill(os.getpid(), signal.SIGINT)

    assert fs.solve("kuhn", iterations=30, callback=callback).stopped == "interrupted"


def test_solving_beside_the_main_thread_leaves_signals_alone():
    found = []
    thread = threading.Thread(target=lambda: found.append(fs.solve("kuhn", iterations=20).iterations))
    thread.start()
    thread.join(60)
    assert found == [20]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_run_that_was_told_to_ignore_ctrl_c_ignores_it(tmp_path):
    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with started(tmp_path, ["solve", "kuhn", "--seconds", "2.5"], "it/s", preexec_fn=ignore) as process:
        process.send_signal(signal.SIGINT)
        status, out, complaints = end(process)
    assert (status, complaints) == (0, [])
    assert "stopped after the seconds asked for" in out


# before there is a result


def assert_interrupted(process: subprocess.Popen) -> None:
    assert end(process) == (130, "", ["fogspiel: interrupted"])


def test_ctrl_c_ends_the_unrolling_of_a_large_game(tmp_path):
    with started(tmp_path, ["solve", "goofspiel(cards=8)"], "walking") as process:
        process.send_signal(signal.SIGINT)
        assert_interrupted(process)


LP = f"""
import sys
import highspy
real = highspy.Highs.solve
def solve(self):
    print("started", file=sys.stderr, flush=True)
    return real(self)
highspy.Highs.solve = solve
{MAIN}
"""


@pytest.mark.parametrize("presses", [1, 3])
def test_ctrl_c_ends_a_linear_program(tmp_path, presses):
    arguments = ["solve", "bluff(faces=6)", "-a", "lp", "--save", "x.fog"]
    with started(tmp_path, arguments, "started", LP) as process:
        for _ in range(presses):
            time.sleep(0.05)
            process.send_signal(signal.SIGINT)
        assert_interrupted(process)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_linear_program_stops_rather_than_runs_to_its_end(monkeypatch):
    real, solvers = highspy.Highs.solve, []

    def solve(self):
        solvers.append(self)
        os.kill(os.getpid(), signal.SIGINT)
        return real(self)

    monkeypatch.setattr(highspy.Highs, "solve", solve)
    with pytest.raises(KeyboardInterrupt):
        fs.solve("bluff(faces=6)", "lp")
    assert solvers[0].getModelStatus() == highspy.HighsModelStatus.kInterrupt


COMPILING = f"""
import sys
import fogspiel.engine.compiler as c
real = c.compile_entries
def compile_entries(*given):
    print("started", file=sys.stderr, flush=True)
    return real(*given)
c.compile_entries = compile_entries
{MAIN}
"""


@pytest.mark.parametrize("delay", [0.0, 0.2, 0.4])
def test_ctrl_c_ends_a_compilation(tmp_path, delay):
    environment = os.environ | {"FOGSPIEL_CACHE": str(tmp_path / "cache")}
    with started(tmp_path, ["solve", "leduc", "--seconds", "600"], "started", COMPILING, env=environment) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        status, out, complaints = end(process)
    assert status == 130
    # had it come as far as solving, there would be a result
    assert complaints == ["started"] * (len(complaints) - 1) + ["fogspiel: interrupted"]
    assert out == ""


LOST = f"""
import ctypes, os, signal, time
from fogspiel.app import show
@ctypes.CFUNCTYPE(None)
def callback():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000):
        pass
class Fragile:
    def __del__(self):
        raise ValueError("half made")
def all_games():
    kept = Fragile()
    callback()
    time.sleep(60)
show.all_games = all_games
{MAIN}
"""


def test_ctrl_c_is_not_lost_within_a_callback_from_c(tmp_path):
    process = subprocess.run(
        [sys.executable, "-c", LOST, "games"], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "fogspiel: interrupted\n")


def test_ctrl_c_while_the_program_loads_is_one_sentence():
    code = "import sys\nimport builtins\nreal = builtins.__import__\n"
    code += "def load(name, *given, **named):\n    if name == 'fogspiel.app.cli':\n        raise KeyboardInterrupt\n"
    code += (
        "    return real(name, *given, **named)\nbuiltins.__import__ = load\nfrom fogspiel.__main__ import "
        "main\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "fogspiel: interrupted\n")


LONG = """
from fogspiel.experiment import Matches, Scale
SCALES = {"small": Scale(10**6)}
GAMES = Matches(about="long", games="kuhn", agents={"a": "random", "b": "random"}, measure="utility", scales=SCALES)
"""


def test_ctrl_c_ends_an_experiment_at_once_and_keeps_its_runs(tmp_path):
    (tmp_path / "long.py").write_text(LONG)
    with started(tmp_path, ["run", "long.py", "--workers", "2"], " left: ", start_new_session=True) as process:
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        status, out, complaints = end(process)
    assert time.monotonic() - pressed < 20  # all of it would take minutes
    assert (status, [line for line in complaints if " left: " not in line]) == (130, [])
    assert "interrupted; the same command goes on" in out
    with Store(tmp_path / "long.sqlite") as store:
        kept = store.base.execute("SELECT count(*) FROM result").fetchone()[0]
    assert f"{kept:,} of 2,000,000 runs are there" in out
    assert kept > 0


def test_the_package_runs_as_a_module():
    done = subprocess.run([sys.executable, "-m", "fogspiel", "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.startswith("fogspiel ")


# machine code that never returns

LOOP = """
import numpy as np
from fogspiel.game import OVER, About, mix

State = np.dtype([("turn", "i1")])

def about():
    return About(players=1, zero_sum=False)

def start(s):
    s.turn = 0

def actor(s):
    return OVER if s.turn == 2 else 0

def moves(s, out):
    out[0] = 1
    return 1

def play(s, move):
    s.turn += 1 + (s.turn == 1 and for_ever(s) == 7)

def for_ever(s):
    key = 0
    for _ in range(10000000):  # loops that never end are told of; these end in a year
        key = mix(key, long(key))
    return key

def long(key):
    for _ in range(10000000):
        key = mix(key, 1)
    return key

def payoff(s, out):
    out[0] = 0

def infoset(s, player):
    return s.turn
"""


def test_ctrl_c_ends_a_rule_that_does_not_return(tmp_path):
    code = f"""
import sys
import fogspiel.game.game as g
real = g.Game.begin
def begin(self, **before):
    print("started", file=sys.stderr, flush=True)
    return real(self, **before)
g.Game.begin = begin
{MAIN}
"""
    text = LOOP.replace("s.turn = 0", "s.turn = int(for_ever(s) == 7)")
    (tmp_path / "loop.py").write_text(text)
    with started(tmp_path, ["solve", "loop.py", "--unchecked"], "started", code) as process:
        process.send_signal(signal.SIGINT)
        assert_interrupted(process)


def test_where_a_result_is_at_stake_a_second_ctrl_c_ends_a_rule_that_does_not_return(tmp_path):
    code = f"""
import sys
import fogspiel.solvers.drive as r
real = r.Drive._advance
def advance(self, *given):
    print("started", file=sys.stderr, flush=True)
    return real(self, *given)
r.Drive._advance = advance
{MAIN}
"""
    (tmp_path / "loop.py").write_text(LOOP)
    arguments = ["solve", "loop.py", "--unchecked", "-a", "os-mccfr", "--no-measure"]
    with started(tmp_path, arguments, "started", code) as process:
        time.sleep(0.5)  # into the step
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
        status, out, complaints = end(process)
    assert (status, out) == (130, "")
    waiting = "fogspiel: the step under way has not ended yet; Ctrl-C again ends the program without a result"
    # a first one that comes before the step begins is heard, and says nothing
    assert complaints in ([waiting, "fogspiel: interrupted"], ["fogspiel: interrupted"])
