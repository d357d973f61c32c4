"""Solvers of a person's own: a class in a file, `my_solver.py(step=0.1)`, or the class itself.

It is made of the game in the form that it declares, FORM = "rules", "tree" or "sequence form", of its parameters, and
where it has arguments of these names of `seed` and `memory`. It does iterations, `iterate()` or so many of them
`iterate(n)`, and tells its `strategy()`. What drives it (limits, curve, checkpoints, Ctrl-C) is that of all solvers.
"""

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.identity import identity
from fogspiel.errors import GameError, PartError
from fogspiel.game.declared import read_declared
from fogspiel.game.load import file_and_parameters, module_from
from fogspiel.game.needs import Need
from fogspiel.game.parts import Wanted
from fogspiel.game.spec import Number, Parameter, Text, Whole
from fogspiel.game.written import version_of_file
from fogspiel.given import shown
from fogspiel.solvers.needs import SEQUENCE_FORM
from fogspiel.solvers.parts import told
from fogspiel.solvers.solver import Solver, Task, whole
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.payoffs import ranges

FORMS = ("rules", "tree", "sequence form")
FROM_US = ("seed", "memory")
"""Arguments of a solver that are no parameters of it."""
WHAT = "a class with FORM and the methods iterate and strategy"


@dataclass(frozen=True)
class Own:
    """A solver of a person's own, as it was found: its class under the name by which it is asked for."""

    label: str
    made_by: type
    file: Path | None
    parameters: tuple[Parameter, ...]

    @property
    def form(self) -> str:
        return getattr(self.made_by, "FORM", "")

    @property
    def about(self) -> str:
        return " ".join((self.made_by.__doc__ or "").strip().partition("\n\n")[0].split())

    @property
    def needs(self) -> tuple[Need, ...]:
        return tuple(getattr(self.made_by, "NEEDS", SEQUENCE_FORM if self.form != "rules" else ()))

    @property
    def tells_state(self) -> bool:
        return all(hasattr(self.made_by, name) for name in ("state", "restore"))

    @property
    def methods(self) -> list[FunctionType]:
        return [f for one in self.made_by.__mro__ for f in vars(one).values() if isinstance(f, FunctionType)]

    @property
    def version(self) -> str:
        """Tells versions of it apart. Raises PartError where nothing could."""
        if self.file is not None:
            return version_of_file(self.file)
        try:
            return identity([self.made_by])[:16]
        except ValueError as error:
            raise PartError(f"{self.label} cannot be kept or sent: {error}; write it into a file") from None


def is_own(asked: Any) -> bool:
    """Whether a solver is asked for by a file, or is an object."""
    asked = asked.what if isinstance(asked, Wanted) else asked
    return not isinstance(asked, str) or file_and_parameters(asked)[0] is not None


def holds_solver(file: Path) -> bool:
    """Whether there is a solver in a file, rather than an agent, by what is written there."""
    try:
        classes = [one for one in ast.parse(file.read_bytes()).body if isinstance(one, ast.ClassDef)]
    except (OSError, SyntaxError, ValueError):
        return False
    return any({"iterate", "strategy"} <= {f.name for f in c.body if isinstance(f, ast.FunctionDef)} for c in classes)


def read_own(asked: Any) -> tuple[Own, dict[str, Any]]:
    """A solver of a person's own, and what is written of its parameters."""
    wanted = asked if isinstance(asked, Wanted) else Wanted(asked, {})
    what, file = wanted.what, None
    given: dict[str, str] = {}
    if isinstance(what, str | Path):
        file, given = file_and_parameters(what)
        if file is None:
            raise PartError(f"{what} is no file with a solver")
        what = _module(file)
    if not isinstance(what, type | ModuleType):
        raise PartError(f"{shown(what)} is no solver: give {WHAT}, a module or a file that has one")
    label = str(file) if file is not None else what.__name__
    if isinstance(what, ModuleType):
        file = file if file is not None or what.__file__ is None else Path(what.__file__)
        what = _of_module(what, label)
    for name in ("iterate", "strategy"):
        if not callable(getattr(what, name, None)):
            raise PartError(f"{label} is no solver: it has no method {name}; a solver is {WHAT}")
    if getattr(what, "FORM", "") not in FORMS:
        raise PartError(
            f"{label}: FORM must say what {what.__name__} works on, "
            f"{', '.join(map(repr, FORMS[:-1]))} or {FORMS[-1]!r}, not {shown(getattr(what, 'FORM', None))}"
        )
    return Own(label, what, file, _parameters(what, label)), {**given, **wanted.values}


def _module(file: Path) -> ModuleType:
    try:
        return module_from(file, "solver")
    except GameError as error:
        raise PartError(str(error)) from error


def _looks_so(one: Any) -> bool:
    return isinstance(one, type) and all(callable(getattr(one, name, None)) for name in ("iterate", "strategy"))


def _of_module(module: ModuleType, label: str) -> type:
    found = [one for one in vars(module).values() if _looks_so(one) and one.__module__ == module.__name__]
    if len(found) != 1:
        names = ", ".join(one.__name__ for one in found)
        raise PartError(
            f"{label} has {f'several solvers ({names})' if found else 'no solver'}: it needs {WHAT}"
            f"{', one alone' if found else ''}"
        )
    return found[0]


def _parameters(made_by: Any, label: str) -> tuple[Parameter, ...]:
    """Those that are declared as PARAMETERS; else the arguments after the game that have defaults."""
    if hasattr(made_by, "PARAMETERS"):
        return read_declared(made_by, label, PartError)
    arguments = [*inspect.signature(made_by).parameters.values()][1:]
    return tuple(
        _parameter(a.name, a.default, label)
        for a in arguments
        if a.name not in FROM_US and a.kind in (a.POSITIONAL_OR_KEYWORD, a.KEYWORD_ONLY)
    )


def _parameter(name: str, default: Any, label: str) -> Parameter:
    if isinstance(default, int) and not isinstance(default, bool):
        return Whole(name, default, -(2**53), 2**53, "")
    if isinstance(default, float):
        return Number(name, default, -math.inf, math.inf, "")
    if isinstance(default, str):
        return Text(name, default, "")
    raise PartError(f"{label}: the argument {name} needs a default that is a number or text, or say it in PARAMETERS")


class OwnSolver(Solver):
    """A solver of a person's own at work."""

    def __init__(self, task: Task, own: Own, values: Mapping[str, Any]):
        super().__init__(task.game, task.form)
        self.own, self._game = own, task.game
        if task.threads != 1:
            raise PartError(f"{own.label} runs in one thread")
        known = inspect.signature(own.made_by).parameters
        given = {name: getattr(task, name) for name in FROM_US if name in known}
        form: Any = task.game
        if own.form != "rules":
            assert task.form is not None
            form = task.form if own.form == "sequence form" else task.form.tree
        self.made = self._ask(own.made_by, form, **values, **given)
        takes = inspect.signature(self.made.iterate).parameters
        self._at_once = any(p.default is p.empty for p in takes.values())

    def _ask(self, method: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        with told(*self.own.methods):
            return method(*arguments, **named)

    def advance(self, iterations: int) -> None:
        if self._at_once and iterations:
            self._ask(self.made.iterate, iterations)
            self.iterations += iterations
            return
        for _ in range(iterations):
            self._ask(self.made.iterate)
            self.iterations += 1

    @property
    def touched(self) -> int:
        return int(getattr(self.made, "touched", 0))

    def measure(self) -> float | None:
        return None if self.form is None or not self.form.tree.perfect_recall else super().measure()

    def answer(self) -> Strategy:
        found = self._ask(self.made.strategy)
        if isinstance(found, Strategy):
            found.require(self._game)
            return found
        if isinstance(found, Mapping):
            return self._by_key(found)
        if self.own.form == "rules":
            raise self._wrong("a Strategy, or a dictionary {(player, key): {move: weight}}", found)
        form = self.form
        assert form is not None
        size, what = (
            (form.sequences, "for each sequence")
            if self.own.form == "sequence form"
            else (len(form.tree.move), "for each action")
        )
        array = np.asarray(found, dtype=float) if isinstance(found, np.ndarray | list | tuple) else np.zeros(0)
        if array.shape != (size,) or not np.all(array >= 0) or not np.all(np.isfinite(array)):
            raise self._wrong(f"a Strategy, or an array of {size} weights, one {what}", found)
        if self.own.form == "sequence form":
            return Strategy.from_behaviour(form, form.behaviour(array))
        tree = form.tree
        weight = array[ranges(tree.first, tree.count)]
        return Strategy.build(tree.game, tree.player, tree.key, tree.count, tree.move, _shares(weight, tree.count))

    def _wrong(self, expected: str, found: Any) -> PartError:
        return PartError(f"{self.own.label}: strategy() must return {expected}, not {shown(found)}")

    def _by_key(self, found: Mapping[Any, Any]) -> Strategy:
        """From a dictionary: by player and key the weight of each move."""
        rows = [(int(player), int(key) % 2**64, moves) for (player, key), moves in found.items() if moves]
        count = np.array([len(moves) for *_, moves in rows], np.int64)
        weight = np.array([w for *_, moves in rows for w in moves.values()], float)
        if not np.all(weight >= 0) or not np.all(np.isfinite(weight)):
            raise self._wrong("weights of at least 0", found)
        return Strategy.build(
            self._game,
            np.array([player for player, *_ in rows], np.int64),
            np.array([key for _, key, _ in rows], np.uint64),
            count,
            np.array([m for *_, moves in rows for m in moves], np.int64),
            _shares(weight, count),
        )

    def snapshot(self) -> dict[str, Any]:
        state = self._ask(self.made.state)
        if not isinstance(state, Mapping):
            raise PartError(f"{self.own.label}: state() must return a dictionary of arrays and numbers")
        return {"iterations": self.iterations} | {f"own {name}": np.asarray(value) for name, value in state.items()}

    def restore(self, snapshot: dict[str, Any]) -> None:
        self._ask(self.made.restore, {n.removeprefix("own "): v for n, v in snapshot.items() if n != "iterations"})
        self.iterations = whole(snapshot["iterations"], "iterations")


def _shares(weight: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Each weight's share of its row's; all alike where there is none."""
    row = np.repeat(np.arange(len(count)), count)
    total = np.bincount(row, weight, len(count))[row]
    return np.where(total > 0, weight / np.where(total > 0, total, 1.0), 1.0 / count[row])
