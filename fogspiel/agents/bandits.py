"""Bandits by the words that agents have for them. A new one is its file in `search/bandits`, and a row of BANDITS
here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.game.menu import Menu, Word
from fogspiel.game.spec import Parameter
from fogspiel.given import shown
from fogspiel.search.own import PartChoice, own_part
from fogspiel.search.parts import Part, part


@dataclass(frozen=True, kw_only=True)
class Bandit(Word):
    """A part, in a few words, and enhancements that belong to it."""

    made: Part
    about: str
    enhancements: tuple[str, ...] = ()

    @property
    def bounds(self) -> bool:
        """Whether it tries the move of the highest bound, in which others have a say."""
        return self.made.tells("BOUNDS")

    @property
    def averages(self) -> bool:
        """Whether it keeps its mean strategy."""
        return "strategy" in self.columns

    @property
    def columns(self) -> set[str]:
        """What it keeps for each move."""
        return {name for name, *_ in self.made.columns("SLOT", 2)}

    def with_values(self, values: Mapping[str, Any]) -> Part:
        """The part with those of the values that it has a parameter for; a file has its own."""
        return self.made if self.made.own else part("bandit", self.made.name, values)


def bandit(name: str, about: str, *enhancements: str) -> Bandit:
    made = part("bandit", name)
    return Bandit(made.parameters, made.needs, made=made, about=about, enhancements=enhancements)


def in_file(text: str) -> Bandit:
    """What a file stands for: none of an agent's parameters is its."""
    own = own_part("bandit", text)
    if own is None:
        raise SpecError(f"there is no bandit {shown(text)}")
    return Bandit((), own.part.needs, made=own.part, about=f"as in {own.path.name}")


BANDITS = {
    "ucb": bandit("ucb", "UCB1"),
    "tuned": bandit("tuned", "UCB1-Tuned"),
    "exp3": bandit("exp3", "Exp3"),
    "exp3p": bandit("exp3p", "Exp3.P"),
    "rm": bandit("regret_matching", "regret matching"),
    "ucb+exp3": bandit("staged", "UCB1 with Exp3 where several choose at once"),
    "smooth": bandit("smooth", "UCB1 mixed with its own average"),
    "uniform": bandit("uniform", "at random"),
}
"""What a node may choose by."""

_OTHERS = {word: one for word, one in BANDITS.items() if word != "ucb"}
IS_MCTS = {
    "uct": bandit("ucb", "UCB with ties to the first", "first_ties"),
    "ruct": bandit("ucb", "or at random"),
} | _OTHERS
"""The same, with the words of Lisý 2014, sec. 3.2.3."""
SM_MCTS = {
    "duct": bandit("ucb", "decoupled UCT"),
    "exp3": BANDITS["exp3"],
    "exp3p": BANDITS["exp3p"],
    "drm": bandit("regret_matching", "decoupled"),
    "rm": bandit("coupled", "or coupled regret matching"),
} | {word: one for word, one in _OTHERS.items() if word not in ("exp3", "exp3p", "rm")}
"""The same, with those of Lisý 2014, sec. 3.1.1, where players move at once."""


def bandits(
    words: Mapping[str, Bandit] = BANDITS,
    default: str = "ucb",
    written: str = "",
    also: Callable[[Bandit], tuple[Parameter, ...]] | None = None,
) -> Menu:
    """The choice among bandits. `also` says of each which parameters of the agent have an effect with it alone."""

    def more(one: Bandit) -> Bandit:
        return one if also is None else replace(one, parameters=(*one.parameters, *also(one)))

    told = f"how a node chooses: {', '.join(one.about for one in words.values())}"
    return Menu(
        PartChoice("bandit", default, tuple(words), told + (f"; also called {written}" if written else ""), written),
        {word: more(one) for word, one in words.items()},
        lambda text: more(in_file(text)),
    )


def chosen_bandit(p: Mapping[str, Any], words: Mapping[str, Bandit] = BANDITS) -> Bandit:
    """What the parameter `bandit` stands for."""
    return words[p["bandit"]] if p["bandit"] in words else in_file(p["bandit"])
