"""One-ply rollout planning (Lanctot 2013, sec. 2.3.2): for each move, the mean of what play by a default policy gives after it.

The default policy is random play, or the game's rule `guide`. Where something is hidden, each rollout starts from a state redrawn.
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Records, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import FogspielError, GameError
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.table import (
    LIMIT,
    LONGEST,
    SIZE,
    STOPPED,
    actor,
    copy_state,
    infoset,
    mix,
    moves,
    play,
    play_out,
    resample,
    sample,
)
from fogspiel.search.nodes import Node, Pool, Slot, add, lookup, slot_of
from fogspiel.search.search import Search
from fogspiel.search.variates import play_on

Job = np.dtype([
    ("simulations", "i8"), ("searcher", "i8"), ("states", "i8"), ("redraw", "i8"), ("guided", "i8"), ("low", "f8"), ("high", "f8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"),
], align=True)  # fmt: skip


NOT_ASKED = 1 << 40
"""What `simulate` returns where a move of another player in the stage decided that the searcher is not asked in it."""


@kernel
def simulate(
    game: Ints, job: Record(Job), roots: Bytes, weights: Reals, scratch: Bytes, buffer: Ints, odds: Reals, pay: Reals, rng: Words,
    pool: Record(Pool), index: Ints32, nodes: Records(Node), slots: Records(Slot),
) -> Int:  # fmt: skip
    """Try the moves in turn, `job.simulations` in all. Returns 0, how many moves a state had where fewer have room, what is wrong
    with a game that cannot be played to the end (`Game.unplayable`), or NOT_ASKED."""
    s = address_of(scratch)
    for _ in range(job.simulations):
        which = sample(weights, 0, job.states, rng) if job.states > 1 else 0
        copy_state(game, s, address_of(roots) + which * game[SIZE])
        if job.redraw != 0:
            resample(game, s, job.searcher, rng)
        who = actor(game, s)
        while who != job.searcher:
            # others have moves to make in the stage that the searcher is asked in
            length = play_by_default(game, job, s, buffer, odds, pay, rng, 1)
            if length < STOPPED:
                return length
            before = who
            who = actor(game, s)
            if who <= before:
                return NOT_ASKED
        n = moves(game, s, buffer, 0)
        if n > game[LIMIT]:
            return n
        key = mix(infoset(game, s, job.searcher), job.searcher)
        node = lookup(key, pool, index, nodes)
        if node < 0:
            node = add(key, job.searcher, n, pool, index, nodes)
        i = nodes[node].visits % n
        slot = slot_of(node, buffer[i], i, pool, nodes, slots)
        play(game, s, buffer[i])
        length = play_by_default(game, job, s, buffer, odds, pay, rng, LONGEST)
        if length < 0:
            return length
        job.played += length
        nodes[node].visits += 1
        nodes[node].value += pay[job.searcher]
        slots[slot].tries += 1
        slots[slot].total += (pay[job.searcher] - job.low) / (job.high - job.low)
        job.done += 1
    return 0


def play_by_default(game, job, s, buffer, odds, pay, rng, most):
    """At most so many moves of the default policy; what `play_out` returns."""
    if job.guided != 0:
        return play_on(game, 1, 0, s, 0, False, buffer, odds, pay, pay, rng, rng, most)
    return play_out(game, s, buffer, odds, pay, rng, most)


class Rollouts(Search):
    """Rollouts after each move of the root. `guided` follows the game's rule `guide` in place of random play."""

    def __init__(self, game: Game, *, guided: bool = False, seed: int = 0):
        if guided and "guide" not in game.functions:
            raise FogspielError(f"{game.name} has no rule guide, so rollouts cannot follow it; use policy=random")
        super().__init__(game, seed=seed, nodes=game.max_moves)
        self.job = np.zeros(1, Job)
        self.job["guided"], self.job["low"], self.job["high"] = guided, self.low, self.high

    def simulate(
        self, roots: list[State], searcher: int, simulations: int, *, redraw: bool = False, weights: list[float] | None = None
    ) -> None:  # fmt: skip
        """So many rollouts from states drawn from `roots` by weight; `redraw` has the game's rule redraw each first."""
        shares = np.ones(len(roots)) if weights is None else np.asarray(weights, float)
        data = np.concatenate([r.data for r in roots]).view(np.int8)
        for name, setting in {
            "simulations": simulations, "searcher": searcher, "states": len(roots), "redraw": redraw,
        }.items():  # fmt: skip
            self.job[name] = setting
        room = self.room
        status = self.game.finish(simulate(
            self.game.table, self.job, data, shares / shares.sum(), room["scratch"], room["buffer"], room["odds"], room["pay"], self.rng, *self.memory.arrays,
        ))  # fmt: skip
        if status == NOT_ASKED:
            raise GameError(
                f"{self.game.name}: whether player {searcher} is asked in a stage depends on a move that is pending in it; "
                "a game of simultaneous moves asks the same players whatever they choose"
            )
        if status:
            raise self.game.unplayable(status)
