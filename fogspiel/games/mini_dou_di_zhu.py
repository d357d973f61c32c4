"""Mini Dou Di Zhu, a game of shedding cards for two, small enough to be solved with all cards open.

18 cards: four each of J Q K A, and a black and a red joker, B and R, in rising order; suits do not count. Each player
gets seven, and the other four are put by, unseen. Player 0 leads one to four cards of a rank. The other plays as many
of a higher rank, or passes; after a pass the one who did not pass leads anything. Who first has no cards left wins.

With cards=open both see both hands, the other four cards are out of the game, and a player knows the position but not
how it came about.

Whitehouse 2014, sec. 4.2.2: 8832 different deals, at most 66 that a player cannot tell apart, and player 0 wins 70.7%
of them by optimal play with all cards open. Of the readings of these rules only this one has these numbers: the jokers
are two ranks, nobody has to play a card that beats another, and four of a rank or two jokers beat nothing out of turn.
Which four ranks there are is not told, and makes no difference.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, PUBLIC, About, Choice, count_bits, mix
from fogspiel.games.toolkit.draw import rows_of_cards
from fogspiel.games.toolkit.ranks import cards_of, count_of, faces, holding, letters, part, redeal, splits, without

NAMES = "JQKABR"
KINDS, BLACK = 6, 4
PUT_BY = 2
HIDDEN, OPEN = 0, 1
DEALT = (7, 7, 4)
PASS = 0
NOBODY, DEAL = -1, 2

PARAMETERS = (Choice("cards", "hidden", ("hidden", "open"), "whether players see each other's cards"),)
MAX_MOVES = 20
State = np.dtype(
    [
        ("cards", "i1"),
        ("hand", "i8", 3),
        ("room", "i1", 3),
        ("rank", "i1"),
        ("turn", "i1"),
        ("winner", "i1"),
        ("group", "i1"),
        ("seen", "u8"),
    ],
    align=True,
)
"""hand[PUT_BY] are the cards that nobody gets. room[i] are the cards that pile i is still to be dealt, rank is what is
dealt next. group is what is to be beaten, PASS for a lead: 8 times the number of cards and the rank. seen is a key of
all that was played."""


def about(cards):
    return About(utility=(-1, 1), perfect_recall=cards == "hidden")


def start(s):
    for i in range(3):
        s.room[i] = DEALT[i]
    s.winner = NOBODY


def actor(s):
    if s.rank < KINDS:
        return CHANCE
    return s.turn if s.winner == NOBODY else OVER


def chance(s, out, prob):
    """How many cards of the next rank each player gets, and how many are put by."""
    return splits(4 if s.rank < BLACK else 1, s.room, out, prob)


def moves(s, out):
    """Low ranks first, of a rank few cards first, and pass last."""
    n = 0
    if s.group == PASS:
        for rank in range(KINDS):
            for count in range(1, 5):
                out[n] = 8 * count + rank
                n += has(s, count, rank)
        return n
    for rank in range(rank_of(s.group) + 1, KINDS):
        out[n] = 8 * count_in(s.group) + rank
        n += has(s, count_in(s.group), rank)
    out[n] = PASS
    return n + 1


def has(s, count, rank):
    """1 if the player to move holds so many cards of a rank, else 0."""
    return holding(s.hand[s.turn], count) >> rank & 1


def count_in(group):
    return group >> 3


def rank_of(group):
    return group & 7


def play(s, move):
    if s.rank < KINDS:
        for i in range(3):
            s.hand[i] |= cards_of(s.rank, part(move, i))
            s.room[i] -= part(move, i)
        s.rank += 1
        if s.rank == KINDS and s.cards == OPEN:
            s.hand[PUT_BY] = 0
        return
    if s.cards == HIDDEN:
        s.seen = mix(s.seen, move)
    s.group = move
    s.hand[s.turn] = without(s.hand[s.turn], 1 << rank_of(move), count_in(move))
    if s.hand[s.turn] == 0:
        s.winner = s.turn
    else:
        s.turn = 1 - s.turn


def payoff(s, out):
    out[s.winner] = 1
    out[1 - s.winner] = -1


def evaluate(s, out):
    """By how many cards a player is ahead."""
    out[0] = math.tanh((count_bits(s.hand[1]) - count_bits(s.hand[0])) / 4)
    out[1] = -out[0]


def episode(s):
    """An episode is a lead and all that follows it: one for each who leads, and the deal."""
    if s.rank == 0:
        return DEAL
    return s.turn if s.rank == KINDS and s.group == PASS and s.winner == NOBODY else CONTINUES


def position(s):
    """The cards that both hold, what is to be beaten, and whose turn it is."""
    key = mix(mix(s.rank, s.hand[0]), s.hand[1])
    if s.rank < KINDS:
        return mix(mix(key, s.hand[PUT_BY]), 8 * s.room[0] + s.room[1])
    return mix(mix(key, s.group), 2 * s.winner + s.turn)


def copies(s, move):
    """With which of the cards of the rank it can be played."""
    held = count_of(s.hand[s.turn], rank_of(move))
    n = 1
    for i in range(count_in(move)):
        n = n * (held - i) // (i + 1)
    return n


def infoset(s, player):
    """A player knows what was played and what it holds, hence what it was dealt."""
    key = mix(s.seen, s.rank)
    if s.cards == OPEN:
        return mix(mix(mix(mix(key, s.hand[0]), s.hand[1]), s.group), 2 * s.winner + s.turn)
    return key if player == PUBLIC else mix(key, s.hand[player])


def sees(s, player, move):
    """Of the cards that are dealt each player sees its own, unless they lie open; what is played is open."""
    face_down = s.rank < KINDS and s.cards == HIDDEN
    return mix(1, part(move, player)) if face_down else mix(0, move)


def resample(s, player, rng):
    """Deals the cards that the player does not see to the other and to those put by, every deal as likely."""
    if s.cards == OPEN:
        return
    other = 1 - player
    size = count_bits(s.hand[other]) + s.room[other]
    total = size + count_bits(s.hand[PUT_BY]) + s.room[PUT_BY]
    theirs, unused = redeal(s.hand[other], s.hand[PUT_BY], size, total, rng)
    s.hand[other] = theirs
    s.hand[PUT_BY] = unused
    s.room[other] = size - count_bits(theirs)
    s.room[PUT_BY] = total - size - count_bits(unused)


def move_name(s, move):
    if s.rank < KINDS:
        return f"{NAMES[s.rank]}: {' '.join(str(part(move, i)) for i in range(3))}"
    return written(move) or "pass"


def written(group):
    return NAMES[rank_of(group)] * count_in(group)


def seen_of(s, player, i):
    """A hand, or the cards put by, in writing, as a player sees them."""
    if player in (None, i) or s.cards == OPEN:
        return letters(s.hand[i], NAMES)
    return "?" * (DEALT[i] if s.rank < KINDS else count_bits(s.hand[i]))


def piles(s, player):
    shown = 2 if s.cards == OPEN else 3
    return [(("player 0", "player 1", "put by")[i], seen_of(s, player, i)) for i in range(shown)]


def features(s):
    return {f"{NAMES[rank]} of player {i}": count_of(s.hand[i], rank) for i in range(2) for rank in range(KINDS)}


def show(s, player):
    lines = [f"{label}: {cards or 'no cards'}" for label, cards in piles(s, player)]
    if s.rank < KINDS:
        lines.append("the cards are dealt")
    elif s.winner != NOBODY:
        lines.append(f"player {s.winner} has won")
    else:
        lines.append(f"player {s.turn} " + ("leads" if s.group == PASS else f"is to beat {written(s.group)}"))
    return "\n".join(lines)


def svg(s, player):
    rows = [*piles(s, player), ("to beat", written(s.group))]
    return rows_of_cards([(label, faces(cards), "") for label, cards in rows])
