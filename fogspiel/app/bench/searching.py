"""Searches, what ICARUSes leave of their speed, and inference."""

from collections.abc import Callable
from functools import partial
from typing import Any

from fogspiel.agents.registry import agent
from fogspiel.app.bench.measuring import FOGSPIEL, Bench
from fogspiel.app.bench.playing import first_decisions
from fogspiel.app.peers import searches
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.referee import play_game
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.state import State
from fogspiel.search.icarus import read_icarus
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

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


def tree_searches(bench: Bench) -> None:
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
            f"search: UCB1 with the constant {EXPLORATION} times the range of utilities, an empty tree for each "
            f"decision of {SIMULATIONS:,} simulations, one random playout for each; OpenSpiel: MCTSBot and ISMCTSBot"
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
            sizes: dict[str, Any] = {
                "simulations": SIMULATIONS,
                "nodes": memory[0],
                "bytes_per_node": memory[1] / memory[0],
            }
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
