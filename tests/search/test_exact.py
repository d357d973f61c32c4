"""Exact players of small games (Whitehouse 2014, sec. 5.1.2) against their definitions, written down plainly."""

import math
import random

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.exact import Possible
from fogspiel.belief.record import Record
from fogspiel.evaluate.every_deal import every_deal
from fogspiel.games.mini_dou_di_zhu import NAMES
from fogspiel.games.toolkit.ranks import letters
from fogspiel.search.expectimax import expectimax
from fogspiel.search.lookahead import Minimax

GAME = "mini_dou_di_zhu"


def child(state, move):
    after = state.copy()
    after.play(move)
    return after


def position(seed, moves):
    """A state of Mini Dou Di Zhu after so many random moves, and what both players saw."""
    generator, state, records = random.Random(seed), fs.load(GAME).start(), [Record(0), Record(1)]

    def step(move):
        if state.actor >= 0:
            records[state.actor].own.append(move)
        state.play(move)
        for record in records:
            record.see(state)

    for record in records:
        record.see(state)
    while state.actor == fs.CHANCE:
        outcomes, odds = zip(*state.chance(), strict=True)
        step(generator.choices(outcomes, odds)[0])
    for _ in range(moves):
        if state.over or len(state.moves()) == 0:
            break
        step(generator.choice(sorted(state.moves())))
    return state, records


def mistake_seeking(state, epsilon):
    """The negamax of sec. 5.1.2, for the player to move."""
    if state.over:
        return None
    values = []
    for move in state.moves():
        after = child(state, move)
        if after.over:
            values.append(after.payoff()[state.actor])
        else:
            below = mistake_seeking(after, epsilon)
            values.append(below if after.actor == state.actor else -below)
    return max(values) + epsilon * sum(values) / len(values)


@pytest.mark.parametrize("seed", range(4))
def test_minimax_seeks_mistakes_as_defined_and_never_at_the_price_of_a_point(seed):
    state, _ = position(seed, 7)
    if state.over:
        return
    found = {}
    for epsilon in (0.0, 1e-4):
        search = Minimax(state.game, "nothing", horizon="end", mistakes=epsilon)
        found[epsilon] = search.look(state, nodes=10**7)
        assert found[epsilon].value == pytest.approx(mistake_seeking(state, epsilon), abs=1e-12)
    assert np.sign(found[1e-4].value) == np.sign(found[0.0].value)
    best = child(state, found[1e-4].move)
    kept = best.payoff()[state.actor] if best.over else -mistake_seeking(best, 0.0)
    assert kept == found[0.0].value


def unseen_deals(state, me):
    """How many deals of the single cards that a player does not see give the other this hand."""
    theirs, put_by = letters(state.view.hand[1 - me], NAMES), letters(state.view.hand[2], NAMES)
    return math.prod(math.comb((theirs + put_by).count(name), theirs.count(name)) for name in NAMES)


def information_set_value(worlds, me):
    """The two equations of sec. 5.1.2, over states with weights; after another's move, every deal of unseen cards is as
    likely."""
    who = worlds[0][0].actor
    if who == fs.OVER:
        return worlds[0][0].payoff()[me]
    if who == me:
        return max(information_set_value([(child(s, move), w) for s, w in worlds], me) for move in worlds[0][0].moves())
    sets = {}
    for s, _ in worlds:
        for move in s.moves():
            after = child(s, move)
            sets.setdefault((after.key(me), after.over), []).append((after, unseen_deals(after, me)))
    value = {name: information_set_value(some, me) for name, some in sets.items()}
    worst = [(w, min(value[a.key(me), a.over] for a in (child(s, m) for m in s.moves()))) for s, w in worlds]
    return sum(w * v for w, v in worst) / sum(w for w, _ in worst)


@pytest.mark.parametrize("seed", [5, 3, 1])
def test_information_sets_that_come_about_in_several_ways_are_worth_the_same(seed):
    state, records = position(seed, 6)
    me = state.actor
    states, weights = Possible(state.game, me, 10**6).at(records[me])
    worlds = list(zip(states, weights.tolist(), strict=True))
    plain = {m: information_set_value([(child(s, m), w) for s, w in worlds], me) for m in state.moves()}
    assert expectimax(state.game, records[me], 10**8) == pytest.approx(plain, abs=1e-12)


def test_of_what_is_possible_every_deal_of_unseen_cards_is_as_likely():
    state, records = position(8, 5)
    me = state.actor
    states, weights = Possible(state.game, me, 10**6).at(records[me])
    assert {s.key(me) for s in states} == {state.key(me)}
    deals = np.array([unseen_deals(s, me) for s in states])
    assert weights == pytest.approx(deals / deals.sum(), abs=1e-12)
    hands = [tuple(s.view.hand) for s in states]
    assert tuple(state.view.hand) in hands
    assert len(set(hands)) == len(hands)


def kuhn_after(*moves):
    state, record = fs.load("kuhn").start(), Record(1)
    record.see(state)
    for move in moves:
        state.play(move)
        record.see(state)
    return state, record


def test_a_deterministic_model_leaves_out_what_the_opponent_would_not_have_done():
    """A first player who bets the king alone has no king if it passes, and nothing else if it bets."""
    bets_the_king = lambda state, record: int(state.view.card[0] == 2)  # noqa: E731
    for move, cards in ((0, {0}), (1, {2})):
        state, record = kuhn_after(2 if move else 0, 1, move)
        states, weights = Possible(state.game, 1, 1000, bets_the_king).at(record)
        assert {s.view.card[0] for s in states} == cards
        assert weights == pytest.approx([1.0])


def test_a_model_that_everything_contradicts_is_not_believed():
    state, record = kuhn_after(0, 1, 1)
    states, weights = Possible(state.game, 1, 1000, lambda state, record: 0).at(record)
    assert {s.view.card[0] for s in states} == {0, 2}
    assert weights == pytest.approx([0.5, 0.5])


def test_every_deal_is_played_once_with_its_probability():
    """Minimax against itself with all seen: what each deal is worth is known before it is played."""
    exact = "cheating-minimax(ties=first)"
    gained = every_deal("kuhn", [exact, exact])
    assert gained[0] == pytest.approx(-gained[1])
    search = Minimax(fs.load("kuhn"), "nothing", horizon="end")
    worth = [search.look(kuhn_after(a, b)[0]).value for a in range(3) for b in range(3) if a != b]
    assert gained[0] == pytest.approx(sum(worth) / 6)


def test_inference_helps_against_the_opponent_that_is_taken_for_granted():
    """Whitehouse 2014, sec. 5.1.2, on one deal of 250: what the correct model is worth to determinized minimax."""
    cheat = "cheating-minimax(ties=first)"
    plain, infers = (
        every_deal(GAME, [f"pimc-minimax(ties=first,model={model})", cheat], step=250)[0]
        for model in ("none", "cheating-minimax")
    )
    assert infers > plain + 0.2
