"""What varies in how particles are carried on (`belief/progress.py`): functions that stand for those of parts, which
are linked in for them.

A part is a name and its functions, by those that they stand for. Without parts others' moves are each as likely,
nothing is inferred from what is seen, and nothing is written down.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fogspiel.engine.closure import Function


@dataclass(frozen=True, eq=False)
class Part:
    name: str
    functions: Mapping[Function, Function]


def foretell(game, queue, rows, here, s):
    """How likely another player is to make each move of a particle's state s: queue.odds[here.first : here.first +
    here.moves] says that all are alike, and may say more after this. Returns 1 where Python is to be asked, 0
    elsewhere."""
    return 0


def infer(queue):
    """The particles have come to an event, or to the decision."""


def weigh(queue):
    """What particles count where some are left out, to queue.mass: their weights."""
    for i in range(queue.stand.count):
        queue.mass[i] = queue.particles[i].weight


def has_room_for(queue, moves):
    """Whether there is room to write down that so many moves were made."""
    return True


def write_down(queue, new, old, move):
    """A particle was made of another by a move."""
