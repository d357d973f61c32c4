"""What agents share that prepare for a game: what it takes is made once, and each game is begun anew."""

from typing import Any, Self

import numpy as np

from fogspiel.agents.agent import Observation, observe
from fogspiel.belief.record import Record
from fogspiel.engine.primitives import mix
from fogspiel.errors import PartError
from fogspiel.game.game import Game
from fogspiel.game.parts import versions
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.spec import split_spec
from fogspiel.search.statistics import MoveStatistics


class PreparedAgent:
    """`prepare` makes what is kept for all games that are played of a game, `sit` what depends on the seat, too;
    `restart` forgets the last game.

    It is copied, and sent to another process, as what it was made of, and so prepares anew there. `found` is what it
    thought of its moves at the last decision, `statistics` the account of that.
    """

    cheats, starts_anew = False, True
    game: Game
    seat: int
    rng: np.ndarray
    _given: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *given: Any, **named: Any) -> Self:
        agent = super().__new__(cls)
        agent._given = given, named
        return agent

    def __init__(self, name: str, parameters: dict[str, Any]):
        self.name, self.parameters = name, parameters
        self.found: tuple[MoveStatistics, ...] = ()
        self.statistics: Any = None
        try:
            self._version: str | PartError | None = self.version()
        except PartError as error:
            self._version = error

    def version(self) -> str | None:
        """Of the files that its parts are from."""
        return versions(self.parameters)

    @property
    def fingerprint(self) -> str | None:
        """Tells versions of the files that its parts are from, when it was made, apart; None where there are none.
        Raises PartError where a part has no version: such an agent plays, and what it did is stored nowhere."""
        if isinstance(self._version, PartError):
            raise PartError(str(self._version))
        return self._version

    @property
    def row(self) -> str:
        """The name of its row in the table of agents."""
        return split_spec(self.name)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), *self._given)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            self.require(game)
            self.prepare(game)
            self.game, self.seat = game, -1
        if self.seat != seat:
            self.sit(seat)
            self.seat = seat
        self.rng = np.array([mix(seed, 1)], np.uint64)
        self.restart(seed)

    def require(self, game: Game) -> None:
        """Raise Unsuitable where the game lacks what the row of this agent says that it needs."""
        from fogspiel.agents.registry import KINDS  # which is made of these agents

        if self.row in KINDS:
            KINDS[self.row].require(self.row, self.parameters, game)

    def make_ready(self, game: Game) -> None:
        first = first_decision(game, cheats=self.cheats)
        self.begin(game, 0 if first is None else first.seat, 0)
        if first is not None:
            self.try_out(first)

    def prepare(self, game: Game) -> None:
        """Make what is kept from one game to the next. Raises Unsuitable where the game is not for a part of this
        agent."""

    def sit(self, seat: int) -> None:
        """Make what is kept as long as the seat is the same."""

    def restart(self, seed: int) -> None:
        """Begin a game, as if there had been none before."""

    def try_out(self, first: Observation) -> None:
        """Have the code for a decision compiled and loaded, with as little thought as that takes."""

    def choose(self, observation: Observation) -> int:
        raise NotImplementedError


def _made(kind: type[PreparedAgent], given: tuple[Any, ...], named: dict[str, Any]) -> PreparedAgent:
    return kind(*given, **named)


def first_decision(game: Game, *, cheats: bool = False) -> Observation | None:
    """What the first player who has a choice knows then, where chance and those before it make their first moves; None
    if nobody ever has one."""
    state, records = game.start(), [Record(p) for p in range(game.players)]
    while True:
        for record in records:
            record.see(state)
        who = state.actor
        if who == OVER:
            return None
        moves = state.moves()
        if who != CHANCE and len(moves) > 1:
            return observe(state, records[who], np.zeros(1, np.uint64), cheats=cheats)
        if who != CHANCE:
            records[who].own.append(moves[0])
        state.play(moves[0])
