"""Bounded one-sided games by their pairs of information set and state, and how their strategies fare in the endless
game."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.app import cli
from fogspiel.game.horizon import endless_states
from fogspiel.solvers.posg.endless import _partitions
from fogspiel.solvers.posg.one_sided import solve_pairs
from fogspiel.solvers.posg.pairs import pairs_of
from fogspiel.solvers.posg.period import period
from fogspiel.tree.endless import one_sided_of

PATCHING = Path(__file__).parent.parent.parent / "examples" / "patching.py"
SQUARE = "blind_pursuit(width=2,height=2,pursuers=1,wait=no,discount=0.9)"
GAMES = [
    "blind_pursuit(wait=no,horizon=v)",
    "patrolling(loss=0,horizon=rn)",
    "search_game(width=1,horizon=rn)",
    str(PATCHING),
]


@pytest.mark.parametrize("game", GAMES)
def test_the_small_program_finds_what_the_sequence_form_finds(game):
    small, whole = fs.solve(game, "lp-one-sided"), fs.solve(game, "lp")
    assert small.value == pytest.approx(whole.value, abs=1e-6)
    assert small.nash_conv == pytest.approx(0, abs=1e-6)
    assert fs.nash_conv(game, small.strategy) == pytest.approx(0, abs=1e-5)


def test_it_does_so_whoever_sees_everything(tmp_path):
    """The same game with the seats exchanged: player 1 is the intruder."""
    text = PATCHING.read_text().replace("INTRUDER, ADMINISTRATOR = 0, 1", "INTRUDER, ADMINISTRATOR = 1, 0")
    text = text.replace(
        "return INTRUDER if s.pending == NONE else ADMINISTRATOR", "return 0 if s.pending == NONE else 1"
    )
    text = text.replace(
        "s.attacked[s.round], s.cleaned[s.round] = s.pending, move",
        "s.attacked[s.round], s.cleaned[s.round] = move, s.pending",
    )
    text = text.replace("mix(mix(s.seen[INTRUDER], s.pending), move)", "mix(mix(s.seen[INTRUDER], move), s.pending)")
    text = text.replace("mix(s.seen[ADMINISTRATOR], move)", "mix(s.seen[ADMINISTRATOR], s.pending)")
    text = text.replace(
        "pending = 2 + s.pending if player == INTRUDER else 1",
        "pending = 2 + s.pending if player == ADMINISTRATOR else 1",
    )
    text = text.replace("    if s.pending != NONE:\n        s.pending = pick(rng, s.machines)\n", "")
    text = text.replace("def resample", "def unused_resample").replace(
        "((0, most), (-most, 0))", "((-most, 0), (0, most))"
    )
    (tmp_path / "exchanged.py").write_text(text)
    game = fs.load(tmp_path / "exchanged.py", machines=3, horizon="rn")
    found = fs.solve(game, "lp-one-sided")
    assert found.value[1] == pytest.approx(
        fs.solve(fs.load(PATCHING, machines=3, horizon="rn"), "lp").value[0], abs=1e-6
    )
    assert fs.nash_conv(game, found.strategy) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("game", GAMES[:2])
def test_the_best_response_to_a_strategy_is_that_of_the_tree(game):
    strategy = fs.solve(game, "cfr", iterations=5).strategy
    pairs = pairs_of(fs.load(game))
    response = pairs.response(pairs.behaviour(strategy)) @ pairs.nodes.start
    assert response == pytest.approx(fs.best_response(game, strategy, 0)[0])


def test_on_four_cells_every_rule_beyond_the_horizon_is_optimal():
    """Uniform play is optimal, and V = c (-100 + V) / 2."""
    for beyond in ("uniform", "stationary", "resolved"):
        found = fs.endless_value(SQUARE, beyond=beyond)
        assert found.response == pytest.approx(-45 / 0.55, abs=1e-5)
        assert (found.lower, found.upper) == pytest.approx((-45 / 0.55, -45 / 0.55), abs=1e-5)
        assert found.loss == pytest.approx((0, 0), abs=1e-5)


def test_pursuers_who_solve_the_game_again_come_near_what_heuristic_search_finds():
    """The value is -83.49, and no rule gets the evader less than the lower bound."""
    spec = "blind_pursuit(wait=no,rounds=2,discount=0.95)"
    low, high = fs.solve(spec, "hsvi", until="nash_conv=1").bounds
    assert low < -83.49 < high
    for kind, gets in [("v", (-58.274, -68.829, -77.053)), ("rn", (-59.641, -62.209, -71.925))]:
        game = fs.load(spec, horizon=kind, horizon_discount=0.95)
        for beyond, response in zip(("uniform", "stationary", "resolved"), gets, strict=True):
            found = fs.endless_value(game, beyond=beyond, bounds=(low, high))
            assert found.response == pytest.approx(response, abs=0.01)
            assert found.response > low
            assert found.loss == pytest.approx((found.response - high, found.response - low))


def test_the_best_response_to_a_strategy_bounds_the_value():
    game = fs.load("blind_pursuit(wait=no,rounds=2,discount=0.95)", horizon="v", horizon_discount=0.95)
    found = fs.endless_value(game, beyond="resolved", bounds=(-90, 0))
    assert (found.lower, found.upper) == (-90, found.response)
    assert found.loss == pytest.approx((0, found.response + 90))


def test_a_strategy_of_the_bounded_game_is_measured_in_the_endless_one():
    game = fs.load("blind_pursuit(wait=no,rounds=2,discount=0.95)", horizon="v", horizon_discount=0.95)
    strategy = fs.solve(game, "lp-one-sided").strategy
    found = fs.endless_value(game)
    assert found.lower < -83.49 < found.response
    assert fs.endless_value(game, strategy).response == pytest.approx(found.response, abs=1e-6)
    tight = fs.endless_value(game, strategy, seconds=1)
    assert tight.lower < -83.48 < tight.upper
    assert found.lower <= tight.lower
    assert tight.upper <= found.upper


def test_a_search_that_ctrl_c_ends_never_makes_the_bounds_wider(monkeypatch, capsys):
    def stopped_at_once(*arguments, **options):
        raised = []
        return fs.solve(
            *arguments, **options, callback=lambda _: raised or raised.append(signal.raise_signal(signal.SIGINT))
        )

    wide = fs.endless_value(SQUARE)
    monkeypatch.setattr("fogspiel.solvers.posg.endless.solve", stopped_at_once)
    found = fs.endless_value(SQUARE, seconds=60)
    assert found.interrupted
    assert not wide.interrupted
    assert wide.lower <= found.lower <= found.upper <= wide.upper
    monkeypatch.setattr(sys, "argv", ["fogspiel", "endless", SQUARE, "--seconds", "60"])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 130
    assert "interrupted; the value is bounded by what was found so far" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "told"),
    [(("--seconds", "0"), "seconds must be a number above 0"), (("--rounds", ""), "--rounds takes whole numbers")],
)
def test_no_seconds_and_no_rounds_are_refused(option, told, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["fogspiel", "endless", SQUARE, *option])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


def test_a_period_from_the_start_is_the_bounded_game():
    """`resolved` plays bounded games that are made of states without rules."""
    game = fs.load("patrolling(loss=0,discount=0.9)")
    states = endless_states(game)
    start = next(m for m in _partitions(states, 1) if 0 in m)[:1]
    bounded = period(states, 1, start, np.zeros(1), 4, 0.9)
    behaviour = solve_pairs(bounded)[0]
    assert bounded.response(behaviour)[0] == pytest.approx(fs.solve(game, "lp").value[0])


def test_a_one_sided_posg_is_made_of_the_rules():
    posg = one_sided_of(SQUARE)
    assert (len(posg.states), len(posg.legal1), posg.seat, posg.discount) == (5, 5, 1, 0.9)
    assert posg.reward.max() == pytest.approx(90)
    # both move uniformly: from the start, half of all joint moves are captures
    here = posg.joint[:, 0] == posg.states.index("0 3")
    assert posg.reward[here].mean() == pytest.approx(45)
    posg = one_sided_of(PATCHING)
    assert posg.states == ("00", "01", "10", "over")
    assert posg.partition.tolist() == [0, 0, 0, 1]
    assert posg.reward.min() == pytest.approx(-0.9)


def test_what_is_not_one_sided_or_not_discounted_is_refused():
    for make in (one_sided_of, fs.endless_value):
        with pytest.raises(fs.Unsuitable, match="its discount must be below 1, not 1"):
            make("blind_pursuit(rounds=1)")
        with pytest.raises(fs.Unsuitable, match="needs a game without an end .rule markov.; kuhn has one"):
            make("kuhn")
    with pytest.raises(fs.Unsuitable, match="needs a game without an end .rule markov.; kuhn has one"):
        fs.solve("kuhn", "lp-one-sided")


def test_a_horizon_that_is_too_far_is_refused(monkeypatch):
    monkeypatch.setattr("fogspiel.game.markov.MOST_BYTES", 1 << 22)
    with pytest.raises(
        fs.TooLarge, match="too many pairs of an information set and a state.*: try fewer rounds, or hsvi"
    ):
        fs.solve("blind_pursuit(rounds=30)", "lp-one-sided")


def test_bounds_that_are_given_are_two_numbers_in_order():
    for bounds in ((3,), (5, -5), (1, 2, 3)):
        with pytest.raises(fs.SpecError, match="bounds must be two numbers, the lower one first, not"):
            fs.endless_value(SQUARE, bounds=bounds)


def test_uniform_play_beyond_the_horizon_is_worth_what_random_play_is():
    game = fs.load("patrolling(loss=0,discount=0.9,horizon=rn)")
    assert fs.endless_value(game).response == pytest.approx(fs.solve(game, "lp").value[0], abs=1e-5)


def test_heuristic_search_closes_in_on_values_that_are_known():
    """On four cells the pursuer loses nothing by what it does not see; from five rounds on, patrolling is solved by its
    horizons."""
    for game, value in [(SQUARE, -45 / 0.55), ("patrolling(attack=3,loss=0,discount=0.9)", 25.673517)]:
        low, high = fs.solve(game, "hsvi", until="nash_conv=0.01").bounds
        assert low - 1e-3 <= value <= high + 1e-3
        assert high - low <= 0.01
