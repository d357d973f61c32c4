"""Chapter 5 of Whitehouse 2014: determinization, and information set MCTS."""

from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.whitehouse_2014 import determinization, ismcts, leading_plays, mini_dou_di_zhu, spades

ITEMS: dict[str, Item | Missing] = {
    "E5.1": determinization.FIG_5_1,
    "E5.2": determinization.FIG_5_2,
    "E5.3": determinization.FIG_5_3,
    "E5.4": determinization.FIG_5_4,
    "E5.5": determinization.FIG_5_5,
    "E5.6": determinization.TABLE_5_1,
    "E5.7": mini_dou_di_zhu.FIG_5_7,
    "E5.8": mini_dou_di_zhu.SEC_5_2_4,
    "E5.9": ismcts.SEC_5_2_4_ITERATIONS,
    "E5.10": ismcts.SEC_5_2_4_EXPLORATION,
    "E5.11": ismcts.TABLE_5_2_ITEM,
    "E5.12": ismcts.FIG_5_12_ITEM,
    "E5.13": leading_plays.TABLE_5_3,
    "E5.14": ismcts.FIG_5_13,
    "E5.15": spades.FIG_5_14,
    "fig-5.8": ismcts.FIG_5_8,
}
