"""Ch. 7: variance reduction in UCT."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean, variance
from typing import Any

import numpy as np

from fogspiel.agents.agent import observe
from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.record import Record
from fogspiel.experiment import Matches, Measurements, Scale, every
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.load import load
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import at_most, combined, less, row_of
from fogspiel.reproduce.lanctot_2013.facts import child, facts, item
from fogspiel.solvers.exact.value_iteration import state_values

SOLITAIRE = "pig(players=1,turns=10,rolls=pairs)"
NOT_TOLD = "turns and scoring of the solitaire game are ours, the printed ones are not told"
ROLL, STOP = 0, 1


def pairing(seed: int, fact: str) -> dict[str, float]:
    """The mirror image of a roll of two dice, in Pig."""
    state = child(load(SOLITAIRE).start(), ROLL)
    mirror = state.game.plain["mirror"]
    odds = dict(state.chance())
    image = {roll: mirror(state.view, roll) for roll in odds}
    found = {
        "rolls that are their mirror image's mirror image": sum(image[image[roll]] == roll for roll in odds),
        "rolls as likely as their mirror image": sum(odds[image[roll]] == p for roll, p in odds.items()),
        "mirror image of 6-6": image[66],
    }
    return {"value": found[fact]}


MIRRORED = {
    "rolls that are their mirror image's mirror image": 21,
    "rolls as likely as their mirror image": 21,
    "mirror image of 6-6": 11,
}

TABLE_7_1 = item(
    "table 7.1",
    "antithetic pairs of rolls in Pig",
    facts(pairing, "what the text asks of the pairs, of 21 rolls", MIRRORED, fact=list(MIRRORED)),
    "The dice of the printed table are lost. Ours are paired by chance, doubles with doubles; the text tells that 6-6 "
    "goes with 1-1, and that partners must be equally likely.",
)


def uct(simulations: str, coefficient: float, variates: str) -> str:
    """UCT as in sec. 7.4: rollouts by the game's guide, the UCB constant half the range of the payoffs, the highest
    mean played."""
    control = f",control=covariate(coefficient={coefficient:g})" if "control" in variates else ""
    streams = "+".join(one for one in variates.split("+") if one in ("common", "antithetic"))
    made = control + (f",streams={streams}" if streams else "")
    return f"mcts(simulations={simulations},nodes=4096,bandit=ucb(exploration=0.5),playout=guide,final=value{made})"


@cache
def first_turn() -> tuple[float, float]:
    """What rolling is worth in the first turn of Pig, and how much more than stopping, by value iteration."""
    state = load(SOLITAIRE).start()
    values = state_values(state.game)
    roll, stop = values[0, state.key(0)], values[0, child(state, STOP).key(0)]
    return roll, roll - stop


def searched(seed: int, variates: str, simulations: int, searches: int) -> dict[str, list[Any]]:
    """Squared bias and variance, over so many searches, of what rolling is thought to be worth, and to be worth more
    than stopping."""
    game = load(SOLITAIRE)
    record, one = Record(0), agent(uct(str(simulations), 6, variates))
    record.see(game.start())
    seen = observe(game.start(), record, np.zeros(1, np.uint64))
    found: dict[str, list[float]] = {"roll": [], "difference": []}
    for number in range(searches):
        one.begin(game, 0, seed % 2**40 + number)
        one.choose(seen)
        assert isinstance(one, SearchAgent)
        roll, stop = (move.value for move in one.found if move.value is not None)
        found["roll"].append(roll)
        found["difference"].append(roll - stop)
    parts = {}
    for (name, values), true in zip(found.items(), first_turn(), strict=True):
        parts[f"variance, {name}"] = variance(values)
        parts[f"squared bias, {name}"] = (fmean(values) - true) ** 2 - variance(values) / searches
    return {"of": list(parts), "value": list(parts.values())}


def budgets(medium: int) -> dict[str, Scale]:
    """How many simulations a search has, and how many searches a run; `medium`: how many runs at that scale."""
    return {
        "small": Scale(5, simulations=[64, 128, 256], searches=200),
        "medium": Scale(medium, simulations=[16, 32, 64, 128, 256, 512, 1024, 2048], searches=500),
        "paper": Scale(10, simulations=[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], searches=5000),
    }


def bias_then_variance(table: Table) -> Answer:
    answers = []
    for n in table.values("simulations"):
        roll, difference = (
            [row_of(table, f"{part}, {name}", n) for part in ("squared bias", "variance")]
            for name in ("roll", "difference")
        )
        answers.append(less(roll[1], roll[0]))
        if n < 1024:
            answers += [less(*difference), difference[0].below(4)]
    return every(answers)


FIG_7_1 = Item(
    where="fig. 7.1",
    about="bias and variance of UCT in the first turn of Pig",
    experiments=Measurements(
        about=(
            "squared bias and variance of the estimated worth of rolling, and of its difference from stopping, by "
            "simulations"
        ),
        function=searched,
        grid={"variates": ["none"]},
        by=("of", "simulations"),
        measure="value",
        scales=budgets(24),
        criterion="for rolling squared bias is more than variance; for the difference variance is more than squared "
        "bias, and bias within 2, with fewer "
        "than 1024 simulations",
        passes=bias_then_variance,
    ),
    apart=NOT_TOLD,
    remarks=(
        "At the medium scale, in 24 times 500 searches, of rolling squared bias is 5 to 800 times the variance, and "
        "of the difference it is 0.5 to 2.7, where the "
        "variance is 8 or more, as printed."
    ),
)

TECHNIQUES = ("none", "control", "common", "antithetic", "control+common")
EQUAL = 0.05


def every_technique_helps(table: Table) -> Answer:
    budgets = sorted(table.values("simulations"))
    none, *single, both = ([row_of(table, name, n) for n in budgets] for name in TECHNIQUES)
    lower = [more_in_the_mean(one, none).below(0) for one in single]
    lowest = [more_in_the_mean(both, one).below(0) for one in single]
    return every([*lower, *lowest, at_most(more_in_the_mean(both[:-1], none[1:]), 0, EQUAL)])


def more_in_the_mean(ones: Sequence[Row], others: Sequence[Row]) -> Row:
    """By which share results are above others, in the mean over pairs."""
    terms = []
    for one, other in zip(ones, others, strict=True):
        weight = 1 / (len(ones) * other.value)
        terms += [(weight, one), (-weight, other)]
    return combined(*terms)


FIG_7_2 = Item(
    where="fig. 7.2",
    about="variance reduction in the first turn of Pig",
    experiments=Measurements(
        about="variance of the estimated difference between rolling and stopping, by simulations",
        function=searched,
        grid={"variates": TECHNIQUES},
        where={"of": "variance, difference"},
        by=("variates", "simulations"),
        measure="value",
        scales=budgets(5),
        criterion="in the mean over the numbers of simulations every technique has less variance than none, "
        "control+common has less than each, and no more than "
        "none has with twice the simulations, by more than 5%",
        passes=every_technique_helps,
    ),
    apart=NOT_TOLD,
    remarks=(
        "At the medium scale, in the mean over 16 to 2048 simulations, control variates have 48% less variance than "
        "none, common random numbers 24%, antithetic variates 20%, and control and common together 57%. As in print "
        "the advantage of common random numbers decays: with 2048 simulations they have as much variance as none."
    ),
)


MORE = "none, more simulations"


def points(
    game: str,
    coefficient: float,
    times: float,
    small: int,
    paper: int,
    criterion: str,
    passes: Callable[[Table], Answer],
) -> Matches:
    """Scores in whole games, and those of plain UCT with more simulations."""
    agents = {
        name: uct("{few}", coefficient, name) for name in TECHNIQUES if name != "antithetic" or "dominion" not in game
    }

    def size(runs: int, few: int) -> Scale:
        return Scale(runs, few=few, more=round(times * few))

    return Matches(
        about=f"points by 64 simulations a move, and by {round(64 * times)}",
        games=game,
        agents=agents | {MORE: uct("{more}", coefficient, "none")},
        measure="utility",
        scales={"small": size(small, 64), "medium": size(3 * small, 64), "paper": size(paper, 64)},
        criterion=criterion,
        passes=passes,
    )


def better_than_twice(table: Table) -> Answer:
    return less(row_of(table, MORE), row_of(table, "control+common"))


def worth(times: float, low: float, high: float) -> Callable[[Table], Answer]:
    """A criterion: control+common gains as much as `low` to `high` times the simulations would, where it is known what
    `times` as many gain."""

    def passes(table: Table) -> Answer:
        best, none, more = (row_of(table, name) for name in ("control+common", "none", MORE))
        shares = (math.log(factor, times) for factor in (low, high))
        beyond_low, beyond_high = (combined((1, best), (x - 1, none), (-x, more)) for x in shares)
        return every([at_most(0, beyond_low), at_most(beyond_high, 0)])

    return passes


LOGARITHM = "where points grow with the logarithm of simulations"
FIG_7_3 = "simulations are ours, the printed numbers are lost"

FIG_7_3_PIG = Item(
    where="fig. 7.3",
    about="variance reduction: points in Pig",
    experiments=points(
        SOLITAIRE,
        6,
        2,
        2000,
        50_000,
        "control+common has more points than none with twice the simulations",
        better_than_twice,
    ),
    apart=f"{NOT_TOLD}; {FIG_7_3}",
)

FIG_7_3_CANT_STOP = Item(
    where="fig. 7.3",
    about="variance reduction: points in Can't Stop",
    experiments=points(
        "cant_stop(players=1,turns=5)",
        250,
        1.5,
        1000,
        10_000,
        f"control+common is worth about 1.5 times the simulations, 1.25 to 1.75, {LOGARITHM}",
        worth(1.5, 1.25, 1.75),
    ),
    apart=f"{NOT_TOLD}; {FIG_7_3}",
    remarks="With the 3,000 games of the medium scale control+common is better than none by 92 points, more than "
    "either interval, and seems to be worth a quarter more simulations, where 50 to 60% are printed. Antithetic "
    "variates do "
    "not help; by what rolls are ranked there is not printed. The printed coefficient of control variates, 6, does "
    "not fit a score of 1000 a column: searches find -Cov/Var of about 250.",
)

FIG_7_3_DOMINION = Item(
    where="fig. 7.3",
    about="variance reduction: points in Dominion",
    experiments=points(
        "dominion(players=1,turns=20)",
        -0.7,
        1.25,
        200,
        10_000,
        f"control+common is worth 1.25 to 1.4 times the simulations, {LOGARITHM}",
        worth(1.25, 1.25, 1.4),
    ),
    apart=f"{NOT_TOLD}; the ten cards are ours; {FIG_7_3}",
    remarks=(
        "With the 600 games of the medium scale control+common has 0.5 points more than none, within the intervals, "
        "where a quarter more simulations bring 2.0; in print they are worth that and more."
    ),
    cause=Cause(
        "rules",
        "the ten cards are ours. With these an action that draws a hand of 8 money is rare, so that the control "
        "variate tells little of what a return comes to; and after two actions that draw a different number of "
        "cards the same stream of cards no longer brings the same.",
    ),
)
