"""`fogspiel bench`: speed and memory, side by side with other libraries on the same games, in one run and one process.

A number is CPU time (start-up, matches and results: wall time), the best of a few rounds; in each round every library has its turn, so that
a disturbance of the machine meets all alike. Libraries are compared on a game only after it has been seen that they
count the same information sets, and that the same number of iterations leads them to a similar exploitability.
"""

import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from fogspiel import __version__
from fogspiel.agents.registry import agent
from fogspiel.app.peers import (
    INSTALL,
    MANY,
    PEERS,
    SOME,
    Contestant,
    KeptResponses,
    OpenSpiel,
    Ours,
    installed,
    rollouts,
    samplings,
    searches,
)
from fogspiel.belief.roots import Roots
from fogspiel.errors import SpecError
from fogspiel.evaluate.match import match
from fogspiel.evaluate.referee import play_game
from fogspiel.experiment.deals import FreshDeals
from fogspiel.experiment.run import FLUSH_ROWS
from fogspiel.experiment.store import Store
from fogspiel.experiment.tasks import Found, MatchTask
from fogspiel.game.game import Game
from fogspiel.game.horizon import endless_states
from fogspiel.game.load import load
from fogspiel.game.playout import playouts, redraws
from fogspiel.game.rules import CHANCE
from fogspiel.game.shapley import state_values
from fogspiel.game.state import State
from fogspiel.interop.osposg import read_osposg
from fogspiel.search.icarus import read_icarus
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch
from fogspiel.solve.registry import read_solver
from fogspiel.solve.response import form_of, plan_exploitability
from fogspiel.solve.result import Result
from fogspiel.solve.run import solve
from fogspiel.solve.sampling import Sampling
from fogspiel.solve.solver import Solver, Task
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import unroll

FOGSPIEL = "Fogspiel"
SIMILAR = 2.0
"""Exploitabilities after equally many iterations count as similar within this factor. OpenSpiel and noregret agree with
Fogspiel to rounding, except where regrets are tied at zero, as in goofspiel: there rounding decides what is played.
LiteEFG averages the strategies after the updates instead of those before."""
TARGET = 1e-4


@dataclass(frozen=True)
class Effort:
    """How long to measure: `rounds` of about `seconds` each; no peer that would take more than `limit` seconds."""

    rounds: int
    seconds: float
    limit: float

    @property
    def most(self) -> float:
        """Who has been measured for so many seconds gets no further round."""
        return 10 * self.seconds


FULL, QUICK = Effort(8, 0.4, 60.0), Effort(3, 0.1, 8.0)

TURNS = 4
"""Turns that each library has in a round where rates are measured: some of many short ones fall in moments in which the machine does
nothing else."""


@dataclass(frozen=True)
class Duel:
    """A game in Fogspiel's and in OpenSpiel's words, and after how many iterations to see whether the work is equal."""

    name: str
    spec: str
    openspiel: str
    iterations: int
    thorough: bool = False
    """Compare exploitability computations and the time to an equilibrium, too."""
    note: str = ""


def _goofspiel(cards: int) -> str:
    given = f"imp_info=True,num_cards={cards},points_order=descending,returns_type=win_loss,players=2"
    return f"turn_based_simultaneous_game(game=goofspiel({given}))"


DUELS = (
    Duel("Kuhn", "kuhn", "kuhn_poker", 100),
    Duel("Leduc", "poker(see_suits=yes)", "leduc_poker", 20, thorough=True),
    Duel(
        "Leduc (merged)", "poker", "leduc_poker(suit_isomorphism=True)", 20, note="cards of one rank are not told apart"
    ),
    Duel("liar's dice 4", "bluff(faces=4)", "liars_dice(numdice=1,dice_sides=4)", 20),
    Duel("goofspiel 4", "goofspiel(cards=4)", _goofspiel(4), 20),
    Duel("goofspiel 5", "goofspiel(cards=5)", _goofspiel(5), 10),
    Duel("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)", 3, thorough=True),
)
"""From small to large, so that what a peer took for one game tells whether to try it on the next."""

PLAYOUTS = (
    ("Kuhn", "kuhn", "kuhn_poker"),
    ("Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)"),
    ("goofspiel 13", "goofspiel(cards=13)", _goofspiel(13)),
    ("tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    ("phantom tic-tac-toe", "phantom_tic_tac_toe", "phantom_ttt"),
    ("connect four", "connect_four", "connect_four"),
    ("breakthrough", "breakthrough", "breakthrough"),
    ("Othello", "othello", "othello"),
    ("checkers", "checkers", "checkers"),
    ("backgammon", "backgammon", "backgammon"),
    ("hearts", "hearts(passing=random)", "hearts"),
    ("spades", "spades(breaking=never,payoff=points)", "spades"),
)
REDRAWN = ("hearts", "spades", "oh_hell", "knockout_whist", "dou_di_zhu")
"""Card games in which a redraw of what is hidden is measured beside a playout."""
SEARCHES = (
    ("IS-MCTS", "Kuhn", "kuhn", "kuhn_poker"),
    ("IS-MCTS", "Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("MCTS", "tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    ("IS-MCTS", "phantom tic-tac-toe", "phantom_tic_tac_toe", None),
    ("IS-MCTS", "hearts", "hearts", "hearts"),
)
"""OpenSpiel cannot redraw what is hidden in phantom tic-tac-toe, so it cannot search there."""
ENHANCED = (("phantom 4,4,4", "phantom_mnk"), ("Dou Di Zhu", "dou_di_zhu"))
ICARUSES = ("rave", "mast", "lgrf")
"""What searches are measured with, and on which games."""
DELIBERATE, GAMES = 10_000, 2
"""Where inference is measured: simulations of a decision, besides a thousand, and games."""
SIMULATIONS, EXPLORATION = 1000, 0.7
"""Of a decision, and the constant of UCB for utilities scaled to [0, 1]."""
RIVALS, MEETING, WORKERS = "mo-ismcts(simulations=1000)", "phantom_tic_tac_toe", 2
SAMPLED = (
    ("Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)"),
    ("goofspiel 4", "goofspiel(cards=4)", _goofspiel(4)),
    ("goofspiel 5", "goofspiel(cards=5)", _goofspiel(5)),
    ("phantom tic-tac-toe", "phantom_tic_tac_toe", "phantom_ttt"),
)
SAMPLERS = {"external sampling": "es-mccfr", "outcome sampling": "os-mccfr"}
SHARED = ("es-mccfr", "bluff(faces=6)")
"""What two threads do together."""
UNROLLED = ("kuhn(players=6)", "goofspiel(cards=6)", "bluff(faces=6)")
LARGE = "goofspiel(cards=6)"
PURSUIT = Path(__file__).parent.parent.parent / "tests" / "data" / "peg03.osposg.gz"
GAP, PUBLISHED, ALLOWED = 1.0, "HSVIforOSPOSGs.jl", 60.0
"""A one-sided POSG, the gap to which it is solved, and the seconds that the test of a published solver (GLPK) allows for that."""

ENDLESS = "blind_pursuit(width=5,height=6)"


@dataclass
class Bench:
    """A run: what was measured so far, and what to tell while measuring."""

    effort: Effort
    quiet: bool
    peers: dict[str, str] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    costs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """What each peer's preparations and iterations took on the last game, in CPU seconds a history."""
    said: set[str] = field(default_factory=set)

    def say(self, text: str) -> None:
        """Tell what is being done: on a terminal in one line that is written over, elsewhere once for each text."""
        if self.quiet:
            return
        line = f"{time.monotonic() - self.began:4.0f} s  {text}"
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{line}")
        elif text not in self.said:
            sys.stderr.write(f"{line}\n")
        self.said.add(text)
        sys.stderr.flush()

    def row(
        self, what: str, game: str, unit: str, fogspiel: float, peers: dict[str, float] | None = None, **more: Any
    ) -> None:
        """Add a result. A ratio above 1 means that Fogspiel is faster, whether the unit is a rate or a time."""
        peers = peers or {}
        ratios = {name: fogspiel / v if unit.endswith("/s") else v / fogspiel for name, v in peers.items()}
        self.rows.append(
            {"what": what, "game": game, "fogspiel": fogspiel, "peers": peers, "unit": unit, "ratios": ratios} | more
        )

    def seconds(self, what: str, works: dict[str, Callable[[], Any]], turns: int = 1) -> dict[str, float]:
        """The CPU time of each piece of work: the best of the rounds, in which all take turns."""
        spent: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(self.effort.rounds * turns):
            for name, work in works.items():
                if sum(spent[name]) < self.effort.most:
                    self.say(f"{what}: {name}")
                    spent[name].append(cpu(work))
        return {name: min(times) for name, times in spent.items()}

    def rates(self, what: str, works: dict[str, Callable[[int], Any]]) -> dict[str, float]:
        """How often a second each piece of work can be done, given a function that does it so many times."""
        works[FOGSPIEL](1)  # what has to be compiled, is
        counts = {name: _enough(work, self.effort.seconds / TURNS) for name, work in works.items()}
        times = self.seconds(what, {name: partial(work, counts[name]) for name, work in works.items()}, TURNS)
        return {name: counts[name] / times[name] for name in works}


def cpu(work: Callable[[], Any]) -> float:
    """The CPU seconds that some work takes in this process; never 0."""
    began = time.process_time()
    work()
    return max(time.process_time() - began, 1e-9)


def _enough(work: Callable[[int], Any], seconds: float) -> int:
    """How often to do some work so that it takes about so long."""
    count = 1
    while True:
        took = cpu(partial(work, count))
        if took > seconds / 8:
            return max(1, int(count * seconds / took))
        count *= 4


PARTS = (
    "memory", "duels", "sampling", "bounds", "playouts", "search", "match", "results", "unrolling", "values", "start-up",
)  # fmt: skip


def run_bench(
    *,
    quick: bool = False,
    quiet: bool = False,
    duels: tuple[Duel, ...] = DUELS,
    parts: tuple[str, ...] = PARTS,
    effort: Effort | None = None,
) -> dict[str, Any]:
    """Measure, and return all that was measured, ready for JSON. Ctrl-C ends it early and keeps what there is.

    Memory comes first, while nothing else has made the process grow.
    """
    if unknown := [part for part in parts if part not in PARTS]:
        raise SpecError(f"bench has no part {unknown[0]!r}; it has {', '.join(PARTS)}")
    bench = Bench(effort or (QUICK if quick else FULL), quiet)
    rest = {
        "duels": partial(_duels, duels), "sampling": _sampling, "bounds": _bounds, "playouts": _playouts, "search": _searches, "match": _match,
        "results": _results, "unrolling": _unrolling, "values": _values, "start-up": _start_up,
    }  # fmt: skip
    interrupted = False
    try:
        if "memory" in parts:
            _memory(bench)
        bench.peers = installed()
        bench.notes += [f"{name} is not installed: {INSTALL}" for name in PEERS if name not in bench.peers]
        for part, measure in rest.items():
            if part in parts:
                measure(bench)
    except KeyboardInterrupt:
        interrupted = True
        bench.notes.append("interrupted: this is what was measured so far")
    if not quiet and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    return {
        "machine": machine() | {"peers": bench.peers},
        "effort": vars(bench.effort),
        "rows": bench.rows,
        "checks": bench.checks,
        "notes": bench.notes,
        "interrupted": interrupted,
        "seconds": time.monotonic() - bench.began,
    }


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        model = next(
            (line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")),
            model,
        )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "fogspiel": __version__,
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def _duels(duels: tuple[Duel, ...], bench: Bench) -> None:
    for duel in duels:
        _compare(bench, duel)


def _compare(bench: Bench, duel: Duel) -> None:
    """All comparisons on one game."""
    form = form_of(load(duel.spec))
    rivals = _equals(bench, duel, form)
    if duel.thorough:
        _exploitability(bench, duel, rivals)
    rates = bench.rates(f"CFR+ on {duel.name}", {name: rival.advance for name, rival in rivals.items()})
    ours = rates.pop(FOGSPIEL)
    bench.row("CFR+", duel.name, "iterations/s", ours, rates, infosets=form.tree.infosets, note=duel.note)
    if duel.thorough:
        _equilibrium(bench, duel, form, rates.get("OpenSpiel"))


def _equals(bench: Bench, duel: Duel, form: SequenceForm) -> dict[str, Contestant]:
    """Fogspiel and the peers that do the same work on this game, all after the same number of iterations."""
    tree, rivals = form.tree, {FOGSPIEL: Ours(form)}
    rivals[FOGSPIEL].advance(duel.iterations)
    ours = rivals[FOGSPIEL].exploitability()
    check = {
        "game": duel.name,
        "iterations": duel.iterations,
        "exploitability": {FOGSPIEL: ours},
        "infosets": {FOGSPIEL: tree.infosets},
        "agrees": {},
    }
    for name in bench.peers:
        prepare, iterate = bench.costs.get(name, (0.0, 0.0))
        expected = tree.size * (prepare + iterate * (duel.iterations + bench.effort.rounds + 1))
        if expected > bench.effort.limit:
            bench.notes.append(f"{name} is left out on {duel.name}: it would take about {expected:.0f} s")
            continue
        bench.say(f"{duel.iterations} iterations of CFR+ on {duel.name}: {name}")
        try:
            began = time.process_time()
            rival = PEERS[name](duel.openspiel, tree)
            prepare = time.process_time() - began
            iterate = cpu(partial(rival.advance, duel.iterations)) / duel.iterations
            theirs, sets = rival.exploitability(), rival.infosets
        except Exception as error:
            bench.notes.append(f"{name} cannot do {duel.name}: {type(error).__name__}: {error}")
            continue
        bench.costs[name] = prepare / tree.size, iterate / tree.size
        check["exploitability"][name], check["infosets"][name] = theirs, sets
        # information sets with a single action may be left out: OpenSpiel plays goofspiel's last cards by itself
        agrees = ours / SIMILAR <= theirs <= ours * SIMILAR and sets in (None, tree.infosets, len(form.first))
        check["agrees"][name] = agrees
        if agrees:
            rivals[name] = rival
        else:
            bench.notes.append(f"{name} does other work on {duel.name}, so it is not compared there")
    bench.checks.append(check)
    return rivals


def _exploitability(bench: Bench, duel: Duel, rivals: dict[str, Contestant]) -> None:
    """Both best responses to the strategies that all have in common after the same number of iterations.

    OpenSpiel's function builds its trees at every call, so it is also measured with trees that are kept, and against
    Fogspiel with the unrolling included.
    """
    ours, repeats = rivals[FOGSPIEL], 100
    plan = ours.solver.plan()
    works: dict[str, Callable[[], Any]] = {name: rival.exploitability for name, rival in rivals.items()}
    works[FOGSPIEL] = lambda: [ours.exploitability() for _ in range(repeats)]
    works["unrolling included"] = lambda: plan_exploitability(form_of(load(duel.spec)), plan)
    if "OpenSpiel" in rivals:
        works["trees kept"] = KeptResponses(rivals["OpenSpiel"]).exploitability
    times = bench.seconds(f"exploitability on {duel.name}", works)
    took, whole, kept = times.pop(FOGSPIEL) / repeats, times.pop("unrolling included"), times.pop("trees kept", None)
    bench.row("exploitability", duel.name, "s", took, times)
    if kept is not None:
        bench.row("exploitability, OpenSpiel's trees kept", duel.name, "s", took, {"OpenSpiel": kept})
        bench.row("exploitability, unrolling included", duel.name, "s", whole, {"OpenSpiel": times["OpenSpiel"]})


def _equilibrium(bench: Bench, duel: Duel, form: SequenceForm, speed: float | None) -> None:
    """CPU time from the rules to an exploitability of `TARGET`.

    OpenSpiel's is measured where that can be awaited. Otherwise it is the number of iterations that its CFR+ needs,
    counted with Fogspiel's (the same algorithm: see the checks), times what OpenSpiel takes for one.
    """
    what = f"time to exploitability {TARGET:g}"
    algorithms = ("cfr+", "dcfr", "pcfr+")
    for algorithm in algorithms:
        solve(duel.spec, algorithm, iterations=1)
    works = {algorithm: partial(solve, duel.spec, algorithm, until=TARGET) for algorithm in algorithms}
    times = bench.seconds(f"{what} on {duel.name}", works)
    best = min(times, key=times.__getitem__)
    note = f"Fogspiel: {best} ({', '.join(f'{name} {_seconds(took)}' for name, took in times.items())})"
    peers, extrapolated = {}, []
    if speed is not None:
        needed = solve(form, "cfr+", until=TARGET, points=1000).iterations
        peers["OpenSpiel"] = needed / speed
        if needed / speed < bench.effort.limit:
            bench.say(f"{what} on {duel.name}: OpenSpiel, {needed:,} iterations")
            rival = OpenSpiel(duel.openspiel, form.tree)
            peers["OpenSpiel"] = cpu(partial(rival.advance, needed))
            note += f"; OpenSpiel: cfr+, {needed:,} iterations to {rival.exploitability():.3g}"
        else:
            extrapolated.append("OpenSpiel")
            note += f"; OpenSpiel: extrapolated, {needed:,} iterations of cfr+"
    bench.row(what, duel.name, "s", times[best], peers, note=note, extrapolated=extrapolated, algorithm=best)


def _sampling(bench: Bench) -> None:
    """Iterations of Monte Carlo CFR: a traversal for each player. Then the table's bytes, and what a second thread brings."""
    for name, spec, openspiel in SAMPLED:
        for what, algorithm in SAMPLERS.items():
            solver = _sampler(spec, algorithm)
            works: dict[str, Callable[[int], Any]] = {FOGSPIEL: solver.advance}
            if "OpenSpiel" in bench.peers:
                works["OpenSpiel"] = samplings(openspiel, algorithm)
            rates = bench.rates(f"{what} on {name}", works)
            sizes = {"infosets": solver.table.nodes, "bytes_per_infoset": solver.table.bytes / solver.table.nodes}
            bench.row(what, name, "iterations/s", rates.pop(FOGSPIEL), rates, **sizes)
    algorithm, spec = SHARED
    speeds = {}
    for threads in (1, 2):
        bench.say(f"{algorithm} on {spec} with {threads} threads")
        solver = _sampler(spec, algorithm, threads)
        solver.advance(1)
        count = _enough(solver.advance, bench.effort.seconds)
        times = []
        for _ in range(bench.effort.rounds):
            began = time.perf_counter()
            solver.advance(count)
            times.append(time.perf_counter() - began)
        speeds[threads] = count / min(times)
        bench.row(
            "threads that share a table, wall time", f"{algorithm}, {spec}, {threads}", "iterations/s", speeds[threads]
        )
    bench.notes.append(f"two threads do {speeds[2] / speeds[1]:.2f} times the iterations of one, in wall time")


def _bounds(bench: Bench) -> None:
    """Heuristic search value iteration, from the file to a gap between the bounds."""
    what = f"time to a gap of {GAP:g}"
    if not PURSUIT.is_file():
        bench.notes.append(f"{what}: {PURSUIT.name} is in the repository alone, so it is left out")
        return
    found: list[Result] = []
    work = lambda: found.append(solve(read_osposg(PURSUIT), "hsvi", until=GAP))  # noqa: E731
    took = bench.seconds(f"hsvi on {PURSUIT.name}", {FOGSPIEL: work})[FOGSPIEL]
    low, high = found[0].bounds or (0.0, 0.0)
    note = f"{found[0].iterations} trials, {low:.2f} to {high:.2f}; {PUBLISHED}: what its own test allows (GLPK)"
    bench.row(what, "peg03", "s", took, {PUBLISHED: ALLOWED}, note=note, extrapolated=[PUBLISHED])


def _values(bench: Bench) -> None:
    """Value iteration on the states of an endless game in which both players see everything."""
    states = endless_states(load(ENDLESS))
    took = bench.seconds(f"value iteration on {ENDLESS}", {FOGSPIEL: lambda: state_values(states, 0.9)})[FOGSPIEL]
    bench.row(
        "value iteration", ENDLESS, "s", took, note=f"{states.count:,} states, each a matrix game, right to a millionth"
    )


def _sampler(spec: str, algorithm: str, threads: int = 1) -> Sampling:
    _, entry, values = read_solver(algorithm)
    return entry.make(Task(load(spec), seed=1, threads=threads), values)


def _playouts(bench: Bench) -> None:
    for name, spec, openspiel in PLAYOUTS:
        game = load(spec)
        works: dict[str, Callable[[int], Any]] = {FOGSPIEL: partial(playouts, game, starts=first_decisions(game))}
        if "OpenSpiel" in bench.peers:
            works["OpenSpiel"] = rollouts(openspiel)
        rates = bench.rates(f"random playouts of {name}", works)
        bench.row("random playouts", name, "playouts/s", rates.pop(FOGSPIEL), rates)
    bench.notes.append("random playouts begin where the first player moves: each deal or roll before that as often")
    _redraws(bench)


def _redraws(bench: Bench) -> None:
    """What it takes to redraw what the first player to move cannot see, and what a playout takes from there."""
    told = []
    for spec in REDRAWN:
        game = load(spec)
        starts = first_decisions(game)
        works = {FOGSPIEL: partial(redraws, game, starts=starts), "playouts": partial(playouts, game, starts=starts)}
        rates = bench.rates(f"redraws of {spec}", works)
        part = rates["playouts"] / rates[FOGSPIEL]
        bench.row("redraws", spec, "redraws/s", rates[FOGSPIEL], of_a_playout=part)
        told.append(f"{spec} {part:.2f}")
    bench.notes.append(f"a redraw takes this part of a playout: {', '.join(told)}")


def first_decisions(game: Game) -> list[State]:
    """The states in which a player moves first, whatever chance did before; where they are too many, some drawn at random."""
    found, deals = [], [game.start()]
    while deals:
        if len(found) + len(deals) > MANY:
            return [_dealt(game, seed) for seed in range(SOME)]
        state = deals.pop()
        if state.actor != CHANCE:
            found.append(state)
            continue
        for move in state.moves():
            deals.append(state.copy())
            deals[-1].play(move)
    return found


def _dealt(game: Game, seed: int) -> State:
    state, luck = game.start(), random.Random(seed)
    while state.actor == CHANCE:
        moves, odds = zip(*state.chance(), strict=True)
        state.play(luck.choices(moves, odds)[0])
    return state


def _searches(bench: Bench) -> None:
    """Simulations of a search at a game's first decision, from an empty tree; each ends in one random playout."""
    for what, name, spec, openspiel in SEARCHES:
        game = load(spec)
        first = first_decisions(game)[0]
        search = TreeSearch(game, parts(exploration=EXPLORATION), nodes=1 << 14)
        works: dict[str, Callable[[int], Any]] = {FOGSPIEL: partial(_decide, search, first, what == "IS-MCTS")}
        if openspiel is not None and "OpenSpiel" in bench.peers:
            works["OpenSpiel"] = searches(openspiel, SIMULATIONS, EXPLORATION * float(search.span[0]))
        rates = bench.rates(f"{what} on {name}", works)
        speeds = {library: rate * SIMULATIONS for library, rate in rates.items()}
        nodes, size = search.memory.node_count, search.bytes
        sizes = {"simulations": SIMULATIONS, "nodes": nodes, "bytes_per_node": size / nodes}
        bench.row("search", f"{what}, {name}", "simulations/s", speeds.pop(FOGSPIEL), speeds, **sizes)
    _icaruses(bench)
    for name, spec in ENHANCED:
        for simulations in (SIMULATIONS, DELIBERATE):
            _inference(bench, name, spec, simulations)
    if "OpenSpiel" in bench.peers:
        bench.notes.append(
            f"search: UCB1 with the constant {EXPLORATION} times the range of utilities, an empty tree for each decision of "
            f"{SIMULATIONS:,} simulations, one random playout for each; OpenSpiel: MCTSBot and ISMCTSBot"
        )


def _icaruses(bench: Bench) -> None:
    """The same with ICARUSes, and what that leaves of the speed of the plain search."""
    for name, spec in ENHANCED:
        game = load(spec)
        first = first_decisions(game)[0]
        for expression in ICARUSES:
            icarus = read_icarus(expression)
            enhanced = parts(exploration=EXPLORATION, playout=icarus.policy or "uniform", icaruses=icarus.search_parts)
            made = {
                FOGSPIEL: TreeSearch(game, enhanced, nodes=1 << 14),
                "plain": TreeSearch(game, parts(exploration=EXPLORATION), nodes=1 << 14),
            }
            rates = bench.rates(
                f"{expression} on {name}",
                {which: partial(_decide, search, first, True) for which, search in made.items()},
            )
            share, speed = rates[FOGSPIEL] / rates["plain"], rates[FOGSPIEL] * SIMULATIONS
            label = f"MO-ISMCTS with {expression}, {name}"
            memory = made[FOGSPIEL].memory.node_count, made[FOGSPIEL].bytes
            sizes = {"simulations": SIMULATIONS, "nodes": memory[0], "bytes_per_node": memory[1] / memory[0]}
            bench.row("search", label, "simulations/s", speed, of_plain=share, **sizes)
            bench.notes.append(f"search: {label}: {share:.0%} of the plain search's simulations/s")


def _decide(search: TreeSearch, state: State, redraw: bool, count: int) -> None:
    for seed in range(count):
        search.restart(seed)
        search.run(Roots([state], redraw=redraw), state.actor, simulations=SIMULATIONS)


def _inference(bench: Bench, name: str, spec: str, simulations: int) -> None:
    """Simulations a second of CPU time that go into the decisions of whole games, all that a belief does counted."""
    played = {belief: _Games(load(spec), belief, simulations) for belief in ("usual", "inferred")}
    where = f"{name}, {simulations:,} a decision"
    spent = bench.seconds(f"inference on {where}", {belief: games.play for belief, games in played.items()})
    speed = {belief: simulations * games.decisions / spent[belief] for belief, games in played.items()}
    bench.row("inference", f"MO-ISMCTS, {where}", "simulations/s", speed["usual"], simulations=simulations)
    share, label = speed["inferred"] / speed["usual"], f"the same with inference, {where}"
    bench.row("inference", label, "simulations/s", speed["inferred"], simulations=simulations, of_plain=share)
    bench.notes.append(f"inference: {label}: {share:.0%} of the simulations/s without it")


class _Games:
    """A few games of players who are all alike, and how many decisions they have."""

    def __init__(self, game: Game, belief: str, simulations: int):
        self.game = game
        self.players = [agent("mo-ismcts", simulations=simulations, belief=belief) for _ in range(game.players)]
        self.play()  # what has to be compiled, is

    def play(self) -> None:
        self.decisions = 0
        for number in range(GAMES):
            play_game(self.game, self.players, deal=number, seed=number, watch=self._count)

    def _count(self, state: State) -> None:
        self.decisions += state.actor >= 0 and len(state.moves()) > 1


def _match(bench: Bench) -> None:
    """Wall time, since it is spent in several processes; their start counts. What their CPU time allows is told as well."""
    games = max(2, int(1000 * bench.effort.seconds))
    times: list[float] = []
    spent: list[float] = []
    while len(times) < bench.effort.rounds and sum(times) < bench.effort.most:
        bench.say(f"match on {MEETING}")
        began, used = time.perf_counter(), sum(os.times()[:4])
        match(MEETING, [RIVALS, RIVALS], games=games, seed=0, workers=WORKERS)
        times.append(time.perf_counter() - began)
        spent.append(sum(os.times()[:4]) - used)
    name = f"{MEETING}: {RIVALS} against itself"
    sizes = {"games": games, "games_per_cpu_second": games / max(min(spent), 1e-9)}
    bench.row(f"match with {WORKERS} workers", name, "games/s", games / min(times), **sizes)


def _results(bench: Bench) -> None:
    """Wall time of two processes that write games of an experiment to one file; their start does not count."""
    count = max(2000, int(50_000 * bench.effort.seconds))
    rates: list[float] = []
    while len(rates) < bench.effort.rounds and count * len(rates) < 50_000 * bench.effort.most:
        bench.say("results of an experiment")
        with tempfile.TemporaryDirectory() as folder, get_context("spawn").Pool(WORKERS) as pool:
            path = str(Path(folder) / "results.sqlite")
            Store(path, create=True).close()
            spans = pool.starmap(write_results, [(path, writer, count) for writer in range(WORKERS)], chunksize=1)
            with Store(path) as store:
                written = store.counts("bench", "small")["done"]
        rates.append(written / (max(end for _, end in spans) - min(begin for begin, _ in spans)))
    bench.row("results stored", f"{WORKERS} processes, one file", "games/s", max(rates), games=WORKERS * count)


def write_results(path: str, writer: int, count: int) -> tuple[float, float]:
    """Write so many games of two players, as `fogspiel run` does; returns when it began and ended."""
    seats: dict[str, Any] = {
        "utility": [1.0, -1.0],
        "points": [1.0, 0.0],
        "seconds": [0.0002, 0.0001],
        "decisions": [2, 1],
    }
    task = MatchTask("kuhn", ("random", "random"), ("a", "b"), 1, FreshDeals())
    with Store(path) as store:
        cell = store.declare("bench", "small", "", {}, [({}, task, {}, WORKERS * count)])[0]
        began = time.time()
        for first in range(0, count, FLUSH_ROWS):
            runs = range(writer * count + first, writer * count + min(first + FLUSH_ROWS, count))
            store.claim([(cell, run) for run in runs])
            store.add([(cell, Found(run, run, task.seed_of(run), 1.0, seats)) for run in runs])
        return began, time.time()


def _unrolling(bench: Bench) -> None:
    for spec in UNROLLED:
        game = load(spec)
        size = unroll(game).size
        took = bench.seconds(f"unrolling {spec}", {FOGSPIEL: partial(unroll, game)})[FOGSPIEL]
        bench.row("unrolling", spec, "histories/s", size / took, histories=size)


def _memory(bench: Bench) -> None:
    """What the arrays of a large solved game take, and how far the process grew at most while making them."""
    bench.say(f"memory of {LARGE}")
    _solve_briefly("goofspiel(cards=3)")  # so that compiled code is loaded before the growth is measured
    before = _peak()
    form, solver = _solve_briefly(LARGE)
    parts = {
        "tree": form.tree.bytes,
        "sequence form": form.bytes,
        "payoff table": sum(array.nbytes for array in form.payoffs.arrays[1:]),
        "solver": sum(getattr(solver, name).nbytes for name in solver.arrays),
    }
    parts["all of these"] = sum(parts.values())
    if before is not None:
        parts["peak growth of the process"] = _peak() - before
    for part, count in parts.items():
        sizes = {"part": part, "bytes": count, "bytes_per_infoset": count / form.tree.infosets}
        bench.row("memory", LARGE, "bytes/history", count / form.tree.size, **sizes)


def _solve_briefly(spec: str) -> tuple[SequenceForm, Solver]:
    ours = Ours(form_of(load(spec)))
    ours.advance(10)
    ours.exploitability()
    return ours.form, ours.solver


def _peak() -> int | None:
    """The most memory that this process has had so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _start_up(bench: Bench) -> None:
    """Wall time of short commands, each in a process of its own, after one that is not counted."""
    command = "import sys; from fogspiel.app.cli import main; sys.argv = ['fogspiel', {}]; main()"
    imports = {name: f"import {', '.join(PEERS[name].modules)}" for name in bench.peers}
    for what, codes in {
        "import": {FOGSPIEL: "import fogspiel", **imports},
        "fogspiel --help": {FOGSPIEL: command.format("'--help'")},
        "fogspiel solve kuhn": {FOGSPIEL: command.format("'solve', 'kuhn'")},
    }.items():
        bench.say(f"start-up: {what}")
        times = {name: min([_wall(code) for _ in range(1 + bench.effort.rounds)][1:]) for name, code in codes.items()}
        bench.row("start-up", what, "s", times.pop(FOGSPIEL), times)


def _wall(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def print_bench(facts: dict[str, Any]) -> None:
    """The results as tables; beside every peer's number stands how many times faster Fogspiel is."""
    console = Console(highlight=False)
    m = facts["machine"]
    libraries = {"Python": m["python"], "NumPy": m["numpy"], "Numba": m["numba"], FOGSPIEL: m["fogspiel"], **m["peers"]}
    console.print(
        f"{m['cpu']}, {m['cores']} cores; {', '.join(f'{name} {v}' for name, v in libraries.items())}", markup=False
    )
    for what in dict.fromkeys(row["what"] for row in facts["rows"]):
        rows = [row for row in facts["rows"] if row["what"] == what]
        unit = rows[0]["unit"]
        console.print(f"\n[bold]{what}[/bold]" + (f", {unit}" if unit != "s" else ""))
        console.print(_rows(rows, unit))
    if facts["checks"]:
        console.print("\n[bold]the same work?[/bold] exploitability after the same number of iterations")
        console.print(_checks(facts["checks"]))
    console.print()
    notes = [f"{row['what']}, {row['game']}: {row['note']}" for row in facts["rows"] if row.get("note")]
    for note in notes + facts["notes"]:
        console.print(note, markup=False)
    console.print(
        f"CPU time (start-up, match, results: wall time), best of {facts['effort']['rounds']} rounds, rates of {TURNS} turns in each; {facts['seconds']:.0f} s in all"
    )


SIZES = {
    "infosets": "sets", "histories": "histories", "bytes_per_infoset": "bytes/set", "bytes": "bytes",
    "simulations": "simulations", "nodes": "nodes", "bytes_per_node": "bytes/node", "games": "games",
    "games_per_cpu_second": "games/CPU s",
}  # fmt: skip
"""What some rows tell beside speed, and the heading of its column."""


def _rows(rows: list[dict[str, Any]], unit: str) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row["peers"]))
    sizes = [key for key in SIZES if key in rows[0]]
    table = Table(box=None, pad_edge=False)
    table.add_column("" if "part" not in rows[0] else rows[0]["game"])
    for heading in (*(SIZES[key] for key in sizes), FOGSPIEL, *names):
        table.add_column(heading, justify="right")
    for row in rows:
        counts = [f"{row[key]:,.0f}" for key in sizes]
        table.add_row(
            row.get("part", row["game"]), *counts, _number(row["fogspiel"], unit), *(_cell(row, name) for name in names)
        )
    return table


def _cell(row: dict[str, Any], name: str) -> str:
    """A peer's number and the ratio to it, such as `61  363x`."""
    if name not in row["peers"]:
        return "-"
    about, ratio = "≈" if name in row.get("extrapolated", ()) else "", row["ratios"][name]
    times = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"
    return f"{about}{_number(row['peers'][name], row['unit'])}  [bold]{times}[/bold]"


def _number(value: float, unit: str) -> str:
    if unit == "s":
        return _seconds(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _seconds(value: float) -> str:
    for scale, name in ((1.0, "s"), (1e-3, "ms")):
        if value >= scale:
            return f"{value / scale:.3g} {name}" if value < 1000 else f"{value:,.0f} s"
    return f"{value * 1e6:.3g} µs"


def _checks(checks: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    names = list(dict.fromkeys(name for check in checks for name in check["exploitability"]))
    for heading in ("", "iterations", *names, ""):
        table.add_column(heading, justify="right" if heading else "left")
    for check in checks:
        found = [f"{check['exploitability'][name]:.7f}" if name in check["exploitability"] else "-" for name in names]
        verdict = "yes" if all(check["agrees"].values()) else "[bold red]no[/bold red]"
        table.add_row(check["game"], str(check["iterations"]), *found, verdict)
    return table
