"""What a player may be told of a game: events named only where the player can know them."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief import account as module
from fogspiel.belief.account import Event, account, merge, told
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import draw_moves


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
        "chance: deal 3 to player 0",
        "chance: something you cannot see",
        "you: pass",
        "player 1: bet",
    ]
    assert words("kuhn", 1, *played) == [
        "chance: something you cannot see",
        "chance: deal 1 to player 1",
        "player 0: pass",
        "you: bet",
    ]


def test_a_hidden_bid_is_a_move_that_cannot_be_seen_and_an_open_one_is_named_once_it_is_known():
    assert words("goofspiel(cards=4)", 1, "bid 3")[-1] == "player 0: a move you cannot see"
    assert words("goofspiel(cards=4)", 0, "bid 3") == ["you: bid 3"]
    assert words("goofspiel(cards=4,bids=open)", 1, "bid 3")[-1] == "player 0: a move you cannot see"
    assert words("goofspiel(cards=4,bids=open)", 1, "bid 3", "bid 2")[-2:] == ["player 0: bid 3", "you: bid 2"]


def test_at_the_end_of_a_game_all_that_was_shown_is_told():
    # the squares tried are shown when the game of phantom tic-tac-toe is over
    game = fs.load("phantom_tic_tac_toe")
    state, moves, picks = game.start(), [], np.random.default_rng(3)
    while not state.over:
        moves.append(int(picks.choice(state.moves())))
        state.play(moves[-1])
    early = told(game, moves[:2], 0, np.array([1], np.uint64))
    assert [e.mover for e in early.events] == [0, 1]
    assert early.events[1].name is None
    assert str(early.events[1]) == "player 1: a move you cannot see"
    late = account(game, moves, 0)
    assert told(game, moves, 0, np.array([1], np.uint64)).trail == late.trail


def test_without_anything_to_compare_with_nobody_elses_moves_are_named_but_those_that_a_game_says_are_seen():
    dealt = ("deal 3 to player 0", "deal 1 to player 1", "pass", "bet")
    unseen = "something happened"
    assert words("tic_tac_toe", 0, "a1", "b2", draws=0) == ["you: a1", unseen]
    assert words("kuhn", 0, *dealt, draws=0) == ["chance: " + dealt[0], unseen, "you: pass", "player 1: bet"]


SIDES = '''"""Chance throws a die of many sides, unseen; player 0 may throw another, hears that it fell, and guesses."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Whole, mix
PARAMETERS = [
    Whole("sides", 2, 2, 400, "sides"),
    Whole("likely", 99, 1, 99, "percent"),
    Whole("later", 0, 0, 1, "whether it is shown"),
]
MAX_MOVES = 400
State = np.dtype([
    ("n", "i1"), ("side", "i4"), ("guess", "i1"), ("sides", "i4"), ("likely", "i4"),
    ("later", "i1"),
], align=True)
def about(sides, likely, later): return About(players=1, utility=(0, 1), zero_sum=False)
def start(s): s.n = 0
def actor(s): return CHANCE if s.n == 0 else 0 if s.n < 3 else OVER
def moves(s, out):
    out[0], out[1] = 0, 1
    return 2
def chance(s, out, prob):
    for i in range(s.sides):
        out[i] = i
        prob[i] = s.likely / 100 if i == 0 else (100 - s.likely) / 100 / (s.sides - 1)
    return s.sides
def play(s, move):
    if s.n == 0: s.side = move
    else: s.guess = move
    s.n += 1
def payoff(s, out): out[0] = s.guess == (s.side == s.sides - 1)
def infoset(s, player):
    key = mix(mix(3, s.n), s.guess if s.n > 1 else 0)
    return mix(key, s.side == s.sides - 1) if s.later == 1 and s.n > 1 else key
def move_name(s, move): return ("common" if move < s.sides - 1 else "rare") if s.n == 0 else ("no", "yes")[move]
'''


@pytest.fixture(scope="module")
def die(tmp_path_factory):
    path = tmp_path_factory.mktemp("die") / "die.py"
    path.write_text(SIDES)
    return path


def at_all_seeds(game, moves, seeds=40):
    return {str(told(game, moves, 0, np.array([seed], np.uint64))) for seed in range(seeds)}


@pytest.mark.parametrize(("sides", "likely"), [(2, 99), (300, 99), (300, 1)])
def test_that_something_is_told_does_not_reveal_that_the_likely_thing_happened(die, sides, likely):
    game = fs.load(die, sides=sides, likely=likely)
    for side in (0, 1, sides - 1):
        assert at_all_seeds(game, [side]) == {"chance: something you cannot see"}


@pytest.mark.parametrize("sides", [2, 300])
def test_what_is_found_out_later_is_told_though_it_could_not_be_told_then(die, sides):
    game = fs.load(die, sides=sides, later=1)
    assert at_all_seeds(game, [0], 5) == {"chance: something you cannot see"}
    assert at_all_seeds(game, [0, 1], 5) == {"chance: common, you: yes"}
    assert at_all_seeds(game, [sides - 1, 1], 5) == {"chance: rare, you: yes"}


@pytest.mark.parametrize("limit", ["DRAW_TRIED", "OTHERS_TRIED"])
def test_what_cannot_be_decided_in_time_is_not_named(die, limit, monkeypatch):
    game = fs.load(die, sides=300, later=1)
    monkeypatch.setattr(module, limit, 0)
    said = {"DRAW_TRIED": "something happened", "OTHERS_TRIED": "chance: something you cannot see"}[limit]
    assert at_all_seeds(game, [0, 1], 3) == {f"{said}, you: yes"}


def histories(game, state, moves=()):
    yield moves, state.actor
    for move in state.moves():
        after = state.copy()
        after.play(move)
        yield from histories(game, after, (*moves, move))


@pytest.mark.parametrize("every", [module.EVERY, 0])
@pytest.mark.parametrize("spec", ["kuhn", "goofspiel(cards=3)", "goofspiel(cards=3,bids=open)", "matrix"])
def test_what_is_told_is_what_all_histories_that_the_player_cannot_tell_apart_have_in_common(spec, every, monkeypatch):
    monkeypatch.setattr(module, "EVERY", every)
    game = fs.load(spec)
    alike: dict = {}
    for moves, who in histories(game, game.start()):
        if who >= 0:
            alike.setdefault((who, (one := account(game, moves, who)).trail), []).append((moves, one))
    for (player, _), those in alike.items():
        common = those[0][1]
        for _, other in those[1:]:
            common = merge(common, other)
        for moves, _ in those[:2]:
            assert told(game, moves, player, np.array([5], np.uint64)) == common


def test_an_account_can_be_replayed_from_its_own_record():
    game = fs.load("leduc")
    state, moves, picks = game.start(), [], np.random.default_rng(8)
    while not state.over:
        moves.append(int(picks.choice(state.moves())))
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
    assert str(Event(0, 0, "pass").common(Event(0, 1, "pass"))) == "something happened"
    with pytest.raises(ValueError, match="cannot tell apart"):
        merge(one, account(game, moves_of(game, "deal 1 to player 0", "deal 3 to player 1", "pass"), 0))
