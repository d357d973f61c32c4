"""From the rules of a game without an end to the one-sided POSG that it is cut off from (Horák et al. 2023, sec. 3)."""

import numpy as np

from fogspiel import given
from fogspiel.errors import GameError, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.horizon import endless_states, uninformed
from fogspiel.game.load import Source, load
from fogspiel.game.markov import END, MarkovGame
from fogspiel.game.needs import NOT_ONE_SIDED, ONE_SIDED, refusal
from fogspiel.game.shapley import require_discount
from fogspiel.tree.posg import Names, OneSided, one_sided

OVER = "over"


def one_sided_states(game: Game, discount: float | None) -> tuple[MarkovGame, int, float]:
    """The states of the endless game, the player who does not see everything, and the discount: the game's own where
    none is given."""
    states = endless_states(game)
    blind = uninformed(states)
    if blind is None:
        raise refusal(game.spec, "a one-sided POSG", ONE_SIDED, NOT_ONE_SIDED)
    if discount is None:
        discount = float(game.parameters[game.about.discount]) if game.about.discount else 1.0
    require_discount(game.spec, discount)
    return states, blind, discount


def one_sided_of(game: Source, discount: float | None = None) -> OneSided:
    """The endless one-sided POSG of a game with the rule `markov`, with the game's own discount or another.

    What the player who sees little always knows is its partition, and what it observes in a round is the next
    partition. An end of the game is a state of its own, which leads to itself. As in the game, what is paid in the
    first round is discounted once.

    Raises Unsuitable where the game is not endless, not one-sided, or not discounted.
    """
    game, discount = load(game), given.maybe(given.number, "discount", discount, 0, 1)
    states, blind, discount = one_sided_states(game, discount)
    n, end = states.count, states.count
    _, example, partition = np.unique(states.seen[blind], return_index=True, return_inverse=True)
    parts = len(example)
    seeing = 1 - blind
    numbers = [_numbered(states, player) for player in (blind, seeing)]
    legal = [
        [number[at[s] : at[s + 1]] for s in range(n)]
        for number, at in ((numbers[0][0], states.at[blind]), (numbers[1][0], states.at[seeing]))
    ]
    for s in range(n):
        if not np.array_equal(legal[0][s], legal[0][example[partition[s]]]):
            raise GameError(
                f"{game.spec}: player {blind} always knows the same in the states {states.names[s]} and "
                f"{states.names[example[partition[s]]]}, and has other moves there"
            )
    source = states.source
    one, two = (
        number[states.at[p][source] + states.choice[p]] for (number, _), p in zip(numbers, (blind, seeing), strict=True)
    )
    joint = np.repeat(np.arange(len(states.first) - 1), np.diff(states.first))
    over = states.target == END
    target = np.where(over, end, states.target)
    observation = np.where(over, parts, partition[np.where(over, 0, states.target)])
    sign = 1.0 if blind == 0 else -1.0
    gain = sign * discount * np.bincount(joint, states.probability * states.gain)
    each = states.first[:-1]
    actions = [*numbers[0][1], OVER], [*numbers[1][1], OVER]
    names = Names(game.spec, [*states.names, OVER], *actions, [*(f"saw {k}" for k in range(parts)), OVER])
    last = [len(name) - 1 for name in actions]
    belief = states.start[partition == partition[np.argmax(states.start)]]
    if not np.isclose(belief.sum(), 1):
        raise Unsuitable(f"in {game.spec} chance tells player {blind} something before the first round")
    return one_sided(
        names,
        [*partition.tolist(), parts],
        [*(legal[0][e] for e in example), [last[0]]],
        [*legal[1], [last[1]]],
        [
            np.append(column, value)
            for column, value in zip(
                (source, one, two, observation, target, states.probability),
                (end, last[0], last[1], parts, end, 1.0),
                strict=True,
            )
        ],
        [source[each], one[each], two[each], gain],
        discount,
        int(partition[np.argmax(states.start)]),
        belief,
        seat=blind,
    )


def _numbered(states: MarkovGame, player: int) -> tuple[np.ndarray, list[str]]:
    """The moves of a player by numbers from 0 on, and their names; moves of one name are told apart by what they are in
    the game."""
    moves, first, number = np.unique(states.move[player], return_index=True, return_inverse=True)
    state = np.searchsorted(states.at[player], first, side="right") - 1
    names = [
        states.move_names(player, int(s))[int(i - states.at[player][s])] for s, i in zip(state, first, strict=True)
    ]
    shared = {name for name in names if names.count(name) > 1}
    return number, [f"{name} ({move})" if name in shared else name for name, move in zip(names, moves, strict=True)]
