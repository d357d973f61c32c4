"""Two stages of simultaneous moves on which search by regret matching is slow.

Both players choose one of two moves at the same time, see both, and choose again; the 16 outcomes pay player 0 either
0, 1/2 or 1, and player 1 the opposite. Of all games of this kind (`stacked_matrix`) these are among the hardest for the
search of Lisý et al. 2013, sec. 5.2: in `late`, worth 1, the good first move leads to matrices where the good row has
still to be found, while the other first move promises 1/2 at once; `even` is the hardest that is worth 1/2. (The two
games printed there are known by their picture only.)
"""

from fogspiel.game import Choice
from fogspiel.games.stacked_matrix import (
    State,
    actor,
    infoset,
    move_name,
    moves,
    paying,
    payoff,
    play,
    resample,
    sees,
    show,
    start,
)

__all__ = ["State", "actor", "infoset", "move_name", "moves", "payoff", "play", "resample", "sees", "show", "start"]

STAGES = {
    "late": [0, 0, 1, 1, 0, 0, 1, 1, 0.5, 1, 0.5, 1, 0.5, 1, 1, 0.5],
    "even": [0, 0, 0.5, 0.5, 0, 1, 1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1, 0, 1],
}
"""For each pair of first moves (up left, up right, down left, down right), the payoffs of the four pairs of second
moves."""
PARAMETERS = (Choice("game", "late", tuple(STAGES), "which of the games"),)


def about(game):
    return paying(STAGES[game])
