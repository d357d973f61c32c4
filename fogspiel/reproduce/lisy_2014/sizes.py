"""How large information sets are: figs. 4.1 and 4.3."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from fogspiel.experiment import Measurements, Scale, every
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.judging import less, row_of
from fogspiel.tree.tree import unroll

POKER = "small_poker"
SUPPORT = (
    "how many moves have a probability in an equilibrium is not asked, because that depends on which of many a "
    "solver ends in"
)


def of_players(seed: int, game: str) -> Mapping[str, Any]:
    """The mean number of states in the information sets of each player, by how many moves there are in them."""
    tree = unroll(game)
    found: dict[str, list[Any]] = {"player": [], "moves": [], "states": []}
    for player in (0, 1):
        for moves in sorted({int(n) for n in tree.count}, reverse=True):
            inside = tree.members[(tree.player == player) & (tree.count == moves)]
            if len(inside):
                for column, x in zip(found, (player, moves, float(inside.mean())), strict=True):
                    found[column].append(x)
    return found


def second_has_larger(table: Table) -> Answer:
    return every(less(row_of(table, 0, n), row_of(table, 1, n)) for n in table.values("moves") if n > 1)


FIG_4_1 = Item(
    where="fig. 4.1",
    about="the information sets of goofspiel with 6 hidden cards",
    experiments=Measurements(
        about="the mean number of states in the information sets of each player, by how many cards are left",
        function=of_players,
        by=("player", "moves"),
        measure="states",
        deterministic=True,
        scales={"small": Scale(1, game="goofspiel(cards=5)"), "paper": Scale(1, game="goofspiel(cards=6)")},
        criterion="those of the second player are larger, with every number of cards but the last, which is known",
        passes=second_has_larger,
    ),
    apart=f"the picture has no numbers; {SUPPORT}",
)

FIG_4_2 = Missing(
    where="fig. 4.2",
    about="the information sets of phantom tic-tac-toe whose first tries are the centre",
    reason=(
        "the picture has no numbers, and nothing is stated but that they are rather large; unrolling the game "
        "takes more than 12 GB"
    ),
)


def extremes(seed: int, game: str, of: str) -> Mapping[str, float]:
    """The size of the smallest and of the largest information set."""
    members = unroll(game).members
    return {"states": float({"smallest": np.min, "largest": np.max}[of](members))}


FIG_4_3 = Item(
    where="fig. 4.3",
    about="the information sets of small poker",
    experiments=Measurements(
        about="the number of states in an information set",
        function=extremes,
        grid={"game": [POKER], "of": ["smallest", "largest"]},
        by=("of",),
        measure="states",
        deterministic=True,
        printed={"smallest": 3, "largest": 3},
        scales={"small": Scale(1), "paper": Scale(1)},
        criterion="all have the printed three states, one for each card of the other",
        passes=lambda table: every(row_of(table, name).inside(3, 3) for name in ("smallest", "largest")),
    ),
    apart=SUPPORT,
)
