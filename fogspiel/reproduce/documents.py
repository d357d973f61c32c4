"""The documents by name, and the items that a person asks for."""

import importlib
import re
from collections.abc import Sequence
from functools import cache

from fogspiel.errors import SpecError
from fogspiel.game.spec import suggestion
from fogspiel.reproduce.item import Document, Item, Missing

DOCUMENTS = ("lanctot-2013", "lisy-2013", "lisy-2014", "whitehouse-2014", "vesely-2024")

_PLACE = re.compile(r"(fig\.|table|sec\.|ch\.|app\.) ")


@cache
def document(name: str) -> Document:
    module = importlib.import_module(f"fogspiel.reproduce.{name.replace('-', '_')}")
    return module.DOCUMENT


def every_item() -> dict[str, Item | Missing]:
    """All items, by the name of the document and their own: `lisy-2014/E-14`."""
    return {f"{name}/{key}": item for name in DOCUMENTS for key, item in document(name).items.items()}


def named(name: str) -> dict[str, Item | Missing]:
    """The items of a name: `lisy-2014` (all of them), `lisy-2014/E-14`, `lisy-2014/table 4.8` (all that is printed
    there), or without the document where no other has one of that name."""
    there = every_item()
    if name in DOCUMENTS:
        return {key: item for key, item in there.items() if key.startswith(f"{name}/")}
    found = {key: item for key, item in there.items() if name in _names(key, item)}
    if not found:
        known = dict.fromkeys([*DOCUMENTS, *there, *(one for key, item in there.items() for one in _names(key, item))])
        raise SpecError(f"there is no item or document {name!r}{suggestion(name, known)}")
    if len({key.partition("/")[0] for key in found}) > 1:
        raise SpecError(f"{name!r} may be {' or '.join(found)}")
    return found


def chosen(names: Sequence[str]) -> dict[str, Item]:
    """The items of some names that can be run. Raises SpecError for a name of which nothing is reproduced."""
    found: dict[str, Item] = {}
    for name in names:
        there = named(name)
        items = {key: item for key, item in there.items() if isinstance(item, Item)}
        for key, item in there.items():
            if not items and isinstance(item, Missing):
                raise SpecError(f"{key} ({item.where}) is not reproduced: {item.reason}")
        found |= items
    return found


def _names(key: str, item: Item | Missing) -> set[str]:
    of, _, own = key.partition("/")
    places = (place.strip() for place in item.where.split(","))
    short = {own, item.where, *(place for place in places if _PLACE.match(place))}
    return short | {f"{of}/{one}" for one in short}
