"""One file a game, and presets: names for a game with some parameters set."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A name for a game with parameters; others of its parameters can still be given."""

    game: str
    parameters: tuple[tuple[str, str], ...]
    about: str


PRESETS: dict[str, Preset] = {}
