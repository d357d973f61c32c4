"""Which deals the runs of a setting play. Deal k is the same in every setting of an experiment, so that results are
paired by deal."""

from dataclasses import dataclass
from functools import lru_cache

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State


@dataclass(frozen=True)
class FreshDeals:
    """Run n plays deal n."""

    def total(self, game: Game, runs: int) -> int:
        return runs

    def deal(self, game: Game, run: int) -> int:
        return run

    def dealt(self, game: Game, deal: int) -> tuple[int, ...]:
        return ()

    def weight(self, game: Game, deal: int) -> float:
        return 1.0


@dataclass(frozen=True)
class FixedDeals(FreshDeals):
    """The same `count` deals, played again and again (Whitehouse 2014, fig. 5.1: 1000 representative deals). `chosen`
    tells sets of deals apart."""

    count: int
    chosen: int = 0

    def __post_init__(self) -> None:
        given.whole("count", self.count, 1)
        given.whole("chosen", self.chosen)

    def deal(self, game: Game, run: int) -> int:
        return self.chosen * self.count + run % self.count


@dataclass(frozen=True)
class EveryDeal(FreshDeals):
    """Every deal that chance can make before the first decision, each weighted by its probability, or with `step` n
    every n-th of them. `runs` of a scale is how often each is played."""

    step: int = 1

    def __post_init__(self) -> None:
        given.whole("step", self.step, 1)

    def total(self, game: Game, runs: int) -> int:
        return runs * self._count(game)

    def deal(self, game: Game, run: int) -> int:
        return run % self._count(game) * self.step

    def dealt(self, game: Game, deal: int) -> tuple[int, ...]:
        return every_deal(game)[deal][0]

    def weight(self, game: Game, deal: int) -> float:
        return every_deal(game)[deal][1]

    def _count(self, game: Game) -> int:
        return -(-len(every_deal(game)) // self.step)


Deals = FreshDeals | FixedDeals | EveryDeal

MOST = 1_000_000


@lru_cache(maxsize=8)
def every_deal(game: Game) -> list[tuple[tuple[int, ...], float]]:
    """Chance's moves before the first decision, in all ways, with their probabilities."""
    found: list[tuple[tuple[int, ...], float]] = []
    todo: list[tuple[State, tuple[int, ...], float]] = [(game.start(), (), 1.0)]
    while todo:
        state, moves, weight = todo.pop()
        if state.actor != CHANCE:
            found.append((moves, weight))
            continue
        if len(found) + len(todo) > MOST:
            raise SpecError(f"{game.spec} has more than {MOST:,} deals; play a fixed number of them (FixedDeals)")
        for move, p in state.chance():
            after = state.copy()
            after.play(move)
            todo.append((after, (*moves, move), weight * p))
    return sorted(found)
