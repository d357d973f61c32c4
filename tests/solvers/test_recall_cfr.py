"""CFR in abstractions and in games whose players forget, against the printed algorithm and what is proved of it."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.game.spec import read_parameters
from fogspiel.solvers.cfr.averages import abstract_average
from fogspiel.solvers.cfr.variants import CFR, VARIANTS
from fogspiel.solvers.response.response import plan_nash_conv
from fogspiel.tree.payoffs import ranges


def solver(game, **parameters):
    form = fs.sequence_form(game)
    return CFR(form, VARIANTS["cfr"], read_parameters("cfr", VARIANTS["cfr"].parameters, parameters))


class Printed:
    """Lanctot 2013, Algorithm 1, history by history, with tables of the abstraction and averages of both kinds (sec.
    5.4).

    Strategies are fixed during a traversal. Regrets are kept for each information set of the full game as well.
    """

    def __init__(self, spec):
        self.game = fs.load(spec)
        zero = lambda: defaultdict(float)  # noqa: E731
        self.regret, self.refined, self.full, self.abstract = (defaultdict(zero) for _ in range(4))
        self.situation = {}

    def strategy(self, who, situation, moves):
        regret = self.regret[who, situation]
        total = sum(max(regret[m], 0.0) for m in moves)
        return {m: max(regret[m], 0.0) / total if total > 0 else 1 / len(moves) for m in moves}

    def iterate(self):
        for player in range(self.game.players):
            self.fixed, self.new = {}, []
            self.walk(self.game.start(), player, np.ones(self.game.players + 1), None)
            for table, where, move, value in self.new:
                table[where][move] += value

    def walk(self, state, player, reach, own):
        """The expected utility to the player. `own` is its last (information set, move): what it would remember."""
        who = state.actor
        if who == fs.OVER:
            return state.payoff()[player]
        if who == fs.CHANCE:
            return sum(p * self.step(state, m, player, reach, -1, p, own) for m, p in state.chance())
        moves, key, situation = state.moves(), state.key(who), (who, state.situation(who))
        here = (who, key, own) if who == player else None
        if situation not in self.fixed:
            self.fixed[situation] = self.strategy(*situation, moves)
        sigma = self.fixed[situation]
        value = {m: self.step(state, m, player, reach, who, sigma[m], (here, m) if here else own) for m in moves}
        expected = sum(sigma[m] * value[m] for m in moves)
        if who == player:
            self.situation[here] = situation
            others = np.prod(np.delete(reach, player))
            for m in moves:
                gain, share = others * (value[m] - expected), reach[player] * sigma[m]
                self.new += [(self.regret, situation, m, gain), (self.refined, here, m, gain)]
                self.new += [(self.full, here, m, share), (self.abstract, situation, m, share)]
        return expected

    def step(self, state, move, player, reach, who, probability, own):
        after, reach = state.copy(), reach.copy()
        after.force(move)
        reach[who] *= probability
        return self.walk(after, player, reach, own)


SMALL = [
    "bluff(faces=2,remember=1)",
    "bluff(dice1=2,faces=2,remember=2)",
    "die_roll_poker(faces=2,recall=sum,skew=0.3)",
    "deadlock",
    "kuhn",
]


def memory(tree, at):
    """What a player who forgets nothing knows at the tree's information set `at`, as `Printed` names it."""
    above = int(tree.parent[at])
    own = None
    if above >= 0:
        before = int(np.searchsorted(tree.first, above, "right")) - 1
        own = (memory(tree, before), int(tree.move[above]))
    return (int(tree.player[at]), int(tree.key[at]), own)


@pytest.mark.parametrize("spec", SMALL)
def test_iterates_are_those_of_the_printed_algorithm(spec):
    printed, mine = Printed(spec), solver(spec, average="abstract")
    form, tree = mine.form, mine.form.tree
    for _ in range(12):
        printed.iterate()
    mine.advance(12)
    full, pooled = form.behaviour(mine.average), form.behaviour(abstract_average(form, mine.average))
    added = defaultdict(float)
    for i, at in enumerate(form.origin.tolist()):
        name, moves = memory(tree, at), tree.move[tree.first[at] : tree.first[at] + tree.count[at]].tolist()
        situation, span = printed.situation[name], slice(form.first[i], form.first[i] + form.count[i])
        for mine_now, table, where in ((full, printed.full, name), (pooled, printed.abstract, situation)):
            sums = np.array([table[where][m] for m in moves])
            if sums.sum() > 0:
                np.testing.assert_allclose(mine_now[span], sums / sums.sum(), atol=1e-12)
        leader = slice(form.first[form.leader[i]], form.first[form.leader[i]] + form.count[i])
        np.testing.assert_allclose(mine.regret[leader], [printed.regret[situation][m] for m in moves], atol=1e-12)
        for sequence, m in enumerate(moves, leader.start):
            added[sequence] += printed.refined[name][m]
    # additivity, Lanctot 2013, (A.1): the regret of an abstract set is the sum of those of the sets that it joins
    np.testing.assert_allclose(mine.regret[list(added)], list(added.values()), atol=1e-12)


def regrets(mine, iterations):
    """Each player's average regret in the full game, from the profiles played; updates must be simultaneous."""
    form = mine.form
    values = np.zeros(form.players)
    for _ in range(iterations):
        values += form.values(mine.current)
        mine.advance(1)
    average = form.plan(form.behaviour(mine.average))
    best = [form.best_response(average, p)[0] for p in range(form.players)]
    return np.array(best) - values / iterations


@pytest.mark.parametrize("spec", ["die_roll_poker(faces=3,recall=sum)", "die_roll_poker(faces=3,recall=sum,skew=0.2)"])
def test_regret_in_the_full_game_is_within_the_published_bounds(spec):
    report = fs.well_formed(spec)
    low, high = fs.unroll(spec).utility
    for total in (1, 10, 100):
        mine = solver(spec, updates="simultaneous")
        found = regrets(mine, total)
        for p in range(2):
            # theorems 6 and 7
            assert found[p] <= report.regret_bound(p, high - low, 3, total)
        # the folk theorem, with equality since the game is zero-sum and the average is that of the full game
        assert found.sum() == pytest.approx(plan_nash_conv(mine.form, mine.plan()), abs=1e-12)


def plan_after(game, iterations):
    mine = solver(game)
    mine.advance(iterations)
    return mine.plan()


def test_die_roll_poker_plays_the_same_when_it_forgets_all_but_sums():
    # with k = ell = 1 joined sets have the same regrets in the full game too, so that nothing is lost (sec. 5.5)
    full, joined = (plan_after(f"die_roll_poker(faces=3,recall={recall})", 50) for recall in ("full", "sum"))
    np.testing.assert_allclose(full, joined, atol=1e-9)


def test_phantom_tic_tac_toe_plays_the_same_only_when_it_forgets_the_order_of_successive_failures():
    # sec. 5.5, from the position in which X has the centre, O has a corner, and both know: all of it can be walked
    plans = {}
    for abstraction in ("none", "fosf", "foi"):
        game = fs.load(f"phantom_tic_tac_toe(abstraction={abstraction})")
        state = game.start()
        for square in (4, 4, 0, 0):
            state.play(square)
        game.root[:] = state.data
        plans[abstraction] = plan_after(game, 50)
    np.testing.assert_allclose(plans["fosf"], plans["none"], atol=1e-9)
    assert np.abs(plans["foi"] - plans["none"]).max() > 0.05


def test_full_and_abstract_averages_are_alike_where_published():
    # Lanctot 2013, Fig. 5.3: identical in DRP-IR, different in the fourth decimal in Bluff(1,1) with four bids
    for spec, near in (("die_roll_poker(recall=sum)", 1e-9), ("bluff(remember=4)", 1e-3)):
        full, abstract = (fs.solve(spec, f"cfr(average={kind})", iterations=200) for kind in ("full", "abstract"))
        assert full.nash_conv == pytest.approx(abstract.nash_conv, abs=near)
        assert full.nash_conv < 0.1


def test_forgetting_more_bids_costs_more():
    # Lanctot 2013, Fig. 5.4, at the scale of one die each
    cost = [fs.solve(f"bluff(remember={r})", "cfr", iterations=600).nash_conv for r in (1, 2, 4, 8)]
    assert cost == sorted(cost, reverse=True)
    assert cost[0] > 10 * cost[-1]


def test_exploitability_is_that_of_the_full_game():
    result = fs.solve("bluff(faces=3,remember=1)", "cfr", iterations=50)
    assert result.nash_conv == pytest.approx(fs.nash_conv("bluff(faces=3)", result.strategy), abs=1e-12)
    assert result.nash_conv > fs.solve("bluff(faces=3)", "cfr", iterations=50).nash_conv


@pytest.mark.parametrize("xi", [0.25, 0.5, 0.75])
def test_cfr_is_stuck_in_the_deadlock_game(xi):
    # Lanctot 2013, sec. 5.3.1: the profile is fixed from the third iteration on, with regret (1 - xi) / 4
    mine = solver(f"deadlock(xi={xi})", updates="simultaneous", average="abstract")
    form, tree = mine.form, mine.form.tree
    played = []
    for _ in range(2000):
        played.append(mine.current.copy())
        mine.advance(1)
    assert all(np.array_equal(plan, played[2]) for plan in played[3:])
    stuck = form.behaviour(played[2])
    depth = [0 if tree.parent[at] < 0 else 1 for at in form.origin]
    for i, at in enumerate(form.origin):
        first, second = stuck[form.first[i]], stuck[form.first[i] + 1]
        if tree.player[at] == 0:
            assert (first, second) == ((1, 0) if depth[i] == 0 else (0.5, 0.5))
        else:
            assert {first, second} == {0, 1}
    mean, value = np.mean(played, axis=0), np.mean([form.values(plan)[0] for plan in played])
    best = -np.inf
    for choice in product((0, 1), repeat=3):
        # player 0's pure strategies: one word for both sets in which it has forgotten the deal
        sets = [i for i, at in enumerate(form.origin) if tree.player[at] == 0]
        heads = sorted({int(form.leader[i]) for i in sets})
        behaviour = form.behaviour(mean)
        for i in sets:
            behaviour[form.first[i] : form.first[i] + 2] = np.eye(2)[choice[heads.index(form.leader[i])]]
        own = slice(form.begin[0], form.begin[1])
        plan = mean.copy()
        plan[own] = form.plan(behaviour)[own]
        best = max(best, form.values(plan)[0])
    assert best - value == pytest.approx((1 - xi) / 4, abs=2 / 2000)
    # a player that remembers what it saw gains twice as much
    assert form.best_response(mean, 0)[0] - value == pytest.approx((1 - xi) / 2, abs=2 / 2000)


def test_snapshots_are_a_sample_of_the_profiles_played():
    spec = "bluff(faces=3,remember=1)"
    whole, parts = solver(spec, average="snapshot(snapshots=5)"), solver(spec, average="snapshot(snapshots=5)")
    other = solver(spec)
    played = []
    for _ in range(60):
        played.append(other.current.copy())
        other.advance(1)
    whole.advance(60)
    for count in (1, 0, 7, 30, 22):
        parts.advance(count)
    np.testing.assert_array_equal(whole.kept, parts.kept)
    when = [next(t for t, plan in enumerate(played) if np.array_equal(plan, kept)) for kept in whole.kept]
    assert len(set(when)) == 5
    np.testing.assert_allclose(whole.plan(), np.mean([played[t] for t in when], axis=0))


def test_a_snapshot_of_every_iteration_is_the_full_average():
    spec = "die_roll_poker(faces=2,recall=sum)"
    all_kept, full = solver(spec, average="snapshot(snapshots=100)"), solver(spec)
    for each in (all_kept, full):
        each.advance(40)
    np.testing.assert_allclose(all_kept.plan(), full.plan(), atol=1e-12)


def test_iterations_are_sampled_evenly():
    # each of 200 iterations is as likely to be kept: the mean of 64 kept ones is within 4 standard errors
    mine = solver("kuhn", average="snapshot(snapshots=64)")
    rank = np.random.Generator(np.random.PCG64(0)).random(200)
    mine.advance(200)
    assert sorted(mine.rank) == sorted(np.sort(rank)[:64])
    kept = np.flatnonzero(rank <= mine.rank.max())
    assert abs(kept.mean() - 99.5) < 4 * 200 / np.sqrt(12 * 64)


@pytest.mark.parametrize(
    ("game", "algorithm", "fragment"),
    [
        ("absent_minded_driver", "cfr(average=abstract)", "twice in one information set"),
        ("deadlock", "cfr", "cfr(average=full) needs perfect recall where information sets share a strategy"),
        ("deadlock", "cfr(average=snapshot)", "try average=abstract"),
        ("deadlock", "cfr+", "deadlock has players who forget: try cfr(average=abstract)"),
        (
            "bluff(faces=2,remember=1)",
            "cfr+",
            "cfr+ needs a game without an abstraction; bluff(faces=2,remember=1) has one",
        ),
        ("bluff(faces=2,remember=1)", "xfp", "try cfr"),
        ("bluff(faces=2,remember=1)", "lp", "try cfr"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_sentence(game, algorithm, fragment):
    with pytest.raises(fs.Unsuitable) as error:
        fs.solve(game, algorithm)
    assert fragment in str(error.value)


@pytest.mark.parametrize("kind", ["full", "abstract", "snapshot"])
def test_a_checkpoint_goes_on_bit_for_bit_and_only_in_its_abstraction(kind, tmp_path):
    path, algorithm = tmp_path / "run.fog", f"cfr(average={kind})"
    fs.solve("bluff(faces=2,remember=1)", algorithm, iterations=30, checkpoint=path)
    resumed = fs.solve("bluff(faces=2,remember=1)", algorithm, iterations=80, resume=path)
    straight = fs.solve("bluff(faces=2,remember=1)", algorithm, iterations=80)
    np.testing.assert_array_equal(resumed.strategy.prob, straight.strategy.prob)
    with pytest.raises(fs.FileError, match="not of bluff"):
        fs.solve("bluff(faces=2)", algorithm, iterations=80, resume=path)


def test_hedge_shares_regrets_too():
    mine = solver("die_roll_poker(faces=2,recall=sum)", learner="hedge")
    mine.advance(200)
    form = mine.form
    spans, heads = ranges(form.first, form.count), ranges(form.first[form.leader], form.count)
    np.testing.assert_array_equal(mine.strategy[spans], mine.strategy[heads])
    assert plan_nash_conv(form, mine.plan()) < 0.2
