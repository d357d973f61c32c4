"""What is learned beside the tree (Whitehouse 2014, sec. 8.5): one player with an ICARUS among plain ones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fogspiel.experiment import Matches, Measurements, Scale, against, lineups
from fogspiel.experiment.design import Cell
from fogspiel.experiment.seating import Seated
from fogspiel.experiment.tables import Table
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.whitehouse_2014.trees import iterations_in_equal_time, searched_trees, trials_per_ngram

DOU_DI_ZHU, HEARTS, LOTR = "dou_di_zhu", "hearts(threshold=50,payoff=places)", "lotr_confrontation"
GAMES = (DOU_DI_ZHU, HEARTS, LOTR, "checkers", "othello", "backgammon")
NAMES = {DOU_DI_ZHU: "Dou Di Zhu", HEARTS: "Hearts"} | {game: game.capitalize() for game in GAMES[3:]}
LIGHT, DARK = "LOTR:C Light", "LOTR:C Dark"
PLAIN = "-"
WINS = "in Hearts a first place that is shared counts as no win, where print counts it as one"


def one_enhanced(labels: Sequence[str], players: int) -> Seated:
    """In games of two players on either side, else in the first seat, which in Dou Di Zhu is the landlord's."""
    return against(PLAIN, seats=range(2) if players == 2 else [0], itself=True)(labels, players)


@dataclass(frozen=True, kw_only=True)
class Enhanced(Matches):
    """The games are named as in print, both sides of The Lord of the Rings by themselves; and there are columns for what the
    letters in an agent's name stand for."""

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


def gain(table: Table, game: str, first: str, second: str) -> tuple[float, float]:
    """By how much more the first wins than the second, and half of that difference's interval."""
    a, b = table[game, first], table[game, second]
    return a.value - b.value, math.hypot(a.half, b.half)


def helps(table: Table, game: str, first: str, second: str) -> bool:
    apart, half = gain(table, game, first, second)
    return apart > half


ENHANCEMENTS = ("EPIC", "RAVE", "MAST", "LGRF")
COMBINATIONS = {
    PLAIN: "baseline", "E": "epic", "R": "rave", "ER": "rave>epic", "M": "mast", "EM": "mast+epic", "RM": "rave>mast",
    "ERM": "rave>mast+epic", "L": "lgrf", "EL": "lgrf+epic", "RL": "rave>lgrf", "ERL": "rave>lgrf+epic", "ML": "mast+lgrf",
    "EML": "mast+lgrf+epic", "RML": "rave>mast+lgrf", "ERML": "rave>mast+lgrf+epic",
}  # fmt: skip
"""Table 8.1."""


def combinations(about: str, by: tuple[str, ...], **judged: Any) -> Enhanced:
    return Enhanced(
        about=about, agents=agents(COMBINATIONS), letters=ENHANCEMENTS, by=by, grid={"game": GAMES}, **judged,
        scales={
            "small": Scale(80, budget="simulations=1000", game=[DOU_DI_ZHU]),
            "medium": Scale(100, budget="simulations=1000", game=[DOU_DI_ZHU, "othello"]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
    )  # fmt: skip


def effect(table: Table, game: str) -> int:
    """1 where the combinations with an enhancement win more than those without, beyond the interval, -1 where less."""
    apart, half = gain(table, game, "with", "without")
    return int(apart > half) - int(apart < -half)


def epic_helps(table: Table) -> bool:
    games = table.values("game")
    most = max(games, key=lambda game: gain(table, game, "with", "without")[0])
    return most == NAMES[DOU_DI_ZHU] and all(effect(table, game) >= (game != LIGHT) for game in games)


def rave_harms(table: Table) -> bool:
    printed = {NAMES[HEARTS]: -1, DARK: -1, NAMES["checkers"]: 1}
    return all(effect(table, game) == printed.get(game, 0) for game in table.values("game"))


def no_harm(table: Table) -> bool:
    return all(effect(table, game) >= 0 for game in table.values("game"))


def main_effect(name: str, criterion: str, passes: Any) -> Enhanced:
    about = f"how often the eight combinations with {name} win, and the eight without"
    return combinations(about, ("game", name), criterion=f"of the games that were played: {criterion}", passes=passes)


ALL_COMBINATIONS = Item(
    where="table 8.1, fig. 8.3, fig. 8.4",
    about="all combinations of EPIC, RAVE, MAST and LGRF",
    experiments={
        "combinations": combinations("how often one of them wins against plain players", ("game", "agent")),
        "EPIC": main_effect(
            "EPIC",
            "gains in all, in the Lord of the Rings as Light at least no loss, and most in Dou Di Zhu",
            epic_helps,
        ),
        "RAVE": main_effect(
            "RAVE",
            "gains in Checkers alone, and loses in Hearts and the Lord of the Rings as Dark, beyond the interval",
            rave_harms,
        ),
        "MAST": main_effect("MAST", "loses in none beyond the interval", no_harm),
        "LGRF": main_effect("LGRF", "loses in none beyond the interval", no_harm),
    },
    apart=f"1000 games in each setting, printed are 1000 to 2500; {WINS}",
    remarks="The small scale is Dou Di Zhu alone. EPIC gains 10 points there. That LGRF by itself is significantly worse than the plain search, as "
    "printed, is not seen.",
)

ALONE = {PLAIN: "baseline", "EPIC": "epic", "RAVE": "rave", "MAST": "mast", "LGRF": "lgrf"}


def most_visits_by_epic(table: Table) -> bool:
    epic = table["epic"]
    return all(epic.value - row.value > math.hypot(epic.half, row.half) for row in table if row.key != ("epic",))


def rave_is_deeper(table: Table) -> bool:
    plain = table["baseline"].value
    return all(abs(row.value - plain - (row.key == ("rave",))) <= 0.5 for row in table)


def trees(about: str, measure: str, **judged: Any) -> Measurements:
    return Measurements(
        about=about, function=searched_trees, grid={"icarus": list(ALONE.values())}, by=("icarus",), measure=measure, **judged,
        scales={
            "small": Scale(80, game=DOU_DI_ZHU, simulations=1000),
            "medium": Scale(200, game=DOU_DI_ZHU, simulations=5000),
            "paper": Scale(1000, game=DOU_DI_ZHU, simulations=5000),
        },
    )  # fmt: skip


TREES = Item(
    where="sec. 8.5.1",
    about="trees with EPIC, RAVE, MAST and LGRF",
    experiments={
        "visits": trees(
            "share of the visits that the chosen move has, printed 10 to 30 % more with EPIC",
            "visits",
            criterion="the chosen move has more visits with EPIC than with any other, beyond the interval",
            passes=most_visits_by_epic,
        ),
        "depth": trees(
            "how deep the deepest node is",
            "deepest",
            criterion="with RAVE the deepest node is one ply deeper than with the plain search, with the others as deep, within half a ply",
            passes=rave_is_deeper,
        ),
    },
    apart="in Dou Di Zhu, by the landlord's decisions in whole games; which games and how many decisions were printed is not told",
    remarks="With EPIC the chosen move has 10 % more visits, as printed. With RAVE the tree of 1000 iterations is a quarter of a ply deeper, within the interval, "
    "and not a whole one; print tells neither games nor budgets.",
)


def nast_is_no_worse(table: Table) -> bool:
    better = {game: helps(table, game, "NAST-2", "EPIC") for game in table.values("game")}
    worse = any(helps(table, game, "EPIC", "NAST-2") for game in better)
    return not worse and all(found == (game == NAMES["othello"]) for game, found in better.items())


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
            "medium": Scale(200, budget="simulations=1000", game=[DOU_DI_ZHU, LOTR, "othello"]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion="of the games that were played: NAST wins more than EPIC in Othello beyond the interval, and in no other is there such a difference",
        passes=nast_is_no_worse,
    ),
    apart=WINS,
    remarks="The small scale is Dou Di Zhu and Othello. Both are far stronger than the plain search in Othello, 87 % each of 60 games; that NAST is ahead there is "
    "not seen with 1000 iterations.",
)

POLICIES = ("gibbs", "greedy", "roulette", "ucb1")


def ucb1_is_best(table: Table) -> bool:
    others = [name for name in table.values("agent") if name != "ucb1"]
    beaten = any(helps(table, game, name, "ucb1") for game in table.values("game") for name in others)
    return not beaten and all(helps(table, NAMES[DOU_DI_ZHU], "ucb1", name) for name in others)


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
            "medium": Scale(500, budget="simulations=1000", game=[DOU_DI_ZHU, LOTR]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion="of the games that were played: UCB1 is nowhere beaten by another beyond the interval, and in Dou Di Zhu beats all of them so",
        passes=ucb1_is_best,
    ),
    apart=f"1000 games in each setting, printed are 500 to 2500; {WINS}",
    remarks="The small scale is Dou Di Zhu alone. As in print UCB1 is best there, roulette gains nothing, and Gibbs and epsilon-greedy are between.",
)

LENGTHS = {PLAIN: "baseline"} | {f"n = {n}": f"nast(n={n})" for n in range(1, 6)}


def short_ngrams_are_best(table: Table) -> bool:
    told = []
    for game in table.values("game"):
        if game == DARK:
            told.append(helps(table, game, "n = 2", "n = 3"))
        elif game == NAMES[HEARTS]:
            told += [
                helps(table, game, name, PLAIN) == (name in ("n = 2", "n = 3")) for name in LENGTHS if name != PLAIN
            ]
        else:
            told.append(not any(helps(table, game, name, "n = 1") for name in LENGTHS if name != PLAIN))
            told.append(table[game, "n = 1"].value > table[game, "n = 5"].value)
    return all(told)


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
            "medium": Scale(300, budget="simulations=1000", game=[DOU_DI_ZHU, LOTR]),
            "paper": Scale(1000, budget="simulations=5000"),
        },
        criterion="of the games that were played: in Dou Di Zhu and the Lord of the Rings as Light no length beats 1 beyond the interval, and 5 is worse; "
        "as Dark 2 beats 3; in Hearts 2 and 3 beat the plain search, and no other does",
        passes=short_ngrams_are_best,
    ),
    apart=f"up to which length was printed is lost; {WINS}",
    remarks="The small scale is Dou Di Zhu alone: lengths of 1 and 2 are as good, and from there on players get weaker, to the plain search's level at 5.",
)


def falls_exponentially(table: Table) -> bool:
    """Logarithms fall on a line: its squared correlation is at least 0.9."""
    told = []
    for game in table.values("game"):
        rows = [row for row in table if row.key[0] == game]
        lengths, logs = [row.key[1] for row in rows], [math.log(row.value) for row in rows]
        told.append(logs == sorted(logs, reverse=True) and np.corrcoef(lengths, logs)[0, 1] ** 2 >= 0.9)
    return all(told)


TRIALS = Item(
    where="fig. 8.8",
    about="trials of n-grams",
    experiments=Measurements(
        about="how often an n-gram that was met at all was tried, on average over the decisions of the first player in a game",
        function=trials_per_ngram,
        grid={"game": HIDDEN, "n": [1, 2, 3, 4, 5]},
        by=("game", "n"),
        measure="trials",
        scales={
            "small": Scale(30, game=[DOU_DI_ZHU, LOTR], simulations=500),
            "medium": Scale(50, simulations=1000),
            "paper": Scale(500, simulations=5000),
        },
        criterion="trials fall exponentially with n: their logarithms fall, on a line with a squared correlation of at least 0.9",
        passes=falls_exponentially,
    ),
    apart="a search remembers 131 072 n-grams at most, and those that come later are not counted",
    remarks="In Dou Di Zhu logarithms fall on a line (squared correlation 0.99). In the Lord of the Rings 500 iterations hardly meet three moves in a row twice: most decisions "
    "have 1.1 trials for an n-gram of 5 moves, less than which is not possible, and the last ones of a game, with few lines left, raise the mean.",
)


def slopes(table: Table) -> dict[str, float]:
    """Of the lines of best fit: how much more is won for each iteration."""
    rows: dict[str, list[tuple[int, float]]] = {}
    for row in table:
        rows.setdefault(row.key[0], []).append((row.key[1], row.value))
    return {name: float(np.polyfit(*zip(*points, strict=True), 1)[0]) for name, points in rows.items()}


def longer_ngrams_gain_more(table: Table) -> bool:
    found = slopes(table)
    lengths = [name for name in found if name != "baseline"]
    means = [np.mean([row.value for row in table if row.key[0] == name]) for name in lengths]
    steeper = np.polyfit(range(len(lengths)), [found[name] for name in lengths], 1)[0] > 0
    return bool(steeper and means[0] > means[-1])


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
            "small": Scale(50, peasants=1000, iterations=[250, 1000, 3000], icarus=["baseline", "nast(n=1)", "nast(n=2)", "nast(n=4)"]),
            "medium": Scale(250, peasants=5000, iterations=[1000, 2000, 3000, 4000, 5000]),
            "paper": Scale(1000, peasants=25_000, iterations=[5000, 10_000, 15_000, 20_000, 25_000]),
        },
        criterion="the shortest n-grams win more on average than the longest, and lines of best fit are the steeper the longer the n-grams",
        passes=longer_ngrams_gain_more,
    ),
    apart="which numbers of iterations were printed is lost",
    remarks="50 games in each setting are too few for slopes. Short n-grams win more on average, 57 % with n = 1 and 52 % with n = 4.",
)  # fmt: skip


def epic_wins(table: Table) -> bool:
    return table["EPIC"].value >= table[PLAIN].value


def in_time(about: str, criterion: str, scales: dict[str, Scale]) -> Matches:
    return Matches(
        about=about, games=DOU_DI_ZHU, agents={PLAIN: "mo-ismcts({plain})", "EPIC": "mo-ismcts({epic},icarus=epic)"},
        seats=against(PLAIN, seats=[0], itself=True), measure="wins", scales=scales, criterion=criterion, passes=epic_wins,
    )  # fmt: skip


THEIRS = {"plain": "simulations=3034", "epic": "simulations=2447"}
OURS = {"plain": "simulations=3034", "epic": "simulations=1000"}

TIME = Item(
    where="sec. 8.5.5",
    about="EPIC and the plain search with as much time",
    experiments={
        "speed": Measurements(
            about="iterations of EPIC for one of the plain search in Dou Di Zhu; printed are 2447 and 3034 in 2.5 s",
            function=iterations_in_equal_time,
            measure="iterations",
            printed={(): 2447 / 3034},
            scales={
                "small": Scale(10, simulations=1000),
                "medium": Scale(50, simulations=3000),
                "paper": Scale(200, simulations=3000),
            },
        ),
        "printed iterations": in_time(
            "how often the landlord wins in Dou Di Zhu against plain peasants, with the iterations that were done in 2.5 s in print",
            "EPIC wins at least as often as the plain search with the iterations that it had in print",
            {"small": Scale(80, **THEIRS), "medium": Scale(1000, **THEIRS), "paper": Scale(1000, **THEIRS)},
        ),
        "equal time": in_time(
            "the same with as much time: for 3034 iterations of the plain search 1000 of EPIC, or seconds",
            "EPIC wins at least as often as the plain search in as much time",
            {"small": Scale(80, **OURS), "medium": Scale(1000, **OURS), "paper": Scale(1000, plain="seconds=2.5", epic="seconds=2.5")},
        ),
    },
    apart="of the printed 1 to 15 s only 2.5, from where on EPIC is better in print",
    remarks="In print EPIC costs 19 % of the iterations. Here plain playouts are compiled code and take little, so EPIC does 31 % as many iterations in the same time, and is "
    "still no weaker.",
)  # fmt: skip

ITEMS: dict[str, Item | Missing] = {
    "E8.1": ALL_COMBINATIONS,
    "E8.2": TREES,
    "E8.3": EPIC_AND_NAST,
    "E8.4": MAST,
    "E8.5": NGRAMS,
    "E8.6": TRIALS,
    "E8.7": SCALING,
    "E8.8": TIME,
}
