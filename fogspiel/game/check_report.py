"""What the conformance check reports, and how its parts write findings down while they run."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.game.game import Game
from fogspiel.game.state import State

PASSED, FAILED, NOTED = "passed", "failed", "noted"

RUN = "rules run without errors"
ACTOR = "the actor is a player, CHANCE or OVER"
SOME = "a state that is not over has a move"
LIMIT = "moves fit in MAX_MOVES"
ONCE = "no move is listed twice"
CHANCES = "chance probabilities are positive and sum to one"
BUFFERS = "rules write all that they should and nothing else"
LOOK = "only play, resample, hold, ignore and sees change a state"
SAME = "the same move in the same state gives the same bytes"
CONSTANT = "play leaves parameters and tables alone"
FINITE = "payoffs are finite"
RANGE = "payoffs are within the declared utility"
ZERO_SUM = "payoffs are zero-sum as declared"
ENDS = "random play ends"
AGREE = "compiled and un-compiled rules agree"
MOVES = "legal moves are the same across an information set"
TURN = "the actor is the same across an information set"
RECALL = "perfect recall"
COLLISION = "no key collision among distinct information sets"
PUBLIC_KEY = "what everyone knows is known to each player"
COARSER = "abstract depends on nothing but the player's information"
ALIKE = "legal moves are the same across an abstract information set"
PENDING = "players at a stage do not see pending moves"
PICTURE = "names and pictures show only what the player knows"
KEEPS = "resample keeps what the player knows"
BLIND = "resample depends on nothing but the player's information"
REACHED = "resample draws only states that can be reached"
COVERS = "resample can draw every consistent state"
GUIDE = "guide gives legal moves probabilities that sum to one"
COVARIATE = "covariate is zero on average"
GUESS = "evaluate is finite and within the declared utility"
START = "start sets the fields that matter"
MIRROR = "mirror pairs outcomes that are as likely"
EPISODE = "episode gives labels, and the start of the game one"
POSITION = "position tells states with different moves apart"
COPIES = "copies counts at least one way to make a move"
IGNORE = "ignore goes by what the player knows alone, and leaves who moves and the player's moves as they are"
SEES = "what a player knows after a move follows from what it knew and sees"
SHOWN = "sees shows nothing that the player does not know then"
PRIVATE = "private lists what players may hold, weighted as chance deals it"
HOLD = "hold changes what the player holds and nothing else"
STRENGTH = "payoffs depend on what is held by who is stronger alone"
MARKOV = "markov determines what follows"
CUT = "only what is over is cut off"
OBSERVE = "observe tells what the player knows"
SPELT = "optional rules are spelt so that they are found"
FAIR = "resample draws states as likely as chance deals them"
READ = "players can read what they are told"

NAMES = (
    RUN,
    ACTOR,
    SOME,
    LIMIT,
    ONCE,
    CHANCES,
    BUFFERS,
    LOOK,
    SAME,
    CONSTANT,
    FINITE,
    RANGE,
    ZERO_SUM,
    ENDS,
    AGREE,
    MOVES,
    TURN,
    RECALL,
    COLLISION,
    PUBLIC_KEY,
    COARSER,
    ALIKE,
    PENDING,
    PICTURE,
    READ,
    KEEPS,
    BLIND,
    REACHED,
    COVERS,
    FAIR,
    GUIDE,
    COVARIATE,
    MIRROR,
    GUESS,
    EPISODE,
    POSITION,
    COPIES,
    IGNORE,
    SEES,
    SHOWN,
    PRIVATE,
    HOLD,
    STRENGTH,
    MARKOV,
    CUT,
    OBSERVE,
    START,
    SPELT,
)
"""The findings of a report, in its order."""

Path = tuple[Any, Any] | None
"""A history while the check runs: None at the start, then (history before, move) or (history before, Redraw)."""


def sentence(error: Exception) -> str:
    """What an error says, with an end."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


@dataclass(frozen=True)
class Redraw:
    """In a history, the place where the state was replaced by a resampled one."""

    player: int
    seed: int


@dataclass(frozen=True)
class Step:
    """One move of a history: its number, and its name for a person. `move` is None where a state was resampled."""

    move: int | None
    name: str

    def __str__(self) -> str:
        return self.name if self.move is None or self.name == str(self.move) else f"{self.name} [{self.move}]"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked. `status` is "passed", "failed" or "noted" (not applicable, or worth knowing).

    `text` is one sentence. `histories` are the move sequences that show it: one or two where it failed, else mostly
    none. `applies` is False where there was nothing to check, or no way to.
    """

    name: str
    status: str
    text: str
    histories: tuple[tuple[Step, ...], ...] = ()
    applies: bool = True

    def __str__(self) -> str:
        shown = [f"\n        {', '.join(map(str, h)) or '(the start of the game)'}" for h in self.histories]
        return f"{self.status}  {self.name}: {self.text}{''.join(shown)}"


@dataclass(frozen=True)
class Report:
    """What `check` found, and what it learnt of the game on the way.

    `playouts` random games were played. `whole_tree` tells whether every history was walked, and `histories` how many
    that were; if not, the facts hold for what random play met. Facts are None where the check had to stop before them:
    `stopped` tells that rules failed so that it could not go on.
    """

    game: str
    findings: tuple[Finding, ...]
    playouts: int
    histories: int
    whole_tree: bool
    zero_sum: bool | None
    perfect_recall: bool | None
    utility: tuple[float, float] | None
    stopped: bool = False

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.status == FAILED)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is worth knowing, though it goes against no promise."""
        return tuple(f for f in self.findings if f.status == NOTED and f.applies)

    @property
    def rest(self) -> str:
        """A line about all other checks: how many passed, and how many did not apply."""
        passed, spared = (
            sum(f.status == s and f.applies == a for f in self.findings) for s, a in ((PASSED, True), (NOTED, False))
        )
        return (
            f"passed: {_checks(passed)}; {'not reached or ' if self.failures else ''}not applicable: {_checks(spared)}"
        )

    def finding(self, name: str) -> Finding:
        """The finding of this name, one of `NAMES`."""
        return next(f for f in self.findings if f.name == name)

    def as_dict(self) -> dict[str, Any]:
        """The report ready for JSON."""
        findings = [
            {
                "name": f.name,
                "status": f.status,
                "text": f.text,
                "histories": [[str(s) for s in h] for h in f.histories],
            }
            for f in self.findings
        ]
        return vars(self) | {"ok": self.ok, "findings": findings}

    @property
    def verdict(self) -> str:
        return "conforms" if self.ok else f"{len(self.failures)} of {len(self.findings)} checks failed"

    @property
    def looked(self) -> str:
        walked = "too many histories to walk them all"
        if self.whole_tree:
            walked = f"all {self.histories:,} histories"
        elif self.stopped:
            walked = "stopped where rules failed"
        return f"{self.playouts:,} random games, {walked}"

    def __str__(self) -> str:
        """The verdict; failures in full, then what is worth knowing, and the rest in a line."""
        return "\n".join(
            [f"{self.game}: {self.verdict} ({self.looked})", *map(str, self.failures), *map(str, self.notes), self.rest]
        )


def _checks(count: int) -> str:
    return f"{count} check{'s' * (count != 1)}"


class Broken(Exception):
    """A history that cannot be followed any further; the finding is already written down."""

    def __init__(self, text: str, path: Path):
        super().__init__(text)
        self.text, self.path = text, path


class Findings:
    """Findings as they come up. Only the first of each name is kept: the rest would say the same."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str, tuple[Path, ...], bool]] = {}

    def fail(self, name: str, text: str, *paths: Path) -> None:
        self._kept.setdefault(name, (FAILED, text, paths, True))

    def note(self, name: str, text: str, *paths: Path) -> None:
        """Something worth knowing."""
        self._kept.setdefault(name, (NOTED, text, paths, True))

    def skip(self, name: str, text: str) -> None:
        """Why something was not checked."""
        self._kept.setdefault(name, (NOTED, text, (), False))

    def pass_(self, name: str, text: str) -> None:
        self._kept.setdefault(name, (PASSED, text, (), True))

    def add(self, others: "Findings") -> None:
        """Take over what others found of what was not found here."""
        self._kept = others._kept | self._kept

    def broken(self, name: str, text: str, path: Path) -> Broken:
        """Write a failure down; the caller raises what is returned."""
        self.fail(name, text, path)
        return Broken(text, path)

    def require(self) -> None:
        """Raise Broken with the first failure, if there is one."""
        for status, text, paths, _ in self._kept.values():
            if status == FAILED:
                raise Broken(text, next(iter(paths), None))

    @property
    def failed(self) -> bool:
        return any(status == FAILED for status, *_ in self._kept.values())

    def __contains__(self, name: str) -> bool:
        return name in self._kept

    def listed(self, game: Game, otherwise: tuple[str, str, bool]) -> tuple[Finding, ...]:
        """All findings in order, those not written down with `otherwise`: a status, a text, and whether the check
        applied."""
        found = []
        usual, usual_text, usually = otherwise
        for name in NAMES:
            status, text, paths, applies = self._kept.get(name, (usual, usual_text, (), usually))
            found.append(Finding(name, status, text, tuple(named(game, path) for path in paths), applies))
        return tuple(found)


_STEPS = 8
"""Moves of a history that the end of a sentence names; those before are left out."""


def after(game: Game, path: Path) -> str:
    """The moves that led to a failure, as the end of a sentence."""
    return ending(named(game, path))


def ending(steps: Sequence[Step]) -> str:
    """The moves that led to something, as the end of a sentence."""
    shown = ", ".join(map(str, steps[-_STEPS:]))
    return f", after the moves {'..., ' * (len(steps) > _STEPS)}{shown}" if steps else ""


def named(game: Game, path: Path) -> tuple[Step, ...]:
    """A history in the names of its moves, found by playing it again; where that fails, the numbers alone.

    What comes last is not played: that may be what fails, or does not return.
    """
    if path is None:
        return ()
    links = []
    while path is not None:
        path, link = path
        links.append(link)
    state, steps = game.start(), []
    for left, link in zip(range(len(links) - 1, -1, -1), reversed(links), strict=True):
        steps.append(step(state, link))
        if left > 0:
            with contextlib.suppress(Exception):
                if isinstance(link, Redraw):
                    state.resample(link.player, np.array([link.seed], np.uint64))
                else:
                    state.play(link)
    return tuple(steps)


def step(state: State, made: int | Redraw) -> Step:
    """A move that was made in a state, or a redraw of it, in words; by its number, where the game's own fail."""
    if isinstance(made, Redraw):
        return Step(None, f"(what player {made.player} cannot see redrawn with seed {made.seed})")
    try:
        return Step(made, state.game.names_of(state, [made])[0])
    except Exception:
        return Step(made, str(made))
