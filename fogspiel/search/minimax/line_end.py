"""Where a line of moves ends in a search that looks ahead, and what it is worth there; and why such a search stops
before it is done.

The minimax family (`search/minimax`) and alpha-beta search of simultaneous moves (`stage_search.py`) have this in
common. What judges a state at the horizon is a part: `judge` stands for it.
"""

from fogspiel.game.table import EVALUATE, LIMIT, OVER, evaluate, payoff

LEVELS = 1024
"""Moves, chance's included, that a line may have: the machine's stack must hold it."""

NODES, CLOCK, BLIND, DEEP, ROOM, TOO_MANY, NO_MOVES = range(1, 8)
"""Why a search stopped before its end: its nodes or its time are used up, it stands at the horizon of a game without
`evaluate`, the line is too long, moves need more room, or one of two mistakes in the rules."""


def own_evaluation(agent: str) -> str:
    """What to try with a game that has no rule `evaluate`."""
    return f"{agent}(evaluation=my_evaluation.py)"


def judge(game, search, s):
    """Put what everyone can expect of a state at the horizon into `pay`. Returns whether anything says it: here the
    game's rule `evaluate`."""
    if game[EVALUATE] == 0:
        return False
    evaluate(game, s, search.pay, 0)
    return True


def line_end(game, search, s, who, is_horizon):
    """Whether a line ends where `who` is to move, at the end of the game or at the horizon, and what it is worth to
    player 0."""
    asked, counts, pay = search.asked, search.counts, search.pay
    if who == OVER:
        payoff(game, s, pay, 0)
        return True, pay[0]
    if is_horizon:
        counts.horizon += 1
        if not judge(game, search, s):
            search.stand.stop = BLIND
            return True, 0.0
        return True, min(max(pay[0], asked.low), asked.high)
    return False, 0.0


def are_wrong(game, search, n):
    """Whether there are too many moves, or none; then the search stops."""
    if 1 <= n <= game[LIMIT]:
        return False
    search.stand.stop = TOO_MANY if n > 0 else NO_MOVES
    search.stand.culprit = n
    return True
