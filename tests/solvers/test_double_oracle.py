"""The double oracle finds the same values as the linear program, in smaller games."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.exact.double_oracle import respond_within, restrict

SMALL = [
    "kuhn",
    "leduc",
    "bluff(faces=2)",
    "bluff(faces=3)",
    "bluff(faces=4)",
    "goofspiel(cards=3)",
    "goofspiel(cards=4)",
    "goofspiel(cards=4,bids=open)",
    "goofspiel(cards=3,bids=open,payoff=points)",
    "oshi_zumo(coins=6)",
    "random_game(actions=3,depth=3,seed=4)",
    "one_card_poker",
    "nonlocality",
    "die_roll_poker(faces=2)",
    "coin_or_sure",
    "strategy_fusion",
    "hidden_coin",
    "matrix(game=rps)",
    "matrix(game=biased_rps)",
    "matrix(game=tie_break)",
    "matrix(payoffs=[[2]])",
    "matrix(payoffs=[[0,0],[0,0]])",
]


@pytest.mark.parametrize("game", SMALL)
def test_the_double_oracle_agrees_with_the_linear_program(game):
    form = fs.sequence_form(game)
    if form.players != 2 or not form.tree.zero_sum:
        with pytest.raises(fs.Unsuitable):
            fs.solve(form, "do")
        return
    found, exact = fs.solve(form, "do"), fs.solve(form, "lp")
    assert found.value == pytest.approx(exact.value, abs=1e-9)
    assert abs(found.nash_conv) < 1e-9
    assert found.restricted["sequences"] <= found.restricted["sequences in all"] == form.sequences


@pytest.mark.parametrize(
    ("game", "share"), [("bluff(faces=4)", 0.3), ("goofspiel(cards=4)", 0.6), ("oshi_zumo(coins=8)", 0.01)]
)
def test_restricted_games_are_smaller_than_the_game(game, share):
    of = fs.solve(game, "do").restricted
    assert of["sequences"] < share * of["sequences in all"]
    assert of["information sets"] < share * of["information sets in all"]


def test_few_programs_are_needed_where_each_response_adds_all_that_is_better():
    # with what the responses' own plans play to alone it takes 158
    assert fs.solve("bluff(faces=5)", "do").iterations < 100


def test_a_restricted_game_has_plans_of_the_whole_game():
    form = fs.sequence_form("leduc")
    rng = np.random.default_rng(1)
    allowed = rng.random(form.sequences) < 0.5
    allowed[form.begin[:2]] = allowed[form.first] = True
    restricted = restrict(form, allowed)
    # any plan of the restricted game: weights of allowed actions alone
    weights = np.where(allowed, rng.random(form.sequences) + 0.1, 0.0)
    plan = form.plan(form.behaviour(weights))
    inside = tuple(plan[mine] for mine in restricted.sequences)
    np.testing.assert_allclose(restricted.whole(inside), plan)
    rows, columns, values = restricted.payoffs()
    row = np.repeat(np.arange(len(inside[1])), np.diff(rows))
    assert inside[1][row] * values @ inside[0][columns] == pytest.approx(form.values(plan)[0])


def test_responses_get_as_much_as_best_responses_and_keep_to_what_is_allowed_where_it_is_as_good():
    form = fs.sequence_form("leduc")
    plan = form.plan(form.uniform())
    for p in range(2):
        everything = np.ones(form.sequences, bool)
        first = np.zeros(form.sequences, bool)
        first[form.begin[:2]] = first[form.first] = True
        for allowed in (everything, first):
            best, reply = respond_within(form, plan, p, allowed, 1e-13)
            assert best == pytest.approx(form.best_response(plan, p)[0], abs=1e-12)
            behaviour = form.behaviour(np.where(reply, 1.0, 0.0))
            mine = slice(form.begin[p], form.begin[p + 1])
            mixed = np.where(
                (np.arange(form.sequences) >= mine.start) & (np.arange(form.sequences) < mine.stop),
                form.plan(behaviour),
                plan,
            )
            assert form.values(mixed)[p] == pytest.approx(best, abs=1e-12)
    nothing = fs.sequence_form("matrix(payoffs=[[0,0],[0,0]])")
    assert fs.solve(nothing, "do").restricted["information sets"] == 0


def test_the_command_line_tells_how_small_the_restricted_game_is():
    from typer.testing import CliRunner

    from fogspiel.app.cli import app

    told = CliRunner().invoke(app, ["solve", "bluff(faces=3)", "--algorithm", "do"]).output
    assert "of 284 sequences" in told


def test_other_games_are_refused():
    for game in ("kuhn(players=3)", "matrix(game=chicken)", "bluff(faces=2,remember=1)"):
        with pytest.raises(fs.Unsuitable):
            fs.solve(game, "do")
