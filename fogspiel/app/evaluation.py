"""What `fogspiel evaluate` finds of a saved strategy, or of controllers of a one-sided POSG, and how it is shown."""

from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.app.matrix_facts import indifference_facts, print_indifference
from fogspiel.app.progress import Watch
from fogspiel.app.show import console
from fogspiel.game.load import load
from fogspiel.interop.osposg import is_osposg, read_osposg
from fogspiel.solvers import archive
from fogspiel.solvers.files import CONTROLLERS, read
from fogspiel.solvers.posg.files import read_controllers
from fogspiel.solvers.response.response import measure
from fogspiel.solvers.result import nonnegative
from fogspiel.tree.endless import one_sided_of


def evaluate_file(spec: str, path: Path, method: str, memory: int | None, watch: Watch) -> dict[str, Any]:
    """What is found, ready for JSON."""
    if archive.kind_of(path) == CONTROLLERS:
        return _controllers(spec, path)
    strategy = read(path)
    game = load(spec)
    strategy.require(game)
    found = measure(game, strategy, method=method, memory=memory, progress=watch.unrolling)
    # information sets are counted where the game was unrolled
    tree = None if found.form is None else found.form.tree
    sides = None if found.form is None or not found.best else indifference_facts(found.form, strategy)
    return (
        {
            "game": game.spec,
            "information_sets": None if tree is None else tree.infosets,
            "information_sets_not_in_strategy": None if tree is None else strategy.silent(tree),
            "touched": found.touched,
            "value": list(found.value),
            "best_response": list(found.best),
            "gain": list(found.gain),
            "nash_conv": found.nash_conv,
            "exploitability": found.exploitability,
        }
        | ({"cce_gap": found.cce_gap, "meaning": found.meaning} if found.meaning else {})
        | ({"indifference": sides} if sides else {})
    )


def _controllers(spec: str, path: Path) -> dict[str, Any]:
    """What both get when they play these, and at most by a best response to the other's."""
    posg = read_osposg(spec) if is_osposg(spec) else one_sided_of(load(spec))
    found = read_controllers(posg, path)
    value = found.values()
    most = (found.conceded(), -found.guaranteed())  # of players 1 and 2 of the POSG
    best = most if posg.seat == 0 else most[::-1]
    return {
        "game": posg.spec,
        "discount": posg.discount,
        "value": list(value),
        "best_response": list(best),
        "gain": [b - v for b, v in zip(best, value, strict=True)],
        "nash_conv": nonnegative(sum(best)),
        "exploitability": nonnegative(sum(best)) / 2,
        "meaning": "Of the endless game, discounted. A best response gains no more than that: to the player who sees "
        "little it is told in which nodes "
        "the other's controller is.",
    }


def print_evaluation(facts: dict[str, Any]) -> None:
    table = Table(box=None, pad_edge=False)
    columns = ("value", *(("best_response", "gain") if facts["best_response"] else ()))
    for heading in ("player", *columns):
        table.add_column(heading.replace("_", " "), justify="left" if heading == "player" else "right")
    for p, row in enumerate(zip(*(facts[column] for column in columns), strict=True)):
        table.add_row(str(p), *(f"{v:+z.9f}" for v in row))
    console.print(f"[bold]{escape(facts['game'])}[/bold]")
    console.print(table)
    if facts["nash_conv"] is not None:
        for name in ("nash_conv", "exploitability"):
            console.print(f"{name:<14} {nonnegative(facts[name]):.9f}")
    missing, total = facts.get("information_sets_not_in_strategy"), facts.get("information_sets")
    if missing:
        console.print(
            f"the strategy says nothing about {missing:,} of {total:,} information sets; there it plays uniformly"
        )
    if "meaning" in facts:
        console.print(f"\n{facts['meaning']}", markup=False)
    if "indifference" in facts:
        print_indifference(console, facts["indifference"])
