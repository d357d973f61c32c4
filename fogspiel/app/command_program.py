"""The commands about the program itself: `bench`, `reproduce`, `demo`, `cache`."""

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app import options
from fogspiel.app.command import Cluster, Json, Workers, app, finish, is_output, require_writable, write_json
from fogspiel.errors import SpecError


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Shorter measurements, for a first look.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help=(
                "One part: memory, duels, sampling, bounds, playouts, search, match, results, unrolling, values, "
                "start-up. Repeatable."
            ),
        ),
    ] = None,
    json_file: Json = None,
) -> None:
    """Compare with OpenSpiel, LiteEFG and noregret on the same work, in one run. (pip install "fogspiel[peers]")"""
    from fogspiel.app.bench.run import PARTS, run_bench
    from fogspiel.app.bench.tables import print_bench

    require_writable(json_file)
    facts = run_bench(quick=quick, quiet=is_output(json_file), parts=only or list(PARTS))
    finish(json_file, facts, lambda: print_bench(facts))
    if facts["interrupted"]:
        raise typer.Exit(130)


@app.command()
def reproduce(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Items, such as lisy-2014/E-14 or 'lisy-2014/table 4.8', or documents, such as lisy-2014: all of "
            "their items. Without "
            "names, all are listed."
        ),
    ] = None,
    only_list: Annotated[
        bool,
        typer.Option("--list", help="List what is named, with the verdicts that are known, instead of running it."),
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(
            "--only", help="Only items that are known as passed, failed, undecided, 'needs paper' or 'not reproduced'."
        ),
    ] = None,
    scale: Annotated[
        str, typer.Option("--scale", help="small: about a minute each; medium; paper: as printed, hours or days.")
    ] = "small",
    workers: Workers = 1,
    cluster: Cluster = None,
    until: Annotated[
        float | None, options.span("--until", help="Stop after this time; the same command goes on.")
    ] = None,
    store: Annotated[Path, typer.Option("--store", help="The file of results.")] = Path("reproduce.sqlite"),
    keep_in: Annotated[
        Path | None, typer.Option("--keep", help="Write tables to this folder, as they come with the package.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page",
            help="Write the verdicts on all items to this file (.md), and what was found to a page a document in a "
            "folder of its name beside it, from what --keep has and what comes with the package.",
        ),
    ] = None,
    json_file: Json = None,
) -> None:
    """Run printed tables and figures again and tell whether they come out; without names, list all, with the verdicts
    that are known."""
    from fogspiel.app import reproductions as show
    from fogspiel.app.progress import LINE, Watch
    from fogspiel.experiment.execution import Execution
    from fogspiel.experiment.verdict import PASSED
    from fogspiel.reproduce.documents import chosen, every_item, named
    from fogspiel.reproduce.reproducing import reproduce as carry_out
    from fogspiel.reproduce.stored import RESULTS, keep
    from fogspiel.solvers.files import make_folder

    if page is not None and page.suffix != ".md":
        raise SpecError(f"--page {page} is no name of a page: give one that ends in .md, such as reproduction.md")
    require_writable(json_file, page)
    if page is not None:
        make_folder(page.with_suffix(""))
    quiet, done = is_output(json_file), []
    folders = [RESULTS] if keep_in is None else [keep_in, RESULTS]
    if only_list or not names:
        _require_nothing_for_runs(context, page is not None)
        if page is not None:
            _write_pages(page, folders, quiet)
        if page is None or only_list or json_file is not None:
            there = {key: item for name in names for key, item in named(name).items()} if names else every_item()
            items = show.with_verdict(there, only)
            if json_file is not None:  # before the list, which is long: its reader may stop in the middle
                write_json(json_file, show.listed(items))
            if not quiet:
                show.print_items(items)
        return
    wanted = show.with_verdict(chosen(names), only)
    if not wanted:
        raise SpecError(f"nothing that is named is known as {only}")
    ends = None if until is None else time.monotonic() + until
    how = Execution(scale=scale, workers=workers, cluster=cluster, notice=LINE.say)
    for name, item in wanted.items():
        with Watch(quiet) as watch:
            left = None if ends is None else max(ends - time.monotonic(), 0.0)
            found = carry_out(name, item, store, replace(how, until=left, progress=watch.step))
        done.append(found)
        kept = keep(found, keep_in) if keep_in is not None and found.verdict else None
        if not quiet and found.outcomes:
            show.print_reproduced(found, store, kept)
            if keep_in is not None and not found.verdict:
                show.print_not_kept(found)
        if found.stopped == "interrupted":
            break
    if not quiet:
        show.print_not_begun(done)
    facts = done[0].as_dict() if len(done) == 1 else {"reproduced": [one.as_dict() for one in done]}
    finish(json_file, facts, lambda: None)
    if page is not None:
        _write_pages(page, folders, quiet)
    if done[-1].stopped == "interrupted":
        raise typer.Exit(130)
    if any(one.verdict != PASSED for one in done):
        raise typer.Exit(1)


def _write_pages(path: Path, folders: list[Path], quiet: bool) -> None:
    from fogspiel.app.reproductions import print_written
    from fogspiel.reproduce.pages import pages
    from fogspiel.solvers.files import write_safely

    for file, text in pages(path.stem, *folders).items():
        write_safely(path.parent / file, text.encode())
    if not quiet:
        print_written(path)


def _require_nothing_for_runs(context: typer.Context, page: bool) -> None:
    """Raises SpecError for an option that says how items are run, where none is; what is kept may be for the page."""
    for name in ("scale", "workers", "cluster", "until", "store", *([] if page else ["keep_in"])):
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE":
            option = f"--{name.removesuffix('_in')}"
            raise SpecError(
                f"{option} is for items that are run: name some, such as lisy-2014/E-14, or a document, and leave "
                "--list out"
            )


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
