"""Printed numbers, as tables of text."""


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
