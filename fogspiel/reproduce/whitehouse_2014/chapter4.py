"""Chapter 4 of Whitehouse 2014: the games, and how well ISMCTS plays some of them."""

from fogspiel.experiment import Matches, Scale, against
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.judging import row_of
from fogspiel.reproduce.whitehouse_2014 import spades
from fogspiel.reproduce.whitehouse_2014.playing import EVEN

SEARCH, OTHER = "MO-ISMCTS", "flat Monte Carlo"


HEARTS = Item(
    where="sec. 4.2.3",
    about="Hearts, MO-ISMCTS against three others",
    experiments=Matches(
        about="percent of games to 50 points that the search wins",
        games="hearts(threshold=50,payoff=places)",
        agents={SEARCH: "mo-ismcts({budget})", OTHER: "rollouts({budget})"},
        seats=against(OTHER),
        by=("agent",),
        measure="percent",
        printed={SEARCH: 25},
        scales={
            "small": Scale(20, budget="simulations=100"),
            "medium": Scale(220, budget="simulations=500"),
            "paper": Scale(250, budget="simulations=10000"),
        },
        criterion="the search wins its quarter, to within 4.4 points",
        passes=lambda table: row_of(table, SEARCH).inside(25 - EVEN, 25 + EVEN),
    ),
    apart="the opponents are flat Monte Carlo evaluation, where the printed quarter was won against the program that "
    "came with Windows;"
    " how many iterations there were is not told",
    remarks="At the medium scale, with 500 iterations, the search wins 25.1% of 880 games, give or take 2.8.",
)

ITEMS: dict[str, Item | Missing] = {"E4.1": spades.SEC_4_2_4, "E4.2": HEARTS}
