"""The result of a match: who did what, who is stronger, and how sure that is."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fogspiel.evaluate.bout import Schedule
from fogspiel.evaluate.judging import WINS
from fogspiel.evaluate.ratings import ratings, utility_ratings
from fogspiel.evaluate.referee import GameRecord
from fogspiel.evaluate.samples import Limits, Sample, sample
from fogspiel.evaluate.sequential import SequentialTest, UtilityTest
from fogspiel.evaluate.standings import Comparison, Standing, comparisons, standings
from fogspiel.evaluate.statistics import Estimate, elo, percentage


@dataclass(frozen=True)
class MatchResult:
    """What came of a match. `games` are those that count, by their numbers; one that failed has no utilities.

    `stopped` says why it ended: games (all were played), sprt or interrupted. `played` and `seconds` are of this run,
    without what was read from a file. `unsaved` says why games could not be stored, if so. `command` is None where the
    agents are objects, which a command line cannot name, or where nothing was stored. `repeat` is the command that
    plays the same match again, with its seed (`schedule.seed`). `judged_by` says by what `superiority`, `ratings` and
    the test go: wins, or utility; wins are counted in any case. `apart` says which agents played in processes of their
    own, and `secrecy`, in sentences, what could not be kept from agents all the same.
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
    test: SequentialTest | UtilityTest | None
    ratio: float | None
    unsaved: str
    command: str | None
    judged_by: str = WINS
    repeat: str = ""
    apart: tuple[bool, ...] = ()
    secrecy: tuple[str, ...] = ()

    @cached_property
    def standings(self) -> list[Standing]:
        """What each agent did."""
        return standings(self._records, len(self.agents), self.schedule.players, self.utility)

    @cached_property
    def _records(self) -> list[GameRecord]:
        """The games with what tells independent ones apart: the deal, or where each has chance of its own, the round of
        games that has every order of the seats."""
        if self.schedule.duplicate or self.schedule.players == 1:
            return list(self.games.values())
        return [replace(record, deal=n // self.schedule.games_a_deal) for n, record in self.games.items()]

    @cached_property
    def _compared(self) -> list[Comparison]:
        return comparisons(self._records, self.schedule.players)

    @cached_property
    def _ahead(self) -> tuple[Sample, Limits, float] | None:
        """Of two agents, what the first got in each game that compares them, between which limits that is, and what it
        is where they are level: points, or how much more utility than the second."""
        if len(self.agents) != 2:
            return None
        both = [(c, c.agents.index(0)) for c in self._compared if len(c.agents) == 2]
        if not both:
            return None
        deals = [c.deal for c, _ in both]
        if self.judged_by == WINS:
            return sample([c.points[i] for c, i in both], deals), (0.0, 1.0), 0.5
        width = self._width
        return sample([c.margin(i, 1 - i, width) for c, i in both], deals), (-width, width), 0.0

    @property
    def _width(self) -> float:
        return self.utility[1] - self.utility[0]

    @property
    def elo(self) -> Estimate | None:
        """Of two agents, by how much the first is stronger; None where the match is not judged by wins. An end of the
        interval may be infinite."""
        rate = self.standings[0].win_rate
        return (
            Estimate(elo(rate.value), elo(rate.low), elo(rate.high))
            if rate is not None and len(self.agents) == 2 and self.judged_by == WINS
            else None
        )

    @property
    def lead(self) -> Estimate | None:
        """Of two agents, how much more utility the first gets in a game than the second, in the mean; None where the
        match is judged by wins. In a zero-sum game of two that is twice the utility of the first."""
        if self.judged_by == WINS or self._ahead is None:
            return None
        leads, limits, _ = self._ahead
        return leads.interval(limits)

    @property
    def superiority(self) -> float | None:
        """Of two agents, how likely it is that the first is stronger: above 97.5 % just where the interval of `elo`, or
        of `lead`, is above 0."""
        if self._ahead is None:
            return 0.5 if len(self.agents) == 2 else None
        ahead, limits, level = self._ahead
        return ahead.superiority(limits, level)

    @cached_property
    def ratings(self) -> list[Estimate] | None:
        """Of more than two agents, ratings with their mean at 0: Elo, or where the match is judged by utility numbers
        of which the difference of any two is the lead to be expected between these agents."""
        if len(self.agents) < 3:
            return None
        if self.judged_by == WINS:
            return ratings(self._compared, len(self.agents))
        return utility_ratings(self._compared, len(self.agents), self._width)

    @property
    def forfeits(self) -> list[dict[str, Any]]:
        """Games lost by a fault: which game, which agent in which seat, and what it did."""
        return [
            {"game": n, "agent": self.agents[r.seats[r.forfeit]], "seat": r.forfeit, "reason": r.reason}
            for n, r in self.games.items()
            if r.forfeit is not None
        ]

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The forfeits, those of one agent for one reason together: how many games, and which was the first."""
        kinds: dict[tuple[str, str], list[int]] = {}
        for f in self.forfeits:
            kinds.setdefault((f["agent"], f["reason"]), []).append(f["game"])
        return [{"agent": a, "reason": r, "games": len(n), "first": n[0]} for (a, r), n in kinds.items()]

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
        verdict = self.test.verdict(self.ratio or 0.0)
        if verdict is None:
            return f"all {self.schedule.total:,} games were played, and the test did not decide ({where})"
        less, more = self.test.hypotheses
        other = less if verdict == more else more
        article = "an" if self.judged_by == WINS else "a"
        return (
            f"the test found {article} {self.test.unit} difference of {verdict:g} likelier than one of {other:g} "
            f"({where})"
        )

    def __str__(self) -> str:
        """A summary: a line for each agent, who is stronger, what went wrong, and why the match ended."""
        rows = [f"{self.game}: {len(self.games):,} games, seed {self.schedule.seed}"]
        for name, one in zip(self.agents, self.standings, strict=True):
            mean = (
                ""
                if one.utility is None
                else f", mean utility {one.utility.value:+.3f} ({one.utility.low:+.3f} to {one.utility.high:+.3f})"
            )
            rows.append(f"  {name}: {one.wins:,} won, {one.draws:,} drawn, {one.losses:,} lost{mean}")
        if self.superiority is not None and self.games:
            rows.append(f"{percentage(self.superiority)} likely that {self.agents[0]} is stronger")
        for what, lost in (("forfeited", self.forfeits), ("failed", self.failed)):
            if lost:
                rows.append(
                    f"{len(lost):,} games {what}, the first of them game {lost[0]['game']}: {lost[0]['reason']}"
                )
        return "\n".join([*rows, *self.secrecy, self.why])

    def resume_command(self) -> str | None:
        """What goes on with an interrupted match, if it was stored: for the command line, or else in Python."""
        return self.command if self.stopped == "interrupted" else None

    def as_dict(self) -> dict[str, Any]:
        """The result without its moves, ready for JSON."""
        apart = self.apart or (False,) * len(self.agents)
        extra: list[dict[str, Any]] = [
            {"name": n, "cheats": c, "apart": a} for n, c, a in zip(self.agents, self.cheats, apart, strict=True)
        ]
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
            "learning": self.schedule.learning,
            "move_time": self.move_time,
            "judged_by": self.judged_by,
            "elo": self.elo and self.elo.as_dict(),
            "lead": self.lead and self.lead.as_dict(),
            "superiority": self.superiority,
            "sprt": test,
            "stopped": self.stopped,
            "why": self.why,
            "forfeits": self.forfeits,
            "faults": self.faults,
            "failed": self.failed,
            "secrecy": list(self.secrecy),
            "workers": self.workers,
            "seconds": self.seconds,
            "games_a_second": self.played / self.seconds if self.seconds > 0 else None,
            "unsaved": self.unsaved,
            "resume": self.resume_command(),
            "repeat": self.repeat,
        }
