"""Oshi-Zumo: fig. 4.7 and table 4.2."""

from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import each, ends, far_below, lowest, rising, row_of, sure
from fogspiel.reproduce.lisy_2014.searches import (
    SPEEDS,
    beats_random,
    convergence,
    cross_table,
    small_matches,
    standings,
)

LARGE = "oshi_zumo(coins=50)"
PRINTED = 90_000_000
"""Simulations where the curves end in print."""


def oos_first_exp3_last(table: Table) -> Answer:
    end = ends(table)
    oos, rm = (sure(row_of(table, name, PRINTED)) for name in ("oos", "rm"))
    return every([far_below(oos, rm), rising([end[name] for name in ("oos", "rm", "duct", "exp3")])])


def exp3_to_oos(table: Table) -> Answer:
    found = standings(table)
    return rising([found[name] for name in ("exp3", "duct", "rm", "oos")])


def rm_is_ahead(table: Table) -> Answer:
    ahead = each((table["rm", name] for name in ("oos", "duct", "exp3")), lambda row: row.above(60))
    return every([ahead, beats_random(table, 93)])


def duct_is_ahead(table: Table) -> Answer:
    ahead = each((table["duct", name] for name in ("oos", "exp3", "rm")), lambda row: row.above(60))
    return every([ahead, lowest("oos", standings(table)), beats_random(table, 93)])


FIG_4_7 = Item(
    where="fig. 4.7",
    about="Oshi-Zumo with 10 coins, convergence and matches",
    experiments={
        "convergence": convergence(
            "oshi_zumo", 1, 2_000_000, PRINTED, medium=(4, 3_000_000),
            printed={("oos", PRINTED): 0.41, ("rm", PRINTED): 1, ("duct", PRINTED): 1.5, ("exp3", PRINTED): 1.88},
            criterion="at the end oos < rm < duct < exp3, and after the printed 9 * 10^7 simulations oos is less than two thirds of rm", passes=oos_first_exp3_last,
        ),
        "matches": small_matches(
            "with half a second a move", "oshi_zumo", {"oos": 190_000, "rm": 160_000, "duct": 150_000, "exp3": 48_000},
            medium=(100, 25),
            criterion="against the other searches oos does best, then rm, duct and exp3", passes=exp3_to_oos,
        ),
    },
    apart=f"{SPEEDS}; in the graph 500 s are those of oos for all, and the speed of duct is not told",
    remarks=(
        "At the medium scale, after 3 * 10^6 simulations, OOS is at 1.53, RM at 1.76, DUCT at 1.88 and Exp3 at 1.93, "
        "in the printed order, but four runs cannot tell neighbours apart. In matches with a twenty-fifth of the "
        "printed simulations RM and OOS have 60% each against the others, DUCT 44 and Exp3 36, within 4."
    ),
    needs="paper",
)  # fmt: skip

RM_FIRST = "in the first seat rm wins more than 60% against every other search, and every search more than 93% against random play"
DUCT_FIRST = (
    "in the first seat duct wins more than 60% against every other search, and every search more than 93% against random play; over both "
    "seats oos is worst against the other searches"
)

TABLE_4_2 = Item(
    where="table 4.2",
    about="Oshi-Zumo with 50 coins, matches",
    experiments={
        "1 s": cross_table(
            "games played out at random, 1 s a move", LARGE, "oshi_zumo", 1,
            """
            oos    53.5 52.0 56.9 31.4 97.3
            duct   53.8 50.5 55.3 32.3 94.0
            exp3   47.3 45.1 48.9 26.0 94.2
            rm     73.1 67.8 75.5 48.1 99.0
            random  3.4  5.6  5.3  0.7 48.5
            """,
            (20, 0.03), (22, 0.2), criterion=RM_FIRST, passes=rm_is_ahead,
        ),
        "5 s": cross_table(
            "games played out at random, 5 s a move", LARGE, "oshi_zumo", 5,
            """
            oos    54.9 51.3 50.0 34.9 98.2
            duct   54.1 51.2 51.1 35.0 97.2
            exp3   53.5 46.9 50.6 31.6 97.9
            rm     72.0 64.5 69.2 51.5 99.9
            random  3.2  3.6  1.6  1.0 49.6
            """,
            (2, 0.03), (3, 0.05), criterion=RM_FIRST, passes=rm_is_ahead,
        ),
        "evaluation, 1 s": cross_table(
            "an evaluation function in place of playouts, 1 s a move", LARGE, "oshi_zumo+evaluation", 1,
            """
            oos    59.5 30.9 40.0 29.4 96.6
            duct   80.9 46.5 74.8 62.0 97.8
            exp3   63.9 25.2 52.7 43.7 96.2
            rm     80.5 43.2 56.9 48.7 99.2
            random  3.0  2.6  4.6  0.5 49.0
            """,
            (20, 0.03), (22, 0.2), criterion=DUCT_FIRST, passes=duct_is_ahead,
        ),
        "evaluation, 5 s": cross_table(
            "an evaluation function in place of playouts, 5 s a move", LARGE, "oshi_zumo+evaluation", 5,
            """
            oos    59.4 28.2 26.6 32.8 98.4
            duct   83.6 48.5 65.5 65.8 99.2
            exp3   77.7 32.5 48.4 64.8 99.3
            rm     77.5 32.1 35.6 44.5 99.2
            random  1.6  2.0  1.8  0.6 50.5
            """,
            (2, 0.03), (3, 0.05), criterion=DUCT_FIRST, passes=duct_is_ahead,
        ),
    },
    apart=SPEEDS,
    remarks=(
        "At the medium scale, with a fifth of the printed simulations and 22 games a cell, RM wins 77 to 100% in the first seat "
        "against the others where games are played out, as printed, and OOS, DUCT and RM 96 to 100% against random play, but "
        "Exp3 59%. With the evaluation function RM wins 82 to 96%, 91% from DUCT, which is first in print. With 5 s a move it "
        "plays 3 games a cell, which tell nothing."
    ),
    cause=Cause(
        "algorithm",
        "how moves are chosen in the end, and what a pair of moves that was never played counts as for RM, is not told. The formula of the evaluation is as printed, with coins counted in full, and the budget is not what "
        "differs: with all printed simulations RM won 18 of 24 games from DUCT, whatever such a pair counts as. Only where DUCT takes the most visited move, and RM does not leave exploration out of its strategy, came it to the "
        "printed share, 14.5 of 24; where games are played out DUCT would then win 21 of 24, where print has 32%. So no one way explains both tables. That Exp3 hardly beats random play is the budget.",
    ),
)  # fmt: skip
