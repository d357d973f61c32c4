"""What kernels are told of states by a game's table."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Ints, Word
from fogspiel.engine.primitives import address_of, coming_word, next_word
from fogspiel.game import CHANCE
from fogspiel.game.promises import drawn, drawn_evenly
from fogspiel.game.table import known_key, position


@kernel
def compiled_key(game: Ints, state: Ints) -> Word:
    return position(game, address_of(state))


def states(game, most=40):
    """The first states that are met, the last moves first."""
    found, todo = [], [game.start()]
    while todo and len(found) < most:
        state = todo.pop()
        found.append(state)
        for move in [] if state.over else state.moves():
            after = state.copy()
            after.play(move)
            todo.append(after)
    return found


def padded(state):
    """The bytes of a state as kernels hold them: zeros follow, up to a whole number of words."""
    words = np.zeros(-(-len(state.data) // 8), np.int64)
    words.view(np.uint8)[: len(state.data)] = state.data
    return words


def keys(game, key=position, *given):
    held = [padded(state) for state in states(game)]
    return [key(game.table.tolist(), address_of(words), *given) for words in held]


@pytest.mark.parametrize("spec", ["cant_stop", "goofspiel(cards=4,bids=open,order=random)", "nim"])
def test_the_key_of_a_state_does_not_tell_where_tables_lie(spec):
    one, other = fs.load(spec), fs.load(spec)
    assert one._tables
    assert all(one._tables[n].ctypes.data != other._tables[n].ctypes.data for n in one._tables)
    assert keys(one) == keys(other)
    assert keys(one, known_key, CHANCE) == keys(other, known_key, CHANCE)


@pytest.mark.parametrize("spec", ["pig", "cant_stop", "einstein", "mini_dou_di_zhu"])
def test_states_of_other_bytes_have_other_keys_and_the_same_ones_compiled(spec):
    game = fs.load(spec)
    found = states(game)
    assert [int(compiled_key(game.table, padded(state))) % 2**64 for state in found] == keys(game)
    if "position" not in game.functions:
        assert len({*keys(game)}) == len({state.data.tobytes() for state in found})


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 1000])
def test_even_chance_is_drawn_as_by_its_probabilities(n):
    odds = [1 / n] * n
    edges = [int(k / n * 2**64) + d for k in range(1, min(n, 60)) for d in (-(2**11), -1, 0, 1, 2**11)]
    for word in [*edges, *(next_word([seed]) for seed in range(1000))]:
        assert drawn_evenly(n, word) == drawn(odds, n, word)


def test_the_coming_random_word_is_the_next_one():
    rng = [2**64 - 1]
    for _ in range(5):
        assert coming_word(rng) == next_word(rng)
