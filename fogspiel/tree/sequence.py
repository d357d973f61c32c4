"""The sequence form (von Stengel 1996; Lanctot 2013, sec. 2.1.3), for any number of players.

A player's *sequence* is its last action, or the empty sequence; a *plan* gives each sequence the product of the
player's own probabilities along it. Utilities are multilinear in the plans: player p's is the sum, over the entries of
one sparse table, of a value times a plan entry of each player. For two players the table is von Stengel's payoff
matrix.

Information sets with a single action are contracted: their one sequence *is* the sequence before them. The players'
sequences share one numbering, player 0's first, each player's empty sequence at the head of its range.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Record
from fogspiel.errors import SpecError
from fogspiel.game.load import Source
from fogspiel.tree.payoffs import PANEL, Payoffs, multiply, pack, ranges
from fogspiel.tree.tree import Tree, unroll

Facts = np.dtype([("players", "i8"), ("shared", "i8")])
"""How many players there are, and whether some information sets must share a strategy."""

Form: Any = Bundle(
    facts=Record(Facts), sets=Ints, begin=Ints, first=Ints32, count=Ints32, parent=Ints32, leader_first=Ints32
)
"""A `SequenceForm` as kernels take it; `leader_first` is the first sequence of each information set's leader."""

Sets: Any = Bundle(player=Bytes, first=Ints, count=Ints32, parent=Ints32)
"""A tree's information sets (`Tree`)."""

Numbered: Any = Bundle(
    sets=Ints,
    begin=Ints,
    first=Ints32,
    count=Ints32,
    parent=Ints32,
    origin=Ints32,
    sequence=Ints32,
)
"""What `number` finds of a `SequenceForm`."""


@dataclass(frozen=True)
class SequenceForm:
    """Flat arrays of a game in sequence form, whose `tree` it is of, for so many `players`.

    `sets[p]:sets[p + 1]` are player p's information sets with a choice, `begin[p]:begin[p + 1]` its sequences, the
    first of which is the empty one. Set `i` has sequences `first[i]` to `first[i] + count[i] - 1` and comes after
    sequence `parent[i]`, which is smaller than all of them; `origin[i]` is its number in the tree. Earlier sets in play
    come before later ones. `sequence[a]` is the sequence of the tree's action `a`; of a forced move it is that before
    it.

    `rows[s]:rows[s + 1]` are the entries in which sequence `s` occurs as its owner's: `value` is the owner's utility
    times chance's probability, `column` names one sequence of each other player, players - 1 a row of it.
    """

    tree: Tree
    players: int
    sets: np.ndarray
    begin: np.ndarray
    first: np.ndarray
    count: np.ndarray
    parent: np.ndarray
    origin: np.ndarray
    sequence: np.ndarray
    rows: np.ndarray
    column: np.ndarray
    value: np.ndarray

    def __repr__(self) -> str:
        return f"<sequence form of {self.tree.game.spec}, {self.sequences:,} sequences>"

    @property
    def sequences(self) -> int:
        return int(self.begin[-1])

    @cached_property
    def leader(self) -> np.ndarray:
        """For each information set, the first one whose strategy it must share (`Tree.tied`): itself, if nothing is
        shared."""
        mine = np.arange(len(self.first))
        if self.tree.tied is None:
            return mine
        place = np.zeros(len(self.tree.player), np.int64)
        place[self.origin] = mine
        return place[self.tree.tied[self.origin]]

    @cached_property
    def bundle(self) -> Bundled:
        """For kernels."""
        facts = np.array([(self.players, self.tree.shared)], Facts)
        return Bundled(
            Form,
            facts=facts,
            sets=self.sets,
            begin=self.begin,
            first=self.first,
            count=self.count,
            parent=self.parent,
            leader_first=self.first[self.leader],
        )

    @cached_property
    def payoffs(self) -> Payoffs:
        """The entries once more, laid out for multiplying."""
        return pack(self.players, self.begin, self.rows, self.column, self.value)

    @property
    def bytes(self) -> int:
        return sum(v.nbytes for v in vars(self).values() if isinstance(v, np.ndarray))

    def uniform(self) -> np.ndarray:
        """The behaviour strategy that plays every action as likely; empty sequences have probability 1."""
        behaviour = np.ones(self.sequences)
        behaviour[ranges(self.first, self.count)] = np.repeat(1.0 / self.count, self.count)
        return behaviour

    def row(self, name: str, values: np.ndarray) -> np.ndarray:
        """Values for the sequences, as compiled code takes them."""
        if not isinstance(values, np.ndarray) or values.shape != (self.sequences,) or values.dtype.kind not in "fiu":
            raise SpecError(f"{name} must be an array of {self.sequences} reals, not {given.shown(values)}")
        return np.ascontiguousarray(values, np.float64)

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The plan of a behaviour strategy: products of probabilities down each player's sequences."""
        behaviour = self.row("behaviour", behaviour)
        plan = behaviour.copy()
        realize(len(self.first), self.first, self.count, self.parent, behaviour, plan)
        return plan

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        """The behaviour strategy of a plan (or any positive multiple of one); uniform where the plan never goes."""
        plan, behaviour = self.row("plan", plan), np.ones(self.sequences)
        normalize(len(self.first), self.first, self.count, plan, behaviour)
        return behaviour

    def gradient(self, plan: np.ndarray, player: int) -> np.ndarray:
        """What each of the player's sequences adds to its utility, the others' plans being fixed; 0 for other rows."""
        plan, out = self.row("plan", plan), np.zeros(self.sequences)
        player = given.player(self.players, player)
        multiply(player, self.players, self.payoffs.bundle, plan, out, np.zeros(PANEL))
        return out

    def values(self, plan: np.ndarray) -> np.ndarray:
        """Every player's expected utility."""
        plan = self.row("plan", plan)
        spans = [slice(self.begin[p], self.begin[p + 1]) for p in range(self.players)]
        return np.array([self.gradient(plan, p)[s] @ plan[s] for p, s in enumerate(spans)])

    def best_response(self, plan: np.ndarray, player: int) -> tuple[float, np.ndarray]:
        """The player's best utility against the others' plans, and a behaviour strategy that gets it (rows of others:
        1).

        Where the others' plans never lead to an information set, its first action is taken.
        """
        player = given.player(self.players, player)
        gradient = self.gradient(plan, player)
        behaviour = np.ones(self.sequences)
        respond(self.sets[player], self.sets[player + 1], self.first, self.count, self.parent, gradient, behaviour)
        return float(gradient[self.begin[player]]), behaviour


def sequence_form(tree: Tree | Source) -> SequenceForm:
    """The sequence form of a tree, or of a game, which is unrolled for it. Without perfect recall it is that of the
    tree's refinement."""
    if not isinstance(tree, Tree):
        tree = unroll(tree)
    n = tree.game.players
    sets, actions = len(tree.player), len(tree.move)
    begins = {name: np.zeros(n + 1, np.int64) for name in ("sets", "begin")}
    chosen = {name: np.zeros(max(sets, 1), np.int32) for name in ("first", "count", "parent", "origin")}
    begin, sequence = begins["begin"], np.zeros(max(actions, 1), np.int32)
    whole = Bundled(Sets, player=tree.player, first=tree.first, count=tree.count, parent=tree.parent)
    used = number(n, sets, whole, Bundled(Numbered, **begins, **chosen, sequence=sequence))
    played = np.where(tree.last >= 0, sequence[np.maximum(tree.last, 0)], begin[:-1].astype(np.int32))
    rows, column, value = _entries(n, int(begin[-1]), played, tree.pay)
    return SequenceForm(
        tree,
        n,
        **begins,
        **{name: array[:used].copy() for name, array in chosen.items()},
        sequence=sequence[:actions],
        rows=rows,
        column=column,
        value=value,
    )


def _entries(
    players: int, sequences: int, played: np.ndarray, pay: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Terminals as entries sorted by owner's sequence; those with the same sequences added up, zeros dropped."""
    columns, values, owners = [], [], []
    for p in range(players):
        others = [q for q in range(players) if q != p]
        worth = pay[:, p] != 0
        row, other, value = played[worth, p], played[worth][:, others], pay[worth, p]
        order = np.lexsort((*other.T[::-1], row))
        row, other, value = row[order], other[order], value[order]
        fresh = np.ones(len(row), bool)
        fresh[1:] = (row[1:] != row[:-1]) | (other[1:] != other[:-1]).any(axis=1)
        starts = np.flatnonzero(fresh)
        total = np.add.reduceat(value, starts) if len(starts) else value
        keep = total != 0
        owners.append(row[starts][keep])
        columns.append(other[starts][keep])
        values.append(total[keep])
    row = np.concatenate(owners)
    rows = np.searchsorted(row, np.arange(sequences + 1)).astype(np.int32)
    column = np.ascontiguousarray(np.concatenate(columns), np.int32).ravel()
    return rows, column if len(column) else np.zeros(1, np.int32), np.concatenate([*values, np.zeros(1)])


@kernel
def number(players: Int, sets: Int, tree: Sets, form: Numbered) -> Int:
    """Number the sequences, player by player, contracting forced moves; returns how many sets offer a choice."""
    sequence, used, following = form.sequence, 0, 0
    for p in range(players):
        form.sets[p] = used
        form.begin[p] = following
        following += 1
        for i in range(sets):
            if tree.player[i] != p:
                continue
            before = form.begin[p] if tree.parent[i] < 0 else sequence[tree.parent[i]]
            a = tree.first[i]
            if tree.count[i] == 1:
                sequence[a] = before
                continue
            form.first[used] = following
            form.count[used] = tree.count[i]
            form.parent[used] = before
            form.origin[used] = i
            used += 1
            for k in range(tree.count[i]):
                sequence[a + k] = following
                following += 1
    form.sets[players] = used
    form.begin[players] = following
    return used


@kernel
def realize(sets: Int, first: Ints32, count: Ints32, parent: Ints32, behaviour: Reals, plan: Reals) -> None:
    """Top-down: plan[s] = plan[sequence before s] * behaviour[s]."""
    for i in range(sets):
        above = plan[parent[i]]
        for s in range(first[i], first[i] + count[i]):
            plan[s] = above * behaviour[s]


@kernel
def normalize(sets: Int, first: Ints32, count: Ints32, plan: Reals, behaviour: Reals) -> None:
    """Each information set's share of the plan; uniform where it is zero."""
    for i in range(sets):
        total = 0.0
        for s in range(first[i], first[i] + count[i]):
            total += plan[s]
        for s in range(first[i], first[i] + count[i]):
            behaviour[s] = plan[s] / total if total > 0 else 1.0 / count[i]


@kernel
def respond(
    low: Int, high: Int, first: Ints32, count: Ints32, parent: Ints32, gradient: Reals, behaviour: Reals
) -> None:
    """Bottom-up: add to each sequence the best value of the information sets after it, and take the best action
    there."""
    for i in range(high - 1, low - 1, -1):
        best = first[i]
        for s in range(first[i], first[i] + count[i]):
            if gradient[s] > gradient[best]:
                best = s
        for s in range(first[i], first[i] + count[i]):
            behaviour[s] = 1.0 if s == best else 0.0
        gradient[parent[i]] += gradient[best]
