"""The Resistance, a game of hidden roles: spies among the players sabotage missions, and only they know who they are.

Of five to ten players some are spies, who know each other. The leader chooses a team for a mission; all vote on it at
once, and the votes are shown. If more than half are for it, the members of the team each play a card at once: a spy may
sabotage the mission, the others support it. How many cards were sabotage is shown, not whose. A sabotaged mission
fails. If the vote does not pass, the next player leads and chooses a team for the same mission; the fifth team that is
chosen goes without a vote. Three missions that succeed win the game for the resistance, three that fail for the spies:
+1 for each winner, -1 for each loser, and all roles are shown.

Whitehouse 2014, sec. 4.2.11 and Algorithm 1. From the rule book (Eskridge 2009): how many spies there are, the sizes of
teams, what passes a vote, that leadership goes round, and that the fourth mission of seven players or more fails by two
sabotages only. Player 0 leads first. As in Algorithm 1 the environment reveals votes and cards: a move of chance with
one outcome, which also sends out a team that nobody votes on. So what players do at once ends before the next leader is
asked.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, UNSEEN, About, Picture, Whole, mix, pick
from fogspiel.games.toolkit.bits import count_bits, has, lowest_bit, pick_bit
from fogspiel.games.toolkit.draw import BLACK, LIGHT, WHITE, stone

FEWEST, MOST = 5, 10
MISSIONS, ATTEMPTS = 5, 5
SPIES = (2, 2, 3, 3, 3, 4)
TEAMS = np.array([[2, 3, 2, 3, 3], [2, 3, 4, 3, 4], [2, 3, 3, 4, 4], [3, 4, 4, 5, 5], [3, 4, 4, 5, 5], [3, 4, 4, 5, 5]])
"""By the number of players, from 5: how many of them are spies, and how many go on each mission."""
DEALING, CHOOSING, VOTING, VOTED, SENDING, ACTING, RETURNING, FINISHED = 0, 1, 2, 3, 4, 5, 6, 7
SPY, RESISTANCE, UNKNOWN = "#b91c1c", "#1d4ed8", "#6b7280"

PARAMETERS = (
    Whole("players", 5, FEWEST, MOST, "players"),
    Whole("wins", 3, 1, 3, "missions that decide the game"),
    Whole(
        "attempts", ATTEMPTS, 1, ATTEMPTS, "teams that may be chosen for a mission; the last one goes without a vote"
    ),
)
MAX_MOVES = 252
State = np.dtype(
    [
        ("players", "i1"),
        ("wins", "i1"),
        ("attempts", "i1"),
        ("phase", "i1"),
        ("leader", "i1"),
        ("attempt", "i1"),
        ("mission", "i1"),
        ("failed", "i1"),
        ("spies", "i2"),
        ("asked", "i2"),
        ("votes", "i2"),
        ("team", "i2", MISSIONS),
        ("sabotages", "i1", MISSIONS),
        ("saboteurs", "i2", MISSIONS),
        ("chosen", "i2", (MISSIONS, ATTEMPTS)),
        ("voted", "i2", (MISSIONS, ATTEMPTS)),
        ("history", "u8"),
    ],
    align=True,
)
"""Sets of players have a bit for each: asked are those who still have to vote or to play a card, votes those who voted
for the team. attempt and mission count from 0, failed counts missions. team, sabotages (how many) and saboteurs (who)
are those of each mission; chosen has the teams of all attempts and voted who was shown to be for them. history is a
hash of all teams, votes and numbers of sabotages that were shown."""


def about(players, wins, attempts):
    return About(players=players, utility=(-1, 1), zero_sum=False, simultaneous=True)


def start(s):
    s.phase = DEALING


def actor(s):
    if s.phase == CHOOSING:
        return s.leader
    if s.phase == VOTING or s.phase == ACTING:
        return lowest_bit(s.asked)
    return OVER if s.phase == FINISHED else CHANCE


def moves(s, out):
    if s.phase == DEALING:
        return groups(s.players, SPIES[s.players - FEWEST], out)
    if s.phase == CHOOSING:
        return groups(s.players, TEAMS[s.players - FEWEST, s.mission], out)
    out[0], out[1] = 0, 1
    if s.phase == VOTING:
        return 2
    return 2 if s.phase == ACTING and has(s.spies, lowest_bit(s.asked)) else 1


def groups(players, size, out):
    """All sets of so many players, in rising order (Gosper's step to the next number with as many bits)."""
    n = 0
    group = (1 << size) - 1
    while group < 1 << players:
        out[n] = group
        n += 1
        low = group & -group
        high = group + low
        group = high | (group ^ high) // low >> 2
    return n


def play(s, move):
    if s.phase == DEALING:
        s.spies = move
        s.phase = CHOOSING
    elif s.phase == CHOOSING:
        choose_team(s, move)
    elif s.phase == VOTING:
        s.votes |= move << lowest_bit(s.asked)
        answered(s, VOTED)
    elif s.phase == VOTED:
        count_votes(s)
    elif s.phase == SENDING:
        send_team(s)
    elif s.phase == ACTING:
        s.saboteurs[s.mission] |= move << lowest_bit(s.asked)
        answered(s, RETURNING)
    else:
        end_mission(s)


def choose_team(s, team):
    s.team[s.mission] = team
    s.chosen[s.mission, s.attempt] = team
    s.history = mix(s.history, team)
    s.leader = (s.leader + 1) % s.players
    s.attempt += 1
    s.votes = 0
    s.asked = (1 << s.players) - 1
    s.phase = VOTING if s.attempt < s.attempts else SENDING


def answered(s, after):
    """The player who was asked has answered; after the last of them the next phase begins."""
    s.asked &= s.asked - 1
    if s.asked == 0:
        s.phase = after


def count_votes(s):
    s.voted[s.mission, s.attempt - 1] = s.votes
    s.history = mix(s.history, s.votes)
    if 2 * count_bits(s.votes) > s.players:
        send_team(s)
    else:
        s.phase = CHOOSING


def send_team(s):
    s.saboteurs[s.mission] = 0
    s.asked = s.team[s.mission]
    s.phase = ACTING


def end_mission(s):
    sabotages = count_bits(s.saboteurs[s.mission])
    s.sabotages[s.mission] = sabotages
    s.history = mix(s.history, sabotages)
    s.failed += sabotages >= to_fail(s, s.mission)
    s.mission += 1
    s.attempt = 0
    s.phase = FINISHED if s.failed == s.wins or s.mission - s.failed == s.wins else CHOOSING


def to_fail(s, mission):
    """How many sabotages make a mission fail."""
    return 2 if s.players >= 7 and mission == 3 else 1


def payoff(s, out):
    for player in range(s.players):
        out[player] = 1 if has(s.spies, player) == (s.failed == s.wins) else -1


def evaluate(s, out):
    """The lead in missions as a share of those that decide the game."""
    lead = (s.mission - 2 * s.failed) / s.wins
    for player in range(s.players):
        out[player] = -lead if has(s.spies, player) else lead


def infoset(s, player):
    """All that was shown; the player's role, and a spy's fellows; the vote that is pending and the cards of its own."""
    shown = s.phase - (s.phase == VOTED or s.phase == RETURNING)
    key = mix(s.history, shown)
    if s.phase == FINISHED:
        key = mix(key, s.spies)
    if player == PUBLIC:
        return key
    key = mix(key, s.spies if has(s.spies, player) else 0)
    if shown in (VOTING, ACTING):
        key = mix(key, s.asked >> player & 1)
    if shown == VOTING:
        key = mix(key, s.votes >> player & 1)
    for mission in range(MISSIONS):
        key = mix(key, s.saboteurs[mission] >> player & 1)
    return key


def sees(s, player, move):
    """Spies see each other. Teams are open; votes are shown together, and of a mission how many sabotages it had."""
    if s.phase == DEALING:
        return mix(1, move if has(move, player) else 0)
    if s.phase == VOTING or s.phase == ACTING:
        return UNSEEN
    if s.phase == VOTED:
        return mix(2, s.votes)
    if s.phase != RETURNING:
        return mix(0, move)
    mission = s.mission
    play(s, move)
    return mix(mix(3, s.sabotages[mission]), s.spies if s.phase == FINISHED else 0)


def resample(s, player, rng):
    """Spies are drawn from the sets of players that this one cannot rule out, each as likely; a spy knows them.

    A set is ruled out by a mission with more sabotages than spies (Whitehouse 2014, sec. 4.2.11). Then it is drawn
    which of the spies sabotaged which mission, and what others have voted or played that is not shown yet, each way as
    likely.
    """
    if s.phase == DEALING:
        return
    everyone = (1 << s.players) - 1
    mine = 1 << player
    others = everyone & ~mine
    if not has(s.spies, player) and s.phase != FINISHED:
        s.spies = draw_group(others, SPIES[s.players - FEWEST], rng)
        while not possible(s, s.spies):
            s.spies = draw_group(others, SPIES[s.players - FEWEST], rng)
    for mission in range(s.mission):
        own = s.saboteurs[mission] & mine
        others_cards = s.sabotages[mission] - (own != 0)
        s.saboteurs[mission] = own | draw_group(s.team[mission] & s.spies & others, others_cards, rng)
    if s.phase == VOTING or s.phase == VOTED:
        s.votes = s.votes & mine | pick(rng, 1 << s.players) & others & ~s.asked
    elif s.phase == ACTING or s.phase == RETURNING:
        pending = s.team[s.mission] & s.spies & others & ~s.asked
        s.saboteurs[s.mission] = s.saboteurs[s.mission] & mine | pick(rng, 1 << s.players) & pending


def possible(s, spies):
    """Whether an outside observer must reckon with these spies: enough of them were in every team for its sabotages."""
    for mission in range(s.mission):
        if count_bits(s.team[mission] & spies) < s.sabotages[mission]:
            return False
    return True


def draw_group(members, size, rng):
    """So many of a set of players, each choice as likely."""
    drawn = 0
    for _ in range(size):
        drawn |= 1 << pick_bit(members & ~drawn, rng)
    return drawn


def move_name(s, move):
    if s.phase == DEALING:
        return f"spies {named(move)}"
    if s.phase == CHOOSING:
        return f"team {named(move)}"
    if s.phase == VOTING:
        return ("reject", "approve")[move]
    if s.phase == ACTING:
        return ("support", "sabotage")[move]
    return {VOTED: "show the votes", SENDING: "the team goes", RETURNING: "count the sabotages"}[s.phase]


def named(group):
    return " ".join(str(player) for player in members(group))


def members(group):
    return [player for player in range(MOST) if has(group, player)]


def features(s):
    return {f"player {player}": "spy" if has(s.spies, player) else "resistance" for player in range(s.players)}


def show(s, player):
    lines = [attempt_text(s, *attempt) for attempt in attempts_made(s)]
    if s.phase == CHOOSING:
        size = TEAMS[s.players - FEWEST, s.mission]
        lines.append(f"mission {s.mission + 1}, attempt {s.attempt + 1}: player {s.leader} chooses a team of {size}")
    if sees_spies(s, player):
        lines.append(f"spies: {named(s.spies)}")
    elif s.phase != DEALING:
        lines.append(f"you are of the resistance; {SPIES[s.players - FEWEST]} of the others are spies")
    else:
        lines.append(f"{s.players} players")
    if player is not None:
        lines.append(own_cards(s, player))
    return "\n".join(line for line in lines if line)


def attempts_made(s):
    """All teams that were chosen: the mission, the attempt, and who chose."""
    made = [(mission, i) for mission in range(MISSIONS) for i in range(ATTEMPTS) if s.chosen[mission, i]]
    return [(mission, i, leader % s.players) for leader, (mission, i) in enumerate(made)]


def attempt_text(s, mission, attempt, leader):
    """A team that was chosen, the votes on it where they were shown, and how the mission ended if the team went."""
    team = s.chosen[mission, attempt]
    words = [f"mission {mission + 1}, attempt {attempt + 1}: player {leader} chose {named(team)}"]
    if vote_shown(s, mission, attempt):
        words.append(f"for it {named(s.voted[mission, attempt]) or 'nobody'}")
    last = attempt == ATTEMPTS - 1 or not s.chosen[mission, attempt + 1]
    return ", ".join(words + ([result(s, mission)] if last and mission < s.mission else []))


def vote_shown(s, mission, attempt):
    """Whether an attempt was voted on, and the votes have been shown."""
    pending = s.phase in (VOTING, VOTED) and (mission, attempt) == (s.mission, s.attempt - 1)
    return attempt < s.attempts - 1 and not pending


def result(s, mission):
    """How a mission ended, in words."""
    failed = s.sabotages[mission] >= to_fail(s, mission)
    return f"{'failed' if failed else 'succeeded'}, sabotages {s.sabotages[mission]}"


def sees_spies(s, player):
    return s.phase != DEALING and (player is None or s.phase == FINISHED or has(s.spies, player))


def own_cards(s, player):
    """What a player did that the others do not know."""
    told = [f"you sabotaged mission {mission + 1}" for mission in range(MISSIONS) if has(s.saboteurs[mission], player)]
    if s.phase in (VOTING, VOTED) and not has(s.asked, player):
        told.append("you vote " + ("for" if has(s.votes, player) else "against") + " the team")
    return "; ".join(told)


def svg(s, player):
    """The missions as coins in a row; the players round the table, spies in red where they are seen, with the last
    votes that were shown."""
    picture = Picture(420, 330, paper=LIGHT)
    for mission in range(min(MISSIONS, 2 * s.wins - 1)):
        x, over = 62 + 74 * mission, mission < s.mission
        failed = over and s.sabotages[mission] >= to_fail(s, mission)
        picture.circle(x, 46, 28, fill=(SPY if failed else RESISTANCE) if over else WHITE, line=BLACK)
        colour = WHITE if over else BLACK
        picture.text(x, 40, str(TEAMS[s.players - FEWEST, mission]), 20, colour=colour, bold=True)
        if over:
            picture.text(x, 60, f"{s.sabotages[mission]} sab.", 10, colour=colour)
            picture.text(x, 86, named(s.team[mission]), 11)
    team = s.team[s.mission] if s.phase in (VOTING, VOTED, SENDING, ACTING, RETURNING) else 0
    votes = [s.voted[mission, i] for mission, i, _ in attempts_made(s) if vote_shown(s, mission, i)]
    for i in range(s.players):
        angle = 2 * math.pi * i / s.players - math.pi / 2
        x, y = 210 + 150 * math.cos(angle), 212 + 78 * math.sin(angle)
        known = sees_spies(s, player) or (s.phase != DEALING and i == player)
        if has(team, i):
            picture.circle(x, y, 25, fill="none", line=BLACK, width=3)
        stone(picture, x, y, 19, (SPY if has(s.spies, i) else RESISTANCE) if known else UNKNOWN, str(i))
        if s.phase == CHOOSING and i == s.leader:
            picture.text(x, y - 28, "leads", 11)
        if votes:
            picture.text(x, y + 30, "for" if has(votes[-1], i) else "against", 11)
    if s.phase not in (DEALING, FINISHED):
        picture.text(210, 212, f"mission {s.mission + 1}, attempt {s.attempt + (s.phase == CHOOSING)}", 13)
    if player is not None:
        picture.text(210, 230, own_cards(s, player), 11)
    return str(picture)
