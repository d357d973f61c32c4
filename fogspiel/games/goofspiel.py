"""Goofspiel, the game of pure strategy: bids of cards for point cards.

Each player holds one card of every value, and there is a point card of every value. Each round one point card is up;
both bid a card at the same time (player 1 after player 0, without seeing the bid). The higher bid wins the point card's
value; on a tie the point card is discarded. Bid cards are spent; whoever has more points after the last card wins.

Point cards come in an order that both know, falling, rising or shuffled (of which there are many, told by `shuffle`),
or chance draws them. With hidden bids the players learn only who won each round (imperfect-information goofspiel:
Lanctot 2013, sec. 3.1.4; Lisý 2014, ch. 4), with open bids they see both cards (Lisý 2014, ch. 4, also in shuffled
orders). The bid of the last card is forced, yet it is a move. Sizes, with hidden bids in descending order: 738
information sets with 4 cards, 9948 with 5, 166 002 with 6. The game is symmetric: its value is 0.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Whole, list_from, mix, pick, whole_at
from fogspiel.games.toolkit.bits import count_bits, nth_bit
from fogspiel.games.toolkit.draw import rows_of_cards

MOST = 16
RANDOM = 2
HIDDEN, OPEN = 0, 1
WIN_LOSS, POINTS = 0, 1
TIE = 2
EVERYONE = 2
TRIES = 1000

PARAMETERS = (
    Whole("cards", 4, 1, MOST, "cards in each hand, and point cards"),
    Choice(
        "order",
        "descending",
        ("descending", "ascending", "random", "shuffled"),
        "of the point cards; random: drawn by chance; shuffled: some order that both know",
    ),
    Choice("bids", "hidden", ("hidden", "open"), "hidden: only who won a bid is learnt; open: both cards are shown"),
    Choice("payoff", "win_loss", ("win_loss", "points"), "+1, 0 or -1, or the difference of points"),
    Whole("lowest", 1, 0, 1, "the value of the lowest card"),
    Whole("shuffle", 0, 0, 10**9, "which order that is, with order=shuffled"),
)
# A card is its place in the hand, from 0; its value is that and `lowest`. bid[MOST * player + round] is a player's
# card, winner[round] who won it; hand and deck hold a bit for each card left; seen[i] is a key of what player i has
# learnt in the rounds that are over, seen[EVERYONE] of what both have. known are the point cards in a known order.
State = np.dtype(
    [
        ("cards", "i1"),
        ("order", "i1"),
        ("bids", "i1"),
        ("payoff", "i1"),
        ("lowest", "i1"),
        ("known", "i8"),
        ("round", "i1"),
        ("turn", "i1"),
        ("prize", "i1", MOST + 1),
        ("bid", "i1", 2 * MOST),
        ("winner", "i1", MOST),
        ("hand", "i4", 2),
        ("deck", "i4"),
        ("seen", "u8", 3),
    ],
    align=True,
)


def about(cards, order, bids, payoff, lowest, shuffle):
    most = 1 if payoff == "win_loss" else sum(range(lowest, lowest + cards))
    known = shuffled(cards, shuffle) if order == "shuffled" else list(range(cards))
    if order == "descending":
        known.reverse()
    return About(utility=(-most, most), simultaneous=True, tables={"known": np.array(known)})


def shuffled(cards, shuffle):
    """The point cards in an order that a number tells (Fisher and Yates), for each number the same on every machine."""
    known = list(range(cards))
    for i in range(cards - 1, 0, -1):
        j = mix(shuffle, i) % (i + 1)
        known[i], known[j] = known[j], known[i]
    return known


def start(s):
    s.round = 0
    s.turn = 0
    s.deck = (1 << s.cards) - 1
    for i in range(2):
        s.hand[i] = s.deck
    for i in range(3):
        s.seen[i] = mix(0, i)
    for r in range(MOST + 1):
        s.prize[r] = -1
    if s.order != RANDOM:
        for r in range(s.cards):
            s.prize[r] = whole_at(s.known, r)


def actor(s):
    if s.round == s.cards:
        return OVER
    return CHANCE if s.prize[s.round] < 0 else s.turn


def moves(s, out):
    return list_from(0, s.deck if s.prize[s.round] < 0 else s.hand[s.turn], out)


def play(s, move):
    r = s.round
    if s.prize[r] < 0:
        s.prize[r] = move
        s.deck -= 1 << move
        return
    s.bid[MOST * s.turn + r] = move
    s.hand[s.turn] -= 1 << move
    if s.turn == 0:
        s.turn = 1
        return
    mine, yours = s.bid[r], s.bid[MOST + r]
    s.winner[r] = 0 if mine > yours else 1 if yours > mine else TIE
    for i in range(3):
        learn(s, i, r)
    s.round += 1
    s.turn = 0


def learn(s, i, r):
    """Work the outcome of a round into what player i, or EVERYONE, has seen."""
    if s.bids == OPEN:
        shown = MOST * s.bid[r] + s.bid[MOST + r]
    elif i == EVERYONE:
        shown = s.winner[r]
    else:
        shown = 4 * s.bid[MOST * i + r] + s.winner[r]
    s.seen[i] = mix(s.seen[i], MOST * MOST * s.prize[r] + shown)


def points(s, player):
    total = 0
    for r in range(s.round):
        total += (s.winner[r] == player) * (s.prize[r] + s.lowest)
    return total


def payoff(s, out):
    lead = points(s, 0) - points(s, 1)
    if s.payoff == WIN_LOSS:
        lead = (lead > 0) - (lead < 0)
    out[0] = lead
    out[1] = -lead


def evaluate(s, out):
    """Points won, counting more the later it is, and what the cards left can still win (Lisý 2014, ch. 4)."""
    ahead = points(s, 0) - points(s, 1)
    won = points(s, 0) + points(s, 1)
    left = 0
    for r in range(s.round, s.cards):
        left += s.prize[r] + s.lowest if s.prize[r] >= 0 else 0
    mine = held(s, 0)
    theirs = held(s, 1)
    score = ahead / won * s.round / s.cards if won > 0 else 0.0
    if mine + theirs > 0:
        score += (mine - theirs) / (mine + theirs) * left / (0.5 * s.cards * (s.cards + 1))
    out[0] = math.tanh(score)
    if s.order != RANDOM and abs(ahead) > left:
        out[0] = 1.0 if ahead > 0 else -1.0
    if s.payoff == POINTS:
        out[0] *= left + abs(ahead)
    out[1] = -out[0]


def held(s, player):
    """The sum of a player's cards left."""
    total = 0
    for card in range(s.cards):
        if s.hand[player] >> card & 1:
            total += card + s.lowest
    return total


def infoset(s, player):
    i = EVERYONE if player == PUBLIC else player
    pending = s.turn
    if s.turn == 1 and player == 0:
        pending = 2 + s.bid[s.round]
    return mix(s.seen[i], 64 * pending + s.prize[s.round])


def sees(s, player, move):
    """Of a pending bid, that it was made; of a round, who won it or both cards."""
    r = s.round
    if s.prize[r] < 0:
        return mix(0, move)
    if s.turn == 0:
        return mix(1, 0)
    mine = s.bid[r]
    if s.bids == OPEN:
        return mix(0, move) if player == 0 else mix(2, mine)
    return mix(3, (mine > move) - (mine < move))


def resample(s, player, rng):
    """Every run of bids by the other player that fits the results is as likely, as if it had bid at random."""
    other = 1 - player
    if s.bids == HIDDEN:
        tries = 0
        while not redraw(s, player, rng, tries < TRIES):
            tries += 1
        s.seen[other] = mix(0, other)
        for r in range(s.round):
            learn(s, other, r)
    elif s.turn > other:
        s.hand[other] += 1 << s.bid[MOST * other + s.round]
    if s.turn > other:
        card = nth_bit(s.hand[other], pick(rng, s.cards - s.round))
        s.bid[MOST * other + s.round] = card
        s.hand[other] -= 1 << card


def redraw(s, player, rng, random):
    """Deal the other player's past bids anew; false if that failed. Not `random`: bids that never fail.

    The bids that lost go first, against the player's lowest cards first, so that each has the same number of cards to
    draw from whatever the others drew. Then those that won, against the highest first, draw from the most cards that
    could be left to them; one that hits upon a card already gone spoils the deal. So all deals that come out are
    equally likely.
    """
    other = 1 - player
    untied = (1 << s.cards) - 1
    for r in range(s.round):
        if s.winner[r] == TIE:
            s.bid[MOST * other + r] = s.bid[MOST * player + r]
            untied -= 1 << s.bid[MOST * player + r]
    left = untied
    lost = 0
    for card in range(s.cards):
        r = round_won(s, player, card, player)
        if r >= 0:
            below = left & (1 << card) - 1
            drawn = nth_bit(below, pick(rng, count_bits(below)) if random else 0)
            s.bid[MOST * other + r] = drawn
            left -= 1 << drawn
            lost += 1
    won = 0
    for i in range(s.cards):
        card = s.cards - 1 - i
        r = round_won(s, player, card, other)
        if r >= 0:
            above = left >> card + 1 << card + 1
            free = count_bits(above)
            lost_above = max(0, lost - count_bits(untied & (2 << card) - 1))
            choice = pick(rng, count_bits(untied >> card + 1) - lost_above - won) if random else free - 1
            if choice >= free:
                return False
            drawn = nth_bit(above, choice)
            s.bid[MOST * other + r] = drawn
            left -= 1 << drawn
            won += 1
    s.hand[other] = left
    return True


def round_won(s, player, card, winner):
    """The round in which `player` bid `card` and `winner` won; -1 if there is none."""
    for r in range(s.round):
        if s.bid[MOST * player + r] == card and s.winner[r] == winner:
            return r
    return -1


def move_name(s, move):
    return f"point card {move + s.lowest}" if s.prize[s.round] < 0 else f"bid {move + s.lowest}"


def show(s, player):
    lines = []
    for i in range(2):
        seen = s.bids == OPEN or player in (None, i)
        cards = [str(s.bid[MOST * i + r] + s.lowest) if seen else "?" for r in range(s.round)]
        if i == 0 and s.turn == 1:
            cards.append(str(s.bid[s.round] + s.lowest) if player in (None, 0) else "?")
        lines.append(f"player {i}: {points(s, i)} points, bids {' '.join(cards) or '-'}")
    prizes = [str(s.prize[r] + s.lowest) for r in range(s.cards) if s.prize[r] >= 0]
    won = ["=" if s.winner[r] == TIE else str(s.winner[r]) for r in range(s.round)]
    head = f"round {min(s.round + 1, s.cards)}   point cards {' '.join(prizes)}   won by {' '.join(won) or '-'}"
    return "\n".join([head, *lines])


def svg(s, player):
    prizes = [str(s.prize[r] + s.lowest) for r in range(s.cards) if s.prize[r] >= 0]
    rows = [("point cards", prizes, f"round {min(s.round + 1, s.cards)}")]
    for i in range(2):
        bids = [
            str(s.bid[MOST * i + r] + s.lowest) if s.bids == OPEN or player in (None, i) else "" for r in range(s.round)
        ]
        if i == 0 and s.turn == 1:
            bids.append(str(s.bid[s.round] + s.lowest) if player in (None, 0) else "")
        won = [prizes[r] for r in range(s.round) if s.winner[r] == i]
        rows.append((f"player {i}", bids, f"{points(s, i)} points" + (f", won {' '.join(won)}" if won else "")))
    return rows_of_cards(rows)
