"""The commands of experiments: `run`, and `results` with a subcommand for each question."""

import functools
import inspect
import shlex
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fogspiel.app import options
from fogspiel.app.command import Cluster, Commands, Json, Workers, app, finish, is_output, require_writable
from fogspiel.errors import FogspielError, SpecError

if TYPE_CHECKING:
    from fogspiel.experiment.results import View
    from fogspiel.experiment.tables import Table


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="A file with experiments (fogspiel.experiment): my_experiment.py.")],
    names: Annotated[list[str] | None, typer.Argument(help="Which of its experiments. Default: all.")] = None,
    scale: Annotated[
        str, typer.Option("--scale", help="small: a minute; medium; paper: as printed. With --budget: the largest.")
    ] = "",
    budget: Annotated[
        float | None,
        options.span(
            "--budget", help="Take the largest scales that fit into this time, of all together, and stop then."
        ),
    ] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    store: Annotated[
        Path | None, typer.Option("--store", help="The file of results. Default: the experiment's name, .sqlite.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Play those games again that were lost as an agent raised an exception.")
    ] = False,
    json_file: Json = None,
) -> None:
    """Run the experiments of a file, from where they stopped the last time; every run is stored."""
    ends = None if budget is None else time.monotonic() + budget
    from fogspiel.app.experiments import print_left_out, print_outcome
    from fogspiel.app.progress import LINE, Watch
    from fogspiel.experiment.execution import Execution
    from fogspiel.experiment.expected import require_declared
    from fogspiel.experiment.files import chosen, left_out
    from fogspiel.experiment.loader import Loader
    from fogspiel.experiment.scheduler import scales_to
    from fogspiel.experiment.store import Store
    from fogspiel.experiment.tuning import carry_out
    from fogspiel.experiment.verdict import PASSED

    require_writable(json_file)
    where, folder = store or Path(f"{file.stem}.sqlite"), str(file.resolve().parent)
    largest = scale or ("paper" if budget else "small")
    outcomes, asked = [], chosen(file, names or [])
    how = [*(["--scale", scale] if scale else []), *(["--store", str(store)] if store else [])]
    several = len(asked) > 1
    without = [] if budget or names else left_out(asked, largest)
    for name in without:
        del asked[name]
    with Store(where) if where.is_file() else nullcontext() as known:
        for name, experiment in asked.items():
            try:
                for each in scales_to(experiment, largest) if budget else [largest]:
                    require_declared(experiment.settled(each), each, Loader(folder), known)
            except FogspielError as error:
                raise FogspielError(f"{name}: {error}" if several else str(error)) from error
    asking = Execution(scale=largest, workers=workers, cluster=cluster, again=again, folder=folder, notice=LINE.say)
    with asking.with_pool() as there:
        for place, (name, experiment) in enumerate(asked.items()):
            execution = there
            if ends is not None:  # what one leaves over goes to those that come after it
                share = max(ends - time.monotonic(), 0.0) / (len(asked) - place)
                least = [*scales_to(experiment, largest), *experiment.scales][0]
                execution = replace(there, budget=share) if share else replace(there, scale=least, until=0.0)
            with Watch(is_output(json_file)) as watch:
                outcome = carry_out(experiment, name, where, replace(execution, progress=watch.step))
            outcomes.append(outcome)
            if not is_output(json_file):
                print_outcome(
                    outcome, where, shlex.join(["fogspiel", "run", str(file), *(names or []), *how, "--again"])
                )
            if outcome.stopped == "interrupted":
                break
    facts = {"outcomes": [o.as_dict() for o in outcomes]} if several else outcomes[0].as_dict()
    finish(json_file, facts | ({"left_out": without} if without else {}), lambda: print_left_out(without, largest))
    if outcomes[-1].stopped == "interrupted":
        raise typer.Exit(130)
    if any((o.criterion and o.verdict != PASSED) or o.counts["failed"] or o.counts["faults"] for o in outcomes):
        raise typer.Exit(1)


FLAGS = {"--categories": "table"} | {
    f"--{name}": name for name in ("compare", "anova", "ratings", "nemeses", "sql", "plot", "report", "export")
}
"""What is asked by which subcommand of `results`, and is no option of it."""


class Questions(Commands):
    """A file of results is asked one question at a time, which is named before it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Where no question is named, it is told how to ask what the options seem to be about."""
        first = args[0] if args else "--help"
        if first not in ("-h", "--help", *self.commands) and (first.startswith("-") or Path(first).suffix):
            flag = next((word for word in args if word.partition("=")[0] in FLAGS), "")
            name, _, value = flag.partition("=")
            if name and not value and name not in ("--ratings", "--nemeses"):
                value = next(iter(args[args.index(flag) + 1 :]), "")
            file = "FILE" if first.startswith("-") else first
            asked = [FLAGS.get(name, "table"), file, *(["--categories"] if name == "--categories" else [])]
            line = shlex.join(["fogspiel", "results", *asked, *([value] if value else [])])
            raise SpecError(f"fogspiel results takes a subcommand before the file, as in: {line}")
        return super().parse_args(ctx, args)


results = typer.Typer(cls=Questions, no_args_is_help=True, rich_markup_mode=None)
app.add_typer(results, name="results")


@results.callback()
def _results() -> None:
    """Ask stored results: tables, comparisons, ratings, plots, reports."""


Measure = Annotated[
    str | None,
    typer.Option("--measure", help="What the mean is of: points, wins, percent, utility, nash_conv, ..."),
]
Kind = Annotated[str, typer.Option("--kind", help="Of the picture: bars, heat or curves. Default: what fits.")]
Answer = tuple[dict[str, Any], Callable[[], None]]
"""What is found, ready for JSON, and what prints it."""


def _rows(
    *,
    store: Annotated[Path, typer.Argument(help="A file of results that fogspiel run wrote.")],
    name: Annotated[
        str | None,
        typer.Argument(help="One of its experiments (or, for a table, an item of several). Default: the last one."),
    ] = None,
    scale: Annotated[str | None, typer.Option("--scale", help="Default: the largest that was run.")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="Only rows with this value: seat=0. Repeatable.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Count all seats, not only those that the experiment is about.")
    ] = False,
    json_file: Json = None,
) -> None:
    """The options of every question: which rows it is about."""


class Tabulated(NamedTuple):
    """A table, how its intervals were found, and whether its rows are of the experiment's columns."""

    table: "Table"
    interval: str
    plain: bool


def _tabulated(
    view: "View",
    *,
    by: Annotated[
        str | None,
        typer.Option("--by", help="A row for each value of these columns: agent,seat. Default: as declared."),
    ] = None,
    measure: Measure = None,
    categories: Annotated[
        str | None,
        typer.Option(
            "--categories",
            help="Sort deals by which of two values of a column does better there: agent=cheating,plain.",
        ),
    ] = None,
    thresholds: Annotated[
        str | None, typer.Option("--thresholds", help="For --categories: sort by differences above these, 0.25,0.5.")
    ] = None,
    interval: Annotated[str, typer.Option("--interval", help="auto, bootstrap or none; over deals, of 95 %.")] = "auto",
) -> Tabulated:
    """The options of every question about a table."""
    from fogspiel.app import experiments as show
    from fogspiel.experiment.analysis import categories as sorted_deals
    from fogspiel.experiment.intervals import interval_of

    if categories is None:
        if thresholds is not None:
            raise SpecError("--thresholds is for --categories: --categories agent=cheating,plain --thresholds 0.25,0.5")
        table = view.table(None if by is None else show.read_columns("--by", by), measure, interval=interval)
        return Tabulated(table, interval_of(view.declared.facts) if interval == "auto" else interval, True)
    if by is not None:
        raise SpecError("--categories has a table of its own, so --by would have no effect; --where chooses rows")
    column, first, second = show.read_categories(categories)
    levels, what = show.read_numbers("--thresholds", thresholds), measure or view.measure
    how: dict[str, Any] = {"thresholds": levels, "split": not levels, "bounds": view.bounds(what), "interval": interval}
    return Tabulated(sorted_deals(view.rows, column, first, second, what, **how), interval, False)


def _question(*, each: bool = False, everyone: bool = False) -> Callable[[Callable[..., Answer]], Callable[..., None]]:
    """Makes a subcommand of a function `answer`: it opens the store, finds the experiment there, and tells what
    `answer` makes of its rows. With `each` that is told of all experiments of an item; with `everyone` all seats count
    in any case. A parameter `asked` of `answer` stands for the options of a table."""

    def made(answer: Callable[..., Answer]) -> Callable[..., None]:
        own = dict(list(inspect.signature(answer).parameters.items())[1:])
        of_table = dict(list(inspect.signature(_tabulated).parameters.items())[1:]) if own.pop("asked", None) else {}
        of_rows = dict(inspect.signature(_rows).parameters)
        if everyone:
            del of_rows["everyone"]

        @functools.wraps(answer)
        def command(store: Path, name: str | None, scale: str | None, where: list[str] | None, **given: Any) -> None:
            from fogspiel.app import experiments as show
            from fogspiel.app.report import picture_of
            from fogspiel.experiment.results import Results

            json_file, file = given.pop("json_file"), given.get("file")
            require_writable(json_file, file, picture_of(file))
            every = given.pop("everyone", everyone)
            table = {option: given.pop(option) for option in of_table}
            with Results(store) as found:
                if not found.declared:
                    finish(json_file, {"experiments": []}, lambda: show.print_list(found))
                    return
                parts = found.parts(name) if each and name is not None else []
                views = [
                    found.view(part, scale, where=where or [], everyone=every)
                    for part in (parts if len(parts) > 1 else [name])
                ]
                answers = [
                    (view, answer(view, **given, **({"asked": _tabulated(view, **table)} if of_table else {})))
                    for view in views
                ]
                facts = [view.as_dict() | told for view, (told, _) in answers]

                def human() -> None:
                    for place, (view, (_, tell)) in enumerate(answers):
                        if place:
                            typer.echo()
                        tell()
                        if not each:
                            show.print_missing(view)
                    if each:
                        show.print_others(found, views)

                finish(json_file, facts[0] if len(facts) == 1 else {"results": facts}, human)

        first = of_rows.pop("store")
        arguments = {"store": first} | own | {"name": of_rows.pop("name")} | of_table | of_rows
        as_options = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in arguments.values()]
        command.__signature__ = inspect.Signature(as_options)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in as_options}
        return results.command()(command)

    return made


@_question(each=True)
def table(view: "View", asked: Tabulated) -> Answer:
    """A row for each value of some columns: a mean with its interval."""
    from fogspiel.app.experiments import print_view
    from fogspiel.experiment.candidates import best_of

    best = best_of(view, asked.table)
    facts = ({} if best is None else best.as_dict()) | {"table": asked.table.as_dict()}
    return facts, lambda: print_view(view, asked.table, asked.plain)


@_question()
def compare(
    view: "View",
    column: Annotated[str, typer.Argument(help="The column whose values are compared: agent.")],
    measure: Measure = None,
) -> Answer:
    """Every two values of a column, paired by deal."""
    from fogspiel.app.experiments import print_differences
    from fogspiel.experiment import differences
    from fogspiel.experiment.intervals import interval_of

    what, exact = measure or view.measure, interval_of(view.declared.facts) == "none"
    pairs = differences.compare(view.rows, column, what, bounds=view.bounds(what), exact=exact)
    counted = "deals" if "agent" in view.rows[0] else "runs"
    return {"compared": [d.as_dict() for d in pairs]}, lambda: print_differences(pairs, what, counted)


@_question()
def anova(
    view: "View",
    columns: Annotated[str, typer.Argument(help="The factors: agent,seat.")],
    measure: Measure = None,
) -> Answer:
    """The analysis of variance of a measure by some columns."""
    from fogspiel.app.experiments import print_effects, read_columns
    from fogspiel.experiment import analysis

    effects = analysis.anova(view.rows, read_columns("anova", columns), measure or view.measure)
    return {"anova": [e.as_dict() for e in effects]}, lambda: print_effects(effects)


@_question(everyone=True)
def ratings(view: "View") -> Answer:
    """Elo ratings of all agents, from all games."""
    from fogspiel.app.experiments import print_ratings
    from fogspiel.experiment import analysis

    rated = analysis.rated(view.meetings())
    ready = [{"agent": agent, "rating": r.as_dict()} for agent, r in rated]
    return {"by": "points", "ratings": ready}, lambda: print_ratings(rated, view.measure)


@_question()
def nemeses(
    view: "View",
    asked: Tabulated,
    second: Annotated[
        bool, typer.Option("--second", help="Of those in the second column, who want the opposite.")
    ] = False,
) -> Answer:
    """Of a cross table, who does worst against whom."""
    from fogspiel.app.experiments import print_nemeses
    from fogspiel.experiment import analysis

    analysis.require_games("nemeses", next(iter(view.rows), {}))
    worst = analysis.nemeses(asked.table, second=second)
    ready = [{"agent": a, "nemesis": b} | row.estimate.as_dict() for a, b, row in worst]
    return {"nemeses": ready}, lambda: print_nemeses(worst, asked.table.measure)


@_question()
def plot(
    view: "View",
    asked: Tabulated,
    file: Annotated[Path, typer.Argument(help="The picture to write (png, pdf, svg).")],
    kind: Kind = "auto",
) -> Answer:
    """Draw a table."""
    from fogspiel.app.experiment_plots import plot_table

    plot_table(asked.table, file, view.declared.about, kind, joined=view.joined)
    return _written(file)


@_question()
def report(
    view: "View",
    asked: Tabulated,
    file: Annotated[Path, typer.Argument(help="The page to write (html, md).")],
    kind: Kind = "auto",
) -> Answer:
    """Write a page with a table, its picture, the verdict and all code that ran."""
    from fogspiel.app.report import picture_of, write_report

    write_report(view, asked.table, file, asked.interval, kind)
    picture = picture_of(file)
    return _written(file, *([] if picture is None else [picture]))


@_question()
def export(view: "View", file: Annotated[Path, typer.Argument(help="The file to write (csv, parquet).")]) -> Answer:
    """Write the rows to a file."""
    view.export(file)
    return _written(file)


@_question()
def sql(
    view: "View", query: Annotated[str, typer.Argument(help="A query of the table results, which has the rows.")]
) -> Answer:
    """Ask DuckDB."""
    from fogspiel.app.experiments import plain_rows

    frame = view.sql(query)
    return {"rows": plain_rows(frame)}, lambda: typer.echo(frame.to_string(index=False))


def _written(*files: Path) -> Answer:
    def tell() -> None:
        for file in files:
            typer.echo(f"written to {file}")

    return {"written": list(map(str, files))}, tell
