"""Whether a state agrees with a record: one function, for all that keep to what a player has seen."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.record import LEFT, agrees
from fogspiel.game import PUBLIC


def agreement(game, moves, watcher, keys):
    """How many keys a history agrees with after each of its moves."""
    state, known = game.start(), [1]
    for move in moves:
        state.play(move)
        known.append(
            agrees(
                game.table.tolist(),
                state.data.ctypes.data,
                watcher,
                known[-1],
                len(keys),
                np.array(keys, np.uint64).view(np.int64),
            )
        )
        if known[-1] == LEFT:
            break
    return known


def seen(game, moves, watcher):
    state = game.start()
    keys = [state.key(watcher)]
    for move in moves:
        state.play(move)
        if state.key(watcher) != keys[-1]:
            keys.append(state.key(watcher))
    return keys


def test_a_history_agrees_with_its_own_record():
    game, moves = fs.load("kuhn"), [2, 1, 1, 1]
    for watcher in (0, 1, PUBLIC):
        keys = seen(game, moves, watcher)
        assert agreement(game, moves, watcher, keys)[-1] == len(keys)


@pytest.mark.parametrize(
    ("other", "agreed"),
    # player 0 holds card 2: it cannot tell its opponent's cards apart, but it can tell its own, and a bet from a check
    [
        ([2, 0, 1, 1], [1, 2, 3, 4, 5]),
        ([1, 2, 1, 1], [1, LEFT]),
        ([2, 1, 0], [1, 2, 3, LEFT]),
        ([2, 0, 1, 0], [1, 2, 3, 4, LEFT]),
    ],
)
def test_it_leaves_the_record_with_the_first_key_that_differs(other, agreed):
    game = fs.load("kuhn")
    keys = seen(game, [2, 1, 1, 1], 0)
    assert agreement(game, other, 0, keys) == agreed


def test_more_than_was_seen_is_no_agreement():
    game = fs.load("kuhn")
    keys = seen(game, [2, 1, 1], 0)
    assert agreement(game, [2, 1, 1, 1], 0, keys) == [1, 2, 3, 4, LEFT]
