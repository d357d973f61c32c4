"""M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech Technical University in Prague, 2024)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.vesely_2024 import endless, exact, hsvi, patrol, pursuit, search

TITLE = "M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech Technical University in Prague, 2024)"
DOCUMENT = Document(
    TITLE,
    {
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
