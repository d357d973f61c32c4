"""What a game is: state, rules, parameters, the compiled table, the conformance check."""

from fogspiel.engine.primitives import bit, count_bits, lowest_bit, mix, nth_bit, pick, real_at, uniform, whole_at
from fogspiel.game.lists import list_from
from fogspiel.game.picture import Picture
from fogspiel.game.rules import CHANCE, CONTINUES, OVER, PUBLIC, UNSEEN, About
from fogspiel.game.spec import Choice, Number, Text, Whole

__all__ = [
    "CHANCE",
    "CONTINUES",
    "OVER",
    "PUBLIC",
    "UNSEEN",
    "About",
    "Choice",
    "Number",
    "Picture",
    "Text",
    "Whole",
    "bit",
    "count_bits",
    "list_from",
    "lowest_bit",
    "mix",
    "nth_bit",
    "pick",
    "real_at",
    "uniform",
    "whole_at",
]
