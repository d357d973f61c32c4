"""Ratings of several agents from the games between them."""

from collections.abc import Hashable, Iterator, Sequence

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
    """Every two seats of different agents in a game, and whether the first got more than the second; a half where they got the same."""
    level = [(p not in c.forfeited, u) for p, u in enumerate(c.utilities)]
    for i in range(len(c.agents)):
        for j in range(i):
            if c.agents[i] != c.agents[j]:
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


def ratings_by_deal(
    compared: Sequence[Comparison], agents: int, weights: Sequence[float], settings: Sequence[Hashable] | None = None
) -> list[Estimate]:
    """As `ratings`, where games of one deal are not independent, and those of some deals count for more than others (`weights`, one a
    game, of which only the ratios matter). Of a game in which an agent has several seats, each of them meets those of the others. The intervals are
    Student's over the deals in which an agent met others, by the spread of the deals' own scores (Liang and Zeger 1986); where an agent's are all
    alike, they are no narrower than if it had met each other agent once in a deal.

    With `settings`, one a game, all deals were played, and weights are their probabilities: what varies is how games of one deal in one setting
    went, and of an agent of whom that tells nothing, there is no interval."""
    shares = np.array(weights) * len(compared) / sum(weights)
    number: dict[Hashable, int] = {}
    deals = np.array([number.setdefault(c.deal, len(number)) for c in compared])
    wins, there = np.zeros((agents, agents)), np.zeros((len(number), agents, agents), bool)
    for c, deal, share in zip(compared, deals, shares, strict=True):
        for one, other, first in _meetings(c):
            wins[one, other] += share * first
            wins[other, one] += share * (1 - first)
            there[deal, one, other] = there[deal, other, one] = True
    found, total = ratings(wins), wins + wins.T
    met = total > 0
    strength = np.array([one.value for one in found]) / ELO
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    score = np.zeros((len(compared), agents))
    for own, c, share in zip(score, compared, shares, strict=True):
        for one, other, first in _meetings(c):
            ahead = share * (first - chance[one, other])
            own[one] += ahead
            own[other] -= ahead
    once = ratings(wins * there.sum(axis=0) / np.where(met, total, 1))
    for group in (group for group in _groups(met) if len(group) > 1):
        own = np.ix_(group, group)
        weight = (total + met)[own] * (chance * (1 - chance))[own]
        inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
        if settings is None:
            least = np.array([one.high - one.value for one in once])[group] / ELO
            half = _over_deals(score[:, group], deals, there.any(axis=2)[:, group], inverse, least)
        else:
            half = _over_plays(score[:, group], list(zip(settings, deals.tolist(), strict=True)), shares, inverse)
        for agent, wide in zip(group, (ELO * half).tolist(), strict=True):
            found[agent] = Estimate(found[agent].value, found[agent].value - wide, found[agent].value + wide)
    return found


def _over_deals(
    score: np.ndarray, deals: np.ndarray, there: np.ndarray, inverse: np.ndarray, least: np.ndarray
) -> np.ndarray:
    """Half the width of each agent's interval, by the scores of games, and who took part in which deal."""
    sums = np.zeros(there.shape)
    np.add.at(sums, deals, score)
    n = there.sum(axis=0)
    apart = np.where(there, sums - sums.sum(axis=0) / n, 0.0)
    error = np.sqrt(((apart @ inverse) ** 2).sum(axis=0) * n / np.maximum(n - 1, 1))
    half = np.array([student_quantile(0.975, max(1, count - 1)) for count in n.tolist()]) * error
    return np.where((n > 1) & (np.abs(apart).max(axis=0) > 1e-9), half, np.maximum(half, least))


def _over_plays(score: np.ndarray, strata: Sequence[Hashable], shares: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Half the width of each agent's interval, by the scores of games that differ in how one deal was played in one setting. A game that was
    played once counts as uncertain as the rest. Of an agent whose own scores are alike nothing is known, however much those of others vary."""
    number: dict[Hashable, int] = {}
    stratum = np.array([number.setdefault(one, len(number)) for one in strata])
    count = np.bincount(stratum)
    again = (count > 1)[stratum]
    if not again.any():
        return np.full(len(inverse), np.inf)
    sums, variances = np.zeros((2, len(count), len(inverse)))
    np.add.at(sums, stratum, score)
    own = score - (sums / count[:, None])[stratum]
    np.add.at(variances, stratum, (own @ inverse) ** 2)
    variances *= (count / np.maximum(count - 1, 1))[:, None]
    variance, squares = variances.sum(axis=0), (variances**2 / np.maximum(count - 1, 1)[:, None]).sum(axis=0)
    half = np.full(len(inverse), np.inf)
    for agent in np.flatnonzero((np.abs(own).max(axis=0) > 1e-9) & (variance > 1e-18)).tolist():
        freedom = max(1, int(variance[agent] ** 2 / squares[agent] + 1e-9))  # Welch and Satterthwaite
        half[agent] = student_quantile(0.975, freedom) * np.sqrt(variance[agent])
    return half * np.sqrt((shares**2).sum() / (shares[again] ** 2).sum())


def utility_ratings(compared: Sequence[Comparison], agents: int, width: float) -> list[Estimate]:
    """Ratings with their mean at 0 of which the difference of any two is the lead to be expected between these agents: how much more
    utility the one gets in a game than the other. Fitted by least squares to these leads in every game between two (`width` is
    that of the utilities' range).

    The intervals are Student's over the deals in which an agent met others, which are independent while the games of one are not: the
    spread of the deals' own sums about the fit (Liang and Zeger 1986). Where an agent's are all alike, they leave room for what would with
    2.5 % probability not have been seen yet. Agents that no chain of games connects have each group their own mean of 0.
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
    there = meetings.any(axis=2)
    value, error = np.zeros(agents), np.full(agents, np.inf)
    for group in _groups(meetings.sum(axis=0) > 0):
        if len(group) == 1:
            continue
        inverse = np.linalg.pinv(laplacian.sum(axis=0)[np.ix_(group, group)])
        value[group] = own = inverse @ ahead.sum(axis=0)[group]
        rest = ahead[:, group] - laplacian[:, group][:, :, group] @ own
        n = there[:, group].sum(axis=0)
        half = np.array([student_quantile(0.975, max(1, count - 1)) for count in n.tolist()])
        half *= np.sqrt(((rest @ inverse) ** 2).sum(axis=0) * n / np.maximum(n - 1, 1))
        told = (n > 1) & (np.abs(rest).max(axis=0) > 1e-9 * width)
        error[group] = np.where(told, half, np.maximum(half, width * (1 - 0.025 ** (1 / n))))
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
