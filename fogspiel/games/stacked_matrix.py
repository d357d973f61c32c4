"""Two stages of simultaneous moves, two moves each, with outcomes that pay 0, 1/2 or 1: all games of this kind.

Both players choose one of two moves at the same time, see both, and choose again; the 16 outcomes pay player 0 either
0, 1/2 or 1, and player 1 the opposite. `member` says which of the 3^16 games: written with 16 digits to the base 3,
first digits first, it has a digit for each outcome, in the order (up left, up right, down left, down right) of the
first stage and, within, of the second; 0, 1 and 2 pay 0, 1/2 and 1. Lisý et al. 2013, sec. 5.2, look through this class
for the games on which their search is slowest (`worst_case` has such games by name).
"""

import numpy as np

from fogspiel.game import OVER, About, Whole, mix, pick, real_at
from fogspiel.games.toolkit.at_once import seen_at_once

OUTCOMES = 16
PAYS = (0.0, 0.5, 1.0)
LATE = int("0022002212121221", 3)
PARAMETERS = (Whole("member", LATE, 0, 3**OUTCOMES - 1, "which of the games: 16 digits to the base 3, one an outcome"),)
NONE = -1
# choice is player 0's while player 1 has still to choose, otherwise NONE; pairs are the joint moves of the stages
# played
State = np.dtype([("payoffs", "i8"), ("stage", "i1"), ("choice", "i1"), ("pairs", "i1", 2)], align=True)


def about(member):
    return paying([PAYS[member // 3**place % 3] for place in reversed(range(OUTCOMES))])


def paying(payoffs):
    """What the game with these 16 payoffs is. No more is at stake than they say."""
    low, high = min(payoffs), max(payoffs)
    return About(
        ranges=((low, high), (0 - high, 0 - low)), simultaneous=True, tables={"payoffs": np.array(payoffs, float)}
    )


def start(s):
    s.stage = 0
    s.choice = NONE


def actor(s):
    if s.stage == 2:
        return OVER
    return 0 if s.choice == NONE else 1


def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


def play(s, move):
    if s.choice == NONE:
        s.choice = move
        return
    s.pairs[s.stage] = 2 * s.choice + move
    s.stage += 1
    s.choice = NONE


def payoff(s, out):
    out[0] = real_at(s.payoffs, 4 * s.pairs[0] + s.pairs[1])
    out[1] = -out[0]


def infoset(s, player):
    """All see the stages played; a pending choice is its player's alone."""
    key = mix(0, s.stage)
    for i in range(s.stage):
        key = mix(key, s.pairs[i])
    pending = 0
    if s.choice != NONE:
        pending = 2 + s.choice if player == 0 else 1
    return mix(key, pending)


def sees(s, player, move):
    return seen_at_once(s.choice, player, move)


def resample(s, player, rng):
    if s.choice != NONE and player != 0:
        s.choice = pick(rng, 2)


def move_name(s, move):
    return ("up", "down")[move] if s.choice == NONE else ("left", "right")[move]


def show(s, player):
    played = [f"{('up', 'down')[s.pairs[i] // 2]} {('left', 'right')[s.pairs[i] % 2]}" for i in range(s.stage)]
    pending = (
        "" if s.choice == NONE else f", player 0 has chosen {('up', 'down')[s.choice] if player in (None, 0) else '?'}"
    )
    return f"stage {min(s.stage + 1, 2)} of 2, played {', '.join(played) or 'nothing'}{pending}"
