"""The Lord of the Rings: The Confrontation, a hunt for Frodo among characters that the other side cannot tell apart.

Light (player 0) starts in the Shire, Dark (player 1) in Mordor; 16 regions lie between and with these. In turn, Dark
first, a player moves one character forward to a neighbouring region. A region holds two characters of a side, a
mountain one, the Shire and Mordor four. The other sees that a character moves, not which; and in a region nobody can
tell the other's characters apart.

Who moves into a region with enemies attacks: of several one is picked at random, and both are revealed. The text of
Light's character comes first, then Dark's. If the battle is still on, both choose one of nine cards at once, which is
spent until all nine are: Dark's text counts first, then Light's, and then the greater sum of strength and card; the
loser is out, in a tie both are. Battles go on while the attacker meets enemies.

Light wins when Frodo enters Mordor, Dark when Frodo is defeated or four Dark characters are in the Shire. Who cannot
move loses.

Light: Frodo 1 (attacked, may retreat sideways), Sam 2 (5 with Frodo, and may take his place), Merry 2 (defeats the
Witch-king), Pippin 1 (attacking, may retreat backwards), Boromir 0 (both are defeated), Gimli 3 (defeats the Orcs),
Legolas 3 (defeats the Nazgul), Aragorn 4 (may attack any neighbour), Gandalf 5 (Dark plays its card first). Dark: Orcs
2 (attacking, defeat the first they meet), Warg 2 (Light's text is ignored), Black Rider 3 (moves on to attack), Flying
Nazgul 3 (may attack a lone character anywhere), Saruman 4 (may forbid cards), Balrog 5 (in Caradhras, may defeat who
takes the tunnel of Moria), Shelob 5 (goes to Gondor after a victory elsewhere), Witch-king 5 (may attack sideways),
Cave Troll 9 (Dark's card is ignored).

Cards: Light has 1 to 5, Dark 1 to 6, and both Magic (a spent card is played instead). Light: Noble Sacrifice (both are
defeated), Elven Cloak (Dark's number is ignored), Retreat (backwards). Dark: Eye of Sauron (Light's text card is
ignored), Retreat (sideways).

Whitehouse 2014, sec. 4.2.5 and 4.2.6, which prints neither characters, cards nor map; these are those of the rule book
(Knizia 2002, Deluxe Edition 2005, classic game), which asks for three characters in the Shire (invaders=3). Set-ups are
drawn at random, 9!/4! for each side; with setup=guarded Frodo, Sam and the Balrog start at home, as in the games
against people there; with setup=players each side chooses. Assumed: sideways retreats go up and down the Anduin alike;
of what both choose at once, Light chooses first, unseen. A player remembers what both saw and where its characters are,
not which of them made which earlier move.
"""

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, PUBLIC, About, Choice, Picture, Whole, mix, uniform
from fogspiel.games.toolkit.bits import count_bits, has, lowest_bit, pick_bit
from fogspiel.games.toolkit.draw import BLACK
from fogspiel.games.toolkit.draw import LIGHT as PALE

LIGHT, DARK = 0, 1
NOBODY, NOWHERE = -1, -1
FRODO, SAM, MERRY, PIPPIN, BOROMIR, GIMLI, LEGOLAS, ARAGORN, GANDALF = range(9)
ORCS, WARG, BLACK_RIDER, NAZGUL, SARUMAN, BALROG, SHELOB, WITCH_KING, CAVE_TROLL = range(9)
NAMES = (
    ("Frodo", "Sam", "Merry", "Pippin", "Boromir", "Gimli", "Legolas", "Aragorn", "Gandalf"),
    ("Orcs", "Warg", "Black Rider", "Nazgul", "Saruman", "Balrog", "Shelob", "Witch-king", "Cave Troll"),
)
STRENGTH = np.array([[1, 2, 2, 1, 0, 3, 3, 4, 5], [2, 2, 3, 3, 4, 5, 5, 5, 9]])
ALL = (1 << 9) - 1

MAGIC = (5, 6)
NOBLE_SACRIFICE, ELVEN_CLOAK = 6, 7
EYE_OF_SAURON = 7
RETREAT = 8
NO_CARD = 9
CARDS = (
    ("1", "2", "3", "4", "5", "Magic", "Noble Sacrifice", "Elven Cloak", "Retreat"),
    ("1", "2", "3", "4", "5", "6", "Magic", "Eye of Sauron", "Retreat"),
)
"""Cards below MAGIC are numbers; the others are text."""

REGIONS = (
    "Shire",
    "Arthedain",
    "Cardolan",
    "Rhudaur",
    "Eregion",
    "Enedwaith",
    "High Pass",
    "Misty Mountains",
    "Caradhras",
    "Gap of Rohan",
    "Mirkwood",
    "Fangorn",
    "Rohan",
    "Dagorlad",
    "Gondor",
    "Mordor",
)
SHIRE, EREGION, CARADHRAS, MIRKWOOD, FANGORN, ROHAN, GONDOR, MORDOR = 0, 4, 8, 10, 11, 12, 14, 15
UNPLACED, DEAD = 16, 17
ROW = (0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6)
LIMIT = (4, 2, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 4)
ROADS = (
    (1, 2),
    (3, 4),
    (4, 5),
    (6, 7),
    (7, 8),
    (8, 9),
    (10,),
    (10, 11),
    (11, 12),
    (12,),
    (13,),
    (13, 14),
    (14,),
    (15,),
    (15,),
    (),
)
"""Where a region's roads towards Mordor lead."""


def among(*regions):
    return sum(1 << region for region in regions)


UP = tuple(among(*ends) for ends in ROADS)
DOWN = tuple(among(*(a for a in range(16) if b in ROADS[a])) for b in range(16))
SIDEWAYS = tuple(among(*(b for b in (a - 1, a + 1) if 0 <= b < 16 and ROW[a] == ROW[b] != 3)) for a in range(16))
BESIDES = {EREGION: among(FANGORN), MIRKWOOD: among(FANGORN), FANGORN: among(ROHAN)}
FORWARD = np.array([[UP[a] | BESIDES.get(a, 0) for a in range(16)], DOWN])
"""Light may also take the tunnel of Moria, from Eregion to Fangorn, and go down the Anduin. Nobody moves sideways in
the mountains."""
FRONT = np.array([[1, 2, 3, 4, 5], [10, 11, 12, 13, 14]])
HOME = (SHIRE, MORDOR)
GUARDED = (1 << FRODO | 1 << SAM, 1 << BALROG)
RANDOM, AT_HOME, PLAYERS = 0, 1, 2

SETUP, MOVING, TUNNEL, MEETING, TEXT, PARLEY, PLAYING, CONJURING, RETREATING, FINISHED = range(10)
FIGHT, SAM_STEPS_IN, PROVE = 16, 17, 18
"""Answers of a character who is asked for its text: stay and fight; otherwise a region to retreat to."""
PASS, STRIKE = 0, 1

PARAMETERS = (
    Choice("setup", "random", ("random", "guarded", "players"), "who places characters; guarded: some stay at home"),
    Whole("invaders", 4, 3, 4, "Dark characters in the Shire that win"),
)
MAX_MOVES = 64
State = np.dtype(
    [
        ("setup", "i1"),
        ("invaders", "i1"),
        ("phase", "i1"),
        ("turn", "i1"),
        ("placed", "i1"),
        ("attacker", "i1"),
        ("defender", "i1"),
        ("to", "i1"),
        ("fought", "i1"),
        ("proved", "i1"),
        ("asked", "i1"),
        ("winner", "i1"),
        ("at", "i1", (2, 9)),
        ("may", "i2", (2, 9)),
        ("who", "i2", (2, 16)),
        ("held", "i4", 2),
        ("full", "i4", 2),
        ("spent", "i2", 2),
        ("card", "i1", 2),
        ("played", "i1", 2),
        ("last", "i2", 2),
        ("token", "i4", 9),
        ("history", "u8"),
    ],
    align=True,
)
"""at has the region of each character and who the set of characters in each region; held and full are the sets of
regions with some, or with as many characters as there may be, of a side. may is the set of characters that the other
side must take a character for. spent has the cards that a side has played, played those of this battle, card those that
count. asked is the side that conjures or retreats. last is a side's last move, 16 * from + to, or NOWHERE. token is
empty but while redrawing. history is a hash of what both saw."""


def about(setup, invaders):
    return About(utility=(-1, 1), simultaneous=True, perfect_recall=False)


def start(s):
    s.phase = SETUP
    s.winner = NOBODY
    for side in range(2):
        s.card[side], s.played[side] = NO_CARD, NO_CARD
        s.last[side] = NOWHERE
        for c in range(9):
            s.at[side, c] = UNPLACED
            s.may[side, c] = ALL


def actor(s):
    if s.phase == SETUP:
        return s.placed // 5 if s.setup == PLAYERS else CHANCE
    if s.phase == MOVING:
        return s.turn
    if s.phase == TUNNEL or s.phase == PARLEY:
        return DARK
    if s.phase == TEXT:
        return LIGHT
    if s.phase == PLAYING:
        return to_play(s)
    if s.phase == CONJURING or s.phase == RETREATING:
        return s.asked
    return CHANCE if s.phase == MEETING else OVER


def to_play(s):
    """Who chooses a card next: Light, whose choice is not seen, unless Gandalf makes Dark show its card first."""
    if gandalf_waits(s):
        return DARK if s.played[DARK] == NO_CARD else LIGHT
    return LIGHT if s.played[LIGHT] == NO_CARD else DARK


def pending(s):
    """Both choose a card at once, unless Light waits for Dark's."""
    return s.phase == PLAYING and s.played[LIGHT] != NO_CARD and not gandalf_waits(s)


def gandalf_waits(s):
    return light_one(s) == GANDALF and dark_one(s) != WARG


def light_one(s):
    """The Light character in a battle."""
    return s.attacker if s.turn == LIGHT else s.defender


def dark_one(s):
    return s.defender if s.turn == LIGHT else s.attacker


def moves(s, out):
    if s.phase == SETUP:
        return to_place(s, out)
    if s.phase == MOVING:
        n = 0
        for c in range(9):
            if s.at[s.turn, c] != DEAD:
                n = listed(ways(s, s.turn, c), 16 * c, out, n)
        return n
    if s.phase == TUNNEL:
        out[0], out[1] = PASS, STRIKE
        return 2 if s.at[DARK, BALROG] == CARADHRAS else 1
    if s.phase == MEETING:
        return listed(s.who[1 - s.turn, s.to], 0, out, 0)
    if s.phase == TEXT:
        return texts(s, out)
    if s.phase == PARLEY:
        out[0], out[1] = PASS, STRIKE
        return 2
    if s.phase == PLAYING:
        return listed(ALL & ~s.spent[to_play(s)], 0, out, 0)
    if s.phase == CONJURING:
        return listed(s.spent[s.asked], 0, out, 0)
    return listed(retreats(s, s.asked), 0, out, 0)


def listed(members, base, out, n):
    """Write the members of a set, each with a number added; how many moves there are then."""
    while members != 0:
        out[n] = base + lowest_bit(members)
        members &= members - 1
        n += 1
    return n


def to_place(s, out):
    """Characters for the next region in front of home."""
    side = s.placed // 5
    kept = GUARDED[side] if s.setup == AT_HOME else 0
    n = 0
    for c in range(9):
        if s.at[side, c] == UNPLACED and not has(kept, c):
            out[n] = c
            n += 1
    return n


def ways(s, side, c):
    """The regions to which a character may move, and those that its text lets it attack."""
    here = s.at[side, c]
    found = FORWARD[side, here]
    attacked = s.held[1 - side]
    if side == LIGHT:
        if c == ARAGORN:
            found |= (UP[here] | DOWN[here] | SIDEWAYS[here]) & attacked
    elif c == WITCH_KING:
        found |= SIDEWAYS[here] & attacked
    elif c == NAZGUL:
        for region in range(16):
            if count_bits(s.who[LIGHT, region]) == 1:
                found |= 1 << region
    elif c == BLACK_RIDER:
        through = DOWN[here] & ~s.full[DARK] & ~attacked
        while through != 0:
            region = lowest_bit(through)
            through &= through - 1
            found |= DOWN[region] & attacked
            through |= DOWN[region] & ~s.full[DARK] & ~attacked
    return found & ~s.full[side]


def can_move(s, side):
    for c in range(9):
        if s.at[side, c] < UNPLACED and ways(s, side, c) != 0:
            return True
    return False


def texts(s, out):
    """What Light's character may do before cards are played."""
    out[0] = FIGHT
    n = 1
    if light_one(s) == FRODO:
        n = listed(SIDEWAYS[s.to] & ~s.held[DARK] & ~s.full[LIGHT], 0, out, n)
        if has(s.who[LIGHT, s.to], SAM):
            out[n] = SAM_STEPS_IN
            n += 1
    elif light_one(s) == PIPPIN:
        n = listed(retreats(s, LIGHT), 0, out, n)
    elif has(s.who[LIGHT, s.to], FRODO):
        out[n] = PROVE
        n += 1
    return n


def retreats(s, side):
    """Where a side's character can retreat to from a battle: Light backwards, Dark sideways."""
    found = DOWN[s.to] if side == LIGHT else SIDEWAYS[s.to]
    return found & ~s.held[1 - side] & ~s.full[side]


def play(s, move):
    if s.phase == SETUP:
        place(s, move)
    elif s.phase == MOVING:
        set_out(s, move // 16, move % 16)
    elif s.phase == TUNNEL:
        come_through(s, move)
    elif s.phase == MEETING:
        fight(s, move)
    elif s.phase == TEXT:
        use_text(s, move)
    elif s.phase == PARLEY:
        tell(s, move)
        if move == STRIKE:
            compare(s, 0, 0)
        else:
            s.phase = PLAYING
    elif s.phase == PLAYING:
        play_card(s, to_play(s), move)
    elif s.phase == CONJURING:
        tell(s, move)
        s.card[s.asked] = move
        go_on(s)
    else:
        fall_back(s, s.asked, move)


def tell(s, event):
    """Both see something."""
    s.history = mix(s.history, event)


def place(s, c):
    side = s.placed // 5
    put(s, side, c, FRONT[side, s.placed % 5])
    if s.setup == AT_HOME:
        s.may[side, c] = ALL & ~GUARDED[side]
    s.placed += 1
    if s.placed == 10:
        for side in range(2):
            for c in range(9):
                if s.at[side, c] == UNPLACED:
                    put(s, side, c, HOME[side])
        s.turn = DARK
        s.phase = MOVING


def put(s, side, c, region):
    """A character is taken from where it is, if it is anywhere, and put into a region, or out of the game."""
    here = s.at[side, c]
    if here < UNPLACED:
        s.who[side, here] &= ~(1 << c)
        count(s, side, here)
    s.at[side, c] = region
    if region < UNPLACED:
        s.who[side, region] |= 1 << c
        count(s, side, region)


def count(s, side, region):
    there = count_bits(s.who[side, region])
    s.held[side] = s.held[side] & ~(1 << region) | (there > 0) << region
    s.full[side] = s.full[side] & ~(1 << region) | (there == LIMIT[region]) << region


def mingle(s, side, region):
    """The other side can no longer tell which character of a region is which."""
    either = 0
    for c in range(9):
        if s.at[side, c] == region:
            either |= s.may[side, c]
    for c in range(9):
        if s.at[side, c] == region:
            s.may[side, c] = either


def reveal(s, side, c):
    """The other side sees who a character is."""
    for other in range(9):
        s.may[side, other] &= ~(1 << c)
    s.may[side, c] = 1 << c
    tell(s, c)


def set_out(s, c, to):
    """A character leaves its region for another; if it takes the tunnel, the Balrog may be waiting."""
    here = s.at[s.turn, c]
    tell(s, 16 * here + to)
    s.last[s.turn] = 16 * here + to
    mingle(s, s.turn, here)
    s.attacker = c
    s.to = to
    s.fought = 0
    if s.turn == LIGHT and here == EREGION and to == FANGORN and has(s.held[DARK], CARADHRAS):
        s.phase = TUNNEL
    else:
        arrive(s)


def come_through(s, answer):
    tell(s, answer)
    if answer == STRIKE:
        reveal(s, DARK, BALROG)
        reveal(s, LIGHT, s.attacker)
        put(s, LIGHT, s.attacker, DEAD)
        end_turn(s)
    else:
        arrive(s)


def arrive(s):
    put(s, s.turn, s.attacker, s.to)
    if s.turn == LIGHT and s.to == MORDOR:
        if s.attacker == FRODO:
            win(s, LIGHT)
            return
        s.may[LIGHT, s.attacker] &= ~(1 << FRODO)
    if s.who[1 - s.turn, s.to] != 0:
        reveal(s, s.turn, s.attacker)
    meet(s)


def meet(s):
    """The attacker meets one of the enemies, if there are any."""
    enemies = s.who[1 - s.turn, s.to]
    if s.at[s.turn, s.attacker] != s.to or enemies == 0:
        end_turn(s)
    elif count_bits(enemies) > 1:
        s.phase = MEETING
    else:
        fight(s, lowest_bit(enemies))


def fight(s, defender):
    """The defender is revealed, too, and Light's text comes first."""
    s.defender = defender
    s.proved = 0
    mingle(s, 1 - s.turn, s.to)
    reveal(s, 1 - s.turn, defender)
    light, dark = light_one(s), dark_one(s)
    if dark == WARG:
        dark_text(s)
    elif light == BOROMIR:
        end_battle(s, True, True)
    elif (
        (light == GIMLI and dark == ORCS)
        or (light == LEGOLAS and dark == NAZGUL)
        or (light == MERRY and dark == WITCH_KING)
    ):
        end_battle(s, False, True)
    elif may_use_text(s, light):
        s.phase = TEXT
    else:
        dark_text(s)


def may_use_text(s, light):
    """Whether Light is asked; Sam is whenever he has company, so that the question does not tell who it is."""
    if s.turn == LIGHT:
        return light == PIPPIN
    return light == FRODO or (light == SAM and count_bits(s.who[LIGHT, s.to]) > 1)


def use_text(s, answer):
    tell(s, answer)
    if answer < FIGHT:
        put(s, LIGHT, light_one(s), answer)
        end_battle(s, False, False)
        return
    if answer == SAM_STEPS_IN:
        s.defender = SAM
        reveal(s, LIGHT, SAM)
        s.proved = 1
    elif answer == PROVE:
        reveal(s, LIGHT, FRODO)
        s.proved = 1
    dark_text(s)


def dark_text(s):
    if dark_one(s) == ORCS and s.turn == DARK and s.fought == 0:
        end_battle(s, True, False)
    else:
        s.phase = PARLEY if dark_one(s) == SARUMAN else PLAYING


def play_card(s, side, card):
    s.played[side] = card
    s.card[side] = card
    if s.played[LIGHT] != NO_CARD and s.played[DARK] != NO_CARD:
        if gandalf_waits(s):
            tell(s, s.played[LIGHT])
        else:
            tell(s, 16 * s.played[LIGHT] + s.played[DARK])
        go_on(s)
    elif side == DARK:
        tell(s, card)
        if conjures(s, DARK):
            s.asked = DARK
            s.phase = CONJURING


def conjures(s, side):
    """Whether a card is Magic that finds another: Dark's is ignored with the Cave Troll, Light's with the Eye of
    Sauron."""
    if s.card[side] != MAGIC[side] or s.spent[side] == 0:
        return False
    return dark_one(s) == CAVE_TROLL or s.card[DARK] != EYE_OF_SAURON if side == LIGHT else dark_one(s) != CAVE_TROLL


def go_on(s):
    """Text cards, Dark's first; then numbers are compared."""
    s.phase = PLAYING
    if s.played[LIGHT] == NO_CARD:
        return
    for side in (DARK, LIGHT):
        if conjures(s, side):
            s.asked = side
            s.phase = CONJURING
            return
    dark = NO_CARD if dark_one(s) == CAVE_TROLL else s.card[DARK]
    light = s.card[LIGHT]
    if dark == EYE_OF_SAURON and light >= MAGIC[LIGHT]:
        light = NO_CARD
    if dark == RETREAT and retreats(s, DARK) != 0:
        ask_where(s, DARK)
    elif light == NOBLE_SACRIFICE:
        end_battle(s, True, True)
    elif light == RETREAT and retreats(s, LIGHT) != 0:
        ask_where(s, LIGHT)
    else:
        compare(s, number(LIGHT, light), 0 if light == ELVEN_CLOAK else number(DARK, dark))


def number(side, card):
    return card + 1 if card < MAGIC[side] else 0


def ask_where(s, side):
    """A side retreats; if there are two regions for that it is asked."""
    found = retreats(s, side)
    if count_bits(found) == 1:
        fall_back(s, side, lowest_bit(found))
    else:
        s.asked = side
        s.phase = RETREATING


def fall_back(s, side, region):
    tell(s, region)
    put(s, side, light_one(s) if side == LIGHT else dark_one(s), region)
    end_battle(s, False, False)


def compare(s, light, dark):
    """The strength of both characters, with these numbers added."""
    light += 5 if s.proved else STRENGTH[LIGHT, light_one(s)]
    dark += STRENGTH[DARK, dark_one(s)]
    end_battle(s, light <= dark, dark <= light)


def end_battle(s, light_falls, dark_falls):
    light, dark = light_one(s), dark_one(s)
    for side in range(2):
        if s.played[side] != NO_CARD:
            s.spent[side] |= 1 << s.played[side]
            if s.spent[side] == ALL:
                s.spent[side] = 0
        s.card[side], s.played[side] = NO_CARD, NO_CARD
    s.fought = 1
    if light_falls:
        put(s, LIGHT, light, DEAD)
    if dark_falls:
        put(s, DARK, dark, DEAD)
    elif light_falls and dark == SHELOB and s.at[DARK, SHELOB] != GONDOR:
        go_to_gondor(s)
    if s.at[LIGHT, FRODO] == DEAD:
        win(s, DARK)
    else:
        meet(s)


def go_to_gondor(s):
    """Shelob, after a victory; if there is no room for her she is out of the game."""
    crowded = has(s.full[DARK] | s.held[LIGHT], GONDOR)
    put(s, DARK, SHELOB, DEAD if crowded else GONDOR)


def end_turn(s):
    s.turn = 1 - s.turn
    s.phase = MOVING
    s.attacker, s.defender, s.to, s.proved, s.fought, s.asked = 0, 0, 0, 0, 0, 0
    if s.at[LIGHT, FRODO] == DEAD or count_bits(s.who[DARK, SHIRE]) >= s.invaders:
        win(s, DARK)
    elif not can_move(s, s.turn):
        win(s, 1 - s.turn)


def win(s, side):
    s.winner = side
    s.phase = FINISHED


def payoff(s, out):
    out[LIGHT] = 1 if s.winner == LIGHT else -1
    out[DARK] = -out[LIGHT]


def evaluate(s, out):
    """How far Frodo has come, how many characters are left to each side, and how many of Dark's are in the Shire."""
    left = 0
    for c in range(9):
        left += (s.at[LIGHT, c] != DEAD) - (s.at[DARK, c] != DEAD)
    frodo = ROW[s.at[LIGHT, FRODO]] / 6 if s.at[LIGHT, FRODO] < UNPLACED else 0.0
    out[LIGHT] = 0.4 * frodo + 0.3 * left / 9 - 0.3 * count_bits(s.who[DARK, SHIRE]) / 4
    out[DARK] = -out[LIGHT]


def episode(s):
    """One begins where no combat is in progress, labelled by who moves; the set-up is Dark's, who moves first."""
    if s.phase == MOVING:
        return s.turn
    return DARK if s.phase == SETUP and s.placed == 0 else CONTINUES


def infoset(s, player):
    key = mix(mix(mix(s.history, s.phase), s.turn), s.placed)
    if s.phase == PLAYING:
        key = mix(key, to_play(s))
    if s.phase == FINISHED or s.phase == CONJURING or s.phase == RETREATING:
        key = mix(key, 2 * s.asked + s.winner)
    if player == PUBLIC:
        return key
    for c in range(9):
        key = mix(key, s.at[player, c])
    return mix(key, s.card[player]) if s.phase == PLAYING else key


def sees(s, player, move):
    """What both see of it; characters are placed in secret."""
    if s.phase == SETUP and player == s.placed // 5:
        return mix(0, move)
    s.history = 0
    play(s, move)
    return mix(1, infoset(s, PUBLIC))


def resample(s, player, rng):
    """The other's characters are drawn from all ways to place them in which each is one that the player must take it
    for, each as likely, and so is a card that is not shown yet."""
    other = 1 - player
    if s.phase != FINISHED:
        order_tokens(s, other)
        while not draw_tokens(s, other, rng) or (s.phase == MOVING and s.turn == other and not can_move(s, other)):
            pass
        for i in range(9):
            s.token[i] = 0
    if s.phase == TUNNEL and player == DARK:
        s.attacker = pick_bit(s.who[LIGHT, EREGION], rng)
    if s.phase == PLAYING and player == DARK and s.played[LIGHT] != NO_CARD:
        s.played[LIGHT] = pick_bit(ALL & ~s.spent[LIGHT], rng)
        s.card[LIGHT] = s.played[LIGHT]


def order_tokens(s, side):
    """A side's characters as the other sees them: a region and a set of suspects. Small sets come first."""
    for c in range(9):
        token = s.at[side, c] + 32 * s.may[side, c] + (count_bits(s.may[side, c]) << 16)
        i = c
        while i > 0 and s.token[i - 1] > token:
            s.token[i] = s.token[i - 1]
            i -= 1
        s.token[i] = token


def suspects(s, i):
    return s.token[i] >> 5 & ALL


def draw_tokens(s, side, rng):
    """Draw who is who; false if that does not come out.

    Each token draws from the characters that are left to it. Where that depends on what others drew, a draw with fewer
    choices than there could be is thrown away as often, so that all that come out are as likely.
    """
    left = ALL
    kept = 1.0
    for region in range(16):
        s.who[side, region] = 0
    for i in range(9):
        choices = suspects(s, i) & left
        if choices == 0:
            return False
        most = count_bits(suspects(s, i))
        for j in range(i):
            most -= suspects(s, j) & ~suspects(s, i) == 0
        kept *= count_bits(choices) / most
        c = pick_bit(choices, rng)
        left &= ~(1 << c)
        s.at[side, c] = s.token[i] & 31
        s.may[side, c] = suspects(s, i)
        if s.at[side, c] < UNPLACED:
            s.who[side, s.at[side, c]] |= 1 << c
    return kept >= 1 or uniform(rng) < kept


def move_name(s, move):
    if s.phase == SETUP:
        side = s.placed // 5
        return f"{NAMES[side][move]} in {REGIONS[FRONT[side, s.placed % 5]]}"
    if s.phase == MOVING:
        return f"{NAMES[s.turn][move // 16]} to {REGIONS[move % 16]}"
    if s.phase == TUNNEL:
        return ("let it pass", "the Balrog strikes")[move]
    if s.phase == MEETING:
        return f"meets {NAMES[1 - s.turn][move]}"
    if s.phase == TEXT and move >= FIGHT:
        return {FIGHT: "fight", SAM_STEPS_IN: "Sam steps in", PROVE: "show Frodo"}[move]
    if s.phase == PARLEY:
        return ("play cards", "no cards")[move]
    if s.phase == PLAYING:
        return CARDS[to_play(s)][move]
    return CARDS[s.asked][move] if s.phase == CONJURING else f"retreat to {REGIONS[move]}"


def seen_as(s, player, side, c):
    """A character's name, or a question mark where the player cannot tell."""
    return NAMES[side][c] if player in (None, side) or count_bits(s.may[side, c]) == 1 else "?"


def in_region(s, player, region):
    """Who is seen in a region: Light's characters, then Dark's."""
    there = [int(s.who[side, region]) for side in range(2)]
    return [sorted(seen_as(s, player, side, c) for c in range(9) if has(there[side], c)) for side in range(2)]


def news(s, player):
    """What is going on besides the places of the characters."""
    lines = []
    if s.phase in (TEXT, PARLEY, PLAYING, CONJURING, RETREATING):
        who = f"{NAMES[s.turn][s.attacker]} attacks {NAMES[1 - s.turn][s.defender]}"
        lines.append(f"{who} in {REGIONS[s.to]}{', Sam with Frodo' if s.proved else ''}")
    for side in range(2):
        if s.last[side] != NOWHERE:
            here, to = divmod(s.last[side], 16)
            lines.append(f"{('Light', 'Dark')[side]} moved last from {REGIONS[here]} to {REGIONS[to]}")
        spent = [CARDS[side][card] for card in range(9) if has(s.spent[side], card)]
        out = [NAMES[side][c] for c in range(9) if s.at[side, c] == DEAD]
        lines.append(f"{('Light', 'Dark ')[side]} spent: {', '.join(spent) or '-'}   out: {', '.join(out) or '-'}")
        if s.played[side] != NO_CARD and (player in (None, side) or s.phase != PLAYING or gandalf_waits(s)):
            lines.append(f"{('Light', 'Dark')[side]} plays {CARDS[side][s.played[side]]}")
    if s.phase == FINISHED:
        lines.append(f"{('Light', 'Dark')[s.winner]} wins")
    return lines


def features(s):
    """Where each character is that has been placed and is not dead."""
    return {NAMES[side][c]: REGIONS[s.at[side, c]] for side in range(2) for c in range(9) if s.at[side, c] < UNPLACED}


def show(s, player):
    lines = []
    for region in range(15, -1, -1):
        light, dark = (", ".join(names) for names in in_region(s, player, region))
        there = " ".join(f"{side}: {names}" for side, names in (("Light", light), ("Dark", dark)) if names)
        lines.append(f"{'  ' * (3 - abs(3 - ROW[region]))}{REGIONS[region]}  {there}".rstrip())
    return "\n".join([*lines, *news(s, player)])


def svg(s, player):
    """The regions in rows, Mordor at the top; Light's characters in blue, Dark's in red, unknown ones with a question
    mark."""
    picture = Picture(640, 690, paper=PALE)
    for region in range(16):
        row = [other for other in range(16) if ROW[other] == ROW[region]]
        x, y = 320 + 156 * (row.index(region) - (len(row) - 1) / 2), 40 + 78 * (6 - ROW[region])
        picture.rect(
            x - 75, y - 36, 150, 72, fill="#d6d3d1" if ROW[region] == 3 else "#e7e5c8", line="#78716c", round=8
        )
        picture.text(x, y - 26, REGIONS[region], 11)
        for side, names in enumerate(in_region(s, player, region)):
            for i, name in enumerate(names):
                left, top = x + (-37 if side == LIGHT else 37), y - 12 + 13 * i
                picture.rect(left - 36, top - 6, 72, 12, fill=("#1d4ed8", "#b91c1c")[side], line=BLACK, round=3)
                picture.text(left, top, name, 9, colour="#ffffff")
    for i, line in enumerate(news(s, player)):
        picture.text(10, 572 + 16 * i, line, 11, anchor="start")
    return str(picture)
