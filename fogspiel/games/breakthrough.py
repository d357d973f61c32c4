"""Breakthrough: a race of pieces that move forward only; who first reaches the other side wins.

Each player has two rows of pieces on its side of the board; player 0, at the bottom, begins. In turn a player moves a
piece one square forward, straight or diagonally, to an empty square; or diagonally to a square of the other, whose
piece is taken. Straight ahead nothing can be taken. Who first has a piece on the row farthest from it, or takes the
last piece of the other, wins. There is always a move, and no draw.

Invented by Dan Troyka in 2000, for a board of 7 by 7. As in OpenSpiel, boards of fewer than six rows start with a
single row on each side.
"""

import numpy as np

from fogspiel.game import OVER, About, Whole, bit, count_bits, lowest_bit, mix
from fogspiel.games.toolkit.bits import has
from fogspiel.games.toolkit.boards import down, left, lettered, pay_winner, rectangle, right, square_name, up
from fogspiel.games.toolkit.draw import BLACK, DARK, LIGHT, WHITE, board, stones

LEFT, STRAIGHT, RIGHT = 0, 1, 2
NOBODY = -1
PARAMETERS = (
    Whole("rows", 8, 2, 8, "rows of the board"),
    Whole("columns", 8, 2, 8, "columns of the board"),
)
MAX_MOVES = 48
State = np.dtype(
    [("rows", "i1"), ("columns", "i1"), ("player", "i1"), ("winner", "i1"), ("board", "u8"), ("pieces", "u8", 2)],
    align=True,
)
"""Sets of squares: board are all, pieces those of each player. Squares are numbered upwards by rows of eight."""


def about(rows, columns):
    # A player knows the position, not the moves that led to it.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    deep = 2 if s.rows >= 6 else 1
    s.board = rectangle(s.rows, s.columns)
    s.pieces[0] = rectangle(deep, s.columns)
    s.pieces[1] = s.board & ~rectangle(s.rows - deep, s.columns)
    s.winner = NOBODY


def actor(s):
    return s.player if s.winner == NOBODY else OVER


def moves(s, out):
    """Three times the square of a piece, plus the direction."""
    n = 0
    for direction in range(3):
        rest = movers(s, direction)
        while rest != 0:
            square = lowest_bit(rest)
            rest ^= bit(square)
            out[n] = 3 * square + direction
            n += 1
    return n


def movers(s, direction):
    """The pieces of the player to move that may go in a direction."""
    mine, yours = s.pieces[s.player], s.pieces[1 - s.player]
    targets = s.board & ~mine
    if direction == STRAIGHT:
        targets &= ~yours
    before = down(targets) if s.player == 0 else up(targets)
    if direction == LEFT:
        before = right(before)
    if direction == RIGHT:
        before = left(before)
    return mine & before


def play(s, move):
    player, other = s.player, 1 - s.player
    target = target_of(s, move)
    s.pieces[player] ^= bit(move // 3) | bit(target)
    s.pieces[other] &= ~bit(target)
    if is_far(s, target) or s.pieces[other] == 0:
        s.winner = player
    s.player = other


def target_of(s, move):
    forward = 8 if s.player == 0 else -8
    return move // 3 + forward + move % 3 - STRAIGHT


def is_far(s, square):
    """Whether a square is on the row that the player to move wants to reach."""
    return square // 8 == (s.rows - 1 if s.player == 0 else 0)


def payoff(s, out):
    pay_winner(s.winner, out)


def infoset(s, player):
    return mix(mix(mix(0, s.pieces[0]), s.pieces[1]), s.player)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """The share of player 0 in the threats, from -1 to 1; a piece d steps from its goal threatens with 2**-d."""
    mine, yours = threat(s, 0), threat(s, 1)
    out[0] = (mine - yours) / (mine + yours)
    out[1] = -out[0]


def threat(s, player):
    total = 0.0
    for row in range(s.rows):
        steps = s.rows - 1 - row if player == 0 else row
        total += count_bits(s.pieces[player] & rectangle(1, s.columns) << 8 * row) / 2.0**steps
    return total


def guide(s, out, prob):
    """Reach the goal, or else any move. To take pieces that would reach it as well makes playouts less telling."""
    n = moves(s, out)
    wins = 0
    for i in range(n):
        wins += is_far(s, target_of(s, out[i]))
    for i in range(n):
        prob[i] = is_far(s, target_of(s, out[i])) / wins if wins > 0 else 1 / n
    return n


def move_name(s, move):
    """The squares from and to which a piece moves, with x where it takes another."""
    square, target = move // 3, target_of(s, move)
    between = "x" if has(s.pieces[1 - s.player], target) else "-"
    return between.join((square_name(square // 8, square % 8), square_name(target // 8, target % 8)))


def show(s, player):
    marks = [[mark(s, row, column) for column in range(s.columns)] for row in range(s.rows)]
    return f"{lettered(marks)}\n{told(s, 'X', 'O')}"


def mark(s, row, column):
    return "X" if has(s.pieces[0], 8 * row + column) else "O" if has(s.pieces[1], 8 * row + column) else "."


def told(s, *names):
    return f"{names[s.player]} to move" if s.winner == NOBODY else f"{names[s.winner]} has won"


def svg(s, player):
    picture = board(s.rows, s.columns, colours=(LIGHT, DARK))
    looks = {"X": (WHITE, ""), "O": (BLACK, "")}
    stones(picture, s.rows, s.columns, lambda row, column: looks.get(mark(s, s.rows - 1 - row, column)))
    picture.text(picture.width / 2, 12, told(s, "white", "black"), 12)
    return str(picture)
