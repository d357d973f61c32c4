"""What went by without a word: each is told now, and where a command did not do what was asked for, its status is not
0."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_match_whose_games_cannot_be_stored_tells_by_its_status(tmp_path, monkeypatch):
    """A disk that is full after the header."""
    from fogspiel.evaluate import store

    write, calls = store.Store._write, []

    def full(self, row):
        calls.append(row)
        write(self, row)
        if len(calls) == 3:
            self.unsaved = f"cannot write {self.path}: No space left on device"

    monkeypatch.setattr(store.Store, "_write", full)
    done = run("match", "kuhn", "random", "random", "--games", 10, "--store", tmp_path / "match.jsonl")
    assert done.exit_code == 2
    assert "not stored" in done.stderr
    assert "No space left on device" in done.stderr
    assert "10 games" in done.stdout


def test_a_match_with_games_that_came_to_no_end_tells_by_its_status(tmp_path):
    deadly = tmp_path / "deadly.py"
    deadly.write_text("import os\n\ndef choose(observation):\n    os._exit(7)\n")
    done = run("match", "kuhn", deadly, "random", "--games", 2, "--together", "--workers", 2, "--move-time", 60)
    assert done.exit_code == 1
    assert "of 2 games 2 came to no end, and count for nobody" in done.stderr


def test_a_match_that_one_agent_only_forfeits_tells_by_its_status(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(observation):\n    return 77\n")
    done = run("match", "kuhn", broken, "random", "--games", 4)
    assert done.exit_code == 1
    assert "lost all of its games by faults" in done.stderr
    rarely = tmp_path / "rarely.py"
    rarely.write_text(
        "count = [0]\n\ndef choose(observation):\n    count[0] += 1\n    return 77 if count[0] == 2 else "
        "observation.moves[0]\n"
    )
    assert run("match", "kuhn", rarely, "random", "--games", 20, "--learning").exit_code == 0


def test_a_match_in_which_the_rules_went_wrong_tells_by_its_status(monkeypatch):
    played = []

    def breaks_in_the_third(*given, **more):
        played.append(fs.play_game(*given, **more))
        if len(played) == 3:
            raise fs.GameError("rule payoff gives a payoff that is no finite number")
        return played[-1]

    monkeypatch.setattr("fogspiel.evaluate.bout.play_game", breaks_in_the_third)
    done = run("match", "kuhn", "random", "random", "--games", 6, "--seed", 1)
    assert done.exit_code == 2
    assert "rule payoff gives a payoff that is no finite number" in done.stderr


def test_words_that_no_move_has_are_refused_with_the_moves(tmp_path):
    file = tmp_path / "kuhn.fog"
    fs.save(fs.solve("kuhn", "cfr", iterations=2), file)
    done = run("show", file, "--after", "flop")
    assert done.exit_code == 2
    assert "'flop'" in done.stderr
    for move in ("deal 1", "bet", "pass"):
        assert move in done.stderr
    assert run("show", file, "--after", "bet").exit_code == 0


def test_an_option_with_one_value_is_given_once(tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    done = run("solve", "kuhn", "-n", 2, "--plot", one, "--plot", two)
    assert done.exit_code == 2
    assert "solve takes --plot once" in done.stderr
    assert not two.exists()
    assert run("solve", "kuhn", "-n", 2, "-a", "cfr", "-a", "cfr+").exit_code == 0


@pytest.mark.parametrize(
    ("spec", "named"), [("goofspiel(cards=5)", {"cards": 4}), ("matrix(payoffs=[[1,2]])", {"payoffs": [[2, 1]]})]
)
def test_a_parameter_is_not_given_two_values(spec, named):
    with pytest.raises(fs.SpecError, match="in the spec string and .* by name; give it once"):
        fs.load(spec, **named)


def test_the_same_value_twice_is_no_contradiction():
    assert fs.load("goofspiel(cards=5)", cards=5).spec == "goofspiel(cards=5)"
    assert fs.load("goofspiel(cards=5)", cards="5", order="random").spec == "goofspiel(cards=5,order=random)"


def test_solvers_and_agents_refuse_two_values_too():
    with pytest.raises(fs.SpecError, match="give it once"):
        fs.solve("kuhn", "dcfr(alpha=2)", alpha=1, iterations=2)
    with pytest.raises(fs.SpecError, match="give it once"):
        fs.agent("mo-ismcts(simulations=20)", simulations=30)


def test_a_result_stands_for_its_strategy(tmp_path):
    result = fs.solve("kuhn", "cfr", iterations=50)
    strategy = result.strategy
    assert fs.nash_conv("kuhn", result) == fs.nash_conv("kuhn", strategy)
    assert fs.expected_values("kuhn", result) == fs.expected_values("kuhn", strategy)
    assert fs.measure("kuhn", result).best == fs.measure("kuhn", strategy).best
    assert fs.best_response("kuhn", result, 1)[0] == fs.best_response("kuhn", strategy, 1)[0]
    assert (
        fs.restricted_response("kuhn", result, 0, 0.5).strategy
        == fs.restricted_response("kuhn", strategy, 0, 0.5).strategy
    )
    assert (
        fs.bound("kuhn", result, iterations=10, games=10, seed=1).value
        == fs.bound("kuhn", strategy, iterations=10, games=10, seed=1).value
    )
    assert str(fs.strategy_table(None, result)) == str(fs.strategy_table(None, strategy))
    fs.save(result, tmp_path / "kuhn.fog")
    assert fs.read(tmp_path / "kuhn.fog") == strategy
    rock = fs.solve("rock_paper_scissors", "lp")
    assert fs.indifference("rock_paper_scissors", rock) == fs.indifference("rock_paper_scissors", rock.strategy)
    with pytest.raises(fs.SpecError, match="a strategy or a result"):
        fs.nash_conv("kuhn", "kuhn")


@pytest.mark.parametrize("payoffs", [np.array([[0, 1], [-1, 0]]), np.array([[0.5, 1e-9], [-1, 0]]), [[0, 1], [-1, 0]]])
def test_a_matrix_of_numbers_is_a_game(payoffs):
    game = fs.load("matrix", payoffs=payoffs)
    assert fs.load(game.spec).spec == game.spec
    state = game.start()
    state.play(0)
    state.play(1)
    assert state.payoff()[0] == np.asarray(payoffs)[0][1]
    with pytest.raises(fs.FogspielError, match="payoffs"):
        fs.load("matrix", payoffs=np.zeros(3))


@pytest.mark.parametrize(
    "text", ["[[1is 2]]", "[[1,2],[3,4](5)]", "'\\d'", "[[0x1for x in 2]]", "1if 2else 3", "[[1,2][0,1]]"]
)
def test_odd_texts_are_refused_without_a_warning_of_pythons(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(fs.FogspielError):
            fs.load("matrix", payoffs=text)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with pytest.raises(fs.FogspielError):
            fs.load("matrix", payoffs=text)
    assert not heard


def test_an_interrupted_solve_tells_that_the_strategy_is_gone(tmp_path, monkeypatch):
    from dataclasses import replace

    from fogspiel.solvers import run as running

    solve = running.solve
    monkeypatch.setattr(
        running, "solve", lambda *given, **named: replace(solve(*given, **named), stopped="interrupted")
    )
    done = run("solve", "kuhn", "-n", 3)
    assert done.exit_code == 130
    assert "the strategy was not saved and is gone; next time give --save FILE" in done.stderr
    assert "is gone" not in run("solve", "kuhn", "-n", 3, "--save", tmp_path / "kuhn.fog").stderr


def test_of_two_words_that_exclude_each_other_none_is_dropped(tmp_path):
    done = run("match", "kuhn", "random", "random", "--games", 2, "--together", "--apart")
    assert done.exit_code == 2
    assert "takes --apart or --together once, and it is given twice" in done.stderr
    assert run("match", "kuhn", "random", "random", "--games", 2, "--duplicate").exit_code == 0


def test_a_match_that_is_resumed_in_other_processes_is_told_so_in_words(tmp_path):
    own, stored = tmp_path / "own.py", tmp_path / "match.jsonl"
    own.write_text("def choose(observation):\n    return observation.moves[0]\n")
    words = ("match", "kuhn", own, "random", "--seed", 1, "--games", 2, "--store", stored)
    assert run(*words).exit_code == 0
    assert (
        "agents that are not ours and play together are none, not own.py"
        in run(*words, "--resume", "--together").stderr
    )


LOUD = """
import os

print("loaded")


def choose(observation):
    print("my move")
    os.system("echo and more")
    return observation.moves[0]
"""


@pytest.mark.parametrize("more", [[], ["--workers", 2]])
def test_where_json_goes_to_standard_output_an_agents_own_words_do_not(tmp_path, more):
    """Those that its processes write there, too."""
    (tmp_path / "loud.py").write_text(LOUD)
    words = ["match", "kuhn", "loud.py", "random", "--games", "2", "--together", "--json", *map(str, more)]
    done = subprocess.run([sys.executable, "-m", "fogspiel", *words], cwd=tmp_path, capture_output=True, text=True)
    assert json.loads(done.stdout)["game"] == "kuhn"
    for words in ("loaded", "my move", "and more"):
        assert words in done.stderr
