"""Value iteration for stochastic games in which both players see the state: a matrix game at each (Shapley 1953; Veselý 2024, sec. 2.4).

    Q(s) = value of the matrix game with the entries  discount * (gain of (a, b) in s, and Q of where it leads, on average)

One player may be held to uniform play instead, and the other then answers it. Sweeps are in place, or all at once as Jacobi's. The
literature's rule stops when no value changes by as much as a threshold, which bounds no error; by `error` it stops when the values are
known to be that near those of the endless game: each sweep is a contraction by the discount, so that what is missing
is at most discount / (1 - discount) times the last change.
"""

import math

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Ints32, Real, Reals
from fogspiel.errors import Unsuitable
from fogspiel.game.markov import END, MarkovGame
from fogspiel.game.matrix_game import matrix_game_again

MOST_SWEEPS = 1_000_000


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
    """What each state is worth to player 0; `random`: the player who moves uniformly at random, if one does, or by `mix`, a probability for
    each of its moves. With a `threshold`, sweeps stop by the literature's rule instead of by the `error`."""
    require_discount(states.game.spec, discount)
    rows, columns = (np.diff(at) for at in states.at)
    m, n = int(rows.max()), int(columns.max())
    value, new = np.zeros(states.count), np.zeros(states.count)
    payoff, tableau, basis = np.zeros(m * n), np.zeros((m + 1) * (m + n + 1)), np.zeros(m)
    if random is None:
        mix = np.zeros(1)
    elif mix is None:
        count = (rows, columns)[random]
        mix = np.repeat(1.0 / np.maximum(count, 1), count)
    kept = np.full(states.count * m, -1, np.int32)
    enough = error * (1 - discount) / discount if threshold is None and discount > 0 else threshold or 0.0
    for _ in range(MOST_SWEEPS):
        change = sweep(
            states.count, m, rows, columns, states.joint, states.first, states.target, states.probability, states.gain, discount,
            -1 if random is None else random, states.at[random or 0], mix, value, value if in_place else new, payoff, tableau, basis, kept,
        )  # fmt: skip
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
    states: Int, height: Int, rows: Ints, columns: Ints, joint: Ints, first: Ints, target: Ints, probability: Reals, gain: Reals,
    discount: Real, random: Int, at: Ints, mix: Reals, value: Reals, new: Reals, payoff: Reals, tableau: Reals, basis: Reals,
    kept: Ints32,
) -> Real:  # fmt: skip
    """Write the next value of each state to `new`, which may be `value` itself; returns the largest change. `kept` has, of each state, how its last matrix game
    was solved."""
    change = 0.0
    for s in range(states):
        m, n = rows[s], columns[s]
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
            new[s] = against_mix(m, n, payoff, random, mix, at[s])
        else:
            new[s] = matrix_game_again(m, n, payoff, 0, tableau, basis, kept, s * height)
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
