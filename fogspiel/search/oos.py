"""Online outcome sampling (Lisý 2014, sec. 3.2.4; for simultaneous moves, sec. 3.1.3): outcome-sampling MCCFR, online and targeted.

Every iteration samples one history from the root of the search and updates one player's regrets and the other's mean
strategy. With probability delta the two iterations of a pair are *targeted*: they keep to histories that agree with what the
searching player has seen, so that its current information set is visited often. Both sampling probabilities are carried along
in every iteration, and whatever is sampled is weighted by the mixture of the two.

What agrees with what the player has seen is told by its keys alone: a move is in the target if the player's key after it is
still the last one recorded, or the next. Where no move is in the target, a targeted iteration goes on as an untargeted one; the
probabilities stay exact.
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    SIZE,
    actor,
    chances,
    copy_state,
    infoset,
    mix,
    moves,
    payoff,
    play,
    play_at_random,
    sample,
    uniform,
)
from fogspiel.search.nodes import Pool, add, lookup, slot_of

Job = np.dtype([
    ("pairs", "i8"), ("searcher", "i8"), ("gamma", "f8"), ("delta", "f8"), ("epsilon", "f8"), ("seen", "i8"), ("public", "i8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"), ("on_target", "i8"),
], align=True)  # fmt: skip
"""What is asked: pairs of iterations, whose keys are the target (`seen` of them; 0: no target; `public`: the public ones), and
the parameters; then what was counted."""


@kernel
def iterate(
    game: Ints, job: Record(Job), roots: Bytes, keys_seen: Ints, scratch: Bytes, buffer: Ints, odds: Reals, inside: Reals, slot: Ints,
    sigma: Reals, pay: Reals, rng: Words, path_node: Ints, path_slot: Ints, path_real: Reals, path_room: Int,
    pool: Record(Pool), index: Ints32, keys: Words, first: Ints32, used: Ints32, owned: Ints32, owner: Ints32, visits: Reals, value: Reals,
    move: Ints, tries: Reals, seen: Reals, total: Reals, square: Reals, score: Reals, mean: Reals,
) -> Int:  # fmt: skip
    """`job.pairs` pairs of iterations. `path_real` holds five numbers a step: probability of the move in the strategy, the
    update player's and the others' reach, and the two sampling probabilities, all before the step.

    Returns 0, or how many moves a state had where fewer have room.
    """
    size = game[SIZE]
    s = address_of(scratch)
    child = s + size
    watcher = -1 if job.public != 0 else job.searcher
    for _ in range(job.pairs):
        biased = job.seen > 0 and uniform(rng) < job.delta
        for update in range(2):
            copy_state(game, s, address_of(roots))
            mine = 1.0
            others = 1.0
            plain = 1.0
            aimed = 1.0
            known = 1
            depth = 0
            growing = True
            while growing and depth < path_room:
                who = actor(game, s)
                if who == OVER:
                    break
                if who == CHANCE:
                    n = chances(game, s, buffer, 0, odds, 0)
                else:
                    n = moves(game, s, buffer, 0)
                if n > game[LIMIT]:
                    return n
                node = -1
                created = False
                if who != CHANCE:
                    key = mix(infoset(game, s, who), who)
                    node = lookup(key, pool, index, keys)
                    created = node < 0
                    if created:
                        node = add(key, who, n, pool, index, keys, first, used, owned, owner, visits, value)
                        if node < 0:
                            break
                    for i in range(n):
                        slot[i] = slot_of(
                            node, buffer[i], i, pool, first, used, owned, move, tries, seen, total, square, score, mean
                        )
                    regret_matching(job.epsilon, n, slot, sigma, score)
                else:
                    for i in range(n):
                        sigma[i] = odds[i]
                # odds: how an untargeted iteration samples; inside: how a targeted one does
                explore = job.gamma if who == update and not created else 0.0
                for i in range(n):
                    odds[i] = (1.0 - explore) * sigma[i] + explore / n
                known = restrict(
                    game,
                    s,
                    child,
                    watcher,
                    known,
                    job.seen,
                    keys_seen,
                    n,
                    buffer,
                    sigma,
                    odds,
                    inside,
                    explore,
                    created,
                )
                if biased:
                    i = sample(inside, 0, n, rng)
                else:
                    i = sample(odds, 0, n, rng)
                path_node[depth] = node
                path_slot[depth] = slot[i] if node >= 0 else -1
                path_real[5 * depth] = sigma[i]
                path_real[5 * depth + 1] = mine
                path_real[5 * depth + 2] = others
                path_real[5 * depth + 3] = plain
                path_real[5 * depth + 4] = aimed
                depth += 1
                if who == update:
                    mine *= sigma[i]
                else:
                    others *= sigma[i]
                plain *= odds[i]
                aimed *= inside[i]
                play(game, s, buffer[i])
                known = after(game, s, watcher, known, job.seen, keys_seen)
                growing = not created
            length = 0
            while True:
                who = actor(game, s)
                if who == OVER:
                    break
                play_at_random(game, s, who, buffer, odds, rng)
                length += 1
            payoff(game, s, pay, 0)
            job.depth += depth
            job.deepest = max(job.deepest, depth)
            job.played += length
            job.on_target += 1 if known == job.seen else 0
            q = (1.0 - job.delta) * plain + job.delta * aimed if job.seen > 0 else plain
            # x: probability, in the strategies, of the sampled way from here to the end. The rollout's own cancels against q's.
            x = 1.0
            for d in range(depth - 1, -1, -1):
                c = x
                x = c * path_real[5 * d]
                node = path_node[d]
                if node < 0:
                    continue
                begin = first[node]
                if owner[node] == update:
                    weight = pay[update] * path_real[5 * d + 2] / q
                    for b in range(begin, begin + used[node]):
                        score[b] -= x * weight
                    score[path_slot[d]] += c * weight
                else:
                    at = path_real[5 * d + 3]
                    if job.seen > 0:
                        at = (1.0 - job.delta) * at + job.delta * path_real[5 * d + 4]
                    # the acting player's own reach is part of `others` in the other player's iteration
                    add_mean(job.epsilon, begin, used[node], path_real[5 * d + 2] / at, score, mean)
                visits[node] += 1.0
                tries[path_slot[d]] += 1.0
    job.done += 2 * job.pairs
    return 0


def regret_matching(epsilon, n, slot, sigma, score):
    """Regret matching that keeps every action alive (Lisý 2014, sec. 3.2.4), or targeting could starve what lies below it."""
    sum_ = 0.0
    for i in range(n):
        sigma[i] = max(score[slot[i]], 0.0)
        sum_ += sigma[i]
    for i in range(n):
        sigma[i] = (1.0 - epsilon) * sigma[i] / sum_ + epsilon / n if sum_ > 0.0 else 1.0 / n


def add_mean(epsilon, begin, n, weight, score, mean):
    sum_ = 0.0
    for b in range(begin, begin + n):
        sum_ += max(score[b], 0.0)
    for b in range(begin, begin + n):
        share = (1.0 - epsilon) * max(score[b], 0.0) / sum_ + epsilon / n if sum_ > 0.0 else 1.0 / n
        mean[b] += weight * share


def after(game, s, watcher, known, seen, keys_seen):
    """How many of the recorded keys a history agrees with, given that it agreed with `known`; -1 if it left the record."""
    if seen == 0 or known < 0:
        return known
    key = infoset(game, s, watcher)
    if key == keys_seen[known - 1]:
        return known
    if known < seen and key == keys_seen[known]:
        return known + 1
    # past the recorded information set, everything is in the target
    return known if known == seen else -1


def restrict(game, s, child, watcher, known, seen, keys_seen, n, buffer, sigma, odds, inside, explore, created):
    """Write to `inside` how a targeted iteration samples: among moves in the target, or as an untargeted one if there is none.

    A new node is sampled untargeted, as it is left for a random playout at once. Returns `known`.
    """
    for i in range(n):
        inside[i] = odds[i]
    if seen == 0 or known < 0 or known == seen or created:
        return known
    total = 0.0
    fits = 0
    for i in range(n):
        copy_state(game, child, s)
        play(game, child, buffer[i])
        if after(game, child, watcher, known, seen, keys_seen) >= 0:
            total += sigma[i]
            fits += 1
            inside[i] = 1.0
        else:
            inside[i] = 0.0
    if fits == 0 or total <= 0.0:
        for i in range(n):
            inside[i] = odds[i]
        return known
    for i in range(n):
        if inside[i] > 0.0:
            inside[i] = (1.0 - explore) * sigma[i] / total + explore / fits
    return known
