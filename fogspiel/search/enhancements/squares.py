"""The sum of squared rewards of every move, for decisions that look at how far rewards scatter (Whitehouse 2014, sec.
7.4)."""

SLOT = (("squares", "f8"),)


def learned(game, search, d, reward):
    step = search.path[d]
    if step.slot >= 0:
        search.slots[step.slot].squares += reward * reward
