"""V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move games (NIPS
2013)."""

from fogspiel.reproduce.item import DRAWN, Document, Missing
from fogspiel.reproduce.lisy_2013 import means, worst_cases

TITLE = (
    "V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move "
    "games (NIPS 2013)"
)
FIG_1 = Missing(where="fig. 1", about="a game of two stages", reason=DRAWN)
DOCUMENT = Document(
    TITLE, {"fig-1": FIG_1, "fig-2": means.FIG_2, "search": worst_cases.SEARCH, "fig-3": worst_cases.FIG_3}
)
