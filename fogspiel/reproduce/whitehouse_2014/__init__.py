"""D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, University of
York, 2014)."""

from fogspiel.reproduce.item import DRAWN, Document, Item, Missing
from fogspiel.reproduce.whitehouse_2014 import chapter4, chapter5, chapter6, chapter7, chapter8

TITLE = (
    "D. Whitehouse: Monte Carlo tree search for games with hidden information and uncertainty (PhD thesis, "
    "University of York, 2014)"
)
NO_RESULTS: dict[str, Item | Missing] = {
    "publications": Missing(
        where="table 1.1, table 1.2", about="what was published of the work", reason="they are lists of articles"
    ),
    "plays": Missing(
        where="table 4.1",
        about="which cards may be played together in Dou Di Zhu",
        reason="these are the rules; which plays they leave is counted in table 5.3",
    ),
    "pictures": Missing(
        where="fig. 5.6, fig. 5.10, fig. 5.11, fig. 6.1, fig. 8.1, fig. 8.2",
        about="what trees of searches look like, and which of their nodes share what is learned",
        reason=DRAWN,
    ),
}
DOCUMENT = Document(
    TITLE, NO_RESULTS | chapter4.ITEMS | chapter5.ITEMS | chapter6.ITEMS | chapter7.ITEMS | chapter8.ITEMS
)
