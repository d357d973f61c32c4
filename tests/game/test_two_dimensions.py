"""A state's fields may have two dimensions, read and written in rules as board[row, column] or as
board[row][column]."""

import re

import numpy as np
import pytest

import fogspiel as fs

GAME = '''
"""Players mark cells of two rows and three columns in turn; who completes a column wins."""
import numpy as np
from fogspiel.game import OVER, About, mix

ROWS, COLUMNS = 2, 3
State = np.dtype([
    ("turn", "i1"), ("winner", "i1"), ("board", "i1", (2, 3)), ("weight", "f8", (2, 3)),
    ("path", "u8"),
], align=True)

def about():
    return About(utility=(-3, 3))

def start(s):
    s.winner = -1

def actor(s):
    return OVER if s.winner >= 0 or s.turn == ROWS * COLUMNS else s.turn % 2

def moves(s, out):
    n = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            if s.board[row, column] == 0:
                out[n] = COLUMNS * row + column
                n += 1
    return n

def play(s, move):
    row, column, who = move // COLUMNS, move % COLUMNS, s.turn % 2
    s.board[row][column] += 1 + who
    s.board[row, column] += 100
    s.board[row][column] += 100  # wraps around
    s.weight[who, row] += 0.5
    if s.board[row, column] == s.board[row - 1][column]:
        s.winner = who
    s.path = mix(s.path, move)
    s.turn += 1

def total(row):
    n = 0.0
    for x in row:
        n += x
    return n

def payoff(s, out):
    out[0] = total(s.weight[0]) + s.weight[1][-1] if s.winner == 0 else -s.weight[-1, 0]
    out[1] = -out[0]

def infoset(s, player):
    key = s.path
    for row in s.board:
        for x in row:
            key = mix(key, x)
    return key
'''
ONE_DIMENSION = re.sub(
    r"board\[([^],]+)(?:, |\]\[)([^]]+)\]",
    r"board[COLUMNS * ((\1) % 2) + (\2)]",
    GAME.replace('"board", "i1", (2, 3)', '"board", "i1", 6'),
).replace(
    "for row in s.board:\n        for x in row:\n            key = mix(key, x)",
    "for x in s.board:\n        key = mix(key, x)",
)


@pytest.fixture
def load(tmp_path):
    def make(text, name="marks", debug=False):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return fs.load(path, debug=debug)

    return make


def test_a_game_with_a_field_of_two_dimensions_conforms_compiled_and_not(load):
    report = fs.check(load(GAME))
    assert report.ok, str(report)
    assert fs.check(load(GAME, debug=True)).ok


def test_two_dimensions_are_laid_out_and_play_as_one_dimension_with_computed_indices(load):
    games = [load(GAME), load(GAME, debug=True), load(ONE_DIMENSION, "one")]
    rng = np.random.default_rng(3)
    for _ in range(20):
        states = [game.start() for game in games]
        while not states[0].over:
            legal = states[0].moves()
            assert all(state.moves() == legal for state in states)
            move = int(rng.choice(legal))
            for state in states:
                state.play(move)
            assert len({state.data.tobytes() for state in states}) == 1
            assert len({state.key(0) for state in states}) == 1
        assert states[0].payoff() == states[1].payoff() == states[2].payoff()
    assert fs.solve(games[0], "lp").value == pytest.approx(fs.solve(games[2], "lp").value)


def test_a_state_shows_its_rows(load):
    state = load(GAME).start()
    state.play(4)
    assert "board=[[0, 0, 0], [0, -55, 0]]" in str(state)
    assert state.view.board[1, 1] == state.view.board[1][1] == state.view.board[-1, -2] == -55
    assert list(state.view.board[1]) == [0, -55, 0]


@pytest.mark.parametrize(
    ("index", "reason"),
    {
        "row, 3": "an index outside its buffer",
        "2, column": "an index outside its buffer",
        "2][column": "an index outside its buffer",
        "row, -4": "an index outside its buffer",
        "row, column, 0": "3 indices, and the field has two dimensions",
    }.items(),
)
def test_an_index_outside_either_dimension_is_found_un_compiled(load, index, reason):
    game = load(GAME.replace("s.board[row, column] += 100", f"s.board[{index}] += 100"), debug=True)
    line = 1 + GAME[: GAME.index("s.board[row, column] += 100")].count("\n")
    with pytest.raises(fs.GameError, match=rf"rule play \(.*, line {line}\) failed: {reason}"):
        game.start().play(1)


def test_an_index_that_reaches_into_the_next_row_is_found_when_the_file_is_first_used(load):
    wrong = GAME.replace("s.weight[who, row] += 0.5", "s.weight[0, 3 * who + row] += 0.5")
    with pytest.raises(fs.GameError, match="rule play .* failed: an index outside its buffer"):
        load(wrong)
    report = fs.check(load(wrong, debug=True))
    assert not report.ok
    assert "an index outside its buffer" in str(report)
