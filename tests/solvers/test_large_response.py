"""Best responses without a tree, sampled lower bounds and restricted Nash responses, held to what the tree says
exactly."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.app.show import print_bound
from fogspiel.solvers.policy import Policy
from fogspiel.solvers.response.response import METHODS
from fogspiel.solvers.response.walk import Walker

PHANTOM = '''
"""Phantom tic-tac-toe on two by two squares: two in a row or column win; who tries in vain is told, and tries again."""

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, mix

State = np.dtype([
    ("board", "i1", 4), ("tried", "i1", 8), ("turns", "i1"), ("winner", "i1"),
    ("tries", "u8", 2),
], align=True)


def about():
    return About(utility=(-1, 1))


def start(s):
    s.winner = -1


def actor(s):
    return OVER if s.winner >= 0 or s.turns == 4 else s.turns % 2


def moves(s, out):
    n = 0
    for square in range(4):
        if s.tried[4 * (s.turns % 2) + square] == 0:
            out[n] = square
            n += 1
    return n


def play(s, move):
    me = s.turns % 2
    s.tried[4 * me + move] = 1
    failed = s.board[move] > 0
    s.tries[me] = mix(mix(s.tries[me], move), failed)
    if failed:
        return
    s.board[move] = 1 + me
    if s.board[move ^ 1] == 1 + me or s.board[move ^ 2] == 1 + me:
        s.winner = me
    s.turns += 1


def payoff(s, out):
    out[0] = 0 if s.winner < 0 else 1 - 2 * s.winner
    out[1] = -out[0]


def infoset(s, player):
    over = s.winner >= 0 or s.turns == 4
    public = mix(mix(s.turns, over), s.winner)
    key = public if player == PUBLIC else mix(mix(public, player), s.tries[player])
    return mix(mix(key, s.tries[0]), s.tries[1]) if over else key
'''

ENDLESS = Path(__file__).with_name("endless.py")

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "liars_dice(faces=3)",
    "bluff(faces=4)",
    "die_roll_poker(faces=3)",
    "goofspiel(cards=4)",
    "goofspiel(cards=3,payoff=points)",
    "princess_and_monster(time=3)",
    "observed_moves",
    "nonlocality",
    "coin_or_sure",
    "matrix(game=prisoners_dilemma)",
]


def random_strategy(form, seed, sparse=False):
    """Random probabilities; `sparse`: about half of them 0."""
    rng = np.random.default_rng(seed)
    weight = rng.exponential(size=form.sequences) * (rng.random(form.sequences) < 0.5 if sparse else 1)
    return fs.Strategy.from_behaviour(form, form.behaviour(weight))


@pytest.fixture(scope="module")
def phantom(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "phantom.py"
    path.write_text(PHANTOM)
    return str(path)


def walked_is_unrolled(game):
    form = fs.sequence_form(game)
    for sparse in (False, True):
        strategy = random_strategy(form, 1, sparse)
        exact = fs.measure(form, strategy)
        for method in ("vectors", "passes"):
            walked = fs.measure(game, strategy, method=method)
            assert walked.form is None
            assert walked.value == pytest.approx(exact.value, abs=1e-9)
            assert walked.best == pytest.approx(exact.best, abs=1e-9)
            assert fs.nash_conv(game, strategy, method=method) == pytest.approx(exact.nash_conv, abs=1e-9)
            for player in range(form.players):
                value, profile = fs.best_response(game, strategy, player, method=method)
                assert value == pytest.approx(exact.best[player], abs=1e-9)
                assert fs.expected_values(form, profile)[player] == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_a_walked_best_response_is_that_of_the_tree(game):
    walked_is_unrolled(game)


def test_tries_that_fail_unseen_leave_histories_of_one_information_set_at_different_depths(phantom):
    assert fs.check(fs.load(phantom)).ok
    tree = fs.unroll(phantom, histories=True)
    depth = np.zeros(tree.size, int)
    for h in range(1, tree.size):
        depth[h] = depth[tree.histories.parent[h]] + 1
    assert any(len(set(depth[tree.histories.infoset == i])) > 1 for i in range(tree.infosets))
    walked_is_unrolled(phantom)


@pytest.mark.parametrize("method", ["vectors", "passes"])
def test_a_game_without_end_is_refused(method):
    game = fs.load(str(ENDLESS))
    nothing = fs.Strategy.build(game, *(np.zeros(0, np.int64) for _ in range(4)), np.zeros(0))
    with pytest.raises(fs.TooLarge, match="history of more than"):
        fs.nash_conv(game, nothing, method=method)


def test_walks_run_on_rules_that_are_not_compiled():
    form = fs.sequence_form("kuhn")
    strategy = random_strategy(form, 2)
    for method in ("vectors", "passes"):
        found = fs.measure(fs.load("kuhn", debug=True), strategy, method=method)
        assert found.best == pytest.approx(fs.measure(form, strategy).best, abs=1e-12)


def test_vectors_take_a_small_part_of_the_game():
    # along one path of bids there are never more states at hand than pairs of dice times the bids yet to come at each
    # step
    tree = fs.unroll("liars_dice")
    walker = Walker(Policy(tree.game, random_strategy(fs.sequence_form(tree), 3)))
    walker.best_response(0, "vectors")
    assert walker.sets == (tree.player[tree.count > 1] == 0).sum()
    assert walker.most <= 6 * 6 * 12 + 6 * sum(range(12)) < tree.size / 300


def test_without_room_for_vectors_passes_take_over():
    form = fs.sequence_form("princess_and_monster(time=3)")
    game, strategy = form.tree.game, random_strategy(form, 4)
    exact = fs.measure(form, strategy).best[1]
    Walker(Policy(game, strategy), memory=40_000).best_response(1, "passes")
    walker = Walker(Policy(game, strategy), memory=40_000)
    walker.best_response(1, "vectors")
    walker.memory = 20_000
    with pytest.raises(fs.TooLarge, match="fogspiel bound"):
        walker.best_response(1, "vectors")
    assert walker.best_response(1, "auto")[0] == pytest.approx(exact, abs=1e-9)


def test_a_strategy_of_an_abstraction_is_measured_in_the_game_itself():
    game = "bluff(faces=3,remember=1)"
    strategy = fs.solve(game, "es-mccfr", iterations=200, seed=1).strategy
    exact = fs.nash_conv(fs.sequence_form(game), strategy)
    assert strategy.situations
    for method in ("vectors", "passes"):
        assert fs.nash_conv(game, strategy, method=method) == pytest.approx(exact, abs=1e-9)
        with pytest.raises(fs.Unsuitable, match="abstraction"):
            fs.best_response(game, strategy, 0, method=method)


def test_what_cannot_be_measured_is_refused_in_one_sentence():
    strategy = fs.solve("kuhn", iterations=1).strategy
    with pytest.raises(fs.SpecError, match="vectors"):
        fs.nash_conv("kuhn", strategy, method="magic")
    with pytest.raises(fs.FileError):
        fs.nash_conv("leduc", strategy, method="vectors")
    with pytest.raises(fs.Unsuitable, match="recall"):
        fs.nash_conv(
            "forgetful_player",
            fs.solve("forgetful_player", "cfr(average=abstract)", iterations=1).strategy,
            method="vectors",
        )


def test_a_learned_response_stays_below_the_best_and_comes_close():
    form = fs.sequence_form("leduc")
    strategy = random_strategy(form, 5)
    exact = fs.measure(form, strategy)
    found = {
        n: fs.bound("leduc", strategy, algorithm="es-mccfr", iterations=n, games=200_000, seed=3) for n in (30, 30_000)
    }
    for bound in found.values():
        # three times the half of a 95 % interval: one in two hundred million by luck
        slack = 3 * (bound.nash_conv.high - bound.nash_conv.value)
        assert bound.nash_conv.value < exact.nash_conv + slack
        for player in range(2):
            played = bound.value[player]
            assert played.value == pytest.approx(exact.value[player], abs=3 * (played.high - played.value))
            assert bound.gain[player].value == pytest.approx(
                bound.response[player].value - bound.value[player].value, abs=1e-12
            )
    assert found[30].nash_conv.high < found[30_000].nash_conv.low
    assert found[30_000].nash_conv.high > 0.99 * exact.nash_conv


def test_the_interval_of_a_bound_is_that_of_the_mean():
    # pennies are matched by coin flips: +1 and -1 are as likely, whatever the response
    form = fs.sequence_form("matrix(game=matching_pennies)")
    even = fs.Strategy.from_behaviour(form, form.uniform())
    found = fs.bound(form.tree.game, even, iterations=10, games=10_000)
    assert found.value[0].high - found.value[0].value == pytest.approx(1.96 / 100, rel=1e-2)
    assert found.nash_conv.high - found.nash_conv.value == pytest.approx(1.96 / 100 * 2**0.5, rel=1e-2)


def test_exploitability_is_never_said_to_be_at_least_less_than_nothing(capsys):
    found = fs.bound("leduc", fs.solve("leduc", iterations=100).strategy, iterations=0, games=1000)
    assert found.nash_conv.high < 0, "a response that learned nothing loses"
    print_bound(found)
    for told in (capsys.readouterr().out, str(found)):
        assert re.search(r"nash_conv +at least 0\.00000 ", told)


def test_general_sums_are_bounded_by_what_players_gain():
    form = fs.sequence_form("matrix(game=prisoners_dilemma)")
    even = fs.Strategy.from_behaviour(form, form.uniform())
    found = fs.bound(form.tree.game, even, iterations=1_000, games=100_000).nash_conv
    assert found.value == pytest.approx(fs.nash_conv(form, even), abs=2 * (found.high - found.value))


@pytest.mark.parametrize("scheme", ["es-mccfr", "os-mccfr", "as-mccfr", "walk-cfr"])
def test_every_sampling_scheme_learns_to_respond(scheme):
    strategy = random_strategy(fs.sequence_form("kuhn"), 6)
    exact = fs.measure("kuhn", strategy)
    found = fs.bound("kuhn", strategy, algorithm=scheme, iterations=5_000, games=100_000)
    for player in range(2):
        response = found.response[player]
        assert response.value == pytest.approx(exact.best[player], abs=3 * (response.high - response.value))


def test_a_bound_is_found_where_the_game_does_not_unroll():
    game = "phantom_tic_tac_toe"
    strategy = fs.solve(game, "os-mccfr", iterations=2_000, measure=False).strategy
    little, much = (fs.bound(game, strategy, iterations=n, games=20_000, seed=1).nash_conv for n in (10_000, 100_000))
    assert 0 < little.high < much.low


def test_a_trade_off_tells_how_far_it_is():
    form, heard = fs.sequence_form("kuhn"), []
    strategy = random_strategy(form, 7)
    fs.trade_off(form, strategy, 0, [0, 1], progress=lambda *told: heard.append(told))
    assert heard == [("responses", 1, 2), ("responses", 2, 2)]
    heard.clear()
    fs.trade_off(
        form, strategy, 0, [0.5], algorithm="es-mccfr", iterations=200, progress=lambda *told: heard.append(told)
    )
    assert heard[0] == ("p = 0.5: iterations", 2, 200)
    assert heard[-2:] == [("p = 0.5: iterations", 200, 200), ("responses", 1, 1)]


P = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel(cards=3)"])
@pytest.mark.parametrize("player", [0, 1])
def test_restricted_responses_are_a_saddle_point_of_the_modified_game(game, player):
    form = fs.sequence_form(game)
    strategy = random_strategy(form, 7)
    plan = form.plan(strategy.on(form))
    responses = fs.trade_off(form, strategy, player, P)
    value = fs.solve(form, "lp").value[player]
    for r in responses:
        got = (1 - r.p) * -r.best_response + r.p * r.exploitation
        # what the player could get at most, if the free opponent played as it does in the profile found
        mixed = (1 - r.p) * form.plan(r.strategy.on(form)) + r.p * plan
        most = form.best_response(mixed, player)[0]
        assert got == pytest.approx(most, abs=1e-7)
    assert responses[0].best_response == pytest.approx(-value, abs=1e-7)
    assert responses[-1].exploitation == pytest.approx(fs.measure(form, strategy).best[player], abs=1e-7)
    assert all(np.diff([r.exploitation for r in responses]) > -1e-7)
    assert all(np.diff([r.best_response for r in responses]) > -1e-7)


@pytest.mark.parametrize("algorithm", ["es-mccfr", "os-mccfr", "walk-cfr"])
def test_sampled_restricted_responses_approach_the_exact_frontier(algorithm):
    form = fs.sequence_form("kuhn")
    strategy = random_strategy(form, 8)
    many = 5_000 if algorithm == "walk-cfr" else 100_000
    for p in (0.0, 0.6, 1.0):
        exact = fs.restricted_response(form, strategy, 1, p)
        best = p * exact.exploitation - (1 - p) * exact.best_response
        gap = []
        for iterations in (many // 300, many):
            found = fs.restricted_response(form, strategy, 1, p, algorithm, iterations=iterations, seed=2)
            gap.append(best - (p * found.exploitation - (1 - p) * found.best_response))
        assert -1e-9 < gap[1] < 0.02
        assert gap[1] < gap[0]


def test_a_response_to_a_strategy_that_names_information_sets_otherwise():
    # sampling solvers name them by the rule abstract, even where it joins nothing
    form = fs.sequence_form("bluff(faces=2)")
    strategy = random_strategy(form, 9)
    exact = fs.best_response(form, strategy, 0)[0]
    found = fs.restricted_response(form, strategy, 0, 1.0, "es-mccfr", iterations=20_000)
    assert found.exploitation == pytest.approx(exact, abs=0.01)
    walked = fs.restricted_response(form.tree.game, strategy, 0, 1.0, "es-mccfr", iterations=20_000)
    assert walked.exploitation == pytest.approx(found.exploitation, abs=1e-12)
    learned = fs.bound(form.tree.game, strategy, iterations=20_000, games=100_000).response[0]
    assert learned.value == pytest.approx(exact, abs=3 * (learned.high - learned.value))


@pytest.mark.parametrize(
    ("call", "fragment"),
    [
        (lambda s: fs.restricted_response("kuhn", s, 0, 1.5), "probability"),
        (lambda s: fs.restricted_response("kuhn", s, 2, 0.5), "from 0 to 1"),
        (lambda s: fs.restricted_response("kuhn", s, 0, 0.5, "cfr+"), "sampling solver"),
        (lambda s: fs.restricted_response("kuhn", s, 0, 0.5, "os-mccfr(updates=parallel)"), "alternating"),
        (lambda s: fs.bound("kuhn", s, games=1), "games must be a whole number of at least 2"),
        (lambda s: fs.bound("kuhn(players=3)", s), "kuhn"),
    ],
)
def test_responses_that_cannot_be_found_are_refused_in_one_sentence(call, fragment):
    with pytest.raises(fs.FogspielError, match=fragment):
        call(fs.solve("kuhn", iterations=1).strategy)


def command(*words):
    """What a command wrote as JSON."""
    ended = CliRunner().invoke(app, [*map(str, words), "--json", "-"])
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


def test_the_commands_tell_the_same(tmp_path):
    strategy, file = random_strategy(fs.sequence_form("leduc"), 10), tmp_path / "leduc.fog"
    fs.save(strategy, file)
    exact = fs.measure("leduc", strategy)
    for method in METHODS:
        told = command("evaluate", "leduc", file, "--method", method)
        assert told["nash_conv"] == pytest.approx(exact.nash_conv, abs=1e-9)
        assert told["gain"] == pytest.approx(exact.gain, abs=1e-9)
    assert told["information_sets"] is None
    told = command("bound", "leduc", file, "--iterations", 1_000, "--games", 1_000, "--seed", 4)
    found = fs.bound("leduc", strategy, iterations=1_000, games=1_000, seed=4).as_dict()
    assert told | {"seconds": 0} == json.loads(json.dumps(found)) | {"seconds": 0}
    told = command("trade-off", "leduc", file, "--player", 1, "--p", "0,1", "--plot", tmp_path / "frontier.svg")
    assert [r["p"] for r in told["responses"]] == [0, 1]
    assert told["responses"][1]["exploitation"] == pytest.approx(exact.best[1], abs=1e-7)
    assert (tmp_path / "frontier.svg").stat().st_size > 1000


def test_a_walk_is_interrupted():
    seen = []

    def interrupt(histories):
        seen.append(histories)
        raise KeyboardInterrupt

    large = fs.load("phantom_tic_tac_toe")
    nothing = fs.Strategy.build(large, *(np.zeros(0, np.int64) for _ in range(4)), np.zeros(0))
    with pytest.raises(KeyboardInterrupt):
        fs.measure(large, nothing, method="vectors", progress=interrupt)
    assert len(seen) == 1
