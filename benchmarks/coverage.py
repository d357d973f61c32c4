"""How often the intervals of matches hold what is true, and how often sequential tests are wrong, by simulation.

    python benchmarks/coverage.py                      # the tables of docs/matches.md; some minutes
    python benchmarks/coverage.py --matches 10000

All agents of a match are equally good, so that what is true is known. Matches are cut from long ones, as their deals
are independent: of 95 % intervals the true numbers should hold 95 %, and of matches of two the superiority of one
should be above 97.5 % in 5 %.
"""

import argparse
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import fogspiel as fs
from fogspiel.evaluate.referee import GameRecord
from fogspiel.evaluate.result import MatchResult
from fogspiel.evaluate.sequential import Sequence, SequentialTest, UtilityTest

GUESS = str(Path(__file__).parent / "guess.py")
MATCHES, CHUNK, SEED = 2000, 6000, 1927


class Side:
    """Names heads with this probability."""

    def __init__(self, name: str, heads: float):
        self.name, self.heads = name, heads

    def begin(self, game: Any, seat: int, seed: int) -> None:
        self.draw = seed / 2**64

    def choose(self, observation: Any) -> int:
        return int(observation.moves[0 if self.draw < self.heads else 1])


SIDES = [Side("heads", 1.0), Side("tails", 0.0)]
FOUR = [*SIDES, Side("even", 0.5), Side("mostly heads", 0.75)]
RANDOM = ["random", "random"]
ANEW = {"duplicate": False}
"""Every game has chance of its own."""


@dataclass(frozen=True)
class Setting:
    """A match of equally good agents."""

    about: str
    game: str
    agents: list[Any]
    games: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def rounds(self) -> Iterator[tuple[MatchResult, list[GameRecord]]]:
        """Deals without end, always the same, with all the games of each, and the long match that they are from."""
        for number in itertools.count():
            long = fs.match(self.game, self.agents, games=CHUNK, seed=SEED + number, **self.options)
            size, records = long.schedule.games_a_deal, list(long.games.values())
            for first in range(0, len(records), size):
                yield long, records[first : first + size]

    def matches(self, count: int) -> Iterator[MatchResult]:
        """So many matches."""
        rounds = self.rounds()
        for _ in range(count):
            long, records = next(rounds)
            short = replace(long.schedule, games=self.games)
            while len(records) < short.total:
                records = [*records, *next(rounds)[1]]
            yield replace(long, schedule=short, games=dict(enumerate(records)))


SETTINGS = [
    Setting("heads against tails", GUESS, SIDES, 40),
    Setting("heads against tails, dealt anew", GUESS, SIDES, 40, ANEW),
    *(Setting("kuhn", "kuhn", RANDOM, games) for games in (6, 20, 60)),
    Setting("kuhn by wins", "kuhn", RANDOM, 40, {"by": "wins"}),
    Setting("rock_paper_scissors", "rock_paper_scissors", RANDOM, 30),
    Setting("tic_tac_toe", "tic_tac_toe", RANDOM, 30),
    Setting("leduc", "leduc", RANDOM, 40),
    Setting("kuhn(players=3)", "kuhn(players=3)", ["random"] * 3, 30),
    *(Setting("four who guess", GUESS, FOUR, games) for games in (6, 40, 60)),
]


@dataclass(frozen=True)
class Coverage:
    """Of matches in one setting: the shares in which the intervals of all agents held what is true, and of those in
    which of two agents one was surely stronger; and how wide the intervals of the first agent's win rate and utility
    were in the mean."""

    win_rate: float
    utility: float
    rating: float | None
    utility_rating: float | None
    sure: float | None
    widths: tuple[float, float]


def coverage(setting: Setting, count: int) -> Coverage:
    held: dict[str, list[bool]] = {name: [] for name in ("win_rate", "utility", "rating", "utility_rating", "sure")}
    widths = [0.0, 0.0]
    for result in setting.matches(count):
        share = 1 / result.schedule.players
        for one in result.standings:
            held["win_rate"].append(one.win_rate.low <= share <= one.win_rate.high)
            held["utility"].append(one.utility.low <= 0 <= one.utility.high)
        first = result.standings[0]
        widths[0] += (first.win_rate.high - first.win_rate.low) / count
        widths[1] += (first.utility.high - first.utility.low) / count
        for name, by in (("rating", "wins"), ("utility_rating", "utility")):
            held[name] += [r.low <= 1e-9 and r.high >= -1e-9 for r in replace(result, judged_by=by).ratings or ()]
        if result.superiority is not None:
            held["sure"].append(not 0.025 <= result.superiority <= 0.975)
    found = {name: sum(told) / len(told) if told else None for name, told in held.items()}
    return Coverage(**found, widths=(widths[0], widths[1]))


TESTS = [
    (SequentialTest(0, 200), Setting("heads against tails", GUESS, SIDES)),
    (SequentialTest(0, 200), Setting("heads against tails, dealt anew", GUESS, SIDES, options=ANEW)),
    (SequentialTest(0, 200), Setting("tic_tac_toe", "tic_tac_toe", RANDOM)),
    (SequentialTest(0, 100), Setting("kuhn by wins", "kuhn", RANDOM, options={"by": "wins"})),
    (UtilityTest(0, 1), Setting("kuhn", "kuhn", RANDOM)),
    (UtilityTest(0, 4), Setting("leduc", "leduc", RANDOM)),
]


def errors(test: SequentialTest | UtilityTest, setting: Setting, count: int) -> tuple[float, float, float]:
    """Between equals, how often the test says that the first is stronger, how often that it is weaker where that is
    what is asked, and after how many games it ends in the mean."""
    less, more = test.hypotheses
    wrong, games, rounds = [0, 0], 0, setting.rounds()
    for _ in range(count):
        long, records = next(rounds)
        tests = [test, type(test)(-more, -less)]
        running = [Sequence(one, long.schedule, long.utility) for one in tests]
        while not all(one.decided(dict(enumerate(records))) for one in running):
            records = [*records, *next(rounds)[1]]
        for i, one in enumerate(running):
            wrong[i] += tests[i].verdict(one.ratio) != 0
            games += one.reached
    return wrong[0] / count, wrong[1] / count, games / (2 * count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"how many of each kind; {MATCHES:,} by default")
    parser.add_argument("--only", default="", help="settings of this name alone")
    asked = parser.parse_args()
    count = asked.matches

    def line(*cells: str | float | None) -> None:
        told = ["" if one is None else f"{100 * one:.1f}" if isinstance(one, float) else one for one in cells]
        print(f"| {' | '.join(told)} |", flush=True)

    known = 196 * math.sqrt(0.95 * 0.05 / count)
    print(f"{count:,} matches of each kind, so that a share of 95 % is known to {known:.1f} points.\n")
    line(
        "match of equals",
        "games",
        "deals",
        "win rate",
        "utility",
        "Elo rating",
        "utility rating",
        "one is sure",
        "widths",
    )
    line("---", *["---:"] * 8)
    for one in SETTINGS:
        if asked.only in ("", one.about):
            found = coverage(one, count)
            deals = one.games if one.options == ANEW else one.games // fs.load(one.game).players
            line(
                one.about,
                f"{one.games}",
                f"{deals}",
                found.win_rate,
                found.utility,
                found.rating,
                found.utility_rating,
                found.sure,
                "{:.3f}, {:.3f}".format(*found.widths),
            )
    print()
    line("test, errors of 5 %", "of equals", "wrongly stronger", "wrongly weaker", "games")
    line("---", "---", *["---:"] * 3)
    for test, one in TESTS:
        if asked.only in ("", one.about):
            stronger, weaker, games = errors(test, one, count)
            less, more = test.hypotheses
            line(f"{test.unit} {less:g} or {more:g}", one.about, stronger, weaker, f"{games:.0f}")


if __name__ == "__main__":
    main()
