"""Card games drawn for people: hands around a table, the trick in the middle, and tricks as text."""

from collections.abc import Sequence
from math import cos, pi, sin

from fogspiel.game import Picture
from fogspiel.games.toolkit.cards import face, name, sort_hand
from fogspiel.games.toolkit.draw import FELT, SEATS, WHITE, card

WIDE, HIGH, EDGE = 640, 420, 26
STEP, CARD_WIDE, CARD_HIGH = 15, 34, 48


def tricks(order: Sequence[int], shown: Sequence[int], players: int) -> list[list[tuple[int, int]]]:
    """The cards played, trick by trick, each with its player: `shown` has the set of cards of each."""
    found = []
    for i in range(0, len(order), players):
        cards = [card for card in order[i : i + players] if card >= 0]
        if cards:
            leader = next(player for player in range(players) if shown[player] >> cards[0] & 1)
            found.append([((leader + j) % players, card) for j, card in enumerate(cards)])
    return found


def trick_lines(order: Sequence[int], shown: Sequence[int], players: int) -> list[str]:
    """A line for each trick: who led, and the cards in turn."""
    return [
        f"{trick[0][0]} leads  {' '.join(name(card) for _, card in trick)}" for trick in tricks(order, shown, players)
    ]


def last_trick(order: Sequence[int], shown: Sequence[int], players: int) -> dict[int, int]:
    """The card that each player has played to the last trick."""
    found = tricks(order, shown, players)
    return dict(found[-1]) if found else {}


def card_table(
    hands: Sequence[int | None],
    sizes: Sequence[int],
    notes: Sequence[str],
    trick: dict[int, int],
    below: Sequence[str],
    turn: int,
) -> str:
    """A table with a hand for each player (None: face down, so many cards), what is said of each, and the trick in the middle.

    Player 0 sits below, the others follow clockwise.
    """
    picture = Picture(WIDE, HIGH + 20 * len(below), FELT)
    for player, hand in enumerate(hands):
        angle = pi / 2 + 2 * pi * player / len(hands)
        x, y = WIDE / 2 + 210 * cos(angle), HIGH / 2 + 150 * sin(angle)
        faces = [""] * sizes[player] if hand is None else [face(one) for one in sort_hand(hand)]
        left = x - (STEP * (len(faces) - 1) + CARD_WIDE) / 2
        left = min(max(left, 4), WIDE - 4 - STEP * (len(faces) - 1) - CARD_WIDE)
        for i, drawn in enumerate(faces):
            card(picture, left + STEP * i, y - CARD_HIGH / 2, drawn)
        mark = "▶ " if player == turn else ""
        picture.text(x, y + CARD_HIGH / 2 + 12, mark + notes[player], 13, colour=WHITE, bold=player == turn)
        if player in trick:
            near_x, near_y = WIDE / 2 + 62 * cos(angle), HIGH / 2 - 6 + 56 * sin(angle)
            card(picture, near_x - CARD_WIDE / 2, near_y - CARD_HIGH / 2, face(trick[player]))
            picture.circle(near_x, near_y + CARD_HIGH / 2, 4, fill=SEATS[player])
    for i, line in enumerate(below):
        picture.text(12, HIGH + 20 * i + 8, line, 13, colour=WHITE, anchor="start")
    return str(picture)
