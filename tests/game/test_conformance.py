"""Every built-in game keeps the promises that algorithms rely on, at its own size and with each parameter changed."""

import pytest

import fogspiel as fs
from fogspiel.game import Choice, Whole
from fogspiel.games import PRESETS

GAMES = [name for name in fs.built_in_games() if name not in PRESETS]
"""A preset is one of these with some parameters, and plays by the same rules."""


@pytest.mark.parametrize("name", GAMES)
def test_built_in_game_conforms(name):
    report = fs.check(fs.load(name), playouts=100, histories=4_000)
    assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.parametrize("name", GAMES)
def test_built_in_game_conforms_with_other_parameters(name):
    """Each other choice of a word, and small whole numbers, whose trees can be walked to the end."""
    default = fs.load(name)
    small = {p.name: min(p.low + 1, p.high) for p in default.declared if isinstance(p, Whole)}
    changes = [{p.name: word} for p in default.declared if isinstance(p, Choice) for word in p.choices]
    tried = 0
    for change in [{}, *changes]:
        try:
            game = fs.load(f"{name}({','.join(f'{key}={value}' for key, value in (small | change).items())})")
        except fs.SpecError:
            continue  # parameters that do not go together
        report = fs.check(game, playouts=20, histories=1_500)
        assert report.ok, "\n".join([game.spec, *map(str, report.failures)])
        tried += 1
    assert tried > 0
