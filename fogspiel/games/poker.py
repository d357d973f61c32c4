"""Poker with one card in hand: Leduc hold'em and its larger relatives, for two players.

Both ante 1 and are dealt one card. A round of betting follows, then a public card before every further round. Player 0
opens each round. A player checks or bets, and facing a bet folds, calls or raises; the bet of a round may be raised
`raises` times. In round r = 1, 2, .. a bet or a raise is of size 2rk, for any k = 1..bets. At the showdown a card that
pairs with a public card beats one that does not, then the higher rank wins, and equal ranks split the pot. With two
public cards a pair with either counts, so that of two pairs the higher wins and a pair beats the public cards' own.

By default a player tells cards by rank only, and chance deals ranks; with see_suits=yes it deals single cards, as in
OpenSpiel. Leduc: Southey et al. 2005. The family, with its small (ranks=3,suits=3,bets=2,raises=2) and large
(ranks=6,suits=4,bets=4,raises=4) members: Lisý 2014, ch. 4.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Whole, mix, pick
from fogspiel.games.toolkit.draw import rows_of_cards

FOLD, CALL = 0, 1
NOBODY = -1
PARAMETERS = (
    Whole("ranks", 3, 2, 13, "how many ranks the deck has"),
    Whole("suits", 2, 1, 4, "how many cards of each rank"),
    Whole("bets", 1, 1, 8, "how many bet sizes"),
    Whole("raises", 1, 0, 8, "how often a bet may be raised in a round"),
    Whole("rounds", 2, 1, 3, "rounds of betting, with a public card between them"),
    Choice("see_suits", "no", ("no", "yes"), "whether players tell apart cards of one rank"),
)
State = np.dtype(
    [
        ("ranks", "i1"),
        ("suits", "i1"),
        ("bets", "i1"),
        ("raises", "i1"),
        ("rounds", "i1"),
        ("see_suits", "i1"),
        ("hand", "i1", 2),
        ("board", "i1", 2),
        ("dealt", "i1"),
        ("round", "i1"),
        ("turn", "i1"),
        ("raised", "i1"),
        ("folded", "i1"),
        ("paid", "i2", 2),
        ("history", "u8"),
    ],
    align=True,
)


def about(ranks, suits, bets, raises, rounds, see_suits):
    if ranks * suits < 1 + rounds:
        raise ValueError(f"a deck of {ranks * suits} cards is too small for {rounds} rounds, which need {1 + rounds}")
    most = 1 + sum((1 + raises) * 2 * r * bets for r in range(1, 1 + rounds))
    return About(utility=(-most, most), deck=True)


def start(s):
    for i in range(2):
        s.hand[i] = -1
        s.board[i] = -1
        s.paid[i] = 1
    s.folded = NOBODY


def actor(s):
    if s.folded != NOBODY or s.round == s.rounds:
        return OVER
    return CHANCE if dealing(s) else s.turn


def dealing(s):
    return s.dealt < 2 + s.round


def chance(s, out, prob):
    n = 0
    each = 1 / (s.ranks * s.suits - s.dealt)
    for card in range(kinds(s)):
        copies = left(s, card)
        if copies > 0:
            out[n] = card
            prob[n] = copies * each
            n += 1
    return n


def kinds(s):
    """How many cards players can tell apart; a card is 0.. below it."""
    return s.ranks * s.suits if s.see_suits else s.ranks


def left(s, card):
    """How many copies of a card are still in the deck."""
    return hidden(s, card) - (s.hand[0] == card) - (s.hand[1] == card)


def hidden(s, card):
    """How many copies of a card are not on the board."""
    n = 1 if s.see_suits else s.suits
    for i in range(2):
        n -= s.board[i] == card
    return n


def moves(s, out):
    n = 0
    if s.paid[s.turn] < s.paid[1 - s.turn]:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.raised <= s.raises:
        for k in range(1, 1 + s.bets):
            out[n] = CALL + k
            n += 1
    return n


def play(s, move):
    if s.dealt < 2:
        s.hand[s.dealt] = move
        s.dealt += 1
        return
    s.history = mix(s.history, move)
    if dealing(s):
        s.board[s.dealt - 2] = move
        s.dealt += 1
    elif move == FOLD:
        s.folded = s.turn
    elif move == CALL:
        s.paid[s.turn] = s.paid[1 - s.turn]
        if s.raised == 0 and s.turn == 0:
            s.turn = 1
        else:
            s.round += 1
            s.turn = 0
            s.raised = 0
    else:
        s.paid[s.turn] = s.paid[1 - s.turn] + size(s, move)
        s.raised += 1
        s.turn = 1 - s.turn


def size(s, move):
    """What a bet or a raise adds to a call."""
    return 2 * (s.round + 1) * (move - CALL)


def payoff(s, out):
    out[0] = 0
    out[1] = 0
    loser = s.folded
    if loser == NOBODY:
        first = strength(s, 0)
        second = strength(s, 1)
        if first != second:
            loser = 0 if first < second else 1
    if loser != NOBODY:
        out[loser] = -s.paid[loser]
        out[1 - loser] = s.paid[loser]


def strength(s, player):
    """The higher the better: any pair, then any rank."""
    own = rank(s, s.hand[player])
    for i in range(s.dealt - 2):
        if rank(s, s.board[i]) == own:
            return s.ranks + own
    return own


def rank(s, card):
    return card // s.suits if s.see_suits else card


def infoset(s, player):
    if player == PUBLIC:
        return mix(s.history, s.dealt)
    return mix(s.history, s.dealt + 16 * (player + 1) + 64 * (s.hand[player] + 1))


def sees(s, player, move):
    """Hands are dealt face down; the board and bets are open."""
    face_down = s.dealt < 2 and s.dealt != player
    return mix(1, 0) if face_down else mix(0, move)


def resample(s, player, rng):
    """Betting tells nothing of the cards if the other plays at random, so any card in the deck may be in his hand."""
    if s.dealt <= 1 - player:
        return
    s.hand[1 - player] = -1
    unseen = 0
    for card in range(kinds(s)):
        unseen += left(s, card)
    skip = pick(rng, unseen)
    card = 0
    while skip >= left(s, card):
        skip -= left(s, card)
        card += 1
    s.hand[1 - player] = card


def private(s, player, out, weight):
    for card in range(kinds(s)):
        out[card] = card
        weight[card] = hidden(s, card)
    return kinds(s)


def hold(s, player, outcome):
    s.hand[player] = outcome


def move_name(s, move):
    if dealing(s):
        return f"deal {card_name(s, move)} to {('player 0', 'player 1', 'the board')[min(s.dealt, 2)]}"
    facing = s.paid[s.turn] < s.paid[1 - s.turn]
    if move <= CALL:
        return "fold" if move == FOLD else "call" if facing else "check"
    return f"{'raise' if facing else 'bet'} {size(s, move)}"


def features(s):
    return {f"card of player {i}": card_name(s, s.hand[i]) for i in range(min(s.dealt, 2))}


def card_name(s, card):
    names = "JQK" if s.ranks == 3 else "23456789TJQKA"[-s.ranks :]
    return names[rank(s, card)] + ("cdhs"[card % s.suits] if s.see_suits else "")


def show(s, player):
    hands = [card_name(s, s.hand[i]) if player in (None, i) else "?" for i in range(min(s.dealt, 2))]
    board = [card_name(s, s.board[i]) for i in range(s.dealt - 2)]
    return f"hands {' '.join(hands) or '-'}   board {' '.join(board) or '-'}   paid {s.paid[0]} {s.paid[1]}"


def svg(s, player):
    seen = [[card_name(s, s.hand[i]) if player in (None, i) else ""] if i < s.dealt else [] for i in range(2)]
    rows = [(f"player {i}", seen[i], f"{s.paid[i]} paid") for i in range(2)]
    return rows_of_cards([*rows, ("board", [card_name(s, s.board[i]) for i in range(s.dealt - 2)], "")])
