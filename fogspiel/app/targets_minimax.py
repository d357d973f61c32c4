"""Experiments of Lanctot 2013, ch. 6: Monte Carlo *-minimax search.

Evaluations are those of the game files, since the source does not give its own; in Can't Stop that of the steps kept, with which its
order of players comes out.
"""

from statistics import fmean, pvariance
from typing import Any

from fogspiel.agents.registry import agent
from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.evaluate.match import match
from fogspiel.evaluate.referee import play_game
from fogspiel.game.load import load
from fogspiel.game.state import State
from fogspiel.search.lookahead import Minimax
from fogspiel.solve.value_iteration import state_values

TWINS = {"expss": "expectimax", "star1ss": "star1", "star2ss": "star2"}


def table(
    scale: Scale,
    game: str,
    games: int,
    nodes: int,
    widths: tuple[int, ...],
    widening: tuple[float, float],
    printed: tuple[float, ...],
) -> list[dict[str, Any]]:
    """A line of Table 6.1: each sampling search against its twin, each against DPW, and MCTS against DPW.

    The small scale plays so many games and counts nodes instead of 0.1 s a move; MCTS has a simulation for 10 nodes, which takes as
    long. Nothing is stored but what the source tells of: searches have no transposition table, MCTS has a tree.
    """
    small = scale.name == "small"
    games = games if small else 1000
    budget = f"nodes={nodes},table=0" if small else "seconds=0.1,table=0"
    simulations = f"simulations={nodes // 10}" if small else "seconds=0.1"
    mcts = f"mcts({simulations},cut=0,exploration=0.25,final=value,transpositions=no"
    dpw = f"{mcts},widen_c={widening[0]:g},widen_alpha={widening[1]:g})"
    sampling = {name: f"{name}({budget},width={width})" for name, width in zip(TWINS, widths, strict=True)}
    pairings = [(name, twin, sampling[name], f"{twin}({budget})") for name, twin in TWINS.items()]
    pairings += [(name, "dpw", sampling[name], dpw) for name in TWINS]
    pairings.append(("mcts", "dpw", f"{mcts})", dpw))
    rows = []
    for (first, second, *players), expected in zip(pairings, printed, strict=True):
        rate = match(game, players, games=games, seed=1).standings[0].win_rate
        rows.append({
            "game": game, "algorithm": f"{first} - {second}", "budget": simulations if first == "mcts" else budget,
            "games": games, "wins %": 100 * rate.value, "from": 100 * rate.low, "to": 100 * rate.high, "printed": expected,
        })  # fmt: skip
    return rows


def cant_stop(scale: Scale) -> Verdict:
    printed = (81.1, 84.4, 84.6, 80.4, 80.1, 77.9, 18.9)
    rows = table(scale, "cant_stop(evaluation=kept)", 16, 50_000, (5, 50, 18), (10, 0.2), printed)
    *sampled, plain = (row["wins %"] for row in rows)
    return Verdict(rows, min(sampled) >= 70 and plain <= 30)


def einstein(scale: Scale) -> Verdict:
    rows = table(scale, "einstein", 300, 3000, (5, 2, 4), (3, 0.05), (51.9, 50.7, 50.1, 49.7, 45.2, 50.1, 51.3))
    return Verdict(rows, all(45 <= row["wins %"] <= 55 for row in rows))


def pig(scale: Scale) -> Verdict:
    printed = (55.5, 51.4, 48.5, 49.9, 40.5, 46.1, 48.3)
    rows = table(scale, "pig(rolls=ordered)", 80, 30_000, (20, 2, 8), (5, 0.4), printed)
    expected, _, probing, *widened, _ = rows
    even = probing["from"] <= 50 <= probing["to"]
    return Verdict(rows, expected["wins %"] > 50 and even and all(row["wins %"] <= 50 for row in widened))


def estimates(scale: Scale) -> Verdict:
    """Searches without a transposition table, at the decisions of games that expectimax plays against itself."""
    small = scale.name == "small"
    games, samples, nodes = (2, 20, 30_000) if small else (3, 30, 30_000)
    game = load("pig(rolls=ordered)")
    worth = state_values(game)
    decisions: list[State] = [game.start()]
    for deal in range(games):
        players = [agent("expectimax(nodes=3000)"), agent("expectimax(nodes=3000)")]
        play_game(game, players, deal=deal, seed=deal, watch=lambda state: decisions.append(state.copy()))
    decisions = [state for state in decisions if state.actor >= 0 and len(state.moves()) > 1]
    rows = []
    for width in (0, 20, 10, 5, 3):
        search, errors = Minimax(game, "nothing", width=width, table=0), []
        for state in decisions:
            who = state.actor
            true = worth[who, state.key(who)] * (1 if who == 0 else -1)
            errors.append([])
            for search.seed in range(samples if width else 1):
                errors[-1].append(search.look(state, nodes=nodes).value - true)
        rows.append({
            "game": game.spec, "algorithm": f"expss(width={width})" if width else "expectimax", "nodes": nodes,
            "decisions": len(decisions), "abs. bias": fmean(abs(fmean(e)) for e in errors),
            "variance": fmean(pvariance(e) for e in errors), "mse": fmean(x * x for e in errors for x in e),
        })  # fmt: skip
    full, sampled, *_ = rows
    less = all(sampled[name] < full[name] for name in ("abs. bias", "mse"))
    return Verdict(rows, less and sampled["variance"] > full["variance"])


EVALUATIONS = "the evaluation is ours, the printed one is not told; how many nodes 0.1 s are depends on the machine"

TARGETS: dict[str, Target] = {
    "R-15": Target(
        "Monte Carlo *-minimax in Can't Stop (Table 6.1)",
        "every sampling search wins 70% or more against its twin and against DPW; MCTS wins 30% or less against DPW", cant_stop, EVALUATIONS,
    ),
    "R-16": Target(
        "Monte Carlo *-minimax in EinStein würfelt nicht! (Table 6.1)", "every pairing is within 50 +- 5%", einstein, EVALUATIONS
    ),
    "R-17": Target(
        "Monte Carlo *-minimax in Pig (Table 6.1)",
        "ExpSS wins more than half against Exp; 50% is in the 95% interval of Star2SS - Star2; no sampling search wins more than half against DPW",
        pig, EVALUATIONS,
    ),
    "R-18": Target(
        "estimates in Pig (figs. 6.2 to 6.4)",
        "ExpSS with the width of the matches, 20, has less absolute bias than Exp, more variance, and less mean squared error",
        estimates, "decisions of three games of our own, and of Exp and ExpSS only; printed are Star1, MCTS and DPW as well, and regrets",
    ),
}  # fmt: skip
