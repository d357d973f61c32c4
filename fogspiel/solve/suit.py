"""Does a game suit a solver? Asked before anything is unrolled, and if not, which solver does it suit?"""

import math

from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.solve.registry import Entry
from fogspiel.tree.estimate import SURELY, estimate
from fogspiel.tree.tree import memory_limit

QUICK = 1_000_000
"""Histories that are unrolled to see what a game is like, whatever it says of itself."""

BROAD = 1e6
"""Histories in a traversal of external sampling beyond which outcome sampling is the better advice."""

FASTEST = 1e8
"""Histories a second that no traversal comes near."""

GRAPH = 1 << 29
"""Bytes that the states of a game, or the moves between them, may take when nobody asked for value iteration."""


def require(name: str, entry: Entry, game: Game, memory: int | None) -> None:
    """Raise Unsuitable or TooLarge for a game that the solver surely cannot take. Of what a game says of itself (`About`), only the
    number of players is certain: for the rest a small game is unrolled, and the solver sees."""
    low, high = entry.players
    if not low <= game.players <= high:
        wanted = "two players" if low == high else f"at most {'two players' if high == 2 else high}"
        raise Unsuitable(f"{name} is for {wanted}, and {game.spec} has {game.players}; {_else(game)}")
    if not entry.tree:
        return
    size = estimate(game)
    bytes_each = 8 + 12 * game.players  # of a terminal, in the arrays of an unrolled game
    allowed = memory_limit() if memory is None else memory
    if size.terminals * bytes_each > SURELY * allowed:
        count = f"about {size.histories:.0e}" if size.histories < math.inf else "endlessly many"
        raise too_large(name, game, f"it has {count} histories")
    if size.histories <= QUICK:
        return
    if entry.zero_sum and game.players > 1 and not game.about.zero_sum:
        raise Unsuitable(f"{name} is for zero-sum games, and {game.spec} is not one; try cfr+")
    if entry.stages and game.about.perfect_recall and _hides_states(game):
        raise Unsuitable(
            f"in {game.spec} a player does not know the state (beyond the moves made at the same time), so {name} does not apply; "
            f"{_else(game)}"
        )
    if entry.recall and not game.about.perfect_recall:
        raise forgetful(game)
    if entry.recall and game.abstracted:
        raise shared(name, game)


def require_time(name: str, game: Game, enumerated: bool, seconds: float) -> None:
    """Raise TooLarge where one iteration of a sampling solver, which is never cut, would surely take longer than all the time allowed:
    of those that follow every action of the updating player."""
    size = estimate(game).alone if enumerated else 0.0
    if size > FASTEST * seconds:
        raise TooLarge(
            f"one iteration of {name} would walk about {size:.0e} histories of {game.spec}, more than {seconds:g} s allow; follow one action "
            f"at a time: {command(game, 'os-mccfr')}"
        )


def too_large(name: str, game: Game, why: str) -> TooLarge:
    """Where a solver works on the unrolled game, and there is no room or no time for that."""
    return TooLarge(f"{game.spec} is too large for {name}, which unrolls the game: {why}", why)


def forgetful(game: Game) -> Unsuitable:
    """Where players forget, and the solver needs the sequence form."""
    return Unsuitable(f"{game.spec} has imperfect recall: its strategies have no sequence form")


def shared(solver: str, game: Game) -> Unsuitable:
    """Where information sets must share strategies, and the solver cannot let them."""
    return Unsuitable(
        f"{solver} cannot solve an abstraction such as {game.spec}: use cfr, or leave the abstraction out"
    )


def advised(refusal: TooLarge | Unsuitable, name: str, game: Game, known: bool) -> TooLarge | Unsuitable:
    """A refusal that names a solver which suits the game, before anything else that may help. `known`: as `knows_states` says."""
    graph = (
        "its players know the state, and states merge or come back in cycles: solve it exactly over them: "
        + command(game, "value-iteration")
    )
    if isinstance(refusal, Unsuitable):
        return Unsuitable(f"{refusal}; {graph}") if known else refusal
    solver = "es-mccfr" if estimate(game).alone <= BROAD else "os-mccfr"
    sampling = f"solve it by sampling, which needs no tree: {command(game, solver)}"
    return TooLarge(
        f"{game.spec} is too large for {name}, which unrolls the game; {graph if known else sampling} ({refusal.why}; smaller "
        "parameters, more memory or more time may help as well)",
        refusal.why,
    )


def command(game: Game, solver: str) -> str:
    return f'fogspiel solve "{game.spec}" --algorithm {solver}'


def _else(game: Game) -> str:
    return "try value-iteration or cfr+" if game.players == 1 else f"try {'lp or ' if game.players == 2 else ''}cfr+"


def _hides_states(game: Game) -> bool:
    from fogspiel.solve.value_iteration import hides_states

    return hides_states(game)


def knows_states(game: Game) -> bool:
    """Whether value iteration can solve the game: its states are known to those who move, and not too many."""
    from fogspiel.solve.value_iteration import explored

    try:
        explored(game, GRAPH)
    except (TooLarge, Unsuitable):
        return False
    return True
