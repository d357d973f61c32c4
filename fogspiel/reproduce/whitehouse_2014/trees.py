"""What a search has in memory when it decides, in whole games (Whitehouse 2014, sec. 8.5)."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.agents.agent import Agent, Observation
from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.evaluate.referee import play_game
from fogspiel.game.game import Game
from fogspiel.game.load import load


class Noting:
    """A searching agent of which something is noted after each search."""

    def __init__(self, searcher: Agent, note: Callable[[SearchAgent], Any]):
        assert isinstance(searcher, SearchAgent)
        self.searcher, self.name, self.note = searcher, searcher.name, note
        self.notes: list[Any] = []

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.searcher.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        move = self.searcher.choose(observation)
        if len(observation.moves) > 1:
            self.notes.append(self.note(self.searcher))
        return move


def notes_of_a_game(
    game: str, icarus: str, simulations: int, seed: int, note: Callable[[SearchAgent], Any]
) -> list[Any]:
    """What is noted of the first player, who has an ICARUS, in a game against plain ones."""
    loaded = load(game)
    noting = Noting(agent(f"mo-ismcts(simulations={simulations},icarus={icarus})"), note)
    others = [agent(f"mo-ismcts(simulations={simulations})") for _ in range(1, loaded.players)]
    play_game(loaded, [noting, *others], deal=seed, seed=seed)
    return noting.notes


def _tree(searcher: SearchAgent) -> tuple[float, int]:
    visits = [move.visits for move in searcher.found]
    return max(visits) / sum(visits), searcher.statistics.deepest


def searched_trees(seed: int, game: str, icarus: str, simulations: int) -> dict[str, float]:
    """Means over the decisions of a game: the share of the visits that the chosen move has, and the depth of the
    deepest node."""
    visits, deepest = np.mean(notes_of_a_game(game, icarus, simulations, seed, _tree), axis=0)
    return {"visits": float(visits), "deepest": float(deepest)}


def _trials(searcher: SearchAgent) -> float:
    memory = searcher.search.search
    return float(memory.nast_records["tries"][: int(memory.nast.used)].mean())


def trials_per_ngram(seed: int, game: str, n: int, simulations: int) -> dict[str, float]:
    """How often an n-gram was tried, on average over those that were, and over the decisions of a game."""
    return {"trials": float(np.mean(notes_of_a_game(game, f"nast(n={n})", simulations, seed, _trials)))}


def iterations_in_equal_time(seed: int, simulations: int) -> dict[str, float]:
    """How many iterations EPIC has for one of the plain search, by their time in a game of Dou Di Zhu each."""
    paces = []
    for icarus in ("epic", "baseline"):
        loaded, spent = load("dou_di_zhu"), Spent(agent(f"mo-ismcts(simulations={simulations},icarus={icarus})"))
        play_game(loaded, [spent, agent("random"), agent("random")], deal=seed, seed=seed)
        paces.append(spent.seconds / spent.searches)
    return {"iterations": paces[1] / paces[0]}


class Spent(Noting):
    """The processor's time that an agent took for its searches."""

    def __init__(self, searcher: Agent):
        super().__init__(searcher, lambda _: None)
        self.seconds, self.searches = 0.0, 0

    def choose(self, observation: Observation) -> int:
        began = time.process_time()
        move = super().choose(observation)
        if len(observation.moves) > 1:
            self.seconds, self.searches = self.seconds + time.process_time() - began, self.searches + 1
        return move
