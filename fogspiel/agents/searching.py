"""Agents that search. Each is a row in the table below: a loop, its settings, and how the move is taken from what it found."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fogspiel.agents.agent import Agent, Observation
from fogspiel.agents.simple import draw_move
from fogspiel.belief.replay import Draws, Record, draw, draw_many
from fogspiel.belief.tracking import Belief
from fogspiel.engine.primitives import mix, pick
from fogspiel.errors import SpecError, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE
from fogspiel.game.spec import Choice, Number, Parameter, Whole
from fogspiel.game.state import State, advance
from fogspiel.search import bandits, chance, mcts
from fogspiel.search.expectimax import expectimax
from fogspiel.search.lookahead import hides_something
from fogspiel.search.search import MoveStatistics, OutcomeSampling, Search, Settings, Statistics, TreeSearch
from fogspiel.search.variates import ANTITHETIC, COMMON, CONTROL


def most_visited(found: tuple[MoveStatistics, ...], rng: np.ndarray) -> int:
    """Ties at random. A move of proven value is preferred if that is at least what the most visited of the others gives."""
    unproven = [m for m in found if m.proven is None]
    best = [m for m in unproven if m.visits == max(m.visits for m in unproven)]
    proven = [
        m for m in found if m.proven is not None and m.proven == max(n.proven for n in found if n.proven is not None)
    ]
    if proven and (not best or best[0].value is None or proven[0].proven >= best[0].value):
        best = proven
    return best[pick(rng, len(best))].move


def most_valued(found: tuple[MoveStatistics, ...], rng: np.ndarray) -> int:
    """The highest mean (Lanctot 2013, sec. 2.3.2), or proven value; ties at random."""
    worth = [m.proven if m.proven is not None else m.value for m in found]
    tried = [w for w in worth if w is not None]
    best = [m for m, w in zip(found, worth, strict=True) if not tried or w == max(tried)]
    return best[pick(rng, len(best))].move


def by_visits(found: tuple[MoveStatistics, ...], rng: np.ndarray) -> int:
    """Drawn in proportion to use (Lisý 2014, sec. 3.2.3)."""
    return draw_move(
        {m.move: float(m.visits) for m in found} if any(m.visits for m in found) else {m.move: 1.0 for m in found}, rng
    )


def by_strategy(found: tuple[MoveStatistics, ...], rng: np.ndarray) -> int:
    """Drawn from the mean strategy; uniformly if there is none."""
    weights = {m.move: m.strategy or 0.0 for m in found}
    return draw_move(weights if any(weights.values()) else dict.fromkeys(weights, 1.0), rng)


def run_all(
    searches: list[Search], roots: list[State], seat: int, state: State, budget: dict[str, Any], how: dict[str, Any]
) -> tuple[Statistics, tuple[MoveStatistics, ...]]:
    """Root parallelisation: each search does its share of the budget in a thread of its own (kernels hold no lock), and what
    they think of the moves is added up."""
    if len(searches) == 1:
        account = searches[0].run(roots, seat, **budget, **how)
        return account, searches[0].moves(state, seat)
    count = budget["simulations"]
    shares = [
        None if count is None else count // len(searches) + (i < count % len(searches)) for i in range(len(searches))
    ]
    with ThreadPoolExecutor(len(searches)) as pool:
        accounts = list(
            pool.map(lambda s, n: s.run(roots, seat, simulations=n, seconds=budget["seconds"], **how), searches, shares)
        )
    return Statistics.joined(accounts), merge([s.moves(state, seat) for s in searches])


def merge(tables: list[tuple[MoveStatistics, ...]]) -> tuple[MoveStatistics, ...]:
    """One opinion from several: visits added up, values and strategies averaged by visits."""
    out = []
    for rows in zip(*tables, strict=True):
        visits = sum(r.visits for r in rows)
        valued, mixed = (
            [(r.visits, v) for r in rows if (v := getattr(r, name)) is not None] for name in ("value", "strategy")
        )
        mean = [
            sum(n * v for n, v in pairs) / sum(n for n, _ in pairs) if sum(n for n, _ in pairs) else None
            for pairs in (valued, mixed)
        ]
        proven = next((r.proven for r in rows if r.proven is not None), None)
        out.append(MoveStatistics(rows[0].move, rows[0].name, visits, *mean, proven))
    return tuple(out)


class SearchAgent:
    """Searches at each of its decisions, within a budget of simulations or seconds, and keeps the account of the last one."""

    cheats = False
    world: State | None = None
    """The one state that the tree in memory began with, where it is not all that the seat may believe."""

    def __init__(self, name: str, parameters: dict[str, Any], decide: Callable = most_visited):
        self.name, self.parameters, self.decide = name, parameters, decide
        self.statistics: Statistics | None = None
        self.draws = Draws()

    def make(self, game: Game, seed: int) -> Search:
        raise NotImplementedError

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            self.searches = [self.make(game, 0) for _ in range(self.parameters["threads"])]
        for i, search in enumerate(self.searches):
            search.restart(mix(seed, 2 + i))
        self.game, self.seat, self.search = game, seat, self.searches[0]
        self.rng = np.array([mix(seed, 1)], np.uint64)

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        made = {"game", "searches", "search", "rng", "belief", "found", "statistics", "world"}
        return {name: value for name, value in vars(self).items() if name not in made} | {"statistics": None}

    @property
    def measure(self) -> str:
        """What in the memory is this agent's strategy: the mean strategy, or the visits."""
        return "mean" if self.decide is by_strategy else "visits"

    @property
    def budget(self) -> dict[str, Any]:
        seconds = self.parameters["seconds"]
        return {"simulations": None if seconds > 0 else self.parameters["simulations"], "seconds": seconds or None}

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        self.draws = Draws()
        for search in self.searches:
            search.make_room()
        roots, how = self.roots(observation)
        account, self.found = run_all(self.searches, roots, self.seat, observation.state, self.budget, how)
        self.statistics = self.account(account)
        return self.decide(self.found, self.rng)

    def root(self, state: State) -> State:
        """Where a search for a decision in this state begins: with the stage, so that the tree makes the moves pending in it too."""
        return state.stage

    def account(self, statistics: Statistics) -> Statistics:
        """A search's account with that of the states replayed for it."""
        return replace(statistics, acceptance=self.draws.acceptance if self.draws.drawn else None)

    def roots(self, observation: Observation) -> tuple[list[State], dict[str, Any]]:
        """States to search from, in which the stage began that the seat is asked in: the observed one, redrawn by the game's rule
        before each simulation, or replayed ones."""
        if "resample" in self.game.functions:
            return [self.root(observation.state)], {"redraw": True}
        drawn = draw_many(self.game, observation.record, self.parameters["replays"], self.rng, self.draws)
        drawn = [self.root(state) for state in drawn]
        states = {state.data.tobytes(): state for state in drawn}
        count = Counter(state.data.tobytes() for state in drawn)
        return list(states.values()), {"weights": [count[key] for key in states]}


class TreeSearchAgent(SearchAgent):
    """Monte Carlo tree search from states redrawn for each simulation. The tree is new for each decision unless `reuse`."""

    def __init__(
        self,
        name: str,
        parameters: dict[str, Any],
        settings: Settings,
        decide: Callable = most_visited,
        reuse: bool = False,
    ):
        super().__init__(name, parameters, decide)
        self.settings, self.reuse = settings, reuse

    def make(self, game: Game, seed: int) -> Search:
        return TreeSearch(game, self.settings, seed=seed, nodes=self.parameters["nodes"])

    def choose(self, observation: Observation) -> int:
        if not self.reuse:
            for search in self.searches:
                search.forget()
        return super().choose(observation)


class BelievingAgent(TreeSearchAgent):
    """IS-MCTS with belief tracking (Lisý 2014, sec. 3.2.3): simulations start in state s with weight 1 + K p(s).

    Before its first decision it searches once from the start of the game, so that it has a model of what others did before.
    Where the belief is lost (nothing believed in fits what was seen) it goes on without, from states redrawn. Without beliefs, moves
    that are pending may be taken to be random (`pending=random`), as in the tables of Lisý 2014, sec. 4.4.
    """

    def __init__(self, name: str, parameters: dict[str, Any], *rest: Any, **more: Any):
        super().__init__(name, parameters, *rest, **more)
        if parameters["pending"] == "random" and parameters["beliefs"] == "yes":
            raise SpecError(
                f"{name}: a search with beliefs has a model of pending moves; pending=random needs beliefs=no"
            )

    def root(self, state: State) -> State:
        return state if self.parameters["pending"] == "random" else super().root(state)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self.belief = Belief(game, seat, self.parameters["particles"])
        self.fresh = True

    def roots(self, observation: Observation) -> tuple[list[State], dict[str, Any]]:
        if self.parameters["beliefs"] == "no":
            return super().roots(observation)
        if self.fresh:
            self.search.run([self.game.start()], self.seat, **self.budget)
            self.fresh = False
        if not self.belief.lost:
            self.belief.follow(observation.record, self._model, self.rng)
        if self.belief.lost:
            return super().roots(observation)
        return self.belief.states, {"weights": (1 + self.parameters["k"] * self.belief.prob).tolist()}

    def _model(self, state: State) -> dict[int, float]:
        """How often the search itself chose each move for the player to move here; uniform where it never was."""
        found = self.search.moves(state, self.seat)
        visits = sum(m.visits for m in found)
        return {m.move: m.visits / visits if visits else 1.0 / len(found) for m in found}


class SimultaneousAgent(TreeSearchAgent):
    """SM-MCTS (Lisý 2014, sec. 3.1.1), for games in which nothing is hidden but the moves that are pending in a stage."""

    def make(self, game: Game, seed: int) -> Search:
        if hides_something(game, pending=False):
            raise Unsuitable(
                f"sm-mcts is for games in which nothing is hidden but pending moves, and {game.spec} is not one; try is-mcts or mo-ismcts"
            )
        opposed = game.players == 2 and game.about.zero_sum
        if not opposed and (self.settings.policy == bandits.COUPLED or self.settings.means):
            raise Unsuitable(
                f"coupled regret matching and means are for two players and zero sum, and {game.spec} is not that; "
                "try sm-mcts(selection=drm)"
            )
        return super().make(game, seed)


class PerfectInformationMonteCarlo(TreeSearchAgent):
    """Determinized UCT (Whitehouse 2014, sec. 5.1): several states, each searched as if all were visible; the moves vote.

    With `cheats`, every state is the true one: the cheating ensemble, or with one determinization cheating UCT.
    """

    def __init__(self, name: str, parameters: dict[str, Any], settings: Settings, cheats: bool = False):
        super().__init__(name, parameters, settings)
        self.cheats = cheats

    def choose(self, observation: Observation) -> int:
        moves = observation.moves
        if len(moves) == 1:
            return moves[0]
        worlds = self.parameters["determinizations"]
        budget = self.budget
        share = {"simulations": budget["simulations"], "seconds": budget["seconds"] and budget["seconds"] / worlds}
        votes, tables, accounts = dict.fromkeys(moves, 0), [], []
        self.draws = Draws()
        for _ in range(worlds):
            asked = observation.true_state if self.cheats else self._world(observation)
            state = self.root(asked)
            for search in self.searches:
                search.forget()
            account, found = run_all(self.searches, [state], self.seat, asked, share, {})
            accounts.append(account)
            votes[most_visited(found, self.rng)] += 1
            tables.append(found)
        self.world, self.found = state, merge(tables)
        self.statistics = self.account(replace(Statistics.joined(accounts), seconds=sum(a.seconds for a in accounts)))
        score = votes if self.parameters["combine"] == "vote" else {m.move: m.visits for m in self.found}
        best = [move for move in moves if score[move] == max(score.values())]
        return best[pick(self.rng, len(best))]

    def _world(self, observation: Observation) -> State:
        if "resample" in self.game.functions:
            state = observation.state.copy()
            state.resample(self.seat, self.rng)
            return state
        return draw(self.game, observation.record, self.rng, self.draws)


class OutcomeSamplingAgent(SearchAgent):
    """Online outcome sampling: always from the start of the game, targeted at what has been seen, with the memory kept.

    For games in which nothing but pending moves is hidden, it can start from the state it is in instead (SM-OOS, Lisý 2014, sec.
    3.1.3): as if that were where the game began (`progress=root`), or keeping account of how likely the players were to come there
    (`progress=reach`). What was learned before stays in both, as long as there is room for it.
    """

    def make(self, game: Game, seed: int) -> Search:
        p = self.parameters
        return OutcomeSampling(
            game,
            gamma=p["gamma"],
            delta=p["delta"],
            epsilon=p["epsilon"],
            public=p["target"] == "public",
            baselines=p["baselines"] == "yes",
            seed=seed,
            nodes=p["nodes"],
        )

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self.reach, self.last, self.done = [1.0, 1.0], game.start(), (1, 0)

    def roots(self, observation: Observation) -> tuple[list[State], dict[str, Any]]:
        record, progress = observation.record, self.parameters["progress"]
        if progress == "target":
            seen = record.public if self.parameters["target"] == "public" else record.keys
            return [self.game.start()], {"seen": seen if len(seen) > 1 else None}
        root = self.root(observation.state)
        if progress == "root":
            return [root], {}
        for state, move in steps(self.last, record, *self.done, root) or []:
            mixed = {m.move: m.strategy for m in self.search.moves(state, self.seat)}
            self.reach[state.actor] *= 1.0 / len(mixed) if mixed[move] is None else mixed[move]
        # a player that came here against its strategy is taken to have meant it, or nothing would be learned any more
        self.reach = [max(r, 1e-6) for r in self.reach]
        self.last, self.done = root.copy(), (record.known(root), len(record.own))
        return [root], {"reach": tuple(self.reach)}


def steps(state: State, record: Record, known: int, own: int, root: State) -> list[tuple[State, int]] | None:
    """The players' decisions on a way from a state, where `known` keys and `own` moves of the record were behind, to the root, where
    the stage of its last decision began."""
    who = state.actor
    if own == len(record.own):
        if who == root.actor and known == record.known(root):
            return []
        if who == record.player:
            return None
    for move in [record.own[own]] if who == record.player else state.moves():
        after = state.copy()
        advance(after, move)
        key = after.key(record.player)
        ahead = known + (key != record.keys[known - 1])
        if ahead > known and (ahead > len(record.keys) or key != record.keys[known]):
            continue
        rest = steps(after, record, ahead, own + (who == record.player), root)
        if rest is not None:
            return ([] if who == CHANCE else [(state, move)]) + rest
    return None


class ExpectimaxAgent:
    """Information set expectimax (`search/expectimax.py`), exact: for small games."""

    def __init__(self, name: str, parameters: dict[str, Any]):
        self.name, self.parameters = name, parameters

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.rng = game, np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        values = expectimax(self.game, observation.record, self.parameters["states"])
        names = self.game.move_names(observation.state)
        self.found = tuple(MoveStatistics(move, names[move], 0, value, None) for move, value in values.items())
        best = [move for move, value in values.items() if value >= max(values.values()) - 1e-12]
        return best[pick(self.rng, len(best))]


_BUDGET = (
    Whole("simulations", 1000, 1, 10**9, "simulations a move"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: count simulations instead"),
    Whole("nodes", 1 << 17, 16, 1 << 28, "most nodes in memory"),
    Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the simulations"),
)
REPLAYS = Whole("replays", 64, 1, 10**6, "states replayed for a decision, in a game that has no rule resample")
_EXPLORATION = Number("exploration", 0.7, 0, 1e6, "UCB's constant, for rewards scaled to [0, 1]")
_BANDIT = Choice(
    "bandit", "ucb", ("ucb", "tuned", "exp3", "exp3p", "rm"), "how a node chooses: UCB1, UCB1-Tuned, Exp3, Exp3.P, regret matching"
)  # fmt: skip
_GAMMA = Number("gamma", 0.1, 0, 1, "exploration of Exp3 and regret matching")
_CUT = Whole("cut", -1, -1, 10**6, "moves of random play before the game's evaluation is taken; -1: play to the end")
_HORIZON = (
    Whole("horizon", 1000, 1, 10**12, "trials that Exp3.P's parameters are made for"),
    Number("failure", 0.05, 1e-9, 1, "probability with which Exp3.P's bound may fail"),
)
_WIDENING = (
    Number("widen_c", 0, 0, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance; 0: all"),
    Number("widen_alpha", 0.5, 0, 1, "the alpha of the same"),
)
_PROVEN = Choice(
    "proven", "no", ("no", "yes"), "prove values and search no more what is proven, where everything is seen"
)
_TRANSPOSITIONS = Choice("transpositions", "yes", ("yes", "no"), "whether what was reached in two ways is one node")
_LUCK = Choice("chance", "explicit", ("explicit", "balanced"), "whether outcomes that are equally likely come in turn")
_OPEN = Choice(
    "chance", "explicit", ("explicit", "balanced", "open"), "the same; open: outcomes do not tell nodes apart"
)
_MIXES = {
    "none": 0, "control": CONTROL, "common": COMMON, "antithetic": ANTITHETIC, "control+common": CONTROL | COMMON,
    "control+antithetic": CONTROL | ANTITHETIC, "common+antithetic": COMMON | ANTITHETIC,
    "control+common+antithetic": CONTROL | COMMON | ANTITHETIC,
}  # fmt: skip
_VARIATES = (
    Choice("variates", "none", tuple(_MIXES), "variance reduction: control variates, common random numbers, antithetic variates"),
    Choice("streams", "root", ("root", "each"), "where common and antithetic chance begins: at the root, or anew at each node of the tree"),
    Number("coefficient", 0, -1e9, 1e9, "of a control variate, in utility for each event, until a move has enough tries to tell"),
    Whole("online", 50, 2, 10**9, "tries of a move that are enough"),
    Choice("rollout", "uniform", ("uniform", "guide"), "how games are played out: at random, or by the game's rule guide"),
    Choice("final", "visits", ("visits", "value"), "take the most visited move, or the one of the highest mean"),
)  # fmt: skip
_POLICIES = {
    "ucb": bandits.UCB, "duct": bandits.UCB, "tuned": bandits.UCB_TUNED, "exp3": bandits.EXP3, "exp3p": bandits.EXP3P,
    "rm": bandits.REGRET_MATCHING, "drm": bandits.REGRET_MATCHING,
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A row of the table of searching agents."""

    about: str
    parameters: tuple[Parameter, ...]
    make: Callable[[str, dict[str, Any]], Agent]


def _constant(policy: int, p: dict[str, Any]) -> float:
    """What `bandits.choose` takes for a policy."""
    if policy in (bandits.UCB, bandits.UCB_TUNED):
        return p["exploration"]
    return p["horizon"] if policy == bandits.EXP3P else p["gamma"]


def _luck(p: dict[str, Any]) -> int:
    if p.get("widen_c", 0) > 0:
        return chance.WIDENED
    if p.get("chance") == "balanced":
        return chance.BALANCED
    return chance.STORED if p.get("proven") == "yes" else chance.DRAWN


def _tree(sight: int) -> Callable[[str, dict[str, Any]], SearchAgent]:
    def make(name: str, p: dict[str, Any]) -> SearchAgent:
        policy = _POLICIES[p["bandit"]]
        open_loop = p["chance"] == "open"
        settings = Settings(
            sight=mcts.HISTORY if open_loop else sight, policy=policy, constant=_constant(policy, p), failure=p["failure"], cut=p["cut"],
            open_loop=open_loop, trails=p.get("transpositions") == "no", luck=_luck(p), widen_c=p["widen_c"], widen_alpha=p["widen_alpha"],
            proven=p.get("proven") == "yes", variates=_MIXES[p.get("variates", "none")], anew=p.get("streams") == "each", coefficient=p.get("coefficient", 0.0),
            online=p.get("online", 50), guided=p.get("rollout") == "guide",
        )  # fmt: skip
        return TreeSearchAgent(name, p, settings, most_valued if p.get("final") == "value" else most_visited)

    return make


def _ismcts(name: str, p: dict[str, Any]) -> SearchAgent:
    selection = p["selection"]
    policy = {"uct": bandits.UCB, "ruct": bandits.UCB, "exp3": bandits.EXP3, "rm": bandits.REGRET_MATCHING}[selection]
    settings = Settings(
        sight=mcts.PLAYER, policy=policy, growth=mcts.CREATED, ties=bandits.FIRST if selection == "uct" else bandits.RANDOM,
        constant=p["exploration"] if policy == bandits.UCB else p["gamma"], whole=p["pending"] == "tree",
    )  # fmt: skip
    return BelievingAgent(name, p, settings, by_visits, reuse=True)


def _simultaneous(name: str, p: dict[str, Any]) -> SearchAgent:
    selection = p["selection"]
    policy = bandits.COUPLED if selection == "rm" else _POLICIES[selection]
    settings = Settings(
        sight=mcts.PLAYER, policy=policy, growth=mcts.STAGE, constant=_constant(policy, p), failure=p["failure"],
        means=p["means"] == "yes", pure=p["pure"] == "yes", aside=p["aside"], cut=p["cut"],
    )  # fmt: skip
    decide = (most_visited if p["final"] == "max" else by_visits) if selection == "duct" else by_strategy
    return SimultaneousAgent(name, p, settings, decide, reuse=True)


def _determinized(cheats: bool) -> Callable[[str, dict[str, Any]], SearchAgent]:
    def make(name: str, p: dict[str, Any]) -> SearchAgent:
        settings = Settings(
            sight=mcts.HISTORY, constant=p["exploration"], cut=p["cut"], proven=p["proven"] == "yes", luck=_luck(p)
        )
        return PerfectInformationMonteCarlo(name, p, settings, cheats)

    return make


_FAMILY = (*_BUDGET, REPLAYS, _EXPLORATION, _BANDIT, _GAMMA, *_HORIZON, _CUT, *_WIDENING)
_WORLDS = (
    *_BUDGET, Whole("determinizations", 20, 1, 10**6, "states searched; each gets all the simulations"), _EXPLORATION, _CUT, _PROVEN,
    Choice("combine", "vote", ("vote", "visits"), "each state's best move has a vote, or visits are added up"),
)  # fmt: skip

KINDS: dict[str, Kind] = {
    "mcts": Kind("UCT, for any number of players (max^n); a node is what the player to move knows", (*_FAMILY, _OPEN, _TRANSPOSITIONS, _PROVEN, *_VARIATES), _tree(mcts.PLAYER)),
    "so-ismcts": Kind(
        "single-observer information set MCTS (Whitehouse 2014, sec. 5.2.3)",
        (*_FAMILY, _OPEN), _tree(mcts.HISTORY),
    ),
    "so-ismcts-pom": Kind("the same with partially observable moves (Whitehouse 2014, sec. 6.3)", (*_FAMILY, _LUCK), _tree(mcts.SEARCHER)),
    "mo-ismcts": Kind("multiple-observer information set MCTS, one node an information set (Whitehouse 2014, sec. 6.3, 7.2)", (*_FAMILY, _LUCK, _TRANSPOSITIONS), _tree(mcts.PLAYER)),
    "is-mcts": Kind(
        "information set MCTS of Lisý 2014, sec. 3.2.3; moves drawn by use",
        (*_BUDGET, REPLAYS, Choice("selection", "ruct", ("uct", "ruct", "exp3", "rm"), "UCB with ties to the first or at random, Exp3, regret matching"),
         Number("exploration", 2, 0, 1e6, _EXPLORATION.about), _GAMMA, Choice("beliefs", "yes", ("yes", "no"), "track beliefs"),
         Choice("pending", "tree", ("tree", "random"), "how the others' moves of a stage are made: by the tree, or, without beliefs, at random (as printed)"),
         Number("k", 100, 0, 1e9, "weight of the belief against one for every state"),
         Whole("particles", 500, 1, 10**6, "most states believed in")), _ismcts,
    ),
    "sm-mcts": Kind(
        "MCTS for simultaneous moves (Lisý et al. 2013; Lisý 2014, sec. 3.1.1)",
        (*_BUDGET, REPLAYS, Choice("selection", "rm", ("duct", "exp3", "exp3p", "drm", "rm"), "decoupled UCT, Exp3, Exp3.P, decoupled or coupled regret matching"),
         Number("exploration", 1, 0, 1e6, _EXPLORATION.about), _GAMMA, *_HORIZON, Choice("means", "no", ("no", "yes"), "pass on means (SM-MCTS-A)"),
         Choice("pure", "yes", ("yes", "no"), "leave exploration out of the mean strategy"),
         Number("aside", 0, 0, 1, "exploration that teaches nothing (A*)"),
         Choice("final", "mix", ("mix", "max"), "DUCT: draw the move by visits, or take the most visited"), _CUT), _simultaneous,
    ),
    "pimc": Kind("perfect-information Monte Carlo: determinized UCT (Whitehouse 2014, sec. 5.1)", _WORLDS, _determinized(cheats=False)),
    "cheating-uct": Kind("UCT on the true state; marked in all results", _WORLDS, _determinized(cheats=True)),
    "oos": Kind(
        "online outcome sampling (Lisý 2014, sec. 3.2.4)",
        (*_BUDGET, Number("gamma", 0.4, 0, 1, "exploration"), Number("delta", 0.9, 0, 1, "how often iterations are targeted"),
         Number("epsilon", 0.01, 0, 1, "least share of uniform play in the strategy"),
         Choice("target", "infoset", ("infoset", "public"), "what targeted iterations keep to: the player's record, or the public one"),
         Choice("progress", "target", ("target", "root", "reach"), "from the start, targeted; or from the state at hand, as new or with its reach (SM-OOS)"),
         Choice("baselines", "no", ("no", "yes"), "guesses stand in for moves not sampled (Schmid et al. 2019)")),
        lambda name, p: OutcomeSamplingAgent(name, p, by_strategy),
    ),
    "is-expectimax": Kind(
        "information set expectimax, exact, for small games (Whitehouse 2014, sec. 5.1.2)",
        (Whole("states", 100_000, 1, 10**9, "most states looked at for a decision"),), ExpectimaxAgent,
    ),
}  # fmt: skip
