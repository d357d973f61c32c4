"""What players believe as a game goes on (Whitehouse 2014, figs. 7.4 to 7.6 and 7.8)."""

from typing import Any

import numpy as np

from fogspiel.agents.agent import Agent, Observation
from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.evaluate.referee import play_game
from fogspiel.evaluate.seeds import Chance
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State

TRUE = "mo-ismcts(bandit=tuned,simulations={n})"
BLUFFS = "bluffing-ismcts(simulations={double},belief=inferred(inject=0),determinize=bluffing(inject=0))"
INFERS = "mo-ismcts(bandit=tuned,belief=inferred(inject=0),simulations={n})"
REASONS = "mo-ismcts(bandit=tuned,belief=inferred(boost=0,inject=0),simulations={n})"
"""Who infers, and who reckons with hard constraints alone."""
PLAY = {"inference": (TRUE, INFERS), "bluffing": (BLUFFS, INFERS), "no inference": (TRUE, REASONS)}
"""The spies and the others, in figs. 7.4 to 7.6."""
DIGS = "mo-ismcts(bandit=tuned,belief=inferred,simulations={n})"
"""In Saboteur states hold hands as well: without some that are drawn anew, the true roles may be lost with the
particles."""


class Watched:
    """An agent whose belief in what is true is noted at each decision for which it searches, as (the state, the
    belief)."""

    def __init__(self, searcher: Agent, truth: int, field: str):
        assert isinstance(searcher, SearchAgent)
        self.searcher, self.name, self.truth, self.field = searcher, searcher.name, truth, field
        self.noted: list[tuple[State, float]] = []

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.searcher.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        move = self.searcher.choose(observation)
        if len(observation.moves) > 1:
            roots = self.searcher.roots
            true = [getattr(state.view, self.field) == self.truth for state in roots.states]
            self.noted.append((observation.state, float(np.dot(true, roots.weights or [1 / len(true)] * len(true)))))
        return move


def dealt(game: Game, seed: int) -> State:
    """What chance deals first by a seed."""
    state, chance = game.start(), Chance(seed)
    while state.actor == CHANCE:
        state.play(chance.draw(state.chance()))
    return state


def belief_in_spies(seed: int, play: str, simulations: int) -> dict[str, Any]:
    """A game of The Resistance: for each mission, the mean belief in the true spies over the decisions of those who are
    none.

    `play`: inference, the same against bluffing spies, or no inference."""
    game = load("resistance")
    spies = int(dealt(game, seed).view.spies)
    words = {"n": simulations, "double": 2 * simulations}
    spy, others = (spec.format(**words) for spec in PLAY[play])
    table = [agent(spy) if spies >> p & 1 else Watched(agent(others), spies, "spies") for p in range(game.players)]
    record = play_game(game, table, deal=seed, seed=seed)
    beliefs: dict[int, list[float]] = {}
    for one in table:
        for state, belief in one.noted if isinstance(one, Watched) else ():
            beliefs.setdefault(int(state.view.mission) + 1, []).append(belief)
    won = next(u for p, u in enumerate(record.utilities) if spies >> p & 1) > 0
    missions = sorted(beliefs)
    return {
        "winner": "spies" if won else "resistance",
        "mission": missions,
        "belief": [float(np.mean(beliefs[m])) for m in missions],
    }


QUARTERS = 4


def belief_in_saboteurs(seed: int, simulations: int) -> dict[str, Any]:
    """A game of Saboteur: for each quarter of the decisions of player 0, who infers, its mean belief in the true
    saboteurs."""
    game = load("saboteur")
    roles = int(dealt(game, seed).view.roles)
    watched = Watched(agent(DIGS.format(n=simulations)), roles, "roles")
    others = [agent(TRUE.format(n=simulations)) for _ in range(1, game.players)]
    record = play_game(game, [watched, *others], deal=seed, seed=seed)
    parts = [part for part in np.array_split([belief for _, belief in watched.noted], QUARTERS) if len(part)]
    diggers = (record.utilities[0] > 0) != (roles & 1)
    return {
        "winner": "diggers" if diggers else "saboteurs",
        "quarter": list(range(1, len(parts) + 1)),
        "belief": [float(part.mean()) for part in parts],
    }
