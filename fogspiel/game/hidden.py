"""What a game hides from its players, as random games show it."""

from collections.abc import Iterator

import numpy as np

from fogspiel.engine.primitives import pick
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance

GAMES, DECISIONS = 20, 400
"""Random games that are played, and decisions in all of them that are looked at."""
BREADTH, FEW = 64, 8
"""Moves of a state that are compared for an example, and at every decision."""


def hides_something(game: Game, pending: bool = True) -> bool:
    """Whether random games show that a player who moves does not know the state. Without `pending`, what others have
    chosen in an unfinished simultaneous stage does not count."""
    return (game.about.simultaneous and pending) or any(True for _ in _alike(game))


def hides_states(game: Game) -> bool:
    """The same without pending moves, where a player's move that the next one is not shown counts as pending, whether
    or not the game says that it is simultaneous. It must be shown after that: two players make a stage."""
    pending = b""
    for before, who, here, other in _alike(game):
        if game.about.simultaneous or before is None or not _pending(before, who, other):
            return True
        if before.data.tobytes() == pending:
            return True
        pending = here.data.tobytes()
    return False


def hidden_move(game: Game) -> tuple[str, int] | None:
    """A move, by its name, that random games show to be hidden from a player when its stage is over, and that player:
    after another move it would have seen the same."""
    rng, left = np.array([0], np.uint64), DECISIONS
    while left > 0:
        state = game.start()
        while state.actor != OVER and left > 0:
            legal = state.moves()
            seen: dict[tuple[int, int], int] = {}
            for move in legal[:BREADTH]:
                for player, key in _seen_after(state, move):
                    if (first := seen.setdefault((player, key), move)) != move:
                        return game.move_name(state, first), player
            left -= 1
            advance(state, legal[pick(rng, len(legal))])
        left -= 1
    return None


def _seen_after(state: State, move: int) -> Iterator[tuple[int, int]]:
    """What the others see when the stage of a move is over, by player. Others who choose at the same time take their
    first moves."""
    child = state.copy()
    advance(child, move)
    while not child.over and child.stage is not child:
        advance(child, child.moves()[0])
    if not child.over:
        yield from ((p, child.key(p)) for p in range(child.game.players) if p != state.actor)


def _alike(game: Game) -> Iterator[tuple[State | None, int, State, State]]:
    """Decisions of random games in which a player does not know the state: the state before, the player, the state in
    which its stage began, and another that is the same to it."""
    rng, left = np.array([0], np.uint64), DECISIONS
    met: dict[tuple[int, int], State] = {}
    for _ in range(GAMES):
        state, before = game.start(), None
        while (who := state.actor) != OVER and left > 0:
            if who != CHANCE:
                left -= 1
                here = state.stage
                others = _redrawn(here, who, rng) if "resample" in game.functions else _met(here, who, before, met)
                yield from ((before, who, here, other) for other in others if _differ(other, here))
            legal, before = state.moves(), state.copy()
            advance(state, legal[pick(rng, len(legal))])


def _redrawn(here: State, who: int, rng: np.ndarray) -> Iterator[State]:
    """What the game's rule makes of a state."""
    other = here.copy()
    other.resample(who, rng)
    yield other


def _met(here: State, who: int, before: State | None, met: dict[tuple[int, int], State]) -> Iterator[State]:
    """Without the rule, the first state that was met and looks the same to a player, and those that other moves would
    have led to and that do: of all of them, where their stage began."""
    key = here.key(who)
    yield met.setdefault((who, key), here.copy())
    if before is not None:
        # a move that is pending makes no other stage of it, whether or not the key shows that there is one
        began = (child.stage for child in _children(before, FEW) if child.actor == who)
        yield from (stage for stage in began if stage.key(who) == key)


def _children(state: State, most: int) -> Iterator[State]:
    for move in state.moves()[:most]:
        child = state.copy()
        advance(child, move)
        yield child


def _differ(one: State, other: State) -> bool:
    return one.data.tobytes() != other.data.tobytes()


def _pending(before: State, who: int, other: State) -> bool:
    """Whether another player's move leads from the state before to this one, too."""
    return before.actor not in (CHANCE, who) and not all(
        _differ(c, other) for c in _children(before, before.game.max_moves)
    )
