"""The deadlock game: imperfect recall that stops CFR at a strategy with regret.

Chance deals a, b, d or e, each as likely. Player 0 sees only whether it is one of a, b or one of d, e, and passes (0 to
both) or continues. Player 1 sees the deal and passes, which pays player 0 -xi after a or e and +xi after b or d, or
continues. Then player 0, who has forgotten what it saw, says left or right: left pays it -1, +1, -1, +1 after a, b, d,
e; right the opposite.

Lanctot 2013, Fig. 5.2 (signs reconstructed). From the third iteration on CFR always passes at player 0's first move,
though passing after a, b, continuing after d, e and saying right would gain it (1 - xi) / 4 against CFR's player 1, who
passes after a and e.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Number, mix, pick

PASS, CONTINUE = 0, 1
LEFT, RIGHT = 0, 1
DEAL, FIRST, REPLY, BLIND, PASSED_0, PASSED_1, SAID_LEFT, SAID_RIGHT = 0, 1, 2, 3, 4, 5, 6, 7
PARAMETERS = (Number("xi", 0.5, 0.0, 1.0, "what player 1's pass is worth to one of the players"),)
State = np.dtype([("xi", "f8"), ("deal", "i1"), ("stage", "i1")], align=True)


def about(xi):
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    s.deal = -1
    s.stage = DEAL


def actor(s):
    if s.stage == DEAL:
        return CHANCE
    if s.stage == FIRST or s.stage == BLIND:
        return 0
    return 1 if s.stage == REPLY else OVER


def moves(s, out):
    n = 4 if s.stage == DEAL else 2
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    if s.stage == DEAL:
        s.deal = move
        s.stage = FIRST
    elif s.stage == FIRST:
        s.stage = PASSED_0 if move == PASS else REPLY
    elif s.stage == REPLY:
        s.stage = PASSED_1 if move == PASS else BLIND
    else:
        s.stage = SAID_LEFT if move == LEFT else SAID_RIGHT


def payoff(s, out):
    out[0] = 0
    if s.stage == PASSED_1:
        out[0] = -s.xi if s.deal == 0 or s.deal == 3 else s.xi
    if s.stage >= SAID_LEFT:
        out[0] = 1 if (s.deal % 2 == 1) == (s.stage == SAID_LEFT) else -1
    out[1] = -out[0]


def remembers(s):
    """Whether player 0 still knows the pair that the deal is from."""
    return s.stage < BLIND or s.stage == PASSED_0 or s.stage == PASSED_1


def infoset(s, player):
    key = mix(0, s.stage)
    if player == 1:
        key = mix(key, s.deal)
    if player == 0 and remembers(s):
        key = mix(key, s.deal >> 1)
    return key


def sees(s, player, move):
    """The deal is seen by player 1, and the pair that it is from by player 0; what others say is heard by all."""
    if s.stage == DEAL:
        return mix(0, move) if player == 1 else mix(1, move >> 1)
    return mix(0, move)


def resample(s, player, rng):
    if player == 0 and s.stage != DEAL:
        s.deal = (s.deal >> 1) * 2 + pick(rng, 2) if remembers(s) else pick(rng, 4)


def move_name(s, move):
    if s.stage == DEAL:
        return f"deal {'abde'[move]}"
    if s.stage == BLIND:
        return "left" if move == LEFT else "right"
    return "pass" if move == PASS else "continue"


def show(s, player):
    deal = "-" if s.deal < 0 else "abde"[s.deal]
    if player == 0 and s.deal >= 0:
        deal = ("a or b", "d or e")[s.deal >> 1] if remembers(s) else "?"
    story = (
        "to be dealt",
        "player 0 to move",
        "player 0 continued",
        "both continued",
        "player 0 passed",
        "player 1 passed",
        "player 0 said left",
        "player 0 said right",
    )
    return f"deal {deal}: {story[s.stage]}"
