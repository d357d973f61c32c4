"""Lazy-weighted averaging (Lanctot 2013, sec. 4.4), in the exact form: what has come to the parent's action since the
last visit, while the strategy here was the one it is now."""

from fogspiel.solvers.mccfr.arena import LINKED, header_of
from fogspiel.solvers.mccfr.averaging.lineage import NEEDS, catching_up, handed_down, last_action
from fogspiel.solvers.mccfr.averaging.weighted import add_strategy
from fogspiel.solvers.mccfr.averaging.whose import everyone
from fogspiel.solvers.mccfr.parts import Part, average, begin_averaging, hand_down


def lazy(run, place, own, picked):
    header, before = header_of(run.table, place.node), last_action(place)
    total = float(run.table.reals[before]) if before >= 0 else float(run.counts.visit)
    weight = total - float(header.seen)
    header.seen, header.parent = total, before
    add_strategy(run, place, weight)


def arrived(header, here, come, done):
    return come - float(header.seen)


LAZY = Part(
    "lazy",
    {average: lazy, hand_down: handed_down, begin_averaging: everyone},
    header=LINKED,
    needs=NEEDS,
    alone=True,
    catch_up=catching_up(arrived),
)
