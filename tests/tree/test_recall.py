"""Games in which players forget are reported as such, and unrolled to the coarsest refinement in which they do not."""

from collections import defaultdict

import numpy as np
import pytest

import fogspiel as fs

FORGETFUL = {
    # Piccione and Rubinstein 1997: one information set, met twice
    "absent_minded_driver": {"infosets": 1, "pairs": 2, "refined": 2},
    # Lanctot 2013, Fig. 5.1b: player 1 forgets its first word, so its second set splits in two
    "forgetful_player": {"infosets": 3, "pairs": 6, "refined": 4},
    # Lanctot 2013, Fig. 5.2: player 0 forgets which pair it saw
    "deadlock": {"infosets": 7, "pairs": 14, "refined": 8},
}


@pytest.mark.parametrize("spec", FORGETFUL)
def test_forgetting_is_reported_and_counted(spec):
    tree, expected = fs.unroll(spec), FORGETFUL[spec]
    assert not tree.perfect_recall
    assert not tree.game.about.perfect_recall
    assert (tree.infosets, tree.pairs, len(tree.player)) == (
        expected["infosets"],
        expected["pairs"],
        expected["refined"],
    )
    assert tree.sequences == tree.pairs + tree.game.players


@pytest.mark.parametrize("spec", FORGETFUL)
def test_information_sets_that_a_player_cannot_tell_apart_are_tied_to_the_first(spec):
    tree = fs.unroll(spec)
    groups = defaultdict(list)
    for i, who in enumerate(zip(tree.player.tolist(), tree.key.tolist(), strict=True)):
        groups[who].append(i)
    assert {i: group[0] for group in groups.values() for i in group} == dict(enumerate(tree.tied.tolist()))
    assert max(len(group) for group in groups.values()) == 2


@pytest.mark.parametrize("spec", FORGETFUL)
def test_tied_information_sets_are_told_apart_by_the_players_own_last_action(spec):
    tree = fs.unroll(spec)
    known = list(zip(tree.player.tolist(), tree.key.tolist(), tree.parent.tolist(), strict=True))
    assert len(set(known)) == len(known)


@pytest.mark.parametrize(
    "spec", ["kuhn", "leduc", "goofspiel(cards=5)", "bluff", "tic_tac_toe", "matrix", "hidden_coin", "kuhn(players=3)"]
)
def test_games_in_which_nobody_forgets_have_no_ties(spec):
    tree = fs.unroll(spec)
    assert tree.perfect_recall
    assert tree.tied is None
    assert len(np.unique(np.stack([tree.key, tree.player.astype(np.uint64)]), axis=1).T) == len(tree.key)


FORGETTING = """
import numpy as np
from fogspiel.game import OVER, About

State = np.dtype([("turn", "i1"), ("first", "i1")])

def about():
    return About(players=1, zero_sum=False, perfect_recall=False)

def start(s):
    s.turn = 0

def actor(s):
    return 0 if s.turn < 2 else OVER

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def play(s, move):
    if s.turn == 0:
        s.first = move
    s.turn += 1

def payoff(s, out):
    out[0] = s.first

def infoset(s, player):
    return s.turn
"""


@pytest.mark.parametrize(
    "change", ["out[1] = 1 + s.turn * s.first", "out[1] = 1\n    if s.turn == 1 and s.first == 1:\n        return 1"]
)
def test_moves_that_differ_between_tied_information_sets_are_an_error(change, tmp_path):
    path = tmp_path / "forgetting.py"
    path.write_text(FORGETTING)
    assert fs.unroll(path).tied.tolist() == [0, 1, 1]
    path.write_text(FORGETTING.replace("out[1] = 1", change))
    with pytest.raises(
        fs.GameError, match="forgetting: the legal moves differ between two states of one information set"
    ):
        fs.unroll(path)
