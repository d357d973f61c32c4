"""The normal form of a small game: every pure strategy a row or column (Lanctot 2013, sec. 2.1.1).

Pure strategies that differ only where their own moves never lead are one (the reduced normal form).
"""

from dataclasses import dataclass

import numpy as np

from fogspiel.errors import TooLarge
from fogspiel.tree.sequence import SequenceForm


@dataclass(frozen=True)
class NormalForm:
    """`pure[p]` has a row for each pure strategy of player p: its plan, over all of the form's sequences.
    `payoff[p][i, j]` is player p's utility when the players choose their pure strategies i and j."""

    form: SequenceForm
    pure: tuple[np.ndarray, np.ndarray]
    payoff: tuple[np.ndarray, np.ndarray]

    def plan(self, mixes: list[np.ndarray]) -> np.ndarray:
        """The plan of a pair of mixed strategies."""
        return mixes[0] @ self.pure[0] + mixes[1] @ self.pure[1]


def normal_form(form: SequenceForm, most: int) -> NormalForm:
    """Of a game of two players. Raises TooLarge if a player has more than `most` pure strategies."""
    pure = (_pure_plans(form, 0, most), _pure_plans(form, 1, most))
    span = [slice(form.begin[p], form.begin[p + 1]) for p in range(2)]
    against = [np.array([form.gradient(plan, p)[span[p]] for plan in pure[1 - p]]) for p in range(2)]
    first = pure[0][:, span[0]] @ against[0].T
    second = (pure[1][:, span[1]] @ against[1].T).T
    return NormalForm(form, pure, (first, second))


def _pure_plans(form: SequenceForm, player: int, most: int) -> np.ndarray:
    """Bottom-up, each sequence gets the list of ways to play on after it; the empty sequence's list is the answer."""
    ways: dict[int, list[tuple[int, ...]]] = {}
    after: dict[int, list[int]] = {}
    for i in range(int(form.sets[player]), int(form.sets[player + 1])):
        after.setdefault(int(form.parent[i]), []).append(i)

    def go_on(sequence: int) -> list[tuple[int, ...]]:
        combined: list[tuple[int, ...]] = [()]
        for i in after.get(sequence, []):
            combined = [left + right for left in combined for right in ways[i]]
            if len(combined) > most:
                raise TooLarge(
                    f"{form.tree.game.spec} has more than {most:,} pure strategies for player {player}; try lp or cfr+"
                )
        return combined

    for i in range(int(form.sets[player + 1]) - 1, int(form.sets[player]) - 1, -1):
        first = int(form.first[i])
        ways[i] = [(s, *rest) for s in range(first, first + int(form.count[i])) for rest in go_on(s)]
    strategies = go_on(int(form.begin[player]))
    plans = np.zeros((len(strategies), form.sequences))
    plans[:, form.begin[player]] = 1.0
    for row, chosen in enumerate(strategies):
        plans[row, list(chosen)] = 1.0
    return plans
