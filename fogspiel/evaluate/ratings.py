"""Ratings of several agents from the games between them."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fogspiel.evaluate.samples import Limits, Sample, Spread, interval, sample_of
from fogspiel.evaluate.standings import Comparison
from fogspiel.evaluate.statistics import ELO, Estimate

SHARE = (0.0, 1.0)


def ratings(
    compared: Sequence[Comparison],
    agents: int,
    weights: Sequence[float] | None = None,
    settings: Sequence[Hashable] | None = None,
) -> list[Estimate]:
    """Bradley-Terry strengths in Elo, their mean at 0, fitted to all results at once (choix, I-LSR), a draw being half
    a win each way. Games count by their `weights`, one a game, of which only the ratios matter. Of a game in which an
    agent has several seats, each of them meets those of the others. Every two agents that met are given one more game,
    a draw, so that who won or lost all its games has a finite rating. Agents that no chain of games connects cannot be
    compared, and each such group has its own mean of 0.

    With `settings`, one a game, all deals were played, and weights are their probabilities: what varies is how games of
    one deal in one setting went, and of an agent of whom that tells nothing, there is no interval."""

    def points(c: Comparison, i: int, j: int) -> float:
        first, second = ((p not in c.forfeited, c.utilities[p]) for p in (i, j))
        return 0.5 if first == second else float(first > second)

    met = _Meetings.of(compared, agents, points, weights, settings)
    won = met.summed(met.weight * met.got, met.weight * (1 - met.got))
    games = won + won.T
    strength = strengths(won)
    chance = 1 / (1 + np.exp(strength[met.second] - strength[met.first]))
    share = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    found = _estimated(met, strength, chance, games * share * (1 - share), SHARE, _by_log_odds)
    return [Estimate(*(ELO * x for x in (one.value, one.low, one.high))) for one in found]


def strengths(won: np.ndarray) -> np.ndarray:
    """The likeliest strengths of Bradley and Terry (1952), in units of log odds, when agent i got `won[i, j]` points
    from agent j, and one more game of these two was drawn."""
    import choix

    met = won + won.T > 0
    found = np.zeros(len(won))
    for group in _groups(met):
        if len(group) > 1:
            own = choix.ilsr_pairwise_dense((won + 0.5 * met)[np.ix_(group, group)], max_iter=1000)
            found[group] = own - own.mean()
    return found


def utility_ratings(compared: Sequence[Comparison], agents: int, width: float) -> list[Estimate]:
    """Ratings with their mean at 0 of which the difference of any two is the lead to be expected between these agents:
    how much more utility the one gets in a game than the other. Fitted by least squares to these leads in every game
    between two (`width` is that of the utilities' range). Agents that no chain of games connects have each group their
    own mean of 0."""
    met = _Meetings.of(compared, agents, lambda c, i, j: c.margin(i, j, width))
    games = met.summed(met.weight, met.weight)
    ahead = met.summed(met.weight * met.got, -met.weight * met.got).sum(axis=1)
    strength = np.linalg.pinv(_laplacian(games)) @ ahead
    expected = strength[met.first] - strength[met.second]
    return _estimated(met, strength, expected, games, (-width, width), lambda at, x: x - at)


@dataclass(frozen=True)
class _Meetings:
    """Every two seats of different agents in a game: the game's place, the agents, what the first got of the second,
    and the game's weight. `games` has an entry for each game, if there are any."""

    agents: int
    game: np.ndarray
    first: np.ndarray
    second: np.ndarray
    got: np.ndarray
    weight: np.ndarray
    games: Sample | None

    @classmethod
    def of(
        cls,
        compared: Sequence[Comparison],
        agents: int,
        got: Callable[[Comparison, int, int], float],
        weights: Sequence[float] | None = None,
        settings: Sequence[Hashable] | None = None,
    ) -> "_Meetings":
        rows = [
            (game, c.agents[i], c.agents[j], got(c, i, j))
            for game, c in enumerate(compared)
            for i in range(len(c.agents))
            for j in range(i)
            if c.agents[i] != c.agents[j]
        ]
        game, first, second, results = np.array(rows, float).reshape(-1, 4).T
        place, each = game.astype(int), weights or [1.0] * len(compared)
        share = np.array(each) * len(each) / sum(each)
        cells = settings or [None] * len(compared)
        played = [(0.0, c.deal, each[i], (cells[i], i)) for i, c in enumerate(compared)]
        games = sample_of(played, settings is not None) if played else None
        return cls(agents, place, first.astype(int), second.astype(int), results, share[place], games)

    def summed(self, mine: np.ndarray, others: np.ndarray) -> np.ndarray:
        """A number for each meeting, added up by the first agent and the second, and another by the second and the
        first."""
        found = np.zeros((self.agents, self.agents))
        np.add.at(found, (self.first, self.second), mine)
        np.add.at(found, (self.second, self.first), others)
        return found


def _estimated(
    met: _Meetings,
    strength: np.ndarray,
    expected: np.ndarray,
    information: np.ndarray,
    limits: Limits,
    between: Callable[[float, float], float],
) -> list[Estimate]:
    """Strengths with intervals by how far each deal moved them (Liang and Zeger 1986). What all games of an agent
    together could move its strength by is what their results could at either end of the `limits`: what they did is a
    share of that, and `between` tells how far two shares are apart where it is strengths that are counted."""
    games = met.games
    if games is None:
        return [Estimate(value, -math.inf, math.inf) for value in strength.tolist()]
    inverse = np.linalg.pinv(_laplacian(information))
    apart = inverse[:, met.first] - inverse[:, met.second]
    there = np.array([(met.first == agent) | (met.second == agent) for agent in range(met.agents)])
    ends = [there * met.weight * (end - expected) * apart for end in limits]
    low, high = np.minimum(*ends).sum(axis=1), np.maximum(*ends).sum(axis=1)
    ahead = met.weight * (met.got - expected)
    done = (there * ahead * apart).sum(axis=1)
    moved, own = np.zeros((2, len(games.values), met.agents))
    np.add.at(moved, met.game, (ahead * apart).T)
    np.add.at(own, met.game, (ahead * there).T * np.where(met.first[:, None] == np.arange(met.agents), 1, -1))
    found = []
    for agent, value in enumerate(strength.tolist()):
        all_moved, its_own = (replace(games, values=x[:, agent] / games.coefficients) for x in (moved, own))
        deals, spread = len(np.unique(games.deals[met.game[there[agent]]])), all_moved.spread
        if deals == 0:
            found.append(Estimate(value, -math.inf, math.inf))
            continue
        width = float(high[agent] - low[agent])
        if spread is not None:
            freedom = spread.freedom if games.whole else min(spread.freedom, max(deals - 1, 1))
            spread = Spread({name: x / width for name, x in spread.apart.items()}, freedom)
        at, seen = (float(x - low[agent]) / width for x in (0.0, done[agent]))
        told = deals > 1 and its_own.spread is not None
        share = interval(min(max(seen, 0.0), 1.0), spread, min(deals, all_moved.independent), SHARE, told=told)
        below, above = (width * between(at, x) for x in (share.low, share.high))
        found.append(Estimate(value, value + min(below, 0.0), value + max(above, 0.0)))
    return found


def _by_log_odds(at: float, share: float) -> float:
    """How far a share is from another in log odds, in units that are those of shares there."""
    if share in SHARE:
        return math.copysign(math.inf, share - 0.5)
    return at * (1 - at) * (math.log(share / (1 - share)) - math.log(at / (1 - at)))


def _laplacian(games: np.ndarray) -> np.ndarray:
    return np.diag(games.sum(axis=1)) - games


def _groups(met: np.ndarray) -> list[list[int]]:
    """Agents that are connected by games."""
    left, groups = set(range(len(met))), []
    while left:
        group, todo = set(), [min(left)]
        while todo:
            one = todo.pop()
            if one not in group:
                group.add(one)
                todo.extend(np.flatnonzero(met[one]).tolist())
        left -= group
        groups.append(sorted(group))
    return groups
