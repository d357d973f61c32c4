"""The conformance check, one state at a time: rules run, write where they may, and give lists, odds and payoffs that
fit."""

import ctypes
import math
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from fogspiel.engine.alarm import PROMISED
from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, CONTINUES, OVER, PUBLIC, where
from fogspiel.game.view import fields_of
from fogspiel.game.watch import CallWatch

_GUARD = 128
"""Bytes on each side of a buffer that no rule may change."""
_SLACK = 1 << 16
"""Bytes behind all buffers, so that a compiled rule that writes too far does no harm before it is found out."""
_UNWRITTEN = -0x5A5A5A5A5A5A5A5B
"""What stands in the list of moves before a rule writes to it."""
CLOSE = 1e-9
"""Payoffs and probabilities may be this far off what they should be."""


def is_balanced(payoff: list[float]) -> bool:
    """Whether payoffs sum to 0, but for rounding."""
    return abs(sum(payoff)) <= CLOSE * max(1.0, *map(abs, payoff))


class Look(NamedTuple):
    """All that the rules say of a state. `keys` has a key for each player, then the public one; `odds` only at chance.

    `pending`: a stage has begun before, as the rule of that name says. `sights` has what each player sees of the first
    and of the last of the moves, where the game has the rule `sees`. `situations` has a key of the abstraction for
    each player; none where the game has no abstraction. `hints` is what the rules guide, covariate, mirror, evaluate,
    episode, position, copies, ignore, private, hold, strength, markov, cut, lump and observe say, where there are any.
    """

    actor: int
    moves: list[int]
    odds: list[float]
    keys: list[int]
    payoff: list[float]
    situations: list[int]
    hints: list[float]
    sights: list[int]
    pending: bool = False


class Rules:
    """The rules of a game as functions of a state's bytes. `constant` are the places of parameters and tables in them.

    Each call of an un-compiled rule may take `longest` seconds (`CallWatch`). `Broken` is raised at once if `start`
    fails.
    """

    def __init__(self, game: Game, findings: Findings, longest: float | None = None):
        self.game, self.players, self.size = game, game.players, game.dtype.itemsize
        watched = CallWatch(longest).watched if game.debug else lambda function: function
        functions = game.bare if game.debug else {n: self._forgiving(n, f) for n, f in game.functions.items()}
        self._call, self._room = {name: watched(rule) for name, rule in functions.items()}, game.max_moves
        self._begin = watched(game.begin)
        try:
            self.root = watched(lambda: game.root)().tobytes()
        except GameError as error:
            raise findings.broken(names.RUN, names.sentence(error), None) from error
        self._seed = ctypes.c_uint64(0)
        kept = {p.name for p in game.declared} | set(game.about.tables)
        fields = [field for name, field in fields_of(game.dtype).items() if name in kept]
        self.constant = [slice(offset, offset + kind.itemsize) for kind, offset in fields]
        self._positions: dict[int, tuple[int, list[int], Path]] = {}
        self._simpler: dict[tuple[int, int, int], tuple[list[int], Path]] = {}
        self._make_room()

    def _forgiving(self, name: str, compiled: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled rule that says what it says though it breaks a promise, which is looked at here: where it fails,
        the un-compiled one is asked."""
        game = self.game

        def run(*given: Any) -> Any:
            result = compiled(*given)
            if not game.failed or name not in game.bare or name == "play":
                return result
            broken = game.taken()
            # of a redraw that changed what the player knows, the state is what matters
            return (
                result
                if name == "resample" and broken is not None and broken.status >= PROMISED
                else game.bare[name](*given)
            )

        return run

    def _make_room(self) -> None:
        """Two states, a list of moves, of probabilities and of payoffs, with guards before, between and behind them."""
        lengths = [self.size, self.size, 8 * self._room, 8 * self._room, 8 * max(self._room, self.players)]
        starts, end = [], _GUARD
        for length in lengths:
            starts.append(end)
            end += -(-length // 64) * 64 + _GUARD
        arena = np.full(end + _SLACK, 0xA5, np.uint8)
        self._arena = arena.data
        spans = [slice(start, start + length) for start, length in zip(starts, lengths, strict=True)]
        self._guards = [
            slice(0, _GUARD),
            *(slice(span.stop, then) for span, then in zip(spans, [*starts[1:], end], strict=True)),
        ]
        self._untouched = [self._arena[guard].tobytes() for guard in self._guards]
        self._here, self._there = spans[:2]
        self._state, self._other, self._out, self._prob, self._pay = (arena.ctypes.data + start for start in starts)
        self._moves = arena[spans[2]].view(np.int64)
        self._odds, self._payoffs = (arena[span].view(np.float64) for span in spans[3:])

    def begin(self, **before: int) -> bytes:
        """The initial state, made from one in which these fields are not 0."""
        return self._begin(**before).tobytes()

    def look(self, data: bytes, findings: Findings, path: Path) -> Look:
        """What the rules say of a state; `Broken` where they fail or say what cannot be."""
        finish, at = self.game.finish, self._state
        self._arena[self._here] = data
        try:
            who = finish(self._call["actor"](at))
            if not (0 <= who < self.players or who in (CHANCE, OVER)):
                raise findings.broken(names.ACTOR, f"{self.game.nobody(who)}.", path)
            moves: list[int] = []
            odds: list[float] = []
            payoff: list[float] = []
            if who == OVER:
                payoff = self._read_payoff(findings, path)
                self._settle(payoff, findings, path)
            elif who == CHANCE and "chance" in self._call:
                moves, odds = self._read_chance(findings, path)
            else:
                moves = self._read_moves("moves", findings, path)
                odds = [1.0 / len(moves)] * len(moves) if who == CHANCE else []
            pending = who >= 0 and "pending" in self._call and finish(self._call["pending"](at)) != 0
            hints = self._read_hints(who, moves, odds, findings, path)
            infoset = self._call["infoset"]
            keys = [finish(infoset(at, player)) for player in (*range(self.players), PUBLIC)]
            abstract = self._call.get("abstract")
            situations = [finish(abstract(at, player)) for player in range(self.players)] if abstract else []
            sights = [
                self.sees(data, player, move)
                for player in range(self.players if "sees" in self._call else 0)
                for move in moves[:1] + moves[-1:]
            ]
        except GameError as error:
            raise findings.broken(names.RUN, names.sentence(error), path) from error
        if self._arena[self._here].tobytes() != data:
            findings.fail(names.LOOK, f"looking at this state with {_looks(self._call)} changed its bytes.", path)
        self._check_guards(findings, path)
        return Look(who, moves, odds, keys, payoff, situations, hints, sights, pending)

    def _settle(self, payoff: list[float], findings: Findings, path: Path) -> None:
        """Whether payoffs are what the game declares."""
        about = self.game.about
        if not all(map(math.isfinite, payoff)):
            return
        for player, (value, (low, high)) in enumerate(zip(payoff, about.ranges or (), strict=False)):
            if not low - CLOSE <= value <= high + CLOSE:
                whose = "utility=" if (low, high) == about.utility else f"for player {player} the range "
                text = (
                    f"{self._where('payoff')} gives player {player} {value:g}, and about declares "
                    f"{whose}({low:g}, {high:g})."
                )
                findings.fail(names.RANGE, text, path)
        if about.zero_sum and not is_balanced(payoff):
            shown = ", ".join(f"{value:g}" for value in payoff)
            text = (
                f"{self._where('payoff')}: the payoffs {shown} sum to {sum(payoff):g}; about must say "
                "zero_sum=False if that is meant."
            )
            findings.fail(names.ZERO_SUM, text, path)

    def actor(self, data: bytes) -> int:
        self._arena[self._here] = data
        return self.game.finish(self._call["actor"](self._state))

    def key(self, data: bytes, player: int) -> int:
        self._arena[self._here] = data
        return self.game.finish(self._call["infoset"](self._state, player))

    def ask(self, rule: str, data: bytes, *given: int) -> int:
        """What a rule that only looks says of a state."""
        self._arena[self._here] = data
        return self.game.finish(self._call[rule](self._state, *given))

    def sees(self, data: bytes, player: int, move: int) -> int:
        """What a player sees of a move that is made in a state."""
        self._arena[self._there] = data
        return self.game.finish(self._call["sees"](self._other, player, move))

    def legal(self, data: bytes) -> list[int]:
        """The moves or chance outcomes at a state, unchecked: none where their number cannot be."""
        self._arena[self._here] = data
        chance = "chance" in self._call and self.game.finish(self._call["actor"](self._state)) == CHANCE
        given = (self._out, self._prob) if chance else (self._out,)
        n = self.game.finish(self._call["chance" if chance else "moves"](self._state, *given))
        return self._moves[:n].tolist() if 0 < n <= self._room else []

    def odds(self, outcomes: int) -> list[float]:
        """The probabilities of the outcomes of chance that `legal` gave last."""
        return self._odds[:outcomes].tolist() if "chance" in self._call else [1.0 / outcomes] * outcomes

    def play(self, data: bytes, move: int) -> bytes:
        self._arena[self._here] = data
        self.game.finish(self._call["play"](self._state, move))
        return self._arena[self._here].tobytes()

    def play_checked(self, data: bytes, move: int, findings: Findings, path: Path) -> bytes:
        """As `play`, which must give the same twice and leave constants alone. `path` ends with the move."""
        try:
            after = self.play(data, move)
            self._arena[self._there] = data
            self.game.finish(self._call["play"](self._other, move))
        except GameError as error:
            raise findings.broken(names.RUN, names.sentence(error), path) from error
        if self._arena[self._there].tobytes() != after:
            findings.fail(
                names.SAME,
                "the last move was played twice from copies of one state and gave two different states.",
                path,
            )
        for place in self.constant:
            if after[place] != data[place]:
                findings.fail(
                    names.CONSTANT,
                    (
                        f"the last move changed the field {self._field(place.start)}, which holds a parameter or a "
                        "table of this name and must stay as it is."
                    ),
                    path,
                )
        self._check_guards(findings, path)
        return after

    def resample(self, data: bytes, player: int, seed: int) -> bytes:
        self._arena[self._here] = data
        self._seed.value = seed
        self.game.finish(self._call["resample"](self._state, player, ctypes.addressof(self._seed)))
        return self._arena[self._here].tobytes()

    def resample_checked(self, data: bytes, player: int, seed: int, findings: Findings, path: Path) -> bytes:
        """As `resample`; `Broken` where it fails. `path` ends with the draw."""
        try:
            return self.resample(data, player, seed)
        except GameError as error:
            raise findings.broken(names.RUN, names.sentence(error), path) from error

    def _read_moves(
        self, rule: str, findings: Findings, path: Path, *more: int, player: int | None = None
    ) -> list[int]:
        self._moves.fill(_UNWRITTEN)
        whose = () if player is None else (player,)
        try:
            n = self.game.finish(self._call[rule](self._state, *whose, self._out, *more))
        except GameError as error:
            if not isinstance(error.__cause__, IndexError) or _UNWRITTEN in self._moves:
                raise
            n = self._room + 1
        if n > self._room:
            raise findings.broken(names.LIMIT, f"{self.game.too_many_moves(n, rule)}.", path)
        if n < 1:
            raise findings.broken(names.SOME, f"{self._where(rule)} returns {n} at a state that is not over.", path)
        moves = self._moves[:n].tolist()
        if _UNWRITTEN in moves:
            text = f"{self._where(rule)} returns {n} but does not write the move at place {moves.index(_UNWRITTEN)}."
            raise findings.broken(names.BUFFERS, text, path)
        if len(set(moves)) < n:
            double = next(move for i, move in enumerate(moves) if move in moves[:i])
            findings.fail(names.ONCE, f"{self._where(rule)} lists the move {double} more than once.", path)
        return moves

    def _read_chance(self, findings: Findings, path: Path) -> tuple[list[int], list[float]]:
        self._odds.fill(math.nan)
        moves = self._read_moves("chance", findings, path, self._prob)
        odds = self._odds[: len(moves)].tolist()
        unfit = [(move, p) for move, p in zip(moves, odds, strict=True) if not 0.0 < p < math.inf]
        if unfit:
            findings.fail(
                names.CHANCES,
                f"{self._where('chance')}: the outcome {unfit[0][0]} has the probability {unfit[0][1]:g}.",
                path,
            )
        elif abs(sum(odds) - 1.0) > CLOSE:
            findings.fail(
                names.CHANCES,
                f"{self._where('chance')}: the probabilities of the {len(moves)} outcomes sum to {sum(odds):.12g}.",
                path,
            )
        return moves, odds

    def _read_hints(self, who: int, moves: list[int], odds: list[float], findings: Findings, path: Path) -> list[float]:
        """What guide says of a player's moves, or covariate and mirror of the outcomes of chance, checked."""
        call, finish, hints = self._call, self.game.finish, []
        if who >= 0 and "guide" in call:
            self._odds.fill(math.nan)
            guided = self._read_moves("guide", findings, path, self._prob)
            hints = self._odds[: len(guided)].tolist()
            if not set(guided) <= set(moves):
                findings.fail(names.GUIDE, f"{self._where('guide')} lists a move that is not legal.", path)
            if not all(p >= 0.0 for p in hints) or abs(sum(hints) - 1.0) > CLOSE:
                findings.fail(
                    names.GUIDE, f"the probabilities of guide are {hints} and sum to {sum(hints):.12g}.", path
                )
            hints += guided
        if who == CHANCE and "covariate" in call:
            covariates = [finish(call["covariate"](self._state, move)) for move in moves]
            mean = sum(p * y for p, y in zip(odds, covariates, strict=True))
            if not abs(mean) <= CLOSE * max(1.0, *map(abs, covariates)):
                findings.fail(
                    names.COVARIATE, f"the covariate of the outcomes of chance is {mean:.12g} on average.", path
                )
            hints += covariates
        if who == CHANCE and "mirror" in call:
            partner = [finish(call["mirror"](self._state, move)) for move in moves]
            likely, other = dict(zip(moves, odds, strict=True)), dict(zip(moves, partner, strict=True))
            for move, image in other.items():
                if other.get(image) != move:
                    why = (
                        f"the partner of {image} is {other[image]}"
                        if image in other
                        else "that is no outcome of chance"
                    )
                    findings.fail(names.MIRROR, f"mirror pairs the outcome {move} with {image}, and {why}.", path)
                elif abs(likely[move] - likely[image]) > CLOSE:
                    text = (
                        f"mirror pairs the outcomes {move} and {image}, of probability {likely[move]:g} and "
                        f"{likely[image]:g}."
                    )
                    findings.fail(names.MIRROR, text, path)
            hints += partner
        if who != OVER and "evaluate" in call:
            hints += self._read_guess(findings, path)
        if who != OVER and "episode" in call:
            hints.append(self._read_episode(findings, path))
        if "position" in call:
            hints.append(self._read_position(who, moves, findings, path))
        if who >= 0 and "copies" in call:
            hints += self._read_copies(moves, findings, path)
        if who >= 0 and "ignore" in call:
            for player in range(self.players):
                hints += self._read_ignore(who, moves, player, findings, path)
        if who != CHANCE and "private" in call:
            for player in range(self.players):
                hints += self._read_private(who, player, findings, path)
        if who in (0, OVER) and "markov" in call:
            hints += [finish(call[rule](self._state)) for rule in ("markov", "cut", "lump") if rule in call]
            hints += [finish(call["observe"](self._state, player)) for player in range(self.players)]
        return hints

    def _read_private(self, who: int, player: int, findings: Findings, path: Path) -> list[float]:
        """What a player may hold, with its weights; and what it knows, or how strong it is, with the first and the last
        of that."""
        self._odds.fill(math.nan)
        before = self._arena[self._here].tobytes()
        outcomes = self._read_moves("private", findings, path, self._prob, player=player)
        weights = self._odds[: len(outcomes)].tolist()
        if not all(0.0 <= w < math.inf for w in weights) or sum(weights) <= 0.0:
            text = f"{self._where('private')} weighs what player {player} may hold with {weights}."
            raise findings.broken(names.PRIVATE, text, path)
        told = []
        for outcome in (outcomes[0], outcomes[-1]):
            self._arena[self._here] = self.hold(before, player, outcome)
            ask = "strength" if who == OVER and "strength" in self._call else "infoset"
            told.append(self.game.finish(self._call[ask](self._state, player)))
        self._arena[self._here] = before
        return [*outcomes, *weights, *told]

    def private(self, data: bytes, player: int) -> tuple[list[int], list[float]]:
        """What a player may hold, and its weights."""
        self._arena[self._here] = data
        n = self.game.finish(self._call["private"](self._state, player, self._out, self._prob))
        return self._moves[:n].tolist(), self._odds[:n].tolist()

    def hold(self, data: bytes, player: int, outcome: int) -> bytes:
        self._arena[self._there] = data
        self.game.finish(self._call["hold"](self._other, player, outcome))
        return self._arena[self._there].tobytes()

    def strength(self, data: bytes, player: int) -> int:
        self._arena[self._here] = data
        return self.game.finish(self._call["strength"](self._state, player))

    def payoff(self, data: bytes) -> list[float]:
        self._arena[self._here] = data
        self.game.finish(self._call["payoff"](self._state, self._pay))
        return self._payoffs[: self.players].tolist()

    def _read_guess(self, findings: Findings, path: Path) -> list[float]:
        guess = self._read_utilities("evaluate", findings, path)
        low, high = self.game.about.utility or (-math.inf, math.inf)
        for player, value in enumerate(guess):
            if not math.isfinite(value):
                why = "none is written or it is not a number" if math.isnan(value) else f"it is {value}"
                findings.fail(
                    names.GUESS, f"{self._where('evaluate')} has no finite guess for player {player}: {why}.", path
                )
            elif not low - CLOSE <= value <= high + CLOSE:
                text = (
                    f"{self._where('evaluate')} guesses {value:g} for player {player}, and about declares "
                    f"utility=({low:g}, {high:g})."
                )
                findings.fail(names.GUESS, text, path)
        return guess

    def _read_episode(self, findings: Findings, path: Path) -> int:
        label = self.game.finish(self._call["episode"](self._state))
        if label < CONTINUES:
            text = f"{self._where('episode')} returns {label}, which is neither a label (0 or more) nor CONTINUES."
            findings.fail(names.EPISODE, text, path)
        elif label == CONTINUES and path is None:
            findings.fail(
                names.EPISODE, f"{self._where('episode')} says that no episode begins with the game itself.", path
            )
        return label

    def _read_position(self, who: int, moves: list[int], findings: Findings, path: Path) -> int:
        """The key, after a look whether states with the same key, in this or another game, have the same player to move
        and the same moves."""
        key = self.game.finish(self._call["position"](self._state))
        actor, before, first = self._positions.setdefault(key, (who, moves, path))
        if (actor, before) != (who, moves):
            text = f"{self._where('position')} gives the key of a state with other moves."
            findings.fail(names.POSITION, text, first, path)
        return key

    def _read_copies(self, moves: list[int], findings: Findings, path: Path) -> list[int]:
        counts = [self.game.finish(self._call["copies"](self._state, move)) for move in moves]
        for move, count in zip(moves, counts, strict=True):
            if count < 1:
                text = f"{self._where('copies')} says that the move {move} can be made in {count} ways."
                findings.fail(names.COPIES, text, path)
        return counts

    def _read_ignore(self, who: int, moves: list[int], player: int, findings: Findings, path: Path) -> list[int]:
        """What a player knows where it ignores all that it may, or only what it never saw: the same wherever it knows
        the same."""
        before, keys = self._arena[self._here].tobytes(), []
        known = self.key(before, player)
        for most in (0, 2**31):
            self._arena[self._here] = before
            self._call["ignore"](self._state, player, most)
            simpler = self.game.finish(self._arena[self._here].tobytes())
            if self.actor(simpler) != who or (who == player and self.legal(simpler) != moves):
                text = f"{self._where('ignore')} changes who moves, or the legal moves of player {player}."
                findings.fail(names.IGNORE, text, path)
            keys.append(self.key(simpler, player))
        self._arena[self._here] = before
        found, first = self._simpler.setdefault((player, known, who), (keys, path))
        if found != keys:
            text = (
                f"player {player} has the same key after these two histories, and other keys where it ignores "
                "something."
            )
            findings.fail(names.IGNORE, text, first, path)
        return keys

    def _read_payoff(self, findings: Findings, path: Path) -> list[float]:
        payoff = self._read_utilities("payoff", findings, path)
        for player, value in enumerate(payoff):
            if not math.isfinite(value):
                why = "none is written or it is not a number" if math.isnan(value) else f"it is {value}"
                findings.fail(
                    names.FINITE, f"{self._where('payoff')} gives player {player} no finite payoff: {why}.", path
                )
        return payoff

    def _read_utilities(self, rule: str, findings: Findings, path: Path) -> list[float]:
        """What `payoff` or `evaluate` writes: a number for each player and no more; not a number where it writes
        none."""
        self._payoffs.fill(math.nan)
        self.game.finish(self._call[rule](self._state, self._pay))
        if not np.isnan(self._payoffs[self.players :]).all():
            raise findings.broken(
                names.BUFFERS, f"{self._where(rule)} writes more than {self.players} numbers, one a player.", path
            )
        return self._payoffs[: self.players].tolist()

    def _check_guards(self, findings: Findings, path: Path) -> None:
        if [self._arena[guard].tobytes() for guard in self._guards] != self._untouched:
            raise findings.broken(
                names.BUFFERS, "a compiled rule wrote before or behind the state or a list that it was given.", path
            )

    def _field(self, place: int) -> str:
        return next(name for name, (_, offset) in fields_of(self.game.dtype).items() if offset == place)

    def _where(self, rule: str) -> str:
        return where(self.game.plain[rule])


def _looks(rules: Collection[str]) -> str:
    return ", ".join(
        name
        for name in (
            "actor",
            "moves",
            "chance",
            "payoff",
            "infoset",
            "abstract",
            "guide",
            "covariate",
            "mirror",
            "evaluate",
            "episode",
            "position",
            "pending",
            "copies",
            "private",
            "strength",
            "markov",
            "cut",
            "observe",
            "lump",
        )
        if name in rules
    )
