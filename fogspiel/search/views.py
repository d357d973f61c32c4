"""Views: what counts as the same situation in a search, and so is one node.

A view fills `key_of`; where a node is told apart by the way to it, `begin`, `told`, `stage_begins` and `stage_ends`,
with what it keeps in its record `search.seen`; where moves are not told apart, `slots_for` and `meant`; and `see` and
`go`, where a look at a state tells more than who moves. Where `key_of` needs that look, `key_unseen` is the same key
without it, for whoever follows a line of play outside the loop. `label(search, state, searcher, move)`, for people, is
what a node calls a move. BY_INFOSET = True tells that nodes are the information sets of the players to move, each found
by mix(the key by which the player chooses its strategy, the player): then the search is a model of the others, and has
a strategy that can be measured.

Views for which others' moves are not what they are to who makes them are in `search/observers.py`.
"""

import numpy as np

from fogspiel.engine.part import by_name
from fogspiel.game.spec import Whole
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    LONGEST,
    OVER,
    PLAYERS,
    STOPPED,
    actor,
    chances,
    copy_state,
    infoset,
    look,
    mix,
    moves,
    play,
    position,
    situation,
    state_at,
    step,
)
from fogspiel.search.hooks import candidates, happen, policy
from fogspiel.search.nodes import slots_of
from fogspiel.search.status import LISTED


def see(game, search, s):
    """Who moves at s, into search.facts.who; its moves or chance's outcomes, into search.moves and search.odds. Returns
    how many."""
    who = actor(game, s)
    search.facts.who = who
    if who == CHANCE:
        return chances(game, s, search.moves, 0, search.odds, 0)
    return moves(game, s, search.moves, 0) if who >= 0 else 0


def go(game, search, s, move):
    """Make a move, and `see`."""
    play(game, s, move)
    return see(game, search, s)


def stage_begins(game, search, s):
    """A stage begins: what follows until `stage_ends` is not seen before that."""


def stage_ends(game, search, s):
    """Everyone who was asked has chosen, or chance has."""


def key_of(game, search, s, who):
    """The key of the node for the decision of `who`, or of chance, at s."""
    raise NotImplementedError


def slots_for(game, search, s, node, who, n):
    """Put the slots of what can be done at a node in search.slot; returns how many."""
    return slots_of(search, node, n, search.moves)


def meant(search, who, name, n):
    """The move that a slot's name stands for, one of search.moves[0:n]."""
    return name


STUBS = by_name(see, go, stage_begins, stage_ends, key_of, slots_for, meant)


# --- by what players know


class Infoset:
    """A node is what the player to move knows: its information set or, in a game with an abstraction, all those that
    share one strategy.

    IS-MCTS of Lisý 2014, sec. 3.2.3, and of Whitehouse 2014, sec. 7.2 (one node an information set, for every player);
    on games of perfect information, UCT with transpositions; on simultaneous moves, decoupled SM-MCTS. Chance sees what
    all players know."""

    BY_INFOSET = True

    def see(game, search, s):
        """A look at a state tells the key of the player to move, too."""
        return look(game, s, search.moves, 0, search.odds, 0, search.facts)

    def go(game, search, s, move):
        return step(game, s, s, move, search.moves, 0, search.odds, 0, search.facts)

    def key_of(game, search, s, who):
        if who != CHANCE:
            return mix(search.facts.key, who)
        return known_to_all(game, s)

    def key_unseen(game, search, s, who):
        if who != CHANCE:
            return mix(situation(game, s, who), who)
        return known_to_all(game, s)


def known_to_all(game, s):
    key = mix(0, CHANCE)
    for p in range(game[PLAYERS]):
        key = mix(mix(key, infoset(game, s, p)), 0)
    return key


known_key = Infoset.key_unseen


class Trail:
    """A node is all that the player to move has seen since the root, so that nothing is a transposition."""

    def memory(game, room):
        return {"trail": np.zeros(game.players, np.uint64)}

    def begin(game, search):
        for p in range(game[PLAYERS]):
            search.trail[p] = 0

    def key_of(game, search, s, who):
        if who != CHANCE:
            return mix(mix(search.trail[who], infoset(game, s, who)), who)
        key = mix(0, CHANCE)
        for p in range(game[PLAYERS]):
            key = mix(mix(key, infoset(game, s, p)), search.trail[p])
        return key

    def stage_ends(game, search, s):
        for p in range(game[PLAYERS]):
            search.trail[p] = mix(search.trail[p], infoset(game, s, p))


class Postponed:
    """A node is what the player to move knows, up to a depth; from there on, the state itself: EPIMC, perfect
    information Monte Carlo with postponed reasoning (Arjonilla, Saffidine and Cazenave 2024).

    Perfect information Monte Carlo takes everything to be seen after the first move, and so has plans that differ
    between states which the player cannot tell apart: strategy fusion. Here `depth` moves of the players are made by
    who cannot see; the states after them are searched with everything seen, each by itself. With depth=1 it is perfect
    information Monte Carlo in one tree, and with a depth that no game has, search on information sets."""

    PARAMETERS = (
        Whole("depth", 3, 1, 10**6, "moves that are made by what players know, before all is taken to be seen"),
    )
    RECORD = (("made", "i8"), ("open", "i8"), ("position", "u8"))
    """Moves of players since the root; whether all is seen in this stage, and the key of the state that it began in."""

    def memory(game, room):
        """search.began: the state in which the stage began, and zeros after it."""
        return {"began": np.zeros(game.dtype.itemsize + 64, np.int8)}

    def begin(game, search):
        search.seen.made = 0

    def stage_begins(game, search, s):
        search.seen.open = search.seen.made >= search.seen.depth
        if search.seen.open != 0:
            copy_state(game, state_at(game, search.began, 0), s)
            search.seen.position = position(game, state_at(game, search.began, 0))

    def key_of(game, search, s, who):
        return mix(search.seen.position, who) if search.seen.open != 0 else known_key(game, search, s, who)

    def told(search, who, move):
        search.seen.made += who != CHANCE


# --- by what happened


class History:
    """A node is all moves since the root, chance's too, as if everyone saw them (SO-ISMCTS, Whitehouse 2014, sec.
    5.2.3; UCT on a determinization, sec. 5.1)."""

    RECORD = (("history", "u8"), ("moved", "u8"))
    """The moves before the stage, and with those pending in it."""

    def begin(game, search):
        search.seen.moved = 0

    def stage_begins(game, search, s):
        search.seen.history = search.seen.moved

    def key_of(game, search, s, who):
        return mix(search.seen.history, who)

    def told(search, who, move):
        search.seen.moved = mix(search.seen.moved, move)


class OpenLoop(History):
    """As `history`, without chance's outcomes: a node stands for all that may have happened (open loop, Whitehouse
    2014, sec. 3.2)."""

    def told(search, who, move):
        if who != CHANCE:
            search.seen.moved = mix(search.seen.moved, move)


# --- the searcher alone


class Pomdp:
    """A node is a decision of the searcher, by all that it did and saw: PO-UCT, the search of POMCP (Silver and Veness
    2010).

    Whatever else happens is the environment's: others move as playouts do, chance as it may, and where the searcher has
    one move it makes it. So a simulation goes from one choice of the searcher's to the next, as in a partially
    observable Markov decision process."""

    def see(game, search, s):
        """Have the environment move until the searcher has a choice, or the game is over."""
        searcher = search.asked.searcher
        for _ in range(LONGEST):
            who = actor(game, s)
            search.facts.who = who
            if who == OVER:
                return 0
            if who == CHANCE:
                n = chances(game, s, search.moves, 0, search.odds, 0)
            elif who == searcher:
                n = moves(game, s, search.moves, 0)
            else:
                n = candidates(game, search, s)
            if n < 1 or n > game[LIMIT]:
                return stuck(search, LISTED)
            if who == searcher and n > 1:
                return n
            i = 0
            if who == CHANCE:
                i = happen(game, search, s, n)
            elif who != searcher:
                i = policy(game, search, s, n)
            play(game, s, search.moves[i])
        return stuck(search, STOPPED)

    def key_of(game, search, s, who):
        return mix(infoset(game, s, who), who)


def stuck(search, status):
    """A game that cannot be played on: the simulation ends, and the search is told why."""
    search.walk.status = status
    search.facts.who = OVER
    return 0
