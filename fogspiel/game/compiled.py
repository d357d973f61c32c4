"""The rules of a game as machine code."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogspiel.engine.alarm import Alarm
from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Kind, Record
from fogspiel.engine.native import guarded
from fogspiel.errors import GameError
from fogspiel.game.rollout import COMPOSED
from fogspiel.game.rules import OVER, RULES, Rule, complete, where

if TYPE_CHECKING:
    from fogspiel.game.game import Game


def compiled(
    game: "Game", rules: Mapping[str, Function], names: Collection[str] | None = None
) -> tuple[dict[str, Callable[..., Any]], Alarm]:
    """Those of the rules that have these names, and what is composed of them, or all; and what rings where one of them
    fails."""
    if names is None or any({*names} & {*rules[r.name].__code__.co_names} for r in COMPOSED if r.name in rules):
        names = rules
    wanted = {r.name: r for r in (*RULES, *COMPOSED) if r.name in names}
    state = Record(game.dtype)
    # by its file, so that a preset needs no code of its own
    name = f"rules-{Path(getattr(game.module, '__file__', None) or game.name).stem}"
    try:
        return guarded(name, {n: _described(game, rules[n], r, state) for n, r in wanted.items()})
    except Exception as error:
        if type(error).__name__ != "CompileError":
            raise
        # what is wrong is told of the rules as they are written, not of what looks at them
        try:
            guarded(
                name, {r.name: _described(game, game.plain[r.name], r, state) for r in RULES if r.name in game.plain}
            )
        except Exception as better:
            error = better
        failed: Any = error  # its class is in the compiler, which is imported only where something is compiled
        complaint = failed.complaint
        place = where(game.plain[failed.entry.name], complaint.line, complaint.function.__code__)
        reason = complete(complaint.function.__name__, complaint.reason)
        raise GameError(f"{place} cannot be compiled: {reason}") from error


def _described(
    game: "Game", function: Function, rule: Rule, state: Kind
) -> tuple[Function, tuple[Kind, ...], Kind | None, dict[str, Any]]:
    """What the compiler is told of a rule."""
    room = room_of(game, rule)
    kinds = [
        kind.of_length(room[name]) if name in room else kind
        for (name, _), kind in zip((("s", None), *rule.arguments), rule.kinds(state), strict=True)
    ]
    neutral = {"actor": OVER, "look": (0, OVER), "step": (0, OVER)}.get(rule.name, 0)
    return function, tuple(kinds), rule.result, {"apart": True, "short": True, "guarded": neutral}


def room_of(game: "Game", rule: Rule) -> dict[str, int]:
    """How many elements each array has that a rule is given."""
    room = {"rng": 1, "facts": 2, "pay": game.players}
    room |= dict.fromkeys(("out", "prob", "weight", "outcomes", "keys", "found"), max(game.max_moves, game.players))
    return room | ({"out": game.players} if rule.name in ("payoff", "evaluate") else {})
