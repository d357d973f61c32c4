"""A game as kernels see it: an array of whole numbers that holds the addresses of its rules and a few sizes.

Kernels take it as `game: Ints` and call the functions below. A state is to them a handle, a whole number, and `state`
below is always one. They get it from an array of states, by `state_at` or `packed_at`, and hand it on. What it is, the
address of the state, and the positions in the table are known here alone.
"""

import numpy as np

from fogspiel.engine.alarm import PROMISED
from fogspiel.engine.primitives import (
    address_of,
    call,
    copy_bytes,
    ints_at,
    mix,
    pick,
    reals_at,
    uniform,
    unit,
    word_at,
)
from fogspiel.game.promises import PAYOFF as OUT_OF_RANGE
from fogspiel.game.rules import CHANCE, OVER

__all__ = [
    "CHANCE",
    "OVER",
    "Facts",
    "actor",
    "always_at_once",
    "behind",
    "bytes_key",
    "chances",
    "copies",
    "copy_state",
    "covariate",
    "cut",
    "episode",
    "evaluate",
    "follow",
    "game_at",
    "guide",
    "hold",
    "infoset",
    "known_key",
    "look",
    "markov",
    "mirror",
    "mix",
    "mix_words",
    "moves",
    "observe",
    "packed_at",
    "part",
    "payoff",
    "pick",
    "play",
    "play_out",
    "position",
    "private",
    "private_keys",
    "resample",
    "sample",
    "sees",
    "situation",
    "stage_goes_on",
    "starting_in",
    "state_at",
    "state_in",
    "state_key",
    "step",
    "strengths",
    "uniform",
    "unit",
    "words_of",
]

ACTOR, MOVES, OUTCOMES, PLAY, PAYOFF, INFOSET, RESAMPLE, EVALUATE, SIZE, PLAYERS, LIMIT, ROOT, ABSTRACT = range(13)
GUIDE, COVARIATE, MIRROR, EPISODE, PLAY_OUT, LOOK, STEP, PRIVATE, HOLD, PRIVATE_KEYS, STRENGTHS, DECK = range(13, 25)
POSITION, MARKOV, CUT, OBSERVE, LUMP, COPIES, PENDING, RANGES, RANGED, RING, SEES, ENTRIES = range(25, 37)

OUTSIDE = PROMISED + OUT_OF_RANGE
"""What an alarm is rung with where a payoff is outside what the game declares."""

LEVELS = 4096
"""Moves of a history that solvers and searches follow at most: each has its record."""
STOPPED = -1
"""What `play_out` returns of a game that is not over after the moves it was allowed."""
LONGEST = 1_000_000
"""Moves after which a playout is given up: a game that random play does not end."""

Facts = np.dtype([("who", "i8"), ("key", "i8")], align=True)
"""What `look` tells of a state beside its moves: who moves, and the key by which a player chooses its strategy. A
record that begins so will do."""


def starting_in(game: np.ndarray, root: np.ndarray) -> np.ndarray:
    """The table of the same game that starts in another state, by its bytes, which must outlive the table."""
    other = game.copy()
    other[ROOT] = address_of(root)
    return other


def actor(game, state):
    return call(game[ACTOR], 0, state)


def always_at_once(game, simultaneous):
    """Whether all decisions of a game are of stages in which players move at once, and none is made alone."""
    return simultaneous != 0 and game[PENDING] == 0


def stage_goes_on(game, state, simultaneous, before, after):
    """Whether players who move at once are still being asked, where `before` has moved and `after` is to move now: they
    are asked in their order. Only in a simultaneous game can it be so, and with the rule `pending` only where that says
    so. In Python, too."""
    if simultaneous == 0 or before < 0 or after <= before:
        return False
    return game[PENDING] == 0 or call(game[PENDING], 0, state) != 0


def moves(game, state, out, first):
    """Write the legal moves to out[first:], return how many."""
    return call(game[MOVES], 0, state, address_of(out) + 8 * first)


def chances(game, state, out, first, prob, start):
    """Write the outcomes of chance to out[first:] and their probabilities to prob[start:], return how many."""
    if game[OUTCOMES] != 0:
        return call(game[OUTCOMES], 0, state, address_of(out) + 8 * first, address_of(prob) + 8 * start)
    n = moves(game, state, out, first)
    for i in range(n):
        prob[start + i] = 1.0 / n
    return n


def play(game, state, move):
    call(game[PLAY], None, state, move)


def payoff(game, state, out, first):
    """Write each player's utility to out[first:]."""
    call(game[PAYOFF], None, state, address_of(out) + 8 * first)
    look_at_payoffs(game, state, out, first)


def look_at_payoffs(game, state, out, first):
    """Whether these are payoffs that the game declares; the alarm rings where they are not (`engine/alarm.py`)."""
    ranges = reals_at(game[RANGES])
    for player in range(game[RANGED]):
        if not abs(out[first + player] - ranges[2 * player]) <= ranges[2 * player + 1]:
            call(game[RING], None, OUTSIDE, state)


def infoset(game, state, player):
    return call(game[INFOSET], 0, state, player)


def situation(game, state, player):
    """The key by which a strategy is chosen: that of the game's abstraction, if it has one, else of the information
    set."""
    return call(game[ABSTRACT] if game[ABSTRACT] != 0 else game[INFOSET], 0, state, player)


def resample(game, state, player, rng):
    call(game[RESAMPLE], None, state, player, address_of(rng))


def evaluate(game, state, out, first):
    """Write a guess of each player's utility to out[first:]; only where game[EVALUATE] is not 0."""
    call(game[EVALUATE], None, state, address_of(out) + 8 * first)


def guide(game, state, out, first, prob, start):
    """As `chances`, for sensible play at a player's node; only where game[GUIDE] is not 0."""
    return call(game[GUIDE], 0, state, address_of(out) + 8 * first, address_of(prob) + 8 * start)


def covariate(game, state, move):
    """Whether an outcome of chance is the event that the game chose, minus its probability; only where game[COVARIATE]
    is not 0."""
    return call(game[COVARIATE], 0.0, state, move)


def mirror(game, state, move):
    """The antithetic partner of an outcome of chance; only where game[MIRROR] is not 0."""
    return call(game[MIRROR], 0, state, move)


def episode(game, state):
    """The label of the episode that begins in a state, or CONTINUES; only where game[EPISODE] is not 0."""
    return call(game[EPISODE], 0, state)


def position(game, state):
    """A key of all that the rest of the game depends on: the game's own, or one of the state's bytes."""
    if game[POSITION] != 0:
        return mix(call(game[POSITION], 0, state), 0)  # a word, as the other is
    return bytes_key(game, state)


def bytes_key(game, state):
    """A key of a state's bytes, which zeros must follow up to a whole number of words.

    They count by what they differ from the initial state's: so it does not matter where tables lie, whose addresses
    states hold.
    """
    whole = game[SIZE] // 8
    key = mix(0, words_of(game))
    for k in range(whole):
        key = mix(key, word_at(state, k) - word_at(game[ROOT], k))
    if whole < words_of(game):
        key = mix(key, word_at(state, whole))
    return key


def known_key(game, state, who):
    """A key of a state in which nothing is hidden: of what whoever moves there knows, which is all; where it is chance,
    of its position."""
    return mix(position(game, state), CHANCE) if who == CHANCE else mix(infoset(game, state, who), who)


def markov(game, state, lumped):
    """A key of the state without its history, as a word; lumped: the coarser one, where the game has it. Only where
    game[MARKOV] is not 0."""
    return mix(call(game[LUMP] if lumped and game[LUMP] != 0 else game[MARKOV], 0, state), 0)


def cut(game, state):
    """Whether a game that is over is so because it is cut off; only where game[CUT] is not 0."""
    return call(game[CUT], 0, state)


def observe(game, state, player):
    """A key of what a player always knows of the state without its history; only where game[OBSERVE] is not 0."""
    return call(game[OBSERVE], 0, state, player)


def copies(game, state, move):
    """In how many ways that others tell apart a move can be made."""
    return call(game[COPIES], 0, state, move) if game[COPIES] != 0 else 1


def sees(game, state, player, move):
    """A key of what a player sees of a move that is made in a state, 0 if nothing; the state is no more than room
    afterwards. Only where game[SEES] is not 0."""
    return call(game[SEES], 0, state, player, move)


def state_key(words, state):
    """A 64-bit key of a state's bytes, which must be followed by zeros up to a whole number of words."""
    return mix_words(mix(0, words), state, words)


def mix_words(key, address, count):
    """A key with so many words, from an address on, worked into it."""
    for k in range(count):
        key = mix(key, word_at(address, k))
    return key


def private(game, state, player, out, first, weight, start):
    """Write what a player may hold to out[first:] and its weights to weight[start:], return how many; only where
    game[PRIVATE] is not 0."""
    return call(game[PRIVATE], 0, state, player, address_of(out) + 8 * first, address_of(weight) + 8 * start)


def hold(game, state, player, outcome):
    """Put an outcome of private chance in a player's hand; only where game[HOLD] is not 0."""
    call(game[HOLD], None, state, player, outcome)


def private_keys(game, state, player, outcomes, first, count, out, start):
    """Write to out[start:] the keys that a player has with each of outcomes[first:first + count], the last of which it
    then holds; only where game[PRIVATE_KEYS] is not 0."""
    call(game[PRIVATE_KEYS], None, state, player, address_of(outcomes) + 8 * first, count, address_of(out) + 8 * start)


def strengths(game, state, player, outcomes, first, count, out, start):
    """The same for the strength of each outcome at the end of a game; only where game[STRENGTHS] is not 0."""
    call(game[STRENGTHS], None, state, player, address_of(outcomes) + 8 * first, count, address_of(out) + 8 * start)


def look(game, state, out, first, prob, start, facts):
    """Who moves, into facts.who; its moves, to out[first:], or chance's outcomes with their probabilities; the key by
    which a player chooses its strategy, into facts.key. Returns how many moves: 0 at the end of the game, whose
    utilities are then in prob[start:]."""
    n = call(game[LOOK], 0, state, address_of(out) + 8 * first, address_of(prob) + 8 * start, address_of(facts))
    if facts.who == OVER:
        look_at_payoffs(game, state, prob, start)
    return n


def follow(game, target, state, move):
    """Make `target` the state after a move."""
    copy_state(game, target, state)
    play(game, target, move)


def step(game, target, state, move, out, first, prob, start, facts):
    """Make `target` the state after a move at `state`, which may be the same, and `look` at it."""
    n = call(
        game[STEP], 0, target, state, move, address_of(out) + 8 * first, address_of(prob) + 8 * start, address_of(facts)
    )
    if facts.who == OVER:
        look_at_payoffs(game, target, prob, start)
    return n


def words_of(game):
    """How many words a state takes, padded to whole ones."""
    return (game[SIZE] + 7) // 8


def state_at(game, states, i):
    """The i-th of some states, each padded to whole words; a single state is the 0th of one."""
    return address_of(states) + 8 * words_of(game) * int(i)


def packed_at(game, states, i):
    """The i-th of some states that lie one behind another without padding."""
    return address_of(states) + i * game[SIZE]


def behind(game, state):
    """The place behind a state, of some that lie without padding."""
    return state + game[SIZE]


def state_in(words, begin):
    """The state that begins at a word of an array which holds other things, too."""
    return address_of(words) + 8 * int(begin)


def game_at(address):
    """The table of a game, for the rules of another whose states hold its address."""
    return ints_at(address)


def copy_state(game, target, source):
    copy_bytes(target, source, game[SIZE])


def sample(prob, start, n, rng):
    """An index below n drawn with the probabilities prob[start:start + n]."""
    # to look at all is faster than to stop: a processor that cannot foretell where a loop ends loses twenty steps there
    x = uniform(rng)
    i, below = 0, 0.0
    for k in range(n - 1):
        below += prob[start + k]
        i += int(x >= below)
    return i


def part(widths, start, n, x):
    """The index below n in whose part of the line x lies, parts that begin at 0 and are as wide as widths[start:start +
    n]."""
    i = 0
    while i < n - 1 and x >= widths[start + i]:
        x -= widths[start + i]
        i += 1
    # rounding may have led past the last part that has any width
    while i > 0 and widths[start + i] == 0.0:
        i -= 1
    return i


def play_out(game, state, out, prob, pay, rng, most):
    """Play at random, at most `most` moves (`game/rollout.py`). Returns how many ended the game, its utilities then in
    `pay`, or STOPPED."""
    length = call(game[PLAY_OUT], 0, state, address_of(out), address_of(prob), address_of(pay), address_of(rng), most)
    if length != STOPPED:
        look_at_payoffs(game, state, pay, 0)
    return length
