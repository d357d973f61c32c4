"""Replaying what a player has seen: in as much room as it takes, and without leaning to what fits in little."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import draw, draw_many

WALK = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Whole

MAX_MOVES = 128
PARAMETERS = (Whole("count", 2, 2, 200, "outcomes of chance"),)
State = np.dtype([("count", "i4"), ("steps", "i4"), ("turn", "i1")], align=True)
def about(count): return About(players=1, utility=(0, 1), zero_sum=False)
def start(s): s.turn = CHANCE
def actor(s): return s.turn
def moves(s, out):
    for i in range(s.count): out[i] = i
    return s.count
def chance(s, out, prob):
    # to stop, which nobody sees, or go on: the length of the walk is geometric
    for i in range(s.count):
        out[i] = i
        prob[i] = 0.02 if i == 0 else 0.98 / (s.count - 1)
    return s.count
def play(s, move):
    if s.turn == 0: s.turn = OVER
    elif move == 0: s.turn = 0
    else: s.steps += 1
def payoff(s, out): out[0] = 1.0
def infoset(s, player): return 7
"""


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "walk.py"
    path.write_text(WALK)
    return path


@pytest.mark.parametrize("count", [2, 100])
def test_long_histories_are_drawn_as_often_as_they_should_be(walk, count):
    game = fs.load(walk, count=count)
    record = Record(0)
    record.see(game.start())
    lengths = [state.view.steps for state in draw_many(game, record, 3000, np.array([5], np.uint64))]
    assert np.mean(lengths) == pytest.approx(49, rel=0.08)
    # longer ones than there is room for at first, as many as a geometric distribution has
    assert np.mean(np.array(lengths) >= 100) == pytest.approx(0.98**100, abs=0.025)


def test_a_draw_takes_no_more_memory_than_it_needs(walk):
    game = fs.load(walk)
    record = Record(0)
    record.see(game.start())
    draw(game, record, np.array([5], np.uint64))
    tracemalloc.start()
    try:
        draw(game, record, np.array([5], np.uint64))
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


def test_a_state_with_more_moves_than_there_is_room_for_is_told(walk):
    game = fs.load(walk, count=200, unchecked=True)
    record = Record(0, keys=[7])
    with pytest.raises(fs.GameError, match="MAX_MOVES"):
        draw(game, record, np.array([5], np.uint64))


@pytest.mark.parametrize("spec", ["mo-ismcts", "so-ismcts", "so-ismcts-pom", "mcts", "is-mcts", "rollouts"])
def test_the_number_of_states_replayed_is_a_parameter(tmp_path, spec):
    text = Path(fs.load("kuhn").module.__file__).read_text()
    path = tmp_path / "bare_kuhn.py"
    path.write_text(text.replace("def resample(", "def no_resample("))
    game, state, record = fs.load(path), fs.load(path).start(), Record(0)
    record.see(state)
    for move in (0, 1):
        state.play(move)
        record.see(state)
    for asked, drawn in (("usual", 64), ("usual(replays=5)", 5)):
        belief = fs.part("target", belief=asked) if spec == "oos" else asked
        player = fs.agent(spec, simulations=20, **{"progress" if spec == "oos" else "belief": belief})
        player.begin(game, 0, 1)
        assert player.choose(observe(state, record, np.array([1], np.uint64))) in state.moves()
        assert player.belief.account.drawn == drawn
