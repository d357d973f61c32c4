"""The format `.osposg` of one-sided POSGs, that of the solver HSVIforOSPOSGs.jl: read and written, plain or gzipped.

White space separates everything, and all indices are from 0. One section follows another (docs/posg.md):

- how many states, partitions, actions of player 1, actions of player 2, observations, transitions and rewards there
  are, and the discount;
- for each state its name and partition;
- the names of the actions of player 1, of those of player 2, and of the observations;
- for each state, on a line of its own, the actions of player 2 there; for each partition, those of player 1;
- transitions: state, actions of players 1 and 2, observation, next state, probability;
- rewards of player 1: state, actions of players 1 and 2, reward; zero where absent;
- the initial belief: a partition, and a probability for each of its states.
"""

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from fogspiel import given
from fogspiel.errors import FileError, GameError
from fogspiel.solvers.files import write_safely
from fogspiel.tree.posg import Names, OneSided, one_sided

SUFFIXES = ".osposg", ".osposg.gz"
_COUNTS = "states", "partitions", "actions of player 1", "actions of player 2", "observations", "transitions", "rewards"


def is_osposg(path: str | Path) -> bool:
    """Whether a file is one of these by its name."""
    return str(path).strip().endswith(SUFFIXES)


def read_osposg(path: str | Path) -> OneSided:
    """The one-sided POSG in a file. Raises FileError where it cannot be read, and GameError where what it says cannot
    be."""
    path = given.path("path", path)
    lines = _Lines(path, _content(path))
    *counts, discount = lines.row("its sizes", 8)
    n, partitions, n1, n2, seen, transitions, rewards = lines.numbers(counts, np.int64)
    if min(n, partitions, n1, n2, seen, transitions) < 1 or rewards < 0:
        raise lines.error("its first line must have a positive number of " + ", ".join(_COUNTS))
    reals = lines.numbers([discount])
    if not 0 <= reals[0] <= 1:
        raise lines.error(f"the discount must be a number from 0 to 1, not {discount}")
    named = [lines.row("a state and its partition", 2) for _ in range(n)]
    actions1, actions2, observations = (
        [lines.row(what, 1)[0] for _ in range(many)]
        for what, many in (("an action of player 1", n1), ("an action of player 2", n2), ("an observation", seen))
    )
    legal2 = [lines.numbers(lines.row(f"the actions of player 2 in state {s}"), np.int64) for s, _ in named]
    legal1 = [
        lines.numbers(lines.row(f"the actions of player 1 in partition {k}"), np.int64) for k in range(partitions)
    ]
    moved, paid = lines.table("transitions", transitions, 6), lines.table("rewards", rewards, 4)
    start, *belief = lines.row("the initial belief")
    lines.end()
    name, states = path.name.removesuffix(".gz").removesuffix(".osposg"), [name for name, _ in named]
    return one_sided(
        Names(name, states, actions1, actions2, observations),
        lines.numbers([k for _, k in named], np.int64),
        legal1,
        legal2,
        moved,
        paid,
        float(reals[0]),
        int(lines.numbers([start], np.int64)[0]),
        lines.numbers(belief),
    )


def write_osposg(posg: OneSided, path: str | Path) -> None:
    """Write a file; one that ends in `.gz` is compressed. Names have no white space there, so it becomes an
    underscore."""
    given.kind("posg", posg, OneSided, "a one-sided POSG")
    path = given.path("path", path)
    each = np.repeat(np.arange(len(posg.joint)), np.diff(posg.first))
    paid = np.flatnonzero(posg.reward)
    sizes = [
        len(posg.states),
        len(posg.legal1),
        len(posg.actions1),
        len(posg.actions2),
        len(posg.observations),
        len(each),
        len(paid),
    ]
    rows: list[Iterable[object]] = [
        [*sizes, repr(posg.discount)],
        *([_word(name), k] for name, k in zip(posg.states, posg.partition, strict=True)),
        *([_word(name)] for name in (*posg.actions1, *posg.actions2, *posg.observations)),
        *posg.legal2,
        *posg.legal1,
        *(
            [*posg.joint[j], o, t, repr(float(p))]
            for j, o, t, p in zip(each, posg.observation, posg.target, posg.probability, strict=True)
        ),
        *([*posg.joint[j], repr(float(posg.reward[j]))] for j in paid),
        [posg.start, *(repr(float(p)) for p in posg.belief)],
    ]
    content = "".join(" ".join(map(str, row)) + "\n" for row in rows).encode()
    write_safely(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _content(path: Path) -> str:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
    except FileNotFoundError:
        raise FileError(f"there is no file {path}") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from error
    except (EOFError, UnicodeDecodeError, zlib.error):
        raise FileError(f"{path} is not an .osposg file, or it is damaged") from None


def _word(name: str) -> str:
    return "_".join(name.split()) or "_"


class _Lines:
    """The lines of a file that are not blank, one after another, and what is wrong with them."""

    def __init__(self, path: Path, text: str):
        self.path = path
        self.lines = [(i, words) for i, line in enumerate(text.splitlines(), 1) if (words := line.split())]
        self.at = 0

    def error(self, what: str) -> GameError:
        line = self.lines[min(self.at, len(self.lines)) - 1][0] if self.lines else 1
        return GameError(f"{self.path}, line {line}: {what}")

    def row(self, what: str, words: int | None = None) -> list[str]:
        if self.at == len(self.lines):
            raise self.error(f"the file ends where {what} should be")
        row = self.lines[self.at][1]
        self.at += 1
        if words is not None and len(row) != words:
            raise self.error(f"here {what} should be, {words} word{'s' * (words > 1)}, not {len(row)}")
        return row

    def numbers(self, words: list[str], kind: type = np.float64) -> np.ndarray:
        try:
            return np.array(words, np.float64 if kind is np.float64 else np.int64)
        except (OverflowError, ValueError):
            said = "numbers" if kind is np.float64 else "whole numbers"
            raise self.error(f"{said} are expected, not {given.shown(' '.join(words))}") from None

    def table(self, what: str, rows: int, columns: int) -> list[np.ndarray]:
        """Columns of whole numbers, and a last one of reals."""
        if len(self.lines) - self.at < rows:
            self.at = len(self.lines)
            raise self.error(f"the file ends before all {rows:,} {what} were told")
        found = [self.row(f"one of the {what}", columns) for _ in range(rows)]
        self.at -= rows
        for row in found:
            self.at += 1
            self.numbers(row[:-1], np.int64), self.numbers(row[-1:])
        *whole, last = zip(*found, strict=True) if found else [()] * columns
        return [*(self.numbers(list(column), np.int64) for column in whole), self.numbers(list(last))]

    def end(self) -> None:
        if self.at < len(self.lines):
            self.at += 1
            raise self.error("nothing should follow the initial belief")
