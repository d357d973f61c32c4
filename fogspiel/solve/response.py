"""How good a strategy is: expected values, best responses, exploitability. For any strategy, on any game that unrolls.

A strategy that says nothing about an information set plays uniformly there.
"""

from collections.abc import Callable

import numpy as np

from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game
from fogspiel.solve.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm, sequence_form
from fogspiel.tree.tree import Tree, unroll

Position = Game | Tree | SequenceForm | str


def form_of(
    game: Position,
    *,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    forgetful: bool = False,
) -> SequenceForm:
    """The sequence form of a game, unrolling it if need be. Pass a form to the functions below to unroll only once.

    An abstraction does not matter here: the form is that of the game itself. A game whose own players forget is refused,
    unless `forgetful`: then the form is that of its coarsest perfect-recall refinement.
    """
    if isinstance(game, SequenceForm):
        return game
    tree = game if isinstance(game, Tree) else unroll(game, memory=memory, progress=progress)
    if not tree.perfect_recall and not forgetful:
        raise Unsuitable(f"{tree.game.spec} has imperfect recall: its strategies have no sequence form")
    return sequence_form(tree)


def require_unshared(form: SequenceForm, solver: str) -> None:
    """Raise Unsuitable where information sets must share strategies, for a solver that cannot."""
    if form.shared:
        spec = form.tree.game.spec
        raise Unsuitable(f"{solver} cannot solve an abstraction such as {spec}: use cfr, or leave the abstraction out")


def expected_values(game: Position, strategy: Strategy) -> tuple[float, ...]:
    """Every player's expected utility when all follow the strategy."""
    form = form_of(game)
    return tuple(form.values(form.plan(strategy.on(form))).tolist())


def best_response(game: Position, strategy: Strategy, player: int) -> tuple[float, Strategy]:
    """What the player can get at best against the others' strategies, and the profile in which it does."""
    form = form_of(game)
    behaviour = strategy.on(form)
    value, best = form.best_response(form.plan(behaviour), player)
    mine = slice(form.begin[player], form.begin[player + 1])
    behaviour[mine] = best[mine]
    return value, Strategy.from_behaviour(form, behaviour)


def exploitability(game: Position, strategy: Strategy) -> float:
    """The sum, over all players, of what a best response gains (NashConv). Zero exactly for an equilibrium.

    Some authors divide by the number of players; this library never does (Lanctot 2013, appendix B).
    """
    form = form_of(game)
    return plan_exploitability(form, form.plan(strategy.on(form)))


def plan_exploitability(form: SequenceForm, plan: np.ndarray) -> float:
    best = sum(form.best_response(plan, p)[0] for p in range(form.players))
    return float(best - (0.0 if form.tree.zero_sum else form.values(plan).sum()))
