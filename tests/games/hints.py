"""What searches are told of a game: guesses of values, default policies, covariates, antithetic partners."""

import random
from functools import cache

import numpy as np
import pytest
from positions import load, random_states


@cache
def some_states(game, states=150):
    """States of random games, over or not."""
    rng, met = random.Random(game), []
    while len(met) < states:
        met += random_states(load(game), 1, rng.random())
    return rng.sample(met, states)


def ask(s, rule, *given):
    """What a rule says of a state, compiled; un-compiled it must say the same."""
    plain = getattr(s.game.module, rule)(s.view, *given)
    compiled = s.game.finish(s.game.functions[rule](s.data.ctypes.data, *given))
    assert compiled == pytest.approx(plain, abs=1e-12)
    return compiled


def guided(s):
    """The moves of the default policy and their probabilities, compiled; un-compiled they must be the same."""
    both = []
    for compiled in (True, False):
        out, prob = np.zeros(s.game.max_moves, np.int64), np.zeros(s.game.max_moves)
        if compiled:
            n = s.game.finish(s.game.functions["guide"](s.data.ctypes.data, out.ctypes.data, prob.ctypes.data))
        else:
            n = s.game.module.guide(s.view, out, prob)
        both.append(dict(zip(out[:n].tolist(), prob[:n].tolist(), strict=True)))
    assert both[0] == pytest.approx(both[1])
    return both[0]


def guessed(s):
    """What the rule evaluate says, compiled; un-compiled it must say the same."""
    compiled, plain = np.full(s.game.max_moves, np.nan), np.full(s.game.max_moves, np.nan)
    s.game.finish(s.game.functions["evaluate"](s.data.ctypes.data, compiled.ctypes.data))
    s.game.module.evaluate(s.view, plain)
    assert compiled == pytest.approx(plain, nan_ok=True)
    assert np.isnan(compiled[s.game.players :]).all()
    return compiled[: s.game.players].tolist()


def assert_rising(*states):
    """What player 0 is guessed to get grows from each state to the next."""
    guesses = [guessed(s)[0] for s in states]
    assert guesses == sorted(set(guesses)), guesses
