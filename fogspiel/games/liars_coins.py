"""Liar's coins: liar's dice with coins, of which only heads are bid.

Everyone tosses its coins in secret. In turn players bid how many of all coins show heads, at least; each bid must be
higher than the last. Instead of bidding a player may call the last bid a lie: all coins are shown, and if there are as
many heads as were bid, the bidder gets 1 from the caller, otherwise the caller 1 from the bidder. Other players get
nothing.

One of the games of Whitehouse 2014, sec. 4.1, which calls it a simplified liar's dice and prints no rules; these are
the simplest that leave a choice. With two players and one coin each the value is 0: who has tails bids 1, which holds
if the other has heads.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Picture, Whole, mix, uniform
from fogspiel.games.toolkit.draw import SEATS, UNSEEN

MOST = 6
CALL = 0
NOBODY = -1
PARAMETERS = (
    Whole("players", 2, 2, MOST, "players"),
    Whole("coins", 2, 1, 8, "coins of each player"),
)
METALS = {"H": "#d4af37", "T": "#c0c0c0", "?": UNSEEN}
MAX_MOVES = 49
State = np.dtype(
    [
        ("players", "i1"),
        ("coins", "i1"),
        ("heads", "i1", MOST),
        ("tossed", "i1"),
        ("turn", "i1"),
        ("bid", "i1"),
        ("winner", "i1"),
        ("loser", "i1"),
        ("bids", "i8"),
    ],
    align=True,
)
"""Bit b of `bids` tells whether b was bid: bids rise, so that their order, and who made them, follows."""


def about(players, coins):
    return About(players=players, utility=(-1, 1))


def start(s):
    for i in range(MOST):
        s.heads[i] = 0
    s.winner = NOBODY
    s.loser = NOBODY


def actor(s):
    if s.winner != NOBODY:
        return OVER
    return CHANCE if s.tossed < s.players else s.turn


def chance(s, out, prob):
    """How many heads a player tosses."""
    for heads in range(s.coins + 1):
        out[heads] = heads
        prob[heads] = chance_of(heads, s.coins)
    return s.coins + 1


def chance_of(heads, coins):
    """The binomial probability of so many heads."""
    odds = 0.5**coins
    for i in range(heads):
        odds = odds * (coins - i) / (i + 1)
    return odds


def moves(s, out):
    n = 0
    if s.bid > 0:
        out[0] = CALL
        n = 1
    for bid in range(s.bid + 1, s.players * s.coins + 1):
        out[n] = bid
        n += 1
    return n


def play(s, move):
    if s.tossed < s.players:
        s.heads[s.tossed] = move
        s.tossed += 1
    elif move == CALL:
        bidder = (s.turn + s.players - 1) % s.players
        holds = all_heads(s) >= s.bid
        s.winner = bidder if holds else s.turn
        s.loser = s.turn if holds else bidder
    else:
        s.bid = move
        s.bids |= 1 << move
        s.turn = (s.turn + 1) % s.players


def all_heads(s):
    total = 0
    for i in range(s.players):
        total += s.heads[i]
    return total


def payoff(s, out):
    for i in range(s.players):
        out[i] = (s.winner == i) - (s.loser == i)


def infoset(s, player):
    """A player knows the bids and its own coins, and after a call all coins."""
    key = mix(mix(s.tossed, s.bids), s.winner)
    if s.winner != NOBODY:
        for i in range(s.players):
            key = mix(key, s.heads[i])
        return key
    return key if player == PUBLIC else mix(key, s.heads[player] if s.tossed > player else NOBODY)


def sees(s, player, move):
    """Who tosses sees its coins; bids are open, and a call shows all coins."""
    if s.tossed < s.players:
        return mix(0, move) if s.tossed == player else mix(1, 0)
    if move != CALL:
        return mix(0, move)
    key = mix(2, s.turn)
    for i in range(s.players):
        key = mix(key, s.heads[i])
    return key


def resample(s, player, rng):
    """Tosses the coins of the others again, unless a call has shown them."""
    if s.winner != NOBODY:
        return
    for i in range(s.tossed):
        if i != player:
            heads = 0
            x = uniform(rng) - chance_of(0, s.coins)
            while x >= 0 and heads < s.coins:
                heads += 1
                x -= chance_of(heads, s.coins)
            s.heads[i] = heads


def guide(s, out, prob):
    """A call, or a bid, as often as it is right where the others' coins are fair, and a bid half as often for each step
    that it is higher."""
    n = moves(s, out)
    mine = s.heads[s.turn]
    others = (s.players - 1) * s.coins
    total = 0.0
    for i in range(n):
        if out[i] == CALL:
            prob[i] = 1 - at_least(s.bid - mine, others)
        else:
            prob[i] = at_least(out[i] - mine, others) * 0.5 ** (out[i] - s.bid)
        prob[i] += 0.01
        total += prob[i]
    for i in range(n):
        prob[i] /= total
    return n


def at_least(heads, coins):
    """The chance of so many heads or more."""
    odds = 0.0
    for n in range(max(0, heads), coins + 1):
        odds += chance_of(n, coins)
    return odds


def move_name(s, move):
    if s.tossed < s.players:
        return f"player {s.tossed} tosses {coins_of(s, move)}"
    return "call" if move == CALL else heads_in_words(move)


def coins_of(s, heads):
    return "H" * heads + "T" * (s.coins - heads)


def heads_in_words(n):
    return f"{n} head{'s' if n > 1 else ''}"


def seen_of(s, player, i):
    """The coins of a player, as another sees them."""
    if s.tossed <= i:
        return ""
    return coins_of(s, s.heads[i]) if player in (None, i) or s.winner != NOBODY else "?" * s.coins


def situation(s):
    if s.winner != NOBODY:
        return f"{heads_in_words(s.bid)} called, player {s.winner} wins"
    bids = [str(bid) for bid in range(1, s.bid + 1) if s.bids >> bid & 1]
    return f"bids {' '.join(bids)}" if bids else "no bid yet"


def features(s):
    return {f"heads of player {i}": s.heads[i] for i in range(s.tossed)}


def show(s, player):
    coins = [f"player {i}: {seen_of(s, player, i) or '-'}" for i in range(s.players)]
    return "\n".join([*coins, situation(s)])


def svg(s, player):
    picture = Picture(110 + 40 * max(s.coins, 3), 20 + 44 * (s.players + 1))
    for i in range(s.players):
        picture.text(12, 32 + 44 * i, f"player {i}", colour=SEATS[i], anchor="start", bold=True)
        for n, side in enumerate(seen_of(s, player, i)):
            picture.circle(115 + 40 * n, 32 + 44 * i, 16, fill=METALS[side], line="#6b7280")
            picture.text(115 + 40 * n, 32 + 44 * i, side, bold=True)
    picture.text(12, 32 + 44 * s.players, situation(s), anchor="start")
    return str(picture)
