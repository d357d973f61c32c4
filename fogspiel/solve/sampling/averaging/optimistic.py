"""Optimistic averaging (Lanctot 2013, sec. 4.4): the present reach is taken to have held since the last visit."""

from fogspiel.engine.kinds import Int, Reals
from fogspiel.solve.arena import LINKED, TABLE, actions, header_of, width, widths
from fogspiel.solve.sampling.averaging.lineage import NEEDS, handed_down, last_action, remaining
from fogspiel.solve.sampling.averaging.weighted import add_strategy
from fogspiel.solve.sampling.averaging.whose import is_averaged
from fogspiel.solve.sampling.parts import Part, average, hand_down


def optimistic(run, place, own, picked):
    if not is_averaged(run, place.who):
        return
    header = header_of(run.table, place.node)
    now = (run.counts.done + 1) & 0x7FFFFFFF
    weight = own * place.q * (now - header.stamp)
    header.stamp = now
    header.parent = last_action(place)
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
        weight = here * (done - int(header.stamp))
        remaining(table, node, weight, here, out, reach, weights)
        node += width(table.pool, actions(table, node))


OPTIMISTIC = Part(
    "optimistic", {average: optimistic, hand_down: handed_down},
    header=LINKED, needs=NEEDS, alone=True, catch_up=catch_up,
)  # fmt: skip
