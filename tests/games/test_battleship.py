"""Battleship: placing where there is little room, shots and answers, payoffs, play as in OpenSpiel, ships redrawn."""

from collections import Counter
from itertools import product

import pytest
from hints import assert_rising, guided
from peers import assert_plays_as_in_openspiel
from positions import after, generator

import fogspiel as fs

SMALL = "battleship(width=3,height=2,ships=[2],shots=3)"


def names(s):
    return [s.game.move_name(s, move) for move in s.moves()]


def test_ships_are_placed_so_that_the_rest_still_fit():
    assert names(after("battleship(width=2,height=3,ships=[2,3])")) == ["a1 down", "b1 down", "a2 down", "b2 down"]
    assert names(after("battleship(width=2,height=3,ships=[2,3])", 12, 12)) == ["b1 down"]
    assert len(after("battleship(width=10,height=10,ships=[2,3])").moves()) == 180


def test_shots_are_answered_by_water_hit_or_sunk():
    s = after(SMALL, 6, 6, 5, 5, 0, 0)
    assert [s.view.answer[1, cell] for cell in (5, 0)] == [1, 2]
    s.play(1)
    assert s.view.answer[1, 1] == 3
    assert s.over  # the only ship is sunk
    assert s.payoff() == [1, -1]


def test_a_ship_lost_costs_its_value_times_the_loss():
    s = after("battleship(width=2,height=1,ships=[1,1],values=[1,5],loss=2,shots=1)", 2, 3, 3, 2, 0, 0)
    assert s.over
    assert s.payoff() == [5 - 2 * 1, 1 - 2 * 5]


def test_cells_are_not_shot_at_again_unless_that_is_allowed():
    assert 5 not in after(SMALL, 6, 6, 5, 5).moves()
    assert 5 in after(SMALL[:-1] + ",repeats=yes)", 6, 6, 5, 5).moves()


def test_a_player_sees_shots_and_answers_but_not_the_others_ships():
    assert after(SMALL, 6, 6, 5).key(0) == after(SMALL, 6, 7, 5).key(0)
    assert after(SMALL, 6, 6, 5).key(1) != after(SMALL, 6, 7, 5).key(1)
    assert after(SMALL, 6, 6, 0).key(0) != after(SMALL, 6, 7, 0).key(0)
    assert after(SMALL, 6, 6, 5).show(0) == after(SMALL, 6, 7, 5).show(0)


@pytest.mark.parametrize(
    ("width", "height", "ships", "values", "shots", "repeats", "loss", "games"),
    [
        (10, 10, [2, 3, 3, 4, 5], [1, 1, 1, 1, 1], 50, "yes", 1, 10),
        (4, 5, [3, 2, 4], [1, 2, 0.5], 8, "no", 2, 100),
        (3, 3, [2, 3, 3], [1, 1, 1], 9, "no", 1, 200),
        (3, 2, [1, 2], [2, 1], 4, "yes", 0, 200),
        (2, 3, [2, 3], [1, 1], 6, "no", 1, 200),
        (5, 1, [2, 1, 1], [1, 1, 1], 5, "yes", 1, 200),
    ],
)
def test_battleship_plays_as_in_openspiel(width, height, ships, values, shots, repeats, loss, games):
    theirs = (
        f"battleship(board_width={width},board_height={height},ship_sizes=[{';'.join(map(str, ships))}],"
        f"ship_values=[{';'.join(map(str, values))}],num_shots={shots},loss_multiplier={loss:.1f},"
        f"allow_repeated_shots={str(repeats == 'yes').lower()})"
    )
    ours = (
        f"battleship(width={width},height={height},ships=[{','.join(map(str, ships))}],"
        f"values=[{','.join(map(str, values))}],shots={shots},repeats={repeats},loss={loss})"
    )
    assert_plays_as_in_openspiel(ours, theirs, games)


def consistent(s, player):
    """All ways to place the ships of the other that give the same key, by trying all; each as its places."""
    start, other = s.game.start(), 1 - player
    fleet, cells = s.view.fleet, s.view.width * s.view.height
    mine = [s.view.place[player, ship] + cells for ship in range(fleet)]
    shots = [sorted((s.view.when[board, i], i) for i in range(cells) if s.view.when[board, i]) for board in (1, 0)]
    found = set()
    for places in product(range(cells, 3 * cells), repeat=fleet):
        t = start.copy()
        try:
            for ship in range(fleet):
                for who in range(2):
                    t.play(mine[ship] if who == player else places[ship])
            for i in range(max(map(len, shots))):
                for who in range(2):
                    if i < len(shots[who]):
                        t.play(shots[who][i][1])
        except fs.FogspielError:
            continue
        if t.key(player) == s.key(player):
            found.add(tuple(t.view.place[other, ship] for ship in range(fleet)))
    return found


@pytest.mark.parametrize(
    ("spec", "moves", "most"),
    [
        (SMALL, (6, 6, 5, 5), 0.05),
        (SMALL, (6, 6, 0, 5), 0.05),
        ("battleship(width=4,height=3,ships=[2,3])", (12, 12, 20, 17, 0, 0, 5, 11), 0.1),
        ("battleship(width=4,height=3,ships=[2,3])", (12, 12, 16, 16, 0, 0, 5, 11, 1, 8), 0.1),
        ("battleship(width=3,height=3,ships=[2,2])", (9, 9, 12, 12, 8, 8, 0, 0, 3, 3), 0.1),
    ],
)
def test_ships_are_redrawn_from_all_that_agree_with_the_answers(spec, moves, most):
    s = after(spec, *moves)
    expected, rng, draws = consistent(s, 0), generator(3), Counter()
    for _ in range(200 * len(expected)):
        s.resample(0, rng)
        draws[tuple(s.view.place[1, ship] for ship in range(s.view.fleet))] += 1
    assert set(draws) == expected
    assert sum(abs(1 / len(expected) - n / draws.total()) for n in draws.values()) / 2 < most


def test_sensible_play_shoots_beside_hits():
    s = after("battleship(width=3,height=3,ships=[2])", 9, 9, 0, 8)  # a hit in the corner
    assert guided(s) == pytest.approx({i: (10 if i in (1, 3) else 1) / 26 for i in range(1, 9)})
    assert set(guided(after("battleship")).values()) == {1 / 40}


def test_guesses_rise_with_hits():
    assert_rising(after(SMALL, 6, 6, 5, 0), after(SMALL, 6, 6), after(SMALL, 6, 6, 0))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("width=3,height=3,ships=[3,3,3,1]", "do not fit"),
        ("ships=[2,x]", "list of numbers"),
        ("ships=[0]", "1 cell or more"),
        ("values=[1]", "each of 2 ships"),
    ],
)
def test_ships_that_cannot_be_are_refused(parameters, sentence):
    with pytest.raises(fs.FogspielError, match=sentence):
        fs.load(f"battleship({parameters})")
