"""Experiments with simultaneous moves: Lisý et al. 2013, and Lisý 2014, sec. 4.2.

Budgets are simulations. In place of the printed seconds the full scale of a convergence graph has as many as the printed speed gives.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.app.cross_table import Cells, half_width, play_table, read_table
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.online import converge, weights_in
from fogspiel.solve.response import form_of
from fogspiel.solve.run import solve
from fogspiel.tree.sequence import SequenceForm

MEANS = {"rm": "selection=rm,means=no", "rmm": "selection=rm,means=yes"}
"""Regret matching with sampled values passed on, or with means of them (SM-MCTS-A)."""


def losses(form: SequenceForm, value: float, spec: str, budgets: Sequence[int], seed: int) -> list[float]:
    """How much less than the game's value the first player is sure of, by what it sampled, after each budget."""
    game, one = form.tree.game, agent(spec)
    assert isinstance(one, SearchAgent)
    one.begin(game, 0, seed)
    found, done = [], 0
    for budget in budgets:
        one.search.run(Roots([game.start()]), 0, simulations=budget - done, seconds=None)
        done = budget
        plan = form.plan(form.behaviour(weights_in(one.search, form, by="visits")))
        found.append(value + form.best_response(plan, 1)[0])
    return found


def passing_on_means(scale: Scale) -> Verdict:
    small = scale.name == "small"
    games, runs = (10, 10) if small else (100, 100)
    settings = [(2, actions, gamma, (10, 100, 1000)) for actions in (2, 3, 5) for gamma in (0.05, 0.1, 0.2)]
    settings += [(depth, 2, 0.1, (100, 1000, 10_000)) for depth in (2, 3, 4)]
    rows, passed = [], True
    for depth, actions, gamma, budgets in settings:
        means: dict[str, list[float]] = {}
        halves: dict[str, list[float]] = {}
        forms = [form_of(f"random_game(actions={actions},depth={depth},utility=leaves,seed={g})") for g in range(games)]
        worth = [solve(form, "lp").value[0] for form in forms]
        for name, how in MEANS.items():
            spec = f"sm-mcts({how},growth=joint,gamma={gamma})"
            # runs of one game are alike, so that the interval is that of the mean over games
            by_game = [
                np.mean([losses(form, v, spec, budgets, run) for run in range(runs)], axis=0)
                for form, v in zip(forms, worth, strict=True)
            ]
            means[name] = [fmean(point) for point in zip(*by_game, strict=True)]
            halves[name] = [half_width(point) for point in zip(*by_game, strict=True)]
            rows += [
                {"game": f"random_game(actions={actions},depth={depth})", "algorithm": name, "gamma": gamma,
                 "simulations": n, "exploitability": m, "+-": h}
                for n, m, h in zip(budgets, means[name], halves[name], strict=True)
            ]  # fmt: skip
            passed &= all(a > b for a, b in zip(means[name], means[name][1:], strict=False))
        pairs = zip(means["rm"], means["rmm"], halves["rm"], halves["rmm"], strict=True)
        passed &= all(slow > fast - math.hypot(a, b) for fast, slow, a, b in pairs)
    return Verdict(rows, passed)


def worst_cases(scale: Scale) -> Verdict:
    """The floor: what the optimal strategy loses with a twentieth of uniform play mixed in everywhere."""
    small = scale.name == "small"
    budgets, runs = ((1000, 10_000, 100_000), 5) if small else ((1000, 10_000, 100_000, 1_000_000), 100)
    players = MEANS | {"exp3": "selection=exp3,means=no", "exp3m": "selection=exp3,means=yes"}
    rows, passed = [], True
    for name in ("late", "even"):
        form = form_of(f"worst_case(game={name})")
        optimal = solve(form, "lp")
        floor = floor_of(form, optimal.value[0], optimal.strategy.on(form), 0.05)
        last = {}
        for label, how in players.items():
            runs_of = [
                losses(form, optimal.value[0], f"sm-mcts({how},growth=joint,gamma=0.05)", budgets, run)
                for run in range(runs)
            ]
            for n, found in zip(budgets, zip(*runs_of, strict=True), strict=True):
                last[label] = fmean(found), half_width(found)
                rows.append({
                    "game": form.tree.game.spec, "algorithm": label, "simulations": n, "exploitability": last[label][0],
                    "+-": last[label][1], "floor": floor,
                })  # fmt: skip
        if name == "late":
            passed &= all(last[label][0] <= 1.1 * floor for label in MEANS)
        for fast, slow in (("rm", "rmm"), ("exp3", "exp3m")):
            passed &= last[slow][0] > last[fast][0] - math.hypot(last[fast][1], last[slow][1])
    return Verdict(rows, passed)


def floor_of(form: SequenceForm, value: float, behaviour: np.ndarray, gamma: float) -> float:
    mixed = behaviour + gamma * (form.uniform() - behaviour)
    return value + form.best_response(form.plan(mixed), 1)[0]


def convergence(
    scale: Scale, game: str, agents: Mapping[str, str], small: Sequence[int], full: Sequence[int], runs: int
) -> tuple[list[dict[str, Any]], dict[str, list[float]]]:
    """Rows, and each agent's mean exploitability after each budget, over three seeds or so many runs."""
    budgets, seeds = (small, 3) if scale.name == "small" else (full, runs)
    form, rows, means = form_of(game), [], {}
    for name, spec in agents.items():
        curves = [
            [point.exploitability for point in converge(form.tree.game, spec, budgets, seed=seed, form=form)]
            for seed in range(seeds)
        ]
        means[name] = [fmean(found) for found in zip(*curves, strict=True)]
        rows += [
            {"game": game, "algorithm": spec, "simulations": n, "exploitability": fmean(found), "+-": half_width(found)}
            for n, found in zip(budgets, zip(*curves, strict=True), strict=True)
        ]
    return rows, means


def agents_of(exploration: float, nodes: int) -> dict[str, str]:
    """The agents of sec. 4.2.2; the constant of DUCT is the best for each game there, on rewards scaled to [0, 1]."""
    return {
        "oos": f"oos(gamma=0.6,epsilon=0,nodes={nodes})",
        "rm": f"sm-mcts(selection=rm,gamma=0.1,nodes={nodes})",
        "exp3": f"sm-mcts(selection=exp3,gamma=0.1,nodes={nodes})",
        "duct": f"sm-mcts(selection=duct,exploration={exploration:g},nodes={nodes})",
    }


def goofspiel(scale: Scale) -> Verdict:
    agents = agents_of(2.5, 400_000)
    rows, means = convergence(
        scale, "goofspiel(cards=5,bids=open)", agents, (100_000, 1_000_000), (10**6, 10**7, 6 * 10**7), 20
    )
    end = [means[name][-1] for name in ("oos", "rm", "exp3", "duct")]
    return Verdict(rows, end == sorted(end) and means["duct"][-1] > 0.3)


def oshi_zumo(scale: Scale) -> Verdict:
    agents = agents_of(1, 2_000_000)
    rows, means = convergence(scale, "oshi_zumo", agents, (100_000, 1_000_000), (10**6, 10**7, 10**8), 20)
    end = [means[name][-1] for name in ("oos", "rm", "duct", "exp3")]
    return Verdict(rows, end == sorted(end))


def random_game(scale: Scale) -> Verdict:
    agents = agents_of(1.2, 2_000_000)
    rows, means = convergence(scale, "random_game(seed=1)", agents, (100_000, 1_000_000), (10**6, 10**7, 6 * 10**7), 20)
    end = {name: found[-1] for name, found in means.items()}
    return Verdict(rows, end["oos"] < end["rm"] < min(end["exp3"], end["duct"]) and end["exp3"] < end["duct"])


TABLE_4_1 = """
oos    48.5 45.9 42.1 42.3 73.8
duct   53.9 48.3 50.6 50.7 66.3
exp3   57.5 48.3 51.4 42.9 66.3
rm     57.8 49.0 56.1 50.0 66.2
random 26.2 34.3 29.1 35.0 49.6
"""
TABLE_4_2 = """
oos    53.5 52.0 56.9 31.4 97.3
duct   53.8 50.5 55.3 32.3 94.0
exp3   47.3 45.1 48.9 26.0 94.2
rm     73.1 67.8 75.5 48.1 99.0
random  3.4  5.6  5.3  0.7 48.5
"""
TABLE_4_3 = """
oos    51.1 40.2 37.1 36.0 82.8
duct   57.1 52.5 46.9 47.9 85.7
exp3   65.3 54.5 49.2 51.5 91.5
rm     64.8 55.1 54.0 55.0 87.1
random 19.7 17.4 11.1 12.4 49.9
"""
"""Tables 4.1 to 4.3, with 1 s a move, random playouts, and the point cards of goofspiel in falling order: percent of the row."""


def matches(scale: Scale, games: Sequence[str], table: str) -> tuple[list[dict[str, Any]], Cells]:
    small = scale.name == "small"
    budget = "simulations=1000" if small else "seconds=1"
    players = {
        "oos": f"oos({budget},gamma=0.6,epsilon=0,progress=root)",
        "duct": f"sm-mcts({budget},selection=duct)",
        "exp3": f"sm-mcts({budget},selection=exp3,gamma=0.2)",
        "rm": f"sm-mcts({budget},selection=rm,gamma=0.1)",
        "random": "random",
    }
    return play_table(games, players, read_table(table), 50 if small else 1000)


SEARCHES = ("oos", "duct", "exp3", "rm")


def large_goofspiel(scale: Scale) -> Verdict:
    rows, cells = matches(scale, ["goofspiel(cards=13,bids=open)"], TABLE_4_1)
    beaten = all(cells[name, "random"].mean > 60 for name in SEARCHES)
    return Verdict(rows, beaten and cells["rm", "oos"].mean > 55)


def large_oshi_zumo(scale: Scale) -> Verdict:
    rows, cells = matches(scale, ["oshi_zumo(coins=50)"], TABLE_4_2)
    beaten = all(cells[name, "random"].mean > 93 for name in SEARCHES)
    return Verdict(rows, beaten and all(cells["rm", name].mean > 60 for name in ("oos", "duct", "exp3")))


def large_random_game(scale: Scale) -> Verdict:
    rows, cells = matches(scale, [f"random_game(seed={n},actions=5,depth=15)" for n in range(10)], TABLE_4_3)
    beaten = all(cells[name, "random"].mean > 80 for name in SEARCHES)
    return Verdict(rows, beaten and all(cells["oos", name].mean < 45 for name in ("duct", "exp3", "rm")))


PAPER: dict[str, Target] = {
    "S-1": Target(
        "regret matching with values or means passed on, random games (fig. 2)",
        "exploitability falls from each budget to the next, and means (rmm) are nowhere below values (rm) beyond the intervals",
        passing_on_means, "regrets take the mean of what a joint move returned, not that of the stage it leads to",
    ),
    "S-2": Target(
        "the hardest games of two stages (fig. 3)",
        "in `late`, rm and rmm end within a tenth of the floor that exploration leaves; means are nowhere faster beyond the intervals",
        worst_cases, "the games are the hardest that were found here; the printed ones are known by their picture only",
    ),
}  # fmt: skip
RUNS = "simulations as the printed seconds and speeds give"
THESIS: dict[str, Target] = {
    "L-1": Target(
        "goofspiel with 5 open cards, convergence (fig. 4.6)", "at the end oos < rm < exp3 < duct, and duct stays above 0.3", goofspiel, RUNS
    ),
    "L-2": Target("Oshi-Zumo(10,3,1), convergence (fig. 4.7)", "at the end oos < rm < duct < exp3", oshi_zumo, RUNS),
    "L-3": Target(
        "a random game of 4 actions and 5 stages, convergence (fig. 4.8)", "at the end oos < rm < exp3 < duct", random_game,
        f"{RUNS}; the game is not the printed one, which is not told",
    ),
    "L-4": Target(
        "goofspiel with 13 open cards, matches (Table 4.1)",
        "rm wins more than 55% against oos, and every search more than 60% against random", large_goofspiel,
        "the printed seconds, of another machine",
    ),
    "L-5": Target(
        "Oshi-Zumo(50,3,1), matches (Table 4.2)",
        "rm wins more than 60% against every other search, and every search more than 93% against random", large_oshi_zumo,
        "the printed seconds, of another machine",
    ),
    "L-6": Target(
        "random games of 5 actions and 15 stages, matches (Table 4.3)",
        "oos wins less than 45% against every other search, and every search more than 80% against random", large_random_game,
        "the printed seconds, of another machine; the ten games are not the printed ones, which are not told",
    ),
}  # fmt: skip
