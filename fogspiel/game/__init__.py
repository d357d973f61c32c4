"""What a game is: state, rules, parameters, the compiled table, the conformance check."""

from fogspiel.engine.primitives import mix, pick, real_at, uniform, whole_at
from fogspiel.game.rules import CHANCE, OVER, PUBLIC, About
from fogspiel.game.spec import Choice, Number, Text, Whole

__all__ = [
    "CHANCE",
    "OVER",
    "PUBLIC",
    "About",
    "Choice",
    "Number",
    "Text",
    "Whole",
    "mix",
    "pick",
    "real_at",
    "uniform",
    "whole_at",
]
