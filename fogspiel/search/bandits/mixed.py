"""What randomised bandits share: to draw a move from search.prob, and to keep the mean of the strategies played."""

from fogspiel.game.spec import Choice
from fogspiel.game.table import sample

PURE = Choice("pure", "no", ("no", "yes"), "leave exploration out of the mean strategy")


def draw(search, n, explored):
    """Draw from the probabilities in search.prob[0:n], of which the share `explored` is exploration."""
    left_out = explored if search.bandit.pure != 0 and n > 1 and explored < 1.0 else 0.0
    return draw_and_add(search, n, left_out)


def draw_and_add(search, n, left_out):
    """Draw from search.prob[0:n], and add them to the mean strategy without the share of uniform play that is left
    out."""
    c = 0
    if n == 1:
        search.prob[0] = 1.0
    else:
        c = sample(search.prob, 0, n, search.rng)
    for i in range(n):
        search.slots[search.slot[i]].strategy += (search.prob[i] - left_out / n) / (1.0 - left_out)
    return c
