"""Dice: rolls in which the order of the dice does not count, their odds, and how a die is drawn.

A roll is written as a number whose digits are the dice in rising order: 25 is a two and a five.
"""

from fogspiel.game import Picture

PIPS = ("", "4", "26", "246", "0268", "02468", "023568")
"""The pips of each face, on a grid of three by three that is numbered by rows."""


def first_roll(dice):
    """All ones, the lowest roll."""
    roll = 1
    for _ in range(dice - 1):
        roll = 10 * roll + 1
    return roll


def next_roll(roll, faces):
    """The next larger number with rising digits, 0 after the last."""
    if roll % 10 < faces:
        return roll + 1
    moved = 1
    while roll % 10 == faces:
        roll //= 10
        moved += 1
    if roll == 0:
        return 0
    face = roll % 10 + 1
    roll //= 10
    for _ in range(moved):
        roll = 10 * roll + face
    return roll


def chance_of(roll, faces):
    """The multinomial probability of a roll: the orders in which its dice can fall, over all ways to fall."""
    orders = 1.0
    ways = 1.0 * faces
    dice = 1
    same = 1
    last = roll % 10
    while roll > 9:
        roll //= 10
        same = same + 1 if roll % 10 == last else 1
        last = roll % 10
        dice += 1
        orders = orders * dice / same
        ways *= faces
    return orders / ways


def all_rolls(dice, faces):
    """A list of all rolls, in rising order."""
    rolls = [first_roll(dice)]
    while (roll := next_roll(rolls[-1], faces)) > 0:
        rolls.append(roll)
    return rolls


def write_faces(out, faces):
    """One die: write its faces into out, return how many there are."""
    for i in range(faces):
        out[i] = i + 1
    return faces


def draw_die(picture: Picture, x: float, y: float, face: int, size: float = 28, fill: str = "#f9fafb") -> None:
    """A die with its top left corner at x and y; without pips for face 0."""
    picture.rect(x, y, size, size, fill=fill, line="#111827", round=size / 6)
    for pip in PIPS[face]:
        row, column = divmod(int(pip), 3)
        picture.circle(x + (column + 1) * size / 4, y + (row + 1) * size / 4, size / 11, fill="#111827", line="none")
