"""A page about an experiment: what was run, the table beside what was printed, the verdict, a picture, and the code
that ran. HTML or Markdown."""

import html
import io
from pathlib import Path

from fogspiel.app.experiment_plots import figure_of
from fogspiel.app.experiments import cells_of
from fogspiel.app.plot import write_figure
from fogspiel.errors import FileError
from fogspiel.experiment.results import View
from fogspiel.experiment.tables import Table
from fogspiel.solvers.files import write_safely

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}"
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}th,td{padding:.2rem "
    ".8rem;text-align:right;border-bottom:1px solid #ddd}"
    "th:first-child,td:first-child{text-align:left}svg,img{max-width:100%;height:auto}"
    "code{font-size:90%;overflow-wrap:anywhere}"
)

Grid = list[list[str]]


INTERVALS = {
    "auto": "over deals, or where all deals were played, over how each was",
    "bootstrap": "by the bootstrap over deals",
    "none": "none, as the results are deterministic, or as was asked for",
}
"""What is told of intervals, by how they were asked for."""


def picture_of(path: Path | None) -> Path | None:
    """The file of a report's picture, which a Markdown page has beside it."""
    return path.with_suffix(".svg") if path is not None and path.suffix.lower() == ".md" else None


def write_report(view: View, table: Table, path: Path, interval: str, kind: str = "auto") -> None:
    """Write the page, and its picture, of this kind, where that is a file of its own (`picture_of`)."""
    if path.suffix.lower() not in (".html", ".md"):
        raise FileError(f"cannot write a report to {path}: use a name that ends in .html or .md")
    figure = figure_of(table, view.declared.about, kind, joined=view.joined)
    if (picture := picture_of(path)) is not None:
        write_figure(figure, picture)
        write_safely(path, _markdown(view, table, picture.name, interval).encode())
        return
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg")
    write_safely(path, _html(view, table, drawn.getvalue().partition("<svg")[2], interval).encode())


def _markdown(view: View, table: Table, picture: str, interval: str) -> str:
    lines = [
        f"# {view.declared.about}",
        "",
        *(f"{line}  " for line in _facts(view, interval)),
        "",
        f"![{view.declared.about}]({picture})",
        "",
    ]
    for title, grid in _grids(view, table):
        head, *body = grid
        lines += [f"## {title}", "", _line(head), _line(["---"] * len(head)), *(_line(row) for row in body), ""]
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _html(view: View, table: Table, picture: str, interval: str) -> str:
    title = html.escape(view.declared.about)
    facts = "<br>\n".join(html.escape(line) for line in _facts(view, interval))
    parts = [
        f"<!doctype html>\n<html lang=en><meta charset=utf-8><title>{title}</title>\n<style>{STYLE}</style>",
        f"<h1>{title}</h1>\n<p>{facts}</p>\n<svg{picture}",
    ]
    for heading, (head, *body) in _grids(view, table):
        cells = "".join(f"<th>{html.escape(c)}</th>" for c in head)
        rows = "\n".join("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in body)
        parts.append(f"<h2>{html.escape(heading)}</h2>\n<table><tr>{cells}</tr>\n{rows}\n</table>")
    return "\n".join(parts) + "\n"


def _facts(view: View, interval: str) -> list[str]:
    d, counts = view.declared, view.counts
    lines = [
        f"Experiment {d.name}, {d.scale} scale, seed {d.facts['seed']}: {counts['done']:,} of {counts['asked']:,} runs."
    ]
    if d.facts["source"]:
        lines.append(f"Source: {d.facts['source']}.")
    if d.facts["criterion"]:
        lines.append(f"Verdict: {d.verdict or 'not judged'}. It passes when {d.facts['criterion']}.")
    if counts["faults"] or counts["failed"]:
        lines.append(f"{counts['faults']:,} games with a fault of an agent, {counts['failed']:,} runs failed.")
    return [*lines, f"Intervals: {INTERVALS[interval]}."]


def _grids(view: View, table: Table) -> list[tuple[str, Grid]]:
    head, found = cells_of(table, view.lines(table))
    code = {name: version for one in view.settings for name, version in one.versions.items()}
    wrong = [[error, f"{often:,}"] for error, often in view.errors]
    return [
        ("Results", [head, *found]),
        *([("What went wrong", [["what", "runs"], *wrong])] if wrong else []),
        ("What ran", [["what", "version"], *([name, version] for name, version in sorted(code.items()))]),
    ]
