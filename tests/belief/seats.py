"""What a seat sees in a game of random moves."""

import numpy as np

from fogspiel.agents.agent import observe
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import Replay
from fogspiel.game import CHANCE


def decisions(game, seat, seed):
    """Random play: at each decision of the seat, what it may know. Records grow, as a referee's do."""
    rng, state, record = np.random.default_rng(seed), game.start(), Record(seat)
    record.see(state)
    while not state.over:
        if state.actor == seat:
            yield observe(state, record, np.array([seed], np.uint64))
        outcomes = dict(state.chance()) if state.actor == CHANCE else dict.fromkeys(state.moves(), 1.0)
        move = int(rng.choice(list(outcomes), p=np.array(list(outcomes.values())) / sum(outcomes.values())))
        if state.actor == seat:
            record.own.append(move)
        state.play(move)
        record.see(state)


def agrees(state, observation):
    """Whether the seat may be asked with what it has seen once the moves pending in the stage are made."""
    rest = Record(observation.seat, observation.record.keys[observation.record.known(state) - 1 :], [])
    work = Replay(state.game, rest, observation.seat, np.array([1], np.uint64), 10**5, root=state.data)
    return next(work.histories(), None) is not None
