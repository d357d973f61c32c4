"""M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech Technical University in Prague, 2024)."""

from fogspiel.reproduce.item import Document

TITLE = "M. Veselý: Finite-horizon approximation of partially observable stochastic games (bachelor's thesis, Czech Technical University in Prague, 2024)"
DOCUMENT = Document(TITLE)
