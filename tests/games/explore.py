"""A walk through all of a large game, compiled."""

import numpy as np

from fogspiel import OVER
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import ROOT, SIZE, actor, copy_state, infoset, moves, play


@kernel
def explore(game: Ints, me: Int, first: Int, stack: Words, buffer: Ints, keys: Ints, counts: Ints) -> None:
    """counts: distinct keys of player `me` at its moves, and terminal histories; of both players, if `me` is -1.

    The other player's failed tries, which `me` cannot notice, are left out. The first move of `me` is `first`, if not
    -1.
    """
    mask = (1 << 20) - 1
    base = address_of(stack)
    s = base + 200 * game[SIZE]
    copy_state(game, base, game[ROOT])
    start = infoset(game, base, me) if me == 0 else 0
    top = 1
    while top > 0:
        top -= 1
        copy_state(game, s, base + top * game[SIZE])
        who = actor(game, s)
        if who == OVER:
            counts[1] += 1
            continue
        n = moves(game, s, buffer, 0)
        mine = me < 0 or who == me
        opening = False
        if mine:
            key = infoset(game, s, who)
            if me == 1 and start == 0:
                start = key
            opening = key == start
            at = key & mask
            while keys[at] != 0 and keys[at] != key:
                at = (at + 1) & mask
            if keys[at] == 0:
                keys[at] = key
                counts[0] += 1
        for i in range(n):
            if opening and first >= 0 and buffer[i] != first:
                continue
            t = base + top * game[SIZE]
            copy_state(game, t, s)
            play(game, t, buffer[i])
            if mine or actor(game, t) != who:
                top += 1


def explored(game, me=-1, first=-1):
    counts = np.zeros(2, np.int64)
    stack = np.zeros(201 * game.dtype.itemsize // 8, np.uint64)
    explore(game.table, me, first, stack, game.buffer(), np.zeros(1 << 20, np.int64), counts)
    return counts.tolist()
