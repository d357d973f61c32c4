"""A game without an end as its states without history: what the rule `markov` tells apart (Veselý 2024, sec. 5: the
short form).

The rules play a game that is cut off; here all states are found that it comes to, each once, from wherever it is
reached first, with the moves of both players there and what joint moves lead to. If everyone sees all, this is a
stochastic game (Shapley 1953).
"""

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from fogspiel.engine.index import FREE, enter, find
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals
from fogspiel.engine.primitives import mix
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.exploring import FINISHED, REFUSE, REFUSED, Explorer, Walk, add
from fogspiel.game.horizon import discount_of, has_worths
from fogspiel.game.needs import ENDLESS, require
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.second import (
    KNOWN,
    MEMORY,
    SAME,
    compare_seconds,
    key_of,
    memory,
    met_again,
    not_the_same,
    word_of_state,
)
from fogspiel.game.state import State, asked
from fogspiel.game.table import actor, chances, cut, moves, payoff

if TYPE_CHECKING:
    from fogspiel.game.game import Game

MOST_BYTES = 4 << 30
"""Memory that the states of a game may take."""
END = -1
"""Where a transition leads after which the game is over."""


@dataclass(frozen=True, eq=False)
class MarkovGame:
    """The states of a game without an end, and what joint moves lead to. Everything is told from player 0's side.

    `key[s]` is the word that stands for state s. Player p's moves there are `move[p][at[p][s]:at[p][s + 1]]`, and its
    i-th move with the other's k-th is the joint move `joint[s] + i * (number of player 1's moves) + k`. What may follow
    joint move j are the transitions `first[j]` to `first[j + 1]`, each with its `probability`, its `target` (END: the
    game is over) and its `gain`, what player 0 is paid, not discounted. States in which the game may be cut off before
    they are looked at have no moves. `start` has the probability of each state at the beginning. `bytes` holds one
    state of the rules for each; `seen[p][s]` is what player p always knows of state s. `ends` and `paid` are a state of
    each end, and what it pays player 0.
    """

    game: "Game"
    key: np.ndarray
    at: tuple[np.ndarray, np.ndarray]
    move: tuple[np.ndarray, np.ndarray]
    joint: np.ndarray
    first: np.ndarray
    target: np.ndarray
    probability: np.ndarray
    gain: np.ndarray
    start: np.ndarray
    bytes: np.ndarray
    ends: np.ndarray
    paid: np.ndarray
    accrues: bool

    @property
    def count(self) -> int:
        return len(self.key)

    @cached_property
    def names(self) -> list[str]:
        """The states in the short form of their game: what its function `short_form` says, or else the number of the
        key."""
        return self._named(self.bytes)

    @cached_property
    def end_names(self) -> list[str]:
        return self._named(self.ends)

    def _named(self, states: np.ndarray) -> list[str]:
        game = self.game
        if getattr(game.module, "short_form", None) is None:
            return [str(key) for key in asked(game, "markov", states).tolist()]
        return [game.short_form(State(game, data)) for data in states]

    @cached_property
    def seen(self) -> np.ndarray:
        return np.array([asked(self.game, "observe", self.bytes, player) for player in range(2)])

    @cached_property
    def markov_keys(self) -> np.ndarray:
        """What the rule `markov` says of the states."""
        return asked(self.game, "markov", self.bytes)

    @cached_property
    def lump_keys(self) -> np.ndarray:
        """The words that stand for the states if they are told apart by the rule `lump`."""
        return np.array([mix(mix(key, 0), 0) for key in asked(self.game, "lump", self.bytes).tolist()], np.uint64)

    @cached_property
    def source(self) -> np.ndarray:
        """Of each transition, the state that it leads on from."""
        joint = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        rows, columns = (np.diff(at) for at in self.at)
        return np.searchsorted(self.joint + rows * columns, joint, side="right")

    @cached_property
    def choice(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each transition, which of its moves there either player makes."""
        joint = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        first, second = np.divmod(joint - self.joint[self.source], np.diff(self.at[1])[self.source])
        return first, second

    def move_names(self, player: int, state: int) -> list[str]:
        """What the moves of a player in a state are called."""
        here = State(self.game, self.bytes[state])
        if player == 1:
            here.play(int(self.move[0][self.at[0][state]]))
        return list(self.game.move_names(here).values())


def explore_states(game: "Game", *, lumped: bool = False, believer: int | None = None) -> MarkovGame:
    """All states that the game comes to before it is cut off; `lumped`: by the rule `lump`, where the game has it. With
    a `believer` they are pairs of a state and what that player knows, in the order of rounds.

    Raises Unsuitable where the game has no rule `markov`, or its rounds are not of the kind that is meant there.
    """
    require_endless(game)
    found = _States(game, int(lumped) if believer is None else KNOWN + believer)
    found.explore()
    return found.states()


def require_endless(game: "Game") -> None:
    """Raise Unsuitable unless the game is one without an end."""
    require(game, "a horizon", ENDLESS)


class _States(Explorer):
    """States where a round begins or the game is over, each once, and what lies between."""

    def __init__(self, game: "Game", apart: int):
        """`apart`: states are told apart by `markov`, LUMPED, or from KNOWN on by what a player knows of them, too."""
        words = -(-game.dtype.itemsize // 8)
        # what a game is worth at its horizon, and payments that are discounted, depend on the round
        paying = apart >= KNOWN or (discount_of(game) == 1 and not has_worths(game))
        super().__init__(game, ROUNDS, MOST_BYTES, apart, memory(game, words, apart, paying))
        self.apart = apart

    def too_large(self) -> TooLarge:
        more = f"more than fit in {MOST_BYTES >> 30} GiB ({self.count:,} found so far)"
        if self.apart < KNOWN:
            return TooLarge(f"{self.game.spec} has too many states, {more}")
        return TooLarge(
            f"{self.game.spec} has too many pairs of an information set and a state, {more}: try fewer "
            f"{self.game.about.horizon}, or hsvi, "
            "which needs no horizon"
        )

    def explore(self) -> None:
        while (status := self.go_on()) != FINISHED:
            if status == REFUSED:
                raise Unsuitable(
                    f"{self.game.spec} is not played in rounds in which player 0 moves, then player 1, and then "
                    "chance if it does"
                )
            self.more_room(status)
        if self.game.finish(_COMPARE(self.game.table, self.walk)) != SAME:
            raise not_the_same(self.game, self.walk)

    def states(self) -> MarkovGame:
        """What was found, without what lies between states."""
        nodes, edges, walk = self.count, int(self.s["edges"][0]), self.walk
        who, at, cut = walk.who[:nodes], walk.first[: nodes + 1], walk.cut[:nodes] != 0
        pool = walk.pool[: nodes * self.words].reshape(nodes, self.words)
        live = (who == 0) | ((who == OVER) & cut)
        number = np.cumsum(live) - 1
        number[~live] = END
        final = (who == OVER) & ~cut
        states, count = np.flatnonzero(live), at[1:] - at[:-1]
        owner = np.repeat(np.arange(nodes), count)
        # nodes between are numbered in the order of the states that they come from, and so are their moves
        second = np.flatnonzero(who == 1)
        rows = np.where(who == 0, count, 0)[states]
        row_at = np.concatenate([[0], np.cumsum(rows)])
        columns = np.zeros(len(states), np.int64)
        columns[rows > 0] = count[second[row_at[:-1][rows > 0]]]
        like = np.repeat(second[row_at[:-1][rows > 0]], rows[rows > 0])
        alike = (count[second] == count[like]).all()
        if alike:
            alike = np.array_equal(
                walk.move[_spans(at[second], count[second])], walk.move[_spans(at[like], count[like])]
            )
        if not alike:
            raise GameError(
                f"{self.game.spec}: player 1 has other moves after one move of player 0 than after another, in one "
                "round"
            )
        column_at = np.concatenate([[0], np.cumsum(columns)])
        of_state = np.repeat(np.arange(len(states)), columns)
        place = np.arange(len(of_state)) - column_at[of_state]
        j = np.flatnonzero(who[owner] == 1)
        joint, target, p, gain = self._through_chance(
            np.arange(len(j)), walk.target[j].astype(np.int64), np.ones(len(j)), walk.gain[j]
        )
        _, begins, prob, _ = self._through_chance(np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1), np.zeros(1))
        start = np.bincount(number[begins], prob, len(states))
        order = np.argsort(joint, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(joint, minlength=len(j)))])
        bytes_of = pool.view(np.uint8)[:, : self.game.dtype.itemsize]
        return MarkovGame(
            self.game,
            walk.key[:nodes][states],
            (row_at, column_at),
            (walk.move[:edges][who[owner] == 0], walk.move[at[second[row_at[of_state]]] + place]),
            np.cumsum(rows * columns) - rows * columns,
            first,
            number[target[order]],
            p[order],
            gain[order],
            start,
            np.ascontiguousarray(bytes_of[states]),
            np.ascontiguousarray(bytes_of[final]),
            walk.paid[:nodes][final],
            bool(np.any(walk.paid[:nodes][states])),
        )

    def _through_chance(
        self, what: np.ndarray, node: np.ndarray, p: np.ndarray, gain: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Nodes that are reached, with nodes of chance replaced by what follows them."""
        walk = self.walk
        while len(stuck := np.flatnonzero(walk.who[node] == CHANCE)):
            rest = np.flatnonzero(walk.who[node] != CHANCE)
            here = node[stuck]
            many = walk.first[here + 1] - walk.first[here]
            again = np.repeat(stuck, many)
            edge = np.arange(len(again)) + np.repeat(walk.first[here] - (np.cumsum(many) - many), many)
            what = np.concatenate([what[rest], what[again]])
            p = np.concatenate([p[rest], p[again] * walk.odds[edge]])
            gain = np.concatenate([gain[rest], gain[again] + walk.gain[edge]])
            node = np.concatenate([node[rest], walk.target[edge]])
        return what, node, p, gain


def is_node(entry, sought, key):
    return key[entry - 1] == sought


def _spans(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """first[0], first[0] + 1, ... (count[0] of them), then the same for first[1], and so on."""
    return np.arange(int(count.sum())) + np.repeat(first - (np.cumsum(count) - count), count)


class _Rounds:
    """Rounds: nodes are states where one begins or the game is over, and what lies between."""

    NODE = MappingProxyType({"cut": Bytes, "paid": Reals})
    EDGE = MappingProxyType({"gain": Reals})
    MORE = MEMORY

    def begin(game, walk, state):
        walk.who[0] = actor(game, state)
        if walk.who[0] != 0:
            return walk.who[0] == CHANCE
        payoff(game, state, walk.pay, 0)
        walk.paid[0] = walk.pay[0]
        walk.key[0] = mix(key_of(game, state, walk.s.apart, False), 0)
        enter(walk.key[0], 1, walk.index, walk.s.mask)
        return True

    def branches(game, walk, node, state):
        if walk.who[node] == CHANCE:
            return chances(game, state, walk.buffer, 0, walk.odds, walk.s.edges)
        return 0 if walk.who[node] == OVER else moves(game, state, walk.buffer, 0)

    def arrive(game, walk, node, edge, state):
        then = actor(game, state)
        if (then == 1) != (walk.who[node] == 0) or then > 1:
            return REFUSE
        walk.gain[edge] = 0.0
        if then != 0 and then != OVER:
            new = add(walk)
            walk.who[new] = then
            walk.paid[new] = walk.paid[node]
            walk.key[new] = 0
            return new
        payoff(game, state, walk.pay, 0)
        walk.gain[edge] = walk.pay[0] - walk.paid[node]
        sought = word_of_state(game, state, walk.s.apart, then)
        at = find(sought, walk.index, walk.s.mask, is_node, sought, walk.key)
        if walk.index[at] == FREE:
            new = add(walk)
            walk.who[new] = then
            walk.paid[new] = walk.pay[0]
            walk.cut[new] = int(then == 0 or cut(game, state) != 0)
            walk.key[new] = sought
            walk.index[at] = new + 1
        elif then == 0 and walk.who[walk.index[at] - 1] == 0:
            met_again(walk, walk.index[at] - 1, edge)
        return walk.index[at] - 1

    def word_of(walk, node):
        """Nodes between states have none."""
        return walk.key[node]


ROUNDS = Walk("rounds", _Rounds)
_COMPARE = ROUNDS.kernel(compare_seconds, game=Ints, walk=ROUNDS.walk, result=Int)
