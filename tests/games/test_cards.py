"""Cards: tricks, names, and hidden cards that are dealt again as often in each way that fits."""

from collections import Counter

import pytest
from card_games import every_deal
from positions import generator

from fogspiel.games.toolkit.cards import (
    CLUBS,
    DECK,
    DIAMONDS,
    HEARTS,
    SPADES,
    SUIT,
    beats,
    choose,
    deal_card,
    face,
    following,
    hand_text,
    list_cards,
    name,
    names,
    share,
)


def cards(*wanted):
    return sum(1 << card for card in range(52) if name(card) in wanted)


def number(wanted):
    return next(card for card in range(52) if name(card) == wanted)


def test_suits_are_sets_of_thirteen_cards_in_order():
    assert CLUBS | DIAMONDS | HEARTS | SPADES == DECK
    assert names(SUIT[number("QS")]) == [rank + "S" for rank in "23456789TJQKA"]
    assert (name(0), name(51), face(8), face(51)) == ("2C", "AS", "10♣", "A♠")
    assert hand_text(cards("QS", "2S", "TD")) == "♠ Q2  ♥ -  ♣ -  ♦ T"


def test_cards_are_listed_from_the_lowest():
    out = [0] * 16
    assert list_cards(cards("2C", "5D", "9H", "TH", "AS"), out) == 5
    assert [name(card) for card in out[:5]] == ["2C", "5D", "9H", "TH", "AS"]


def test_suit_is_followed_by_who_can():
    hand = cards("2C", "KC", "5D")
    assert following(hand, CLUBS) == cards("2C", "KC")
    assert following(hand, HEARTS) == hand == following(hand, 0)


@pytest.mark.parametrize(
    ("card", "best", "taken"),
    [
        ("KC", "QC", True),
        ("2C", "QC", False),
        ("AD", "QC", False),
        ("2S", "AC", True),
        ("3S", "2S", True),
        ("AC", "2S", False),
    ],
)
def test_a_trick_goes_to_the_highest_trump_or_the_highest_card_of_the_suit_led(card, best, taken):
    assert beats(number(card), number(best), CLUBS, SPADES) == taken


def test_the_next_card_of_a_deal_goes_to_each_in_proportion_to_what_it_lacks():
    out, prob = [0] * 4, [0.0] * 4
    assert deal_card([0b0011, 0b0100, 0b11000], (4, 2, 2), 3, out, prob) == 2
    assert out[:2] == [0, 1]
    assert prob[:2] == pytest.approx([2 / 3, 1 / 3])


def drawn_equally(draw, expected, each=150):
    """Whether `draw` gives each of the expected results about `each` times."""
    found = Counter(draw() for _ in range(each * len(expected)))
    assert set(found) == set(expected)
    assert max(found.values()) < each + 6 * each**0.5
    assert min(found.values()) > each - 6 * each**0.5


@pytest.mark.parametrize("k", [0, 1, 3, 4, 5, 7, 8])
def test_every_choice_of_cards_is_as_likely(k):
    rng = generator(k)
    held = cards("2C", "9C", "3D", "7D", "5H", "KH", "2S", "AS")
    drawn_equally(lambda: choose(held, k, rng), {hand[0] for hand in every_deal(listed(held), [k])})


def test_a_choice_of_half_a_deck_holds_each_card_as_often():
    rng = generator(5)
    held = Counter(card for _ in range(2000) for card in listed(choose(DECK, 17, rng)))
    assert min(held.values()) > 2000 * 17 / 52 - 150
    assert max(held.values()) < 2000 * 17 / 52 + 150


def listed(held):
    return [card for card in range(52) if held >> card & 1]


@pytest.mark.parametrize(
    ("sizes", "cannot"),
    [
        ((2, 2, 3), (0, 0, 0)),
        ((2, 2, 3), (CLUBS, 0, 0)),
        ((3, 2, 2), (0, CLUBS, HEARTS)),
        ((2, 3, 2), (SPADES, CLUBS, HEARTS)),
        ((2, 3, 2), (SPADES, SPADES, HEARTS)),
        ((3, 3, 1), (DIAMONDS | SPADES, CLUBS, cards("2H"))),
        ((0, 4, 3), (CLUBS, HEARTS, 0)),
        ((1, 1, 5), (0, DECK ^ cards("5D"), cards("5D"))),
    ],
)
def test_hidden_cards_are_shared_in_every_way_that_fits_as_often(sizes, cannot):
    hidden, rng = cards("2C", "9C", "5D", "2H", "KH", "2S", "AS"), generator(7)
    fitting = [
        hands
        for hands in every_deal(listed(hidden), sizes)
        if not any(hand & never for hand, never in zip(hands, cannot, strict=True))
    ]
    assert fitting
    drawn_equally(lambda: share(hidden, *sizes, *cannot, rng), fitting, 60)
