"""Monte Carlo CFR on the rules of a game: one traversal, and sampling schemes that are small parts of it.

The traversal visits some of the histories below a state and returns an estimate, right on average, of what the updating player
gets there (Lanctot 2013, ch. 4). At each kind of node a scheme says what is followed:

========================  =========================  ===================  ====================================
scheme                    the updating player        the other players    chance
========================  =========================  ===================  ====================================
walk (vanilla CFR)        every action               every action         every outcome
chance sampling           every action               every action         one (or a pair, or by who sees it)
external sampling         every action               one                  one
average-strategy sampl.   each with its own chance   one                  one
outcome sampling          one, with exploration      one                  one
========================  =========================  ===================  ====================================

Three numbers go down with it: `q`, the probability with which the traversal came here, and the reaches of the updating player and
of the others, both divided by `q`: apart they would vanish in a long game. The probability of what is enumerated rather than
sampled divides `q`. At a node of player p all schemes then agree: regrets grow by (reach of the others / q) (estimate of the action -
estimate of the node), and averages by (reach of p / q) times the strategy. What a scheme does not sample it leaves out of
both, so chance cancels.

What an opponent does is a function of its information set and the traversal: two histories that it cannot tell apart meet with
the same action (Lanctot 2013, sec. 4.3), without anything being stored.
"""

import numpy as np

from fogspiel.engine.kinds import Ints, Reals, Record
from fogspiel.engine.primitives import ints32_at, ints_at, next_word, reals_at, words_at
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    PLAYERS,
    ROOT,
    SIZE,
    actor,
    chances,
    copy_state,
    follow,
    infoset,
    look,
    mirror,
    mix,
    moves,
    part,
    payoff,
    play,
    sample,
    situation,
    step,
    uniform,
    unit,
)
from fogspiel.solve.table import (
    AVERAGE,
    EXTRA,
    FIXED,
    PARENT,
    REAL,
    REGRET,
    SEEN,
    STAMP,
    WHOLE,
    Pool,
    actions,
    increase,
    increase_alike,
    increase_all,
    locate,
    lookup,
    matching,
    played,
    width,
    widths,
)

ALL, ONE, SOME = range(3)
PAIRED, COMMON, PUBLICLY = range(3, 6)
"""What is followed: every child, one, or some; at chance nodes also an outcome and its antithetic partner, every outcome that only
the updating player sees, or every outcome that is not public."""

WEIGHTED, OPTIMISTIC, LAZY, PRINTED = range(4)
"""How averages are kept (Lanctot 2013, sec. 4.4): stochastically weighted, optimistic, lazy, and lazy as printed there."""

FULL, DEEP, MANY, ODD = range(1, 5)
"""Why a run ended: the table is full, a history was too long, a state had too many moves, an outcome of chance had no partner."""

Job = np.dtype([
    ("iterations", "i8"), ("own", "i8"), ("others", "i8"), ("chance", "i8"), ("average", "i8"), ("both", "i8"), ("pure", "i8"),
    ("probe", "i8"), ("baseline", "i8"), ("epsilon", "f8"), ("beta", "f8"), ("tau", "f8"), ("rate", "f8"),
    ("restricted", "i8"), ("share", "f8"), ("situations", "i8"), ("levels", "i8"), ("breadth", "i8"),
    ("scratch", "i8"), ("buffer", "i8"), ("work", "i8"), ("pay", "i8"), ("last", "i8"), ("mass", "i8"), ("rng", "i8"),
    ("facts", "i8"),
    ("lock", "i8"), ("index", "i8"),
    ("forced", "i8"), ("averaged", "i8"), ("word", "u8"), ("visit", "i8"), ("done", "i8"), ("touched", "i8"), ("status", "i8"), ("count", "i8"),
], align=True)  # fmt: skip
"""What is asked; the addresses of a thread's own memory and of the table's index, as few arguments make a fast traversal; and, from
`forced` on, where the loop stands: whether the restricted player plays its fixed strategy in this
traversal and whose averages grow, the traversal's random word and number, iterations done, histories touched, and why it ended."""


@widths
def iterate(game: Ints, job: Record(Job), pool: Record(Pool), words: WHOLE, reals: REAL):
    """`job.iterations` iterations: one traversal for each player, or one in all if a sample updates both."""
    rng, last, mass, facts = words_at(job.rng), ints_at(job.last), reals_at(job.mass), ints_at(job.facts)
    for _ in range(job.iterations):
        for me in range(1 if job.both != 0 else game[PLAYERS]):
            job.word = next_word(rng)
            job.visit += 1
            job.forced = 0
            if job.restricted >= 0:
                if me == job.restricted and job.share >= 1.0:
                    continue
                job.forced = int(me != job.restricted and uniform(rng) < job.share)
            job.averaged = averaged(game, job, me)
            for p in range(game[PLAYERS]):
                last[p] = -1
                mass[p] = 0.0
            copy_state(game, job.scratch, game[ROOT])
            n = look(game, job.scratch, ints_at(job.buffer), 0, reals_at(job.work), 0, facts)
            walk(game, job, pool, words, reals, job.scratch, facts[0], n, facts[1], 0, 0, me, 1.0, 1.0, 1.0)
        if job.status > FULL:
            return
        job.done += 1
        if job.status != 0:
            return


def walk(game, job, pool, words, reals, s, who, n, key, level, top, me, mine, theirs, q):
    """An estimate of what `me` gets from state s on, learning on the way. The state is used up.

    `who` moves there, and has `n` moves: they lie from `top` on, after which there is free room; `key` is what tells its information
    set. `mine` and `theirs` are the reaches, divided by the sampling probability `q`.
    """
    buffer, work, facts = ints_at(job.buffer), reals_at(job.work), ints_at(job.facts)
    rng, last, mass = words_at(job.rng), ints_at(job.last), reals_at(job.mass)
    lock, index = ints32_at(job.lock), ints32_at(job.index)

    # down to where more than one thing is followed, or something is learned; the strategy, or chance's, is in work[top:]
    while True:
        job.touched += 1
        if who == OVER:
            return work[top + me]
        if n > game[LIMIT]:
            job.status, job.count = MANY, n
            return 0.0
        if level >= job.levels or top + 2 * game[LIMIT] > job.breadth:
            job.status = DEEP
            return 0.0
        level += 1
        node, picked, partner = -1, -1, -1
        scheme = ALL
        mine_here = who == me
        own, rest = (mine, theirs) if mine_here else (theirs, mine)
        updating = mine_here or job.both != 0
        nature = who == CHANCE or (job.forced != 0 and who == job.restricted)
        if who == CHANCE:
            if job.chance != ONE and enumerated(game, job, s, s + game[SIZE], me, n, buffer, top):
                break
            if job.chance == COMMON:
                # the same draw below whatever the updating player was dealt
                picked = toss(job, level, n, work, top)
            else:
                picked = sample(work, top, n, rng)
            if job.chance == PAIRED:
                partner = position(mirror(game, s, buffer[top + picked]), n, buffer, top)
                if partner < 0:
                    job.status = ODD
                    return 0.0
                break
        elif nature:
            # the fixed strategy of a restricted player is part of the game, like chance (Lanctot 2013, sec. 4.8.1)
            name = key if job.situations != 0 else infoset(game, s, who)
            habit(lookup(name, who + FIXED, pool, index, words), n, pool, reals, work, top)
            picked = toss(job, key, n, work, top)
        else:
            node = locate(key, who, n, buffer, top, pool, lock, index, words, reals)
            if node == -1:
                job.status = FULL
            if job.others == ALL and node >= 0:
                settle(node, n, job, pool, words, reals, rng)
            matching(node, n, pool, reals, work, top)
            scheme = job.own if updating else job.others
            if scheme == ONE and updating:
                picked = explore(job.epsilon, n, work, top, rng)
            elif scheme == ONE or job.pure != 0:
                picked = toss(job, key, n, work, top)
            if node >= 0 and (job.averaged == who or job.averaged < 0):
                remember(job, who, node, n, own, q, picked, top, work, last, mass, pool, words, reals, rng)
            if updating or scheme == ALL or job.baseline != 0:
                break
            if job.average != WEIGHTED and node >= 0:
                pass_down(job, who, node, n, picked, own * q, top, work, last, mass, pool, reals)
            # the reach of the others is multiplied by what it is divided by
            prob = work[top + picked]
            mine, q = mine / prob, q * prob
        n = step(game, s, s, buffer[top + picked], buffer, top, work, top, facts)
        who, key = facts[0], facts[1]

    # follow it; estimates of the actions go to work[top + n:]
    child, below = s + game[SIZE], top + 2 * n
    if job.probe != 0 and updating:
        for a in range(n):
            if a != picked:
                follow(game, child, s, buffer[top + a])
                work[top + n + a] = probe(game, job, child, me, below, pool, words, reals)
    single = picked >= 0 and (nature or scheme == ONE)
    followed = n if not single else 1 if partner < 0 else 2
    value = 0.0
    prob = 1.0
    for k in range(followed):
        a = k if not single else picked if k == 0 else partner
        chosen = work[top + a]
        deeper_mine, deeper_theirs, deeper_q = mine, theirs, q
        if nature:
            share = 1.0 / followed if single else chosen
            deeper_mine, deeper_theirs, deeper_q = mine * share, theirs * share, q / share
        else:
            if scheme == ONE:
                prob = job.epsilon / n + (1.0 - job.epsilon) * chosen if updating else chosen
            elif scheme == SOME and node >= 0:
                prob = chance_of(job, node, n, a, pool, reals)
            # the acting player's reach is multiplied by the strategy, and both are divided by the sampling probability
            factor = chosen if scheme == ALL else chosen / prob
            if scheme != ALL:
                deeper_mine, deeper_theirs, deeper_q = mine / prob, theirs / prob, q * prob
            if mine_here:
                deeper_mine = mine * factor
            else:
                deeper_theirs = theirs * factor
            if not single:
                work[top + n + a] = 0.0
                if (deeper_mine == 0.0 and deeper_theirs == 0.0) or (prob < 1.0 and uniform(rng) >= prob):
                    continue
        before, other = last[0], last[1]
        if job.average != WEIGHTED and node >= 0:
            pass_down(job, who, node, n, a, own * q, top, work, last, mass, pool, reals)
        target = s if k == followed - 1 else child
        ahead = step(game, target, s, buffer[top + a], buffer, below, work, below, facts)
        if facts[0] == OVER:
            # half of all histories end here, so the traversal does not begin anew for them
            job.touched += 1
            found = work[below + me]
        else:
            found = walk(
                game, job, pool, words, reals, target, facts[0], ahead, facts[1], level, below, me, deeper_mine, deeper_theirs, deeper_q
            )  # fmt: skip
        last[0], last[1] = before, other
        if nature:
            value += share * found
        elif single:
            value = found
        else:
            work[top + n + a] = found / prob
    if nature:
        return value

    # learn from it
    weight = rest if mine_here else -rest
    begin = node + pool.header + (EXTRA if job.others == ALL else REGRET) * n
    if single:
        if job.baseline != 0 and node >= 0:
            correct(job, node, n, picked, prob, value, 1.0 if mine_here else -1.0, top, work, pool, reals)
        elif not updating:
            return value
        elif job.probe != 0:
            work[top + n + picked] = value
        else:
            # actions that were not sampled are taken to bring nothing
            found = value / prob
            value = work[top + picked] * found
            if node >= 0:
                increase_alike(reals, begin, n, -weight * value, pool, rng)
                increase(reals, begin + picked, weight * found, pool, rng)
            return value
    value = 0.0
    for a in range(n):
        value += work[top + a] * work[top + n + a]
    if updating:
        if job.pure != 0:
            value = work[top + n + picked]
        if node >= 0:
            increase_all(reals, begin, n, weight, work, top + n, value, pool, rng)
    return value


def position(move, n, buffer, top):
    """Where a move stands in buffer[top:]; -1 if it does not."""
    for i in range(n):
        if buffer[top + i] == move:
            return i
    return -1


def habit(node, n, pool, reals, sigma, top):
    """A fixed strategy, into sigma[top:]; uniform where it says nothing."""
    if node >= 0:
        played(node, n, pool, reals, sigma, top)
    else:
        for a in range(n):
            sigma[top + a] = 1.0 / n


def enumerated(game, job, s, child, me, n, buffer, top):
    """Whether every outcome of a chance node is followed: always, or depending on who sees it."""
    if job.chance == ALL or n == 1:
        return True
    if job.chance != COMMON and job.chance != PUBLICLY:
        return False
    follow(game, child, s, buffer[top])
    public, seen = infoset(game, child, -1), infoset(game, child, me)
    follow(game, child, s, buffer[top + 1])
    if infoset(game, child, -1) != public:
        return False
    return job.chance == PUBLICLY or infoset(game, child, me) != seen


def toss(job, key, n, sigma, top):
    """An action drawn from the strategy, the same one for the same key during a whole traversal."""
    return part(sigma, top, n, unit(mix(job.word, key)))


def explore(epsilon, n, sigma, top, rng):
    """An action drawn from the strategy, or with probability epsilon from all alike."""
    if uniform(rng) < epsilon:
        return int(uniform(rng) * n)
    return sample(sigma, top, n, rng)


def chance_of(job, node, n, a, pool, reals):
    """Average-strategy sampling (Lanctot 2013, sec. 4.8.4): how likely an action is followed; surely, if it is played often."""
    begin = node + pool.header + AVERAGE * n
    total = job.beta
    for b in range(n):
        total += float(reals[begin + b])
    if total <= 0.0:
        return 1.0
    return min(1.0, max(job.epsilon, (job.beta + job.tau * float(reals[begin + a])) / total))


def settle(node, n, job, pool, words, reals, rng):
    """Add the increments held back in earlier traversals. Within one, the strategy must not change, though a node may be visited
    through several histories."""
    visit = job.visit & 0x7FFFFFFF
    if words[node + STAMP] == visit:
        return
    words[node + STAMP] = visit
    begin = node + pool.header
    for a in range(n):
        at = begin + EXTRA * n + a
        if reals[at] != 0.0:
            increase(reals, begin + REGRET * n + a, float(reals[at]), pool, rng)
            reals[at] = 0.0


def averaged(game, job, me):
    """Whose nodes add their strategies to their averages in this traversal; -1 if all do."""
    if job.both != 0 or job.average >= LAZY:
        return -1
    # where others are sampled and learn, their averages, of several others the next; else one's own
    alone = job.restricted >= 0 and job.share >= 1.0
    return (me + 1) % game[PLAYERS] if job.others == ONE and not alone else me


def remember(job, who, node, n, own, q, picked, top, sigma, last, mass, pool, words, reals, rng):
    """Add to the average strategy, by one of the schemes of Lanctot 2013, sec. 4.4."""
    weight = own
    if job.average == LAZY:
        # what has come to the parent's action since the last visit, while the strategy here was the one it is now
        total = float(reals[last[who]]) if last[who] >= 0 else float(job.visit)
        weight = total - float(reals[node + SEEN])
        reals[node + SEEN] = total
        words[node + PARENT] = last[who]
    elif job.average == PRINTED:
        weight = mass[who] + own * q
    elif job.average == OPTIMISTIC:
        now = (job.done + 1) & 0x7FFFFFFF
        weight = own * q * (now - words[node + STAMP])
        words[node + STAMP] = now
        words[node + PARENT] = last[who]
    begin = node + pool.header + AVERAGE * n
    if job.pure != 0:
        increase(reals, begin + picked, weight, pool, rng)
        return
    increase_all(reals, begin, n, weight, sigma, top, 0.0, pool, rng)


def pass_down(job, who, node, n, picked, own, top, sigma, last, mass, pool, reals):
    """Before an action is followed: what its player's next information set will hear of it. The tree of a player's own
    information sets is known by the average of the action that leads to each."""
    begin = node + pool.header
    last[who] = begin + AVERAGE * n + picked
    if job.average == PRINTED:
        # as printed, what waits at an action goes to whichever information set comes next
        come = mass[who] + own
        mass[who] = mass[who] * sigma[top + picked] + float(reals[begin + EXTRA * n + picked])
        reals[begin + EXTRA * n + picked] = 0.0
        for a in range(n):
            if a != picked:
                reals[begin + EXTRA * n + a] += come * sigma[top + a]


def correct(job, node, n, picked, prob, value, sign, top, work, pool, reals):
    """Baselines (Schmid et al. 2019): the estimate of an action is what it brought so far, corrected where it was sampled."""
    begin = node + pool.header + EXTRA * n
    for a in range(n):
        work[top + n + a] = sign * float(reals[begin + a])
    guess = work[top + n + picked]
    work[top + n + picked] = guess + (value - guess) / prob
    reals[begin + picked] = sign * (guess + job.rate * (value - guess))


def probe(game, job, s, me, top, pool, words, reals):
    """Play to the end by the present strategies; what `me` gets (Lanctot 2013, sec. 4.8.3)."""
    buffer, work, pay = ints_at(job.buffer), reals_at(job.work), reals_at(job.pay)
    index, rng = ints32_at(job.index), words_at(job.rng)
    while True:
        job.touched += 1
        who = actor(game, s)
        if who == OVER:
            payoff(game, s, pay, 0)
            return pay[me]
        if who == CHANCE:
            n = chances(game, s, buffer, top, work, top)
        else:
            n = moves(game, s, buffer, top)
            node = lookup(situation(game, s, who), who, pool, index, words)
            for a in range(n):
                work[top + a] = 1.0 / n
            if node >= 0:
                matching(node, n, pool, reals, work, top)
        play(game, s, buffer[top + sample(work, top, n, rng)])


@widths
def catch_up(job: Record(Job), pool: Record(Pool), words: WHOLE, reals: REAL, out: Reals, reach: Reals, sigma: Reals):
    """Averages as they would be if every information set were visited now: lazy and optimistic averaging lag behind.

    `out` and `reach` have an element for each word of the table; nodes come after those of the same player before them.
    """
    node = 0
    while node < pool.used:
        n = actions(node, words)
        begin = node + pool.header + AVERAGE * n
        parent = int(words[node + PARENT])
        matching(node, n, pool, reals, sigma, 0)
        here = reach[parent] if parent >= 0 else 1.0
        if job.average == LAZY:
            weight = (out[parent] if parent >= 0 else float(job.visit)) - float(reals[node + SEEN])
        else:
            weight = here * (job.done - int(words[node + STAMP]))
        for a in range(n):
            out[begin + a] = float(reals[begin + a]) + weight * sigma[a]
            reach[begin + a] = here * sigma[a]
        node += width(n, pool)
