"""Online outcome sampling at work (`search/oos.py`): its memory, its target, what it is asked."""

import numpy as np

from fogspiel.belief.roots import Roots, Turn
from fogspiel.engine.part import Part
from fogspiel.game import table
from fogspiel.game.game import Game
from fogspiel.game.needs import TWO_PLAYERS, require
from fogspiel.game.rules import PUBLIC
from fogspiel.game.table import Facts
from fogspiel.game.view import view_type
from fogspiel.search import oos, target
from fogspiel.search.parts import Together, bundled, composed, memory_for, with_trace
from fogspiel.search.search import Search
from fogspiel.search.status import complaint
from fogspiel.search.trial import ready

NEEDS = (TWO_PLAYERS,)
LOOK_AHEAD, EACH, LEVELS = 100_000, 1000, 512
"""Moves tried for a new target, and more for each iteration, and levels, of the search for it (`search/target.py`)."""


class OutcomeSampling(Search):
    """Online outcome sampling. It samples from the roots it is given, which is the start of the game unless it
    progresses by new roots, and is told what the searcher has seen so far. Of `parts`, playout policies, evaluations
    and baselines are of use."""

    at_a_time = 2

    def __init__(
        self,
        game: Game,
        *,
        gamma: float = 0.4,
        delta: float = 0.9,
        epsilon: float = 0.01,
        public: bool = False,
        parts: tuple[Part, ...] = (),
        seed: int = 0,
        nodes: int = 1 << 18,
    ):
        super().__init__(game)
        require(game, "oos", NEEDS, instead="is-mcts")
        self.public, self.parts = public, with_trace(parts)
        self.memory = memory_for(game, self.parts, nodes, oos.SLOT)
        size, buffer = game.dtype.itemsize, len(game.buffer())
        asked, aim, look_ahead, turn = (np.zeros(1, kind) for kind in (oos.Asked, target.Aim, target.LookAhead, Turn))
        asked["gamma"], asked["delta"], asked["epsilon"] = gamma, delta, epsilon
        asked["zero_sum"], asked["simultaneous"] = game.about.zero_sum, game.about.simultaneous
        aim["tries"], aim["each"], aim["levels"], aim["mask"] = LOOK_AHEAD, EACH, LEVELS, len(self.memory.index) - 1
        ahead = game.buffer(LEVELS)
        own = {
            "asked": asked,
            "walk": np.zeros(1, oos.Walk),
            "counts": np.zeros(1, oos.Counts),
            "aim": aim,
            "look_ahead": look_ahead,
            "path": np.zeros(table.LEVELS, oos.Step),
            "roots": np.zeros(size, np.int8),
            "edges": np.ones(1),
            "runs": np.ones(1),
            "turn": turn,
            "state": np.zeros(size + 64, np.int8),
            "child": np.zeros(size + 64, np.int8),
            "moves": game.buffer(),
            "odds": np.zeros(buffer),
            "inside": np.zeros(buffer),
            "slot": game.buffer(),
            "prob": np.zeros(buffer),
            "facts": np.zeros(1, Facts),
            "pay": np.zeros(max(game.players, game.max_moves) + 1),
            "rng": np.array([seed], np.uint64),
            "low": self.low,
            "span": self.span,
            "reach": np.ones(2),
            "keys_seen": np.zeros(1, np.int64),
            "answers": np.zeros(len(self.memory.index), np.uint64),
            "stack": np.zeros((LEVELS + 1) * size + 64, np.int8),
            "frames": np.zeros(LEVELS + 1, target.Frame),
            "ahead": ahead,
            "ahead_odds": np.zeros(len(ahead)),
        }
        self.search = bundled(game, self.parts, self.memory, own)
        self.together = Together(self.parts, self.search)
        self.rng = self.search.rng
        self.asked, self.counts, self.aim, self.look_ahead, self.turn = (
            view_type(a.dtype).from_buffer(a.data) for a in (asked, own["counts"], aim, look_ahead, turn)
        )
        self._seen: tuple[int, list[int]] = (0, [])
        made = composed(oos.iterate, self.parts, self.search.kind)
        self._iterate = ready(game, oos.iterate, made, self.parts, self.search, self.memory)

    def forget(self) -> None:
        super().forget()
        self.together.do("forget")

    @property
    def crowded(self) -> bool:
        return super().crowded or any(self.together.do("crowded"))

    def moved(self, before: np.recarray) -> None:
        self.together.do("move", before, self.memory.node_count)

    def simulate(  # type: ignore[override]  # it is told by name what it aims at
        self,
        roots: Roots,
        searcher: int,
        simulations: int,
        *,
        seen: list[int] | None = None,
        reach: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """About so many iterations (an even number) from states drawn from the roots, targeted at what the searcher has
        `seen`: its keys, or the public ones. `reach`: the probability with which each player has come to the root."""
        search, aim = self.search, self.aim
        if self._seen != (searcher, seen or []):
            self._seen = (searcher, list(seen or []))
            search.answers[:] = 0
            self.look_ahead.known, self.look_ahead.left = 0, LOOK_AHEAD
        search.keys_seen = np.array(seen or [0], np.uint64).view(np.int64)
        self.start_from(roots, searcher)
        self.asked.pairs, search.reach[:] = max(1, simulations // 2), reach
        aim.seen, aim.searcher, aim.watcher = len(seen or []), searcher, PUBLIC if self.public else searcher
        if not self.memory.node_count:
            self.together.do("plant")
        if status := self.game.finish(self._iterate()):
            raise complaint(status, self.game, self.parts)
