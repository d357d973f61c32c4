"""Sums and differences of results that have their chance in common, as games of the same deals do: how surely they are
known."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fogspiel.evaluate.samples import Sample, student
from fogspiel.evaluate.statistics import Estimate

Key = tuple[Any, ...]
Weights = Mapping[Key, float]
"""A sum of rows of a table, by their keys."""
Named = frozenset[tuple[tuple[str, ...], float]]


class Joint:
    """The runs behind the rows of a table, `off` being taken off each mean. `known` are the sums that were asked for;
    of a stored table, these are all that there is."""

    def __init__(self, samples: Mapping[Key, Sample], off: float = 0.0):
        self.samples, self.off = samples, off
        self.known: dict[Named, Estimate] = {}

    def estimate(self, weights: Weights) -> Estimate | None:
        """A sum of rows, with Student's interval over deals (or over runs, where all deals were played): those of
        different rows that share one count together, and the degrees of freedom are those of the row with the fewest.
        None where no rows share one, or their spread tells nothing; then they are as good as measured apart."""
        name = named(weights)
        if name not in self.known and all(key in self.samples for key in weights):
            found = self._estimate({key: weight for key, weight in weights.items() if weight})
            if found is not None:
                self.known[name] = found
        return self.known.get(name)

    def _estimate(self, weights: Weights) -> Estimate | None:
        terms = [(weight, self.samples[key]) for key, weight in weights.items()]
        if any(sample.spread is None for _, sample in terms):
            return None
        found = moments(terms)
        if not found.shared or found.variance < 1e-24:
            return None
        return student(found.value - self.off * sum(weights.values()), found.variance, found.freedom)[0]


class Moments(NamedTuple):
    """A sum of means: its value, its variance, the degrees of freedom of that, and whether some of the means share
    deals or runs."""

    value: float
    variance: float
    freedom: float
    shared: bool


def moments(terms: Sequence[tuple[float, Sample]]) -> Moments:
    """Of a sum of means with these weights. A mean whose spread tells nothing adds no variance."""
    apart, freedom = dict[Key, dict[Any, float]](), dict[Key, float]()
    for place, (weight, sample) in enumerate(terms):
        if sample.spread is not None:
            apart[place,] = {name: weight * x for name, x in sample.spread.apart.items()}
            freedom[place,] = sample.spread.freedom
    variances, groups = [], _sharing(apart)
    for group in groups:
        sums: dict[Any, float] = {}
        for key in group:
            for name, x in apart[key].items():
                sums[name] = sums.get(name, 0.0) + x
        variances.append((math.fsum(x * x for x in sums.values()), min(freedom[key] for key in group)))
    variance, value = math.fsum(v for v, _ in variances), sum(weight * sample.mean for weight, sample in terms)
    squares = math.fsum(v * v / n for v, n in variances)
    together = variance**2 / squares if squares else math.inf  # Welch and Satterthwaite
    return Moments(value, variance, together, len(groups) < len(apart))


def named(weights: Weights) -> Named:
    return frozenset((tuple(map(str, key)), round(weight, 9)) for key, weight in weights.items() if weight)


def _sharing(apart: Mapping[Key, Mapping[Any, float]]) -> list[list[Key]]:
    """The rows in groups that share deals, directly or through others."""
    groups: list[tuple[list[Key], set[Any]]] = []
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
