"""Whether the words read from a checkpoint are a table of information sets of a game (`solvers/mccfr/table.py`): any
others would lead the traversal out of its memory, or into numbers that mean nothing."""

import random

import numpy as np

from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE
from fogspiel.solvers.mccfr.arena import AVERAGE, KEYED, MOVE, STAMPED
from fogspiel.solvers.mccfr.table import Table
from fogspiel.solvers.solver import LARGEST

GAMES = 64
"""Random games in which the moves of the table are compared with the game's."""


def table_flaw(table: Table, game: Game, done: int, visits: int) -> str:
    """What keeps a table whose nodes do not overlap from being one of the game's after so many iterations and
    traversals, or nothing."""
    found = table.contents()
    player, key, count, first = (found[name] for name in ("player", "key", "count", "first"))
    if len(player) < table.nodes or not np.all(player < game.players):
        return "an information set of a player whom the game does not have"
    if not np.all((count >= 2) & (count <= game.max_moves)):
        return "an information set with no choice, or with more moves than the game has"
    order = np.lexsort((key, player))
    if np.any((key[order][1:] == key[order][:-1]) & (player[order][1:] == player[order][:-1])):
        return "an information set that is there twice"
    for column in set(range(int(table.pool["columns"][0]))) - {MOVE}:
        values = table.column(column, count, first)
        if not np.all(np.abs(values) <= LARGEST) or (column == AVERAGE and not np.all(values >= 0)):
            return "regrets or averages that cannot be"
    moves, row = table.column(MOVE, count, first), np.repeat(np.arange(len(count)), count)
    order = np.lexsort((moves, row))
    if np.any((moves[order][1:] == moves[order][:-1]) & (row[order][1:] == row[order][:-1])):
        return "an information set with a move twice"
    return _header_flaw(table, player, count, first, done, visits) or _moves_flaw(table, game, found)


def _header_flaw(table: Table, player: np.ndarray, count: np.ndarray, first: np.ndarray, done: int, visits: int) -> str:
    """Of the words before the columns: when a node was visited, and the average from which it hangs."""
    header = int(table.pool["header"][0])
    node = first - header
    if header > KEYED:
        stamp = table.header("stamp", node).astype(np.int64)
        if not np.all((stamp >= 0) & (stamp < 1 << 31)) or (header > STAMPED and not np.all(stamp <= done)):
            return "an information set that was visited in the future"
    if header > STAMPED:
        parent, seen = table.header("parent", node).astype(np.int64), table.header("seen", node).astype(float)
        hangs = np.flatnonzero(parent != -1)
        above = np.searchsorted(first, parent[hangs], side="right") - 1
        at = parent[hangs] - first[above] - AVERAGE * count[above]
        own = (above >= 0) & (above < hangs) & (player[above] == player[hangs]) & (at >= 0) & (at < count[above])
        if not np.all(own):
            return "an information set that hangs from none"
        come = np.full(len(first), float(visits))
        come[hangs] = table.reals[parent[hangs]]
        if not np.all((seen >= 0) & (seen <= come * (1 + 1e-6))):  # rounded to 32 bits, it may be a little more
            return "an information set that has seen more than came to it"
    return ""


def _moves_flaw(table: Table, game: Game, found: dict[str, np.ndarray]) -> str:
    """Moves other than the game's, as far as a few random games come by them."""
    rows = {(p, k): i for i, (p, k) in enumerate(zip(found["player"].tolist(), found["key"].tolist(), strict=True))}
    draw = random.Random(1)
    for _ in range(GAMES):
        state = game.start()
        while not state.over:
            who, moves = state.actor, state.moves()
            row = rows.get((who, state.situation(who))) if who != CHANCE and len(moves) > 1 else None
            if row is not None:
                here = table.column(MOVE, found["count"][row : row + 1], found["first"][row : row + 1])
                if here.tolist() != moves:
                    return "moves other than the game's"
            state.play(draw.choice(moves))
    return ""
