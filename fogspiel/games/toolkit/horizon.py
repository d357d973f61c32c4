"""What a game that is cut off is worth where it is cut off, from a rewards file (Veselý 2024, ch. 5).

A rewards file is text, two lines for each state: the state in the short form of its game, then what player 0 gets
there. A state that the file does not list is worth 0. Rules find a state by a number that the game gives it.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from fogspiel.game import real_at, whole_at


def read_rewards(path: str, number_of: Callable[[str], int]) -> dict[str, np.ndarray]:
    """The tables `listed`, how many states are listed and their numbers in order, and `rewards`, what each is worth."""
    found = {}
    if path:
        try:
            lines = [line.strip() for line in Path(path).read_text().splitlines()]
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise ValueError(f"the rewards file {path[:80]} cannot be read ({type(error).__name__})") from None
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) % 2:
            raise ValueError(
                f"the rewards file {path[:80]} must have two lines for each state, but has {len(lines)} lines"
            )
        for state, reward in zip(lines[::2], lines[1::2], strict=True):
            try:
                found[number_of(state)] = float(reward)
            except ValueError:
                raise ValueError(
                    f"the rewards file {path[:80]} has no state and reward in {state!r}, {reward!r}"
                ) from None
    listed = sorted(found)
    worths = np.array([0.0, *(found[number] for number in listed)])
    if not np.isfinite(worths).all():
        raise ValueError(f"the rewards file {path[:80]} must have rewards that are finite numbers")
    return {"listed": np.array([len(listed), *listed]), "rewards": worths}


def worth_of(listed, rewards, number):
    """What the state of that number is worth to player 0, by the addresses of the two tables."""
    low, high = 1, whole_at(listed, 0)
    while low <= high:
        middle = (low + high) // 2
        here = whole_at(listed, middle)
        if here == number:
            return real_at(rewards, middle)
        if here < number:
            low = middle + 1
        else:
            high = middle - 1
    return 0.0
