"""The commands of experiments: `run`, `results`."""

import shlex
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from fogspiel.app import options
from fogspiel.app.command import Json, app, finish, is_output, require_writable
from fogspiel.errors import FogspielError, SpecError


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
    workers: Annotated[int, options.threads("--workers", help="Processes of this machine.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", help="Run on a Dask cluster: the address of its scheduler, or its scheduler file."),
    ] = None,
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
    from fogspiel.experiment.expected import require_declared
    from fogspiel.experiment.files import chosen, left_out
    from fogspiel.experiment.hands import hired
    from fogspiel.experiment.run import scales_to
    from fogspiel.experiment.shop import Shop
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
                    require_declared(experiment.settled(each), each, Shop(folder), known)
            except FogspielError as error:
                raise FogspielError(f"{name}: {error}" if several else str(error)) from error
    with hired(workers, cluster, LINE.say) as hands:
        for place, (name, experiment) in enumerate(asked.items()):
            limits: dict[str, Any] = {"scale": largest}
            if ends is not None:  # what one leaves over goes to those that come after it
                share = max(ends - time.monotonic(), 0.0) / (len(asked) - place)
                least = [*scales_to(experiment, largest), *experiment.scales][0]
                limits = {"scale": largest, "budget": share} if share else {"scale": least, "until": 0.0}
            with Watch(is_output(json_file)) as watch:
                outcome = carry_out(
                    experiment,
                    name,
                    where,
                    hands=hands,
                    folder=folder,
                    again=again,
                    progress=watch.step,
                    notice=LINE.say,
                    **limits,
                )
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


def _one_answer(asked: dict[str, Any], of_tables: dict[str, Any]) -> None:
    """Refuse two questions at once, and what is for tables where none is made."""
    questions = [option for option, value in asked.items() if value is not None]
    idle = [option for option, value in of_tables.items() if value is not None]
    if len(questions) > 1:
        raise SpecError(f"{questions[0]} and {questions[1]} are two questions: ask one at a time")
    if questions and idle:
        raise SpecError(f"{questions[0]} makes no table, so {idle[0]} would have no effect; --where chooses rows")


@app.command()
def results(
    store: Annotated[Path, typer.Argument(help="A file of results that fogspiel run wrote.")],
    name: Annotated[
        str | None, typer.Argument(help="One of its experiments, or an item that has several. Default: the last one.")
    ] = None,
    scale: Annotated[str | None, typer.Option("--scale", help="Default: the largest that was run.")] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="A row for each value of these columns: agent,seat. Default: as declared."),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="What the mean is of: points, wins, percent, utility, exploitability, ..."),
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="Only rows with this value: seat=0. Repeatable.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Count all seats, not only those that the experiment is about.")
    ] = False,
    interval: Annotated[str, typer.Option("--interval", help="auto, bootstrap or none; over deals, of 95 %.")] = "auto",
    compare: Annotated[
        str | None, typer.Option("--compare", help="Every two values of this column, paired by deal: agent.")
    ] = None,
    anova: Annotated[
        str | None, typer.Option("--anova", help="The analysis of variance by these columns: agent,seat.")
    ] = None,
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
    ratings: Annotated[bool, typer.Option("--ratings", help="Elo ratings of all agents, from all games.")] = False,
    nemeses: Annotated[bool, typer.Option("--nemeses", help="Of a cross table, who does worst against whom.")] = False,
    second: Annotated[
        bool, typer.Option("--second", help="With --nemeses: of those in the second column, who want the opposite.")
    ] = False,
    sql: Annotated[str | None, typer.Option("--sql", help="Ask DuckDB: a query of the table results.")] = None,
    export: Annotated[Path | None, typer.Option("--export", help="Write the rows to this file (csv, parquet).")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the table to this file (png, pdf, svg).")] = None,
    kind: Annotated[
        str, typer.Option("--kind", help="Of the plot, or the report's: bars, heat or curves. Default: what fits.")
    ] = "auto",
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a page about the experiment to this file (html, md).")
    ] = None,
    json_file: Json = None,
) -> None:
    """Tables, comparisons, plots and reports of stored results."""
    from fogspiel.app import experiments as show
    from fogspiel.app.report import picture_of, write_report
    from fogspiel.experiment import analysis, differences
    from fogspiel.experiment.best import best_of
    from fogspiel.experiment.intervals import interval_of
    from fogspiel.experiment.results import Results

    picture = picture_of(report)
    require_writable(json_file, export, plot, report, picture)
    if thresholds is not None and categories is None:
        raise SpecError("--thresholds is for --categories: --categories agent=cheating,plain --thresholds 0.25,0.5")
    if second and not nemeses:
        raise SpecError("--second is for --nemeses")
    if kind != "auto" and plot is None and report is None:
        raise SpecError("--kind is for --plot and --report")
    columns = show.read_columns("--by", by) if by is not None else None
    factors = show.read_columns("--anova", anova) if anova is not None else []
    asked = {"--compare": compare, "--anova": anova, "--ratings": ratings or None, "--sql": sql}
    of_tables = {"--export": export, "--plot": plot, "--report": report}
    _one_answer(asked | {"--nemeses": nemeses or None}, of_tables)
    _one_answer(asked, {"--by": by, "--categories": categories, "--interval": None if interval == "auto" else interval})
    _one_answer({"--sql": sql}, {"--measure": measure})
    if ratings and measure is not None and measure not in analysis.RATED_BY:
        raise SpecError(
            f"ratings are by who got more in each game, so by {' or '.join(analysis.RATED_BY)}, and not by "
            f"{measure}: see --compare agent"
        )
    with Results(store) as found:
        if not found.declared:
            finish(json_file, {"experiments": []}, lambda: show.print_list(found))
            return
        parts = found.parts(name) if name is not None else []
        plain = all(v is None for v in (asked | of_tables).values()) and categories is None and not nemeses
        if len(parts) > 1 and plain:
            views = [found.view(part, scale, where=where or [], everyone=everyone) for part in parts]
            shown = [(v, v.table(columns, measure, interval=interval)) for v in views]
            ready = [v.as_dict() | {"table": table.as_dict()} for v, table in shown]
            finish(json_file, {"results": ready}, lambda: show.print_results(found, shown))
            return
        view = found.view(name, scale, where=where or [], everyone=everyone or ratings)
        what, facts = measure or view.measure, view.as_dict()

        def answer(more: dict[str, Any], human: Callable[[], None]) -> None:
            """What is no table, and how much there is of what it is told from, where that is not all."""

            def shown() -> None:
                human()
                show.print_missing(view)

            finish(json_file, facts | more, shown)

        if compare is not None:
            exact = interval_of(view.declared.facts) == "none"
            pairs = differences.compare(view.rows, compare, what, bounds=view.bounds(what), exact=exact)
            counted = "deals" if "agent" in view.rows[0] else "runs"
            ready = [d.as_dict() for d in pairs]
            answer({"compared": ready}, lambda: show.print_differences(pairs, what, counted))
            return
        if anova is not None:
            effects = analysis.anova(view.rows, factors, what)
            answer({"anova": [e.as_dict() for e in effects]}, lambda: show.print_effects(effects))
            return
        if ratings:
            rated = analysis.rated(view.meetings())
            ready = [{"agent": agent, "rating": r.as_dict()} for agent, r in rated]
            answer({"by": "points", "ratings": ready}, lambda: show.print_ratings(rated, what))
            return
        if sql is not None:
            frame = view.sql(sql)
            answer({"rows": show.plain_rows(frame)}, lambda: typer.echo(frame.to_string(index=False)))
            return
        if categories is not None:
            column, first, other = show.read_categories(categories)
            levels = show.read_numbers("--thresholds", thresholds)
            table = analysis.categories(
                view.rows,
                column,
                first,
                other,
                what,
                thresholds=levels,
                split=not levels,
                bounds=view.bounds(what),
                interval=interval,
            )
        else:
            table = view.table(columns, measure, interval=interval)
        if nemeses:
            analysis.require_games("nemeses", next(iter(view.rows), {}))
            worst = analysis.nemeses(table, second=second)
            ready = [{"agent": a, "nemesis": b} | row.estimate.as_dict() for a, b, row in worst]
            answer({"nemeses": ready}, lambda: show.print_nemeses(worst, what))
            return
        if export is not None:
            view.export(export)
        if plot is not None:
            from fogspiel.app.experiment_plots import plot_table

            plot_table(table, plot, view.declared.about, kind, joined=view.joined)
        if report is not None:
            usual = interval_of(view.declared.facts) if categories is None else "auto"
            write_report(view, table, report, usual if interval == "auto" else interval, kind)
        best = best_of(view, table)
        facts |= {} if best is None else best.as_dict()
        written = [file for file in (export, plot, report, picture) if file is not None]
        finish(
            json_file, facts | {"table": table.as_dict()}, lambda: show.print_results(found, [(view, table)], written)
        )
        if (
            not is_output(json_file)
            and categories is None
            and differences.alike(view.rows_by(table.by), table.by, table.measure)
        ):
            typer.echo(
                "all seats of every game count in each row, and together they always get the same: choose rows, such "
                "as --where seat=0"
            )
