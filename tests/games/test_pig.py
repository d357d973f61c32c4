"""Pig: dice, turns and scores; play as in OpenSpiel; its value, alone and with one die; what searches are told."""

import itertools
import random
from collections import Counter
from functools import cache

import pytest
from hints import ask, assert_rising, guessed, guided
from positions import after, child, solved

import fogspiel as fs
from fogspiel import CHANCE, OVER, PUBLIC
from fogspiel.games import pig


def test_two_dice_of_pig_lose_the_turn_or_the_score_as_often_as_they_show_ones():
    rolls = Counter((0 if 1 in r else sum(r)) if r != (1, 1) else 1 for r in itertools.product(range(1, 7), repeat=2))
    assert dict(after("pig", 0).chance()) == pytest.approx({outcome: n / 36 for outcome, n in rolls.items()})
    assert dict(after("pig(dice=1)", 0).chance()) == pytest.approx(dict.fromkeys((0, 2, 3, 4, 5, 6), 1 / 6))


def test_a_double_one_loses_the_score_and_a_single_one_only_the_turn():
    stopped = after("pig", 0, 12, 0, 11, 1)
    assert stopped.actor == 1
    assert list(stopped.view.score) == [23, 0]
    again = [after("pig", 0, 12, 0, 11, 1, 1, 0, 7, 0, outcome) for outcome in (0, 1)]
    assert [list(s.view.score) for s in again] == [[23, 0], [0, 0]]
    assert all((s.actor, s.view.total) == (1, 0) for s in again)


def test_points_enough_to_win_pig_must_be_taken_by_stopping():
    s = after("pig(target=20)", 0, 12, 0, 12)
    assert (s.actor, s.moves(), s.view.total) == (0, [1], 20)
    s.play(1)
    assert (s.actor, s.payoff()) == (OVER, [1, -1])


def test_one_die_of_pig_plays_and_pays_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ours, rng = (
        pyspiel.load_game("pig(winscore=30,horizon=100000)"),
        fs.load("pig(dice=1,target=30)"),
        random.Random(7),
    )
    for _ in range(100):
        s, t = ours.start(), theirs.new_initial_state()
        while not s.over:
            assert s.actor == t.current_player()
            if s.actor == CHANCE:
                face = rng.randrange(6)
                assert len(s.moves()) == len(t.legal_actions()) == 6
                s.play(0 if face == 0 else face + 1)
                t.apply_action(face)
            else:
                assert s.moves() == t.legal_actions()
                move = rng.choice(s.moves())
                s.play(move)
                t.apply_action(move)
        assert t.is_terminal()
        assert s.payoff() == t.returns()


def test_pig_has_finitely_many_positions_and_returns_to_them():
    met, todo = {}, [fs.load("pig(target=10)").start()]
    while todo:
        s = todo.pop()
        if s.key(PUBLIC) in met:
            assert met[s.key(PUBLIC)] == s.data.tobytes()
            continue
        met[s.key(PUBLIC)] = s.data.tobytes()
        if not s.over:
            todo += [child(s, move) for move in s.moves()]
    assert len(met) < 2 * 2 * 11**3
    assert after("pig", 1, 1).key(0) == after("pig").key(0)


def test_pig_alone_keeps_the_promises_of_every_game():
    for game in (
        "pig(players=1,turns=2,target=20)",
        "pig(players=1,turns=2,target=20,rolls=pairs)",
        "pig(players=1,turns=2,target=20,rolls=ordered)",
        "pig(dice=1,turns=3)",
    ):
        report = fs.check(fs.load(game), playouts=100, histories=3000)
        assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.parametrize("told", ["pairs", "ordered"])
def test_pairs_of_dice_bring_what_their_points_say(told):
    s = after(f"pig(rolls={told})", 0)
    dice = itertools.product(range(1, 7), repeat=2)
    rolls = Counter(int("".join(map(str, sorted(r) if told == "pairs" else r))) for r in dice)
    assert dict(s.chance()) == pytest.approx({roll: n / 36 for roll, n in rolls.items()})
    effects = {}
    for roll, p in s.chance():
        effect = pig.brought(s.view, roll)
        effects[effect] = effects.get(effect, 0) + p
        assert child(s, roll).view.total == (effect if effect > 1 else 0)
    assert effects == pytest.approx(dict(after("pig", 0).chance()))


def test_a_turn_of_pig_is_worth_what_neller_and_presser_found_for_one_die():
    assert solved("pig(dice=1,players=1,turns=1,target=1000)") == pytest.approx(8.14, abs=0.005)


@pytest.mark.parametrize("turns", [1, 2, 4])
def test_pig_alone_has_the_value_of_plain_recursion_however_rolls_are_told(turns):
    target = 60

    @cache
    def value(score, total, left):
        if left == 0 or score == target:
            return score
        stop = value(score + total, 0, left - 1)
        if score + total == target:
            return stop
        roll = 10 * value(score, 0, left - 1) + value(0, 0, left - 1)
        roll += sum(value(score, min(total + a + b, target - score), left) for a in range(2, 7) for b in range(2, 7))
        return max(stop, roll / 36)

    for rolls in ("points", "pairs", "ordered"):
        assert solved(f"pig(players=1,turns={turns},target={target},rolls={rolls})") == pytest.approx(
            value(0, 0, turns)
        )


def test_pig_alone_needs_a_number_of_turns():
    with pytest.raises(fs.FogspielError, match="give turns"):
        fs.load("pig(players=1)")


def test_after_its_turns_pig_goes_to_the_higher_score():
    for moves, result in [((0, 12, 1, 0, 8, 1), 1), ((1, 0, 4, 1), -1), ((0, 6, 1, 0, 6, 1), 0), ((0, 12, 0, 0, 1), 0)]:
        s = after("pig(turns=1)", *moves)
        assert (s.actor, s.payoff()) == (OVER, [result, -result])
    assert after("pig(players=1,turns=2)", 0, 12, 1, 0, 8, 1).payoff() == [20]


def test_the_covariate_of_pig_is_a_one_and_its_partner_has_none():
    """A 1 has probability 11/36; no two partners have one both, so their covariance is -(11/36)**2 (one die: 1/6)."""
    for game, p in [("pig(rolls=pairs)", 11 / 36), ("pig(rolls=ordered)", 11 / 36), ("pig(dice=1)", 1 / 6)]:
        s = after(game, 0)
        covariates = {move: ask(s, "covariate", move) for move, _ in s.chance()}
        assert sum(q for move, q in s.chance() if covariates[move] > 0) == pytest.approx(p)
        assert sum(
            q * covariates[move] * covariates[ask(s, "mirror", move)] for move, q in s.chance()
        ) == pytest.approx(-p * p)
    assert ask(after("pig(rolls=pairs)", 0), "mirror", 11) == 66


def test_the_default_policy_of_pig_rolls_four_times_out_of_five():
    assert guided(after("pig")) == {pig.ROLL: 0.8, pig.STOP: 0.2}
    assert guided(after("pig(target=20)", 0, 12, 0, 12)) == {pig.STOP: 1.0}


def test_guesses_rise_with_what_is_won():
    assert guessed(after("pig", 0, 12))[0] == 0.12
    assert_rising(after("pig", 0, 4, 0), after("pig", 0, 4), after("pig", 0, 12, 1, 0, 5), after("pig", 0, 12, 1))
    alone = "pig(players=1,turns=2)"
    assert_rising(after(alone, 1), after(alone), after(alone, 0, 12))
