"""A state of a game in Python's hands: for people, agents and tests. Kernels work on the bytes."""

import ctypes
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel import given
from fogspiel.engine.alarm import Rings, failures
from fogspiel.errors import FogspielError, SpecError
from fogspiel.game.rules import CHANCE, OVER, SLACK
from fogspiel.game.table import OUTSIDE, RING, stage_goes_on
from fogspiel.game.view import view_type

if TYPE_CHECKING:
    from fogspiel.game.game import Game


def advance(state: "State", move: int) -> None:
    """Apply a move without looking whether it is legal, for loops that took it from `moves`: any other may do harm."""
    state._go_on(move)


def outcomes(state: "State") -> list[tuple[int, float]]:
    """As `State.chance`, where chance is known to move."""
    return state._outcomes()


def legal(state: "State") -> list[int]:
    """As `State.moves`, where a player is known to move."""
    return state._moves("moves")


def copies(state: "State", move: int) -> int:
    """In how many ways that others tell apart a legal move can be made (rule `copies`)."""
    return state._call("copies", move) if "copies" in state.game.functions else 1


def sees(state: "State", player: int, move: int) -> int:
    """A key of what a player sees of a move that is made in this state; 0 if nothing (rule `sees`)."""
    return state.copy()._call("sees", player, move)


def ignoring(state: "State", player: int, most: int) -> "State":
    """The state without what a player never saw, or what may be in more than so many places (rule `ignore`)."""
    simpler = state.copy()
    simpler._call("ignore", player, most)
    if state._began is not None:
        simpler._began = ignoring(state._began, player, most)
    return simpler


def keys(state: "State", players: Iterable[int]) -> list[int]:
    """The keys of what these players know (of PUBLIC, everyone), which are not looked at twice."""
    call, address = state.game.functions["infoset"], state.address
    return state.game.finish([call(address, player) for player in players])


def asked(game: "Game", rule: str, states: Iterable[np.ndarray], *given: int) -> np.ndarray:
    """The words, keys mostly, that a rule gives for states by their bytes, one in a row."""
    call = game.functions[rule]
    return game.finish(np.array([call(data.ctypes.data, *given) for data in states], np.uint64))


def _address(held: Any) -> int:
    """Where bytes lie that can be written to; sooner than NumPy tells it."""
    return ctypes.addressof(ctypes.c_char.from_buffer(held))


class _Room(threading.local):
    """Room for the moves of a state and their probabilities, each thread's own and one game's: what a rule does not
    write where it should is never what another game wrote. To make it anew for each state would take longer than most
    rules."""

    def __init__(self) -> None:
        self._game: Callable[[], Game | None] = lambda: None

    def of(self, game: "Game") -> tuple[np.ndarray, int, np.ndarray, int]:
        """An array of moves that rules may write to as to `game.buffer()`, its address, and the same for
        probabilities."""
        if self._game() is not game:
            moves, odds = game.buffer(), np.zeros(game.max_moves + SLACK)
            self._held = moves, moves.ctypes.data, odds, odds.ctypes.data
            self._game = weakref.ref(game)
        return self._held


_room = _Room()


class State:
    """One state. `data` are its bytes, a copy of those given; `play` changes it in place; `copy` makes an independent
    one.

    `began` is the state in which the present stage of simultaneous moves began, if moves of it are pending here.
    """

    __slots__ = ("_address", "_began", "data", "game")

    def __init__(self, game: "Game", data: np.ndarray, began: "State | None" = None):
        size = getattr(getattr(game, "root", None), "nbytes", None)
        if size is None:
            raise SpecError(f"a state is of a game, as fs.load returns it, not of {given.shown(game)}")
        if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.shape != (size,):
            raise SpecError(f"a state of {game.spec} is an array of {size} bytes (uint8), not {given.shown(data)}")
        if not data.flags.c_contiguous:
            raise SpecError("a state's array must be contiguous")
        if began is not None and (not isinstance(began, State) or began.game is not game):
            raise SpecError(f"a stage begins in a state of the same game, not in {given.shown(began)}")
        self._take(game, data, began)

    def _take(self, game: "Game", data: np.ndarray, began: "State | None") -> None:
        held = bytearray(data)
        self.game, self.data, self._began, self._address = game, np.frombuffer(held, np.uint8), began, _address(held)

    def _call(self, rule: str, *arguments: Any) -> Any:
        game = self.game
        result = game.functions[rule](self._address, *arguments)
        return result if game._failure is None and not failures else game.finish(result)

    @property
    def address(self) -> int:
        """Where its bytes lie, as kernels take a state: they stay there as long as the state is kept."""
        return self._address

    @property
    def actor(self) -> int:
        """Who moves: a player, CHANCE or OVER."""
        return self._call("actor")

    @property
    def over(self) -> bool:
        return self.actor == OVER

    def moves(self) -> list[int]:
        """The legal moves; at a chance node, the possible outcomes; none when the game is over."""
        who = self.actor
        if who == OVER:
            return []
        if who == CHANCE and "chance" in self.game.functions:
            return [move for move, _ in self._outcomes()]
        return self._moves("moves")

    def _moves(self, rule: str, *more: Any) -> list[int]:
        out, address, _, _ = _room.of(self.game)
        n = self._call(rule, address, *more)
        return out[:n].tolist()

    def chance(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities; only where chance is to move."""
        if self.actor != CHANCE:
            raise SpecError("chance is not to move here")
        return self._outcomes()

    def _outcomes(self) -> list[tuple[int, float]]:
        if "chance" not in self.game.functions:
            moves = self._moves("moves")
            return [(move, 1.0 / len(moves)) for move in moves]
        _, _, prob, address = _room.of(self.game)
        moves = self._moves("chance", address)
        return list(zip(moves, prob[: len(moves)].tolist(), strict=True))

    def play(self, move: int) -> None:
        """Apply a move of the actor; an illegal one is refused."""
        legal = self.moves()
        self._go_on(move if type(move) is int and move in legal else given.move(legal, move))

    force = play

    def _go_on(self, move: int) -> None:
        """Apply a move, and remember where its stage began if others are still to move in it."""
        if not self.game.about.simultaneous:
            self._call("play", move)
            return
        who, began = self.actor, self._began or self.copy()
        self._call("play", move)
        self._began = began if self.in_stage_with(who) else None

    def in_stage_with(self, before: int) -> bool:
        """Whether the player to move does so at once with the one who has moved before."""
        game = self.game
        return game.finish(
            stage_goes_on(game.table.tolist(), self._address, game.about.simultaneous, before, self.actor)
        )

    @property
    def stage(self) -> "State":
        """Where the present stage began: this state, unless players who are to move at once have moves pending here. Of
        a state that was redrawn (`resample`), a beginning redrawn by itself: as likely, and the same to the player, but
        not where these moves began.

        The rules of a simultaneous game ask its players one after the other, in their order, without showing what is
        pending; so a stage lasts while the next to move has a higher number and the rule `pending`, if there is one,
        says so.
        """
        return self if self._began is None else self._began.copy()

    def payoff(self) -> list[float]:
        """Each player's utility; only at the end of the game."""
        if self.actor != OVER:
            raise SpecError("the game is not over, so there is no payoff yet")
        game, out = self.game, np.zeros(max(self.game.players, self.game.max_moves))
        self._call("payoff", _address(out))
        utilities = out[: game.players].tolist()
        if not all(abs(u - middle) <= far for u, (middle, far) in zip(utilities, game.ranges.tolist(), strict=False)):
            Rings(int(game.table[RING]))(OUTSIDE, self._address)
        return game.finish(utilities)

    def key(self, player: int) -> int:
        """The 64-bit key of what a player knows; of PUBLIC, of what everyone knows."""
        if type(player) is not int or not -1 <= player < self.game.players:
            player = given.player(self.game.players, player, public=True)
        return self._call("infoset", player)

    def situation(self, player: int) -> int:
        """The key by which a strategy is chosen: that of the game's abstraction, if it has one, else `key`."""
        if type(player) is not int or not 0 <= player < self.game.players:
            player = given.player(self.game.players, player)
        return self._call("abstract" if "abstract" in self.game.functions else "infoset", player)

    def resample(self, player: int, rng: np.ndarray) -> None:
        """Redraw what the player cannot see. `rng` is an array of one uint64, the generator's state."""
        if "resample" not in self.game.functions:
            raise SpecError(f"{self.game.name} has no rule resample")
        if type(player) is not int or not 0 <= player < self.game.players:
            player = given.player(self.game.players, player)
        if not isinstance(rng, np.ndarray) or rng.dtype != np.uint64 or rng.size < 1 or not rng.flags.carray:
            raise SpecError(
                f"rng must be an array of one uint64, such as np.array([7], np.uint64), not {given.shown(rng)}"
            )
        self._call("resample", player, _address(rng))
        if self._began is not None:
            self._began = self._began.copy()
            self._began.resample(player, rng)

    def copy(self) -> "State":
        """An independent state that is the same."""
        other = State.__new__(State)
        other._take(self.game, self.data, self._began)
        return other

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.game, self.data.tobytes(), self._began)

    @property
    def view(self) -> Any:
        """The fields as attributes, as an un-compiled rule sees them."""
        return view_type(self.game.dtype).from_buffer(self.data)  # type: ignore[arg-type]  # keeps the bytes alive

    def show(self, player: int | None = None) -> str:
        return self.game.show(self, player)

    def svg(self, player: int | None = None) -> str:
        """The picture of the state in SVG, as `player` may see it, or of all of it."""
        return self.game.svg(self, player)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def __str__(self) -> str:
        return self.show()


def _again(game: "Game", data: bytes, began: State | None) -> State:
    """A state that was pickled. Where the game's tables lie is another place in each process."""
    if len(data) != game.dtype.itemsize:
        raise FogspielError(f"the state is not one of {game.spec}: its rules have changed since it was pickled")
    state = State(game, np.frombuffer(data, np.uint8).copy(), began)
    record, root = state.data.view(game.dtype), game.root.view(game.dtype)
    for name in game.about.tables:
        record[name] = root[name]
    return state
