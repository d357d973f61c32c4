"""D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of York, 2014)."""

from fogspiel.reproduce.item import Document
from fogspiel.reproduce.whitehouse_2014 import chapter4, chapter5, chapter6, chapter7, chapter8

TITLE = "D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of York, 2014)"
DOCUMENT = Document(TITLE, chapter4.ITEMS | chapter5.ITEMS | chapter6.ITEMS | chapter7.ITEMS | chapter8.ITEMS)
