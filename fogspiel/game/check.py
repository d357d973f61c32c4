"""The conformance check: does a game keep the promises that algorithms rely on?

Rules run un-compiled first, where a mistake is an exception and not a crash; then compiled, in random play and, where
the game is small enough, at every history there is. A failure comes with the moves that show it.
"""

import math
import random
from collections.abc import Callable, Iterator

from fogspiel import given
from fogspiel.errors import GameError, Unending
from fogspiel.game import check_report as names
from fogspiel.game.check_compiled import Met, compare
from fogspiel.game.check_keys import Readings
from fogspiel.game.check_knowledge import Knowledge, Memory, Pictures, Resampling, is_open
from fogspiel.game.check_markov import Markov
from fogspiel.game.check_private import Holding
from fogspiel.game.check_report import FAILED, NOTED, PASSED, Broken, Finding, Findings, Path, Redraw, Report, Step
from fogspiel.game.check_resample import Consistent
from fogspiel.game.check_rules import Rules, is_balanced
from fogspiel.game.check_sees import Seeing
from fogspiel.game.check_start import check_start
from fogspiel.game.check_told import Readable
from fogspiel.game.game import Game
from fogspiel.game.load import Source, prepare
from fogspiel.game.playout import playouts as play_out
from fogspiel.game.rules import CHANCE, OVER, spelling

__all__ = ["FAILED", "NOTED", "PASSED", "Finding", "Progress", "Report", "Step", "check"]

Progress = Callable[[str, int, int], None]
"""Called now and then with what is being done, how much of it is done, and how much there is."""

_LENGTH = 25
"""Moves that a random game may have on average before fewer games are played."""
_PLAIN = 10
"""One random game in so many is also played un-compiled."""
_DEEPEST = 10_000
"""Moves after which a history counts as endless, and the tree as too large to walk."""
_DRAWS = 100_000
"""About how often resample is called in the walk, and again to see what it can draw."""


def check(
    game: Source, *, playouts: int = 2000, histories: int = 200_000, seed: int = 0, progress: Progress | None = None
) -> Report:
    """Check a game, by `playouts` random games and, if it has at most `histories` histories, by walking all of them.

    A game given by its name or file is loaded in such a way that a rule that fails, or does not return, becomes a
    finding.

    Long games are played fewer times, so that all have at most 25 * `playouts` moves together. A tenth is played
    un-compiled as well. The same seed gives the same report.
    """
    playouts, histories = given.whole("playouts", playouts, 1), given.whole("histories", histories)
    seed, progress = given.seed(seed), given.maybe(given.function, "progress", progress)
    if not isinstance(game, Game):
        game, _ = prepare(game, debug=True)
    return _Check(game, playouts, histories, seed, progress or (lambda what, done, total: None)).run()


class _Check:
    """One run of the check: its findings, and what it has learnt so far."""

    def __init__(self, game: Game, playouts: int, histories: int, seed: int, progress: Progress):
        self.game, self.playouts, self.histories, self.seed, self.progress = game, playouts, histories, seed, progress
        self.findings = Findings()
        self.low, self.high, self.balanced = math.inf, -math.inf, True
        self.played, self.walked = 0, 0
        self.ends, self.chances, self.drawn = 0, 0, 0
        self.recall: bool | None = None

    def run(self) -> Report:
        plain = None
        try:
            plain = self._game(debug=True)
            trace = self._play_plain(Rules(plain, self.findings))
            check_start(plain, self.findings, self.playouts, self.seed)
            for strange in spelling(self.game.module):
                self.findings.note(names.SPELT, f"{strange.text}.")
            self.findings.pass_(names.SPELT, "no function that nothing calls looks like one.")
            rules = Rules(self._game(debug=False), self.findings)
            compare(trace, rules, self.findings)
            knowledge, readings = Knowledge(rules, self.findings), Readings(plain, rules, self.findings)
            for met, _ in trace:
                readings.ask(met.data)
            resampling = self._resampling(rules)
            decisions = _PLAIN * sum(met.look.actor >= 0 for met, _ in trace)
            readable = Readable(rules.game, self.findings)
            pictures = self._pictures(rules, decisions, readable)
            self._play_compiled(rules, knowledge, readings, resampling, pictures)
            self._see_ends(rules)
            self._walk(rules, knowledge, readings, resampling)
            readings.compare()
            if not self.walked:  # else all histories were looked at
                readable.compare()
        except (Broken, GameError) as error:
            if isinstance(error, GameError) and not self.findings.failed:  # what was found before says more of it
                self.findings.fail(names.RUN, names.sentence(error))
            return self._report(plain or self.game, complete=False)
        for name in (names.AGREE, names.PICTURE):
            self.findings.pass_(name, f"held at {len(trace):,} states of random games.")
        self._note_the_rest()
        return self._report(plain, complete=True)

    def _game(self, *, debug: bool) -> Game:
        """The game with its rules un-compiled or compiled."""
        if self.game.debug == debug:
            return self.game
        try:
            return Game(self.game.module, self.game.name, self.game.parameters, debug=debug)
        except GameError as error:
            raise self.findings.broken(names.RUN, names.sentence(error), None) from error

    def _resampling(self, rules: Rules) -> Resampling | None:
        return Resampling(rules, self.findings, self.seed) if "resample" in rules.game.functions else None

    def _play_plain(self, rules: Rules) -> list[tuple[Met, tuple[int, int, bytes] | None]]:
        """Random games, un-compiled. Returns the states met, each with (player, seed, state drawn) or None."""
        rng = random.Random(self.seed)
        resampling = self._resampling(rules)
        trace: list[tuple[Met, tuple[int, int, bytes] | None]] = []
        for met in self._random_games(rules, rng, -(-self.playouts // _PLAIN), "un-compiled playouts"):
            drawn = None
            if met.look.actor >= 0 and resampling is not None:
                drawn = self._resample_plain(rules, resampling, met, rng)
            trace.append((met, drawn))
        decisions = [met for met, _ in trace if met.look.actor >= 0]
        pictures = self._pictures(rules, len(decisions))
        for met in decisions:
            pictures.visit(met.data, met.look, met.path)
        return trace

    def _pictures(self, rules: Rules, decisions: int, readable: Readable | None = None) -> Pictures:
        """For random games that have about so many decisions."""
        return Pictures(rules.game, self.findings, decisions, playouts=self.playouts, seed=self.seed, readable=readable)

    def _resample_plain(
        self, rules: Rules, resampling: Resampling, met: Met, rng: random.Random
    ) -> tuple[int, int, bytes]:
        """Draw for one player, and now and then play on from what was drawn: it must be a state like any other."""
        player, seed = rng.randrange(rules.players), rng.getrandbits(64)
        self.drawn += 1
        resampling.visit(met.data, met.look, met.path, (player,))
        here = (met.path, Redraw(player, seed))
        drawn = rules.resample_checked(met.data, player, seed, self.findings, here)
        if rng.randrange(8) == 0:
            for _ in self._random_games(rules, rng, 1, None, drawn, here):
                pass
        return player, seed, drawn

    def _random_games(
        self,
        rules: Rules,
        rng: random.Random,
        games: int,
        what: str | None,
        start: bytes | None = None,
        path: Path = None,
    ) -> Iterator[Met]:
        """The states of random games, each checked by itself, from the start or from a given state and its history."""
        left = games * _LENGTH
        for i in range(games):
            data, here = start or rules.root, path
            while True:
                if left == 0:
                    return
                left -= 1
                look = rules.look(data, self.findings, here)
                if look.actor == OVER:
                    self._settle(look.payoff, here)
                    yield Met(data, here, look, None, None)
                    break
                move = rng.choice(look.moves)
                after = rules.play_checked(data, move, self.findings, (here, move))
                yield Met(data, here, look, move, after)
                data, here = after, (here, move)
            if what is not None:
                self.progress(what, i + 1, games)

    def _settle(self, payoff: list[float], path: Path) -> None:
        """Write down the payoffs at the end of a game."""
        self.ends += 1
        if not all(map(math.isfinite, payoff)):
            return
        self.low, self.high = min(self.low, *payoff), max(self.high, *payoff)
        self.balanced = self.balanced and is_balanced(payoff)

    def _play_compiled(
        self,
        rules: Rules,
        knowledge: Knowledge,
        readings: Readings,
        resampling: Resampling | None,
        pictures: Pictures,
    ) -> None:
        memory = knowledge.start()
        holding, markov = Holding(rules, self.findings, self.seed), Markov(rules, self.findings)
        seeing = Seeing(rules, self.findings, self.seed)
        everyone = range(rules.players)
        for met in self._random_games(rules, random.Random(self.seed + 1), self.playouts, "playouts"):
            self.chances += met.look.actor == CHANCE
            memory = knowledge.visit(met.look, knowledge.start() if met.path is None else memory, met.path)
            holding.visit(met.data, met.look, memory.chance, met.path)
            markov.visit(met.data, met.look, met.path)
            if met.move is None:
                self.played += 1
                continue
            seeing.visit_some(met.data, met.look, met.move, met.path)
            if met.look.actor >= 0:
                knowledge.visit_stage(met.data, met.look, met.path)
                readings.visit(met.data, met.look, met.path)
                pictures.visit(met.data, met.look, met.path)
                if resampling is not None:
                    self.drawn += 1
                    resampling.visit(met.data, met.look, met.path, everyone)
            memory = knowledge.moved(met.data, met.look, memory, met.move)

    def _see_ends(self, rules: Rules) -> None:
        try:
            play_out(rules.game, min(self.playouts, 100), self.seed)
        except Unending as error:
            rng, data = random.Random(self.seed), rules.root
            path: Path = None
            for _ in range(_LENGTH):
                if moves := rules.legal(data):
                    move = rng.choice(moves)
                    data, path = rules.play(data, move), (path, move)
            self.findings.fail(names.ENDS, f"{error}; it may begin like this.", path)
        except GameError as error:
            if not self.findings.failed:  # what was found before says more of it
                self.findings.fail(names.RUN, names.sentence(error))

    def _walk(self, rules: Rules, knowledge: Knowledge, readings: Readings, resampling: Resampling | None) -> None:
        """Every history, if they are few enough."""
        total = self._count(rules)
        if total is None:
            return
        readable = Readable(rules.game, self.findings)
        consistent = Consistent(rules, self.findings)
        pictures = Pictures(rules.game, self.findings, total, readable=readable)
        holding, markov = Holding(rules, self.findings, self.seed), Markov(rules, self.findings)
        seeing = Seeing(rules, self.findings, self.seed)
        stride = 1 + total * rules.players * 3 // _DRAWS
        stack: list[tuple[bytes, Path, Memory]] = [(rules.root, None, knowledge.start())]
        while stack:
            data, path, memory = stack.pop()
            self.walked += 1
            if self.walked % 4096 == 0:
                self.progress("histories", self.walked, total)
            look = rules.look(data, self.findings, path)
            self.chances += look.actor == CHANCE
            memory = knowledge.visit(look, memory, path)
            holding.visit(data, look, memory.chance, path)
            markov.visit(data, look, path)
            if look.actor == OVER:
                self._settle(look.payoff, path)
                continue
            seeing.visit(data, look, look.moves, path)
            if look.actor >= 0:
                knowledge.visit_stage(data, look, path)
                readings.visit(data, look, path)
                pictures.visit(data, look, path)
                if resampling is not None:
                    consistent.visit(data, look, memory, path)
                    if self.walked % stride == 0:
                        resampling.visit(data, look, path, range(rules.players))
            for move in look.moves:
                then = (path, move)
                stack.append(
                    (
                        rules.play_checked(data, move, self.findings, then),
                        then,
                        knowledge.moved(data, look, memory, move),
                    )
                )
        if resampling is not None:
            consistent.cover(self.seed, _DRAWS, self.progress)
            consistent.weigh(self.seed)
        readable.compare()
        holding.cover()

    def _count(self, rules: Rules) -> int | None:
        """How many histories the game has; None if more than are to be walked."""
        count, stack = 0, [(rules.root, 0)]
        while stack:
            data, depth = stack.pop()
            count += 1
            if rules.actor(data) != OVER:
                stack.extend((rules.play(data, move), depth + 1) for move in rules.legal(data))
            if count + len(stack) > self.histories or depth > _DEEPEST:
                return None
        return count

    def _note_the_rest(self) -> None:
        """What did not apply, and what was declared too carefully."""
        about, note, skip = self.game.about, self.findings.note, self.findings.skip
        self.recall = names.RECALL not in self.findings
        self._note_unseen()
        if about.utility is None:
            skip(names.RANGE, "about declares no utility.")
        if not about.zero_sum and self.balanced:
            note(names.ZERO_SUM, "every payoff met sums to zero, though about says zero_sum=False.")
        elif not about.zero_sum:
            skip(names.ZERO_SUM, "about says zero_sum=False.")
        if not about.perfect_recall:
            write = skip if is_open(self.game) else note
            write(names.RECALL, "nothing that was met goes against it, though about says perfect_recall=False.")
        if self.game.always_at_once:
            skip(names.TURN, "in a simultaneous game the players of a stage do not see whose turn it is.")
        elif not about.simultaneous:
            skip(names.PENDING, "about does not say simultaneous=True.")
        if "abstract" not in self.game.functions:
            for name in (names.COARSER, names.ALIKE):
                skip(name, "the game has no rule abstract.")
        for name, rule in (
            (names.GUIDE, "guide"),
            (names.COVARIATE, "covariate"),
            (names.MIRROR, "mirror"),
            (names.GUESS, "evaluate"),
            (names.EPISODE, "episode"),
            (names.POSITION, "position"),
            (names.COPIES, "copies"),
            (names.IGNORE, "ignore"),
            (names.SEES, "sees"),
            (names.SHOWN, "sees"),
            (names.PRIVATE, "private"),
            (names.HOLD, "hold"),
            (names.STRENGTH, "strength"),
            (names.MARKOV, "markov"),
            (names.CUT, "cut"),
            (names.OBSERVE, "observe"),
        ):
            if rule not in self.game.functions:
                skip(name, f"the game has no rule {rule}.")
        if "resample" not in self.game.functions:
            for name in (names.KEEPS, names.BLIND, names.REACHED, names.COVERS, names.FAIR):
                skip(name, "the game has no rule resample.")
        elif not self.walked:
            skip(names.REACHED, "the tree is too large to look draws up in; play went on from some without a failure.")
            skip(names.COVERS, "the tree is too large to know every consistent state.")
            skip(names.FAIR, "the tree is too large to know how likely each state is.")

    def _note_unseen(self) -> None:
        """What nothing was met of: to have looked at none of it is not to have found it right."""
        if not self.ends:
            for name in (names.FINITE, names.RANGE, names.ZERO_SUM):
                self.findings.note(
                    name, "no end of the game was reached, and so no payoff looked at: allow more playouts."
                )
        if not self.chances:
            write = self.findings.note if "chance" in self.game.functions else self.findings.skip
            write(names.CHANCES, "it was never chance's turn.")
        if not self.drawn and "resample" in self.game.functions:
            for name in (names.KEEPS, names.BLIND):
                self.findings.note(name, "nothing was redrawn: no player ever had a decision.")

    def _report(self, naming: Game, *, complete: bool) -> Report:
        """`naming` is the game whose rules are run to name moves."""
        looked = f"{self.played:,} random games" + (f" and at all {self.walked:,} histories" if self.walked else "")
        otherwise = (
            (PASSED, f"held in {looked}.", True)
            if complete
            else (NOTED, "not checked to the end, because rules failed before.", False)
        )
        settled = self.low <= self.high
        return Report(
            game=self.game.spec,
            findings=self.findings.listed(naming, otherwise),
            playouts=self.played,
            histories=self.walked,
            whole_tree=complete and self.walked > 0,
            zero_sum=self.balanced if settled else None,
            perfect_recall=self.recall,
            utility=(self.low, self.high) if settled else None,
            stopped=not complete,
        )
