"""The kinds of parts that a Monte Carlo search is made of (`engine/part.py`), and what each may have beside functions.

NODE and SLOT are columns at every node and for every move, zero where a node or slot is new; "players" as a shape is
one number for each player. WITH: enhancements that a part cannot do without. misfit(names): what is wrong with a search
of parts with these names, in a sentence, or nothing. TRACE = True, if it wants a record of every simulation's moves
(`search/enhancements/trace.py`). complaint(game, status): the error that a status of its own, in search.walk.status,
stands for, or None (`search/status.py`). plant(search), before the first simulation of a new tree; forget(search), when
the tree is thrown away; crowded(search) and move(search, before, count), when room is made: Python functions, which are
not compiled.

What parts tell of themselves, so that nobody needs to know them by name: a view BY_INFOSET = True and `key_unseen`
(`search/views`), a growth GROWS = False (`search/growths`), a bandit BOUNDS = True (`search/bandits`).
"""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from fogspiel.engine.part import PartKind
from fogspiel.search.hooks import HOOKS
from fogspiel.search.nodes import NODE, SLOT
from fogspiel.search.rules_as_parts import by_game, written_as_rule

TABLES = {"NODE": NODE, "SLOT": SLOT}


def _kind(name: str, folder: str, about: str, *required: tuple[str, ...], **more: Any) -> PartKind:
    return PartKind(
        name, about, __name__, lambda: _modules(folder), stubs=HOOKS, required=required, tables=TABLES, **more
    )


def _modules(folder: str) -> Mapping[str, ModuleType]:
    package = import_module(f"fogspiel.search.{folder}")
    return {m.name: import_module(f"{package.__name__}.{m.name}") for m in pkgutil.iter_modules(package.__path__)}


VIEW = _kind("view", "views", "what counts as the same situation", ("key_of",), record="seen")
BANDIT = _kind("bandit", "bandits", "how a node chooses, and what it learns", ("choose",), ("learn",), record="bandit")
GROWTH = _kind("growth", "growths", "when selection leaves the tree", ("leaves_after",), record="growth")
CHANCE = _kind("chance", "chances", "what chance does in the tree", ("outcome",), record="chance")
PLAYOUT = _kind(
    "playout",
    "playouts",
    "how games are played out",
    ("policy", "candidates", "playout", "guide"),
    record="playout",
    adopt=written_as_rule("guide", "guide"),
    unknown=by_game("PLAYOUTS", "guide", "guide"),
)
EVALUATION = _kind(
    "evaluation",
    "evaluations",
    "what a state is worth where a playout is cut, or at the horizon",
    ("evaluation", "evaluate"),
    record="evaluation",
    adopt=written_as_rule("evaluate", "rule"),
    unknown=by_game("EVALUATIONS", "evaluate", "rule"),
)


def _chosen(name: str, about: str, **words: str) -> PartKind:
    """A kind of which each word is one of the enhancements, or nothing."""

    def offers() -> Mapping[str, Any]:
        return {w: import_module(f"fogspiel.search.enhancements.{m}") if m else _Nothing for w, m in words.items()}

    return PartKind(name, about, __name__, offers, stubs=HOOKS, record=name, tables=TABLES)


class _Nothing:
    """Nothing is done."""

    NOTHING = True


TIES = _chosen("ties", "which of equal bounds is taken", random="", first="first_ties", near="near_ties")
UNPLAYED = _chosen("unplayed", "what a pair of moves never played counts as", happened="", zero="unplayed_zero")
WIDENING = _chosen("widening", "how many of its moves a node has", none="", progressive="widening")
ENHANCEMENT = _kind("enhancement", "enhancements", "what else a search does")
ICARUS = _kind(
    "icarus",
    "icaruses",
    "what is learned beside the tree (Whitehouse 2014, ch. 8)",
    ("policy", "bound"),
    idle=frozenset({"policy"}),
)
SEARCH = {k.name: k for k in (VIEW, BANDIT, GROWTH, CHANCE, PLAYOUT, EVALUATION, WIDENING, ENHANCEMENT, ICARUS)}
"""All of them by name."""
