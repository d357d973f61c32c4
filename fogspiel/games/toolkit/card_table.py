"""Card games drawn for people: hands around a table, the trick in the middle, and tricks as text."""

from collections.abc import Sequence
from math import cos, pi, sin

from fogspiel.game import Picture
from fogspiel.games.toolkit.cards import SUIT, beats, face, name, sort_hand
from fogspiel.games.toolkit.draw import FELT, SEATS, WHITE, card

WIDE, HIGH = 640, 420
CARD_WIDE, CARD_HIGH, ROW, HIDDEN_STEP = 28, 38, 7, 9
"""Of a card, how many lie in a row face up, and how far apart cards lie face down."""


def tricks(
    order: Sequence[int], leader: int, trumps: int = 0, seats: Sequence[int] = range(4)
) -> list[list[tuple[int, int]]]:
    """The cards played, trick by trick, each with its player; `leader` leads the first, and seats play in turn."""
    played, found, lead = [one for one in order if one >= 0], [], list(seats).index(leader)
    for i in range(0, len(played), len(seats)):
        cards = played[i : i + len(seats)]
        found.append([(seats[(lead + j) % len(seats)], one) for j, one in enumerate(cards)])
        best = 0
        for j in range(1, len(cards)):
            best = j if beats(cards[j], cards[best], int(SUIT[cards[0]]), trumps) else best
        lead = (lead + best) % len(seats)
    return found


def trick_lines(order: Sequence[int], leader: int, trumps: int = 0, seats: Sequence[int] = range(4)) -> list[str]:
    """A line for each trick: who led, and the cards in turn."""
    found = tricks(order, leader, trumps, seats)
    return [f"{trick[0][0]} leads  {' '.join(name(one) for _, one in trick)}" for trick in found]


def last_trick(order: Sequence[int], leader: int, trumps: int = 0, seats: Sequence[int] = range(4)) -> dict[int, int]:
    """The card that each player has played to the last trick."""
    found = tricks(order, leader, trumps, seats)
    return dict(found[-1]) if found else {}


def card_table(
    hands: Sequence[int | None],
    sizes: Sequence[int],
    notes: Sequence[str],
    trick: dict[int, int],
    below: Sequence[str],
    turn: int,
) -> str:
    """A table with a hand for each player (None: face down, so many cards), what is said of each, and the trick in the
    middle.

    Player 0 sits below, the others follow clockwise.
    """
    picture = Picture(WIDE, HIGH + 20 * len(below), FELT)
    for player, hand in enumerate(hands):
        angle = pi / 2 + 2 * pi * player / len(hands)
        x, y = WIDE / 2 + 210 * cos(angle), HIGH / 2 - 10 + 145 * sin(angle)
        mark = "▶ " if player == turn else ""
        picture.text(x, y + 48, mark + notes[player], 13, colour=WHITE, bold=player == turn)
        if hand is None:
            row(picture, x, y, [""] * sizes[player], HIDDEN_STEP)
        else:
            faces = [face(one) for one in sort_hand(hand)]
            row(picture, x, y - CARD_HIGH / 2 if len(faces) > ROW else y, faces[:ROW], CARD_WIDE)
            row(picture, x, y + CARD_HIGH / 2, faces[ROW:], CARD_WIDE)
        if player in trick:
            near_x, near_y = WIDE / 2 + 56 * cos(angle), HIGH / 2 - 10 + 48 * sin(angle)
            row(picture, near_x, near_y, [face(trick[player])], CARD_WIDE)
            picture.circle(near_x, near_y + CARD_HIGH / 2, 4, fill=SEATS[player])
    for i, line in enumerate(below):
        picture.text(12, HIGH + 20 * i + 8, line, 13, colour=WHITE, anchor="start")
    return str(picture)


def row(picture: Picture, x: float, y: float, faces: Sequence[str], step: float) -> None:
    """Cards in a row with its middle at x and y."""
    left = x - (step * (len(faces) - 1) + CARD_WIDE) / 2
    for i, drawn in enumerate(faces):
        card(picture, left + step * i, y - CARD_HIGH / 2, drawn, CARD_WIDE, CARD_HIGH)
