"""What the results of games tell, and how surely. Every interval is a 95 % confidence interval unless said otherwise.

A draw is half a win: in general a game is worth one point, shared by those with the highest utility, and who forfeits gets
none. Games of one deal have the same chance and are not independent, so means are taken over deals (`mean_interval`). Which of
points and utilities a match is judged by, `judging.py` tells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

ELO = 400 / math.log(10)
"""Elo points of one unit of log odds."""


@dataclass(frozen=True)
class Estimate:
    """A value and the interval that it is believed to be in."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """Ready for JSON, which has no infinity: an end that is not finite is null."""
        return {name: value if math.isfinite(value) else None for name, value in vars(self).items()}


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22, Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    fraction, c, d = 1.0, 1.0, 0.0
    for i in range(100_000):
        m = i // 2
        if i == 0:
            step = 1.0
        elif i % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / ((1.0 + step * d) or tiny)
        c = (1.0 + step / c) or tiny
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15 and i > 1:
            break
    return front * (fraction - 1.0) / a


def beta_quantile(p: float, a: float, b: float) -> float:
    """Where the cumulative beta distribution reaches `p`, by bisection."""
    low, high = 0.0, 1.0
    while True:
        x = (low + high) / 2
        if x in (low, high):
            return x
        low, high = (x, high) if incomplete_beta(x, a, b) < p else (low, x)


@lru_cache(maxsize=4096)
def student_quantile(p: float, freedom: int) -> float:
    """Where the cumulative t distribution with so many degrees of freedom reaches `p` (at least 1/2)."""
    x = beta_quantile(2 * (1 - p), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 / x - 1))


def student_share(x: float, freedom: int) -> float:
    """How much of the t distribution with so many degrees of freedom lies below `x`."""
    tail = incomplete_beta(freedom / (freedom + x * x), freedom / 2, 0.5) / 2
    return tail if x < 0 else 1 - tail


def share_interval(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's exact interval of a probability, of which `wins` of `games` were seen."""
    tail = (1 - confidence) / 2
    low = 0.0 if wins == 0 else beta_quantile(tail, wins, games - wins + 1)
    high = 1.0 if wins == games else beta_quantile(1 - tail, wins + 1, games - wins)
    return low, high


def mean_interval(
    values: Sequence[float], deals: Sequence[int], bounds: tuple[float, float], confidence: float = 0.95
) -> Estimate:
    """The mean of a value a game, with Student's interval over deals: games of one deal count together.

    A deal may have been played less often than others (an interrupted match), so the mean is a ratio of sums, with the
    usual linearised variance. Where all deals agree, or there is but one, their spread tells nothing; then the interval
    leaves room for a share of other results within `bounds` that would with 2.5 % probability not have been seen yet. The mean is
    always in its interval.
    """
    mean, n, error = _mean_over_deals(values, deals)
    tail = (1 - confidence) / 2
    if error is not None:
        error *= student_quantile(1 - tail, n - 1)
        return Estimate(mean, min(mean, max(mean - error, bounds[0])), max(mean, min(mean + error, bounds[1])))
    unseen = 1 - tail ** (1 / n)
    return Estimate(mean, mean - unseen * max(mean - bounds[0], 0), mean + unseen * max(bounds[1] - mean, 0))


def mean_superiority(values: Sequence[float], deals: Sequence[int], bounds: tuple[float, float]) -> float:
    """How likely it is that the true mean of a value a game is above zero, games of one deal counting together: the share of
    Student's distribution that is on that side.

    Where all deals agree their spread tells nothing. Then a mean on the other side of zero takes a share of results at the other end of
    `bounds`, and this is how likely it is that so many would have been seen, or a half where that is less. So it is above 97.5 % just
    where the interval of `mean_interval` is above zero.
    """
    mean, n, error = _mean_over_deals(values, deals)
    if error is not None:
        return student_share(mean / error, n - 1)
    if mean == 0:
        return 0.5
    end = min(bounds[0], 0.0) if mean > 0 else max(bounds[1], 0.0)
    missed = min((-end / (mean - end)) ** n, 0.5)
    return 1 - missed if mean > 0 else missed


def _mean_over_deals(values: Sequence[float], deals: Sequence[int]) -> tuple[float, int, float | None]:
    """The mean, the number of deals, and the standard error; None where all deals agree or there is but one."""
    sums: dict[int, tuple[float, int]] = {}
    for deal, value in zip(deals, values, strict=True):
        total, count = sums.get(deal, (0.0, 0))
        sums[deal] = total + value, count + 1
    mean, n = math.fsum(values) / len(values), len(sums)
    squares = math.fsum((total - count * mean) ** 2 for total, count in sums.values())
    known = n > 1 and squares > 1e-18 * max(1.0, mean * mean)
    return mean, n, math.sqrt(squares * n / (n - 1)) / len(values) if known else None


def elo(score: float) -> float:
    """The Elo difference at which so many points a game are expected."""
    return math.copysign(math.inf, score - 0.5) if score in (0, 1) else ELO * math.log(score / (1 - score))


def expected_score(difference: float) -> float:
    """Points a game expected of a player who is so many Elo points stronger."""
    return 1 / (1 + math.exp(-difference / ELO))


def percentage(p: float) -> str:
    """A probability estimated from games as a percentage; no games make anything certain, so it is never 0% or 100%."""
    if p > 0.9999:
        return ">99.99%"
    return "<0.01%" if p < 0.0001 else f"{p:.2%}"


def superiority(wins: int, losses: int) -> float:
    """The likelihood of superiority: how probable it is that a decided game is won more often than lost, after so many wins and
    losses and with all probabilities as likely before. Draws say nothing about it; games count as independent."""
    return 1 - incomplete_beta(0.5, wins + 1, losses + 1)


def points(utilities: Sequence[float], forfeited: Iterable[int] = ()) -> list[float]:
    """One point, shared by those with the highest utility; those at the places `forfeited` get none while others are left."""
    out = set(forfeited)
    left = [p for p in range(len(utilities)) if p not in out] or list(range(len(utilities)))
    most = max(utilities[p] for p in left)
    best = [p for p in left if utilities[p] == most]
    return [1 / len(best) if p in best else 0.0 for p in range(len(utilities))]


@dataclass(frozen=True)
class Seat:
    """What an agent did in one seat."""

    games: int
    wins: int
    draws: int
    losses: int
    points: float
    utility: float | None


@dataclass(frozen=True)
class Standing:
    """What an agent did in a match. `win_rate` is points a game: Clopper and Pearson's interval where there are no draws, else
    Student's over deals; None where the agent met nobody. `seconds` are those it took for its `decisions`."""

    games: int
    wins: int
    draws: int
    losses: int
    points: float
    win_rate: Estimate | None
    utility: Estimate | None
    seats: tuple[Seat, ...]
    forfeits: int
    decisions: int
    seconds: float

    @property
    def seconds_a_move(self) -> float | None:
        return self.seconds / self.decisions if self.decisions else None

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {
            "win_rate": self.win_rate and self.win_rate.as_dict(),
            "utility": self.utility and self.utility.as_dict(),
            "seats": [vars(seat) for seat in self.seats],
            "seconds_a_move": self.seconds_a_move,
        }


@dataclass(frozen=True)
class Comparison:
    """Agents that can be compared, and what each got: those of one game, or all that played one deal of a one-player game."""

    deal: int
    agents: tuple[int, ...]
    seats: tuple[int, ...]
    utilities: tuple[float, ...]
    forfeited: tuple[int, ...] = ()

    @property
    def points(self) -> list[float]:
        return points(self.utilities, self.forfeited)

    def margin(self, i: int, j: int, width: float) -> float:
        """How much more than the agent at place j the one at place i got. `width` is that of the utilities' range: one who forfeits is
        behind by so much where what was written down does not put it behind, as in a game that is not zero-sum."""
        ahead = self.utilities[i] - self.utilities[j]
        if (i in self.forfeited) == (j in self.forfeited):
            return ahead
        sign = -1 if i in self.forfeited else 1
        return ahead if sign * ahead > 0 else sign * width


def comparisons(records: Iterable[Any], players: int) -> list[Comparison]:
    """Who is compared with whom in the finished games of a match (`GameRecord`s, whose `seats` tell the agents)."""
    finished = [r for r in records if r.utilities]
    if players > 1:
        return [
            Comparison(r.deal, r.seats, tuple(range(players)), r.utilities, () if r.forfeit is None else (r.forfeit,))
            for r in finished
        ]
    alone: dict[int, list[Any]] = {}
    for record in finished:
        alone.setdefault(record.deal, []).append(record)
    return [
        Comparison(
            deal, tuple(r.seats[0] for r in group), (0,) * len(group), tuple(r.utilities[0] for r in group),
            tuple(i for i, r in enumerate(group) if r.forfeit is not None),
        )
        for deal, group in alone.items()
    ]  # fmt: skip


def standings(records: Sequence[Any], agents: int, players: int, utility: tuple[float, float]) -> list[Standing]:
    """What each agent did, in the order of their numbers. `utility` bounds the utilities of the game."""
    compared = comparisons(records, players)
    return [_standing(agent, records, compared, players, utility) for agent in range(agents)]


def _standing(
    agent: int, records: Sequence[Any], compared: list[Comparison], players: int, utility: tuple[float, float]
) -> Standing:
    mine = [(r, r.seats.index(agent)) for r in records if r.utilities and agent in r.seats]
    shares = [
        (c.deal, c.seats[at], c.points[at])
        for c in compared
        if len(c.agents) > 1 and agent in c.agents
        for at in [c.agents.index(agent)]
    ]
    got = [share for _, _, share in shares]
    seats = []
    for seat in range(players):
        here = [r.utilities[at] for r, at in mine if at == seat]
        there = [share for _, at, share in shares if at == seat]
        seats.append(Seat(len(here), *_counts(there), math.fsum(there), math.fsum(here) / len(here) if here else None))
    wins, draws, losses = _counts(got)
    rate = None
    if got:
        rate = mean_interval(got, [deal for deal, _, _ in shares], (0.0, 1.0))
        if not draws:
            rate = Estimate(rate.value, *share_interval(wins, len(got)))
    return Standing(
        len(mine), wins, draws, losses, math.fsum(got), rate,
        mean_interval([r.utilities[at] for r, at in mine], [r.deal for r, _ in mine], utility) if mine else None,
        tuple(seats), sum(r.forfeit == at for r, at in mine), sum(r.decisions[at] for r, at in mine), math.fsum(r.seconds[at] for r, at in mine),
    )  # fmt: skip


def _counts(shares: list[float]) -> tuple[int, int, int]:
    """Wins, draws and losses among points."""
    wins, losses = shares.count(1.0), shares.count(0.0)
    return wins, len(shares) - wins - losses, losses


def normal_quantile(p: float) -> float:
    return NormalDist().inv_cdf(p)
