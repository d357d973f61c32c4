"""Schedules of the CFR family: how fast old regrets and old strategies are forgotten.

A schedule is a namespace of plain functions of Python's, each given an array of the numbers t = 1, 2, ... of iterations
and `own`, the values of its PARAMETERS. They return, for each t, by what is multiplied what was there before:

* `positive(t, own)`, `negative(t, own)`: positive and negative regrets, before the new regret is added;
* `decay(t, own)`: the sum of strategies, before the one just played is added.

What a schedule does not have is 1. `flaw(own)` says what is wrong with the values of parameters, or nothing.
"""

import math
from types import SimpleNamespace

import numpy as np

from fogspiel.engine.part import Part, PartKind
from fogspiel.game.spec import Number, Whole


def positive(t, own):
    return 1.0


def negative(t, own):
    return 1.0


def decay(t, own):
    return 1.0


class Uniform:
    """nothing is forgotten, and all iterations count alike (Zinkevich et al. 2007)"""


class Polynomial:
    """regrets are never discounted; iteration t counts t^gamma in the average strategy"""

    PARAMETERS = (Number("gamma", 1, 0, 100, "iteration t counts t^gamma in the average strategy"),)

    def decay(t, own):
        return ((t - 1.0) / t) ** own.gamma


class Discounted:
    """discounted CFR (Brown and Sandholm 2019): after iteration t, positive regrets are multiplied by
    t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and the average by (t / (t + 1))^gamma"""

    PARAMETERS = (
        Number("alpha", 1.5, -math.inf, math.inf, "exponent for positive regrets"),
        Number("beta", 0, -math.inf, math.inf, "exponent for negative regrets"),
        Number("gamma", 2, 0, 100, "exponent for the average strategy"),
    )

    def positive(t, own):
        return discount(t - 1.0, own.alpha)

    def negative(t, own):
        return discount(t - 1.0, own.beta)

    def decay(t, own):
        return ((t - 1.0) / t) ** own.gamma


FALLING = (
    Number("gamma", 30, 6, 100, "where gamma starts; it ends 5 lower"),
    Whole("horizon", 1000, 1, 10**12, "iterations over which the schedule runs"),
)


class FallingPolynomial:
    """a hyperparameter schedule of PCFR+ (Zhang et al. 2024): gamma 30 to 25"""

    PARAMETERS = FALLING

    def decay(t, own):
        return ((t - 1.0) / t) ** moved(t - 1.0, own.gamma, -5, own.horizon)


class FallingDiscounted:
    """a hyperparameter schedule of DCFR (Zhang et al. 2024): alpha 1 to 4, beta -1 to -3, gamma 30 to 25"""

    PARAMETERS = FALLING
    decay = FallingPolynomial.decay

    def positive(t, own):
        return discount(t - 1.0, moved(t - 1.0, 1, 3, own.horizon))

    def negative(t, own):
        return discount(t - 1.0, moved(t - 1.0, -1, -2, own.horizon))


def moved(t: np.ndarray, first: float, change: float, horizon: int) -> np.ndarray:
    """first + change * t / horizon, which stops changing at the horizon."""
    return first + change * np.minimum(t / horizon, 1.0)


def discount(t: np.ndarray, exponent: float | np.ndarray) -> np.ndarray:
    """t^e / (t^e + 1) as 1 / (1 + t^-e), which also holds at e = plus or minus infinity; 1 before the first
    iteration."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        power = np.where(
            np.isposinf(exponent), 0.0, np.where(np.isneginf(exponent), np.inf, t ** -np.asarray(exponent, float))
        )
        return np.where(t > 0, 1.0 / (1.0 + power), 1.0)


SCHEDULES = {
    "uniform": Uniform,
    "polynomial": Polynomial,
    "discounted": Discounted,
    "hs-polynomial": FallingPolynomial,
    "hs-discounted": FallingDiscounted,
}
FACTORS = {"positive": positive, "negative": negative, "decay": decay}
SCHEDULE = PartKind(
    "schedule",
    "how fast old regrets and old strategies are forgotten",
    __name__,
    lambda: SCHEDULES,
    stubs=FACTORS,
    required=(("positive", "negative", "decay"),),
    idle=frozenset(FACTORS),
)


def factors(schedule: Part, t: np.ndarray) -> dict[str, np.ndarray]:
    """The factors of iterations t."""
    own = SimpleNamespace(**schedule.settings)
    return {
        name: np.asarray(getattr(schedule.space, name, one)(t, own), float) + np.zeros(len(t))
        for name, one in FACTORS.items()
    }
