"""Unrolling, memory and start-up; and the machine."""

import os
import platform
import subprocess
import sys
import time
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fogspiel import __version__
from fogspiel.app.bench.measuring import FOGSPIEL, Bench
from fogspiel.app.peers import PEERS, Ours
from fogspiel.game.load import load
from fogspiel.solvers.response.response import form_of
from fogspiel.solvers.solver import Solver
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import unroll

UNROLLED = ("kuhn(players=6)", "goofspiel(cards=6)", "bluff(faces=6)")
LARGE = "goofspiel(cards=6)"


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        model = next(
            (line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")),
            model,
        )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "fogspiel": __version__,
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def unrolling(bench: Bench) -> None:
    for spec in UNROLLED:
        game = load(spec)
        size = unroll(game).size
        took = bench.seconds(f"unrolling {spec}", {FOGSPIEL: partial(unroll, game)})[FOGSPIEL]
        bench.row("unrolling", spec, "histories/s", size / took, histories=size)


def memory(bench: Bench) -> None:
    """What the arrays of a large solved game take, and how far the process grew at most while making them."""
    bench.say(f"memory of {LARGE}")
    _solve_briefly("goofspiel(cards=3)")  # so that compiled code is loaded before the growth is measured
    before = _peak()
    form, solver = _solve_briefly(LARGE)
    parts = {
        "tree": form.tree.bytes,
        "sequence form": form.bytes,
        "payoff table": form.payoffs.bytes,
        "solver": sum(getattr(solver, name).nbytes for name in solver.arrays),
    }
    parts["all of these"] = sum(parts.values())
    after = _peak()
    if before is not None and after is not None:
        parts["peak growth of the process"] = after - before
    for part, count in parts.items():
        sizes = {"part": part, "bytes": count, "bytes_per_infoset": count / form.tree.infosets}
        bench.row("memory", LARGE, "bytes/history", count / form.tree.size, **sizes)


def _solve_briefly(spec: str) -> tuple[SequenceForm, Solver]:
    ours = Ours(form_of(load(spec)))
    ours.advance(10)
    ours.nash_conv()
    return ours.form, ours.solver


def _peak() -> int | None:
    """The most memory that this process has had so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def start_up(bench: Bench) -> None:
    """Wall time of short commands, each in a process of its own, after one that is not counted."""
    command = "import sys; from fogspiel.app.cli import main; sys.argv = ['fogspiel', {}]; main()"
    imports = {name: f"import {', '.join(PEERS[name].modules)}" for name in bench.peers}
    for what, codes in {
        "import": {FOGSPIEL: "import fogspiel", **imports},
        "fogspiel --help": {FOGSPIEL: command.format("'--help'")},
        "fogspiel solve kuhn": {FOGSPIEL: command.format("'solve', 'kuhn'")},
    }.items():
        bench.say(f"start-up: {what}")
        times = {name: min([_wall(code) for _ in range(1 + bench.effort.rounds)][1:]) for name, code in codes.items()}
        bench.row("start-up", what, "s", times.pop(FOGSPIEL), times)


def _wall(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began
