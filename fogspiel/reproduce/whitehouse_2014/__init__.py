"""D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of York, 2014)."""

from fogspiel.reproduce.item import Document

TITLE = "D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of York, 2014)"
DOCUMENT = Document(TITLE)
