"""Hearts, the card game of avoiding tricks with hearts or the queen of spades in them, for four players.

Each player gets thirteen cards and passes three of them, one after another and unseen, to the left, in the next round
to the right, then across, and in the fourth round to nobody; cards that are received are seen when all have passed. Who
then has the two of clubs leads it. Players follow suit if they can and play any card otherwise; the highest card of the
suit led takes the trick and leads the next. Hearts are not led before a heart or the queen of spades was played, unless
nothing else is left, and none of these cards is played to the first trick by who has others. A heart taken is a point,
the queen of spades thirteen; who takes all of them shoots the moon, and the others have 26 points each instead. The
game ends with a round after which somebody has `threshold` points: with 1 after the first round. The least points win.

A player gets 26 less its points or, with payoff=places, 1 for the first place, 1/2 for the second and third and 0 for
the last, players with equal points the mean of their places. Chance deals the deck in order, each card to a player, in
proportion to how many they lack.

Whitehouse 2014, sec. 4.2.3 (threshold=50,payoff=places) leaves open who leads, when hearts may be led, the first trick,
the order of directions and equal places: the first four are taken from the rule book (pagat.com, as OpenSpiel has them,
with its variations as parameters), the last is assumed; so is that all learn what was passed to whom when a round is
over. OpenSpiel's hearts is hearts(passing=random).
"""

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, PUBLIC, UNSEEN, About, Choice, Whole, count_bits, mix, nth_bit, pick
from fogspiel.games.toolkit.card_table import card_table, last_trick, trick_lines
from fogspiel.games.toolkit.cards import (
    CLUBS,
    DECK,
    HEARTS,
    deal_card,
    following,
    hand_text,
    holders,
    list_cards,
    name,
    names,
    share,
    suit_of,
)

TWO_OF_CLUBS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES = 1 << 0, 1 << 22, 1 << 49
POINTS = HEARTS | QUEEN_OF_SPADES
ALL_POINTS = 26
HAND = (13, 13, 13, 13)
PASSED = 3
NOBODY, LEFT, ACROSS, RIGHT = 0, 1, 2, 3
DIRECTIONS = (LEFT, RIGHT, ACROSS, NOBODY)
NONE = -1
DIRECTING, DEALING, PASSING, PLAYING, FINISHED = 0, 1, 2, 3, 4
IN_TURN, AT_RANDOM = 0, 1
BROKEN_BY_BOTH, BROKEN_BY_HEARTS, NEVER_CLOSED = 0, 1, 2
PARAMETERS = (
    Whole("threshold", 1, 1, 1000, "points of a player that end the game; 1: one round"),
    Choice("payoff", "points", ("points", "places"), "26 less the points, or 1, 1/2, 1/2, 0 by places"),
    Choice("passing", "in_turn", ("in_turn", "random", "none"), "left, right, across, not at all; or drawn by chance"),
    Choice("breaking", "both", ("both", "hearts", "no"), "what must be played before hearts are led: a heart or Q♠"),
    Choice("first_trick", "clean", ("clean", "any"), "whether hearts and Q♠ may be played to the first trick"),
    Choice("opening", "two", ("two", "clubs"), "what is led first: the two of clubs, or any club by who has it"),
    Choice("spare_queen", "no", ("no", "yes"), "whether hearts may be led by who has only them and Q♠"),
    Whole("jack", 0, 0, 10, "points that taking the jack of diamonds takes off, mostly 10 or none"),
    Whole("no_tricks", 0, 0, 5, "points that taking no trick takes off, mostly 5 or none"),
)
MAX_MOVES = 16
State = np.dtype(
    [
        ("threshold", "i2"),
        ("payoff", "i1"),
        ("passing", "i1"),
        ("breaking", "i1"),
        ("first_trick", "i1"),
        ("opening", "i1"),
        ("spare_queen", "i1"),
        ("jack", "i1"),
        ("no_tricks", "i1"),
        ("phase", "i1"),
        ("turn", "u1"),
        ("direction", "i1"),
        ("made", "u1"),
        ("leader", "i1"),
        ("best", "i2"),
        ("round", "i2"),
        ("score", "i2", 4),
        ("hand", "i8", 4),
        ("shown", "i8", 4),
        ("taken", "i8", 4),
        ("cannot", "i8", 4),
        ("led", "i8"),
        ("trick", "i8"),
        ("history", "u8"),
        ("passed", "i1", 12),
        ("order", "i1", 52),
    ],
    align=True,
)
"""`made` counts the cards dealt, passed or played in a phase, `leader` leads the first trick. Of each player: cards in
hand, shown (played), taken in tricks, and those that it showed it cannot have; passed[3 * player + i], from the first.
Of the trick: the suit led, its cards as digits to the base 64, the best one and its player (4 * card + player). `order`
has the cards played in the round, `history` is a hash of all before the trick."""


def about(threshold, payoff, passing, breaking, first_trick, opening, spare_queen, jack, no_tricks):
    if payoff == "places":
        return About(players=4, utility=(0, 1), zero_sum=False)
    rounds = 1 + 3 * (threshold - 1) // (ALL_POINTS - jack - no_tricks)  # while the others stay below the threshold
    return About(players=4, utility=(1 - threshold, ALL_POINTS + max(jack, no_tricks) * rounds), zero_sum=False)


def start(s):
    begin_round(s)


def begin_round(s):
    for i in range(4):
        s.shown[i] = 0
        s.taken[i] = 0
        s.cannot[i] = 0
    for i in range(4 * PASSED):
        s.passed[i] = NONE
    for i in range(52):
        s.order[i] = NONE
    s.made = 0
    s.phase = DIRECTING if s.passing == AT_RANDOM else DEALING
    s.direction = DIRECTIONS[s.round % 4] if s.passing == IN_TURN else NOBODY


def actor(s):
    if s.phase <= DEALING:
        return CHANCE
    return OVER if s.phase == FINISHED else s.turn


def chance(s, out, prob):
    if s.phase == DEALING:
        return deal_card(s.hand, HAND, 4, out, prob)
    for direction in range(4):
        out[direction] = direction
        prob[direction] = 0.25
    return 4


def moves(s, out):
    return list_cards(playable(s), out)


def playable(s):
    """The cards that the player to move may pass or play."""
    hand = s.hand[s.turn]
    if s.phase == PASSING:
        return hand
    if s.made == 0:
        return hand & (TWO_OF_CLUBS if s.opening == 0 else CLUBS)
    if s.led:
        if hand & s.led == 0 and s.made < 4 and s.first_trick == 0:
            return hand & ~POINTS if hand & ~POINTS else hand
        return following(hand, s.led)
    if hearts_closed(s):
        others = hand & ~HEARTS
        return hand if others == 0 or (s.spare_queen and others == QUEEN_OF_SPADES) else others
    return hand


def hearts_closed(s):
    """Whether hearts may not be led yet."""
    shown = s.shown[0] | s.shown[1] | s.shown[2] | s.shown[3]
    return s.breaking != NEVER_CLOSED and shown & (POINTS if s.breaking == BROKEN_BY_BOTH else HEARTS) == 0


def play(s, move):
    if s.phase == PLAYING:
        play_card(s, move)
    elif s.phase == PASSING:
        pass_card(s, move)
    elif s.phase == DEALING:
        s.hand[move] |= 1 << s.made
        s.made += 1
        if s.made == 52:
            end_deal(s)
    else:
        s.direction = move
        s.phase = DEALING
        s.history = mix(s.history, move)


def end_deal(s):
    s.made = 0
    if s.direction == NOBODY:
        begin_play(s)
    else:
        s.phase = PASSING
        s.turn = 0


def pass_card(s, card):
    s.hand[s.turn] ^= 1 << card
    s.passed[s.made] = card
    s.made += 1
    s.turn = s.made // PASSED
    if s.turn == 4:
        for giver in range(4):
            s.hand[(giver + s.direction) % 4] |= passed_by(s, giver)
        begin_play(s)


def passed_by(s, giver):
    """The set of the cards that a player has passed."""
    cards = 0
    for i in range(PASSED * giver, PASSED * giver + PASSED):
        if s.passed[i] != NONE:
            cards |= 1 << s.passed[i]
    return cards


def begin_play(s):
    s.phase = PLAYING
    s.made = 0
    for i in range(4):
        if s.hand[i] & TWO_OF_CLUBS:
            s.leader = i
        else:
            s.cannot[i] = TWO_OF_CLUBS
    s.turn = s.leader
    s.history = mix(s.history, s.leader)


def play_card(s, card):
    player = s.turn
    played = 1 << card
    if s.led == 0:
        if played & HEARTS and hearts_closed(s):
            s.cannot[player] |= DECK & ~(POINTS if s.spare_queen else HEARTS)
        s.led = suit_of(card)
        s.best = NONE
    elif s.made < 4 and played & POINTS and s.first_trick == 0:
        s.cannot[player] |= DECK & ~POINTS
    follows = played & s.led != 0
    s.best = max(s.best, 4 * card + player if follows else NONE)
    s.cannot[player] |= 0 if follows else s.led
    s.hand[player] ^= played
    s.shown[player] |= played
    s.trick = 64 * s.trick + card + 1
    s.order[s.made] = card
    s.made += 1
    s.turn = (player + 1) & 3
    if s.made & 3 == 0:
        end_trick(s)


def end_trick(s):
    s.turn = s.best & 3
    for i in range(s.made - 4, s.made):
        s.taken[s.turn] |= 1 << s.order[i]
    s.history = mix(s.history, s.trick)
    s.trick = 0
    s.led = 0
    if s.made == 52:
        end_round(s)


def end_round(s):
    shooter = NONE
    for i in range(4):
        s.score[i] += points(s, i)
        if s.taken[i] & POINTS == POINTS:
            shooter = i
    for i in range(4):
        if shooter != NONE:
            s.score[i] += -ALL_POINTS if i == shooter else ALL_POINTS
        elif s.taken[i] == 0:
            s.score[i] -= s.no_tricks
        s.history = mix(s.history, pass_code(s, i))
    s.round += 1
    if max(s.score[0], s.score[1], s.score[2], s.score[3]) >= s.threshold:
        s.phase = FINISHED
    else:
        begin_round(s)


def points(s, player):
    """The points of the cards that a player has taken."""
    taken = s.taken[player]
    total = count_bits(taken & HEARTS)
    if taken & QUEEN_OF_SPADES:
        total += 13
    if taken & JACK_OF_DIAMONDS:
        total -= s.jack
    return total


def pass_code(s, giver):
    """What a player passed, in order, as a number."""
    first = PASSED * giver
    return s.passed[first] + 1 + 64 * (s.passed[first + 1] + 1) + 4096 * (s.passed[first + 2] + 1)


def payoff(s, out):
    for i in range(4):
        out[i] = ALL_POINTS - s.score[i] if s.payoff == 0 else place(s.score, i)


def place(scores, player):
    """1 for the least points, 0 for the most, else 1/2; of players with equal points the mean of their places."""
    better = 0
    equal = 0
    for i in range(4):
        better += scores[i] < scores[player]
        equal += scores[i] == scores[player]
    total = 0.0
    for at in range(better, better + equal):
        total += 1.0 if at == 0 else 0.0 if at == 3 else 0.5
    return total / equal


def evaluate(s, out):
    """As if each took a quarter of the points that nobody has yet in this round, and it were the last.

    With payoff=places it is 1/2 for the mean of the points, and goes evenly to 1 or 0 as a player is below or above by
    the threshold, or by a round's points.
    """
    left = 1.0 * ALL_POINTS
    mean = ALL_POINTS / 4
    for i in range(4):
        left -= points(s, i)
        mean += s.score[i] / 4
    for i in range(4):
        expected = s.score[i] + points(s, i) + left / 4
        if s.payoff == 0:
            out[i] = ALL_POINTS - expected
        else:
            out[i] = min(max(0.5 + (mean - expected) / (2 * max(s.threshold, ALL_POINTS)), 0.0), 1.0)


def episode(s):
    """A deal, or a trick that player i begins (Whitehouse 2014, sec. 8.3.2)."""
    if s.phase == PLAYING:
        return 1 + s.turn if s.led == 0 else CONTINUES
    begins = s.phase == DIRECTING or (s.phase == DEALING and s.made == 0 and s.passing != AT_RANDOM)
    return 0 if begins else CONTINUES


def infoset(s, player):
    if s.phase <= DEALING:  # cards are looked at when all are dealt
        return mix(s.history, s.phase)
    public = mix(mix(s.history, s.trick), s.made + 64 * s.phase + 1024 * s.turn)
    if player == PUBLIC or s.phase == FINISHED:
        return public
    key = mix(mix(public, s.hand[player]), pass_code(s, player))
    if s.phase == PLAYING and s.direction != NOBODY:
        key = mix(key, passed_by(s, (player + 4 - s.direction) % 4))
    return mix(key, player)


def sees(s, player, move):
    """What is played is open. Players look at their hands when all cards are dealt, and at what is passed to them when
    all have passed; when the round is over all see who passed what."""
    phase, last = s.phase, s.made == 51
    key = mix(2, move)
    for giver in range(4):
        key = mix(key, pass_code(s, giver))
    if phase in (DIRECTING, PLAYING):
        return key if last else mix(0, move)
    play(s, move)
    if s.phase == phase:
        return UNSEEN if phase == DEALING else mix(1, 0)
    received = s.hand[player] if phase == DEALING else passed_by(s, (player + 4 - s.direction) % 4)
    return mix(mix(3, s.turn), received)


def resample(s, player, rng):
    """All deals and passes that fit what the player saw are as likely: cards played, suits that others could not
    follow, its own passes."""
    if s.phase == FINISHED:
        return
    a, b, c = (player + 1) % 4, (player + 2) % 4, (player + 3) % 4
    if s.phase == PASSING:
        take_back(s, player)
    mine = passed_by(s, player) if s.phase == PLAYING else 0
    receiver = (player + s.direction) % 4
    known = mine & s.hand[receiver]
    s.hand[receiver] ^= known
    n_a, n_b, n_c = count_bits(s.hand[a]), count_bits(s.hand[b]), count_bits(s.hand[c])
    hidden = s.hand[a] | s.hand[b] | s.hand[c]
    s.hand[a], s.hand[b], s.hand[c] = share(hidden, n_a, n_b, n_c, s.cannot[a], s.cannot[b], s.cannot[c], rng)
    s.hand[receiver] |= known
    if s.direction != NOBODY and s.phase >= PASSING:
        redraw_passes(s, player, rng)


def take_back(s, player):
    """Undo what others have passed so far."""
    for giver in range(4):
        if giver != player:
            s.hand[giver] |= passed_by(s, giver)


def redraw_passes(s, player, rng):
    """Others have passed any of their cards, in any order; a player knows what it received, but not in what order."""
    for giver in range(4):
        receiver = (giver + s.direction) & 3
        made = s.made - PASSED * giver if s.phase == PASSING else PASSED
        if giver == player or made <= 0:
            continue
        if s.phase == PASSING:
            cards = s.hand[giver]
        elif receiver == player:
            cards = passed_by(s, giver)
        else:
            cards = s.hand[receiver] | s.shown[receiver]
        n = count_bits(cards)
        left = cards
        for i in range(min(made, PASSED)):
            card = nth_bit(left, pick(rng, n - i))
            left ^= 1 << card
            s.passed[PASSED * giver + i] = card
        if s.phase == PASSING:
            s.hand[giver] = left


def move_name(s, move):
    if s.phase == DEALING:
        return f"{name(s.made)} to player {move}"
    return f"pass {('nobody', 'left', 'across', 'right')[move]}" if s.phase == DIRECTING else name(move)


def features(s):
    """Who holds each card; while cards are passed, of those that are on their way, who will."""
    way = [passed_by(s, (i - s.direction) % 4) if s.phase == PASSING else 0 for i in range(4)]
    return holders([s.hand[i] | way[i] for i in range(4)], 4)


def show(s, player):
    if s.phase == DEALING and player is not None:
        return f"{heading(s)}   the cards are dealt"
    lines = [f"{heading(s)}   points before {' '.join(str(s.score[i]) for i in range(4))}"]
    for i in range(4):
        seen = player in (None, i)
        line = (
            f"player {i}  {hand_text(s.hand[i]) if seen else f'{count_bits(s.hand[i])} cards'}   points {points(s, i)}"
        )
        lines.append(line + (passing_text(s, i) if seen else ""))
    return "\n".join([*lines, *trick_lines(s.order, s.leader)])


def heading(s):
    target = ("nobody passes", "pass left", "pass across", "pass right")[s.direction]
    return f"round {s.round + (s.phase != FINISHED)}   {'direction drawn' if s.phase == DIRECTING else target}"


def passing_text(s, player):
    passed = [name(s.passed[i]) for i in range(PASSED * player, PASSED * player + PASSED) if s.passed[i] != NONE]
    received = names(passed_by(s, (player - s.direction) % 4)) if s.phase >= PLAYING and passed else []
    return "".join(f"   {what} {' '.join(cards)}" for what, cards in (("passed", passed), ("got", received)) if cards)


def svg(s, player):
    dealt = player is None or s.phase > DEALING
    hands = [s.hand[i] if dealt and player in (None, i) else None for i in range(4)]
    sizes = [count_bits(s.hand[i]) if dealt else 0 for i in range(4)]
    notes = [f"player {i}: {s.score[i]} + {points(s, i)}" for i in range(4)]
    below = [heading(s)] + ([passing_text(s, player).strip()] if player is not None else [])
    return card_table(hands, sizes, notes, last_trick(s.order, s.leader), below, actor(s))
