"""The public face: everything takes a game as a spec string, shows itself, can be copied and pickled."""

import copy
import inspect
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import fogspiel as fs

RULES = """
import numpy as np
from fogspiel.game import OVER, About, Whole, whole_at

PARAMETERS = (Whole("size", 3, 1, 9, "moves"),)
State = np.dtype([("size", "i4"), ("prizes", "i8"), ("taken", "i4")], align=True)
def about(size): return About(players=1, utility=(0, 100), zero_sum=False, tables={"prizes": np.arange(10, 10 + size)})
def start(s): s.taken = -1
def actor(s): return OVER if s.taken >= 0 else 0
def moves(s, out):
    for i in range(s.size): out[i] = i
    return s.size
def play(s, move): s.taken = move
def payoff(s, out): out[0] = whole_at(s.prizes, s.taken)
def infoset(s, player): return s.taken
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "prizes.py"
    path.write_text(RULES)
    return path


@pytest.fixture(scope="module")
def result():
    return fs.solve("kuhn", iterations=100)


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def test_whatever_takes_a_game_takes_a_spec_string(result):
    s = result.strategy
    assert fs.check("kuhn", playouts=20, histories=100).ok
    assert fs.playouts("kuhn", 100).games == 100
    assert fs.unroll("kuhn").size == fs.unroll(fs.load("kuhn")).size
    assert fs.sequence_form("kuhn").players == 2
    assert fs.well_formed("kuhn").well_formed
    assert fs.nash_conv("kuhn", s) == pytest.approx(result.nash_conv)
    assert fs.expected_values("kuhn", s) == pytest.approx(fs.measure("kuhn", s).value)
    assert fs.best_response("kuhn", s, 0)[0] > fs.expected_values("kuhn", s)[0]
    assert fs.restricted_response("kuhn", s, 0, 0.5).player == 0
    assert len(fs.trade_off("kuhn", s, 0, [0.0, 1.0])) == 2
    assert fs.bound("kuhn", s, iterations=10, games=10).game == "kuhn"
    assert fs.match("kuhn", ["random", "random"], games=2).game == "kuhn"
    assert len(fs.play_game("kuhn", ["random", "random"], deal=1, seed=2).utilities) == 2


def test_whatever_takes_a_game_takes_a_file_with_parameters(file):
    assert fs.playouts(f"{file}(size=4)", 10).longest == 1
    assert fs.unroll(f"{file}(size=4)").size == fs.unroll(file).size + 1
    assert fs.check(file, playouts=5).ok
    assert fs.play_game(file, ["random"], deal=0, seed=0).utilities[0] >= 10


def test_a_game_is_played_by_agents_named_by_specs_strategies_or_objects(result):
    game = fs.load("kuhn")
    named = fs.play_game("kuhn", ["mo-ismcts(simulations=20)", result.strategy], deal=3, seed=4)
    made = fs.play_game(game, [fs.agent("mo-ismcts(simulations=20)"), fs.agent(result.strategy)], deal=3, seed=4)
    assert named.moves == made.moves
    with pytest.raises(fs.SpecError, match="2 seats, 1 given"):
        fs.play_game("kuhn", ["random"], deal=0, seed=0)


def test_agents_and_observations_are_public():
    class First:
        name = "first"

        def begin(self, game, seat, seed):
            self.seen = []

        def choose(self, observation):
            self.seen.append(observation)
            return observation.moves[0]

    one = First()
    assert isinstance(one, fs.Agent)
    fs.play_game("kuhn", [one, "random"], deal=0, seed=0)
    assert isinstance(one.seen[0], fs.Observation)
    assert one.seen[0].names == ("pass", "bet")
    assert "begin" in fs.Agent.__doc__
    assert "state" in fs.Observation.__doc__


def test_names_of_the_face_and_rooms_do_not_meet():
    rooms = {p.stem for p in Path(fs.__file__).parent.iterdir()}
    assert not rooms & set(fs.__all__)


def test_every_name_of_the_face_is_written_once():
    text = Path(fs.__file__).with_suffix(".pyi").read_text()
    named = re.findall(r"^from [\w.]+ import (\w+) as (\w+)$", text, re.MULTILINE)
    assert sorted(fs.__all__) == sorted({"__version__", *(one for one, _ in named)})
    assert all(one == other for one, other in named)
    assert len({one for one, _ in named}) == len(named)


def test_every_name_of_the_face_is_there():
    for name in fs.__all__:
        assert getattr(fs, name) is not None, name
    assert inspect.isfunction(fs.solve)


def test_games_are_pickled_as_what_they_were_loaded_from(file):
    for game in (
        fs.load("leduc"),
        fs.load("goofspiel(cards=3)"),
        fs.load("matrix"),
        fs.load(file, size=5),
        fs.load("kuhn", debug=True),
    ):
        other = again(game)
        assert (other.spec, other.parameters, other.debug) == (game.spec, game.parameters, game.debug)
        assert fs.playouts(other, 20, seed=3, hashed=True) == fs.playouts(game, 20, seed=3, hashed=True)
        assert copy.copy(game) is copy.deepcopy(game) is game


def test_a_game_without_a_file_says_that_it_cannot_be_pickled():
    module = ModuleType("homeless")
    exec(compile(RULES, "homeless", "exec"), vars(module))
    game = fs.load(module, debug=True)
    with pytest.raises(fs.SpecError, match="homeless was made from a module without a file"):
        pickle.dumps(game)
    assert copy.deepcopy(game) is game


def test_states_are_copied_and_pickled_with_the_tables_of_their_game(file):
    for game in (fs.load("leduc"), fs.load(file, size=5)):
        state = game.start()
        state.play(state.moves()[-1])
        for other in (copy.copy(state), copy.deepcopy(state), again(state)):
            assert other.show() == state.show() or other.game is not game
            before = state.data.copy()
            while not other.over:
                other.play(other.moves()[0])
            assert np.array_equal(state.data, before)
    assert again(state).payoff() == state.payoff() == [14.0]


def test_the_state_of_a_pickled_game_knows_its_tables_in_another_process(file, tmp_path):
    state = fs.load(file, size=5).start()
    state.play(2)
    kept = tmp_path / "state.pickle"
    kept.write_bytes(pickle.dumps(state))
    code = f"import pickle; print(pickle.load(open({str(kept)!r}, 'rb')).payoff())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[12.0]", done.stderr


def test_a_state_of_rules_that_have_changed_is_refused(file):
    kept = pickle.dumps(fs.load(file).start())
    file.write_text(RULES.replace('("taken", "i4")', '("taken", "i4"), ("more", "i8", 4)'))
    with pytest.raises(fs.FogspielError, match="rules have changed"):
        pickle.loads(kept)


def test_what_was_found_is_copied_and_pickled(result):
    played = fs.match("kuhn", [result.strategy, "random"], games=4)
    for other in (again(result), copy.copy(result), copy.deepcopy(result)):
        assert other == result
        assert other.strategy == result.strategy
    assert again(played) == played
    assert again(fs.check("kuhn", playouts=5, histories=10)).ok
    tree = again(fs.unroll("kuhn"))
    assert fs.nash_conv(tree, result.strategy) == pytest.approx(result.nash_conv)
    assert again(fs.agent("mo-ismcts")).name == "mo-ismcts"


def test_strategies_are_equal_where_they_say_the_same(result):
    assert result.strategy == again(result.strategy)
    assert result.strategy != result.strategy.greedy()
    assert result.strategy != "kuhn"


def test_what_was_found_prints_as_a_summary(result):
    text = str(result).splitlines()
    assert text[0].startswith("kuhn, cfr+: 100 iterations in ")
    assert text[1].startswith("value           -0.0")
    assert text[2] == f"nash_conv       {result.nash_conv:.3e}"
    assert text[3] == f"exploitability  {result.nash_conv / 2:.3e}"
    assert text[4] == "strategy        12 information sets"
    assert repr(result.strategy) == str(result.strategy) == "<strategy of kuhn, 12 information sets>"
    assert len(repr(fs.measure("kuhn", result.strategy))) < 500
    assert repr(fs.unroll("kuhn")).startswith("<tree of kuhn, ")
    assert repr(fs.sequence_form("kuhn")).startswith("<sequence form of kuhn, ")
    played = str(fs.match("kuhn", [result.strategy, "random"], games=10, seed=0)).splitlines()
    assert str(fs.check("kuhn", playouts=5, histories=10)).startswith("kuhn: conforms (5 random games, ")
    assert played[0] == "kuhn: 10 games, seed 0"
    assert played[1].startswith("  strategy: ")
    assert played[-1] == "all 10 games were played"
