"""What results tell beyond means and differences: analysis of variance, categories of deals, ratings, and what is best
for all."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.evaluate.ratings import ratings
from fogspiel.evaluate.standings import Comparison
from fogspiel.evaluate.statistics import Estimate, incomplete_beta
from fogspiel.experiment.differences import difference_p
from fogspiel.experiment.tables import Row, Table, are_all, column_of, deal_of, is_meant, measure_of, once, tabulate


@dataclass(frozen=True)
class Effect:
    """A line of an analysis of variance: a factor or an interaction of two, its sum of squares and degrees of freedom,
    and how likely so large a ratio `f` would be without it."""

    name: str
    squares: float
    freedom: int
    f: float | None = None
    p: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return vars(self)


def anova(rows: Iterable[Mapping[str, Any]], factors: Sequence[str], measure: str) -> list[Effect]:
    """The analysis of variance of a measure by some columns and every two of them together. Games are blocked by deal:
    what a deal is worth to everyone is no chance, and games of one setting and deal count together. Sums of squares are
    of type II (each effect given all others that do not contain it), so that settings may have different numbers of
    runs. The last line is the residual.

    Raises SpecError where a run would count more than once (both seats of a game, points of one curve), as these are
    not independent; and where every deal was played, each weighted by its probability: there is no variance over deals
    then.
    """
    if twice := [factor for factor in factors if factors.count(factor) > 1]:
        raise SpecError(f"{twice[0]} is given twice: an analysis of variance takes each column once")
    units: dict[tuple[Any, ...], list[float]] = {}
    for number, row in enumerate(_independent(rows, factors)):
        if row.get("enumerated"):
            raise SpecError(
                "every deal was played, each weighted by its probability, so they are no sample to analyse the "
                "variance of; compare two at a time (--compare)"
            )
        block = deal_of(row) if "points" in row else number
        if (value := measure_of(row, measure)) is not None:
            units.setdefault((block, *(column_of(row, f) for f in factors)), []).append(value)
    if not units:
        raise SpecError("there are no runs to analyse")
    for number, factor in enumerate(factors, 1):
        if len({key[number] for key in units}) < 2:
            raise SpecError(f"{factor} has 1 value; it takes two to compare them")
    y = np.array([math.fsum(values) / len(values) for values in units.values()])
    names: dict[Any, int] = {}
    place = np.array([names.setdefault(key[0], len(names)) for key in units])
    if len(names) == len(units):  # no deal was played in two settings, so there is nothing to pair
        names, place = {None: 0}, np.zeros_like(place)
    count = np.bincount(place)

    def inside(columns: np.ndarray) -> np.ndarray:
        """What columns have above their means over the block."""
        means = [np.bincount(place, one, minlength=len(count)) / count for one in columns.T]
        return columns - np.array(means).T[place] if means else columns

    coded: dict[tuple[int, ...], np.ndarray] = {
        (i,): _coded([key[i + 1] for key in units]) for i in range(len(factors))
    }
    pairs = list(itertools.combinations(range(len(factors)), 2))
    terms = [*coded, *pairs]
    coded |= {(i, j): _products(coded[i,], coded[j,]) for i, j in pairs}
    coded = {term: inside(columns) for term, columns in coded.items()}
    for i, factor in enumerate(factors):
        if coded[i,].size and np.abs(coded[i,]).max() < 1e-9:
            raise SpecError(
                f"no deal was played with two values of {factor}, so chance and {factor} cannot be told apart"
            )
    largest = float(np.abs(y).max())
    y = inside(y[:, None])[:, 0]
    nothing = 1e-18 * largest**2 * len(units)

    def fit(which: Iterable[tuple[int, ...]]) -> tuple[float, int]:
        """What the model leaves, and its rank."""
        model = np.hstack([np.zeros((len(y), 1)), *(coded[t] for t in which)])
        answer, _, rank, _ = np.linalg.lstsq(model, y, rcond=None)
        return float(((y - model @ answer) ** 2).sum()), int(rank)

    squares, rank = fit(terms)
    squares = squares if squares > nothing else 0.0
    freedom = len(y) - len(count) - rank
    found = []
    for term in terms:
        others = [t for t in terms if not set(term) <= set(t)]
        without, with_it = fit(others), fit([*others, term])
        ss, df = without[0] - with_it[0], with_it[1] - without[1]
        ss = ss if ss > nothing else 0.0
        f = p = None
        if df > 0 and freedom > 0 and squares > 0:
            f = (ss / df) / (squares / freedom)
            p = incomplete_beta(freedom / (freedom + df * f), freedom / 2, df / 2)
        found.append(Effect(" x ".join(factors[i] for i in term), ss, df, f, p))
    return [*found, Effect("residual", squares, freedom)]


def _independent(rows: Iterable[Mapping[str, Any]], factors: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows, if each is of a run of its own."""
    known, seen = list(once(rows, factors)), dict[Any, Any]()
    for row in known:
        if "cell" not in row:
            continue
        run, place = (row["cell"], row["run"]), row.get("place", row.get("seat"))
        if run in seen and seen[run] == place:
            column = "agent" if "points" in row else "player"
            raise SpecError(
                f"settings share the runs of {row.get(column, 'some')}, in which nothing varies, so these would "
                "count more than once: choose rows of "
                f"what varies, such as --where '{column}=...'"
            )
        if run in seen:
            one = "seat=0" if "points" in row else f"budget={row['budget']}" if "budget" in row else "place=0"
            raise SpecError(
                f"every run counts more than once, and so they are not independent: choose rows, such as --where {one}"
            )
        seen[run] = place
    return known


def _coded(values: list[Any]) -> np.ndarray:
    """A column for each value but one, summing to zero over the values."""
    names = list(dict.fromkeys(values))
    table = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)]) if len(names) > 1 else np.zeros((1, 0))
    return table[[names.index(v) for v in values]]


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)


BETTER, EVEN, WORSE = "> 0", "= 0", "< 0"


def categories(
    rows: Iterable[Mapping[str, Any]],
    column: str,
    first: str,
    second: str,
    measure: str,
    *,
    thresholds: Sequence[float] = (),
    split: bool = True,
    bounds: tuple[float, float] | None = None,
    interval: str = "auto",
) -> Table:
    """Deals by how much better `first` does there than `second`, and every value of the column inside each category
    (Whitehouse 2014, sec. 5.2.4).

    With `thresholds`, categories are differences below 0, of 0, above 0, and above each threshold; without, deals where
    the difference is significantly above or below 0 at 95 %, and the rest. With `split`, deals are sorted by the first
    half of their games and compared by the second, so that chance in the one does not count in the other: of the games
    that a setting has of a deal, every other one. `bounds` and `interval` are those of `tabulate`.
    """
    for t in thresholds:
        given.number("each threshold", t, 0.0, above=True)
    known = list(once(rows, [column]))
    games: dict[Any, dict[Any, int]] = {}  # of each setting and deal the runs, by their order
    sorting: list[Mapping[str, Any]] = []
    judging: list[Mapping[str, Any]] = []
    for row in known:
        there = games.setdefault((column_of(row, column), row.get("cell"), deal_of(row)), {})
        place = there.setdefault(row["run"], len(there))
        if not split or place % 2 == 0:
            sorting.append(row)
        if not split or place % 2 == 1:
            judging.append(row)
    values: dict[Any, dict[Any, list[float]]] = {}
    for row in sorting:
        if (value := measure_of(row, measure)) is not None:
            values.setdefault(row[column], {}).setdefault(deal_of(row), []).append(value)
    first, second = (_named(values, column, name) for name in (first, second))
    if first == second:
        raise SpecError(f"categories are of two values of {column} that differ, and {first} is given twice")
    placed: dict[Any, list[str]] = {
        deal: _categories(mine, values[second][deal], thresholds)
        for deal, mine in values[first].items()
        if deal in values[second]
    }
    inside = [dict(row) | {"category": c} for row in judging for c in placed.get(deal_of(row), ())]
    if not inside:
        raise SpecError(
            f"{first} and {second} have no deals in common that were played often enough in one setting to sort them "
            "by some games and judge by others"
        )
    return tabulate(inside, ["category", column], measure, bounds=bounds, interval=interval)


def _named(values: Iterable[Any], column: str, text: str) -> Any:
    """The value of a column that a text names."""
    for value in values:
        if is_meant(value, str(text)):
            return value
    raise SpecError(f"no {column} is {text!r}; there are {', '.join(map(str, values))}")


def _categories(first: list[float], second: list[float], thresholds: Sequence[float]) -> list[str]:
    apart = math.fsum(first) / len(first) - math.fsum(second) / len(second)
    if thresholds:
        sign = BETTER if apart > 0 else WORSE if apart < 0 else EVEN
        return [sign, *(f"> {t:g}" for t in thresholds if apart > t > 0)]
    if difference_p(first, second) >= 0.05:
        return [EVEN]
    return [BETTER if apart > 0 else WORSE]


RATED_BY = ("points", "percent", "wins", "won")
"""Measures of who got more in a game, by which agents are rated."""


def rated(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, Estimate]]:
    """Elo ratings of all agents from all games between them, whatever the games, with intervals over deals (Bradley and
    Terry 1952; choix), or where every deal was played, over how each was. The best comes first. Every two seats of
    different agents in a game are compared: an agent in several of them meets the others in each, and as these share a
    deal they count together in the intervals. `rows` must be those of all seats; agents of one label with several
    `spec` strings are told apart by these."""
    games: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for row in once(rows):
        require_games("ratings", row)
        games.setdefault((row["cell"], row["run"]), []).append(row)
    known = dict.fromkeys(_rated_as(row) for group in games.values() for row in group)
    labels = [label for label, _ in known]
    names = [label if labels.count(label) == 1 else f"{label} {spec}" for label, spec in known]
    if len(names) < 2:
        raise SpecError("ratings need two agents or more that met")
    number, met = {one: place for place, one in enumerate(known)}, []
    deals: dict[Any, int] = {}
    probability: dict[Any, float] = {}
    for group in games.values():
        here, deal, first = tuple(number[_rated_as(row)] for row in group), deal_of(group[0]), group[0]
        probability[deal] = float(first["weight"]) if first.get("enumerated") else math.nan
        if len(set(here)) > 1:
            places, utilities = zip(*((row["seat"], row["utility"]) for row in group), strict=True)
            one = Comparison(deals.setdefault(deal, len(deals)), here, places, utilities)
            met.append((one, float(first["weight"]), first["cell"]))
    if not met:
        raise SpecError("ratings need two agents or more that met")
    compared, weights, settings = zip(*met, strict=True)
    found = ratings(compared, len(names), weights, settings if are_all(probability) else None)
    return sorted(zip(names, found, strict=True), key=lambda one: -one[1].value)


def require_games(what: str, row: Mapping[str, Any]) -> None:
    """Raise SpecError where a row is not of a game."""
    if not {"agent", "seat", "utility"} <= row.keys():
        raise SpecError(f"{what} are of agents that played games, and these results are of something else")


def _rated_as(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["agent"], row.get("spec", "")


def nemeses(table: Table, *, second: bool = False) -> list[tuple[Any, Any, Row]]:
    """For each value of a cross table's first column, the value of the second against which it does worst, the best
    first: the best of the worst stands for exploitability where that cannot be computed (Lisý 2014, ch. 5). With
    `second`, for each value of the second column, whose interests are opposed to the first's."""
    if len(table.by) != 2:
        raise SpecError(f"nemeses are told from a table by two columns, not by {', '.join(table.by)}")
    worst: dict[Any, Row] = {}
    own, sign = (1, -1) if second else (0, 1)
    for row in table:
        name = row.key[own]
        if name not in worst or sign * row.value < sign * worst[name].value:
            worst[name] = row
    return sorted(((name, row.key[1 - own], row) for name, row in worst.items()), key=lambda one: -sign * one[2].value)


def representative(table: Table) -> Row:
    """The row nearest to the mean of all: of sets of deals, the one to play on (Whitehouse 2014, fig. 5.1)."""
    mean = math.fsum(row.value for row in table) / len(table)
    return min(table, key=lambda row: abs(row.value - mean))


def consistent(table: Table, over: str) -> list[tuple[tuple[Any, ...], float]]:
    """The values of a table's other columns by how good they are for all values of `over`, the best first: by their
    mean rank there, a rank of 0 being the best, and of equal ranks by the mean (Whitehouse 2014, ch. 8: one value
    for all games)."""
    place = table.by.index(over) if over in table.by else -1
    if place < 0:
        raise SpecError(f"the table is by {', '.join(table.by)}, not by {over}")
    ranks: dict[tuple[Any, ...], list[float]] = {}
    means: dict[tuple[Any, ...], list[float]] = {}
    for group in table.values(over):
        rows = [row for row in table if row.key[place] == group]
        for row in rows:
            rest = row.key[:place] + row.key[place + 1 :]
            above = sum(other.value > row.value for other in rows)
            level = sum(other.value == row.value for other in rows) - 1
            ranks.setdefault(rest, []).append(above + level / 2)
            means.setdefault(rest, []).append(row.value)
    mean_rank = {rest: math.fsum(found) / len(found) for rest, found in ranks.items()}
    return sorted(mean_rank.items(), key=lambda one: (one[1], -math.fsum(means[one[0]])))
