"""What a player may be told of a game: events named only where the player can know them."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.account import Event, account, merge, told
from fogspiel.belief.replay import Record, draw_moves


def moves_of(game, *names):
    state, moves = game.start(), []
    for name in names:
        move = next(m for m in state.moves() if game.move_name(state, m) == name)
        state.play(move)
        moves.append(move)
    return moves


def words(spec, player, *names, draws=32):
    game = fs.load(spec)
    return [str(e) for e in told(game, moves_of(game, *names), player, np.array([1], np.uint64), draws).events]


def test_a_player_is_told_its_own_card_and_public_moves_but_not_the_other_card():
    played = ("deal 3 to player 0", "deal 1 to player 1", "pass", "bet")
    assert words("kuhn", 0, *played) == [
        "chance: deal 3 to player 0", "chance: something you cannot see", "you: pass", "player 1: bet",
    ]  # fmt: skip
    assert words("kuhn", 1, *played) == [
        "chance: something you cannot see", "chance: deal 1 to player 1", "player 0: pass", "you: bet",
    ]  # fmt: skip


def test_a_hidden_bid_is_a_move_that_cannot_be_seen_and_an_open_one_is_named_once_it_is_known():
    assert words("goofspiel(cards=4)", 1, "bid 3")[-1] == "player 0: a move you cannot see"
    assert words("goofspiel(cards=4)", 0, "bid 3") == ["you: bid 3"]
    assert words("goofspiel(cards=4,bids=open)", 1, "bid 3")[-1] == "player 0: a move you cannot see"
    assert words("goofspiel(cards=4,bids=open)", 1, "bid 3", "bid 2")[-2:] == ["player 0: bid 3", "you: bid 2"]


def test_at_the_end_of_a_game_all_that_was_shown_is_told():
    # the squares tried are shown when the game of phantom tic-tac-toe is over
    game = fs.load("phantom_tic_tac_toe")
    state, moves, luck = game.start(), [], np.random.default_rng(3)
    while not state.over:
        moves.append(int(luck.choice(state.moves())))
        state.play(moves[-1])
    early = told(game, moves[:2], 0, np.array([1], np.uint64))
    assert [e.mover for e in early.events] == [0, 1]
    assert early.events[1].name is None
    assert str(early.events[1]) == "player 1: a move you cannot see"
    late = account(game, moves, 0)
    assert told(game, moves, 0, np.array([1], np.uint64)).trail == late.trail


def test_without_anything_to_compare_with_nobody_elses_moves_are_named():
    named = words("kuhn", 0, "deal 3 to player 0", "deal 1 to player 1", "pass", "bet", draws=0)
    assert named[2:] == ["you: pass", "player 1: a move you cannot see"]


def test_an_account_can_be_replayed_from_its_own_record():
    game = fs.load("leduc")
    state, moves, luck = game.start(), [], np.random.default_rng(8)
    while not state.over:
        moves.append(int(luck.choice(state.moves())))
        state.play(moves[-1])
    for player in (0, 1):
        for length in range(len(moves) + 1):
            seen = Record(player)
            state = game.start()
            seen.see(state)
            for move in moves[:length]:
                if state.actor == player:
                    seen.own.append(move)
                state.play(move)
                seen.see(state)
            record = account(game, moves[:length], player).record()
            assert (record.keys, record.own) == (seen.keys, seen.own)
            again = draw_moves(game, record, np.array([4], np.uint64))
            assert account(game, again, player).trail == account(game, moves[:length], player).trail


def test_accounts_merge_to_what_they_agree_in():
    game = fs.load("kuhn")
    one = account(game, moves_of(game, "deal 2 to player 0", "deal 1 to player 1", "pass"), 0)
    other = account(game, moves_of(game, "deal 2 to player 0", "deal 3 to player 1", "pass"), 0)
    both = merge(one, other)
    assert both.events[1] == Event(0, fs.CHANCE, None)
    assert (both.events[0], both.events[2]) == (one.events[0], one.events[2])
    assert str(Event(0, 0, "pass").common(Event(0, 1, "pass"))) == "something you cannot see"
    with pytest.raises(ValueError, match="cannot tell apart"):
        merge(one, account(game, moves_of(game, "deal 1 to player 0", "deal 3 to player 1", "pass"), 0))
