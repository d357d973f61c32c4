"""A game comes from a name, a file or a module."""

import os
import sys
import types
from pathlib import Path

import pytest

import fogspiel as fs

GAME = '''
"""Take one or two; who takes the last wins."""
import numpy as np
from fogspiel.game import OVER, About, Whole, mix

PARAMETERS = (Whole("heap", 4, 1, 50, "things on the heap"),)
State = np.dtype([("heap", "i1"), ("left", "i1"), ("turn", "i1"), ("past", "u8")], align=True)
MOST = 2

def about(heap):
    return About(players=2, utility=(-1, 1))

def start(s):
    s.left = s.heap
    s.turn = 0
    s.past = 0

def actor(s):
    return s.turn if s.left > 0 else OVER

def moves(s, out):
    n = min(s.left, MOST)
    for i in range(n):
        out[i] = i + 1
    return n

def play(s, move):
    s.left -= move
    s.turn = 1 - s.turn
    s.past = mix(s.past, move)

def payoff(s, out):
    out[0] = 1 if s.turn == 1 else -1
    out[1] = -out[0]

def infoset(s, player):
    return mix(s.past, s.turn)
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "heap.py"
    path.write_text(GAME)
    return path


def test_a_game_file_is_loaded_by_its_path_as_text_or_path(file):
    for given in (file, str(file), f" {file} "):
        game = fs.load(given)
        assert (game.name, game.spec, game.players) == ("heap", "heap", 2)
        assert game.start().moves() == [1, 2]


def test_a_game_file_takes_parameters_in_the_string_and_by_name(file):
    for game in (
        fs.load(f"{file}(heap=7)"),
        fs.load(f"{file} (heap = 7)"),
        fs.load(file, heap=7),
        fs.load(f"{file}(heap=7)", heap=7),
    ):
        assert game.spec == "heap(heap=7)"
        assert game.start().view.heap == 7
    with pytest.raises(fs.SpecError, match=r"heap\.py: parameter heap=99 is out of range: it must be 1 to 50"):
        fs.load(file, heap=99)
    with pytest.raises(fs.SpecError, match=r"heap\.py has no parameter heaps; did you mean heap\?"):
        fs.load(f"{file}(heaps=3)")


def test_a_game_file_is_found_from_the_current_folder(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert fs.load("heap.py").spec == "heap"
    assert fs.load("heap.py(heap=2)").spec == "heap(heap=2)"


def test_a_folder_may_have_brackets_in_its_name(file):
    inside = file.parent / "games (old).py(x=1)"
    inside.mkdir()
    moved = file.rename(inside / "heap.py")
    assert fs.load(moved).spec == fs.load(str(moved)).spec == "heap"
    assert fs.load(f"{moved}(heap=9)").spec == "heap(heap=9)"


def test_a_module_is_a_game():
    module = types.ModuleType("my.heap")
    exec(GAME, module.__dict__)
    game = fs.load(module, heap=5)
    assert game.spec == "heap(heap=5)"
    assert fs.unroll(game).zero_sum


def test_a_built_in_game_is_a_module_like_any_other():
    from fogspiel.games import kuhn

    assert fs.playouts(fs.load(kuhn), 50, hashed=True) == fs.playouts(fs.load("kuhn"), 50, hashed=True)


def test_a_game_that_is_loaded_already_is_passed_on_as_it_is(file):
    game = fs.load(file)
    assert fs.load(game) is game
    plain = fs.load(file, debug=True)
    assert fs.load(plain) is plain
    assert fs.load(plain, debug=True) is plain
    for change in ({"heap": 3}, {"debug": True}):
        with pytest.raises(
            fs.SpecError, match="heap is loaded already; give parameters and debug where it is loaded first"
        ):
            fs.load(game, **change)


def test_an_edited_file_is_read_again_even_within_the_same_second(file):
    before = fs.load(file)
    stamp = os.stat(file).st_mtime_ns
    file.write_text(GAME.replace("MOST = 2", "MOST = 3"))
    os.utime(file, ns=(stamp, stamp))
    assert fs.load(file).start().moves() == [1, 2, 3]
    assert before.start().moves() == [1, 2]
    assert fs.load(file, debug=True).start().moves() == [1, 2, 3]


def test_files_of_the_same_name_in_two_folders_are_two_games(file):
    other = file.parent / "other" / file.name
    other.parent.mkdir()
    other.write_text(GAME.replace("MOST = 2", "MOST = 1"))
    here, there = fs.load(file), fs.load(other)
    assert (here.start().moves(), there.start().moves()) == ([1, 2], [1])


def test_a_file_that_cannot_be_imported_leaves_no_module_behind(file):
    file.write_text("import numpy\n1 / 0\n")
    known = set(sys.modules)
    with pytest.raises(fs.GameError, match=r"heap\.py, line 2: the file cannot be imported: ZeroDivisionError"):
        fs.load(file)
    assert set(sys.modules) == known


def test_every_file_among_the_built_in_games_and_every_preset_has_a_name():
    import fogspiel.games as games

    files = {p.stem for p in Path(games.__file__).parent.glob("*.py")} - {"__init__"}
    assert fs.built_in_games() == sorted(files | set(games.PRESETS))
    assert {"kuhn", "leduc", "small_poker", "goofspiel"} <= set(fs.built_in_games())


@pytest.mark.parametrize(
    "name",
    [lambda: fs.load("no\nsuch.py"), lambda: fs.agent("no\nsuch.py"), lambda: fs.load("matrix", payoffs=object())],
)
def test_what_is_not_there_is_named_on_one_line(name):
    with pytest.raises(fs.FogspielError, match=r"^[^\n]*$") as caught:
        name()
    assert "0x" not in str(caught.value)


def test_a_file_may_have_a_name_that_is_no_text(file):
    odd = file.with_name("\udcff.py")
    odd.write_text(GAME)
    assert fs.load(odd, debug=True).start().moves() == [1, 2]
