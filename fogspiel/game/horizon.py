"""What a game without an end is worth where it is cut off (Veselý 2024, sec. 5 and 6): parameters that every game with
the rule `markov` has.

====  ===============================================================================================
0     nothing
v     its value in the endless game if both see everything
h     half of that
rn    the same if the player who does not see everything moves uniformly at random, and the other answers that
====  ===============================================================================================

Or what a rewards file says: text, two lines for each state, its short form and what player 0 gets there. Other lines
than those of states that the game comes to are passed over, such as those of states in which it is over: what they pay
is in the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel import given as check
from fogspiel.engine.closure import Function
from fogspiel.engine.primitives import mix, real_at, whole_at
from fogspiel.errors import FileError, GameError, SpecError, Unsuitable
from fogspiel.game.rules import About
from fogspiel.game.spec import Choice, Number, Parameter, Text, Whole

if TYPE_CHECKING:
    from fogspiel.game.game import Game
    from fogspiel.game.load import Source
    from fogspiel.game.markov import MarkovGame

KINDS = ("0", "v", "h", "rn")
HORIZON, DISCOUNT, REWARDS = "horizon", "horizon_discount", "rewards_file"
PARAMETERS: tuple[Parameter, ...] = (
    Choice(HORIZON, "0", KINDS, "what the game is worth where it is cut off"),
    Number(DISCOUNT, 0.9, 0, 1, "what payoffs beyond the horizon are multiplied by for each round"),
    Text(REWARDS, "", "a file with what player 0 gets where the game is cut off"),
)
KEYS, WORTHS = "horizon_keys", "horizon_worths"
"""State fields with the addresses of what is paid where the game is cut off: how many states, their keys in order; and
their worths."""


def declared(module: ModuleType, own: tuple[Parameter, ...], label: str) -> tuple[Parameter, ...]:
    """The parameters of a game file, with those above where it has the rule `markov`."""
    if getattr(module, "markov", None) is None:
        return own
    names = {parameter.name for parameter in own}
    for parameter in PARAMETERS:
        if parameter.name in names:
            raise GameError(
                f"{label}: PARAMETERS has {parameter.name}, which is there already in every game with a rule markov"
            )
    return own + PARAMETERS


def with_worths(state: np.dtype, rules: Mapping[str, Function], label: str) -> tuple[np.dtype, dict[str, Function]]:
    """The state and rules of a game that is paid where it is cut off, too."""
    if clash := {KEYS, WORTHS} & set(state.names or ()):
        raise GameError(f"{label}: State has a field {min(clash)}, a name that a game with a rule markov must not use")
    more = np.dtype([*((n, state[n]) for n in state.names or ()), (KEYS, "i8"), (WORTHS, "i8")], align=True)
    scope = dict(globals(), **rules)
    scope.setdefault("lump", rules["markov"])
    paid = FunctionType(_payoff.__code__, scope, "payoff")
    return more, {**rules, "payoff": paid}


def _payoff(s, out):
    payoff(s, out)  # noqa: F821 (the rules of the game, which `with_worths` fills in)
    if cut(s):  # noqa: F821
        sought = word(lump(s)) if real_at(s.horizon_worths, 0) != 0 else word(markov(s))  # noqa: F821
        worth = worth_of(s.horizon_keys, s.horizon_worths, sought)
        out[0] += worth
        out[1] -= worth


def word(key):
    """63 bits of a key, as a whole number that is not negative."""
    return np.int64(np.uint64(mix(mix(key, 0), 0)) >> np.uint64(1))


def worth_of(keys, worths, sought):
    """What the state of a key is worth to player 0, by the addresses of the two tables."""
    low, high = 1, whole_at(keys, 0) + 0
    while low <= high:
        middle = (low + high) // 2
        here = whole_at(keys, middle)
        if here == sought:
            return real_at(worths, middle)
        if here < sought:
            low = middle + 1
        else:
            high = middle - 1
    return 0.0


def settled(game: "Game", about: About) -> About:
    """What a game is, with what it is worth at its horizon."""
    horizon, discount = _bound(game, about)
    kind, path = game.parameters[HORIZON], game.parameters[REWARDS]
    if kind != "0" and path:
        raise SpecError(f"{game.name}: give {HORIZON} or {REWARDS}, not both")
    if kind != "0" and game.parameters[DISCOUNT] == 1:
        raise SpecError(
            f"{game.name}: the game goes on for ever beyond its horizon, so {DISCOUNT} must be below 1, not 1"
        )
    lumped, accrues = kind != "0", False
    keys, worths = np.zeros(0, np.uint64), np.zeros(0)
    if kind != "0" or path:
        own = _own(game)
        states = _endless(game.module, game.name, own, True) if lumped else _bounded(game, own)
        worths = _values(states, kind, game.parameters[DISCOUNT]) if lumped else _read(path, states)
        worths = worths * (own[discount] if discount else 1.0) ** own[horizon]
        keys, accrues = states.key, states.accrues
    words = (keys >> np.uint64(1)).astype(np.int64)
    order = np.argsort(words)
    tables = {
        KEYS: np.concatenate([[len(keys)], words[order]]),
        WORTHS: np.concatenate([[float(lumped)], worths[order]]),
    }
    ranges, utility = about.ranges, about.utility
    if ranges is not None and len(worths):
        (low, high), least, most = ranges[0], float(worths.min()), float(worths.max())
        # where nothing is paid before, the worth is all that a game pays that is cut off
        low, high = (low + min(0, least), high + max(0, most)) if accrues else (min(low, least), max(high, most))
        ranges, utility = ((low, high), (-high, -low)), (min(low, -high), max(high, -low))
    return replace(about, tables={**about.tables, **tables}, ranges=ranges, utility=utility)


def _bound(game: "Game", about: About) -> tuple[str, str]:
    """The parameters that bound and discount the game."""
    known = {parameter.name: parameter for parameter in game.declared}
    if not isinstance(known.get(about.horizon), Whole):
        raise GameError(
            f"{game.name}: a game with a rule markov needs About(horizon=...), the name of the whole-number parameter "
            "that says after how many rounds it is cut off"
        )
    if about.discount and not isinstance(known.get(about.discount), Number):
        raise GameError(
            f"{game.name}: in About, discount must be the name of a Number in PARAMETERS, not {about.discount!r}"
        )
    return about.horizon, about.discount


def _own(game: "Game") -> dict[str, Any]:
    """The parameters that the game's own file declares."""
    return {n: v for n, v in game.parameters.items() if n not in {p.name for p in PARAMETERS}}


def _bounded(game: "Game", own: dict[str, Any]) -> "MarkovGame":
    """The states that a game comes to before it is cut off, not discounted."""
    return _states(game.module, game.name, own, False)


def _states(module: ModuleType, name: str, own: dict[str, Any], lumped: bool) -> "MarkovGame":
    game = _plain_game(module, name, own)
    if game.about.discount and own[game.about.discount] != 1:
        game = _plain_game(module, name, {**own, game.about.discount: 1.0})
    return _explored(_Asked(game, module, name, tuple(game.parameters.items()), tables_digest(game), lumped))


@dataclass(frozen=True)
class _Asked:
    """A game whose states are asked for. A parameter may name a file, so that tables count as well."""

    game: "Game" = field(compare=False)
    module: ModuleType
    name: str
    parameters: tuple[tuple[str, Any], ...]
    tables: str
    lumped: bool


def _as_loaded(game: "Game") -> dict[str, Any]:
    """The parameters that the game's own file declares. Raises FileError where what they name, such as the file of a
    map, is not what it was when the game was loaded: its endless game would be another's."""
    own, worths = _own(game), (KEYS, WORTHS)
    if tables_digest(_plain_game(game.module, game.name, own), worths) != tables_digest(game, worths):
        raise FileError(f"a file that {game.spec} was made from has changed since it was loaded; load the game again")
    return own


def tables_digest(game: "Game", without: tuple[str, ...] = ()) -> str:
    """What a game's tables hold, in short."""
    digest = blake2b(digest_size=16)
    for name, values in sorted(game.about.tables.items()):
        if name in without:
            continue
        array = np.ascontiguousarray(values)
        digest.update(f"{name} {array.dtype} {array.shape} ".encode() + array.tobytes())
    return digest.hexdigest()


@lru_cache(maxsize=32)
def _explored(asked: _Asked) -> "MarkovGame":
    from fogspiel.game.markov import explore_states

    return explore_states(asked.game, lumped=asked.lumped)


def _endless(module: ModuleType, name: str, own: dict[str, Any], lumped: bool) -> "MarkovGame":
    """The states of the endless game, not discounted: those that the game comes to with the longest horizon there
    is."""
    game = _plain_game(module, name, own)
    longest = next(p for p in game.declared if isinstance(p, Whole) and p.name == game.about.horizon)
    states = _states(module, name, {**own, longest.name: longest.high}, lumped)
    last = np.flatnonzero(np.diff(states.at[0]) == 0)
    if len(last):
        raise Unsuitable(
            f"{game.spec} comes to new states, such as {states.names[last[0]]}, as late as in round {longest.high}, "
            f"the longest horizon it can have ({longest.name}), so that its endless game is not known"
        )
    bounded = _states(module, name, own, lumped)
    strange = np.flatnonzero(~np.isin(bounded.key, states.key))
    if len(strange):
        raise GameError(
            f"{game.spec} comes to a state, {bounded.names[strange[0]]}, that its endless game does not know: markov "
            f"and lump must not depend on {longest.name}"
        )
    return states


def endless_states(game: "Game", *, lumped: bool = False) -> "MarkovGame":
    """The states of the endless game that a game is cut off from; `lumped`: by the rule `lump`, where the game has it.
    Raises Unsuitable where there is none, or the longest horizon of the game is too short to find them all."""
    from fogspiel.game.markov import require_endless

    require_endless(game)
    return _endless(game.module, game.name, _as_loaded(game), lumped)


def bounded_game(game: "Game", discount: float) -> "Game":
    """The same bounded game with another discount, worth nothing at its horizon."""
    own = _as_loaded(game)
    if game.about.discount:
        own[game.about.discount] = discount
    elif discount != 1:
        raise Unsuitable(f"{game.spec} has no discount: About(discount=...) would name the parameter")
    return _plain_game(game.module, game.name, own)


def _plain_game(module: ModuleType, name: str, given: dict[str, Any]) -> "Game":
    """A game that is worth nothing where it is cut off, compiled; a person's own file is tried first."""
    from fogspiel.game.first_run import first_run
    from fogspiel.game.game import Game
    from fogspiel.game.load import OWN

    game = Game(module, name, given)
    if module.__name__.startswith(OWN):
        first_run(game)
    return game


def uninformed(states: "MarkovGame") -> int | None:
    """The player who does not see everything, where the other does: in a one-sided game."""
    blind = [bool((seen != states.markov_keys).any()) for seen in states.seen]
    return blind.index(True) if sum(blind) == 1 else None


def _values(states: "MarkovGame", kind: str, discount: float, **how: Any) -> np.ndarray:
    from fogspiel.game.needs import NOT_ONE_SIDED, ONE_SIDED, refusal
    from fogspiel.game.shapley import state_values

    if kind == "0":
        return np.zeros(states.count)
    if kind != "rn":
        return state_values(states, discount, **how) / (2 if kind == "h" else 1)
    random = uninformed(states)
    if random is None:
        raise refusal(states.game.spec, "horizon=rn", ONE_SIDED, NOT_ONE_SIDED)
    return state_values(states, discount, random=random, **how)


def horizon_values(
    game: "Source",
    kind: str = "v",
    *,
    discount: float | None = None,
    error: float = 1e-6,
    threshold: float | None = None,
    in_place: bool = True,
) -> dict[str, float]:
    """What the states that a game comes to are worth to player 0 in the endless game, by their short forms: `kind` is
    0, v, h or rn.

    The `discount` is by default the game's own, if that is below 1, and else 0.9. Values are within `error`; with a
    `threshold`, the literature's rule stops instead when no value changes by as much in a sweep, `in_place` or all at
    once.
    """
    from fogspiel.game.load import load
    from fogspiel.game.markov import require_endless
    from fogspiel.game.shapley import require_discount

    game = load(game)
    kind = check.choice("kind", kind, KINDS)
    discount = check.maybe(check.number, "discount", discount, 0, 1)
    error, threshold = check.number("error", error, 1e-12), check.maybe(check.number, "threshold", threshold, 1e-12)
    in_place = check.flag("in_place", in_place)
    require_endless(game)
    if discount is None:
        discount = usual_discount(game)
    if kind != "0":
        require_discount(game.spec, discount)
    lumps = endless_states(game, lumped=True)
    found = _values(lumps, kind, discount, error=error, threshold=threshold, in_place=in_place)
    states = _bounded(game, _own(game))
    place = {key: i for i, key in enumerate(lumps.key.tolist())}
    of = states.lump_keys if "lump" in game.functions else states.key
    return {name: float(found[place[key]]) for name, key in zip(states.names, of.tolist(), strict=True)}


def has_worths(game: "Game") -> bool:
    """Whether a game is paid something where it is cut off."""
    return bool(game.parameters[HORIZON] != "0" or game.parameters[REWARDS])


def discount_of(game: "Game") -> float:
    """What a game says that its payoffs are multiplied by for each round."""
    return float(game.parameters[game.about.discount]) if game.about.discount else 1.0


def usual_discount(game: "Game") -> float:
    """That of the endless game where none is given: the game's own, if below 1."""
    own = discount_of(game)
    return own if own < 1 else 0.9


def write_rewards(game: "Source", path: str | Path, values: Mapping[str, float]) -> None:
    """Write a rewards file with these values of states, and with those in which the game is over and what they pay."""
    from fogspiel.game.load import load
    from fogspiel.game.markov import require_endless

    game, path = load(game), check.path("path", path)
    values = check.kind("values", values, Mapping, "a dictionary of what states are worth")
    values = {check.text("each state", state): check.number("each value", worth) for state, worth in values.items()}
    require_endless(game)
    states = _bounded(game, _as_loaded(game))
    listed = {**dict(zip(states.end_names, states.paid.tolist(), strict=True)), **values}
    try:
        Path(path).write_text("".join(f"{state}\n{worth!r}\n" for state, worth in listed.items()))
    except OSError as error:
        raise FileError(f"the rewards file {str(path)[:80]} cannot be written ({type(error).__name__})") from None


def _read(path: str, states: "MarkovGame") -> np.ndarray:
    """What a rewards file says of each state. Raises SpecError where it is none, or a state is missing."""
    shown = path[:80]
    try:
        lines = [line.strip() for line in Path(path).read_text().splitlines()]
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SpecError(f"the rewards file {shown} cannot be read ({type(error).__name__})") from None
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) % 2:
        raise SpecError(f"the rewards file {shown} must have two lines for each state, but has {len(lines)} lines")
    found, met = {}, set(states.names)
    for state, reward in zip(lines[::2], lines[1::2], strict=True):
        if state in found and state in met:
            raise SpecError(f"the rewards file {shown} lists the state {state[:80]!r} twice")
        try:
            found[state] = float(reward)
        except ValueError:
            raise SpecError(f"the rewards file {shown} has no state and reward in {state!r}, {reward!r}") from None
    missing = [name for name in states.names if name not in found]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise SpecError(
            f"the rewards file {shown} misses the state {missing[0]!r}{more} of {len(states.names):,} that the game "
            "comes to"
        )
    worths = np.array([found[name] for name in states.names])
    if not np.isfinite(worths).all():
        raise SpecError(f"the rewards file {shown} must have rewards that are finite numbers")
    return worths
