"""What the experiments with hidden information show together: sec. 4.3.5."""

import math
from dataclasses import replace

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Table
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.lisy_2014 import generic_poker, hidden_goofspiel
from fogspiel.reproduce.lisy_2014.imperfect import SELECTIONS, between, ends


def oos_first_rm_before_exp3(table: Table) -> bool:
    end = ends(table)
    return min(end, key=end.__getitem__) == "oos" and end["rm"] < end["exp3"]


def beliefs_help(table: Table) -> bool:
    end = ends(table)
    return all(end[f"{name}+beliefs"] < end[name] for name in SELECTIONS)


def oos_holds_its_own(table: Table) -> bool:
    return of_oos(table).high >= 50


def oos_is_beaten(table: Table) -> bool:
    return of_oos(table).high < 50


def of_oos(table: Table) -> Estimate:
    """What OOS wins against IS-MCTS, over both seats."""
    first, second = between(table, ["oos"], SELECTIONS), between(table, SELECTIONS, ["oos"])
    mean, half = (
        (first.value + 100 - second.value) / 2,
        math.hypot(first.high - first.value, second.high - second.value) / 2,
    )
    return Estimate(mean, mean - half, mean + half)


CONVERGED = "at the end oos is the lowest, and rm < exp3"
DISCUSSION = Item(
    where="sec. 4.3.5",
    about="what games with hidden information have in common",
    experiments={
        "goofspiel": replace(hidden_goofspiel.CONVERGENCE, criterion=CONVERGED, passes=oos_first_rm_before_exp3),
        "poker": replace(generic_poker.CONVERGENCE, criterion=CONVERGED, passes=oos_first_rm_before_exp3),
        "beliefs": replace(
            hidden_goofspiel.AGGREGATE,
            criterion="with the most simulations beliefs make every is-mcts less exploitable",
            passes=beliefs_help,
        ),
        "small game": replace(
            hidden_goofspiel.WITHOUT_BELIEFS,
            criterion="with 6 cards oos does not win less than half against is-mcts, over both seats and beyond the interval",
            passes=oos_holds_its_own,
        ),
        "large game": replace(
            hidden_goofspiel.LARGE_GAME,
            criterion="with 13 cards it does",
            passes=oos_is_beaten,
        ),
    },
    apart="the experiments of figs. 4.11 and 4.13, and tables 4.8 and 4.9",
)
