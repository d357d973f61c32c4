"""Outcomes that are equally likely come in successive random permutations, as a bandit without rewards plays them
(Whitehouse 2014, sec. 5.2.2); others are drawn."""

from fogspiel.game.table import pick, sample
from fogspiel.search.chances.stored import SLOT, find_node, keep_all, take

__all__ = ["SLOT", "outcome"]


def outcome(game, search, s, n):
    node = find_node(game, search, s, n)
    if search.walk.certain != 0:
        return 0
    i = sample(search.odds, 0, n, search.rng)
    if node >= 0:
        keep_all(search, node, n)
        if equally_likely(search, n):
            i = least_tried(search, n, i)
        take(search, node, search.labels[i])
    return i


def equally_likely(search, n):
    for k in range(1, n):
        if abs(search.odds[k] - search.odds[0]) > 1e-12:
            return False
    return True


def least_tried(search, n, otherwise):
    """The outcome tried least often, ties at random."""
    labels, slots = search.labels, search.slots
    best = otherwise
    equal = 0
    for k in range(n):
        if labels[k] < 0:
            continue
        if equal == 0 or slots[labels[k]].tries < slots[labels[best]].tries:
            best = k
            equal = 1
        elif slots[labels[k]].tries == slots[labels[best]].tries:
            equal += 1
            if pick(search.rng, equal) == 0:
                best = k
    return best
