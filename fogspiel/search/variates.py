"""Variance reduction in tree search (Lanctot 2013, ch. 7), for games whose rules tell what is luck.

CONTROL: control variates (sec. 7.1). A move's mean is corrected by how lucky its simulations were after it: by the game's rule
`covariate`, summed up over all of chance's outcomes from the move to the end, which is zero on average under any policy (eq. 7.3).
COMMON: common random numbers (sec. 7.2). The n-th simulation of every move of the root has the same stream of chance, so that moves
are compared under the same luck.
ANTITHETIC: antithetic variates (sec. 7.3). Every second simulation of a move of the root has the stream of the one before, each
outcome replaced by its opposite, by the game's rule `mirror`.

A stream is a seed, made from the root and the number of the simulation; no outcomes are stored. Nothing but chance uses it. With
`anew` the same is done at every node of the tree: its moves are compared under the same luck from there on, and those above it only up
to there. The thesis does so in Dominion, and found the root alone to be better in Pig and Can't Stop.
"""

from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    STOPPED,
    actor,
    chances,
    covariate,
    guide,
    mirror,
    mix,
    moves,
    payoff,
    pick,
    play,
    sample,
)

CONTROL, COMMON, ANTITHETIC = 1, 2, 4
"""What `Job.variates` is the sum of."""

MOMENTS = 3
"""Numbers kept of a slot's luck: its mean, its sum of squares about the mean, its sum of products with the reward about the means."""


def open_stream(job, node, move, tries, stream):
    """Set the stream of chance for a simulation that tries a move of a node once more; returns whether outcomes are mirrored."""
    number = int(tries)
    mirrored = False
    if job.variates & ANTITHETIC != 0:
        mirrored = number % 2 == 1
        number //= 2
    seed = mix(mix(job.batch, node), number)
    if job.variates & COMMON == 0:
        seed = mix(seed, move)
    stream[0] = seed
    return mirrored


def fortune(who, players, luck):
    """The control variate of a player: what its own moves met with, less what the others' did."""
    y = luck[who]
    for p in range(players):
        if p != who:
            y -= luck[p]
    return y


def correct(job, chosen, x, y, slots, moments):
    """Take in the luck y that came with the reward x, which the chosen slot has learned already. Its `total` becomes the corrected
    sum of rewards, tries (X + c Y) with the means X and Y, where c = -Cov[X, Y] / Var[Y] as met so far; a constant while tries are few.
    What the rewards sum up to is kept as its `score`."""
    s = slots[chosen]
    n = s.tries
    k = MOMENTS * chosen
    if n == 1:
        for j in range(MOMENTS):
            moments[k + j] = 0.0
    before = s.score / (n - 1) if n > 1 else x
    s.score += x
    away = y - moments[k]
    moments[k] += away / n
    moments[k + 1] += away * (y - moments[k])
    moments[k + 2] += (x - before) * (y - moments[k])
    c = job.coefficient
    if n >= job.online and moments[k + 1] > 0.0:
        c = -moments[k + 2] / moments[k + 1]
    s.total = s.score + n * c * moments[k]


def move_moments(old, new, slots, moments):
    """Follow a node's slots to where they have moved."""
    for j in range(MOMENTS * slots):
        moments[MOMENTS * new + j] = moments[MOMENTS * old + j]


def play_on(game, guided, variates, s, mover, mirrored, buffer, odds, pay, luck, rng, dice, most):
    """Play on, at most `most` moves, by the rule `guide` or at random; chance's outcomes are drawn from `dice`. Returns as
    `play_out` does. What chance brings is added to the luck of the last player who moved, which at first is `mover`."""
    length = 0
    while True:
        who = actor(game, s)
        if who == OVER:
            payoff(game, s, pay, 0)
            return length
        if length >= most:
            return STOPPED
        if who == CHANCE:
            n = chances(game, s, buffer, 0, odds, 0)
        elif guided != 0:
            n = guide(game, s, buffer, 0, odds, 0)
        else:
            n = moves(game, s, buffer, 0)
        if n < 1 or n > game[LIMIT]:
            return -1 - max(n, 1)
        if who == CHANCE:
            outcome = buffer[sample(odds, 0, n, dice)]
            if mirrored:
                outcome = mirror(game, s, outcome)
            if variates & CONTROL != 0:
                luck[mover] += covariate(game, s, outcome)
            play(game, s, outcome)
        else:
            mover = who
            play(game, s, buffer[sample(odds, 0, n, rng) if guided != 0 else pick(rng, n)])
        length += 1
