"""Run an experiment: what is missing is done, wherever that may be, and written down as it comes."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any

from fogspiel import given
from fogspiel.engine.stake import at_stake
from fogspiel.errors import SpecError
from fogspiel.experiment.design import SCALES, Cell, Experiment
from fogspiel.experiment.expected import require_apart, require_declared, require_within
from fogspiel.experiment.faults import Lost, leave_out_failed, lost_by
from fogspiel.experiment.hands import Hands, Stream, hired
from fogspiel.experiment.intervals import bounds_of, interval_of
from fogspiel.experiment.pace import Lengths, Pace, span
from fogspiel.experiment.pool import Plan, Waiting
from fogspiel.experiment.printed import parts_of
from fogspiel.experiment.shop import Shop, resolved
from fogspiel.experiment.store import Store, flat
from fogspiel.experiment.tables import Table, column_of, measure_of, observations, selected, tabulate
from fogspiel.experiment.tables import ends as last_points
from fogspiel.experiment.tasks import Found, MatchTask
from fogspiel.experiment.undone import Undone, in_turn
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED, judged
from fogspiel.game.load import load

FLUSH_SECONDS, FLUSH_ROWS = 0.5, 2000
"""Runs are written together, at least so often."""
CLAIM_SECONDS, LOOK_SECONDS = 0.5, 0.2
"""Runs are claimed for about so long, and a process that has none left looks so often whether others are done; one that
is at it, how long it will take."""
LOOK = 5
"""To see whether a scale fits, the time that is left divided by this goes into it at most."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What came of running an experiment. `stopped` says why it ended: done, budget or interrupted. `played` runs are
    of this time, `counts` of the store. `verdict` is passed, failed or undecided, and nothing where there is no
    criterion, or not all is there."""

    name: str
    scale: str
    about: str
    table: Table
    stopped: str
    played: int
    seconds: float
    counts: dict[str, int]
    criterion: str = ""
    verdict: str = ""
    errors: list[tuple[str, int]] = field(default_factory=list)
    lost: Lost = field(default_factory=Lost)
    """Games that agents lost by faults."""
    mistake: str = ""
    """What is wrong with the criterion's function, if it could not judge."""
    best: dict[str, Any] | None = None
    """Of a tuning, the values that were chosen."""
    versions: dict[str, str] = field(default_factory=dict)
    """Of all code that runs."""
    spent: float | None = None
    """Seconds that the runs of the store took in all, one after the other; None where of some it is not known."""

    def as_dict(self) -> dict[str, Any]:
        told = {
            "table": self.table.as_dict(),
            "errors": [list(e) for e in self.errors],
            "passed": self.passed,
            "lost": self.lost.as_dict(),
        }
        return vars(self) | told

    @property
    def passed(self) -> bool | None:
        """None where there is no verdict, or it is undecided."""
        return {PASSED: True, FAILED: False}.get(self.verdict)


def run(
    experiment: Experiment,
    name: str,
    store: str | Path,
    *,
    scale: str = "small",
    workers: int = 1,
    cluster: str | None = None,
    hands: Hands | None = None,
    budget: float | None = None,
    until: float | None = None,
    sharply: bool = False,
    again: bool = False,
    folder: str = "",
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Outcome:
    """Do what is missing of an experiment at a scale, and tabulate all of it.

    `store` is a file of results; runs that are there are not done again, unless their game or agents have changed,
    which `notice` hears of, or with `again` an agent raised an exception there. Processes that run the same at once
    share the work, and each waits for all of it.

    `budget` seconds choose the largest scale that fits into them, and end everything when they are spent, runs under
    way included, which are therefore done in processes of their own; `scale` is then the largest. `until` seconds only
    end it: nothing is begun after them, and nothing at all with 0, but this process brings the run that it is at to its
    end, unless it is to end `sharply`, as with a budget.

    `workers` are processes of this machine, `cluster` is the address of a Dask scheduler; `hands` are these where
    several experiments share them. `folder` is where files that spec strings name are looked for first. `progress`
    hears what is left, runs done, and runs in all.
    """
    workers, budget = given.threads(workers, "workers"), given.maybe(given.seconds, "budget", budget, above=True)
    until = given.maybe(given.seconds, "until", until) if budget is None else budget
    ends, sharply = None if until is None else time.monotonic() + until, sharply or budget is not None
    with ExitStack() as stack:
        them = hands or stack.enter_context(hired(workers, cluster, notice))
        file = stack.enter_context(Store(store, create=True))
        if budget is not None and ends is not None:
            scale = fitting(experiment, name, file, scale, ends, them, folder, progress)
        work = _Runs(experiment, name, scale, file, folder, again)
        for changed, runs in file.stale(work.ids).items():
            if notice is not None:
                notice(f"{', '.join(changed)} changed: {runs:,} runs of before are kept, and not counted")

        def doing(numbers: Iterator[int]) -> Stream:
            return them.do(work.plan, numbers, work.left, ends if sharply else None)

        began = time.monotonic()
        late = until == 0 or (sharply and ends is not None and began >= ends)
        stopped = "budget" if late and work.left else work.do_all(doing, ends, progress)
        seconds = time.monotonic() - began
        table = table_of(experiment, file, name, scale)
        counts = file.counts(name, scale)
        verdict = mistake = ""
        if experiment.passes is not None and counts["done"] == counts["asked"]:
            try:
                verdict = judged(experiment, table)
            except SpecError as error:
                mistake = str(error)
            if verdict == PASSED and counts["faults"] + counts["failed"]:  # of what went wrong nothing follows
                verdict = UNDECIDED
            if verdict:
                file.judge(name, scale, verdict)
        return Outcome(
            name,
            scale,
            experiment.about,
            table,
            stopped,
            work.played,
            seconds,
            counts,
            experiment.criterion,
            verdict,
            file.errors(name, scale),
            lost_by(file, name, scale),
            mistake=mistake,
            versions=dict(chain.from_iterable(v.items() for v in work.plan.versions)),
            spent=file.seconds(name, scale),
        )


class _Runs:
    """The runs of an experiment at a scale, and which of them are missing."""

    def __init__(self, experiment: Experiment, name: str, scale: str, file: Store, folder: str, again: bool = False):
        self.experiment, self.file, self.played = experiment, file, 0
        self.named = [*experiment.table_by(scale, folder), *experiment.where, experiment.measure]
        shop = Shop(folder)
        cells = require_declared(experiment, scale, shop, file)
        versions = [cell.task.versions(shop) for cell in cells]
        settings = [(cell.columns, cell.task, v, cell.runs) for cell, v in zip(cells, versions, strict=True)]
        ids = file.declare(name, scale, experiment.about, facts_of(experiment, scale, cells, folder), settings)
        if again:
            leave_out_failed(file, name, scale)
        most: dict[int, tuple[Cell, dict[str, str], int]] = {}
        for cell, version, number in zip(cells, versions, ids, strict=True):  # settings may share a cell
            runs = max(cell.runs, most[number][2] if number in most else 0)
            most[number] = cell, version, runs
        self.ids = list(most)
        self.plan_columns = [cell.columns for cell, _, _ in most.values()]
        self.plan = Plan(tuple(c.task for c, _, _ in most.values()), tuple(v for _, v, _ in most.values()), folder)
        done = [file.done(number) for number in self.ids]
        self.total = sum(runs for _, _, runs in most.values())
        self.missing = [Undone(runs, there) for (_, _, runs), there in zip(most.values(), done, strict=True)]
        self.left = sum(map(len, self.missing))
        self.failed = {(number, run) for number in self.ids for run in file.failed(number)}
        """Runs that had failed before, and are to be done again."""
        self.elsewhere: list[int] = []
        """Runs that other processes are at."""
        self.pace, self.lengths = Pace(), Lengths([len(runs) for runs in self.missing])

    def do_all(
        self,
        doing: Callable[[Iterator[int]], Stream],
        ends: float | None,
        progress: Progress | None,
    ) -> str:
        """Do what is missing, in the way of `doing`, and wait for what others are at; what they leave is done, too.
        Returns why it ended."""
        numbers = self.claimed()
        try:
            while True:
                if (first := next(numbers, None)) is not None:
                    why = self.do(doing(chain([first], numbers)), ends, progress)
                    if why != "done":
                        return why
                why, left = self._left_by_others(ends, progress)
                if not left:
                    return why
                numbers = iter(left)
        except KeyboardInterrupt:
            return "interrupted"

    def claimed(self, block: int = 16) -> Iterator[int]:
        """The missing runs that this process is to do, so many of a setting before the next one's, claimed some at a
        time: about as many as take it CLAIM_SECONDS."""
        numbers, size = in_turn(self.plan, self.missing, block), 1
        while asked := list(islice(numbers, size)):
            began = time.monotonic()
            yield from self._claim(asked)
            took = time.monotonic() - began
            if took < CLAIM_SECONDS / 2:
                size = min(2 * size, FLUSH_ROWS)
            elif took > CLAIM_SECONDS:
                size = max(size // 2, 1)

    def _claim(self, numbers: list[int]) -> list[int]:
        runs = {(self.ids[task], run): n for n in numbers for task, run in [self.plan.place(n)]}
        mine, others = self.file.claim(list(runs), self.failed)
        self.failed.difference_update(others)  # should they fail again, it is since this process began
        self.elsewhere += [runs[one] for one in others]
        self.left -= len(numbers) - len(mine) - len(others)
        return [runs[one] for one in mine]

    def _left_by_others(self, ends: float | None, progress: Progress | None) -> tuple[str, list[int]]:
        """Wait until what others are at is done, or until some of it is left to this process, as they stopped or died.
        Returns why it ended, and what is left."""
        while self.elsewhere:
            asked, self.elsewhere = self.elsewhere, []
            if mine := self._claim(asked):
                return "done", mine
            if ends is not None and time.monotonic() > ends and self.elsewhere:
                return "budget", []
            if progress is not None:
                progress("other processes are at what is left", self.total - self.left + self.played, self.total)
            if self.elsewhere:
                time.sleep(LOOK_SECONDS)
        return "done", []

    def _require_columns(self, number: int, found: Found) -> None:
        """Once the first run is there, it tells whether the table can be made."""
        if self.named and found.found is not None:
            columns = self.plan_columns[self.plan.place(number)[0]]
            require_apart(columns, found.found)
            for row in observations(flat(columns | {"run": 0, "deal": 0, "seed": 0}, found.found), everyone=True):
                for name in self.named[:-1]:
                    column_of(row, name)
                measure_of(row, self.named[-1])
            self.named = []

    def do(self, stream: Stream, ends: float | None, progress: Progress | None) -> str:
        """Write down what comes; returns why it ended."""
        written = looked = self.pace.last = time.monotonic()
        left = ""
        ready: list[tuple[int, Found]] = []
        try:
            with at_stake(), closing(stream) as results:  # type: ignore[type-var]
                for come in results:
                    now = time.monotonic()
                    if not isinstance(come, Waiting):
                        number, found = come
                        task = self.plan.place(number)[0]
                        ready.append((self.ids[task], found))
                        self.played += 1
                        self.pace.heard(task, now)
                        self.lengths.heard(task, found.seconds)
                        self._require_columns(number, found)
                        if found.found is not None:
                            require_within(self.experiment, self.plan_columns[task], found.found)
                    if ready and (now - written > FLUSH_SECONDS or len(ready) >= FLUSH_ROWS):
                        self.file.add(ready)
                        ready, written = [], now
                    if progress is not None:
                        if now - looked >= LOOK_SECONDS or not left:
                            left, looked = f"{self._time_left(ends)} left", now
                        why = come.why if isinstance(come, Waiting) else ""
                        progress(why or left, self.total - self.left + self.played, self.total)
                    if ends is not None and now > ends and self.played < self.left:
                        return "budget"
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            if ready:
                self.file.add(ready)
        return "done"

    def _time_left(self, ends: float | None) -> str:
        """An estimate, and no more than there is."""
        each, most = self.pace.each, math.inf if ends is None else max(ends - time.monotonic(), 0.0)
        if each is None or not self.pace.known:
            return "some time" if ends is None else f"at most {span(most)}"
        return span(min(each * (self.left - self.played), most))


def is_begun(name: str, store: str | Path, scale: str) -> bool:
    """Whether a store has runs of an experiment."""
    if not Path(store).is_file():
        return False
    with Store(store) as file:
        counts = file.counts(name, scale)
    return counts["done"] + counts["failed"] > 0


def table_of(experiment: Experiment, file: Store, name: str, scale: str) -> Table:
    """The declared table, of what the store has."""
    facts = {d.scale: d.facts for d in file.experiments() if d.name == name}[scale]
    rows = selected(observations(file.rows(name, scale)), experiment.where.items())
    rows = last_points(rows) if experiment.kind == "tuning" else rows
    return tabulate(
        rows,
        facts["by"],
        experiment.measure,
        printed=experiment.printed,
        bounds=bounds_of(facts, experiment.measure),
        interval=interval_of(facts),
        off=experiment.off,
    )


def facts_of(experiment: Experiment, scale: str, cells: list[Cell], folder: str) -> dict[str, Any]:
    """What a reader of the store must know to make the table again."""
    found = {
        "kind": experiment.kind,
        "by": list(experiment.table_by(scale, folder)),
        "measure": experiment.measure,
        "source": experiment.source,
        "criterion": experiment.criterion,
        "seed": experiment.seed,
        "deterministic": experiment.deterministic,
        "off": experiment.off,
        "where": dict(experiment.where),
        "printed": [[list(k) if isinstance(k, tuple) else [k], *parts_of(v)] for k, v in experiment.printed.items()],
    }
    if isinstance(of := getattr(experiment, "of", None), Experiment):
        found |= {
            "of": of.kind,
            "minimise": getattr(experiment, "minimise", False),
            "over": getattr(experiment, "over", ""),
        }
    if experiment.bounds is not None:
        found["bounds"] = [end if math.isfinite(end) else None for end in experiment.bounds]
    games = {cell.task.game for cell in cells if isinstance(cell.task, MatchTask)}
    if games:
        ranges = [r for spec in games if (r := load(resolved(spec, folder)).about.utility) is not None]
        if len(ranges) == len(games):
            found["utility"] = [min(low for low, _ in ranges), max(high for _, high in ranges)]
    return found


def scales_to(experiment: Experiment, largest: str) -> list[str]:
    """The scales of an experiment, up to this one."""
    allowed = SCALES[: SCALES.index(given.choice("scale", largest, SCALES)) + 1]
    return [scale for scale in allowed if scale in experiment.scales]


def fitting(
    experiment: Experiment,
    name: str,
    file: Store,
    largest: str,
    ends: float,
    hands: Hands,
    folder: str,
    progress: Progress | None = None,
) -> str:
    """The largest scale, up to `largest`, that will be done at `ends` (time.monotonic), as far as two runs of each of
    its settings tell; at least the smallest, which is not tried. These runs have a fifth of the time that is left once
    there are processes to do them (LOOK), and are given up when it is over; those that were done by then are written
    down. They are the first that no other process is at: where others are at all that is left, a scale is not known to
    fit."""
    known = scales_to(experiment, largest)
    best = known[0] if known else next(iter(experiment.scales))
    for scale in known[1:]:
        if time.monotonic() >= ends:
            break
        work = _Runs(experiment.settled(scale), name, scale, file, folder)
        if work.left and not _fits(work, ends, hands, _trying(scale, progress)):
            break
        best = scale
    return best


def _fits(work: _Runs, ends: float, hands: Hands, progress: Progress | None) -> bool:
    few = 2 * sum(map(bool, work.missing))
    hands.begin(work.plan, few, ends)  # how long that takes tells nothing of the runs
    now = time.monotonic()
    if now >= ends:
        return False
    tried, count = now + (ends - now) / LOOK, hands.count
    numbers = takewhile(
        lambda _: work.lengths.all_left(count, 0.0) < ends - time.monotonic(), islice(work.claimed(block=1), few)
    )
    why = work.do(hands.do(work.plan, numbers, few, tried), tried, progress)
    work.file.leave()
    if why == "interrupted":
        raise KeyboardInterrupt
    waited = time.monotonic() - work.pace.last  # so long at least takes what did not come
    unknown = max(work.lengths.longest, waited)
    return work.left == work.played or work.lengths.all_left(hands.count, unknown) < ends - time.monotonic()


def _trying(scale: str, progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda what, done, total: progress(f"trying {scale}, {what}", done, total)
