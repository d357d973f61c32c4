"""A bandit of one's own: epsilon-greedy for rewards that change (Sutton and Barto 2018, sec. 2.4 and 2.5).

What a move is worth changes as the search learns more about what follows. So recent rewards count more here: the
estimate of a move moves towards each new reward by a constant step, once the mean of all of them would move less.

fogspiel match leduc "mo-ismcts(bandit=examples/my_bandit.py)" mo-ismcts
fogspiel match leduc "mo-ismcts(bandit=examples/my_bandit.py(epsilon=0.2))" mo-ismcts
"""

from fogspiel.game import Number, pick, uniform

PARAMETERS = (
    Number("epsilon", 0.1, 0, 1, "how often a move is tried at random"),
    Number("step", 0.05, 0, 1, "how far an estimate moves towards a reward"),
)
SLOT = (("estimate", "f8"),)
"""Of every move at every node."""


def choose(search, here, n):
    """One of the n moves that there are at the node, whose slots are search.slot[0:n]. Untried moves come first."""
    best = 0
    for i in range(n):
        slot = search.slots[search.slot[i]]
        if slot.tries == 0:
            return i
        if slot.estimate > search.slots[search.slot[best]].estimate:
            best = i
    return pick(search.rng, n) if uniform(search.rng) < search.bandit.epsilon else best


def learn(search, d, reward, utility):
    """What the move of the d-th step brought, between 0 and 1; its slot has counted the try already."""
    slot = search.slots[search.path[d].slot]
    slot.estimate += max(search.bandit.step, 1.0 / slot.tries) * (reward - slot.estimate)
