"""Experiments in files: every value of a module that is one, by its name."""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from fogspiel.errors import FogspielError, GameError, SpecError
from fogspiel.experiment.design import Curves, Experiment, Matches, Measurements
from fogspiel.experiment.tuning import Tuning
from fogspiel.game.load import module_from
from fogspiel.game.spec import suggestion

SQLITE = b"SQLite format 3\0"
"""How a file of results begins."""


def read_experiments(path: str | Path) -> dict[str, Experiment]:
    """The experiments of a file. One alone has the file's name; of several each has the name of its variable after
    that."""
    return _by_name(Path(path), _by_variable(Path(path)))


def _by_name(path: Path, found: Mapping[str, Experiment]) -> dict[str, Experiment]:
    if len(found) == 1:
        return {path.stem: next(iter(found.values()))}
    return {f"{path.stem}/{name}": value for name, value in found.items()}


def _by_variable(path: Path) -> dict[str, Experiment]:
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(SQLITE)) == SQLITE:
                raise SpecError(f"{path} is a file of results, not of experiments; see: fogspiel results table {path}")
    try:
        module = module_from(path, "experiment")
    except GameError as error:
        place, imported, _ = str(error).partition(": the file cannot be imported: ")
        if imported and (told := _declared_wrong(error.__cause__)):
            raise SpecError(f"{place}: {told}") from error
        raise FogspielError(str(error)) from error
    found = {name: value for name, value in vars(module).items() if isinstance(value, Experiment)}
    if not found:
        raise SpecError(
            f"{path} has no experiment: it needs a value such as Matches(about=..., games=..., agents=..., scales=...)"
        )
    return found


def _declared_wrong(error: BaseException | None) -> str:
    """What is wrong with a declaration; nothing, where something else is wrong with the file."""
    if isinstance(error, FogspielError):
        return str(error)
    unknown = re.search(r"(\w+)\.__init__\(\) got an unexpected keyword argument '(\w+)'", str(error))
    kinds = {kind.__name__: kind for kind in (Matches, Curves, Measurements, Tuning)}
    if unknown is None or unknown[1] not in kinds:
        return ""
    known = [one.name for one in fields(kinds[unknown[1]])]
    return f"{unknown[1]} has no {unknown[2]}{suggestion(unknown[2], known)}"


def left_out(asked: Mapping[str, Experiment], scale: str) -> list[str]:
    """Those of some experiments that have not this scale. Raises SpecError where none has it."""
    without = [name for name, one in asked.items() if scale not in one.scales]
    if len(without) == len(asked):
        there = dict.fromkeys(known for one in asked.values() for known in one.scales)
        raise SpecError(f"there is no scale {scale!r}{suggestion(scale, there)}")
    return without


def chosen(path: str | Path, names: list[str]) -> dict[str, Experiment]:
    """The experiments of a file that are named, or all of them but those that a tuning is of. One alone is known by its
    variable, too."""
    path = Path(path)
    found = _by_variable(path)
    there = _by_name(path, found)
    short = dict(zip(found, there, strict=True))
    for name in names:
        if name not in there and name not in short:
            raise SpecError(f"{path} has no experiment {name!r}{suggestion(name, short)}")
    if names:
        return {full: there[full] for full in (short.get(name, name) for name in names)}
    tuned = [one.of for one in there.values() if isinstance(one, Tuning)]
    return {name: one for name, one in there.items() if not any(one is other for other in tuned)}
