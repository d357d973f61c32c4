"""Kuhn poker for two or more players.

Everyone antes 1 and is dealt one card from a deck of one card more than there are players. In turn a player passes or
bets 1, once; after a bet, each other player in turn calls (bets 1) or folds (passes). The highest card among those who
bet, or among all if nobody did, takes the pot. Two players: Kuhn 1950, value -1/18 to the first. More: Abou Risk and
Szafron 2010.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Whole, mix, pick
from fogspiel.games.toolkit.draw import rows_of_cards

PASS, BET = 0, 1
MOST = 10
PARAMETERS = (Whole("players", 2, 2, MOST, "how many players"),)
State = np.dtype(
    [
        ("players", "i1"),
        ("card", "i1", MOST),
        ("bet", "i1", MOST),
        ("dealt", "i1"),
        ("acted", "i1"),
        ("first_bet", "i1"),
        ("betting", "u8"),
    ],
    align=True,
)


def about(players):
    return About(
        players=players, utility=(-2, 2 * players - 2), deck=True, without=() if players == 2 else ("private",)
    )


def start(s):
    for i in range(s.players):
        s.card[i] = -1
        s.bet[i] = 0
    s.dealt = 0
    s.acted = 0
    s.first_bet = -1
    s.betting = 0


def actor(s):
    if s.dealt < s.players:
        return CHANCE
    if s.first_bet < 0:
        return OVER if s.acted == s.players else s.acted
    if s.acted == s.first_bet + s.players:
        return OVER
    return turn(s)


def turn(s):
    """The player to act: nobody acts more than twice."""
    return s.acted - s.players if s.acted >= s.players else s.acted


def moves(s, out):
    if s.dealt == s.players:
        out[0] = PASS
        out[1] = BET
        return 2
    n = 0
    for card in range(s.players + 1):
        if not held(s, card):
            out[n] = card
            n += 1
    return n


def held(s, card):
    for i in range(s.dealt):
        if s.card[i] == card:
            return True
    return False


def play(s, move):
    if s.dealt < s.players:
        s.card[s.dealt] = move
        s.dealt += 1
        return
    if move == BET:
        s.bet[turn(s)] = 1
        if s.first_bet < 0:
            s.first_bet = s.acted
    s.acted += 1
    s.betting = mix(s.betting, move)


def payoff(s, out):
    winner = -1
    pot = 0
    for i in range(s.players):
        pot += 1 + s.bet[i]
        out[i] = -1 - s.bet[i]
        if (s.first_bet < 0 or s.bet[i]) and (winner < 0 or s.card[i] > s.card[winner]):
            winner = i
    out[winner] += pot


def infoset(s, player):
    public = mix(s.betting, s.dealt)
    return public if player == PUBLIC else mix(public, s.card[player])


def sees(s, player, move):
    """Cards are dealt face down, bets are open."""
    face_down = s.dealt < s.players and s.dealt != player
    return mix(1, 0) if face_down else mix(0, move)


def resample(s, player, rng):
    for i in range(s.dealt):
        if i != player:
            s.card[i] = -1
    for i in range(s.dealt):
        if i != player:
            card = pick(rng, s.players + 1)
            while held(s, card):
                card = pick(rng, s.players + 1)
            s.card[i] = card


def private(s, player, out, weight):
    for card in range(s.players + 1):
        out[card] = card
        weight[card] = 1
    return s.players + 1


def hold(s, player, outcome):
    s.card[player] = outcome


def strength(s, player):
    return s.card[player]


def move_name(s, move):
    if s.dealt < s.players:
        return f"deal {move + 1} to player {s.dealt}"
    if s.first_bet < 0:
        return "bet" if move == BET else "pass"
    return "call" if move == BET else "fold"


def features(s):
    return {f"card of player {i}": s.card[i] + 1 for i in range(s.dealt)}


def show(s, player):
    cards = [str(s.card[i] + 1) if player in (None, i) else "?" for i in range(s.dealt)]
    return f"cards {' '.join(cards) or '-'}   bets {' '.join(str(1 + s.bet[i]) for i in range(s.players))}"


def svg(s, player):
    seen = [[str(s.card[i] + 1) if player in (None, i) else ""] if i < s.dealt else [] for i in range(s.players)]
    return rows_of_cards([(f"player {i}", seen[i], f"{1 + s.bet[i]} in the pot") for i in range(s.players)])
