"""Checkers, also called English draughts: men that jump over each other, and kings, on the dark squares of a board.

Each player has twelve men on the three rows nearest to it; player 0, at the bottom, begins. A man moves a square
diagonally forward, or jumps over a piece of the other that stands there to the empty square behind it, and takes it.
Who can jump must, with any piece that can. A piece that has jumped and can jump again does so before the turn ends;
here every jump is a move, and the moves of such a chain are made by the same player one after another. A man on the
farthest row becomes a king, which ends the turn; kings move and jump backwards, too. Who cannot move loses.

Whitehouse 2014, sec. 4.2.8, which tells no rule for draws. As in OpenSpiel, a game is drawn after 40 moves of both
together without a jump; the parameter `draw` is that number. With best play the game is a draw (Schaeffer et al. 2007).
Smaller boards have men on all but the two rows in the middle.

Episodes (Whitehouse 2014, sec. 8.3.2) begin where a jump can be made that continues no chain, and are told apart by who
makes it; the first move begins one of its own.
"""

import numpy as np

from fogspiel.game import CONTINUES, OVER, About, Choice, Whole, count_bits, lowest_bit, mix
from fogspiel.games.toolkit.bits import has
from fogspiel.games.toolkit.boards import lettered, pay_winner, square_name
from fogspiel.games.toolkit.draw import BLACK as INK
from fogspiel.games.toolkit.draw import DARK, LIGHT, board, stones
from fogspiel.games.toolkit.draw import WHITE as PAPER

UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = 0, 1, 2, 3
NONE = -1
GOING, DRAW = -1, 2
OPENING = 2
PARAMETERS = (
    Choice("size", "8", ("4", "6", "8"), "squares on a side of the board"),
    Whole("draw", 40, 1, 1000, "moves of both together without a jump after which the game is drawn"),
)
MAX_MOVES = 48
State = np.dtype(
    [
        ("size", "i1"),
        ("draw", "i2"),
        ("quiet", "i2"),
        ("player", "i1"),
        ("result", "i1"),
        ("chain", "i1"),
        ("jumps", "i1"),
        ("board", "i8"),
        ("pieces", "i8", 2),
        ("kings", "i8"),
        ("movers", "i8", 4),
    ],
    align=True,
)
"""Sets of squares: board are all dark squares, pieces those of each player, kings those of both; movers[direction] are
the pieces that may go in a direction, all by jumps or none. quiet counts moves since the last jump; chain is the square
of a piece that goes on jumping.

Dark squares are numbered by rows, and before every second row a number is left out. So a step up to the left always
adds half the size of the board to the number of a square, a step up to the right one more, and a step off the side
leads to a number that is no square."""


def about(size, draw):
    # A player knows the position, not the moves that led to it.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    rows = 2 * half(s)
    for row in range(rows):
        for column in range(row % 2, rows, 2):
            square = 1 << number(s, row, column)
            s.board |= square
            if row < half(s) - 1:
                s.pieces[0] |= square
            if row > half(s):
                s.pieces[1] |= square
    s.result = GOING
    begin_turn(s, 0)


def half(s):
    """Dark squares in a row."""
    return 2 + s.size


def number(s, row, column):
    """The number of a dark square."""
    return row * half(s) + (row + 1) // 2 + column // 2


def begin_turn(s, player):
    s.player = player
    s.chain = NONE
    find_jumps(s, s.pieces[player])
    if not s.jumps:
        find_steps(s)
    if s.quiet == s.draw:
        s.result = DRAW
    elif s.movers[0] | s.movers[1] | s.movers[2] | s.movers[3] == 0:
        s.result = 1 - player


def find_jumps(s, among):
    """Which of these pieces of the player to move can jump, and in which direction."""
    left, right = half(s), half(s) + 1
    upwards, downwards = by_way(s, among)
    yours, empty = s.pieces[1 - s.player], empty_squares(s)
    s.movers[UP_LEFT] = upwards & (yours >> left) & (empty >> 2 * left)
    s.movers[UP_RIGHT] = upwards & (yours >> right) & (empty >> 2 * right)
    s.movers[DOWN_LEFT] = downwards & (yours << right) & (empty << 2 * right)
    s.movers[DOWN_RIGHT] = downwards & (yours << left) & (empty << 2 * left)
    s.jumps = s.movers[0] | s.movers[1] | s.movers[2] | s.movers[3] != 0


def find_steps(s):
    left, right = half(s), half(s) + 1
    upwards, downwards = by_way(s, s.pieces[s.player])
    empty = empty_squares(s)
    s.movers[UP_LEFT] = upwards & (empty >> left)
    s.movers[UP_RIGHT] = upwards & (empty >> right)
    s.movers[DOWN_LEFT] = downwards & (empty << right)
    s.movers[DOWN_RIGHT] = downwards & (empty << left)


def by_way(s, among):
    """Which of these pieces of the player to move may go up, and which down."""
    kings = among & s.kings
    return (among, kings) if s.player == 0 else (kings, among)


def empty_squares(s):
    return s.board & ~(s.pieces[0] | s.pieces[1])


def actor(s):
    return s.player if s.result == GOING else OVER


def moves(s, out):
    """Four times the number of a piece's square, plus the direction."""
    n = 0
    for direction in range(4):
        rest = s.movers[direction]
        while rest != 0:
            square = lowest_bit(rest)
            rest ^= 1 << square
            out[n] = 4 * square + direction
            n += 1
    return n


def play(s, move):
    square, near = move // 4, move // 4 + step(s, move % 4)
    target = near + step(s, move % 4) if s.jumps else near
    crowned = not has(s.kings, square) and is_far(s, target)
    if has(s.kings, square):
        s.kings ^= 1 << square | 1 << target
    elif crowned:
        s.kings |= 1 << target
    s.pieces[s.player] ^= 1 << square | 1 << target
    if not s.jumps:
        s.quiet += 1
        begin_turn(s, 1 - s.player)
        return
    s.pieces[1 - s.player] ^= 1 << near
    s.kings &= ~(1 << near)
    s.quiet = 0
    s.chain = target
    find_jumps(s, 1 << target)
    if crowned or not s.jumps:
        begin_turn(s, 1 - s.player)


def step(s, direction):
    """What a step in a direction adds to the number of a square."""
    if direction < DOWN_LEFT:
        return half(s) + direction
    return direction - DOWN_RIGHT - half(s)


def is_far(s, square):
    """Whether a square is on the row farthest from the player to move."""
    return square >= 2 * half(s) * half(s) if s.player == 0 else square < half(s)


def payoff(s, out):
    pay_winner(s.result, out)


def infoset(s, player):
    key = mix(mix(mix(0, s.pieces[0]), s.pieces[1]), s.kings)
    return mix(mix(mix(key, s.quiet), s.chain), 8 * s.player + s.result)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """What player 0 has more of, as a share of all that is left; a king counts as one and a half men."""
    mine, yours = strength(s, 0), strength(s, 1)
    out[0] = (mine - yours) / (mine + yours)
    out[1] = -out[0]


def strength(s, player):
    return count_bits(s.pieces[player]) + count_bits(s.pieces[player] & s.kings) / 2


def episode(s):
    men = 2 * half(s) * (half(s) - 1)
    if s.quiet == 0 and count_bits(s.pieces[0] | s.pieces[1]) == men:
        return OPENING
    return s.player if s.jumps and s.chain == NONE else CONTINUES


def move_name(s, move):
    way = 2 if s.jumps else 1
    names = [square_name(*place(s, square)) for square in (move // 4, move // 4 + way * step(s, move % 4))]
    return "-x"[s.jumps].join(names)


def place(s, square):
    """The row and the column of a dark square."""
    pair, rest = divmod(square, 2 * half(s) + 1)
    return (2 * pair, 2 * rest) if rest < half(s) else (2 * pair + 1, 2 * (rest - half(s)) - 1)


def show(s, player):
    rows = 2 * half(s)
    marks = [[mark(s, row, column) for column in range(rows)] for row in range(rows)]
    return f"{lettered(marks)}\n{told(s, 'x', 'o')}"


def mark(s, row, column):
    """x and o for men, X and O for kings, a dot for an empty square that can be moved to."""
    if (row + column) % 2 == 1:
        return " "
    square = number(s, row, column)
    marks = "XO" if has(s.kings, square) else "xo"
    return marks[0] if has(s.pieces[0], square) else marks[1] if has(s.pieces[1], square) else "."


def told(s, *names):
    if s.result != GOING:
        return "a draw" if s.result == DRAW else f"{names[s.result]} has won"
    going_on = "" if s.chain == NONE else f", and goes on with {square_name(*place(s, s.chain))}"
    return f"{names[s.player]} to move{going_on}; a draw after {s.draw - s.quiet} more moves without a jump"


def svg(s, player):
    rows = 2 * half(s)
    picture = board(rows, rows, colours=(LIGHT, DARK))
    looks = {"x": (INK, ""), "X": (INK, "♛"), "o": (PAPER, ""), "O": (PAPER, "♛")}
    stones(picture, rows, rows, lambda row, column: looks.get(mark(s, rows - 1 - row, column)))
    picture.text(picture.width / 2, 12, told(s, "black", "white"), 12)
    return str(picture)
