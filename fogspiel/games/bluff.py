"""Bluff, also called liar's dice, Dudo or Perudo, for two players.

Both roll their dice in secret. In turn they bid a quantity and a face: at least so many of all the dice show that face,
the top face being wild (it counts as every face) unless wild=no. Each bid must have a higher quantity, or the same
quantity and a higher face. Instead of bidding a player may call the last bid a bluff: all dice are shown, and the
bidder wins if the bid holds, the caller if not.

With rounds=one the call decides the game, as in OpenSpiel. With rounds=match the loser of the call gives up as many
dice as the bid was off by, or one for a bid that was exact; the winner opens the next round, and who has no dice left
has lost. Lanctot 2013, sec. 3.1.1. With rounds=valued, for up to two dice each, a match ends after its first round and
pays what the rounds below are worth to the winner, who would open them: Bluff(2,1) and Bluff(2,2) as they are there.

With remember=r players follow an abstraction in which they know their own roll and the last r bids, but not how many
bids there were before (Lanctot 2013, sec. 5.5, after Neller and Hnath). The game itself stays the same.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Picture, Whole, mix, uniform
from fogspiel.games.toolkit.dice import chance_of, draw_die, first_roll, next_roll, write_faces
from fogspiel.games.toolkit.draw import FELT, UNSEEN, WHITE

CALL = 0
NOBODY = -1
MOST_VALUED = 2
ONE, MATCH, VALUED = 0, 1, 2
PARAMETERS = (
    Whole("dice1", 1, 1, 5, "how many dice player 0 has"),
    Whole("dice2", 1, 1, 5, "how many dice player 1 has"),
    Whole("faces", 6, 2, 6, "how many faces a die has"),
    Choice("wild", "yes", ("no", "yes"), "whether the top face counts as every face"),
    Choice(
        "rounds", "one", ("one", "match", "valued"), "what decides: one call, the last dice, or a call and what is left"
    ),
    Whole("remember", 0, 0, 60, "how many of the last bids the abstraction remembers; 0: no abstraction"),
)
State = np.dtype(
    [
        ("faces", "i1"),
        ("wild", "i1"),
        ("rounds", "i1"),
        ("dice1", "i1"),
        ("dice2", "i1"),
        ("dice", "i1", 2),
        ("roll", "i4", 2),
        ("rolled", "i1"),
        ("bid", "i1"),
        ("turn", "i1"),
        ("winner", "i1"),
        ("remember", "i1"),
        ("bids", "i8"),
        ("history", "u8"),
    ],
    align=True,
)
"""A roll is written as a number whose digits are the dice in rising order, 0 before the roll; bids are numbered from 1,
and bit b of `bids` tells whether b was bid in this round: bids rise, so that their order follows. `history` is a hash
of the rounds before."""


WORTH = np.array(
    [
        [[0, 5 / 8], [-1 / 9, 49 / 81], [-1 / 8, 0.6514961674528301], [-3 / 25, 0.67180], [-1 / 9, 0.67769]],
        [[1 / 2, 13 / 16], [1 / 9, 143 / 243], [1 / 16, 0.5818450135787567], [1 / 125, 0.59697], [-7 / 258, 0.61489]],
    ]
)
"""What a round is worth to who opens it with one die or two against one die, by faces from 2; first without a wild
face, then with.

Each is the value of this game itself, with one die each or as "bluff(dice1=2,faces=F,wild=W,rounds=valued)", whose
payoffs are those of one die each. `fogspiel solve GAME --algorithm lp` finds it exactly. Bluff(2,1) with five or six
faces is too large for that; `fogspiel solve GAME --algorithm pcfr+ --until nash_conv=1e-4` finds it to within the
NashConv that is left.
"""


def about(dice1, dice2, faces, wild, rounds, remember):
    if rounds == "valued" and max(dice1, dice2) > MOST_VALUED:
        raise ValueError(f"rounds=valued knows the rounds below {MOST_VALUED} dice each, not below {dice1} and {dice2}")
    # with dice to roll again a player holds another roll later; with more to lose than a call, it matters how far off
    # the bid was
    without = {"one": (), "match": ("private",), "valued": ("strength",)}[rounds]
    return About(utility=(-1, 1), abstraction=remember > 0, without=without)


def start(s):
    s.dice[0] = s.dice1
    s.dice[1] = s.dice2
    s.winner = NOBODY


def actor(s):
    if s.winner != NOBODY:
        return OVER
    return CHANCE if s.rolled < 2 else s.turn


def chance(s, out, prob):
    return rolls(s, s.dice[s.rolled], out, prob)


def rolls(s, dice, out, prob):
    """All rolls of so many dice, with their probabilities."""
    faces = s.faces
    if dice == 1:
        even = 1 / faces
        for i in range(faces):
            prob[i] = even
        return write_faces(out, faces)
    n = 0
    roll = first_roll(dice)
    while roll > 0:
        out[n] = roll
        prob[n] = chance_of(roll, faces)
        n += 1
        roll = next_roll(roll, faces)
    return n


def mirror(s, move):
    """Every die turned over: the lowest face for the top one, and so on (Lanctot 2013, sec. 7.5)."""
    turned = 0
    while move > 0:
        turned = 10 * turned + s.faces + 1 - move % 10
        move //= 10
    return turned


def moves(s, out):
    lowest, highest = s.bid + 1, s.faces * (s.dice[0] + s.dice[1])
    n = 0
    if lowest > 1:
        out[n] = CALL
        n += 1
    for bid in range(lowest, highest + 1):
        out[n] = bid
        n += 1
    return n


def play(s, move):
    if s.rolled < 2:
        s.roll[s.rolled] = move
        s.rolled += 1
        return
    if move != CALL:
        s.bid = move
        s.bids |= 1 << move
        s.turn = 1 - s.turn
        return
    loser = decide(s)
    if s.rounds != MATCH or s.dice[loser] == 0:
        s.winner = 1 - loser
    else:
        s.history = all_seen(s)
        s.turn = 1 - loser
        s.roll[0] = 0
        s.roll[1] = 0
        s.rolled = 0
        s.bid = 0
        s.bids = 0


def decide(s):
    """Who loses the call, and with it dice."""
    wanted = face(s, s.bid)
    excess = showing(s, s.roll[0], wanted) + showing(s, s.roll[1], wanted) - quantity(s, s.bid)
    loser = s.turn if excess >= 0 else 1 - s.turn
    if s.rounds != ONE:
        s.dice[loser] -= min(s.dice[loser], max(1, abs(excess)))
    return loser


def quantity(s, bid):
    return (bid - 1) // s.faces + 1


def face(s, bid):
    return (bid - 1) % s.faces + 1


def showing(s, roll, wanted):
    """How many dice of a roll count towards a face."""
    n = 0
    while roll > 0:
        if roll % 10 == wanted or (s.wild and roll % 10 == s.faces):
            n += 1
        roll //= 10
    return n


def payoff(s, out):
    won = 1.0
    if s.rounds == VALUED and s.dice[1 - s.winner] > 0:
        won = WORTH[s.wild, s.faces - 2, s.dice[s.winner] - 1]
    out[s.winner] = won
    out[1 - s.winner] = -won


def infoset(s, player):
    history = mix(s.history, s.bids) if s.winner == NOBODY else all_seen(s)
    if player == PUBLIC:
        return mix(history, s.rolled)
    return mix(history, s.rolled + 4 * (player + 1) + 16 * s.roll[player])


def all_seen(s):
    """The history with the dice that a call has shown."""
    return mix(mix(mix(s.history, s.bids), s.roll[0]), s.roll[1])


def abstract(s, player):
    if s.remember == 0:
        return infoset(s, player)
    key = mix(mix(mix(mix(0, s.dice[0]), s.dice[1]), player), s.roll[player])
    left = s.remember
    for bid in range(s.bid, 0, -1):
        if left > 0 and (s.bids >> bid) & 1:
            key = mix(key, bid)
            left -= 1
    return key


def sees(s, player, move):
    """Who rolls sees its dice; bids are open, and a call shows all dice."""
    if s.rolled < 2:
        return mix(0, move) if s.rolled == player else mix(1, 0)
    return mix(0, move) if move != CALL else mix(mix(2, s.roll[0]), s.roll[1])


def resample(s, player, rng):
    """Rolls again for the other; after the last call all dice have been shown."""
    if s.winner != NOBODY or s.rolled <= 1 - player:
        return
    roll = first_roll(s.dice[1 - player])
    x = uniform(rng) - chance_of(roll, s.faces)
    while x >= 0 and next_roll(roll, s.faces) > 0:
        roll = next_roll(roll, s.faces)
        x -= chance_of(roll, s.faces)
    s.roll[1 - player] = roll


def private(s, player, out, weight):
    return rolls(s, s.dice1 if player == 0 else s.dice2, out, weight)


def hold(s, player, outcome):
    s.roll[player] = outcome
    if s.winner != NOBODY:
        s.dice[0] = s.dice1
        s.dice[1] = s.dice2
        s.winner = 1 - decide(s)


def strength(s, player):
    """The bid holds if player 0 has at least what player 1 leaves to be had."""
    own = showing(s, s.roll[player], face(s, s.bid))
    return own if player == 0 else quantity(s, s.bid) - own


def move_name(s, move):
    if s.rolled < 2:
        return f"player {s.rolled} rolls {move}"
    return "call" if move == CALL else f"{quantity(s, move)} x {face(s, move)}"


def features(s):
    return {f"roll of player {i}": s.roll[i] for i in range(2) if s.roll[i]}


def show(s, player):
    seen = [player in (None, i) or s.winner != NOBODY or not s.roll[i] for i in range(2)]
    rolls = [str(s.roll[i] or "-") if seen[i] else "?" * s.dice[i] for i in range(2)]
    return f"rolls {' '.join(rolls)}   bid {move_name(s, s.bid) if s.bid else '-'}"


def svg(s, player):
    picture = Picture(130 + 36 * max(s.dice[0], s.dice[1], 3), 130, paper=FELT)
    for i in range(2):
        picture.text(14, 30 + 40 * i, f"player {i}", colour=WHITE, anchor="start", bold=True)
        seen = player in (None, i) or s.winner != NOBODY
        for k, face in enumerate(str(s.roll[i]) if s.roll[i] else ""):
            draw_die(picture, 110 + 36 * k, 16 + 40 * i, int(face) if seen else 0, fill=WHITE if seen else UNSEEN)
    said = f"bid {move_name(s, s.bid)}" if s.bid else "no bid yet"
    picture.text(
        14, 110, said if s.winner == NOBODY else f"{said}, player {s.winner} wins", colour=WHITE, anchor="start"
    )
    return str(picture)
