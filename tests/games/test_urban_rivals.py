"""Urban Rivals, simplified: fights by example, values that can be told beforehand, who knows which pills."""

from collections import Counter
from math import comb

import pytest
from positions import after, child, every_history, generator

import fogspiel as fs
from fogspiel import PUBLIC
from fogspiel.games.urban_rivals import DAMAGE, POWER, STARS

SAME = "urban_rivals(hands=same)"


def test_characters_are_told_apart_by_their_names():
    assert len(set(zip(POWER, DAMAGE, STARS, strict=True))) == 8


def test_power_times_pills_wins_the_round_and_costs_the_other_life():
    # power 4 with 2 pills beats power 7 with none, and does 6
    s = after(SAME, 1, 2, 2, 0)
    assert list(s.view.alive) == [12, 6]
    assert list(s.view.left) == [10, 12]
    assert s.actor == 1


def test_a_tie_goes_to_fewer_stars_and_then_to_who_began():
    # 6 of four stars against 4 of three: 6 * 2 = 4 * 3
    s = after(SAME, 0, 1, 1, 2)
    assert list(s.view.alive) == [6, 12]
    s = after(SAME, 0, 1, 0, 1)
    assert list(s.view.alive) == [12, 7]
    s = child(child(child(child(s, 3), 0), 3), 0)
    assert list(s.view.alive) == [8, 7]


def test_who_has_no_life_left_has_lost_at_once():
    s = after("urban_rivals(hands=same,life=5)", 0, 12, 0, 0)
    assert s.over
    assert s.payoff() == [1, -1]


def test_after_the_last_round_more_life_wins():
    rounds = [(0, 0, 2, 0), (3, 0, 1, 0), (2, 0, 0, 0), (1, 0, 3, 0)]
    draw = after(SAME, *sum(rounds, ()))
    assert draw.over
    assert list(draw.view.alive) == [12 - 3 - 4, 12 - 3 - 4]
    assert draw.payoff() == [0, 0]
    assert after(SAME, *sum(rounds[:3], ()), 1, 1, 3, 0).payoff() == [-1, 1]


def test_pills_are_known_to_who_gave_them_until_the_fight():
    states = [after(SAME, 0, pills) for pills in (0, 5, 12)]
    assert len({s.key(0) for s in states}) == 3
    assert len({s.key(1) for s in states}) == len({s.key(PUBLIC) for s in states}) == 1
    assert len({s.show(1) for s in states}) == 1
    fought = [after(SAME, 0, pills, 2, 1) for pills in (4, 5)]
    assert fought[0].key(1) != fought[1].key(1)


def test_hands_are_dealt_from_eight_characters():
    s = after("urban_rivals")
    assert len(s.moves()) == comb(8, 4)
    assert all(move.bit_count() == 4 for move in s.moves())


@pytest.mark.parametrize("pills", [0, 1, 5])
def test_who_begins_wins_with_one_character_and_all_pills(pills):
    # both have the same character, and a tie is won by who began
    assert fs.solve(f"urban_rivals(hands=same,characters=1,pills={pills})", "lp").value[0] == pytest.approx(1)


def test_every_game_of_two_characters_spends_no_more_than_there_is():
    for s in every_history("urban_rivals(hands=same,characters=2,pills=2,life=9)"):
        assert min(s.view.left) >= 0
        assert min(s.view.alive) >= 0


def test_resampling_draws_any_number_of_pills_that_the_other_may_have_given():
    s, rng, drawn = after(SAME, 0, 5), generator(3), Counter()
    for _ in range(13_000):
        t = s.copy()
        t.resample(1, rng)
        drawn[t.view.given[0]] += 1
    assert sorted(drawn) == list(range(13))
    assert max(drawn.values()) < 1150
    assert min(drawn.values()) > 850
