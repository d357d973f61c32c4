"""Searches do what the documents say they do, and fail where the documents say they fail."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.belief.particle_filter import ParticleFilter
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import draw
from fogspiel.belief.roots import Draws, Roots
from fogspiel.evaluate.online import aggregate, convergence, stitch, weights_in
from fogspiel.game import mix
from fogspiel.search.expectimax import expectimax
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.parts import part, parts
from fogspiel.search.search import TreeSearch

DUCT = {"growth": "stage", "exploration": 1.0}
EXP3 = {"growth": "stage", "bandit": "exp3", "gamma": 0.05}
DRM = {"growth": "stage", "bandit": "rm", "gamma": 0.05}
RM = {"growth": "stage", "bandit": "coupled", "gamma": 0.05}
BASELINES = (part("enhancement", "baselines"),)


def passing_on(means):
    """What is added to a search that passes on means, or does not."""
    return {"enhancements": ["means"]} if means else {}


def explored(game, gamma):
    """Exploitability of an equilibrium mixed, in every information set, with uniform play."""
    form = fs.sequence_form(fs.unroll(game))
    exact = fs.solve(game, "backward-induction").strategy.on(form)
    plan = form.plan((1 - gamma) * exact + gamma * form.uniform())
    return sum(form.best_response(plan, p)[0] for p in range(2))


@pytest.mark.parametrize("chosen", [DRM, RM, EXP3], ids=["drm", "rm", "exp3"])
@pytest.mark.parametrize("means", [False, True])
def test_regret_minimisers_converge_on_simultaneous_games_to_the_floor_of_their_exploration(chosen, means):
    game = "random_game(actions=2,depth=2,utility=leaves,seed=11)"
    floor = explored(game, 0.05)
    search = TreeSearch(fs.load(game), parts(**chosen, **passing_on(means)), seed=2)
    points = convergence(game, search, [1000, 1_000_000])
    assert points[-1].nash_conv < points[0].nash_conv
    assert points[-1].nash_conv == pytest.approx(floor, abs=0.05)


def test_decoupled_uct_does_not_converge_where_regret_matching_does():
    game = "goofspiel(cards=4,bids=open)"
    duct = convergence(game, TreeSearch(fs.load(game), parts(**DUCT), seed=1), [400_000], by="visits")[0].nash_conv
    oos = convergence(game, OutcomeSampling(fs.load(game), gamma=0.6, epsilon=0, seed=1), [400_000])[0].nash_conv
    assert duct > 0.3
    assert oos < 0.1


def test_ties_decide_what_decoupled_uct_makes_of_the_tie_breaking_matrix():
    """[[0, 1], [-1, 0]], whose only equilibrium is the first move of both (Lisý 2014, sec. 3.1.1).

    With ties to the first move nothing but the diagonal is ever played. With random ties the thesis expects DUCT to
    converge to the equilibrium; UCB1 does not (nor does its formula in a few lines of Python): after a few draws off
    the diagonal the players go on along it together, as bounds that differ a little are no ties.
    """
    game = fs.load("matrix(game=tie_break)")
    for ties, seeds in (("first", 1), ("random", 5)):
        for seed in range(seeds):
            search = TreeSearch(game, parts(**DUCT | {"bandit": f"ucb(ties={ties})"}), seed=seed)
            search.simulate(Roots([game.start()]), 0, 10_000)
            first, second = search.moves(game.start(), 0)
            reference = ucb1_against_ucb1([[0, 1], [-1, 0]], 10_000, ties, seed)
            assert first.visits / 10_000 == pytest.approx(reference, abs=0.01)
            assert (first.value == second.value == 0) == (ties == "first")


def ucb1_against_ucb1(payoffs, rounds, ties, seed):
    """How often the row player plays its first move, where both play UCB1 on rewards scaled to [0, 1]."""
    draws = random.Random(seed)
    tries, total = [[0, 0], [0, 0]], [[0.0, 0.0], [0.0, 0.0]]
    for n in range(rounds):
        chosen = []
        for t, x in zip(tries, total, strict=True):
            bounds = [math.inf if t[i] == 0 else x[i] / t[i] + math.sqrt(math.log(n) / t[i]) for i in range(2)]
            best = [i for i in range(2) if bounds[i] == max(bounds)]
            chosen.append(best[0] if ties == "first" else draws.choice(best))
        u = payoffs[chosen[0]][chosen[1]]
        for p, reward in enumerate(((u + 1) / 2, (1 - u) / 2)):
            tries[p][chosen[p]] += 1
            total[p][chosen[p]] += reward
    return tries[0][0] / rounds


@pytest.mark.parametrize(
    ("game", "iterations", "baselines"),
    [("kuhn", 1_000_000, False), ("goofspiel(cards=4)", 1_000_000, False), ("leduc", 6_000_000, True)],
)
def test_online_outcome_sampling_solves_small_games(game, iterations, baselines):
    search = OutcomeSampling(fs.load(game), gamma=0.6, epsilon=0.0, parts=BASELINES[:baselines], seed=4)
    assert convergence(game, search, [iterations])[0].nash_conv < 0.05


def test_online_outcome_sampling_solves_the_non_locality_game_and_is_mcts_does_not():
    # Lisý 2014, sec. 3.2.3: the minimiser must play (1/3, 2/3); from its information set alone both moves look the same
    game = fs.load("nonlocality")
    state, record = at_the_reply(game)
    for delta in (0.0, 0.5, 0.9):
        search = OutcomeSampling(game, delta=delta, seed=3)
        search.simulate(Roots([game.start()]), 1, 1_000_000, seen=record.keys)
        left, right = search.moves(state, 1)
        assert (left.strategy, right.strategy) == pytest.approx((1 / 3, 2 / 3), abs=0.02)
    bandit = TreeSearch(game, parts(growth="created", exploration=2.0), seed=3)
    bandit.simulate(Roots([state], redraw=True), 1, 200_000)
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
    # the printed recursion drops chance's probability from the returned tail, and then plays R (Lisý 2014, sec. 3.2.4,
    # OOS line 8)
    (tmp_path / "chance_below.py").write_text(CHANCE_BELOW)
    game = fs.load(str(tmp_path / "chance_below.py"))
    search = OutcomeSampling(game, gamma=0.4, delta=0, epsilon=0.01, seed=1)
    search.simulate(Roots([game.start()]), 0, 200_000)
    left, right = search.moves(game.start(), 0)
    assert left.strategy > 0.97 > 0.03 > right.strategy


def average(game, spec, games=40):
    return np.mean([fs.play_game(fs.load(game), [fs.agent(spec)], deal=i, seed=i).utilities[0] for i in range(games)])


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
    for view in ("infoset", "history", "searcher"):
        search = TreeSearch(game, parts(view=view))
        search.simulate(Roots([state], redraw=True), 0, 5000)
        assert sum(m.visits for m in search.moves(state, 0)) == 5000


def test_all_observers_agree_where_everything_is_seen():
    game = fs.load("tic_tac_toe")
    state = game.start()
    chosen = []
    for view in ("infoset", "history", "searcher"):
        search = TreeSearch(game, parts(view=view), seed=9)
        search.simulate(Roots([state]), 0, 2000)
        chosen.append([m.visits for m in search.moves(state, 0)])
    assert chosen[0] == chosen[1] == chosen[2]


def test_a_search_is_the_same_for_the_same_seed():
    game = fs.load("phantom_tic_tac_toe")
    state = game.start()
    for chosen in (parts(), parts(bandit="exp3", gamma=0.1), parts(view="history")):
        one, other = (TreeSearch(game, chosen, seed=8) for _ in range(2))
        one.simulate(Roots([state], redraw=True), 0, 3000)
        for _ in range(3):
            other.simulate(Roots([state], redraw=True), 0, 1000)
        assert one.moves(state, 0) == other.moves(state, 0)


def test_a_full_memory_stops_growth_but_not_the_search():
    game = fs.load("tic_tac_toe")
    search = TreeSearch(game, parts(), nodes=50)
    account = search.run(Roots([game.start()]), 0, simulations=5000)
    assert account.full
    assert account.nodes == 50
    assert sum(m.visits for m in search.moves(game.start(), 0)) == 5000


def test_uct_never_loses_tic_tac_toe():
    game = fs.load("tic_tac_toe")
    for deal in range(6):
        for seat in (0, 1):
            table = [fs.agent("random"), fs.agent("random")]
            table[seat] = fs.agent("mcts(simulations=2000)")
            assert fs.play_game(game, table, deal=deal, seed=deal).utilities[seat] >= 0


@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=4)", "phantom_tic_tac_toe", "bluff(faces=3)"])
def test_replaying_finds_states_that_the_player_cannot_tell_from_the_true_one(spec):
    game, picks, rng = fs.load(spec), np.random.default_rng(5), np.array([1], np.uint64)
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
            move = int(picks.choice(state.moves()))
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
        record = fs.play_game(game, [fs.agent(spec), fs.agent("random")], deal=1, seed=1)
        assert record.forfeit is None, record.reason


def test_the_aggregate_of_an_online_player_approaches_equilibrium():
    weak = aggregate("kuhn", lambda: fs.agent("oos(simulations=40,nodes=1000)"), games=30, by="mean")
    strong = aggregate("kuhn", lambda: fs.agent("oos(simulations=20000,nodes=1000)"), games=60, by="mean")
    assert strong < 0.1 < weak


def test_stitching_measures_the_worst_case_of_an_online_player():
    assert stitch("kuhn", lambda: fs.agent("oos(simulations=2000,nodes=1000)"), rounds=20) < 0.3
    assert stitch("kuhn", lambda: fs.agent("mo-ismcts(simulations=5000,nodes=1000)"), rounds=10) > 0.3


def test_a_memory_knows_only_what_it_visited():
    form = fs.sequence_form(fs.unroll("leduc"))
    search = OutcomeSampling(form.tree.game)
    assert (weights_in(search, form) == 0).all()


def test_beliefs_repair_what_uniform_guesses_spoil():
    # Lisý 2014, sec. 3.2.3: with 5 at the leftmost leaf the maximiser always goes left, and the minimiser, who must
    # infer it, right
    game = fs.load("nonlocality(leaf=5)")
    chosen = {}
    for belief in ("tracked", "usual"):
        player = fs.agent(f"is-mcts(simulations=20000,belief={belief})")
        record, state = Record(1), game.start()
        player.begin(game, 1, 3)
        record.see(state)
        for move in (1, 0):
            state.play(move)
            record.see(state)
        player.choose(observe(state, record, np.array([4], np.uint64)))
        left, right = player.found
        chosen[belief] = right.visits / (left.visits + right.visits)
    assert chosen["tracked"] > 0.9
    assert chosen["usual"] < 0.7


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
    belief = ParticleFilter(game, 1)
    belief.follow(record, lambda s: {0: 1 - bets[s.view.card[0]], 1: bets[s.view.card[0]]}, np.array([1], np.uint64))
    found = {s.view.card[0]: p for s, p in zip(belief.states, belief.prob, strict=True)}
    assert found == pytest.approx({0: 0.2, 2: 0.8})


def test_what_an_abstraction_joins_is_one_node():
    # the last bid is remembered, and those before it are not
    tree = fs.unroll("bluff(faces=2,remember=1)")
    joined = {mix(int(key), int(who)) for key, who in zip(tree.situation, tree.player, strict=True)}
    assert len(joined) == tree.abstract_infosets < tree.infosets
    form, start = fs.sequence_form(tree), tree.game.start()
    for search in (TreeSearch(tree.game, parts(exploration=0.7)), OutcomeSampling(tree.game)):
        search.run(Roots([start]), 0, simulations=5000)
        assert set(search.memory.nodes.key[: search.memory.node_count].tolist()) == joined
        found = weights_in(search, form)
        assert all(found[first : first + n].any() for first, n in zip(form.first, form.count, strict=True))


def test_threads_share_the_simulations_and_agree_with_one():
    game = fs.load("tic_tac_toe")
    record, state = Record(0), game.start()
    record.see(state)
    seen = observe(state, record, np.array([1], np.uint64))
    player = fs.agent("mcts(simulations=4001,threads=3)")
    player.begin(game, 0, 5)
    player.choose(seen)
    assert player.statistics.simulations == 4001
    assert sum(m.visits for m in player.found) == 4001
    again = fs.agent("mcts(simulations=4001,threads=3)")
    again.begin(game, 0, 5)
    again.choose(seen)
    assert again.found == player.found


def test_a_targeted_iteration_surely_reaches_the_target():
    # Lisý 2014, sec. 3.2.4: targeted iterations keep to histories that can still pass through the information set; they
    # leave it only where a new information set begins random play
    for spec, keys in (
        ("goofspiel(cards=4)", "keys"),
        ("goofspiel(cards=4)", "public"),
        ("leduc", "keys"),
        ("phantom_tic_tac_toe", "keys"),
        ("bluff(faces=3,remember=1)", "keys"),
    ):
        game, picks = fs.load(spec), np.random.default_rng(7)
        state, record = game.start(), Record(1)
        record.see(state)
        decisions = 0
        while decisions < 3:
            who = state.actor
            decisions += who == 1
            if decisions < 3:
                move = int(picks.choice(state.moves()))
                if who == 1:
                    record.own.append(move)
                state.play(move)
                record.see(state)
            if state.over:
                state, record, decisions = game.start(), Record(1), 0
                record.see(state)
        search = OutcomeSampling(game, delta=1.0, public=keys == "public", seed=1)
        search.simulate(Roots([game.start()]), 1, 4000, seen=getattr(record, keys))
        counts = search.counts
        assert counts.aimed == 4000
        assert counts.on_target + counts.cut_off == 4000
        assert counts.on_target > 100
        assert counts.given_up == 0


def test_targeting_alone_tells_the_opponent_where_the_game_is():
    # Lisý 2014, sec. 3.2.4: with delta = 1 the minimiser of the non-locality game plays (1/2, 1/2), as if the opponent
    # knew that chance went right; the smallest share of other iterations repairs it (see the test above)
    game = fs.load("nonlocality")
    state, record = at_the_reply(game)
    search = OutcomeSampling(game, delta=1.0, seed=3)
    search.simulate(Roots([game.start()]), 1, 600_000, seen=record.keys)
    left, right = search.moves(state, 1)
    assert (left.strategy, right.strategy) == pytest.approx((0.498, 0.502), abs=0.02)
    assert search.counts.on_target >= 600_000 - 10


def test_outcome_sampling_starts_from_roots_in_proportion_to_their_weights():
    """Player 0 was dealt the 1; iterations tell by the node that they come to after its bet what player 1 holds."""
    game = fs.load("kuhn")
    states = [game.start() for _ in range(2)]
    for state, second in zip(states, (2, 3), strict=True):
        for name in ("deal 1 to player 0", f"deal {second} to player 1"):
            state.play(next(move for move, n in game.move_names(state).items() if n == name))
    search = OutcomeSampling(game, seed=1)
    search.run(Roots(states, [3.0, 1.0]), 0, simulations=4000)
    visits = []
    for state in states:
        state.play(1)
        visits.append(sum(m.visits for m in search.moves(state, 0)))
    assert visits[0] / sum(visits) == pytest.approx(0.75, abs=0.05)


def test_what_outcome_sampling_learns_is_right_on_average():
    # the sampled counterfactual values of an information set, with targeting, have the exact ones as their mean (Lisý
    # 2014, sec. 2.5.1): against uniform play left is worth 5/4 to player 0 and right 3/4, so the regrets of uniform
    # play are 1/4 and -1/4
    game = fs.load("nonlocality")
    _, record = at_the_reply(game)
    start = game.start()
    start.play(0)
    for delta, baselines in ((0.0, False), (0.6, False), (0.6, True)):
        search = OutcomeSampling(game, delta=delta, parts=BASELINES[:baselines], seed=1, nodes=16)
        search.simulate(Roots([game.start()]), 1, 20, seen=record.keys)
        node = search.memory.find(search.key(start, 0))
        regrets = search.memory.slots.score[search.memory.slots_of(node)]
        total, runs = np.zeros(2), 20_000
        for _ in range(runs):
            search.memory.slots.score[:] = 0
            search.simulate(Roots([game.start()]), 1, 2, seen=record.keys)
            total += regrets
        assert total / runs == pytest.approx([0.25, -0.25], abs=0.05)


def at_the_reply(game):
    """The non-locality game where player 1 is to move, and what player 1 has seen."""
    state, record = game.start(), Record(1)
    record.see(state)
    while state.actor != 1:
        state.play(state.moves()[-1 if state.actor == fs.CHANCE else 0])
        record.see(state)
    return state, record


def test_baselines_make_outcome_sampling_learn_faster():
    # Schmid et al. 2019: guesses for moves not sampled lower the variance and change nothing else
    def error(baselines):
        search = OutcomeSampling(fs.load("leduc"), gamma=0.6, epsilon=0, parts=BASELINES[:baselines], seed=4)
        return convergence("leduc", search, [1_000_000])[0].nash_conv

    assert error(True) < 0.8 * error(False)


@pytest.mark.parametrize("progress", ["root", "reach"])
def test_both_ways_to_progress_play_simultaneous_games_well(progress):
    # Lisý 2014, sec. 3.1.3; the value of the game is 0, and random play loses most of the time
    spec = f"oos(simulations=2000,nodes=20000,gamma=0.6,epsilon=0,progress={progress})"
    result = [
        fs.play_game(fs.load("goofspiel(cards=4,bids=open)"), [fs.agent(spec), fs.agent("random")], deal=i, seed=i)
        for i in range(30)
    ]
    assert all(r.forfeit is None for r in result)
    assert np.mean([r.utilities[0] for r in result]) > 0.3


def test_keeping_the_reach_counts_what_the_players_would_have_done():
    game = fs.load("goofspiel(cards=4,bids=open)")
    player = fs.agent("oos(simulations=4000,nodes=20000,progress=reach)")
    player.begin(game, 0, 3)
    state, record = game.start(), Record(0)
    record.see(state)
    rng = np.array([4], np.uint64)
    player.choose(observe(state, record, rng))
    assert player.reach == [1.0, 1.0]
    expected = []
    for move in (3, 2):
        expected.append(next(m.strategy for m in player.search.moves(state, 0) if m.move == move))
        if state.actor == 0:
            record.own.append(move)
        state.play(move)
        record.see(state)
    player.choose(observe(state, record, rng))
    assert player.reach == pytest.approx(expected)


NIM = '''
"""Nim with heaps of 1, 2 and N: in turn, any number is taken from one heap; the last wins. Chance may begin."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Whole, mix

PARAMETERS = (Whole("n", 3, 1, 5, "the third heap"), Whole("coin", 0, 0, 1, "whether chance says who begins"))
State = np.dtype([("n", "i1"), ("coin", "i1"), ("heap", "i1", 3), ("turn", "i1"), ("tossed", "i1")], align=True)


def about(n, coin):
    return About(players=2, utility=(-1, 1))


def start(s):
    s.heap[0], s.heap[1], s.heap[2] = 1, 2, s.n
    s.turn, s.tossed = 0, 1 - s.coin


def actor(s):
    if s.tossed == 0:
        return CHANCE
    return OVER if s.heap[0] + s.heap[1] + s.heap[2] == 0 else s.turn


def moves(s, out):
    if s.tossed == 0:
        out[0], out[1] = 0, 1
        return 2
    k = 0
    for i in range(3):
        for take in range(1, 1 + s.heap[i]):
            out[k] = 10 * i + take
            k += 1
    return k


def play(s, move):
    if s.tossed == 0:
        s.turn, s.tossed = move, 1
        return
    s.heap[move // 10] -= move % 10
    s.turn = 1 - s.turn


def payoff(s, out):
    out[1 - s.turn], out[s.turn] = 1, -1


def infoset(s, player):
    return mix(mix(mix(mix(mix(0, s.heap[0]), s.heap[1]), s.heap[2]), s.turn), s.tossed)
'''


@pytest.mark.parametrize("view", ["infoset", "trail"])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_nim_is_proven_to_be_won_where_the_nim_sum_is_not_zero(tmp_path, n, view):
    (tmp_path / "nim.py").write_text(NIM)
    game = fs.load(f"{tmp_path / 'nim.py'}(n={n})")
    player = fs.agent(f"mcts(simulations=200000,proven=yes,view={view})")
    player.begin(game, 0, 1)
    record, state = Record(0), game.start()
    record.see(state)
    move = player.choose(observe(state, record, np.array([1], np.uint64)))
    won = (1 ^ 2 ^ n) != 0
    assert player.statistics.proven
    assert player.statistics.simulations < 200_000
    assert next(m.proven for m in player.found if m.move == move) == (1 if won else -1)
    if won:
        state.play(move)
        assert state.view.heap[0] ^ state.view.heap[1] ^ state.view.heap[2] == 0


def test_a_proof_goes_through_chance_when_all_outcomes_are_proven(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    game = fs.load(f"{tmp_path / 'nim.py'}(n=4,coin=1)")
    search = TreeSearch(game, parts(chance="stored", enhancements=["proofs"]), seed=1)
    account = search.run(Roots([game.start()]), 0, simulations=200_000)
    # whoever begins wins, so chance's node is worth the mean of 1 and -1
    assert account.proven
    assert search.search.pay[:2] == pytest.approx([0, 0])


def test_late_positions_of_tic_tac_toe_are_proven_with_their_exact_values():
    game, picks = fs.load("tic_tac_toe"), np.random.default_rng(3)
    chosen = parts(chance="stored", enhancements=["proofs"])

    def minimax(state):
        if state.over:
            return state.payoff()[0]
        below = []
        for move in state.moves():
            after = state.copy()
            after.play(move)
            below.append(minimax(after))
        return max(below) if state.actor == 0 else min(below)

    for seed in range(12):
        state = game.start()
        for _ in range(4):
            state.play(int(picks.choice(state.moves())))
        search = TreeSearch(game, chosen, seed=seed)
        account = search.run(Roots([state]), 0, simulations=100_000)
        assert account.proven
        assert max(m.proven for m in search.moves(state, 0) if m.proven is not None) == minimax(state)


def test_nothing_can_be_proven_of_what_is_hidden():
    game = fs.load("kuhn")
    state = game.start()
    for _ in range(2):
        state.play(state.moves()[0])
    search = TreeSearch(game, parts(chance="stored", enhancements=["proofs"]))
    with pytest.raises(fs.Unsuitable, match="^proven=yes needs a game of perfect information; .*: try proven=no$"):
        search.simulate(Roots([state], redraw=True), 0, 2000)


def test_positions_reached_in_two_ways_are_one_node_unless_told_otherwise():
    # the scores of Pig come back, those of tic-tac-toe are told by the whole game
    game = fs.load("pig(target=10)")
    value = fs.solve(game, "value-iteration").value[0]
    nodes = {}
    for view in ("infoset", "trail"):
        search = TreeSearch(game, parts(view=view), seed=1)
        account = search.run(Roots([game.start()]), 0, simulations=100_000)
        nodes[view] = account.nodes
        found = search.moves(game.start(), 0)
        assert sum(m.visits for m in found) == 100_000
        assert max(found, key=lambda m: m.visits).value == pytest.approx(value, abs=0.1)
    assert 5 * nodes["infoset"] < nodes["trail"]


def test_progressive_widening_opens_moves_and_outcomes_as_visits_grow():
    # Lanctot 2013, sec. 6.2.1: k = ceil(C v^alpha)
    game = fs.load("tic_tac_toe")
    for visits, c, alpha in ((100, 1.0, 0.3), (1000, 0.5, 0.4), (3, 2.0, 0.5)):
        search = TreeSearch(game, parts(chance="widened", widening="progressive", c=c, alpha=alpha), seed=1)
        search.simulate(Roots([game.start()]), 0, visits)
        # the last simulation saw the root with one visit less
        assert search.memory.nodes.used[0] == min(9, int(np.ceil(c * (visits - 1) ** alpha)))
    game = fs.load("pig(target=10)")
    search = TreeSearch(game, parts(chance="widened", widening="progressive", c=1.0, alpha=0.2), seed=1)
    search.simulate(Roots([game.start()]), 0, 5000)
    memory = search.memory
    dice = [node for node in memory.nodes[: memory.node_count] if node.owner == fs.CHANCE]
    assert dice
    for node in dice:
        assert 1 <= node.used <= max(1, np.ceil(node.visits**0.2))


def test_equally_likely_outcomes_come_in_turn(tmp_path):
    # Whitehouse 2014, sec. 5.2.2: a bandit without rewards plays k outcomes in successive permutations
    (tmp_path / "nim.py").write_text(NIM)
    game = fs.load(f"{tmp_path / 'nim.py'}(coin=1)")
    counts = {}
    for chance in ("stored", "balanced"):
        search, roots = TreeSearch(game, parts(chance=chance), seed=1), Roots([game.start()])
        counts[chance] = []
        for _ in range(100):
            search.simulate(roots, 0, 2)
            counts[chance].append(search.memory.slots.tries[search.memory.slots_of(0)].tolist())
        assert search.memory.nodes.owner[0] == fs.CHANCE
    assert counts["balanced"] == [[j, j] for j in range(1, 101)]
    assert [sum(both) for both in counts["stored"]] == [*range(2, 201, 2)]
    assert counts["stored"] != counts["balanced"]


@pytest.mark.parametrize(("game", "value", "floor"), [("late", 1.0, 0.0369), ("even", 0.5, 0.0125)])
@pytest.mark.parametrize("chosen", [RM, DRM, EXP3], ids=["rm", "drm", "exp3"])
def test_on_its_worst_games_sm_mcts_comes_down_to_the_floor_of_its_exploration(game, value, floor, chosen):
    # Lisý et al. 2013, sec. 5.2: player 0's loss against a best response, with exploration 0.05 left in, after 1000 and
    # 10^6 simulations; the floor is that of optimal play mixed with 5% uniform play
    spec = f"worst_case(game={game})"
    form = fs.sequence_form(fs.unroll(spec))
    exact = fs.solve(spec, "backward-induction")
    assert exact.value[0] == pytest.approx(value)

    def lost(behaviour):
        return value + form.best_response(form.plan(behaviour), 1)[0]

    assert lost(0.95 * exact.strategy.on(form) + 0.05 * form.uniform()) == pytest.approx(floor, abs=2e-4)
    for means in (False, True):
        search = TreeSearch(form.tree.game, parts(**chosen, **passing_on(means)), seed=1, nodes=64)
        search.simulate(Roots([form.tree.game.start()]), 0, 1000)
        early = lost(form.behaviour(weights_in(search, form, by="visits")))
        search.simulate(Roots([form.tree.game.start()]), 0, 999_000)
        late = lost(form.behaviour(weights_in(search, form, by="visits")))
        assert late < early
        assert floor - 0.005 < late < floor + 0.02


def test_decoupled_uct_does_not_settle_on_biased_rock_paper_scissors():
    # Lisý 2014, sec. 3.1.1 (Shafiei et al. 2009): neither the counts nor their mean over time are an equilibrium, while
    # those of regret matching are, up to its exploration
    game = "matrix(game=biased_rps)"
    errors = {}
    for name, chosen in (("duct", DUCT | {"exploration": 0.5}), ("rm", RM)):
        search = TreeSearch(fs.load(game), parts(**chosen), seed=1)
        by = "visits" if name == "duct" else "mean"
        errors[name] = convergence(game, search, [1_000_000], by=by)[0].nash_conv
    assert errors["rm"] < 3
    assert errors["duct"] > 2 * errors["rm"]


def see(spec, moves, seat):
    """The state after these moves, and what a seat has seen of them."""
    game, record = fs.load(spec), Record(seat)
    state = game.start()
    record.see(state)
    for move in moves:
        if state.actor == seat:
            record.own.append(move)
        state.play(move)
        record.see(state)
    return state, record


def test_information_set_expectimax_is_exact():
    # Whitehouse 2014, sec. 5.1.2: one plan for all states of an information set, the opponent knows the state
    for spec, best in (("strategy_fusion", 0.5), ("hidden_coin", 0.9)):
        state, record = see(spec, [0], 0)
        assert max(expectimax(state.game, record, 1000).values()) == pytest.approx(best)
    # Kuhn, card 1. After a bet 2 calls and 0 folds, as each knows: (-2 + 1) / 2. After a pass and a bet the hands 0 and
    # 2 are one information set, worth 0 by calling; so 0 bets, which leaves 0 rather than 1, and 2 passes and takes 1:
    # (0 - 1) /
    # 2. Card 2: a pass is answered by a bet (2) or a pass (1), a bet by a fold; always 1
    state, record = see("kuhn", [1, 0], 0)
    assert expectimax(state.game, record, 1000) == pytest.approx({0: -0.5, 1: -0.5})
    state, record = see("kuhn", [2, 0], 0)
    assert expectimax(state.game, record, 1000) == pytest.approx({0: 1.0, 1: 1.0})
    # the lowest of many cards: the opponent, who knows it, wins the ante or, if that is raised, two
    state, record = see("one_card_poker(cards=300)", [0, 7], 0)
    assert expectimax(state.game, record, 10_000) == pytest.approx({0: -1.0, 1: -2.0})
    # where everything is seen it is minimax
    state, record = see("tic_tac_toe", [0, 4, 8, 1, 7], 1)
    values = expectimax(state.game, record, 100_000)
    assert {move for move, value in values.items() if value == max(values.values())} == {6}


def test_information_set_expectimax_says_when_a_game_is_too_large():
    state, record = see("tic_tac_toe", [], 0)
    with pytest.raises(fs.TooLarge, match="too large for information set expectimax"):
        expectimax(state.game, record, 1000)
    record = fs.play_game(fs.load("kuhn"), [fs.agent("is-expectimax"), fs.agent("random")], deal=1, seed=1)
    assert record.forfeit is None, record.reason


def test_an_account_tells_bytes_and_how_replaying_went(tmp_path):
    text = Path(fs.load("kuhn").module.__file__).read_text()
    path = tmp_path / "bare_kuhn.py"
    path.write_text(text[: text.index("def resample")] + text[text.index("def move_name") :])
    accepted = {}
    for spec in (str(path), "kuhn"):
        state, record = see(spec, [0, 1], 0)
        for kind in ("mo-ismcts", "pimc"):
            player = fs.agent(f"{kind}(simulations=50)")
            player.begin(state.game, 0, 1)
            player.choose(observe(state, record, np.array([1], np.uint64)))
            account = player.statistics
            accepted[spec, kind] = account.acceptance
            assert account.bytes >= account.nodes * (account.node_bytes + account.slot_bytes)
            assert account.as_dict()["node_bytes"] > 0
    assert accepted["kuhn", "mo-ismcts"] is accepted["kuhn", "pimc"] is None
    assert 0 < accepted[str(path), "mo-ismcts"] <= 1
    assert 0 < accepted[str(path), "pimc"] <= 1


def test_expectimax_refuses_a_game_that_may_go_round_and_round():
    """Stones that are hit start again: its recursion would not end before its stack does."""
    game = fs.load("nannon")
    played = fs.play_game(game, ["is-expectimax", "random"], deal=7, seed=1)
    assert played.forfeit == 0
    assert "may go on for more than 5,000 moves" in played.reason
