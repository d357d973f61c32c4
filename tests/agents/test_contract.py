"""What all agents of the house keep to: they are made ready before the first game, prepare anew in another process, and
name no move unasked."""

import copy
import pickle
import subprocess
import sys

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.evaluate.bout import warm_up

FEW = {"simulations": 20, "nodes": 1000, "determinizations": 2}
OPEN = "goofspiel(cards=3,bids=open)"
SEEN = ("alpha-beta", "expectimax", "star1", "star2", "expss", "star1ss", "star2ss")


def made(name):
    return fs.agent(name, **{n: v for n, v in FEW.items() if n in {p.name for p in KINDS[name].parameters}})


def game_for(name):
    """A small game that suits an agent."""
    if name in SEEN:
        return fs.load("tic_tac_toe")
    return fs.load(OPEN if name in ("sm-mcts", "do-alpha-beta") else "kuhn")


@pytest.mark.parametrize("name", KINDS)
def test_an_agent_names_no_move_unless_it_is_asked(name, monkeypatch):
    game, named = game_for(name), []
    rule = game.module.move_name
    monkeypatch.setattr(game.module, "move_name", lambda s, move: named.append(move) or rule(s, move))
    player = made(name)
    fs.match(game, [player, "random"], games=2, seed=1)
    fs.play_game(game, [player, fs.agent("random")], deal=1, seed=1)
    assert named == []
    names = [m.name for m in player.found]
    assert len(names) >= 2
    assert all(names)
    assert sorted(named) == sorted(m.move for m in player.found)


@pytest.mark.parametrize("name", KINDS)
def test_an_agent_that_played_is_copied_and_sent_as_it_was_made(name):
    game, player = game_for(name), made(name)
    fs.match(game, [player, "random"], games=2, seed=1)
    for other in (pickle.loads(pickle.dumps(player)), copy.deepcopy(player)):
        assert (type(other), other.name, other.parameters) == (type(player), player.name, player.parameters)
        assert other.found == ()
        assert not hasattr(other, "game")
        first, second = (fs.play_game(game, [one, fs.agent("random")], deal=1, seed=2) for one in (player, other))
        assert first.moves == second.moves


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (OPEN, "gib"),
        (OPEN, "pimc-minimax"),
        (OPEN, "cheating-minimax"),
        (OPEN, "is-expectimax"),
        ("kuhn", "star1"),
        ("kuhn", "star2ss"),
        ("kuhn", "sm-mcts"),
        ("kuhn", "do-alpha-beta"),
        ("kuhn(players=3)", "oos"),
    ],
)
def test_a_game_that_does_not_suit_an_agent_is_refused_before_the_first_game_by_its_name(game, name):
    with pytest.raises(fs.Unsuitable, match=f"^{name} needs "):
        fs.match(game, [name, *["random"] * (fs.load(game).players - 1)], games=2)


class Ready:
    """Notes what is asked of it. A copy of it plays each game, and notes in the same list."""

    def __init__(self, name, fault=None):
        self.name, self.fault, self.asked = name, fault, ASKED

    def make_ready(self, game):
        if self.fault is not None:
            raise self.fault
        self.asked.append(("ready", game.name))

    def begin(self, game, seat, seed):
        self.asked.append(("begin", game.name))

    def choose(self, observation):
        return observation.moves[0]

    def __deepcopy__(self, memo):
        return copy.copy(self)


ASKED = []


def test_an_agent_of_ones_own_is_made_ready_once_before_all_games():
    ASKED.clear()
    fs.match("kuhn", [Ready("one"), "random"], games=4)
    assert [("ready", "kuhn"), *[("begin", "kuhn")] * 4] == ASKED


def test_an_agent_in_a_file_is_made_ready_too(tmp_path):
    file = tmp_path / "eager.py"
    file.write_text(
        "class Eager:\n    ready = False\n\n    def make_ready(self, game):\n        self.ready = game.players == 2\n\n"
        "    def choose(self, observation):\n        return observation.moves[0 if self.ready else 99]\n"
    )
    assert fs.match("kuhn", [str(file), "random"], games=2, seed=1).forfeits == []


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (fs.Unsuitable("it is not for kuhn"), fs.Unsuitable, "it is not for kuhn"),
        (ZeroDivisionError("by zero"), fs.AgentError, "one failed to make ready: ZeroDivisionError: by zero"),
    ],
)
def test_what_goes_wrong_while_an_agent_is_made_ready_is_told(fault, kind, told):
    with pytest.raises(kind, match=told):
        warm_up(fs.load("kuhn"), [Ready("one", fault)])


def test_a_script_that_holds_an_agent_to_its_end_ends_in_silence():
    script = (
        "import fogspiel as fs\ngame, player = fs.load('kuhn'), fs.agent('is-mcts(simulations=20)')\n"
        "fs.match(game, [player, 'random'], games=2)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
