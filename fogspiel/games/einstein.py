"""EinStein würfelt nicht!, a race and chase of numbered stones, moved as a die tells.

Each player has six stones in a corner of a board of five by five. A turn begins with a roll: the stone of that number
must move, or, if it is gone, the next lower or the next higher one that is left. Stones go one square towards the
opposite corner: sideways, along or diagonally. What stands on the square, a stone of either side, is taken off. Who
reaches the opposite corner or takes the other's last stone wins.

Althöfer 2004; Lanctot 2013, sec. 3.2.2, which does not tell how the stones are set up: here at random in the corner's
triangle, or in order. Boards and sets of stones may be smaller; the die has as many faces as a player has stones.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, Whole, mix
from fogspiel.games.toolkit.boards import pay_winner
from fogspiel.games.toolkit.dice import draw_die, write_faces
from fogspiel.games.toolkit.draw import SEATS, WHITE, board, middle

GONE = -1
NOBODY = -1
RANDOM = 0
PARAMETERS = (
    Whole("size", 5, 2, 8, "squares on a side of the board"),
    Whole("stones", 6, 1, 6, "stones of each player, and faces of the die"),
    Choice("setup", "random", ("random", "ordered"), "how the stones of a player stand in its corner"),
)
State = np.dtype(
    [
        ("size", "i1"),
        ("stones", "i1"),
        ("setup", "i1"),
        ("square", "i1", 12),
        ("placed", "i1"),
        ("die", "i1"),
        ("player", "i1"),
        ("winner", "i1"),
    ],
    align=True,
)
"""square[6 * player + stone] is where a stone stands, by rows, or GONE; placed counts the stones of both set up so far;
die is 0 before the roll. Player 0 starts at square 0, player 1 at the last one."""


def about(size, stones, setup):
    if corner_depth(stones) >= size:
        raise ValueError(f"{stones} stones on each side do not fit on a board of {size} by {size}")
    # A player knows the position, not the moves that led to it: many ways lead to the same one.
    return About(utility=(-1, 1), perfect_recall=False)


def corner_depth(stones):
    """Diagonals that the stones of a player fill at the start."""
    depth = 1
    while depth * (depth + 1) // 2 < stones:
        depth += 1
    return depth


def start(s):
    for i in range(12):
        s.square[i] = GONE
    s.winner = NOBODY
    if s.setup != RANDOM:
        while s.placed < 2 * s.stones:
            place(s, s.placed % s.stones)


def place(s, spot):
    """Put the next stone on a spot of its player's corner."""
    player = s.placed // s.stones
    s.square[6 * player + s.placed % s.stones] = home(s, player, spot)
    s.placed += 1


def home(s, player, spot):
    """The square of a spot in a player's corner: spots are numbered by diagonals from the corner on."""
    diagonal = 0
    while spot > diagonal:
        diagonal += 1
        spot -= diagonal
    square = spot * s.size + diagonal - spot
    return square if player == 0 else s.size * s.size - 1 - square


def actor(s):
    if s.winner != NOBODY:
        return OVER
    return CHANCE if s.die == 0 else s.player


def moves(s, out):
    """Chance: a free spot for the next stone, or the die. A player: three times the stone's index, plus the
    direction."""
    n = 0
    if s.placed < 2 * s.stones:
        player = s.placed // s.stones
        for spot in range(s.stones):
            if owner(s, home(s, player, spot)) == NOBODY:
                out[n] = spot
                n += 1
        return n
    if s.die == 0:
        return write_faces(out, s.stones)
    for stone in range(s.stones):
        if may_move(s, s.player, stone, s.die - 1):
            for direction in range(3):
                if step(s, s.player, s.square[6 * s.player + stone], direction) >= 0:
                    out[n] = 3 * stone + direction
                    n += 1
    return n


def owner(s, square):
    """Whose stone stands on a square."""
    for i in range(12):
        if s.square[i] == square:
            return i // 6
    return NOBODY


def may_move(s, player, stone, rolled):
    """Whether a stone may move when `rolled` (from 0) shows: no other one that is left is between them."""
    if s.square[6 * player + stone] == GONE:
        return False
    way = 1 if stone < rolled else -1
    while rolled != stone:
        if s.square[6 * player + rolled] != GONE:
            return False
        rolled -= way
    return True


def step(s, player, square, direction):
    """The square one step on: sideways (0), along (1) or both (2); -1 off the board."""
    way = 1 if player == 0 else -1
    row = square // s.size + (way if direction > 0 else 0)
    column = square % s.size + (way if direction != 1 else 0)
    return row * s.size + column if 0 <= row < s.size and 0 <= column < s.size else -1


def play(s, move):
    if s.placed < 2 * s.stones:
        place(s, move)
        return
    if s.die == 0:
        s.die = move
        return
    stone = 6 * s.player + move // 3
    square = step(s, s.player, s.square[stone], move % 3)
    for i in range(12):
        if s.square[i] == square:
            s.square[i] = GONE
    s.square[stone] = square
    if square == home(s, 1 - s.player, 0) or left(s, 1 - s.player) == 0:
        s.winner = s.player
    s.die = 0
    s.player = 1 - s.player


def left(s, player):
    """How many stones a player has left."""
    n = 0
    for stone in range(s.stones):
        n += s.square[6 * player + stone] != GONE
    return n


def payoff(s, out):
    pay_winner(s.winner, out)


def infoset(s, player):
    key = mix(mix(mix(0, s.placed), s.die), 4 * s.player + s.winner - NOBODY)
    for i in range(12):
        key = mix(key, s.square[i])
    return key


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """The share of player 0 in the threats, from -1 to 1.

    A stone d steps from its goal threatens with 2**-d, times the faces of the die that let it move.
    """
    mine = threat(s, 0)
    yours = threat(s, 1)
    out[0] = (mine - yours) / (mine + yours) if mine + yours > 0 else 0.0
    out[1] = -out[0]


def threat(s, player):
    total = 0.0
    goal = home(s, 1 - player, 0)
    for stone in range(s.stones):
        square = s.square[6 * player + stone]
        if square != GONE:
            faces = 0
            for rolled in range(s.stones):
                faces += may_move(s, player, stone, rolled)
            rows = abs(goal // s.size - square // s.size)
            columns = abs(goal % s.size - square % s.size)
            total += faces / 2.0 ** max(rows, columns)
    return total


def move_name(s, move):
    if s.placed < 2 * s.stones:
        return f"stone {s.placed % s.stones + 1} of player {s.placed // s.stones} on spot {move + 1}"
    if s.die == 0:
        return f"rolled {move}"
    return f"{move // 3 + 1} " + ("sideways", "along", "diagonally")[move % 3]


def show(s, player):
    names = {s.square[i]: "XO"[i // 6] + str(i % 6 + 1) for i in range(12) if s.square[i] != GONE}
    rows = [" ".join(names.get(row * s.size + column, " .") for column in range(s.size)) for row in range(s.size)]
    turn = f"{'XO'[s.player]} {f'has rolled {s.die}' if s.die else 'is to roll'}"
    return "\n".join([*rows, turn if s.placed == 2 * s.stones else "setting up"])


def svg(s, player):
    picture = board(s.size, s.size, names=False)
    for i in range(12):
        if s.square[i] != GONE:
            x, y = middle(s.square[i] // s.size, s.square[i] % s.size)
            picture.circle(x, y, 16, fill=SEATS[i // 6])
            picture.text(x, y, str(i % 6 + 1), 16, colour=WHITE, bold=True)
    if s.die:
        draw_die(picture, picture.width / 2 - 10, picture.height - 22, s.die, 20)
    picture.text(picture.width / 2, 12, f"player {s.player} to move", 12, colour=SEATS[s.player])
    return str(picture)
