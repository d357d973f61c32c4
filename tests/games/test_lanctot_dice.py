"""The games of chance of Lanctot 2013: Pig, EinStein würfelt nicht!, Can't Stop and Dominion.

Their rules, and what searches are told of them: guesses of values, default policies, covariates, antithetic partners.
"""

import itertools
import math
import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from positions import after, child, load

import fogspiel as fs
from fogspiel import CHANCE, OVER, PUBLIC
from fogspiel.game.check import check
from fogspiel.games import cant_stop, dominion, einstein, pig

GAMES = [
    "pig",
    "pig(dice=1)",
    "pig(players=1,turns=6,rolls=pairs)",
    "pig(turns=6,rolls=pairs)",
    "pig(turns=6,rolls=ordered)",
    "cant_stop",
    "cant_stop(faces=3,shortest=1,win=2)",
    "cant_stop(players=1,turns=5)",
    "cant_stop(turns=5)",
    "cant_stop(evaluation=kept)",
    "dominion(turns=10)",
    "dominion(players=1)",
    "einstein",
    "einstein(size=4,stones=3,setup=ordered)",
    "tic_tac_toe",
]
WITH_CHANCE = [game for game in GAMES if game.startswith(("pig", "cant_stop", "dominion"))]


@cache
def some_states(game, states=150):
    """States of random games, over or not."""
    rng, met = random.Random(game), []
    while len(met) < states:
        s = load(game).start()
        met.append(s)
        while not s.over:
            s = child(s, rng.choices(*zip(*s.chance(), strict=True))[0] if s.actor == CHANCE else rng.choice(s.moves()))
            met.append(s)
    return rng.sample(met, states)


def ask(s, rule, *given):
    """What a rule says of a state, compiled; un-compiled it must say the same."""
    plain = getattr(s.game.module, rule)(s.view, *given)
    compiled = s.game.finish(s.game.functions[rule](s.data.ctypes.data, *given))
    assert compiled == pytest.approx(plain, abs=1e-12)
    return compiled


def guided(s):
    """The moves of the default policy and their probabilities, compiled; un-compiled they must be the same."""
    both = []
    for compiled in (True, False):
        out, prob = np.zeros(s.game.max_moves, np.int64), np.zeros(s.game.max_moves)
        if compiled:
            n = s.game.finish(s.game.functions["guide"](s.data.ctypes.data, out.ctypes.data, prob.ctypes.data))
        else:
            n = s.game.module.guide(s.view, out, prob)
        both.append(dict(zip(out[:n].tolist(), prob[:n].tolist(), strict=True)))
    assert both[0] == pytest.approx(both[1])
    return both[0]


def guessed(s):
    """What the rule evaluate says, compiled; un-compiled it must say the same."""
    compiled, plain = np.full(s.game.max_moves, np.nan), np.full(s.game.max_moves, np.nan)
    s.game.finish(s.game.functions["evaluate"](s.data.ctypes.data, compiled.ctypes.data))
    s.game.module.evaluate(s.view, plain)
    assert compiled == pytest.approx(plain, nan_ok=True)
    assert np.isnan(compiled[s.game.players :]).all()
    return compiled[: s.game.players].tolist()


def solved(game):
    return fs.solve(game, "value-iteration").value[0]


# What searches are told


@pytest.mark.parametrize("game", GAMES)
def test_guesses_are_within_the_payoffs_and_balance_in_a_game_of_two(game):
    low, high = load(game).about.utility
    guesses = [guessed(s) for s in some_states(game) if not s.over]
    assert all(low <= value <= high for guess in guesses for value in guess)
    assert len({guess[0] for guess in guesses}) > 5
    if load(game).players == 2:
        assert all(guess[0] == -guess[1] for guess in guesses)


def test_guesses_rise_with_what_is_won():
    def rising(*states):
        guesses = [guessed(s)[0] for s in states]
        assert guesses == sorted(set(guesses)), guesses

    assert [guessed(after("tic_tac_toe", square))[0] for square in (4, 0, 1)] == [4 / 8, 3 / 8, 2 / 8]
    assert guessed(after("pig", 0, 12))[0] == 0.12
    rising(after("pig", 0, 4, 0), after("pig", 0, 4), after("pig", 0, 12, 1, 0, 5), after("pig", 0, 12, 1))
    rising(after("pig(players=1,turns=2)", 1), after("pig(players=1,turns=2)"), after("pig(players=1,turns=2)", 0, 12))
    assert guessed(after("einstein(setup=ordered)"))[0] == 0
    rising(*(with_stones("einstein", {1: square, 2: 0}, {1: 24, 3: 19}, 1) for square in (1, 7, 13, 19)))
    rising(after("cant_stop", 1134, 207, 1, 1111, 202), after("cant_stop"), after("cant_stop", 1134, 207))
    placed = (1134, 207, cant_stop.ROLL, 1134, 4)  # all three markers: now a roll can fail
    rising(after("cant_stop", *placed, cant_stop.ROLL), after("cant_stop", *placed))
    kept = [
        guessed(after("cant_stop(evaluation=kept)", *moves))[0] for moves in ((), placed, (*placed, cant_stop.STOP))
    ]
    assert kept[0] == kept[1] == 0 < kept[2]
    rising(*(hand(after("dominion"), Copper=5, Gold=n) for n in range(3)))
    rising(*(hand(after("dominion(players=1,turns=1)"), Copper=5, Province=n) for n in range(4)))


@pytest.mark.parametrize("game", WITH_CHANCE)
def test_default_policies_give_legal_moves_and_probabilities(game):
    for s in some_states(game):
        if s.actor >= 0:
            policy = guided(s)
            assert set(policy) <= set(s.moves())
            assert all(p > 0 for p in policy.values())
            assert sum(policy.values()) == pytest.approx(1)


@pytest.mark.parametrize("game", WITH_CHANCE)
def test_covariates_are_zero_on_average_but_not_always(game):
    spread = []
    for s in some_states(game):
        if s.actor == CHANCE:
            luck = {move: ask(s, "covariate", move) for move, _ in s.chance()}
            assert sum(p * luck[move] for move, p in s.chance()) == pytest.approx(0, abs=1e-12)
            assert all(-1 <= y <= 1 for y in luck.values())
            spread.append(max(luck.values()) - min(luck.values()))
    assert max(spread) > 0.1 or game.startswith("dominion")  # played at random it seldom comes to 8 money


@pytest.mark.parametrize("game", [game for game in WITH_CHANCE if not game.startswith("dominion")])
def test_antithetic_partners_are_as_likely_and_partners_of_each_other(game):
    for s in some_states(game):
        if s.actor == CHANCE:
            odds = dict(s.chance())
            partner = {move: ask(s, "mirror", move) for move in odds}
            assert all(partner[partner[move]] == move for move in odds)
            assert all(odds[partner[move]] == pytest.approx(odds[move]) for move in odds)


# Pig


def test_pig_alone_keeps_the_promises_of_every_game():
    for game in (
        "pig(players=1,turns=2,target=20)",
        "pig(players=1,turns=2,target=20,rolls=pairs)",
        "pig(players=1,turns=2,target=20,rolls=ordered)",
        "pig(dice=1,turns=3)",
    ):
        report = check(fs.load(game), playouts=100, histories=3000)
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
        luck = {move: ask(s, "covariate", move) for move, _ in s.chance()}
        assert sum(q for move, q in s.chance() if luck[move] > 0) == pytest.approx(p)
        assert sum(q * luck[move] * luck[ask(s, "mirror", move)] for move, q in s.chance()) == pytest.approx(-p * p)
    assert ask(after("pig(rolls=pairs)", 0), "mirror", 11) == 66


def test_the_default_policy_of_pig_rolls_four_times_out_of_five():
    assert guided(after("pig")) == {pig.ROLL: 0.8, pig.STOP: 0.2}
    assert guided(after("pig(target=20)", 0, 12, 0, 12)) == {pig.STOP: 1.0}


# EinStein würfelt nicht!


def board(s):
    """Where the stones of each player stand."""
    return {6 * player + stone: s.view.square[6 * player + stone] for player in range(2) for stone in range(6)}


def with_stones(game, mine, yours, die):
    """A position with the given squares of the stones of both players, and the die of player 0."""
    s = after(game)
    for i in range(12):
        s.view.square[i] = einstein.GONE
    for player, stones in enumerate((mine, yours)):
        for stone, square in stones.items():
            s.view.square[6 * player + stone - 1] = square
    s.view.placed, s.view.die, s.view.player = 2 * s.view.stones, die, 0
    return s


def test_every_setup_of_stones_is_as_likely():
    setups, todo = {}, [(fs.load("einstein(size=3,stones=3)").start(), 1.0)]
    while todo:
        s, p = todo.pop()
        if s.view.placed == 6:
            setups[s.data.tobytes()] = p
        else:
            todo += [(child(s, move), p * q) for move, q in s.chance()]
    assert len(setups) == 6 * 6
    assert all(p == pytest.approx(1 / 36) for p in setups.values())
    s, ways = after("einstein"), 1
    while s.view.placed < 12:
        ways *= len(s.moves())
        s.play(s.moves()[-1])
    assert ways == 720**2
    assert sorted(board(s).values()) == sorted([0, 1, 2, 5, 6, 10, 24, 23, 22, 19, 18, 14])


@pytest.mark.parametrize(("die", "movable"), [(1, {1}), (5, {5}), (6, {6}), (2, {1, 5}), (3, {1, 5}), (4, {1, 5})])
def test_a_stone_that_is_gone_is_replaced_by_its_neighbours(die, movable):
    """The example of Bonnet and Viennot 2017: stones 1, 5 and 6 are left."""
    s = with_stones("einstein", {1: 0, 5: 7, 6: 12}, {1: 24}, die)
    assert {move // 3 + 1 for move in s.moves()} == movable


def test_stones_take_what_they_meet_and_win_in_the_corner_or_by_the_last_stone():
    own = with_stones("einstein", {1: 0, 2: 1}, {1: 24}, 1)
    own.play(0)
    assert (board(own)[0], board(own)[1], own.actor) == (1, einstein.GONE, CHANCE)
    last = with_stones("einstein", {1: 12}, {3: 18}, 4)
    last.play(2)
    assert (last.actor, last.payoff()) == (OVER, [1, -1])
    corner = with_stones("einstein", {1: 23}, {3: 18, 4: 2}, 4)
    assert corner.moves() == [0]
    corner.play(0)
    assert (corner.actor, corner.payoff()) == (OVER, [1, -1])


def test_einstein_plays_and_pays_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    theirs, rng = pyspiel.load_game("einstein_wurfelt_nicht"), random.Random(3)

    def seen(text, first):
        """Their board as ours: the stones of who moves first start in the top left corner."""
        cells = text.replace("\n", "").strip("|").split("||")
        if first == 1:
            cells = cells[::-1]
        return {6 * ("bw".index(c[0]) ^ first) + int(c[1]) - 1: at for at, c in enumerate(cells) if c != "__"}

    def shown(s):
        return {stone: at for stone, at in board(s).items() if at >= 0}

    for _ in range(40):
        t = theirs.new_initial_state()
        for _ in range(2):
            t.apply_action(rng.randrange(720))
        die = rng.randrange(6)
        first = t.child(die).current_player()
        s, setup = after("einstein"), seen(str(t), first)
        while s.view.placed < 12:
            player, stone = divmod(s.view.placed, 6)
            spots = {einstein.home(s.view, player, spot): spot for spot in range(6)}
            s.play(spots[setup[6 * player + stone]])
        while not t.is_terminal():
            t.apply_action(die)
            s.play(die + 1)
            assert s.actor == t.current_player() ^ first
            ours = {frozenset(shown(child(s, move)).items()): move for move in s.moves()}
            others = {frozenset(seen(str(t.child(a)), first).items()): a for a in t.legal_actions()}
            assert ours.keys() == others.keys()
            chosen = rng.choice(sorted(ours, key=sorted))
            s.play(ours[chosen])
            t.apply_action(others[chosen])
            die = rng.randrange(6)
        assert s.over
        assert s.payoff() == [t.returns()[first], t.returns()[1 - first]]


@pytest.mark.parametrize(("size", "stones", "setup"), [(2, 1, "random"), (3, 1, "random"), (3, 2, "random"),
                                                        (4, 1, "random"), (3, 3, "ordered"), (4, 2, "ordered")])  # fmt: skip
def test_einstein_has_the_value_of_plain_recursion(size, stones, setup):
    home = sorted(itertools.product(range(size), repeat=2), key=lambda at: (sum(at), at))[:stones]
    far = size - 1

    @cache
    def value(mine, yours):
        """For the player to move, which goes down and right; None is a stone that is gone."""
        total = 0.0
        for rolled in range(stones):
            there = [i for i in range(stones) if mine[i]]
            low, high = [i for i in there if i <= rolled], [i for i in there if i >= rolled]
            best = -1.0
            for i in {*low[-1:], *high[:1]} if rolled not in there else {rolled}:
                for row, column in itertools.product((0, 1), repeat=2):
                    at = (mine[i][0] + row, mine[i][1] + column)
                    if (row or column) and max(at) <= far:
                        stay = [None if j != i and mine[j] == at else mine[j] for j in range(stones)]
                        stay[i] = at
                        rest = [None if other == at else other for other in yours]
                        over = at == (far, far) or not any(rest)
                        best = max(best, 1.0 if over else -value(turned(rest), turned(stay)))
            total += best
        return total / stones

    def turned(squares):
        return tuple(at and (far - at[0], far - at[1]) for at in squares)

    setups = list(itertools.permutations(home)) if setup == "random" else [tuple(home)]
    mean = sum(value(a, turned(b)) for a in setups for b in setups) / len(setups) ** 2
    assert solved(f"einstein(size={size},stones={stones},setup={setup})") == pytest.approx(mean)


def test_stones_must_fit_on_the_board_of_einstein():
    with pytest.raises(fs.FogspielError, match="do not fit"):
        fs.load("einstein(size=3,stones=4)")


# Can't Stop


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
                faces, shortest, finished(me) | finished(you), me,
                lambda steps, you=you: 1 - position(you, steps), 1 - position(you, me),
            )  # fmt: skip
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
    report = check(fs.load("cant_stop(players=1,turns=3,faces=3,shortest=1)"), playouts=100, histories=3000)
    assert report.ok, "\n".join(map(str, report.failures))


def test_the_covariate_of_cant_stop_is_a_roll_that_allows_nothing_and_its_partner_seldom_does():
    """Of n rolls as likely as each other k allow nothing: partners both do for 2k - n of them if that is positive."""
    seen = 0
    for s in [s for s in some_states("cant_stop") if s.actor == CHANCE][:30]:
        luck = {move: ask(s, "covariate", move) for move, _ in s.chance()}
        busts = {move for move, _ in s.chance() if child(s, move).actor == CHANCE}
        chance_of_bust = sum(p for move, p in s.chance() if move in busts)
        assert luck == pytest.approx({move: (move in busts) - chance_of_bust for move in luck})
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


# Dominion


def hand(s, **cards):
    """Give the player to move just these cards to hand, with an empty deck and discards, ready to act."""
    view = s.view
    for card in range(dominion.KINDS):
        view.hand[card] = cards.get(dominion.NAMES[card].replace(" ", "_"), 0)
        view.deck[card] = view.discard[card] = view.played[card] = 0
    view.draw, view.drawing, view.again, view.buys, view.coins = 0, 0, 1, 1, 0
    view.phase = dominion.ACTING
    return s


def card(name):
    return dominion.NAMES.index(name)


def pile(s, name):
    cards = getattr(s.view, name)
    return {dominion.NAMES[i]: cards[i] for i in range(dominion.KINDS) if cards[i]}


@pytest.mark.parametrize(("turns", "value"), [(1, 3 + 11 / 12 + 3 / 12), (2, 3 + (42 * 4 + 210 * 2) / 252)])
def test_the_first_turns_of_dominion_have_the_value_of_a_count_by_hand(turns, value):
    """A hand has 5 Coppers for a Duchy with probability 21/252, otherwise enough for an Estate; then the others follow."""
    assert solved(f"dominion(players=1,turns={turns},actions=0)") == pytest.approx(value)


def test_the_first_hand_of_dominion_is_five_of_ten_cards():
    hands, todo = {}, [(fs.load("dominion").start(), 1.0)]
    while todo:
        s, p = todo.pop()
        if s.actor == CHANCE:
            todo += [(child(s, move), p * q) for move, q in s.chance()]
        else:
            hands[s.view.hand[dominion.COPPER]] = hands.get(s.view.hand[dominion.COPPER], 0) + p
    assert hands == pytest.approx({n: math.comb(7, n) * math.comb(3, 5 - n) / 252 for n in range(2, 6)})


@pytest.mark.parametrize(
    ("name", "cards", "actions", "buys", "coins"),
    [
        ("Smithy", 3, 0, 1, 0),
        ("Village", 1, 2, 1, 0),
        ("Market", 1, 1, 2, 1),
        ("Laboratory", 2, 1, 1, 0),
        ("Festival", 0, 2, 2, 2),
        ("Moat", 2, 0, 1, 0),
        ("Woodcutter", 0, 0, 2, 2),
        ("Council Room", 4, 0, 2, 0),
    ],
)
def test_actions_do_what_their_cards_say(name, cards, actions, buys, coins):
    s = hand(after("dominion"), **{name.replace(" ", "_"): 1, "Moat": 1 + (name == "Moat")})
    s.view.deck[dominion.COPPER] = 9
    s.play(card(name) + 1)
    assert (s.view.draw, s.view.again if actions else 0, s.view.buys, s.view.coins) == (cards, actions, buys, coins)
    for _ in range(cards):
        assert s.chance() == [(dominion.COPPER, 1.0)]
        s.play(dominion.COPPER)
    assert s.view.hand[dominion.COPPER] == cards
    assert s.view.phase == (dominion.ACTING if actions else dominion.BUYING)
    assert pile(s, "played") == {name: 1}


def test_the_workshop_gains_and_the_moneylender_trades_a_copper_for_three():
    s = hand(after("dominion"), Workshop=1, Copper=2)
    s.play(card("Workshop") + 1)
    assert {dominion.NAMES[move - 1] for move in s.moves()} == {
        "Copper", "Silver", "Estate", "Smithy", "Village", "Moat", "Woodcutter", "Workshop", "Moneylender",
    }  # fmt: skip
    s.play(card("Smithy") + 1)
    assert pile(s, "discard") == {"Smithy": 1}
    assert (s.view.phase, dominion.money(s.view)) == (dominion.BUYING, 2)
    t = hand(after("dominion"), Moneylender=1, Copper=2)
    t.play(card("Moneylender") + 1)
    assert (pile(t, "hand"), dominion.money(t.view)) == ({"Copper": 1}, 4)


def test_cards_are_bought_for_money_and_all_are_discarded_and_shuffled_again():
    s = hand(after("dominion(players=1)"), Gold=2, Silver=1, Festival=1)
    s.play(card("Festival") + 1)
    assert (dominion.money(s.view), s.view.buys) == (10, 2)
    s.play(card("Province") + 1)
    assert (dominion.money(s.view), s.view.supply[dominion.PROVINCE]) == (2, 7)
    assert {dominion.NAMES[move - 1] for move in s.moves() if move} == {"Copper", "Estate", "Moat"}
    s.play(card("Estate") + 1)
    assert (s.actor, s.view.left) == (CHANCE, 19)
    assert dict(s.chance()) == pytest.approx({card("Gold"): 2 / 6, card("Silver"): 1 / 6, card("Festival"): 1 / 6,
                                              card("Estate"): 1 / 6, card("Province"): 1 / 6})  # fmt: skip
    assert dominion.points(s.view, 0) == 7


def test_dominion_ends_with_the_provinces_or_three_stacks_of_actions():
    for last, empty, over in [
        ("Province", (), True),
        ("Moat", ("Smithy", "Village"), True),
        ("Moat", ("Smithy",), False),
    ]:
        s = hand(after("dominion"), Gold=3)
        for name in empty:
            s.view.supply[card(name)] = 0
        s.view.supply[card(last)] = 1
        s.view.phase = dominion.BUYING
        s.play(card(last) + 1)
        assert s.over == over
        if last == "Province":
            assert s.payoff() == [1, -1]  # 6 points against 3 Estates


def test_each_player_of_dominion_has_its_turns():
    s, turns = fs.load("dominion(turns=3)").start(), []
    while not s.over:
        if s.actor == CHANCE:
            s.play(s.moves()[0])
        else:
            turns.append(s.actor)
            s.play(dominion.END)
    assert turns == [0, 1] * 3
    assert s.payoff() == [0, 0]


def chance_of_eight(s):
    """The probability that what is still to be drawn makes 8 money, by drawing everything."""
    if s.view.draw == 0:
        return float(dominion.money(s.view) >= 8)
    return sum(p * chance_of_eight(child(s, move)) for move, p in s.chance())


@pytest.mark.parametrize(
    ("deck", "discard"), [((4, 3, 2, 3), (2, 1, 0, 0)), ((1, 1, 0, 0), (3, 1, 2, 2)), ((1, 0, 1, 0), (1, 0, 0, 0))]
)
def test_the_covariate_of_dominion_follows_the_chance_of_money_for_a_province(deck, discard):
    """Also where the deck runs out while cards are drawn, and where there are too few."""
    s = hand(after("dominion(players=1)"), Council_Room=1, Silver=2)
    for kind in range(4):
        s.view.deck[kind], s.view.discard[kind] = deck[kind], discard[kind]
    s.play(card("Council Room") + 1)
    todo, nodes = [s], 0
    while todo:
        s = todo.pop()
        if s.actor == CHANCE:
            before = chance_of_eight(s)
            for move, _ in s.chance():
                assert ask(s, "covariate", move) == pytest.approx(chance_of_eight(child(s, move)) - before, abs=1e-12)
                todo.append(child(s, move))
                nodes += 1
    assert nodes > 3
    assert all(ask(after("dominion"), "covariate", move) == 0 for move in after("dominion").moves())


def test_the_default_policy_of_dominion_prefers_dear_cards_and_actions_that_give_another():
    s = hand(after("dominion"), Smithy=1, Market=1, Village=1, Moneylender=1)
    assert guided(s) == pytest.approx({card("Village") + 1: 3 / 8, card("Market") + 1: 5 / 8})
    s = hand(after("dominion"), Smithy=1, Moneylender=1)
    assert guided(s) == {card("Smithy") + 1: 1.0}
    s = hand(after("dominion"), Moneylender=1)
    assert guided(s) == {dominion.END: 1.0}
    s = hand(after("dominion"), Silver=2)
    s.view.phase = dominion.BUYING
    costs = {
        "Silver": 9,
        "Estate": 4,
        "Smithy": 16,
        "Village": 9,
        "Moat": 4,
        "Woodcutter": 9,
        "Workshop": 9,
        "Moneylender": 16,
    }
    assert guided(s) == pytest.approx({card(name) + 1: c / sum(costs.values()) for name, c in costs.items()})
    s = hand(after("dominion"), Silver=2, Smithy=1)
    s.view.phase = dominion.BUYING
    assert set(guided(s)) == {card(name) + 1 for name in ("Silver", "Estate", "Village")}


@pytest.mark.parametrize("game", ["dominion(players=1,turns=2,actions=2,victory=1)", "dominion(players=1,turns=1)"])
def test_dominion_alone_keeps_the_promises_of_every_game(game):
    report = check(fs.load(game), playouts=100, histories=3000)
    assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.parametrize(
    "game", ["einstein(size=3,stones=2)", "cant_stop(faces=2,shortest=1,win=2)", "dominion(turns=1,actions=1)"]
)
def test_different_positions_have_different_keys(game):
    met, todo = {}, [fs.load(game).start()]
    while todo and len(met) < 4000:
        s = todo.pop()
        if met.setdefault(s.key(PUBLIC), s.data.tobytes()) != s.data.tobytes():
            pytest.fail(f"two positions share a key: {s}")
        todo += [t for t in (child(s, move) for move in s.moves()) if t.key(PUBLIC) not in met]
    assert len(met) > 500
