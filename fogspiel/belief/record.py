"""What a player has seen, and whether a state agrees with it.

A record is the sequence of a player's keys, one each time the key changed, or of the public ones. A history agrees with
it as long as its keys, in their order, are the record's.
"""

from dataclasses import dataclass, field

from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.table import infoset

LEFT = -1


@dataclass
class Record:
    """What a player has seen: its key at the start and after each change, its own moves, and the public keys
    likewise."""

    player: int
    keys: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    public: list[int] = field(default_factory=list)

    def known(self, state: State) -> int:
        """How many of its keys the player had in a state that it has passed or is in: the last time it had the present
        one."""
        key = state.key(self.player)
        return next(n for n in range(len(self.keys), 0, -1) if self.keys[n - 1] == key)

    def see(self, state: State) -> None:
        """Take in what the player, and what everyone, knows now."""
        self.saw(state.key(self.player), state.key(PUBLIC))

    def saw(self, key: int, public: int) -> None:
        """Take in the keys of what the player, and of what everyone, knows now."""
        if not self.keys or self.keys[-1] != key:
            self.keys.append(key)
        if not self.public or self.public[-1] != public:
            self.public.append(public)


def agrees(game, state, watcher, known, seen, keys):
    """How many of the `seen` recorded keys of `watcher` (a player, or PUBLIC) a history has behind it in `state`, given
    that it had `known` of them before its last move; LEFT where it has left the record."""
    key = infoset(game, state, watcher)
    if key == keys[known - 1]:
        return known
    return known + 1 if known < seen and key == keys[known] else LEFT
