"""Othello: discs between two of the other colour turn over, and who has most discs at the end wins.

Black (player 0) begins. In turn a player puts a disc on an empty square so that it encloses discs of the other in a
line, sideways, up and down or diagonally, between the new disc and another of its own; all that are enclosed, in
whatever direction, turn over. A player who can enclose nothing must pass, and nobody else may. The game is over when
neither can move. Most discs win; as many are a draw.

Squares are numbered by rows from the top left, as their names are: a1 is the corner there, h8 the one opposite. The
game starts with two discs of each on the four squares in the middle, those of a colour diagonally. Whitehouse 2014,
sec. 4.2.9. Boards of 6 by 6 and 4 by 4 start alike; with best play White wins both, by 20 to 16 (Feinstein 1993) and by
11 to 3.

Episodes (Whitehouse 2014, sec. 8.3.2) begin with the move after one on the edge of the board, and are told apart by who
makes it; the first move begins one of its own.
"""

import numpy as np

from fogspiel.game import CONTINUES, OVER, About, Choice, bit, count_bits, lowest_bit, mix
from fogspiel.games.toolkit.bits import has
from fogspiel.games.toolkit.boards import down, left, lettered, rectangle, right, square_name, up
from fogspiel.games.toolkit.draw import BLACK as INK
from fogspiel.games.toolkit.draw import FELT, board, middle, stones
from fogspiel.games.toolkit.draw import WHITE as PAPER

BLACK, WHITE = 0, 1
PASS = 64
NONE = -1
OPENING = 2
SIDES = 0x8181818181818181
"""The first and the last column of 8 by 8. A line that is not a column ends there."""
PARAMETERS = (Choice("size", "8", ("4", "6", "8"), "squares on a side of the board"),)
MAX_MOVES = 60
State = np.dtype(
    [("size", "i1"), ("player", "i1"), ("latest", "i1"), ("board", "u8"), ("discs", "u8", 2), ("open", "u8")],
    align=True,
)
"""board are all squares, discs those of each player, open those where the player to move encloses something: sets of
squares. latest is the move before, NONE at first; player is OVER at the end."""


def about(size):
    # A player knows the position and the move before, not those that led to it.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    s.board = rectangle(side(s), side(s))
    high, low = side(s) // 2, side(s) // 2 - 1
    s.discs[BLACK] = bit(8 * low + high) | bit(8 * high + low)
    s.discs[WHITE] = bit(8 * low + low) | bit(8 * high + high)
    s.latest = NONE
    s.player = BLACK
    s.open = open_to(s, BLACK)


def side(s):
    """Squares on a side of the board."""
    return 4 + 2 * s.size


def open_to(s, player):
    """The empty squares where a disc of a player encloses something."""
    mine, yours = s.discs[player], s.discs[1 - player]
    inner = yours & ~SIDES
    found = beyond(mine, inner, 1) | beyond(mine, inner, 7) | beyond(mine, yours, 8) | beyond(mine, inner, 9)
    return found & s.board & ~(mine | yours)


def beyond(mine, through, step):
    """The squares just beyond the unbroken lines of `through` that begin at one of mine, in two opposite directions."""
    high, low = lines(mine, through, step)
    return high << step | low >> step


def lines(begin, through, step):
    """The unbroken lines of `through` next to the squares of `begin`, upwards and downwards by `step`."""
    high = through & (begin << step)
    low = through & (begin >> step)
    for _ in range(5):
        high |= through & (high << step)
        low |= through & (low >> step)
    return high, low


def actor(s):
    return s.player


def moves(s, out):
    if s.open == 0:
        out[0] = PASS
        return 1
    n = 0
    rest = s.open
    while rest != 0:
        out[n] = lowest_bit(rest)
        rest ^= bit(out[n])
        n += 1
    return n


def play(s, move):
    player, other = s.player, 1 - s.player
    if move != PASS:
        put_down(s, player, bit(move))
    s.latest = move
    s.player = other
    s.open = open_to(s, other)
    if s.open == 0 and open_to(s, player) == 0:
        s.player = OVER


def put_down(s, player, disc):
    mine, yours = s.discs[player], s.discs[1 - player]
    inner = yours & ~SIDES
    gained = turned(disc, mine, inner, 1) | turned(disc, mine, inner, 7)
    gained |= turned(disc, mine, yours, 8) | turned(disc, mine, inner, 9)
    s.discs[player] = mine | gained
    s.discs[1 - player] = yours & ~gained


def turned(disc, mine, through, step):
    """A new disc with those of `through` that it and one of mine enclose, in two opposite directions."""
    high, low = lines(disc, through, step)
    gained = disc
    if (high << step) & mine != 0:
        gained |= high
    if (low >> step) & mine != 0:
        gained |= low
    return gained


def payoff(s, out):
    ahead = count_bits(s.discs[BLACK]) - count_bits(s.discs[WHITE])
    out[BLACK] = (ahead > 0) - (ahead < 0)
    out[WHITE] = -out[BLACK]


def infoset(s, player):
    return mix(mix(mix(mix(0, s.discs[BLACK]), s.discs[WHITE]), s.player), s.latest)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """Black's share, from -1 to 1, of what is safe and what is open: a corner counts as much as ten moves."""
    black, white = worth(s, BLACK), worth(s, WHITE)
    out[BLACK] = (black - white) / (black + white) if black + white > 0 else 0.0
    out[WHITE] = -out[BLACK]


def worth(s, player):
    return 10 * count_bits(s.discs[player] & corners(s.board)) + count_bits(open_to(s, player))


def corners(squares):
    return squares & ~(up(squares) & down(squares)) & ~(left(squares) & right(squares))


def edge(squares):
    """The squares of a board from which a step leads off it."""
    return squares & ~(up(squares) & down(squares) & left(squares) & right(squares))


def guide(s, out, prob):
    """A corner, or else any move."""
    n = moves(s, out)
    best = s.open & corners(s.board)
    for i in range(n):
        prob[i] = 1 / n if best == 0 else has(best, out[i]) / count_bits(best)
    return n


def episode(s):
    if s.latest == NONE:
        return OPENING
    on_edge = s.latest != PASS and bit(s.latest) & edge(s.board) != 0
    return s.player if on_edge else CONTINUES


def move_name(s, move):
    return "pass" if move == PASS else square_name(move // 8, move % 8)


def show(s, player):
    marks = [[mark(s, 8 * row + column) for column in range(side(s))] for row in range(side(s))]
    return f"{lettered(marks, upwards=False)}\n{told(s, 'X', 'O')}"


def mark(s, square):
    return "X" if has(s.discs[BLACK], square) else "O" if has(s.discs[WHITE], square) else "."


def told(s, *names):
    """How many discs there are, what happened last, and what is to come."""
    discs = ", ".join(f"{names[i]} {count_bits(s.discs[i])}" for i in range(2))
    latest = "" if s.latest == NONE else f" after {move_name(s, s.latest)}"
    return f"{discs}; " + (f"the game is over{latest}" if s.player == OVER else f"{names[s.player]} to move{latest}")


def svg(s, player):
    picture = board(side(s), side(s), colours=(FELT, FELT), upwards=False)
    colours = {"X": (INK, ""), "O": (PAPER, "")}
    stones(picture, side(s), side(s), lambda row, column: colours.get(mark(s, 8 * row + column)))
    if 0 <= s.latest < PASS:
        picture.circle(*middle(s.latest // 8, s.latest % 8), 4, fill="#dc2626")
    picture.text(picture.width / 2, 12, told(s, "black", "white"), 12)
    return str(picture)
