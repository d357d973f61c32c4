"""What tasks are made of, once in a process: games, agents and functions, with the versions of their code."""

import contextlib
import re
import time
from functools import cache, lru_cache
from pathlib import Path

from fogspiel.agents.agent import Agent
from fogspiel.agents.apart import ApartAgent
from fogspiel.agents.registry import agent as make_agent
from fogspiel.errors import AgentError, SpecError
from fogspiel.evaluate.bout import require_agents, warm_up
from fogspiel.evaluate.seated import seat
from fogspiel.experiment.functions import FunctionRef
from fogspiel.experiment.versions import version_of_agent, version_of_game
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters, load
from fogspiel.game.spec import split_spec
from fogspiel.solvers.response.response import form_of
from fogspiel.tree.sequence import SequenceForm

READY_SECONDS = 10.0
"""Agents that differ from others in numbers alone make ready before anything is run as long as that took no longer than
this in all."""
_NUMBER = re.compile(r"\d+")


class Loader:
    """The games, agents and functions that are made once in a process, for all tasks of a plan. What they are made of
    may change meanwhile: the versions are those of what was made."""

    def __init__(self, folder: str = ""):
        self.folder = folder
        self.game = lru_cache(maxsize=64)(self._game)
        self.form = lru_cache(maxsize=8)(self._form)
        self.function = lru_cache(maxsize=64)(FunctionRef.get)
        self.agent = lru_cache(maxsize=64)(self._agent)
        self.player = lru_cache(maxsize=64)(self._player)
        self.warm = lru_cache(maxsize=64)(self._warm)
        self.require_ready = cache(self._require_ready)
        self.game_versions: dict[str, str] = {}
        self.agent_versions: dict[str, str] = {}
        self.alike: set[tuple[str, str]] = set()
        """Games, and agents without the numbers in their spec strings, of which one made ready."""
        self.taken = 0.0
        """Seconds that this took."""

    def version_of_game(self, spec: str) -> str:
        game = self.game(spec)
        if spec not in self.game_versions:
            self.game_versions[spec] = version_of_game(game)
        return self.game_versions[spec]

    def version_of_agent(self, spec: str) -> str:
        """Of one that plays."""
        agent = self.player(spec)
        if spec not in self.agent_versions:
            self.agent_versions[spec] = version_of_agent(agent)
        return self.agent_versions[spec]

    def _game(self, spec: str) -> Game:
        self.game_versions.pop(spec, None)
        return load(resolved(spec, self.folder))

    def _form(self, spec: str) -> SequenceForm:
        return form_of(self.game(spec))

    def _agent(self, spec: str) -> Agent:
        """An agent in this process."""
        return make_agent(resolved(spec, self.folder))

    def _player(self, spec: str, copy: int = 0) -> Agent:
        """One object for all games of a spec string in one seat; `copy` tells seats apart. One that is not ours plays
        in a process of its own."""
        self.agent_versions.pop(spec, None)
        return seat(resolved(spec, self.folder), None, None, None, False)

    def _warm(self, game: str, spec: str, copy: int) -> Agent:
        """An agent that has its code and room."""
        made = self.player(spec, copy)
        if not isinstance(made, ApartAgent):  # which makes ready where it plays
            _make_ready(self.game(game), made)
        return made

    def _require_ready(self, game: str, spec: str) -> None:
        """Raise what is wrong with an agent in a game, by one that makes ready and is dropped, with its room. Where
        many differ in numbers alone, and take long, one stands for all."""
        one = game, _NUMBER.sub("", spec)
        if one in self.alike and self.taken > READY_SECONDS:
            return
        began = time.monotonic()
        _make_ready(self.game(game), seat(resolved(spec, self.folder), None, None, None, False))
        self.alike.add(one)
        self.taken += time.monotonic() - began


def _make_ready(game: Game, made: Agent) -> None:
    require_agents(game, [made, *(make_agent("random") for _ in range(game.players - 1))])
    try:
        warm_up(game, [made])
    except SystemExit as error:
        raise AgentError(f"{made.name} leaves Python when it makes ready (exit code {error.code})") from error
    if isinstance(made, ApartAgent):
        made.end()  # those that play have processes of their own


def resolved(spec: str, folder: str) -> str:
    """A spec string in which files that lie in the folder, of parts too, have the folder's name before them."""
    path, _ = file_and_parameters(spec)
    if folder and path is None and ".py" in spec and "(" in spec:
        with contextlib.suppress(SpecError):  # what is wrong with it is told where it is read
            name, given = split_spec(spec)
            return f"{name}({','.join(f'{key}={resolved(text, folder)}' for key, text in given.items())})"
    if path is None and spec.endswith(".fog"):
        path = Path(spec)
    if not folder or path is None or path.is_absolute() or not (Path(folder) / path).exists():
        return spec
    return str(Path(folder) / path) + spec[len(str(path)) :]
