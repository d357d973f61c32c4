"""An exception that an agent raised, in words: what it was, and the line of the agent's own code that it came from."""

import os
import sysconfig
import traceback
from pathlib import Path

from fogspiel.errors import FogspielError

HERE = str(Path(__file__).parent.parent) + os.sep
INSTALLED = tuple(path + os.sep for path in {sysconfig.get_path(n) for n in ("stdlib", "purelib", "platlib")} if path)


def described(error: BaseException) -> str:
    """`ZeroDivisionError: division by zero (my_agent.py, line 12)`. What the library itself refuses needs no line."""
    passed = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    elsewhere = [place for place in passed if not place[0].startswith(HERE)]
    own = [place for place in elsewhere if not place[0].startswith((*INSTALLED, "<frozen"))]
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, FogspielError) and not own:
        return text
    file, line = (own or elsewhere or passed or [("", 0)])[-1]
    return f"{text} ({_short(file)}, line {line})" if file else text


def _short(file: str) -> str:
    """The file as seen from where we are, if it is below."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)
