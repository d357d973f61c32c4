"""What is called exact is exact, whatever payoffs are counted in: matrices of two by two, whose values have a closed
form, in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import fogspiel as fs

EXACT = ("lp", "lp-normal", "do", "backward-induction", "do-alpha-beta")
ANYWHERE = ("lp", "lp-normal", "do")


def matrix(payoffs):
    return fs.load(f"matrix(payoffs={np.array(payoffs, float).tolist()})")


def closed_form(payoffs):
    """The value of a matrix of two by two, without rounding."""
    (a, b), (c, d) = ([Fraction(float(v)) for v in row] for row in payoffs)
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    if low == high:
        return low
    x = (d - c) / ((a - b) + (d - c))
    return x * a + (1 - x) * c


def gain(payoffs, result):
    """What best responses gain, without rounding, as a share of what is at stake: of payoffs as if all were
    positive."""
    mixes = [[Fraction(p) for p in result.strategy.prob[s : s + len(payoffs)]] for s in (0, len(payoffs))]
    rows = [[Fraction(float(v)) for v in row] for row in payoffs]
    shares = []
    for player, mix in enumerate(mixes):
        own = [list(column) for column in zip(*rows, strict=True)] if player == 0 else rows
        gets = [sum(p * v for p, v in zip(mix, line, strict=True)) for line in own]
        shares.append((gets, [sum(p * abs(v) for p, v in zip(mix, line, strict=True)) for line in own]))
    (costs, at_stake), (earns, stakes) = shares
    return float((max(earns) - min(costs)) / max(max(at_stake), max(stakes)))


@pytest.mark.parametrize("power", range(-12, 13, 3))
@pytest.mark.parametrize("algorithm", EXACT)
def test_the_unit_of_payoffs_does_not_matter(algorithm, power):
    payoffs = np.array([[1, -1], [-1, 2]]) * 10.0**power
    result = fs.solve(matrix(payoffs), algorithm)
    assert result.value[0] == pytest.approx(0.2 * 10.0**power, rel=1e-9)
    assert result.nash_conv <= 1e-12 * 10.0**power


@pytest.mark.parametrize("power", [-12, 12])
@pytest.mark.parametrize("algorithm", EXACT)
def test_three_moves_are_no_other(algorithm, power):
    """Biased rock, paper, scissors: the odds are those by which the others are beaten."""
    payoffs = np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0]]) * 10.0**power
    result = fs.solve(matrix(payoffs), algorithm)
    assert result.nash_conv <= 1e-9 * 10.0**power
    assert result.strategy.prob[:3] == pytest.approx([1 / 16, 10 / 16, 5 / 16])


@pytest.mark.parametrize("payoffs", [[[1e14, -1], [-1, 1]], [[1e14, -1e14], [-1, 1]], [[1, -1e-14], [-1e-14, 1e-14]]])
@pytest.mark.parametrize("algorithm", EXACT)
def test_payoffs_far_apart_are_solved_or_refused(algorithm, payoffs):
    try:
        result = fs.solve(matrix(payoffs), algorithm)
    except fs.Unsolved:
        assert algorithm not in ANYWHERE
        return
    expected = closed_form(payoffs)
    assert abs(Fraction(result.value[0]) - expected) <= abs(expected) * Fraction(1, 10**9) + Fraction(1, 10**16)
    assert result.nash_conv <= 1e-9


@pytest.mark.parametrize("algorithm", EXACT)
def test_random_matrices_agree_with_fractions(algorithm):
    rng = np.random.default_rng(7)
    for spread in (0, 6, 12):
        for _ in range(6):
            payoffs = rng.standard_normal((2, 2)) * 10.0 ** rng.uniform(-spread, spread, (2, 2))
            try:
                result = fs.solve(matrix(payoffs), algorithm)
            except fs.Unsolved:
                assert algorithm not in ANYWHERE
                continue
            assert gain(payoffs, result) <= 1e-9, payoffs.tolist()


def test_larger_matrices_whose_payoffs_are_far_apart():
    rng = np.random.default_rng(3)
    for size in (3, 8):
        payoffs = rng.standard_normal((size, size)) * 10.0 ** rng.uniform(-12, 12, (size, size))
        for algorithm in ("lp", "do"):
            assert gain(payoffs, fs.solve(matrix(payoffs), algorithm)) <= 1e-9, payoffs.tolist()


def test_no_small_game_is_taken_for_one_of_zero_sum():
    one = (np.eye(2) * 1e-11).tolist()
    with pytest.raises(fs.FogspielError, match="opposed|zero"):
        fs.solve(fs.load(f"matrix(payoffs={one},payoffs2={one})"), "lp")


def test_a_large_program_that_rounding_decides_is_refused(monkeypatch):
    monkeypatch.setattr("fogspiel.solvers.exact.rational.CELLS", 0)
    with pytest.raises(fs.Unsolved, match="so far apart that rounding decides"):
        fs.solve(matrix([[1e14, -1], [-1, 1]]), "lp")


def test_restricted_responses_do_not_depend_on_the_unit():
    """Johanson, Zinkevich and Bowling 2007: against rock half of the time, how often to play paper does not depend on
    what it is worth."""
    found = []
    for unit in (1, 1e-11):
        game = matrix(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) * unit)
        fixed = fs.solve(game, "lp").strategy.greedy()
        response = fs.restricted_response(game, fixed, 0, 0.3)
        found.append((response.exploitation / unit, response.best_response / unit))
    assert found[1] == pytest.approx(found[0], abs=1e-9)
    assert found[0][1] > 0


def test_small_values_are_shown_with_their_digits():
    assert "value           +2.000000000e-10  -2.000000000e-10" in str(
        fs.solve(matrix([[1e-9, -1e-9], [-1e-9, 2e-9]]), "lp")
    )
    assert "value           +0.200000000  -0.200000000" in str(fs.solve(matrix([[1, -1], [-1, 2]]), "lp"))
    assert "value           +0.000000000  +0.000000000" in str(fs.solve("rock_paper_scissors", "lp"))
