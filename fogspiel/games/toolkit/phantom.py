"""Phantom games: two players put stones on a board in turn, and neither sees the other's.

A player tries a square that it has not tried before. If it is empty the player's stone is put there and the turn ends.
If the other holds it the player is told so and, with `retry`, tries again; otherwise the turn is lost. The other learns
nothing of tries.

A state has `board[square]` (EMPTY, or whose stone is there), `when[player, square]` (the turn, from 1, in which the
player tried it, or 0), `turns` (how many are over), `tries[player]` (a hash of its tries and what came of them, in
order), `stones` (how many are on the board) and `retry`.
"""

from fogspiel.game import PUBLIC, UNSEEN, mix, pick
from fogspiel.games.toolkit.boards import EMPTY


def untried(s, squares, player, out):
    """Write the squares that the player may try, of so many; returns how many there are."""
    n = 0
    for square in range(squares):
        out[n] = square
        n += s.when[player, square] == 0
    return n


def try_square(s, player, square):
    """Whether the player's stone was put on the square. The turn ends if it was, and without `retry` in any case."""
    placed = s.board[square] == EMPTY
    if placed:
        s.board[square] = player
        s.stones += 1
    note(s, player, square, s.turns + 1)
    if placed or not s.retry:
        s.turns += 1
    return placed


def note(s, player, square, turn):
    """The player remembers a try and whether it put a stone there."""
    s.when[player, square] = turn
    s.tries[player] = mix(s.tries[player], 2 * square + (s.board[square] == player))


def redraw_stones(s, squares, player, rng):
    """Draw for each turn of the other which square it tried last in it, each way as likely that fits what the player
    found.

    If the other tries squares at random, then as many are left to it in a turn whatever it tried before, so that all
    ways are as likely. Squares on which the player failed were taken in a turn before that; the earliest such failure
    has the least choice, so it chooses first. In all other turns it is any square but those where the player has a
    stone, or came to have one; without `retry` a stone that was there before may be tried, too. So that it is drawn
    from as many squares whichever turns are left, there may be stones among them that came later; false if one of these
    is drawn. The caller draws again then, and where the stones would have ended the game.
    """
    other = 1 - player
    for square in range(squares):
        s.when[other, square] = 0
        if s.board[square] == other:
            s.board[square] = EMPTY
            s.stones -= 1
    latest = 1 + other
    for turn in range(2 - other, s.turns + 2, 2):
        for square in range(squares):
            if s.when[player, square] == turn and s.board[square] == EMPTY:
                earlier = 1 + other + 2 * pick(rng, turn // 2)
                while last_try(s, squares, other, earlier) >= 0:
                    earlier = 1 + other + 2 * pick(rng, turn // 2)
                s.when[other, square] = earlier
                latest += 2
    for turn in range(1 + other, s.turns + 1, 2):
        if last_try(s, squares, other, turn) < 0:
            square = pick(rng, squares)
            while not untried_until(s, player, square, latest):
                square = pick(rng, squares)
            if s.board[square] == player and s.when[player, square] > turn:
                return False
            s.when[other, square] = turn
            latest += 2
    for square in range(squares):
        if s.when[other, square] > 0 and s.board[square] == EMPTY:
            s.board[square] = other
            s.stones += 1
    return True


def untried_until(s, player, square, turn):
    """Whether the other has not tried a square yet, and it can be the last that it tries in a turn of its own up to
    this one."""
    if s.when[1 - player, square] > 0:
        return False
    return s.board[square] != player or (not s.retry and s.when[player, square] < turn)


def last_try(s, squares, player, turn):
    """The square that the player tried in a turn, -1 if none."""
    for square in range(squares):
        if s.when[player, square] == turn:
            return square
    return -1


def redraw_tries(s, squares, player, rng):
    """Draw the failed tries of the other before each of its stones, which do not depend on where these are, and write
    all its tries down.

    Within a turn of the other, any number of them may be behind it.
    """
    other = 1 - player
    s.tries[other] = 0
    found = 0
    for turn in range(1 + other, s.turns + 2, 2):
        last = last_try(s, squares, other, turn)
        if s.retry:
            failures = draw_failures(s, squares, turn, turn // 2 - found, rng)
            found += failures
            for _ in range(failures):
                square = pick(rng, squares)
                while s.board[square] != player or s.when[player, square] > turn or s.when[other, square] > 0:
                    square = pick(rng, squares)
                note(s, other, square, turn)
        if turn <= s.turns:
            note(s, other, last, turn)


def draw_failures(s, squares, turn, hidden, rng):
    """How many of the stones hidden from it a player hits in a turn, trying squares at random.

    In a turn that is not over yet any number may have been hit so far: it counts as often as tries get that far.
    """
    untried_squares = squares + 1 - turn + hidden
    while True:
        wanted = hidden if turn <= s.turns else pick(rng, hidden + 1)
        n = 0
        while n < wanted and pick(rng, untried_squares - n) < hidden - n:
            n += 1
        if n == wanted or turn <= s.turns:
            return n


def known(s, player, square):
    """What a player knows of a square: whose stone is there, or EMPTY for all it knows."""
    return s.board[square] if s.when[player, square] > 0 else EMPTY


def phantom_key(s, player, ended):
    """What a player knows: its tries and the number of turns; all of it once the game has ended. For PUBLIC, the
    turns."""
    key = mix(mix(s.turns, player), ended)
    if ended:
        return mix(mix(key, s.tries[0]), s.tries[1])
    return key if player == PUBLIC else mix(key, s.tries[player])


def failures(s, squares, player, name):
    """The failed tries of a player in words, in the order of the turns; `name(s, square)` names a square."""
    failed = sorted((s.when[player, i], i) for i in range(squares) if known(s, player, i) == 1 - player)
    return "".join(f"; {name(s, square)} was taken in turn {turn}" for turn, square in failed)


def seen_of_try(s, player, turns, square, ended):
    """What a player sees of the try of a square that was just made, in the turn after so many: whether its own put a
    stone there; of another's only that the turn is over; and of the last in the game all tries of the other."""
    if ended:
        return mix(2, s.tries[1 - player])
    if player == turns % 2:
        return mix(1, s.board[square] == player)
    return UNSEEN if s.turns == turns else mix(1, 2)
