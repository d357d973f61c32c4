"""The hardest games for search by regret matching are members of the class of two-stage games."""

import itertools

from positions import after, member

import fogspiel as fs


def test_the_games_of_the_worst_case_are_members():
    for name, digits in (("late", "0022002212121221"), ("even", "0011022011110202")):
        for moves in itertools.product(range(2), repeat=4):
            one, other = after(f"worst_case(game={name})", *moves), after(member(digits), *moves)
            assert one.payoff() == other.payoff()
            assert one.key(0) == other.key(0)
    assert fs.load("stacked_matrix").parameters["member"] == int("0022002212121221", 3)
