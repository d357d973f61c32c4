"""Liar's coins: bids and calls by example, what one coin each is worth, who knows which coins."""

import itertools
from collections import Counter
from math import comb

import pytest
from positions import after, every_history, generator

import fogspiel as fs
from fogspiel import PUBLIC

CALL = 0


def test_a_bid_is_higher_than_the_last_and_can_be_called():
    s = after("liars_coins(players=3,coins=2)", 0, 1, 2)
    assert s.moves() == [1, 2, 3, 4, 5, 6]
    s.play(3)
    assert (s.actor, s.moves()) == (1, [CALL, 4, 5, 6])
    s.play(6)
    assert (s.actor, s.moves()) == (2, [CALL])


@pytest.mark.parametrize(("bid", "pays"), [(3, [1, -1, 0]), (4, [-1, 1, 0])])
def test_a_bid_that_holds_wins_from_the_caller(bid, pays):
    assert after("liars_coins(players=3,coins=2)", 0, 1, 2, bid, CALL).payoff() == pays


def test_every_game_ends_with_a_call_that_is_judged_by_all_coins():
    ends = [s for s in every_history("liars_coins") if s.over]
    assert len(ends) == 3**2 * (2**4 - 1)  # three tosses each, and every set of bids but none
    for s in ends:
        bids = [b for b in range(1, 5) if s.view.bids >> b & 1]
        bidder = (len(bids) - 1) % 2
        holds = s.view.heads[0] + s.view.heads[1] >= bids[-1]
        assert s.payoff()[bidder] == (1 if holds else -1)


def test_tosses_are_as_likely_as_those_of_fair_coins():
    assert after("liars_coins(coins=5)").chance() == [(n, comb(5, n) / 32) for n in range(6)]


def test_one_coin_each_is_worth_nothing():
    # Against a bid of 1 heads can but bid 2, and tails call: both win half of the time, whatever was bid with what.
    assert fs.solve("liars_coins(coins=1)", "lp").value[0] == pytest.approx(0, abs=1e-12)


def test_coins_are_known_to_their_owner_until_a_call_shows_them():
    states = {coins: after("liars_coins", *coins, 2) for coins in itertools.product(range(3), repeat=2)}
    assert len({s.key(PUBLIC) for s in states.values()}) == 1
    assert len({s.key(0) for s in states.values()}) == len({s.key(1) for s in states.values()}) == 3
    assert len({after("liars_coins", *coins, 2, CALL).key(PUBLIC) for coins in states}) == 9


def test_resampling_tosses_the_coins_of_the_others_again():
    s, rng, drawn = after("liars_coins(coins=3)", 3, 0, 1), generator(7), Counter()
    for _ in range(8000):
        t = s.copy()
        t.resample(1, rng)
        drawn[t.view.heads[0]] += 1
    assert [drawn[n] / 1000 for n in range(4)] == pytest.approx([1, 3, 3, 1], abs=0.2)
