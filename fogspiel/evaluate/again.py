"""The commands that resume a match and that play it again."""

import shlex
from typing import Any

from fogspiel.game.game import Game
from fogspiel.game.load import BUILT_IN


def commands(text: str | None, game: Game, given: list[Any], asked: dict[str, Any]) -> tuple[str | None, str]:
    """The command that resumes a match, if it can be, and the one that plays it again."""
    store, seed = asked["store"], asked["seed"]
    stored = store is not None and not asked["learning"]
    if not all(isinstance(one, str) for one in given):
        resumed = f"match(..., seed={seed}, store={str(store)!r}, resume=True)" if stored else None
        return resumed, f"match(..., seed={seed})"
    if text is None:
        file = getattr(game.module, "__file__", None)
        text = game.spec if game.module.__name__.startswith(BUILT_IN) else f"{file}{game.spec.removeprefix(game.name)}"
    words = ["fogspiel", "match", text, *given, "--games", str(asked["games"]), "--seed", str(seed)]
    split = len(words)
    if asked["move_time"] is not None:
        words += ["--move-time", _exact(asked["move_time"])]
    if asked["sprt"] is not None:
        words += ["--sprt", ",".join(map(_exact, vars(asked["sprt"]).values()))]
    if asked["by"] is not None:
        words += ["--by", asked["by"]]
    if not asked["duplicate"]:
        words.append("--no-duplicate")
    if asked["apart"] is not None:
        words.append("--apart" if asked["apart"] else "--together")
    if asked["memory"] is not None:
        words += ["--memory", f"{-(-asked['memory'] // 1024)}K"]
    if asked["strict"]:
        words.append("--strict")
    here = [*words[:split], "--workers", str(asked["workers"]), *words[split:], "--store", str(store), "--resume"]
    resumed = shlex.join(here) if stored else None
    return resumed, shlex.join([*words, "--learning"] if asked["learning"] else words)


def _exact(number: float) -> str:
    """A number such that reading it gives the same number."""
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))
