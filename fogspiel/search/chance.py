"""Chance in a tree search: what is kept of it, and how its outcomes are drawn."""

from fogspiel.game.table import pick, sample
from fogspiel.search.nodes import slot_of

DRAWN, STORED, BALANCED, WIDENED = range(4)
"""DRAWN: outcomes are drawn and nothing is kept. STORED: drawn, and kept as a node of chance. BALANCED: equally likely outcomes
come in successive random permutations, as a bandit without rewards plays them (Whitehouse 2014, sec. 5.2.2); others are drawn.
WIDENED: no more outcomes than the node has room for (Lanctot 2013, sec. 6.2.1)."""


def draw_outcome(luck, node, n, room, buffer, odds, labels, pool, nodes, slots, rng):
    """An index below n: the outcome drawn at chance's node (-1: there is no memory for it). labels[i] becomes its slot.

    The slots keep the outcomes' probabilities as their `strategy`.
    """
    i = sample(odds, 0, n, rng)
    if node < 0:
        return i
    here = nodes[node]
    if luck == WIDENED:
        labels[i] = kept(here, buffer[i], slots)
        if labels[i] < 0 and here.used < room:
            labels[i] = slot_of(node, buffer[i], here.used, pool, nodes, slots)
        return i if labels[i] >= 0 else draw_kept(here, n, buffer, odds, labels, slots, rng, i)
    begin = -1
    while begin != here.first:
        # as at a player's node, slots may move while they are made
        begin = here.first
        for k in range(n):
            labels[k] = slot_of(node, buffer[k], k, pool, nodes, slots)
            if labels[k] >= 0:
                slots[labels[k]].strategy = odds[k]
    if luck == BALANCED and uniform_odds(n, odds):
        return least_tried(n, labels, slots, rng, i)
    return i


def kept(here, outcome, slots):
    """The slot of an outcome that chance's node has already, or -1."""
    for s in range(here.first, here.first + here.used):
        if slots[s].move == outcome:
            return s
    return -1


def draw_kept(here, n, buffer, odds, labels, slots, rng, otherwise):
    """One of the outcomes that the node has and that are possible now, by their probabilities; `otherwise` if there is none."""
    sum_ = 0.0
    for k in range(n):
        labels[k] = kept(here, buffer[k], slots)
        if labels[k] < 0:
            odds[k] = 0.0
        sum_ += odds[k]
    if sum_ <= 0.0:
        return otherwise
    for k in range(n):
        odds[k] /= sum_
    i = sample(odds, 0, n, rng)
    # rounding may leave the draw at the end, on an outcome that is not kept
    while labels[i] < 0:
        i -= 1
    return i


def uniform_odds(n, odds):
    for k in range(1, n):
        if abs(odds[k] - odds[0]) > 1e-12:
            return False
    return True


def least_tried(n, labels, slots, rng, otherwise):
    """The outcome tried least often, ties at random."""
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
            if pick(rng, equal) == 0:
                best = k
    return best
