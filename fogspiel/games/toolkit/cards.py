"""Playing cards: hands as sets of bits, tricks, names, and hidden cards dealt again to those who may hold them.

A card is a number 0..51, thirteen for each suit from clubs, diamonds and hearts to spades, in each from the two to the
ace; a set of cards is a word with one bit for each.
"""

import math

import numpy as np

from fogspiel.engine.primitives import coming_word, next_word, picked
from fogspiel.game import PUBLIC, count_bits, list_from, mix, nth_bit, pick, uniform

RANKS = 13
DECK = (1 << 52) - 1
CLUBS, DIAMONDS, HEARTS, SPADES = (8191 << RANKS * suit for suit in range(4))
SUIT = np.array([8191 << RANKS * (card // RANKS) for card in range(52)])
"""The set of all cards of a card's suit."""
RANK_NAMES, SUIT_NAMES, SUIT_SIGNS = "23456789TJQKA", "CDHS", "♣♦♥♠"
WAYS = np.array([[float(math.comb(n, k)) for k in range(53)] for n in range(53)])
"""In how many ways k cards can be chosen of n."""


def list_cards(cards, out):
    """Write the cards of a set into `out`, from the lowest; returns how many (`list_from`)."""
    return list_from(0, cards, out)


def suit_of(card):
    """The set of all cards of a card's suit."""
    return SUIT[card & 63]  # which says that the index is not negative, to the compiler


def following(hand, led):
    """What may be played from a hand to a trick: cards of the suit led (a set, 0 for who leads), or any card if there
    are none."""
    same = hand & led
    return same if same else hand


def beats(card, best, led, trumps):
    """Whether a card takes a trick from the best one so far: a higher one of the suit led, a higher trump, or the first
    trump."""
    if 1 << best & trumps:
        return card > best and 1 << card & trumps != 0
    return 1 << card & trumps != 0 or (card > best and 1 << card & led != 0)


def begin_trick(s):
    """Nothing lies on the table: any card may be led."""
    s.wanted = DECK
    s.trick = 0
    s.laid = 0
    s.best = -1


def lay_card(s, card):
    """The player to move lays a card to the trick; it showed that it has none of the suit led if it does not follow
    suit.

    The state has the fields `hand` and `cannot` (what players have, and what they showed they cannot have), `trumps` (a
    set), `order` (all cards played, `made` in number) and those of the trick: how many cards are laid, the cards as
    digits to the base 64, those that must be played by who has any (`wanted`), and the best one with its player (8 *
    card + player, and 512 more for a trump).
    """
    player = s.turn
    played = 1 << card
    s.cannot[player] |= 0 if played & s.wanted else s.wanted
    if s.laid == 0:
        s.wanted = suit_of(card)
    height = 512 if played & s.trumps else 0
    s.best = max(s.best, height + 8 * card + player if played & (s.wanted | s.trumps) else -1)
    s.hand[player] ^= played
    s.trick = 64 * s.trick + card + 1
    s.order[s.made] = card
    s.made += 1
    s.laid += 1


def trick_taker(s):
    """Who has laid the best card of the trick."""
    return s.best & 7


def phase_key(s, player, dealing, finished):
    """What a player knows in a phase of a round: all that was seen, whose turn it is, and its cards, looked at when all
    are dealt."""
    if dealing:
        return mix(s.history, s.phase)
    public = mix(mix(s.history, s.trick), s.made + 64 * s.phase + 1024 * s.turn)
    if player == PUBLIC or finished:
        return public
    return mix(mix(public, s.hand[player]), player)


def deal_card(hands, sizes, holders, out, prob):
    """The chances of who gets the next card of a deck that is dealt out in order, into `out` and `prob`; returns how
    many may.

    Holder i lacks sizes[i] - len(hands[i]) cards, and gets the next one in proportion, so that all deals are as likely.
    """
    left = 0
    for i in range(holders):
        left += sizes[i] - count_bits(hands[i])
    n = 0
    for i in range(holders):
        lacks = sizes[i] - count_bits(hands[i])
        if lacks > 0:
            out[n] = i
            prob[n] = lacks / left
            n += 1
    return n


def choose(cards, k, rng):
    """k of the cards, each choice as likely.

    Of a random set of about that size all of one size are as likely, and stay so when cards are put in or taken out at
    random.
    """
    n = count_bits(cards)
    few = min(k, n - k)
    chosen = 0
    if 4 * few > n:
        chosen = cards & random_bits(rng)
        if 16 * few < 7 * n:
            chosen &= random_bits(rng) | random_bits(rng)
    extra = count_bits(chosen) - few
    while extra > 0:
        chosen ^= 1 << nth_bit(chosen, pick(rng, few + extra))
        extra -= 1
    if extra < 0:
        chosen |= pick_some(cards ^ chosen, -extra, rng)
    return chosen if few == k else cards ^ chosen


def pick_some(cards, k, rng):
    """k of the cards, each choice as likely, one after another: any card of the deck that is still among them will
    do."""
    left = cards
    if count_bits(cards) - k < 16:
        while k > 0:
            left ^= 1 << nth_bit(left, pick(rng, count_bits(left)))
            k -= 1
    word = coming_word(rng)
    while k > 0:
        digits = picked(word, 1 << 30)
        # the next word is worked out while it is not yet known whether it is wanted
        next_word(rng)
        word = coming_word(rng)
        if k >= 5:  # none is one too many
            before = left
            for _ in range(5):
                left &= ~(1 << (digits & 63))
                digits >>= 6
            k -= count_bits(before ^ left)
        else:
            for _ in range(5):
                found = left >> (digits & 63) & (k > 0)
                left ^= found << (digits & 63)
                k -= found
                digits >>= 6
    return cards ^ left


def random_bits(rng):
    """A set in which each of the 52 cards is with probability 1/2."""
    return pick(rng, 1 << 26) << 26 | pick(rng, 1 << 26)


def share(cards, n0, n1, n2, not0, not1, not2, rng):
    """Cards dealt to three holders, n0, n1 and n2 of them, none to one who cannot hold it (`not0`, ...); all such deals
    are as likely.

    There must be one. Holder 0 draws first: how many of the cards that only one other can hold, and how many of those
    that all can, by the number of deals in which it is so. Then holders 1 and 2 share the rest.
    """
    if cards & (not0 | not1 | not2) == 0:
        hand0 = choose(cards, n0, rng)
        hand1 = choose(cards ^ hand0, n1, rng)
        return hand0, hand1, cards ^ hand0 ^ hand1
    only0 = cards & not1 & not2
    only1 = cards & not0 & not2
    only2 = cards & not0 & not1
    cards ^= only0 | only1 | only2
    n0 -= count_bits(only0)
    n1 -= count_bits(only1)
    or1, or2, others = cards & not2, cards & not1, cards & not0
    free = cards ^ (or1 | or2 | others)
    first, second = draw_counts(count_bits(or1), count_bits(or2), count_bits(others), count_bits(free), n0, n1, rng)
    hand0 = choose(or1, first, rng) | choose(or2, second, rng) | choose(free, n0 - first - second, rng)
    hand1 = or1 & ~hand0
    rest = (others | free) & ~hand0
    hand1 |= choose(rest, n1 - count_bits(hand1), rng)
    return only0 | hand0, only1 | hand1, only2 | cards & ~(hand0 | hand1)


def draw_counts(or1, or2, others, free, n0, n1, rng):
    """How many cards of two kinds holder 0 gets: those that 1 can hold, too, and those that 2 can; each pair as often
    as in all deals."""
    total = 0.0
    first, second = 0, 0
    for i in range(max(0, or1 - n1), min(or1, n0) + 1):
        for j in range(max(0, n0 - i - free), min(or2, n0 - i) + 1):
            k = n0 - i - j
            ways = WAYS[or1, i] * WAYS[or2, j] * WAYS[free, k] * WAYS[others + free - k, n1 - or1 + i]
            total += ways
            if uniform(rng) * total < ways:
                first, second = i, j
    return first, second


def redeal(hands, cannot, holders, player, rng):
    """The cards of all holders but one dealt again, to each as many as before and none that it cannot hold; all such
    deals are as likely.

    Up to two holders with cards that they cannot hold, and the rest together, `share` all cards. Of more than two, each
    draws from the cards left, and the deal counts with a probability that makes up for how much choice the draws before
    left to it.
    """
    pool = 0
    for i in range(holders):
        if i != player:
            pool |= hands[i]
    tight = 0
    first, second = player, player
    for i in range(holders):
        if i != player and cannot[i] & pool and hands[i]:
            tight += 1
            first, second = i, first
    if tight <= 2:
        n_first = count_bits(hands[first]) if tight > 0 else 0
        n_second = count_bits(hands[second]) if tight > 1 else 0
        n_rest = count_bits(pool) - n_first - n_second
        not_first = cannot[first] if tight > 0 else 0
        not_second = cannot[second] if tight > 1 else 0
        hand, other, rest = share(pool, n_first, n_second, n_rest, not_first, not_second, 0, rng)
        if tight > 0:
            hands[first] = hand
        if tight > 1:
            hands[second] = other
    else:
        rest = draw_tight(hands, cannot, holders, player, pool, rng)
        while rest < 0:
            rest = draw_tight(hands, cannot, holders, player, pool, rng)
    for i in range(holders):
        if i != player and cannot[i] & pool == 0:
            hands[i] = choose(rest, count_bits(hands[i]), rng)
            rest ^= hands[i]


def draw_tight(hands, cannot, holders, player, pool, rng):
    """Deal to those who cannot hold some of the cards; returns the cards left, or -1 if this deal does not count."""
    rest = pool
    odds = 1.0
    for i in range(holders):
        if i != player and cannot[i] & pool and hands[i]:
            size = count_bits(hands[i])
            able = rest & ~cannot[i]
            if count_bits(able) < size:
                return -1
            most = min(count_bits(pool & ~cannot[i]), count_bits(rest))
            odds *= WAYS[count_bits(able), size] / WAYS[most, size]
            hands[i] = choose(able, size, rng)
            rest ^= hands[i]
    return rest if uniform(rng) < odds else -1


def names(cards):
    """The names of the cards of a set, from the lowest."""
    return [name(card) for card in range(52) if cards >> card & 1]


def name(card):
    """As one types it: QS."""
    return RANK_NAMES[card % RANKS] + SUIT_NAMES[card // RANKS]


def face(card):
    """As one draws it: Q♠."""
    return RANK_NAMES[card % RANKS].replace("T", "10") + SUIT_SIGNS[card // RANKS]


def sort_hand(cards):
    """The cards of a set as one holds them: spades, hearts, clubs and diamonds, each from the highest."""
    return [card for card in ORDER_IN_HAND if cards >> card & 1]


ORDER_IN_HAND = [RANKS * suit + rank for suit in (3, 2, 0, 1) for rank in reversed(range(RANKS))]


def holders(hands, players):
    """Who holds each card that is in a hand; the hand behind the last player's, if there is one, are cards that nobody
    holds."""
    names = [*(f"player {i}" for i in range(players)), "nobody"]
    return {face(card): names[i] for i in range(min(len(hands), players + 1)) for card in sort_hand(hands[i])}


def hand_text(cards):
    """A hand in a line, suit by suit."""
    suits = dict.fromkeys("♠♥♣♦", "")
    for card in sort_hand(cards):
        suits[SUIT_SIGNS[card // RANKS]] += RANK_NAMES[card % RANKS]
    return "  ".join(f"{sign} {ranks or '-'}" for sign, ranks in suits.items())
