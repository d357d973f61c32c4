"""Depth-limited search of games of perfect information: alpha-beta, expectimax, Ballard's *-minimax, and their Monte Carlo
versions (Lanctot 2013, ch. 6). One recursion; the members of the family differ by two switches.

`pruning` says what is cut. NOTHING is expectimax. ALPHA_BETA cuts at decisions, and looks at every outcome of chance with an
open window. STAR1 (Algorithm 6) also passes windows through chance nodes, by the bounds that the utility's range gives for
outcomes not yet searched. STAR2 (Algorithm 7) first probes each outcome with a single move. `width` above 0 is sparse
sampling (sec. 6.3): so many outcomes drawn with replacement in place of all.

Values are player 0's, who is Max; Max and Min need not alternate. Depth counts decisions only, as in the finite-horizon value
V_d (eq. 2.20): chance's outcomes at the horizon are still looked at, and the game's rule `evaluate` judges the decision nodes
below. A chance node right after another counts as a decision does, for chance can follow chance without end (in Can't Stop, turns
lost at the first roll). Values outside a window are bounds of the right side (fail-soft).

With `alone` only Max's decisions count, and the horizon lies at them: a step of a search on one player's information-set tree.

With `endless` there is no horizon, and everything in a state counts as seen, whatever the game hides: the minimax of a determinization. There `mistakes` above 0
(the epsilon of Whitehouse 2014, sec. 5.1.2) seeks the opponent's mistakes among moves of the same worth: to the value of a decision is added that of a
random move, so many times.
"""

from collections import namedtuple

import numpy as np

from fogspiel.engine.index import place
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Ints, Real, Reals, Record, Words
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
    play,
    position,
    sample,
    state_key,
)

NOTHING, ALPHA_BETA, STAR1, STAR2 = range(4)
NODES, CLOCK, BLIND, DEEP, ROOM, TOO_MANY, NO_MOVES = range(1, 8)
"""Why a search stopped before its end: its nodes or its time are used up, it stands at the horizon of a game without
`evaluate`, the line is too long, moves need more room, or one of two mistakes in the rules."""
EXACT, LOWER, UPPER = range(3)
PROBE, FULL = range(2)
ROUNDING = 1e-12
"""Moves whose values differ by less are the same, where mistakes are sought."""
ZERO = np.int64(0)
"""Of NumPy's type: for a literal Numba would compile the recursion again."""

Work = np.dtype([
    ("pruning", "i8"), ("width", "i8"), ("depth", "i8"), ("alpha", "f8"), ("beta", "f8"), ("low", "f8"), ("high", "f8"),
    ("mistakes", "f8"), ("endless", "i8"), ("alone", "i8"), ("seed", "u8"), ("roots", "i8"), ("most", "i8"), ("levels", "i8"), ("room", "i8"), ("mask", "i8"),
    ("stop", "i8"), ("culprit", "i8"), ("best", "i8"), ("nodes", "i8"), ("horizon", "i8"), ("deepest", "i8"), ("hits", "i8"),
], align=True)  # fmt: skip
"""What to search and how it went. `low` and `high` bound the values; `most` is how many nodes may be visited for each of the `roots`; `mask` is the size
of the transposition table less one, -1 for none. `stop` is why the search was given up, 0 if it was not; `best` the best move at
the root, and the one to try first; `horizon` counts the values that came from the game's rule `evaluate`, or from the
table and rest on such; `hits` those that the table knew."""

Stack = Bundle(states=Bytes, buffer=Ints, odds=Reals, lower=Reals, upper=Reals)
"""A level of `states` is a state, padded to whole words. `buffer`, `odds`, `lower` and `upper` are stacks: a node's moves or outcomes lie above
those of the nodes that led to it."""

Scratch = Bundle(rng=Words, pay=Reals)
"""A generator, for the outcome that is drawn, and the payoffs of a state."""

Transpositions = Bundle(keys=Words, values=Reals, hints=Ints, notes=Ints)
"""The key of a state and a depth, value, best move, and the kind of value, plus 4 if it rests on the horizon, -1 for an empty place. A value
counts for its own depth only, so the table changes no result; the best move is also asked of the depth before, which deepening has
searched. With sampling the line stands for the state, for another line's sample is not this line's: then the table helps after a probe, and
with the order of moves."""

Memory = namedtuple("Memory", "states buffer odds lower upper rng pay keys values hints notes")
"""All of these as the recursion takes them, by value: one that asked the bundles at every node would take a tenth longer."""


@kernel(short=True)
def search(
    game: Ints, w: Record(Work), roots: Bytes, best: Ints, stack: Stack, scratch: Scratch, transpositions: Transpositions,
) -> Real:  # fmt: skip
    """Search `w.roots` states one after the other, `w.depth` decisions ahead each, and write their best moves to `best`; what is there
    before is tried first if it is legal. Returns the value of the last; nothing if `w.stop` is set."""
    memory = Memory(
        stack.states, stack.buffer, stack.odds, stack.lower, stack.upper, scratch.rng, scratch.pay,
        transpositions.keys, transpositions.values, transpositions.hints, transpositions.notes,
    )  # fmt: skip
    root = state_at(game, stack.states, 0)
    found = 0.0
    for i in range(w.roots):
        if i > 0:
            w.nodes = 0
        copy_state(game, root, state_at(game, roots, i))
        w.best = best[i]
        found = value(game, w, memory, (ZERO, w.depth, w.seed, ZERO), actor(game, root), (w.alpha, w.beta), ZERO)
        best[i] = w.best
        if w.stop != 0:
            break
    return found


def words_of(game):
    return (game[SIZE] + 7) // 8


def state_at(game, states, level):
    """The address of the state on a level."""
    return address_of(states) + 8 * words_of(game) * level


def value(game, w, memory, at, who, window, probe):
    """The value of a node, where `who` is to move, in the window from alpha to beta; with `probe`, of its first move alone.

    Where the node stands is `at`: the level of its state, the decisions left to go, a hash of the line that led here, and where its moves
    begin on the stack. From the hash sampled outcomes are drawn: whenever and in whatever order a node is searched, its sample is the
    same, so that pruning does not change what ExpSS would find (sec. 6.3).
    """
    states, pay = memory.states, memory.pay
    keys, values, hints, notes = memory.keys, memory.values, memory.hints, memory.notes
    level, left, path, first = at
    alpha, beta = window
    s = state_at(game, states, level)
    w.nodes += 1
    w.deepest = max(w.deepest, level)
    if w.nodes > w.most:
        w.stop = NODES
        return 0.0
    if who == OVER:
        payoff(game, s, pay, 0)
        return pay[0]
    if left < 0 or (left == 0 and who >= 0 and who + w.alone < 2):
        w.horizon += 1
        if game[EVALUATE] == 0:
            w.stop = BLIND
            return 0.0
        evaluate(game, s, pay, 0)
        return min(max(pay[0], w.low), w.high)
    if level + 1 >= w.levels:
        w.stop = DEEP
    elif first + game[LIMIT] + w.width > w.room:
        w.stop = ROOM
    if w.stop != 0:
        return 0.0
    key = path
    slot = 0
    hint = w.best if level == 0 else -1
    if w.mask >= 0:
        state = path
        if w.endless != 0:
            state = position(game, s)
        elif w.width == 0:
            state = mix(state_key(words_of(game), s), CHANCE) if who == CHANCE else mix(infoset(game, s, who), who)
        key = mix(state, left)
        slot = place(key, w.mask)
        known = notes[slot] >= 0 and keys[slot] == key
        if known and level > 0:
            kind = notes[slot] & 3
            v = values[slot]
            if kind == EXACT or (kind == LOWER and v >= beta) or (kind == UPPER and v <= alpha):
                w.hits += 1
                w.horizon += notes[slot] >> 2
                return v
        if level > 0 and w.pruning != NOTHING:
            shallower = mix(state, left - 1)
            before = place(shallower, w.mask)
            if known:
                hint = hints[slot]
            elif notes[before] >= 0 and keys[before] == shallower:
                hint = hints[before]
    judged = w.horizon
    if who == CHANCE:
        v = chance_node(game, w, memory, at, window)
    else:
        v, hint = decision_node(game, w, memory, at, who, window, probe, hint)
    if level == 0:
        w.best = hint
    if w.mask >= 0 and probe == 0 and w.stop == 0:
        keys[slot] = key
        values[slot] = v
        hints[slot] = hint
        notes[slot] = LOWER if v >= beta else UPPER if v <= alpha else EXACT
        if w.horizon > judged:
            notes[slot] += 4
    return v


def decision_node(game, w, memory, at, who, window, probe, hint):
    """Max or Min: the value and the best move. `hint` is a move to try first.

    A later move must be better than the best so far, not as good: a value at the edge of the window is only a bound, and the
    move it belongs to may be worse than it says.
    """
    states, buffer = memory.states, memory.buffer
    level, left, path, first = at
    alpha, beta = window
    s = state_at(game, states, level)
    child = state_at(game, states, level + 1)
    n = moves(game, s, buffer, first)
    if n > game[LIMIT] or n < 1:
        w.stop = TOO_MANY if n > 0 else NO_MOVES
        w.culprit = n
        return 0.0, hint
    for i in range(1, n):
        if buffer[first + i] == hint:
            for j in range(i, 0, -1):
                buffer[first + j] = buffer[first + j - 1]
            buffer[first] = hint
    chosen = buffer[first]
    best = -np.inf if who == 0 else np.inf
    total = 0.0
    rest = left if who + w.alone == 2 else left - 1 + w.endless
    close = ROUNDING if w.mistakes > 0.0 else 0.0
    for i in range(1 if probe != 0 else n):
        move = buffer[first + i]
        copy_state(game, child, s)
        play(game, child, move)
        below = (level + 1, rest, mix(path, move), first + n)
        v = value(game, w, memory, below, actor(game, child), (alpha, beta), ZERO)
        if w.stop != 0:
            return 0.0, hint
        total += v
        if (v > best + close) if who == 0 else (v < best - close):
            best = v
            chosen = move
        if w.pruning != NOTHING:
            if who == 0:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if beta <= alpha:
                break
    return best + w.mistakes * total / n, chosen


def child_alpha(alpha, top, p, u):
    """What an outcome of probability p must exceed for the chance node to exceed alpha; `top` bounds the node, `u` the outcome."""
    return (alpha - top + p * u) / p


def child_beta(beta, bottom, p, l):  # noqa: E741
    """What an outcome must stay below for the chance node to stay below beta."""
    return (beta - bottom + p * l) / p


def chance_node(game, w, memory, at, window):
    """The mean over outcomes: Star2 (Algorithm 7), without the first phase Star1 (Algorithm 6), without bounds expectimax.

    What a probe returns outside its window is no bound, but taken for one it cannot lead to a cut: a lower bound of at most
    child_alpha keeps the node's lower bound at most alpha, whatever the other outcomes are worth.
    """
    states, buffer, odds, rng = memory.states, memory.buffer, memory.odds, memory.rng
    lower, upper = memory.lower, memory.upper
    level, left, path, first = at
    alpha, beta = window
    s = state_at(game, states, level)
    child = state_at(game, states, level + 1)
    n = chances(game, s, buffer, first, odds, first)
    if n > game[LIMIT] or n < 1:
        w.stop = TOO_MANY if n > 0 else NO_MOVES
        w.culprit = n
        return 0.0
    count = n if w.width == 0 else w.width
    above = first + max(n, count)
    bottom = w.low
    top = w.high
    total = 0.0
    for i in range(count):
        lower[first + i] = w.low
        upper[first + i] = w.high
    for phase in range(PROBE if w.pruning == STAR2 else FULL, FULL + 1):
        for i in range(count):
            outcome = i
            p = odds[first + i]
            if w.width > 0:
                rng[0] = mix(path, i)
                outcome = sample(odds, first, n, rng)
                p = 1.0 / count
            if p <= 0.0:
                continue
            l = lower[first + i]  # noqa: E741
            u = upper[first + i]
            if l == u and w.pruning >= STAR1:
                total += p * u if phase == FULL else 0.0
                continue
            copy_state(game, child, s)
            play(game, child, buffer[first + outcome])
            a = -np.inf
            b = np.inf
            if w.pruning >= STAR1:
                a = child_alpha(alpha, top, p, u)
                b = child_beta(beta, bottom, p, l)
                if max(w.low, a) >= min(w.high, b):
                    # the window was closed by nothing but rounding
                    return alpha if a >= w.high else beta
            after = actor(game, child)
            if phase == PROBE and after == CHANCE:
                continue
            rest = left - 1 + w.endless if after == CHANCE else left
            below = (level + 1, rest, mix(path, i), above)
            v = value(game, w, memory, below, after, (max(w.low, a), min(w.high, b)), FULL - phase)
            if w.stop != 0:
                return 0.0
            if w.pruning < STAR1:
                total += p * v
                continue
            # a probe bounds the value of a node from the side of its player; without moves to search it is the value
            known = phase == FULL or left == 0 or after == OVER
            if known or after == 0:
                bottom += p * (v - l)
                lower[first + i] = v
            if known or after == 1:
                top += p * (v - u)
                upper[first + i] = v
            if phase == FULL:
                total += p * v
                if v >= b:
                    return max(bottom, beta)
                if v <= a:
                    return min(top, alpha)
            elif bottom >= beta:
                return bottom
            elif top <= alpha:
                return top
    return total
