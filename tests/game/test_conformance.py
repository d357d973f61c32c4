"""Every built-in game keeps the promises that algorithms rely on, at its own size and with each parameter changed."""

import pytest

from fogspiel.errors import SpecError
from fogspiel.game.check import check
from fogspiel.game.load import built_in_games, load
from fogspiel.game.spec import Choice, Whole
from fogspiel.games import PRESETS

GAMES = [name for name in built_in_games() if name not in PRESETS]
"""A preset is one of these with some parameters, and plays by the same rules."""


@pytest.mark.parametrize("name", GAMES)
def test_built_in_game_conforms(name):
    report = check(load(name), playouts=100, histories=4_000)
    assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.parametrize("name", GAMES)
def test_built_in_game_conforms_with_other_parameters(name):
    """Each other choice of a word, and small whole numbers, whose trees can be walked to the end."""
    default = load(name)
    small = {p.name: min(p.low + 1, p.high) for p in default.declared if isinstance(p, Whole)}
    changes = [{p.name: word} for p in default.declared if isinstance(p, Choice) for word in p.choices]
    tried = 0
    for change in [{}, *changes]:
        try:
            game = load(f"{name}({','.join(f'{key}={value}' for key, value in (small | change).items())})")
        except SpecError:
            continue  # parameters that do not go together
        report = check(game, playouts=20, histories=1_500)
        assert report.ok, "\n".join([game.spec, *map(str, report.failures)])
        tried += 1
    assert tried > 0
