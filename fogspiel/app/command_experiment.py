"""The commands of experiments: `run`, `results`."""

from pathlib import Path
from typing import Annotated

import typer

from fogspiel.app import options
from fogspiel.app.command import Json, app, finish, is_output, require_writable


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="A file with experiments (fogspiel.experiment): my_experiment.py.")],
    names: Annotated[list[str] | None, typer.Argument(help="Which of its experiments. Default: all.")] = None,
    scale: Annotated[
        str, typer.Option("--scale", help="small: a minute; medium; paper: as printed. With --budget: the largest.")
    ] = "",
    budget: Annotated[
        float | None, options.span("--budget", help="Take the largest scale that fits into this time, and stop then.")
    ] = None,
    workers: Annotated[int, options.threads("--workers", help="Processes of this machine.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", help="Run on a Dask cluster: the address of its scheduler, or its scheduler file."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", help="The file of results. Default: the experiment's name, .sqlite.")
    ] = None,
    json_file: Json = None,
) -> None:
    """Run the experiments of a file, from where they stopped the last time; every run is stored."""
    from fogspiel.app.experiments import print_outcome
    from fogspiel.app.progress import LINE, Watch
    from fogspiel.experiment.files import chosen
    from fogspiel.experiment.run import run as carry_out

    require_writable(json_file)
    where = store or Path(f"{file.stem}.sqlite")
    outcomes = []
    for name, experiment in chosen(file, names or []).items():
        with Watch(is_output(json_file)) as watch:
            outcome = carry_out(
                experiment, name, where, scale=scale or ("paper" if budget else "small"), workers=workers, cluster=cluster, budget=budget,
                folder=str(file.resolve().parent), progress=watch.step, notice=LINE.say,
            )  # fmt: skip
        outcomes.append(outcome)
        if not is_output(json_file):
            print_outcome(outcome, where)
        if outcome.stopped == "interrupted":
            break
    facts = outcomes[0].as_dict() if len(outcomes) == 1 else {"outcomes": [o.as_dict() for o in outcomes]}
    finish(json_file, facts, lambda: None)
    if outcomes[-1].stopped == "interrupted":
        raise typer.Exit(130)
    if any(o.passed is False for o in outcomes):
        raise typer.Exit(1)


@app.command()
def results(
    store: Annotated[Path, typer.Argument(help="A file of results that fogspiel run wrote.")],
    name: Annotated[str | None, typer.Argument(help="One of its experiments. Default: the last one.")] = None,
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
    interval: Annotated[
        str, typer.Option("--interval", help="auto, clopper-pearson, student or bootstrap; over deals, of 95 %.")
    ] = "auto",
    json_file: Json = None,
) -> None:
    """Tables of stored results, by any column, with intervals."""
    from fogspiel.app.experiments import print_list, print_results
    from fogspiel.experiment.results import Results

    require_writable(json_file)
    with Results(store) as found:
        if not found.declared:
            finish(json_file, {"experiments": []}, lambda: print_list(found))
            return
        view = found.view(name, scale, where=where or [], everyone=everyone)
        table = view.table(by.split(",") if by else None, measure, interval=interval)
        facts = view.as_dict() | {"table": table.as_dict()}
        finish(json_file, facts, lambda: print_results(found, view, table))
