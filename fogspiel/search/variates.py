"""What makes means more exact for the same number of simulations (Lanctot 2013, ch. 7): control variates, common random
numbers, antithetic variates; and baselines of outcome sampling."""

import numpy as np

from fogspiel.engine.part import by_name
from fogspiel.engine.primitives import next_word
from fogspiel.game.needs import ZERO_SUM, rule
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.table import CHANCE, PLAYERS, covariate, mirror, mix, sample

AS_IT_COMES = "variates are for chance that is drawn as it comes, not proven, balanced or widened"


class Control:
    """Control variates (Lanctot 2013, sec. 7.1): a move's mean is corrected by what chance did after it.

    The variate is the game's rule `covariate`, summed up over all of chance's outcomes from the move to the end, which
    is zero on average under any policy (eq. 7.3): what a player's own moves were followed by, less what the others'
    did."""

    NEEDS = (rule("covariate"),)
    PARAMETERS = (
        Number(
            "coefficient",
            0,
            -1e9,
            1e9,
            "of a control variate, in utility for each event, until a move has enough tries to tell",
        ),
        Whole("online", 50, 2, 10**9, "tries of a move that are enough"),
    )
    RECORD = (("mover", "i8"),)
    """Who moved last."""
    SLOT = (("plain", "f8"), ("variate", "f8"), ("spread", "f8"), ("product", "f8"))
    """The sum of a move's rewards as they were; the mean of its variate, its sum of squares about the mean, and its sum
    of products with the reward about the means."""

    def memory(game, room):
        return {"variates": np.zeros(game.players), "between": np.zeros(room.levels)}

    def begin(game, search):
        """search.variates: the variate of each player in the playout, and then on the way up; search.between: between a
        step and the next."""
        search.control.mover = 0
        for p in range(game[PLAYERS]):
            search.variates[p] = 0.0

    def tried(search, key, slot):
        search.between[search.walk.depth] = 0.0

    def trace(game, search, s, who, move):
        if who >= 0:
            search.control.mover = who
        elif who == CHANCE:
            happened(game, search, s, move)

    def learned(game, search, d, reward):
        step = search.path[d]
        who = search.nodes[step.node].owner
        search.variates[who] += search.between[d]
        if step.slot >= 0:
            y = search.variates[who]
            for p in range(game[PLAYERS]):
                if p != who:
                    y -= search.variates[p]
            correct(search, search.slots[step.slot], who, reward, y)

    def misfit(names):
        if "ucb" not in names:
            return "control variates correct the means that UCB compares, so they are for bandit=ucb only"
        return "" if "drawn" in names else AS_IT_COMES


def happened(game, search, s, outcome):
    if search.walk.playing != 0:
        search.variates[search.control.mover] += covariate(game, s, outcome)
    elif search.walk.depth > 0:
        search.between[search.walk.depth - 1] += covariate(game, s, outcome)


def correct(search, s, who, x, y):
    """Take in the variate y that came with the reward x. The slot's `total` becomes the corrected sum of rewards, tries
    (X + c Y) with the means X and Y, where c = -Cov[X, Y] / Var[Y] as seen so far; a constant while tries are few."""
    n = s.tries
    before = s.plain / (n - 1) if n > 1 else x
    s.plain += x
    away = y - s.variate
    s.variate += away / n
    s.spread += away * (y - s.variate)
    s.product += (x - before) * (y - s.variate)
    c = search.control.coefficient / search.span[who]
    if n >= search.control.online and s.spread > 0.0:
        c = -s.product / s.spread
    s.total = s.plain + n * c * s.variate


# --- streams of chance


def pair(search, tries):
    """The number of a stream for a move that was tried so often."""
    return tries


def streamed(seed, move):
    """The seed of a move's stream."""
    return mix(seed, move)


def turn(game, search, s, i):
    """What a stream's outcome, search.moves[i], is replaced by."""


STREAMS = by_name(pair, streamed, turn)


class Stream:
    """Chance from streams of its own, for common random numbers and antithetic variates (Lanctot 2013, sec. 7.2 and
    7.3).

    A stream is a seed, made from the root and the number of a move's simulation; no outcomes are stored, and nothing
    but chance uses it. It begins at the root, or with `begin_at=each` at every node of the tree: moves are then
    compared under the same chance from there on, and those above only up to there. The thesis does so in Dominion, and
    found the root alone to be better in Pig and Can't Stop."""

    PARAMETERS = (
        Choice(
            "begin_at",
            "root",
            ("root", "each"),
            "where common and antithetic chance begins: at the root, or anew at each node of the tree",
        ),
    )
    RECORD = (("batch", "u8"), ("opened", "i8"))
    """What the seeds of this tree's streams are made from, and whether one is open."""

    def memory(game, room):
        return {"dice": np.zeros(1, np.uint64)}

    def begin(game, search):
        search.stream.opened = 0

    def tried(search, key, slot):
        if search.walk.depth == 0 or search.stream.begin_at != 0:
            number = pair(search, slot.tries)
            search.dice[0] = streamed(mix(mix(search.stream.batch, key), number), slot.move)
            search.stream.opened = 1

    def happen(game, search, s, n):
        i = sample(search.odds, 0, n, search.dice if search.stream.opened != 0 else search.rng)
        turn(game, search, s, i)
        return i

    def plant(search):
        """A new tree has new streams."""
        search.stream.batch = next_word(search.rng)

    def misfit(names):
        return "" if "drawn" in names else AS_IT_COMES


class Common:
    """Common random numbers (Lanctot 2013, sec. 7.2): the n-th simulation of every move has the same stream of chance,
    so that moves are compared under the same chance."""

    WITH = ("stream",)

    def streamed(seed, move):
        return seed


class Antithetic:
    """Antithetic variates (Lanctot 2013, sec. 7.3): every second simulation of a move has the stream of the one before,
    each outcome replaced by its opposite, by the game's rule `mirror`."""

    NEEDS = (rule("mirror"),)
    WITH = ("stream",)
    RECORD = (("mirrored", "i8"),)

    def begin(game, search):
        search.antithetic.mirrored = 0

    def pair(search, tries):
        search.antithetic.mirrored = tries % 2
        return tries // 2

    def turn(game, search, s, i):
        if search.antithetic.mirrored != 0:
            search.moves[i] = mirror(game, s, search.moves[i])


# --- outcome sampling


def baseline_of(search, owner, slot):
    """What stands in for a move that was not sampled, to the update player."""
    return 0.0


BASELINE = by_name(baseline_of)


class Baselines:
    """Baselines in online outcome sampling: a guess stands in for moves that were not sampled, the mean of what they
    were worth before (Schmid et al. 2019)."""

    NEEDS = (ZERO_SUM,)
    """What a move was worth to one player is taken for what it cost the other."""

    def baseline_of(search, owner, slot):
        if slot.tries == 0:
            return 0.0
        worth = search.low[owner] + search.span[owner] * slot.total / slot.tries
        return worth if owner == search.walk.update else -worth
