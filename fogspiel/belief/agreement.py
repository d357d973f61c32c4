"""Whether a state agrees with a record: what everybody asks who keeps to what a player has seen, from kernels.

A record is the sequence of a player's keys, one each time the key changed (`belief/replay.py`), or of the public ones.
A history agrees with it as long as its keys, in their order, are the record's.
"""

from fogspiel.game.table import infoset

LEFT = -1


def agrees(game, state, watcher, known, seen, keys):
    """How many of the `seen` recorded keys of `watcher` (a player, or PUBLIC) a history has behind it in `state`, given
    that it had `known` of them before its last move; LEFT where it has left the record."""
    key = infoset(game, state, watcher)
    if key == keys[known - 1]:
        return known
    return known + 1 if known < seen and key == keys[known] else LEFT
