"""Latent tic-tac-toe: tic-tac-toe in which each move is shown, and takes effect, one turn late.

In turn a player secretly writes down a square that is empty on the board. At the start of its next turn the square is
shown: if it is still empty the player's stone is put there, and if the other has taken it meanwhile the move is lost.
So a player moves without knowing the other's latest move. Three in line win, a full board is a draw. Lanctot 2013, sec.
3.1.6.

With ends=written the game ends as soon as the squares written down make a line or fill the board, before they are
shown, as in OpenSpiel: the moves that are left out can change nothing. The number of histories is 102 090 259, and 58
086 835 with ends=written; about 70.4 million in the literature, whose rules for the end of the game are not known.
"""

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, Choice, mix, pick
from fogspiel.games.toolkit.boards import EMPTY, has_three, pay_winner
from fogspiel.games.toolkit.draw import marked_board

NONE = -1
GOING, DRAW = -1, 2
SHOWN, WRITTEN = 0, 1
PARAMETERS = (
    Choice("ends", "shown", ("shown", "written"), "whether a move can end the game when shown, or when written down"),
)
State = np.dtype(
    [
        ("ends", "i1"),
        ("board", "i1", 9),
        ("written", "i1"),
        ("latest", "i1"),
        ("turns", "i1"),
        ("result", "i1"),
        ("history", "u8"),
    ],
    align=True,
)
"""The board has the moves that took effect: all but the last, `written`. `latest` is the stone put down as this turn
began, NONE if it was lost; history is a key of all moves shown."""


def about(ends):
    return About(utility=(-1, 1))


def start(s):
    for square in range(9):
        s.board[square] = EMPTY
    s.written = NONE
    s.latest = NONE
    s.result = GOING


def actor(s):
    return s.turns % 2 if s.result == GOING else OVER


def moves(s, out):
    n = 0
    for square in range(9):
        if s.board[square] == EMPTY:
            out[n] = square
            n += 1
    return n


def play(s, move):
    """The mover writes its square down; then the other's turn begins, and the square that the other wrote is shown."""
    player = s.turns % 2
    s.latest = NONE
    if s.written != NONE:
        s.history = mix(s.history, s.written)
        if s.board[s.written] == EMPTY:
            s.latest = s.written
            s.result = put(s, s.written, 1 - player)
    s.written = move
    s.turns += 1
    if s.ends == WRITTEN and s.board[move] == EMPTY:
        s.result = put(s, move, player)
        if s.result == GOING:
            s.board[move] = EMPTY


def put(s, square, player):
    """Put a stone down; returns the result of the game."""
    s.board[square] = player
    if has_three(s, player):
        return player
    for i in range(9):
        if s.board[i] == EMPTY:
            return GOING
    return DRAW


def payoff(s, out):
    pay_winner(s.result, out)


def infoset(s, player):
    """Who has just written knows that square; who is to move does not; at the end both do."""
    public = mix(mix(s.history, s.turns), s.result)
    secret = s.result == GOING and (player == PUBLIC or player == s.turns % 2)
    return public if secret else mix(public, s.written)


def sees(s, player, move):
    """Who writes is shown what the other wrote; the other sees that it is its turn, and in the end all is shown."""
    mover, shown = s.turns % 2, s.written
    play(s, move)
    if s.result != GOING:
        return mix(mix(mix(3, s.result), shown), move)
    return mix(2, shown) if player == mover else mix(1, 0)


def resample(s, player, rng):
    """Any square that was empty when the other wrote, and that would not have ended the game."""
    if s.result != GOING or s.turns == 0 or player != s.turns % 2:
        return
    result = DRAW
    while result != GOING:
        square = pick(rng, 9)
        if square == s.latest:
            result = GOING
        elif s.board[square] == EMPTY:
            result = put(s, square, 1 - player) if s.ends == WRITTEN else GOING
            s.board[square] = EMPTY
    s.written = square


def move_name(s, move):
    return "write " + "abc"[move % 3] + str(move // 3 + 1)


def show(s, player):
    marks = ["XO."[s.board[square]] for square in range(9)]
    seen = s.result != GOING or player is None or player != s.turns % 2
    if seen and s.written != NONE and s.board[s.written] == EMPTY:
        marks[s.written] = "xo"[1 - s.turns % 2]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))


def svg(s, player):
    return str(marked_board(show(s, player).splitlines()))
