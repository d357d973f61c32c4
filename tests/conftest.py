"""What all tests rely on."""

import os
import signal
import tempfile
from functools import cache

import typer.main

# optimised less, code is there sooner, and computes the same bits (tests/engine/test_machine_code.py)
os.environ.setdefault("FOGSPIEL_OPTIMISE", "less")

# what is printed for a program is not wrapped or coloured, whatever the terminal is like that the tests are started
# from
for told in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(told, None)

# a shell that runs the tests in the background has them ignore Ctrl-C, and so would every process that a test
# interrupts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the tests start a hundred processes, each of which imports the package: it is not compiled to bytecode a hundred
# times. Where none is to be written, it is kept in a folder that goes away with the tests
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    bytecode = tempfile.TemporaryDirectory(prefix="fogspiel-bytecode-")
    os.environ["PYTHONPYCACHEPREFIX"] = bytecode.name

# commands are made of their functions once, not for each line that a test types
typer.main.get_command = cache(typer.main.get_command)
