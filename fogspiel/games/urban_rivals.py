"""Urban Rivals, simplified: characters fight in pairs, with pills that their players hand out in secret.

Each player has 12 life, 12 pills and four characters with a power, a damage and stars, all open. Each four of the eight
characters below are as likely (hands=dealt), or both players hold the first ones (hands=same). In each of four rounds
both send out a character and hand it pills: first the one who begins, player 0 in the first round and then by turns,
and then the other, who sees the character but not its pills. A character attacks with its power, times one more than
its pills. The stronger attack wins; on a tie the one of fewer stars, and then of the one who began. The other player
loses as much life as the winner's damage. Pills are spent either way, and shown. Who has no life left has lost,
otherwise who has less in the end.

One of the games of Whitehouse 2014, sec. 4.1, which simplifies it without saying how; Teytaud and Flory 2011 study it
for information that is hidden for a short time. Life, pills, rounds, the order of play and the tie by stars are those
of the online game, whose abilities, bonuses, clans and fury are left out. That equal stars favour who began is assumed,
and the characters are ours.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, Choice, Picture, Whole, count_bits, mix, pick
from fogspiel.games.toolkit.draw import FELT, SEATS, WHITE

POWER = (6, 4, 7, 5, 3, 8, 6, 4)
DAMAGE = (5, 6, 3, 4, 8, 2, 3, 5)
STARS = (4, 3, 3, 2, 4, 4, 2, 1)
MOST = 8
DEALT, SAME = 0, 1
NONE = -1
CHARACTER, PILLS = 0, 1

PARAMETERS = (
    Whole("characters", 4, 1, 4, "characters of each player, and rounds"),
    Whole("life", 12, 1, 30, "life of each player"),
    Whole("pills", 12, 0, 30, "pills of each player"),
    Choice("hands", "dealt", ("dealt", "same"), "whether hands are dealt, or both are the first characters"),
)
MAX_MOVES = 70
State = np.dtype(
    [
        ("characters", "i1"),
        ("life", "i1"),
        ("pills", "i1"),
        ("hands", "i1"),
        ("hand", "i2", 2),
        ("alive", "i1", 2),
        ("left", "i1", 2),
        ("sent", "i1", 2),
        ("given", "i1", 2),
        ("dealt", "i1"),
        ("round", "i1"),
        ("turn", "i1"),
        ("phase", "i1"),
        ("seen", "u8"),
    ],
    align=True,
)
"""hand has a bit for each character that a player still has; alive and left are its life and pills. sent and given are
the character of this round and its pills; phase is what the player to move chooses. seen is a key of the rounds that
are over."""


def about(characters, life, pills, hands):
    return About(utility=(-1, 1))


def start(s):
    for i in range(2):
        s.alive[i] = s.life
        s.left[i] = s.pills
        s.sent[i] = NONE
        s.given[i] = NONE
        if s.hands == SAME:
            s.hand[i] = (1 << s.characters) - 1
    s.dealt = 2 if s.hands == SAME else 0


def actor(s):
    if s.dealt < 2:
        return CHANCE
    return OVER if s.round == s.characters or min(s.alive[0], s.alive[1]) == 0 else s.turn


def moves(s, out):
    n = 0
    if s.dealt < 2:
        for hand in range(1 << MOST):
            if count_bits(hand) == s.characters:
                out[n] = hand
                n += 1
        return n
    if s.phase == PILLS:
        for pills in range(s.left[s.turn] + 1):
            out[n] = pills
            n += 1
        return n
    for c in range(MOST):
        out[n] = c
        n += s.hand[s.turn] >> c & 1
    return n


def play(s, move):
    if s.dealt < 2:
        s.hand[s.dealt] = move
        s.seen = mix(s.seen, move)
        s.dealt += 1
        return
    if s.phase == CHARACTER:
        s.sent[s.turn] = move
        s.hand[s.turn] -= 1 << move
        s.phase = PILLS
        return
    s.given[s.turn] = move
    s.phase = CHARACTER
    if s.turn == beginner(s):
        s.turn = 1 - s.turn
    else:
        fight(s)


def beginner(s):
    return s.round % 2


def fight(s):
    won = winner(s)
    s.alive[1 - won] = max(0, s.alive[1 - won] - DAMAGE[s.sent[won]])
    for i in range(2):
        s.seen = mix(mix(s.seen, s.sent[i]), s.given[i])
        s.left[i] -= s.given[i]
        s.sent[i] = NONE
        s.given[i] = NONE
    s.round += 1
    s.turn = beginner(s)


def winner(s):
    """The player whose character wins the round."""
    first = beginner(s)
    ahead = attack(s, first) - attack(s, 1 - first)
    if ahead == 0:
        ahead = STARS[s.sent[1 - first]] - STARS[s.sent[first]]
    return first if ahead >= 0 else 1 - first


def attack(s, player):
    return POWER[s.sent[player]] * (1 + s.given[player])


def payoff(s, out):
    out[0] = (s.alive[0] > s.alive[1]) - (s.alive[0] < s.alive[1])
    out[1] = -out[0]


def evaluate(s, out):
    """The lead in life, and half as much that in pills."""
    out[0] = math.tanh(2 * (s.alive[0] - s.alive[1]) / s.life + (s.left[0] - s.left[1]) / max(1, s.pills))
    out[1] = -out[0]


def infoset(s, player):
    """All is seen but the pills that the other has just handed out."""
    key = mix(mix(s.seen, 4 * s.dealt + 2 * s.turn + s.phase), 16 * s.sent[0] + s.sent[1])
    return key if player == PUBLIC else mix(key, s.given[player])


def sees(s, player, move):
    """Hands and characters are open; pills are shown when both have handed theirs out."""
    if s.dealt < 2 or s.phase == CHARACTER:
        return mix(0, move)
    if s.turn == beginner(s):
        return mix(1, 0)
    return mix(0, move) if player != s.turn else mix(2, s.given[1 - player])


def resample(s, player, rng):
    """Any number of pills that the other may have handed out is as likely."""
    other = 1 - player
    if s.given[other] != NONE:
        s.given[other] = pick(rng, s.left[other] + 1)


def name_of(c):
    """A character as players name it: power and damage."""
    return f"{POWER[c]}/{DAMAGE[c]}"


def starred(c):
    return name_of(c) + "*" * STARS[c]


def members(hand):
    return [c for c in range(MOST) if hand >> c & 1]


def move_name(s, move):
    if s.dealt < 2:
        return f"player {s.dealt} gets {' '.join(map(name_of, members(move)))}"
    return name_of(move) if s.phase == CHARACTER else f"{move} pills"


def sent_out(s, player, i):
    """What a player has sent out in this round, as another sees it."""
    if s.sent[i] == NONE:
        return ""
    pills = "" if s.given[i] == NONE else f" with {s.given[i] if player in (None, i) else '?'} pills"
    return starred(s.sent[i]) + pills


def show(s, player):
    lines = [f"round {min(s.round + 1, s.characters)} of {s.characters}"]
    for i in range(2):
        sent = sent_out(s, player, i)
        hand = " ".join(map(starred, members(s.hand[i]))) or "nobody"
        lines.append(f"player {i}: {s.alive[i]} life, {s.left[i]} pills, {hand}{'; sends ' if sent else ''}{sent}")
    return "\n".join(lines)


def svg(s, player):
    picture = Picture(470, 180, paper=FELT)
    for i in range(2):
        y = 14 + 88 * i
        picture.text(12, y + 14, f"player {i}", colour=WHITE, anchor="start", bold=True)
        picture.text(12, y + 34, f"♥ {s.alive[i]}", colour="#fecaca", anchor="start")
        picture.text(12, y + 54, f"● {s.left[i]}", colour="#bfdbfe", anchor="start")
        for n, c in enumerate(members(s.hand[i])):
            draw_character(picture, 90 + 58 * n, y, c, SEATS[i])
        if s.sent[i] != NONE:
            draw_character(picture, 340, y, s.sent[i], SEATS[i])
        if s.given[i] != NONE:
            given = str(s.given[i]) if player in (None, i) else "?"
            picture.text(405, y + 32, f"● {given}", 18, colour="#bfdbfe", anchor="start")
    return str(picture)


def draw_character(picture, x, y, c, colour):
    picture.rect(x, y, 50, 64, fill=WHITE, line="#6b7280", round=5)
    picture.text(x + 25, y + 18, f"{POWER[c]} / {DAMAGE[c]}", 15, colour=colour, bold=True)
    picture.text(x + 25, y + 46, "★" * STARS[c], 9, colour="#b45309")
