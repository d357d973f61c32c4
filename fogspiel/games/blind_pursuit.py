"""Blind pursuit: on a grid, pursuers who never see the evader try to catch it.

The evader (player 0) starts in the bottom right cell, the pursuers (player 1 moves all of them) in the left column,
from the top down. Each round all move at once, each to a cell above, below, left or right; with wait=yes a piece may
stay. Two pursuers may not end up in one cell, but may change places. The evader is caught if a pursuer is in its cell
after the move, or if both went through each other. It sees everything; the pursuers know where they went, and that they
have not caught it.

This is a partially observable stochastic game, whose length has no bound, cut off after `rounds` rounds (L = 2 * rounds
in the names of Veselý 2024, as W3_H3_P2_C0_L6). Being caught pays the evader -reward; where the game is cut off it gets
0, or what `horizon` or the rewards file says. All payoffs are multiplied by `discount` once a round; the games in the
literature are cut off, but not discounted (1). Moves are numbered as there: up 0, down 1, left
2, right 3, wait 4, and a joint move of pursuers is their moves as the digits of a number, pursuer 0 first, to which the
number of the evader's moves is added.

Veselý 2024, sec. 4.1 and 5.1, after Horák et al. 2017. On the board of 2 by 2 with one pursuer and no waiting, uniform
play is optimal and pays -100 * (1 - 2^-rounds); with waiting the evader is never caught. Without waiting and with
discount=0.95, the default board is the benchmark peg03 of heuristic search value iteration, whose pursuers get 83.49.
"""

import numpy as np

from fogspiel.game import OVER, UNSEEN, About, Choice, Number, Whole, mix, pick, whole_at
from fogspiel.games.toolkit.draw import SEATS, board
from fogspiel.games.toolkit.graphs import OFF, STEP_NAMES, STEPS, WAIT, grid_steps
from fogspiel.games.toolkit.joint import joint_name, move_of
from fogspiel.games.toolkit.trails import caption, cells, draw_trails

EVADER, PURSUER = 0, 1
MOST = 3
SIDE = 7
LONGEST = 50
NONE = -1
TRIES = 1000
MAX_MOVES = STEPS**MOST
PARAMETERS = (
    Whole("width", 3, 2, SIDE, "columns of the grid"),
    Whole("height", 3, 2, SIDE, "rows of the grid"),
    Whole("pursuers", 2, 1, MOST, "how many pursuers there are"),
    Choice("wait", "yes", ("no", "yes"), "whether a piece may stay where it is"),
    Whole("rounds", 3, 1, LONGEST, "after how many rounds the game is cut off"),
    Whole("reward", 100, 1, 10**6, "what a capture pays the pursuers"),
    Number("discount", 1, 0, 1, "what a payoff is multiplied by for each round"),
)
State = np.dtype(
    [
        ("width", "i1"),
        ("height", "i1"),
        ("pursuers", "i1"),
        ("wait", "i1"),
        ("rounds", "i1"),
        ("reward", "i4"),
        ("discount", "f8"),
        ("steps", "i8"),
        ("round", "i1"),
        ("pending", "i1"),
        ("caught", "i1"),
        ("weight", "f8"),
        ("flight", "i1", LONGEST + 1),
        ("hunt", "i1", (LONGEST + 1, MOST)),
        ("seen", "u8", 2),
    ],
    align=True,
)
"""After each round, flight has the evader's cell and hunt the pursuers'; pending is the evader's move in a round
that is not over, or NONE. seen[player] is a key of what a player saw in the rounds that are over."""
CONFIGURATIONS = {
    f"W{width}_H{height}_P{pursuers}_C{wait}_L{2 * rounds}": f"blind_pursuit(width={width},height={height},"
    f"pursuers={pursuers},wait={('no', 'yes')[wait]},rounds={rounds})"
    for width, height, pursuers, wait, rounds in [
        (2, 2, 1, 0, 4),
        (2, 2, 1, 1, 4),
        (3, 3, 2, 0, 3),
        (3, 3, 2, 0, 4),
        (3, 3, 2, 1, 3),
        (3, 3, 2, 1, 4),
        (3, 4, 2, 0, 4),
        (3, 4, 2, 0, 5),
        (3, 4, 2, 1, 4),
        (4, 3, 2, 0, 5),
        (4, 4, 2, 0, 5),
    ]
}
"""The games of Veselý 2024, Table A.1, by their names there."""


def about(width, height, pursuers, wait, rounds, reward, discount):
    if pursuers > height:
        raise ValueError(f"{pursuers} pursuers do not fit into a column of {height} cells")
    away = width - 1 + height - pursuers
    first = (away + 1) // 2
    low = -reward * discount**first if first <= rounds else 0
    tables = {"steps": grid_steps(width, height)}
    return About(ranges=((low, 0), (0, -low)), simultaneous=True, horizon="rounds", discount="discount", tables=tables)


def start(s):
    s.pending = NONE
    s.weight = 1
    s.flight[0] = s.width * s.height - 1
    for j in range(s.pursuers):
        s.hunt[0, j] = s.width * j


def actor(s):
    if over(s):
        return OVER
    return EVADER if s.pending == NONE else PURSUER


def over(s):
    return s.caught or s.round == s.rounds


def step(s, cell, move):
    return whole_at(s.steps, STEPS * cell + move)


def choices(s):
    """How many moves a piece has: four, and waiting."""
    return WAIT + s.wait


def moves(s, out):
    if s.pending != NONE:
        return joint_moves(s, out)
    n = 0
    for move in range(choices(s)):
        out[n] = move
        n += step(s, s.flight[s.round], move) != OFF
    return n


def joint_moves(s, out):
    """The moves of one, two or three pursuers by which all stay on the board, and no two of them end up in one cell."""
    m, n = choices(s), 0
    for first in range(m):
        a = step(s, s.hunt[s.round, 0], first)
        if a == OFF:
            continue
        if s.pursuers == 1:
            out[n] = m + first
            n += 1
            continue
        for second in range(m):
            b = step(s, s.hunt[s.round, 1], second)
            if b in (OFF, a):
                continue
            if s.pursuers == 2:
                out[n] = m + m * first + second
                n += 1
                continue
            for third in range(m):
                c = step(s, s.hunt[s.round, 2], third)
                out[n] = m + m * (m * first + second) + third
                n += (c != OFF) & (c != a) & (c != b)
    return n


def pursuer_after(s, joint, j):
    """Where pursuer j is after a joint move."""
    return step(s, s.hunt[s.round, j], move_of(joint, choices(s), s.pursuers, j))


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    k = s.round
    for j in range(s.pursuers):
        s.hunt[k + 1, j] = pursuer_after(s, move - choices(s), j)
    s.flight[k + 1] = step(s, s.flight[k], s.pending)
    s.caught = meet(s, k, s.flight[k], s.flight[k + 1])
    s.pending = NONE
    s.weight *= s.discount
    s.round += 1
    s.seen[EVADER] = mix(note(s, EVADER, k), s.flight[k + 1])
    s.seen[PURSUER] = note(s, PURSUER, k)


def meet(s, k, cell, to):
    """Whether, after k rounds, a pursuer comes to the cell that the evader goes to, or both go through each other."""
    for j in range(s.pursuers):
        if s.hunt[k + 1, j] == to or (s.hunt[k + 1, j] == cell and s.hunt[k, j] == to):
            return True
    return False


def note(s, player, k):
    """Where the pursuers went after k rounds is worked into what a player has seen."""
    key = s.seen[player]
    for j in range(s.pursuers):
        key = mix(key, s.hunt[k + 1, j])
    return key


def payoff(s, out):
    out[EVADER] = -s.weight * s.reward if s.caught else 0.0
    out[PURSUER] = -out[EVADER]


def evaluate(s, out):
    """The nearer the nearest pursuer, the more of the reward is lost, as long as it can still come."""
    nearest = s.width + s.height
    cell = s.flight[s.round]
    for j in range(s.pursuers):
        other = s.hunt[s.round, j]
        across = abs(cell % s.width - other % s.width)
        nearest = min(nearest, across + abs(cell // s.width - other // s.width))
    needed = (nearest + 1) // 2
    out[EVADER] = 0.0
    if s.round + needed <= s.rounds:
        out[EVADER] = -s.weight * s.reward * (1 - nearest / (s.width + s.height - 1))
        for _ in range(needed):
            out[EVADER] *= s.discount
    out[PURSUER] = -out[EVADER]


def infoset(s, player):
    """The evader knows all; the pursuers know where they went, and at the end of the game all."""
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == EVADER else 1
    return mix(s.seen[EVADER] if player == EVADER or over(s) else s.seen[PURSUER], pending)


def sees(s, player, move):
    """The evader sees all, and the pursuers nothing before the end of the game."""
    if s.pending == NONE:
        return mix(1, 0)
    if player == EVADER:
        return mix(0, move)
    play(s, move)
    return mix(2, s.seen[EVADER]) if over(s) else UNSEEN


def resample(s, player, rng):
    """A flight that the pursuers have not met, as likely as if the evader moved at random; where such flights are too
    rare to come up, its moves are drawn from those by which it can get away."""
    if player == EVADER or over(s):
        return
    tries = 0
    while not draw_flight(s, rng, tries < TRIES):
        tries += 1
    s.seen[EVADER] = 0
    for k in range(s.round):
        s.seen[EVADER] = mix(note(s, EVADER, k), s.flight[k + 1])
    if s.pending != NONE:
        s.pending = draw_step(s, s.flight[s.round], rng)


def draw_flight(s, rng, random):
    """Draw the evader's moves; False if the pursuers meet it. Not `random`: moves by which it can get away from
    them."""
    for k in range(s.round):
        cell = s.flight[k]
        to = step(s, cell, draw_step(s, cell, rng))
        while not random and (meet(s, k, cell, to) or not safe(s, k + 1) >> to & 1):
            to = step(s, cell, draw_step(s, cell, rng))
        if meet(s, k, cell, to):
            return False
        s.flight[k + 1] = to
    return True


def draw_step(s, cell, rng):
    move = pick(rng, choices(s))
    while step(s, cell, move) == OFF:
        move = pick(rng, choices(s))
    return move


def safe(s, k):
    """The set of cells from which the evader can have got away from round k until now."""
    found = (1 << s.width * s.height) - 1
    for i in range(s.round - k):
        r = s.round - 1 - i
        before = 0
        for cell in range(s.width * s.height):
            for move in range(choices(s)):
                to = step(s, cell, move)
                if to != OFF and found >> to & 1 and not meet(s, r, cell, to):
                    before |= 1 << cell
        found = before
    return found


def cut(s):
    return s.round == s.rounds and not s.caught


def markov(s):
    """The cells of all pieces."""
    return observe(s, EVADER)


def observe(s, player):
    """The evader sees all, the pursuers their own cells."""
    key = s.flight[s.round] + 1 if player == EVADER else 0
    for j in range(s.pursuers):
        key = 64 * key + s.hunt[s.round, j]
    return key


def short_form(s):
    """The cells of the pursuers, then the evader's: a state of the game with no bound, as rewards files have it."""
    return " ".join(str(cell) for cell in [*s.hunt[s.round][: s.pursuers], s.flight[s.round]])


def move_name(s, move):
    if s.pending == NONE:
        return STEP_NAMES[move]
    return joint_name(move - choices(s), choices(s), s.pursuers, STEP_NAMES)


def features(s):
    return {"evader": f"cell {s.flight[s.round]}"}


def show(s, player):
    seen = player != PURSUER or over(s)
    marks = ["."] * (s.width * s.height)
    if seen:
        marks[s.flight[s.round]] = "E"
    for j in range(s.pursuers):
        marks[s.hunt[s.round, j]] = str(j)
    if s.caught:
        marks[s.flight[s.round]] = "*"
    lines = [f"round {s.round} of {s.rounds}" + (f"   state {short_form(s)}" if seen else "")]
    lines += [" ".join(marks[row : row + s.width]) for row in range(0, len(marks), s.width)]
    lines += [f"pursuer {j}: {' '.join(str(s.hunt[k, j]) for k in range(s.round + 1))}" for j in range(s.pursuers)]
    lines.append(f"evader: {' '.join(str(s.flight[k]) if seen or k == 0 else '?' for k in range(s.round + 1))}")
    if s.pending != NONE:
        lines[-1] += f", moves {STEP_NAMES[s.pending] if player != PURSUER else '?'}"
    return "\n".join(lines)


def svg(s, player):
    picture = board(s.height, s.width, names=False)
    seen = player != PURSUER or over(s)
    walks = [([s.hunt[k, j] for k in range(s.round + 1)], SEATS[PURSUER], str(j)) for j in range(s.pursuers)]
    walks += [([s.flight[k] for k in range(s.round + 1)], SEATS[EVADER], "E")] if seen else []
    draw_trails(picture, cells(s.height, s.width), walks)
    told = f"round {s.round} of {s.rounds}"
    if s.pending != NONE:
        told += f", evader moves {STEP_NAMES[s.pending]}" if player != PURSUER else ", evader has moved"
    caption(picture, "caught" if s.caught else told)
    return str(picture)
