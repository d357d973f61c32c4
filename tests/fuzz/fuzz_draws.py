"""What is drawn at random, as values that can be put together: a `Draw` is made of others, and asked for one value at a
time."""

from collections.abc import Callable, Sequence
from functools import wraps
from random import Random
from typing import Any


class Draw:
    """Something that is drawn with the random numbers that it is given."""

    def __init__(self, drawn: Callable[[Random], Any]):
        self.drawn = drawn

    def map(self, change: Callable[[Any], Any]) -> "Draw":
        return Draw(lambda rng: change(self.drawn(rng)))

    def __or__(self, other: "Draw") -> "Draw":
        return either(self, other)


def just(value: Any) -> Draw:
    return Draw(lambda rng: value)


def one_from(values: Sequence) -> Draw:
    return Draw(lambda rng: rng.choice(values))


def whole(low: int, high: int) -> Draw:
    return Draw(lambda rng: rng.randint(low, high))


def either(*draws: Draw) -> Draw:
    return Draw(lambda rng: rng.choice(draws).drawn(rng))


def tuple_of(*draws: Draw) -> Draw:
    return Draw(lambda rng: tuple(draw.drawn(rng) for draw in draws))


def some(draw: Draw, least: int, most: int) -> Draw:
    """A list of so many."""
    return Draw(lambda rng: [draw.drawn(rng) for _ in range(rng.randint(least, most))])


def built(make: Callable, *draws: Draw) -> Draw:
    return tuple_of(*draws).map(lambda given: make(*given))


def composed(make: Callable) -> Callable[..., Draw]:
    """A function that draws by calling its first argument becomes one that returns a Draw."""

    @wraps(make)
    def outer(*given, **named):
        return Draw(lambda rng: make(lambda draw: draw.drawn(rng), *given, **named))

    return outer
