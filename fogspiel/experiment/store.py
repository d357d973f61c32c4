"""Results in an SQLite file: every run with its seed, its deal and the versions of all code that it ran.

Its tables are in `database.py`.

Many processes may write at once. What a transaction has written is there whatever process dies then (write-ahead
logging); a run that is written twice is kept once. `claim` has the runs that processes are at, so that several share
the work; one that died leaves its claims to the others.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from fogspiel.engine.disk import alive, sign_of_life
from fogspiel.errors import FileError
from fogspiel.experiment.database import columns_of, opened, transaction, unusable
from fogspiel.experiment.deals import EveryDeal
from fogspiel.experiment.tasks import Found, Task
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED

NO_CELL = 0
"""The number that no cell has."""
_ADD = """
INSERT INTO result (cell, run, deal, seed, weight, found, error, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (cell, run) DO UPDATE SET deal = excluded.deal, seed = excluded.seed, weight = excluded.weight,
found = excluded.found, error = excluded.error, seconds = excluded.seconds WHERE result.found IS NULL
"""

_CELLS = (
    "SELECT s.cell, max(s.runs) AS runs, min(s.place) AS place FROM setting s JOIN experiment e ON e.id = s.experiment "
    "WHERE e.name = ? AND e.scale = ? GROUP BY s.cell"
)
"""The cells of an experiment, each once, with the runs that it is to have."""

_VERDICTS = (FAILED, PASSED, UNDECIDED)
"""By their numbers in the file."""


@dataclass(frozen=True)
class Declared:
    """An experiment as the store has it."""

    name: str
    scale: str
    about: str
    facts: dict[str, Any]
    verdict: str = ""


class Setting(NamedTuple):
    """A setting of an experiment as the store has it: its cell, how many runs there are to be, what its results are
    told apart by, its task and the versions of its code."""

    cell: int
    runs: int
    columns: dict[str, Any]
    task: dict[str, Any]
    versions: dict[str, str]


class Store:
    """An open file. Without `create` it must be there."""

    def __init__(self, path: str | Path, *, create: bool = False):
        self.path = Path(path)
        self._place = self.path.resolve()  # where signs of life lie, by whatever name the file was opened
        self._sign: tuple[IO[bytes], Path] | None = None
        if not create and not self.path.is_file():
            raise FileError(f"there is no file of results {path}")
        self.base = opened(self.path, create)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Within this a file that turns out to be damaged is told as such."""
        try:
            yield
        except sqlite3.Error as error:
            raise unusable(self.path, error) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: all of it or nothing."""
        with transaction(self.base):
            yield

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind: object, error: object, *_: object) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            raise unusable(self.path, error) from error

    def close(self) -> None:
        """What was claimed and not done is left to others."""
        self.leave()
        if self._sign is not None:
            file, name = self._sign
            file.close()
            with contextlib.suppress(OSError):
                name.unlink()
            self._sign = None
        self.base.close()

    def leave(self) -> None:
        """Give up all claims."""
        if self._sign is not None:
            with contextlib.suppress(sqlite3.Error):  # who is gone has no claims
                self.base.execute("DELETE FROM claim WHERE owner = ?", (_owner(self._sign[1]),))

    def declare(
        self,
        name: str,
        scale: str,
        about: str,
        facts: dict[str, Any],
        settings: Sequence[tuple[dict[str, Any], Task, dict[str, str], int]],
    ) -> list[int]:
        """Write down an experiment with its settings (columns, task, versions, runs), in place of one of that name;
        returns their cells."""
        with self.writing():
            self.base.execute(
                "INSERT INTO experiment (name, scale, about, declared) VALUES (?, ?, ?, ?) ON CONFLICT (name, scale) "
                "DO UPDATE SET about = excluded.about, declared = excluded.declared, passed = NULL",
                (name, scale, about, text_of(facts)),
            )
            (number,) = self.base.execute(
                "SELECT id FROM experiment WHERE name = ? AND scale = ?", (name, scale)
            ).fetchone()
            self.base.execute("DELETE FROM setting WHERE experiment = ?", (number,))
            cells = [self._cell(task, versions) for _, task, versions, _ in settings]
            self.base.executemany(
                "INSERT INTO setting VALUES (?, ?, ?, ?, ?)",
                [
                    (number, i, cell, text_of(s[0]), s[3])
                    for i, (cell, s) in enumerate(zip(cells, settings, strict=True))
                ],
            )
        return cells

    def _cell(self, task: Task, versions: dict[str, str]) -> int:
        text, code = text_of(task.described()), text_of(versions)
        identity = _identity(text, code)
        self.base.execute(
            "INSERT OR IGNORE INTO cell (identity, task, versions) VALUES (?, ?, ?)", (identity, text, code)
        )
        return self.base.execute("SELECT id FROM cell WHERE identity = ?", (identity,)).fetchone()[0]

    def has_run(self, task: Task, versions: dict[str, str]) -> bool:
        """Whether a run of a task is there that did not fail, of this code."""
        found = self.base.execute(
            "SELECT 1 FROM cell c JOIN result r ON r.cell = c.id WHERE c.identity = ? AND r.found IS NOT NULL LIMIT 1",
            (_identity(text_of(task.described()), text_of(versions)),),
        )
        return found.fetchone() is not None

    def stale(self, cells: Iterable[int]) -> dict[tuple[str, ...], int]:
        """Runs of the same tasks with other versions of their code: how many, by what has changed since."""
        found: dict[tuple[str, ...], int] = {}
        for cell in dict.fromkeys(cells):
            task, code = self.base.execute("SELECT task, versions FROM cell WHERE id = ?", (cell,)).fetchone()
            others = self.base.execute(
                (
                    "SELECT versions, (SELECT count(*) FROM result WHERE cell = cell.id) FROM cell WHERE task = ? AND "
                    "id != ?"
                ),
                (task, cell),
            )
            for versions, runs in others:
                before, now = json.loads(versions), json.loads(code)
                changed = tuple(name for name in now if before.get(name) != now[name])
                if runs:
                    found[changed] = found.get(changed, 0) + runs
        return found

    def done(self, cell: int) -> set[int]:
        """The runs of a cell that need not be done again."""
        rows = self.base.execute("SELECT run FROM result WHERE cell = ? AND found IS NOT NULL", (cell,))
        return {run for (run,) in rows}

    def failed(self, cell: int) -> set[int]:
        """The runs of a cell that were done, and found nothing."""
        return {run for (run,) in self.base.execute("SELECT run FROM result WHERE cell = ? AND found IS NULL", (cell,))}

    def claim(
        self, runs: Sequence[tuple[int, int]], failed: Collection[tuple[int, int]] = ()
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Take runs of cells upon this process, until they are written or the store is closed. Returns those that it is
        to do, and those that others, who still live, are at; the rest is done. Of runs that failed only those in
        `failed` are to be done again."""
        try:
            if self._sign is None:
                self._sign = sign_of_life(self._place)
            owner = _owner(self._sign[1])
            with self.writing():
                for (other,) in self.base.execute(
                    "SELECT DISTINCT owner FROM claim WHERE owner != ?", (owner,)
                ).fetchall():
                    if not alive(self._place.with_name(_name_of(other))):
                        self.base.execute("DELETE FROM claim WHERE owner = ?", (other,))
                taken = set(self.base.execute("SELECT cell, run FROM claim WHERE owner != ?", (owner,)))
                done = self._done_among(runs, failed)
                free = [one for one in runs if one not in taken and one not in done]
                self.base.executemany("INSERT OR IGNORE INTO claim VALUES (?, ?, ?)", [(*one, owner) for one in free])
        except (OSError, sqlite3.Error) as error:
            raise FileError(f"cannot write to {self.path}: {error}") from error
        return free, [one for one in runs if one in taken]

    def _done_among(self, runs: Sequence[tuple[int, int]], failed: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
        """Those of the runs that are there; of those in `failed`, only if they have not failed again."""
        asked: dict[int, list[int]] = {}
        for cell, run in runs:
            asked.setdefault(cell, []).append(run)
        found = set()
        for cell, numbers in asked.items():
            low, high = min(numbers), max(numbers)
            near = high - low < 8 * len(numbers)  # else most of what is in between is nobody's question
            for ends in [(low, high)] if near else [(one, one) for one in numbers]:
                rows = self.base.execute(
                    "SELECT run, found IS NOT NULL FROM result WHERE cell = ? AND run BETWEEN ? AND ?", (cell, *ends)
                )
                found |= {(cell, run) for run, there in rows if there or (cell, run) not in failed}
        return found

    def take_turn(self, name: str) -> bool:
        """Have something of this name done by one process at a time: True if it is this one's turn, from now until the
        store is closed."""
        number = int(sha256(name.encode()).hexdigest()[:15], 16)
        return bool(self.claim([(NO_CELL, number)])[0])

    def add(self, rows: Iterable[tuple[int, Found]]) -> None:
        """Write runs of cells, all of them or none, which are claimed no longer. One that is there already stays as it
        is, unless it had failed."""
        ready = [
            (cell, f.run, f.deal, f.seed, f.weight, None if f.found is None else text_of(f.found), f.error, f.seconds)
            for cell, f in rows
        ]
        try:
            with self.writing():
                self.base.executemany(_ADD, ready)
                self.base.executemany("DELETE FROM claim WHERE cell = ? AND run = ?", [row[:2] for row in ready])
        except sqlite3.Error as error:
            raise FileError(f"cannot write to {self.path}: {error}") from error

    def experiments(self) -> list[Declared]:
        rows = self.base.execute("SELECT name, scale, about, declared, passed FROM experiment ORDER BY id")
        return [
            Declared(name, scale, about, json.loads(facts), "" if passed is None else _VERDICTS[passed])
            for name, scale, about, facts, passed in rows
        ]

    def judge(self, name: str, scale: str, verdict: str) -> None:
        """Write down whether the experiment passed."""
        passed = _VERDICTS.index(verdict)
        with self.writing():
            self.base.execute("UPDATE experiment SET passed = ? WHERE name = ? AND scale = ?", (passed, name, scale))

    def settings(self, name: str, scale: str) -> list[Setting]:
        """In their order."""
        rows = self.base.execute(
            "SELECT s.cell, s.runs, s.columns, c.task, c.versions FROM setting s JOIN cell c ON c.id = s.cell "
            "JOIN experiment e ON e.id = s.experiment WHERE e.name = ? AND e.scale = ? ORDER BY s.place",
            (name, scale),
        )
        return [
            Setting(cell, runs, json.loads(columns), json.loads(task), json.loads(versions))
            for cell, runs, columns, task, versions in rows
        ]

    def outcomes(self, name: str, scale: str) -> list[tuple[int, int]]:
        """Of each setting how many runs are there, and how many failed."""
        return self.base.execute(
            "SELECT count(r.found), count(r.run) - count(r.found) FROM setting s JOIN experiment e ON e.id = "
            "s.experiment LEFT JOIN result r ON r.cell = s.cell AND r.run < s.runs WHERE e.name = ? AND e.scale = ? "
            "GROUP BY s.place ORDER BY s.place",
            (name, scale),
        ).fetchall()

    def rows(self, name: str, scale: str) -> Iterator[dict[str, Any]]:
        """Every seat of every game, or every point of every curve, as one flat row: the columns of its setting, and
        what was found. A run that settings share has rows in each of them, with the same `cell`. Where every deal is
        played, each weighted by its probability, rows are `enumerated`."""
        rows = self.base.execute(
            "SELECT place, cell, run, deal, seed, weight, found FROM run WHERE experiment = ? AND scale = ? AND found "
            "IS NOT NULL ORDER BY place, run",
            (name, scale),
        )
        settings: list[dict[str, Any]] = [
            one.columns | ({"enumerated": True} if (one.task.get("deals") or [""])[0] == EveryDeal.__name__ else {})
            for one in self.settings(name, scale)
        ]
        for place, cell, run, deal, seed, weight, found in rows:
            base = settings[place] | {"cell": cell, "run": run, "deal": deal, "seed": seed, "weight": weight}
            yield from flat(base, json.loads(found))

    def counts(self, name: str, scale: str) -> dict[str, int]:
        """How many runs were asked for, are there, failed, and had a fault of an agent's. One that settings share
        counts once."""
        (asked,) = self.base.execute(f"SELECT sum(runs) FROM ({_CELLS})", (name, scale)).fetchone()
        done, failed, faults = self.base.execute(
            "SELECT count(found), count(*) - count(found), count(CASE WHEN found IS NOT NULL THEN error END) "
            f"FROM ({_CELLS}) s JOIN result r ON r.cell = s.cell AND r.run < s.runs",
            (name, scale),
        ).fetchone()
        return {"asked": asked or 0, "done": done, "failed": failed, "faults": faults}

    def seconds(self, name: str, scale: str) -> float | None:
        """How long its runs took in all, one after the other, each counted once; None where of some it is not known."""
        if "seconds" not in columns_of(self.base, "result"):
            return None
        runs, known, seconds = self.base.execute(
            "SELECT count(*), count(seconds), total(seconds) FROM (SELECT DISTINCT cell, run, seconds FROM run "
            "WHERE experiment = ? AND scale = ?)",
            (name, scale),
        ).fetchone()
        return seconds if known == runs else None

    def errors(self, name: str, scale: str, most: int = 5) -> list[tuple[str, int]]:
        """What went wrong, in which of several settings, and how often."""
        rows = self.base.execute(
            f"SELECT error, place, count(*) FROM ({_CELLS}) s JOIN result r ON r.cell = s.cell AND r.run < s.runs "
            "WHERE error IS NOT NULL GROUP BY error, s.cell ORDER BY place",
            (name, scale),
        )
        found: dict[str, dict[int, int]] = {}
        for error, place, often in rows:
            found.setdefault(error, {})[place] = often
        if not found:
            return []
        by = next(d.facts["by"] for d in self.experiments() if (d.name, d.scale) == (name, scale))
        known = [one.columns for one in self.settings(name, scale)]
        columns = [{n: c[n] for n in by if n in c} | c for c in known]  # as tables have them
        listed = sorted(found.items(), key=lambda one: -sum(one[1].values()))[:most]
        (cells,) = self.base.execute(f"SELECT count(*) FROM ({_CELLS})", (name, scale)).fetchone()
        return [
            (("" if len(often) == cells else setting_of(columns, *often)) + error, sum(often.values()))
            for error, often in listed
        ]


def setting_of(columns: Sequence[dict[str, Any]], *places: int) -> str:
    """How a sentence begins that is about one of several settings, or about some of them, by the columns of all."""
    first = columns[places[0]]
    vary = [name for name, value in first.items() if any(other.get(name) != value for other in columns)]
    apart = [name for name in vary if name != "subject"]
    alike = [name for name in apart if all(columns[place].get(name) == first[name] for place in places)]
    told = ", ".join(f"{name}={first[name]}" for name in alike or apart)
    if not told:
        return ""
    if len(places) == 1:
        return f"at {told}: "
    return f"at {told}, in {len(places):,} settings: " if alike else f"in {len(places):,} settings, such as {told}: "


def flat(base: dict[str, Any], found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each place of the lists in what a run found."""
    lists = {name: values for name, values in found.items() if isinstance(values, list)}
    single = {name: value for name, value in found.items() if name not in lists}
    if not lists:
        yield base | single
        return
    for at, values in enumerate(zip(*lists.values(), strict=True)):
        yield {**base, **single, **dict(zip(lists, values, strict=True)), "place": at}


text_of = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode
"""What the file says of a task, of versions, or of what a run found."""


def _owner(sign: Path) -> str:
    """The name of a process's sign of life as the base has it, which knows no names but those in UTF-8."""
    return os.fsencode(sign.name).hex()


def _name_of(owner: str) -> str:
    """The name again; what is not of this form was written as it is."""
    try:
        return os.fsdecode(bytes.fromhex(owner))
    except ValueError:
        return owner


def _identity(task: str, versions: str) -> str:
    return sha256(f"{task}\n{versions}".encode()).hexdigest()[:32]
