"""A game unrolled: information sets, actions and terminals (and, on request, every history) in flat arrays."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.engine.address_space import address_space_left
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.notice import working_time
from fogspiel.errors import GameError, TooLarge
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.merged import moves_differ
from fogspiel.game.rules import CHANCE
from fogspiel.tree import unroll as u
from fogspiel.tree.estimate import estimate, too_many

CHUNK = 1 << 20
"""Histories between two looks at the clock, the memory and Ctrl-C."""


@dataclass(frozen=True)
class Histories:
    """Every history, parents before children. `reach` is the probability that chance contributes to it.

    `actor` is a player, CHANCE or OVER; `infoset`, `move` (the last one) and `terminal` are -1 where there is none.
    """

    parent: np.ndarray
    actor: np.ndarray
    infoset: np.ndarray
    move: np.ndarray
    reach: np.ndarray
    terminal: np.ndarray

    @property
    def bundle(self) -> Bundled:
        """For kernels."""
        return Bundled(u.HistoryArrays, **vars(self))


@dataclass(frozen=True)
class Tree:
    """A whole game.

    Information set `i` belongs to `player[i]`, has key `key[i]`, and its actions are numbered `first[i]` to
    `first[i] + count[i] - 1`; `parent[i]` is the same player's action before it, or -1; `members[i]` histories are in
    it. Action `a` is the move `move[a]`. A player's information sets come in an order in which earlier ones in play
    precede later ones.

    Terminal `z` was reached by chance with probability `reach[z]`, after the players' last actions `last[z]` (-1:
    none), and `pay[z]` holds the utilities *times* `reach[z]`.

    Without perfect recall, information sets are those of the coarsest perfect-recall refinement; `forgotten` then maps
    each to the first one with the same player and key, and is None otherwise. `tied` maps each to the first one that
    must share its strategy: with the rule `abstract` the first with the same key of the abstraction, else the same as
    `forgotten`; None if nobody shares. `situation` holds the keys of the abstraction, or is None.

    `size` is how many histories there are, `chance_nodes` how many of them are chance's, `depth` how many moves the
    longest has. `utility` is the range of all utilities, and `zero_sum` whether they add up to 0 at every end.
    `histories` has every history, where that was asked for.
    """

    game: Game
    player: np.ndarray
    key: np.ndarray
    first: np.ndarray
    count: np.ndarray
    parent: np.ndarray
    members: np.ndarray
    move: np.ndarray
    last: np.ndarray
    reach: np.ndarray
    pay: np.ndarray
    size: int
    chance_nodes: int
    depth: int
    utility: tuple[float, float]
    zero_sum: bool
    forgotten: np.ndarray | None
    tied: np.ndarray | None
    situation: np.ndarray | None
    histories: Histories | None = field(repr=False, default=None)

    def __repr__(self) -> str:
        return f"<tree of {self.game.spec}, {self.size:,} histories, {self.infosets:,} information sets>"

    @property
    def infosets(self) -> int:
        """How many information sets the game has (those that a player cannot tell apart counted once)."""
        return len(_heads(self.forgotten, self.player))

    @property
    def sequences(self) -> int:
        """(information set, action) pairs, and one empty sequence for each player."""
        return self.pairs + self.game.players

    @property
    def pairs(self) -> int:
        """(information set, action) pairs of all players."""
        return int(self.count[_heads(self.forgotten, self.player)].sum())

    @property
    def abstract_infosets(self) -> int:
        """How many information sets the game's abstraction has; without one, `infosets`."""
        return len(_heads(self.tied, self.player))

    @property
    def abstract_pairs(self) -> int:
        """(information set, action) pairs of the game's abstraction; without one, `pairs`."""
        return int(self.count[_heads(self.tied, self.player)].sum())

    @property
    def terminals(self) -> int:
        return len(self.reach)

    @property
    def perfect_recall(self) -> bool:
        return self.forgotten is None

    @cached_property
    def shared(self) -> bool:
        """Whether some information sets in which there is a choice must share a strategy (`tied`)."""
        if self.tied is None:
            return False
        return bool(((self.tied != np.arange(len(self.tied))) & (self.count > 1)).any())

    @cached_property
    def opposed(self) -> bool:
        """Whether nobody gains but by another's loss: one player, or two whose utilities add up to the same at every
        end.

        Only then has the game a value, and average strategies of regret minimizers approach a Nash equilibrium."""
        if self.game.players != 2 or self.zero_sum:
            return self.game.players <= 2
        total, most = self.pay.sum(axis=1), max(map(abs, self.utility))
        constant = total.sum() / self.reach.sum()
        return bool((np.abs(total - constant * self.reach) <= 1e-9 * most * self.reach).all())

    @property
    def bytes(self) -> int:
        """Memory that the arrays take."""
        mine = [v for v in vars(self).values() if isinstance(v, np.ndarray)]
        kept = list(vars(self.histories).values()) if self.histories else []
        return sum(v.nbytes for v in mine + kept)


def memory_limit() -> int:
    """Bytes that a tree, or another large thing, may take unless told otherwise: 70% of the machine's memory, or of the
    address space that is left to this process."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        machine = 12 << 30
    return int(0.7 * min(machine, address_space_left()))


def unroll(
    game: Source,
    *,
    histories: bool = False,
    memory: int | None = None,
    most: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tree:
    """Unroll a game. `progress` is called with the number of histories so far, now and then.

    Raises TooLarge before the arrays would take more than `memory` bytes, after `most` histories or after `seconds`;
    and where neither of these two ends the walk soon, as soon as an estimate tells that there is no room.
    """
    game, histories = load(game), given.flag("histories", histories)
    memory, most = given.maybe(given.size, "memory", memory), given.maybe(given.whole, "most", most, 1)
    seconds, progress = (
        given.maybe(given.seconds, "seconds", seconds),
        given.maybe(given.function, "progress", progress),
    )
    walk = _Walk(game, histories, memory_limit() if memory is None else memory)
    deadline = None if seconds is None else working_time() + seconds
    guess = most is None and deadline is None
    while True:
        stop = walk.count + (CHUNK // 8 if guess or deadline is not None else CHUNK)
        walk.w["stop_at"] = stop if most is None else min(stop, most)
        status = walk.go_on()
        if status == u.FINISHED:
            return walk.tree()
        if guess and status == u.PAUSED:  # games that are walked to their end before this need no guess
            guess = False
            walk.require_room()
        if progress is not None:
            progress(walk.count)
        if status == u.PAUSED and walk.count == most:
            raise walk.too_large(f"more than {most:,} histories")
        if deadline is not None and working_time() > deadline:
            raise walk.too_large(f"more than can be walked in {seconds:g} s")
        if status != u.PAUSED:
            walk.make_room(status)


class _Walk:
    """The arrays that the walk writes to, with room to spare, and the walk's own stack: `rooms` has their kinds and
    widths, by what they make room for."""

    def __init__(self, game: Game, keep: bool, memory: int):
        self.game, self.memory = game, memory
        n = game.players
        self.w = np.zeros(1, u.Walk)
        self.w["keep"], self.w["lowest"], self.w["highest"] = keep, np.inf, -np.inf
        size = game.dtype.itemsize
        self.rooms: dict[str, dict[str, tuple[Any, int]]] = {
            "stack": {"states": ("i1", size), "frames": (u.Frame, 1), "last": ("i4", n)},
            "buffer": {"buffer": ("i8", 1), "odds": ("f8", 1)},
            "infoset": {
                "player": ("i1", 1),
                "key": ("u8", 1),
                "first": ("i8", 1),
                "count": ("i4", 1),
                "parent": ("i4", 1),
                "members": ("i4", 1),
            },
            "action": {"move": ("i8", 1)},
            "terminal": {"last": ("i4", n), "reach": ("f8", 1), "pay": ("f8", n)},
            "history": {name: (kind.element, 1) for name, kind in u.HistoryArrays.members},
        }
        if "abstract" in game.functions:
            self.rooms["infoset"]["situation"] = ("u8", 1)
        self.arrays: dict[str, dict[str, np.ndarray]] = {room: {} for room in self.rooms}
        self.bundles: dict[str, Bundled] = {}
        most = game.max_moves
        for room, amount in (
            ("stack", 64),
            ("buffer", 64 * most),
            ("infoset", 4096),
            ("action", 8192 + most),
            ("terminal", 8192),
            ("history", 8192 if keep else 1),
        ):
            self._resize(room, amount)
        a = self.arrays
        stack, index = Bundled(u.Stack, **a["stack"], **a["buffer"]), np.zeros(0, np.int32)
        # without a rule `abstract` nothing is written to `situation`
        sets = Bundled(u.Infosets, **{"situation": np.zeros(1, np.uint64)} | a["infoset"] | a["action"], index=index)
        ends, histories = Bundled(u.Terminals, **a["terminal"]), Bundled(u.HistoryArrays, **a["history"])
        self.bundles = {
            "stack": stack,
            "buffer": stack,
            "infoset": sets,
            "action": sets,
            "terminal": ends,
            "history": histories,
        }
        self._make_index(1 << 14)
        self._plant()

    def _plant(self) -> None:
        """The stack before the first step: a level above the root whose only move leads to the root."""
        stack = self.arrays["stack"]
        stack["states"][: len(self.game.root)] = self.game.root.view(np.int8)
        stack["last"][: self.game.players] = -1
        for name, value in (("actor", CHANCE), ("moves", 1), ("infoset", -1), ("history", -1), ("reach", 1.0)):
            stack["frames"][name][0] = value

    @property
    def count(self) -> int:
        return int(self.w["histories"][0])

    def go_on(self) -> int:
        stack, sets, ends, histories = (self.bundles[room] for room in ("stack", "infoset", "terminal", "history"))
        status = u.walk(self.game.table, self.w, stack, sets, ends, histories)
        self.game.finish()
        if status == u.TOO_MANY:
            raise self.game.too_many_moves(int(self.w["culprit"][0]))
        if status == u.NO_MOVES:
            raise GameError(
                f"{self.game.name}: a state that is not over has no moves (run fogspiel check {self.game.written})"
            )
        if status == u.NOBODY:
            raise self.game.nobody(int(self.w["culprit"][0]))
        if status == u.DIFFER:
            raise moves_differ(self.game, int(self.arrays["infoset"]["key"][int(self.w["culprit"][0])]))
        return status

    def make_room(self, status: int) -> None:
        if status == u.STACK:
            # a level of the stack, or a place in it for the moves, is missing
            room = "stack" if self.w["depth"][0] + 2 >= self.w["stack_room"][0] else "buffer"
            amount = 2 * int(self.w[f"{room}_room"][0])
            if room == "stack" and amount > u.DEEPEST:
                raise TooLarge(
                    f"{self.game.spec} has histories of more than {amount // 2:,} moves: it may have cycles; "
                    "use value-iteration, or search it (fogspiel agents)",
                    f"it has histories of more than {amount // 2:,} moves",
                )
            self._resize(room, amount)
            return
        room = {u.INFOSETS: "infoset", u.ACTIONS: "action", u.TERMINALS: "terminal", u.HISTORIES: "history"}[status]
        amount = 2 * int(self.w[f"{room}_room"][0])
        self._resize(room, amount)
        if room == "infoset":
            self._make_index(4 * amount)

    def _resize(self, room: str, amount: int) -> None:
        slack = 4096 if room in ("buffer", "action") else self.game.max_moves
        self._check(sum(np.dtype(kind).itemsize * (amount * w + slack) for kind, w in self.rooms[room].values()))
        for name, (kind, w) in self.rooms[room].items():
            old = self.arrays[room].get(name)
            new = np.zeros(amount * w + slack, kind)
            if old is not None:
                new[: len(old)] = old
            self.arrays[room][name] = new
            if room in self.bundles:
                setattr(self.bundles[room], name, new)
        self.w[f"{room}_room"] = amount

    def _check(self, more: int) -> None:
        """Raise TooLarge where so many more bytes are not allowed."""
        if self.bytes + more > self.memory:
            raise self.too_large(f"its arrays would take more than the {_bytes(self.memory)} allowed")

    def require_room(self) -> None:
        """Raise TooLarge for a game with surely too many histories, by an estimate. Cycles are found sooner by walking
        on."""
        size = estimate(self.game)
        if size.histories < np.inf and (many := too_many(self.game, size, self.memory)):
            raise self.too_large(f"it {many}", "or choose smaller parameters")

    def _make_index(self, amount: int) -> None:
        self._check(amount * np.dtype(np.int32).itemsize)
        sets = self.bundles["infoset"]
        sets.index = np.zeros(amount, np.int32)
        self.w["mask"] = amount - 1
        u.enter_sets(int(self.w["infosets"][0]), amount - 1, sets)

    @property
    def bytes(self) -> int:
        held = self.bundles["infoset"].array("index").nbytes if self.bundles else 0
        return held + sum(a.nbytes for arrays in self.arrays.values() for a in arrays.values())

    def too_large(self, why: str, last: str = "") -> TooLarge:
        """`last`: the last advice, where more memory would not help and how far the walk came says nothing."""
        why = why if last else f"{why} ({self.count:,} histories reached)"
        return TooLarge(
            f"{self.game.spec} is too large to unroll: {why}; solve it with what needs no tree (es-mccfr, os-mccfr), "
            f"search it online (fogspiel agents), {last or 'choose smaller parameters, or allow more memory'}",
            why,
        )

    def tree(self) -> Tree:
        """The tree, once the walk has come to its end. It takes the arrays over, cut to their lengths in place."""
        n, w = self.game.players, {name: self.w[name][0] for name in self.w.dtype.names or ()}
        used = {room: int(w[f"{room}s"]) for room in ("infoset", "action", "terminal")}
        if w["keep"]:
            used["history"] = self.count
        found, self.arrays, self.bundles = self.arrays, {}, {}
        for room, length in used.items():
            for name, (_, width) in self.rooms[room].items():
                found[room][name].resize(length * width, refcheck=False)
        sets, (move,), ends = found["infoset"], found["action"].values(), found["terminal"]
        forgotten = _ties(sets["player"], sets["key"])
        situation = sets.pop("situation", None)
        tied = forgotten
        if situation is not None and not np.array_equal(situation, sets["key"]):
            tied = _ties(sets["player"], situation)
        if tied is not None:
            self._compare_moves(tied, sets["key"], sets["first"], sets["count"], move)
        return Tree(
            game=self.game,
            **sets,
            move=move,
            last=ends["last"].reshape(-1, n),
            reach=ends["reach"],
            pay=ends["pay"].reshape(-1, n),
            size=self.count,
            chance_nodes=int(w["chance_nodes"]),
            depth=int(w["deepest"]),
            utility=(float(w["lowest"]), float(w["highest"])),
            zero_sum=bool(w["imbalance"] <= 1e-9 * max(abs(w["lowest"]), abs(w["highest"]))),
            forgotten=forgotten,
            tied=tied,
            situation=situation,
            histories=Histories(**found["history"]) if w["keep"] else None,
        )

    def _compare_moves(
        self, tied: np.ndarray, key: np.ndarray, first: np.ndarray, count: np.ndarray, move: np.ndarray
    ) -> None:
        """Information sets that a player cannot tell apart must have the same moves."""
        differ = count != count[tied]
        if not differ.any():
            other = np.repeat(first[tied] - first, count) + np.arange(len(move))
            differ = np.add.reduceat(move != move[other], first) > 0
        if differ.any():
            raise moves_differ(self.game, int(key[np.argmax(differ)]))


def _heads(tied: np.ndarray | None, player: np.ndarray) -> np.ndarray:
    """The information sets that are the first of those they are tied to; all of them without ties."""
    every = np.arange(len(player))
    return every if tied is None else np.flatnonzero(tied == every)


def _ties(player: np.ndarray, key: np.ndarray) -> np.ndarray | None:
    """For each information set the first one with its player and key; None if all differ (perfect recall)."""
    if not len(key):
        return None
    order = np.lexsort((np.arange(len(key)), key, player))
    fresh = np.ones(len(key), bool)
    fresh[1:] = (key[order][1:] != key[order][:-1]) | (player[order][1:] != player[order][:-1])
    if fresh.all():
        return None
    tied = np.empty(len(key), np.int64)
    tied[order] = order[fresh][np.cumsum(fresh) - 1]
    return tied


def _bytes(count: int) -> str:
    """So many bytes in the largest unit of which they are one at least."""
    unit = next((unit for unit in (20, 10) if count >> unit), 0)
    return f"{count / (1 << unit):,.0f} {('bytes', 'KiB', 'MiB')[unit // 10]}"
