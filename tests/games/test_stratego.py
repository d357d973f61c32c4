"""Stratego: armies and boards of the rule book, marches and attacks, repetition, and which ranks a seat can tell."""

import random
from collections import Counter
from itertools import permutations

import pytest
from positions import after, child, generator, load, random_states

from fogspiel import CHANCE, PUBLIC
from fogspiel.games import stratego as rules
from fogspiel.games.stratego import BOMB, FLAG, LAKE, LETTERS, MARSHAL, NONE, SCOUT


def position(*pieces, spec="stratego(form=small)", turn=0):
    """Pieces as in F@a1 for player 0 and F'@a6 for player 1; each started where it can have, in the order of
    telling."""
    state = load(spec).start()
    while state.view.phase == rules.SETUP:
        state.play(state.moves()[0])
    view = state.view
    for square in range(rules.SQUARES):
        view.board[square] = LAKE if view.board[square] == LAKE else rules.EMPTY
    for player in range(2):
        view.alive[player] = view.own[player] = 0
        for place in range(rules.MOST):
            view.rank[player][place] = view.at[player][place] = NONE
    for told in pieces:
        (letter, *prime), square = told.split("@")
        player, rank = len(prime), LETTERS.index(letter)
        place = bin(view.alive[player]).count("1")
        rules.put(view, player, place, rank)
        view.at[player][place] = square_named(square)
        view.board[square_named(square)] = rules.MOST * player + place
    view.turn = turn
    return state


def square_named(name):
    return rules.square_at(int(name[1:]) - 1, "abcdefghij".index(name[0]))


def names(state):
    return [state.game.move_name(state, move) for move in state.moves()]


def do(state, *told):
    for name in told:
        assert name in names(state)
        state.play(state.moves()[names(state).index(name)])
    return state


def left(state, player):
    view = state.view
    return "".join(LETTERS[view.rank[player][p]] for p in range(rules.MOST) if view.alive[player] >> p & 1)


@pytest.mark.parametrize(
    ("form", "pieces", "squares", "lakes"), [("small", 8, 12, 4), ("barrage", 8, 40, 8), ("full", 40, 40, 8)]
)
def test_armies_and_boards_are_those_of_the_rule_book(form, pieces, squares, lakes):
    state = load(f"stratego(form={form})").start()
    side = 6 if form == "small" else 10
    inside = [rules.square_at(row, column) for row in range(side) for column in range(side)]
    assert sum(state.view.board[square] == LAKE for square in inside) == lakes
    for placed in range(2 * pieces):
        assert state.actor == CHANCE
        assert len(state.moves()) == squares - placed % pieces
        state.play(random.Random(placed).choice(state.moves()))
    for player in range(2):
        ranks = Counter(rank for rank in state.view.rank[player] if rank != NONE)
        assert [ranks[rank] for rank in range(12)] == rules.ARMY[state.view.form].tolist()
    assert state.actor == 0


def test_players_place_their_pieces_unseen():
    state = after("stratego(form=small,setup=players)")
    assert state.actor == 0
    one, two = child(state, 0), child(state, 5)
    assert one.key(1) == two.key(1)
    assert one.key(0) != two.key(0)
    for _ in range(8):
        state.play(state.moves()[0])
    assert state.actor == 1


def test_pieces_step_and_scouts_run():
    state = position("F@a1", "B@b1", "2@c1", "5@f1", "F'@c6", "4'@f2")
    assert set(names(state)) == {"c1-d1", "c1-e1", "c1-c2", "c1-c3", "c1-c4", "c1-c5", "c1xc6", "f1xf2", "f1-e1"}


def test_nobody_enters_a_lake():
    state = position("F@a1", "5@b2", "F'@c6")
    assert set(names(state)) == {"b2-a2", "b2-c2", "b2-b1"}


@pytest.mark.parametrize(
    ("mine", "yours", "falls"),
    [
        ("6", "5", "5'"),
        ("5", "6", "5"),
        ("5", "5", "5 5'"),
        ("3", "B", "B'"),
        ("9", "B", "9"),
        ("2", "B", "2"),
        ("S", "M", "M'"),
        ("M", "S", "S'"),
        ("S", "9", "S"),
        ("2", "S", "S'"),
        ("9", "M", "9"),
        ("M", "M", "M M'"),
    ],
)
def test_attacks_end_as_ranks_say(mine, yours, falls):
    state = position("F@a1", "4@b1", f"{mine}@c3", "F'@f6", "4'@e6", f"{yours}'@c4")
    do(state, "c3xc4")
    fallen = [letter + "'" * player for player, letter in ((0, mine), (1, yours)) if letter not in left(state, player)]
    assert " ".join(fallen) == falls
    there = state.view.board[square_named("c4")]
    assert (there == rules.EMPTY) == (mine == yours)
    assert state.view.board[square_named("c3")] == rules.EMPTY


def test_the_flag_decides_and_so_does_having_no_move():
    assert do(position("F@a1", "4@c5", "F'@c6", "4'@f6"), "c5xc6").payoff() == [1, -1]
    assert do(position("F@a1", "4@c4", "F'@f6", "3'@c5"), "c4xc5").payoff() == [1, -1]
    last = do(position("F@a1", "3@c4", "F'@f6", "4'@c5"), "c4xc5")
    assert not last.over
    assert do(last, "c5-c4").payoff() == [-1, 1]


def test_no_piece_goes_back_and_forth_more_than_three_times():
    state = position("F@a1", "4@a2", "9@f1", "F'@a6", "4'@f6", "9'@f5")
    do(state, "f1-e1", "f6-e6", "e1-f1", "e6-f6", "f1-e1", "f6-e6")
    assert "e1-f1" not in names(state)
    assert {"e1-d1", "e1-e2", "a2-b2"} <= set(names(state))
    do(state, "a2-b2")
    assert "e6-f6" not in names(state)
    do(state, "e6-d6")
    assert "e1-f1" in names(state)  # another piece has moved meanwhile


def test_a_scout_that_may_not_go_back_may_go_further():
    state = position("F@a1", "B@b1", "B@c2", "2@c1", "F'@a6", "9'@f6")
    state.view.came[0], state.view.went[0], state.view.times[0] = square_named("d1"), square_named("c1"), 3
    assert names(state) == ["c1-e1", "c1-f1"]
    assert rules.can_move(state.view)


def test_a_game_without_attacks_is_a_draw():
    state = position("F@a1", "4@a2", "F'@a6", "4'@f6", spec="stratego(form=small,quiet=4)")
    do(state, "a2-b2", "f6-e6", "b2-c2")
    assert not state.over
    do(state, "e6-d6")
    assert state.payoff() == [0, 0]


def test_ranks_are_seen_after_an_attack_and_scouts_when_they_run():
    def twins(*ranks):
        return [position("F@a1", f"{rank}@c1", "B@b1", "F'@a6", "5'@c5", "4'@f6") for rank in ranks]

    before = [do(state, "c1-c2") for state in twins("2", "6")]
    assert before[0].key(1) == before[1].key(1)
    assert before[0].key(PUBLIC) == before[1].key(PUBLIC)
    assert before[0].key(0) != before[1].key(0)
    assert "!" in before[0].show(1)
    assert "player 0 has lost nothing, moved last from c1 to c2" in before[0].show(1)
    ran = do(twins("2")[0], "c1-c4")
    assert ran.view.known[0] == 0b10
    fought = do(position("F@a1", "6@c4", "F'@a6", "5'@c5", "4'@f6"), "c4xc5")
    assert " 6 " in fought.show(1)


def consistent(view, player):
    """All ways to deal the ranks that are not known to a player's pieces, by plain trial."""
    hidden = [p for p in range(rules.MOST) if view.alive[player] >> p & 1 and not view.known[player] >> p & 1]
    ranks = [view.rank[player][p] for p in hidden]
    return {
        way
        for way in permutations(ranks)
        if not any(view.stirred[player] >> p & 1 and rank in (FLAG, BOMB) for p, rank in zip(hidden, way, strict=True))
    }, hidden


def test_hidden_ranks_are_redrawn_in_all_ways_that_fit_equally_often():
    state = load("stratego(form=small)").start()
    rng = random.Random(4)
    while state.view.phase == rules.SETUP or state.view.still < 6:
        state.play(rng.choice(state.moves()))
    view = state.view
    view.known[1] |= sum(1 << p for p in range(12) if view.rank[1][p] in (MARSHAL, SCOUT))
    ways, hidden = consistent(view, 1)
    assert len(ways) > 20
    drawn, draw, times = Counter(), generator(7), 200 * len(ways)
    for _ in range(times):
        state.resample(0, draw)
        drawn[tuple(state.view.rank[1][p] for p in hidden)] += 1
    assert set(drawn) == ways
    assert sum(abs(n / times - 1 / len(ways)) for n in drawn.values()) / 2 < 0.05


@pytest.mark.parametrize("spec", ["stratego", "stratego(form=full)"])
def test_a_redraw_keeps_armies_whole(spec):
    draw = generator(3)
    for state in random_states(load(spec), 1, seed=6):
        for player in range(2):
            twin = state.copy()
            twin.resample(player, draw)
            assert twin.key(player) == state.key(player)
            assert twin.key(PUBLIC) == state.key(PUBLIC)
            other = 1 - player
            assert Counter(twin.view.rank[other]) == Counter(state.view.rank[other])
            for place in range(rules.MOST):
                if state.view.known[other] >> place & 1:
                    assert twin.view.rank[other][place] == state.view.rank[other][place]
