"""Backgammon: opening, hits, the bar, bearing off, dice that must be played, points; play as in OpenSpiel."""

import random
from functools import cache

import pytest
from hints import ask, assert_rising
from positions import after, child, load

from fogspiel import CHANCE, OVER
from fogspiel.game import CONTINUES

BAR = 25


def position(mine, yours, dice, spec="backgammon"):
    """Player 0 to play the dice; the checkers of each as {point: how many} in its own numbers, the rest borne off."""
    s = load(spec).start()
    view, rules = s.view, s.game.module
    for player, checkers in enumerate((mine, yours)):
        for point in range(26):
            while view.checkers[player, point] > 0:
                rules.take(view, player, point)
        for point, n in (checkers | {0: 15 - sum(checkers.values())}).items():
            for _ in range(n):
                rules.put(view, player, point)
    view.turn = 0
    rules.roll(view, *dice)
    return s


def names(s):
    return [s.game.move_name(s, move) for move in s.moves()]


def by_name(s, *wanted):
    for name in wanted:
        s.play(s.moves()[names(s).index(name)])
    return s


def test_the_higher_die_starts_and_plays_both():
    odds = dict(after("backgammon").chance())
    assert odds == pytest.approx({10 * a + b: 1 / 30 for a in range(1, 7) for b in range(1, 7) if a != b})
    assert (after("backgammon", 63).actor, after("backgammon", 36).actor) == (0, 1)
    assert names(after("backgammon", 36))[:4] == ["8/2", "13/7", "24/18", "6/3"]


def test_later_there_are_21_rolls_and_doubles_are_half_as_likely():
    odds = dict(by_name(after("backgammon", 31), "8/5", "6/5").chance())
    assert len(odds) == 21
    assert odds == pytest.approx({roll: 1 / 36 if roll % 11 == 0 else 1 / 18 for roll in odds})


def test_both_start_with_167_pips():
    s = after("backgammon")
    assert [s.game.module.pips(s.view, player) for player in range(2)] == [167, 167]


def test_a_single_checker_is_hit_and_has_to_enter_first():
    s = position({8: 2, 6: 2}, {20: 1, 13: 2}, (3, 1))
    assert "8/5*" in names(s)
    by_name(s, "8/5*", "6/5")
    s.play(33)
    assert (s.actor, names(s)) == (1, ["bar/22"])
    s = position({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {BAR: 1, 6: 2}, (6, 5))
    by_name(s, *names(s)[:1])
    s.view.turn = 1
    s.view.left = 0
    s.play(12)
    assert names(s) == ["no move"]
    assert child(s, 0).actor == CHANCE


def test_doubles_are_played_four_times():
    s = by_name(position({13: 4}, {13: 2}, (6, 6)), "13/7", "7/1", "13/7", "13/7")
    assert s.actor == CHANCE
    assert s.view.turn == 1


def test_checkers_are_borne_off_exactly_or_from_the_highest_point():
    assert names(position({6: 1, 4: 1, 2: 1}, {13: 2}, (4, 1))) == ["4/off", "6/2", "2/1", "4/3", "6/5"]
    assert names(position({3: 1, 2: 1}, {13: 2}, (6, 4))) == ["3/off by 6", "3/off by 4"]
    assert names(position({7: 1, 2: 1}, {13: 2}, (2, 1))) == ["7/5", "2/1", "7/6"]  # not all are home


def test_both_dice_are_played_if_there_is_a_way_to():
    s = position(
        {24: 1, 14: 1}, {7: 2, 12: 2, 17: 2}, (6, 5)
    )  # 18, 13 and 8 are blocked: after 24/19 there would be no 6
    assert names(s) == ["14/9"]
    assert names(by_name(s, "14/9")) == ["9/3"]


def test_of_dice_that_exclude_each_other_the_higher_one_is_played():
    s = position({13: 1}, {23: 2, 24: 2}, (6, 5))  # 13/7 or 13/8, and then 2 is blocked
    assert names(s) == ["13/7"]
    assert names(by_name(s, "13/7")) == ["no move"]
    assert names(position({13: 1}, {18: 2, 23: 2}, (6, 5))) == ["13/8"]  # only the lower one can be played


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({24: 14}, (1, 1, 1)),
        ({13: 15}, (1, 2, 2)),
        ({19: 15}, (1, 2, 3)),
        ({BAR: 1, 1: 14}, (1, 2, 3)),
        ({18: 15}, (1, 2, 2)),
    ],
)
def test_a_win_counts_one_two_or_three(loser, points):
    for scoring, won in zip(("win", "gammon", "backgammon"), points, strict=True):
        s = position({1: 1}, loser, (2, 1), f"backgammon(scoring={scoring})")
        s.play(s.moves()[0])
        assert (s.actor, s.payoff()) == (OVER, [won, -won])


def most_dice(s, die):
    """How many moves by a die can be made one after the other, if they are well chosen."""
    view, module = s.view, s.game.module
    who = view.turn

    @cache
    def most(held, left):
        if left == 0:
            return 0
        best = 0
        points = module.movable(sum(1 << p for p in range(1, 26) if held[p]), view.blocked[who], die)
        for p in range(1, 26):
            if points >> p & 1:
                then = list(held)
                then[p] -= 1
                then[max(0, p - die)] += 1
                best = max(best, 1 + most(tuple(then), left - 1))
        return best

    return most(tuple(view.checkers[who]), view.left)


def test_no_choice_of_moves_loses_part_of_a_double():
    """So nobody has to look ahead when playing doubles."""
    game, rng, seen = load("backgammon"), random.Random(2), 0
    while seen < 300:
        s = game.start()
        while not s.over and seen < 300:
            if s.actor >= 0 and s.view.left == 4 and rng.random() < 0.3:
                expected, played, t = most_dice(s, s.view.high), 0, s.copy()
                while t.actor == s.actor and t.moves() != [0]:
                    t.play(rng.choice(t.moves()))
                    played += 1
                assert played == expected
                seen += played < 4
            s.play(rng.choice(s.moves()))


def test_guesses_follow_the_race():
    assert_rising(
        position({24: 2}, {6: 2}, (2, 1)), position({13: 2}, {13: 2}, (2, 1)), position({6: 2}, {24: 2}, (2, 1))
    )


def test_an_episode_is_a_roll_with_its_moves():
    """Whitehouse 2014, sec. 8.3.2."""
    assert ask(after("backgammon"), "episode") == 0
    assert ask(after("backgammon", 31), "episode") == CONTINUES
    assert ask(by_name(after("backgammon", 31), "8/5"), "episode") == CONTINUES
    assert ask(by_name(after("backgammon", 31), "8/5", "6/5"), "episode") == 0


def half_turns(s):
    """What two moves of checkers, or as many as can be made, lead to: a state by its position."""
    found, who, left = {}, s.actor, s.view.left
    for move in s.moves():
        t = child(s, move)
        ends = [child(t, m) for m in t.moves()] if t.actor == who and t.view.left == left - 1 else [t]
        found.update((board(end), end) for end in ends)
    return found


def board(s):
    """The checkers of both on points and bar, in the numbers of OpenSpiel."""
    checkers = [[int(n) for n in s.view.checkers[player]] for player in range(2)]
    return (*checkers[0][24:0:-1], checkers[0][BAR], *checkers[1][1:25], checkers[1][BAR])


def board_of_openspiel(other):
    return tuple(other.board(player, point) for player in range(2) for point in [*range(24), 100])


def roll(s, other, rng):
    """The same roll in both games. OpenSpiel tells the order of the dice, and who starts."""
    dice = rng.choices(*zip(*s.chance(), strict=True))[0]
    for outcome in other.legal_actions():
        text = other.action_to_string(outcome)
        if sorted(text.rpartition("roll: ")[2][:2]) == sorted(str(dice)) and (
            s.view.turn >= 0 or ("X starts" in text) == (dice // 10 > dice % 10)
        ):
            other.apply_action(outcome)
            break
    s.play(dice)


@pytest.mark.parametrize(
    ("ours", "theirs", "games"),
    [
        ("backgammon", "backgammon", 8),
        ("backgammon(setup=hyper)", "backgammon(hyper_backgammon=true)", 50),
        ("backgammon(scoring=gammon)", "backgammon(scoring_type=enable_gammons)", 8),
        ("backgammon(scoring=backgammon)", "backgammon(scoring_type=full_scoring)", 8),
    ],
)
def test_backgammon_plays_as_in_openspiel(ours, theirs, games):
    """Two moves of checkers are one action there: they lead to the same positions, and the game to the same end.

    Hypergammon pays nobody there, whoever wins.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game, peer, rng = load(ours), pyspiel.load_game(theirs), random.Random(11)
    for _ in range(games):
        s, other = game.start(), peer.new_initial_state()
        while not s.over:
            if s.actor == CHANCE:
                roll(s, other, rng)
            assert s.actor == other.current_player()
            mine, yours = half_turns(s), {board_of_openspiel(t): t for t in map(other.child, other.legal_actions())}
            assert mine.keys() == yours.keys()
            chosen = rng.choice(sorted(mine))
            s, other = mine[chosen], yours[chosen]
        assert other.is_terminal()
        assert s.payoff() == other.returns() or "hyper" in ours
