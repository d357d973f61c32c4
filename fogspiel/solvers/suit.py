"""Does a game suit a solver? Asked before anything is unrolled, and if not, which solver does it suit?"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game import needs
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.needs import Need, listed, refusal, suits
from fogspiel.game.parts import parts_in
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.needs import UNROLLS
from fogspiel.solvers.parts import require_parts
from fogspiel.solvers.registry import Entry, read_solver
from fogspiel.solvers.response.response import Position, form_of, game_of
from fogspiel.solvers.solver import Task
from fogspiel.tree.endless import one_sided_of
from fogspiel.tree.estimate import bytes_unrolled, estimate, too_many
from fogspiel.tree.posg import OneSided
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree, memory_limit

if TYPE_CHECKING:
    from fogspiel.solvers.exact.value_iteration import Graph

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

ADVISED = (("value-iteration", "lp"), ("cfr+", "cfr", "cfr(average=abstract)", "es-mccfr"))
"""Solvers that are advised where another does not suit a game: exact ones and others, the best first."""

WITH_AN_END = Need("a game with an end", lambda game: "")


def source_for(name: str, entry: Entry, game: Position | OneSided) -> Position | OneSided:
    """The game as the solver is given it: loaded, and for solvers of one-sided POSGs as one. Raises Unsuitable where
    these and games that end meet solvers of the other."""
    if not isinstance(game, Tree | SequenceForm | OneSided):
        game = load(game)
    require_kind(name, entry, game)
    return one_sided_of(game_of(game)) if entry.posgs and not isinstance(game, OneSided) else game


def ready(name: str, entry: Entry, values: Mapping[str, Any], task: Task, clock: Clock) -> Task:
    """The task, if the game is one that the solver can take, with its sequence form where the solver works on that. In
    this order: what the game says of itself, its size, and what its tree tells.

    Half of the time allowed is for unrolling: the form takes as long again, and iterations want some, too."""
    if isinstance(task.source, Game) or entry.sampled:
        require(name, entry, task.game, values, task.memory)
    if not entry.form:
        return task
    try:
        limit = None if clock.allowed is None else max(clock.left / 2, 0.0)
        form = form_of(task.position, memory=task.memory, progress=task.progress, forgetful=True, seconds=limit)
    except TooLarge as error:
        raise too_large(name, task.game, error.why) from error
    require_unrolled(name, entry, form.tree, values)
    return replace(task, form=form)


def states_instead(
    refused: TooLarge | Unsuitable, name: str, entry: Entry, task: Task, clock: Clock, free: bool
) -> "Graph":
    """The states of a game that a solver refused, for value iteration, if it is `free` to take the place of that one.
    Raises the refusal where it is not, or cannot, with advice where the game is too large to unroll."""
    large = refused if isinstance(refused, TooLarge) else None
    if not entry.tree or (entry.exact and not (large and large.why)) or not (large or free):
        raise refused
    look = None if free else max(min(LOOK, clock.left), 0.0)
    room = task.memory if free and task.memory is not None else GRAPH
    graph = states_known(task.game, look, room, task.progress)
    if large is not None and (not free or graph is None):
        raise advised(large, name, task.game, graph) from refused
    if graph is None:
        raise refused
    return graph


def require(name: str, entry: Entry, game: Game, parameters: Mapping[str, Any], memory: int | None) -> None:
    """Raise Unsuitable or TooLarge for a game that the solver surely cannot take. Of what a game says of itself
    (`About`), only the number of players is certain: what a tree decides is left to it where a small game is unrolled
    (`require_unrolled`)."""
    size = estimate(game) if entry.tree else None
    left = size is not None and size.histories <= QUICK
    for need in entry.needs:
        if need is UNROLLS and size is not None:
            if many := too_many(game, size, memory_limit() if memory is None else memory):
                raise too_large(name, game, f"it {many}")
        elif not (left and need.unrolled):
            needs.require(game, name, (need,), lambda: entry.instead or instead(game))
    if not entry.tree:
        require_parts(name, entry.parameters, game, parameters)


def require_kind(name: str, entry: Entry, source: Position | OneSided) -> None:
    """Raise Unsuitable where one-sided POSGs and games that end meet solvers of the other."""
    if isinstance(source, OneSided) and not entry.posgs:
        raise refusal(source.name, name, WITH_AN_END, "is a one-sided POSG, which goes on for ever", "hsvi")
    if entry.posgs and not isinstance(source, OneSided):
        game = game_of(source)
        needs.require(game, name, entry.needs, lambda: instead(game))


def require_unrolled(name: str, entry: Entry, tree: Tree, parameters: Mapping[str, Any]) -> None:
    """Raise Unsuitable for a game that the solver cannot take, by its tree."""
    needs.require(tree.game, name, entry.needs, lambda: instead(tree.game, tree), tree)
    require_parts(name, entry.parameters, tree.game, parameters, tree)


def instead(game: Game, tree: Tree | None = None) -> str:
    """Solvers that suit a game, by name."""
    fitting = ([spec for spec in kind if _fits(spec, game, tree)] for kind in ADVISED)
    return listed([found[0] for found in fitting if found], "or")


def _fits(spec: str, game: Game, tree: Tree | None) -> bool:
    _, entry, parameters = read_solver(spec)
    asked = [need for made in parts_in(parameters) for need in made.needs]
    return suits(game, (*entry.needs, *asked), tree)


def require_time(name: str, game: Game, enumerated: bool, seconds: float) -> None:
    """Raise TooLarge where one iteration of a sampling solver, which is never cut, would surely take longer than all
    the time allowed: of those that follow every action of the updating player."""
    size = estimate(game).alone if enumerated else 0.0
    if size > FASTEST * seconds:
        raise TooLarge(
            f"one iteration of {name} would walk about {size:.0e} histories of {game.spec}, more than {seconds:g} s "
            f"allow; follow one action at a time: {command(game, 'os-mccfr')}"
        )


def too_large(name: str, game: Game, why: str) -> TooLarge:
    """Where a solver works on the unrolled game, and there is no room or no time for that."""
    return TooLarge(f"{game.spec} is too large for {name}, which unrolls the game: {why}", why)


def advised(refused: TooLarge, name: str, game: Game, graph: "Graph | None") -> TooLarge:
    """A refusal that names a solver which suits the game, before anything else that may help. `graph`: what
    `states_known` found."""
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
    solver = "es-mccfr" if size.alone <= BROAD else "os-mccfr"
    sampling = f"solve it by sampling, which needs no tree: {command(game, solver)}"
    advice = sampling
    if graph is not None:
        # nobody samples to the end what has none
        advice = exact if graph.whole else f"{exact}; or {sampling}" if endless else f"{sampling}; or, {exact}"
    near = bytes_unrolled(size, game) <= memory_limit()
    more = "; smaller parameters, more memory or more time may help as well" if near else ""
    return TooLarge(
        f"{game.spec} is too large for {name}, which unrolls the game; {advice} ({refused.why}{more})", refused.why
    )


def command(game: Game, solver: str) -> str:
    return f'fogspiel solve "{game.written}" --algorithm {solver}'


def states_known(
    game: Game, seconds: float | None = LOOK, memory: int = GRAPH, progress: Callable[[int], None] | None = None
) -> "Graph | None":
    """The states of a game that value iteration can solve, as far as about so many seconds tell (None: however long it
    takes); None where somebody who moves does not know them, or they are too many. `progress` hears how many were
    found."""
    from fogspiel.solvers.exact.value_iteration import explored

    try:
        return explored(game, memory, progress, seconds)
    except (TooLarge, Unsuitable):
        return None
