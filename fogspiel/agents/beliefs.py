"""What agents may believe: the choice among beliefs (`belief/belief.py`), and the belief that an agent's parameters ask
for."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fogspiel.belief.belief import BELIEFS, Belief, named
from fogspiel.belief.resampling import PENDING
from fogspiel.belief.usual import usual
from fogspiel.game.game import Game
from fogspiel.game.menu import Menu, Word
from fogspiel.game.spec import Parameter
from fogspiel.search.own import PartChoice

USUAL = "usual"
"""In place of a name: the belief that suits the game."""
_ABOUT = (
    "what the states are drawn from that simulations start in; usual: the game's rule resample, or replays of "
    "the record where there is none"
)


def beliefs(
    default: str = USUAL,
    *,
    pending: bool = False,
    counted: bool = True,
    also: Mapping[str, Iterable[Parameter]] | None = None,
) -> Menu:
    """The choice among beliefs, with their parameters. Whether others' moves that are `pending` in a stage are drawn at
    random is only asked of an agent that can do without them, and how many states are drawn not of one that says so
    itself: it is not `counted`. `also` are parameters of the agent that have an effect with single words."""
    words = {}
    for name, kind in BELIEFS.items():
        left_out = (*[PENDING] * (not pending), *[kind.count] * (not counted))
        words[name] = Word(tuple(p for p in kind.parameters if p not in left_out), kind.needs)
    either = Word(tuple(p for name in ("resample", "replay") for p in words[name].parameters))
    words = {USUAL: either} | words
    for name, word in words.items():
        words[name] = replace(word, parameters=(*word.parameters, *(also or {}).get(name, ())))
    return Menu(PartChoice("belief", default, tuple(words), _ABOUT), words)


def believed(game: Game, p: Mapping[str, Any], count: int | None = None) -> Belief:
    """The belief that parameters ask for, which draws so many states where their number is its own to say."""
    name = usual(game) if p["belief"] == USUAL else p["belief"]
    if name not in BELIEFS:
        return named(name)
    kind = BELIEFS[name]
    own = {q.name: p[q.name] for q in kind.parameters if q.name in p}
    return named(name, own | ({kind.count.name: count} if count is not None and kind.count is not None else {}))


def one_each(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief of an agent with determinizations: a state for each."""
    return believed(game, p, p["determinizations"])


def usually(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief of agents that are not asked for one."""
    return believed(game, {"belief": USUAL})
