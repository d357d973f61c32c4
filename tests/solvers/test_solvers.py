"""Every solver in the registry, through the public interface."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine import notice
from fogspiel.game.matrix_game import matrix_value
from fogspiel.solvers import drive, suit
from fogspiel.solvers.cfr import variants as cfr
from fogspiel.solvers.cfr.learners import LEARNERS
from fogspiel.solvers.cfr.schedules import factors
from fogspiel.solvers.cfr.variants import CFR, VARIANTS
from fogspiel.solvers.exact.lp import complete
from fogspiel.solvers.iterative.egt import ExcessiveGap
from fogspiel.solvers.registry import SOLVERS, read_solver

KNOWN = {"kuhn": -1 / 18, "leduc": -0.0856064240780, "goofspiel(cards=4)": 0.0, "bluff(faces=3)": 1 / 9}
FAMILY = [name for name, entry in SOLVERS.items() if entry.form and not entry.exact]
BOUND = {
    "cfr": 0.05,
    "linear-cfr": 0.05,
    "fp": 0.05,
    "xfp": 0.12,
    "egt": 0.02,
    "cfr(learner=hedge)": 0.12,
    "cfr(learner=rwm)": 0.12,
    "cfr(updates=simultaneous)": 0.1,
    "cfr+(updates=simultaneous)": 0.02,
}
"""Exploitability after 2000 iterations, for those that take their time; the others get below 0.004."""
pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("game", KNOWN)
@pytest.mark.parametrize(
    "algorithm",
    [
        *FAMILY,
        *(f"cfr(learner={learner})" for learner in LEARNERS if learner != "rm"),
        "cfr(updates=simultaneous)",
        "cfr+(updates=simultaneous)",
    ],
)
def test_every_iterative_solver_approaches_the_known_value(algorithm, game):
    if algorithm == "fp" and game != "kuhn":
        with pytest.raises(fs.TooLarge):
            fs.solve(game, algorithm, iterations=1)
        return
    result = fs.solve(game, algorithm, iterations=2000)
    assert result.nash_conv < BOUND.get(algorithm, 0.05 if algorithm.startswith("cfr(") else 0.004)
    # a profile's value cannot be further from the game's than its exploitability
    assert abs(result.value[0] - KNOWN[game]) <= result.nash_conv + 1e-12
    assert result.curve[-1].nash_conv < result.curve[0].nash_conv


@pytest.mark.parametrize(
    "game",
    [("kuhn", "kuhn_poker"), ("leduc(see_suits=yes)", "leduc_poker"), ("kuhn(players=3)", "kuhn_poker(players=3)")],
)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_cfr_and_cfr_plus_follow_openspiel_iteration_by_iteration(algorithm, game):
    ours, theirs = game[0], pyspiel.load_game(game[1])
    solver = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[algorithm](theirs)
    done = 0
    for n in (1, 2, 5, 20):
        for _ in range(n - done):
            solver.evaluate_and_update_policy()
        done = n
        expected = pyspiel.nash_conv(theirs, solver.average_policy())
        assert fs.solve(ours, algorithm, iterations=n).nash_conv == pytest.approx(expected, abs=1e-9)


def test_better_variants_need_fewer_iterations_on_leduc():
    found = {name: fs.solve("leduc", name, iterations=1000).nash_conv for name in ("cfr", "cfr+", "dcfr", "pcfr+")}
    assert found["dcfr"] < found["cfr+"] < found["cfr"] / 10
    # on goofspiel prediction pays, on poker it does not (Farina et al. 2021)
    predicted, plain = (fs.solve("goofspiel(cards=4)", name, iterations=500).nash_conv for name in ("pcfr+", "cfr+"))
    assert predicted < plain / 10


def test_discounted_cfr_contains_the_other_variants():
    plain = fs.solve("leduc", "cfr", iterations=50)
    assert fs.solve("leduc", "dcfr(alpha=inf,beta=inf,gamma=0)", iterations=50).strategy.prob == pytest.approx(
        plain.strategy.prob
    )
    plus = fs.solve("leduc", "cfr+", iterations=50)
    assert fs.solve("leduc", "dcfr(alpha=inf,beta=-inf,gamma=1)", iterations=50).strategy.prob == pytest.approx(
        plus.strategy.prob
    )
    linear = fs.solve("leduc", "linear-cfr", iterations=50)
    assert fs.solve("leduc", "dcfr(alpha=1,beta=1,gamma=1)", iterations=50).strategy.prob == pytest.approx(
        linear.strategy.prob
    )


def test_hyperparameter_schedules_are_those_of_the_paper():
    # Zhang et al. 2024: alpha 1 + 3t/n, beta -1 - 2t/n, gamma 30 - 5t/n
    _, _, values = read_solver("hs-dcfr(horizon=1200)")
    schedule = VARIANTS["hs-dcfr"].parts(values)["schedule"]
    for t in (1.0, 600.0, 1199.0):
        after = np.array([t + 1])
        alpha, beta, gamma = 1 + 3 * t / 1200, -1 - 2 * t / 1200, 30 - 5 * t / 1200
        found = factors(schedule, after)
        assert found["positive"] == pytest.approx(t**alpha / (t**alpha + 1))
        assert found["negative"] == pytest.approx(t**beta / (t**beta + 1))
        assert found["decay"] == pytest.approx((t / (t + 1)) ** gamma)


def test_the_schedule_runs_over_the_iterations_asked_for():
    asked = fs.solve("kuhn", "hs-pcfr+", iterations=70)
    assert asked.algorithm == "hs-pcfr+(horizon=70)"
    assert asked.strategy.prob == pytest.approx(fs.solve("kuhn", "hs-pcfr+(horizon=70)", iterations=70).strategy.prob)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel(cards=4)"])
def test_the_regret_of_vanilla_cfr_stays_below_its_bound(game):
    # Lanctot 2013, Theorem 1, and the folk theorem: exploitability is at most the sum of both average regrets
    form = fs.sequence_form(fs.unroll(game))
    low, high = form.tree.utility
    for t in (10, 100, 1000):
        solver = CFR(form, VARIANTS["cfr"], read_solver("cfr(updates=simultaneous)")[2])
        solver.advance(t)
        sets = np.diff(form.sets)
        bound = sum((high - low) * n * math.sqrt(form.count.max()) / math.sqrt(t) for n in sets)
        measured = fs.solve(form, "cfr(updates=simultaneous)", iterations=t).nash_conv
        positive = np.maximum(solver.regret, 0)
        immediate = sum(positive[f : f + n].max() for f, n in zip(form.first, form.count, strict=True)) / t
        assert measured <= immediate + 1e-9
        assert immediate <= bound


def test_three_player_kuhn_reaches_a_small_nash_conv():
    result = fs.solve("kuhn(players=3)", "cfr+", iterations=3000)
    assert len(result.value) == 3
    assert sum(result.value) == pytest.approx(0, abs=1e-12)
    assert result.nash_conv < 1e-4


def test_general_sum_games_are_solved_too():
    dilemma = fs.solve("matrix(game=prisoners_dilemma)", "cfr", iterations=2000)
    assert dilemma.value == pytest.approx((-5, -5), abs=0.02)
    assert dilemma.nash_conv < 0.02


def test_one_player_games_are_solved_too():
    assert fs.solve("hidden_coin", "cfr", iterations=2000).value[0] == pytest.approx(0.9, abs=1e-3)
    assert fs.solve("strategy_fusion", "cfr+", iterations=500).value[0] == pytest.approx(0.5, abs=1e-3)


def test_normal_and_sequence_form_programs_agree():
    for game in ("kuhn", "nonlocality", "matrix(payoffs=[[3,-1,2],[0,1,-2]])", "bluff(faces=2)"):
        assert fs.solve(game, "lp-normal").value == pytest.approx(fs.solve(game, "lp").value, abs=1e-9)


def test_compiled_matrix_games_agree_with_the_linear_program():
    rng = np.random.default_rng(7)
    for _ in range(200):
        shape = rng.integers(1, 9, 2)
        payoff = rng.integers(-3, 4, shape).astype(float) if rng.random() < 0.5 else rng.normal(size=shape)
        value, row, column = matrix_value(payoff)
        assert row.sum() == pytest.approx(1)
        assert column.sum() == pytest.approx(1)
        # each side guarantees the value, so it is the value
        assert (row @ payoff).min() == pytest.approx(value, abs=1e-9)
        assert (payoff @ column).max() == pytest.approx(value, abs=1e-9)


def test_play_off_the_path_of_a_program_is_a_best_response():
    for game in ("leduc", "small_poker"):
        form = fs.sequence_form(fs.unroll(game))
        exact = fs.solve(form, "lp").strategy.on(form)
        plan = form.plan(exact)
        # the same equilibrium, uniform where the plan never goes
        uniform_off = form.behaviour(plan)
        off = np.flatnonzero(plan[form.parent] <= 0)
        assert len(off) > 0
        trembling = form.plan(0.95 * exact + 0.05 * form.uniform())
        for p in range(2):
            mine = slice(form.begin[p], form.begin[p + 1])
            worth = []
            for behaviour in (exact, uniform_off):
                # the player trembles into its own unreached sets, then follows the behaviour there
                mixed = trembling.copy()
                trembled = form.plan(
                    np.where(
                        np.isin(np.arange(form.sequences), _inside(form, off)),
                        behaviour,
                        0.9 * exact + 0.1 * form.uniform(),
                    )
                )
                mixed[mine] = trembled[mine]
                worth.append(form.values(mixed)[p])
            assert worth[0] > worth[1]


def _inside(form, sets):
    return np.concatenate([np.arange(form.first[i], form.first[i] + form.count[i]) for i in sets])


def test_completing_a_plan_leaves_its_value_alone():
    form = fs.sequence_form(fs.unroll("leduc"))
    plan = form.plan(fs.solve(form, "lp").strategy.on(form))
    assert form.plan(complete(form, plan)) == pytest.approx(plan, abs=1e-12)


@pytest.mark.parametrize("aggressive", [0, 1])
def test_the_excessive_gap_condition_holds_throughout(aggressive):
    form = fs.sequence_form(fs.unroll("leduc"))
    solver = ExcessiveGap(form, {"aggressive": aggressive})
    depth = np.log(form.count.max()) * solver.weight.sum()
    for _ in range(60):
        before = solver.mu.copy()
        solver.advance(5)
        assert solver.excess(solver.pair, solver.mu) >= -1e-9
        assert (solver.mu <= before).all()
        gap = sum(form.best_response(solver.pair, p)[0] for p in range(2))
        assert gap <= solver.mu.sum() * depth


def test_the_excessive_gap_technique_shrinks_the_gap_like_one_over_t():
    curve = fs.solve("leduc", "egt(aggressive=0)", iterations=4000).curve
    early, late = next(p for p in curve if p.iterations >= 400), curve[-1]
    assert late.nash_conv < 0.2 * early.nash_conv


def test_solvers_are_deterministic():
    for algorithm in FAMILY:
        once, again = (fs.solve("kuhn", algorithm, iterations=40) for _ in range(2))
        assert np.array_equal(once.strategy.prob, again.strategy.prob)


def test_a_solver_stops_at_the_exploitability_asked_for():
    result = fs.solve("leduc", "cfr+", until="nash_conv=0.01")
    assert result.stopped == "nash_conv"
    assert result.nash_conv <= 0.01
    assert all(p.nash_conv > 0.01 for p in result.curve[:-1])


def test_the_measure_of_a_limit_is_named_and_exploitability_is_a_players_share():
    by_sum, by_share = (
        fs.solve("kuhn(players=3)", "cfr", until=until, every=1) for until in ("nash_conv=0.3", "exploitability = 1e-1")
    )
    assert (by_sum.stopped, by_share.stopped) == ("nash_conv", "exploitability")
    assert by_sum.iterations == by_share.iterations
    assert by_sum.nash_conv <= 0.3 < by_sum.curve[-2].nash_conv
    for found in (by_sum, fs.measure("kuhn(players=3)", by_sum)):
        assert found.exploitability == pytest.approx(found.nash_conv / 3)
    assert fs.exploitability("kuhn(players=3)", by_sum) == pytest.approx(by_sum.nash_conv / 3)
    for alone in (0.01, "0.01", 1, "gap=1", "nash_conv", b"nash_conv=1"):
        with pytest.raises(fs.SpecError, match="until must name its measure, nash_conv=X .* or exploitability=X"):
            fs.solve("kuhn", until=alone)


def test_the_time_allowed_is_kept_where_measuring_takes_most_of_it(monkeypatch):
    """By a clock for which it takes 0.3 s to unroll, 1 microsecond to iterate, and 5 milliseconds to measure; and a
    minute to compile what measures, which does not count."""
    now, compiled, longest, unrolled = 0.0, 0.0, 0, suit.form_of

    def form_of(*given, **options):
        nonlocal now
        now += 0.3
        return unrolled(*given, **options)

    def advance(solver, iterations):
        nonlocal now, longest
        now, longest = now + 1e-6 * iterations, max(longest, iterations)
        solver.iterations += iterations

    def measure(solver):
        nonlocal now, compiled
        if not solver.iterations > 1:
            with notice.compiling("fogspiel-solve-measure", 1):
                now, compiled = now + 60.0, compiled + 60.0
        now += 5e-3
        return 1.0

    monkeypatch.setattr(notice, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(suit, "form_of", form_of)
    monkeypatch.setattr(CFR, "advance", advance)
    monkeypatch.setattr(CFR, "measure", measure)
    for seconds in (0.5, 1.0, 5.0):
        began, compiled, longest = now, 0.0, 0
        found = fs.solve("kuhn", "cfr+", seconds=seconds)
        assert compiled == 60.0
        assert now - began - compiled <= seconds + 2 * 5e-3
        assert len(found.curve) > 3
        assert found.elapsed <= seconds + 2 * 5e-3
        assert longest <= drive.SLICE * 1e6


def test_iterations_in_one_go_or_in_batches_are_the_same(monkeypatch):
    forms = fs.sequence_form(fs.unroll("kuhn"))
    whole, parts = (CFR(forms, VARIANTS["cfr"], read_solver("cfr(average=snapshot)")[2]) for _ in range(2))
    whole.advance(1000)
    monkeypatch.setattr(cfr, "BATCH", 7)
    parts.advance(1000)
    assert all(np.array_equal(getattr(whole, name), getattr(parts, name)) for name in whole.arrays)


def test_a_callback_sees_every_point_and_can_stop():
    seen = []
    result = fs.solve("kuhn", "cfr", iterations=10_000, callback=lambda p: seen.append(p) or p.iterations >= 50)
    assert result.stopped == "callback"
    assert tuple(seen) == result.curve
    assert 50 <= result.iterations < 10_000


def test_algorithms_say_what_they_are_not_made_for():
    for game, algorithm in [
        ("kuhn(players=3)", "lp"),
        ("kuhn(players=3)", "egt"),
        ("matrix(game=chicken)", "lp"),
        ("kuhn", "backward-induction"),
        ("kuhn", "value-iteration"),
        ("deadlock", "cfr+"),
        ("kuhn(players=3)", "fp"),
    ]:
        with pytest.raises(fs.Unsuitable):
            fs.solve(game, algorithm, **({} if SOLVERS[algorithm].exact else {"iterations": 2}))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("cfr(eta=0.3)", "cfr has no parameter eta; it is one of its learner: cfr(learner=hedge(eta=...))"),
        ("cfr(learner=hedge,degree=3)", "one of its learner: cfr(learner=lagrangian(degree=...))"),
        ("cfr(learner=hedge(degree=3))", "learner=hedge has no parameter degree"),
        ("cfr(snapshots=5)", "one of its average: cfr(average=snapshot(snapshots=...))"),
        ("vr-mccfr(rate=0.5)", "one of its baseline: vr-mccfr(baseline=learned(rate=...))"),
        ("mccfr(epsilon=0.5)", "one of its sampling: mccfr(sampling=outcome(epsilon=...))"),
    ],
)
def test_a_parameter_of_a_part_is_asked_for_within_it(spec, told):
    with pytest.raises(fs.SpecError, match=re.escape(told)):
        fs.solve("kuhn", spec)


def test_exact_solvers_take_no_limits():
    for limit in ({"iterations": 5}, {"seconds": 1}, {"until": "nash_conv=0.1"}):
        with pytest.raises(fs.SpecError, match="in one go"):
            fs.solve("kuhn", "lp", **limit)


def test_every_exact_solver_has_been_tried_above():
    assert {name for name, e in SOLVERS.items() if e.exact} == {
        "lp",
        "lp-normal",
        "lp-one-sided",  # in test_endless.py
        "do",  # in test_double_oracle.py
        "backward-induction",
        "do-alpha-beta",  # in test_do_alpha_beta.py
        "value-iteration",
    }


def test_a_misspelt_argument_of_solve_is_told_apart_from_a_parameter():
    with pytest.raises(fs.SpecError, match="solve has no argument iteration; did you mean iterations?"):
        fs.solve("kuhn", iteration=10)
    with pytest.raises(fs.SpecError, match="did you mean alpha?"):
        fs.solve("kuhn", "dcfr", alhpa=2)
    for said in ("spec string", "my_game.py", "`parameters`", "`Result`"):
        assert said in fs.solve.__doc__


@pytest.mark.parametrize("algorithm", ["lp", "do", "lp-normal", "cfr+"])
@pytest.mark.parametrize("game", ["kuhn", "matrix", "one_answer"])
def test_exploitability_is_never_below_zero(game, algorithm):
    result = fs.solve(game, algorithm, **({"iterations": 300} if algorithm == "cfr+" else {}))
    assert result.nash_conv >= 0
    assert min(point.nash_conv for point in result.curve) >= 0
    assert fs.nash_conv(game, result.strategy) >= 0
    assert fs.measure(game, result.strategy).nash_conv >= 0


def test_an_exploitability_that_rounding_puts_below_zero_is_zero(monkeypatch):
    form = fs.sequence_form(fs.unroll("kuhn"))
    monkeypatch.setattr(type(form), "best_response", lambda self, plan, player: (-1e-17, plan))
    strategy = fs.solve("kuhn", iterations=1).strategy
    assert fs.measure(form, strategy).nash_conv == fs.nash_conv(form, strategy) == 0.0
    assert fs.solve(form, iterations=1).nash_conv == 0.0


def test_no_exploitability_at_all_is_a_limit_only_beside_another():
    with pytest.raises(fs.SpecError, match="until nash_conv=0 alone may never end"):
        fs.solve("kuhn", until="nash_conv=0")
    assert fs.solve("kuhn", until="nash_conv=0", iterations=3).iterations == 3


def test_exploitability_is_measured_every_so_many_iterations_where_that_is_asked():
    found = fs.solve("kuhn", "cfr", iterations=25, every=10)
    assert [point.iterations for point in found.curve] == [1, 11, 21, 25]
