"""Random games: their seeds, and how their utilities are spread."""

from collections import Counter

from positions import after, child, every_history


def test_a_random_game_is_the_same_for_the_same_seed_and_another_for_another():
    def payoffs(seed):
        return [s.payoff()[0] for s in every_history(f"random_game(seed={seed},actions=2,depth=3)") if s.over]

    assert payoffs(1) == payoffs(1) != payoffs(2)


def test_correlated_utilities_are_sums_of_equally_likely_steps():
    values = Counter(after("random_game(actions=60,depth=1)", a, b).payoff()[0] for a in range(60) for b in range(60))
    assert set(values) == {-1, 0, 1}
    assert all(1100 < n < 1300 for n in values.values())
    two = after("random_game(depth=2)", 1, 2)
    assert {child(child(two, a), b).payoff()[0] - two.view.value for a in range(4) for b in range(4)} == {-1, 0, 1}


def test_leaf_utilities_are_uniform_between_0_and_1_and_zero_sum():
    pays = [s.payoff() for s in every_history("random_game(utility=leaves,actions=6,depth=2)") if s.over]
    values = [mine for mine, _ in pays]
    assert all(mine == -yours for mine, yours in pays)
    assert len(set(values)) == 6**4
    assert all(abs(sum(v < x for v in values) / 6**4 - x) < 0.05 for x in (0.1, 0.25, 0.5, 0.75, 0.9))
    assert 0 <= min(values) < max(values) < 1
