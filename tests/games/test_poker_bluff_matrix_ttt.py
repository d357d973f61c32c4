"""Poker, bluff, matrix games, tic-tac-toe and its phantom: sizes from the literature, and play as in OpenSpiel."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import SpecError
from fogspiel.game import CHANCE, OVER, PUBLIC
from fogspiel.game.load import load
from fogspiel.game.playout import playouts
from fogspiel.game.table import ROOT, SIZE, actor, copy_state, infoset, moves, play

SPECS = [
    "poker",
    "poker(suits=3,see_suits=yes,rounds=3)",
    "poker(ranks=6,suits=4,bets=4,raises=4)",
    "bluff",
    "bluff(dice1=2,dice2=3,faces=4,rounds=match)",
    "bluff(wild=no,dice1=5,dice2=5)",
    "matrix",
    "matrix(payoffs=[[1,2,3],[4,5,6]],payoffs2=[[0,0,1],[1,0,2]])",
    "tic_tac_toe",
    "phantom_tic_tac_toe",
    "phantom_tic_tac_toe(start=forced_centre)",
    "phantom_tic_tac_toe(retry=no)",
    "phantom_tic_tac_toe(retry=no,start=forced_centre)",
]


def played(game, *line):
    state = game.start()
    for move in line:
        state.play(move)
    return state


def random_states(game, games, seed):
    """The states of a few games played at random, chance included."""
    rng = random.Random(seed)
    for _ in range(games):
        state = game.start()
        while True:
            yield state
            if state.over:
                break
            state = state.copy()
            outcomes = state.chance() if state.actor == CHANCE else [(move, 1) for move in state.moves()]
            state.play(rng.choices([m for m, _ in outcomes], [p for _, p in outcomes])[0])


def census(game):
    """All nodes of a small game: information sets, terminal histories, the least and the largest payoff."""
    keys, payoffs, ends = set(), set(), 0
    todo = [game.start()]
    while todo:
        state = todo.pop()
        who = state.actor
        if who == OVER:
            ends += 1
            payoffs.update(state.payoff())
            continue
        if who != CHANCE:
            keys.add((who, state.key(who)))
        for move in state.moves():
            child = state.copy()
            child.play(move)
            todo.append(child)
    return len(keys), ends, min(payoffs), max(payoffs)


def generator(seed):
    return np.array([seed], np.uint64)


@pytest.mark.parametrize("spec", SPECS)
def test_compiled_and_plain_rules_play_alike(spec):
    assert playouts(load(spec), 100, seed=7, hashed=True) == playouts(load(spec, debug=True), 100, seed=7, hashed=True)


@pytest.mark.parametrize("spec", SPECS)
def test_redrawing_hidden_things_keeps_what_the_player_knows_and_depends_on_nothing_else(spec):
    game = load(spec)
    for i, state in enumerate(random_states(game, 40, seed=1)):
        for player in range(2):
            other = state.copy()
            other.resample(player, generator(i))
            assert other.key(player) == state.key(player)
            assert other.key(PUBLIC) == state.key(PUBLIC)
            assert other.actor == state.actor
            if state.actor == player:
                assert other.moves() == state.moves()
            again, direct = other.copy(), state.copy()
            again.resample(player, generator(1000 + i))
            direct.resample(player, generator(1000 + i))
            assert bytes(again.data) == bytes(direct.data)


@pytest.mark.parametrize("spec", SPECS)
def test_every_state_can_be_shown_and_every_move_has_a_name_of_its_own(spec):
    game = load(spec)
    for state in random_states(game, 3, seed=2):
        assert state.show()
        assert state.show(0)
        assert state.show(1)
        if not state.over:
            names = [game.move_name(state, move) for move in state.moves()]
            assert len(set(names)) == len(names)


@pytest.mark.parametrize("spec", SPECS)
def test_chances_add_up_to_one(spec):
    for state in random_states(load(spec), 20, seed=3):
        if state.actor == CHANCE:
            assert math.isclose(sum(p for _, p in state.chance()), 1)


@pytest.mark.parametrize(
    ("spec", "infosets", "ends", "most"),
    [
        ("poker", 288, 1116, 13),
        ("poker(see_suits=yes)", 936, 5520, 13),
        ("poker(ranks=3,suits=3,bets=2,raises=2)", 7920, 44883, 37),
    ],
)
def test_poker_has_the_sizes_and_bounds_of_the_literature(spec, infosets, ends, most):
    game = load(spec)
    assert game.about.utility == (-most, most)
    assert census(game) == (infosets, ends, -most, most)


def test_the_large_poker_of_lisy_is_played_for_at_most_121():
    assert load("poker(ranks=6,suits=4,bets=4,raises=4)").about.utility == (-121, 121)


def test_the_bounds_of_poker_are_exact_with_three_rounds_and_with_one():
    for spec in ("poker(rounds=3)", "poker(rounds=1,bets=2,raises=0)", "poker(ranks=2,suits=2,rounds=3)"):
        game = load(spec)
        assert census(game)[2:] == game.about.utility


def test_a_deck_too_small_for_the_rounds_is_refused():
    with pytest.raises(SpecError, match="a deck of 2 cards is too small for 2 rounds, which need 3"):
        load("poker(ranks=2,suits=1)")


def test_with_two_public_cards_any_pair_beats_none_and_the_higher_pair_wins():
    game = load("poker(rounds=3)")
    jack, queen, king, check = 0, 1, 2, (1, 1)
    end = lambda hand0, hand1, *board: played(game, hand0, hand1, *check, board[0], *check, board[1], *check).payoff()  # noqa: E731
    assert end(jack, king, jack, queen) == [1, -1]
    assert end(queen, king, king, queen) == [-1, 1]
    assert end(king, queen, jack, jack) == [1, -1]
    assert end(king, king, jack, jack) == [0, 0]


def test_a_fold_loses_what_was_paid():
    game = load("poker")
    assert played(game, 2, 0, 2, 2, 0).payoff() == [-3, 3]
    assert 0 not in played(game, 2, 0).moves()


def test_bluff_has_the_sizes_of_the_literature():
    assert census(load("bluff"))[0] == 24576
    assert census(load("bluff(faces=3)"))[0] == 3 * 2**6
    assert census(load("bluff(faces=2,dice1=2,dice2=2)"))[0] == 3 * 2**8


def test_rolls_are_unordered_with_multinomial_chances():
    chances = dict(load("bluff(dice1=3,dice2=1)").start().chance())
    assert len(chances) == 56
    assert chances[111] == pytest.approx(1 / 216)
    assert chances[335] == pytest.approx(3 / 216)
    assert chances[256] == pytest.approx(6 / 216)
    assert len(load("bluff(dice1=5,dice2=5)").start().chance()) == 252


def bid(game, quantity, face):
    return game.parameters["faces"] * (quantity - 1) + face


def test_the_top_face_is_wild_unless_told_otherwise():
    game = load("bluff")
    assert played(game, 6, 3, bid(game, 2, 3), 0).payoff() == [1, -1]
    assert played(game, 6, 3, bid(game, 2, 6), 0).payoff() == [-1, 1]
    plain = load("bluff(wild=no)")
    assert played(plain, 6, 3, bid(plain, 2, 3), 0).payoff() == [-1, 1]


def test_in_a_match_dice_are_lost_by_the_difference_and_the_winner_opens():
    game = load("bluff(dice1=3,dice2=3,rounds=match)")
    off_by_two = played(game, 123, 115, bid(game, 5, 1), 0)
    assert list(off_by_two.view.dice) == [1, 3]
    exact = played(game, 123, 115, bid(game, 3, 1), 0)
    assert list(exact.view.dice) == [3, 2]
    too_low = played(game, 116, 116, bid(game, 1, 2), bid(game, 2, 1), 0)
    assert list(too_low.view.dice) == [0, 3]
    assert too_low.payoff() == [-1, 1]
    for move in (1, 111):
        off_by_two.play(move)
    assert off_by_two.actor == 1
    assert max(off_by_two.moves()) == 6 * 4


def table_of(game):
    return [[played(game, i, j).payoff() for j in played(game, i).moves()] for i in game.start().moves()]


def test_the_prisoners_dilemma_pays_as_in_lanctot():
    game = load("matrix(game=prisoners_dilemma)")
    assert table_of(game) == [[[-1, -1], [-10, 0]], [[0, -10], [-5, -5]]]
    assert not game.about.zero_sum
    assert game.about.utility == (-10, 0)


def test_a_payoff_table_is_what_player_0_gets_of_a_zero_sum_game():
    game = load("matrix(payoffs=[[0,1],[-1,0]])")
    assert table_of(game) == table_of(load("matrix(game=tie_break)")) == [[[0, 0], [1, -1]], [[-1, 1], [0, 0]]]
    assert game.about.zero_sum
    assert game.about.simultaneous
    assert game.about.utility == (-1, 1)


def test_a_second_table_makes_a_general_sum_game_of_any_size():
    game = load("matrix(payoffs=[[1,2.5,3]],payoffs2=[[0,-1e3,2]])")
    assert table_of(game) == [[[1, 0], [2.5, -1000], [3, 2]]]
    assert game.about.utility == (-1000, 3)
    assert not game.about.zero_sum


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("payoffs=[[0,1],[2]]", "the rows of payoffs must all have the same length"),
        ("payoffs=[[0,x]]", "payoffs must be a list of rows of numbers"),
        ("payoffs=[1,2]", "payoffs must be a list of rows of numbers"),
        ("payoffs=[]", "payoffs must be a list of rows of numbers"),
        ("payoffs=[[]]", "payoffs must be a list of rows of numbers"),
        ("payoffs=5", "payoffs must be a list of rows of numbers"),
        ("payoffs=[[0,'1']]", "payoffs must hold numbers of at most 1e[+]15; look at row 1, column 2"),
        ("payoffs=[[0],[1e999]]", "payoffs must hold numbers of at most 1e[+]15; look at row 2, column 1"),
        ("payoffs=[[0,True]]", "payoffs must hold numbers"),
        (f"payoffs={[[0] * 257]}", "payoffs is too large: 1 by 257, where 256 by 256 is the most"),
        ("payoffs2=[[0]]", "payoffs2 needs payoffs as well"),
        ("payoffs=[[0,1]],payoffs2=[[0],[1]]", "must be of one size, but are 1 by 2 and 2 by 1"),
    ],
)
def test_a_bad_payoff_table_is_refused_with_one_sentence(given, sentence):
    with pytest.raises(SpecError, match=sentence):
        load(f"matrix({given})")


def test_the_second_player_does_not_see_the_first_move():
    game = load("matrix")
    assert len({played(game, move).key(1) for move in range(3)}) == 1
    assert len({played(game, move).key(PUBLIC) for move in range(3)}) == 1
    assert len({played(game, move).key(0) for move in range(3)}) == 3


@kernel
def explore(game: Ints, me: Int, first: Int, stack: Words, buffer: Ints, keys: Ints, counts: Ints) -> None:
    """counts: distinct keys of player `me` at its moves, and terminal histories; of both players, if `me` is -1.

    The other player's failed tries, which `me` cannot notice, are left out. The first move of `me` is `first`, if not -1.
    """
    mask = (1 << 24) - 1
    base = address_of(stack)
    s = base + 200 * game[SIZE]
    copy_state(game, base, game[ROOT])
    start = infoset(game, base, me) if me == 0 else 0
    top = 1
    while top > 0:
        top -= 1
        copy_state(game, s, base + top * game[SIZE])
        who = actor(game, s)
        if who == OVER:
            counts[1] += 1
            continue
        n = moves(game, s, buffer, 0)
        mine = me < 0 or who == me
        opening = False
        if mine:
            key = infoset(game, s, who)
            if me == 1 and start == 0:
                start = key
            opening = key == start
            at = key & mask
            while keys[at] != 0 and keys[at] != key:
                at = (at + 1) & mask
            if keys[at] == 0:
                keys[at] = key
                counts[0] += 1
        for i in range(n):
            if opening and first >= 0 and buffer[i] != first:
                continue
            t = base + top * game[SIZE]
            copy_state(game, t, s)
            play(game, t, buffer[i])
            if mine or actor(game, t) != who:
                top += 1


def explored(game, me=-1, first=-1):
    counts = np.zeros(2, np.int64)
    stack = np.zeros(201 * game.dtype.itemsize // 8, np.uint64)
    explore(game.table, me, first, stack, game.buffer(), np.zeros(1 << 24, np.int64), counts)
    return counts.tolist()


def test_tic_tac_toe_has_its_known_number_of_games():
    assert explored(load("tic_tac_toe")) == [294778, 255168]


def test_phantom_tic_tac_toe_has_its_known_number_of_information_sets():
    """Of the first squares to try, four corners are alike and four edges; each player has one set before its first try."""
    game = load("phantom_tic_tac_toe")
    total = 0
    for player in range(2):
        corner, edge, centre = (explored(game, player, first)[0] - 1 for first in (0, 1, 4))
        total += 1 + 4 * corner + 4 * edge + centre
    assert total == 5_990_669


def test_both_must_try_the_centre_first_if_so_told():
    game = load("phantom_tic_tac_toe(start=forced_centre)")
    assert played(game).moves() == [4]
    assert played(game, 4).moves() == [4]
    assert played(game, 4, 4).actor == 1
    assert played(game, 4, 4).moves() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert played(game, 4, 4, 0).moves() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_tries_of_the_other_go_unnoticed():
    game = load("phantom_tic_tac_toe")
    assert played(game, 4, 0).key(0) == played(game, 4, 8).key(0) == played(game, 4, 4, 0).key(0)
    assert played(game, 4).key(0) == played(game, 4, 4).key(0)
    assert played(game, 4, 4, 0).key(1) != played(game, 8, 4, 0).key(1)


def test_the_order_of_own_tries_is_remembered():
    game = load("phantom_tic_tac_toe")
    assert played(game, 0, 3, 1, 4).key(0) != played(game, 1, 3, 0, 4).key(0)
    assert played(game, 0, 3, 1, 4).key(1) != played(game, 0, 4, 1, 3).key(1)


def histories(game, player, tries):
    """Where the player moves again after these tries: for each key, the states it stands for and how likely they are.

    The other player tries squares at random.
    """
    found = {}
    todo = [(game.start(), 0, 1.0)]
    while todo:
        state, done, weight = todo.pop()
        if state.over:
            continue
        if state.actor == player and done == len(tries):
            alike = found.setdefault(state.key(player), Counter())
            alike[bytes(state.data)] += weight
            continue
        choices = [tries[done]] if state.actor == player else state.moves()
        done += state.actor == player
        for move in choices:
            child = state.copy()
            child.play(move)
            todo.append((child, done, weight / len(choices)))
    return found


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("spec", SPECS[-4:])
def test_hidden_stones_and_tries_are_redrawn_as_likely_as_random_play_makes_them(spec, player):
    game = load(spec)
    rng = generator(5)
    for alike in histories(game, player, (4, 0)).values():
        state = game.start()
        state.data[:] = np.frombuffer(next(iter(alike)), np.uint8)
        draws = Counter()
        for _ in range(100 * len(alike)):
            state.resample(player, rng)
            draws[bytes(state.data)] += 1
        assert set(draws) <= set(alike)
        total = sum(alike.values())
        assert sum(abs(w / total - draws[s] / draws.total()) for s, w in alike.items()) / 2 < 0.08


def assert_plays_as_in_openspiel(ours, theirs, games, translate=lambda state, move: [move], keys=True):
    """Random games move by move: who moves, legal moves, chances, payoffs; with `keys`, information sets one to one.

    `translate` gives OpenSpiel's actions for a move; at most one for a player's move.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game, peer = load(ours), pyspiel.load_game(theirs)
    rng = random.Random(11)
    to_text, to_key = {}, {}
    for _ in range(games):
        state, other = game.start(), peer.new_initial_state()
        while not state.over:
            who = state.actor
            choices = state.chance() if who == CHANCE else [(move, 1) for move in state.moves()]
            assert other.current_player() == (pyspiel.PlayerId.CHANCE if who == CHANCE else who)
            if who != CHANCE:
                assert sorted(translate(state, move)[0] for move, _ in choices) == other.legal_actions()
                if keys:
                    key, text = (who, state.key(who)), (who, other.information_state_string(who))
                    assert to_text.setdefault(key, text) == text
                    assert to_key.setdefault(text, key) == key
            elif translate(state, choices[0][0]) == [choices[0][0]]:
                assert [m for m, _ in choices] == [m for m, _ in other.chance_outcomes()]
                assert [p for _, p in choices] == pytest.approx([p for _, p in other.chance_outcomes()])
            move = rng.choices([m for m, _ in choices], [p for _, p in choices])[0]
            for action in translate(state, move):
                other.apply_action(action)
            state.play(move)
        assert other.is_terminal()
        assert state.payoff() == other.returns()


def test_poker_by_rank_and_by_card_plays_as_openspiels_leduc():
    assert_plays_as_in_openspiel("poker", "leduc_poker(suit_isomorphism=True)", 1500)
    assert_plays_as_in_openspiel("poker(see_suits=yes)", "leduc_poker", 1500)


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 3), (2, 6)])
def test_bluff_plays_as_openspiels_liars_dice(dice, faces):
    def translate(state, move):
        if state.actor == CHANCE:
            return [int(face) - 1 for face in str(move)]
        return [move - 1 if move else 2 * dice * faces]

    ours, theirs = f"bluff(dice1={dice},dice2={dice},faces={faces})", f"liars_dice(numdice={dice},dice_sides={faces})"
    assert_plays_as_in_openspiel(ours, theirs, 1500, translate)


def test_tic_tac_toe_plays_as_in_openspiel():
    assert_plays_as_in_openspiel("tic_tac_toe", "tic_tac_toe", 500)


@pytest.mark.parametrize(("retry", "version"), [("yes", "classical"), ("no", "abrupt")])
def test_phantom_tic_tac_toe_plays_as_in_openspiel(retry, version):
    theirs = f"phantom_ttt(obstype=reveal-nothing,gameversion={version})"
    assert_plays_as_in_openspiel(f"phantom_tic_tac_toe(retry={retry})", theirs, 1000)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("rps", "matrix_rps"),
        ("matching_pennies", "matrix_mp"),
        ("chicken", "matrix_cd"),
        ("battle_of_the_sexes", "matrix_bos"),
        ("stag_hunt", "matrix_sh"),
        ("biased_rps", "matrix_brps"),
    ],
)
def test_classic_matrix_games_pay_as_in_openspiel(ours, theirs):
    peer = pytest.importorskip("pyspiel").load_game(theirs)
    game = load(f"matrix(game={ours})")
    rows, columns = range(peer.num_rows()), range(peer.num_cols())
    assert table_of(game) == [[[peer.row_utility(i, j), peer.col_utility(i, j)] for j in columns] for i in rows]
    assert [game.move_name(game.start(), i) for i in rows] == [
        peer.row_action_name(i) if ours == "battle_of_the_sexes" else peer.row_action_name(i).lower() for i in rows
    ]
