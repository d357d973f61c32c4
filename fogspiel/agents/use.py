"""What an agent is asked for must have an effect: a parameter of a part that was not chosen is refused in a sentence."""

from typing import Any

from fogspiel.agents.kind import Kind
from fogspiel.belief.belief import BELIEFS
from fogspiel.errors import SpecError

OTHER_NODES = {"chance": "open", "transpositions": "no", "trees": "players"}
"""What has an agent's nodes be something else than information sets."""


def require_use(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where a value that is not the usual one would change nothing."""
    asked = {p.name for p in kind.parameters if values[p.name] != p.default}
    for parameter in (p.name for p in kind.parameters if p.name in asked):
        if useless := without_effect(kind, values, parameter):
            raise SpecError(f"{name}: {parameter} has no effect {useless}")
    if "simulations" in asked and values.get("seconds", 0) > 0:
        raise SpecError(f"{name}: simulations has no effect with seconds, which counts instead")
    if "widen_alpha" in asked and values["widen_c"] == 0:
        raise SpecError(f"{name}: widen_alpha has no effect without widen_c")
    if "cut_from" in asked and values["cut"] < 1:
        raise SpecError(f"{name}: cut_from has no effect without a cut after some moves")
    require_model(name, kind, values)


def without_effect(kind: Kind, values: dict[str, Any], parameter: str) -> str:
    """With what a parameter changes nothing, in words; nothing where it has an effect. A choice may itself be a parameter that has none, and then those
    of its words have none either."""
    told = ""
    for menu in (menu for menu in kind.menus if menu.words_with(parameter)):
        choice = menu.choice.name
        if not menu.chosen(values).has(parameter):
            useless = f"with {choice}={values[choice]}, only with {' or '.join(menu.words_with(parameter))}"
        else:
            useless = without_effect(kind, values, choice)
        if not useless:
            return ""
        told = told or useless
    return told


def require_model(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where a belief needs a model of the others, and the search does not tell what they do at their information sets."""
    belief = values.get("belief")
    if belief not in BELIEFS or not BELIEFS[belief].needs_model:
        return
    told = f"belief={belief} infers from what a search has others do at their information sets"
    if not kind.by_infoset:
        raise SpecError(f"{name}: {told}, and {name} has no node for each of these; mo-ismcts has")
    for choice, word in OTHER_NODES.items():
        if values.get(choice) == word:
            raise SpecError(f"{name}: {told}, and with {choice}={word} it has no node for each of these")
