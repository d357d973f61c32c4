"""V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, 2014)."""

from fogspiel.reproduce.item import DRAWN, Document, Item, Missing
from fogspiel.reproduce.lisy_2014 import hidden, pursuit, simultaneous, sizes

NO_RESULTS = {
    "pictures": Missing(
        where="fig. 2.1, fig. 2.2, fig. 2.7, fig. 3.3, fig. 5.2, fig. 5.3",
        about="examples of games and their trees, the phases of a search, a simulator, and maps",
        reason=DRAWN,
    ),
    "pseudo-code": Missing(
        where=(
            "fig. 2.3, fig. 2.4, fig. 2.5, fig. 2.6, fig. 3.1, fig. 3.2, fig. 3.4, fig. 3.5, fig. 3.7, fig. 3.8, "
            "fig. 5.1"
        ),
        about="the algorithms",
        reason="they are what is run, and no results",
    ),
}
SIZES: dict[str, Item | Missing] = {"fig-4.1": sizes.FIG_4_1, "fig-4.2": sizes.FIG_4_2, "fig-4.3": sizes.FIG_4_3}

DOCUMENT = Document(
    (
        "V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, Czech Technical University in "
        "Prague, 2014)"
    ),
    {**NO_RESULTS, **SIZES, **simultaneous.ITEMS, **hidden.ITEMS, **pursuit.ITEMS},
)
