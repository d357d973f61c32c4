"""Games with simultaneous moves (sec. 4.2)."""

from fogspiel.reproduce.item import Cause, Item, Missing
from fogspiel.reproduce.lisy_2013 import means, worst_cases
from fogspiel.reproduce.lisy_2014 import (
    conclusions,
    depths,
    goofspiel,
    open_pursuit,
    oshi_zumo,
    random_games,
    tron,
    tuning,
)

FIG_4_4 = means.random_games(
    "fig. 4.4",
    "drm",
    means.FLATTENING,
    "The picture is fig. 2 of Lisý et al. 2013, where regret matching is coupled; here it is decoupled, as the text "
    "says, and slower. At the medium scale it fails since curves are not flat where they end, after 1000 "
    "simulations and, with four stages, after 10^4; with five actions they end above where they begin, as most nodes "
    "are uniform at first; and none has come to the floor that gamma sets. Means are behind as printed, by "
    "0.015 with four stages and by 0.001 with two.",
    Cause(
        "budget",
        "where the printed curves end is not told; ours end where the last number on their axis is, before they are "
        "flat. The picture is that of coupled regret matching, which learns faster, and of which after 10^5 "
        "simulations all that is asked of two stages comes out (lisy-2013/fig-2).",
    ),
)
FIG_4_5 = Item(
    where="fig. 4.5",
    about="the hardest games of two stages with two moves each, convergence and the search for them",
    experiments=worst_cases.hard_games("drm", worst_cases.FLOOR, worst_cases.the_floor_is_reached)
    | worst_cases.all_games("drm"),
    remarks=(
        "As in fig. 3 of Lisý et al. 2013, but with decoupled regret matching. At the medium scale it reaches the "
        "floor to within 1% in the game that is worth 1; in the one that is worth 1/2 it is 43% above it after 10^6 "
        "simulations, and with means 24%: one of its stages is matching pennies, where frequencies that are not quite "
        "even cost something, too. This fails by that, and since there means are ahead after 10^4 simulations, by "
        "0.045 in the mean of 30 runs."
    ),
    cause=Cause(
        "rules",
        (
            "the printed games are in a picture alone, and ours are others (lisy-2013/fig-3). The picture is that of "
            "coupled regret matching, where the text has decoupled one, which makes less of a sample, and is farther "
            "from the floor."
        ),
    ),
    apart=f"{worst_cases.OTHERS}; where all games are looked through, {worst_cases.DRAWN}",
)

ITEMS: dict[str, Item | Missing] = {
    "E-01": FIG_4_4,
    "E-02": FIG_4_5,
    "E-03": goofspiel.FIG_4_6,
    "E-04": goofspiel.FIG_4_6_MATCHES,
    "E-05": goofspiel.TABLE_4_1,
    "E-06": oshi_zumo.FIG_4_7,
    "E-07": oshi_zumo.TABLE_4_2,
    "E-08": random_games.RANDOM_GAMES,
    "E-09": open_pursuit.FIG_4_9,
    "E-10": open_pursuit.TABLE_4_4,
    "E-11": tron.TRON,
    "E-12": tuning.TABLE_4_6,
    "E-12b": depths.TABLE_4_7,
    "E-12c": conclusions.SUMMARY,
}
