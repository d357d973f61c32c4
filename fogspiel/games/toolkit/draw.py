"""Boards, stones and cards for pictures of games (`svg`)."""

from collections.abc import Callable, Iterable, Sequence

from fogspiel.game import Picture
from fogspiel.game.picture import FAINT

WOOD, FELT, LIGHT, DARK = "#e8c888", "#2f7d4f", "#f3ead7", "#b08a5b"
"""Colours: a wooden board, the green of a card table or an Othello board, the two kinds of squares of a chequered
one."""
SEATS = ("#1d4ed8", "#dc2626", "#15803d", "#b45309", "#7c3aed", "#0e7490", "#be185d", "#4d7c0f", "#334155", "#a16207")
"""A colour for each player."""
BLACK, WHITE, UNSEEN = "#111827", "#f9fafb", "#a7bce0"
"""UNSEEN is for a die, a coin or the pattern of a card whose other side is down."""
MARGIN = 24
RED_SUITS = "♥♦"


def board(
    rows: int,
    columns: int,
    cell: float = 40,
    colours: tuple[str, str] = (WOOD, WOOD),
    names: bool = True,
    upwards: bool = True,
) -> Picture:
    """A board of squares, row 0 at the top, with letters for columns and numbers for rows; 1 is the lowest row, or the
    top one."""
    picture = Picture(columns * cell + 2 * MARGIN, rows * cell + 2 * MARGIN)
    for row in range(rows):
        for column in range(columns):
            x, y = corner(row, column, cell)
            picture.rect(x, y, cell, cell, fill=colours[(row + column) % 2], line="#6b4f2a")
    if names:
        for column in range(columns):
            picture.text(MARGIN + (column + 0.5) * cell, rows * cell + 1.5 * MARGIN, chr(ord("a") + column), 12)
        for row in range(rows):
            picture.text(MARGIN / 2, MARGIN + (row + 0.5) * cell, str(rows - row if upwards else row + 1), 12)
    return picture


def corner(row: float, column: float, cell: float = 40) -> tuple[float, float]:
    """The top left corner of a square of a `board`."""
    return MARGIN + column * cell, MARGIN + row * cell


def middle(row: float, column: float, cell: float = 40) -> tuple[float, float]:
    """The middle of a square of a `board`."""
    return corner(row + 0.5, column + 0.5, cell)


def stone(picture: Picture, x: float, y: float, radius: float, fill: str, mark: str = "") -> None:
    """A stone, and what is written on it."""
    picture.circle(x, y, radius, fill=fill, line=BLACK)
    if mark:
        picture.text(x, y, mark, radius, colour=BLACK if fill in (WHITE, LIGHT) else WHITE, bold=True)


def card(picture: Picture, x: float, y: float, name: str, width: float = 34, height: float = 48) -> None:
    """A card by its name, such as Q♠ or 7♥, with its top left corner at x and y; one without a name lies face down."""
    if not name:
        picture.rect(x, y, width, height, fill="#3b5b92", line=WHITE, round=4)
        picture.rect(x + 4, y + 4, width - 8, height - 8, fill="none", line=UNSEEN, round=2)
        return
    picture.rect(x, y, width, height, fill=WHITE, line="#6b7280", round=4)
    colour = "#b91c1c" if name[-1] in RED_SUITS else BLACK
    picture.text(x + width / 2, y + height / 2, name, 14 if len(name) < 4 else 11, colour=colour, bold=True)


def hand(picture: Picture, x: float, y: float, names: Iterable[str], step: float = 36) -> None:
    """Cards side by side, the first at x and y."""
    for i, name in enumerate(names):
        card(picture, x + i * step, y, name)


def stones(
    picture: Picture, rows: int, columns: int, look: Callable[[int, int], tuple[str, str] | None], cell: float = 40
) -> None:
    """Stones on a `board`: `look(row, column)` gives a stone's colour and its mark, or None where there is none."""
    for row in range(rows):
        for column in range(columns):
            if (found := look(row, column)) is not None:
                stone(picture, *middle(row, column, cell), 0.4 * cell, *found)


def rows_of_cards(rows: Sequence[tuple[str, Sequence[str], str]]) -> str:
    """A card table as SVG text: rows of a label, cards by their names ("" for one that lies face down), and a note
    beside them."""
    labels, most, notes = (max(len(row[i]) for row in rows) for i in range(3))
    first = 28 + 9 * labels
    picture = Picture(first + 36 * most + 9 * notes + 28, 16 + 56 * len(rows), paper=FELT)
    for i, (label, cards, note) in enumerate(rows):
        y = 12 + 56 * i
        picture.text(14, y + 24, label, colour=WHITE, anchor="start", bold=True)
        hand(picture, first, y, cards)
        picture.text(first + 36 * most + 8, y + 24, note, colour=WHITE, anchor="start")
    return str(picture)


def marked_board(lines: Sequence[str], cell: float = 48) -> Picture:
    """A board with a letter on each square, as lines of text have them; a point is an empty square, small letters are
    faint. The top row is 1."""
    picture = board(len(lines), len(lines[0]), cell, upwards=False)
    for row, line in enumerate(lines):
        for column, mark in enumerate(line):
            if mark != ".":
                colour = FAINT if mark.islower() else SEATS[mark != "X"]
                picture.text(*middle(row, column, cell), mark, cell / 2, colour=colour, bold=True)
    return picture
