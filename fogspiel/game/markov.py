"""A game without an end as its states without history: what the rule `markov` tells apart (Veselý 2024, sec. 5: the short form).

The rules play a game that is cut off; here all states are found that it comes to, each once, from wherever it is reached first, with the
moves of both players there and what joint moves lead to. If everyone sees all, this is a stochastic game (Shapley 1953).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fogspiel.engine.index import clear, enter, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.engine.primitives import address_of, mix
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State
from fogspiel.game.table import LIMIT, ROOT, actor, chances, copy_state, cut, infoset, markov, moves, payoff, play

if TYPE_CHECKING:
    from fogspiel.game.game import Game

MOST_BYTES = 4 << 30
"""Memory that the states of a game may take."""
END = -1
"""Where a transition leads after which the game is over."""
Search = np.dtype(
    [("nodes", "i8"), ("edges", "i8"), ("next", "i8"), ("room", "i8"), ("edge_room", "i8"), ("mask", "i8")], align=True
)
FINISHED, NODES, EDGES, TOO_MANY, ROUNDS = range(5)
LUMPED, KNOWN = 1, 2


@dataclass(frozen=True, eq=False)
class MarkovGame:
    """The states of a game without an end, and what joint moves lead to. Everything is told from player 0's side.

    `key[s]` is the word that stands for state s. Player p's moves there are `move[p][at[p][s]:at[p][s + 1]]`, and its i-th move with
    the other's k-th is the joint move `joint[s] + i * (number of player 1's moves) + k`. What may follow joint move j are the transitions
    `first[j]` to `first[j + 1]`, each with its `probability`, its `target` (END: the game is over) and its `gain`, what player 0 is paid, not discounted.
    States in which the game may be cut off before they are looked at have no moves. `start` has the probability of each
    state at the beginning. `bytes` holds one state of the rules for each; `seen[p][s]` is what player p always knows of state s.
    `ends` and `paid` are a state of each end, and what it pays player 0.
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
        """The states in the short form of their game: what its function `short_form` says, or else the number of the key."""
        return self._named(self.bytes)

    @cached_property
    def end_names(self) -> list[str]:
        return self._named(self.ends)

    def _named(self, states: np.ndarray) -> list[str]:
        game = self.game
        if getattr(game.module, "short_form", None) is None:
            markov_of = game.functions["markov"]
            return [str(game.finish(markov_of(data.ctypes.data))) for data in states]
        return [game.short_form(State(game, data)) for data in states]

    @cached_property
    def seen(self) -> np.ndarray:
        return np.array([self._asked("observe", player) for player in range(2)])

    @cached_property
    def markov_keys(self) -> np.ndarray:
        """What the rule `markov` says of the states."""
        return self._asked("markov")

    def _asked(self, rule: str, *given: int) -> np.ndarray:
        call = self.game.functions[rule]
        return self.game.finish(np.array([call(data.ctypes.data, *given) for data in self.bytes], np.uint64))

    @cached_property
    def lump_keys(self) -> np.ndarray:
        """The words that stand for the states if they are told apart by the rule `lump`."""
        return np.array([mix(mix(key, 0), 0) for key in self._asked("lump").tolist()], np.uint64)

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
    """All states that the game comes to before it is cut off; `lumped`: by the rule `lump`, where the game has it. With a `believer` they
    are pairs of a state and what that player knows, in the order of rounds.

    Raises Unsuitable where the game has no rule `markov`, or its rounds are not of the kind that is meant there.
    """
    require_endless(game)
    found = _Explorer(game, int(lumped) if believer is None else KNOWN + believer)
    found.explore()
    return found.states()


def require_endless(game: "Game") -> None:
    """Raise Unsuitable unless the game is one without an end."""
    about = game.about
    if "markov" not in game.functions:
        raise Unsuitable(
            f"{game.spec} has no rule markov, which tells the states of a game without an end apart; see docs/posg.md"
        )
    if game.players != 2 or not about.zero_sum or not about.simultaneous:
        raise Unsuitable(
            f"{game.spec} has a rule markov, which is for two opposed players (zero_sum=True) who move at the same time (simultaneous=True)"
        )


class _Explorer:
    """Nodes in the order in which they were found: states where a round begins or the game is over, each once, and what lies between."""

    def __init__(self, game: "Game", apart: int):
        """`apart`: states are told apart by `markov`, LUMPED, or from KNOWN on by what a player knows of them, too."""
        self.game, self.apart = game, apart
        self.s = np.zeros(1, Search)
        self.words = -(-game.dtype.itemsize // 8)
        self._make_nodes(1 << 10)
        self._make_edges((1 << 12) + game.max_moves)

    def _grow(self, names: tuple[tuple[str, str, int], ...], room: int) -> None:
        if room * sum(np.dtype(kind).itemsize * width for _, kind, width in names) > MOST_BYTES:
            raise TooLarge(
                f"{self.game.spec} has more states than fit in {MOST_BYTES >> 30} GiB ({int(self.s['nodes'][0]):,} found so far)"
            )
        for name, kind, width in names:
            new = np.zeros(room * width + 4096, kind)
            old = getattr(self, name, new[:0])
            new[: len(old)] = old
            setattr(self, name, new)

    def _make_nodes(self, room: int) -> None:
        self._grow(
            (("pool", "u8", self.words), ("who", "i1", 1), ("cut", "i1", 1), ("at", "i8", 1), ("key", "u8", 1), ("paid", "f8", 1)), room
        )  # fmt: skip
        self.s["room"], self.s["mask"] = room, 4 * room - 1
        self.index = np.zeros(4 * room, np.int32)
        enter_nodes(int(self.s["nodes"][0]), self.index, 4 * room - 1, self.key)

    def _make_edges(self, room: int) -> None:
        self._grow((("target", "i4", 1), ("odds", "f8", 1), ("gain", "f8", 1), ("move", "i8", 1)), room)
        self.s["edge_room"] = room

    def explore(self) -> None:
        game, scratch = self.game, np.zeros(self.words, np.uint64)
        buffer, pay = game.buffer(), np.zeros(2)
        while True:
            status = game.finish(explore(
                game.table, self.s, self.apart, self.words, self.pool, self.index, self.who, self.cut, self.at, self.key, self.paid,
                self.target, self.odds, self.gain, self.move, scratch, buffer, pay,
            ))  # fmt: skip
            if status == FINISHED:
                return
            if status == TOO_MANY:
                raise game.too_many_moves(game.max_moves + 1)
            if status == ROUNDS:
                raise Unsuitable(
                    f"{game.spec} is not played in rounds in which player 0 moves, then player 1, and then chance if it does"
                )
            if status == NODES:
                self._make_nodes(2 * int(self.s["room"][0]))
            else:
                self._make_edges(2 * int(self.s["edge_room"][0]))

    def states(self) -> MarkovGame:
        """What was found, without what lies between states."""
        nodes, edges = int(self.s["nodes"][0]), int(self.s["edges"][0])
        who, at, cut = self.who[:nodes], self.at[: nodes + 1], self.cut[:nodes] != 0
        pool = self.pool[: nodes * self.words].reshape(nodes, self.words)
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
        if not (count[second] == np.repeat(columns, rows)).all():
            raise GameError(
                f"{self.game.spec}: player 1 has other moves after one move of player 0 than after another, in one round"
            )
        column_at = np.concatenate([[0], np.cumsum(columns)])
        of_state = np.repeat(np.arange(len(states)), columns)
        place = np.arange(len(of_state)) - column_at[of_state]
        j = np.flatnonzero(who[owner] == 1)
        joint, target, p, gain = self._through_chance(
            np.arange(len(j)), self.target[j].astype(np.int64), np.ones(len(j)), self.gain[j]
        )
        _, begins, prob, _ = self._through_chance(np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1), np.zeros(1))
        start = np.bincount(number[begins], prob, len(states))
        order = np.argsort(joint, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(joint, minlength=len(j)))])
        bytes_of = pool.view(np.uint8)[:, : self.game.dtype.itemsize]
        return MarkovGame(
            self.game, self.key[:nodes][states], (row_at, column_at),
            (self.move[:edges][who[owner] == 0], self.move[at[second[row_at[of_state]]] + place]),
            np.cumsum(rows * columns) - rows * columns, first, number[target[order]], p[order], gain[order], start,
            np.ascontiguousarray(bytes_of[states]), np.ascontiguousarray(bytes_of[final]), self.paid[:nodes][final],
            bool(np.any(self.paid[:nodes][states])),
        )  # fmt: skip

    def _through_chance(
        self, what: np.ndarray, node: np.ndarray, p: np.ndarray, gain: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Nodes that are reached, with nodes of chance replaced by what follows them."""
        while len(stuck := np.flatnonzero(self.who[node] == CHANCE)):
            rest = np.flatnonzero(self.who[node] != CHANCE)
            here = node[stuck]
            many = self.at[here + 1] - self.at[here]
            again = np.repeat(stuck, many)
            edge = np.arange(len(again)) + np.repeat(self.at[here] - (np.cumsum(many) - many), many)
            what = np.concatenate([what[rest], what[again]])
            p = np.concatenate([p[rest], p[again] * self.odds[edge]])
            gain = np.concatenate([gain[rest], gain[again] + self.gain[edge]])
            node = np.concatenate([node[rest], self.target[edge]])
        return what, node, p, gain


def key_of(game, state, apart, over):
    key = markov(game, state, apart == LUMPED)
    return mix(key, infoset(game, state, apart - KNOWN)) if apart >= KNOWN and not over else key


def is_node(entry, sought, key):
    return key[entry - 1] == sought


@kernel(once=True)
def enter_nodes(count: Int, index: Ints32, mask: Int, key: Words) -> None:
    """Nodes between states have no key."""
    clear(index, mask)
    for i in range(count):
        if key[i] != 0:
            enter(key[i], i + 1, index, mask)


@kernel(once=True)
def explore(
    game: Ints, s: Record(Search), apart: Int, words: Int, pool: Words, index: Ints32, who: Bytes, is_cut: Bytes, first: Ints, key: Words,
    paid: Reals, target: Ints32, odds: Reals, gain: Reals, move: Ints, scratch: Words, buffer: Ints, pay: Reals,
) -> Int:  # fmt: skip
    """Breadth first: take the next node found, write down its moves, and enter the nodes they lead to."""
    child = address_of(scratch)
    base = address_of(pool)
    for k in range(words):
        scratch[k] = 0
    if s.nodes == 0:
        copy_state(game, base, game[ROOT])
        who[0] = actor(game, base)
        if who[0] == 0:
            payoff(game, base, pay, 0)
            paid[0] = pay[0]
            key[0] = mix(key_of(game, base, apart, False), 0)
            enter(key[0], 1, index, s.mask)
        elif who[0] != CHANCE:
            return ROUNDS
        s.nodes = 1
    while s.next < s.nodes:
        i = s.next
        if s.nodes + game[LIMIT] > s.room:
            return NODES
        if s.edges + game[LIMIT] > s.edge_room:
            return EDGES
        here = base + 8 * words * i
        first[i] = s.edges
        n = 0
        if who[i] == CHANCE:
            n = chances(game, here, buffer, 0, odds, s.edges)
        elif who[i] != OVER:
            n = moves(game, here, buffer, 0)
        if n > game[LIMIT]:
            return TOO_MANY
        for m in range(n):
            copy_state(game, child, here)
            play(game, child, buffer[m])
            then = actor(game, child)
            if (then == 1) != (who[i] == 0) or then > 1:
                return ROUNDS
            e = s.edges + m
            move[e] = buffer[m]
            gain[e] = 0.0
            node = -1
            at = 0
            if then == 0 or then == OVER:
                payoff(game, child, pay, 0)
                gain[e] = pay[0] - paid[i]
                final = int(then == OVER and cut(game, child) == 0)
                sought = mix(key_of(game, child, apart, then == OVER), final)
                at = find(sought, index, s.mask, is_node, sought, key)
                node = index[at] - 1
            if node < 0:
                node = s.nodes
                for k in range(words):
                    pool[node * words + k] = scratch[k]
                who[node] = then
                paid[node] = paid[i]
                key[node] = 0
                if then == 0 or then == OVER:
                    paid[node] = pay[0]
                    is_cut[node] = 1 - final
                    key[node] = sought
                    index[at] = node + 1
                s.nodes += 1
            target[e] = node
        s.edges += n
        s.next = i + 1
        first[i + 1] = s.edges
    return FINISHED
