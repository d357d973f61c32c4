"""The table of solvers. A new one is a row here and a module beside this one."""

import difflib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from fogspiel.engine.part import Part
from fogspiel.errors import SpecError
from fogspiel.game.load import file_and_parameters
from fogspiel.game.needs import TWO_PLAYERS, Asks, Need
from fogspiel.game.parts import PartOf, misplaced, part
from fogspiel.game.spec import Number, Parameter, Whole, joined, read_parameters, split_spec, suggestion, write_spec
from fogspiel.given import shown
from fogspiel.solvers.cfr.variants import CFR, VARIANTS, Variant
from fogspiel.solvers.mccfr.schemes import SCHEMES
from fogspiel.solvers.mccfr.solver import Sampling
from fogspiel.solvers.needs import KNOWN_STATES, ONE_SIDED_GAMES, OPPOSED, SEQUENCE_FORM, SIMULTANEOUS, STAGES, UNROLLS
from fogspiel.solvers.own import Own, OwnSolver, holds_solver, is_own, read_own
from fogspiel.solvers.solver import Exact, Solver, Task


@dataclass(frozen=True)
class Entry:
    """A solver's name in the registry: what it is, what games it is for, and how to make one: `make(task, parameters)`.

    `form`: it works on the sequence form, which its task has then. `exact`: it finds all in its first iteration, and so
    takes no limits and has no checkpoints. `sampled`: it draws random numbers, in one thread or several. `posgs`: it
    works on one-sided POSGs. `own`: a person's own.

    What it `needs` of a game (`solvers/needs.py`), and what the parts need that were asked for, is seen to before
    anything is unrolled (`solvers/suit.py`), and where a game is unrolled, once more by the tree. `instead` names
    what suits a game that it does not, where that is not to be found out.
    """

    about: str
    games: str
    parameters: tuple[Parameter | PartOf, ...]
    make: Callable[[Task, dict[str, Any]], Solver]
    form: bool = False
    exact: bool = False
    sampled: bool = False
    posgs: bool = False
    own: Own | None = None
    needs: tuple[Need, ...] = ()
    instead: str = ""

    @property
    def asks(self) -> Asks:
        """What the parts need that can be asked for."""
        return {
            p.name: {word: p.by_word(word, {}).needs for word in p.words}
            for p in self.parameters
            if isinstance(p, PartOf)
        }

    @property
    def tree(self) -> bool:
        """Whether it unrolls the game."""
        return UNROLLS in self.needs

    @property
    def kind(self) -> str:
        """What lists of solvers call it."""
        return "exact" if self.exact else "sampled" if self.sampled else "iterative"


ANY = "any number of players, general sum"
ZERO_SUM = "two players, zero sum"


Make = Callable[[Task, dict[str, Any]], Solver]


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function or class whose module is imported when it is first used."""
    return lambda *given: getattr(import_module(f"fogspiel.solvers.{module}"), name)(*given)


def _on_form(module: str, name: str) -> Make:
    """A class that is given the sequence form and the parameters."""
    made = _later(module, name)
    return lambda task, parameters: made(task.required_form, parameters)


def _exact(module: str, name: str) -> Make:
    """A function that is given the task and the parameters, and returns a `Solution`."""
    find = _later(module, name)
    return lambda task, parameters: Exact(task, find, parameters)


def _cfr(variant: Variant) -> Make:
    return lambda task, parameters: CFR(task.required_form, variant, parameters)


def _sampled(name: str) -> Make:
    return lambda task, parameters: Sampling(
        task.game, name, parameters, form=task.form, seed=task.seed, memory=task.memory, threads=task.threads
    )


SOLVERS: dict[str, Entry] = {
    **{name: Entry(v.about, ANY, v.parameters, _cfr(v), form=True, needs=v.needs) for name, v in VARIANTS.items()},
    **{
        name: Entry(s.about, s.games, s.parameters, _sampled(name), sampled=True, needs=s.needs, instead=s.instead)
        for name, s in SCHEMES.items()
    },
    "xfp": Entry(
        "extensive-form fictitious play (Heinrich et al. 2015)",
        ANY,
        (),
        _on_form("iterative.fictitious", "ExtensiveFictitiousPlay"),
        form=True,
        needs=SEQUENCE_FORM,
    ),
    "fp": Entry(
        "fictitious play on the normal form (Brown 1951)",
        "two players, small",
        (Whole("most", 2_000, 1, 10**7, "most pure strategies a player may have"),),
        _on_form("iterative.fictitious", "FictitiousPlay"),
        form=True,
        needs=(TWO_PLAYERS, *SEQUENCE_FORM),
    ),
    "egt": Entry(
        "excessive gap technique (Nesterov 2005; Hoda et al. 2010)",
        ZERO_SUM,
        (
            Number(
                "aggressive",
                1,
                0,
                1,
                "1: shrink as fast as the gap condition allows; 0: only as fast as the theory does",
            ),
        ),
        _on_form("iterative.egt", "ExcessiveGap"),
        form=True,
        needs=OPPOSED,
    ),
    "lp": Entry(
        "sequence-form linear program (von Stengel 1996)",
        ZERO_SUM,
        (),
        _exact("exact.lp", "solve_sequence_form"),
        form=True,
        exact=True,
        needs=OPPOSED,
    ),
    "lp-one-sided": Entry(
        "linear program over information sets and states (Veselý 2024)",
        "one player sees everything (rule markov), zero sum",
        (),
        _exact("posg.one_sided", "solve_one_sided"),
        exact=True,
        needs=ONE_SIDED_GAMES,
    ),
    "do": Entry(
        "double oracle: linear programs on growing restricted games (Bošanský et al. 2014)",
        ZERO_SUM,
        (),
        _exact("exact.double_oracle", "solve_double_oracle"),
        form=True,
        exact=True,
        needs=OPPOSED,
    ),
    "lp-normal": Entry(
        "normal-form linear program",
        "two players, zero sum, small",
        (Whole("most", 2_000, 1, 10**7, "most pure strategies a player may have"),),
        _exact("exact.lp", "solve_normal_form"),
        form=True,
        exact=True,
        needs=OPPOSED,
    ),
    "backward-induction": Entry(
        "backward induction with a matrix game at each stage",
        "simultaneous moves with known states, zero sum",
        (),
        _exact("exact.induction", "solve_stages"),
        exact=True,
        needs=STAGES,
    ),
    "do-alpha-beta": Entry(
        "double-oracle alpha-beta search: serialized bounds, and at each stage a double oracle (Bošanský et al. 2013)",
        "simultaneous moves with known states, zero sum; no tree needed",
        (),
        _exact("simultaneous.do_alpha_beta", "solve_simultaneous"),
        exact=True,
        needs=SIMULTANEOUS,
    ),
    "value-iteration": Entry(
        "value iteration over the graph of states",
        "perfect information, zero sum, cycles allowed",
        (Number("accuracy", 1e-12, 0, 1, "stop when no value changes by more of the largest payoff"),),
        _exact("exact.value_iteration", "solve_graph"),
        exact=True,
        needs=KNOWN_STATES,
    ),
    "hsvi": Entry(
        "heuristic search value iteration: bounds on the value from both sides (Horák et al. 2023)",
        "one-sided POSGs",
        (
            Number("share", 0.5, 0.01, 0.99, "which share of the gap a trial aims at"),
            Number("neighbourhood", 1e-6, 0, 1, "D: how near beliefs count as one in the excess that is excused"),
        ),
        lambda task, parameters: _later("posg.hsvi", "HSVI")(task.source, parameters),
        posgs=True,
        needs=ONE_SIDED_GAMES,
    ),
}


def _own(own: Own) -> Entry:
    """A solver of a person's own. On the rules alone it is driven as the sampling solvers are."""
    unrolled = own.form != "rules"
    return Entry(
        own.about,
        "",
        own.parameters,
        lambda task, values: OwnSolver(task, own, values),
        form=unrolled,
        sampled=not unrolled,
        own=own,
        needs=own.needs,
    )


def is_solver(spec: str) -> bool:
    """Whether a spec is of a solver, rather than of an agent."""
    file = file_and_parameters(spec)[0]
    return split_spec(spec)[0] in SOLVERS if file is None else holds_solver(file)


def read_solver(text: Any, **given: Any) -> tuple[str, Entry, dict[str, Any]]:
    """A solver spec such as `dcfr(alpha=2)`, or a person's own (`solvers/own.py`), as its canonical spec, its entry and
    its parameters."""
    name, entry, written = _named(text)
    return _read(name, entry, joined(name, entry.parameters, written, given))


def read_run(
    text: Any, iterations: int | None, function: Callable[..., Any] | None = None, **given: Any
) -> tuple[str, Entry, dict[str, Any]]:
    """The same for a run of so many iterations: they are a schedule's `horizon` unless that is given. `function`: whose
    arguments, beside its own, the parameters by name are."""
    name, entry, written = _named(text)
    if function is not None:
        _require_no_slip(entry, given, function)
    parameters = joined(name, entry.parameters, written, given)
    return _read(name, entry, parameters if iterations is None else _with_horizon(entry, parameters, iterations))


def _with_horizon(entry: Entry, given: dict[str, Any], iterations: int) -> dict[str, Any]:
    """The parameters given, with the horizon of a schedule, its own or that of a part, where there is none."""
    for p in entry.parameters:
        if p.name == "horizon":
            given = {"horizon": iterations} | given
        elif isinstance(p, PartOf) and p.name in given and not isinstance(given[p.name], Part):
            wanted = part(given[p.name])
            file, written = file_and_parameters(wanted.what) if isinstance(wanted.what, str | Path) else (None, {})
            if file is None and isinstance(wanted.what, str):
                written = split_spec(wanted.what)[1]
            has = "horizon" in {q.name for q in p.read(wanted).parameters}
            if has and "horizon" not in {**written, **wanted.values}:
                given = given | {p.name: part(wanted, horizon=iterations)}
    return given


def _named(text: Any) -> tuple[str, Entry, dict[str, Any]]:
    if is_own(text):
        own, given = read_own(text)
        return own.label, _own(own), given
    wanted = part(text)
    name, written = split_spec(wanted.what)
    if name not in SOLVERS:
        raise SpecError(f"there is no algorithm {shown(name)}{suggestion(name, SOLVERS)}")
    return name, SOLVERS[name], {**written, **wanted.values}


def _read(name: str, entry: Entry, given: dict[str, Any]) -> tuple[str, Entry, dict[str, Any]]:
    known = [p.name for p in entry.parameters]
    for flat in given.keys() - set(known):
        if where := misplaced(name, entry.parameters, flat):
            raise SpecError(f"{name} has no parameter {flat}{where}")
    parameters = read_parameters(name, entry.parameters, given)
    usual = {p.name: p.default for p in entry.parameters}
    return write_spec(name, entry.parameters, parameters, usual), entry, parameters


def _require_no_slip(entry: Entry, given: Iterable[str], function: Callable[..., Any]) -> None:
    """Raise SpecError where a parameter, given by name, is none of the solver's and is nearest to an argument of the
    function's own."""
    known = [p.name for p in entry.parameters]
    own = [n for n, p in inspect.signature(function).parameters.items() if p.kind is not p.VAR_KEYWORD]
    for name in given:
        near = [] if name in known else difflib.get_close_matches(name, [*known, *own], n=1)
        if near and near[0] in own:
            raise SpecError(f"{function.__name__} has no argument {name}; did you mean {near[0]}?")
