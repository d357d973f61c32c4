"""Combinations of ICARUSes (`search/icaruses`), written as expressions (Whitehouse 2014, sec. 8.2.4).

rave                        in the tree, with playouts at random
mast, or baseline>mast      in playouts, with the tree as it is (the sequential combination, I_Baseline |> I_MAST)
rave>mast+epic              I_RAVE |> 1/2 (I_MAST + I_EPIC): at each move of a playout one of them is drawn (the
                            linear combination)
rave>3mast+epic             the same with weights, 3/4 and 1/4
amaf&baseline               1/2 I_AMAF (+) 1/2 I_Baseline: in the tree, by the sum of their bounds (the maxilinear
                            combination)
2amaf&history&baseline      the same with weights, 1/2, 1/4 and 1/4
amaf@250&baseline           with a weight that fades with a node's visits, 1/2 after 250 (eq. 8.3): this is RAVE
nast(n=3,policy=gibbs)      with parameters
my_icarus.py(speed=2)+mast  a person's own file

Left of > are those that act in the tree, right of it those that act in playouts. Each acts at one of the two, so the
sign may be left out: rave+mast is rave>mast. In the tree the first may have bounds of its own, as AMAF has, or mix
several, as RAVE and maxilinear combinations do (`search/maxilinear.py`); those after it add to what they find:
rave+history. All of them capture, whichever acts, and every combination has the baseline, which counts the tree's
visits.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.linking import linked
from fogspiel.engine.part import Part
from fogspiel.errors import PartError, SpecError
from fogspiel.game.load import file_and_parameters
from fogspiel.game.parts import PartOf, own_part
from fogspiel.game.spec import Text, split_spec, suggestion
from fogspiel.game.table import sample
from fogspiel.given import as_text
from fogspiel.search.kinds import ICARUS, PLAYOUT
from fogspiel.search.maxilinear import maxilinear

BASELINE = "baseline"


def names() -> list[str]:
    """All ICARUSes, apart from the baseline."""
    return sorted(name for name, space in ICARUS.spaces.items() if hasattr(space, "ACTS"))


@dataclass(frozen=True)
class Icarus:
    """A combination: those that act in the tree, and those that act in playouts with their weights, which add up to
    1."""

    text: str
    tree: tuple[Part, ...]
    playout: tuple[tuple[float, Part], ...]
    mixed: Part | None = None
    """What acts for the first of those in the tree where their combination is maxilinear."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The ICARUSes."""
        return (*self.tree, *(part for _, part in self.playout))

    @property
    def search_parts(self) -> tuple[Part, ...]:
        """Those of a search, apart from its playout policy: in the tree, they act in this order."""
        return self.parts if self.mixed is None else (self.mixed, *self.parts)

    @property
    def files(self) -> list[Path]:
        """Those of a person's own."""
        return [Path(part.file) for part in self.parts if part.file]

    @property
    def policy(self) -> Part | None:
        """How games are played out; None: at random."""
        return _drawn(self.playout) if self.playout else None

    def guarantee(self) -> tuple[bool, str]:
        """Whether it converges to the best move in games of perfect information, as UCT does, and why (Whitehouse 2014,
        sec. 8.2.5). The tree's bandit is taken to be UCB1, with an exploration above 0."""
        acting = [*([self.mixed] if self.mixed else []), *(part for part in self.tree if _acts(part))]
        for part in acting:
            if not part.tells("FADES"):
                return False, f"what {part.name} does in the tree does not fade with the visits of a node"
        if not self.tree:
            return True, "the tree is the baseline's, and every node becomes part of it (Lemmas 1 and 2, Theorem 1)"
        theorem = "lambda I + (1 - lambda) I_Baseline, Theorem 1"
        if any(_adds(part) for part in self.tree):
            theorem = "as in Theorem 1, which is about weights lambda alone"
        return (
            True,
            (
                f"what {' and '.join(part.name for part in acting)} does in the tree fades with the visits of a node "
                f"({theorem})"
            ),
        )


@dataclass(frozen=True)
class IcarusText(Text):
    """An expression as the value of a parameter."""

    def read(self, value: Any) -> str:
        return read_icarus(value).text

    @property
    def range(self) -> str:
        return f"{', '.join([BASELINE, *names()])}, a file, or several with &, + and >"


def read_icarus(given: Any) -> Icarus:
    """The combination that an expression describes. Raises SpecError where it describes none."""
    text = as_text(given)
    if text is None or not text.strip():
        raise SpecError(f"an ICARUS is an expression such as rave>mast+epic, not {given!r}")
    sides = _split(text, ">")
    if len(sides) > 2:
        raise SpecError(
            f"{text}: a combination has one >, between those that act in the tree and those that act in playouts"
        )
    tree: list[Part] = []
    playout: list[tuple[float, Part]] = []
    mixed: Part | None = None
    for side, terms in enumerate(sides):
        for term in _split(terms, "+"):
            operands = _split(term, "&")
            if len(operands) > 1:
                if tree or side == 1:
                    raise SpecError(f"{text}: & puts bounds in place of the tree's, so what it combines comes first")
                mixed, tree = _maxilinear(text, term.strip(), operands)
                continue
            weight, part = _term(text, term)
            if part is None:
                if side == 1 or weight is not None:
                    raise SpecError(f"{text}: the baseline is the tree itself, and stands left of > without a weight")
                continue
            acts = part.tells("ACTS")
            if len(sides) == 2 and acts != ("tree", "playout")[side]:
                raise SpecError(
                    f"{text}: {part.name} acts in {_WHERE[acts]}, so it belongs {('right', 'left')[side]} of >"
                )
            if acts == "tree":
                if weight is not None:
                    raise SpecError(
                        f"{text}: {part.name} acts in the tree, where weights need another, as 2{part.name}&baseline"
                    )
                tree.append(part)
            else:
                playout.append((1.0 if weight is None else weight, part))
    for part in tree[1:]:
        if _acts(part) and not _adds(part) and _source(part) != _source(tree[0]):
            first = mixed or tree[0]
            raise SpecError(
                f"{text}: {part.name} puts bounds in place of those of {first.name}: in the tree all but the first "
                "must add to them"
            )
    for one, other in combinations((*tree, *(part for _, part in playout)), 2):
        if _source(one) == _source(other):
            raise SpecError(f"{text}: {one.name} is there twice")
        if one.name == other.name and one.fields and other.fields:
            raise SpecError(
                f"{text}: {one.named} and {other.named} would both have the record search.{one.name}: rename one"
            )
    total = sum(weight for weight, _ in playout)
    return Icarus(text, tuple(tree), tuple((weight / total, part) for weight, part in playout), mixed)


def _maxilinear(whole: str, term: str, operands: list[str]) -> tuple[Part, list[Part]]:
    """What compares the bounds of several ICARUSes, and these."""
    weighted: list[tuple[float, Part | None]] = []
    fading = None
    for number, operand in enumerate(operands):
        found = re.fullmatch(r"(.*[^@\s])\s*@\s*(\d+\.?\d*|\.\d+)\s*", operand)
        weight, part = _term(whole, found[1] if found else operand)
        if part is not None and part.tells("ACTS") != "tree":
            raise SpecError(f"{whole}: {part.name} acts in playouts, and & combines those that act in the tree")
        if found:
            if fading is not None or weight is not None or float(found[2]) == 0:
                raise SpecError(f"{whole}: one weight may fade, after a number of visits above 0, as amaf@250&baseline")
            fading = number, float(found[2])
        weighted.append(
            (1.0 if weight is None else weight, part if part is None else replace(part, idle=frozenset({"bound"})))
        )
    rest = sum(weight for i, (weight, _) in enumerate(weighted) if fading is None or i != fading[0])
    parts = [part for _, part in weighted if part is not None]
    if not parts:
        raise SpecError(f"{whole}: & combines ICARUSes with each other or with the baseline, as amaf&baseline")
    return maxilinear(term, [(weight / rest, part) for weight, part in weighted], fading), parts


def _adds(part: Part) -> bool:
    return bool(part.tells("ADDS"))


def _acts(part: Part) -> bool:
    """Not where another part compares its bounds for it."""
    return "bound" not in part.idle


def _source(part: Part) -> str:
    return part.file or part.name


_WHERE = {"tree": "the tree", "playout": "playouts"}
_DOES = {"tree": "bound", "playout": "policy"}
"""Where an ICARUS acts, and the function by which it does."""


def _split(text: str, sign: str) -> list[str]:
    """The text between signs that stand outside of brackets."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == sign and depth == 0:
            out.append(text[start:i])
            start = i + 1
    return [*out, text[start:]]


def _term(whole: str, text: str) -> tuple[float | None, Part | None]:
    """A weight, if one is given, and the ICARUS; None for the baseline."""
    found = re.fullmatch(r"\s*(-?\d+\.?\d*|-?\.\d+)?\s*\*?\s*(\S.*?)\s*", text)
    if found is None:
        raise SpecError(f"{whole}: expected the name of an ICARUS, found {text.strip()!r}")
    weight = None if found[1] is None else float(found[1])
    if weight is not None and weight <= 0:
        raise SpecError(f"{whole}: a weight must be above 0")
    path, given = file_and_parameters(found[2])
    if path is not None:
        own = own_part(ICARUS, path, given)
        acts = own.tells("ACTS", None)
        if acts not in _WHERE:
            raise PartError(f'{path}: say where it acts, ACTS = "tree" or ACTS = "playout"')
        if _DOES[acts] not in own.written:
            raise PartError(f"{path}: it acts in {_WHERE[acts]}, and has no function {_DOES[acts]} to do so")
        about = own.tells("ABOUT", ("", "", ""))
        if not isinstance(about, tuple) or len(about) != 3 or not all(isinstance(text, str) for text in about):
            raise PartError(f"{path}: ABOUT must be three texts: what a record is for, what it holds, and the policy")
        return weight, own
    name, given = split_spec(found[2])
    if name == BASELINE and not given:
        return weight, None
    if "@" in name:
        raise SpecError(
            f"{whole}: a weight fades where & combines ICARUSes, after a number of visits above 0, as amaf@250&baseline"
        )
    if name not in names():
        raise SpecError(f"there is no ICARUS {name}{suggestion(name, [BASELINE, *names()])}")
    return weight, PartOf("icarus", name, ICARUS).by_word(name, given)


# --- the linear combination: at each move one policy is drawn
# ------------------------------------------------------------------------


def _drawn(mixed: tuple[tuple[float, Part], ...]) -> Part:
    """The policy of one part, or one that draws which part's policy chooses, as a part of its own."""
    name = "+".join(part.name for _, part in mixed)
    policy = _one_of(tuple(part.space.policy for _, part in mixed))
    if len(mixed) == 1:
        return Part(PLAYOUT, name, SimpleNamespace(policy=policy))
    shares = np.array([weight for weight, _ in mixed])

    def memory(game: Any, room: Any) -> dict[str, Any]:
        return {"mixed": shares.copy(), "several": len(shares)}

    return Part(
        PLAYOUT, name, SimpleNamespace(policy=policy, memory=memory, RECORD=(("which", "i8"), ("several", "i8")))
    )


@cache
def _one_of(policies: tuple[Function, ...]) -> Function:
    *others, chosen = policies
    for one in reversed(others):
        chosen = linked(this_or_next, {this: one, following: chosen})
    return linked(draw_one, {following: chosen}) if others else chosen


def this(game, search, s, n):
    raise NotImplementedError


def following(game, search, s, n):
    raise NotImplementedError


def draw_one(game, search, s, n):
    search.playout.which = sample(search.mixed, 0, search.playout.several, search.rng)
    return following(game, search, s, n)


def this_or_next(game, search, s, n):
    search.playout.which -= 1
    return this(game, search, s, n) if search.playout.which < 0 else following(game, search, s, n)
