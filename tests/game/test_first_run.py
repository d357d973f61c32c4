"""A game file that was never seen before is tried un-compiled before machine code runs it, and remembered."""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app

GAME = '''
"""Race: two players take steps on a track; who passes the end wins."""
import numpy as np
from fogspiel.game import OVER, About, Whole, mix, real_at
PARAMETERS = (Whole("length", 4, 2, 9, "squares of the track"),)
FIELDS = [("worth", "i8"), ("past", "u8"), ("length", "i1"), ("at", "i1"), ("turn", "i1"), ("been", "i1", 10)]
State = np.dtype(FIELDS, align=True)

def about(length):
    return About(players=2, utility=(-1, 1), tables={"worth": np.array([1.0, -1.0])})

def start(s):
    s.past, s.at, s.turn = 0, 0, 0

def actor(s):
    return OVER if s.at >= s.length else s.turn

def moves(s, out):
    out[0], out[1] = 1, 2
    return 2

def play(s, move):
    s.at += move
    s.been[s.at - 1] = 1
    s.past = mix(s.past, move)
    s.turn = 1 - s.turn

def payoff(s, out):
    out[0] = real_at(s.worth, 1 - s.turn)
    out[1] = -out[0]

def infoset(s, player):
    return mix(s.past, s.turn)
'''

WILD = GAME.replace("s.been[s.at - 1]", "s.been[s.at * 3000000]")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where a game file may be written; that nothing is remembered yet."""
    monkeypatch.setattr("fogspiel.game.first_run.cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "race.py"


def remembered(file):
    return sorted(path.name for path in (file.parent / "cache").glob("*.passed"))


MISTAKES = {
    "an index outside an array field": (
        ("s.been[s.at - 1] = 1", "s.been[s.at * 3000000] = 1"),
        "rule play (FILE, line 24) failed: an index outside its buffer, after the moves ",
    ),
    "a write outside the list of moves": (
        ("return 2\n\ndef play", "out[9000000] = 1\n    return 2\n\ndef play"),
        "rule moves (FILE, line 20) failed: index 9000000 is outside its buffer",
    ),
    "an index outside a table": (
        ("real_at(s.worth, 1 - s.turn)", "real_at(s.worth, s.at * 3000000)"),
        (
            "rule payoff (FILE, line 29) failed: index 12000000 is outside the table worth, which has 2 numbers, after "
            "the moves "
        ),
    ),
    "an exception": (
        ("s.turn = 1 - s.turn", "s.turn = 1 // s.turn"),
        "rule play (FILE, line 26) failed: ZeroDivisionError",
    ),
    "a loop without an end": (
        ("    s.turn = 1 - s.turn", "    while s.at == 3:\n        s.turn = 1"),
        "does not return: it ran for seconds and went on, after the moves ",
    ),
    "a start without an end": (
        ("    s.past, s.at, s.turn = 0, 0, 0", "    while True:\n        s.at = 1"),
        "does not return: it ran for seconds and went on",
    ),
    "a real-valued key": (
        ("return mix(s.past, s.turn)", "return s.turn / 3 + s.at"),
        "rule infoset (FILE, line 32) failed: it returns the real number 0 where a whole number is expected",
    ),
    "an actor that is nobody": (
        ("else s.turn\n", "else s.turn + 2\n"),
        "rule actor (FILE, line 15) returned 2, which is neither a player (0 to 1)",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_file_is_refused_because_of(mistake, file, monkeypatch):
    (old, new), sentence = MISTAKES[mistake]
    assert GAME.count(old) == 1
    file.write_text(GAME.replace(old, new))
    # what is tested is what comes after the compiler, which has tests of its own
    monkeypatch.setattr("fogspiel.game.compiled.guarded", lambda name, functions: ({}, None))
    monkeypatch.setattr("fogspiel.game.watch.LONGEST", 0.2)
    with pytest.raises(fs.GameError) as caught:
        fs.load(file)
    assert sentence.replace("FILE", str(file)) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert remembered(file) == []


def test_a_sound_file_is_tried_once(file, monkeypatch):
    import fogspiel.game.first_run as first

    tried, real = [], first._try
    monkeypatch.setattr(first, "_try", lambda game: tried.append(game.spec) or real(game))
    file.write_text(GAME)
    for _ in range(2):
        assert fs.load(file).spec == "race"
    assert tried == ["race"]
    assert len(remembered(file)) == 1
    assert fs.load(file, length=7).spec == "race(length=7)"
    assert tried == ["race", "race(length=7)"]
    file.write_text(GAME.replace("s.turn = 1 - s.turn", "s.turn = 0 if s.turn else 1"))
    fs.load(file)
    assert tried[2:] == ["race"]
    fs.load("kuhn")
    fs.load(file, length=9, debug=True)
    assert len(tried) == 3


def test_a_size_at_which_a_rule_goes_wild_is_found_though_another_passed(file):
    file.write_text(GAME.replace('("been", "i1", 10)', '("been", "i1", 6)'))
    assert fs.load(file).spec == "race"
    with pytest.raises(fs.GameError, match="rule play .* failed: an index outside its buffer"):
        fs.load(file, length=9)


def test_the_run_can_be_left_out(file):
    file.write_text(GAME.replace("else s.turn\n", "else s.turn + 2\n"))
    game = fs.load(file, unchecked=True)
    with pytest.raises(fs.GameError, match="returned 2"):  # as compiled code says it
        _ = game.start().actor
    assert remembered(file) == []
    with pytest.raises(fs.SpecError, match="unchecked"):
        fs.load(file, unchecked="maybe")


def test_every_command_refuses_the_file_and_takes_unchecked(file):
    file.write_text(GAME.replace("else s.turn\n", "else s.turn + 2\n"))
    run = CliRunner().invoke
    for command in (["solve"], ["games"], ["recall"], ["match"], ["think"], ["play"]):
        agents = {"match": ["random", "random"], "think": ["mcts"]}.get(command[0], [])
        result = run(app, [*command, str(file), *agents])
        assert result.exit_code == 2
        assert "rule actor" in result.output
        assert "returned 2, which is neither a player (0 to 1)" in result.output
    result = run(app, ["solve", str(file), "--unchecked"])
    assert result.exit_code == 2
    assert "returned 2, which is neither a player (0 to 1) nor CHANCE nor OVER" in result.output
    assert "returned 2" in run(app, ["solve", str(file)]).output


def test_a_wild_index_ends_no_process(file):
    file.write_text(WILD)
    code = "from fogspiel.app.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "solve", str(file)], capture_output=True, text=True, env=dict(os.environ)
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "fogspiel: rule play" in done.stderr.splitlines()[-1]
    assert "an index outside its buffer" in done.stderr


def test_cached_code_and_what_passed_are_cleared_together(file, monkeypatch):
    monkeypatch.setenv("FOGSPIEL_CACHE", str(file.parent / "cache"))
    file.write_text(GAME)
    fs.load(file)
    result = CliRunner().invoke(app, ["cache", "--clear"])
    assert result.output.startswith("removed 2 files")
    assert remembered(file) == []


def test_what_is_no_payoff_is_told_with_its_rule_and_moves(file):
    file.write_text(GAME.replace("real_at(s.worth, 1 - s.turn)", "np.nan"))
    with pytest.raises(
        fs.GameError, match=r"rule payoff \(.*race.py, line \d+\) gives player 0 no finite payoff: .*, after the moves "
    ):
        fs.solve(file, "cfr+", iterations=1)


def test_odds_that_do_not_sum_to_1_are_told_with_their_rule(file):
    odds = "\ndef chance(s, out, prob):\n    out[0], out[1], prob[0], prob[1] = 1, 2, 0.9, 0.3\n    return 2\n"
    file.write_text(GAME.replace("import OVER", "import CHANCE, OVER").replace("else s.turn", "else CHANCE") + odds)
    with pytest.raises(
        fs.GameError, match=r"rule chance \(.*race.py, line \d+\): the probabilities of the 2 outcomes sum to 1.2"
    ):
        fs.solve(file, "cfr+", iterations=1)
