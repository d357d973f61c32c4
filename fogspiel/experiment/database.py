"""The SQLite file of results: its tables, and how it is opened.

Tables. `experiment`: what was declared, by name and scale. `cell`: a task with the versions of its code; a changed game
or agent makes another cell. `setting`: the cells of an experiment, each with its columns and the number of runs asked
for. `result`: a run of a cell, `found` a JSON object of columns, `seconds` how long it took, which older files do not
tell. The view `run` has all of that side by side, and `score` a row for each seat of a game, or point of a curve.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from fogspiel.errors import FileError

APPLICATION, VERSION = 0x466F6753, 2
"""What marks the file as one of ours, and the version of its tables. Version 1 called the NashConv of curves
exploitability: such a file is brought up to date when it is opened."""
PATIENCE = 60.0
"""Seconds that a writer waits for others."""

_TABLES = """
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, scale TEXT NOT NULL, about TEXT NOT NULL, declared TEXT NOT NULL,
    passed INTEGER, UNIQUE (name, scale)
);
CREATE TABLE cell (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, task TEXT NOT NULL, versions TEXT NOT NULL
);
CREATE INDEX cell_task ON cell (task);
CREATE TABLE setting (
    experiment INTEGER NOT NULL REFERENCES experiment, place INTEGER NOT NULL, cell INTEGER NOT NULL REFERENCES cell,
    columns TEXT NOT NULL, runs INTEGER NOT NULL, PRIMARY KEY (experiment, place)
) WITHOUT ROWID;
CREATE TABLE result (
    cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL, deal INTEGER NOT NULL, seed INTEGER NOT NULL,
    weight REAL NOT NULL, found TEXT, error TEXT, seconds REAL, PRIMARY KEY (cell, run)
) WITHOUT ROWID;
CREATE VIEW run AS
    SELECT e.name AS experiment, e.scale, s.place, s.columns, c.task, c.versions, r.*
    FROM experiment e JOIN setting s ON s.experiment = e.id JOIN cell c ON c.id = s.cell
    JOIN result r ON r.cell = s.cell AND r.run < s.runs;
CREATE VIEW score AS
    SELECT run.experiment, run.scale, run.columns, run.cell, run.run, run.deal, run.seed, run.weight, u.key AS place,
        u.value AS value, m.key AS measure
    FROM run, json_each(run.found) m, json_each(CASE WHEN m.type = 'array' THEN m.value ELSE json_array(m.value) END) u;
"""

_SINCE_1 = """
UPDATE result SET found = replace(found, '"exploitability":', '"nash_conv":')
    WHERE cell IN (SELECT id FROM cell WHERE json_extract(task, '$.kind') = 'CurveTask');
UPDATE experiment SET declared = json_set(declared, '$.measure', 'nash_conv')
    WHERE json_extract(declared, '$.measure') = 'exploitability' AND id IN
    (SELECT s.experiment FROM setting s JOIN cell c ON c.id = s.cell WHERE json_extract(c.task, '$.kind') = 'CurveTask')
"""
"""What files of version 1 lack. The numbers stay as they are, letter by letter; what functions found keeps the names
that these gave it."""

_CLAIMS = """
CREATE TABLE IF NOT EXISTS claim (
    cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (cell, run)
) WITHOUT ROWID
"""


def opened(path: Path, create: bool) -> sqlite3.Connection:
    """The file, with its tables if it is new. Raises FileError for what is no file of results, or cannot be read."""
    if create and not path.parent.is_dir():
        raise FileError(f"cannot write results to {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise FileError(f"cannot write results to {path}: it is a folder")
    only_read = not create and not os.access(path, os.W_OK)
    try:
        base = _as_it_lies(path) if only_read else sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            if only_read:
                _require_ours(base, path)
                base = _up_to_date_in_memory(base)
            else:
                _make_ready(base, path)
        except BaseException:
            base.close()
            raise
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    return base


def _make_ready(base: sqlite3.Connection, path: Path) -> None:
    _log_ahead(base)
    base.execute("PRAGMA synchronous = NORMAL")
    with transaction(base):
        _require_ours(base, path)
        _bring_up_to_date(base)
        base.execute(_CLAIMS)
        if "seconds" not in columns_of(base, "result"):  # an older file
            base.execute("ALTER TABLE result ADD COLUMN seconds REAL")


def _bring_up_to_date(base: sqlite3.Connection) -> None:
    if _version(base) < VERSION:
        for statement in _SINCE_1.strip().split(";\n"):
            base.execute(statement)
        base.execute(f"PRAGMA user_version = {VERSION}")


def _up_to_date_in_memory(base: sqlite3.Connection) -> sqlite3.Connection:
    """The same, or where it is of an older version and cannot be written to, a copy that is not."""
    if _version(base) == VERSION:
        return base
    copy = sqlite3.connect(":memory:", isolation_level=None)
    base.backup(copy)
    base.close()
    _bring_up_to_date(copy)
    return copy


def _version(base: sqlite3.Connection) -> int:
    return base.execute("PRAGMA user_version").fetchone()[0]


def unusable(path: Path, error: sqlite3.Error) -> FileError:
    """What SQLite says of a file, and what to do."""
    advice = {
        "not a database": "; fogspiel run writes such files, ending in .sqlite",
        "malformed": ": the file is damaged; take a copy from before, or a new file",
    }
    told = next((text for word, text in advice.items() if word in str(error)), "")
    return FileError(f"cannot use {path} for results: {error}{told}")


@contextlib.contextmanager
def transaction(base: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    try:
        base.execute("BEGIN IMMEDIATE")
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:  # Ctrl-C may come when it has just begun, or is done
            base.execute("ROLLBACK")
        raise


def columns_of(base: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in base.execute(f"PRAGMA table_info({table})")}


def _as_it_lies(path: Path) -> sqlite3.Connection:
    """A file that nobody here may write to, on a read-only disk for one, is read as it lies there."""
    where = f"{path.resolve().as_uri()}?immutable=1"
    return sqlite3.connect(where, uri=True, isolation_level=None)


def _log_ahead(base: sqlite3.Connection) -> None:
    """Write-ahead logging. Where several turn it on at once, in a new file, SQLite refuses all but one of them without
    waiting."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            base.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > ends:
                raise
        time.sleep(0.01)


def _require_ours(base: sqlite3.Connection, path: Path) -> None:
    (mark,), (version,) = (base.execute(f"PRAGMA {p}").fetchone() for p in ("application_id", "user_version"))
    empty = base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if empty:
        for statement in _TABLES.strip().split(";\n"):
            base.execute(statement)
        base.execute(f"PRAGMA application_id = {APPLICATION}")
        base.execute(f"PRAGMA user_version = {VERSION}")
    elif mark != APPLICATION:
        raise FileError(f"{path} is a database of something else, not a file of results")
    elif not 1 <= version <= VERSION:
        raise FileError(f"{path} has format version {version}; this Fogspiel reads versions 1 to {VERSION}")
    elif "passed" not in columns_of(base, "experiment"):
        raise FileError(
            f"{path} was written before Fogspiel noted which experiments passed, and cannot be used any more: take a "
            "new file"
        )
