"""Players of the visibility-based pursuit (Lisý 2014, ch. 5): search on information-set trees against IS-MCTS with beliefs, and who is whose nemesis."""

from typing import Any

from fogspiel.app.cross_table import Cells, play_table
from fogspiel.app.verdict import Scale, Target, Verdict

PURSUERS, EVADERS = ("MM(URLA)", "SO(RLA)", "MO(h=50)"), ("MM(URLA)", "SO(NoSim)", "MO(h=40)")
FIGURE_5_5 = {
    "roads": ((80.9, 77.4, 78.9), (72.7, 53.2, 56.5), (78.6, 78.9, 108.1)),
    "maze": ((79.8, 69.2, 128.3), (47.0, 36.3, 34.4), (164.2, 146.6, 252.7)),
}
"""The mean size of where the evader may be: a line for each evader, a column for each pursuer."""
FIGURE_5_7 = {"RLA": 146.6, "RS": 352.9, "NoSim": 625.7, "Heavy": 600.6, "Random": 612.8}
SIMULATIONS = {
    "RLA": "evaluation=rla", "RS": "evaluation=rs", "NoSim": "evaluation=nosim", "Heavy": "playout=heavy,cut=60,evaluation=nosim",
    "Random": "playout=guide,cut=60,evaluation=nosim",
}  # fmt: skip
"""What SO does where it leaves its tree; 60 moves are 30 steps."""
ITERATIONS = {"RLA": 13892, "RS": 23788, "NoSim": 20394, "Heavy": 570, "Random": 5271}
"""What SO did in a second there."""
CONSTANT = "exploration=0.65"
"""The thesis's C = 2 for logarithms of sizes, of which the largest is about 3.1, on rewards scaled to [0, 1]."""
ROADS = "road_pursuit(objective=log_mean_size,abstraction=last_seen,steps=40)"
MAZE = "maze_pursuit(objective=log_mean_size,abstraction=last_seen)"


def size(utility: float) -> float:
    """The mean size, from the pursuers' utility."""
    return 10.0**-utility


def players(simulations: str, nodes: str, particles: int) -> dict[str, str]:
    """All players of fig. 5.5 by their names."""
    found = {"MM(URLA)": f"ist-minimax(evaluation=urla,{nodes})"}
    for name in ("RLA", "NoSim"):
        found[f"SO({name})"] = f"ist-mcts({SIMULATIONS[name]},{CONSTANT},{simulations})"
    for steps in (50, 40):
        found[f"MO(h={steps})"] = (
            f"is-mcts(selection=uct,{CONSTANT},playout=no_return,cut={2 * steps},evaluation=nosim,particles={particles},{simulations})"
        )
    return found


def nemeses(cells: Cells, seat: int) -> dict[str, float]:
    """What each player in a seat gets against whoever is worst for it; pursuers want a size to be small, the evader large."""
    found: dict[str, float] = {}
    for names, cell in cells.items():
        bad = max if seat == 0 else min
        found[names[seat]] = bad(found.get(names[seat], cell.mean), cell.mean)
    return found


def everyone(scale: Scale) -> Verdict:
    small = scale.name == "small"
    printed = {
        (pursuer, evader): FIGURE_5_5["roads" if small else "maze"][row][column]
        for row, evader in enumerate(EVADERS)
        for column, pursuer in enumerate(PURSUERS)
    }
    seated = players("simulations=300", "nodes=2000", 100) if small else players("seconds=1", "seconds=1", 2000)
    rows, cells = play_table([ROADS if small else MAZE], seated, printed, 10 if small else 100, size)
    hunters, prey = nemeses(cells, 0), nemeses(cells, 1)
    rows += [_worst("pursuer", name, found) for name, found in hunters.items()]
    rows += [_worst("evader", name, found) for name, found in prey.items()]
    passed = (
        max(hunters, key=lambda n: hunters[n]) == "MO(h=50)"
        and max(prey, key=lambda n: prey[n]) == "MO(h=40)"
        and min(prey, key=lambda n: prey[n]) == "SO(NoSim)"
    )
    return Verdict(rows, passed)


def _worst(side: str, name: str, found: float) -> dict[str, Any]:
    return {"game": "against its nemesis", "algorithm": f"{side} {name}", "first seat": found}


def simulation_methods(scale: Scale) -> Verdict:
    small = scale.name == "small"
    seated = {
        name: f"ist-mcts({how},{CONSTANT},{f'simulations={ITERATIONS[name] // 20}' if small else 'seconds=1'})"
        for name, how in SIMULATIONS.items()
    }
    evader = players("seconds=1", "nodes=1000", 2000)["MM(URLA)" if small else "MO(h=40)"]
    printed = {(name, "evader"): FIGURE_5_7[name] for name in SIMULATIONS}
    rows, cells = play_table(
        [ROADS if small else MAZE], seated | {"evader": evader}, printed, 40 if small else 100, size
    )
    found = {name: cell.mean for (name, _), cell in cells.items()}
    rest = min(found[name] for name in ("NoSim", "Heavy", "Random"))
    return Verdict(rows, found["RLA"] < found["RS"] < rest)


_APART = "its maps are printed as pictures, so these are others of the same size; all know where all start"
TARGETS: dict[str, Target] = {
    "L-16": Target(
        "visibility-based pursuit, everyone against everyone, the mean size of where the evader may be (fig. 5.5)",
        "against their nemeses MO is the best evader and the worst pursuer, and SO(NoSim) the worst evader", everyone, f"{_APART}; of its two maps, the maze",
    ),
    "L-17": Target(
        "visibility-based pursuit, what SO does where it leaves its tree (fig. 5.7); at the small scale with a twentieth of the iterations printed",
        "the evader may be on fewest squares with RLA, then with RS, then with NoSim, Heavy and Random", simulation_methods, _APART,
    ),
}  # fmt: skip
