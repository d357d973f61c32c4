"""Random play as one more function beside a game's rules: compiled with them, it calls them directly.

Searches and random playouts spend most of their time here, and a call through the game's table for each rule of each move
would cost more than many rules do.
"""
# ruff: noqa: F821 (the names of the rules, which `play_out_of` fills in)

from collections.abc import Mapping
from types import FunctionType

from fogspiel.engine.kinds import Int, Ints, Reals, Words
from fogspiel.engine.primitives import pick
from fogspiel.game.rules import CHANCE, OVER, Rule
from fogspiel.game.table import STOPPED, sample

PLAY_OUT = Rule("play_out", (("out", Ints), ("prob", Reals), ("pay", Reals), ("rng", Words), ("most", Int)), Int)


def play_out_of(rules: Mapping[str, FunctionType], limit: int) -> FunctionType:
    """Random play by the given rules, none of which may offer more than `limit` moves."""
    scope = dict(globals(), **rules, LIMIT=limit)
    if "chance" not in rules:
        scope["chance"] = FunctionType(_even_chance.__code__, scope, "chance")
    return FunctionType(_play_out.__code__, scope, "play_out")


def _play_out(s, out, prob, pay, rng, most):
    """At most `most` moves: chance by its probabilities, a player's every move as likely; out[0] is the last one played.

    Returns how many moves ended the game, whose utilities are then in `pay`; STOPPED if it is not over; or, of a state with
    n moves where that cannot be, -1 - n, and -2 for a state without moves.
    """
    length = 0
    while True:
        who = int(actor(s))
        if who == OVER:
            payoff(s, pay)
            return length
        if length >= most:
            return STOPPED
        n = int(chance(s, out, prob) if who == CHANCE else moves(s, out))
        if n < 1 or n > LIMIT:
            return -1 - max(n, 1)
        out[0] = out[sample(prob, 0, n, rng) if who == CHANCE else pick(rng, n)]
        play(s, out[0])
        length += 1


def _even_chance(s, out, prob):
    n = moves(s, out)
    for i in range(n):
        prob[i] = 1.0 / n
    return n
