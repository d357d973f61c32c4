"""Beliefs that follow the game: the posterior of the model they are given, in bounded room and time."""

from collections import defaultdict
from functools import partial

import numpy as np
import pytest
from seats import decisions
from test_rejection import WALK

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.belief import particle_filter
from fogspiel.belief.belief import BELIEFS
from fogspiel.belief.inference import InferringFilter
from fogspiel.belief.model import EMPTY
from fogspiel.belief.particle_filter import ParticleFilter
from fogspiel.belief.particles import LEFT_OUT, SEEN, thin
from fogspiel.belief.progress import progressing
from fogspiel.belief.record import Record
from fogspiel.game import CHANCE, OVER
from fogspiel.search.plain import PlainSearch


def opinion(state):
    """A model that differs from one information set to another."""
    weights = np.random.default_rng(state.key(state.actor) % (1 << 32)).random(len(state.moves())) ** 3 + 1e-3
    return dict(zip(state.moves(), (weights / weights.sum()).tolist(), strict=True))


def enumerated(game, record, model):
    """The posterior, by going through all histories from the start of the game: bytes of the state where the stage
    began, and its probability."""
    found = defaultdict(float)

    def go(state, p, keys, own):
        if state.actor == record.player and own == record.own:
            if keys == record.keys:
                found[state.stage.data.tobytes()] += p
            return
        if state.actor == OVER or len(own) > len(record.own):
            return
        if state.actor == record.player:
            options = {record.own[len(own)]: 1.0}
        else:
            options = dict(state.chance()) if state.actor == CHANCE else model(state)
        for move, q in options.items():
            after = state.copy()
            after.play(move)
            key = after.key(record.player)
            seen = keys if key == keys[-1] else [*keys, key]
            if seen == record.keys[: len(seen)]:
                go(after, p * q, seen, own + ([move] if state.actor == record.player else []))

    start = game.start()
    go(start, 1.0, [start.key(record.player)], [])
    total = sum(found.values())
    return {data: p / total for data, p in found.items()}


def believed(particles):
    states = [state.data.tobytes() for state in particles.states]
    assert len(set(states)) == len(states)
    return dict(zip(states, particles.prob.tolist(), strict=True))


@pytest.mark.parametrize(
    ("spec", "games", "most"),
    [
        ("kuhn", 20, 99),
        ("kuhn(players=3)", 5, 99),
        ("leduc", 15, 99),
        ("bluff", 5, 99),
        ("goofspiel(cards=4,order=random)", 5, 99),
        ("phantom_tic_tac_toe", 3, 3),
        ("princess_and_monster(time=4)", 2, 99),
    ],
)
def test_a_belief_is_the_posterior_of_all_histories(spec, games, most):
    game = fs.load(spec)
    for seed in range(games):
        for seat in range(game.players):
            particles = ParticleFilter(game, seat, 10_000)
            for number, observation in enumerate(decisions(game, seat, seed)):
                if number < most:
                    particles.follow(observation.record, opinion, np.array([1], np.uint64))
                    wanted = enumerated(game, observation.record, opinion)
                    assert believed(particles) == pytest.approx(wanted, abs=1e-12)


def test_without_a_model_others_move_at_random():
    game = fs.load("leduc")
    for observation in decisions(game, 0, 2):
        one, other = ParticleFilter(game, 0), ParticleFilter(game, 0)
        one.follow(observation.record, None, np.array([1], np.uint64))
        other.follow(
            observation.record, lambda s: dict.fromkeys(s.moves(), 1 / len(s.moves())), np.array([1], np.uint64)
        )
        assert believed(one) == pytest.approx(believed(other))


def test_what_the_model_takes_for_impossible_is_still_believed_in_a_little():
    # Lisý 2014, sec. 3.2.3: every state of the information set has its share of the simulations, 1 + K p(s)
    game = fs.load("kuhn")
    tracked = BELIEFS["tracked"](k=10)
    for seed in range(20):
        for observation in decisions(game, 1, seed):
            tracked.begin(game, 1, np.array([1], np.uint64))
            tracked.update(
                observation.record, observation.state, lambda s: {0: s.view.card[0] > 1, 1: s.view.card[0] <= 1}
            )
            roots = tracked.draw()
            assert len(roots.states) == 2
            assert sum(roots.weights) == pytest.approx(2 + 10)
            assert min(roots.weights) >= 1


def test_where_the_model_takes_everything_for_impossible_all_is_as_likely():
    game = fs.load("kuhn")
    for observation in decisions(game, 1, 3):
        particles = ParticleFilter(game, 1)
        particles.follow(observation.record, lambda s: dict.fromkeys(s.moves(), 0.0), np.array([1], np.uint64))
        assert particles.prob.tolist() == [0.5, 0.5]


def thinned(weights, most, rng):
    """Who is kept, and with what weights."""
    factors = weights.copy()
    thin(factors, len(weights), most, rng)
    picked = np.flatnonzero(factors != LEFT_OUT)
    return picked, weights[picked] * factors[picked]


@pytest.mark.parametrize("weights", [[0.5, 0.2, 0.1, 0.1, 0.05, 0.05], [1.0] * 6, [1e-9, 0.9, 0.03, 0.03, 0.02, 0.02]])
def test_some_are_left_out_without_a_bias(weights):
    # Fearnhead and Clifford 2003: as many as there is room for, and every weight what it was on average
    weights, rng, total = np.array(weights), np.array([5], np.uint64), np.zeros(6)
    for _ in range(20_000):
        picked, kept = thinned(weights, 3, rng)
        assert len(set(picked.tolist())) == len(picked) == 3
        total[picked] += kept
    assert total / 20_000 == pytest.approx(weights, abs=0.02 * weights.sum() / 6)


def test_who_counts_next_to_nothing_does_not_crowd_out_the_others():
    # the sum of equal weights, over their number, may be less than each of them
    rng = np.array([5], np.uint64)
    for most in range(1, 100):
        for weight in (1 / most, 0.1, 1 / 3):
            picked, kept = thinned(np.array([1e-20, *[weight] * most, 1e-20]), most, rng)
            assert picked.tolist() == list(range(1, most + 1))
            assert kept == pytest.approx(weight)


def particles_for(game, player, most=1000, infers=False):
    return InferringFilter(game, player, most, tells=SEEN, boost=2.0) if infers else ParticleFilter(game, player, most)


def run_plainly(particles, model, rng):
    kernel = progressing(*particles.queue.composition(model))
    return kernel.plain(particles.game.table.tolist(), PlainSearch(particles.queue.queue), EMPTY, rng)


@pytest.mark.parametrize("infers", [False, True])
def test_compiled_or_not_beliefs_are_the_same(infers, monkeypatch):
    monkeypatch.setattr(particle_filter, "FEWEST", 1)  # room for 40 particles on the way
    monkeypatch.setattr(particle_filter, "MANY", 1)
    game = fs.load("phantom_tic_tac_toe")
    compiled, plain = (particles_for(game, 1, 40, infers) for _ in range(2))
    plain.queue.carry_on = partial(run_plainly, plain)
    rngs = np.ones((2, 1), np.uint64)
    for observation in list(decisions(game, 1, 1))[:4]:
        for particles, rng in zip((compiled, plain), rngs, strict=True):
            particles.follow(observation.record, opinion, rng)
        assert believed(compiled) == pytest.approx(believed(plain))
    assert compiled.short


def test_what_has_no_weight_fills_up():
    weights, rng, count = np.array([0.0, 0.3, 0.0, 0.0, 0.7]), np.array([5], np.uint64), np.zeros(5)
    for _ in range(3000):
        picked, kept = thinned(weights, 3, rng)
        assert kept.tolist() == weights[picked].tolist()
        count[picked] += 1
    assert count / 3000 == pytest.approx([1 / 3, 1, 1 / 3, 1 / 3, 1], abs=0.05)


def test_a_small_belief_is_right_on_average():
    game = fs.load("phantom_tic_tac_toe")
    observations = list(decisions(game, 1, 1))[:3]
    whole = ParticleFilter(game, 1, 10_000)
    for observation in observations:
        whole.follow(observation.record, opinion, np.array([1], np.uint64))
    # how likely the first cell is to be the opponent's
    cells = np.array([state.view.board[0] == 0 for state in whole.states])
    wanted, found = float(whole.prob @ cells), []
    for seed in range(60):
        few, rng = ParticleFilter(game, 1, 40), np.array([seed], np.uint64)
        for observation in observations:
            few.follow(observation.record, opinion, rng)
            assert len(few.prob) <= 41
        found.append(float(few.prob @ np.array([state.view.board[0] == 0 for state in few.states])))
    assert np.mean(found) == pytest.approx(wanted, abs=4 * np.std(found) / len(found) ** 0.5 + 0.01)


def test_room_and_time_are_bounded(monkeypatch, tmp_path):
    # states that nobody sees come without an end; on the way, more than there is room for
    path = tmp_path / "walk.py"
    path.write_text(WALK)
    game = fs.load(path)
    monkeypatch.setattr(particle_filter, "MOST_TRIED", 5000)
    particles = ParticleFilter(game, 0, 10)
    particles.follow(Record(0, keys=[7]), None, np.array([1], np.uint64))
    assert particles.queue.stand.tried <= 5000 + game.max_moves
    assert particles.queue.space.room == 4 * game.max_moves
    lengths = np.array([state.view.steps for state in particles.states])
    assert len(lengths) == 10
    assert (particles.prob > 0).all()
    assert particles.short

    monkeypatch.setattr(particle_filter, "MANY", 1)
    game = fs.load("phantom_tic_tac_toe")
    particles = ParticleFilter(game, 1, 300)
    for observation in decisions(game, 1, 1):
        particles.follow(observation.record, opinion, np.array([1], np.uint64))
        assert particles.queue.space.room == 4 * game.max_moves
        assert 0 < len(particles.prob) <= 301
    assert particles.short


@pytest.mark.parametrize("infers", [False, True])
def test_where_time_runs_out_what_is_believed_in_is_possible_still(infers, monkeypatch):
    monkeypatch.setattr(particle_filter, "BATCH", 90)
    game, kept = fs.load("phantom_tic_tac_toe"), 0
    for tried in (100, 150, 300, 700):
        particles, whole = particles_for(game, 1, 10_000, infers), ParticleFilter(game, 1, 10_000)
        for observation in list(decisions(game, 1, 1))[:3]:
            rng = np.array([1], np.uint64)
            particles.follow(observation.record, opinion, rng, tried)
            whole.follow(observation.record, opinion, rng)
            found = believed(particles)
            assert found.keys() <= believed(whole).keys()
            assert particles.short == (found.keys() < believed(whole).keys())
            kept += particles.short and len(found)
    assert kept > 0


@pytest.mark.parametrize("infers", [False, True])
def test_what_has_come_to_the_decision_needs_no_more_time(infers):
    # three cards are tried for the player, then two for the opponent
    game = fs.load("kuhn")
    observation = next(decisions(game, 0, 1))
    for tried, count in ((3, 0), (4, 2), (5, 2)):
        particles = particles_for(game, 0, infers=infers)
        particles.follow(observation.record, None, np.array([1], np.uint64), tried)
        assert particles.prob.tolist() == [0.5] * count
        assert particles.short == (count == 0)


def test_a_belief_that_is_lost_goes_on_by_other_means():
    game = fs.load("phantom_tic_tac_toe")
    lost = 0
    for seed in range(20):
        tracked = BELIEFS["tracked"](particles=1, replays=8)
        tracked.begin(game, 1, np.array([seed], np.uint64))
        for observation in decisions(game, 1, seed):
            tracked.update(observation.record, observation.state, opinion)
            roots = tracked.draw()
            assert {state.key(1) for state in roots.states} == {observation.state.key(1)}
            assert roots.redraw == (tracked.account.lost and "resample" in game.functions)
            lost += tracked.account.lost
    assert lost > 10


def test_a_belief_sees_nothing_but_the_record():
    # games that look the same to the seat: what it believes is the same, whatever it is shown
    game, drawn = fs.load("leduc"), []
    for first in range(3):
        state, record = game.start(), Record(1)
        record.see(state)
        for move in (first, 1, 1):
            state.play(move)
            record.see(state)
        observation = observe(state, record, np.array([first], np.uint64))
        particles = ParticleFilter(game, 1)
        particles.follow(observation.record, opinion, np.array([1], np.uint64))
        drawn.append(believed(particles))
    assert drawn[0] == drawn[1] == drawn[2]
