"""Stored results, read back: one experiment at one scale, as rows, tables or data frames."""

import contextlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from fogspiel import given
from fogspiel.errors import FileError, SpecError
from fogspiel.experiment.design import SCALES
from fogspiel.experiment.extras import needs
from fogspiel.experiment.faults import Lost, lost_by
from fogspiel.experiment.intervals import bounds_of, interval_of
from fogspiel.experiment.printed import put_together
from fogspiel.experiment.store import Declared, Setting, Store, flat
from fogspiel.experiment.tables import FIRST, Row, Table, column_of, ends, observations, selected, tabulate, timed
from fogspiel.experiment.tasks import CurveTask, MatchTask
from fogspiel.game.spec import suggestion


class Results:
    """A file of results, open for reading, or a store that is open."""

    def __init__(self, file: str | Path | Store):
        self.store = file if isinstance(file, Store) else Store(file)
        with self.store.reading():
            self.declared: list[Declared] = self.store.experiments()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *raised: object) -> None:
        self.store.__exit__(*raised)

    def view(
        self, name: str | None = None, scale: str | None = None, *, where: Sequence[str] = (), everyone: bool = False
    ) -> "View":
        """An experiment's results: those of the last one declared at the largest scale that was run as a whole, unless
        named. `where` are conditions on columns, `seat=0`. With `everyone` all seats count, not only those that the
        experiment is about."""
        names = list(dict.fromkeys(d.name for d in self.declared))
        if name is None and names:
            name = names[-1]
        if name not in names:
            name = self._meant(str(name), names)
        there = {d.scale: d for d in self.declared if d.name == name}
        if scale is None:
            scale = max(there, key=lambda s: (self._whole(name, s), SCALES.index(s)))
        if scale not in there:
            raise SpecError(f"{name} was not run at the scale {scale!r}{suggestion(scale, there)}")
        declared = [] if everyone else list(there[scale].facts.get("where", {}).items())
        return View(self.store, there[scale], [*declared, *map(_condition, where)], everyone)

    def parts(self, name: str) -> list[str]:
        """The experiments of an item: `lisy-2014/E-33` has several."""
        return list(dict.fromkeys(d.name for d in self.declared if d.name.startswith(f"{name}/")))

    def _meant(self, name: str, names: list[str]) -> str:
        """The experiment of a name without the file or document, or without its part, where that is the only one."""
        found = [full for full in names if full.partition("/")[2] == name or full.startswith(f"{name}/")]
        if len(found) == 1:
            return found[0]
        if found:
            raise SpecError(f"{self.store.path} has more than one experiment {name!r}: {', '.join(found)}; choose one")
        raise SpecError(f"{self.store.path} has no experiment {name!r}{suggestion(name, names)}")

    def _whole(self, name: str, scale: str) -> bool:
        counts = self.store.counts(name, scale)
        return counts["done"] == counts["asked"]


Line = tuple[tuple[Any, ...], Row | None]
"""What tells a row apart, and the row; None where all its runs failed."""


class View:
    """The results of one experiment at one scale."""

    def __init__(self, store: Store, declared: Declared, where: Sequence[tuple[str, Any]], everyone: bool):
        self.store, self.declared, self.where, self.everyone = store, declared, where, everyone

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each seat of a game that counts, or for each point of a curve; of a tuning a curve counts by its
        end."""
        return ends(self._every) if self.declared.facts.get("kind") == "tuning" else self._every

    @cached_property
    def _every(self) -> list[dict[str, Any]]:
        rows = observations(self.store.rows(self.declared.name, self.declared.scale), everyone=self.everyone)
        return selected(rows, self.where)

    @cached_property
    def counts(self) -> dict[str, int]:
        return self.store.counts(self.declared.name, self.declared.scale)

    @cached_property
    def settings(self) -> list[Setting]:
        return self.store.settings(self.declared.name, self.declared.scale)

    @cached_property
    def errors(self) -> list[tuple[str, int]]:
        """What went wrong, and how often."""
        return self.store.errors(self.declared.name, self.declared.scale)

    @cached_property
    def lost(self) -> Lost:
        """Games that agents lost by faults."""
        return lost_by(self.store, self.declared.name, self.declared.scale)

    @property
    def by(self) -> tuple[str, ...]:
        return tuple(self.declared.facts["by"])

    @property
    def joined(self) -> bool:
        """Whether what lies between two settings is known, too; of a tuning they are candidates."""
        return self.declared.facts.get("kind") != "tuning"

    @property
    def measure(self) -> str:
        return self.declared.facts["measure"]

    @property
    def printed(self) -> dict[tuple[str, ...], float]:
        return {tuple(key): put_together(*parts) for key, *parts in self.declared.facts["printed"]}

    def bounds(self, measure: str) -> tuple[float, float] | None:
        """Of a measure, where they are known."""
        return bounds_of(self.declared.facts, measure)

    def table(
        self, by: str | Sequence[str] | None = None, measure: str | None = None, *, interval: str = "auto"
    ) -> Table:
        """The declared table, or one by other columns, or a single one, or of another measure."""
        by = [by] if isinstance(by, str) else by
        asked = measure or self.measure
        as_declared = by is None and measure in (None, self.measure)
        return tabulate(
            self.rows_by(self.by if by is None else by),
            self.by if by is None else by,
            asked,
            printed=self.printed if as_declared else None,
            bounds=self.bounds(asked),
            interval=interval_of(self.declared.facts) if interval == "auto" else interval,
            off=self.declared.facts.get("off", 0.0) if as_declared else 0.0,
        )

    def lines(self, table: Table) -> list[Line]:
        """The rows of a table with what tells them apart, and in the order of the settings those of which all runs
        failed."""
        there = {row.key: row for row in table}
        missing = [failed > 0 == done for done, failed in self.store.outcomes(self.declared.name, self.declared.scale)]
        if not any(missing):
            return list(there.items())
        order: dict[tuple[Any, ...], None] = {}
        for lost, setting in zip(missing, self.settings, strict=True):
            for key in self._keys(table, setting.columns, setting.task):
                if lost or key in there:
                    order[key] = None
        return [(key, there.get(key)) for key in dict.fromkeys([*order, *there])]

    def _keys(self, table: Table, columns: dict[str, Any], task: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """What would tell the rows of a setting apart, as far as its columns say."""
        rows = observations(flat(columns | FIRST, _expected(task)), everyone=self.everyone)
        with contextlib.suppress(SpecError):  # no row has what is asked for, or is known to
            for row in selected(rows, self.where):
                if all(name in row for name in table.by):
                    yield tuple(row[name] for name in table.by)

    def rows_by(self, by: Sequence[str]) -> list[dict[str, Any]]:
        """A table by who sits where is of the first seat's result, where no other is declared. One of a curve by
        seconds has a row for each of its budgets, at the mean of its seconds."""
        if self._done_by(CurveTask) and "seconds" in by:
            return timed(self._every, by)
        if "budget" in by and not self._done_by(MatchTask):
            return self._every
        seats = [f"seat {seat}" for seat in range(2)]
        if not set(seats) <= set(by) or tuple(by) == self.by:
            return self.rows
        every = observations(self.store.rows(self.declared.name, self.declared.scale), everyone=True)
        return selected((row for row in every if column_of(row, "seat") == 0), self.where)

    def _done_by(self, kind: type) -> bool:
        """Whether runs are those of this kind of task, whatever their columns are called."""
        return any(one.task["kind"] == kind.__name__ for one in self.settings)

    def meetings(self) -> list[dict[str, Any]]:
        """The rows with the spec string of each agent, for ratings: a label may stand for several, one a setting."""
        known = {one.cell: one.task.get("agents", []) for one in self.settings}
        return [
            row | ({"spec": known[row["cell"]][row.get("role", row["seat"])]} if "agent" in row else {})
            for row in self.rows
        ]

    def to_pandas(self) -> Any:
        """The rows as a data frame."""
        return needs("pandas", "read results as a data frame").DataFrame(self.rows)

    def sql(self, query: str) -> Any:
        """A data frame of what DuckDB answers to a query of the table `results`, which has the rows."""
        duckdb = needs("duckdb", "ask for results in SQL")
        with duckdb.connect() as base:
            base.register("results", self.to_pandas())
            try:
                answer = base.sql(query)
                if answer is None:
                    raise SpecError("this query asks for nothing; it should be a SELECT from the table results")
                return answer.df()
            except duckdb.Error as error:
                raise SpecError(f"DuckDB refuses this query: {error}") from None

    def export(self, path: str | Path) -> None:
        """Write the rows to a file, by its name as CSV or Parquet."""
        path = given.path("path", path)
        frame, kind = self.to_pandas(), path.suffix.lower()
        if kind not in (".csv", ".parquet"):
            raise FileError(f"cannot export to {path}: use a name that ends in .csv or .parquet")
        duckdb = needs("duckdb", "export results")
        with duckdb.connect() as base:
            base.register("results", frame)
            name = str(path).replace("'", "''")
            base.execute(
                f"COPY results TO '{name}' ({'HEADER' if kind == '.csv' else 'FORMAT parquet, COMPRESSION zstd'})"
            )

    def as_dict(self) -> dict[str, Any]:
        d = self.declared
        facts = {"experiment": d.name, "scale": d.scale, "about": d.about, "source": d.facts["source"]}
        return (
            facts | {"criterion": d.facts["criterion"], "verdict": d.verdict, "lost": self.lost.as_dict()} | self.counts
        )


def _condition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise SpecError(f"a condition is written column=value, not {text!r}")
    return name.strip(), value.strip()


def _expected(task: dict[str, Any]) -> dict[str, Any]:
    """What is known of what a run finds, by what the store says of its task."""
    if task["kind"] == MatchTask.__name__:
        places = list(range(len(task["agents"])))
        return {"points": [0.0] * len(places)} | ({} if task.get("roles") is None else {"role": places})
    return {"budget": sorted(task["budgets"])} if task["kind"] == CurveTask.__name__ else {}
