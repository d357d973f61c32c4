"""Beliefs: one interface, whichever way the states come that simulations start from."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from seats import agrees, decisions

import fogspiel as fs
from fogspiel.agents.searching import determinizations
from fogspiel.belief.belief import BELIEFS, Belief
from fogspiel.belief.inference import Inferred
from fogspiel.belief.rejection import usual
from fogspiel.belief.roots import Roots, Turn, next_root
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

GAMES = ["kuhn", "leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff", "princess_and_monster(time=4)"]


def without_resample(spec, folder):
    """The same game without its rule `resample`."""
    name, _, rest = spec.partition("(")
    path = folder / f"bare_{name}.py"
    path.write_text(Path(fs.load(spec).module.__file__).read_text().replace("def resample(", "def no_resample("))
    return fs.load(f"{path}({rest}" if rest else path)


@pytest.mark.parametrize("name", [name for name in BELIEFS if name != "usual"])
@pytest.mark.parametrize("spec", GAMES)
def test_every_belief_draws_states_that_agree_with_what_the_seat_saw(name, spec, tmp_path):
    game = fs.load(spec)
    if name == "resample" and "resample" not in game.functions:
        pytest.skip(f"{spec} has no rule resample")
    belief = BELIEFS[name](**{p.name: p.default for p in BELIEFS[name].PARAMETERS})
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


@pytest.mark.parametrize("name", [name for name in BELIEFS if name != "usual"])
def test_a_belief_is_the_same_with_the_same_random_numbers(name):
    game, kind = fs.load("leduc"), BELIEFS[name]

    def drawn():
        belief = kind(**{p.name: p.default for p in kind.PARAMETERS})
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
        BELIEFS["resample"]().begin(bare, 0, np.array([1], np.uint64))


def test_a_search_from_states_to_be_redrawn_needs_the_rule_for_it(tmp_path):
    bare = without_resample("kuhn", tmp_path)
    with pytest.raises(
        fs.Unsuitable, match="^a search from redrawn states needs the rule resample; .*bare_kuhn.* has none$"
    ):
        TreeSearch(bare, parts()).run(Roots([bare.start()], redraw=True), 0, simulations=1)


def test_pending_moves_can_be_a_part_of_what_is_drawn():
    game = fs.load("goofspiel(cards=4)")
    observation = next(decisions(game, 1, 1))
    for name in ("resample", "replay"):
        for pending, actor in (("tree", 0), ("random", 1)):
            belief = BELIEFS[name](pending=pending)
            belief.begin(game, 1, np.array([3], np.uint64))
            belief.update(observation.record, observation.state)
            assert {state.actor for state in belief.draw().states} == {actor}


def test_the_account_is_of_the_last_decision():
    belief = BELIEFS["replay"](replays=5)
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


@pytest.mark.parametrize("spec", ["pimc(simulations=4)", "gib", "epimc(simulations=20)"])
def test_as_many_states_are_replayed_as_there_are_determinizations(spec, tmp_path):
    game = without_resample("kuhn", tmp_path)
    for count in (3, 100):
        player = fs.agent(spec, determinizations=count)
        for observation in decisions(game, 0, 7):
            player.begin(game, 0, 1)
            player.choose(observation)
            assert player.belief.account.drawn == count


def test_determinizations_are_as_many_different_states_as_a_belief_has():
    game = fs.load("leduc")
    states = []
    for first in game.start().moves():
        states.append(game.start())
        states[-1].play(first)
    assert len({state.data.tobytes() for state in states}) == len(states) > 2

    def taken(roots, count, seed):
        drawn = determinizations(roots, count, 0, np.array([seed], np.uint64))
        found = Counter(state.data.tobytes() for state in drawn)
        return np.array([found[state.data.tobytes()] for state in states])

    for seed in range(20):
        assert taken(Roots(states), len(states), seed).tolist() == [1] * len(states)
        assert sorted(taken(Roots(states), len(states) - 1, seed)) == [0] + [1] * (len(states) - 1)
    # how often each was replayed is how often each is searched
    times = [3.0, 1.0, 2.0] + [1.0] * (len(states) - 3)
    assert taken(Roots(states, times), int(sum(times)), 5).tolist() == times
    weights = np.arange(1.0, len(states) + 1)
    expected = 7 * weights / weights.sum()
    counts = np.array([taken(Roots(states, weights.tolist()), 7, seed) for seed in range(2000)])
    assert (np.abs(counts - expected) < 1).all()
    assert counts.mean(0) == pytest.approx(expected, abs=0.05)


def test_determinizations_that_the_rule_redraws_are_redrawn_one_by_one():
    game = fs.load("leduc")
    observation = next(decisions(game, 0, 1))
    roots = Roots([observation.state], redraw=True)
    one, other = np.array([9], np.uint64), np.array([9], np.uint64)
    drawn = [state.data.tobytes() for state in determinizations(roots, 12, 0, one)]
    assert drawn == [roots.one(0, other).data.tobytes() for _ in range(12)]
    assert one[0] == other[0]


@pytest.mark.parametrize("belief", ["resample", "replay", "tracked", "inferred", "file"])
def test_outcome_sampling_that_misses_its_decision_starts_from_the_belief_that_it_was_given(belief, tmp_path):
    """Two iterations from the start of the game hardly come to a late decision."""
    file = tmp_path / "sure.py"
    file.write_text("def draw(state):\n    return [state] * 3\n")
    named = str(file) if belief == "file" else belief
    game = fs.load("leduc")
    *_, observation = decisions(game, 1, 7)
    player = fs.agent("oos(simulations=2)", progress=fs.part("target", belief=named))
    player.begin(game, 1, 1)
    player.choose(observation)
    count = {"resample": 1, "replay": None, "file": 3}.get(belief)
    assert player.roots.redraw == (belief == "resample")
    assert count is None or len(player.roots.states) == count
    assert all(agrees(state, observation) for state in player.roots.states)
    assert any(m.visits for m in player.found)


def test_outcome_sampling_is_a_model_by_its_mean_strategies():
    game = fs.load("kuhn")
    player = fs.agent("oos(simulations=2000,progress=target(belief=inferred))")
    for observation in decisions(game, 1, 7):
        player.begin(game, 1, 1)
        player.choose(observation)
        assert isinstance(player.belief, Inferred)
        state = game.start()
        for move in (2, 0):
            state.play(move)
        told = {m.move: m.strategy for m in player.search.moves(state, 0)}
        assert player.model()(state) == pytest.approx(told)
