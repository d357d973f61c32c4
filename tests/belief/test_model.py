"""A model of the others as a table: what it says of a state, asked from Python or by a belief."""

import numpy as np
import pytest
from seats import decisions

import fogspiel as fs
from fogspiel.belief.model import TableModel, added_up_tables
from fogspiel.belief.particle_filter import ParticleFilter
from fogspiel.game import CHANCE, mix


def table_of(tree, weights):
    keys = np.array([mix(int(key), int(who)) for key, who in zip(tree.key, tree.player, strict=True)], np.uint64)
    first = tree.first.astype(np.int64)
    return TableModel(tree.game, keys, first[:-1], np.diff(first), tree.move, weights)


@pytest.fixture(scope="module")
def leduc():
    tree = fs.unroll("leduc")
    return tree, np.random.default_rng(1).random(len(tree.move))


def test_a_table_says_what_is_in_it(leduc):
    tree, weights = leduc
    model, state, rng = table_of(tree, weights), tree.game.start(), np.random.default_rng(2)
    places = {(int(p), int(k)): i for i, (p, k) in enumerate(zip(tree.player, tree.key, strict=True))}
    asked = 0
    for _ in range(30):
        while not state.over:
            if state.actor != CHANCE:
                place = places[state.actor, state.key(state.actor)]
                here = slice(tree.first[place], tree.first[place + 1])
                wanted = dict(
                    zip(tree.move[here].tolist(), (weights[here] / weights[here].sum()).tolist(), strict=True)
                )
                assert model(state) == pytest.approx(wanted)
                asked += 1
            state.play(int(rng.choice(state.moves())))
        state = tree.game.start()
    assert asked > 60


def test_tables_are_added_up(leduc):
    tree, weights = leduc
    whole = table_of(tree, weights).rows
    rows = len(whole.first)
    all_sets = (whole.keys[:rows], whole.first, whole.count, whole.moves, weights)
    sets = rows // 3
    part = (whole.keys[:sets], whole.first[:sets], whole.count[:sets], whole.moves, 2 * weights)
    keys, first, count, moves, found = added_up_tables([part, all_sets])
    assert set(keys.tolist()) == set(whole.keys[:rows].tolist())
    for row, key in enumerate(whole.keys[:rows].tolist()):
        at = keys.tolist().index(key)
        here, there = (slice(f[i], f[i] + c[i]) for f, c, i in ((whole.first, whole.count, row), (first, count, at)))
        wanted = dict(zip(whole.moves[here].tolist(), weights[here] * (3 if row < sets else 1), strict=True))
        assert dict(zip(moves[there].tolist(), found[there].tolist(), strict=True)) == pytest.approx(wanted)
    nothing = np.zeros(0, np.int64)
    assert [len(column) for column in added_up_tables([(nothing,) * 5] * 2)] == [0] * 5


def test_what_is_not_in_it_is_as_likely(leduc):
    tree, weights = leduc
    state = tree.game.start()
    for move in (0, 1):
        state.play(move)
    empty = np.zeros(0, np.int64)
    for model in (table_of(tree, 0 * weights), TableModel(tree.game, empty, empty, empty, empty, empty)):
        assert set(model(state).values()) == {1 / len(state.moves())}


def test_beliefs_are_the_same_whether_they_look_it_up_or_ask_it(leduc):
    tree, weights = leduc
    model = table_of(tree, weights)
    for seat in range(2):
        for seed in range(10):
            one, other = ParticleFilter(tree.game, seat), ParticleFilter(tree.game, seat)
            for observation in decisions(tree.game, seat, seed):
                one.follow(observation.record, model, np.array([1], np.uint64))
                other.follow(observation.record, lambda state: model(state), np.array([1], np.uint64))
                assert [s.data.tobytes() for s in one.states] == [s.data.tobytes() for s in other.states]
                assert one.prob == pytest.approx(other.prob)
