"""Figures that state facts of small games: what they show is recomputed exactly."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fogspiel.experiment import Measurements, Scale, every
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.load import load
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.judging import row_of

EXACT = {"small": Scale(1), "paper": Scale(1)}
NEAR = 1e-6


def facts(
    function: Callable[..., Mapping[str, Any]], about: str, printed: Mapping[Any, float], **grid: Any
) -> Measurements:
    """A deterministic experiment: every number must be the printed one."""
    by = tuple(name for name, values in grid.items() if len(values) > 1)
    return Measurements(
        about=about,
        function=function,
        grid=grid,
        by=by,
        measure="value",
        scales=EXACT,
        deterministic=True,
        printed=printed,
        criterion="all numbers are as printed",
        passes=as_printed(printed),
    )


def as_printed(printed: Mapping[Any, float], within: float = NEAR) -> Callable[[Table], Answer]:
    """A criterion: every printed number was found."""

    def passes(table: Table) -> Answer:
        return every(_row(table, key).inside(number - within, number + within) for key, number in printed.items())

    return passes


def _row(table: Table, key: Any) -> Row:
    return row_of(table, *key) if isinstance(key, tuple) else row_of(table, key)


def item(where: str, about: str, experiment: Measurements, remarks: str = "") -> Item:
    return Item(where=where, about=about, experiments=experiment, remarks=remarks)


def child(state: State, move: int) -> State:
    after = state.copy()
    after.play(move)
    return after


def every_history(game: str) -> Iterator[State]:
    todo = [load(game).start()]
    while todo:
        state = todo.pop()
        yield state
        if not state.over:
            todo += [child(state, move) for move in state.moves()]


def expected(state: State, player: int, strategy: Callable[[State], list[float]]) -> float:
    """What a player gets when everyone draws moves, in their order, with these probabilities."""
    if state.over:
        return state.payoff()[player]
    odds = [p for _, p in state.chance()] if state.actor == CHANCE else strategy(state)
    return sum(p * expected(child(state, move), player, strategy) for move, p in zip(state.moves(), odds, strict=True))
