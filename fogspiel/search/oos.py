"""Online outcome sampling (Lisý 2014, sec. 3.2.4; for simultaneous moves, sec. 3.1.3): outcome-sampling MCCFR, online and targeted.

Every iteration samples one history from the root of the search and updates one player's regrets and the other's mean
strategy. With probability delta the two iterations of a pair are *targeted*: they keep to histories that agree with what the
searching player has seen, so that its current information set is visited often. Both sampling probabilities are carried along
in every iteration, and whatever is sampled is weighted by the mixture of the two.

Which moves keep to the target is told by looking ahead (`search/target.py`). A targeted iteration leaves it only through a
node that is new, where play at random begins.
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Records, Words
from fogspiel.engine.primitives import address_of, ints_at, reals_at, words_at
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    LONGEST,
    OVER,
    SIZE,
    actor,
    chances,
    copy_state,
    infoset,
    mix,
    moves,
    play,
    play_out,
    sample,
    uniform,
)
from fogspiel.search.bandits import matched_regrets
from fogspiel.search.nodes import Node, Pool, Slot, add, lookup, slot_of
from fogspiel.search.target import Aim, after, in_target

Job = np.dtype([
    ("pairs", "i8"), ("gamma", "f8"), ("delta", "f8"), ("epsilon", "f8"), ("baselines", "i8"), ("zero_sum", "i8"), ("low", "f8"), ("high", "f8"), ("reach", "f8", 2),
    ("levels", "i8"), ("scratch", "i8"), ("buffer", "i8"), ("odds", "i8"), ("inside", "i8"), ("slot", "i8"), ("prob", "i8"), ("pay", "i8"), ("rng", "i8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"), ("aimed", "i8"), ("on_target", "i8"), ("cut_off", "i8"),
], align=True)  # fmt: skip
"""What is asked: pairs of iterations, the parameters, and with what probability each player has come to the root; how many steps
a path has room for, and the addresses of memory; then what was counted. `baselines`: a guess stands in for moves that were not sampled. Of the `aimed` iterations, those that were targeted,
`on_target` passed through the target, and `cut_off` ended at a new node before it."""


Step = np.dtype(
    [("node", "i8"), ("slot", "i8"), ("sigma", "f8"), ("others", "f8"), ("plain", "f8"), ("aimed", "f8")], align=True
)
"""A step of an iteration: a node (-1: chance's) and the slot of the move, the move's probability in the strategy, and before the step,
with what probability all but the update player have come there, and those of both ways of sampling."""


@kernel
def iterate(
    game: Ints, job: Record(Job), roots: Bytes, aim: Record(Aim), keys_seen: Ints, memory: Words, stack: Bytes, frames: Ints, trails: Words,
    ahead: Ints, ahead_odds: Reals, path: Records(Step), pool: Record(Pool), index: Ints32, nodes: Records(Node), slots: Records(Slot),
) -> Int:  # fmt: skip
    """`job.pairs` pairs of iterations. Returns 0, how many moves a state had where fewer have room, or what is wrong with a game that
    cannot be played to the end."""
    s = job.scratch
    child = s + game[SIZE]
    buffer, odds, inside, slot = ints_at(job.buffer), reals_at(job.odds), reals_at(job.inside), ints_at(job.slot)
    sigma, pay, rng = reals_at(job.prob), reals_at(job.pay), words_at(job.rng)
    delta = job.delta if aim.seen > 0 else 0.0
    for _ in range(job.pairs):
        biased = delta > 0.0 and uniform(rng) < delta
        for update in range(2):
            copy_state(game, s, address_of(roots))
            others = job.reach[1 - update]
            plain = 1.0
            aimed = 1.0
            agreed = 1
            history = mix(0, 0)
            depth = 0
            growing = True
            job.done += 1
            while growing and depth < job.levels:
                who = actor(game, s)
                if who == OVER:
                    break
                if who == CHANCE:
                    n = chances(game, s, buffer, 0, odds, 0)
                else:
                    n = moves(game, s, buffer, 0)
                if n > game[LIMIT]:
                    return n
                if who == aim.searcher and agreed == aim.seen:
                    agreed += 1
                node = -1
                created = False
                if who != CHANCE:
                    key = mix(infoset(game, s, who), who)
                    node = lookup(key, pool, index, nodes)
                    created = node < 0
                    if created:
                        node = add(key, who, n, pool, index, nodes)
                        if node < 0:
                            break
                    nodes[node].passed = job.done
                    for i in range(n):
                        slot[i] = slot_of(node, buffer[i], i, pool, nodes, slots)
                    # every action is kept alive (sec. 3.2.4), or targeting could starve what lies below it
                    matched_regrets(job.epsilon, n, slot, sigma, slots)
                else:
                    for i in range(n):
                        sigma[i] = odds[i]
                # odds: how an untargeted iteration samples; inside: how a targeted one does
                explore = job.gamma if who == update and not created else 0.0
                for i in range(n):
                    odds[i] = (1.0 - explore) * sigma[i] + explore / n
                for i in range(n):
                    inside[i] = odds[i]
                if delta > 0.0 and 0 < agreed <= aim.seen and not created:
                    fits = 0
                    for i in range(n):
                        inside[i] = 0.0
                        if in_target(
                            game, s, child, buffer[i], agreed, history, aim, keys_seen, memory, stack, frames, trails, ahead, ahead_odds
                        ):  # fmt: skip
                            inside[i] = 1.0
                            fits += 1
                    restrict(n, fits, explore, sigma, odds, inside)
                if biased:
                    i = sample(inside, 0, n, rng)
                else:
                    i = sample(odds, 0, n, rng)
                step = path[depth]
                step.node = node
                step.slot = slot[i] if node >= 0 else -1
                step.sigma = sigma[i]
                step.others = others
                step.plain = plain
                step.aimed = aimed
                depth += 1
                if who != update:
                    others *= sigma[i]
                plain *= odds[i]
                aimed *= inside[i]
                if delta > 0.0:
                    history = mix(history, buffer[i])
                play(game, s, buffer[i])
                agreed = after(game, s, aim, agreed, keys_seen)
                growing = not created
            length = play_out(game, s, buffer, odds, pay, rng, LONGEST)
            if length < 0:
                return length
            job.depth += depth
            job.deepest = max(job.deepest, depth)
            job.played += length
            if biased:
                job.aimed += 1
                job.on_target += agreed > aim.seen
                job.cut_off += agreed <= aim.seen and not growing
            # what the history is worth to the update player from here on, as if sampled with the strategies' probabilities
            worth = pay[update]
            below = (1.0 - delta) * plain + delta * aimed
            for d in range(depth - 1, -1, -1):
                step = path[d]
                at = (1.0 - delta) * step.plain + delta * step.aimed
                drawn = below / at
                below = at
                if step.node < 0:
                    worth *= step.sigma / drawn
                    continue
                here = nodes[step.node]
                chosen = slots[step.slot]
                mine = here.owner == update
                for k in range(here.used):
                    slot[k] = here.first + k
                    inside[k] = guess(job, mine, slots[slot[k]])
                matched_regrets(job.epsilon, here.used, slot, sigma, slots)
                if mine or job.zero_sum != 0:
                    chosen.total += ((worth if mine else -worth) - job.low) / (job.high - job.low)
                    chosen.tries += 1
                k = step.slot - here.first
                inside[k] += (worth - inside[k]) / drawn
                # a guess counts as what a move that was not sampled is worth
                worth = 0.0
                for k in range(here.used):
                    worth += sigma[k] * inside[k]
                here.visits += 1
                for k in range(here.used):
                    if mine:
                        slots[slot[k]].score += step.others / at * (inside[k] - worth)
                    else:
                        # the acting player's own reach is part of the others' in the other player's iteration
                        slots[slot[k]].strategy += step.others / at * sigma[k]
    return 0


def guess(job, mine, s):
    """A baseline: what a slot is probably worth to the update player, the mean of what it was. 0 if none are asked for."""
    if job.baselines == 0 or s.tries == 0:
        return 0.0
    worth = job.low + (job.high - job.low) * s.total / s.tries
    return worth if mine else -worth


def restrict(n, fits, explore, sigma, odds, inside):
    """Where inside[i] is 1 for each of the `fits` moves in the target, make it how a targeted iteration samples. If there is none,
    as an untargeted one; that happens only where the look ahead was cut short."""
    total = 0.0
    for i in range(n):
        total += inside[i] * sigma[i]
    for i in range(n):
        if fits == 0:
            inside[i] = odds[i]
        elif inside[i] > 0.0:
            inside[i] = (1.0 - explore) * sigma[i] / total + explore / fits if total > 0.0 else 1.0 / fits
