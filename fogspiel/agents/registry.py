"""Agents by spec string: `mo-ismcts(simulations=2000,bandit=exp3(gamma=0.2))`, `random`, `human`, `leduc.fog`,
`my_agent.py(depth=3)`, `node bot.js`."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from fogspiel.agents import exact, information_sets, planning, searches
from fogspiel.agents.agent import Agent
from fogspiel.agents.apart import command_agent, is_command
from fogspiel.agents.calls import CALLS, require_call, require_calls
from fogspiel.agents.controller import ControllerAgent
from fogspiel.agents.human import HumanAgent
from fogspiel.agents.kind import Kind
from fogspiel.agents.own import FunctionAgent, own_agent
from fogspiel.agents.simple import RandomAgent, StrategyAgent
from fogspiel.errors import SpecError
from fogspiel.game.load import file_and_parameters
from fogspiel.game.parts import misplaced
from fogspiel.game.spec import joined, read_parameters, split_spec, suggestion, write_spec
from fogspiel.given import shown
from fogspiel.solvers.archive import kind_of
from fogspiel.solvers.files import CONTROLLERS, read
from fogspiel.solvers.posg.controllers import Controllers
from fogspiel.solvers.strategy import Strategy

KINDS: dict[str, Kind] = searches.KINDS | information_sets.KINDS | exact.KINDS | planning.KINDS
Seated = str | Path | Strategy | Controllers | Agent | Callable[..., int]
"""What can sit in a seat, or names it: what `agent` takes."""
_ALL, _TRUE = "it looks at every state that is possible, and draws none", "it is shown the true state"
WITHOUT_BELIEF = {
    "is-expectimax": _ALL,
    "pimc-minimax": _ALL,
    "ist-minimax": _ALL,
    "ist-mcts": _ALL,
    "cheating-minimax": _TRUE,
    "cheating-uct": _TRUE,
}
"""Why agents for games in which something is hidden take no belief."""
CALLED = {
    "selection": "bandit=...",
    "cut": "evaluation=rule(after=...)",
    "cut_from": "evaluation=rule(after=...,counted=root)",
    "widen_c": "widening=progressive(c=...)",
    "widen_alpha": "widening=progressive(alpha=...)",
    "near": "bandit=...(ties=near(within=...))",
    "variates": "control=covariate,streams=common+antithetic",
    "transpositions": "view=trail",
    "trees": "view=observer",
}
"""What people ask for by other names, as they would write it."""
PLAIN = {"random": RandomAgent, "human": HumanAgent}


def agent(what: Seated, /, **parameters: Any) -> Agent:
    """An agent from a spec string, a strategy, what `hsvi` found, a strategy file (`.fog`), a file with an agent of
    your own (`.py`, `agents/own.py`), the command of a program that plays in a process of its own (`agents/apart.py`),
    a function of an observation, or an object that is one already."""
    if isinstance(what, Strategy):
        return StrategyAgent(what)
    if isinstance(what, Controllers):
        return ControllerAgent(what)
    if isinstance(what, Path):
        what = str(what)
    if isinstance(what, type):
        raise SpecError(f"{what.__name__} is a class, not an agent: give an object of it, {what.__name__}()")
    if callable(what) and not hasattr(what, "choose"):
        made = FunctionAgent(what, parameters=parameters)
        require_call(what, made.name, CALLS["choose"], made.name, more=[*parameters, *["rng"] * made.random])
        return made
    if not isinstance(what, str):
        able = callable(getattr(what, "choose", None)) and callable(getattr(what, "begin", None))
        if not able or not isinstance(getattr(what, "name", None), str):
            raise SpecError(
                f"{shown(what)} is not an agent: it must have a name, begin(game, seat, seed) and choose(observation)"
            )
        require_calls(what, shown(what))
        return cast(Agent, what)
    if what.endswith(".fog"):
        if kind_of(what) == CONTROLLERS:
            return ControllerAgent(Path(what), Path(what).name)
        return StrategyAgent(read(what), Path(what).name)
    if (words := is_command(what)) is not None:
        if parameters:
            raise SpecError(f"the command {shown(what)} takes no parameters but those written in it")
        return command_agent(what, words)
    path, given = file_and_parameters(what)
    if path is not None:
        return own_agent(path, given | parameters)
    _require_program(what)
    name, given = split_spec(what)
    if name in PLAIN:
        read_parameters(name, (), given | parameters)
        return PLAIN[name]()
    if name not in KINDS:
        raise SpecError(f"there is no agent {shown(name)}{suggestion(name, [*KINDS, *PLAIN])}")
    kind = KINDS[name]
    both = joined(name, kind.parameters, given, parameters)
    known = [p.name for p in kind.parameters]
    for wrong in (key for key in both if key not in known):
        if told := WITHOUT_BELIEF.get(name, "") if wrong == "belief" else "":
            raise SpecError(f"{name} has no parameter belief: {told}")
        if told := misplaced(name, kind.parameters, wrong):
            raise SpecError(f"{name} has no parameter {wrong}{told}")
        if wrong in CALLED and any(p.name == CALLED[wrong].partition("=")[0] for p in kind.parameters):
            raise SpecError(f"{name} has no parameter {wrong}; ask for {name}({CALLED[wrong]})")
    values = read_parameters(name, kind.parameters, both)
    if values.get("seconds", 0) > 0 and both.get("simulations") is not None and "seconds" in both:
        raise SpecError(f"{name}: give simulations or seconds, not both: with seconds these count")
    kind.require_model(name, values)
    return kind.make(write_spec(name, kind.parameters, values, {p.name: p.default for p in kind.parameters}), values)


def _require_program(what: str) -> None:
    """Raise SpecError where a text can only be meant as a command, and there is no such program."""
    words = what.split()
    if words and "(" not in what and (len(words) > 1 or "/" in words[0]):
        if shutil.which(words[0]) is not None:
            raise SpecError(f"there is no agent {shown(what)}: it is no command either, since a quote is not closed")
        there = Path(words[0]).is_file()
        how = f"chmod +x {words[0]} makes a program of it" if there else "it is no file, and on no PATH"
        raise SpecError(f"there is no agent {shown(what)}: as a command it needs the program {words[0]}, and {how}")
