"""What agents gain on average over every deal, exactly, where they are deterministic.

All outcomes of chance are played out, each with its probability, and an agent is asked once at each of its information
sets: so it must choose by what it knows alone, as the exact players with ties=first do. One that sees the true state is
asked at every state.
"""

from collections.abc import Sequence

from fogspiel.agents.agent import Observation
from fogspiel.agents.registry import Seated
from fogspiel.agents.registry import agent as make_agent
from fogspiel.belief.record import Record
from fogspiel.errors import SpecError
from fogspiel.game.load import Source, load
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance


def every_deal(game: Source, agents: Sequence[Seated], *, step: int = 1) -> tuple[float, ...]:
    """The expected utilities of agents[i] in seat i. With `step` n only every n-th deal is played: deals are the states
    after chance's first moves."""
    loaded, seated = load(game), [make_agent(one) for one in agents]
    if len(seated) != loaded.players:
        raise SpecError(f"{loaded.spec} has {loaded.players} seats, {len(seated)} given")
    for seat, one in enumerate(seated):
        one.begin(loaded, seat, 0)
    made: dict[tuple[int, int], int] = {}

    def choice(state: State, record: Record) -> int:
        seat, cheats = record.player, getattr(seated[record.player], "cheats", False)
        key = seat, state.key(seat)
        if cheats or key not in made:
            seen = Observation(seat, state.copy(), record, tuple(state.moves()), state.copy() if cheats else None)
            made[key] = seated[seat].choose(seen)
        return made[key]

    deals = _deals(loaded.start())
    todo = sorted(deals, key=lambda deal: deal[0].key(0))[::step]
    total = sum(weight for _, weight, _ in todo)
    gained = [0.0] * loaded.players
    while todo:
        state, weight, records = todo.pop()
        who = state.actor
        if who == OVER:
            gained = [before + weight / total * u for before, u in zip(gained, state.payoff(), strict=True)]
            continue
        outcomes = state.chance() if who == CHANCE else [(choice(state, records[who]), 1.0)]
        todo += [_after(state, weight * p, records, move) for move, p in outcomes]
    return tuple(gained)


Dealt = tuple[State, float, list[Record]]
"""A state, how likely chance makes it, and what each player has seen."""


def _deals(start: State) -> list[Dealt]:
    records = [Record(p) for p in range(start.game.players)]
    for record in records:
        record.see(start)
    todo, found = [(start, 1.0, records)], []
    while todo:
        state, weight, records = todo.pop()
        if state.actor == CHANCE:
            todo += [_after(state, weight * p, records, move) for move, p in state.chance()]
        else:
            found.append((state, weight, records))
    return found


def _after(state: State, weight: float, records: list[Record], move: int) -> Dealt:
    after, who = state.copy(), state.actor
    advance(after, move)
    seen = [Record(r.player, [*r.keys], [*r.own, move] if r.player == who else [*r.own], [*r.public]) for r in records]
    for record in seen:
        record.see(after)
    return after, weight, seen
