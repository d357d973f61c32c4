"""Pictures of states as SVG text, for notebooks and browsers: a game's function `svg(s, player)` makes one of a
`Picture`."""

from collections.abc import Iterable
from html import escape

PAPER, INK, FAINT = "#ffffff", "#1f2937", "#9ca3af"
"""What a picture is drawn on and with, unless told otherwise; FAINT is for lines that only guide the eye."""


class Picture:
    """A picture of so many units in width and height, the origin at the top left. What is drawn later covers what is
    there."""

    def __init__(self, width: float, height: float, paper: str = PAPER):
        self.width, self.height = width, height
        self._parts: list[str] = []
        self.rect(0, 0, width, height, fill=paper)

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str = PAPER, line: str = "none", round: float = 0
    ) -> None:
        self._add("rect", x=x, y=y, width=width, height=height, rx=round, fill=fill, stroke=line)

    def circle(self, x: float, y: float, radius: float, fill: str = INK, line: str = "none", width: float = 1) -> None:
        self._add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=line, stroke_width=width)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 1, dashed: bool = False
    ) -> None:
        dashes = {"stroke_dasharray": "4 3"} if dashed else {}
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width, **dashes)

    def polygon(self, corners: Iterable[tuple[float, float]], fill: str = "none", line: str = INK) -> None:
        self._add("polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in corners), fill=fill, stroke=line)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14,
        colour: str = INK,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Text whose middle is at height y; `anchor` says whether it starts, ends or has its middle at x."""
        weight = {"font_weight": "bold"} if bold else {}
        self._add(
            "text",
            text,
            x=x,
            y=y,
            font_size=size,
            fill=colour,
            text_anchor=anchor,
            dominant_baseline="central",
            **weight,
        )

    def _add(self, kind: str, content: str = "", **attributes: float | str) -> None:
        written = " ".join(f'{name.replace("_", "-")}="{_value(value)}"' for name, value in attributes.items())
        self._parts.append(f"<{kind} {written}>{escape(content)}</{kind}>" if content else f"<{kind} {written}/>")

    def __str__(self) -> str:
        width, height = _number(self.width), _number(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="DejaVu Sans, Verdana, sans-serif">{"".join(self._parts)}</svg>'
        )


def of_text(text: str) -> str:
    """A picture of lines of text, each letter as wide as the next."""
    lines = text.splitlines() or [""]
    width, height = 9 * max(map(len, lines)) + 20, 18 * len(lines) + 16
    rows = "".join(
        f'<text x="10" y="{18 * i + 17}" dominant-baseline="central" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, monospace" font-size="14" fill="{INK}"><rect width="{width}" '
        f'height="{height}" fill="{PAPER}"/>{rows}</svg>'
    )


def _value(value: float | str) -> str:
    return escape(value) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    return f"{value:g}"
