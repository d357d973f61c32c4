"""Chance taken out of results: nothing in the mean, whatever the values say; all of it where they are right."""

import random

import pytest

import fogspiel as fs
from fogspiel.evaluate.aivat import StrategyValues, corrections, policy_of


@pytest.fixture(scope="module")
def strategy():
    return fs.solve("kuhn", "cfr+", iterations=50).strategy


def every_game(state, policies, moves=(), p=1.0):
    """All ways in which a game can go, with their probabilities and results."""
    if state.over:
        yield moves, p, state.payoff()
        return
    odds = dict(state.chance()) if state.actor == fs.CHANCE else policies[state.actor](state)
    for move, q in odds.items():
        after = state.copy()
        after.play(move)
        yield from every_game(after, policies, (*moves, move), p * q)


def first(state):
    """A player of whom nothing is known."""
    moves = state.moves()
    return {move: (0.8 if i == 0 else 0.2 / (len(moves) - 1)) for i, move in enumerate(moves)}


@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_corrections_are_nothing_in_the_mean_whatever_the_values_say(spec, strategy):
    game, wild = fs.load(spec), {}

    def values(state):
        return wild.setdefault(
            state.data.tobytes(), [random.Random(len(wild)).uniform(-5, 5) for _ in range(game.players)]
        )

    uniform = policy_of(fs.agent("random"))
    mine = policy_of(fs.agent(strategy)) if spec == "kuhn" else uniform
    policies = [mine, first, uniform][: game.players]
    known = [mine, None, uniform][: game.players]
    games = list(every_game(game.start(), policies))
    found = [corrections(game, moves, known, values) for moves, _, _ in games]
    for player in range(game.players):
        assert sum(p * one[player] for (_, p, _), one in zip(games, found, strict=True)) == pytest.approx(0, abs=1e-12)
        assert max(abs(one[player]) for one in found) > 1


def test_where_all_is_known_and_the_values_are_right_nothing_but_corrections_is_left(strategy):
    game, policy = fs.load("kuhn"), policy_of(fs.agent(strategy))
    values, expected = StrategyValues(strategy), fs.expected_values("kuhn", strategy)
    assert values(game.start()) == pytest.approx(expected, abs=1e-12)
    for moves, _, payoff in every_game(game.start(), [policy, policy]):
        found = corrections(game, moves, [policy, policy], values)
        assert [u - x for u, x in zip(payoff, found, strict=True)] == pytest.approx(expected, abs=1e-12)


def test_values_of_the_wrong_number_are_refused():
    game = fs.load("kuhn(players=3)")
    with pytest.raises(fs.GameError, match="must be 3 numbers"):
        corrections(game, [0, 1, 2], [None] * 3, lambda _: 0.0)
