"""Searches that the others are compared with: POMCP, Smooth UCT, GIB's card play and EPIMC, on games whose answers are
known."""

import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.online import converge
from fogspiel.experiment import Matches
from fogspiel.experiment.words import filled
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch

TIGER = Path(__file__).parent / "tiger.py"
LISTEN, LEFT, RIGHT = range(3)


def answers(game, player, moves):
    """What a player in seat 0 answers at each of its decisions in a history; its own moves there are those of the
    history."""
    player.begin(game, 0, 3)
    state, record, rng = game.start(), Record(0), np.array([5], np.uint64)
    out = []
    for move in [*moves, None]:
        record.see(state)
        if state.actor == 0:
            out.append(player.choose(observe(state, record, rng)))
            record.own.append(move)
        if move is not None:
            state.play(move)
    return out


# --- POMCP
# --------------------------------------------------------------------------------------


@cache
def optimum(left, right_by):
    """The best move of the tiger problem, and what it is worth, with so many steps left, where the tiger was heard
    behind the right door so many times more than behind the left: value iteration on beliefs."""
    if left == 0:
        return None, 0.0
    odds = (0.85 / 0.15) ** right_by
    right = odds / (1 + odds)
    heard = 0.85 * right + 0.15 * (1 - right)
    worth = {
        LISTEN: -1 + heard * optimum(left - 1, right_by + 1)[1] + (1 - heard) * optimum(left - 1, right_by - 1)[1],
        LEFT: 10 * right - 100 * (1 - right),
        RIGHT: 10 * (1 - right) - 100 * right,
    }
    best = max(worth, key=worth.__getitem__)
    return best, worth[best]


@pytest.mark.parametrize("heard", [(0, 0), (1, 1), (0, 1)])
def test_pomcp_finds_the_optimum_of_the_tiger_problem(heard):
    game = fs.load(f"{TIGER}(steps=3)")
    history = [0, LISTEN, heard[0], LISTEN, heard[1]]
    so_far = [0, *np.cumsum([1 if door else -1 for door in heard])]
    want = [optimum(3 - step, int(by))[0] for step, by in enumerate(so_far)]
    assert want[:2] == [LISTEN, LISTEN]
    assert answers(game, fs.agent("pomcp(simulations=3000)"), history) == want


def test_the_particles_of_pomcp_are_the_posterior():
    """After one noise from the left the tiger is there with probability 0.85, after two with 0.97."""
    game = fs.load(f"{TIGER}(steps=4)")
    player = fs.agent("pomcp(simulations=8000,anew=0,belief=usual(replays=4000))")
    for heard, right in (([0], 0.85), ([0, 0], 0.85**2 / (0.85**2 + 0.15**2))):
        answers(game, player, [1, *(move for door in heard for move in (LISTEN, door))])
        left = np.mean([state.view.tiger == 0 for state in player.belief.reached])
        assert len(player.belief.reached) > 500
        assert left == pytest.approx(right, abs=0.03)


def test_pomcp_makes_up_for_particles_that_are_missing():
    game = fs.load(f"{TIGER}(steps=3)")
    player = fs.agent("pomcp(simulations=12,fewest=40)")
    answers(game, player, [0, LISTEN, 0])
    assert 0 < len(player.belief.reached) < 10
    assert len(player.roots.states) == 40


# --- Smooth UCT
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "simulations", "near", "far"), [("kuhn", 500_000, 0.01, 0.03), ("leduc", 1_000_000, 0.45, 0.7)]
)
def test_smooth_uct_approaches_equilibrium_where_uct_does_not(game, simulations, near, far):
    """Heinrich and Silver 2015, on their two games."""
    smooth = converge(game, "smooth-uct", [simulations // 10, simulations], seed=1)
    uct = converge(game, "mcts", [simulations], seed=1)
    assert smooth[1].nash_conv < near < smooth[0].nash_conv
    assert uct[0].nash_conv > far


def test_smooth_uct_plays_what_the_whole_game_does_not_reach_from_what_it_believes():
    game = fs.load("phantom_tic_tac_toe")
    player = fs.agent("smooth-uct(simulations=30)")
    answers(game, player, [4, 0, 1, 8, 2])
    assert sum(m.visits for m in player.found) >= 30


# --- GIB
# --------------------------------------------------------------------------------------


def double_dummy(state, player):
    """What a state is worth to a player of a zero-sum game where all cards are open: minimax as it is defined."""
    if state.over:
        return state.payoff()[player]
    values = []
    for move in state.moves():
        after = state.copy()
        after.play(move)
        values.append(double_dummy(after, player))
    if state.actor < 0:
        return sum(p * v for (_, p), v in zip(state.chance(), values, strict=True))
    return max(values) if state.actor == player else min(values)


def test_gib_plays_the_move_of_the_highest_double_dummy_sum_and_scores_no_more_than_it_must():
    game, rng = fs.load("leduc"), np.random.default_rng(2)
    player = fs.agent("gib(determinizations=12)")
    player.begin(game, 1, 1)
    spared = 0
    for _ in range(20):
        state = game.start()
        while state.actor != 1:
            state = game.start() if state.over else state
            state.play(int(rng.choice(state.moves())))
        moves = tuple(state.moves())
        player.belief.update(Record(1, [state.key(1)], [], [state.key(-1)]), state)
        deals = player._deals()
        want = dict.fromkeys(moves, 0.0)
        for deal, count in deals:
            for move in moves:
                after = deal.copy()
                after.play(move)
                want[move] += count * double_dummy(after, 1)
        totals, scored = player.judge(deals, moves)
        best = [move for move in moves if want[move] == pytest.approx(max(want.values()))]
        leaders = [move for move in moves if scored[move] == max(scored.values())]
        assert max(leaders, key=totals.__getitem__) in best
        assert all(totals[move] == pytest.approx(want[move]) for move in moves if scored[move] == 12)
        spared += sum(12 - scored[move] for move in moves)
    assert spared > 0


def test_gib_is_fooled_by_strategy_fusion():
    """It takes a1 for a certain win, since with the world open it is."""
    thought = fs.think("strategy_fusion", "gib", seed=1)
    assert {m.name: m.value for m in thought.moves} == {"a1": 1, "a2": 0.5}


# --- EPIMC
# --------------------------------------------------------------------------------------


def test_epimc_repairs_the_strategy_fusion_of_perfect_information_monte_carlo():
    """With everything seen after the first move it is fooled, as that is; a move later it is not."""
    for depth, best, worth in ((1, "a1", 1), (2, "a2", 0.5)):
        thought = fs.think("strategy_fusion", f"epimc(depth={depth},simulations=2000)", seed=1)
        assert (thought.moves[0].name, thought.moves[0].value) == (best, pytest.approx(worth, abs=0.05))


def test_epimc_that_never_sees_all_is_search_on_information_sets_bit_for_bit():
    game = fs.load("leduc")
    state = game.start()
    for move in state.moves()[:1]:
        state.play(move)
    state.play(state.moves()[1])
    memories = []
    for chosen in (parts(view="postponed", depth=10**6), parts()):
        search = TreeSearch(game, chosen, seed=4, nodes=5000)
        search.run(Roots([state], redraw=True), 0, simulations=2000)
        memories.append(
            (
                search.memory.nodes[: search.memory.node_count].tobytes(),
                search.memory.slots[: search.memory.slot_count].tobytes(),
            )
        )
    assert memories[0] == memories[1]


# --- all of them, compared
# --------------------------------------------------------------------------------------


def test_the_comparison_of_searches_names_agents_that_are_there_with_equal_simulations():
    declared = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "hidden_information.py"))
    experiments = [value for value in declared.values() if isinstance(value, Matches)]
    assert len(experiments) == 6
    for size in experiments[0].scales.values():
        for spec in experiments[0].agents.values():
            one = fs.agent(filled(spec, size.words))
            worlds = one.parameters["determinizations"] if one.name.startswith("pimc") else 1
            assert one.name.startswith("gib") or worlds * one.parameters["simulations"] == size.words["simulations"]
