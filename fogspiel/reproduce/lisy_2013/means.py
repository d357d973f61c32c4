"""Values or means passed on, in random games: fig. 2."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import at_most, combined, less, rising
from fogspiel.reproduce.lisy_2013.measuring import MEANS, losses, player
from fogspiel.solvers.response.response import form_of
from fogspiel.solvers.run import solve

GAP = "RMM - RM"
MARGIN = 0.05
"""Up to such a share of what is exploited with values both are alike."""


def in_a_random_game(
    seed: int, selection: str, actions: int, depth: int, gamma: float, first: int, searches: int
) -> dict[str, list[Any]]:
    """One random game, searched several times with values passed on and with means: mean exploitability after `first`
    simulations, ten and a hundred times as many, and how much more it is with means."""
    form = form_of(f"random_game(actions={actions},depth={depth},utility=leaves,seed={seed % 10**9})")
    value, budgets = solve(form, "lp").value[0], [first, 10 * first, 100 * first]
    found = {
        name: np.mean(
            [losses(form, value, player(selection, how, gamma), budgets, run) for run in range(searches)], axis=0
        )
        for name, how in MEANS.items()
    }
    found[GAP] = found["RMM"] - found["RM"]
    return {
        "method": [name for name in found for _ in budgets],
        "simulations": budgets * len(found),
        "exploitability": [float(x) for curve in found.values() for x in curve],
    }


def curves(table: Table, method: str) -> dict[tuple[Any, ...], list[Row]]:
    """The rows of a method, by what is varied, each along the simulations."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in table:
        if row.key[-2] == method:
            found.setdefault(row.key[:-2], []).append(row)
    return found


def fall_at_every_step(curve: list[Row]) -> Answer:
    return every(less(after, before) for before, after in pairwise(curve))


def fall_and_flatten(curve: list[Row]) -> Answer:
    """The last is below the first, and less was gained in the last step than in the one before."""
    *_, before, middle, last = curve
    return every([less(last, curve[0]), combined((1, before), (-2, middle), (1, last)).above(0)])


@dataclass(frozen=True)
class Claims:
    """What a document claims of all curves, in words: that they `fall` so, and that means are no lower, but for the
    first `skipped` budgets."""

    fall: Callable[[list[Row]], Answer]
    skipped: int
    words: str

    def hold(self, table: Table) -> Answer:
        found = {method: curves(table, method) for method in (*MEANS, GAP)}
        falling = (self.fall(curve) for method in MEANS for curve in found[method].values())
        slower = (
            at_most(-MARGIN * value.value, row)
            for key, gap in found[GAP].items()
            for row, value in list(zip(gap, found["RM"][key], strict=True))[self.skipped :]
        )
        return every([*falling, *slower])

    def and_more_exploration_ends_higher(self, table: Table) -> Answer:
        found = [curves(table, method) for method in MEANS]
        floors = (
            rising([one[actions, gamma][-1] for gamma in table.values("gamma")])
            for one in found
            for actions in table.values("actions")
        )
        return every([self.hold(table), *floors])

    def and_the_gap_grows_with_the_depth(self, table: Table) -> Answer:
        first, *_, last = curves(table, GAP).values()
        return every([self.hold(table), less(first[-1], last[-1])])


STEP_BY_STEP = Claims(
    fall_at_every_step,
    1,
    "exploitability falls from each budget to the next, and after the first is with means nowhere lower by more than "
    "5%",
)
FLATTENING = Claims(
    fall_and_flatten,
    0,
    (
        "exploitability ends lower than it begins, falls by less in the last step than in the one before, and is with "
        "means nowhere lower by more than 5%"
    ),
)


def random_games(where: str, selection: str, claims: Claims, remarks: str, cause: Cause) -> Item:
    """Fig. 2, with this selection function."""
    scales = {"small": Scale(20, searches=10), "medium": Scale(30, searches=30), "paper": Scale(100, searches=100)}
    told: dict[str, Any] = {"function": in_a_random_game, "measure": "exploitability", "scales": scales}
    return Item(
        where=where,
        about="regret matching with values or means passed on, random games",
        experiments={
            "branching": Measurements(
                about="two stages, exploitability of the first player",
                grid={
                    "selection": [selection],
                    "actions": [2, 3, 5],
                    "depth": [2],
                    "gamma": [0.05, 0.1, 0.2],
                    "first": [10],
                },
                by=("actions", "gamma", "method", "simulations"),
                criterion=f"{claims.words}, and the more exploration the higher it ends",
                passes=claims.and_more_exploration_ends_higher,
                **told,
            ),
            "depth": Measurements(
                about="two actions, gamma 0.1, exploitability of the first player",
                grid={"selection": [selection], "actions": [2], "depth": [2, 3, 4], "gamma": [0.1], "first": [100]},
                by=("depth", "method", "simulations"),
                criterion=f"{claims.words}, and with means ends more behind with four stages than with two",
                passes=claims.and_the_gap_grows_with_the_depth,
                **told,
            ),
        },
        remarks=remarks,
        cause=cause,
    )


FIG_2 = random_games(
    "fig. 2",
    "rm",
    STEP_BY_STEP,
    "At the medium scale it fails with three and five actions: with five exploitability first rises, from 0.20 to "
    "0.29 after 100 simulations. After ten almost all nodes are still "
    "uniform; after a hundred each of 25 was visited some four times, and its frequencies are easy to exploit. And "
    "after a thousand it is the lower, the more is explored, with three (0.084, 0.066 and 0.059) and five actions: "
    "none has come to its floor. With four stages means are behind by 0.017 after 10^4 simulations, with two by "
    "0.0004, as printed.",
    Cause(
        "budget",
        "where the printed curves end is not told; the last number on their axis is 1000. After 10^5 simulations of "
        "8 such games, 3 times each, it is in order: with three actions exploitability is 0.009, 0.016 and 0.038 "
        "for gamma = 0.05, 0.1 and 0.2, with five 0.018, 0.019 and 0.035, and from 100 on it falls at every step.",
    ),
)
