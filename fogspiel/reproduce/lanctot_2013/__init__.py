"""M. Lanctot: Monte Carlo sampling and regret minimization for equilibrium computation and decision-making in large
extensive form games (PhD thesis, University of Alberta, 2013)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.lanctot_2013 import background, minimax, recall, sampling, variates

DOCUMENT = Document(
    (
        "M. Lanctot: Monte Carlo sampling and regret minimization for equilibrium computation and decision-making in "
        "large extensive form games (PhD thesis, University of Alberta, 2013)"
    ),
    {
        "fig-2.1": background.FIG_2_1,
        "fig-2.2": background.FIG_2_2,
        "fig-2.3": background.FIG_2_3,
        "fig-2.4": background.FIG_2_4,
        "fig-2.5": background.FIG_2_5,
        "fig-3.1": background.FIG_3_1,
        "fig-3.2": background.FIG_3_2,
        "fig-3.3": background.FIG_3_3,
        "fig-3.4": background.FIG_3_4,
        "fig-3.5": background.FIG_3_5,
        "fig-4.1": background.FIG_4_1,
        "R-1": sampling.FIG_4_2_EXPLORATION,
        "R-2": sampling.FIG_4_2_AVERAGING,
        "R-3": sampling.FIG_4_3,
        "R-4": sampling.FIG_4_4,
        "R-5": sampling.FIG_4_5,
        "R-6": sampling.NODES_TO_HALF,
        "R-7": sampling.WHO_IS_BETTER,
        "R-8": sampling.PRUNING,
        "fig-5.1": recall.FIG_5_1,
        "R-9": recall.TABLE_5_1,
        "R-10": recall.FIG_5_3,
        "R-11": recall.FIG_5_4_SKEW,
        "R-12": recall.FIG_5_4_PHANTOM,
        "R-13": recall.FIG_5_4_BLUFF,
        "R-14": recall.FIG_5_2,
        "fig-6.1": minimax.FIG_6_1,
        "R-15": minimax.CANT_STOP,
        "R-16": minimax.EINSTEIN,
        "R-17": minimax.PIG,
        "R-18": minimax.FIGS_6_2_TO_6_4,
        "table-7.1": variates.TABLE_7_1,
        "fig-7.1": variates.FIG_7_1,
        "R-19": variates.FIG_7_2,
        "R-20": variates.FIG_7_3_PIG,
        "R-21": variates.FIG_7_3_CANT_STOP,
        "R-22": variates.FIG_7_3_DOMINION,
        "fig-7.4": background.FIG_7_4,
        "R-23": sampling.FIG_7_5,
        "fig-B.1": background.FIG_B_1,
    },
)
