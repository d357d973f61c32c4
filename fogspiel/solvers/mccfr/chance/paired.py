"""Paired chance sampling (Lanctot 2013, sec. 7.5): an outcome and its antithetic partner, by the game's rule
`mirror`."""

from fogspiel.game.needs import rule
from fogspiel.game.table import mirror, sample
from fogspiel.solvers.mccfr.chance.every import by_outcome, stop
from fogspiel.solvers.mccfr.following import follow_each
from fogspiel.solvers.mccfr.frames import ODD
from fogspiel.solvers.mccfr.parts import Part, at_chance, sample_chance


def paired(game, run, at, free, me):
    """The two go to the front meanwhile, as if there were no others, and both were as likely."""
    place, buffer, work = run.places[at], run.moves, run.work
    n, top = place.n, place.top
    place.node = -1
    first = buffer[top + sample(work, top, n, run.rng)]
    second = mirror(game, place.state, first)
    if not is_among(second, n, buffer, top):
        run.walk.status = ODD
        return 0.0
    move_0, move_1, prob_0, prob_1 = buffer[top], buffer[top + 1], work[top], work[top + 1]
    buffer[top], buffer[top + 1], work[top], work[top + 1] = first, second, 0.5, 0.5
    value = follow_each(game, run, at, free, me, 2, by_outcome)
    buffer[top], buffer[top + 1], work[top], work[top + 1] = move_0, move_1, prob_0, prob_1
    return value


def is_among(move, n, buffer, top):
    for i in range(n):
        if buffer[top + i] == move:
            return True
    return False


PAIRED = Part("paired", {sample_chance: stop, at_chance: paired}, needs=(rule("mirror"),))
