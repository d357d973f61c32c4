"""What all commands share: how they end, what they are given, how results are written.

Everything heavy is imported inside the command that needs it, so that `fogspiel --help` answers at once.
"""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from fogspiel.app import options
from fogspiel.engine import notice
from fogspiel.engine.address_space import MODEST, address_space_left, address_space_limit
from fogspiel.errors import FileError, FogspielError


class Commands(TyperGroup):
    """All commands end alike: an error that a person can mend is one sentence and a non-zero status."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`--json` with no file after it means standard output."""
        words: list[str] = []
        for word, after in pairwise([*args, "--"]):
            words += [word, "-"] if word == "--json" and after.startswith("-") and after != "-" else [word]
        return super().parse_args(ctx, words)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """An option that takes one value, or is one of two words (`--apart`, `--together`), is given once: of two, one
        would be dropped without a word."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, TyperGroup):
            given: list[Any] = []
            with contextlib.suppress(Exception):  # what is wrong with the words is told when they are read in earnest
                given = command.make_parser(type(ctx)(command, info_name=name, parent=ctx)).parse_args(list(rest))[2]
            for n, option in enumerate(given):
                single = option.param_type_name == "option" and not option.multiple
                if single and option in given[:n] and (not option.is_flag or option.secondary_opts):
                    words = " or ".join((option.opts[0], *option.secondary_opts[:1]))
                    _fail(f"{name} takes {words} once, and it is given twice", 2)
        return name, command, rest

    def list_commands(self, ctx: Any) -> list[str]:
        """As their modules come, and in a module as they stand there, those with subcommands last."""
        names = sorted(self.commands, key=lambda name: isinstance(self.commands[name], TyperGroup))
        modules = [self.commands[name].callback.__module__ for name in names]
        return sorted(names, key=lambda name: modules.index(self.commands[name].callback.__module__))

    def invoke(self, ctx: Any) -> Any:
        if address_space_limit() < LEAST:
            _fail(memory_is_short(), 2)
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except FogspielError as error:
            _fail(str(error), 2)
        except KeyboardInterrupt:
            if sys.unraisablehook is ask_again:
                # one Ctrl-C is enough, and what it left half made is not worth a word
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                sys.unraisablehook = lambda _: None
            _fail("interrupted", 130)
        except MemoryError:
            _fail(memory_is_short() or "out of memory; choose smaller parameters, or set --memory", 2)
        except BrokenPipeError:
            _drop_output()
            raise typer.Exit(1) from None
        except OSError as error:
            if error.errno is None and (short := memory_is_short()):
                _fail(short, 2)  # a library that could not be loaded
            _drop_output()
            _fail(f"{error.filename or 'standard output'}: {error.strerror or error}", 2)
        except Exception as error:
            if os.environ.get("FOGSPIEL_TRACEBACK") or hasattr(error, "exit_code") or isinstance(error, typer.Abort):
                raise  # an exit with its status, or what the parser of options says
            if short := memory_is_short():
                _fail(f"{short} (FOGSPIEL_TRACEBACK=1 shows where)", 2)
            _fail(
                f"this is a mistake in Fogspiel itself, please report it: {type(error).__name__}: {error} "
                "(FOGSPIEL_TRACEBACK=1 shows where)",
                70,
            )


LEAST = 256_000_000
"""Bytes of address space without which NumPy may end the process rather than say why."""
WANTED = 600_000_000
"""Bytes of address space with which small games can be played and solved, compiling included."""


def memory_is_short() -> str:
    """What to say where address space is limited, and less than is wanted is there in all, or hardly any left; else
    nothing."""
    limit = address_space_limit()
    if limit >= WANTED and address_space_left() > MODEST:
        return ""
    return (
        f"memory is short: this process may take {limit / 1e6:,.0f} MB (ulimit -v), and small games want "
        f"{WANTED / 1e6:,.0f} MB; raise the limit"
    )


def _fail(message: str, status: int) -> NoReturn:
    typer.echo(f"fogspiel: {' '.join(message.split())}", err=True)
    raise typer.Exit(status)


def _drop_output() -> None:
    """Let what could not be written be forgotten, or Python would try again at its exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Games where players cannot see everything: solve them, measure strategies, check your own.",
    epilog="Start with: fogspiel demo",
    context_settings={"help_option_names": ["-h", "--help"]},
)


Game = Annotated[str, typer.Argument(help="A game: kuhn, goofspiel(cards=5), my_game.py, my_game.py(size=3).")]


Saved = Annotated[Path, typer.Argument(help="A strategy saved with fogspiel solve --save.")]


def is_output(path: Path | None) -> bool:
    """Whether a file option means standard output, which then gets nothing else."""
    return str(path) == "-"


def _silence_for_output(ctx: typer.Context, path: Path | None) -> Path | None:
    """Who reads JSON from standard output gets no word of compiling, either, and none of an agent's or a game's own
    code."""
    if is_output(path) and not ctx.resilient_parsing:
        notice.listen(None)
        ctx.with_resource(_output_alone())
    return path


_outputs: list[Callable[[str], object]] = []
"""What writes to standard output, where all else that is written there goes to standard error."""


@contextlib.contextmanager
def _output_alone() -> Iterator[None]:
    """Within this what is printed, here and in processes started here, goes to standard error, but for what
    `write_json` writes."""
    usual, kept = sys.stdout, None
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if usual.fileno() == 1:  # and nothing that stands for it
            usual.flush()
            kept = os.dup(1)
            os.dup2(2, 1)
    sys.stdout = sys.stderr
    _outputs.append(usual.write if kept is None else lambda text: _write_all(kept, text.encode()))
    try:
        yield
    finally:
        _outputs.pop()
        sys.stdout = usual
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


Json = Annotated[
    Path | None,
    typer.Option(
        "--json",
        callback=_silence_for_output,
        help="Write the result as one JSON object to this file; without one, or as -, to standard output alone.",
    ),
]


Memory = Annotated[
    int | None,
    options.memory(
        "--memory",
        help=(
            "Most memory for the unrolled game or the table of a sampling solver: 512M, 4G. Default: 70% of RAM, or "
            "of what ulimit -v leaves."
        ),
    ),
]


Workers = Annotated[int, options.threads("--workers", help="Processes of this machine.")]


Cluster = Annotated[
    str | None,
    typer.Option("--cluster", help="Run on a Dask cluster: the address of its scheduler, or its scheduler file."),
]


def finish(json_file: Path | None, facts: dict[str, Any], human: Callable[[], object]) -> None:
    """Print the human form, then write the JSON where asked for; on standard output the JSON alone."""
    if not is_output(json_file):
        human()
    if json_file is not None:
        write_json(json_file, facts)


def write_json(path: Path, facts: dict[str, Any]) -> None:
    text = json.dumps(facts, indent=1) + "\n"
    if is_output(path):
        (_outputs[-1] if _outputs else sys.stdout.write)(text)
        return
    from fogspiel.solvers.files import write_safely

    write_safely(path, text.encode())


def require_writable(*paths: Path | None) -> None:
    """Fail before the work rather than after it, where a file cannot be written."""
    files = [path for path in paths if path is not None and not is_output(path)]
    if files:
        from fogspiel.solvers.files import require_writable

        for file in files:
            require_writable(file)
    plain = [os.path.realpath(file) for file in files if os.path.isfile(file) or not os.path.exists(file)]
    if len(set(plain)) < len(plain):
        raise FileError("two of the files to write are one; give each its own name")


def ask_again(lost: Any) -> None:
    """Ctrl-C raised within a callback from C, of which the compiler has many, is lost there: raise it again soon."""
    if lost.exc_type is KeyboardInterrupt and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, 0.02)
    else:
        sys.__unraisablehook__(lost)
