"""Two stages of simultaneous moves on which search by regret matching is slow.

Both players choose one of two moves at the same time, see both, and choose again; the 16 outcomes pay player 0 either 0, 1/2 or 1,
and player 1 the opposite. Of all games of this kind these are among the hardest for the search of Lisý et al. 2013, sec. 5.2: in
`late`, worth 1, the good first move leads to matrices where the good row has still to be found, while the other first move
promises 1/2 at once; `even` is the hardest that is worth 1/2. (The two games printed there are known by their picture only.)
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, mix, pick, real_at

STAGES = {
    "late": [[0, 0, 1, 1], [0, 0, 1, 1], [0.5, 1, 0.5, 1], [0.5, 1, 1, 0.5]],
    "even": [[0, 0, 0.5, 0.5], [0, 1, 1, 0], [0.5, 0.5, 0.5, 0.5], [0, 1, 0, 1]],
}
"""For each pair of first moves (up left, up right, down left, down right), the payoffs of the four pairs of second moves."""
PARAMETERS = (Choice("game", "late", tuple(STAGES), "which of the games"),)
NONE = -1
# choice is player 0's while player 1 has still to choose, otherwise NONE; pairs are the joint moves of the stages played
State = np.dtype([("payoffs", "i8"), ("stage", "i1"), ("choice", "i1"), ("pairs", "i1", 2)], align=True)


def about(game):
    return About(utility=(-1, 1), simultaneous=True, tables={"payoffs": np.array(STAGES[game], float).ravel()})


def start(s):
    s.stage = 0
    s.choice = NONE


def actor(s):
    if s.stage == 2:
        return OVER
    return 0 if s.choice == NONE else 1


def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


def play(s, move):
    if s.choice == NONE:
        s.choice = move
        return
    s.pairs[s.stage] = 2 * s.choice + move
    s.stage += 1
    s.choice = NONE


def payoff(s, out):
    out[0] = real_at(s.payoffs, 4 * s.pairs[0] + s.pairs[1])
    out[1] = -out[0]


def infoset(s, player):
    """All see the stages played; a pending choice is its player's alone."""
    key = mix(0, s.stage)
    for i in range(s.stage):
        key = mix(key, s.pairs[i])
    pending = 0
    if s.choice != NONE:
        pending = 2 + s.choice if player == 0 else 1
    return mix(key, pending)


def resample(s, player, rng):
    if s.choice != NONE and player != 0:
        s.choice = pick(rng, 2)


def move_name(s, move):
    return ("up", "down")[move] if s.choice == NONE else ("left", "right")[move]


def show(s, player):
    played = [f"{('up', 'down')[s.pairs[i] // 2]} {('left', 'right')[s.pairs[i] % 2]}" for i in range(s.stage)]
    pending = (
        "" if s.choice == NONE else f", player 0 has chosen {('up', 'down')[s.choice] if player in (None, 0) else '?'}"
    )
    return f"stage {min(s.stage + 1, 2)} of 2, played {', '.join(played) or 'nothing'}{pending}"
