"""Oh Hell, also called Blob, the card game of taking exactly as many tricks as one bid.

Each player gets `tricks` cards (with tricks=0 chance draws how many), and a card of those left is turned up: its suit
is trumps. From the dealer's left, whom chance draws, players say how many tricks they will take; the last may not say
what would make the bids come to the number of tricks. The same player leads. Players follow suit if they can and play
any card otherwise; the highest trump takes the trick, or if there is none, the highest card of the suit led, and its
player leads the next.

A trick is worth `points`, and who took as many as it bid has ten more; with penalty=yes who did not has none, and loses
`points` for every trick that it is off. With rounds=down there are further rounds, each with a card less, to the last
with one, and the next player deals; points are added up. The deck has `ranks` cards of each of `suits` suits, from the
two upwards. Chance deals it in order, each card to a player or to those left, in proportion to how many they lack.

Whitehouse 2014, sec. 4.2, names the game without rules; they are those of the rule book (pagat.com) as OpenSpiel has
them, which plays one round.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, UNSEEN, About, Choice, Whole, count_bits, list_from, mix
from fogspiel.games.toolkit.card_table import card_table, last_trick, trick_lines
from fogspiel.games.toolkit.cards import (
    RANKS,
    begin_trick,
    deal_card,
    face,
    following,
    hand_text,
    holders,
    lay_card,
    list_cards,
    name,
    phase_key,
    redeal,
    suit_of,
    trick_taker,
)

BONUS = 10
BID = 52
"""The move of the bid 0; the bid n is BID + n."""
NONE = -1
SIZING, SEATING, DEALING, TURNING, BIDDING, PLAYING, FINISHED = range(7)
PARAMETERS = (
    Whole("players", 3, 3, 7, "players"),
    Whole("suits", 4, 1, 4, "suits of the deck"),
    Whole("ranks", 13, 2, 13, "cards of each suit"),
    Whole("tricks", 7, 0, 17, "cards of each player in the first round; 0: drawn by chance"),
    Whole("points", 1, 0, 10, "points of a trick"),
    Choice("penalty", "no", ("no", "yes"), "whether who missed its bid loses points instead of having some"),
    Choice("rounds", "one", ("one", "down"), "one round, or more of them, each with a card less"),
)
MAX_MOVES = 52
State = np.dtype(
    [
        ("players", "i1"),
        ("suits", "i1"),
        ("ranks", "i1"),
        ("tricks", "i1"),
        ("points", "i1"),
        ("penalty", "i1"),
        ("rounds", "i1"),
        ("phase", "i1"),
        ("turn", "u1"),
        ("made", "u1"),
        ("dealer", "i1"),
        ("size", "i1", 8),
        ("trump", "i1"),
        ("bid", "i1", 7),
        ("taken", "i1", 7),
        ("score", "i2", 7),
        ("hand", "i8", 8),
        ("cannot", "i8", 8),
        ("trumps", "i8"),
        ("wanted", "i8"),
        ("best", "i8"),
        ("trick", "i8"),
        ("laid", "i1"),
        ("history", "u8"),
        ("order", "i1", 52),
    ],
    align=True,
)
"""`made` counts the cards dealt, bids made or cards played in a phase. Of each player, and at the place behind the last
of the cards left: how many cards each is dealt (`size`), those it has, and those that it showed it cannot have.
`trumps` are all cards of the suit of the `trump`; what concerns the trick is in `lay_card`. `history` is a hash of all
that everyone saw before the trick."""


def about(players, suits, ranks, tricks, points, penalty, rounds):
    most = (suits * ranks - 1) // players
    if tricks > most:
        raise ValueError(f"{suits * ranks} cards are too few for {players} players with {tricks} each and a trump")
    if most == 0:
        raise ValueError(f"{suits * ranks} cards are too few for {players} players and a trump")
    sizes = range(1, (tricks or most) + 1) if rounds == "down" else [tricks or most]
    worst = -points * sum(sizes) if penalty == "yes" else 0
    return About(players=players, utility=(worst, sum(points * size + BONUS for size in sizes)), zero_sum=False)


def start(s):
    s.size[0] = s.tricks
    s.phase = SIZING if s.tricks == 0 else SEATING
    s.trump = NONE
    clear_table(s)


def clear_table(s):
    for i in range(7):
        s.bid[i] = NONE
        s.taken[i] = 0
    for i in range(8):
        s.hand[i] = 0
        s.cannot[i] = 0
    for i in range(52):
        s.order[i] = NONE


def actor(s):
    if s.phase < BIDDING:
        return CHANCE
    return OVER if s.phase == FINISHED else s.turn


def chance(s, out, prob):
    if s.phase == DEALING:
        return deal_card(s.hand, s.size, s.players + 1, out, prob)
    if s.phase == TURNING:
        n = list_cards(s.hand[s.players], out)
    elif s.phase == SEATING:
        n = list_from(0, (1 << s.players) - 1, out)
    else:
        n = list_from(1, (1 << most_tricks(s)) - 1, out)
    for i in range(n):
        prob[i] = 1 / n
    return n


def most_tricks(s):
    """So many cards can be dealt to each with one left to be turned up."""
    return (s.suits * s.ranks - 1) // s.players


def moves(s, out):
    if s.phase == PLAYING:
        return list_cards(following(s.hand[s.turn], s.wanted), out)
    tricks = s.size[0]
    bids = (2 << tricks) - 1
    if s.made == s.players - 1:
        bids &= ~(1 << tricks - bids_together(s)) if bids_together(s) <= tricks else bids
    return list_from(BID, bids, out)


def bids_together(s):
    total = 0
    for i in range(s.players):
        total += max(s.bid[i], 0)
    return total


def play(s, move):
    if s.phase == PLAYING:
        play_card(s, move)
    elif s.phase == BIDDING:
        make_bid(s, move - BID)
    elif s.phase == DEALING:
        s.hand[move] |= 1 << next_card(s)
        s.made += 1
        if s.made == s.suits * s.ranks:
            s.phase = TURNING
    else:
        s.history = mix(s.history, move)
        if s.phase == TURNING:
            turn_up(s, move)
        elif s.phase == SEATING:
            begin_round(s, move)
        else:
            s.size[0] = move
            s.phase = SEATING


def begin_round(s, dealer):
    """Each player is to be dealt as many cards as the first; the rest stay in the deck."""
    s.dealer = dealer
    s.phase = DEALING
    s.made = 0
    for i in range(s.players):
        s.size[i] = s.size[0]
    s.size[s.players] = s.suits * s.ranks - s.players * s.size[0]


def next_card(s):
    """The card that is dealt next."""
    return RANKS * (s.made // s.ranks) + s.made % s.ranks


def turn_up(s, card):
    s.hand[s.players] ^= 1 << card
    s.trump = card
    s.trumps = suit_of(card)
    s.phase = BIDDING
    s.made = 0
    s.turn = next_player(s, s.dealer)


def next_player(s, player):
    return player + 1 if player + 1 < s.players else 0


def make_bid(s, bid):
    s.bid[s.turn] = bid
    s.history = mix(s.history, bid)
    s.turn = next_player(s, s.turn)
    s.made += 1
    if s.made == s.players:
        s.phase = PLAYING
        s.made = 0
        begin_trick(s)


def play_card(s, card):
    lay_card(s, card)
    s.turn = next_player(s, s.turn)
    if s.laid == s.players:
        end_trick(s)


def end_trick(s):
    s.history = mix(s.history, s.trick)
    s.turn = trick_taker(s)
    s.taken[s.turn] += 1
    begin_trick(s)
    if s.made == s.players * s.size[0]:
        end_round(s)


def end_round(s):
    for i in range(s.players):
        s.score[i] += scored(s, s.bid[i], s.taken[i])
    if s.rounds == 0 or s.size[0] == 1:
        s.phase = FINISHED
    else:
        s.size[0] -= 1
        clear_table(s)
        begin_round(s, next_player(s, s.dealer))


def scored(s, bid, taken):
    if bid == taken:
        return s.points * taken + BONUS
    return -s.points * abs(bid - taken) if s.penalty else s.points * taken


def payoff(s, out):
    for i in range(s.players):
        out[i] = s.score[i]


def evaluate(s, out):
    """Points so far, and those of a round in which each takes its part of the tricks left; a bid is made the likelier,
    the nearer it then is."""
    for i in range(s.players):
        out[i] = s.score[i]
        if s.phase == PLAYING:
            expected = s.taken[i] + (s.size[0] - s.made // s.players) / s.players
            off = abs(s.bid[i] - expected)
            made = 1 / (1 + off)
            missed = -s.points * off if s.penalty else s.points * expected
            out[i] += made * (s.points * s.bid[i] + BONUS) + (1 - made) * missed


def infoset(s, player):
    return phase_key(s, player, s.phase == DEALING, s.phase == FINISHED)


def sees(s, player, move):
    """All that is done is open, but for the deal: players look at their hands when all cards are dealt."""
    if s.phase != DEALING:
        return mix(0, move)
    play(s, move)
    return UNSEEN if s.phase == DEALING else mix(1, s.hand[player])


def resample(s, player, rng):
    """All deals that fit what was seen are as likely: the cards played, and suits that others could not follow."""
    if s.phase != FINISHED:
        redeal(s.hand, s.cannot, s.players + 1, player, rng)


def move_name(s, move):
    if s.phase == SIZING:
        return f"{move} tricks"
    if s.phase == SEATING:
        return f"player {move} deals"
    if s.phase == DEALING:
        return f"{name(next_card(s))} {f'to player {move}' if move < s.players else 'is left'}"
    return (
        f"bid {move - BID}"
        if s.phase == BIDDING
        else f"{name(move)} is turned up"
        if s.phase == TURNING
        else name(move)
    )


def features(s):
    return holders(s.hand, s.players)


def show(s, player):
    if s.phase == DEALING and player is not None:
        return f"{heading(s)}   the cards are dealt"
    lines = [heading(s)]
    for i in range(s.players):
        hand = hand_text(s.hand[i]) if player in (None, i) else f"{count_bits(s.hand[i])} cards"
        lines.append(f"player {i}  {hand}   {said(s, i)}")
    return "\n".join([*lines, *trick_lines(*trick_facts(s))])


def heading(s):
    known = [f"{s.size[0]} tricks"] if s.size[0] else []
    if s.phase > SEATING:
        known.append(f"player {s.dealer} deals")
    if s.phase > TURNING:
        known.append(f"trump {face(s.trump)}")
    return "   ".join(known)


def said(s, player):
    bid = "no bid" if s.bid[player] == NONE else f"bid {s.bid[player]}, took {s.taken[player]}"
    return f"{bid}, {s.score[player]} points" if s.score[player] else bid


def trick_facts(s):
    return s.order, (s.dealer + 1) % s.players, s.trumps, range(s.players)


def svg(s, player):
    dealt = player is None or s.phase > DEALING
    hands = [s.hand[i] if dealt and player in (None, i) else None for i in range(s.players)]
    sizes = [count_bits(s.hand[i]) if dealt else 0 for i in range(s.players)]
    notes = [f"player {i}: {said(s, i)}" for i in range(s.players)]
    return card_table(hands, sizes, notes, last_trick(*trick_facts(s)), [heading(s)], actor(s))
