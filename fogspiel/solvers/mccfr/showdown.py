"""The end of a game on the public tree: what each outcome that the updating player may hold is worth against all that
the other may.

By pairs that takes n^2 payoffs. Where the stronger hand wins it takes n steps (Johanson et al. 2012): reach is added up
by strength, and what one outcome beats, or loses to, is a difference of two sums. What the other cannot hold, because
it is the same card, is taken out again. Strengths that are far apart are sorted first, in n log n steps.
"""

from fogspiel.game.table import LIMIT, STRENGTHS, copy_state, hold, payoff, state_at, strengths
from fogspiel.solvers.mccfr.vectors import held_by, vector

SPREAD = 8
"""Strengths are sorted where the least and the greatest are further apart than this many values for each outcome."""


def settle(game, run, public, state, me):
    """The values of all outcomes of the updating player at an end, to vectors[public.value:]."""
    copy_state(game, state_at(game, run.spare, 0), state)
    if game[STRENGTHS] != 0:
        by_strength(game, run, public, me)
    else:
        by_pairs(game, run, public, me)


def by_pairs(game, run, public, me):
    """Every pair of outcomes, O(n^2)."""
    mine, theirs = held_by(run, public, me), held_by(run, public, 1 - me)
    reach, value = vector(run, public.theirs), vector(run, public.value)
    for i in range(run.outcomes[me]):
        total = 0.0
        for j in range(run.outcomes[1 - me]):
            prob = public.both * mine[i] * theirs[j] - (same_card(run, public, i) if i == j else 0.0)
            prob *= reach[j]
            if prob != 0.0:
                total += prob * payoff_of(game, run, me, i, j)
        value[i] = total


def by_strength(game, run, public, me):
    """Sums by strength, O(n): tally[k] is the reach of all that is weaker than low + k. Strengths that are far apart
    are ranked first, O(n log n)."""
    tally, count, rivals = run.tally, int(run.outcomes[me]), int(run.outcomes[1 - me])
    mine, theirs = held_by(run, public, me), held_by(run, public, 1 - me)
    reach, value = vector(run, public.theirs), vector(run, public.value)
    own, other = strengths_of(game, run, me), strengths_of(game, run, 1 - me)
    found = run.strengths
    low, high = int(found[own]), int(found[own])
    for k in range(max(count, rivals)):
        i, j = own + min(k, count - 1), other + min(k, rivals - 1)
        low, high = min(low, int(found[i]), int(found[j])), max(high, int(found[i]), int(found[j]))
    # a difference that is too much for an integer comes out negative
    if not 0 <= high - low < SPREAD * (count + rivals):
        low, high = 0, rank(run, own, count, other, rivals)
    top = high - low + 1
    for k in range(top + 1):
        tally[k], run.rival[k] = 0.0, -1
    for j in range(rivals):
        k = found[other + j] - low
        tally[k + 1] += theirs[j] * reach[j]
        run.rival[k] = j
    for k in range(top):
        tally[k + 1] += tally[k]
    wins, draws, losses = stakes(game, run, me, own, low, top)
    for i in range(count):
        k = found[own + i] - low
        below, level, above = tally[k], tally[k + 1] - tally[k], tally[top] - tally[k + 1]
        value[i] = public.both * mine[i] * (wins * below + draws * level + losses * above)
        if public.twice != 0.0:
            ahead = found[own + i] - found[other + i]
            impossible = same_card(run, public, i) * reach[i]
            value[i] -= impossible * (wins if ahead > 0 else losses if ahead < 0 else draws)


def strengths_of(game, run, player):
    """The strengths of all that a player may hold; returns where they begin."""
    first = player * game[LIMIT]
    strengths(game, state_at(game, run.spare, 0), player, run.held, first, run.outcomes[player], run.strengths, first)
    return first


def rank(run, own, count, other, rivals):
    """Replaces each strength by how many lesser values occur, so that the same sums are made in the same order; returns
    the greatest rank. `order` has room for all outcomes of both players twice."""
    order, found, n = run.order, run.strengths, count + rivals
    for k in range(n):
        order[k] = own + k if k < count else other + k - count
    source, target = 0, n
    while merge(order, found, source, target, n) > 1:
        source, target = target, source
    last, above = int(found[order[target]]), 0
    for k in range(target, target + n):
        strength = int(found[order[k]])
        if strength != last:
            above, last = above + 1, strength
        found[order[k]] = above
    return above


def merge(order, found, source, target, n):
    """A pass of natural merge sort (Knuth 1998, sec. 5.2.4) over the n places in order[source:], to order[target:]: of
    each two runs of rising strength it makes one. Returns how many it has made."""
    end, runs = source, 0
    while end < source + n:
        left = end
        middle = rising(order, found, left, source + n)
        right = middle
        end = rising(order, found, middle, source + n)
        for k in range(left + target - source, end + target - source):
            if right == end or (left < middle and found[order[left]] <= found[order[right]]):
                order[k] = order[left]
                left += 1
            else:
                order[k] = order[right]
                right += 1
        runs += 1
    return runs


def rising(order, found, begin, end):
    """Where the run ends that begins there."""
    k = begin + 1
    while k < end and found[order[k - 1]] <= found[order[k]]:
        k += 1
    return min(k, end)


def stakes(game, run, me, own, low, top):
    """What the updating player gets if it is the stronger, as strong, or the weaker, each by any pair of which that is
    so."""
    weakest, strongest = 0, top - 1
    while run.rival[weakest] < 0:
        weakest += 1
    while run.rival[strongest] < 0:
        strongest -= 1
    stronger, equal, weaker = -1, -1, -1
    for i in range(run.outcomes[me]):
        k = run.strengths[own + i] - low
        if k > weakest:
            stronger = i
        if k < strongest:
            weaker = i
        if run.rival[k] >= 0:
            equal = i
    wins, draws, losses = 0.0, 0.0, 0.0
    if stronger >= 0:
        wins = payoff_of(game, run, me, stronger, run.rival[weakest])
    if equal >= 0:
        draws = payoff_of(game, run, me, equal, run.rival[run.strengths[own + equal] - low])
    if weaker >= 0:
        losses = payoff_of(game, run, me, weaker, run.rival[strongest])
    return wins, draws, losses


def same_card(run, public, i):
    """By how much both players are less likely to hold an outcome than two strangers with a deck each."""
    return public.twice * held_by(run, public, 0)[i]


def payoff_of(game, run, me, i, j):
    """What the updating player gets with its outcome i against the other's j."""
    state = state_at(game, run.spare, 0)
    hold(game, state, me, run.held[me * game[LIMIT] + i])
    hold(game, state, 1 - me, run.held[(1 - me) * game[LIMIT] + j])
    payoff(game, state, run.work, 0)
    return run.work[me]
