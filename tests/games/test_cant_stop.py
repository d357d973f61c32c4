"""Can't Stop: rolls and their odds, markers, columns, the value of small games; what searches are told."""

import itertools
from collections import Counter
from functools import cache

import pytest
from hints import ask, assert_rising, guessed, guided, some_states
from positions import after, child, load, solved

import fogspiel as fs
from fogspiel import CHANCE, OVER
from fogspiel.games import cant_stop


def test_cant_stop_has_126_rolls_as_likely_as_their_orders():
    rolls = Counter(int("".join(map(str, sorted(r)))) for r in itertools.product(range(1, 7), repeat=4))
    assert len(rolls) == 126
    assert dict(after("cant_stop").chance()) == pytest.approx({roll: n / 1296 for roll, n in rolls.items()})


def columns(*numbers):
    return sum(1 << (column - 2) for column in numbers)


@pytest.mark.parametrize(
    ("numbers", "percent"),
    [((2,), 13), ((3,), 23), ((4,), 36), ((5,), 45), ((6,), 56), ((7,), 64), ((6, 7, 8), 92), ((2, 3, 12), 44)],
)
def test_columns_come_up_as_often_as_the_odds_of_cant_stop_say(numbers, percent):
    """The odds that players of the game know, rounded; and each is counted over all 1296 rolls."""
    hits = sum(
        any(a + b in numbers for a, b in itertools.combinations(roll, 2))
        for roll in itertools.product(range(1, 7), repeat=4)
    )
    bust = load("cant_stop").about.tables["bust"]
    assert 1 - bust[columns(*numbers)] == pytest.approx(hits / 1296)
    assert round(100 * hits / 1296) == percent


def test_four_dice_are_grouped_into_pairs():
    """The example of Lanctot 2013, sec. 3.2.3: (2, 7) and (4, 5)."""
    assert sorted(after("cant_stop", 1134).moves()) == [207, 405]
    assert after("cant_stop", 1111).moves() == [202]
    assert sorted(after("cant_stop", 1256).moves()) == [311, 608, 707]


def test_markers_stay_in_their_columns_and_a_roll_that_allows_nothing_loses_the_turn():
    s = after("cant_stop", 1134, 207, cant_stop.ROLL, 1134)
    assert sorted(s.moves()) == [4, 5, 207]  # one marker is left: 4 or 5, not both
    s.play(4)
    s.play(cant_stop.ROLL)
    assert s.actor == CHANCE
    lost = child(s, 5566)
    assert (lost.actor, lost.view.player, list(lost.view.climbed), list(lost.view.step)) == (
        CHANCE,
        1,
        [0] * 11,
        [0] * 22,
    )
    s.play(1133)
    assert s.moves() == [2, 404]  # no marker is left for 6
    s.play(404)
    s.play(cant_stop.STOP)
    assert [s.view.step[i] for i in (0, 2, 4, 5)] == [1, 3, 0, 1]
    assert s.view.player == 1


def test_a_finished_column_is_closed_to_both():
    s = after("cant_stop", 1111, 202, cant_stop.ROLL, 1111)
    assert s.moves() == [2]  # a single step is left
    s.play(2)
    assert guided(s) == {cant_stop.STOP: 1.0}
    s.play(cant_stop.STOP)
    assert list(s.view.finished) == [1, 0]
    assert child(s, 1111).view.player == 0
    assert sorted(child(s, 1134).moves()) == [7, 405]


def test_three_columns_win_and_leave_nothing_but_to_stop():
    s = after("cant_stop", 1111, 202, 0, 1111, 2, 0, 6666, 1212, 0, 6666, 12, 0, 5566, 1111, 0, 5566, 1111)
    assert s.moves() == [cant_stop.ROLL, cant_stop.STOP]
    s.play(cant_stop.ROLL)
    s.play(5566)
    assert s.moves() == [11]
    s.play(11)
    assert s.moves() == [cant_stop.STOP]
    s.play(cant_stop.STOP)
    assert (s.actor, s.payoff()) == (OVER, [1, -1])


def turn_of_cant_stop(faces, shortest, closed, mine, kept, failed):
    """The value of a turn by plain recursion; `kept(steps)` and `failed` are the values of how it ends."""
    tops = {c: shortest + 2 * min(c - 2, 2 * faces - c) for c in range(2, 2 * faces + 1)}

    @cache
    def rolling(climbed):
        turn, total = dict(climbed), 0.0
        for a, b, c, d in itertools.product(range(1, faces + 1), repeat=4):
            best = None
            for pairs in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
                for order in (pairs, pairs[::-1]):
                    then = dict(turn)
                    for column in order:
                        at = then.get(column, 0)
                        free = column in then or len(then) < 3
                        if free and column not in closed and mine.get(column, 0) + at < tops[column]:
                            then[column] = at + 1
                    if then != turn:
                        worth = deciding(tuple(sorted(then.items())))
                        best = worth if best is None else max(best, worth)
            total += failed if best is None else best
        return total / faces**4

    @cache
    def deciding(climbed):
        steps = dict(mine)
        for column, n in climbed:
            steps[column] = steps.get(column, 0) + n
        stop = kept(steps)
        finished = {column for column in steps if steps[column] == tops[column]}
        return stop if len(finished | closed) == len(tops) or stop == 1 else max(stop, rolling(climbed))

    return rolling(())


@pytest.mark.parametrize(("shortest", "win"), [(1, 1), (1, 2)])
def test_cant_stop_has_the_value_of_plain_recursion(shortest, win):
    faces = 2
    tops = {c: shortest + 2 * min(c - 2, 2 * faces - c) for c in range(2, 2 * faces + 1)}
    value = {}

    def finished(steps):
        return frozenset(c for c, n in steps.items() if n == tops[c])

    def position(mine, yours):
        """The probability that the player to move wins, of a position met now or before."""
        if len(finished(yours)) >= win:
            return 0.0
        return value.setdefault((tuple(sorted(mine.items())), tuple(sorted(yours.items()))), 0.5)

    position({}, {})
    change = 1.0
    while change > 1e-10:
        change = 0.0
        for mine, yours in list(value):
            me, you = dict(mine), dict(yours)
            new = turn_of_cant_stop(
                faces,
                shortest,
                finished(me) | finished(you),
                me,
                lambda steps, you=you: 1 - position(you, steps),
                1 - position(you, me),
            )
            change = max(change, abs(new - value[mine, yours]))
            value[mine, yours] = new
    wins = value[(), ()]
    assert solved(f"cant_stop(faces=2,shortest={shortest},win={win})") == pytest.approx(2 * wins - 1, abs=1e-6)


@pytest.mark.parametrize("turns", [1, 2])
def test_cant_stop_alone_has_the_value_of_plain_recursion(turns):
    tops = {c: 1 + 2 * min(c - 2, 4 - c) for c in range(2, 5)}

    @cache
    def value(steps, left):
        mine = dict(steps)
        closed = frozenset(c for c in mine if mine[c] == tops[c])
        if left == 0 or len(closed) == 3:
            return 1000 * len(closed)
        failed = value(steps, left - 1)
        return turn_of_cant_stop(2, 1, closed, mine, lambda s: value(tuple(sorted(s.items())), left - 1), failed)

    assert solved(f"cant_stop(faces=2,shortest=1,players=1,turns={turns})") == pytest.approx(value((), turns))


def test_cant_stop_refuses_games_that_nobody_can_win():
    with pytest.raises(fs.FogspielError, match="none is left"):
        fs.load("cant_stop(faces=2,win=3)")
    with pytest.raises(fs.FogspielError, match="give turns"):
        fs.load("cant_stop(players=1)")


def test_cant_stop_alone_keeps_the_promises_of_every_game():
    report = fs.check(fs.load("cant_stop(players=1,turns=3,faces=3,shortest=1)"), playouts=100, histories=3000)
    assert report.ok, "\n".join(map(str, report.failures))


def test_the_covariate_of_cant_stop_is_a_roll_that_allows_nothing_and_its_partner_seldom_does():
    """Of n rolls as likely as each other k allow nothing: partners both do for 2k - n of them if that is positive."""
    seen = 0
    for s in [s for s in some_states("cant_stop") if s.actor == CHANCE][:30]:
        covariates = {move: ask(s, "covariate", move) for move, _ in s.chance()}
        busts = {move for move, _ in s.chance() if child(s, move).actor == CHANCE}
        chance_of_bust = sum(p for move, p in s.chance() if move in busts)
        assert covariates == pytest.approx({move: (move in busts) - chance_of_bust for move in covariates})
        both = 0
        for p in {round(p, 12) for _, p in s.chance()}:
            alike = [move for move, q in s.chance() if round(q, 12) == p]
            both += p * max(0, 2 * len(busts.intersection(alike)) - len(alike))
        paired = sum(p for move, p in s.chance() if move in busts and ask(s, "mirror", move) in busts)
        assert paired == pytest.approx(both)
        seen += 0 < chance_of_bust < 0.5
    assert seen > 5


def test_the_default_policy_of_cant_stop_rolls_again_with_probability_085():
    assert guided(after("cant_stop", 1134, 207)) == {cant_stop.ROLL: 0.85, cant_stop.STOP: 0.15}
    assert guided(after("cant_stop", 1134)) == {207: 0.5, 405: 0.5}


def test_guesses_rise_with_steps_and_fall_with_the_risk_of_losing_them():
    assert_rising(after("cant_stop", 1134, 207, 1, 1111, 202), after("cant_stop"), after("cant_stop", 1134, 207))
    placed = (1134, 207, cant_stop.ROLL, 1134, 4)  # all three markers: now a roll can fail
    assert_rising(after("cant_stop", *placed, cant_stop.ROLL), after("cant_stop", *placed))
    kept = [
        guessed(after("cant_stop(evaluation=kept)", *moves))[0] for moves in ((), placed, (*placed, cant_stop.STOP))
    ]
    assert kept[0] == kept[1] == 0 < kept[2]
