"""V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, 2014)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.lisy_2014 import goofspiel, hidden

DOCUMENT = Document(
    "V. Lisý: Monte Carlo tree search in imperfect-information games (PhD thesis, Czech Technical University in Prague, 2014)",
    {
        "E-03": goofspiel.FIG_4_6,
        "E-05": goofspiel.TABLE_4_1,
        **hidden.ITEMS,
    },
)
