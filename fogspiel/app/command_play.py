"""The commands with agents: `agents`, `parts`, `icarus`, `match`, `play`, `converge`, `think`."""

from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app import options
from fogspiel.app.command import Game, Json, app, finish, is_output, require_writable
from fogspiel.errors import FileError, SpecError


@app.command()
def agents(
    name: Annotated[str | None, typer.Argument(help="An agent, to see what can be asked of it.")] = None,
    game: Annotated[str | None, typer.Option("--for", help="List the agents that suit this game.")] = None,
    json_file: Json = None,
) -> None:
    """List the agents, or tell of one: its own parameters, and the kinds of parts that it takes."""
    from fogspiel.app import catalogue

    require_writable(json_file)
    if name is not None and game is not None:
        raise SpecError("--for lists the agents that suit a game: leave out the name of one")
    if name is not None:
        row = catalogue.own_agent_row(name) or catalogue.one_of("agent", name, catalogue.all_agents())
        finish(json_file, row, lambda: catalogue.print_one(row))
    else:
        rows = catalogue.all_agents() if game is None else catalogue.agents_for(game)
        finish(json_file, {"agents": rows}, lambda: catalogue.print_rows(rows, "agent"))


@app.command()
def parts(
    kind: Annotated[str | None, typer.Argument(help="A kind of parts, such as bandit, belief or schedule.")] = None,
    name: Annotated[str | None, typer.Argument(help="One of them, to see its parameters.")] = None,
    json_file: Json = None,
) -> None:
    """List the kinds of parts that agents and solvers are made of, those of one kind, or tell of one part."""
    from fogspiel.app import catalogue

    require_writable(json_file)
    rows = catalogue.all_kinds()
    if kind is None:
        finish(json_file, {"kinds": rows}, lambda: catalogue.print_kinds(rows))
        return
    row = catalogue.one_of("kind of parts", kind, rows)
    if name is None:
        finish(json_file, row, lambda: catalogue.print_kind(row))
    else:
        found = catalogue.all_of(kind, name, row["parts"])
        finish(json_file, {"parts": found}, lambda: catalogue.print_all(found))


@app.command()
def icarus(
    expressions: Annotated[
        list[str] | None,
        typer.Argument(help="ICARUSes as agents take them: rave, mast, rave>mast+epic. Without any: all of them."),
    ] = None,
    game: Annotated[str, typer.Option("--game", help="The game whose first nodes are looked at.")] = "tic_tac_toe",
    depth: Annotated[int, options.whole("--depth", low=1, high=8, help="Moves from the start of the game.")] = 3,
    breadth: Annotated[int, options.whole("--breadth", low=1, high=8, help="Moves at each node, the first.")] = 3,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw which nodes share records: a file name.")] = None,
    json_file: Json = None,
) -> None:
    """Compare ICARUSes by their records (Whitehouse 2014, chapter 8), and tell which keep UCT's guarantee."""
    from fogspiel.app import icaruses

    require_writable(json_file, plot)
    facts, drawn = icaruses.compare(expressions or [], game, depth, breadth)
    if plot is not None:
        icaruses.draw(drawn, plot, facts["game"])
    finish(json_file, facts, lambda: icaruses.print_comparison(facts, plot))


@app.command()
def match(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(
            help=(
                "Agents: mo-ismcts(simulations=1000), random, leduc.fog, my_agent.py, 'node bot.js'. See: fogspiel "
                "agents."
            )
        ),
    ],
    games: Annotated[
        int,
        options.whole(
            "--games", "-n", low=1, help="Games to play, of every pairing if there are more agents than seats."
        ),
    ] = 100,
    seed: Annotated[
        int | None, options.seed("All random numbers come from it. Default: a new one, told with the result.")
    ] = None,
    workers: Annotated[int, options.threads("--workers", help="Processes that play.")] = 1,
    move_time: Annotated[
        float | None, options.seconds("--move-time", above=True, help="Seconds after which a move loses the game.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            help=(
                "Stop as soon as two differences in Elo (or in utility, if judged by it) can be told apart: "
                "low,high,alpha,beta."
            ),
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
    apart: Annotated[
        bool | None,
        typer.Option(
            "--apart/--together",
            help=(
                "Have every agent play in a process of its own, or all in one. Default: agents that are not ours "
                "(files, commands) play apart."
            ),
        ),
    ] = None,
    memory: Annotated[
        int | None,
        options.memory("--memory", help="Most memory for each process of an agent: 512M, 4G. Default: 4G."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first fault of an agent; otherwise it loses the game.")
    ] = False,
    json_file: Json = None,
) -> None:
    """Let agents play each other, seats in turn and with the same chance, and tell who is better."""
    from fogspiel.app.arena import always_at_fault, print_match
    from fogspiel.app.progress import LINE, Watch
    from fogspiel.evaluate.match import match as play

    require_writable(json_file)
    with Watch(is_output(json_file)) as watch:
        result = play(
            game,
            players,
            games=games,
            seed=seed,
            workers=workers,
            move_time=move_time,
            sprt=_four_numbers(sprt),
            by=by,
            duplicate=duplicate,
            progress=watch.step,
            store=store,
            resume=resume,
            learning=learning,
            strict=strict,
            notice=LINE.say,
            apart=apart,
            memory=memory,
        )
    finish(json_file, result.as_dict(), lambda: print_match(result))
    if result.unsaved:
        raise FileError(f"games of the match are not stored: {result.unsaved}")
    if result.stopped == "interrupted":
        raise typer.Exit(130)
    if result.failed:
        typer.echo(
            f"fogspiel: of {len(result.games):,} games {len(result.failed):,} came to no end, and count for nobody",
            err=True,
        )
        raise typer.Exit(1)
    for agent in always_at_fault(result):
        typer.echo(
            f"fogspiel: {agent} lost all of its games by faults, so that the match tells nothing of it", err=True
        )
        raise typer.Exit(1)


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
            help=(
                "Who sits where, in order: human, or any agent; once for each player. Default: you, and agents that "
                "suit the game."
            ),
        ),
    ] = None,
    hint: Annotated[
        str | None, typer.Option("--hint", help="The agent that is asked for hints. Default: one that suits the game.")
    ] = None,
    seed: Annotated[int | None, options.seed("For the same chance again.")] = None,
) -> None:
    """Play at the terminal, against agents or with others. You are shown what your seat may see."""
    import shlex

    from fogspiel.app.play import sit

    sitting = sit(game, seat, seed=seed, hint=hint)
    seats = [word for one in seat or () for word in ("--seat", one)]
    typer.echo(
        f"\nthe same chance again: {shlex.join(['fogspiel', 'play', game, *seats, '--seed', str(sitting.seed)])}"
    )
    if sitting.interrupted:
        raise typer.Exit(130)


@app.command()
def converge(
    game: Game,
    player: Annotated[str, typer.Argument(help="A searching agent: oos, sm-mcts(bandit=rm). See: fogspiel agents.")],
    simulations: Annotated[int, options.whole("--simulations", "-n", low=10, help="How far to go.")] = 1_000_000,
    seed: Annotated[int, options.seed("Of the search.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the curve to this file (png, pdf, svg).")] = None,
    json_file: Json = None,
) -> None:
    """Search from the start of a game, and measure how exploitable is what the search has in memory as it goes."""
    from fogspiel.app import show

    require_writable(plot, json_file)
    facts = show.converge_agent(game, player, simulations, seed, plot, is_output(json_file))
    finish(json_file, facts, lambda: show.print_convergence(facts, plot))
    if facts["interrupted"]:
        raise typer.Exit(130)


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
    seed: Annotated[int, options.seed("All random numbers come from it.")] = 0,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the tree to this file (png, pdf, svg).")] = None,
    json_file: Json = None,
) -> None:
    """Let an agent search one decision, and show what it thinks of each move, what that cost, and its tree."""
    from fogspiel.app.think import print_thoughts
    from fogspiel.app.think import think as search

    require_writable(plot, json_file)
    if plot is not None:
        from fogspiel.app.plot import require_format

        require_format(plot)
    facts = search(game, player, moves, seed, plot)
    finish(json_file, facts, lambda: print_thoughts(facts, plot))
