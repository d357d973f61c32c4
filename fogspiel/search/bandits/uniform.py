"""Every move as likely, whatever it brought: pure exploration."""

from fogspiel.search.bandits.mixed import draw_and_add

SLOT = (("strategy", "f8"),)


def choose(search, here, n):
    for i in range(n):
        search.prob[i] = 1.0 / n
    return draw_and_add(search, n, 0.0)


def learn(search, d, reward, utility):
    """Nothing is."""
