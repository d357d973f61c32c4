"""What is played in answer to a move: the last good reply, with and without forgetting, and tiles of contextual Monte
Carlo."""

from fogspiel.engine.kernel import inlined
from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import mix, pick, uniform
from fogspiel.search.icaruses.averages import THETA, add
from fogspiel.search.records import TABLE, empty, found, made, table
from fogspiel.search.traces import UNSEEN, seen

REPLY = (("known", "i8"), ("reply", "i8"))
"""Whether a reply is known (theta_init: none is), and which."""

NOTHING = UNSEEN + 1
"""What the first move of a simulation replies to."""


class Lgr:
    """LGR, the last good reply (Drake 2009; Whitehouse 2014, sec. 8.2, Specification 4): what answered a move in the
    last simulation that was won is played when the move is made again."""

    ACTS = "playout"
    WITH = ("line",)
    PARAMETERS = (Number("above", 0.5, 0, 1, "a simulation is won that brings more than this, scaled to [0, 1]"),)
    RECORD = TABLE
    ABOUT = ("flat: a move and who replies", "a move", "the reply, with probability 1")

    def memory(game, room):
        return table("lgr", REPLY)

    def read(search, i, who, move):
        return by_move_before(search, i, who)

    def policy(game, search, s, n):
        """alpha."""
        return answer(search, search.lgr, search.lgr_index, search.lgr_records, n)

    def capture(game, search, s):
        """xi: every move but the first, as a reply to the one before."""
        tell(search, keep_good)

    def forget(search):
        empty(search.lgr, search.lgr_index)


def by_move_before(search, i, who):
    """R: a record for the player who replies, and the move before the i-th as it saw it."""
    return mix(seen(search, i - 1, who) if i > 0 else NOTHING, who)


def answer(search, own, index, records, n):
    """The reply, if one is known and legal; otherwise any move."""
    if n == 1:
        return 0
    record = found(own, index, records, by_move_before(search, search.line.length, search.facts.who))
    if record >= 0 and records[record].known != 0:
        reply = records[record].reply
        for i in range(n):
            if search.moves[i] == reply:
                return i
    return pick(search.rng, n)


@inlined
def tell(search, update):
    """Hand replies to `update`, each with the key of its record and what the simulation brought its player."""
    for i in range(1, search.line.length):
        row = search.moved[i]
        if row.who >= 0:
            update(search, by_move_before(search, i, row.who), row.move, search.rewards[row.who])


def keep_good(search, before, reply, reward):
    """omega: what won is kept."""
    if reward > search.lgr.above:
        record = made(search.lgr, search.lgr_index, search.lgr_records, before)
        if record >= 0:
            search.lgr_records[record].known = 1
            search.lgr_records[record].reply = reply


class Lgrf(Lgr):
    """LGRF, the last good reply with forgetting (Baier and Drake 2010; Whitehouse 2014, sec. 8.2, Specification 4): as
    LGR, and a reply that lost is forgotten."""

    def memory(game, room):
        return table("lgrf", REPLY)

    def policy(game, search, s, n):
        """alpha."""
        return answer(search, search.lgrf, search.lgrf_index, search.lgrf_records, n)

    def capture(game, search, s):
        """xi: every move but the first, as a reply to the one before."""
        tell(search, keep_good_forget_bad)

    def forget(search):
        empty(search.lgrf, search.lgrf_index)


def keep_good_forget_bad(search, before, reply, reward):
    """omega: what won is kept, and what lost is forgotten."""
    own, index, records = search.lgrf, search.lgrf_index, search.lgrf_records
    won = reward > own.above
    record = found(own, index, records, before)
    if record < 0 and won:
        record = made(own, index, records, before)
    if record >= 0:
        theta = records[record]
        theta.known = 1 if won else theta.known & int(theta.reply != reply)
        theta.reply = reply if won else theta.reply


class Contextual:
    """Contextual Monte Carlo (Rimmel and Teytaud 2010; Whitehouse 2014, sec. 8.2): what two moves of a player brought
    that were made in the same simulation, one after the other, with whatever between them. They call such a pair a
    tile."""

    ACTS = "playout"
    WITH = ("line",)
    PARAMETERS = (
        Number("eagerness", 0.5, 0, 1, "how often the best tile is played"),
        Number("above", 0.5, 0, 1, "what a tile must have brought on average"),
        Whole("least", 5, 1, 10**9, "tries of a tile before it is trusted"),
    )
    RECORD = TABLE
    ABOUT = ("flat: two moves of a player", "reward, visits", "the best, now and then")

    def memory(game, room):
        return table("contextual", THETA)

    def read(search, i, who, move):
        last = last_move(search, i, who)
        return by_tile(who, search.moved[last].move, move) if last >= 0 else mix(0, who)

    def policy(game, search, s, n):
        """alpha: with some probability the best move after the player's last one."""
        who = search.facts.who
        last = last_move(search, search.line.length, who)
        if last < 0 or uniform(search.rng) >= search.contextual.eagerness:
            return pick(search.rng, n)
        best, most = -1, search.contextual.above
        for i in range(n):
            tile = by_tile(who, search.moved[last].move, search.moves[i])
            record = found(search.contextual, search.contextual_index, search.contextual_records, tile)
            if record >= 0:
                theta = search.contextual_records[record]
                if theta.tries >= search.contextual.least and theta.mean > most:
                    best, most = i, theta.mean
        return best if best >= 0 else pick(search.rng, n)

    def capture(game, search, s):
        """xi: all pairs of moves of the same player."""
        for j in range(search.line.length):
            later = search.moved[j]
            if later.who >= 0:
                for i in range(j):
                    if search.moved[i].who == later.who:
                        learn_tile(search, by_tile(later.who, search.moved[i].move, later.move), later.who)

    def forget(search):
        empty(search.contextual, search.contextual_index)


def by_tile(who, earlier, move):
    """R: a tile."""
    return mix(mix(mix(0, who), earlier), move)


def last_move(search, i, who):
    """Where the last of a player's moves stands among the first i; -1 where it made none."""
    last = i - 1
    while last >= 0 and search.moved[last].who != who:
        last -= 1
    return last


def learn_tile(search, tile, who):
    """omega."""
    add(search.contextual, search.contextual_index, search.contextual_records, tile, search.rewards[who])
