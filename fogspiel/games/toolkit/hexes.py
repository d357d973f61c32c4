"""Boards of hexagons for Hex: size by size cells in the shape of a rhombus, numbered by rows, each row half a cell further right.

The first player's edges are the top and the bottom, the second's the left and the right. `chain[cell]` of a state tells to which
chain of its owner's stones a cell belongs: FIRST or SECOND if the chain touches the first or the second of the owner's edges, otherwise
LOOSE and the lowest cell of the chain; NONE without a stone.
"""

from fogspiel.game import Picture
from fogspiel.games.toolkit.boards import EMPTY

NONE, FIRST, SECOND, LOOSE = -1, 0, 1, 2
STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
"""To the neighbours of a cell: rows down and columns right."""


def link(s, size, player, cell):
    """Join a stone that was put on a cell to the chains around it; whether it links the player's two edges."""
    row, column = cell // size, cell % size
    along = row if player == 0 else column
    first, second, lowest = along == 0, along == size - 1, LOOSE + cell
    for down, right in STEPS:
        near = neighbour(s, size, player, row + down, column + right)
        if near >= 0:
            label = s.chain[near]
            first |= label == FIRST
            second |= label == SECOND
            if LOOSE <= label < lowest:
                lowest = label
    if first and second:
        return True
    joined = FIRST if first else SECOND if second else lowest
    s.chain[cell] = joined
    for down, right in STEPS:
        near = neighbour(s, size, player, row + down, column + right)
        if near >= 0 and s.chain[near] >= LOOSE and s.chain[near] != joined:
            rename(s, size, s.chain[near], joined)
    return False


def neighbour(s, size, player, row, column):
    """The cell at a row and column if the player has a linked stone there, otherwise -1."""
    if not (0 <= row < size and 0 <= column < size):
        return -1
    cell = row * size + column
    return cell if s.board[cell] == player and s.chain[cell] != NONE else -1


def rename(s, size, old, new):
    for cell in range(size * size):
        if s.chain[cell] == old:
            s.chain[cell] = new


def link_again(s, size, player):
    """Find all chains of a player anew; whether one links the player's two edges."""
    for cell in range(size * size):
        if s.board[cell] == player or s.board[cell] == EMPTY:
            s.chain[cell] = NONE
    linked = False
    for cell in range(size * size):
        if s.board[cell] == player:
            linked |= link(s, size, player, cell)
    return linked


def hex_text(size, marks):
    """The board in letters: `marks` has one for each cell."""
    rows = [" " * 3 + " ".join(chr(ord("a") + column) for column in range(size))]
    for row in range(size):
        rows.append(" " * row + f"{row + 1:2} " + " ".join(marks[row * size : (row + 1) * size]))
    return "\n".join(rows)


def hex_picture(size, holders, colours):
    """The board with the stones of `holders` (EMPTY or a player, for each cell), and the edges in their owner's colour."""
    radius, wide = 18.0, 18.0 * 3**0.5
    picture = Picture((size + (size - 1) / 2) * wide + 3 * radius, 1.5 * size * radius + 3 * radius)

    def centre(row, column):
        return 2.5 * radius + (column + row / 2) * wide, 2.5 * radius + 1.5 * row * radius

    corners = [(0, -radius), (wide / 2, -radius / 2), (wide / 2, radius / 2)]
    corners += [(-x, -y) for x, y in corners]
    for row in range(size):
        for column in range(size):
            x, y = centre(row, column)
            picture.polygon([(x + a, y + b) for a, b in corners], fill="#f3ead7", line="#6b4f2a")
            sides = ((row == 0, 5, 0), (row == size - 1, 2, 0), (column == 0, 3, 1), (column == size - 1, 0, 1))
            for corner, owner in [(corner, owner) for outside, corner, owner in sides if outside]:
                for i in (corner, corner + 1):
                    (ax, ay), (bx, by) = corners[i % 6], corners[(i + 1) % 6]
                    picture.line(x + ax, y + ay, x + bx, y + by, colour=colours[owner], width=4)
            holder = holders[row * size + column]
            if holder != EMPTY:
                picture.circle(x, y, 0.6 * radius, fill=colours[holder])
    for i in range(size):
        x, y = centre(0, i)
        picture.text(x - radius / 2, y - 1.7 * radius, chr(ord("a") + i), 11)
        x, y = centre(i, 0)
        picture.text(x - 1.6 * radius, y, str(i + 1), 11)
    return str(picture)
