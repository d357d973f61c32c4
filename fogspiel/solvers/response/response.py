"""How good a strategy is: expected values, best responses, NashConv, exploitability. For any strategy, on any game.

A strategy that says nothing about an information set plays uniformly there. A result of `solve` stands for its
strategy.

A game is measured on its tree, or by walking its rules (`solvers/response/walk.py`), which takes little memory but
twice the time. `method` says how: `tree`, `vectors`, `passes`, or `auto`: the tree of a game of at most 10 million
histories, else vectors, and passes where there is no room for those.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError, TooLarge, Unsolved
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.needs import PERFECT_RECALL, remembers, require
from fogspiel.solvers.meaning import meaning
from fogspiel.solvers.policy import Policy
from fogspiel.solvers.posg.controllers import Controllers
from fogspiel.solvers.response.walk import Walker
from fogspiel.solvers.result import Given, Result, nonnegative, strategy_in
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.estimate import SURELY, WALKS, estimate
from fogspiel.tree.posg import OneSided
from fogspiel.tree.sequence import SequenceForm, respond, sequence_form
from fogspiel.tree.tree import Tree, unroll

Position = Tree | SequenceForm | Source
METHODS = ("auto", "tree", "vectors", "passes")

MEASURED = 10_000_000
"""Histories of the largest game that is unrolled to measure a strategy, unless asked for."""

EXACT = 1e-9
"""What a player may gain in what is called an equilibrium, as a share of what it gets and loses on the way."""

MORE = 4
"""So many times the walks are taken where they do not yet tell whether a game is too large."""


def form_of(
    game: Position,
    *,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    forgetful: bool = False,
    seconds: float | None = None,
) -> SequenceForm:
    """The sequence form of a game, unrolling it if need be. Pass a form to the functions below to unroll only once.

    An abstraction does not matter here: the form is that of the game itself. A game whose own players forget is
    refused, unless `forgetful`: then the form is that of its coarsest perfect-recall refinement. `memory`, `seconds`:
    as `unroll`.
    """
    if isinstance(game, SequenceForm):
        return game
    tree = game if isinstance(game, Tree) else unroll(game, memory=memory, seconds=seconds, progress=progress)
    if not forgetful:
        require(tree.game, "the sequence form", (PERFECT_RECALL,), tree=tree)
    return sequence_form(tree)


@dataclass(frozen=True)
class Measured:
    """A strategy measured. `value` holds every player's expected utility, `best` what each can get at best against the
    others, `nash_conv` the sum of what they gain by it; where players forget, these two are not known: empty, and
    None. `form` is the game's sequence form, if it was measured on that; `touched` counts the histories met. `meaning`
    says what these numbers mean in a game without a value of its own; else it is empty."""

    game: Game
    value: tuple[float, ...]
    best: tuple[float, ...]
    nash_conv: float | None
    touched: int
    form: SequenceForm | None
    meaning: str = ""

    @property
    def exploitability(self) -> float | None:
        """NashConv divided by the number of players."""
        return None if self.nash_conv is None else self.nash_conv / self.game.players

    @property
    def cce_gap(self) -> float | None:
        """How far the strategy is from a coarse correlated equilibrium: since its players act independently, its
        NashConv."""
        return self.nash_conv

    @property
    def gain(self) -> tuple[float, ...]:
        """What each player gains by a best response, where that is known."""
        if not self.best:
            return ()
        return tuple(b - v for b, v in zip(self.best, self.value, strict=True))

    def __str__(self) -> str:
        """A summary in a few lines."""
        if self.nash_conv is None:
            rows = [f"  player {p}: value {value:+z.6f}" for p, value in enumerate(self.value)]
            return "\n".join([f"{self.game.spec}:", *rows, self.meaning])
        rows = [
            f"  player {p}: value {value:+z.6f}, best response {best:+z.6f}, gain {gain:+z.6f}"
            for p, (value, best, gain) in enumerate(zip(self.value, self.best, self.gain, strict=True))
        ]
        far = f"{self.game.spec}: nash_conv {nonnegative(self.nash_conv):.3e}"
        return "\n".join([far, *rows, *[self.meaning] * bool(self.meaning)])


def measure(
    game: Position,
    strategy: Given,
    *,
    method: str = "auto",
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Measured:
    """Values, best responses and NashConv; values alone where players forget. `memory` bounds the tree, or what a
    walk holds, in bytes; `progress` hears how many histories have been met."""
    strategy, memory = strategy_in(strategy), given.maybe(given.size, "memory", memory)
    form = measurable(game, method, memory, progress, forgetful=True)
    if form is not None:
        plan = form.plan(strategy.on(form))
        value = tuple(form.values(plan).tolist())
        if not form.tree.perfect_recall:
            return Measured(form.tree.game, value, (), None, form.tree.size, form, forgetting(form.tree.game))
        best = tuple(form.best_response(plan, p)[0] for p in range(form.players))
        gain = nonnegative(sum(best) - (0.0 if form.tree.zero_sum else sum(value)))
        said = meaning(form.players, form.tree.opposed)
        return Measured(form.tree.game, value, best, gain, form.tree.size, form, said)
    walker = Walker(Policy(game_of(game), strategy), memory, progress)
    value = walker.values()
    if not walker.game.about.perfect_recall:
        return Measured(walker.game, value, (), None, walker.touched, None, forgetting(walker.game))
    best = tuple(walker.best_response(p, method)[0] for p in range(walker.game.players))
    gain = nonnegative(sum(best) - (0.0 if balanced(walker.game) else sum(value)))
    said = meaning(walker.game.players, opposed(walker.game), unrolled=False)
    return Measured(walker.game, value, best, gain, walker.touched, None, said)


def expected_values(
    game: Position | OneSided,
    strategy: Given | Controllers | Result[Controllers],
    *,
    method: str = "auto",
    memory: int | None = None,
) -> tuple[float, ...]:
    """Every player's expected utility when all follow the strategy, whether or not they remember what they knew. Of
    `Controllers`, in the endless game that they are for: the discounted sum, by the seats of the game that the
    one-sided POSG was made from."""
    strategy = strategy.strategy if isinstance(strategy, Result) else strategy
    if isinstance(strategy, Controllers):
        strategy.require(game if isinstance(game, OneSided) else game_of(game))
        return strategy.values()
    if isinstance(game, OneSided):
        raise SpecError(f"{game.name} is a one-sided POSG: its strategies are controllers, as hsvi finds them")
    strategy, memory = strategy_in(strategy), given.maybe(given.size, "memory", memory)
    form = measurable(game, method, memory, forgetful=True)
    if form is None:
        return Walker(Policy(game_of(game), strategy), memory).values()
    return tuple(form.values(form.plan(strategy.on(form))).tolist())


def best_response(
    game: Position, strategy: Given, player: int, *, method: str = "auto", memory: int | None = None
) -> tuple[float, Strategy]:
    """What the player can get at best against the others' strategies, and the profile in which it does."""
    strategy, memory = strategy_in(strategy), given.maybe(given.size, "memory", memory)
    player = given.player(game_of(game).players, player)
    form = measurable(game, method, memory)
    if form is None:
        value, response = Walker(Policy(game_of(game), strategy), memory).best_response(player, method, keep=True)
        assert response is not None  # it is kept
        return value, strategy.replaced(player, response)
    behaviour = strategy.on(form)
    value, best = form.best_response(form.plan(behaviour), player)
    mine = slice(form.begin[player], form.begin[player + 1])
    behaviour[mine] = best[mine]
    return value, Strategy.from_behaviour(form, behaviour)


def nash_conv(game: Position, strategy: Given, *, method: str = "auto", memory: int | None = None) -> float:
    """NashConv: the sum, over all players, of what a best response gains. Zero exactly for an equilibrium.

    Some authors call this exploitability (Lanctot 2013, appendix B); others divide it by the number of players
    (`exploitability`).
    """
    strategy, memory = strategy_in(strategy), given.maybe(given.size, "memory", memory)
    form = measurable(game, method, memory)
    if form is not None:
        return plan_nash_conv(form, form.plan(strategy.on(form)))
    walker = Walker(Policy(game_of(game), strategy), memory)
    best = sum(walker.best_response(p, method)[0] for p in range(walker.game.players))
    return nonnegative(best - (0.0 if balanced(walker.game) else sum(walker.values())))


def exploitability(game: Position, strategy: Given, *, method: str = "auto", memory: int | None = None) -> float:
    """NashConv divided by the number of players, as OpenSpiel and most of the literature of poker have it: for two
    opposed players, what a strategy loses to its worst opponent, in the mean over both seats."""
    return nash_conv(game, strategy, method=method, memory=memory) / game_of(game).players


def forgetting(game: Game) -> str:
    """Why best responses are not measured in a game whose players forget."""
    return (
        f"{game.spec} {remembers(game)}: values are those of the strategy; what a best response gains is not "
        "measured, since it takes perfect "
        "recall for granted"
    )


def balanced(game: Game) -> bool:
    """Whether the utilities of a game that is not unrolled add up to zero, so that best responses alone tell what is
    gained."""
    return game.about.zero_sum and game.players > 1


def opposed(game: Game) -> bool:
    """As `Tree.opposed`, of a game that is not unrolled: as far as it says."""
    return game.players == 1 or (game.players == 2 and game.about.zero_sum)


def game_of(game: Position) -> Game:
    if isinstance(game, SequenceForm):
        return game.tree.game
    return game.game if isinstance(game, Tree) else load(game)


def measurable(
    game: Position,
    method: str,
    memory: int | None,
    progress: Callable[[int], None] | None = None,
    forgetful: bool = False,
) -> SequenceForm | None:
    """The sequence form to measure on, or None if rules are to be walked; `forgetful`: as `form_of`."""
    method, memory = given.choice("method", method, METHODS), given.maybe(given.size, "memory", memory)
    progress = given.maybe(given.function, "progress", progress)
    if method == "tree" or (method == "auto" and isinstance(game, Tree | SequenceForm)):
        return form_of(game, memory=memory, progress=progress, forgetful=forgetful)
    if method != "auto":
        return None
    loaded = game_of(game)
    if far_too_large(loaded):
        return None
    try:
        return form_of(unroll(loaded, most=MEASURED, memory=memory, progress=progress), forgetful=forgetful)
    except TooLarge:
        return None


def far_too_large(game: Game, most: int = MEASURED) -> bool:
    """Whether a game has so many histories that to unroll it, for measuring or with another limit, would surely be in
    vain."""
    guess, walks = estimate(game), WALKS
    # ever more walks tell, up to a fraction of what unrolling would walk
    while most < guess.histories <= SURELY * most and guess.least <= most and MORE * guess.walked <= most:
        walks *= MORE
        guess = estimate(game, walks)
    return guess.histories > SURELY * most or guess.least > most


def plan_nash_conv(form: SequenceForm, plan: np.ndarray) -> float:
    best = sum(form.best_response(plan, p)[0] for p in range(form.players))
    return nonnegative(float(best - (0.0 if form.tree.zero_sum else form.values(plan).sum())))


def is_equilibrium(form: SequenceForm, plan: np.ndarray) -> bool:
    """Whether no player gains by leaving a plan, to the precision of reals. That is relative to what a best response
    would get if all payoffs were positive: the largest payoff of the game is no measure, since play may never come near
    it."""
    gains = [form.best_response(plan, p)[0] - value for p, value in enumerate(form.values(plan).tolist())]
    return all(gain <= EXACT * _at_stake(form, plan, p) for p, gain in enumerate(gains))


def _at_stake(form: SequenceForm, plan: np.ndarray, player: int) -> float:
    """What the player's best response would get if all payoffs were positive."""
    mine, others = slice(form.begin[player], form.begin[player + 1]), form.players - 1
    rows = form.rows[mine.start : mine.stop + 1]
    first, last = int(rows[0]), int(rows[-1])
    reach = plan[form.column[first * others : last * others]].reshape(last - first, others).prod(axis=1)
    owner = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
    worth = np.zeros(form.sequences)
    worth[mine] = np.bincount(owner, np.abs(form.value[first:last]) * reach, len(rows) - 1)
    low, high = form.sets[player : player + 2].tolist()
    respond(low, high, form.first, form.count, form.parent, worth, np.ones(form.sequences))
    return float(worth[mine.start])


def far_apart(spec: str, algorithm: str, instead: str) -> Unsolved:
    """What to raise where an exact answer proves not to be one."""
    return Unsolved(
        f"{algorithm} found no exact answer of {spec}, whose payoffs are so far apart that rounding decides; "
        f"bring them nearer to each other, or take {instead}"
    )
