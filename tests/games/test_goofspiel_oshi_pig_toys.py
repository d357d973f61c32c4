"""Goofspiel, Oshi-Zumo, random games, Pig and the small games of the literature: sizes, payoffs, who knows what."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from positions import after, child

import fogspiel as fs
from fogspiel import CHANCE, OVER, PUBLIC


def every_history(game):
    todo = [fs.load(game).start()]
    while todo:
        s = todo.pop()
        yield s
        if not s.over:
            todo += [child(s, move) for move in s.moves()]


def expected(s, plan):
    """Player 0's expected payoff where `plan(s)` gives the probability of each legal move at a decision."""
    if s.over:
        return s.payoff()[0]
    odds = s.chance() if s.actor == CHANCE else list(zip(s.moves(), plan(s), strict=True))
    return sum(p * expected(child(s, move), plan) for move, p in odds if p)


def told(s):
    """The best that player 0 of a one-player game can get if it sees everything."""
    if s.over:
        return s.payoff()[0]
    if s.actor == CHANCE:
        return sum(p * told(child(s, move)) for move, p in s.chance())
    return max(told(child(s, move)) for move in s.moves())


# Goofspiel


@pytest.mark.parametrize(
    ("cards", "histories", "infosets", "pairs"),
    [(4, 2229, 738, 924), (5, 55731, 9948, 12390), (6, 2006323, 166002, 205596)],
)
def test_goofspiel_with_hidden_bids_has_the_sizes_of_lanctot_2013(cards, histories, infosets, pairs):
    tree = fs.unroll(fs.load("goofspiel", cards=cards))
    assert (tree.size, tree.infosets, tree.pairs) == (histories, infosets, pairs)


def test_goofspiel_with_hidden_bids_has_the_information_sets_of_lisy_2014_in_every_round():
    tree = fs.unroll(fs.load("goofspiel(cards=6)"))
    holder = np.repeat(np.arange(len(tree.player)), tree.count)
    rounds = np.zeros(len(tree.player), int)
    for i, parent in enumerate(tree.parent):
        rounds[i] = 0 if parent < 0 else rounds[holder[parent]] + 1
    for player in range(2):
        assert np.bincount(rounds[tree.player == player]).tolist() == [1, 16, 208, 2088, 14928, 65760]


def test_with_open_bids_every_joint_history_of_goofspiel_is_an_information_set_of_both():
    tree = fs.unroll(fs.load("goofspiel(cards=4,bids=open)"))
    assert tree.size == 2229
    assert tree.infosets == 2 * (1 + 4**2 + 4**2 * 3**2 + 2 * 4**2 * 3**2 * 2)


def openspiel_goofspiel(cards, order, hidden, returns):
    pyspiel = pytest.importorskip("pyspiel")
    inner = f"goofspiel(imp_info={hidden},num_cards={cards},points_order={order},returns_type={returns},players=2)"
    return pyspiel.load_game(f"turn_based_simultaneous_game(game={inner})")


@pytest.mark.parametrize(("cards", "order"), [(4, "descending"), (4, "ascending"), (5, "descending"), (3, "random")])
def test_goofspiel_has_the_information_sets_of_openspiel_but_for_the_forced_last_cards(cards, order):
    theirs, todo = {}, [openspiel_goofspiel(cards, order, True, "win_loss").new_initial_state()]
    while todo:
        s = todo.pop()
        if s.is_terminal():
            continue
        if not s.is_chance_node():
            theirs[s.current_player(), s.information_state_string()] = len(s.legal_actions())
        todo += [s.child(a) for a in s.legal_actions()]
    ours = {}
    for s in every_history(f"goofspiel(cards={cards},order={order})"):
        if s.actor >= 0 and len(s.moves()) > 1:
            ours[s.actor, s.key(s.actor)] = len(s.moves())
    assert len(ours) == len(theirs)
    assert Counter(ours.values()) == Counter(theirs.values())


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize(("cards", "order"), [(4, "descending"), (4, "ascending"), (3, "random")])
@pytest.mark.parametrize(("payoff", "returns"), [("win_loss", "win_loss"), ("points", "point_difference")])
def test_goofspiel_plays_and_pays_as_in_openspiel(cards, order, hidden, payoff, returns):
    bids = "hidden" if hidden else "open"
    ours = fs.load("goofspiel", cards=cards, order=order, bids=bids, payoff=payoff).start()
    todo = [(ours, openspiel_goofspiel(cards, order, hidden, returns).new_initial_state())]
    ends = 0
    while todo:
        s, t = todo.pop()
        if t.is_terminal():  # OpenSpiel plays the last round by itself
            while not s.over:
                (move,) = s.moves()
                s.play(move)
            scale = 1 if payoff == "win_loss" else 2  # OpenSpiel's difference is to the mean of both players
            assert s.payoff() == [scale * x for x in t.returns()]
            ends += 1
            continue
        assert s.actor == t.current_player()
        assert s.moves() == t.legal_actions()
        todo += [(child(s, move), t.child(move)) for move in s.moves()]
    assert ends == {4: 24**2, 3: 6**3}[cards]


@pytest.mark.parametrize("bids", ["hidden", "open"])
def test_a_pending_bid_of_goofspiel_is_known_to_its_bidder_alone(bids):
    states = [after(f"goofspiel(cards=4,bids={bids})", 2, 1, card) for card in (0, 1, 3)]
    assert len({s.key(0) for s in states}) == 3
    assert len({s.key(1) for s in states}) == len({s.key(PUBLIC) for s in states}) == 1


def test_hidden_bids_of_goofspiel_tell_who_won_and_open_bids_tell_the_cards():
    hidden, open_ = ({pair: after(f"goofspiel(bids={bids})", *pair) for pair in itertools.product(range(4), repeat=2)}
                     for bids in ("hidden", "open"))  # fmt: skip
    assert len({s.key(PUBLIC) for s in hidden.values()}) == 3
    assert len({s.key(0) for s in hidden.values()}) == len({s.key(1) for s in hidden.values()}) == 3 * 4 - 2
    assert hidden[1, 2].key(0) == hidden[1, 3].key(0) != hidden[1, 0].key(0)
    for viewer in (PUBLIC, 0, 1):
        assert len({s.key(viewer) for s in open_.values()}) == 16


def test_the_lowest_card_of_goofspiel_may_be_worth_nothing():
    def take_all_but_the_first(lowest):
        return after(f"goofspiel(cards=3,lowest={lowest},payoff=points)", 0, 2, 1, 0, 2, 1).payoff()

    assert take_all_but_the_first(1) == [0, 0]
    assert take_all_but_the_first(0) == [-1, 1]


def test_resampling_goofspiel_draws_the_states_that_fit_the_results_equally_often():
    sets = {}
    for s in every_history("goofspiel(cards=4)"):
        if s.actor == 1 and s.view.round == 2:
            sets.setdefault(s.key(1), []).append(s)
    rng = np.array([2013], np.uint64)
    largest = max(sets.values(), key=len)
    for states in [largest, *list(sets.values())[::20]]:
        drawn = Counter()
        for _ in range(400 * len(states)):
            t = states[0].copy()
            t.resample(1, rng)
            drawn[t.data.tobytes()] += 1
        assert set(drawn) == {s.data.tobytes() for s in states}
        assert max(drawn.values()) < 500
        assert min(drawn.values()) > 300


# Oshi-Zumo


def test_oshi_zumo_has_the_histories_of_each_depth_that_lisy_2014_counts():
    level, totals = {(): (1, fs.load("oshi_zumo").start())}, []
    while level:
        totals.append(sum(n for n, _ in level.values()))
        below = {}
        for n, s in level.values():
            for mine in s.moves():
                pending = child(s, mine)
                for yours in pending.moves():
                    t = child(pending, yours)
                    if not t.over:
                        position = (*t.view.purse, t.view.wrestler)
                        below[position] = (below.get(position, (0,))[0] + n, t)
        level = below
    assert totals == [1, 99, 2016, 14784, 48546, 79926, 69938, 33538, 8351, 861]


@pytest.mark.parametrize(("coins", "size", "minimum"), [(10, 3, 1), (50, 3, 1), (17, 2, 5), (9, 1, 2), (6, 4, 6)])
def test_oshi_zumo_plays_and_pays_as_in_openspiel(coins, size, minimum):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"oshi_zumo(alesia=false,coins={coins},size={size},min_bid={minimum},horizon=100000)")
    ours = fs.load("oshi_zumo", coins=coins, size=size, minimum=minimum)
    rng = random.Random(2014)
    for _ in range(200):
        s, t = ours.start(), theirs.new_initial_state()
        while not s.over:
            bids = []
            for player in range(2):
                assert s.actor == player
                assert s.moves() == t.legal_actions(player)
                bids.append(rng.choice([*s.moves(), s.moves()[0]]))
                s.play(bids[-1])
            t.apply_actions(bids)
        assert t.is_terminal()
        assert s.payoff() == t.returns()


def test_bids_of_oshi_zumo_are_seen_once_both_are_made():
    assert after("oshi_zumo", 3).key(1) == after("oshi_zumo", 4).key(1)
    assert after("oshi_zumo", 3).key(0) != after("oshi_zumo", 4).key(0)
    assert len({after("oshi_zumo", a, b).key(p) for a in (3, 4) for b in (3, 4) for p in (0, 1)}) == 4


def test_a_minimum_bid_that_nobody_can_pay_is_refused():
    with pytest.raises(fs.SpecError, match="minimum bid"):
        fs.load("oshi_zumo(coins=3,minimum=4)")


# Random games


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


# Pig


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


# Small games


def test_the_equilibrium_of_the_nonlocality_game_leaves_nobody_a_better_move():
    root = fs.load("nonlocality").start()
    for mine, yours in itertools.product([(1, 0), (0, 1), (0.5, 0.5)], [(1, 0), (0, 1), (1 / 3, 2 / 3)]):
        value = expected(root, lambda s: (mine, yours)[s.actor])  # noqa: B023
        if mine == (0.5, 0.5) or yours == (1 / 3, 2 / 3):
            assert value == pytest.approx(1)
    assert expected(root, lambda s: ((1, 0), (0.5, 0.5))[s.actor]) == 5 / 4
    assert expected(root, lambda s: ((0, 1), (0.5, 0.5))[s.actor]) == 3 / 4
    assert expected(fs.load("nonlocality(leaf=5)").start(), lambda s: ((1, 0), (0, 1))[s.actor]) == 2.5


def test_each_player_of_the_nonlocality_game_has_one_information_set():
    assert {(s.actor, s.key(s.actor)) for s in every_history("nonlocality") if s.actor >= 0} == {
        (0, after("nonlocality", 0).key(0)),
        (1, after("nonlocality", 1, 0).key(1)),
    }


def test_the_absent_minded_driver_does_best_by_turning_once_in_three():
    root = fs.load("absent_minded_driver").start()
    assert root.key(0) == child(root, 0).key(0)
    values = [expected(root, lambda s: (1 - turn, turn)) for turn in (0, 1 / 3, 1)]  # noqa: B023
    assert values == pytest.approx([1, 4 / 3, 0])
    assert max(expected(root, lambda s: (1 - turn / 99, turn / 99)) for turn in range(100)) == pytest.approx(4 / 3)  # noqa: B023


def test_the_forgetful_player_gains_by_tossing_its_coin_once():
    root = fs.load("forgetful_player").start()
    assert len({s.key(1) for s in every_history("forgetful_player") if s.actor == 1}) == 2

    def value(call, first, second):
        return expected(root, lambda s: (call, first, second)[s.view.stage])

    sure = (1, 0), (0, 1)
    for call in sure:
        assert -sum(value(call, word, word) for word in sure) / 2 == 2
        assert -value(call, (0.5, 0.5), (0.5, 0.5)) == 1
    grid = [(x / 20, 1 - x / 20) for x in range(21)]
    assert max(min(-value(call, x, y) for call in sure) for x in grid for y in grid) == pytest.approx(1)


@pytest.mark.parametrize("xi", [0.25, 0.5])
def test_in_the_deadlock_game_player_0_could_gain_what_cfr_does_not_find(xi):
    root = fs.load("deadlock", xi=xi).start()

    def plan(first):
        def probabilities(s):
            if s.actor == 1:
                return (1, 0) if s.view.deal in (0, 3) else (0, 1)
            return (0, 1) if s.view.stage == 3 else first[s.view.deal // 2]

        return probabilities

    assert expected(root, plan([(1, 0), (1, 0)])) == 0
    assert expected(root, plan([(1, 0), (0, 1)])) == (1 - xi) / 4
    assert len({s.key(0) for s in every_history("deadlock") if s.actor == 0}) == 3
    assert len({s.key(1) for s in every_history("deadlock") if s.actor == 1}) == 4


def test_the_hidden_coin_is_worth_less_than_it_seems():
    root = fs.load("hidden_coin").start()
    take, heads, tails = ((1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, 1), (0, 1))
    values = [expected(root, lambda s: plan[s.view.stage - 1]) for plan in (take, heads, tails)]  # noqa: B023
    assert values == [0.9, 0.5, 0.5]
    assert told(after("hidden_coin", 0, 1)) == told(after("hidden_coin", 1, 1)) == 1
    assert len({s.key(0) for s in every_history("hidden_coin") if s.actor == 0}) == 2


def test_the_strategy_fusion_game_rewards_the_sure_move():
    root = fs.load("strategy_fusion").start()
    plans = ((0, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 0), (0, 1))
    values = [expected(root, lambda s: plan[s.view.first > 0]) for plan in plans]  # noqa: B023
    assert values == [0.5, 0, 0]
    assert told(root) == 1
    assert len({s.key(0) for s in every_history("strategy_fusion") if s.actor == 0}) == 2
    assert [after("strategy_fusion", world, 1, 3).moves() for world in range(2)] == [[0], [1]]


def test_replies_in_the_observed_moves_game_depend_on_the_world():
    assert [after("observed_moves", world, 1).moves() for world in range(3)] == [[1, 2], [2, 3], [1, 3]]
    assert [s.payoff()[0] for s in every_history("observed_moves") if s.over and s.view.first == 2] == [0.5] * 3
    for reply in (1, 2, 3):
        for last in (3, 4):
            ends = [
                s for s in every_history("observed_moves") if (s.view.reply, s.view.last) == (reply, last) and s.over
            ]
            assert len({s.payoff()[0] for s in ends}) == (2 if reply == 2 else 1)


def test_a1_is_worth_a_third_in_the_observed_moves_game():
    def value(guess, hide):
        def plan(s):
            if s.actor == 1:
                return {0: (1 - hide, hide), 1: (hide, 1 - hide), 2: (0.5, 0.5)}[s.view.world]
            if s.view.first == 0:
                return (1, 0)
            return {1: (1, 0), 2: (guess, 1 - guess), 3: (0, 1)}[s.view.reply]

        return expected(fs.load("observed_moves").start(), plan)

    assert [value(guess, 1) for guess in (0, 0.5, 1)] == pytest.approx([1 / 3] * 3)
    assert all(value(0.5, hide) >= 1 / 3 - 1e-9 for hide in (0, 0.5, 1))


def test_partially_observed_moves_hide_which_move_was_made():
    def keys(moves, player):
        game = f"observed_moves(moves={moves})"
        return len({s.key(player) for s in every_history(game) if s.actor == player})

    assert (keys("observable", 0), keys("partial", 0)) == (1 + 3, 1 + 1)
    assert (keys("observable", 1), keys("partial", 1)) == (3, 3)
    assert after("observed_moves", 0, 1, 1, 3).key(1) != after("observed_moves", 0, 1, 1, 4).key(1)
    assert after("observed_moves(moves=partial)", 0, 1, 1, 3).key(1) == after(
        "observed_moves(moves=partial)", 0, 1, 1, 4
    ).key(1)


def test_the_sure_reward_beats_the_coin():
    root = fs.load("coin_or_sure").start()
    assert [expected(root, lambda s: plan) for plan in ((1, 0), (0, 1))] == [0.6, 0.5]  # noqa: B023
