"""What the chapters share: single games, for measurements that play a deal several times; and what is between two results."""

import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean

from fogspiel.agents.agent import Agent
from fogspiel.agents.registry import agent
from fogspiel.errors import SpecError
from fogspiel.evaluate.referee import play_game
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.game.game import Game
from fogspiel.game.load import load

DETERMINIZED, ISMCTS, CHEATING = "determinized UCT", "ISMCTS", "cheating UCT"
EVEN = 4.4
"""Up to so many points are no difference: the smallest that is called significant (sec. 6.3.2), and what a thousand games with each can tell."""


def utilities(game: str, agents: Sequence[str], deal: int, seed: int) -> tuple[float, ...]:
    """What each seat gets in one game."""
    seated = [sitting(spec, seat) for seat, spec in enumerate(agents)]
    return tuple(play_game(loaded(game), seated, deal=deal, seed=seed).utilities)


@cache
def loaded(game: str) -> Game:
    return load(game)


@cache
def sitting(spec: str, seat: int) -> Agent:
    return agent(spec)


def trees(count: int | str, iterations: int | str) -> str:
    """So many trees of so many iterations each, as words of a spec string."""
    return f"determinizations={count},simulations={iterations}"


ANYTHING = Row((), Estimate(math.nan, -math.inf, math.inf), 0, 0)


def row_of(table: Table, *key: object) -> Row:
    """A row of a table; where it has none, one that may be anything."""
    try:
        return table[key]
    except SpecError:
        return ANYTHING


def combined(*terms: tuple[float, Row]) -> Row:
    """A sum of independent results with these weights. Its interval is that of Zou and Donner (2008), which for the difference of two
    shares is Newcombe's."""
    value = sum(weight * row.value for weight, row in terms)
    ends = [(weight * row.value, sorted((weight * row.low, weight * row.high))) for weight, row in terms]
    below, above = math.hypot(*(x - low for x, (low, _) in ends)), math.hypot(*(high - x for x, (_, high) in ends))
    return Row((), Estimate(value, value - below, value + above), 0, 0)


def difference(first: Row, second: Row) -> Row:
    """By how much the first result is above the second."""
    return combined((1, first), (-1, second))


def mean_of(rows: Sequence[Row]) -> Row:
    """The mean of results that may have their luck in common: its interval is as wide as theirs."""
    value, low, high = (fmean(numbers) for numbers in zip(*((r.value, r.low, r.high) for r in rows), strict=True))
    return Row((), Estimate(value, low, high), 0, 0)


def ratio(first: Row, second: Row) -> Row:
    """What the first result is to the second, with all that the two intervals allow; anything, if the second may be 0."""
    if second.low <= 0:
        return ANYTHING
    return Row((), Estimate(first.value / second.value, first.low / second.high, first.high / second.low), 0, 0)
