"""All states that are possible: each once, with the posterior of all histories, and of a model that is told what others
saw."""

from itertools import islice

import numpy as np
import pytest
from seats import decisions
from test_particle_filter import enumerated

import fogspiel as fs
from fogspiel.belief.exact import Possible
from fogspiel.belief.rejection import draw


def at_random(state):
    return {move: 1 / len(state.moves()) for move in state.moves()}


@pytest.mark.parametrize("spec", ["leduc", "bluff", "phantom_tic_tac_toe"])
def test_with_others_who_move_at_random_it_is_the_posterior_of_all_histories(spec):
    game = fs.load(spec)
    for seat in range(game.players):
        possible = Possible(game, seat, 10**6, random=True)
        for observation in islice(decisions(game, seat, 3), 2):
            states, weights = possible.at(observation.record)
            found = dict(zip([state.data.tobytes() for state in states], weights.tolist(), strict=True))
            assert found == pytest.approx(enumerated(game, observation.record, at_random), abs=1e-12)


def test_states_that_come_about_in_several_ways_are_one():
    """In Pig a player sees everything, and the same points can be rolled and lost again and again."""
    game = fs.load("pig")
    for seat in range(2):
        possible = Possible(game, seat, 10**4)
        for observation in decisions(game, seat, 0):
            states, weights = possible.at(observation.record)
            assert [state.key(seat) for state in states] == [observation.state.key(seat)]
            assert weights.tolist() == [1.0]


def test_a_model_is_told_what_another_saw_on_the_way():
    """Of what they would have done, squares that are taken unseen are told by the first attempt at them alone."""
    game, asked = fs.load("phantom_tic_tac_toe"), []

    def lowest(state, record):
        assert record.player == state.actor
        assert record.keys[-1] == state.key(state.actor)
        assert draw(game, record, np.array([1], np.uint64)).key(state.actor) == state.key(state.actor)
        asked.append(record)
        return min(state.moves())

    possible = Possible(game, 1, 10**6, lowest)
    for observation in islice(decisions(game, 1, 3), 3):
        possible.at(observation.record)
    assert {len(record.own) for record in asked} >= {0, 1, 2}
