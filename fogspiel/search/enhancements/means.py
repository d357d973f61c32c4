"""A stage passes on the mean of what it has returned so far, not what came of this simulation: SM-MCTS-A (Lisý et al.
2013; Lisý 2014, sec. 3.1.2). The mean is kept at the stage's first node, where both players' choices meet. What the
simulation brought that added a stage is the first of it; a simulation that expands a stage counts for the stage it adds
alone (Lisý et al. 2013, Algorithm 1)."""

from fogspiel.game.needs import TWO_PLAYERS, ZERO_SUM

NEEDS = (TWO_PLAYERS, ZERO_SUM)
NODE = (("value", "f8"), ("returns", "i8"))
"""The sum of what the stage returned to the node's player, and how often it did."""


def capture(game, search, s):
    """The stage at which the tree was left returns what was played out from there."""
    if search.walk.leaf >= 0:
        count(search, search.nodes[search.walk.leaf])


def pass_on(search, d, utility):
    step = search.path[d]
    if step.pending != 0:
        return
    if step.expanding == 0:
        count(search, search.nodes[step.node])
        return_mean(search, search.nodes[step.node])
    elif search.walk.leaf >= 0:
        return_mean(search, search.nodes[search.walk.leaf])


def count(search, here):
    here.value += search.pay[here.owner]
    here.returns += 1


def return_mean(search, here):
    mean = here.value / here.returns
    search.pay[here.owner] = mean
    search.pay[1 - here.owner] = -mean
