"""The agent that samples outcomes online."""

from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.replay import Draws, Record
from fogspiel.belief.roots import Model, Roots
from fogspiel.belief.way import steps
from fogspiel.game.game import Game
from fogspiel.game.state import State


class FromTheStart:
    """No belief at all: iterations start where the game did, and are targeted at what the seat has seen."""

    models = False

    def __init__(self) -> None:
        self.account = Draws()

    def begin(self, game: Game, seat: int, rng: Any) -> None:
        self.game = game

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        """What was seen is the search's to aim at."""

    def draw(self) -> Roots:
        return Roots([self.game.start()])


class OutcomeSamplingAgent(SearchAgent):
    """Online outcome sampling: always from the start of the game, targeted at what has been seen, with the memory kept.

    For games in which nothing but pending moves is hidden, it can start from the state it is in instead (SM-OOS, Lisý 2014, sec.
    3.1.3): as if that were where the game began (`progress=root`), or keeping account of how likely the players were to come there
    (`progress=reach`). What was learned before stays in both, as long as there is room for it.
    """

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self.reach, self.last, self.done = [1.0, 1.0], game.start(), (1, 0)

    def how(self, observation: Observation) -> dict[str, Any]:
        record, progress = observation.record, self.parameters["progress"]
        if progress == "target":
            seen = record.public if self.parameters["target"] == "public" else record.keys
            return {"seen": seen if len(seen) > 1 else None}
        if progress == "root":
            return {}
        root = observation.state.stage
        for state, move in steps(self.last, record, *self.done, root) or []:
            mixed = {m.move: m.strategy for m in self.search.moves(state, self.seat)}
            self.reach[state.actor] *= 1.0 / len(mixed) if mixed[move] is None else mixed[move]
        # a player that came here against its strategy is taken to have meant it, or nothing would be learned any more
        self.reach = [max(r, 1e-6) for r in self.reach]
        self.last, self.done = root.copy(), (record.known(root), len(record.own))
        return {"reach": tuple(self.reach)}
