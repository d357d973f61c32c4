"""What an agent may be made of: choices among parts, with the parameters of each.

An agent's parameters are collected from the parts that it may be made of, and a parameter has an effect where a part is chosen that has it. So a new part
brings its own, and nobody else knows them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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
    """The parameters of a row, each once. One that is listed by itself has the place, and the default, that it has there; those that are listed nowhere
    follow the choice of the first menu that has them."""
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
