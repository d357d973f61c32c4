"""The libraries that `fogspiel bench` compares with, each as a solver that can be advanced and measured.

Every peer is driven as its own documentation and training loops do it, through its fastest public entry point.
"""

import contextlib
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar, Protocol

import numpy as np

from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.response.response import plan_nash_conv
from fogspiel.solvers.solver import Task
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree

INSTALL = "pip install 'fogspiel[peers]'"
MANY, SOME = 1000, 64
"""Deals beyond which not all are begun with but some, drawn at random."""


class Contestant(Protocol):
    """CFR+ at work on one game: alternating updates, the average weighted by the iteration."""

    def advance(self, iterations: int) -> None: ...

    def nash_conv(self) -> float:
        """Of the average strategy, summed over the players."""
        ...

    @property
    def infosets(self) -> int | None:
        """Information sets of the game as this library sees it; None where it does not say."""
        ...


class Ours:
    """Fogspiel's own."""

    def __init__(self, form: SequenceForm):
        _, entry, parameters = read_solver("cfr+")
        self.form, self.solver = form, entry.make(Task.on(form), parameters)

    @property
    def infosets(self) -> int:
        return self.form.tree.infosets

    def advance(self, iterations: int) -> None:
        self.solver.advance(iterations)

    def nash_conv(self) -> float:
        return plan_nash_conv(self.form, self.solver.plan())


class OpenSpiel:
    """The C++ solver `pyspiel.CFRPlusSolver`."""

    modules: ClassVar = ("pyspiel",)
    package: ClassVar = "open_spiel"

    def __init__(self, name: str, tree: Tree):
        import pyspiel

        self.game = pyspiel.load_game(name)
        self.solver = pyspiel.CFRPlusSolver(self.game)

    @property
    def infosets(self) -> int:
        return len(self.solver.tabular_average_policy().policy_table())

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self.solver.evaluate_and_update_policy()

    def nash_conv(self) -> float:
        """OpenSpiel halves what it calls exploitability; this is the sum."""
        import pyspiel

        return 2 * pyspiel.exploitability(self.game, self.solver.average_policy())


class KeptResponses:
    """OpenSpiel's best responses with the trees they walk built beforehand, for the average strategy of a solver."""

    def __init__(self, peer: OpenSpiel):
        import pyspiel

        self.peer, self.root = peer, peer.game.new_initial_state()
        policy = peer.solver.tabular_average_policy()
        self.responses = [pyspiel.TabularBestResponse(peer.game, player, policy) for player in range(2)]

    def nash_conv(self) -> float:
        policy = self.peer.solver.tabular_average_policy()
        for response in self.responses:
            response.set_policy(policy)
        return sum(response.value_from_state(self.root) for response in self.responses)


class LiteEFG:
    """Its CFR+ baseline, driven as in `LiteEFG/baselines/utils.py`."""

    modules: ClassVar = ("pyspiel", "LiteEFG", "LiteEFG.baselines.CFRplus")
    package: ClassVar = "LiteEFG"
    infosets: ClassVar = None

    def __init__(self, name: str, tree: Tree):
        import LiteEFG as leg
        import pyspiel
        from LiteEFG.baselines import CFRplus

        with _silent(), _elsewhere():
            self.graph = CFRplus.graph()
            self.env = leg.OpenSpielEnv(pyspiel.load_game(name), traverse_type="Enumerate", regenerate=False)
        self.env.set_graph(self.graph)

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self.graph.update_graph(self.env)
            self.env.update_strategy(self.graph.current_strategy())

    def nash_conv(self) -> float:
        return sum(self.env.exploitability(self.graph.current_strategy(), "linear-avg-iterate"))


class NoRegret:
    """`CounterfactualRegretMinimizationPlus` on the game that Fogspiel unrolled, the players in turn.

    Its minimizers keep every strategy they ever played unless told not to; here they are told, as that is faster.
    """

    modules: ClassVar = ("noregret.games", "noregret.regret_minimizers", "scipy.sparse")
    package: ClassVar = "noregret"

    def __init__(self, name: str, tree: Tree):
        from noregret.regret_minimizers import CounterfactualRegretMinimizationPlus, RegretMatchingPlus

        self.game = noregret_game(tree)
        local = partial(RegretMatchingPlus, is_time_symmetric=True)
        self.minimizers = [
            CounterfactualRegretMinimizationPlus(process, local, is_time_symmetric=True)
            for process in self.game.tree_form_sequential_decision_processes
        ]
        self.strategies = [minimizer.next_strategy() for minimizer in self.minimizers]

    @property
    def infosets(self) -> int:
        return sum(len(process.decision_points) for process in self.game.tree_form_sequential_decision_processes)

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            for player, minimizer in enumerate(self.minimizers):
                minimizer.observe_utility(self.game.utility(player, self.strategies[1 - player]))
                self.strategies[player] = minimizer.next_strategy()

    def nash_conv(self) -> float:
        return float(self.game.nash_gap(*(minimizer.average_strategy for minimizer in self.minimizers)))


PEERS: dict[str, type[OpenSpiel] | type[LiteEFG] | type[NoRegret]] = {
    "OpenSpiel": OpenSpiel,
    "LiteEFG": LiteEFG,
    "noregret": NoRegret,
}


def installed() -> dict[str, str]:
    """The versions of the peers that can be used here."""
    found = {}
    for name, peer in PEERS.items():
        with contextlib.suppress(ImportError, PackageNotFoundError), _silent():
            for module in peer.modules:
                import_module(module)
            found[name] = version(peer.package)
    return found


def rollouts(name: str) -> Callable[[int], None]:
    """OpenSpiel's random playouts, all in C++: a search of one simulation, whose evaluator plays so many games.

    A search has to begin where a player moves, so the playouts are spread over the first such states.
    """
    import pyspiel

    states = first_states(name)
    game = states[0].get_game()

    def run(count: int) -> None:
        for i, state in enumerate(states):
            share = count * (i + 1) // len(states) - count * i // len(states)
            if share:
                evaluator = pyspiel.RandomRolloutEvaluator(share, i)
                pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, i, False).mcts_search(state)

    return run


def first_states(name: str) -> list[Any]:
    """OpenSpiel's states in which a player moves first, whatever chance did before; where they are too many, some drawn
    at random."""
    import pyspiel

    game = pyspiel.load_game(name)
    states: list[Any] = []
    deals = [game.new_initial_state()]
    while deals:
        if len(states) + len(deals) > MANY:
            return [_dealt(game, seed) for seed in range(SOME)]
        state = deals.pop()
        if state.is_chance_node():
            deals += [state.child(action) for action in state.legal_actions()]
        else:
            states.append(state)
    return states


def _dealt(game: Any, seed: int) -> Any:
    state, rng = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, odds)[0])
    return state


def samplings(name: str, algorithm: str) -> Callable[[int], None]:
    """OpenSpiel's Monte Carlo CFR in C++: a function that does so many iterations more."""
    import pyspiel

    kind = {"es-mccfr": pyspiel.ExternalSamplingMCCFRSolver, "os-mccfr": pyspiel.OutcomeSamplingMCCFRSolver}[algorithm]
    solver = kind(pyspiel.load_game(name))

    def run(count: int) -> None:
        for _ in range(count):
            solver.run_iteration()

    return run


def searches(name: str, simulations: int, constant: float) -> Callable[[int], None]:
    """OpenSpiel's C++ search at a game's first decision, so many times anew.

    `ISMCTSBot` where something is hidden (a node an information set, whatever the searcher cannot see redrawn for each
    simulation), else `MCTSBot`. `constant` is UCB's, for utilities as they are.
    """
    import pyspiel

    state = first_states(name)[0]
    game = state.get_game()
    hidden = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)

    def run(count: int) -> None:
        for seed in range(count):
            if hidden:
                pyspiel.ISMCTSBot(seed, evaluator, constant, simulations).step(state)
            else:
                pyspiel.MCTSBot(game, evaluator, constant, simulations, 100, False, seed, False).mcts_search(state)

    return run


def noregret_game(tree: Tree) -> Any:
    """A tree as noregret's game: a decision process for each player, forced moves included, and one sparse matrix."""
    from noregret.games import TwoPlayerZeroSumExtensiveFormGame
    from scipy.sparse import coo_array

    processes, indices = zip(*(_decision_process(tree, player) for player in range(2)), strict=True)
    row, column = (indices[player][tree.last[:, player] + 1] for player in range(2))
    shape = tuple(len(process.sequences) for process in processes)
    return TwoPlayerZeroSumExtensiveFormGame(processes, coo_array((tree.pay[:, 0], (row, column)), shape).tocsr())


def _decision_process(tree: Tree, player: int) -> tuple[Any, np.ndarray]:
    """A player's decision process, and for each action `a` of the tree, at `a + 1`, its sequence there (at 0: none).

    A node `("set", i)` is information set i. What follows action a is that set if there is but one, an observation
    `("see", a)` that tells which if there are several, and the end `("end", a)` if there is none.
    """
    from noregret.utilities import TreeFormSequentialDecisionProcess as Process

    kind = Process.NodeType
    mine = np.flatnonzero(tree.player == player)
    after: dict[int, list[int]] = {}
    for i in mine.tolist():
        after.setdefault(int(tree.parent[i]), []).append(i)
    transitions: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    types: dict[tuple[Any, ...], Any] = {}

    def lead(edge: tuple[Any, ...], action: int) -> None:
        sets = after.get(action, [])
        if len(sets) == 1:
            node, types["set", sets[0]] = ("set", sets[0]), kind.DECISION_POINT
        else:
            node = ("see" if sets else "end", action)
            types[node] = kind.OBSERVATION_POINT if sets else kind.END_OF_THE_DECISION_PROCESS
        transitions[edge] = node
        if len(sets) > 1:
            for i in sets:
                transitions[node, i] = ("set", i)
                types["set", i] = kind.DECISION_POINT

    lead((), -1)
    for i in mine.tolist():
        for a in range(int(tree.first[i]), int(tree.first[i] + tree.count[i])):
            lead((("set", i), a), a)
    process = Process(transitions, types)
    indices = np.zeros(len(tree.move) + 1, np.int64)
    for k, sequence in enumerate(process.sequences):
        indices[sequence[1] + 1 if sequence else 0] = k
    return process, indices


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """LiteEFG announces every graph it builds."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """LiteEFG writes each game to a file in the home folder; give it another home, so that none is left behind."""
    homes = {name: os.environ.get(name) for name in ("HOME", "USERPROFILE")}
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(dict.fromkeys(homes, folder))
        try:
            yield
        finally:
            for name, home in homes.items():
                if home is None:
                    os.environ.pop(name)
                else:
                    os.environ[name] = home
