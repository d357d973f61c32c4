"""Mini Dou Di Zhu: the numbers of Whitehouse 2014, sec. 4.2.2 and 5.1.2, and rules by example."""

from collections import Counter
from functools import cache
from math import comb

import pytest
from positions import after, child, generator

import fogspiel as fs
from fogspiel import CHANCE
from fogspiel.games.mini_dou_di_zhu import NAMES
from fogspiel.games.toolkit.ranks import cards_of

GAME = "mini_dou_di_zhu"


def hand(text):
    return sum(cards_of(rank, text.count(name)) for rank, name in enumerate(NAMES))


@cache
def deals():
    """All states in which the cards are dealt, with how likely each is."""
    found, todo = [], [(after(GAME), 1.0)]
    while todo:
        s, odds = todo.pop()
        if s.actor == CHANCE:
            todo += [(child(s, move), odds * p) for move, p in s.chance()]
        else:
            found.append((s, odds))
    return found


def names(s):
    return [s.game.move_name(s, move) for move in s.moves()]


def then(s, *said):
    for name in said:
        s = child(s, s.moves()[names(s).index(name)])
    return s


def position(*hands):
    s = deals()[0][0].copy()
    for i, text in enumerate(hands):
        s.view.hand[i] = hand(text)
    return s


def test_there_are_8832_deals_of_which_a_player_takes_at_most_66_for_possible():
    assert len(deals()) == 8832
    assert sum(odds for _, odds in deals()) == pytest.approx(1)
    for player in range(2):
        assert max(Counter(s.key(player) for s, _ in deals()).values()) == 66


def test_a_deal_is_as_likely_as_it_is_when_cards_are_shuffled():
    for s, odds in deals()[::500]:
        piles = [[s.view.hand[i] >> rank & 0x1000100010001 for rank in range(6)] for i in range(3)]
        ways = 1
        for rank in range(6):
            left = 4 if rank < 4 else 1
            for i in range(3):
                count = piles[i][rank].bit_count()
                ways *= comb(left, count)
                left -= count
        assert odds == pytest.approx(ways / (comb(18, 7) * comb(11, 7)))


def test_with_all_cards_open_player_0_wins_seven_deals_of_ten():
    """Whitehouse 2014, sec. 4.2.2: approximately 70.7% by optimal play."""
    solution = fs.solve(f"{GAME}(cards=open)", "value-iteration")
    assert (1 + solution.value[0]) / 2 == pytest.approx(0.7071, abs=5e-5)


def test_a_lead_is_one_to_four_of_a_rank_and_only_more_of_a_higher_one_follow():
    s = position("JJJJQBR", "QQKKAAA")
    assert names(s) == ["J", "JJ", "JJJ", "JJJJ", "Q", "B", "R"]
    assert names(then(s, "JJ")) == ["QQ", "KK", "AA", "pass"]
    assert names(then(s, "JJ", "KK")) == ["pass"]
    assert names(then(s, "JJ", "KK", "pass")) == ["Q", "QQ", "A", "AA", "AAA"]
    assert names(then(s, "B")) == ["pass"]


def test_who_has_no_cards_left_wins():
    s = then(position("JK", "QQ"), "J", "Q", "pass", "Q")
    assert s.payoff() == [-1, 1]


def test_resampling_draws_every_deal_that_fits_as_often_as_it_is_dealt():
    s = deals()[4000][0]
    fitting = {t.view.hand[1]: odds for t, odds in deals() if t.key(0) == s.key(0)}
    total, rng, drawn = sum(fitting.values()), generator(8832), Counter()
    for _ in range(20_000):
        t = s.copy()
        t.resample(0, rng)
        drawn[t.view.hand[1]] += 1
    assert drawn.keys() == fitting.keys()
    for cards, odds in fitting.items():
        assert drawn[cards] == pytest.approx(20_000 * odds / total, abs=5 * (20_000 * odds / total) ** 0.5)
