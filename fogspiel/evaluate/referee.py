"""The referee of one game: it alone holds the true state, tells each seat what it may know, and records what happens.

An illegal move, an exception or a move over time loses the game for that seat, with the reason written down; the match
goes on. Rules that fail are no agent's fault, and the game ends with a GameError.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Agent, observe
from fogspiel.agents.apart import ApartAgent
from fogspiel.agents.fault import Fault, described, of_the_game
from fogspiel.agents.registry import Seated
from fogspiel.agents.registry import agent as make_agent
from fogspiel.belief.account import told
from fogspiel.belief.record import Record
from fogspiel.engine.notice import working_time
from fogspiel.errors import SpecError
from fogspiel.evaluate.seeds import Chance, of_seats, telling
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.rules import CHANCE, OVER, PUBLIC
from fogspiel.game.state import State, advance, keys, outcomes


@dataclass(frozen=True)
class GameRecord:
    """One finished game. `utilities` by seat; `moves` are all moves made, chance's too. `seconds` and `decisions` tell
    how long each seat thought and how often. `forfeit` is the seat that lost by a fault, `reason` says what it did."""

    utilities: tuple[float, ...]
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    forfeit: int | None = None
    reason: str | None = None
    deal: int = 0
    seats: tuple[int, ...] = field(default=())

    def as_dict(self) -> dict[str, Any]:
        return vars(self).copy()


@given.call
def play_game(
    game: Source,
    agents: Sequence[Seated],
    *,
    deal: int,
    seed: int,
    move_time: float | None = None,
    watch: Callable[[State], None] | None = None,
    moves: list[int] | None = None,
    dealt: Sequence[int] = (),
) -> GameRecord:
    """Play one game, agents[i] in seat i (what `fs.agent` takes). `deal` seeds chance (two games of one deal have the
    same chance, as far as they go alike), `seed` the agents and their redrawn states. A move that takes more than
    `move_time` seconds forfeits. `watch` is shown the true state after every move; before that, the move is added to
    the list `moves`. `dealt` are chance's first moves, which are then not drawn. An agent from a file plays in this
    process here, one that is a command in its own."""
    game, seated = load(game), [make_agent(one) for one in given.several("agents", agents, "a list of agents")]
    deal, seed = given.seed(deal, "deal"), given.seed(seed)
    move_time = given.maybe(given.seconds, "move_time", move_time, above=True)
    watch, dealt = given.maybe(given.function, "watch", watch), given.several("dealt", dealt, "a list of moves")
    if moves is not None and not isinstance(moves, list):
        raise SpecError(f"moves must be a list, to which moves are added, not {given.shown(moves)}")
    if len(seated) != game.players:
        raise SpecError(f"{game.spec} has {game.players} seats, {len(seated)} given")
    return play_seated(game, seated, deal=deal, seed=seed, move_time=move_time, watch=watch, moves=moves, dealt=dealt)


def play_seated(
    game: Game,
    seated: Sequence[Agent],
    *,
    deal: int,
    seed: int,
    move_time: float | None = None,
    watch: Callable[[State], None] | None = None,
    moves: list[int] | None = None,
    dealt: Sequence[int] = (),
) -> GameRecord:
    """As `play_game`, for loops over many games: of a loaded game, an agent for each seat, and numbers that were looked
    at before."""
    state = game.start()
    chance, seats = Chance(deal, dealt), of_seats(seed, game.players)
    records = [Record(p) for p in range(game.players)]
    history: list[int] = [] if moves is None else moves
    spent, decisions = [0.0] * game.players, [0] * game.players

    def end(forfeit: int | None = None, reason: str | None = None) -> GameRecord:
        utilities = state.payoff() if forfeit is None else forfeited(game, forfeit)
        return GameRecord(tuple(utilities), tuple(history), tuple(spent), tuple(decisions), forfeit, reason, deal)

    for seat, one in enumerate(seated):
        try:
            one.begin(game, seat, seats[seat][0])
        except Fault as fault:
            return end(seat, str(fault))
        except (Exception, SystemExit) as error:
            if of_the_game(error):
                raise
            return end(seat, f"failed to begin: {described(error)}")
    _tell(state, records)
    while (who := state.actor) != OVER:
        if who == CHANCE:
            move = chance.draw(outcomes(state))
            advance(state, move)
        else:
            cheats = getattr(seated[who], "cheats", False)
            observation = observe(state, records[who], seats[who][1], cheats=cheats)
            decisions[who] += 1
            one = getattr(seated[who], "seated", seated[who])
            if isinstance(one, ApartAgent) and one.hears:
                one.hear(told(game, history, who, telling(seed, who, decisions[who])))
            legal, began = observation.moves, working_time()
            try:
                move = seated[who].choose(observation)
            except Fault as fault:
                spent[who] += working_time() - began
                return end(who, str(fault))
            except (Exception, SystemExit) as error:
                if of_the_game(error):
                    raise
                return end(who, f"failed: {described(error)}")
            took = working_time() - began
            spent[who] += took
            if move_time is not None and took > move_time:
                return end(who, f"took {took:.2f} s for a move, {move_time:g} s were allowed")
            if isinstance(move, bool) or not isinstance(move, int | np.integer) or int(move) not in legal:
                return end(who, f"made the illegal move {move!r}")
            move = int(move)
            records[who].own.append(move)
            state.play(move)
        history.append(move)
        _tell(state, records)
        if watch is not None:
            watch(state)
    return end()


def _tell(state: State, records: Sequence[Record]) -> None:
    """Let every seat, from 0 on, take in what it knows now."""
    *own, public = keys(state, (*range(len(records)), PUBLIC))
    for record, key in zip(records, own, strict=True):
        record.saw(key, public)


def forfeited(game: Game, seat: int) -> list[float]:
    """The worst utility for the seat at fault. In a zero-sum game the others share what it loses; else each gets 0, or
    where all that it can get is above or below 0, what is nearest to that."""
    low, high = game.about.utility if game.about.utility is not None else (-1.0, 1.0)
    rest = game.players - 1
    if game.about.zero_sum and rest > 0:
        low = max(low, -high * rest)  # nobody can lose more than the others can get
        others = -low / rest
    else:
        others = min(max(0.0, low), high)
    return [low if p == seat else others for p in range(game.players)]
