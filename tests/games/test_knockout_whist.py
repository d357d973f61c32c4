"""Knockout whist by the rule book: who is out, who names trumps, who leads; hidden hands redrawn as often."""

from collections import Counter
from itertools import pairwise

import pytest
from card_games import at_decision, every_deal
from positions import generator, load, random_states

import fogspiel as fs
from fogspiel.games.knockout_whist import CALL, CALLING, CUTTING, DEALING, FINISHED, PLAYING, TURNING
from fogspiel.games.toolkit.cards import SUIT


def rounds(players, seed):
    """The states in which the rounds of a random game are dealt, and its last one."""
    found = []
    for s in random_states(load(f"knockout_whist(players={players})"), 1, seed):
        if s.over or (s.view.phase == DEALING and s.view.made == 0):
            found.append(s)
    return found


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_rounds_have_a_card_less_and_who_took_no_trick_is_out(players):
    for seed in range(5):
        *dealt, last = rounds(players, seed)
        for r, s in enumerate(dealt):
            assert {size for size in s.view.size[:players] if size} == {7 - r}
        for before, after in pairwise(dealt):
            still_in = {i for i in range(players) if after.view.size[i]}
            assert still_in <= {i for i in range(players) if before.view.size[i]}
            assert after.view.caller in still_in
            assert after.view.left == len(still_in) > 1
        winner = last.payoff().index(players - 1)
        assert last.payoff() == [players - 1 if i == winner else -1 for i in range(players)]
        assert last.view.taken[winner] == sum(last.view.taken)


def test_who_took_most_tricks_names_trumps_and_equals_cut():
    cuts = calls = 0
    for s in random_states(load("knockout_whist(players=3)"), 40, 1):
        v = s.view
        if v.phase == CUTTING:
            best = [i for i in range(3) if v.taken[i] == max(v.taken)]
            assert s.chance() == [(i, pytest.approx(1 / len(best))) for i in best]
            assert len(best) > 1
            cuts += 1
        elif v.phase == CALLING:
            assert s.actor == v.caller
            assert s.moves() == [CALL, CALL + 1, CALL + 2, CALL + 3]
            calls += 1
        elif v.phase == TURNING:
            assert len(s.chance()) == 52 - 3 * 7
    assert cuts > 5
    assert calls > 40


def test_trumps_that_were_named_take_tricks():
    s = at_decision("knockout_whist(players=2)", 1, lambda s: s.view.phase == CALLING)
    for suit in range(4):
        t = s.copy()
        t.play(CALL + suit)
        assert t.view.trumps == SUIT[13 * suit]
        assert t.actor == t.view.leader


def test_the_lead_of_a_round_goes_around_those_who_are_not_out():
    for seed in range(6):
        *dealt, _ = rounds(5, seed)
        for before, after in pairwise(dealt):
            following = [(before.view.leader + k) % 5 for k in range(1, 6)]
            assert after.view.leader == next(i for i in following if after.view.size[i])


@pytest.mark.parametrize(("players", "cards", "made"), [(3, 3, 5), (4, 2, 5), (5, 2, 7)])
def test_hidden_hands_are_redrawn_in_every_way_that_fits_as_often(players, cards, made):
    """With all but two of the cards left over known, so that there are few deals."""
    spec = f"knockout_whist(players={players},cards={cards})"
    s = at_decision(spec, 3, lambda s: s.view.phase == PLAYING and s.view.made == made and s.view.left == players)
    v, me = s.view, s.actor
    while bin(v.hand[players]).count("1") > 2:
        v.hand[players] &= v.hand[players] - 1
    others = [i for i in range(players + 1) if i != me]
    hidden = [card for card in range(52) if any(v.hand[i] >> card & 1 for i in others)]
    fitting = {
        dealt
        for dealt in every_deal(hidden, [bin(v.hand[i]).count("1") for i in others])
        if not any(hand & v.cannot[i] for i, hand in zip(others, dealt, strict=True))
    }
    rng, drawn = generator(players), Counter()
    for _ in range(100 * len(fitting)):
        t = s.copy()
        t.resample(me, rng)
        drawn[tuple(t.view.hand[i] for i in others)] += 1
    assert set(drawn) == fitting
    assert min(drawn.values()) > 40
    assert max(drawn.values()) < 160


def test_too_many_cards_are_refused_and_the_end_tells_nothing_more():
    with pytest.raises(fs.SpecError, match="52 cards are too few for 7 players with 8 each and a trump"):
        load("knockout_whist(players=7,cards=8)")
    *_, last = random_states(load("knockout_whist"), 1, 2)
    assert last.view.phase == FINISHED
    assert len({last.key(i) for i in range(4)}) == 1
