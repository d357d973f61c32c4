"""What the rules of a game promise, looked at wherever they run.

Each rule that can be wrong without a crash is compiled with a look at what it says (`engine/alarm.py` tells what
happens where that is broken): somebody who is there moves, the moves have room, the probabilities of chance are some,
payoffs are numbers that balance, a redraw (one in some) leaves what its player knows. What a game may pay hangs on its
parameters, and all sizes of a game share their code: so that is looked at by kernels (`game/table.py`).
"""
# ruff: noqa: F821 (the names of the rules, which `promised` fills in)

from collections.abc import Mapping
from types import FunctionType

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import inlined
from fogspiel.engine.primitives import mix, promise, unbounded, unit
from fogspiel.game.rules import OVER

ACTOR, COUNT, ODDS, GUESS, KEPT, PAYOFF, BALANCE, TWICE = range(8)
"""What may be broken."""

CLOSE = 1e-9
"""Payoffs and probabilities may be this far off what they should be."""

SELDOM = 60
"""Redraws are looked at where the bits of the random state above this one are 0, one in sixteen: to make the player's
key before and after takes as long as many a redraw, and a rule that goes wrong is met soon all the same."""

SURE = 1e-3
"""By how much of an outcome's probability a sum of probabilities may be wrong at most: that many are summed up."""

UNWRITTEN = float("nan")
"""What stands for a payoff before the rule writes it."""

SAID = {
    ACTOR: ("actor", "names nobody who is there"),
    COUNT: ("moves", "gives no move, or more moves than there is room for"),
    ODDS: ("chance", "gives probabilities that are none, or do not sum to 1"),
    GUESS: ("evaluate", "gives a guess that is no finite number"),
    KEPT: ("resample", "changes what the player knows"),
    PAYOFF: ("payoff", "gives a payoff that is no finite number, or outside what About declares"),
    BALANCE: ("payoff", "gives payoffs that do not sum to 0, as About declares (zero_sum)"),
    TWICE: ("moves", "lists a move more than once"),
}
"""The rule that breaks it, and how."""


def promised(rules: Mapping[str, Function], limit: int, players: int, zero_sum: bool) -> dict[str, Function]:
    """The rules, those that are looked at in their new form, of a game of so many players with at most `limit` moves;
    and `outcomes`, what chance may do with probabilities that are yet to be looked at."""
    scope = globals() | {f"own_{name}": rule for name, rule in rules.items()}
    scope |= {"LIMIT": limit, "PLAYERS": players, "ZERO_SUM": zero_sum}
    scope["largest_of"] = FunctionType(largest_of.__code__, scope, "largest_of")
    made = {n: FunctionType(f.__code__, scope, n) for n, f in _LOOKED_AT.items() if n in rules}
    scope["moves"] = made["moves"]
    made["outcomes"] = FunctionType((_outcomes if "chance" in rules else _even_outcomes).__code__, scope, "outcomes")
    scope["outcomes"] = made["outcomes"]
    for function in (*made.values(), *(rules[name] for name in ("play", *made) if name in rules)):
        inlined(function)
    return {**rules, **made}


def _actor(s):
    who = own_actor(s)
    promise((who >= OVER) & (who < PLAYERS), ACTOR)
    return who


def _moves(s, out):
    n = own_moves(s, out)
    promise((n > 0) & (n <= LIMIT), COUNT)
    return n


def _chance(s, out, prob):
    n = outcomes(s, out, prob)
    promise(are_odds(prob, n), ODDS)
    return n


def _outcomes(s, out, prob):
    """As `chance`, but the probabilities are yet to be looked at."""
    n = own_chance(s, out, prob)
    promise((n > 0) & (n <= LIMIT), COUNT)
    return n


def _even_outcomes(s, out, prob):
    """Outcomes that are each as likely."""
    n = moves(s, out)
    prob = unbounded(prob)
    for i in range(n):
        prob[i] = 1.0 / n
    return n


def _guide(s, out, prob):
    n = own_guide(s, out, prob)
    promise((n > 0) & (n <= LIMIT), COUNT)
    promise(are_odds(prob, n), ODDS)
    return n


def are_odds(prob, n):
    """Whether these are probabilities that sum to 1: with one below 0, what they are without their signs would sum to
    more. Two sums at a time, since each waits for its last step."""
    prob = unbounded(prob)
    even, odd = 0.0, 0.0
    for i in range(0, n - 1, 2):
        even += abs(prob[i])
        odd += abs(prob[i + 1])
    if n % 2 == 1:
        even += abs(prob[n - 1])
    return abs(even + odd - 1.0) <= CLOSE


def drawn(prob, n, word):
    """As `sample` (`game/table.py`), by a random word, from the probabilities of n outcomes, which are looked at on the
    way."""
    prob = unbounded(prob)
    x = unit(word)
    i, below = 0, 0.0
    for k in range(n - 1):
        below += abs(prob[k])
        i += int(x >= below)
    promise(abs(below + abs(prob[n - 1]) - 1.0) <= CLOSE, ODDS)
    return i


def drawn_evenly(n, word):
    """The same of n outcomes that are each as likely, without their probabilities: only where the sums of those lie
    next to the random number does rounding decide."""
    x = unit(word)
    i = int(x * n)
    if SURE < x * n - i < 1.0 - SURE:
        return i
    i, below = 0, 0.0
    for _ in range(n - 1):
        below += 1.0 / n
        i += int(x >= below)
    return i


def _resample(s, player, rng):
    looks = rng[0] >> SELDOM == 0
    before = mix(own_infoset(s, player), 0) if looks else mix(0, 0)
    own_resample(s, player, rng)
    if looks:
        promise(mix(own_infoset(s, player), 0) == before, KEPT)


def _payoff(s, out):
    for player in range(PLAYERS):
        out[player] = UNWRITTEN
    own_payoff(s, out)
    total = 0.0
    for player in range(PLAYERS):
        total += out[player]
    if not ZERO_SUM:
        promise(is_finite(total), PAYOFF)
    elif not abs(total) <= CLOSE:  # nor if one is no number, or infinite
        promise(abs(total) <= CLOSE * largest_of(out), BALANCE)


def largest_of(out):
    largest = 0.0
    for player in range(PLAYERS):
        promise(is_finite(out[player]), PAYOFF)
        largest = max(largest, abs(out[player]))
    return largest


def _evaluate(s, out):
    for player in range(PLAYERS):
        out[player] = UNWRITTEN
    own_evaluate(s, out)
    for player in range(PLAYERS):
        promise(is_finite(out[player]), GUESS)


def differ(out, n):
    """Whether no move stands beside itself."""
    out = unbounded(out)
    alike = 0
    for i in range(1, n):
        alike += int(out[i] == out[i - 1])
    return alike == 0


def is_finite(x):
    return x - x == 0.0


_LOOKED_AT = {
    "actor": _actor,
    "moves": _moves,
    "chance": _chance,
    "guide": _guide,
    "resample": _resample,
    "payoff": _payoff,
    "evaluate": _evaluate,
}
