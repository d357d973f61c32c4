"""Inference and bluffing (Whitehouse 2014, ch. 7): The Resistance, Scotland Yard and Saboteur."""

import itertools
from collections.abc import Iterable
from typing import Any

from fogspiel.experiment import EveryDeal, Matches, Measurements, Scale, against, lineups
from fogspiel.experiment.printed import Printed
from fogspiel.experiment.seating import Lineup, Seated, Seating
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.game.state import State
from fogspiel.reproduce.item import Cause, Item, Missing
from fogspiel.reproduce.judging import alike, combined, difference, less, pooled, row_of
from fogspiel.reproduce.whitehouse_2014.beliefs import belief_in_saboteurs, belief_in_spies
from fogspiel.reproduce.whitehouse_2014.playing import EVEN

HIDING = {
    "true": "mo-ismcts(bandit=tuned,simulations={n})",
    "pure": "bluffing-ismcts(determinize=pure(inject=0),simulations={double},belief=inferred(inject=0))",
    "split": "bluffing-ismcts(determinize=split(inject=0),simulations={double},belief=inferred(inject=0))",
    "two-step": "bluffing-ismcts(determinize=two-step(inject=0),simulations={double},belief=inferred(inject=0))",
    "bluffing": "bluffing-ismcts(determinize=bluffing(inject=0),simulations={double},belief=inferred(inject=0))",
}
"""Who has a secret: with true determinizations alone, or with as many self-determinizations besides."""
SEEKING = {
    "no inference": "mo-ismcts(bandit=tuned,simulations={n})",
    "inference": "mo-ismcts(bandit=tuned,belief=inferred(inject=0),simulations={n})",
}
"""Who looks for the secret. As printed, nobody believes in states drawn anew."""


def spies(state: State) -> list[int]:
    """Role 0 is that of the spies."""
    return [1 - (state.view.spies >> seat & 1) for seat in range(state.game.players)]


def spies_against(rows: Iterable[tuple[str, str]]) -> Seating:
    """All spies are one agent, all others another; how often the spies win counts."""
    found = [Lineup(row, 0) for row in rows]
    return lambda labels, players: Seated(found, ("role 0", "role 1"), spies)


def spies_win(rows: Iterable[tuple[str, str]], medium: Scale, **judged: Any) -> Matches:
    """Those who hide against those who seek."""
    return Matches(
        about="how often the spies (role 0) win against the others (role 1); every configuration of spies as often",
        games="resistance",
        agents=HIDING | SEEKING,
        seats=spies_against(rows),
        deals=EveryDeal(),
        measure="percent",
        scales={
            "small": Scale(3, n=1000, double=2000),
            "medium": medium,
            "paper": Scale(100, n=20_000, double=40_000),
        },
        **judged,
    )


def bluffing_is_best(table: Table) -> Answer:
    """Of the spies, against those who infer."""
    won = {name: row_of(table, name, "inference") for name in HIDING}
    three = [won[name] for name in ("pure", "split", "two-step")]
    return every(
        [
            difference(row_of(table, "true", "no inference"), won["true"]).above(50),
            difference(won["bluffing"], won["true"]).inside(25, 40),
            *(difference(one, won["true"]).above(0) for one in three),
            *(difference(won["bluffing"], one).above(0) for one in three),
            *(difference(a, b).inside(-EVEN, EVEN) for a, b in itertools.combinations(three, 2)),
        ]
    )


METHODS = Item(
    where="fig. 7.1",
    about="The Resistance, inference and self-determinization",
    experiments=spies_win(
        itertools.product(HIDING, SEEKING),
        medium=Scale(3, n=3000, double=6000),
        criterion="inference takes more than 50 points from true spies; against it bluffing gives back 25 to 40, and "
        "the other three, "
        "alike to within 4.4 points, win more than true spies and less than bluffing ones, beyond the intervals",
        passes=bluffing_is_best,
    ),
    apart="votes are inferred from when they are shown, and not with the next leader's choice",
    remarks="Printed are differences alone: inference takes 66.4 points from true spies, bluffing gives 31.7 back, "
    "and the other ways about "
    "double what true spies win. At the small scale, with 1000 iterations and 30 games in each setting, inference "
    "takes 43 points, and split spies, not bluffing "
    "ones, win the most against it, beyond the intervals. That agrees with fig. 7.3: only from 5000 iterations on "
    "bluffing spies are the strongest. "
    "At the medium scale, with 3000, it takes 53 points, bluffing gives 17 back and two steps 27; 30 games cannot "
    "tell these apart.",
)


def inference_and_bluffing_help(table: Table) -> Answer:
    found = row_of(table, "true", "inference")
    helped = difference(row_of(table, "true", "no inference"), found)
    return every([helped.above(0), difference(row_of(table, "bluffing", "inference"), found).above(0)])


SIGNS = Item(
    where="fig. 7.1, three of ten settings",
    about="The Resistance, whether inference helps the others, and bluffing the spies",
    experiments=spies_win(
        [("true", "no inference"), ("true", "inference"), ("bluffing", "inference")],
        medium=Scale(50, n=5000, double=10_000),
        criterion=(
            "true spies win less against players who infer than against others, and less against these than "
            "bluffing spies, beyond the intervals"
        ),
        passes=inference_and_bluffing_help,
    ),
    apart="no item of the thesis: E7.1 with fewer settings, so that a medium scale can have 500 games in each",
    remarks=(
        "With 5000 iterations inference takes 44 points from true spies, where print has 66 with 20,000, and "
        "bluffing gives 12 back, of 32 in print."
    ),
)


def plateau(table: Table) -> Answer:
    """Of the shares between, those that were played count alike."""
    middle = [row for row in table if 3 / 8 <= float(row.key[0]) <= 7 / 8]
    if not middle:
        return None
    return every(less(row_of(table, end), pooled(middle)) for end in (0.0, 1.0))


BALANCE = Item(
    where="fig. 7.2",
    about="The Resistance, balance of true and self-determinizations",
    experiments=Matches(
        about="how often split spies win against players who infer, by the share of self-determinizations",
        games="resistance",
        agents={
            "split": (
                "bluffing-ismcts(determinize=split(selves={selves},inject=0),simulations={double},"
                "belief=inferred(inject=0))"
            ),
            "inference": SEEKING["inference"],
        },
        seats=spies_against([("split", "inference")]),
        by=("selves",),
        grid={"selves": [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]},
        deals=EveryDeal(),
        measure="percent",
        scales={
            "small": Scale(4, n=1000, double=2000, selves=[0.0, 0.375, 0.625, 0.875, 1.0]),
            "medium": Scale(6, n=1500, double=3000, selves=[0.0, 0.375, 0.625, 0.875, 1.0]),
            "paper": Scale(100, n=20_000, double=40_000),
        },
        criterion="with shares from 3/8 to 7/8 spies win on average more than with either alone, beyond the intervals",
        passes=plateau,
    ),
    remarks="At the small scale, with 1000 iterations and 40 games for each share, spies win 57 to 75 % with shares "
    "between and 55 % with either alone: as in print, but within the intervals. "
    "At the medium scale, with 1500 and 60 games, 58 to 62 % with shares between, 57 and 47 % with either alone, "
    "within the intervals.",
)

SAME = {
    "true": "mo-ismcts(bandit=tuned,simulations={n},nodes={nodes})",
    "pure": "bluffing-ismcts(determinize=pure(inject=0),simulations={n},belief=inferred(inject=0),nodes={nodes})",
    "split": "bluffing-ismcts(determinize=split(inject=0),simulations={n},belief=inferred(inject=0),nodes={nodes})",
    "bluffing": (
        "bluffing-ismcts(determinize=bluffing(inject=0),simulations={n},belief=inferred(inject=0),nodes={nodes})"
    ),
}
"""The spies of fig. 7.3, who have as many iterations as the others."""


def crossings(table: Table) -> Answer:
    """In the mean over few, over some and over many iterations, of which there must have been some of each."""

    def ahead(better: str, worse: str, least: int, most: float) -> Answer:
        played = [n for n in table.values("n") if least <= n <= most]
        both = [pooled(row_of(table, n, name) for n in played) for name in (worse, better)] if played else []
        return less(*both) if both else None

    few = [ahead(name, "bluffing", 0, 1000) for name in ("true", "split")]
    some = [ahead("bluffing", name, 5000, 200_000) for name in ("true", "split")]
    return every([*few, *some, ahead("split", "bluffing", 1_000_000, float("inf"))])


ITERATIONS = Item(
    where="fig. 7.3",
    about="The Resistance, numbers of iterations",
    experiments=Matches(
        about="how often spies win against players who infer, all with n iterations",
        games="resistance",
        agents=SAME | {"inference": "mo-ismcts(bandit=tuned,belief=inferred(inject=0),simulations={n},nodes={nodes})"},
        seats=spies_against((name, "inference") for name in SAME),
        by=("n", "role 0"),
        grid={"n": [500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]},
        deals=EveryDeal(),
        measure="percent",
        scales={
            "small": Scale(2, n=[200, 5000], nodes=131_072),
            "medium": Scale(3, n=[200, 20_000], nodes=131_072),
            "paper": Scale(100, nodes=4_000_000),
        },
        criterion="in the mean over at most 1000 iterations true and split spies win more than bluffing ones, over "
        "5000 to 200 000 bluffing ones "
        "more than these, and with a million split ones more than bluffing ones, beyond the intervals",
        passes=crossings,
    ),
    needs="paper",
    apart="which numbers of iterations were printed is lost",
    remarks=(
        "At the medium scale, in 30 games each, true spies win 83, split ones 87 and bluffing ones 77 % with 200 "
        "iterations, and 40, 50 and 53 % with 20 000, in the printed order, each give or take 20. A million "
        "iterations are in the scale `paper` alone."
    ),
)


def between(table: Table) -> Answer:
    """Every game has a second and a third mission."""
    falling = itertools.pairwise(("inference", "bluffing", "no inference"))
    pairs = itertools.product(falling, (2, 3))
    return every(difference(row_of(table, a, m), row_of(table, b, m)).above(0) for (a, b), m in pairs)


def lower_where_spies_won(table: Table) -> Answer:
    """In the mean over the missions that every game has."""
    spies, others = (
        pooled(row_of(table, "inference", winner, m) for m in (2, 3)) for winner in ("spies", "resistance")
    )
    return less(spies, others)


def trajectories(about: str, by: tuple[str, ...], **judged: Any) -> Measurements:
    return Measurements(
        about=about,
        function=belief_in_spies,
        grid={"play": ["inference", "bluffing", "no inference"]},
        by=by,
        measure="belief",
        **judged,
        scales={
            "small": Scale(40, simulations=1000),
            "medium": Scale(75, simulations=3000),
            "paper": Scale(250, simulations=20_000),
        },
    )


BELIEFS = Item(
    where="fig. 7.4, fig. 7.5, fig. 7.6",
    about="The Resistance, belief in the true spies",
    experiments={
        "by mission": trajectories(
            "what those who are no spies believe of the true spies, on average over their decisions in a mission",
            ("play", "mission"),
            criterion="in the second and third missions, belief with inference is above that with inference and "
            "bluffing spies, and that "
            "above belief without inference, beyond the intervals",
            passes=between,
        ),
        "by winner": trajectories(
            "the same, by who won the game",
            ("play", "winner", "mission"),
            criterion=(
                "with inference, belief in the second and third missions is in the mean lower where the spies "
                "won, beyond the intervals"
            ),
            passes=lower_where_spies_won,
        ),
    },
    apart=(
        "means in place of every game's line; whether a line is ever at 1 or below where it began is not asked, "
        "because means do not tell it"
    ),
    remarks="As in print belief begins at 1/6; without inference it rises by what sabotaged missions rule out. At "
    "the small scale all means are in the printed "
    "order, and lower where the spies won, but 40 games are too few to tell them apart. At the medium scale, with 75 "
    "games, those with inference are 0.10 above those without in the second and third missions; bluffing takes 0.03 "
    "to 0.04 from it, within the intervals.",
)


def tuned_gains(table: Table) -> Answer:
    """Half of the difference between the two matches is what UCB1-Tuned brings on average over both roles."""
    gain = combined((0.5, row_of(table, "tuned", "ucb")), (-0.5, row_of(table, "ucb", "tuned")))
    return gain.inside(2, 5)


TUNED = Item(
    where="sec. 7.2",
    about="The Resistance, UCB1-Tuned and UCB1",
    experiments=Matches(
        about="how often spies (role 0) win, nobody inferring",
        games="resistance",
        agents={"tuned": SEEKING["no inference"], "ucb": "mo-ismcts(bandit=ucb,simulations={n})"},
        seats=spies_against([("tuned", "ucb"), ("ucb", "tuned")]),
        deals=EveryDeal(),
        measure="percent",
        scales={"small": Scale(30, n=1000), "medium": Scale(32, n=2000), "paper": Scale(100, n=20_000)},
        criterion="over both roles UCB1-Tuned wins the printed 3 to 4 points more than UCB1, to within one",
        passes=tuned_gains,
    ),
    apart="who plays whom in these first trials, how often and with how many iterations is not told",
    remarks=(
        "At the small scale, with 1000 iterations, no such gain is seen: UCB1-Tuned wins 1.5 points less than UCB1 "
        "(±3.4). UCB1 has the constant 0.7, for rewards in [0, 1]; that of print is not told. Where nobody infers "
        "spies win nine games of ten with either, which leaves little to gain. At the medium scale, in 320 games "
        "each, spies win 81 % with UCB1-Tuned and 89 % with UCB1."
    ),
    cause=Cause(
        "unknown",
        "the formula is that of Auer et al. 2002, for rewards in [0, 1], and was checked. Nor is it UCB1's constant, "
        "which print does not tell: UCB1-Tuned wins 0.2 points less than UCB1 with 0.35 (±2.4), 2.0 with 0.7 (±2.7, "
        "on 200 other deals) and 2 with 1.4 (±2.7). With 1000 iterations spies win 86 to 93% whoever has which. That "
        "it is the budget, of 20,000 iterations in the other experiments of print, is not ruled out.",
    ),
)


def pure_and_split_help(table: Table) -> Answer:
    true = row_of(table, "true", "inference")
    gains = {name: difference(row_of(table, name, "inference"), true) for name in HIDING}
    return every(
        [
            difference(row_of(table, "true", "no inference"), true).above(0),
            *(gains[name].above(0) for name in ("pure", "split")),
            alike(gains["pure"], gains["split"], EVEN),
            *(gains[name].below(EVEN) for name in ("two-step", "bluffing")),
        ]
    )


SCOTLAND_YARD = Item(
    where="fig. 7.7",
    about="Scotland Yard, inference and self-determinization",
    experiments=Matches(
        about="how often Mr X (seat 0) escapes",
        games="scotland_yard",
        agents=HIDING | SEEKING,
        seats=lineups(*itertools.product(HIDING, SEEKING)),
        measure="percent",
        scales={
            "small": Scale(20, n=400, double=800),
            "medium": Scale(30, n=500, double=1000),
            "paper": Scale(1000, n=20_000, double=40_000),
        },
        criterion="inference lowers how often a true Mr X escapes, and against it pure and split "
        "self-determinization raise that, beyond the "
        "intervals, and alike, to within 4.4 points; two-step and bluffing do not, by 4.4 points or more",
        passes=pure_and_split_help,
    ),
    remarks="Bars are lost in print, and only signs are told. At the small scale, with 400 iterations and 20 games "
    "in each setting, no difference is significant. "
    "At the medium scale, with 500 iterations and 30 games, from players who infer a true Mr X escapes 87 % of the "
    "games, one who only self-determinizes 77 % and one who bluffs 93 %, each give or take 12.",
    cause=Cause(
        "budget",
        (
            "the medium scale has 500 iterations, and print 20,000: what is spent on other places than Mr X's own is "
            "missing where so few have to tell his moves apart."
        ),
    ),
)


def inference_pays(table: Table) -> Answer:
    return difference(row_of(table, "infers"), row_of(table, "plain")).above(0)


SABOTEUR = Item(
    where="sec. 7.5.5",
    about="Saboteur, one who infers among four who do not",
    experiments=Matches(
        about="1 for a win and -1 for a loss, on average; printed are 54.9 % wins, ±3.2, of one who infers",
        games="saboteur",
        agents={
            "infers": "mo-ismcts(bandit=tuned,belief=inferred,simulations={n})",
            "plain": "mo-ismcts(bandit=tuned,simulations={n})",
        },
        seats=against("plain", itself=True),
        by=("agent",),
        measure="utility",
        printed={"infers": Printed(0.098, 0.064)},
        scales={"small": Scale(14, n=200), "medium": Scale(40, n=1000), "paper": Scale(200, n=20_000)},
        criterion="who infers wins more than a plain player does in its place, beyond the intervals",
        passes=inference_pays,
    ),
    apart=(
        "how many iterations were printed is not told: as many as in The Resistance; a node for each information "
        "set, and not two trees a player"
    ),
    remarks="At the medium scale, with 1000 iterations, both win 42% of 200 games, give or take 5; the printed gain "
    "of 4.9 points needs about a thousand to be seen. An even player wins less than half, "
    "where print expects half.",
    cause=Cause("budget", "with so few iterations saboteurs, who are fewer, win nearly all games."),
)


PRIOR = 2 / 15
"""A digger reckons with ten pairs of saboteurs, the role that is left over among them, and a saboteur, as each third
player is, with five."""


def rises_a_little(table: Table) -> Answer:
    last = row_of(table, 4)
    return every([last.above(PRIOR), last.below(0.5)])


def digging(about: str, by: tuple[str, ...], measure: str, **judged: Any) -> Measurements:
    return Measurements(
        about=about,
        function=belief_in_saboteurs,
        by=by,
        measure=measure,
        **judged,
        scales={
            "small": Scale(50, simulations=200),
            "medium": Scale(75, simulations=1000),
            "paper": Scale(1000, simulations=20_000),
        },
    )


SABOTEUR_BELIEFS = Item(
    where="fig. 7.8",
    about="Saboteur, belief in the true saboteurs",
    experiments={
        "by quarter": digging(
            "what one who infers believes of the true saboteurs, by quarters of the game",
            ("quarter",),
            "belief",
            criterion=(
                "in the last quarter belief in the true saboteurs is on average above 2/15, as which it "
                "begins, and below one half, beyond the interval"
            ),
            passes=rises_a_little,
        ),
        "by winner": digging("the same, by who won the game", ("winner", "quarter"), "belief"),
    },
    apart=(
        "means in place of every game's line; players who know everything but the roles are not played; nothing is "
        "asked of games by who won them, because nothing is told of that"
    ),
    remarks=(
        "At the small scale, with 200 iterations, beliefs hardly leave 2/15, and 50 games are too few to tell. "
        "At the medium scale, with 1000, the belief is 0.142 (0.110 to 0.174) in the last quarter, and 0.208 where "
        "the diggers won."
    ),
)

ITEMS: dict[str, Item | Missing] = {
    "E7.1": METHODS,
    "E7.1-signs": SIGNS,
    "E7.2": BALANCE,
    "E7.3": ITERATIONS,
    "E7.4": BELIEFS,
    "E7.5": TUNED,
    "E7.6": SCOTLAND_YARD,
    "E7.7": SABOTEUR,
    "E7.8": SABOTEUR_BELIEFS,
}
