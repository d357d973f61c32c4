"""A game file may import what lies in its own folder."""

import sys

import pytest

import fogspiel as fs

GAME = '''
"""One move: the player takes something and gets what it is worth."""
import numpy as np
from fogspiel.game import OVER, About
from goods import worth, MOST

State = np.dtype([("taken", "i1")])

def about():
    return About(players=1, zero_sum=False)

def start(s):
    s.taken = -1

def actor(s):
    return 0 if s.taken < 0 else OVER

def moves(s, out):
    for i in range(MOST):
        out[i] = i
    return MOST

def play(s, move):
    s.taken = move

def payoff(s, out):
    out[0] = worth(s.taken)

def infoset(s, player):
    return s.taken + 1
'''
GOODS = "MOST = 2\n\ndef worth(i):\n    return 10.0 * i\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop.py").write_text(GAME)
    (tmp_path / "goods.py").write_text(GOODS)
    return tmp_path


def best(folder, **options):
    return max(fs.solve(fs.load(folder / "shop.py", **options), "cfr", iterations=50).value)


@pytest.mark.parametrize("debug", [False, True])
def test_a_file_in_the_same_folder_is_imported_and_compiled(folder, debug):
    assert best(folder, debug=debug) == pytest.approx(10, rel=0.1)
    assert str(folder) not in sys.path
    assert "goods" not in sys.modules


def test_an_edited_helper_is_read_again_even_within_the_same_second(folder):
    assert fs.load(folder / "shop.py").start().moves() == [0, 1]
    (folder / "goods.py").write_text(GOODS.replace("10.0", "20.0"))
    assert best(folder) == pytest.approx(20, rel=0.1)
    (folder / "goods.py").write_text(GOODS.replace("MOST = 2", "MOST = 3"))
    assert fs.load(folder / "shop.py").start().moves() == [0, 1, 2]


def test_two_folders_may_have_helpers_of_the_same_name(folder):
    other = folder / "other"
    other.mkdir()
    (other / "shop.py").write_text(GAME)
    (other / "goods.py").write_text(GOODS.replace("MOST = 2", "MOST = 4"))
    assert len(fs.load(folder / "shop.py").start().moves()) == 2
    assert len(fs.load(other / "shop.py").start().moves()) == 4


def test_a_module_that_is_imported_already_is_neither_used_nor_lost(folder, monkeypatch):
    import types

    mine = types.ModuleType("goods")
    monkeypatch.setitem(sys.modules, "goods", mine)
    assert fs.load(folder / "shop.py").start().moves() == [0, 1]
    assert sys.modules["goods"] is mine


def test_a_package_in_the_same_folder_is_imported(folder):
    (folder / "goods.py").unlink()
    package = folder / "goods"
    package.mkdir()
    (package / "__init__.py").write_text("from goods.prices import worth\n\nMOST = 2\n")
    (package / "prices.py").write_text("def worth(i):\n    return 10.0 * i\n")
    assert best(folder) == pytest.approx(10, rel=0.1)
    assert not [name for name in sys.modules if name.startswith("goods")]


def test_the_standard_library_is_not_hidden(folder):
    (folder / "bisect.py").write_text("raise RuntimeError('not this one')\n")
    (folder / "shop.py").write_text("import bisect\n" + GAME)
    assert fs.load(folder / "shop.py").start().moves() == [0, 1]


def test_a_mistake_in_a_helper_is_found_there(folder):
    (folder / "goods.py").write_text("MOST = 2\nworth = 1 // 0\n")
    with pytest.raises(fs.GameError, match=r"cannot be imported: ZeroDivisionError") as caught:
        fs.load(folder / "shop.py")
    assert "goods.py, line 2" in str(caught.value)
    (folder / "goods.py").write_text(GOODS.replace("10.0 * i", "10.0 * i + 1 // (i - 1)"))
    with pytest.raises(fs.GameError, match=r"rule payoff, in worth \(.*goods\.py, line 4\) failed: ZeroDivisionError"):
        fs.load(folder / "shop.py")
