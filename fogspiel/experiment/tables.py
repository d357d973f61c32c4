"""Tables of results: a row for every value of some columns, with a mean and its interval."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.evaluate.statistics import Estimate, mean_interval, share_interval, student_quantile
from fogspiel.experiment.joint import Joint, Weights
from fogspiel.experiment.verdict import Answer
from fogspiel.game.spec import suggestion

INTERVALS = ("auto", "clopper-pearson", "student", "bootstrap", "none")
SHARE, UNBOUNDED = (0.0, 1.0), (-math.inf, math.inf)
FROM_ZERO = (0.0, math.inf)
KNOWN = {"points": SHARE, "wins": SHARE, "percent": (0.0, 100.0), "exploitability": FROM_ZERO, "seconds": FROM_ZERO}
"""The bounds of what is measured, by the names of measures."""
COUNTED = {"cell", "run", "deal", "seed", "weight", "place", "seat", "role", "subject"}
"""Columns of numbers that tell runs apart, of which no mean is taken."""
ROUNDING = 1e-9
"""By so much what is never negative may come out below 0."""
RESAMPLES = 2000
"""How often the bootstrap draws deals anew."""


@dataclass(frozen=True)
class Row:
    """What was found for one value of the columns, and what was printed, if anything was."""

    key: tuple[Any, ...]
    estimate: Estimate
    runs: int
    deals: int
    printed: float | None = None
    luck: "Luck | None" = field(init=False, default=None, compare=False, repr=False)
    """What it has in common with other rows, if that is known; one that is changed has nothing."""

    def with_luck(self, luck: "Luck | None") -> "Row":
        object.__setattr__(self, "luck", luck)
        return self

    @property
    def value(self) -> float:
        return self.estimate.value

    @property
    def low(self) -> float:
        return self.estimate.low

    @property
    def high(self) -> float:
        return self.estimate.high

    @property
    def half(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    def above(self, bound: "float | Row") -> Answer:
        """Whether the mean is above a number, or above that of another row; None where intervals cannot tell, or that of the difference
        where both were measured on the same deals."""
        if isinstance(bound, Row) and (apart := in_common((1, self), (-1, bound))) is not None:
            return apart.above(0)
        low, high = (bound.low, bound.high) if isinstance(bound, Row) else (bound, bound)
        return True if self.low > high else False if self.high <= low else None

    def below(self, bound: "float | Row") -> Answer:
        """Whether the mean is below a number, or below that of another row; None where intervals cannot tell, as with `above`."""
        if isinstance(bound, Row) and (apart := in_common((1, self), (-1, bound))) is not None:
            return apart.below(0)
        low, high = (bound.low, bound.high) if isinstance(bound, Row) else (bound, bound)
        return True if self.high < low else False if self.low >= high else None

    def inside(self, low: float, high: float) -> Answer:
        """Whether the mean is between two numbers; None where the interval cannot tell."""
        return True if low <= self.low and self.high <= high else False if self.high < low or self.low > high else None

    def near(self, printed: float, within: float = 0.0) -> bool:
        """Whether a printed number is in the interval, or no farther from it than `within`."""
        return self.low - within <= printed <= self.high + within


@dataclass(frozen=True)
class Luck:
    """A row as a sum of rows of a table whose runs are known, and of a constant."""

    joint: Joint
    weights: Weights
    constant: float = 0.0


def in_common(*terms: tuple[float, Row]) -> Row | None:
    """A sum of rows with these weights, by the deals that they share; None where they share none. A row that is nothing but a number is a
    constant."""
    luck = sum_of_luck(*terms)
    found = None if luck is None else luck.joint.estimate(luck.weights)
    if luck is None or found is None:
        return None
    runs, deals = sum(row.runs for _, row in terms), max(row.deals for _, row in terms)
    moved = Estimate(*(x + luck.constant for x in (found.value, found.low, found.high)))
    return Row((), moved, runs, deals).with_luck(luck)


def sum_of_luck(*terms: tuple[float, Row]) -> Luck | None:
    """What a sum of rows has in common with others; None where they are not all of one table."""
    joint, weights, constant = None, dict[Any, float](), 0.0
    for weight, row in terms:
        if row.luck is None and row.runs == 0 and row.low == row.high:
            constant += weight * row.value
        elif row.luck is None or joint not in (None, row.luck.joint):
            return None
        else:
            joint, constant = row.luck.joint, constant + weight * row.luck.constant
            for key, share in row.luck.weights.items():
                weights[key] = weights.get(key, 0.0) + weight * share
    return None if joint is None else Luck(joint, weights, constant)


@dataclass(frozen=True)
class Table:
    """Rows by the values of the columns `by`. `table["rm", "oos"]` is the row of these values; of one column,
    `table["rm"]`."""

    by: tuple[str, ...]
    measure: str
    rows: tuple[Row, ...]

    def __getitem__(self, key: Any) -> Row:
        wanted = key if isinstance(key, tuple) else (key,)
        for row in self.rows:
            if row.key == wanted or tuple(map(str, row.key)) == tuple(map(str, wanted)):
                return row
        raise SpecError(f"the table by {', '.join(self.by)} has no row {', '.join(map(str, wanted))}")

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def values(self, column: str) -> list[Any]:
        """The values of one of the columns, in their order."""
        return list(dict.fromkeys(row.key[self.by.index(column)] for row in self.rows))

    def agrees(self, within: float = 0.0) -> bool:
        """Whether every printed number is in its interval, or no farther from it than `within`. Raises SpecError where no row
        has one."""
        printed = [(row, row.printed) for row in self.rows if row.printed is not None]
        if not printed:
            raise SpecError(f"nothing is printed for any row of the table by {', '.join(self.by)}")
        return all(row.near(known, within) for row, known in printed)

    def as_dict(self) -> dict[str, Any]:
        return {
            "by": list(self.by), "measure": self.measure,
            "rows": [
                dict(zip(self.by, row.key, strict=True)) | {"runs": row.runs, "deals": row.deals} | row.estimate.as_dict()
                | ({} if row.printed is None else {"printed": row.printed})
                for row in self.rows
            ],
        }  # fmt: skip


def observations(rows: Iterable[dict[str, Any]], *, everyone: bool = False) -> Iterator[dict[str, Any]]:
    """The rows that count, with the columns `agent`, `seat`, `wins` and `percent` for games, and `opponent` where there
    are two seats. Where a lineup says whose result counts, only that one's rows are left, unless `everyone`."""
    for row in rows:
        if "points" not in row or "subject" not in row:
            yield row
            continue
        seat, role = row["place"], row.get("role")
        mine = seat if role is None else role
        if not everyone and row["subject"] is not None and mine != row["subject"]:
            continue
        label = row.get(f"seat {seat}" if role is None else f"role {role}")
        more = {"agent": label, "seat": seat, "wins": float(row["points"] == 1), "percent": 100 * row["points"]}
        if role is None and "seat 1" in row and "seat 2" not in row:
            more["opponent"] = row[f"seat {1 - seat}"]
        yield row | more


def tabulate(
    rows: Iterable[Mapping[str, Any]],
    by: Sequence[str],
    measure: str,
    *,
    printed: Mapping[Any, float] | None = None,
    bounds: tuple[float, float] | None = None,
    interval: str = "auto",
    confidence: float = 0.95,
    off: float = 0.0,
) -> Table:
    """The mean of `measure` for each value of the columns `by`, less `off`.

    Intervals: Clopper and Pearson's where every value is one of two (as wins are) and no deal was played twice, else Student's over deals;
    `bootstrap` draws deals anew; `none` is for what has no luck in it. `bounds` are those of the values, where they are
    known, and so are those of intervals: exploitability is never below 0. Where they are not known, or are infinite, values that are all
    alike, or of one deal, have no interval.
    """
    interval = given.choice("interval", interval, INTERVALS)
    groups: dict[tuple[Any, ...], list[tuple[float, int, float]]] = {}
    named: dict[Any, int] = {}
    for row in once(rows, by):
        key = tuple(column_of(row, name) for name in by)
        value = measure_of(row, measure)
        if value is not None:
            groups.setdefault(key, []).append(
                (float(value), named.setdefault(_luck(row), len(named)), float(row["weight"]))
            )
    numbers = {_text(k): v for k, v in (printed or {}).items()}
    seen = [value for group in groups.values() for value, _, _ in group]
    limits = bounds or known_bounds(measure, seen) or (SHARE if set(seen) == set(SHARE) else UNBOUNDED)
    spread = (
        interval in ("auto", "student") and len({weight for group in groups.values() for _, _, weight in group}) == 1
    )
    joint = Joint({key: [(x, deal) for x, deal, _ in group] for key, group in groups.items()}, off) if spread else None
    found = []
    for key, group in groups.items():
        values, deals, weights = (list(column) for column in zip(*group, strict=True))
        mean = estimated(values, deals, weights, limits, interval, confidence)
        estimate = Estimate(mean.value - off, mean.low - off, mean.high - off) if off else mean
        luck = None if joint is None else Luck(joint, {key: 1.0})
        found.append(Row(key, estimate, len(values), len(set(deals)), numbers.get(_text(key))).with_luck(luck))
    return Table(tuple(by), measure, tuple(found))


def once(rows: Iterable[Mapping[str, Any]], by: Sequence[str] = ()) -> Iterator[Mapping[str, Any]]:
    """The rows, but of a run that settings share (the baseline against itself, say) only the first for each value of the columns `by`."""
    seen = set()
    for row in rows:
        if "cell" in row:
            one = *(column_of(row, name) for name in by), row["cell"], row["run"], row.get("place", row.get("seat"))
            if one in seen:
                continue
            seen.add(one)
        yield row


def _luck(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What rows have their luck from: games of one deal are alike, in whatever setting; else every setting has its own."""
    return (row.get("game") if "points" in row else row.get("cell")), row["deal"]


def known_bounds(measure: str, values: Iterable[float]) -> tuple[float, float] | None:
    """The bounds of a measure by its name. One of which a value is below 0 is something else, such as a difference of exploitabilities."""
    known = KNOWN.get(measure)
    return None if known == FROM_ZERO and min(values, default=0.0) < -ROUNDING else known


def bounds_of(facts: Mapping[str, Any], measure: str) -> tuple[float, float] | None:
    """Of a measure, by what a store knows of an experiment."""
    known = facts.get("bounds") if measure == facts["measure"] else None
    if known is None and measure == "utility":
        known = facts.get("utility")
    if known is None:
        return None
    low, high = known
    return -math.inf if low is None else low, math.inf if high is None else high


def interval_of(facts: Mapping[str, Any]) -> str:
    """The usual interval of an experiment, by what a store knows of it."""
    return "auto" if facts.get("luck", True) else "none"


def estimated(
    values: list[float], deals: list[int], weights: list[float], limits: tuple[float, float], interval: str, confidence: float = 0.95
) -> Estimate:  # fmt: skip
    """A mean with its interval."""
    if len(set(weights)) > 1:
        return _weighted(np.array(values), np.array(deals), np.array(weights), limits, confidence)
    if interval == "bootstrap":
        return _bootstrapped(values, deals, confidence)
    bounded = math.isfinite(limits[0]) and math.isfinite(limits[1])
    two = bounded and set(values) <= set(limits)
    if interval == "clopper-pearson" and not two:
        raise SpecError(
            "Clopper and Pearson's interval is of wins, where nothing is drawn; choose student or bootstrap"
        )
    alike = len(set(deals)) == 1 or max(values) - min(values) <= 2e-9 * max(1.0, abs(max(values)))
    if interval == "none" or (not bounded and alike):
        mean = math.fsum(values) / len(values)
        return Estimate(mean, mean, mean)
    usual = mean_interval(values, deals, limits, confidence)
    again = interval == "auto" and len(set(deals)) < len(deals)
    if interval == "student" or not two or again or limits[0] == limits[1]:
        return usual
    won = sum(value == limits[1] for value in values)
    low, high = (limits[0] + (limits[1] - limits[0]) * x for x in share_interval(won, len(values), confidence))
    return Estimate(usual.value, low, high)


def _bootstrapped(values: list[float], deals: list[int], confidence: float) -> Estimate:
    """The percentile interval of the mean over deals drawn anew, always the same for the same values."""
    names, place = np.unique(deals, return_inverse=True)
    total, count = np.bincount(place, values), np.bincount(place)
    rng, means = np.random.default_rng(len(values)), np.empty(RESAMPLES)
    for i in range(RESAMPLES):
        drawn = rng.integers(len(names), size=len(names))
        means[i] = total[drawn].sum() / count[drawn].sum()
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(math.fsum(values) / len(values), float(low), float(high))


def _weighted(
    values: np.ndarray, deals: np.ndarray, weights: np.ndarray, limits: tuple[float, float], confidence: float
) -> Estimate:
    """The mean over deals that are weighted by their probabilities. Where all are there, luck is only in how each was
    played: the interval is of that, and there is none where they were played once, or always alike."""
    names, place = np.unique(deals, return_inverse=True)
    count = np.bincount(place)
    mean = np.bincount(place, values) / count
    share = np.bincount(place, weights) / count
    share = share / share.sum()
    squares = np.bincount(place, (values - mean[place]) ** 2)
    often = count > 1
    error = math.sqrt(float((share[often] ** 2 * squares[often] / (count[often] - 1) / count[often]).sum()))
    whole = float(share @ mean)
    wide = error * student_quantile((1 + confidence) / 2, max(len(values) - len(names), 1)) if error else 0.0
    return Estimate(whole, max(whole - wide, limits[0]), min(whole + wide, limits[1]))


def column_of(row: Mapping[str, Any], name: str) -> Any:
    """What a row has in a column. Raises SpecError where there is none of that name."""
    if name not in row:
        raise SpecError(f"there is no column {name!r}{suggestion(name, row)}")
    return row[name]


def measure_of(row: Mapping[str, Any], name: str) -> Any:
    """What a row has of a measure, or in another column of numbers. Raises SpecError where there is none of that name."""
    if name not in row:
        measures = [one for one, value in row.items() if isinstance(value, int | float) and one not in COUNTED]
        raise SpecError(f"there is no measure {name!r}{suggestion(name, measures)}")
    return row[name]


def _text(key: Any) -> tuple[str, ...]:
    return tuple(map(str, key if isinstance(key, tuple) else (key,)))
