"""An evaluation of one's own, for goofspiel: what is certain by now, and nothing else.

It is written as the game's rule `evaluate` is, over the game's state. Playouts are cut after some moves (`cut`), at
once if it is not given, and everyone gets what is written here.

fogspiel match "goofspiel(cards=6)" "mo-ismcts(evaluation=examples/my_evaluation.py)" mo-ismcts
"""

from fogspiel.games.goofspiel import POINTS


def evaluate(s, out):
    """The lead of player 0 in points; where only winning counts, as a share of all points."""
    lead, all_points = 0, 0
    for card in range(s.cards):
        all_points += card + s.lowest
    for r in range(s.round):
        if s.winner[r] == 0:
            lead += s.prize[r] + s.lowest
        elif s.winner[r] == 1:
            lead -= s.prize[r] + s.lowest
    out[0] = lead if s.payoff == POINTS else lead / max(all_points, 1)
    out[1] = -out[0]
