"""Random numbers of a match, each from a stream of its own: chance of a deal, the agent in a seat, what a seat is
shown.

Whoever knows a match's seed can make all of them again. Nobody can from what an agent is given: every stream comes from
a secret by keyed BLAKE2b (Saarinen & Aumasson 2015, RFC 7693), which does not run backwards, where the generators of
searches (splitmix64) do. A seed that can be guessed is no secret, though: an agent tries what comes to mind until it
finds its own. So a match whose seed is not given takes a `fresh` one.
"""

import secrets
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from fogspiel import given


def fresh() -> int:
    """A seed that nobody can guess: 64 random bits of the operating system's."""
    return secrets.randbits(64)


def secret(seed: int) -> bytes:
    """What all streams of a match, or of one game, are derived from."""
    return blake2b(str(int(seed)).encode(), person=b"fogspiel secret").digest()


def derived(key: bytes, stream: str, number: int) -> int:
    """64 random bits: number so-and-so of the stream of that name."""
    word = blake2b(f"{stream} {number}".encode(), key=key, digest_size=8, person=b"fogspiel stream")
    return int.from_bytes(word.digest(), "little")


class Chance:
    """The chance of a deal. Outcomes, whoever sees them, tell nothing of those to come. `first` are outcomes that are
    not drawn but given."""

    def __init__(self, deal: int, first: Sequence[int] = ()):
        self._key, self._drawn, self._first = secret(deal), 0, first

    def draw(self, outcomes: list[tuple[int, float]]) -> int:
        """One of the outcomes, each with its probability. Raises SpecError where the one that was given is none of
        them."""
        self._drawn += 1
        if self._drawn <= len(self._first):
            return given.move([move for move, _ in outcomes], self._first[self._drawn - 1], "dealt")
        x = (derived(self._key, "chance", self._drawn) >> 11) * (1.0 / (1 << 53))
        for move, p in outcomes:
            if x < p:
                return move
            x -= p
        return outcomes[-1][0]


def of_seats(seed: int, players: int) -> list[tuple[int, np.ndarray]]:
    """For each seat of a game with this seed its agent's seed, and the generator of the states that it is shown."""
    key = secret(seed)
    return [(derived(key, "agent", seat), np.array([derived(key, "veil", seat)], np.uint64)) for seat in range(players)]


def agent_seed(seed: int, seat: int) -> int:
    """What the agent in a seat is given at the start of a game with this seed."""
    return derived(secret(seed), "agent", seat)


def telling(seed: int, seat: int, decision: int) -> np.ndarray:
    """The generator by which it is found out what a seat may be told at a decision of its own."""
    return np.array([derived(secret(seed), f"told {seat}", decision)], np.uint64)


def veil(seed: int, seat: int) -> np.ndarray:
    """The generator of the states that a seat is shown. One a seat: it must not tell how often another has been
    asked."""
    return np.array([derived(secret(seed), "veil", seat)], np.uint64)
