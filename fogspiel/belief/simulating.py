"""Simulations from one decision of a player to the next, for kernels: those in which it sees what it saw
(`belief/simulated.py`).

A simulation starts in a state of those at the last decision, each as likely. The player makes the moves that it made,
chance and the others move as they may, one way for each simulation; one that leaves the player's record is given up.
Where a model of Python's is to be asked, the kernel stops (ASK), and goes on when the odds are filled in.
"""

from typing import Any

import numpy as np

from fogspiel.belief.agreement import LEFT, agrees
from fogspiel.belief.rows import Rows, fill_in
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Reals, Record, Words
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    pick,
    play,
    sample,
    stage_goes_on,
    state_at,
)

DONE, ASK, TOO_MANY = range(3)
AT_RANDOM, BY_TABLE, BY_PYTHON = range(3)
"""How others move: each move as likely, by a table of their odds, or as Python says."""

Asked = np.dtype(
    [
        ("player", "i8"),
        ("simultaneous", "i8"),
        ("how", "i8"),
        ("states", "i8"),
        ("known", "i8"),
        ("made", "i8"),
        ("seen", "i8"),
        ("played", "i8"),
        ("wanted", "i8"),
        ("most", "i8"),
    ],
    align=True,
)
"""Whose decision is looked for, whether the game is simultaneous, and how others move; so many states to start in, at a
decision with so many keys and own moves behind it; how many keys are recorded now, and own moves; how many particles
are wanted, and the `most` moves to make for them."""

Stand = np.dtype(
    [
        ("count", "i8"),
        ("tried", "i8"),
        ("going", "i8"),
        ("asked", "i8"),
        ("known", "i8"),
        ("own", "i8"),
        ("actor", "i8"),
        ("moves", "i8"),
    ],
    align=True,
)
"""How many particles have come, and how many moves were made, or begun with. Of the simulation at hand: whether one is
going on, and Python was asked; how many keys and own moves of the record are behind it; who is to move, and how many
moves there are."""

Work: Any = Bundle(
    asked=Record(Asked),
    stand=Record(Stand),
    starts=Ints,
    came=Ints,
    here=Ints,
    keys=Ints,
    own=Ints,
    moves=Ints,
    odds=Reals,
)
"""The states to start in and those of the particles, each in whole words; the state that a simulation has come to, and
that in which its stage began; the record; and the moves in the state at hand, with their odds."""


@kernel
def simulate(game: Ints, work: Work, rows: Rows, rng: Words) -> Int:
    """Simulate until as many have come as are wanted, or so many moves are made (DONE); TOO_MANY where a state has more
    moves than can be."""
    asked, stand = work.asked, work.stand
    while stand.count < asked.wanted and stand.tried < asked.most:
        if stand.going == 0:
            set_out(game, work, rng)
        status = go_on(game, work, rows, rng)
        if status != DONE:
            return status
    return DONE


def set_out(game, work, rng):
    """Begin a simulation in one of the states."""
    asked, stand = work.asked, work.stand
    s, stage = state_at(game, work.here, 0), state_at(game, work.here, 1)
    copy_state(game, s, state_at(game, work.starts, pick(rng, asked.states)))
    copy_state(game, stage, s)
    key = infoset(game, s, asked.player)
    stand.known = asked.known
    # others' moves that are still to come in the stage may have told the player more
    while stand.known > 1 and work.keys[stand.known - 1] != key:
        stand.known -= 1
    stand.own, stand.going = asked.made, 1
    stand.tried += 1


def go_on(game, work, rows, rng):
    """Carry the simulation at hand on to the decision, and keep where the stage of that began."""
    asked, stand = work.asked, work.stand
    s = state_at(game, work.here, 0)
    while stand.going != 0 and stand.tried < asked.most:
        if stand.asked == 0:
            who = actor(game, s)
            stand.actor, stand.moves = who, 0
            if who == OVER or (who == asked.player and stand.own == asked.played):
                stand.going = 0
                if who != OVER and stand.known == asked.seen:
                    copy_state(game, state_at(game, work.came, stand.count), state_at(game, work.here, 1))
                    stand.count += 1
                return DONE
            stand.moves = (
                chances(game, s, work.moves, 0, work.odds, 0) if who == CHANCE else moves(game, s, work.moves, 0)
            )
            if stand.moves > game[LIMIT]:
                return TOO_MANY
            if others_move(game, work, rows, s):
                stand.asked = 1
                return ASK
        stand.asked = 0
        move(game, work, s, rng)
    return DONE


def others_move(game, work, rows, s):
    """How likely another player is to make each move. True where Python is to say."""
    asked, stand = work.asked, work.stand
    if stand.actor == CHANCE or stand.actor == asked.player:
        return False
    for i in range(stand.moves):
        work.odds[i] = 1.0 / stand.moves
    if asked.how == BY_TABLE:
        fill_in(game, s, stand.actor, rows, 0, stand.moves, work.moves, work.odds)
    return asked.how == BY_PYTHON


def move(game, work, s, rng):
    """Make a move, and see whether the simulation still agrees with the record."""
    asked, stand = work.asked, work.stand
    who = stand.actor
    i = own_move(work) if who == asked.player else sample(work.odds, 0, stand.moves, rng)
    stand.tried += 1
    if i >= stand.moves:
        stand.going = 0
        return
    play(game, s, work.moves[i])
    stand.own += 1 if who == asked.player else 0
    stand.known = agrees(game, s, asked.player, stand.known, asked.seen, work.keys)
    if stand.known == LEFT:
        stand.going = 0
    elif not stage_goes_on(game, s, asked.simultaneous, who, actor(game, s)):
        copy_state(game, state_at(game, work.here, 1), s)


def own_move(work):
    """The place of the move that the player made, of those that it has; behind them all where that is none of them."""
    i = 0
    while i < work.stand.moves and work.moves[i] != work.own[work.stand.own]:
        i += 1
    return i
