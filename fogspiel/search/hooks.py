"""Where parts take part in a search.

The loop (`search/loop.py`) calls the functions below, and parts put their own in for them: a part is a file whose
functions have names from this list (`engine/part.py`, `search/kinds.py`). What no part is chosen for does what is
written here, mostly nothing, and costs nothing.

`game` is the game's table (`game/table.py`), `search` all that the search has (`parts.Composition.search`, a `Bundle`),
`s` the state that the simulation has come to. `here` is a node, `slot` the statistics of a move there.
"""

import math

from fogspiel.engine import part
from fogspiel.engine.closure import Function
from fogspiel.game.table import CHANCE, actor, chances, evaluate, moves, pick, play, play_out, sample

HOOKS: dict[str, Function] = {}
"""All hooks by name."""


def hook(function: Function) -> Function:
    HOOKS[function.__name__] = function
    return function


def shared(function: Function) -> Function:
    """One that several parts may fill: each is then called, in the order of the parts."""
    return hook(part.shared(function))


# --- view: what counts as the same situation
# --------------------------------------------------------------------------------------


@hook
def begin_view(game, search, s):
    """A simulation begins."""


@hook
def see(game, search, s):
    """Who moves at s, into search.facts.who; its moves or chance's outcomes, into search.moves and search.odds. Returns
    how many."""
    who = actor(game, s)
    search.facts.who = who
    if who == CHANCE:
        return chances(game, s, search.moves, 0, search.odds, 0)
    return moves(game, s, search.moves, 0) if who >= 0 else 0


@hook
def go(game, search, s, move):
    """Make a move, and `see`."""
    play(game, s, move)
    return see(game, search, s)


@hook
def stage_begins(game, search, s):
    """A stage begins: what follows until `stage_ends` is not seen before that."""


@hook
def stage_ends(game, search, s):
    """Everyone who was asked has chosen, or chance has."""


@hook
def key_of(game, search, s, who):
    """The key of the node for the decision of `who`, or of chance, at s."""
    raise NotImplementedError


@shared
def told(search, who, move):
    """A move is made in the tree."""


@hook
def meant(search, who, name, n):
    """The move that a slot's name stands for, one of search.moves[0:n]."""
    return name


# --- bandit: how a node chooses, and what it learns
# --------------------------------------------------------------------------------------


@hook
def choose(search, here, n):
    """The position in search.slot[0:n] of the move to try; its probability goes to search.prob there."""
    raise NotImplementedError


@hook
def learn(search, d, reward, utility):
    """What the step search.path[d] brought its player, scaled to [0, 1] and not. The slot's `tries` and `total` have it
    already."""
    raise NotImplementedError


@shared
def offered(game, search, s, here, n):
    """The moves search.slot[0:n] can be played at a node; one of them is about to be chosen."""


@shared
def bound(search, here, n):
    """The bounds of the moves search.slot[0:n] are in search.prob, and may be changed: the highest is tried. Untried
    moves have an infinite one."""


@hook
def highest_bound(search, n):
    """The position of the highest of the bounds in search.prob[0:n]; of equal ones any, each as likely."""
    bounds = search.prob
    most, second = -math.inf, -math.inf
    best = 0
    for i in range(n):
        best = i if bounds[i] > most else best
        second = max(second, min(most, bounds[i]))
        most = max(most, bounds[i])
    if second < most:
        return best
    equal = 0
    for i in range(n):
        equal += bounds[i] == most
    skip = pick(search.rng, equal)
    for i in range(best, n):
        if bounds[i] == most:
            if skip == 0:
                return i
            skip -= 1
    return best


@hook
def worth_unplayed(search, v):
    """What a pair of moves never played is worth to player 0 in coupled regret matching, where v is what happened."""
    return v


@hook
def expands(search, here, n, pending):
    """The position of the move with which a stage is expanded, before any is chosen; -1: none. `pending`: others have
    moved in this stage."""
    return -1


@hook
def explores(search, here):
    """Whether to try a move from which nothing is learned."""
    return False


@hook
def astray(search, n):
    """The position in search.slot[0:n] of a move from which nothing is learned."""
    return pick(search.rng, n)


@hook
def width(search, visits, n):
    """How many of n moves a node with so many visits has."""
    return n


@shared
def open_node(game, search, s, here):
    """A node is new."""


@shared
def open_slot(search, here, slot):
    """A slot is new."""


# --- growth: when selection leaves the tree
# --------------------------------------------------------------------------------------


@hook
def leaves_at(search, created, pending):
    """Whether to leave the tree at a node, before a move is chosen there."""
    return False


@hook
def leaves_after(search, created, untried):
    """Whether to leave the tree after the stage of a node at which a move was chosen."""
    raise NotImplementedError


@hook
def adds(search, created):
    """Whether a move is chosen at what the simulation adds to the tree: that is then the node, and not what the move
    leads to."""
    return False


@hook
def finishes_stage(search):
    """Whether the tree makes the rest of a stage's moves before it is left."""
    return True


# --- chance
# --------------------------------------------------------------------------------------


@hook
def outcome(game, search, s, n):
    """The position in search.moves of what chance does in the tree; a node of chance's is a step of the path."""
    raise NotImplementedError


@hook
def happen(game, search, s, n):
    """The position in search.moves of what chance does, drawn by search.odds, in the tree and in playouts."""
    return sample(search.odds, 0, n, search.rng)


@shared
def happened(game, search, s, outcome):
    """What chance did."""


# --- playout, evaluation, capture
# --------------------------------------------------------------------------------------


@hook
def playout(game, search, s, most):
    """Play to the end, at most so many moves, and put the utilities in search.pay. Returns as `game.table.play_out`
    does."""
    return play_out(game, s, search.moves, search.odds, search.pay, search.rng, most)


@hook
def policy(game, search, s, n):
    """The position in search.moves[0:n], the legal moves, of the one to make in a playout."""
    return pick(search.rng, n)


@hook
def candidates(game, search, s):
    """The moves that a playout chooses from at s, into search.moves. Returns how many."""
    return moves(game, s, search.moves, 0)


@hook
def cut(search, longest):
    """After how many moves a playout ends. A search with an enhancement that says so has an evaluation, too."""
    return longest


@hook
def evaluation(game, search, s):
    """Put what everyone can expect at s in search.pay, where a playout was cut."""
    evaluate(game, s, search.pay, 0)


@shared
def trace(game, search, s, who, move):
    """A move is about to be made, in the tree or in a playout."""


@shared
def capture(game, search, s):
    """A simulation is over: search.path[0:search.walk.depth] are its steps in the tree, search.pay what it brought."""


# --- back up
# --------------------------------------------------------------------------------------


@shared
def begin(game, search):
    """A simulation begins."""


@shared
def tried(search, key, slot):
    """A slot was chosen at the node of this key, and is about to be tried."""


@shared
def learned(game, search, d, reward):
    """The step search.path[d] has learned."""


@hook
def pass_on(search, d, utility):
    """What a node returns to those above it: search.pay, which may be changed here."""


# --- proofs
# --------------------------------------------------------------------------------------


@hook
def certain(game, search, s, here):
    """Whether what a node is worth is certain; it is then in search.pay."""
    return False


@hook
def undecided(search, who, n):
    """Leave out of search.slot[0:n] what needs no more search; returns how many stay."""
    return n


@hook
def settles(search):
    """Whether the end of a game in the tree makes a value certain."""
    return False
