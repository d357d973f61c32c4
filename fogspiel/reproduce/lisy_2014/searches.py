"""Searches in games with simultaneous moves (Lisý 2014, sec. 4.2): who they are, how long they think, what is asked of
them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fogspiel.experiment import Curves, Matches, Scale, every_pair, read_printed
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer
from fogspiel.reproduce.judging import both_seats, each, pooled

SEARCHES = ("oos", "duct", "exp3", "rm")
SPEEDS = "simulations as the printed seconds and speeds give"

ITERATIONS = {
    "oshi_zumo": {"oos": 187, "rm": 186, "duct": 134, "exp3": 14},
    "oshi_zumo+evaluation": {"oos": 349, "rm": 244, "duct": 213, "exp3": 12},
    "goofspiel": {"oos": 73, "rm": 92, "duct": 74, "exp3": 50},
    "random_game": {"oos": 93, "rm": 108, "duct": 94, "exp3": 95},
    "pursuit_evasion": {"oos": 28, "rm": 34, "duct": 30, "exp3": 32},
    "tron": {"oos": 77, "rm": 75, "duct": 72, "exp3": 80},
    "tron+evaluation": {"oos": 265, "rm": 251, "duct": 279, "exp3": 275},
}
"""Table 4.7: thousands of simulations in 5 s, in the large games."""


def converging(duct: float, nodes: int) -> dict[str, str]:
    """The searches of the convergence graphs. The constant of DUCT is the best for each game there, on rewards scaled
    to [0, 1]."""
    return {
        "oos": f"oos(gamma=0.6,epsilon=0,nodes={nodes})",
        "rm": f"sm-mcts(bandit=rm(gamma=0.1),nodes={nodes})",
        "exp3": f"sm-mcts(bandit=exp3(gamma=0.1),nodes={nodes})",
        "duct": f"sm-mcts(bandit=duct(exploration={duct:g}),nodes={nodes})",
    }


def convergence(
    game: str, duct: float, nodes: int, most: int, *, medium: tuple[int, int] = (3, 3_000_000), **told: object
) -> Curves:
    """NashConv, which the document calls exploitability, from the start of a small game; `most` simulations are the
    printed seconds. `medium`: how many runs, and of how many simulations."""
    tenfolds = [10**n for n in range(4, 9) if 10**n < most]
    return Curves(
        about="NashConv by simulations",
        games=game,
        players=converging(duct, nodes),
        **told,  # type: ignore[arg-type]
        scales={
            "small": Scale(2, budgets=(10**4, 10**5, 10**6)),
            "medium": Scale(medium[0], budgets=(10**4, 10**5, 10**6, medium[1])),
            "paper": Scale(20, budgets=(*tenfolds, most)),
        },
    )


def playing(duct: float = 1, evaluated: bool = False) -> dict[str, str]:
    """The players of the matches, and how many simulations they have a move: C = 2 of DUCT is 1 on rewards scaled to
    [0, 1]. With an evaluation function nothing is played out."""
    cut = ",evaluation=rule" * evaluated
    return {
        "oos": f"oos(simulations={{oos}},gamma=0.6,epsilon=0,progress=root,nodes={{nodes}}{cut})",
        "duct": f"sm-mcts(simulations={{duct}},bandit=duct(exploration={duct:g}),nodes={{nodes}}{cut})",
        "exp3": f"sm-mcts(simulations={{exp3}},bandit=exp3(gamma=0.2),nodes={{nodes}}{cut})",
        "rm": f"sm-mcts(simulations={{rm}},bandit=rm(gamma=0.1),nodes={{nodes}}{cut})",
        "random": "random",
    }


def thinking(game: str, seconds: float, part: float = 1) -> dict[str, Any]:
    """As many simulations as the seconds of a move gave there (table 4.7), or a part of them, and room for their
    nodes."""
    found = {name: max(1, round(200 * n * seconds * part)) for name, n in ITERATIONS[game].items()}
    return found | {"nodes": max(1 << 17, 4 * max(found.values()))}


def cross_table(
    about: str,
    games: str,
    thought: str,
    seconds: float,
    printed: str,
    small: tuple[int, float],
    medium: tuple[int, float],
    *,
    paper: int = 1000,
    duct: float = 1,
    chosen: Sequence[int] = (),
    few: int = 0,
    **told: object,
) -> Matches:
    """Everyone against everyone, in percent of the first seat. `small` and `medium`: how many games, and with which
    part of the printed simulations. `{number}` in the game's spec is each of those `chosen`; at these scales the first
    `few`, if told."""
    less: dict[str, Any] = {"number": list(chosen[:few])} if few else {}
    return Matches(
        about=about,
        games=games,
        agents=playing(duct, "evaluation" in thought),
        seats=every_pair,
        measure="percent",
        grid={"number": list(chosen)} if chosen else {},
        by=("seat 0", "seat 1"),
        printed=read_printed(printed),
        scales={
            "small": Scale(small[0], **thinking(thought, seconds, small[1]), **less),
            "medium": Scale(medium[0], **thinking(thought, seconds, medium[1]), **less),
            "paper": Scale(paper, **thinking(thought, seconds)),
        },
        **told,  # type: ignore[arg-type]
    )


def small_matches(
    about: str,
    games: str | Sequence[str],
    speed: Mapping[str, int],
    *,
    duct: float = 1,
    small: tuple[int, int] = (24, 50),
    medium: tuple[int, int] = (60, 25),
    **told: object,
) -> Matches:
    """Everyone against everyone in a small game with half a second a move; `speed`: simulations a second, as printed.
    `small` and `medium`: how many games, and by what the simulations are divided."""

    def thinking_less(part: int) -> dict[str, Any]:
        return {name: n // 2 // part for name, n in speed.items()} | {"nodes": 1 << 17}

    return Matches(
        about=about,
        games=games,
        agents=playing(duct),
        seats=every_pair,
        measure="percent",
        **told,  # type: ignore[arg-type]
        scales={
            "small": Scale(small[0], **thinking_less(small[1])),
            "medium": Scale(medium[0], **thinking_less(medium[1])),
            "paper": Scale(1000, **thinking_less(1)),
        },
    )


def standings(table: Table) -> dict[str, Row]:
    """Percent of each search against the other searches, over both seats."""
    return {one: pooled(both_seats(table, one, other) for other in SEARCHES if other != one) for one in SEARCHES}


def cells(table: Table, pairs: Iterable[tuple[str, str]], low: float, high: float, give: float) -> Answer:
    """Whether all of these win so much in the first seat, as in the rows of the tables, give or take half of a printed
    interval: where a range is that of printed cells, it is no surer than they are."""
    return each((table[pair] for pair in pairs), lambda row: row.inside(low - give, high + give))


def beats_random(table: Table, least: float) -> Answer:
    """Whether every search wins more than so much against random play, in the first seat."""
    return each((table[name, "random"] for name in SEARCHES), lambda row: row.above(least))
