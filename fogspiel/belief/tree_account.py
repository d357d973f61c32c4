"""What the owners of a tree's information sets have seen on the way there (`belief/account.py`), from all histories of
each."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.belief.account import Account, Event
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Words
from fogspiel.game.state import State
from fogspiel.game.table import PLAYERS, ROOT, copy_state, infoset, mix, packed_at, play
from fogspiel.tree.tree import Tree
from fogspiel.tree.unroll import HistoryArrays

Told: Any = Bundle(depth=Ints32, line=Words, key=Words, event=Ints32, trail=Words)
"""Of each history how many moves were made, and which ones the players made; for each player its key, the last history
on the way there that an event led to (0: none yet), and a hash of its trail."""


class TreeAccounts:
    """Accounts on a tree that has its histories. `depth` and `line` say of each history how many moves were made, and
    which ones the players made, chance left out, as a 64-bit hash."""

    def __init__(self, tree: Tree):
        assert tree.histories is not None  # it was unrolled with them
        self.tree, self.histories = tree, tree.histories
        n, players, size = tree.size, tree.game.players, tree.game.dtype.itemsize
        self.depth, self.line = np.zeros(n, np.int32), np.zeros(n, np.uint64)
        self.key, self.trail = np.zeros((n, players), np.uint64), np.zeros((n, players), np.uint64)
        self.event = np.zeros((n, players), np.int32)
        told = Bundled(Told, **{name: getattr(self, name) for name, _ in Told.members})
        recount(tree.game.table, n, self.histories.bundle, np.zeros((tree.depth + 2) * size, np.int8), told)
        tree.game.finish()

    def visit(self, histories: Sequence[int]) -> Iterator[tuple[int, State]]:
        """The states of the histories, and of those on the way to them, in the order of the tree. A state is lent until
        the next one."""
        parent, move = self._parent, self.histories.move
        wanted: set[int] = set()
        for at in histories:
            while at >= 0 and at not in wanted:
                wanted.add(at)
                at = parent[at]
        path: list[tuple[int, State]] = []
        for at in sorted(wanted):
            above = parent[at]
            while path and path[-1][0] != above:
                path.pop()
            state = path[-1][1].copy() if path else self.tree.game.start()
            if path:
                state.force(int(move[at]))
            path.append((at, state))
            yield at, state

    def accounts(self, places: Sequence[tuple[int, np.ndarray]]) -> list[tuple[Account, ...]]:
        """For each player and the histories of one of its information sets: the account of every way there, in the
        order in which the histories come."""
        ways = [self._ways(player, members) for player, members in places]
        names = self._names({h for found in ways for way in found for at in way for h in at})
        return [
            tuple(self._account(player, way, names) for way in found)
            for (player, _), found in zip(places, ways, strict=True)
        ]

    def alternatives(self, places: Sequence[tuple[int, np.ndarray]]) -> list[list[tuple[tuple[str, int], ...]]]:
        """For each player and the histories of one of its information sets: what each event of the first way there may
        have been, the moves' names and numbers, in the order of the numbers."""
        ways = [self._ways(player, members)[0] for player, members in places]
        names = self._names({h for way in ways for at in way for h in at})
        return [[tuple(sorted({names[h][1:] for h in at}, key=lambda said: said[1])) for at in way] for way in ways]

    @cached_property
    def _parent(self) -> list[int]:
        # item by item, a list is read many times as fast as an array
        return self.histories.parent.tolist()

    @cached_property
    def _event(self) -> list[list[int]]:
        return self.event.T.tolist()

    def _ways(self, player: int, members: np.ndarray) -> list[list[set[int]]]:
        """What the player may have seen on the way to its histories: for each event, the histories, just after it, that
        it may be."""
        parent, event = self._parent, self._event[player]
        ends: dict[int, set[int]] = {}
        for h, trail in zip(members.tolist(), self.trail[members, player].tolist(), strict=True):
            ends.setdefault(trail, set()).add(event[h])
        found = []
        for last in ends.values():
            way: list[set[int]] = []
            while 0 not in last:
                way.append(last)
                last = {event[parent[h]] for h in last}
            found.append(way[::-1])
        return found

    def _names(self, events: set[int]) -> dict[int, tuple[int, str, int]]:
        """Who made the moves that led to histories, the names of those moves, and the moves."""
        histories, game = self.histories, self.tree.game
        after: dict[int, list[int]] = {}
        for h in events:
            after.setdefault(self._parent[h], []).append(h)
        return {
            h: (int(histories.actor[at]), game.move_name(state, int(histories.move[h])), int(histories.move[h]))
            for at, state in self.visit(list(after))
            for h in after.get(at, ())
        }

    def _account(self, player: int, way: list[set[int]], names: dict[int, tuple[int, str, int]]) -> Account:
        events = []
        trail: list[tuple[int | None, int]] = [(None, int(self.key[0, player]))]
        for at in way:
            told = [Event(player, *said) for said in {names[h] for h in at}]
            event = told[0]
            for other in told[1:]:
                event = event.common(other)
            events.append(event)
            h = next(iter(at))
            trail.append((names[h][2] if names[h][0] == player else None, int(self.key[h, player])))
        return Account(player, tuple(events), tuple(trail))


@kernel
def recount(game: Ints, n: Int, histories: HistoryArrays, states: Bytes, told: Told) -> None:
    """Go through all histories in the tree's order, and write down what was told on the way to each."""
    parent, actor, move = histories.parent, histories.actor, histories.move
    depth, line, key, event, trail = told.depth, told.line, told.key, told.event, told.trail
    players = game[PLAYERS]
    root = packed_at(game, states, 0)
    copy_state(game, root, game[ROOT])
    for p in range(players):
        key[p] = infoset(game, root, p)
        trail[p] = mix(1, key[p])
    for h in range(1, n):
        above = parent[h]
        who = actor[above]
        depth[h] = depth[above] + 1
        s = packed_at(game, states, depth[h])
        copy_state(game, s, packed_at(game, states, depth[above]))
        play(game, s, move[h])
        line[h] = mix(mix(line[above], who), move[h]) if who >= 0 else line[above]
        for p in range(players):
            at = h * players + p
            before = above * players + p
            key[at] = infoset(game, s, p)
            if who == p or key[at] != key[before]:
                event[at] = h
                trail[at] = mix(mix(mix(trail[before], who == p), move[h] if who == p else 0), key[at])
            else:
                event[at] = event[before]
                trail[at] = trail[before]
