"""Printed numbers: tables of text read, and numbers shown as they were printed."""

from fogspiel import given

TYPED = 10
"""A number with more digits was computed, not copied from print."""


class Printed(float):
    """A printed number with half of the width of its interval, as print gives it."""

    half: float

    def __new__(cls, number: float, half: float) -> "Printed":
        found = super().__new__(cls, number)
        found.half = half
        return found

    def __reduce__(self) -> tuple[type["Printed"], tuple[float, float]]:
        """What a copy is made of."""
        return Printed, (float(self), self.half)


def half_width(number: float | None) -> float | None:
    """Half of the width of a printed number's interval; None where print gives none."""
    return number.half if isinstance(number, Printed) else None


def parts_of(number: float) -> list[float]:
    """A printed number as JSON has it: with half of the width of its interval, where print gives it."""
    half = half_width(number)
    return [number] if half is None else [float(number), half]


def put_together(number: float, half: float | None = None) -> float:
    """The printed number of these parts."""
    return number if half is None else Printed(number, half)


def read_printed(text: str) -> dict[tuple[str, ...], float]:
    """A cross table: a line for each row, with its label and numbers; the columns are the rows' labels, unless a first
    line that begins with a dot names them. A number in brackets or after +- or ±, without a space, is half of the width
    of the interval of that before it; what is no number there, such as (n/a), tells none."""
    lines = [line.split() for line in text.strip().splitlines()]
    columns = [name for name, *_ in lines]
    if lines[0][0] == ".":
        columns, lines = lines[0][1:], lines[1:]
    found: dict[tuple[str, ...], float] = {}
    for row, *words in lines:
        numbers: list[float] = []
        for word in words:
            if not word.startswith(("(", "+-", "±")):
                numbers.append(float(word.rstrip("%")))
            elif numbers and (half := given.as_number(word.strip("(+-±%)"), text=True)) is not None:
                numbers[-1] = Printed(numbers[-1], half)
        found |= {(row, column): x for column, x in zip(columns, numbers, strict=True)}
    return found


def as_printed(number: float) -> str:
    """A number with all the digits that it was given with, and half of the width of its interval; of one that was
    computed, such as -1/18, the first six."""
    text = f"{float(number) + 0.0:,}".removesuffix(".0")  # a zero has no sign
    if sum(letter.isdigit() for letter in text.lstrip("-0.")) > TYPED:
        text = f"{number:.6g}"
    half = half_width(number)
    return text if half is None else f"{text} ±{as_printed(half)}"
