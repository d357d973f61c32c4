"""A strategy: for each player and each information set, a probability for every legal move.

Information sets are named by the game's own 64-bit keys, so a strategy outlives the tree or search it came from. Where
a strategy says nothing about an information set, it plays every legal move as likely: this default holds everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from fogspiel import given
from fogspiel.errors import FileError, SpecError, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.playout import behaviour as behaviour_of
from fogspiel.game.state import State
from fogspiel.tree.payoffs import ranges
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree

if TYPE_CHECKING:
    from fogspiel import StrategyTable

ROWS = {"player": "i1", "key": "u8", "start": "i8", "move": "i8", "prob": "f8"}
"""The arrays of a strategy, and of its file, with their types."""


@dataclass(frozen=True)
class Strategy:
    """A strategy profile. Row `i` is the information set of `player[i]` with key `key[i]`; its moves and their
    probabilities are `move[start[i]:start[i + 1]]` and `prob[start[i]:start[i + 1]]`. Rows are sorted by player and
    key. With `situations`, keys are those of the game's abstraction, which several information sets may share."""

    game: str
    behaviour: str
    player: np.ndarray
    key: np.ndarray
    start: np.ndarray
    move: np.ndarray
    prob: np.ndarray
    situations: bool = False

    def __post_init__(self) -> None:
        """Compiled code follows these arrays without looking: what does not fit together is refused here."""
        if flaw := self._flaw():
            raise SpecError(f"this is no strategy: {flaw}")

    def _flaw(self) -> str:
        """What keeps the arrays from being a strategy, or nothing."""
        arrays = {name: getattr(self, name) for name in ROWS}
        if not isinstance(self.game, str) or not isinstance(self.behaviour, str):
            return "the game and its behaviour are not named by text"
        if any(not isinstance(a, np.ndarray) or a.dtype != ROWS[n] or a.ndim != 1 for n, a in arrays.items()):
            return "its arrays are not of the documented types"
        player, key, start, move, prob = arrays.values()
        rows = len(key)
        if len(player) != rows or len(start) != rows + 1 or start[0] != 0 or not len(move) == len(prob) == start[-1]:
            return "its arrays do not fit together"
        if not np.all(start[:-1] < start[1:]):
            return "its arrays do not fit together"
        if not np.all((player[:-1] < player[1:]) | ((player[:-1] == player[1:]) & (key[:-1] < key[1:]))):
            return "its rows are not sorted by player and key"
        if rows and player[0] < 0:
            return "a row is of a player below 0"
        if not np.all(prob >= 0) or (rows and np.any(np.abs(np.add.reduceat(prob, start[:-1]) - 1) > 1e-6)):
            return "its probabilities do not sum to one"
        row = np.repeat(np.arange(rows), np.diff(start))
        if not np.all((move[:-1] < move[1:]) | (row[:-1] < row[1:])):  # nearly always they rise, and need not be sorted
            order = np.lexsort((move, row))
            if np.any((row[order][1:] == row[order][:-1]) & (move[order][1:] == move[order][:-1])):
                return "a row has a move twice"
        return ""

    @staticmethod
    def build(
        game: Game,
        player: np.ndarray,
        key: np.ndarray,
        count: np.ndarray,
        move: np.ndarray,
        prob: np.ndarray,
        situations: bool = False,
    ) -> "Strategy":
        """A strategy from rows in any order, `count` moves each; of rows with one player and key the first is kept."""
        given.kind("game", game, Game, "a loaded game")
        player, key, count, move, prob = _arrays(player, key, count, move, prob)
        order = np.lexsort((key, player))
        fresh = np.ones(len(key), bool)
        fresh[1:] = (key[order][1:] != key[order][:-1]) | (player[order][1:] != player[order][:-1])
        order = order[fresh]
        begin = np.concatenate([[0], np.cumsum(count)])[:-1]
        start = np.concatenate([[0], np.cumsum(count[order])]).astype(np.int64)
        at = ranges(begin[order], count[order])
        return Strategy(
            game.spec,
            behaviour_of(game),
            player[order].astype(np.int8),
            key[order].astype(np.uint64),
            start,
            move[at].astype(np.int64),
            prob[at].astype(np.float64),
            situations,
        )

    @staticmethod
    def from_behaviour(form: SequenceForm, behaviour: np.ndarray) -> "Strategy":
        """The strategy that plays `behaviour` (a probability a sequence) on a game in sequence form."""
        given.kind("form", form, SequenceForm, "a game in sequence form")
        tree, behaviour = form.tree, form.row("behaviour", behaviour)
        prob = np.ones(len(tree.move))
        prob[ranges(tree.first[form.origin], form.count)] = behaviour[ranges(form.first, form.count)]
        return Strategy.build(tree.game, tree.player, tree.key, tree.count, tree.move, prob)

    def on(self, form: SequenceForm) -> np.ndarray:
        """This strategy as a probability a sequence; uniform where it says nothing."""
        given.kind("form", form, SequenceForm, "a game in sequence form")
        behaviour = np.ones(form.sequences)
        behaviour[ranges(form.first, form.count)] = self.actions(form.tree)[
            ranges(form.tree.first[form.origin], form.count)
        ]
        return behaviour

    def actions(self, tree: Tree) -> np.ndarray:
        """This strategy as a probability for each of the tree's actions; uniform where it says nothing."""
        self.require(given.kind("tree", tree, Tree, "a game unrolled").game)
        prob = np.repeat(1.0 / tree.count, tree.count)
        row = self._rows(tree.player, self._names(tree))
        known = np.flatnonzero(row >= 0)
        size = np.diff(self.start)[row[known]]
        if not np.array_equal(size, tree.count[known]):
            raise FileError(f"the strategy's moves are not those of {tree.game.spec}")
        mine, theirs = ranges(self.start[:-1][row[known]], size), ranges(tree.first[known], size)
        if not np.array_equal(self.move[mine], tree.move[theirs]):
            raise FileError(f"the strategy's moves are not those of {tree.game.spec}")
        prob[theirs] = self.prob[mine]
        return prob

    def replaced(self, player: int, other: "Strategy") -> "Strategy":
        """This profile, with the player following another strategy of the same game."""
        other = given.kind("other", other, Strategy, "a strategy")
        player = given.whole("player", player, 0, 126)
        if self.behaviour != other.behaviour:
            raise SpecError(
                f"the strategies are of two games, {self.game} and {other.game}: they cannot be one profile"
            )
        if self.situations != other.situations:
            raise Unsuitable(
                "one of the strategies is of an abstraction and the other is not: they cannot be one profile"
            )
        parts = [(self, slice(0, player)), (other, slice(player, player + 1)), (self, slice(player + 1, 1 << 7))]
        rows = [(s, slice(*np.searchsorted(s.player, [p.start, p.stop]))) for s, p in parts]
        count = np.concatenate([np.diff(s.start)[r] for s, r in rows])
        moves = [(s, slice(s.start[r.start], s.start[r.stop])) for s, r in rows]
        return replace(
            self,
            player=np.concatenate([s.player[r] for s, r in rows]),
            key=np.concatenate([s.key[r] for s, r in rows]),
            start=np.concatenate([[0], np.cumsum(count)]).astype(np.int64),
            move=np.concatenate([s.move[m] for s, m in moves]),
            prob=np.concatenate([s.prob[m] for s, m in moves]),
        )

    def greedy(self) -> "Strategy":
        """The pure strategy that plays the likeliest move of each information set, of several the first."""
        return replace(self, prob=likeliest(np.diff(self.start), self.prob))

    def silent(self, tree: Tree) -> int:
        """On how many of the tree's information sets the strategy says nothing, although there is a choice."""
        given.kind("tree", tree, Tree, "a game unrolled")
        unknown = ~self.knows(tree) & (tree.count > 1)
        return len(np.unique(np.flatnonzero(unknown) if tree.perfect_recall else np.asarray(tree.forgotten)[unknown]))

    @overload
    def knows(self, place: Tree) -> np.ndarray: ...

    @overload
    def knows(self, place: State) -> bool: ...

    def knows(self, place: Tree | State) -> np.ndarray | bool:
        """Whether the strategy says something about each of a tree's information sets, or about that of a state's
        actor."""
        if isinstance(place, Tree):
            return self._rows(place.player, self._names(place)) >= 0
        return bool(self._row(place) >= 0)

    def table(self, game: Game | str | None = None, **how: Any) -> "StrategyTable":
        """The strategy in words, as rows of data: `fogspiel.strategy_table`, which takes the same options."""
        # tables stand on the accounts of what players saw, a room below this one; the public face reaches them
        import fogspiel

        return fogspiel.strategy_table(game, self, **how)

    def require(self, game: Game) -> None:
        """Raise FileError unless this strategy was made for the game."""
        given.kind("game", game, Game, "a loaded game")
        if self.behaviour != behaviour_of(game):
            raise FileError(
                f"the strategy was made for {self.game}, not for {game.spec} (or for other rules of that name)"
            )
        if len(self.player) and self.player[-1] >= game.players:
            raise FileError(f"the strategy has rows of player {self.player[-1]}, whom {game.spec} does not have")

    def probabilities(self, state: State) -> dict[int, float]:
        """What the strategy does in a state, from the actor's key alone: a probability for each legal move."""
        row, moves = self._row(state), state.moves()
        if row < 0:
            return dict.fromkeys(moves, 1.0 / len(moves))
        span = slice(self.start[row], self.start[row + 1])
        found = dict(zip(self.move[span].tolist(), self.prob[span].tolist(), strict=True))
        if found.keys() != {*moves}:
            raise FileError(f"the strategy's moves are not those of {state.game.spec}")
        return found

    def found(self, player: int, keys: np.ndarray) -> Iterator[tuple[int, dict[int, float]]]:
        """For those of a player's keys of which the strategy says something, their places and what it says."""
        rows = self._rows(np.full(len(keys), player), keys)
        for i in np.flatnonzero(rows >= 0).tolist():
            span = slice(self.start[rows[i]], self.start[rows[i] + 1])
            yield i, dict(zip(self.move[span].tolist(), self.prob[span].tolist(), strict=True))

    def __len__(self) -> int:
        """How many information sets the strategy knows."""
        return len(self.key)

    def __repr__(self) -> str:
        joined = " of its abstraction" if self.situations else ""
        return f"<strategy of {self.game}, {len(self):,} information sets{joined}>"

    def __eq__(self, other: object) -> bool:
        """Whether two strategies say the same of the same game."""
        if not isinstance(other, Strategy):
            return NotImplemented
        return all(np.array_equal(mine, getattr(other, name)) for name, mine in vars(self).items())

    def _row(self, state: State) -> int:
        """The row of what the player to move in a state knows, or -1."""
        who = given.kind("state", state, State, "a state of a game").actor
        if who < 0:
            raise SpecError("no player is to move in this state, so there is no strategy for it")
        key = state.situation(who) if self.situations else state.key(who)
        return self._rows(np.array([who]), np.array([key], np.uint64))[0]

    def _names(self, tree: Tree) -> np.ndarray:
        """The keys by which this strategy knows the tree's information sets."""
        if not self.situations:
            return tree.key
        if tree.situation is None:
            raise FileError(f"the strategy is of an abstraction, and {tree.game.spec} has none")
        return tree.situation

    def _rows(self, player: np.ndarray, key: np.ndarray) -> np.ndarray:
        """The row of each (player, key), or -1."""
        out = np.full(len(key), -1, np.int64)
        for p in np.unique(player):
            low, high = np.searchsorted(self.player, [p, p + 1])
            mine = np.flatnonzero(player == p)
            at = low + np.searchsorted(self.key[low:high], key[mine])
            hit = at < high
            hit[hit] = self.key[at[hit]] == key[mine][hit]
            out[mine[hit]] = at[hit]
        return out


def likeliest(count: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """For rows of `count` numbers each, 1 at the largest of every row, of several the first, and 0 elsewhere."""
    begin, every, out = np.cumsum(count) - count, np.arange(len(worth)), np.zeros(len(worth))
    if len(begin):
        most = np.repeat(np.maximum.reduceat(worth, begin), count)
        out[np.minimum.reduceat(np.where(worth == most, every, len(every)), begin)] = 1.0
    return out


def _arrays(*rows: np.ndarray) -> list[np.ndarray]:
    """The rows of a strategy (player, key, count, move, prob) as arrays; a SpecError where they cannot be."""
    kinds = {"player": "iu", "key": "iu", "count": "iu", "move": "iu", "prob": "f"}
    for (name, kind), values in zip(kinds.items(), rows, strict=True):
        if not isinstance(values, np.ndarray) or values.dtype.kind not in kind or values.ndim != 1:
            raise SpecError(f"{name} must be an array of one dimension of type {kind}, not {given.shown(values)}")
    player, key, count, move, prob = rows
    key = key.astype(np.uint64)  # as which keys are sorted, whatever they came as
    if not len(player) == len(key) == len(count) or not len(move) == len(prob) == count.sum() or (count < 1).any():
        raise SpecError(
            "the rows of a strategy do not fit together: there is one player, key and count a row, and count moves"
        )
    return [player, key, count, move, prob]
