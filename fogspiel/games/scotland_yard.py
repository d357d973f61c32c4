"""Scotland Yard: seekers on the streets of London look for Mr X, of whose moves they see little more than the tickets.

Mr X (player 0) and the seekers (player 1, who moves all of them one after the other) go from station to station of a
map of 199, by taxi, bus or underground, and pay each ride with a ticket of its kind. Of a ride of Mr X's the seekers
see the ticket; he surfaces after his moves 3, 8, 13 and 18, and is seen. No two seekers may be on one station, and Mr X
may not enter theirs. A seeker who enters his station catches him; he is caught, too, when he cannot move. A seeker who
cannot move stays. Mr X escapes when no seeker can move, or when his log is full. Whoever wins gets 1, and the other -1.

Mr X has black tickets, which hide the kind of a ride, and without which nobody goes by boat; and double tickets, with
which he moves twice in a row. The state keeps the set of stations on which the seekers must reckon with him.

Whitehouse 2014, sec. 4.2.12, which does not print the map, the tickets or the number of seekers; five are those of
Nijssen and Winands 2012. From the board and the rule book (Ravensburger 1983): connections; a seeker has tickets for 10
taxis, 8 buses and 4 undergrounds, Mr X for 4, 3 and 3, for 5 black rides and 2 double moves; what a seeker pays goes to
Mr X; he has 24 lines in his log, one for each ride. Start stations are drawn by chance from the cards of later
editions, 16 for the seekers and 13 for Mr X.

Mr X remembers all that everybody saw and where he is, but not the way he took, which matters to nobody any more.
"""

from copy import deepcopy
from functools import cache

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Picture, Whole, mix, pick, whole_at
from fogspiel.games.toolkit.bits import count_bits, has, lowest_bit, nth_bit
from fogspiel.games.toolkit.draw import BLACK as INK
from fogspiel.games.toolkit.draw import LIGHT, SEATS, WHITE, stone

MR_X, SEEKERS = 0, 1
STATIONS = 199
MOST_SEEKERS = 5
LONGEST = 24
SURFACES = (3, 8, 13, 18)
TAXI, BUS, UNDERGROUND, BLACK = 0, 1, 2, 3
KINDS = ("taxi", "bus", "underground", "black")
SEEKER_TICKETS, MR_X_TICKETS = (10, 8, 4), (4, 3, 3)
SEEKER_STARTS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174)
MR_X_STARTS = (35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172)
GOING, CAUGHT, ESCAPED = 0, 1, 2
KIND, DOUBLE = 200, 800
"""A move is the station it leads to, plus KIND times the ticket, plus DOUBLE if Mr X moves again at once."""
WORD, WORDS = 50, 4
"""A set of stations is four words of fifty bits."""

PARAMETERS = (
    Whole("seekers", 5, 1, MOST_SEEKERS, "how many seekers there are"),
    Whole("log", LONGEST, 1, LONGEST, "rides of Mr X after which he has escaped"),
    Whole("black", 5, 0, 5, "black tickets of Mr X"),
    Whole("double", 2, 0, 2, "double tickets of Mr X"),
)
MAX_MOVES = 64
State = np.dtype(
    [
        ("seekers", "i1"),
        ("log", "i1"),
        ("black", "i1"),
        ("double", "i1"),
        ("dealt", "i1"),
        ("turn", "i1"),
        ("rides", "i1"),
        ("stayed", "i1"),
        ("again", "i1"),
        ("doubles", "i1"),
        ("result", "i1"),
        ("at", "i2", 1 + MOST_SEEKERS),
        ("tickets", "i1", (1 + MOST_SEEKERS, 4)),
        ("paid", "i1", LONGEST),
        ("seen", "i2", 4),
        ("taken", "i8", WORDS),
        ("possible", "i8", WORDS),
        ("history", "u8"),
        ("near", "i8"),
        ("far", "i8"),
    ],
    align=True,
)
"""Piece 0 is Mr X, 1.. are the seekers; turn is the piece to move, dealt how many of them have been placed, stayed how
many seekers could not move in this turn, again 1 between two rides of a double move. paid has the kinds of Mr X's rides
and seen where he surfaced. taken is the set of stations with a seeker, possible that of stations where Mr X may be for
all that the seekers know; history is a hash of what both saw. The table near has for each kind of ticket and station
the set of stations it leads to, far the rides between two stations."""

BY_TAXI = """
1:8,9 2:10,20 3:4,11,12 4:13 5:15,16 6:7,29 7:17 8:18,19 9:19,20 10:11,21,34 11:22 12:23 13:23,24 14:15,25 15:16,26,28
16:28,29 17:29,30 18:31,43 19:32 20:33 21:33 22:23,34,35 23:37 24:37,38 25:38,39 26:27,39 27:28,40 28:41 29:41,42
30:42 31:43,44 32:33,44,45 33:46 34:47,48 35:36,48,65 36:37,49 37:50 38:50,51 39:51,52 40:41,52,53 41:54 42:56,72
43:57 44:58 45:46,58,59,60 46:47,61 47:62 48:62,63 49:50,66 51:52,67,68 52:69 53:54,69 54:55,70 55:71 56:91 57:58,73
58:59,74,75 59:75,76 60:61,76 61:62,76,78 62:79 63:64,79,80 64:65,81 65:66,82 66:67,82 67:68,84 68:69,85 69:86
70:71,87 71:72,89 72:90,91 73:74,92 74:75,92 75:94 76:77 77:78,95,96 78:79,97 79:98 80:99,100 81:82,100 82:101
83:101,102 84:85 85:103 86:103,104 87:88 88:89,117 89:105 90:91,105 91:105,107 92:93 93:94 94:95 95:122 96:97,109
97:98,109 98:99,110 99:110,112 100:101,112,113 101:114 102:103,115 104:116 105:106,108 106:107 107:119 108:117,119
109:110,124 110:111 111:112,124 112:125 113:114,125 114:115,126,131,132 115:126,127 116:117,118,127 117:129
118:129,134,142 119:136 120:121,144 121:122,145 122:123,146 123:124,137,148,149 124:130,138 125:131 126:127,140
127:133,134 128:142,143,160,172,188 129:135,142,143 130:131,139 132:140 133:140,141 134:141,142 135:136,143,161
136:162 137:147 138:150,152 139:140,153,154 140:154,156 141:142,158 142:143,158 143:160 144:145,177 145:146
146:147,163 147:164 148:149,164 149:150,165 150:151 151:152,165,166 152:153 153:154,166,167 154:155 155:156,167,168
156:157,169 157:158,170 158:159 159:170,172,186,198 160:161,173 161:174 162:175 163:177 164:178,179 165:179,180
166:181,183 167:168,183 168:184 169:184 170:185 171:173,175,199 172:187 173:174,188 174:175 176:177,189 178:189,191
179:191 180:181,193 181:182,193 182:183,195 183:196 184:185,196,197 185:186 186:198 187:188,198 188:199 189:190
190:191,192 191:192 192:194 193:194 194:195 195:197 196:197 198:199
"""
BY_BUS = """
1:46,58 3:22,23 7:42 13:14,23,52 14:15 15:29,41 22:23,34,65 23:67 29:41,42,55 34:46,63 41:52,87 42:72 46:58,78
52:67,86 55:89 58:74,77 63:65,79,100 65:67,82 67:82,102 72:105,107 74:94 77:78,94,124 78:79 82:100,140 86:87,102,116
87:105 89:105 93:94 100:111 102:127 105:107,108 107:161 108:116,135 111:124 116:127,142 122:123,144 123:124,144,165
124:153 127:133 128:135,142,161,187,199 133:140,157 135:161 140:154,156 142:157 144:163 153:154,180,184 154:156
156:157,184 157:185 161:199 163:176,191 165:180,191 176:190 180:184,190 184:185 185:187 190:191
"""
BY_UNDERGROUND = """
1:46 13:46,67,89 46:74,79 67:79,89,111 79:93,111 89:128,140 111:153,163 128:140,185 140:153 153:163,185
"""
BY_BOAT = """
108:115 115:157 157:194
"""
"""Connections, each told at its lower station."""


@cache
def connections():
    """For each kind of ticket the pairs of stations it connects; a black ticket does for all, the boat among them."""
    by_taxi, by_bus, by_underground, by_boat = map(pairs, (BY_TAXI, BY_BUS, BY_UNDERGROUND, BY_BOAT))
    return by_taxi, by_bus, by_underground, (*by_taxi, *by_bus, *by_underground, *by_boat)


def pairs(text):
    told = (part.split(":") for part in text.split())
    return [(int(station), int(end)) for station, ends in told for end in ends.split(",")]


@cache
def tables():
    near = np.zeros((4, STATIONS + 1, WORDS), np.int64)
    far = np.full((STATIONS + 1, STATIONS + 1), STATIONS, np.int64)
    np.fill_diagonal(far, 0)
    for kind, connected in enumerate(connections()):
        for a, b in (*connected, *((b, a) for a, b in connected)):
            near[kind, a, b // WORD] |= 1 << b % WORD
            if kind != BLACK:
                far[a, b] = 1
    for middle in range(1, STATIONS + 1):
        far = np.minimum(far, far[:, middle, None] + far[middle])
    return {"near": near.ravel(), "far": far.ravel()}


def about(seekers, log, black, double):
    return About(utility=(-1, 1), perfect_recall=False, tables=tables())


def start(s):
    s.dealt = 0
    s.turn = 0
    s.doubles = s.double
    for kind in range(3):
        s.tickets[MR_X, kind] = MR_X_TICKETS[kind]
        for seeker in range(1, 1 + s.seekers):
            s.tickets[seeker, kind] = SEEKER_TICKETS[kind]
    s.tickets[MR_X, BLACK] = s.black
    for station in MR_X_STARTS:
        s.possible[station // WORD] |= 1 << station % WORD


def actor(s):
    if s.dealt <= s.seekers:
        return CHANCE
    if s.result != GOING:
        return OVER
    return MR_X if s.turn == 0 else SEEKERS


def moves(s, out):
    n = 0
    if s.dealt < s.seekers:
        for station in SEEKER_STARTS:
            if not held(s, station):
                out[n] = station
                n += 1
        return n
    if s.dealt == s.seekers:
        for station in MR_X_STARTS:
            out[n] = station
            n += 1
        return n
    for kind in range(4):
        if s.tickets[s.turn, kind] > 0:
            for word in range(WORDS):
                ends = led_to(s, kind, s.at[s.turn], word) & ~s.taken[word]
                while ends != 0:
                    station = WORD * word + lowest_bit(ends)
                    ends &= ends - 1
                    out[n] = station + KIND * kind
                    n += 1
                    if may_double(s, station, kind):
                        out[n] = station + KIND * kind + DOUBLE
                        n += 1
    return n


def held(s, station):
    """Whether a seeker is on a station."""
    return has(s.taken[station // WORD], station % WORD)


def led_to(s, kind, station, word):
    """One word of the set of stations to which a ticket leads."""
    return whole_at(s.near, (kind * (STATIONS + 1) + station) * WORDS + word)


def may_double(s, station, spent):
    """Whether Mr X, having come to a station by a ticket, can go on at once."""
    return s.turn == 0 and s.again == 0 and s.doubles > 0 and s.rides + 2 <= s.log and can_move(s, MR_X, station, spent)


def can_move(s, piece, station, spent):
    """Whether a piece could leave a station, having spent one more ticket of a kind (-1: of none)."""
    for kind in range(4):
        if s.tickets[piece, kind] > (kind == spent):
            for word in range(WORDS):
                if led_to(s, kind, station, word) & ~s.taken[word] != 0:
                    return True
    return False


def play(s, move):
    if s.dealt <= s.seekers:
        place(s, move)
    elif s.turn == 0:
        ride(s, move % KIND, move // KIND % 4, move // DOUBLE)
    else:
        seek(s, move % KIND, move // KIND)


def place(s, station):
    """A start card is drawn: those of the seekers are seen, and Mr X's is not."""
    piece = (s.dealt + 1) % (s.seekers + 1)
    s.at[piece] = station
    s.dealt += 1
    if piece != MR_X:
        s.taken[station // WORD] |= 1 << station % WORD
        s.history = mix(s.history, station)


def ride(s, station, kind, double):
    """Mr X moves; his ticket is seen, and where he surfaces the station, too."""
    s.at[MR_X] = station
    s.tickets[MR_X, kind] -= 1
    s.doubles -= double
    s.again = double
    s.paid[s.rides] = kind
    s.rides += 1
    spread(s, kind)
    told = 0
    for i in range(len(SURFACES)):
        if s.rides == SURFACES[i]:
            s.seen[i] = station
            told = station
            for word in range(WORDS):
                s.possible[word] = 0
            s.possible[station // WORD] = 1 << station % WORD
    s.history = mix(s.history, told + KIND * kind + DOUBLE * double)
    if double:
        drop_stuck(s)
    else:
        s.stayed = 0
        next_seeker(s)


def spread(s, kind):
    """Mr X may now be wherever a ticket of this kind leads to from where he might have been."""
    first, second, third, fourth = 0, 0, 0, 0
    for word in range(WORDS):
        left = s.possible[word]
        while left != 0:
            station = WORD * word + lowest_bit(left)
            left &= left - 1
            first |= led_to(s, kind, station, 0)
            second |= led_to(s, kind, station, 1)
            third |= led_to(s, kind, station, 2)
            fourth |= led_to(s, kind, station, 3)
    s.possible[0] = first & ~s.taken[0]
    s.possible[1] = second & ~s.taken[1]
    s.possible[2] = third & ~s.taken[2]
    s.possible[3] = fourth & ~s.taken[3]


def drop_stuck(s):
    """Mr X goes on, so he is on no station that he could not leave."""
    for word in range(WORDS):
        left = s.possible[word]
        while left != 0:
            i = lowest_bit(left)
            left &= left - 1
            if not can_move(s, MR_X, WORD * word + i, -1):
                s.possible[word] -= 1 << i


def seek(s, station, kind):
    """A seeker moves, and its ticket goes to Mr X."""
    before = s.at[s.turn]
    s.taken[before // WORD] -= 1 << before % WORD
    s.taken[station // WORD] |= 1 << station % WORD
    s.at[s.turn] = station
    s.tickets[s.turn, kind] -= 1
    s.tickets[MR_X, kind] += 1
    s.history = mix(s.history, station + KIND * kind)
    if station == s.at[MR_X]:
        s.result = CAUGHT
    else:
        s.possible[station // WORD] &= ~(1 << station % WORD)
        next_seeker(s)


def next_seeker(s):
    """It is the turn of the next seeker who can move, or else of Mr X, unless that ends the game."""
    s.turn += 1
    while s.turn <= s.seekers and not can_move(s, s.turn, s.at[s.turn], -1):
        s.stayed += 1
        s.turn += 1
    if s.turn > s.seekers:
        s.turn = 0
        if s.stayed == s.seekers or s.rides == s.log:
            s.result = ESCAPED
        elif not can_move(s, MR_X, s.at[MR_X], -1):
            s.result = CAUGHT
        else:
            drop_stuck(s)


def payoff(s, out):
    out[MR_X] = 1 if s.result == ESCAPED else -1
    out[SEEKERS] = -out[MR_X]


def evaluate(s, out):
    """How much of the log is full, and how many rides the nearest seeker is away, five counting as safe."""
    out[MR_X] = s.rides / s.log + rides_to_seekers(s, s.at[MR_X]) / 5 - 1
    out[SEEKERS] = -out[MR_X]


def guide(s, out, prob):
    """Mr X keeps away from the nearest seeker, and seekers go where they take him to be, as in the playouts of Nijssen
    and Winands 2012: weights are squares of his rides to the nearest seeker, up to five, or shares of a seeker's to
    him. A black ticket has a quarter of the weight of another, and so has a double move."""
    n = moves(s, out)
    total = 0.0
    for i in range(n):
        station = int(out[i]) % KIND
        if s.turn == 0:
            prob[i] = rides_to_seekers(s, station) ** 2
            if out[i] // KIND % 4 == BLACK:
                prob[i] /= 4
            if out[i] >= DOUBLE:
                prob[i] /= 4
        else:
            prob[i] = 1 / (0.1 + whole_at(s.far, station * (STATIONS + 1) + s.at[MR_X])) ** 2
        total += prob[i]
    for i in range(n):
        prob[i] /= total
    return n


def rides_to_seekers(s, station):
    """How many rides the nearest seeker is away from a station; five are as good as more."""
    nearest = 5
    for seeker in range(1, 1 + s.seekers):
        nearest = min(nearest, whole_at(s.far, s.at[seeker] * (STATIONS + 1) + station))
    return nearest


def infoset(s, player):
    key = mix(mix(s.history, s.dealt), s.result)
    return mix(key, s.at[MR_X]) if player == MR_X or s.result == CAUGHT else key


def sees(s, player, move):
    """Mr X sees all. The seekers see each other, his tickets, where he surfaces, and where he is when they catch
    him."""
    hidden, rides = s.turn == 0 and s.dealt > s.seekers, s.rides
    if s.dealt == s.seekers and player == SEEKERS:
        return mix(1, 0)
    if s.dealt <= s.seekers or player == MR_X:
        return mix(0, move)
    play(s, move)
    key = mix(2, move // KIND if hidden else 0)
    for i in range(len(SURFACES)):
        if rides < SURFACES[i] == s.rides:
            key = mix(key, s.seen[i])
    key = mix(key, s.result)
    return mix(key, s.at[MR_X]) if s.result == CAUGHT else key


def resample(s, player, rng):
    """Mr X is on any station where the seekers must reckon with him, each as likely (Whitehouse 2014, sec. 7.5)."""
    if player == MR_X or s.dealt <= s.seekers or s.result == CAUGHT:
        return
    chosen = pick(rng, how_many(s))
    for word in range(WORDS):
        here = count_bits(s.possible[word])
        if 0 <= chosen < here:
            s.at[MR_X] = WORD * word + nth_bit(s.possible[word], chosen)
        chosen -= here


def how_many(s):
    """On how many stations Mr X may be."""
    return count_bits(s.possible[0]) + count_bits(s.possible[1]) + count_bits(s.possible[2]) + count_bits(s.possible[3])


PLACES = """
145,122 293,47 458,40 534,30 811,63 912,128 970,144 87,103 169,69 342,80 407,76 489,54 563,88 699,60 765,86 834,109
925,155 36,131 126,88 227,68 279,86 431,128 495,111 575,65 662,83 721,101 762,111 803,120 866,165 964,203 66,163
165,141 224,118 364,132 440,178 475,142 514,91 612,111 672,132 741,159 804,171 909,224 37,186 124,184 184,191 240,170
302,150 375,180 520,177 555,130 626,164 679,170 749,202 811,207 867,225 934,284 83,224 142,233 170,245 210,228 254,221
312,197 376,227 430,231 479,227 529,229 575,205 635,204 692,220 830,253 874,277 904,288 30,250 88,262 122,279 217,271
224,321 260,276 315,246 391,271 457,276 508,277 555,299 603,196 638,238 696,277 796,286 792,338 852,326 891,325
901,349 35,289 59,337 124,334 176,365 236,353 271,325 307,291 349,304 435,308 502,311 598,310 644,285 707,329 843,360
909,389 883,401 782,384 286,377 310,340 339,378 382,340 475,340 515,360 583,359 704,377 752,386 715,425 834,415 79,459
134,432 196,422 260,448 319,415 422,361 567,391 634,390 723,512 751,443 390,415 447,386 517,396 588,425 666,430
802,470 861,466 220,469 321,450 448,435 519,421 634,459 691,465 746,481 137,492 99,478 158,467 184,507 239,498 271,503
300,494 341,528 369,481 419,479 475,451 493,496 535,470 590,496 650,500 648,556 783,519 834,505 894,519 135,526
215,549 303,550 396,531 441,520 479,540 523,523 591,551 802,611 699,559 796,570 855,550 868,582 133,607 115,551
191,600 259,584 358,572 383,588 407,630 430,577 493,567 555,587 612,599 689,608 733,564 192,639 261,645 234,623
284,669 356,625 353,670 423,662 479,602 472,626 661,600 740,598
"""

"""Where a station is drawn, from 1: a layout of our own, in which distances are about those by taxi and bus."""


def move_name(s, move):
    if s.dealt <= s.seekers:
        return f"{'Mr X' if s.dealt == s.seekers else f'seeker {s.dealt + 1}'} starts at {move}"
    return f"{'double ' if move >= DOUBLE else ''}{KINDS[move // KIND % 4]} {move % KIND}"


def features(s):
    return {"Mr X": s.at[MR_X]}


def reckoned(s):
    """The stations where Mr X may be, for all that the seekers know."""
    return [station for station in range(1, STATIONS + 1) if has(s.possible[station // WORD], station % WORD)]


def sees_mr_x(s, player):
    return s.dealt > s.seekers and (player in (None, MR_X) or s.result == CAUGHT)


def show(s, player):
    log = [
        KINDS[s.paid[i]] + (f" ({s.seen[SURFACES.index(i + 1)]})" if i + 1 in SURFACES else "") for i in range(s.rides)
    ]
    lines = [f"Mr X's log, {s.rides} of {s.log}: {', '.join(log) or 'empty'}{', and on' if s.again else ''}"]
    where = f"at {s.at[MR_X]}" if sees_mr_x(s, player) else f"at one of {how_many(s)}"
    lines.append(f"Mr X      {where}: {purse(s, MR_X)}, double {s.doubles}")
    for seeker in range(1, 1 + s.seekers):
        if s.at[seeker]:
            mark = "*" if s.turn == seeker and s.result == GOING else " "
            lines.append(f"seeker {seeker} {mark}at {s.at[seeker]}: {purse(s, seeker)}")
    if s.dealt > s.seekers and not s.result:
        lines.append(f"he may be at {' '.join(map(str, reckoned(s)))}")
    lines += {GOING: [], CAUGHT: ["Mr X is caught"], ESCAPED: ["Mr X has escaped"]}[s.result]
    return "\n".join(lines)


def purse(s, piece):
    """A piece's tickets in words."""
    return ", ".join(f"{KINDS[kind]} {s.tickets[piece, kind]}" for kind in range(3 if piece else 4))


@cache
def london():
    """The map: undergrounds red, buses green, taxis yellow, boats dashed."""
    picture = Picture(1000, 730, paper=LIGHT)
    lines = (BY_UNDERGROUND, "#dc2626", 4), (BY_BUS, "#15803d", 2.5), (BY_TAXI, "#ca8a04", 1), (BY_BOAT, INK, 1)
    for text, colour, width in lines:
        for a, b in pairs(text):
            picture.line(*places()[a], *places()[b], colour=colour, width=width, dashed=text is BY_BOAT)
    for station in range(1, STATIONS + 1):
        draw_station(picture, station, WHITE)
    return picture


@cache
def places():
    return [(0, 0), *(tuple(map(int, place.split(","))) for place in PLACES.split())]


def draw_station(picture, station, fill):
    picture.circle(*places()[station], 11, fill=fill, line="#6b7280")
    picture.text(*places()[station], str(station), 9, colour=INK)


def svg(s, player):
    """The map with the seekers; stations where Mr X may be are filled. Below is his log."""
    picture = deepcopy(london())
    if s.result == GOING:
        for station in reckoned(s):
            draw_station(picture, station, "#fde047")
    for seeker in range(1, 1 + s.seekers):
        if s.at[seeker]:
            stone(picture, *places()[s.at[seeker]], 13, SEATS[seeker - 1], str(s.at[seeker]))
    if sees_mr_x(s, player):
        stone(picture, *places()[s.at[MR_X]], 13, INK, "X")
    for i in range(s.rides):
        seen = f" {s.seen[SURFACES.index(i + 1)]}" if i + 1 in SURFACES else ""
        picture.text(30 + 40 * i, 715, KINDS[s.paid[i]][: 5 - len(seen)] + seen, 11)
    return str(picture)
