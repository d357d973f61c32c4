"""Connect four: published numbers of games and positions, lines by example, play as in OpenSpiel."""

import pytest
from hints import guessed, guided
from peers import assert_plays_as_in_openspiel
from perft import perft
from positions import after, child, load, random_states, solved

import fogspiel as fs
from fogspiel import OVER
from fogspiel.solvers.exact.value_iteration import explored


def played(columns, game="connect_four"):
    return after(game, *("abcdefghi".index(column) for column in columns))


def test_connect_four_has_its_published_move_counts():
    counts = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [perft(load("connect_four"), depth) for depth in range(1, 9)] == counts


def test_connect_four_has_its_published_numbers_of_positions():
    """After 0 to 5 moves on the usual board (OEIS A212693), and in all on a board of four by four (Tromp)."""
    found, level = [], {after("connect_four").key(0): after("connect_four")}
    for _ in range(6):
        found.append(len(level))
        level = {t.key(0): t for s in level.values() if not s.over for t in (child(s, move) for move in s.moves())}
    assert found == [1, 7, 49, 238, 1120, 4263]
    assert explored(load("connect_four(rows=4,columns=4)")).count == 161029


def test_four_by_four_is_a_draw():
    assert solved("connect_four(rows=4,columns=4)") == 0


@pytest.mark.parametrize(("rows", "columns", "line", "games"), [(6, 7, 4, 1500), (4, 5, 3, 500), (8, 6, 5, 100)])
def test_connect_four_plays_as_in_openspiel(rows, columns, line, games):
    assert_plays_as_in_openspiel(
        f"connect_four(rows={rows},columns={columns},line={line})",
        f"connect_four(rows={rows},columns={columns},x_in_row={line})",
        games,
        keys=False,
    )


@pytest.mark.parametrize(
    ("columns", "winner"),
    [("adadada", 0), ("aabbccd", 0), ("gabacada", 1), ("abbccdcddad", 0), ("gffeededdad", 0)],
    ids=["upright", "across", "of the second", "diagonally up", "diagonally down"],
)
def test_four_in_line_win(columns, winner):
    assert not played(columns[:-1]).over
    s = played(columns)
    assert (s.actor, s.payoff()[winner]) == (OVER, 1)


def test_a_full_column_takes_no_more_stones():
    full = played("aaaaaa")
    assert "a" not in {full.game.move_name(full, move) for move in full.moves()}


def test_a_full_board_is_a_draw():
    for s in random_states(load("connect_four(rows=2,columns=3,line=8)"), 3, seed=1):
        assert s.over == (s.view.turns == 6)
    assert s.payoff() == [0, 0]


def test_guesses_count_the_lines_that_are_open():
    """Of 69 lines, seven go through the lowest square in the middle and three through that at the side."""
    assert guessed(after("connect_four"))[0] == 0
    assert guessed(played("d"))[0] == pytest.approx((69 - 62) / (69 + 62))
    assert guessed(played("da"))[0] == pytest.approx((66 - 62) / (66 + 62))


def test_sensible_play_completes_lines_and_prevents_them():
    assert guided(played("adad")) == pytest.approx(dict.fromkeys(range(7), 1 / 7))
    assert guided(played("adada"))[0] == 1
    assert guided(played("adadab")) == {0: 1, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}
    assert guided(played("bgcgd")) == pytest.approx({0: 0.5, 4: 0.5} | dict.fromkeys((1, 2, 3, 5, 6), 0))


def test_boards_that_are_too_large_are_refused():
    with pytest.raises(fs.FogspielError, match="too many"):
        fs.load("connect_four(rows=8,columns=8)")
