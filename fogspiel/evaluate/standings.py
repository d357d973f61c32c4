"""What agents did in the games of a match: wins, draws, losses, points and utility.

A draw is half a win: in general a game is worth one point, shared by those with the highest utility, and who forfeits
gets none. Which of points and utilities a match is judged by, `judging.py` tells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fogspiel.evaluate.samples import sample
from fogspiel.evaluate.statistics import Estimate


def points(utilities: Sequence[float], forfeited: Iterable[int] = ()) -> list[float]:
    """One point, shared by those with the highest utility; those at the places `forfeited` get none while others are
    left."""
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
    """What an agent did in a match. `win_rate` is points a game; None where the agent met nobody. Intervals are over
    deals. `seconds` are those it took for its `decisions`."""

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
    """Agents that can be compared, and what each got: those of one game, or all that played one deal of a one-player
    game."""

    deal: int
    agents: tuple[int, ...]
    seats: tuple[int, ...]
    utilities: tuple[float, ...]
    forfeited: tuple[int, ...] = ()

    @property
    def points(self) -> list[float]:
        return points(self.utilities, self.forfeited)

    def margin(self, i: int, j: int, width: float) -> float:
        """How much more than the agent at place j the one at place i got. `width` is that of the utilities' range: one
        who forfeits is behind by so much where what was written down does not put it behind, as in a game that is not
        zero-sum."""
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
            deal,
            tuple(r.seats[0] for r in group),
            (0,) * len(group),
            tuple(r.utilities[0] for r in group),
            tuple(i for i, r in enumerate(group) if r.forfeit is not None),
        )
        for deal, group in alone.items()
    ]


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
    rate = sample(got, [deal for deal, _, _ in shares]).interval((0.0, 1.0)) if got else None
    return Standing(
        len(mine),
        wins,
        draws,
        losses,
        math.fsum(got),
        rate,
        sample([r.utilities[at] for r, at in mine], [r.deal for r, _ in mine]).interval(utility) if mine else None,
        tuple(seats),
        sum(r.forfeit == at for r, at in mine),
        sum(r.decisions[at] for r, at in mine),
        math.fsum(r.seconds[at] for r, at in mine),
    )


def _counts(shares: list[float]) -> tuple[int, int, int]:
    """Wins, draws and losses among points."""
    wins, losses = shares.count(1.0), shares.count(0.0)
    return wins, len(shares) - wins - losses, losses
