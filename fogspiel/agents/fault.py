"""An exception that an agent raised, in words: what it was, and the line of the agent's own code that it came from."""

import os
import sysconfig
import traceback
from functools import cache
from pathlib import Path

from fogspiel.errors import FogspielError, GameError


@cache
def here() -> str:
    """Where this package lies. Asked for, and no constant: whatever a constant holds is a part of the versions of
    code."""
    return str(Path(__file__).parent.parent) + os.sep


@cache
def installed() -> tuple[str, ...]:
    """Where Python and what was installed lie."""
    return tuple(path + os.sep for n in ("stdlib", "purelib", "platlib") if (path := sysconfig.get_path(n)))


def described(error: BaseException) -> str:
    """`ZeroDivisionError: division by zero (my_agent.py, line 12)`. What the library itself refuses needs no line."""
    passed, elsewhere, own = _lines(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, FogspielError) and not own:
        return text
    file, line = (own or elsewhere or passed or [("", 0)])[-1]
    return f"{text} ({_short(file)}, line {line})" if file else text


def of_the_game(error: BaseException) -> bool:
    """Whether rules of the game failed, in no code but ours: whoever played is not at fault."""
    return isinstance(error, GameError) and not _lines(error)[2]


def _lines(error: BaseException) -> tuple[list[tuple[str, int]], ...]:
    """The files and lines that an error passed: all, those that are not ours, and of these the agent's own."""
    passed = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    elsewhere = [place for place in passed if not place[0].startswith(here())]
    return passed, elsewhere, [place for place in elsewhere if not place[0].startswith((*installed(), "<frozen"))]


def _short(file: str) -> str:
    """The file as seen from where we are, if it is below."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)


def plain(text: str) -> str:
    """What an agent wrote as one line without what a terminal takes for commands."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in text).split())


class Fault(Exception):
    """What an agent did that loses it the game, in words that stand after its name: `made the illegal move 77`."""
