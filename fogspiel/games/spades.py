"""Spades, the card game of bidding for tricks with spades as trumps, for four players in two partnerships.

Players 0 and 2 play against 1 and 3. Each gets thirteen cards and says in turn how many tricks it will take; the bids
of partners may not come to more than 13. Who bid first leads. Players follow suit if they can and play any card
otherwise; the highest spade takes the trick, or if there is none, the highest card of the suit led, and its player
leads the next. Spades are not led before one was played, unless nothing else is left.

A partnership that takes as many tricks as both bid has ten points for each trick bid, else it loses as many. Each trick
above the bid is a bag and worth `bag` points; ten bags are given back for 100 points. A player who bids nil and takes
no trick brings 100 points, one who bids nil and takes any costs as many, and its tricks count for the partnership. With
target=0 the game is one round. Else it goes on, another player bidding first, until after a round a partnership has
`target` points or has lost `mercy`; the higher score wins.

With payoff=points a player gets the points of its partnership; with payoff=value (s - 10b - s' + 10b') / 200, where s
and b are points and bags of its own partnership and s' and b' those of the other (Whitehouse 2014, eq. 4.1); with
payoff=win 1, -1, or 0 if points are equal. Chance deals the deck in order, each card to a player, in proportion to how
many they lack.

Whitehouse 2014, sec. 4.2.4 (target=500,payoff=win,bag=0). From the rule book (pagat.com, OpenSpiel): who leads first,
that a bag is worth a point, the limit of the partners' bids, and that far too few points end the game. OpenSpiel's
spades is spades(breaking=never,payoff=points).
"""

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, PUBLIC, UNSEEN, About, Choice, Whole, count_bits, list_from, mix
from fogspiel.games.toolkit.card_table import card_table, last_trick, trick_lines
from fogspiel.games.toolkit.cards import (
    DECK,
    SPADES,
    deal_card,
    following,
    hand_text,
    holders,
    list_cards,
    name,
    share,
    suit_of,
)

HAND = (13, 13, 13, 13)
TRICKS = 13
BID = 52
"""The move of the bid 0; the bid n is BID + n."""
LOWEST_SPADE = 39
NIL, NONE = 0, -1
BAGS, BAG_PENALTY, NIL_BONUS = 10, 100, 100
DEALING, BIDDING, PLAYING, FINISHED = 0, 1, 2, 3
POINTS, VALUE, WIN = 0, 1, 2
ONCE_PLAYED, NEVER, ALWAYS = 0, 1, 2
PARAMETERS = (
    Whole("target", 0, 0, 1000, "points that end the game after a round; 0: one round"),
    Whole("mercy", 350, 1, 1000, "lost points that end the game, too"),
    Whole("bag", 1, 0, 1, "points of a trick above the bid"),
    Choice(
        "breaking", "yes", ("yes", "never", "no"), "spades are led once one was played, if all else is gone, always"
    ),
    Choice(
        "payoff", "value", ("points", "value", "win"), "points, their difference less 10 a bag over 200, or 1 or -1"
    ),
)
MAX_MOVES = 16
State = np.dtype(
    [
        ("target", "i2"),
        ("mercy", "i2"),
        ("bag", "i1"),
        ("breaking", "i1"),
        ("payoff", "i1"),
        ("phase", "i1"),
        ("turn", "u1"),
        ("made", "u1"),
        ("first", "i1"),
        ("broken", "i1"),
        ("bid", "i1", 4),
        ("tricks", "i1", 4),
        ("bags", "i1", 2),
        ("score", "i2", 2),
        ("hand", "i8", 4),
        ("cannot", "i8", 4),
        ("wanted", "i8"),
        ("best", "i8"),
        ("trick", "i8"),
        ("history", "u8"),
        ("order", "i1", 52),
    ],
    align=True,
)
"""`made` counts the cards dealt, bids made or cards played in a phase; `first` bids and leads first; `broken` is 1 if
spades may be led. Of each player: bid, tricks, cards in hand and those that it showed it cannot have. Of the trick: its
cards as digits to the base 64, the best one with its player (4 * card + player), and the cards that must be played by
who has any (`wanted`). `order` has the cards played in the round, `history` is a hash of all before the trick."""


def about(target, mercy, bag, breaking, payoff):
    if payoff == "win":
        return About(players=4, utility=(-1, 1))
    points, value = bounds(bag, (0, BAGS - 1) if target else (0,))
    if payoff == "points":
        low, high = (-mercy + 1, target - 1) if target else (0, 0)
        return About(players=4, utility=(low + points[0], high + points[1]), zero_sum=False)
    ahead = target + mercy - 2 + 10 * (BAGS - 1) if target else 0
    return About(players=4, utility=(-(ahead + value) / 200, (ahead + value) / 200))


def bounds(bag, bags):
    """The least and the most points of a round for a partnership, and the largest difference in points less ten a bag
    between two."""
    points, value = {}, {}
    for took in range(TRICKS + 1):
        for own in range(took + 1):
            for bid in range(TRICKS + 1):
                for other in range(TRICKS + 1 - bid):
                    for before in bags:
                        won, left = scored(bag, bid, other, own, took - own, before)
                        points.setdefault(took, []).append(won)
                        value.setdefault(took, []).append(won - 10 * (left - before))
    everything = [x for row in points.values() for x in row]
    return (min(everything), max(everything)), max(max(value[t]) - min(value[TRICKS - t]) for t in value)


def scored(bag, bid, partner_bid, tricks, partner_tricks, bags):
    """What a round brings to a partnership that had so many bags: points, and bags afterwards."""
    contract, took = bid + partner_bid, tricks + partner_tricks
    points = 10 * contract if took >= contract else -10 * contract
    bags += max(took - contract, 0)
    points += bag * max(took - contract, 0) - BAG_PENALTY * (bags // BAGS)
    if bid == NIL:
        points += NIL_BONUS if tricks == 0 else -NIL_BONUS
    if partner_bid == NIL:
        points += NIL_BONUS if partner_tricks == 0 else -NIL_BONUS
    return points, bags % BAGS


def start(s):
    begin_round(s)


def begin_round(s):
    s.phase = DEALING
    s.made = 0
    s.broken = s.breaking == ALWAYS
    for i in range(4):
        s.bid[i] = NONE
        s.tricks[i] = 0
        s.cannot[i] = 0
    for i in range(52):
        s.order[i] = NONE


def actor(s):
    if s.phase == DEALING:
        return CHANCE
    return OVER if s.phase == FINISHED else s.turn


def chance(s, out, prob):
    return deal_card(s.hand, HAND, 4, out, prob)


def moves(s, out):
    if s.phase == PLAYING:
        return list_cards(following(s.hand[s.turn], s.wanted), out)
    most = TRICKS - max(s.bid[(s.turn + 2) & 3], 0)
    return list_from(BID, (2 << most) - 1, out)


def play(s, move):
    if s.phase == PLAYING:
        play_card(s, move)
    elif s.phase == BIDDING:
        make_bid(s, move - BID)
    else:
        s.hand[move] |= 1 << s.made
        s.made += 1
        if s.made == 52:
            s.phase = BIDDING
            s.made = 0
            s.turn = s.first


def make_bid(s, bid):
    s.bid[s.turn] = bid
    s.history = mix(s.history, bid)
    s.turn = (s.turn + 1) & 3
    s.made += 1
    if s.made == 4:
        s.phase = PLAYING
        s.made = 0
        begin_trick(s)


def begin_trick(s):
    s.wanted = DECK if s.broken else DECK ^ SPADES
    s.trick = 0
    s.best = NONE


def play_card(s, card):
    player = s.turn
    played = 1 << card
    s.cannot[player] |= 0 if played & s.wanted else s.wanted
    if s.made & 3 == 0:
        s.wanted = suit_of(card)
    s.best = max(s.best, 4 * card + player if played & (s.wanted | SPADES) else NONE)
    s.hand[player] ^= played
    s.trick = 64 * s.trick + card + 1
    s.order[s.made] = card
    s.made += 1
    s.turn = (player + 1) & 3
    if s.made & 3 == 0:
        end_trick(s)


def end_trick(s):
    s.history = mix(s.history, s.trick)
    s.turn = s.best & 3
    s.tricks[s.turn] += 1
    if s.best >= 4 * LOWEST_SPADE and s.breaking == ONCE_PLAYED:
        s.broken = 1
    begin_trick(s)
    if s.made == 52:
        end_round(s)


def end_round(s):
    for side in range(2):
        a, b = side, side + 2
        points, bags = scored(s.bag, s.bid[a], s.bid[b], s.tricks[a], s.tricks[b], s.bags[side])
        s.score[side] += points
        s.bags[side] = bags
    highest, lowest = max(s.score[0], s.score[1]), min(s.score[0], s.score[1])
    if s.target == 0 or highest >= s.target or lowest <= -s.mercy:
        s.phase = FINISHED
    else:
        s.first = (s.first + 1) & 3
        begin_round(s)


def payoff(s, out):
    reward(s, s.score[0], s.score[1], s.bags[0], s.bags[1], out)


def reward(s, score, other_score, bags, other_bags, out):
    ahead = score - other_score
    if s.payoff == VALUE:
        out[0] = (ahead - 10 * bags + 10 * other_bags) / 200
    elif s.payoff == WIN:
        out[0] = (ahead > 0) - (ahead < 0)
    else:
        out[0] = score
    out[1] = other_score if s.payoff == POINTS else -out[0]
    out[2] = out[0]
    out[3] = out[1]


def evaluate(s, out):
    """The points if each player took as many of the tricks left as it lacks to its bid, as far as there are any
    (Whitehouse 2014, eq. 4.1)."""
    score, bags = projected(s, 0)
    other_score, other_bags = projected(s, 1)
    reward(s, score, other_score, bags, other_bags, out)
    if s.payoff == WIN:
        out[0] = min(max((score - other_score - 10 * bags + 10 * other_bags) / 1000, -1.0), 1.0)
        out[1] = -out[0]
        out[2] = out[0]
        out[3] = out[1]


def projected(s, side):
    """Points and bags of a partnership after a round in which all take their bids, if the tricks left are enough."""
    a, b = side, side + 2
    if s.phase != PLAYING:
        return s.score[side], s.bags[side]
    lacking = 0
    for i in range(4):
        lacking += max(s.bid[i] - s.tricks[i], 0)
    left = TRICKS - s.made // 4
    share_a = wins(s, a, left, lacking)
    share_b = wins(s, b, left, lacking)
    points, bags = scored(s.bag, s.bid[a], s.bid[b], share_a, share_b, s.bags[side])
    return s.score[side] + points, bags


def wins(s, player, left, lacking):
    """The tricks that a player is taken to win: its bid where the tricks left are enough for all, else its part of
    them."""
    lacks = max(s.bid[player] - s.tricks[player], 0)
    if lacking > left:
        lacks = lacks * left // lacking
    return s.tricks[player] + lacks


def episode(s):
    """A deal, or a trick that player i begins, as in hearts (Whitehouse 2014, sec. 8.3.2)."""
    if s.phase == PLAYING:
        return 1 + s.turn if s.made & 3 == 0 else CONTINUES
    return 0 if s.phase == DEALING and s.made == 0 else CONTINUES


def infoset(s, player):
    if s.phase == DEALING:  # cards are looked at when all are dealt
        return mix(s.history, s.phase)
    public = mix(mix(s.history, s.trick), s.made + 64 * s.phase + 256 * s.turn)
    if player == PUBLIC or s.phase == FINISHED:
        return public
    return mix(mix(public, s.hand[player]), player)


def sees(s, player, move):
    """All that is done is open, but for the deal: players look at their hands when all cards are dealt."""
    if s.phase != DEALING:
        return mix(0, move)
    play(s, move)
    return UNSEEN if s.phase == DEALING else mix(1, s.hand[player])


def resample(s, player, rng):
    """All deals that fit what was seen are as likely: the cards played, and suits that others could not follow."""
    if s.phase == FINISHED:
        return
    a, b, c = (player + 1) & 3, (player + 2) & 3, (player + 3) & 3
    n_a, n_b, n_c = count_bits(s.hand[a]), count_bits(s.hand[b]), count_bits(s.hand[c])
    hidden = s.hand[a] | s.hand[b] | s.hand[c]
    s.hand[a], s.hand[b], s.hand[c] = share(hidden, n_a, n_b, n_c, s.cannot[a], s.cannot[b], s.cannot[c], rng)


def move_name(s, move):
    if s.phase == DEALING:
        return f"{name(s.made)} to player {move}"
    return name(move) if move < BID else "nil" if move == BID else f"bid {move - BID}"


def features(s):
    return holders(s.hand, 4)


def show(s, player):
    if s.phase == DEALING and player is not None:
        return f"{heading(s)}   the cards are dealt"
    lines = [heading(s)]
    for i in range(4):
        hand = hand_text(s.hand[i]) if player in (None, i) else f"{count_bits(s.hand[i])} cards"
        lines.append(f"player {i}  {hand}   {said(s, i)}")
    return "\n".join([*lines, *trick_lines(s.order, s.first, SPADES)])


def heading(s):
    return f"points {s.score[0]} {s.score[1]}   bags {s.bags[0]} {s.bags[1]}"


def said(s, player):
    if s.bid[player] == NONE:
        return "no bid"
    return f"bid {s.bid[player] or 'nil'}, {s.tricks[player]} tricks"


def svg(s, player):
    dealt = player is None or s.phase > DEALING
    hands = [s.hand[i] if dealt and player in (None, i) else None for i in range(4)]
    sizes = [count_bits(s.hand[i]) if dealt else 0 for i in range(4)]
    notes = [f"player {i}: {said(s, i)}" for i in range(4)]
    return card_table(hands, sizes, notes, last_trick(s.order, s.first, SPADES), [heading(s)], actor(s))
