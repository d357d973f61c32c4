"""The observed moves game: three worlds, of which the opponent's moves tell something.

The world is x, y or z, each as likely, seen by player 1 only. Player 0 ends the game with a2, or plays a1; then player
1 plays b1, b2 or b3, of which only two are legal: b1, b2 in x; b2, b3 in y; b1, b3 in z. Then player 0 plays a3 or a4.
What they pay depends on the world after b2 only, and then the world is revealed. Zero-sum. Whitehouse 2014, Figs. 5.10
and 5.11; `partial` is the variant of Fig. 6.1, where a player does not see which move the other made, only that it made
one.

The rewards of the source are lost; these are ours. To player 0: a2 pays 1/2; a3 pays +1 after b1, -1 after b3, and
after b2 -1 in x, +1 in y; a4 pays the opposite. If moves are seen, a1 is worth 1/3 (player 1 plays b2 where it can,
which leaves player 0 to guess between x and y), so a2 is best; a search that knows the world values a1 at 1.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, mix, pick

X, Y, Z = 0, 1, 2
A1, A2, A3, A4 = 1, 2, 3, 4
B1, B2, B3 = 1, 2, 3
ILLEGAL = (B3, B1, B2)
OBSERVABLE, PARTIAL = 0, 1
PARAMETERS = (Choice("moves", "observable", ("observable", "partial"), "whether a player sees what the other moved"),)
State = np.dtype(
    [("moves", "i1"), ("world", "i1"), ("first", "i1"), ("reply", "i1"), ("last", "i1"), ("revealed", "i1")], align=True
)


def about(moves):
    return About(utility=(-1, 1))


def start(s):
    s.world = -1
    s.first = 0
    s.reply = 0
    s.last = 0
    s.revealed = 0


def actor(s):
    if s.world < 0:
        return CHANCE
    if s.first == 0:
        return 0
    if s.first == A2:
        return OVER
    if s.reply == 0:
        return 1
    if s.last == 0:
        return 0
    return CHANCE if s.reply == B2 and not s.revealed else OVER


def moves(s, out):
    if s.last:
        out[0] = s.world
        return 1
    if s.first and not s.reply:
        out[0] = B2 if s.world == Y else B1
        out[1] = B2 if s.world == X else B3
        return 2
    first = X if s.world < 0 else A1 if s.first == 0 else A3
    n = 3 if s.world < 0 else 2
    for i in range(n):
        out[i] = first + i
    return n


def play(s, move):
    if s.world < 0:
        s.world = move
    elif s.first == 0:
        s.first = move
    elif s.reply == 0:
        s.reply = move
    elif s.last == 0:
        s.last = move
    else:
        s.revealed = 1


def payoff(s, out):
    if s.first == A2:
        out[0] = 0.5
    else:
        a3_wins = s.reply == B1 or (s.reply == B2 and s.world == Y)
        out[0] = 1 if a3_wins == (s.last == A3) else -1
    out[1] = -out[0]


def infoset(s, player):
    """That a move was made, and that the game is over, is seen by all."""
    made = (s.world >= 0) + (s.first > 0) + (s.reply > 0) + (s.last > 0) + s.revealed
    key = mix(mix(0, made), actor(s))
    if player == 0 or s.moves == OBSERVABLE:
        key = mix(mix(key, s.first), s.last)
    if player == 1 or s.moves == OBSERVABLE:
        key = mix(key, s.reply)
    if player == 1 or s.revealed:
        key = mix(key, s.world)
    return key


def sees(s, player, move):
    """What others do is seen, or only who is to move then; the world is seen by player 1, and where it is revealed."""
    shown = player == 1 if s.world < 0 else s.moves == OBSERVABLE or s.last != 0
    if shown and actor(s) != player:
        return mix(0, move)
    play(s, move)
    return mix(1, actor(s))


def resample(s, player, rng):
    if player == 1 and s.moves == PARTIAL and s.last:
        s.last = A3 + pick(rng, 2)
    if player == 0 and s.world >= 0 and not s.revealed:
        while True:
            world = pick(rng, 3)
            reply = (ILLEGAL[world] + pick(rng, 2)) % 3 + 1
            if s.reply == 0 or fits(s, reply):
                break
        s.world = world
        if s.reply:
            s.reply = reply


def fits(s, reply):
    """Whether player 0 may believe in this reply of player 1. That the world is about to be revealed tells of b2."""
    if s.moves == OBSERVABLE:
        return reply == s.reply
    return s.last == 0 or (reply == B2) == (s.reply == B2)


def move_name(s, move):
    if s.world < 0:
        return f"world {'xyz'[move]}"
    if s.last:
        return f"reveal {'xyz'[move]}"
    return f"b{move}" if s.first and not s.reply else f"a{move}"


def show(s, player):
    world = "xyz"[s.world] if s.world >= 0 and (s.revealed or player in (None, 1)) else "?"
    sees = [s.moves == OBSERVABLE or player in (None, i) for i in range(2)]
    made = [("a", s.first, sees[0]), ("b", s.reply, sees[1]), ("a", s.last, sees[0])]
    names = [f"{letter}{move if seen else '?'}" for letter, move, seen in made if move]
    return f"world {world}: {', '.join(names) or 'no move yet'}"
