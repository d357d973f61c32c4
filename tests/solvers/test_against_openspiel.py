"""Values and exploitability of random strategies equal OpenSpiel's, on every small enough game that both have."""

import sys
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs

pyspiel = pytest.importorskip("pyspiel")
sys.path.insert(0, str(Path(__file__).parent))
from openspiel import lopsided, pair  # noqa: E402

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info={},num_cards={},points_order={},returns_type={},players=2))"
)
OSHI_ZUMO = "turn_based_simultaneous_game(game=oshi_zumo(coins={},size={},min_bid={}))"

GAMES = [
    ("kuhn", "kuhn_poker"),
    ("kuhn(players=3)", "kuhn_poker(players=3)"),
    ("kuhn(players=4)", "kuhn_poker(players=4)"),
    ("leduc(see_suits=yes)", "leduc_poker"),
    *((f"bluff(faces={n})", f"liars_dice(players=2,numdice=1,dice_sides={n})") for n in (2, 3, 4, 5)),
    *((f"goofspiel(cards={n})", GOOFSPIEL.format("True", n, "descending", "win_loss")) for n in (3, 4, 5)),
    ("goofspiel(cards=4,order=ascending)", GOOFSPIEL.format("True", 4, "ascending", "win_loss")),
    ("goofspiel(cards=3,order=random)", GOOFSPIEL.format("True", 3, "random", "win_loss")),
    ("goofspiel(cards=4,bids=open)", GOOFSPIEL.format("False", 4, "descending", "win_loss")),
    ("oshi_zumo(coins=4,size=2)", OSHI_ZUMO.format(4, 2, 1)),
    ("oshi_zumo(coins=5,size=1,minimum=2)", OSHI_ZUMO.format(5, 1, 2)),
]


@pytest.mark.parametrize(("ours", "theirs"), GAMES, ids=[g for g, _ in GAMES])
def test_random_strategies_have_openspiels_values_and_exploitability(ours, theirs):
    both = pair(ours, theirs, seed=3)
    form = fs.sequence_form(fs.unroll(both.game))
    expected = pyspiel.expected_returns(both.theirs.new_initial_state(), both.policy, -1, False)
    assert fs.expected_values(form, both.strategy) == pytest.approx(expected, abs=1e-9)
    assert fs.nash_conv(form, both.strategy) == pytest.approx(pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9)
    if form.players == 2:
        theirs = pyspiel.exploitability(both.theirs, both.policy)
        assert fs.exploitability(form, both.strategy) == pytest.approx(theirs, abs=1e-9)


def test_point_difference_is_twice_openspiels_distance_from_the_mean():
    both = pair(
        "goofspiel(cards=4,payoff=points)",
        GOOFSPIEL.format("True", 4, "descending", "point_difference"),
        seed=4,
        scale=2,
    )
    assert fs.nash_conv(both.game, both.strategy) == pytest.approx(
        2 * pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_two_dice_each_agree_although_openspiel_rolls_them_one_by_one():
    def roll(which, theirs):
        mine = sorted(d + 1 for d in theirs.history()[2 * which : 2 * which + 2])
        return int("".join(map(str, mine)))

    both = pair("bluff(dice1=2,dice2=2,faces=2)", "liars_dice(players=2,numdice=2,dice_sides=2)", seed=6, chance=roll)
    assert fs.nash_conv(both.game, both.strategy) == pytest.approx(
        pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_lopsided_play_in_tic_tac_toe_has_openspiels_value_and_exploitability():
    """Half a million histories, of which OpenSpiel told once (`python tests/solvers/openspiel.py`)."""
    value, exploitability = 0.27725132779344874, 1.951213855580824
    tree = fs.unroll("tic_tac_toe", histories=True)
    parent, moved = (np.maximum(row, 0) for row in (tree.histories.parent, tree.histories.move + 1))
    squares = np.zeros(tree.size, np.int64)
    for _ in range(tree.depth):
        squares = 10 * squares[parent] + moved
    decisions = tree.histories.infoset >= 0
    history = np.zeros(tree.infosets, np.int64)
    history[tree.histories.infoset[decisions]] = squares[decisions]
    odds = lopsided(np.repeat(history, tree.count), tree.move)
    odds = odds / np.repeat(np.add.reduceat(odds, tree.first), tree.count)
    strategy = fs.Strategy.build(tree.game, tree.player, tree.key, tree.count, tree.move, odds)
    form = fs.sequence_form(tree)
    assert fs.expected_values(form, strategy)[0] == pytest.approx(value, abs=1e-9)
    assert fs.nash_conv(form, strategy) == pytest.approx(exploitability, abs=1e-9)


def test_the_number_of_information_sets_is_openspiels():
    for ours, theirs in GAMES[:4]:
        both = pair(ours, theirs)
        assert len(both.strategy) == fs.unroll(ours).infosets
