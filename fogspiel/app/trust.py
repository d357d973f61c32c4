"""The option `--unchecked` of all commands that take a game: a file is used without its first checked run."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

Unchecked = Annotated[
    bool,
    typer.Option(
        "--unchecked",
        help="Use a game file without the short checked run that a new one gets; a mistake in it may crash or hang.",
    ),
]


def add_unchecked(app: typer.Typer, *, apart_from: str) -> None:
    """Give the option to all commands of `app` with an argument `game`, apart from one, which does its own checking."""
    for command in app.registered_commands:
        callback = command.callback
        if (
            callback is not None
            and "game" in inspect.signature(callback).parameters
            and callback.__name__ != apart_from
        ):
            command.callback = _trusting(callback)


def _trusting(command: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(command)
    def run(*, unchecked: bool, **given: Any) -> Any:
        if not unchecked:
            return command(**given)
        from fogspiel.game.first_run import unchecked as trusted

        with trusted():
            return command(**given)

    usual = inspect.signature(command)
    option = inspect.Parameter("unchecked", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Unchecked)
    vars(run)["__signature__"] = usual.replace(parameters=[*usual.parameters.values(), option])
    run.__annotations__ = {**command.__annotations__, "unchecked": Unchecked}
    return run
