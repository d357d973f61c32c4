"""The patrolling game: a guard walks about a graph, and an attacker needs some rounds undisturbed on one of its nodes.

The attacker (player 0) starts outside. Each round it waits or starts an attack on a node; then it can only wait until
the attack is over. The defender (player 1) moves along an edge or waits, at the same time. An attack that starts on the
node to which the defender is moving fails at once. Otherwise it goes on for `attack` rounds more, and succeeds in the
last of them, even if the defender comes in that very round; if the defender comes before, it fails. The attacker sees
everything, the defender nothing but that the game goes on.

This is a partially observable stochastic game, whose length has no bound, cut off after `rounds` rounds (L = 2 * rounds
in the names of Veselý 2024, as G1_A2_L8). Success pays the attacker `reward`, failure -loss; where the game is cut off
it gets 0, or what `horizon` or the rewards file says; with finish_attack=yes an attack under way goes on to its end.
All payoffs are multiplied by `discount` once a round; the games in the literature are cut off, but not discounted (1),
and their loss is 0, so that the attacker has a reason to attack. Moves are numbered as there: wait 0, attacks on nodes
0.. from 1 on, then the edges in order.

Veselý 2024, sec. 4.3 and 5.3, after Horák et al. 2017. A graph is G1 to G5 or a file: the defender's first node, an
empty line, then for each node a line with the nodes that its edges lead to. The graphs are printed as pictures only. G1
is the one for which moves are listed there, a circle of four; the others are reconstructed from the values and the
iterations printed for them, G2 and G3 (one graph, another start) with more certainty than G4 and G5. G6 is not known.
"""

import math
from pathlib import Path

import numpy as np

from fogspiel.game import OVER, UNSEEN, About, Choice, Number, Text, Whole, mix, pick, uniform, whole_at
from fogspiel.games.toolkit.draw import SEATS, stone
from fogspiel.games.toolkit.graphs import distances
from fogspiel.games.toolkit.trails import caption, ring

ATTACKER, DEFENDER = 0, 1
OUTSIDE, NONE = -1, -1
GOING, FAILED, SUCCEEDED = 0, 1, 2
WAIT, ATTACK = 0, 1
MOST_NODES = 32
LONGEST = 50
LONGEST_ATTACK = 10
MAX_MOVES = 1 + MOST_NODES
DIAMOND = ((1, 2, 3), (0, 2), (0, 1, 3), (0, 2))
GRAPHS = {
    "G1": (0, ((1, 2), (0, 3), (0, 3), (1, 2))),
    "G2": (0, DIAMOND),
    "G3": (1, DIAMOND),
    "G4": (0, ((1,), (0, 2, 3, 4), (1, 3, 4), (1, 2), (1, 2))),
    "G5": (0, ((1,), (0, 2), (0, 1, 3), (0, 1, 2))),
}
"""For each graph, where the defender starts and where the edges of each node lead."""
PARAMETERS = (
    Text("graph", "G1", "G1 to G5, or a file"),
    Whole("attack", 2, 1, LONGEST_ATTACK, "how many rounds an attack goes on after the one in which it starts"),
    Whole("rounds", 4, 1, LONGEST, "after how many rounds the game is cut off"),
    Choice("finish_attack", "no", ("no", "yes"), "whether an attack under way then goes on to its end"),
    Whole("reward", 100, 1, 10**6, "what the attacker gets for success"),
    Whole("loss", 100, 0, 10**6, "what the attacker loses by failure"),
    Number("discount", 1, 0, 1, "what a payoff is multiplied by for each round"),
)
State = np.dtype(
    [
        ("attack", "i1"),
        ("rounds", "i1"),
        ("finish_attack", "i1"),
        ("reward", "i4"),
        ("loss", "i4"),
        ("discount", "f8"),
        ("places", "i8"),
        ("edges", "i8"),
        ("away", "i8"),
        ("round", "i1"),
        ("pending", "i1"),
        ("attacker", "i1"),
        ("began", "i1"),
        ("result", "i1"),
        ("weight", "f8"),
        ("patrol", "i1", LONGEST + LONGEST_ATTACK + 1),
        ("walked", "u8"),
    ],
    align=True,
)
"""patrol has the defender's node after each round, and walked is a key of it. attacker is the node under attack, and
began the round that the attack started in; pending is the attacker's move in a round that is not over, or NONE.
Tables: places has the number of nodes, the defender's first one, and of each node the number of its first edge;
edges has where they lead; away has distances."""
CONFIGURATIONS = {
    f"{graph}_A{attack}_L{2 * rounds}": f"patrolling(graph={graph},attack={attack},rounds={rounds},loss=0)"
    for graph, attack, rounds in [
        ("G1", 2, 4),
        ("G1", 3, 5),
        ("G2", 2, 4),
        ("G2", 3, 5),
        ("G3", 2, 4),
        ("G3", 3, 5),
        ("G4", 3, 4),
        ("G4", 4, 5),
        ("G5", 3, 4),
        ("G5", 4, 5),
    ]
}
"""The games of Veselý 2024, Table A.3, by their names there, with the loss of its experiments."""


def about(graph, attack, rounds, finish_attack, reward, loss, discount):
    first, ways = GRAPHS[graph] if graph in GRAPHS else read_graph(graph)
    last = rounds + attack if finish_attack == "yes" else rounds
    low, high = -loss * discount, reward * discount ** (attack + 1) if attack + 1 <= last else 0
    tables = {
        "places": np.array([len(ways), first, *np.cumsum([0, *map(len, ways)])]),
        "edges": np.array([*(to for near in ways for to in near), 0]),
        "away": distances(ways),
    }
    ranges = ((low, high), (-high, -low))
    return About(ranges=ranges, simultaneous=True, horizon="rounds", discount="discount", tables=tables)


def read_graph(path):
    """The graph of a file: where the defender starts, and where the edges of each node lead."""
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        names = ", ".join(GRAPHS)
        raise ValueError(f"graph must be {names} or a file, not {path[:80]!r} ({type(error).__name__})") from None
    while lines and not lines[-1].strip():
        lines.pop()
    try:
        first, empty, *rest = lines
        first, ways = int(first), tuple(tuple(int(node) for node in line.split()) for line in rest)
    except ValueError:
        raise ValueError(
            f"the graph file {path[:80]} must have a node, an empty line, and for each node the nodes its edges lead to"
        ) from None
    nodes = range(len(ways))
    if empty.strip() or first not in nodes or not all(to in nodes for near in ways for to in near):
        raise ValueError(
            f"the graph file {path[:80]} names a node that it has no line for, or its second line is not empty"
        )
    if len(ways) > MOST_NODES or any(len(set(near)) < len(near) for near in ways):
        raise ValueError(f"the graph file {path[:80]} must have at most {MOST_NODES} nodes, and each edge once")
    if () in ways:
        raise ValueError(f"the graph file {path[:80]} has a dead end: no edge leads on from node {ways.index(())}")
    return first, ways


def nodes(s):
    return whole_at(s.places, 0)


def first_edge(s, node):
    return whole_at(s.places, 2 + node)


def start(s):
    s.pending = NONE
    s.attacker = OUTSIDE
    s.weight = 1
    s.patrol[0] = whole_at(s.places, 1)


def over(s):
    return s.result != GOING or (s.round >= s.rounds and not (s.finish_attack and s.attacker != OUTSIDE))


def actor(s):
    if over(s):
        return OVER
    return ATTACKER if s.pending == NONE else DEFENDER


def moves(s, out):
    out[0] = WAIT
    if s.pending == NONE:
        if s.attacker != OUTSIDE:
            return 1
        for node in range(nodes(s)):
            out[1 + node] = ATTACK + node
        return 1 + nodes(s)
    here = s.patrol[s.round]
    n = 1
    for edge in range(first_edge(s, here), first_edge(s, here + 1)):
        out[n] = ATTACK + nodes(s) + edge
        n += 1
    return n


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    to = s.patrol[s.round] if move == WAIT else whole_at(s.edges, move - ATTACK - nodes(s))
    s.round += 1
    s.patrol[s.round] = to
    s.walked = mix(s.walked, to)
    s.weight *= s.discount
    if s.attacker == OUTSIDE and s.pending >= ATTACK:
        s.attacker = s.pending - ATTACK
        s.began = s.round
    if s.attacker != OUTSIDE:
        if rounds_left(s) == 0:
            s.result = SUCCEEDED
        elif to == s.attacker:
            s.result = FAILED
    s.pending = NONE


def rounds_left(s):
    """How many rounds an attack still needs."""
    return s.attack - (s.round - s.began) if s.attacker != OUTSIDE else s.attack + 0


def payoff(s, out):
    out[ATTACKER] = 0.0
    if s.result != GOING:
        out[ATTACKER] = s.weight * (s.reward if s.result == SUCCEEDED else -s.loss)
    out[DEFENDER] = -out[ATTACKER]


def evaluate(s, out):
    """An attack succeeds if the defender is too far away to come in time, and fails otherwise; unless the game is
    cut off before."""
    out[ATTACKER] = 0.0
    if s.attacker != OUTSIDE:
        away = whole_at(s.away, nodes(s) * s.patrol[s.round] + s.attacker)
        needed = min(away, rounds_left(s))
        if s.round + needed <= s.rounds or s.finish_attack:
            out[ATTACKER] = s.weight * (s.reward if away >= rounds_left(s) else -s.loss)
            for _ in range(needed):
                out[ATTACKER] *= s.discount
    out[DEFENDER] = -out[ATTACKER]


def infoset(s, player):
    """The attacker knows all; the defender knows where it went, and at the end of the game all."""
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == ATTACKER else 1
    if player == ATTACKER or over(s):
        return mix(mix(mix(s.walked, s.attacker), s.began), pending)
    return mix(s.walked, pending)


def sees(s, player, move):
    """The attacker sees all, and the defender at the end of the game whether and where there was an attack."""
    if s.pending == NONE:
        return mix(1, 0)
    if player == ATTACKER:
        return mix(0, move)
    play(s, move)
    return mix(mix(2, s.attacker), s.began) if over(s) else UNSEEN


def resample(s, player, rng):
    """No attack, or one that the defender has not met with, as likely as if the attacker moved at random.

    An attack that began a round earlier is 1 + nodes times as likely, since the attacker outside chooses among so many
    moves.
    """
    if player == ATTACKER or over(s):
        return
    s.attacker = OUTSIDE
    s.began = 0
    total = 1.0 if s.round < s.rounds else 0.0
    for began in range(max(1, s.round - s.attack + 1), min(s.round, s.rounds) + 1):
        for node in range(nodes(s)):
            if undisturbed(s, node, began):
                total += likelihood(s, began)
    drawn = uniform(rng) * total
    for began in range(max(1, s.round - s.attack + 1), min(s.round, s.rounds) + 1):
        for node in range(nodes(s)):
            if drawn >= 0 and undisturbed(s, node, began):
                drawn -= likelihood(s, began)
                if drawn < 0 or s.round >= s.rounds:
                    s.attacker = node
                    s.began = began
    if s.pending != NONE:
        s.pending = WAIT if s.attacker != OUTSIDE else pick(rng, 1 + nodes(s))


def undisturbed(s, node, began):
    """Whether the defender has not been on a node since a round, that one included."""
    for k in range(began, s.round + 1):
        if s.patrol[k] == node:
            return False
    return True


def likelihood(s, began):
    """How likely an attack of that round on a node is, next to none so far."""
    weight = 1.0
    for _ in range(s.round - began):
        weight *= 1 + nodes(s)
    return weight


def cut(s):
    return over(s) and s.result == GOING


def markov(s):
    """The nodes of both, and how many rounds an attack needs."""
    return observe(s, ATTACKER)


def observe(s, player):
    """The attacker sees all, the defender its own node."""
    here = s.patrol[s.round] + 0
    if player == DEFENDER:
        return here
    return (MOST_NODES * (s.attacker + 1) + here) * (LONGEST_ATTACK + 1) + rounds_left(s)


def short_form(s):
    """Attacker, defender, rounds that an attack needs: a state of the game with no bound, as rewards files have it."""
    return f"{s.attacker} {s.patrol[s.round]} {rounds_left(s)}"


def move_name(s, move):
    if move == WAIT:
        return "wait"
    if s.pending == NONE:
        return f"attack {move - ATTACK}"
    return f"go to {whole_at(s.edges, move - ATTACK - nodes(s))}"


def told(s, player):
    """What a player is told of the attack."""
    if player == DEFENDER and not over(s):
        return "attack: ?"
    if s.attacker == OUTSIDE:
        return "no attack"
    end = {GOING: f"{rounds_left(s)} rounds left", FAILED: "failed", SUCCEEDED: "succeeded"}[s.result]
    return f"attack on {s.attacker} since round {s.began}, {end}"


def features(s):
    return {"attack": "none" if s.attacker == OUTSIDE else f"node {s.attacker}"}


def show(s, player):
    hidden = player == DEFENDER and not over(s)
    lines = [f"round {s.round} of {s.rounds}" + ("" if hidden else f"   state {short_form(s)}")]
    for node in range(nodes(s)):
        to = " ".join(str(whole_at(s.edges, edge)) for edge in range(first_edge(s, node), first_edge(s, node + 1)))
        mark = "D" if node == s.patrol[s.round] else " "
        mark += "A" if node == s.attacker and not hidden else " "
        lines.append(f"{mark} {node} -> {to}")
    lines.append("defender: " + " ".join(str(s.patrol[k]) for k in range(s.round + 1)))
    lines.append(told(s, player))
    if s.pending != NONE:
        move = "wait" if s.pending == WAIT else f"attack {s.pending - ATTACK}"
        lines.append(f"attacker's move: {'?' if player == DEFENDER else move}")
    return "\n".join(lines)


def svg(s, player):
    picture, spots = ring(nodes(s))
    for node, (x, y) in enumerate(spots):
        for edge in range(first_edge(s, node), first_edge(s, node + 1)):
            draw_edge(picture, x, y, *spots[whole_at(s.edges, edge)])
    hidden = player == DEFENDER and not over(s)
    for node, (x, y) in enumerate(spots):
        attacked = node == s.attacker and not hidden
        picture.circle(x, y, 20, fill="#fde68a" if attacked else "#f3f4f6", line="#374151")
        if attacked:
            picture.text(x, y, str(rounds_left(s)), 14)
    stone(picture, *spots[s.patrol[s.round]], 13, SEATS[DEFENDER], "D")
    caption(picture, f"round {s.round} of {s.rounds}, {told(s, player)}")
    return str(picture)


def draw_edge(picture, x1, y1, x2, y2):
    """An edge with its arrow at the far end; one that leads back to its own node is a small circle beside it."""
    if (x1, y1) == (x2, y2):
        picture.circle(x1 + 18, y1 - 18, 8, fill="none", line="#6b7280")
        return
    long = math.hypot(x2 - x1, y2 - y1)
    along, down = (x2 - x1) / long, (y2 - y1) / long
    x, y = x2 - 20 * along, y2 - 20 * down
    picture.line(x1, y1, x, y, colour="#6b7280", width=1.5)
    sides = [(x - 9 * along + side * 4 * down, y - 9 * down - side * 4 * along) for side in (1, -1)]
    picture.polygon([(x, y), *sides], fill="#6b7280", line="#6b7280")
