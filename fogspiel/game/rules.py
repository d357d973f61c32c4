"""What a game is: a structured state and a handful of plain functions over it.

========== ======================= ==============================================================================
rule       given                   does
========== ======================= ==============================================================================
start      s                       fills in the initial state; fields named like a parameter hold its value already
actor      s                       returns who moves: a player 0.., CHANCE, or OVER
moves      s, out                  writes the legal moves (whole numbers) into out, returns how many
chance     s, out, prob            optional: as moves, at a chance node, with probabilities; without it, uniform
play       s, move                 applies a move of the actor
payoff     s, out                  writes each player's utility at the end of the game
infoset    s, player               returns a 64-bit key of all that the player knows (PUBLIC: what everyone knows)
resample   s, player, rng          optional: redraws what the player cannot see, from what it can see alone
========== ======================= ==============================================================================

Rules are compiled; the same functions also run as ordinary Python (`fs.load(..., debug=True)`), on a view of the state
whose fields are attributes and whose array fields are indexed. A rule must not raise.
"""

import keyword
from dataclasses import dataclass, field
from types import FunctionType, ModuleType

import numpy as np

from fogspiel.engine.kinds import Int, Ints, Kind, Reals, Record, Word, Words
from fogspiel.errors import GameError

CHANCE, OVER = -1, -2
PUBLIC = -1

MAX_MOVES = 256
"""How many moves the rule `moves` may write, unless the game file sets its own `MAX_MOVES`."""


@dataclass(frozen=True)
class About:
    """What a game with given parameters is; returned by a game file's optional function `about(**parameters)`.

    `utility` bounds every payoff. `tables` are arrays that rules read with `real_at(s.name, i)` or `whole_at(s.name, i)`
    through a state field `("name", "i8")` of the same name.
    """

    players: int = 2
    utility: tuple[float, float] | None = None
    zero_sum: bool = True
    simultaneous: bool = False
    perfect_recall: bool = True
    tables: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A rule's name, what it is given after the state, what it returns, and whether a game must have it."""

    name: str
    arguments: tuple[tuple[str, Kind], ...]
    result: Kind | None
    required: bool = True

    def kinds(self, state: np.dtype) -> tuple[Kind, ...]:
        return (Record(state), *(kind for _, kind in self.arguments))

    @property
    def given(self) -> str:
        return ", ".join(["s", *(name for name, _ in self.arguments)])


RULES = (
    Rule("start", (), None),
    Rule("actor", (), Int),
    Rule("moves", (("out", Ints),), Int),
    Rule("chance", (("out", Ints), ("prob", Reals)), Int, required=False),
    Rule("play", (("move", Int),), None),
    Rule("payoff", (("out", Reals),), None),
    Rule("infoset", (("player", Int),), Word),
    Rule("resample", (("player", Int), ("rng", Words)), None, required=False),
)


def where(function: FunctionType, line: int | None = None) -> str:
    """A rule as an error names it: its name, file and line."""
    code = function.__code__
    return f"rule {function.__name__} ({code.co_filename}, line {line or code.co_firstlineno})"


def read_rules(module: ModuleType, label: str) -> tuple[np.dtype, dict[str, FunctionType]]:
    """The state and the rules of a game file, checked for what can be checked without running them."""
    state = getattr(module, "State", None)
    if not isinstance(state, np.dtype) or state.names is None:
        raise GameError(f"{label} has no State: it must define State = np.dtype([(field, type), ...], align=True)")
    for name in state.names:
        _check_field(label, name, state[name])
    rules = {}
    for rule in RULES:
        function = getattr(module, rule.name, None)
        if function is None and not rule.required:
            continue
        if not isinstance(function, FunctionType):
            missing = "has no rule" if function is None else "must define as a plain function the rule"
            raise GameError(f"{label} {missing} {rule.name}({rule.given})")
        if function.__code__.co_argcount != 1 + len(rule.arguments):
            raise GameError(f"{where(function)} must take ({rule.given})")
        rules[rule.name] = function
    return state, rules


def _check_field(label: str, name: str, kind: np.dtype) -> None:
    base = kind.base
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise GameError(f"{label}: State field {name!r} cannot be an attribute; use a plain name such as {name.strip('_') + '_'!r}")
    if base.kind not in "iufb" or base.itemsize > 8:
        raise GameError(f"{label}: State field {name} has type {base}; use whole numbers (i1..i8, u1..u8), f4, f8 or bool")
    if len(kind.shape) > 1:
        raise GameError(f"{label}: State field {name} has {len(kind.shape)} dimensions; use one, and compute the index")
