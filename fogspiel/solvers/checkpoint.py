"""Checkpoints on disk: a solver's own arrays, and what is said of the run beside them, checked before it is believed.

The curve is a table whose columns the header names. In format version 2 it does not: there the fourth column, then
called exploitability, is what is called `nash_conv` now."""

from pathlib import Path
from typing import Any

import numpy as np

from fogspiel.errors import FileError
from fogspiel.game.game import Game
from fogspiel.game.playout import behaviour as behaviour_of
from fogspiel.solvers import archive
from fogspiel.solvers.files import CHECKPOINT, write_archive
from fogspiel.solvers.result import Point
from fogspiel.solvers.solver import LARGEST, MOST
from fogspiel.tree.posg import OneSided

COLUMNS = ("iterations", "seconds", "touched", "nash_conv", "cce_gap", "lower", "upper")
"""Of a curve, in their order: those of a `Point`."""


def save_checkpoint(
    path: Path, game: Game | OneSided, facts: dict[str, Any], snapshot: dict[str, Any], curve: list[Point]
) -> None:
    """Write what `read_checkpoint` reads. `facts`: of the run (`algorithm`, `seconds`, `elapsed`, `seed`)."""
    header = {"game": game.spec, **_told_apart(game), **facts, "columns": list(COLUMNS)}
    arrays = {name: np.asarray(value) for name, value in snapshot.items()}
    write_archive(path, CHECKPOINT, header, arrays | {"curve": curve_rows(curve)})


def read_checkpoint(path: str | Path, game: Game | OneSided, name: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a checkpoint of this algorithm's on this game. Raises FileError for any other."""
    header, arrays = archive.read(path, CHECKPOINT)
    if {"behaviour": header.get("behaviour"), "abstraction": header.get("abstraction", "")} != _told_apart(game):
        raise FileError(f"{path} is a checkpoint of {header.get('game')}, not of {game.spec}")
    if header.get("algorithm") != name:
        raise FileError(f"{path} is a checkpoint of {header.get('algorithm')}, not of {name}")
    if header["version"] > 2 and header.get("columns") != list(COLUMNS):
        raise FileError(f"{path} is damaged: its curve has not the documented columns")
    return header, arrays


def _told_apart(game: Game | OneSided) -> dict[str, str]:
    """What a checkpoint says of its game. Abstractions of one game are told apart by name, since the game behaves alike
    in all of them."""
    if isinstance(game, OneSided):
        return {"behaviour": game.digest, "abstraction": ""}
    return {"behaviour": behaviour_of(game), "abstraction": game.spec if game.abstracted else ""}


def read_seconds(header: dict[str, Any], name: str) -> float:
    """A time in a checkpoint's header. Raises ValueError where it is none: with one that is no number no limit would
    ever be reached."""
    seconds = header.get(name)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LARGEST:
        raise ValueError(f"{name} must be a number of at least 0")
    return float(seconds)


def curve_rows(curve: list[Point]) -> np.ndarray:
    """A curve as an array; what was not measured is not a number there."""
    rows = [[getattr(p, column) for column in COLUMNS] for p in curve]
    return np.array(rows, float).reshape(-1, len(COLUMNS))


def read_curve(rows: np.ndarray | None, iterations: int) -> list[Point]:
    """The curve in a checkpoint after so many iterations; older ones have no bounds. Raises ValueError where it cannot
    be one."""
    if rows is None or rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] not in (5, 7):
        raise ValueError("curve is missing, or not a table of seven columns")
    done, seconds, touched, *found = rows.T
    for counted in (done, touched):
        if not np.all((counted >= 0) & (counted <= MOST) & (counted == np.floor(counted))):
            raise ValueError("curve has counts that are no whole numbers")
    if not np.all(done[:-1] < done[1:]) or (len(done) and done[-1] > iterations):
        raise ValueError("curve does not lead up to the iterations done")
    if not np.all((seconds >= 0) & (seconds <= LARGEST)):
        raise ValueError("curve has times that cannot be")
    if not all(np.all(np.isnan(gap) | (np.abs(gap) <= LARGEST)) for gap in found):
        raise ValueError("curve has numbers that cannot be")
    return [Point(int(a), b, int(c), *(None if np.isnan(d) else d for d in gaps)) for a, b, c, *gaps in rows.tolist()]
