"""What can be said of a matrix game at a glance: dominated moves, pure equilibria, and what each move gets against a
strategy."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fogspiel.errors import Unsuitable
from fogspiel.solvers.exact.dominance import Elimination, dominance, indifference, pure_equilibria
from fogspiel.solvers.response.response import form_of
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree

LARGEST = 1_000
"""Terminals beyond which nobody asked for a program for every move."""


def matrix_facts(tree: Tree) -> dict[str, Any] | None:
    """Eliminations and pure equilibria, or None where the game is no small matrix game."""
    if tree.game.players != 2 or tree.terminals > LARGEST:
        return None
    try:
        form = form_of(tree)
        return {
            "strictly_dominated": _facts(dominance(form)),
            "weakly_dominated": _facts(dominance(form, weak=True)),
            "pure_equilibria": [list(pair) for pair in pure_equilibria(form)],
        }
    except Unsuitable:
        return None


def _facts(found: Elimination) -> dict[str, Any]:
    return {"removed": [asdict(d) for d in found.removed], "left": [list(moves) for moves in found.left]}


def print_matrix(console: Console, facts: dict[str, Any]) -> None:
    for word in ("strictly", "weakly"):
        found = facts[f"{word}_dominated"]
        if word == "weakly" and found == facts["strictly_dominated"]:
            continue
        if not found["removed"]:
            console.print(f"\nno move is {word} dominated")
            continue
        console.print(f"\n{word} dominated, round by round:")
        for d in found["removed"]:
            mix = ", ".join(m if p == 1 else f"{p:.3g} {m}" for m, p in d["by"].items())
            console.print(f"  {d['round']}: player {d['player']}: {d['move']}, by {mix}", markup=False)
        for player, moves in enumerate(found["left"]):
            console.print(f"  left to player {player}: {', '.join(moves)}", markup=False)
    pairs = ["({}, {})".format(*pair) for pair in facts["pure_equilibria"]]
    console.print(f"\npure equilibria: {', '.join(pairs) or 'none'}", markup=False)


def indifference_facts(form: SequenceForm, strategy: Strategy) -> list[dict[str, Any]] | None:
    """What each move gets against the strategy, or None where the game is no small matrix game."""
    if form.players != 2 or form.tree.terminals > LARGEST:
        return None
    try:
        return [asdict(side) for side in indifference(form, strategy)]
    except Unsuitable:
        return None


def print_indifference(console: Console, sides: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("player", "move", "plays", "gets", ""):
        table.add_column(heading, justify="right" if heading in ("plays", "gets") else "left")
    for side in sides:
        most, largest = max(side["gets"].values()), max(map(abs, side["gets"].values()))
        for move, gets in side["gets"].items():
            best = "best" if most - gets <= 1e-9 * largest else ""
            table.add_row(str(side["player"]), escape(move), f"{side['plays'][move]:.6f}", f"{gets:+z.6f}", best)
    console.print()
    console.print(table)
    console.print("\nat an equilibrium all moves that are played are best: their player is indifferent between them")
