"""How a game looks to a person: what the functions of its file say that stand beside the rules and are never
compiled."""

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from fogspiel import given as check
from fogspiel.errors import GameError, SpecError
from fogspiel.game.interpreted import reason_of
from fogspiel.game.picture import of_text
from fogspiel.game.rules import raised_at
from fogspiel.game.state import State


class Shown:
    """What a game shows of its states."""

    module: ModuleType
    name: str
    spec: str
    players: int
    dtype: np.dtype

    def move_name(self, state: State, move: int) -> str:
        """A legal move's name for a person; its number, where the game file names none."""
        return self.names_of(state, [check.move(self._require(state).moves(), move)])[0]

    def move_names(self, state: State) -> dict[int, str]:
        """The names of all legal moves."""
        legal = self._require(state).moves()
        return dict(zip(legal, self.names_of(state, legal), strict=True))

    def names_of(self, state: State, moves: list[int]) -> list[str]:
        """The names of moves, which are legal."""
        name = getattr(self.module, "move_name", None)
        return list(map(str, moves)) if name is None else [self._told(name, state, move) for move in moves]

    @property
    def drawn(self) -> bool:
        """Whether the game can draw a state as a player sees it, with its rule `show`."""
        return getattr(self.module, "show", None) is not None

    @property
    def pictured(self) -> bool:
        """Whether the game draws pictures of its own, with its function `svg`."""
        return getattr(self.module, "svg", None) is not None

    def show(self, state: State, player: int | None = None) -> str:
        """The state drawn for a person; as `player` may see it, or all of it. What a player has seen of a game that is
        not `drawn` can be told by its moves (`belief/account.py`)."""
        self._require(state)
        if player is not None:
            player = check.player(self.players, player)
        picture = getattr(self.module, "show", None)
        if picture is not None:
            return self._told(picture, state, player)
        if player is not None:
            return f"what player {player} knows (the game has no rule show, by which it would be drawn)"
        return ", ".join(f"{n}={_text(getattr(state.view, n))}" for n in self.dtype.names or ())

    def svg(self, state: State, player: int | None = None) -> str:
        """The same as a picture in SVG: by the function `svg` of the game file, or what `show` says in letters."""
        if not self.pictured:
            return of_text(self.show(state, player))
        if player is not None:
            player = check.player(self.players, player)
        return self._told(self.module.svg, self._require(state), player)

    def short_form(self, state: State) -> str:
        """The state without its history, in a game without an end: what the game file's function `short_form` says."""
        return self._told(self.module.short_form, self._require(state))

    def features(self, state: State) -> dict[str, str]:
        """What may be hidden in a state, by name, such as a player's role or card: what the game file's function
        `features` says; else nothing."""
        self._require(state)
        tell = getattr(self.module, "features", None)
        if tell is None:
            return {}
        told = self._asked(tell, state)
        if not isinstance(told, dict):
            raise GameError(f"{self.name}: features must return a dictionary, not {check.shown(told)}")
        return {str(name): str(value) for name, value in told.items()}

    def _require(self, state: State) -> State:
        if not isinstance(state, State) or state.game.dtype != self.dtype:
            raise SpecError(f"state must be a state of {self.spec}, not {check.shown(state)}")
        return state

    def _told(self, function: Callable[..., Any], state: State, *what: int | None) -> str:
        """The text that a function of the game file that is never compiled returns."""
        told = self._asked(function, state, *what)
        if not isinstance(told, str):
            code = getattr(function, "__code__", None)
            raise GameError(
                f"{self._place(function, getattr(code, 'co_firstlineno', '?'))} must return text, not "
                f"{check.shown(told)}"
            )
        return told

    def _asked(self, function: Callable[..., Any], state: State, *what: int | None) -> Any:
        """What a function of the game file that is never compiled returns; its mistakes name it and their line."""
        code = getattr(function, "__code__", None)
        try:
            return function(state.view, *what)
        except Exception as error:
            line: Any = raised_at(error, [code.co_filename] if code is not None else [])[0]
            line = line or getattr(code, "co_firstlineno", "?")
            raise GameError(f"{self._place(function, line)} failed: {reason_of(error)}") from error

    def _place(self, function: Callable[..., Any], line: Any) -> str:
        code = getattr(function, "__code__", None)
        return (
            f"{getattr(function, '__name__', 'a function')} "
            f"({code.co_filename if code is not None else self.name}, line {line})"
        )


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, ctypes.Array) else str(value)
