"""What a sampling scheme is made of: functions that stand for its parts, and what a part is.

The loop (`solvers/mccfr/traversal.py`) and the parts themselves call the functions below. `linked` puts a scheme's own
in their places (`engine/linking.py`). All are given the `game`, and `run`: the table, the place where the traversal has
come, scratch memory, and the settings and arrays that the parts asked for (`solvers/mccfr/frames.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Kind
from fogspiel.game.game import Game
from fogspiel.game.needs import Need
from fogspiel.solvers.mccfr.arena import EXTRA, KEYED

BRANCH = -1
"""In place of an action that was sampled: the traversal is to stop here and follow several, or learn from one."""


def at_decision(game, run, at, free, me):
    """An estimate of what `me` gets from a player's place on, `run.places[at]`, learning on the way. Places from `free`
    on are not in use."""
    raise NotImplementedError


def at_chance(game, run, at, free, me):
    """The same where chance moves."""
    raise NotImplementedError


def sample_other(game, run, place):
    """The action of a player that is not the updating one, sampled, with what is to be kept in mind of it; or
    BRANCH."""
    raise NotImplementedError


def sample_chance(game, run, place, me):
    """The outcome of chance; or BRANCH."""
    raise NotImplementedError


def begin_averaging(game, run, me):
    """Before a traversal that updates `me`: the player whose averages grow in it; -1 for all."""
    raise NotImplementedError


def average(run, place, own, picked):
    """Add the strategy at a place to the average of its node, whose player reaches it with `own`; `picked` was sampled,
    if anything."""
    raise NotImplementedError


def hand_down(run, place, own, picked, child):
    """An action is followed: tell the next place what averages there will want to know. `child` may be the same record
    as `place`."""
    raise NotImplementedError


def begin(run, me):
    """Before a traversal: whether `me` is updated at all."""
    raise NotImplementedError


def is_held(run, who):
    """Whether a player is held to a fixed strategy in this traversal."""
    raise NotImplementedError


def sample_fixed(game, run, place):
    """The action of a player that is held to a fixed strategy."""
    raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Part:
    """Functions by those that they stand for, and what they need.

    Of the table: `header` words and `columns` of a node. Of `run`: `memory`, by name the kind of each array and a
    function that makes it of the game and the solver's parameters. Of the game: `needs`. `alone`: that no other thread
    uses the table.

    `enumerates`: a traversal follows every action of the updating player; `both`: it updates both players. `responds`:
    others may be held to a fixed strategy in it. `catch_up`, a kernel for each width of words, brings averages up to
    date.
    """

    name: str
    functions: Mapping[Function, Function]
    header: int = KEYED
    columns: int = EXTRA
    memory: Mapping[str, tuple[Kind, Callable[[Game, dict[str, Any]], np.ndarray]]] = field(default_factory=dict)
    needs: tuple[Need, ...] = ()
    alone: bool = False
    enumerates: bool = False
    both: bool = False
    responds: bool = True
    catch_up: Mapping[bool, Callable[..., Any]] | None = None
