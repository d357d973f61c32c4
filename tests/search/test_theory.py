"""Facts about searches that Whitehouse 2014 states or relies on, which are not those of a single part."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from icarus_searches import TREE, averages, search_for, uncompiled

import fogspiel as fs
from fogspiel import games
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.online import convergence
from fogspiel.game import CHANCE, CONTINUES, mix, pick
from fogspiel.search.icaruses.epic import by_position
from fogspiel.search.icaruses.tree import Rave
from fogspiel.search.parts import parts
from fogspiel.search.plain import PlainSearch
from fogspiel.search.search import TreeSearch


def dealt(game, *moves):
    state = fs.load(game).start()
    for move in moves:
        state.play(move)
    return state


def searched(state, simulations, seed=3, searcher=0, **how):
    """A search from all that the searcher may be in."""
    search = TreeSearch(state.game, parts(**how), seed=seed, nodes=20_000)
    search.run(Roots([state], redraw=True), searcher, simulations=simulations)
    return search


def nodes_of(search):
    return search.memory.nodes[: search.memory.node_count]


# --- trees
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["history", "searcher", "observer", "infoset"])
def test_a_move_is_tried_no_oftener_than_it_could_be_and_that_no_oftener_than_its_node_was_visited(view):
    """Sec. 5.2.3: n(v) <= n'(v) <= n(parent); all that is there was visited, and every iteration passes through the
    root."""
    search = searched(dealt("mini_dou_di_zhu", *first_deal()), 1000, view=view)
    for number, node in enumerate(nodes_of(search)):
        slots = search.memory.slots[search.memory.slots_of(number)]
        available = node.visits - slots.missed
        assert node.visits == slots.tries.sum() > 0
        assert (slots.tries <= available).all()
        assert (available <= node.visits).all()
    assert nodes_of(search).visits[0] == 1000
    assert {int(owner) for owner in nodes_of(search).owner} == {0, 1}


def first_deal():
    """Chance's moves at the start of Mini Dou Di Zhu, in one of its deals."""
    state, moves = fs.load("mini_dou_di_zhu").start(), []
    while state.actor == CHANCE:
        moves.append(state.moves()[len(state.moves()) // 2])
        state.play(moves[-1])
    return moves


def test_where_every_move_is_seen_all_observers_have_the_same_statistics():
    """Sec. 6.3.1: SO-ISMCTS, SO-ISMCTS+POM and MO-ISMCTS are one where nothing but what was dealt is hidden."""
    state = dealt("leduc", 0, 1)
    told = [searched(state, 1500, view=view).moves(state, 0) for view in ("history", "searcher", "observer")]
    assert told[0] == told[1] == told[2]


def test_chance_has_a_tree_beside_those_of_the_players():
    """Algorithm 4: trees 0 to kappa."""
    game = fs.load("kuhn")
    search = uncompiled(TreeSearch(game, parts(view="observer", chance="balanced"), seed=1, nodes=500))
    search.run(Roots([game.start()]), 0, simulations=60)
    assert {int(owner) for owner in nodes_of(search).owner} == {CHANCE, 0, 1}


def test_a_move_is_available_as_often_as_a_determinization_allows_it():
    """Sec. 5.2.1: player 1 may play each of b1, b2 and b3 in two of the three worlds."""
    state = dealt("observed_moves", 0)
    search = searched(state, 6000, view="history", exploration=20.0)
    opponent = int(np.flatnonzero(nodes_of(search).owner == 1)[0])
    slots, visits = search.memory.slots[search.memory.slots_of(opponent)], nodes_of(search).visits[opponent]
    assert visits > 2000
    assert sorted(slots.move.tolist()) == [1, 2, 3]
    assert (visits - slots.missed) / visits == pytest.approx([2 / 3] * 3, abs=4 * math.sqrt(2 / 9 / visits))


def test_an_iteration_changes_the_trees_of_its_determinization_and_no_others():
    """Sec. 7.2: tree i is that of what player i knows in the determinization."""
    game = fs.load("kuhn")
    search = TreeSearch(game, parts(), seed=1, nodes=500)
    held: dict[tuple[int, int], int] = {}
    for deal in ((a, b) for a in range(3) for b in range(3) if a != b):
        stack = [dealt("kuhn", *deal)]
        while stack:
            state = stack.pop()
            if not state.over:
                held[mix(state.key(state.actor), state.actor)] = state.actor, deal[state.actor]
                stack += [_after(state, move) for move in state.moves()]
    for number in range(100):
        before = nodes_of(search).visits.copy()
        deal = [(0, 1), (0, 2)][number % 2]
        search.run(Roots([dealt("kuhn", *deal)]), 0, simulations=1)
        after = nodes_of(search)
        changed = after[after.visits != np.pad(before, (0, len(after) - len(before)))]
        assert {held[int(key)] for key in changed.key} <= {(0, deal[0]), (1, deal[1])}
        assert len(changed) > 0


def _after(state, move):
    after = state.copy()
    after.play(move)
    return after


def test_who_sees_all_never_loses_a_phantom_game_that_is_drawn_with_open_eyes():
    """Sec. 6.3.2, where it held in 37,880 games on a larger board."""
    game = fs.load("phantom_tic_tac_toe")
    for deal in range(12):
        seats = ["cheating-uct(determinizations=1,simulations=1500)", "mo-ismcts(simulations=100)"]
        won = fs.play_game(game, seats if deal % 2 else seats[::-1], deal=deal, seed=deal)
        assert won.utilities[0 if deal % 2 else 1] >= 0


def test_uct_on_information_sets_of_kuhn_poker_is_mixed_and_no_equilibrium():
    """Sec. 5.2.3 and 9.2: nothing is guaranteed where information is hidden."""
    game = fs.load("kuhn")
    search = TreeSearch(game, parts(), seed=2, nodes=500)
    far = [point.nash_conv for point in convergence(game, search, [100_000, 400_000], by="visits")]
    assert min(far) > 0.02
    shares = [
        tries / tries.sum()
        for tries in (search.memory.slots.tries[search.memory.slots_of(n)] for n in range(len(nodes_of(search))))
    ]
    assert sum(0.1 < share[0] < 0.9 for share in shares) >= 3


# --- ICARUSes
# --------------------------------------------------------------------------------------


class BaselineOfHiddenCards:
    """ICARUS-MCTS with the baseline (Algorithm 8, Specification 1), as printed, where moves are seen by all and what
    was dealt is not: records are histories of moves, and the root is known beforehand."""

    def __init__(self, root, seed):
        self.root, self.rng, self.theta = root, np.array([seed], np.uint64), {(): (np.zeros(2), 1)}
        low, high = root.game.about.utility
        self.reward = lambda pay: (np.array(pay) - low) / (high - low)

    def simulate(self):
        state, h, expanded = self.root.copy(), (), None
        state.resample(0, self.rng)
        while not state.over:
            legal, who = state.moves(), state.actor
            if expanded is None:
                records = [self.theta.get((*h, a), (None, 0)) for a in legal]
                m = sum(n for _, n in records)
                bounds = [q[who] / n + 0.7 * math.sqrt(math.log(m) / n) if n else math.inf for q, n in records]
                best = [a for a, b in zip(legal, bounds, strict=True) if b == max(bounds)]
                a = best[pick(self.rng, len(best)) if len(best) > 1 else 0]
            else:
                a = legal[pick(self.rng, len(legal))]
            h = (*h, a)
            expanded = len(h) if expanded is None and h not in self.theta else expanded
            state.play(a)
        for i in range((expanded or len(h)) + 1):
            q, n = self.theta.get(h[:i], (np.zeros(2), 0))
            self.theta[h[:i]] = q + self.reward(state.payoff()), n + 1


def test_the_baseline_is_mo_ismcts_with_ucb1_where_cards_are_hidden():
    """Sec. 8.2.1, in Kuhn poker, iteration by iteration with the same random numbers."""
    root = dealt("kuhn", 1, 0)
    printed, search = BaselineOfHiddenCards(root, 9), TreeSearch(root.game, parts(view="observer"), seed=9, nodes=500)
    roots = Roots([root], redraw=True)
    for _ in range(300):
        printed.simulate()
        search.run(roots, 0, simulations=1)
        slots = search.memory.slots[search.memory.slots_of(0)]
        want = [printed.theta.get((int(a),), (np.zeros(2), 0)) for a in slots.move]
        assert slots.tries.tolist() == [n for _, n in want]
        assert slots.total.tolist() == pytest.approx([q[0] for q, _ in want])
        assert search.rng[0] == printed.rng[0]


def test_a_sequential_combination_with_play_at_random_is_the_baseline(tmp_path):
    """Sec. 8.2.4: what is right of the sign acts in simulation nodes alone, and there the baseline is uniform."""
    own = tmp_path / "at_random.py"
    own.write_text(
        "from fogspiel.game import pick\nACTS = 'playout'\n\ndef policy(game, search, s, n):\n    return "
        "pick(search.rng, n)\n"
    )
    game, told = fs.load("tic_tac_toe", debug=True), []
    for expression in ("baseline", str(own)):
        search = uncompiled(search_for(game, expression, seed=4))
        search.run(Roots([game.start()]), 0, simulations=60)
        told.append((search.moves(game.start(), 0), int(search.rng[0])))
    assert told[0] == told[1]


def test_a_maxilinear_combination_without_weight_is_the_baseline():
    """Sec. 8.2.4 with lambda = 0."""
    search = PlainSearch(search_for(f"{TREE}(tree=[0,0,[1,2]])", "rave").search)
    search.rave.k, search.nodes[0].visits = 0, 9
    for i, bound in enumerate((0.3, 0.8, math.inf)):
        search.slot[i], search.prob[i] = i, bound
        search.slots[i].amaf_total, search.slots[i].amaf_tries = 5 - i, 6
    Rave.bound(search, search.nodes[0], 3)
    assert [search.prob[i] for i in range(3)] == [0.3, 0.8, math.inf]


TRAP = "[0,0,[[1,0,[[0,0,[10,-10]],[0,0,[-10,-10]]]],[1,0,[[0,0,[0,-10]],[0,0,[10,5]]]]]]"
"""Move 1 is worth a draw, and move 0, in which a win lies, loses to the answer 1."""
ENHANCED = [mixed for size in range(4) for mixed in combinations(("mast", "lgrf", "epic"), size)]


@pytest.mark.parametrize("tree", ["baseline", "rave(k=5)"])
@pytest.mark.parametrize("playout", ENHANCED, ids="+".join)
def test_all_combinations_of_table_8_1_come_to_the_minimax_move(tree, playout):
    """Theorem 1: EPIC, RAVE, MAST and LGRF, in all ways; un-compiled, as there are sixteen."""
    search = uncompiled(search_for(f"{TREE}(tree={TRAP})", f"{tree}>{'+'.join(playout)}" if playout else tree))
    root = search.game.start()
    search.run(Roots([root]), 0, simulations=200)
    early = search.moves(root, 0)[1].visits
    search.run(Roots([root]), 0, simulations=200)
    late = search.moves(root, 0)[1].visits - early
    assert late > max(early, 0.85 * 200)


@pytest.mark.parametrize("expression", ["mast", "nast", "epic"])
def test_every_move_of_a_simulation_is_captured_once(expression):
    """Specifications 3, 5 and 7: xi has a visit for each move of the playout, with no cut-off."""
    search = uncompiled(search_for("mini_dou_di_zhu", expression))
    search.run(Roots([dealt("mini_dou_di_zhu", *first_deal())], redraw=True), 0, simulations=40)
    own = getattr(search.search, expression)
    records = search.search.array(f"{expression}_records")[: own.used]
    assert records["tries"].sum() == search.counts.depth + search.counts.played > 400


@pytest.mark.parametrize("expression", ["epic", "mast+epic"])
def test_what_was_available_is_captured_whichever_policy_moves(expression):
    """Specification 7: xi has a chance for each legal move that has a record, at every move of the simulation."""
    root = dealt("mini_dou_di_zhu", *first_deal())
    search = uncompiled(search_for(root.game, expression))
    known: set[int] = set()
    for _ in range(25):
        search.run(Roots([root]), 0, simulations=1)
        state, there = root.copy(), 0
        own = search.search
        for i in range(int(own.line.length)):
            at = int(own.array("positions")[i])
            there += sum(by_position(at, state.actor, move) in known for move in state.moves())
            state.play(int(own.array("moved")["move"][i]))
        assert own.epic.available == there
        known = {int(key) for key in own.array("epic_records")["key"][: own.epic.used]}
    assert there > 20


def test_mast_has_one_value_for_all_cards_of_the_searcher_in_hearts():
    """Sec. 8.4: after passing, every simulation plays all of them, so that MAST tells none of them from another."""
    game, rng = fs.load("hearts"), np.random.default_rng(5)
    state = game.start()
    while state.view.phase != game.module.PLAYING or len(state.moves()) < 3:
        state.play(int(rng.choice(state.moves())))
    who, hand = state.actor, int(state.view.hand[state.actor])
    search = uncompiled(search_for(game, "mast"))
    search.run(Roots([state], redraw=True), who, simulations=15)
    cards = {card: mix(who, card) for card in range(52) if hand >> card & 1}
    values = set(averages(PlainSearch(search.search), "mast", cards).values())
    assert len(values) == 1
    assert values.pop()[1] == 15


EPISODIC = [file.stem for file in Path(games.__file__).parent.glob("*.py") if "\ndef episode(" in file.read_text()]


@pytest.mark.parametrize("name", sorted(EPISODIC))
def test_episodes_divide_a_game(name):
    """Sec. 8.3: where the first decision begins an episode, or lies in one, every state after it lies in exactly
    one."""
    game, rng = fs.load(name), np.random.default_rng(1)
    state, labels = game.start(), []
    while not state.over and len(labels) < 200:
        labels.append(game.module.episode(state.view))
        assert state.actor == CHANCE or labels.count(CONTINUES) < len(labels)
        state.play(int(rng.choice(state.moves())))


def test_a_position_in_an_episode_is_what_was_played_since_it_began():
    """Sec. 8.3: pi of a history depends on the last label and what followed, and tells these apart."""
    root = dealt("mini_dou_di_zhu", *first_deal())
    search = uncompiled(search_for(root.game, "epic"))
    positions: dict[tuple, int] = {}
    for _ in range(25):
        search.run(Roots([root]), 0, simulations=1)
        state, since = root.copy(), ()
        for i in range(int(search.search.line.length)):
            label = root.game.module.episode(state.view)
            since = (label,) if label != CONTINUES else since
            at = int(search.search.array("positions")[i])
            assert positions.setdefault(since, at) == at
            move = int(search.search.array("moved")["move"][i])
            since = (*since, move)
            state.play(move)
    assert len(set(positions.values())) == len(positions) > 30
