"""Princess and monster: its trees and values beside pairs of whole walks, walks redrawn in the dark, its printed
size."""

import itertools
from collections import Counter

import numpy as np
import pytest
from positions import after, generator
from scipy.optimize import linprog

import fogspiel as fs
from fogspiel import PUBLIC

NODES = range(9)
GRID = {a: {b for b in NODES if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1} for a in NODES}
STAY = {a: {a} | near for a, near in GRID.items()}
CIRCLE = {i: ((i - 1) % 8, (i + 1) % 8) for i in range(8)}
APART = [(a, b) for a in range(9) for b in range(9) if a != b]
PURSUITS = [
    ("princess_and_monster(time=2)", GRID, APART, 2),
    ("princess_and_monster(time=2,stay=yes)", STAY, APART, 2),
    ("princess_and_monster(time=3,start=opposite)", GRID, [(0, 8)], 3),
    ("princess_and_monster(graph=circle,size=8,start=opposite,time=5)", CIRCLE, [(0, 4)], 5),
    (
        "princess_and_monster(graph=circle,size=8,time=2)",
        CIRCLE,
        [(a, b) for a in range(8) for b in range(8) if a != b],
        2,
    ),
]


def walks(near, node, steps):
    if steps == 0:
        return [(node,)]
    return [(node, *rest) for then in near[node] for rest in walks(near, then, steps - 1)]


def meeting(monster, princess):
    """The number of moves, of both together, after which two walks first meet; None if they do not."""
    for moved in range(len(monster) + len(princess) - 1):
        if monster[(moved + 1) // 2] == princess[moved // 2]:
            return moved
    return None


@pytest.mark.parametrize(("spec", "near", "starts", "time"), PURSUITS)
def test_the_tree_of_a_pursuit_has_every_pair_of_walks_up_to_the_meeting(spec, near, starts, time):
    histories, ends, sets = set(), set(), set()
    for a, b in starts:
        for monster, princess in itertools.product(walks(near, a, time), walks(near, b, time)):
            met = meeting(monster, princess) or 2 * time
            ends.add((monster[: (met + 1) // 2 + 1], princess[: met // 2 + 1]))
            for moved in range(met + 1):
                histories.add((monster[: (moved + 1) // 2 + 1], princess[: moved // 2 + 1]))
            for moved in range(met):
                sets.add((moved % 2, (monster, princess)[moved % 2][: moved // 2 + 1]))
    tree = fs.unroll(spec)
    dealing = 0 if len(starts) == 1 else 1 + len({a for a, _ in starts})
    assert (tree.size, tree.terminals, tree.infosets) == (len(histories) + dealing, len(ends), len(sets))


@pytest.mark.parametrize(("spec", "near", "starts", "time"), PURSUITS)
def test_the_value_of_a_pursuit_is_that_of_choosing_whole_walks(spec, near, starts, time):
    """Neither sees anything, so a strategy is a mixture of walks for each start: a small linear program of its own."""
    monsters = [walk for a in sorted({a for a, _ in starts}) for walk in walks(near, a, time)]
    princesses = [walk for b in sorted({b for _, b in starts}) for walk in walks(near, b, time)]
    pay = np.zeros((len(princesses), len(monsters)))
    for (i, princess), (j, monster) in itertools.product(enumerate(princesses), enumerate(monsters)):
        if (monster[0], princess[0]) in starts:
            met = meeting(monster, princess)
            pay[i, j] = (-time if met is None else time - (met - 1) // 2 + 1) / len(starts)
    of_start = lambda ws: np.array([[w[0] == a for w in ws] for a in sorted({w[0] for w in ws})], float)  # noqa: E731
    mine, hers = of_start(monsters), of_start(princesses)
    # the monster's mixtures x, and for each start of hers the least v that it gets from her best walk
    solved = linprog(
        np.r_[np.zeros(len(monsters)), -np.ones(len(hers))],
        A_ub=np.c_[-pay, hers.T],
        b_ub=np.zeros(len(princesses)),
        A_eq=np.c_[mine, np.zeros((len(mine), len(hers)))],
        b_eq=np.ones(len(mine)),
        bounds=[(0, None)] * len(monsters) + [(None, None)] * len(hers),
    )
    assert fs.solve(spec, "lp").value[0] == pytest.approx(-solved.fun, abs=1e-7)


def test_a_capture_pays_more_the_sooner_it_comes():
    game = fs.load("princess_and_monster(time=3)")
    assert after(game, 0, 1, 1).payoff() == [4, -4]
    assert after(game, 0, 4, 1, 1).payoff() == [4, -4]
    assert after(game, 0, 8, 1, 5, 2, 2).payoff() == [3, -3]
    assert after(game, 0, 8, 1, 7, 4, 8, 7, 5).payoff() == [-3, 3]
    assert after(game, 0, 8, 1, 7, 4, 8, 5, 5).payoff() == [2, -2]


def test_in_the_dark_a_player_knows_its_own_walk_only():
    game = fs.load("princess_and_monster(time=3)")
    here, there = after(game, 0, 8, 1, 7), after(game, 0, 4, 1, 5)
    assert here.key(0) == there.key(0)
    assert here.key(1) != there.key(1)
    assert here.key(PUBLIC) == there.key(PUBLIC)


@pytest.mark.parametrize("player", [0, 1])
def test_walks_in_the_dark_are_redrawn_as_likely_as_random_moves_make_them(player):
    own = (4, 1, 0)
    alike = {}
    for walk in itertools.chain.from_iterable(walks(GRID, start, 2) for start in GRID):
        if meeting(*((own, walk) if player == 0 else (walk, own))) is None:
            alike[walk] = 1 / (len(GRID[walk[0]]) * len(GRID[walk[1]]))
    both = (own, (8, 5, 8)) if player == 0 else ((8, 5, 8), own)
    state = after(fs.load("princess_and_monster(time=3)"), *itertools.chain(*zip(*both, strict=True)))
    draws, rng = Counter(), generator(3)
    for _ in range(20_000):
        state.resample(player, rng)
        draws[walks_of(state)[1 - player]] += 1
    assert set(draws) == set(alike)
    total = sum(alike.values())
    assert sum(abs(w / total - draws[walk] / draws.total()) for walk, w in alike.items()) / 2 < 0.03


def walks_of(state):
    """Where both have been, by what the full view shows."""
    lines = state.show().splitlines()[1:]
    return [tuple(3 * (int(name[1]) - 1) + "abc".index(name[0]) for name in line.split()[1:]) for line in lines]


def test_a_flight_that_hardly_ever_succeeds_is_redrawn_all_the_same():
    """On a triangle each must move to the one free node; at random they do so for 29 rounds once in 2^58 times."""
    state = after(fs.load("princess_and_monster(graph=circle,size=3,time=30)"), 0, 1)
    monster, princess, free = 0, 1, 2
    for _ in range(29):
        monster, free = free, monster
        state.play(monster)
        princess, free = free, princess
        state.play(princess)
    assert not state.over
    for player in range(2):
        drawn = state.copy()
        drawn.resample(player, generator(1))
        assert drawn.key(player) == state.key(player)
        assert drawn.show() == state.show()


def test_a_grid_too_large_is_refused():
    with pytest.raises(fs.SpecError, match="a grid of 8 by 8 nodes is too large"):
        fs.load("princess_and_monster(size=8)")


def histories(near, moves):
    """Pairs of walks up to their meeting, by where both are: the number of them, and of those at an end."""
    there = {(a, b): 1 for a in NODES for b in NODES}
    size, ends = 81, 0
    for moved in range(moves):
        then = {}
        for (a, b), n in there.items():
            for pair in [(to, b) for to in near[a]] if moved % 2 == 0 else [(a, to) for to in near[b]]:
                then[pair] = then.get(pair, 0) + n
        size += sum(then.values())
        ends += sum(n for (a, b), n in then.items() if a == b)
        there = {pair: n for pair, n in then.items() if pair[0] != pair[1]}
    return size, ends + sum(there.values())


def sets(near, moves):
    """Information sets: a player's own walks with which it may be to move, by where the other can be then."""
    count = 0
    for player in range(2):
        known = [(node, set(NODES)) for node in NODES]
        for moved in range(moves):
            if moved % 2 == player:
                count += len(known)
                known = [(to, left) for node, where in known for to in near[node] if (left := where - {to})]
            else:
                seen = [(node, set().union(*(near[other] for other in where)) - {node}) for node, where in known]
                known = [(node, where) for node, where in seen if where]
    return count


@pytest.mark.parametrize(("stay", "near"), [("no", GRID), ("yes", STAY)])
@pytest.mark.parametrize("time", [1, 2])
def test_the_tree_has_as_many_histories_and_sets_as_are_counted(stay, near, time):
    tree = fs.unroll(f"princess_and_monster(start=any,last=monster,stay={stay},time={time})")
    size, ends = histories(near, 2 * time + 1)
    assert (tree.size, tree.terminals, tree.infosets) == (1 + 9 + size, ends, sets(near, 2 * time + 1))


def test_the_nearest_to_the_printed_size_is_as_large_as_told():
    # printed: about 91.4 million histories and 20 thousand information sets
    assert (1 + 9 + histories(STAY, 11)[0], sets(STAY, 11)) == (91_803_132, 11_923)
    assert (1 + 9 + histories(GRID, 15)[0], sets(GRID, 15)) == (92_184_195, 25_738)


def test_nobody_is_caught_before_the_first_move():
    start = after("princess_and_monster(start=any,stay=yes)", 4, 4)
    assert start.actor == 0
    assert start.moves() == [1, 3, 4, 5, 7]
    start.play(4)
    assert start.payoff() == [5, -5]
    assert not after("princess_and_monster(start=any)", 4, 4, 1).over


def test_the_monster_moves_once_more_when_time_is_up():
    told = after("princess_and_monster(last=monster,time=1)", 0, 8, 1, 5)
    assert (told.actor, told.view.moved) == (0, 2)
    assert after("princess_and_monster(last=monster,time=1)", 0, 8, 1, 5, 2).payoff() == [-1, 1]
    assert after("princess_and_monster(last=monster,time=1)", 0, 5, 1, 2, 2).payoff() == [1, -1]


@pytest.mark.parametrize(
    ("given", "ranges"),
    {
        "time=2": ((-2, 3), (-3, 2)),
        "time=2,start=any,last=monster": ((-2, 3), (-3, 2)),
        "time=2,start=opposite": ((-2, 2), (-2, 2)),
        "time=1,start=opposite": ((-1, -1), (1, 1)),
        "time=1,start=opposite,last=monster": ((-1, -1), (1, 1)),
        "graph=circle,size=6,start=opposite,time=1,last=monster": ((-1, 1), (-1, 1)),
    }.items(),
)
def test_what_is_at_stake_is_what_can_be_reached(given, ranges):
    tree = fs.unroll(f"princess_and_monster({given})")
    assert tree.game.about.ranges == ranges
    assert tree.utility == tree.game.about.utility
    own = [(pays.min(), pays.max()) for pays in (tree.pay / tree.reach[:, None]).T]
    assert np.array(own) == pytest.approx(np.array(ranges))
