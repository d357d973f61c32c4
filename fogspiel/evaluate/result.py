"""The result of a match: who did what, who is stronger, and how sure that is."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fogspiel.evaluate.bout import Schedule
from fogspiel.evaluate.ratings import pairwise, ratings
from fogspiel.evaluate.referee import GameRecord
from fogspiel.evaluate.statistics import Estimate, SequentialTest, Standing, comparisons, elo, standings, superiority


@dataclass(frozen=True)
class MatchResult:
    """What came of a match. `games` are those that count, by their numbers; one that failed has no utilities.

    `stopped` says why it ended: games (all were played), sprt or interrupted. `played` and `seconds` are of this run, without
    what was read from a file. `unsaved` says why games could not be stored, if so. `command` is None where the agents are
    objects, which a command line cannot name, or where nothing was stored.
    """

    game: str
    agents: tuple[str, ...]
    cheats: tuple[bool, ...]
    games: dict[int, GameRecord]
    schedule: Schedule
    utility: tuple[float, float]
    move_time: float | None
    workers: int
    stopped: str
    played: int
    seconds: float
    test: SequentialTest | None
    ratio: float | None
    unsaved: str
    command: str | None

    @cached_property
    def standings(self) -> list[Standing]:
        """What each agent did."""
        return standings(list(self.games.values()), len(self.agents), self.schedule.players, self.utility)

    @property
    def elo(self) -> Estimate | None:
        """Of two agents, by how much the first is stronger. An end of the interval may be infinite."""
        rate = self.standings[0].win_rate
        return (
            Estimate(elo(rate.value), elo(rate.low), elo(rate.high))
            if rate is not None and len(self.agents) == 2
            else None
        )

    @property
    def superiority(self) -> float | None:
        """Of two agents, how likely it is that the first is stronger."""
        first = self.standings[0]
        return superiority(first.wins, first.losses) if len(self.agents) == 2 else None

    @cached_property
    def ratings(self) -> list[Estimate] | None:
        """Of more than two agents, Elo ratings with their mean at 0."""
        if len(self.agents) < 3:
            return None
        return ratings(pairwise(comparisons(self.games.values(), self.schedule.players), len(self.agents)))

    @property
    def forfeits(self) -> list[dict[str, Any]]:
        """Games lost by a fault: which game, which agent in which seat, and what it did."""
        lost = [(number, r) for number, r in self.games.items() if r.forfeit is not None]
        return [
            {"game": n, "agent": self.agents[r.seats[r.forfeit]], "seat": r.forfeit, "reason": r.reason}
            for n, r in lost
        ]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Games that count for nobody, and why."""
        return [{"game": number, "reason": r.reason} for number, r in self.games.items() if not r.utilities]

    @property
    def why(self) -> str:
        """In a sentence, why the match ended."""
        if self.stopped == "interrupted":
            return f"interrupted after {len(self.games):,} of {self.schedule.total:,} games"
        if self.test is None:
            return f"all {self.schedule.total:,} games were played"
        low, high = self.test.bounds
        where = (
            f"log-likelihood ratio {self.ratio:.2f} after {len(self.games):,} games, bounds {low:.2f} and {high:.2f}"
        )
        verdict = self.test.verdict(self.ratio)
        if verdict is None:
            return f"all {self.schedule.total:,} games were played, and the test did not decide ({where})"
        other = self.test.elo0 if verdict == self.test.elo1 else self.test.elo1
        return f"the test found an Elo difference of {verdict:g} likelier than one of {other:g} ({where})"

    def resume_command(self) -> str | None:
        """What goes on with an interrupted match, if it was stored: for the command line, or else in Python."""
        return self.command if self.stopped == "interrupted" else None

    def as_dict(self) -> dict[str, Any]:
        """The result without its moves, ready for JSON."""
        extra: list[dict[str, Any]] = [{"name": n, "cheats": c} for n, c in zip(self.agents, self.cheats, strict=True)]
        if self.ratings is not None:
            extra = [one | {"rating": r.as_dict()} for one, r in zip(extra, self.ratings, strict=True)]
        test = self.test and vars(self.test) | {"ratio": self.ratio, "bounds": list(self.test.bounds)}
        return {
            "game": self.game,
            "agents": [one | s.as_dict() for one, s in zip(extra, self.standings, strict=True)],
            "games": len(self.games),
            "games_asked": self.schedule.total,
            "seed": self.schedule.seed,
            "duplicate": self.schedule.duplicate,
            "move_time": self.move_time,
            "elo": self.elo and self.elo.as_dict(),
            "superiority": self.superiority,
            "sprt": test,
            "stopped": self.stopped,
            "why": self.why,
            "forfeits": self.forfeits,
            "failed": self.failed,
            "workers": self.workers,
            "seconds": self.seconds,
            "games_a_second": self.played / self.seconds if self.seconds > 0 else None,
            "unsaved": self.unsaved,
            "resume": self.resume_command(),
        }
