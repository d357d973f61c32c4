"""Value iteration for stochastic games in which both players see the state: a matrix game at each (Shapley 1953; Veselý
2024, sec. 2.4).

    Q(s) = value of the matrix game with the entries  discount * (gain of (a, b) in s + Q of where it leads, on average)

One player may be held to uniform play instead, and the other then answers it. Sweeps are in place, or all at once as
Jacobi's. The literature's rule stops when no value changes by as much as a threshold, which bounds no error; by `error`
it stops when the values are known to be that near those of the endless game: each sweep is a contraction by the
discount, so that what is missing is at most discount / (1 - discount) times the last change.
"""

import math
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Ints32, Real, Reals
from fogspiel.errors import Unsuitable
from fogspiel.game.markov import END, MarkovGame
from fogspiel.game.matrix_game import Simplex, matrix_game_again, simplex

MOST_SWEEPS = 1_000_000

StochasticGame: Any = Bundle(row=Ints, column=Ints, joint=Ints, first=Ints, target=Ints, probability=Reals, gain=Reals)
"""A `MarkovGame`: where the moves of player 0 and of player 1 in each state begin, and what joint moves lead to."""

Work: Any = Bundle(payoff=Reals, simplex=Simplex, kept=Ints32)
"""A matrix game, what it is solved in, and, for each row of each state, how its last matrix game was solved."""


def state_values(
    states: MarkovGame,
    discount: float,
    *,
    random: int | None = None,
    mix: np.ndarray | None = None,
    error: float = 1e-6,
    threshold: float | None = None,
    in_place: bool = True,
) -> np.ndarray:
    """What each state is worth to player 0; `random`: the player who moves uniformly at random, if one does, or by
    `mix`, a probability for each of its moves. With a `threshold`, sweeps stop by the literature's rule instead of by
    the `error`."""
    require_discount(states.game.spec, discount)
    rows, columns = (np.diff(at) for at in states.at)
    m, n = int(rows.max()), int(columns.max())
    value, new = np.zeros(states.count), np.zeros(states.count)
    row, column = states.at
    game = Bundled(
        StochasticGame,
        row=row,
        column=column,
        joint=states.joint,
        first=states.first,
        target=states.target,
        probability=states.probability,
        gain=states.gain,
    )
    work = Bundled(Work, payoff=np.zeros(m * n), simplex=simplex(m, n), kept=np.full(row[-1], -1, np.int32))
    if random is None:
        mix = np.zeros(1)
    elif mix is None:
        count = (rows, columns)[random]
        mix = np.repeat(1.0 / np.maximum(count, 1), count)
    enough = error * (1 - discount) / discount if threshold is None and discount > 0 else threshold or 0.0
    for _ in range(MOST_SWEEPS):
        held, after = -1 if random is None else random, value if in_place else new
        change = sweep(states.count, game, discount, held, mix, value, after, work)
        if not in_place:
            value, new = new, value
        if not math.isfinite(change):
            break
        if change < enough or change == 0:
            return value
    raise Unsuitable(f"the values of {states.game.spec} did not settle within {MOST_SWEEPS:,} sweeps")


def require_discount(spec: str, discount: float) -> None:
    """Raise Unsuitable where sums over an endless game need not be finite."""
    if not 0 <= discount < 1:
        raise Unsuitable(f"{spec} goes on for ever, so its discount must be below 1, not {discount:g}")


@kernel
def sweep(
    states: Int, game: StochasticGame, discount: Real, random: Int, mix: Reals, value: Reals, new: Reals, work: Work
) -> Real:
    """Write the next value of each state to `new`, which may be `value` itself; returns the largest change. The player
    `random` moves by `mix`; without one (-1) a state is worth its matrix game."""
    row, column, joint, first, target = game.row, game.column, game.joint, game.first, game.target
    probability, gain, payoff = game.probability, game.gain, work.payoff
    change = 0.0
    for s in range(states):
        m, n = row[s + 1] - row[s], column[s + 1] - column[s]
        if m == 0:
            continue
        for j in range(m * n):
            total = 0.0
            for e in range(first[joint[s] + j], first[joint[s] + j + 1]):
                then = gain[e]
                if target[e] != END:
                    then += value[target[e]]
                total += probability[e] * then
            payoff[j] = discount * total
        old = value[s]
        if random >= 0:
            new[s] = against_mix(m, n, payoff, random, mix, row[s] if random == 0 else column[s])
        else:
            new[s] = matrix_game_again(m, n, payoff, 0, work.simplex, work.kept, row[s])
        change = max(change, abs(new[s] - old))
    return change


def against_mix(rows, columns, payoff, random, mix, at):
    """The best that the other player can do where one of both moves by a mix, as player 0 counts it."""
    best = 0.0
    outer, inner = (rows, columns) if random == 1 else (columns, rows)
    for i in range(outer):
        total = 0.0
        for k in range(inner):
            total += mix[at + k] * (payoff[i * columns + k] if random == 1 else payoff[k * columns + i])
        if i == 0 or (total > best) == (random == 1):
            best = total
    return best
