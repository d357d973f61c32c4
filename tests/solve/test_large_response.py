"""Best responses without a tree, sampled lower bounds and restricted Nash responses, held to what the tree says exactly."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solve.response import form_of, measure
from fogspiel.solve.walk import Walker

PHANTOM = '''
"""Phantom tic-tac-toe on two by two squares: two in a row or a column win; a try that fails is told to who tried, who tries again."""

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, mix

State = np.dtype([("board", "i1", 4), ("tried", "i1", 8), ("turns", "i1"), ("winner", "i1"), ("tries", "u8", 2)], align=True)


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
    form = form_of(game)
    for sparse in (False, True):
        strategy = random_strategy(form, 1, sparse)
        exact = measure(form, strategy)
        for method in ("vectors", "passes"):
            walked = measure(game, strategy, method=method)
            assert walked.form is None
            assert walked.value == pytest.approx(exact.value, abs=1e-9)
            assert walked.best == pytest.approx(exact.best, abs=1e-9)
            assert fs.exploitability(game, strategy, method=method) == pytest.approx(exact.exploitability, abs=1e-9)
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


def test_walks_run_on_rules_that_are_not_compiled():
    form = form_of("kuhn")
    strategy = random_strategy(form, 2)
    for method in ("vectors", "passes"):
        found = measure(fs.load("kuhn", debug=True), strategy, method=method)
        assert found.best == pytest.approx(measure(form, strategy).best, abs=1e-12)


def test_vectors_take_a_small_part_of_the_game():
    # along one path of bids there are never more states at hand than pairs of dice times the bids yet to come at each step
    tree = fs.unroll("liars_dice")
    walker = Walker(tree.game, random_strategy(form_of(tree), 3))
    walker.best_response(0, "vectors")
    assert walker.sets == (tree.player[tree.count > 1] == 0).sum()
    assert walker.most <= 6 * 6 * 12 + 6 * sum(range(12)) < tree.size / 300


def test_without_room_for_vectors_passes_take_over():
    form = form_of("princess_and_monster(time=3)")
    game, strategy = form.tree.game, random_strategy(form, 4)
    exact = measure(form, strategy).best[1]
    Walker(game, strategy, memory=40_000).best_response(1, "passes")
    walker = Walker(game, strategy, memory=40_000)
    walker.best_response(1, "vectors")
    walker.memory = 20_000
    with pytest.raises(fs.TooLarge, match="fogspiel bound"):
        walker.best_response(1, "vectors")
    assert walker.best_response(1, "auto")[0] == pytest.approx(exact, abs=1e-9)


def test_a_strategy_of_an_abstraction_is_measured_in_the_game_itself():
    game = "bluff(faces=3,remember=1)"
    strategy = fs.solve(game, "es-mccfr", iterations=200, seed=1).strategy
    exact = fs.exploitability(form_of(game), strategy)
    assert strategy.situations
    for method in ("vectors", "passes"):
        assert fs.exploitability(game, strategy, method=method) == pytest.approx(exact, abs=1e-9)
        with pytest.raises(fs.Unsuitable, match="abstraction"):
            fs.best_response(game, strategy, 0, method=method)


def test_what_cannot_be_measured_is_refused_in_one_sentence():
    strategy = fs.solve("kuhn", iterations=1).strategy
    with pytest.raises(fs.SpecError, match="vectors"):
        fs.exploitability("kuhn", strategy, method="magic")
    with pytest.raises(fs.FileError):
        fs.exploitability("leduc", strategy, method="vectors")
    with pytest.raises(fs.Unsuitable, match="recall"):
        fs.exploitability(
            "forgetful_player",
            fs.solve("forgetful_player", "cfr(average=abstract)", iterations=1).strategy,
            method="vectors",
        )
