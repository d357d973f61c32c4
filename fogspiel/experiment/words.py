"""Spec strings and their labels, with words in them (`{n}`) in whose places is what a setting has."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.experiment.tables import WORD

Named = str | Sequence[str] | Mapping[str, str]
"""Spec strings: one, several, or by labels."""


def labelled(name: str, what: Named) -> dict[str, str]:
    """Spec strings by labels; without labels each is its own."""
    if isinstance(what, str):
        return {what: what}
    if isinstance(what, list | tuple | Mapping) and not what:
        raise SpecError(f"{name} must name one at least")
    if isinstance(what, Mapping):
        return {given.text(f"each label of {name}", k): given.text(f"each of {name}", v) for k, v in what.items()}
    words = [given.text(f"each of {name}", one) for one in given.several(name, what, "a list of spec strings")]
    if twice := [word for word in words if words.count(word) > 1]:
        raise SpecError(f"{name} has {twice[0]} twice: to tell them apart, give labels, as in {{'a': ..., 'b': ...}}")
    return {word: word for word in words}


def words_of(*specs: Named) -> list[str]:
    """All that is written `{word}` in spec strings and labels."""
    texts: list[Any] = []
    for one in specs:
        texts += [one] if isinstance(one, str) else [*one, *one.values()] if isinstance(one, Mapping) else [*one]
    return list(dict.fromkeys(word for text in texts for word in WORD.findall(str(text))))


def filled(text: str, setting: Mapping[str, Any]) -> str:
    """A spec string with every `{word}` replaced."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in setting:
            raise SpecError(f"{text} has {{{found[1]}}}, which is neither in the grid nor in the scale")
        return str(setting[found[1]])

    return WORD.sub(value, text)


def beside(setting: Mapping[str, Any], **columns: str) -> dict[str, Any]:
    """A setting with more columns, such as the game's label, which may have a word of the setting only if it is nothing
    else."""
    for name, value in columns.items():
        if name in setting and str(setting[name]) != value:
            raise is_taken("the grid or the scale", name)
    return {**setting, **columns}


def is_taken(who: str, name: str) -> SpecError:
    return SpecError(f"{who} has {name}, which is a column of results already: take another word")
