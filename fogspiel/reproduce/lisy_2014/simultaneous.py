"""Searches in games with simultaneous moves (Lisý 2014, sec. 4.2)."""

from fogspiel.experiment import Matches, Scale, every_pair, read_printed
from fogspiel.experiment.tables import Table

SEARCHES = ("oos", "duct", "exp3", "rm")
SECONDS = "the printed seconds, of another machine"
SPEEDS = "simulations as the printed seconds and speeds give"


def converging(duct: float, nodes: int) -> dict[str, str]:
    """The searches of sec. 4.2.2; the constant of DUCT is the best for each game there, on rewards scaled to [0, 1]."""
    return {
        "oos": f"oos(gamma=0.6,epsilon=0,nodes={nodes})",
        "rm": f"sm-mcts(selection=rm,gamma=0.1,nodes={nodes})",
        "exp3": f"sm-mcts(selection=exp3,gamma=0.1,nodes={nodes})",
        "duct": f"sm-mcts(selection=duct,exploration={duct:g},nodes={nodes})",
    }


PLAYERS = {
    "oos": "oos({budget},gamma=0.6,epsilon=0,progress=root)",
    "duct": "sm-mcts({budget},selection=duct)",
    "exp3": "sm-mcts({budget},selection=exp3,gamma=0.2)",
    "rm": "sm-mcts({budget},selection=rm,gamma=0.1)",
    "random": "random",
}
"""The players of tables 4.1 to 4.5."""


def cross_table(about: str, games: str | list[str], printed: str, **told: object) -> Matches:
    """Everyone against everyone, in percent of the first seat."""
    return Matches(
        about=about, games=games, agents=PLAYERS, seats=every_pair, measure="percent", by=("seat 0", "seat 1"),
        printed=read_printed(printed), **told,  # type: ignore[arg-type]
        scales={
            "small": Scale(20, budget="simulations=300"),
            "medium": Scale(200, budget="simulations=3000"),
            "paper": Scale(1000, budget="seconds=1"),
        },
    )  # fmt: skip


def ends(table: Table) -> dict[str, float]:
    """Where each player's curve ends."""
    last = max(table.values("budget"))
    return {name: table[name, last].value for name in table.values("player")}
