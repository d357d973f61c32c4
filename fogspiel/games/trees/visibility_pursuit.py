"""What one side of a visibility-based pursuit can come to know: its information-set tree with imperfect recall (Lisý
2014, sec. 5.3.1).

A node is where the side's own units are, and for each agent of the other side the squares where it may be; by which
ways all came there is forgotten. After a move of its units, a side sees an agent on one of the squares that it has in
sight and to which the agent may have gone, or the agent stays hidden, if it can. Of several pursuers the evader sees
one after another.

A pursuer that may be on more than 250 squares is not expected to appear, and these squares become no more. (One that
was never seen, the thesis ignores; here all know where all start.) The evader does not know what the pursuers know of
it: it wants that many squares are possible for each of them.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, lowest_bit, mix
from fogspiel.games.visibility_pursuit import (
    END_SIZE,
    EVADER,
    LONGEST,
    MOST,
    PREY,
    PURSUER,
    ROWS,
    SEEN,
    WAYS,
    add_seen,
    empty,
    hunted,
    insert,
    joint_moves,
    neighbour,
    prey_moves,
    rla_of,
    size_of,
    spread,
    watchful,
    weighed,
    within,
    worth,
)

HIDDEN = ROWS * ROWS
"""What is seen of an agent that is not seen; otherwise, its square."""
LOST = 250
"""Squares beyond which a pursuer is not expected to appear."""
MAX_MOVES = 1024

State = np.dtype(
    [
        ("searcher", "i1"),
        ("overconfident", "i1"),
        ("awaited", "i1"),
        ("found", "i1"),
        ("pursuers", "i1"),
        ("reach", "i1"),
        ("steps", "i1"),
        ("wait", "i1"),
        ("objective", "i1"),
        ("step", "i1"),
        ("rows", "i1"),
        ("columns", "i1"),
        ("path", "i2", (MOST + 1, LONGEST + 1)),
        ("possible", "i8", (MOST + 1, ROWS)),
        ("total", "i4"),
        ("times", "i1"),
        ("scratch", "i8", (3, ROWS)),
        ("free", "i8"),
        ("visible", "i8"),
    ],
    align=True,
)
"""As the game's. `awaited` is the agent of which is about to be seen where it is, from 1, or 0; `found` whether one was
seen in this step. `total` adds up the sizes of what the searching side holds possible; for the evader, as if in all
steps before they had been what they are at the root."""


def start(s):
    """Nothing but where they may be is left of the other side's agents."""
    for agent in range(MOST + 1):
        if (agent == PREY) == (s.searcher == PURSUER):
            for t in range(s.step + 1):
                s.path[agent, t] = 0
            stand_for(s, agent)
    if s.searcher == EVADER:
        s.total = hunted(s) * s.step


def stand_for(s, agent):
    """Put an agent on one of the squares where it may be: which one makes no difference."""
    for row in range(s.rows - 1, -1, -1):
        if s.possible[agent, row] != 0:
            s.path[agent, s.step] = row * s.columns + lowest_bit(s.possible[agent, row])


def actor(s):
    if s.awaited > 0:
        return CHANCE if s.overconfident else 1
    return OVER if s.step == s.steps else 0


def moves(s, out):
    if s.awaited > 0:
        return observations(s, out)
    if s.searcher == PURSUER:
        return joint_moves(s, out)
    return prey_moves(s, out)


def observations(s, out):
    """What hurts the searching side most tends to come first: an evader that hides, a pursuer that appears."""
    agent = s.awaited - 1
    look_around(s)
    n, hides = 0, 0
    for row in range(s.rows):
        hides += s.possible[agent, row] & ~s.scratch[2, row] != 0
    if agent == PREY and hides > 0:
        out[n] = HIDDEN
        n += 1
    for row in range(s.rows):
        rest = s.possible[agent, row] & s.scratch[2, row]
        while rest != 0:
            out[n] = row * s.columns + lowest_bit(rest)
            n += 1
            rest &= rest - 1
    if agent < PREY and hides > 0:
        out[n] = HIDDEN
        n += 1
    empty(s, s.scratch[2])
    return n


def look_around(s):
    """What the searching side has in sight, written to the last set of `scratch`."""
    if s.searcher == EVADER:
        add_seen(s, s.scratch[2], s.path[PREY, s.step])
    else:
        for unit in range(s.pursuers):
            add_seen(s, s.scratch[2], s.path[unit, s.step])


def play(s, move):
    if s.awaited > 0:
        observe(s, move)
    elif s.searcher == PURSUER:
        pursue(s, move)
    else:
        evade(s, move)


def pursue(s, ways):
    for unit in range(s.pursuers):
        s.path[unit, s.step + 1] = neighbour(s, s.path[unit, s.step], ways % WAYS)
        ways //= WAYS
    s.step += 1
    spread(s, s.possible[PREY])
    s.awaited = PREY + 1


def evade(s, way):
    s.path[PREY, s.step + 1] = neighbour(s, s.path[PREY, s.step], way)
    s.step += 1
    for unit in range(s.pursuers):
        if size_of(s, s.possible[unit]) <= LOST:
            spread(s, s.possible[unit])
    await_next(s, 0)


def await_next(s, first):
    """The next pursuer that may appear, from one on; after the last, the step is over."""
    s.awaited = 0
    for unit in range(s.pursuers - 1, first - 1, -1):
        if size_of(s, s.possible[unit]) <= LOST:
            s.awaited = unit + 1
    if s.awaited == 0:
        end_step(s)


def observe(s, what):
    agent = s.awaited - 1
    if what == HIDDEN:
        look_around(s)
        for row in range(s.rows):
            s.possible[agent, row] &= ~s.scratch[2, row]
        empty(s, s.scratch[2])
        stand_for(s, agent)
    else:
        empty(s, s.possible[agent])
        insert(s, s.possible[agent], what)
        s.path[agent, s.step] = what
        s.found = 1
    if agent < PREY:
        await_next(s, agent + 1)
    else:
        s.awaited = 0
        end_step(s)


def end_step(s):
    s.times += s.found
    s.found = 0
    s.total += region(s)


def region(s):
    """How many squares the searching side holds possible, added up over agents."""
    return size_of(s, s.possible[PREY]) if s.searcher == PURSUER else hunted(s)


def payoff(s, out):
    if s.objective == SEEN:
        tell(s, 0.0, out)
    else:
        tell(s, region(s) if s.objective == END_SIZE else s.total / max(1, s.steps), out)


def tell(s, size, out):
    """What so many squares are worth to the searching side, and to whoever chooses what it sees."""
    out[EVADER] = worth(s, size)
    out[PURSUER] = -out[EVADER]
    within(s, out)
    if s.searcher == EVADER:
        out[0], out[1] = out[1], out[0]


def infoset(s, player):
    key = mix(mix(s.step, s.awaited), mix(s.total, s.times + 2 * s.found))
    for agent in range(MOST + 1):
        if (agent == PREY) == (s.searcher == EVADER):
            key = mix(key, s.path[agent, s.step])
        elif agent < s.pursuers or agent == PREY:
            for row in range(s.rows):
                key = mix(key, s.possible[agent, row])
    return key


def rla(s, out):
    """The relaxed look-ahead."""
    tell(s, rla_of(s, s.searcher), out)


def urla(s, out):
    """The relaxed look-ahead and what was gathered on the way."""
    tell(s, rla_of(s, s.searcher) + s.total / max(1, s.steps), out)


def rs(s, out):
    """The size of the uncertain region; before an observation, without what is in sight."""
    if s.awaited == PREY + 1:
        look_around(s)
        for row in range(s.rows):
            s.scratch[2, row] = s.possible[PREY, row] & ~s.scratch[2, row]
        tell(s, size_of(s, s.scratch[2]), out)
        empty(s, s.scratch[2])
    else:
        tell(s, region(s), out)


def nosim(s, out):
    """As if the game were over: what was gathered up to now."""
    tell(s, s.total / max(1, s.step - (s.awaited > 0)), out)


evaluate = rs
EVALUATIONS = {"rla": rla, "urla": urla, "rs": rs, "nosim": nosim}


def guide(s, out, prob):
    """Random moves; an agent that may hide or be seen does either as likely, and if it is seen then anywhere (Lisý
    2014, sec. 5.5.1)."""
    n = moves(s, out)
    for i in range(n):
        prob[i] = n - 1.0 if out[i] == HIDDEN and s.awaited > 0 and n > 1 else 1.0
    return weighed(prob, n)


def heavy(s, out, prob):
    """Pursuers who know where the evader is go where they see it wherever it moves to next, if they can, and the evader
    hides if it can (Lisý 2014, Fig. 5.1)."""
    n = moves(s, out)
    known = s.searcher == PURSUER and size_of(s, s.possible[PREY]) == 1
    hides = False
    for i in range(n):
        hides = hides or (s.awaited > 0 and out[i] == HIDDEN)
    for i in range(n):
        prob[i] = 1.0
        if s.awaited > 0:
            prob[i] = 1.0 if not hides or out[i] == HIDDEN else 0.0
        elif known:
            prob[i] = watchful(s, out[i])
    return weighed(prob, n)


PLAYOUTS = {"heavy": heavy}
