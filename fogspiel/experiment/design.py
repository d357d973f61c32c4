"""What an experiment is: a value in a file that says what is played or solved, how often, what was printed, and when it
passes."""

import inspect
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from fogspiel import given
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.deals import Deals, FixedDeals, FreshDeals
from fogspiel.experiment.functions import FunctionRef, went_wrong
from fogspiel.experiment.loader import resolved
from fogspiel.experiment.seating import SEATINGS, Lineup, Seating, require_called, rotations, seat_columns, seated_by
from fogspiel.experiment.tables import OF_CURVES, OF_GAMES, OF_RUNS
from fogspiel.experiment.tasks import CurveTask, MatchTask, MeasureTask, Task
from fogspiel.experiment.words import Named, beside, filled, is_taken, labelled, words_of
from fogspiel.game.load import load
from fogspiel.game.spec import suggestion

if TYPE_CHECKING:
    from fogspiel.experiment.tables import Table
    from fogspiel.experiment.verdict import Answer

SCALES = ("small", "medium", "paper")
"""From a minute on a laptop to the experiment as printed."""

FRESH = FreshDeals()


class Scale:
    """How large an experiment is: how many `runs` each setting has, which `deals` they play or how far their `budgets`
    go (unless as the experiment says), and what else varies: `Scale(1000, budget="seconds=1")` puts `seconds=1`
    wherever a spec string has `{budget}`."""

    def __init__(self, runs: int, *, deals: Deals | int | None = None, budgets: Sequence[int] = (), **words: Any):
        self.runs, self.words, self.budgets = given.whole("runs", runs, 1), words, _budgets(budgets)
        self.deals = given.maybe(_deals, "deals", deals)
        for name, values in words.items():
            if isinstance(values, list | tuple | range):
                require_values(f"the scale's {name}", values)


@dataclass(frozen=True)
class Cell:
    """One setting: what its results are told apart by, what does a run of it, and how many runs there are to be."""

    columns: dict[str, Any]
    task: Task
    runs: int


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """What all experiments declare.

    `about` is a sentence, `source` where it was printed. `scales` has some of small, medium and paper. `grid` has lists
    of values, each for a `{word}` in spec strings: every combination is a setting. Tables have a row for every value of
    the columns `by`, with the mean of `measure` over the rows that have the values of `where`; `printed` has numbers by
    the same values. `criterion` says in words when the experiment passes, and `passes` is a function from the table to
    whether it does, or to None where it cannot tell yet. All random numbers come from `seed`; where there are none
    (`deterministic=True`) means have no intervals. `off` is taken off every mean, such as a game's value. `bounds` are
    those of the measure, (0, math.inf) of what is never negative, where they do not follow from its name; intervals end
    there.
    """

    about: str
    scales: Mapping[str, Scale]
    source: str = ""
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    by: Sequence[str] = ()
    measure: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[Any, float] = field(default_factory=dict)
    criterion: str = ""
    passes: "Callable[[Table], Answer] | None" = None
    seed: int = 1
    deterministic: bool = False
    off: float = 0.0
    bounds: tuple[float, float] | None = None

    kind = ""
    sized_by: ClassVar[tuple[str, ...]] = ()
    """What scales may have beside runs and words."""
    taken: ClassVar[frozenset[str]] = OF_RUNS
    """Columns that rows have in any case, which no word may be."""

    def __post_init__(self) -> None:
        for name in ("about", "source", "measure", "criterion"):
            given.text(name, getattr(self, name))
        given.seed(self.seed)
        given.number("off", self.off)
        given.flag("deterministic", self.deterministic)
        given.maybe(given.function, "passes", self.passes)
        for column in given.several("by", self.by, "a list of columns"):
            given.text("each of by", column)
        if self.bounds is not None:
            ends = [given.number("each of bounds", end, infinite=True) for end in given.several("bounds", self.bounds)]
            if len(ends) != 2 or not ends[0] < ends[1]:
                raise SpecError(f"bounds must be two numbers, the smaller first, not {given.shown(self.bounds)}")
        for name, told in (
            ("scales", "{'small': Scale(100)}"),
            ("grid", "{'n': [1, 2]}"),
            ("where", "{'agent': 'mine'}"),
            ("printed", "{'mine': 0.5}"),
        ):
            if not isinstance(getattr(self, name), Mapping):
                raise SpecError(f"{name} must be a dictionary such as {told}, not {given.shown(getattr(self, name))}")
        for key, value in self.printed.items():
            given.number(f"what is printed for {given.shown(key)}", value)
        if not self.scales or any(name not in SCALES for name in self.scales):
            told = ", ".join(map(str, self.scales)) or "nothing"
            raise SpecError(f"scales must name some of {', '.join(SCALES)}, not {told}")
        for name, size in self.scales.items():
            if not isinstance(size, Scale):
                raise SpecError(f"the scale {name} must be a Scale, such as Scale(100), not {given.shown(size)}")
            self.require_words(f"the scale {name}", size.words)
            for part in ("deals", "budgets"):
                if getattr(size, part) and part not in self.sized_by:
                    raise SpecError(f"the scale {name} has {part}, of which {type(self).__name__} has none")
        for name, values in self.grid.items():
            if not isinstance(values, list | tuple | range):
                raise SpecError(f"the grid's {name} must be a list of values, not {given.shown(values)}")
            require_values(f"the grid's {name}", values)
        self.require_words("the grid", self.grid)
        if bool(self.criterion) != (self.passes is not None):
            raise SpecError("criterion (in words) and passes (a function of the table) belong together")

    def words(self) -> list[str] | None:
        """The words in spec strings; None where others may count, too."""
        return None

    def require_words(self, who: str, given: Iterable[str]) -> None:
        """Raises SpecError for a word that no spec string has, or that is a column of results already."""
        used = self.words()
        for name in given:
            if name in self.taken:
                raise is_taken(who, name)
            if used is not None and name not in used:
                raise SpecError(f"{who} has {name}, and no spec string has {{{name}}}{suggestion(name, used)}")

    def scale(self, name: str) -> Scale:
        if name not in self.scales:
            raise SpecError(f"there is no scale {name!r}{suggestion(name, self.scales)}")
        return self.scales[name]

    def settings(self, scale: str) -> list[dict[str, Any]]:
        """Every combination of the grid's values; a scale's words come before the grid's."""
        varied = {
            name: list(values) if isinstance(values, list | tuple | range) else [values]
            for name, values in (dict(self.grid) | self.scale(scale).words).items()
        }
        return [dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())]

    def varying(self, scale: str) -> list[str]:
        """The words that take more than one value."""
        found = self.settings(scale)
        return [name for name in found[0] if any(one[name] != found[0][name] for one in found)]

    def settled(self, scale: str) -> "Experiment":
        """The experiment with all its settings known: of a tuning, with about the runs that candidates will have."""
        return self

    @abstractmethod
    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        """All settings at this scale. Files that spec strings name are looked for in `folder` first."""

    @abstractmethod
    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        """The columns by which tables tell rows apart."""


@dataclass(frozen=True, kw_only=True)
class Matches(Experiment):
    """Agents play games. `seats` says who sits where (`every_pair`, `rotations`, `against`, `lineups`, `pairings`,
    `teams`), `deals` which deals are played: new ones, a fixed number of them (FixedDeals, or the number), all
    (EveryDeal), or what a function of the setting says. `measure` is points (a draw is half a win), wins (a draw is
    none), percent (points in percent), utility, or aivat: the utility less its corrections (`evaluate/aivat.py`), for
    which `values` must be given, a strategy file or a function of a state that tells what each player may expect there.
    `move_time` is in seconds."""

    games: Named
    agents: Named
    seats: Seating = rotations
    deals: Deals | int | Callable[[dict[str, Any]], Deals] = FRESH
    measure: str = "points"
    move_time: float | None = None
    values: Callable[..., Any] | str | None = None

    kind = "matches"
    sized_by = ("deals",)
    taken = OF_GAMES

    def __post_init__(self) -> None:
        labelled("games", self.games), labelled("agents", self.agents)
        super().__post_init__()
        if not callable(self.seats):
            named = f", without quotes: {self.seats}" if self.seats in SEATINGS else ""
            raise SpecError(f"seats must be one of {', '.join(SEATINGS)}{named}; not {given.shown(self.seats)}")
        require_called(self.seats)
        if isinstance(self.deals, type) or not callable(self.deals):
            object.__setattr__(self, "deals", _deals("deals", self.deals))
        given.maybe(given.seconds, "move_time", self.move_time, above=True)
        if self.values is not None and not isinstance(self.values, str):
            given.function("values", self.values)

    def words(self) -> list[str] | None:
        return None if callable(self.deals) else words_of(self.games, self.agents)

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        size, agents, found = self.scale(scale), labelled("agents", self.agents), []
        dealing = self.deals if size.deals is None else size.deals
        for setting in self.settings(scale):
            deals = _deals_of(setting, dealing) if callable(dealing) else _deals("deals", dealing)
            for label, game in labelled("games", self.games).items():
                spec = filled(game, setting)
                loaded = load(resolved(spec, folder))
                seated = seated_by(self.seats, list(agents), loaded.players)
                for lineup in seated.lineups:
                    specs = tuple(filled(_one(agents, name), setting) for name in lineup.labels)
                    columns = beside(setting, game=filled(label, setting)) | _seated(
                        lineup, seated.roles is not None, setting
                    )
                    task = MatchTask(
                        spec,
                        specs,
                        lineup.labels,
                        self.seed,
                        deals,
                        self.move_time,
                        _reference(seated.roles),
                        _reference(self.values),
                    )
                    found.append(Cell(columns, task, deals.total(loaded, size.runs)))
        return found

    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        if self.by:
            return tuple(self.by)
        games = ["game"] * (len(labelled("games", self.games)) > 1)
        first = filled(next(iter(labelled("games", self.games).values())), self.settings(scale)[0])
        agents, players = list(labelled("agents", self.agents)), load(resolved(first, folder)).players
        seated = seated_by(self.seats, agents, players)
        return (*games, *self.varying(scale), *seated.by)


@dataclass(frozen=True, kw_only=True)
class Curves(Experiment):
    """How exploitable solvers are (NashConv) after so many iterations, or the memory of searching agents after so many
    simulations: each of `players` (solvers or agents) from the start of each game, a run for every seed, measured at
    each of `budgets`. A solver that solves in one go has one point."""

    games: Named
    players: Named
    budgets: Sequence[int] = (1000,)
    measure: str = "nash_conv"

    kind = "curves"
    sized_by = ("budgets",)
    taken = OF_CURVES

    def __post_init__(self) -> None:
        labelled("games", self.games), labelled("players", self.players)
        super().__post_init__()
        _budgets(self.budgets)
        if not self.budgets and not all(size.budgets for size in self.scales.values()):
            raise SpecError("budgets must have a number of iterations or simulations at least")

    def words(self) -> list[str] | None:
        return words_of(self.games, self.players)

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        size, found = self.scale(scale), []
        budgets = size.budgets or _budgets(self.budgets)
        games, players = labelled("games", self.games), labelled("players", self.players)
        for setting, (label, game), (name, player) in itertools.product(
            self.settings(scale), games.items(), players.items()
        ):
            task = CurveTask(filled(game, setting), filled(player, setting), budgets, self.seed, folder)
            columns = beside(setting, game=filled(label, setting), player=filled(name, setting))
            found.append(Cell(columns, task, size.runs))
        return found

    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        games = ["game"] * (len(labelled("games", self.games)) > 1)
        return tuple(self.by) or (*games, *self.varying(scale), "player", "budget")


@dataclass(frozen=True, kw_only=True)
class Measurements(Experiment):
    """Whatever a function measures. `function(seed=..., **setting)` is called for every combination of the grid, `runs`
    times with other seeds, and returns a dictionary of numbers, or of lists of numbers, all as long as each other."""

    function: Callable[..., Mapping[str, Any]]

    kind = "measurements"
    taken = OF_RUNS | {"points"}  # by which rows of games are known

    def __post_init__(self) -> None:
        super().__post_init__()
        given.function("function", self.function)
        if not self.measure:
            raise SpecError("measure must name one of the numbers that the function returns")

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        where = FunctionRef.of(self.function)
        for setting in self.settings(scale)[:1]:
            try:
                inspect.signature(self.function).bind(seed=0, **setting)
            except TypeError as error:
                called = ", ".join(["seed=...", *(f"{name}=..." for name in setting)])
                raise SpecError(f"{where.name} cannot be called as {where.name}({called}): {error}") from None
        return [Cell(one, MeasureTask(where, one, self.seed), self.scale(scale).runs) for one in self.settings(scale)]

    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        return tuple(self.by) or tuple(self.varying(scale))


def require_values(name: str, values: Sequence[Any]) -> None:
    """Raise SpecError where a word is given no value, or one twice, whose runs would count twice."""
    if not len(values):
        raise SpecError(f"{name} must have a value at least")
    _require_once(name, values)


def _require_once(name: str, values: Sequence[Any]) -> None:
    """Numbers are the same however they are written (10 and 10.0), and so is what a spec string would have of them."""
    seen = set[Any]()
    for value in values if not isinstance(values, range) else ():
        number = given.as_number(value)
        alike = {str(value), str(value) if number is None else number}
        if seen & alike:
            raise SpecError(f"{name} has {value} twice")
        seen |= alike


def _deals(name: str, deals: Any) -> Deals:
    """The deals that are meant: a number is that of fixed ones."""
    if isinstance(deals, FreshDeals):
        return deals
    if isinstance(deals, type) and issubclass(deals, FreshDeals):
        raise SpecError(
            f"{name} must be made with brackets, FixedDeals(1000) or EveryDeal(), not {deals.__name__} itself"
        )
    if given.as_whole(deals) is None:
        raise SpecError(f"{name} must be FixedDeals(1000), EveryDeal() or a number of deals, not {given.shown(deals)}")
    return FixedDeals(given.whole(name, deals, 1))


def _deals_of(setting: dict[str, Any], dealing: Callable[[dict[str, Any]], Any]) -> Deals:
    """The deals that a function says."""
    where = f" at {', '.join(f'{name}={value}' for name, value in setting.items())}" if setting else ""
    try:
        said = dealing(setting)
    except FogspielError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(f"deals fails{where}: {went_wrong(error, dealing)}") from error
    return _deals(f"what deals returns{where}", said)


def _budgets(budgets: Sequence[int]) -> tuple[int, ...]:
    found = tuple(given.whole("each budget", b, 1) for b in given.several("budgets", budgets))
    _require_once("budgets", found)
    return found


def _reference(what: Callable[..., Any] | str | None) -> Any:
    return FunctionRef.of(what) if callable(what) else what


def _one(agents: Mapping[str, str], label: str) -> str:
    if label not in agents:
        raise SpecError(f"there is no agent {label!r}{suggestion(label, agents)}")
    return agents[label]


def _seated(lineup: Lineup, by_role: bool, setting: Mapping[str, Any]) -> dict[str, Any]:
    places = seat_columns(len(lineup.labels))
    if by_role:
        places = tuple(f"role {r}" for r in range(len(lineup.labels)))
    labels = [filled(label, setting) for label in lineup.labels]
    return dict(zip(places, labels, strict=True)) | {"subject": lineup.subject}
