"""Where parts take part in a search, in the order of a simulation: select, expand, play out, back up.

The loop (`search/loop.py`) calls the functions below, and parts put their own in for them: a part is a namespace of
functions with names from this list (`engine/part.py`, `search/kinds.py`). What no part is chosen for does what is
written here, mostly nothing, and costs nothing. What only parts of one kind may say is listed beside these: views
(`search/views.py`), growths (`search/growths.py`), chance and widening (`search/chances.py`), proofs
(`search/proofs.py`).

`game` is the game's table (`game/table.py`), `search` all that the search has (`parts.Composition.search`, a `Bundle`),
`s` the state that the simulation has come to. `here` is a node, `slot` the statistics of a move there."""

from fogspiel.engine.part import shared, stubs_of
from fogspiel.game.table import evaluate, moves, pick, play_out, sample

# --- select


@shared
def begin(game, search):
    """A simulation begins."""


@shared
def offered(game, search, s, here, n):
    """The moves search.slot[0:n] can be played at a node; one of them is about to be chosen."""


@shared
def bound(search, here, n):
    """The bounds of the moves search.slot[0:n] are in search.prob, and may be changed: the highest is tried. Untried
    moves have an infinite one."""


def choose(search, here, n):
    """The position in search.slot[0:n] of the move to try; its probability goes to search.prob there."""
    raise NotImplementedError


def explore(search, here, n):
    """The position in search.slot[0:n] of a move from which nothing is learned, in place of the bandit's; -1: none."""
    return -1


@shared
def tried(search, key, slot):
    """A slot was chosen at the node of this key, and is about to be tried."""


@shared
def trace(game, search, s, who, move):
    """A move of a player's or chance's is about to be made, in the tree or in a playout."""


@shared
def told(search, who, move):
    """A move is made in the tree."""


# --- expand


@shared
def open_slot(search, here, slot):
    """A slot is new."""


# --- play out


def playout(game, search, s, most):
    """Play to the end, at most so many moves, and put the utilities in search.pay. Returns as `game.table.play_out`
    does."""
    return play_out(game, s, search.moves, search.odds, search.pay, search.rng, most)


def candidates(game, search, s):
    """The moves that a playout chooses from at s, into search.moves. Returns how many."""
    return moves(game, s, search.moves, 0)


def policy(game, search, s, n):
    """The position in search.moves[0:n], the legal moves, of the one to make in a playout."""
    return pick(search.rng, n)


def happen(game, search, s, n):
    """The position in search.moves of what chance does, drawn by search.odds, in the tree and in playouts."""
    return sample(search.odds, 0, n, search.rng)


def cut(search, longest):
    """After how many moves a playout ends. A search with an enhancement that says so has an evaluation, too."""
    return longest


def evaluation(game, search, s):
    """Put what everyone can expect at s in search.pay, where a playout was cut."""
    evaluate(game, s, search.pay, 0)


@shared
def capture(game, search, s):
    """A simulation is over: search.path[0:search.walk.depth] are its steps in the tree, search.pay what it brought."""


# --- back up


def learn(search, d, reward, utility):
    """What the step search.path[d] brought its player, scaled to [0, 1] and not. The slot's `tries` and `total` have it
    already."""
    raise NotImplementedError


@shared
def learned(game, search, d, reward):
    """The step search.path[d], of a player's or chance's, has learned. search.pay is what its node returns to those
    above it, and may be changed."""


HOOKS = stubs_of(__name__)
"""All of them by name."""
