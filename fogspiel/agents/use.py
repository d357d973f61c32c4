"""What an agent is asked for must have an effect: beside what menus tell, what hangs on a number or on two choices
together."""

from collections.abc import Mapping
from typing import Any

from fogspiel.agents.kind import Kind
from fogspiel.belief.belief import BELIEFS
from fogspiel.errors import SpecError
from fogspiel.game.menu import asked_for, require_effect

OTHER_NODES = {"chance": "open", "transpositions": "no", "trees": "players"}
"""What has an agent's nodes be something else than information sets."""

_ALL, _TRUE = "it looks at every state that is possible, and draws none", "it is shown the true state"
WITHOUT_BELIEF = {
    "is-expectimax": _ALL,
    "pimc-minimax": _ALL,
    "ist-minimax": _ALL,
    "ist-mcts": _ALL,
    "cheating-minimax": _TRUE,
    "cheating-uct": _TRUE,
}
"""Why agents for games in which something is hidden take no belief."""


def require_known(name: str, kind: Kind, given: Mapping[str, Any]) -> None:
    """Raise SpecError where an agent is asked for what it has not, and there is a reason to tell."""
    if "belief" in given and name in WITHOUT_BELIEF and all(p.name != "belief" for p in kind.parameters):
        raise SpecError(f"{name} has no parameter belief: {WITHOUT_BELIEF[name]}")


def require_use(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where a value that is not the usual one would change nothing."""
    require_effect(name, kind.parameters, kind.menus, values)
    asked = asked_for(kind.parameters, values)
    if "simulations" in asked and values.get("seconds", 0) > 0:
        raise SpecError(f"{name}: simulations has no effect with seconds, which counts instead")
    if "widen_alpha" in asked and values["widen_c"] == 0:
        raise SpecError(f"{name}: widen_alpha has no effect without widen_c")
    if "cut_from" in asked and values["cut"] < 1:
        raise SpecError(f"{name}: cut_from has no effect without a cut after some moves")
    if "target" in asked and values["delta"] == 0:
        raise SpecError(f"{name}: target has no effect with delta=0, where no iteration is targeted")
    require_model(name, kind, values)


def require_model(name: str, kind: Kind, values: dict[str, Any]) -> None:
    """Raise SpecError where a belief needs a model of the others, and the search does not tell what they do at their
    information sets."""
    belief = values.get("belief")
    if belief not in BELIEFS or not BELIEFS[belief].needs_model:
        return
    told = f"belief={belief} infers from what a search has others do at their information sets"
    if not kind.by_infoset:
        raise SpecError(f"{name}: {told}, and {name} has no node for each of these; mo-ismcts has")
    for choice, word in OTHER_NODES.items():
        if values.get(choice) == word:
            raise SpecError(f"{name}: {told}, and with {choice}={word} it has no node for each of these")
