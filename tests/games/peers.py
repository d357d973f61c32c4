"""Games beside those of OpenSpiel, move by move."""

import random

import pytest
from positions import child, load

from fogspiel import CHANCE


def information_state(other, player):
    return other.information_state_string(player)


def assert_plays_as_in_openspiel(
    ours, theirs, games, translate=lambda state, move: [move], keys=True, known=information_state
):
    """Random games move by move: who moves, legal moves, chances, payoffs; with `keys`, information sets one to one.

    `translate` gives OpenSpiel's actions for a move; at most one for a player's move. `known` tells what a player knows
    there.
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
                    key, text = (who, state.key(who)), (who, known(other, who))
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


def assert_same_tree(ours, theirs, known=information_state):
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
            key, text = (who, state.key(who)), (who, known(other, who))
            assert to_text.setdefault(key, text) == text
            assert to_key.setdefault(text, key) == key
        for move, action in zip(state.moves(), other.legal_actions(), strict=True):
            todo.append((child(state, move), other.child(action)))
