"""Proven values in a tree search (MCTS-Solver, Winands et al. 2008), for any number of players and any utilities.

The end of a game proves the move that led to it. A node is proven when one of its moves is proven to give the player to move the
most there is, or when all its moves are proven, and is worth what the best of them is worth to that player (max^n); chance's node
when all outcomes are, and is worth their mean. Proven nodes are searched no more, and what a walk brings back from them is
their value. That holds where a node is one state, so its `print` tells states apart.

`proof` holds one number for each player and slot, not a number where nothing is proven; a node's `settled` its best slot, or -1.
"""

import math

from fogspiel.engine.primitives import mix, whole_at
from fogspiel.game.rules import CHANCE


def begin_proofs(here, players, room, proof, print_):
    """Nothing is proven yet at a new node with `room` slots, for the state with this print."""
    here.print = print_
    for k in range(here.first, here.first + room):
        proof[k * players] = math.nan


def fingerprint(s, size):
    """A hash of a state's bytes."""
    word = mix(0, size)
    for k in range(size // 8):
        word = mix(word, whole_at(s, k))
    left = size % 8
    if left > 0:
        word = mix(word, whole_at(s, size // 8) & ((1 << 8 * left) - 1))
    return word


def open_moves(m, slot, who, players, low, proof):
    """Leave out of slot[0:m] the moves that need no more search: those proven to be worth the least there is, or no more than
    another that is proven. Returns how many stay; if none would, all do."""
    best = low
    for j in range(m):
        worth = proof[slot[j] * players]
        if worth == worth:
            best = max(best, proof[slot[j] * players + who])
    stay = 0
    taken = False
    for j in range(m):
        k = slot[j]
        unproven = proof[k * players] != proof[k * players]
        if unproven or (not taken and best > low and proof[k * players + who] == best):
            taken = taken or not unproven
            slot[stay] = k
            stay += 1
    return stay if stay > 0 else m


def prove(here, chosen, players, high, slots, proof, pay):
    """Write down that slot `chosen` of a node is worth `pay`. If that proves the node, put what the node is worth in `pay`, and say so."""
    if chosen < 0:
        return False
    for p in range(players):
        proof[chosen * players + p] = pay[p]
    who = here.owner
    all_ = True
    best = chosen
    for k in range(here.first, here.first + here.used):
        if proof[k * players] != proof[k * players]:
            all_ = False
        elif who != CHANCE and proof[k * players + who] > proof[best * players + who]:
            best = k
    if not all_ and (who == CHANCE or proof[best * players + who] < high):
        return False
    here.settled = best
    return tell_proof(here, players, slots, proof, pay)


def tell_proof(here, players, slots, proof, pay):
    """Write to `pay` what a proven node is worth; always True."""
    for p in range(players):
        if here.owner != CHANCE:
            pay[p] = proof[here.settled * players + p]
        else:
            pay[p] = 0.0
            for k in range(here.first, here.first + here.used):
                pay[p] += slots[k].strategy * proof[k * players + p]
    return True
