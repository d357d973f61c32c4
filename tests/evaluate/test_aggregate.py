"""The aggregate of an online player (Lisý 2014, sec. 4.3.1), against one put together from states and dictionaries."""

from collections import defaultdict

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.simple import RandomAgent
from fogspiel.evaluate.online import aggregate
from fogspiel.game import CHANCE, mix


class Collector:
    """Plays as an agent does, and adds up its strategy wherever its seat may still have to move in this game."""

    def __init__(self, inner, by, total):
        self.inner, self.by, self.total, self.name = inner, by, total, inner.name

    def begin(self, game, seat, seed):
        self.inner.begin(game, seat, seed)

    def choose(self, observation):
        move = self.inner.choose(observation)
        seat, search, seen = observation.seat, self.inner.search, set()
        stack = [(state, False) for state in starts(observation.state.game)]
        while stack:
            state, known = stack.pop()
            if state.over:
                continue
            if state.actor == seat and len(state.moves()) > 1:
                known = known or state.key(seat) == observation.record.keys[-1]
                if known and state.key(seat) not in seen:
                    seen.add(state.key(seat))
                    found = search.moves(state, seat)
                    visits, shares = sum(m.visits for m in found), [getattr(m, self.by) or 0.0 for m in found]
                    for m, share in zip(found, shares, strict=True):
                        self.total[seat, state.key(seat)][m.move] += visits * share / (sum(shares) or 1.0)
            for option in state.moves():
                after = state.copy()
                after.play(option)
                stack.append((after, known))
        return move


def starts(game):
    """The states after all that chance does first."""
    stack = [game.start()]
    while stack:
        state = stack.pop()
        if state.actor != CHANCE:
            yield state
            continue
        for outcome in state.moves():
            after = state.copy()
            after.play(outcome)
            stack.append(after)


@pytest.mark.parametrize(
    ("game", "spec", "by"),
    [
        ("kuhn", "oos(simulations=60,nodes=1000)", "strategy"),
        ("kuhn", "is-mcts(simulations=60,nodes=1000,bandit=rm)", "visits"),
        ("goofspiel(cards=3)", "oos(simulations=200,nodes=1000)", "strategy"),
    ],
)
def test_an_aggregate_is_what_a_dictionary_adds_up_to(game, spec, by):
    game = fs.load(game)
    total: dict = defaultdict(lambda: defaultdict(float))
    for seat in range(2):
        for number in range(6):
            table = [RandomAgent(), RandomAgent()]
            table[seat] = Collector(fs.agent(spec), by, total)
            fs.play_game(game, table, deal=9 + number, seed=mix(9, number))
    rows = {where: moves for where, moves in total.items() if sum(moves.values()) > 0}
    assert len(rows) > 5
    strategy = fs.Strategy.build(
        game,
        np.array([player for player, _ in rows]),
        np.array([key for _, key in rows], np.uint64),
        np.array([len(moves) for moves in rows.values()]),
        np.array([move for moves in rows.values() for move in moves]),
        np.array([share / sum(moves.values()) for moves in rows.values() for share in moves.values()]),
    )
    expected = fs.nash_conv(game, strategy)
    assert expected > 0.01
    assert aggregate(game, lambda: fs.agent(spec), games=6, seed=9) == pytest.approx(expected, abs=1e-9)
