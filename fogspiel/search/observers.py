"""Views (`search/views.py`) for which others' moves are what a player sees of them (Whitehouse 2014, sec. 6.3)."""

from functools import lru_cache

import numpy as np

from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import advance
from fogspiel.game.table import (
    CHANCE,
    PLAYERS,
    SEES,
    actor,
    always_at_once,
    chances,
    copy_state,
    infoset,
    mix,
    moves,
    pick,
    play,
    sample,
    sees,
    stage_goes_on,
    state_at,
)
from fogspiel.search.nodes import slots_of

# --- the searcher's eyes, at everybody's decisions


class Searcher:
    """A node is what the searching player knows, at others' decisions too: SO-ISMCTS+POM (Whitehouse 2014, sec. 6.3.1).

    What others do there is told apart by what the searcher sees of it; which of the moves that look the same is made is
    left to a draw.
    """

    RECORD = (("known", "i8"), ("veiled", "i8"))
    """What the searcher knew when the stage began; whether moves of the present decision are told apart by what it sees
    of them."""

    def memory(game, room):
        return {"names": game.buffer(), "child": np.zeros(game.dtype.itemsize + 64, np.int8)}

    def stage_begins(game, search, s):
        search.seen.known = infoset(game, s, search.asked.searcher)

    def key_of(game, search, s, who):
        known = infoset(game, s, who) if who == search.asked.searcher else search.seen.known
        return mix(known, who)

    def slots_for(game, search, s, node, who, n):
        search.seen.veiled = who != search.asked.searcher and not in_a_stage(game, search, s, who)
        if search.seen.veiled == 0:
            return slots_of(search, node, n, search.moves)
        return slots_of(search, node, seen_moves(game, search, s, n), search.names)

    def meant(search, who, name, n):
        """One of the n moves that the searcher gives the same name, each as likely."""
        if search.seen.veiled == 0:
            return name
        picked = 0
        alike = 0
        for i in range(n):
            if search.labels[i] == name:
                alike += 1
                if alike == 1 or pick(search.rng, alike) == 0:
                    picked = search.moves[i]
        return picked

    def label(search, state, searcher, move):
        if state.actor == searcher or search.game.always_at_once:
            return move
        after = state.copy()
        advance(after, move)
        if state.stage is not state or after.stage is not after:
            return move
        key = after.key(searcher)
        return key - (1 << 64) if key >= 1 << 63 else key


def in_a_stage(game, search, s, who):
    """Whether others choose at the same time: nobody sees the moves before all have chosen."""
    if search.asked.simultaneous == 0:
        return False
    if always_at_once(game, search.asked.simultaneous) or search.walk.pending != 0:
        return True
    child = state_at(game, search.child, 0)
    copy_state(game, child, s)
    play(game, child, search.moves[0])
    return stage_goes_on(game, child, search.asked.simultaneous, who, actor(game, child))


def seen_moves(game, search, s, n):
    """What the searcher knows after each of another player's n moves, into search.labels; each different one once, into
    search.names. Returns how many those are."""
    labels, names = search.labels, search.names
    child = state_at(game, search.child, 0)
    m = 0
    for i in range(n):
        copy_state(game, child, s)
        play(game, child, search.moves[i])
        labels[i] = infoset(game, child, search.asked.searcher)
        names[m] = labels[i]
        first = 0
        while names[first] != labels[i]:
            first += 1
        m += first == m
    return m


# --- one tree a player


UNSEEN = -1
"""What a player calls a move of which it sees no more than all do."""


class Observer:
    """A node is what the player to move has seen happen since the root, whatever it held there: MO-ISMCTS with one tree
    a player (Whitehouse 2014, sec. 6.3.1, Algorithms 4 and 5).

    The searching player is in one information set at the root, so its tree is told apart by its information sets since.
    The trees of the others are told apart by their own moves, by what they see of all moves, which a game says by its
    rule `sees`, as the thesis asks of it, and by what all know after them. In a game without that rule what a player
    sees is found by what is known before and after a move:

    * its own moves, and what all know after them and after the others' moves;
    * where, of several moves after which all know the same, it would know different things: the first of those that it
      cannot tell from the one that was made;
    * nothing of a move after which it knows what it knew before.

    What is found so departs from the thesis in two places. The first of several moves that a player cannot tell apart
    may differ between determinizations, and then its tree has more nodes; that concerns moves of which it sees more
    than all do, and not everything. And where a game tells a player more of its own move than all learn, as when a try
    fails in secret, nodes after the move are told apart by all that the player knows, what it held at the root included
    (as in sec. 7.2). Whether a game does is found by playing it (`secret_outcomes`)."""

    RECORD = (("length", "i8"), ("secret", "i8"))
    """Moves of the stage so far; whether a player's own move may tell it what others do not learn, where no rule says
    so."""

    def memory(game, room):
        size = game.dtype.itemsize + 64
        return {
            "trail": np.zeros(game.players + 1, np.uint64),
            "stage_moves": np.zeros(game.players + 1, np.int64),
            "stage_movers": np.zeros(game.players + 1, np.int64),
            "alert": np.zeros(game.players, np.int64),
            "before": np.zeros(size, np.int8),
            "other": np.zeros(size, np.int8),
            "others": game.buffer(),
            "other_odds": np.zeros(len(game.buffer())),
            "secret": secret_outcomes(game),
        }

    def begin(game, search):
        for p in range(game[PLAYERS] + 1):
            search.trail[p] = 0

    def stage_begins(game, search, s):
        copy_state(game, state_at(game, search.before, 0), s)
        search.seen.length = 0

    def told(search, who, move):
        search.stage_moves[search.seen.length] = move
        search.stage_movers[search.seen.length] = who
        search.seen.length += 1

    def key_of(game, search, s, who):
        """Chance has a tree of its own, in which everything is seen."""
        return mix(search.trail[who if who != CHANCE else game[PLAYERS]], who)

    def stage_ends(game, search, s):
        for p in range(game[PLAYERS]):
            if game[SEES] == 0 or p == search.asked.searcher:
                search.trail[p] = seen_by(game, search, s, p)
        if game[SEES] != 0:
            others_see(game, search, infoset(game, s, PUBLIC))
        for j in range(search.seen.length):
            search.trail[game[PLAYERS]] = noted(
                search.trail[game[PLAYERS]], search.stage_movers[j], search.stage_moves[j]
            )


def others_see(game, search, public):
    """Work what the others see of the moves of the stage into their trails, by the game's rule, and what all know after
    them: that may be what somebody held at the root."""
    at, room = state_at(game, search.before, 0), state_at(game, search.other, 0)
    for j in range(search.seen.length):
        who, move = search.stage_movers[j], search.stage_moves[j]
        for p in range(game[PLAYERS]):
            if p == search.asked.searcher:
                continue
            if p == who:
                search.trail[p] = noted(search.trail[p], who, move)
            copy_state(game, room, at)
            seen = sees(game, room, p, move)
            if seen != 0:
                search.trail[p] = mix(search.trail[p], seen)
            if p == who or seen != 0:
                search.alert[p] = 1
        play(game, at, move)
    for p in range(game[PLAYERS]):
        if search.alert[p] != 0:
            search.trail[p] = mix(search.trail[p], public)
            search.alert[p] = 0


def seen_by(game, search, s, player):
    """A player's trail after the stage."""
    trail, known = search.trail[player], infoset(game, s, player)
    alert = known != infoset(game, state_at(game, search.before, 0), player)
    for j in range(search.seen.length):
        if search.stage_movers[j] == player:
            trail = noted(trail, player, search.stage_moves[j])
            if search.seen.secret != 0:
                trail = mix(trail, known)
            alert = True
    if not alert:
        return trail
    if player == search.asked.searcher:
        return mix(trail, known)
    for j in range(search.seen.length):
        if search.stage_movers[j] != player:
            name = as_seen(game, search, s, player, j)
            if name != UNSEEN:
                trail = noted(trail, search.stage_movers[j], name)
    return mix(trail, infoset(game, s, PUBLIC))


def noted(trail, who, move):
    return mix(mix(trail, who), move)


def as_seen(game, search, s, player, j):
    """What a player calls the j-th move of the stage, which is another's or chance's: the first of the moves in its
    place that it cannot tell from it; UNSEEN if there are no others, after which all know the same, that it can."""
    known, public = infoset(game, s, player), infoset(game, s, PUBLIC)
    other = state_at(game, search.other, 0)
    replay(game, search, other, j)
    if search.stage_movers[j] == CHANCE:
        n = chances(game, other, search.others, 0, search.other_odds, 0)
    else:
        n = moves(game, other, search.others, 0)
    first, different = -1, False
    for i in range(n):
        replay(game, search, other, j)
        play(game, other, search.others[i])
        for k in range(j + 1, search.seen.length):
            play(game, other, search.stage_moves[k])
        if infoset(game, other, player) == known:
            if first < 0:
                first = i
        elif infoset(game, other, PUBLIC) == public:
            different = True
    return search.others[first] if different else UNSEEN


def replay(game, search, s, count):
    """Make s the state after so many moves of the stage."""
    copy_state(game, s, state_at(game, search.before, 0))
    for k in range(count):
        play(game, s, search.stage_moves[k])


@lru_cache(maxsize=16)
def secret_outcomes(game, games=50, length=40):
    """Whether in random games a player learned different things from the same move in the same information set, and all
    learned the same, which nobody needs to find out of a game with the rule `sees`. Pending moves of others are no
    outcome of one's own."""
    if game.always_at_once or "sees" in game.functions:
        return False
    learned, rng = {}, np.array([1], np.uint64)
    for _ in range(games):
        state = game.start()
        for _ in range(length):
            if state.over:
                break
            who = state.actor
            if who == CHANCE:
                outcomes = state.chance()
                state.play(outcomes[sample([p for _, p in outcomes], 0, len(outcomes), rng)][0])
                continue
            legal = state.moves()
            move, knew = legal[pick(rng, len(legal))], state.key(who)
            alike = [state]
            if "resample" in game.functions:
                alike.append(state.copy())
                alike[1].resample(who, rng)
            alone = state.stage is state
            for one in alike:
                one.play(move)
                if (
                    alone
                    and one.stage is one
                    and not one.over
                    and learned.setdefault((who, knew, move, one.key(PUBLIC)), one.key(who)) != one.key(who)
                ):
                    return True
    return False
