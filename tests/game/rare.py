"""Guess the other's side, after three dice of sixteen faces; where all show the highest, something goes wrong, in the
way of the parameter."""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, mix, pick, whole_at

KINDS = (
    "nothing",
    "payoff-nan",
    "payoff-infinite",
    "payoff-huge",
    "payoff-unbalanced",
    "payoff-many",
    "payoff-backwards",
    "payoff-missing",
    "moves-too-many",
    "moves-far-too-many",
    "moves-claimed",
    "moves-none",
    "moves-negative",
    "moves-twice",
    "moves-more",
    "moves-others",
    "actor-9",
    "actor-minus-7",
    "play-endless",
    "play-deep",
    "play-writes-far",
    "play-reads-far",
    "play-reads-backwards",
    "play-divides",
    "play-nothing",
    "table-far",
    "chance-sum",
    "chance-negative",
    "chance-nan",
    "chance-none",
    "chance-too-many",
    "resample-endless",
    "resample-elsewhere",
    "infoset-endless",
)
(
    NOTHING,
    NAN,
    INFINITE,
    HUGE,
    UNBALANCED,
    MANY,
    BACKWARDS,
    MISSING,
    TOO_MANY,
    FAR_TOO_MANY,
    CLAIMED,
    NONE,
    NEGATIVE,
    TWICE,
    MORE,
    OTHERS,
    ACTOR_9,
    ACTOR_7,
    ENDLESS,
    DEEP,
    WRITES,
    READS,
    READS_BACK,
    DIVIDES,
    STUCK,
    TABLE,
    SUM,
    NEGATIVE_ODDS,
    NAN_ODDS,
    NO_OUTCOME,
    OUTCOMES,
    REDRAW_ENDLESS,
    REDRAW_ELSEWHERE,
    KEY_ENDLESS,
) = range(len(KINDS))
PARAMETERS = (Choice("kind", "nothing", KINDS, "how it goes wrong"),)
MAX_MOVES = 16
FACES = 16
State = np.dtype(
    [
        ("kind", "i8"),
        ("steps", "i8"),
        ("roll", "i8", 3),
        ("step", "i8"),
        ("choice", "i8", 2),
        ("rare", "i8"),
    ],
    align=True,
)


def about(kind):
    return About(players=2, utility=(-1, 1), tables={"steps": np.arange(4)})


def start(s):
    s.step = 0


def actor(s):
    if s.rare and s.step == 4:
        if s.kind == ACTOR_9:
            return 9
        if s.kind == ACTOR_7:
            return -7
    if s.step < 3:
        return CHANCE
    return OVER if s.step >= 5 else s.step - 3


def moves(s, out):
    out[0], out[1] = 0, 1
    if not s.rare:
        return 2
    if s.kind == TOO_MANY or s.kind == FAR_TOO_MANY:
        n = 300 if s.kind == TOO_MANY else 100000
        for i in range(n):
            out[i] = i
        return n
    if s.kind == CLAIMED:
        return 1000000000000
    if s.kind == NONE:
        return 0
    if s.kind == NEGATIVE:
        return -1
    if s.kind == TWICE:
        out[0] = 1
    if s.kind == MORE:
        out[2] = 2
        return 3
    if s.kind == OTHERS:
        out[0], out[1] = 5, 6
    return 2


def chance(s, out, prob):
    for i in range(FACES):
        out[i] = i
        prob[i] = 1 / FACES
    if s.step == 2 and s.roll[0] == 15 and s.roll[1] == 15:
        if s.kind == SUM:
            prob[3] = 0.5
        if s.kind == NEGATIVE_ODDS:
            prob[3], prob[4] = -1 / FACES, 3 / FACES
        if s.kind == NAN_ODDS:
            prob[3] = np.nan
        if s.kind == NO_OUTCOME:
            return 0
        if s.kind == OUTCOMES:
            return FACES + 1
    return FACES


def deep(s, n):
    return n if s.step == 100 else deep(s, n + 1)


def play(s, move):
    if s.step < 3:
        s.roll[s.step] = move
        s.step += 1
        s.rare = 1 if s.roll[0] == 15 and s.roll[1] == 15 and s.roll[2] == 15 else 0
        if s.rare and s.kind == WRITES:
            for i in range(100000):
                s.roll[i] = 7
        if s.rare and s.kind == READS:
            s.choice[0] = s.roll[100000000]
        if s.rare and s.kind == READS_BACK:
            s.choice[0] = s.roll[-3000000000]
        return
    if s.rare and s.kind == ENDLESS:
        while s.step < 100:
            s.choice[0] += 1
    if s.rare and s.kind == DEEP:
        s.choice[0] = deep(s, 0)
    if s.rare and s.kind == STUCK:
        return
    if s.rare and s.kind == DIVIDES:
        s.choice[0] = 1 // (s.step - s.step)
    if s.rare and s.kind == TABLE:
        s.choice[0] = whole_at(s.steps, 4)
    s.choice[s.step - 3] = move
    s.step += 1


def payoff(s, out):
    won = 1.0 if s.choice[0] == s.choice[1] else -1.0
    if s.rare:
        if s.kind == NAN:
            won = np.nan
        if s.kind == INFINITE:
            won = np.inf
        if s.kind == HUGE:
            won = 1e300
        if s.kind == MANY or s.kind == BACKWARDS:
            for i in range(1000000):
                out[i if s.kind == MANY else -i] = 3.0
        if s.kind == UNBALANCED:
            out[0], out[1] = 1.0, 1.0
            return
        if s.kind == MISSING:
            out[0] = won
            return
    out[0] = won
    out[1] = -won


def infoset(s, player):
    if s.rare and s.kind == KEY_ENDLESS:
        while s.step < 100:
            s.choice[0] += 1
    return mix(mix(0, s.step), s.choice[0] if s.step > 3 and player == 0 else -1)


def resample(s, player, rng):
    if s.kind == REDRAW_ENDLESS and s.step >= 3 and s.roll[0] == 15:
        while s.step < 100:
            s.choice[0] += 1
    for i in range(min(s.step, 3)):
        s.roll[i] = pick(rng, FACES)
    s.rare = 1 if s.roll[0] == 15 and s.roll[1] == 15 and s.roll[2] == 15 else 0
    if s.step > 3 and player == 1:
        s.choice[0] = pick(rng, 2)
    if s.kind == REDRAW_ELSEWHERE and s.roll[0] == 15:
        s.step = 3
