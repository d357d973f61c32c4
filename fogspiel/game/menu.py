"""What an agent or a solver may be made of: choices among parts, with the parameters of each.

Its parameters are collected from the parts that it may be made of, and a parameter has an effect where a part is chosen
that has it. So a new part brings its own, and nobody else knows them. What is asked for must have an effect: a
parameter of a part that was not chosen is refused in a sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.game.needs import Asks, Need
from fogspiel.game.spec import Choice, Parameter


@dataclass(frozen=True)
class Word:
    """What a word stands for: parameters that have an effect with it, and what it needs of a game."""

    parameters: tuple[Parameter, ...] = ()
    needs: tuple[Need, ...] = ()

    def has(self, name: str) -> bool:
        """Whether a parameter of this name has an effect."""
        return any(p.name == name for p in self.parameters)


def nothing_else(text: str) -> Word:
    """A file has parameters of its own, in brackets after its name."""
    return Word()


@dataclass(frozen=True)
class Menu:
    """A choice among words, and what each stands for; `file` says what a file does."""

    choice: Choice
    words: Mapping[str, Word]
    file: Callable[[str], Word] = nothing_else

    def chosen(self, values: Mapping[str, Any]) -> Word:
        text = values[self.choice.name]
        return self.words[text] if text in self.words else self.file(text)

    def words_with(self, name: str) -> list[str]:
        """The words with which a parameter of this name has an effect."""
        return [word for word in self.choice.choices if self.words[word].has(name)]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The choice, and what its words have; what several share is that of the first."""
        return collected((self.choice, *(p for word in self.words.values() for p in word.parameters)))

    @property
    def asks(self) -> Asks:
        """What words need of a game."""
        return {self.choice.name: {word: meant.needs for word, meant in self.words.items() if meant.needs}}


def collected(offers: Iterable[Parameter | Menu]) -> tuple[Parameter, ...]:
    """The parameters of a row, each once. One that is listed by itself has the place, and the default, that it has
    there; those that are listed nowhere follow the choice of the first menu that has them."""
    offers = [*offers]
    listed = {offer.name for offer in offers if not isinstance(offer, Menu)}
    found: dict[str, Parameter] = {}
    for offer in offers:
        if isinstance(offer, Menu):
            for p in offer.parameters:
                if p.name not in listed:
                    found.setdefault(p.name, p)
        else:
            found.setdefault(offer.name, offer)
    return tuple(found.values())


def menus_of(offers: Iterable[Parameter | Menu]) -> tuple[Menu, ...]:
    return tuple(offer for offer in offers if isinstance(offer, Menu))


def asked_for(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> list[str]:
    """The names of those that have another value than the usual one."""
    return [p.name for p in parameters if values[p.name] != p.default]


def require_effect(
    name: str, parameters: Iterable[Parameter], menus: Iterable[Menu], values: Mapping[str, Any]
) -> None:
    """Raise SpecError where a value that is not the usual one would change nothing."""
    menus = [*menus]
    for parameter in asked_for(parameters, values):
        if useless := without_effect(menus, values, parameter):
            raise SpecError(f"{name}: {parameter} has no effect {useless}")


def without_effect(menus: Iterable[Menu], values: Mapping[str, Any], parameter: str) -> str:
    """With what a parameter changes nothing, in words; nothing where it has an effect. A choice may itself be a
    parameter that has none, and then those of its words have none either."""
    menus, told = [*menus], ""
    for menu in (menu for menu in menus if menu.words_with(parameter)):
        choice = menu.choice.name
        if not menu.chosen(values).has(parameter):
            useless = f"with {choice}={values[choice]}, only with {' or '.join(menu.words_with(parameter))}"
        else:
            useless = without_effect(menus, values, choice)
        if not useless:
            return ""
        told = told or useless
    return told
