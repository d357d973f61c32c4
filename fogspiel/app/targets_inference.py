"""Inference and bluffing in The Resistance (Whitehouse 2014, sec. 7.5): what spies win against players who infer, and who do not."""

from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.registry import agent
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.evaluate.referee import play_game
from fogspiel.evaluate.statistics import share_interval
from fogspiel.game.game import Game
from fogspiel.game.load import load

CELLS = (
    ("true", "usual"),
    ("true", "inferred"),
    ("pure", "inferred"),
    ("split", "inferred"),
    ("two-step", "inferred"),
    ("bluffing", "inferred"),
)
"""How the spies determinize, and what the others believe."""


class ByRole:
    """One agent for spies and one for the others: everyone knows which it is."""

    name = "by role"

    def __init__(self, spy: str, loyal: str):
        self.agents = agent(loyal), agent(spy)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        for one in self.agents:
            one.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        spies = observation.state.view.spies
        return self.agents[spies >> observation.seat & 1].choose(observation)


def spies_win(spec: str, spies: str, belief: str, simulations: int, games: int) -> dict[str, Any]:
    """How often spies win; those who determinize themselves have the simulations twice, half of them so."""
    spy = f"bluffing-ismcts(determinize={spies},simulations={2 * simulations})"
    if spies == "true":
        spy = f"mo-ismcts(bandit=tuned,simulations={simulations})"
    loyal = f"mo-ismcts(bandit=tuned,belief={belief},simulations={simulations})"
    table = [ByRole(spy, loyal) for _ in range(load(spec).players)]
    won = 0
    for number in range(games):
        utilities = play_game(spec, table, deal=number, seed=number).utilities
        won += 2 * sum(u > 0 for u in utilities) < len(utilities)
    low, high = share_interval(won, games)
    return {
        "game": spec, "algorithm": f"{spies} against {belief}", "games": games, "spies win": 100 * won / games, "from": 100 * low, "to": 100 * high,
    }  # fmt: skip


def resistance(scale: Scale) -> Verdict:
    small = scale.name == "small"
    spec, simulations, games = ("resistance(attempts=1)", 5000, 500) if small else ("resistance", 20_000, 1000)
    rows = [spies_win(spec, spies, belief, simulations, games) for spies, belief in CELLS]
    plain, true, *_, bluffing = rows
    return Verdict(rows, true["to"] < plain["from"] and bluffing["from"] > true["to"])


INFERENCE: dict[str, Target] = {
    "W-2": Target(
        "The Resistance with five players, inference and bluffing (fig. 7.1); at the small scale teams go without a vote",
        "inference lowers what spies win, and bluffing raises it again, beyond the intervals", resistance,
    ),
}  # fmt: skip
