"""Bounded games with four estimates of what lies beyond the horizon, trained and measured as in Veselý 2024, ch. 6.

What the document calls exploitability is NashConv: re-running its sampling until that is below 1 takes as many
iterations as printed."""

import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from fogspiel.evaluate.searched import searched_strategy
from fogspiel.experiment import Measurements, Scale, every
from fogspiel.experiment.printed import read_printed
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.game import Game
from fogspiel.game.horizon import horizon_values, write_rewards
from fogspiel.game.load import load, varied
from fogspiel.games import blind_pursuit, patrolling, search_game
from fogspiel.reproduce.item import Item
from fogspiel.solvers.posg.one_sided import solve_pairs
from fogspiel.solvers.posg.pairs import pairs_of
from fogspiel.solvers.response.response import nash_conv
from fogspiel.solvers.run import solve
from fogspiel.solvers.strategy import Strategy

KINDS = ("0", "h", "v", "rn")
THRESHOLD = 1.0
"""Sweeps of value iteration stop when no value changes by as much, on a scale of 100."""
ROUNDING = 0.005
RUNS = 5
"""Of each setting, where one is printed: they vary."""
FIVE_RUNS = "five runs of each setting, where one is printed"
DRAWS = (
    "External sampling draws the other player's action for each history alone, as OpenSpiel does. Drawn once for "
    "each information set, as `es-mccfr` does by "
    "itself, it takes longer in some games"
)
OBSERVERS = "multiple-observer information set MCTS instead of OpenSpiel's, from states that the game's resample draws"
CONFIGURATIONS = {
    **blind_pursuit.CONFIGURATIONS,
    **search_game.CONFIGURATIONS,
    **patrolling.CONFIGURATIONS,
}
Printed = dict[tuple[str, ...], float]


def bounded(name: str, kind: str, folder: str) -> Game:
    """A configuration with an estimate of what lies beyond the horizon, as coarse as in the source."""
    spec = CONFIGURATIONS[name]
    if kind == "0":
        return load(spec)
    path = Path(folder) / f"{name}-{kind}.txt"
    discount = random_discount(name) if kind == "rn" else 0.9
    write_rewards(spec, path, horizon_values(spec, kind, discount=discount, threshold=THRESHOLD))
    return varied(load(spec), rewards_file=str(path))


def random_discount(name: str) -> float:
    """RN's, which is not printed clearly for pursuit: what fits table 6.1."""
    return 0.9 if "_P" not in name else 0.99 if name.startswith("W4_H4") else 0.95


def most_iterations(name: str) -> int:
    if "_P" in name:
        return 30_000
    if name.startswith("G"):
        return 70_000
    return 40_000 if name == "W3_H3_L8_01_20_22" else 100_000


def sampled(seed: int, game: str, horizon: str) -> dict[str, float]:
    """External sampling as in OpenSpiel, measured after iteration 1 and every 1000, until NashConv is below 1."""
    with tempfile.TemporaryDirectory() as folder:
        found = solve(
            bounded(game, horizon, folder),
            "es-mccfr(draws=histories)",
            iterations=most_iterations(game),
            until="nash_conv=1",
            every=1000,
            measure=True,
            seed=seed,
        )
        told = {"iterations": found.iterations, "nash_conv": float(found.nash_conv or 0.0)}
        return {"response": response(game, found.strategy, folder), **told}


def searched(seed: int, game: str, horizon: str) -> dict[str, float]:
    """A search at every information set; constants of exploration are for payoffs of 100, here scaled to 1."""
    exploration = 1.0 if "_P" in game else 0.7
    with tempfile.TemporaryDirectory() as folder:
        own = bounded(game, horizon, folder)
        strategy = searched_strategy(
            own, f"mo-ismcts(simulations=10000,bandit=ucb(exploration={exploration}))", seed=seed
        )
        return {"response": response(game, strategy, folder), "nash_conv": nash_conv(own, strategy)}


def response(name: str, strategy: Strategy, folder: str) -> float:
    """What a best response to the player who sees little gets where the estimate is RN."""
    pairs = pairs_of(bounded(name, "rn", folder))
    return float(pairs.response(pairs.behaviour(strategy)) @ pairs.nodes.start)


def exact(seed: int, game: str) -> dict[str, float]:
    """What the game is worth with RN, by its linear program."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = pairs_of(bounded(game, "rn", folder))
        return {"value": float(pairs.response(solve_pairs(pairs)[0]) @ pairs.nodes.start)}


def printed(text: str) -> Printed:
    """A printed table: a line for each configuration, with its numbers for 0, H, V and RN."""
    return read_printed(f". {' '.join(KINDS)}\n{text.strip()}")


def measured(
    function: Callable[..., dict[str, float]],
    measure: str,
    numbers: Printed,
    scales: Mapping[str, Iterable[str]],
    passes: Callable[[Table], Answer] | None = None,
    **more: Any,
) -> Measurements:
    """An experiment with each estimate. `scales` has the configurations that are run; as printed, all are."""
    games = dict.fromkeys(name for name, _ in numbers)
    return Measurements(
        function=function,
        measure=measure,
        printed=numbers,
        grid={"horizon": KINDS},
        by=("game", "horizon"),
        scales={scale: Scale(RUNS, game=list(few)) for scale, few in {**scales, "paper": games}.items()},
        passes=where_whole(passes) if passes else None,
        **more,
    )


def best_responses(
    where: str,
    game: str,
    numbers: Printed,
    errors: Printed,
    scales: Mapping[str, Iterable[str]],
    *,
    apart: str,
    remarks: str,
    **judged: Any,
) -> Item:
    """A table of best responses to what external sampling found; what is asked of all games, only the scale `paper`
    has."""
    about = "what a best response gets where the estimate is RN"
    return Item(
        where=where,
        about=f"{game}, best responses to external sampling with four estimates beyond the horizon",
        apart=apart,
        remarks=remarks,
        needs="paper",
        experiments={
            "best responses": measured(sampled, "response", numbers, scales, about=about, **judged),
            "exact": near_exact(numbers, errors, scales),
        },
    )


def iterations(
    where: str,
    game: str,
    numbers: Printed,
    errors: Printed,
    scales: Mapping[str, Iterable[str]],
    *,
    most: str,
    apart: str,
    remarks: str,
    needs: str = "small",
    **judged: Any,
) -> Item:
    """A table of how long external sampling takes, with the NashConv it ends with."""
    about = f"iterations until NashConv is below 1, measured after the first and every 1000{most}"
    return Item(
        where=where,
        about=f"{game}, iterations of external sampling until NashConv is below 1",
        apart=apart,
        remarks=remarks,
        needs=needs,
        experiments={
            "iterations": measured(sampled, "iterations", numbers, scales, about=about, **judged),
            "nash_conv": measured(
                sampled, "nash_conv", errors, scales, about="NashConv at the end, with the same estimate"
            ),
        },
    )


SEARCHED = {
    "response": (
        "best responses to a search at every information set",
        "what a best response to 10,000 simulations at every information set gets where the estimate is RN",
    ),
    "nash_conv": (
        "NashConv of a search at every information set",
        "NashConv of 10,000 simulations at every information set, with the same estimate",
    ),
}
"""What is measured of searches, and how."""


def of_searches(
    where: str,
    game: str,
    measure: str,
    numbers: Printed,
    scales: Mapping[str, Iterable[str]],
    *,
    apart: str,
    remarks: str,
    **judged: Any,
) -> Item:
    """A table of searches at every information set."""
    what, how = SEARCHED[measure]
    return Item(
        where=where,
        about=f"{game}, {what}",
        apart=f"{OBSERVERS}; {apart}",
        remarks=remarks,
        experiments=measured(searched, measure, numbers, scales, about=how, **judged),
    )


def near_exact(numbers: Printed, errors: Printed, scales: Mapping[str, Iterable[str]]) -> Measurements:
    """The exact values with RN, beside what is printed for the strategies found."""
    best = {name: x for (name, kind), x in numbers.items() if kind == "rn"}

    def passes(table: Table) -> Answer:
        return every(
            row.value - ROUNDING <= best[row.key[0]] <= row.value + errors[row.key[0], "rn"] + 2 * ROUNDING
            for row in table
        )

    return Measurements(
        about="exact values with RN, beside the best responses printed for it",
        function=exact,
        measure="value",
        by=("game",),
        deterministic=True,
        printed=best,
        scales={scale: Scale(1, game=list(few)) for scale, few in {**scales, "paper": best}.items()},
        criterion=(
            "no printed number is better than the exact value, or worse by more than the NashConv printed beside it"
        ),
        passes=passes,
    )


def by_game(table: Table) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for row in table:
        found.setdefault(row.key[0], {})[row.key[1]] = row
    return found


def where_whole(passes: Callable[[Table], Answer]) -> Callable[[Table], Answer]:
    """A criterion that cannot tell where one of the estimates was not run."""
    return lambda table: passes(table) if all(len(rows) == len(KINDS) for rows in by_game(table).values()) else None


def rn_as_printed(numbers: Printed, errors: Printed, table: Table) -> Answer:
    """Whether what was found with RN can be as near to the game's value as the printed number: each is no better than
    that, and no worse than by its NashConv, which is below 1 where sampling did not end before."""
    answers = []
    for name, rows in by_game(table).items():
        number, error = numbers[name, "rn"], errors[name, "rn"]
        answers.append(rows["rn"].inside(number - error - ROUNDING, number + max(1.0, error) + ROUNDING))
    return every(answers)
