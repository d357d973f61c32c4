"""Does a game suit a solver? Asked before anything is unrolled, and if not, which solver does it suit?"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.solve import refusals
from fogspiel.solve.registry import Entry
from fogspiel.tree.estimate import SURELY, Size, estimate
from fogspiel.tree.posg import OneSided
from fogspiel.tree.tree import memory_limit

if TYPE_CHECKING:
    from fogspiel.solve.value_iteration import Graph

QUICK = 1_000_000
"""Histories that are unrolled to see what a game is like, whatever it says of itself."""

BROAD = 1e6
"""Histories in a traversal of external sampling beyond which outcome sampling is the better advice."""

FASTEST = 1e8
"""Histories a second that no traversal comes near."""

GRAPH = 1 << 29
"""Bytes that the states of a game, or the moves between them, may take when nobody asked for value iteration."""

LOOK = 1.0
"""Seconds for which states are looked at, about, before a game is refused."""


def require_kind(name: str, entry: Entry, game: object) -> None:
    """Raise Unsuitable where one-sided POSGs and games that end meet solvers of the other."""
    if entry.posgs and not isinstance(game, OneSided):
        raise Unsuitable(
            f"{name} is for one-sided POSGs, which go on for ever (rule markov); for games with an end take lp or cfr+"
        )
    if isinstance(game, OneSided) and not entry.posgs:
        raise Unsuitable(f"{game.name} is a one-sided POSG, which goes on for ever, and {name} needs an end; take hsvi")


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
    allowed = memory_limit() if memory is None else memory
    if _bytes(size, game) > SURELY * allowed:
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
        raise refusals.forgetful(game)
    if entry.recall and game.abstracted:
        raise refusals.shared(name, game)


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


def advised(refusal: TooLarge | Unsuitable, name: str, game: Game, graph: "Graph | None") -> TooLarge | Unsuitable:
    """A refusal that names a solver which suits the game, before anything else that may help. `graph`: what `states_known` found."""
    exact, size = "", estimate(game)
    endless = size.histories == math.inf
    if graph is not None:
        exact = (
            "its players know the state, and states merge or come back in cycles: solve it exactly over them"
            if graph.whole
            else f"in the {graph.count:,} states looked at so far its players know the state"
            f"{', and states come back in cycles' * endless}: unless there are too many, solve it exactly over them"
        )
        exact += f": {command(game, 'value-iteration')}"
    if isinstance(refusal, Unsuitable):
        return Unsuitable(f"{refusal}; {exact}") if exact else refusal
    solver = "es-mccfr" if size.alone <= BROAD else "os-mccfr"
    sampling = f"solve it by sampling, which needs no tree: {command(game, solver)}"
    advice = sampling
    if graph is not None:
        # nobody samples to the end what has none
        advice = exact if graph.whole else f"{exact}; or {sampling}" if endless else f"{sampling}; or, {exact}"
    near = _bytes(size, game) <= memory_limit()
    more = "; smaller parameters, more memory or more time may help as well" if near else ""
    return TooLarge(
        f"{game.spec} is too large for {name}, which unrolls the game; {advice} ({refusal.why}{more})", refusal.why
    )


def command(game: Game, solver: str) -> str:
    return f'fogspiel solve "{game.spec}" --algorithm {solver}'


def _else(game: Game) -> str:
    return "try value-iteration or cfr+" if game.players == 1 else f"try {'lp or ' if game.players == 2 else ''}cfr+"


def _hides_states(game: Game) -> bool:
    from fogspiel.solve.value_iteration import hides_states

    return hides_states(game)


def _bytes(size: Size, game: Game) -> float:
    """What the terminals of a game of that size take in the arrays of an unrolled game."""
    return size.terminals * (8 + 12 * game.players)


def states_known(
    game: Game, seconds: float | None = LOOK, memory: int = GRAPH, progress: Callable[[int], None] | None = None
) -> "Graph | None":
    """The states of a game that value iteration can solve, as far as about so many seconds tell (None: however long it takes); None
    where somebody who moves does not know them, or they are too many. `progress` hears how many were found."""
    from fogspiel.solve.value_iteration import explored

    try:
        return explored(game, memory, progress, seconds)
    except (TooLarge, Unsuitable):
        return None
