"""The commands about games: `games`, `algorithms`, `check`, `horizon`, `recall`."""

from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app import options
from fogspiel.app.command import Game, Json, Memory, app, finish, is_output, require_writable


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(help="A game, to see its parameters and sizes.")] = None,
    json_file: Json = None,
) -> None:
    """List the games, or describe one: players, parameters, and sizes where they can be counted in a moment."""
    from fogspiel.app import show

    require_writable(json_file)
    if game is None:
        rows = show.all_games()
        finish(json_file, {"games": rows}, lambda: show.print_games(rows))
    else:
        facts = show.describe_game(game)
        finish(json_file, facts, lambda: show.print_game(facts))


@app.command()
def algorithms(
    name: Annotated[str | None, typer.Argument(help="A solver, to see what its parameters mean, or a file.")] = None,
    json_file: Json = None,
) -> None:
    """List the solvers and their parameters, or describe one."""
    from fogspiel.app import catalogue

    require_writable(json_file)
    rows = catalogue.all_solvers()
    if name is None:
        finish(json_file, {"algorithms": rows}, lambda: catalogue.print_rows(rows, "algorithm"))
    else:
        row = catalogue.own_solver_row(name) or catalogue.one_of("algorithm", name, rows)
        finish(json_file, row, lambda: catalogue.print_one(row))


@app.command()
def check(
    game: Game,
    playouts: Annotated[int, options.whole("--playouts", low=1, help="How many random games to play.")] = 2000,
    histories: Annotated[
        int, options.whole("--histories", help="Walk the whole tree if it has at most so many.")
    ] = 200_000,
    seed: Annotated[int, options.seed("For the random games.")] = 0,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List the checks that passed, too.")] = False,
    json_file: Json = None,
) -> None:
    """Check that a game keeps its promises. Each failure names the moves that show it."""
    from fogspiel.app import show
    from fogspiel.app.progress import Watch

    require_writable(json_file)
    with Watch(quiet=is_output(json_file)) as watch:
        report = show.run_check(game, playouts, histories, seed, watch)
    finish(json_file, report.as_dict(), lambda: show.print_check(report, verbose))
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def horizon(
    game: Game,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="v: both see everything; h: half of that; rn: who does not see everything moves at random; 0.",
        ),
    ] = "v",
    discount: Annotated[
        float | None,
        options.number("--discount", low=0, high=1, help="Of each round. Default: the game's, if below 1, or 0.9."),
    ] = None,
    error: Annotated[
        float,
        options.number("--error", low=1e-12, high=1e6, help="How far from those of the endless game values may be."),
    ] = 1e-6,
    threshold: Annotated[
        float | None,
        options.number(
            "--threshold", low=1e-12, high=1e6, help="Stop when no value changes by as much, whatever the error."
        ),
    ] = None,
    at_once: Annotated[
        bool, typer.Option("--jacobi", help="Sweep over all states at once instead of in place.")
    ] = False,
    save: Annotated[Path | None, typer.Option("--save", help="Write a rewards file, for rewards_file=.")] = None,
    json_file: Json = None,
) -> None:
    """Tell what the states of a game without an end are worth, for where it is cut off."""
    from fogspiel.app import show
    from fogspiel.game.horizon import discount_of, horizon_values, usual_discount, write_rewards
    from fogspiel.game.load import load

    require_writable(save, json_file)
    values = horizon_values(game, kind, discount=discount, error=error, threshold=threshold, in_place=not at_once)
    loaded = load(game)
    facts = {
        "game": game,
        "kind": kind,
        "discount": usual_discount(loaded) if discount is None else discount,
        "own_discount": discount_of(loaded),
        "error": error if threshold is None else None,
        "threshold": threshold,
        "states": len(values),
        "values": values,
    }
    finish(json_file, facts, lambda: show.print_state_values(facts))
    if save is not None:
        write_rewards(game, save, values)
        show.print_written("rewards", save, is_output(json_file))


@app.command()
def recall(game: Game, json_file: Json = None, memory: Memory = None) -> None:
    """Tell whether CFR has a guarantee in a game's abstraction: is it well-formed, or skew, and by how much?"""
    from fogspiel.app import show
    from fogspiel.app.progress import Watch
    from fogspiel.tree.recall import well_formed
    from fogspiel.tree.tree import unroll

    require_writable(json_file)
    with Watch(quiet=is_output(json_file)) as watch:
        report = well_formed(unroll(game, memory=memory, progress=watch.unrolling))
    finish(json_file, report.as_dict(), lambda: show.console.print(str(report), markup=False))
