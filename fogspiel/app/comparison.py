"""Several runs of solvers side by side: of several algorithms, or of one with several seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.app.progress import Watch
from fogspiel.app.show import console
from fogspiel.errors import FogspielError, SpecError
from fogspiel.game.game import Game
from fogspiel.solvers import suit
from fogspiel.solvers.registry import Entry, read_run, read_solver
from fogspiel.solvers.result import Result, nonnegative
from fogspiel.solvers.run import solve
from fogspiel.tree.posg import OneSided


@dataclass(frozen=True)
class Compared:
    """What the runs came to. `error` ended them before the last, `interrupted` does so by Ctrl-C; what was found is
    kept. `note` says which algorithms had no use for several seeds."""

    game: str
    results: tuple[Result[Any], ...]
    error: FogspielError | None = None
    note: str = ""

    @property
    def interrupted(self) -> bool:
        return any(r.stopped == "interrupted" for r in self.results)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON: every run as `fogspiel solve` writes it, and what each algorithm came to."""
        return {
            "game": self.game,
            "runs": [r.as_dict() for r in self.results],
            "comparison": [_summary(name, runs) for name, runs in by_algorithm(self.results).items()],
        } | ({"note": self.note} if self.note else {})


def by_algorithm(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Runs that differ in nothing but their seeds, together."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.algorithm, []).append(result)
    return groups


def _summary(name: str, runs: list[Result]) -> dict[str, Any]:
    measured = [r.nash_conv for r in runs if r.nash_conv is not None]
    spread = {"median": median(measured), "least": min(measured), "most": max(measured)} if measured else None
    return {
        "algorithm": name,
        "seeds": [r.seed for r in runs],
        "nash_conv": spread,
        "iterations": median(r.iterations for r in runs),
        "seconds": median(r.seconds for r in runs),
    }


def read_algorithms(asked: Sequence[str], iterations: int | None) -> list[str]:
    """The algorithms asked for, as they were written, each once however it is written."""
    found: dict[str, str] = {}
    for one in asked:
        found.setdefault(read_run(one, iterations)[0], one)
    return list(found.values())


def read_seeds(seeds: Sequence[int], count: int | None) -> list[int]:
    """The seeds asked for: those given, or so many from the one given on."""
    if count is None:
        return list(dict.fromkeys(seeds))
    if len(seeds) > 1:
        raise SpecError("give either several times --seed, or --seeds with how many there are to be, not both")
    return list(range(seeds[0], seeds[0] + count))


def compare(
    game: Game | OneSided,
    algorithms: Sequence[str],
    seeds: Sequence[int],
    watch: Watch,
    limits: dict[str, Any],
    sampling: dict[str, Any],
    memory: int | None,
) -> Compared:
    """Run every algorithm with every seed, one after the other, each within the same limits.

    What does not sample has no use for seeds and runs once; an exact solver takes no limits, and only sampling solvers
    are given what is for them. Raises Unsuitable or TooLarge where one of them surely cannot take the game, before the
    first runs; a later error ends the runs.
    """
    entries: dict[str, Entry] = {}
    for algorithm in algorithms:
        name, entry, values = read_solver(algorithm)
        suit.require_kind(name, entry, game)
        if isinstance(game, Game):
            suit.require(name, entry, game, values, memory)
        entries[algorithm] = entry
    once = [a for a, entry in entries.items() if not entry.sampled]
    note = f"{', '.join(once)}: one run, since no random numbers are used" if once and len(seeds) > 1 else ""
    runs = [(a, seed) for a, entry in entries.items() for seed in (seeds if entry.sampled else seeds[:1])]
    results: list[Result[Any]] = []
    for number, (algorithm, seed) in enumerate(runs, 1):
        entry = entries[algorithm]
        told = f"{algorithm}, seed {seed}" if entry.sampled else algorithm
        watch.say(f"run {number} of {len(runs)}: {told}")
        given = {} if entry.exact else limits | {"callback": watch.point}
        try:
            results.append(
                solve(
                    game,
                    algorithm,
                    seed=seed,
                    memory=memory,
                    progress=watch.unrolling,
                    **given,
                    **(sampling if entry.sampled else {}),
                )
            )
        except FogspielError as error:
            return Compared(game.spec, tuple(results), error, note)
        if results[-1].stopped == "interrupted":
            break
    return Compared(game.spec, tuple(results), note=note)


def print_comparison(found: Compared) -> None:
    """A row a run; and where an algorithm ran more than once, what its runs have in common."""
    groups = by_algorithm(found.results)
    seeds = any(len(runs) > 1 for runs in groups.values())
    table = Table(box=None, pad_edge=False)
    table.add_column("algorithm", style="bold")
    joint = any(r.joint is not None for r in found.results)
    every = any(r.meaning for r in found.results)
    headings = ["seed"] * seeds + ["values" if every else "value", "nash_conv"] + ["CCE gap"] * joint
    for heading in [*headings, "iterations", "seconds", "histories touched"]:
        table.add_column(heading, justify="right")
    table.add_column("")
    for name, runs in groups.items():
        for r in runs:
            gap = "-" if r.cce_gap is None else f"{r.cce_gap:.3e}"
            table.add_row(
                escape(name),
                *[str(r.seed) if r.memory else "-"] * seeds,
                " ".join(f"{v:+z.6f}" for v in (r.value if every else r.value[:1])) or "-",
                "-" if r.nash_conv is None else f"{nonnegative(r.nash_conv):.3e}",
                *[gap] * joint,
                f"{r.iterations:,}",
                f"{r.seconds:.2f}",
                f"{r.touched:,}",
                r.stopped if r.stopped in ("exact", "interrupted", "memory", "precision") else "",
            )
    console.print(
        f"[bold]{escape(found.game)}[/bold]: {len(found.results)} run{'s' * (len(found.results) != 1)}; "
        + ("values: of all players" if every else "value: of player 0")
    )
    console.print(table)
    for name, runs in groups.items():
        spread = _summary(name, runs)["nash_conv"]
        if len(runs) > 1 and spread is not None:
            console.print(
                "{}: nash_conv {:.3e} in the median of {} seeds, from {:.3e} to {:.3e}".format(
                    name,
                    nonnegative(spread["median"]),
                    len(runs),
                    *(nonnegative(spread[end]) for end in ("least", "most")),
                ),
                markup=False,
                soft_wrap=True,
            )
    if joint:
        console.print("CCE gap: of the average joint play, where an algorithm keeps it", markup=False)
    if found.note:
        console.print(found.note, markup=False, soft_wrap=True)
    if found.results and found.results[0].meaning:
        console.print(f"\n{found.results[0].meaning}", markup=False)
