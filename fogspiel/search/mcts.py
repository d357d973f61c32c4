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
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Records
from fogspiel.engine.primitives import address_of, ints_at, reals_at, words_at
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
    look,
    mirror,
    mix,
    moves,
    pick,
    play,
    play_out,
    resample,
    sample,
    step,
    uniform,
)
from fogspiel.search.bandits import COUPLED, REGRET_MATCHING, UCB, UCB_TUNED, choose, couple, exploration, learn, miss
from fogspiel.search.chance import DRAWN, draw_outcome
from fogspiel.search.nodes import Node, Pool, Slot, add, lookup, slots_of
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
    ("variates", "i8"), ("whole", "i8"), ("anew", "i8"), ("coefficient", "f8"), ("online", "i8"), ("batch", "u8"), ("guided", "i8"),
    ("constant", "f8"), ("failure", "f8"), ("low", "f8"), ("high", "f8"), ("history", "u8"), ("plain", "i8"), ("levels", "i8"), ("pair_room", "i8"),
    ("scratch", "i8"), ("buffer", "i8"), ("odds", "i8"), ("labels", "i8"), ("names", "i8"), ("slot", "i8"), ("prob", "i8"), ("pay", "i8"),
    ("facts", "i8"), ("rng", "i8"), ("stream", "i8"), ("trail", "i8"), ("fortunes", "i8"), ("moments", "i8"), ("proof", "i8"),
    ("pair_sum", "i8"), ("pair_count", "i8"),
    ("dice", "i8"), ("mirrored", "i8"), ("sure", "i8"), ("status", "i8"), ("pairs", "i8"),
    ("done", "i8"), ("depth", "i8"), ("deepest", "i8"), ("played", "i8"), ("longest", "i8"), ("settled", "i8"),
], align=True)  # fmt: skip
"""What is asked of the loop; from `scratch` on, the addresses of its memory; from `dice` on, where it stands; and from `done` on, what it
counted.

`states` root states lie one after another; `redraw`: the game's own rule redraws each before use. `means`: nodes pass on the mean
of what they returned (SM-MCTS-A). `pure`: the mean strategy leaves out exploration. `aside`: with this probability a node chooses at
random and learns nothing (the wrapper A* of Lisý et al. 2013). `cut`: moves of random play after which the game's evaluation is
taken, -1 for never. `open_loop`: chance's outcomes are not part of a HISTORY. `trails`: a player's node is told apart by all that the
player has seen since the root, so that nothing is a transposition. `widen_c` above 0: a node with v visits has the first
ceil(C v^alpha) of its moves (double progressive widening, Lanctot 2013, sec. 6.2.1). `variates`: what is done about luck;
`whole`: a walk does not leave the tree before all players of a stage have chosen;
`anew`: streams of chance begin at every node, not only at the root; `coefficient` of a control variate, for rewards scaled to [0, 1], until a move has `online` tries; `batch` seeds the streams of
chance. `guided`: playouts follow the game's rule `guide`. `plain`: the key of a node is what the game's `look` tells. `levels`: steps
that a path has room for.

In a simulation, chance's outcomes are drawn from `dice`, and replaced by their opposites if `mirrored`; `sure`: what comes back is
the certain value of the node below; `status`: what ended the search. `settled`: the root's value is proven."""

Step = np.dtype([("node", "i8"), ("slot", "i8"), ("prob", "f8"), ("luck", "f8"), ("pending", "i8")], align=True)
"""A step of a simulation inside the tree: the slot chosen at a node (-1: it learns nothing), with what probability, what chance
brought the player from there to its next step, and whether the step before belongs to the same stage."""


@kernel
def simulate(
    game: Ints, job: Record(Job), roots: Bytes, weights: Reals, path: Records(Step),
    pool: Record(Pool), index: Ints32, nodes: Records(Node), slots: Records(Slot),
) -> Int:  # fmt: skip
    """Run `job.simulations` simulations. Returns 0, how many moves a state had where fewer have room, what is wrong with a game
    that cannot be played to the end (`Game.unplayable`), or HIDDEN."""
    rng = words_at(job.rng)
    for _ in range(job.simulations):
        which = sample(weights, 0, job.states, rng) if job.states > 1 else 0
        copy_state(game, job.scratch, address_of(roots) + which * game[SIZE])
        if job.redraw != 0:
            resample(game, job.scratch, job.searcher, rng)
        depth = descend(game, job, path, pool, index, nodes, slots)
        if job.status != 0:
            return job.status
        if job.sure == 0:
            ended = rollout(game, job, nodes[path[depth - 1].node].owner if depth > 0 else 0)
            if ended < STOPPED or (ended == STOPPED and job.cut < 0):
                return ended
            job.sure = ended == 0 and job.proven != 0
        job.depth += depth
        job.deepest = max(job.deepest, depth)
        back_up(game, job, depth, path, nodes, slots)
        job.done += 1
        if job.sure != 0 and job.states == 1:
            job.settled = 1
            break
    return 0


def descend(game, job, path, pool, index, nodes, slots):
    """Walk from the root through the nodes there are, and add one. The state is left where playing out begins. Returns how many
    steps there are on the path."""
    s = job.scratch
    buffer, odds, slot, prob, facts = (
        ints_at(job.buffer),
        reals_at(job.odds),
        ints_at(job.slot),
        reals_at(job.prob),
        ints_at(job.facts),
    )
    rng, trail = words_at(job.rng), words_at(job.trail)
    control = job.variates & CONTROL != 0
    # nodes of a stage are told apart by what came before it: `history`; `moved` has its pending moves as well
    history = job.history
    moved = history
    known = 0
    if job.trails != 0:
        for p in range(game[PLAYERS]):
            trail[p] = history
    job.dice, job.mirrored, job.sure, job.status = job.rng, 0, 0, 0
    depth = 0
    before = OVER
    growing = True
    n = look(game, s, buffer, 0, odds, 0, facts) if job.plain != 0 else meet(game, s, buffer, odds, facts)
    while depth < job.levels:
        who = facts[0]
        pending = job.simultaneous != 0 and 0 <= before < who
        if who == OVER or not (growing or (pending and job.whole != 0)):
            break
        if not pending:
            history = moved
            if job.sight == SEARCHER:
                known = infoset(game, s, job.searcher)
        if who == CHANCE:
            if job.luck == DRAWN:
                i = sample(odds, 0, n, words_at(job.dice))
                if job.mirrored != 0:
                    buffer[i] = mirror(game, s, buffer[i])
                if control and depth > 0:
                    path[depth - 1].luck += covariate(game, s, buffer[i])
            else:
                key = key_of(game, job, s, CHANCE, history, known, trail)
                i = keep_chance(game, job, key, n, path[depth], pool, index, nodes, slots)
                if job.sure != 0:
                    break
                depth += path[depth].node >= 0
            if job.sight == HISTORY and job.open_loop == 0:
                moved = mix(moved, buffer[i])
            n = play_and_meet(game, job, s, buffer[i], buffer, odds, facts)
            if job.trails != 0:
                extend(game, s, trail)
            before = CHANCE
            continue
        if n > game[LIMIT]:
            job.status = n
            break
        key = mix(facts[1], who) if job.plain != 0 else key_of(game, job, s, who, history, known, trail)
        node = lookup(key, pool, index, nodes)
        created = node < 0
        # where positions come back, a node learns but once from a simulation
        if not created and (
            nodes[node].passed == job.done + 1 or (job.proven != 0 and proven(game, job, s, nodes[node], slots))
        ):
            break
        n = widened(job, 0 if created else nodes[node].visits, n)
        if created:
            node = add(key, who, n, pool, index, nodes)
            if node < 0:
                break
            if job.proven != 0:
                begin_proofs(nodes[node], game[PLAYERS], n, reals_at(job.proof), fingerprint(s, game[SIZE]))
        here = nodes[node]
        here.passed = job.done + 1
        # the rest of a stage belongs to the node that its first player made
        if created and job.growth == STAGE and not pending:
            break
        veiled = job.sight == SEARCHER and who != job.searcher and job.simultaneous == 0
        begin = here.first
        count = seen_moves(game, job, s, n) if veiled else n
        m = slots_of(node, count, ints_at(job.names if veiled else job.buffer), slot, pool, nodes, slots)
        if control and begin != here.first:
            move_moments(begin, here.first, here.used, reals_at(job.moments))
        if job.proven != 0:
            m = open_moves(m, slot, who, game[PLAYERS], job.low, reals_at(job.proof))
        if m == 0:
            break
        aside = job.aside > 0.0 and uniform(rng) < job.aside
        if aside:
            c = pick(rng, m)
        else:
            c = choose(job, here.visits, m, slot, prob, slots, rng)
            if job.policy != UCB and job.policy != UCB_TUNED:
                average(job, m, slot, prob, slots)
        chosen = slots[slot[c]]
        untried = chosen.tries == 0
        if untried:
            chosen.missed = here.visits
        if m < here.used:
            miss(here, m, slot, slots)
        step = path[depth]
        step.node = node
        step.slot = -1 if aside else slot[c]
        step.prob = prob[c]
        step.luck = 0.0
        step.pending = pending
        if job.variates > CONTROL and (depth == 0 or job.anew != 0):
            job.mirrored = open_stream(job, key, chosen.move, chosen.tries, words_at(job.stream))
            job.dice = job.stream
        depth += 1
        picked = chosen.move if not veiled else one_of(chosen.move, n, buffer, ints_at(job.labels), rng)
        if job.sight == HISTORY:
            moved = mix(moved, picked)
        if (created and job.growth == CREATED) or (untried and job.growth == UNTRIED):
            growing = False
        if growing or job.simultaneous != 0:
            n = play_and_meet(game, job, s, picked, buffer, odds, facts)
        else:
            play(game, s, picked)
        if job.trails != 0 and not (job.simultaneous != 0 and facts[0] > who):
            extend(game, s, trail)
        before = who
    return depth


def back_up(game, job, depth, path, nodes, slots):
    """Tell every node on the path what came of the simulation: its utilities, or certain values, are in `job.pay`."""
    pay, fortunes, proof = reals_at(job.pay), reals_at(job.fortunes), reals_at(job.proof)
    control = job.variates & CONTROL != 0
    span = job.high - job.low
    v = pay[0]
    for d in range(depth - 1, -1, -1):
        step = path[d]
        here = nodes[step.node]
        who = here.owner
        here.visits += 1
        if who == CHANCE:
            if step.slot >= 0:
                slots[step.slot].tries += 1
            if job.sure != 0:
                job.sure = prove(here, step.slot, game[PLAYERS], job.high, slots, proof, pay)
            continue
        utility = pay[who]
        if job.means != 0:
            utility = v if who == 0 else -v
        here.value += utility
        if control:
            fortunes[who] += step.luck
        paired = step.pending != 0
        if step.slot >= 0:
            reward = (utility - job.low) / span
            alone = not paired and not (d + 1 < depth and path[d + 1].pending != 0)
            policy = REGRET_MATCHING if alone and job.policy == COUPLED else job.policy
            learn(policy, here, step.slot, reward, utility, step.prob, slots)
            if control:
                correct(job, step.slot, reward, fortune(who, game[PLAYERS], fortunes), slots, reals_at(job.moments))
            if job.policy == COUPLED and paired and path[d - 1].slot >= 0:
                couple(job, nodes[path[d - 1].node], path[d - 1].slot, here, step.slot, v, slots)
        if job.means != 0 and not paired:
            # a stage's mean is kept at its first half, where both players' choices meet
            v = here.value / here.visits if who == 0 else -here.value / here.visits
        if job.sure != 0:
            job.sure = prove(here, step.slot, game[PLAYERS], job.high, slots, proof, pay)


def play_and_meet(game, job, s, move, buffer, odds, facts):
    """Play a move at s; then as `meet`, and where it is of use with the key."""
    if job.plain != 0:
        return step(game, s, s, move, buffer, 0, odds, 0, facts)
    play(game, s, move)
    return meet(game, s, buffer, odds, facts)


def meet(game, s, buffer, odds, facts):
    """As the game's `look`, but for the key: who moves at s, into facts[0], and its moves or chance's outcomes. Returns how many."""
    facts[0] = actor(game, s)
    if facts[0] == OVER:
        return 0
    return chances(game, s, buffer, 0, odds, 0) if facts[0] == CHANCE else moves(game, s, buffer, 0)


def keep_chance(game, job, key, n, step, pool, index, nodes, slots):
    """A step through chance's node: draw an outcome, keep it there, return its position. The node's value may be `sure` already."""
    proof = reals_at(job.proof)
    node = lookup(key, pool, index, nodes)
    if node >= 0 and job.proven != 0 and nodes[node].settled >= 0:
        job.sure = tell_proof(nodes[node], game[PLAYERS], slots, proof, reals_at(job.pay))
        return 0
    room = widened(job, nodes[node].visits if node >= 0 else 0, n)
    if node < 0:
        node = add(key, CHANCE, room, pool, index, nodes)
        if node >= 0 and job.proven != 0:
            begin_proofs(nodes[node], game[PLAYERS], room, proof, np.uint64(0))
    labels = ints_at(job.labels)
    i = draw_outcome(
        job.luck, node, n, room, ints_at(job.buffer), reals_at(job.odds), labels, pool, nodes, slots, words_at(job.rng)
    )
    step.node = node
    step.slot = labels[i] if node >= 0 else -1
    return i


def proven(game, job, s, here, slots):
    """Whether a node's value is certain, which is then in `job.pay`; or nothing can be proven there, as it stands for several states."""
    if here.print != fingerprint(s, game[SIZE]):
        job.status = HIDDEN
        return True
    if here.settled >= 0:
        job.sure = tell_proof(here, game[PLAYERS], slots, reals_at(job.proof), reals_at(job.pay))
    return job.sure != 0


def average(job, n, slot, prob, slots):
    """Add the strategy played to the mean strategy; if `job.pure`, without its exploration."""
    explored = exploration(job.policy, job.constant, n) if job.pure != 0 and n > 1 else 0.0
    explored = explored if explored < 1.0 else 0.0
    for j in range(n):
        slots[slot[j]].strategy += (prob[j] - explored / n) / (1.0 - explored)


def key_of(game, job, s, who, history, known, trail):
    """The key of the node for a state: what `job.sight` says counts as the same situation. Chance sees what all players know.

    `history` and `known`, the searcher's information, are those of the beginning of the stage: nobody sees what is pending."""
    if job.sight == HISTORY:
        return mix(history, who)
    if job.sight == SEARCHER:
        return mix(infoset(game, s, job.searcher) if who == job.searcher else known, who)
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


def seen_moves(game, job, s, n):
    """What the searcher knows after each of another player's n moves, into `job.labels`; each different one once, into `job.names`.
    Returns how many those are."""
    buffer, labels, names = ints_at(job.buffer), ints_at(job.labels), ints_at(job.names)
    child = s + game[SIZE]
    m = 0
    for i in range(n):
        copy_state(game, child, s)
        play(game, child, buffer[i])
        labels[i] = infoset(game, child, job.searcher)
        names[m] = labels[i]
        first = 0
        while names[first] != labels[i]:
            first += 1
        m += first == m
    return m


def one_of(label, n, buffer, labels, rng):
    """One of the n moves that the searcher gives the same label, each as likely."""
    picked = 0
    alike = 0
    for i in range(n):
        if labels[i] == label:
            alike += 1
            if alike == 1 or pick(rng, alike) == 0:
                picked = buffer[i]
    return picked


def rollout(game, job, mover):
    """Play by the default policy to the end, or to the cut-off, and write the utilities to `job.pay`. Returns how many moves were
    played to the end, or what else `play_out` returned. `job.fortunes` becomes what chance brought each player; at first, `mover`."""
    s, buffer, odds, pay, rng = (
        job.scratch,
        ints_at(job.buffer),
        reals_at(job.odds),
        reals_at(job.pay),
        words_at(job.rng),
    )
    most = job.cut if job.cut >= 0 else LONGEST
    if job.guided == 0 and job.variates == 0:
        ended = play_out(game, s, buffer, odds, pay, rng, most)
    else:
        fortunes = reals_at(job.fortunes)
        for p in range(game[PLAYERS]):
            fortunes[p] = 0.0
        ended = play_on(
            game, job.guided, job.variates, s, mover, job.mirrored != 0, buffer, odds, pay, fortunes, rng, words_at(job.dice), most
        )  # fmt: skip
    if ended == STOPPED and job.cut >= 0:
        evaluate(game, s, pay, 0)
    length = ended if ended >= 0 else most
    job.played += length
    job.longest = max(job.longest, length)
    return ended
