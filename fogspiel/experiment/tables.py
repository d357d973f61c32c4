"""Tables of results: a row for every value of some columns, with a mean and its interval."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.evaluate.samples import CERTAIN, UNBOUNDED, Limits, Sample, sample_of
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.intervals import INTERVALS, SHARE, at_once, estimated, known_bounds, require_inside
from fogspiel.experiment.joint import Joint, Weights
from fogspiel.experiment.printed import half_width
from fogspiel.experiment.verdict import Answer, every
from fogspiel.game.spec import suggestion

WORD = re.compile(r"\{(\w+(?:\.\w+)*)\}")
"""A word of a spec string or a label, in whose place is what a setting has: `{n}`, or where one name says of which part
it is a parameter, `{bandit.gamma}`."""
OF_RUNS = frozenset({"cell", "run", "deal", "seed", "weight", "enumerated", "subject"})
"""Columns that every run has, whatever an experiment declares."""
OF_GAMES = OF_RUNS | {
    "place",
    "agent",
    "seat",
    "opponent",
    "role",
    "spec",
    "utility",
    "points",
    "wins",
    "won",
    "percent",
    "aivat",
    "seconds",
    "decisions",
}
OF_CURVES = OF_RUNS | {"place", "budget", "nash_conv", "touched", "coverage", "seconds"}
"""Columns of the runs of games, and of curves."""
COUNTED = {"cell", "run", "deal", "seed", "weight", "enumerated", "place", "seat", "role", "subject"}
"""Columns of numbers that tell runs apart, of which no mean is taken."""

FIRST = {"run": 0, "deal": 0, "seed": 0, "weight": 1.0}
"""A run as any other."""


@dataclass(frozen=True)
class Row:
    """What was found for one value of the columns, and what was printed, if anything was."""

    key: tuple[Any, ...]
    estimate: Estimate
    runs: int
    deals: int
    printed: float | None = None
    combination: "Combination | None" = field(init=False, default=None, compare=False, repr=False)
    """What it has in common with other rows, if that is known; one that is changed has nothing."""
    freedom: float = field(init=False, default=math.nan, compare=False, repr=False)
    """The degrees of freedom of its interval, or fewer: where nothing else is told, those of a mean over its deals, and
    infinitely many of what is exact. Below 1 they are not known."""
    limits: Limits = field(init=False, default=UNBOUNDED, compare=False, repr=False)
    """Between which the mean must lie."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "freedom", math.inf if self.low == self.high else self.deals - 1)

    def with_combination(self, combination: "Combination | None") -> "Row":
        object.__setattr__(self, "combination", combination)
        return self

    def with_freedom(self, freedom: float) -> "Row":
        object.__setattr__(self, "freedom", freedom)
        return self

    def with_limits(self, limits: Limits) -> "Row":
        object.__setattr__(self, "limits", limits)
        return self

    def among(self, claims: int) -> "Row":
        """The row with an interval as wide as it takes for so many to hold at once with 95 %."""
        wider = at_once(self.estimate, self.deals, self.freedom, claims, self.limits)
        return Row(self.key, wider, self.runs, self.deals, self.printed).with_freedom(self.freedom)

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
        """Whether the mean is above a number, or above that of another row; None where intervals cannot tell, or that
        of the difference where both were measured on the same deals."""
        if isinstance(bound, Row) and (apart := in_common((1, self), (-1, bound))) is not None:
            return apart.above(0)
        low, high = (bound.low, bound.high) if isinstance(bound, Row) else (bound, bound)
        return True if self.low > high else False if self.high <= low else None

    def below(self, bound: "float | Row") -> Answer:
        """Whether the mean is below a number, or below that of another row; None where intervals cannot tell, as with
        `above`."""
        if isinstance(bound, Row) and (apart := in_common((1, self), (-1, bound))) is not None:
            return apart.below(0)
        low, high = (bound.low, bound.high) if isinstance(bound, Row) else (bound, bound)
        return True if self.high < low else False if self.low >= high else None

    def inside(self, low: float, high: float) -> Answer:
        """Whether the mean is between two numbers; None where the interval cannot tell."""
        return True if low <= self.low and self.high <= high else False if self.high < low or self.low > high else None

    def near(self, printed: float, within: float = 0.0) -> Answer:
        """Whether a printed number is in the interval, or no farther from it than `within`; None where an interval
        without ends cannot tell."""
        if not self.low - within <= printed <= self.high + within:
            return False
        return True if math.isfinite(self.half) else None


@dataclass(frozen=True)
class Combination:
    """A row as a linear combination of rows of a table whose runs are known, and a constant."""

    joint: Joint
    weights: Weights
    constant: float = 0.0


def in_common(*terms: tuple[float, Row]) -> Row | None:
    """A sum of rows with these weights, by the deals that they share; None where they share none. A row that is nothing
    but a number is a constant."""
    combination = combination_of(*terms)
    found = None if combination is None else combination.joint.estimate(combination.weights)
    if combination is None or found is None:
        return None
    runs, deals = sum(row.runs for _, row in terms), max(row.deals for _, row in terms)
    moved = Estimate(*(x + combination.constant for x in (found.value, found.low, found.high)))
    return Row((), moved, runs, deals).with_combination(combination).with_freedom(fewest(row for _, row in terms))


def fewest(rows: Iterable[Row]) -> float:
    """The degrees of freedom of the row that has the fewest, which a sum of rows has at least."""
    return min((row.freedom for row in rows), default=math.inf)


def combination_of(*terms: tuple[float, Row]) -> Combination | None:
    """What a sum of rows has in common with others; None where they are not all of one table."""
    joint, weights, constant = None, dict[Any, float](), 0.0
    for weight, row in terms:
        if row.combination is None and row.runs == 0 and row.low == row.high:
            constant += weight * row.value
        elif row.combination is None or joint not in (None, row.combination.joint):
            return None
        else:
            joint, constant = row.combination.joint, constant + weight * row.combination.constant
            for key, share in row.combination.weights.items():
                weights[key] = weights.get(key, 0.0) + weight * share
    return None if joint is None else Combination(joint, weights, constant)


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

    def agrees(self, within: float = 0.0) -> Answer:
        """Whether every printed number is in its interval, or no farther from it than `within`; None where intervals
        cannot tell. That one is not is told by intervals that hold for all at once, or one of many would be outside by
        chance. Raises SpecError where no row has one."""
        printed = [(row, row.printed) for row in self.rows if row.printed is not None]
        if not printed:
            raise SpecError(f"nothing is printed for any row of the table by {', '.join(self.by)}")
        if (told := every(row.near(known, within) for row, known in printed)) is not False:
            return told
        claims = sum(row.low < row.high for row, _ in printed)
        return False if any(row.among(claims).near(known, within) is False for row, known in printed) else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "by": list(self.by),
            "measure": self.measure,
            "rows": [
                dict(zip(self.by, row.key, strict=True))
                | {"runs": row.runs, "deals": row.deals}
                | row.estimate.as_dict()
                | ({} if row.printed is None else {"printed": row.printed})
                | ({} if (half := half_width(row.printed)) is None else {"printed_half_width": half})
                for row in self.rows
            ],
        }


def observations(rows: Iterable[dict[str, Any]], *, everyone: bool = False) -> Iterator[dict[str, Any]]:
    """The rows that count, with the columns `agent`, `seat`, `wins` (alone), `won` (alone or with others) and `percent`
    for games, and `opponent` where there are two seats. Where a lineup says whose result counts, only that one's rows
    are left, unless `everyone`."""
    for row in rows:
        if "points" not in row or "subject" not in row:
            yield row
            continue
        seat, role = row["place"], row.get("role")
        mine = seat if role is None else role
        if not everyone and row["subject"] is not None and mine != row["subject"]:
            continue
        label = row.get(f"seat {seat}" if role is None else f"role {role}")
        more = {
            "agent": label,
            "seat": seat,
            "wins": float(row["points"] == 1),
            "won": float(row["points"] > 0),
            "percent": 100 * row["points"],
        }
        if role is None and "seat 1" in row and "seat 2" not in row:
            more["opponent"] = row[f"seat {1 - seat}"]
        yield row | more


def ends(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each curve the last point; other rows as they are."""
    known = list(rows)
    last = {(row["cell"], row["run"]): row["budget"] for row in known if "budget" in row}
    return [row for row in known if row.get("budget") == last.get((row["cell"], row["run"]))]


def timed(rows: Iterable[dict[str, Any]], by: Sequence[str]) -> list[dict[str, Any]]:
    """Points of curves, each at the mean of the seconds that its budget took, over all that the columns `by` do not
    tell apart: a point takes other seconds in every run."""
    known, apart = list(rows), [*(name for name in by if name != "seconds"), "budget"]
    taken: dict[tuple[Any, ...], list[float]] = {}
    for row in once(known, apart):
        taken.setdefault(tuple(column_of(row, name) for name in apart), []).append(row["seconds"])
    mean = {key: float(f"{math.fsum(seconds) / len(seconds):.6g}") for key, seconds in taken.items()}
    return [row | {"seconds": mean[tuple(row[name] for name in apart)]} for row in known]


def selected(rows: Iterable[dict[str, Any]], where: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """The rows that have these values; `{word}` in one is what a row has in that column. Raises SpecError where none
    has."""
    left = list(rows)
    for name, value in where:
        kept = [row for row in left if is_meant(column_of(row, name), _meant(str(value), row))]
        if left and not kept:
            there = list(dict.fromkeys(str(row[name]) for row in left))
            raise SpecError(
                f"no row has {name}={value}; there are {', '.join(there[:12])}{', ...' * (len(there) > 12)}"
            )
        left = kept
    return left


def is_meant(value: Any, text: str) -> bool:
    """Whether a text is that of a value: as it is written, or of a number in any other way, such as 0.50."""
    number = given.as_number(text, text=True)
    return str(value) == text or (number is not None and given.as_number(value) == number)


def _meant(value: str, row: Mapping[str, Any]) -> str:
    return WORD.sub(lambda found: str(row.get(found[1], found[0])), value) if "{" in value else value


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

    Intervals are over deals, or where every deal was played, over how each was (`fogspiel/evaluate/samples.py`);
    `bootstrap` draws deals anew; `none` is for what is deterministic. `bounds` are those
    of the values, where they are known, and so are those of intervals: NashConv is never below 0. Values that are
    all alike, or of one deal, leave open what the bounds do; where these are not known, anything. Raises SpecError for
    a value outside `bounds`, as no interval would be true.
    """
    interval = given.choice("interval", interval, INTERVALS)
    samples = sampled(rows, by, measure)
    numbers = {key_text(k): v for k, v in (printed or {}).items()}
    seen = [value for sample in samples.values() for value in sample.values.tolist()]
    require_inside(measure, seen, bounds)
    limits = bounds or known_bounds(measure, seen) or (SHARE if set(seen) == set(SHARE) else UNBOUNDED)
    joint = Joint(samples, off) if interval == "auto" else None
    found = []
    for key, sample in samples.items():
        mean = estimated(sample, limits, interval, confidence)
        estimate = Estimate(mean.value - off, mean.low - off, mean.high - off) if off else mean
        combination = None if joint is None else Combination(joint, {key: 1.0})
        row = Row(key, estimate, len(sample.values), len(sample.deal_names), numbers.get(key_text(key)))
        if sample.weighted and sample.spread is not None:
            row = row.with_freedom(sample.spread.freedom)
        found.append(row.with_combination(combination).with_limits((limits[0] - off, limits[1] - off)))
    return Table(tuple(by), measure, tuple(found))


def sampled(rows: Iterable[Mapping[str, Any]], by: Sequence[str], measure: str) -> dict[tuple[Any, ...], Sample]:
    """What was found of a measure for each value of the columns `by`."""
    groups: dict[tuple[Any, ...], list[tuple[float, Any, float, tuple[Any, Any]]]] = {}
    sums: dict[tuple[Any, ...], dict[Any, float]] = {}
    for number, row in enumerate(once(rows, by)):
        value = measure_of(row, measure)
        if value is None:
            continue
        key, deal = tuple(column_of(row, name) for name in by), deal_of(row)
        run = (row["cell"], row["run"]) if "cell" in row else (None, number)
        groups.setdefault(key, []).append((value, deal, float(row["weight"]), run))
        sums.setdefault(key, {})[deal] = float(row["weight"]) if row.get("enumerated") else math.nan
    return {key: sample_of(group, are_all(sums[key])) for key, group in groups.items()}


def are_all(probability: Mapping[Any, float]) -> bool:
    """Whether these are all deals of a game, or of several, by their probabilities; NaN of one that was drawn."""
    sums: dict[Any, float] = {}
    for (game, _), p in probability.items():
        sums[game] = sums.get(game, 0.0) + p
    return all(abs(total - 1) < CERTAIN for total in sums.values())


def once(rows: Iterable[Mapping[str, Any]], by: Sequence[str] = ()) -> Iterator[Mapping[str, Any]]:
    """The rows, but of a run that settings share (the baseline against itself, say) only the first for each value of
    the columns `by`."""
    seen = set()
    for row in rows:
        if "cell" in row:
            one = *(column_of(row, name) for name in by), row["cell"], row["run"], row.get("place", row.get("seat"))
            if one in seen:
                continue
            seen.add(one)
        yield row


def deal_of(row: Mapping[str, Any]) -> tuple[Any, Any]:
    """What rows have their chance from: games of one deal are alike, in whatever setting; else every run of a setting
    has its own."""
    return (row.get("game") if "points" in row else row.get("cell")), row["deal"]


def column_of(row: Mapping[str, Any], name: str) -> Any:
    """What a row has in a column. Raises SpecError where there is none of that name."""
    if name not in row:
        raise SpecError(f"there is no column {name!r}{suggestion(name, row)}")
    return row[name]


def measure_of(row: Mapping[str, Any], name: str) -> float | None:
    """What a row has of a measure, or in another column of numbers. Raises SpecError where there is none of that
    name."""
    value, told = row.get(name), ""
    if name in COUNTED:
        told = f"{name} tells runs apart, and has no mean"
    elif isinstance(value, str):
        told = f"{name} is text ({given.shown(value)}), and has no mean"
    elif name not in row:
        told = f"there is no measure {name!r}"
    if told:
        names = list(row)  # up to `run` those of its setting
        found = names[names.index("run") :] if "run" in row else names
        measures = [one for one in found if isinstance(row[one], int | float) and one not in COUNTED]
        raise SpecError(
            f"{told}{suggestion(name, measures) if measures else '; a measure must be a number, and there is none'}"
        )
    return None if value is None else float(value)


def key_text(key: Any) -> tuple[str, ...]:
    """What tells a row apart, as text: so `1` and `"1"` are one."""
    return tuple(map(str, key if isinstance(key, tuple) else (key,)))
