"""Can't Stop, the dice game of climbing columns without losing the way made in a turn.

The columns 2 to 12 are 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 steps long. In a turn a player rolls four dice and groups
them into two pairs; its markers climb a step in the columns of the two sums. A turn has three markers, which stay in
their columns. A column that cannot be climbed (finished by anyone, or no marker left for it) is passed over, and one
marker that can climb is enough. Then the player rolls again or stops. Stopping keeps the steps made; a roll that allows
nothing loses them. Both end the turn. Who first finishes three columns wins; once there the player can only stop.

Sackson 1980; Lanctot 2013, sec. 3.2.3. Smaller games have dice with fewer faces and shorter columns. A turn begins with
a roll, since stopping at once would do nothing.

A limit of turns makes it a game of points, of which a finished column brings 1000. After so many turns of each player
the higher score wins. Alone (players=1; Lanctot 2013, ch. 7) a player is paid its score. Lanctot 2013 tells neither the
turns nor the points; that half the range of payoffs is 5500 (sec. 7.4) fits eleven columns of 1000.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, Picture, Whole, mix, real_at, whole_at
from fogspiel.games.toolkit.dice import all_rolls, chance_of, draw_die
from fogspiel.games.toolkit.draw import SEATS

ROLL, STOP = 0, 1
ROLLING, PAIRING, DECIDING = 0, 1, 2
MARKERS = 3
TURN, KEPT = 0, 1
COLUMN = 1000
PARAMETERS = (
    Whole("faces", 6, 2, 6, "faces of a die; columns are numbered 2 to twice as many"),
    Whole("shortest", 3, 1, 3, "steps of the outer columns; each further in is 2 longer"),
    Whole("win", 3, 1, 6, "columns that win the game of two"),
    Whole("players", 2, 1, 2, "players; alone one plays for points"),
    Whole("turns", 0, 0, 1000, "turns of each player; 0: no limit"),
    Choice("evaluation", "turn", ("turn", "kept"), "whether guesses count the steps of a turn, or those kept alone"),
)
State = np.dtype(
    [
        ("faces", "i1"),
        ("shortest", "i1"),
        ("win", "i1"),
        ("players", "i1"),
        ("turns", "i2"),
        ("evaluation", "i1"),
        ("dice", "i8"),
        ("odds", "i8"),
        ("bust", "i8"),
        ("partner", "i8"),
        ("step", "i1", 22),
        ("climbed", "i1", 11),
        ("finished", "i1", 2),
        ("roll", "i2"),
        ("phase", "i1"),
        ("player", "i1"),
        ("left", "i2"),
    ],
    align=True,
)
"""step[11 * player + column - 2] are the steps kept, climbed[column - 2] those made in this turn; roll has the dice as
digits in rising order; left counts the turns left to the player to move, its present one included, if there is a limit.
dice are all rolls, odds their probabilities. A set of columns is a number whose bit column - 2 is set: bust[set] is the
chance of a roll without a sum in the set, partner[rolls * set + index of a roll] the roll that `mirror` gives."""


def about(faces, shortest, win, players, turns, evaluation):
    columns = 2 * faces - 1
    dice = all_rolls(4, faces)
    odds = np.array([chance_of(roll, faces) for roll in dice])
    tables = {
        "dice": np.array(dice),
        "odds": odds,
        "bust": bust_table(faces, dice, odds),
        "partner": partner_table(faces, shortest, dice, odds),
    }
    # A player knows the position, not the moves that led to it: rolls that fail return to the same one.
    if players == 2:
        if 2 * win - 1 > columns:
            raise ValueError(
                f"of {columns} columns two players may finish {win - 1} each, and none is left to win with"
            )
        return About(utility=(-1, 1), perfect_recall=False, tables=tables)
    if turns == 0:
        raise ValueError("alone, one plays for points in a number of turns: give turns as well")
    return About(players=1, utility=(0, COLUMN * columns), zero_sum=False, perfect_recall=False, tables=tables)


def bust_table(faces, dice, odds):
    """For each set of columns, the chance of a roll of which no two dice add up to one of them."""
    sets = np.arange(1 << (2 * faces - 1))
    return odds @ [(sets & sums(roll)) == 0 for roll in dice]


def partner_table(faces, shortest, dice, odds):
    """For each set of columns that can be climbed and each roll, another roll: the lucky one for an unlucky one.

    Luck is how much of a column the best pairing climbs. Rolls with as many dice alike, which are as likely, are ranked
    by it, and the first is the partner of the last, the second of the last but one, and so on.
    """
    sets = np.arange(1 << (2 * faces - 1))
    share = {c: (sets >> (c - 2) & 1) / length(faces, shortest, c) for c in range(2, 2 * faces + 1)}
    pairs = [[pair_sums(roll, i) for i in range(3)] for roll in dice]
    luck = np.array([np.max([share[x] + share[y] for x, y in three], 0) for three in pairs])
    partner = np.zeros((len(sets), len(dice)), np.int64)
    ways = np.rint(odds * faces**4)
    for kind in np.unique(ways):
        alike = np.flatnonzero(ways == kind)
        ranked = alike[np.argsort(luck[alike].T, axis=1, kind="stable")]
        np.put_along_axis(partner, ranked, np.array(dice)[ranked[:, ::-1]], axis=1)
    return partner.ravel()


def length(faces, shortest, column):
    return shortest + 2 * min(column - 2, 2 * faces - column)


def start(s):
    s.left = s.turns


def actor(s):
    if (s.turns > 0 and s.left == 0) or max(s.finished[0], s.finished[1]) >= needed(s):
        return OVER
    return CHANCE if s.phase == ROLLING else s.player


def needed(s):
    """How many finished columns end the game."""
    return s.win if s.players == 2 else 2 * s.faces - 1


def chance(s, out, prob):
    """The dice as digits in rising order."""
    n = rolls(s)
    for i in range(n):
        out[i] = whole_at(s.dice, i)
        prob[i] = real_at(s.odds, i)
    return n


def rolls(s):
    """How many rolls of four dice there are."""
    return s.faces * (s.faces + 1) * (s.faces + 2) * (s.faces + 3) // 24


def moves(s, out):
    """ROLL or STOP; or the column to climb, or two of them, the first times 100 plus the second."""
    if s.phase == DECIDING:
        if s.finished[s.player] + finishing(s) >= needed(s):
            out[0] = STOP
            return 1
        out[0] = ROLL
        out[1] = STOP
        return 2
    n = 0
    for i in range(3):
        x, y = pair_sums(s.roll, i)
        if both(s, x, y):
            n = add(out, n, 100 * x + y)
        else:
            if can_climb(s, x):
                n = add(out, n, x)
            if can_climb(s, y):
                n = add(out, n, y)
    return n


def pair_sums(roll, i):
    """The two sums of one of the three ways to pair four dice, the smaller first."""
    a, b, c, d = roll // 1000, roll // 100 % 10, roll // 10 % 10, roll % 10
    if i == 0:
        return a + b, c + d
    if i == 1:
        return a + c, b + d
    return min(a + d, b + c), max(a + d, b + c)


def room(s, column):
    """How many steps the player to move can still climb in a column; none if it is finished."""
    top = length(s.faces, s.shortest, column)
    if s.step[column - 2] == top or s.step[11 + column - 2] == top:
        return 0
    return top - s.step[11 * s.player + column - 2] - s.climbed[column - 2]


def wanted(s, column):
    """How many new markers it takes to climb in a column."""
    return 1 if s.climbed[column - 2] == 0 else 0


def markers_left(s):
    n = MARKERS
    for i in range(11):
        n -= s.climbed[i] > 0
    return n


def can_climb(s, column):
    return room(s, column) > 0 and wanted(s, column) <= markers_left(s)


def both(s, x, y):
    """Whether the player can climb in two columns, or two steps in one, with the same roll."""
    if x == y:
        return room(s, x) > 1 and can_climb(s, x)
    return room(s, x) > 0 and room(s, y) > 0 and wanted(s, x) + wanted(s, y) <= markers_left(s)


def add(out, n, move):
    """Write down a move that may have been written before; returns how many there are."""
    for i in range(n):
        if out[i] == move:
            return n
    out[n] = move
    return n + 1


def play(s, move):
    if s.phase == ROLLING:
        if sums(move) & climbable(s):
            s.roll = move
            s.phase = PAIRING
        else:
            end_turn(s)
    elif s.phase == PAIRING:
        if move >= 100:
            s.climbed[move // 100 - 2] += 1
        s.climbed[move % 100 - 2] += 1
        s.roll = 0
        s.phase = DECIDING
    elif move == ROLL:
        s.phase = ROLLING
    else:
        for i in range(2 * s.faces - 1):
            s.step[11 * s.player + i] += s.climbed[i]
            if s.climbed[i] > 0 and s.step[11 * s.player + i] == length(s.faces, s.shortest, i + 2):
                s.finished[s.player] += 1
        end_turn(s)


def sums(roll):
    """The set of columns that two dice of a roll add up to."""
    columns = 0
    for i in range(3):
        x, y = pair_sums(roll, i)
        columns |= (1 << (x - 2)) | (1 << (y - 2))
    return columns


def climbable(s):
    """The set of columns in which the player to move can climb."""
    columns = 0
    left = markers_left(s)
    for column in range(2, 2 * s.faces + 1):
        if room(s, column) > 0 and wanted(s, column) <= left:
            columns |= 1 << (column - 2)
    return columns


def end_turn(s):
    for i in range(11):
        s.climbed[i] = 0
    s.phase = ROLLING
    s.player += 1
    if s.player == s.players:
        s.player = 0
        if s.turns > 0:
            s.left -= 1


def finishing(s):
    """How many columns the player to move would finish by stopping now."""
    n = 0
    for i in range(2 * s.faces - 1):
        n += s.climbed[i] > 0 and room(s, i + 2) == 0
    return n


def payoff(s, out):
    if s.players == 1:
        out[0] = COLUMN * s.finished[0]
    else:
        out[0] = (s.finished[0] > s.finished[1]) - (s.finished[0] < s.finished[1])
        out[1] = -out[0]


def infoset(s, player):
    key = mix(mix(mix(0, s.roll), 4 * s.player + s.phase), s.left)
    first, second, turn = 0, 0, 0
    for i in range(11):
        first = 16 * first + s.step[i]
        second = 16 * second + s.step[11 + i]
        turn = 16 * turn + s.climbed[i]
    return mix(mix(mix(key, first), second), turn)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """What the players have climbed, a column by the square of its share: alone times 1000, otherwise the difference.

    Steps made in this turn count as if kept, or, where the dice are about to be rolled, times the chance that the roll
    allows something. With evaluation=kept they do not count: then a search sees what a roll brings only if it looks as
    far as the stop after it.
    """
    safe = 1 - real_at(s.bust, climbable(s)) if s.phase == ROLLING else 1.0
    if s.evaluation == KEPT:
        safe = 0.0
    if s.players == 1:
        out[0] = COLUMN * height(s, 0, safe)
    else:
        out[0] = math.tanh(2 * (height(s, 0, safe) - height(s, 1, safe)) / s.win)
        out[1] = -out[0]


def height(s, player, safe):
    total = 0.0
    for i in range(2 * s.faces - 1):
        top = length(s.faces, s.shortest, i + 2)
        if s.step[11 * (1 - player) + i] < top:
            kept = (s.step[11 * player + i] / top) ** 2
            total += kept
            if player == s.player:
                total += safe * (((s.step[11 * player + i] + s.climbed[i]) / top) ** 2 - kept)
    return total


def guide(s, out, prob):
    """The default policy of Lanctot 2013, sec. 7.4: stop after finishing a column, otherwise roll with probability
    0.85.

    Pairings, of which nothing is said, are all as likely.
    """
    n = moves(s, out)
    if s.phase == DECIDING and n == 2:
        if finishing(s) > 0:
            out[0] = STOP
            n = 1
        else:
            prob[0] = 0.85
            prob[1] = 0.15
            return n
    for i in range(n):
        prob[i] = 1 / n
    return n


def covariate(s, move):
    """Whether the roll allows nothing, less the probability of that (Lanctot 2013, sec. 7.1)."""
    columns = climbable(s)
    return (0.0 if sums(move) & columns else 1.0) - real_at(s.bust, columns)


def mirror(s, move):
    """The lucky roll for an unlucky one in this position, and vice versa (Lanctot 2013, sec. 7.3).

    There the rolls are ranked with the order of the dice told apart; here among rolls with as many dice alike.
    """
    low, high = 0, rolls(s) - 1
    while low < high:
        middle = (low + high) // 2
        if whole_at(s.dice, middle) < move:
            low = middle + 1
        else:
            high = middle
    return whole_at(s.partner, rolls(s) * climbable(s) + low)


def move_name(s, move):
    if s.phase == ROLLING:
        return f"rolled {' '.join(str(move))}"
    if s.phase == DECIDING:
        return "roll" if move == ROLL else "stop"
    return f"{move // 100} and {move % 100}" if move >= 100 else str(move)


def show(s, player):
    lines = []
    for column in range(2, 2 * s.faces + 1):
        top = length(s.faces, s.shortest, column)
        marks = ["."] * top
        for mark, at in zip("XO", (s.step[column - 2], s.step[11 + column - 2]), strict=True):
            if at:
                marks[at - 1] = "B" if marks[at - 1] == "X" else mark
        if s.climbed[column - 2]:
            marks[s.step[11 * s.player + column - 2] + s.climbed[column - 2] - 1] = "*"
        lines.append(f"{column:2} {''.join(marks)}")
    doing = f"has rolled {' '.join(str(s.roll))}" if s.roll else ("is to roll", "", "rolls again or stops")[s.phase]
    left = f"   turns left {s.left}" if s.turns else ""
    return "\n".join([*lines, f"{'XO'[s.player]} {doing}{left}"])


def svg(s, player):
    highest = length(s.faces, s.shortest, s.faces + 1)
    picture = Picture(40 + 34 * (2 * s.faces - 1), 70 + 18 * highest)
    for column in range(2, 2 * s.faces + 1):
        x, foot = 37 + 34 * (column - 2), 20 + 18 * highest
        for at in range(1, length(s.faces, s.shortest, column) + 1):
            picture.rect(x - 14, foot - 18 * at, 28, 16, fill="#f3ead7", line="#b08a5b")
        for i in range(s.players):
            if s.step[11 * i + column - 2]:
                picture.circle(x - 6 + 12 * i, foot - 18 * s.step[11 * i + column - 2] + 8, 6, fill=SEATS[i])
        if s.climbed[column - 2]:
            at = s.step[11 * s.player + column - 2] + s.climbed[column - 2]
            picture.circle(x, foot - 18 * at + 8, 6, fill="#111827")
        picture.text(x, foot + 10, str(column), bold=True)
    for k, face in enumerate(str(s.roll) if s.roll else ""):
        draw_die(picture, 24 + 34 * k, picture.height - 34, int(face))
    return str(picture)
