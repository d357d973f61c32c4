"""Knockout whist: a card less in every round, and who takes no trick is out.

Each player gets `cards` cards, and a card of those left is turned up: its suit is trumps. Players follow suit if they
can and play any card otherwise; the highest trump takes the trick, or if there is none, the highest card of the suit
led, and its player leads the next. Who took no trick in a round is knocked out. The others get a card less in the next
round, in which who took most tricks names trumps after a look at its cards; of several who took most, chance draws one.
Player 0 leads the first round, the next player who is not out the next one. The last player left wins: a round with one
card has but one trick. It gets a stake from each of the others.

Chance deals the deck in order, each card to a player or to those left, in proportion to how many they lack.

The rules are those of the rule book (pagat.com), without the dog's life, by which the first player without a trick may
stay.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, UNSEEN, About, Whole, count_bits, list_from, lowest_bit, mix
from fogspiel.games.toolkit.card_table import card_table, last_trick, trick_lines
from fogspiel.games.toolkit.cards import (
    CLUBS,
    RANKS,
    SUIT_NAMES,
    SUIT_SIGNS,
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

CALL = 52
"""The move of calling clubs trumps; other suits follow."""
NONE = -1
CUTTING, DEALING, TURNING, CALLING, PLAYING, FINISHED = range(6)
PARAMETERS = (
    Whole("players", 4, 2, 7, "players"),
    Whole("cards", 7, 1, 25, "cards of each player in the first round"),
)
MAX_MOVES = 52
State = np.dtype(
    [
        ("players", "i1"),
        ("cards", "i1"),
        ("phase", "i1"),
        ("turn", "u1"),
        ("made", "u1"),
        ("laid", "i1"),
        ("left", "i1"),
        ("leader", "i1"),
        ("caller", "i1"),
        ("trump", "i1"),
        ("size", "i1", 8),
        ("taken", "i1", 7),
        ("hand", "i8", 8),
        ("cannot", "i8", 8),
        ("trumps", "i8"),
        ("wanted", "i8"),
        ("best", "i8"),
        ("trick", "i8"),
        ("history", "u8"),
        ("order", "i1", 52),
    ],
    align=True,
)
"""`made` counts the cards dealt or played in a round, `left` the players who are not out. Of each player, and at the
place behind the last of the cards left: how many cards each is dealt (`size`, 0 for who is out), those it has, and
those that it showed it cannot have. `leader` leads the first trick, `caller` names trumps (NONE: a card is turned up);
what concerns the trick is in `lay_card`. `history` is a hash of all before the trick."""


def about(players, cards):
    if players * cards > 51:
        raise ValueError(f"52 cards are too few for {players} players with {cards} each and a trump")
    return About(players=players, utility=(-1, players - 1))


def start(s):
    s.left = s.players
    s.caller = NONE
    for i in range(s.players):
        s.size[i] = s.cards
    begin_round(s)


def begin_round(s):
    """All who are not out are to be dealt the same number of cards; the rest stay in the deck."""
    s.phase = DEALING
    s.made = 0
    s.trump = NONE
    s.size[s.players] = 52
    for i in range(s.players):
        s.size[s.players] -= s.size[i]
        s.taken[i] = 0
    for i in range(8):
        s.hand[i] = 0
        s.cannot[i] = 0
    for i in range(52):
        s.order[i] = NONE


def actor(s):
    if s.phase < CALLING:
        return CHANCE
    return OVER if s.phase == FINISHED else s.turn


def chance(s, out, prob):
    if s.phase == DEALING:
        return deal_card(s.hand, s.size, s.players + 1, out, prob)
    n = list_cards(s.hand[s.players], out) if s.phase == TURNING else list_from(0, best_players(s), out)
    for i in range(n):
        prob[i] = 1 / n
    return n


def best_players(s):
    """The set of players who took most tricks."""
    most = 0
    for i in range(s.players):
        most = max(most, s.taken[i])
    best = 0
    for i in range(s.players):
        if s.taken[i] == most:
            best |= 1 << i
    return best


def moves(s, out):
    if s.phase == PLAYING:
        return list_cards(following(s.hand[s.turn], s.wanted), out)
    return list_from(CALL, 15, out)


def play(s, move):
    if s.phase == PLAYING:
        play_card(s, move)
    elif s.phase == DEALING:
        s.hand[move] |= 1 << s.made
        s.made += 1
        if s.made == 52:
            end_deal(s)
    else:
        s.history = mix(s.history, move)
        if s.phase == TURNING:
            s.hand[s.players] ^= 1 << move
            s.trump = move
            begin_play(s, suit_of(move))
        elif s.phase == CALLING:
            begin_play(s, CLUBS << RANKS * (move - CALL))
        else:
            s.caller = move
            begin_round(s)


def end_deal(s):
    if s.caller == NONE:
        s.phase = TURNING
    else:
        s.phase = CALLING
        s.turn = s.caller


def begin_play(s, trumps):
    s.phase = PLAYING
    s.trumps = trumps
    s.made = 0
    s.turn = s.leader
    begin_trick(s)


def next_player(s, player):
    """The next player who is not out."""
    player += 1
    while player == s.players or s.size[player] == 0:
        player = 0 if player == s.players else player + 1
    return player


def play_card(s, card):
    lay_card(s, card)
    s.turn = next_player(s, s.turn)
    if s.laid == s.left:
        end_trick(s)


def end_trick(s):
    s.history = mix(s.history, s.trick)
    s.turn = trick_taker(s)
    s.taken[s.turn] += 1
    begin_trick(s)
    if s.hand[s.turn] == 0:
        end_round(s)


def end_round(s):
    """Those without a trick are out; the others get a card less."""
    for i in range(s.players):
        if s.size[i] > 0 and s.taken[i] == 0:
            s.size[i] = 0
            s.left -= 1
    if s.left == 1:
        s.phase = FINISHED
        return
    for i in range(s.players):
        if s.size[i] > 0:
            s.size[i] -= 1
    s.leader = next_player(s, s.leader)
    best = best_players(s)
    if count_bits(best) > 1:
        s.phase = CUTTING
    else:
        s.caller = lowest_bit(best)
        begin_round(s)


def payoff(s, out):
    for i in range(s.players):
        out[i] = s.players - 1 if s.size[i] > 0 else -1


def evaluate(s, out):
    """What is staked in parts: one for each who is not out, and one for each trick taken in this round."""
    parts = 0
    for i in range(s.players):
        parts += s.taken[i] + (s.size[i] > 0)
    for i in range(s.players):
        out[i] = s.players * (s.taken[i] + (s.size[i] > 0)) / parts - 1


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
    if s.phase == CUTTING:
        return f"player {move} wins the cut"
    if s.phase == DEALING:
        return f"{name(s.made)} {f'to player {move}' if move < s.players else 'is left'}"
    if s.phase == CALLING:
        return f"trumps {SUIT_NAMES[move - CALL]}"
    return f"{name(move)} is turned up" if s.phase == TURNING else name(move)


def features(s):
    return holders(s.hand, s.players)


def show(s, player):
    if s.phase == DEALING and player is not None:
        return f"{heading(s)}   the cards are dealt"
    lines = [heading(s)]
    for i in range(s.players):
        hand = hand_text(s.hand[i]) if player in (None, i) else f"{count_bits(s.hand[i])} cards"
        lines.append(f"player {i}  {f'{hand}   {said(s, i)}' if s.size[i] else said(s, i)}")
    return "\n".join([*lines, *trick_lines(*trick_facts(s))])


def heading(s):
    trumps = f"trumps {SUIT_SIGNS[s.trumps.bit_length() // RANKS - 1]}" if s.phase >= PLAYING else "no trumps yet"
    turned = f" ({face(s.trump)} turned up)" if s.trump != NONE else ""
    caller = f"   player {s.caller} names trumps" if s.caller != NONE else ""
    return trumps + turned + caller


def said(s, player):
    return f"took {s.taken[player]}" if s.size[player] else "out"


def trick_facts(s):
    """Of the round in play; of one that has ended, all is told by what its players took."""
    seats = [i for i in range(s.players) if s.size[i]]
    return (s.order, s.leader, s.trumps, seats) if s.phase == PLAYING else ((), s.leader, 0, range(s.players))


def svg(s, player):
    dealt = player is None or s.phase > DEALING
    hands = [s.hand[i] if dealt and player in (None, i) else None for i in range(s.players)]
    sizes = [count_bits(s.hand[i]) if dealt else 0 for i in range(s.players)]
    notes = [f"player {i}: {said(s, i)}" for i in range(s.players)]
    return card_table(hands, sizes, notes, last_trick(*trick_facts(s)), [heading(s)], actor(s))
