"""The games of a match, any of which can be played by its number, here or in another process."""

import itertools
import pickle
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fogspiel.agents.agent import Agent, Observation, describe
from fogspiel.agents.anew import anew
from fogspiel.agents.apart import ApartAgent, make_room
from fogspiel.agents.fault import described
from fogspiel.agents.human import HumanAgent
from fogspiel.agents.registry import agent as make_agent
from fogspiel.errors import AgentError, FogspielError, GameError, SpecError
from fogspiel.evaluate.referee import GameRecord, play_game
from fogspiel.evaluate.seeds import derived, secret
from fogspiel.evaluate.workers import Notice
from fogspiel.game.game import Game
from fogspiel.game.load import load, source_of
from fogspiel.solvers.strategy import Strategy


@dataclass(frozen=True)
class Schedule:
    """Who sits where in which game. A deal is played by every combination of as many agents as the game has players,
    and by each of these in every rotation of the seats; games are numbered deal by deal. `games` is how many a
    combination plays at least: deals are whole."""

    agents: int
    players: int
    games: int
    seed: int
    duplicate: bool
    learning: bool = False
    """Whether agents keep what they learned in earlier games; they start anew in each game otherwise."""

    @cached_property
    def combinations(self) -> list[tuple[int, ...]]:
        return list(itertools.combinations(range(self.agents), self.players))

    @property
    def games_a_deal(self) -> int:
        return len(self.combinations) * self.players

    @property
    def total(self) -> int:
        return -(-self.games // self.players) * self.games_a_deal

    def seats(self, number: int) -> tuple[int, ...]:
        """The agent in each seat."""
        group = self.combinations[number // self.players % len(self.combinations)]
        turn = number % self.players
        return group[turn:] + group[:turn]

    def place(self, number: int) -> int:
        """Which game of its deal it is. No two games of a place have the same deal, so an agent that is another one in
        each place sees no deal twice."""
        return number % self.games_a_deal if self.duplicate and not self.learning else 0

    def deal(self, number: int) -> int:
        """The seed of chance: the same in all games of a deal, unless each has its own."""
        return derived(self._secret, "deal", number // self.games_a_deal if self.duplicate else number)

    def seed_of(self, number: int) -> int:
        """The seed of the agents and of what they are shown: another one in every game."""
        return derived(self._secret, "game", number)

    @cached_property
    def _secret(self) -> bytes:
        return secret(self.seed)


class Bout:
    """A game, agents, and the schedule by which they play it."""

    def __init__(self, game: Game, agents: list[Agent], schedule: Schedule, move_time: float | None):
        self.game, self.agents, self.schedule, self.move_time = game, agents, schedule, move_time
        self.apart: dict[tuple[int, int], ApartAgent] = {}
        """Of agents in processes of their own, the one for each place (`Schedule.place`)."""

    def sitting(self, number: int) -> list[Agent]:
        """Who plays a game, by seat."""
        return [self._seated(a, self.schedule.place(number)) for a in self.schedule.seats(number)]

    def _seated(self, at: int, place: int) -> Agent:
        agent = self.agents[at]
        if not isinstance(agent, ApartAgent):
            return agent if self.schedule.learning else anew(agent)
        if (at, place) not in self.apart:
            self.apart[at, place] = agent.another() if agent in self.apart.values() else agent
        return self.apart[at, place]

    @property
    def can_hang(self) -> bool:
        """Whether an agent plays here that no limit of its own ends."""
        return not all(isinstance(agent, ApartAgent) for agent in self.agents)

    def end(self) -> None:
        """End all processes of agents."""
        for agent in (*self.agents, *self.apart.values()):
            if isinstance(agent, ApartAgent):
                agent.end()

    def do(self, number: int, notice: Notice | None = None) -> GameRecord | GameError:
        """Play a game. One that fails by no agent's fault has no utilities but a reason; what is wrong with the game's
        own rules is returned."""
        seats, deal, seed = self.schedule.seats(number), self.schedule.deal(number), self.schedule.seed_of(number)
        sitting = self.sitting(number)
        make_room(sitting)
        if notice is not None:
            sitting = [noticed(one, seat, notice) for seat, one in enumerate(sitting)]
        try:
            record = play_game(self.game, sitting, deal=deal, seed=seed, move_time=self.move_time)
        except GameError as error:
            return error
        except Exception as error:
            record = GameRecord((), (), (), (), None, f"{type(error).__name__}: {error}", deal)
        return replace(record, seats=seats)


class Noticed:
    """An agent that gives notice when it is asked something, and when it has answered or failed to."""

    def __init__(self, agent: Agent, seat: int, notice: Notice):
        self.agent, self.seat, self.notice = agent, seat, notice
        self.seated = agent
        self.name, self.cheats = agent.name, getattr(agent, "cheats", False)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.notice(self.seat)
        try:
            self.agent.begin(game, seat, seed)
        finally:
            self.notice(-1)

    def choose(self, observation: Observation) -> int:
        self.notice(self.seat)
        try:
            return self.agent.choose(observation)
        finally:
            self.notice(-1)


def noticed(agent: Agent, seat: int, notice: Notice) -> Agent:
    """The agent, giving notice of what it is asked. One in a process of its own has limits of its own."""
    return agent if isinstance(agent, ApartAgent) else Noticed(agent, seat, notice)


@dataclass(frozen=True)
class Plan:
    """A bout that can be sent to another process: the game as `load` takes it there, and agents as they were given."""

    game: str | Path
    parameters: dict[str, Any]
    debug: bool
    agents: tuple[Any, ...]
    schedule: Schedule
    move_time: float | None

    @staticmethod
    def of(bout: Bout, given: list[Any]) -> "Plan":
        """The plan of a bout of the agents given. Raises SpecError where the game or an agent cannot be sent."""
        given = [agent if isinstance(agent, ApartAgent) else one for one, agent in zip(given, bout.agents, strict=True)]
        for one, agent in zip(given, bout.agents, strict=True):
            try:
                pickle.dumps(one)
            except Exception as error:
                raise SpecError(
                    f"{agent.name} cannot be sent to another process ({type(error).__name__}: {error}); "
                    "give a spec string or a file, or play with workers=1 and without move_time"
                ) from error
        game = bout.game
        source, parameters = source_of(game)
        return Plan(source, parameters, game.debug, tuple(given), bout.schedule, bout.move_time)

    def build(self) -> Bout:
        # the game was loaded before by whoever made the plan, and checked then if it was to be
        game = load(self.game, debug=self.debug, unchecked=True, **self.parameters)
        bout = Bout(game, [make_agent(one) for one in self.agents], self.schedule, self.move_time)
        warm_up(game, [one for one in bout.agents if not isinstance(one, ApartAgent)])
        return bout


def require_agents(game: Game, agents: list[Agent]) -> None:
    """Raise SpecError, or what else is wrong, where these agents cannot play a match of this game."""
    if len(agents) < game.players:
        raise SpecError(f"{game.spec} needs at least {game.players} agents, {len(agents)} given")
    for i, agent in enumerate(agents):
        if isinstance(agent, HumanAgent):
            raise SpecError("a person cannot sit in a match; use: fogspiel play")
        if any(agent is other for other in agents[:i]):
            raise SpecError(f"{agent.name} is given twice as one object, which cannot sit in two seats; make two of it")
        if isinstance(strategy := getattr(agent, "strategy", None), Strategy):
            strategy.require(game)


def warm_up(game: Game, agents: list[Agent]) -> None:
    """Let agents that prepare for a game do so (`Agent`: `make_ready`), so that code is compiled and loaded outside any
    clock, and one that is not made for this game says so now."""
    for agent in agents:
        if not callable(make_ready := getattr(agent, "make_ready", None)):
            continue
        try:
            make_ready(game)
        except FogspielError:
            raise
        except Exception as error:
            raise AgentError(f"{describe(agent)} failed to make ready: {described(error)}") from error
