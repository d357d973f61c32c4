"""The forgetful player: where mixed strategies do more than behavioural ones.

Player 0 says l or r, unheard. Player 1 says l or r, forgets what it said, and says l or r again. Player 1 gets 4 from
player 0 if all three are the same, otherwise nothing. Lanctot 2013, Fig. 5.1b (payoffs reconstructed), after Koller and
Megiddo 1992. Tossing a coin between "l twice" and "r twice" secures 2 to player 1; a player who has to toss anew each
time secures only 1.
"""

import numpy as np

from fogspiel.game import OVER, About, mix, pick

L, R = 0, 1
PARAMETERS = ()
State = np.dtype([("stage", "i1"), ("said", "i1", 3)], align=True)


def about():
    return About(utility=(-4, 4), perfect_recall=False)


def start(s):
    s.stage = 0
    for i in range(3):
        s.said[i] = -1


def actor(s):
    if s.stage == 3:
        return OVER
    return 0 if s.stage == 0 else 1


def moves(s, out):
    out[0] = L
    out[1] = R
    return 2


def play(s, move):
    s.said[s.stage] = move
    s.stage += 1


def payoff(s, out):
    out[1] = 4 if s.said[0] == s.said[1] and s.said[1] == s.said[2] else 0
    out[0] = -out[1]


def infoset(s, player):
    key = mix(0, s.stage)
    if player == 0:
        key = mix(key, s.said[0])
    if player == 1:
        key = mix(key, s.said[2])
    return key


def sees(s, player, move):
    """That something was said, and not what."""
    return mix(1, 0)


def resample(s, player, rng):
    """Player 1's first word is unknown to player 1 too."""
    for i in range(s.stage):
        if not (i == 0 and player == 0) and not (i == 2 and player == 1):
            s.said[i] = pick(rng, 2)


def move_name(s, move):
    return "l" if move == L else "r"


def show(s, player):
    heard = (player in (None, 0), player is None, player in (None, 1))
    return "said: " + (" ".join("lr"[s.said[i]] if heard[i] else "?" for i in range(s.stage)) or "nothing yet")
