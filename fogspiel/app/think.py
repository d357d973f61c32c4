"""One decision of an agent, shown: what it thinks of each move, what that cost, and its tree."""

from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.agents.registry import agent as make_agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.app.show import console
from fogspiel.app.tree_picture import draw_tree
from fogspiel.errors import Unsuitable
from fogspiel.evaluate.thought import Thought, history
from fogspiel.evaluate.thought import think as search
from fogspiel.search.statistics import Statistics

LIKELIEST = 6
"""Values of a hidden thing that are told."""
LABEL = 15
"""Columns for the names of what is told of a decision; more, where one is longer."""


def think(spec: str, player: str, moves: str = "", seed: int = 0, plot: Path | None = None) -> dict[str, Any]:
    """What an agent thought (`fs.think`), ready for JSON; its tree is drawn to `plot`."""
    agent = make_agent(player)
    if plot is not None and not isinstance(agent, SearchAgent):
        raise Unsuitable(f"{player} keeps no tree of visits, so there is none to draw; try mo-ismcts")
    thought = search(spec, agent, moves, seed=seed)
    if plot is not None:
        assert isinstance(agent, SearchAgent)
        assert thought.excerpt is not None
        draw_tree(thought.excerpt, plot, f"{thought.game}, {thought.agent}", _caption(thought, agent.world is not None))
    return thought.as_dict()


def _caption(thought: Thought, worlds: bool) -> str:
    s = thought.statistics
    assert isinstance(s, Statistics)
    trees = f"{s.nodes:,} nodes"
    if thought.trees > 1:
        trees += f" in {thought.trees:,} trees, of which this is the {'last' if worlds else 'first'}"
    return (
        f"player {thought.player} to move: {s.simulations:,} simulations, {trees}; the most visited part, along each "
        "move its visits and the mean utility of whoever makes it; ~: estimated; dotted: drawn elsewhere"
    )


def print_thoughts(facts: dict[str, Any], plot: Path | None) -> None:
    """The table of moves, the most visited first, and the account of the decision."""
    console.print(f"[bold]{escape(facts['game'])}[/bold], {escape(facts['agent'])}")
    if facts["played"]:
        console.print(f"after {history(facts['played'], facts['drawn'])}", markup=False)
    console.print(facts["knows"], markup=False)
    console.print()
    shown = [what for what in ("value", "strategy", "proven") if any(m[what] is not None for m in facts["moves"])]
    if isinstance(facts["tree"], dict):
        shown.insert(0, "visits")
    table = Table(box=None, pad_edge=False)
    table.add_column(f"player {facts['player']}")
    for what in shown:
        table.add_column(what, justify="right")
    for m in facts["moves"]:
        cells = [
            ""
            if m[what] is None
            else f"{m[what]:,}"
            if what == "visits"
            else f"{m[what]:+z.4f}"
            if what != "strategy"
            else f"{m[what]:.4f}"
            for what in shown
        ]
        table.add_row(escape(m["name"]), *cells)
    console.print(table)
    console.print()
    rows = [("chosen", facts["choice"])]
    if (s := facts["statistics"]) is not None and "simulations" in s:
        speed = f", {s['simulations_per_second']:,.0f} simulations/s" if s["seconds"] > 0 else ""
        rows += [
            ("simulations", f"{s['simulations']:,} in {s['seconds']:.3f} s{speed}"),
            (
                "tree",
                f"{s['nodes']:,} node{'s' * (s['nodes'] != 1)}, {s['bytes']:,} bytes"
                + ("; the memory is full" if s["full"] else "")
                + (f"; {s['forgotten']:,} nodes made room" if s["forgotten"] else ""),
            ),
            (
                "depth",
                (
                    f"{s['depth']:.1f} in the mean, {s['deepest']} at most; {s['playout']:.1f} moves of random play "
                    "after it"
                ),
            ),
        ]
        if s["effective"] is not None:
            rows.append(("belief", f"as good as {s['effective']:,.1f} states that are equally likely"))
    elif s is not None:
        ahead = "to the end of the game" if s["complete"] else f"{s['depth']} decisions"
        rows += [
            ("nodes", f"{s['nodes']:,} in {s['seconds']:.3f} s, {s['nodes_per_second']:,.0f} nodes/s"),
            ("depth", f"{ahead}, {s['deepest']} moves at most"),
        ]
    rows += [
        (name, ", ".join(f"{value} {p:.2f}" for value, p in odds.items()))
        for name, odds in _uncertain(facts["believes"])
    ]
    if plot is not None:
        rows.append(("plot", str(plot)))
    wide = max(LABEL, *(len(name) for name, _ in rows))
    for name, text in rows:
        console.print(f"{name:<{wide}} {text}", markup=False, soft_wrap=True)


def _uncertain(believes: dict[str, dict[str, float]]) -> list[tuple[str, dict[str, float]]]:
    """What the player does not know for sure, each with its likeliest values."""
    return [
        (name, dict(sorted(odds.items(), key=lambda item: -item[1])[:LIKELIEST]))
        for name, odds in believes.items()
        if len(odds) > 1
    ]
