"""How a move is taken from what a search found."""

import numpy as np

from fogspiel.agents.simple import draw_move
from fogspiel.engine.primitives import pick
from fogspiel.search.search import MoveStatistics

Found = tuple[MoveStatistics, ...]


def most_visited(found: Found, rng: np.ndarray) -> int:
    """Ties at random. A move of proven value is preferred if that is at least what the most visited of the others gives."""
    unproven = [m for m in found if m.proven is None]
    best = [m for m in unproven if m.visits == max(m.visits for m in unproven)]
    proven = [
        m for m in found if m.proven is not None and m.proven == max(n.proven for n in found if n.proven is not None)
    ]
    if proven and (not best or best[0].value is None or proven[0].proven >= best[0].value):
        best = proven
    return best[pick(rng, len(best))].move


def most_valued(found: Found, rng: np.ndarray) -> int:
    """The highest mean (Lanctot 2013, sec. 2.3.2), or proven value; ties at random."""
    worth = [m.proven if m.proven is not None else m.value for m in found]
    tried = [w for w in worth if w is not None]
    best = [m for m, w in zip(found, worth, strict=True) if not tried or w == max(tried)]
    return best[pick(rng, len(best))].move


def by_visits(found: Found, rng: np.ndarray) -> int:
    """Drawn in proportion to use (Lisý 2014, sec. 3.2.3)."""
    return draw_move(
        {m.move: float(m.visits) for m in found} if any(m.visits for m in found) else {m.move: 1.0 for m in found}, rng
    )


def by_strategy(found: Found, rng: np.ndarray) -> int:
    """Drawn from the mean strategy; uniformly if there is none."""
    weights = {m.move: m.strategy or 0.0 for m in found}
    return draw_move(weights if any(weights.values()) else dict.fromkeys(weights, 1.0), rng)


def merge(tables: list[Found]) -> Found:
    """One opinion from several: visits added up, values and strategies averaged by visits."""
    out = []
    for rows in zip(*tables, strict=True):
        visits = sum(r.visits for r in rows)
        valued, mixed = (
            [(r.visits, v) for r in rows if (v := getattr(r, name)) is not None] for name in ("value", "strategy")
        )
        mean = [
            sum(n * v for n, v in pairs) / sum(n for n, _ in pairs) if sum(n for n, _ in pairs) else None
            for pairs in (valued, mixed)
        ]
        proven = next((r.proven for r in rows if r.proven is not None), None)
        out.append(MoveStatistics(rows[0].move, rows[0].name, visits, *mean, proven))
    return tuple(out)
