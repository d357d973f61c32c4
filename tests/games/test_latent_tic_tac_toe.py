"""Latent tic-tac-toe: its number of histories, play as in OpenSpiel, moves shown a turn later."""

import random
from collections import Counter

import numpy as np
import pytest
from positions import after, child, generator

import fogspiel as fs

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
                then = child(state, move)
                total += count(then)
                goes_on |= not then.over
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
    assert after(game, 4).key(1) == after(game, 0).key(1)
    assert after(game, 4).key(0) != after(game, 0).key(0)
    assert after(game, 4, 0).key(1) != after(game, 8, 0).key(1)
    lost, other = after(game, 4, 4, 0), after(game, 4, 8, 0)
    assert lost.key(0) != other.key(0)
    assert list(lost.view.board) == [-1, -1, -1, -1, 0, -1, -1, -1, -1]
    assert lost.moves() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_a_line_wins_when_its_last_square_is_shown_or_when_it_is_written():
    line = (0, 3, 1, 4, 2)
    for ends, over in (("shown", False), ("written", True)):
        state = after(fs.load(f"latent_tic_tac_toe(ends={ends})"), *line)
        assert state.over == over
        if not over:
            state.play(5)
        assert state.payoff() == [1, -1]


def test_a_board_filled_without_a_line_is_a_draw():
    # X X O / O O X / X O X
    state = after(fs.load("latent_tic_tac_toe(ends=written)"), 0, 2, 1, 3, 5, 4, 6, 7, 8)
    assert state.over
    assert state.payoff() == [0, 0]


@pytest.mark.parametrize("ends", ["shown", "written"])
def test_a_hidden_move_may_be_any_that_was_legal_and_did_not_end_the_game(ends):
    game = fs.load(f"latent_tic_tac_toe(ends={ends})")
    before, rng = after(game, 4, 0, 8, 1, 5), generator(2)
    assert before.actor == 1
    possible = {}
    for move in before.moves():
        state = child(before, move)
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
