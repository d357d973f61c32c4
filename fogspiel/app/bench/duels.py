"""CFR+ and NashConv, side by side with other libraries, once it is seen that they do the same work."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from fogspiel.app.bench.measuring import FOGSPIEL, Bench, cpu
from fogspiel.app.bench.tables import seconds_text
from fogspiel.app.peers import PEERS, Contestant, KeptResponses, OpenSpiel, Ours
from fogspiel.game.load import load
from fogspiel.solvers.response.response import form_of, plan_nash_conv
from fogspiel.solvers.run import solve
from fogspiel.tree.sequence import SequenceForm

SIMILAR = 2.0
"""NashConvs after equally many iterations count as similar within this factor. OpenSpiel and noregret agree with
Fogspiel to rounding, except where regrets are tied at zero, as in goofspiel: there rounding decides what is played.
LiteEFG averages the strategies after the updates instead of those before."""
TARGET = 1e-4


@dataclass(frozen=True)
class Duel:
    """A game in Fogspiel's and in OpenSpiel's words, and after how many iterations to see whether the work is equal."""

    name: str
    spec: str
    openspiel: str
    iterations: int
    thorough: bool = False
    """Compare computations of NashConv and the time to an equilibrium, too."""
    note: str = ""


def goofspiel(cards: int) -> str:
    given = f"imp_info=True,num_cards={cards},points_order=descending,returns_type=win_loss,players=2"
    return f"turn_based_simultaneous_game(game=goofspiel({given}))"


DUELS = (
    Duel("Kuhn", "kuhn", "kuhn_poker", 100),
    Duel("Leduc", "poker(see_suits=yes)", "leduc_poker", 20, thorough=True),
    Duel(
        "Leduc (merged)", "poker", "leduc_poker(suit_isomorphism=True)", 20, note="cards of one rank are not told apart"
    ),
    Duel("liar's dice 4", "bluff(faces=4)", "liars_dice(numdice=1,dice_sides=4)", 20),
    Duel("goofspiel 4", "goofspiel(cards=4)", goofspiel(4), 20),
    Duel("goofspiel 5", "goofspiel(cards=5)", goofspiel(5), 10),
    Duel("liar's dice 6", "bluff(faces=6)", "liars_dice(numdice=1,dice_sides=6)", 3, thorough=True),
)
"""From small to large, so that what a peer took for one game tells whether to try it on the next."""


def compare(bench: Bench, duels: tuple[Duel, ...] = DUELS) -> None:
    for duel in duels:
        _compare_on(bench, duel)


def _compare_on(bench: Bench, duel: Duel) -> None:
    """All comparisons on one game."""
    form = form_of(load(duel.spec))
    rivals = _equals(bench, duel, form)
    if duel.thorough:
        _nash_conv(bench, duel, rivals)
    rates = bench.rates(f"CFR+ on {duel.name}", {name: rival.advance for name, rival in rivals.items()})
    ours = rates.pop(FOGSPIEL)
    bench.row("CFR+", duel.name, "iterations/s", ours, rates, infosets=form.tree.infosets, note=duel.note)
    if duel.thorough:
        _equilibrium(bench, duel, form, rates.get("OpenSpiel"))


def _equals(bench: Bench, duel: Duel, form: SequenceForm) -> dict[str, Contestant]:
    """Fogspiel and the peers that do the same work on this game, all after the same number of iterations."""
    tree = form.tree
    rivals: dict[str, Contestant] = {FOGSPIEL: Ours(form)}
    rivals[FOGSPIEL].advance(duel.iterations)
    ours = rivals[FOGSPIEL].nash_conv()
    check: dict[str, Any] = {
        "game": duel.name,
        "iterations": duel.iterations,
        "nash_conv": {FOGSPIEL: ours},
        "infosets": {FOGSPIEL: tree.infosets},
        "agrees": {},
    }
    for name in bench.peers:
        prepare, iterate = bench.costs.get(name, (0.0, 0.0))
        expected = tree.size * (prepare + iterate * (duel.iterations + bench.effort.rounds + 1))
        if expected > bench.effort.limit:
            bench.notes.append(f"{name} is left out on {duel.name}: it would take about {expected:.0f} s")
            continue
        bench.say(f"{duel.iterations} iterations of CFR+ on {duel.name}: {name}")
        try:
            began = time.process_time()
            rival = PEERS[name](duel.openspiel, tree)
            prepare = time.process_time() - began
            iterate = cpu(partial(rival.advance, duel.iterations)) / duel.iterations
            theirs, sets = rival.nash_conv(), rival.infosets
        except Exception as error:
            bench.notes.append(f"{name} cannot do {duel.name}: {type(error).__name__}: {error}")
            continue
        bench.costs[name] = prepare / tree.size, iterate / tree.size
        check["nash_conv"][name], check["infosets"][name] = theirs, sets
        # information sets with a single action may be left out: OpenSpiel plays goofspiel's last cards by itself
        agrees = ours / SIMILAR <= theirs <= ours * SIMILAR and sets in (None, tree.infosets, len(form.first))
        check["agrees"][name] = agrees
        if agrees:
            rivals[name] = rival
        else:
            bench.notes.append(f"{name} does other work on {duel.name}, so it is not compared there")
    bench.checks.append(check)
    return rivals


def _nash_conv(bench: Bench, duel: Duel, rivals: dict[str, Contestant]) -> None:
    """Both best responses to the strategies that all have in common after the same number of iterations.

    OpenSpiel's function builds its trees at every call, so it is also measured with trees that are kept, and against
    Fogspiel with the unrolling included.
    """
    ours, peer, repeats = rivals[FOGSPIEL], rivals.get("OpenSpiel"), 100
    assert isinstance(ours, Ours)
    plan = ours.solver.plan()
    works: dict[str, Callable[[], Any]] = {name: rival.nash_conv for name, rival in rivals.items()}
    works[FOGSPIEL] = lambda: [ours.nash_conv() for _ in range(repeats)]
    works["unrolling included"] = lambda: plan_nash_conv(form_of(load(duel.spec)), plan)
    if isinstance(peer, OpenSpiel):
        works["trees kept"] = KeptResponses(peer).nash_conv
    times = bench.seconds(f"nash_conv on {duel.name}", works)
    took, whole, kept = times.pop(FOGSPIEL) / repeats, times.pop("unrolling included"), times.pop("trees kept", None)
    bench.row("nash_conv", duel.name, "s", took, times)
    if kept is not None:
        bench.row("nash_conv, OpenSpiel's trees kept", duel.name, "s", took, {"OpenSpiel": kept})
        bench.row("nash_conv, unrolling included", duel.name, "s", whole, {"OpenSpiel": times["OpenSpiel"]})


def _equilibrium(bench: Bench, duel: Duel, form: SequenceForm, speed: float | None) -> None:
    """CPU time from the rules to a NashConv of `TARGET`.

    OpenSpiel's is measured where that can be awaited. Otherwise it is the number of iterations that its CFR+ needs,
    counted with Fogspiel's (the same algorithm: see the checks), times what OpenSpiel takes for one.
    """
    what = f"time to nash_conv {TARGET:g}"
    algorithms = ("cfr+", "dcfr", "pcfr+")
    for algorithm in algorithms:
        solve(duel.spec, algorithm, iterations=1)
    works: dict[str, Callable[[], Any]] = {
        algorithm: partial(solve, duel.spec, algorithm, until=f"nash_conv={TARGET}") for algorithm in algorithms
    }
    times = bench.seconds(f"{what} on {duel.name}", works)
    best = min(times, key=times.__getitem__)
    note = f"Fogspiel: {best} ({', '.join(f'{name} {seconds_text(took)}' for name, took in times.items())})"
    peers, extrapolated = {}, []
    if speed is not None:
        needed = solve(form, "cfr+", until=f"nash_conv={TARGET}", points=1000).iterations
        peers["OpenSpiel"] = needed / speed
        if needed / speed < bench.effort.limit:
            bench.say(f"{what} on {duel.name}: OpenSpiel, {needed:,} iterations")
            rival = OpenSpiel(duel.openspiel, form.tree)
            peers["OpenSpiel"] = cpu(partial(rival.advance, needed))
            note += f"; OpenSpiel: cfr+, {needed:,} iterations to {rival.nash_conv():.3g}"
        else:
            extrapolated.append("OpenSpiel")
            note += f"; OpenSpiel: extrapolated, {needed:,} iterations of cfr+"
    bench.row(what, duel.name, "s", times[best], peers, note=note, extrapolated=extrapolated, algorithm=best)
