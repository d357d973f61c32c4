"""Racing: who is told to be worse than the best so far is out (Maron and Moore 1994)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fogspiel.experiment.differences import compare
from fogspiel.experiment.tables import column_of, once

BLOCKS = 8
"""A race looks at its candidates so many times."""
WRONGLY = 0.05
"""How likely it is at most that who is best in truth is dropped, at whichever look and for whichever other."""

Candidate = tuple[Any, ...]


def still_in(
    rows: Iterable[Mapping[str, Any]],
    left: Sequence[Candidate],
    best: Candidate,
    names: Sequence[str],
    measure: str,
    *,
    minimise: bool = False,
    over: str = "",
    bounds: tuple[float, float] | None = None,
) -> list[Candidate]:
    """Who of those that are `left` goes on, told by the columns `names`: all but those that are significantly worse
    than the `best` on the deals that both played. What may go wrong in all (`WRONGLY`) is shared evenly over the looks
    and at each over the others (Bonferroni), since any of them may come out best by chance. With `over` those are out
    that are so for each value of that column, which no rank makes up for. So are those all of whose runs failed."""
    runs: dict[Candidate, list[Mapping[str, Any]]] = {}
    for row in once(list(rows), names):
        runs.setdefault(tuple(row[name] for name in names), []).append(row)
    level = WRONGLY / (BLOCKS * max(1, len(left) - 1))

    def is_worse(candidate: Candidate) -> bool:
        groups: dict[Any, list[dict[str, Any]]] = {}
        for one in (candidate, best):
            for row in runs.get(one, []):
                groups.setdefault(column_of(row, over) if over else None, []).append(dict(row) | {"candidate": one})
        return all(_is_below(group, candidate, best, measure, minimise, bounds, level) for group in groups.values())

    return [one for one in left if one == best or not is_worse(one)]


def _is_below(
    rows: Sequence[Mapping[str, Any]],
    candidate: Candidate,
    best: Candidate,
    measure: str,
    minimise: bool,
    bounds: tuple[float, float] | None,
    level: float,
) -> bool:
    there = {row["candidate"] for row in rows}
    if len(there) < 2:
        return candidate not in there
    (found,) = compare(rows, "candidate", measure, bounds=bounds)
    ahead = found.estimate.value if found.first == best else -found.estimate.value
    return (-ahead if minimise else ahead) > 0 and found.p / 2 < level
