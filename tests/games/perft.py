"""Move counts from the start position (perft), compiled: what programs of a board game agree on."""

import numpy as np

from fogspiel import OVER
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import ROOT, SIZE, actor, copy_state, moves, play


@kernel
def count(game: Ints, depth: Int, turns: Int, stack: Words, left: Ints, buffer: Ints) -> Int:
    """The histories of `depth` moves, whether or not they end the game; with `turns`, of `depth` turns of any moves."""
    s = address_of(stack)
    base = s + game[SIZE]
    copy_state(game, base, game[ROOT])
    left[0] = depth
    top = 1
    found = 0
    while top > 0:
        top -= 1
        rest = left[top]
        if rest == 0:
            found += 1
            continue
        copy_state(game, s, base + top * game[SIZE])
        who = actor(game, s)
        if who == OVER:
            continue
        n = moves(game, s, buffer, 0)
        for i in range(n):
            t = base + top * game[SIZE]
            copy_state(game, t, s)
            play(game, t, buffer[i])
            left[top] = rest if turns and actor(game, t) == who else rest - 1
            top += 1
    return found


def perft(game, depth, turns=False):
    room = game.max_moves * (depth + 8)
    stack = np.zeros((room + 1) * game.dtype.itemsize // 8 + 1, np.uint64)
    return count(game.table, depth, turns, stack, np.zeros(room, np.int64), game.buffer())
