"""A minimax search at work: which games it takes, budgets, iterative deepening, the account of a decision.

The recursion itself is in `search/minimax`.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fogspiel.engine.address_space import address_space_left
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kinds import Bundle
from fogspiel.engine.notice import working_time
from fogspiel.engine.part import Part, PartKind, kind_of
from fogspiel.errors import FogspielError, GameError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.needs import AT_MOST_TWO, ZERO_SUM, Need, refusal, require, rule
from fogspiel.game.state import State
from fogspiel.game.view import view_type
from fogspiel.search.at_horizon import AtHorizon
from fogspiel.search.minimax import horizons, memory, pruning, transpositions
from fogspiel.search.minimax.hooks import HOOKS
from fogspiel.search.minimax.line_end import BLIND, CLOCK, DEEP, LEVELS, NO_MOVES, NODES, ROOM, TOO_MANY, own_evaluation
from fogspiel.search.minimax.recursion import assembled, recursion
from fogspiel.search.parts import Room, with_own

USUAL_NODES = 100_000
"""The budget of a decision for which neither depth, nodes nor seconds are set."""

HURRIED = USUAL_NODES
"""Nodes that a search which has to come to the end of the game may visit however short the time is: before that there
is nothing to go by."""
TICK = 1e-3
"""Seconds after which it is looked again how far such a search is."""

FEWEST, SHARE = 64, 16
"""Levels that a line may have at least; for all of them no more is set aside than this part of the address space that
is left."""

UNLIMITED = np.iinfo(np.int64).max


def _kind(name: str, about: str, spaces: dict[str, type], record: str = "") -> PartKind:
    return PartKind(name, about, __name__, lambda: spaces, HOOKS, record=record)


PRUNING = _kind(
    "pruning",
    "what is cut",
    {
        "nothing": pruning.Expectimax,
        "alpha-beta": pruning.AlphaBeta,
        "star1": pruning.Star1,
        "star2": pruning.Star2,
    },
)
OUTCOMES = _kind("outcomes", "which outcomes of chance are searched", {"sparse": pruning.Sparse}, "sampling")
HORIZON = _kind(
    "horizon",
    "where the horizon lies",
    {"decisions": horizons.Decisions, "own decisions": horizons.OwnDecisions, "end": horizons.End},
)
WORTH = _kind("worth", "what a decision is worth", {"mistakes": horizons.Mistakes}, "seeking")
TRANSPOSITIONS = _kind(
    "transpositions",
    "what is remembered of a node, and by what it is found again",
    {"states": transpositions.States, "lines": transpositions.Lines, "positions": transpositions.Positions},
    "places",
)


def needs(pruning: str, horizon: str = "decisions") -> tuple[Need, ...]:
    """What a search with these parts needs of a game."""
    return AT_MOST_TWO, ZERO_SUM, *HORIZON.part(horizon).needs, *PRUNING.part(pruning).needs


@dataclass(frozen=True)
class Lookahead:
    """What one search found and cost. `value` is the utility it expects for the player to move; `depth` how many
    decisions ahead it looked; `complete` tells that no line was cut short by the horizon; `deepest` is the longest
    line, chance's moves included; `hits` how many values the transposition table knew."""

    move: int
    value: float
    depth: int
    nodes: int
    seconds: float
    complete: bool
    deepest: int
    hits: int

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"nodes_per_second": self.speed}


class Minimax:
    """Search with a kind of `pruning` (a word of PRUNING) and, if `width` is not 0, so many sampled outcomes at chance
    nodes.

    `table` is the least number of places in the transposition table, 0 for none. `seed` decides the samples. `horizon`
    is a word of HORIZON. Where it is the end of the game, what the table knows is kept from one search to the next, and
    `mistakes` are sought so much. States at the horizon are judged by an `evaluation`, or else by the game's rule.
    Refusals name it as `who`, an agent, or else by its pruning.
    """

    def __init__(
        self,
        game: Game,
        pruning: str,
        *,
        width: int = 0,
        table: int = 1 << 16,
        seed: int = 0,
        horizon: str = "decisions",
        mistakes: float = 0,
        evaluation: AtHorizon | None = None,
        who: str = "",
    ):
        self.game, self.seed, self.horizon = game, seed, horizon
        self.who = who or (pruning if pruning != "nothing" else "minimax" if horizon == "end" else "expectimax")
        require(game, self.who, needs(pruning, horizon), instead="mo-ismcts")
        places = 1 << max(table - 1, 1).bit_length() if table else 0
        parts = _parts(pruning, horizon, width, places > 0, mistakes)
        self._row = 8 * -(-game.dtype.itemsize // 8)
        levels = int(max(FEWEST, min(LEVELS, address_space_left() / SHARE / self._row)))
        pay = np.zeros(max(game.players, game.max_moves))
        own = {
            "asked": np.zeros(1, memory.Asked),
            "stand": np.zeros(1, memory.Stand),
            "counts": np.zeros(1, memory.Counts),
            "roots": np.zeros(0, np.int8),
            "best": np.zeros(0, np.int64),
            "states": np.zeros(levels * self._row, np.int8),
            "moves": np.zeros(0, np.int64),
            "odds": np.zeros(0),
            "lower": np.zeros(0),
            "upper": np.zeros(0),
            "pay": pay,
        }
        own = with_own(game, parts, Room(places, 0, levels), own)
        kinds = {name: kind_of(array) for name, array in own.items()}
        whole = assembled(parts)
        self._recursion = recursion(whole, "-".join(part.name for part in parts), Bundle(**kinds))
        self.evaluation, judging = evaluation, {}
        if evaluation is not None:
            judging["judging"] = evaluation.memory(game, pay)
            kinds["judging"] = judging["judging"].kind
        self.memory = Bundled(Bundle(**kinds), **own, **judging)
        # a short search would spend much of its time on reaching these through NumPy
        self.asked, self.stand, self.counts = (
            view_type(records.dtype).from_buffer(records.data)
            for records in map(self.memory.array, ("asked", "stand", "counts"))
        )
        low, high = game.about.utility or (-np.inf, np.inf)
        if game.players == 2:
            low, high = max(low, -high), min(high, -low)
        self.asked.low, self.asked.high, self.asked.levels = low, high, levels
        self._make_room(8 * (game.max_moves + width))
        if evaluation is not None:
            evaluation.link(game, whole, self.memory)

    def _make_room(self, room: int) -> None:
        """For so many moves and outcomes of the nodes on a line."""
        self.asked.room = room
        n = room + len(self.game.buffer())
        self.memory.moves = np.zeros(n, np.int64)
        self.memory.odds, self.memory.lower, self.memory.upper = np.zeros((3, n))

    def make_ready(self, state: State | None = None) -> None:
        """Have the code compiled and loaded, outside any clock; an evaluation is tried from the state, or from the
        start of the game."""
        self._begin((self.game.start() if state is None else state).data[None])
        if self.evaluation is not None and not self.evaluation.tried:
            return  # what cannot be compiled is told after a trial
        self.asked.most = 0
        self._search(1)

    def value(self, state: State, depth: int, *, alpha: float = -np.inf, beta: float = np.inf) -> float:
        """The value of a state to player 0, `depth` decisions ahead. Below the window it is an upper bound, above it a
        lower."""
        if not alpha < beta:
            raise FogspielError(f"the window from {alpha} to {beta} is empty")
        self._begin(state.data[None])
        asked = self.asked
        asked.alpha, asked.beta = max(alpha, asked.low), min(beta, asked.high)
        if asked.alpha >= asked.beta:
            # no value can lie inside the window, so its side of the range is all that is asked for
            return asked.low if beta <= asked.low else asked.high
        found = self._search(depth)
        self._explain(depth)
        return found

    def look(
        self, state: State, *, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Lookahead:
        """The best move by iterative deepening, until the depth is reached, the budget is used up, or no line is left
        that the horizon cuts short. What a deepening cut short by the budget found is thrown away; the first is always
        finished.

        A game that nothing evaluates is searched to its end at once, and a budget or depth that is too small for that
        is an error. Of time there is always enough for HURRIED nodes.
        """
        if depth is None and nodes is None and seconds is None:
            nodes = USUAL_NODES
        began = working_time()
        self._begin(state.data[None])
        asked, counts = self.asked, self.counts
        asked.alpha, asked.beta = asked.low, asked.high
        evaluated = self.horizon != "end" and (self.evaluation is not None or "evaluate" in self.game.functions)
        most = LEVELS if depth is None else depth
        done, found, best = 0, 0.0, 0
        first = most if not evaluated else 0 if self.horizon == "own decisions" else 1
        for d in range(first, most + 1):
            deeper = d > first or not evaluated
            if deeper:
                asked.most = nodes or UNLIMITED
            left = seconds - (working_time() - began) if seconds is not None and deeper else None
            if d > first and left is not None and left <= 0:
                break
            counts.horizon = 0
            v = self._search(d, left, HURRIED if d == first else 0)
            if self.stand.stop in (NODES, CLOCK, DEEP) and d > first:
                break
            self._explain(d)
            done, found, best = d, v, int(self.memory.best[0])
            if counts.horizon == 0:
                break
        own = found if state.actor == 0 else -found
        complete = bool(counts.horizon == 0 and self.stand.stop == 0)
        counted = {name: getattr(counts, name) for name in ("nodes", "deepest", "hits")}
        return Lookahead(best, own, done, seconds=working_time() - began, complete=complete, **counted)

    def best_moves(self, states: np.ndarray, nodes: int) -> list[int]:
        """The best move in each of some states, whose bytes are rows, searched to the end of the game: as `look` finds
        it, without its account."""
        self._begin(states)
        self.asked.alpha, self.asked.beta, self.asked.most = self.asked.low, self.asked.high, nodes
        self._search(LEVELS)
        self._explain(LEVELS)
        return self.memory.best.tolist()

    def _begin(self, states: np.ndarray) -> None:
        """Prepare to search states, whose bytes are rows."""
        roots = np.zeros((len(states), self._row), np.int8)
        roots[:, : states.shape[1]] = states.view(np.int8)
        self.memory.roots, self.memory.best = roots, np.full(len(states), -1)
        if self.evaluation is not None:
            self.evaluation.try_from(states[0])
        if self.horizon != "end":
            self.forget()
        self.asked.roots, self.asked.seed, self.asked.most = len(states), self.seed, UNLIMITED
        self.memory.array("counts")[:] = 0

    def _search(self, depth: int, seconds: float | None = None, least: int = 0) -> float:
        self.asked.depth, self.stand.stop = depth, 0
        before = self.counts.nodes
        while True:
            bounded = seconds is None and self.asked.most < UNLIMITED
            found = self.game.finish(self._run() if bounded else self._run_watched(seconds, least))
            if self.stand.stop != ROOM:
                return found
            self._make_room(2 * self.asked.room)
            self.stand.stop, self.counts.nodes = 0, before

    def _run(self) -> float:
        return self._recursion(self.game.table, self.memory) if self.evaluation is None else self.evaluation.run()

    def _run_watched(self, seconds: float | None, least: int) -> float:
        """Search in another thread, which Ctrl-C stops, or the clock, but not before so many nodes."""
        with ThreadPoolExecutor(1) as pool:
            task = pool.submit(self._run)
            try:
                while True:
                    try:
                        return task.result(timeout=None if seconds is None else max(seconds, 0.0))
                    except TimeoutError:
                        if self.counts.nodes >= least:
                            self.stand.stop = CLOCK
                            return task.result()
                        seconds = TICK
            except BaseException:
                self.stand.stop = CLOCK
                raise

    def forget(self) -> None:
        """Forget what is in the table, and what an evaluation remembers."""
        if self.evaluation is not None:
            self.evaluation.begin(self.seed)
        if "notes" in dict(self.memory.kind.members):
            self.memory.array("notes")[:] = transpositions.EMPTY

    def _explain(self, depth: int) -> None:
        """Raise what stopped the last search, if anything did."""
        stop, culprit = self.stand.stop, self.stand.culprit
        if stop == BLIND:
            fault = f"has none, and a search of depth {depth} does not reach the end of the game"
            raise refusal(self.game.spec, self.who, rule("evaluate"), fault, own_evaluation(self.who))
        if stop in (NODES, CLOCK):
            if self.horizon == "end":
                raise TooLarge(
                    f"{self.game.spec} is too large for minimax: the budget does not allow a search to its end"
                )
            fault = "has none, and the budget does not allow a search to the end of the game"
            raise refusal(self.game.spec, self.who, rule("evaluate"), fault, own_evaluation(self.who))
        if stop == DEEP:
            short = "" if self.asked.levels == LEVELS else ", for which alone there is memory (ulimit -v)"
            raise Unsuitable(
                f"{self.game.spec}: a line of the search passed {self.asked.levels:,} moves{short}; give it a "
                "smaller depth"
            )
        if stop == TOO_MANY:
            raise self.game.too_many_moves(culprit)
        if stop == NO_MOVES:
            raise GameError(f"{self.game.name}: a state that is not over has no moves")


def _parts(pruning: str, horizon: str, width: int, remembers: bool, mistakes: float) -> list[Part]:
    """What a search is made of."""
    made = [PRUNING.part(pruning), HORIZON.part(horizon)]
    if width > 0:
        made.append(OUTCOMES.part("sparse", width=width))
    if remembers:
        made.append(TRANSPOSITIONS.part("positions" if horizon == "end" else "lines" if width > 0 else "states"))
    if mistakes > 0:
        made.append(WORTH.part("mistakes", epsilon=mistakes))
    return made
