"""What the command line shows of matches."""

import math
from collections import Counter

from rich.markup import escape

from fogspiel.app.show import console
from fogspiel.evaluate.judging import WINS
from fogspiel.evaluate.result import MatchResult
from fogspiel.evaluate.standings import Seat, Standing
from fogspiel.evaluate.statistics import Estimate, percentage

REASONS = 5
"""How many kinds of faults, and failures, are told in full."""


def print_match(result: MatchResult) -> None:
    """The result of a match, whole and within 80 columns. Intervals are of 95 %; agents that see everything are
    marked."""
    schedule = result.schedule
    deals = len({record.deal for record in result.games.values()})
    dealt = f"{deals:,} deal{'s' * (deals != 1)}"
    dealing = f"{dealt}, {_seats(result)}" if schedule.duplicate else "each with chance of its own"
    if schedule.players == 1:
        dealing = f"{dealt}, played by all"
    if schedule.learning:
        dealing += "; agents keep what they learn"
    how = f" ({dealing})" if result.games else ""
    console.print(f"[bold]{escape(result.game)}[/bold]: {len(result.games):,} games{how}, seed {schedule.seed}")
    for i, (name, standing) in enumerate(zip(result.agents, result.standings, strict=True), 1):
        pace = "" if standing.seconds_a_move is None else f"   {_seconds(standing.seconds_a_move)} a move"
        console.print(f"#{i} {name}{pace}", markup=False, soft_wrap=True)
    if result.games:
        console.print()
        console.print(_standings(result), markup=False, soft_wrap=True)
        console.print()
        _print_verdict(result)
    faults = [f"{f['games']:,}, the first in game {f['first']}: {f['agent']} {f['reason']}" for f in result.faults]
    _print_reasons("forfeits", len(result.forfeits), faults)
    _print_reasons("failed", len(result.failed), [f"game {f['game']}: {f['reason']}" for f in result.failed])
    if result.seconds > 0 and result.played:
        pace = f"{result.played / result.seconds:,.1f} games/s"
        workers = f", {result.workers} workers" if result.workers > 1 else ""
        _line("time", f"{result.played:,} games in {result.seconds:.1f} s, {pace}{workers}")
    for sentence in result.secrecy:
        _line("secrecy", sentence)
    _line("ended", result.why)
    if result.unsaved:
        _line("not stored", result.unsaved)
    if command := result.resume_command():
        _line("to go on", command)
    _line("to repeat it", result.repeat)


def always_at_fault(result: MatchResult) -> list[str]:
    """The agents that lost every game they played by a fault."""
    games = result.games.values()
    played = Counter(agent for record in games for agent in {*record.seats})
    lost = Counter(record.seats[record.forfeit] for record in games if record.forfeit is not None)
    return [result.agents[agent] for agent, count in sorted(lost.items()) if count == played[agent]]


def _seats(result: MatchResult) -> str:
    """Whether deals were played once for each order of the seats, which the last may not have been when the match
    ended."""
    played = Counter(record.deal for record in result.games.values())
    whole = sum(count == result.schedule.games_a_deal for count in played.values())
    return "each in every seat" if whole == len(played) else f"{whole:,} of them in every seat"


def _standings(result: MatchResult) -> str:
    """A row an agent, and under it one for each of its seats. Never narrower than its numbers."""
    rows = [["", "seat", "games", "score", "+", "=", "-", "win rate", "mean utility"]]
    for i, one in enumerate(result.standings, 1):
        rate = (
            "-"
            if one.win_rate is None
            else "{:.1f}% ({:.1f}, {:.1f})".format(*(100 * x for x in vars(one.win_rate).values()))
        )
        rows.append([f"#{i}", "all", *_counts(one), rate, _estimate(one.utility, "+.3f")])
        for seat, here in enumerate(one.seats if len(one.seats) > 1 else ()):
            rate = f"{100 * here.points / here.games:.1f}%" if here.games else "-"
            rows.append(["", str(seat), *_counts(here), rate, "-" if here.utility is None else f"{here.utility:+.3f}"])
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    align = [str.ljust] + [str.rjust] * 6 + [str.ljust] * 2
    return "\n".join(
        "  ".join(a(cell, w) for a, cell, w in zip(align, row, wide, strict=True)).rstrip() for row in rows
    )


def _counts(one: Standing | Seat) -> list[str]:
    return [f"{one.games:,}", f"{one.points:,.1f}", f"{one.wins:,}", f"{one.draws:,}", f"{one.losses:,}"]


def _print_verdict(result: MatchResult) -> None:
    if result.judged_by != WINS:
        _line("judged by", "utility, a deal at a time; wins are only counted")
    if result.elo is not None:
        _line("Elo difference", f"{_estimate(result.elo, '+.1f')}   (#1 above #2)")
    if result.lead is not None:
        _line("utility lead", f"{_estimate(result.lead, '+.3f')}   (#1 above #2, a game)")
    if result.superiority is not None and (result.elo is not None or result.lead is not None):
        _line("superiority", f"{percentage(result.superiority)} likely that #1 is stronger")
    what, form = ("Elo rating", "+.0f") if result.judged_by == WINS else ("utility rating", "+.3f")
    for i, rating in sorted(enumerate(result.ratings or (), 1), key=lambda row: -row[1].value):
        _line(what, f"#{i} {_estimate(rating, form)}")


def _line(what: str, text: str) -> None:
    console.print(f"{what:<16}{text}", markup=False, soft_wrap=True)


def _print_reasons(what: str, games: int, lines: list[str]) -> None:
    if not games:
        return
    console.print(f"{what:<16}{games:,}", style="bold red")
    for line in lines[:REASONS]:
        _line("", line)
    if len(lines) > REASONS:
        _line("", f"and {len(lines) - REASONS:,} more")


def _estimate(estimate: Estimate | None, form: str) -> str:
    if estimate is None:
        return "-"
    value, low, high = (
        f"{x:{form}}" if math.isfinite(x) else f"{x:+}" for x in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low}, {high})"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.0f} µs"
