"""`fogspiel icarus`: ICARUSes side by side, by what their records are and which nodes share them (Whitehouse 2014, sec.
8.4, Figure 8.2)."""

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Column, Table

from fogspiel.app.plot import COLOURS, require_format, write_figure
from fogspiel.app.show import console, print_written
from fogspiel.engine.part import Part
from fogspiel.errors import SpecError, Unsuitable
from fogspiel.game.load import BUILT_IN, built_in_games, load
from fogspiel.games import PRESETS
from fogspiel.search.icarus import BASELINE, names, read_icarus
from fogspiel.search.sharing import Node, correlated, is_told, nodes

SEVERAL = 5
"""ICARUSes of which only those that lack the guarantee are told why."""
ABOUT_BASELINE = ("forest: a node and a move", "reward, visits, availability", "UCB1 for arms not always there")
SOLVER = "proven=yes"
ABOUT_SOLVER = ("forest: a node and a move", "reward, visits, what is proven", "UCB1 over what is not proven")
"""MCTS-Solver (Winands et al. 2008), which is no expression but a setting of its own (`search/proofs.py`)."""


def compare(
    expressions: list[str], game: str, depth: int, breadth: int
) -> tuple[dict[str, Any], list[tuple[str, list[Node]]]]:
    """Facts of ICARUSes, and the nodes to draw with their titles. Without expressions, all that the game allows, and
    why the others are left out."""
    loaded = load(game)
    rows: list[dict[str, Any]] = []
    drawn: list[tuple[str, list[Node]]] = []
    left_out: dict[str, str] = {}
    for text in expressions or [BASELINE, *names()]:
        icarus = read_icarus(text)
        kept, why = icarus.guarantee()
        records = []
        for part in icarus.parts or (None,):
            try:
                found = nodes(loaded, part, depth, breadth)
            except Unsuitable as unsuitable:
                if expressions:
                    raise Unsuitable(f"{unsuitable}{_elsewhere(unsuitable.rule)}", unsuitable.rule) from None
                left_out[text] = str(unsuitable)
                continue
            name = part.name if part is not None else BASELINE
            if is_told(part):
                drawn.append((text if len(icarus.parts) < 2 else f"{text}: {name}", found))
            records.append(_facts(name, part, found))
        if records:
            rows.append({"icarus": text, "guarantee": kept, "why": why, "parts": records})
    if not expressions:
        solver = rows[0]["parts"][0] | dict(zip(("records", "information", "policy"), ABOUT_SOLVER, strict=True))
        why = "what is proven is the minimax value, and the rest of the tree is the baseline's"
        rows.append({"icarus": SOLVER, "guarantee": True, "why": why, "parts": [solver | {"name": SOLVER}]})
    facts = {"game": loaded.spec, "depth": depth, "breadth": breadth, "icaruses": rows, "left_out": left_out}
    return facts, drawn


def _elsewhere(rule: str) -> str:
    """The end of an error sentence: games that have the rule that is missing, if it is a rule."""
    if not rule:
        return ""
    modules = {name: import_module(f"{BUILT_IN}.{name}") for name in built_in_games() if name not in PRESETS}
    there = [name for name, module in modules.items() if hasattr(module, rule)]
    return f"; try --game with one that has it: {', '.join(there)}"


def _facts(name: str, part: Part | None, found: list[Node]) -> dict[str, Any]:
    about = ABOUT_BASELINE if part is None else getattr(part.space, "ABOUT", ("", "", ""))
    told = is_told(part)
    return {
        "name": name,
        "acts": "tree" if part is None else part.space.ACTS,
        "records": about[0],
        "information": about[1],
        "policy": about[2],
        "nodes": len(found) - 1,
        "different_records": len({node.record for node in found[1:]}) if told else None,
        "correlated": len(correlated(found)) if told else None,
    }


def print_comparison(facts: dict[str, Any], plot: Path | None) -> None:
    # one table of all columns would be wider than most terminals
    records = Table(
        Column("ICARUS", overflow="fold"), "a record is for", "and holds", "policy", box=None, pad_edge=False
    )
    numbers = Table(
        Column("ICARUS", overflow="fold"),
        "acts in",
        "nodes",
        "records",
        "correlated",
        "UCT's guarantee",
        box=None,
        pad_edge=False,
    )
    for row in facts["icaruses"]:
        for part in row["parts"]:
            kept = ("kept" if row["guarantee"] else "not kept") if part is row["parts"][0] else ""
            counts = (
                "not told" if part[name] is None else str(part[name])
                for name in ("nodes", "different_records", "correlated")
            )
            name = escape(row["icarus"] if len(row["parts"]) == 1 else part["name"])
            records.add_row(name, part["records"], part["information"], part["policy"])
            numbers.add_row(name, part["acts"], *counts, kept)
    console.print(records)
    console.print()
    console.print(numbers)
    console.print()
    for row in facts["icaruses"]:
        if len(facts["icaruses"]) < SEVERAL or not row["guarantee"]:
            kept = "keeps" if row["guarantee"] else "does not keep"
            console.print(f"{row['icarus']} {kept} UCT's guarantee: {row['why']}.", markup=False)
        for part in row["parts"]:
            if part["correlated"] is None:
                console.print(f"{part['name']}: which nodes share records is not told: no function read.", markup=False)
    console.print(
        f"Nodes: the first {facts['depth']} moves of {facts['game']}, {facts['breadth']} at each state. Correlated: "
        "ordered pairs of them of which "
        "a visit to one changes what is read at the other. The guarantee is for games of perfect information, and "
        "UCB1 with an exploration above 0."
    )
    for why in facts["left_out"].values():
        console.print(f"Left out: {why}.", markup=False)
    if plot is not None:
        print_written("picture", plot)


def draw(drawn: list[tuple[str, list[Node]]], path: Path, title: str) -> None:
    """A tree for each ICARUS: nodes with the colour of their record where several read it, and dotted lines from a
    visit to what it changes."""
    from matplotlib.figure import Figure

    require_format(path)
    if not drawn:
        raise SpecError(
            "there is nothing to draw: an ICARUS without the function read does not tell which nodes share records"
        )
    columns = min(3, len(drawn))
    rows = -(-len(drawn) // columns)
    figure = Figure(figsize=(5 * columns, 3.2 * rows), layout="constrained")
    for k, (name, found) in enumerate(drawn):
        axes = figure.add_subplot(rows, columns, k + 1)
        axes.set_title(name)
        axes.set_axis_off()
        _draw_tree(axes, found)
    figure.suptitle(f"Nodes that share records: {title}")
    write_figure(figure, path)


def _draw_tree(axes: Any, found: list[Node]) -> None:
    place = _places(found)
    for k, node in enumerate(found[1:], 1):
        (x, y), (above, top) = place[k], place[node.parent]
        axes.plot([above, x], [top, y], color="0.6", linewidth=0.8, zorder=1)
        if len(found) <= 50:
            axes.annotate(node.name, (x, y), xytext=(0, -9), textcoords="offset points", ha="center", fontsize=6)
    readers = Counter(node.record for node in found[1:])
    shared = [record for record, count in readers.items() if count > 1]
    colour = {record: COLOURS[i % len(COLOURS)] for i, record in enumerate(shared)}
    for a, b in correlated(found):
        (x, y), (u, v) = place[a], place[b]
        if a < b or found[a].record != found[b].record:
            arc = {
                "arrowstyle": "-",
                "linestyle": ":",
                "color": colour.get(found[b].record, "0.4"),
                "connectionstyle": "arc3,rad=0.2",
                "linewidth": 0.7,
            }
            axes.annotate("", (u, v), xytext=(x, y), arrowprops=arc, zorder=2)
    for k, node in enumerate(found):
        axes.scatter(
            *place[k], s=30, color=colour.get(node.record, "white"), edgecolors="0.2", linewidths=0.6, zorder=3
        )


def _places(found: list[Node]) -> list[tuple[float, float]]:
    """Leaves side by side, and every other node above the middle of those that follow it."""
    children: dict[int, list[int]] = {}
    for k, node in enumerate(found[1:], 1):
        children.setdefault(node.parent, []).append(k)
    place: dict[int, float] = {}
    leaf = 0

    def lay(k: int) -> float:
        nonlocal leaf
        below = [lay(child) for child in children.get(k, ())]
        if not below:
            leaf += 1
        place[k] = sum(below) / len(below) if below else float(leaf)
        return place[k]

    lay(0)
    return [(place[k], -float(node.depth)) for k, node in enumerate(found)]
