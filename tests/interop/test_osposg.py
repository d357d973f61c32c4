"""Files of one-sided POSGs: read, written, and refused with a sentence."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs

DATA = Path(__file__).parent.parent / "data"

PENNIES = (DATA / "pennies.osposg").read_text()


def written(folder, text):
    path = folder / "pennies.osposg"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "states", "partitions", "actions", "transitions"),
    [("peg03", 143, 21, (145, 13), 2671), ("peg04", 363, 37, (290, 18), 8123)],
)
def test_the_public_games_have_their_published_sizes(name, states, partitions, actions, transitions):
    posg = fs.read_osposg(DATA / f"{name}.osposg.gz")
    assert (posg.name, len(posg.states), len(posg.legal1), len(posg.target)) == (name, states, partitions, transitions)
    assert (len(posg.actions1), len(posg.actions2)) == actions
    assert posg.discount == 0.95


def test_what_is_written_is_read_again(tmp_path):
    posg = fs.read_osposg(DATA / "peg03.osposg.gz")
    for name in ("again.osposg", "again.osposg.gz"):
        fs.write_osposg(posg, tmp_path / name)
        again = fs.read_osposg(tmp_path / name)
        assert again.digest == posg.digest
        assert (again.states, again.actions1, again.actions2) == (posg.states, posg.actions1, posg.actions2)
    assert gzip.decompress((tmp_path / "again.osposg.gz").read_bytes()) == (tmp_path / "again.osposg").read_bytes()


def test_rewards_are_zero_where_absent(tmp_path):
    posg = fs.read_osposg(written(tmp_path, PENNIES))
    assert np.array_equal(posg.reward, [1, 0, 0, 1])
    assert posg.bounds == (0.0, 2.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("4 2 0.5", "4 2 1", "the discount is 1"),
        ("4 2 0.5", "4 2 1.5", "pennies.osposg, line 1: the discount must be a number from 0 to 1, not 1.5"),
        ("4 2 0.5", "4 2 x", "numbers are expected, not 'x'"),
        ("4 2 0.5", "5 2 0.5", "one of the transitions should be, 6 words, not 4"),
        ("4 2 0.5", "4 2", "its sizes should be, 8 words, not 7"),
        ("1 1 2 2 1 4", "0 1 2 2 1 4", "a positive number of states, partitions"),
        ("coins 0", "coins 7", "a partition is numbered 7"),
        ("0 1 0 0 0 1.0\n", "0 1 0 0 0 0.9\n", "sum to 0.9, not to 1"),
        ("0 1 0 0 0 1.0\n", "0 1 2 0 0 1.0\n", "the action of player 2 in a transition is numbered 2"),
        ("0 1 0 0 0 1.0\n", "0 1 1 0 0 1.0\n", "tails and left is a dead end"),
        ("0 1 0 0 0 1.0\n", "0 1 0 0 0 -1\n", "the probability -1"),
        ("0 1 1 1.0\n", "0 0 0 1.0\n", "two rewards are given for state coins with actions heads and left"),
        ("0 1 1 1.0\n", "0 1 1 inf\n", "not a finite number"),
        ("0 1\n0 1\n", "0 1\n0\n", "actions tails and left, which are not legal there"),
        ("0 1.0\n", "0 0.5\n", "the initial belief"),
        ("0 1.0\n", "0 1.0\n0\n", "nothing should follow"),
        ("0 1 0 0 0 1.0\n", "0 1 0 0.5 0 1.0\n", "whole numbers are expected"),
        ("0 1.0\n", "", "the file ends where the initial belief should be"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(tmp_path, old, new, said):
    head, _, tail = PENNIES.rpartition(old)
    with pytest.raises(fs.FogspielError, match=said.replace("(", r"\(")):
        fs.read_osposg(written(tmp_path, head + new + tail))


def test_a_file_that_is_not_there_or_damaged_is_told(tmp_path):
    with pytest.raises(fs.FileError, match="there is no file"):
        fs.read_osposg(tmp_path / "none.osposg")
    (tmp_path / "cut.osposg.gz").write_bytes(gzip.compress(PENNIES.encode())[:40])
    with pytest.raises(fs.FileError, match="damaged"):
        fs.read_osposg(tmp_path / "cut.osposg.gz")
