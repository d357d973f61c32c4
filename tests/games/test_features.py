"""What games name as hidden (`features`): what a player believes of it is readable."""

import pkgutil
from importlib import import_module

import numpy as np
import pytest

import fogspiel as fs
from fogspiel import games

NAMES = [found.name for found in pkgutil.iter_modules(games.__path__) if not found.ispkg]
GAMES = [name for name in NAMES if hasattr(import_module(f"fogspiel.games.{name}"), "features")]


@pytest.mark.parametrize("name", GAMES)
def test_to_a_player_the_same_things_are_hidden_in_all_states_that_it_cannot_tell_apart(name):
    game, generator = fs.load(name), np.random.default_rng(4)
    rng, varied = np.array([7], np.uint64), False
    for _ in range(20):
        state = game.start()
        for _ in range(60):
            if state.actor == fs.OVER:
                break
            state.play(int(generator.choice(state.moves())))
            if state.actor < 0 or "resample" not in game.functions:
                continue
            other = state.copy()
            other.resample(state.actor, rng)
            told, redrawn = game.features(state), game.features(other)
            assert told.keys() == redrawn.keys()
            varied |= told != redrawn
    assert varied or "resample" not in game.functions


def test_who_holds_the_queen_of_spades_is_one_of_the_others():
    game = fs.load("hearts")
    state, rng = game.start(), np.array([1], np.uint64)
    while state.actor == fs.CHANCE:
        state.play(state.moves()[0])
    held = game.features(state)
    assert len(held) == 52
    assert sorted(held.values()) == sorted(f"player {i}" for i in range(4) for _ in range(13))
    other = state.copy()
    other.resample(0, rng)
    mine = {card for card, holder in held.items() if holder == "player 0"}
    assert {card for card, holder in game.features(other).items() if holder == "player 0"} == mine
