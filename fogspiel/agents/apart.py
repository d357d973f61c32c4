"""Agents in processes of their own: programs in any language, files that are not ours, and ours, which play the same
there.

What is told goes over a pipe (`agents/messages.py`), to a program that speaks for itself, or to one that runs an agent
of Fogspiel (`agents/serve.py`). So nothing but what its seat knows is in its reach, whatever it does; how far that
holds on this machine is told (`agents/process.py`).
"""

import contextlib
import os
import re
import shlex
import shutil
import sys
import weakref
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from fogspiel import errors
from fogspiel.agents import messages
from fogspiel.agents.agent import Observation
from fogspiel.agents.fault import Fault, plain
from fogspiel.agents.process import NOT_APART, POSSIBLE, Kept, Process, kept_apart
from fogspiel.belief.account import Account
from fogspiel.engine.notice import working_time
from fogspiel.errors import AgentError, FogspielError, GameError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.load import BUILT_IN, file_and_parameters
from fogspiel.game.spec import split_spec
from fogspiel.game.written import version_of_file
from fogspiel.given import file_name
from fogspiel.solvers.strategy import Strategy

MEMORY = 4 << 30
"""Bytes that the process of an agent may take, unless more or less is said."""
MOVE_SECONDS, START_SECONDS = 60.0, 300.0
"""Seconds that an agent which is not ours has for a move where no limit is set, and to be ready for a game."""
MOST_ALIVE = 32
"""Processes of agents that are kept for games to come, beside those that play."""
HOUSE = str(Path(errors.__file__).parent.parent)
_SERVE = "import sys; sys.path[:] = {path!r}; from fogspiel.agents.serve import main; main()"


class ApartAgent:
    """An agent in a process of its own, which is started when a game begins and there is none, and ended at its first
    fault.

    `spec` names it. `command` is the program with its arguments, None for an agent of Fogspiel; `files` are those that
    hold its code, if it is not ours. Of one of ours `like` is the same agent in this process, by which it is known
    here.
    """

    starts_anew = True

    def __init__(self, spec: str, command: tuple[str, ...] | None = None, like: Any = None):
        self.spec, self.command, self.like = spec, command, like
        self.strange = like is None
        self.name: str = plain(_short(spec) if command is None else spec) if self.strange else like.name
        self.cheats = bool(getattr(like, "cheats", False))
        self.strategy: Strategy | None = getattr(like, "strategy", None)
        self.files = _files(spec, command)
        self.fingerprint: str | None = _fingerprint(self.files) if self.strange else getattr(like, "fingerprint", None)
        self.parameters: dict[str, Any] = getattr(like, "parameters", {})
        self.bound(None, None, False)
        self.process: Process | None = None
        self.game: Game | None = None

    def bound(self, seconds: float | None, memory: int | None, learning: bool) -> "ApartAgent":
        """Set the seconds that it has for a move, the bytes that it may take, and whether it keeps what it learned in
        earlier games."""
        self.limits = seconds, memory, learning
        self.seconds = MOVE_SECONDS if seconds is None and self.strange else seconds
        self.memory, self.learning = MEMORY if memory is None else memory, learning
        return self

    def another(self) -> "ApartAgent":
        """The same with no process yet."""
        return _again(self.spec, self.command, self.like, self.limits, self.name, self.cheats)

    def __copy__(self) -> "ApartAgent":
        return self.another()

    def __deepcopy__(self, _: dict[int, Any]) -> "ApartAgent":
        return self.another()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.spec, self.command, self.like, self.limits, self.name, self.cheats)

    def kept(self, game: Game) -> Kept:
        """How far it is kept apart from this process. Ours need not be."""
        if not self.strange:
            return NOT_APART
        files = [] if game.module.__name__.startswith(f"{BUILT_IN}.") else [str(game.module.__file__)]
        if self.command is not None:
            return kept_apart(self.name, self.command, files)
        libraries = [str(sys.modules[name].__file__) for name in ("os", "numpy", "fogspiel")]
        return kept_apart(self.name, [sys.executable], [*files, *libraries, *self.files])

    def make_ready(self, game: Game) -> None:
        """Have a process ready for this game. Raises what is wrong with the agent, or with the agent in this game."""
        if self.process is None or self.game is not game:
            self.end()
            try:
                self._start(game)
            except Fault as wrong:
                raise AgentError(f"{self.name} {wrong}") from None

    def _start(self, game: Game) -> None:
        path = list(
            dict.fromkeys([*map(os.path.abspath, sys.path), HOUSE])
        )  # what is imported there is what would be here
        command = self.command or (sys.executable, "-c", _SERVE.format(path=path), self.spec)
        self.process, self.game = Process(command, self.memory, self.kept(game)), game
        _Alive.add(self)
        told = messages.hello(game, seconds=self.seconds, memory=self.memory, learning=self.learning)
        try:
            answer = self.process.ask(told, START_SECONDS if self.strange else None)
            if answer.get("type") == "fault":
                _refuse(answer)
            self.wants = messages.ready(answer)
            if self.command is None and self.strange:
                self.cheats = bool(answer.get("cheats"))
                self.name = _name(answer.get("name"), self.spec) or self.name
        except BaseException:
            self.end()
            raise

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if self.process is None or self.game is not game:
            self.end()
            self._start(game)
        _Alive.add(self)
        self.account: Account | None = None
        self.spent = 0.0
        answer = self._ask(
            messages.new_game(seat, seed), None if not self.strange else max(self.seconds or 0.0, MOVE_SECONDS)
        )
        self._sound(messages.ready, answer)

    @property
    def hears(self) -> bool:
        """Whether it is told its account of the game before each decision (`hear`)."""
        return messages.EVENTS in self.wants

    def hear(self, account: Account) -> None:
        self.account = account

    def choose(self, observation: Observation) -> int:
        told = messages.decision(
            observation, self.wants, self.account, {"seconds": self.seconds, "spent": round(self.spent, 3)}
        )
        began = working_time()
        answer = self._ask(told, self.seconds)
        self.spent += working_time() - began
        return self._sound(messages.chosen, answer, told)

    def _ask(self, message: dict[str, Any], seconds: float | None) -> dict[str, Any]:
        if self.process is None:
            raise Fault("has no process to play in")
        try:
            answer = self.process.ask(message, seconds)
        except BaseException:  # it is out of step from here on
            self.end()
            raise
        kind = _kind(answer)
        if not self.strange and kind is not None and issubclass(kind, GameError):
            raise kind(answer["reason"])  # the rules failed, for which ours is not to blame
        return answer

    def _sound(self, read: Any, *answer: Any) -> Any:
        """What an answer says. The process of one that says nothing sensible is ended."""
        try:
            return read(*answer)
        except Fault:
            self.end()
            raise

    def end(self) -> None:
        """End its process, if it has one."""
        _Alive.remove(self)
        process, self.process = self.process, None
        if process is not None:
            process.end()

    def __del__(self) -> None:
        if getattr(self, "process", None) is not None:
            with contextlib.suppress(Exception):  # when Python ends, parts of it are gone
                self.end()


class _Alive:
    """Agents that have a process, the one that began a game last at the end."""

    known: ClassVar[dict[int, "weakref.ref[ApartAgent]"]] = {}

    @classmethod
    def add(cls, agent: ApartAgent) -> None:
        cls.known.pop(id(agent), None)
        cls.known[id(agent)] = weakref.ref(agent)

    @classmethod
    def remove(cls, agent: ApartAgent) -> None:
        cls.known.pop(id(agent), None)


def make_room(sitting: Iterable[Any]) -> None:
    """End the processes of agents that have not played for the longest time, if there are many, but for those who are
    to play now."""
    playing = {id(one) for one in sitting}
    for place, agent in list(_Alive.known.items()):
        if len(_Alive.known) <= MOST_ALIVE:
            return
        if place not in playing and (one := agent()) is not None:
            one.end()


def is_command(text: str) -> tuple[str, ...] | None:
    """The words of a text that is a command: a program that is there and what it is given, `node bot.js`, or an
    executable file, `./bot`. None where it is anything else: a file of an agent, or a spec string."""
    if text.endswith(".fog") or (os.path.isfile(text) and (text.endswith(".py") or "/" not in text)):
        return None
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    alone = len(words) == 1
    if not words or (alone and ("/" not in text or file_and_parameters(text)[0] is not None)):
        return None
    return tuple(words) if shutil.which(words[0]) is not None else None


def command_agent(text: str, words: tuple[str, ...]) -> ApartAgent:
    _require_possible(text)
    return ApartAgent(text, words)


def has_code(spec: str) -> bool:
    """Whether a text names code that is not ours: a command, an agent's file, or a file with a part of one."""
    return is_command(spec) is not None or ".py" in spec


def apart_agent(spec: str, like: Any = None) -> ApartAgent:
    """An agent named by a text that plays in a process of its own; `like` is what it is in this one, if it is ours."""
    _require_possible(spec)
    if (words := is_command(spec)) is not None:
        return command_agent(spec, words)
    file, _ = file_and_parameters(spec)
    if file is not None and not os.path.isfile(file):
        raise AgentError(f"there is no agent file {file_name(file)[:80]}")
    return ApartAgent(spec, None, like)


def _require_possible(name: str) -> None:
    if not POSSIBLE:
        raise SpecError(
            f"{name}: agents play in processes of their own on Linux, macOS and their like alone; play together"
        )


def _again(
    spec: str, command: tuple[str, ...] | None, like: Any, limits: tuple[Any, Any, bool], name: str, cheats: bool
) -> ApartAgent:
    one = ApartAgent(spec, command, like).bound(*limits)
    one.name, one.cheats = name, cheats
    return one


def _files(spec: str, command: tuple[str, ...] | None) -> tuple[Path, ...]:
    """The files that a command or a spec string names."""
    file, _ = file_and_parameters(spec) if command is None else (None, {})
    words = command or [*([] if file is None else [file]), *re.findall(r"[^\s=,()<>+&@*]+\.py", spec)]
    return tuple(dict.fromkeys(Path(word) for word in words if os.path.isfile(word)))


def _fingerprint(files: tuple[Path, ...]) -> str | None:
    """Tells versions of files apart."""
    versions = [
        version_of_file(f) if f.suffix == ".py" else blake2b(f.read_bytes(), digest_size=8).hexdigest() for f in files
    ]
    return "-".join(versions) or None


def _short(spec: str) -> str:
    """The text that names a file, without its folder."""
    file, _ = file_and_parameters(spec)
    return spec if file is None or not spec.startswith(str(file)) else spec[len(str(file)) - len(file.name) :]


def _name(name: Any, spec: str) -> str | None:
    """What an agent says that it is called, if that is what was named, and parameters perhaps."""
    file, _ = file_and_parameters(spec)
    asked = split_spec(spec)[0] if file is None else file.name
    sound = isinstance(name, str) and len(name) < 1000 and name.isprintable()
    return name if sound and name.startswith(asked) and name[len(asked) :][:1] in ("", "(") else None


def _refuse(answer: dict[str, Any]) -> NoReturn:
    """Raise what an agent says is wrong with it."""
    reason = plain(str(answer.get("reason", "gave up")))[:1000]
    kind = _kind(answer)
    raise Fault(reason) if kind is None else kind(reason)


def _kind(answer: dict[str, Any]) -> type[FogspielError] | None:
    """What kind of error of ours an agent says it is, if it is one."""
    kind = getattr(errors, str(answer.get("error")), None)
    return kind if isinstance(kind, type) and issubclass(kind, FogspielError) else None
