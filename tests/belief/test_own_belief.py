"""Beliefs of one's own, from a file."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from seats import agrees, decisions

import fogspiel as fs
from fogspiel.belief.belief import Belief, named
from fogspiel.belief.own import load_belief
from fogspiel.belief.particle_filter import Tracked

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_belief.py"

FUNCTION = """
def draw(seat, state, rng, states=3):
    drawn = [state.copy() for _ in range(states)]
    for one in drawn:
        one.resample(seat, rng)
    return drawn
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("few.py").write_text(FUNCTION)
    return tmp_path


def drawn(belief, game, seat, seed, model=None):
    belief.begin(game, seat, np.array([3], np.uint64))
    for observation in decisions(game, seat, seed):
        belief.update(observation.record, observation.state, model)
        yield observation, belief.draw()


@pytest.mark.parametrize("spec", ["leduc", "kuhn", "goofspiel(cards=4)"])
def test_a_file_is_a_belief_like_any_other(folder, spec):
    game = fs.load(spec)
    for belief, count in ((named("few.py"), 3), (named("few.py(states=7)"), 7), (named(f"{EXAMPLE}(states=9)"), 9)):
        assert isinstance(belief, Belief)
        for seat in range(2):
            for observation, roots in drawn(belief, game, seat, 4):
                assert len(roots.states) == count
                assert all(agrees(state, observation) for state in roots.states)
                assert all(state.stage is state for state in roots.states)


def test_the_example_believes_what_speaks_for_itself():
    # Kuhn poker: an opponent that always bets with the king and a quarter of the time with the jack has the king four
    # times of five
    game, found = fs.load("kuhn"), []

    def model(state):
        bets = {0: 0.25, 2: 1.0}.get(state.view.card[0], 0.5)
        return {0: 1 - bets, 1: bets}

    for seed in range(40):
        belief = load_belief(f"{EXAMPLE}(states=400,doubt=0.001)")
        for observation, roots in drawn(belief, game, 1, seed, model):
            if observation.state.view.card[1] == 1 and observation.state.view.bet[0] == 1:
                king = np.array([state.view.card[0] == 2 for state in roots.states])
                found.append(float(roots.shares @ king))
    assert found
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_a_belief_is_named_by_a_spec_string():
    assert isinstance(named("tracked(k=7)"), Tracked)
    assert (named("tracked(k=7)").k, named("tracked", {"k": 3}).k) == (7, 3)
    with pytest.raises(fs.SpecError, match="there is no belief 'trackd'; did you mean tracked"):
        named("trackd")
    with pytest.raises(fs.SpecError, match="belief=tracked has no parameter replay; did you mean replays"):
        named("tracked(replay=3)")


def test_a_function_that_asks_for_a_model_is_given_one(folder):
    Path("asks.py").write_text(
        "asked = []\ndef draw(state, model):\n    asked.append(model(state))\n    return [state]\n"
    )
    assert not named("few.py").models
    belief = named("asks.py")
    assert belief.models
    list(drawn(belief, fs.load("kuhn"), 0, 1, model=lambda state: {0: 1.0}))
    assert belief.made.function.__globals__["asked"][0] == {0: 1.0}


def test_an_own_belief_is_pickled_as_its_file(folder):
    other = pickle.loads(pickle.dumps(named("few.py(states=5)")))
    assert other.name == "few.py(states=5)"
    assert all(len(roots.states) == 5 for _, roots in drawn(other, fs.load("leduc"), 0, 1))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def draw(record)\n    pass", "wrong.py, line 1: expected ':'"),
        ("x = 1", "wrong.py has no belief: it needs a class with draw(self), or a function draw(record, state, rng)"),
        (
            "def draw(record, depth):\n    return []",
            "wrong.py, line 1: draw needs a value for depth: give it a default",
        ),
        (
            "class A:\n    def __init__(self):\n        1 / 0\n    def draw(self): ...",
            "wrong.py, line 3: A cannot be made: ZeroDivisionError",
        ),
        (
            "class A:\n    draw = len\nclass B:\n    draw = len",
            "wrong.py has several beliefs (A, B); let one be called Belief",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(folder, text, sentence):
    Path("wrong.py").write_text(text)
    with pytest.raises(fs.PartError) as error:
        load_belief("wrong.py")
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return None", "wrong.py: draw must return Roots or a list of states, not None"),
        ("return []", "wrong.py: draw returned no states"),
        ("return [7]", "wrong.py: draw must return states of leduc, not 7"),
        ("return [game.start()]", "wrong.py: draw returned a state that player 1 cannot be in after what it has seen"),
        ("return Roots([state], [1.0, 2.0])", "wrong.py: draw returned 2 weights, and not one for each state (1)"),
        (
            "return Roots([state, state], [-1.0, 2.0])",
            "wrong.py: draw returned weights that are not all finite and positive",
        ),
        (
            "return Roots([state, state], runs=[0.0, 2.0])",
            "wrong.py: draw returned runs that are not all finite and at least 1",
        ),
    ],
)
def test_states_that_cannot_be_are_refused(folder, body, sentence):
    Path("wrong.py").write_text(f"from fogspiel.belief.roots import Roots\ndef draw(game, state):\n    {body}\n")
    with pytest.raises(fs.PartError) as error:
        next(drawn(load_belief("wrong.py"), fs.load("leduc"), 1, 1))
    assert str(error.value) == sentence


def test_states_to_be_redrawn_are_refused_where_the_game_cannot(folder):
    Path("redrawn.py").write_text(
        "from fogspiel.belief.roots import Roots\ndef draw(state):\n    return Roots([state], redraw=True)\n"
    )
    assert next(drawn(load_belief("redrawn.py"), fs.load("leduc"), 1, 1))[1].redraw
    Path("bare.py").write_text(
        Path(fs.load("kuhn").module.__file__).read_text().replace("def resample(", "def no_resample(")
    )
    with pytest.raises(fs.Unsuitable, match="^redrawn.py: draw with redraw=True needs the rule resample; .* has none$"):
        next(drawn(load_belief("redrawn.py"), fs.load("bare.py"), 1, 1))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", ["goofspiel(cards=4)", "goofspiel(cards=4,bids=open)", "oshi_zumo(coins=6)"])
def test_where_players_move_at_once_a_stage_that_is_over_is_refused(folder, spec, seat):
    """A search that started there would never come to the decision, and play blind."""
    game = fs.load(spec)
    for text, taken in (("game.start()", 1), ("state.stage", 100), ("state", 100)):
        Path("before.py").write_text(f"def draw(game, state):\n    return [{text}]\n")
        belief = load_belief("before.py")
        belief.begin(game, seat, np.array([3], np.uint64))
        for number, observation in enumerate(decisions(game, seat, 1)):
            belief.update(observation.record, observation.state)
            if number < taken:
                assert [agrees(state, observation) for state in belief.draw().states] == [True]
            else:
                with pytest.raises(fs.PartError, match=f"returned a state that player {seat} cannot be in after what"):
                    belief.draw()
        assert number >= 2


def test_a_stage_that_came_before_without_a_key_of_its_own_is_refused(folder):
    """Player 1 sees nothing of what player 0 does by itself before both move at once."""
    Path("alone_first.py").write_text(ALONE_FIRST)
    Path("before.py").write_text("def draw(game, state):\n    return [game.start()]\n")
    game, belief = fs.load("alone_first.py"), load_belief("before.py")
    belief.begin(game, 1, np.array([3], np.uint64))
    (observation,) = decisions(game, 1, 1)
    belief.update(observation.record, observation.state)
    with pytest.raises(fs.PartError, match="returned a state that player 1 cannot be in"):
        belief.draw()


ALONE_FIRST = """
import numpy as np
from fogspiel.game import OVER, About

State = np.dtype([("made", "i1", 3), ("turn", "i1")], align=True)
def about(): return About(players=2, utility=(-1, 1), simultaneous=True)
def start(s): s.turn = 0
def actor(s): return (0, 0, 1, OVER)[s.turn]
def moves(s, out):
    out[0], out[1] = 0, 1
    return 2
def play(s, move):
    s.made[s.turn] = move
    s.turn += 1
def payoff(s, out):
    out[0] = 1 if s.made[1] == s.made[2] else -1
    out[1] = -out[0]
def infoset(s, player):
    return s.made[0] + 2 * s.made[1] + 4 * s.turn if player == 0 else 1 if s.turn < 3 else 2
def resample(s, player, rng):
    pass
"""
