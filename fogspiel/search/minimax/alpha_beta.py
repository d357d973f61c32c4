"""Alpha-beta search (Knuth and Moore 1975; Lanctot 2013, sec. 2.3.2): moves that cannot matter are cut off. Every
outcome of chance is searched with an open window."""

from fogspiel.engine.closure import Function
from fogspiel.search.minimax.expectimax import mean
from fogspiel.search.minimax.memory import Window
from fogspiel.search.minimax.parts import Part, best_known, chance_node, first_to_try, is_closed, narrowed


def narrow(window, who, v):
    """Max raises alpha, and Min lowers beta."""
    if who == 0:
        return Window(max(window.alpha, v), window.beta)
    return Window(window.alpha, min(window.beta, v))


def close(window):
    return window.beta <= window.alpha


def best_first(search, entry, at):
    """The sooner a good move is searched, the more others are cut off."""
    return best_known(search, entry, at)


CUTS: dict[Function, Function] = {narrowed: narrow, is_closed: close, first_to_try: best_first}
"""What all have that cut at decisions."""

ALPHA_BETA = Part("alpha-beta", {chance_node: mean, **CUTS})
