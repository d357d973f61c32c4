"""Fogspiel's games beside OpenSpiel's: both trees walked together, one random strategy on both.

`python tests/solvers/openspiel.py` tells what OpenSpiel finds of `lopsided` play in tic-tac-toe, in a quarter of a
minute.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import fogspiel as fs
from fogspiel.game import CHANCE
from fogspiel.game.state import advance


@dataclass
class Pair:
    """A game of both libraries and one strategy: OpenSpiel's policy and Fogspiel's strategy play alike."""

    game: fs.Game
    theirs: object
    policy: object
    strategy: fs.Strategy


def pair(
    spec: str, their_spec: str, seed: int = 0, scale: float = 1.0, chance: Callable[[int, object], int] | None = None
) -> Pair:
    """Walk both games together. Moves correspond by position in the lists of legal ones, except that liar's dice lists
    the call last in OpenSpiel and first here. `scale` times OpenSpiel's utilities are ours.

    `chance(which, theirs)` replaces that at chance nodes where the two libraries deal in other steps: once OpenSpiel
    has made all its draws, it returns the outcome of our draw number `which`.
    """
    import pyspiel

    game, theirs = fs.load(spec), pyspiel.load_game(their_spec)
    rng = np.random.default_rng(seed)
    policy: dict[str, list[tuple[int, float]]] = {}
    rows: dict[tuple[int, int], tuple[list[int], list[float]]] = {}
    told: dict[tuple[int, int], str] = {}
    stack = [(game.start(), theirs.new_initial_state())]
    while stack:
        ours, other = stack.pop()
        if other.is_chance_node() and chance is not None:
            for action, _ in other.chance_outcomes():
                stack.append((ours, other.child(action)))
            continue
        if chance is not None:
            ours = _catch_up(ours, other, chance)
        if other.is_terminal():
            while not ours.over:
                (move,) = ours.moves()
                ours.play(move)
            assert all(abs(a - scale * b) < 1e-12 for a, b in zip(ours.payoff(), other.returns(), strict=True))
            continue
        moves, actions = ours.moves(), other.legal_actions()
        by_chance = other.is_chance_node()
        if "liars_dice" in their_spec and not by_chance:
            moves = [m for m in moves if m > 0] + [m for m in moves if m == 0]
        if by_chance:
            assert ours.actor == CHANCE
            assert np.allclose([p for _, p in ours.chance()], [p for _, p in other.chance_outcomes()])
        else:
            who = other.current_player()
            assert ours.actor == who
            name, key = other.information_state_string(who), (who, ours.key(who))
            assert told.setdefault(key, name) == name, "two of OpenSpiel's information sets are one of Fogspiel's"
            if name not in policy:
                drawn = rng.exponential(size=len(actions))
                policy[name] = list(zip(actions, (drawn / drawn.sum()).tolist(), strict=True))
            if key not in rows:
                rows[key] = (sorted(moves), [p for _, (_, p) in sorted(zip(moves, policy[name], strict=True))])
            assert rows[key][0] == sorted(moves)
        assert len(moves) == len(actions)
        for move, action in zip(moves, actions, strict=True):
            after = ours.copy()
            advance(after, move)
            stack.append((after, other.child(action)))
    keys = list(rows)
    strategy = fs.Strategy.build(
        game,
        np.array([p for p, _ in keys]),
        np.array([k for _, k in keys], np.uint64),
        np.array([len(rows[k][0]) for k in keys]),
        np.array([m for k in keys for m in rows[k][0]]),
        np.array([p for k in keys for p in rows[k][1]]),
    )
    return Pair(game, theirs, pyspiel.TabularPolicy(policy), strategy)


def _catch_up(ours: fs.State, theirs, chance: Callable[[int, object], int]) -> fs.State:
    """Make our draws, once OpenSpiel has made all of its own."""
    ours, which = ours.copy(), 0
    while ours.actor == CHANCE:
        ours.play(chance(which, theirs))
        which += 1
    return ours


def lopsided(history, square):
    """How likely a square is in tic-tac-toe, up to a factor, after a history: its squares as digits from 1, the first
    one first."""
    return 1 + (31 * history + 17 * square) % 97


def _of_lopsided_play() -> tuple[float, float]:
    """The first player's value and the exploitability, all by OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    policy, stack = {}, [(game.new_initial_state(), 0)]
    while stack:
        state, history = stack.pop()
        if not state.is_terminal():
            odds = [(a, lopsided(history, a)) for a in state.legal_actions()]
            whole = sum(odd for _, odd in odds)
            policy[state.information_state_string()] = [(a, odd / whole) for a, odd in odds]
            stack += [(state.child(a), 10 * history + a + 1) for a, _ in odds]
    table = pyspiel.TabularPolicy(policy)
    value, _ = pyspiel.expected_returns(game.new_initial_state(), table, -1, False)
    return value, pyspiel.nash_conv(game, table)


if __name__ == "__main__":
    print(_of_lopsided_play())
