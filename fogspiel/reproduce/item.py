"""What a printed table or figure is here, and a document of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fogspiel.experiment.design import SCALES, Experiment
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED, Answer


@dataclass(frozen=True)
class Across:
    """What is asked of the tables of several experiments together: a criterion in words, and whether tables, by the experiments' names, pass."""

    criterion: str
    passes: Callable[[Mapping[str, Table]], Answer]


@dataclass(frozen=True, kw_only=True)
class Item:
    """A printed table or figure, or some of them that one experiment gave.

    `where` it is printed, with commas between several ("fig. 4.11, table 4.8"); `about` is a line. `experiments` are by
    names, or one alone. The item passes when each of them that has a criterion does, and all together do where `across` asks something of them. `apart`
    tells in what the scale `paper` is not as printed, `remarks` in what the results differ from print, and why. An experiment that is another item's, judged by
    another criterion, is not kept twice: `kept_with` names that item of the document and its experiment, ("E-14", "1 s"). `needs` is the smallest scale
    that has all that is asked for; smaller ones may fail, and cannot pass.
    """

    where: str
    about: str
    experiments: Experiment | Mapping[str, Experiment]
    across: Across | None = None
    apart: str = ""
    remarks: str = ""
    kept_with: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    needs: str = SCALES[0]

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
        """The verdict of `across` on tables of all experiments, of which so many runs went wrong; nothing where nothing is asked."""
        if self.across is None:
            return ""
        told = {True: PASSED, False: FAILED, None: UNDECIDED}[self.across.passes(tables)]
        return UNDECIDED if told == PASSED and faults else told


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
