"""What the tests of games share: states by the moves that lead to them, all states or some, values by plain
recursion."""

import random
from functools import cache

import numpy as np

import fogspiel as fs
from fogspiel import CHANCE, OVER

load = cache(fs.load)


def after(game, *moves):
    """The state of a game, or of the game of a spec, after these moves."""
    s = (load(game) if isinstance(game, str) else game).start()
    for move in moves:
        s.play(move)
    return s


def named(game, moves):
    """The state of a game, or of the game of a spec, after moves by their names."""
    s = after(game)
    for name in moves:
        s.play(next(move for move in s.moves() if s.game.move_name(s, move) == name))
    return s


def child(s, move):
    t = s.copy()
    t.play(move)
    return t


def every_history(game):
    todo = [after(game)]
    while todo:
        s = todo.pop()
        yield s
        if not s.over:
            todo += [child(s, move) for move in s.moves()]


def random_states(game, games, seed):
    """The states of a few games played at random, chance included."""
    rng = random.Random(seed)
    for _ in range(games):
        s = game.start()
        yield s
        while not s.over:
            s = child(s, rng.choices(*zip(*s.chance(), strict=True))[0] if s.actor == CHANCE else rng.choice(s.moves()))
            yield s


def census(game):
    """All nodes of a small game: information sets, terminal histories, the least and the largest payoff."""
    keys, payoffs, ends = set(), set(), 0
    for s in every_history(game):
        if s.actor == OVER:
            ends += 1
            payoffs.update(s.payoff())
        elif s.actor != CHANCE:
            keys.add((s.actor, s.key(s.actor)))
    return len(keys), ends, min(payoffs), max(payoffs)


def expected(s, plan):
    """Player 0's expected payoff where `plan(s)` gives the probability of each legal move at a decision."""
    if s.over:
        return s.payoff()[0]
    odds = s.chance() if s.actor == CHANCE else list(zip(s.moves(), plan(s), strict=True))
    return sum(p * expected(child(s, move), plan) for move, p in odds if p)


def told(s):
    """The best that player 0 of a one-player game can get if it sees everything."""
    if s.over:
        return s.payoff()[0]
    if s.actor == CHANCE:
        return sum(p * told(child(s, move)) for move, p in s.chance())
    return max(told(child(s, move)) for move in s.moves())


def member(digits):
    """The spec of a two-stage game by its 16 payoffs, row by row: 0, 1 and 2 for 0, 1/2 and 1."""
    return f"stacked_matrix(member={int(digits.replace(' ', ''), 3)})"


def solved(game):
    return fs.solve(game, "value-iteration").value[0]


def generator(seed):
    """A random number generator as rules are given it."""
    return np.array([seed], np.uint64)
