"""Beliefs: one interface, whichever way the states come that simulations start from."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from seats import agrees, decisions

import fogspiel as fs
from fogspiel.belief.belief import BELIEFS, Belief, usual
from fogspiel.belief.roots import Roots, Turn, next_root

GAMES = ["kuhn", "leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff", "princess_and_monster(time=4)"]


def without_resample(spec, folder):
    """The same game without its rule `resample`."""
    name, _, rest = spec.partition("(")
    path = folder / f"bare_{name}.py"
    path.write_text(Path(fs.load(spec).module.__file__).read_text().replace("def resample(", "def no_resample("))
    return fs.load(f"{path}({rest}" if rest else path)


@pytest.mark.parametrize("name", BELIEFS)
@pytest.mark.parametrize("spec", GAMES)
def test_every_belief_draws_states_that_agree_with_what_the_seat_saw(name, spec, tmp_path):
    game = fs.load(spec)
    if name == "resample" and "resample" not in game.functions:
        pytest.skip(f"{spec} has no rule resample")
    belief = BELIEFS[name].make({p.name: p.default for p in BELIEFS[name].parameters})
    assert isinstance(belief, Belief)
    for seat in range(game.players):
        belief.begin(game, seat, np.array([3], np.uint64))
        for observation in decisions(game, seat, 7 + seat):
            belief.update(observation.record, observation.state, None)
            roots = belief.draw()
            assert roots.states
            assert len(roots.weights or roots.states) == len(roots.states)
            assert roots.shares.sum() == pytest.approx(1)
            for state in roots.states[:50]:
                assert agrees(state, observation)


@pytest.mark.parametrize("name", BELIEFS)
def test_a_belief_is_the_same_with_the_same_random_numbers(name):
    game, kind = fs.load("leduc"), BELIEFS[name]

    def drawn():
        belief = kind.make({p.name: p.default for p in kind.parameters})
        belief.begin(game, 0, np.array([3], np.uint64))
        for observation in decisions(game, 0, 5):
            belief.update(observation.record, observation.state)
            yield [
                (s.data.tobytes(), w) for s, w in zip(belief.draw().states, belief.draw().weights or [1], strict=True)
            ]

    assert list(drawn()) == list(drawn())


def test_without_a_name_the_rule_is_taken_where_there_is_one(tmp_path):
    game = fs.load("kuhn")
    assert usual(game) == "resample"
    bare = without_resample("kuhn", tmp_path)
    assert usual(bare) == "replay"
    with pytest.raises(
        fs.Unsuitable, match="^belief=resample needs the rule resample; .* has none: try belief=replay$"
    ):
        BELIEFS["resample"].make({}).begin(bare, 0, np.array([1], np.uint64))


def test_pending_moves_can_be_a_part_of_what_is_drawn():
    game = fs.load("goofspiel(cards=4)")
    observation = next(decisions(game, 1, 1))
    for name in ("resample", "replay"):
        for pending, actor in (("tree", 0), ("random", 1)):
            belief = BELIEFS[name].make({"pending": pending})
            belief.begin(game, 1, np.array([3], np.uint64))
            belief.update(observation.record, observation.state)
            assert {state.actor for state in belief.draw().states} == {actor}


def test_the_account_is_of_the_last_decision():
    belief = BELIEFS["replay"].make({"replays": 5})
    game = fs.load("leduc")
    belief.begin(game, 0, np.array([3], np.uint64))
    for observation in decisions(game, 0, 5):
        belief.update(observation.record, observation.state)
        belief.draw()
        assert belief.account.drawn == 5


def test_simulations_start_in_runs_with_the_shares_that_weights_say():
    # Lisý 2014, sec. 3.2.3: a state is taken with equal chance, then 1 + K p(s) iterations run from it
    game = fs.load("kuhn")
    p = np.array([0.05, 0.7, 0.25, 0.0])
    weights = (1 + 10 * p).tolist()
    roots = Roots([game.start()] * 4, weights, runs=weights)
    assert roots.shares == pytest.approx([0.25] * 4)
    turn, rng = np.zeros(1, Turn).view(np.recarray)[0], np.array([1], np.uint64)
    order = [int(next_root(turn, 4, roots.edges, roots.runs, rng)) for _ in range(20_000)]
    count = Counter(order)
    assert [count[i] / len(order) for i in range(4)] == pytest.approx(np.array(weights) / sum(weights), abs=0.02)
    changes = sum(a != b for a, b in pairwise(order))
    # four are taken in turn for 14 simulations, and one of four times the same once more
    assert changes / len(order) == pytest.approx(4 / 14 * 3 / 4, rel=0.05)


def test_without_runs_every_simulation_draws_its_own_start():
    roots = Roots([fs.load("kuhn").start()] * 2, [3.0, 1.0])
    turn, rng = np.zeros(1, Turn).view(np.recarray)[0], np.array([1], np.uint64)
    order = [int(next_root(turn, 2, roots.edges, np.ones(2), rng)) for _ in range(20_000)]
    assert np.mean(order) == pytest.approx(0.25, abs=0.015)
    assert np.corrcoef(order[1:], order[:-1])[0, 1] == pytest.approx(0, abs=0.03)
