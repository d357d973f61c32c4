"""Chapter 5 of Whitehouse 2014: determinization, and information set MCTS."""

from fogspiel.reproduce.whitehouse_2014 import ismcts, leading_plays

ITEMS = {
    "E5.13": leading_plays.TABLE_5_3,
    "fig-5.8": ismcts.FIG_5_8,
}
