"""What chapter 7 wishes for: the bounds of HSVI for the endless game behind each bounded one, between the values of
bounded games."""

from typing import Any

from fogspiel.experiment import Measurements, Scale, every
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.load import load, varied
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.judging import at_most
from fogspiel.reproduce.vesely_2024 import patrol, pursuit, search
from fogspiel.reproduce.vesely_2024.bounded import CONFIGURATIONS
from fogspiel.solvers.run import solve

BOUNDS = ("V", "HSVI, lower", "HSVI, upper", "RN")
EXACT = 1e-4
"""What bounds and values may be off, where payoffs are 100."""
HUGE = "W3_H3_L8_01_11_21"
"""Its endless game has more than eight million states."""
SMALL = [*pursuit.SCALES["small"], *search.SCALES["small"], *patrol.SCALES["small"]]
MEDIUM = [*pursuit.SCALES["medium"], *search.SCALES["medium"], *patrol.SCALES["medium"]]


def bounds_of_endless(seed: int, game: str, seconds: float) -> dict[str, list[Any]]:
    """Bounds of what the endless game is worth to player 0, both by the same run of HSVI, and the exact values of the
    bounded games with V and RN."""
    spec, discount = CONFIGURATIONS[game], 0.95 if "_P" in game else 0.9

    def bounded(horizon: str) -> float:
        return solve(
            varied(load(spec), discount=discount, horizon=horizon, horizon_discount=discount), "lp-one-sided"
        ).value[0]

    found = solve(
        varied(load(spec), discount=discount, rounds=1).spec, "hsvi", until="nash_conv=0.1", seconds=seconds
    ).bounds
    assert found is not None
    return {"bound": [*BOUNDS], "value": [bounded("v"), *found, bounded("rn")]}


def _enclosed(table: Table) -> Answer:
    found: dict[str, dict[str, Row]] = {}
    for row in table:
        found.setdefault(row.key[0], {})[row.key[1]] = row
    return every(
        at_most(rows[one], rows[other], EXACT) if one in rows and other in rows else None
        for rows in found.values()
        for one, other in (("V", "HSVI, upper"), ("HSVI, lower", "HSVI, upper"), ("HSVI, lower", "RN"))
    )


HSVI = Item(
    where="ch. 7",
    about=(
        "the endless games behind tables 6.1 to 6.10: the bounds of HSVI, and exact values of bounded games on "
        "both sides"
    ),
    experiments=Measurements(
        about=(
            "bounds of what the endless game is worth to player 0: by HSVI, and the exact values of bounded games "
            "with V and RN"
        ),
        function=bounds_of_endless,
        measure="value",
        by=("game", "bound"),
        deterministic=True,
        scales={
            "small": Scale(1, game=SMALL, seconds=10),
            "medium": Scale(1, game=MEDIUM, seconds=60),
            "paper": Scale(1, game=[name for name in CONFIGURATIONS if name != HUGE], seconds=600),
        },
        criterion="the game with V is worth no more than the upper bound, and that with RN no less than the lower one",
        passes=_enclosed,
    ),
    apart="not in the source, whose bounded games are not discounted: here they are, by 0.95 in pursuit and 0.9 "
    "elsewhere, before the horizon as beyond it; "
    f"without {HUGE}, whose endless game has more than eight million states",
    remarks=(
        "HSVI stops at a gap of 0.1, or when its time is over (10 s at the small scale, 60 s at the medium one, 600 "
        "s at `paper`). V and RN come nearer to it with more rounds; what "
        "strategies lose is told by `bounds`."
    ),
)
