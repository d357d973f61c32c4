"""How many leading plays the peasants may have in Dou Di Zhu (Whitehouse 2014, table 5.3): counts of hands, without any
search."""

from typing import Any

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Words
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import Answer, every
from fogspiel.games.dou_di_zhu import DEALT, KINDS, kickers, kind_of, lead
from fogspiel.games.toolkit.ranks import cards_of, redeal
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.judging import row_of

DECK = sum(cards_of(rank, 4 if rank < 13 else 1) for rank in range(KINDS))
PEASANTS = DEALT[1] + DEALT[2]
DEAL, EACH, UNIQUE = "the deal", "a determinization", "unique after {}"
ROOM = 4_000_000
"""Plays of a thousand determinizations: there are about 90 in each, and several hundred in extreme hands."""


@kernel
def leading_plays(cards: Int, times: Int, rng: Words, out: Ints, kept: Ints, found: Ints) -> Int:
    """All complete leading plays, kickers among them, of both peasants in so many deals of their cards, one after
    another in `found`.

    The plays of one are even, those of the other odd. Returns how many there are.
    """
    n = 0
    for _ in range(times):
        both = redeal(cards, 0, DEALT[1], PEASANTS, rng)
        for i in range(2):
            for g in range(lead(both[i], out)):
                group = out[g]
                ways = 1
                kept[0] = 0
                if kind_of(group) > 0:
                    ways = kickers(both[i], group, kept)
                for k in range(ways):
                    found[n] = (kept[k] << 20 | group) * 2 + i
                    n += 1
    return n


def counted(seed: int) -> dict[str, list[Any]]:
    """The measurements of a deal, as the landlord sees it."""
    rng = np.array([seed], np.uint64)
    out, kept, found = (np.zeros(size, np.int64) for size in (1000, 1000, ROOM))
    unseen, _ = redeal(DECK, 0, PEASANTS, sum(DEALT), rng)
    measured = {DEAL: leading_plays(unseen, 1, rng, out, kept, found)}
    done = n = 0
    for determinizations in (40, 200, 250, 1000):
        n += leading_plays(unseen, determinizations - done, rng, out, kept, found[n:])
        done = determinizations
        if done == 200:
            measured[EACH] = n / done
        else:
            measured[UNIQUE.format(done)] = len(np.unique(found[:n]))
    return {"leading plays of": [*measured], "plays": [*measured.values()]}


PRINTED = {DEAL: 87.7, EACH: 87.8, UNIQUE.format(40): 754, UNIQUE.format(250): 1230, UNIQUE.format(1000): 1500}


SAMPLING = 0.85
"""Half of the interval of what is printed of the deals themselves, of which 5000 were counted."""


def as_printed(table: Table) -> Answer:
    counted = [row_of(table, name).inside(0.99 * x, 1.01 * x) for name, x in PRINTED.items() if name != DEAL]
    deal = row_of(table, DEAL)
    return every([*counted, deal.near(PRINTED[DEAL], SAMPLING) if deal.runs else None])


TABLE_5_3 = Item(
    where="table 5.3",
    about="Dou Di Zhu, leading plays of the peasants",
    experiments=Measurements(
        about="plays of both peasants together, averages over deals",
        function=counted,
        by=("leading plays of",),
        measure="plays",
        printed=PRINTED,
        scales={"small": Scale(1500), "paper": Scale(5000)},
        criterion=(
            "counts over determinizations are those printed to within 1%, and that of the deal itself to "
            "within both intervals"
        ),
        passes=as_printed,
    ),
    remarks=(
        "The thesis does not tell in full which plays there are; with those of our game file all counts come "
        "out. The 1500 deals of the small scale are too few to tell 1%."
    ),
)
