"""Lines of play below the root of a search, and what its memory holds along them."""

from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.game.state import State, advance
from fogspiel.game.table import sample
from fogspiel.search.search import Following, Search, TreeSearch
from fogspiel.search.statistics import MoveStatistics


class Line:
    """Moves from a state at the root, followed as a simulation follows them: nodes may be told apart by the way to
    them.

    `weight`: how likely the line is among others, as far as chance and what is hidden at the root decide."""

    weight = 1.0

    def __init__(self, search: Search, root: State, searcher: int):
        self.search, self.searcher, self.state = search, searcher, root.copy()
        self.followed = Following(search, self.state.stage, searcher) if isinstance(search, TreeSearch) else None

    @cached_property
    def key(self) -> int:
        """The key of the node that the search has, or would have, for the decision reached."""
        return self.search.key(self.state, self.searcher) if self.followed is None else self.followed.key(self.state)

    @property
    def place(self) -> tuple[Any, ...]:
        """What tells two lines apart: the state, and the way to it if the search tells nodes apart by that."""
        return self.state.data.tobytes(), self.followed.way if self.followed is not None else ()

    @cached_property
    def node(self) -> int:
        """The node in the search's memory, or -1."""
        return self.search.memory.find(self.key)

    def label(self, move: int) -> int:
        """What the node calls a move; moves that the search does not tell apart have the same."""
        return self.search.label(self.state, self.searcher, move)

    def moves(self) -> tuple[MoveStatistics, ...]:
        """What the search thinks of each move here."""
        return self.search.moves(self.state, self.searcher, self.key)

    def tried(self) -> set[int]:
        """What the node calls the moves that were tried there."""
        memory = self.search.memory
        if (node := self.node) < 0:
            return set()
        slots = memory.slots[memory.slots_of(node)]
        return set(slots.move[slots.tries > 0].tolist())

    def after(self, move: int) -> "Line":
        """The line one move further."""
        line = object.__new__(Line)
        line.__dict__.update(self.__dict__)
        for found in ("key", "node"):
            line.__dict__.pop(found, None)
        line.state = self.state.copy()
        who = line.state.actor
        advance(line.state, move)
        if self.followed is not None:
            line.followed = self.followed.after(who, move, line.state)
        return line

    def draw(self, rng: np.ndarray) -> tuple[int, "Line"]:
        """An outcome of chance, drawn by its probabilities, and the line after it."""
        outcomes = self.state.chance()
        move = outcomes[sample([p for _, p in outcomes], 0, len(outcomes), rng)][0]
        return move, self.after(move)
