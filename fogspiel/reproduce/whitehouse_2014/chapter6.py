"""Chapter 6 of Whitehouse 2014: information set MCTS with partially observable moves."""

from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.whitehouse_2014 import time_budgets, tournaments

ITEMS: dict[str, Item | Missing] = {
    "E6.1": tournaments.FIG_6_2,
    "E6.2": tournaments.RANDOM_SETUPS,
    "E6.3": tournaments.HUMANS,
    "E6.4": tournaments.FIG_6_4,
    "E6.5": time_budgets.FIG_6_6,
    "E6.6": time_budgets.FIG_6_7,
    "E6.7": time_budgets.FIG_6_8,
    "E6.8": time_budgets.FIG_6_9,
}
