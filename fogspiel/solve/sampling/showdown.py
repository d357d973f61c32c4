"""The end of a game on the public tree: what each outcome that the updating player may hold is worth against all that the other may.

By pairs that takes n^2 payoffs. Where the stronger hand wins it takes n steps (Johanson et al. 2012): reach is added up by
strength, and what one outcome beats, or loses to, is a difference of two sums. What the other cannot hold, because it is the same card, is
taken out again.
"""

from fogspiel.engine.primitives import address_of
from fogspiel.game.table import LIMIT, STRENGTHS, copy_state, hold, payoff, strengths

RANGE = 1 << 16
"""Strengths that are further apart are not added up, but compared by pairs."""


def settle(game, run, public, state, me):
    """The values of all outcomes of the updating player at an end, to vector[public.value:]."""
    copy_state(game, address_of(run.spare), state)
    if game[STRENGTHS] == 0 or not by_strength(game, run, public, me):
        by_pairs(game, run, public, me)


def by_pairs(game, run, public, me):
    """Every pair of outcomes, O(n^2)."""
    vector, mine, theirs = run.vector, held_by(run, public, me), held_by(run, public, 1 - me)
    for i in range(run.outcomes[me]):
        value = 0.0
        for j in range(run.outcomes[1 - me]):
            reach = public.both * vector[mine + i] * vector[theirs + j] - (same_card(run, public, i) if i == j else 0.0)
            reach *= vector[public.theirs + j]
            if reach != 0.0:
                value += reach * payoff_of(game, run, me, i, j)
        vector[public.value + i] = value


def by_strength(game, run, public, me):
    """Sums by strength, O(n): tally[k] is the reach of all that is weaker than low + k. False if strengths are too far apart."""
    vector, tally, count = run.vector, run.tally, int(run.outcomes[me])
    own, other = strengths_of(game, run, me), strengths_of(game, run, 1 - me)
    found, rivals = run.strengths, int(run.outcomes[1 - me])
    low, high = int(found[own]), int(found[own])
    for k in range(max(count, rivals)):
        i, j = own + min(k, count - 1), other + min(k, rivals - 1)
        low, high = min(low, int(found[i]), int(found[j])), max(high, int(found[i]), int(found[j]))
    if high - low >= RANGE:
        return False
    top = high - low + 1
    for k in range(top + 1):
        tally[k], run.rival[k] = 0.0, -1
    theirs = held_by(run, public, 1 - me)
    for j in range(rivals):
        k = found[other + j] - low
        tally[k + 1] += vector[theirs + j] * vector[public.theirs + j]
        run.rival[k] = j
    for k in range(top):
        tally[k + 1] += tally[k]
    wins, draws, losses = stakes(game, run, me, own, low, top)
    mine = held_by(run, public, me)
    for i in range(count):
        k = found[own + i] - low
        below, level, above = tally[k], tally[k + 1] - tally[k], tally[top] - tally[k + 1]
        value = public.both * vector[mine + i] * (wins * below + draws * level + losses * above)
        if public.twice != 0.0:
            ahead = found[own + i] - found[other + i]
            impossible = same_card(run, public, i) * vector[public.theirs + i]
            value -= impossible * (wins if ahead > 0 else losses if ahead < 0 else draws)
        vector[public.value + i] = value
    return True


def strengths_of(game, run, player):
    """The strengths of all that a player may hold; returns where they begin."""
    first = player * game[LIMIT]
    strengths(game, address_of(run.spare), player, run.held, first, run.outcomes[player], run.strengths, first)
    return first


def stakes(game, run, me, own, low, top):
    """What the updating player gets if it is the stronger, as strong, or the weaker, each by any pair of which that is so."""
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


def held_by(run, public, player):
    """Where the probabilities of what a player may hold begin."""
    return public.prob + player * int(run.outcomes[0])


def same_card(run, public, i):
    """By how much both players are less likely to hold an outcome than two strangers with a deck each."""
    return public.twice * run.vector[public.prob + i]


def payoff_of(game, run, me, i, j):
    """What the updating player gets with its outcome i against the other's j."""
    state = address_of(run.spare)
    hold(game, state, me, run.held[me * game[LIMIT] + i])
    hold(game, state, 1 - me, run.held[(1 - me) * game[LIMIT] + j])
    payoff(game, state, run.work, 0)
    return run.work[me]
