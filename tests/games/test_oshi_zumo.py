"""Oshi-Zumo: the histories that Lisý 2014 counts, play as in OpenSpiel, bids seen once both are made."""

import random

import pytest
from positions import after, child

import fogspiel as fs


def test_oshi_zumo_has_the_histories_of_each_depth_that_lisy_2014_counts():
    level, totals = {(): (1, fs.load("oshi_zumo").start())}, []
    while level:
        totals.append(sum(n for n, _ in level.values()))
        below = {}
        for n, s in level.values():
            for mine in s.moves():
                pending = child(s, mine)
                for yours in pending.moves():
                    t = child(pending, yours)
                    if not t.over:
                        position = (*t.view.purse, t.view.wrestler)
                        below[position] = (below.get(position, (0,))[0] + n, t)
        level = below
    assert totals == [1, 99, 2016, 14784, 48546, 79926, 69938, 33538, 8351, 861]


@pytest.mark.parametrize(("coins", "size", "minimum"), [(10, 3, 1), (50, 3, 1), (17, 2, 5), (9, 1, 2), (6, 4, 6)])
def test_oshi_zumo_plays_and_pays_as_in_openspiel(coins, size, minimum):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"oshi_zumo(alesia=false,coins={coins},size={size},min_bid={minimum},horizon=100000)")
    ours = fs.load("oshi_zumo", coins=coins, size=size, minimum=minimum)
    rng = random.Random(2014)
    for _ in range(200):
        s, t = ours.start(), theirs.new_initial_state()
        while not s.over:
            bids = []
            for player in range(2):
                assert s.actor == player
                assert s.moves() == t.legal_actions(player)
                bids.append(rng.choice([*s.moves(), s.moves()[0]]))
                s.play(bids[-1])
            t.apply_actions(bids)
        assert t.is_terminal()
        assert s.payoff() == t.returns()


def test_bids_of_oshi_zumo_are_seen_once_both_are_made():
    assert after("oshi_zumo", 3).key(1) == after("oshi_zumo", 4).key(1)
    assert after("oshi_zumo", 3).key(0) != after("oshi_zumo", 4).key(0)
    assert len({after("oshi_zumo", a, b).key(p) for a in (3, 4) for b in (3, 4) for p in (0, 1)}) == 4


def test_a_minimum_bid_that_nobody_can_pay_is_refused():
    with pytest.raises(fs.SpecError, match="minimum bid"):
        fs.load("oshi_zumo(coins=3,minimum=4)")
