"""The command line: `fogspiel games`, `solve`, `show`, `evaluate`, `bound`, `trade-off`, `check`, `match`, `play`,
`run`, `results`, `bench`, `demo`.

The commands are in `command_games.py`, `command_solve.py`, `command_play.py`, `command_experiment.py` and
`command_program.py`.
"""

import contextlib
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any, cast

from fogspiel.app import sentinel
from fogspiel.app.command import app, ask_again
from fogspiel.app.trust import add_unchecked
from fogspiel.engine import notice


def _tell_of_compiling(name: str, functions: int) -> contextlib.AbstractContextManager[Any]:
    from fogspiel.app.progress import compiling

    return compiling(name, functions)


def _tell(text: str) -> None:
    from fogspiel.app.progress import LINE

    LINE.say(f"fogspiel: {text}")


for group in ("games", "solve", "play", "experiment", "program"):  # as help lists them
    import_module(f"fogspiel.app.command_{group}")
add_unchecked(app, apart_from="check")


def main() -> None:
    """Run the command line."""
    sys.unraisablehook = ask_again
    sentinel.watch()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    # a letter that the terminal cannot show must not cost a result
    cast(TextIOWrapper, sys.stdout).reconfigure(errors="backslashreplace")
    notice.listen(_tell_of_compiling, _tell)
    try:
        app()
    finally:
        notice.listen(None)
