"""The unweighted particle filter: states carried on by simulating, against those that are carried on with all their
probabilities."""

from pathlib import Path

import numpy as np
import pytest
from seats import agrees, decisions

import fogspiel as fs
from fogspiel.belief.belief import BELIEFS, named
from fogspiel.belief.model import TableModel
from fogspiel.belief.particle_filter import ParticleFilter
from fogspiel.belief.pomcp import Simulated
from fogspiel.belief.record import Record
from fogspiel.game import mix

TIGER = Path(__file__).parents[1] / "agents" / "tiger.py"


def begun(game, seat, **parameters):
    belief = Simulated(**parameters)
    belief.begin(game, seat, np.array([3], np.uint64))
    return belief


def shares(states, shares):
    return dict(zip([state.data.tobytes() for state in states], np.asarray(shares).tolist(), strict=True))


def likes_high_cards(state):
    """Kuhn poker: a king is bet always, a jack one time of four."""
    bets = {0: 0.25, 2: 1.0}.get(state.view.card[state.actor], 0.5)
    return {0: 1 - bets, 1: bets}


def as_table(game, model):
    """The same as a table, for the information sets of the first two decisions."""
    keys, weights = [], []
    for card in range(3):
        for other in {0, 1, 2} - {card}:
            state = game.start()
            for move in (card, other):
                state.play(move)
            for _ in range(2):
                keys.append(mix(state.situation(state.actor), state.actor))
                odds = model(state)
                weights.append([odds[0], odds[1]])
                state.play(0)
    first = 2 * np.arange(len(keys))
    return TableModel(
        game, np.array(keys, np.uint64), first, np.full(len(keys), 2), np.tile([0, 1], len(keys)), np.ravel(weights)
    )


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ("kuhn", 9),
        ("leduc", 9),
        ("bluff", 2),
        ("goofspiel(cards=4)", 9),
        ("goofspiel(cards=4,bids=open)", 9),
        ("phantom_tic_tac_toe", 2),
        ("dark_hex(size=3)", 2),
        ("princess_and_monster(time=4)", 1),
    ],
)
def test_many_simulations_are_the_posterior(spec, most):
    game = fs.load(spec)
    for seat in range(game.players):
        belief, exact = begun(game, seat, particles=10_000, inject=0), ParticleFilter(game, seat, 100_000)
        for number, observation in enumerate(decisions(game, seat, 7 + seat)):
            if number == most:
                break
            belief.update(observation.record, observation.state)
            exact.follow(observation.record, None, np.array([1], np.uint64))
            assert len(belief.reached) > 5_000
            roots = belief.draw()
            got, want = shares(roots.states, roots.shares), shares(exact.states, exact.prob)
            assert got.keys() <= want.keys()
            assert sum(abs(got.get(state, 0) - p) for state, p in want.items()) / 2 < 0.06
            assert belief.account.effective == pytest.approx(1 / np.square(exact.prob).sum(), rel=0.15)


def test_noise_is_believed_as_far_as_it_can_be_trusted():
    game = fs.load(f"{TIGER}(steps=4)")
    belief, record, state = begun(game, 0, particles=8000, inject=0), Record(0), game.start()
    record.see(state)
    state.play(1)
    for heard in (0, 1, 2):
        record.see(state)
        belief.update(record, state)
        left = [tiger.view.tiger == 0 for tiger in belief.draw().states]
        assert belief.draw().shares @ left == pytest.approx(0.85**heard / (0.85**heard + 0.15**heard), abs=0.02)
        record.own.append(0)
        for move in (0, 0):
            state.play(move)
            record.see(state)


@pytest.mark.parametrize("table", [False, True])
def test_others_move_as_a_model_says(table):
    game, found = fs.load("kuhn"), []
    model = as_table(game, likes_high_cards) if table else likes_high_cards
    for seed in range(30):
        belief = begun(game, 1, particles=3000, inject=0)
        for observation in decisions(game, 1, seed):
            if observation.state.view.card[1] == 1 and observation.state.view.bet[0] == 1:
                belief.update(observation.record, observation.state, model)
                king = [state.view.card[0] == 2 for state in belief.draw().states]
                found.append(float(belief.draw().shares @ king))
    assert found
    assert found == pytest.approx([0.8] * len(found), abs=0.03)


def always_the_last(state):
    return {state.moves()[-1]: 1.0}


def test_where_no_simulation_comes_all_is_drawn_anew_and_it_goes_on_from_there():
    game, lost = fs.load("leduc"), 0
    for seed in range(10):
        belief = begun(game, 0, particles=50)
        for number, observation in enumerate(decisions(game, 0, seed)):
            belief.update(observation.record, observation.state, always_the_last if number == 1 else None)
            assert belief.account.lost == (number > 0 and not len(belief.reached))
            if belief.account.lost:
                lost += 1
                assert belief.draw().redraw
                assert belief.account.effective is None
            assert all(agrees(state, observation) for state in belief.draw().states)
            if number > 1:
                assert len(belief.reached)
    assert lost


def test_some_are_drawn_anew_beside_those_that_came():
    game = fs.load("leduc")
    for observation in decisions(game, 0, 4):
        for particles, inject, came, believed in (
            (500, 0.1, 450, 495),
            (500, 0, 500, 500),
            (64, 0.5, 32, 64),
            (1, 0.5, 1, 1),
        ):
            belief = begun(game, 0, particles=particles, inject=inject)
            belief.update(observation.record, observation.state)
            assert (len(belief.reached), sum(belief.draw().weights)) == (came, believed)
        break


@pytest.mark.parametrize(
    "agent", ["mo-ismcts", "so-ismcts", "is-mcts", "pimc", "gib", "epimc", "pomcp", "oos", "rollouts"]
)
def test_every_search_that_draws_states_may_start_from_them(agent):
    belief = fs.part("simulated", particles=40)
    asked = {"progress": fs.part("target", belief=belief)} if agent == "oos" else {"belief": belief}
    game, player = fs.load("leduc"), fs.agent(agent, **asked)
    for observation in decisions(game, 1, 3):
        player.begin(game, 1, 1)
        assert player.choose(observation) in observation.moves
    assert "simulated" in BELIEFS
    assert isinstance(named("simulated(particles=9)"), Simulated)
