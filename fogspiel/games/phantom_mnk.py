"""Phantom m,n,k-games: k stones in line on a board of m by n, where neither player sees the other's stones.

In turn the players try a square. If it is empty, the player's stone is put there and the turn ends. If the other holds
it, the player is told so and tries another; with retry=no the turn is lost instead. Whoever first has k stones in line,
along a row, a column or a diagonal, wins; a full board is a draw, which pays nobody anything.

Whitehouse 2014, sec. 4.2.7, plays 4,4,4, whose open game is a draw; 3,3,3 is phantom tic-tac-toe. It does not tell
whether failed tries are noticed by the other: here they are not. A player knows its own tries and what came of them, in
order, and, at the end, everything.
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, Whole
from fogspiel.games.toolkit.boards import EMPTY, lettered, pay_winner, square_name
from fogspiel.games.toolkit.draw import BLACK, WHITE, board, stones
from fogspiel.games.toolkit.phantom import (
    failures,
    known,
    phantom_key,
    redraw_stones,
    redraw_tries,
    seen_of_try,
    try_square,
    untried,
)

MOST = 8
GOING, DRAW = -1, 2
MAX_MOVES = MOST * MOST
PARAMETERS = (
    Whole("m", 4, 1, MOST, "columns of the board"),
    Whole("n", 4, 1, MOST, "rows of the board"),
    Whole("k", 4, 1, MOST, "stones in line that win"),
    Choice("retry", "yes", ("no", "yes"), "whether a player whose try failed tries again"),
)
State = np.dtype(
    [
        ("m", "i1"),
        ("n", "i1"),
        ("k", "i1"),
        ("retry", "i1"),
        ("board", "i1", MOST * MOST),
        ("turns", "u1"),
        ("when", "u1", (2, MOST * MOST)),
        ("stones", "i1"),
        ("result", "i1"),
        ("tries", "u8", 2),
    ],
    align=True,
)
"""Squares are numbered by rows, a1 first; result is GOING, DRAW or the winner. The rest is as in toolkit/phantom.py."""


def about(m, n, k, retry):
    if k > max(m, n):
        raise ValueError(f"{k} in line do not fit on a board of {m} by {n}")
    return About(utility=(-1, 1))


def start(s):
    s.result = GOING
    for square in range(MOST * MOST):
        s.board[square] = EMPTY


def actor(s):
    return s.turns % 2 if s.result == GOING else OVER


def moves(s, out):
    return untried(s, s.m * s.n, s.turns % 2, out)


def play(s, move):
    player = s.turns % 2
    if try_square(s, player, move):
        if in_line(s, player, move):
            s.result = player
        elif s.stones == s.m * s.n:
            s.result = DRAW


def in_line(s, player, square):
    """Whether k stones of the player are in line through this one."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if 1 + run(s, player, square, down, right) + run(s, player, square, -down, -right) >= s.k:
            return True
    return False


def run(s, player, square, down, right):
    """How many stones of the player follow a square in a direction without a gap."""
    row, column = square // s.m + down, square % s.m + right
    n = 0
    while 0 <= row < s.n and 0 <= column < s.m and s.board[row * s.m + column] == player:
        row += down
        column += right
        n += 1
    return n


def payoff(s, out):
    pay_winner(s.result, out)


def evaluate(s, out):
    """The share of player 0 in the lines that are open to one player alone, each by the square of the stones there,
    from -1 to 1."""
    mine = 0
    yours = 0
    for square in range(s.m * s.n):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            row, column = square // s.m + down * (s.k - 1), square % s.m + right * (s.k - 1)
            if row < s.n and 0 <= column < s.m:
                first, second = 0, 0
                for i in range(s.k):
                    holder = s.board[square + i * (down * s.m + right)]
                    first += holder == 0
                    second += holder == 1
                mine += first * first if second == 0 else 0
                yours += second * second if first == 0 else 0
    out[0] = (mine - yours) / (mine + yours + 1.0)
    out[1] = -out[0]


def infoset(s, player):
    return phantom_key(s, player, s.result != GOING)


def sees(s, player, move):
    turns = s.turns
    play(s, move)
    return seen_of_try(s, player, turns, move, s.result != GOING)


def resample(s, player, rng):
    """A history that the player cannot tell from the true one, as likely as if the other tried squares at random."""
    if s.result != GOING:
        return
    while not redraw_stones(s, s.m * s.n, player, rng) or s.stones == s.m * s.n or has_line(s, 1 - player):
        pass
    redraw_tries(s, s.m * s.n, player, rng)


def has_line(s, player):
    for square in range(s.m * s.n):
        if s.board[square] == player and in_line(s, player, square):
            return True
    return False


def move_name(s, move):
    return square_name(move // s.m, move % s.m)


def seen_by(s, player, square):
    return s.board[square] if player is None or s.result != GOING else known(s, player, square)


def features(s):
    return {move_name(s, square): ("X", "O", "empty")[s.board[square]] for square in range(s.m * s.n)}


def show(s, player):
    rows = [["XO."[seen_by(s, player, row * s.m + column)] for column in range(s.m)] for row in range(s.n)]
    return f"{lettered(rows)}\n{caption(s, player)}"


def caption(s, player):
    """Whose turn it is, and what the player tried without success in which of its turns."""
    if s.result != GOING:
        return "a draw" if s.result == DRAW else f"{'XO'[s.result]} wins"
    failed = "" if player is None else failures(s, s.m * s.n, player, move_name)
    return f"turn {s.turns + 1}: {'XO'[s.turns % 2]} tries{failed}"


def svg(s, player):
    picture = board(s.n, s.m)

    def look(row, column):
        holder = seen_by(s, player, (s.n - 1 - row) * s.m + column)
        return None if holder == EMPTY else ((BLACK, WHITE)[holder], "XO"[holder])

    stones(picture, s.n, s.m, look)
    return str(picture)
