"""All searches for hidden information against each other on six games, everyone against everyone in both seats, with
equal simulations.

fogspiel run benchmarks/hidden_information.py --scale medium --store hidden.sqlite
python benchmarks/hidden_information.py hidden.sqlite      # the table of docs/search.md
"""

import sys

from fogspiel.experiment import Matches, Scale, rotations
from fogspiel.experiment.results import Results

SEARCHES = {
    "so-ismcts": "so-ismcts(simulations={simulations})",
    "so-ismcts-pom": "so-ismcts-pom(simulations={simulations})",
    "mo-ismcts": "mo-ismcts(simulations={simulations})",
    "mo-ismcts, view=observer": "mo-ismcts(simulations={simulations},view=observer)",
    "mo-ismcts, belief=inferred": "mo-ismcts(simulations={simulations},belief=inferred)",
    "mo-ismcts, icarus=nast": "mo-ismcts(simulations={simulations},icarus=nast)",
    "bluffing-ismcts": "bluffing-ismcts(simulations={simulations})",
    "is-mcts": "is-mcts(simulations={simulations})",
    "pimc": "pimc(determinizations=20,simulations={share})",
    "epimc": "epimc(determinizations=20,simulations={simulations})",
    "pomcp": "pomcp(simulations={simulations})",
    "smooth-uct": "smooth-uct(simulations={simulations})",
    "oos": "oos(simulations={simulations})",
    "rollouts": "rollouts(simulations={simulations})",
}
EXACT = {"gib": "gib(determinizations=20)"}
"""Solves its deals to the end, whatever the others' budget; for games in which that takes no longer than they do."""


def compared(game: str, runs: int, measure: str = "percent", more: dict[str, str] | None = None) -> Matches:
    """Everyone against everyone: so many deals for each two, in both seats."""
    return Matches(
        about=f"searches for hidden information on {game}",
        games=game,
        agents=SEARCHES | (more or {}),
        seats=rotations,
        measure=measure,
        scales={
            "small": Scale(2, simulations=100, share=5),
            "medium": Scale(runs, simulations=1000, share=50),
            "paper": Scale(10 * runs, simulations=10_000, share=500),
        },
    )


LEDUC = compared("leduc", 40, "utility", EXACT)
LIARS_DICE = compared("liars_dice", 40, more=EXACT)
MINI_DOU_DI_ZHU = compared("mini_dou_di_zhu", 40, more=EXACT)
PHANTOM_TIC_TAC_TOE = compared("phantom_tic_tac_toe", 4)
GOOFSPIEL = compared("goofspiel(cards=5)", 4)
DARK_HEX = compared("dark_hex(size=3)", 2)


def print_table(store: str) -> None:
    """A row for each search: its mean on each game with half of the interval's width, the best in bold, and its mean
    place."""
    with Results(store) as results:
        views = [results.view(name) for name in dict.fromkeys(one.name for one in results.declared)]
        games = {view.rows[0]["game"]: (view.measure, view.table()) for view in views}
    agents = list(dict.fromkeys(row.key[0] for _, table in games.values() for row in table))
    places: dict[str, list[int]] = {agent: [] for agent in agents}
    cells: dict[tuple[str, str], str] = {}
    for game, (measure, table) in games.items():
        ranked = sorted(table, key=lambda row: -row.value)
        for place, row in enumerate(ranked, 1):
            agent, digits = row.key[0], 2 if measure == "utility" else 0
            shown = f"{row.value:.{digits}f}"
            cells[agent, game] = f"{f'**{shown}**' if place == 1 else shown} ± {row.half:.{digits}f}"
            places[agent].append(place)
    print(f"| search | {' | '.join(f'`{game}`' for game in games)} | mean place |")
    print(f"| --- |{' --- |' * (len(games) + 1)}")
    for agent in sorted(agents, key=lambda agent: sum(places[agent]) / len(places[agent])):
        row = " | ".join(cells.get((agent, game), "") for game in games)
        print(f"| `{agent}` | {row} | {sum(places[agent]) / len(places[agent]):.1f} |")


if __name__ == "__main__":
    print_table(sys.argv[1])
