"""Minimax, *-minimax and sparse sampling give the values that their definitions give, with less work the more they
prune."""

import json
import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.planning import KINDS as AGENTS
from fogspiel.engine.closure import reachable
from fogspiel.search.lookahead import PRUNING, Minimax
from fogspiel.search.minimax.pruning import child_alpha, child_beta
from fogspiel.search.plain import PlainSearch

ANY_TREE = Path(__file__).parent / "any_tree.py"
KINDS = list(PRUNING.spaces)
STARS = ["star1", "star2"]


def game_of(tree, **how):
    return fs.load(ANY_TREE, tree=json.dumps(tree), unchecked=True, **how)  # no episode begins where chance moves first


def searched(tree, kind, depth=50, *, alpha=-math.inf, beta=math.inf, **how):
    """The value that a search finds, and how many nodes it visited."""
    game = game_of(tree)
    search = Minimax(game, kind, **how)
    return search.value(game.start(), depth, alpha=alpha, beta=beta), search.counts.nodes


def expected(tree, depth, after_chance=False):
    """Equation 2.20 of Lanctot 2013, word for word; chance after chance counts as a decision."""
    if not isinstance(tree, list):
        return tree
    kind, guess, below = tree
    if isinstance(kind, list):
        if after_chance:
            depth -= 1
        pairs = zip(kind, below, strict=True)
        return guess if depth < 0 else sum(p * expected(child, depth, True) for p, child in pairs)
    return guess if depth == 0 else (max if kind == 0 else min)(expected(child, depth - 1) for child in below)


def random_tree(draw, depth):
    """Max, Min and chance in any order, chance after chance too; payoffs are few, so that ties are many."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice([-10, -6, -1, 0, 2, 7, 10, draw.uniform(-10, 10)])
    below = [random_tree(draw, depth - 1) for _ in range(draw.randint(1, 3))]
    kind = draw.randint(0, 1)
    if draw.random() < 0.5:
        weights = [draw.choice([1, 2, 30]) for _ in below]
        kind = [x / sum(weights) for x in weights]
    return [kind, draw.uniform(-10, 10), below]


def random_trees(count, seed, depth=6):
    draw = random.Random(seed)
    trees = []
    while len(trees) < count:
        tree = random_tree(draw, depth)
        if isinstance(tree, list):
            trees.append(tree)
    return trees


def forest(trees):
    """One game of many trees, and where each begins."""
    game = game_of([0, 0, trees])
    states = [game.start() for _ in trees]
    for i, state in enumerate(states):
        state.play(i)
    return game, list(zip(trees, states, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_every_member_finds_the_finite_horizon_value_of_random_trees(kind):
    game, planted = forest(random_trees(200, 1))
    plain, searches = Minimax(game, "nothing", table=0), [Minimax(game, kind, table=table) for table in (0, 64)]
    visited = {"all": 0, "pruned": 0}
    for i, (tree, state) in enumerate(planted):
        depth, search = 1 + i % 6, searches[i % 2]
        assert search.value(state, depth) == pytest.approx(expected(tree, depth), abs=1e-9)
        plain.value(state, depth)
        visited["pruned"] += search.counts.nodes
        visited["all"] += plain.counts.nodes
    # without an order of moves, probing costs more than it spares
    assert kind in ("nothing", "star2") or visited["pruned"] < 0.9 * visited["all"]


@pytest.mark.parametrize("kind", STARS)
def test_outside_the_window_the_value_is_a_bound_of_the_right_side(kind):
    game, planted = forest(random_trees(250, 2))
    searches = [Minimax(game, kind, table=table) for table in (0, 64)]
    draw, outside = random.Random(3), 0
    for tree, state in planted:
        true = expected(tree, 50)
        for i in range(6):
            alpha, beta = sorted(draw.uniform(-11, 11) for _ in range(2))
            found = searches[i % 2].value(state, 50, alpha=alpha, beta=beta)
            if found >= beta:
                assert true >= found - 1e-9
            elif found <= alpha:
                assert true <= found + 1e-9
            else:
                assert found == pytest.approx(true, abs=1e-9)
            outside += not alpha < true < beta
    assert outside > 300


def test_ballards_example_of_child_windows():
    # Lanctot 2013, Fig. 6.1: three outcomes of a third each, values in [-10, 10], window [4, 5], the first outcome is
    # worth 2
    bottom, top = (2 - 10 - 10) / 3, (2 + 10 + 10) / 3
    assert child_alpha(4, top, 1 / 3, 10) == pytest.approx(0)
    assert child_beta(5, bottom, 1 / 3, -10) == pytest.approx(23)
    thirds = [1 / 3, 1 / 3, 1 / 3]
    # a second outcome of 0 or less ends the search with the upper bound, one above does not
    assert searched([thirds, 0, [2, -1, 10]], "star1", alpha=4, beta=5) == (pytest.approx(11 / 3), 3)
    assert searched([thirds, 0, [2, 0.3, 10]], "star1", alpha=4, beta=5) == (pytest.approx(12.3 / 3), 4)


def test_the_window_of_a_child_is_not_divided_by_its_probability_twice():
    # the printed solution of the example, (3 alpha - 12) / p, gives 9 for alpha = 5, and would cut after the 4
    tree = [[1 / 3, 1 / 3, 1 / 3], 0, [2, 4, 10]]
    assert searched(tree, "star1", alpha=5, beta=6) == (pytest.approx(16 / 3), 4)


def test_a_probe_of_max_raises_the_lower_bound_and_of_min_lowers_the_upper():
    # the condition lost in Algorithm 7, line 11: after one move of each outcome nothing is left to search
    assert searched([[0.5, 0.5], 0, [[0, 0, [9, 3, 4]], [0, 0, [8, 1, 2]]]], "star2", beta=2) == (8.5, 5)
    assert searched([[0.5, 0.5], 0, [[1, 0, [-9, 3, 4]], [1, 0, [-8, 1, 2]]]], "star2", alpha=-2) == (-8.5, 5)
    # outcomes of which one is Max's and one Min's bound the node from both sides, and neither alone is enough
    both = [[0.5, 0.5], 0, [[0, 0, [9, 3, 4]], [1, 0, [-8, 1, 2]]]]
    assert searched(both, "star2", alpha=-2, beta=2)[0] == pytest.approx(0.5)


def test_a_move_that_is_only_bounded_by_the_best_value_does_not_replace_the_best_move():
    # Algorithm 6 takes the last of equal values; but the second move's 5 is a bound, and its value is -10
    for kind in KINDS[1:]:
        game = game_of([0, 0, [5, [1, 0, [5, -10]]]])
        found = Minimax(game, kind).look(game.start(), depth=2)
        assert (found.move, found.value) == (0, 5)


def test_chances_outcomes_do_not_count_as_depth():
    tree = [0, -9, [[[0.5, 0.5], -9, [[1, 4, [-3, 8]], [1, -2, [6, 2]]]]]]
    for kind in KINDS:
        assert searched(tree, kind, 1)[0] == pytest.approx((4 - 2) / 2)
        assert searched(tree, kind, 2)[0] == pytest.approx((-3 + 2) / 2)


def test_chance_after_chance_without_end_is_searched_to_the_horizon():
    # in Can't Stop a turn may be lost at its first roll, and so may the next, and the next
    game = fs.load("cant_stop")
    for kind in KINDS:
        found = Minimax(game, kind).look(next(iter(positions(game, 1))), depth=2)
        assert found.depth == 2


def test_max_may_move_after_max():
    # as in Pig: a negamax formulation would turn the sign
    tree = [0, 0, [[[1.0], 0, [[0, 0, [3, 7]]]], 5]]
    for kind in KINDS:
        assert searched(tree, kind)[0] == 7


def test_tic_tac_toe_is_a_draw_and_alpha_beta_needs_few_of_its_nodes():
    game = fs.load("tic_tac_toe")
    search = Minimax(game, "alpha-beta", table=0)
    assert search.value(game.start(), 9) == 0
    assert search.counts.nodes < 549_946 / 20  # the histories of the game
    state = game.start()
    for move in (0, 1, 4):  # X threatens twice
        state.play(move)
    found = search.look(state)
    assert (found.value, found.complete) == (-1, True)


PIG = "pig(dice=1,target=20)"


def test_deep_search_of_pig_approaches_value_iteration():
    game = fs.load("pig(dice=1,target=10)")
    true = fs.solve(game, "value-iteration").value[0]
    search = Minimax(game, "nothing", table=1 << 20)
    errors = [abs(search.value(game.start(), depth) - true) for depth in (2, 20, 60)]
    assert errors[2] < 1e-3 < errors[0]
    assert errors[2] < errors[1]


def test_alone_a_player_is_max():
    game = fs.load("pig(players=1,turns=1,dice=1,target=15)")
    true = fs.solve(game, "value-iteration").value[0]
    for kind in KINDS:
        found = Minimax(game, kind).look(game.start())
        assert (found.value, found.complete) == (pytest.approx(true, abs=1e-9), True)


def positions(game, count, seed=5):
    draw, found = random.Random(seed), []
    while len(found) < count:
        state = game.start()
        for _ in range(draw.randint(0, 60)):
            if state.over:
                break
            state.play(draw.choice(state.moves()))
        if state.actor >= 0:
            found.append(state)
    return found


def test_neither_pruning_nor_the_table_nor_deepening_changes_a_value():
    game = fs.load(PIG)
    plain = Minimax(game, "nothing", table=0)
    work = dict.fromkeys(KINDS, 0)
    states = positions(game, 12)
    for kind in KINDS:
        for table in (0, 256, 1 << 16):
            search = Minimax(game, kind, table=table)
            for state in states:
                true = plain.value(state, 4)
                assert search.value(state, 4) == pytest.approx(true, abs=1e-12)
                work[kind] += search.counts.nodes if table == 0 else 0
                found = search.look(state, depth=4)
                assert found.value == pytest.approx(true if state.actor == 0 else -true, abs=1e-12)
                assert found.depth == 4 or found.complete
                after = state.copy()
                after.play(found.move)
                assert plain.value(after, 3) == pytest.approx(true, abs=1e-12)
    assert work["star1"] < work["alpha-beta"] < work["nothing"]


def test_the_table_spares_work_where_lines_meet_again():
    game = fs.load(PIG)
    nodes = {}
    for table in (0, 1 << 16):
        search = Minimax(game, "nothing", table=table)
        search.value(game.start(), 5)
        nodes[table] = search.counts.nodes
    assert nodes[1 << 16] < nodes[0] / 5


@pytest.mark.parametrize("kind", [*STARS, "alpha-beta"])
def test_on_the_same_samples_pruning_does_not_change_the_estimate(kind):
    game = fs.load(PIG)
    values, work = set(), [0, 0]
    for table in (0, 4096):
        full, pruned = (Minimax(game, k, width=5, table=table) for k in ("nothing", kind))
        for seed, state in enumerate(positions(game, 15)):
            full.seed = pruned.seed = seed
            values.add(full.value(state, 4))
            assert pruned.value(state, 4) == pytest.approx(full.value(state, 4), abs=1e-12)
            assert pruned.look(state, depth=4).move == full.look(state, depth=4).move
            work[0] += pruned.counts.nodes
            work[1] += full.counts.nodes
    assert len(values) > 10
    assert work[0] < work[1] or kind == "star2"


def test_samples_are_drawn_with_replacement_and_searched_one_by_one():
    # one outcome of probability 0.9: three draws without replacement would have to meet the others
    tree = [[0.9, 0.05, 0.05], 0, [1, 2, 3]]
    game = game_of(tree)
    assert 1.0 in {Minimax(game, "nothing", width=3, seed=seed).value(game.start(), 1) for seed in range(10)}
    assert searched(tree, "nothing", width=40, table=0)[1] == 41


def test_sparse_samples_are_unbiased_at_a_chance_node_and_keep_hoeffdings_bound():
    # Lemma 7 of Lanctot 2013: Pr(error >= lambda) <= 2 exp(-lambda^2 c / (2 v_max^2))
    prob, payoff = [0.5, 0.3, 0.2], [-10, 4, 10]
    game = game_of([prob, 0, payoff])
    true = float(np.dot(prob, payoff))
    variance = float(np.dot(prob, np.square(payoff))) - true**2
    for width in (4, 64):
        search, found = Minimax(game, "nothing", width=width, table=0), np.zeros(300)
        for search.seed in range(300):
            found[search.seed] = search.value(game.start(), 1)
        assert found.mean() == pytest.approx(true, abs=4 * math.sqrt(variance / width / 300))
        assert found.var() == pytest.approx(variance / width, rel=0.4)
        for error in (5.0, 8.0):
            assert np.mean(np.abs(found - true) >= error) <= 2 * math.exp(-(error**2) * width / 200)


def test_wider_samples_come_nearer_to_expectimax():
    # Theorem 8 says that the error vanishes as the width grows
    game, planted = forest(random_trees(12, 11, depth=4))
    errors = []
    for width in (1, 8, 64):
        search, total = Minimax(game, "star1", width=width), 0.0
        for tree, state in planted:
            for search.seed in range(8):
                total += abs(search.value(state, 4) - expected(tree, 4))
        errors.append(total)
    assert errors[0] > 2 * errors[1] > 4 * errors[2]


def test_a_budget_of_nodes_is_kept_and_decides_everything():
    game = fs.load(PIG)
    looks = [Minimax(game, "star2", seed=3).look(game.start(), nodes=5000) for _ in range(2)]
    assert looks[0].nodes <= 5001
    assert [(x.move, x.value, x.depth, x.nodes) for x in looks[:1]] == [
        (x.move, x.value, x.depth, x.nodes) for x in looks[1:]
    ]
    more = Minimax(game, "star2", seed=3).look(game.start(), nodes=200_000)
    assert more.depth > looks[0].depth >= 2
    # the first deepening is finished whatever it costs
    assert Minimax(game, "nothing").look(game.start(), nodes=1).depth == 1


def test_a_budget_of_seconds_ends_the_search():
    game = fs.load("pig")
    found = Minimax(game, "star1", table=0).look(game.start(), seconds=0.05)
    assert found.depth >= 1
    assert not found.complete


def test_un_compiled_rules_give_the_same_search_and_their_errors_surface(tmp_path):
    tree = max(random_trees(20, 3, depth=4), key=lambda tree: len(json.dumps(tree)))
    debugged = game_of(tree, debug=True)
    found = Minimax(debugged, "star2").look(debugged.start(), depth=4)
    game = game_of(tree)
    again = Minimax(game, "star2").look(game.start(), depth=4)
    assert (found.move, found.value, found.nodes) == (again.move, again.value, again.nodes)
    broken = tmp_path / "broken.py"
    broken.write_text(ANY_TREE.read_text().replace("    payoff(s, out)", "    out[0] = 1 // (s.node - s.node)"))
    failing = fs.load(broken, tree=json.dumps([0, 0, [[0, 0, [1]]]]), debug=True)
    with pytest.raises(fs.FogspielError, match="rule evaluate .* ZeroDivisionError"):
        Minimax(failing, "star2").look(failing.start(), depth=1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", [{"table": 0}, {"table": 64}, {"table": 64, "width": 5}])
def test_the_recursion_runs_un_compiled_and_does_the_same(kind, how):
    game, planted = forest(random_trees(6, 4, depth=4))
    search = Minimax(game, kind, **how)
    compiled = [search.look(state, depth=4) for _, state in planted]
    search._run = lambda: search._recursion.plain(game.table.tolist(), PlainSearch(search.memory))
    plain = [search.look(state, depth=4) for _, state in planted]
    assert [replace(look, seconds=0) for look in plain] == [replace(look, seconds=0) for look in compiled]


@pytest.mark.parametrize(
    ("how", "used"),
    [
        ({"pruning": "nothing", "table": 0}, {"Expectimax", "Decisions"}),
        ({"pruning": "alpha-beta", "horizon": "end"}, {"AlphaBeta", "Expectimax", "End", "States", "Positions"}),
        ({"pruning": "star1", "table": 0, "width": 3}, {"Star1", "AlphaBeta", "Decisions", "Sparse"}),
        ({"pruning": "star2", "table": 0}, {"Star2", "AlphaBeta", "Decisions"}),
        ({"pruning": "nothing", "horizon": "own decisions"}, {"Expectimax", "Decisions", "OwnDecisions", "States"}),
    ],
)
def test_a_part_that_is_not_chosen_is_not_in_the_code(how, used):
    search = Minimax(fs.load("tic_tac_toe"), **how)
    found = [f.__qualname__.partition(".") for f in reachable([search._recursion.plain])]
    assert {owner for owner, dot, _ in found if dot} == used


@pytest.mark.parametrize("spec", ["leduc", "phantom_tic_tac_toe", "goofspiel(cards=4)", "hidden_coin", "kuhn"])
def test_games_with_hidden_things_are_refused(spec):
    with pytest.raises(fs.Unsuitable, match="perfect information"):
        Minimax(fs.load(spec), "star1")


def test_more_players_and_unknown_ranges_are_refused(tmp_path):
    with pytest.raises(fs.Unsuitable, match="at most two players"):
        Minimax(fs.load("kuhn(players=3)"), "nothing")
    boundless = tmp_path / "boundless.py"
    boundless.write_text(ANY_TREE.read_text().replace("utility=(-10, 10), ", ""))
    game = fs.load(boundless, tree=json.dumps([0, 0, [3, 90]]))
    with pytest.raises(fs.Unsuitable, match="range of utilities"):
        Minimax(game, "star1")
    assert Minimax(game, "alpha-beta").value(game.start(), 1) == 90


def test_a_game_without_evaluation_must_be_searched_to_its_end(tmp_path):
    blind = tmp_path / "blind.py"
    without = ANY_TREE.read_text().replace("def evaluate", "def not_a_rule")
    blind.write_text(without.replace("def resample", "def no_rule_either"))
    game = fs.load(blind, tree=json.dumps([0, 0, [1, [1, 0, [4, [0, 0, [2, 3]]]]]]))
    search = Minimax(game, "star2")
    for depth in (None, 3):
        found = search.look(game.start(), depth=depth)
        assert (found.move, found.value, found.complete) == (1, 3, True)
    with pytest.raises(
        fs.Unsuitable, match=r"^star2 needs the rule evaluate; .* has none, and a search of depth 2 does not"
    ):
        search.look(game.start(), depth=2)
    with pytest.raises(fs.Unsuitable, match="^star2 needs the rule evaluate; .* has none, and the budget does not"):
        search.look(game.start(), nodes=2)


def test_an_empty_window_is_refused():
    game = game_of([0, 0, [1, 2]])
    with pytest.raises(fs.FogspielError, match="window from 3 to 3 is empty"):
        Minimax(game, "star1").value(game.start(), 1, alpha=3, beta=3)


@pytest.mark.parametrize("name", [*AGENTS, "rollouts"])
@pytest.mark.parametrize("spec", [PIG, "tic_tac_toe"])
def test_agents_play_legal_games_that_the_seed_decides(name, spec):
    budget = "simulations=40" if name == "rollouts" else "nodes=300"
    game = fs.load(spec)
    records = [
        fs.play_game(game, [fs.agent(f"{name}({budget})"), fs.agent("random")], deal=2, seed=seed) for seed in (3, 3)
    ]
    assert records[0].forfeit is None
    assert records[0].moves == records[1].moves


def test_agents_tell_what_a_decision_cost_and_gave():
    game = fs.load(PIG)
    one = fs.agent("star1ss(depth=3,width=4)")
    fs.play_game(game, [one, fs.agent("random")], deal=1, seed=1)
    account = one.statistics.as_dict()
    assert account["depth"] in (1, 2, 3)
    assert account["nodes"] > 0
    assert [m.value for m in one.found if m.move == account["move"]] == [account["value"]]
    other = fs.agent("rollouts(simulations=50)")
    fs.play_game(game, [fs.agent("random"), other], deal=1, seed=1)
    assert sum(m.visits for m in other.found) == other.statistics.simulations == 50


def test_alpha_beta_never_loses_tic_tac_toe():
    one = fs.match("tic_tac_toe", ["alpha-beta(depth=9)", "random"], games=20, seed=1).standings[0]
    assert (one.losses, one.forfeits) == (0, 0)
    assert one.wins > 10


def test_rollouts_see_what_random_play_sees_and_no_more():
    # the first move gives 2; the second lets Min choose between 9 and -10, which random play takes for -0.5
    game = game_of([0, 0, [2, [1, 0, [9, -10]], [1, 0, [9, 0]]]])
    one = fs.agent("rollouts(simulations=3000)")
    fs.play_game(game, [one, fs.agent("random")], deal=0, seed=4)
    assert [m.visits for m in one.found] == [1000, 1000, 1000]
    assert [m.value for m in one.found] == pytest.approx([2, -0.5, 4.5], abs=1.2)
    found = one.found
    assert found[2].value > found[0].value  # though minimax says 0 there
    assert Minimax(game, "alpha-beta").look(game.start()).move == 0


def test_rollouts_follow_the_games_own_policy_if_told_to(tmp_path):
    guided = tmp_path / "guided.py"
    rule = "def guide(s, out, prob):\n    out[0] = 0\n    prob[0] = 1.0\n    return 1\n"
    guided.write_text(ANY_TREE.read_text() + "\n\n" + rule)
    game = fs.load(guided, tree=json.dumps([0, 0, [2, [1, 0, [9, -10]], [0, 0, [-7, 5]]]]))
    one = fs.agent("rollouts(simulations=30,playout=guide)")
    fs.play_game(game, [one, fs.agent("random")], deal=0, seed=4)
    assert [m.value for m in one.found] == pytest.approx([2, 9, -7])
    with pytest.raises(fs.FogspielError, match="guide needs the rule guide; .* has none"):
        one.begin(fs.load(ANY_TREE), 0, 0)
