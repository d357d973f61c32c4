"""The agents that sample outcomes online."""

from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.from_afar import FromAfar
from fogspiel.agents.offers import belief, believed
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.belief import Belief
from fogspiel.belief.model import TableModel
from fogspiel.belief.roots import Roots
from fogspiel.belief.way import steps
from fogspiel.engine.part import PartKind
from fogspiel.game.game import Game
from fogspiel.game.needs import OPEN_BUT_PENDING
from fogspiel.game.parts import PartOf


class OutcomeSamplingAgent(FromAfar):
    """Online outcome sampling: always from the start of the game, targeted at what has been seen, with the memory kept.

    Whatever it is aimed at, an iteration ends the tree at its first new node. In a large game that may be long before
    the target, and the information set at hand is hardly visited. Then iterations start from states that agree with
    what was seen, and so come there at once: each is a new root, as in SM-OOS.
    """

    def start_from(self) -> Roots:
        return Roots([self.game.start()])

    def model(self) -> TableModel:
        """The mean strategies: where iterations are aimed, how often a move was sampled does not tell how likely it
        is."""
        return self.modelled("strategy")

    def how(self, observation: Observation) -> dict[str, Any]:
        record = observation.record
        seen = record.public if self.parameters["target"] == "public" else record.keys
        return {"seen": seen if len(seen) > 1 else None}


class NewRoots(SearchAgent):
    """SM-OOS (Lisý 2014, sec. 3.1.3), for games in which nothing but pending moves is hidden: from the state it is in,
    as if that were where the game began. What was learned before stays, as long as there is room for it."""

    def look(self, observation: Observation) -> None:
        """The state at hand is known but for what is pending, so nothing is believed."""
        self.here = observation.state.stage

    def start_from(self) -> Roots:
        return Roots([self.here])


class KeptReach(NewRoots):
    """The same, keeping account of how likely the players were to come there."""

    def restart(self, seed: int) -> None:
        super().restart(seed)
        self.reach, self.last, self.done = [1.0, 1.0], self.game.start(), (1, 0)

    def how(self, observation: Observation) -> dict[str, Any]:
        record, root = observation.record, observation.state.stage
        for state, move in steps(self.last, record, *self.done, root) or []:
            mixed = {m.move: m.strategy for m in self.search.moves(state, self.seat)}
            chosen = mixed[move]
            self.reach[state.actor] *= 1.0 / len(mixed) if chosen is None else chosen
        # a player that came here against its strategy is taken to have meant it, or nothing would be learned any more
        self.reach = [max(r, 1e-6) for r in self.reach]
        self.last, self.done = root.copy(), (record.known(root), len(record.own))
        return {"reach": tuple(self.reach)}


class _Target:
    """From the start of the game, targeted at what has been seen."""

    AGENT, PARAMETERS = OutcomeSamplingAgent, (belief(),)


class _Root:
    """From the state at hand, as new."""

    AGENT, NEEDS = NewRoots, (OPEN_BUT_PENDING,)


class _Reach:
    """From the state at hand, with the reach that players had come there with (SM-OOS)."""

    AGENT, NEEDS = KeptReach, (OPEN_BUT_PENDING,)


_PROGRESS = PartKind(
    "progress", "where iterations start", __name__, lambda: {"target": _Target, "root": _Root, "reach": _Reach}
)
PROGRESS = PartOf("progress", "target", _PROGRESS, "from the start, targeted; or from the state at hand (SM-OOS)")


def progressing(game: Game, p: dict[str, Any]) -> Belief:
    """What an agent that is targeted believes; where the state at hand is known, nothing is believed."""
    return believed(game, {"belief": p["progress"].settings.get("belief", belief().default)})
