"""Visibility-based pursuit-evasion: pursuers try not to lose sight of an evader among walls.

On a map of squares, one player moves all pursuers and the other the evader; in each step everybody moves at once to an
adjacent square (with wait=yes, or stays). An agent sees another one at most `reach` squares away, if the straight line
between them crosses free squares only; so who sees is seen. Pursuers share what they see. Where nobody sees the evader,
the pursuers can still tell where it may be: the squares that it can have reached from where it was last seen without
coming into sight. The pursuers want that set to be small: with objective=mean_size on average over all steps, end_size
after the last one; with seen they want to see it in as many steps as they can. log_mean_size is the decimal logarithm
of the mean, which stresses small sets. Nobody is caught; the game ends after `steps` steps.

Lisý 2014, ch. 5, after Raboin, Nau, Kuter, Gupta and Švec 2010. There two pursuers chase one evader for 100 steps in a
maze of 50 by 49 squares with a reach of 10, and on a network of roads with 465 nodes, one every 5 m, and a reach of 25
m. Its maps are printed as pictures; these are others of the same size (presets maze_pursuit and road_pursuit; a road is
one square wide, and a square is 5 m). The first pursuer starts anywhere, the others at least `apart` moves from it, and
the evader where a pursuer sees it, as far from them as it can be then; `starts` such positions are drawn from `seed`
beforehand, and chance takes one. What is not printed and was assumed: all know where all start, and staying put is no
move (four moves a unit are counted there).

With abstraction=last_seen an agent's strategy depends on where its own units are, and where and when it last saw each
other agent, as in the thesis's IS-MCTS. EVALUATIONS and PLAYOUTS are its evaluation functions and simulations, for any
search: evaluation=rla, playout=no_return. What a side can come to know is a tree of its own
(`trees/visibility_pursuit.py`).
"""

import re

import numpy as np

from fogspiel.game import (
    CHANCE,
    OVER,
    PUBLIC,
    UNSEEN,
    About,
    Choice,
    Text,
    Whole,
    count_bits,
    lowest_bit,
    mix,
    nth_bit,
    pick,
    whole_at,
)
from fogspiel.games.toolkit import draw
from fogspiel.games.toolkit.maps import members, read_map, rings, row_sets, sight, squares_of

PURSUER, EVADER = 0, 1
MOST, LONGEST, ROWS = 3, 100, 64
PREY = MOST
"""The evader's place among the agents, behind those of the pursuers."""
MEAN_SIZE, LOG_MEAN_SIZE, END_SIZE, SEEN = 0, 1, 2, 3
NONE, LAST_SEEN = 0, 1
DOWN, RIGHT, NAMES = (-1, 0, 1, 0, 0), (0, 1, 0, -1, 0), "nesw-"
WAYS = 5
APART = 10
"""Steps between the sets that `redraw` remembers."""
AHEAD = 10
"""Steps that the relaxed look-ahead looks ahead."""
PARAMETERS = (
    Text("map", "rooms", "rooms, roads, maze, or rows of . and # with a / in between"),
    Whole("pursuers", 2, 1, MOST, "how many pursuers there are"),
    Whole("reach", 3, 1, 10, "how many squares an agent can see"),
    Whole("steps", 10, 1, LONGEST, "how often everybody moves"),
    Whole("apart", 4, 0, 1000, "moves between the first pursuer's start and those of the others, at least"),
    Choice("wait", "no", ("no", "yes"), "whether an agent may stay where it is"),
    Choice(
        "objective",
        "mean_size",
        ("mean_size", "log_mean_size", "end_size", "seen"),
        "what the evader wants to be large; seen: small",
    ),
    Choice(
        "abstraction",
        "none",
        ("none", "last_seen"),
        "what agents forget: nothing, or all but where they are and where they last saw others",
    ),
    Whole("starts", 100, 1, 250, "positions to start from, of which chance takes one"),
    Whole("seed", 1, 0, 2**31 - 1, "what the positions to start from are drawn by"),
)
State = np.dtype(
    [
        ("pursuers", "i1"),
        ("reach", "i1"),
        ("steps", "i1"),
        ("wait", "i1"),
        ("objective", "i1"),
        ("abstraction", "i1"),
        ("starts", "i4"),
        ("started", "i1"),
        ("step", "i1"),
        ("pending", "i2"),
        ("rows", "i1"),
        ("columns", "i1"),
        ("path", "i2", (MOST + 1, LONGEST + 1)),
        ("last", "i1", MOST + 1),
        ("possible", "i8", (MOST + 1, ROWS)),
        ("total", "i4"),
        ("times", "i1"),
        ("memory", "u8", 2),
        ("scratch", "i8", (3, ROWS)),
        ("marks", "i8", (LONGEST // APART + 1, ROWS)),
        ("size", "i8"),
        ("free", "i8"),
        ("visible", "i8"),
        ("begins", "i8"),
    ],
    align=True,
)
"""path[agent, t] is the square where an agent is after t steps, last[agent] when the other side last saw it,
possible[agent] where it may be as far as the other side knows: a set of columns for each row. `pending` is the
pursuers' move, from 1, while the evader has not moved. `total` adds up how many squares were possible for the evader
after each step, `times` in how many it was seen, `memory` is a hash of all that a side saw. `scratch` and `marks` hold
sets while a rule runs and are 0 otherwise."""


def about(map, pursuers, reach, steps, apart, wait, objective, abstraction, starts, seed):
    free = read_map(map)
    if len(free) > ROWS:
        raise ValueError(f"a map has at most {ROWS} rows, not {len(free)}")
    squares = int(free.sum())
    if squares < 2 or sum(ring.bit_count() for ring in rings(free, np.flatnonzero(free)[:1])) < squares:
        raise ValueError("a map needs at least two free squares, and ways between all of them")
    seen = sight(free, reach)
    low, high = {
        "mean_size": (1, squares),
        "end_size": (1, squares),
        "log_mean_size": (0, float(np.log10(squares))),
        "seen": (-steps - 1, 0),
    }[objective]
    tables = {
        "size": np.array(free.shape),
        "free": row_sets(free),
        "visible": seen.ravel(),
        "begins": begin(free, seen, pursuers, apart, starts, seed),
    }
    return About(
        ranges=((-high, -low), (low, high)), simultaneous=True, abstraction=abstraction != "none", tables=tables
    )


def begin(free, seen, pursuers, apart, starts, seed):
    """Positions to start from: of each pursuer, and of the evader."""
    rng = np.random.default_rng(seed)
    squares, found = np.flatnonzero(free), []
    for _ in range(starts):
        first = rng.choice(squares)
        others = members(sum(list(rings(free, [first]))[apart:]))
        if pursuers > 1 and not others:
            raise ValueError(f"on this map no square is {apart} moves from the first pursuer's: apart must be less")
        hunters = [first, *(rng.choice(others) for _ in range(pursuers - 1))]
        in_sight = 0
        for hunter in hunters:
            in_sight |= squares_of(rows_seen(seen, *divmod(hunter, free.shape[1])), free.shape[1])
        most_distant = [ring & in_sight for ring in rings(free, hunters) if ring & in_sight][-1]
        found.append([*hunters, *[0] * (MOST - pursuers), rng.choice(members(most_distant))])
    return np.array(found).ravel()


def rows_seen(seen, row, column):
    """The rows of what can be seen of a square."""
    reach = seen.shape[2] // 2
    return [seen[row, column, reach + other - row] if abs(other - row) <= reach else 0 for other in range(len(seen))]


def start(s):
    s.rows = whole_at(s.size, 0)
    s.columns = whole_at(s.size, 1)


def actor(s):
    if s.started == 0:
        return CHANCE
    if s.step == s.steps:
        return OVER
    return PURSUER if s.pending == 0 else EVADER


def moves(s, out):
    if s.started == 0:
        for i in range(s.starts):
            out[i] = i
        return s.starts
    if s.pending == 0:
        return joint_moves(s, out)
    return prey_moves(s, out)


def prey_moves(s, out):
    n = 0
    for way in range(WAYS):
        out[n] = way
        n += open_way(s, s.path[PREY, s.step], way)
    return n


def joint_moves(s, out):
    """A way for each pursuer: the digits of a number, the first pursuer's the lowest."""
    out[0] = 0
    n, digit = 1, 1
    for unit in range(s.pursuers):
        before = n
        n = 0
        for way in range(WAYS - 1, -1, -1):
            if open_way(s, s.path[unit, s.step], way):
                n += 1
        for i in range(before - 1, -1, -1):
            base = out[i]
            k = n * i
            for way in range(WAYS):
                if open_way(s, s.path[unit, s.step], way):
                    out[k] = base + digit * way
                    k += 1
        n *= before
        digit *= WAYS
    return n


def open_way(s, square, way):
    """Whether an agent can go this way."""
    if way == WAYS - 1:
        return s.wait == 1
    row, column = square // s.columns + DOWN[way], square % s.columns + RIGHT[way]
    if row < 0 or row >= s.rows or column < 0 or column >= s.columns:
        return False
    return (whole_at(s.free, row) >> column) & 1 == 1


def neighbour(s, square, way):
    return square + DOWN[way] * s.columns + RIGHT[way]


def play(s, move):
    if s.started == 0:
        for agent in range(MOST + 1):
            s.path[agent, 0] = whole_at(s.begins, (MOST + 1) * move + agent)
        s.started = 1
        observe(s, 0)
    elif s.pending == 0:
        s.pending = move + 1
    else:
        ways = s.pending - 1
        for unit in range(s.pursuers):
            s.path[unit, s.step + 1] = neighbour(s, s.path[unit, s.step], ways % WAYS)
            ways //= WAYS
        s.path[PREY, s.step + 1] = neighbour(s, s.path[PREY, s.step], move)
        s.pending = 0
        s.step += 1
        observe(s, s.step)


def observe(s, t):
    """What both sides learn of the positions after t steps."""
    prey = s.path[PREY, t]
    found = t == 0
    for unit in range(s.pursuers):
        hunter = s.path[unit, t]
        s.memory[PURSUER] = mix(s.memory[PURSUER], hunter)
        met = t == 0 or in_view(s, prey, hunter)
        s.memory[EVADER] = mix(s.memory[EVADER], hunter + 1 if met else 0)
        found = found or met
        if met:
            spot(s, unit, t)
        else:
            go_on(s, unit, t)
    s.memory[PURSUER] = mix(s.memory[PURSUER], prey + 1 if found else 0)
    s.memory[EVADER] = mix(s.memory[EVADER], prey)
    if found:
        spot(s, PREY, t)
    else:
        go_on(s, PREY, t)
    s.times += found
    if t > 0:
        s.total += size_of(s, s.possible[PREY])


def in_view(s, square, other):
    down = other // s.columns - square // s.columns
    if abs(down) > s.reach:
        return False
    return (whole_at(s.visible, (2 * s.reach + 1) * square + s.reach + down) >> (other % s.columns)) & 1 == 1


def spot(s, agent, t):
    """The other side sees an agent after t steps."""
    empty(s, s.possible[agent])
    insert(s, s.possible[agent], s.path[agent, t])
    s.last[agent] = t


def empty(s, squares):
    for row in range(s.rows):
        squares[row] = 0


def insert(s, squares, square):
    squares[square // s.columns] |= 1 << (square % s.columns)


def holds(s, squares, square):
    return (squares[square // s.columns] >> (square % s.columns)) & 1 == 1


def size_of(s, squares):
    n = 0
    for row in range(s.rows):
        n += count_bits(squares[row])
    return n


def spread(s, squares):
    """The squares one step from some of these."""
    above = 0
    here = squares[0]
    for row in range(s.rows):
        below = squares[row + 1] if row + 1 < s.rows else 0
        reached = above | below | (here << 1) | (here >> 1)
        if s.wait == 1:
            reached |= here
        squares[row] = reached & whole_at(s.free, row)
        above = here
        here = below


def leave_out(s, squares, square):
    """Without what can be seen of a square."""
    first = square // s.columns - s.reach
    for row in range(max(0, first), min(s.rows, first + 2 * s.reach + 1)):
        squares[row] &= ~whole_at(s.visible, (2 * s.reach + 1) * square + row - first)


def add_seen(s, squares, square):
    """With what can be seen of a square."""
    first = square // s.columns - s.reach
    for row in range(max(0, first), min(s.rows, first + 2 * s.reach + 1)):
        squares[row] |= whole_at(s.visible, (2 * s.reach + 1) * square + row - first)


def payoff(s, out):
    size = size_of(s, s.possible[PREY]) if s.objective == END_SIZE else s.total / s.steps
    out[EVADER] = -1.0 * s.times if s.objective == SEEN else worth(s, size)
    out[PURSUER] = -out[EVADER]


def worth(s, size):
    """What the evader gains by so many squares on which it may be; where being seen counts, a guess: once in so many
    steps from now."""
    if s.objective == SEEN:
        return -s.times - (s.steps - s.step) / max(1.0, size)
    return np.log10(max(1.0, size)) if s.objective == LOG_MEAN_SIZE else max(1.0, size)


def infoset(s, player):
    key = mix(0, s.step + 128 * s.started)
    if s.started == 0:
        return key
    if player == PUBLIC:
        return mix(key, mix(s.path[0, 0], mix(s.path[1, 0], mix(s.path[2, 0], s.path[PREY, 0]))))
    return mix(mix(key, s.memory[player]), s.pending if player == PURSUER else 1 + player)


def abstract(s, player):
    if s.abstraction == NONE:
        return infoset(s, player)
    key = mix(player, s.step)
    for agent in range(MOST + 1):
        if agent < s.pursuers or agent == PREY:
            mine = (agent == PREY) == (player == EVADER)
            key = mix(mix(key, -1 if mine else s.last[agent]), s.path[agent, s.step if mine else s.last[agent]])
    return key


def sees(s, player, move):
    """Who of the other side is in view once both have moved; at the start, where all are."""
    if s.started and s.pending == 0:
        return UNSEEN
    play(s, move)
    key = mix(2, 0)
    for agent in range(MOST + 1):
        if agent < s.pursuers or agent == PREY:
            mine = (agent == PREY) == (player == EVADER)
            shown = s.step == 0 or (not mine and s.last[agent] == s.step)
            key = mix(key, s.path[agent, s.step] + 1 if shown else 0)
    return key


def resample(s, player, rng):
    """Other ways of the other side's agents that this player would have seen as much of; each square where an agent may
    be now is as likely (which is not how random play would have it), and of the squares before, each from which it can
    have come."""
    if s.started == 0:
        return
    for agent in range(MOST + 1):
        if (agent < s.pursuers and player == EVADER) or (agent == PREY and player == PURSUER):
            redraw(s, agent, rng)
    look_back(s)
    if player == EVADER and s.pending > 0:
        s.pending = draw_ways(s, rng) + 1


def look_back(s):
    """What both sides have learned by now, by where all have been."""
    s.total = 0
    s.times = 0
    s.memory[PURSUER] = 0
    s.memory[EVADER] = 0
    for t in range(s.step + 1):
        observe(s, t)


def redraw(s, agent, rng):
    """Another way of an agent, from its end to its beginning."""
    for t in range(s.step + 1):
        if seen_after(s, agent, t):
            empty(s, s.possible[agent])
            insert(s, s.possible[agent], s.path[agent, t])
        else:
            go_on(s, agent, t)
        if t % APART == 0:
            for row in range(s.rows):
                s.marks[t // APART, row] = s.possible[agent, row]
    for t in range(s.step, 0, -1):
        if not seen_after(s, agent, t):
            held_possible(s, agent, t)
            if t < s.step:
                near_to(s, s.path[agent, t + 1])
                for row in range(s.rows):
                    s.possible[agent, row] &= s.scratch[0, row]
                empty(s, s.scratch[0])
            s.path[agent, t] = draw_square(s, s.possible[agent], rng)
    for mark in range(s.step // APART + 1):
        empty(s, s.marks[mark])


def seen_after(s, agent, t):
    """Whether the other side sees an agent after t steps; all are seen at the start."""
    if agent < PREY or t == 0:
        return t == 0 or in_view(s, s.path[PREY, t], s.path[agent, t])
    for unit in range(s.pursuers):
        if in_view(s, s.path[unit, t], s.path[PREY, t]):
            return True
    return False


def go_on(s, agent, t):
    """An agent moves unseen: where it may be after t steps, by where it may have been before."""
    spread(s, s.possible[agent])
    if agent < PREY:
        leave_out(s, s.possible[agent], s.path[PREY, t])
    else:
        for unit in range(s.pursuers):
            leave_out(s, s.possible[agent], s.path[unit, t])


def held_possible(s, agent, t):
    """Where the other side held an agent possible after t steps, written to `possible`: from when it was seen, or from
    a mark, on."""
    first = t
    while first % APART != 0 and not seen_after(s, agent, first):
        first -= 1
    empty(s, s.possible[agent])
    if seen_after(s, agent, first):
        insert(s, s.possible[agent], s.path[agent, first])
    else:
        for row in range(s.rows):
            s.possible[agent, row] = s.marks[first // APART, row]
    for k in range(first + 1, t + 1):
        go_on(s, agent, k)


def near_to(s, square):
    """The squares from which one step leads to a square, written to the first set of `scratch`."""
    empty(s, s.scratch[0])
    insert(s, s.scratch[0], square)
    spread(s, s.scratch[0])


def draw_square(s, squares, rng):
    left = pick(rng, size_of(s, squares))
    row = 0
    while left >= count_bits(squares[row]):
        left -= count_bits(squares[row])
        row += 1
    return row * s.columns + nth_bit(squares[row], left)


def draw_ways(s, rng):
    """A move of the pursuers, each as likely."""
    ways, digit = 0, 1
    for unit in range(s.pursuers):
        n = 0
        for way in range(WAYS):
            n += open_way(s, s.path[unit, s.step], way)
        left = pick(rng, n)
        for way in range(WAYS):
            if open_way(s, s.path[unit, s.step], way):
                if left == 0:
                    ways += digit * way
                left -= 1
        digit *= WAYS
    return ways


def ignore(s, player, most):
    """The game without the pursuers that the evader never saw, or that may be on more than `most` squares (Lisý 2014,
    sec. 5.3.1 and 5.3.2): as if they had never been there."""
    if s.started == 0 or player == PURSUER:
        return
    there = s.pursuers
    pending, s.pending = s.pending, 0
    s.pursuers = 0
    digit = 1
    for unit in range(there):
        if ever_seen(s, unit) and size_of(s, s.possible[unit]) <= most:
            if pending > 0:
                s.pending += digit * ((pending - 1) // WAYS**unit % WAYS)
            for t in range(s.step + 1):
                s.path[s.pursuers, t] = s.path[unit, t]
            s.pursuers += 1
            digit *= WAYS
    s.pending += pending > 0
    for unit in range(s.pursuers, there):
        for t in range(s.step + 1):
            s.path[unit, t] = 0
        empty(s, s.possible[unit])
        s.last[unit] = 0
    look_back(s)


def ever_seen(s, unit):
    """Whether the evader has had a pursuer in sight; that it knows where all start does not count."""
    return s.last[unit] > 0 or in_view(s, s.path[PREY, 0], s.path[unit, 0])


def relaxed_look_ahead(s, hidden, hunters, ahead):
    """How many squares someone on `hidden` can reach in 0, 1, ... steps that nobody on `hunters` could possibly see
    then, on average.

    Both are sets of `scratch`, which change; the third is used as well.
    """
    found = 0
    for i in range(ahead + 1):
        if i > 0:
            spread(s, s.scratch[hidden])
            spread(s, s.scratch[hunters])
        empty(s, s.scratch[2])
        for row in range(s.rows):
            rest = s.scratch[hunters, row]
            while rest != 0:
                add_seen(s, s.scratch[2], row * s.columns + lowest_bit(rest))
                rest &= rest - 1
        for row in range(s.rows):
            found += count_bits(s.scratch[hidden, row] & ~s.scratch[2, row])
    for i in range(3):
        empty(s, s.scratch[i])
    return found / (ahead + 1)


def rla_of(s, player):
    """RLA, the relaxed look-ahead, as one side can know it."""
    for row in range(s.rows):
        if player == PURSUER:
            s.scratch[0, row] = s.possible[PREY, row]
        else:
            for unit in range(s.pursuers):
                s.scratch[1, row] |= s.possible[unit, row]
    if player == PURSUER:
        for unit in range(s.pursuers):
            insert(s, s.scratch[1], s.path[unit, s.step])
    else:
        insert(s, s.scratch[0], s.path[PREY, s.step])
    return relaxed_look_ahead(s, 0, 1, AHEAD)


def rla(s, out):
    """The relaxed look-ahead of either side (Lisý 2014, sec. 5.3)."""
    out[PURSUER] = out[EVADER] = 0.0
    if s.started == 1:
        out[PURSUER] = -worth(s, rla_of(s, PURSUER))
        out[EVADER] = worth(s, rla_of(s, EVADER))
    within(s, out)


def urla(s, out):
    """The relaxed look-ahead and what was gathered on the way, as far as either side can know it."""
    out[PURSUER] = out[EVADER] = 0.0
    if s.started == 1:
        out[PURSUER] = -worth(s, rla_of(s, PURSUER) + s.total / s.steps)
        out[EVADER] = worth(s, rla_of(s, EVADER) + hunted(s) * s.step / s.steps)
    within(s, out)


def rs(s, out):
    """The size of the region where the other side may be."""
    out[PURSUER] = out[EVADER] = 0.0
    if s.started == 1:
        out[PURSUER] = -worth(s, size_of(s, s.possible[PREY]))
        out[EVADER] = worth(s, hunted(s))
    within(s, out)


def nosim(s, out):
    """As if the game were over: what was gathered up to now."""
    out[PURSUER] = out[EVADER] = 0.0
    if s.started == 1:
        out[PURSUER] = -worth(s, s.total / max(1, s.step))
        out[EVADER] = worth(s, hunted(s))
    within(s, out)


def hunted(s):
    """Squares where the pursuers may be, added up: what the evader can know of how well it hides."""
    size = 0
    for unit in range(s.pursuers):
        size += size_of(s, s.possible[unit])
    return size


def within(s, out):
    """A guess is no more than a game can pay."""
    squares = 0
    for row in range(s.rows):
        squares += count_bits(whole_at(s.free, row))
    low, high = 1.0, 1.0 * squares
    if s.objective == SEEN:
        low, high = -1.0 - s.steps, 0.0
    elif s.objective == LOG_MEAN_SIZE:
        low, high = 0.0, np.log10(1.0 * squares)
    out[EVADER] = min(high, max(low, out[EVADER]))
    out[PURSUER] = -min(high, max(low, -out[PURSUER]))


evaluate = rs


def no_return(s, out, prob):
    """Random play in which no agent goes back at once to where it came from, unless it must."""
    n = moves(s, out)
    for i in range(n):
        prob[i] = 1.0
        ways = out[i]
        if s.pending > 0:
            prob[i] = 1.0 - goes_back(s, PREY, ways)
        else:
            for unit in range(s.pursuers):
                prob[i] *= 1.0 - goes_back(s, unit, ways % WAYS)
                ways //= WAYS
    return weighed(prob, n)


def goes_back(s, agent, way):
    """Whether a way leads back to where an agent was a step ago, though others are open to it."""
    if s.step == 0 or neighbour(s, s.path[agent, s.step], way) != s.path[agent, s.step - 1]:
        return 0.0
    n = 0
    for other in range(WAYS):
        n += open_way(s, s.path[agent, s.step], other)
    return 1.0 if n > 1 else 0.0


def weighed(prob, n):
    """Probabilities of n moves by their weights; if all are 0, every move is as likely."""
    total = 0.0
    for i in range(n):
        total += prob[i]
    for i in range(n):
        prob[i] = prob[i] / total if total > 0 else 1.0 / n
    return n


def heavy(s, out, prob):
    """Pursuers who know where the evader is go where they see it wherever it moves to next, if they can; the evader
    goes where it is not seen from where they are now, if it can; otherwise at random (Lisý 2014, Fig. 5.1)."""
    n = moves(s, out)
    known = size_of(s, s.possible[PREY]) == 1
    for i in range(n):
        prob[i] = 1.0
        ways = out[i]
        if s.pending > 0:
            prob[i] = 1.0 - exposed(s, neighbour(s, s.path[PREY, s.step], ways))
        elif known:
            prob[i] = watchful(s, ways)
    return weighed(prob, n)


def watchful(s, ways):
    """1 if each pursuer that can go where it sees the evader wherever it moves to next does so, else 0."""
    kept = 1.0
    for unit in range(s.pursuers):
        if watching(s, s.path[unit, s.step]):
            kept *= watches(s, neighbour(s, s.path[unit, s.step], ways % WAYS))
        ways //= WAYS
    return kept


def exposed(s, square):
    for unit in range(s.pursuers):
        if in_view(s, square, s.path[unit, s.step]):
            return 1.0
    return 0.0


def watching(s, square):
    """Whether a square is next to one that `watches`."""
    for way in range(WAYS):
        if open_way(s, square, way) and watches(s, neighbour(s, square, way)) > 0:
            return True
    return False


def watches(s, square):
    """1 if wherever the evader goes next can be seen of a square, else 0."""
    prey = s.path[PREY, s.step]
    for way in range(WAYS):
        if open_way(s, prey, way) and not in_view(s, square, neighbour(s, prey, way)):
            return 0.0
    return 1.0


def last_seen(s, out, prob):
    """Pursuers take a shortest way to where the evader was last seen; it goes where the distances from them add up to
    most."""
    n = moves(s, out)
    if s.pending > 0:
        return farthest(s, out, prob, n)
    for i in range(n):
        prob[i] = 1.0
    digit = 1
    target = s.path[PREY, s.last[PREY]]
    for unit in range(s.pursuers):
        here = s.path[unit, s.step]
        insert(s, s.scratch[0], target)
        while not holds(s, s.scratch[0], here):
            widen(s)
        for i in range(n):
            if here != target and not holds(s, s.scratch[1], neighbour(s, here, out[i] // digit % WAYS)):
                prob[i] = 0.0
        empty(s, s.scratch[0])
        empty(s, s.scratch[1])
        digit *= WAYS
    return weighed(prob, n)


def farthest(s, out, prob, n):
    """The evader's moves for which the distances from the pursuers add up to most."""
    here = s.path[PREY, s.step]
    for i in range(n):
        prob[i] = 0.0
    for unit in range(s.pursuers):
        insert(s, s.scratch[0], s.path[unit, s.step])
        missing = 1
        while missing > 0:
            missing = 0
            for i in range(n):
                if not holds(s, s.scratch[0], neighbour(s, here, out[i])):
                    prob[i] += 1.0
                    missing += 1
            widen(s)
        empty(s, s.scratch[0])
        empty(s, s.scratch[1])
    best = 0.0
    for i in range(n):
        best = max(best, prob[i])
    for i in range(n):
        prob[i] = 1.0 if prob[i] == best else 0.0
    return weighed(prob, n)


def widen(s):
    """Add what is one step from it to the first set of `scratch`; the second is what it was before."""
    for row in range(s.rows):
        s.scratch[1, row] = s.scratch[0, row]
    spread(s, s.scratch[0])
    for row in range(s.rows):
        s.scratch[0, row] |= s.scratch[1, row]


EVALUATIONS = {"rla": rla, "urla": urla, "rs": rs, "nosim": nosim}
PLAYOUTS = {"no_return": no_return, "heavy": heavy, "last_seen": last_seen}
INFORMATION_SET_TREE = "fogspiel.games.trees.visibility_pursuit"


def move_name(s, move):
    if s.started == 0:
        return f"start {move}"
    if s.pending > 0:
        return NAMES[move]
    return "".join(NAMES[move // WAYS**unit % WAYS] for unit in range(s.pursuers))


def known_places(s, player):
    """Where this player sees agents, and the squares where hidden ones may be."""
    places, maybe = {}, set()
    for agent in [*range(s.pursuers), PREY] if s.started else []:
        mine = player is None or (agent == PREY) == (player == EVADER)
        if mine or seen_after(s, agent, s.step):
            places[s.path[agent, s.step]] = "E" if agent == PREY else str(agent + 1)
        if not mine:
            rows = [s.possible[agent][row] for row in range(s.rows)]
            maybe |= {row * s.columns + c for row, bits in enumerate(rows) for c in range(s.columns) if bits >> c & 1}
    return places, maybe


def past(s, player):
    """What a player remembers: where its units went, and where it saw others."""
    told = []
    for agent in [*range(s.pursuers), PREY] if s.started else []:
        mine = player is None or (agent == PREY) == (player == EVADER)
        steps = [t for t in range(s.step + 1) if mine or seen_after(s, agent, t)]
        name = "E" if agent == PREY else str(agent + 1)
        squares = [f"{t}:{s.path[agent, t] % s.columns},{s.path[agent, t] // s.columns}" for t in steps]
        told.append(f"{name} {'went' if mine else 'seen'} {' '.join(squares)}")
    return told


def show(s, player):
    places, maybe = known_places(s, player)
    free = [[whole_at(s.free, row) >> column & 1 for column in range(s.columns)] for row in range(s.rows)]
    marks = [
        "".join(
            places.get(row * s.columns + c, "?" if row * s.columns + c in maybe else " " if free[row][c] else "█")
            for c in range(s.columns)
        )
        for row in range(s.rows)
    ]
    pending = f", pursuers go {pursuers_go(s)}" if s.pending > 0 and player in (None, PURSUER) else ""
    return "\n".join([f"step {s.step} of {s.steps}{pending}", *marks, *past(s, player)])


def pursuers_go(s):
    return "".join(NAMES[(s.pending - 1) // WAYS**unit % WAYS] for unit in range(s.pursuers))


def svg(s, player):
    cell = 12
    places, maybe = known_places(s, player)
    picture = draw.Picture(s.columns * cell, s.rows * cell + 24)
    for row in range(s.rows):
        walls = "".join("# "[whole_at(s.free, row) >> column & 1] for column in range(s.columns))
        for run in re.finditer("#+", walls):
            picture.rect(run.start() * cell, row * cell, len(run[0]) * cell, cell, fill="#4b5563")
    for square in sorted(maybe):
        picture.rect(square % s.columns * cell, square // s.columns * cell, cell, cell, fill="#fde68a")
    for square, name in places.items():
        x, y = (square % s.columns + 0.5) * cell, (square // s.columns + 0.5) * cell
        draw.stone(picture, x, y, 0.45 * cell, draw.SEATS[1] if name == "E" else draw.SEATS[0], name)
    picture.text(4, s.rows * cell + 12, f"step {s.step} of {s.steps}", anchor="start")
    return str(picture)
