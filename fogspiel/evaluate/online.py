"""How exploitable an online player is (Lisý 2014, sec. 4.3.1).

`convergence` searches from the start of the game and measures, now and then, the strategy in the search's whole memory.
`aggregate` plays many games, adds up what the player's searches would do wherever the games could still go, each
information set weighted by how often it was visited, and measures the sum. `stitch` searches at every information set
of a tiny game and measures the strategy put together from the answers: what the online player gets against its worst
opponent.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Agent, Observation
from fogspiel.agents.registry import KINDS, agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.agents.simple import RandomAgent
from fogspiel.belief.belief import BELIEF
from fogspiel.belief.roots import Roots
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Words
from fogspiel.engine.part import Part
from fogspiel.engine.primitives import mix
from fogspiel.errors import SpecError, Unsuitable
from fogspiel.evaluate.referee import play_game
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.spec import split_spec
from fogspiel.search.search import Search
from fogspiel.solvers.response.response import form_of, plan_nash_conv
from fogspiel.tree.payoffs import ranges
from fogspiel.tree.sequence import SequenceForm


@dataclass(frozen=True)
class OnlinePoint:
    """A point of a convergence curve: `nash_conv` is of uniform play where the search never went.
    `full` tells that nodes were refused for want of memory, as in the statistics of a decision."""

    simulations: int
    seconds: float
    nash_conv: float
    coverage: float
    full: bool


def weights_in(search: Search, form: SequenceForm, *, by: str = "mean", among: np.ndarray | None = None) -> np.ndarray:
    """For each sequence, the weight that the search's memory gives it: its mean strategy, or with `by="visits"` its
    use. `among`: the information sets that are asked for, if not all."""
    tree, m = form.tree, search.memory
    asked = np.arange(len(form.first)) if among is None else among
    out = np.zeros(form.sequences)
    nodes, slots = m.nodes[: m.node_count], m.slots[: m.slot_count]
    held = slots.strategy if by == "mean" and "strategy" in (slots.dtype.names or ()) else slots.tries
    order = np.argsort(nodes.key)
    keys = tree.situation if search.by_infoset and tree.situation is not None else tree.key
    memory = Bundled(
        Collected,
        keys=nodes.key[order],
        begin=nodes.first[order].astype(np.int64),
        used=nodes.used[order].astype(np.int64),
        moves=np.ascontiguousarray(slots.move),
        weights=held.astype(float),
    )
    asked_for = Bundled(
        Asked,
        origin=form.origin[asked],
        first=form.first[asked],
        count=form.count[asked],
        player=tree.player,
        key=keys,
        tree_first=tree.first,
        tree_move=tree.move,
    )
    collect(len(asked), len(nodes), asked_for, memory, out)
    return out


def convergence(
    game: Game | str, search: Search, budgets: Iterable[int], *, by: str = "mean", form: SequenceForm | None = None
) -> list[OnlinePoint]:
    """Search from the start of the game, up to each budget of simulations in turn, and measure after each."""
    game = load(game)
    return list(_measured(search, form or form_of(game), budgets, by, None))


@given.call
def converge(
    game: Game | str, spec: str, budgets: Iterable[int], *, seed: int = 0, form: SequenceForm | None = None
) -> list[OnlinePoint]:
    """`convergence` for an agent's spec string: the strategy it draws its moves from, in its whole memory."""
    return list(converging(load(game), spec, budgets, seed=seed, form=form))


def converging(
    game: Game,
    spec: str,
    budgets: Iterable[int],
    *,
    seed: int = 0,
    form: SequenceForm | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[OnlinePoint]:
    """The points of `converge` as they are found; in between, `progress` hears of the simulations done."""
    player = _measurable(game, spec, seed)
    return _measured(player.search, form or form_of(game), budgets, player.measure, progress)


def _measurable(game: Game, spec: str, seed: int) -> SearchAgent:
    """The agent, about to begin, if its memory is of information sets and nothing is asked of it that has no effect."""
    player = agent(spec)
    if not isinstance(player, SearchAgent):
        raise Unsuitable(f"{spec} is no search by simulations, so it has no convergence; {_TRY}")
    kind = KINDS[split_spec(player.name)[0]]
    asked = {p.name: player.parameters[p.name] for p in kind.parameters if player.parameters[p.name] != p.default}
    idle = [name for name, value in asked.items() if (name in _IDLE and str(value) != "usual") or _believes(value)]
    if idle:
        raise SpecError(
            "convergence is of one search from the start of the game, of as many simulations as are asked for: "
            f"{', '.join(idle)} of {spec} would have no effect"
        )
    player.begin(game, 0, seed)
    if not player.search.by_infoset or not player.search.grows:
        raise Unsuitable(
            f"{spec} keeps no statistics of information sets from the start of the game on, so there is no strategy "
            f"to measure; {_TRY}"
        )
    return player


_TRY = "try mo-ismcts, is-mcts, sm-mcts or oos"

_IDLE = {"simulations", "seconds", "threads", "belief", "ignore"}
"""Parameters that are about single decisions of a match."""


def _believes(value: Any) -> bool:
    """Whether it is a part that is asked to believe something."""
    inner = value.inner if isinstance(value, Part) else ()
    return any(part.kind is BELIEF and str(part) != "usual" for part in inner)


_SLICE = 0.1
"""Seconds of searching after which progress is told, and Ctrl-C heard."""


def _measured(
    search: Search, form: SequenceForm, budgets: Iterable[int], by: str, progress: Callable[[int], None] | None
) -> Iterator[OnlinePoint]:
    roots = Roots([search.game.start()])
    done, seconds, slice_, full = 0, 0.0, 64, False
    for budget in budgets:
        while done < budget:
            # in pairs, which iterations of outcome sampling come in
            count = slice_ if slice_ + 1 < budget - done else budget - done
            account = search.run(roots, 0, simulations=count)
            elapsed, full = account.seconds, full or account.full
            done, seconds = done + count, seconds + elapsed
            slice_ = 2 * max(1, int(_SLICE * count / max(elapsed, 1e-6) / 2))
            if progress is not None:
                progress(done)
        weights = weights_in(search, form, by=by)
        reached = sum(weights[f : f + n].sum() > 0 for f, n in zip(form.first, form.count, strict=True))
        error = plan_nash_conv(form, form.plan(form.behaviour(weights)))
        yield OnlinePoint(done, seconds, error, reached / max(len(form.first), 1), full)


def aggregate(
    game: Game | str, make: Callable[[], SearchAgent], *, games: int = 100, seed: int = 0, by: str | None = None
) -> float:
    """NashConv of the strategy added up over `games` games in each seat against random play (Lisý 2014, sec.
    4.3.1). `by`: what the player's strategy is, its mean strategy or its visits; by default what it draws its moves
    from."""
    game = load(game)
    form = form_of(game)
    total = np.zeros(form.sequences)
    for seat in range(game.players):
        ahead = _Ahead(form, seat)
        for number in range(games):
            player = _Watched(make(), form, ahead, by, total)
            table: list[Agent] = [RandomAgent() for _ in range(game.players)]
            table[seat] = player
            play_game(game, table, deal=seed + number, seed=mix(seed, number))
    return plan_nash_conv(form, form.plan(form.behaviour(total)))


def stitch(game: Game | str, make: Callable[[], SearchAgent], *, rounds: int = 10, seed: int = 0) -> float:
    """NashConv of the online player, by letting it decide at every information set of a tiny game, `rounds` times
    each.

    The games that lead to an information set are played with the player searching at each of its decisions on the way.
    """
    game = load(game)
    form = form_of(game)
    tree = form.tree
    total = np.zeros(form.sequences)
    rng = np.random.default_rng(seed)
    missing = {(int(tree.player[o]), int(tree.key[o])): rounds for o in form.origin}
    place = {(int(tree.player[o]), int(tree.key[o])): i for i, o in enumerate(form.origin)}
    while missing:
        for seat in range(game.players):
            player = _Noted(make(), missing, place, form, total)
            table: list[Agent] = [RandomAgent() for _ in range(game.players)]
            table[seat] = player
            play_game(game, table, deal=int(rng.integers(1 << 40)), seed=int(rng.integers(1 << 40)))
    return plan_nash_conv(form, form.plan(form.behaviour(total)))


class _Ahead:
    """Which of a player's information sets can still be reached from each, by its own moves."""

    def __init__(self, form: SequenceForm, seat: int):
        self.sets = np.arange(form.sets[seat], form.sets[seat + 1])
        self.place = {int(form.tree.key[form.origin[i]]): int(i) for i in self.sets}
        owner = np.full(form.sequences, -1)
        for i in self.sets:
            owner[form.first[i] : form.first[i] + form.count[i]] = i
        self.before = np.full(len(form.first), -1)
        self.before[self.sets] = owner[form.parent[self.sets]]

    def of(self, key: int) -> np.ndarray:
        """The information sets from the one with this key on; none if there is no choice at it."""
        if key not in self.place:
            return np.zeros(0, np.int64)
        reached = np.zeros(len(self.before) + 1, bool)
        reached[self.place[key]] = True
        known = 0
        while (count := int(reached.sum())) > known:
            known = count
            reached[self.sets] |= reached[self.before[self.sets]]
        return np.flatnonzero(reached)


class _Watched:
    """An agent whose memory is read after each of its searches: where the game can still go, its strategy is added to
    `total`, as often as the search was there."""

    def __init__(self, inner: SearchAgent, form: SequenceForm, ahead: _Ahead, by: str | None, total: np.ndarray):
        self.inner, self.form, self.ahead, self.by, self.total = inner, form, ahead, by or inner.measure, total
        self.name = inner.name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.inner.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        move = self.inner.choose(observation)
        among = self.ahead.of(observation.record.keys[-1])
        if len(among):
            first, count = self.form.first[among], self.form.count[among]
            where = ranges(first, count)
            begin = np.cumsum(count) - count
            visits = weights_in(self.inner.search, self.form, by="visits", among=among)[where]
            mixed = weights_in(self.inner.search, self.form, by=self.by, among=among)[where]
            times = np.add.reduceat(visits, begin) / np.maximum(np.add.reduceat(mixed, begin), 1e-300)
            self.total[where] += mixed * np.repeat(times, count)
        return move


class _Noted:
    """An agent whose every decision is noted, and that then moves at random, so that all information sets are
    reached."""

    def __init__(
        self,
        inner: SearchAgent,
        missing: dict[tuple[int, int], int],
        place: dict[tuple[int, int], int],
        form: SequenceForm,
        total: np.ndarray,
    ):
        self.inner, self.missing, self.place, self.form, self.total = inner, missing, place, form, total
        self.name = inner.name
        self.random = RandomAgent()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.inner.begin(game, seat, seed)
        self.random.begin(game, seat, mix(seed, 7))

    def choose(self, observation: Observation) -> int:
        where = (observation.seat, observation.record.keys[-1])
        if where in self.place:
            move = self.inner.choose(observation)
            i = self.place[where]
            self.total[int(self.form.first[i]) + observation.moves.index(move)] += 1
            if where in self.missing:
                self.missing[where] -= 1
                if self.missing[where] == 0:
                    del self.missing[where]
        return self.random.choose(observation)


Asked: Any = Bundle(origin=Ints32, first=Ints32, count=Ints32, player=Bytes, key=Words, tree_first=Ints, tree_move=Ints)
"""Information sets of a sequence form that are asked for, and the tree that it is of."""

Collected: Any = Bundle(keys=Words, begin=Ints, used=Ints, moves=Ints, weights=Reals)
"""A search's nodes, sorted by their keys, and what its slots weigh."""


@kernel
def collect(sets: Int, nodes: Int, asked: Asked, memory: Collected, out: Reals) -> None:
    """The weights of the sequences that begin with the information sets that are asked for."""
    for i in range(sets):
        o = asked.origin[i]
        node = sorted_place(mix(asked.key[o], asked.player[o]), nodes, memory.keys)
        if node < 0:
            continue
        for k in range(asked.count[i]):
            for s in range(memory.begin[node], memory.begin[node] + memory.used[node]):
                if memory.moves[s] == asked.tree_move[asked.tree_first[o] + k]:
                    out[asked.first[i] + k] = memory.weights[s]


def sorted_place(key, count, keys):
    """Where a key is among sorted ones, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < count and keys[low] == key else -1
