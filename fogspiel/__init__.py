"""Fogspiel: games where players cannot see everything. See the README for a tour.

The public face; everything behind it is imported when it is first used, so that `import fogspiel` is quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_FACE = {
    "load": "fogspiel.game.load",
    "built_in_games": "fogspiel.game.load",
    "Game": "fogspiel.game.game",
    "State": "fogspiel.game.state",
    "check": "fogspiel.game.check",
    "horizon_values": "fogspiel.game.horizon",
    "write_rewards": "fogspiel.game.horizon",
    "playouts": "fogspiel.game.playout",
    "unroll": "fogspiel.tree.tree",
    "sequence_form": "fogspiel.tree.sequence",
    "OneSided": "fogspiel.tree.posg",
    "read_osposg": "fogspiel.interop.osposg",
    "write_osposg": "fogspiel.interop.osposg",
    "well_formed": "fogspiel.tree.recall",
    "solve": "fogspiel.solve.run",
    "Result": "fogspiel.solve.result",
    "Strategy": "fogspiel.solve.strategy",
    "save": "fogspiel.solve.files",
    "read": "fogspiel.solve.files",
    "Controllers": "fogspiel.solve.posg_strategy",
    "read_controllers": "fogspiel.solve.posg_files",
    "exploitability": "fogspiel.solve.response",
    "best_response": "fogspiel.solve.response",
    "endless_value": "fogspiel.solve.endless",
    "EndlessValue": "fogspiel.solve.endless",
    "expected_values": "fogspiel.solve.response",
    "measure": "fogspiel.solve.response",
    "restricted_response": "fogspiel.solve.restricted",
    "trade_off": "fogspiel.solve.restricted",
    "dominance": "fogspiel.solve.dominance",
    "indifference": "fogspiel.solve.dominance",
    "pure_equilibria": "fogspiel.solve.dominance",
    "bound": "fogspiel.evaluate.bound",
    "agent": "fogspiel.agents.registry",
    "Agent": "fogspiel.agents.agent",
    "Observation": "fogspiel.agents.agent",
    "searched_strategy": "fogspiel.evaluate.searched",
    "strategy_table": "fogspiel.evaluate.strategy_table",
    "StrategyTable": "fogspiel.evaluate.strategy_table",
    "match": "fogspiel.evaluate.match",
    "MatchResult": "fogspiel.evaluate.result",
    "play_game": "fogspiel.evaluate.referee",
    "think": "fogspiel.evaluate.thought",
    "Thought": "fogspiel.evaluate.thought",
    "FogspielError": "fogspiel.errors",
    "GameError": "fogspiel.errors",
    "AgentError": "fogspiel.errors",
    "PartError": "fogspiel.errors",
    "SpecError": "fogspiel.errors",
    "TooLarge": "fogspiel.errors",
    "Unsolved": "fogspiel.errors",
    "Unsuitable": "fogspiel.errors",
    "FileError": "fogspiel.errors",
    "CHANCE": "fogspiel.game.rules",
    "OVER": "fogspiel.game.rules",
    "PUBLIC": "fogspiel.game.rules",
}

__all__ = ["__version__", *_FACE]

if TYPE_CHECKING:  # `as` tells type checkers that a name is meant to be used from here
    from fogspiel.agents.agent import Agent as Agent
    from fogspiel.agents.agent import Observation as Observation
    from fogspiel.agents.registry import agent as agent
    from fogspiel.errors import AgentError as AgentError
    from fogspiel.errors import FileError as FileError
    from fogspiel.errors import FogspielError as FogspielError
    from fogspiel.errors import GameError as GameError
    from fogspiel.errors import PartError as PartError
    from fogspiel.errors import SpecError as SpecError
    from fogspiel.errors import TooLarge as TooLarge
    from fogspiel.errors import Unsolved as Unsolved
    from fogspiel.errors import Unsuitable as Unsuitable
    from fogspiel.evaluate.bound import bound as bound
    from fogspiel.evaluate.match import match as match
    from fogspiel.evaluate.referee import play_game as play_game
    from fogspiel.evaluate.result import MatchResult as MatchResult
    from fogspiel.evaluate.searched import searched_strategy as searched_strategy
    from fogspiel.evaluate.strategy_table import StrategyTable as StrategyTable
    from fogspiel.evaluate.strategy_table import strategy_table as strategy_table
    from fogspiel.evaluate.thought import Thought as Thought
    from fogspiel.evaluate.thought import think as think
    from fogspiel.game.check import check as check
    from fogspiel.game.game import Game as Game
    from fogspiel.game.horizon import horizon_values as horizon_values
    from fogspiel.game.horizon import write_rewards as write_rewards
    from fogspiel.game.load import built_in_games as built_in_games
    from fogspiel.game.load import load as load
    from fogspiel.game.playout import playouts as playouts
    from fogspiel.game.rules import CHANCE as CHANCE
    from fogspiel.game.rules import OVER as OVER
    from fogspiel.game.rules import PUBLIC as PUBLIC
    from fogspiel.game.state import State as State
    from fogspiel.interop.osposg import read_osposg as read_osposg
    from fogspiel.interop.osposg import write_osposg as write_osposg
    from fogspiel.solve.dominance import dominance as dominance
    from fogspiel.solve.dominance import indifference as indifference
    from fogspiel.solve.dominance import pure_equilibria as pure_equilibria
    from fogspiel.solve.endless import EndlessValue as EndlessValue
    from fogspiel.solve.endless import endless_value as endless_value
    from fogspiel.solve.files import read as read
    from fogspiel.solve.files import save as save
    from fogspiel.solve.posg_files import read_controllers as read_controllers
    from fogspiel.solve.posg_strategy import Controllers as Controllers
    from fogspiel.solve.response import best_response as best_response
    from fogspiel.solve.response import expected_values as expected_values
    from fogspiel.solve.response import exploitability as exploitability
    from fogspiel.solve.response import measure as measure
    from fogspiel.solve.restricted import restricted_response as restricted_response
    from fogspiel.solve.restricted import trade_off as trade_off
    from fogspiel.solve.result import Result as Result
    from fogspiel.solve.run import solve as solve
    from fogspiel.solve.strategy import Strategy as Strategy
    from fogspiel.tree.posg import OneSided as OneSided
    from fogspiel.tree.recall import well_formed as well_formed
    from fogspiel.tree.sequence import sequence_form as sequence_form
    from fogspiel.tree.tree import unroll as unroll

else:  # a type checker that knew of this would take any name to be there

    def __getattr__(name: str) -> Any:
        if name not in _FACE:
            raise AttributeError(f"module 'fogspiel' has no attribute {name!r}")
        value = getattr(import_module(_FACE[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The room `fogspiel.solve` has the name of a function of the face. The import system sets a room's name in its package; here
    the function keeps it. The room is found where all modules are, in `sys.modules`: imports from it are as usual."""

    @property
    def solve(self) -> Any:
        return import_module("fogspiel.solve.run").solve

    @solve.setter
    def solve(self, room: ModuleType) -> None: ...


sys.modules[__name__].__class__ = _Package
