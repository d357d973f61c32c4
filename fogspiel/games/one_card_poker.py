"""One-card poker: Kuhn's poker with a deck of any size.

Both ante 1 and are dealt one card. Player 0 bets 1 or passes. After a bet player 1 calls or folds; after a pass it bets
or passes, and after pass and bet player 0 calls or folds. Who folds loses the ante; otherwise the higher card wins, the
ante after two passes, ante and bet after a call. Gordon 2006; Lanctot 2013, sec. 3.1.2, where the last two payoffs are
printed the wrong way round. Three cards make Kuhn poker, value -1/18 to player 0; n cards make 4n information sets.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Whole, mix, pick
from fogspiel.games.toolkit.draw import rows_of_cards

PASS, BET = 0, 1
NOTHING_YET = 0b1
PASS_PASS, PASS_BET, BET_PASS = 0b100, 0b101, 0b110
PASS_BET_PASS = 0b1010
MOST = 1000
MAX_MOVES = MOST
PARAMETERS = (Whole("cards", 13, 2, MOST, "how many cards the deck has"),)
State = np.dtype([("cards", "i2"), ("card", "i2", 2), ("dealt", "i1"), ("betting", "i1")], align=True)
"""`betting` is a binary number: 1, then a digit for each move of a player."""


def about(cards):
    return About(utility=(-2, 2), deck=True)


def start(s):
    s.card[0] = -1
    s.card[1] = -1
    s.betting = NOTHING_YET


def actor(s):
    if s.dealt < 2:
        return CHANCE
    if s.betting == NOTHING_YET or s.betting == PASS_BET:
        return 0
    return 1 if s.betting < PASS_PASS else OVER


def moves(s, out):
    if s.dealt == 2:
        out[0] = PASS
        out[1] = BET
        return 2
    n = 0
    for card in range(s.cards):
        if card != s.card[0]:
            out[n] = card
            n += 1
    return n


def play(s, move):
    if s.dealt < 2:
        s.card[s.dealt] = move
        s.dealt += 1
    else:
        s.betting = 2 * s.betting + move


def payoff(s, out):
    if s.betting == BET_PASS:
        out[0] = 1
    elif s.betting == PASS_BET_PASS:
        out[0] = -1
    else:
        stake = 1 if s.betting == PASS_PASS else 2
        out[0] = stake if s.card[0] > s.card[1] else -stake
    out[1] = -out[0]


def infoset(s, player):
    public = mix(mix(0, s.betting), s.dealt)
    return public if player == PUBLIC else mix(public, s.card[player])


def sees(s, player, move):
    """Cards are dealt face down, bets are open."""
    face_down = s.dealt < 2 and s.dealt != player
    return mix(1, 0) if face_down else mix(0, move)


def resample(s, player, rng):
    other = 1 - player
    if s.dealt > other:
        card = pick(rng, s.cards)
        while card == s.card[player]:
            card = pick(rng, s.cards)
        s.card[other] = card


def private(s, player, out, weight):
    for card in range(s.cards):
        out[card] = card
        weight[card] = 1
    return s.cards


def hold(s, player, outcome):
    s.card[player] = outcome


def strength(s, player):
    return s.card[player]


def move_name(s, move):
    if s.dealt < 2:
        return f"deal {move + 1} to player {s.dealt}"
    if s.betting % 2 == BET and s.betting != NOTHING_YET:
        return "call" if move == BET else "fold"
    return "bet" if move == BET else "pass"


def features(s):
    return {f"card of player {i}": s.card[i] + 1 for i in range(s.dealt)}


def show(s, player):
    cards = [str(s.card[i] + 1) if player in (None, i) else "?" for i in range(s.dealt)]
    said = ["bet" if digit == "1" else "pass" for digit in f"{s.betting:b}"[1:]]
    return f"cards {' '.join(cards) or '-'}   betting {' '.join(said) or '-'}"


def svg(s, player):
    seen = [[str(s.card[i] + 1) if player in (None, i) else ""] if i < s.dealt else [] for i in range(2)]
    said = ["bets" if digit == "1" else "passes" for digit in f"{s.betting:b}"[1:]]
    return rows_of_cards([(f"player {i}", seen[i], ", ".join(said[i::2])) for i in range(2)])
