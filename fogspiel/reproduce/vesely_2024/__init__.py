"""M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech Technical
University in Prague, 2024)."""

from fogspiel.reproduce.item import DRAWN, Document, Missing
from fogspiel.reproduce.vesely_2024 import endless, exact, hsvi, patrol, pursuit, search

TITLE = (
    "M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech "
    "Technical University in Prague, 2024)"
)
PICTURES = Missing(
    where=(
        "fig. 4.1, fig. 4.2, fig. 4.3, fig. 4.4, fig. 5.1, fig. 5.2, fig. 5.3, fig. 5.4, fig. 5.6, fig. 5.7, fig. "
        "5.8, fig. 5.10, fig. 5.11, fig. 5.12, fig. 5.14, fig. 5.16, fig. 5.17, fig. 6.1, fig. 6.2, fig. A.1, fig. A.2"
    ),
    about="boards, graphs and trees of the games, and how experiments are made",
    reason=DRAWN,
)
FILES = Missing(
    where="fig. 5.5, fig. 5.9, fig. 5.13, fig. 5.15, fig. B.3, fig. B.4",
    about="formats and folders of the files that come with the thesis",
    reason="they are those of another program, and no results",
)
DOCUMENT = Document(
    TITLE,
    {
        "pictures": PICTURES,
        "files": FILES,
        "6.1": pursuit.TABLE_6_1,
        "6.2": pursuit.TABLE_6_2,
        "6.3": pursuit.TABLE_6_3,
        "6.4": pursuit.TABLE_6_4,
        "6.5": search.TABLE_6_5,
        "6.6": search.TABLE_6_6,
        "6.7": patrol.TABLE_6_7,
        "6.8": patrol.TABLE_6_8,
        "6.9": patrol.TABLE_6_9,
        "6.10": patrol.TABLE_6_10,
        "exact": exact.EXACT,
        "hsvi": hsvi.HSVI,
        "bounds": endless.BOUNDS,
    },
)
