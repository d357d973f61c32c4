"""The command line: `fogspiel games`, `solve`, `show`, `evaluate`, `bound`, `trade-off`, `check`, `match`, `play`, `bench`, `demo`.

Everything heavy is imported inside the command that needs it, so that `fogspiel --help` answers at once.
"""

import contextlib
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from fogspiel.app import options, sentinel
from fogspiel.app.trust import add_unchecked
from fogspiel.engine import notice
from fogspiel.errors import FileError, FogspielError, SpecError


class Commands(TyperGroup):
    """All commands end alike: an error that a person can mend is one sentence and a non-zero status."""

    def invoke(self, ctx: typer.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except FogspielError as error:
            _fail(str(error), 2)
        except KeyboardInterrupt:
            if sys.unraisablehook is _ask_again:
                # one Ctrl-C is enough, and what it left half made is not worth a word
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                sys.unraisablehook = lambda _: None
            _fail("interrupted", 130)
        except MemoryError:
            _fail("out of memory; choose smaller parameters or set --memory", 2)
        except BrokenPipeError:
            _drop_output()
            raise typer.Exit(1) from None
        except OSError as error:
            _drop_output()
            _fail(f"{error.filename or 'standard output'}: {error.strerror or error}", 2)
        except Exception as error:
            if os.environ.get("FOGSPIEL_TRACEBACK") or hasattr(error, "exit_code") or isinstance(error, typer.Abort):
                raise  # an exit with its status, or what the parser of options says
            _fail(
                f"this is a mistake in Fogspiel itself, please report it: {type(error).__name__}: {error} "
                "(FOGSPIEL_TRACEBACK=1 shows where)",
                70,
            )


def _fail(message: str, status: int) -> NoReturn:
    typer.echo(f"fogspiel: {' '.join(message.split())}", err=True)
    raise typer.Exit(status)


def _drop_output() -> None:
    """Let what could not be written be forgotten, or Python would try again at its exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Games where players cannot see everything: solve them, measure strategies, check your own.",
    epilog="Start with: fogspiel demo",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Game = Annotated[str, typer.Argument(help="A game: kuhn, goofspiel(cards=5), my_game.py, my_game.py(size=3).")]
Saved = Annotated[Path, typer.Argument(help="A strategy saved with fogspiel solve --save.")]


def _silence_for_output(path: Path | None) -> Path | None:
    """Who reads JSON from standard output gets no word of compiling, either."""
    if _is_output(path):
        notice.listen(None)
    return path


Json = Annotated[
    Path | None,
    typer.Option(
        "--json",
        callback=_silence_for_output,
        help="Write the result as one JSON object to this file (- for standard output).",
    ),
]


Memory = Annotated[
    int | None,
    options.memory(
        "--memory",
        help="Most memory for the unrolled game or the table of a sampling solver: 512M, 4G. Default: 70% of RAM.",
    ),
]


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(help="A game, to see its parameters and sizes.")] = None,
    json_file: Json = None,
) -> None:
    """List the games, or describe one: players, parameters, and sizes where they can be counted in a moment."""
    from fogspiel.app import show

    _require_writable(json_file)
    if game is None:
        rows = show.all_games()
        _finish(json_file, {"games": rows}, lambda: show.print_games(rows))
    else:
        facts = show.describe_game(game)
        _finish(json_file, facts, lambda: show.print_game(facts))


@app.command()
def algorithms(json_file: Json = None) -> None:
    """List the solvers and their parameters."""
    from fogspiel.app import show

    _require_writable(json_file)
    rows = show.all_solvers()
    _finish(json_file, {"algorithms": rows}, lambda: show.print_solvers(rows))


@app.command()
def solve(
    game: Game,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="A solver: cfr+, dcfr(alpha=2), lp. See: fogspiel algorithms. Several are compared. By default cfr+; value-iteration "
            "where the game does not unroll and its players know the state.",
        ),
    ] = None,
    iterations: Annotated[
        int | None, options.whole("--iterations", "-n", help="Stop after so many iterations.")
    ] = None,
    seconds: Annotated[
        float | None, options.seconds("--seconds", help="Stop after about so many seconds in all.")
    ] = None,
    until: Annotated[float | None, options.seconds("--until", help="Stop when exploitability is this small.")] = None,
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
            help="Unroll the game to measure what a sampling solver finds; by default if it is small.",
        ),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Run the game's rules un-compiled, for breakpoints and prints.")
    ] = False,
) -> None:
    """Find an equilibrium. Ctrl-C stops and keeps the result so far."""
    from fogspiel.app import comparison, show
    from fogspiel.game.load import load
    from fogspiel.solve.files import save as save_strategy
    from fogspiel.solve.run import DEFAULT
    from fogspiel.solve.run import solve as run

    _require_writable(plot, save, json_file, checkpoint)
    if plot is not None:
        from fogspiel.app.plot import plot_convergence, require_format

        require_format(plot)
    quiet = _is_output(json_file)
    chosen = comparison.read_seeds(seed, seeds)
    algorithms = comparison.read_algorithms(algorithm or (), iterations)
    if len(algorithms) > 1 or len(chosen) > 1:
        if (save, checkpoint, resume) != (None, None, None):
            raise SpecError("--save, --checkpoint and --resume are for one run: give one algorithm and one seed")
        with show.Watch(quiet) as watch:
            found = comparison.compare(
                load(game, debug=debug), algorithms or [DEFAULT], chosen, watch, {"iterations": iterations, "seconds": seconds, "until": until},
                {"threads": threads, "measure": measure}, memory,
            )  # fmt: skip
        if found.results:
            _finish(json_file, found.as_dict(), lambda: comparison.print_comparison(found))
            if plot is not None:
                plot_convergence(found.results, plot)
                show.print_written("plot", plot, quiet)
        if found.error is not None:
            raise found.error
        if found.interrupted:
            raise typer.Exit(130)
        return
    with show.Watch(quiet) as watch:
        result = run(
            load(game, debug=debug), algorithms[0] if algorithms else None, iterations=iterations, seconds=seconds, until=until, callback=watch.point,
            progress=watch.unrolling, checkpoint=checkpoint, resume=resume, memory=memory, seed=chosen[0],
            threads=threads, measure=measure,
        )  # fmt: skip

    # what was found is shown before anything is written, so that a full disk takes as little as it can
    if quiet:
        _write_json(json_file, result.as_dict())
    else:
        show.print_result(result)
    failures = [result.unsaved] if result.unsaved else []
    for what, path, write in (
        ("strategy", save, lambda path: save_strategy(result.strategy, path)),
        ("result", None if quiet else json_file, lambda path: _write_json(path, result.as_dict())),
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
        from fogspiel.app.strategy_words import hint

        show.console.print(hint(save, game), markup=False, soft_wrap=True)
    if result.stopped == "interrupted":
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
    """Measure a saved strategy: expected values, what a best response gains, exploitability."""
    from fogspiel.app import show
    from fogspiel.solve.files import read

    _require_writable(json_file)
    stored = read(strategy)
    with show.Watch(quiet=_is_output(json_file)) as watch:
        facts = show.evaluate_strategy(game, stored, method, memory, watch)
    _finish(json_file, facts, lambda: show.print_evaluation(facts))


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
    from fogspiel.app.show import Watch, print_written

    _require_writable(csv_file, json_file)
    shown = most or strategy_words.PRINTED
    # beyond what is printed, enough to tell whether the last grid is whole
    printed = most if csv_file or json_file else shown + strategy_words.BEYOND
    with Watch(quiet=_is_output(json_file)) as watch:
        table = strategy_words.words(
            strategy, game, watch.step, player=player, reach=reach, after=after, most=printed, order=order, forced=forced,
            memory=memory,
        )  # fmt: skip
    _finish(json_file, table.as_dict(), lambda: strategy_words.print_words(table, one_by_one, shown))
    if csv_file is not None:
        strategy_words.write_csv(table, csv_file)
        print_written("table", csv_file, _is_output(json_file))


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
    seed: Annotated[int, options.seed("All luck comes from it.")] = 0,
    threads: Annotated[int, options.threads("--threads", help="Threads that learn together.")] = 1,
    json_file: Json = None,
    memory: Memory = None,
) -> None:
    """Bound the exploitability of a saved strategy from below: learn to respond to it, and play what was learned."""
    from fogspiel.app import show
    from fogspiel.evaluate.bound import bound as estimate
    from fogspiel.solve.files import read

    _require_writable(json_file)
    with show.Watch(quiet=_is_output(json_file)) as watch:
        found = estimate(
            game, read(strategy), algorithm=algorithm, iterations=iterations, games=games, seed=seed, memory=memory,
            threads=threads, progress=watch.step,
        )  # fmt: skip
    _finish(json_file, found.as_dict(), lambda: show.print_bound(found))


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
    from fogspiel.solve.files import read
    from fogspiel.solve.restricted import trade_off as frontier

    _require_writable(plot, json_file)
    try:
        numbers = [float(part) for part in ps.split(",")]
    except ValueError:
        raise SpecError(f"--p takes numbers from 0 to 1, such as 0,0.5,1, not {ps!r}") from None
    if plot is not None:
        from fogspiel.app.plot import plot_trade_off, require_format

        require_format(plot)
    with show.Watch(quiet=_is_output(json_file)) as watch:
        found = frontier(
            game, read(strategy), player, numbers,
            algorithm=algorithm, iterations=iterations, seed=seed, memory=memory, progress=watch.step,
        )  # fmt: skip
    _finish(json_file, {"responses": [r.as_dict() for r in found]}, lambda: show.print_trade_off(found))
    if plot is not None:
        plot_trade_off(found, plot)
        show.print_written("plot", plot, _is_output(json_file))


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

    _require_writable(json_file)
    with show.Watch(quiet=_is_output(json_file)) as watch:
        report = show.run_check(game, playouts, histories, seed, watch)
    _finish(json_file, report.as_dict(), lambda: show.print_check(report, verbose))
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def recall(game: Game, json_file: Json = None, memory: Memory = None) -> None:
    """Tell whether CFR has a guarantee in a game's abstraction: is it well-formed, or skew, and by how much?"""
    from fogspiel.app import show
    from fogspiel.tree.recall import well_formed
    from fogspiel.tree.tree import unroll

    _require_writable(json_file)
    with show.Watch(quiet=_is_output(json_file)) as watch:
        report = well_formed(unroll(game, memory=memory, progress=watch.unrolling))
    _finish(json_file, report.as_dict(), lambda: show.console.print(str(report), markup=False))


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Shorter measurements, for a first look.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="One part: memory, duels, sampling, playouts, search, match, unrolling, start-up. Repeatable.",
        ),
    ] = None,
    json_file: Json = None,
) -> None:
    """Compare with OpenSpiel, LiteEFG and noregret on the same work, in one run. (pip install "fogspiel[peers]")"""
    from fogspiel.app.bench import PARTS, print_bench, run_bench

    _require_writable(json_file)
    facts = run_bench(quick=quick, quiet=_is_output(json_file), parts=tuple(only or PARTS))
    _finish(json_file, facts, lambda: print_bench(facts))
    if facts["interrupted"]:
        raise typer.Exit(130)


@app.command()
def reproduce(
    target: Annotated[str | None, typer.Argument(help="A target, such as R-4; without it they are listed.")] = None,
    scale: Annotated[
        str, typer.Option("--scale", help="small: minutes; full: as printed, which may take hours.")
    ] = "small",
    json_file: Json = None,
) -> None:
    """Run a published experiment and tell whether its statement comes out."""
    from fogspiel.app import targets

    _require_writable(json_file)
    if target is None:
        rows = targets.all_targets()
        _finish(json_file, {"targets": rows}, lambda: targets.print_targets(rows))
        return
    verdict = targets.reproduce(target, scale)
    _finish(json_file, verdict.as_dict(), lambda: targets.print_verdict(verdict))
    if not verdict.passed:
        raise typer.Exit(1)


@app.command()
def agents(json_file: Json = None) -> None:
    """List the agents and their parameters."""
    from fogspiel.app import show

    _require_writable(json_file)
    rows = show.all_agents()
    _finish(json_file, {"agents": rows}, lambda: show.print_solvers(rows))


@app.command()
def match(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(
            help="Agents: mo-ismcts(simulations=1000), random, leduc.fog, my_agent.py. See: fogspiel agents."
        ),
    ],
    games: Annotated[
        int,
        options.whole(
            "--games", "-n", low=1, help="Games to play, of every pairing if there are more agents than seats."
        ),
    ] = 100,
    seed: Annotated[
        int | None, options.seed("All luck comes from it. Default: a new one, told with the result.")
    ] = None,
    workers: Annotated[int, options.threads("--workers", help="Processes that play.")] = 1,
    move_time: Annotated[
        float | None, options.seconds("--move-time", above=True, help="Seconds after which a move loses the game.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            help="Stop as soon as two differences in Elo (or in utility, if judged by it) can be told apart: low,high,alpha,beta.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", help="Judge by wins or by utility. Default: by utility where stakes differ from game to game."
        ),
    ] = None,
    duplicate: Annotated[bool, typer.Option(help="Play every deal once for each order of the seats.")] = True,
    store: Annotated[Path | None, typer.Option("--store", help="Keep every game in this file, to resume from.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match in the file given by --store.")
    ] = False,
    learning: Annotated[
        bool, typer.Option("--learning", help="Agents keep what they learned in earlier games of the match.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first fault of an agent; otherwise it loses the game.")
    ] = False,
    json_file: Json = None,
) -> None:
    """Let agents play each other, seats in turn and with the same luck, and tell who is better."""
    from fogspiel.app import show
    from fogspiel.app.arena import print_match
    from fogspiel.app.progress import LINE
    from fogspiel.evaluate.match import match as play

    _require_writable(json_file)
    with show.Watch(_is_output(json_file)) as watch:
        result = play(
            game, players, games=games, seed=seed, workers=workers, move_time=move_time, sprt=_four_numbers(sprt), by=by,
            duplicate=duplicate, progress=watch.step, store=store, resume=resume, learning=learning, strict=strict, notice=LINE.say,
        )  # fmt: skip
    _finish(json_file, result.as_dict(), lambda: print_match(result))
    if result.stopped == "interrupted":
        raise typer.Exit(130)


def _four_numbers(text: str | None) -> tuple[float, float, float, float] | None:
    if text is None:
        return None
    try:
        low, high, alpha, beta = (float(part) for part in text.split(","))
    except ValueError:
        raise SpecError(
            f"--sprt takes four numbers, low,high,alpha,beta, such as 0,10,0.05,0.05, not {text!r}"
        ) from None
    return low, high, alpha, beta


@app.command()
def play(
    game: Game,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Who sits where, in order: human, or any agent; once for each player. Default: you, and agents that suit the game.",
        ),
    ] = None,
    hint: Annotated[
        str | None, typer.Option("--hint", help="The agent that is asked for hints. Default: one that suits the game.")
    ] = None,
    seed: Annotated[int | None, options.seed("For the same luck again.")] = None,
) -> None:
    """Play at the terminal, against agents or with others. You are shown what your seat may see."""
    import shlex

    from fogspiel.app.play import sit

    sitting = sit(game, seat, seed=seed, hint=hint)
    seats = [word for one in seat or () for word in ("--seat", one)]
    typer.echo(f"\nthe same luck again: {shlex.join(['fogspiel', 'play', game, *seats, '--seed', str(sitting.seed)])}")
    if sitting.interrupted:
        raise typer.Exit(130)


@app.command()
def converge(
    game: Game,
    player: Annotated[str, typer.Argument(help="A searching agent: oos, sm-mcts(selection=rm). See: fogspiel agents.")],
    simulations: Annotated[int, options.whole("--simulations", "-n", low=10, help="How far to go.")] = 1_000_000,
    seed: Annotated[int, options.seed("Of the search.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the curve to this file (png, pdf, svg).")] = None,
    json_file: Json = None,
) -> None:
    """Search from the start of a game, and measure the exploitability of what the search has in memory as it goes."""
    from fogspiel.app import show

    _require_writable(plot, json_file)
    facts = show.converge_agent(game, player, simulations, seed, plot)
    _finish(json_file, facts, lambda: show.print_convergence(facts, plot))


@app.command()
def think(
    game: Game,
    player: Annotated[
        str, typer.Argument(help="A searching agent: mo-ismcts(simulations=5000), oos. See: fogspiel agents.")
    ],
    moves: Annotated[
        str,
        typer.Option(
            "--moves", help="Moves made before, by name or number, with commas; chance's by name, or else drawn."
        ),
    ] = "",
    seed: Annotated[int, options.seed("All luck comes from it.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the tree to this file (png, pdf, svg).")] = None,
    json_file: Json = None,
) -> None:
    """Let an agent search one decision, and show what it thinks of each move, what that cost, and its tree."""
    from fogspiel.app.think import print_thoughts
    from fogspiel.app.think import think as search

    _require_writable(plot, json_file)
    if plot is not None:
        from fogspiel.app.plot import require_format

        require_format(plot)
    facts = search(game, player, moves, seed, plot)
    _finish(json_file, facts, lambda: print_thoughts(facts, plot))


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


def _is_output(path: Path | None) -> bool:
    """Whether a file option means standard output, which then gets nothing else."""
    return str(path) == "-"


def _finish(json_file: Path | None, facts: dict[str, Any], human) -> None:
    """Print the human form, then write the JSON where asked for; on standard output the JSON alone."""
    if not _is_output(json_file):
        human()
    if json_file is not None:
        _write_json(json_file, facts)


def _write_json(path: Path, facts: dict[str, Any]) -> None:
    text = json.dumps(facts, indent=1) + "\n"
    if _is_output(path):
        sys.stdout.write(text)
        return
    from fogspiel.solve.files import write_safely

    write_safely(path, text.encode())


def _require_writable(*paths: Path | None) -> None:
    """Fail before the work rather than after it, where a file cannot be written."""
    files = [path for path in paths if path is not None and not _is_output(path)]
    if files:
        from fogspiel.solve.files import require_writable

        for file in files:
            require_writable(file)
    plain = [os.path.realpath(file) for file in files if os.path.isfile(file) or not os.path.exists(file)]
    if len(set(plain)) < len(plain):
        raise FileError("two of the files to write are one; give each its own name")


def _ask_again(lost: Any) -> None:
    """Ctrl-C raised within a callback from C, of which the compiler has many, is lost there: raise it again soon."""
    if lost.exc_type is KeyboardInterrupt and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.02)
    else:
        sys.__unraisablehook__(lost)


def _tell_of_compiling(name: str, functions: int) -> contextlib.AbstractContextManager:
    from fogspiel.app.progress import compiling

    return compiling(name, functions)


add_unchecked(app, apart_from="check")


def main() -> None:
    """Run the command line."""
    sys.unraisablehook = _ask_again
    sentinel.watch()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    # a letter that the terminal cannot show must not cost a result
    sys.stdout.reconfigure(errors="backslashreplace")
    notice.listen(_tell_of_compiling)
    try:
        app()
    finally:
        notice.listen(None)
