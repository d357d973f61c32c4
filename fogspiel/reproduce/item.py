"""What a printed table or figure is here, and a document of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fogspiel.experiment.design import SCALES, Experiment


@dataclass(frozen=True, kw_only=True)
class Item:
    """A printed table or figure, or some of them that one experiment gave.

    `where` it is printed, with commas between several ("fig. 4.11, table 4.8"); `about` is a line. `experiments` are by
    names, or one alone. The item passes when each of them that has a criterion does. `apart` tells in what the scale
    `paper` is not as printed, `remarks` in what the results differ from print, and why. An experiment that is another item's, judged by
    another criterion, is not kept twice: `kept_with` names that item of the document and its experiment, ("E-14", "1 s").
    """

    where: str
    about: str
    experiments: Experiment | Mapping[str, Experiment]
    apart: str = ""
    remarks: str = ""
    kept_with: Mapping[str, tuple[str, str]] = field(default_factory=dict)

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
        return "; ".join(f"{name}: {what}" if name and len(told) > 1 else what for name, what in told.items())


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
