"""What a printed table or figure is here, and a document of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fogspiel.errors import SpecError
from fogspiel.experiment.design import SCALES, Experiment
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED, Answer


@dataclass(frozen=True)
class Across:
    """What is asked of the tables of several experiments together: a criterion in words, and whether tables, by the
    experiments' names, pass."""

    criterion: str
    passes: Callable[[Mapping[str, Table]], Answer]


CAUSES = {
    "budget": "fewer simulations, iterations or nodes than in print",
    "evaluation": "an evaluation function that is not told",
    "rules": "rules or instances of a game that are not told",
    "algorithm": "steps of a search or a solver that are not told, or are others here",
    "program": "what another program takes for the same, as in speeds",
    "misprint": "print contradicts itself",
    "chance": "what was run varies by more than its intervals tell",
    "unknown": "not found out",
}
"""Where a difference from print may come from."""


@dataclass(frozen=True)
class Cause:
    """Why an item does not come out as printed: the word for it, and a sentence that tells what shows it, or, where it
    is not known, what was ruled out."""

    kind: str
    why: str

    def __post_init__(self) -> None:
        if self.kind not in CAUSES or not self.why:
            raise SpecError(
                f"{self.kind!r} with {self.why!r} tells no cause; wanted is one of {', '.join(CAUSES)}, and why"
            )

    def __str__(self) -> str:
        return f"{self.kind}: {self.why}"


@dataclass(frozen=True, kw_only=True)
class Item:
    """A printed table or figure, or some of them that one experiment gave.

    `where` it is printed, with commas between several ("fig. 4.11, table 4.8"); `about` is a line. `experiments` are by
    names, or one alone. The item passes when each of them that has a criterion does, and all together do where `across`
    asks something of them. `apart` tells in what the scale `paper` is not as printed, `remarks` in what the results
    differ from print. An experiment that is another item's, judged by another criterion, is not kept twice: `kept_with`
    names that item of the document and its experiment, ("E-14", "1 s"). `needs` is the smallest scale that has all that
    is asked for; smaller ones may fail, and cannot pass. `cause` tells why the item failed, if it did at the largest
    scale at which it was run; where that leaves it undecided, what is suspected if it should fail.
    """

    where: str
    about: str
    experiments: Experiment | Mapping[str, Experiment]
    across: Across | None = None
    apart: str = ""
    remarks: str = ""
    kept_with: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    needs: str = SCALES[0]
    cause: Cause | None = None

    @property
    def parts(self) -> dict[str, Experiment]:
        return {"": self.experiments} if isinstance(self.experiments, Experiment) else dict(self.experiments)

    @property
    def scales(self) -> list[str]:
        """The scales that all experiments have."""
        return [scale for scale in SCALES if all(scale in one.scales for one in self.parts.values())]

    @property
    def criterion(self) -> str:
        told = {name: one.criterion for name, one in self.parts.items() if one.criterion}
        if self.across is not None:
            told["together"] = self.across.criterion
        return "; ".join(f"{name}: {what}" if name and len(told) > 1 else what for name, what in told.items())

    def judged_together(self, tables: Mapping[str, Table], faults: int = 0) -> str:
        """The verdict of `across` on tables of all experiments, of which so many runs went wrong; nothing where nothing
        is asked."""
        if self.across is None:
            return ""
        told = {True: PASSED, False: FAILED, None: UNDECIDED}[self.across.passes(tables)]
        return UNDECIDED if told == PASSED and faults else told


DRAWN = "they show what something looks like, and state nothing that could be measured"
"""Why pictures are not reproduced."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A printed table or figure that is not reproduced, and the reason."""

    where: str
    about: str
    reason: str


@dataclass(frozen=True)
class Document:
    """A document, and its items in the order of print."""

    title: str
    items: Mapping[str, Item | Missing] = field(default_factory=dict)
