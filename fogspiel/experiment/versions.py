"""Versions of what is run: hashes that change when the code does, so that results of old code are not mixed with those
of new."""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import fogspiel
from fogspiel.agents.agent import Agent
from fogspiel.agents.apart import ApartAgent
from fogspiel.agents.own import OwnAgent
from fogspiel.agents.planning import LookaheadAgent
from fogspiel.engine.closure import Function, fingerprint, reachable
from fogspiel.engine.disk import replace
from fogspiel.engine.native import cache_folder
from fogspiel.evaluate.match import fingerprint as fingerprint_of
from fogspiel.experiment.beyond import version_beyond, version_of_data
from fogspiel.game.game import Game
from fogspiel.game.load import OWN
from fogspiel.game.parts import parts_in, versions
from fogspiel.game.playout import behaviour
from fogspiel.game.written import code_of
from fogspiel.search.icarus import read_icarus
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.strategy import Strategy

PLAYING = ("engine", "game", "belief", "search", "agents")
SOLVING = ("engine", "game", "tree", "solvers")
MEASURED = (*PLAYING, *SOLVING, "games", "evaluate")
"""The rooms that agents, and solvers, are made of, and those that measurements may call."""
HASHED = tuple(f"fogspiel.{room}." for room in (*PLAYING, "games"))
"""What the versions of games and agents are of."""
FORMER = {"loader": "shop"}
"""Variables that versions have by another name: to rename one is no other version, and what is stored stays good."""


def version_of_game(game: Game) -> str:
    """Of the rules with all they call, and of how they play with these parameters and tables; of a file of the user's,
    of the data files that it declares."""
    data = version_of_data(Path(str(game.module.__file__))) if game.module.__name__.startswith(OWN) else ""
    return _joined(fingerprint(game.plain.values())[:16], behaviour(game), data)


def version_of_agent(agent: Agent) -> str:
    """Of the library's rooms that agents are made of; and of a strategy, or of files of the user's, what is in them and
    what they take from elsewhere."""
    rooms = (*PLAYING, *SOLVING) if isinstance(agent, LookaheadAgent) else PLAYING
    strategy = getattr(agent, "strategy", None)
    own = fingerprint_of(strategy) if isinstance(strategy, Strategy) else getattr(agent, "fingerprint", None)
    return _joined(version_of_rooms(*rooms), own, version_beyond(_files(agent), anew=isinstance(agent, ApartAgent)))


def _files(agent: Agent) -> list[Path]:
    """The files of the user's that an agent, or a part of it, is from."""
    if isinstance(agent, OwnAgent):
        return [agent.file]
    if isinstance(agent, ApartAgent):
        return [file for file in agent.files if file.suffix == ".py"]
    given = getattr(agent, "parameters", {})
    icarus = read_icarus(given["icarus"]).files if "icarus" in given else []
    return [*(Path(made.file) for made in parts_in(given) if made.file), *icarus]


def _joined(*versions: str | None) -> str:
    return "-".join(version for version in versions if version)


def version_of_solver(spec: str) -> str:
    """Of the library's rooms that solvers are made of; and of files of the user's, if it is one or has such parts."""
    _, entry, values = read_solver(spec)
    own = None if entry.own is None else entry.own.version
    files = [] if entry.own is None or entry.own.file is None else [entry.own.file]
    files += [Path(part.file) for part in parts_in(values) if part.own and part.file]
    return _joined(version_of_rooms(*SOLVING), own, versions(values), version_beyond(files))


@cache
def version_of_code(*parts: Callable[..., Any], without: tuple[str, ...] = ()) -> str:
    """Of functions and of the methods of classes, with all functions that they call and constants that they read, but
    for those of games and agents, and of the modules `without`."""
    functions = reachable([one for part in parts for one in _functions(part)], (*HASHED, *without))
    return fingerprint(map(_alone, functions), outside=("fogspiel.",))[:16]


def _alone(function: Function) -> Function:
    """The same by itself, of no module, without a docstring, and with the names that variables had before."""
    code = function.__code__
    code = code.replace(co_consts=(None, *code.co_consts[1:])) if function.__doc__ else code
    names, variables = (tuple(FORMER.get(n, n) for n in them) for them in (code.co_names, code.co_varnames))
    code = code.replace(co_names=names, co_varnames=variables)
    bare = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    bare.__module__ = ""
    return bare


def _functions(part: Any) -> Iterator[Function]:
    """A function, or the methods of a class that its file has."""
    part = getattr(part, "__wrapped__", part)
    if isinstance(part, FunctionType):
        yield part
        return
    for member in vars(part).values():
        inner = member.func if isinstance(member, cached_property) else getattr(member, "fget", member)
        if isinstance(inner, FunctionType) and inner.__code__.co_filename != "<string>":  # as a dataclass's own are
            yield inner


@cache
def version_of_rooms(*names: str) -> str:
    """A hash of the code in these rooms, without comments and docstrings. To parse them takes a second, so it is
    remembered."""
    root = Path(fogspiel.__file__).parent
    sources = {
        str(p.relative_to(root)): p.read_bytes()
        for room in sorted(set(names))
        for p in sorted((root / room).rglob("*.py"))
    }
    kept = cache_folder() / f"version-{_hash(f'{name} {source!r}' for name, source in sources.items())}.passed"
    with contextlib.suppress(OSError):
        if known := kept.read_text():
            return known
    version = _hash(f"{name} {code_of(source)}" for name, source in sources.items())[:16]
    with contextlib.suppress(OSError):
        replace(kept, lambda file: file.write(version.encode()))
    return version


def _hash(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
    return digest.hexdigest()[:32]
