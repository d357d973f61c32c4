"""What does one run of a setting: a game, a curve, a measurement. A task is plain data, so that any process can do any
run of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from fogspiel.agents.agent import Agent
from fogspiel.agents.anew import anew
from fogspiel.agents.apart import ApartAgent, make_room
from fogspiel.agents.fault import of_the_game
from fogspiel.agents.registry import KINDS, PLAIN
from fogspiel.errors import SpecError, TooLarge
from fogspiel.evaluate.aivat import StrategyValues, Values, corrections, policy_of
from fogspiel.evaluate.bout import Noticed, noticed
from fogspiel.evaluate.online import _measurable, converge
from fogspiel.evaluate.referee import GameRecord, forfeited, play_seated
from fogspiel.evaluate.seeds import Chance, derived, secret
from fogspiel.evaluate.standings import points
from fogspiel.evaluate.workers import Notice
from fogspiel.experiment.deals import Deals, EveryDeal, FixedDeals, FreshDeals, every_deal
from fogspiel.experiment.functions import FunctionRef, returned, version_of_function, went_wrong
from fogspiel.experiment.loader import Loader, resolved
from fogspiel.experiment.versions import (
    MEASURED,
    version_of_agent,
    version_of_code,
    version_of_rooms,
    version_of_solver,
)
from fogspiel.game.load import file_and_parameters
from fogspiel.game.rules import CHANCE
from fogspiel.game.spec import split_spec, suggestion
from fogspiel.solvers import suit
from fogspiel.solvers.registry import SOLVERS, is_solver, read_solver
from fogspiel.solvers.response.response import far_too_large
from fogspiel.solvers.run import solve
from fogspiel.tree.estimate import estimate
from fogspiel.tree.tree import memory_limit

ROOM = 16
"""Bytes that an unrolled game takes at least for each of its histories."""


class Found(NamedTuple):
    """What a run came to. `found` has columns, each a number or as many numbers as the other lists have (one a seat,
    one a point of a curve); None where the run failed, and then `error` says why. An agent's fault is told in `error`,
    too. `seconds` are those that the run took; None where its process was lost. `broken`: rules of the game failed,
    after which no other run of it tells anything."""

    run: int
    deal: int
    seed: int
    weight: float
    found: dict[str, Any] | None
    error: str | None = None
    seconds: float | None = None
    broken: bool = False


class Task(Protocol):
    def described(self) -> dict[str, Any]:
        """All that tells this task from others, ready for JSON."""

    def versions(self, loader: Loader) -> dict[str, str]:
        """Of all code that runs."""

    def require(self, loader: Loader) -> None:
        """Raise what is wrong with the task, as far as that can be told at once."""

    def expected(self) -> dict[str, Any]:
        """What is known beforehand of what a run finds: columns that rows are told apart by."""

    def prepare(self, loader: Loader) -> "Work":
        """Load and compile; raises what is wrong with the task."""


class Work(Protocol):
    def run(self, number: int, notice: Notice | None = None) -> Found:
        """Do a run. It raises what is wrong with the game's rules; of all else that fails `Found.error` tells."""


class _Described:
    """What the tasks share: a description of their fields, and seeds from it."""

    seed: int

    def described(self) -> dict[str, Any]:
        return {"kind": type(self).__name__} | {
            f.name: _plain(getattr(self, f.name))
            for f in fields(self)  # type: ignore[arg-type]
            if f.name not in ("file", "folder")
        }

    @cached_property
    def _stream(self) -> str:
        return json.dumps({k: v for k, v in self.described().items() if k != "seed"}, sort_keys=True)

    def seed_of(self, run: int) -> int:
        """The seed of a run: another one in every run and in every setting. 63 bits, which any database holds."""
        return derived(self._key, self._stream, run) >> 1

    @cached_property
    def _key(self) -> bytes:
        return secret(self.seed)


@dataclass(frozen=True)
class MatchTask(_Described):
    """Games of agents: `agents` by seat, or where there are `roles` by role. `labels` tell agents apart that are
    alike."""

    game: str
    agents: tuple[str, ...]
    labels: tuple[str, ...]
    seed: int
    deals: Deals
    move_time: float | None = None
    roles: FunctionRef | None = None
    values: FunctionRef | str | None = None

    def versions(self, loader: Loader) -> dict[str, str]:
        own = {"roles": self.roles, "values": self.values}
        agents = [*self.agents, *([self.values] if isinstance(self.values, str) else [])]
        return (
            {f"game {self.game}": loader.version_of_game(self.game)}
            | {f"agent {spec}": loader.version_of_agent(spec) for spec in agents}
            | {f"process of {spec}": "its own" for spec in self.agents if isinstance(loader.player(spec), ApartAgent)}
            | {name: version_of_function(loader.function(r)) for name, r in own.items() if isinstance(r, FunctionRef)}
            | {"referee": _version_of_referee(self.values is not None)}
        )

    def require(self, loader: Loader) -> None:
        for spec in dict.fromkeys(self.agents):
            loader.require_ready(self.game, spec)

    def expected(self) -> dict[str, Any]:
        places = list(range(len(self.agents)))
        found = ("utility", "points", "seconds", "decisions", *([] if self.values is None else ["aivat"]))
        return {name: [0.0] * len(places) for name in found} | ({} if self.roles is None else {"role": places})

    def prepare(self, loader: Loader) -> "_Play":
        return _Play(self, loader)

    def deal_seed(self, deal: int) -> int:
        return derived(self._key, "deal", deal) >> 1


class _Play:
    def __init__(self, task: MatchTask, loader: Loader):
        self.task, self.loader, self.game = task, loader, loader.game(task.game)
        self.apart: dict[tuple[str, int], ApartAgent] = {}
        """Of agents in processes of their own, those of this task: in another the same deals are played again."""
        self.dealt: set[int] = set()
        """The deals that their processes may have seen."""
        self.agents = [self._agent(one, task.agents[:i].count(one)) for i, one in enumerate(task.agents)]
        if task.roles is None and len(self.agents) != self.game.players:
            raise SpecError(f"{self.game.spec} has {self.game.players} seats, {len(self.agents)} agents given")
        self.role = None if task.roles is None else loader.function(task.roles)
        self.values: Values | None = None
        if isinstance(task.values, FunctionRef):
            self.values = loader.function(task.values)
        elif task.values is not None:
            self.values = StrategyValues(loader.agent(task.values).strategy)  # type: ignore[attr-defined]

    def run(self, number: int, notice: Notice | None = None) -> Found:
        task, begun = self.task, self._begun(number)
        if begun.deal in self.dealt:  # no process sees a deal twice
            self.dealt = set()
            for agent in self.apart.values():
                agent.end()
        self.dealt.add(begun.deal)
        chance, dealt = task.deal_seed(begun.deal), task.deals.dealt(self.game, begun.deal)
        try:
            roles = self._roles(chance, dealt)
            sitting = [
                anew(self.agents[p] if roles is None else self._of_role(roles, p)) for p in range(self.game.players)
            ]
            watched = sitting
            if notice is not None and task.move_time is not None:
                watched = [noticed(one, seat, notice) for seat, one in enumerate(sitting)]
            make_room(sitting)
            record = play_seated(
                self.game, watched, deal=chance, seed=begun.seed, move_time=task.move_time, dealt=dealt
            )
            return self._found(begun, record, roles, self._corrected(record, sitting))
        except Exception as error:
            if of_the_game(error):
                raise
            return begun._replace(error=f"{type(error).__name__}: {error}")

    def _agent(self, spec: str, copy: int) -> Agent:
        """The agent of a spec string; `copy` tells apart those that play in one game."""
        agent = self.loader.warm(self.task.game, spec, copy)
        if not isinstance(agent, ApartAgent):
            return agent
        if (spec, copy) not in self.apart:
            self.apart[spec, copy] = agent.another().bound(self.task.move_time, None, False)
        return self.apart[spec, copy]

    def _begun(self, number: int) -> Found:
        """A run of which nothing is found yet."""
        deal = self.task.deals.deal(self.game, number)
        return Found(number, deal, self.task.seed_of(number), self.task.deals.weight(self.game, deal), None)

    def _corrected(self, record: GameRecord, sitting: list[Agent]) -> dict[str, list[float]]:
        if self.values is None:
            return {}
        chance = corrections(self.game, record.moves, [policy_of(one) for one in sitting], self.values)
        return {"aivat": [u - x for u, x in zip(record.utilities, chance, strict=True)]}

    def hung(self, number: int, seat: int) -> Found:
        """The run in which the agent in this seat did not come back."""
        reason = f"took far more than {self.task.move_time:g} s for a move; its process was ended"
        none, begun = (0,) * self.game.players, self._begun(number)
        roles = self._roles(self.task.deal_seed(begun.deal), self.task.deals.dealt(self.game, begun.deal))
        record = GameRecord(tuple(forfeited(self.game, seat)), (), none, none, seat, reason)
        return self._found(begun, record, roles, {})

    def _roles(self, chance: int, dealt: tuple[int, ...]) -> list[int] | None:
        """Who has which role, by what chance deals first."""
        if self.role is None:
            return None
        state, drawn = self.game.start(), Chance(chance, dealt)
        while state.actor == CHANCE:
            state.play(drawn.draw(state.chance()))
        return [int(r) for r in self.role(state)]

    def _of_role(self, roles: list[int], seat: int) -> Agent:
        """The agents of one role are objects of their own, one a seat."""
        return self._agent(self.task.agents[roles[seat]], seat)

    def _found(self, begun: Found, record: GameRecord, roles: list[int] | None, more: dict[str, list[float]]) -> Found:
        found: dict[str, Any] = {
            "utility": list(record.utilities),
            "points": points(record.utilities, () if record.forfeit is None else (record.forfeit,)),
            "seconds": [round(s, 6) for s in record.seconds],
            "decisions": list(record.decisions),
        }
        found |= more
        if roles is not None:
            found = _by_role(found, roles, record.forfeit)
        fault = None if record.forfeit is None else f"seat {record.forfeit} {record.reason}"
        return begun._replace(found=found, error=fault)


def _version_of_referee(corrected: bool) -> str:
    """Of what makes a row of a game, but for the game and the agents: who is asked and told what, chance and seeds,
    deals, forfeits and points, and where results are `corrected` how chance is taken out of them."""
    chance = (corrections, policy_of, StrategyValues) if corrected else ()
    return version_of_code(
        _Play,
        Noticed,
        Chance,
        FreshDeals,
        FixedDeals,
        EveryDeal,
        every_deal,
        MatchTask.deal_seed,
        _Described,
        *chance,
        without=() if corrected else (corrections.__module__,),
    )


def _by_role(found: dict[str, list[Any]], roles: list[int], forfeit: int | None) -> dict[str, Any]:
    """What each role came to: a role is a team, with its seats' mean utility, all their time, and one point if it
    wins."""
    there = sorted(set(roles))
    told: dict[str, Any] = {"role": there}
    for name, values in found.items():
        sums = [sum(x for x, role in zip(values, roles, strict=True) if role == team) for team in there]
        spent = name in ("seconds", "decisions")
        told[name] = sums if spent else [x / roles.count(team) for x, team in zip(sums, there, strict=True)]
    told["points"] = points(told["utility"], () if forfeit is None else (there.index(roles[forfeit]),))
    return told


@dataclass(frozen=True)
class CurveTask(_Described):
    """A solver or a searching agent, measured as it goes on. Files that it names are looked for in `folder` first."""

    game: str
    player: str
    budgets: tuple[int, ...]
    seed: int
    folder: str = ""

    @property
    def spec(self) -> str:
        """The player, with where its files are."""
        return resolved(self.player, self.folder)

    @property
    def is_solver(self) -> bool:
        return is_solver(self.spec)

    def versions(self, loader: Loader) -> dict[str, str]:
        if not self.is_solver:
            self._require_known()
        version = version_of_solver(self.spec) if self.is_solver else version_of_agent(loader.agent(self.player))
        return {f"game {self.game}": loader.version_of_game(self.game), f"player {self.player}": version}

    def _require_known(self) -> None:
        name = split_spec(self.player)[0]
        known = [*SOLVERS, *KINDS, *PLAIN]
        if file_and_parameters(self.player)[0] is None and not name.endswith(".fog") and name not in known:
            raise SpecError(f"there is no solver and no agent {name!r}{suggestion(name, known)}")

    def require(self, loader: Loader) -> None:
        game = loader.game(self.game)
        if self.is_solver:
            name, entry, values = read_solver(self.spec)
            suit.require_kind(name, entry, game)
            suit.require(name, entry, game, values, None)
        else:
            _measurable(game, resolved(self.player, loader.folder), 0)
        if far_too_large(game, memory_limit() // ROOM):
            raise TooLarge(
                f"{game.spec} is too large for curves of NashConv, which is measured on the unrolled game; play "
                "matches there, or take a smaller game"
            )
        if self.is_solver and entry.form and estimate(game).histories <= suit.QUICK:
            # what only the tree tells is told here where that is quick
            suit.require_unrolled(name, entry, loader.form(self.game).tree, values)

    def expected(self) -> dict[str, Any]:
        budgets = [1] if self.is_solver and read_solver(self.spec)[1].exact else sorted(self.budgets)
        found = ("nash_conv", "touched" if self.is_solver else "coverage", "seconds")
        return {"budget": budgets} | {name: [0.0] * len(budgets) for name in found}

    def prepare(self, loader: Loader) -> "_Converge":
        return _Converge(self, loader)


class _Converge:
    def __init__(self, task: CurveTask, loader: Loader):
        self.task, self.form, self.player = task, loader.form(task.game), resolved(task.player, loader.folder)
        if not task.is_solver:
            loader.agent(task.player)

    def run(self, number: int, notice: Notice | None = None) -> Found:
        seed = self.task.seed_of(number)
        try:
            return Found(number, number, seed, 1.0, self._solved(seed) if self.task.is_solver else self._searched(seed))
        except Exception as error:
            if of_the_game(error):
                raise
            return Found(number, number, seed, 1.0, None, f"{type(error).__name__}: {error}")

    def _solved(self, seed: int) -> dict[str, Any]:
        budgets = self.task.budgets
        limits: dict[str, Any] = {"iterations": max(budgets), "every": budgets}
        if read_solver(self.player)[1].exact:
            limits = {}
        curve = solve(self.form, self.player, seed=seed, **limits).curve
        return {
            "budget": [p.iterations for p in curve],
            "nash_conv": [p.nash_conv for p in curve],
            "touched": [p.touched for p in curve],
            "seconds": [round(p.seconds, 6) for p in curve],
        }

    def _searched(self, seed: int) -> dict[str, Any]:
        curve = converge(self.form.tree.game, self.player, self.task.budgets, seed=seed, form=self.form)
        return {
            "budget": [p.simulations for p in curve],
            "nash_conv": [p.nash_conv for p in curve],
            "coverage": [p.coverage for p in curve],
            "seconds": [round(p.seconds, 6) for p in curve],
        }


@dataclass(frozen=True)
class MeasureTask(_Described):
    """A function of a setting."""

    function: FunctionRef
    setting: Mapping[str, Any]
    seed: int

    def versions(self, loader: Loader) -> dict[str, str]:
        library = version_of_rooms(*MEASURED)
        return {"function": version_of_function(loader.function(self.function)), "library": library}

    def require(self, loader: Loader) -> None:
        loader.function(self.function)

    def expected(self) -> dict[str, Any]:
        return {}

    def prepare(self, loader: Loader) -> "_Measure":
        return _Measure(self, loader)


class _Measure:
    def __init__(self, task: MeasureTask, loader: Loader):
        self.task, self.function = task, loader.function(task.function)

    def run(self, number: int, notice: Notice | None = None) -> Found:
        seed = self.task.seed_of(number)
        try:
            found = returned(self.task.function.name, self.function(seed=seed, **self.task.setting))
        except (Exception, SystemExit) as error:
            return Found(number, number, seed, 1.0, None, went_wrong(error, self.function))
        return Found(number, number, seed, 1.0, found)


def _plain(value: Any) -> Any:
    if isinstance(value, FunctionRef):
        return [value.module, value.name]
    if hasattr(value, "__dataclass_fields__"):
        return [type(value).__name__, *(_plain(getattr(value, f.name)) for f in fields(value))]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | range):
        return [_plain(v) for v in value]
    return value if isinstance(value, int | float | str | None) else str(value)
