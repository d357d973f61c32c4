"""Searches do what the documents say they do, and fail where the documents say they fail."""

from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import agent
from fogspiel.belief.replay import Draws, Record, draw
from fogspiel.belief.tracking import Belief
from fogspiel.evaluate.online import aggregate, convergence, stitch, weights_in
from fogspiel.evaluate.referee import play_game
from fogspiel.search import bandits, mcts
from fogspiel.search.search import OutcomeSampling, Settings, TreeSearch

DUCT = Settings(growth=mcts.STAGE, constant=1.0)
EXP3 = Settings(growth=mcts.STAGE, policy=bandits.EXP3, constant=0.05)
DRM = Settings(growth=mcts.STAGE, policy=bandits.REGRET_MATCHING, constant=0.05)
RM = Settings(growth=mcts.STAGE, policy=bandits.COUPLED, constant=0.05)


def with_settings(settings, **changes):
    return Settings(**(vars(settings) | changes))


def explored(game, gamma):
    """Exploitability of an equilibrium mixed, in every information set, with uniform play."""
    form = fs.sequence_form(fs.unroll(game))
    exact = fs.solve(game, "backward-induction").strategy.on(form)
    plan = form.plan((1 - gamma) * exact + gamma * form.uniform())
    return sum(form.best_response(plan, p)[0] for p in range(2))


@pytest.mark.parametrize("settings", [DRM, RM, EXP3], ids=["drm", "rm", "exp3"])
@pytest.mark.parametrize("means", [False, True])
def test_regret_minimisers_converge_on_simultaneous_games_to_the_floor_of_their_exploration(settings, means):
    game = "random_game(actions=2,depth=2,utility=leaves,seed=11)"
    floor = explored(game, 0.05)
    search = TreeSearch(fs.load(game), with_settings(settings, means=means), seed=2)
    points = convergence(game, search, [1000, 1_000_000])
    assert points[-1].exploitability < points[0].exploitability
    assert points[-1].exploitability == pytest.approx(floor, abs=0.05)


def test_decoupled_uct_does_not_converge_where_regret_matching_does():
    game = "goofspiel(cards=4,bids=open)"
    duct = convergence(game, TreeSearch(fs.load(game), DUCT, seed=1), [400_000], by="visits")[0].exploitability
    oos = convergence(game, OutcomeSampling(fs.load(game), gamma=0.6, epsilon=0, seed=1), [400_000])[0].exploitability
    assert duct > 0.3
    assert oos < 0.1


def test_ties_decide_what_decoupled_uct_makes_of_the_tie_breaking_matrix():
    # Lisý 2014, sec. 3.1.1: [[0, 1], [-1, 0]]; the only equilibrium is the first move of both
    game = fs.load("matrix(game=tie_break)")
    stuck = TreeSearch(game, with_settings(DUCT, ties=bandits.FIRST))
    stuck.simulate([game.start()], 0, 10_000)
    first, second = stuck.moves(game.start(), 0)
    assert abs(first.visits - second.visits) <= 2
    free = TreeSearch(game, DUCT)
    free.simulate([game.start()], 0, 10_000)
    first, second = free.moves(game.start(), 0)
    assert first.visits > 4 * second.visits


@pytest.mark.parametrize(
    ("game", "iterations"), [("kuhn", 1_000_000), ("goofspiel(cards=4)", 2_000_000), ("leduc", 30_000_000)]
)
def test_online_outcome_sampling_solves_small_games(game, iterations):
    search = OutcomeSampling(fs.load(game), gamma=0.4, epsilon=0.001, seed=4)
    assert convergence(game, search, [iterations])[0].exploitability < 0.05


def test_online_outcome_sampling_solves_the_non_locality_game_and_is_mcts_does_not():
    # Lisý 2014, sec. 3.2.3: the minimiser must play (1/3, 2/3); from its information set alone both moves look the same
    game = fs.load("nonlocality")
    state, record = game.start(), Record(1)
    record.see(state)
    while state.actor != 1:
        state.play(state.moves()[-1 if state.actor == fs.CHANCE else 0])
        record.see(state)
    for delta in (0.0, 0.5, 0.9):
        search = OutcomeSampling(game, delta=delta, seed=3)
        search.simulate([game.start()], 1, 1_000_000, seen=record.keys)
        left, right = search.moves(state, 1)
        assert (left.strategy, right.strategy) == pytest.approx((1 / 3, 2 / 3), abs=0.02)
    bandit = TreeSearch(game, Settings(growth=mcts.CREATED, constant=2.0), seed=3)
    bandit.simulate([state], 1, 200_000, redraw=True)
    left, right = bandit.moves(state, 1)
    assert left.visits / (left.visits + right.visits) == pytest.approx(0.5, abs=0.05)


CHANCE_BELOW = '''
"""One decision with chance below it: L pays 0.6, R a fair coin that pays 1 or 0; player 1 has no say."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("turn", "i1"), ("paid", "f8")], align=True)
L, R = 0, 1


def about():
    return About(players=2, utility=(-1, 1))


def start(s):
    s.turn, s.paid = 0, 0.0


def actor(s):
    return s.turn


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    if s.turn == 0 and move == L:
        s.turn, s.paid = OVER, 0.6
    elif s.turn == 0:
        s.turn = CHANCE
    else:
        s.turn, s.paid = OVER, float(move)


def payoff(s, out):
    out[0], out[1] = s.paid, -s.paid


def infoset(s, player):
    return mix(s.turn, int(s.paid * 10))
'''


def test_chance_below_a_decision_counts_in_outcome_sampling(tmp_path):
    # the printed recursion drops chance's probability from the returned tail, and then plays R (Lisý 2014, sec. 3.2.4, OOS line 8)
    (tmp_path / "chance_below.py").write_text(CHANCE_BELOW)
    game = fs.load(str(tmp_path / "chance_below.py"))
    search = OutcomeSampling(game, gamma=0.4, delta=0, epsilon=0.01, seed=1)
    search.simulate([game.start()], 0, 200_000)
    left, right = search.moves(game.start(), 0)
    assert left.strategy > 0.97 > 0.03 > right.strategy


def average(game, spec, games=40):
    return np.mean([play_game(fs.load(game), [agent(spec)], deal=i, seed=i).utilities[0] for i in range(games)])


def test_strategy_fusion_fools_determinization_and_not_information_set_search():
    # Whitehouse 2014, sec. 5.1 and Fig. 5.8
    for spec in ("so-ismcts(simulations=3000)", "so-ismcts-pom(simulations=3000)", "mo-ismcts(simulations=3000)"):
        assert average("strategy_fusion", spec) == 0.5
        assert average("hidden_coin", spec) == pytest.approx(0.9)
    assert average("hidden_coin", "pimc(simulations=100)") < 0.8
    assert average("strategy_fusion", "pimc(simulations=100)") < 0.45


def test_visits_add_up():
    # Whitehouse 2014, sec. 5.2.3: every simulation passes through the root and one of its children
    game = fs.load("leduc")
    state = game.start()
    while state.actor < 0:
        state.play(state.moves()[0])
    for sight in (mcts.PLAYER, mcts.HISTORY, mcts.SEARCHER):
        search = TreeSearch(game, Settings(sight=sight))
        search.simulate([state], 0, 5000, redraw=True)
        assert sum(m.visits for m in search.moves(state, 0)) == 5000


def test_all_observers_agree_where_everything_is_seen():
    game = fs.load("tic_tac_toe")
    state = game.start()
    chosen = []
    for sight in (mcts.PLAYER, mcts.HISTORY, mcts.SEARCHER):
        search = TreeSearch(game, Settings(sight=sight), seed=9)
        search.simulate([state], 0, 2000)
        chosen.append([m.visits for m in search.moves(state, 0)])
    assert chosen[0] == chosen[1] == chosen[2]


def test_a_search_is_the_same_for_the_same_seed():
    game = fs.load("phantom_tic_tac_toe")
    state = game.start()
    for settings in (Settings(), Settings(policy=bandits.EXP3, constant=0.1), Settings(sight=mcts.HISTORY)):
        one, other = (TreeSearch(game, settings, seed=8) for _ in range(2))
        one.simulate([state], 0, 3000, redraw=True)
        for _ in range(3):
            other.simulate([state], 0, 1000, redraw=True)
        assert one.moves(state, 0) == other.moves(state, 0)


def test_a_full_memory_stops_growth_but_not_the_search():
    game = fs.load("tic_tac_toe")
    search = TreeSearch(game, Settings(), nodes=50)
    account = search.run([game.start()], 0, simulations=5000, seconds=None)
    assert account.full
    assert account.nodes == 50
    assert sum(m.visits for m in search.moves(game.start(), 0)) == 5000


def test_uct_never_loses_tic_tac_toe():
    game = fs.load("tic_tac_toe")
    for deal in range(6):
        for seat in (0, 1):
            table = [agent("random"), agent("random")]
            table[seat] = agent("mcts(simulations=2000)")
            assert play_game(game, table, deal=deal, seed=deal).utilities[seat] >= 0


@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff(faces=3)"])
def test_replaying_finds_states_that_the_player_cannot_tell_from_the_true_one(spec):
    game, luck, rng = fs.load(spec), np.random.default_rng(5), np.array([1], np.uint64)
    draws, different = Draws(), 0
    for _ in range(20):
        state, records = game.start(), [Record(0), Record(1)]
        for record in records:
            record.see(state)
        for _ in range(6):
            if state.over:
                break
            who = state.actor
            if who >= 0:
                shown = draw(game, records[who], rng, draws)
                assert shown.key(who) == state.key(who)
                assert shown.actor == who
                assert shown.moves() == state.moves()
                different += not np.array_equal(shown.data, state.data)
            move = int(luck.choice(state.moves()))
            if who >= 0:
                records[who].own.append(move)
            state.play(move)
            for record in records:
                record.see(state)
    assert different > 0
    assert 0 < draws.acceptance <= 1


def test_replaying_says_so_when_nothing_fits():
    game = fs.load("kuhn")
    with pytest.raises(fs.FogspielError, match="no state of kuhn fits"):
        draw(game, Record(0, keys=[12345]), np.array([1], np.uint64))


def test_games_without_resample_are_searched_by_replaying(tmp_path):
    text = Path(fs.load("kuhn").module.__file__).read_text()
    path = tmp_path / "bare_kuhn.py"
    path.write_text(text[: text.index("def resample")] + text[text.index("def move_name") :])
    game = fs.load(str(path))
    assert "resample" not in game.functions
    for spec in (
        "mo-ismcts(simulations=200)",
        "so-ismcts(simulations=200)",
        "is-mcts(simulations=200)",
        "pimc(simulations=50)",
        "oos(simulations=200)",
    ):
        record = play_game(game, [agent(spec), agent("random")], deal=1, seed=1)
        assert record.forfeit is None, record.reason


def test_the_aggregate_of_an_online_player_approaches_equilibrium():
    weak = aggregate("kuhn", lambda: agent("oos(simulations=40,nodes=1000)"), games=30, by="mean")
    strong = aggregate("kuhn", lambda: agent("oos(simulations=20000,nodes=1000)"), games=30, by="mean")
    assert strong < 0.1 < weak


def test_stitching_measures_the_worst_case_of_an_online_player():
    assert stitch("kuhn", lambda: agent("oos(simulations=5000,nodes=1000)"), rounds=40) < 0.3
    assert stitch("kuhn", lambda: agent("mo-ismcts(simulations=5000,nodes=1000)"), rounds=10) > 0.3


def test_a_memory_knows_only_what_it_visited():
    form = fs.sequence_form(fs.unroll("leduc"))
    search = OutcomeSampling(form.tree.game)
    assert (weights_in(search, form) == 0).all()


def test_beliefs_repair_what_uniform_guesses_spoil():
    # Lisý 2014, sec. 3.2.3: with 5 at the leftmost leaf the maximiser always goes left, and the minimiser, who must infer it, right
    game = fs.load("nonlocality(leaf=5)")
    chosen = {}
    for beliefs in ("yes", "no"):
        player = agent(f"is-mcts(simulations=20000,beliefs={beliefs})")
        record, state = Record(1), game.start()
        player.begin(game, 1, 3)
        record.see(state)
        for move in (1, 0):
            state.play(move)
            record.see(state)
        player.choose(observe(state, record, np.array([4], np.uint64)))
        left, right = player.found
        chosen[beliefs] = right.visits / (left.visits + right.visits)
    assert chosen["yes"] > 0.9
    assert chosen["no"] < 0.7


def test_a_belief_is_the_posterior_of_the_model_it_is_given():
    game = fs.load("kuhn")
    state, record = game.start(), Record(1)
    record.see(state)
    for move in (2, 1):
        state.play(move)
        record.see(state)
    state.play(1)
    record.see(state)
    # player 1 holds card 1; player 0 bets with card 2 always and with card 0 a quarter of the time
    bets = {0: 0.25, 2: 1.0}
    belief = Belief(game, 1)
    belief.follow(record, lambda s: {0: 1 - bets[s.view.card[0]], 1: bets[s.view.card[0]]}, np.array([1], np.uint64))
    found = {s.view.card[0]: p for s, p in zip(belief.states, belief.prob, strict=True)}
    assert found == pytest.approx({0: 0.2, 2: 0.8})


def test_threads_share_the_simulations_and_agree_with_one():
    game = fs.load("tic_tac_toe")
    record, state = Record(0), game.start()
    record.see(state)
    seen = observe(state, record, np.array([1], np.uint64))
    player = agent("mcts(simulations=4001,threads=3)")
    player.begin(game, 0, 5)
    player.choose(seen)
    assert player.statistics.simulations == 4001
    assert sum(m.visits for m in player.found) == 4001
    again = agent("mcts(simulations=4001,threads=3)")
    again.begin(game, 0, 5)
    again.choose(seen)
    assert again.found == player.found
