"""No more outcomes than chance's node has room for (double progressive widening, Lanctot 2013, sec. 6.2.1)."""

from fogspiel.game.table import CHANCE, sample
from fogspiel.search.chances.stored import take
from fogspiel.search.hooks import key_of, width
from fogspiel.search.nodes import add, lookup, slot_of


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
