"""What a search tells of a decision: what it thinks of each move, and what that cost."""

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from fogspiel.game.state import State


class Names:
    """The names of the moves in a state, put into words when somebody asks."""

    def __init__(self, state: State):
        self._state = state

    @cached_property
    def told(self) -> dict[int, str]:
        return self._state.game.move_names(self._state)


@dataclass(frozen=True, repr=False)
class MoveStatistics:
    """What the search thinks of a move. `value` is the mean utility of the player to move; `strategy` the mean
    strategy; `proven` what the move is certainly worth, where that was proven. `names` are those of all moves there:
    `name` is looked up where it is shown."""

    move: int
    visits: int
    value: float | None
    strategy: float | None
    proven: float | None = None
    names: "Names | str" = field(default="", compare=False)
    """Or the move's own name."""

    @property
    def name(self) -> str:
        return self.names if isinstance(self.names, str) else self.names.told[self.move]

    def as_dict(self) -> dict[str, Any]:
        return {
            "move": self.move,
            "name": self.name,
            "visits": self.visits,
            "value": self.value,
            "strategy": self.strategy,
            "proven": self.proven,
        }

    def __repr__(self) -> str:
        return f"MoveStatistics({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"

    def __getstate__(self) -> dict[str, Any]:
        """It is copied and sent with its name, and without the state that it is of."""
        return vars(self) | {"names": self.name}


@dataclass(frozen=True)
class Statistics:
    """What one decision cost and gave. `full` tells that nodes were refused for want of memory. A node takes
    `node_bytes`, and `slot_bytes` more for each move. `proven`: the value of the root is certain. `acceptance`: where
    states were replayed from the player's record, the share of the moves tried for them that were kept. `forgotten`:
    nodes of earlier searches that made room. `effective`: the effective sample size of the states believed in, where a
    belief weighs them. The depth of a simulation is how many moves players made before what it added to the tree, or
    all those in the tree where it added nothing; `depth` is the mean, `deepest` the most; `playout` is how many moves
    were played out, in the mean. Moves at what was added count for neither."""

    simulations: int
    seconds: float
    nodes: int
    bytes: int
    depth: float
    deepest: int
    playout: float
    full: bool
    node_bytes: int = 0
    slot_bytes: int = 0
    proven: bool = False
    acceptance: float | None = None
    forgotten: int = 0
    effective: float | None = None

    @staticmethod
    def joined(parts: "list[Statistics]") -> "Statistics":
        """The account of searches that ran side by side."""
        done = max(sum(p.simulations for p in parts), 1)
        return Statistics(
            sum(p.simulations for p in parts),
            max(p.seconds for p in parts),
            sum(p.nodes for p in parts),
            sum(p.bytes for p in parts),
            sum(p.depth * p.simulations for p in parts) / done,
            max(p.deepest for p in parts),
            sum(p.playout * p.simulations for p in parts) / done,
            any(p.full for p in parts),
            parts[0].node_bytes,
            parts[0].slot_bytes,
            any(p.proven for p in parts),
            forgotten=sum(p.forgotten for p in parts),
        )

    @staticmethod
    def in_turn(parts: "list[Statistics]") -> "Statistics":
        """The account of searches for one decision that ran one after another in the same memory, which is as the last
        one left it."""
        return replace(
            parts[-1],
            simulations=sum(p.simulations for p in parts),
            seconds=sum(p.seconds for p in parts),
            full=any(p.full for p in parts),
            forgotten=sum(p.forgotten for p in parts),
        )

    @property
    def speed(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"simulations_per_second": self.speed}
