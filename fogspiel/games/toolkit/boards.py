"""Boards: sets of squares as the bits of a word (bit boards), their names, stones in line, and what a win is worth.

A bit board of up to 8 by 8 has square 8 * row + column as that bit of a word of 64 bits. Rows are counted upwards.
"""

from collections.abc import Sequence

LAST_COLUMN, TOP_ROW = 0x8080808080808080, 0xFF00000000000000
"""Of 8 by 8. Both have bit 63, which makes them words without a sign; the complement of a small number is none."""

EMPTY = -1
"""What stands on an empty square of a board that is an array of players."""


def up(squares):
    """A set of squares moved by a row; what leaves the board is gone, here and below."""
    return (squares & ~TOP_ROW) << 8


def down(squares):
    return squares >> 8


def right(squares):
    return (squares & ~LAST_COLUMN) << 1


def left(squares):
    return (squares >> 1) & ~LAST_COLUMN


def rectangle(rows, columns):
    """The first rows and columns of 8 by 8."""
    squares = LAST_COLUMN >> 7
    for _ in range(columns - 1):
        squares |= right(squares)
    for _ in range(8 - rows):
        squares = down(squares)
    return squares


def starts_of_lines(stones, step, length):
    """The stones from which on there are `length` in line, each a bit number `step` higher than the one before."""
    for _ in range(length - 1):
        stones &= stones >> step
    return stones


def completes_three(s, player, square):
    """Whether a player owns a line through a square of its own, on three by three.

    Both diagonals are looked at: one elsewhere would have ended the game before.
    """
    across = owns_three(s, player, square - square % 3, 1) | owns_three(s, player, square % 3, 3)
    return across | owns_three(s, player, 0, 4) | owns_three(s, player, 2, 2)


def has_three(s, player):
    """Whether a player owns a line, on three by three. To look at all is faster than to guess which is the one."""
    found = owns_three(s, player, 0, 4) | owns_three(s, player, 2, 2)
    for i in range(3):
        found |= owns_three(s, player, 3 * i, 1) | owns_three(s, player, i, 3)
    return found


def owns_three(s, player, square, step):
    return (s.board[square] == player) & (s.board[square + step] == player) & (s.board[square + 2 * step] == player)


def pay_winner(winner, out):
    """1 to the winner of a game for two and -1 to the other; to both 0 if the winner is neither of them."""
    out[0] = (winner == 0) - (winner == 1)
    out[1] = (winner == 1) - (winner == 0)


def square_name(row: int, column: int) -> str:
    """a1 is the first square of the first row."""
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)


def lettered(rows: Sequence[Sequence[str]], upwards: bool = True) -> str:
    """A board in letters, given the marks of each row: the first row at the bottom, or at the top."""
    wide = len(str(len(rows)))
    lines = [f"{i:{wide}} {' '.join(row)}" for i, row in enumerate(rows, 1)]
    letters = " ".join("abcdefghijklmnopqrstuvwxyz"[: len(rows[0])])
    return "\n".join([*(reversed(lines) if upwards else lines), f"{'':{wide}} {letters}"])
