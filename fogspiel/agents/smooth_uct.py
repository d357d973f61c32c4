"""Smooth UCT (Heinrich and Silver 2015; `search/bandits.py`): self-play from the start of the game, whose
average strategy approaches an equilibrium of a small game."""

from fogspiel.agents.from_afar import FromAfar
from fogspiel.belief.roots import Roots


class SmoothUct(FromAfar):
    """Searches the whole game at each decision, and keeps the tree."""

    def start_from(self) -> Roots:
        return Roots([self.game.start()])
