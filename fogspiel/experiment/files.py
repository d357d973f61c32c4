"""Experiments in files: every value of a module that is one, by its name."""

from pathlib import Path

from fogspiel.errors import FogspielError, GameError, SpecError
from fogspiel.experiment.design import Experiment
from fogspiel.game.load import module_from
from fogspiel.game.spec import suggestion


def read_experiments(path: str | Path) -> dict[str, Experiment]:
    """The experiments of a file. One alone has the file's name; of several each has the name of its variable after
    that."""
    path = Path(path)
    try:
        module = module_from(path, "experiment")
    except GameError as error:
        raise FogspielError(str(error)) from error
    found = {name: value for name, value in vars(module).items() if isinstance(value, Experiment)}
    if not found:
        raise SpecError(
            f"{path} has no experiment: it needs a value such as Matches(about=..., games=..., agents=..., scales=...)"
        )
    if len(found) == 1:
        return {path.stem: next(iter(found.values()))}
    return {f"{path.stem}/{name}": value for name, value in found.items()}


def chosen(path: str | Path, names: list[str]) -> dict[str, Experiment]:
    """The experiments of a file that are named, or all of them."""
    there = read_experiments(path)
    short = {name.partition("/")[2] or name: name for name in there}
    for name in names:
        if name not in there and name not in short:
            raise SpecError(f"{path} has no experiment {name!r}{suggestion(name, short)}")
    return {full: there[full] for full in (short.get(name, name) for name in names)} if names else there
