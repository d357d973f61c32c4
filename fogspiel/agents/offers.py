"""What can be asked of agents that search: parameters that several have, and the kinds of parts that they take."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fogspiel.belief.belief import BELIEF as BELIEFS
from fogspiel.belief.belief import Belief
from fogspiel.belief.belief import believed as belief_of
from fogspiel.engine.part import Part, PartKind
from fogspiel.game.game import Game
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.search import kinds
from fogspiel.search.icarus import IcarusText
from fogspiel.search.parts import part
from fogspiel.search.rules_as_parts import extended
from fogspiel.search.variates import Control, Stream

SIMULATIONS = Whole("simulations", 1000, 1, 10**9, "simulations a move")
BUDGET = (
    SIMULATIONS,
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: count simulations instead"),
    Whole("nodes", 1 << 17, 16, 1 << 28, "most nodes in memory"),
    Whole("threads", 1, 1, 64, "searches side by side, their opinions added up; they share the simulations"),
)

BANDITS = {word: word for word in ("ucb", "tuned", "exp3", "exp3p", "rm", "ucb+exp3", "smooth", "uniform")}
"""Bandits of most agents (`search/kinds.py`)."""
IS_MCTS = {
    "uct": "ucb(exploration=1,ties=first)",
    "ruct": "ucb(exploration=1)",
    "tuned": "tuned",
    "exp3": "exp3",
    "exp3p": "exp3p",
    "rm": "rm",
    "ucb+exp3": "ucb+exp3(exploration=1)",
    "smooth": "smooth(exploration=1)",
    "uniform": "uniform",
}
"""The same, with the words and constants of Lisý 2014, sec. 3.2.3."""
SM_MCTS = {
    "duct": "ucb(exploration=1)",
    "exp3": "exp3(pure=yes)",
    "exp3p": "exp3p(pure=yes)",
    "drm": "rm(pure=yes)",
    "rm": "coupled(pure=yes)",
    "tuned": "tuned",
    "ucb+exp3": "ucb+exp3(exploration=1)",
    "smooth": "smooth(exploration=1)",
    "uniform": "uniform",
}
"""The same, with those of Lisý 2014, sec. 3.1.1, where players move at once."""


def bandit(usual: str = "ucb", words: Mapping[str, str] = BANDITS) -> PartOf:
    return PartOf("bandit", usual, kinds.BANDIT, "how a node chooses, and what it learns", words, only=True)


def belief(usual: str = "usual", *, pending: bool = False, counted: bool = True) -> PartOf:
    """What an agent believes. Whether others' moves that are `pending` in a stage are drawn at random is only asked of
    an agent that can do without them, and how many states are drawn not of one that says so itself: it is not
    `counted`."""
    without = (*["pending"] * (not pending), *["COUNT"] * (not counted))
    return PartOf("belief", usual, BELIEFS, BELIEFS.about, without=without)


PLAYOUT = PartOf(
    "playout", "uniform", kinds.PLAYOUT, kinds.PLAYOUT.about, {"uniform": "uniform", "guide": "guide"}, only=True
)
_AFTER = Whole("after", 0, 0, 10**6, "moves of a playout before the evaluation is taken")
_COUNTED = Choice(
    "counted",
    "leaf",
    ("leaf", "root"),
    "whether these moves are counted from where the tree is left, or from the root",
)
CUT = PartOf(
    "evaluation",
    "none",
    kinds.EVALUATION,
    "what cuts playouts short, and what they are worth there",
    {"none": "none", "rule": "rule"},
    only=True,
    more=(_AFTER,),
)
CUT_FROM = replace(CUT, more=(_AFTER, _COUNTED))
HORIZON = PartOf(
    "evaluation", "rule", kinds.EVALUATION, "what a state at the horizon is worth", {"rule": "rule"}, only=True
)
ICARUS = IcarusText(
    "icarus",
    "baseline",
    "what is learned beside the tree and where it is used (Whitehouse 2014, ch. 8), as rave, mast, rave>mast+epic",
)
WIDENING = PartOf("widening", "none", kinds.WIDENING, "how many of its moves and of chance's outcomes a node has")
PROVEN = Choice(
    "proven", "no", ("no", "yes"), "prove values and search no more what is proven, where everything is seen"
)
CHANCE = PartOf(
    "chance",
    "drawn",
    kinds.CHANCE,
    "chance in the tree: drawn, or outcomes that are equally likely come in turn",
    {"drawn": "drawn", "balanced": "balanced"},
    only=True,
)


class _Stream:
    PARAMETERS = Stream.PARAMETERS


class Common(_Stream):
    """Common random numbers (Lanctot 2013, sec. 7.2)."""

    MADE_OF = ("common",)


class Antithetic(_Stream):
    """Antithetic variates (Lanctot 2013, sec. 7.3)."""

    MADE_OF = ("antithetic",)


class Both(_Stream):
    """Common random numbers, every second of them mirrored."""

    MADE_OF = ("common", "antithetic")


class Nothing:
    """Chance comes as it does."""

    NOTHING = True
    MADE_OF = ()


class Covariate:
    """Control variates (Lanctot 2013, sec. 7.1): a mean is corrected by what chance did, by the game's rule
    covariate."""

    MADE_OF = ("control",)
    PARAMETERS = Control.PARAMETERS


_STREAMS = PartKind(
    "streams",
    "what streams of chance simulations share",
    __name__,
    lambda: {"none": Nothing, "common": Common, "antithetic": Antithetic, "common+antithetic": Both},
)
_CONTROL = PartKind(
    "control", "what corrects means by what chance did", __name__, lambda: {"none": Nothing, "covariate": Covariate}
)
STREAMS = PartOf("streams", "none", _STREAMS, _STREAMS.about)
CONTROL = PartOf("control", "none", _CONTROL, _CONTROL.about)


def enhancements_of(made: Part) -> list[Part]:
    """The parts that a word such as `common` stands for, with its parameters."""
    values = made.settings
    wanted = [part("enhancement", name, values) for name in made.tells("MADE_OF", ())]
    if made.kind is _STREAMS and wanted:
        wanted.append(part("enhancement", "stream", values))
    return wanted


def believed(game: Game, p: Mapping[str, Any], count: int | None = None) -> Belief:
    """The belief that an agent's parameters ask for."""
    return belief_of(p["belief"], game, count)


def one_each(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief of an agent with determinizations: a state for each."""
    return believed(game, p, p["determinizations"])


def usually(game: Game, p: Mapping[str, Any]) -> Belief:
    """The belief of agents that are not asked for one."""
    return belief_of(belief().default, game)


def rules_of(p: Mapping[str, Any]) -> list[Part]:
    """The parts whose rules a game is extended with: playouts and evaluations from files, or that games offer."""
    return [made for name in ("playout", "evaluation") if isinstance(made := p.get(name), Part)]


def with_rules(game: Game, p: Mapping[str, Any]) -> Game:
    """The game with the rules that are in files of a person's own, or that it offers itself."""
    return extended(game, rules_of(p))


def played_out_by(p: Mapping[str, Any]) -> tuple[list[Part], dict[str, Any]]:
    """What cuts playouts, and the parts of playing out."""
    made: dict[str, Any] = {"playout": p["playout"]} if "playout" in p else {}
    evaluation = p.get("evaluation")
    if evaluation is None or evaluation.tells("NOTHING"):
        return [], made
    given = dict(evaluation.values)
    cut = "cut_from_root" if given.get("counted") == "root" else "cut"
    return [part("enhancement", cut, {"cut": given["after"]})], made | {"evaluation": evaluation}
