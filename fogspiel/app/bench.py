"""`fogspiel bench`: speed and memory, side by side with other libraries on the same games, in one run and one process.

A number is CPU time (start-up: wall time), the best of a few rounds; in each round every library has its turn, so that a
disturbance of the machine meets all alike. Libraries are compared on a game only after it has been seen that their games
have the same information sets, and that the same number of iterations has led them to a similar exploitability.
"""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from fogspiel import __version__
from fogspiel.app.peers import INSTALL, PEERS, Contestant, KeptResponses, OpenSpiel, installed, rollouts
from fogspiel.game.load import load
from fogspiel.game.playout import playouts
from fogspiel.solve.registry import read_solver
from fogspiel.solve.response import form_of, plan_exploitability
from fogspiel.solve.run import solve
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import unroll

FOGSPIEL = "Fogspiel"
SIMILAR = 2.0
"""Exploitabilities after equally many iterations count as similar within this factor. Libraries that run the very same
algorithm agree to rounding, except where regrets are tied at zero, as in goofspiel: there rounding decides what is played.
LiteEFG averages the strategies after the updates instead of those before."""
TARGET = 1e-4


@dataclass(frozen=True)
class Effort:
    """How long to measure: `rounds` of about `seconds` each; a peer that would take more than `limit` seconds is left out."""

    rounds: int
    seconds: float
    limit: float

    @property
    def most(self) -> float:
        """Who has been measured for so many seconds gets no further round."""
        return 10 * self.seconds


FULL, QUICK = Effort(3, 1.0, 60.0), Effort(3, 0.1, 15.0)


@dataclass(frozen=True)
class Duel:
    """One game in Fogspiel's and in OpenSpiel's words, and after how many iterations to see whether the work is equal."""

    name: str
    spec: str
    openspiel: str
    iterations: int
    thorough: bool = False
    """Compare exploitability computations and the time to an equilibrium, too."""


def _goofspiel(cards: int) -> str:
    given = f"imp_info=True,num_cards={cards},points_order=descending,returns_type=win_loss,players=2"
    return f"turn_based_simultaneous_game(game=goofspiel({given}))"


DUELS = (
    Duel("Kuhn poker", "kuhn", "kuhn_poker", 100),
    Duel("Leduc", "poker(see_suits=yes)", "leduc_poker", 50, thorough=True),
    Duel("Leduc, suits merged", "poker", "leduc_poker(suit_isomorphism=True)", 50),
    Duel("liar's dice, 4 faces", "bluff(faces=4)", "liars_dice(numdice=1,dice_sides=4)", 50),
    Duel("goofspiel, 4 cards", "goofspiel(cards=4)", _goofspiel(4), 50),
    Duel("goofspiel, 5 cards", "goofspiel(cards=5)", _goofspiel(5), 20),
    Duel("liar's dice, 6 faces", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)", 3, thorough=True),
)
"""From small to large, so that what a peer took for one game tells whether to try it on the next."""

PLAYOUTS = (
    ("Kuhn poker", "kuhn", "kuhn_poker"),
    ("Leduc", "poker(see_suits=yes)", "leduc_poker"),
    ("liar's dice, 6 faces", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)"),
    ("tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
)
UNROLLED = ("kuhn(players=6)", "goofspiel(cards=6)", "bluff(faces=6)")
LARGE = "goofspiel(cards=6)"


@dataclass
class Bench:
    """A run: what was measured so far, and what to tell while measuring."""

    effort: Effort
    quiet: bool
    peers: dict[str, str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    costs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """What each peer's preparations and iterations took on the last game, in CPU seconds a history."""

    def say(self, text: str) -> None:
        if not self.quiet:
            sys.stderr.write(f"{time.monotonic() - self.began:6.0f} s  {text}\n")
            sys.stderr.flush()

    def note(self, text: str) -> None:
        self.notes.append(text)
        self.say(text)

    def row(
        self, what: str, game: str, unit: str, fogspiel: float, peers: dict[str, float] | None = None, **more: Any
    ) -> None:
        """Add a result. A ratio above 1 means that Fogspiel is faster, whether the unit is a rate or a time."""
        peers = peers or {}
        ratios = {name: fogspiel / v if unit.endswith("/s") else v / fogspiel for name, v in peers.items()}
        self.rows.append(
            {"what": what, "game": game, "fogspiel": fogspiel, "peers": peers, "unit": unit, "ratios": ratios} | more
        )

    def seconds(self, what: str, works: dict[str, Callable[[], Any]]) -> dict[str, float]:
        """The CPU time of each piece of work: the best of the rounds, in which all take turns."""
        spent: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(self.effort.rounds):
            for name, work in works.items():
                if sum(spent[name]) < self.effort.most:
                    self.say(f"{what}: {name}")
                    spent[name].append(cpu(work))
        return {name: min(times) for name, times in spent.items()}

    def rates(self, what: str, works: dict[str, Callable[[int], Any]]) -> dict[str, float]:
        """How often a second each piece of work can be done, given a function that does it so many times."""
        counts = {name: _enough(work, self.effort.seconds) for name, work in works.items()}
        times = self.seconds(what, {name: partial(work, counts[name]) for name, work in works.items()})
        return {name: counts[name] / times[name] for name in works}


class Ours:
    """Fogspiel's CFR+ in the shape of a contestant."""

    def __init__(self, form: SequenceForm, algorithm: str = "cfr+"):
        _, entry, parameters = read_solver(algorithm)
        self.form, self.solver = form, entry.make(form, parameters)
        self.advance = self.solver.advance

    @property
    def infosets(self) -> int:
        return self.form.tree.infosets

    def exploitability(self) -> float:
        return plan_exploitability(self.form, self.solver.plan())


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


def run_bench(
    *,
    quick: bool = False,
    quiet: bool = False,
    duels: tuple[Duel, ...] = DUELS,
    parts: tuple[str, ...] = ("memory", "duels", "playouts", "unrolling", "start-up"),
    effort: Effort | None = None,
) -> dict[str, Any]:
    """Measure, and return all that was measured, ready for JSON. Ctrl-C ends it early and keeps what there is.

    Memory comes first, while nothing else has made the process grow.
    """
    bench = Bench(effort or (QUICK if quick else FULL), quiet, {})
    todo = {
        "memory": _memory,
        "duels": partial(_duels, duels),
        "playouts": _playouts,
        "unrolling": _unrolling,
        "start-up": _start_up,
    }
    interrupted = False
    try:
        if "memory" in parts:
            bench.say(f"memory: {LARGE}")
            _memory(bench)
        bench.peers = installed()
        for name in PEERS.keys() - bench.peers.keys():
            bench.note(f"{name} is not installed: {INSTALL}")
        for part in parts:
            if part != "memory":
                todo[part](bench)
    except KeyboardInterrupt:
        interrupted = True
        bench.note("interrupted; this is what was measured so far")
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
        _fight(bench, duel)


def _fight(bench: Bench, duel: Duel) -> None:
    """All comparisons on one game."""
    form = form_of(load(duel.spec))
    rivals = _equals(bench, duel, form)
    if duel.thorough:
        _exploitability(bench, duel, rivals)
    rates = bench.rates(f"CFR+ on {duel.name}", {name: rival.advance for name, rival in rivals.items()})
    ours = rates.pop(FOGSPIEL)
    bench.row("CFR+", duel.name, "iterations/s", ours, rates, infosets=form.tree.infosets)
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
            bench.note(f"{name} is left out on {duel.name}: it would take about {expected:.0f} s")
            continue
        bench.say(f"{duel.iterations} iterations of CFR+ on {duel.name}: {name}")
        try:
            began = time.process_time()
            rival = PEERS[name](duel.openspiel, tree)
            prepare = time.process_time() - began
            iterate = cpu(partial(rival.advance, duel.iterations)) / duel.iterations
            theirs, sets = rival.exploitability(), rival.infosets
        except Exception as error:
            bench.note(f"{name} cannot do {duel.name}: {type(error).__name__}: {error}")
            continue
        bench.costs[name] = prepare / tree.size, iterate / tree.size
        check["exploitability"][name], check["infosets"][name] = theirs, sets
        # information sets with a single action may be left out: OpenSpiel plays goofspiel's last cards by itself
        agrees = ours / SIMILAR <= theirs <= ours * SIMILAR and sets in (None, tree.infosets, len(form.first))
        check["agrees"][name] = agrees
        if agrees:
            rivals[name] = rival
        else:
            bench.note(f"{name} does other work on {duel.name}, so it is not compared there")
    bench.checks.append(check)
    return rivals


def _exploitability(bench: Bench, duel: Duel, rivals: dict[str, Contestant]) -> None:
    """Both best responses to the strategies that all have in common after the same number of iterations."""
    works = {name: rival.exploitability for name, rival in rivals.items()}
    if "OpenSpiel" in rivals:
        works["OpenSpiel, tree kept"] = KeptResponses(rivals["OpenSpiel"]).exploitability
    plan = rivals[FOGSPIEL].solver.plan()
    repeat = 100
    works[FOGSPIEL] = lambda: [rivals[FOGSPIEL].exploitability() for _ in range(repeat)]
    works["unrolling included"] = lambda: plan_exploitability(form_of(load(duel.spec)), plan)
    times = bench.seconds(f"exploitability on {duel.name}", works)
    ours, whole = times.pop(FOGSPIEL) / repeat, times.pop("unrolling included")
    bench.row("exploitability", duel.name, "s", ours, times)
    times.pop("OpenSpiel, tree kept", None)
    bench.row(
        "exploitability, unrolling included",
        duel.name,
        "s",
        whole,
        {k: v for k, v in times.items() if k == "OpenSpiel"},
    )


def _equilibrium(bench: Bench, duel: Duel, form: SequenceForm, speed: float | None) -> None:
    """CPU time from the rules to an exploitability of `TARGET`.

    OpenSpiel's is measured where that can be awaited. Otherwise it is the number of iterations that this algorithm needs,
    counted with Fogspiel's own (the same: see the checks), times what OpenSpiel takes for one.
    """
    what = f"time to exploitability {TARGET:g}"
    works = {algorithm: partial(solve, duel.spec, algorithm, until=TARGET) for algorithm in ("cfr+", "dcfr", "pcfr+")}
    times = bench.seconds(f"{what} on {duel.name}", works)
    best = min(times, key=times.__getitem__)
    peers, note = {}, f"Fogspiel: {best} ({', '.join(f'{name} {_seconds(t)}' for name, t in times.items())})"
    extrapolated = []
    if speed is not None:
        needed = solve(form, "cfr+", until=TARGET, points=100).iterations
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


def _playouts(bench: Bench) -> None:
    for name, spec, openspiel in PLAYOUTS:
        works: dict[str, Callable[[int], Any]] = {FOGSPIEL: partial(playouts, load(spec))}
        if "OpenSpiel" in bench.peers:
            works["OpenSpiel"] = rollouts(openspiel)
        rates = bench.rates(f"random playouts of {name}", works)
        bench.row("random playouts", name, "playouts/s", rates.pop(FOGSPIEL), rates)
    if "OpenSpiel" in bench.peers:
        bench.note("random playouts: OpenSpiel's begin after the first deal or roll, Fogspiel's before it")


def _unrolling(bench: Bench) -> None:
    for spec in UNROLLED:
        game = load(spec)
        size = unroll(game).size
        took = bench.seconds(f"unrolling {spec}", {FOGSPIEL: partial(unroll, game)})[FOGSPIEL]
        bench.row("unrolling", spec, "histories/s", size / took, histories=size)


def _memory(bench: Bench) -> None:
    """What the arrays of a large solved game take, and how far the process grew at most while making them."""
    before = _peak()
    form = form_of(load(LARGE))
    ours = Ours(form)
    ours.advance(10)
    ours.exploitability()
    parts = {
        "tree": form.tree.bytes,
        "sequence form": form.bytes,
        "payoff table": sum(array.nbytes for array in form.payoffs.arrays[1:]),
        "solver": sum(getattr(ours.solver, name).nbytes for name in ours.solver.arrays),
    }
    parts["all of these"] = sum(parts.values())
    if before is not None:
        parts["peak growth of the process"] = _peak() - before
    size, sets = form.tree.size, form.tree.infosets
    for part, count in parts.items():
        bench.row(
            "memory",
            f"{LARGE}: {part}",
            "bytes/history",
            count / size,
            note=f"{count / sets:,.0f} bytes/information set, {count / 2**20:,.0f} MiB",
        )


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
        console.print()
        console.print(_table(what, [row for row in facts["rows"] if row["what"] == what]))
    if facts["checks"]:
        console.print()
        console.print(_checks(facts["checks"]))
    console.print()
    notes = [f"{row['what']} on {row['game']}: {row['note']}" for row in facts["rows"] if "extrapolated" in row]
    for note in notes + facts["notes"]:
        console.print(note, markup=False)
    console.print(f"\nCPU time, best of {facts['effort']['rounds']} rounds; {facts['seconds']:.0f} s in all")


def _table(what: str, rows: list[dict[str, Any]]) -> Table:
    unit = rows[0]["unit"]
    names = list(dict.fromkeys(name for row in rows for name in row["peers"]))
    table = Table(
        box=None,
        pad_edge=False,
        title=f"[bold]{what}[/bold]" + (f", {unit}" if unit != "s" else ""),
        title_justify="left",
        title_style="",
    )
    table.add_column("")
    for name in (FOGSPIEL, *names):
        table.add_column(name, justify="right")
    told = what == "memory"
    for row in rows:
        cells = [_cell(row, name) for name in names] + ([row["note"]] if told else [])
        table.add_row(_label(row), _number(row["fogspiel"], unit), *cells)
    return table


def _label(row: dict[str, Any]) -> str:
    count = row.get("infosets") or row.get("histories")
    kind = "sets" if row.get("infosets") else "histories"
    return row["game"] + (f" ({count:,} {kind})" if count else "")


def _cell(row: dict[str, Any], name: str) -> str:
    """A peer's number and the ratio to it, such as `61  363x`."""
    if name not in row["peers"]:
        return "-"
    ratio, sign = row["ratios"][name], "≈" if name in row.get("extrapolated", ()) else ""
    return f"{sign}{_number(row['peers'][name], row['unit'])}  [bold]{f'{ratio:,.0f}' if ratio >= 10 else f'{ratio:.1f}'}x[/bold]"


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
    names = list(dict.fromkeys(name for check in checks for name in check["exploitability"]))
    title = "[bold]the same work?[/bold] exploitability after the same number of iterations"
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="")
    for heading in ("", "iterations", *names, ""):
        table.add_column(heading, justify="right" if heading else "left")
    for check in checks:
        found = [f"{check['exploitability'][n]:.7f}" if n in check["exploitability"] else "-" for n in names]
        table.add_row(
            check["game"],
            str(check["iterations"]),
            *found,
            "yes" if all(check["agrees"].values()) else "[bold red]no[/bold red]",
        )
    return table
