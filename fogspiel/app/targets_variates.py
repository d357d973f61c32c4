"""Experiments of Lanctot 2013, ch. 7: variance reduction in UCT."""

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import fmean, stdev

import numpy as np

from fogspiel.agents.agent import observe
from fogspiel.agents.registry import agent
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.belief.replay import Record
from fogspiel.evaluate.referee import play_game
from fogspiel.game.load import load


def player(simulations: int, coefficient: float, variates: str) -> str:
    """UCT as in sec. 7.4: rollouts by the game's guide, the UCB constant half the range of the payoffs, the highest mean played."""
    return (
        f"mcts(simulations={simulations},nodes={max(simulations, 16)},exploration=0.5,playout=guide,final=value,"
        f"coefficient={coefficient:g},variates={variates})"
    )


def first_turn(scale: Scale) -> Verdict:
    """The variance of what a search thinks rolling is worth more than stopping."""
    game = load("pig(players=1,turns=10,rolls=pairs)")
    budgets = [64, 128, 256] if scale.name == "small" else [16 << k for k in range(9)]
    record, veil = Record(0), np.zeros(1, np.uint64)
    record.see(game.start())
    seen = observe(game.start(), record, veil)
    rows, variance = [], {}
    for variates in ("none", "control", "common", "antithetic", "control+common"):
        for n in budgets:
            one, found = agent(player(n, 6, variates)), []
            for seed in range(scale.games):
                one.begin(game, 0, seed)
                one.choose(seen)
                roll, stop = one.found
                found.append(roll.value - stop.value)
            variance[variates, n] = stdev(found) ** 2
            rows.append({
                "game": game.spec, "algorithm": variates, "simulations": n, "difference": fmean(found),
                "variance": variance[variates, n], "+-": 1.96 * variance[variates, n] * math.sqrt(2 / scale.games),
            })  # fmt: skip
    passed = True
    for n in budgets:
        singles = [variance[v, n] for v in ("control", "common", "antithetic")]
        passed &= max(singles) < variance["none", n] and variance["control+common", n] < min(singles)
    for n, twice in pairwise(budgets):
        passed &= variance["control+common", n] <= variance["none", twice]
    return Verdict(rows, passed)


def scores(game: str, simulations: int, coefficient: float, gain: float) -> Callable[[Scale], Verdict]:
    """Points in whole games, with variance reduction and without, the latter also with `gain` times the simulations."""

    def run(scale: Scale) -> Verdict:
        rows = []
        more = round(gain * simulations)
        for variates, n in (("none", simulations), ("none", more), ("control+common", simulations)):
            one, spec = agent(player(n, coefficient, variates)), load(game)
            found = [play_game(spec, [one], deal=deal, seed=deal).utilities[0] for deal in range(scale.games)]
            spread = 1.96 * stdev(found) / math.sqrt(len(found))
            rows.append({"game": game, "algorithm": variates, "simulations": n, "score": fmean(found), "+-": spread})
        plain, longer, reduced = rows
        better = reduced["score"] - plain["score"] > math.hypot(reduced["+-"], plain["+-"])
        no_worse = reduced["score"] > longer["score"] - math.hypot(reduced["+-"], longer["+-"])
        return Verdict(rows, better and no_worse)

    return run


SOLITAIRE = "turns and scoring of the solitaire game are ours, the printed ones are not told"

TARGETS: dict[str, Target] = {
    "R-19": Target(
        "variance of the difference between rolling and stopping in the first turn of Pig (fig. 7.2)",
        "control, common and antithetic are each below none, control+common is below each of them, and no more than none with twice the simulations",
        first_turn, SOLITAIRE,
    ),
    "R-20": Target(
        "points in Pig (fig. 7.3)", "control+common is better than none, and no worse than none with twice the simulations",
        scores("pig(players=1,turns=10,rolls=pairs)", 64, 6, 2), SOLITAIRE,
    ),
    "R-21": Target(
        "points in Can't Stop (fig. 7.3)", "control+common is better than none, and no worse than none with half as many simulations more",
        scores("cant_stop(players=1,turns=5)", 64, 250, 1.5), SOLITAIRE,
    ),
    "R-22": Target(
        "points in Dominion (fig. 7.3)", "control+common is better than none, and no worse than none with a quarter more simulations",
        scores("dominion(players=1,turns=20)", 64, -0.7, 1.25), SOLITAIRE,
    ),
}  # fmt: skip
