"""Online outcome sampling (Lisý 2014, sec. 3.2.4; for simultaneous moves, sec. 3.1.3): outcome-sampling MCCFR, online
and targeted.

Every iteration samples one history from the root of the search and updates one player's regrets and the other's mean
strategy. With probability delta the two iterations of a pair are *targeted*: they keep to histories that agree with
what the searching player has seen, so that its current information set is visited often. Both sampling probabilities
are carried along in every iteration, and whatever is sampled is weighted by the mixture of the two.

Which moves keep to the target is told by looking ahead (`search/target.py`). A targeted iteration leaves it only
through a node that is new, where play at random begins.
"""

import numpy as np

from fogspiel.game.table import (
    CHANCE,
    LEVELS,
    LONGEST,
    OVER,
    STOPPED,
    actor,
    chances,
    mix,
    moves,
    play,
    sample,
    situation,
    stage_goes_on,
    state_at,
    uniform,
)
from fogspiel.search.hooks import begin, capture, cut, evaluation, playout, trace
from fogspiel.search.loop import draw_root
from fogspiel.search.nodes import add, lookup, slots_of
from fogspiel.search.randomised import matched_regrets
from fogspiel.search.target import after, in_target
from fogspiel.search.variates import baseline_of

Asked = np.dtype(
    [
        ("pairs", "i8"),
        ("searcher", "i8"),
        ("states", "i8"),
        ("redraw", "i8"),
        ("gamma", "f8"),
        ("delta", "f8"),
        ("epsilon", "f8"),
        ("zero_sum", "i8"),
        ("simultaneous", "i8"),
    ],
    align=True,
)
"""What is asked: pairs of iterations, for a player, from `states` root states (`loop.draw_root`), and the parameters.
With what probability each player has come to the root is in search.reach."""

Walk = np.dtype(
    [
        ("update", "i8"),
        ("biased", "i8"),
        ("delta", "f8"),
        ("depth", "i8"),
        ("growing", "i8"),
        ("agreed", "i8"),
        ("history", "u8"),
        ("others", "f8"),
        ("plain", "f8"),
        ("aimed", "f8"),
        ("status", "i8"),
        ("playing", "i8"),
        ("moves", "i8"),
        ("own", "i8"),
    ],
    align=True,
)
"""Where an iteration stands: whom it updates, whether it is targeted, and how often iterations are; steps taken,
whether it goes on in the tree, with how many recorded keys it agrees, its moves hashed; with what probability all but
the update player have come here, and those of both ways of sampling; what is wrong, if anything is; and for parts,
whether it is playing out, and how many moves the state has that a playout step by step has come to; and how many moves
players made before what it adds to the tree."""

Counts = np.dtype(
    [
        ("done", "i8"),
        ("depth", "i8"),
        ("deepest", "i8"),
        ("played", "i8"),
        ("aimed", "i8"),
        ("on_target", "i8"),
        ("cut_off", "i8"),
        ("given_up", "i8"),
    ],
    align=True,
)
"""What was counted, as in the other loop (`loop.Counts`). Of the `aimed` iterations, those that were targeted,
`on_target` passed through the target, and `cut_off` ended at a new node before it; `given_up` is how often a look ahead
was cut short (`search/target.py`)."""

Step = np.dtype(
    [
        ("node", "i8"),
        ("slot", "i8"),
        ("sigma", "f8"),
        ("others", "f8"),
        ("plain", "f8"),
        ("aimed", "f8"),
    ],
    align=True,
)
"""A step of an iteration: a node (-1: chance's) and the slot of the move, the move's probability in the strategy, and
before the step, with what probability all but the update player have come there, and those of both ways of sampling."""

FULL = -1
"""What `growing` is where there is no memory for a node."""

SLOT = (("score", "f8"), ("strategy", "f8"))
"""A move's regret, and the sum of the strategies played."""


def iterate(game, search):
    """search.asked.pairs pairs of iterations. Returns 0, how many moves a state had where fewer have room, or what is
    wrong with a game that cannot be played to the end."""
    asked, walk, counts, aim, look_ahead = search.asked, search.walk, search.counts, search.aim, search.look_ahead
    walk.delta = asked.delta if aim.seen > 0 else 0.0
    s = state_at(game, search.state, 0)
    for _ in range(asked.pairs):
        walk.biased = walk.delta > 0.0 and uniform(search.rng) < walk.delta
        for update in range(2):
            walk.update = update
            walk.depth, walk.growing, walk.agreed, walk.history, walk.status, walk.playing = 0, 1, 1, mix(0, 0), 0, 0
            walk.own = 0
            walk.others, walk.plain, walk.aimed = search.reach[1 - update], 1.0, 1.0
            counts.done += 1
            look_ahead.left = min(aim.tries, look_ahead.left + aim.each)
            draw_root(game, search, s)
            begin(game, search)
            before, who = OVER, actor(game, s)
            # all players of a new stage are in the tree
            while who != OVER and (
                walk.growing == 1 or (walk.growing == 0 and stage_goes_on(game, s, asked.simultaneous, before, who))
            ):
                sample_step(game, search, s)
                if walk.depth == LEVELS:
                    break
                before, who = who, actor(game, s)
            play_to_the_end(game, search, s)
            if walk.status != 0:
                return walk.status
            capture(game, search, s)
            count_targeted(search)
            update_all(game, search)
    return 0


def sample_step(game, search, s):
    """Sample a move, of a player or of chance, and go on to the state after it."""
    walk, who = search.walk, actor(game, s)
    n = chances(game, s, search.moves, 0, search.odds, 0) if who == CHANCE else moves(game, s, search.moves, 0)
    if who == search.aim.searcher and walk.agreed == search.aim.seen:
        walk.agreed += 1
    node = -1
    created = False
    if who != CHANCE:
        key = mix(situation(game, s, who), who)
        node = lookup(search, key)
        created = node < 0
        if created:
            node = add(search, key, who, n)
            if node < 0:
                walk.growing = FULL
                return
        search.nodes[node].passed = search.counts.done
        slots_of(search, node, n, search.moves)
        # every action is kept alive (sec. 3.2.4), or targeting could starve what lies below it
        matched_regrets(search, n, search.asked.epsilon)
    else:
        for i in range(n):
            search.prob[i] = search.odds[i]
    explore = search.asked.gamma if who == walk.update and not created else 0.0
    aim_at(game, search, s, n, explore, created)
    i = sample(search.inside if walk.biased != 0 else search.odds, 0, n, search.rng)

    step = search.path[walk.depth]
    step.node = node
    step.slot = search.slot[i] if node >= 0 else -1
    step.sigma = search.prob[i]
    step.others, step.plain, step.aimed = walk.others, walk.plain, walk.aimed
    walk.depth += 1
    walk.own += who != CHANCE and not created and walk.growing == 1
    if who != walk.update:
        walk.others *= search.prob[i]
    walk.plain *= search.odds[i]
    walk.aimed *= search.inside[i]
    if walk.delta > 0.0:
        walk.history = mix(walk.history, search.moves[i])
    trace(game, search, s, who, search.moves[i])
    play(game, s, search.moves[i])
    walk.agreed = after(game, search, s, walk.agreed)
    if created:
        walk.growing = 0


def aim_at(game, search, s, n, explore, created):
    """With what probabilities an iteration samples: into search.odds if it is not targeted, into search.inside if it
    is."""
    walk, inside = search.walk, search.inside
    for i in range(n):
        search.odds[i] = (1.0 - explore) * search.prob[i] + explore / n
        inside[i] = search.odds[i]
    if walk.delta == 0.0 or walk.agreed <= 0 or walk.agreed > search.aim.seen or created:
        return
    fits, total = 0, 0.0
    for i in range(n):
        inside[i] = 0.0
        if in_target(game, search, s, search.moves[i], walk.agreed, walk.history):
            inside[i] = 1.0
            fits += 1
            total += search.prob[i]
    for i in range(n):
        if fits == 0:
            # only where the look ahead was cut short
            inside[i] = search.odds[i]
        elif inside[i] > 0.0:
            inside[i] = (1.0 - explore) * search.prob[i] / total + explore / fits if total > 0.0 else 1.0 / fits


def play_to_the_end(game, search, s):
    search.walk.playing = 1
    most = cut(search, LONGEST)
    length = playout(game, search, s, most)
    if length == STOPPED and most < LONGEST:
        evaluation(game, search, s)
        length = most
    elif length < 0 and search.walk.status == 0:
        search.walk.status = length
    search.counts.played += length


def count_targeted(search):
    walk, counts = search.walk, search.counts
    counts.depth += walk.own
    counts.deepest = max(counts.deepest, walk.own)
    if walk.biased != 0:
        counts.aimed += 1
        counts.on_target += walk.agreed > search.aim.seen
        counts.cut_off += walk.agreed <= search.aim.seen and walk.growing != 1


def update_all(game, search):
    """Bottom-up: regrets of the update player, and the other's mean strategy, weighted by how likely the iteration was
    to come there."""
    walk, slots, sigma, value = search.walk, search.slots, search.prob, search.inside
    # what the history is worth to the update player from here on, as if sampled with the strategies' probabilities
    worth = search.pay[walk.update]
    below = (1.0 - walk.delta) * walk.plain + walk.delta * walk.aimed
    for d in range(walk.depth - 1, -1, -1):
        step = search.path[d]
        at = (1.0 - walk.delta) * step.plain + walk.delta * step.aimed
        drawn = below / at
        below = at
        if step.node < 0:
            worth *= step.sigma / drawn
            continue
        here, chosen = search.nodes[step.node], slots[step.slot]
        mine = here.owner == walk.update
        for k in range(here.used):
            search.slot[k] = here.first + k
            value[k] = baseline_of(search, here.owner, slots[here.first + k])
        matched_regrets(search, here.used, search.asked.epsilon)
        if mine or search.asked.zero_sum != 0:
            chosen.total += ((worth if mine else -worth) - search.low[here.owner]) / search.span[here.owner]
            chosen.tries += 1
        k = step.slot - here.first
        value[k] += (worth - value[k]) / drawn
        # a move that was not sampled is worth its baseline
        worth = 0.0
        for k in range(here.used):
            worth += sigma[k] * value[k]
        here.visits += 1
        for k in range(here.used):
            if mine:
                slots[here.first + k].score += step.others / at * (value[k] - worth)
            else:
                # the acting player's own reach is part of the others' in the other player's iteration
                slots[here.first + k].strategy += step.others / at * sigma[k]
