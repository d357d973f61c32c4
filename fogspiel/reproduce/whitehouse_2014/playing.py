"""What the chapters share: single games, for measurements that play a deal several times."""

from collections.abc import Sequence
from functools import cache

from fogspiel.agents.agent import Agent
from fogspiel.agents.registry import agent
from fogspiel.evaluate.referee import play_game
from fogspiel.game.game import Game
from fogspiel.game.load import load

DETERMINIZED, ISMCTS, CHEATING = "determinized UCT", "ISMCTS", "cheating UCT"
EVEN = 4.4
"""Up to so many points are no difference: the smallest that is called significant (sec. 6.3.2), and what a thousand
games with each can tell."""


def utilities(game: str, agents: Sequence[str], deal: int, seed: int, dealt: Sequence[int] = ()) -> tuple[float, ...]:
    """What each seat gets in one game. `dealt` are chance's first moves, where they are not drawn."""
    seated = [sitting(spec, seat) for seat, spec in enumerate(agents)]
    return tuple(play_game(loaded(game), seated, deal=deal, seed=seed, dealt=dealt).utilities)


@cache
def loaded(game: str) -> Game:
    return load(game)


@cache
def sitting(spec: str, seat: int) -> Agent:
    return agent(spec)


def trees(count: int | str, iterations: int | str) -> str:
    """So many trees of so many iterations each, as words of a spec string."""
    return f"determinizations={count},simulations={iterations}"
