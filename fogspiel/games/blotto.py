"""Colonel Blotto: two players share their soldiers out among battlefields, at the same time.

On each field the one with more soldiers wins. By payoff=majority who wins more fields gets 1 from the other, as in
OpenSpiel; by payoff=fields the difference of fields won is paid (Borel 1921; Hart 2008); by payoff=regiments the winner
of a field gets 1 and as many as the other lost there, so that four soldiers against three on two fields are worth 14/9
(McDonald and Tucker 1949). With as many soldiers each the value is 0.
"""

import math

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, Choice, Picture, Whole, mix, pick, whole_at
from fogspiel.games.toolkit.at_once import seen_at_once
from fogspiel.games.toolkit.draw import SEATS

NONE = -1
MAJORITY, FIELDS, REGIMENTS = 0, 1, 2
PARAMETERS = (
    Whole("soldiers1", 10, 1, 100, "how many soldiers player 0 has"),
    Whole("soldiers2", 10, 1, 100, "how many soldiers player 1 has"),
    Whole("fields", 3, 1, 8, "how many battlefields there are"),
    Choice(
        "payoff",
        "majority",
        ("majority", "fields", "regiments"),
        "what is paid: 1 for more fields, 1 for each field, or 1 and the soldiers beaten there",
    ),
)
MAX_MOVES = 256
State = np.dtype(
    [("sharings", "i8"), ("fields", "i1"), ("payoff", "i1"), ("count", "i2", 2), ("choice", "i2", 2), ("chosen", "i1")],
    align=True,
)
"""sharings has how many ways to share out each player has, and then all ways of player 0 and of player 1, a number for
each field."""


def about(soldiers1, soldiers2, fields, payoff):
    ways = [math.comb(soldiers + fields - 1, fields - 1) for soldiers in (soldiers1, soldiers2)]
    if max(ways) > MAX_MOVES:
        raise ValueError(
            f"{max(soldiers1, soldiers2)} soldiers can be shared out among {fields} fields in {max(ways)} ways, "
            f"where {MAX_MOVES} is the most"
        )
    most = {"majority": 1, "fields": fields, "regiments": fields + max(soldiers1, soldiers2)}[payoff]
    shared = [*sharings(soldiers1, fields), *sharings(soldiers2, fields)]
    table = np.concatenate([ways, np.ravel(shared)])
    return About(utility=(-most, most), simultaneous=True, tables={"sharings": table})


def sharings(soldiers, fields):
    """All ways to share soldiers out among fields, the fewest on the first field first."""
    if fields == 1:
        return [(soldiers,)]
    return [(n, *rest) for n in range(soldiers + 1) for rest in sharings(soldiers - n, fields - 1)]


def start(s):
    for i in range(2):
        s.count[i] = whole_at(s.sharings, i)
        s.choice[i] = NONE


def actor(s):
    return s.chosen if s.chosen < 2 else OVER


def moves(s, out):
    n = s.count[s.chosen]
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    s.choice[s.chosen] = move
    s.chosen += 1


def soldiers_on(s, player, choice, field):
    return whole_at(s.sharings, 2 + s.fields * (player * s.count[0] + choice) + field)


def payoff(s, out):
    won = 0
    for field in range(s.fields):
        mine = soldiers_on(s, 0, s.choice[0], field)
        theirs = soldiers_on(s, 1, s.choice[1], field)
        stake = 1 + min(mine, theirs) if s.payoff == REGIMENTS else 1
        won += stake * ((mine > theirs) - (mine < theirs))
    if s.payoff == MAJORITY:
        won = (won > 0) - (won < 0)
    out[0] = won
    out[1] = -won


def infoset(s, player):
    """A player knows its own choice, and in the end both."""
    if s.chosen == 2:
        return mix(mix(2, s.choice[0]), s.choice[1])
    return mix(s.chosen, NONE if player == PUBLIC else s.choice[player])


def sees(s, player, move):
    return seen_at_once(s.choice[0], player, move)


def resample(s, player, rng):
    """Every choice that is pending is as likely."""
    if s.chosen == 1 and player == 1:
        s.choice[0] = pick(rng, s.count[0])


def move_name(s, move):
    return "-".join(str(soldiers_on(s, s.chosen, move, field)) for field in range(s.fields))


def seen_of(s, player, i):
    """The soldiers of a player by field, as another sees them."""
    if s.choice[i] == NONE or not (s.chosen == 2 or player in (None, i)):
        return ["?"] * s.fields if s.chosen > i else ["-"] * s.fields
    return [str(soldiers_on(s, i, s.choice[i], field)) for field in range(s.fields)]


def show(s, player):
    return "\n".join(f"player {i}: {' '.join(f'{n:>2}' for n in seen_of(s, player, i))}" for i in range(2))


def svg(s, player):
    picture = Picture(90 + 60 * s.fields, 120)
    for field in range(s.fields):
        picture.rect(84 + 60 * field, 10, 54, 100, fill="#e7efd9", line="#7c8f5a", round=6)
    for i in range(2):
        picture.text(10, 35 + 50 * i, f"player {i}", colour=SEATS[i], anchor="start", bold=True)
        for field, n in enumerate(seen_of(s, player, i)):
            picture.text(111 + 60 * field, 35 + 50 * i, n, 20, colour=SEATS[i], bold=True)
    return str(picture)
