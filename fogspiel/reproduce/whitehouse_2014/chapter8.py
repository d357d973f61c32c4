"""What is learned beside the tree (Whitehouse 2014, sec. 8.5): one player with an ICARUS among plain ones."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any

import numpy as np

from fogspiel.experiment import Matches, Measurements, Scale, against, lineups
from fogspiel.experiment.design import Cell
from fogspiel.experiment.seating import Seated
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Cause, Item, Missing
from fogspiel.reproduce.judging import combined, difference, ratio, row_of
from fogspiel.reproduce.whitehouse_2014 import playing
from fogspiel.reproduce.whitehouse_2014.trees import iterations_in_equal_time, searched_trees, trials_per_ngram

DOU_DI_ZHU, HEARTS, LOTR = "dou_di_zhu", "hearts(threshold=50,payoff=places)", "lotr_confrontation"
GAMES = (DOU_DI_ZHU, HEARTS, LOTR, "checkers", "othello", "backgammon")
NAMES = {DOU_DI_ZHU: "Dou Di Zhu", HEARTS: "Hearts"} | {game: game.capitalize() for game in GAMES[3:]}
LIGHT, DARK = "LOTR:C Light", "LOTR:C Dark"
PRINTED_GAMES = (NAMES[DOU_DI_ZHU], NAMES[HEARTS], LIGHT, DARK, *(NAMES[game] for game in GAMES[3:]))
EVEN = playing.EVEN / 100
"""Up to such a share of the games is no difference."""
PLAIN = "-"
WINS = "in Hearts a first place that is shared counts as no win, where print counts it as one"


def one_enhanced(labels: Sequence[str], players: int) -> Seated:
    """In games of two players on either side, else in the first seat, which in Dou Di Zhu is the landlord's."""
    return against(PLAIN, seats=range(2) if players == 2 else [0], itself=True)(labels, players)


@dataclass(frozen=True, kw_only=True)
class Enhanced(Matches):
    """The games are named as in print, both sides of The Lord of the Rings by themselves; and there are columns for
    what the letters in an agent's name stand for."""

    games: str = "{game}"
    seats: Any = one_enhanced
    measure: str = "wins"
    letters: tuple[str, ...] = ()

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        return [replace(cell, columns=cell.columns | self._told(cell.columns)) for cell in super().cells(scale, folder)]

    def _told(self, columns: dict[str, Any]) -> dict[str, str]:
        seat = columns["subject"]
        name = columns[f"seat {seat}"]
        game = (LIGHT, DARK)[seat] if columns["game"] == LOTR else NAMES[columns["game"]]
        return {"game": game} | {what: "with" if what[0] in name else "without" for what in self.letters}


def agents(icaruses: dict[str, str]) -> dict[str, str]:
    return {name: f"mo-ismcts({{budget}},icarus={icarus})" for name, icarus in icaruses.items()}


def gain(table: Table, game: str, first: str, second: str) -> Row:
    """By how much more the first wins than the second."""
    return difference(row_of(table, game, first), row_of(table, game, second))


ENHANCEMENTS = ("EPIC", "RAVE", "MAST", "LGRF")
COMBINATIONS = {
    PLAIN: "baseline",
    "E": "epic",
    "R": "rave",
    "ER": "rave>epic",
    "M": "mast",
    "EM": "mast+epic",
    "RM": "rave>mast",
    "ERM": "rave>mast+epic",
    "L": "lgrf",
    "EL": "lgrf+epic",
    "RL": "rave>lgrf",
    "ERL": "rave>lgrf+epic",
    "ML": "mast+lgrf",
    "EML": "mast+lgrf+epic",
    "RML": "rave>mast+lgrf",
    "ERML": "rave>mast+lgrf+epic",
}
"""Table 8.1."""


def combinations(about: str, by: tuple[str, ...], **judged: Any) -> Enhanced:
    return Enhanced(
        about=about,
        agents=agents(COMBINATIONS),
        letters=ENHANCEMENTS,
        by=by,
        grid={"game": GAMES},
        **judged,
        scales={
            "small": Scale(80, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "medium": Scale(120, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
    )


def effects(table: Table) -> dict[str, Row]:
    """By how much more the combinations with an enhancement win than those without."""
    return {game: gain(table, game, "with", "without") for game in PRINTED_GAMES}


def epic_helps(table: Table) -> Answer:
    found = effects(table)
    gains = [row.above(-EVEN if game == LIGHT else 0) for game, row in found.items()]
    most = found.pop(NAMES[DOU_DI_ZHU])
    return every(gains + [difference(most, row).above(0) for row in found.values()])


def rave_harms(table: Table) -> Answer:
    found = effects(table)
    harmed = [found.pop(game).below(0) for game in (NAMES[HEARTS], DARK)]
    helped = found.pop(NAMES["checkers"]).above(0)
    return every([*harmed, helped, *(row.inside(-EVEN, EVEN) for row in found.values())])


def no_harm(table: Table) -> Answer:
    return every(row.above(-EVEN) for row in effects(table).values())


def main_effect(name: str, criterion: str, passes: Callable[[Table], Answer]) -> Enhanced:
    about = f"how often the eight combinations with {name} win, and the eight without"
    return combinations(about, ("game", name), criterion=criterion, passes=passes)


STRONGER = (
    (NAMES[DOU_DI_ZHU], "EL", ("E", "L")),
    (DARK, "ML", ("M", "L")),
    (LIGHT, "RML", ("R", "M", "L")),
    (LIGHT, "ERM", ("E", "R", "M")),
)
"""Combinations that beat all of their parts."""


def more_than_their_parts(table: Table) -> Answer:
    ahead = (gain(table, game, whole, part).above(0) for game, whole, parts in STRONGER for part in parts)
    return every([*ahead, gain(table, NAMES[DOU_DI_ZHU], PLAIN, "L").above(0)])


ALL_COMBINATIONS = Item(
    where="table 8.1, fig. 8.3, fig. 8.4",
    about="all combinations of EPIC, RAVE, MAST and LGRF",
    experiments={
        "combinations": combinations(
            "how often one of them wins against plain players",
            ("game", "agent"),
            criterion="in Dou Di Zhu EL wins more than E and L, though L wins less than the plain search, in the "
            "Lord of the Rings as Dark ML more than M and L, and as Light RML more than R, M and L, and "
            "ERM more than E, R and M, beyond the intervals",
            passes=more_than_their_parts,
        ),
        "EPIC": main_effect(
            "EPIC",
            (
                "it gains in all six games, beyond the intervals, in the Lord of the Rings as Light at least loses no "
                "4.4 points, and gains most in Dou Di Zhu"
            ),
            epic_helps,
        ),
        "RAVE": main_effect(
            "RAVE",
            (
                "it gains in Checkers, and loses in Hearts and the Lord of the Rings as Dark, beyond the intervals; "
                "elsewhere it makes no difference, to within 4.4 points"
            ),
            rave_harms,
        ),
        "MAST": main_effect("MAST", "it loses 4.4 points in none of the six games", no_harm),
        "LGRF": main_effect("LGRF", "it loses 4.4 points in none of the six games", no_harm),
    },
    needs="paper",
    apart=f"1000 games in each setting, printed are 1000 to 2500; {WINS}",
    remarks="The medium scale is Dou Di Zhu alone, of six games, with 1000 iterations and 960 games on either side "
    "of each comparison. As in print EPIC gains there, 9.8 points (5.9 to 13.6), MAST a little (3.3, from 0 to 6.6), "
    "and RAVE and LGRF make no significant difference (-3.1, from -6.7 to 0.4, and -2.5, from -6.1 to 1.1). That "
    "LGRF by itself is significantly worse than the plain search, as printed, is not seen. "
    "What EPIC gains in Othello is with E8.3.",
)


def epic_wins_more(table: Table) -> Answer:
    return every(
        difference(row_of(table, more), row_of(table, less)).above(0) for more, less in (("E", PLAIN), ("EL", "L"))
    )


def lgrf_needs_epic(table: Table) -> Answer:
    return every(
        difference(row_of(table, more), row_of(table, less)).above(0) for more, less in (("EL", "E"), (PLAIN, "L"))
    )


def four_combinations(criterion: str, passes: Callable[[Table], Answer]) -> Enhanced:
    return Enhanced(
        about="how often one of them wins in Dou Di Zhu against plain players",
        agents=agents({name: COMBINATIONS[name] for name in (PLAIN, "E", "L", "EL")}),
        by=("agent",),
        grid={"game": [DOU_DI_ZHU]},
        scales={
            "small": Scale(100, budget="simulations=1000"),
            "medium": Scale(600, budget="simulations=1000"),
            "paper": Scale(2500, budget="simulations=5000"),
        },
        criterion=criterion,
        passes=passes,
    )


SIGNS = Item(
    where="fig. 8.4, four of sixteen combinations",
    about="Dou Di Zhu, whether EPIC helps, and LGRF beside it",
    experiments={
        "EPIC": four_combinations(
            (
                "EPIC wins more often than the plain search, and with LGRF more often than LGRF by itself, beyond the "
                "intervals"
            ),
            epic_wins_more,
        ),
        "LGRF": four_combinations(
            (
                "LGRF with EPIC wins more often than EPIC by itself, and LGRF by itself less often than the plain "
                "search, beyond the intervals"
            ),
            lgrf_needs_epic,
        ),
    },
    apart="no item of the thesis: E8.1 with fewer settings, so that a medium scale can have 500 games in each",
    remarks=(
        "At the medium scale, with 1000 iterations, EPIC wins 12 points more than the plain search, and 8 more beside "
        "LGRF. LGRF by itself is level with the plain search (-0.5), where it is worse in print, and takes 4 points "
        "from EPIC, where it adds to it; 600 games cannot tell these from none."
    ),
)

ALONE = {PLAIN: "baseline", "EPIC": "epic", "RAVE": "rave", "MAST": "mast", "LGRF": "lgrf"}


def most_visits_by_epic(table: Table) -> Answer:
    others = [row_of(table, icarus) for icarus in ALONE.values() if icarus != "epic"]
    return every(ratio(row_of(table, "epic"), row).inside(1.1, 1.3) for row in others)


def rave_is_deeper(table: Table) -> Answer:
    deeper = {
        name: difference(row_of(table, name), row_of(table, "baseline")) for name in ("epic", "rave", "mast", "lgrf")
    }
    return every(row.inside(0.5, 1.5) if name == "rave" else row.inside(-0.5, 0.5) for name, row in deeper.items())


def trees(about: str, measure: str, **judged: Any) -> Measurements:
    return Measurements(
        about=about,
        function=searched_trees,
        grid={"icarus": list(ALONE.values())},
        by=("icarus",),
        measure=measure,
        **judged,
        scales={
            "small": Scale(80, game=DOU_DI_ZHU, simulations=1000),
            "medium": Scale(100, game=DOU_DI_ZHU, simulations=5000),
            "paper": Scale(1000, game=DOU_DI_ZHU, simulations=5000),
        },
    )


TREES = Item(
    where="sec. 8.5.1",
    about="trees with EPIC, RAVE, MAST and LGRF",
    experiments={
        "visits": trees(
            "share of the visits that the chosen move has",
            "visits",
            criterion="the chosen move has 10 to 30 % more visits with EPIC than with any other",
            passes=most_visits_by_epic,
        ),
        "depth": trees(
            "how deep the deepest node is",
            "deepest",
            criterion=(
                "with RAVE the deepest node is one ply deeper than with the plain search, with the others as "
                "deep, within half a ply"
            ),
            passes=rave_is_deeper,
        ),
    },
    apart=(
        "in Dou Di Zhu, by the landlord's decisions in whole games; which games and how many decisions were "
        "printed is not told"
    ),
    remarks="At the small scale, with 1000 iterations, the chosen move has 10 to 18 % more visits with EPIC, and "
    "with RAVE the tree is a quarter of a ply deeper, give or take a half; "
    "print tells neither games nor budgets. At the medium scale, with 5000, it has 11 to 15 % more visits, and trees "
    "are 0.7 plies deeper with RAVE and with LGRF, "
    "which the intervals leave open.",
)


def nast_is_better_in_othello(table: Table) -> Answer:
    gains = {game: gain(table, game, "NAST-2", "EPIC") for game in PRINTED_GAMES}
    othello = gains.pop(NAMES["othello"])
    return every([othello.above(0), *(row.inside(-EVEN, EVEN) for row in gains.values())])


EPIC_AND_NAST = Item(
    where="fig. 8.5",
    about="EPIC compared to NAST",
    experiments=Enhanced(
        about="how often a player with EPIC, with NAST and n = 2, or a plain one wins against plain ones",
        agents=agents({PLAIN: "baseline", "EPIC": "epic", "NAST-2": "nast"}),
        by=("game", "agent"),
        grid={"game": GAMES},
        scales={
            "small": Scale(30, budget="simulations=1000", game=[DOU_DI_ZHU, "othello"]),
            "medium": Scale(100, budget="simulations=1000", game=[DOU_DI_ZHU, "othello"]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion=(
            "NAST wins more than EPIC in Othello, beyond the intervals, and as much in the other games, to "
            "within 4.4 points"
        ),
        passes=nast_is_better_in_othello,
    ),
    needs="paper",
    apart=WINS,
    remarks="The small scale is Dou Di Zhu and Othello, with 1000 iterations. Both are far stronger than the plain "
    "search in Othello, 87 % each of 60 games; that NAST is ahead there is "
    "not seen. At the medium scale, in 200 games, it is 84 % with EPIC and 87 % with NAST.",
)

POLICIES = ("gibbs", "greedy", "roulette", "ucb1")


def ucb1_is_best(table: Table) -> Answer:
    games = product(PRINTED_GAMES[:4], (PLAIN, *POLICIES[:-1]))
    return every(
        gain(table, game, "ucb1", name).above(0 if game == NAMES[DOU_DI_ZHU] else -EVEN) for game, name in games
    )


HIDDEN = (DOU_DI_ZHU, HEARTS, LOTR)
"""The games of figs. 8.6 to 8.8."""

MAST = Item(
    where="fig. 8.6",
    about="simulation policies for MAST",
    experiments=Enhanced(
        about="how often a player with MAST wins against plain ones, by its policy",
        agents=agents({PLAIN: "baseline"} | {policy: f"mast(policy={policy})" for policy in POLICIES}),
        by=("game", "agent"),
        grid={"game": HIDDEN},
        scales={
            "small": Scale(200, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "medium": Scale(350, budget="simulations=1000", game=[DOU_DI_ZHU, LOTR]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion=(
            "in Dou Di Zhu UCB1 beats all others, beyond the intervals, and in Hearts and the Lord of the "
            "Rings none is ahead of it by 4.4 points"
        ),
        passes=ucb1_is_best,
    ),
    needs="paper",
    apart=f"1000 games in each setting, printed are 500 to 2500; {WINS}",
    remarks="At the medium scale, with 1000 iterations and 350 games, UCB1 is best in Dou Di Zhu, beyond the "
    "intervals, as in print. As Light its mean is the highest as well; as Dark it wins 40 %, less than the plain "
    "search and all other "
    "policies, where in print it is as good as the best with 5000 iterations, but the intervals leave 4.4 points "
    "open. Hearts is in the scale `paper` alone.",
)

LENGTHS = {PLAIN: "baseline"} | {f"n = {n}": f"nast(n={n})" for n in range(1, 6)}


def short_ngrams_are_best(table: Table) -> Answer:
    told = [gain(table, DARK, "n = 2", "n = 3").above(0)]
    for name in LENGTHS:
        if name != PLAIN:
            hearts = gain(table, NAMES[HEARTS], name, PLAIN)
            told.append(hearts.above(0) if name in ("n = 2", "n = 3") else hearts.below(EVEN))
        if name not in (PLAIN, "n = 1"):
            told += [gain(table, game, "n = 1", name).above(-EVEN) for game in (NAMES[DOU_DI_ZHU], LIGHT)]
    told += [gain(table, game, "n = 1", "n = 5").above(0) for game in (NAMES[DOU_DI_ZHU], LIGHT)]
    return every(told)


NGRAMS = Item(
    where="fig. 8.7",
    about="lengths of n-grams",
    experiments=Enhanced(
        about="how often a player with NAST wins against plain ones, by the length of n-grams",
        agents=agents(LENGTHS),
        by=("game", "agent"),
        grid={"game": HIDDEN},
        scales={
            "small": Scale(150, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "medium": Scale(300, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion="in Dou Di Zhu and the Lord of the Rings as Light no length is ahead of 1 by 4.4 points, and 5 is "
        "worse; as Dark 2 beats 3; in Hearts 2 and 3 beat the plain "
        "search, all beyond the intervals, and no other does by 4.4 points",
        passes=short_ngrams_are_best,
    ),
    needs="paper",
    apart=f"up to which length was printed is lost; {WINS}",
    remarks="The medium scale is Dou Di Zhu alone, with 1000 iterations and 300 games, where all that is printed "
    "comes out beyond the intervals: a length of 1 wins the most, 66 %, no other is ahead of it by 4.4 points, "
    "and 5, with 52 %, is worse. The Lord of the Rings and Hearts are in the scale `paper` alone.",
)


NS = [1, 2, 3, 4, 5]


def on_a_line(rows: Sequence[Row]) -> Answer:
    """Whether logarithms have a squared correlation of at least 0.9, wherever in their intervals they are: at the ends
    and three points between. None has less than one trial."""
    if any(row.runs == 0 for row in rows):
        return None
    ends = [np.linspace(math.log(max(row.low, 1)), math.log(max(row.high, 1)), 5) for row in rows]
    logs = np.array(list(product(*ends)))
    logs -= logs.mean(axis=1, keepdims=True)
    lengths = np.array(NS) - np.mean(NS)
    straight = (logs @ lengths) ** 2 >= 0.9 * (lengths @ lengths) * np.maximum((logs**2).sum(axis=1), 1e-12)
    return True if straight.all() else None if straight.any() else False


def falls_exponentially(table: Table) -> Answer:
    told = []
    for game in HIDDEN:
        rows = [row_of(table, game, n) for n in NS]
        told += [*(difference(a, b).above(0) for a, b in pairwise(rows)), on_a_line(rows)]
    return every(told)


TRIALS = Item(
    where="fig. 8.8",
    about="trials of n-grams",
    experiments=Measurements(
        about=(
            "how often an n-gram that was met at all was tried, on average over the decisions of the first player "
            "in a game"
        ),
        function=trials_per_ngram,
        grid={"game": HIDDEN, "n": NS},
        by=("game", "n"),
        measure="trials",
        scales={
            "small": Scale(30, game=[DOU_DI_ZHU, LOTR], simulations=500),
            "medium": Scale(30, game=[DOU_DI_ZHU, LOTR], simulations=1000),
            "paper": Scale(500, simulations=5000),
        },
        criterion=(
            "in each game trials fall exponentially with n: from each length to the next, beyond the "
            "intervals, and their logarithms on a line with a squared correlation of at least 0.9"
        ),
        passes=falls_exponentially,
    ),
    needs="paper",
    apart="a search remembers 131 072 n-grams at most, and those that come later are not counted",
    remarks=(
        "At the medium scale logarithms fall on a line in Dou Di Zhu. In the Lord of the Rings three or more moves in "
        "a row are hardly met twice at most decisions, and less than one trial is not possible: n-grams of 3, 4 and 5 "
        "moves have 8.2, 8.3 and 7.5 trials. Hearts is not in it."
    ),
    cause=Cause(
        "chance",
        "what there is of a mean of long n-grams is from the last decisions of a game, where few are left, and "
        "differs tenfold between games: in the mean of three games with 5000 iterations n-grams of 1 to 5 moves had "
        "767, 62, 20, 76 and 3 trials, which lie on no line. Print has 500 games.",
    ),
)


def steepness(points: Sequence[float]) -> list[float]:
    """The weights with which values at these points make the slope of their line of best fit."""
    apart = np.array(points) - np.mean(points)
    return [float(x) for x in apart / (apart @ apart)]


def longer_ngrams_gain_more(table: Table) -> Answer:
    lengths = [name for name in table.values("icarus") if name != "baseline"]
    budgets = table.values("iterations")
    if len(lengths) < 2 or len(budgets) < 2:
        return None
    by_length = zip(lengths, steepness(range(len(lengths))), strict=True)
    by_budget = zip(budgets, steepness(budgets), strict=True)
    steeper = combined(*((a * b, row_of(table, name, n)) for (name, a), (n, b) in product(by_length, by_budget)))
    shorter = combined(
        *(
            (weight / len(budgets), row_of(table, name, n))
            for name, weight in ((lengths[0], 1), (lengths[-1], -1))
            for n in budgets
        )
    )
    return every([steeper.above(0), shorter.above(0)])


SCALING = Item(
    where="fig. 8.9, fig. 8.10",
    about="lengths of n-grams and iterations",
    experiments=Matches(
        about="how often a landlord with NAST wins in Dou Di Zhu",
        games=DOU_DI_ZHU,
        agents={
            "landlord": "mo-ismcts(simulations={iterations},icarus={icarus})",
            "peasant": "mo-ismcts(simulations={peasants})",
        },
        seats=lineups(("landlord", "peasant", "peasant")),
        by=("icarus", "iterations"),
        grid={"icarus": list(LENGTHS.values())},
        measure="wins",
        scales={
            "small": Scale(
                50,
                peasants=1000,
                iterations=[250, 1000, 3000],
                icarus=["baseline", "nast(n=1)", "nast(n=2)", "nast(n=4)"],
            ),
            "medium": Scale(
                120, peasants=1000, iterations=[250, 3000], icarus=["baseline", "nast(n=1)", "nast(n=3)", "nast(n=5)"]
            ),
            "paper": Scale(1000, peasants=25_000, iterations=[5000, 10_000, 15_000, 20_000, 25_000]),
        },
        criterion=(
            "the shortest n-grams win more on average than the longest, and lines of best fit are the steeper "
            "the longer the n-grams, beyond the intervals"
        ),
        passes=longer_ngrams_gain_more,
    ),
    apart="which numbers of iterations were printed is lost",
    remarks="The small scale has 50 games in each setting, which are too few: means over all iterations are 57 % "
    "with n = 1 and 52 % with n = 4. "
    "At the medium scale, with 120 games, 63 % with n = 1 and 46 % with n = 5; from 250 to 3000 iterations the gain "
    "is 13, 30 and 8 points with n = 1, 3 and 5, of which the intervals cannot tell an order.",
)


def epic_wins(table: Table) -> Answer:
    return difference(row_of(table, "EPIC"), row_of(table, PLAIN)).above(0)


def in_time(about: str, scales: dict[str, Scale], **judged: Any) -> Matches:
    return Matches(
        about=about,
        games=DOU_DI_ZHU,
        agents={PLAIN: "mo-ismcts({plain})", "EPIC": "mo-ismcts({epic},icarus=epic)"},
        seats=against(PLAIN, seats=[0], itself=True),
        measure="wins",
        scales=scales,
        **judged,
    )


THEIRS: dict[str, Any] = {"plain": "simulations=3034", "epic": "simulations=2447"}
OURS: dict[str, Any] = {"plain": "simulations=3034", "epic": "simulations=1000"}

TIME = Item(
    where="sec. 8.5.5",
    about="EPIC and the plain search with as much time",
    experiments={
        "speed": Measurements(
            about="iterations of EPIC for one of the plain search in Dou Di Zhu; printed are 2447 and 3034 in 2.5 s",
            function=iterations_in_equal_time,
            measure="iterations",
            scales={
                "small": Scale(10, simulations=1000),
                "medium": Scale(30, simulations=3000),
                "paper": Scale(200, simulations=3000),
            },
        ),
        "printed iterations": in_time(
            (
                "how often the landlord wins in Dou Di Zhu against plain peasants, with the iterations that were done "
                "in 2.5 s in print"
            ),
            {"small": Scale(80, **THEIRS), "medium": Scale(500, **THEIRS), "paper": Scale(1000, **THEIRS)},
            criterion=(
                "EPIC wins more often than the plain search with the iterations that each had in print, beyond "
                "the intervals"
            ),
            passes=epic_wins,
        ),
        "equal time": in_time(
            "the same with as much time: for 3034 iterations of the plain search 1000 of EPIC, or seconds",
            {
                "small": Scale(80, **OURS),
                "medium": Scale(500, **OURS),
                "paper": Scale(1000, plain="seconds=2.5", epic="seconds=2.5"),
            },
            criterion="EPIC wins more often than the plain search in as much time, beyond the intervals",
            passes=epic_wins,
        ),
    },
    apart=(
        "of the printed 1 to 15 s only 2.5, from where on EPIC is better in print; how many iterations EPIC costs "
        "is not asked, because that depends on the program"
    ),
    remarks=(
        "In print EPIC costs 19 % of the iterations. Here plain playouts are compiled code and take little, so that "
        "EPIC does 40 % as many iterations in the same time. At the medium scale, in 500 games, it wins 56 % with the "
        "iterations of print, where the plain search wins 45 %, beyond the intervals; in as much time, for which it "
        "was given 1000, 48 %, no less than the plain search."
    ),
)

ITEMS: dict[str, Item | Missing] = {
    "E8.1": ALL_COMBINATIONS,
    "E8.1-signs": SIGNS,
    "E8.2": TREES,
    "E8.3": EPIC_AND_NAST,
    "E8.4": MAST,
    "E8.5": NGRAMS,
    "E8.6": TRIALS,
    "E8.7": SCALING,
    "E8.8": TIME,
}
