"""Agents of one's own, from a file or as a function: in matches, at the table, asked what they think."""

import copy
import pickle
import re
import sys
import warnings
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "flat_monte_carlo.py"

FUNCTION = """
def choose(observation, rng, boldness=0.5, last=False):
    if rng.random() < boldness:
        return observation.moves[-1 if last else 0]
    return rng.choice(observation.moves)
"""

CLASS = """
from fogspiel.game import Choice

PARAMETERS = (Choice("which", "first", ("first", "last"), "the move taken"),)


class _Helper:
    def choose(self, observation):
        return None


class Taker:
    def __init__(self, which):
        self.at = 0 if which == "first" else -1

    def choose(self, observation):
        return observation.moves[self.at]
"""

FAILS = """
def choose(observation):
    if observation.seat == 1:
        return helper(observation)
    return observation.moves[0]


def helper(observation):
    return len(observation.moves) // 0
"""

FAULT = "failed: ZeroDivisionError: integer division or modulo by zero (bad.py, line 9)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"my_agent.py": FUNCTION, "taker.py": CLASS, "bad.py": FAILS}.items():
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def command(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fogspiel", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def moves_of(result):
    return {number: record.moves for number, record in result.games.items()}


@pytest.mark.parametrize("spec", ["my_agent.py", "my_agent.py(boldness=0.9,last=yes)", "taker.py(which=last)"])
def test_a_file_sits_in_a_match_with_any_number_of_workers(folder, spec):
    alone = fs.match("kuhn", [spec, "random"], games=6, seed=3)
    assert alone.agents == (spec, "random")
    assert not alone.forfeits
    together = fs.match("kuhn", [spec, "random"], games=6, seed=3, workers=2)
    assert moves_of(together) == moves_of(alone)


def test_parameters_are_declared_or_taken_from_keyword_arguments(folder):
    assert fs.agent("my_agent.py(boldness=0.5)").name == "my_agent.py"
    assert fs.agent("my_agent.py", last=True).name == "my_agent.py(last=yes)"
    assert fs.agent("taker.py", which="last").made.at == -1
    with pytest.raises(fs.SpecError, match="did you mean boldness"):
        fs.agent("my_agent.py(bold=1)")
    with pytest.raises(fs.SpecError, match="one of first, last"):
        fs.agent("taker.py(which=middle)")


def test_the_example_plays_better_than_chance(command):
    status, out, err = command("match", "kuhn", f"{EXAMPLE}(playouts=20)", "random", "--games", 100, "--strict")
    assert status == 0, err
    assert "#1 flat_monte_carlo.py(playouts=20)" in out
    assert fs.match("leduc", [EXAMPLE, "random"], games=200, strict=True, seed=0).standings[0].utility.value > 0


def test_an_own_agent_can_be_asked_and_played_with(command, monkeypatch):
    status, out, err = command("think", "kuhn", "taker.py", "--moves", "deal 1 to player 0")
    assert status == 0, err
    assert "chosen          pass" in out
    answers = iter(["pass", "pass", "n"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    status, out, err = command("play", "kuhn", "--seat", "taker.py", "--seat", "human", "--seed", 1)
    assert status == 0, err
    assert "player 0: pass" in out


def test_the_first_fault_is_shown_at_once_with_its_line_and_all_are_counted_at_the_end(command):
    status, out, err = command("match", "kuhn", "bad.py", "random", "--games", 10)
    assert status == 0
    assert err.count("ZeroDivisionError") == 1
    assert f"game 1: bad.py (seat 1) {FAULT}; it loses the game, and the match goes on" in err
    assert "forfeits        5" in out
    assert f"5, the first in game 1: bad.py {FAULT}" in out


def test_a_strict_match_stops_at_the_first_fault(command):
    for workers in (1, 2):
        status, out, err = command("match", "kuhn", "bad.py", "random", "--games", 10, "--strict", "--workers", workers)
        assert (status, out) == (2, "")
        assert FAULT in err.splitlines()[-1]
        assert err.splitlines()[-1].startswith("fogspiel: game ")
    with pytest.raises(fs.AgentError, match=r"bad.py, line 9"):
        fs.match("kuhn", ["bad.py", "random"], games=10, strict=True, seed=0)


def test_from_python_the_first_fault_of_each_agent_is_a_warning_or_heard_by_whoever_asked(folder):
    with pytest.warns(UserWarning, match=r"bad.py, line 9") as warned:
        result = fs.match("kuhn", ["bad.py", "random"], games=10, seed=0)
    assert len(warned) == 1
    assert result.faults == [{"agent": "bad.py", "reason": FAULT, "games": 5, "first": 1}]
    assert f"5 games forfeited, the first of them game 1: {FAULT}" in str(result)
    heard = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.match(
            "kuhn",
            ["bad.py", lambda observation: 99 if observation.seat else observation.moves[0]],
            games=10,
            notice=heard.append,
            seed=0,
        )
    assert len(heard) == 2
    assert "illegal move 99" in " ".join(heard)


def test_a_function_is_an_agent_and_a_class_is_told_apart_from_its_objects():
    def last(observation):
        return observation.moves[-1]

    result = fs.match("kuhn", [last, "random"], games=4, seed=0)
    assert result.agents[0] == "last"
    assert not result.forfeits

    class Agent:
        def begin(self, game, seat, seed): ...

        def choose(self, observation): ...

    with pytest.raises(fs.SpecError, match=r"give an object of it, Agent\(\)"):
        fs.agent(Agent)


def test_an_own_agent_is_copied_and_pickled_as_its_file(folder):
    agent = fs.agent("taker.py(which=last)")
    for other in (copy.deepcopy(agent), copy.copy(agent), pickle.loads(pickle.dumps(agent))):
        assert (other.name, other.parameters) == (agent.name, agent.parameters)
        assert not fs.play_game("kuhn", [other, "random"], deal=0, seed=0).reason


def test_a_stored_match_is_not_resumed_with_a_changed_agent(folder):
    fs.match("kuhn", ["taker.py", "random"], games=4, store="games.jsonl", seed=0)
    Path("taker.py").write_text(CLASS.replace('== "first"', '!= "first"'))
    with pytest.raises(fs.FileError, match="what taker.py plays by has changed"):
        fs.match("kuhn", ["taker.py", "random"], games=8, store="games.jsonl", resume=True, seed=0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def choose(observation)\n    pass", "wrong.py, line 1: expected ':'"),
        ("import nothing_of_the_kind", "wrong.py, line 1: the file cannot be imported: ModuleNotFoundError"),
        ("x = 1\ny = x / 0", "wrong.py, line 2: the file cannot be imported: ZeroDivisionError"),
        ("import sys\nsys.exit(4)", "wrong.py, line 2: the file cannot be imported: SystemExit: 4"),
        ("x = 1", "wrong.py has no agent: it needs a class with choose"),
        ("class A:\n    choose = len\n\nclass B:\n    choose = len", "wrong.py has several agents (A, B)"),
        ("def choose():\n    return 1", "wrong.py, line 1: choose takes no observation"),
        ("def choose(observation, depth):\n    return 1", "wrong.py, line 1: choose needs a value for depth"),
        (
            "class A:\n    def begin(self, game, seat): ...\n    def choose(self, observation): ...",
            "wrong.py, line 2: begin takes (game, seat), and is given (game, seat, seed)",
        ),
        (
            "class A:\n    def choose(self): ...",
            "wrong.py, line 2: choose takes (), and is given (observation)",
        ),
        (
            "class A:\n    def choose(self, observation): ...\n    def make_ready(self): ...",
            "wrong.py, line 3: make_ready takes (), and is given (game)",
        ),
        (
            "PARAMETERS = ()\ndef choose(search, here, n): ...",
            (
                "wrong.py, line 2: choose takes (search, here, n), and is given (observation); a bandit is a part of "
                "an agent: mo-ismcts(bandit=wrong.py)"
            ),
        ),
        ("PARAMETERS = 3\ndef choose(observation):\n    return 1", "wrong.py: PARAMETERS must be a tuple"),
        (
            "class A:\n    def __init__(self):\n        raise OSError('no net')\n    choose = len",
            "wrong.py, line 3: A cannot be made: OSError: no net",
        ),
    ],
)
def test_a_file_that_cannot_be_used_gets_one_sentence_with_its_line(command, text, sentence):
    Path("wrong.py").write_text(text)
    status, _, err = command("match", "kuhn", "wrong.py", "random")
    assert status == 2
    assert err.startswith(f"fogspiel: {sentence}")
    assert len(err.splitlines()) == 1


def test_a_file_that_is_not_there_is_told(folder):
    with pytest.raises(fs.AgentError, match="there is no agent file nobody.py"):
        fs.agent("nobody.py")


def test_an_object_or_a_function_that_cannot_be_called_as_it_will_be_is_refused_with_its_line():
    class Short:
        name = "short"

        def begin(self, game, seat): ...

        def choose(self, observation): ...

    for one, told in (
        (Short(), r"test_own.py, line \d+: begin takes \(game, seat\), and is given \(game, seat, seed\)"),
        (lambda: 0, r"test_own.py, line \d+: <lambda> takes \(\), and is given \(observation\)"),
    ):
        with pytest.raises(fs.AgentError, match=told):
            fs.match("kuhn", [one, "random"], games=2, seed=0)


def test_the_parameters_of_a_file_are_told_as_those_of_the_house(command):
    status, out, err = command("agents", EXAMPLE)
    assert status == 0, err
    assert "flat Monte Carlo" in " ".join(out.split())
    assert re.search(r"playouts +50 +1 to 100000", out)
    assert "boldness" in command("agents", "my_agent.py")[1]
    assert "wrong.py, line 1: choose takes no observation" in (
        Path("wrong.py").write_text("def choose():\n    return 1") and command("agents", "wrong.py")[2]
    )


def test_an_object_without_a_name_is_no_agent():
    class Nameless:
        def begin(self, game, seat, seed): ...

        def choose(self, observation):
            return observation.moves[0]

    with pytest.raises(fs.SpecError, match="is not an agent: it must have a name"):
        fs.match("kuhn", [Nameless(), "random"], games=2, seed=0)
