"""In what results differ from print: rows that intervals keep apart from it, and remarks, which are of what was
kept."""

import math
import re

from fogspiel.experiment.printed import half_width
from fogspiel.experiment.tables import Row, Table
from fogspiel.reproduce.cells import cell, text

SCALE = re.compile(r"\b((?:at|in|of) the (small|medium) scale)\b,?", re.IGNORECASE)


def compared(table: Table) -> list[Row]:
    """The rows of which print gives an interval, too, and which have one here, or are exact."""
    return [row for row in table if half_width(row.printed) is not None and math.isfinite(row.half)]


def outside(table: Table) -> list[Row]:
    """Those of them whose interval does not meet that in print: for one that is even about its mean, those farther from
    print than both half-widths together (the rule for matches of Lisý 2014, at as many simulations as in print)."""
    return [row for row in compared(table) if not _meets(row)]


def _meets(row: Row) -> bool:
    printed, half = row.printed, half_width(row.printed)
    return printed is None or half is None or (row.low <= printed + half and printed - half <= row.high)


def told_outside(table: Table) -> str:
    """How many rows these are, and which; nothing where there is nothing to compare."""
    rows, found = compared(table), outside(table)
    if not rows:
        return ""
    many, place = len(found), "outside print ± both half-widths"
    told = (
        f"Of {len(rows)} numbers that are printed with half-widths, {many or 'none'} "
        f"{'are' if many > 1 else 'is'} {place}."
    )
    if len(rows) == 1:
        told = f"The number that is printed with a half-width is {'' if found else 'not '}{place}."
    which = "; ".join(f"{', '.join(map(text, row.key))}: {cell(row)}" if row.key else cell(row) for row in found)
    return f"{told} {'They are' if many > 1 else 'It is'} {which}." if found else told


def remarks_at(remarks: str, scale: str) -> str:
    """Remarks beside what was found at a scale: what they say of another one is told to be of what was kept."""
    told = {scale}

    def kept(found: re.Match[str]) -> str:
        if (other := found[2].lower()) in told:
            return found[0]
        told.add(other)
        ends = remarks[found.end() : found.end() + 1] in (".", ";", ":", ")")
        return f"{found[1]}, as kept{',' * (not ends)}"

    return SCALE.sub(kept, remarks)
