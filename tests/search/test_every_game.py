"""Every search plays every game that it supports to the end, and says in a sentence which it does not support."""

import re

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.games import PRESETS

FEW = {
    "do-alpha-beta": "depth=1",
    "is-expectimax": "states=2000",
    "ist-minimax": "nodes=2000,states=2000",
    "ist-mcts": "simulations=5,nodes=1024,states=2000",
    "pimc-minimax": "states=2000,nodes=2000",
    "cheating-minimax": "nodes=2000",
    "rollouts": "simulations=5",
    "gib": "determinizations=2,nodes=200",
    "epimc": "simulations=5,determinizations=2,nodes=1024",
}
FEW["is-mcts"] = "simulations=5,nodes=1024,belief=tracked(particles=20)"
FEW["bluffing-ismcts"] = "simulations=5,nodes=1024,belief=inferred(particles=20)"
FEW |= dict.fromkeys(("pimc", "cheating-uct"), "simulations=5,determinizations=2,nodes=1024")
FEW |= dict.fromkeys(("alpha-beta", "expectimax", "star1", "star2", "expss", "star1ss", "star2ss"), "depth=1,nodes=200")
ALL = (
    "mcts",
    "so-ismcts",
    "so-ismcts-pom",
    "mo-ismcts",
    "bluffing-ismcts",
    "is-mcts",
    "pimc",
    "epimc",
    "cheating-uct",
    "pomcp",
    "smooth-uct",
    "rollouts",
)
"""These support every game there is."""
SHORT = {"backgammon": "(setup=hyper)", "maze_pursuit": "(steps=10)", "road_pursuit": "(steps=10)"}
"""Long games, played to the end with three checkers instead of fifteen, or in ten steps instead of a hundred. In the
usual ones every search decides once, below."""
RENAMED = [name for name, preset in PRESETS.items() if not preset.parameters]
"""Other names of games that are played, too."""


@pytest.mark.parametrize("name", [name for name in fs.built_in_games() if name not in RENAMED])
def test_searches_play_a_game_to_its_end(name):
    game = fs.load(name + SHORT.get(name, ""))
    for i, kind in enumerate(KINDS):
        seats = ["random"] * game.players
        seats[i % game.players] = f"{kind}({FEW.get(kind, 'simulations=5,nodes=1024')})"
        played = fs.play_game(game, seats, deal=7, seed=i)
        if played.forfeit is None:
            assert len(played.utilities) == game.players
            continue
        assert kind not in ALL, played.reason
        assert played.forfeit == i % game.players
        assert re.match(r"failed( to begin)?: (Unsuitable|TooLarge): .*[a-z0-9)]$", played.reason), played.reason


@pytest.mark.parametrize("name", SHORT)
def test_searches_decide_once_in_the_usual_setup_of_a_long_game(name):
    game = fs.load(name)
    for kind in KINDS:
        try:
            thought = fs.think(game, f"{kind}({FEW.get(kind, 'simulations=5,nodes=1024')})", seed=3)
        except (fs.Unsuitable, fs.TooLarge):
            assert kind not in ALL
        else:
            assert thought.chosen in [move.name for move in thought.moves]
