"""Nannon, a small relative of backgammon: three checkers each, a board of six spots, one die.

The players' checkers cross the board in opposite directions, from home over the spots, which each counts from its own
side, to safety. In turn a player rolls a die and moves one checker by its number: from home onto the board, along it,
or off it to safety, for which a higher number does as well. A spot holds one checker. A checker of one's own bars the
way there; one of the other's is hit and goes back home, unless it forms a prime with another next to it. Who can move
must; who cannot loses the turn. Who first has all checkers in safety wins. At the start each has checkers on its first
spots and one at home.

To begin both roll. The higher die starts, with the difference; equal dice are rolled again. With scoring=nannon a win
counts 2 if the loser has no checker in safety. The rules are those of the inventor (Jordan Pollack, 2004), without the
doubling cube. There are 2530 ways to have the checkers at home, on the board and in safety, all but eight of which can
come up. Other numbers of spots, checkers and faces make other games of the family.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, About, Choice, Picture, Whole, mix
from fogspiel.games.toolkit.dice import draw_die, write_faces
from fogspiel.games.toolkit.draw import BLACK, WHITE, stone

FAINT = "#9ca3af"
HOME = 0
MOST = 12
NO_MOVE = 31
EMPTY, NOBODY = -1, -1
WIN, NANNON = 0, 1
MAX_MOVES = 32
PARAMETERS = (
    Whole("spots", 6, 2, MOST, "spots of the board"),
    Whole("checkers", 3, 1, 5, "checkers of each player"),
    Whole("faces", 6, 2, 6, "faces of the die"),
    Choice("scoring", "win", ("win", "nannon"), "whether a win without a checker of the other in safety counts 2"),
)
State = np.dtype(
    [
        ("spots", "i1"),
        ("checkers", "i1"),
        ("faces", "i1"),
        ("scoring", "i1"),
        ("board", "i1", MOST + 2),
        ("home", "i1", 2),
        ("safe", "i1", 2),
        ("die", "i1"),
        ("turn", "i1"),
        ("winner", "i1"),
    ],
    align=True,
)
"""board[spot] tells whose checker is on a spot, in player 0's numbers, from 1; die is 0 before a roll, turn NOBODY
before the first."""


def about(spots, checkers, faces, scoring):
    if 2 * (checkers - 1) > spots:
        raise ValueError(f"{checkers} checkers each, one of them at home, do not fit on {spots} spots")
    # A player knows the position, not the moves that led to it: play can return to one.
    most = 2 if scoring == "nannon" else 1
    return About(utility=(-most, most), perfect_recall=False)


def start(s):
    s.turn = NOBODY
    s.winner = NOBODY
    for i in range(MOST + 2):
        s.board[i] = EMPTY
    for player in range(2):
        s.home[player] = 1
        for spot in range(1, s.checkers):
            s.board[seen_from(s, player, spot)] = player


def seen_from(s, player, spot):
    """A spot in player 0's numbers, given in the player's own, and the other way round."""
    return spot if player == 0 else s.spots + 1 - spot


def actor(s):
    if s.winner != NOBODY:
        return OVER
    return CHANCE if s.die == 0 else s.turn


def chance(s, out, prob):
    """The die; at the start the difference of two dice, and 10 more if player 1 begins."""
    if s.turn != NOBODY:
        for i in range(s.faces):
            prob[i] = 1 / s.faces
        return write_faces(out, s.faces)
    n = 0
    for player in range(2):
        for difference in range(1, s.faces):
            out[n] = 10 * player + difference
            prob[n] = (s.faces - difference) / (s.faces * (s.faces - 1))
            n += 1
    return n


def moves(s, out):
    """The spot, in the mover's numbers, from which a checker leaves, HOME included; or NO_MOVE."""
    n = 0
    for spot in range(s.spots + 1):
        if leaves(s, s.turn, spot):
            out[n] = spot
            n += 1
    if n == 0:
        out[0] = NO_MOVE
        n = 1
    return n


def leaves(s, player, spot):
    """Whether a checker of the player can leave a spot by the die."""
    if spot == HOME and s.home[player] == 0:
        return False
    if spot != HOME and s.board[seen_from(s, player, spot)] != player:
        return False
    target = spot + s.die
    if target > s.spots:
        return True
    there = seen_from(s, player, target)
    return s.board[there] != player and not in_prime(s, 1 - player, there)


def in_prime(s, player, spot):
    """Whether a checker of the player is on this spot (in player 0's numbers) and another next to it."""
    return s.board[spot] == player and (s.board[spot - 1] == player or s.board[spot + 1] == player)


def play(s, move):
    if s.turn == NOBODY:
        s.turn = move // 10
        s.die = move % 10
    elif s.die == 0:
        s.die = move
    else:
        if move != NO_MOVE:
            move_checker(s, s.turn, move)
        s.die = 0
        s.turn = 1 - s.turn


def move_checker(s, player, spot):
    if spot == HOME:
        s.home[player] -= 1
    else:
        s.board[seen_from(s, player, spot)] = EMPTY
    if spot + s.die > s.spots:
        s.safe[player] += 1
        if s.safe[player] == s.checkers:
            s.winner = player
        return
    there = seen_from(s, player, spot + s.die)
    if s.board[there] == 1 - player:
        s.home[1 - player] += 1
    s.board[there] = player


def payoff(s, out):
    out[s.winner] = 2 if s.scoring == NANNON and s.safe[1 - s.winner] == 0 else 1
    out[1 - s.winner] = -out[s.winner]


def episode(s):
    return 0 if s.die == 0 else CONTINUES


def infoset(s, player):
    board = 0
    for spot in range(1, s.spots + 1):
        board = 3 * board + s.board[spot] - EMPTY
    key = mix(mix(mix(0, board), 8 * s.home[0] + s.home[1]), 8 * s.safe[0] + s.safe[1])
    return mix(key, 4 * s.die + s.turn)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """Who is ahead in the race: the spots left to each player, of which a turn takes about half the die."""
    ahead = to_go(s, 1) - to_go(s, 0)
    if s.turn != NOBODY:
        ahead += s.faces / 4 if s.turn == 0 else -s.faces / 4
    out[0] = math.tanh(2 * ahead / (s.spots + 1) / s.checkers)
    out[1] = -out[0]


def to_go(s, player):
    """How many spots the player's checkers still have to go."""
    total = (s.spots + 1) * s.home[player]
    for spot in range(1, s.spots + 1):
        if s.board[seen_from(s, player, spot)] == player:
            total += s.spots + 1 - spot
    return total


def move_name(s, move):
    if s.turn == NOBODY:
        return f"player {move // 10} begins with {move % 10}"
    if s.die == 0:
        return f"rolled {move}"
    if move == NO_MOVE:
        return "no move"
    source, target = "home" if move == HOME else str(move), move + s.die
    if target > s.spots:
        return f"{source}/off"
    hits = s.board[seen_from(s, s.turn, target)] == 1 - s.turn
    return f"{source}/{target}{'*' if hits else ''}"


def show(s, player):
    """The board in the player's own numbers; those of the first player for everyone."""
    me = player or 0
    spots = [seen_from(s, me, spot) for spot in range(1, s.spots + 1)]
    lines = [
        " ".join(f"{spot:2}" for spot in range(1, s.spots + 1)),
        " ".join(f" {'XO.'[s.board[spot]]}" for spot in spots),
        *(f"{'XO'[i]}: {s.home[i]} at home, {s.safe[i]} in safety" for i in (me, 1 - me)),
    ]
    return "\n".join([*lines, _turn(s)])


def _turn(s):
    if s.winner != NOBODY:
        return f"{'XO'[s.winner]} wins"
    if s.turn == NOBODY:
        return "both roll the die"
    return f"{'XO'[s.turn]} has rolled {s.die}" if s.die else f"{'XO'[s.turn]} is to roll"


def svg(s, player):
    """The board in the player's own numbers, going right."""
    me = player or 0
    picture = Picture(40 * (s.spots + 2) + 20, 170)
    for spot in range(1, s.spots + 1):
        picture.rect(10 + 40 * spot, 65, 40, 40, fill="#e8c888", line="#6b4f2a")
        picture.text(30 + 40 * spot, 115, str(spot), 11)
        holder = s.board[seen_from(s, me, spot)]
        if holder != EMPTY:
            _checkers(picture, holder, 1, 30 + 40 * spot, 85)
    for i, y in ((me, 140), (1 - me, 30)):
        home, safety = (30, 30 + 40 * (s.spots + 1)) if i == me else (30 + 40 * (s.spots + 1), 30)
        for x, number, name in ((home, s.home[i], "home"), (safety, s.safe[i], "safety")):
            picture.text(x, y, name, 11, colour=FAINT)
            _checkers(picture, i, number, x, y)
    if s.die:
        draw_die(picture, 20 * (s.spots + 2) - 4, 126 if s.turn == me else 16, s.die)
    return str(picture)


def _checkers(picture, player, number, x, y):
    """A checker, and how many there are; none for none."""
    if number:
        stone(picture, x, y, 16, (WHITE, BLACK)[player], str(number) if number > 1 else "")
