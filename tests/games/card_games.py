"""What the tests of card games share: deals as the games and OpenSpiel tell them, and hidden cards dealt in every
possible way."""

import random
from itertools import combinations

from positions import load

from fogspiel import CHANCE


def deal(s, hands):
    """Deal these hands, sets of cards, from a state in which the deck is about to be dealt; other cards go to the last
    holder."""
    for card in range(52):
        s.play(next((i for i, hand in enumerate(hands) if hand >> card & 1), len(hands)))
    return s


def in_turn(hands):
    """The cards of hands of equal size in the order of OpenSpiel's deal, one a player in turn."""
    lists = [[card for card in range(52) if hand >> card & 1] for hand in hands]
    return [card for cards in zip(*lists, strict=True) for card in cards]


def at_decision(spec, seed, wanted):
    """A state of a random game in which a player moves and `wanted` holds."""
    rng = random.Random(seed)
    while True:
        s = load(spec).start()
        while not s.over:
            if s.actor != CHANCE and wanted(s):
                return s
            s.play(rng.choices(*zip(*s.chance(), strict=True))[0] if s.actor == CHANCE else rng.choice(s.moves()))


def every_deal(cards, sizes):
    """All ways to deal a list of cards into hands of these sizes, as tuples of sets."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in every_deal(rest, sizes[1:]):
            yield (sum(1 << card for card in chosen), *others)
