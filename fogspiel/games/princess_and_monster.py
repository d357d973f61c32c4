"""Princess and monster: a pursuit in the dark, on a graph.

The monster (player 0) and the princess (player 1) move in turn to an adjacent node, the monster first, and neither ever
sees where the other is. Once both are on one node she is caught. The clock t stands at 0 and goes up after each move of
the princess; when it reaches `time` she has escaped. A capture pays the monster time - t + 1, an escape -time, and the
princess the opposite. Lanctot 2013, sec. 3.1.5, after Isaacs 1965. The graphs there are the circle of 8 nodes with
opposite starts (graph=circle,size=8,start=opposite) and the grid of 3 by 3 nodes with random ones.

What is left open there: here a capture is looked for after every move, random starts are two different nodes of which
each player knows its own (start=any: any two, the same one too), and staying put is not a move unless stay=yes. With
last=monster the monster has one move more, at the time limit, where a capture pays 1. The size printed for the grid is
about 91.4 million histories and 20 thousand information sets. None of these rules gives both;
stay=yes,start=any,last=monster,time=5 comes nearest to the first, with 91,803,132 histories and 11,923 information
sets. Without staying, time=7 gives 92,184,195 and 25,738.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, Whole, mix, whole_at
from fogspiel.games.toolkit.bits import pick_bit
from fogspiel.games.toolkit.draw import SEATS, board
from fogspiel.games.toolkit.graphs import circle, grid, neighbour_sets
from fogspiel.games.toolkit.trails import caption, cells, draw_trails, ring

MONSTER, PRINCESS = 0, 1
GRID, CIRCLE = 0, 1
RANDOM, OPPOSITE, ANY = 0, 1, 2
MOST_NODES = 49
LONGEST = 30
STRIDE = LONGEST + 2
TRIES = 1000
PARAMETERS = (
    Choice("graph", "grid", ("grid", "circle"), "where the pursuit takes place"),
    Whole("size", 3, 3, MOST_NODES, "rows and columns of the grid (7 at most), or nodes of the circle"),
    Whole("time", 4, 1, LONGEST, "how many moves each has"),
    Choice(
        "start",
        "random",
        ("random", "opposite", "any"),
        "apart; in opposite corners or half the circle apart; or anywhere",
    ),
    Choice("stay", "no", ("no", "yes"), "whether a player may stay where it is"),
    Choice("last", "princess", ("princess", "monster"), "who moves last; monster: it moves once more when time is up"),
)
State = np.dtype(
    [
        ("graph", "i1"),
        ("size", "i1"),
        ("time", "i1"),
        ("start", "i1"),
        ("stay", "i1"),
        ("last", "i1"),
        ("placed", "i1"),
        ("moved", "i1"),
        ("caught", "i1"),
        ("walk", "i1", 2 * STRIDE),
        ("near", "i8"),
    ],
    align=True,
)
"""The table `near` has for each node the nodes one move away, as a set: a bit for each. walk[STRIDE * player + k] is
where a player is after k moves of its own; moved counts the moves of both."""


def about(graph, size, time, start, stay, last):
    nodes = size * size if graph == "grid" else size
    if nodes > MOST_NODES:
        raise ValueError(f"a grid of {size} by {size} nodes is too large; size can be at most 7")
    near = neighbour_sets(circle(size) if graph == "circle" else grid(size, size))
    if stay == "yes":
        near |= 1 << np.arange(nodes)
    apart = 1 if start != "opposite" else nodes // 2 if graph == "circle" else 2 * (size - 1)
    within = apart <= 2 * time + (last == "monster")
    most = time - (apart - 1) // 2 + 1 if within else -time
    return About(ranges=((-time, most), (-most, time)), tables={"near": near})


def start(s):
    if s.start == OPPOSITE:
        s.placed = 2
        s.walk[STRIDE * MONSTER] = 0
        s.walk[STRIDE * PRINCESS] = nodes(s) // 2 if s.graph == CIRCLE else nodes(s) - 1


def nodes(s):
    return s.size if s.graph == CIRCLE else s.size * s.size


def moves_of(s, player):
    return (s.moved + 1 - player) // 2


def actor(s):
    if s.placed < 2:
        return CHANCE
    return OVER if s.caught or s.moved == 2 * s.time + s.last else s.moved % 2


def moves(s, out):
    if s.placed == 2:
        player = s.moved % 2
        allowed = whole_at(s.near, s.walk[STRIDE * player + moves_of(s, player)])
    else:
        allowed = everywhere(s)
        if s.placed == 1 and s.start != ANY:
            allowed -= 1 << s.walk[STRIDE * MONSTER]
    n = 0
    for node in range(nodes(s)):
        if allowed >> node & 1:
            out[n] = node
            n += 1
    return n


def everywhere(s):
    return (1 << nodes(s)) - 1


def play(s, move):
    if s.placed < 2:
        s.walk[STRIDE * s.placed] = move
        s.placed += 1
        return
    player = s.moved % 2
    other = 1 - player
    s.walk[STRIDE * player + moves_of(s, player) + 1] = move
    s.caught = move == s.walk[STRIDE * other + moves_of(s, other)]
    s.moved += 1


def payoff(s, out):
    clock = (s.moved - 1) // 2
    out[MONSTER] = s.time - clock + 1 if s.caught else -s.time
    out[PRINCESS] = -out[MONSTER]


def infoset(s, player):
    """In the dark a player knows its own walk; a capture tells all."""
    key = mix(mix(0, s.placed), s.moved)
    for i in range(2):
        if s.caught or i == player:
            for k in range(moves_of(s, i) + 1):
                key = mix(key, s.walk[STRIDE * i + k])
    return key


def sees(s, player, move):
    """Where a player is put it sees itself; of the other only that it moved, until a capture shows its walk."""
    if s.placed < 2:
        return mix(0, move) if s.placed == player else mix(1, 0)
    play(s, move)
    if not s.caught:
        return mix(1, 0)
    other = 1 - player
    key = mix(2, 0)
    for k in range(moves_of(s, other) + 1):
        key = mix(key, s.walk[STRIDE * other + k])
    return key


def resample(s, player, rng):
    """A walk of the other that has not met the player's, as likely as if the other moved at random."""
    if s.caught or s.placed <= 1 - player:
        return
    tries = 0
    while not draw_walk(s, player, rng, tries < TRIES):
        tries += 1


def draw_walk(s, player, rng, random):
    """Draw a walk of the other; false if it meets the player's. Not `random`: one that never does."""
    other = 1 - player
    node = s.walk[STRIDE * other]
    for k in range(moves_of(s, other) + 1):
        choices = whole_at(s.near, node)
        if k == 0:
            choices = 1 << node if s.start == OPPOSITE else everywhere(s)
        if not random:
            choices &= safe(s, player, k)
        node = pick_bit(choices, rng)
        if met(s, player, k) >> node & 1:
            return False
        s.walk[STRIDE * other + k] = node
    return True


def safe(s, player, k):
    """Where the other can be after k moves of its own if it is not to meet the player's walk, then or until now."""
    last = moves_of(s, 1 - player)
    allowed = everywhere(s) & ~met(s, player, last)
    for i in range(last - k):
        before = 0
        for node in range(nodes(s)):
            if allowed >> node & 1:
                before |= whole_at(s.near, node)
        allowed = before & ~met(s, player, last - i - 1)
    return allowed


def met(s, player, k):
    """Where the player is while the other has made k moves: two nodes, one before and one after a move."""
    if s.placed < 2:
        return 0
    first = k if player == MONSTER else k - 1
    found = 0
    lowest = 1 if s.start == ANY and k == 0 else 0  # before the first move nobody is caught
    for i in range(max(first, lowest), min(first + 1, moves_of(s, player)) + 1):
        found |= 1 << s.walk[STRIDE * player + i]
    return found


def move_name(s, move):
    name = node_name(s, move)
    return f"{('the monster', 'the princess')[s.placed]} starts at {name}" if s.placed < 2 else f"go to {name}"


def node_name(s, node):
    return str(node) if s.graph == CIRCLE else "abcdefg"[node % s.size] + str(node // s.size + 1)


def features(s):
    return {("monster", "princess")[i]: node_name(s, walk(s, i)[-1]) for i in range(s.placed)}


def show(s, player):
    lines = []
    for i in range(s.placed):
        seen = player in (None, i) or s.caught
        names = [node_name(s, node) if seen else "?" for node in walk(s, i)]
        lines.append(f"{('monster ', 'princess')[i]} {' '.join(names)}")
    return "\n".join([f"time {s.moved // 2} of {s.time}", *lines])


def svg(s, player):
    if s.graph == CIRCLE:
        picture, spots = ring(nodes(s))
        picture.polygon(spots, line="#9ca3af")
        for x, y in spots:
            picture.circle(x, y, 5, fill="#9ca3af")
    else:
        picture = board(s.size, s.size, names=False)
        spots = cells(s.size, s.size)
    pieces = [i for i in range(s.placed) if player in (None, i) or s.caught]
    draw_trails(picture, spots, [(walk(s, i), SEATS[i], "MP"[i]) for i in pieces])
    caption(picture, "caught" if s.caught else f"time {s.moved // 2} of {s.time}")
    return str(picture)


def walk(s, player):
    """The nodes where a player has been."""
    return [s.walk[STRIDE * player + k] for k in range(moves_of(s, player) + 1)]
