"""Die-roll poker: poker with dice for two players, two rounds of betting with a secret roll before each.

Both ante 1. At the start of each round each player rolls a die that the other does not see. Player 0 opens each round:
a player calls (checks, if there is nothing to match), raises, or folds when facing a raise; there are at most two
raises a round, of 2 chips in the first and 4 in the second. At the showdown the larger sum of the player's two dice
takes the pot; equal sums split it. Lanctot 2013, sec. 3.1.3. Player 0 may also fold instead of opening, unless
open_fold=no: this never pays, but the published size, 2610 (information set, action) pairs, needs one more choice in
the first round than the rules name.

With skew above 0, player 1 pays player 0 skew times the pot at a showdown if player 0's second die is even, whoever
wins the pot (Skew-DRP: Lanctot 2013, sec. 5.3). With recall=sum players follow an abstraction in which they know in the
second round only the sum of their dice and the betting (DRP-IR, 860 pairs: Lanctot 2013, sec. 5.2). The game itself
stays the same.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Number, Picture, Whole, mix, pick
from fogspiel.games.toolkit.dice import draw_die, write_faces
from fogspiel.games.toolkit.draw import FELT, UNSEEN, WHITE

FOLD, CALL, RAISE = 0, 1, 2
RAISES = 2
FULL, SUM = 0, 1
NOBODY = -1
PARAMETERS = (
    Whole("faces", 6, 2, 12, "how many faces a die has"),
    Number("skew", 0.0, 0.0, 1.0, "the part of the pot that player 1 pays for an even second die of player 0"),
    Choice("recall", "full", ("full", "sum"), "what the abstraction remembers of the dice; full: no abstraction"),
    Choice("open_fold", "yes", ("no", "yes"), "whether player 0 may fold as its first move"),
)
State = np.dtype(
    [
        ("skew", "f8"),
        ("faces", "i1"),
        ("recall", "i1"),
        ("open_fold", "i1"),
        ("die", "i1", 4),
        ("rolled", "i1"),
        ("round", "i1"),
        ("turn", "i1"),
        ("raised", "i1"),
        ("folded", "i1"),
        ("paid", "i1", 2),
        ("betting", "u8"),
    ],
    align=True,
)
"""die[2 * round + player] is 0 before the roll; raised counts the raises of the round, betting is a key of all
moves."""


def about(faces, skew, recall, open_fold):
    most = 1 + RAISES * (2 + 4)
    return About(
        utility=(-most - 2 * most * skew, most + 2 * most * skew),
        abstraction=recall != "full",
        without=("strength",) if skew else (),
    )


def start(s):
    s.paid[0] = 1
    s.paid[1] = 1
    s.folded = NOBODY


def actor(s):
    if s.folded != NOBODY or s.round == 2:
        return OVER
    return CHANCE if rolling(s) else s.turn


def rolling(s):
    return s.rolled < 2 * (s.round + 1)


def moves(s, out):
    if rolling(s):
        return write_faces(out, s.faces)
    n = 0
    if s.paid[s.turn] < s.paid[1 - s.turn] or (s.open_fold and opening(s)):
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.raised < RAISES:
        out[n] = RAISE
        n += 1
    return n


def opening(s):
    return s.betting == 0


def play(s, move):
    if rolling(s):
        s.die[s.rolled] = move
        s.rolled += 1
        return
    opened = s.raised > 0 or s.turn == 1
    s.betting = mix(s.betting, move)
    if move == FOLD:
        s.folded = s.turn
    elif move == RAISE:
        s.paid[s.turn] = s.paid[1 - s.turn] + 2 * (s.round + 1)
        s.raised += 1
        s.turn = 1 - s.turn
    else:
        s.paid[s.turn] = s.paid[1 - s.turn]
        s.turn = 1
        if opened:
            s.round += 1
            s.turn = 0
            s.raised = 0


def payoff(s, out):
    lead = total(s, 0) - total(s, 1)
    if s.folded != NOBODY:
        out[0] = -s.paid[0] if s.folded == 0 else s.paid[1]
    else:
        out[0] = s.paid[0] * ((lead > 0) - (lead < 0))
        if s.die[2] % 2 == 0:
            out[0] += s.skew * (s.paid[0] + s.paid[1])
    out[1] = -out[0]


def total(s, player):
    return s.die[player] + s.die[2 + player]


def infoset(s, player):
    public = mix(s.betting, s.rolled)
    return public if player == PUBLIC else mix(mix(public, s.die[player]), s.die[2 + player])


def abstract(s, player):
    if s.recall == FULL or s.die[2 + player] == 0:
        return infoset(s, player)
    return mix(mix(s.betting, s.rolled), total(s, player))


def sees(s, player, move):
    """Who rolls sees the die; bets are open."""
    covered = rolling(s) and s.rolled % 2 != player
    return mix(1, 0) if covered else mix(0, move)


def resample(s, player, rng):
    """Betting tells nothing of the dice if the other plays at random."""
    for i in range(1 - player, s.rolled, 2):
        s.die[i] = 1 + pick(rng, s.faces)


def private(s, player, out, weight):
    """Both dice, the second of which is rolled, in secret from all, with the first."""
    for i in range(s.faces * s.faces):
        out[i] = i
        weight[i] = 1
    return s.faces * s.faces


def hold(s, player, outcome):
    s.die[player] = 1 + outcome // s.faces
    if s.rolled > 2:
        s.die[2 + player] = 1 + outcome % s.faces


def strength(s, player):
    return total(s, player)


def move_name(s, move):
    if rolling(s):
        return f"player {s.rolled % 2} rolls {move}"
    if move == CALL:
        return "call" if s.paid[s.turn] < s.paid[1 - s.turn] else "check"
    return "fold" if move == FOLD else f"raise {2 * (s.round + 1)}"


def features(s):
    return {f"die {1 + k // 2} of player {k % 2}": s.die[k] for k in range(s.rolled)}


def show(s, player):
    lines = []
    for i in range(2):
        dice = [str(s.die[k]) if player in (None, i) else "?" for k in range(i, s.rolled, 2)]
        lines.append(f"player {i}: dice {' '.join(dice) or '-'}   chips in the pot {s.paid[i]}")
    return "\n".join([f"round {min(s.round + 1, 2)}", *lines])


def svg(s, player):
    picture = Picture(300, 100, paper=FELT)
    for i in range(2):
        picture.text(14, 30 + 40 * i, f"player {i}", colour=WHITE, anchor="start", bold=True)
        for k in range(i, s.rolled, 2):
            seen = player in (None, i)
            draw_die(picture, 110 + 18 * (k - i), 16 + 40 * i, s.die[k] if seen else 0, fill=WHITE if seen else UNSEEN)
        picture.text(190, 30 + 40 * i, f"{s.paid[i]} in the pot", colour=WHITE, anchor="start")
    return str(picture)
