"""Hands of games in which suits do not count: how many cards of each rank there are.

A hand is one whole number. Bit 16 * (k - 1) + r is set if it holds at least k cards of rank r: four sets of up to 15
ranks, one above another, so that "all ranks of which I hold a pair" is one of the sets, and the runs among them take a
few shifts.
"""

from fogspiel.game import count_bits, lowest_bit, pick

PILES = 3
RANKS = (1 << 15) - 1
UP_TO = (0, 0x1, 0x10001, 0x100010001, 0x1000100010001)
"""None to four cards of rank 0."""
EACH = UP_TO[4]


def holding(hand, k):
    """The set of ranks of which a hand has at least k cards, 1 to 4."""
    return hand >> 16 * (k - 1) & RANKS


def cards_of(rank, count):
    """A hand of so many cards of a rank, none to four."""
    return UP_TO[count] << rank


def count_of(hand, rank):
    return count_bits(hand >> rank & EACH)


def without(hand, ranks, count):
    """The hand with so many cards less of each rank of a set."""
    gone = ranks * EACH
    for _ in range(count):
        hand = (hand & ~gone) | (hand >> 16 & gone)
    return hand


def runs(ranks, length):
    """Where in a set of ranks so many come in a row: the set of the lowest of each run."""
    for _ in range(length - 1):
        ranks &= ranks >> 1
    return ranks


def splits(count, room, out, prob):
    """All ways to deal the cards of a rank to three piles, as digits, with how likely each is where `room` cards are
    still to come to each pile, all orders of the deck being as likely. Returns how many ways there are."""
    total = ways(room[0] + room[1] + room[2], count)
    n = 0
    for first in range(min(count, room[0]) + 1):
        for second in range(min(count - first, room[1]) + 1):
            third = count - first - second
            if third <= room[2]:
                out[n] = 100 * first + 10 * second + third
                prob[n] = ways(room[0], first) * ways(room[1], second) * ways(room[2], third) / total
                n += 1
    return n


def ways(n, k):
    """How many sets of k there are among n, as a real."""
    total = 1.0
    for i in range(k):
        total = total * (n - i) / (i + 1)
    return total


def part(move, pile):
    """How many cards a pile gets in one of `splits`."""
    return move // 10 ** (PILES - 1 - pile) % 10


def redeal(one, other, size, total, rng):
    """The cards of two hands dealt anew, every deal as likely, where the first is to have `size` cards and both
    together `total`."""
    mine, rest = 0, 0
    ranks = (one | other) & RANKS
    while ranks:
        rank = lowest_bit(ranks)
        ranks &= ranks - 1
        cards = count_of(one, rank) + count_of(other, rank)
        got = 0
        for _ in range(cards):
            if pick(rng, total) < size - got:
                got += 1
            total -= 1
        size -= got
        mine |= cards_of(rank, got)
        rest |= cards_of(rank, cards - got)
    return mine, rest


def letters(hand, names):
    """A hand in writing, such as 3345TB."""
    return "".join(names[rank] * count_of(hand, rank) for rank in range(len(names)))


def faces(cards):
    """The names of cards in writing, one letter a card, as pictures want them: nothing for one that is not seen,
    "?"."""
    return ["" if name == "?" else name for name in cards]
