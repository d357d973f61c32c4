"""A stage passes on the mean of what it has returned so far, not what came of this simulation: SM-MCTS-A (Lisý et al. 2013; Lisý 2014,
sec. 3.1.2). The mean is kept at the stage's first node, where both players' choices meet."""

from fogspiel.game.needs import TWO_PLAYERS, ZERO_SUM

NEEDS = (TWO_PLAYERS, ZERO_SUM)
NODE = (("value", "f8"),)
"""The sum of what the node returned to its player."""


def pass_on(search, d, utility):
    step = search.path[d]
    here = search.nodes[step.node]
    here.value += utility
    if step.pending == 0:
        mean = here.value / here.visits
        search.pay[here.owner] = mean
        search.pay[1 - here.owner] = -mean
