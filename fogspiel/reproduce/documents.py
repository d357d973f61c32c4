"""The documents by name, and the items that a person asks for."""

import importlib
from collections.abc import Sequence
from functools import cache

from fogspiel.errors import SpecError
from fogspiel.game.spec import suggestion
from fogspiel.reproduce.item import Document, Item, Missing

DOCUMENTS = ("lanctot-2013", "lisy-2013", "lisy-2014", "whitehouse-2014", "vesely-2024")


@cache
def document(name: str) -> Document:
    module = importlib.import_module(f"fogspiel.reproduce.{name.replace('-', '_')}")
    return module.DOCUMENT


def every_item() -> dict[str, Item | Missing]:
    """All items, by the name of the document and their own: `lisy-2014/E-14`."""
    return {f"{name}/{key}": item for name in DOCUMENTS for key, item in document(name).items.items()}


def chosen(names: Sequence[str]) -> dict[str, Item]:
    """The items that are named: `lisy-2014` (all of them), `lisy-2014/E-14`, `lisy-2014/table 4.8`, or without the
    document where no other has one of that name. Raises SpecError for what is not reproduced."""
    there = every_item()
    found: dict[str, Item] = {}
    for name in names:
        if name in DOCUMENTS:
            found |= {k: i for k, i in there.items() if k.startswith(f"{name}/") and isinstance(i, Item)}
            continue
        keys = [key for key, item in there.items() if name in _names(key, item)]
        if not keys:
            raise SpecError(f"there is no item or document {name!r}{suggestion(name, [*there, *DOCUMENTS])}")
        if len(keys) > 1:
            raise SpecError(f"{name!r} may be {' or '.join(keys)}")
        item = there[keys[0]]
        if isinstance(item, Missing):
            raise SpecError(f"{keys[0]} ({item.where}) is not reproduced: {item.reason}")
        found[keys[0]] = item
    return found


def _names(key: str, item: Item | Missing) -> set[str]:
    of, _, own = key.partition("/")
    short = {own, *(place.strip() for place in item.where.split(","))}
    return short | {f"{of}/{one}" for one in short}
