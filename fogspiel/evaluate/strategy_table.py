"""A strategy in words: each information set as its owner sees it, the way there, and what is done there.

On a game that can be unrolled, reach and value are exact. On a larger one the sets are those met along the likeliest
play (`evaluate/likely.py`): their reach is what was found of it, a lower bound, and their value is not known.
"""

import csv
import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.belief.account import Account
from fogspiel.belief.tree_account import TreeAccounts
from fogspiel.errors import FogspielError, SpecError, TooLarge
from fogspiel.evaluate.likely import Met, likely
from fogspiel.evaluate.told_apart import Alternatives, told_apart
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.state import State
from fogspiel.solvers.response.reach import Reach, reached
from fogspiel.solvers.response.response import far_too_large
from fogspiel.solvers.result import Given, strategy_in
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.tree import unroll

UNROLLED = 2_000_000
"""Histories of the largest game that is unrolled for a table."""

ORDERS = ("play", "reach")

AT_FIRST, AT_ONCE = 64, 2048
"""Information sets that are put into words at first, and later on, between two reports of progress."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do (0 where that is not known)."""


@dataclass(frozen=True)
class Row:
    """One information set. `sees` is the game's picture of it for its owner, empty where the game has none; `ways` are
    accounts of all that may have led there, the likeliest first: several where the owner does not remember which.

    `prob[i]` is the probability of `moves[i]`, whose name is `names[i]`. `known` is False where the strategy says
    nothing, and so plays every move as likely. `reach` is the probability that play comes here when all follow the
    strategy; `value` what the owner then expects, or None where it is not known or the others never let it come so far.
    `all_ways` is False where there may be more ways than were met.
    """

    player: int
    key: int
    sees: str
    ways: tuple[Account, ...]
    moves: tuple[int, ...]
    names: tuple[str, ...]
    prob: tuple[float, ...]
    known: bool
    reach: float
    value: float | None
    all_ways: bool = True

    @property
    def way(self) -> Account:
        """The likeliest way here."""
        return self.ways[0]

    def as_dict(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "key": f"{self.key:016x}",
            "sees": self.sees,
            "way": [str(event) for event in self.way.events],
            "ways": len(self.ways) if self.all_ways else None,
            "moves": [
                {"move": m, "name": n, "probability": p}
                for m, n, p in zip(self.moves, self.names, self.prob, strict=True)
            ],
            "known": self.known,
            "reach": self.reach,
            "value": self.value,
        }

    def __str__(self) -> str:
        """On a line: whose set it is, the way there, what is done, how often play comes there, and what that is
        worth."""
        done = ", ".join(f"{name} {p:.1%}" for name, p in zip(self.names, self.prob, strict=True))
        worth = "" if self.value is None else f", value {self.value:+z.4f}"
        way = f"after {self.way}" if self.way.events else "at the start"
        return f"player {self.player} {way}: {done} (reach {self.reach:.2%}{worth})"


@dataclass(frozen=True)
class StrategyTable:
    """Rows of a strategy in words. `value` is every player's expected utility, where it is known. `total` counts the
    information sets that there are, or that were met, `fitting` those that are as asked for, of which `rows` may be the
    first (None where words were asked for and it was not found out how many more there are). `exact`
    tells whether reach and value are exact; if not, `note` says in a sentence what they are."""

    game: str
    players: int
    value: tuple[float, ...] | None
    rows: tuple[Row, ...]
    fitting: int | None
    total: int
    exact: bool
    note: str

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, at: int) -> Row:
        return self.rows[at]

    def __str__(self) -> str:
        """A line for each information set, after one about all."""
        count = f"{self.total:,} information set{'s' * (self.total != 1)}{' met' * (not self.exact)}"
        some = f", {len(self):,} of them here" if len(self) < self.total else ""
        return "\n".join([f"{self.game}: {count}{some}", *[self.note] * bool(self.note), *map(str, self.rows)])

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.players,
            "value": self.value,
            "information_sets": self.total,
            "fitting": self.fitting,
            "exact": self.exact,
            "note": self.note,
            "rows": [row.as_dict() for row in self.rows],
        }

    def records(self) -> list[dict[str, Any]]:
        """One record for each move of each information set, as a data frame has them."""
        return [
            {
                "player": row.player,
                "key": f"{row.key:016x}",
                "sees": row.sees,
                "way": str(row.way),
                "move": move,
                "name": name,
                "probability": p,
                "reach": row.reach,
                "value": row.value,
            }
            for row in self.rows
            for move, name, p in zip(row.moves, row.names, row.prob, strict=True)
        ]

    def to_pandas(self) -> Any:
        """A pandas data frame with one line for each move of each information set (`records`)."""
        try:
            import pandas
        except ImportError:
            raise FogspielError("a data frame needs pandas, which is not installed: pip install pandas") from None
        return pandas.DataFrame.from_records(self.records(), columns=COLUMNS)

    def to_csv(self) -> str:
        """The same lines as comma-separated text, with a heading."""
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records())
        return out.getvalue()


TOLD = 20
"""Moves that an error names, at most."""

COLUMNS = ["player", "key", "sees", "way", "move", "name", "probability", "reach", "value"]


def strategy_table(
    game: Game | str | None,
    strategy: Given,
    *,
    player: int | None = None,
    reach: float | None = None,
    after: str = "",
    most: int | None = None,
    order: str = "play",
    forced: bool = True,
    memory: int | None = None,
    progress: Progress | None = None,
) -> StrategyTable:
    """A strategy in words, on the game it was made for (None: the one that it names).

    Only sets of `player`, that are reached with more than the probability `reach`, `after` some moves (events with
    these words, in this order, with commas between them), unless `forced` with a choice, and at most `most` of them.
    The order is that of `play`, earlier decisions first, or by `reach`.
    `memory` bounds the unrolled game, in bytes; `progress` hears what is being done.
    """
    strategy = strategy_in(strategy)
    game = load(strategy.game if game is None else game)
    strategy.require(game)
    player = None if player is None else given.player(game.players, player)
    reach = given.maybe(given.probability, "reach", reach)
    words = [_words(part) for part in given.text("after", after).split(",") if part.strip()]
    most = given.maybe(given.whole, "most", most, 1)
    order, forced = given.choice("order", order, ORDERS), given.flag("forced", forced)
    memory = given.maybe(given.size, "memory", memory)
    tell = given.function("progress", progress) if progress is not None else lambda *_: None

    def walking(histories: int) -> None:
        tell("walking the game, histories", histories, 0)

    source: _Exact | _Likely
    try:
        if far_too_large(game, UNROLLED):
            raise TooLarge(f"{game.spec} is too large to unroll")
        tree = unroll(game, histories=True, most=UNROLLED, memory=memory, progress=walking)
    except TooLarge:
        source = _Likely(game, strategy, walking)
    else:
        source = _Exact(reached(tree, strategy), strategy)
    chosen = source.order
    if order == "reach":
        chosen = chosen[np.argsort(-source.reach[chosen], kind="stable")]
    if player is not None:
        chosen = chosen[source.player[chosen] == player]
    if reach is not None:
        chosen = chosen[source.reach[chosen] > reach]
    if not forced:
        chosen = chosen[source.choices[chosen] > 1]
    fitting: int | None = len(chosen)
    if not words:
        chosen = chosen[:most]
    fit, ways, whole = _in_words(source, chosen, words, most, tell)
    if words:
        fitting = len(fit) if whole else None
    chosen, ways = chosen[fit[:most]], ways[:most]
    drawn = source.rows(chosen, ways)
    seen = [row.sees for row in drawn]
    told = told_apart(ways, seen, lambda places: source.alternatives(chosen[places]))
    rows = tuple(replace(row, ways=found) for row, found in zip(drawn, told, strict=True))
    return StrategyTable(
        game.spec, game.players, source.value, rows, fitting, len(source.order), source.exact, source.note
    )


def _in_words(
    source: "_Exact | _Likely", chosen: np.ndarray, words: list[list[str]], most: int | None, tell: Progress
) -> tuple[list[int], list[tuple[Account, ...]], bool]:
    """Which of the sets chosen came after these words, with the ways there, and whether all were looked at: ever more
    at once, and none after there are as many as asked for."""
    fit: list[int] = []
    ways: list[tuple[Account, ...]] = []
    events: dict[str, None] = {}
    done, count = 0, AT_FIRST
    while done < len(chosen) and (most is None or len(fit) < most):
        for n, found in enumerate(source.ways(chosen[done : done + count]), done):
            events |= {str(event): None for way in found for event in way.events} if words and not fit else {}
            if not words or any(_came(words, way) for way in found):
                fit.append(n)
                ways.append(found)
        done, count = min(done + count, len(chosen)), min(2 * count, AT_ONCE)
        tell("information sets in words", done, len(chosen))
    if words and not fit:
        _require_known(words, list(events))
    return fit, ways, done == len(chosen)


def _require_known(words: list[list[str]], events: list[str]) -> None:
    """Raise SpecError for words that no move has."""
    known = [_words(event) for event in events]
    for phrase in words:
        if not any(_phrase(phrase, event) for event in known):
            told = ", ".join(events[:TOLD]) + (f" and {len(events) - TOLD:,} more" if len(events) > TOLD else "")
            raise SpecError(
                f"no move on the way to these decisions has the words {' '.join(phrase)!r}; moves there: "
                f"{told or 'none'}"
            )


class _Exact:
    """The information sets of an unrolled game."""

    exact, note = True, ""

    def __init__(self, found: Reach, strategy: Strategy):
        self.found, self.tree, self.value = found, found.tree, found.utility
        self.player, self.reach = self.tree.player[found.head].astype(np.int64), found.reach
        self.choices, self.known = self.tree.count[found.head], strategy.knows(self.tree)[found.head]
        self.accounts = TreeAccounts(self.tree)
        # sets that differ only in what chance did stand side by side
        first = np.minimum.reduceat(found.member, found.begin[:-1]) if len(found.head) else np.zeros(0, np.int64)
        _, line = np.unique(self.accounts.line[first], return_inverse=True)
        assert self.tree.histories is not None  # it was unrolled with them
        met = np.full(len(first), len(self.tree.histories.parent))
        np.minimum.at(met, line, first)
        self.order = np.lexsort((first, met[line], self.accounts.depth[first]))

    def ways(self, chosen: np.ndarray) -> list[tuple[Account, ...]]:
        return self.accounts.accounts([(int(self.player[i]), self.found.members(i)) for i in chosen])

    def alternatives(self, chosen: np.ndarray) -> list[Alternatives]:
        return self.accounts.alternatives([(int(self.player[i]), self.found.members(i)) for i in chosen])

    def rows(self, chosen: np.ndarray, ways: list[tuple[Account, ...]]) -> list[Row]:
        found, tree, game = self.found, self.tree, self.tree.game
        at = {int(found.members(i)[0]): n for n, i in enumerate(chosen)}
        words = {at[h]: _seen(game, state) for h, state in self.accounts.visit(list(at)) if h in at}
        rows = []
        for n, i in enumerate(chosen):
            sees, names = words[n]
            span = slice(int(tree.first[found.head[i]]), int(tree.first[found.head[i]] + tree.count[found.head[i]]))
            value = float(found.value[i])
            rows.append(
                Row(
                    player=int(self.player[i]),
                    key=int(tree.key[found.head[i]]),
                    sees=sees,
                    ways=ways[n],
                    moves=tuple(tree.move[span].tolist()),
                    names=names,
                    prob=tuple(found.prob[span].tolist()),
                    known=bool(self.known[i]),
                    reach=float(found.reach[i]),
                    value=None if math.isnan(value) else value,
                )
            )
        return rows


class _Likely:
    """The information sets met along the likeliest play of a game that is too large to unroll."""

    exact, value = False, None

    def __init__(self, game: Game, strategy: Strategy, walking: Callable[[int], None]):
        self.game, self.strategy = game, strategy
        self.met: list[Met] = likely(game, strategy, progress=walking)
        self.player = np.array([m.player for m in self.met], np.int64)
        self.reach = np.array([m.reach for m in self.met])
        self.choices = np.array([len(m.state.moves()) for m in self.met], np.int64)
        self.order = np.argsort([len(m.moves) for m in self.met], kind="stable")
        self.note = (
            f"{game.spec} is too large to unroll: these are the information sets met along the likeliest play, reach "
            "is at least what is given, and values are not known"
        )

    def ways(self, chosen: np.ndarray) -> list[tuple[Account, ...]]:
        return [self.met[i].ways() for i in chosen]

    def alternatives(self, chosen: np.ndarray) -> list[Alternatives]:
        """Only some of the histories of a set were met, so that nothing is known of what they have in common."""
        return [[()] * len(self.met[i].ways()[0].events) for i in chosen]

    def rows(self, chosen: np.ndarray, ways: list[tuple[Account, ...]]) -> list[Row]:
        rows = []
        for met, found in zip((self.met[i] for i in chosen), ways, strict=True):
            sees, names = _seen(self.game, met.state)
            prob = self.strategy.probabilities(met.state)
            rows.append(
                Row(
                    player=met.player,
                    key=met.key,
                    sees=sees,
                    ways=found,
                    moves=tuple(prob),
                    names=names,
                    prob=tuple(prob.values()),
                    known=self.strategy.knows(met.state),
                    reach=met.reach,
                    value=None,
                    all_ways=self.game.about.perfect_recall,
                )
            )
        return rows


def _seen(game: Game, state: State) -> tuple[str, tuple[str, ...]]:
    """What the player to move sees, and the names of its moves."""
    pictured = hasattr(game.module, "show")
    return state.show(state.actor) if pictured else "", tuple(game.move_name(state, m) for m in state.moves())


def _words(text: str) -> list[str]:
    return text.lower().replace(":", " ").replace(",", " ").split()


def _came(words: list[list[str]], way: Account) -> bool:
    """Whether each of the phrases is in an event of its own, in this order."""
    left = (_words(str(event)) for event in way.events)
    return all(any(_phrase(phrase, event) for event in left) for phrase in words)


def _phrase(phrase: list[str], event: list[str]) -> bool:
    return any(event[i : i + len(phrase)] == phrase for i in range(len(event) - len(phrase) + 1))
