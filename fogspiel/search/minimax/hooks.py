"""Where parts take part in a minimax search.

The recursion (`search/minimax/recursion.py`) and the parts themselves call the functions below, and parts put their own
in for them (`engine/part.py`). `search` is the memory of a search (`search/minimax/memory.py`), with what the parts
asked for.
"""

from fogspiel.engine.part import stubs_of
from fogspiel.game.table import LIMIT


def is_horizon(search, at, who):
    """Whether a node is judged (`search/minimax/line_end.py`), and nothing below it searched."""
    raise NotImplementedError


def left_after(left, who):
    """How many decisions are left to go after one of `who`."""
    raise NotImplementedError


def left_after_chance(left, after):
    """How many are left after an outcome of chance, where `after` is to move."""
    raise NotImplementedError


def narrowed(window, who, v):
    """The window for the next move of `who`, who has one that is worth v."""
    raise NotImplementedError


def is_closed(window):
    """Whether no other move can matter."""
    raise NotImplementedError


def first_to_try(search, entry, at):
    """The move to try first, -1 if any will do."""
    raise NotImplementedError


def chance_node(game, search, at, window):
    """The value of a node where chance moves."""
    raise NotImplementedError


def outcomes_searched(search, n):
    """How many of n outcomes of chance are searched."""
    return n


def outcome(search, at, n, i):
    """The i-th of them: which of the n outcomes on the stack it is, and its probability."""
    return i, search.odds[at.first + i]


def most_outcomes(game, search):
    """How many places on the stacks a node may take."""
    return game[LIMIT]


def line_after(line, i):
    """A hash of the line that goes on with move or outcome i, where outcomes are drawn by it."""
    return line


def is_better(who, v, best):
    """Whether a move of `who` that is worth v is better than the best so far.

    Not one that is as good: a value at the edge of the window is only a bound, and the move it belongs to may be worse
    than it says.
    """
    return v > best if who == 0 else v < best


def worth(search, best, total, n):
    """The value of a decision among n moves, of which the best is worth `best`, and those that were searched
    `total`."""
    return best


def entry_of(game, search, at, who):
    """By what a node is remembered."""
    return 0


def is_settled(search, entry, window):
    """Whether what is remembered of a node is all that is to be known in the window."""
    return False


def recalled(search, entry):
    """The value that is remembered."""
    return 0.0


def best_known(search, entry, at):
    """The best move that is remembered, -1 if there is none."""
    return -1


def remember(search, entry, window, v, best, judged):
    """Remember a value that was found in a window, and the best move; `judged` counts what came from the horizon before
    the node was searched."""


HOOKS = stubs_of(__name__)
"""All of them by name."""
