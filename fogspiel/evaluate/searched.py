"""A search at every information set, and the strategy that they make together."""

import math
from collections.abc import Callable

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Agent, observe
from fogspiel.agents.registry import Seated
from fogspiel.agents.registry import agent as make_agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.record import Record
from fogspiel.engine.primitives import mix
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.state import State, advance
from fogspiel.solvers.response.response import far_too_large, form_of
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.estimate import estimate

MOST_HISTORIES = 20_000_000
TRY = "try mo-ismcts, is-mcts or smooth-uct"


def searched_strategy(
    game: Source, agent: Seated, *, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Strategy:
    """A strategy put together from searches of their own, one at every information set: there moves are as likely as
    the search tried them (Veselý 2024, sec. 2.6). `progress` hears how many searches are done.

    States to search from are drawn by the game's rule `resample` unless the agent has a belief of its own. Every
    history of the game is walked: raises TooLarge where there are too many.
    """
    game, player, seed = load(game), make_agent(agent), given.seed(seed)
    tell = given.maybe(given.function, "progress", progress)
    if not isinstance(player, SearchAgent):
        raise Unsuitable(f"{player.name} counts no visits of its moves; {TRY}")
    if getattr(player, "cheats", False):
        raise Unsuitable(f"{player.name} knows what is hidden, so that what it does is no strategy; {TRY}")
    if far_too_large(game, MOST_HISTORIES):
        size = estimate(game)
        count = f"about {size.histories:.0e}" if size.histories < math.inf else "endlessly many"
        raise TooLarge(
            f"{game.spec} has {count} histories, and a search at every information set walks them all: at most "
            f"{MOST_HISTORIES:,}"
        )
    form_of(game)
    rows: dict[tuple[int, int], dict[int, float]] = {}
    stack = [(game.start(), tuple(Record(p) for p in range(game.players)))]
    while stack:
        state, records = stack.pop()
        if state.over:
            continue
        for record in records:
            record.see(state)
        who, moves = state.actor, state.moves()
        if who >= 0 and len(moves) > 1 and (where := (who, state.key(who))) not in rows:
            rows[where] = _visits(game, player, state, records[who], mix(seed, len(rows)))
            if tell is not None:
                tell(len(rows))
        for move in moves:
            then = state.copy()
            advance(then, move)
            after = tuple(Record(r.player, list(r.keys), list(r.own), list(r.public)) for r in records)
            if who >= 0:
                after[who].own.append(move)
            stack.append((then, after))
    moves = [move for row in rows.values() for move in row]
    prob = [p for row in rows.values() for p in row.values()]
    return Strategy.build(
        game,
        np.array([who for who, _ in rows]),
        np.array([key for _, key in rows], np.uint64),
        np.array([len(row) for row in rows.values()]),
        np.array(moves),
        np.array(prob),
    )


def _visits(game: Game, player: Agent, state: State, record: Record, seed: int) -> dict[int, float]:
    """How often a search at a decision tries each move, as shares."""
    player.begin(game, record.player, seed)
    player.choose(observe(state, record, np.array([seed], np.uint64)))
    found = {told.move: told.visits for told in getattr(player, "found", ())}
    total = sum(found.values())
    if total == 0:
        raise Unsuitable(f"{player.name} counts no visits of its moves; {TRY}")
    return {move: found.get(move, 0) / total for move in state.moves()}
