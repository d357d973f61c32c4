"""By what a match is judged: by wins where a game is about nothing else, by utility where more or less is at stake."""

from fogspiel import given
from fogspiel.evaluate.standings import points
from fogspiel.game.game import Game
from fogspiel.game.playout import playouts

WINS, UTILITY = "wins", "utility"

GAMES, SEED = 1000, 1944
"""Random games whose payoffs are looked at, and the seed of the first."""


def judged_by(game: Game, asked: str | None = None) -> str:
    """WINS or UTILITY: what was asked for, or else what fits the game, which is the same in every match of it.

    Wins fit where payoffs tell no more than who won: of several players each gets low + (high - low) * points, where
    the best share one point; one player alone gets low or high. `low` and `high` are the ends of the range that the
    game declares, so that rare high stakes are not missed, and the payoffs are those of seeded random games. A game
    that declares no range is taken by the ends of what they show. Where random play does not come to an end nothing is
    known, and utility is always right.
    """
    if asked is not None:
        return given.choice("by", asked, (WINS, UTILITY))
    try:
        seen = {playouts(game, 1, seed=SEED + i).payoff for i in range(GAMES)}
    except Exception:  # a rule that fails is told of by the games of the match
        return UTILITY
    got = [u for payoff in seen for u in payoff]
    low, high = game.about.utility or (min(got), max(got))
    if not low < high:
        return UTILITY
    if game.players == 1:
        return WINS if {(u - low) / (high - low) for u in got} <= {0.0, 1.0} else UTILITY
    told = all(
        abs(low + (high - low) * share - u) <= 1e-9 * (high - low)
        for payoff in seen
        for u, share in zip(payoff, points(payoff), strict=True)
    )
    return WINS if told else UTILITY
