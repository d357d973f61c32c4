"""Values or means passed on, in random games: fig. 2."""

from itertools import pairwise
from typing import Any

import numpy as np

from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.lisy_2013.measuring import MEANS, losses, player
from fogspiel.solve.response import form_of
from fogspiel.solve.run import solve

GAP = "RMM - RM"
SLACK = 0.05
"""By how much means may be ahead, of what is exploited with values: at first both are alike."""


def in_a_random_game(
    seed: int, selection: str, actions: int, depth: int, gamma: float, first: int, searches: int
) -> dict[str, list[Any]]:
    """One random game, searched several times with values passed on and with means: mean exploitability after `first` simulations,
    ten and a hundred times as many, and how much more it is with means."""
    form = form_of(f"random_game(actions={actions},depth={depth},utility=leaves,seed={seed % 10**9})")
    value, budgets = solve(form, "lp").value[0], [first, 10 * first, 100 * first]
    found = {
        name: np.mean([losses(form, value, player(selection, how, gamma), budgets, run) for run in range(searches)], axis=0)
        for name, how in MEANS.items()
    }  # fmt: skip
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


def both_fall_and_means_are_slower(table: Table) -> Answer:
    falling = every(
        after.below(before)
        for method in MEANS
        for curve in curves(table, method).values()
        for before, after in pairwise(curve)
    )
    values = curves(table, "RM")
    slower = every(
        row.above(-SLACK * value.value)
        for key, gap in curves(table, GAP).items()
        for row, value in zip(gap, values[key], strict=True)
    )
    return every([falling, slower])


def more_exploration_costs_more(table: Table) -> Answer:
    least, *_, most = table.values("gamma")
    more = (found[2, least][-1].below(found[2, most][-1]) for found in (curves(table, method) for method in MEANS))
    return every([both_fall_and_means_are_slower(table), *more])


def the_gap_grows_with_the_depth(table: Table) -> Answer:
    first, *_, last = curves(table, GAP).values()
    return every([both_fall_and_means_are_slower(table), first[-1].below(last[-1])])


SLOWER = "exploitability falls from each budget to the next, and is with means nowhere lower by more than 5%"


def random_games(where: str, selection: str, remarks: str) -> Item:
    """Fig. 2, with this selection function."""
    scales = {"small": Scale(20, searches=10), "medium": Scale(30, searches=30), "paper": Scale(100, searches=100)}
    told: dict[str, Any] = {"function": in_a_random_game, "measure": "exploitability", "scales": scales}
    return Item(
        where=where,
        about="regret matching with values or means passed on, random games",
        experiments={
            "branching": Measurements(
                about="two stages, exploitability of the first player",
                grid={"selection": [selection], "actions": [2, 3, 5], "depth": [2], "gamma": [0.05, 0.1, 0.2], "first": [10]},
                by=("actions", "gamma", "method", "simulations"),
                criterion=f"{SLOWER}, and with two actions more exploration ends higher", passes=more_exploration_costs_more, **told,
            ),
            "depth": Measurements(
                about="two actions, gamma 0.1, exploitability of the first player",
                grid={"selection": [selection], "actions": [2], "depth": [2, 3, 4], "gamma": [0.1], "first": [100]},
                by=("depth", "method", "simulations"),
                criterion=f"{SLOWER}, and more so with four stages than with two", passes=the_gap_grows_with_the_depth, **told,
            ),
        },
        remarks=remarks,
    )  # fmt: skip


FIG_2 = random_games(
    "fig. 2",
    "rm",
    "This fails by the five actions: there exploitability first rises, at the small scale from 0.20 to 0.28 or more after 100 simulations. "
    "After ten almost all nodes are still uniform; after a hundred each of 25 was visited some four times, and its frequencies are easy to "
    "exploit. With four stages means are behind by 0.018 in the mean over 20 games.",
)
