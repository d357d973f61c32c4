"""A table at which people play, at one terminal, with each other and with agents.

A person is shown what its seat may know and nothing else: the board comes from a state redrawn from the seat's own
information (the `Observation` every agent gets), and of others' moves it is told what holds in all histories that it
cannot tell from the true one (`belief/account.py`). Only when the game is over is everything shown.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Agent, Observation, describe
from fogspiel.agents.human import HumanAgent, so_far
from fogspiel.agents.suited import suited
from fogspiel.app.hint import Adviser
from fogspiel.belief.account import Event, account, told
from fogspiel.errors import FogspielError, SpecError
from fogspiel.evaluate.bout import warm_up
from fogspiel.evaluate.referee import GameRecord, play_game
from fogspiel.evaluate.seated import seat as seated
from fogspiel.evaluate.seeds import derived, fresh, secret
from fogspiel.game.game import Game
from fogspiel.game.hidden import hides_something
from fogspiel.game.load import load

HELP = """Type a move's number or name, or one of these words (with a / before it where a
move has that name):
  hint   what an agent would do here, knowing what you know
  undo   take back your last move, and all that came after it. The game is
         played again up to there with the same chance: what was dealt stays
         dealt, and chance goes on as it would have, so what you have seen of
         it is no secret any more. Agents start anew and may choose otherwise.
  help   this
  quit   leave the game (as Ctrl-D does)"""
NOBODY = -2
"""Who reads what happened, where it is not one player."""
SEVERAL = 4
"""Events in a row that are told alike, as when a hand is dealt, from which on they are told once."""

YES, SWAP, UNDO, NO = "y", "s", "u", "n"
AGAIN = {"yes": YES, "swap": SWAP, "undo": UNDO, "no": NO, "quit": NO, "q": NO, "": NO}
"""What may be answered in full, or otherwise, when a game is over."""


class Left(BaseException):
    """A person leaves. (The referee takes an Exception for a fault of the player's.)"""


class TakenBack(BaseException):
    """A person takes a move back."""


@dataclass(frozen=True)
class Sitting:
    """The games played to their end at one sitting; `left`: the last was left before its end, `interrupted`: by Ctrl-C.
    All chance came from `seed`."""

    records: tuple[GameRecord, ...]
    left: bool = False
    interrupted: bool = False
    seed: int = 0


def ask_at_terminal(prompt: str) -> str:
    """A line that is typed; one that comes from elsewhere is shown, as if it had been typed."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


def clear_screen() -> None:
    """Leave nothing to be read, not even by scrolling back; where there is no screen, do nothing."""
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        sys.stdout.flush()


def default_seats(game: Game) -> list[str]:
    """A person in the first seat, and in the others a search that suits the game."""
    return ["human", *[suited(game)] * (game.players - 1)]


def sit(
    game: "str | Game",
    seats: Sequence[str] | None = None,
    *,
    seed: int | None = None,
    hint: str | None = None,
    ask: Callable[[str], str] = ask_at_terminal,
    tell: Callable[[str], None] = print,
    clear: Callable[[], None] = clear_screen,
) -> Sitting:
    """Play until the people have had enough. `seats` names who sits where, `human` or any agent; by default
    `default_seats`.

    `hint` names the agent that is asked for hints, by default one that suits the game. `ask` is given a prompt and
    returns a line, or raises EOFError; `tell` is given a text; `clear` empties the screen. All chance of the first game
    comes from `seed` (by default 64 random bits), of the next from the number after it.
    """
    loaded, seed = load(game), fresh() if seed is None else given.seed(seed)
    seats = default_seats(loaded) if seats is None else list(seats)
    if len(seats) != loaded.players:
        raise SpecError(
            f"{loaded.spec} has {loaded.players} seats, {len(seats)} given; name a player for each (human, random, "
            "mo-ismcts) or none"
        )
    adviser = Adviser(loaded, hint)
    records: list[GameRecord] = []
    left = interrupted = False
    try:
        while True:
            table = Table(loaded, seats, (seed + len(records)) % 2**64, adviser, ask, tell, clear)
            records.append(table.play())
            while (answer := _another(table, ask, tell)) == UNDO:
                records[-1] = table.play_on()
            if answer == NO:
                break
            if answer == SWAP:
                seats = seats[-1:] + seats[:-1]
    except (Left, KeyboardInterrupt) as end:
        left, interrupted = True, isinstance(end, KeyboardInterrupt)
        tell("\nThe game was left before its end.")
    return Sitting(tuple(records), left, interrupted, seed)


def _another(table: "Table", ask: Callable[[str], str], tell: Callable[[str], None]) -> str:
    """What the people want when a game is over."""
    if not table.people:
        return NO
    choices = {YES: "yes"}
    if table.game.players > 1:
        choices[SWAP] = "with the seats swapped"
    if table.before is not None:
        choices[UNDO] = "no, take back the last move"
    choices[NO] = "no"
    prompt = f"\nanother game? {', '.join(f'{letter}: {what}' for letter, what in choices.items())}> "
    try:
        while True:
            answer = ask(prompt).strip().lower()
            answer = AGAIN.get(answer, answer)
            if answer in choices:
                return answer
            *most, last = choices
            tell(f"{given.shown(answer)} is no answer to that; type {', '.join(most)} or {last}.")
    except (EOFError, KeyboardInterrupt):
        tell("")
        return NO


class Table:
    """One game. It holds the true history, of which people are told what they may know."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int,
        adviser: Adviser,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        clear: Callable[[], None],
    ):
        self.game, self.seed, self.adviser = game, seed, adviser
        self.tell, self.clear, self._input = tell, clear, ask
        self.agents: list[Agent] = [
            Person(self) if isinstance(one, HumanAgent) else one
            for one in (seated(named, None, None, None, False) for named in seats)
        ]
        self.people = [seat for seat, one in enumerate(self.agents) if isinstance(one, Person)]
        self.hot = len(self.people) > 1 and hides_something(game)
        self.moves: list[int] = []
        self.decided: list[tuple[int, int]] = []
        """Who has decided, and after how many moves."""
        self.heard = dict.fromkeys(self.people, 0)
        """How many events each person has been told of."""
        self.before: int | None = None
        """The person who sits before the screen."""
        self.rng = np.array([derived(secret(seed), "told", 0)], np.uint64)

    def play(self) -> GameRecord:
        """Play to the end, and tell the result. Raises Left, or KeyboardInterrupt, where people leave before."""
        warm_up(self.game, self.agents)
        self._introduce()
        return self._go({})

    def play_on(self) -> GameRecord:
        """Take back the last move of whoever made one last, after the end of the game, and play on from there."""
        return self._go(self._script())

    def _go(self, script: dict[int, list[int]]) -> GameRecord:
        while True:
            self.moves, self.decided = [], []
            sitting = [_Seat(self, one, seat, script.get(seat, [])) for seat, one in enumerate(self.agents)]
            try:
                record = play_game(self.game, sitting, deal=self.seed, seed=self.seed, moves=self.moves)
                break
            except TakenBack:
                script = self._script()
        self._conclude(record)
        return record

    def ask(self, prompt: str) -> str:
        try:
            return self._input(prompt)
        except EOFError:
            raise Left from None

    def _introduce(self) -> None:
        lines = [f"player {seat}: {self._who(seat)}" for seat in range(self.game.players)]
        if self.people:
            lines.append("Type a move's number or name; help tells what else there is.")
        self.tell("\n".join([self.game.spec, *lines]))

    def _script(self) -> dict[int, list[int]]:
        """The decisions before the last one of the person at the screen, by seat; all that came later is forgotten."""
        cut = max(when for seat, when in self.decided if seat == self.before)
        script: dict[int, list[int]] = {}
        for seat, when in self.decided:
            if when < cut:
                script.setdefault(seat, []).append(self.moves[when])
        self.heard = {seat: len(account(self.game, self.moves[:cut], seat).events) for seat in self.people}
        self.tell("Taken back. Chance is the same as before.")
        return script

    def can_take_back(self, seat: int) -> bool:
        return any(who == seat for who, _ in self.decided)

    def show(self, observation: Observation) -> None:
        """Tell a person at its decision what happened since the last, and what it sees now."""
        seat = observation.seat
        if self.hot and self.before != seat:
            if self.before is not None:
                self.clear()
            self.ask(f"player {seat}, press Enter ")
        self.before = seat
        known = told(self.game, self.moves, seat, self.rng)
        news = known.events[self.heard[seat] :]
        self.heard[seat] = len(known.events)
        self.tell("")
        for line, run in groupby(str(event) for event in news if event.mover != seat):
            times = len(list(run))
            for text in [line] * times if times < SEVERAL else [f"{line} ({times} times)"]:
                self.tell(text)
        if self.game.drawn:
            self.tell(observation.state.show(seat))
        elif len(news) < len(known.events) or not news:
            self.tell(so_far(known))

    def _conclude(self, record: GameRecord) -> None:
        """What was not told yet, the final state, and what everyone got. There are no secrets any more."""
        last = {seat: when for seat, when in self.decided if seat in self.people}
        shown = min((last.get(seat, -1) for seat in self.people), default=-1)
        viewer = self.people[0] if len(self.people) == 1 else NOBODY
        state, happened = self.game.start(), []
        for move in self.moves:
            happened.append(str(Event(viewer, state.actor, self.game.move_name(state, move))))
            state.force(move)
        self.tell("")
        if self.game.drawn:
            for line in happened[shown + 1 :]:
                self.tell(line)
            self.tell(f"\n{state.show()}\n")
        else:
            self.tell(f"the whole game: {', '.join(happened) or 'nothing'}\n")
        if record.forfeit is not None:
            self.tell(f"player {record.forfeit} {record.reason}, and so gives the game up")
        for seat, utility in enumerate(record.utilities):
            self.tell(f"player {seat} ({self._who(seat)}): {self._got(utility)}")

    def _who(self, seat: int) -> str:
        return "you" if self.people == [seat] else describe(self.agents[seat])

    def _got(self, utility: float) -> str:
        """A result in words: of a game that is won, lost or drawn, of one played for stakes, or of one that pays
        everyone."""
        if not self.game.about.zero_sum:
            return f"gets {utility:g}"
        if utility == 0:
            return "draws"
        outcome = "wins" if utility > 0 else "loses"
        return outcome if abs(utility) == 1 and self.game.about.utility == (-1, 1) else f"{outcome} {abs(utility):g}"


class _Seat:
    """Who sits in a seat, after so many moves that are given: what was decided before a move was taken back."""

    def __init__(self, table: Table, agent: Agent, seat: int, script: list[int]):
        self.table, self.agent, self.seat, self.script = table, agent, seat, list(script)
        self.seated = agent
        self.name, self.cheats = agent.name, getattr(agent, "cheats", False)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.agent.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        move = self.script.pop(0) if self.script else self.agent.choose(observation)
        self.table.decided.append((self.seat, len(self.table.moves)))
        return move


class Person(HumanAgent):
    """A person at a table, who may also ask for hints, take moves back, and leave."""

    def __init__(self, table: Table):
        super().__init__(table.ask, table.tell)
        self.table = table

    @property
    def prompt(self) -> str:  # type: ignore[override]  # nobody sets it
        return f"player {self.seat}, your move> " if len(self.table.people) > 1 else "your move> "

    def choose(self, observation: Observation) -> int:
        self.table.show(observation)
        return self.answer(observation)

    def command(self, answer: str, observation: Observation) -> bool:
        word = answer.removeprefix("/").lower()
        if word in ("quit", "exit", "q"):
            raise Left
        if word in ("help", "?"):
            self.tell(HELP)
        elif word == "hint":
            self.tell(self._hint(observation))
        elif word == "undo":
            if self.table.can_take_back(self.seat):
                raise TakenBack
            self.tell("There is nothing to take back: this is your first move.")
        else:
            return False
        return True

    def _hint(self, observation: Observation) -> str:
        try:
            return self.table.adviser.advise(observation, derived(secret(self.table.seed), "hint", self.seat))
        except FogspielError as error:
            return f"There is no hint: {error}."
        except Exception as error:
            return f"There is no hint: the agent failed with {type(error).__name__}: {error}."

    def expected(self, names: list[str]) -> str:
        return f"{super().expected(names)}; or hint, undo, help, quit"
