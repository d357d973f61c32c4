"""The commands that solve games and look at strategies: `solve`, `evaluate`, `endless`, `show`, `bound`,
`trade-off`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app import options
from fogspiel.app.command import Game, Json, Memory, Saved, app, finish, is_output, require_writable, write_json
from fogspiel.errors import FileError, SpecError


@app.command()
def solve(
    game: Annotated[
        str, typer.Argument(help="A game: kuhn, goofspiel(cards=5), my_game.py; or a one-sided POSG: peg03.osposg.")
    ],
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="A solver: cfr+, dcfr(alpha=2), lp. See: fogspiel algorithms. Several are compared. By default "
            "cfr+; value-iteration "
            "where the game does not unroll and its players know the state; hsvi for a one-sided POSG.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        options.whole(
            "--iterations",
            "-n",
            help="Stop after so many iterations in all, those before a resume included. Default: 1000, or no limit "
            "where --seconds "
            "or --until is given.",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        options.seconds("--seconds", help="Stop after about so many seconds in all, those before a resume included."),
    ] = None,
    until: Annotated[
        str | None,
        options.until(
            "--until",
            help="Stop when this measure is so small: nash_conv=0.01 (what best responses gain, summed over players; "
            "the gap between bounds) or exploitability=0.005 (that divided by their number).",
        ),
    ] = None,
    every: Annotated[
        int | None,
        options.whole("--every", low=1, help="Measure after the first iteration, and then every so many."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the convergence curve to this file (png, pdf, svg).")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the strategy to this file (.fog).")] = None,
    json_file: Json = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="Keep the solver's state in this file, to resume from.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on from a checkpoint.")] = None,
    memory: Memory = None,
    seed: Annotated[
        list[int],
        options.seed("Random numbers of sampling solvers; recorded with the result. With several, a run for each."),
    ] = [0],  # noqa: B006
    seeds: Annotated[
        int | None,
        options.whole("--seeds", help="So many runs of sampling solvers, with seeds from --seed on.", low=1, high=1000),
    ] = None,
    threads: Annotated[int, options.threads("--threads", help="Threads that share a sampling solver's table.")] = 1,
    measure: Annotated[
        bool | None,
        typer.Option(
            "--measure/--no-measure",
            help="Unroll the game to measure what a sampling solver finds; by default if that is cheap.",
        ),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Run the game's rules un-compiled, for breakpoints and prints.")
    ] = False,
) -> None:
    """Find an equilibrium. Ctrl-C stops and keeps the result so far."""
    from fogspiel.app import comparison, show
    from fogspiel.app.progress import Watch
    from fogspiel.game.load import load
    from fogspiel.interop.osposg import is_osposg, read_osposg
    from fogspiel.solvers.files import save as save_strategy
    from fogspiel.solvers.run import DEFAULT
    from fogspiel.solvers.run import solve as run

    require_writable(plot, save, json_file, checkpoint)
    if plot is not None:
        from fogspiel.app.plot import plot_convergence, require_format

        require_format(plot)
    quiet = is_output(json_file)
    chosen = comparison.read_seeds(seed, seeds)
    algorithms = comparison.read_algorithms(algorithm or (), iterations)
    source = read_osposg(game) if is_osposg(game) else load(game, debug=debug)
    if len(algorithms) > 1 or len(chosen) > 1:
        if (save, checkpoint, resume) != (None, None, None):
            raise SpecError("--save, --checkpoint and --resume are for one run: give one algorithm and one seed")
        with Watch(quiet) as watch:
            found = comparison.compare(
                source,
                algorithms or [DEFAULT],
                chosen,
                watch,
                {"iterations": iterations, "seconds": seconds, "until": until, "every": every},
                {"threads": threads, "measure": measure},
                memory,
            )
        if found.results:
            finish(json_file, found.as_dict(), lambda: comparison.print_comparison(found))
            if plot is not None:
                plot_convergence(found.results, plot)
                show.print_written("plot", plot, quiet)
        if found.error is not None:
            raise found.error
        if found.interrupted:
            raise typer.Exit(130)
        return
    with Watch(quiet) as watch:
        result = run(
            source,
            algorithms[0] if algorithms else None,
            iterations=iterations,
            seconds=seconds,
            until=until,
            every=every,
            callback=watch.point,
            progress=watch.unrolling,
            checkpoint=checkpoint,
            resume=resume,
            memory=memory,
            seed=chosen[0],
            threads=threads,
            measure=measure,
        )

    # what was found is shown before anything is written, so that a full disk takes as little as it can
    if json_file is not None and quiet:
        write_json(json_file, result.as_dict())
    else:
        show.print_result(result)
    failures = [result.unsaved] if result.unsaved else []
    for what, path, write in (
        (
            "strategy" if result.bounds is None else "controllers",
            save,
            lambda path: save_strategy(result.strategy, path),
        ),
        ("result", None if quiet else json_file, lambda path: write_json(path, result.as_dict())),
        ("plot", plot, lambda path: plot_convergence([result], path)),
        ("checkpoint", None if result.unsaved else checkpoint, lambda path: None),
    ):
        if path is not None:
            try:
                write(path)
                show.print_written(what, path, quiet)
            except FileError as error:
                failures.append(str(error))
    if failures:
        raise FileError("; ".join(failures))
    if save is not None and not quiet:
        from fogspiel.app.strategy_words import hint, hint_of_controllers

        told = hint(save, game) if result.bounds is None else hint_of_controllers(save, game)
        show.console.print(told, markup=False, soft_wrap=True)
    if result.stopped == "interrupted":
        if checkpoint is None and save is None:
            typer.echo(
                (
                    "the strategy was not saved and is gone; next time give --save FILE to keep it, or --checkpoint "
                    "FILE to go on from there"
                ),
                err=True,
            )
        if checkpoint is not None and not quiet:
            given = {
                "-a": algorithm[0] if algorithm else None,
                "-n": iterations,
                "--seconds": seconds,
                "--until": until,
                "--every": every,
                "--plot": plot,
                "--save": save,
                "--json": json_file,
                "--checkpoint": checkpoint,
                "--resume": checkpoint,
                "--seed": chosen[0] or None,
                "--memory": None if memory is None else f"{-(-memory // 2**10)}K",
                "--threads": None if threads == 1 else threads,
            }
            words = [
                "fogspiel",
                "solve",
                game,
                *(str(w) for pair in given.items() if pair[1] is not None for w in pair),
            ]
            words += [] if measure is None else ["--measure" if measure else "--no-measure"]
            words += ["--debug"] * debug
            show.console.print(f"{'to go on':<15} {shlex.join(words)}", markup=False, soft_wrap=True)
        raise typer.Exit(130)


@app.command()
def evaluate(
    game: Game,
    strategy: Saved,
    method: Annotated[
        str,
        typer.Option(
            "--method", help="tree, or for large games vectors or passes, which walk the rules; auto chooses."
        ),
    ] = "auto",
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Measure a saved strategy: expected values, what a best response gains, NashConv, exploitability."""
    from fogspiel.app import evaluation
    from fogspiel.app.progress import Watch

    require_writable(json_file)
    with Watch(quiet=is_output(json_file)) as watch:
        facts = evaluation.evaluate_file(game, strategy, method, memory, watch)
    finish(json_file, facts, lambda: evaluation.print_evaluation(facts))


@app.command()
def endless(
    game: Game,
    strategy: Annotated[
        Path | None, typer.Argument(help="A strategy saved with fogspiel solve --save; without it, the equilibrium.")
    ] = None,
    beyond: Annotated[
        str, typer.Option("--beyond", help="Play after the horizon: uniform, stationary or resolved.")
    ] = "uniform",
    discount: Annotated[
        float | None, options.number("--discount", low=0, high=1, help="Of each round. Default: the game's own.")
    ] = None,
    seconds: Annotated[
        float | None,
        options.seconds(
            "--seconds", above=True, help="Let hsvi, too, bound the value of the endless game, for so long."
        ),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(
            "--rounds", help="Instead: equilibria with each estimate beyond the horizon, cut off after 2,3,4."
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="With --rounds: draw their losses to this file (png, pdf, svg).")
    ] = None,
    json_file: Json = None,
) -> None:
    """Measure a strategy of a bounded one-sided game in the endless one: what its best response gets, and what it
    loses."""
    from fogspiel.app import show
    from fogspiel.solvers.files import read
    from fogspiel.solvers.posg.endless import endless_value, over_horizons

    require_writable(json_file, plot)
    if rounds is not None or plot is not None:
        numbers = (rounds or "").split(",")
        if strategy is not None or seconds is not None or not all(part.strip().isdecimal() for part in numbers):
            raise SpecError(
                "--rounds takes whole numbers such as 2,3,4, and neither a strategy nor --seconds; --plot goes with it"
            )
        if plot is not None:
            from fogspiel.app.plot import plot_horizons, require_format

            require_format(plot)
        every = list(over_horizons(game, map(int, numbers), beyond=beyond, discount=discount))
        finish(json_file, {"horizons": [f.as_dict() for f in every]}, lambda: show.print_horizons(every))
        if plot is not None:
            plot_horizons(every, plot, game)
            show.print_written("plot", plot, is_output(json_file))
        return
    stored = None if strategy is None else read(strategy)
    found = endless_value(game, stored, beyond=beyond, discount=discount, seconds=seconds)
    finish(json_file, found.as_dict(), lambda: show.print_endless(found))
    if found.interrupted:
        raise typer.Exit(130)


@app.command()
def show(
    strategy: Saved,
    game: Annotated[str | None, typer.Argument(help="Its game; needed only for a game file of your own.")] = None,
    player: Annotated[int | None, options.whole("--player", help="Only this player's information sets.")] = None,
    reach: Annotated[
        float | None,
        options.number("--reach", low=0, high=1, help="Only what play comes to with more than this probability."),
    ] = None,
    after: Annotated[
        str,
        typer.Option("--after", help='Only what comes after these moves, or words of them: "check, bet 2", "deal K".'),
    ] = "",
    most: Annotated[
        int | None, options.whole("--most", low=1, help="How many information sets; 60 are printed by default.")
    ] = None,
    order: Annotated[str, typer.Option("--order", help="play: earlier decisions first; or reach.")] = "play",
    one_by_one: Annotated[
        bool, typer.Option("--list", help="Each information set by itself, as its owner sees it; no grids.")
    ] = False,
    forced: Annotated[bool, typer.Option("--forced", help="Also where there is a single move.")] = False,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Write all of it to this file, a line for each move.")
    ] = None,
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Read a saved strategy in words: what each player sees, what led there, what it does, how often, to what end."""
    from fogspiel.app import strategy_words
    from fogspiel.app.progress import Watch
    from fogspiel.app.show import print_written

    require_writable(csv_file, json_file)
    shown = most or strategy_words.PRINTED
    # beyond what is printed, enough to tell whether the last grid is whole
    printed = most if csv_file or json_file else shown + strategy_words.BEYOND
    with Watch(quiet=is_output(json_file)) as watch:
        table = strategy_words.words(
            strategy,
            game,
            watch.step,
            player=player,
            reach=reach,
            after=after,
            most=printed,
            order=order,
            forced=forced,
            memory=memory,
        )
    finish(json_file, table.as_dict(), lambda: strategy_words.print_words(table, one_by_one, shown))
    if csv_file is not None:
        strategy_words.write_csv(table, csv_file)
        print_written("table", csv_file, is_output(json_file))


@app.command()
def bound(
    game: Game,
    strategy: Saved,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="The sampling solver by which players learn to respond.")
    ] = "os-mccfr",
    iterations: Annotated[
        int, options.whole("--iterations", "-n", help="Iterations in which each player learns.")
    ] = 1_000_000,
    games: Annotated[
        int, options.whole("--games", low=2, help="Games in which each response is measured.")
    ] = 1_000_000,
    seed: Annotated[int, options.seed("All random numbers come from it.")] = 0,
    threads: Annotated[int, options.threads("--threads", help="Threads that learn together.")] = 1,
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Bound the NashConv of a saved strategy from below: learn to respond to it, and play what was learned."""
    from fogspiel.app import show
    from fogspiel.app.progress import Watch
    from fogspiel.evaluate.bound import bound as estimate
    from fogspiel.solvers.files import read

    require_writable(json_file)
    with Watch(quiet=is_output(json_file)) as watch:
        found = estimate(
            game,
            read(strategy),
            algorithm=algorithm,
            iterations=iterations,
            games=games,
            seed=seed,
            memory=memory,
            threads=threads,
            progress=watch.step,
        )
    finish(json_file, found.as_dict(), lambda: show.print_bound(found))


@app.command("trade-off")
def trade_off(
    game: Game,
    strategy: Saved,
    player: Annotated[int, options.whole("--player", high=1, help="Who responds to the other's part of it.")] = 0,
    ps: Annotated[
        str, typer.Option("--p", help="How likely the other is held to the strategy: numbers from 0 to 1.")
    ] = "0,0.25,0.5,0.75,0.9,1",
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="lp, which is exact, or for large games a sampling solver.")
    ] = "lp",
    iterations: Annotated[
        int, options.whole("--iterations", "-n", help="Iterations of a sampling solver, for each response.")
    ] = 100_000,
    seed: Annotated[int, options.seed("Random numbers of a sampling solver.")] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the trade-off to this file (png, pdf, svg).")
    ] = None,
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Find responses that exploit a saved strategy and give little away to others (restricted Nash responses)."""
    from fogspiel.app import show
    from fogspiel.app.progress import Watch
    from fogspiel.solvers.files import read
    from fogspiel.solvers.response.restricted import trade_off as frontier

    require_writable(plot, json_file)
    try:
        numbers = [float(part) for part in ps.split(",")]
    except ValueError:
        raise SpecError(f"--p takes numbers from 0 to 1, such as 0,0.5,1, not {ps!r}") from None
    if plot is not None:
        from fogspiel.app.plot import plot_trade_off, require_format

        require_format(plot)
    with Watch(quiet=is_output(json_file)) as watch:
        found = frontier(
            game,
            read(strategy),
            player,
            numbers,
            algorithm=algorithm,
            iterations=iterations,
            seed=seed,
            memory=memory,
            progress=watch.step,
        )
    finish(json_file, {"responses": [r.as_dict() for r in found]}, lambda: show.print_trade_off(found))
    if plot is not None:
        plot_trade_off(found, plot)
        show.print_written("plot", plot, is_output(json_file))
