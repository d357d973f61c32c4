"""Published results as commands: `fogspiel reproduce R-4` runs an experiment and tells whether the printed statement comes out.

A target is a row of `TARGETS`: what is run, when it passes, and a function from a `Scale` to a `Verdict`. The small scale takes
minutes on a laptop, with smaller games or fewer nodes than were printed; the full one is the printed experiment, and may take hours.

The experiments of chapters 4 and 7 are here, those of chapter 5 in `targets_recall.py`, of chapter 6 in `targets_minimax.py`. Work of
sampling solvers is counted in histories touched, the end of a game included, over the traversals of all players. Their numbers are
means over seeds, with the half-width of the 95% interval.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import numpy as np
from rich.table import Table

from fogspiel.agents.agent import observe
from fogspiel.agents.registry import agent
from fogspiel.app import targets_minimax, targets_recall
from fogspiel.app.show import console
from fogspiel.app.verdict import Scale, Verdict
from fogspiel.belief.replay import Record
from fogspiel.errors import SpecError
from fogspiel.evaluate.referee import play_game
from fogspiel.game.load import load
from fogspiel.game.spec import suggestion
from fogspiel.solve.registry import read_solver
from fogspiel.solve.response import form_of, plan_exploitability
from fogspiel.tree.sequence import SequenceForm

SCALES = {"small": Scale("small", 3_000_000, 5, 5), "full": Scale("full", 30_000_000, 5, 6, 50_000)}


@dataclass(frozen=True)
class Target:
    about: str
    criterion: str
    run: Callable[[Scale], Verdict]


def curve(form: SequenceForm, algorithm: str, nodes: list[int], seed: int) -> list[float]:
    """Exploitability of a sampling solver when it has touched so many nodes, for each of rising numbers."""
    _, entry, values = read_solver(algorithm)
    solver = entry.make(form.tree.game, values, form=form, seed=seed)
    found = []
    for goal in nodes:
        while solver.touched < goal:
            each = solver.touched / max(solver.iterations, 1)
            solver.advance(max(1, int((goal - solver.touched) / each)) if each else 1)
        found.append(plan_exploitability(form, solver.plan()))
    return found


def measured(form: SequenceForm, algorithm: str, scale: Scale, nodes: int = 0) -> dict[str, Any]:
    """A row: the mean exploitability after the scale's nodes, or as many as are given."""
    nodes = nodes or scale.nodes
    found = [curve(form, algorithm, [nodes], seed)[0] for seed in range(scale.seeds)]
    spread = 1.96 * stdev(found) / math.sqrt(len(found))
    return {
        "game": form.tree.game.spec,
        "algorithm": algorithm,
        "nodes": nodes,
        "exploitability": fmean(found),
        "+-": spread,
    }


def compared(
    scale: Scale, algorithms: list[str], *games: str, nodes: int = 0
) -> tuple[list[dict[str, Any]], list[dict[str, float]]]:
    """Rows of every algorithm on bluff and goofspiel, or the games given, and for each game the mean exploitabilities."""
    rows, means = [], []
    for game in games or ("bluff", f"goofspiel(cards={scale.cards})"):
        form = form_of(game)
        here = [measured(form, algorithm, scale, nodes) for algorithm in algorithms]
        rows += here
        means.append({row["algorithm"]: row["exploitability"] for row in here})
    return rows, means


def exploration(scale: Scale) -> Verdict:
    alternating = {e: f"os-mccfr(epsilon={e},average=optimistic)" for e in (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)}
    parallel = {e: f"os-mccfr(epsilon={e},average=optimistic,updates=parallel)" for e in (0.7, 0.9)}
    rows, means = compared(scale, [*alternating.values(), *parallel.values()])
    spread = {(row["game"], row["algorithm"]): row["+-"] for row in rows}
    games = list(dict.fromkeys(row["game"] for row in rows))
    passed = True
    for game, mean in zip(games, means, strict=True):
        best = min(alternating, key=lambda e: mean[alternating[e]])
        passed &= 0.5 <= best <= 0.8
        for e, name in parallel.items():
            passed &= mean[name] > mean[alternating[e]] or spread[game, name] > spread[game, alternating[e]]
    return Verdict(rows, passed)


def averaging(scale: Scale) -> Verdict:
    rows, means = compared(scale, ["os-mccfr", "os-mccfr(average=optimistic)"])
    return Verdict(rows, all(m["os-mccfr"] <= m["os-mccfr(average=optimistic)"] for m in means))


def lazy_averaging(scale: Scale) -> Verdict:
    printed, optimistic = "os-mccfr(average=lazy-printed)", "os-mccfr(average=optimistic)"
    rows, means = compared(scale, ["os-mccfr", optimistic, printed, "os-mccfr(average=lazy)"])
    return Verdict(rows, all(m["os-mccfr"] < m[printed] for m in means) and means[1][optimistic] < means[1][printed])


def external_averaging(scale: Scale) -> Verdict:
    rows, means = compared(scale, ["es-mccfr", "es-mccfr(average=optimistic)"])
    return Verdict(rows, all(m["es-mccfr"] < m["es-mccfr(average=optimistic)"] for m in means))


def four_algorithms(scale: Scale) -> Verdict:
    small = ("bluff", "one_card_poker(cards=50)", f"goofspiel(cards={scale.cards})")
    full = (
        "bluff(dice1=2)",
        "one_card_poker(cards=500)",
        "princess_and_monster",
        "latent_tic_tac_toe",
        "goofspiel(cards=7)",
    )
    rows, passed = [], True
    for game in small if scale.name == "small" else full:
        form = form_of(game)
        _, entry, values = read_solver("walk-cfr")
        first = entry.make(form.tree.game, values, form=form)
        first.advance(1)
        nodes = [first.touched * 2**k for k in range(5)]
        for algorithm in ("walk-cfr", "cs-mccfr", "os-mccfr", "es-mccfr"):
            runs = [
                curve(form, algorithm, nodes, seed) for seed in range(1 if algorithm == "walk-cfr" else scale.seeds)
            ]
            means = [fmean(point) for point in zip(*runs, strict=True)]
            if algorithm == "walk-cfr":
                vanilla = means
            if algorithm == "es-mccfr":
                passed &= all(a < b for a, b in zip(means, vanilla, strict=True))
            rows += [
                {"game": game, "algorithm": algorithm, "nodes": n, "exploitability": m}
                for n, m in zip(nodes, means, strict=True)
            ]
    return Verdict(rows, passed)


def nodes_to_half(scale: Scale) -> Verdict:
    """Also the nodes to an exploitability of 1: the print may mean 0.5 a player."""
    cards = scale.cards if scale.name == "small" else 7
    form = form_of(f"goofspiel(cards={cards})")
    rows, need = [], {}
    for algorithm in ("es-mccfr", "os-mccfr", "walk-cfr"):
        _, entry, values = read_solver(algorithm)
        solver = entry.make(form.tree.game, values, form=form, seed=0)
        found = math.inf
        for goal in (1.0, 0.5):
            while found > goal:
                solver.advance(max(1, solver.iterations // 8))
                found = plan_exploitability(form, solver.plan())
            need[algorithm] = solver.touched
            rows.append(
                {
                    "game": form.tree.game.spec,
                    "algorithm": algorithm,
                    "below": goal,
                    "nodes": solver.touched,
                    "exploitability": found,
                }
            )
    sampled = max(need["es-mccfr"], need["os-mccfr"])
    printed = min(need["es-mccfr"], need["os-mccfr"]) >= 1e6 and sampled <= 1e7 and need["walk-cfr"] >= 1e9
    return Verdict(rows, printed if cards == 7 else 2 * sampled < need["walk-cfr"])


def ordering(scale: Scale) -> Verdict:
    small = scale.name == "small"
    rows, (goofspiel,) = compared(
        scale, ["os-mccfr", "es-mccfr"], "goofspiel(cards=6)" if small else "goofspiel(cards=7)"
    )
    more, (bluff,) = compared(
        scale, ["os-mccfr", "es-mccfr", "walk-cfr", "cs-mccfr"], "bluff" if small else "bluff(dice1=2)"
    )
    passed = goofspiel["os-mccfr"] <= goofspiel["es-mccfr"] and bluff["os-mccfr"] > bluff["es-mccfr"]
    return Verdict(rows + more, passed and bluff["os-mccfr"] >= max(bluff["walk-cfr"], bluff["cs-mccfr"]))


def pruning(scale: Scale) -> Verdict:
    game = load("latent_tic_tac_toe")
    _, entry, values = read_solver("walk-cfr")
    solver = entry.make(game, values)
    rows, before = [], 0
    for iteration in range(1, 4 if scale.name == "small" else 11):
        solver.advance(1)
        rows.append(
            {"game": game.spec, "algorithm": "walk-cfr", "iteration": iteration, "nodes": solver.touched - before}
        )
        before = solver.touched
    return Verdict(rows, all(4 <= rows[0]["nodes"] / row["nodes"] <= 8 for row in rows[1:]))


def chance_sampling(scale: Scale) -> Verdict:
    names = [f"cs-mccfr(chance={how})" for how in ("paired", "one", "common")]
    rows, _ = compared(scale, names, "bluff", nodes=10 * scale.nodes)
    paired, one, common = rows
    apart = paired["exploitability"] + paired["+-"] < one["exploitability"] - one["+-"]
    return Verdict(rows, apart and one["exploitability"] < common["exploitability"])


def player(simulations: int, coefficient: float, variates: str) -> str:
    """UCT as in sec. 7.4: rollouts by the game's guide, the UCB constant half the range of the payoffs, the highest mean played."""
    return (
        f"mcts(simulations={simulations},nodes={max(simulations, 16)},exploration=0.5,rollout=guide,final=value,"
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


TARGETS: dict[str, Target] = {
    "R-1": Target(
        "outcome sampling, exploration and form (Lanctot 2013, fig. 4.2)",
        "the best epsilon of the alternating form is in [0.5, 0.8]; parallel with more than 0.6 is worse or less regular", exploration,
    ),
    "R-2": Target("outcome sampling, averages (fig. 4.2)", "stochastically weighted is no worse than optimistic", averaging),
    "R-3": Target(
        "outcome sampling, lazy averages (fig. 4.3)", "weighted beats lazy as printed; optimistic beats it in goofspiel", lazy_averaging
    ),
    "R-4": Target("external sampling, averages (fig. 4.4)", "stochastically weighted beats optimistic", external_averaging),
    "R-5": Target("CFR, chance, outcome and external sampling (fig. 4.5)", "external sampling is below CFR after every iteration of it", four_algorithms),
    "R-6": Target(
        "goofspiel with 7 cards, nodes to an exploitability of 0.5 (sec. 4.6)",
        "sampling takes 1 to 10 million, CFR a billion; at small scale, sampling takes less than half of CFR's", nodes_to_half,
    ),
    "R-7": Target(
        "who is better where (sec. 4.6)",
        "outcome sampling is no worse than external in goofspiel; in bluff it is worse than it, and no better than CFR or chance sampling",
        ordering,
    ),
    "R-8": Target("pruning in latent tic-tac-toe (sec. 4.6)", "iterations after the first touch 4 to 8 times fewer nodes", pruning),
    "R-9": Target(
        "sizes of abstractions, (information set, action) pairs (Table 5.1)",
        "die-roll poker and Bluff(2,2) are as printed, phantom tic-tac-toe within 4%", targets_recall.sizes,
    ),
    "R-10": Target(
        "full and abstract averaging (fig. 5.3)", "exploitabilities are equal in die-roll poker, and differ by less than 0.001 in bluff",
        targets_recall.averaging,
    ),
    "R-11": Target(
        "skewed die-roll poker (fig. 5.4)",
        "exploitability at the end rises with the skew; without skew it falls to less than half from a tenth of the iterations on, and is within a fifth of the full game's",
        targets_recall.skew,
    ),
    "R-12": Target(
        "abstractions of phantom tic-tac-toe, from a position with two known stones (fig. 5.4)",
        "in the last three quarters of the iterations FOSF falls to less than half, the others by less than a tenth; FOS is the lowest of these",
        targets_recall.phantom,
    ),
    "R-13": Target(
        "bluff with the last r bids remembered (fig. 5.4)",
        "exploitability at the end falls as r rises; with r = 8 it is less than twice that of the full game", targets_recall.bids,
    ),
    "R-14": Target(
        "the deadlock (fig. 5.2)",
        "the profile does not change from iteration 3 on; the first player's average regret tends to (1 - xi) / 4", targets_recall.deadlock,
    ),
    "R-15": Target(
        "Monte Carlo *-minimax in Can't Stop (Table 6.1)",
        "every sampling search wins 70% or more against its twin and against DPW; MCTS wins 30% or less against DPW", targets_minimax.cant_stop,
    ),
    "R-16": Target(
        "Monte Carlo *-minimax in EinStein würfelt nicht! (Table 6.1)", "every pairing is within 50 +- 5%", targets_minimax.einstein
    ),
    "R-17": Target(
        "Monte Carlo *-minimax in Pig (Table 6.1)",
        "ExpSS wins more than half against Exp; 50% is in the 95% interval of Star2SS - Star2; no sampling search wins more than half against DPW",
        targets_minimax.pig,
    ),
    "R-18": Target(
        "estimates in Pig (figs. 6.2 to 6.4)",
        "ExpSS with the width of the matches, 20, has less absolute bias than Exp, more variance, and less mean squared error",
        targets_minimax.estimates,
    ),
    "R-19": Target(
        "variance of the difference between rolling and stopping in the first turn of Pig (fig. 7.2)",
        "control, common and antithetic are each below none, control+common is below each of them, and no more than none with twice the simulations",
        first_turn,
    ),
    "R-20": Target(
        "points in Pig (fig. 7.3)", "control+common is better than none, and no worse than none with twice the simulations",
        scores("pig(players=1,turns=10,rolls=pairs)", 64, 6, 2),
    ),
    "R-21": Target(
        "points in Can't Stop (fig. 7.3)", "control+common is better than none, and no worse than none with half as many simulations more",
        scores("cant_stop(players=1,turns=5)", 64, 250, 1.5),
    ),
    "R-22": Target(
        "points in Dominion (fig. 7.3)", "control+common is better than none, and no worse than none with a quarter more simulations",
        scores("dominion(players=1,turns=20)", 64, -0.7, 1.25),
    ),
    "R-23": Target(
        "paired and common chance sampling in bluff (fig. 7.5)", "paired beats plain beyond both intervals, plain beats common", chance_sampling
    ),
}  # fmt: skip
"""The table of targets; sections and figures are those of Lanctot 2013."""


def all_targets() -> list[dict[str, str]]:
    return [{"target": name, "about": t.about, "passes when": t.criterion} for name, t in TARGETS.items()]


def reproduce(name: str, scale: str = "small") -> Verdict:
    """Run one target."""
    if name not in TARGETS:
        raise SpecError(f"there is no target {name!r}{suggestion(name, TARGETS)}")
    if scale not in SCALES:
        raise SpecError(f"--scale must be {' or '.join(SCALES)}, not {scale!r}")
    found = TARGETS[name].run(SCALES[scale])
    return replace(found, target=name, scale=scale)


def print_targets(rows: list[dict[str, str]]) -> None:
    for row in rows:
        console.print(f"[bold]{row['target']:<5}[/bold] {row['about']}")
        console.print(f"      passes when {row['passes when']}", markup=False)


def print_verdict(verdict: Verdict) -> None:
    target = TARGETS[verdict.target]
    table = Table(box=None, pad_edge=False)
    headings = list(dict.fromkeys(key for row in verdict.rows for key in row))
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("game", "algorithm") else "right")
    for row in verdict.rows:
        values = (row.get(heading, "") for heading in headings)
        table.add_row(*(f"{v:.4f}" if isinstance(v, float) else f"{v:,}" if isinstance(v, int) else v for v in values))
    console.print(f"[bold]{verdict.target}[/bold]  {target.about}, {verdict.scale} scale\n")
    console.print(table)
    console.print(f"\n{'passed' if verdict.passed else 'failed'}: {target.criterion}", markup=False)
