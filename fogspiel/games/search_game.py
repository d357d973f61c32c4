"""The search game: an attacker sneaks through guarded zones, and all that the defenders ever see are its footprints.

Zones lie side by side, each a column of nodes, between a place to start on the left and a goal on the right. The
attacker (player 0) waits at the start or enters the first zone at any height. In a zone it waits, goes up or down, or
right to the next zone at the same height; from the last zone that leads to the goal, and it has won. The defenders
(player 1 moves all of them) wait, go up or go down, each in its own zone; no two may end up on one node, but they may
change places. All move at once.

Whoever is on a node with a defender after the move is caught; passing each other is no capture. Entering a node leaves
a clue there, and waiting on a node for a round removes its clue. A defender that moves onto a node with a clue finds
it, and the clue stays found, even if the attacker leaves another one there. The defenders see the clues that were found
and nothing else; the attacker sees everything.

This is a partially observable stochastic game, whose length has no bound, cut off after `rounds` rounds (L = 2 * rounds
in the names of Veselý 2024, as W2_H3_L6_01_11). The attacker gets `win` at the goal and -loss when it is caught; where
the game is cut off it gets 0, or what `horizon` or the rewards file says. All payoffs are multiplied by `discount` once
a round; the games in the literature are cut off, but not discounted (1), and their loss is 0, so that the attacker has
a reason to go. Node numbers are height * width + zone, from 0 at the top left; the start is -1. Moves are numbered as
there: wait 0, up 1, down 2, right 3, entering from 4 on, and then the joint moves of the defenders, whose digits are
their moves, defender 0 first.

Veselý 2024, sec. 4.2 and 5.2, after Horák et al. 2017. What is not said there: a clue is left again where one was
found, and both are remembered. The first games of its Table A.2 then have 18, 102, 292 and, both with three nodes in
two zones, 19,017 states.
"""

import re

import numpy as np

from fogspiel.game import OVER, About, Number, Text, Whole, mix, pick, whole_at
from fogspiel.games.toolkit.draw import SEATS, board, corner, middle, stone
from fogspiel.games.toolkit.joint import joint_name, move_of
from fogspiel.games.toolkit.trails import caption

ATTACKER, DEFENDER = 0, 1
WAIT, UP, DOWN, RIGHT, ENTER = 0, 1, 2, 3, 4
MOVE_NAMES = ("wait", "up", "down", "right")
OUTSIDE, OFF, NONE = -1, -2, -1
MOST = 4
MOST_NODES = 16
LONGEST = 24
TRIES = 2_000
MAX_MOVES = (DOWN + 1) ** MOST
PARAMETERS = (
    Whole("width", 2, 1, 4, "how many zones there are"),
    Whole("height", 3, 1, 8, "nodes in each zone"),
    Whole("rounds", 3, 1, LONGEST, "after how many rounds the game is cut off"),
    Text("defenders", "", "zone:height of each, as in 0:1_1:1; left out, one in the middle of each zone"),
    Whole("win", 100, 1, 10**6, "what the attacker gets at the goal"),
    Whole("loss", 100, 0, 10**6, "what the attacker loses when it is caught"),
    Number("discount", 1, 0, 1, "what a payoff is multiplied by for each round"),
)
State = np.dtype(
    [
        ("width", "i1"),
        ("height", "i1"),
        ("rounds", "i1"),
        ("win", "i4"),
        ("loss", "i4"),
        ("discount", "f8"),
        ("posts", "i8"),
        ("round", "i1"),
        ("pending", "i1"),
        ("weight", "f8"),
        ("raid", "i1", LONGEST + 1),
        ("guard", "i1", (LONGEST + 1, MOST)),
        ("found", "i4", LONGEST + 1),
        ("placed", "i4"),
        ("caught", "i1"),
        ("seen", "u8", 2),
    ],
    align=True,
)
"""After each round, raid has the attacker's node, guard those of the defenders and found the clues found so far, as
a set; placed are those not found yet. pending is the attacker's move in a round that is not over, or NONE. posts is
a table of how many defenders there are and where they start. seen[player] is a key of what a player saw in the
rounds that are over."""
CONFIGURATIONS = {
    f"W{width}_H{height}_L{2 * rounds}_{defenders.replace(':', '')}": f"search_game(width={width},height={height},"
    f"rounds={rounds},defenders={defenders},loss=0)"
    for width, height, rounds, defenders in [
        (1, 2, 3, "0:0"),
        (1, 3, 3, "0:1_0:2"),
        (2, 2, 3, "0:0_1:0"),
        (2, 3, 3, "0:1_1:1"),
        (2, 3, 4, "0:1_1:1"),
        (3, 3, 4, "0:1_1:1_2:1"),
        (3, 3, 4, "0:1_2:0_2:2"),
    ]
}
"""The games of Veselý 2024, Table A.2, by their names there, with the loss of its experiments."""


def about(width, height, rounds, defenders, win, loss, discount):
    if width * height > MOST_NODES:
        raise ValueError(f"{width} zones of {height} nodes are too many; there can be {MOST_NODES} nodes")
    posts = read_posts(defenders, width, height)
    guarded = 1 + min(node % width for node in posts)
    low = -loss * discount**guarded if guarded <= rounds else 0
    high = win * discount ** (width + 1) if width + 1 <= rounds else 0
    ranges, tables = ((low, high), (-high, -low)), {"posts": np.array([len(posts), *posts])}
    return About(ranges=ranges, simultaneous=True, horizon="rounds", discount="discount", tables=tables)


def read_posts(text, width, height):
    """The nodes where defenders start."""
    if not text:
        return [height // 2 * width + zone for zone in range(width)]
    if not re.fullmatch(r"\d+:\d+(_\d+:\d+)*", text):
        raise ValueError(f"defenders must be zone:height of each, as in 0:1_1:1, not {text[:60]!r}")
    places = [tuple(map(int, place.split(":"))) for place in text.split("_")]
    if len(places) > MOST or len(set(places)) < len(places):
        raise ValueError(f"there can be {MOST} defenders, on different nodes; {text[:60]!r} has {len(places)}")
    if not all(zone < width and at < height for zone, at in places):
        raise ValueError(f"a defender of {text[:60]!r} is in none of {width} zones of {height} nodes, counted from 0")
    return [at * width + zone for zone, at in places]


def start(s):
    s.pending = NONE
    s.weight = 1
    s.raid[0] = OUTSIDE
    for j in range(defenders(s)):
        s.guard[0, j] = whole_at(s.posts, 1 + j)


def defenders(s):
    return whole_at(s.posts, 0)


def goal(s):
    return s.width * s.height


def over(s):
    return s.caught or s.raid[s.round] == goal(s) or s.round == s.rounds


def actor(s):
    if over(s):
        return OVER
    return ATTACKER if s.pending == NONE else DEFENDER


def attacker_moves(s):
    """How many numbers there are for the attacker's moves: those of the defenders follow."""
    return ENTER + s.height


def moves(s, out):
    n = 0
    if s.pending == NONE:
        for move in range(attacker_moves(s)):
            out[n] = move
            n += attacker_after(s, s.raid[s.round], move) != OFF
        return n
    joint = 1
    for _ in range(defenders(s)):
        joint *= DOWN + 1
    for move in range(joint):
        out[n] = attacker_moves(s) + move
        n += allowed(s, move)
    return n


def attacker_after(s, node, move):
    """Where a move of the attacker leads, or OFF."""
    if node == OUTSIDE:
        if move == WAIT:
            return node
        return (move - ENTER) * s.width if move >= ENTER else OFF
    if move == RIGHT:
        return node + 1 if node % s.width < s.width - 1 else goal(s)
    return along(s, node, move) if move < RIGHT else OFF


def along(s, node, move):
    """Where waiting, going up and going down lead in a zone, or OFF."""
    if move == UP:
        node -= s.width
    elif move == DOWN:
        node += s.width
    return node if 0 <= node < goal(s) else OFF


def defender_after(s, joint, j):
    return along(s, s.guard[s.round, j], move_of(joint, DOWN + 1, defenders(s), j))


def allowed(s, joint):
    """Whether all defenders stay in their zones, and no two of them end up on one node."""
    taken = 0
    for j in range(defenders(s)):
        node = defender_after(s, joint, j)
        if node == OFF or taken >> node & 1:
            return False
        taken |= 1 << node
    return True


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    k = s.round
    for j in range(defenders(s)):
        s.guard[k + 1, j] = defender_after(s, move - attacker_moves(s), j)
    s.raid[k + 1] = attacker_after(s, s.raid[k], s.pending)
    s.found[k + 1] = s.found[k]
    s.caught = catches(s, k)
    if s.raid[k + 1] != goal(s) and not s.caught:
        s.placed = with_footprints(s, k, s.placed)
        s.found[k + 1] |= discovered(s, k, s.placed)
        s.placed &= ~discovered(s, k, s.placed)
    s.pending = NONE
    s.weight *= s.discount
    s.round += 1
    s.seen[ATTACKER] = mix(note(s, ATTACKER, k), s.raid[k + 1])
    s.seen[DEFENDER] = mix(note(s, DEFENDER, k), s.found[k + 1])


def catches(s, k):
    """Whether a defender is where the attacker goes after k rounds."""
    for j in range(defenders(s)):
        if s.guard[k + 1, j] == s.raid[k + 1]:
            return True
    return False


def with_footprints(s, k, placed):
    """The clues that there are once the attacker has moved after k rounds: one where it went, none where it waited."""
    if s.raid[k + 1] != s.raid[k]:
        return placed | 1 << s.raid[k + 1]
    return placed & ~(1 << s.raid[k]) if s.raid[k] != OUTSIDE else placed


def discovered(s, k, placed):
    """Which of the clues the defenders find as they move after k rounds."""
    visited = 0
    for j in range(defenders(s)):
        if s.guard[k + 1, j] != s.guard[k, j]:
            visited |= 1 << s.guard[k + 1, j]
    return placed & visited


def note(s, player, k):
    """Where the defenders went after k rounds is worked into what a player has seen."""
    key = s.seen[player]
    for j in range(defenders(s)):
        key = mix(key, s.guard[k + 1, j])
    return key


def payoff(s, out):
    out[ATTACKER] = 0.0
    if s.caught:
        out[ATTACKER] = -s.weight * s.loss
    elif s.raid[s.round] == goal(s):
        out[ATTACKER] = s.weight * s.win
    out[DEFENDER] = -out[ATTACKER]


def evaluate(s, out):
    """The share of its way that the attacker has gone, as long as it can still reach the goal."""
    node = s.raid[s.round]
    passed = 0 if node == OUTSIDE else 1 + node % s.width
    needed = s.width + 1 - passed
    out[ATTACKER] = 0.0
    if s.round + needed <= s.rounds:
        out[ATTACKER] = s.weight * s.win * passed / (s.width + 1)
        for _ in range(needed):
            out[ATTACKER] *= s.discount
    out[DEFENDER] = -out[ATTACKER]


def infoset(s, player):
    """The attacker knows all; the defenders know where they went and what they found, and at the end of the game
    all."""
    if over(s):
        return mix(s.seen[ATTACKER], -1)
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == ATTACKER else 1
    return mix(s.seen[ATTACKER] if player == ATTACKER else s.seen[DEFENDER], pending)


def sees(s, player, move):
    """The attacker sees all, and the defenders what they find, and at the end of the game all."""
    if s.pending == NONE:
        return mix(1, 0)
    if player == ATTACKER:
        return mix(0, move)
    play(s, move)
    return mix(3, s.seen[ATTACKER]) if over(s) else mix(2, s.found[s.round])


def resample(s, player, rng):
    """A raid that leaves the clues that were found when they were, as likely as if the attacker moved at random; where
    such raids are too rare to come up, the first of them."""
    if player == ATTACKER or over(s):
        return
    tries = 0
    while tries < TRIES and not draw_raid(s, rng):
        tries += 1
    if tries == TRIES:
        find_raid(s)
    s.placed = 0
    s.seen[ATTACKER] = 0
    for k in range(s.round):
        s.placed = with_footprints(s, k, s.placed)
        s.placed &= ~discovered(s, k, s.placed)
        s.seen[ATTACKER] = mix(note(s, ATTACKER, k), s.raid[k + 1])
    if s.pending != NONE:
        s.pending = draw_move(s, s.raid[s.round], rng)


def draw_raid(s, rng):
    """Draw the attacker's moves; False if the defenders would have seen something else."""
    placed = 0
    for k in range(s.round):
        s.raid[k + 1] = attacker_after(s, s.raid[k], draw_move(s, s.raid[k], rng))
        if s.raid[k + 1] == goal(s) or catches(s, k):
            return False
        placed = with_footprints(s, k, placed)
        if s.found[k] | discovered(s, k, placed) != s.found[k + 1]:
            return False
        placed &= ~discovered(s, k, placed)
    return True


def draw_move(s, node, rng):
    """One of the attacker's moves at a node, each as likely."""
    if node == OUTSIDE:
        entry = pick(rng, 1 + s.height)
        return ENTER + entry if entry < s.height else WAIT
    move = pick(rng, RIGHT + 1)
    while attacker_after(s, node, move) == OFF:
        move = pick(rng, RIGHT + 1)
    return move


def find_raid(s):
    """The first raid that fits what the defenders saw, in the order of moves: for what hardly ever happens at
    random."""
    move, k = 0, 0
    while k < s.round:
        while move < attacker_moves(s) and not fits(s, k, move):
            move += 1
        if move < attacker_moves(s):
            k += 1
            move = 0
        else:
            k -= 1
            move = 1 + move_between(s, s.raid[k], s.raid[k + 1])


def fits(s, k, move):
    """Try a move of the attacker after k rounds: whether the defenders saw until then what they would have seen."""
    to = attacker_after(s, s.raid[k], move)
    if to == OFF or to == goal(s):
        return False
    s.raid[k + 1] = to
    placed = 0
    for i in range(k):
        placed = with_footprints(s, i, placed)
        placed &= ~discovered(s, i, placed)
    placed = with_footprints(s, k, placed)
    return not catches(s, k) and s.found[k] | discovered(s, k, placed) == s.found[k + 1]


def move_between(s, node, to):
    move = 0
    while attacker_after(s, node, move) != to:
        move += 1
    return move


def members(clues):
    return [node for node in range(MOST_NODES) if clues >> node & 1]


def cut(s):
    return s.round == s.rounds and not s.caught and s.raid[s.round] != goal(s)


def markov(s):
    """Where all are, and the clues."""
    return observe(s, ATTACKER)


def lump(s):
    """Clues help those who do not see everything."""
    return whereabouts(s, s.raid[s.round] + 1)


def observe(s, player):
    """The attacker sees all, the defenders themselves and the clues that were found."""
    if player == DEFENDER:
        return mix(whereabouts(s, 0), s.found[s.round])
    return mix(mix(lump(s), s.placed), s.found[s.round])


def whereabouts(s, attacker):
    number = attacker
    for j in range(defenders(s)):
        number = MOST_NODES * number + s.guard[s.round, j]
    return number


def short_form(s):
    """Attacker; defenders; clues placed; clues found: a state of the game with no bound, as rewards files have it."""
    guards = s.guard[s.round][: defenders(s)]
    parts = [[s.raid[s.round]], guards, members(s.placed), members(s.found[s.round])]
    return ";".join("".join(f" {node}" for node in part) for part in parts).strip()


def move_name(s, move):
    if s.pending == NONE:
        return MOVE_NAMES[move] if move < ENTER else f"enter {(move - ENTER) * s.width}"
    return joint_name(move - attacker_moves(s), DOWN + 1, defenders(s), MOVE_NAMES)


def features(s):
    at = s.raid[s.round]
    return {"attacker": "outside" if at == OUTSIDE else "goal" if at == goal(s) else f"node {at}"}


def show(s, player):
    seen = player != DEFENDER or over(s)
    marks = [["."] * s.width for _ in range(s.height)]
    for clues, mark in ((s.placed if seen else 0, "+"), (s.found[s.round], "*")):
        for node in members(clues):
            marks[node // s.width][node % s.width] = mark
    for j in range(defenders(s)):
        node = s.guard[s.round, j]
        marks[node // s.width][node % s.width] = str(j)
    node = s.raid[s.round]
    if seen and 0 <= node < goal(s):
        marks[node // s.width][node % s.width] = "x" if s.caught else "A"
    lines = [f"round {s.round} of {s.rounds}" + (f"   state {short_form(s)}" if seen else ""), *map(" ".join, marks)]
    so_far = range(s.round + 1)
    lines += [f"defender {j}: {' '.join(str(s.guard[k, j]) for k in so_far)}" for j in range(defenders(s))]
    lines.append("clues found: " + " ".join(",".join(map(str, members(s.found[k]))) or "-" for k in so_far))
    lines.append("attacker: " + " ".join(str(s.raid[k]) if seen else "?" for k in so_far))
    if s.pending != NONE:
        lines[-1] += f", moves {attacker_name(s) if player != DEFENDER else '?'}"
    return "\n".join(lines)


def attacker_name(s):
    return MOVE_NAMES[s.pending] if s.pending < ENTER else f"to {(s.pending - ENTER) * s.width}"


def svg(s, player):
    seen = player != DEFENDER or over(s)
    picture = board(s.height, s.width + 2, names=False)
    for column, name in ((0, "start"), (s.width + 1, "goal")):
        x, y = corner(0, column)
        picture.rect(x, y, 40, 40 * s.height, fill="#e5e7eb", line="#6b4f2a")
        picture.text(x + 20, y + 20 * s.height, name, 12)

    def place(node):
        if node in (OUTSIDE, goal(s)):
            return middle((s.height - 1) / 2, 0 if node == OUTSIDE else s.width + 1)
        return middle(node // s.width, 1 + node % s.width)

    for clues, colour in ((s.placed if seen else 0, SEATS[ATTACKER]), (s.found[s.round], SEATS[DEFENDER])):
        for node in members(clues):
            x, y = place(node)
            picture.circle(x + 13, y + 13, 4, fill=colour)
    for j in range(defenders(s)):
        stone(picture, *place(s.guard[s.round, j]), 14, SEATS[DEFENDER], str(j))
    if seen:
        stone(picture, *place(s.raid[s.round]), 11 if s.caught else 14, SEATS[ATTACKER], "A")
    told = f"round {s.round} of {s.rounds}"
    if s.pending != NONE:
        told += f", attacker: {attacker_name(s)}" if player != DEFENDER else ", attacker has moved"
    caption(picture, "caught" if s.caught else told)
    return str(picture)
