"""A search composed of parts: which go together, the memory that they work with, and the loop that is compiled of them.

A person's own file is such a part, too: `bandit=my_bandit.py`, `playout=my_playout.py(eagerness=0.3)`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from fogspiel.belief.roots import Turn
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Kind, Records
from fogspiel.engine.linking import annotated
from fogspiel.engine.part import ARRAYS, Part, kind_of
from fogspiel.engine.part import assembled as put_together
from fogspiel.errors import FogspielError, PartError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.needs import require
from fogspiel.game.parts import PartOf, place
from fogspiel.game.table import LEVELS, Facts
from fogspiel.search.kinds import PLAYOUT, SEARCH
from fogspiel.search.loop import Asked, Counts, Step, Walk, simulate
from fogspiel.search.nodes import NODE, SLOT, Memory
from fogspiel.search.plain import do

STEPWISE = {"policy", "candidates", "happen", "trace"}
"""Hooks for which a playout has to be made step by step."""


@dataclass(frozen=True)
class Room:
    """What memory is made for: so many nodes, slots, and steps in the tree."""

    nodes: int
    slots: int
    levels: int


def part(kind: str, spec: Any, values: Mapping[str, Any] | None = None) -> Part:
    """A part of a kind by its spec, `exp3(gamma=0.2)`, with those of the values that it has parameters for."""
    if isinstance(spec, Part):
        return spec
    try:
        made = PartOf(kind, str(spec), SEARCH[kind]).read(spec)
    except SpecError as error:
        raise SpecError(f"there is no {kind} {spec!r}: {error}") from None
    known = {p.name for p in made.parameters}
    return replace(
        made, values=tuple({**dict(made.values), **{n: v for n, v in (values or {}).items() if n in known}}.items())
    )


def parts(
    view: str | Part = "infoset",
    bandit: str | Part = "ucb",
    growth: str | Part = "untried",
    chance: str | Part = "drawn",
    enhancements: Iterable[str | Part] = (),
    playout: str | Part = "uniform",
    evaluation: str | Part = "rule",
    widening: str | Part = "none",
    icaruses: Iterable[Part] = (),
    **values: Any,
) -> list[Part]:
    """The parts of a search, by their specs or made already. Values are given by name to those that have a parameter of
    that name."""
    chosen = {
        "view": view,
        "bandit": bandit,
        "growth": growth,
        "chance": chance,
        "playout": playout,
        "widening": widening,
    }
    icaruses, wanted = [*icaruses], [*enhancements]
    wanted += {name: None for p in icaruses for name in p.tells("WITH", ())}
    enhancing: list[Part] = []
    for one in wanted:
        enhancing.append(part("enhancement", one, values))
        there = {w.name if isinstance(w, Part) else w for w in (*enhancing, *wanted)}
        wanted.extend(n for n in enhancing[-1].tells("WITH", ()) if n not in there)
    if any("cut" in p.written for p in enhancing):
        chosen["evaluation"] = evaluation
    made = [part(kind, p, values) for kind, p in chosen.items()]
    made = with_trace([q for p in (*made, *enhancing, *icaruses) for q in (p, *p.inner)])
    used = {p.name for one in made for p in one.parameters}
    if idle := values.keys() - used:
        raise SpecError(f"no part of this search has a parameter {sorted(idle)[0]}")
    return made


def with_trace(chosen: Sequence[Part]) -> list[Part]:
    """These parts, and where one of them wants a record of every simulation's moves, what keeps it."""
    return [*chosen, *[part("enhancement", "trace")] * any(p.tells("TRACE") for p in chosen)]


class Together:
    """Parts of a search, which do what they are asked to: `search` is what the loop and the parts see."""

    def __init__(self, chosen: Sequence[Part], search: Bundled):
        self.parts, self.search = chosen, search
        self._able: dict[str, list[Part]] = {}

    def do(self, name: str, *arguments: Any) -> list[Any]:
        """Have the parts that can do something do it."""
        if name not in self._able:
            self._able[name] = [p for p in self.parts if p.has(name)]
        return [do(p, name, self.search, *arguments) for p in self._able[name]]


class Composition(Together):
    """A search made of parts: its kernel, and all the memory that the kernel works with."""

    def __init__(self, game: Game, chosen: list[Part], nodes: int, seed: int):
        self.memory = memory_for(game, chosen, nodes)
        size, buffer = game.dtype.itemsize, len(game.buffer())
        search = bundled(
            game,
            chosen,
            self.memory,
            {
                "asked": np.zeros(1, Asked),
                "walk": np.zeros(1, Walk),
                "counts": np.zeros(1, Counts),
                "path": np.zeros(LEVELS + 1, Step),
                "roots": np.zeros(size, np.int8),
                "edges": np.ones(1),
                "runs": np.ones(1),
                "turn": np.zeros(1, Turn),
                "state": np.zeros(size + 64, np.int8),
                "moves": game.buffer(),
                "odds": np.zeros(buffer),
                "slot": game.buffer(),
                "prob": np.zeros(buffer),
                "labels": game.buffer(),
                "pay": np.zeros(max(game.players, game.max_moves) + 1),
                "facts": np.zeros(1, Facts),
                "rng": np.array([seed], np.uint64),
                "low": np.zeros(game.players),
                "span": np.ones(game.players),
            },
        )
        super().__init__(chosen, search)
        self.kernel = composed(simulate, tuple(chosen), search.kind)


def memory_for(game: Game, chosen: Sequence[Part], nodes: int, slot: tuple[tuple[Any, ...], ...] = ()) -> Memory:
    """A memory with the columns that parts want, beside those of slots that the loop itself does. Parts that do not go
    together are refused."""
    for p in chosen:
        if misfit := do(p, "misfit", {q.name for q in chosen}):
            raise FogspielError(misfit)
    of_nodes, of_slots = ([c for p in chosen for c in p.columns(where, game.players)] for where in ("NODE", "SLOT"))
    for names in ([c[0] for c in (*NODE, *of_nodes)], [c[0] for c in (*SLOT, *slot, *of_slots)]):
        if twice := {name for name in names if names.count(name) > 1}:
            raise FogspielError(f"two parts of this search want a column {min(twice)}: rename that of your own")
    return Memory(nodes, tuple(of_nodes), (*slot, *of_slots), players=game.players, moves=game.max_moves)


def bundled(game: Game, chosen: Sequence[Part], memory: Memory, own: dict[str, np.ndarray]) -> Bundled:
    """What a loop works with: its own arrays and records, the memory's, and those of its parts."""
    own = own | {"pool": memory.pool, "index": memory.index, "nodes": memory.nodes, "slots": memory.slots}
    own = with_own(game, chosen, Room(len(memory.nodes), len(memory.slots), LEVELS), own)
    # room for a single node is no record of its own
    kinds = {name: kind_of(array) for name, array in own.items()} | {"nodes": Records(memory.nodes.dtype)}
    return Bundled(Bundle(**kinds), **own)


def with_own(game: Game, chosen: Sequence[Part], room: Room, known: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays and records that are known, and those of these parts. Raises Unsuitable where a part is not for the
    game."""
    own = dict(known)
    for p in chosen:
        require(game, _asked_for(p, chosen), p.needs)
        made = do(p, "memory", game, room) or {}
        if p.own:
            _require_new(p, made, own)
        if p.fields:
            record = p.record({n: v for n, v in made.items() if not isinstance(v, np.ndarray)})
            if p.own and p.record_name in own:
                raise PartError(
                    f"{p.named}: its record would be search.{p.record_name}, which is there already: rename the file"
                )
            own[p.record_name] = record
        own |= {n: v for n, v in made.items() if isinstance(v, np.ndarray)}
    return own


def _asked_for(p: Part, chosen: Sequence[Part]) -> str:
    """A part as a person asks for it; one that another cannot do without, as that other one."""
    for other in chosen:
        if p.kind.name == "enhancement" and p.name in other.tells("WITH", ()):
            return _asked_for(other, chosen)
    return p.name if p.kind.name == "enhancement" else f"{p.kind.name}={p.name}"


def _require_new(p: Part, made: Any, known: Mapping[str, Any]) -> None:
    """Refuse memory of a person's own part that hides what is there already, or is none that compiled code can read."""
    if not isinstance(made, dict):
        raise PartError(f"{place(p.space.memory)} must return a dictionary of arrays")
    for name, array in made.items():
        if name in known:
            raise PartError(f"{place(p.space.memory)}: search.{name} is there already")
        if not isinstance(array, np.ndarray) and name in [field for field, *_ in p.fields]:
            continue
        if (
            not isinstance(array, np.ndarray)
            or array.ndim != 1
            or (array.dtype.names is None and array.dtype.str[1:] not in ARRAYS)
        ):
            raise PartError(
                f"{place(p.space.memory)}: search.{name} must be an array of one dimension, of {', '.join(ARRAYS)} "
                "or records"
            )


def composed(loop: Function, chosen: Sequence[Part], kind: Kind) -> Kernel:
    """A loop with these parts, as a kernel that takes a game's table and a bundle of this kind."""
    return _composed(loop, tuple(replace(p, values=()) for p in chosen), kind)


def assembled(loop: Function, chosen: Iterable[Part]) -> Function:
    """A loop with these parts, un-compiled, as functions of its own."""
    chosen = [*chosen]
    filled = {name for p in chosen for name in p.functions}
    if filled & STEPWISE and "playout" not in filled:
        chosen.append(PLAYOUT.part("stepwise"))
    try:
        return put_together(loop, chosen)
    except ValueError as error:
        raise FogspielError(str(error)) from None


@cache
def _composed(loop: Function, chosen: tuple[Part, ...], kind: Kind) -> Kernel:
    whole = annotated(assembled(loop, chosen), {"game": Ints, "search": kind, "return": Int})
    homes = sorted({p.name for p in chosen if p.functions})
    return kernel(whole, group=f"{'-'.join(homes)[:60]}", alone=True, copied=True)
