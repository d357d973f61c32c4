"""What the command line prints: tables and reports."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fogspiel.app.matrix_facts import matrix_facts, print_matrix
from fogspiel.app.progress import LINE, Watch
from fogspiel.errors import TooLarge
from fogspiel.game.check import FAILED, NOTED, Report
from fogspiel.game.check import check as run_conformance
from fogspiel.game.hidden import hides_something
from fogspiel.game.load import built_in_games, load
from fogspiel.game.load import describe as describe_built_in
from fogspiel.game.spec import Askable
from fogspiel.solvers.response.response import form_of
from fogspiel.solvers.response.restricted import Response
from fogspiel.solvers.result import Result, amount, nonnegative
from fogspiel.tree.tree import unroll

if TYPE_CHECKING:
    from fogspiel.evaluate.bound import Bound
    from fogspiel.evaluate.online import OnlinePoint

NOTABLE = 0.5
"""Seconds of making a strategy that are told of: for small games it takes no time."""

MANY = 1000
"""Information sets of a table from which on the least room that any table takes does not count."""

console = Console(highlight=False, emoji=False)
if not console.is_terminal and "COLUMNS" not in os.environ:
    console.width = 1000  # nothing is wrapped for a program that reads it


def all_games() -> list[dict[str, Any]]:
    return [{"name": name, "about": describe_built_in(name)} for name in built_in_games()]


def print_games(rows: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("game", style="bold")
    table.add_column("")
    for row in rows:
        table.add_row(row["name"], escape(row["about"]))
    console.print(table)
    console.print("\nfogspiel games NAME tells more; a file of your own (my_game.py) works wherever a name does.")


def describe_game(spec: str) -> dict[str, Any]:
    """Players, parameters and, where they can be counted within two seconds, sizes."""
    game = load(spec)
    facts: dict[str, Any] = {
        "game": game.spec,
        "about": (game.module.__doc__ or "").strip(),
        "players": game.players,
        "zero_sum": game.about.zero_sum,
        "simultaneous": game.about.simultaneous,
        "always_at_once": game.always_at_once,
        "perfect_recall": game.about.perfect_recall,
        "perfect_information": not hides_something(game),
        "utility": game.about.utility,
        "ranges": game.about.ranges,
        "parameters": [p | {"value": game.parameters[p["name"]]} for p in told_of(game.declared)],
        "sizes": None,
    }
    try:
        tree = unroll(game, seconds=2.0)
        facts["sizes"] = {
            "histories": tree.size,
            "terminals": tree.terminals,
            "information_sets": tree.infosets,
            "sequences": tree.sequences,
            "longest_game": tree.depth,
        }
        if tree.tied is not None and tree.perfect_recall:
            facts["sizes"] |= {
                "abstract_information_sets": tree.abstract_infosets,
                "abstract_sequences": tree.abstract_pairs + game.players,
            }
        facts["perfect_recall"], facts["zero_sum"], facts["utility"] = tree.perfect_recall, tree.zero_sum, tree.utility
        if (matrix := matrix_facts(tree)) is not None:
            facts["matrix"] = matrix
    except TooLarge as error:
        facts["too_large"] = str(error)
    return facts


def print_game(facts: dict[str, Any]) -> None:
    console.print(f"[bold]{escape(facts['game'])}[/bold]\n")
    for paragraph in facts["about"].split("\n\n"):
        console.print(" ".join(paragraph.split()) + "\n", markup=False)
    kind = [
        "zero-sum" if facts["zero_sum"] else "general-sum",
        f"{facts['players']} player{'s' * (facts['players'] != 1)}",
    ]
    some = "" if facts["always_at_once"] else "some "
    kind += [f"{some}simultaneous moves"] * facts["simultaneous"]
    if facts["perfect_information"]:  # what was known on the way is no less known for not being in the keys
        kind.append("perfect information")
    elif not facts["perfect_recall"]:
        kind.append("imperfect recall")
    console.print(", ".join(kind))
    if facts["ranges"] is not None and len(set(facts["ranges"])) > 1:
        own = [f"player {i} from {low:g} to {high:g}" for i, (low, high) in enumerate(facts["ranges"])]
        console.print(f"utilities of {', of '.join(own)}")
    elif facts["utility"] is not None:
        console.print("utilities from {:g} to {:g}".format(*facts["utility"]))
    if facts["parameters"]:
        console.print()
        console.print(parameter_table(facts["parameters"], ("name", "value", "default", "range", "about")))
    console.print()
    if facts["sizes"] is None:
        console.print(facts["too_large"], markup=False)
    else:
        for name, count in facts["sizes"].items():
            console.print(f"{name.replace('_', ' '):<25} {count:>14,}")
    if "matrix" in facts:
        print_matrix(console, facts["matrix"])


def told_of(parameters: Iterable[Askable]) -> list[dict[str, Any]]:
    """What is told of parameters."""
    return [{"name": p.name, "default": p.default, "range": p.range, "about": p.about} for p in parameters]


def parameter_table(parameters: list[dict[str, Any]], columns: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column({"name": "parameter", "about": ""}.get(column, column))
    for p in parameters:
        table.add_row(
            *(escape(f"{p[column]:g}" if isinstance(p[column], float) else str(p[column])) for column in columns)
        )
    return table


def print_result(result: Result[Any]) -> None:
    """What a solver found."""
    near = "gap" if result.bounds else result.stopped
    ended = {
        "interrupted": "interrupted; this is the result so far",
        "exact": "exact",
        "nash_conv": f"reached the {near} asked for",
        "exploitability": f"reached the {near} asked for",
        "memory": "memory is full; this is the result so far",
        "precision": "a linear program was not solved, by rounding; this is the result so far",
    }.get(result.stopped, f"stopped after the {result.stopped} asked for")
    if result.resumed == result.iterations > 0:
        ended = {
            "iterations": (
                f"nothing left to do: the checkpoint has {result.resumed:,} iterations already; ask for more with -n"
            ),
            "seconds": (
                "nothing left to do: the checkpoint has taken as many seconds already; ask for more with --seconds"
            ),
            "nash_conv": f"nothing left to do: the checkpoint has reached the {near} asked for",
            "exploitability": f"nothing left to do: the checkpoint has reached the {near} asked for",
        }.get(result.stopped, ended)
    console.print(f"[bold]{escape(result.game)}[/bold], {result.algorithm}: {ended}")
    if result.bounds is not None:
        low, high = result.bounds
        console.print(f"value           from {low:+z.9f} to {high:+z.9f}   (to player 0{_observing(result)})")
        console.print(f"gap             {high - low:.3e}   (best responses to both strategies gain no more)")
    elif result.value:
        console.print(f"value           {'  '.join(amount(v, result.nash_conv) for v in result.value)}")
    if result.unmeasured:
        console.print(
            f"nash_conv       not measured: {result.unmeasured} "
            "(--measure does it; keep the strategy with --save, and fogspiel bound estimates it)"
        )
    if result.nash_conv is not None and result.exploitability is not None and result.bounds is None:
        console.print(
            f"nash_conv       {nonnegative(result.nash_conv):.3e}   (sum over players of what a best response gains)"
        )
        console.print(
            f"exploitability  {nonnegative(result.exploitability):.3e}   (nash_conv divided by the number of players)"
        )
    if result.joint is not None:
        console.print(
            f"joint play      {'  '.join(f'{v:+z.9f}' for v in result.joint.value)}   (mean over the iterations)"
        )
        console.print(
            f"its CCE gap     {result.cce_gap:.3e}   (sum over players of what a fixed strategy would have gained)"
        )
    speed = (
        f"   {result.iterations / result.seconds:,.0f} iterations/s"
        if result.seconds > 0 and result.stopped != "exact"
        else ""
    )
    whole = f"   {result.elapsed:.2f} s in all" if result.stopped == "seconds" else ""
    if result.making > NOTABLE:
        whole += (
            f"{',' if whole else '  '} {result.making:.2f} s of making the strategy of {len(result.strategy):,} "
            "information sets"
        )
    console.print(f"iterations      {result.iterations:,} in {result.seconds:.2f} s{speed}{whole}")
    if result.restricted:
        of = result.restricted
        console.print(
            f"restricted game {of['sequences']:,} of {of['sequences in all']:,} sequences, {of['information sets']:,} "
            f"of {of['information sets in all']:,} information sets"
        )
    if result.memory:
        sets, each = result.memory["information sets"], result.memory["bytes an information set"]
        console.print(f"touched         {result.touched:,} histories")
        size = f", {each:.0f} bytes each" if sets >= MANY else ""
        console.print(f"information sets {sets:,} in the table{size}")
    if result.meaning:
        console.print(f"\n{result.meaning}", markup=False)


def _observing(result: Result) -> str:
    """How much player 0 of a one-sided POSG sees."""
    from fogspiel.solvers.posg.controllers import Controllers

    if not isinstance(result.strategy, Controllers):
        return ""
    return ", who sees little" if result.strategy.posg.seat == 0 else ", who sees everything"


def print_endless(found: Any) -> None:
    """How a strategy of a bounded game fares in the endless one."""
    console.print(
        f"[bold]{escape(found.game)}[/bold], endless, discount {found.discount:g}, {found.beyond} beyond the horizon"
    )
    console.print(f"{'best response':<20} {found.response:.6f} for player {found.player}")
    console.print(f"{'value of the game':<20} from {found.lower:.6f} to {found.upper:.6f}")
    console.print(f"{'loss':<20} from {found.loss[0]:.6f} to {found.loss[1]:.6f}")
    if found.interrupted:
        console.print("interrupted; the value is bounded by what was found so far")


def print_horizons(found: list[Any]) -> None:
    """How equilibria of bounded games fare in the endless one."""
    table = Table(box=None, pad_edge=False)
    for heading in ("rounds", "horizon", "best response", "value of the game", "loss at most"):
        table.add_column(heading, justify="right")
    for f in found:
        cells = f"{f.response:.4f}", f"{f.lower:.4f} to {f.upper:.4f}", f"{f.loss[1]:.4f}"
        table.add_row(str(f.rounds), f.horizon, *cells)
    console.print(table)


ESTIMATES = {
    "0": "nothing is paid beyond the horizon",
    "v": "if both see everything",
    "h": "half of what they are worth if both see everything",
    "rn": "if the player who does not see everything moves at random",
}


def print_state_values(facts: dict[str, Any], most: int = 20) -> None:
    """What states are worth to player 0, the first of them, and in what sense."""
    values, kind, threshold = facts["values"], facts["kind"], facts["threshold"]
    console.print(
        f"[bold]{escape(facts['game'])}[/bold]: what states are worth in the endless game, {kind}: {ESTIMATES[kind]}"
    )
    if kind != "0":
        own = "" if facts["discount"] == facts["own_discount"] else f" (that of the game is {facts['own_discount']:g})"
        near = f"to within {facts['error']:g}" if threshold is None else f"swept until none changes by {threshold:g}"
        console.print(f"discount {facts['discount']:g}{own}; {near}\n")
    table = Table(box=None, pad_edge=False)
    table.add_column("state")
    table.add_column("worth to player 0", justify="right")
    for state, worth in list(values.items())[:most]:
        table.add_row(escape(state), f"{worth:.6f}")
    console.print(table)
    if len(values) > most:
        console.print(f"and {len(values) - most:,} more")


def print_written(what: str, path: Path, quiet: bool = False) -> None:
    if not quiet:
        console.print(f"{what:<15} {path}", markup=False, soft_wrap=True)


def print_bound(found: "Bound") -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("player", "value", "response", "gain", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for p, (value, response, gain) in enumerate(zip(found.value, found.response, found.gain, strict=True)):
        table.add_row(
            str(p),
            f"{value.value:+.5f}",
            f"{response.value:+.5f}",
            f"{gain.value:+.5f}",
            f"{gain.low:+.5f} to {gain.high:+.5f}",
        )
    far = found.nash_conv
    console.print(f"[bold]{escape(found.game)}[/bold], responses learned by {escape(found.algorithm)}")
    console.print(table)
    console.print(
        f"nash_conv       at least {nonnegative(far.value):.5f}   (95 % interval of the estimate: {far.low:.5f} to "
        f"{far.high:.5f})"
    )
    console.print(
        f"iterations      {found.iterations:,}, then {found.games:,} games, for each player, in {found.seconds:.1f} s"
    )


def print_trade_off(found: list[Response]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("p", "wins", "loses"):
        table.add_column(heading, justify="right")
    for r in found:
        table.add_row(f"{r.p:g}", f"{r.exploitation:+z.6f}", f"{r.best_response:+z.6f}")
    if found:
        console.print(f"[bold]{escape(found[0].game)}[/bold], player {found[0].player}, {escape(found[0].algorithm)}")
    console.print(table)
    console.print("wins: against the strategy; loses: to a best response")


def run_check(spec: str, playouts: int, histories: int, seed: int, watch: Watch) -> Report:
    return run_conformance(spec, playouts=playouts, histories=histories, seed=seed, progress=watch.step)


def print_check(report: Report, verbose: bool = False) -> None:
    """Failures first and in full, then what is worth knowing, and the rest in a line, or one by one if `verbose`."""
    sign = {FAILED: "[bold red]FAIL[/bold red]", NOTED: "[dim]note[/dim]"}
    first = [*report.failures, *report.notes]
    for finding in [*first, *(f for f in report.findings if verbose and f not in first)]:
        console.print(f"{sign.get(finding.status, '[green]ok[/green]  ')}  {finding.name}: {escape(finding.text)}")
        for history in finding.histories:
            console.print(f"      {', '.join(map(str, history)) or '(the start of the game)'}", markup=False)
    if not verbose:
        console.print(f"{report.rest} (--verbose lists them)")
    colour = "green" if report.ok else "red"
    console.print(
        f"\n[bold]{escape(report.game)}[/bold] [bold {colour}]{report.verdict}[/bold {colour}] ({report.looked})"
    )


def converge_agent(
    spec: str, player: str, simulations: int, seed: int, plot: Path | None, quiet: bool
) -> dict[str, Any]:
    """Points at 10, 32, 100, ... simulations, printed as they come unless `quiet`, and drawn to `plot` if given. Ctrl-C
    keeps those so far."""
    from fogspiel.evaluate.online import converging

    budgets = [n for k in range(2, 40) if (n := int(10 ** (k / 2))) < simulations] + [simulations]
    game = load(spec)
    points: list[OnlinePoint] = []
    interrupted = False
    with Watch(quiet) as watch:
        form = form_of(game, progress=watch.unrolling)
        found = converging(
            game,
            player,
            budgets,
            seed=seed,
            form=form,
            progress=lambda done: watch.step("simulations", done, simulations),
        )
        if not quiet:
            console.print(f"[bold]{escape(game.spec)}[/bold], {escape(player)}")
            console.print(f"{'simulations':>13} {'seconds':>9} {'nash_conv':>15} {'sets visited':>13}")
        try:
            for p in found:
                points.append(p)
                LINE.clear()
                if not quiet:
                    console.print(f"{p.simulations:>13,} {p.seconds:>9.2f} {p.nash_conv:>15.4f} {p.coverage:>13.0%}")
        except KeyboardInterrupt:
            interrupted = True
    if plot is not None and points:
        from fogspiel.app.plot import plot_curves

        plot_curves({player: [(p.simulations, p.nash_conv) for p in points]}, plot, "simulations", game.spec)
    curve = [vars(p) for p in points]
    return {"game": game.spec, "agent": player, "seed": seed, "curve": curve, "interrupted": interrupted}


def print_convergence(facts: dict[str, Any], plot: Path | None) -> None:
    """What is left to say after the rows."""
    if facts["interrupted"]:
        console.print("interrupted: this is what was measured so far")
    if (short := next((p["simulations"] for p in facts["curve"] if p["full"]), None)) is not None:
        console.print(
            f"the memory was full within {short:,} simulations: no more nodes are added, and play is uniform where "
            "there is none; the agent's parameter nodes asks for more",
            soft_wrap=True,
        )
    if plot is not None and facts["curve"]:
        console.print(f"plot            {plot}", markup=False)
