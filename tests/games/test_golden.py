"""Every game plays its golden playthrough, word for word (`golden.py` writes them)."""

import xml.etree.ElementTree as xml

import pytest
from golden import playthrough, stored
from positions import load, random_states

import fogspiel as fs


@pytest.mark.parametrize("name", fs.built_in_games())
def test_a_game_plays_as_it_was_written_down(name):
    assert playthrough(name) == stored(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", fs.built_in_games())
def test_every_seat_has_a_picture(name):
    game = load(name)
    for state in [state for _, state in zip(range(40), random_states(game, 1, seed=3), strict=False)][::13]:
        for player in (*range(game.players), None):
            picture = xml.fromstring(state.svg(player))
            assert picture.tag.endswith("svg")
            assert len(picture) > 1
