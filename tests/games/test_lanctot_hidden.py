"""The games of Lanctot 2013 with hidden information: one-card poker, die-roll poker, princess and monster, latent tic-tac-toe."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linprog

import fogspiel as fs
from fogspiel.errors import SpecError
from fogspiel.game import CHANCE, PUBLIC


def played(game, *line):
    state = game.start()
    for move in line:
        state.play(move)
    return state


def generator(seed):
    return np.array([seed], np.uint64)


# ---- one-card poker

PASS, BET = 0, 1


@pytest.mark.parametrize("cards", [3, 13, 500])
def test_one_card_poker_has_four_information_sets_a_card_and_nine_histories_a_deal(cards):
    tree = fs.unroll(f"one_card_poker(cards={cards})")
    deals = cards * (cards - 1)
    assert (tree.infosets, tree.pairs) == (4 * cards, 8 * cards)
    assert (tree.size, tree.terminals) == (9 * deals + cards + 1, 5 * deals)
    assert tree.utility == (-2, 2)


def test_three_cards_have_the_value_of_kuhn_poker():
    assert fs.solve("one_card_poker(cards=3)", "lp").value[0] == pytest.approx(-1 / 18, abs=1e-9)


def test_folds_cost_the_ante_and_showdowns_one_or_two():
    game = fs.load("one_card_poker(cards=5)")
    assert played(game, 4, 0, BET, PASS).payoff() == played(game, 0, 4, BET, PASS).payoff() == [1, -1]
    assert played(game, 4, 0, PASS, BET, PASS).payoff() == [-1, 1]
    assert played(game, 4, 0, PASS, PASS).payoff() == [1, -1]
    assert played(game, 1, 2, BET, BET).payoff() == [-2, 2]
    assert played(game, 3, 2, PASS, BET, BET).payoff() == [2, -2]


def assert_same_tree(ours, theirs):
    """Both trees walked together: actors, chances, numbers of moves, information sets one to one, payoffs."""
    to_text, to_key = {}, {}
    todo = [(ours.start(), theirs.new_initial_state())]
    while todo:
        state, other = todo.pop()
        if state.over:
            assert other.is_terminal()
            assert state.payoff() == other.returns()
            continue
        who = state.actor
        assert other.is_chance_node() if who == CHANCE else other.current_player() == who
        if who == CHANCE:
            assert [p for _, p in state.chance()] == pytest.approx([p for _, p in other.chance_outcomes()])
        else:
            key, text = (who, state.key(who)), (who, other.information_state_string(who))
            assert to_text.setdefault(key, text) == text
            assert to_key.setdefault(text, key) == key
        for move, action in zip(state.moves(), other.legal_actions(), strict=True):
            child = state.copy()
            child.play(move)
            todo.append((child, other.child(action)))


def test_three_cards_play_as_openspiels_kuhn_poker():
    pyspiel = pytest.importorskip("pyspiel")
    assert_same_tree(fs.load("one_card_poker(cards=3)"), pyspiel.load_game("kuhn_poker"))


@pytest.mark.parametrize("cards", [4, 13])
def test_more_cards_play_as_openspiels_universal_poker(cards):
    pyspiel = pytest.importorskip("pyspiel")
    rules = {
        "betting": "limit", "numPlayers": 2, "numRounds": 1, "blind": "1 1", "raiseSize": "1", "firstPlayer": "1",
        "maxRaises": "1", "numSuits": 1, "numRanks": cards, "numHoleCards": 1, "numBoardCards": "0",
    }  # fmt: skip
    assert_same_tree(fs.load(f"one_card_poker(cards={cards})"), pyspiel.load_game("universal_poker", rules))


# ---- die-roll poker

FOLD, CALL, RAISE = 0, 1, 2


@pytest.mark.parametrize(("open_fold", "pairs", "abstract"), [("yes", 2610, 860), ("no", 2604, 854)])
def test_die_roll_poker_has_the_sizes_of_table_5_1(open_fold, pairs, abstract):
    """With the fold before the first bet as printed; the rules as they are worded have six pairs less."""
    full = fs.unroll(f"die_roll_poker(open_fold={open_fold})")
    assert (full.pairs, full.abstract_pairs, full.infosets) == (pairs, pairs, 1116)
    forgetful = fs.unroll(f"die_roll_poker(open_fold={open_fold},recall=sum)")
    assert (forgetful.pairs, forgetful.abstract_pairs, forgetful.abstract_infosets) == (pairs, abstract, 366)
    assert full.utility == (-13, 13)
    assert full.zero_sum


def test_with_recall_of_the_sum_the_first_die_is_known_in_the_first_round_only():
    game = fs.load("die_roll_poker(recall=sum)")
    low, high = played(game, 1, 3), played(game, 5, 3)
    assert low.situation(0) != high.situation(0)
    for state, second in ((low, 5), (high, 1)):
        for move in (CALL, CALL, second, 2):
            state.play(move)
    assert low.situation(0) == high.situation(0)
    assert low.key(0) != high.key(0)
    assert low.situation(0) != played(game, 1, 3, CALL, CALL, 4, 2).situation(0)
    assert low.situation(0) != played(game, 1, 3, RAISE, CALL, 5, 2).situation(0)
    full = fs.load("die_roll_poker")
    for line in ((1, 3), (1, 3, CALL, CALL, 5, 2)):
        assert played(full, *line).situation(0) == played(full, *line).key(0)


# The betting of a round: a letter a move, and what each player has put in when it is over, counted in raises.
CALLED = {"cc": 0, "rc": 1, "crc": 1, "rrc": 2, "crrc": 2}
FOLDED = {"rf": (1, 0), "crf": (0, 1), "rrf": (1, 2), "crrf": (2, 1)}


def lines_of_betting():
    """All betting as strings of moves by round, with what both have paid at the end and who folded, if anyone."""
    yield ("f",), (1, 1), 0
    for first, a in CALLED.items():
        for second, b in CALLED.items():
            yield (first, second), (1 + 2 * a + 4 * b,) * 2, None
        for second, paid in FOLDED.items():
            folded = int(paid[1] < paid[0])
            yield (first, second), tuple(1 + 2 * a + 4 * p for p in paid), folded
    for first, paid in FOLDED.items():
        yield (first,), tuple(1 + 2 * p for p in paid), int(paid[1] < paid[0])


def test_every_line_of_betting_pays_as_the_rules_say():
    game = fs.load("die_roll_poker(faces=3,skew=0.25)")
    ends = 0
    for dice in itertools.product((1, 2, 3), repeat=4):
        for rounds, paid, folded in lines_of_betting():
            if folded is not None and len(rounds) == 1 and dice[2:] != (1, 1):
                continue  # the second dice are not rolled
            moves = [[FOLD if c == "f" else CALL if c == "c" else RAISE for c in line] for line in rounds]
            line = [*dice[:2], *moves[0], *(itertools.chain(dice[2:], moves[1]) if len(moves) > 1 else ())]
            won = -paid[0] if folded == 0 else paid[1]
            if folded is None:
                mine, yours = dice[0] + dice[2], dice[1] + dice[3]
                won = paid[0] * np.sign(mine - yours) + (0.25 * sum(paid) if dice[2] == 2 else 0)
            assert played(game, *line).payoff() == [won, -won]
            ends += 1
    assert ends == fs.unroll(game).terminals


def test_folding_before_the_first_bet_never_pays():
    values = [fs.solve(f"die_roll_poker(faces=3,open_fold={word})", "lp").value[0] for word in ("yes", "no")]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


# ---- princess and monster

GRID = {
    0: (1, 3),
    1: (0, 2, 4),
    2: (1, 5),
    3: (0, 4, 6),
    4: (1, 3, 5, 7),
    5: (2, 4, 8),
    6: (3, 7),
    7: (4, 6, 8),
    8: (5, 7),
}
CIRCLE = {i: ((i - 1) % 8, (i + 1) % 8) for i in range(8)}
APART = [(a, b) for a in range(9) for b in range(9) if a != b]
PURSUITS = [
    ("princess_and_monster(time=2)", GRID, APART, 2),
    ("princess_and_monster(time=2,stay=yes)", {a: (a, *near) for a, near in GRID.items()}, APART, 2),
    ("princess_and_monster(time=3,start=opposite)", GRID, [(0, 8)], 3),
    ("princess_and_monster(graph=circle,size=8,start=opposite,time=5)", CIRCLE, [(0, 4)], 5),
    ("princess_and_monster(graph=circle,size=8,time=2)", CIRCLE, [(a, b) for a in range(8) for b in range(8) if a != b], 2),
]  # fmt: skip


def walks(near, node, steps):
    if steps == 0:
        return [(node,)]
    return [(node, *rest) for after in near[node] for rest in walks(near, after, steps - 1)]


def meeting(monster, princess):
    """The number of moves, of both together, after which two walks first meet; None if they do not."""
    for moved in range(len(monster) + len(princess) - 1):
        if monster[(moved + 1) // 2] == princess[moved // 2]:
            return moved
    return None


@pytest.mark.parametrize(("spec", "near", "starts", "time"), PURSUITS)
def test_the_tree_of_a_pursuit_has_every_pair_of_walks_up_to_the_meeting(spec, near, starts, time):
    histories, ends, sets = set(), set(), set()
    for a, b in starts:
        for monster, princess in itertools.product(walks(near, a, time), walks(near, b, time)):
            met = meeting(monster, princess) or 2 * time
            ends.add((monster[: (met + 1) // 2 + 1], princess[: met // 2 + 1]))
            for moved in range(met + 1):
                histories.add((monster[: (moved + 1) // 2 + 1], princess[: moved // 2 + 1]))
            for moved in range(met):
                sets.add((moved % 2, (monster, princess)[moved % 2][: moved // 2 + 1]))
    tree = fs.unroll(spec)
    dealing = 0 if len(starts) == 1 else 1 + len({a for a, _ in starts})
    assert (tree.size, tree.terminals, tree.infosets) == (len(histories) + dealing, len(ends), len(sets))


@pytest.mark.parametrize(("spec", "near", "starts", "time"), PURSUITS)
def test_the_value_of_a_pursuit_is_that_of_choosing_whole_walks(spec, near, starts, time):
    """Neither sees anything, so a strategy is a mixture of walks for each start: a small linear program of its own."""
    monsters = [walk for a in sorted({a for a, _ in starts}) for walk in walks(near, a, time)]
    princesses = [walk for b in sorted({b for _, b in starts}) for walk in walks(near, b, time)]
    pay = np.zeros((len(princesses), len(monsters)))
    for (i, princess), (j, monster) in itertools.product(enumerate(princesses), enumerate(monsters)):
        if (monster[0], princess[0]) in starts:
            met = meeting(monster, princess)
            pay[i, j] = (-time if met is None else time - (met - 1) // 2 + 1) / len(starts)
    of_start = lambda ws: np.array([[w[0] == a for w in ws] for a in sorted({w[0] for w in ws})], float)  # noqa: E731
    mine, hers = of_start(monsters), of_start(princesses)
    # the monster's mixtures x, and for each start of hers the least v that it gets from her best walk
    solved = linprog(
        np.r_[np.zeros(len(monsters)), -np.ones(len(hers))],
        A_ub=np.c_[-pay, hers.T],
        b_ub=np.zeros(len(princesses)),
        A_eq=np.c_[mine, np.zeros((len(mine), len(hers)))],
        b_eq=np.ones(len(mine)),
        bounds=[(0, None)] * len(monsters) + [(None, None)] * len(hers),
    )
    assert fs.solve(spec, "lp").value[0] == pytest.approx(-solved.fun, abs=1e-7)


def test_a_capture_pays_more_the_sooner_it_comes():
    game = fs.load("princess_and_monster(time=3)")
    assert played(game, 0, 1, 1).payoff() == [4, -4]
    assert played(game, 0, 4, 1, 1).payoff() == [4, -4]
    assert played(game, 0, 8, 1, 5, 2, 2).payoff() == [3, -3]
    assert played(game, 0, 8, 1, 7, 4, 8, 7, 5).payoff() == [-3, 3]
    assert played(game, 0, 8, 1, 7, 4, 8, 5, 5).payoff() == [2, -2]


def test_in_the_dark_a_player_knows_its_own_walk_only():
    game = fs.load("princess_and_monster(time=3)")
    here, there = played(game, 0, 8, 1, 7), played(game, 0, 4, 1, 5)
    assert here.key(0) == there.key(0)
    assert here.key(1) != there.key(1)
    assert here.key(PUBLIC) == there.key(PUBLIC)


@pytest.mark.parametrize("player", [0, 1])
def test_walks_in_the_dark_are_redrawn_as_likely_as_random_moves_make_them(player):
    own = (4, 1, 0)
    alike = {}
    for walk in itertools.chain.from_iterable(walks(GRID, start, 2) for start in GRID):
        if meeting(*((own, walk) if player == 0 else (walk, own))) is None:
            alike[walk] = 1 / (len(GRID[walk[0]]) * len(GRID[walk[1]]))
    both = (own, (8, 5, 8)) if player == 0 else ((8, 5, 8), own)
    state = played(fs.load("princess_and_monster(time=3)"), *itertools.chain(*zip(*both, strict=True)))
    draws, rng = Counter(), generator(3)
    for _ in range(20_000):
        state.resample(player, rng)
        draws[walks_of(state)[1 - player]] += 1
    assert set(draws) == set(alike)
    total = sum(alike.values())
    assert sum(abs(w / total - draws[walk] / draws.total()) for walk, w in alike.items()) / 2 < 0.03


def walks_of(state):
    """Where both have been, by what the full view shows."""
    lines = state.show().splitlines()[1:]
    return [tuple(3 * (int(name[1]) - 1) + "abc".index(name[0]) for name in line.split()[1:]) for line in lines]


def test_a_flight_that_hardly_ever_succeeds_is_redrawn_all_the_same():
    """On a triangle each must move to the one free node; at random they do so for 29 rounds once in 2^58 times."""
    state = played(fs.load("princess_and_monster(graph=circle,size=3,time=30)"), 0, 1)
    monster, princess, free = 0, 1, 2
    for _ in range(29):
        monster, free = free, monster
        state.play(monster)
        princess, free = free, princess
        state.play(princess)
    assert not state.over
    for player in range(2):
        drawn = state.copy()
        drawn.resample(player, generator(1))
        assert drawn.key(player) == state.key(player)
        assert drawn.show() == state.show()


def test_a_grid_too_large_is_refused():
    with pytest.raises(SpecError, match="a grid of 8 by 8 nodes is too large"):
        fs.load("princess_and_monster(size=8)")


# ---- latent tic-tac-toe

ROTATED = (6, 3, 0, 7, 4, 1, 8, 5, 2)
MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def symmetries():
    """The eight ways to lay the board: for each square, where it comes from."""
    way = tuple(range(9))
    for _ in range(4):
        way = tuple(way[i] for i in ROTATED)
        yield way
        yield tuple(way[i] for i in MIRRORED)


@pytest.mark.parametrize(
    ("ends", "histories", "terminals", "infosets"),
    [("shown", 102_090_259, 44_003_424, 28_965_620), ("written", 58_086_835, 29_121_216, 18_638_492)],
)
def test_latent_tic_tac_toe_has_its_number_of_histories(ends, histories, terminals, infosets):
    """Counted over positions, since what follows does not depend on the order of the stones, nor on how the board lies.

    Who is to move knows all moves but the last; so there is an information set for every history after which some move
    does not end the game, and one at the start.
    """
    ways, counts = list(symmetries()), {}

    def count(state):
        if state.over:
            return np.array([1, 1, 0])
        squares = [3 * stone for stone in state.view.board]
        if state.view.written >= 0:
            squares[state.view.written] += 1
        position = (state.actor, *max([squares[i] for i in way] for way in ways))
        if position not in counts:
            total, goes_on = np.array([1, 0, 0]), 0
            for move in state.moves():
                child = state.copy()
                child.play(move)
                total += count(child)
                goes_on |= not child.over
            counts[position] = total + np.array([0, 0, goes_on])
        return counts[position]

    assert count(fs.load(f"latent_tic_tac_toe(ends={ends})").start()).tolist() == [histories, terminals, infosets - 1]


def test_latent_moves_end_the_game_when_written_as_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    if "latent_ttt" not in pyspiel.registered_names():
        pytest.skip("this OpenSpiel has no latent_ttt")
    game, peer, rng = fs.load("latent_tic_tac_toe(ends=written)"), pyspiel.load_game("latent_ttt"), random.Random(5)
    to_text, to_key = {}, {}
    for _ in range(2000):
        state, other = game.start(), peer.new_initial_state()
        while not state.over:
            who = state.actor
            assert other.current_player() == who
            assert state.moves() == other.legal_actions()
            key, text = (who, state.key(who)), (who, other.information_state_string(who))
            assert to_text.setdefault(key, text) == text
            assert to_key.setdefault(text, key) == key
            move = rng.choice(state.moves())
            state.play(move)
            other.apply_action(move)
        assert other.is_terminal()
        assert state.payoff() == other.returns()


def test_the_latest_move_is_hidden_from_who_is_to_move_and_shown_a_turn_later_even_if_lost():
    game = fs.load("latent_tic_tac_toe")
    assert played(game, 4).key(1) == played(game, 0).key(1)
    assert played(game, 4).key(0) != played(game, 0).key(0)
    assert played(game, 4, 0).key(1) != played(game, 8, 0).key(1)
    lost, other = played(game, 4, 4, 0), played(game, 4, 8, 0)
    assert lost.key(0) != other.key(0)
    assert list(lost.view.board) == [-1, -1, -1, -1, 0, -1, -1, -1, -1]
    assert lost.moves() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_a_line_wins_when_its_last_square_is_shown_or_when_it_is_written():
    line = (0, 3, 1, 4, 2)
    for ends, over in (("shown", False), ("written", True)):
        state = played(fs.load(f"latent_tic_tac_toe(ends={ends})"), *line)
        assert state.over == over
        if not over:
            state.play(5)
        assert state.payoff() == [1, -1]


def test_a_board_filled_without_a_line_is_a_draw():
    # X X O / O O X / X O X
    state = played(fs.load("latent_tic_tac_toe(ends=written)"), 0, 2, 1, 3, 5, 4, 6, 7, 8)
    assert state.over
    assert state.payoff() == [0, 0]


@pytest.mark.parametrize("ends", ["shown", "written"])
def test_a_hidden_move_may_be_any_that_was_legal_and_did_not_end_the_game(ends):
    game = fs.load(f"latent_tic_tac_toe(ends={ends})")
    before, rng = played(game, 4, 0, 8, 1, 5), generator(2)
    assert before.actor == 1
    possible = {}
    for move in before.moves():
        state = before.copy()
        state.play(move)
        if not state.over:
            possible[move] = state
    assert set(possible) == {2, 3, 5, 6, 7} - ({2} if ends == "written" else set())
    state = next(iter(possible.values()))
    draws = Counter()
    for _ in range(5000):
        state.resample(0, rng)
        draws[state.view.written] += 1
        assert bytes(state.data) == bytes(possible[state.view.written].data)
    assert set(draws) == set(possible)
    assert max(draws.values()) < 1.2 * min(draws.values())
