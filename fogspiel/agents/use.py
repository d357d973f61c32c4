"""What an agent is asked for must have an effect: a parameter of a part that was not chosen is refused in a sentence."""

from typing import Any

from fogspiel.agents.kind import Kind
from fogspiel.belief.inference import PARAMETERS
from fogspiel.errors import SpecError
from fogspiel.game.spec import Choice

_BANDIT, _BELIEF = ("bandit", "selection"), ("belief",)
_UCB, _MIXED = ("ucb", "ucb+exp3", "smooth", "uct", "ruct", "duct"), ("exp3", "exp3p", "rm", "drm")

USE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "exploration": (_BANDIT, _UCB),
    "gamma": (_BANDIT, ("exp3", "rm", "drm")),
    "horizon": (_BANDIT, ("exp3p",)),
    "failure": (_BANDIT, ("exp3p",)),
    "trials": (_BANDIT, ("ucb+exp3",)),
    "eta": (_BANDIT, ("smooth",)),
    "eta_least": (_BANDIT, ("smooth",)),
    "decay": (_BANDIT, ("smooth",)),
    "unplayed": (("selection",), ("rm",)),
    "pure": (("selection",), _MIXED),
    "final": (("selection",), ("duct",)),
    "near": (("selection",), ("duct",)),
    "replays": (_BELIEF, ("usual", "replay", "tracked", "inferred")),
    "k": (_BELIEF, ("tracked",)),
    "particles": (_BELIEF, ("tracked", "inferred")),
    "consecutive": (_BELIEF, ("tracked",)),
    "boost": (_BELIEF, ("inferred",)),
    "noise": (_BELIEF, ("inferred",)),
    "inject": (_BELIEF, ("inferred",)),
    "reveals": (_BELIEF, ("inferred",)),
    "selves": (("determinize",), ("split", "two-step", "bluffing")),
}
"""For each of these parameters: the choices of which one must be among some words for it to have an effect."""

OTHER_NODES = {"chance": "open", "transpositions": "no", "trees": "players"}
"""What has an agent's nodes be something else than information sets."""

_OBSERVER = {p.name for p in PARAMETERS}
"""What the outside observer of an agent that determinizes itself infers with, whatever the agent's own belief is."""


def require_use(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where a value that is not the usual one would change nothing."""
    known = {p.name: p for p in kind.parameters}
    for parameter in kind.parameters:
        if "determinize" in known and parameter.name in _OBSERVER:
            continue
        choices, words = USE.get(parameter.name, ((), ()))
        for choice in choices:
            asked = known.get(choice)
            if (
                values[parameter.name] != parameter.default
                and isinstance(asked, Choice)
                and values[choice] not in words
            ):
                those = " or ".join(word for word in asked.choices if word in words)
                raise SpecError(
                    f"{name}: {parameter.name} has no effect with {choice}={values[choice]}, only with {those}"
                )
    if "widen_alpha" in known and values["widen_alpha"] != known["widen_alpha"].default and values["widen_c"] == 0:
        raise SpecError(f"{name}: widen_alpha has no effect without widen_c")
    if "cut_from" in known and values["cut_from"] != known["cut_from"].default and values["cut"] < 1:
        raise SpecError(f"{name}: cut_from has no effect without a cut after some moves")
    require_model(name, kind, values)


def require_model(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where inference is asked for, and the search does not tell what others do at their information sets."""
    if values.get("belief") != "inferred":
        return
    told = "belief=inferred infers from what a search has others do at their information sets"
    if not kind.by_infoset:
        raise SpecError(f"{name}: {told}, and {name} has no node for each of these; mo-ismcts has")
    for choice, word in OTHER_NODES.items():
        if values.get(choice) == word:
            raise SpecError(f"{name}: {told}, and with {choice}={word} it has no node for each of these")


def require_known_word(name: str, kind: Kind, given: dict[str, Any]) -> None:
    """Raise SpecError where a parameter is called by the name that it has in other agents."""
    for p in kind.parameters:
        if p.name == "selection" and "bandit" in given:
            raise SpecError(
                f"{name} has no parameter bandit: its bandit is chosen by selection, which is one of {p.range}"
            )
