"""A lower bound on NashConv, for games too large to respond to exactly.

Each player in turn learns to respond to the others' fixed strategies by Monte Carlo CFR, and what it has learned is
then played against them, in games that it did not learn from. A best response does at least as well, so that the means
are, as far as their intervals tell, lower bounds of what it gains.
"""

import math
import time
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals, Words
from fogspiel.engine.primitives import MASK
from fogspiel.errors import Unsuitable
from fogspiel.evaluate.statistics import Estimate
from fogspiel.game.check import Progress
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    LONGEST,
    OVER,
    PLAYERS,
    ROOT,
    actor,
    chances,
    copy_state,
    moves,
    payoff,
    play,
    sample,
    state_at,
)
from fogspiel.solvers.policy import Known, Policy, consult
from fogspiel.solvers.response.restricted import learn, learner
from fogspiel.solvers.result import Given, nonnegative, strategy_in

BATCH = 1 << 14
"""Games between two looks at Ctrl-C."""


@kernel
def play_games(
    game: Ints,
    policy: Known,
    count: Int,
    state: Bytes,
    buffer: Ints,
    odds: Reals,
    pay: Reals,
    rng: Words,
    totals: Reals,
) -> Int:
    """Play `count` games in which all follow the policy. totals: the sum of each player's utility, then of what all get
    together, then the sums of the squares of these.
    Returns 0, or how many moves a state had that cannot be played, or -1 for a game that does not end."""
    s = state_at(game, state, 0)
    for _ in range(count):
        copy_state(game, s, game[ROOT])
        length = 0
        who = actor(game, s)
        while who != OVER:
            n = chances(game, s, buffer, 0, odds, 0) if who == CHANCE else moves(game, s, buffer, 0)
            if n > game[LIMIT]:
                return n
            length += 1
            if n < 1 or length > LONGEST:
                return -1
            if who != CHANCE:
                consult(game, policy, s, who, n, odds, 0)
            play(game, s, buffer[sample(odds, 0, n, rng)])
            who = actor(game, s)
        payoff(game, s, pay, 0)
        players = game[PLAYERS]
        together = 0.0
        for p in range(players):
            together += pay[p]
            totals[p] += pay[p]
            totals[players + 1 + p] += pay[p] * pay[p]
        totals[players] += together
        totals[2 * players + 1] += together * together
    return 0


@dataclass(frozen=True)
class Bound:
    """What was learned and measured. For each player: `value`, what it gets by the strategy; `response`, what by the
    response it learned; `gain`, the difference. `nash_conv`, the sum of these, is a lower bound with the interval of
    its estimate: with 97.5 % confidence, the strategy's NashConv is at least `nash_conv.low`."""

    game: str
    algorithm: str
    value: tuple[Estimate, ...]
    response: tuple[Estimate, ...]
    gain: tuple[Estimate, ...]
    nash_conv: Estimate
    iterations: int
    games: int
    seconds: float
    seed: int
    information_sets: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        """A summary in a few lines."""
        far = self.nash_conv
        rows = [
            (
                f"{self.game}, responses learned by {self.algorithm} in {self.iterations:,} iterations, measured in "
                f"{self.games:,} games"
            ),
            (
                f"nash_conv at least {nonnegative(far.value):.5f} (95 % interval of the estimate: {far.low:.5f} "
                f"to {far.high:.5f})"
            ),
        ]
        for p, (value, response, gain) in enumerate(zip(self.value, self.response, self.gain, strict=True)):
            rows.append(
                f"  player {p}: value {value.value:+.5f}, response {response.value:+.5f}, gain {gain.value:+.5f} "
                f"({gain.low:+.5f} to {gain.high:+.5f})"
            )
        return "\n".join(rows)


@given.call
def bound(
    game: Source,
    strategy: Given,
    *,
    algorithm: str = "os-mccfr",
    iterations: int = 1_000_000,
    games: int = 1_000_000,
    seed: int = 0,
    memory: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Bound:
    """A lower bound on the NashConv of a strategy, by responses learned in `iterations` of a sampling solver and
    measured in `games` games, for any number of players: who plays alone responds to chance. `memory` bounds the
    learner's table in bytes; `progress` hears what is done, how far, and of how much."""
    game = load(game)
    strategy = strategy_in(strategy)
    iterations, games, seed = given.whole("iterations", iterations), given.whole("games", games, 2), given.seed(seed)
    memory, threads = given.maybe(given.size, "memory", memory), given.threads(threads)
    progress = given.maybe(given.function, "progress", progress)
    tell = progress or (lambda *_: None)
    began = time.perf_counter()
    *value, together = _play(game, Policy(game, strategy), games, seed, tell)
    response, sets = [], []
    for player in range(game.players):
        name, solver = learner(game, strategy, player, 1.0, algorithm, seed=seed, memory=memory, threads=threads)
        learn(solver, iterations, f"player {player} learns: iterations", tell)
        learned = solver.answer().greedy()
        sets.append(int((learned.player == player).sum()))
        response.append(
            _play(game, Policy(game, strategy, player, learned), games, seed + 1 + player & MASK, tell)[player]
        )
    gain = [_sum((r, 1), (v, -1)) for r, v in zip(response, value, strict=True)]
    # the values are from the same games, so that only what all get together is one estimate
    whole = _sum(*((r, 1) for r in response), (together, -1))
    return Bound(
        game.spec,
        name,
        tuple(value),
        tuple(response),
        tuple(gain),
        whole,
        iterations,
        games,
        time.perf_counter() - began,
        seed,
        tuple(sets),
    )


def _play(game: Game, policy: Policy, games: int, seed: int, tell: Progress) -> list[Estimate]:
    """Every player's mean utility, then that of all together, with 95 % intervals."""
    n = game.players + 1
    state, totals, rng = np.zeros(game.dtype.itemsize, np.int8), np.zeros(2 * n), np.array([seed], np.uint64)
    buffer, pay = game.buffer(), np.zeros(max(n, 8))
    odds = np.zeros(len(buffer))
    done = 0
    while done < games:
        count = min(BATCH, games - done)
        wrong = play_games(game.table, policy.known, count, state, buffer, odds, pay, rng, totals)
        policy.finish()
        if wrong:
            raise game.too_many_moves(wrong) if wrong > 0 else Unsuitable(f"a game of {game.spec} did not end")
        done += count
        tell("measuring: games", done, games)
    mean = totals[:n] / games
    spread = np.maximum(totals[n:] / games - mean * mean, 0.0) * games / (games - 1)
    return [_estimate(float(m), float(v) / games) for m, v in zip(mean, spread, strict=True)]


def _estimate(mean: float, variance: float) -> Estimate:
    error = NormalDist().inv_cdf(0.975) * math.sqrt(variance)
    return Estimate(mean, mean - error, mean + error)


def _sum(*parts: tuple[Estimate, int]) -> Estimate:
    """The sum of independent estimates, each with its sign: of separate runs of games."""
    error = math.hypot(*(e.high - e.value for e, _ in parts))
    mean = sum(sign * e.value for e, sign in parts)
    return Estimate(mean, mean - error, mean + error)
