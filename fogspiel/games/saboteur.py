"""Saboteur: diggers drive a tunnel to the gold, and saboteurs among them, whom nobody knows, try to prevent it.

Of three to ten players each draws a role in secret, digger or saboteur; nobody knows another's. A ladder stands at one
end of the table, and eight columns away lie three goal cards face down, one of which hides gold. In turn a player uses
a card of its hand and draws another, while there are any. It lays a tunnel, which must continue one that comes from the
ladder, and fit all its neighbours; it may be turned by half. It breaks a tool of another player (pickaxe, lamp or
cart), who may lay no tunnel while a tool is broken, or repairs one of anybody's. A rockfall takes a tunnel away. A map
lets the player look at a goal card, in secret. Or it discards a card face down. A goal card that a tunnel reaches is
shown. The diggers win when they reach the gold, the saboteurs when all cards are used: +1 for each winner, -1 for each
loser.

Whitehouse 2014, sec. 4.2.13. From the rule book (Moyersoen 2004): the roles (one role card is left over: of five
players two are saboteurs with probability 2/3, else one), the cards, the hands, where the goals lie. Assumed: the table
has 7 rows and 11 columns; a goal card without gold, once shown, is open to all four sides; one round is played, and
gold is not shared out.
"""

from textwrap import wrap

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Picture, Whole, mix, pick
from fogspiel.games.toolkit.bits import count_bits, has, lowest_bit, pick_bit
from fogspiel.games.toolkit.draw import BLACK, LIGHT

FEWEST, MOST = 3, 10
SABOTEURS = (1, 1, 2, 2, 3, 3, 3, 4)
"""Saboteurs among the role cards, by the number of players, from 3; there is a card more than there are players."""
HANDS = (6, 6, 6, 5, 5, 4, 4, 4)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
ROWS, COLUMNS = 7, 11
CELLS = ROWS * COLUMNS
LADDER = 3 * COLUMNS + 1
GOALS = (1 * COLUMNS + 9, 3 * COLUMNS + 9, 5 * COLUMNS + 9)

TUNNELS = (
    (NORTH | SOUTH, 4),
    (EAST | WEST, 3),
    (NORTH | EAST, 5),
    (NORTH | WEST, 4),
    (NORTH | EAST | SOUTH, 5),
    (NORTH | EAST | WEST, 5),
    (NORTH | EAST | SOUTH | WEST, 5),
)
DEAD_ENDS = (
    NORTH,
    EAST,
    NORTH | SOUTH,
    EAST | WEST,
    NORTH | EAST,
    NORTH | WEST,
    NORTH | EAST | SOUTH,
    NORTH | EAST | WEST,
    NORTH | EAST | SOUTH | WEST,
)
"""To which sides a tunnel is open, and how many cards there are of it. Of each dead end, which leads nowhere from any
side, there is one."""
PATHS = len(TUNNELS) + len(DEAD_ENDS)
MAP, ROCKFALL, BREAK, REPAIR, REPAIR_EITHER = PATHS, PATHS + 1, PATHS + 2, PATHS + 5, PATHS + 8
KINDS = PATHS + 11
"""Kinds of cards: paths, maps, rockfalls; three to break a tool, three to repair it, three for one of two tools."""
TOOLS = ("pickaxe", "lamp", "cart")
EITHER = (0b011, 0b101, 0b110)
COPIES = (*(copies for _, copies in TUNNELS), *(1 for _ in DEAD_ENDS), 6, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1)
DECK = sum(COPIES)
NONE = KINDS
"""Where a hand has no card."""


def half_turn(sides):
    return (sides << 2 | sides >> 2) & 15


EMPTY, OPEN, FACE_DOWN = 0, 2 * PATHS + 1, 2 * PATHS + 2
SIDES = (
    0,
    *(turned for sides in (*(sides for sides, _ in TUNNELS), *DEAD_ENDS) for turned in (sides, half_turn(sides))),
    15,
    0,
)
"""To which sides a tile is open. A tile is 1 + 2 * path + (1 if it is turned); OPEN is the ladder, or a goal that was
shown."""
DEALING, PLAYING, DRAWING, FOUND, LOST = 0, 1, 2, 3, 4
LAY, FALL, LOOK, SMASH, MEND = 32, 4000, 4100, 4200, 4300
"""Moves below LAY discard a card of that kind; then there is a range for each of the other actions."""
HIDDEN = 32
"""Added to what was discarded, which nobody else saw."""
WORD = 44
"""Cells in the first of two words of a set."""

PARAMETERS = (Whole("players", 5, FEWEST, MOST, "players"),)
MAX_MOVES = 330
State = np.dtype(
    [
        ("players", "i1"),
        ("phase", "i1"),
        ("dealt", "i1"),
        ("turn", "i1"),
        ("roles", "i2"),
        ("gold", "i1"),
        ("shown", "i1"),
        ("left", "i1"),
        ("looked", "i1", MOST),
        ("broken", "i1", MOST),
        ("hand", "i1", (MOST, 6)),
        ("deck", "i1", KINDS),
        ("used", "i1", DECK),
        ("did", "i2", DECK),
        ("board", "i1", CELLS),
        ("ends", "i8", 2),
        ("own", "u8", MOST),
        ("history", "u8"),
    ],
    align=True,
)
"""roles is a set of players, the saboteurs, and `players` for the role card left over. shown and looked are sets of
goals; broken has a set of tools for each player. hand holds kinds in rising order; deck counts them, and left is their
number. used has the card of each turn, did the move that all saw, or 0 for a discard. ends is the set of empty cells to
which tunnels from the ladder are open. own is a hash of a player's discards and of the cards it drew, each with its
turn, history of what all saw."""


def about(players):
    return About(players=players, utility=(-1, 1), zero_sum=False)


def start(s):
    s.phase = DEALING
    s.left = DECK
    for kind in range(KINDS):
        s.deck[kind] = COPIES[kind]
    for player in range(s.players):
        for i in range(6):
            s.hand[player, i] = NONE
    s.board[LADDER] = OPEN
    for goal in GOALS:
        s.board[goal] = FACE_DOWN
    follow_tunnels(s)


def to_deal(s):
    """Roles, the gold, and all hands."""
    return 2 + s.players * HANDS[s.players - FEWEST]


def actor(s):
    if s.phase == PLAYING:
        return s.turn % s.players
    return CHANCE if s.phase == DEALING or s.phase == DRAWING else OVER


def chance(s, out, prob):
    n = 0
    if s.phase == DEALING and s.dealt == 0:
        n = role_cards(s, out)
    elif s.phase == DEALING and s.dealt == 1:
        n = 3
        for goal in range(n):
            out[goal] = goal
    if n > 0:
        for i in range(n):
            prob[i] = 1 / n
        return n
    for kind in range(KINDS):
        if s.deck[kind] > 0:
            out[n] = kind
            prob[n] = s.deck[kind] / s.left
            n += 1
    return n


def role_cards(s, out):
    """Every way to deal the role cards of the saboteurs, one to a player, or to nobody."""
    n = 0
    for roles in range(1 << s.players + 1):
        if count_bits(roles) == SABOTEURS[s.players - FEWEST]:
            out[n] = roles
            n += 1
    return n


def moves(s, out):
    player = s.turn % s.players
    n = 0
    last = NONE
    for i in range(6):
        kind = s.hand[player, i]
        if kind in (NONE, last):
            continue
        last = kind
        out[n] = kind
        n += 1
        if kind < PATHS:
            if s.broken[player] == 0:
                n = places_for(s, kind, out, n)
        elif kind == MAP:
            for goal in range(3):
                if not has(s.shown, goal):
                    out[n] = LOOK + goal
                    n += 1
        elif kind == ROCKFALL:
            for cell in range(CELLS):
                if EMPTY < s.board[cell] < OPEN:
                    out[n] = FALL + cell
                    n += 1
        elif kind < REPAIR:
            for other in range(s.players):
                if other != player and not has(s.broken[other], kind - BREAK):
                    out[n] = SMASH + MOST * (kind - BREAK) + other
                    n += 1
        else:
            n = repairs_by(s, kind, out, n)
    return n


def places_for(s, kind, out, n):
    """Where a path fits, as it is or turned."""
    for word in range(2):
        left = s.ends[word]
        while left != 0:
            cell = WORD * word + lowest_bit(left)
            left &= left - 1
            needed, barred = asked_of(s, cell)
            for turned in range(2):
                tile = 1 + 2 * kind + turned
                if (
                    SIDES[tile] & needed == needed
                    and SIDES[tile] & barred == 0
                    and not (turned and SIDES[tile] == SIDES[tile - 1])
                ):
                    out[n] = LAY + 32 * cell + 2 * kind + turned
                    n += 1
    return n


def asked_of(s, cell):
    """To which sides a tile on a cell must be open, and to which it must not."""
    needed, barred = 0, 0
    for i in range(4):
        beside = neighbour(cell, i)
        if beside >= 0 and s.board[beside] != EMPTY and s.board[beside] != FACE_DOWN:
            if has(SIDES[s.board[beside]], (i + 2) % 4):
                needed |= 1 << i
            else:
                barred |= 1 << i
    return needed, barred


def neighbour(cell, i):
    """The cell to the north, east, south or west, -1 off the table."""
    row, column = cell // COLUMNS, cell % COLUMNS
    if i == 0:
        return cell - COLUMNS if row > 0 else -1
    if i == 1:
        return cell + 1 if column < COLUMNS - 1 else -1
    if i == 2:
        return cell + COLUMNS if row < ROWS - 1 else -1
    return cell - 1 if column > 0 else -1


def repairs_by(s, kind, out, n):
    tools = 1 << kind - REPAIR if kind < REPAIR_EITHER else EITHER[kind - REPAIR_EITHER]
    for tool in range(3):
        for other in range(s.players):
            if has(tools & s.broken[other], tool):
                out[n] = MEND + 32 * (MOST * tool + other) + kind
                n += 1
    return n


def play(s, move):
    if s.phase == DEALING:
        deal(s, move)
    elif s.phase == DRAWING:
        take(s, s.turn % s.players, move)
        note(s, s.turn % s.players, s.turn, move)
        end_turn(s)
    else:
        use(s, s.turn % s.players, move)


def deal(s, move):
    if s.dealt == 0:
        s.roles = move
    elif s.dealt == 1:
        s.gold = move
    else:
        take(s, (s.dealt - 2) % s.players, move)
    s.dealt += 1
    if s.dealt == to_deal(s):
        s.phase = PLAYING


def take(s, player, kind):
    """A card from the deck goes to its place in the hand."""
    s.deck[kind] -= 1
    s.left -= 1
    i = 5
    while i > 0 and s.hand[player, i - 1] > kind:
        s.hand[player, i] = s.hand[player, i - 1]
        i -= 1
    s.hand[player, i] = kind


def note(s, player, turn, card):
    """A player remembers a card that it drew, or discarded (+ HIDDEN), in a turn; the sum does not depend on the order
    of noting."""
    s.own[player] += mix(turn, card)


def give_up(s, player, kind):
    """A card leaves the hand."""
    i = 0
    while s.hand[player, i] != kind:
        i += 1
    while i < 5:
        s.hand[player, i] = s.hand[player, i + 1]
        i += 1
    s.hand[player, 5] = NONE


def card_of(move):
    """The kind of card that a move uses."""
    if move < LAY:
        return move
    if move < FALL:
        return (move - LAY) % 32 // 2
    if move < LOOK:
        return ROCKFALL
    if move < SMASH:
        return MAP
    return BREAK + (move - SMASH) // MOST if move < MEND else (move - MEND) % 32


def use(s, player, move):
    """A player uses a card: what it is, all see, unless it is discarded."""
    kind = card_of(move)
    give_up(s, player, kind)
    s.used[s.turn] = kind + HIDDEN if move < LAY else kind
    s.did[s.turn] = 0 if move < LAY else move
    s.history = mix(s.history, KINDS if move < LAY else move)
    if move < LAY:
        note(s, player, s.turn, kind + HIDDEN)
    elif move < FALL:
        s.board[(move - LAY) // 32] = 1 + (move - LAY) % 32
        follow_tunnels(s)
    elif move < LOOK:
        s.board[move - FALL] = EMPTY
        follow_tunnels(s)
    elif move < SMASH:
        s.looked[player] |= 1 << move - LOOK
    elif move < MEND:
        s.broken[(move - SMASH) % MOST] |= 1 << (move - SMASH) // MOST
    else:
        s.broken[(move - MEND) // 32 % MOST] &= ~(1 << (move - MEND) // 32 // MOST)
    if s.phase == PLAYING:
        if s.left > 0:
            s.phase = DRAWING
        else:
            end_turn(s)


def end_turn(s):
    s.turn += 1
    s.phase = LOST if s.turn == DECK else PLAYING


def follow_tunnels(s):
    """Find the cells into which tunnels lead from the ladder, and show the goals that they lead to."""
    s.ends[0], s.ends[1] = 0, 0
    reached, further = 0, 0
    todo, later = 1 << LADDER, 0
    while todo != 0 or later != 0:
        if todo != 0:
            cell = lowest_bit(todo)
            todo &= todo - 1
            reached |= 1 << cell
        else:
            cell = WORD + lowest_bit(later)
            later &= later - 1
            further |= 1 << cell - WORD
        for i in range(4):
            beside = neighbour(cell, i)
            if beside < 0 or not has(SIDES[s.board[cell]], i):
                continue
            if s.board[beside] == FACE_DOWN:
                show_goal(s, beside)
            tile = s.board[beside]
            if tile == EMPTY:
                s.ends[beside // WORD] |= 1 << beside % WORD
            elif leads_on(tile) and has(SIDES[tile], (i + 2) % 4):
                if beside < WORD:
                    todo |= (1 << beside) & ~reached
                else:
                    later |= (1 << beside - WORD) & ~further


def leads_on(tile):
    return tile <= 2 * len(TUNNELS) or tile == OPEN


def show_goal(s, cell):
    """A goal card is turned over: the gold ends the game."""
    for goal in range(3):
        if GOALS[goal] == cell:
            s.shown |= 1 << goal
            s.history = mix(s.history, 2 * goal + (goal == s.gold))
            if goal == s.gold:
                s.phase = FOUND
    s.board[cell] = OPEN


def payoff(s, out):
    for player in range(s.players):
        out[player] = 1 if has(s.roles, player) == (s.phase == LOST) else -1


def evaluate(s, out):
    """How near tunnels have come to the gold, less how many cards are used."""
    gold = GOALS[s.gold]
    nearest = 8
    for word in range(2):
        left = s.ends[word]
        while left != 0:
            cell = WORD * word + lowest_bit(left)
            left &= left - 1
            nearest = min(nearest, between(cell, gold))
    value = 1 - nearest / 8 - s.turn / DECK
    for player in range(s.players):
        out[player] = -value if has(s.roles, player) else value


def guide(s, out, prob):
    """Diggers lay tunnels that lead on, the nearer to a goal the rather, and remove dead ends; saboteurs do the
    opposite. All mend tools and look at maps. What helps the other side, or is discarded, has little weight."""
    n = moves(s, out)
    digs = not has(s.roles, s.turn % s.players)
    total = 0.0
    for i in range(n):
        prob[i] = weight(s, int(out[i]), digs)
        total += prob[i]
    for i in range(n):
        prob[i] /= total
    return n


def weight(s, move, digs):
    """How much sense a move makes to a digger, or to a saboteur."""
    if move < LAY:
        return 0.2
    if move < FALL:
        cell, tile = (move - LAY) // 32, 1 + (move - LAY) % 32
        return (9 - from_goals(s, cell, tile)) ** 3 if leads_on(tile) == digs else 0.1
    if move < LOOK:
        return 2.0 if leads_on(s.board[move - FALL]) != digs else 0.1
    return 1.0 if SMASH <= move < MEND else 4.0


def from_goals(s, cell, tile):
    """How many cells are left from where a tile would lead to the nearest goal that was not shown, eight at most."""
    nearest = 8
    for i in range(4):
        beside = neighbour(cell, i)
        if beside >= 0 and has(SIDES[tile], i) and (s.board[beside] == EMPTY or s.board[beside] == FACE_DOWN):
            for goal in range(3):
                if not has(s.shown, goal):
                    nearest = min(nearest, between(beside, GOALS[goal]))
    return nearest


def between(cell, other):
    """Steps from a cell to another."""
    return abs(cell // COLUMNS - other // COLUMNS) + abs(cell % COLUMNS - other % COLUMNS)


def infoset(s, player):
    """What all saw; the own role, hand and discards, and what the player saw of the goals. At the end roles and gold
    are shown."""
    key = mix(mix(s.history, s.dealt), s.turn)
    key = mix(key, s.phase)
    if s.phase >= FOUND:
        key = mix(mix(key, s.roles), s.gold)
    if player == PUBLIC:
        return key
    key = mix(mix(key, s.own[player]), s.roles >> player & 1)
    for i in range(6):
        key = mix(key, s.hand[player, i])
    return mix(key, s.gold if has(s.looked[player], s.gold) else -1)


def sees(s, player, move):
    """Who is dealt a role or a card sees it. What is done is open, but for a card that is drawn or discarded, and for
    the goal on a map. Goals are turned over before all, and at the end roles and gold."""
    if s.phase == DEALING:
        if s.dealt == 0:
            return mix(1, move >> player & 1)
        return mix(2, move) if s.dealt > 1 and player == (s.dealt - 2) % s.players else mix(1, 2)
    mine, shown = player == s.turn % s.players, s.shown
    opened, looked = s.phase == PLAYING and move >= LAY, s.phase == PLAYING and LOOK <= move < SMASH
    play(s, move)
    if opened and not mine and s.shown == shown and s.phase < FOUND:
        return mix(0, move)
    key = mix(mix(3, s.shown - shown), move if opened or mine else -1)
    if looked and mine:
        key = mix(key, move - LOOK == s.gold)
    return mix(mix(key, s.roles), s.gold) if s.phase >= FOUND else key


def resample(s, player, rng):
    """Draws the other role cards, the gold among goals that the player has not seen, and all cards that it has not
    seen: the others' hands and discards, and when they drew what. Each way is as likely, as if the others had chosen
    their cards at random."""
    if s.phase < FOUND and s.dealt > 0:
        mine = s.roles & 1 << player
        others = (1 << s.players + 1) - 1 & ~(1 << player)
        s.roles = mine
        for _ in range(SABOTEURS[s.players - FEWEST] - (mine != 0)):
            s.roles |= 1 << pick_bit(others & ~s.roles, rng)
    known = s.looked[player] | s.shown
    if s.phase < FOUND and s.dealt > 1 and not has(known, s.gold):
        s.gold = pick_bit(7 & ~known, rng)
    redeal(s, player, rng)


def redeal(s, player, rng):
    """Puts the cards that others hold or have discarded back into the deck, and draws as many again."""
    turns = s.turn + (s.phase == DRAWING)
    for turn in range(turns):
        if hides(s, player, turn):
            s.deck[s.used[turn] - HIDDEN] += 1
            s.left += 1
    for other in range(s.players):
        if other != player:
            s.own[other] = 0
            for i in range(6):
                if s.hand[other, i] != NONE:
                    s.deck[s.hand[other, i]] += 1
                    s.left += 1
    for turn in range(turns):
        if hides(s, player, turn):
            kind = top_card(s, rng)
            s.deck[kind] -= 1
            s.left -= 1
            s.used[turn] = kind + HIDDEN
            note(s, turn % s.players, turn, kind + HIDDEN)
    for other in range(s.players):
        if other != player:
            cards = 0
            while cards < 6 and s.hand[other, cards] != NONE:
                s.hand[other, cards] = NONE
                cards += 1
            for _ in range(cards):
                take(s, other, top_card(s, rng))
            redraw_order(s, other, turns, cards, rng)


def redraw_order(s, player, turns, cards, rng):
    """Which card a player drew when: from its last turn back to its first, any card of the hand may be the one just
    drawn, and the one used comes back in its place."""
    hand = 0
    for i in range(cards):
        hand |= s.hand[player, i] << 5 * i
    for back in range(turns):
        turn = turns - 1 - back
        if turn % s.players == player:
            used = s.used[turn] & 31
            if turn < s.turn and turn < DECK - s.players * HANDS[s.players - FEWEST]:
                place = 5 * pick(rng, cards)
                drawn = hand >> place & 31
                note(s, player, turn, drawn)
                hand += used - drawn << place
            else:
                hand |= used << 5 * cards
                cards += 1


def hides(s, player, turn):
    """Whether another player discarded a card in that turn."""
    return turn % s.players != player and s.used[turn] >= HIDDEN


def top_card(s, rng):
    """A card of the deck, each as likely."""
    skip = pick(rng, s.left)
    kind = 0
    while skip >= s.deck[kind]:
        skip -= s.deck[kind]
        kind += 1
    return kind


def features(s):
    roles = {f"player {i}": "saboteur" if has(s.roles, i) else "digger" for i in range(s.players)}
    return roles | {"gold": f"goal {s.gold + 1}"}


def move_name(s, move):
    if s.phase == DEALING and s.dealt == 0:
        return "saboteurs " + " ".join(
            str(i) if i < s.players else "left over" for i in range(MOST + 1) if has(move, i)
        )
    if s.phase == DEALING and s.dealt == 1:
        return f"gold at goal {move + 1}"
    if s.phase == DEALING or s.phase == DRAWING:
        who = (s.dealt - 2) % s.players if s.phase == DEALING else s.turn % s.players
        return f"player {who} draws {card_name(move)}"
    return f"discard {card_name(move)}" if move < LAY else action_name(move)


def action_name(move):
    """A move that all see."""
    if move < FALL:
        return f"{path_name(1 + (move - LAY) % 32)} {cell_name((move - LAY) // 32)}"
    if move < LOOK:
        return f"rockfall {cell_name(move - FALL)}"
    if move < SMASH:
        return f"map {move - LOOK + 1}"
    if move < MEND:
        return f"break {TOOLS[(move - SMASH) // MOST]} of {(move - SMASH) % MOST}"
    tool, other = (move - MEND) // 32 // MOST, (move - MEND) // 32 % MOST
    by = "" if card_of(move) < REPAIR_EITHER else f" by {card_name(card_of(move))}"
    return f"mend {TOOLS[tool]} of {other}{by}"


def path_name(tile):
    """A path by the sides it is open to: NES, or dead NES."""
    letters = "".join(letter for i, letter in enumerate("NESW") if has(SIDES[tile], i))
    return letters if leads_on(tile) else f"dead {letters}"


def cell_name(cell):
    return "abcdefghijk"[cell % COLUMNS] + str(ROWS - cell // COLUMNS)


def card_name(kind):
    if kind < PATHS:
        return path_name(1 + 2 * kind)
    if kind < BREAK:
        return ("map", "rockfall")[kind - MAP]
    if kind < REPAIR_EITHER:
        return ("broken ", "whole ")[kind >= REPAIR] + TOOLS[(kind - BREAK) % 3]
    return " or ".join(TOOLS[tool] for tool in range(3) if has(EITHER[kind - REPAIR_EITHER], tool))


GLYPHS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Paths by the sides they are open to."""


def knows_goal(s, player, goal):
    return s.dealt > 1 and (player is None or s.phase >= FOUND or has(s.shown | s.looked[player], goal))


def tile_text(s, player, cell):
    """Two letters for a cell: dead ends have a cross behind them."""
    if cell == LADDER:
        return "# "
    if cell in GOALS:
        goal = GOALS.index(cell)
        return ("$ " if goal == s.gold else "o ") if knows_goal(s, player, goal) else "? "
    tile = s.board[cell]
    return "· " if tile == EMPTY else GLYPHS[SIDES[tile]] + (" " if leads_on(tile) else "x")


def sees_role(s, player, whom):
    return s.dealt > 0 and (player in (None, whom) or s.phase >= FOUND)


def show(s, player):
    rows = [
        f"{ROWS - row} " + "".join(tile_text(s, player, COLUMNS * row + column) for column in range(COLUMNS))
        for row in range(ROWS)
    ]
    lines = [*rows, "  " + " ".join("abcdefghijk"), f"cards in the deck: {s.left}"]
    for i in range(s.players):
        role = (("digger", "saboteur")[has(s.roles, i)]) if sees_role(s, player, i) else "?"
        cards = [kind for kind in s.hand[i] if kind != NONE]
        hand = (", ".join(map(card_name, cards)) or "no cards") if player in (None, i) else f"{len(cards)} cards"
        tools = "".join(f", {tool} broken" for t, tool in enumerate(TOOLS) if has(s.broken[i], t))
        lines.append(
            f"player {i}{'*' if s.phase == PLAYING and s.turn % s.players == i else ' '} {role}: {hand}{tools}"
        )
        if done := deeds(s, i):
            lines.append(f"  played: {', '.join(done)}")
    lines += {FOUND: ["the gold is found"], LOST: ["the gold is lost"]}.get(s.phase, [])
    return "\n".join(lines)


def deeds(s, player):
    """What all saw a player do, from its first turn on."""
    turns = s.turn + (s.phase in (DRAWING, FOUND))
    moves = [s.did[turn] for turn in range(player, turns, s.players)]
    return [action_name(move) if move else "discard" for move in moves]


def svg(s, player):
    """The table with its tunnels; goals gold or grey where they are known. Below, who has which tools broken and has
    played what, and the hand."""
    told = [part for line in show(s, player).split("\n")[ROWS + 1 :] for part in wrap(line, 84)]
    picture = Picture(COLUMNS * 44 + 20, ROWS * 44 + 24 + 18 * len(told), paper=LIGHT)
    for cell in range(CELLS):
        x, y = 10 + 44 * (cell % COLUMNS), 10 + 44 * (cell // COLUMNS)
        if s.board[cell] == EMPTY:
            picture.rect(x, y, 44, 44, fill="#ece2cc", line="#d6c7a1")
            continue
        picture.rect(x, y, 44, 44, fill="#8b6f47", line="#5b4630", round=4)
        draw_tile(picture, x + 22, y + 22, s.board[cell])
        if cell in GOALS:
            known = knows_goal(s, player, GOALS.index(cell))
            picture.circle(
                x + 22,
                y + 22,
                11,
                fill="#5b4630" if not known else "#facc15" if GOALS.index(cell) == s.gold else "#9ca3af",
            )
            picture.text(x + 22, y + 22, "" if known else "?", 14, colour=LIGHT)
        if cell == LADDER:
            picture.text(x + 22, y + 22, "#", 20, colour=BLACK, bold=True)
    for i, line in enumerate(told):
        picture.text(10, ROWS * 44 + 24 + 18 * i, line, 11, anchor="start")
    return str(picture)


def draw_tile(picture, x, y, tile):
    """The tunnels of a tile, which meet in the middle unless it is a dead end."""
    reach = 0 if leads_on(tile) else 9
    for i in range(4):
        if has(SIDES[tile], i):
            right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[i]
            picture.line(x + reach * right, y + reach * down, x + 22 * right, y + 22 * down, colour="#f5e6c4", width=10)
    if not leads_on(tile) and tile != FACE_DOWN:
        picture.circle(x, y, 5, fill="#5b4630")
