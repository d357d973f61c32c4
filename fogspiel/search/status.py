"""The status of a search that could not go on, which its loop returns: what is wrong, as a number, and in words.

0: nothing. STOPPED (`game/table.py`): random play did not end the game. Those below are of parts, which put them in
search.walk.status and tell by `complaint(game, status)` what they mean. What goes wrong in the rules of the game is no
status: `Game.finish` raises it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fogspiel.errors import FogspielError, PartError
from fogspiel.game.game import Game
from fogspiel.search.plain import do

if TYPE_CHECKING:
    from fogspiel.engine.part import Part

OUTSIDE = 1 << 40
"""A part chose a position outside what there is."""
LISTED = OUTSIDE + 1
"""A part listed no moves for a playout, or more than have room."""
HIDDEN = OUTSIDE + 2
"""A node that has to be one state stands for two."""
OWN = 1 << 41
"""The first of those that a person's own parts may have."""


def complaint(status: int, game: Game, chosen: "Iterable[Part]") -> FogspielError:
    """What is wrong with a search of these parts that ended with a status other than 0."""
    chosen = [*chosen]
    if status in (OUTSIDE, LISTED):
        files = " or ".join(p.named for p in chosen if p.own) or "a part"
        said = (
            "chose a position outside the moves: it must be from 0 to n - 1"
            if status == OUTSIDE
            else f"listed no moves for a playout, or more than {game.max_moves}"
        )
        return PartError(f"{files} {said}")
    told = [words for p in chosen if (words := do(p, "complaint", game, status)) is not None]
    return told[0] if told else game.unending
