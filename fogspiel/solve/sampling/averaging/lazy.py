"""Lazy-weighted averaging (Lanctot 2013, sec. 4.4), in the exact form: what has come to the parent's action since the last visit, while the
strategy here was the one it is now."""

from fogspiel.engine.kinds import Int, Reals
from fogspiel.solve.arena import LINKED, TABLE, actions, header_of, width, widths
from fogspiel.solve.sampling.averaging.lineage import NEEDS, handed_down, last_action, remaining
from fogspiel.solve.sampling.averaging.weighted import add_strategy
from fogspiel.solve.sampling.averaging.whose import everyone
from fogspiel.solve.sampling.parts import Part, average, begin_averaging, hand_down


def lazy(run, place, own, picked):
    header, before = header_of(run.table, place.node), last_action(place)
    total = float(run.table.reals[before]) if before >= 0 else float(run.counts.visit)
    weight = total - float(header.seen)
    header.seen, header.parent = total, before
    add_strategy(run, place, weight)


@widths
def catch_up(table: TABLE, visits: Int, done: Int, out: Reals, reach: Reals, weights: Reals):
    """Averages as they would be if every information set were visited now. `out` and `reach` have an element for each word of the table;
    nodes come after those of the same player before them."""
    node = 0
    while node < table.pool.used:
        header = header_of(table, node)
        parent = int(header.parent)
        here = reach[parent] if parent >= 0 else 1.0
        weight = (out[parent] if parent >= 0 else float(visits)) - float(header.seen)
        remaining(table, node, weight, here, out, reach, weights)
        node += width(table.pool, actions(table, node))


LAZY = Part(
    "lazy", {average: lazy, hand_down: handed_down, begin_averaging: everyone},
    header=LINKED, needs=NEEDS, alone=True, catch_up=catch_up,
)  # fmt: skip
