"""One decision of an agent, told in full: what it thinks of each move, what that cost, and the tree that it
searched."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Observation, describe, observe
from fogspiel.agents.fault import described
from fogspiel.agents.human import HumanAgent, seen
from fogspiel.agents.registry import Seated
from fogspiel.agents.registry import agent as make_agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.agents.simple import RandomAgent, StrategyAgent
from fogspiel.belief.record import Record
from fogspiel.errors import AgentError, FogspielError, SpecError, Unsuitable
from fogspiel.evaluate.bout import warm_up
from fogspiel.evaluate.seeds import Chance, agent_seed, veil
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State
from fogspiel.search.lookahead import Lookahead
from fogspiel.search.outline import LINES, Node, grow, still, whole
from fogspiel.search.search import Search
from fogspiel.search.statistics import MoveStatistics, Names, Statistics

NAMED = 20
"""Outcomes of chance that an error sentence lists at most."""


@dataclass(frozen=True)
class Thought:
    """What an agent thought at one decision.

    `played` names the moves before it, chance's too; `drawn` are the places in it of those that the seed drew. `knows`
    is what `player`, who decides, can see. `choice` is the move chosen. `moves` tells of every legal move, the most
    visited first, how often it was tried, its mean utility, its share of the mean strategy and, where that is proven,
    what it is certainly worth. `statistics` is the account of the search. Where there is no such thing it is None: an
    agent that does not search tells no more than its choice.
    """

    game: str
    agent: str
    seed: int
    played: tuple[str, ...]
    player: int
    knows: str
    choice: int
    moves: tuple[MoveStatistics, ...]
    statistics: Statistics | Lookahead | None
    trees: int = 1
    """How many trees the search grew: that of the last determinization, or the first of several threads, is the one
    told."""
    drawn: tuple[int, ...] = ()
    believes: dict[str, dict[str, float]] = field(default_factory=dict)
    """What the player took the hidden things to be that the game names (`Game.features`): how likely each value is."""
    _search: Search | None = field(default=None, repr=False, compare=False)
    _roots: tuple[State, ...] = field(default=(), repr=False, compare=False)

    @property
    def chosen(self) -> str:
        """The name of the move chosen."""
        return next(m.name for m in self.moves if m.move == self.choice)

    @cached_property
    def tree(self) -> Node | None:
        """The whole tree below the decision: its root, from which edges lead on (`tree.walk()` gives every node once).
        None for an agent that keeps none. It is gathered when first asked for, which may take longer than the search
        did."""
        return None if self._search is None else whole(self._search, list(self._roots), self.player, seed=self.seed)

    @cached_property
    def excerpt(self) -> Node | None:
        """The most visited part of the tree, as pictures show it: six decisions deep, four moves a node, about twenty
        leaves."""
        return None if self._search is None else grow(self._search, list(self._roots), self.player, seed=self.seed)

    def __getstate__(self) -> dict[str, Any]:
        """A thought is pickled and copied with its tree, and without the search that it came from."""
        gathered = {"tree": self.tree, "excerpt": self.excerpt, "_search": None, "_roots": ()}
        return vars(self) | gathered

    def as_dict(self) -> dict[str, Any]:
        """What was thought, with the most visited part of the tree, ready for JSON."""
        return {
            "game": self.game,
            "agent": self.agent,
            "seed": self.seed,
            "played": list(self.played),
            "drawn": list(self.drawn),
            "player": self.player,
            "knows": self.knows,
            "choice": self.chosen,
            "moves": [m.as_dict() for m in self.moves],
            "believes": self.believes,
            "statistics": None if self.statistics is None else self.statistics.as_dict(),
            "tree": None if self.excerpt is None else self.excerpt.as_dict(),
        }

    def __str__(self) -> str:
        rows = [f"{self.game}, {self.agent}: player {self.player} chooses {self.chosen}"]
        if self.played:
            rows.append(f"after {history(self.played, self.drawn)}")
        for m in self.moves:
            told = [f"{m.visits:,} visits"] if m.visits else []
            told += [] if m.value is None else [f"value {m.value:+.4f}"]
            told += [] if m.strategy is None else [f"strategy {m.strategy:.4f}"]
            told += [] if m.proven is None else [f"proven {m.proven:+.4f}"]
            rows.append(f"  {m.name}: {', '.join(told)}" if told else f"  {m.name}")
        return "\n".join(rows)


@given.call
def think(game: Source, agent: Seated, moves: "str | Sequence[str | int]" = (), *, seed: int = 0) -> Thought:
    """Let an agent decide once, after the moves given, and tell what it thought.

    A move is given by its name or number; a text holds several, with commas. Chance takes one that names an outcome of
    it, and is drawn by the seed otherwise.
    """
    loaded, thinker = load(game), make_agent(agent)
    if isinstance(thinker, RandomAgent | HumanAgent | StrategyAgent):
        raise Unsuitable(
            f"{thinker.name} does not search, so there is nothing to tell of what it thinks; try mo-ismcts"
        )
    seed = given.seed(seed)
    words = moves.split(",") if isinstance(moves, str) else given.several("moves", moves, "text or a list of moves")
    words = [given.as_text(word) or "" for word in words]
    state, record, played, drawn = reach(loaded, [word.strip() for word in words if word.strip()], seed)
    shown = veil(seed, record.player)
    observation = observe(state, record, shown, cheats=getattr(thinker, "cheats", False))
    if len(observation.moves) == 1:
        only = loaded.move_name(state, observation.moves[0])
        raise Unsuitable(f"player {record.player} has a single move here, {only}, so there is nothing to think about")
    warm_up(loaded, [thinker])
    try:
        thinker.begin(loaded, record.player, agent_seed(seed, record.player))
        choice = thinker.choose(observation)
    except FogspielError:
        raise
    except Exception as error:
        raise AgentError(f"{describe(thinker)} failed: {described(error)}") from error
    if given.as_whole(choice) not in observation.moves:
        raise AgentError(f"{describe(thinker)} made the illegal move {given.shown(choice)}")
    names = Names(observation.state)
    found = getattr(thinker, "found", None) or tuple(
        MoveStatistics(move, 0, None, None, names=names) for move in observation.moves
    )
    search, trees = None, 1
    roots: tuple[State, ...] = ()
    tell = getattr(thinker, "believes", None)
    believes: dict[str, dict[str, float]] = tell() if callable(tell) else {}
    if isinstance(thinker, SearchAgent):
        search, roots = still(thinker.search), _roots(thinker, observation, state, record, shown)
        trees = len(thinker.searches) if thinker.world is None else thinker.parameters["determinizations"]
    return Thought(
        loaded.spec,
        describe(thinker),
        seed,
        tuple(played),
        record.player,
        seen(observation, shown),
        int(choice),
        tuple(sorted(found, key=lambda m: (-m.visits, m.move))),
        getattr(thinker, "statistics", None),
        trees,
        tuple(drawn),
        believes,
        search,
        roots,
    )


def history(played: Sequence[str], drawn: Sequence[int]) -> str:
    """The moves before a decision in words; those that nobody asked for are marked."""
    return ", ".join(f"{name}{' (drawn)' * (i in drawn)}" for i, name in enumerate(played))


def reach(game: Game, words: list[str], seed: int) -> tuple[State, Record, list[str], list[int]]:
    """The decision after so many moves, its player's record, the names of all moves on the way, and the places of those
    that were drawn.

    A word is a move's name or number. Chance takes a word that names one of its outcomes, and is drawn by the seed
    otherwise.
    """
    state, left = game.start(), list(words)
    played: list[str] = []
    drawn: list[int] = []
    outcomes: list[str] = []  # of chance, since a word was last taken: what the next word might have been
    records = [Record(p) for p in range(game.players)]
    chance = Chance(seed)
    while True:
        for record in records:
            record.see(state)
        who = state.actor
        if state.over:
            raise SpecError(f"the game is over after {', '.join(played)}, so there is nothing to decide")
        names = {name: move for move, name in game.move_names(state).items()}
        if who == CHANCE:
            move = names.get(left[0]) if left else None
            if move is None:
                move = chance.draw(state.chance())
                drawn.append(len(played))
                outcomes += names
            else:
                left.pop(0)
                outcomes = []
        elif not left:
            return state, records[who], played, drawn
        else:
            word = left.pop(0)
            numbers = {str(move): move for move in names.values()}
            if (move := names.get(word, numbers.get(word))) is None:
                raise SpecError(_unknown(word, outcomes, who, list(names)))
            records[who].own.append(move)
            outcomes = []
        played.append(game.move_name(state, move))
        state.force(move)


def _unknown(word: str, outcomes: list[str], who: int, moves: list[str]) -> str:
    """What is said of a word that is no move of the player's, nor was an outcome of chance just before, where chance
    had a turn."""
    begun = [name for name in dict.fromkeys([*outcomes, *moves]) if name.startswith(f"{word} ")]
    if len(begun) > 1:
        some = ", ".join(begun[:NAMED]) + ", ..." * (len(begun) > NAMED)
        return f"{given.shown(word)} may be any of {some}; write the whole name of the one that is meant"
    if not outcomes:
        return f"{given.shown(word)} is not a move of player {who} here; the moves are {', '.join(moves)}"
    some = ", ".join(outcomes[:NAMED]) + ", ..." * (len(outcomes) > NAMED)
    return (
        f"{given.shown(word)} is neither an outcome of chance here ({some}) nor a move of player {who} "
        f"({', '.join(moves)})"
    )


def _roots(
    agent: SearchAgent, observation: Observation, state: State, record: Record, shown: np.ndarray
) -> tuple[State, ...]:
    """States that the tree in the agent's memory began with, or might have."""
    if agent.world is not None:
        return (agent.world,)
    drawn = (observation.state, *(observe(state, record, shown).state for _ in range(LINES - 1)))
    belief = agent.parameters.get("belief")
    pending = belief is not None and belief.settings.get("pending") == "random"
    return tuple(agent.as_searched(one if pending else one.stage) for one in drawn)
