"""What the command line shows of printed tables and figures."""

from pathlib import Path
from typing import Any

from rich.markup import escape

from fogspiel.app.experiments import print_table
from fogspiel.app.show import console
from fogspiel.experiment.run import Outcome
from fogspiel.reproduce.documents import DOCUMENTS, document, every_item
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.reproducing import Reproduced
from fogspiel.reproduce.stored import verdicts


def all_items() -> dict[str, Any]:
    """Every item of every document, with the verdicts that come with the package."""
    found = []
    for name, item in every_item().items():
        of, _, key = name.partition("/")
        facts: dict[str, Any] = {"document": of, "item": key, "where": item.where, "what": item.about}
        if isinstance(item, Item):
            facts |= {
                "scales": item.scales,
                "criterion": item.criterion,
                "apart": item.apart,
                "verdict": verdicts(name, item),
            }
            facts |= {"remarks": item.remarks, "missing": None}
        else:
            facts |= {"scales": [], "criterion": "", "apart": "", "verdict": {}, "remarks": "", "missing": item.reason}
        found.append(facts)
    return {"items": found}


def print_items() -> None:
    for name in DOCUMENTS:
        console.print(f"[bold]{name}[/bold]  {escape(document(name).title)}")
        for key, item in document(name).items.items():
            console.print(f"  [bold]{key:<8}[/bold] {escape(item.about)} ({escape(item.where)})")
            if isinstance(item, Missing):
                console.print(f"           not reproduced: {item.reason}", markup=False)
                continue
            told = [f"{verdict} at {scale} scale" for scale, verdict in verdicts(f"{name}/{key}", item).items()]
            console.print(f"           {', '.join(told) or 'not run yet'}: {item.criterion}", markup=False)
        console.print()
    console.print("fogspiel reproduce DOCUMENT/ITEM runs one, beside what was printed", markup=False)


def _print_outcome(outcome: Outcome) -> None:
    """One experiment of an item."""
    console.print(f"[bold]{escape(outcome.name)}[/bold]  {escape(outcome.about)}, {outcome.scale} scale\n")
    print_table(outcome.table)
    for text, often in outcome.errors:
        console.print(f"  {often:,} times: {text}", markup=False)
    if outcome.verdict:
        console.print(f"\n{outcome.verdict}: {outcome.criterion}", markup=False)
    console.print()


def print_reproduced(found: Reproduced, store: Path, kept: Path | None) -> None:
    """The tables of an item, the verdict, in what it is not as printed, and how to go on."""
    for outcome in found.outcomes.values():
        _print_outcome(outcome)
    counts = [outcome.counts for outcome in found.outcomes.values()]
    done, asked = (sum(count[key] for count in counts) for key in ("done", "asked"))
    told = found.verdict or f"{done:,} of {asked:,} runs are there; the same command goes on"
    console.print(f"[bold]{escape(found.name)}[/bold] ({escape(found.item.where)}): {told}")
    if found.scale == "paper" and found.item.apart:
        console.print(f"not as printed: {found.item.apart}", markup=False)
    if found.item.remarks:
        console.print(found.item.remarks, markup=False)
    console.print(f"stored in {store}" + (f", kept in {kept}" if kept else "") + "\n", markup=False)
