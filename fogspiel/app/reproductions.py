"""What the command line shows of printed tables and figures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.markup import escape

from fogspiel.app.experiments import print_table, print_verdict
from fogspiel.app.show import console
from fogspiel.errors import SpecError
from fogspiel.experiment.run import Outcome
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED
from fogspiel.game.spec import suggestion
from fogspiel.reproduce.deciding import MISSING, NEEDS, decided, status
from fogspiel.reproduce.differing import remarks_at, told_outside
from fogspiel.reproduce.documents import document
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.reproducing import Reproduced
from fogspiel.reproduce.stored import stored, taken, told_of, verdicts

VERDICTS = (PASSED, FAILED, UNDECIDED, *NEEDS, MISSING)

AnyItem = TypeVar("AnyItem", Item, Item | Missing)


def with_verdict(items: Mapping[str, AnyItem], verdict: str | None) -> dict[str, AnyItem]:
    """Of some items those that have a verdict at the largest scale at which they were run; all, if none is asked
    for."""
    if verdict is not None and verdict not in VERDICTS:
        raise SpecError(f"there is no verdict {verdict!r}{suggestion(verdict, VERDICTS)}")
    if verdict is None:
        return dict(items)
    return {name: item for name, item in items.items() if status(name, item)[0] == verdict}


def listed(items: Mapping[str, Item | Missing]) -> dict[str, Any]:
    """Items, with the verdicts that come with the package, and the seconds that all runs took, as far as they are
    known."""
    found = []
    for name, item in items.items():
        of, _, key = name.partition("/")
        facts: dict[str, Any] = {"document": of, "item": key, "where": item.where, "what": item.about}
        if isinstance(item, Item):
            facts |= {
                "scales": item.scales,
                "criterion": item.criterion,
                "apart": item.apart,
                "verdict": verdicts(name, item),
                "status": status(name, item)[0],
                "to_decide": vars(then) if (then := decided(name, item)) else None,
                "seconds": {scale: one.seconds for scale, one in stored(name, item).items()},
            }
            facts |= {"remarks": item.remarks, "cause": vars(item.cause) if item.cause else None, "missing": None}
        else:
            facts |= {"scales": [], "criterion": "", "apart": "", "verdict": {}, "status": MISSING}
            facts |= {"to_decide": None, "seconds": {}, "remarks": "", "cause": None, "missing": item.reason}
        found.append(facts)
    return {"items": found, "taken": {scale: vars(one) for scale, one in taken(items).items()}}


def print_items(items: Mapping[str, Item | Missing]) -> None:
    """Items by document, with what was found and what would have to be, and how many have which verdict."""
    for of in dict.fromkeys(name.partition("/")[0] for name in items):
        own = {name: item for name, item in items.items() if name.startswith(f"{of}/")}
        console.print(f"[bold]{of}[/bold]  {escape(document(of).title)}")
        console.print(f"{_counted(own)}\n", markup=False)
        for name, item in own.items():
            key = name.partition("/")[2]
            console.print(f"  [bold]{key:<8}[/bold] {escape(item.about)} ({escape(item.where)})")
            if isinstance(item, Missing):
                console.print(f"           {MISSING}: {item.reason}", markup=False)
                continue
            told = [f"{verdict} at {scale} scale" for scale, verdict in verdicts(name, item).items()]
            console.print(f"           {', '.join(told) or 'not run yet'}; wanted: {item.criterion}", markup=False)
            last, scale = status(name, item)
            if last in (FAILED, UNDECIDED) and item.cause:
                console.print(f"           {'why' if last == FAILED else 'suspected'}: {item.cause}", markup=False)
            if last == UNDECIDED:
                then = decided(name, item)
                more = (
                    f"with {then.times} times the runs it would be {then.verdict}"
                    if then
                    else "no number of runs at this scale would decide"
                )
                console.print(f"           {more}, if all means stayed as they are", markup=False)
            elif last in NEEDS:
                console.print(f"           {last}: {scale} has not all that is wanted", markup=False)
        console.print()
    console.print(f"all together: {_counted(items)}", markup=False)
    if code := told_of(taken(items)):
        console.print(code, markup=False)
    console.print("fogspiel reproduce DOCUMENT/ITEM runs one, beside what was printed", markup=False)


def _counted(items: Mapping[str, Item | Missing]) -> str:
    last = [status(name, item)[0] for name, item in items.items()]
    told = [f"{last.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in last]
    return f"{len(items)} item{'s' * (len(items) != 1)}" + (f": {', '.join(told)}" if told else "")


def _print_outcome(outcome: Outcome) -> None:
    """One experiment of an item."""
    console.print(f"[bold]{escape(outcome.name)}[/bold]  {escape(outcome.about)}, {outcome.scale} scale\n")
    print_table(outcome.table)
    for text, often in outcome.errors:
        console.print(f"  {often:,} times: {text}", markup=False)
    if outcome.verdict or outcome.mistake:
        console.print()
    print_verdict(outcome.verdict, outcome.criterion, outcome.mistake)
    console.print()


def print_reproduced(found: Reproduced, store: Path, kept: Path | None) -> None:
    """The tables of an item, the verdict, in what it is not as printed, and how to go on."""
    for outcome in found.outcomes.values():
        _print_outcome(outcome)
    if found.verdict and found.item.across is not None:
        tables = {part: outcome.table for part, outcome in found.outcomes.items()}
        print_verdict(found.item.judged_together(tables), found.item.across.criterion)
    told = found.verdict or f"{_extent(found)} are there; the same command goes on"
    console.print(f"[bold]{escape(found.name)}[/bold] ({escape(found.item.where)}): {told}")
    if found.scale == "paper" and found.item.apart:
        console.print(f"not as printed: {found.item.apart}", markup=False)
    if found.verdict:
        for part, outcome in found.outcomes.items():
            if told := told_outside(outcome.table):
                console.print(f"{part}: {told[0].lower()}{told[1:]}" if part else told, markup=False)
    if found.item.remarks and found.verdict:
        console.print(remarks_at(found.item.remarks, found.scale), markup=False)
    if found.item.kept_with:
        items = dict.fromkeys(item for item, _ in found.item.kept_with.values())
        console.print(f"tables are kept with {', '.join(items)}, and not with this", markup=False)
    console.print(f"stored in {store}" + (f", kept in {kept}" if kept else "") + "\n", markup=False)


def print_not_kept(found: Reproduced) -> None:
    """Why an item without a verdict is not kept."""
    mistaken = any(outcome.mistake for outcome in found.outcomes.values())
    why = "could not be judged" if mistaken else f"is not complete ({_extent(found)})"
    console.print(f"{found.name} {why}: not kept", markup=False)


def _extent(found: Reproduced) -> str:
    counts = [outcome.counts for outcome in found.outcomes.values()]
    done, asked = (sum(count[key] for count in counts) for key in ("done", "asked"))
    return f"{done:,} of {asked:,} runs{' of what was begun' if found.not_begun else ''}"


def print_written(page: Path) -> None:
    console.print(f"written to {page}", markup=False, soft_wrap=True)


def print_not_begun(found: Sequence[Reproduced]) -> None:
    """A line of what there was no time for: items, and experiments of items that were begun."""
    if all(one.stopped != "budget" for one in found):
        return
    names = [
        f"{one.name}/{part}" if one.outcomes else one.name
        for one in found
        for part in (one.not_begun if one.outcomes else one.not_begun[:1])
    ]
    if names:
        console.print(f"the time is up; not begun: {', '.join(names)}; the same command goes on", markup=False)
