"""Monte Carlo tree search: one loop for every game and every variant.

Each simulation starts from a state drawn from what the searching player knows, walks down the nodes it has, adds one, plays at
random to the end, and tells every node on its way what came of it. Variants differ in three small things:

* the *sight*: what counts as the same situation. PLAYER: what the player to move knows (IS-MCTS of Lisý 2014, sec. 3.2.3; one node
  an information set, for every player; on games of perfect information, UCT; on simultaneous moves, decoupled SM-MCTS).
  HISTORY: all moves since the root, as if everyone saw them (SO-ISMCTS; UCT on a determinization). SEARCHER: what the
  searching player knows, at others' nodes too (SO-ISMCTS+POM).
* the *bandit* (`search/bandits.py`).
* the *growth*: when the walk leaves the tree. UNTRIED: after the first move that was never tried (Whitehouse 2014). CREATED: after
  the first move of a new node, which is updated (Lisý 2014, IS-MCTS). STAGE: at a new stage, which is not (SM-MCTS).
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import (
    CHANCE,
    EVALUATE,
    LIMIT,
    OVER,
    SIZE,
    actor,
    chances,
    copy_state,
    evaluate,
    infoset,
    mix,
    moves,
    payoff,
    pick,
    play,
    play_at_random,
    resample,
    sample,
    uniform,
)
from fogspiel.search.bandits import COUPLED, UCB, UCB_TUNED, choose, learn
from fogspiel.search.nodes import Pool, add, lookup, slot_of

PLAYER, HISTORY, SEARCHER = range(3)
UNTRIED, CREATED, STAGE = range(3)

Job = np.dtype([
    ("simulations", "i8"), ("sight", "i8"), ("policy", "i8"), ("growth", "i8"), ("ties", "i8"), ("searcher", "i8"),
    ("states", "i8"), ("redraw", "i8"), ("simultaneous", "i8"), ("means", "i8"), ("pure", "i8"), ("aside", "f8"), ("cut", "i8"), ("open_loop", "i8"),
    ("constant", "f8"), ("low", "f8"), ("high", "f8"), ("history", "u8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"), ("longest", "i8"),
], align=True)  # fmt: skip
"""What is asked of the loop, and, from `done` on, what it counted. `states` root states lie one after another; `redraw`: the
game's own rule redraws each before use. `means`: nodes pass on the mean of what they returned (SM-MCTS-A). `pure`: the mean strategy leaves out exploration. `aside`: with this
probability a node chooses at random and learns nothing (the wrapper A* of Lisý et al. 2013). `cut`: moves of random play after
which the game's evaluation is taken, -1 for never. `open_loop`: chance's outcomes are not part of a HISTORY."""


@kernel
def simulate(
    game: Ints, job: Record(Job), roots: Bytes, weights: Reals, scratch: Bytes, buffer: Ints, odds: Reals, labels: Ints, slot: Ints,
    prob: Reals, pay: Reals, rng: Words, path_node: Ints, path_slot: Ints, path_prob: Reals, path_room: Int,
    pool: Record(Pool), index: Ints32, keys: Words, first: Ints32, used: Ints32, owned: Ints32, owner: Ints32, visits: Reals, value: Reals,
    move: Ints, tries: Reals, seen: Reals, total: Reals, square: Reals, score: Reals, mean: Reals,
    joint: Ints, pair_sum: Reals, pair_count: Reals, pairs: Ints,
) -> Int:  # fmt: skip
    """Run `job.simulations` simulations. Returns 0, or how many moves a state had where fewer have room."""
    size = game[SIZE]
    s = address_of(scratch)
    child = s + size
    span = job.high - job.low
    for _ in range(job.simulations):
        which = sample(weights, 0, job.states, rng) if job.states > 1 else 0
        copy_state(game, s, address_of(roots) + which * size)
        if job.redraw != 0:
            resample(game, s, job.searcher, rng)
        history = job.history
        depth = 0
        before = -9
        growing = True
        while growing and depth < path_room:
            who = actor(game, s)
            if who == OVER:
                break
            if who == CHANCE:
                n = chances(game, s, buffer, 0, odds, 0)
                i = sample(odds, 0, n, rng)
                if job.open_loop == 0:
                    history = mix(history, buffer[i])
                play(game, s, buffer[i])
                before = CHANCE
                continue
            n = moves(game, s, buffer, 0)
            if n > game[LIMIT]:
                return n
            if job.sight == PLAYER:
                key = mix(infoset(game, s, who), who)
            elif job.sight == HISTORY:
                key = mix(history, who)
            else:
                key = mix(infoset(game, s, job.searcher), who)
            node = lookup(key, pool, index, keys)
            created = node < 0
            if created:
                node = add(key, who, n, pool, index, keys, first, used, owned, owner, visits, value)
                if node < 0:
                    break
                joint[node] = -1
                # the second half of a stage belongs to the node that its first half made
                if job.growth == STAGE and not (job.simultaneous != 0 and who == 1 and before == 0):
                    break
            blurred = job.sight == SEARCHER and who != job.searcher
            m = 0
            begin = -1
            while begin != first[node]:
                # a node that gains slots may move them, and then the search for them begins again
                begin = first[node]
                m = 0
                for i in range(n):
                    label = buffer[i]
                    if blurred:
                        # the searcher tells apart only moves after which it knows different things
                        copy_state(game, child, s)
                        play(game, child, buffer[i])
                        label = infoset(game, child, job.searcher)
                    labels[i] = slot_of(
                        node, label, m, pool, first, used, owned, move, tries, seen, total, square, score, mean
                    )
                    fresh = labels[i] >= 0
                    for j in range(m if blurred else 0):
                        if slot[j] == labels[i]:
                            fresh = False
                    if fresh:
                        slot[m] = labels[i]
                        m += 1
            if m == 0:
                break
            aside = job.aside > 0.0 and uniform(rng) < job.aside
            if aside:
                c = pick(rng, m)
            else:
                c = choose(job.policy, job.constant, job.ties, m, slot, prob, tries, seen, total, square, score, rng)
                if job.policy != UCB and job.policy != UCB_TUNED:
                    explored = job.constant if job.pure != 0 and m > 1 and job.constant < 1.0 else 0.0
                    for j in range(m):
                        mean[slot[j]] += (prob[j] - explored / m) / (1.0 - explored)
            chosen = slot[c]
            untried = tries[chosen] == 0.0
            for j in range(m):
                if tries[slot[j]] > 0.0 or j == c:
                    seen[slot[j]] += 1.0
            path_node[depth] = node
            path_slot[depth] = -1 if aside else chosen
            path_prob[depth] = prob[c]
            depth += 1
            picked = buffer[0]
            alike = 0
            for i in range(n):
                if labels[i] == chosen:
                    alike += 1
                    if alike == 1 or pick(rng, alike) == 0:
                        picked = buffer[i]
            history = mix(history, picked)
            play(game, s, picked)
            before = who
            growing = not (created and job.growth == CREATED) and not (untried and job.growth == UNTRIED)
        rollout(game, job, s, buffer, odds, pay, rng)
        job.depth += depth
        job.deepest = max(job.deepest, depth)
        v = pay[0]
        for d in range(depth - 1, -1, -1):
            node = path_node[d]
            who = owner[node]
            utility = pay[who]
            if job.means != 0:
                utility = v if who == 0 else -v
            visits[node] += 1.0
            value[node] += utility
            paired = d > 0 and job.simultaneous != 0 and who == 1 and owner[path_node[d - 1]] == 0
            chosen = path_slot[d]
            if chosen >= 0:
                begin = first[node]
                learn(
                    job.policy,
                    chosen,
                    (utility - job.low) / span,
                    utility,
                    path_prob[d],
                    begin,
                    begin + used[node],
                    tries,
                    total,
                    square,
                    score,
                )
                if job.policy == COUPLED and paired and path_slot[d - 1] >= 0:
                    couple(
                        path_node[d - 1],
                        path_slot[d - 1],
                        node,
                        chosen,
                        v,
                        first,
                        used,
                        score,
                        joint,
                        pair_sum,
                        pair_count,
                        pairs,
                    )
            if job.means != 0 and not paired:
                # a stage's mean is kept at its first half, where both players' choices meet
                v = value[node] / visits[node] if who == 0 else -value[node] / visits[node]
    job.done += job.simulations
    return 0


def rollout(game, job, s, buffer, odds, pay, rng):
    """Play at random to the end, or to the cut-off, and write the utilities to `pay`."""
    length = 0
    while True:
        who = actor(game, s)
        if who == OVER:
            payoff(game, s, pay, 0)
            break
        if job.cut >= 0 and length >= job.cut and game[EVALUATE] != 0:
            evaluate(game, s, pay, 0)
            break
        play_at_random(game, s, who, buffer, odds, rng)
        length += 1
    job.played += length
    job.longest = max(job.longest, length)


def couple(first_node, first_slot, second_node, second_slot, v, first, used, score, joint, pair_sum, pair_count, pairs):
    """Coupled regret matching (Lisý 2014, sec. 3.1.1): the regret of not having played another move is the mean of what that
    move gave against the opponent's, minus what happened. A pair never played counts as what happened."""
    rows = used[first_node]
    columns = used[second_node]
    if joint[first_node] < 0:
        if pairs[0] + rows * columns > pairs[1]:
            return
        joint[first_node] = pairs[0]
        pairs[0] += rows * columns
    at = joint[first_node]
    a = first_slot - first[first_node]
    b = second_slot - first[second_node]
    for i in range(rows):
        k = at + i * columns + b
        if i != a and pair_count[k] > 0.0:
            score[first[first_node] + i] += pair_sum[k] / pair_count[k] - v
    for j in range(columns):
        k = at + a * columns + j
        if j != b and pair_count[k] > 0.0:
            score[first[second_node] + j] -= pair_sum[k] / pair_count[k] - v
    pair_sum[at + a * columns + b] += v
    pair_count[at + a * columns + b] += 1.0
