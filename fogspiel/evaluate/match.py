"""Matches: agents play a game many times, with seats changed and chance shared, and the result says how sure it is."""

import contextlib
import hashlib
import math
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

from fogspiel import given
from fogspiel.agents.agent import Agent, describe
from fogspiel.agents.anew import anew
from fogspiel.agents.apart import ApartAgent
from fogspiel.agents.registry import Seated
from fogspiel.engine.stake import at_stake, uncut
from fogspiel.errors import AgentError, FileError, GameError, SpecError
from fogspiel.evaluate.again import commands
from fogspiel.evaluate.bout import Bout, Plan, Schedule, require_agents, warm_up
from fogspiel.evaluate.judging import WINS, judged_by
from fogspiel.evaluate.referee import GameRecord, forfeited
from fogspiel.evaluate.result import MatchResult
from fogspiel.evaluate.seated import seat, secrecy, strangers_here
from fogspiel.evaluate.seeds import fresh
from fogspiel.evaluate.sequential import Sequence as TestAtWork
from fogspiel.evaluate.sequential import SequentialTest, UtilityTest, read_test
from fogspiel.evaluate.standings import comparisons
from fogspiel.evaluate.store import Store, seed_in
from fogspiel.evaluate.workers import TRIES, Crew, Died, Hung
from fogspiel.game.load import Source, load
from fogspiel.game.playout import behaviour as behaviour_of
from fogspiel.solvers.strategy import Strategy

SAME = (
    "game",
    "behaviour",
    "agents",
    "strategies",
    "seed",
    "duplicate",
    "learning",
    "move_time",
    "strangers_in_this_process",
)
"""What must agree for a match to be resumed. How many games it has may change: those played stay what they were."""

PATIENCE, GRACE = 3, 5.0
"""An agent's process is ended when a move takes `PATIENCE` times what is allowed, and `GRACE` seconds."""


@given.call
def match(
    game: Source,
    agents: Sequence[Seated],
    *,
    games: int = 100,
    seed: int | None = None,
    workers: int = 1,
    move_time: float | None = None,
    sprt: "tuple[float, float, float, float] | SequentialTest | UtilityTest | None" = None,
    by: str | None = None,
    duplicate: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
    store: str | Path | None = None,
    resume: bool = False,
    learning: bool = False,
    strict: bool = False,
    notice: Callable[[str], None] | None = None,
    apart: bool | None = None,
    memory: int | None = None,
) -> MatchResult:
    """Play a match. With as many agents as the game has players they all meet; with more, every combination of them
    plays `games` games (a round robin); in a one-player game every agent plays `games` games alone.

    The same deal is played once for every rotation of the seats, and by every combination, with the same chance: game i
    of two agents is deal i // 2, with seats changed if i is odd. `games` is rounded up to whole deals. With `duplicate`
    off every game has chance of its own. All random numbers come from `seed` and the game's number, so the result
    depends neither on `workers` nor on interruptions. That holds for agents that are told how many simulations to make;
    one that is told seconds plays as the machine's speed will have it. Without a `seed` the match takes 64 random bits,
    which the result tells, or goes on with the seed of the match that it resumes. A seed that can be guessed is no
    secret from an agent that knows this library: it can try seeds until it finds its own, and then knows the cards.

    Agents start anew in each game: of an agent given as an object a copy (`copy.deepcopy`) plays each game, since one
    that remembers knows the cards when a deal is played again. `learning` declares that the match is about what agents
    learn from game to game: then the object given plays all of them, in their order, with one worker, and the match
    cannot be resumed.

    With `workers` above 1, or with `move_time`, games are played in processes of their own, for which agents must be
    spec strings, files, strategies, or objects that can be pickled. A game whose process dies is played again; after
    three deaths it counts as failed. A move that takes more than `move_time` seconds forfeits the game; if the agent
    does not come back at all, its process is ended after three times that and five seconds. Without `move_time`, an
    agent that hangs hangs the match.

    An agent that is not ours, a file or the command of a program (`docs/bots.md`), plays in processes of its own, one
    for each game of a deal, so that it has no more to go by than its seat knows. There a move must come within a minute
    where there is no `move_time`, and `memory` is how many bytes each process may take (4 GiB unless given). `apart`
    has all agents play so that are named by text, or with False none but commands, which costs less; objects and
    functions always play here. What an agent can reach that it should not is told in `MatchResult.secrecy`.

    `by` is what the match is judged by: "wins", or "utility" where more or less can be at stake; by default what fits
    the game (`judged_by`). Who is stronger, how sure that is, the sequential test and the ratings all go by it.

    `sprt` (elo0, elo1, alpha, beta), for two agents, ends the match as soon as the results tell a difference of elo1
    from one of elo0. Where utility counts the first two numbers are differences in utility: how much more than the
    second agent the first one gets in a game, in the mean. It looks at deals in their order, so it does not depend on
    `workers` either; games after that do not count.

    `store` keeps every game in a file as soon as it is played, and `resume` goes on with the match in such a file.
    Ctrl-C returns the result so far. `progress` hears the score, games played, and games in all.

    An agent that fails, makes an illegal move or takes too long loses the game, and the match goes on. `notice` hears
    of the first such fault of each agent as soon as it happens, with the line of the agent's code; by default it is a
    warning. With `strict` the match stops at the first fault, with an AgentError.
    """
    games, workers, seed = (
        given.whole("games", games, 1),
        given.threads(workers, "workers"),
        None if seed is None else given.seed(seed),
    )
    move_time = given.maybe(given.seconds, "move_time", move_time, above=True)
    duplicate, resume = given.flag("duplicate", duplicate), given.flag("resume", resume)
    learning, strict = given.flag("learning", learning), given.flag("strict", strict)
    notice = _warn if notice is None else given.function("notice", notice)
    apart, memory = given.maybe(given.flag, "apart", apart), given.maybe(given.size, "memory", memory)
    store, progress = given.maybe(given.path, "store", store), given.maybe(given.function, "progress", progress)
    agents = given.several("agents", agents, "a list of agents")
    if resume and store is None:
        raise SpecError("to resume a match, name the file that it is stored in")
    if learning and (workers > 1 or resume):
        raise SpecError(
            "agents that learn play all games in their order in one process: play with workers=1, and do not resume"
        )
    if seed is None:
        known = seed_in(store) if resume and store is not None else None
        seed = fresh() if known is None else known
    loaded = load(game)
    named = [str(one) if isinstance(one, Path) else one for one in agents]
    sitting = [seat(one, apart, move_time, memory, learning) for one in named]
    require_agents(loaded, sitting)
    for one in sitting if not learning else ():
        anew(one)
    judge = judged_by(loaded, by)
    if sprt is not None and len(sitting) != 2:
        raise SpecError(f"a sequential test compares two agents, not {len(sitting)}")
    test = None if sprt is None else read_test(sprt, judge, loaded.about.utility)
    bout = Bout(loaded, sitting, Schedule(len(sitting), loaded.players, games, seed, duplicate, learning), move_time)
    file: Store | None = None
    try:
        warm_up(loaded, [one for one in sitting if isinstance(one, ApartAgent)])  # which tell their names
        plan = Plan.of(bout, named) if workers > 1 or (move_time is not None and bout.can_hang) else None
        strange = any(isinstance(one, ApartAgent) and one.strange for one in sitting)
        if store is not None:
            header = _header(bout) | {"strangers_in_this_process": strangers_here(sitting, named) or None}
            file = Store(store, header, SAME, resume=resume, private=strange)
        run = _Run(bout, plan, workers, judge, test, file, progress, None if strict else notice)
        stopped = run.to_the_end()
    finally:
        bout.end()
        if file is not None:
            file.close()
    asked = {
        "games": games,
        "seed": seed,
        "workers": workers,
        "move_time": move_time,
        "sprt": test,
        "by": by,
        "duplicate": duplicate,
        "learning": learning,
        "strict": strict,
        "apart": apart,
        "memory": memory,
        "store": store,
    }
    told = commands(game if isinstance(game, str) else None, loaded, named, asked)
    return run.result(stopped, *told, secrecy(loaded, sitting, named))


class _Run:
    """A match under way."""

    def __init__(
        self,
        bout: Bout,
        plan: Plan | None,
        workers: int,
        judge: str,
        test: SequentialTest | UtilityTest | None,
        file: Store | None,
        progress: Callable[[str, int, int], None] | None,
        notice: Callable[[str], None] | None,
    ):
        self.bout, self.plan, self.workers, self.judge = bout, plan, workers, judge
        self.file, self.progress, self.notice = file, progress, notice
        self.at_fault: set[int] = set()
        self.schedule = bout.schedule
        self.names = _names(bout.agents)
        self.games = {} if file is None else _stored(file, bout)
        self.known = len(self.games)
        self.sequence = None if test is None else TestAtWork(test, self.schedule, bout.game.about.utility)
        self.score = [0.0, 0.0]
        self.seconds = 0.0

    def to_the_end(self) -> str:
        """Play what is missing; returns why it stopped."""
        began = time.perf_counter()
        try:
            if self._decided():
                return "sprt"
            warm_up(self.bout.game, self.bout.agents)
            if self.plan is not None:  # those that play are elsewhere
                self.bout.end()
            began = time.perf_counter()
            for record in self.games.values():
                self._add_up(record)
            missing = (n for n in range(self.schedule.total) if n not in self.games)
            with at_stake(), contextlib.closing(self._stream(missing)) as stream:
                for number, record in stream:
                    self._keep(number, record)
                    if self._decided():
                        return "sprt"
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            self.seconds = time.perf_counter() - began
        return "games"

    def _keep(self, number: int, record: GameRecord) -> None:
        if record.forfeit is not None:
            self._tell_fault(number, record, record.forfeit)
        with uncut():  # a game that counts is stored
            self.games[number] = record
            if self.file is not None:
                self.file.add(number, record.as_dict())
            self._add_up(record)
        if self.progress is not None:
            self.progress(self._score(), len(self.games), self.schedule.total)

    def _tell_fault(self, number: int, record: GameRecord, seat: int) -> None:
        """Say what an agent did, the first time that it does something; a strict match ends here."""
        agent = record.seats[seat]
        text = f"game {number}: {self.names[agent]} (seat {seat}) {record.reason}"
        if self.notice is None:
            raise AgentError(text)
        if agent not in self.at_fault:
            self.at_fault.add(agent)
            self.notice(f"{text}; it loses the game, and the match goes on")

    def _decided(self) -> bool:
        return self.sequence is not None and self.sequence.decided(self.games)

    def _stream(self, numbers: Iterator[int]) -> Generator[tuple[int, GameRecord], None, None]:
        if self.known == self.schedule.total:
            return
        if self.plan is None:
            yield from ((number, _played(self.bout.do(number))) for number in numbers)
            return
        limit = None if self.bout.move_time is None else PATIENCE * self.bout.move_time + GRACE
        with Crew(self.plan, min(self.workers, self.schedule.total - self.known), limit) as crew:
            for number, found in crew.do(numbers):
                yield number, self._lost(number, found, limit) if isinstance(found, Died | Hung) else _played(found)

    def _lost(self, number: int, what: Died | Hung, limit: float | None) -> GameRecord:
        """The record of a game whose process hung or died."""
        seats, deal, players = self.schedule.seats(number), self.schedule.deal(number), self.schedule.players
        if isinstance(what, Hung):
            reason = (
                f"took more than {limit:g} s for a move, {self.bout.move_time:g} s were allowed; its process was ended"
            )
            utilities = tuple(forfeited(self.bout.game, what.during))
            return GameRecord(utilities, (), (0.0,) * players, (0,) * players, what.during, reason, deal, seats)
        during = f" while {self.names[seats[what.during]]} was to move" if what.during >= 0 else ""
        return GameRecord(
            (), (), (), (), None, f"its process died {TRIES} times (exit code {what.exit_code}){during}", deal, seats
        )

    def _add_up(self, record: GameRecord) -> None:
        if len(self.names) == self.schedule.players == 2:
            for c in comparisons([record], 2):
                for agent, share in zip(c.agents, c.points if self.judge == WINS else c.utilities, strict=True):
                    self.score[agent] += share

    def _score(self) -> str:
        if len(self.names) == self.schedule.players == 2:
            first, second = (f"{one:g}" if self.judge == WINS else f"{one:+g}" for one in self.score)
            return f"{self.names[0]} {first} {'-' if self.judge == WINS else ':'} {second} {self.names[1]}"
        return "games"

    def result(self, stopped: str, command: str | None, repeat: str, secrecy: tuple[str, ...]) -> MatchResult:
        game, reached = self.bout.game, self.schedule.total
        if stopped == "sprt" and self.sequence is not None:
            reached = self.sequence.reached
        games = {number: record for number, record in sorted(self.games.items()) if number < reached}
        met = [u for record in games.values() for u in record.utilities] or [0.0]
        return MatchResult(
            game.spec,
            self.names,
            tuple(bool(getattr(a, "cheats", False)) for a in self.bout.agents),
            games,
            self.schedule,
            game.about.utility or (min(met), max(met)),
            self.bout.move_time,
            self.workers,
            stopped,
            len(self.games) - self.known,
            self.seconds,
            None if self.sequence is None else self.sequence.test,
            None if self.sequence is None else self.sequence.ratio,
            "" if self.file is None else self.file.unsaved,
            command,
            self.judge,
            repeat,
            tuple(isinstance(agent, ApartAgent) for agent in self.bout.agents),
            secrecy,
        )


def _played(found: GameRecord | GameError) -> GameRecord:
    """The record of a game. Rules that fail end the match: games in which they do not are no fair sample of all."""
    if isinstance(found, GameError):
        raise found
    return found


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=7)


def _names(agents: list[Agent]) -> tuple[str, ...]:
    """What results call the agents: their names, numbered where two have the same."""
    names = [describe(agent) for agent in agents]
    return tuple(
        name if names.count(name) == 1 else f"{name} ({names[: i + 1].count(name)})" for i, name in enumerate(names)
    )


def _header(bout: Bout) -> dict[str, Any]:
    strategies = [getattr(agent, "strategy", None) for agent in bout.agents]
    return {
        "game": bout.game.spec,
        "behaviour": behaviour_of(bout.game),
        "agents": [describe(agent) for agent in bout.agents],
        "strategies": [
            fingerprint(one) if isinstance(one, Strategy) else getattr(agent, "fingerprint", None)
            for one, agent in zip(strategies, bout.agents, strict=True)
        ],
        "seed": bout.schedule.seed,
        "games": bout.schedule.games,
        "duplicate": bout.schedule.duplicate,
        "learning": bout.schedule.learning,
        "move_time": bout.move_time,
    }


def fingerprint(strategy: Strategy) -> str:
    """Tells two strategies of one name apart."""
    return hashlib.sha256(
        b"".join(getattr(strategy, n).tobytes() for n in ("player", "key", "move", "prob"))
    ).hexdigest()[:16]


def _stored(file: Store, bout: Bout) -> dict[int, GameRecord]:
    """The games in a file, as far as the match asks for them."""
    games = {}
    for number, row in file.games.items():
        try:
            values: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in row.items()
                if name not in ("number", "digest")
            }
            record = GameRecord(**values)
            if not _sound(record, bout.schedule.players):
                raise TypeError
            scheduled = (bout.schedule.seats(number), bout.schedule.deal(number))
        except TypeError:
            raise FileError(f"{file.path} is damaged: game {number} is not a record of a game") from None
        if (record.seats, record.deal) != scheduled:
            raise FileError(f"{file.path} is damaged: game {number} has other seats or another deal than in this match")
        if number < bout.schedule.total:
            games[number] = record
    return games


def _sound(record: GameRecord, players: int) -> bool:
    """Whether a record that was read can be of a game: one that failed has no utilities."""

    def row(values: Any, kind: type, low: float) -> bool:
        known = isinstance(values, tuple) and all(type(v) in (int, kind) and v >= low for v in values)
        return known and len(values) in (0, players)

    return (
        row(record.utilities, float, -math.inf)
        and row(record.seconds, float, 0)
        and row(record.decisions, int, 0)
        and isinstance(record.moves, tuple)
        and all(type(move) is int for move in record.moves)
        and (record.forfeit is None or (type(record.forfeit) is int and 0 <= record.forfeit < players))
        and isinstance(record.reason, str | None)
        and (record.utilities != () or record.reason is not None)
    )
