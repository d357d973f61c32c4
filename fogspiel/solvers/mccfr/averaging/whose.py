"""Whose averages grow in a traversal: functions for `begin_averaging`."""

from fogspiel.game.table import PLAYERS


def updating_player(game, run, me):
    """Where the others' actions are enumerated, or theirs need not be learned."""
    return me


def next_player(game, run, me):
    """Where others are sampled and learn, their averages; of several others, the next one's."""
    return (me + 1) % game[PLAYERS]


def everyone(game, run, me):
    return -1


def is_averaged(run, who):
    return run.walk.averaged < 0 or run.walk.averaged == who
