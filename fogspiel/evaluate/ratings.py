"""Ratings of several agents from the games between them."""

from collections.abc import Iterator, Sequence

import numpy as np

from fogspiel.evaluate.statistics import ELO, Comparison, Estimate, normal_quantile, student_quantile


def pairwise(compared: Sequence[Comparison], agents: int) -> np.ndarray:
    """wins[i, j]: how often agent i got more than agent j; a draw is half a win each way."""
    wins = np.zeros((agents, agents))
    for c in compared:
        for one, other, first in _meetings(c):
            wins[one, other] += first
            wins[other, one] += 1 - first
    return wins


def _meetings(c: Comparison) -> Iterator[tuple[int, int, float]]:
    """Every two agents of a game, and whether the first got more than the second; a half where they got the same."""
    level = [(p not in c.forfeited, u) for p, u in enumerate(c.utilities)]
    for i in range(len(c.agents)):
        for j in range(i):
            yield c.agents[i], c.agents[j], 0.5 if level[i] == level[j] else float(level[i] > level[j])


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


def ratings_by_deal(compared: Sequence[Comparison], agents: int, weights: Sequence[float]) -> list[Estimate]:
    """As `ratings`, where games of one deal are not independent, and those of some deals count for more than others (`weights`, one a
    game, of which only the ratios matter). The intervals are Student's over deals, by the spread of the deals' own scores (Liang and Zeger
    1986); where that is nothing, each deal counts as one game."""
    shares = np.array(weights) * len(compared) / sum(weights)
    deals = {deal: k for k, deal in enumerate(dict.fromkeys(c.deal for c in compared))}
    wins = np.zeros((agents, agents))
    for c, share in zip(compared, shares, strict=True):
        for one, other, first in _meetings(c):
            wins[one, other] += share * first
            wins[other, one] += share * (1 - first)
    found = ratings(wins)
    strength = np.array([one.value for one in found]) / ELO
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    score = np.zeros((len(deals), agents))
    for c, share in zip(compared, shares, strict=True):
        for one, other, first in _meetings(c):
            ahead = share * (first - chance[one, other])
            score[deals[c.deal], one] += ahead
            score[deals[c.deal], other] -= ahead
    n, met = len(deals), wins + wins.T > 0
    once = ratings(wins * n / len(compared))
    for group in _groups(met):
        own = np.ix_(group, group)
        weight = (wins + wins.T + met)[own] * (chance * (1 - chance))[own]
        rest = (score - score.mean(axis=0))[:, group] @ np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
        spread = np.sqrt((rest**2).sum(axis=0))
        known = len(group) > 1 and n > 1 and spread.max() > 1e-9
        half = ELO * student_quantile(0.975, n - 1) * spread * np.sqrt(n / (n - 1)) if known else None
        for place, agent in enumerate(group):
            value, wide = found[agent].value, (once[agent].high - once[agent].low) / 2
            wide = wide if half is None else float(half[place])
            found[agent] = Estimate(value, value - wide, value + wide)
    return found


def utility_ratings(compared: Sequence[Comparison], agents: int, width: float) -> list[Estimate]:
    """Ratings with their mean at 0 of which the difference of any two is the lead to be expected between these agents: how much more
    utility the one gets in a game than the other. Fitted by least squares to these leads in every game between two (`width` is
    that of the utilities' range).

    The intervals are Student's over deals, which are independent while the games of one are not: the spread of the deals' own
    sums about the fit (Liang and Zeger 1986). Where that is nothing, they leave room for what would with 2.5 % probability not have been
    seen yet. Agents that no chain of games connects have each group their own mean of 0.
    """
    deals = {deal: k for k, deal in enumerate(dict.fromkeys(c.deal for c in compared))}
    ahead = np.zeros((len(deals), agents))
    meetings = np.zeros((len(deals), agents, agents))
    for c in compared:
        k = deals[c.deal]
        for i, first in enumerate(c.agents):
            for j, second in enumerate(c.agents):
                if i != j:
                    ahead[k, first] += c.margin(i, j, width)
                    meetings[k, first, second] += 1
    laplacian = np.array([np.diag(met.sum(axis=1)) - met for met in meetings]).reshape(-1, agents, agents)
    n, value, error = len(deals), np.zeros(agents), np.full(agents, np.inf)
    for group in _groups(meetings.sum(axis=0) > 0):
        if len(group) == 1:
            continue
        inverse = np.linalg.pinv(laplacian.sum(axis=0)[np.ix_(group, group)])
        own = inverse @ ahead.sum(axis=0)[group]
        rest = ahead[:, group] - laplacian[:, group][:, :, group] @ own
        value[group], spread = own, np.sqrt(((rest @ inverse) ** 2).sum(axis=0))
        if n > 1 and spread.max() > 1e-9 * width:
            error[group] = student_quantile(0.975, n - 1) * spread * np.sqrt(n / (n - 1))
        else:
            error[group] = width * (1 - 0.025 ** (1 / n))
    return [Estimate(*(float(x) for x in (v, v - e, v + e))) for v, e in zip(value, error, strict=True)]


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
