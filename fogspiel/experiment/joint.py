"""Sums and differences of results that have their luck in common, as games of the same deals do: how surely they are known."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fogspiel.evaluate.statistics import Estimate, student_quantile

Key = tuple[Any, ...]
Weights = Mapping[Key, float]
"""A sum of rows of a table, by their keys."""
Named = frozenset[tuple[tuple[str, ...], float]]


class Joint:
    """The runs behind the rows of a table: of each row what every run came to, and which deal it had its luck from. `known` are the sums
    that were asked for; of a stored table, these are all that there is."""

    def __init__(self, runs: Mapping[Key, Sequence[tuple[float, int]]], off: float = 0.0):
        self.runs, self.off = runs, off
        self.known: dict[Named, Estimate] = {}

    def estimate(self, weights: Weights) -> Estimate | None:
        """A sum of rows, with Student's interval over deals: those of different rows that share a deal count together, and the degrees of
        freedom are those of the row with the fewest. None where no rows share one, or their spread tells nothing; then they are as good as measured apart."""
        name = named(weights)
        if name not in self.known and all(key in self.runs for key in weights):
            found = self._estimate({key: weight for key, weight in weights.items() if weight})
            if found is not None:
                self.known[name] = found
        return self.known.get(name)

    def _estimate(self, weights: Weights) -> Estimate | None:
        value, apart = 0.0, {}  # by row and deal, how far what the row got there is from what it gets in the mean
        for key, weight in weights.items():
            runs = self.runs[key]
            mean = math.fsum(x for x, _ in runs) / len(runs)
            value += weight * (mean - self.off)
            here: dict[int, float] = {}
            for x, deal in runs:
                here[deal] = here.get(deal, 0.0) + weight * (x - mean) / len(runs)
            if len(here) < 2 or max(map(abs, here.values())) < 1e-12:
                return None
            apart[key] = here
        groups = _sharing(apart)
        if len(groups) == len(apart):
            return None
        variances = []
        for group in groups:
            sums: dict[int, float] = {}
            for key in group:
                n = len(apart[key])
                for deal, x in apart[key].items():
                    sums[deal] = sums.get(deal, 0.0) + x * math.sqrt(n / (n - 1))
            fewest = min(len(apart[key]) for key in group)
            variances.append((math.fsum(x * x for x in sums.values()), fewest - 1))
        variance = math.fsum(v for v, _ in variances)
        if variance < 1e-24:
            return None
        freedom = variance**2 / math.fsum(v * v / n for v, n in variances)  # Welch and Satterthwaite
        half = math.sqrt(variance) * student_quantile(0.975, max(1, int(freedom + 1e-9)))
        return Estimate(value, value - half, value + half)


def named(weights: Weights) -> Named:
    return frozenset((tuple(map(str, key)), round(weight, 9)) for key, weight in weights.items() if weight)


def _sharing(apart: Mapping[Key, Mapping[int, float]]) -> list[list[Key]]:
    """The rows in groups that share deals, directly or through others."""
    groups: list[tuple[list[Key], set[int]]] = []
    for key, deals in apart.items():
        mine, all_deals = [key], set(deals)
        rest = []
        for keys, others in groups:
            if all_deals.isdisjoint(others):
                rest.append((keys, others))
            else:
                mine, all_deals = keys + mine, all_deals | others
        groups = [*rest, (mine, all_deals)]
    return [keys for keys, _ in groups]
