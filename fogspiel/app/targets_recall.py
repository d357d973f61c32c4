"""Experiments of Lanctot 2013, ch. 5: abstractions and imperfect recall. Exploitability is that of the full game."""

from itertools import pairwise, product
from typing import Any

import numpy as np

from fogspiel.app.verdict import Scale, Target, Verdict
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.reproduce.lanctot_2013.sizes import bluff_sizes, phantom_sizes
from fogspiel.solve.registry import read_solver
from fogspiel.solve.response import form_of, plan_exploitability
from fogspiel.solve.solver import Solver, Task
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import unroll

POKER = {"die_roll_poker": 2610, "die_roll_poker(recall=sum)": 860}
BIDS = {
    24: 704_643_030, 10: 295_534_218, 8: 108_323_418, 6: 22_518_468, 4: 2_329_068, 3: 543_900, 2: 97_608, 1: 12_600
}  # fmt: skip
PHANTOM = {"none": 11_695_314, "fosf": 9_347_010, "foi": 1_147_530, "fos": 1_484_168, "foe": 47_818}
"""Table 5.1. Of the 24 bids of Bluff(2,2) the last so many are remembered."""


def sizes(scale: Scale) -> Verdict:
    """What is too large to unroll is counted from what each player knows."""
    rows, passed = [], True

    def compare(game: str, printed: int, pairs: int, allowed: float) -> bool:
        rows.append({"game": game, "printed": printed, "pairs": pairs, "off by %": 100 * (pairs / printed - 1)})
        return abs(pairs - printed) <= allowed * printed

    for game, printed in POKER.items():
        passed &= compare(game, printed, unroll(game).abstract_pairs, 0)
    for r, printed in BIDS.items():
        passed &= compare(f"bluff(dice1=2,dice2=2,remember={r})", printed, bluff_sizes((2, 2), 6, r)[1], 0)
    found = phantom_sizes()
    for name, printed in PHANTOM.items():
        passed &= compare(f"phantom_tic_tac_toe(abstraction={name})", printed, found[name][1], 0.04)
    return Verdict(rows, passed)


def solver(form: SequenceForm, algorithm: str) -> Solver:
    _, entry, values = read_solver(algorithm)
    return entry.make(Task.on(form), values)


def curve(game: str | Game, algorithm: str, iterations: list[int]) -> list[dict[str, Any]]:
    """A row for each of rising numbers of iterations."""
    form = form_of(game)
    one, rows = solver(form, algorithm), []
    for goal in iterations:
        one.advance(goal - one.iterations)
        found = plan_exploitability(form, one.plan())
        rows.append({"game": form.tree.game.spec, "algorithm": algorithm, "iterations": goal, "exploitability": found})
    return rows


def averaging(scale: Scale) -> Verdict:
    small = scale.name == "small"
    rows, passed = [], True
    for game, last, allowed in (
        ("die_roll_poker(recall=sum)", 1000 if small else 10_000, 1e-6),
        ("bluff(remember=4)", 1000 if small else 5000, 1e-3),
    ):
        full, abstract = (curve(game, f"cfr(average={how})", [10, 100, last]) for how in ("full", "abstract"))
        rows += full + abstract
        apart = [abs(a["exploitability"] - b["exploitability"]) for a, b in zip(full, abstract, strict=True)]
        passed &= max(apart) < allowed
    return Verdict(rows, passed)


def skew(scale: Scale) -> Verdict:
    last = 10_000 if scale.name == "small" else 100_000
    curves = {
        (recall, skew): curve(
            f"die_roll_poker(recall={recall},skew={skew})", "cfr(updates=simultaneous)", [last // 10, last]
        )
        for recall, skew in (("full", 0), *(("sum", skew) for skew in (0, 0.01, 0.05, 0.1, 0.2, 0.4)))
    }
    (unabstracted, _), *forgetting = (
        [late["exploitability"], early["exploitability"]] for early, late in curves.values()
    )
    floors = [late for late, _ in forgetting]
    late, early = forgetting[0]
    passed = all(a < b for a, b in pairwise(floors)) and late < early / 2 and abs(late / unabstracted - 1) <= 0.2
    return Verdict([row for rows in curves.values() for row in rows], passed)


def phantom(scale: Scale) -> Verdict:
    """X has the centre, O has a corner, and both know it: the whole game cannot be unrolled."""
    last = 400 if scale.name == "small" else 4000
    rows, late, fall = [], {}, {}
    for name in PHANTOM:
        game = load(f"phantom_tic_tac_toe(abstraction={name})")
        state = game.start()
        for square in (4, 4, 0, 0):
            state.play(square)
        game.root[:] = state.data
        here = curve(game, "cfr(learner=rm+)", [last // 4, last])
        before, late[name] = (row["exploitability"] for row in here)
        fall[name] = late[name] / before
        rows += here
    others = ("foi", "fos", "foe")
    flat = all(fall[name] > 0.9 for name in others)
    return Verdict(rows, fall["fosf"] < 0.5 and flat and late["fos"] == min(late[name] for name in others))


def bids(scale: Scale) -> Verdict:
    small = scale.name == "small"
    game, last = ("bluff", 2000) if small else ("bluff(dice1=2,rounds=valued)", 10_000)
    named = game.removesuffix(")") + ("(" if small else ",")
    algorithm, steps = "cfr(updates=simultaneous)", [last // 10, last]
    rows, late = [], []
    for r in (1, 2, 3, 4, 6, 8):
        rows += curve(f"{named}remember={r})", algorithm, steps)
        late.append(rows[-1]["exploitability"])
    rows += curve(game, algorithm, steps)
    return Verdict(rows, all(a > b for a, b in pairwise(late)) and late[-1] < 2 * rows[-1]["exploitability"])


def deadlock(scale: Scale) -> Verdict:
    """Regret is that among strategies that forget: a player that remembers would gain twice as much."""
    iterations = 2000 if scale.name == "small" else 100_000
    rows, passed = [], True
    for xi in (0.25, 0.5, 0.75):
        form = form_of(f"deadlock(xi={xi})", forgetful=True)
        algorithm, played = "cfr(updates=simultaneous,average=abstract)", []
        one = solver(form, algorithm)
        for _ in range(iterations):
            played.append(one.current.copy())
            one.advance(1)
        frozen = 1 + max((t for t in range(1, iterations) if not np.array_equal(played[t], played[t - 1])), default=0)
        gain = best_pure(form, np.mean(played, axis=0)) - np.mean([form.values(plan)[0] for plan in played])
        rows.append({
            "game": form.tree.game.spec, "algorithm": algorithm, "iterations": iterations, "fixed from": frozen,
            "regret": float(gain), "(1 - xi) / 4": (1 - xi) / 4,
        })  # fmt: skip
        passed &= frozen <= 3 and abs(gain - (1 - xi) / 4) <= 2 / iterations
    return Verdict(rows, passed)


def best_pure(form: SequenceForm, plan: np.ndarray) -> float:
    """The most that player 0 can get with two actions everywhere and one choice for all sets that it cannot tell apart."""
    sets = range(*form.sets[:2])
    heads = sorted({int(form.leader[i]) for i in sets})
    own, best = slice(*form.begin[:2]), -np.inf
    for choice in product((0, 1), repeat=len(heads)):
        behaviour = form.behaviour(plan)
        for i in sets:
            behaviour[form.first[i] : form.first[i] + 2] = np.eye(2)[choice[heads.index(form.leader[i])]]
        tried = plan.copy()
        tried[own] = form.plan(behaviour)[own]
        best = max(best, form.values(tried)[0])
    return float(best)


TARGETS: dict[str, Target] = {
    "R-9": Target(
        "sizes of abstractions, (information set, action) pairs (Table 5.1)",
        "die-roll poker and Bluff(2,2) are as printed, phantom tic-tac-toe within 4%", sizes,
    ),
    "R-10": Target(
        "full and abstract averaging (fig. 5.3)", "exploitabilities are equal in die-roll poker, and differ by less than 0.001 in bluff",
        averaging,
    ),
    "R-11": Target(
        "skewed die-roll poker (fig. 5.4)",
        "exploitability at the end rises with the skew; without skew it falls to less than half from a tenth of the iterations on, and is within a fifth of the full game's",
        skew, "CFR walks every outcome of chance, where the print samples them; the skews are ours, none are printed",
    ),
    "R-12": Target(
        "abstractions of phantom tic-tac-toe, from a position with two known stones (fig. 5.4)",
        "in the last three quarters of the iterations FOSF falls to less than half, the others by less than a tenth; FOS is the lowest of these",
        phantom, "the game after two known stones, with regret matching+; printed is the whole game, which has 9.8 billion ends",
    ),
    "R-13": Target(
        "bluff with the last r bids remembered (fig. 5.4)",
        "exploitability at the end falls as r rises; with r = 8 it is less than twice that of the full game", bids,
        "Bluff(2,1), and CFR walks every outcome of chance; printed is Bluff(2,2), with chance sampled",
    ),
    "R-14": Target(
        "the deadlock (fig. 5.2)",
        "the profile does not change from iteration 3 on; the first player's average regret tends to (1 - xi) / 4", deadlock,
    ),
}  # fmt: skip
