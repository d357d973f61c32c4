"""Values and exploitability of random strategies equal OpenSpiel's, on every small enough game that both have."""

import sys
from pathlib import Path

import pytest

import fogspiel as fs

pyspiel = pytest.importorskip("pyspiel")
sys.path.insert(0, str(Path(__file__).parent))
from openspiel import pair  # noqa: E402

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
    assert fs.exploitability(form, both.strategy) == pytest.approx(
        pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_point_difference_is_twice_openspiels_distance_from_the_mean():
    both = pair(
        "goofspiel(cards=4,payoff=points)",
        GOOFSPIEL.format("True", 4, "descending", "point_difference"),
        seed=4,
        scale=2,
    )
    assert fs.exploitability(both.game, both.strategy) == pytest.approx(
        2 * pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_two_dice_each_agree_although_openspiel_rolls_them_one_by_one():
    def roll(which, theirs):
        mine = sorted(d + 1 for d in theirs.history()[2 * which : 2 * which + 2])
        return int("".join(map(str, mine)))

    both = pair("bluff(dice1=2,dice2=2,faces=2)", "liars_dice(players=2,numdice=2,dice_sides=2)", seed=6, chance=roll)
    assert fs.exploitability(both.game, both.strategy) == pytest.approx(
        pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_random_strategies_on_tic_tac_toe_have_openspiels_value_and_exploitability():
    # half a million histories: one walk of both trees, and OpenSpiel's own best response, take a few seconds
    both = pair("tic_tac_toe", "tic_tac_toe", seed=5)
    expected = pyspiel.expected_returns(both.theirs.new_initial_state(), both.policy, -1, False)
    form = fs.sequence_form(fs.unroll(both.game))
    assert fs.expected_values(form, both.strategy) == pytest.approx(expected, abs=1e-9)
    assert fs.exploitability(form, both.strategy) == pytest.approx(
        pyspiel.nash_conv(both.theirs, both.policy), abs=1e-9
    )


def test_the_number_of_information_sets_is_openspiels():
    for ours, theirs in GAMES[:4]:
        both = pair(ours, theirs)
        assert len(both.strategy) == fs.unroll(ours).infosets
