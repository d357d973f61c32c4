"""An evaluation of a person's own file in a search that looks ahead: `alpha-beta(evaluation=my_evaluation.py)`.

The file is the one that Monte Carlo search takes (`search/kinds.py`). Where it is written as a rule of the game, it is
one, and there is nothing to do. Otherwise its function `evaluation` is linked into the search in place of that rule.
What it is given is a memory of its own, `search.judging`, for moves of the search lie on a stack that it must not
touch. In that it is tried un-compiled first, in random games from the first state that is searched.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Ints, Kind, Real
from fogspiel.engine.linking import annotated, linked
from fogspiel.engine.part import Part, kind_of
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.table import CHANCE, OVER, actor, chances, copy_state, moves, pick, play, sample, state_at
from fogspiel.search.hooks import evaluation
from fogspiel.search.minimax.line_end import LEVELS, judge
from fogspiel.search.parts import Room, Together, assembled, with_own
from fogspiel.search.search import utility_ranges
from fogspiel.search.trial import ready

Asked = np.dtype([("states", "i8")], align=True)
"""How many states a random game may start from."""


def judge_by_part(game, search, s):
    evaluation(game, search.judging, s)
    return True


def random_game(game, search):
    """From `first`, with an evaluation of every state, since a horizon may lie at any. Returns 0."""
    s = state_at(game, search.states, 0)
    copy_state(game, s, state_at(game, search.first, 0))
    for _ in range(LEVELS):
        who = actor(game, s)
        if who == OVER:
            break
        evaluation(game, search, s)
        is_chance = who == CHANCE
        n = chances(game, s, search.moves, 0, search.odds, 0) if is_chance else moves(game, s, search.moves, 0)
        if n < 1:  # rules failed
            break
        k = sample(search.odds, 0, n, search.rng) if is_chance else pick(search.rng, n)
        play(game, s, search.moves[k])
    return 0


class AtHorizon:
    """An evaluation that judges at the horizon of one search."""

    def __init__(self, part: Part):
        self.part = part
        self.run: Callable[[], float]

    def memory(self, game: Game, pay: np.ndarray) -> Bundled:
        """What it works with; it writes to `pay`. Raises Unsuitable where it is not for the game."""
        low, high = np.array(utility_ranges(game)).T.copy()
        size, buffer = game.dtype.itemsize, len(game.buffer())
        own = with_own(
            game,
            [self.part],
            Room(1, game.max_moves, LEVELS),
            {
                "pay": pay,
                "low": low,
                "span": high - low,
                "rng": np.zeros(1, np.uint64),
                "moves": game.buffer(),
                "odds": np.zeros(buffer),
                "asked": np.zeros(1, Asked),
                "roots": np.zeros(size, np.int8),
                "first": np.zeros(size, np.int8),
                "states": np.zeros(size + 64, np.int8),
            },
        )
        self._judging = Bundled(Bundle(**{name: kind_of(array) for name, array in own.items()}), **own)
        self._together = Together([self.part], self._judging)
        return self._judging

    def link(self, game: Game, loop: Function, search: Bundled) -> None:
        """Link it into a search in which `judge` is called, which is then `run`."""
        self._game, self._made = game, _On(_compiled(loop, replace(self.part, values=()), search.kind), search)
        self.run = self._made.bind(game.table, search)
        self.tried = game.debug
        if game.debug:
            self.run = ready(game, _judged(loop), self._made.kernel, [self.part], search, _NO_TREE)

    def try_from(self, state: np.ndarray) -> None:
        """Try it, if it has not been tried, in games from a state, of which these are the bytes. Raises PartError where
        it cannot be used."""
        # the tree of what a player can come to know is empty before the first decision, and nothing in it is judged
        if not self.tried and not State(self._game, state).over:
            self._judging.array("first")[:] = state.view(np.int8)
            self.run = ready(self._game, random_game, cast(Any, self._made), [self.part], self._judging, _NO_TREE)
            self.tried = True

    def begin(self, seed: int) -> None:
        """A search begins that knows nothing of those before it; random numbers follow from the seed."""
        self._judging.array("rng")[0] = seed
        self._together.do("forget")
        self._together.do("plant")


class _On:
    """A kernel on the memory of its search, whatever the evaluation is tried on."""

    def __init__(self, kernel: Kernel, search: Bundled):
        self.kernel, self._search = kernel, search

    @property
    def native(self) -> Callable[..., Any]:
        return self.kernel.native

    def bind(self, table: np.ndarray, _: Bundled) -> Callable[[], float]:
        return self.kernel.bind(table, self._search)


_NO_TREE = cast(Any, SimpleNamespace(clear=lambda: None))
"""What is to be emptied after a trial."""


def evaluation_of(part: Part) -> AtHorizon | None:
    """An evaluation at work, if it is not a rule of the game."""
    return AtHorizon(part) if part.own else None


@cache
def _judged(loop: Function) -> Function:
    return linked(loop, {judge: judge_by_part})


@cache
def _compiled(loop: Function, part: Part, kind: Kind) -> Kernel:
    whole = annotated(assembled(_judged(loop), [part]), {"game": Ints, "search": kind, "return": Real})
    return kernel(whole, group=f"by-{part.name}", alone=True, short=True)
