"""The loop of Monte Carlo tree search, for every game and every variant (ICARUS-MCTS, Whitehouse 2014, sec. 8.2,
Algorithm 8).

Each simulation draws a root state from what the searching player believes, selects moves down the nodes there are and
expands the tree by what `growth` says, plays out, lets parts capture what they want to know of it, and backs up what it
brought. What varies are parts (`search/parts.py`), which this file knows by what they do and not by name
(`search/hooks.py`).
"""

import numpy as np

from fogspiel.belief.roots import next_root
from fogspiel.game.table import (
    CHANCE,
    LEVELS,
    LONGEST,
    OVER,
    STOPPED,
    copy_state,
    packed_at,
    play,
    resample,
    stage_goes_on,
    state_at,
)
from fogspiel.search.chances import outcome, width
from fogspiel.search.growths import adds, expands, finishes_stage, leaves_after, leaves_at
from fogspiel.search.hooks import (
    begin,
    capture,
    choose,
    cut,
    evaluation,
    explore,
    learn,
    learned,
    offered,
    playout,
    told,
    trace,
    tried,
)
from fogspiel.search.nodes import add, lookup
from fogspiel.search.proofs import certain, open_node, settles, undecided
from fogspiel.search.status import OUTSIDE
from fogspiel.search.views import go, key_of, meant, see, slots_for, stage_begins, stage_ends

Step = np.dtype([("node", "i8"), ("slot", "i8"), ("prob", "f8"), ("pending", "i8"), ("expanding", "i8")], align=True)
"""A step of a simulation inside the tree: the slot chosen at a node, with what probability, whether the step before
belongs to the same stage, and whether the move was made to expand the stage. A step that learns nothing has -2 less the
slot, or -1 if it has none."""

Asked = np.dtype(
    [
        ("simulations", "i8"),
        ("searcher", "i8"),
        ("states", "i8"),
        ("redraw", "i8"),
        ("simultaneous", "i8"),
    ],
    align=True,
)
"""What is asked: so many simulations for a player, from `states` root states, which the game's rule redraws before use
if `redraw`."""

Walk = np.dtype(
    [
        ("depth", "i8"),
        ("moves", "i8"),
        ("growing", "i8"),
        ("playing", "i8"),
        ("certain", "i8"),
        ("status", "i8"),
        ("pending", "i8"),
        ("expanding", "i8"),
        ("exploring", "i8"),
        ("leaf", "i8"),
        ("added", "i8"),
    ],
    align=True,
)
"""Where a simulation stands: steps in the tree, how many moves the state has, whether it goes on in the tree or is
playing out, whether search.pay is certain, and what is wrong, if anything is; whether others have yet to choose in the
last stage, whether that was expanded, and whether the last move teaches nothing; the node at which the tree was left
before a move was chosen, or -1; and the first step that was made at what the simulation adds to the tree, or -1."""

Counts = np.dtype(
    [
        ("done", "i8"),
        ("depth", "i8"),
        ("deepest", "i8"),
        ("played", "i8"),
        ("settled", "i8"),
    ],
    align=True,
)
"""What was counted: simulations; their depth, in all and at most, which is how many moves players made before what the
simulation added to the tree, or in the tree where it added nothing; and moves of playouts. `settled`: the root's value
is certain."""


def simulate(game, search):
    """search.asked.simulations simulations. Returns 0, or why it could not go on (`search/status.py`)."""
    s = state_at(game, search.state, 0)
    walk, counts = search.walk, search.counts
    for _ in range(search.asked.simulations):
        draw_root(game, search, s)
        select(game, search, s)
        if walk.certain == 0 and walk.status == 0:
            play_to_the_end(game, search, s)
        if walk.status != 0:
            return walk.status
        capture(game, search, s)
        back_up(game, search)
        counts.done += 1
        if walk.certain != 0 and search.asked.states == 1:
            counts.settled = 1
            break
    return 0


def draw_root(game, search, s):
    """Draw the state that a simulation begins in."""
    asked = search.asked
    which = next_root(search.turn, asked.states, search.edges, search.runs, search.rng) if asked.states > 1 else 0
    copy_state(game, s, packed_at(game, search.roots, which))
    if asked.redraw != 0:
        resample(game, s, asked.searcher, search.rng)


def select(game, search, s):
    """Walk down the nodes there are, and add some. The state is left where playing out begins."""
    walk = search.walk
    walk.depth, walk.growing, walk.playing, walk.certain, walk.status = 0, 1, 0, 0, 0
    walk.pending, walk.expanding, walk.leaf, walk.added = 0, 0, -1, -1
    begin(game, search)
    walk.moves = see(game, search, s)
    while walk.growing != 0 and walk.depth < LEVELS:
        who = search.facts.who
        if who == OVER:
            break
        stage_begins(game, search, s)
        if who == CHANCE:
            move_by_chance(game, search, s)
        else:
            move_by_players(game, search, s)
        if walk.growing != 0:
            stage_ends(game, search, s)


def move_by_chance(game, search, s):
    walk = search.walk
    i = outcome(game, search, s, walk.moves)
    if walk.certain != 0:
        walk.growing = 0
        return
    move = search.moves[i]
    trace(game, search, s, CHANCE, move)
    told(search, CHANCE, move)
    walk.moves = go(game, search, s, move)


def move_by_players(game, search, s):
    """A stage: all who are asked choose, one after another, and none sees what those before it chose. In most games
    that is one player."""
    walk = search.walk
    walk.pending = 0
    while decide(game, search, s, walk.pending != 0):
        before, who = search.nodes[search.path[walk.depth - 1].node].owner, search.facts.who
        walk.pending = stage_goes_on(game, s, search.asked.simultaneous, before, who)
        if walk.pending == 0 or walk.depth == LEVELS or not (walk.growing != 0 or finishes_stage(search)):
            return
    walk.growing = 0


def decide(game, search, s, pending):
    """A player's decision: select its node, expand the tree by it if need be, choose a move there and make it. False:
    the tree ends here."""
    walk, who = search.walk, search.facts.who
    key = key_of(game, search, s, who)
    node = lookup(search, key)
    created = node < 0
    if not created and is_finished(game, search, s, search.nodes[node]):
        return False
    n = width(search, 0 if created else search.nodes[node].visits, walk.moves)
    if created:
        node = expand(game, search, s, key, who, n)
    if node < 0 or is_left_at(search, node, created, pending):
        return False
    m = undecided(search, who, slots_for(game, search, s, node, who, n))
    if m == 0:
        return False
    c = choose_move(game, search, s, search.nodes[node], m, pending)
    if c < 0:
        return False
    take(search, node, c, pending)
    if walk.added < 0 and adds(search, created):
        walk.added = walk.depth
    chosen = search.slots[search.slot[c]]
    if leaves_after(search, created, chosen.tries == 0):
        walk.growing = 0
    tried(search, key, chosen)
    walk.depth += 1
    make(game, search, s, who, meant(search, who, chosen.move, n))
    return True


def is_finished(game, search, s, here):
    """Whether there is nothing to do at a node. Where positions come back, it learns but once from a simulation."""
    return here.passed == search.counts.done + 1 or certain(game, search, s, here)


def expand(game, search, s, key, who, n):
    """Add a node with room for n moves. Returns -1 where there is no memory for it."""
    node = add(search, key, who, n)
    if node >= 0:
        open_node(game, search, s, search.nodes[node])
    return node


def is_left_at(search, node, created, pending):
    """Whether the tree is left at a node that the simulation has come to, before a move is chosen there."""
    search.nodes[node].passed = search.counts.done + 1
    if not leaves_at(search, created, pending):
        return False
    search.walk.leaf = node
    return True


def choose_move(game, search, s, here, m, pending):
    """The position in search.slot[0:m] of the move to make: one that expands the stage, one that teaches nothing, or
    the bandit's. -1 where a part chose what is not there."""
    walk = search.walk
    offered(game, search, s, here, m)
    first = expands(search, here, m, pending)
    aside = explore(search, here, m) if first < 0 else -1
    walk.expanding, walk.exploring = first >= 0, aside >= 0
    # a bandit is asked for its probabilities where a stage is expanded, too
    c = aside if aside >= 0 else choose(search, here, m)
    c = first if first >= 0 else c
    if c < 0 or c >= m:
        walk.status = OUTSIDE
        return -1
    return c


def take(search, node, c, pending):
    """The move in this position is the next step of the path."""
    walk, slot = search.walk, search.slot[c]
    step = search.path[walk.depth]
    step.node = node
    step.slot = slot if walk.exploring == 0 else -2 - slot
    step.prob = search.prob[c]
    step.pending = pending
    step.expanding = walk.expanding


def make(game, search, s, who, move):
    """Make a player's move. What comes after it is looked at where the tree goes on, or the stage may."""
    walk = search.walk
    trace(game, search, s, who, move)
    told(search, who, move)
    if walk.growing != 0 or search.asked.simultaneous != 0:
        walk.moves = go(game, search, s, move)
    else:
        play(game, s, move)


def play_to_the_end(game, search, s):
    """Play out, or up to where it is cut; what everyone gets, or can expect, goes to search.pay."""
    walk, counts = search.walk, search.counts
    walk.playing = 1
    most = cut(search, LONGEST)
    ended = playout(game, search, s, most)
    if ended == STOPPED and most < LONGEST:
        evaluation(game, search, s)
    elif ended < 0 and walk.status == 0:
        walk.status = ended
    counts.played += ended if ended >= 0 else most
    walk.certain = ended == 0 and settles(search)


def back_up(game, search):
    """Tell every node on the path what came of the simulation."""
    walk, counts, pay = search.walk, search.counts, search.pay
    before, depth = walk.added if walk.added >= 0 else walk.depth, 0
    for d in range(walk.depth - 1, -1, -1):
        step = search.path[d]
        here = search.nodes[step.node]
        who, reward = here.owner, 0.0
        if who != CHANCE:
            depth += d < before
            utility = pay[who]
            reward = (utility - search.low[who]) / search.span[who]
            if step.slot >= 0:
                here.visits += 1
                search.slots[step.slot].tries += 1
                search.slots[step.slot].total += reward
                learn(search, d, reward, utility)
        else:
            here.visits += 1
            if step.slot >= 0:
                search.slots[step.slot].tries += 1
        learned(game, search, d, reward)
    counts.depth += depth
    counts.deepest = max(counts.deepest, depth)
