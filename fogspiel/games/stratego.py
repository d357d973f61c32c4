"""Stratego: armies whose ranks the other side does not see, and a flag to capture; full, Barrage or small.

Each player places its pieces on the rows at its end of the board. In turn, player 0 first, a player moves a piece to a
neighbouring square, not diagonally, that is empty or holds an enemy; nobody enters the lakes. A scout moves any number
of empty squares in a line, and may attack from there. Flag and bombs never move. Who moves onto an enemy attacks it:
both ranks are shown, the lower piece is removed, and of equal ones both; an attacker that wins takes the square. A bomb
removes every attacker but a miner, who removes the bomb. The spy, attacking, removes the marshal. Who captures the flag
wins, and who cannot move loses: 1 and -1. No piece may go back and forth between two squares more than three times in a
row; the game is a draw when nobody attacks for a number of moves.

The full game has 40 pieces a side on a board of ten by ten: marshal (10), general (9), 2 colonels (8), 3 majors (7), 4
captains (6), 4 lieutenants (5), 4 sergeants (4), 5 miners (3), 8 scouts (2), a spy, 6 bombs and the flag. Barrage has 8
on the same board: marshal, general, miner, 2 scouts, spy, bomb and flag; form=small has these on a board of six by six.

Rule book (Mogendorff 1946; Barrage: Hasbro). Whitehouse 2014, ch. 6, names it beside The Confrontation.
Assumed: the two-squares rule above stands for all rules against repetition. With setup=random chance places the pieces.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Whole, mix
from fogspiel.games.toolkit.bits import has, lowest_bit, pick_bit
from fogspiel.games.toolkit.boards import pay_winner
from fogspiel.games.toolkit.draw import LIGHT, board, corner, middle

FLAG, SPY, SCOUT, MINER, MARSHAL, BOMB = 0, 1, 2, 3, 10, 11
RANKS = 12
NAMES = (
    "flag",
    "spy",
    "scout",
    "miner",
    "sergeant",
    "lieutenant",
    "captain",
    "major",
    "colonel",
    "general",
    "marshal",
    "bomb",
)
LETTERS = "FS23456789MB"
SMALL, BARRAGE, FULL = 0, 1, 2
ARMY = np.array(
    [
        [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
        [1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1],
        [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
    ]
)
"""How many pieces of each rank there are, by form."""
MOST = 40
STRIDE, SQUARES = 11, 132
"""A board of ten by ten has a margin below and above, and one between the rows, so that no step leads out of it."""
NORTH, EAST, SOUTH, WEST = STRIDE, 1, -STRIDE, -1
STEP = 128
"""A move is STEP times the square it starts from, plus that to which it leads."""
NONE = -1
EMPTY, LAKE = -1, -2
"""What is on a square without a piece; all that is not on the board counts as a lake."""
RANDOM, PLAYERS = 0, 1
SETUP, MOVING, FINISHED = 0, 1, 2
TIMES = 3

PARAMETERS = (
    Choice(
        "form", "barrage", ("small", "barrage", "full"), "8 pieces on 6 by 6 or on 10 by 10 squares, or 40 on 10 by 10"
    ),
    Choice("setup", "random", ("random", "players"), "who places the pieces"),
    Whole("quiet", 100, 1, 200, "moves without an attack after which the game is a draw"),
)
State = np.dtype(
    [
        ("form", "i1"),
        ("setup", "i1"),
        ("quiet", "i2"),
        ("phase", "i1"),
        ("turn", "i1"),
        ("placed", "i1"),
        ("still", "i2"),
        ("winner", "i1"),
        ("came", "i1", 2),
        ("went", "i1", 2),
        ("times", "i1", 2),
        ("rank", "i1", (2, MOST)),
        ("at", "i1", (2, MOST)),
        ("alive", "i8", 2),
        ("known", "i8", 2),
        ("stirred", "i8", 2),
        ("board", "i1", SQUARES),
        ("own", "u8", 2),
        ("history", "u8"),
    ],
    align=True,
)
"""A piece is named by where it started: its place among the squares of its side, from 0, and its side times MOST. rank
and at have its rank and its square; alive, known and stirred are sets of places: pieces left, those whose rank both
know, and those that have moved. came and went are the squares of a player's last move, times how often in a row it went
back and forth between them. still counts moves without an attack. own is a hash of a player's set-up, history of what
both saw."""


def about(form, setup, quiet):
    return About(utility=(-1, 1))


def start(s):
    s.phase = SETUP
    s.winner = NONE
    for square in range(SQUARES):
        s.board[square] = LAKE
    for row in range(width(s)):
        for column in range(width(s)):
            if not is_lake(width(s), row, column):
                s.board[square_at(row, column)] = EMPTY
    for player in range(2):
        s.came[player], s.went[player] = NONE, NONE
        for place in range(MOST):
            s.rank[player, place], s.at[player, place] = NONE, NONE


def width(s):
    return 6 if s.form == SMALL else 10


def is_lake(side, row, column):
    """Lakes are in the two middle rows."""
    if row != side // 2 - 1 and row != side // 2:
        return False
    return column in (1, 4) if side == 6 else column in (2, 3, 6, 7)


def square_at(row, column):
    return STRIDE * (row + 1) + column


def places(s):
    """On how many squares a player may place its pieces: two rows, or four."""
    return 12 if s.form == SMALL else MOST


def square_of(s, player, place):
    """Players look at the board from opposite ends."""
    row, column = place // width(s), place % width(s)
    return square_at(row, column) if player == 0 else square_at(width(s) - 1 - row, width(s) - 1 - column)


def pieces(s):
    return MOST if s.form == FULL else 8


def actor(s):
    if s.phase == SETUP:
        return s.placed // pieces(s) if s.setup == PLAYERS else CHANCE
    return s.turn if s.phase == MOVING else OVER


def moves(s, out):
    if s.phase == SETUP:
        player = s.placed // pieces(s)
        n = 0
        for place in range(places(s)):
            out[n] = place
            n += s.rank[player, place] == NONE
        return n
    n = 0
    left = s.alive[s.turn]
    while left != 0:
        place = lowest_bit(left)
        left &= left - 1
        if s.rank[s.turn, place] != FLAG and s.rank[s.turn, place] != BOMB:
            here = s.at[s.turn, place]
            for direction in (NORTH, EAST, SOUTH, WEST):
                to = here + direction
                while enters(s, to):
                    if not goes_back_again(s, here, to):
                        out[n] = STEP * here + to
                        n += 1
                    if s.board[to] != EMPTY or s.rank[s.turn, place] != SCOUT:
                        break
                    to += direction
    return n


def enters(s, to):
    """Whether the player whose turn it is may move onto a square."""
    return s.board[to] == EMPTY or (s.board[to] >= 0 and s.board[to] // MOST != s.turn)


def goes_back_again(s, here, to):
    """Whether a move would go back and forth between two squares once too often."""
    return s.times[s.turn] == TIMES and here == s.went[s.turn] and to == s.came[s.turn]


def play(s, move):
    if s.phase == SETUP:
        place_piece(s, s.placed // pieces(s), move)
    else:
        s.still += 1
        step(s, move // STEP, move % STEP)
        s.turn = 1 - s.turn
        if s.phase == MOVING:
            look_for_end(s)


def next_rank(s, placed):
    """The rank of the piece that a player places after so many: the flag first, bombs last."""
    rank = 0
    while placed >= ARMY[s.form, rank]:
        placed -= ARMY[s.form, rank]
        rank += 1
    return rank


def place_piece(s, player, place):
    rank = next_rank(s, s.placed % pieces(s))
    put(s, player, place, rank)
    s.placed += 1
    if s.placed == 2 * pieces(s):
        s.phase = MOVING
        for player in range(2):
            for place in range(places(s)):
                if has(s.alive[player], place):
                    s.board[s.at[player, place]] = MOST * player + place
            s.history = mix(s.history, s.alive[player])


def put(s, player, place, rank):
    s.rank[player, place] = rank
    s.at[player, place] = square_of(s, player, place)
    s.alive[player] |= 1 << place
    s.own[player] += mix(place, rank)


def step(s, here, to):
    """A piece moves, and attacks if an enemy is there."""
    player, place = s.turn, s.board[here] % MOST
    s.history = mix(s.history, STEP * here + to)
    s.times[player] = s.times[player] + 1 if here == s.went[player] and to == s.came[player] else 1
    s.came[player], s.went[player] = here, to
    s.stirred[player] |= 1 << place
    if is_far(s, here, to):
        s.known[player] |= 1 << place
    s.board[here] = EMPTY
    enemy = s.board[to]
    if enemy == EMPTY:
        s.board[to] = MOST * player + place
        s.at[player, place] = to
    else:
        attack(s, player, place, enemy % MOST, to)


def is_far(s, here, to):
    """Whether a move is one that only a scout can make."""
    return abs(here - to) != 1 and abs(here - to) != STRIDE


def attack(s, player, place, enemy, to):
    """Both ranks are shown, and who loses is removed."""
    mine, yours = s.rank[player, place], s.rank[1 - player, enemy]
    s.known[player] |= 1 << place
    s.known[1 - player] |= 1 << enemy
    s.history = mix(s.history, RANKS * mine + yours)
    s.still = 0
    if beats(mine, yours):
        remove(s, 1 - player, enemy)
        s.board[to] = MOST * player + place
        s.at[player, place] = to
    else:
        remove(s, player, place)
        if mine == yours:
            remove(s, 1 - player, enemy)
            s.board[to] = EMPTY
    if yours == FLAG:
        s.winner = player
        s.phase = FINISHED


def beats(mine, yours):
    """Whether an attacker removes what it attacks and stays."""
    if yours == BOMB:
        return mine == MINER
    return mine > yours or (mine == SPY and yours == MARSHAL)


def remove(s, player, place):
    s.alive[player] &= ~(1 << place)
    s.at[player, place] = NONE


def look_for_end(s):
    if not can_move(s):
        s.winner = 1 - s.turn
        s.phase = FINISHED
    elif s.still == s.quiet:
        s.phase = FINISHED


def can_move(s):
    """Whether the player whose turn it is has a move."""
    left = s.alive[s.turn]
    while left != 0:
        place = lowest_bit(left)
        left &= left - 1
        if s.rank[s.turn, place] != FLAG and s.rank[s.turn, place] != BOMB:
            here = s.at[s.turn, place]
            for direction in (NORTH, EAST, SOUTH, WEST):
                to = here + direction
                if goes_back_again(s, here, to) and s.rank[s.turn, place] == SCOUT:
                    to += direction
                if enters(s, to) and not goes_back_again(s, here, to):
                    return True
    return False


def payoff(s, out):
    pay_winner(s.winner, out)


def evaluate(s, out):
    """The ranks that are left to player 0 less those left to player 1, as a share of both."""
    lead, total = 0, 1
    for player in range(2):
        left = s.alive[player]
        while left != 0:
            rank = s.rank[player, lowest_bit(left)]
            left &= left - 1
            worth = 5 if rank in (SPY, BOMB) else rank
            lead += worth if player == 0 else -worth
            total += worth
    out[0] = lead / total
    out[1] = -out[0]


def infoset(s, player):
    key = mix(mix(s.history, s.phase), s.placed)
    return key if player == PUBLIC else mix(key, s.own[player])


def sees(s, player, move):
    """Pieces are placed in secret. Moves are seen, with both ranks where a piece attacks, and whether they end the
    game."""
    placing, board = s.phase == SETUP, s.board[move % STEP]
    owner = s.placed // pieces(s)
    mine, yours = 0, 0
    if not placing and board != EMPTY:
        mine = 1 + s.rank[s.turn, s.board[move // STEP] % MOST]
        yours = 1 + s.rank[1 - s.turn, board % MOST]
    play(s, move)
    if placing:
        shown = mix(mix(1, s.alive[0]), s.alive[1]) if s.phase == MOVING else mix(1, 0)
        return mix(shown, move) if player == owner else shown
    return mix(0, move) if mine == 0 and s.phase == MOVING else mix(mix(mix(2, move), RANKS * mine + yours), s.phase)


def resample(s, player, rng):
    """The other's pieces of unknown rank change places in every way that fits, each as likely: who has moved is neither
    flag nor bomb."""
    other = 1 - player
    if s.phase == SETUP:
        place_anew(s, other, rng)
    elif s.phase == MOVING:
        exchange(s, other, rng)
        while s.turn == other and not can_move(s):
            exchange(s, other, rng)


def place_anew(s, player, rng):
    """During the set-up nothing is seen of the other's pieces but how many there are."""
    placed = min(max(s.placed - player * pieces(s), 0), pieces(s))
    s.alive[player] = 0
    s.own[player] = 0
    for place in range(places(s)):
        s.rank[player, place], s.at[player, place] = NONE, NONE
    for i in range(placed):
        free = (1 << places(s)) - 1 & ~s.alive[player]
        put(s, player, pick_bit(free, rng), next_rank(s, i))


def exchange(s, player, rng):
    """Flag and bombs are dealt to pieces that have not moved, then the other ranks to those that are left."""
    free = s.alive[player] & ~s.known[player]
    for place in range(places(s)):
        if has(free, place):
            s.own[player] -= mix(place, s.rank[player, place])
    for i in range(RANKS):
        rank = (FLAG, BOMB)[i] if i < 2 else i - 1
        for _ in range(unseen(s, player, rank)):
            place = pick_bit(free & ~s.stirred[player] if i < 2 else free, rng)
            free &= ~(1 << place)
            s.rank[player, place] = rank
            s.own[player] += mix(place, rank)


def unseen(s, player, rank):
    """How many pieces of a rank a player has or had that the other has not seen."""
    n = ARMY[s.form, rank]
    left = s.known[player]
    while left != 0:
        n -= s.rank[player, lowest_bit(left)] == rank
        left &= left - 1
    return n


def square_name(square):
    return "abcdefghij"[square % STRIDE] + str(square // STRIDE)


def move_name(s, move):
    if s.phase == SETUP:
        player = s.placed // pieces(s)
        return f"{NAMES[next_rank(s, s.placed % pieces(s))]} on {square_name(square_of(s, player, move))}"
    here, to = move // STEP, move % STEP
    return f"{square_name(here)}{'-' if s.board[to] == EMPTY else 'x'}{square_name(to)}"


def mark(s, viewer, player, place):
    """A piece as a player sees it: its rank, or ? for one that has not moved and ! for one that has."""
    if viewer in (None, player) or has(s.known[player], place):
        return LETTERS[s.rank[player, place]]
    return "!" if has(s.stirred[player], place) else "?"


def placed_on(s, viewer):
    """The pieces on the board by their squares: whose, and as what they are seen. Set-ups are not seen before both are
    done."""
    found = {}
    for player in range(2):
        for place in range(places(s)):
            if has(s.alive[player], place) and (s.phase != SETUP or viewer in (None, player)):
                found[s.at[player, place]] = player, mark(s, viewer, player, place)
    return found


def features(s):
    """The rank of each piece, by its square."""
    return {
        square_name(square): LETTERS[s.rank[whose, place]]
        for whose in range(2)
        for place in range(places(s))
        if has(s.alive[whose], place)
        for square in [s.at[whose, place]]
    }


def show(s, player):
    side, seen = width(s), placed_on(s, player)
    rows = []
    for row in range(side - 1, -1, -1):
        cells = []
        for square in range(square_at(row, 0), square_at(row, side)):
            whose, letter = seen.get(square, (0, "~" if s.board[square] == LAKE else "."))
            cells.append(letter + ("'" if whose else " "))
        rows.append(f"{row + 1:2} {' '.join(cells)}".rstrip())
    rows.append("   " + "  ".join("abcdefghij"[:side]))
    for whose in range(2):
        lost = [
            LETTERS[s.rank[whose, place]]
            for place in range(places(s))
            if s.rank[whose, place] != NONE and not has(s.alive[whose], place)
        ]
        rows.append(
            f"player {whose}{chr(39) * whose} has lost {' '.join(sorted(lost)) or 'nothing'}{last_move(s, whose)}"
        )
    rows.append(f"moves without an attack: {s.still} of {s.quiet}")
    return "\n".join(rows)


def last_move(s, player):
    if s.went[player] == NONE:
        return ""
    return f", moved last from {square_name(s.came[player])} to {square_name(s.went[player])}"


def svg(s, player):
    """The board with player 0 below in blue and player 1 above in red; pieces that the player cannot see are blank, and
    bear a dot once they moved."""
    side = width(s)
    picture = board(side, side)
    for row in range(side):
        for column in range(side):
            if s.board[square_at(row, column)] == LAKE:
                picture.rect(*corner(side - 1 - row, column), 40, 40, fill="#7dd3fc", line="#0369a1")
    for square, (whose, letter) in placed_on(s, player).items():
        row, column = side - square // STRIDE, square % STRIDE
        x, y = corner(row, column)
        picture.rect(x + 5, y + 4, 30, 32, fill=("#1d4ed8", "#b91c1c")[whose], line="#111827", round=4)
        picture.text(*middle(row, column), {"?": "", "!": "·"}.get(letter, letter), 18, colour=LIGHT, bold=True)
    return str(picture)
