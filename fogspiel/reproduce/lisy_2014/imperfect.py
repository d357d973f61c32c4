"""Searches in games with hidden information (Lisý 2014, sec. 4.3)."""

from typing import Any

from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.evaluate.online import aggregate
from fogspiel.experiment import Curves, Matches, Measurements, Scale, every_pair, read_printed
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.judging import difference, mean_of, sure

SELECTIONS = {
    "ruct": "bandit=ruct",
    "uct": "bandit=uct",
    "exp3": "bandit=exp3",
    "rm": "bandit=rm",
}
"""What IS-MCTS selects by. The thesis's C is twice the highest payoff: 1 on rewards scaled to [0, 1]."""
SEARCHES = ("oos", *SELECTIONS)
BLIND, BELIEFS = "belief=usual(pending=random)", "belief=tracked"
"""Without beliefs as printed: the others' moves of a stage at random, and the walk leaves the tree within a stage."""
NODES = 400_000
SECONDS = "the printed seconds, of another machine"
ROOT = "simulations as 30 minutes at the printed speeds give"


def players(how: str) -> dict[str, str]:
    """The players of tables 4.8 to 4.12."""
    found = {"oos": f"oos({{budget}},nodes={NODES})"}
    found |= {name: f"is-mcts({{budget}},{by},{how},nodes={NODES})" for name, by in SELECTIONS.items()}
    return found | {"random": "random"}


def timed(seconds: float, small: tuple[int, int], medium: tuple[int, int]) -> dict[str, Scale]:
    """A thousand games of a cell with so many seconds a move, as printed; else so many games, with so many simulations
    a move."""
    few = {
        scale: Scale(games, budget=f"simulations={n}") for scale, (games, n) in (("small", small), ("medium", medium))
    }
    return few | {"paper": Scale(1000, budget=f"seconds={seconds:g}")}


def cross_table(
    about: str, games: str, agents: dict[str, str], printed: str, scales: dict[str, Scale], **told: Any
) -> Matches:
    """Everyone against everyone, in percent of the first seat."""
    usual: dict[str, Any] = {"seats": every_pair, "measure": "percent", "by": ("seat 0", "seat 1")}
    return Matches(
        about=about, games=games, agents=agents, scales=scales, printed=read_printed(printed), **usual | told
    )


def from_the_root(games: str, scales: dict[str, Scale], **told: Any) -> Curves:
    """NashConv (the document's exploitability) of all that a search remembers, which began at the start of the game."""
    searches = {"oos": f"oos(nodes={NODES})"}
    searches |= {name: f"is-mcts({by},{BLIND},nodes={NODES})" for name, by in SELECTIONS.items()}
    return Curves(
        about="NashConv by simulations, from the start of the game",
        games=games,
        players=searches,
        scales=scales,
        **told,
    )


WATCHED = {"oos": ("oos", "delta=0.9")}
WATCHED |= {name: ("is-mcts", f"{by},{BLIND}") for name, by in SELECTIONS.items()}
WATCHED |= {f"{name}+beliefs": ("is-mcts", f"{by},{BELIEFS}") for name, by in SELECTIONS.items()}


def in_matches(seed: int, game: str, player: str, simulations: int, matches: int) -> dict[str, float]:
    """NashConv of a player's strategy added up over matches against random play, half of them in each seat."""
    kind, how = WATCHED[player]
    return {"nash_conv": _added_up(seed, game, f"{kind}({how},", simulations, matches)}


def of_oos(seed: int, game: str, gamma: float, delta: float, simulations: int, matches: int) -> dict[str, float]:
    """The same of OOS with parameters."""
    return {"nash_conv": _added_up(seed, game, f"oos(gamma={gamma},delta={delta},", simulations, matches)}


def _added_up(seed: int, game: str, begin: str, simulations: int, matches: int) -> float:
    spec = f"{begin}simulations={simulations},nodes={NODES})"

    def make() -> SearchAgent:
        made = agent(spec)
        assert isinstance(made, SearchAgent)
        return made

    return aggregate(game, make, games=matches // 2, seed=seed >> 16)


def overall(game: str, scales: dict[str, Scale], **told: Any) -> Measurements:
    """The aggregate NashConv of all players."""
    return Measurements(
        about="aggregate NashConv by simulations a move",
        function=in_matches,
        by=("player", "simulations"),
        measure="nash_conv",
        grid={"game": [game], "player": [*WATCHED]},
        scales=scales,
        **told,
    )


def parameters(game: str, name: str, values: list[float], scales: dict[str, Scale], **told: Any) -> Measurements:
    """The aggregate NashConv of OOS by one of its parameters."""
    grid: dict[str, list[Any]] = {"game": [game], "gamma": [0.4], "delta": [0.9], name: [*values]}
    return Measurements(
        about=f"aggregate NashConv of OOS by {name} and simulations a move",
        function=of_oos,
        by=(name, "simulations"),
        measure="nash_conv",
        grid=grid,
        scales=scales,
        **told,
    )


def spread(table: Table) -> Row:
    """By how much the worst value of a parameter is above the best, in the mean over simulations."""
    values, budgets = (table.values(column) for column in table.by)
    means = sorted((mean_of([sure(table[x, n]) for n in budgets]) for x in values), key=lambda row: row.value)
    return difference(means[-1], means[0])
