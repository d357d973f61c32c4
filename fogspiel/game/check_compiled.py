"""The conformance check: do compiled rules say what the un-compiled ones do?"""

from typing import NamedTuple

from fogspiel.game import check_report as names
from fogspiel.game.check_report import Broken, Findings, Path, Redraw
from fogspiel.game.check_rules import Look, Rules


class Met(NamedTuple):
    """A state of a random game, the history that led to it, and the move made there with its outcome (None at the
    end)."""

    data: bytes
    path: Path
    look: Look
    move: int | None
    after: bytes | None


def compare(trace: list[tuple[Met, tuple[int, int, bytes] | None]], rules: Rules, findings: Findings) -> None:
    """Ask the compiled rules what the un-compiled ones were asked."""

    def here(data: bytes) -> bytes:
        own = bytearray(data)
        for place in rules.constant:
            own[place] = rules.root[place]
        return bytes(own)

    def differ(what: str, path: Path, why: str = "") -> None:
        findings.fail(names.AGREE, f"{what} is one thing un-compiled and another compiled{why}.", path)

    for met, drawn in trace:
        data, path = here(met.data), met.path
        if path is None and data != rules.root:
            differ("the initial state", path)
        known, own = findings.failed, Findings()
        try:
            look = rules.look(data, own, path)
        except Broken:
            if not known:  # else compiled rules tell of what is wrong un-compiled, too
                findings.add(own)
                differ("what the rules say of this state", path)
            raise
        findings.add(own)
        if what := _difference(met.look, look):
            differ(what, path, _MIXED if _rounded(met.look, look) else "")
        elif met.after is not None and met.move is not None and rules.play(data, met.move) != here(met.after):
            differ("the state after the last move", (path, met.move))
        if drawn is not None:
            player, seed, state = drawn
            if rules.resample(data, player, seed) != here(state):
                differ("the state that resample draws", (path, Redraw(player, seed)))


def _difference(plain: Look, compiled: Look) -> str:
    """What two looks at a state differ in, or nothing."""
    if plain.actor != compiled.actor:
        return "the actor"
    if plain.moves != compiled.moves:
        return "the list of moves"
    if not _close(plain.odds, compiled.odds):
        return "a probability of chance"
    for player, keys in enumerate(zip(plain.keys, compiled.keys, strict=True)):
        if keys[0] != keys[1]:
            return f"the key of player {player}" if player < len(plain.keys) - 1 else "the public key"
    if plain.situations != compiled.situations:
        return "the key of the abstraction"
    if plain.sights != compiled.sights:
        return "what a player sees of a move"
    if len(plain.hints) != len(compiled.hints) or not _close(plain.hints, compiled.hints):
        return (
            "what guide, covariate, mirror, evaluate, episode, position, copies, ignore, private, hold, strength, "
            "markov, cut, lump or observe says"
        )
    return "" if _close(plain.payoff, compiled.payoff) else "a payoff"


_MIXED = (
    ": it may be a plain number in one place and what mix returns in another, which compiled code takes for a real "
    "number, and a key loses digits in that; let every return give what mix returns"
)


def _rounded(plain: Look, compiled: Look) -> bool:
    """Whether compiled keys are those that were meant, with the digits of a real number."""
    before, after = ((*look.keys, *look.situations, *look.sights) for look in (plain, compiled))
    pairs = list(zip(before, after, strict=True))
    return before != after and all(key == got or int(float(key)) == got for key, got in pairs)


def _close(some: list[float], others: list[float]) -> bool:
    return all(a == b or abs(a - b) <= 1e-12 * abs(a) or (a != a and b != b) for a, b in zip(some, others, strict=True))
