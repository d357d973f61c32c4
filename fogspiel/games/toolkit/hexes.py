"""Boards of hexagons for Hex: size by size cells in the shape of a rhombus, numbered by rows, each row half a cell
further right.

The first player's edges are the top and the bottom, the second's the left and the right. `chain[player, spot]` of a
state tells to which chain a stone of the player belongs: FIRST or SECOND if the chain touches the first or the second
of its edges, otherwise LOOSE and the lowest cell of the chain; NONE without a stone. Spots have a border around the
board, so that each cell has six neighbours.
"""

from fogspiel.game import Picture
from fogspiel.games.toolkit.boards import EMPTY

FIRST, SECOND, LOOSE, NONE = 0, 1, 2, 255


def spots(size):
    """How many spots there are: the cells and those of the border."""
    return (size + 2) * (size + 2)


def spot_of(size, cell):
    return (cell // size + 1) * (size + 2) + cell % size + 1


def neighbours(size):
    """How far the neighbours of a spot are: above, beside, below."""
    wide = size + 2
    return -wide, 1 - wide, -1, 1, wide - 1, wide


def link(s, size, player, cell):
    """Join a stone that was put on a cell to the chains around it; whether it links the player's two edges."""
    spot, along = spot_of(size, cell), cell // size if player == 0 else cell % size
    first, second, joined = along == 0, along == size - 1, LOOSE + cell
    for step in neighbours(size):
        label = s.chain[player, spot + step]
        first |= label == FIRST
        second |= label == SECOND
        joined = min(joined, label)
    if first and second:
        return True
    joined = FIRST if first else SECOND if second else joined
    s.chain[player, spot] = joined
    for step in neighbours(size):
        label = s.chain[player, spot + step]
        if label != joined and label != NONE:
            for i in range(spots(size)):
                if s.chain[player, i] == label:
                    s.chain[player, i] = joined
    return False


def clear_cells(s, size):
    """Take all stones off."""
    for cell in range(size * size):
        s.board[cell] = EMPTY
    for player in range(2):
        unlink(s, size, player)


def unlink(s, size, player):
    """Forget all chains of a player."""
    for spot in range(spots(size)):
        s.chain[player, spot] = NONE


def link_again(s, size, player):
    """Find all chains of a player anew; whether one links the player's two edges."""
    unlink(s, size, player)
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
    """The board with the stones of `holders` (EMPTY or a player, for each cell), and the edges in their owner's
    colour."""
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
