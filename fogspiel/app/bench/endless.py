"""Endless games: bounds of a one-sided POSG, and value iteration."""

from pathlib import Path

from fogspiel.app.bench.measuring import FOGSPIEL, Bench
from fogspiel.game.horizon import endless_states
from fogspiel.game.load import load
from fogspiel.game.shapley import state_values
from fogspiel.interop.osposg import read_osposg
from fogspiel.solvers.posg.controllers import Controllers
from fogspiel.solvers.result import Result
from fogspiel.solvers.run import solve

PURSUIT = Path(__file__).parents[3] / "tests" / "data" / "peg03.osposg.gz"
GAP, PUBLISHED, ALLOWED = 1.0, "HSVIforOSPOSGs.jl", 60.0
"""A one-sided POSG, the gap to which it is solved, and the seconds that the test of a published solver (GLPK) allows
for that."""
ENDLESS = "blind_pursuit(width=5,height=6)"


def bounds(bench: Bench) -> None:
    """Heuristic search value iteration, from the file to a gap between the bounds."""
    what = f"time to a gap of {GAP:g}"
    if not PURSUIT.is_file():
        bench.notes.append(f"{what}: {PURSUIT.name} is in the repository alone, so it is left out")
        return
    found: list[Result[Controllers]] = []
    work = lambda: found.append(solve(read_osposg(PURSUIT), "hsvi", until=f"nash_conv={GAP}"))  # noqa: E731
    took = bench.seconds(f"hsvi on {PURSUIT.name}", {FOGSPIEL: work})[FOGSPIEL]
    low, high = found[0].bounds or (0.0, 0.0)
    note = f"{found[0].iterations} trials, {low:.2f} to {high:.2f}; {PUBLISHED}: what its own test allows (GLPK)"
    bench.row(what, "peg03", "s", took, {PUBLISHED: ALLOWED}, note=note, extrapolated=[PUBLISHED])


def values(bench: Bench) -> None:
    """Value iteration on the states of an endless game in which both players see everything."""
    states = endless_states(load(ENDLESS))
    took = bench.seconds(f"value iteration on {ENDLESS}", {FOGSPIEL: lambda: state_values(states, 0.9)})[FOGSPIEL]
    bench.row(
        "value iteration", ENDLESS, "s", took, note=f"{states.count:,} states, each a matrix game, right to a millionth"
    )
