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
the same action (Lanctot 2013, sec. 4.3), without anything being stored. Forced moves are made without a look at the table: of
the information sets of goofspiel with five cards, four of five have one.
"""

import numpy as np

from fogspiel.engine.kernel import inlined
from fogspiel.engine.kinds import Ints, Reals, Record, Records
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
    foresee,
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
    ("responder", "i8"), ("share", "f8"), ("situations", "i8"), ("levels", "i8"), ("breadth", "i8"),
    ("scratch", "i8"), ("buffer", "i8"), ("work", "i8"), ("pay", "i8"), ("spare", "i8"), ("mass", "i8"), ("rng", "i8"),
    ("lock", "i8"), ("index", "i8"),
    ("forced", "i8"), ("averaged", "i8"), ("word", "u8"), ("visit", "i8"), ("done", "i8"), ("touched", "i8"), ("status", "i8"), ("count", "i8"),
], align=True)  # fmt: skip
"""What is asked; the addresses of a thread's own memory and of the table's index, as few arguments make a fast traversal; and, from
`forced` on, where the loop stands: whether all but the responder play their fixed strategies in this traversal and whose averages
grow, the traversal's random word and number, iterations done, histories touched, and why it ended."""

Place = np.dtype([
    ("who", "i8"), ("key", "i8"), ("n", "i8"), ("state", "i8"), ("top", "i8"), ("level", "i8"), ("action", "i8"),
    ("mine", "f8"), ("theirs", "f8"), ("q", "f8"), ("total", "f8"), ("last", "i8", 2),
], align=True)  # fmt: skip
"""Where a traversal has come: who moves, by what key and among how many moves; the state, and where its moves begin; how many moves
led here, the last of them an action of the place above; the reaches and `q`; the sum of its strategy's weights; and, of both
players, where the average of its last action lies."""

AHEAD = 8
"""Children that are looked at before the first of them is walked: meanwhile memory brings the entries of the table they will want."""


@widths
def iterate(game: Ints, job: Record(Job), pool: Record(Pool), words: WHOLE, reals: REAL, places: Records(Place)):
    """`job.iterations` iterations: one traversal for each player, or one in all if a sample updates both. The root, in places[0],
    is looked at once."""
    root = places[0]
    root.n = look(game, game[ROOT], ints_at(job.buffer), 0, reals_at(job.work), 0, root)
    for _ in range(job.iterations):
        for me in range(1 if job.both != 0 else game[PLAYERS]):
            traverse(game, job, pool, words, reals, places, me)
        if job.status > FULL:
            return
        job.done += 1
        if job.status != 0:
            return


def traverse(game, job, pool, words, reals, places, me):
    """One traversal, from the root."""
    rng, mass = words_at(job.rng), reals_at(job.mass)
    job.word = next_word(rng)
    job.visit += 1
    job.forced = 0
    if job.responder >= 0:
        if me != job.responder and job.share >= 1.0:
            return
        job.forced = int(me == job.responder and uniform(rng) < job.share)
    job.averaged = averaged(game, job, me)
    for p in range(game[PLAYERS]):
        mass[p] = 0.0
    root, start = places[0], places[1]
    start.who, start.key, start.n = root.who, root.key, root.n
    start.state, start.top, start.level = job.scratch, 0, 0
    start.mine, start.theirs, start.q = 1.0, 1.0, 1.0
    start.last[0], start.last[1] = -1, -1
    copy_state(game, start.state, game[ROOT])
    descend(game, job, pool, words, reals, start, 2 * root.n, me)
    if start.who != OVER:
        walk(game, job, pool, words, reals, places, 1, 2, me)


@inlined
def descend(game, job, pool, words, reals, place, room, me):
    """Down from a place by what is sampled and not learned from, to the end of the game or to where there is work for `walk`. What
    is seen on the way is written from `room` on."""
    buffer, work, rng, index = ints_at(job.buffer), reals_at(job.work), words_at(job.rng), ints32_at(job.index)
    s, top = place.state, place.top
    while True:
        who, n, key = place.who, place.n, place.key
        job.touched += 1
        if who == OVER:
            return
        if n > game[LIMIT] or place.level >= job.levels:
            job.status, job.count = MANY if n > game[LIMIT] else DEEP, n
            place.who, work[top + me] = OVER, 0.0
            return
        place.level += 1
        if n == 1:
            # there is nothing to learn about a forced move
            picked = 0
        elif who == CHANCE:
            if job.chance == PAIRED or (job.chance != ONE and enumerated(game, job, s, me, n, buffer, top)):
                return
            # of common chance, the same draw below whatever the updating player was dealt
            picked = toss(job, place.level, n, work, top, 1.0) if job.chance == COMMON else sample(work, top, n, rng)
        elif job.forced != 0 and who != job.responder:
            # the fixed strategies of those responded to are part of the game, like chance (Lanctot 2013, sec. 4.8.1)
            name = key if job.situations != 0 else infoset(game, s, who)
            habit(lookup(name, who + FIXED, n, pool, index, words), n, pool, reals, work, top)
            picked = toss(job, key, n, work, top, 1.0)
        elif who == me or job.both != 0 or job.others == ALL or job.baseline != 0:
            foresee(key, who, pool, index)
            return
        else:
            node = meet(job, place, pool, words, reals)
            picked = toss(job, key, n, work, top, place.total)
            scale = 1.0 / place.total
            if node >= 0:
                remember(job, place, node, place.theirs, scale, picked, pool, words, reals)
            if job.average != WEIGHTED:
                pass_down(job, place, node, place.theirs, picked, pool, reals, place)
            # the reach of the others is multiplied by what it is divided by
            prob = scale * work[top + picked]
            place.mine, place.q = place.mine / prob, place.q * prob
        place.n = step(game, s, s, buffer[top + picked], buffer, room, work, room, place)
        place.top = top = room


def walk(game, job, pool, words, reals, places, at, free, me):
    """An estimate of what `me` gets from a place on, learning on the way. Places from `free` on are not in use."""
    buffer, work, rng = ints_at(job.buffer), reals_at(job.work), words_at(job.rng)
    place, highest = places[at], places[free - 1]
    who, n, s, top, mine, theirs, q = place.who, place.n, place.state, place.top, place.mine, place.theirs, place.q
    above = highest.top + 2 * highest.n
    if above + 2 * AHEAD * game[LIMIT] > job.breadth:
        job.status = DEEP
        return 0.0

    # what is followed; the probabilities are those in work[top:] times `scale`
    node, picked, partner, scheme, scale = -1, -1, -1, ALL, 1.0
    nature, mine_here = who == CHANCE, who == me
    own, rest = (mine, theirs) if mine_here else (theirs, mine)
    updating = mine_here or (job.both != 0 and not nature)
    if nature:
        if job.chance == PAIRED:
            picked = sample(work, top, n, rng)
            partner = position(mirror(game, s, buffer[top + picked]), n, buffer, top)
            if partner < 0:
                job.status = ODD
                return 0.0
    else:
        node = meet(job, place, pool, words, reals)
        scheme = job.own if updating else job.others
        if scheme == ONE and updating:
            picked = explore(job.epsilon, n, work, top, place.total, rng)
        elif scheme == ONE or job.pure != 0:
            picked = toss(job, place.key, n, work, top, place.total)
        scale = 1.0 / place.total
        if node >= 0:
            remember(job, place, node, own, scale, picked, pool, words, reals)
    if job.probe != 0 and updating:
        for a in range(n):
            if a != picked:
                follow(game, job.spare, s, buffer[top + a])
                work[top + n + a] = probe(game, job, job.spare, me, above, pool, words, reals)

    # follow it, some children at a time; estimates of the actions go to work[top + n:]
    single = picked >= 0 and (nature or scheme == ONE)
    followed = n if not single else 1 if partner < 0 else 2
    value, prob, k = 0.0, 1.0, 0
    while k < followed:
        end, room = free, above
        while k < followed and end < free + AHEAD:
            a = k if not single else picked if k == 0 else partner
            k += 1
            chosen = work[top + a] * scale
            share = 1.0
            deeper_mine, deeper_theirs, deeper_q = mine, theirs, q
            if nature:
                share = 1.0 / followed if single else chosen
                deeper_mine, deeper_theirs, deeper_q = mine * share, theirs * share, q / share
            else:
                factor = chosen
                if scheme != ALL:
                    # both reaches are divided by the sampling probability
                    if scheme == ONE:
                        prob = job.epsilon / n + (1.0 - job.epsilon) * chosen if updating else chosen
                    else:
                        prob = chance_of(job, node, n, a, pool, reals)
                    inverse = 1.0 / prob
                    share = inverse if scheme == SOME else 1.0
                    factor = chosen * inverse
                    deeper_mine, deeper_theirs, deeper_q = mine * inverse, theirs * inverse, q * prob
                if mine_here:
                    deeper_mine = mine * factor
                else:
                    deeper_theirs = theirs * factor
                unreached = deeper_mine == 0.0 and deeper_theirs == 0.0
                if not single and (unreached or (prob < 1.0 and uniform(rng) >= prob)):
                    work[top + n + a] = 0.0
                    continue
            child = places[end]
            child.state = s if k == followed else job.scratch + end * game[SIZE]
            child.top, child.level, child.action = room, place.level, a
            child.mine, child.theirs, child.q = deeper_mine, deeper_theirs, deeper_q
            child.n = step(game, child.state, s, buffer[top + a], buffer, room, work, room, child)
            if job.average != WEIGHTED:
                pass_down(job, place, node, own, a, pool, reals, child)
            descend(game, job, pool, words, reals, child, room, me)
            work[top + n + a] = share
            if child.who == OVER:
                work[top + n + a] = share * work[room + me]
                value += work[top + n + a]
            else:
                room += 2 * child.n
                end += 1
        for i in range(free, end):
            found = walk(game, job, pool, words, reals, places, i, end, me)
            a = places[i].action
            work[top + n + a] *= found
            value += work[top + n + a]
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
            value = work[top + picked] * scale * found
            if node >= 0:
                increase_alike(reals, begin, n, -weight * value, pool, rng)
                increase(reals, begin + picked, weight * found, pool, rng)
            return value
    value = 0.0
    for a in range(n):
        value += work[top + a] * work[top + n + a]
    value *= scale
    if updating:
        if job.pure != 0:
            value = work[top + n + picked]
        if node >= 0:
            increase_all(reals, begin, n, weight, work, top + n, value, pool, rng)
    return value


def meet(job, place, pool, words, reals):
    """The node of whose turn it is at a place; the weights of its strategy into work[place.top:], their sum into place.total."""
    n, top = place.n, place.top
    lock, index = ints32_at(job.lock), ints32_at(job.index)
    node = locate(place.key, place.who, n, ints_at(job.buffer), top, pool, lock, index, words, reals)
    if node == -1:
        job.status = FULL
    if job.others == ALL and node >= 0:
        settle(node, n, job, pool, words, reals)
    place.total = matching(node, n, pool, reals, reals_at(job.work), top)
    return node


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


def enumerated(game, job, s, me, n, buffer, top):
    """Whether every outcome of a chance node is followed: always, or, of common and public chance, depending on who sees it."""
    if job.chance == ALL:
        return True
    child = job.spare
    follow(game, child, s, buffer[top])
    public, seen = infoset(game, child, -1), infoset(game, child, me)
    follow(game, child, s, buffer[top + 1])
    if infoset(game, child, -1) != public:
        return False
    return job.chance == PUBLICLY or infoset(game, child, me) != seen


def toss(job, key, n, weights, top, total):
    """An action drawn from the strategy, the same one for the same key during a whole traversal."""
    return part(weights, top, n, unit(mix(job.word, key)) * total)


def explore(epsilon, n, weights, top, total, rng):
    """An action drawn from the strategy, or with probability epsilon from all alike."""
    x = uniform(rng)
    if x < epsilon:
        return min(int(x * (n / epsilon)), n - 1)
    return part(weights, top, n, (x - epsilon) * (total / (1.0 - epsilon)))


def chance_of(job, node, n, a, pool, reals):
    """Average-strategy sampling (Lanctot 2013, sec. 4.8.4): how likely an action is followed; surely, if it is played often."""
    if node < 0:
        return 1.0
    begin = node + pool.header + AVERAGE * n
    total = job.beta
    for b in range(n):
        total += float(reals[begin + b])
    if total <= 0.0:
        return 1.0
    return min(1.0, max(job.epsilon, (job.beta + job.tau * float(reals[begin + a])) / total))


def settle(node, n, job, pool, words, reals):
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
            increase(reals, begin + REGRET * n + a, float(reals[at]), pool, words_at(job.rng))
            reals[at] = 0.0


def averaged(game, job, me):
    """Whose nodes add their strategies to their averages in this traversal; -1 if all do."""
    if job.both != 0 or job.average >= LAZY:
        return -1
    # where others are sampled and learn, their averages, of several others the next; else one's own
    alone = job.responder >= 0 and job.share >= 1.0
    return (me + 1) % game[PLAYERS] if job.others == ONE and not alone else me


@inlined
def remember(job, place, node, own, scale, picked, pool, words, reals):
    """Add to the average strategy, by one of the schemes of Lanctot 2013, sec. 4.4."""
    who, n, rng = place.who, place.n, words_at(job.rng)
    if job.averaged >= 0 and job.averaged != who:
        return
    weight, before = own, place.last[who & 1]
    if job.average == LAZY:
        # what has come to the parent's action since the last visit, while the strategy here was the one it is now
        total = float(reals[before]) if before >= 0 else float(job.visit)
        weight = total - float(reals[node + SEEN])
        reals[node + SEEN] = total
        words[node + PARENT] = before
    elif job.average == PRINTED:
        weight = reals_at(job.mass)[who] + own * place.q
    elif job.average == OPTIMISTIC:
        now = (job.done + 1) & 0x7FFFFFFF
        weight = own * place.q * (now - words[node + STAMP])
        words[node + STAMP] = now
        words[node + PARENT] = before
    begin = node + pool.header + AVERAGE * n
    if job.pure != 0:
        increase(reals, begin + picked, weight, pool, rng)
    else:
        increase_all(reals, begin, n, weight * scale, reals_at(job.work), place.top, 0.0, pool, rng)


def pass_down(job, place, node, own, picked, pool, reals, child):
    """When an action is followed: what its player's next information set will hear of it. The tree of a player's own
    information sets is known by the average of the action that leads to each."""
    child.last[0], child.last[1] = place.last[0], place.last[1]
    if node < 0:
        return
    who, n, top = place.who, place.n, place.top
    begin = node + pool.header
    child.last[who] = begin + AVERAGE * n + picked
    if job.average == PRINTED:
        weights, mass = reals_at(job.work), reals_at(job.mass)
        # as printed, what waits at an action goes to whichever information set comes next
        come = (mass[who] + own * place.q) / place.total
        mass[who] = mass[who] * weights[top + picked] / place.total + float(reals[begin + EXTRA * n + picked])
        reals[begin + EXTRA * n + picked] = 0.0
        for a in range(n):
            if a != picked:
                reals[begin + EXTRA * n + a] += come * weights[top + a]


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
        total = 1.0
        if who == CHANCE:
            n = chances(game, s, buffer, top, work, top)
        else:
            n = moves(game, s, buffer, top)
            node = lookup(situation(game, s, who), who, n, pool, index, words)
            total = matching(node, n, pool, reals, work, top)
        play(game, s, buffer[top + part(work, top, n, uniform(rng) * total)])


@widths
def catch_up(job: Record(Job), pool: Record(Pool), words: WHOLE, reals: REAL, out: Reals, reach: Reals, weights: Reals):
    """Averages as they would be if every information set were visited now: lazy and optimistic averaging lag behind.

    `out` and `reach` have an element for each word of the table; nodes come after those of the same player before them.
    """
    node = 0
    while node < pool.used:
        n = actions(node, words)
        begin = node + pool.header + AVERAGE * n
        parent = int(words[node + PARENT])
        scale = 1.0 / matching(node, n, pool, reals, weights, 0)
        here = reach[parent] if parent >= 0 else 1.0
        if job.average == LAZY:
            weight = (out[parent] if parent >= 0 else float(job.visit)) - float(reals[node + SEEN])
        else:
            weight = here * (job.done - int(words[node + STAMP]))
        for a in range(n):
            out[begin + a] = float(reals[begin + a]) + weight * weights[a] * scale
            reach[begin + a] = here * weights[a] * scale
        node += width(n, pool)
