"""Bounded one-sided games by what the player who sees little knows, and the state (Veselý 2024; Horák et al. 2023).

One player sees everything, the state and all that the other knows: its own past tells it nothing more. So of all
histories with the same information set I of the other player and the same state s one is enough.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fogspiel.engine.primitives import mix
from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.horizon import uninformed
from fogspiel.game.markov import END, MarkovGame, explore_states, require_endless
from fogspiel.game.merged import moves_differ
from fogspiel.game.needs import NOT_ONE_SIDED, ONE_SIDED, refusal
from fogspiel.game.state import State, asked
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.payoffs import ranges


@dataclass(frozen=True, eq=False)
class Pairs:
    """A bounded one-sided game as pairs (I, s), in the order of rounds. `nodes` has them as states; those at the
    horizon have no moves.

    `blind` is the player who sees little. `inside[n]` is the information set of pair n, -1 at the horizon; set i has
    the sequences `first[i]` to `first[i + 1]` and comes after sequence `before[i]`, -1 at the start. The moves of the
    player who sees all in pair n are the rows `rows[n]` to `rows[n + 1]`. Transition e is from pair `source[e]` by row
    `row[e]` and sequence `sequence[e]`, and the player who sees all is paid `pays[e]`.
    """

    game: Game
    nodes: MarkovGame
    blind: int
    inside: np.ndarray
    first: np.ndarray
    before: np.ndarray
    rows: np.ndarray
    source: np.ndarray
    row: np.ndarray
    sequence: np.ndarray
    pays: np.ndarray

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    @property
    def sign(self) -> int:
        """What player 0 is paid is that times what the player who sees all is paid."""
        return 1 if self.blind == 1 else -1

    @cached_property
    def example(self) -> np.ndarray:
        """A pair of each information set."""
        return np.unique(self.inside, return_index=True)[1][-len(self.before) :]

    @cached_property
    def keys(self) -> np.ndarray:
        """The key that the player who sees little has in each of its information sets."""
        return decision_keys(self.game, self.nodes.bytes[self.example], self.blind)

    @cached_property
    def moves(self) -> np.ndarray:
        """The move that each sequence ends with."""
        at, count = self.nodes.at[self.blind], np.diff(self.first)
        return self.nodes.move[self.blind][ranges(at[self.example], count)]

    def uniform(self) -> np.ndarray:
        """A behaviour, which is a probability for each sequence if its information set is reached: every move as
        likely."""
        count = np.diff(self.first)
        return np.repeat(1.0 / count, count)

    def behaviour(self, strategy: Strategy) -> np.ndarray:
        """The behaviour of a strategy of this game, or of one that differs from it in what it pays."""
        out = self.uniform()
        for i, prob in strategy.found(self.blind, self.keys):
            span = slice(self.first[i], self.first[i + 1])
            out[span] = [prob[move] for move in self.moves[span].tolist()]
        return out

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The product of a behaviour's probabilities down each sequence."""
        plan = behaviour.copy()
        for i, before in enumerate(self.before.tolist()):
            if before >= 0:
                plan[self.first[i] : self.first[i + 1]] *= plan[before]
        return plan

    @cached_property
    def onward(self) -> np.ndarray:
        """The transitions to pairs before the horizon."""
        return np.flatnonzero((self.nodes.target != END) & (self.inside[self.nodes.target] >= 0))

    @cached_property
    def rounds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The pairs of each round and the transitions from them, the first round first."""
        deep = np.full(self.nodes.count, -1)
        found: list[tuple[np.ndarray, np.ndarray]] = []
        here = np.flatnonzero(self.nodes.start > 0)
        while len(here := here[self.inside[here] >= 0]):
            deep[here] = len(found)
            edges = np.flatnonzero(deep[self.source] == len(found))
            found.append((here, edges))
            here = np.unique(self.nodes.target[edges])
            here = here[here != END]
        return found

    def response(self, behaviour: np.ndarray, beyond: np.ndarray | None = None) -> np.ndarray:
        """What the player who sees all gets from each pair on, if it answers a behaviour of the other as best it can;
        `beyond`: what it gets from the pairs at the horizon on, beside what the game pays there."""
        value = np.zeros(self.nodes.count) if beyond is None else beyond.copy()
        for here, edges in reversed(self.rounds):
            target, p = self.nodes.target[edges], self.nodes.probability[edges]
            then = self.pays[edges] + np.where(target == END, 0.0, value[target])
            gets = np.bincount(self.row[edges], behaviour[self.sequence[edges]] * p * then, int(self.rows[-1]))
            many = np.diff(self.rows)[here]
            value[here] = np.maximum.reduceat(gets[ranges(self.rows[here], many)], np.cumsum(many) - many)
        return value

    def paid_beyond(self, beyond: np.ndarray) -> "Pairs":
        """The same, where the player who sees all is paid this at the horizon, too."""
        target = self.nodes.target
        return replace(self, pays=self.pays + np.where(target == END, 0.0, beyond[target]))

    def locate(self, states: np.ndarray) -> np.ndarray:
        """The pairs that states of the game, in which a round begins, belong to."""
        place = {key: n for n, key in enumerate(self.nodes.key.tolist())}
        markov, known = asked(self.game, "markov", states), asked(self.game, "infoset", states, self.blind)
        pairs = zip(markov.tolist(), known.tolist(), strict=True)
        return np.array([place[mix(mix(mix(s, 0), key), 0)] for s, key in pairs], np.int64)

    def answer(self, own: np.ndarray) -> float:
        """The least that the player who sees all gets by a behaviour of its own, a probability for each row."""
        reach = self.nodes.start.copy()
        for _, edges in self.rounds:
            target = self.nodes.target[edges]
            flow = reach[self.source[edges]] * own[self.row[edges]] * self.nodes.probability[edges]
            np.add.at(reach, target[target != END], flow[target != END])
        flow = reach[self.source] * own[self.row] * self.nodes.probability
        gets, total = np.bincount(self.sequence, flow * self.pays, self.sequences), 0.0
        for i in range(len(self.before) - 1, -1, -1):
            least = gets[self.first[i] : self.first[i + 1]].min()
            if self.before[i] >= 0:
                gets[self.before[i]] += least
            else:
                total += least
        return float(total)


def pairs_of(game: Game) -> Pairs:
    """The pairs of a bounded game. Raises Unsuitable unless one of its players sees everything, and the other does
    not."""
    require_endless(game)
    blind = uninformed(explore_states(game, lumped=True))
    if blind is None:
        raise refusal(game.spec, "lp-one-sided", ONE_SIDED, NOT_ONE_SIDED, "lp")
    nodes = explore_states(game, believer=blind)
    live = np.diff(nodes.at[0]) > 0
    known = asked(game, "infoset", nodes.bytes[live], blind)
    _, example, place = np.unique(known, return_index=True, return_inverse=True)
    order = np.argsort(example)
    inside = np.full(nodes.count, -1)
    inside[live] = np.argsort(order)[place]
    rows, columns = (np.diff(at) for at in nodes.at)
    mine, theirs = (rows, columns) if blind == 1 else (columns, rows)
    example = np.flatnonzero(live)[example[order]]
    _require_alike(game, nodes, blind, np.flatnonzero(live), example[inside[live]])
    first = np.concatenate([[0], np.cumsum(theirs[example])])
    row_at = np.concatenate([[0], np.cumsum(mine)])
    row, sequence = row_at[nodes.source] + nodes.choice[1 - blind], first[inside[nodes.source]] + nodes.choice[blind]
    before = np.full(len(order), -1)
    onward = np.flatnonzero((nodes.target != END) & (inside[nodes.target] >= 0))
    before[inside[nodes.target[onward]]] = sequence[onward]
    if not np.array_equal(before[inside[nodes.target[onward]]], sequence[onward]):
        raise Unsuitable(
            f"lp-one-sided needs perfect recall; in {game.spec} player {blind} forgets what it did or knew"
        )
    pays = nodes.gain if blind == 1 else -nodes.gain
    return Pairs(game, nodes, blind, inside, first, before, row_at, nodes.source, row, sequence, pays)


def _require_alike(game: Game, nodes: MarkovGame, blind: int, pairs: np.ndarray, examples: np.ndarray) -> None:
    """Raise GameError where the player who sees little has other moves in a pair than in the example of its information
    set."""
    at, move = nodes.at[blind], nodes.move[blind]
    count = np.diff(at)
    differ = count[pairs] != count[examples]
    if not differ.any():
        some, others = (ranges(at[which], count[which]) for which in (pairs, examples))
        differ = np.add.reduceat(move[some] != move[others], np.cumsum(count[pairs]) - count[pairs]) > 0
    if differ.any():
        key = decision_keys(game, nodes.bytes[pairs[[np.argmax(differ)]]], blind)[0]
        raise moves_differ(game, int(key), blind)


def decision_keys(game: Game, states: np.ndarray, player: int) -> np.ndarray:
    """The keys that a player has where it moves in rounds that begin in these states."""
    found = []
    for data in states:
        state = State(game, data)
        if player == 1:
            state.play(state.moves()[0])
        found.append(state.key(player))
    return np.array(found, np.uint64)
