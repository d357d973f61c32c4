"""Goofspiel with open bids: figs. 4.6 and table 4.1."""

from fogspiel.experiment import Curves, Scale
from fogspiel.experiment.tables import Table
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.lisy_2014.simultaneous import SEARCHES, SECONDS, SPEEDS, converging, cross_table, ends


def oos_first_duct_last(table: Table) -> bool:
    end = ends(table)
    return end["oos"] < end["rm"] < end["exp3"] < end["duct"] and end["duct"] > 0.3


def rm_beats_oos(table: Table) -> bool:
    return table["rm", "oos"].value > 55 and all(table[name, "random"].value > 60 for name in SEARCHES)


FIG_4_6 = Item(
    where="fig. 4.6",
    about="goofspiel with 5 open cards, convergence",
    experiments=Curves(
        about="exploitability by simulations",
        games="goofspiel(cards=5,bids=open)",
        players=converging(2.5, 400_000),
        scales={
            "small": Scale(2, budgets=(10_000, 100_000, 1_000_000)),
            "medium": Scale(5, budgets=(10_000, 100_000, 10**6, 10**7)),
            "paper": Scale(20, budgets=(10**4, 10**5, 10**6, 10**7, 6 * 10**7)),
        },
        criterion="at the end oos < rm < exp3 < duct, and duct stays above 0.3",
        passes=oos_first_duct_last,
    ),
    apart=SPEEDS,
)

TABLE_4_1 = Item(
    where="table 4.1",
    about="goofspiel with 13 open cards, matches",
    experiments=cross_table(
        "with 1 s a move, random playouts, and point cards in falling order",
        "goofspiel(cards=13,bids=open)",
        """
        oos    48.5 45.9 42.1 42.3 73.8
        duct   53.9 48.3 50.6 50.7 66.3
        exp3   57.5 48.3 51.4 42.9 66.3
        rm     57.8 49.0 56.1 50.0 66.2
        random 26.2 34.3 29.1 35.0 49.6
        """,
        criterion="rm wins more than 55% against oos, and every search more than 60% against random",
        passes=rm_beats_oos,
    ),
    apart=SECONDS,
)
