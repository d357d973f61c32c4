"""The table of sampling schemes: each a row of parts, chosen by its parameters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fogspiel.game.needs import Asks, Need
from fogspiel.game.spec import Choice, Number, Parameter
from fogspiel.solvers.mccfr import averaging, chance
from fogspiel.solvers.mccfr.average_strategy import AVERAGE_STRATEGY
from fogspiel.solvers.mccfr.baseline import BASELINE
from fogspiel.solvers.mccfr.external import BY_HISTORY, EXTERNAL
from fogspiel.solvers.mccfr.outcome import OUTCOME, PARALLEL
from fogspiel.solvers.mccfr.parts import Part
from fogspiel.solvers.mccfr.probing import PROBING
from fogspiel.solvers.mccfr.public import PUBLIC_TREE
from fogspiel.solvers.mccfr.pure import PURE
from fogspiel.solvers.mccfr.vanilla import VANILLA


@dataclass(frozen=True)
class Scheme:
    """One way to sample: its parameters, and the parts that they choose: at decisions, at chance nodes, and for
    averages. Parameters that are numbers are the parts' `run.settings`. `instead`: schemes for games that it does not
    suit."""

    about: str
    parameters: tuple[Parameter, ...]
    parts: Callable[[dict[str, Any]], tuple[Part, ...]]
    games: str = "any size; no tree needed"
    instead: str = "es-mccfr"

    @property
    def needs(self) -> tuple[Need, ...]:
        """What its parts need of a game, whatever is set."""
        ways = [self._needed({choice.name: word}) for choice in self._choices for word in choice.choices]
        return tuple(need for need in self._needed({}) if all(need in way for way in ways))

    @property
    def asks(self) -> Asks:
        """What the parts that single settings choose need beside that."""
        always = self.needs
        return {
            choice.name: {
                word: tuple(need for need in self._needed({choice.name: word}) if need not in always)
                for word in choice.choices
            }
            for choice in self._choices
        }

    @property
    def _choices(self) -> list[Choice]:
        return [p for p in self.parameters if isinstance(p, Choice)]

    def _needed(self, given: dict[str, Any]) -> list[Need]:
        """What all parts need where nothing is set but what is given."""
        parts = self.parts({p.name: p.default for p in self.parameters} | given)
        return list(dict.fromkeys(need for part in parts for need in part.needs))


_WORDS = Choice("words", "32", ("32", "64"), "bits of each regret and average; 32-bit sums are rounded at random")
_AVERAGES = {
    "weighted": averaging.WEIGHTED,
    "optimistic": averaging.OPTIMISTIC,
    "lazy": averaging.LAZY,
    "lazy-printed": averaging.PRINTED,
}
_AVERAGE = Choice(
    "average",
    "weighted",
    tuple(_AVERAGES),
    "how averages are kept: stochastically weighted, optimistic, lazy, lazy as first printed",
)
_SHORT = Choice("average", "weighted", ("weighted", "optimistic"), _AVERAGE.about)
_CHANCE = {"one": chance.ONE, "paired": chance.PAIRED, "common": chance.COMMON, "public": chance.PUBLIC}
_DRAWS = {"infosets": EXTERNAL, "histories": BY_HISTORY}
_UPDATES = {"alternating": OUTCOME, "parallel": PARALLEL}
_EPSILON = Number("epsilon", 0.6, 0, 1, "exploration at the updating player's nodes")

SCHEMES: dict[str, Scheme] = {
    "walk-cfr": Scheme(
        "vanilla CFR as a walk over the rules, with pruning (Lanctot 2013, sec. 2.2.2)",
        (_WORDS,),
        lambda p: (VANILLA, chance.EVERY, averaging.WEIGHTED),
    ),
    "cs-mccfr": Scheme(
        "chance-sampled CFR (Zinkevich et al. 2007), also paired, common and public (Lanctot 2013, sec. 7.5, 4.8.2)",
        (
            Choice(
                "chance",
                "one",
                tuple(_CHANCE),
                (
                    "outcomes followed: one, one and its mirror image, all that only the updating player sees, or all "
                    "that not everybody sees"
                ),
            ),
            _WORDS,
        ),
        lambda p: (VANILLA, _CHANCE[p["chance"]], averaging.WEIGHTED),
    ),
    "pcs-mccfr": Scheme(
        "public chance sampling (Johanson et al. 2012): vectors over what chance deals in private",
        (_WORDS,),
        lambda p: (PUBLIC_TREE, chance.ONE, averaging.WEIGHTED),
        "two players, hidden deals only (rule `private`); no tree needed",
        instead="cs-mccfr(chance=public) or es-mccfr",
    ),
    "es-mccfr": Scheme(
        "external sampling (Lanctot et al. 2009)",
        (
            _SHORT,
            Choice(
                "draws",
                "infosets",
                tuple(_DRAWS),
                "an action of the others is drawn for each information set, once a traversal, or for each history",
            ),
            _WORDS,
        ),
        lambda p: (_DRAWS[p["draws"]], chance.ONE, _AVERAGES[p["average"]]),
    ),
    "os-mccfr": Scheme(
        "outcome sampling (Lanctot et al. 2009)",
        (
            _EPSILON,
            _AVERAGE,
            Choice("updates", "alternating", tuple(_UPDATES), "a sample updates one player, or both"),
            _WORDS,
        ),
        lambda p: (_UPDATES[p["updates"]], chance.ONE, _AVERAGES[p["average"]]),
    ),
    "probing-mccfr": Scheme(
        "outcome sampling with a probe of every other action (Gibson et al. 2012)",
        (_EPSILON, _WORDS),
        lambda p: (PROBING, chance.ONE, averaging.WEIGHTED),
    ),
    "as-mccfr": Scheme(
        "average-strategy sampling (Burch et al. 2012)",
        (
            Number("epsilon", 0.05, 1e-9, 1, "least probability of following an action"),
            Number("tau", 1000, 1, 1e12, "how fast good actions are followed for sure"),
            Number("beta", 1e6, 0, 1e12, "how long the average is not yet trusted"),
            _WORDS,
        ),
        lambda p: (AVERAGE_STRATEGY, chance.ONE, averaging.WEIGHTED),
    ),
    "pure-cfr": Scheme(
        "pure CFR: everyone plays a pure strategy drawn from its own (Lanctot 2013, sec. 8.1)",
        (_WORDS,),
        lambda p: (PURE, chance.ONE, averaging.COUNTS),
    ),
    "vr-mccfr": Scheme(
        "outcome sampling with learned baselines (Schmid et al. 2019)",
        (_EPSILON, Number("rate", 0.5, 1e-9, 1, "how fast baselines learn"), _WORDS),
        lambda p: (BASELINE, chance.ONE, averaging.WEIGHTED),
    ),
}
