"""What the tests of games share: states by the moves that lead to them."""

from functools import cache

import fogspiel as fs

load = cache(fs.load)


def after(game, *moves):
    """The state of a game after these moves."""
    s = load(game).start()
    for move in moves:
        s.play(move)
    return s


def child(s, move):
    t = s.copy()
    t.play(move)
    return t
