"""The table of sampling schemes: each a choice of parts (`solvers/mccfr/kinds.py`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fogspiel.engine.part import Part
from fogspiel.errors import SpecError
from fogspiel.game.needs import Need
from fogspiel.game.parts import PartOf, parts_in
from fogspiel.game.spec import Choice, Parameter
from fogspiel.solvers.mccfr.arena import EXTRA
from fogspiel.solvers.mccfr.kinds import AVERAGING, CHANCE, SAMPLING

WORDS = Choice("words", "32", ("32", "64"), "bits of each regret and average; 32-bit sums are rounded at random")
SAMPLED = PartOf("sampling", "external", SAMPLING, "what a traversal follows, and what it learns")
OUTCOMES = PartOf("chance", "one", CHANCE, "which outcomes of chance are followed")
AVERAGES = PartOf("average", "weighted", AVERAGING, "how averages are kept")


def _some(parameter: PartOf, *words: str) -> PartOf:
    return replace(parameter, presets={word: word for word in words}, only=True)


@dataclass(frozen=True)
class Scheme:
    """One way to sample: its parts, and which of them can be asked for (`takes`). Where its sampling cannot be, the
    parameters of that are its own. `instead`: schemes for games that it does not suit."""

    about: str
    sampling: str = "external"
    takes: tuple[PartOf, ...] = ()
    chance: str = "one"
    average: str = "weighted"
    games: str = "any size; no tree needed"
    instead: str = "es-mccfr"

    @property
    def own(self) -> tuple[Parameter | PartOf, ...]:
        return () if SAMPLED in self.takes else SAMPLED.read(self.sampling).parameters

    @property
    def parameters(self) -> tuple[Parameter | PartOf, ...]:
        own = self.own
        numbers = tuple(p for p in own if not isinstance(p, PartOf))
        return (*numbers, *self.takes, *(p for p in own if isinstance(p, PartOf)), WORDS)

    @property
    def needs(self) -> tuple[Need, ...]:
        """What it needs of a game, whatever is asked for."""
        fixed = [p.read(getattr(self, p.name)) for p in (SAMPLED, OUTCOMES, AVERAGES) if not self._takes(p)]
        return tuple(dict.fromkeys(need for part in fixed for need in part.needs))

    def _takes(self, parameter: PartOf) -> bool:
        return any(p.name == parameter.name for p in self.takes)

    def parts(self, values: Mapping[str, Any]) -> dict[str, Part]:
        """What is sampled, what is followed where chance moves, and how averages are kept."""
        made = {p.name: values.get(p.name) or p.read(getattr(self, p.name)) for p in (SAMPLED, OUTCOMES, AVERAGES)}
        if self.own:
            own = tuple((p.name, values[p.name]) for p in self.own)
            made["sampling"] = replace(made["sampling"], values=own)
        return made


def require_together(name: str, chosen: Mapping[str, Part]) -> None:
    """Raise SpecError where parts do not go together."""
    sampling, averaging = chosen["sampling"], chosen["average"]
    suited = averaging.tells("FOR", (sampling.name,))
    if sampling.name not in suited:
        raise SpecError(f"{name}: average={averaging.name} goes with {' or '.join(suited)}, not with {sampling.name}")
    columns = [part.name for part in parts_in(chosen) if part.tells("COLUMNS", EXTRA) > EXTRA]
    if len(columns) > 1:
        raise SpecError(f"{name}: {' and '.join(columns)} both want a column of the table, and there is one")


SCHEMES: dict[str, Scheme] = {
    "mccfr": Scheme("Monte Carlo CFR of any parts (Lanctot et al. 2009)", takes=(SAMPLED, OUTCOMES, AVERAGES)),
    "walk-cfr": Scheme(
        "vanilla CFR as a walk over the rules, with pruning (Lanctot 2013, sec. 2.2.2)", "vanilla", chance="every"
    ),
    "cs-mccfr": Scheme(
        "chance-sampled CFR (Zinkevich et al. 2007), also paired, common and public (Lanctot 2013, sec. 7.5, 4.8.2)",
        "vanilla",
        (_some(OUTCOMES, "one", "paired", "common", "public"),),
    ),
    "pcs-mccfr": Scheme(
        "public chance sampling (Johanson et al. 2012): vectors over what chance deals in private",
        "public-tree",
        games="two players, hidden deals only (rule `private`); no tree needed",
        instead="cs-mccfr(chance=public) or es-mccfr",
    ),
    "es-mccfr": Scheme(
        "external sampling (Lanctot et al. 2009)", "external", (_some(AVERAGES, "weighted", "optimistic"),)
    ),
    "os-mccfr": Scheme(
        "outcome sampling (Lanctot et al. 2009)",
        "outcome",
        (_some(AVERAGES, "weighted", "optimistic", "lazy", "lazy-printed"),),
    ),
    "probing-mccfr": Scheme("outcome sampling with a probe of every other action (Gibson et al. 2012)", "probing"),
    "as-mccfr": Scheme("average-strategy sampling (Burch et al. 2012)", "average-strategy"),
    "pure-cfr": Scheme(
        "pure CFR: everyone plays a pure strategy drawn from its own (Lanctot 2013, sec. 8.1)", "pure", average="counts"
    ),
    "vr-mccfr": Scheme("outcome sampling with learned baselines (Schmid et al. 2019)", "corrected"),
}
