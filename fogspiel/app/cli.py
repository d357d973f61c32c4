"""The command line: `fogspiel games`, `solve`, `evaluate`, `check`, `bench`, `demo`.

Everything heavy is imported inside the command that needs it, so that `fogspiel --help` answers at once.
"""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fogspiel.errors import FileError, FogspielError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Games where players cannot see everything: solve them, measure strategies, check your own.",
    epilog="Start with: fogspiel demo",
)

Game = Annotated[str, typer.Argument(help="A game: kuhn, goofspiel(cards=5), my_game.py, my_game.py(size=3).")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the result as one JSON object to this file (- for standard output).")]
Memory = Annotated[int | None, typer.Option("--memory", min=1, help="Most memory for the unrolled game, in MiB. Default: 70% of RAM.")]


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(help="A game, to see its parameters and sizes.")] = None,
    json_file: Json = None,
) -> None:
    """List the games, or describe one: players, parameters, and sizes where they can be counted in a moment."""
    from fogspiel.app import show

    if name is None:
        rows = show.all_games()
        _finish(json_file, {"games": rows}, lambda: show.print_games(rows))
    else:
        facts = show.describe_game(name)
        _finish(json_file, facts, lambda: show.print_game(facts))


@app.command()
def algorithms(json_file: Json = None) -> None:
    """List the solvers and their parameters."""
    from fogspiel.app import show

    rows = show.all_solvers()
    _finish(json_file, {"algorithms": rows}, lambda: show.print_solvers(rows))


@app.command()
def solve(
    game: Game,
    algorithm: Annotated[str, typer.Option("--algorithm", "-a", help="A solver: cfr+, dcfr(alpha=2), lp. See: fogspiel algorithms.")] = "cfr+",
    iterations: Annotated[int | None, typer.Option("--iterations", "-n", min=1, help="Stop after so many iterations.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0, help="Stop after so many seconds of solving.")] = None,
    until: Annotated[float | None, typer.Option("--until", help="Stop when exploitability is this small.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the convergence curve to this file (png, pdf, svg).")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the strategy to this file (.fog).")] = None,
    json_file: Json = None,
    checkpoint: Annotated[Path | None, typer.Option("--checkpoint", help="Keep the solver's state in this file, to resume from.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on from a checkpoint.")] = None,
    memory: Memory = None,
    seed: Annotated[int, typer.Option("--seed", help="Recorded with the result.")] = 0,
    debug: Annotated[bool, typer.Option("--debug", help="Run the game's rules un-compiled, for breakpoints and prints.")] = False,
) -> None:
    """Find an equilibrium. Ctrl-C stops and keeps the result so far."""
    from fogspiel.app import show
    from fogspiel.game.load import load
    from fogspiel.solve.files import save as save_strategy
    from fogspiel.solve.run import solve as run

    for path in (plot, save, json_file, checkpoint):
        _require_writable(path)
    if plot is not None:
        from fogspiel.app.plot import require_format

        require_format(plot)
    quiet = json_file is not None and str(json_file) == "-"
    with show.Watch(quiet) as watch:
        result = run(
            load(game, debug=debug), algorithm, iterations=iterations, seconds=seconds, until=until, callback=watch.point,
            progress=watch.unrolling, checkpoint=checkpoint, resume=resume, memory=_bytes(memory), seed=seed,
        )  # fmt: skip
    if save is not None:
        save_strategy(result.strategy, save)
    if plot is not None:
        from fogspiel.app.plot import plot_convergence

        plot_convergence([result], plot)
    written = [("strategy", save), ("plot", plot), ("checkpoint", checkpoint), ("result", None if quiet else json_file)]
    _finish(json_file, result.as_dict(), lambda: show.print_result(result, written))
    if result.stopped == "interrupted":
        raise typer.Exit(130)


@app.command()
def evaluate(
    game: Game,
    strategy: Annotated[Path, typer.Argument(help="A strategy saved with fogspiel solve --save.")],
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Measure a saved strategy: expected values, what a best response gains, exploitability."""
    from fogspiel.app import show
    from fogspiel.solve.files import read

    _require_writable(json_file)
    stored = read(strategy)
    with show.Watch(quiet=json_file is not None and str(json_file) == "-") as watch:
        facts = show.evaluate_strategy(game, stored, _bytes(memory), watch)
    _finish(json_file, facts, lambda: show.print_evaluation(facts))


@app.command()
def check(
    game: Game,
    playouts: Annotated[int, typer.Option("--playouts", min=1, help="How many random games to play.")] = 2000,
    histories: Annotated[int, typer.Option("--histories", min=0, help="Walk the whole tree if it has at most so many.")] = 200_000,
    seed: Annotated[int, typer.Option("--seed", help="For the random games.")] = 0,
    json_file: Json = None,
) -> None:
    """Check that a game keeps its promises. Each failure names the moves that show it."""
    from fogspiel.app import show

    _require_writable(json_file)
    with show.Watch(quiet=json_file is not None and str(json_file) == "-") as watch:
        report = show.run_check(game, playouts, histories, seed, watch)
    _finish(json_file, report.as_dict(), lambda: show.print_check(report))
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Shorter measurements, for a first look.")] = False,
    json_file: Json = None,
) -> None:
    """Compare with OpenSpiel, LiteEFG and noregret on the same work, in one run. (pip install "fogspiel[peers]")"""
    from fogspiel.app.bench import print_bench, run_bench

    _require_writable(json_file)
    facts = run_bench(quick=quick, quiet=json_file is not None and str(json_file) == "-")
    _finish(json_file, facts, lambda: print_bench(facts))


@app.command()
def demo(folder: Annotated[Path, typer.Option("--folder", help="Where the demo writes its files.")] = Path("out")) -> None:
    """A short tour: solve a game while you watch, measure the strategy, draw the convergence."""
    from fogspiel.app.demo import tour

    tour(folder)


@app.command()
def cache(clear: Annotated[bool, typer.Option("--clear", help="Remove all compiled code; it is made again when needed.")] = False) -> None:
    """Tell where compiled code is kept, and how much of it there is."""
    from fogspiel.engine.native import cache_folder

    files = list(cache_folder().glob("*.o"))
    size = sum(f.stat().st_size for f in files) / 1024
    if clear:
        for file in files:
            file.unlink(missing_ok=True)
    typer.echo(f"{'removed ' if clear else ''}{len(files)} files, {size:,.0f} KiB, in {cache_folder()}")


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        from fogspiel import __version__

        typer.echo(f"fogspiel {__version__}")
        raise typer.Exit


def _finish(json_file: Path | None, facts: dict[str, Any], human) -> None:
    """Write the JSON where asked for, then the human form (unless the JSON went to standard output)."""
    if json_file is not None:
        text = json.dumps(facts, indent=1) + "\n"
        if str(json_file) == "-":
            sys.stdout.write(text)
            return
        from fogspiel.solve.files import write_safely

        write_safely(json_file, text.encode())
    human()


def _require_writable(path: Path | None) -> None:
    """Fail before the work rather than after it, where a file clearly cannot be written."""
    if path is None or str(path) == "-":
        return
    folder = path.parent
    if path.is_dir():
        raise FileError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise FileError(f"cannot write {path}: the folder {folder} is read-only")


def _bytes(megabytes: int | None) -> int | None:
    return None if megabytes is None else megabytes << 20


def main() -> None:
    """Run the command line: errors that a person can mend are one sentence and a non-zero status."""
    try:
        app()
    except FogspielError as error:
        _fail(str(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except MemoryError:
        _fail("out of memory; choose smaller parameters or set --memory", 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _fail(message: str, status: int) -> None:
    sys.stderr.write(f"fogspiel: {message}\n")
    sys.exit(status)
