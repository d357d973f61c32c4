"""Connect four: stones dropped into upright columns, and four in line win.

In turn the players drop a stone into a column that is not full; it falls onto those that lie there. Four of one's own
in line, upright, across or diagonally, win; a full board is a draw. With best play the first player wins on the board
of seven columns and six rows (Allen 1988; Allis 1988). Boards may have other sizes, and lines another length.
"""

import numpy as np

from fogspiel.game import OVER, About, Whole, count_bits, mix
from fogspiel.games.toolkit.bits import has
from fogspiel.games.toolkit.boards import lettered, pay_winner, starts_of_lines
from fogspiel.games.toolkit.draw import WHITE, board, stones

NOBODY = -1
BITS = 63
PARAMETERS = (
    Whole("rows", 6, 2, 8, "stones that fit into a column"),
    Whole("columns", 7, 2, 9, "columns"),
    Whole("line", 4, 2, 8, "stones in line that win"),
)
MAX_MOVES = 9
State = np.dtype(
    [("rows", "i1"), ("columns", "i1"), ("line", "i1"), ("turns", "i1"), ("winner", "i1"), ("stones", "i8", 2)],
    align=True,
)
"""stones are the sets of squares of each player. Squares are numbered upwards, column by column, and above each column
a number is left out: there a line that leaves the board ends."""


def about(rows, columns, line):
    if columns * (rows + 1) > BITS:
        raise ValueError(f"{columns} columns of {rows} are too many: columns * (rows + 1) may be {BITS} at most")
    # A player knows the position, not the moves that led to it.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    s.winner = NOBODY


def actor(s):
    return OVER if s.winner != NOBODY or s.turns == s.rows * s.columns else s.turns % 2


def moves(s, out):
    """Columns, from the left."""
    n = 0
    taken = s.stones[0] | s.stones[1]
    for column in range(s.columns):
        out[n] = column
        n += not has(taken, column * (s.rows + 1) + s.rows - 1)
    return n


def play(s, move):
    player = s.turns % 2
    s.stones[player] |= dropped(s, move)
    if has_line(s, s.stones[player]):
        s.winner = player
    s.turns += 1


def dropped(s, column):
    """The square to which a stone falls: to add one to a column carries over all that is taken."""
    taken = s.stones[0] | s.stones[1]
    return (taken + (1 << column * (s.rows + 1))) & ~taken


def has_line(s, stones):
    return (
        starts_of_lines(stones, 1, s.line)
        | starts_of_lines(stones, s.rows, s.line)
        | starts_of_lines(stones, s.rows + 1, s.line)
        | starts_of_lines(stones, s.rows + 2, s.line)
    ) != 0


def payoff(s, out):
    pay_winner(s.winner, out)


def infoset(s, player):
    return mix(mix(0, s.stones[0]), s.stones[1])


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """Lines that are open to player 0 less those open to player 1, as a share of all that are open to either."""
    mine, yours = lines_open(s, 0), lines_open(s, 1)
    out[0] = (mine - yours) / (mine + yours) if mine + yours > 0 else 0.0
    out[1] = -out[0]


def lines_open(s, player):
    """How many lines hold no stone of the other."""
    free = squares(s) & ~s.stones[1 - player]
    n = count_bits(starts_of_lines(free, 1, s.line))
    for step in range(s.rows, s.rows + 3):
        n += count_bits(starts_of_lines(free, step, s.line))
    return n


def squares(s):
    """All squares of the board."""
    found = 0
    for column in range(s.columns):
        found |= ((1 << s.rows) - 1) << column * (s.rows + 1)
    return found


def guide(s, out, prob):
    """Complete a line, or else keep the other from completing one, or else any column."""
    n = moves(s, out)
    urgent = 0
    for whose in range(2):
        if urgent == 0:
            for i in range(n):
                prob[i] = has_line(s, s.stones[(s.turns + whose) % 2] | dropped(s, out[i]))
                urgent += prob[i] > 0
    for i in range(n):
        prob[i] = prob[i] / urgent if urgent > 0 else 1 / n
    return n


def move_name(s, move):
    return "abcdefghi"[move]


def show(s, player):
    marks = [[mark(s, row, column) for column in range(s.columns)] for row in range(s.rows)]
    return f"{lettered(marks)}\n{told(s, 'X', 'O')}"


def mark(s, row, column):
    square = column * (s.rows + 1) + row
    return "X" if has(s.stones[0], square) else "O" if has(s.stones[1], square) else "."


def told(s, *names):
    if s.winner != NOBODY:
        return f"{names[s.winner]} has won"
    return "a draw" if s.turns == s.rows * s.columns else f"{names[s.turns % 2]} to move"


def svg(s, player):
    picture = board(s.rows, s.columns, colours=("#1d4ed8", "#1d4ed8"))
    looks = {"X": ("#dc2626", ""), "O": ("#facc15", ""), ".": (WHITE, "")}
    stones(picture, s.rows, s.columns, lambda row, column: looks[mark(s, s.rows - 1 - row, column)])
    picture.text(picture.width / 2, 12, told(s, "red", "yellow"), 12)
    return str(picture)
