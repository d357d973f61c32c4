"""What the experiments with hidden information show together: sec. 4.3.5."""

from dataclasses import replace

from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import at_most, between, both_seats, ends, less, lowest, pooled, rises_somewhere
from fogspiel.reproduce.lisy_2014 import generic_poker, hidden_goofspiel, phantom
from fogspiel.reproduce.lisy_2014.imperfect import SELECTIONS


def oos_first_rm_before_exp3(table: Table) -> Answer:
    end = ends(table)
    order = [lowest("oos", end), less(end["rm"], end["exp3"])]
    return every([*order, rises_somewhere(table, "uct"), rises_somewhere(table, "ruct")])


def beliefs_help(table: Table) -> Answer:
    end = ends(table)
    return every(less(end[f"{name}+beliefs"], end[name]) for name in SELECTIONS)


def oos_holds_its_own(table: Table) -> Answer:
    return at_most(50, of_oos(table), MARGIN)


def oos_is_beaten(table: Table) -> Answer:
    return of_oos(table).below(50 - MARGIN)


def oos_loses_chips(table: Table) -> Answer:
    """What it wins in the first seat less what others win there against it."""
    return less(between(table, ["oos"], SELECTIONS), between(table, SELECTIONS, ["oos"]))


def of_oos(table: Table) -> Row:
    """What OOS wins against IS-MCTS, over both seats."""
    return pooled(both_seats(table, "oos", name) for name in SELECTIONS)


MARGIN = 4
CONVERGED = "at the end oos is the lowest, and rm < exp3, and uct and ruct rise somewhere"
DISCUSSION = Item(
    where="sec. 4.3.5",
    about="what games with hidden information have in common",
    experiments={
        "goofspiel": replace(hidden_goofspiel.CONVERGENCE, criterion=CONVERGED, passes=oos_first_rm_before_exp3),
        "poker": replace(generic_poker.CONVERGENCE, criterion=CONVERGED, passes=oos_first_rm_before_exp3),
        "phantom game": replace(phantom.CONVERGENCE, criterion=CONVERGED, passes=oos_first_rm_before_exp3),
        "beliefs": replace(
            hidden_goofspiel.AGGREGATE,
            criterion="with the most simulations beliefs make every is-mcts less exploitable",
            passes=beliefs_help,
        ),
        "small game": replace(
            hidden_goofspiel.WITHOUT_BELIEFS,
            criterion="with 6 cards oos wins no less than half against is-mcts, by more than 4 points, over both seats",
            passes=oos_holds_its_own,
        ),
        "large game": replace(
            hidden_goofspiel.LARGE_GAME,
            criterion="with 13 cards it wins less than half by more than that",
            passes=oos_is_beaten,
        ),
        "large poker": replace(
            generic_poker.LARGE_GAME,
            criterion="in large poker oos wins less against is-mcts than that against it, each in the first seat",
            passes=oos_loses_chips,
        ),
    },
    kept_with={
        "goofspiel": ("E-13", "root"),
        "poker": ("E-16", "root"),
        "phantom game": ("E-20", ""),
        "beliefs": ("E-13", "aggregate"),
        "small game": ("E-14", "1 s"),
        "large game": ("E-15", "without beliefs"),
        "large poker": ("E-19", "without beliefs"),
    },
    apart="the experiments of figs. 4.11, 4.13 and 4.15, and tables 4.8, 4.9 and 4.11",
    remarks=(
        "At the medium scale poker, beliefs and the large game are as printed, beyond the intervals. It fails by the "
        "phantom game, where UCT and RUCT have not turned yet after 10^7 simulations."
    ),
    cause=Cause(
        "rules", "the phantom game is another (E-20), and the scale ends where the UCTs began to turn in print."
    ),
)
