"""The class of 3^16 games of Lisý et al. 2013, sec. 5.2: two stages of 2 by 2, outcomes that pay 0, 1/2 or 1."""

import itertools

import pytest
from positions import after, member

import fogspiel as fs

# leaf matrices row by row; the value, and what player 0 loses by optimal play mixed with 5 % uniform play in every
# state
HARD = {
    "0022 0022 1122 1212": (1.0, 0.0369),
    "0022 0022 1212 1222": (1.0, 0.0369),
    "0022 0022 1212 1221": (1.0, 0.0369),
    "0011 0220 1111 0202": (0.5, 0.0125),
}


@pytest.mark.parametrize("digits", HARD)
def test_a_members_digits_are_its_payoffs(digits):
    moves = itertools.product(range(2), repeat=4)
    pays = [after(member(digits), *four).payoff() for four in moves]
    assert [mine for mine, _ in pays] == [int(digit) / 2 for digit in digits.replace(" ", "")]
    assert all(mine == -yours for mine, yours in pays)


@pytest.mark.parametrize("digits", HARD)
def test_hard_members_have_the_value_and_the_floor_of_exploration_that_were_found_for_them(digits):
    value, floor = HARD[digits]
    form = fs.sequence_form(fs.unroll(member(digits)))
    exact = fs.solve(member(digits), "backward-induction")
    assert exact.value[0] == pytest.approx(value)
    explored = form.plan(0.95 * exact.strategy.on(form) + 0.05 * form.uniform())
    assert value + form.best_response(explored, 1)[0] == pytest.approx(floor, abs=1e-4)


def test_the_class_ends_where_its_digits_do():
    assert fs.unroll(f"stacked_matrix(member={3**16 - 1})").utility == (-1, 1)
    with pytest.raises(fs.SpecError, match="0 to 43046720"):
        fs.load(f"stacked_matrix(member={3**16})")
