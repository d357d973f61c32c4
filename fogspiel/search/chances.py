"""Chance in the tree: what is kept of it, and how its outcomes are drawn; and how many of its moves or outcomes a node
has. A part of chance fills `outcome`, and one of widening `width`."""

import math

from fogspiel.engine.part import by_name
from fogspiel.game.spec import Number
from fogspiel.game.table import CHANCE, pick, sample
from fogspiel.search.hooks import happen
from fogspiel.search.nodes import add, lookup, slot_of
from fogspiel.search.proofs import certain, open_node
from fogspiel.search.views import key_of


def outcome(game, search, s, n):
    """The position in search.moves of what chance does in the tree; a node of chance's is a step of the path."""
    raise NotImplementedError


def width(search, visits, n):
    """How many of n moves a node with so many visits has."""
    return n


STUBS, WIDTH = by_name(outcome), by_name(width)


class Drawn:
    """Outcomes are drawn by their probabilities, and nothing is kept."""

    def outcome(game, search, s, n):
        return happen(game, search, s, n)


# --- kept as nodes


class Stored:
    """Outcomes are drawn by their probabilities, and kept as a node of chance's."""

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


class Balanced(Stored):
    """Outcomes that are equally likely come in successive random permutations, as a bandit without rewards plays them
    (Whitehouse 2014, sec. 5.2.2); others are drawn."""

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


# --- double progressive widening


class AllMoves:
    """A node has all its moves."""

    NOTHING = True


class Progressive:
    """A node with v visits has the first ceil(C v^alpha) of its moves (double progressive widening, Lanctot 2013, sec.
    6.2.1)."""

    PARAMETERS = (
        Number("c", 1, 1e-9, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance"),
        Number("alpha", 0.5, 0, 1, "the alpha of the same"),
    )

    def width(search, visits, n):
        return min(n, max(1, math.ceil(search.widening.c * visits**search.widening.alpha)))


class Widened:
    """No more outcomes than chance's node has room for (double progressive widening, Lanctot 2013, sec. 6.2.1)."""

    def outcome(game, search, s, n):
        i = sample(search.odds, 0, n, search.rng)
        key = key_of(game, search, s, CHANCE)
        node = lookup(search, key)
        room = width(search, search.nodes[node].visits if node >= 0 else 0, n)
        if node < 0:
            node = add(search, key, CHANCE, room)
        if node < 0:
            return i
        here = search.nodes[node]
        slot = kept(search, here, search.moves[i])
        if slot < 0 and here.used < room:
            slot = slot_of(search, node, search.moves[i], here.used)
        if slot < 0:
            i = draw_kept(search, here, n, i)
            slot = search.labels[i]
        take(search, node, slot)
        return i


def kept(search, here, outcome):
    """The slot of an outcome that chance's node has already, or -1."""
    for k in range(here.first, here.first + here.used):
        if search.slots[k].move == outcome:
            return k
    return -1


def draw_kept(search, here, n, otherwise):
    """One of the outcomes that the node has and that are possible now, by their probabilities; `otherwise` if there is
    none."""
    odds, labels = search.odds, search.labels
    sum_ = 0.0
    for k in range(n):
        labels[k] = kept(search, here, search.moves[k])
        if labels[k] < 0:
            odds[k] = 0.0
        sum_ += odds[k]
    if sum_ <= 0.0:
        return otherwise
    for k in range(n):
        odds[k] /= sum_
    i = sample(odds, 0, n, search.rng)
    # rounding may leave the draw at the end, on an outcome that is not kept
    while labels[i] < 0:
        i -= 1
    return i
