"""M. Lanctot: Monte Carlo sampling and regret minimization for equilibrium computation and decision-making in large extensive form games (PhD thesis, University of Alberta, 2013)."""

from fogspiel.reproduce.item import Document

TITLE = "M. Lanctot: Monte Carlo sampling and regret minimization for equilibrium computation and decision-making in large extensive form games (PhD thesis, University of Alberta, 2013)"
DOCUMENT = Document(TITLE)
