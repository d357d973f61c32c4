"""How many simulations MO-ISMCTS needs in Leduc poker, against random play."""

from fogspiel.experiment import Matches, Scale, against, every

SIMULATIONS = Matches(
    about="MO-ISMCTS in Leduc poker by its simulations",
    games="leduc",
    agents={"search": "mo-ismcts(simulations={simulations})", "random": "random"},
    grid={"simulations": [10, 100, 1000]},
    seats=against("random"),
    measure="utility",
    scales={"small": Scale(50), "medium": Scale(1000), "paper": Scale(10_000, simulations=[10, 100, 1000, 10_000])},
    criterion="a thousand simulations win more than ten, in both seats",
    passes=lambda t: every(t[1000, "search", seat].above(t[10, "search", seat]) for seat in (0, 1)),
)
