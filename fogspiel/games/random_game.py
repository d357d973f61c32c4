"""A random game of simultaneous moves.

For a fixed number of stages both players choose an action at the same time (player 1 after player 0, without seeing the
choice), and then see both. Correlated utilities: every joint action, in every place of the tree, is worth -1, 0 or +1
to player 0, each as likely, and the game is worth the sum along the path (Lisý 2014, ch. 4). Leaf utilities: player 0
gets a number drawn uniformly from [0, 1] for each leaf, player 1 its negative (Lisý 2014, Fig. 4.4). Nothing is stored:
the numbers are a hash of the path and the seed.
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, Whole, mix, pick, uniform
from fogspiel.games.toolkit.at_once import seen_at_once

CORRELATED, LEAVES = 0, 1
PARAMETERS = (
    Whole("seed", 0, 0, 2**62, "which of the random games"),
    Whole("actions", 4, 1, 200, "actions of each player at each stage"),
    Whole("depth", 5, 1, 100, "stages"),
    Choice("utility", "correlated", ("correlated", "leaves"), "summed along the path, or drawn for each leaf"),
)
# choice is player 0's while player 1 has still to choose, otherwise -1; path is a hash of the seed and all joint
# actions; dice is the random generator that it starts; value is what the path is worth to player 0 so far.
State = np.dtype(
    [
        ("seed", "i8"),
        ("actions", "i2"),
        ("depth", "i1"),
        ("utility", "i1"),
        ("stage", "i1"),
        ("choice", "i2"),
        ("path", "u8"),
        ("dice", "u8", 1),
        ("value", "f8"),
    ],
    align=True,
)


def about(seed, actions, depth, utility):
    ranges = ((-depth, depth), (-depth, depth)) if utility == "correlated" else ((0, 1), (-1, 0))
    return About(ranges=ranges, simultaneous=True)


def start(s):
    s.stage = 0
    s.choice = -1
    s.path = mix(0, s.seed)
    s.value = 0


def actor(s):
    if s.stage == s.depth:
        return OVER
    return 0 if s.choice < 0 else 1


def moves(s, out):
    for i in range(s.actions):
        out[i] = i
    return s.actions


def play(s, move):
    if s.choice < 0:
        s.choice = move
        return
    s.path = mix(mix(s.path, s.choice), move)
    s.stage += 1
    s.choice = -1
    s.dice[0] = s.path
    if s.utility == CORRELATED:
        s.value += pick(s.dice, 3) - 1
    elif s.stage == s.depth:
        s.value = uniform(s.dice)


def payoff(s, out):
    out[0] = s.value
    out[1] = -s.value


def evaluate(s, out):
    """What the path is worth so far."""
    out[0] = s.value
    out[1] = -s.value


def infoset(s, player):
    pending = 0
    if s.choice >= 0:
        pending = 2 + s.choice if player == 0 else 1
    return mix(s.path, pending)


def sees(s, player, move):
    return seen_at_once(s.choice, player, move)


def resample(s, player, rng):
    if player == 1 and s.choice >= 0:
        s.choice = pick(rng, s.actions)


def move_name(s, move):
    return f"action {move}"


def show(s, player):
    pending = "" if s.choice < 0 else f", player 0 has chosen {s.choice if player in (None, 0) else '?'}"
    return f"stage {min(s.stage + 1, s.depth)} of {s.depth}, worth {s.value:g} so far{pending}"
