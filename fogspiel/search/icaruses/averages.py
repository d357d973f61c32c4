"""What MAST and its relatives share: records of the mean reward and the tries of a move in some context, policies over
their averages, and what they capture; and FAST, whose records hold a value. Contexts are whole numbers:
`context(search, i, who)` is that of a player who moves after i moves of the line."""

import math
from dataclasses import replace

import numpy as np

from fogspiel.engine.kernel import inlined
from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import PLAYERS, mix, pick
from fogspiel.search.icaruses.policies import GIBBS, ROULETTE, TRIES, accepted, drawn, gibbs
from fogspiel.search.icaruses.policies import PARAMETERS as POLICY
from fogspiel.search.records import TABLE, empty, found, made, table
from fogspiel.search.traces import look_for_episode, seen

THETA = (("mean", "f8"), ("tries", "i8"))

LONG = 2048
"""Moves after which a playout goes on at random: averages do not change during a playout, so that UCB1 may go in
circles."""


def chosen(search, own, index, records, context, n):
    """alpha: one of the legal moves search.moves[0:n], by the policy in `own` over the averages of the records
    (context, move)."""
    if n == 1:
        return 0
    if search.line.length > LONG:
        return pick(search.rng, n)
    if own.policy == GIBBS or own.policy == ROULETTE:
        for _ in range(TRIES):
            i = pick(search.rng, n)
            if accepted(search, own, value(records, found(own, index, records, mix(context, search.moves[i])))):
                return i
    for i in range(n):
        record = found(own, index, records, mix(context, search.moves[i]))
        search.prob[i] = value(records, record)
        search.odds[i] = records[record].tries if record >= 0 else 0
    return drawn(search, own, n)


def value(records, record):
    """The mean of a record's rewards; 1 where there is none."""
    return records[record].mean if record >= 0 else 1.0


@inlined
def tell(search, own, index, records, context):
    """xi: every move that a player made in the simulation; its record is told the reward of that player."""
    for i in range(search.line.length):
        row = search.moved[i]
        if row.who >= 0:
            add(own, index, records, mix(context(search, i, row.who), row.move), search.rewards[row.who])


def add(own, index, records, key, reward):
    """omega: a record, which is made if need be, is told a reward."""
    record = made(own, index, records, key)
    if record >= 0:
        theta = records[record]
        theta.tries += 1
        theta.mean += (reward - theta.mean) / theta.tries


# --- in a table of moves


class Mast:
    """MAST, the move-average sampling technique (Finnsson and Björnsson 2008; Whitehouse 2014, sec. 8.2, Specification
    3): what a move of a player brought on average, wherever in a simulation it was made."""

    ACTS = "playout"
    WITH = ("line",)
    PARAMETERS = POLICY
    RECORD = TABLE
    ABOUT = ("flat: a move and its player", "reward, visits", "Gibbs, epsilon-greedy, roulette or UCB1")

    def memory(game, room):
        return table("mast", THETA)

    def read(search, i, who, move):
        return mix(by_player(search, i, who), move)

    def policy(game, search, s, n):
        """alpha."""
        context = by_player(search, search.line.length, search.facts.who)
        return chosen(search, search.mast, search.mast_index, search.mast_records, context, n)

    def capture(game, search, s):
        """xi: every move of the simulation."""
        tell(search, search.mast, search.mast_index, search.mast_records, by_player)

    def forget(search):
        empty(search.mast, search.mast_index)


def by_player(search, i, who):
    """R: a record for each player, whatever came before, and move."""
    return who


class ToMast(Mast):
    """TO-MAST, tree-only MAST (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): as MAST, learned from the moves
    in the tree alone."""

    def memory(game, room):
        return table("to_mast", THETA)

    def policy(game, search, s, n):
        """alpha."""
        context = by_player(search, search.line.length, search.facts.who)
        return chosen(search, search.to_mast, search.to_mast_index, search.to_mast_records, context, n)

    def capture(game, search, s):
        """xi: the moves at selection and expansion nodes."""
        for i in range(search.line.length):
            row = search.moved[i]
            if row.step >= 0:
                record = mix(by_player(search, i, row.who), row.move)
                add(search.to_mast, search.to_mast_index, search.to_mast_records, record, search.rewards[row.who])

    def forget(search):
        empty(search.to_mast, search.to_mast_index)


class Nast:
    """NAST, the n-gram average sampling technique (Tak et al. 2012; Whitehouse 2014, sec. 8.2, Specification 5): what a
    move brought on average after the n - 1 moves before it, as the player saw them. With n = 1 it is MAST with the
    policy UCB1."""

    ACTS = "playout"
    WITH = ("line",)
    PARAMETERS = (
        Whole("n", 2, 1, 16, "moves of an n-gram"),
        replace(POLICY[0], default="ucb1"),
        *POLICY[1:],
    )
    RECORD = TABLE
    ABOUT = ("flat: n moves and the last one's player", "reward, visits", "UCB1; or Gibbs, epsilon-greedy, roulette")

    def memory(game, room):
        return table("nast", THETA)

    def read(search, i, who, move):
        return mix(by_gram(search, i, who), move)

    def policy(game, search, s, n):
        """alpha."""
        context = by_gram(search, search.line.length, search.facts.who)
        return chosen(search, search.nast, search.nast_index, search.nast_records, context, n)

    def capture(game, search, s):
        """xi: every n moves in a row."""
        tell(search, search.nast, search.nast_index, search.nast_records, by_gram)

    def forget(search):
        empty(search.nast, search.nast_index)


def by_gram(search, i, who):
    """R: a record for each player, the n - 1 moves before the i-th, fewer where the simulation has just begun, and
    move."""
    gram = mix(0, who)
    for k in range(max(i - search.nast.n + 1, 0), i):
        gram = mix(gram, seen(search, k, who))
    return gram


class Past:
    """PAST, the predicate-average sampling technique (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): as MAST,
    told apart by what holds where a move is made. The predicate is the label of the game's episode: who led the trick,
    say."""

    ACTS = "playout"
    WITH = ("line", "episodes")
    PARAMETERS = POLICY
    RECORD = TABLE
    ABOUT = ("flat: a predicate, a move and its player", "reward, visits", "Gibbs, epsilon-greedy, roulette or UCB1")

    def memory(game, room):
        return table("past", THETA)

    def read(search, i, who, move):
        return mix(by_predicate(search, i, who), move)

    def policy(game, search, s, n):
        """alpha."""
        look_for_episode(game, search, s, search.line.length)
        here = of_predicate(search.episodes.label, search.facts.who)
        return chosen(search, search.past, search.past_index, search.past_records, here, n)

    def capture(game, search, s):
        """xi: every move of the simulation."""
        tell(search, search.past, search.past_index, search.past_records, by_predicate)

    def forget(search):
        empty(search.past, search.past_index)


def of_predicate(label, who):
    """R: a record for each predicate, player, and move."""
    return mix(mix(0, who), label)


def by_predicate(search, i, who):
    return of_predicate(search.episode_labels[i], who)


# --- values learned from those that follow


VALUE = (("value", "f8"),)


class Fast:
    """FAST, features-to-action sampling (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): values of moves,
    learned by TD(lambda), in a Gibbs distribution. A move is its own feature; what the authors learn before the search
    is the value that a move begins with."""

    ACTS = "playout"
    WITH = ("line",)
    PARAMETERS = (
        POLICY[1],
        Number("rate", 0.1, 0, 1, "how far a value moves towards what was met"),
        Number(
            "decay",
            0.9,
            0,
            1,
            "lambda: 1 learns from what the simulation brought alone, 0 from the value of the player's next move",
        ),
        Number("initial", 0.5, 0, 1, "the value that a move begins with"),
    )
    RECORD = TABLE
    ABOUT = ("flat: a move and its player", "a value", "Gibbs")

    def memory(game, room):
        return {"returns": np.zeros(game.players)} | table("fast", VALUE)

    def read(search, i, who, move):
        return by_move(who, move)

    def policy(game, search, s, n):
        """alpha."""
        for i in range(n):
            record = found(
                search.fast, search.fast_index, search.fast_records, by_move(search.facts.who, search.moves[i])
            )
            search.prob[i] = search.fast_records[record].value if record >= 0 else search.fast.initial
        return gibbs(search, search.fast.temperature, n)

    def capture(game, search, s):
        """xi: every move of the simulation, the last one first, since a value is learned from that of the player's next
        move."""
        for who in range(game[PLAYERS]):
            search.returns[who] = search.rewards[who]
        for i in range(search.line.length - 1, -1, -1):
            row = search.moved[i]
            if row.who >= 0:
                learn_value(search, by_move(row.who, row.move), row.who)

    def forget(search):
        empty(search.fast, search.fast_index)


def by_move(who, move):
    """R: a record for each player and move."""
    return mix(mix(0, who), move)


def learn_value(search, key, who):
    """omega: TD(lambda). The move before learns from the value that this one had until now."""
    before = search.fast.used
    record = made(search.fast, search.fast_index, search.fast_records, key)
    if record < 0:
        return
    theta = search.fast_records[record]
    if search.fast.used > before:
        theta.value = search.fast.initial
    value, brought = theta.value, search.returns[who]
    theta.value += search.fast.rate * (brought - value)
    search.returns[who] = search.fast.decay * brought + (1.0 - search.fast.decay) * value
