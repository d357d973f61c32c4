"""Values of games with no bound, by value iteration on their states as everyone would see them (Veselý 2024, sec.
6.1)."""

import numpy as np
from positions import child

import fogspiel as fs
from fogspiel.solve.matrix import matrix_value


def stages(game):
    """For each state that can be reached, by its short form, the matrix of what joint moves lead to: another, or a
    payoff."""
    found, todo = {}, [game.start()]
    name = game.module.short_form
    while todo:
        s = todo.pop(0)
        if name(s.view) in found:
            continue
        rows = found[name(s.view)] = []
        for mine in s.moves():
            pending = child(s, mine)
            after = [child(pending, yours) for yours in pending.moves()]
            rows.append([t.payoff()[0] if t.over else name(t.view) for t in after])
            todo += [t for t in after if not t.over]
    return found


def values(states, discount, random=False, threshold=1.0):
    """What states are worth to player 0, who sees them all; player 1 does too, or moves at `random`. In-place
    sweeps."""
    ends = {to for rows in states.values() for row in rows for to in row if to not in states}
    place = {to: i for i, to in enumerate([*states, *ends])}
    matrices = [np.array([[place[to] for to in row] for row in rows]) for rows in states.values()]
    value = np.array([0.0] * len(states) + list(ends))
    change = threshold
    while change >= threshold:
        change = 0.0
        for i, matrix in enumerate(matrices):
            below = discount * value[matrix]
            new = below.mean(axis=1).max() if random else matrix_value(below)[0]
            change, value[i] = max(change, abs(new - value[i])), new
    return dict(zip(states, value.tolist(), strict=False))


def with_rewards(spec, value, path, **given):
    """The game of a spec, cut off with these values of states."""
    path.write_text("".join(f"{state}\n{worth!r}\n" for state, worth in value.items()))
    return fs.load(spec, rewards_file=str(path), **given)
