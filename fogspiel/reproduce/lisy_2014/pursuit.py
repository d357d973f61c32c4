"""Visibility-based pursuit (Lisý 2014, ch. 5): minimax and UCT on information-set trees against IS-MCTS with
beliefs."""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from fogspiel.agents.agent import Agent, Observation
from fogspiel.agents.registry import agent
from fogspiel.evaluate.referee import play_game
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.reproduce.item import Cause, Item, Missing
from fogspiel.reproduce.judging import at_most, far_below, highest, less, lowest, scaled, sure, trend

MEASURES = {"seen": "seen", "mean size": "mean_size", "end size": "end_size"}
"""How often the evader was seen, and on how many squares it may have been: in the mean, and after the last step."""
STARTS = 100
CONSTANTS, LENGTHS, SHORT = (0.5, 1, 2, 4, 8), (20, 30, 40, 50, 60), (1, 2, 4, 8)
"""What was tried for C, for h, and for the length of short simulations."""


def constant(c: float = 2) -> str:
    """The thesis's C is for logarithms of sizes, of which the largest is about 3.1; here rewards are scaled to [0,
    1]."""
    return f"exploration={0.325 * c:g}"


def uct(how: str) -> str:
    return f"{how},bandit=ucb({constant()})"


def mo(h: int, *, c: float = 2, playout: str = "no_return", belief: str = "tracked(particles=100)") -> str:
    """IS-MCTS; simulations end h steps from the root, and a step has two moves. The evader ignores pursuers that it
    never saw, or that may be on more than 250 squares."""
    how = f"playout={playout},evaluation=nosim(after={2 * h},counted=root),ignore=250,belief={belief}"
    return f"is-mcts(bandit=uct({constant(c)}),{how},{{}})"


PLAYERS = {
    "MM(URLA)": ("ist-minimax(evaluation=urla,{})", 20_000),
    "SO(RLA)": (f"ist-mcts({uct('evaluation=rla')},{{}})", 13_892),
    "SO(RS)": (f"ist-mcts({uct('evaluation=rs')},{{}})", 23_788),
    "SO(NoSim)": (f"ist-mcts({uct('evaluation=nosim')},{{}})", 20_394),
    "SO(Heavy)": (f"ist-mcts({uct('playout=heavy,evaluation=nosim(after=60,counted=root)')},{{}})", 570),
    "SO(Random)": (f"ist-mcts({uct('playout=guide,evaluation=nosim(after=60,counted=root)')},{{}})", 5271),
    "MO, beliefs off": (mo(50, belief="resample"), 20_867),
    "MO, random": (mo(50, playout="uniform"), 20_867),
    "MO, last seen": (mo(50, playout="last_seen"), 20_496),
}
"""The players, and what they did in a second: as many simulations as printed; nodes of minimax are not told."""
PLAYERS |= {f"MO(h={h})": (mo(h), 20_867) for h in LENGTHS}
PLAYERS |= {f"MO(C={c},h={h})": (mo(h, c=c), 20_867) for c in CONSTANTS for h in (40, 50) if c != 2}
PLAYERS |= {
    f"SO(RLA) after {n}": (f"ist-mcts({uct(f'playout=guide,evaluation=rla(after={2 * n})')},{{}})", 13_892)
    for n in SHORT
}


def with_constant(h: int) -> list[str]:
    """IS-MCTS with every C; it is 2 where nothing is told."""
    return [f"MO(h={h})" if c == 2 else f"MO(C={c},h={h})" for c in CONSTANTS]


def player(name: str, share: float) -> Agent:
    """A player that has a share of what it did in a second; 0: a second."""
    how, speed = PLAYERS[name]
    unit = "nodes" if name.startswith("MM") else "simulations"
    return agent(how.format(f"{unit}={max(1, round(share * speed))}" if share else "seconds=1"))


def chase(seed: int, place: str, pursuer: str, evader: str, start: int, steps: int, share: float) -> dict[str, float]:
    """A game from one of the starts."""
    seated = [player(pursuer, share), player(evader, share)]
    moves = play_game(pursuit(place, steps), seated, deal=start, seed=seed, dealt=[start]).moves
    return measured(place, steps, moves)


def pursuit(place: str, steps: int, objective: str = "log_mean_size") -> str:
    return f"{place}_pursuit(objective={objective},abstraction=last_seen,steps={steps},starts={STARTS})"


def measured(place: str, steps: int, moves: Iterable[int]) -> dict[str, float]:
    """What the evader has in a game, by all measures."""
    found = {}
    for name, objective in MEASURES.items():
        state = load(pursuit(place, steps, objective)).start()
        for move in moves:
            state.play(move)
        found[name] = state.payoff()[1]
    return found


def timed(seed: int, place: str, games: int, steps: int, depth: int) -> dict[str, list[float]]:
    """How long minimax of a fixed depth takes for the pursuers' moves: times that so many percent do not exceed."""
    slow = _Timed(f"ist-minimax(evaluation=urla,depth={depth})")
    for start in range(games):
        play_game(pursuit(place, steps), [slow, player("MM(URLA)", 0.02)], deal=start, seed=seed, dealt=[start])
    percent = [50, 90, 99, 100]
    found = np.percentile(slow.seconds, percent)
    return {"percent": percent, "seconds": found.tolist(), "times the median": (found / found[0]).tolist()}


class _Timed:
    """An agent that notes the processor time of each decision."""

    def __init__(self, spec: str):
        self.inner, self.seconds = agent(spec), list[float]()
        self.name = self.inner.name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.inner.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        begin = time.process_time()
        move = self.inner.choose(observation)
        self.seconds.append(time.process_time() - begin)
        return move


def chases(
    about: str, pursuers: list[str], evaders: list[str], starts: int, share: float = 0.1, **told: Any
) -> Measurements:
    """Every pursuer against every evader from the same starts, in the maze unless told otherwise; `share`: of what they
    did in a second, at the medium scale."""
    usual = {"grid": {"place": ["maze"], "pursuer": pursuers, "evader": evaders}, "by": ("pursuer", "evader")}
    scales = {
        "small": Scale(1, start=range(starts), steps=40, share=0.02),
        "medium": Scale(1, start=range(3 * starts), steps=60, share=share),
        "paper": Scale(1, start=range(STARTS), steps=100, share=0),
    }
    return Measurements(about=about, function=chase, scales=scales, **usual | {"measure": "mean size"} | told)


def worst(table: Table, place: str, side: str) -> dict[str, Row]:
    """What each pursuer or evader has against its nemesis; pursuers want a number to be small, the evader large."""
    column, bad = table.by.index(side), max if side == "pursuer" else min
    rows = [sure(row) for row in table if row.key[0] == place]
    return {
        name: bad((row for row in rows if row.key[column] == name), key=lambda row: row.value)
        for name in table.values(side)
    }


def mo_evades_so_pursues(table: Table) -> Answer:
    found = []
    for place in ("road", "maze"):
        hunters, prey = worst(table, place, "pursuer"), worst(table, place, "evader")
        found += [highest("MO(h=40)", prey), lowest("SO(NoSim)", prey), highest("MO(h=50)", hunters)]
        if table.measure == "mean size":
            found.append(at_most(hunters["SO(RLA)"], scaled(hunters["MM(URLA)"], 1 + MARGIN)))
    return every(found)


def heavy_tail(table: Table) -> Answer:
    return sure(table[99]).above(10)


def largest_is(name: str) -> Callable[[Table], Answer]:
    """Whether a player has the largest number, which is good for evaders."""
    return lambda table: every(less(row, table[name]) for row in table if row.key != (name,))


def smallest_is(name: str) -> Callable[[Table], Answer]:
    """Whether a player has the smallest number."""
    return lambda table: every(less(table[name], row) for row in table if row.key != (name,))


def within_half(table: Table) -> Answer:
    return every(less(one, scaled(other, 1.5)) for one, other in permutations(table, 2))


def beliefs_help_much(table: Table) -> Answer:
    return far_below(table["MO, beliefs off"], table["MO(h=40)"])


def knowledge_helps_little_or_harms(table: Table) -> Answer:
    """Moves that do not return are hardly better than random ones, and better than those to where the evader was last
    seen."""
    usual, random, last_seen = (table[name] for name in ("MO(h=50)", "MO, random", "MO, last seen"))
    slightly = [at_most(usual, scaled(random, 1 + MARGIN)), at_most(random, scaled(usual, 1.25))]
    return every([*slightly, less(usual, last_seen)])


def evaluation_beats_simulation(table: Table) -> Answer:
    rest = (far_below(table["SO(RS)"], table[f"SO({name})"]) for name in ("NoSim", "Heavy", "Random"))
    worst = (less(table[f"SO({name})"], table["SO(NoSim)"]) for name in ("Heavy", "Random"))
    return every([far_below(table["SO(RLA)"], table["SO(RS)"]), *rest, *worst])


def short_simulations_harm(table: Table) -> Answer:
    rows = [table[name] for name in ("SO(RLA)", *(f"SO(RLA) after {n}" for n in SHORT))]
    return trend(rows, MARGIN * max(row.value for row in rows))


MARGIN = 0.05
"""Up to such a share of it two sizes are equal."""


SIMULATED = ["SO(RLA)", "SO(RS)", "SO(NoSim)", "SO(Heavy)", "SO(Random)"]
PURSUERS, EVADERS = ["MM(URLA)", "SO(RLA)", "MO(h=50)"], ["MM(URLA)", "SO(NoSim)", "MO(h=40)"]


def against(
    about: str, pursuers: list[str], evaders: list[str], printed: Sequence[float | None], **told: Any
) -> Measurements:
    """Several pursuers against an evader, or pursuers against several evaders."""
    side, names = ("evader", evaders) if len(pursuers) == 1 else ("pursuer", pursuers)
    numbers = {name: x for name, x in zip(names, printed, strict=False) if x is not None}
    return chases(about, pursuers, evaders, by=[side], printed=numbers, **{"starts": 6} | told)


def everyone(measure: str, printed: str) -> Measurements:
    """Fig. 5.5 by one measure: a line for each evader, in which there are the pursuers on the roads and in the maze."""
    lines = [[float(x) for x in line.split()] for line in printed.strip().splitlines()]
    numbers = {
        (place, pursuer, evader): lines[row][3 * half + column]
        for half, place in enumerate(("road", "maze"))
        for row, evader in enumerate(EVADERS)
        for column, pursuer in enumerate(PURSUERS)
    }
    more = "" if measure != "mean size" else ", and SO(RLA) is no worse a pursuer than MM(URLA), by more than 5%"
    return chases(
        "everyone against everyone",
        PURSUERS,
        EVADERS,
        3,
        measure=measure,
        printed=numbers,
        grid={"place": ["road", "maze"], "pursuer": PURSUERS, "evader": EVADERS},
        by=("place", "pursuer", "evader"),
        criterion=(
            "on both maps, against their nemeses, MO is the best evader and the worst pursuer, SO(NoSim) the "
            f"worst evader{more}"
        ),
        passes=mo_evades_so_pursues,
    )


MAPS = "the maps are printed as pictures, so these are others of the same size, and all know where all start"

ITEMS: dict[str, Item | Missing] = {
    "E-30": Item(
        where="fig. 5.4",
        about="pursuit, how long minimax takes",
        experiments=Measurements(
            about=(
                "processor time of the pursuers' moves by minimax of a fixed depth, which so many percent do not exceed"
            ),
            function=timed,
            grid={"place": ["maze"]},
            by=["percent"],
            measure="times the median",
            scales={
                "small": Scale(1, games=4, steps=25, depth=6),
                "medium": Scale(5, games=4, steps=25, depth=6),
                "paper": Scale(2, games=STARTS, steps=100, depth=8),
            },
            criterion="one move in a hundred takes more than ten times as long as the median",
            passes=heavy_tail,
        ),
        apart=(
            f"{MAPS}; more than half of the moves took less than a second there, and hundreds of 10,000 more than ten"
        ),
        remarks=(
            "At the medium scale, with a depth of 6 and five times 100 moves of four games, one in a hundred takes "
            "5.7 times as long as the median."
        ),
        cause=Cause(
            "budget",
            (
                "times spread with the depth, which is 8 in print: of 60 moves one in a hundred takes 3.3, 3.4 and 5.6 "
                "times the median with depths of 3, 4 and 5, and 5.7 with 6."
            ),
        ),
        needs="medium",
    ),
    "E-31": Item(
        where="fig. 5.5",
        about="pursuit, everyone against everyone",
        experiments={
            "mean size": everyone(
                "mean size",
                """
                80.9 77.4  78.9   79.8  69.2 128.3
                72.7 53.2  56.5   47.0  36.3  34.4
                78.6 78.9 108.1  164.2 146.6 252.7
                """,
            ),
            "seen": everyone(
                "seen",
                """
                -58.6 -60.7 -55.7  -50.0 -56.4 -45.7
                -62.3 -68.7 -68.8  -75.2 -76.3 -75.8
                -58.6 -58.6 -52.1  -45.9 -44.7 -35.7
                """,
            ),
            "end size": everyone(
                "end size",
                """
                125.4 119.7 119.4  144.2 135.0 232.6
                109.5  75.3  73.0   78.5  63.6  48.6
                133.8 128.7 164.3  279.0 287.1 466.4
                """,
            ),
        },
        apart=(
            f"{MAPS}; MM's and SO's evaders expect pursuers that they have not seen yet, as they know where these "
            "started"
        ),
        remarks=(
            "At the medium scale MO is the worst pursuer in the maze and on the roads by all measures, as printed. It "
            "fails since MO is the worst evader, too, seen by its nemeses in 53 of 60 steps in the maze and in all on "
            "the roads, where print has it as the best."
        ),
        cause=Cause(
            "budget",
            "with 2087 simulations, a tenth of print's, UCT with C = 2 has tried all moves about as often, and "
            "IS-MCTS draws its moves by use, so that MO moves almost at random and stays in sight. And by the rules: "
            "on our roads, one square wide, an evader out of sight can be on few squares only.",
        ),
    ),
    "E-32": Item(
        where="fig. 5.6",
        about="pursuit, parameters of MO against its nemesis",
        experiments={
            "C, evader": against(
                "exploration",
                ["SO(RLA)"],
                with_constant(40),
                [31, 43, 147, 115, 76],
                starts=3,
                share=0.06,
                criterion="C = 2 is best for the evader",
                passes=largest_is("MO(h=40)"),
            ),
            "C, pursuer": against(
                "exploration",
                with_constant(50),
                ["MO(h=40)"],
                [235, 253, 253, 263, 314],
                starts=3,
                share=0.06,
                criterion="for the pursuers the worst is less than half as large again as the best",
                passes=within_half,
            ),
            "h, evader": against(
                "length of simulations",
                ["SO(RLA)"],
                [f"MO(h={h})" for h in LENGTHS],
                [126, 157, 147, 171, 160],
                starts=3,
                share=0.06,
                criterion="h = 20 is worst for the evader",
                passes=smallest_is("MO(h=20)"),
            ),
            "h, pursuer": against(
                "length of simulations",
                [f"MO(h={h})" for h in LENGTHS],
                ["MO(h=40)"],
                [237, 234, 209, 253, 263],
                starts=3,
                share=0.06,
                criterion="h = 60 is worst for the pursuers",
                passes=largest_is("MO(h=60)"),
            ),
        },
        apart=MAPS,
        remarks="At the medium scale, with 1252 simulations instead of 20,867 and games from nine starts, pursuers "
        "with C = 0.5 keep the evader on 9 squares, and those with C = 2 or more on 97 to 139, where print has 235 "
        "to 314 with little to"
        " choose between them. All other differences are within the intervals. MO(h=...) without a constant has C = 2.",
        cause=Cause(
            "budget",
            (
                "with a sixteenth of the printed simulations UCT with a constant of 2 or more has tried all moves "
                "about as often, and IS-MCTS draws its moves by use (E-31); small constants go without that."
            ),
        ),
    ),
    "E-33": Item(
        where="sec. 5.5.2, beliefs",
        about="pursuit, MO without beliefs",
        experiments={
            "evader": against(
                "beliefs",
                ["SO(RLA)"],
                ["MO(h=40)", "MO, beliefs off"],
                [146.6, 89.2],
                criterion="the evader does much better with beliefs: without them the size is less than two thirds",
                passes=beliefs_help_much,
            ),
            "pursuer": against(
                "beliefs",
                ["MO(h=50)", "MO, beliefs off"],
                ["MO(h=40)"],
                [252.9, 267.6],
                criterion="the pursuers do better with beliefs",
                passes=smallest_is("MO(h=50)"),
            ),
        },
        apart=MAPS,
        remarks=(
            "At the medium scale, from 18 starts, the evader is on 23 squares with beliefs and on 8.5 without, as "
            "printed, and the pursuers leave it 93 and 81, all within wide intervals."
        ),
    ),
    "E-34": Item(
        where="sec. 5.5.2, simulations",
        about="pursuit, what MO knows in simulations",
        experiments=against(
            "simulations",
            ["MO(h=50)", "MO, random", "MO, last seen"],
            ["MM(URLA)"],
            [123.4, None, 160.1],
            starts=4,
            criterion="random moves are slightly worse than those that do not return, by a quarter at most, and not "
            "better by more than 5%; those to where the evader was last seen are "
            "worse",
            passes=knowledge_helps_little_or_harms,
        ),
        apart=f"{MAPS}; pursuers always go to where the evader was last seen, instead of in every other simulation",
        remarks=(
            "At the medium scale, with 2087 simulations and twelve starts, the evader is on 101 squares, 102 and 89, "
            "each within 55, which tells nothing."
        ),
        cause=Cause("budget", "with so few simulations MO draws its moves almost at random, whatever it knows."),
    ),
    "E-35": Item(
        where="fig. 5.7",
        about="pursuit, what SO does where it leaves its tree",
        experiments={
            "mean size": against(
                "simulations",
                SIMULATED,
                ["MO(h=40)"],
                [146.6, 352.9, 625.7, 600.6, 612.8],
                criterion=(
                    "with RLA it is less than two thirds of that with RS, and with RS less than two thirds of "
                    "that with NoSim, Heavy and Random; with NoSim it is the largest"
                ),
                passes=evaluation_beats_simulation,
            ),
            "seen": against("simulations", SIMULATED, ["MO(h=40)"], [-44.7, -20.8, -7.7, -12.2, -12.3], measure="seen"),
            "end size": against(
                "simulations", SIMULATED, ["MO(h=40)"], [287, 702, 1167, 1039, 1109], measure="end size"
            ),
        },
        apart=(
            f"{MAPS}; the other two measures are not asked, because the text tells nothing of them that it does "
            "not of the mean size"
        ),
        remarks=(
            "At the small scale, with a fiftieth of the simulations that each did in a second there, in games of 40 "
            "steps from six starts, the evader is on 5.3 squares with RLA and on 22 to 38 with the others, all within "
            "wide intervals. At the medium scale, with 18 games of each, it is on 23 with RLA, 35 with RS and 40 "
            "without simulations, in the printed order, but on 21 and 25 with Heavy and Random, all within wide "
            "intervals."
        ),
    ),
    "E-36": Item(
        where="fig. 5.8",
        about="pursuit, short simulations of SO before RLA",
        experiments=against(
            "steps of random simulation before RLA",
            ["SO(RLA)", *(f"SO(RLA) after {n}" for n in SHORT)],
            ["MM(URLA)"],
            [],
            starts=4,
            criterion=(
                "the longer simulations are, the larger it is, to within 5% of the largest from one length to "
                "the next, and larger after eight steps than after none"
            ),
            passes=short_simulations_harm,
        ),
        apart=f"{MAPS}; the figure's numbers are not in its text",
        remarks=(
            "At the medium scale, in games from twelve starts, the evader is on 50, 74, 87, 93 and 107 squares, in "
            "the printed order, but the intervals are wider than the differences."
        ),
    ),
}
