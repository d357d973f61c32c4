"""The tour behind `make demo`."""

import shlex
from pathlib import Path

from fogspiel.app import show
from fogspiel.app.plot import plot_convergence
from fogspiel.app.progress import Watch
from fogspiel.app.show import console
from fogspiel.game.load import load
from fogspiel.solvers.files import make_folder, read, require_writable, save
from fogspiel.solvers.response.response import nash_conv
from fogspiel.solvers.run import solve

GAME = "leduc"
ALGORITHMS = ("cfr", "cfr+", "dcfr", "pcfr+")
VALUE = -0.0856064240780


def tour(folder: Path) -> None:
    """Solve Leduc poker with four algorithms and exactly, then liar's dice; leave a strategy and a plot in `folder`."""
    strategy, picture = folder / "leduc.fog", folder / "convergence.png"
    make_folder(folder)
    for file in (strategy, picture):
        require_writable(file)
    console.print(
        "[bold]Leduc poker[/bold]: six cards, two betting rounds. Each player sees one card, then a public one."
    )
    console.print("The rules are plain Python functions; the first run compiles them, later runs start at once.\n")
    game = load(GAME)
    results = []
    for algorithm in ALGORITHMS:
        console.print(f"[bold]{algorithm}[/bold], 2000 iterations")
        with Watch() as watch:
            result = solve(game, algorithm, iterations=2000, callback=watch.point, progress=watch.unrolling)
        results.append(result)
        console.print(
            f"   value {result.value[0]:+.6f}   nash_conv {result.nash_conv:.2e}   "
            f"{result.iterations / max(result.seconds, 1e-9):,.0f} iterations/s\n"
        )
        if result.stopped == "interrupted":
            raise KeyboardInterrupt
    exact = solve(game, "lp")
    console.print(f"[bold]lp[/bold], the exact answer\n   value {exact.value[0]:+.12f}   (published: {VALUE:+.12f})\n")
    console.print(
        "[bold]liar's dice[/bold], a larger game: 294,883 histories, 24,576 information sets; dcfr until NashConv is "
        "2e-5"
    )
    with Watch(patience=0.0) as watch:
        dice = solve("liars_dice", "dcfr", until="nash_conv=2e-5", callback=watch.point, progress=watch.unrolling)
    if dice.stopped == "interrupted":
        raise KeyboardInterrupt
    console.print(
        f"   value {dice.value[0]:+.6f}   nash_conv {dice.nash_conv:.2e}   "
        f"{dice.iterations:,} iterations in {dice.seconds:.1f} s   (the value is -7/258 = {-7 / 258:+.6f})\n"
    )
    best = min(results, key=lambda r: r.nash_conv or 0.0)
    save(best.strategy, strategy)
    plot_convergence(results, picture)
    again = nash_conv(game, read(strategy))
    console.print(f"The best is by {best.algorithm}. Saved and read back, its NashConv is {again:.2e}.\n")
    show.print_written("strategy", strategy)
    show.print_written("plot", picture)
    console.print()
    console.print("[bold]What to try next[/bold]")
    for command, what in (
        ("fogspiel games", "all the games"),
        ('fogspiel solve "goofspiel(cards=5)" --until nash_conv=1e-4', "solve another one"),
        (f"fogspiel evaluate leduc {shlex.quote(str(strategy))}", "measure the strategy just saved"),
        ("fogspiel algorithms", "all the solvers"),
        (f"fogspiel match leduc {shlex.quote(str(strategy))} mo-ismcts random", "let it play against a search"),
        ("fogspiel play leduc", "play yourself"),
        ("fogspiel check my_game.py", "check a game of your own (see the README)"),
    ):
        console.print(f"   {command:<59} {what}", markup=False, soft_wrap=True)
