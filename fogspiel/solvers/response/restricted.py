"""Restricted Nash responses (Johanson et al. 2008; Lanctot 2013, sec. 4.8.1): strategies that exploit an opponent's
fixed strategy and yet give little away to others.

In the modified game chance decides first, unseen by the responding player, whether the opponent must follow the fixed
strategy (with probability p) or is free to play as it likes. The responding player's part of an equilibrium is the
response: an equilibrium strategy of the game itself at p = 0, a best response at p = 1, and in between the best
trade-off there is.

`lp` finds it exactly, as a linear program over the sequence form; a sampling solver approaches it in games of any size
(with outcome sampling this is MCRNR, Ponsen et al. 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.game.check import Progress
from fogspiel.game.game import Game
from fogspiel.game.needs import TWO_PLAYERS, require
from fogspiel.game.parts import parts_in
from fogspiel.game.spec import split_spec
from fogspiel.solvers import suit
from fogspiel.solvers.mccfr.opponents import Fixed
from fogspiel.solvers.mccfr.solver import Sampling
from fogspiel.solvers.needs import OPPOSED
from fogspiel.solvers.policy import Policy
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.response.response import Position, form_of, game_of, measurable
from fogspiel.solvers.response.walk import Walker
from fogspiel.solvers.result import Given, strategy_in
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm


@dataclass(frozen=True)
class Response:
    """A response of `player` to an opponent that follows a fixed strategy with probability `p`. In the profile
    `strategy` the opponent plays as its best reply in the modified game (`lp`), or as it learned to (sampling).

    `exploitation` is what the response wins against the fixed strategy, `best_response` what a best response to it
    wins: at an equilibrium, minus the one is the other, and both are the value of the game.
    """

    game: str
    algorithm: str
    player: int
    p: float
    strategy: Strategy
    exploitation: float
    best_response: float
    iterations: int
    seed: int

    def as_dict(self) -> dict[str, Any]:
        """The response without the strategy, ready for JSON."""
        return {k: v for k, v in vars(self).items() if k != "strategy"}


def restricted_response(
    game: Position,
    strategy: Given,
    player: int,
    p: float,
    algorithm: str = "lp",
    *,
    iterations: int = 100_000,
    seed: int = 0,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Response:
    """The player's response to the other's part of a strategy that is followed with probability `p`.

    `algorithm` is `lp`, which is exact and needs the game's tree, or a sampling solver such as `os-mccfr`, which does
    so many `iterations`. What the response wins and gives away is measured as by `measure`.
    """
    require(game_of(game), "a restricted Nash response", (TWO_PLAYERS,), "fogspiel bound")
    strategy = strategy_in(strategy)
    player, p, seed = given.player(2, player), given.probability("p", p), given.seed(seed)
    algorithm, iterations = given.text("algorithm", algorithm), given.whole("iterations", iterations)
    memory, threads = given.maybe(given.size, "memory", memory), given.threads(threads)
    progress = given.maybe(given.function, "progress", progress)
    form: SequenceForm | None
    if algorithm == "lp":
        from fogspiel.solvers.exact.lp import restricted_program

        exact, name, iterations = form_of(game, memory=memory), "lp", 1
        require(game_of(game), name, OPPOSED, tree=exact.tree)
        behaviour = restricted_program(exact, exact.plan(strategy.on(exact)), player, p)
        form, found = exact, Strategy.from_behaviour(exact, behaviour)
    else:
        form = measurable(game, "auto", memory)
        name, solver = learner(game_of(game), strategy, player, p, algorithm, seed=seed, memory=memory, threads=threads)
        learn(solver, iterations, f"p = {p:g}: iterations", progress)
        iterations, found = solver.iterations, solver.answer()
    wins, loses = _worth(game_of(game), form, strategy, player, found, memory)
    return Response(game_of(game).spec, name, player, p, found, wins, loses, iterations, seed)


def trade_off(
    game: Position,
    strategy: Given,
    player: int,
    ps: Sequence[float],
    *,
    progress: Progress | None = None,
    **how: Any,
) -> list[Response]:
    """Restricted Nash responses for several `p`: the frontier between exploiting a strategy and being exploitable.
    `how`: as `restricted_response`."""
    ps = [given.probability("p", p) for p in given.several("ps", ps, "a list of probabilities")]
    progress, memory = (
        given.maybe(given.function, "progress", progress),
        given.maybe(given.size, "memory", how.get("memory")),
    )
    if not isinstance(game, SequenceForm) and game_of(game).players == 2:
        # unrolled once, if at all
        method = "tree" if how.get("algorithm", "lp") == "lp" else "auto"
        game = measurable(game, method, memory) or game_of(game)
    found = []
    for p in ps:
        found.append(restricted_response(game, strategy, player, p, progress=progress, **how))
        if progress is not None:
            progress("responses", len(found), len(ps))
    return found


def learner(game: Game, strategy: Strategy, player: int, p: float, algorithm: str, **how: Any) -> tuple[str, Sampling]:
    """A sampling solver, by its spec, for the modified game, in which all but the player are held to the strategy with
    probability p. At p = 1 it learns a best response, for any number of players. `how`: as `Sampling`."""
    name, entry, values = read_solver(algorithm)
    if not entry.sampled:
        raise SpecError(f"{name} cannot learn a response: use es-mccfr, os-mccfr or another sampling solver")
    if any(part.tells("BOTH") for part in parts_in(values)):
        raise SpecError("a response is learned with updates=alternating: the opponent is not always free to learn")
    suit.require(name, entry, game, values, None)
    return name, Sampling(game, split_spec(name)[0], values, held=Fixed(strategy, player, p), **how)


def learn(solver: Sampling, iterations: int, what: str, progress: Progress | None) -> None:
    """So many iterations, in parts, between which progress is told and Ctrl-C is heard."""
    while solver.iterations < iterations and not solver.full:
        solver.advance(min(max(1, iterations // 100), iterations - solver.iterations))
        if progress is not None:
            progress(what, solver.iterations, iterations)


def _worth(
    game: Game, form: SequenceForm | None, fixed: Strategy, player: int, found: Strategy, memory: int | None
) -> tuple[float, float]:
    """What a response wins against the fixed strategy, and what the other's best response wins against it."""
    other = 1 - player
    if form is None:
        wins = Walker(Policy(game, fixed, player, found), memory).values()[player]
        return wins, Walker(Policy(game, found), memory).best_response(other, "auto")[0]
    behaviour, response = fixed.on(form), found.on(form)
    mine = slice(form.begin[player], form.begin[player + 1])
    behaviour[mine] = response[mine]
    plan = form.plan(behaviour)
    return float(form.values(plan)[player]), form.best_response(plan, other)[0]
