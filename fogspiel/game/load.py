"""From a spec string, a file or a module to a game."""

import hashlib
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from fogspiel import given as given_
from fogspiel.errors import GameError, SpecError
from fogspiel.game.beside import AsItIs, folder_importable
from fogspiel.game.first_run import first_run
from fogspiel.game.game import Game
from fogspiel.game.rules import raised_at
from fogspiel.game.spec import joined, split_spec, suggestion

BUILT_IN = "fogspiel.games"
OWN = "fogspiel_user_"
"""How the names of modules from a person's own files begin."""
PACKAGE = str(Path(given_.__file__).parent)

Source = str | Path | ModuleType | Game
"""What every function that takes a game makes one of, by `load`."""


def load(game: "Source", /, *, debug: bool = False, unchecked: bool = False, **parameters: Any) -> Game:
    """A game from a spec string (`goofspiel(cards=5)`), a file (`my_game.py`, `my_game.py(size=3)`) or a module.

    Parameters may also be given by name. `debug` runs the rules un-compiled (slowly), for breakpoints and prints.

    A file's rules are tried un-compiled, in a few random games, before the first time that they are used compiled; what
    fails then is a GameError (`game/first_run.py`). With `unchecked` the file is trusted: a wild index in it may end
    the process.
    """
    debug, unchecked = given_.flag("debug", debug), given_.flag("unchecked", unchecked)
    if isinstance(game, Game):
        if parameters or debug > game.debug:
            raise SpecError(f"{game.spec} is loaded already; give parameters and debug where it is loaded first")
        return game
    made, from_file = prepare(game, debug=debug, **parameters)
    if from_file and not debug and not unchecked:
        first_run(made)
    _ = made.root  # a rule start that fails is an error where the game is loaded
    return made


def prepare(game: "str | Path | ModuleType", /, *, debug: bool, **parameters: Any) -> tuple[Game, bool]:
    """As `load`, but no rule has run yet; and whether the game is from a file of the user's."""
    if isinstance(game, ModuleType):
        return Game(game, game.__name__.rsplit(".", 1)[-1], parameters, debug=debug), False
    if not isinstance(game, str | Path):
        raise SpecError(
            "a game is named by text such as kuhn or my_game.py, or is a file, a module or a loaded game, not "
            f"{given_.shown(game)}"
        )
    if str(game).endswith((".osposg", ".osposg.gz")):
        raise SpecError(f"{game} is a one-sided POSG: read_osposg reads it, hsvi solves it, and nothing else takes it")
    path, given = file_and_parameters(game)
    if path is not None:
        module = module_from(path)
        return Game(
            module, path.stem, _joined(module, path.stem, given, parameters), debug=debug, label=str(path)
        ), True
    name, given = split_spec(str(game))
    module, preset = _built_in(name)
    return Game(module, name, _joined(module, name, given, parameters), preset=preset, debug=debug), False


def _joined(module: ModuleType, name: str, written: dict[str, str], named: dict[str, Any]) -> dict[str, Any]:
    """Parameters in the text and by name, if both are there; what a module declares is looked at later."""
    return joined(name, getattr(module, "PARAMETERS", ()), written, named) if written and named else written | named


def source_of(game: Game) -> tuple[str | Path, dict[str, Any]]:
    """What `load` makes the same game of, here or in another process. Raises SpecError where there is nothing to load
    it from."""
    if game.module.__name__.startswith(f"{BUILT_IN}."):
        return game.spec, {}
    file = getattr(game.module, "__file__", None)
    if file is None:
        raise SpecError(
            f"{game.spec} was made from a module without a file, so it can be neither pickled nor sent to another "
            "process"
        )
    return Path(file).resolve(), game.parameters


def varied(game: Game, /, **parameters: Any) -> Game:
    """A loaded game with some of its parameters changed."""
    source, _ = source_of(game)
    name = source if isinstance(source, Path) else split_spec(source)[0]
    return load(name, debug=game.debug, **game.parameters | parameters)


def load_again(source: str | Path, parameters: dict[str, Any], debug: bool) -> Game:
    """A game that was pickled."""
    return load(source, debug=debug, **parameters)


def built_in_games() -> list[str]:
    """The names of the games that come with the package, presets included."""
    return sorted([*_game_files(), *importlib.import_module(BUILT_IN).PRESETS])


@cache
def _game_files() -> tuple[str, ...]:
    return tuple(m.name for m in pkgutil.iter_modules(importlib.import_module(BUILT_IN).__path__) if not m.ispkg)


def describe(name: str) -> str:
    """The first sentence of a built-in game's description."""
    package = importlib.import_module(BUILT_IN)
    if name in package.PRESETS:
        return package.PRESETS[name].about
    return (_built_in(name)[0].__doc__ or "").strip().splitlines()[0].rstrip(".")


def file_and_parameters(game: str | Path) -> tuple[Path | None, dict[str, str]]:
    """The file and what it is given, or None where the text names no file. A folder's name may have brackets, and a
    parameter a file's."""
    if isinstance(game, Path) or game.rstrip().endswith(".py"):
        return Path(str(game).strip()), {}
    text = game.strip()
    for found in reversed([*re.finditer(r"\.py\s*(?=\()", text)]):
        path = text[: found.start()] + ".py"
        if path.count("(") == path.count(")"):
            return Path(path), split_spec(Path(path).name + text[found.end() :])[1]
    return None, {}


def _built_in(name: str) -> tuple[ModuleType, dict[str, str]]:
    names = built_in_games()
    if name not in names:
        raise SpecError(f"there is no game {given_.shown(name)}{suggestion(name, names)}")
    preset = importlib.import_module(BUILT_IN).PRESETS.get(name)
    module = importlib.import_module(f"{BUILT_IN}.{preset.game if preset else name}")
    return module, dict(preset.parameters) if preset else {}


def module_from(path: Path, what: str = "game") -> ModuleType:
    """The module in a file of the user's, read anew. Raises GameError, with the line, where it cannot be imported."""
    try:
        found = path.is_file()
    except OSError as error:
        raise GameError(f"there is no {what} file {given_.file_name(path)[:80]} ({error.strerror})") from None
    if not found:
        raise GameError(f"there is no {what} file {given_.file_name(path)}")
    unique = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]
    name = f"{OWN}{path.stem}_{unique}"
    spec = importlib.util.spec_from_file_location(name, path, loader=AsItIs(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with folder_importable(path.parent):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _not_imported(path, error) from error
    return module


def _not_imported(path: Path, error: BaseException) -> GameError:
    if isinstance(error, SyntaxError):
        place = f", line {error.lineno}" if error.lineno is not None else ""
        return GameError(f"{error.filename or path}{place}: {error.msg}")
    folder = str(path.parent.resolve())
    passed = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    beside = [file for file in passed if file.startswith(folder) and not file.startswith(PACKAGE)]
    line, code = raised_at(error, [str(path), *beside])
    place = f"{code.co_filename}, line {line}" if code is not None else str(path)
    return GameError(f"{place}: the file cannot be imported: {type(error).__name__}: {error}")
