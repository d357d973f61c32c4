"""A person at the terminal: sees the game as the seat may, and types a move's number or name."""

from collections.abc import Callable

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.belief.account import Account, told
from fogspiel.belief.rejection import draw_moves
from fogspiel.game.game import Game

WIDTH = 80
"""Columns within which the list of moves is broken into lines."""


class HumanAgent:
    """A person. `ask` is given a prompt and returns a line, `tell` is given a text."""

    name = "human"
    prompt = "your move> "

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print):
        self.ask, self.tell = ask, tell

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat = game, seat
        self.rng = np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        self.tell("\n" + seen(observation, self.rng))
        return self.answer(observation)

    def answer(self, observation: Observation) -> int:
        """Ask until a move is named."""
        names = list(observation.names)
        self.tell(listed(names))
        while True:
            answer = self.ask(self.prompt).strip()
            picked = pick_one(answer, names)
            if picked is not None:
                return observation.moves[picked]
            if not self.command(answer, observation):
                self.tell(self.expected(names))

    def command(self, answer: str, observation: Observation) -> bool:
        """Do what a word that is no move asks for. Returns whether it asks for anything."""
        return False

    def expected(self, names: list[str]) -> str:
        number = "" if _are_numbers(names) else f"a number from 1 to {len(names)}, or "
        return f"type {number}a move's name"


def seen(observation: Observation, rng: np.ndarray) -> str:
    """What a seat sees, from its observation alone: the board, or the moves it has seen of a game that draws none."""
    game, seat = observation.state.game, observation.seat
    if game.drawn:
        return observation.state.show(seat)
    return so_far(told(game, draw_moves(game, observation.record, rng, actor=seat), seat, rng))


def so_far(account: Account) -> str:
    return f"so far: {account if account.events else 'nothing'}"


def listed(names: list[str]) -> str:
    """The moves with their numbers, in lines of `WIDTH` columns; without, where they are named by numbers
    themselves."""
    items = names if _are_numbers(names) else [f"{i}: {name}" for i, name in enumerate(names, 1)]
    lines = [items[0]]
    for item in items[1:]:
        if len(lines[-1]) + 3 + len(item) > WIDTH:
            lines.append(item)
        else:
            lines[-1] += f"   {item}"
    return "\n".join(lines)


def pick_one(answer: str, names: list[str]) -> int | None:
    """The place of the move that is meant by its name, in large letters or small, or by its number."""
    if answer in names:
        return names.index(answer)
    alike = [i for i, name in enumerate(names) if name.casefold() == answer.casefold()]
    if len(alike) == 1:
        return alike[0]
    numbers = [] if _are_numbers(names) else [str(i) for i in range(1, len(names) + 1)]
    return numbers.index(answer) if answer in numbers else None


def _are_numbers(names: list[str]) -> bool:
    """Whether some name is a number, so that a number typed must mean a name."""
    return any(name.lstrip("-").isdecimal() for name in names)
