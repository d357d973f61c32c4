"""What is followed where chance moves: `sample_chance` draws an outcome or says BRANCH, and `at_chance` follows
several."""

from fogspiel.game.needs import rule
from fogspiel.game.table import follow, infoset, mirror, sample, state_at
from fogspiel.solvers.mccfr.frames import ODD
from fogspiel.solvers.mccfr.traversal import BRANCH, follow_each, reach_by_outcome, sample_once


class One:
    """one, drawn with its probability, which cancels (Lanctot 2013, sec. 4.2)"""

    def sample_chance(game, run, place, me):
        return sample(run.work, place.top, place.n, run.rng)


class Every:
    """all, as in vanilla CFR (Lanctot 2013, Algorithm 1)"""

    def sample_chance(game, run, place, me):
        return BRANCH

    def at_chance(game, run, at, free, me):
        place = run.places[at]
        place.node = -1
        return follow_each(game, run, at, free, me, place.n, by_outcome)


def by_outcome(run, place, a, child, me):
    prob = run.work[place.top + a]
    reach_by_outcome(place, prob, child)
    return prob


EVERYBODY = -1
"""In place of a player: what everybody knows."""


class Public:
    """of what everybody sees one, of the rest all (Johanson et al. 2012; Lanctot 2013, sec. 4.8.2)"""

    at_chance = Every.at_chance

    def sample_chance(game, run, place, me):
        return sample(run.work, place.top, place.n, run.rng) if is_seen(game, run, place, EVERYBODY) else BRANCH


class Common:
    """all that only the updating player sees; of the rest one (Lanctot 2013, sec. 7.5)

    The same below whatever the updating player was dealt."""

    at_chance = Every.at_chance

    def sample_chance(game, run, place, me):
        if is_seen(game, run, place, me) and not is_seen(game, run, place, EVERYBODY):
            return BRANCH
        return sample_once(run, place.level, place.n, place.top, 1.0)


def is_seen(game, run, place, who):
    """Whether a player can tell the outcomes at a place apart, judged by the first two."""
    state = state_at(game, run.spare, 0)
    follow(game, state, place.state, run.moves[place.top])
    seen = infoset(game, state, who)
    follow(game, state, place.state, run.moves[place.top + 1])
    return infoset(game, state, who) != seen


class Paired:
    """one, and its antithetic partner by the rule `mirror` (Lanctot 2013, sec. 7.5)"""

    NEEDS = (rule("mirror"),)
    sample_chance = Every.sample_chance

    def at_chance(game, run, at, free, me):
        # the two go to the front meanwhile, as if there were no others, and both were as likely
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
