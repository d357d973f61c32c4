"""What is hidden in games whose players do not see each other's stones: drawn again, beside all histories there are."""

from collections import Counter

import numpy as np
from positions import child, generator, load


def histories(game, player, tries):
    """Where the player moves again after these tries: for each key, the states it stands for and how likely they are.

    The other player tries squares at random.
    """
    found = {}
    todo = [(game.start(), 0, 1.0)]
    while todo:
        state, done, weight = todo.pop()
        if state.over:
            continue
        if state.actor == player and done == len(tries):
            alike = found.setdefault(state.key(player), Counter())
            alike[bytes(state.data)] += weight
            continue
        choices = [tries[done]] if state.actor == player else state.moves()
        done += state.actor == player
        for move in choices:
            todo.append((child(state, move), done, weight / len(choices)))
    return found


def assert_redrawn_as_likely_as_random_play_makes_them(spec, player, tries=(4, 0)):
    game, rng = load(spec), generator(5)
    for alike in histories(game, player, tries).values():
        state = game.start()
        state.data[:] = np.frombuffer(next(iter(alike)), np.uint8)
        draws = Counter()
        for _ in range(100 * len(alike)):
            state.resample(player, rng)
            draws[bytes(state.data)] += 1
        assert set(draws) <= set(alike)
        total = sum(alike.values())
        assert sum(abs(w / total - draws[s] / draws.total()) for s, w in alike.items()) / 2 < 0.08
