"""Matrix games, taken apart by hand's methods: dominated strategies, pure equilibria, indifference (Lanctot 2013, sec.
2.1.1).

A strategy is *strictly* dominated if another, pure or mixed, gets more against everything the other player may do;
*weakly*, if it gets no less against anything, and more against something. Strictly dominated strategies are played in
no equilibrium, and what is left after removing them again and again is the same in any order. Without weakly dominated
ones some equilibria may be lost, never all, and which are depends on the order: here each round removes, for both
players at once, all that are dominated in what the round before left.

At an equilibrium a player is *indifferent* between the strategies it mixes: all get the same, and no other gets more.
"""

from dataclasses import dataclass

import highspy
import numpy as np

from fogspiel import given
from fogspiel.errors import Unsuitable
from fogspiel.game.matrix_game import matrix_value
from fogspiel.game.state import State
from fogspiel.solvers.exact.normal import normal_form
from fogspiel.solvers.response.response import Position, form_of
from fogspiel.solvers.result import Given, strategy_in
from fogspiel.tree.sequence import SequenceForm

TOLERANCE = 1e-9
"""What a mixed strategy must get more, as a share of the range of payoffs, to dominate: less may be rounding."""


@dataclass(frozen=True)
class MatrixGame:
    """`payoff[p][i, j]` is player p's utility when player 0 chooses its move `names[0][i]` and player 1
    `names[1][j]`."""

    game: str
    names: tuple[tuple[str, ...], tuple[str, ...]]
    payoff: tuple[np.ndarray, np.ndarray]

    def own(self, player: int) -> np.ndarray:
        """The player's payoffs with a row for each of its own moves."""
        return self.payoff[player] if player == 0 else self.payoff[player].T


@dataclass(frozen=True)
class Dominated:
    """A move that is dominated in what was left before its `round`, and by what: probabilities of the player's moves,
    by name."""

    round: int
    player: int
    move: str
    by: dict[str, float]


@dataclass(frozen=True)
class Elimination:
    """What iterated elimination removed, in order, and each player's moves that are left."""

    removed: tuple[Dominated, ...]
    left: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def rounds(self) -> int:
        return self.removed[-1].round if self.removed else 0


@dataclass(frozen=True)
class Indifference:
    """One player's side of a pair of mixed strategies. `gets[m]` is what move m gets against the other's mixture,
    `plays[m]` its probability; `value` is what the mixture gets, `gain` what the best move would get more, and `uneven`
    how far apart the moves are that it mixes. At an equilibrium both are 0."""

    player: int
    value: float
    plays: dict[str, float]
    gets: dict[str, float]
    gain: float
    uneven: float


def matrix_game(game: Position) -> MatrixGame:
    """A game in which two players choose one move each, at the same time, as a matrix. Raises Unsuitable for any
    other."""
    form = form_of(game)
    source = form.tree.game
    state = source.start()
    if source.players != 2 or not _one_shot(form, state):
        raise Unsuitable(
            f"{source.spec} is no matrix game, in which two players choose one move each, at the same time"
        )
    names: list[tuple[str, ...]] = [(), ()]
    for _ in range(2):
        named = source.move_names(state)
        twice = len(set(named.values())) < len(named)
        names[state.actor] = tuple(f"{name} ({move})" if twice else name for move, name in named.items())
        state.play(next(iter(named)))
    return MatrixGame(source.spec, (names[0], names[1]), normal_form(form, most=10**6).payoff)


def _one_shot(form: SequenceForm, state: State) -> bool:
    """Each player has one information set at most (with a choice), nothing is left to chance, and two moves end the
    game."""
    tree = form.tree
    each = np.bincount(tree.player, minlength=2)
    return state.actor >= 0 and tree.depth == 2 and each.tolist() == [1, 1] and tree.terminals == np.prod(tree.count)


def dominance(game: Position, weak: bool = False, mixed: bool = True) -> Elimination:
    """Remove dominated moves of a matrix game until there are none: strictly dominated ones, or `weak`ly; by pure
    strategies, or by `mixed` ones as well."""
    weak, mixed = given.flag("weak", weak), given.flag("mixed", mixed)
    matrix = matrix_game(game)
    left = [list(range(n)) for n in matrix.payoff[0].shape]
    removed: list[Dominated] = []
    count = 0
    while True:
        count += 1
        found = []
        for p in range(2):
            payoff = matrix.own(p)[np.ix_(left[p], left[1 - p])]
            for s in range(len(left[p])):
                by = dominator(payoff, s, weak, mixed)
                if by is not None:
                    mix = {matrix.names[p][left[p][i]]: float(by[i]) for i in np.flatnonzero(by)}
                    found.append((p, left[p][s], Dominated(count, p, matrix.names[p][left[p][s]], mix)))
        if not found:
            first, second = (tuple(matrix.names[p][i] for i in left[p]) for p in range(2))
            return Elimination(tuple(removed), (first, second))
        removed += [d for *_, d in found]
        left = [[i for i in left[p] if (p, i) not in {f[:2] for f in found}] for p in range(2)]


def dominator(payoff: np.ndarray, s: int, weak: bool = False, mixed: bool = True) -> np.ndarray | None:
    """The probabilities with which to play the rows of a matrix so as to dominate row s, or None. A single row is
    preferred."""
    more = payoff - payoff[s]
    pure = ((more >= 0).all(axis=1) & (more > 0).any(axis=1)) if weak else (more > 0).all(axis=1)
    out = np.zeros(len(payoff))
    if pure.any():
        # one that nothing dominates in turn: of all that do, the one that gets most in sum
        out[np.flatnonzero(pure)[more[pure].sum(axis=1).argmax()]] = 1.0
        return out
    if not mixed or len(payoff) < 3:
        return None
    others = np.flatnonzero(np.arange(len(payoff)) != s)
    width = float(np.ptp(payoff))
    if width == 0:
        return None
    rows = more[others] / width
    mix = _most_in_sum(rows) if weak else matrix_value(rows)[1]
    if mix is None:
        return None
    mix = np.where(mix > 1e-12, mix, 0.0)
    mix /= mix.sum()
    gets = mix @ rows
    if not (gets.min() > TOLERANCE or (weak and gets.min() >= -1e-12 and gets.max() > TOLERANCE)):
        return None
    out[others] = mix
    return out


def _most_in_sum(rows: np.ndarray) -> np.ndarray | None:
    """The mixture of rows that gets most in sum among those that get at least 0 everywhere, or None if there is
    none."""
    n, columns = rows.shape
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("primal_feasibility_tolerance", 1e-10)
    solver.setOptionValue("dual_feasibility_tolerance", 1e-10)
    for i in range(n):
        solver.addVar(0.0, 1.0)
        solver.changeColCost(i, float(rows[i].sum()))
    solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    index = np.arange(n, dtype=np.int32)
    solver.addRow(1.0, 1.0, n, index, np.ones(n))
    for j in range(columns):
        solver.addRow(0.0, highspy.kHighsInf, n, index, np.ascontiguousarray(rows[:, j]))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.array(solver.getSolution().col_value)


def pure_equilibria(game: Position) -> list[tuple[str, str]]:
    """The pairs of moves of a matrix game from which neither player gains by going alone. Each player varies its own
    move."""
    matrix = matrix_game(game)
    first, second = matrix.payoff
    best = (first == first.max(axis=0)) & (second == second.max(axis=1, keepdims=True))
    return [(matrix.names[0][i], matrix.names[1][j]) for i, j in np.argwhere(best).tolist()]


def indifference(game: Position, strategy: Given) -> tuple[Indifference, Indifference]:
    """What each move of a matrix game gets against the other player's part of a strategy."""
    strategy = strategy_in(strategy)
    form = form_of(game)
    matrix = matrix_game(form)
    strategy.require(form.tree.game)
    behaviour = strategy.on(form)
    # a player with a single move has no sequence but the empty one, which is played with probability 1
    mixes = [behaviour[form.begin[p] : form.begin[p + 1]][-len(matrix.names[p]) :] for p in range(2)]
    sides = []
    for p in range(2):
        gets = matrix.own(p) @ mixes[1 - p]
        value, used = float(mixes[p] @ gets), gets[mixes[p] > 0]
        sides.append(
            Indifference(
                p,
                value,
                dict(zip(matrix.names[p], mixes[p].tolist(), strict=True)),
                dict(zip(matrix.names[p], gets.tolist(), strict=True)),
                float(gets.max() - value),
                float(np.ptp(used)),
            )
        )
    return sides[0], sides[1]
