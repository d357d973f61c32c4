"""Others do what they did before, and learn no more: the second step of two-step self-determinization (Whitehouse 2014,
sec. 7.4).

Once `search.settled.now` is 1, a move at others' nodes is drawn by its share of the visits that taught the node
something."""

from fogspiel.game.table import pick

RECORD = (("now", "i8"),)


def explores(search, here):
    return search.settled.now != 0 and here.owner != search.asked.searcher


def astray(search, n):
    total = 0
    for i in range(n):
        total += search.slots[search.slot[i]].tries
    if total == 0:
        return pick(search.rng, n)
    left = pick(search.rng, total)
    for i in range(n):
        left -= search.slots[search.slot[i]].tries
        if left < 0:
            return i
    return n - 1


def forget(search):
    search.settled.now = 0
