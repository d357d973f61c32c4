"""V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move games (NIPS 2013)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.lisy_2013 import means, worst_cases

TITLE = "V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move games (NIPS 2013)"
DOCUMENT = Document(TITLE, {"fig-2": means.FIG_2, "search": worst_cases.SEARCH, "fig-3": worst_cases.FIG_3})
