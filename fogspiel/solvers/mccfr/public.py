"""Public chance sampling (Johanson et al. 2012; Lanctot 2013, sec. 4.8.2): a walk over the public tree that passes
vectors.

What chance shows to all is sampled. What it deals in private is not: a traversal carries, for each player, the reach of
each of the n outcomes that the player may hold, and returns the counterfactual value of each. The state that it carries
has one deal, drawn as chance sampling would, so that what is public comes as often as it should; the game's rules
`private` and `hold` tell of all others.

At the end the two vectors meet in a matrix of n^2 payoffs, which the rule `strength` makes a matter of O(n), or of O(n
log n) where strengths are far apart (`showdown.py`).
"""

import numpy as np

from fogspiel.game.needs import NO_ABSTRACTION, PERFECT_RECALL, TWO_PLAYERS, rule
from fogspiel.game.table import (
    CHANCE,
    DECK,
    LEVELS,
    LIMIT,
    OVER,
    ROOT,
    copy_state,
    look,
    packed_at,
    private,
    private_keys,
    sample,
    state_at,
    step,
)
from fogspiel.solvers.mccfr.arena import AVERAGE, REGRET, column, compare, foresee, locate
from fogspiel.solvers.mccfr.frames import DEEP, FULL, MANY, UNLIKE, breadth
from fogspiel.solvers.mccfr.node import increase, matching
from fogspiel.solvers.mccfr.showdown import SPREAD, settle
from fogspiel.solvers.mccfr.vectors import ROOM, Public, has_room, held_by, nodes_of, row, take, vector


def arrive(game, run, at):
    """Down from a public state by what chance does, to where a player moves or the game is over."""
    public, state, walk, counts = run.publics[at], packed_at(game, run.states, at), run.walk, run.counts
    dealt = at == 0
    while public.who == CHANCE and public.n <= game[LIMIT]:
        counts.touched += 1
        move = run.moves[public.first + sample(run.work, public.first, public.n, run.rng)]
        public.n = step(game, state, state, move, run.moves, public.first, run.work, public.first, public)
        dealt = True
    if public.n > game[LIMIT]:
        walk.status, walk.count = MANY, public.n
    elif at >= LEVELS - 1 or public.first + public.n + game[LIMIT] > breadth(game[LIMIT]):
        walk.status = DEEP
    elif dealt:
        weigh(game, run, public, state)


def weigh(game, run, public, state):
    """How likely each player is to hold each outcome, by what is public. Of one deck of B cards, with a copies of one
    and b of the other, a pair has a probability of ab / B(B - 1), a pair of the same card a(a - 1) / B(B - 1)."""
    limit = game[LIMIT]
    if not has_room(game, public, 8):
        run.walk.status = DEEP
        return
    public.prob = public.free
    for player in range(2):
        count = private(game, state, player, run.held, player * limit, run.vectors, public.free)
        if count < 1 or count > limit or (run.outcomes[player] != 0 and run.outcomes[player] != count):
            run.walk.status = UNLIKE
            return
        run.outcomes[player] = count
        prob = vector(run, take(public, count))
        total = 0.0
        for i in range(count):
            total += prob[i]
        for i in range(count):
            prob[i] /= total
        public.both, public.twice = (total / (total - 1.0), 1.0 / (total - 1.0)) if game[DECK] != 0 else (1.0, 0.0)


def values(game, run, at, me):
    """What the updating player gets from a public state on with each outcome that it may hold, times the reach of
    chance and of the other player: counterfactual values, into vectors[public.value:]."""
    public = run.publics[at]
    run.counts.touched += run.outcomes[me]
    if public.who == OVER:
        settle(game, run, public, packed_at(game, run.states, at), me)
    elif public.n == 1:
        follow(game, run, at, 0, public.mine, public.theirs, public.value, me)
    elif not has_room(game, public, 3 * public.n):
        run.walk.status = DEEP
    elif public.who == me:
        learn(game, run, at, me)
    else:
        expect(game, run, at, me)


def follow(game, run, at, a, mine, theirs, value, me):
    """The values after an action, to vectors[value:]; 0 where neither player comes."""
    public, child = run.publics[at], run.publics[at + 1]
    if is_unreached(run, mine, run.outcomes[me]) and is_unreached(run, theirs, run.outcomes[1 - me]):
        for i in range(value, value + run.outcomes[me]):
            run.vectors[i] = 0.0
        return
    state = packed_at(game, run.states, at)
    child.first, child.free = public.first + public.n, public.free
    child.prob, child.both, child.twice = public.prob, public.both, public.twice
    child.mine, child.theirs, child.value = mine, theirs, value
    child.n = step(
        game,
        packed_at(game, run.states, at + 1),
        state,
        run.moves[public.first + a],
        run.moves,
        child.first,
        run.work,
        child.first,
        child,
    )
    arrive(game, run, at + 1)
    if run.walk.status <= FULL:
        values(game, run, at + 1, me)


def is_unreached(run, begin, count):
    for i in range(begin, begin + count):
        if run.vectors[i] != 0.0:
            return False
    return True


def learn(game, run, at, me):
    """Where the updating player moves: the value of every action with every outcome, and by how much it is
    regretted."""
    public, table, nodes = run.publics[at], run.table, match_regrets(game, run, at, me)
    n, count = public.n, int(run.outcomes[me])
    reach, worth = take(public, count), take(public, n * count)
    mine, value, prob = vector(run, public.mine), vector(run, public.value), held_by(run, public, me)
    for a in range(n):
        act(vector(run, reach), mine, vector(run, row(public.sigma, a, count)), count)
        follow(game, run, at, a, reach, public.theirs, row(worth, a, count), me)
    for i in range(count):
        total = 0.0
        for a in range(n):
            sigma, action_value = vector(run, row(public.sigma, a, count)), vector(run, row(worth, a, count))
            total += sigma[i] * action_value[i]
        value[i] = total
        node = int(nodes[i])
        if node >= 0:
            regret, average = column(table, node, REGRET, n), column(table, node, AVERAGE, n)
            own = prob[i] * mine[i]
            for a in range(n):
                sigma, action_value = vector(run, row(public.sigma, a, count)), vector(run, row(worth, a, count))
                increase(table, regret + a, action_value[i] - total, run.rng)
                increase(table, average + a, own * sigma[i], run.rng)


def expect(game, run, at, me):
    """Where the other player moves: the sum over its actions."""
    public, count, rivals = run.publics[at], int(run.outcomes[me]), int(run.outcomes[1 - me])
    match_regrets(game, run, at, 1 - me)
    reach, worth = take(public, rivals), take(public, count)
    theirs, value, action_value = vector(run, public.theirs), vector(run, public.value), vector(run, worth)
    for i in range(count):
        value[i] = 0.0
    for a in range(public.n):
        act(vector(run, reach), theirs, vector(run, row(public.sigma, a, rivals)), rivals)
        follow(game, run, at, a, public.mine, reach, worth, me)
        for i in range(count):
            value[i] += action_value[i]


def act(reach, before, sigma, count):
    """The reach of each outcome after an action that is taken by the strategy `sigma`."""
    for i in range(count):
        reach[i] = before[i] * sigma[i]


def match_regrets(game, run, at, who):
    """Regret matching with every outcome: the strategy, into vectors[public.sigma:]. Returns the nodes of the table,
    negative where an outcome cannot be, or there is no room."""
    public, state, keys, table, weights = run.publics[at], state_at(game, run.spare, 0), run.keys, run.table, run.work
    n, count, prob = public.n, int(run.outcomes[who]), held_by(run, public, who)
    public.sigma = take(public, n * count)
    nodes = nodes_of(run, public)
    copy_state(game, state, packed_at(game, run.states, at))
    private_keys(game, state, who, run.held, who * game[LIMIT], count, keys, 0)
    for i in range(count):
        foresee(table, keys[i], who)
    for i in range(count):
        node = -1
        if prob[i] > 0.0:
            node = locate(table, keys[i], who, n, run.moves, public.first)
            if node == -1:
                run.walk.status = FULL
            elif run.walk.looks and node >= 0:
                compare(table, node, keys[i], who, n, run.moves, public.first)
        nodes[i] = node
        scale = 1.0 / matching(table, node, n, weights, public.first)
        for a in range(n):
            vector(run, row(public.sigma, a, count))[i] = weights[public.first + a] * scale
    return nodes


class PublicTree:
    """public chance sampling (Johanson et al. 2012): a walk over the public tree that passes vectors"""

    NEEDS = (TWO_PLAYERS, rule("private"), PERFECT_RECALL, NO_ABSTRACTION)
    ENUMERATES, FREE = True, True

    def memory(game, room):
        """Room for all vectors, for a number for each outcome of both players, and for sums by strength."""
        levels = 2 * SPREAD * game.max_moves + 2
        return {
            "publics": np.zeros(LEVELS, Public),
            "vectors": np.zeros(ROOM),
            "nodes": np.zeros(ROOM, np.int64),
            "outcomes": np.zeros(2, np.int64),
            "held": game.buffer(2),
            "keys": game.buffer(2),
            "strengths": game.buffer(2),
            "order": game.buffer(4),
            "tally": np.zeros(levels),
            "rival": np.zeros(levels, np.int64),
        }

    def traverse(game, run, me):
        """One traversal, from the root."""
        run.counts.visit += 1
        start, state = run.publics[0], packed_at(game, run.states, 0)
        copy_state(game, state, game[ROOT])
        start.first, start.free = 0, 0
        start.n = look(game, state, run.moves, 0, run.work, 0, start)
        run.outcomes[0], run.outcomes[1] = 0, 0
        arrive(game, run, 0)
        if start.who == OVER or run.walk.status > FULL:
            return
        start.mine, start.theirs = take(start, run.outcomes[me]), take(start, run.outcomes[1 - me])
        start.value = take(start, run.outcomes[me])
        for i in range(start.mine, start.value):
            run.vectors[i] = 1.0
        values(game, run, 0, me)
