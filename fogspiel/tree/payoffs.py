"""The payoff table laid out for speed: what a player's sequences are worth against the others' plans.

For two players, sequences whose entries are for the same sequences of the opponent form a *block*, a small dense
matrix: in liar's dice the six rolls behind one line of bids, in poker the hands of one rank. A block's values are
stored in panels of four rows, so that one vector instruction serves four sequences; equal blocks share their values.
Single rows, and games of another number of players, are summed entry by entry.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Ints32, Reals, Words
from fogspiel.engine.primitives import mix

PANEL = 4
FUSED = {"contract"}
"""Fused multiply-add is allowed, another order of summation is not: panels then vectorise across rows, and sums
repeat."""

Table: Any = Bundle(
    blocks=Ints,
    row_start=Ints,
    row=Ints32,
    column_start=Ints,
    column=Ints32,
    value_start=Ints,
    value=Reals,
)
"""`Payoffs` as kernels take them."""


@dataclass(frozen=True)
class Payoffs:
    """`blocks[p]:blocks[p + 1]` are player p's blocks. Block b has rows `row[row_start[b]:row_start[b + 1]]` and
    columns `column[column_start[b]:column_start[b + 1]]`; its values begin at `value[value_start[b]]`.

    With a number of players other than two, a block is one row, and each of its entries has players - 1 columns.
    """

    players: int
    blocks: np.ndarray
    row_start: np.ndarray
    row: np.ndarray
    column_start: np.ndarray
    column: np.ndarray
    value_start: np.ndarray
    value: np.ndarray

    @cached_property
    def bundle(self) -> Bundled:
        """For kernels."""
        return Bundled(Table, **{name: getattr(self, name) for name, _ in Table.members})

    @property
    def bytes(self) -> int:
        return sum(getattr(self, name).nbytes for name, _ in Table.members)


def pack(players: int, begin: np.ndarray, rows: np.ndarray, column: np.ndarray, value: np.ndarray) -> Payoffs:
    """Lay out a table given row by row: `rows[s]:rows[s + 1]` are the entries of sequence s."""
    used = np.flatnonzero(np.diff(rows))
    if players != 2:
        blocks = np.searchsorted(used, begin).astype(np.int64)
        start = np.append(rows[used], rows[-1]).astype(np.int64)
        return Payoffs(players, blocks, np.arange(len(used) + 1), used.astype(np.int32), start, column, start, value)
    hashes = np.zeros(len(used), np.uint64)
    hash_rows(len(used), used.astype(np.int32), rows, column, hashes)
    owner = np.searchsorted(begin, used, side="right") - 1
    order = np.lexsort((used, hashes, owner))
    used, hashes, owner = used[order], hashes[order], owner[order]
    fresh = np.ones(len(used), bool)
    fresh[1:] = (hashes[1:] != hashes[:-1]) | (owner[1:] != owner[:-1])
    row_start = np.append(np.flatnonzero(fresh), len(used)).astype(np.int64)
    # blocks in the order of their first rows, so that a walk over them moves through memory in one direction
    sort = np.lexsort((used[row_start[:-1]], owner[row_start[:-1]]))
    heights = np.diff(row_start)[sort]
    row = used[ranges(row_start[:-1][sort], heights)].astype(np.int32)
    row_start = np.append(0, np.cumsum(heights)).astype(np.int64)
    lead = row[row_start[:-1]] if len(sort) else row
    widths = (rows[lead + 1] - rows[lead]).astype(np.int64)
    column_start = np.append(0, np.cumsum(widths)).astype(np.int64)
    sizes = np.where(heights < PANEL - 1, heights, -(-heights // PANEL) * PANEL) * widths
    value_start = np.append(0, np.cumsum(sizes)).astype(np.int64)
    columns, values = np.zeros(column_start[-1] + 1, np.int32), np.zeros(value_start[-1] + 1)
    fill(len(sort), row_start, row, column_start, columns, value_start, values, rows, column, value)
    value_start, values = _share(heights, widths, value_start, values)
    blocks = np.searchsorted(owner[fresh][sort], np.arange(players + 1)).astype(np.int64)
    return Payoffs(players, blocks, row_start, row, column_start, columns, value_start, values)


def _share(
    heights: np.ndarray, widths: np.ndarray, start: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Store the values of equal blocks once."""
    hashes = np.zeros(len(heights), np.uint64)
    hash_values(len(heights), start, values.view(np.uint64), hashes)
    _, first, which = np.unique(
        np.stack([hashes, heights.astype(np.uint64), widths.astype(np.uint64)]),
        axis=1,
        return_index=True,
        return_inverse=True,
    )
    order = np.sort(first)
    sizes = np.diff(start)[order]
    moved = np.append(0, np.cumsum(sizes))
    kept = np.append(values[ranges(start[:-1][order], sizes)], 0.0)
    position = np.empty(len(first), np.int64)
    position[np.argsort(first)] = moved[:-1]
    return position[np.ravel(which)], kept


def ranges(start: np.ndarray, count: np.ndarray) -> np.ndarray:
    """start[0], start[0] + 1, ... (count[0] of them), then the same for start[1], and so on."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(np.asarray(start, np.int64) - (ends - count), count)


@kernel
def hash_rows(count: Int, used: Ints32, rows: Ints32, column: Ints32, out: Words) -> None:
    for i in range(count):
        for k in range(rows[used[i]], rows[used[i] + 1]):
            out[i] = mix(out[i], column[k])


@kernel
def hash_values(count: Int, start: Ints, bits: Words, out: Words) -> None:
    """A hash of each block's values, given as the bits of the reals."""
    for i in range(count):
        for k in range(start[i], start[i + 1]):
            out[i] = mix(out[i], bits[k])


@kernel
def fill(
    count: Int,
    row_start: Ints,
    row: Ints32,
    column_start: Ints,
    columns: Ints32,
    value_start: Ints,
    values: Reals,
    rows: Ints32,
    column: Ints32,
    value: Reals,
) -> None:
    """Copy each block's columns and values to their places."""
    for b in range(count):
        height = row_start[b + 1] - row_start[b]
        width = column_start[b + 1] - column_start[b]
        for c in range(width):
            columns[column_start[b] + c] = column[rows[row[row_start[b]]] + c]
        for r in range(height):
            source = rows[row[row_start[b] + r]]
            for c in range(width):
                if height < PANEL - 1:
                    place = r * width + c
                else:
                    place = (r // PANEL * width + c) * PANEL + r % PANEL
                values[value_start[b] + place] = value[source + c]


@kernel(fastmath=FUSED)
def multiply(player: Int, players: Int, payoffs: Table, plan: Reals, out: Reals, panel: Reals) -> None:
    """out[s] += what sequence s of the player is worth against the others' plans. Scratch: `panel`."""
    products(player, players, payoffs, plan, out, panel)


def products(player, players, payoffs, plan, out, panel):
    row, column, value = payoffs.row, payoffs.column, payoffs.value
    for b in range(payoffs.blocks[player], payoffs.blocks[player + 1]):
        low = payoffs.row_start[b]
        high = payoffs.row_start[b + 1]
        first = payoffs.column_start[b]
        last = payoffs.column_start[b + 1]
        at = payoffs.value_start[b]
        if players != 2:
            total = 0.0
            for k in range(first, last):
                product = value[at + k - first]
                for j in range(k * (players - 1), (k + 1) * (players - 1)):
                    product *= plan[column[j]]
                total += product
            out[row[low]] += total
        elif high - low < PANEL - 1:
            for r in range(low, high):
                total = 0.0
                for k in range(first, last):
                    total += value[at + k - first] * plan[column[k]]
                at += last - first
                out[row[r]] += total
        else:
            for r in range(low, high, PANEL):
                sum0 = 0.0
                sum1 = 0.0
                sum2 = 0.0
                sum3 = 0.0
                for k in range(first, last):
                    x = plan[column[k]]
                    sum0 += value[at] * x
                    sum1 += value[at + 1] * x
                    sum2 += value[at + 2] * x
                    sum3 += value[at + 3] * x
                    at += PANEL
                panel[0] = sum0
                panel[1] = sum1
                panel[2] = sum2
                panel[3] = sum3
                for i in range(r, min(r + PANEL, high)):
                    out[row[i]] += panel[i - r]
