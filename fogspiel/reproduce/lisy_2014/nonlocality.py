"""The non-locality game: sec. 3.2."""

from fogspiel.evaluate.thought import think
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.reproduce.item import Item

PLAYERS = {
    "oos, delta = 0": "oos(simulations={simulations},delta=0)",
    "oos, delta = 0.5": "oos(simulations={simulations},delta=0.5)",
    "oos, delta = 0.9": "oos(simulations={simulations},delta=0.9)",
    "oos, delta = 1": "oos(simulations={simulations},delta=1)",
    "is-mcts": "is-mcts(simulations={simulations},belief=usual,bandit=ruct(exploration=4))",
}
"""Of two moves worth the same, IS-MCTS with little exploration plays the one that did better by chance."""


def reply(seed: int, player: str, simulations: int) -> dict[str, float]:
    """How often the second player goes left, which may not be chosen by what lies below its information set alone."""
    spec = PLAYERS[player].format(simulations=simulations)
    told = {move.name: move for move in think("nonlocality", spec, "right,left", seed=seed >> 16).moves}
    drawn = told["left"].strategy
    visits = {name: move.visits or 0 for name, move in told.items()}
    return {"left": visits["left"] / sum(visits.values()) if drawn is None else drawn}


PRINTED = {name: 1 / 2 if name in ("oos, delta = 1", "is-mcts") else 1 / 3 for name in PLAYERS}


def as_printed(table: Table) -> Answer:
    return every(table[name].inside(x - 0.03, x + 0.03) for name, x in PRINTED.items())


NONLOCALITY = Item(
    where="fig. 3.6",
    about="the non-locality game",
    experiments=Measurements(
        about="how often the second player goes left",
        function=reply,
        grid={"player": [*PLAYERS]},
        by=["player"],
        measure="left",
        printed=PRINTED,
        scales={"small": Scale(6, simulations=300_000), "paper": Scale(10, simulations=3_000_000)},
        criterion=(
            "it is one time in three with OOS and delta = 0, 0.5 or 0.9, and every other time with delta = 1 "
            "and IS-MCTS, within 0.03"
        ),
        passes=as_printed,
    ),
    apart="the printed numbers are the equilibrium, and uniform play; how many simulations there were is not told",
)
