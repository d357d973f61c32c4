"""Any tree of perfect information, given as nested lists: a number is the end of the game and player 0's payoff, a node
is [kind, guess, children], where kind is 0, 1 or a list of chance's probabilities. Payoffs lie between -10 and 10."""

import json

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, About, Text, mix, real_at, whole_at

PARAMETERS = (Text("tree", "0", "the tree"),)
State = np.dtype([("node", "i8"), ("kind", "i8"), ("first", "i8"), ("number", "i8"), ("guess", "i8"), ("odds", "i8")])


def about(tree):
    kind, first, number, guess, odds = [], [], [], [], []

    def enter(nodes, probabilities):
        at = len(kind)
        for node, p in zip(nodes, probabilities, strict=True):
            leaf = not isinstance(node, list)
            kind.append(OVER if leaf else CHANCE if isinstance(node[0], list) else node[0])
            guess.append(float(node if leaf else node[1]))
            number.append(0 if leaf else len(node[2]))
            first.append(0)
            odds.append(float(p))
        for i, node in enumerate(nodes):
            if isinstance(node, list):
                first[at + i] = enter(node[2], node[0] if isinstance(node[0], list) else [1] * len(node[2]))
        return at

    enter([json.loads(tree)], [1])
    tables = {"kind": kind, "first": first, "number": number, "guess": guess, "odds": odds}
    return About(utility=(-10, 10), tables={name: np.array(values) for name, values in tables.items()})


def start(s):
    s.node = 0


def actor(s):
    return whole_at(s.kind, s.node)


def moves(s, out):
    n = whole_at(s.number, s.node)
    for i in range(n):
        out[i] = i
    return n


def chance(s, out, prob):
    n = moves(s, out)
    for i in range(n):
        prob[i] = real_at(s.odds, whole_at(s.first, s.node) + i)
    return n


def play(s, move):
    s.node = whole_at(s.first, s.node) + move


def payoff(s, out):
    out[0] = real_at(s.guess, s.node)
    out[1] = -out[0]


def evaluate(s, out):
    payoff(s, out)


def infoset(s, player):
    return mix(0, s.node)


def resample(s, player, rng):
    """Nothing is hidden."""


def episode(s):
    """Every decision of player 0 begins one."""
    return 0 if whole_at(s.kind, s.node) == 0 else CONTINUES
