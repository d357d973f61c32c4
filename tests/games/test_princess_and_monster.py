"""Princess and monster at the size of Lanctot 2013, sec. 3.1.5, counted without unrolling: start=any and last=monster."""

import numpy as np
import pytest
from positions import after

import fogspiel as fs

NODES = range(9)
GRID = {a: {b for b in NODES if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1} for a in NODES}
STAY = {a: {a} | near for a, near in GRID.items()}


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
