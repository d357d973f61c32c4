"""Battleship: two players place ships in secret, and shoot at cells of each other's board to sink them.

First the players place their ships in turn, one at a time in the order of the list: along a row or a column, none on
another, and so that the rest still fit. Then each has so many shots, also in turn. A shot is answered by water, hit, or
sunk, if all cells of the ship are hit. It ends when the shots are used up, or when all ships of a player are sunk. A
player gets the values of the ships it sank, less `loss` times those of the ships it lost.

The rules and the numbers of the moves are OpenSpiel's, after Farina et al. 2019. There a cell may be shot at again;
here with repeats=yes. The game of the shops is width=10,height=10,ships=[2,3,3,4,5],shots=100.
"""

import numpy as np

from fogspiel.game import (
    OVER,
    PUBLIC,
    About,
    Choice,
    Number,
    Picture,
    Text,
    Whole,
    mix,
    pick,
    real_at,
    uniform,
    whole_at,
)
from fogspiel.games.toolkit.boards import square_name

MOST, SHIPS = 10, 6
NOWHERE = -1
UNKNOWN, WATER, HIT, SUNK = 0, 1, 2, 3
DRAWS = 8
"""How many ways to place ships `resample` draws to keep one."""
MAX_MOVES = 2 * MOST * MOST
PARAMETERS = (
    Whole("width", 5, 2, MOST, "columns of a board"),
    Whole("height", 5, 1, MOST, "rows of a board"),
    Text("ships", "[2,3]", "lengths of the ships in the order in which they are placed"),
    Text("values", "", "what each ship is worth, such as [1,2.5]; left out, 1"),
    Whole("shots", 8, 1, 100, "shots of each player"),
    Choice("repeats", "no", ("no", "yes"), "whether a player may shoot at a cell again"),
    Number("loss", 1.0, 0.0, 100.0, "what a ship lost costs, as a multiple of its value"),
)
State = np.dtype(
    [
        ("loss", "f8"),
        ("lengths", "i8"),
        ("worth", "i8"),
        ("width", "i1"),
        ("height", "i1"),
        ("shots", "i1"),
        ("repeats", "i1"),
        ("fleet", "i1"),
        ("crowded", "i1"),
        ("turns", "i2"),
        ("place", "i2", (2, SHIPS)),
        ("cell", "i1", (2, MOST * MOST)),
        ("when", "u1", (2, MOST * MOST)),
        ("answer", "i1", (2, MOST * MOST)),
        ("afloat", "i1", 2),
        ("shooting", "u8"),
    ],
    align=True,
)
"""Cells are numbered by rows from the top left. place[player, ship] is the first cell of a ship, plus the number of
cells if it lies along a column; cell[player, i] is 1 more than the ship on a cell of the player's board, 0 without;
when[player, i] the turn (from 1) of the first shot at it, 0 without, and answer[player, i] what came of it. afloat
counts a player's ships that are not sunk, turns all moves; shooting is a hash of shots and answers. The table `lengths`
has the length of each ship, then how many there are, then whether there might be too little room for all; `worth` has
what each is worth."""


def about(width, height, ships, values, shots, repeats, loss):
    lengths = read_list("ships", ships)
    worth = read_list("values", values) if values else [1.0] * len(lengths)
    if not 1 <= len(lengths) <= SHIPS or min(lengths) < 1:
        raise ValueError(f"there can be 1 to {SHIPS} ships of 1 cell or more, not {ships}")
    if len(worth) != len(lengths) or min(worth) < 0:
        raise ValueError(f"there must be a value of 0 or more for each of {len(lengths)} ships, not {values}")
    if not all_fit(width, height, lengths):
        raise ValueError(f"ships of {lengths} do not fit on a board of {width} by {height}")
    padded = [*lengths, *[0] * (SHIPS - len(lengths)), len(lengths), crowded(width, height, lengths)]
    most = sum(worth)
    tables = {"lengths": np.array(padded, np.int64), "worth": np.array(worth, float)}
    return About(utility=(-loss * most, most), zero_sum=loss == 1, tables=tables)


def read_list(name, text):
    try:
        return [float(part) if name == "values" else int(part) for part in text.strip("[] ").split(",")]
    except ValueError:
        raise ValueError(f"{name} must be a list of numbers such as [2,3], not {text}") from None


def all_fit(width, height, lengths, taken=frozenset()):
    """Whether there is a way to place all the ships."""
    if not lengths:
        return True
    for cells in ways(width, height, lengths[0]):
        if taken.isdisjoint(cells) and all_fit(width, height, lengths[1:], taken.union(cells)):
            return True
    return False


def ways(width, height, length):
    """The cells of each way to place a ship."""
    for row in range(height):
        for column in range(width):
            if column + length <= width:
                yield [(row, column + i) for i in range(length)]
            if row + length <= height and length > 1:
                yield [(row + i, column) for i in range(length)]


def crowded(width, height, lengths):
    """Whether some ships might leave no room for another: each can be in the way of so many places and no more."""
    for i, length in enumerate(lengths):
        blocked = sum(n + length - 1 + n * length for k, n in enumerate(lengths) if k != i)
        if blocked >= sum(1 for _ in ways(width, height, length)):
            return 1
    return 0


def start(s):
    s.fleet = whole_at(s.lengths, SHIPS)
    s.crowded = whole_at(s.lengths, SHIPS + 1)
    for player in range(2):
        s.afloat[player] = s.fleet
        for ship in range(SHIPS):
            s.place[player, ship] = NOWHERE


def cells(s):
    return s.width * s.height


def length(s, ship):
    return whole_at(s.lengths, ship)


def placing(s):
    return s.turns < 2 * s.fleet


def actor(s):
    if s.turns == 2 * (s.fleet + s.shots) or s.afloat[0] == 0 or s.afloat[1] == 0:
        return OVER
    return s.turns % 2


def is_sunk(s, player, ship):
    for i in range(length(s, ship)):
        if s.when[player, part(s, s.place[player, ship], i)] == 0:
            return False
    return True


def part(s, place, i):
    """The i-th cell of a ship that lies at a place."""
    return place + i if place < cells(s) else place - cells(s) + i * s.width


def moves(s, out):
    """A cell to shoot at; or, to place a ship, its first cell and the number of cells, twice that number if it lies
    along a column."""
    player = s.turns % 2
    n = 0
    if not placing(s):
        for cell in range(cells(s)):
            out[n] = cell
            n += s.repeats or s.when[1 - player, cell] == 0
        return n
    ship = s.turns // 2
    for place in range(2 * cells(s)):
        if fits(s, player, ship, place) and leaves_room(s, player, ship, place):
            out[n] = cells(s) + place
            n += 1
    return n


def fits(s, player, ship, place):
    """Whether a ship can lie at a place: on the board, and on no other ship."""
    if not on_board(s, ship, place):
        return False
    for i in range(length(s, ship)):
        if s.cell[player, part(s, place, i)] > 0:
            return False
    return True


def on_board(s, ship, place):
    """Whether all of a ship at a place is on the board. Ships of one cell lie along a row."""
    n = length(s, ship)
    if place < cells(s):
        return place % s.width + n <= s.width
    return n > 1 and (place - cells(s)) // s.width + n <= s.height


def leaves_room(s, player, ship, place):
    """Whether the ships after this one can still be placed if it lies there."""
    if not s.crowded:
        return True
    put(s, player, ship, place)
    room = has_room(s, player, ship + 1)
    lift(s, player, ship)
    return room


def has_room(s, player, first):
    """Whether the ships from `first` on can be placed: all places of each are tried, and none is kept."""
    ship = first
    while first <= ship < s.fleet:
        place = s.place[player, ship] + 1
        if place > 0:
            lift(s, player, ship)
        while place < 2 * cells(s) and not fits(s, player, ship, place):
            place += 1
        if place < 2 * cells(s):
            put(s, player, ship, place)
            ship += 1
        else:
            ship -= 1
    for i in range(first, s.fleet):
        if s.place[player, i] != NOWHERE:
            lift(s, player, i)
    return ship == s.fleet


def put(s, player, ship, place):
    s.place[player, ship] = place
    for i in range(length(s, ship)):
        s.cell[player, part(s, place, i)] = ship + 1


def lift(s, player, ship):
    for i in range(length(s, ship)):
        s.cell[player, part(s, s.place[player, ship], i)] = 0
    s.place[player, ship] = NOWHERE


def play(s, move):
    player = s.turns % 2
    if placing(s):
        put(s, player, s.turns // 2, move - cells(s))
    else:
        shoot(s, 1 - player, move)
    s.turns += 1


def shoot(s, target, cell):
    """A shot at a cell of the board of `target`."""
    if s.when[target, cell] == 0:
        s.when[target, cell] = s.turns + 1 - 2 * s.fleet
        ship = s.cell[target, cell] - 1
        s.answer[target, cell] = WATER if ship < 0 else SUNK if is_sunk(s, target, ship) else HIT
        s.afloat[target] -= s.answer[target, cell] == SUNK
    s.shooting = mix(s.shooting, 4 * cell + s.answer[target, cell])


def payoff(s, out):
    for player in range(2):
        out[player] = sunk_worth(s, 1 - player) - s.loss * sunk_worth(s, player)


def sunk_worth(s, player):
    """What the player's ships that are sunk are worth."""
    total = 0.0
    for ship in range(s.fleet):
        if is_sunk(s, player, ship):
            total += real_at(s.worth, ship)
    return total


def evaluate(s, out):
    """The ships as if they were sunk in part, by their cells that are hit."""
    for player in range(2):
        out[player] = hit_worth(s, 1 - player) - s.loss * hit_worth(s, player)


def hit_worth(s, player):
    total = 0.0
    for ship in range(s.fleet):
        if s.place[player, ship] != NOWHERE:
            hits = 0
            for i in range(length(s, ship)):
                hits += s.when[player, part(s, s.place[player, ship], i)] > 0
            total += real_at(s.worth, ship) * hits / length(s, ship)
    return total


def guide(s, out, prob):
    """Shots beside a hit that sank nothing are ten times as likely as others."""
    n = moves(s, out)
    total = 0.0
    for i in range(n):
        prob[i] = 10.0 if not placing(s) and beside_hit(s, 1 - s.turns % 2, out[i]) else 1.0
        total += prob[i]
    for i in range(n):
        prob[i] /= total
    return n


def beside_hit(s, board, cell):
    row, column = cell // s.width, cell % s.width
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < s.height and 0 <= column + right < s.width:
            if s.answer[board, cell + down * s.width + right] == HIT:
                return True
    return False


def infoset(s, player):
    """All see the shots and the answers; a player knows where its own ships are."""
    key = mix(s.shooting, s.turns)
    if player == PUBLIC:
        return mix(key, PUBLIC)
    key = mix(key, player)
    for ship in range(s.fleet):
        key = mix(key, s.place[player, ship])
    return key


def sees(s, player, move):
    """Ships are placed in secret. All see a shot; who shot is told what it hit, which the other knows."""
    shooter = s.turns % 2
    if placing(s):
        return mix(1, 0)
    if player != shooter:
        return mix(0, move)
    play(s, move)
    return mix(2, s.answer[1 - shooter, move])


def resample(s, player, rng):
    """Ships of the other that agree with all answers, each way to place them as likely, or nearly.

    Of a few ways that are drawn (`draw_ships`) one is kept, each as often as drawing it was unlikely. Without hits, and
    with a single ship, that is exact.
    """
    other = 1 - player
    ships = min(s.fleet, (s.turns + 1 - other) // 2)
    if ships == 0:
        return
    lift_all(s, other, ships)
    room = 0
    for ship in range(ships):
        room |= untouched(s, other, ship) << 8 * ship
    left = DRAWS if unexplained(s, other, 0) != NOWHERE and ships > 1 else 1
    total, kept = 0.0, 0
    while left > 0:
        weight = draw_ships(s, other, ships, room, rng)
        total += weight
        if weight > 0:
            left -= 1
            if uniform(rng) * total < weight:
                kept = packed(s, other, ships)
        lift_all(s, other, ships)
    for ship in range(ships):
        put(s, other, ship, (kept >> 8 * ship) % 256)


def lift_all(s, player, ships):
    for ship in range(ships):
        if s.place[player, ship] != NOWHERE:
            lift(s, player, ship)


def untouched(s, player, ship):
    """How many places there are on the player's board for a ship that were not shot at, other ships or not."""
    n = length(s, ship)
    places = 0
    for way in range(1 if n == 1 else 2):
        run = 0
        for i in range(cells(s)):
            cell = i if way == 0 else i % s.height * s.width + i // s.height
            run = run + 1 if i % (s.width if way == 0 else s.height) else 1
            if s.when[player, cell] > 0:
                run = 0
            places += run >= n
    return places


def packed(s, player, ships):
    """The places of a player's ships as one number."""
    total = 0
    for ship in range(ships):
        total |= s.place[player, ship] << 8 * ship
    return total


def draw_ships(s, player, ships, room, rng):
    """Place a player's ships, none of which is placed, so that all answers hold; returns 1 over the chance of doing it
    so, 0 if it failed.

    First hits are explained, one after the other, by a ship there; one that explains several is preferred, since it
    leaves others free to lie anywhere. Then the rest are placed where nobody shot, each by itself, which fails if one
    comes to lie on another. `room` tells how many places each ship has there, in eight bits each.
    """
    weight = 1.0
    free = 1.0 + room % 256
    hit = unexplained(s, player, 0)
    while hit != NOWHERE and weight > 0:
        weight *= explain(s, player, ships, hit, free, rng)
        hit = unexplained(s, player, hit + 1)
    for ship in range(ships):
        if weight > 0 and s.place[player, ship] == NOWHERE:
            weight *= (room >> 8 * ship) % 256
            if weight > 0:
                place = pick(rng, 2 * cells(s))
                while not on_board(s, ship, place) or explained(s, player, ship, place) != 0:
                    place = pick(rng, 2 * cells(s))
                if not fits(s, player, ship, place):
                    return 0.0
                put(s, player, ship, place)
    return weight if not s.crowded or weight == 0 or has_room(s, player, ships) else 0.0


def unexplained(s, player, first):
    """The first cell of the player's board, from `first` on, that is hit and has no ship; NOWHERE if there is none."""
    for cell in range(first, cells(s)):
        if s.answer[player, cell] > WATER and s.cell[player, cell] == 0:
            return cell
    return NOWHERE


def explain(s, player, ships, hit, free, rng):
    """Place one of the ships over a cell that is hit; returns 1 over the chance of that, 0 if none can be.

    `free` is about how many places a ship has that need not be there.
    """
    total, chosen, place_of_it, odds_of_it = 0.0, NOWHERE, NOWHERE, 1.0
    for ship in range(ships):
        if s.place[player, ship] == NOWHERE:
            for way in range(2 * length(s, ship)):
                place = over(s, hit, way)
                hits = explained(s, player, ship, place) if place >= 0 and fits(s, player, ship, place) else -1
                if hits > 0:
                    odds = free**hits
                    total += odds
                    if uniform(rng) * total < odds:
                        chosen, place_of_it, odds_of_it = ship, place, odds
    if chosen == NOWHERE:
        return 0.0
    put(s, player, chosen, place_of_it)
    return total / odds_of_it


def over(s, cell, way):
    """A place from which a ship reaches a cell: along a row or a column, beginning so many cells before; NOWHERE if off
    the board."""
    back = way // 2
    if way % 2 == 0:
        return cell - back if cell % s.width >= back else NOWHERE
    return cells(s) + cell - back * s.width if cell // s.width >= back else NOWHERE


def explained(s, player, ship, place):
    """How many answers a ship at a place explains; -1 if one of them speaks against it.

    A ship all of whose cells were shot at was sunk by the last of these shots, and by no other.
    """
    n = length(s, ship)
    hits, sunk, last = 0, 0, 0
    for i in range(n):
        cell = part(s, place, i)
        if s.answer[player, cell] == WATER:
            return -1
        hits += s.answer[player, cell] != UNKNOWN
        if s.answer[player, cell] == SUNK:
            sunk = s.when[player, cell]
        last = max(last, s.when[player, cell])
    return hits if sunk == (last if hits == n else 0) else -1


def move_name(s, move):
    if move < cells(s):
        return f"shoot {name(s, move)}"
    place = move - cells(s)
    return f"{name(s, place % cells(s))} {'across' if place < cells(s) else 'down'}"


def name(s, cell):
    return square_name(cell // s.width, cell % s.width)


def mark(s, player, board, cell):
    """What a player sees of a cell of a board; None sees all."""
    ship = s.cell[board, cell]
    answer = s.answer[board, cell]
    if answer == WATER:
        return "~"
    if answer != UNKNOWN:
        return "#" if answer == SUNK or (player in (None, board) and is_sunk(s, board, ship - 1)) else "x"
    return str(ship) if ship and player in (None, board) else "."


def features(s):
    """What is on each cell of the boards."""
    return {
        f"player {i}, {name(s, cell)}": f"ship {s.cell[i, cell]}" if s.cell[i, cell] else "water"
        for i in range(2)
        for cell in range(cells(s))
    }


def show(s, player):
    lines = []
    for board in range(2) if player is None else (player, 1 - player):
        lines.append(f"board of player {board}")
        for row in range(s.height):
            marks = [mark(s, player, board, row * s.width + column) for column in range(s.width)]
            lines.append(f"{row + 1:2} {' '.join(marks)}")
        lines.append("   " + " ".join("abcdefghij"[: s.width]))
    return "\n".join([*lines, caption(s)])


def caption(s):
    if placing(s):
        return f"player {s.turns % 2} places ship {s.turns // 2 + 1}, {length(s, s.turns // 2)} long"
    left = [s.shots - (s.turns + 1 - i) // 2 + s.fleet for i in range(2)]
    return f"player {s.turns % 2} shoots; shots left {left[0]} and {left[1]}"


def svg(s, player):
    """The player's own board on the left, the other's on the right."""
    cell, wide = 24, 24 * s.width + 40
    picture = Picture(2 * wide, 24 * s.height + 60)
    fills = {"~": "#93c5fd", "x": "#f59e0b", "#": "#b91c1c", ".": "#dbeafe"}
    for k, board in enumerate(range(2) if player is None else (player, 1 - player)):
        left = k * wide + 30
        picture.text(left + 12 * s.width, 12, f"player {board}", 13)
        for i in range(cells(s)):
            x, y, seen = left + i % s.width * cell, 26 + i // s.width * cell, mark(s, player, board, i)
            picture.rect(x, y, cell, cell, fill=fills.get(seen, "#6b7280"), line="#1e3a8a")
            if seen != ".":
                picture.text(x + 12, y + 12, seen, 13, colour="#f9fafb")
        for column in range(s.width):
            picture.text(left + (column + 0.5) * cell, 26 + s.height * cell + 10, "abcdefghij"[column], 11)
        for row in range(s.height):
            picture.text(left - 12, 26 + (row + 0.5) * cell, str(row + 1), 11)
    picture.text(wide, 26 + 24 * s.height + 26, caption(s), 12)
    return str(picture)
