"""What agents may believe: the choice among beliefs (`belief/belief.py`), and the belief that an agent's parameters ask for."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fogspiel.agents.menu import Menu, Word
from fogspiel.belief.belief import BELIEFS, Belief, named, usual
from fogspiel.belief.resampling import PENDING
from fogspiel.game.game import Game
from fogspiel.game.spec import Parameter
from fogspiel.search.own import PartChoice

USUAL = "usual"
"""In place of a name: the belief that suits the game."""
_ABOUT = "what the states are drawn from that simulations start in; usual: the game's rule resample, or replays of the record where there is none"


def beliefs(
    default: str = USUAL, *, pending: bool = False, also: Mapping[str, Iterable[Parameter]] | None = None
) -> Menu:
    """The choice among beliefs, with their parameters. Whether others' moves that are `pending` in a stage are drawn at random is only asked of an agent
    that can do without them. `also` are parameters of the agent that have an effect with single words."""
    words = {USUAL: _either("resample", "replay")} | {
        name: Word(kind.parameters, kind.needs) for name, kind in BELIEFS.items()
    }
    for name, word in words.items():
        own = tuple(p for p in word.parameters if pending or p is not PENDING)
        words[name] = replace(word, parameters=(*own, *(also or {}).get(name, ())))
    return Menu(PartChoice("belief", default, tuple(words), _ABOUT), words)


def _either(*names: str) -> Word:
    return Word(tuple(p for name in names for p in BELIEFS[name].parameters))


def believed(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief that parameters ask for."""
    name = usual(game) if p["belief"] == USUAL else p["belief"]
    own = BELIEFS[name].parameters if name in BELIEFS else ()
    return named(name, {q.name: p[q.name] for q in own if q.name in p})


def usually(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief of agents that are not asked for one."""
    return believed(game, {"belief": USUAL})
