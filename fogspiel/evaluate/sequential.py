"""Sequential tests: a match that ends as soon as its deals tell one difference in strength from another.

The ratio is generalised (Van den Bergh, as in fishtest): the likeliest distribution of results that has the mean of
each hypothesis. A result is that of a whole deal, so draws, stakes and the chance of the deal are allowed for.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.evaluate.bout import Schedule
from fogspiel.evaluate.judging import UTILITY, WINS
from fogspiel.evaluate.standings import comparisons
from fogspiel.evaluate.statistics import expected_score

UNSEEN = 1e-3
"""Deals that a result counts for which can be and has not been seen, so that a run of equal results does not seem
certain."""

MANY, STEP = 512, 1.01
"""Beyond so many different results, the test looks at them after every hundredth more of the deals: each look goes
through all."""


class _Test:
    """What the tests share: two hypotheses, the smaller first, the errors they may make, and Wald's bounds.

    A test is a dataclass whose first two fields are the differences, named after the `unit` they are in."""

    by: str
    unit: str
    alpha: float
    beta: float

    @property
    def hypotheses(self) -> tuple[float, float]:
        """The two differences, in `unit`s."""
        less, more, *_ = vars(self).values()
        return less, more

    @property
    def means(self) -> tuple[float, float]:
        """The mean result of a deal under each hypothesis."""
        return self.hypotheses

    def __post_init__(self) -> None:
        less, more = self.hypotheses
        if not -math.inf < less < more < math.inf:
            raise SpecError(f"the test needs two {self.unit} differences, the smaller first, not {less:g} and {more:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SpecError(f"alpha and beta must be between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the smaller and the larger difference are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: dict[float, int]) -> float:
        """The log-likelihood ratio after so many deals of each result. The least and the greatest result that can be
        must have a count, if only 0; what has none is taken to have been seen one thousandth of a time."""
        deals = sum(counts.values())
        if deals == 0:
            return 0.0
        results = np.array(list(counts))
        weights = np.array([count or UNSEEN for count in counts.values()])
        share = weights / weights.sum()
        fit0, fit1 = (_fit(results, share, mean) for mean in self.means)
        return deals * math.fsum(share * np.log(fit1 / fit0))

    def verdict(self, ratio: float) -> float | None:
        """The difference that is accepted, if any is."""
        low, high = self.bounds
        return self.hypotheses[1] if ratio >= high else self.hypotheses[0] if ratio <= low else None


@dataclass(frozen=True)
class SequentialTest(_Test):
    """A sequential probability ratio test of two Elo differences: is the first agent stronger by `elo1` rather than
    `elo0`?

    With true difference `elo0` it says `elo1` with probability at most about `alpha`; with `elo1` it says `elo0` with
    at most about `beta`. The result of a deal is the points of the first agent, a game.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    by, unit = WINS, "Elo"

    @property
    def means(self) -> tuple[float, float]:
        return expected_score(self.elo0), expected_score(self.elo1)


@dataclass(frozen=True)
class UtilityTest(_Test):
    """The same of two differences in utility: does the first agent get `utility1` more than the second in a game, in
    the mean, rather than `utility0`? In a zero-sum game of two that is twice what the first agent gets. The result of a
    deal is that difference."""

    utility0: float
    utility1: float
    alpha: float = 0.05
    beta: float = 0.05

    by, unit = UTILITY, "utility"


Test = SequentialTest | UtilityTest


def read_test(
    asked: "tuple[float, float, float, float] | Test", by: str, utility: tuple[float, float] | None
) -> "Test":
    """The test asked for, of Elo or of utility differences as the match is judged. Raises SpecError where it does not
    fit."""
    if isinstance(asked, SequentialTest | UtilityTest):
        test = asked
    else:
        what = "four numbers: two differences, alpha and beta"
        numbers = [given.number("each number of sprt", number) for number in given.several("sprt", asked, what)]
        if not 2 <= len(numbers) <= 4:
            raise SpecError(f"sprt must be {what}, not {given.shown(asked)}")
        test = SequentialTest(*numbers) if by == WINS else UtilityTest(*numbers)
    if test.by != by:
        other = UtilityTest if by == UTILITY else SequentialTest
        raise SpecError(
            f"the match is judged by {by}, so the test must be a {other.__name__}; or set by={test.by!r} (--by "
            f"{test.by})"
        )
    if by == UTILITY:
        if utility is None:
            raise SpecError(
                "a test of utilities must know their range: declare utility=(lowest, highest) in the game's about"
            )
        width = utility[1] - utility[0]
        if not all(abs(mean) < width for mean in test.means):
            raise SpecError(
                f"the test needs two utility differences between {-width:g} and {width:g}, which is all that they can "
                f"be here, not {test.means[0]:g} and {test.means[1]:g}"
            )
    return test


class Sequence:
    """A test at work: it takes in whole deals in their order, and stops at the first that decides. Where there are very
    many different results it looks at them less often (`MANY`), and after the last deal."""

    def __init__(self, test: "Test", schedule: Schedule, utility: tuple[float, float] | None):
        self.test, self.schedule = test, schedule
        self.compared = min(schedule.players, 2)
        """Comparisons a deal; by points each is worth 0, 1/2 or 1."""
        if test.by == WINS:
            self.counts = {i / (2 * self.compared): 0 for i in range(2 * self.compared + 1)}
        else:
            assert utility is not None  # or there is no such test
            self.width = utility[1] - utility[0]
            self.counts = {-self.width: 0, self.width: 0}
        self.reached, self.looked, self.ratio = 0, 0, 0.0

    def decided(self, games: dict[int, Any]) -> bool:
        size = self.schedule.games_a_deal
        while self.test.verdict(self.ratio) is None and all(
            n in games for n in range(self.reached, self.reached + size)
        ):
            self._take([games[n] for n in range(self.reached, self.reached + size)])
            self.reached += size
            if len(self.counts) <= MANY or self.reached >= min(STEP * self.looked, self.schedule.total):
                self.looked, self.ratio = self.reached, self.test.ratio(self.counts)
        return self.test.verdict(self.ratio) is not None

    def _take(self, records: Iterable[Any]) -> None:
        """Count the deal, or where each game has chance of its own the games of either order of the seats. Of one of
        which a game failed nothing is told."""
        results = []
        for c in comparisons(records, self.schedule.players):
            if len(c.agents) == 2:
                me = c.agents.index(0)
                results.append(c.points[me] if self.test.by == WINS else c.margin(me, 1 - me, self.width))
        if len(results) == self.compared:
            result = math.fsum(results) / self.compared
            self.counts[result] = self.counts.get(result, 0) + 1


def _fit(results: np.ndarray, share: np.ndarray, mean: float) -> np.ndarray:
    """The distribution of this mean under which `share` was likeliest: share / (1 + t (result - mean)).

    What t must solve falls from infinity to minus infinity between its two poles: Newton's steps, halving where one
    leaves the interval that is left."""
    away = results - mean
    low, high, t = -1 / away.max(), -1 / away.min(), 0.0
    for _ in range(1000):
        rest = away / (1 + t * away)
        slope = float(share @ rest)
        low, high = (t, high) if slope > 0 else (low, t)
        after = t + slope / float(share @ (rest * rest))
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - t) <= 1e-12 * abs(after) or after in (low, high):
            break
        t = after
    return share / (1 + t * away)
