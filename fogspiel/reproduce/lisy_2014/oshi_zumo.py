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
            "oshi_zumo",
            1,
            2_000_000,
            PRINTED,
            medium=(4, 3_000_000),
            printed={("oos", PRINTED): 0.41, ("rm", PRINTED): 1, ("duct", PRINTED): 1.5, ("exp3", PRINTED): 1.88},
            criterion=(
                "at the end oos < rm < duct < exp3, and after the printed 9 * 10^7 simulations oos is less "
                "than two thirds of rm"
            ),
            passes=oos_first_exp3_last,
        ),
        "matches": small_matches(
            "with half a second a move",
            "oshi_zumo",
            {"oos": 190_000, "rm": 160_000, "duct": 150_000, "exp3": 48_000},
            medium=(100, 25),
            criterion="against the other searches oos does best, then rm, duct and exp3",
            passes=exp3_to_oos,
        ),
    },
    apart=f"{SPEEDS}; in the graph 500 s are those of oos for all, and the speed of duct is not told",
    remarks=(
        "At the medium scale, after 3 * 10^6 simulations, OOS is at 1.53, RM at 1.76, DUCT at 1.88 and Exp3 at 1.93, "
        "in the printed order, but four runs cannot tell neighbours apart. In matches with a twenty-fifth of the "
        "printed simulations RM and OOS have 60% each against the others, DUCT 44 and Exp3 36, within 4."
    ),
    needs="paper",
)

RM_FIRST = (
    "in the first seat rm wins more than 60% against every other search, and every search more than 93% "
    "against random play"
)
DUCT_FIRST = (
    "in the first seat duct wins more than 60% against every other search, and every search more than 93% against "
    "random play; over both seats oos is worst against the other searches"
)

TABLE_4_2 = Item(
    where="table 4.2",
    about="Oshi-Zumo with 50 coins, matches",
    experiments={
        "1 s": cross_table(
            "games played out at random, 1 s a move",
            LARGE,
            "oshi_zumo",
            1,
            """
            oos    53.5 (3.0) 52.0 (2.1) 56.9 (2.0) 31.4 (1.9) 97.3 (0.7)
            duct   53.8 (2.1) 50.5 (3.0) 55.3 (2.1) 32.3 (1.9) 94.0 (1.0)
            exp3   47.3 (2.1) 45.1 (2.1) 48.9 (3.0) 26.0 (1.8) 94.2 (0.9)
            rm     73.1 (1.8) 67.8 (n/a) 75.5 (1.8) 48.1 (3.0) 99.0 (0.4)
            random  3.4 (0.7)  5.6 (1.0)  5.3 (0.9)  0.7 (0.3) 48.5 (2.9)
            """,
            (20, 0.03),
            (22, 0.2),
            criterion=RM_FIRST,
            passes=rm_is_ahead,
        ),
        "5 s": cross_table(
            "games played out at random, 5 s a move",
            LARGE,
            "oshi_zumo",
            5,
            """
            oos    54.9 (2.9) 51.3 (3.0) 50.0 (3.0) 34.9 (2.8) 98.2 (0.8)
            duct   54.1 (3.0) 51.2 (3.0) 51.1 (3.0) 35.0 (2.8) 97.2 (1.0)
            exp3   53.5 (3.0) 46.9 (3.0) 50.6 (2.9) 31.6 (2.8) 97.9 (0.9)
            rm     72.0 (2.6) 64.5 (2.9) 69.2 (2.7) 51.5 (2.9) 99.9 (0.1)
            random  3.2 (1.1)  3.6 (1.1)  1.6 (0.8)  1.0 (0.6) 49.6 (2.9)
            """,
            (2, 0.03),
            (3, 0.05),
            criterion=RM_FIRST,
            passes=rm_is_ahead,
        ),
        "evaluation, 1 s": cross_table(
            "an evaluation function in place of playouts, 1 s a move",
            LARGE,
            "oshi_zumo+evaluation",
            1,
            """
            oos    59.5 (2.9) 30.9 (2.8) 40.0 (3.0) 29.4 (2.7) 96.6 (1.1)
            duct   80.9 (2.4) 46.5 (3.0) 74.8 (2.6) 62.0 (3.0) 97.8 (0.9)
            exp3   63.9 (2.9) 25.2 (2.6) 52.7 (3.0) 43.7 (3.0) 96.2 (1.2)
            rm     80.5 (2.4) 43.2 (3.0) 56.9 (3.0) 48.7 (3.0) 99.2 (0.5)
            random  3.0 (1.0)  2.6 (1.0)  4.6 (1.2)  0.5 (0.4) 49.0 (2.9)
            """,
            (20, 0.03),
            (22, 0.2),
            criterion=DUCT_FIRST,
            passes=duct_is_ahead,
        ),
        "evaluation, 5 s": cross_table(
            "an evaluation function in place of playouts, 5 s a move",
            LARGE,
            "oshi_zumo+evaluation",
            5,
            """
            oos    59.4 (3.0) 28.2 (2.7) 26.6 (2.7) 32.8 (2.8) 98.4 (0.8)
            duct   83.6 (2.3) 48.5 (3.0) 65.5 (2.9) 65.8 (2.9) 99.2 (0.6)
            exp3   77.7 (2.5) 32.5 (2.8) 48.4 (3.0) 64.8 (2.9) 99.3 (0.5)
            rm     77.5 (2.5) 32.1 (2.8) 35.6 (2.9) 44.5 (3.0) 99.2 (0.5)
            random  1.6 (0.8)  2.0 (0.9)  1.8 (0.8)  0.6 (0.4) 50.5 (2.9)
            """,
            (2, 0.03),
            (3, 0.05),
            criterion=DUCT_FIRST,
            passes=duct_is_ahead,
        ),
    },
    apart=SPEEDS,
    remarks=(
        "At the medium scale, with a fifth of the printed simulations and 22 games a cell, RM wins 77 to 100% in the "
        "first seat against the others where games are played out, as printed, and OOS, DUCT and RM 96 to 100% "
        "against random play, but Exp3 59%. With the evaluation function RM wins 82 to 96%, 91% from DUCT, which is "
        "first in print. With 5 s a move it plays 3 games a cell, which tell nothing."
    ),
    cause=Cause(
        "algorithm",
        "how moves are chosen in the end, and what a pair of moves that was never played counts as for RM, is not "
        "told. The formula of the evaluation is as printed, with coins counted in full, and the budget is not what "
        "differs: with all printed simulations RM won 18 of 24 games from DUCT, whatever such a pair counts as. Only "
        "where DUCT takes the most visited move, and RM does not leave exploration out of its strategy, came it to the "
        "printed share, 14.5 of 24; where games are played out DUCT would then win 21 of 24, where print has 32%. So "
        "no one way explains both tables. That Exp3 hardly beats random play is the budget.",
    ),
)
