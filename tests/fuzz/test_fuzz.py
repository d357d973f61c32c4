"""Whatever is given, the answer is a value or one sentence: never a crash, a hang or an error of Python, NumPy or
ctypes.

`python tests/fuzz --calls 100000` makes more calls of the same kinds."""

import contextlib
import inspect
from pathlib import Path

import fuzz_calls
from fuzz_calls import AGENTS, COMMANDS, SOLVERS, generated
from fuzz_driver import Child, Tally

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.app.cli import app
from fogspiel.solvers.registry import SOLVERS as REGISTERED

LONG = {"bench", "reproduce", "demo"}
"""Commands that take minutes by their nature."""


def test_generated_calls_return_a_value_or_say_one_sentence():
    tally = Tally()
    with contextlib.closing(Child()) as child:
        child.make(generated(4000, start=1), tally)
    assert not tally.wrong, "\n\n".join(tally.wrong)
    assert sum(tally.counts.values()) == 4000


def test_everything_public_is_among_the_generated_calls():
    source = Path(fuzz_calls.__file__).read_text()
    functions = {name for name in fs.__all__ if inspect.isfunction(getattr(fs, name))}
    assert {name for name in functions if f"fs.{name}" not in source} == set()
    assert set(REGISTERED) <= {spec.split("(")[0] for spec in SOLVERS}
    assert set(KINDS) <= {spec.split("(")[0] for spec in AGENTS}
    groups = {"": app} | {f"{group.name} ": group.typer_instance for group in app.registered_groups}
    commands = {
        f"{above}{c.name or c.callback.__name__}" for above, one in groups.items() for c in one.registered_commands
    }
    assert commands - LONG <= set(COMMANDS)
