"""Nannon: the opening, primes, hits, safety; how many positions there are; values by plain recursion."""

from math import comb

import pytest
from hints import assert_rising
from positions import after, child, load, solved

import fogspiel as fs
from fogspiel import CHANCE, OVER

NO_MOVE = 31


def position(board, home=(0, 0), die=1, spec="nannon"):
    """Player 0 to move by the die; whose checker is on each spot in letters, the others in safety."""
    s = load(spec).start()
    for spot, mark in enumerate(board, 1):
        s.view.board[spot] = "XO".find(mark)
    for i in range(2):
        s.view.home[i] = home[i]
        s.view.safe[i] = 3 - home[i] - board.count("XO"[i])
    s.view.turn, s.view.die = 0, die
    return s


def names(s):
    return [s.game.move_name(s, move) for move in s.moves()]


def test_the_higher_die_starts_with_the_difference():
    odds = dict(after("nannon").chance())
    differences = {d: sum(a - b == d for a in range(6) for b in range(6)) / 30 for d in range(1, 6)}
    assert odds == pytest.approx({10 * player + d: p for player in range(2) for d, p in differences.items()})
    s = after("nannon", 13)
    assert (s.actor, s.show(1).splitlines()[:2]) == (1, [" 1  2  3  4  5  6", " O  O  .  .  X  X"])
    assert names(s) == ["home/3", "1/4"]  # 2/5 would land on a prime
    s.play(0)
    assert (s.actor, s.view.turn) == (CHANCE, 0)
    assert dict(s.chance()) == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))


def test_a_single_checker_is_hit_and_a_prime_is_not():
    s = position("X.OX.O", home=(1, 0), die=2)
    assert names(s) == ["home/2", "1/3*", "4/6*"]
    assert child(s, 1).view.home[1] == 1
    assert names(position("X.OOX.", home=(1, 1), die=2)) == ["home/2", "5/off"]


def test_a_checker_leaves_with_a_number_that_is_high_enough():
    assert [names(position("..X...", die=die)) for die in (3, 4, 6)] == [["3/6"], ["3/off"], ["3/off"]]


def test_who_cannot_move_loses_the_turn():
    s = position("XX.OO.", home=(1, 1), die=3)
    assert names(s) == ["home/3"]
    s = position("XXX.OO", home=(0, 1), die=2)
    assert names(s) == ["2/4"]
    s = position("XOO...", home=(2, 1), die=1)
    assert names(s) == ["no move"]
    s.play(NO_MOVE)
    assert (s.actor, s.view.turn) == (CHANCE, 1)


@pytest.mark.parametrize(
    ("home", "board", "points"), [((0, 3), "...X..", 2), ((0, 2), "...X..", 1), ((0, 2), "...XO.", 2)]
)
def test_a_shutout_counts_two_if_so_agreed(home, board, points):
    for scoring, won in (("win", 1), ("nannon", points)):
        s = position(board, home, 3, f"nannon(scoring={scoring})")
        s.play(4)
        assert (s.actor, s.payoff()) == (OVER, [won, -won])


def reached(spec):
    """All positions that play can come to: the state after every move and roll, by its key."""
    found, todo = {}, [load(spec).start()]
    while todo:
        s = todo.pop()
        if s.key(0) not in found:
            found[s.key(0)] = s
            if not s.over:
                todo += [child(s, move) for move in s.moves()]
    return found


def test_all_positions_come_up_but_those_with_an_empty_board_where_a_player_is_all_home_or_both_are_safe():
    ways = sum(comb(6, a) * comb(6 - a, b) * (4 - a) * (4 - b) for a in range(4) for b in range(4))
    places = {(bytes(s.view.board), bytes(s.view.home), bytes(s.view.safe)) for s in reached("nannon").values()}
    assert (ways, len(places)) == (2530, 2522)


def test_guesses_follow_the_race():
    assert_rising(position("X..OO.", (2, 0)), position("X.X.O.", (1, 2)), position("..X.X.", (0, 2)))


@pytest.mark.parametrize(
    "spec", ["nannon(spots=3,checkers=2,faces=2)", "nannon(spots=4,checkers=2,faces=3,scoring=nannon)"]
)
def test_small_games_have_the_value_of_plain_recursion(spec):
    states = reached(spec)
    value = dict.fromkeys(states, 0.0)
    then = {key: [child(s, move).key(0) for move in s.moves()] for key, s in states.items()}
    change = 1.0
    while change > 1e-10:
        change = 0.0
        for key, s in states.items():
            if s.over:
                new = s.payoff()[0]
            elif s.actor == CHANCE:
                new = sum(p * value[k] for (_, p), k in zip(s.chance(), then[key], strict=True))
            else:
                new = (max, min)[s.actor](value[k] for k in then[key])
            change = max(change, abs(new - value[key]))
            value[key] = new
    assert solved(spec) == pytest.approx(value[load(spec).start().key(0)], abs=1e-6)


def test_checkers_that_do_not_fit_are_refused():
    with pytest.raises(fs.FogspielError, match="do not fit on 6 spots"):
        fs.load("nannon(checkers=5)")
