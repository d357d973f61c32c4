"""The searcher's moves in turn, each as often as the others: what one-ply rollouts do. Other players move at random."""

from fogspiel.game.table import pick


def choose(search, here, n):
    return here.visits % n if here.owner == search.asked.searcher else pick(search.rng, n)


def learn(search, d, reward, utility):
    """Nothing but the mean is of use."""
