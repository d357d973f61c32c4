"""A search at work: memory, budget, statistics. What the loops in `loop.py` and `oos.py` are driven by."""

import copy
import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np

from fogspiel.belief.roots import Roots, Turn
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.notice import working_time
from fogspiel.engine.part import Part
from fogspiel.engine.primitives import mix
from fogspiel.game.game import Game
from fogspiel.game.needs import require, rule
from fogspiel.game.playout import playouts
from fogspiel.game.state import State
from fogspiel.game.table import LEVELS
from fogspiel.game.view import view_type
from fogspiel.search.loop import Asked, Counts, simulate
from fogspiel.search.nodes import Memory
from fogspiel.search.parts import Composition, Room
from fogspiel.search.plain import do, plain_copy
from fogspiel.search.statistics import MoveStatistics, Names, Statistics
from fogspiel.search.status import complaint
from fogspiel.search.trial import ready

SCOUTS = 64
"""Simulations that tell, before room is made, what can still be reached."""


def utility_ranges(game: Game) -> list[tuple[float, float]]:
    """The bounds of each player's utilities, as declared; where a game declares none, those met in a thousand random
    games."""
    if game.about.ranges is not None:
        bounds = list(game.about.ranges)
    elif game.about.utility is not None:
        bounds = [game.about.utility] * game.players
    else:
        met = [playouts(game, 1, seed).payoff for seed in range(1000)]
        bounds = [(float(np.min(met)), float(np.max(met)))] * game.players
    return [(float(low), float(high) if high > low else float(low) + 1.0) for low, high in bounds]


class Search:
    """What all searches share: a memory that stays between calls, and the account of a decision.

    A subclass sets `memory`, `rng`, `simulate`, and of what its loop works with `search`, and as attributes `asked`
    (searcher, states, redraw), `counts` (done, depth, deepest, played; `loop.Counts`) and `turn`. `finished` tells that
    no more simulations are of use.
    """

    forgotten = 0
    at_a_time = 1
    """Simulations that it makes together, or none of them."""

    memory: Memory
    rng: np.ndarray
    search: Bundled
    asked: Any
    counts: Any
    turn: Any

    def __init__(self, game: Game):
        self.game = game
        self._began = 0
        self._roots: Roots | None = None
        bounds = utility_ranges(game)
        self.low, self.span = np.array([low for low, _ in bounds]), np.array([high - low for low, high in bounds])

    @property
    def finished(self) -> bool:
        return False

    @property
    def by_infoset(self) -> bool:
        """Whether nodes are information sets of the players to move, found by `key`; those that a game's abstraction
        joins are one node."""
        return True

    @property
    def grows(self) -> bool:
        """Whether there are nodes after the root."""
        return True

    def forget(self) -> None:
        """Start again with an empty tree."""
        self.memory.clear()
        self._began = self.forgotten = 0

    def make_room(self, roots: Roots, searcher: int, **how: Any) -> None:
        """Before a search from these roots: if the memory is almost full, forget what the last search did not come to,
        then what can no longer be reached, as far as a few simulations tell, then what was hardly visited."""
        self.forgotten = 0
        if self.crowded:
            scouted = self.counts.done
            self.simulate(roots, searcher, SCOUTS, **how)
            before = self.memory.nodes[: self.memory.node_count].copy()
            self.memory.make_room(self._began, scouted)
            self.moved(before)
            self.forgotten = len(before) - self.memory.node_count

    @property
    def crowded(self) -> bool:
        return self.memory.crowded

    def moved(self, before: np.recarray) -> None:
        """Move whatever else is kept for nodes; `before` are the nodes as they were."""

    def restart(self, seed: int) -> None:
        """Forget everything, as if the search had been made with this seed; the memory's room is kept."""
        self.forget()
        self.rng[0] = seed
        self.counts.done = self.counts.depth = self.counts.deepest = self.counts.played = 0

    def simulate(self, roots: Roots, searcher: int, simulations: int, **how: Any) -> None:
        raise NotImplementedError

    def start_from(self, roots: Roots, searcher: int) -> None:
        """Have the loop draw what simulations start from (`loop.draw_root`)."""
        if roots.redraw:
            require(self.game, "a search from redrawn states", (rule("resample"),))
        search, asked, states = self.search, self.asked, roots.states
        search.roots = (states[0].data if len(states) == 1 else roots.data).view(np.int8)
        if roots is not self._roots:
            # a run of simulations from one state goes on from call to call
            self._roots, self.turn.left = roots, 0.0
        if len(states) > 1:
            search.edges = roots.edges
            search.runs = np.ones(len(states)) if roots.runs is None else np.array(roots.runs, float)
        asked.searcher, asked.states, asked.redraw = searcher, len(states), roots.redraw

    def run(
        self, roots: Roots, searcher: int, *, simulations: int | None, seconds: float | None = None, **how: Any
    ) -> Statistics:
        """Simulate for so many simulations, or seconds, and tell how it went. There is always time for a few."""
        before = self._counters()
        self._began = before[0]
        began = working_time()
        if simulations is not None:
            self.simulate(roots, searcher, simulations, **how)
        else:
            assert seconds is not None
            count = 64
            while True:
                start = working_time()
                self.simulate(roots, searcher, count, **how)
                each = (working_time() - start) / count
                left = seconds - (working_time() - began)
                if left <= 0 or self.finished:
                    break
                count = max(1, min(int(min(left, 0.05) / max(each, 1e-9)), 1 << 20))
        return self._statistics(before, working_time() - began)

    def key(self, state: State, searcher: int) -> int:
        """The key of the node that the search has for a state at the root: that by which the player to move chooses its
        strategy."""
        who = state.actor
        return mix(state.situation(who), who)

    def moves(self, state: State, searcher: int, key: int | None = None) -> tuple[MoveStatistics, ...]:
        """What the search thinks of each legal move in a state: one at the root, or elsewhere with the `key` of its
        node."""
        m = self.memory
        node = m.find(self.key(state, searcher) if key is None else key)
        who, names = state.actor, Names(state)
        if node < 0:
            return tuple(MoveStatistics(move, 0, None, None, names=names) for move in state.moves())
        slots = m.slots_of(node)
        here = m.slots.view(np.ndarray)[
            slots
        ]  # to reach each number through NumPy would take longer than a short search
        tries, totals = here["tries"].tolist(), here["total"].tolist()
        rows = {move: i for i, move in enumerate(here["move"].tolist())}
        mixed = m.strategy(slots)
        mass = 0.0 if mixed is None else mixed.sum()
        out = []
        for move in state.moves():
            i = rows.get(self.label(state, searcher, move))
            if i is None:
                out.append(MoveStatistics(move, 0, None, None, self.proof(who, None), names))
                continue
            value = self.utility(who, totals[i], tries[i]) if tries[i] else None
            share = None if mixed is None or mass <= 0 else float(mixed[i] / mass)
            out.append(MoveStatistics(move, tries[i], value, share, self.proof(who, slots.start + i), names))
        return tuple(out)

    def utility(self, player: int, total: float, tries: int) -> float:
        """A player's mean utility in so many tries, in which rewards between 0 and 1 have this sum."""
        return float(self.low[player] + self.span[player] * total / tries)

    def label(self, state: State, searcher: int, move: int) -> int:
        """What a node calls a move: the move itself, or what tells it apart."""
        return move

    def proof(self, player: int, slot: int | None) -> float | None:
        """What a move is certainly worth to a player, where that is known."""
        return None

    def _counters(self) -> tuple[int, int, int]:
        """Simulations, steps inside the tree and moves of playouts so far."""
        return self.counts.done, self.counts.depth, self.counts.played

    def _statistics(self, before: tuple[int, int, int], seconds: float) -> Statistics:
        done, depth, played = (now - then for now, then in zip(self._counters(), before, strict=True))
        m = self.memory
        return Statistics(
            done,
            seconds,
            m.node_count,
            self.bytes,
            depth / max(done, 1),
            self.counts.deepest,
            played / max(done, 1),
            m.filled.refused > 0,
            m.node_bytes,
            m.slot_bytes,
            self.finished,
            forgotten=self.forgotten,
        )

    @property
    def bytes(self) -> int:
        """Memory in use (not merely set aside)."""
        m = self.memory
        return m.node_count * m.node_bytes + m.slot_count * m.slot_bytes


class TreeSearch(Search):
    """Monte Carlo tree search (`search/loop.py`) composed of parts."""

    def __init__(self, game: Game, chosen: list[Part], *, seed: int = 0, nodes: int = 1 << 18):
        super().__init__(game)
        self.composition = Composition(game, chosen, nodes, seed)
        self.memory, self.search = self.composition.memory, self.composition.search
        self.rng = self.search.rng
        self.search.low[:], self.search.span[:] = self.low, self.span
        # a short search would spend much of its time on reaching these through NumPy
        self.asked, self.counts, self.turn = (
            view_type(kind).from_buffer(self.search.array(name).data) for name, kind in _OFTEN
        )
        self.asked.simultaneous = game.about.simultaneous
        self._simulate = ready(
            game, simulate, self.composition.kernel, self.composition.parts, self.search, self.memory
        )

    @property
    def view(self) -> Part:
        return self.composition.parts[0]

    @property
    def by_infoset(self) -> bool:
        return self.view.tells("BY_INFOSET")

    @property
    def grows(self) -> bool:
        return all(p.tells("GROWS", True) for p in self.composition.parts)

    def forget(self) -> None:
        super().forget()
        self.composition.do("forget")

    @property
    def crowded(self) -> bool:
        return super().crowded or any(self.composition.do("crowded"))

    def moved(self, before: np.recarray) -> None:
        self.composition.do("move", before, self.memory.node_count)

    @property
    def finished(self) -> bool:
        """The value of the root is proven."""
        return self.counts.settled != 0

    def proof(self, player: int, slot: int | None) -> float | None:
        return None if slot is None else next(iter(self.composition.do("proven", self.memory, slot, player)), None)

    def simulate(self, roots: Roots, searcher: int, simulations: int, **how: Any) -> None:
        """So many simulations from states drawn from the roots."""
        self.start_from(roots, searcher)
        self.asked.simulations, self.counts.settled = simulations, 0
        if not self.memory.node_count:
            self.composition.do("plant")
        if status := self.game.finish(self._simulate()):
            raise complaint(status, self.game, self.composition.parts)

    def key(self, state: State, searcher: int) -> int:
        return Following(self, state.stage, searcher).key(state)

    def label(self, state: State, searcher: int, move: int) -> int:
        own = self.view.tells("label", None)
        return move if own is None else own(self, state, searcher, move)


class Following:
    """The view of a search along a line of play, un-compiled: what tells the nodes on it apart."""

    def __init__(self, search: TreeSearch, root: State, searcher: int):
        space, stubs = search.view.space, search.view.kind.stubs
        self._do = {name: getattr(space, name, stubs[name]) for name in ("begin", "told", "stage_begins", "stage_ends")}
        # nobody looks at the states of a line
        self._key_of = getattr(space, "key_unseen", space.key_of)
        self._table = search.game.table.tolist()
        room = Room(len(search.memory.nodes), len(search.memory.slots), LEVELS)
        view = search.view
        made = do(view, "memory", search.game, room) or {}
        set_ = {p.name: p.stored(view.settings[p.name]) for p in view.parameters}
        arrays = {name: value for name, value in made.items() if isinstance(value, np.ndarray)}
        self.path = SimpleNamespace(
            asked=SimpleNamespace(searcher=searcher, simultaneous=search.game.about.simultaneous),
            seen=SimpleNamespace(**{name: made.get(name, set_.get(name, 0)) for name, *_ in search.view.fields}),
            **{name: plain_copy(array) for name, array in arrays.items()},
        )
        self._do["begin"](self._table, self.path)
        self._do["stage_begins"](self._table, self.path, root.address)

    def key(self, state: State) -> int:
        """The key of the node for the decision in a state that the line has come to."""
        return self._key_of(self._table, self.path, state.address, state.actor)

    @property
    def way(self) -> tuple[Any, ...]:
        """What tells the line apart from others to the same state."""
        return (*vars(self.path.seen).values(), *getattr(self.path, "trail", ()))

    def after(self, who: int, move: int, state: State) -> "Following":
        """The same after a move, which led to this state."""
        other = object.__new__(Following)
        other._do, other._key_of, other._table = self._do, self._key_of, self._table
        other.path = _anew(self.path)
        self._do["told"](other.path, who, move)
        if state.stage is state:
            for step in ("stage_ends", "stage_begins"):
                self._do[step](self._table, other.path, state.address)
        return other


def _anew(value: Any) -> Any:
    """A copy that shares nothing with it: of records and arrays at once, for which `deepcopy` takes long."""
    if isinstance(value, SimpleNamespace):
        return SimpleNamespace(**{name: _anew(member) for name, member in vars(value).items()})
    if isinstance(value, ctypes.Array):
        return type(value).from_buffer_copy(value)
    return value if isinstance(value, int | float) else copy.deepcopy(value)


_OFTEN = (("asked", Asked), ("counts", Counts), ("turn", Turn))
