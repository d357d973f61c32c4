"""A strategy shown to a person: `fogspiel show`.

Information sets that differ only in what chance did, and have the same moves, are one grid: a line for each outcome of
chance that the owner saw, a column for each move. That is how poker players write strategies down. Other sets are shown
one by one.
"""

import shlex
from pathlib import Path
from typing import Any, Literal

from rich.markup import escape
from rich.table import Table

from fogspiel.app.show import console
from fogspiel.belief.account import Event
from fogspiel.errors import SpecError
from fogspiel.evaluate.strategy_table import Progress, Row, StrategyTable, strategy_table
from fogspiel.game.load import load
from fogspiel.game.rules import CHANCE
from fogspiel.interop.osposg import is_osposg
from fogspiel.solvers.files import read

RARE = 0.005
"""Moves with a smaller probability are not told by name where there is no room for a column a move."""

NUMBER = 9
"""Columns that a number takes, with the space before it."""

PRINTED = 60
"""Information sets that are printed unless more are asked for."""

BEYOND = 16
"""Information sets that are looked at beyond those, to see whether grids go on."""


def words(path: Path, game: str | None, progress: Progress | None = None, **how: Any) -> StrategyTable:
    """The strategy in a file in words. Without a game it is the one named in the file."""
    strategy = read(path)
    if game is None:
        try:
            load(strategy.game)
        except SpecError:
            name = strategy.game.partition("(")
            file = shlex.quote(f"{name[0]}.py{name[1]}{name[2]}")
            raise SpecError(
                f"{path} was made for {strategy.game}, which is no built-in game: name the game's file, as in "
                f"fogspiel show {shlex.quote(str(path))} {file}"
            ) from None
    return strategy_table(game, strategy, progress=progress, **how)


def hint(path: Path, game: str) -> str:
    """How to read a strategy that was just saved. A game of one's own is in a file, which must be named."""
    named = [game] if ".py" in game else []
    return f"{'read it with':<15} fogspiel show {' '.join(shlex.quote(str(part)) for part in (path, *named))}"


def hint_of_controllers(path: Path, game: str) -> str:
    """How to use controllers of a one-sided POSG that were just saved: files of these have no rules to play a match
    by."""
    if is_osposg(game):
        return f"{'read them with':<15} fs.read_controllers(fs.read_osposg({game!r}), {str(path)!r})"
    return f"{'play them with':<15} fogspiel match {shlex.quote(game)} {shlex.quote(str(path))} random"


def print_words(table: StrategyTable, one_by_one: bool = False, most: int | None = None) -> None:
    """Print the rows, as grids unless `one_by_one`, at most `most` of them. A grid of which lines are left out says so,
    as far as rows beyond `most` are there to tell."""
    rows = table.rows[:most]
    head = f"[bold]{escape(table.game)}[/bold]: {table.total:,} information set{'s' * (table.total != 1)}"
    console.print(head if table.exact else f"{head} met")
    if table.value is not None:
        console.print("value " + ", ".join(f"{v:+z.6f} to player {p}" for p, v in enumerate(table.value)))
    if not table.exact:
        console.print(escape(table.note))
    console.print(f"[dim]{_legend(table)}[/dim]", highlight=False)
    shown = {(row.player, row.key) for row in rows}
    for block in [[row] for row in table.rows] if one_by_one else _blocks(table.rows):
        lines = [row for row in block if (row.player, row.key) in shown]
        if lines:
            console.print()
            _print_block(lines)
        if 0 < len(lines) < len(block):
            console.print("  ... and more lines, which are left out (--most)", markup=False)
    console.print()
    if not rows:
        console.print(
            f"none of the {table.total:,} information sets is what was asked for (where there is a single move: "
            "--forced)"
        )
    elif table.fitting is None or len(rows) < table.fitting:
        count = f"of {table.fitting:,} information sets; all: --most {table.fitting}"
        if table.fitting is None:
            count = f"information sets, and there may be more; more: --most {2 * len(rows)}"
        console.print(f'{len(rows):,} {count}; some: --player 0, --after "bet, call", --reach 0.01')
    if any(not row.known for row in rows):
        console.print("* the strategy says nothing there, and so plays every move as likely")


def _legend(table: StrategyTable) -> str:
    reach = "reach: how likely play comes there"
    if not table.exact:
        return f"{reach}, at least; -: never"
    return f"{reach}; value: what the owner then expects; -: never played or never reached, and so without a value"


def _blocks(rows: tuple[Row, ...]) -> list[list[Row]]:
    """Rows that make a grid together, and rows that stand alone, each in its place."""
    blocks: dict[Any, list[Row]] = {}
    for row in rows:
        masked = tuple(e if e.mover != CHANCE else e.name is not None for e in row.way.events)
        blocks.setdefault((row.player, masked, row.names) if len(row.ways) == 1 else row.key, []).append(row)
    found = []
    for block in blocks.values():
        told = {row.way.events for row in block}
        # where the way does not tell rows apart, a grid would not either
        found += [block] if len(told) == len(block) else [[row] for row in block]
    return found


def _print_block(block: list[Row]) -> None:
    block = sorted(block, key=lambda row: [e.move or 0 for e in row.way.events if e.mover == CHANCE])
    first = block[0]
    seen = [
        i
        for i, event in enumerate(first.way.events)
        if event.mover == CHANCE and any(r.way.events[i] != event for r in block)
    ]
    way = [e for i, e in enumerate(first.way.events) if i not in seen and not _unseen_chance(e)]
    after = f" after {', '.join(map(str, way))}" if way else " at the start"
    others = len(first.ways) - 1
    if not first.all_ways:
        after += " (or another way: it may not know which)"
    elif others:
        after += f" (or {'another way' if others == 1 else f'one of {others} other ways'}: it does not know which)"
    console.print(f"[bold]player {first.player}[/bold]{escape(after)}")
    if len(block) == 1 and first.sees:
        for line in first.sees.splitlines():
            console.print(f"  {line}", markup=False)
    room = console.width - sum(_widths(*_labels(block, seen))) - 2 * NUMBER
    fits = sum(max(len(name) + 2, NUMBER) for name in first.names) <= room
    console.print(_grid(block, seen) if fits else _narrow(block, seen, max(room - 2, 20)))


def _grid(block: list[Row], seen: list[int]) -> Table:
    """A line for each information set, a column for each move."""
    table = _table(block, seen, [(name, "right") for name in block[0].names])
    for row, label in zip(block, _labels(block, seen)[1], strict=True):
        table.add_row("", *label, *(_share(p) for p in row.prob), *_numbers(row, block))
    return table


def _narrow(block: list[Row], seen: list[int], room: int) -> Table:
    """The same with all moves in one column of that width, the likeliest first; what is hardly ever played is summed
    up."""
    table = _table(block, seen, [("moves", "left")])
    labels = _labels(block, seen)[1]
    for row, label in zip(block, labels, strict=True):
        order = sorted(range(len(row.prob)), key=lambda i: -row.prob[i])
        often = [i for i in order if row.prob[i] >= RARE or i == order[0]]
        rest = sum(row.prob) - sum(row.prob[i] for i in often)
        said = [f"{row.names[i]} {_share(row.prob[i])}" for i in often]
        said += [f"others {_share(rest)}"] * any(row.prob[i] > 0 for i in order[len(often) :])
        table.add_row("", *label, escape(_wrapped(said, room)), *_numbers(row, block))
    return table


def _wrapped(items: list[str], width: int) -> str:
    """Items with commas, on lines of at most that width, none broken unless it is longer than a line."""
    lines = [""]
    for n, item in enumerate(items):
        item += "," * (n + 1 < len(items))
        if lines[-1] and len(lines[-1]) + 1 + len(item) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {item}".strip()
    return "\n".join(lines)


def _table(block: list[Row], seen: list[int], moves: list[tuple[str, Literal["left", "right"]]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in _labels(block, seen)[0]:
        table.add_column(heading, style="bold")
    for name, side in moves:
        table.add_column(escape(name), justify=side, no_wrap=True)
    for heading in ("reach", "value")[: 1 + _valued(block)]:
        table.add_column(heading, justify="right", style="dim", no_wrap=True)
    return table


def _labels(block: list[Row], seen: list[int]) -> tuple[list[str], list[list[str]]]:
    """What chance did, a column for each event: what all outcomes have in common is in the heading, the rest in the
    line."""
    headings, columns = [], []
    for i in seen:
        words = [str(row.way.events[i].name).split() for row in block]
        shortest = min(map(len, words))
        front = next((n for n in range(shortest) if len({w[n] for w in words}) > 1), shortest)
        back = next((n for n in range(shortest - front) if len({w[-1 - n] for w in words}) > 1), shortest - front)
        common = words[0]
        around = [*common[:front], "...", *common[len(common) - back :]]
        headings.append(escape(" ".join(around)) if front + back else "chance")
        columns.append([escape(" ".join(w[front : len(w) - back]) or "-") for w in words])
    return headings, [list(line) for line in zip(*columns, strict=True)] if columns else [[] for _ in block]


def _widths(headings: list[str], labels: list[list[str]]) -> list[int]:
    """Columns that the labels take, spaces between them included. A heading may be broken between words."""
    columns = [[heading.split(), [label[i] for label in labels]] for i, heading in enumerate(headings)]
    return [2, *(max(map(len, [*words, *cells])) + 2 for words, cells in columns)]


def _valued(block: list[Row]) -> bool:
    return any(row.value is not None for row in block)


def _numbers(row: Row, block: list[Row]) -> list[str]:
    """Reach, value if any of the block has one, and a star where the strategy says nothing."""
    numbers = [_share(row.reach)]
    if _valued(block):
        numbers.append("-" if row.value is None else f"{row.value:+z.3f}")
    numbers[-1] += "*" * (not row.known)
    return numbers


def _share(p: float) -> str:
    """A probability as a percentage of three digits or so; nothing that happens is shown as 0%, nothing that may not as
    100%."""
    if p == 0:
        return "-"
    if p < 0.0005:
        return "<0.1%"
    if 0.9995 <= p < 1 - 1e-9:
        return ">99.9%"
    return f"{100 * p:.1f}%" if p < 0.9995 else "100%"


def _unseen_chance(event: Event) -> bool:
    return event.mover == CHANCE and event.name is None


def write_csv(table: StrategyTable, path: Path) -> None:
    from fogspiel.solvers.files import write_safely

    write_safely(path, table.to_csv().encode())
