"""The way that a game has come, as far as a player's record tells: the decisions between two states."""

import numpy as np

from fogspiel.belief.record import Record
from fogspiel.belief.rejection import GaveUp, Replay
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State, advance

MOST = 100_000
"""Moves tried to find a way."""


def nobody_has_moved(record: Record, stage: State) -> bool:
    """Whether nobody but chance may have moved before the stage of a player's decision, as far as its record tells. A
    deal that is too long to be replayed is compared with another one, after which as much has been public."""
    if record.own:
        return False
    state = stage.game.start()
    came = steps(state, record, 1, 0, stage)
    if came is not None:
        return came == []
    dealt = Record(record.player)
    dealt.see(state)
    while state.actor == CHANCE:
        advance(state, max(state.chance(), key=lambda outcome: outcome[1])[0])
        dealt.see(state)
    return len(dealt.public) == len(record.public)


def steps(state: State, record: Record, known: int, own: int, root: State) -> list[tuple[State, int]] | None:
    """The players' decisions on a way from a state, where `known` keys and `own` moves of the record were behind, to
    the root, where the stage of its last decision began: each a state and the move made there. None if there is no such
    way, or none was found."""
    rest = Record(record.player, record.keys[known - 1 : record.known(root)], record.own[own:])
    work = Replay(state.game, rest, root.actor, np.zeros(1, np.uint64), MOST, root=state.data)
    try:
        moves = next(work.histories(), None)
    except GaveUp:
        return None
    if moves is None:
        return None
    passed, here = [], state.copy()
    for move in moves:
        if here.actor != CHANCE:
            passed.append((here.copy(), move))
        advance(here, move)
    return passed
