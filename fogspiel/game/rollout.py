"""More functions beside a game's rules: compiled with them, they call them directly.

A call through the game's table for each rule of each move would cost more than many rules do. Random play, in which
searches spend most of their time, is one function; so is looking at a state, and so is a step: a move, followed by a
look; and so are the keys, or the strengths, of all that a player may hold.
"""
# ruff: noqa: F821 (the names of the rules, which `composed` fills in)

from collections.abc import Mapping
from types import FunctionType

from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Int, Ints, Reals, Words
from fogspiel.engine.primitives import address_of, coming_word, copy_bytes, next_word, picked, promise, unbounded
from fogspiel.game.promises import TWICE, differ, drawn, drawn_evenly
from fogspiel.game.rules import CHANCE, OVER, Rule
from fogspiel.game.table import STOPPED

COMPOSED = (
    Rule("play_out", (("out", Ints), ("prob", Reals), ("pay", Reals), ("rng", Words), ("most", Int)), Int),
    Rule("look", (("out", Ints), ("prob", Reals), ("facts", Ints)), Int),
    Rule("step", (("source", Int), ("move", Int), ("out", Ints), ("prob", Reals), ("facts", Ints)), Int),
    Rule("private_keys", (("player", Int), ("outcomes", Ints), ("count", Int), ("keys", Ints)), None, beside="private"),
    Rule("strengths", (("player", Int), ("outcomes", Ints), ("count", Int), ("found", Ints)), None, beside="strength"),
)


def composed(rules: Mapping[str, Function], size: int) -> dict[str, Function]:
    """Functions made of the given rules, for a state of `size` bytes."""
    scope = dict(globals(), **rules, SIZE=size, EVEN="chance" not in rules)
    scope.setdefault("chance", rules["outcomes"])
    if "abstract" not in rules:
        scope["abstract"] = rules["infoset"]
    plain = {
        "play_out": _play_out,
        "look": _look,
        "step": _step,
        "private_keys": _private_keys,
        "strengths": _strengths,
    }
    wanted = [rule.name for rule in COMPOSED if not rule.beside or rule.beside in rules]
    made: dict[str, Function] = {name: FunctionType(plain[name].__code__, scope, name) for name in wanted}
    scope["look"] = made["look"]
    return made


def _look(s, out, prob, facts):
    """Who moves, into facts[0]; the moves or outcomes; the key by which a player chooses its strategy, into facts[1].

    Returns how many moves there are: 0 at the end of the game, whose utilities are then in `prob`.
    """
    who = actor(s)
    facts[0] = who
    if who == OVER:
        payoff(s, prob)
        return 0
    if who == CHANCE:
        return chance(s, out, prob)
    facts[1] = abstract(s, who)
    n = moves(s, out)
    promise(differ(out, n), TWICE)
    return n


def _step(s, source, move, out, prob, facts):
    """Make s the state after a move at `source`, which may be s itself, and look at it."""
    if source != address_of(s):
        copy_bytes(address_of(s), source, SIZE)
    play(s, move)
    return look(s, out, prob, facts)


def _private_keys(s, player, outcomes, count, keys):
    """The keys that a player has with each of so many outcomes of private chance, the last of which it then holds."""
    for i in range(count):
        hold(s, player, outcomes[i])
        keys[i] = infoset(s, player)


def _strengths(s, player, outcomes, count, found):
    """The same for the strength of each at the end of the game."""
    for i in range(count):
        hold(s, player, outcomes[i])
        found[i] = strength(s, player)


def _play_out(s, out, prob, pay, rng, most):
    """At most `most` moves: chance by its probabilities, a player's every move as likely; out[0] is the last one
    played.

    Returns how many moves ended the game, whose utilities are then in `pay`; STOPPED if it is not over.
    """
    length, found, word = 0, unbounded(out), coming_word(rng)
    while True:
        who = int(actor(s))
        if who == OVER:
            payoff(s, pay)
            return length
        if length >= most:
            return STOPPED
        if who != CHANCE:
            n = int(moves(s, out))
            i = picked(word, n)
        elif EVEN:
            n = int(moves(s, out))
            i = drawn_evenly(n, word)
        else:
            n = int(outcomes(s, out, prob))
            i = drawn(prob, n, word)
        found[0] = found[i]
        next_word(rng)
        # the next word takes longer than many a move, and is worked out while the processor waits to learn what the
        # move does
        word = coming_word(rng)
        play(s, found[0])
        length += 1
