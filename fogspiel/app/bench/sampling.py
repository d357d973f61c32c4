"""Monte Carlo CFR: external and outcome sampling, and what a second thread brings."""

import time
from collections.abc import Callable
from typing import Any

from fogspiel.app.bench.duels import goofspiel
from fogspiel.app.bench.measuring import FOGSPIEL, Bench, enough
from fogspiel.app.peers import samplings
from fogspiel.game.load import load
from fogspiel.solvers.mccfr.solver import Sampling
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.solver import Task

SAMPLED = (
    ("Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)"),
    ("goofspiel 4", "goofspiel(cards=4)", goofspiel(4)),
    ("goofspiel 5", "goofspiel(cards=5)", goofspiel(5)),
    ("phantom tic-tac-toe", "phantom_tic_tac_toe", "phantom_ttt"),
)
SAMPLERS = {"external sampling": "es-mccfr", "outcome sampling": "os-mccfr"}
SHARED = ("es-mccfr", "bluff(faces=6)")
"""What two threads do together."""


def sampling(bench: Bench) -> None:
    """Iterations of Monte Carlo CFR: a traversal for each player. Then the table's bytes, and what a second thread
    brings."""
    for name, spec, openspiel in SAMPLED:
        for what, algorithm in SAMPLERS.items():
            solver = _sampler(spec, algorithm)
            works: dict[str, Callable[[int], Any]] = {FOGSPIEL: solver.advance}
            if "OpenSpiel" in bench.peers:
                works["OpenSpiel"] = samplings(openspiel, algorithm)
            rates = bench.rates(f"{what} on {name}", works)
            sizes = {"infosets": solver.table.nodes, "bytes_per_infoset": solver.table.bytes / solver.table.nodes}
            bench.row(what, name, "iterations/s", rates.pop(FOGSPIEL), rates, **sizes)
    algorithm, spec = SHARED
    speeds = {}
    for threads in (1, 2):
        bench.say(f"{algorithm} on {spec} with {threads} threads")
        solver = _sampler(spec, algorithm, threads)
        solver.advance(1)
        count = enough(solver.advance, bench.effort.seconds)
        times = []
        for _ in range(bench.effort.rounds):
            began = time.perf_counter()
            solver.advance(count)
            times.append(time.perf_counter() - began)
        speeds[threads] = count / min(times)
        bench.row(
            "threads that share a table, wall time", f"{algorithm}, {spec}, {threads}", "iterations/s", speeds[threads]
        )
    bench.notes.append(f"two threads do {speeds[2] / speeds[1]:.2f} times the iterations of one, in wall time")


def _sampler(spec: str, algorithm: str, threads: int = 1) -> Sampling:
    _, entry, values = read_solver(algorithm)
    solver = entry.make(Task(load(spec), seed=1, threads=threads), values)
    assert isinstance(solver, Sampling)
    return solver
