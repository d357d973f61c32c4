"""One decision of a searching agent: what it thinks of each move, what that cost, and its tree."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from fogspiel.agents.agent import Observation, describe, observe
from fogspiel.agents.human import seen
from fogspiel.agents.planning import LookaheadAgent
from fogspiel.agents.registry import agent as make_agent
from fogspiel.agents.searching import ExpectimaxAgent, SearchAgent
from fogspiel.app.show import console
from fogspiel.app.tree_picture import draw_tree
from fogspiel.belief.replay import Record
from fogspiel.errors import SpecError, Unsuitable
from fogspiel.evaluate.bout import warm_up
from fogspiel.evaluate.seeds import Chance, agent_seed, veil
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State
from fogspiel.search.outline import LINES, grow


def think(spec: str, player: str, moves: str = "", seed: int = 0, plot: Path | None = None) -> dict[str, Any]:
    """Let an agent decide once, after the moves given (`reach`), and draw its tree to `plot`. What it found, ready for JSON."""
    game, agent = load(spec), make_agent(player)
    if not isinstance(agent, SearchAgent | LookaheadAgent | ExpectimaxAgent):
        raise Unsuitable(f"{player} does not search, so there is nothing to tell of what it thinks; try mo-ismcts")
    if plot is not None and not isinstance(agent, SearchAgent):
        raise Unsuitable(f"{player} keeps no tree of visits, so there is none to draw; try mo-ismcts")
    state, record, played = reach(game, [word.strip() for word in moves.split(",") if word.strip()], seed)
    shown = veil(seed, record.player)
    observation = observe(state, record, shown, cheats=getattr(agent, "cheats", False))
    if len(observation.moves) == 1:
        only = game.move_name(state, observation.moves[0])
        raise Unsuitable(f"player {record.player} has a single move here, {only}, so there is nothing to think about")
    warm_up(game, [agent])
    agent.begin(game, record.player, agent_seed(seed, record.player))
    choice = agent.choose(observation)
    account = getattr(agent, "statistics", None)
    tree = None
    if isinstance(agent, SearchAgent):
        tree = grow(agent.search, _roots(agent, observation, state, record, shown), record.player, seed=seed)
    facts = {
        "game": game.spec,
        "agent": describe(agent),
        "seed": seed,
        "played": played,
        "player": record.player,
        "knows": seen(observation, veil),
        "choice": game.move_name(state, choice),
        "moves": [asdict(m) for m in sorted(agent.found, key=lambda m: (-m.visits, m.move))],
        "statistics": None if account is None else account.as_dict(),
        "tree": None if tree is None else tree.as_dict(),
    }
    if plot is not None:
        draw_tree(tree, plot, f"{game.spec}, {describe(agent)}", _caption(agent, facts))
    return facts


def reach(game: Game, words: list[str], seed: int) -> tuple[State, Record, list[str]]:
    """The decision after so many moves, its player's record, and the names of all moves on the way.

    A word is a move's name or number. Chance takes a word that names one of its outcomes, and is drawn by the seed otherwise.
    """
    state, left, played = game.start(), list(words), []
    records = [Record(p) for p in range(game.players)]
    luck = Chance(seed)
    while True:
        for record in records:
            record.see(state)
        who = state.actor
        if state.over:
            raise SpecError(f"the game is over after {', '.join(played)}, so there is nothing to decide")
        names = {game.move_name(state, move): move for move in state.moves()}
        if who == CHANCE:
            outcomes = state.chance()
            move = names.get(left[0]) if left else None
            if move is None:
                move = luck.draw(outcomes)
            else:
                left.pop(0)
        elif not left:
            return state, records[who], played
        else:
            word = left.pop(0)
            numbers = {str(move): move for move in names.values()}
            if (move := names.get(word, numbers.get(word))) is None:
                raise SpecError(f"{word!r} is not a move of player {who} here; the moves are {', '.join(names)}")
            records[who].own.append(move)
        played.append(game.move_name(state, move))
        state.force(move)


def _roots(
    agent: SearchAgent, observation: Observation, state: State, record: Record, shown: np.ndarray
) -> list[State]:
    """States that the tree in the agent's memory began with, or might have."""
    if agent.world is not None:
        return [agent.world]
    return [observation.state, *(observe(state, record, shown).state for _ in range(LINES - 1))]


def _caption(agent: SearchAgent, facts: dict[str, Any]) -> str:
    s = facts["statistics"]
    trees = f"{s['nodes']:,} nodes"
    if agent.world is not None:
        trees += f" in {agent.parameters['determinizations']:,} trees, of which this is the last"
    elif len(agent.searches) > 1:
        trees += f" in {len(agent.searches)} trees, of which this is the first"
    return (
        f"player {facts['player']} to move: {s['simulations']:,} simulations, {trees}; the most visited part, along each move its visits "
        "and the mean utility of whoever makes it; ~: estimated; dotted: drawn elsewhere"
    )


def print_thoughts(facts: dict[str, Any], plot: Path | None) -> None:
    """The table of moves, the most visited first, and the account of the decision."""
    console.print(f"[bold]{escape(facts['game'])}[/bold], {escape(facts['agent'])}")
    if facts["played"]:
        console.print(f"after {', '.join(facts['played'])}", markup=False)
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
            "" if m[what] is None else f"{m[what]:,}" if what == "visits" else f"{m[what]:+z.4f}" if what != "strategy" else f"{m[what]:.4f}"
            for what in shown
        ]  # fmt: skip
        table.add_row(escape(m["name"]), *cells)
    console.print(table)
    console.print()
    rows = [("chosen", facts["choice"])]
    if (s := facts["statistics"]) is not None and "simulations" in s:
        speed = f", {s['simulations_per_second']:,.0f} simulations/s" if s["seconds"] > 0 else ""
        rows += [
            ("simulations", f"{s['simulations']:,} in {s['seconds']:.3f} s{speed}"),
            ("tree", f"{s['nodes']:,} node{'s' * (s['nodes'] != 1)}, {s['bytes']:,} bytes" + ("; the memory is full" if s["full"] else "")),
            ("depth", f"{s['depth']:.1f} in the mean, {s['deepest']} at most; {s['playout']:.1f} moves of random play after it"),
        ]  # fmt: skip
    elif s is not None:
        rows += [
            ("nodes", f"{s['nodes']:,} in {s['seconds']:.3f} s, {s['nodes_per_second']:,.0f} nodes/s"),
            ("depth", f"{s['depth']} decisions, {s['deepest']} moves at most"),
        ]
    for name, text in rows + ([("plot", str(plot))] if plot is not None else []):
        console.print(f"{name:<15} {text}", markup=False, soft_wrap=True)
