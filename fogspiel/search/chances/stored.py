"""Outcomes are drawn by their probabilities, and kept as a node of chance's."""

from fogspiel.game.table import CHANCE, sample
from fogspiel.search.hooks import certain, key_of, open_node
from fogspiel.search.nodes import add, lookup, slot_of

SLOT = (("odds", "f8"),)
"""An outcome's probability."""


def outcome(game, search, s, n):
    node = find_node(game, search, s, n)
    i = sample(search.odds, 0, n, search.rng) if search.walk.certain == 0 else 0
    if node >= 0 and search.walk.certain == 0:
        keep_all(search, node, n)
        take(search, node, search.labels[i])
    return i


def find_node(game, search, s, room):
    """Chance's node, new if need be with room for so many outcomes; -1 if there is no memory for it. Its value may be
    certain."""
    key = key_of(game, search, s, CHANCE)
    node = lookup(search, key)
    if node >= 0:
        certain(game, search, s, search.nodes[node])
        return node
    node = add(search, key, CHANCE, room)
    if node >= 0:
        open_node(game, search, s, search.nodes[node])
    return node


def keep_all(search, node, n):
    """Make a slot for each of n outcomes, where there is room; which it is goes to search.labels."""
    here, labels = search.nodes[node], search.labels
    begin = -1
    while begin != here.first:
        # as at a player's node, slots may move while they are made
        begin = here.first
        for k in range(n):
            labels[k] = slot_of(search, node, search.moves[k], k)
            if labels[k] >= 0:
                search.slots[labels[k]].odds = search.odds[k]


def take(search, node, slot):
    """Chance's node is a step of the path."""
    step = search.path[search.walk.depth]
    step.node = node
    step.slot = slot
    step.pending = 0
    search.walk.depth += 1
