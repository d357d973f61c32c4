"""How a move is taken from what a search found."""

from collections.abc import Sequence

import numpy as np

from fogspiel.agents.simple import draw_move
from fogspiel.engine.primitives import pick
from fogspiel.search.statistics import MoveStatistics

Found = tuple[MoveStatistics, ...]


def most_visited(found: Found, rng: np.ndarray) -> int:
    """Ties at random. A move of proven value is preferred if that is at least what the most visited of the others
    gives."""
    unproven = [m for m in found if m.proven is None]
    best = [m for m in unproven if m.visits == max(m.visits for m in unproven)]
    most = max((m.proven for m in found if m.proven is not None), default=None)
    if most is not None and (not best or best[0].value is None or most >= best[0].value):
        best = [m for m in found if m.proven == most]
    return best[pick(rng, len(best))].move


def most_valued(found: Found, rng: np.ndarray) -> int:
    """The highest mean (Lanctot 2013, sec. 2.3.2), or proven value; ties at random."""
    worth = [m.proven if m.proven is not None else m.value for m in found]
    tried = [w for w in worth if w is not None]
    best = [m for m, w in zip(found, worth, strict=True) if not tried or w == max(tried)]
    return best[pick(rng, len(best))].move


def by_visits(found: Found, rng: np.ndarray) -> int:
    """Drawn in proportion to use (Lisý 2014, sec. 3.2.3); uniformly before any simulation."""
    return draw_move(
        {m.move: float(m.visits) for m in found} if any(m.visits for m in found) else {m.move: 1.0 for m in found}, rng
    )


def by_strategy(found: Found, rng: np.ndarray) -> int:
    """Drawn from the mean strategy; uniformly before any simulation."""
    weights = {m.move: m.strategy or 0.0 for m in found}
    return draw_move(weights if any(weights.values()) else dict.fromkeys(weights, 1.0), rng)


def added_up(tables: list[Found]) -> Found:
    """One opinion from several searches of the same states: visits added up, a move's values averaged by its visits,
    strategies by all visits of each search. What one of them has proven is."""
    weights = [sum(m.visits for m in found) if any(m.strategy is not None for m in found) else 0 for found in tables]
    return tuple(
        MoveStatistics(
            rows[0].move,
            sum(r.visits for r in rows),
            _mean([r.value for r in rows], [r.visits for r in rows]),
            _mean([r.strategy or 0.0 for r in rows], weights),
            next((r.proven for r in rows if r.proven is not None), None),
            rows[0].names,
        )
        for rows in zip(*tables, strict=True)
    )


def over_worlds(tables: list[Found]) -> Found:
    """One opinion from searches of different states, each as likely: visits added up, and the means of what a move is
    worth in each (its proven value, where there is one) and of strategies. Proven is what is so in all."""
    out = []
    for rows in zip(*tables, strict=True):
        worth = [r.value if r.proven is None else r.proven for r in rows]
        strategies, proven = [r.strategy for r in rows], {r.proven for r in rows}
        value, strategy = (_mean(given, [1] * len(rows)) for given in (worth, strategies))
        out.append(
            MoveStatistics(
                rows[0].move,
                sum(r.visits for r in rows),
                value,
                strategy,
                proven.pop() if len(proven) == 1 else None,
                rows[0].names,
            )
        )
    return tuple(out)


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """The mean of what is given; None where that has no weight."""
    given = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    total = sum(w for _, w in given)
    return sum(v * w for v, w in given) / total if total else None
