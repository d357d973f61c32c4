"""Public chance sampling over vectors of private outcomes (Johanson et al. 2012), through the public interface."""

from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.cfr.variants import CFR, VARIANTS
from fogspiel.solvers.mccfr.arena import AVERAGE, REGRET
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.solver import Task


def make(game):
    _, entry, values = read_solver("pcs-mccfr(words=64)")
    return entry.make(Task(fs.load(game), memory=1 << 24), values)


def source(name):
    return (Path(fs.__file__).parent / "games" / f"{name}.py").read_text()


def column(solver, which):
    found = solver.table.contents()
    return solver.table.column(which, found["count"], found["first"])


@pytest.mark.parametrize("game", ["kuhn", "one_card_poker(cards=20)", "bluff", "die_roll_poker(faces=3)"])
def test_without_public_chance_it_is_vanilla_cfr(game):
    form = fs.sequence_form(game)
    solver = CFR(form, VARIANTS["cfr"], read_solver("cfr")[2])
    solver.advance(25)
    walked = fs.solve(form, "pcs-mccfr(words=64)", iterations=25)
    assert walked.strategy.on(form) == pytest.approx(form.behaviour(solver.plan()), abs=1e-9)


@pytest.mark.parametrize(
    "game", ["poker(ranks=4)", "poker(rounds=3)", "poker(see_suits=yes)", "bluff(dice1=3,dice2=2,faces=2)"]
)
def test_sums_by_strength_are_sums_over_pairs(tmp_path, game):
    name, _, parameters = game.partition("(")
    (tmp_path / "pairs.py").write_text(source(name).replace("strength(", "power("))
    pairs = f"{tmp_path / 'pairs.py'}({parameters}"
    assert "strength" in fs.load(game).functions
    assert "strength" not in fs.load(pairs).functions
    one, other = make(game), make(pairs)
    one.advance(20)
    # from regrets drawn at random, so that any two vectors may meet at an end
    found = one.table.contents()
    regrets = one.table.places(REGRET, found["count"], found["first"])
    one.table.reals[regrets] = np.random.default_rng(7).normal(0.4, 1, len(regrets))
    other.restore({name: np.asarray(value) for name, value in one.snapshot().items()})
    for solver in (one, other):
        solver.advance(1)
    for which in (REGRET, AVERAGE):
        assert column(one, which) == pytest.approx(column(other, which), abs=1e-9)


MILLIONS = "own * 1_000_000"
DISTANT = "own - (1 << 62) if own < 2 else own + (1 << 62)"
ENDS = "own + 9 - (1 << 62) - (1 << 62) if own < 2 else own + (1 << 62) - 100 + (1 << 62)"


@pytest.mark.parametrize(
    ("game", "strength"),
    [
        ("one_card_poker(cards=40)", MILLIONS),
        ("one_card_poker(cards=40)", ENDS),
        ("shuffled(cards=40)", MILLIONS),
        ("shuffled(cards=40)", DISTANT),
        ("poker(see_suits=yes)", DISTANT),
        ("bluff(dice1=3,dice2=2,faces=2)", ENDS),
    ],
)
def test_only_the_order_of_strengths_matters(tmp_path, game, strength):
    name, _, parameters = game.partition("(")
    if name == "shuffled":  # the order of the cards is not that of what they are worth
        text = source("one_card_poker").replace("if s.card[0] > s.card[1]", "if strength(s, 0) > strength(s, 1)")
        text = text.replace("return s.card[player]\n", "return 16 * s.card[player] % 41\n")
    else:
        text = source(name)
    (tmp_path / "near.py").write_text(text)
    far = f"\n\ndef strength(s, player):\n    own = int(power(s, player))\n    return {strength}\n"
    (tmp_path / "far.py").write_text(text.replace("strength(", "power(") + far)
    solvers = [make(f"{tmp_path / file}({parameters}") for file in ("near.py", "far.py")]
    for solver in solvers:
        solver.advance(20)
    for which in (REGRET, AVERAGE):
        assert np.array_equal(*(column(solver, which) for solver in solvers))


@pytest.mark.parametrize(
    ("game", "value"), [("leduc", -0.0856064240780), ("bluff(faces=4)", 0.0625), ("bluff(faces=5)", 0.008)]
)
def test_known_values_are_approached(game, value):
    found = fs.solve(game, "pcs-mccfr", iterations=10_000 if game == "leduc" else 3000, points=1)
    assert found.nash_conv < 0.12
    assert abs(found.value[0] - value) <= found.nash_conv


def test_it_gains_more_in_an_iteration_than_external_sampling():
    # each visits as many information sets as there are: external sampling one of a deck at a time
    form = fs.sequence_form("one_card_poker(cards=100)")
    vectors = fs.solve(form, "pcs-mccfr", iterations=2000, points=1)
    single = fs.solve(form, "es-mccfr", iterations=200_000, points=1)
    assert vectors.nash_conv < single.nash_conv / 4


def test_threads_share_the_table():
    # what they find depends on which is faster: 0.04 to 0.09 in a dozen runs
    found = fs.solve("leduc", "pcs-mccfr", iterations=20_000, threads=2, points=1)
    assert found.iterations >= 20_000
    assert found.nash_conv < 0.25


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("goofspiel(cards=4)", "needs the rule private; .* has none: try cs-mccfr\\(chance=public\\) or es-mccfr$"),
        ("kuhn(players=3)", "two players"),
        ("bluff(faces=3,rounds=match)", "needs the rule private"),
        ("bluff(faces=3,remember=2)", "needs a game without an abstraction.* es-mccfr"),
    ],
)
def test_games_without_a_public_tree_are_refused(game, why):
    with pytest.raises(fs.Unsuitable, match=why):
        fs.solve(game, "pcs-mccfr", iterations=3)


def test_a_response_is_learned_by_others():
    strategy = fs.solve("kuhn", iterations=10).strategy
    with pytest.raises(fs.SpecError, match="cannot learn a response"):
        fs.bound("kuhn", strategy, algorithm="pcs-mccfr", iterations=10)


def test_outcomes_that_come_and_go_are_named(tmp_path):
    text = source("poker")
    (tmp_path / "odd.py").write_text(
        text.replace("    return kinds(s)\n\n\ndef hold", "    return kinds(s) - (s.dealt > 2)\n\n\ndef hold")
    )
    with pytest.raises(fs.GameError, match="rule private .* does not list as many outcomes everywhere"):
        fs.solve(str(tmp_path / "odd.py"), "pcs-mccfr", iterations=50)


def test_what_is_for_two_players_says_so_in_a_file(tmp_path):
    text = source("kuhn")
    (tmp_path / "three.py").write_text(text.replace('("private",)', "()"))
    with pytest.raises(fs.GameError, match="rule private .* is for two players"):
        fs.load(f"{tmp_path / 'three.py'}(players=3)")
    (tmp_path / "without.py").write_text(text.replace('("private",)', '("play",)'))
    with pytest.raises(fs.GameError, match="each of without"):
        fs.load(f"{tmp_path / 'without.py'}(players=3)")


def test_a_debugged_game_is_solved_alike():
    plain, compiled = (
        fs.solve(fs.load("poker(ranks=2,raises=0)", debug=debug), "pcs-mccfr", iterations=5, measure=False)
        for debug in (True, False)
    )
    assert np.array_equal(plain.strategy.prob, compiled.strategy.prob)
