"""Printed numbers: tables of text read, and numbers shown as they were printed."""

TYPED = 10
"""A number with more digits was computed, not copied from print."""


def read_printed(text: str) -> dict[tuple[str, ...], float]:
    """A cross table: a line for each row, with its label and numbers; the columns are the rows' labels, unless a first
    line that begins with a dot names them. A number in brackets or after +- is a half-width, and left out."""
    lines = [line.split() for line in text.strip().splitlines()]
    columns = [name for name, *_ in lines]
    if lines[0][0] == ".":
        columns, lines = lines[0][1:], lines[1:]
    found: dict[tuple[str, ...], float] = {}
    for row, *words in lines:
        numbers = [float(word.rstrip("%")) for word in words if not word.startswith(("(", "+-", "±"))]
        found |= {(row, column): x for column, x in zip(columns, numbers, strict=True)}
    return found


def as_printed(number: float) -> str:
    """A number with all the digits that it was given with; of one that was computed, such as -1/18, the first six."""
    text = f"{float(number) + 0.0:,}".removesuffix(".0")  # a zero has no sign
    return text if sum(letter.isdigit() for letter in text.lstrip("-0.")) <= TYPED else f"{number:.6g}"
