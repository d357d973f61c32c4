"""Variance reduction leaves means alone and makes variances as small as the formulas of Lanctot 2013, ch. 7, say."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.roots import Roots
from fogspiel.game import CHANCE, OVER
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

GAMES = Path(__file__).parent / "chance_games.py"
SMALL = "pig(players=1,turns=2,dice=1,target=12)"
ROLL, STOP = 0, 1
EVENLY = 1e6
"""An exploration constant that makes UCB try all moves equally often."""


@cache
def load(spec, **parameters):
    return fs.load(spec, **parameters)


def estimates(game, seeds, simulations, *variates, nodes=4096, **how):
    """The values of the moves at the start, a row for each seed."""
    search = TreeSearch(game, parts(enhancements=variates, **how), nodes=nodes)
    rows = []
    for seed in seeds:
        search.restart(seed)
        search.simulate(Roots([game.start()]), 0, simulations)
        rows.append([m.value for m in search.moves(game.start(), 0)])
    return np.array(rows)


def guided(state):
    """The rule guide: moves and their probabilities."""
    prob = np.zeros(len(state.game.buffer()))
    moves = state._moves("guide", prob.ctypes.data)
    return list(zip(moves, prob.tolist(), strict=False))


def outcomes(state, policy, known):
    """All that can happen from a state: pairs of the payoff and the sum of covariates, with their probabilities."""
    who = state.actor
    if who == OVER:
        return {(state.payoff()[0], 0.0): 1.0}
    found = known.setdefault(state.data.tobytes(), {})
    if found:
        return found
    for move, p in state.chance() if who == CHANCE else policy(state):
        y = state._call("covariate", move) if who == CHANCE else 0.0
        after = state.copy()
        after.force(move)
        for (x, rest), q in outcomes(after, policy, known).items():
            key = (x, round(y + rest, 9))
            found[key] = found.get(key, 0.0) + p * q
    return found


@cache
def after_move(move, policy=guided):
    """What can happen in small Pig after a first move."""
    state = load(SMALL).start()
    state.play(move)
    return outcomes(state, policy, {})


def moments(found):
    """Means, variances and covariance of payoff and covariate."""
    x, y, p = np.array([(*pair, q) for pair, q in found.items()]).T
    ex, ey = p @ x, p @ y
    return ex, ey, p @ (x - ex) ** 2, p @ (y - ey) ** 2, p @ ((x - ex) * (y - ey))


@pytest.mark.parametrize("seed", range(3))
def test_the_control_variate_is_zero_on_average_under_any_policy(seed):
    def anyhow(state):
        moves = state.moves()
        weight = np.random.default_rng([seed, *state.data.view(np.uint8)]).random(len(moves))
        return list(zip(moves, weight / weight.sum(), strict=True))

    for move in (ROLL, STOP):
        _, mean, _, variance, _ = moments(after_move(move, anyhow))
        assert mean == pytest.approx(0, abs=1e-9)
        assert variance > 0.01


def test_sampled_moments_are_those_of_the_enumeration():
    # with room for the root alone a simulation is a move and a guided rollout
    game, n = load(SMALL), 400_000
    chosen = parts(enhancements=["control"], playout="guide", exploration=EVENLY)
    search = TreeSearch(game, chosen, nodes=1, seed=3)
    search.simulate(Roots([game.start()]), 0, n)
    place = search.memory.slots_of(0)
    for s in range(place.start, place.stop):
        slot = search.memory.slots[s]
        tries = slot.tries
        ex, _, vx, vy, cov = moments(after_move(int(slot.move)))
        assert tries == pytest.approx(n / 2, rel=1e-3)
        assert slot.variate == pytest.approx(0, abs=4 * (vy / tries) ** 0.5)
        assert slot.spread / tries == pytest.approx(vy, rel=0.02)
        assert slot.product / tries * search.span[0] == pytest.approx(cov, rel=0.02)
        value = search.span[0] * slot.total / tries
        assert value == pytest.approx(ex, abs=4 * ((vx - cov**2 / vy) / tries) ** 0.5)


@pytest.mark.parametrize(
    "variates", ["", "control", "common", "antithetic", "control common", "control common antithetic"]
)
def test_means_are_those_of_the_enumeration_whatever_is_done_about_chance(variates):
    game, own = load(SMALL), {"coefficient": 2.0, "online": 10**9} if "control" in variates else {}
    found = estimates(game, range(1500), 200, *variates.split(), nodes=1, playout="guide", exploration=EVENLY, **own)
    for move in (ROLL, STOP):
        exact = moments(after_move(move))[0]
        assert found[:, move].mean() == pytest.approx(exact, abs=4 * found[:, move].std() / 1500**0.5)


def test_the_variance_with_control_variates_is_that_of_the_formula():
    # (Var X - Cov[X, Y]^2 / Var Y) / n; the coefficient, being estimated, adds a term of order 1 / n^2
    game, n, seeds = load(SMALL), 400, 3000
    same = {"nodes": 1, "playout": "guide", "exploration": EVENLY}
    plain = estimates(game, range(seeds), 2 * n, **same)
    controlled = estimates(game, range(seeds), 2 * n, "control", **same)
    for move in (ROLL, STOP):
        _, _, vx, vy, cov = moments(after_move(move))
        assert cov < 0
        # a sample variance of s normal numbers has a standard error of sqrt(2 / s)
        assert plain[:, move].var() == pytest.approx(vx / n, rel=4 * (2 / seeds) ** 0.5)
        assert controlled[:, move].var() == pytest.approx((vx - cov**2 / vy) / n, rel=4 * (2 / seeds) ** 0.5)


def test_a_constant_coefficient_serves_until_there_are_enough_tries():
    # Var[X + cY] = Var X + c^2 Var Y + 2c Cov
    game, c, n, seeds = load(SMALL), 5.0, 20, 3000
    found = estimates(game, range(seeds), 2 * n, "control", nodes=1, playout="guide", exploration=EVENLY, coefficient=c)
    for move in (ROLL, STOP):
        _, _, vx, vy, cov = moments(after_move(move))
        assert found[:, move].var() == pytest.approx((vx + c * c * vy + 2 * c * cov) / n, rel=4 * (2 / seeds) ** 0.5)


def test_opposite_dice_give_the_mean_of_five_exactly():
    # Lanctot 2013, sec. 7.3: with the opposites, 22 and 18 become 17.5
    game = load(GAMES, what="dice")
    for simulations in (4, 40):
        found = estimates(game, range(20), simulations, "antithetic", exploration=EVENLY)
        assert found == pytest.approx(np.tile([17.5, 18.5], (20, 1)), abs=1e-9)
    assert estimates(game, range(20), 40, exploration=EVENLY).std() > 0.1


def test_under_common_chance_moves_differ_by_what_they_differ_in():
    game = load(GAMES, what="dice")
    found = estimates(game, range(20), 40, "common", exploration=EVENLY)
    assert found[:, 1] - found[:, 0] == pytest.approx(np.ones(20), abs=1e-9)
    assert found[:, 0].std() > 0.1, "every search has chance of its own"


@pytest.mark.parametrize("variate", ["common", "antithetic"])
def test_below_the_root_chance_is_common_or_opposite_if_streams_begin_anew(variate):
    game = load(GAMES, what="later")
    state = game.start()
    state.play(0)

    def below(seed, streams):
        search = TreeSearch(game, parts(enhancements=[variate], exploration=EVENLY, begin_at=streams), seed=seed)
        search.simulate(Roots([game.start()]), 0, 401)
        zero, one = search.moves(state, 0)
        assert zero.visits == one.visits
        return one.value - zero.value

    assert [below(seed, "each") for seed in range(20)] == pytest.approx([1.0] * 20, abs=1e-9)
    assert np.std([below(seed, "root") for seed in range(20)]) > 0.01


def test_a_control_variate_that_is_all_of_chance_leaves_none():
    found = estimates(load(GAMES, what="dice"), range(20), 40, "control", exploration=EVENLY, online=2)
    assert found == pytest.approx(np.tile([17.5, 18.5], (20, 1)), abs=1e-9)


def test_a_control_variate_that_never_varies_changes_nothing():
    game = load(GAMES, what="prizes")
    same = estimates(game, range(5), 200, "control", exploration=EVENLY, coefficient=3.0)
    assert np.array_equal(same, estimates(game, range(5), 200, exploration=EVENLY))


def test_opposites_must_be_as_likely_as_each_other():
    # Lanctot 2013, sec. 7.3: E = 115; if 100 and 80 change places in every second simulation, (115 + 120) / 2
    for what, mean in (("prizes", 115.0), ("unmatched", 117.5)):
        found = estimates(load(GAMES, what=what, unchecked=True), range(2000), 40, "antithetic", exploration=EVENLY)
        assert found.mean() == pytest.approx(mean, abs=4 * found.std() / 4000**0.5)
        assert found.std() / 4000**0.5 < 0.3
    assert fs.check(load(GAMES, what="prizes")).ok
    assert "mirror" in str(fs.check(load(GAMES, what="unmatched", unchecked=True)))
    assert not fs.check(load(GAMES, what="unmatched", unchecked=True)).ok


def test_a_node_that_gains_moves_keeps_what_it_knows_of_chance():
    game = load(GAMES, what="veiled")
    search = TreeSearch(game, parts(enhancements=["control"], exploration=EVENLY, online=2), seed=1)
    for _ in range(20):
        search.simulate(Roots([game.start()]), 0, 200)
    for coin, moves in ((0, range(2)), (1, range(2, 10))):
        state = game.start()
        state.play(coin)
        assert [m.value for m in search.moves(state, 0)] == pytest.approx([move + 3.5 for move in moves], abs=1e-9)


def spread(game, variates, simulations, seeds=3200):
    """The variance of the estimated difference between rolling and stopping."""
    own = {"coefficient": 6.0} if "control" in variates else {}
    found = estimates(game, range(seeds), simulations, *variates.split(), playout="guide", exploration=0.5, **own)
    return (found[:, ROLL] - found[:, STOP]).var()


def test_all_techniques_lower_the_variance_of_what_decides_the_first_turn_of_pig():
    # Lanctot 2013, Fig. 7.2; a sample variance has a standard error of 2.5 % here, and antithetic variates leave 81 %
    game = load("pig(players=1,turns=10,rolls=pairs)")
    plain, control, common, antithetic, both = (
        spread(game, v, 64) for v in ("", "control", "common", "antithetic", "control common")
    )
    assert both < min(control, common) < max(control, common, antithetic) < 0.9 * plain
    assert both < spread(game, "", 128)


def test_the_chance_of_two_players_counts_against_each_other():
    game = load("pig(target=40)")
    # with so much exploration every move has as many tries; with little, a few odd trees decide the variance
    plain, controlled = (
        estimates(game, range(400), 400, *v, playout="guide", exploration=20)[:, ROLL].var() for v in ((), ("control",))
    )
    assert controlled < 0.6 * plain


def test_rules_that_are_not_compiled_give_the_same():
    variates, how = ("control", "common", "antithetic"), {"playout": "guide", "exploration": 0.5, "online": 5}
    compiled, plain = (estimates(load(SMALL, debug=debug), range(2), 60, *variates, **how) for debug in (False, True))
    assert np.array_equal(compiled, plain)


@pytest.mark.parametrize("streams", ["none", "common", "common+antithetic"])
@pytest.mark.parametrize("control", ["none", "covariate(coefficient=6)"])
def test_an_agent_plays_alone(control, streams):
    how = f"control={control},streams={streams},bandit=ucb(exploration=0.5)"
    player = fs.agent(f"mcts(simulations=50,playout=guide,final=value,{how})")
    for game in ("pig(players=1,turns=3)", "cant_stop(players=1,turns=2)"):
        record = fs.play_game(load(game), [player], deal=1, seed=1)
        assert record.reason is None
        assert record.utilities[0] >= 0
        again = fs.play_game(load(game), [player], deal=1, seed=1)
        assert record.moves == again.moves


def test_memory_tells_what_control_variates_cost():
    game = load(SMALL)
    plain, controlled = (TreeSearch(game, parts(enhancements=v)).memory for v in ((), ("control",)))
    assert controlled.slot_bytes - plain.slot_bytes == 32
    assert controlled.slots.nbytes - plain.slots.nbytes == 32 * len(plain.slots)
    assert controlled.node_bytes == plain.node_bytes


def test_what_cannot_be_done_is_refused_in_a_sentence():
    pig, bluff, tic_tac_toe = load(SMALL), load("bluff"), load("tic_tac_toe")
    for game, chosen, words in (
        (bluff, {"enhancements": ["control"]}, "control needs the rule covariate; bluff has none"),
        (tic_tac_toe, {"enhancements": ["antithetic"]}, "antithetic needs the rule mirror; tic_tac_toe has none"),
        (tic_tac_toe, {"playout": "guide"}, "guide needs the rule guide; tic_tac_toe has none"),
        (pig, {"enhancements": ["control"], "bandit": "exp3"}, "bandit=ucb"),
        (pig, {"enhancements": ["common"], "chance": "balanced"}, "drawn as it comes"),
    ):
        with pytest.raises(fs.FogspielError, match=words):
            TreeSearch(game, parts(**chosen))
    with pytest.raises(fs.SpecError, match="no part of this search has a parameter begin_at"):
        parts(enhancements=["control"], begin_at="each")
