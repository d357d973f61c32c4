"""Searches that are given the same time (Whitehouse 2014, sec. 6.3.2, computation time).

Time is iterations, as in print, where each search was given as many as its speed at the first decision allows. The
speeds are lost but for these facts: determinized UCT made about 10,000 iterations a second in Dou Di Zhu, ISMCTS a
third of that there and in Lord of the Rings: The Confrontation, and in the phantom game all made 10,000 in less than a
second.
"""

import math
import time
from itertools import product
from typing import Any

from fogspiel.evaluate.thought import think
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import at_most, combined, difference, each, less, row_of
from fogspiel.reproduce.whitehouse_2014.determinization import CONFRONTATION, FEWER, GAME, MORE, UNTOLD
from fogspiel.reproduce.whitehouse_2014.playing import DETERMINIZED, EVEN, ISMCTS, trees, utilities
from fogspiel.reproduce.whitehouse_2014.tournaments import MO, PHANTOM, SO, at_once

DETERMINIZED_SPEED, ISMCTS_SPEED = 10_000, 3_333
PHANTOM_SPEEDS = (30_000, 10_000)
SPEEDS = "iterations as the printed seconds and speeds give, as far as these are told"
SEARCHES = {DETERMINIZED: f"pimc({MORE})", SO: "so-ismcts(simulations=10000)", MO: "mo-ismcts(simulations=10000)"}
GAMES = {"Dou Di Zhu": GAME, "The Confrontation": CONFRONTATION, "phantom 4,4,4": PHANTOM}


def in_proportion(iterations: float, count: int, each: int) -> str:
    """So many iterations, in trees that are as many to the iterations of each as `count` to `each`."""
    d = max(1, round(math.sqrt(iterations * count / each)))
    return trees(d, max(1, round(iterations / d)))


def first_decision(seed: int, game: str, search: str) -> dict[str, float]:
    """Iterations in a second of processor time, at the first decision of a game."""
    think(GAMES[game], SEARCHES[search], seed=0)
    begun = time.process_time()
    think(GAMES[game], SEARCHES[search], seed=seed)
    return {"iterations": 10_000 / (time.process_time() - begun)}


def ismcts_is_slower(table: Table) -> Answer:
    """Two to four times in each game, MO-ISMCTS the slower where both search the same tree; in the phantom game nobody
    takes a second."""
    pairs = [(row_of(table, game, DETERMINIZED), row_of(table, game, one)) for game, one in product(GAMES, (SO, MO))]
    beyond = [combined((1, fast), (-2, slow)) for fast, slow in pairs]
    beyond += [combined((4, slow), (-1, fast)) for fast, slow in pairs]
    same = less(row_of(table, "Dou Di Zhu", MO), row_of(table, "Dou Di Zhu", SO))
    quick = each((row_of(table, "phantom 4,4,4", one) for one in SEARCHES), lambda row: row.above(10_000))
    return every([each(beyond, lambda row: row.above(0)), same, quick])


FIG_6_6 = Item(
    where="fig. 6.6",
    about="speed of determinized UCT, SO-ISMCTS and MO-ISMCTS",
    experiments=Measurements(
        about="iterations a second at the first decision",
        function=first_decision,
        grid={"game": [*GAMES], "search": [*SEARCHES]},
        by=("game", "search"),
        measure="iterations",
        printed={("Dou Di Zhu", DETERMINIZED): 10_000},
        scales={"small": Scale(8), "paper": Scale(25)},
        criterion=(
            "in every game determinized UCT does two to four times the iterations of SO-ISMCTS and of "
            "MO-ISMCTS, in Dou Di Zhu SO-ISMCTS more than MO-ISMCTS, and in the phantom game all of them 10,000 in "
            "less than a second"
        ),
        passes=ismcts_is_slower,
    ),
    apart="the machine is another",
    remarks=(
        "At the small scale SO-ISMCTS and MO-ISMCTS are 1.3 to 2 times faster than determinized UCT, where print "
        "has them slower."
    ),
    cause=Cause(
        "program",
        (
            "here all of them are one compiled loop, in which a state is redrawn at little cost, and determinized UCT "
            "begins 40 trees anew; in print a program in C++ or C# descends one tree or several for each iteration."
        ),
    ),
)


def landlord_in_time(seed: int, seconds: float, peasants: str) -> dict[str, list[Any]]:
    """Whether a landlord wins a deal that thinks so long, with each search."""
    searches = {
        DETERMINIZED: f"pimc({in_proportion(DETERMINIZED_SPEED * seconds, 40, 250)})",
        ISMCTS: f"so-ismcts(simulations={round(ISMCTS_SPEED * seconds)},bandit=ucb(exploration=1))",
    }
    won = [100.0 * (utilities(GAME, [one, *[f"pimc({peasants})"] * 2], seed, seed)[0] > 0) for one in searches.values()]
    return {"landlord": [*searches], "won": won}


SECONDS = [0.25, 0.5, 1, 2, 4, 8]


def never_apart(table: Table) -> Answer:
    pairs = [(row_of(table, t, DETERMINIZED), row_of(table, t, ISMCTS)) for t in SECONDS]
    return every(difference(*pair).inside(-EVEN, EVEN) for pair in pairs)


FIG_6_7 = Item(
    where="fig. 6.7",
    about="Dou Di Zhu, ISMCTS and determinized UCT in the same time",
    experiments=Measurements(
        about="percent of deals that the landlord wins",
        function=landlord_in_time,
        grid={"seconds": SECONDS},
        by=("seconds", "landlord"),
        measure="won",
        scales={
            "small": Scale(80, seconds=[0.05, 0.25], peasants=FEWER),
            "medium": Scale(200, seconds=[0.25, 1], peasants=FEWER),
            "paper": Scale(1000, peasants=MORE),
        },
        criterion="at every printed time, from 0.25 to 8 s, the two searches win as much, to within 4.4 points",
        passes=never_apart,
    ),
    apart=f"{SPEEDS}; deals are drawn; {UNTOLD}",
    remarks=(
        "At the medium scale, in 200 deals, ISMCTS wins 70% in 0.25 s and 75% in a second, determinized UCT 62 "
        "and 71%, each give or take 7."
    ),
    needs="paper",
)


def confrontation_in_time(seed: int, seconds: float) -> dict[str, list[Any]]:
    """Whether MO-ISMCTS wins as Light and as Dark against determinized UCT that thinks as long."""
    mo = at_once(f"mo-ismcts(simulations={max(1, round(ISMCTS_SPEED * seconds))})")
    iterations = round(DETERMINIZED_SPEED * seconds)
    light = utilities(CONFRONTATION, [mo, at_once(f"pimc({in_proportion(iterations, 10, 1000)})")], seed, seed)[0]
    dark = utilities(CONFRONTATION, [at_once(f"pimc({trees(1, iterations)})"), mo], seed, seed)[1]
    return {"MO-ISMCTS as": ["Light", "Dark"], "won": [100.0 * (light > 0), 100.0 * (dark > 0)]}


CONFRONTATION_SCALES = {
    "small": Scale(16, seconds=[0.02, 0.2]),
    "medium": Scale(24, seconds=[0.02, 0.2, 1]),
    "paper": Scale(500),
}
TIMES = [1, 3, 5, 10, 15, 30]


def better_with_time(table: Table) -> Answer:
    rows = [row_of(table, t) for t in TIMES]
    return every([at_most(rows[0], 50, EVEN), *(row.above(50) for row in rows[1:]), less(rows[0], rows[-1])])


FIG_6_8 = Item(
    where="fig. 6.8",
    about="Lord of the Rings: The Confrontation, MO-ISMCTS and determinized UCT in the same time",
    experiments={
        "sides": Measurements(
            about="percent of games that MO-ISMCTS wins as Light and as Dark",
            function=confrontation_in_time,
            grid={"seconds": TIMES},
            by=("seconds", "MO-ISMCTS as"),
            measure="won",
            scales=CONFRONTATION_SCALES,
        ),
        "both": Measurements(
            about="percent of games that MO-ISMCTS wins",
            function=confrontation_in_time,
            grid={"seconds": TIMES},
            by=("seconds",),
            measure="won",
            scales=CONFRONTATION_SCALES,
            criterion=(
                "in a second MO-ISMCTS wins no more than half, by more than 4.4 points, from three seconds on "
                "more than half, and in 30 more than in one, beyond the intervals"
            ),
            passes=better_with_time,
        ),
    },
    apart=(
        f"{SPEEDS}; set-ups are drawn, with Frodo, Sam and the Balrog at home; sides by themselves are not asked, "
        f"because print tells of both together; {UNTOLD}"
    ),
    remarks=(
        "At the medium scale, in 24 games on each side, MO-ISMCTS wins 42% in a second, which is not told from "
        "half, give or take 12; 71% as Light and 12% as Dark. The longer times are in the scale `paper` alone."
    ),
    needs="paper",
)

PAIRS = {
    "MO-ISMCTS, determinized UCT": (MO, DETERMINIZED),
    "SO-ISMCTS, determinized UCT": (SO, DETERMINIZED),
    "MO-ISMCTS, SO-ISMCTS": (MO, SO),
}


def phantom_in_time(seed: int, seconds: float, pair: str) -> dict[str, list[Any]]:
    """What the first of a pair wins when it moves first and when it moves second, in percent."""
    fast, slow = (round(speed * seconds) for speed in PHANTOM_SPEEDS)
    specs = {
        DETERMINIZED: f"pimc({in_proportion(fast, 40, 250)})",
        SO: f"so-ismcts(simulations={slow})",
        MO: f"mo-ismcts(simulations={slow})",
    }
    one, other = (specs[name] for name in PAIRS[pair])
    first, second = utilities(PHANTOM, [one, other], seed, seed)[0], utilities(PHANTOM, [other, one], seed, seed)[1]
    return {"moves": ["first", "second"], "won": [50 * (1 + first), 50 * (1 + second)]}


PHANTOM_SCALES = {
    "small": Scale(20, seconds=[0.01, 0.1]),
    "medium": Scale(60, seconds=[0.02, 0.25]),
    "paper": Scale(500),
}
PHANTOM_TIMES = [0.25, 0.5, 1, 1.5, 2, 3, 4, 5]


SHORT = 1.5
"""Seconds up to which MO-ISMCTS is ahead, and the first to move is."""


def weaker_with_time(table: Table) -> Answer:
    """Against determinized UCT MO-ISMCTS begins better and ends worse, and SO-ISMCTS falls, too, and ends worse than
    MO-ISMCTS, which beats it throughout."""
    mo, so, both = PAIRS
    times = sorted(table.values("seconds"))
    if len(times) < 2:
        return None
    first, last = times[0], times[-1]
    crosses = [row_of(table, mo, first).above(50), row_of(table, mo, last).below(50)]
    falls = [
        less(row_of(table, so, last), row_of(table, so, first)),
        less(row_of(table, so, last), row_of(table, mo, last)),
    ]
    return every([*crosses, *falls, *(row_of(table, both, t).above(50) for t in (first, last))])


def first_is_ahead(table: Table) -> Answer:
    times = [t for t in table.values("seconds") if t < SHORT]
    ahead = (
        difference(row_of(table, pair, t, "first"), row_of(table, pair, t, "second")) for pair in PAIRS for t in times
    )
    return each(ahead, lambda more: more.above(0)) if times else None


FIG_6_9 = Item(
    where="fig. 6.9",
    about="phantom 4,4,4, ISMCTS and determinized UCT in the same time",
    experiments={
        "seats": Measurements(
            about="percent of points that the first of a pair wins, as the first and as the second player",
            function=phantom_in_time,
            grid={"pair": [*PAIRS], "seconds": PHANTOM_TIMES},
            by=("pair", "seconds", "moves"),
            measure="won",
            scales=PHANTOM_SCALES,
            criterion="in less than 1.5 s the first of each pair wins more when it moves first, beyond the intervals",
            passes=first_is_ahead,
        ),
        "both": Measurements(
            about="percent of points that the first of a pair wins",
            function=phantom_in_time,
            grid={"pair": [*PAIRS], "seconds": PHANTOM_TIMES},
            by=("pair", "seconds"),
            measure="won",
            scales=PHANTOM_SCALES,
            criterion="MO-ISMCTS wins more than half against determinized UCT in the shortest time, and less than "
            "half in the longest, where SO-ISMCTS wins less than in the shortest, and less than MO-ISMCTS; against "
            "SO-ISMCTS MO-ISMCTS wins more than half in both, all beyond the intervals",
            passes=weaker_with_time,
        ),
    },
    apart=(
        f"{SPEEDS}: 30,000 a second for determinized UCT and 10,000 for ISMCTS are assumed; a draw is half a win; "
        f"{UNTOLD}"
    ),
    remarks="At the medium scale, in 60 games in each seat, who moves first is far ahead with every pair, as "
    "printed. In 0.02 and 0.25 s MO-ISMCTS wins 48 and 50% against determinized UCT, SO-ISMCTS 46 and 50%, and "
    "MO-ISMCTS 50 and"
    " 47% against SO-ISMCTS, each give or take 8, which tells no difference; the printed changes come above 1.5 s.",
)
