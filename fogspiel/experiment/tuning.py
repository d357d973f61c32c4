"""Tuning: values for words of an experiment, chosen by runs that are paired, so that all candidates meet the same
deals.

Every candidate is a setting of the experiment, and its runs are stored as any others: a tuning that stopped goes on,
and one with more candidates or runs takes over what is there.
"""

import math
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fogspiel import given
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.candidates import (
    BLOCKS,
    Candidate,
    Proposals,
    Range,
    Values,
    best_of,
    by_rank,
    drawn,
    every_combination,
    still_in,
)
from fogspiel.experiment.design import Cell, Experiment, Scale, require_values
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.faults import leave_out_failed
from fogspiel.experiment.intervals import DISTANCES
from fogspiel.experiment.loader import resolved
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import HERE, Outcome, outcome_of, run, started
from fogspiel.experiment.scheduler import LOOK_SECONDS
from fogspiel.experiment.store import Store
from fogspiel.experiment.tables import tabulate
from fogspiel.experiment.tasks import MatchTask
from fogspiel.game.load import load

METHODS = ("grid", "halving", "racing", "optuna")
BATCHES = 4
"""Optuna proposes its candidates in so many batches, each knowing of those before."""


@dataclass(frozen=True, kw_only=True)
class Tuning(Experiment):
    """Choose values for the words `parameters` of the experiment `of`, each from a list or `Between` two values.

    Methods: `grid` gives every combination all runs of the scale (Lisý 2014, table 4.6; Whitehouse 2014, ch. 8).
    `halving` begins with few runs and `candidates` settings, and again and again keeps the better half for twice the
    runs (Karnin, Koren and Somekh 2013). `racing` drops a candidate as soon as it is significantly worse than the best
    on the same deals (Maron and Moore 1994), by a test that allows for all looks and candidates. `optuna` has Optuna
    propose candidates, batch by batch, and halves each batch.

    The best has the highest mean of the measure of `of`, or with `minimise` the lowest (it is always so of NashConv and
    exploitability), over rows that have the values of `where`. With `over="game"` the best is who ranks best in the
    mean over games.
    """

    of: Experiment
    parameters: Mapping[str, Values]
    method: str = "halving"
    candidates: int = 16
    minimise: bool = False
    over: str = ""
    scales: Mapping[str, Scale] = field(default_factory=dict)
    plan: Mapping[Candidate, int] = field(default_factory=dict)

    kind = "tuning"

    def __post_init__(self) -> None:
        given.choice("method", self.method, METHODS)
        given.whole("candidates", self.candidates, 1)
        given.flag("minimise", self.minimise)
        if not isinstance(self.of, Experiment) or self.of.kind == self.kind:
            raise SpecError(f"of must be Matches, Curves or Measurements, not {given.shown(self.of)}")
        if not isinstance(self.parameters, Mapping):
            told = given.shown(self.parameters)
            raise SpecError(f"parameters must be a dictionary such as {{'n': [1, 2]}}, not {told}")
        if not self.parameters:
            raise SpecError(
                "a tuning needs parameters: words of the experiment, each with a list of values or Range(low, high)"
            )
        for name, values in self.parameters.items():
            if not isinstance(values, Range | list | tuple | range):
                raise SpecError(f"the values of {name} must be a list or Range(low, high), not {given.shown(values)}")
            if not isinstance(values, Range):
                require_values(f"the tuning's {name}", values)
        self.of.require_words("the tuning", self.parameters)
        object.__setattr__(self, "scales", self.scales or self.of.scales)
        object.__setattr__(self, "measure", self.of.measure)
        object.__setattr__(self, "minimise", self.minimise or self.measure in DISTANCES)
        object.__setattr__(self, "seed", self.of.seed)
        object.__setattr__(self, "where", self.where or self.of.where)
        object.__setattr__(self, "bounds", self.bounds or self.of.bounds)
        object.__setattr__(self, "sized_by", self.of.sized_by)
        super().__post_init__()

    def require_words(self, who: str, given: Iterable[str]) -> None:
        self.of.require_words(who, given)

    def drawn(self) -> list[Candidate]:
        return drawn(self.parameters, self.candidates, self.seed)

    @property
    def names(self) -> list[str]:
        return list(self.parameters)

    def settled(self, scale: str) -> "Tuning":
        return self if self.plan else replace(self, plan=_planned(self, scale))

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        """The settings of all candidates of the plan, each with its own number of runs."""
        found, size = [], self.scale(scale)
        for candidate, runs in self.plan.items():
            values = dict(zip(self.names, candidate, strict=True))
            words = size.words | values
            scaled = {scale: Scale(runs, deals=size.deals, budgets=size.budgets, **words)}
            cells = replace(self.of, scales=scaled, by=self.names).cells(scale, folder)
            found += [replace(cell, columns=cell.columns | values) for cell in cells]
        for cell in found:
            self._require_a_side(cell, folder)
        return found

    def _require_a_side(self, cell: Cell, folder: str) -> None:
        """Where all seats of a game count, candidates cannot be told apart: what one wins another loses."""
        if self.where or not isinstance(cell.task, MatchTask) or cell.columns["subject"] is not None:
            return
        about = load(resolved(cell.task.game, folder)).about
        if about.players > 1 and (about.zero_sum or self.measure in ("points", "percent")):
            raise SpecError(
                "all seats count, and together they always get the same: tell whose result the tuning is about, as "
                "in where={'agent': 'tuned'}"
            )

    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        return tuple(self.names)


def tune(tuning: Tuning, name: str, store: str | Path, how: Execution = HERE) -> Outcome:
    """Run a tuning, as `run` does. Where a budget or Ctrl-C ends it, the best so far is told. Where another process is
    at the same tuning, this one waits until it has ended."""
    with started(tuning, name, store, how) as (file, _, how, ends):
        search = _Search(tuning, name, store, how, ends)
        if stopped := search.wait_for_turn(file):
            return search.found_by_others(file, stopped)
        if how.again:
            leave_out_failed(file, name, how.scale)
        {"grid": search.grid, "halving": search.halve_all, "racing": search.race, "optuna": search.ask_optuna}[
            tuning.method
        ]()
        return search.outcome()


def carry_out(experiment: Experiment, name: str, store: str | Path, how: Execution = HERE) -> Outcome:
    """Run an experiment of any kind."""
    return tune(experiment, name, store, how) if isinstance(experiment, Tuning) else run(experiment, name, store, how)


class _Search:
    """A tuning under way."""

    def __init__(self, tuning: Tuning, name: str, store: str | Path, how: Execution, ends: float | None):
        self.tuning, self.name, self.store, self.how, self.ends = tuning, name, store, how, ends
        self.most = tuning.scale(how.scale).runs
        self.plan: dict[Candidate, int] = {}
        self.played, self.seconds = 0, 0.0
        self.last: Outcome | None = None
        self.bounds: tuple[float, float] | None = None

    def wait_for_turn(self, file: Store) -> str:
        """What is played next depends on all before, so two at once would be at odds. Returns what ended the waiting,
        if not the other process."""
        told = False
        try:
            while not file.take_turn(f"{self.name} {self.how.scale}"):
                if self.ends is not None and time.monotonic() > self.ends:
                    return "budget"
                if not told:
                    self.how.tell(f"{self.name}: another process is at this tuning; this one waits for it")
                told = True
                time.sleep(LOOK_SECONDS)
        except KeyboardInterrupt:
            return "interrupted"
        return ""

    def found_by_others(self, file: Store, stopped: str) -> Outcome:
        """What the process whose turn it is has stored so far."""
        tuning, name, scale = self.tuning, self.name, self.how.scale
        self.plan = {tuple(one.columns[n] for n in tuning.names): one.runs for one in file.settings(name, scale)}
        self.last = outcome_of(tuning, name, file, scale, stopped)
        return self.outcome()

    def grid(self) -> None:
        self._play(every_combination(self.tuning.parameters), self.most)

    def halve_all(self) -> None:
        self._halve(self.tuning.drawn())

    def race(self) -> None:
        """After each block of runs, drop who is significantly worse than the best on the same deals."""
        left = self.tuning.drawn()
        drawn = len(left)
        for block in range(1, BLOCKS + 1):
            if not self._play(left, -(-self.most * block // BLOCKS)):
                return
            tuning, rows, best = self.tuning, self._rows(), self._ranked(left)[0]
            left = still_in(
                rows,
                left,
                best,
                tuning.names,
                tuning.measure,
                minimise=tuning.minimise,
                over=tuning.over,
                bounds=self.bounds,
            )
            self.how.tell(f"{self.name}: {len(left)} of {drawn} candidates are left")
            if len(left) == 1:
                return

    def ask_optuna(self) -> None:
        tuning = self.tuning
        proposals = Proposals(tuning.parameters, tuning.seed, lowest=tuning.minimise or bool(tuning.over))
        for _ in range(BATCHES):
            found = self._optimised(proposals.candidates)
            batch = proposals.ask(-(-tuning.candidates // BATCHES), found, self.plan)
            through = self._halve(batch)
            if not through:
                return
            proposals.through.update(through)

    def _halve(self, left: list[Candidate]) -> list[Candidate]:
        """Keep the better half for twice the runs, until one has all; returns who is left, nobody if there was no
        time."""
        rounds = max(1, math.ceil(math.log2(max(len(left), 2))))
        for turn in range(rounds + 1):
            if not self._play(left, max(1, -(-self.most // 2 ** (rounds - turn)))):
                return []
            if turn < rounds:
                left = self._ranked(left)[: max(1, -(-len(left) // 2))]
        return left

    def _play(self, candidates: Sequence[Candidate], runs: int) -> bool:
        """See to it that these candidates have so many runs; False if there was no time."""
        self.plan |= {c: max(runs, self.plan.get(c, 0)) for c in candidates}
        left = None if self.ends is None else max(self.ends - time.monotonic(), 0.0)
        how = replace(self.how, until=left, again=False, notice=self.how.notice if not self.played else None)
        self.last = run(replace(self.tuning, plan=dict(self.plan)), self.name, self.store, how)
        self.played, self.seconds = self.played + self.last.played, self.seconds + self.last.seconds
        if self.last.errors and not self.last.counts["done"]:
            failed, why = self.last.counts["failed"], self.last.errors[0][0]
            raise FogspielError(f"{self.name}: all {failed:,} runs failed, so nothing can be tuned: {why}")
        return self.last.stopped == "done"

    def _rows(self) -> list[dict[str, Any]]:
        with Results(self.store) as results:
            view = results.view(self.name, self.how.scale)
            rows, self.bounds = view.rows, view.bounds(view.measure)
        return rows

    def _optimised(self, candidates: Collection[Candidate]) -> dict[Candidate, float]:
        """What the best has the most of, or with `over` or `minimise` the least: the mean of the measure, or the mean
        rank. Nothing of a candidate whose runs all failed."""
        if not candidates:
            return {}
        tuning, rows = self.tuning, self._rows()
        if tuning.over:
            found = dict(self._by_rank(rows))
        else:
            found = {row.key: row.value for row in tabulate(rows, tuning.names, tuning.measure)}
        return {candidate: found[candidate] for candidate in candidates if candidate in found}

    def _ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The best first, and those whose runs all failed last."""
        if self.tuning.over:
            order = [candidate for candidate, _ in self._by_rank(self._rows())]
            return sorted(candidates, key=lambda c: order.index(c) if c in order else len(order))
        found, sign = self._optimised(candidates), 1 if self.tuning.minimise else -1
        return sorted(candidates, key=lambda c: sign * found[c] if c in found else math.inf)

    def _by_rank(self, rows: list[dict[str, Any]]) -> list[tuple[Candidate, float]]:
        tuning = self.tuning
        return by_rank(rows, tuning.names, tuning.over, tuning.measure, minimise=tuning.minimise)

    def outcome(self) -> Outcome:
        assert self.last is not None
        best = None
        if len(self.last.table):
            with Results(self.store) as results:
                best = best_of(results.view(self.name, self.how.scale), self.last.table)
        return replace(self.last, played=self.played, seconds=self.seconds, best=None if best is None else best.values)


def _planned(tuning: Tuning, scale: str) -> dict[Candidate, int]:
    """How many runs candidates will have about, whoever turns out to be good."""
    most = tuning.scale(scale).runs
    grid = tuning.method == "grid"
    drawn = every_combination(tuning.parameters) if grid else tuning.drawn()
    if tuning.method in ("grid", "racing"):
        return dict.fromkeys(drawn, most)
    size = len(drawn) if tuning.method == "halving" else -(-tuning.candidates // BATCHES)
    return {c: max(1, -(-most // 2 ** (place % size).bit_length())) for place, c in enumerate(drawn)}
