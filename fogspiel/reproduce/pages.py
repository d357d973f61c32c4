"""The pages of all items: a summary, and for each document what was printed, what was found at which scale, and what
differs. Generated, never typed."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fogspiel.experiment.design import SCALES
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED
from fogspiel.reproduce.cells import cell, text
from fogspiel.reproduce.deciding import MISSING, NEEDS, decided, status
from fogspiel.reproduce.differing import told_outside
from fogspiel.reproduce.documents import DOCUMENTS, document, every_item
from fogspiel.reproduce.item import CAUSES, Item, Missing
from fogspiel.reproduce.stored import Stored, stored, taken, told_of, verdicts

WIDE = 14
"""A table of two or more columns is laid out with the last one across, up to so many values."""
BEFORE = ", before a change of: "
UNKNOWN = "; by which state of its code is not known"
FAILURES = (
    "Failed tells that what was run at that scale does not meet the criterion. Where that comes from is told by a "
    f"word: {'; '.join(f'{kind}, {what}' for kind, what in CAUSES.items())}. These did:"
)
OPEN = (
    "Undecided tells that intervals are too wide at that scale. If all means stayed as they are, so many times the "
    "runs as are told here would decide, and "
    "it would then pass or fail; where nothing is told means are level, or at the very margin. Where one of the "
    "words below is told, it is what is suspected of a difference from print. These are:"
)
NOT_ENOUGH = (
    "A larger scale is needed where no number of runs at that one would decide, since it has not all that "
    "the criterion asks for. So it is of:"
)

HEAD = """\
# Reproduction of the literature

Every table and figure of five documents, as `fogspiel reproduce` knows them. An item passes when what its document
states comes out by the criterion told with it; where intervals are too wide to tell, at the scale at which it was
run, it is undecided.
`fogspiel reproduce DOCUMENT/ITEM --scale small` runs one in about a minute, `medium` in minutes, `paper` as printed,
but for what is told.
Below are the verdicts. What was found, beside what was printed, is on a page of each document; [how to read
these](#how-to-read-what-was-found) is told at the end.
"""
READING = """\
## How to read what was found

Numbers are means, with half the width of the 95 % interval where they vary, or with its ends where it is not even
about the mean, or none where a single run, or runs that are all alike, do not tell it; **printed numbers are in
square brackets**, with half the width of their intervals where print has it: below such a table are the rows that
both intervals keep apart from print. These pages are written by `fogspiel reproduce --page docs/reproduction.md`,
from results that come with the package.

With each item is told what found it, at the largest scale at which it was run. Results keep a hash of each kind of
code that ran, and where one was another when these pages were written, it is told as found "before a change of"
these: the same command may find something else today. The kinds are

- game: the rules of the games that were played or solved;
- agent: in matches, all that agents are made of (engine, game, belief, search and agents), whichever of it an agent
  calls;
- player: the same of the agent or the solver whose convergence was measured; a solver is made of engine, game, tree
  and solvers;
- function: what an item measures with, where it is neither a match nor a curve of convergence;
- library: all that such a function may call, which is all that plays, searches, solves and evaluates, games included.

A hash changes with every line of code of its kind, whether or not an item depends on it: only another run tells
whether anything came of the change.
"""
SINCE = "Since the others were found, code was changed of: "


def pages(name: str, *folders: Path, today: bool = True) -> dict[str, str]:
    """The pages, in Markdown, by their files: `name`.md, which sums up, and `name`/DOCUMENT.md beside it. They tell
    what is kept in these folders, the first of them first; by default what comes with the package. With `today` they
    tell what was found by other code than that of today."""
    largest = {key: [*found.values()][-1] for key, item in every_item().items() if (found := _kept(key, item, folders))}
    changed = {key: (one.changed or []) if today else [] for key, one in largest.items()}
    there = {f"{name}.md": _summary(name, folders, largest, changed)}
    there |= {f"{name}/{of}.md": _document(name, of, folders, changed) for of in DOCUMENTS}
    return {file: "\n".join(lines).rstrip() + "\n" for file, lines in there.items()}


def _summary(
    name: str, folders: tuple[Path, ...], largest: Mapping[str, Stored], changed: Mapping[str, list[str]]
) -> Iterator[str]:
    """How many items have which verdict, those that are not decided or failed, and all of them by document."""
    known = {key: status(key, item, *folders) for key, item in every_item().items()}
    yield HEAD
    yield _line("document", "items", "passed", "failed", "undecided", "needs a larger scale", "not reproduced")
    yield _line(*_rule(1, 6))
    for of in DOCUMENTS:
        found = [known[f"{of}/{key}"][0] for key in document(of).items]
        counts = [
            sum(one in words for one in found) for words in ((PASSED,), (FAILED,), (UNDECIDED,), NEEDS, (MISSING,))
        ]
        yield _line(f"[{of}](#{of})", len(found), *counts)
    yield from ("", "Of an item that was run at several scales the largest counts.", "")
    if times := told_of(taken(every_item(), *folders)):
        yield from (times, "")
    for words, title, told, more in (
        ((UNDECIDED,), "Undecided", OPEN, ("times the runs", "then", "cause")),
        (NEEDS, "A larger scale is needed", NOT_ENOUGH, ("needs",)),
        ((FAILED,), "Failed", FAILURES, ("cause",)),
    ):
        if chosen := [key for key, (verdict, _) in known.items() if verdict in words]:
            heads = ("item", "what", "scale", *more)
            rule = ("---:" if head == "times the runs" else "---" for head in heads)
            yield from (f"## {title}", "", told, "", _line(*heads), _line(*rule))
            yield from (_undone(name, key, *known[key], *folders) for key in chosen)
            yield ""
    for of in DOCUMENTS:
        yield from _verdicts(name, of, folders)
    yield READING
    yield from _told_of_code(largest, changed)
    yield from ("```{toctree}", ":hidden:", "", *(f"{name}/{of}" for of in DOCUMENTS), "```")


def _kept(name: str, item: Item | Missing, folders: tuple[Path, ...]) -> dict[str, Stored]:
    return stored(name, item, *folders) if isinstance(item, Item) else {}


def _told_of_code(largest: Mapping[str, Stored], changed: Mapping[str, list[str]]) -> list[str]:
    """How many items were found by the code of today, by code that is not known, and by code that has changed."""
    unknown = sum(not all(one.code.values()) for one in largest.values())
    today = sum(all(one.code.values()) and not changed[name] for name, one in largest.items())
    lines = [
        (
            f'Of {len(largest)} items {unknown} were found before such hashes were kept: "by which state of its code '
            'is not known". Of these nothing is known but the version of Fogspiel.'
        ),
        "",
    ]
    kinds = Counter(kind for found in changed.values() for kind in found)
    if kinds:
        told = ", ".join(f"{kind} ({count} items)" for kind, count in kinds.most_common())
        lines += [f"{SINCE}{told}; {today} were found by the code of when this page was written.", ""]
    return lines


def _undone(name: str, key: str, verdict: str, scale: str, *folders: Path) -> str:
    """The row of an item that failed, with the cause, or that is not decided, with what would decide it and a suspected
    cause; with a link to what was found."""
    item = every_item()[key]
    assert isinstance(item, Item)
    cells = [f"{key.partition('/')[0]} {_link(name, key, item)}", item.about, scale]
    if verdict == UNDECIDED:
        then = decided(key, item, *folders)
        cells += [str(then.times), then.verdict] if then else ["", ""]
    return _line(*cells, item.needs if verdict in NEEDS else item.cause.kind if item.cause else "")


def _link(name: str, key: str, item: Item | Missing) -> str:
    """A link from the summary to what a document's page has of an item."""
    of, _, own = key.partition("/")
    return f"[{own}]({name}/{of}.md#{_anchor(_title(key, item))})"


def _title(name: str, item: Item | Missing) -> str:
    return f"{name}: {item.about} ({item.where})"


def _anchor(title: str) -> str:
    """What a heading is linked by."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _verdicts(name: str, of: str, folders: tuple[Path, ...]) -> Iterator[str]:
    """All items of a document, with their verdicts."""
    found = document(of)
    yield from (f"## {of}", "", f"{found.title}. [What was found]({name}/{of}.md).", "")
    yield from (_line("item", "where", "what", *SCALES), _line(*["---"] * (3 + len(SCALES))))
    for own, item in found.items.items():
        told = verdicts(f"{of}/{own}", item, *folders) if isinstance(item, Item) else {SCALES[0]: MISSING}
        link = _link(name, f"{of}/{own}", item)
        yield _line(link, item.where, item.about, *(told.get(scale, "") for scale in SCALES))
    yield ""


def _document(name: str, of: str, folders: tuple[Path, ...], changed: Mapping[str, list[str]]) -> Iterator[str]:
    """All items of a document, with what was found."""
    found, up = document(of), f"../{name}.md"
    yield from (f"# {of}", "", f"{found.title}.", "")
    yield from (f"The [verdicts]({up}#{of}), and [how to read what was found]({up}#how-to-read-what-was-found).", "")
    for own, item in found.items.items():
        key = f"{of}/{own}"
        yield from (f"## {_title(key, item)}", "")
        if isinstance(item, Missing):
            yield from (f"Not reproduced: {item.reason}.", "")
        else:
            yield from _item(key, item, folders, changed.get(key, []))


def _item(name: str, item: Item, folders: tuple[Path, ...], changed: list[str]) -> Iterator[str]:
    yield from (f"Passes when {item.criterion}.", "")
    if item.apart:
        yield from (f"At the scale `paper`: {item.apart}.", "")
    if item.remarks:
        yield from (item.remarks, "")
    if item.cause:
        failed = status(name, item, *folders)[0] == FAILED
        yield from (f"{'Why it failed' if failed else 'What is suspected'}: {item.cause}", "")
    found = stored(name, item, *folders)
    if found:
        largest = [*found.values()][-1]
        yield from (_code(largest, changed), "")
        yield from _found(largest)
        if together := item.judged_together(largest.tables, sum(largest.faults.values())):
            yield from (f"All together: {together}.", "")
    else:
        yield from ("Not run yet.", "")


def _code(largest: Stored, changed: list[str]) -> str:
    """What found it, and which kinds of code have changed since."""
    told = f"Found by Fogspiel {', '.join(largest.versions)}"
    if not all(largest.code.values()):
        return f"{told}{UNKNOWN}."
    return f"{told}{BEFORE * bool(changed)}{', '.join(changed)}."


def _found(largest: Stored) -> Iterator[str]:
    for part, table in largest.tables.items():
        experiment = largest.item.parts[part]
        verdict = f": {told}" if (told := largest.verdicts[part]) else ""
        owner, there = largest.item.kept_with.get(part, ("", ""))
        place = f"; the table is with {owner}{f' ({there})' if there else ''}" if owner else ""
        yield from (
            (
                f"{experiment.about[:1].upper()}{experiment.about[1:]}, {table.measure}, {largest.scale} "
                f"scale{verdict}{place}."
            ),
            "",
        )
        if not owner:
            yield from (*(_line(*cells) for cells in grid(table)), "")
            if told := told_outside(table):
                yield from (told, "")


def grid(table: Table) -> list[list[str]]:
    """The cells of a table, the heading and the line below it first."""
    across = table.values(table.by[-1]) if len(table.by) > 1 else []
    if not 1 < len(across) <= WIDE:
        head = [*table.by, table.measure]
        return [head, _rule(len(table.by), 1), *([*map(text, row.key), cell(row)] for row in table)]
    rows: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in table:
        rows.setdefault(row.key[:-1], {})[row.key[-1]] = cell(row)
    corner = [*table.by[:-2], f"{table.by[-2]} / {table.by[-1]}"] if isinstance(across[0], str) else table.by[:-1]
    head = [*corner, *(f"{table.by[-1]} {text(x)}" if not isinstance(x, str) else x for x in across)]
    body = [[*map(text, key), *(cells.get(x, "") for x in across)] for key, cells in rows.items()]
    return [head, _rule(len(table.by) - 1, len(across)), *body]


def _rule(names: int, numbers: int) -> list[str]:
    return ["---"] * names + ["---:"] * numbers


def _line(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
