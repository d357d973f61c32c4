"""Dominion, the card game of building a deck, with ten action cards that need nobody else.

Each player owns a deck, at first seven Coppers and three Estates. In a turn it draws five cards, may play an action
card, then buys a card for the money in hand. Bought cards, and after the turn all cards drawn, go to the player's
discards, which are shuffled into a new deck when the deck runs out. Actions let the player draw more cards, play more
actions, buy more often or spend more:

Smithy (4): 3 cards. Village (3): 1 card, 2 actions. Market (5): 1 card, 1 action, 1 buy, 1 coin. Laboratory (5): 2
cards, 1 action. Festival (5): 2 actions, 1 buy, 2 coins. Moat (2): 2 cards. Woodcutter (3): 1 buy, 2 coins. Workshop
(3): gain a card that costs up to 4. Moneylender (4): a Copper in hand is given up for 3 coins. Council Room (5): 4
cards, 1 buy.

The game ends after a turn in which the Provinces or three stacks of actions ran out, or after a number of turns of each
player. Victory cards count then: Estates 1 (cost 2), Duchies 3 (cost 5), Provinces 6 (cost 8). Alone (players=1) a
player is paid its points; of two the one with more wins.

Vaccarino 2008; Lanctot 2013, sec. 3.2.4 and ch. 7, which do not tell the ten action cards or the number of turns. Hands
are drawn at the beginning of a turn, as there, and seen by all, so nothing is hidden but the order of the decks, and a
card is drawn by chance when it is needed.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Whole, mix

NAMES = (
    "Copper",
    "Silver",
    "Gold",
    "Estate",
    "Duchy",
    "Province",
    "Smithy",
    "Village",
    "Market",
    "Laboratory",
    "Festival",
    "Moat",
    "Woodcutter",
    "Workshop",
    "Moneylender",
    "Council Room",
)
KINDS = len(NAMES)
COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, SMITHY = range(7)
WORKSHOP, MONEYLENDER = 13, 14
#         Co Si Go Es Du Pr Sm Vi Ma La Fe Mo Wo Ws Ml CR
COST = (0, 3, 6, 2, 5, 8, 4, 3, 5, 5, 5, 2, 3, 3, 4, 5)
MONEY = (1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
POINTS = (0, 0, 0, 1, 3, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
CARDS = (0, 0, 0, 0, 0, 0, 3, 1, 1, 2, 0, 2, 0, 0, 0, 4)
AGAIN = (0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 2, 0, 0, 0, 0, 0)
BUYS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1)
COINS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 2, 0, 0, 0)
HAND = 5
DEAR = 8
"""What a Province costs."""
END = 0
ACTING, GAINING, BUYING, FINISHED = 0, 1, 2, 3
PARAMETERS = (
    Whole("players", 2, 1, 2, "players; alone one plays for points"),
    Whole("turns", 20, 1, 200, "turns of each player"),
    Whole("actions", 10, 0, 10, "stacks of action cards, the first of the list"),
    Whole("victory", 8, 1, 12, "cards in each stack of victory cards"),
)
State = np.dtype(
    [
        ("players", "i1"),
        ("turns", "i2"),
        ("actions", "i1"),
        ("victory", "i1"),
        ("supply", "i1", 16),
        ("deck", "i1", 32),
        ("discard", "i1", 32),
        ("hand", "i1", 16),
        ("played", "i1", 16),
        ("draw", "i1"),
        ("drawing", "i1"),
        ("again", "i1"),
        ("buys", "i1"),
        ("coins", "i2"),
        ("phase", "i1"),
        ("player", "i1"),
        ("left", "i2"),
    ],
    align=True,
)
"""Cards are counted by kind; deck and discard have KINDS places for each player, hand and played are those of the
player to move. draw is how many cards are still to be drawn, drawing is 1 if an action drew them; again, buys and coins
are what is left to the player, coins without the money in hand; left counts its turns, the present one included."""


def about(players, turns, actions, victory):
    # A player knows the position, not the moves that led to it.
    if players == 2:
        return About(utility=(-1, 1), perfect_recall=False)
    return About(players=1, utility=(0, 3 + 10 * victory), zero_sum=False, perfect_recall=False)


def start(s):
    for card in range(SMITHY + s.actions):
        s.supply[card] = 10
    for card in range(ESTATE, PROVINCE + 1):
        s.supply[card] = s.victory
    s.supply[COPPER] = 60 - 7 * s.players
    s.supply[SILVER] = 40
    s.supply[GOLD] = 30
    for player in range(s.players):
        s.deck[KINDS * player + COPPER] = 7
        s.deck[KINDS * player + ESTATE] = 3
    s.left = s.turns
    begin_turn(s)


def begin_turn(s):
    s.draw = HAND
    s.drawing = 0
    s.again = 1
    s.buys = 1
    s.coins = 0
    s.phase = ACTING
    settle(s)


def settle(s):
    """Shuffle if a card is to be drawn from an empty deck; go on to buying if no action can be played."""
    if s.draw > 0 and deck_size(s) == 0:
        for card in range(KINDS):
            s.deck[KINDS * s.player + card] = s.discard[KINDS * s.player + card]
            s.discard[KINDS * s.player + card] = 0
        if deck_size(s) == 0:
            s.draw = 0
    if s.draw == 0:
        s.drawing = 0
        if s.phase == ACTING and (s.again == 0 or not has_action(s)):
            begin_buying(s)


def begin_buying(s):
    s.phase = BUYING
    s.again = 0


def deck_size(s):
    n = 0
    for card in range(KINDS):
        n += s.deck[KINDS * s.player + card]
    return n


def discard_size(s):
    n = 0
    for card in range(KINDS):
        n += s.discard[KINDS * s.player + card]
    return n


def has_action(s):
    for card in range(SMITHY, KINDS):
        if s.hand[card] > 0:
            return True
    return False


def actor(s):
    if s.phase == FINISHED:
        return OVER
    return CHANCE if s.draw > 0 else s.player


def chance(s, out, prob):
    """The card on top of the deck."""
    n = 0
    cards = deck_size(s)
    for card in range(KINDS):
        if s.deck[KINDS * s.player + card] > 0:
            out[n] = card
            prob[n] = s.deck[KINDS * s.player + card] / cards
            n += 1
    return n


def moves(s, out):
    """END, or one more than the number of the card to play, to gain or to buy."""
    n = 0
    if s.phase != GAINING:
        out[n] = END
        n += 1
    for card in range(KINDS):
        if (s.hand[card] > 0 and card >= SMITHY) if s.phase == ACTING else can_gain(s, card):
            out[n] = card + 1
            n += 1
    return n


def can_gain(s, card):
    """Whether there is such a card, and the player can pay for it or take it with the Workshop."""
    return s.supply[card] > 0 and COST[card] <= (4 if s.phase == GAINING else money(s))


def money(s):
    """What the player to move can spend."""
    return s.coins + s.hand[COPPER] + 2 * s.hand[SILVER] + 3 * s.hand[GOLD]


def play(s, move):
    if s.draw > 0:
        s.deck[KINDS * s.player + move] -= 1
        s.hand[move] += 1
        s.draw -= 1
        settle(s)
    elif s.phase == ACTING:
        if move == END:
            begin_buying(s)
        else:
            act(s, move - 1)
    elif s.phase == GAINING:
        gain(s, move - 1)
        s.phase = ACTING
        settle(s)
    else:
        if move != END:
            gain(s, move - 1)
            s.coins -= COST[move - 1]
            s.buys -= 1
        if move == END or s.buys == 0:
            end_turn(s)


def act(s, card):
    s.hand[card] -= 1
    s.played[card] += 1
    s.draw = CARDS[card]
    s.drawing = 1
    s.again += AGAIN[card] - 1
    s.buys += BUYS[card]
    s.coins += COINS[card]
    if card == MONEYLENDER and s.hand[COPPER] > 0:
        s.hand[COPPER] -= 1
        s.coins += 3
    if card == WORKSHOP:
        s.phase = GAINING
        if not can_gain_any(s):
            s.phase = ACTING
    settle(s)


def can_gain_any(s):
    for card in range(KINDS):
        if can_gain(s, card):
            return True
    return False


def gain(s, card):
    s.supply[card] -= 1
    s.discard[KINDS * s.player + card] += 1


def end_turn(s):
    for card in range(KINDS):
        s.discard[KINDS * s.player + card] += s.hand[card] + s.played[card]
        s.hand[card] = 0
        s.played[card] = 0
    s.player += 1
    if s.player == s.players:
        s.player = 0
        s.left -= 1
    empty = 0
    for card in range(SMITHY, SMITHY + s.actions):
        empty += s.supply[card] == 0
    if s.left == 0 or s.supply[PROVINCE] == 0 or empty >= 3:
        s.draw = 0
        s.phase = FINISHED
    else:
        begin_turn(s)


def payoff(s, out):
    if s.players == 1:
        out[0] = points(s, 0)
    else:
        out[0] = (points(s, 0) > points(s, 1)) - (points(s, 0) < points(s, 1))
        out[1] = -out[0]


def owned(s, player, card):
    n = s.deck[KINDS * player + card] + s.discard[KINDS * player + card]
    return n + s.hand[card] + s.played[card] if player == s.player else n


def points(s, player):
    n = 0
    for card in range(ESTATE, PROVINCE + 1):
        n += POINTS[card] * owned(s, player, card)
    return n


def infoset(s, player):
    key = mix(mix(mix(0, s.left), s.draw), 8 * s.player + 2 * s.phase + s.drawing)
    key = mix(mix(mix(key, s.again), s.buys), s.coins)
    for first in range(0, KINDS, 4):
        here, mine, yours = 0, 0, 0
        for card in range(first, first + 4):
            here = (here << 16) | (s.hand[card] << 8) | s.played[card]
            mine = (mine << 16) | (s.deck[card] << 8) | s.discard[card]
            yours = (yours << 16) | (s.deck[KINDS + card] << 8) | s.discard[KINDS + card]
        key = mix(mix(mix(key, here), mine), yours)
    return mix(key, s.supply[COPPER])


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """Points, and for each turn to come 6 times the square of an average hand's share in the money for a Province.

    Alone at most what there is to win; of two, the difference through tanh.
    """
    if s.players == 1:
        out[0] = min(prospect(s, 0), 3 + 10 * s.victory)
    else:
        out[0] = math.tanh((prospect(s, 0) - prospect(s, 1)) / 10)
        out[1] = -out[0]


def prospect(s, player):
    cards, worth = 0, 0
    for card in range(KINDS):
        cards += owned(s, player, card)
        worth += (MONEY[card] + COINS[card]) * owned(s, player, card)
    share = min(1.0, HAND * worth / (DEAR * cards))
    return points(s, player) + max(0, s.left - 1) * 6 * share * share


def guide(s, out, prob):
    """A default policy that favours dear cards and avoids useless actions, as Lanctot 2013, sec. 7.4, says of its own.

    Actions that give another action come first; dear ones are likelier. A card is bought or gained in proportion to the
    square of its cost, but an action that gives no other only while fewer than a fifth of the cards are such.
    """
    best = 0
    if s.phase == ACTING:
        for card in range(SMITHY, KINDS):
            if s.hand[card] > 0 and AGAIN[card] > 0:
                best = 1
    n = 0
    total = 0.0
    for card in range(KINDS):
        weight = 0.0
        if s.phase == ACTING:
            useful = s.hand[card] > 0 and (card != MONEYLENDER or s.hand[COPPER] > 0)
            if card >= SMITHY and useful and (AGAIN[card] > 0) == (best > 0):
                weight = float(COST[card])
        elif can_gain(s, card) and not (ends_acting(card) and too_many(s)):
            weight = float(COST[card] * COST[card])
        if weight > 0:
            out[n] = card + 1
            prob[n] = weight
            total += weight
            n += 1
    if n == 0:
        moves(s, out)
        prob[0] = 1.0
        return 1
    for i in range(n):
        prob[i] /= total
    return n


def ends_acting(card):
    """Whether it is an action that gives no other."""
    return card >= SMITHY and AGAIN[card] == 0


def too_many(s):
    """Whether a fifth of the cards of the player to move are actions that give no other."""
    cards, ending = 0, 0
    for card in range(KINDS):
        cards += owned(s, s.player, card)
        if ends_acting(card):
            ending += owned(s, s.player, card)
    return HAND * ending >= cards


def covariate(s, move):
    """Whether the cards that an action draws make for 8 money, less the probability of that (Lanctot 2013, sec. 7.1).

    Cards are drawn one by one: each brings the probability nearer to 0 or 1, by what is returned here, and these add
    up.
    """
    if s.drawing == 0:
        return 0.0
    before = chance_of_province(s, s.draw, money(s), -1)
    return chance_of_province(s, s.draw - 1, money(s) + MONEY[move], move) - before


def chance_of_province(s, n, held, drawn):
    """The probability that n more cards make at least 8 money of what is held; `drawn` is no longer in the deck."""
    size = deck_size(s) - (drawn >= 0)
    if n <= size:
        return chance_of_money(s, 0, drawn, size, n, DEAR - held)
    for card in range(KINDS):
        held += MONEY[card] * (s.deck[KINDS * s.player + card] - (card == drawn))
    rest = discard_size(s)
    return chance_of_money(s, 1, -1, rest, min(n - size, rest), DEAR - held)


def chance_of_money(s, shuffled, drawn, size, n, needed):
    """The probability that n of `size` cards, of the deck or of the discards once shuffled, are worth `needed` or
    more."""
    coppers, silvers, golds = kinds_of_money(s, shuffled, drawn)
    other = size - coppers - silvers - golds
    ways = 0.0
    for gold in range(min(n, golds) + 1):
        for silver in range(min(n - gold, silvers) + 1):
            for copper in range(min(n - gold - silver, coppers) + 1):
                rest = n - gold - silver - copper
                if rest <= other and 3 * gold + 2 * silver + copper >= needed:
                    ways += (
                        choose(golds, gold) * choose(silvers, silver) * choose(coppers, copper) * choose(other, rest)
                    )
    return ways / choose(size, n)


def kinds_of_money(s, shuffled, drawn):
    first = KINDS * s.player
    if shuffled:
        return s.discard[first + COPPER], s.discard[first + SILVER], s.discard[first + GOLD]
    coppers = s.deck[first + COPPER] - (drawn == COPPER)
    silvers = s.deck[first + SILVER] - (drawn == SILVER)
    return coppers, silvers, s.deck[first + GOLD] - (drawn == GOLD)


def choose(n, k):
    """The binomial coefficient, as a real number."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


def move_name(s, move):
    if s.draw > 0:
        return f"drew {NAMES[move]}"
    if move == END:
        return "no more actions" if s.phase == ACTING else "no more cards"
    return ("play", "gain", "buy")[s.phase] + " " + NAMES[move - 1]


def show(s, player):
    def cards(pile, first=0):
        return ", ".join(f"{pile[first + i]} {NAMES[i]}" for i in range(KINDS) if pile[first + i]) or "-"

    lines = [f"supply: {cards(s.supply)}"]
    for who in range(s.players):
        lines.append(
            f"player {who}: {points(s, who)} points, deck {cards(s.deck, KINDS * who)}; "
            f"discards {cards(s.discard, KINDS * who)}"
        )
    if s.phase != FINISHED:
        lines.append(
            f"player {s.player} to move, turns left {s.left}; hand {cards(s.hand)}; played {cards(s.played)}; "
            f"actions {s.again}, buys {s.buys}, money {money(s)}"
        )
    return "\n".join(lines)
