"""What chapter 7 leaves open: strategies of bounded games in the endless game, whose value HSVI bounds."""

from functools import cache

from fogspiel.experiment import Measurements, Scale, every, some
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer
from fogspiel.game.load import load, varied
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.judging import at_most
from fogspiel.reproduce.vesely_2024.bounded import KINDS, by_game, where_whole
from fogspiel.solvers.posg.endless import endless_value
from fogspiel.solvers.run import solve

GAMES = {
    "W3_H3_P2_C0": ("blind_pursuit(wait=no,discount=0.95)", 0.95),
    "G1_A2": ("patrolling(loss=0,discount=0.9)", 0.9),
    "G1_A3": ("patrolling(attack=3,loss=0,discount=0.9)", 0.9),
    "G5_A3": ("patrolling(graph=G5,attack=3,loss=0,discount=0.9)", 0.9),
    "W1_H3_01_02": ("search_game(width=1,defenders=0:1_0:2,loss=0,discount=0.9)", 0.9),
}
"""Discounted games, and their discounts."""
FEW = ["W3_H3_P2_C0 L4", "G1_A2 L6", "G1_A2 L8", "G1_A3 L8", "G5_A3 L8", "W1_H3_01_02 L4", "W1_H3_01_02 L6"]
SOME = [
    "W3_H3_P2_C0 L4",
    "W3_H3_P2_C0 L6",
    "G1_A2 L6",
    "G1_A2 L8",
    "G1_A3 L8",
    "G1_A3 L10",
    "G5_A3 L8",
    "G5_A3 L10",
    "W1_H3_01_02 L4",
    "W1_H3_01_02 L6",
]
ALL = [*SOME, "W3_H3_P2_C0 L8", "G1_A2 L10", "G1_A2 L12", "G1_A3 L12", "G5_A3 L12", "W1_H3_01_02 L8"]
"""Horizons at which they are cut off, in moves of both players as in the names of the configurations."""
RULES = ("uniform", "stationary", "resolved")


def lost(seed: int, game: str, horizon: str, gap: float) -> dict[str, float]:
    """What the exact strategy of the bounded game loses in the endless one, by the rule that it is played on by."""
    name, moves = game.split()
    spec, discount = GAMES[name]
    low, high = value_bounds(spec, gap)
    cut_off = varied(load(spec), rounds=int(moves[1:]) // 2, horizon=horizon, horizon_discount=discount)
    found = {rule: endless_value(cut_off, beyond=rule, bounds=(low, high)).response - low for rule in RULES}
    return {"lower": low, "upper": high, **found}


@cache
def value_bounds(spec: str, gap: float) -> tuple[float, float]:
    bounds = solve(spec, "hsvi", until=f"nash_conv={gap}", seconds=600).bounds
    assert bounds is not None
    return bounds


def _v_or_rn(table: Table) -> Answer:
    return every(
        some(at_most(f[one], f[other], 1e-3) for one in ("v", "rn"))
        for f in by_game(table).values()
        for other in ("0", "h")
    )


def _solved_again(table: Table) -> Answer:
    pursuit = by_game(table).get("W3_H3_P2_C0 L4", {})
    return every([_v_or_rn(table), every(row.below(20) for row in pursuit.values())])


def _played_on(rule: str, about: str) -> Measurements:
    again = rule == "resolved"
    return Measurements(
        about=f"what is lost beyond the value of the endless game if {about}",
        function=lost,
        grid={"horizon": KINDS},
        by=("game", "horizon"),
        measure=rule,
        deterministic=True,
        scales={
            "small": Scale(1, game=FEW, gap=0.2),
            "medium": Scale(1, game=SOME, gap=0.2),
            "paper": Scale(1, game=ALL, gap=0.01),
        },
        criterion="V or RN loses no more than 0 and H"
        + ", and in pursuit with two rounds all lose less than 20" * again,
        passes=where_whole(_solved_again if again else _v_or_rn),
    )


BOUNDS = Item(
    where="ch. 7",
    about=(
        "strategies of bounded games in the endless game, beside the bounds of HSVI: the comparison named as "
        "future work"
    ),
    experiments={
        "uniform": _played_on("uniform", "every move is as likely beyond the horizon"),
        "stationary": _played_on("stationary", "a mix for what is always known is played beyond the horizon"),
        "resolved": _played_on("resolved", "the bounded game is solved again at each horizon"),
    },
    apart=(
        "not in the source, whose games have no value without an end: here they are discounted before the horizon, too"
    ),
    remarks=(
        "Played on uniformly, RN loses least in all games and at all horizons, as it must; played on by a better "
        "rule, V is often ahead of it."
    ),
)
