"""Best responses by walking the rules, for kernels (Lanctot 2013, appendix B). Perfect recall is taken for granted.

Two ways to the same value:

- *vectors*, after Algorithm 8: one walk over what the responder can know. At each of its information sets it holds the
  vector of states it may be in, each with the probability that chance and the others bring it there. Playing an action
  in all of them, and following chance and the others to the responder's next decisions, gives the vector of every
  information set after that action: with perfect recall, all of it. Where actions are public the vector runs over the
  others' private outcomes, as printed; nothing here depends on that. Every history is met once, and memory is what the
  vectors along one path take. Values are sums over the vector that are never divided by its total, so that chance's
  weights, missing in line 8 of the print, are in the vector, and a vector of zeros needs no rule.
- *passes*, Algorithm 9 (generalised expectimax): one walk over the histories for each number of the responder's own
  decisions before, the largest first, that adds up the worth of each action in a table; deeper down the best action is
  known from earlier passes. Memory is one number for each action of the responder's information sets. Own decisions are
  counted rather than depth, which in games with hidden moves differs between the histories of one information set; what
  the print divides by, b, is the same for all actions of an information set and is left out.

What the others never do is not followed. Forced moves are no decisions.
"""

from typing import Any

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Ints, Real, Reals, Record
from fogspiel.engine.linking import linked
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    actor,
    behind,
    chances,
    copy_state,
    infoset,
    moves,
    packed_at,
    payoff,
    play,
    situation,
)
from fogspiel.solvers.mccfr.arena import REGRET, accuse, bundle, column, compare, locate, lookup
from fogspiel.solvers.policy import Known, consult

NOBODY = OVER - 1

PLACE, HASH = 40, 0x7FFFFF
"""Bits of an entry in the order of keys that say which state it is, and those of the hash above them."""

FULL, DEEP, MANY, NONE, JOINED, STOPPED = range(1, 7)
"""Why a walk ended early: no room for the vectors or for the table, a history too long, a state with too many moves or
with none, two information sets that the strategy's abstraction joins, or because it was told to."""

Asked = np.dtype([("player", "i8"), ("responder", "i8"), ("depth", "i8")], align=True)
"""Whose utility is asked for, who responds (NOBODY: all follow the strategy), and of passes which one this is."""

Limits = np.dtype([("levels", "i8"), ("breadth", "i8"), ("states", "i8")], align=True)
"""Room for so many moves of a history, for the moves of all its states together, and for states held."""

Progress = np.dtype(
    [
        ("used", "i8"),
        ("most", "i8"),
        ("touched", "i8"),
        ("sets", "i8"),
        ("deepest", "i8"),
        ("status", "i8"),
        ("count", "i8"),
        ("stop", "i8"),
    ],
    align=True,
)
"""States held and the most there were, histories touched, information sets seen, most decisions before one, why the
walk ended early, how many moves the state has that ended it, and whether it is to end."""

Values: Any = bundle(single=False)

Walk: Any = Bundle(
    asked=Record(Asked),
    limits=Record(Limits),
    progress=Record(Progress),
    scratch=Bytes,
    buffer=Ints,
    odds=Reals,
    pay=Reals,
    states=Bytes,
    reach=Reals,
    keys=Ints,
    order=Ints,
)
"""`scratch` are the states of a history, `buffer` and `odds` their moves, `pay` the utilities at its end. Of the states
held: the responder's key, and which state has it, in the order of keys, with a hash of its moves above that; and how
likely chance and the others bring the responder to each."""


@kernel(group="vectors")
def vectors(game: Ints, walk: Walk, policy: Known, table: Values) -> Real:
    """What the responder gets at best; with nobody to respond, what the player asked about gets."""
    s = packed_at(game, walk.scratch, 0)
    copy_state(game, s, game[ROOT])
    value = spread(game, walk, policy, s, 0, 0, 1.0)
    return value + respond(game, walk, policy, table, 0, walk.progress.used, 0, 0)


def spread(game, walk, policy, s, level, top, reach):
    """Follow chance and the others from state s on, which is used up: to the responder's next decisions, which are
    added to the states held, and to the ends of the game, whose worth is returned. `top` is where room for moves
    begins."""
    who, n = enter(game, walk, policy, s, level, top)
    odds = walk.odds
    if who == OVER:
        return reach * walk.pay[walk.asked.player]
    if who == walk.asked.responder and n > 1:
        hold(game, walk, s, reach, n, top)
        return 0.0
    value = 0.0
    for a in range(n):
        if odds[top + a] > 0.0:
            value += spread(
                game, walk, policy, succeed(game, walk, s, top, n, a), level + 1, top + n, reach * odds[top + a]
            )
    return value


def respond(game, walk, policy, table, begin, end, level, top):
    """The worth of the responder's information sets whose states are held in begin..end-1, all of each: the best action
    of each, summed."""
    keys, order, reach, buffer = walk.keys, walk.order, walk.reach, walk.buffer
    progress, s = walk.progress, packed_at(game, walk.scratch, 0)
    if level >= walk.limits.levels:
        progress.status = DEEP
    sort(keys, order, begin, end - 1)
    total = 0.0
    low = begin
    while low < end and progress.status == 0:
        high = low + 1
        while high < end and keys[high] == keys[low]:
            if order[high] >> PLACE != order[low] >> PLACE:
                accuse(table, keys[low], walk.asked.responder)
            high += 1
        progress.sets += 1
        n = moves(game, held_at(game, walk, held(order[low])), buffer, top)
        node = note(game, walk, policy, table, held(order[low]), keys[low], n, top)
        best = 0.0
        for a in range(n):
            progress.used = end
            value = 0.0
            for k in range(low, high):
                copy_state(game, s, held_at(game, walk, held(order[k])))
                play(game, s, buffer[top + a])
                value += spread(game, walk, policy, s, 0, top + n, reach[held(order[k])])
            value += respond(game, walk, policy, table, end, progress.used, level + 1, top + n)
            if a == 0 or value > best:
                best = value
            if node >= 0:
                table.reals[column(table, node, REGRET, n) + a] = value
        total += best
        low = high
    progress.used = begin
    return total


def note(game, walk, policy, table, held, key, n, top):
    """The node of the table in which to write down what the actions of an information set are worth; -1: it is not
    asked for."""
    return -1


@kernel(group="passes")
def passes(game: Ints, walk: Walk, policy: Known, table: Values) -> Real:
    """One pass of Algorithm 9; with depth -1, the value of the responses found by the passes before."""
    s = packed_at(game, walk.scratch, 0)
    copy_state(game, s, game[ROOT])
    return expect(game, walk, policy, table, s, 0, 0, 0, 1.0)


def expect(game, walk, policy, table, s, level, top, own, reach):
    """What the responder gets from state s on, which is used up, after `own` decisions; above the pass's depth it means
    nothing."""
    who, n = enter(game, walk, policy, s, level, top)
    odds, buffer = walk.odds, walk.buffer
    if who == OVER:
        return walk.pay[walk.asked.player]
    if who != walk.asked.responder or n == 1:
        value = 0.0
        for a in range(n):
            chance = odds[top + a]
            if chance > 0.0:
                child = succeed(game, walk, s, top, n, a)
                value += chance * expect(game, walk, policy, table, child, level + 1, top + n, own, reach * chance)
        return value
    walk.progress.deepest = max(walk.progress.deepest, own)
    if own > walk.asked.depth:
        node = lookup(table, infoset(game, s, who), who, n)
        play(game, s, buffer[top + (argmax(table.reals, column(table, node, REGRET, n), n) if node >= 0 else 0)])
        return expect(game, walk, policy, table, s, level + 1, top, own + 1, reach)
    node = -1
    if own == walk.asked.depth:
        node = found(walk, table, infoset(game, s, who), n, top)
        if node >= 0:
            compare(table, node, infoset(game, s, who), who, n, buffer, top)
    for a in range(n):
        child = succeed(game, walk, s, top, n, a)
        value = expect(game, walk, policy, table, child, level + 1, top + n, own + 1, reach)
        if node >= 0:
            table.reals[column(table, node, REGRET, n) + a] += reach * value
    return 0.0


def enter(game, walk, policy, s, level, top):
    """Who moves in state s and how many moves there are, which are then in the buffer with the probability of each (the
    responder's decisions: 0); at the end of the game, utilities are in `pay`. What ends the walk looks like a state
    without moves."""
    progress = walk.progress
    progress.touched += 1
    who = actor(game, s)
    if who == OVER:
        payoff(game, s, walk.pay, 0)
        return who, 0
    if progress.stop != 0:
        progress.status = STOPPED
    elif level >= walk.limits.levels or top + 2 * game[LIMIT] > walk.limits.breadth:
        progress.status = DEEP
    if progress.status != 0:
        return CHANCE, 0
    buffer, odds = walk.buffer, walk.odds
    n = chances(game, s, buffer, top, odds, top) if who == CHANCE else moves(game, s, buffer, top)
    if n < 1 or n > game[LIMIT]:
        progress.status, progress.count = MANY if n > 0 else NONE, n
        return CHANCE, 0
    if n == 1:
        odds[top] = 1.0
    elif who == walk.asked.responder:
        for a in range(n):
            odds[top + a] = 0.0
    elif who != CHANCE:
        consult(game, policy, s, who, n, odds, top)
    return who, n


def succeed(game, walk, s, top, n, a):
    """The state after the a-th of n moves. The last one is played in s itself."""
    child = s
    if a < n - 1:
        child = behind(game, s)
        copy_state(game, child, s)
    play(game, child, walk.buffer[top + a])
    return child


def hold(game, walk, s, reach, n, top):
    """Add a state to those held; its `n` moves are in the buffer from `top` on."""
    progress = walk.progress
    at = progress.used
    if at >= walk.limits.states:
        progress.status = FULL
        return
    copy_state(game, held_at(game, walk, at), s)
    walk.reach[at] = reach
    walk.keys[at] = infoset(game, s, walk.asked.responder)
    hashed = n
    for a in range(n):
        hashed = 31 * hashed + walk.buffer[top + a]
    walk.order[at] = at | (hashed & HASH) << PLACE
    progress.used = at + 1
    progress.most = max(progress.most, progress.used)


def held(entry):
    """The number of the state of an entry in the order of keys."""
    return entry & ((1 << PLACE) - 1)


def held_at(game, walk, number):
    """A state that is held."""
    return packed_at(game, walk.states, number)


def found(walk, table, key, n, top):
    """The responder's node in the table, made if need be; -1 if there is no room for it."""
    node = locate(table, key, walk.asked.responder, n, walk.buffer, top)
    if node < 0:
        walk.progress.status = FULL
    return node


def noted(game, walk, policy, table, held, key, n, top):
    """The node in which to write down the response at an information set, under the name by which the strategy knows
    it."""
    if policy.lookup.situations != 0:
        key = situation(game, held_at(game, walk, held), walk.asked.responder)
        if lookup(table, key, walk.asked.responder, n) >= 0:
            walk.progress.status = JOINED
            return -1
    return found(walk, table, key, n, top)


def argmax(reals, begin, n):
    best = 0
    for a in range(n):
        if reals[begin + a] > reals[begin + best]:
            best = a
    return best


def sort(keys, order, low, high):
    """Quicksort of keys[low..high] with what goes with them (Hoare's partition)."""
    while low < high:
        pivot = keys[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if j - low < high - i:
            sort(keys, order, low, j)
            low = i
        else:
            sort(keys, order, i, high)
            high = j


noting = kernel(linked(vectors.plain, {note: noted}), group="noting")
"""`vectors`, with a table of what each action of the responder is worth."""
