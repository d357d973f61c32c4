"""Parts that single documents ask for: what tells them from their neighbours."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from icarus_searches import uncompiled

import fogspiel as fs
from fogspiel.agents.searches import KINDS
from fogspiel.belief.roots import Roots
from fogspiel.engine.linking import linked
from fogspiel.game import mix
from fogspiel.search.bandits import Ucb
from fogspiel.search.growths import MOST, Joint, complete
from fogspiel.search.line import Line
from fogspiel.search.nodes import NODE, SLOT
from fogspiel.search.outcome_sampling import OutcomeSampling
from fogspiel.search.parts import parts
from fogspiel.search.randomised import RegretMatching, Zero, exploration_in_stages, worth, worth_unplayed
from fogspiel.search.search import TreeSearch, utility_ranges


def bandit_of(module, arms, **settings):
    """A search that has one node, for a bandit's functions un-compiled."""
    slots = np.zeros(arms, np.dtype([*SLOT, *module.SLOT], align=True)).view(np.recarray)
    nodes = np.zeros(1, np.dtype([*NODE, *getattr(module, "NODE", ())], align=True)).view(np.recarray)
    nodes.used[0] = arms
    return SimpleNamespace(
        slots=slots,
        nodes=nodes,
        slot=np.arange(arms),
        prob=np.zeros(arms),
        rng=np.array([5], np.uint64),
        bandit=SimpleNamespace(**{"exploration": 0.7} | settings),
        path=[],
        walk=SimpleNamespace(depth=1),
        counts=SimpleNamespace(done=0),
    )


def test_ucb_is_ucb1_where_all_moves_are_there():
    """mean + C sqrt(ln n / tries) with n the visits of the node (Auer et al. 2002), at every visit."""
    search, rewards = bandit_of(Ucb, 5), np.random.default_rng(1)
    here = search.nodes[0]
    for k in range(5):
        Ucb.open_slot(search, here, search.slots[k])
    for n in range(3000):
        c = Ucb.choose(search, here, 5)
        if n >= 5:
            want = [s.total / s.tries + 0.7 * math.sqrt(math.log(n) / s.tries) for s in search.slots]
            assert search.prob == pytest.approx(want, rel=1e-12)
            assert want[c] == max(want)
        search.slots[c].tries += 1
        search.slots[c].total += rewards.random() < 0.2 + 0.1 * c
        here.visits += 1


def test_ucb_counts_the_visits_since_a_move_was_first_there_and_was_there():
    """Whitehouse 2014, eq. 5.1: the availability of an arm, counted whether or not it is tried."""
    search, rng = bandit_of(Ucb, 4), np.random.default_rng(2)
    here = search.nodes[0]
    here.used = 0
    available = dict.fromkeys(range(4), 0)
    known: list[int] = []
    for _ in range(500):
        there = [k for k in range(4) if rng.random() < (0.9, 0.5, 0.3, 0.05)[k]]
        for k in there:
            if k not in known:
                known.append(k)
                here.used += 1
                Ucb.open_slot(search, here, search.slots[known.index(k)])
        if not there:
            continue
        search.slot[: len(there)] = [known.index(k) for k in there]
        c = Ucb.choose(search, here, len(there))
        for k in there:
            available[k] += 1
        search.slots[search.slot[c]].tries += 1
        here.visits += 1
        for place, k in enumerate(known):
            assert here.visits - search.slots[place].missed == available[k]


def stage_game():
    """Three moves against two at once, then the end."""
    return fs.load("matrix(payoffs=[[1,-1],[-1,1],[0,0.5]])")


def test_joint_growth_tries_every_joint_move_once_before_any_is_chosen():
    game = stage_game()
    search = TreeSearch(game, parts(bandit="rm", growth="joint"), seed=3)
    search.run(Roots([game.start()]), 0, simulations=6)
    first = search.memory.nodes[0]
    slots = search.memory.slots[search.memory.slots_of(0)]
    assert first.visits == 6
    assert slots.tries.tolist() == [2, 2, 2]
    assert slots.partners.tolist() == [2, 2, 2]
    assert slots.tried_with[:, 0].tolist() == [3, 3, 3]
    search.run(Roots([game.start()]), 0, simulations=2000)
    assert search.memory.slots[search.memory.slots_of(0)].tries.sum() == 2006


def test_exploration_comes_after_expansion():
    """Lisý et al. 2013, Algorithm 1: lines 3 to 8 precede Select, of which A* is one."""
    game = stage_game()
    made = parts(bandit="rm", growth="joint", enhancements=["aside"], aside=0.9)
    search = TreeSearch(game, made, seed=3)
    search.run(Roots([game.start()]), 0, simulations=6)
    assert search.memory.slots[search.memory.slots_of(0)].tried_with[:, 0].tolist() == [3, 3, 3]
    game = fs.load("random_game(actions=3,depth=3,utility=leaves,seed=1)")
    search = TreeSearch(game, made, seed=3)
    search.run(Roots([game.start()]), 0, simulations=3000)
    slots = search.memory.slots[: search.memory.slot_count]
    bits = [sum(int(word).bit_count() for word in met) for met in slots.tried_with]
    assert slots.partners.tolist() == bits
    assert slots.partners[:3].tolist() == [3, 3, 3]
    # after the first nine simulations every walk goes on below the root
    assert search.counts.depth >= 9 * 2 + (3000 - 9) * 4


def test_a_stage_without_room_for_its_second_player_is_not_written_down():
    game = stage_game()
    search = TreeSearch(game, parts(bandit="rm", growth="joint"), nodes=1, seed=3)
    search.run(Roots([game.start()]), 0, simulations=50)
    slots = search.memory.slots[search.memory.slots_of(0)]
    assert search.memory.nodes.columns.tolist() == [0]
    assert slots.partners.tolist() == [0, 0, 0]


def test_columns_that_are_not_told_apart_are_left_to_the_bandit():
    """300 moves against one that met the first 255: the one that is told apart and was not met is next, and then
    none."""
    slots = np.zeros(301, np.dtype([*SLOT, *Joint.SLOT], align=True)).view(np.recarray)
    nodes = np.zeros(2, np.dtype([*NODE, *Joint.NODE], align=True)).view(np.recarray)
    nodes.first[1], nodes.used[1], nodes.owner[1], nodes.used[0] = 1, 300, 1, 1
    steps = [SimpleNamespace(node=0, slot=0, pending=0), SimpleNamespace(node=1, slot=0, pending=1)]
    search = SimpleNamespace(
        slots=slots,
        nodes=nodes,
        slot=np.arange(1, 301),
        path=steps,
        rng=np.array([5], np.uint64),
        walk=SimpleNamespace(depth=2, pending=0, expanding=1),
    )
    for column in range(MOST - 1):
        steps[1].slot = 1 + column
        Joint.learned(None, search, 0, 0.0)
    search.walk.depth = 1
    assert not complete(nodes[0], slots[0])
    assert Joint.expands(search, nodes[1], 300, True) == MOST - 1
    search.walk.depth = 2
    steps[1].slot = MOST
    Joint.learned(None, search, 0, 0.0)
    steps[1].slot = 299
    Joint.learned(None, search, 0, 0.0)
    search.walk.depth = 1
    assert complete(nodes[0], slots[0])
    assert Joint.expands(search, nodes[1], 300, True) == -1


def stages_of(search):
    """Sum and number of the values that each stage's first node has returned, by key."""
    nodes = search.memory.nodes[: search.memory.node_count]
    return {int(n.key): (float(n.value), int(n.returns)) for n in nodes if n.owner == 0}


@pytest.mark.parametrize("growth", ["joint", "stage"])
def test_means_are_those_of_the_printed_algorithm_at_every_simulation(growth):
    """Lisý et al. 2013, Algorithm 1: X and n of the stage that is added, not of the one that is expanded; means of
    means above. Lisý 2014, sec. 3.1.2: the mean of all values returned, that of the simulation which added the stage
    included."""
    game = fs.load("random_game(actions=2,depth=2,utility=leaves,seed=4)")
    made = parts(bandit="coupled", growth=growth, enhancements=["means"], gamma=0.3)
    search = TreeSearch(game, made, seed=3)
    before, after = {}, {}
    root, added, expanded = None, 0, 0
    for _ in range(200):
        search.run(Roots([game.start()]), 0, simulations=1)
        after = stages_of(search)
        root = root or next(iter(after))
        new = [k for k in after if k not in before and k != root]
        same = {k: before.get(k, (0.0, 0)) == after[k] for k in after}
        below = [k for k in after if k != root and k in before and not same[k]]
        up = after[root][0] - before.get(root, (0.0, 0))[0]
        if new:
            assert after[new[0]][1] == 1
            assert not below
            if growth == "joint":
                assert same[root]
                added += 1
            else:
                assert up == pytest.approx(after[new[0]][0])
        elif root in before and below:
            assert after[below[0]][1] == before[below[0]][1] + 1
            assert up == pytest.approx(after[below[0]][0] / after[below[0]][1])
        elif root in before:
            # a stage below was expanded: its own mean stays, and what came of it goes up
            assert growth == "joint"
            assert after[root][1] == before[root][1] + 1
            expanded += 1
        before = after
    if growth == "joint":
        assert (added, expanded, after[root][1]) == (4, 16, 200 - 4)
    else:
        assert after[root][1] == 200


def test_exploration_counts_for_no_bandit():
    """Lisý 2014, sec. 3.1.2: A* updates no statistics, the number of trials in UCB's bound included."""
    game = fs.load("random_game(actions=3,depth=3,utility=leaves,seed=1)")
    search = TreeSearch(game, parts(growth="stage", enhancements=["aside"], aside=0.5), seed=3)
    search.run(Roots([game.start()]), 0, simulations=2000)
    memory = search.memory
    assert 900 < memory.nodes.visits[0] < 1100
    for node in range(memory.node_count):
        assert memory.nodes.visits[node] == memory.slots[memory.slots_of(node)].tries.sum()


def moves_of(game, spec, simulations=400, seed=9):
    player = fs.agent(f"{spec}(simulations={simulations})") if "(" not in spec else fs.agent(spec)
    player.begin(game, 0, seed)
    state = game.start()
    player.search.run(Roots([state]), 0, simulations=simulations)
    return [(m.move, m.visits, m.value) for m in player.search.moves(state, 0)]


def test_one_tree_a_player_is_so_ismcts_where_every_move_is_seen():
    """Whitehouse 2014, sec. 6.3: MO-ISMCTS makes the same decisions as SO-ISMCTS, with the same random numbers."""
    game = fs.load("tic_tac_toe")
    assert moves_of(game, "mo-ismcts(view=observer)") == moves_of(game, "so-ismcts")


def test_one_tree_a_player_joins_what_opponents_hold_at_the_root():
    """Kuhn poker: the opponent's cards differ between simulations, its tree does not."""
    game = fs.load("kuhn")
    counts = {}
    search = KINDS["mo-ismcts"]
    view = next(p for p in search.parameters if p.name == "view")
    for trees, word in (("players", "observer"), ("infosets", "infoset")):
        player = search.make("it", {p.name: p.default for p in search.parameters} | {"view": view.read(word)})
        player.begin(game, 0, 1)
        state = game.start()
        while state.actor < 0:
            state.play(state.moves()[0])
        player.search.run(Roots([state], redraw=True), 0, simulations=500)
        memory = player.search.memory
        counts[trees] = [int((memory.nodes.owner[: memory.node_count] == p).sum()) for p in range(2)]
    # the searcher's decisions: at the start, and after check and bet; the opponent's: after check and after bet, for
    # two cards
    assert counts == {"players": [2, 2], "infosets": [2, 4]}


def test_hidden_moves_are_one_in_the_trees_of_those_who_do_not_see_them():
    game = fs.load("phantom_tic_tac_toe")
    one = TreeSearch(game, parts(view="observer"), seed=1)
    one.run(Roots([game.start()]), 0, simulations=300)
    # after the first player's hidden move the second has one node, whatever that was
    second = one.memory.nodes[: one.memory.node_count]
    assert (second.owner == 1).sum() < (second.owner == 0).sum()
    roots = [n for n in second if n.owner == 1 and n.visits == max(second.visits[second.owner == 1])]
    assert roots[0].visits > 250


def test_exp3_is_for_those_who_choose_at_once():
    turns = TreeSearch(fs.load("tic_tac_toe"), parts(bandit="ucb+exp3"), seed=1)
    turns.run(Roots([fs.load("tic_tac_toe").start()]), 0, simulations=300)
    assert not turns.memory.slots.score.any()
    assert not turns.memory.nodes.joint.any()
    game = stage_game()
    stage = TreeSearch(game, parts(bandit="ucb+exp3"), seed=1)
    stage.run(Roots([game.start()]), 0, simulations=300)
    assert stage.memory.nodes.joint[:2].tolist() == [1, 1]
    assert stage.memory.slots.score[stage.memory.slots_of(0)].all()


def test_the_schedule_of_exp3_is_the_printed_one():
    """Whitehouse 2014, eq. 3.3: gamma = min(1, sqrt(K ln K / ((e - 1) n)))."""
    assert exploration_in_stages(1, 2) == pytest.approx(min(1, math.sqrt(2 * math.log(2) / (math.e - 1))))
    assert exploration_in_stages(10_000, 5) == pytest.approx(math.sqrt(5 * math.log(5) / ((math.e - 1) * 10_000)))


def test_both_players_of_a_new_stage_are_in_the_tree_of_outcome_sampling():
    game = stage_game()
    search = OutcomeSampling(game, seed=1)
    search.run(Roots([game.start()]), 0, simulations=2)
    nodes = search.memory.nodes[: search.memory.node_count]
    assert sorted(nodes.owner.tolist()) == [0, 1]
    assert nodes.visits.tolist() == [2, 2]


def test_depth_is_how_many_moves_players_made_before_what_a_simulation_adds():
    """Of two simulations the first adds the root, the second the stage after it, or of the root's what a growth adds in
    its place."""
    game = fs.load("random_game(actions=3,depth=3)")
    searches = {"oos": OutcomeSampling(game, delta=0, seed=1)}
    for growth in ("stage", "created", "created_alone"):
        searches[growth] = TreeSearch(game, parts(bandit="rm", growth=growth), seed=1)
    found = {name: search.run(Roots([game.start()]), 0, simulations=2) for name, search in searches.items()}
    assert {name: account.deepest for name, account in found.items()} == {
        "oos": 2,
        "stage": 2,
        "created": 2,
        "created_alone": 1,
    }
    for name, search in searches.items():
        assert found[name].depth == found[name].deepest / 2
        more = search.run(Roots([game.start()]), 0, simulations=3000)
        assert more.deepest == 6
        # what is neither before what was added nor played out are moves there
        left = 6 - more.depth - more.playout
        assert left == pytest.approx(0) if name == "stage" else 0 < left < 2


def test_chance_does_not_count_for_the_depth_of_a_search():
    game = fs.load("kuhn")
    searches = [TreeSearch(game, parts(growth="created", chance=how), seed=1) for how in ("drawn", "stored")]
    for search in (OutcomeSampling(game, delta=0, seed=1), *searches):
        assert search.run(Roots([game.start()]), 0, simulations=2000).deepest == 3


def test_moves_before_a_cut_are_counted_from_the_root_or_from_where_the_tree_is_left():
    """Un-compiled, in games that are longer than that."""
    game = fs.load("visibility_pursuit(steps=20)")
    root = game.start()
    root.play(0)
    for how, counted in (("cut", "playout"), ("cut_from_root", "all")):
        search = uncompiled(TreeSearch(game, parts(enhancements=[how], cut=9), seed=1))
        account = search.run(Roots([root], redraw=True), 0, simulations=60)
        assert account.playout + (account.depth if counted == "all" else 0) == 9
        assert account.depth > 1


@pytest.mark.parametrize("chance", ["drawn", "stored"])
def test_a_cut_from_the_root_ends_simulations_in_the_tree_and_counts_chance(chance):
    """Pig, where no game is over after four moves. Simulations of cuts that the tree outgrows, un-compiled."""
    game = fs.load("pig")
    for cut in (1, 2, 4):
        made = parts(enhancements=["cut_from_root", "trace"], cut=cut, chance=chance)
        search = uncompiled(TreeSearch(game, made, seed=1))
        lengths = set()
        for _ in range(60):
            search.run(Roots([game.start()]), 0, simulations=1)
            lengths.add(int(search.search.trace.length))
        assert lengths == {cut}
        assert search.search.walk.depth > 0


def test_a_stage_that_is_cut_is_finished():
    game = fs.load("visibility_pursuit(steps=20)")
    root = game.start()
    root.play(0)
    deepest = {}
    for cut in (2, 3, 4):
        search = uncompiled(TreeSearch(game, parts(enhancements=["cut_from_root"], cut=cut), seed=1))
        deepest[cut] = search.run(Roots([root], redraw=True), 0, simulations=150).deepest
    assert deepest == {2: 2, 3: 4, 4: 4}


def test_rewards_are_scaled_by_the_range_of_each_player():
    game = fs.load("leduc")
    ranges = utility_ranges(game)
    assert (
        ranges == [tuple(map(float, game.about.utility))] * 2 if game.about.ranges is None else list(game.about.ranges)
    )
    search = TreeSearch(game, parts(), seed=1)
    search.run(Roots([game.start()]), 0, simulations=200)
    slots = search.memory.slots[: search.memory.slot_count]
    assert ((slots.total >= 0) & (slots.total <= slots.tries)).all()


def test_what_an_unplayed_pair_is_worth_is_an_option():
    search = SimpleNamespace(pair_count=np.array([0.0, 2.0]), pair_sum=np.array([0.0, 3.0]))
    zero = linked(worth, {worth_unplayed: Zero.worth_unplayed})
    for says, of_unplayed in ((worth, 0.7), (zero, 0.0)):
        assert (says(search, 0, 0.7), says(search, 1, 0.7)) == (of_unplayed, 1.5)


def test_keys_of_the_root_do_not_depend_on_the_way():
    game = fs.load("leduc")
    search = TreeSearch(game, parts(view="observer"), seed=1)
    state = game.start()
    while state.actor < 0:
        state.play(state.moves()[0])
    assert search.key(state, 0) == mix(0, 0)


def test_regret_matching_does_not_regret_what_could_not_be_played():
    search = bandit_of(RegretMatching, 3, gamma=0.0, pure=0)
    here = search.nodes[0]
    search.slot = np.array([0, 2])
    c = RegretMatching.choose(search, here, 2)
    search.path = [SimpleNamespace(node=0, slot=int(search.slot[c]), prob=search.prob[c])]
    RegretMatching.learn(search, 0, 0.5, 3.0)
    assert search.slots.score[1] == 0.0
    assert sorted(search.slots.score[[0, 2]]) == [-3.0, 3.0]


@pytest.mark.parametrize("name", ["mcts", "mo-ismcts", "so-ismcts"])
def test_options_that_exclude_each_other_are_refused(name):
    with pytest.raises(fs.SpecError, match="widening=progressive leaves some out"):
        fs.agent(f"{name}(chance=balanced,widening=progressive)").begin(fs.load("kuhn"), 0, 1)


def test_outcome_sampling_from_the_state_at_hand_is_for_open_games():
    with pytest.raises(fs.Unsuitable, match="nothing is hidden but pending moves"):
        fs.agent("oos(progress=root)").begin(fs.load("kuhn"), 0, 1)


def follow(search, root, searcher, moves):
    """The key of the node at the end of a line of play."""
    line = Line(search, root, searcher)
    for move in moves:
        line = line.after(move)
    return line.key


def observers(spec):
    game = fs.load(spec)
    return game, TreeSearch(game, parts(view="observer"), seed=1)


def test_a_tree_is_not_split_by_which_hidden_moves_were_possible():
    """Whitehouse 2014, Fig. 6.1: a1 and an unseen reply lead player 0 to one node in worlds x, y and z."""
    game, search = observers("observed_moves(moves=partial)")
    state = game.start()
    state.play(0)
    search.run(Roots([state], redraw=True), 0, simulations=500)
    nodes = search.memory.nodes[: search.memory.node_count]
    assert (nodes.owner == 0).sum() == 2
    assert (nodes.owner == 1).sum() == 1


@pytest.mark.parametrize("searcher", [0, 1])
@pytest.mark.parametrize("retry", ["no", "yes"])
def test_stones_that_are_not_seen_do_not_tell_nodes_apart(retry, searcher):
    game, search = observers(f"phantom_tic_tac_toe(retry={retry})")
    keys = {follow(search, game.start(), searcher, [4, square, 8, 2]) for square in (0, 1, 3)}
    assert len(keys) == 1


@pytest.mark.parametrize("searcher", [0, 1])
def test_a_player_sees_whether_its_own_try_failed(searcher):
    game, search = observers("phantom_tic_tac_toe(retry=no)")
    # the second player tries the centre, where a stone may be, and then is asked again
    failed, succeeded = (follow(search, game.start(), searcher, [square, 4, 7]) for square in (4, 8))
    assert failed != succeeded


@pytest.mark.parametrize("searcher", [0, 1])
def test_tries_of_others_that_are_not_told_do_not_tell_nodes_apart(searcher):
    """The second player fails once, twice or never before it puts a stone: the first only sees that it is its turn
    again."""
    game, search = observers("phantom_tic_tac_toe")
    lines = ([4, 0, 8, 1], [4, 0, 8, 4, 1], [4, 0, 8, 4, 8, 1])
    assert len({follow(search, game.start(), searcher, line) for line in lines}) == 1


@pytest.mark.parametrize("searcher", [0, 1])
@pytest.mark.parametrize(
    "spec",
    [
        "phantom_tic_tac_toe",
        "phantom_tic_tac_toe(retry=no)",
        "latent_tic_tac_toe",
        "observed_moves(moves=partial)",
        "leduc",
        "bluff",
        "goofspiel(cards=3)",
    ],
)
def test_from_the_start_a_node_is_what_its_player_has_seen(spec, searcher):
    """Where nobody holds anything at the root, trees of observed moves have a node for each history of an information
    set."""
    game, search = observers(spec)
    rng, nodes, histories = np.random.default_rng(1), {}, {}
    for _ in range(150):
        line = Line(search, game.start(), searcher)
        seen = [()] * game.players
        known = [line.state.key(p) for p in range(game.players)]
        for _ in range(8):
            who = line.state.actor
            if who >= 0:
                history = (who, seen[who])
                assert nodes.setdefault(history, line.key) == line.key
                assert histories.setdefault(line.key, history) == history
            move = int(rng.choice(line.state.moves()))
            if who >= 0:
                seen[who] += (move,)
            line = line.after(move)
            if line.state.over:
                break
            if line.state.stage is line.state:
                now = [line.state.key(p) for p in range(game.players)]
                seen = [s + (k,) * (k != before) for s, k, before in zip(seen, now, known, strict=True)]
                known = now


def test_the_tree_of_observers_can_be_looked_at():
    thought = fs.think("phantom_tic_tac_toe", "mo-ismcts(view=observer,simulations=300)")
    assert sum(edge.visits for edge in thought.tree.edges) == 300
