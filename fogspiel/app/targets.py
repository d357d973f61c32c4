"""Published results as commands: `fogspiel reproduce W-3` runs an experiment and tells whether the printed statement comes out.

A document has targets, in the files beside this one, and a list of what is not reproduced. The small scale takes minutes on a laptop,
with smaller games or budgets than were printed; the full one is the printed experiment, but for what its target tells, and may take
hours or days.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.app import targets_exact
from fogspiel.app.show import console
from fogspiel.app.verdict import Document, Scale, Verdict
from fogspiel.errors import SpecError
from fogspiel.game.spec import suggestion

SCALES = {"small": Scale("small", 3_000_000, 5, 5), "full": Scale("full", 30_000_000, 5, 6, 50_000)}


DOCUMENTS = {
    "whitehouse-2014": Document(
        "D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of York, 2014)",
        targets_exact.TARGETS,
        (
            "ch. 4 to 8, all other tables and matches: they are not run here",
        ),
    ),
}  # fmt: skip
TARGETS = {name: target for document in DOCUMENTS.values() for name, target in document.targets.items()}


def all_targets() -> dict[str, Any]:
    return {
        "documents": [
            {"document": name, "title": d.title, "missing": list(d.missing),
             "targets": [{"target": n, "about": t.about, "passes when": t.criterion, "full scale": t.apart or "as printed"}
                         for n, t in d.targets.items()]}
            for name, d in DOCUMENTS.items()
        ]
    }  # fmt: skip


def chosen(names: Sequence[str]) -> list[str]:
    """The targets that are named, a document's name standing for all of its targets."""
    found: list[str] = []
    for name in names:
        if name in DOCUMENTS:
            found += DOCUMENTS[name].targets
        elif name in TARGETS:
            found.append(name)
        else:
            raise SpecError(f"there is no target or document {name!r}{suggestion(name, [*TARGETS, *DOCUMENTS])}")
    return list(dict.fromkeys(found))


def reproduce(name: str, scale: str = "small") -> Verdict:
    """Run one target."""
    if scale not in SCALES:
        raise SpecError(f"--scale must be {' or '.join(SCALES)}, not {scale!r}")
    found = TARGETS[name].run(SCALES[scale])
    return replace(found, target=name, scale=scale)


def print_targets(facts: dict[str, Any]) -> None:
    for document in facts["documents"]:
        console.print(f"[bold]{document['document']}[/bold]  {escape(document['title'])}")
        for row in document["targets"]:
            console.print(f"  [bold]{row['target']:<5}[/bold] {escape(row['about'])}")
            console.print(f"        passes when {row['passes when']}", markup=False)
            if row["full scale"] != "as printed":
                console.print(f"        full scale: {row['full scale']}", markup=False)
        for what in document["missing"]:
            console.print(f"  not reproduced: {what}", markup=False)
        console.print()


def print_verdict(verdict: Verdict) -> None:
    target = TARGETS[verdict.target]
    table = Table(box=None, pad_edge=False)
    headings = list(dict.fromkeys(key for row in verdict.rows for key in row))
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("game", "algorithm") else "right")
    for row in verdict.rows:
        values = (row.get(heading, "") for heading in headings)
        table.add_row(*(f"{v:.4f}" if isinstance(v, float) else f"{v:,}" if isinstance(v, int) else v for v in values))
    console.print(f"[bold]{verdict.target}[/bold]  {escape(target.about)}, {verdict.scale} scale\n")
    console.print(table)
    if verdict.scale == "full" and target.apart:
        console.print(f"\nnot as printed: {target.apart}", markup=False)
    console.print(f"\n{'passed' if verdict.passed else 'failed'}: {target.criterion}\n", markup=False)
