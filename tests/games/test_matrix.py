"""Matrix games: payoff tables by name and as given, and what is refused."""

import pytest
from positions import after, load

import fogspiel as fs
from fogspiel import PUBLIC


def table_of(game):
    return [[after(game, i, j).payoff() for j in after(game, i).moves()] for i in game.start().moves()]


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
    with pytest.raises(fs.SpecError, match=sentence):
        load(f"matrix({given})")


def test_the_second_player_does_not_see_the_first_move():
    game = load("matrix")
    assert len({after(game, move).key(1) for move in range(3)}) == 1
    assert len({after(game, move).key(PUBLIC) for move in range(3)}) == 1
    assert len({after(game, move).key(0) for move in range(3)}) == 3


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
