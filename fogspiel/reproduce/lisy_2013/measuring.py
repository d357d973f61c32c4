"""What a search's sampled moves lose, exploration included (Lisý et al. 2013, sec. 5).

What the document calls exploitability, and so do its items here, is of the first player's strategy alone: how much less
than the game's value it gets from its worst opponent. It is neither NashConv nor that divided by the players.
"""

from collections.abc import Sequence

import numpy as np

from fogspiel.agents.registry import agent
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.online import weights_in
from fogspiel.solvers.run import solve
from fogspiel.tree.sequence import SequenceForm

MEANS = {"RM": "no", "RMM": "yes"}
"""Whether a node passes on means of what it sampled (SM-MCTS-A), by the printed names."""


def player(selection: str, means: str, gamma: float, nodes: int = 1 << 17) -> str:
    return f"sm-mcts(bandit={selection}(gamma={gamma:g}),means={means},growth=joint,nodes={nodes})"


def losses(form: SequenceForm, value: float, spec: str, budgets: Sequence[int], seed: int) -> list[float]:
    """How much less than the game's value the first player is sure of, by the frequencies of what it sampled, after
    each budget."""
    game, one = form.tree.game, agent(spec)
    assert isinstance(one, SearchAgent)
    one.begin(game, 0, seed)
    found, done = [], 0
    for budget in budgets:
        one.search.run(Roots([game.start()]), 0, simulations=budget - done, seconds=None)
        done = budget
        plan = form.plan(form.behaviour(weights_in(one.search, form, by="visits")))
        found.append(value + form.best_response(plan, 1)[0])
    return found


def floor(form: SequenceForm, gamma: float) -> float:
    """What the optimal strategy loses with a share `gamma` of uniform play mixed in everywhere."""
    optimal = solve(form, "lp")
    behaviour = optimal.strategy.on(form)
    mixed: np.ndarray = behaviour + gamma * (form.uniform() - behaviour)
    return optimal.value[0] + form.best_response(form.plan(mixed), 1)[0]
