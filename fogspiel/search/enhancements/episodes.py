"""Episodes of a simulation (Whitehouse 2014, sec. 8.3), by the game's rule `episode`: which one the game is in, and
what each player has seen of it.

The thesis counts from the start of the game. A simulation here starts from a state, and does not know what led to it:
an episode that began before the root has no label, and positions in it are told apart by what follows the root, not by
what others did before it unseen by the searcher.
"""

import numpy as np

from fogspiel.game.needs import rule
from fogspiel.game.rules import CONTINUES
from fogspiel.game.table import PLAYERS, episode, mix
from fogspiel.search.enhancements.line import ROOM, seen

NEEDS = (rule("episode"),)
RECORD = (("label", "i8"), ("looked", "i8"))
"""The label of the episode; and how many moves had been made when this was last looked at."""


def memory(game, room):
    """search.episode_seen: what each player has seen of the episode; search.episode_labels and search.positions: the
    label, and what the player to move had seen, before each move of the line."""
    return {
        "episode_seen": np.zeros(game.players, np.uint64),
        "episode_labels": np.zeros(ROOM, np.int64),
        "positions": np.zeros(ROOM, np.uint64),
    }


def begin(game, search):
    search.episodes.label = CONTINUES
    search.episodes.looked = -1
    for p in range(game[PLAYERS]):
        search.episode_seen[p] = 0


def look(game, search, s, i):
    """Note whether an episode begins at s, after i moves."""
    if search.episodes.looked == i:
        return
    search.episodes.looked = i
    label = episode(game, s)
    if label != CONTINUES:
        search.episodes.label = label
        for p in range(game[PLAYERS]):
            search.episode_seen[p] = mix(1, label)


def trace(game, search, s, who, move):
    if search.line.beyond > 0:
        return
    i = search.line.length - 1
    look(game, search, s, i)
    search.episode_labels[i] = search.episodes.label
    if who >= 0:
        search.positions[i] = search.episode_seen[who]
    for p in range(game[PLAYERS]):
        search.episode_seen[p] = mix(search.episode_seen[p], seen(search, i, p))
