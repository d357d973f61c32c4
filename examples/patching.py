"""Patching: an intruder takes over machines, and an administrator, who cannot see which, cleans one each round.

Each round the intruder (player 0) attacks a machine and the administrator (player 1) cleans one, at the same time. The
attacked machine is then taken, unless it was the one that was cleaned. After every round the intruder is paid 1 for
each machine that it holds. This goes on for ever; here it is cut off after `rounds` rounds, and all payoffs are
multiplied by `discount` once a round.
"""

import numpy as np

from fogspiel.game import OVER, About, Number, Whole, count_bits, mix, pick

INTRUDER, ADMINISTRATOR = 0, 1
NONE = -1
LONGEST = 20
PARAMETERS = (
    Whole("machines", 2, 2, 6, "how many machines there are"),
    Whole("rounds", 3, 1, LONGEST, "after how many rounds the game is cut off"),
    Number("discount", 0.9, 0, 1, "what a payoff is multiplied by for each round"),
)
State = np.dtype(
    [
        ("machines", "i1"),
        ("rounds", "i1"),
        ("discount", "f8"),
        ("round", "i1"),
        ("pending", "i1"),
        ("weight", "f8"),
        ("paid", "f8"),
        ("attacked", "i1", LONGEST),
        ("cleaned", "i1", LONGEST),
        ("seen", "u8", 2),
    ],
    align=True,
)


def about(machines, rounds, discount):
    most = machines * sum(discount**k for k in range(1, rounds + 1))
    return About(ranges=((0, most), (-most, 0)), simultaneous=True, horizon="rounds", discount="discount")


def start(s):
    s.round, s.pending, s.weight, s.paid = 0, NONE, 1.0, 0.0
    s.seen[0], s.seen[1] = 0, 0


def actor(s):
    if s.round == s.rounds:
        return OVER
    return INTRUDER if s.pending == NONE else ADMINISTRATOR


def moves(s, out):
    for machine in range(s.machines):
        out[machine] = machine
    return s.machines


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    s.attacked[s.round], s.cleaned[s.round] = s.pending, move
    s.seen[INTRUDER] = mix(mix(s.seen[INTRUDER], s.pending), move)
    s.seen[ADMINISTRATOR] = mix(s.seen[ADMINISTRATOR], move)
    s.pending = NONE
    s.round += 1
    s.weight *= s.discount
    s.paid += s.weight * count_bits(taken(s))


def taken(s):
    """The machines that the intruder holds, as a set."""
    held = 0
    for k in range(s.round):
        held = (held | 1 << s.attacked[k]) & ~(1 << s.cleaned[k])
    return held


def payoff(s, out):
    out[INTRUDER] = s.paid
    out[ADMINISTRATOR] = -s.paid


def infoset(s, player):
    """The intruder sees what is cleaned; the administrator knows its own moves, and at the end everything."""
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == INTRUDER else 1
    return mix(s.seen[INTRUDER] if player == INTRUDER or s.round == s.rounds else s.seen[ADMINISTRATOR], pending)


def resample(s, player, rng):
    """To the administrator any attacks are possible, each as likely."""
    if player == INTRUDER or s.round == s.rounds:
        return
    s.seen[INTRUDER], s.paid, weight = 0, 0.0, 1.0
    rounds = s.round + 0
    s.round = 0
    for k in range(rounds):
        s.attacked[k] = pick(rng, s.machines)
        s.seen[INTRUDER] = mix(mix(s.seen[INTRUDER], s.attacked[k]), s.cleaned[k])
        s.round += 1
        weight *= s.discount
        s.paid += weight * count_bits(taken(s))
    if s.pending != NONE:
        s.pending = pick(rng, s.machines)


def markov(s):
    """All that follows depends on the machines that are taken."""
    return taken(s)


def cut(s):
    return s.round == s.rounds


def observe(s, player):
    """The administrator never learns anything of them."""
    return taken(s) if player == INTRUDER else 0


def short_form(s):
    return f"{taken(s):0{s.machines}b}"


def move_name(s, move):
    return f"{'attack' if s.pending == NONE else 'clean'} {move}"
