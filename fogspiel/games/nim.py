"""Nim: two players take objects from heaps, as many as they like from one heap in a turn.

In normal play whoever takes the last object wins; in misère play (play=misere) that one loses. The player to move can
win in normal play unless the nim-sum of the heaps, their binary digits added without carry, is 0. In misère play it is
the same as long as a heap has more than one object; if none has, whoever faces an odd number of heaps loses (Bouton
1901).
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, Picture, Text, mix, whole_at

HEAPS, LARGEST = 8, 31
NORMAL, MISERE = 0, 1
MAX_MOVES = HEAPS * LARGEST
PARAMETERS = (
    Text("heaps", "[1,3,5,7]", "how many objects are in each heap at the start"),
    Choice("play", "normal", ("normal", "misere"), "whether taking the last object wins or loses"),
)
State = np.dtype([("play", "i1"), ("sizes", "i8"), ("heap", "i1", HEAPS), ("left", "i2"), ("turn", "i1")], align=True)
"""The table `sizes` has the heaps at the start, left counts the objects in all."""


def about(heaps, play):
    try:
        sizes = [int(size) for size in heaps.strip("[] ").split(",")]
    except ValueError:
        raise ValueError(f"heaps must be whole numbers such as [1,3,5,7], not {heaps}") from None
    if not (1 <= len(sizes) <= HEAPS and all(1 <= size <= LARGEST for size in sizes)):
        raise ValueError(f"there can be 1 to {HEAPS} heaps of 1 to {LARGEST} objects, not {heaps}")
    # A player knows the position, not the moves that led to it: many ways lead to the same one.
    return About(utility=(-1, 1), perfect_recall=False, tables={"sizes": np.array(sizes + [0] * (HEAPS - len(sizes)))})


def start(s):
    for i in range(HEAPS):
        s.heap[i] = whole_at(s.sizes, i)
        s.left += s.heap[i]


def actor(s):
    return OVER if s.left == 0 else s.turn


def moves(s, out):
    """The number of the heap times 32, plus how many objects to take from it."""
    n = 0
    for i in range(HEAPS):
        for take in range(1, s.heap[i] + 1):
            out[n] = 32 * i + take
            n += 1
    return n


def play(s, move):
    heap, take = move // 32, move % 32
    s.heap[heap] -= take
    s.left -= take
    s.turn = 1 - s.turn


def payoff(s, out):
    took_last = 1 - s.turn
    winner = took_last if s.play == NORMAL else s.turn
    out[winner] = 1
    out[1 - winner] = -1


def infoset(s, player):
    heaps = 0
    for i in range(HEAPS):
        heaps = 32 * heaps + s.heap[i]
    return mix(mix(0, heaps), s.turn)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    return f"{move % 32} from heap {move // 32 + 1}"


def show(s, player):
    heaps = [f"heap {i + 1}: {'|' * s.heap[i]}" for i in range(HEAPS) if whole_at(s.sizes, i) > 0]
    return "\n".join([*heaps, f"player {s.turn} is to move" if s.left else f"player {1 - s.turn} took the last"])


def svg(s, player):
    sizes = [whole_at(s.sizes, i) for i in range(HEAPS)]
    heaps = sum(size > 0 for size in sizes)
    picture = Picture(60 + 14 * max(sizes), 10 + 44 * heaps)
    for i in range(heaps):
        y = 10 + 44 * i
        picture.text(20, y + 17, str(i + 1), 14)
        for k in range(sizes[i]):
            colour = "#b45309" if k < s.heap[i] else "#e5e7eb"
            picture.line(46 + 14 * k, y, 46 + 14 * k, y + 34, colour=colour, width=5)
    return str(picture)
