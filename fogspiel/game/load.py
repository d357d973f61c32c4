"""From a spec string, a file or a module to a game."""

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from fogspiel.errors import GameError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.spec import split_spec, suggestion

BUILT_IN = "fogspiel.games"


def load(game: "str | Path | ModuleType | Game", /, *, debug: bool = False, **parameters: Any) -> Game:
    """A game from a spec string (`goofspiel(cards=5)`), a file (`my_game.py`, `my_game.py(size=3)`) or a module.

    Parameters may also be given by name. `debug` runs the rules un-compiled (slowly), for breakpoints and prints.
    """
    if isinstance(game, Game):
        return game
    if isinstance(game, ModuleType):
        return Game(game, game.__name__.rsplit(".", 1)[-1], parameters, debug=debug)
    name, given = split_spec(str(game))
    given |= {key: str(value) for key, value in parameters.items()}
    if name.endswith(".py"):
        path = Path(name)
        return Game(_module_from(path), path.stem, given, debug=debug, label=name)
    module, preset = _built_in(name)
    return Game(module, name, given, preset=preset, debug=debug)


def built_in_games() -> list[str]:
    """The names of the games that come with the package, presets included."""
    package = importlib.import_module(BUILT_IN)
    files = [m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")]
    return sorted([*files, *package.PRESETS])


def describe(name: str) -> str:
    """The first sentence of a built-in game's description."""
    package = importlib.import_module(BUILT_IN)
    if name in package.PRESETS:
        return package.PRESETS[name].about
    return (_built_in(name)[0].__doc__ or "").strip().splitlines()[0].rstrip(".")


def _built_in(name: str) -> tuple[ModuleType, dict[str, str]]:
    names = built_in_games()
    if name not in names:
        raise SpecError(f"there is no game {name!r}{suggestion(name, names)}")
    preset = importlib.import_module(BUILT_IN).PRESETS.get(name)
    module = importlib.import_module(f"{BUILT_IN}.{preset.game if preset else name}")
    return module, dict(preset.parameters) if preset else {}


def _module_from(path: Path) -> ModuleType:
    if not path.is_file():
        raise GameError(f"there is no game file {path}")
    unique = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"fogspiel_user_{path.stem}_{unique}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise GameError(f"{path}, line {error.lineno}: {error.msg}") from error
    except Exception as error:
        raise GameError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return module
