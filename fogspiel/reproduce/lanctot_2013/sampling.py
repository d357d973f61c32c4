"""Ch. 4 and sec. 7.5: Monte Carlo CFR.

Nodes are histories touched, ends of games included, over the traversals of both players. What the document calls
exploitability is NashConv: the sum over both (appendix B).
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from fogspiel.experiment import Measurements, Scale, every, some
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.load import load
from fogspiel.reproduce.item import Cause, Item
from fogspiel.reproduce.judging import difference, less, row_of, somewhere
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.response.response import form_of, plan_nash_conv
from fogspiel.solvers.solver import Task

form = cache(form_of)
"""Of each game once in a process."""


def made(solver: str, task: Task) -> Any:
    _, entry, values = read_solver(solver)
    return entry.make(task, values)


def touch(solver: Any, nodes: float) -> None:
    """Iterations until so many nodes have been touched."""
    while solver.touched < nodes:
        each = solver.touched / max(solver.iterations, 1)
        solver.advance(max(1, int((nodes - solver.touched) / each)) if each else 1)


def curve(game: str, solver: str, seed: int, nodes: Sequence[float]) -> list[float]:
    """NashConv when so many nodes have been touched, for each of rising numbers."""
    one, found = made(solver, Task.on(form(game), seed=seed)), []
    for goal in nodes:
        touch(one, goal)
        found.append(plan_nash_conv(form(game), one.plan()))
    return found


def nash_conv(seed: int, game: str, solver: str, nodes: int) -> dict[str, list[float]]:
    steps = [nodes / 9, nodes / 3, nodes]
    return {"touched": steps, "nash_conv": curve(game, solver, seed, steps)}


def end(table: Table, game: str, solver: str) -> Row:
    """Where the curve of a solver ends in a game."""
    return row_of(table, game, solver, max(table.values("touched")))


def ordered(*pairs: tuple[str, str, str]) -> Callable[[Table], Answer]:
    """A criterion: in each game the first solver's curve ends below the second's."""
    return lambda table: every(less(end(table, game, one), end(table, game, other)) for game, one, other in pairs)


BLUFF, GOOFSPIEL = "bluff", "goofspiel(cards=6)"


def compared(
    about: str, solvers: Sequence[str], criterion: str, passes: Callable[[Table], Answer], **more: Any
) -> Measurements:
    """Curves of solvers in Bluff(1,1) and Goofspiel(6), unless told otherwise."""
    settings: dict[str, Any] = {
        "grid": {"game": [BLUFF, GOOFSPIEL], "solver": list(solvers)},
        "by": ("game", "solver", "touched"),
        "scales": {
            "small": Scale(5, nodes=3 * 10**6),
            "medium": Scale(20, nodes=10**7),
            "paper": Scale(5, nodes=3 * 10**8),
        },
    }
    return Measurements(
        about=about,
        function=nash_conv,
        measure="nash_conv",
        criterion=criterion,
        passes=passes,
        **settings | more,
    )


WHERE_CURVES_END = "where the curves end is not printed; here after 300 million nodes"

EPSILONS = (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
MODERATE = (0.5, 0.6, 0.7, 0.8)
PARALLEL = (0.6, 0.7, 0.8, 0.9)
FAR = 3.1
"""How many times the spread of five runs may, with a probability of 95 %, be that of five others by chance alone
(F-test)."""


def exploring(epsilon: float, updates: str = "alternating") -> str:
    return f"os-mccfr(epsilon={epsilon},average=optimistic,updates={updates})"


def moderate_exploration_is_best(table: Table) -> Answer:
    answers = []
    for game in (BLUFF, GOOFSPIEL):
        for extreme in set(EPSILONS) - set(MODERATE):
            worse = end(table, game, exploring(extreme))
            apart = (difference(end(table, game, exploring(epsilon)), worse) for epsilon in MODERATE)
            answers.append(somewhere(apart, lambda better: better.below(0)))
        for epsilon in PARALLEL:
            one, other = (end(table, game, exploring(epsilon, how)) for how in ("alternating", "parallel"))
            if epsilon > 0.6:
                answers.append(some([less(one, other), varies_less(one, other)]))
    return every(answers)


def varies_less(one: Row, other: Row) -> Answer:
    if not (one.runs and other.runs):
        return None
    return True if FAR * one.half < other.half else False if one.half > FAR * other.half else None


FIG_4_2_EXPLORATION = Item(
    where="fig. 4.2",
    about="outcome sampling: exploration, and one or both players updated",
    experiments=compared(
        "outcome sampling with optimistic averaging",
        [*map(exploring, EPSILONS), *(exploring(epsilon, "parallel") for epsilon in PARALLEL)],
        (
            "at the end some epsilon from 0.5 to 0.8 is better than each of the others in the alternating form, and "
            "the parallel form with more than 0.6 is worse or varies more"
        ),
        moderate_exploration_is_best,
        scales={
            "small": Scale(5, nodes=3 * 10**6),
            "medium": Scale(10, nodes=10**7),
            "paper": Scale(5, nodes=3 * 10**8),
        },
    ),
    apart=f"{WHERE_CURVES_END}; the values of epsilon are ours",
    remarks=("At the medium scale, with 10 runs of 10 million nodes, it is as printed in both games."),
)

WEIGHTED, OPTIMISTIC = "os-mccfr", "os-mccfr(average=optimistic)"
LAZY, EXACT_LAZY = "os-mccfr(average=lazy-printed)", "os-mccfr(average=lazy)"

FIG_4_2_AVERAGING = Item(
    where="fig. 4.2",
    about="outcome sampling: stochastically weighted and optimistic averaging",
    experiments=compared(
        "outcome sampling, epsilon 0.6",
        [WEIGHTED, OPTIMISTIC],
        "at the end stochastically weighted averaging is better than optimistic in both games",
        ordered((BLUFF, WEIGHTED, OPTIMISTIC), (GOOFSPIEL, WEIGHTED, OPTIMISTIC)),
    ),
    apart=WHERE_CURVES_END,
    remarks=(
        "At the medium scale, with 20 runs of 10 million nodes, weighted averaging is better in bluff, beyond the "
        "intervals. In goofspiel it is 3% above optimistic averaging at the end, where it was 5% below up to 3 million "
        "nodes, all within the intervals; its results vary twice as much there, as the text says."
    ),
)


FIG_4_3 = Item(
    where="fig. 4.3",
    about="outcome sampling: lazy-weighted averaging",
    experiments=compared(
        "outcome sampling, epsilon 0.6; lazy as printed, and lazy without its loss of mass",
        [WEIGHTED, OPTIMISTIC, LAZY, EXACT_LAZY],
        (
            "at the end stochastically weighted averaging is better than lazy as printed in both games, and optimistic "
            "is in goofspiel"
        ),
        ordered((BLUFF, WEIGHTED, LAZY), (GOOFSPIEL, WEIGHTED, LAZY), (GOOFSPIEL, OPTIMISTIC, LAZY)),
    ),
    apart=WHERE_CURVES_END,
    remarks=(
        "At the medium scale, with 20 runs of 10 million nodes, lazy as printed is level with stochastically weighted "
        "averaging in both games, and with optimistic averaging in goofspiel, within the intervals. It does lose mass "
        "where an action leads to several information sets, but that costs nothing that could be seen beside the lazy "
        "form that loses none. It is measured without an update after the last iteration, which the text asks for."
    ),
)

EXTERNAL, EXTERNAL_OPTIMISTIC = "es-mccfr", "es-mccfr(average=optimistic)"

FIG_4_4 = Item(
    where="fig. 4.4",
    about="external sampling: stochastically weighted and optimistic averaging",
    experiments=compared(
        "external sampling",
        [EXTERNAL, EXTERNAL_OPTIMISTIC],
        "at the end stochastically weighted averaging is better than optimistic in both games",
        ordered((BLUFF, EXTERNAL, EXTERNAL_OPTIMISTIC), (GOOFSPIEL, EXTERNAL, EXTERNAL_OPTIMISTIC)),
    ),
    apart=WHERE_CURVES_END,
    remarks="With 20 runs, at the medium scale, it is better in both games, beyond the intervals.",
)

CFR, CHANCE_SAMPLED, OUTCOME = "walk-cfr", "cs-mccfr", "os-mccfr"
LARGE_BLUFF = "bluff(dice1=2,rounds=valued)"
"""Bluff(2,1), whose first round pays what the rounds below are worth (sec. 3.1.1)."""
LARGE_GOOFSPIEL = "goofspiel(cards=7)"
PURSUIT = "princess_and_monster(stay=yes,start=any,last=monster,time={time})"
PRINTED_GAMES = (
    LARGE_BLUFF,
    "one_card_poker(cards=500)",
    PURSUIT.format(time=5),
    "latent_tic_tac_toe(ends=written)",
    LARGE_GOOFSPIEL,
)
TIMES = (1.0, 2.0, 4.0, 8.0, 16.0)
SMALLER = "smaller games, at the other scales, cannot tell"


def beside_cfr(seed: int, game: str, solver: str) -> dict[str, list[float]]:
    """NashConv when as many nodes have been touched as in 1, 2, 4, 8 and 16 first iterations of CFR."""
    first = made(CFR, Task.on(form(game)))
    first.advance(1)
    return {
        "first iterations": list(TIMES),
        "nash_conv": curve(game, solver, seed, [n * first.touched for n in TIMES]),
    }


def external_is_below_cfr(table: Table) -> Answer:
    return every(
        less(row_of(table, game, EXTERNAL, n), row_of(table, game, CFR, n)) for game in PRINTED_GAMES for n in TIMES
    )


FIG_4_5 = Item(
    where="fig. 4.5",
    about="CFR, and chance, outcome and external sampling, in five games",
    experiments=Measurements(
        about="NashConv when as many nodes have been touched as in so many first iterations of CFR",
        function=beside_cfr,
        grid={"solver": [CFR, CHANCE_SAMPLED, OUTCOME, EXTERNAL]},
        by=("game", "solver", "first iterations"),
        measure="nash_conv",
        scales={
            "small": Scale(3, game=[BLUFF, "one_card_poker(cards=50)", PURSUIT.format(time=3), "goofspiel(cards=5)"]),
            "medium": Scale(2, game=[BLUFF, "one_card_poker(cards=500)", PURSUIT.format(time=3), GOOFSPIEL]),
            "paper": Scale(5, game=list(PRINTED_GAMES)),
        },
        criterion=f"external sampling is below CFR after each of these, in each of the five printed games; {SMALLER}",
        passes=external_is_below_cfr,
    ),
    apart="curves end at 16 times the nodes of CFR's first iteration; princess and monster has 91.8 million "
    "histories, not 91.4, and latent "
    "tic-tac-toe 58 million, not 70, since not all of their rules are printed",
    remarks="In the smaller games of the medium scale external sampling is below CFR everywhere but in Bluff(1,1), "
    "where CFR with pruning overtakes it between 4 and 8 first iterations; in one-card poker with 500 cards, one of "
    "the printed games, it is 20 to 50 times lower. CFR "
    "here keeps its strategy within a traversal, where Algorithm 1 as printed matches regrets anew at every history, "
    "as does the program for Bluff that the author published; what that costs is not measured.",
    needs="paper",
)


def nodes_needed(seed: int, game: str, solver: str) -> dict[str, list[float]]:
    """Nodes touched until NashConv is below 1, and below 0.5; it is looked at when an eighth more iterations have
    been done."""
    one, found, goals, needed = made(solver, Task.on(form(game), seed=seed)), float("inf"), [1.0, 0.5], []
    for goal in goals:
        while found >= goal:
            one.advance(max(1, one.iterations // 8))
            found = plan_nash_conv(form(game), one.plan())
        needed.append(float(one.touched))
    return {"below": goals, "nodes": needed}


def sampling_needs_little(table: Table) -> Answer:
    external, outcome, cfr = (row_of(table, LARGE_GOOFSPIEL, solver, 0.5) for solver in (EXTERNAL, OUTCOME, CFR))
    return every([external.inside(1e6, 1e7), outcome.inside(1e6, 1e7), cfr.above(1e9)])


NODES_TO_HALF = Item(
    where="sec. 4.6",
    about="nodes that Goofspiel(7) takes to a NashConv of 0.5",
    experiments=Measurements(
        about="nodes touched until NashConv is below 1 and below 0.5",
        function=nodes_needed,
        grid={"solver": [EXTERNAL, OUTCOME, CFR]},
        by=("game", "solver", "below"),
        measure="nodes",
        scales={
            "small": Scale(2, game=[GOOFSPIEL]),
            "medium": Scale(6, game=[GOOFSPIEL]),
            "paper": Scale(5, game=[LARGE_GOOFSPIEL]),
        },
        printed={(LARGE_GOOFSPIEL, CFR, 0.5): 2.5e9},
        criterion=(
            "external and outcome sampling need 1 to 10 million nodes to 0.5, CFR more than a billion; six "
            "cards, at the other scales, cannot tell"
        ),
        passes=sampling_needs_little,
    ),
    apart="nodes are counted with the ends of games, which in goofspiel with six cards are a quarter of them; the "
    "program that the author published "
    "for Bluff does not count them",
    remarks="With six cards, at the medium scale, outcome and external sampling need 2.6 and 2.7 million nodes, less "
    "than a tenth of CFR's 41 million. Exploitability is taken for the sum over both "
    "players, NashConv; should the print mean 0.5 for each of them, the rows below 1 are those to compare.",
    needs="paper",
)


WHO_IS_BETTER = Item(
    where="sec. 4.6",
    about="where outcome sampling is better than external sampling, and where not",
    experiments={
        "goofspiel": compared(
            "in goofspiel, whose first turns count most",
            [],
            f"at the end outcome sampling is better than external sampling, in Goofspiel(7); {SMALLER}",
            ordered((LARGE_GOOFSPIEL, OUTCOME, EXTERNAL)),
            grid={"solver": [OUTCOME, EXTERNAL]},
            scales={
                "small": Scale(5, game=[GOOFSPIEL], nodes=3 * 10**6),
                "medium": Scale(20, game=[GOOFSPIEL], nodes=10**7),
                "paper": Scale(5, game=[LARGE_GOOFSPIEL], nodes=3 * 10**7),
            },
        ),
        "bluff": compared(
            "in bluff, where many bids are bad",
            [],
            (
                "at the end outcome sampling is worse than external sampling, CFR and chance sampling, in Bluff(2,1); "
                f"{SMALLER}"
            ),
            ordered(*((LARGE_BLUFF, solver, OUTCOME) for solver in (EXTERNAL, CFR, CHANCE_SAMPLED))),
            grid={"solver": [OUTCOME, EXTERNAL, CFR, CHANCE_SAMPLED]},
            scales={
                "small": Scale(5, game=[BLUFF], nodes=3 * 10**6),
                "medium": Scale(20, game=[BLUFF], nodes=10**7),
                "paper": Scale(5, game=[LARGE_BLUFF], nodes=2 * 10**9),
            },
        ),
    },
    apart=(
        "where the printed curves end is not told; here after 30 million nodes in Goofspiel(7) and 2 billion in "
        "Bluff(2,1)"
    ),
    remarks="At the medium scale, with 20 runs and six cards, outcome sampling is ahead of external sampling after a "
    "million nodes (0.67 and 0.79), level after three and behind after ten (0.29 and 0.24): who is ahead "
    "depends on the budget, and where the printed curves of seven cards end is not told. In Bluff(1,1) it is the "
    "worst of the four after three and ten million nodes, as printed, and after one million still "
    "ahead of CFR.",
    needs="paper",
)


def nodes_by_iteration(seed: int, game: str, iterations: int) -> dict[str, list[float]]:
    """Millions of nodes that each iteration of CFR with pruning touches."""
    solver, before, found = made(CFR, Task(load(game))), 0, []
    for _ in range(iterations):
        solver.advance(1)
        found.append((solver.touched - before) / 1e6)
        before = solver.touched
    return {"iteration": [float(n + 1) for n in range(iterations)], "million nodes": found}


def pruned_as_printed(table: Table) -> Answer:
    nodes = {row.key[0]: row.value for row in table}
    first = nodes.pop(1.0, None)
    return None if first is None else every(39 / 10 <= first / later <= 39 / 5 for later in nodes.values())


PRUNING = Item(
    where="sec. 4.6",
    about="pruning in latent tic-tac-toe",
    experiments=Measurements(
        about="millions of nodes that iterations of CFR touch",
        function=nodes_by_iteration,
        grid={"game": ["latent_tic_tac_toe(ends=written)"]},
        by=("iteration",),
        measure="million nodes",
        deterministic=True,
        scales={"small": Scale(1, iterations=3), "medium": Scale(1, iterations=6), "paper": Scale(1, iterations=11)},
        printed={1.0: 39},
        criterion=(
            "later iterations touch 3.9 to 7.8 times fewer nodes than the first, as 39 million followed by 5 "
            "to 10 million are"
        ),
        passes=pruned_as_printed,
    ),
    apart="the game has 58 million histories, not 70: not all of its rules are printed",
    remarks="At the medium scale iterations 2 to 6 touch 3.8, 8.1, 4.9, 4.6 and 5.2 times fewer nodes than the "
    "first: the second and the third are just outside. Without the "
    "ends of games, a traversal of the first iteration touches 29.0 million nodes here.",
    cause=Cause(
        "rules",
        "the printed game has 70 million histories and ours 58, so that the second digit cannot be expected to "
        "agree. The rule that we had to choose, when a game ends, is not what differs: with the other "
        "one, of 102 million histories, iterations 2 to 5 touch 3.8, 8.1, 4.9 and 4.6 times fewer nodes, too. Nor is "
        "that we keep the strategy within a traversal: where regrets are matched anew at every history, as in "
        "Algorithm 1, the first iteration touches 29.0 and 9.7 million nodes without ends, together the printed 39, "
        "but the next ones 14 to 21 million, 1.9 to 2.7 times fewer.",
    ),
)

PAIRED, ONE, COMMON = (f"cs-mccfr(chance={how})" for how in ("paired", "one", "common"))


def paired_first(table: Table) -> Answer:
    paired, one, common = (end(table, BLUFF, how) for how in (PAIRED, ONE, COMMON))
    return every([paired.below(one), less(one, common)])


FIG_7_5 = Item(
    where="fig. 7.5",
    about="paired and common chance sampling in Bluff(1,1)",
    experiments=compared(
        "chance-sampled CFR: one outcome, one and its mirror image, or all of the updating player's",
        [],
        "at the end paired is below one, and their intervals do not overlap, and one is below common",
        paired_first,
        grid={"game": [BLUFF], "solver": [PAIRED, ONE, COMMON]},
        scales={
            "small": Scale(5, nodes=3 * 10**7),
            "medium": Scale(20, nodes=3 * 10**7),
            "paper": Scale(5, nodes=3 * 10**8),
        },
    ),
    apart=WHERE_CURVES_END,
    remarks=(
        "At the medium scale, with 20 runs, paired is better than one by a tenth, and their intervals do not overlap, "
        "as printed; five runs are too few to tell. That common is worse than one does not come out: after 3 million "
        "nodes its mean is 1% higher, and after 10 and 30 million 4% lower, within the intervals."
    ),
)
