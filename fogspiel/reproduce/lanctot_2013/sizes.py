"""The sizes of games that are too large to unroll (Lanctot 2013, Table 5.1), counted from what each player knows."""

from math import comb
from typing import Any

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Record, Words
from fogspiel.games.phantom_tic_tac_toe import PARAMETERS, State, abstract, note

ABSTRACTIONS = next(p.choices for p in PARAMETERS if p.name == "abstraction")
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
MOST = 128
"""Boards of the other player that may fit: at most 126, four stones on nine squares."""


def bluff_sizes(dice: tuple[int, int], faces: int, r: int) -> tuple[int, int]:
    """Information sets and pairs of bluff when each player knows its roll and the last r bids, by counting chains of
    bids.

    With fewer than r bids their number tells whose turn it is; with r of them there may have been others before, unless
    the lowest is the first bid of all.
    """
    bids = faces * sum(dice)
    sets = pairs = 0
    for player, mine in enumerate(dice):
        rolls = comb(mine + faces - 1, faces - 1)
        for known in range(r + 1):
            for low in range(1, bids + 1) if known else [0]:
                for top in range(low, bids + 1) if known > 1 else [low]:
                    chains = comb(top - low - 1, known - 2) if known > 1 and top > low else int(known <= 1)
                    if known % 2 == player or (known == r and low > 1):
                        sets += chains * rolls
                        pairs += chains * rolls * (bids - top + (known > 0))
    return sets, pairs


def phantom_sizes() -> dict[str, tuple[int, int]]:
    """Information sets and (information set, action) pairs of phantom tic-tac-toe, by abstraction."""
    line = np.array([int(any(mask & row == row for row in LINES)) for mask in range(512)])
    sets, pairs = dict.fromkeys(ABSTRACTIONS, 0), dict.fromkeys(ABSTRACTIONS, 0)
    for player, room in ((0, 3_700_000), (1, 2_400_000)):
        s = np.zeros(1, State)
        s["board"], s["result"], s["retry"], s["turns"] = -1, -1, 1, player
        boards, fit = np.zeros(12 * MOST, np.int64), np.zeros(12, np.int64)
        first = [0] if player == 0 else [1 << square for square in range(9)]
        boards[: len(first)], fit[0] = first, len(first)
        keys, moves = np.zeros((room, len(ABSTRACTIONS)), np.uint64), np.zeros(room, np.int64)
        n = enumerate_tries(
            player,
            len(ABSTRACTIONS),
            s,
            np.zeros(36, np.uint64),
            boards,
            fit,
            np.zeros(12, np.int64),
            line,
            keys.ravel(),
            moves,
        )
        for a, name in enumerate(ABSTRACTIONS):
            _, at = np.unique(keys[:n, a], return_index=True)
            sets[name] += len(at)
            pairs[name] += int(moves[at].sum())
    return {name: (sets[name], pairs[name]) for name in ABSTRACTIONS}


Position: Any = Record(State)


@kernel
def enumerate_tries(
    player: Int,
    abstractions: Int,
    s: Position,
    before: Words,
    boards: Ints,
    fit: Ints,
    done: Ints,
    line: Ints,
    keys: Words,
    moves: Ints,
) -> Int:
    """Every sequence of tries of a player after which it is to try again, with its key in each abstraction.

    boards[MOST * d:][:fit[d]] are the stones that the other may have when d squares have been tried, as bits; done[d]
    counts the (square, outcome) pairs gone through there, -1 on arrival; before[3 * d:] is what a try changes. Returns
    how many.
    """
    found = 0
    d = 0
    done[0] = -1
    while d >= 0:
        if done[d] < 0:
            for a in range(abstractions):
                s.abstraction = a
                keys[abstractions * found + a] = abstract(s, player)
            moves[found] = 9 - d
            found += 1
            done[d] = 0
        if done[d] == 18:
            d -= 1
            if d >= 0:
                take_back(s, player, (done[d] - 1) // 2, before, d)
            continue
        square = done[d] // 2
        success = done[d] % 2
        done[d] += 1
        if s.when[9 * player + square] == 0:
            below = MOST * (d + 1)
            fit[d + 1] = 0
            for b in range(MOST * d, MOST * d + fit[d]):
                if (boards[b] >> square) & 1 != success:
                    boards[below + fit[d + 1]] = boards[b]
                    fit[d + 1] += 1
            if fit[d + 1] > 0:
                before[3 * d] = s.tries[player]
                before[3 * d + 1] = s.order[player]
                before[3 * d + 2] = s.turns
                s.board[square] = player if success else 1 - player
                note(s, player, square, s.turns + 1)
                if success:
                    own = stones(s, player)
                    s.turns += 2
                    fit[d + 1] = 0 if line[own] else answer(own, boards, below, fit[d + 1], line)
                if fit[d + 1] > 0:
                    d += 1
                    done[d] = -1
                else:
                    take_back(s, player, square, before, d)
    return found


def stones(s, player):
    mask = 0
    for square in range(9):
        if s.board[square] == player:
            mask |= 1 << square
    return mask


def answer(own, boards, start, n, line):
    """The other puts a stone on any empty square; only boards after which the game goes on are kept. Returns how
    many."""
    spare = 11 * MOST
    kept = 0
    for b in range(start, start + n):
        for square in range(9):
            mask = boards[b] | (1 << square)
            if mask != boards[b] and (own >> square) & 1 == 0 and line[mask] == 0 and mask | own != 511:
                new = True
                for other in range(spare, spare + kept):
                    new = new and boards[other] != mask
                if new:
                    boards[spare + kept] = mask
                    kept += 1
    for b in range(kept):
        boards[start + b] = boards[spare + b]
    return kept


def take_back(s, player, square, before, d):
    s.board[square] = -1
    s.when[9 * player + square] = 0
    s.tries[player] = before[3 * d]
    s.order[player] = int(before[3 * d + 1])
    s.turns = int(before[3 * d + 2])
