"""Monte Carlo tree search: one loop for every game and every variant.

Each simulation starts from a state drawn from what the searching player knows, walks down the nodes it has, adds one, plays at
random to the end, and tells every node on its way what came of it. Variants differ in a few small things:

* the *sight*: what counts as the same situation. PLAYER: what the player to move knows (IS-MCTS of Lisý 2014, sec. 3.2.3; one node
  an information set, for every player; on games of perfect information, UCT; on simultaneous moves, decoupled SM-MCTS).
  HISTORY: all moves since the root, as if everyone saw them (SO-ISMCTS; UCT on a determinization). SEARCHER: what the
  searching player knows, at others' nodes too (SO-ISMCTS+POM).
* the *bandit* (`search/bandits.py`).
* the *growth*: when the walk leaves the tree. UNTRIED: after the first move that was never tried (Whitehouse 2014). CREATED: after
  the first move of a new node, which is updated (Lisý 2014, IS-MCTS). STAGE: at a new stage, which is not (SM-MCTS).
* the *luck*: what is kept of chance (`search/chance.py`).
* *proofs*: whether values that are certain are told from means (`search/proofs.py`).
* the *variates*: what is done about luck, so that means are nearer to values (`search/variates.py`).
"""

import math

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    LONGEST,
    OVER,
    PLAYERS,
    SIZE,
    STOPPED,
    actor,
    chances,
    copy_state,
    covariate,
    evaluate,
    infoset,
    mirror,
    mix,
    moves,
    pick,
    play,
    play_out,
    resample,
    sample,
    uniform,
)
from fogspiel.search.bandits import COUPLED, UCB, UCB_TUNED, choose, couple, exploration, learn
from fogspiel.search.chance import DRAWN, draw_outcome
from fogspiel.search.nodes import Pool, add, lookup, slot_of, slots_of
from fogspiel.search.proofs import begin_proofs, fingerprint, open_moves, prove, tell_proof
from fogspiel.search.variates import CONTROL, correct, fortune, move_moments, open_stream, play_on

PLAYER, HISTORY, SEARCHER = range(3)
UNTRIED, CREATED, STAGE = range(3)
HIDDEN = 1 << 40
"""What `simulate` returns where values were to be proven and a node stands for two states."""

Job = np.dtype([
    ("simulations", "i8"), ("sight", "i8"), ("policy", "i8"), ("growth", "i8"), ("ties", "i8"), ("searcher", "i8"),
    ("states", "i8"), ("redraw", "i8"), ("simultaneous", "i8"), ("means", "i8"), ("pure", "i8"), ("aside", "f8"), ("cut", "i8"), ("open_loop", "i8"),
    ("trails", "i8"), ("luck", "i8"), ("widen_c", "f8"), ("widen_alpha", "f8"), ("proven", "i8"),
    ("variates", "i8"), ("coefficient", "f8"), ("online", "i8"), ("batch", "u8"), ("guided", "i8"),
    ("constant", "f8"), ("failure", "f8"), ("low", "f8"), ("high", "f8"), ("history", "u8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"), ("longest", "i8"), ("settled", "i8"),
], align=True)  # fmt: skip
"""What is asked of the loop, and, from `done` on, what it counted. `states` root states lie one after another; `redraw`: the
game's own rule redraws each before use. `means`: nodes pass on the mean of what they returned (SM-MCTS-A). `pure`: the mean strategy leaves out exploration. `aside`: with this
probability a node chooses at random and learns nothing (the wrapper A* of Lisý et al. 2013). `cut`: moves of random play after
which the game's evaluation is taken, -1 for never. `open_loop`: chance's outcomes are not part of a HISTORY. `trails`: a player's
node is told apart by all that the player has seen since the root, so that nothing is a transposition. `widen_c` above 0: a node
with v visits has the first ceil(C v^alpha) of its moves (double progressive widening, Lanctot 2013, sec. 6.2.1). `settled`: the
root's value is proven. `variates`: what is done about luck; `coefficient` of a control variate, for rewards scaled to [0, 1], until a
move has `online` tries; `batch` seeds the streams of chance. `guided`: playouts follow the game's rule `guide`."""


@kernel
def simulate(
    game: Ints, job: Record(Job), roots: Bytes, weights: Reals, scratch: Bytes, buffer: Ints, odds: Reals, labels: Ints, slot: Ints,
    prob: Reals, pay: Reals, rng: Words, trail: Words, path_node: Ints, path_slot: Ints, path_prob: Reals, path_room: Int,
    pool: Record(Pool), index: Ints32, keys: Words, first: Ints32, used: Ints32, owned: Ints32, owner: Ints32, visits: Reals, value: Reals,
    move: Ints, tries: Reals, seen: Reals, total: Reals, square: Reals, score: Reals, mean: Reals,
    passed: Ints, joint: Ints, pair_sum: Reals, pair_count: Reals, pairs: Ints, settled: Ints32, prints: Words, proof: Reals,
    stream: Words, luck: Reals, path_luck: Reals, moments: Reals,
) -> Int:  # fmt: skip
    """Run `job.simulations` simulations. Returns 0, how many moves a state had where fewer have room, what is wrong with a game
    that cannot be played to the end (`Game.unplayable`), or HIDDEN."""
    size = game[SIZE]
    s = address_of(scratch)
    child = s + size
    span = job.high - job.low
    control = job.variates & CONTROL != 0
    for _ in range(job.simulations):
        which = sample(weights, 0, job.states, rng) if job.states > 1 else 0
        copy_state(game, s, address_of(roots) + which * size)
        if job.redraw != 0:
            resample(game, s, job.searcher, rng)
        history = job.history
        if job.trails != 0:
            for p in range(game[PLAYERS]):
                trail[p] = history
        depth = 0
        before = -9
        growing = True
        sure = False
        dice = rng
        mirrored = False
        while growing and depth < path_room:
            who = actor(game, s)
            if who == OVER:
                break
            if who == CHANCE:
                n = chances(game, s, buffer, 0, odds, 0)
                if job.luck == DRAWN:
                    i = sample(odds, 0, n, dice)
                    if mirrored:
                        buffer[i] = mirror(game, s, buffer[i])
                    if control and depth > 0:
                        path_luck[depth - 1] += covariate(game, s, buffer[i])
                else:
                    key = key_of(game, job, s, CHANCE, history, trail)
                    node = lookup(key, pool, index, keys)
                    if node >= 0 and job.proven != 0 and settled[node] >= 0:
                        sure = tell_proof(node, game[PLAYERS], first, used, owner, mean, settled, proof, pay)
                        break
                    room = widened(job, visits[node] if node >= 0 else 0.0, n)
                    if node < 0:
                        node = add(key, CHANCE, room, pool, index, keys, first, used, owned, owner, visits, value)
                        if node >= 0 and job.proven != 0:
                            begin_proofs(node, game[PLAYERS], room, first, settled, prints, proof, np.uint64(0))
                    i = draw_outcome(
                        job.luck, node, n, room, buffer, odds, labels, slot, pool, first, used, owned,
                        move, tries, seen, total, square, score, mean, rng,
                    )  # fmt: skip
                    path_node[depth] = node
                    path_slot[depth] = labels[i] if node >= 0 else -1
                    depth += 1 if node >= 0 else 0
                if job.open_loop == 0:
                    history = mix(history, buffer[i])
                play(game, s, buffer[i])
                if job.trails != 0:
                    extend(game, s, trail)
                before = CHANCE
                continue
            n = moves(game, s, buffer, 0)
            if n > game[LIMIT]:
                return n
            key = key_of(game, job, s, who, history, trail)
            node = lookup(key, pool, index, keys)
            created = node < 0
            if not created:
                # where positions come back, a node learns but once from a simulation
                if passed[node] == job.done + 1:
                    break
                passed[node] = job.done + 1
            if job.proven != 0 and not created:
                if prints[node] != fingerprint(s, size):
                    return HIDDEN
                if settled[node] >= 0:
                    sure = tell_proof(node, game[PLAYERS], first, used, owner, mean, settled, proof, pay)
                    break
            if job.widen_c > 0.0:
                n = widened(job, 0.0 if created else visits[node], n)
            if created:
                node = add(key, who, n, pool, index, keys, first, used, owned, owner, visits, value)
                if node < 0:
                    break
                joint[node] = -1
                passed[node] = job.done + 1
                if job.proven != 0:
                    begin_proofs(node, game[PLAYERS], n, first, settled, prints, proof, fingerprint(s, size))
                # the second half of a stage belongs to the node that its first half made
                if job.growth == STAGE and not (job.simultaneous != 0 and who == 1 and before == 0):
                    break
            m = 0
            begin = -1
            while begin != first[node]:
                # a node that gains slots may move them, and then the search for them begins again
                if control and begin >= 0:
                    move_moments(begin, first[node], used[node], moments)
                begin = first[node]
                if job.sight == SEARCHER and who != job.searcher:
                    m = seen_moves(
                        game, s, child, job.searcher, n, buffer, labels, slot, node, pool, first, used, owned,
                        move, tries, seen, total, square, score, mean,
                    )  # fmt: skip
                    continue
                m = slots_of(
                    node, n, buffer, labels, slot, pool, first, used, owned, move, tries, seen, total, square, score, mean
                )  # fmt: skip
            if job.proven != 0:
                m = open_moves(m, slot, who, game[PLAYERS], job.low, proof)
            if m == 0:
                break
            aside = job.aside > 0.0 and uniform(rng) < job.aside
            if aside:
                c = pick(rng, m)
            else:
                c = choose(
                    job.policy, job.constant, job.failure, job.ties, m, slot, prob, tries, seen,
                    score if control else total, square, score, rng,
                )  # fmt: skip
                if job.policy != UCB and job.policy != UCB_TUNED:
                    explored = exploration(job.policy, job.constant, m) if job.pure != 0 and m > 1 else 0.0
                    explored = explored if explored < 1.0 else 0.0
                    for j in range(m):
                        mean[slot[j]] += (prob[j] - explored / m) / (1.0 - explored)
            chosen = slot[c]
            untried = tries[chosen] == 0.0
            for j in range(m):
                seen[slot[j]] += 1.0 if tries[slot[j]] > 0.0 or j == c else 0.0
            path_node[depth] = node
            path_slot[depth] = -1 if aside else chosen
            path_prob[depth] = prob[c]
            path_luck[depth] = 0.0
            if depth == 0 and job.variates > CONTROL:
                mirrored = open_stream(job, key, move[chosen], tries[chosen], stream)
                dice = stream
            depth += 1
            picked = buffer[c]
            if labels[c] != chosen or (job.sight == SEARCHER and who != job.searcher):
                alike = 0
                for i in range(n):
                    if labels[i] == chosen:
                        alike += 1
                        if alike == 1 or pick(rng, alike) == 0:
                            picked = buffer[i]
            history = mix(history, picked)
            play(game, s, picked)
            if job.trails != 0:
                extend(game, s, trail)
            before = who
            growing = not (created and job.growth == CREATED) and not (untried and job.growth == UNTRIED)
        if not sure:
            mover = owner[path_node[depth - 1]] if depth > 0 else 0
            ended = rollout(game, job, s, mover, mirrored, buffer, odds, pay, luck, rng, dice)
            if ended < STOPPED or (ended == STOPPED and job.cut < 0):
                return ended
            sure = ended == 0 and job.proven != 0
        job.depth += depth
        job.deepest = max(job.deepest, depth)
        v = pay[0]
        for d in range(depth - 1, -1, -1):
            node = path_node[d]
            who = owner[node]
            chosen = path_slot[d]
            visits[node] += 1.0
            if who == CHANCE:
                if chosen >= 0:
                    tries[chosen] += 1.0
                if sure:
                    sure = prove(node, chosen, game[PLAYERS], job.high, first, used, owner, mean, settled, proof, pay)
                continue
            utility = pay[who]
            if job.means != 0:
                utility = v if who == 0 else -v
            value[node] += utility
            if control:
                luck[who] += path_luck[d]
            paired = d > 0 and job.simultaneous != 0 and who == 1 and owner[path_node[d - 1]] == 0
            if chosen >= 0:
                begin = first[node]
                reward = (utility - job.low) / span
                learn(
                    job.policy, chosen, reward, utility, path_prob[d], begin, begin + used[node], tries, total, square, score
                )  # fmt: skip
                if control:
                    correct(job, chosen, reward, fortune(who, game[PLAYERS], luck), tries, total, score, moments)
                if job.policy == COUPLED and paired and path_slot[d - 1] >= 0:
                    couple(
                        path_node[d - 1], path_slot[d - 1], node, chosen, v, first, used, score, joint, pair_sum, pair_count, pairs
                    )  # fmt: skip
            if job.means != 0 and not paired:
                # a stage's mean is kept at its first half, where both players' choices meet
                v = value[node] / visits[node] if who == 0 else -value[node] / visits[node]
            if sure:
                sure = prove(node, chosen, game[PLAYERS], job.high, first, used, owner, mean, settled, proof, pay)
        job.done += 1
        if sure and job.states == 1:
            job.settled = 1
            break
    return 0


def key_of(game, job, s, who, history, trail):
    """The key of the node for a state: what `job.sight` says counts as the same situation. Chance sees what all players know."""
    if job.sight == HISTORY:
        return mix(history, who)
    if job.sight == SEARCHER:
        return mix(infoset(game, s, job.searcher), who)
    if who != CHANCE:
        if job.trails != 0:
            return mix(mix(trail[who], infoset(game, s, who)), who)
        return mix(infoset(game, s, who), who)
    key = mix(0, CHANCE)
    for p in range(game[PLAYERS]):
        key = mix(mix(key, infoset(game, s, p)), trail[p] if job.trails != 0 else np.uint64(0))
    return key


def extend(game, s, trail):
    """Add what each player now knows to what it has seen since the root."""
    for p in range(game[PLAYERS]):
        trail[p] = mix(trail[p], infoset(game, s, p))


def widened(job, visits, n):
    """How many of n moves a node with so many visits has: ceil(C visits^alpha), at least one."""
    if job.widen_c <= 0.0:
        return n
    return min(n, max(1, math.ceil(job.widen_c * visits**job.widen_alpha)))


def seen_moves(
    game, s, child, searcher, n, buffer, labels, slot, node, pool, first, used, owned, move, tries, seen, total, square, score, mean
):  # fmt: skip
    """Slots of another player's moves as the searcher sees them: moves after which it knows the same are one. Returns how many."""
    m = 0
    for i in range(n):
        copy_state(game, child, s)
        play(game, child, buffer[i])
        labels[i] = slot_of(
            node, infoset(game, child, searcher), m, pool, first, used, owned, move, tries, seen, total, square, score, mean
        )  # fmt: skip
        fresh = labels[i] >= 0
        for j in range(m):
            if slot[j] == labels[i]:
                fresh = False
        if fresh:
            slot[m] = labels[i]
            m += 1
    return m


def rollout(game, job, s, mover, mirrored, buffer, odds, pay, luck, rng, dice):
    """Play by the default policy to the end, or to the cut-off, and write the utilities to `pay`. Returns how many moves were
    played to the end, or what else `play_out` returned. `luck` becomes what chance brought each player."""
    most = job.cut if job.cut >= 0 else LONGEST
    if job.guided == 0 and job.variates == 0:
        ended = play_out(game, s, buffer, odds, pay, rng, most)
    else:
        for p in range(game[PLAYERS]):
            luck[p] = 0.0
        ended = play_on(game, job.guided, job.variates, s, mover, mirrored, buffer, odds, pay, luck, rng, dice, most)
    if ended == STOPPED and job.cut >= 0:
        evaluate(game, s, pay, 0)
    length = ended if ended >= 0 else most
    job.played += length
    job.longest = max(job.longest, length)
    return ended
