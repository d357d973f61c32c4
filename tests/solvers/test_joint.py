"""Three players, general sums: what values mean there, and how far average joint play is from a coarse correlated
equilibrium."""

import itertools

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app

THREE = """
import numpy as np
from fogspiel.game import OVER, PUBLIC, About

State = np.dtype([("choice", "i1", 3), ("chosen", "i1")], align=True)

def about():
    return About(players=3, zero_sum=False, utility=(-10, 10))

def start(s):
    s.chosen = 0

def actor(s):
    return OVER if s.chosen == 3 else s.chosen

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def play(s, move):
    s.choice[s.chosen] = move
    s.chosen += 1

def payoff(s, out):
    a, b, c = s.choice[0], s.choice[1], s.choice[2]
    out[0] = 3.0 * (a ^ b) - 2.0 * (a & c)
    out[1] = 4.0 * (b ^ c) - 1.0 * a
    out[2] = 5.0 * (1 - (a ^ c)) - 3.0 * (b & c)

def infoset(s, player):
    return 0 if player == PUBLIC else player + 1
"""


def three_payoffs():
    shape = (2, 2, 2)
    out = np.zeros((3, *shape))
    for a, b, c in np.ndindex(shape):
        out[:, a, b, c] = 3 * (a ^ b) - 2 * (a & c), 4 * (b ^ c) - a, 5 * (1 - (a ^ c)) - 3 * (b & c)
    return out


def two_payoffs(rng):
    return rng.integers(-5, 6, (2, 3, 4)).astype(float)


def against(payoffs, mixes, player):
    """What each pure strategy of the player gets against the others' mixes."""
    worth = payoffs[player]
    for q in reversed(range(len(mixes))):
        if q != player:
            worth = np.moveaxis(worth, q, -1) @ mixes[q]
    return worth


def learned(payoffs, iterations, *, plus, together):
    """Regret matching, written out: the average joint distribution over pure profiles, each iteration with its
    weight."""
    counts = payoffs.shape[1:]
    regret, mixes = [np.zeros(n) for n in counts], [np.full(n, 1 / n) for n in counts]
    joint, total = np.zeros(counts), 0.0
    for t in range(1, iterations + 1):
        weight = t if plus else 1
        profile = mixes[0]
        for mix in mixes[1:]:
            profile = np.multiply.outer(profile, mix)
        joint, total = joint + weight * profile, total + weight
        old = [mix.copy() for mix in mixes]
        for p in range(len(counts)):
            worth = against(payoffs, old if together else mixes, p)
            regret[p] += worth - worth @ mixes[p]
            if plus:
                regret[p] = np.maximum(regret[p], 0)
            positive = np.maximum(regret[p], 0)
            mixes[p] = positive / positive.sum() if positive.sum() > 0 else np.full(counts[p], 1 / counts[p])
    return joint / total


def gains(payoffs, joint):
    """For each player: its utility in a joint distribution, and what the best fixed strategy gets instead, by
    enumeration."""
    value = [(payoffs[p] * joint).sum() for p in range(len(payoffs))]
    best = []
    for p in range(len(payoffs)):
        others = joint.sum(axis=p)
        best.append(max((np.take(payoffs[p], a, axis=p) * others).sum() for a in range(joint.shape[p])))
    return value, best


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_the_gap_of_joint_play_is_that_of_the_distribution_written_out(algorithm, together, tmp_path):
    file = tmp_path / "three.py"
    file.write_text(THREE)
    second = two_payoffs(np.random.default_rng(2))
    games = {
        f"matrix(payoffs={second[0].tolist()},payoffs2={second[1].tolist()})": second,
        str(file): three_payoffs(),
    }
    updates = "simultaneous" if together else "alternating"
    for game, payoffs in games.items():
        for iterations in (1, 2, 7, 40):
            found = fs.solve(game, f"{algorithm}(updates={updates})", iterations=iterations)
            value, best = gains(payoffs, learned(payoffs, iterations, plus=algorithm == "cfr+", together=together))
            assert found.joint.value == pytest.approx(value, abs=1e-9)
            assert found.joint.best == pytest.approx(best, abs=1e-9)
            wanted = sum(max(b - v, 0) for b, v in zip(best, value, strict=True))
            assert found.cce_gap == pytest.approx(wanted, abs=1e-9)
            assert found.curve[-1].cce_gap == found.cce_gap


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
def test_average_joint_play_of_three_approaches_a_coarse_correlated_equilibrium(updates):
    """Zinkevich et al. 2007, Theorem 4: below (utility range) (sum over players of information sets) sqrt(actions) /
    sqrt(T)."""
    curve = fs.solve("kuhn(players=3)", f"cfr(updates={updates})", iterations=3000).curve
    sets = 4 * 12
    for point in curve:
        assert 0 <= point.cce_gap <= 6 * sets * (2 / point.iterations) ** 0.5
    assert curve[-1].cce_gap < 0.01
    at = {p.iterations: p.cce_gap for p in curve}
    # ten times the iterations divide it by more than the square root of ten
    assert max(g for i, g in at.items() if i >= 1000) < max(g for i, g in at.items() if 10 <= i < 100) / 10


def test_joint_play_can_be_good_where_the_average_strategy_is_not():
    """A relative of Shapley's game (1964): regrets vanish, and yet average strategies come to no equilibrium."""
    game = "matrix(payoffs=[[0,0,1],[2,0,0],[0,1,0]],payoffs2=[[0,1,0],[0,0,1],[3,0,0]])"
    found = fs.solve(game, "cfr(updates=simultaneous)", iterations=10_000)
    assert 0 < found.cce_gap < 0.01
    assert found.nash_conv > 0.3
    assert fs.solve(game, "cfr+", iterations=1000).cce_gap == 0
    assert fs.measure(game, found.strategy).cce_gap == pytest.approx(found.nash_conv, abs=1e-12)


def test_a_run_that_is_resumed_keeps_its_joint_play(tmp_path):
    path = tmp_path / "run.fog"
    fs.solve("kuhn(players=3)", "dcfr", iterations=30, checkpoint=path)
    resumed = fs.solve("kuhn(players=3)", "dcfr", iterations=90, resume=path)
    straight = fs.solve("kuhn(players=3)", "dcfr", iterations=90)
    assert resumed.joint == straight.joint
    assert [p.cce_gap for p in resumed.curve][:1] == [p.cce_gap for p in straight.curve][:1]


def test_what_values_mean_is_said_where_a_game_has_none_of_its_own(tmp_path):
    constant = "matrix(payoffs=[[3,0],[0,3]],payoffs2=[[0,3],[3,0]])"
    for game in ("kuhn", "coin_or_sure", constant):
        found = fs.solve(game, iterations=10)
        assert (found.meaning, found.joint, found.cce_gap) == ("", None, None)
        assert {"meaning", "joint", "cce_gap"}.isdisjoint(found.as_dict())
        assert all("cce_gap" not in point for point in found.as_dict()["curve"])
        assert fs.measure(game, found.strategy).meaning == ""
    for game, kind in (
        ("kuhn(players=3)", "With 3 players"),
        ("matrix(game=stag_hunt)", "do not add up to a constant"),
    ):
        for algorithm in ("cfr+", "xfp", "es-mccfr"):
            found = fs.solve(game, algorithm, iterations=10)
            assert kind in found.meaning
            assert "promises no Nash equilibrium" in found.meaning
            assert found.as_dict()["meaning"] == found.meaning
            assert (found.cce_gap is None) == (algorithm != "cfr+")
        assert kind in fs.measure(game, found.strategy).meaning
        walked = fs.measure(game, found.strategy, method="vectors").meaning
        # of a game that is only walked, nothing is known but what it says of itself
        assert ("are not said to add up to zero" if "add up" in kind else kind) in walked
        assert "do not add up" not in walked


def test_the_commands_say_it_too(tmp_path):
    file = tmp_path / "three.fog"
    run = CliRunner().invoke
    solved = run(app, ["solve", "kuhn(players=3)", "-n", "100", "--save", str(file)])
    assert "its CCE gap" in solved.stdout
    for shown in (solved, run(app, ["evaluate", "kuhn(players=3)", str(file)])):
        assert "a game has no value of its own" in shown.stdout
    plain = run(app, ["solve", "kuhn", "-n", "100"]).stdout
    assert "CCE" not in plain
    assert "own" not in plain


@pytest.mark.parametrize("algorithm", ["os-mccfr", "es-mccfr"])
@pytest.mark.parametrize("game", ["kuhn(players=3)", "coin_or_sure", "strategy_fusion"])
def test_responses_are_learned_for_any_number_of_players(game, algorithm):
    form = fs.sequence_form(game)
    even = fs.Strategy.from_behaviour(form, form.uniform())
    exact = fs.measure(form, even)
    found = fs.bound(game, even, algorithm=algorithm, iterations=20_000, games=100_000)
    assert len(found.gain) == form.players
    for player in range(form.players):
        response = found.response[player]
        assert response.value == pytest.approx(exact.best[player], abs=3 * (response.high - response.value) + 1e-12)
    slack = 3 * (found.nash_conv.high - found.nash_conv.value) + 1e-12
    assert found.nash_conv.value == pytest.approx(exact.nash_conv, abs=slack)


def test_a_bound_is_too_high_no_oftener_than_it_says_where_all_want_the_same():
    """Both players' values are from the same games and rise and fall together, so that their sum spreads more than if
    they were apart."""
    spec = "matrix(payoffs=[[5,5],[5,-5]],payoffs2=[[5,5],[5,-5]])"
    form = fs.sequence_form(spec)
    even = fs.Strategy.from_behaviour(form, form.uniform())
    assert fs.nash_conv(form, even) == pytest.approx(5)
    found = [fs.bound(spec, even, iterations=50, games=400, seed=7919 * i).nash_conv for i in range(100)]
    above, below = sum(one.low > 5 for one in found), sum(one.high < 5 for one in found)
    assert max(above, below) <= stats.binom.ppf(0.999, len(found), 0.025)
    one = fs.bound(spec, even, iterations=50, games=400)
    lines = str(one).splitlines()
    assert lines[1].startswith(f"nash_conv at least {one.nash_conv.value:.5f} (95 % interval")
    assert lines[3].startswith(f"  player 1: value {one.value[1].value:+.5f}, response +5.00000, gain ")
    measured = str(fs.measure(form, even)).splitlines()
    assert measured[0] == f"{form.tree.game.spec}: nash_conv 5.000e+00"
    assert measured[2] == "  player 1: value +2.500000, best response +5.000000, gain +2.500000"
    assert "a game has no value of its own" in measured[3]
    # one response surely gets 5, and what both get together is 10 or, one time in four, -10
    wide = 1.96 * (75 / 400) ** 0.5
    assert np.mean([one.high - one.value for one in found]) == pytest.approx(wide, rel=0.05)


def test_restricted_responses_say_that_they_are_for_two():
    strategy = fs.solve("kuhn(players=3)", iterations=1).strategy
    for algorithm, call in itertools.product(("lp", "os-mccfr"), (fs.restricted_response, fs.trade_off)):
        with pytest.raises(fs.Unsuitable, match=r"needs two players; kuhn\(players=3\) has 3: try fogspiel bound"):
            call("kuhn(players=3)", strategy, 0, 0.5 if call is fs.restricted_response else [0.5], algorithm=algorithm)
