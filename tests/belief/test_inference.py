"""Inference from what a search had the others do (Whitehouse 2014, sec. 7.3): the printed update, Bayes' rule as its
limit, and recovery."""

import numpy as np
import pytest
from seats import decisions
from test_particle_filter import enumerated, opinion

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.belief.inference import Inferred
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Roots, features
from fogspiel.game import CHANCE, PUBLIC

BAYES = {"boost": 1e12, "inject": 0, "particles": 10_000}


def reached(game, moves, seat):
    """What the seat may know after these moves, chance's too."""
    state, record = game.start(), Record(seat)
    record.see(state)
    for move in moves:
        if state.actor == seat:
            record.own.append(move)
        state.play(move)
        record.see(state)
    return observe(state, record, np.array([1], np.uint64))


def believing(game, seat, **parameters):
    belief = Inferred(**parameters)
    belief.begin(game, seat, np.array([3], np.uint64))
    return belief


def odds(belief):
    return {s.data.tobytes(): p for s, p in zip(belief.particles.states, belief.particles.prob.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("spec", "games", "most"),
    [
        ("kuhn", 20, 9),
        ("kuhn(players=3)", 5, 9),
        ("leduc", 12, 9),
        ("bluff", 4, 9),
        ("phantom_tic_tac_toe", 3, 3),
        ("resistance(wins=1)", 2, 3),
    ],
)
def test_where_the_visits_are_trusted_the_belief_is_that_of_bayes_rule(spec, games, most):
    game = fs.load(spec)
    for seed in range(games):
        for seat in range(min(game.players, 3)):
            belief = believing(game, seat, **BAYES)
            for observation in list(decisions(game, seat, seed))[:most]:
                belief.update(observation.record, observation.state, opinion)
                assert odds(belief) == pytest.approx(enumerated(game, observation.record, opinion), abs=1e-6)


def bets_more(state):
    """Bets, and calls, with a card's number over four."""
    p = (state.view.card[state.actor] + 1) / 4
    return {0: 1 - p, 1: p}


def test_the_update_is_the_printed_one():
    # Kuhn: player 0 holds the 2 and passes; player 1, with the 1 or the 3, bets
    game = fs.load("kuhn")
    belief = believing(game, 0, inject=0)
    first, second = (reached(game, moves, 0) for moves in ([1, 2], [1, 2, 0, 1]))
    belief.update(first.record, first.state, bets_more)
    assert belief.particles.prob.tolist() == [0.5, 0.5]
    belief.update(second.record, second.state, bets_more)
    share = 0.5  # player 0 passes with the 2 in half of the iterations, and these go on to the bet
    visits = {0: share * 0.5 * 0.25, 2: share * 0.5 * 0.75}
    w = sum(visits.values())
    wanted = {card: (1 - w) * 0.5 + w * visits[card] / w for card in (0, 2)}
    found = {s.view.card[1]: p for s, p in zip(belief.particles.states, belief.particles.prob, strict=True)}
    assert found == pytest.approx(wanted)
    assert belief.account.effective == pytest.approx(1 / sum(p * p for p in wanted.values()))


def test_what_the_visits_say_is_what_counting_them_says():
    # c(v, d) / n(v), counted one iteration at a time in a search that goes on to learn, against shares of visits of the
    # others' nodes
    game = fs.load("kuhn")
    agent = fs.agent("mo-ismcts(simulations=1)")
    agent.begin(game, 0, 5)
    first, second = (reached(game, moves, 0) for moves in ([1, 2], [1, 2, 0, 1]))
    node, count = agent.search.key(second.state, 0), {0: 0, 2: 0}
    for number in range(6000):
        card = 2 * (number % 2)
        root = reached(game, [1, card], 0).state.copy()
        root.view.card[1] = card
        before = agent.search.memory.nodes.visits[n] if (n := agent.search.memory.find(node)) >= 0 else 0
        agent.search.run(Roots([root]), 0, simulations=1)
        if (n := agent.search.memory.find(node)) >= 0:
            count[card] += int(agent.search.memory.nodes.visits[n] - before)
    belief = believing(game, 0, **BAYES)
    belief.update(first.record, first.state, bets_more)
    belief.update(second.record, second.state, agent.model())
    found = {s.view.card[1]: p for s, p in zip(belief.particles.states, belief.particles.prob, strict=True)}
    assert sum(count.values()) == agent.search.memory.nodes.visits[n] > 100
    assert found[2] == pytest.approx(count[2] / sum(count.values()), abs=0.05)


def test_a_model_has_the_visits_of_all_threads():
    agent = fs.agent("mo-ismcts(simulations=300,threads=3)")
    agent.begin(fs.load("kuhn"), 0, 5)
    first, second = (reached(agent.game, moves, 0) for moves in ([1, 2], [1, 2, 0, 1]))
    agent.choose(first)
    tries = np.sum([[m.visits for m in search.moves(second.state, 0)] for search in agent.searches], axis=0)
    assert (tries > 0).all()
    assert agent.model()(second.state) == pytest.approx(dict(enumerate(tries / tries.sum())))


def test_beliefs_sum_to_one_and_lose_nothing_that_is_possible():
    game = fs.load("leduc")
    for seed in range(10):
        plain, inferring = believing(game, 0, boost=0, inject=0), believing(game, 0, inject=0)
        for observation in decisions(game, 0, seed):
            for belief in (plain, inferring):
                belief.update(observation.record, observation.state, opinion)
                assert belief.particles.prob.sum() == pytest.approx(1)
                assert (belief.particles.prob > 0).all()
            assert odds(plain).keys() == odds(inferring).keys()


@pytest.mark.parametrize("boost", [0, 1, 1e12])
def test_a_small_belief_is_right_on_average(boost):
    game = fs.load("phantom_tic_tac_toe")
    observations = list(decisions(game, 1, 1))[:3]

    def corner(particles, seed):
        """How likely the first cell is to be the opponent's."""
        belief = Inferred(particles=particles, boost=boost, inject=0)
        belief.begin(game, 1, np.array([seed], np.uint64))
        for observation in observations:
            belief.update(observation.record, observation.state, opinion)
        assert len(belief.particles.prob) <= particles + 1
        return float(belief.particles.prob @ [s.view.board[0] == 0 for s in belief.particles.states])

    found = [corner(40, seed) for seed in range(60)]
    assert np.std(found) > 0
    assert np.mean(found) == pytest.approx(corner(10_000, 1), abs=4 * np.std(found) / len(found) ** 0.5 + 0.01)


MR_X = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("at", "i2"), ("paid", "i1"), ("turn", "i1")], align=True)


def about():
    return About(players=2, utility=(-1, 1))


def start(s):
    s.turn = 0


def actor(s):
    return (CHANCE, 0, 1, OVER)[s.turn]


def moves(s, out):
    if s.turn == 2:
        out[0], out[1] = 0, 1
        return 2
    if s.at == 11:
        out[0], out[1], out[2], out[3] = 3, 10, 22, 1000
        return 4
    out[0], out[1], out[2] = 3, 23, 1000
    return 3


def chance(s, out, prob):
    out[0], out[1], prob[0], prob[1] = 11, 12, 0.25, 0.75
    return 2


def play(s, move):
    if s.turn < 2:
        s.at = move
        s.paid = move >= 1000
    s.turn += 1


def payoff(s, out):
    out[0], out[1] = 1, -1


def infoset(s, player):
    return mix(mix(s.turn, s.paid), s.at if player == 0 else 0)
"""


def test_what_a_station_had_goes_to_all_that_the_ticket_leads_to(tmp_path):
    # the worked example of Whitehouse 2014, sec. 7.3: 11 with a quarter and 12 with three quarters, by taxi; another
    # ticket leads elsewhere
    (tmp_path / "mr_x.py").write_text(MR_X)
    game = fs.load(tmp_path / "mr_x.py")
    seen = reached(game, [11, 3], 1)
    belief = believing(game, 1, boost=0, inject=0)
    belief.update(seen.record, seen.state, lambda s: dict.fromkeys(s.moves(), 1 / len(s.moves())))
    found = {s.view.at: p for s, p in zip(belief.particles.states, belief.particles.prob, strict=True)}
    assert found == pytest.approx({3: 1 / 12 + 3 / 8, 10: 1 / 12, 22: 1 / 12, 23: 3 / 8})


TYPES = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix, pick

State = np.dtype([("kind", "i1"), ("turn", "i1"), ("history", "u8")], align=True)


def about():
    return About(players=2, utility=(-1, 1))


def start(s):
    s.kind = -1


def actor(s):
    if s.kind < 0:
        return CHANCE
    return s.turn % 2 if s.turn < 20 else OVER


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    if s.kind < 0:
        s.kind = move
    else:
        s.turn += 1
        s.history = mix(s.history, move)


def payoff(s, out):
    out[0], out[1] = 1, -1


def infoset(s, player):
    return mix(mix(s.history, s.turn + 100 * (s.kind < 0)), s.kind if player == 0 else 0)


def resample(s, player, rng):
    if player == 1 and s.kind >= 0:
        s.kind = pick(rng, 2)


def features(s):
    return {"kind": s.kind}
"""


def by_kind(state):
    """Somebody of kind 1 makes the move 1, mostly."""
    return {0: 0.9, 1: 0.1} if state.actor == 0 and state.view.kind == 0 else {0: 0.1, 1: 0.9}


def of_kind_1(game, parameters, seen):
    """What is believed of kind 1 after each of player 0's moves."""
    belief, out, moves = believing(game, 1, **parameters), [], [1]
    for move in seen:
        moves.append(move)
        observation = reached(game, moves, 1)
        belief.update(observation.record, observation.state, by_kind)
        out.append(features(belief.draw(), 1, np.array([1], np.uint64))["kind"].get("1", 0.0))
        moves.append(0)
    return out


@pytest.fixture
def types(tmp_path):
    (tmp_path / "types.py").write_text(TYPES)
    return fs.load(tmp_path / "types.py")


def test_who_is_certain_and_wrong_recovers(types):
    misled = [0] * 5 + [1] * 5
    certain = of_kind_1(types, {"boost": 1e12, "inject": 0, "particles": 1}, misled)
    assert certain[1] in (0.0, 1.0)
    assert len(set(certain[1:])) == 1  # one state is all that there is room for: whatever it is, it stays
    recovered = of_kind_1(types, {"boost": 1e12}, misled)
    assert recovered[4] < 0.05
    assert recovered[-1] > 0.95


def test_a_larger_boost_infers_more_and_noise_less(types):
    weak, printed, strong = (of_kind_1(types, {"boost": b, "inject": 0}, [1])[0] for b in (0.1, 1, 10))
    assert 0.5 < weak < printed < strong < 0.9
    assert of_kind_1(types, {"boost": 0, "inject": 0}, [1])[0] == 0.5
    assert 0.5 < of_kind_1(types, {"noise": 0.5, "inject": 0}, [1])[0] < printed
    assert of_kind_1(types, {"noise": 1, "inject": 0}, [1])[0] == pytest.approx(0.5)


def test_roles_of_the_resistance_are_believed_in_as_printed():
    # Whitehouse 2014, sec. 7.4: of ten sets of spies, one who is none reckons with six, a spy with one, the public with
    # all
    game = fs.load("resistance")
    spies = 0b00011
    for seat, watcher, count in ((0, None, 1), (1, PUBLIC, 10), (3, None, 6), (3, PUBLIC, 10)):
        seen = reached(game, [spies, 0b00110, *[1] * seat], seat)
        belief = believing(game, seat, inject=0, watcher=watcher)
        belief.update(seen.record, seen.state, None)
        sets = {s.view.spies for s in belief.particles.states}
        assert len(sets) == count
        assert belief.particles.prob == pytest.approx(1 / count)


def test_two_sabotages_of_two_leave_one_set_of_spies():
    game = fs.load("resistance")
    seen = reached(game, [0b00011, 0b00011, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0b11100, 1, 1], 2)
    assert seen.state.actor == 2
    for watcher in (None, PUBLIC):
        belief = believing(game, 2, watcher=watcher)
        belief.update(seen.record, seen.state, None)
        assert {s.view.spies for s in belief.particles.states} == {0b00011}


def test_what_the_public_believes_does_not_tell_what_the_seat_holds():
    game, believed = fs.load("kuhn"), []
    for cards in ([0, 1], [1, 2], [2, 0]):
        belief = believing(game, 0, watcher=PUBLIC)
        for moves in ([], [0, 1]):
            seen = reached(game, [*cards, *moves], 0)
            belief.update(seen.record, seen.state, bets_more)
        believed.append(odds(belief))
        assert len(believed[-1]) == 6
    assert believed[0] == pytest.approx(believed[1])
    assert believed[0] == pytest.approx(believed[2])


def test_where_not_all_can_be_followed_states_are_drawn():
    game = fs.load("dou_di_zhu")
    for seat in range(3):
        belief = believing(game, seat, particles=50)
        for observation in list(decisions(game, seat, 2))[:4]:
            belief.update(observation.record, observation.state, None)
            assert 0 < len(belief.particles.prob) <= 51
            assert {s.key(seat) for s in belief.draw().states} == {observation.state.key(seat)}


def test_a_belief_from_hidden_moves_waits_for_chance_where_printed():
    # the votes of the Resistance are shown by chance, which Algorithm 7 as printed learns nothing from
    game = fs.load("resistance")
    seen = [
        reached(game, moves, 4)
        for moves in ([0b00011, 0b00110, 0, 0, 1, 1], [0b00011, 0b00110, 0, 0, 1, 1, 0, 0, 0b01100, 1, 1, 1, 1])
    ]

    def votes_apart(state):
        if len(state.moves()) != 2:
            return dict.fromkeys(state.moves(), 1 / len(state.moves()))
        spy = state.view.spies >> state.actor & 1
        return {0: 0.9, 1: 0.1} if spy else {0: 0.1, 1: 0.9}

    found = {}
    for reveals in ("yes", "no"):
        belief = believing(game, 4, inject=0, reveals=reveals, boost=1000)
        belief.update(seen[0].record, seen[0].state, votes_apart)
        before = belief.particles.prob.copy()
        belief.update(seen[1].record, seen[1].state, votes_apart)
        found[reveals] = features(belief.draw(), 4, np.array([1], np.uint64))["player 0"]["spy"], before
    assert found["yes"][0] > found["no"][0]


def test_the_belief_has_a_row_and_parameters_of_its_own():
    agent = fs.agent("mo-ismcts(belief=inferred(particles=20,boost=3,noise=0.1,inject=0.2,reveals=no),simulations=50)")
    agent.begin(fs.load("kuhn"), 0, 1)
    asked = agent.parameters["belief"]
    assert (asked.name, asked.settings["particles"], asked.settings["replays"]) == ("inferred", 20, 64)
    assert (agent.belief.most, agent.belief.boost, agent.belief.noise, agent.belief.inject) == (20, 3, 0.1, 0.2)
    thought = fs.think("kuhn", agent, "deal 1 to player 0, deal 2 to player 1")
    assert thought.statistics.effective == pytest.approx(2, abs=0.2)
    assert thought.believes["card of player 0"] == {"1": 1.0}
    assert set(thought.believes["card of player 1"]) == {"2", "3"}
    assert thought.as_dict()["believes"] == thought.believes


@pytest.mark.parametrize("spec", ["epimc(simulations=20,determinizations=1)", "gib(determinizations=1)"])
def test_what_is_believed_is_more_than_the_few_states_that_were_drawn(spec):
    thought = fs.think("kuhn", spec, "deal 1 to player 0, deal 2 to player 1")
    assert thought.believes["card of player 0"] == {"1": 1.0}
    assert thought.believes["card of player 1"] == pytest.approx({"2": 0.5, "3": 0.5}, abs=0.2)


def test_chance_is_no_watcher():
    assert PUBLIC == CHANCE  # so who watches is told apart from who moves
    game = fs.load("leduc")
    for observation in decisions(game, 1, 4):
        belief = believing(game, 1, watcher=PUBLIC, particles=10_000)
        belief.update(observation.record, observation.state, None)
        assert {s.key(PUBLIC) for s in belief.particles.states} == {observation.record.public[-1]}
