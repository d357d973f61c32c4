"""The strategy fusion game: one plan must do for two worlds.

The world is x or y, each as likely, and the one player cannot see which. Move a2 pays 0.5. After a1 the player chooses
a3 or a4, which pay -1 and +1 in x, +1 and -1 in y; then the world is revealed. Whitehouse 2014, Fig. 5.8. Move a1 is
worth 0, so a2 is best; a search that lets the plan differ between x and y values a1 at 1.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, mix, pick

X, Y = 0, 1
A1, A2, A3, A4 = 1, 2, 3, 4
PARAMETERS = ()
State = np.dtype([("world", "i1"), ("first", "i1"), ("second", "i1"), ("revealed", "i1")], align=True)


def about():
    return About(players=1, utility=(-1, 1), zero_sum=False)


def start(s):
    s.world = -1
    s.first = 0
    s.second = 0
    s.revealed = 0


def actor(s):
    if s.world < 0:
        return CHANCE
    if s.first == A2 or s.revealed:
        return OVER
    return CHANCE if s.second else 0


def moves(s, out):
    if s.second:
        out[0] = s.world
        return 1
    first = X if s.world < 0 else A1 if s.first == 0 else A3
    out[0] = first
    out[1] = first + 1
    return 2


def play(s, move):
    if s.world < 0:
        s.world = move
    elif s.first == 0:
        s.first = move
    elif s.second == 0:
        s.second = move
    else:
        s.revealed = 1


def payoff(s, out):
    if s.first == A2:
        out[0] = 0.5
    else:
        out[0] = 1 if (s.world == X) == (s.second == A4) else -1


def infoset(s, player):
    key = mix(mix(mix(0, s.world >= 0), s.first), s.second)
    return mix(key, s.world) if s.revealed else key


def sees(s, player, move):
    """The world is seen where it is revealed."""
    return mix(1, 0) if s.world < 0 else mix(0, move)


def resample(s, player, rng):
    if s.world >= 0 and not s.revealed:
        s.world = pick(rng, 2)


def move_name(s, move):
    if s.world < 0:
        return f"world {'xy'[move]}"
    return f"reveal {'xy'[move]}" if s.second else f"a{move}"


def show(s, player):
    world = "xy"[s.world] if s.revealed or (player is None and s.world >= 0) else "?"
    return f"world {world}: " + (", ".join(f"a{move}" for move in (s.first, s.second) if move) or "no move yet")
