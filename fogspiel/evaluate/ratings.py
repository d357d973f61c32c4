"""Ratings of several agents from the games between them."""

from collections.abc import Sequence

import numpy as np

from fogspiel.evaluate.statistics import ELO, Comparison, Estimate, normal_quantile


def pairwise(compared: Sequence[Comparison], agents: int) -> np.ndarray:
    """wins[i, j]: how often agent i got more than agent j; a draw is half a win each way."""
    wins = np.zeros((agents, agents))
    for c in compared:
        level = [(p not in c.forfeited, u) for p, u in enumerate(c.utilities)]
        for i in range(len(c.agents)):
            for j in range(i):
                first = 0.5 if level[i] == level[j] else float(level[i] > level[j])
                wins[c.agents[i], c.agents[j]] += first
                wins[c.agents[j], c.agents[i]] += 1 - first
    return wins


def ratings(wins: np.ndarray) -> list[Estimate]:
    """Bradley-Terry strengths in Elo, their mean at 0, fitted to all results at once (choix, I-LSR).

    Every two agents that met are given one more game, a draw, so that who won or lost all its games has a finite rating. The
    intervals are those of the likelihood's curvature at its peak, and of a rating relative to the mean of all; agents that
    no chain of games connects cannot be compared, and each such group has its own mean of 0.
    """
    import choix

    met = wins + wins.T > 0
    wins = wins + 0.5 * met
    strength = np.zeros(len(wins))
    error = np.full(len(wins), np.inf)
    for group in _groups(met):
        if len(group) == 1:
            continue
        own = wins[np.ix_(group, group)]
        found = choix.ilsr_pairwise_dense(own, max_iter=1000)
        strength[group] = found - found.mean()
        chance = 1 / (1 + np.exp(found[None, :] - found[:, None]))
        weight = (own + own.T) * chance * (1 - chance)
        error[group] = np.sqrt(np.diag(np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)))
    wide = normal_quantile(0.975) * error
    return [Estimate(*(float(ELO * x) for x in (s, s - e, s + e))) for s, e in zip(strength, wide, strict=True)]


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
