"""V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move games (NIPS 2013)."""

from fogspiel.reproduce.item import Document

TITLE = "V. Lisý, V. Kovařík, M. Lanctot, B. Bošanský: Convergence of Monte Carlo tree search in simultaneous move games (NIPS 2013)"
DOCUMENT = Document(TITLE)
