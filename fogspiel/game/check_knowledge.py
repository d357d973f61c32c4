"""The conformance check, across histories: what keys say that players know, and what resample makes of it."""

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from fogspiel.engine.primitives import MASK
from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_keys import CURE, Told
from fogspiel.game.check_report import Findings, Path, Redraw
from fogspiel.game.check_rules import Look, Rules
from fogspiel.game.check_told import Readable
from fogspiel.game.game import Game
from fogspiel.game.hidden import hides_something
from fogspiel.game.rules import CHANCE, OVER, PUBLIC
from fogspiel.game.state import State

_STAGE = 16
"""Moves of a player that are tried to see whether others notice."""
_PICTURES, _PICTURED = 1_000, 3
"""Decisions at which names and pictures are made, of random games un-compiled and compiled and of the walk, each; of
random games at most so many times as many as there are playouts."""
_DRAWN = 100
"""Information sets whose states are drawn as SVG, too, which takes longer than all else; of random games no more than
there are playouts."""
_TOLD = 100_000
"""Outcomes of chance that are made to see what they tell the players."""


class Memory(NamedTuple):
    """Per player, along one history: a hash of its own keys and moves, one of the keys it had, and the last of them.

    `way` is a hash of all its keys, those at chance nodes included, and `told` one of what chance told it, in any
    order; None where that is not known. `chance` is how likely chance was to do what it did, and `play` how likely the
    players were if they moved at random; `mover` is who has moved last: a player, CHANCE, or OVER where nobody has.
    """

    own: tuple[int, ...]
    seen: tuple[int, ...]
    last: tuple[int | None, ...]
    way: tuple[int, ...]
    told: tuple[int, ...] | None
    chance: float = 1.0
    play: float = 1.0
    mover: int = OVER


class Knowledge:
    """Compares every history met with the first one met that has the same key of the same player."""

    def __init__(self, rules: Rules, findings: Findings):
        self.rules, self.findings, self.players = rules, findings, rules.players
        about = rules.game.about
        self._write = findings.fail if about.perfect_recall else findings.note
        if not about.perfect_recall and is_open(rules.game):
            self._write = lambda name, *_: findings.skip(
                name, "the game is of perfect information, and its keys are of positions."
            )
        self._cure = f"; {CURE}." if about.perfect_recall else "."
        self._simultaneous, self._always_at_once = about.simultaneous, rules.game.always_at_once
        tables: Iterator[list[dict[Any, Any]]] = ([{} for _ in range(self.players)] for _ in range(5))
        self._public, self._turn, self._own, self._situation, self._alike = tables
        self._told = Told(rules, _TOLD)
        self._else_in_turn = (
            "; if others move after it here, and not at once, tell so by the rule pending"
            if self._always_at_once
            else ""
        )

    def start(self) -> Memory:
        nothing = (0,) * self.players
        return Memory(nothing, nothing, (None,) * self.players, nothing, nothing)

    def visit(self, look: Look, memory: Memory, path: Path) -> Memory:
        """Compare a history with those met before; returns what the players remember at it."""
        *keys, public = look.keys
        for player, key in enumerate(keys):
            known, first = self._public[player].setdefault(key, (public, path))
            if known != public:
                text = f"player {player} has the same key after these two histories, and the public key differs."
                self.findings.fail(names.PUBLIC_KEY, text, first, path)
        memory = memory._replace(way=tuple(hash(both) for both in zip(memory.way, keys, strict=True)))
        if look.actor < 0:
            return memory
        memory = self._observe(memory, tuple(keys))
        if not self._always_at_once and not self._follows(look, memory.mover, path):
            self._compare_turns(look.actor, keys, path)
        self._compare_own(look, memory, path)
        if look.situations:
            self._compare_situations(look, path)
        return memory

    def moved(self, data: bytes, look: Look, memory: Memory, move: int) -> Memory:
        """What the players remember after a move in a state."""
        who = look.actor
        memory = memory._replace(mover=who)
        if who < 0:
            memory = memory._replace(chance=memory.chance * look.odds[look.moves.index(move)])
            if memory.told is None:
                return memory
            told = self._told.by(data, look, move)
            return memory._replace(told=told and tuple(a + b & MASK for a, b in zip(memory.told, told, strict=True)))
        own = list(memory.own)
        own[who] = hash((own[who], look.keys[who], move))
        return memory._replace(own=tuple(own), play=memory.play / len(look.moves))

    def _observe(self, memory: Memory, keys: tuple[int, ...]) -> Memory:
        """Only decisions count: the order in which chance dealt a hand between two of them may be forgotten."""
        if keys == memory.last:
            return memory
        both = zip(memory.seen, memory.last, keys, strict=True)
        seen = tuple(seen if key == last else hash((seen, key)) for seen, last, key in both)
        return memory._replace(seen=seen, last=keys)

    def _compare_turns(self, actor: int, keys: list[int], path: Path) -> None:
        for player, key in enumerate(keys):
            turn, first = self._turn[player].setdefault(key, (actor, path))
            if turn != actor and player in (turn, actor):
                text = (
                    f"player {player} has the same key where it is to move and where player "
                    f"{turn if turn != player else actor} is."
                )
                self.findings.fail(names.TURN, text, first, path)

    def _compare_own(self, look: Look, memory: Memory, path: Path) -> None:
        who = look.actor
        told = None if memory.told is None else memory.told[who]
        now = (look.moves, memory.own[who], memory.seen[who], memory.way[who], told, path)
        moves, own, seen, way, knew, first = self._own[who].setdefault(look.keys[who], now)
        if moves != look.moves:
            text = (
                f"player {who} has the same key after these two histories, with the moves {_some(moves)} and "
                f"{_some(look.moves)}."
            )
            self.findings.fail(names.MOVES, text, first, path)
        if own != memory.own[who]:
            text = (
                f"player {who} has the same key after these two histories, and its own earlier keys and moves "
                f"differ{self._cure}"
            )
            self._write(names.RECALL, text, first, path)
        if seen != memory.seen[who]:
            text = (
                f"player {who} has the same key after these two histories, and the keys it had before differ: a "
                f"collision, or forgetting{self._cure}"
            )
            self._write(names.COLLISION, text, first, path)
        elif way != memory.way[who] and None not in (told, knew) and told != knew:
            text = (
                f"player {who} has the same key after these two histories, and chance told it different things on "
                f"the way{self._cure}"
            )
            self._write(names.COLLISION, text, first, path)

    def _compare_situations(self, look: Look, path: Path) -> None:
        who = look.actor
        situation, now = look.situations[who], (look.moves, path)
        known, first = self._situation[who].setdefault(look.keys[who], (situation, path))
        if known != situation:
            text = f"player {who} has the same key after these two histories, and abstract gives two."
            self.findings.fail(names.COARSER, text, first, path)
        moves, first = self._alike[who].setdefault(situation, now)
        if moves != look.moves:
            text = (
                f"abstract gives player {who} the same key after these two histories, with the moves "
                f"{_some(moves)} and {_some(look.moves)}."
            )
            self.findings.fail(names.ALIKE, text, first, path)

    def _follows(self, look: Look, mover: int, path: Path) -> bool:
        """Whether a player moves at once with who has moved before, as the rule `pending` says."""
        if look.pending and not 0 <= mover < look.actor:
            why = (
                f"player {mover}, and players of a stage are asked in their order"
                if mover >= 0
                else "chance, which ends a stage"
                if mover == CHANCE
                else "nobody"
            )
            text = f"pending says that player {look.actor} moves at once with who moved before; that was {why}."
            self.findings.fail(names.PENDING, text, path)
            return False
        return look.pending

    def visit_stage(self, data: bytes, look: Look, path: Path) -> None:
        """In a simultaneous game: whatever the actor does, the same player is asked next in the stage, if any, and the
        others know the same until the last of them moves."""
        if not self._simultaneous:
            return
        first: dict[int, tuple[int, int]] = {}
        asked: tuple[int | None, int] | None = None
        for move in look.moves[:_STAGE]:
            after = self.rules.play(data, move)
            following = self.rules.actor(after)
            goes_on = look.actor < following and (self._always_at_once or self.rules.ask("pending", after) != 0)
            asked = asked or (following if goes_on else None, move)
            if asked[0] != (following if goes_on else None):
                text = f"which player is asked next in the stage depends on the pending move of player {look.actor}."
                self.findings.fail(names.PENDING, text, (path, asked[1]), (path, move))
            if not goes_on:
                continue
            for player in range(self.players):
                if player == look.actor:
                    continue
                key = self.rules.key(after, player)
                known, other = first.setdefault(player, (key, move))
                if known != key:
                    text = (
                        f"player {player} has different keys after these two pending moves of player "
                        f"{look.actor}{self._else_in_turn}."
                    )
                    self.findings.fail(names.PENDING, text, (path, other), (path, move))


def is_open(game: Game) -> bool:
    """Whether players see everything."""
    try:
        return not hides_something(game)
    except GameError:
        return False


class Resampling:
    """Draws from `resample` at states met, and compares draws within an information set."""

    def __init__(self, rules: Rules, findings: Findings, seed: int):
        self.rules, self.findings, self.seed = rules, findings, seed
        self._first: dict[tuple[int, int, int], tuple[bytes, Path]] = {}
        self._count = 0

    def visit(self, data: bytes, look: Look, path: Path, players: Iterable[int]) -> None:
        """Draw for each of the players at a decision, where the actor is known to all of them."""
        for player in players:
            self._count += 1
            seed, other = (self.seed ^ look.keys[player]) & MASK, (self.seed + self._count) & MASK
            draw = self.rules.resample
            try:
                drawn = draw(data, player, seed)
                self.compare(data, look, drawn, player, (path, Redraw(player, seed)))
                same = draw(data, player, other) == draw(drawn, player, other)
            except GameError as error:
                self.findings.fail(names.RUN, f"{error}.", (path, Redraw(player, seed)))
                continue
            if not same:
                text = (
                    f"for player {player}, seed {other} gives one state after this history and another after a "
                    "draw from it."
                )
                self.findings.fail(names.BLIND, text, (path, Redraw(player, seed)))
            known, first = self._first.setdefault((player, look.keys[player], look.actor), (drawn, path))
            if known != drawn:
                text = (
                    f"player {player} has the same key after these two histories, and seed {seed} gives two "
                    "different states."
                )
                self.findings.fail(names.BLIND, text, first, path)

    def compare(self, data: bytes, look: Look, drawn: bytes, player: int, path: Path) -> None:
        """A drawn state must be the same to the player. `path` ends with the draw."""
        rules, changed = self.rules, []
        if rules.key(drawn, player) != look.keys[player]:
            changed.append("its key")
        if rules.key(drawn, PUBLIC) != look.keys[-1]:
            changed.append("the public key")
        if rules.actor(drawn) != look.actor:
            changed.append("the actor")
        elif look.actor == player and rules.legal(drawn) != look.moves:
            changed.append("its legal moves")
        if any(drawn[place] != data[place] for place in rules.constant):
            changed.append("parameters or tables")
        if changed:
            self.findings.fail(names.KEEPS, f"a draw for player {player} changes {' and '.join(changed)}.", path)


class Pictures:
    """Makes the names of moves and the pictures of states met, and compares them within an information set.

    About so many `decisions` are to come. Of those of random games some are looked at, drawn by lot, so that they are
    spread over all `playouts`; of those of the walk, which has none, all of some information sets. `readable` hears
    what the player to move sees.
    """

    def __init__(
        self,
        game: Game,
        findings: Findings,
        decisions: int,
        *,
        playouts: int = 0,
        seed: int = 0,
        readable: Readable | None = None,
    ):
        self.game, self.findings, self.readable = game, findings, readable
        self._first: dict[tuple[int, int, int], tuple[tuple[str, str], list[str], Path]] = {}
        self._drawn: dict[tuple[int, int], bool] = {}
        self._drawings = 0
        looks = min(_PICTURES, _PICTURED * playouts) if playouts else _PICTURES
        self._one_in, self._looked, self._looks = max(1, -(-decisions // looks)), 0, 4 * looks
        self._lots = random.Random(seed) if playouts else None
        self._most = min(_DRAWN, playouts) if playouts else _DRAWN
        # those of random games are spread over the looks
        self._rate = self._most * self._one_in / max(1, decisions) if playouts else self._most

    def visit(self, data: bytes, look: Look, path: Path) -> None:
        lot = self._lots.randrange(self._one_in) if self._lots else hash(look.keys[look.actor]) % self._one_in
        if lot or self._looked == self._looks:
            return
        self._looked += 1
        state = State(self.game, np.frombuffer(data, np.uint8))
        draw = self._drawings < min(self._most, self._rate * self._looked)
        try:
            pictures = [(state.show(p), self._draw(state, p, look.keys[p], draw)) for p in range(self.game.players)]
            state.show()
            if draw:
                state.svg()
            moves = list(self.game.move_names(state).values())
        except Exception as error:
            self.findings.fail(names.PICTURE, f"show, svg or move_name failed: {type(error).__name__}: {error}.", path)
            return
        if self.readable is not None:
            self.readable.visit(look.actor, look.keys[look.actor], pictures[look.actor][0], moves, path)
        for player in range(self.game.players):
            own = moves if player == look.actor else []
            picture, named, first = self._first.setdefault(
                (player, look.keys[player], look.actor), (pictures[player], own, path)
            )
            if self.game.about.perfect_recall and (picture, named) != (pictures[player], own):
                what = (
                    "sees two different pictures"
                    if picture != pictures[player]
                    else "reads different names of its moves"
                )
                text = (
                    f"player {player} has the same key after these two histories, and {what}; if it knows them "
                    f"apart, {CURE}."
                )
                self.findings.fail(names.PICTURE, text, first, path)

    def _draw(self, state: State, player: int, key: int, draw: bool) -> str:
        """The picture in SVG that a player sees, if its information set is drawn, which is decided where it is met
        first."""
        if not self.game.pictured:
            return ""
        if (player, key) not in self._drawn:
            self._drawn[player, key] = draw
            self._drawings += draw
        return state.svg(player) if self._drawn[player, key] else ""


def _some(moves: list[int]) -> str:
    return ", ".join(map(str, moves[:6])) + (f" and {len(moves) - 6} more" if len(moves) > 6 else "")
