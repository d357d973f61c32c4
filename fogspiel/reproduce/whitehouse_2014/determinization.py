"""Determinized UCT (Whitehouse 2014, sec. 5.1): how to divide its iterations, and what cheating is worth."""

import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fogspiel.evaluate.statistics import Estimate
from fogspiel.evaluate.thought import think
from fogspiel.experiment import FixedDeals, Matches, Measurements, Scale, lineups
from fogspiel.experiment.printed import Printed
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import combined, difference, each, number, ratio, row_of, somewhere, trend
from fogspiel.reproduce.whitehouse_2014.playing import DETERMINIZED, EVEN, trees, utilities

GAME = "dou_di_zhu"
UNTOLD = "the exploration constant and how trees are combined are not told: 0.7, and a vote"
FEWER, MORE = trees(10, 50), trees(40, 250)
"""The peasants' search at the scale small, and as printed."""


def set_of_deals(setting: dict[str, Any]) -> FixedDeals:
    return FixedDeals(setting["size"], chosen=setting["set"])


def landlord_in_sets(**told: Any) -> Matches:
    return Matches(
        about="percent of games that the landlord wins, all three by determinized UCT",
        games=GAME,
        agents={DETERMINIZED: "pimc({budget})"},
        seats=lineups((DETERMINIZED,) * 3),
        deals=set_of_deals,
        measure="percent",
        scales={
            "small": Scale(16, size=16, set=range(10), budget=trees(10, 50)),
            "medium": Scale(16, size=16, set=range(100), budget=trees(10, 50)),
            "paper": Scale(1000, size=1000, set=range(100), budget=trees(50, 250)),
        },
        **told,
    )


def spread_as_binomial(table: Table) -> Answer:
    """The standard deviation of n sets has a standard error of 1 / sqrt(2 (n - 1)) of itself."""
    if len(table) < 2:
        return None
    wins, size = [row.value for row in table], table.rows[0].runs
    mean = statistics.fmean(wins)
    times = statistics.stdev(wins) / math.sqrt(mean * (100 - mean) / size)
    half = 1.96 * times / math.sqrt(2 * (len(wins) - 1))
    return Row((), Estimate(times, times - half, times + half), 0, 0).inside(0.75, 1.25)


FIG_5_1 = Item(
    where="fig. 5.1",
    about="Dou Di Zhu, representative deals",
    experiments={
        "mean": landlord_in_sets(
            by=("seat 0",),
            printed={DETERMINIZED: Printed(43.347, 0.01)},
            criterion="the landlord wins the printed 43.3%, to within one point",
            passes=lambda table: row_of(table, DETERMINIZED).inside(42.3, 44.3),
        ),
        "sets": landlord_in_sets(
            by=("set",),
            criterion="the standard deviation of a set is the binomial one, to within a quarter of it",
            passes=spread_as_binomial,
        ),
    },
    apart=UNTOLD,
    remarks=(
        "At the medium scale, with 500 iterations, the landlord wins 51.4% of 1600 games, within 2.5. Printed is a "
        "standard deviation of 16.27 wins in 1000, where a binomial distribution has 15.7. The printed interval of "
        "the mean, 433.37 to 433.57, is that of 100,000 sets, not of 100: that is 430.3 to 436.7."
    ),
    cause=Cause(
        "budget",
        (
            "peasants who search little do not play together: with 2500 iterations the landlord wins 48% of 150 other "
            "games (±8), and with 10,000, of print's 12,500, 40% of 60 (±12)."
        ),
    ),
)


def landlord(
    scales: Mapping[str, Scale], by: Sequence[str], about: str, search: str = "pimc({split})", **told: Any
) -> Matches:
    """A landlord whose search varies, against peasants who use determinized UCT, on the same deals."""
    return Matches(
        about=about,
        games=GAME,
        agents={"landlord": search, "peasant": "pimc({peasants})"},
        seats=lineups(("landlord", "peasant", "peasant")),
        by=by,
        measure="percent",
        scales=scales,
        **told,
    )


def rises_to(column: str, knee: int, table: Table) -> Answer:
    """For each value of the other column: the knee is above the first, and beyond the knee is less to gain than
    before."""
    first, last = min(table.values(column)), max(table.values(column))
    (other,) = (name for name in table.by if name != column)
    found = []
    for value in table.values(other):
        curve = {row.key[table.by.index(column)]: row for row in table if row.key[table.by.index(other)] == value}
        if knee not in curve or first == knee or last == knee:
            return None
        found.append(difference(curve[knee], curve[first]).above(0))
        found.append(combined((2, curve[knee]), (-1, curve[first]), (-1, curve[last])).above(0))
    return every(found)


def rises_all_along(table: Table) -> Answer:
    """For each s: from each number of trees to the next nothing is lost, to within a margin."""
    s, d = (table.values(column) for column in table.by)
    return every(trend([row_of(table, x, n) for n in sorted(d)], EVEN) for x in s)


FIG_5_2 = Item(
    where="fig. 5.2",
    about="Dou Di Zhu, number of determinizations",
    experiments=landlord(
        {
            "small": Scale(60, s=[50], d=[1, 5, 20, 40], peasants=FEWER),
            "medium": Scale(120, s=[50, 100], d=[1, 20, 60], peasants=FEWER),
            "paper": Scale(
                1000, s=[50, 100, 250, 500], d=[1, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100], peasants=MORE, deals=1000
            ),
        },
        ("s", "d"),
        "percent that a landlord wins by d trees of s iterations",
        f"pimc({trees('{d}', '{s}')})",
        criterion=(
            "wins rise with the number of trees, to within 4.4 points from each to the next; 20 trees win more "
            "than one, and more trees gain less than the first 20"
        ),
        passes=lambda table: every([rises_to("d", 20, table), rises_all_along(table)]),
    ),
    apart=UNTOLD,
    remarks=(
        "At the medium scale, in 120 games, 20 trees of 50 and of 100 win 54 and 65%, more than one (32 and "
        "43%), and 60 win 61 and 65%, which gain less, as in print; that is within the intervals with trees of 50."
    ),
)

FIG_5_3 = Item(
    where="fig. 5.3",
    about="Dou Di Zhu, iterations of a determinization",
    experiments=landlord(
        {
            "small": Scale(40, d=[5], s=[25, 100, 300, 1000], peasants=FEWER),
            "medium": Scale(200, d=[5], s=[25, 100, 300, 1000], peasants=FEWER),
            "paper": Scale(
                1000, d=[5, 10, 25, 40], s=[25, 50, 100, 200, 300, 500, 700, 1000], peasants=MORE, deals=1000
            ),
        },
        ("d", "s"),
        "percent that a landlord wins by d trees of s iterations",
        f"pimc({trees('{d}', '{s}')})",
        criterion="300 iterations win more than 25, and 1000 gain less than the first 300",
        passes=lambda table: rises_to("s", 300, table),
    ),
    apart=UNTOLD,
    remarks=(
        "At the medium scale, with five trees and 200 games, 300 iterations win 62%, more than 25 (27%), and "
        "1000 win 72%, which gain less, as printed, beyond the intervals."
    ),
)


def splits(budget: int, counts: Sequence[int]) -> list[str]:
    return [trees(d, budget // d) for d in counts]


def divided(split: str) -> tuple[int, int]:
    """The number of trees, and the iterations of each."""
    d, s = map(int, re.findall(r"\d+", split))
    return d, s


def by_trees(table: Table, budget: int) -> dict[int, Row]:
    """The rows of a budget by the number of trees."""
    told = {divided(row.key[0]): row for row in table}
    return {d: row for (d, s), row in told.items() if d * s == budget}


def best_between(table: Table) -> Answer:
    """For every budget some division is above a single tree; for the smallest one also above the most trees."""
    budgets = sorted({math.prod(divided(row.key[0])) for row in table})
    found = []
    for budget in budgets:
        rows = by_trees(table, budget)
        ends = [row_of(table, trees(1, budget)), *([rows[max(rows)]] if budget == budgets[0] else [])]
        between = [row for d, row in rows.items() if 1 < d < max(rows)]
        above = ([difference(row, end) for end in ends] for row in between)
        found.append(somewhere(above, lambda more: more.above(0)))
    return every(found)


DIVISIONS = (1, 5, 10, 25, 50, 100)
FIG_5_4 = Item(
    where="fig. 5.4",
    about="Dou Di Zhu, a fixed number of iterations",
    experiments=landlord(
        {
            "small": Scale(140, split=splits(2500, (1, 10, 100)), peasants=FEWER),
            "medium": Scale(250, split=splits(2500, (1, 10, 100)), peasants=FEWER),
            "paper": Scale(
                1000,
                split=[s for b in (2500, 5000, 10_000, 15_000) for s in splits(b, DIVISIONS)],
                peasants=MORE,
                deals=1000,
            ),
        },
        ("split",),
        "percent that a landlord wins by how it divides its iterations",
        criterion=(
            "for each budget some division between wins more than a single tree, and for the smallest also "
            "more than the most trees, beyond the intervals"
        ),
        passes=best_between,
    ),
    apart=UNTOLD,
    remarks=(
        "At the medium scale ten trees of 250 win the most (64%), as in print, and more than 100 of 25 (53%); "
        "whether more than one of 2500 (60%) cannot be told, each give or take 6."
    ),
)

CONFRONTATION = "lotr_confrontation(setup=guarded)"
LIGHT_DARK = {
    "small": Scale(40, split=splits(400, (1, 40)), other=trees(40, 10)),
    "medium": Scale(120, split=splits(1000, (1, 40)), other=trees(40, 25)),
    "paper": Scale(1000, split=[*splits(10_000, (1, 2, 5, 10, 20, 40, 100)), trees(40, 10_000)], other=MORE),
}


def one_tree_is_best(table: Table) -> Answer:
    ours = {divided(row.key[0]): row for row in table}
    budget = max((s for d, s in ours if d == 1), default=0)
    single, many = (row_of(table, split) for split in (trees(1, budget), trees(40, budget // 40)))
    return difference(single, many).above(0)


def side(name: str, seat: int, printed: float) -> Matches:
    order = ("divided", "other") if seat == 0 else ("other", "divided")
    return Matches(
        about=f"percent that {name} wins by how it divides its iterations",
        games=CONFRONTATION,
        agents={"divided": "pimc({split})", "other": "pimc({other})"},
        seats=lineups(order, subject=seat),
        by=("split",),
        measure="percent",
        printed={trees(40, 10_000): printed},
        scales=LIGHT_DARK,
        criterion="a single tree wins more than 40, beyond the intervals",
        passes=one_tree_is_best,
    )


def depth_of_trees(seed: int, split: str) -> dict[str, list[Any]]:
    """The depth of a tree from the start, and that of its average node."""
    root = think(CONFRONTATION, f"pimc({split})", seed=seed).tree
    assert root is not None
    depth = {id(root): 0}
    for node in root.walk():
        for edge in node.edges:
            depth.setdefault(id(edge.child), depth[id(node)] + 1)
    return {"of": ["the tree", "a node"], "depth": [max(depth.values()), statistics.fmean(depth.values())]}


def half_as_deep(table: Table) -> Answer:
    pairs = [(row_of(table, trees(1, 10_000), of), row_of(table, MORE, of)) for of in ("the tree", "a node")]
    return every(ratio(*pair).inside(1.4, 2.8) for pair in pairs)


FIG_5_5 = Item(
    where="fig. 5.5",
    about="Lord of the Rings: The Confrontation, a fixed number of iterations",
    experiments={
        "Light": side("Light", 0, 73.2),
        "Dark": side("Dark", 1, 83.0),
        "depth": Measurements(
            about="depth of the trees at the first decision",
            function=depth_of_trees,
            grid={"split": [trees(1, 10_000), MORE]},
            by=("split", "of"),
            measure="depth",
            printed={
                (trees(1, 10_000), "the tree"): 8.6,
                (trees(1, 10_000), "a node"): 4.0,
                (MORE, "the tree"): 4.1,
                (MORE, "a node"): 2.4,
            },
            scales={"small": Scale(4), "medium": Scale(20), "paper": Scale(100)},
            criterion="a single tree is about twice as deep as each of 40, 1.4 to 2.8 times",
            passes=half_as_deep,
        ),
    },
    apart=(
        f"set-ups are drawn, with Frodo, Sam and the Balrog at home, where one that is not printed was used; {UNTOLD}"
    ),
    remarks="In print a single tree of 10,000 gains Light 22.9 points. At the medium scale, with 1000 iterations and "
    "120 games, it gains Light 22 points (82%, divided 60), and Dark 30 (62%, divided"
    " 32). Trees are shallower than in print, by a sixth to a third, in about the same ratio.",
)

ROWS = {"player 1": (0,), "player 2": (1,), "player 3": (2,), "players 2 and 3": (1, 2)}


def with_cheats(seed: int, budget: str) -> dict[str, list[Any]]:
    """Whether these players win a deal when they cheat, and when they do not."""

    def landlord_wins(cheats: Sequence[int]) -> float:
        searches = [f"{'cheating-uct' if seat in cheats else 'pimc'}({budget})" for seat in range(3)]
        return 100.0 * (utilities(GAME, searches, seed, seed)[0] > 0)

    plain = landlord_wins(())
    won = [(landlord_wins(cheats), plain, 0 in cheats) for cheats in ROWS.values()]
    cheating, honest = ([w[i] if w[2] else 100 - w[i] for w in won] for i in (0, 1))
    more = [a - b for a, b in zip(cheating, honest, strict=True)]
    return {"players": [*ROWS], "cheating": cheating, "determinized": honest, "difference": more}


def table_5_1(measure: str, printed: Sequence[float], **told: Any) -> Measurements:
    return Measurements(
        about="percent of deals that these players win",
        function=with_cheats,
        by=("players",),
        measure=measure,
        printed=dict(zip(ROWS, printed, strict=True)),
        scales={
            "small": Scale(70, budget=FEWER),
            "medium": Scale(500, budget=trees(10, 100)),
            "paper": Scale(1000, budget=MORE),
        },
        **told,
    )


def near(printed: Sequence[float]) -> Callable[[Table], Answer]:
    """A criterion: numbers are as printed, to within four points."""
    return lambda table: each(
        (difference(row_of(table, name), number(x)) for name, x in zip(ROWS, printed, strict=True)),
        lambda row: row.inside(-POINTS, POINTS),
    )


def within_4_points(printed: Sequence[float]) -> dict[str, Any]:
    return {
        "printed": printed,
        "criterion": "the printed shares come out, to within four points",
        "passes": near(printed),
    }


def more_cheats_gain_more(table: Table) -> Answer:
    rows = [row_of(table, name) for name in ROWS]
    return every([near(GAINS)(table), each(rows, lambda row: row.above(0)), trend(rows, POINTS)])


POINTS = 4
GAINS = (6.9, 8.6, 11.9, 21.0)


TABLE_5_1 = Item(
    where="table 5.1",
    about="Dou Di Zhu, what cheating is worth",
    experiments={
        "cheating": table_5_1("cheating", **within_4_points((49.9, 65.6, 68.9, 78.0))),
        "determinized": table_5_1("determinized", **within_4_points((43.0, 57.0, 57.0, 57.0))),
        "difference": table_5_1(
            "difference",
            GAINS,
            criterion=(
                "all gain by cheating, what is printed, to within four points; players 1, 2, 3 and both the "
                "more, in this order, to within four points from each to the next"
            ),
            passes=more_cheats_gain_more,
        ),
    },
    apart=f"deals are drawn; {UNTOLD}",
    remarks=(
        "At the medium scale, in 500 deals, all gain by cheating, 5, 14, 12 and 24 points, each give or take 5; "
        "printed are 7, 9, 12 and 21. The landlord wins 7 to 8 points more than in print, with and without it."
    ),
)
