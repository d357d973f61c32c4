"""Second histories of a state without history: whether what the rule `markov` says is the same of them really is.

Where a walk (`game/markov.py`) comes to a state whose key it knows, it does not look any further: what follows is what
followed the first history. A sample of these second histories is kept, drawn evenly from all (reservoir sampling,
Vitter 1985). In the end each is looked at as the first was, for a round: the same moves, as likely, paid the same, and
leading to the same keys. Then it goes on at random to the next round, and so to the end, as long as there is budget.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel.engine.kinds import Ints, Kind, Reals, Record, Words
from fogspiel.engine.primitives import mix, pick
from fogspiel.errors import GameError
from fogspiel.game.merged import after
from fogspiel.game.table import (
    CHANCE,
    OVER,
    actor,
    chances,
    copy_state,
    cut,
    infoset,
    markov,
    moves,
    observe,
    payoff,
    play,
    state_at,
    state_in,
)

if TYPE_CHECKING:
    from fogspiel.game.game import Game

KEPT = 1024
"""Second histories that are kept."""
LEAST, SHARE = 10_000, 1 / 100
"""Moves that are made to compare them: so many at least, or this share of those that the walk made."""
LEVELS = 16
"""Moves of a round that are looked at; what comes after them is not."""
STEPS = 4096
"""Moves of the way from a second history on that are written down."""
CLOSE = 1e-9

LUMPED, KNOWN = 1, 2
"""How states are told apart: by `markov` (0), by `lump`, or from KNOWN on by what a player knows of them, too."""
SAME, MOVES, ODDS, PAID, KEYS, SEEN = range(6)
"""What differs, if anything."""

Second = np.dtype(
    [
        ("met", "i8"),
        ("apart", "i8"),
        ("paying", "i8"),
        ("budget", "i8"),
        ("fault", "i8"),
        ("which", "i8"),
        ("node", "i8"),
        ("steps", "i8"),
        ("level", "i8"),
    ],
    align=True,
)
"""How many second histories were met, how states are told apart, and whether payments can be compared. Of the first
that differs: in what, which of those kept it began with, the node that it came to, how many moves it took from there,
and how many of these are in the last round."""

MEMORY: dict[str, Kind] = {
    "second": Record(Second),
    "lots": Words,
    "later": Words,
    "later_node": Ints,
    "later_edge": Ints,
    "line": Words,
    "choices": Ints,
    "likely": Reals,
    "took": Ints,
    "got": Reals,
}
"""Beside the columns of the walk: the second histories kept, as states, with the node that each is one of and the edge
that led to it; and room to follow them."""


def memory(game: "Game", words: int, apart: int, paying: bool) -> dict[str, np.ndarray]:
    second = np.zeros(1, Second)
    second["apart"], second["paying"] = apart, paying
    room = LEVELS * game.max_moves + len(game.buffer())
    return {
        "second": second,
        "lots": np.zeros(1, np.uint64),
        "later": np.zeros(KEPT * words, np.uint64),
        "later_node": np.zeros(KEPT, np.int64),
        "later_edge": np.zeros(KEPT, np.int64),
        "line": np.zeros((LEVELS + 2) * words, np.uint64),
        "choices": np.zeros(room, np.int64),
        "likely": np.zeros(room),
        "took": np.zeros(STEPS + LEVELS, np.int64),
        "got": np.zeros(game.max_moves + 2),
    }


def word_of_state(game, state, apart, then):
    """The word by which a state that is reached is found: one that is over, and not cut off, is a state of its own."""
    final = int(then == OVER and cut(game, state) == 0)
    return mix(key_of(game, state, apart, then == OVER), final)


def key_of(game, state, apart, over):
    key = markov(game, state, apart == LUMPED)
    return mix(key, infoset(game, state, apart - KNOWN)) if apart >= KNOWN and not over else key


def met_again(walk, node, edge):
    """Keep the state that was reached, in `scratch`, of a node that was known, or another in its place; unless it is
    the same, history and all."""
    second, words = walk.second, walk.s.words
    at = second.met
    second.met += 1
    if at >= KEPT:
        at = pick(walk.lots, second.met)
        if at >= KEPT:
            return
    walk.later_node[at], walk.later_edge[at] = -1, edge
    for k in range(words):
        walk.later[at * words + k] = walk.scratch[k]
        if walk.pool[node * words + k] != walk.scratch[k]:
            walk.later_node[at] = node


def compare_seconds(game, walk):
    """Compare the second histories that are kept; returns what differs in the first that does."""
    second, words = walk.second, walk.s.words
    second.budget = max(LEAST, int(SHARE * walk.s.edges))
    state = state_at(game, walk.line, 0)
    for i in range(min(second.met, KEPT)):
        node, steps = walk.later_node[i], 0
        copy_state(game, state, state_in(walk.later, i * words))
        while node >= 0:
            if second.budget <= 0:
                return SAME
            found = compare_round(game, walk, node, state)
            if found != SAME:
                second.fault, second.which, second.node, second.steps = found, i, node, steps
                return found
            node = go_on(game, walk, node, state, steps)
            steps = min(steps + walk.second.level, STEPS)
    return SAME


def compare_round(game, walk, node, state):
    """What differs in a state from that of its node, whose key it has, in the round that begins there."""
    second = walk.second
    second.level = 0
    paid = 0.0
    if second.paying != 0:
        payoff(game, state, walk.got, 0)
        paid = walk.got[0]
    if second.apart == 0:
        for player in range(2):
            if observe(game, state, player) != observe(game, state_in(walk.pool, node * walk.s.words), player):
                return SEEN
    return compare(game, walk, node, 0, 0, paid)


def compare(game, walk, node, level, top, paid):
    """The same from a node within the round on, whose state is at this level of the line; its moves are written from
    `top` on."""
    second, choices, state = walk.second, walk.choices, state_at(game, walk.line, level)
    second.level = level
    first, who = walk.first[node], int(walk.who[node])
    if actor(game, state) != who:
        return MOVES
    n = chances(game, state, choices, top, walk.likely, top) if who == CHANCE else moves(game, state, choices, top)
    if n != walk.first[node + 1] - first:
        return MOVES
    for a in range(n):
        if choices[top + a] != walk.move[first + a]:
            return MOVES
        if who == CHANCE and abs(walk.likely[top + a] - walk.odds[first + a]) > CLOSE:
            return ODDS
    second.budget -= n
    child = state_at(game, walk.line, level + 1)
    for a in range(n):
        walk.took[STEPS + level] = choices[top + a]
        second.level = level + 1
        copy_state(game, child, state)
        play(game, child, choices[top + a])
        found = arrived(game, walk, first + a, level + 1, top + n, paid)
        if found != SAME:
            return found
    return SAME


def arrived(game, walk, edge, level, top, paid):
    """What differs after a move: in the state that it leads to, and, if the round goes on, from there on."""
    second, target, state = walk.second, int(walk.target[edge]), state_at(game, walk.line, level)
    if walk.who[target] != 0 and walk.who[target] != OVER:
        return compare(game, walk, target, level, top, paid) if level < LEVELS else SAME
    then = actor(game, state)
    if (then != 0 and then != OVER) or word_of_state(game, state, second.apart, then) != walk.key[target]:
        return KEYS
    if second.paying != 0:
        payoff(game, state, walk.got, 0)
        gain = walk.got[0] - paid
        if not abs(gain - walk.gain[edge]) <= CLOSE * max(1.0, abs(gain)):
            return PAID
    return SAME


def go_on(game, walk, node, state, steps):
    """Play a round at random from the state of a node; returns the node that it comes to, or -1 where nothing is left
    to compare. The moves are written down from `steps` on."""
    second, words = walk.second, walk.s.words
    second.level = 0
    while True:
        first = walk.first[node]
        n = int(walk.first[node + 1] - first)
        if n == 0:
            return -1
        a = int(pick(walk.lots, n))
        play(game, state, walk.move[first + a])
        walk.took[min(steps + second.level, STEPS - 1)] = walk.move[first + a]
        second.level += 1
        node = int(walk.target[first + a])
        if walk.who[node] == OVER:
            return -1
        if walk.who[node] == 0:
            break
    if actor(game, state) != 0:
        return -1
    for k in range(words):
        if walk.pool[node * words + k] != walk.line[k]:
            return node
    return -1


_DIFFER = {
    MOVES: "the moves there, or who makes them, are not the same",
    ODDS: "what chance does there is not as likely",
    PAID: "what is paid then is not the same",
    KEYS: "what that leads to has not the same key",
    SEEN: "observe tells a player different things there",
}


def not_the_same(game: "Game", walk: Any) -> GameError:
    """The error for the second history that was found to differ, with the first one of the same key."""
    second = walk.second
    which, node, steps, level = (int(number) for number in (second.which, second.node, second.steps, second.level))
    first = _way(walk, node)
    edge = int(walk.later_edge[which])
    later = [*_way(walk, _source(walk, edge)), int(walk.move[edge]), *walk.took[:steps].tolist()]
    more = walk.took[STEPS : STEPS + level].tolist()
    apart = int(second.apart)
    rule = "lump" if apart == LUMPED and "lump" in game.functions else "markov"
    known = f" (with what player {apart - KNOWN} knows)" if apart >= KNOWN else ""
    then = f" {after(game, more, later)} there" if more else ""
    return GameError(
        f"{game.spec}: the rule {rule}{known} gives the same key {after(game, first)} and {after(game, later)}, "
        f"but{then} {_DIFFER[int(second['fault'])]}: it must tell such states apart (fogspiel check looks further)"
    )


def _source(walk: Any, edge: int) -> int:
    """The node that an edge leads on from."""
    nodes = int(walk.s.nodes)
    return int(np.searchsorted(walk.first[: nodes + 1], edge, side="right")) - 1


def _way(walk: Any, node: int) -> list[int]:
    """The moves by which a node was found."""
    edges, moves = int(walk.s.edges), []
    target = walk.target[:edges]
    while node > 0:
        edge = int(np.argmax(target == node))
        moves.append(int(walk.move[edge]))
        node = _source(walk, edge)
    return moves[::-1]
