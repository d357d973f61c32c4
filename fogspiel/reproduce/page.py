"""The page of all items: what was printed, what was found at which scale, and what differs. Generated, never typed."""

from collections.abc import Iterator
from typing import Any

from fogspiel.experiment.design import SCALES
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED
from fogspiel.reproduce.documents import DOCUMENTS, document
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.stored import Stored, stored, verdicts

WIDE = 14
"""A table of two or more columns is laid out with the last one across, up to so many values."""

HEAD = """\
# Reproduction of the literature

Every table and figure of five documents, as `fogspiel reproduce` knows them. An item passes when what its document states comes out by the criterion
told here; where intervals are too wide to tell, at the scale at which it was run, it is undecided. `fogspiel reproduce DOCUMENT/ITEM --scale small` runs one in about a minute, `medium` in minutes to hours, `paper` as printed, but for what is told.
Numbers are means, with half the width of the 95 % interval where they vary; **printed numbers are in square brackets**. This page is written by
`fogspiel reproduce --page docs/reproduction.md`, from results that come with the package.
"""


def page() -> str:
    """The page, in Markdown."""
    lines = [
        HEAD,
        "| document | items | passed | failed | undecided | not reproduced |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in DOCUMENTS:
        items = document(name).items
        last = [_verdict(f"{name}/{key}", item) for key, item in items.items()]
        counts = [last.count(word) for word in (PASSED, FAILED, UNDECIDED, "missing")]
        lines.append(f"| [{name}](#{name}) | {len(items)} | {' | '.join(map(str, counts))} |")
    lines += ["", "Of an item that was run at several scales the largest counts.", ""]
    for name in DOCUMENTS:
        lines += _document(name)
    return "\n".join(lines).rstrip() + "\n"


def _verdict(name: str, item: Item | Missing) -> str:
    return "missing" if isinstance(item, Missing) else ([*verdicts(name, item).values()] or [""])[-1]


def _document(name: str) -> Iterator[str]:
    found = document(name)
    yield from (f"## {name}", "", f"{found.title}.", "")
    yield from (f"| item | where | what | {' | '.join(SCALES)} |", "| --- | --- | --- | --- | --- | --- |")
    for key, item in found.items.items():
        if isinstance(item, Missing):
            yield _line(key, item.where, item.about, "not reproduced", "", "")
        else:
            told = verdicts(f"{name}/{key}", item)
            yield _line(key, item.where, item.about, *(told.get(scale, "") for scale in SCALES))
    yield ""
    for key, item in found.items.items():
        yield from (f"### {name}/{key}: {item.about} ({item.where})", "")
        if isinstance(item, Missing):
            yield from (f"Not reproduced: {item.reason}.", "")
        else:
            yield from _item(f"{name}/{key}", item)


def _item(name: str, item: Item) -> Iterator[str]:
    yield from (f"Passes when {item.criterion}.", "")
    if item.apart:
        yield from (f"At the scale `paper`: {item.apart}.", "")
    if item.remarks:
        yield from (item.remarks, "")
    found = stored(name, item)
    if found:
        yield from _found([*found.values()][-1])
    else:
        yield from ("Not run yet.", "")


def _found(largest: Stored) -> Iterator[str]:
    for part, table in largest.tables.items():
        experiment = largest.item.parts[part]
        verdict = f": {told}" if (told := largest.verdicts[part]) else ""
        yield from (
            f"{experiment.about[:1].upper()}{experiment.about[1:]}, {table.measure}, {largest.scale} scale{verdict}.",
            "",
        )
        yield from (*(_line(*cells) for cells in grid(table)), "")


def grid(table: Table) -> list[list[str]]:
    """The cells of a table, the heading and the line below it first."""
    across = table.values(table.by[-1]) if len(table.by) > 1 else []
    if not 1 < len(across) <= WIDE:
        head = [*table.by, table.measure]
        return [head, _rule(len(table.by), 1), *([*map(_text, row.key), _cell(row)] for row in table)]
    rows: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in table:
        rows.setdefault(row.key[:-1], {})[row.key[-1]] = _cell(row)
    corner = [*table.by[:-2], f"{table.by[-2]} / {table.by[-1]}"] if isinstance(across[0], str) else table.by[:-1]
    head = [*corner, *(f"{table.by[-1]} {_text(x)}" if not isinstance(x, str) else x for x in across)]
    body = [[*map(_text, key), *(cells.get(x, "") for x in across)] for key, cells in rows.items()]
    return [head, _rule(len(table.by) - 1, len(across)), *body]


def _cell(row: Row) -> str:
    half = f" ±{_number(row.half)}" if row.half > 0 else ""
    return f"{_number(row.value)}{half}" + ("" if row.printed is None else f" [{_number(row.printed)}]")


def _text(value: Any) -> str:
    return _number(value) if isinstance(value, float) else str(value)


def _number(x: float) -> str:
    return f"{x:.3g}" if abs(x) < 100 else f"{x:,.0f}"


def _rule(names: int, numbers: int) -> list[str]:
    return ["---"] * names + ["---:"] * numbers


def _line(*cells: str) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
