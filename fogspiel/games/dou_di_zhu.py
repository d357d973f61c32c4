"""Dou Di Zhu, the card game of two peasants against a landlord, for three players.

54 cards: 3 4 5 6 7 8 9 T J Q K A 2, four of each, and a black and a red joker, B and R, in rising order; suits do not
count. Player 0 is the landlord and gets 20 cards, the peasants 17 each. Who first has no cards left ends the game: if
that is the landlord, both peasants pay it a stake, otherwise it pays both. The landlord leads, with any of the groups
below. Whoever is next plays a higher group of the same kind and length, with kickers of the same kind, or passes. After
two passes in a row the next player leads.

Solo: a card, or a run of five or more. Pair: two of a rank, or a run of three or more pairs. Trio: three of a rank, or
a run of two or more trios. A trio may take a kicker along, a single card or a pair; in a run all trios do or none, with
kickers of one kind. Quadplex: four of a rank with two kickers, single cards or pairs. Bomb: four of a rank; it beats
all but a higher bomb and the nuke. Nuke: both jokers; it beats everything.

Kickers do not count for who is higher. They are chosen in a decision of their own, after the group (Whitehouse 2014,
sec. 4.2.1, which also leaves out the bidding for who is landlord, and shows nobody the landlord's last three cards).

Assumed, since it fits the leading plays counted in Whitehouse 2014, Table 5.3: runs end at the ace; kickers differ in
rank from the group and from each other, and may be taken from pairs, trios and fours; a joker may be a kicker, and both
are two single ones. The stake is always 1. In OpenSpiel's game there is bidding, bombs double the stake, there is no
quadplex, single kickers of a run may be alike but not both jokers, a bomb may be played upon the nuke, and no run
without kickers begins with a card of four that are held.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, PUBLIC, About, count_bits, lowest_bit, mix, nth_bit
from fogspiel.games.toolkit.draw import rows_of_cards
from fogspiel.games.toolkit.ranks import (
    RANKS,
    cards_of,
    count_of,
    faces,
    holding,
    letters,
    part,
    redeal,
    runs,
    splits,
    without,
)

NAMES = "3456789TJQKA2BR"
KINDS, BLACK, RED = 15, 13, 14
JOKERS = 1 << BLACK | 1 << RED
TO_ACE = (1 << 12) - 1
LANDLORD = 0
DEALT = (20, 17, 17)
SOLO, PAIR, TRIO, FOUR = 1, 2, 3, 4
FEWEST = (0, 5, 3, 2)
"""How many ranks a run of solos, pairs or trios must have."""
PASS = 0
NUKE = SOLO << 10 | 2 << 4 | BLACK
KICKERS = 1 << 15
"""A group is a number: cards of a rank << 10, kind of kickers << 8, number of ranks << 4, lowest rank. Kickers are
KICKERS and a set of ranks."""
NOBODY, NOTHING, DEAL = -1, -1, 3

MAX_MOVES = 176
"""Three kickers of eleven ranks are 165 moves, and no hand of 20 cards has more than 176 groups."""
State = np.dtype(
    [
        ("hand", "i8", 3),
        ("room", "i1", 3),
        ("rank", "i1"),
        ("turn", "i1"),
        ("winner", "i1"),
        ("passes", "i1"),
        ("kicking", "i1"),
        ("group", "i4"),
        ("played", "i4", 3),
        ("along", "i4", 3),
        ("seen", "u8"),
    ],
    align=True,
)
"""room[i] are the cards that player i is still to be dealt, rank is what is dealt next. group is what is to be beaten,
PASS for a lead; kicking tells that its kickers are still to be chosen. played[i] is what player i played last, PASS
among it or NOTHING, with kickers of the ranks along[i]. seen is a key of all that was played."""


def about():
    return About(players=3, ranges=((-2, 2), (-1, 1), (-1, 1)))


def start(s):
    for i in range(3):
        s.room[i] = DEALT[i]
        s.played[i] = NOTHING
    s.winner = NOBODY


def actor(s):
    if s.rank < KINDS:
        return CHANCE
    return s.turn if s.winner == NOBODY else OVER


def chance(s, out, prob):
    """How many cards of the next rank each player gets."""
    return splits(4 if s.rank < BLACK else 1, s.room, out, prob)


def moves(s, out):
    hand = s.hand[s.turn]
    if s.kicking:
        return kickers(hand, s.group, out)
    return lead(hand, out) if s.group == PASS else follow(hand, s.group, out)


def lead(hand, out):
    n = 0
    for width in range(SOLO, TRIO + 1):
        ranks = holding(hand, width)
        n = groups(hand, out, n, width, 1, ranks)
        length = FEWEST[width]
        lowest = runs(ranks & TO_ACE, length)
        while lowest:
            n = groups(hand, out, n, width, length, lowest)
            lowest &= lowest >> 1
            length += 1
    n = groups(hand, out, n, FOUR, 1, holding(hand, FOUR))
    return nuke(hand, out, n)


def groups(hand, out, n, width, length, lowest):
    """Write down the groups of a width and length that begin at these ranks, without kickers and with all kinds of
    them."""
    n = add(hand, out, n, group_of(width, 0, length), lowest)
    if width >= TRIO:
        for kind in (SOLO, PAIR):
            n = add(hand, out, n, group_of(width, kind, length), lowest)
    return n


def group_of(width, kind, length):
    """A group that begins at rank 0."""
    return width << 10 | kind << 8 | length << 4


def add(hand, out, n, group, lowest):
    """Write down the groups of this sort that begin at these ranks, and for which there are kickers."""
    while lowest:
        one = group | lowest_bit(lowest)
        lowest &= lowest - 1
        if kickers_wanted(one) <= count_bits(kickers_for(hand, one)):
            out[n] = one
            n += 1
    return n


def width_of(group):
    return group >> 10


def length_of(group):
    return group >> 4 & 15


def rank_of(group):
    """The lowest rank of a group."""
    return group & 15


def kind_of(group):
    """How many cards each of a group's kickers has."""
    return group >> 8 & 3


def ranks_of(group):
    return (1 << length_of(group)) - 1 << rank_of(group)


def kickers_wanted(group):
    if kind_of(group) == 0:
        return 0
    return 2 if width_of(group) == FOUR else length_of(group)


def kickers_for(hand, group):
    """The ranks that a hand has to offer as kickers of a group."""
    return holding(hand, max(1, kind_of(group))) & ~ranks_of(group)


def nuke(hand, out, n):
    if hand & JOKERS == JOKERS:
        out[n] = NUKE
        n += 1
    return n


def follow(hand, group, out):
    out[0] = PASS
    if group == NUKE:
        return 1
    higher = holding(hand, width_of(group)) & ~((2 << rank_of(group)) - 1)
    if length_of(group) > 1:
        higher = runs(higher & TO_ACE, length_of(group))
    n = add(hand, out, 1, group - rank_of(group), higher)
    if not is_bomb(group):
        n = add(hand, out, n, group_of(FOUR, 0, 1), holding(hand, FOUR))
    return nuke(hand, out, n)


def kickers(hand, group, out):
    """All sets of as many ranks as the group wants kickers."""
    offered = kickers_for(hand, group)
    wanted = kickers_wanted(group)
    places = (1 << wanted) - 1
    n = 0
    while places < 1 << count_bits(offered):
        out[n] = KICKERS | chosen(offered, places)
        n += 1
        # the next larger number with as many bits (Knuth 2011, sec. 7.1.3)
        lowest = places & -places
        carried = places + lowest
        places = carried | (carried ^ places) // lowest >> 2
    return n


def chosen(ranks, places):
    """The members of a set at these places in it."""
    taken = 0
    while places:
        taken |= 1 << nth_bit(ranks, lowest_bit(places))
        places &= places - 1
    return taken


def play(s, move):
    if s.rank < KINDS:
        for i in range(3):
            s.hand[i] |= cards_of(s.rank, part(move, i))
            s.room[i] -= part(move, i)
        s.rank += 1
        return
    s.seen = mix(s.seen, move)
    player = s.turn
    if s.kicking:
        s.along[player] = move & RANKS
        s.hand[player] = without(s.hand[player], move & RANKS, kind_of(s.group))
        s.kicking = 0
    elif move == PASS:
        s.played[player] = PASS
        s.passes += 1
        if s.passes == 2:
            s.group = PASS
    else:
        s.group = move
        s.played[player] = move
        s.along[player] = 0
        s.passes = 0
        s.hand[player] = without(s.hand[player], ranks_of(move), width_of(move))
        s.kicking = kind_of(move) > 0
    if s.hand[player] == 0:
        s.winner = player
    elif not s.kicking:
        s.turn = (player + 1) % 3


def payoff(s, out):
    won = 1 if s.winner == LANDLORD else -1
    out[0] = 2 * won
    out[1] = -won
    out[2] = -won


def evaluate(s, out):
    """By how many cards the landlord is ahead of the peasant that has fewer."""
    ahead = min(count_bits(s.hand[1]), count_bits(s.hand[2])) - count_bits(s.hand[0])
    out[0] = 2 * math.tanh(ahead / 8)
    out[1] = -out[0] / 2
    out[2] = out[1]


def guide(s, out, prob):
    """Goes out if it can, and else sheds large groups rather than small ones, spares bombs, and lets the other
    peasant's group stand."""
    n = moves(s, out)
    size = count_bits(s.hand[s.turn])
    total = 0.0
    for i in range(n):
        if s.kicking:
            prob[i] = 1.0
        elif out[i] == PASS:
            prob[i] = 50.0 if is_partners(s) else 1.0
        else:
            shed = cards_in(out[i])
            prob[i] = 1e6 if shed == size else 0.2 if is_bomb(out[i]) else 1.0 * shed * shed
        total += prob[i]
    for i in range(n):
        prob[i] /= total
    return n


def is_partners(s):
    """Whether the group that is to be beaten is a peasant's, and a peasant is to beat it."""
    last = (s.turn + 2 - s.passes) % 3
    return s.turn != LANDLORD and last != LANDLORD


def is_bomb(group):
    """Whether a group is a bomb or the nuke."""
    return group == NUKE or (width_of(group) == FOUR and kind_of(group) == 0)


def cards_in(group):
    """How many cards a group has, with its kickers."""
    return count_bits(ranks_of(group)) * width_of(group) + kickers_wanted(group) * kind_of(group)


def episode(s):
    """An episode is a lead and all that follows it: one for each who leads, and the deal (Whitehouse 2014, sec.
    8.3.2)."""
    if s.rank == 0:
        return DEAL
    return s.turn if s.rank == KINDS and s.group == PASS and s.winner == NOBODY else CONTINUES


def infoset(s, player):
    """A player knows what was played and what it holds, hence what it was dealt."""
    key = mix(s.seen, s.rank)
    return key if player == PUBLIC else mix(key, s.hand[player])


def sees(s, player, move):
    """Of the cards that are dealt each player sees its own; what is played is open."""
    return mix(1, part(move, player)) if s.rank < KINDS else mix(0, move)


def resample(s, player, rng):
    """Deals the cards that the player does not see to the other two, every deal that fits as likely."""
    one, other = (player + 1) % 3, (player + 2) % 3
    size = count_bits(s.hand[one]) + s.room[one]
    total = size + count_bits(s.hand[other]) + s.room[other]
    while True:
        first, second = redeal(s.hand[one], s.hand[other], size, total, rng)
        s.hand[one] = first
        s.hand[other] = second
        if not s.kicking or kickers_wanted(s.group) <= count_bits(kickers_for(s.hand[s.turn], s.group)):
            break
    s.room[one] = size - count_bits(s.hand[one])
    s.room[other] = total - size - count_bits(s.hand[other])


def move_name(s, move):
    if s.rank < KINDS:
        return f"{NAMES[s.rank]}: {' '.join(str(part(move, i)) for i in range(3))}"
    if s.kicking:
        return written(move & RANKS, kind_of(s.group))
    kickers = ("", " with singles", " with pairs")[kind_of(move)]
    return "pass" if move == PASS else written(ranks_of(move), width_of(move)) + kickers


def written(ranks, count):
    """So many cards of each rank of a set, in writing."""
    return "".join(name * count for i, name in enumerate(NAMES) if ranks >> i & 1)


def last_play(s, i):
    """What a player played last, with its kickers, in writing."""
    if s.played[i] in (NOTHING, PASS):
        return "pass" if s.played[i] == PASS else ""
    group = s.played[i]
    return written(ranks_of(group), width_of(group)) + written(s.along[i], kind_of(group))


def last_to_play(s):
    """Whose group is to be beaten."""
    return s.turn if s.kicking or s.winner != NOBODY else (s.turn - 1 - s.passes) % 3


def on_the_table(s):
    """The group that is to be beaten, with its kickers, in writing."""
    return last_play(s, last_to_play(s)) if s.group != PASS else ""


def seat(i):
    return "landlord" if i == LANDLORD else f"peasant {i}"


def seen_of(s, player, i):
    """The hand of a player in writing, as another sees it."""
    if player in (None, i):
        return letters(s.hand[i], NAMES)
    return "?" * (DEALT[i] if s.rank < KINDS else count_bits(s.hand[i]))


def situation(s):
    if s.rank < KINDS:
        return "the cards are dealt"
    if s.winner != NOBODY:
        return f"{seat(s.winner)} has won"
    if s.group == PASS:
        return f"{seat(s.turn)} leads"
    if s.kicking:
        return f"{seat(s.turn)} plays {on_the_table(s)} and chooses kickers"
    return f"{seat(s.turn)} is to beat {on_the_table(s)} by {seat(last_to_play(s))}{', one pass' if s.passes else ''}"


def features(s):
    return {f"{NAMES[rank]} of {seat(i)}": count_of(s.hand[i], rank) for i in range(3) for rank in range(KINDS)}


def show(s, player):
    hands = [f"{seat(i)}: {seen_of(s, player, i) or 'no cards'}{lately(s, i)}" for i in range(3)]
    return "\n".join([*hands, situation(s)])


def lately(s, i):
    return f"   last: {last_play(s, i)}" if s.played[i] != NOTHING else ""


def svg(s, player):
    rows = [(seat(i), seen_of(s, player, i), lately(s, i).strip()) for i in range(3)] + [
        ("to beat", on_the_table(s), "")
    ]
    return rows_of_cards([(label, faces(cards), note) for label, cards, note in rows])
