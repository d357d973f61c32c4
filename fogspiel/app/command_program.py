"""The commands about the program itself: `bench`, `reproduce`, `demo`, `cache`."""

import re
from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app.command import Json, app, finish, is_output, require_writable


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Shorter measurements, for a first look.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="One part: memory, duels, sampling, bounds, playouts, search, match, unrolling, start-up. Repeatable.",
        ),
    ] = None,
    json_file: Json = None,
) -> None:
    """Compare with OpenSpiel, LiteEFG and noregret on the same work, in one run. (pip install "fogspiel[peers]")"""
    from fogspiel.app.bench import PARTS, print_bench, run_bench

    require_writable(json_file)
    facts = run_bench(quick=quick, quiet=is_output(json_file), parts=tuple(only or PARTS))
    finish(json_file, facts, lambda: print_bench(facts))
    if facts["interrupted"]:
        raise typer.Exit(130)


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Targets, such as R-4, or documents, such as lisy-2014: all that is reproduced of them."),
    ] = None,
    scale: Annotated[
        str,
        typer.Option(
            "--scale", help="small: minutes each; full: as printed, or as near as the list says, hours or days."
        ),
    ] = "small",
    json_file: Json = None,
) -> None:
    """Run published experiments and tell whether their statements come out; without names, list them, and what is missing."""
    from fogspiel.app import targets

    require_writable(json_file)
    if not names:
        facts = targets.all_targets()
        finish(json_file, facts, lambda: targets.print_targets(facts))
        return
    verdicts = []
    for target in targets.chosen(names):
        verdicts.append(targets.reproduce(target, scale))
        if not is_output(json_file):
            targets.print_verdict(verdicts[-1])
    one = len(names) == len(verdicts) == 1
    facts = verdicts[0].as_dict() if one else {"verdicts": [v.as_dict() for v in verdicts]}
    finish(json_file, facts, lambda: None)
    if not all(v.passed for v in verdicts):
        raise typer.Exit(1)


@app.command()
def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Where the demo writes its files.")] = Path("out"),
) -> None:
    """A short tour: solve a game while you watch, measure the strategy, draw the convergence."""
    from fogspiel.app.demo import tour

    tour(folder)


@app.command()
def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove all compiled code; it is made again when needed.")
    ] = False,
) -> None:
    """Tell where compiled code is kept, and how much of it there is."""
    from fogspiel.engine.native import cache_folder

    files = [f for f in cache_folder().glob("*-*.*") if re.fullmatch(r".+-[0-9a-f]{32}\.(o|passed)", f.name)]
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
