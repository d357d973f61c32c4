"""Phantom tic-tac-toe: tic-tac-toe in which neither player sees the other's stones.

A player tries a square it has not tried before. If it is empty, the player's stone is put there and the turn ends. If
the other holds it, the player is told so and tries again; with retry=no the turn is lost instead (the game that
OpenSpiel calls abrupt). The other player learns nothing of tries, only whose turn it is and, at the end, everything.
Three in line win, a full board is a draw. A player remembers its own tries and their outcomes, in order.

With abstraction=fosf, foi, fos or foe players follow an abstraction that forgets some of the order of tries (Lanctot
2013, sec. 5.5): the order of successive failures within a turn that is over; how failures and successes interleave; the
order of successes; or everything but which squares failed and which succeeded. The game itself stays the same.

Lanctot 2013, ch. 3. With start=forced_centre the first try of both must be the centre square: Lisý 2014, ch. 4.
"""

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, Choice, mix, pick
from fogspiel.games.toolkit.boards import EMPTY, completes_three, has_three, pay_winner
from fogspiel.games.toolkit.draw import marked_board
from fogspiel.games.toolkit.phantom import seen_of_try

CENTRE = 4
FREE, FORCED = 0, 1
NONE, FOSF, FOI, FOS, FOE = 0, 1, 2, 3, 4
GOING, DRAW = -1, 2
PARAMETERS = (
    Choice("start", "free", ("free", "forced_centre"), "whether both must try the centre first"),
    Choice("retry", "yes", ("no", "yes"), "whether a player whose try failed tries again"),
    Choice("abstraction", "none", ("none", "fosf", "foi", "fos", "foe"), "what order of its tries a player forgets"),
)
State = np.dtype(
    [
        ("start", "i1"),
        ("retry", "i1"),
        ("board", "i1", 9),
        ("when", "i1", 18),
        ("turns", "i1"),
        ("result", "i1"),
        ("abstraction", "i1"),
        ("order", "i8", 2),
        ("tries", "u8", 2),
    ],
    align=True,
)
"""when[9 * player + square] is the turn (from 1) in which the player tried the square, or 0; order[player] has its
tries as digits, squares from 1, the first one first; tries[player] is a hash of them; turns counts the turns that are
over."""


def about(start, retry, abstraction):
    return About(utility=(-1, 1), abstraction=abstraction != "none")


def start(s):
    for square in range(9):
        s.board[square] = EMPTY
    s.result = GOING


def actor(s):
    return s.turns % 2 if s.result == GOING else OVER


def moves(s, out):
    player = s.turns % 2
    if s.start == FORCED and s.turns < 2 and s.when[9 * player + CENTRE] == 0:
        out[0] = CENTRE
        return 1
    n = 0
    for square in range(9):
        out[n] = square
        n += s.when[9 * player + square] == 0
    return n


def play(s, move):
    player = s.turns % 2
    placed = s.board[move] == EMPTY
    if placed:
        s.board[move] = player
    note(s, player, move, s.turns + 1)
    if placed and completes_three(s, player, move):
        s.result = player
    elif placed and (s.turns == 8 if s.retry else full(s)):
        s.result = DRAW
    if placed or not s.retry:
        s.turns += 1


def note(s, player, square, turn):
    """The player remembers a try and whether it put a stone there."""
    s.when[9 * player + square] = turn
    s.order[player] = 10 * s.order[player] + square + 1
    s.tries[player] = mix(s.tries[player], 2 * square + (s.board[square] == player))


def full(s):
    empty = 0
    for square in range(9):
        empty += s.board[square] == EMPTY
    return empty == 0


def payoff(s, out):
    pay_winner(s.result, out)


def infoset(s, player):
    public = s.turns + 64 * (s.result + 1)
    if player == PUBLIC and s.result == GOING:
        return mix(0, public)
    if s.result != GOING:
        return mix(mix(mix(0, public + 1024 * (player + 1)), s.tries[0]), s.tries[1])
    return mix(s.tries[player], public + 1024 * (player + 1))


def abstract(s, player):
    if s.abstraction == NONE:
        return infoset(s, player)
    key = mix(0, player)
    for square in range(9):
        turn = s.when[9 * player + square]
        key = mix(key, (turn > 0) + (s.board[square] == player))
        if s.abstraction == FOSF and turn <= s.turns:
            key = mix(key, turn)
    failures = key
    successes = mix(0, 0)
    rest = s.order[player]
    while rest > 0:
        square = rest % 10 - 1
        rest //= 10
        placed = s.board[square] == player
        if s.abstraction == FOSF and s.when[9 * player + square] > s.turns:
            failures = mix(failures, square)
        if s.abstraction == FOI or s.abstraction == FOS:
            if not placed:
                failures = mix(failures, square)
            elif s.abstraction == FOI:
                successes = mix(successes, square)
            else:
                failures = mix(failures, 9)
    return mix(failures, successes)


def sees(s, player, move):
    turns = s.turns
    play(s, move)
    return seen_of_try(s, player, turns, move, s.result != GOING)


def resample(s, player, rng):
    """A history that the player cannot tell from the true one, as likely as if the other tried squares at random.

    First in which turn the other tried which square, redrawn until it fits all that the player found; then his failed
    tries before each success, which are independent of that. Within a turn of his, any number of them may be behind
    him.
    """
    if s.result != GOING:
        return
    other = 1 - player
    while not plan(s, player, rng):
        pass
    s.tries[other] = 0
    s.order[other] = 0
    found = 0
    for turn in range(1 + other, s.turns + 2, 2):
        last = tried_in(s, other, turn)
        if s.retry:
            failures = draw_failures(s, turn, turn // 2 - found, rng)
            found += failures
            for _ in range(failures):
                square = pick(rng, 9)
                while s.board[square] != player or s.when[9 * player + square] > turn or s.when[9 * other + square] > 0:
                    square = pick(rng, 9)
                note(s, other, square, turn)
        if turn <= s.turns:
            note(s, other, last, turn)


def plan(s, player, rng):
    """Draw for each turn of the other the square of its last try; False if the game cannot have gone that way.

    Squares on which the player failed were taken in a turn before; the earliest such failure has the least choice, so
    it chooses first. All else is any square, at each turn as likely.
    """
    other = 1 - player
    for square in range(9):
        s.when[9 * other + square] = 0
        if s.board[square] == other:
            s.board[square] = EMPTY
    if s.start == FORCED and s.turns > other and (other == 0 or not s.retry):
        s.when[9 * other + CENTRE] = 1 + other
    for turn in range(2 - other, s.turns + 2, 2):
        for square in range(9):
            if s.when[9 * player + square] == turn and s.board[square] == EMPTY and s.when[9 * other + square] == 0:
                earlier = 1 + other + 2 * pick(rng, turn // 2)
                while tried_in(s, other, earlier) >= 0:
                    earlier = 1 + other + 2 * pick(rng, turn // 2)
                s.when[9 * other + square] = earlier
    for turn in range(1 + other, s.turns + 1, 2):
        if tried_in(s, other, turn) < 0:
            square = pick(rng, 9)
            while s.when[9 * other + square] > 0 or (s.retry and s.board[square] == player):
                square = pick(rng, 9)
            if s.board[square] == player and s.when[9 * player + square] > turn:
                return False
            s.when[9 * other + square] = turn
    for square in range(9):
        if s.when[9 * other + square] > 0 and s.board[square] == EMPTY:
            s.board[square] = other
    return not has_three(s, other) and not full(s)


def tried_in(s, player, turn):
    """The first square that the player tried in a turn, -1 if none."""
    for square in range(9):
        if s.when[9 * player + square] == turn:
            return square
    return -1


def draw_failures(s, turn, hidden, rng):
    """How many of the stones hidden from it a player hits in a turn, trying squares at random.

    In a turn that is not over yet, any number may have been hit so far: it counts as often as tries get that far.
    """
    forced = s.start == FORCED and turn == 2
    squares = 10 - turn + hidden
    while True:
        wanted = hidden if turn <= s.turns else pick(rng, hidden + 1)
        n = 0
        while n < wanted and (forced or pick(rng, squares - n) < hidden - n):
            n += 1
        if n == wanted or turn <= s.turns:
            return n


def move_name(s, move):
    return "try " + "abc"[move % 3] + str(move // 3 + 1)


def features(s):
    return {"abc"[i % 3] + str(i // 3 + 1): ("X", "O", "empty")[s.board[i]] for i in range(9)}


def show(s, player):
    known = [player is None or s.result != GOING or s.when[9 * player + square] > 0 for square in range(9)]
    marks = ["XO."[s.board[square]] if known[square] else "." for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))


def svg(s, player):
    return str(marked_board(show(s, player).splitlines()))
