"""What a game is: a structured state and a handful of plain functions over it.

========== ======================= ==============================================================================
rule       given                   does
========== ======================= ==============================================================================
start      s                       fills in the initial state, all 0 before; fields named like a parameter
                                   hold its value already
actor      s                       returns who moves: a player 0.., CHANCE, or OVER
moves      s, out                  writes the legal moves (whole numbers) into out, returns how many
chance     s, out, prob            optional: as moves, at a chance node, with probabilities; without it, uniform
play       s, move                 applies a move of the actor
payoff     s, out                  writes each player's utility at the end of the game
infoset    s, player               returns a 64-bit key of all that the player knows (PUBLIC: what everyone knows)
resample   s, player, rng          optional: redraws what the player cannot see, from what it can see alone
pending    s                       optional: of a simultaneous game in which not all move at once: whether who
                                   moves does so at once with who moved before
evaluate   s, out                  optional: writes a guess of each player's utility before the end of the game
abstract   s, player               optional: returns a coarser key, for play as if the player knew no more than that
guide      s, out, prob            optional: as moves, with the probabilities of sensible play, for rollouts
covariate  s, move                 optional: 1 if chance brings about a chosen event, else 0, minus the
                                   probability of that
mirror     s, move                 optional: the outcome of chance, as likely, that is as unlucky as this one is
                                   lucky
episode    s                       optional: returns the label 0.. of the episode that begins in this state, or
                                   CONTINUES (Whitehouse 2014, sec. 8.3)
position   s                       optional: returns a 64-bit key of all that the rest of the game depends on,
                                   however it came about
ignore     s, player, most         optional: leaves out what the player never saw, or what may be in more than
                                   `most` places: the state of a simpler game, to search
copies     s, move                 optional: in how many ways that others tell apart a move can be made which is
                                   one in this game, such as with which cards of a rank
sees       s, player, move         optional: returns a 64-bit key of what a player sees of a move that is made
                                   here, or UNSEEN
private    s, player, out, weight  optional: writes all that chance may have dealt the player in private,
                                   weighted; returns how many
hold       s, player, outcome      with private: puts one of these in the player's hand, in place of what it
                                   holds
strength   s, player               with private, optional: at the end, what decides: payoffs depend on the hands
                                   by who is stronger alone
markov     s                       optional: of a game without an end, cut off: returns a 64-bit key of the state
                                   without its history
cut        s                       with markov: returns whether the game is over for no other reason than that it
                                   is cut off
observe    s, player               with markov: returns a 64-bit key of what the player always knows of that
                                   state; that of markov, if all
lump       s                       with markov, optional: returns a coarser key, of what moves and payoffs depend
                                   on if everyone sees all
========== ======================= ==============================================================================

Rules are compiled; the same functions also run as ordinary Python (`fs.load(..., debug=True)`), on a view of the state
whose fields are attributes and whose array fields are indexed: `s.hand[i]`, and with two dimensions `s.board[row,
column]` or `s.board[row][column]`. A rule must not raise. What rules promise is looked at wherever they run
(`game/promises.py`).

An *abstraction* (Lanctot 2013, ch. 5) joins information sets that are to share one strategy. `abstract` is asked where
the player is to move; equal keys of `infoset` must give equal keys of `abstract`, and equal keys of `abstract` the same
legal moves. The abstraction may forget what `infoset` remembers: the game itself, and so NashConv in it, stays the
same.

States of equal keys of `position` have the same moves and payoffs, show everybody the same as play goes on, and the
same moves lead to equal keys. It is for exact searches, which then search what came about in several ways once; without
it every state has a key of its own.

`copies` is for games in which cards that count the same are one: of a king that lies on the table, who holds three is
three times as likely to be the owner as who holds one, where nothing is known of why it was played. What is possible is
weighted so (`belief/exact.py`), as if each card had a face of its own.

`ignore` is for searches that plan as if what is out of sight for long were not there: it makes of a state one that
might be met in a simpler game, by what the player knows alone. It is asked of states in which a player moves,
whichever. The same player is to move then, with the same moves where it is the one who ignores.

`sees` is asked of a state in which a move may be made, whoever moves, chance too, and for each player; the state is a
copy, in which the rule may make the move. Of others' moves and of chance's it returns UNSEEN, which is 0, where the
player's key (`infoset`) stays as it is, so that the player does not even notice that something was done, and something
else where it changes: what was seen, and nothing of what the player knew before. Of a player's own move, which it
knows, it returns what else the player sees come of it, UNSEEN if that is nothing. Of a pending move the others see no
more than that it was made, if that; the move that ends the stage shows them all that is shown then. So the next key
follows from the last, the player's own move and what it saw; and with perfect recall two moves that lead from one key
to one key are seen alike. `mix(0, move)` is for a move that the player sees as it is: whoever gets that key knows who
made which move, by its name, and it must be the key of nothing else. By it an account tells others' moves without
having to find out what else they may have been, and trees of what each player has seen (`search/observers.py`)
know what that is.

`private` and `hold` are for games of two players in which nothing is hidden but what chance deals each of them, a card
or a roll: they allow a walk over the public tree, with a vector over what a player may hold (Johanson et al. 2012).
`private` depends on nothing but what is public, and lists the same outcomes in the same order throughout a game, with
weight 0 where one can be no more. Weights are probabilities, but for a factor; or, with `About(deck=True)`, copies left
in the deck from which both draw: who holds one leaves one copy less to the other. They are asked of states in which a
player moves or the game is over.

`markov` and what stands with it are for partially observable stochastic games of two opposed players who move at the
same time, round by round and for ever; the rules play one that is cut off after some rounds. Where a round begins or
the game is over, equal keys of `markov` have the same moves, the same payoffs and equal keys to come, but for when the
game is cut off; and what a player learns in a round is what `observe` then tells. `payoff` is asked of any state where
a round begins, too: what was paid so far. `About` names the parameter that says after how many rounds the game is cut
off, its `horizon`, and the one that payoffs are multiplied by for each round, its `discount`. What a game is worth
where it is cut off need not be in its rules (`game/horizon.py`).
"""

import inspect
import keyword
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Int, Ints, Kind, Real, Reals, Word, Words
from fogspiel.errors import GameError
from fogspiel.game.misspelt import Misspelt, misspelt, misspelt_constants
from fogspiel.game.spec import Parameter
from fogspiel.game.view import C_TYPES

CHANCE, OVER = -1, -2
PUBLIC = -1
CONTINUES = -1
"""What the rule `episode` returns where no episode begins."""

UNSEEN = np.uint64(0)
"""What the rule `sees` returns where nothing is seen: a word, as what `mix` returns is."""

MAX_MOVES = 256
"""How many moves the rule `moves` may write, unless the game file sets its own `MAX_MOVES`."""

SLACK = 4096
"""Moves beyond a game's limit that a buffer has room for."""


@dataclass(frozen=True)
class About:
    """What a game with given parameters is; returned by a game file's optional function `about(**parameters)`.

    `utility` bounds every payoff, and `ranges` those of each player; of the two, one says enough. `simultaneous`:
    players of a stage choose at once. The rules ask them in their order, whatever the others choose, and show nobody
    what is pending; a stage lasts while the next to move has a higher number and, with the rule `pending`, that says
    so. `abstraction` is False where the rule `abstract` would join nothing. `deck`: what the rule `private` weighs are
    cards of one deck. `without` says which of the rules `private`, `strength`, `evaluate` and `pending` do not hold
    with these parameters. `horizon` and `discount` are names of parameters, of a game that has the rule `markov`.
    `tables` are arrays that rules read with `real_at(s.name, i)` or `whole_at(s.name, i)` through a state field
    `("name", "i8")` of the same name.
    """

    players: int = 2
    utility: tuple[float, float] | None = None
    ranges: tuple[tuple[float, float], ...] | None = None
    zero_sum: bool = True
    simultaneous: bool = False
    perfect_recall: bool = True
    abstraction: bool = True
    deck: bool = False
    without: tuple[str, ...] = ()
    horizon: str = ""
    discount: str = ""
    tables: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A rule's name, what it is given after the state, what it returns, and whether a game must have it. One that
    stands `beside` another is a rule only in files that have the other."""

    name: str
    arguments: tuple[tuple[str, Kind], ...]
    result: Kind | None
    required: bool = True
    beside: str = ""

    def kinds(self, state: Kind) -> tuple[Kind, ...]:
        return (state, *(kind for _, kind in self.arguments))

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
    Rule("pending", (), Int, required=False),
    Rule("evaluate", (("out", Reals),), None, required=False),
    Rule("abstract", (("player", Int),), Word, required=False),
    Rule("guide", (("out", Ints), ("prob", Reals)), Int, required=False),
    Rule("covariate", (("move", Int),), Real, required=False),
    Rule("mirror", (("move", Int),), Int, required=False),
    Rule("episode", (), Int, required=False),
    Rule("position", (), Word, required=False),
    Rule("copies", (("move", Int),), Int, required=False),
    Rule("ignore", (("player", Int), ("most", Int)), None, required=False),
    Rule("sees", (("player", Int), ("move", Int)), Word, required=False),
    Rule("private", (("player", Int), ("out", Ints), ("weight", Reals)), Int, required=False),
    Rule("hold", (("player", Int), ("outcome", Int)), None, beside="private"),
    Rule("strength", (("player", Int),), Int, required=False, beside="private"),
    Rule("markov", (), Word, required=False),
    Rule("cut", (), Int, beside="markov"),
    Rule("observe", (("player", Int),), Word, beside="markov"),
    Rule("lump", (), Word, required=False, beside="markov"),
)


FUNCTIONS = {"move_name": "move", "show": "player", "svg": "player", "features": "", "short_form": ""}
"""What a game file may have beside its rules and `about`, by name, with what each is given after the state."""


CONSTANTS: dict[str, Callable[[Any], bool]] = {
    "PARAMETERS": lambda value: isinstance(value, tuple | list | Parameter),
    "MAX_MOVES": lambda value: isinstance(value, int),
    "PLAYERS": lambda value: isinstance(value, int),
}
"""What a game file may declare, by name, with whether a value may be that."""


RETURNS = {
    "actor": "who moves",
    "moves": "how many moves it wrote",
    "chance": "how many outcomes it wrote",
    "infoset": "the player's key",
    "pending": "whether who moves does so at once with who moved before",
    "abstract": "a key",
    "guide": "how many moves it wrote",
    "covariate": "a number",
    "mirror": "an outcome of chance",
    "episode": "a label or CONTINUES",
    "position": "a key",
    "copies": "in how many ways the move can be made",
    "sees": "a key of what is seen",
    "private": "how many outcomes it wrote",
    "strength": "how strong the player is",
    "markov": "a key",
    "cut": "whether the game is cut off",
    "observe": "a key",
    "lump": "a key",
}
"""What rules must return, in words."""


NOTHING = "it returns nothing where a whole number is expected"


def complete(rule: str, reason: str) -> str:
    """Why a rule fails, with what it must return where it returns nothing."""
    return (
        f"{reason}; it must return {RETURNS[rule]}"
        if reason.startswith("it returns nothing") and rule in RETURNS
        else reason
    )


def spelling(module: ModuleType) -> list[Misspelt]:
    """What looks like a rule that is misspelt, or like a function or a constant that may stand beside the rules."""
    start = getattr(module, "start", None)
    state = start.__code__.co_varnames[:1] if isinstance(start, FunctionType) else ("s",)
    given = {rule.name: tuple(name for name, _ in rule.arguments) for rule in RULES}
    given |= {name: (more,) if more else () for name, more in FUNCTIONS.items()}
    known = {name: ((*state, *more), f"{name}({', '.join((*state, *more))})") for name, more in given.items()}
    parameters = tuple(str(getattr(parameter, "name", "")) for parameter in getattr(module, "PARAMETERS", ()))
    functions = misspelt(module, known | {"about": (parameters, f"about({', '.join(parameters)})")})
    # with `about`, nobody asks for PLAYERS
    return functions + misspelt_constants(
        module, {n: fits for n, fits in CONSTANTS.items() if n != "PLAYERS" or not hasattr(module, "about")}
    )


def where(rule: Function, line: int | None = None, holder: CodeType | None = None) -> str:
    """A rule as an error names it: its name, file and line. `holder` is the code that the line is in, if not the
    rule's."""
    code = holder or rule.__code__
    inside = "" if code is rule.__code__ or code.co_name.startswith("<") else f", in {code.co_name}"
    return f"rule {rule.__name__}{inside} ({code.co_filename}, line {line or code.co_firstlineno})"


def raised_at(error: BaseException, files: Iterable[str]) -> tuple[int, CodeType] | tuple[None, None]:
    """The innermost line in one of the files that an exception passed, and the code that the line is in."""
    found: tuple[int, CodeType] | tuple[None, None] = None, None
    files, trace = set(files), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            found = trace.tb_lineno, trace.tb_frame.f_code
        trace = trace.tb_next
    return found


def read_rules(module: ModuleType, label: str) -> tuple[np.dtype, dict[str, Function]]:
    """The state and the rules of a game file, checked for what can be checked without running them."""
    state = getattr(module, "State", None)
    if not isinstance(state, np.dtype) or not state.names:
        wrong = f"{label} has no State" if state is None else f"{_state_at(module, label)}: State is no structure"
        raise GameError(f"{wrong}; it must be State = np.dtype([(field, type), ...], align=True)")
    for name in state.names:
        if flaw := _wrong_with(name, state[name]):
            raise GameError(f"{_state_at(module, label, name)}: State field {flaw}")
    rules: dict[str, Function] = {}
    strange = [one for one in spelling(module) if one.fits]
    for rule in RULES:
        function = getattr(module, rule.name, None)
        if (function is None and not rule.required) or (rule.beside and rule.beside not in rules):
            continue
        if not isinstance(function, FunctionType):
            missing = "has no rule" if function is None else "must define as a plain function the rule"
            near = next((f"; {one.name} looks like it" for one in strange if one.rule == rule.name), "")
            raise GameError(f"{label} {missing} {rule.name}({rule.given}){near}")
        if function.__code__.co_argcount != 1 + len(rule.arguments):
            raise GameError(f"{where(function)} must take ({rule.given})")
        if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
            raise GameError(f"{where(function)} must be a plain function, without yield or async")
        rules[rule.name] = function
    if strange:
        raise GameError(strange[0].text)
    return state, rules


def _state_at(module: ModuleType, label: str, name: str = "") -> str:
    """The label and the line that declares State, or its field of that name."""
    try:
        lines = Path(module.__file__ or "").read_text().splitlines()
    except (OSError, TypeError, AttributeError, UnicodeDecodeError):
        return label
    first = next((n for n, line in enumerate(lines, 1) if line.startswith("State")), None)
    if first is None:
        return label
    quoted = (f'"{name}"', f"'{name}'")
    line = next((n for n, line in enumerate(lines[first - 1 :], first) if any(q in line for q in quoted)), first)
    return f"{label}, line {line}"


def _wrong_with(name: str, kind: np.dtype) -> str | None:
    base = kind.base
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name == "view":
        return f"{name!r} cannot be an attribute; use a plain name such as {name.strip('_') + '_'!r}"
    if base.str[1:] not in C_TYPES or not base.isnative:
        return f"{name} has type {base}; use whole numbers (i1..i8, u1..u8), f4, f8 or bool"
    if base.kind == "b" and kind.shape:
        return f"{name} is an array of bool, which cannot be compiled; use i1, and 0 and 1"
    if len(kind.shape) > 2:
        return f"{name} has {len(kind.shape)} dimensions; use one or two, and compute the index"
    if 0 in kind.shape:
        return f"{name} has no elements; its shape is {kind.shape}"
    return None
