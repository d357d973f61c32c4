"""Dominion: hands, cards, turns and the end; what searches are told."""

import math

import pytest
from hints import ask, assert_rising, guided
from positions import after, child, solved

import fogspiel as fs
from fogspiel import CHANCE
from fogspiel.games import dominion


def hand(s, **cards):
    """Give the player to move just these cards to hand, with an empty deck and discards, ready to act."""
    view = s.view
    for card in range(dominion.KINDS):
        view.hand[card] = cards.get(dominion.NAMES[card].replace(" ", "_"), 0)
        view.deck[card] = view.discard[card] = view.played[card] = 0
    view.draw, view.drawing, view.again, view.buys, view.coins = 0, 0, 1, 1, 0
    view.phase = dominion.ACTING
    return s


def card(name):
    return dominion.NAMES.index(name)


def pile(s, name):
    cards = getattr(s.view, name)
    return {dominion.NAMES[i]: cards[i] for i in range(dominion.KINDS) if cards[i]}


@pytest.mark.parametrize(("turns", "value"), [(1, 3 + 11 / 12 + 3 / 12), (2, 3 + (42 * 4 + 210 * 2) / 252)])
def test_the_first_turns_of_dominion_have_the_value_of_a_count_by_hand(turns, value):
    """A hand has 5 Coppers for a Duchy with probability 21/252, otherwise enough for an Estate; then the others
    follow."""
    assert solved(f"dominion(players=1,turns={turns},actions=0)") == pytest.approx(value)


def test_the_first_hand_of_dominion_is_five_of_ten_cards():
    hands, todo = {}, [(fs.load("dominion").start(), 1.0)]
    while todo:
        s, p = todo.pop()
        if s.actor == CHANCE:
            todo += [(child(s, move), p * q) for move, q in s.chance()]
        else:
            hands[s.view.hand[dominion.COPPER]] = hands.get(s.view.hand[dominion.COPPER], 0) + p
    assert hands == pytest.approx({n: math.comb(7, n) * math.comb(3, 5 - n) / 252 for n in range(2, 6)})


@pytest.mark.parametrize(
    ("name", "cards", "actions", "buys", "coins"),
    [
        ("Smithy", 3, 0, 1, 0),
        ("Village", 1, 2, 1, 0),
        ("Market", 1, 1, 2, 1),
        ("Laboratory", 2, 1, 1, 0),
        ("Festival", 0, 2, 2, 2),
        ("Moat", 2, 0, 1, 0),
        ("Woodcutter", 0, 0, 2, 2),
        ("Council Room", 4, 0, 2, 0),
    ],
)
def test_actions_do_what_their_cards_say(name, cards, actions, buys, coins):
    s = hand(after("dominion"), **{name.replace(" ", "_"): 1, "Moat": 1 + (name == "Moat")})
    s.view.deck[dominion.COPPER] = 9
    s.play(card(name) + 1)
    assert (s.view.draw, s.view.again if actions else 0, s.view.buys, s.view.coins) == (cards, actions, buys, coins)
    for _ in range(cards):
        assert s.chance() == [(dominion.COPPER, 1.0)]
        s.play(dominion.COPPER)
    assert s.view.hand[dominion.COPPER] == cards
    assert s.view.phase == (dominion.ACTING if actions else dominion.BUYING)
    assert pile(s, "played") == {name: 1}


def test_the_workshop_gains_and_the_moneylender_trades_a_copper_for_three():
    s = hand(after("dominion"), Workshop=1, Copper=2)
    s.play(card("Workshop") + 1)
    assert {dominion.NAMES[move - 1] for move in s.moves()} == {
        "Copper",
        "Silver",
        "Estate",
        "Smithy",
        "Village",
        "Moat",
        "Woodcutter",
        "Workshop",
        "Moneylender",
    }
    s.play(card("Smithy") + 1)
    assert pile(s, "discard") == {"Smithy": 1}
    assert (s.view.phase, dominion.money(s.view)) == (dominion.BUYING, 2)
    t = hand(after("dominion"), Moneylender=1, Copper=2)
    t.play(card("Moneylender") + 1)
    assert (pile(t, "hand"), dominion.money(t.view)) == ({"Copper": 1}, 4)


def test_cards_are_bought_for_money_and_all_are_discarded_and_shuffled_again():
    s = hand(after("dominion(players=1)"), Gold=2, Silver=1, Festival=1)
    s.play(card("Festival") + 1)
    assert (dominion.money(s.view), s.view.buys) == (10, 2)
    s.play(card("Province") + 1)
    assert (dominion.money(s.view), s.view.supply[dominion.PROVINCE]) == (2, 7)
    assert {dominion.NAMES[move - 1] for move in s.moves() if move} == {"Copper", "Estate", "Moat"}
    s.play(card("Estate") + 1)
    assert (s.actor, s.view.left) == (CHANCE, 19)
    assert dict(s.chance()) == pytest.approx(
        {
            card("Gold"): 2 / 6,
            card("Silver"): 1 / 6,
            card("Festival"): 1 / 6,
            card("Estate"): 1 / 6,
            card("Province"): 1 / 6,
        }
    )
    assert dominion.points(s.view, 0) == 7


def test_dominion_ends_with_the_provinces_or_three_stacks_of_actions():
    for last, empty, over in [
        ("Province", (), True),
        ("Moat", ("Smithy", "Village"), True),
        ("Moat", ("Smithy",), False),
    ]:
        s = hand(after("dominion"), Gold=3)
        for name in empty:
            s.view.supply[card(name)] = 0
        s.view.supply[card(last)] = 1
        s.view.phase = dominion.BUYING
        s.play(card(last) + 1)
        assert s.over == over
        if last == "Province":
            assert s.payoff() == [1, -1]  # 6 points against 3 Estates


def test_each_player_of_dominion_has_its_turns():
    s, turns = fs.load("dominion(turns=3)").start(), []
    while not s.over:
        if s.actor == CHANCE:
            s.play(s.moves()[0])
        else:
            turns.append(s.actor)
            s.play(dominion.END)
    assert turns == [0, 1] * 3
    assert s.payoff() == [0, 0]


def chance_of_eight(s):
    """The probability that what is still to be drawn makes 8 money, by drawing everything."""
    if s.view.draw == 0:
        return float(dominion.money(s.view) >= 8)
    return sum(p * chance_of_eight(child(s, move)) for move, p in s.chance())


@pytest.mark.parametrize(
    ("deck", "discard"), [((4, 3, 2, 3), (2, 1, 0, 0)), ((1, 1, 0, 0), (3, 1, 2, 2)), ((1, 0, 1, 0), (1, 0, 0, 0))]
)
def test_the_covariate_of_dominion_follows_the_chance_of_money_for_a_province(deck, discard):
    """Also where the deck runs out while cards are drawn, and where there are too few."""
    s = hand(after("dominion(players=1)"), Council_Room=1, Silver=2)
    for kind in range(4):
        s.view.deck[kind], s.view.discard[kind] = deck[kind], discard[kind]
    s.play(card("Council Room") + 1)
    todo, nodes = [s], 0
    while todo:
        s = todo.pop()
        if s.actor == CHANCE:
            before = chance_of_eight(s)
            for move, _ in s.chance():
                assert ask(s, "covariate", move) == pytest.approx(chance_of_eight(child(s, move)) - before, abs=1e-12)
                todo.append(child(s, move))
                nodes += 1
    assert nodes > 3
    assert all(ask(after("dominion"), "covariate", move) == 0 for move in after("dominion").moves())


def test_the_default_policy_of_dominion_prefers_dear_cards_and_actions_that_give_another():
    s = hand(after("dominion"), Smithy=1, Market=1, Village=1, Moneylender=1)
    assert guided(s) == pytest.approx({card("Village") + 1: 3 / 8, card("Market") + 1: 5 / 8})
    s = hand(after("dominion"), Smithy=1, Moneylender=1)
    assert guided(s) == {card("Smithy") + 1: 1.0}
    s = hand(after("dominion"), Moneylender=1)
    assert guided(s) == {dominion.END: 1.0}
    s = hand(after("dominion"), Silver=2)
    s.view.phase = dominion.BUYING
    costs = {
        "Silver": 9,
        "Estate": 4,
        "Smithy": 16,
        "Village": 9,
        "Moat": 4,
        "Woodcutter": 9,
        "Workshop": 9,
        "Moneylender": 16,
    }
    assert guided(s) == pytest.approx({card(name) + 1: c / sum(costs.values()) for name, c in costs.items()})
    s = hand(after("dominion"), Silver=2, Smithy=1)
    s.view.phase = dominion.BUYING
    assert set(guided(s)) == {card(name) + 1 for name in ("Silver", "Estate", "Village")}


@pytest.mark.parametrize("game", ["dominion(players=1,turns=2,actions=2,victory=1)", "dominion(players=1,turns=1)"])
def test_dominion_alone_keeps_the_promises_of_every_game(game):
    report = fs.check(fs.load(game), playouts=100, histories=3000)
    assert report.ok, "\n".join(map(str, report.failures))


def test_guesses_rise_with_money_and_with_points():
    assert_rising(*(hand(after("dominion"), Copper=5, Gold=n) for n in range(3)))
    assert_rising(*(hand(after("dominion(players=1,turns=1)"), Copper=5, Province=n) for n in range(4)))
