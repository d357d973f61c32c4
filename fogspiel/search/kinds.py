"""The kinds of parts that a Monte Carlo search is made of (`engine/part.py`), and what each may have beside functions.

NODE and SLOT are columns at every node and for every move, zero where a node or slot is new; "players" as a shape is
one number for each player. WITH: enhancements that a part cannot do without. misfit(names): what is wrong with a search
of parts with these names, in a sentence, or nothing. TRACE = True, if it wants a record of every simulation's moves
(`search/traces.py`). complaint(game, status): the error that a status of its own, in search.walk.status, stands for, or
None (`search/status.py`). plant(search), before the first simulation of a new tree; forget(search), when the tree is
thrown away; crowded(search) and move(search, before, count), when room is made: Python functions, which are not
compiled.

What parts tell of themselves, so that nobody needs to know them by name: a view BY_INFOSET = True and `key_unseen`
(`search/views.py`), a growth GROWS = False (`search/growths.py`), a bandit BOUNDS = True (`search/bandits.py`)."""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from fogspiel.engine.closure import Function
from fogspiel.engine.part import Part, PartKind
from fogspiel.errors import PartError
from fogspiel.game.parts import place
from fogspiel.search import (
    bandits,
    chances,
    growths,
    observers,
    playouts,
    proofs,
    randomised,
    traces,
    variates,
    views,
    wrappers,
)
from fogspiel.search.hooks import HOOKS
from fogspiel.search.icaruses import averages, epic, replies, tree
from fogspiel.search.nodes import NODE, SLOT
from fogspiel.search.rules_as_parts import by_game, written_as_rule


def _in_place(adopt: Callable[[Part], Part]) -> Callable[[Part], Part]:
    """Look first whether a person's own part has functions that a search asks of another kind of part alone."""

    def look(part: Part) -> Part:
        for kind in SEARCH.values():
            for name, stub in kind.stubs.items():
                function: Any = getattr(part.space, name, None)
                strange = name not in part.kind.stubs and isinstance(function, FunctionType) and function is not stub
                if strange and _given(function) == _given(stub):
                    raise PartError(
                        f"{place(function)} is of no use: a search never calls it in a part of the kind "
                        f"{part.kind.name}, but in one of the kind {kind.name}"
                    )
        return adopt(part)

    return look


def _given(function: Function) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _kind(
    name: str,
    about: str,
    spaces: Mapping[str, Any],
    *required: tuple[str, ...],
    record: str | None = None,
    stubs: Mapping[str, Function] | None = None,
    adopt: Callable[[Part], Part] = lambda part: part,
    **more: Any,
) -> PartKind:
    """A kind with these parts by their words, and functions of its own beside those that every part may have."""
    return PartKind(
        name,
        about,
        __name__,
        lambda: spaces,
        {**HOOKS, **(stubs or {})},
        required,
        name if record is None else record,
        tables={"NODE": NODE, "SLOT": SLOT},
        adopt=_in_place(adopt),
        **more,
    )


VIEW = _kind(
    "view",
    "what counts as the same situation",
    {
        "infoset": views.Infoset,
        "trail": views.Trail,
        "history": views.History,
        "open-loop": views.OpenLoop,
        "searcher": observers.Searcher,
        "observer": observers.Observer,
        "postponed": views.Postponed,
        "pomdp": views.Pomdp,
    },
    ("key_of",),
    record="seen",
    stubs=views.STUBS,
)
BANDIT = _kind(
    "bandit",
    "how a node chooses, and what it learns",
    {
        "ucb": bandits.Ucb,
        "tuned": bandits.Tuned,
        "smooth": bandits.Smooth,
        "exp3": randomised.Exp3,
        "exp3p": randomised.Exp3P,
        "ucb+exp3": randomised.Staged,
        "rm": randomised.RegretMatching,
        "coupled": randomised.Coupled,
        "uniform": randomised.Uniform,
        "in_turn": bandits.InTurn,
    },
    ("choose",),
    ("learn",),
)
GROWTH = _kind(
    "growth",
    "when selection leaves the tree",
    {
        "root": growths.Root,
        "untried": growths.Untried,
        "created": growths.Created,
        "created_alone": growths.CreatedAlone,
        "stage": growths.Stage,
        "joint": growths.Joint,
    },
    ("leaves_after",),
    stubs=growths.STUBS,
)
CHANCE = _kind(
    "chance",
    "what chance does in the tree",
    {
        "drawn": chances.Drawn,
        "stored": chances.Stored,
        "balanced": chances.Balanced,
        "widened": chances.Widened,
    },
    ("outcome",),
    stubs=chances.STUBS,
)
WIDENING = _kind(
    "widening",
    "how many of its moves a node has",
    {"none": chances.AllMoves, "progressive": chances.Progressive},
    stubs=chances.WIDTH,
)
PLAYOUT = _kind(
    "playout",
    "how games are played out",
    {"uniform": playouts.Random, "guide": playouts.Guide, "stepwise": playouts.Stepwise},
    ("policy", "candidates", "playout", "guide"),
    adopt=written_as_rule("guide", "guide"),
    unknown=by_game("PLAYOUTS", "guide", "guide"),
)
EVALUATION = _kind(
    "evaluation",
    "what a state is worth where a playout is cut, or at the horizon",
    {"none": playouts.ToTheEnd, "rule": playouts.Evaluate},
    ("evaluation", "evaluate"),
    adopt=written_as_rule("evaluate", "rule"),
    unknown=by_game("EVALUATIONS", "evaluate", "rule"),
)
ENHANCEMENT = _kind(
    "enhancement",
    "what else a search does",
    {
        "aside": wrappers.Aside,
        "settled": wrappers.Settled,
        "means": wrappers.Means,
        "squares": wrappers.Squares,
        "particles": wrappers.Particles,
        "proofs": proofs.Proofs,
        "cut": playouts.Cut,
        "cut_from_root": playouts.CutFromRoot,
        "control": variates.Control,
        "stream": variates.Stream,
        "common": variates.Common,
        "antithetic": variates.Antithetic,
        "baselines": variates.Baselines,
        "trace": traces.Trace,
        "line": traces.Line,
        "tally": traces.Tally,
        "episodes": traces.Episodes,
    },
    record="",
    stubs={**proofs.STUBS, **variates.STREAMS, **variates.BASELINE},
)
ICARUS = _kind(
    "icarus",
    "what is learned beside the tree (Whitehouse 2014, ch. 8)",
    {
        "amaf": tree.Amaf,
        "rave": tree.Rave,
        "history": tree.History,
        "bias": tree.Bias,
        "unpruning": tree.Unpruning,
        "mast": averages.Mast,
        "to_mast": averages.ToMast,
        "nast": averages.Nast,
        "past": averages.Past,
        "fast": averages.Fast,
        "lgr": replies.Lgr,
        "lgrf": replies.Lgrf,
        "contextual": replies.Contextual,
        "epic": epic.Epic,
    },
    ("policy", "bound"),
    record="",
    idle=frozenset({"policy"}),
)
SEARCH = {k.name: k for k in (VIEW, BANDIT, GROWTH, CHANCE, PLAYOUT, EVALUATION, WIDENING, ENHANCEMENT, ICARUS)}
"""All of them by name."""
