"""What a row of a table was found from, and how far its mean may be off: by the deals that were drawn, or where all of them were played,
by how each was played."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.evaluate.statistics import Estimate, student_quantile, student_share

CERTAIN = 1e-6
"""Probabilities of deals that sum to one but for this are those of all deals."""


@dataclass(frozen=True)
class Sample:
    """The results behind a mean, one entry of each array for each: `values`; `deals`, what they have their chance from, which is
    the same for results that are not independent; `weights` of these deals; `runs`, and the settings that these are of (`cells`). The last
    are places in `deal_names` and `run_names`. Of deals that were all played (`whole`) weights are probabilities, and the mean is theirs;
    else deals are a sample of all."""

    values: np.ndarray
    deals: np.ndarray
    weights: np.ndarray
    runs: np.ndarray
    cells: np.ndarray
    deal_names: list[Any]
    run_names: list[Any]
    whole: bool = False

    @cached_property
    def mean(self) -> float:
        """The mean of all values, or where deals are weighted, of the deals' means."""
        if not self.weighted:
            return math.fsum(self.values) / len(self.values)
        return math.fsum(self.coefficients * self.values)

    @cached_property
    def weighted(self) -> bool:
        return self.whole or bool((self.weights != self.weights[0]).any())

    @cached_property
    def coefficients(self) -> np.ndarray:
        """By how much each value counts in the mean."""
        if not self.weighted:
            return np.full(len(self.values), 1 / len(self.values))
        count, share = np.bincount(self.deals), np.empty(len(self.deal_names))
        share[self.deals] = self.weights
        return (share / share.sum() / count)[self.deals]

    @cached_property
    def spread(self) -> "Spread | None":
        """None where it tells nothing: of a single deal, or where all are alike; of all deals where each was played once, or
        always alike."""
        return _of_plays(self) if self.whole else _of_deals(self)


@dataclass(frozen=True)
class Spread:
    """How far independent things moved a mean, by their names: the variance of the mean is the sum of the squares. `freedom` is that of
    Student's distribution."""

    apart: Mapping[Any, float]
    freedom: float


def sample_of(rows: Iterable[tuple[float, Any, float, tuple[Any, Any]]], whole: bool = False) -> Sample:
    """Of values, each with its deal, the deal's weight, and its cell and run."""
    values, deals, weights, runs = zip(*rows, strict=True)
    dealt, played, cells = _numbered(deals), _numbered(runs), _numbered([cell for cell, _ in runs])
    return Sample(
        np.array(values, float), dealt[0], np.array(weights, float), played[0], cells[0], dealt[1], played[1], whole
    )


def _numbered(names: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    known: dict[Any, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names]), list(known)


def _of_deals(sample: Sample) -> Spread | None:
    """Deals are drawn; the mean is a ratio of sums over them, with the usual linearised variance. Of deals with weights few may count
    for nearly all: the variance is that of deals that vary alike, and the degrees of freedom are those of so many of equal weight as would leave
    the mean as uncertain (Kish 1965)."""
    n, apart = len(sample.deal_names), np.bincount(sample.deals, sample.coefficients * (sample.values - sample.mean))
    share, freedom = np.bincount(sample.deals, sample.coefficients), n - 1.0
    if n < 2 or share.max() > 1 - CERTAIN or _is_nothing(apart, sample):
        return None
    if sample.weighted:
        alike = float((share**2).sum())
        freedom = 1 / alike - 1
        apart *= math.sqrt(alike / float((share**2 * (1 - 2 * share + alike)).sum()))
    else:
        apart *= math.sqrt(n / (n - 1))
    return Spread(dict(zip(sample.deal_names, apart.tolist(), strict=True)), freedom)


def _of_plays(sample: Sample) -> Spread | None:
    """All deals are there, so that what varies is how each was played: the spread of runs of one deal in one setting. What was played once
    counts as uncertain as the rest."""
    part = np.bincount(sample.runs, sample.coefficients * sample.values)
    square = np.bincount(sample.runs, sample.coefficients) ** 2
    of_run = np.empty(len(part), int)
    of_run[sample.runs] = sample.cells * len(sample.deal_names) + sample.deals
    stratum, _ = _numbered(of_run.tolist())
    count = np.bincount(stratum)
    apart = part - (np.bincount(stratum, part) / count)[stratum]
    again = (count > 1)[stratum]
    if not again.any() or _is_nothing(apart, sample):
        return None
    apart[again] *= np.sqrt(count / np.maximum(count - 1, 1))[stratum][again]
    apart *= math.sqrt(square.sum() / square[again].sum())
    variances = np.bincount(stratum, apart**2)
    freedom = variances.sum() ** 2 / (variances**2 / np.maximum(count - 1, 1)).sum()  # Welch and Satterthwaite
    return Spread(dict(zip(sample.run_names, apart.tolist(), strict=True)), float(freedom))


def _is_nothing(apart: np.ndarray, sample: Sample) -> bool:
    """Whether all are alike, but for rounding."""
    return float((apart**2).sum()) <= 1e-18 * max(1.0, sample.mean**2) * float(sample.coefficients.max()) ** 2


def student(mean: float, variance: float, freedom: float, confidence: float = 0.95) -> tuple[Estimate, float]:
    """Student's interval of a mean, and how likely one so far from 0 would be if it were 0."""
    error, whole = math.sqrt(variance), max(1, int(freedom + 1e-9))
    half = error * student_quantile((1 + confidence) / 2, whole)
    return Estimate(mean, mean - half, mean + half), 2 * student_share(-abs(mean) / error, whole)
