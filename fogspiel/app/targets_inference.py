"""Inference and bluffing in The Resistance (Whitehouse 2014, sec. 7.5): what spies win against players who infer, and who do not."""

from fogspiel.agents.agent import Observation
from fogspiel.agents.registry import agent
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.evaluate.referee import play_game
from fogspiel.evaluate.statistics import mean_interval, share_interval
from fogspiel.game.game import Game
from fogspiel.game.load import load

GAME = "resistance"
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


def spies_win(spec: str, spies: str, belief: str, simulations: int, games: int) -> list[int]:
    """Whether spies win, in each game; those who determinize themselves have the simulations twice, half of them so. As printed, nobody
    believes in states drawn anew."""
    spy = f"bluffing-ismcts(determinize={spies},simulations={2 * simulations},inject=0)"
    if spies == "true":
        spy = f"mo-ismcts(bandit=tuned,simulations={simulations})"
    loyal = f"mo-ismcts(bandit=tuned,belief={belief},simulations={simulations}"
    loyal += ",inject=0)" if belief == "inferred" else ")"
    table = [ByRole(spy, loyal) for _ in range(load(spec).players)]
    won = []
    for number in range(games):
        utilities = play_game(spec, table, deal=number, seed=number).utilities
        won.append(int(2 * sum(u > 0 for u in utilities) < len(utilities)))
    return won


def resistance(scale: Scale) -> Verdict:
    """How often spies win; and how much more often than true spies against players who infer, with the same roles."""
    simulations, games = (10_000, 100) if scale.name == "small" else (20_000, 1000)
    won = {cell: spies_win(GAME, *cell, simulations, games) for cell in CELLS}
    rows, more = [], {}
    for (spies, belief), wins in won.items():
        low, high = share_interval(sum(wins), games)
        gain = [a - b for a, b in zip(wins, won["true", "inferred"], strict=True)]
        more[spies, belief] = mean_interval(gain, range(games), (-1, 1))
        rows.append(
            {
                "game": GAME, "algorithm": f"{spies} against {belief}", "games": games, "spies win": 100 * sum(wins) / games, "from": 100 * low, "to": 100 * high,
                "more": 100 * more[spies, belief].value, "at least": 100 * more[spies, belief].low, "at most": 100 * more[spies, belief].high,
            }
        )  # fmt: skip
    return Verdict(rows, more["true", "usual"].low > 0 and more["bluffing", "inferred"].low > 0)


INFERENCE: dict[str, Target] = {
    "W-2": Target(
        "The Resistance with five players, inference and bluffing (fig. 7.1)",
        "inference lowers what spies win, and bluffing raises it again, on the same deals beyond the intervals", resistance,
    ),
}  # fmt: skip
