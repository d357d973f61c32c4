"""Optimistic averaging (Lanctot 2013, sec. 4.4): the present reach is taken to have held since the last visit."""

from fogspiel.solvers.mccfr.arena import LINKED, header_of
from fogspiel.solvers.mccfr.averaging.lineage import NEEDS, catching_up, handed_down, last_action
from fogspiel.solvers.mccfr.averaging.weighted import add_strategy
from fogspiel.solvers.mccfr.averaging.whose import is_averaged
from fogspiel.solvers.mccfr.parts import Part, average, hand_down


def optimistic(run, place, own, picked):
    if not is_averaged(run, place.who):
        return
    header = header_of(run.table, place.node)
    now = (run.counts.done + 1) & 0x7FFFFFFF
    weight = own * place.q * (now - header.stamp)
    header.stamp = now
    header.parent = last_action(place)
    add_strategy(run, place, weight)


def reached(header, here, come, done):
    return here * (done - int(header.stamp))


OPTIMISTIC = Part(
    "optimistic",
    {average: optimistic, hand_down: handed_down},
    header=LINKED,
    needs=NEEDS,
    alone=True,
    catch_up=catching_up(reached),
)
