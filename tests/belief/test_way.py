"""The decisions between two states, as a record tells of them."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.record import Record
from fogspiel.belief.way import steps
from fogspiel.game import CHANCE


def play(game, seat, seed):
    """A random game, and where the seat was asked: its record then, where the stage began, and all decisions before
    that."""
    rng, state, record, made = np.random.default_rng(seed), game.start(), Record(seat), []
    record.see(state)
    while not state.over:
        if state.actor == seat:
            pending = (
                sum(actor >= state.stage.actor for actor, _ in made[len(made) - seat :])
                if state.stage is not state
                else 0
            )
            yield Record(seat, list(record.keys), list(record.own)), state.stage.copy(), made[: len(made) - pending]
        move = int(rng.choice(state.moves()))
        if state.actor == seat:
            record.own.append(move)
        if state.actor != CHANCE:
            made.append((state.actor, move))
        state.play(move)
        record.see(state)


@pytest.mark.parametrize(
    "spec",
    ["goofspiel(cards=5,bids=open)", "goofspiel(cards=4,bids=open,order=random)", "tic_tac_toe", "oshi_zumo(coins=8)"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_where_nothing_is_hidden_the_way_is_what_was_played(spec, seat):
    game = fs.load(spec)
    for seed in range(5):
        last, done, before = game.start(), (1, 0), []
        for record, root, made in play(game, seat, seed):
            found = steps(last, record, *done, root)
            before += [(state.actor, move) for state, move in found]
            assert before == made
            last, done = root, (record.known(root), len(record.own))


def test_where_a_record_does_not_lead_to_a_state_there_is_no_way():
    game = fs.load("tic_tac_toe")
    record, state = Record(0), game.start()
    record.see(state)
    elsewhere = game.start()
    for there, here in ((0, 4), (1, 5)):
        record.own += [there] if state.actor == 0 else []
        state.play(there)
        elsewhere.play(here)
        record.see(state)
    assert steps(elsewhere, record, 1, 0, state) is None
    assert [move for _, move in steps(game.start(), record, 1, 0, state)] == [0, 1]
