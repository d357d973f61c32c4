"""The non-locality game: a strategy in one part of the tree depends on payoffs in another.

Chance goes left or right, unseen. Player 0 goes left or right. If chance went left the game is over: player 0 gets
`leaf` for left, 0 for right. If it went right, player 1, who does not see player 0's move, goes left or right; player 0
gets 3 if both went the same way, otherwise 0. Lisý 2014, Fig. 3.6 (leaves reconstructed).

With leaf = 1 the value is 1 and the only equilibrium is (1/2, 1/2) for player 0, (1/3, 2/3) for player 1, although the
subgame of player 1 alone looks like a call for (1/2, 1/2). With leaf = 5 player 0 always goes left, player 1 right:
2.5.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Number, mix, pick

LEFT, RIGHT = 0, 1
DEAL, FIRST, REPLY, OVER_LEFT, OVER_RIGHT = 0, 1, 2, 3, 4
PARAMETERS = (Number("leaf", 1.0, -100.0, 100.0, "what left, left pays to player 0; 5 in the variant"),)
State = np.dtype([("leaf", "f8"), ("stage", "i1"), ("chance", "i1"), ("first", "i1"), ("reply", "i1")], align=True)


def about(leaf):
    most = max(3.0, abs(leaf))
    return About(utility=(-most, most))


def start(s):
    s.stage = DEAL
    s.chance = -1
    s.first = -1
    s.reply = -1


def actor(s):
    if s.stage == DEAL:
        return CHANCE
    if s.stage == FIRST:
        return 0
    return 1 if s.stage == REPLY else OVER


def moves(s, out):
    out[0] = LEFT
    out[1] = RIGHT
    return 2


def play(s, move):
    if s.stage == DEAL:
        s.chance = move
        s.stage = FIRST
    elif s.stage == FIRST:
        s.first = move
        s.stage = OVER_LEFT if s.chance == LEFT else REPLY
    else:
        s.reply = move
        s.stage = OVER_RIGHT


def payoff(s, out):
    out[0] = 0
    if s.stage == OVER_LEFT and s.first == LEFT:
        out[0] = s.leaf
    if s.stage == OVER_RIGHT and s.first == s.reply:
        out[0] = 3
    out[1] = -out[0]


def infoset(s, player):
    key = mix(0, s.stage)
    if player == 0:
        key = mix(key, s.first)
    if player == 1:
        key = mix(key, s.reply)
    return key


def sees(s, player, move):
    """How far the game has come, and nothing of what others did."""
    play(s, move)
    return mix(1, s.stage)


def resample(s, player, rng):
    if s.stage == FIRST:
        s.chance = pick(rng, 2)
    if player != 0 and s.first >= 0:
        s.first = pick(rng, 2)
    if player != 1 and s.reply >= 0:
        s.reply = pick(rng, 2)


def move_name(s, move):
    return "left" if move == LEFT else "right"


def show(s, player):
    known = (player is None or s.stage >= REPLY, player in (None, 0), player in (None, 1))
    made = zip(("chance", "player 0", "player 1"), (s.chance, s.first, s.reply), known, strict=True)
    ways = [f"{who} went {move_name(s, move) if seen else '?'}" for who, move, seen in made if move >= 0]
    return ", ".join(ways) or "nobody has moved"
