"""Cross tables of matches: everyone in the first seat against everyone in the second, beside what was printed."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from fogspiel.agents.registry import agent
from fogspiel.evaluate.referee import play_game
from fogspiel.game.load import load


@dataclass(frozen=True)
class Cell:
    """What the first seat gets in the mean, with the half-width of the 95% interval."""

    mean: float
    half: float

    def may_exceed(self, bound: float) -> bool:
        return self.mean + self.half >= bound

    def may_fall_below(self, bound: float) -> bool:
        return self.mean - self.half <= bound


Cells = dict[tuple[str, str], Cell]


def percent(utility: float) -> float:
    """A win, a draw or a loss in percent."""
    return 50.0 * (1 + (utility > 0) - (utility < 0))


def read_table(text: str) -> dict[tuple[str, str], float]:
    """A printed table: a line for each player in the first seat, with a number for each of the same players in the second."""
    lines = [line.split() for line in text.strip().splitlines()]
    names = [name for name, *_ in lines]
    return {(row, column): float(x) for row, *numbers in lines for column, x in zip(names, numbers, strict=True)}


def play_table(
    games: Sequence[str],
    players: Mapping[str, str],
    printed: Mapping[tuple[str, str], float],
    count: int,
    score: Callable[[float], float] = percent,
) -> tuple[list[dict[str, Any]], Cells]:
    """So many matches for each printed cell, the games by turns; `players` are agents by their printed names."""
    rows, cells = [], {}
    loaded = [load(game) for game in games]
    seated = [{name: agent(spec) for name, spec in players.items()} for _ in range(2)]
    for (first, second), expected in printed.items():
        sitting = [seated[0][first], seated[1][second]]
        found = [score(play_game(loaded[n % len(loaded)], sitting, deal=n, seed=n).utilities[0]) for n in range(count)]
        cell = cells[first, second] = Cell(fmean(found), half_width(found))
        rows.append({
            "game": games[0], "algorithm": f"{first} - {second}", "games": count, "first seat": cell.mean, "+-": cell.half,
            "printed": expected,
        })  # fmt: skip
    return rows, cells


def half_width(found: Sequence[float]) -> float:
    """Of the 95% interval of a mean."""
    return 1.96 * stdev(found) / math.sqrt(len(found))
