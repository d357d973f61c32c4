"""V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, 2014)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.lisy_2014 import hidden, pursuit, simultaneous

DOCUMENT = Document(
    "V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, Czech Technical University in Prague, 2014)",
    {**simultaneous.ITEMS, **hidden.ITEMS, **pursuit.ITEMS},
)
