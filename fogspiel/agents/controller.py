"""An agent that plays what HSVI found for the endless game (`solvers/posg/controllers.py`) in a game that is cut off
from it."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.game.game import Game
from fogspiel.game.horizon import endless_states, tables_digest
from fogspiel.game.state import State, asked
from fogspiel.solvers.posg.controllers import Controllers, Informed, Uninformed
from fogspiel.solvers.posg.files import read_controllers
from fogspiel.tree.endless import one_sided_of


class ControllerAgent:
    """Either player of a one-sided POSG. `source` is what `solve` found for it, or a file with that.

    The player who sees everything is told the states, and takes it that these show what the other did; where several
    actions lead to one state it takes one of them, each as likely.
    """

    def __init__(self, source: Controllers | Path, name: str = "controllers"):
        self.source, self.name = source, name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.endless, self.seat = (
            _endless(_Asked(game, game.module, game.spec, tables_digest(game), self.source, _changed(self.source))),
            seat,
        )
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.player: Uninformed | Informed | None = None
        self.acted = -1

    def choose(self, observation: Observation) -> int:
        before, found = observation.state.stage, self.endless.found
        if self.seat == self.endless.blind:
            partition = self.endless.partition(before)
            if self.player is None:
                self.player = found.player1(self.seed)
            else:
                assert isinstance(self.player, Uninformed)
                self.player.see(partition, partition)
        else:
            state = self.endless.state(before)
            if self.player is None:
                self.player = found.player2(state, self.seed)
            else:
                assert isinstance(self.player, Informed)
                action = self.endless.action(self.player.state, self.acted, state, self.rng)
                self.player.see(action, int(found.posg.partition[state]), state)
        self.acted = self.player.act()
        return int(self.endless.moves[self.seat][self.acted])


@dataclass(frozen=True)
class _Asked:
    """What an agent is to play, and by what; a file with the time at which it was changed."""

    game: Game = field(compare=False)
    module: ModuleType
    spec: str
    tables: str
    source: Controllers | Path
    changed: int


def _changed(source: Controllers | Path) -> int:
    return source.stat().st_mtime_ns if isinstance(source, Path) and source.is_file() else 0


@lru_cache(maxsize=8)
def _endless(asked: _Asked) -> "_Endless":
    """Agents begin anew in each game, and this takes longer than a game."""
    return _Endless(asked.game, asked.source)


class _Endless:
    """Where a game stands in its one-sided POSG."""

    def __init__(self, game: Game, source: Controllers | Path):
        discount = source.posg.discount if isinstance(source, Controllers) else None
        posg = one_sided_of(game, discount)
        self.found = source if isinstance(source, Controllers) else read_controllers(posg, source)
        self.found.require(posg)
        self.states, self.blind = endless_states(game), posg.seat
        self.moves = [np.unique(moves) for moves in self.states.move]

    @cached_property
    def partitions(self) -> dict[int, int]:
        return {key: k for k, key in enumerate(np.unique(self.states.seen[self.blind]).tolist())}

    @cached_property
    def places(self) -> dict[int, int]:
        return {key: s for s, key in enumerate(self.states.markov_keys.tolist())}

    def partition(self, state: State) -> int:
        return self.partitions[int(asked(state.game, "observe", [state.data], self.blind)[0])]

    def state(self, state: State) -> int:
        return self.places[int(asked(state.game, "markov", [state.data])[0])]

    def action(self, state: int, action2: int, then: int, rng: np.random.Generator) -> int:
        """An action of player 1 that leads from one state to another."""
        posg = self.found.posg
        joint = np.flatnonzero((posg.joint[:, 0] == state) & (posg.joint[:, 2] == action2))
        leads = [j for j in joint if then in posg.target[posg.first[j] : posg.first[j + 1]]]
        return int(posg.joint[rng.choice(leads), 1])
