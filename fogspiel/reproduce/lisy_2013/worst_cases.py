"""The hardest games of two stages with two moves each: fig. 3, and the search for them (sec. 5.2)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import at_most, less, scaled
from fogspiel.reproduce.lisy_2013.measuring import MEANS, floor, losses, player
from fogspiel.solvers.response.response import form_of
from fogspiel.solvers.run import solve

GAMMA = 0.05
SIMULATIONS = 1000
GAMES = 3**16
HARD = ("even", "late")
MARGIN = 0.05
PAIRS = (("RM", "RMM"), ("Exp3", "Exp3M"))


def on_a_hard_game(seed: int, game: str, method: str, selection: str, most: int) -> dict[str, list[Any]]:
    """Exploitability after 100 simulations, and again and again ten times as many."""
    form = form_of(f"worst_case(game={game})")
    budgets = [10**n for n in range(2, len(str(most)))]
    chosen, means = (
        "exp3" if method.startswith("Exp3") else selection,
        "yes" if method.endswith("M") and method != "RM" else "no",
    )
    found = losses(form, solve(form, "lp").value[0], player(chosen, means, GAMMA), budgets, seed)
    least = floor(form, GAMMA)
    return {"simulations": budgets, "exploitability": found, "of the floor": [x / least for x in found]}


def on_any_game(seed: int, selection: str, games: int, searches: int, again: int) -> dict[str, float]:
    """Of games drawn from the class: how many of the hardest tenth for one method are among those for the other, how
    both exploitabilities are correlated, and in how many games RMM is better than RM. The tenth where it seems so is
    searched `again` times."""
    rng = np.random.default_rng(seed)
    members = rng.integers(GAMES, size=games).tolist()
    found = np.array(
        [[_mean(member, selection, how, rng, searches)[0] for how in MEANS.values()] for member in members]
    )
    few = max(1, games // 10)
    hardest = [set(np.argsort(-column)[:few].tolist()) for column in found.T]
    better = 0
    for i in np.argsort(found[:, 1] - found[:, 0])[:few].tolist():
        (values, one), (means, other) = (_mean(members[i], selection, how, rng, again) for how in MEANS.values())
        better += means + 4 * np.hypot(one, other) < values
    return {
        "shared": len(hardest[0] & hardest[1]) / few,
        "correlation": float(np.corrcoef(found.T)[0, 1]),
        "better": float(better),
    }


def _mean(member: int, selection: str, means: str, rng: np.random.Generator, searches: int) -> tuple[float, float]:
    """The mean exploitability after 1000 simulations, and its standard error."""
    form = form_of(f"stacked_matrix(member={member})")
    value, spec = solve(form, "lp").value[0], player(selection, means, GAMMA, 1024)
    found = [losses(form, value, spec, [SIMULATIONS], int(rng.integers(2**62)))[0] for _ in range(searches)]
    return float(np.mean(found)), float(np.std(found) / np.sqrt(searches))


def means_are_never_faster(table: Table) -> Answer:
    return every(
        at_most(scaled(table[game, fast, n], 1 - MARGIN), table[game, slow, n])
        for fast, slow in PAIRS
        for game in HARD
        for n in table.values("simulations")
    )


def the_floor_is_reached(table: Table) -> Answer:
    last = max(table.values("simulations"))
    return every(table[game, method, last].inside(1 - MARGIN, 1 + MARGIN) for game in HARD for method in ("RM", "RMM"))


def all_come_to_the_floor(table: Table) -> Answer:
    *_, before, last = sorted(table.values("simulations"))
    from_above = (
        every(
            [
                less(table[game, method, last], table[game, method, before]),
                at_most(1 - MARGIN, table[game, method, last]),
            ]
        )
        for game in HARD
        for method in ("Exp3", "Exp3M")
    )
    return every([the_floor_is_reached(table), *from_above])


def hard_for_both(table: Table) -> Answer:
    return table[()].above(0.1)


def never_better(table: Table) -> Answer:
    return table[()].value == 0


FLOOR = "after 10^6 simulations RM and RMM are within 5% of the floor"


def hard_games(selection: str, criterion: str, passes: Callable[[Table], Answer]) -> dict[str, Measurements]:
    """The convergence in two hard games, and what is asked of it as a multiple of the floor."""
    told: dict[str, Any] = {
        "function": on_a_hard_game,
        "by": ("game", "method", "simulations"),
        "grid": {"game": list(HARD), "method": ["RM", "RMM", "Exp3", "Exp3M"], "selection": [selection]},
        "scales": {"small": Scale(10, most=10**6), "medium": Scale(30, most=10**6), "paper": Scale(100, most=10**6)},
    }
    return {
        "exploitability": Measurements(
            about="two hard games, exploitability of the first player",
            measure="exploitability",
            printed={(game, method, 10**6): x for game, x in (("even", 0.0119), ("late", 0.0367)) for method in MEANS},
            criterion="exploitability is with means nowhere lower by more than 5%",
            passes=means_are_never_faster,
            **told,
        ),
        "floor": Measurements(
            about="the same as a multiple of what exploration costs the optimal strategy",
            measure="of the floor",
            printed={(game, method, 10**6): 1 for game in HARD for method in MEANS},
            criterion=criterion,
            passes=passes,
            **told,
        ),
    }


def all_games(selection: str) -> dict[str, Measurements]:
    """The search through the class."""
    told: dict[str, Any] = {
        "function": on_any_game,
        "grid": {"selection": [selection]},
        "scales": {
            "small": Scale(4, games=80, searches=10, again=100),
            "medium": Scale(10, games=120, searches=20, again=200),
            "paper": Scale(430, games=100_000, searches=100, again=1000),
        },
    }
    return {
        "hardest": Measurements(
            about="of the hardest tenth for RM, how many are among the hardest for RMM",
            measure="shared",
            criterion="it is more than the tenth that chance would give",
            passes=hard_for_both,
            **told,
        ),
        "better": Measurements(
            about="games where RMM is better than RM, by four standard errors",
            measure="better",
            criterion="there is none among those drawn",
            passes=never_better,
            **told,
        ),
    }


DRAWN = "the games are drawn at random, as many as there are"
OTHERS = (
    "the printed games are known by their picture only; these are the hardest that were found here with a value "
    "of 1/2 and of 1"
)
SEARCH = Item(
    where="sec. 5.2",
    about="the search for hard games among all of two stages with two moves each that pay 0, 1/2 or 1",
    experiments=all_games("rm"),
    apart=DRAWN,
)
FIG_3 = Item(
    where="fig. 3",
    about="two hard games, convergence",
    experiments=hard_games(
        "rm",
        f"{FLOOR}, and Exp3 and Exp3M come nearer to it from 10^5 on, and are not below it by more than that",
        all_come_to_the_floor,
    ),
    apart=OTHERS,
    remarks=(
        "At the medium scale, in the game that is worth 1, RM and RMM reach the floor to within 1%. In the one that is "
        "worth 1/2 they are 10 and 18% above it after 10^6 simulations, which is why this fails: one of its stages is "
        "matching pennies, where frequencies that are not quite even cost something, too. Exp3 and Exp3M come to the "
        "floor from above, as printed, to within 1% in the game that is worth 1, and to 36 and 44% in the other. Means "
        "are slower in both."
    ),
    cause=Cause(
        "rules",
        "the printed games are in a picture alone, and ours, the hardest that were found, have floors of 0.0369 and "
        "0.0125 instead of 0.0367 and 0.0119, so that they are others. Another program, written from the pseudo-code, "
        "comes to 0.0137 and 0.0141 in the one that is worth 1/2, 10 and 13% above the floor, too.",
    ),
)
