"""What a game file declares beside its rules is checked where the file is loaded: kernels take it as it is."""

import re
from pathlib import Path

import pytest

import fogspiel as fs

EXAMPLE = (Path(__file__).parent.parent.parent / "README.md").read_text().split("<!-- example: coin_poker.py -->")[1]
EXAMPLE = EXAMPLE.split("```python\n")[1].split("```")[0]
ABOUT = "players=2, utility=(-1 - bet, 1 + bet)"
BET = 'Whole("bet", 1, 1, 100, "chips that a bet adds to the ante of 1")'
ALONE = re.sub(r"def about.*?\n\n\n", "", EXAMPLE, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        *(
            (EXAMPLE + f"\nMAX_MOVES = {n}", "MAX_MOVES must be a whole number from 1 to 1048576")
            for n in ("0", "-1", "'x'", "10**12", "2.5")
        ),
        *(
            (ALONE + f"\nPLAYERS = {n}", "players must be a whole number from 1 to 100")
            for n in ("0", "-1", "'2'", "1000", "2.5")
        ),
        *(
            (EXAMPLE.replace(ABOUT, f"utility={u}"), "utility must be")
            for u in ("5", "(1,)", "(1, -1)", "('a', 'b')", "(0, float('nan'))")
        ),
        *(
            (EXAMPLE.replace(ABOUT, f"ranges={u}"), "ranges must be")
            for u in ("5", "((0, 1),)", "((0, 1), (1, 0))", "(0, 1)", "((0, 1), (0, float('inf')))")
        ),
        (
            EXAMPLE.replace(ABOUT, "utility=(-1, 1), ranges=((0, 1), (-2, 0))"),
            "utility is (-1, 1), and the ranges of the players go from -2 to 1",
        ),
        (EXAMPLE.replace(ABOUT, "tables=5"), "tables must be a dictionary of arrays"),
        (EXAMPLE.replace(ABOUT, "tables={'bet': ['x']}"), "must be an array of numbers"),
        (EXAMPLE.replace(ABOUT, "zero_sum='maybe'"), "zero_sum must be True or False"),
        (EXAMPLE.replace(BET, 'Whole("bet", "a", 1, 100, "x")'), "bet: default must be a whole number, not 'a'"),
        (EXAMPLE.replace(BET, 'Whole("bet", 1, None, 100, "x")'), "bet: low must be a whole number, not None"),
        (EXAMPLE.replace(BET, 'Whole("bet", 200, 1, 100, "x")'), "the default 200 is not within 1 to 100"),
        (EXAMPLE.replace(BET, 'Whole(3, 1, 1, 100, "x")'), "a parameter's name must be a plain word, not 3"),
        (EXAMPLE.replace(BET, f"{BET}, {BET}"), "PARAMETERS has bet twice"),
        (EXAMPLE + "\nshow = 5", "show must be a function, not 5"),
        (EXAMPLE + "\nabout = None or 5", "about must be a function, not 5"),
        (EXAMPLE + "\nraise SystemExit(3)", "the file cannot be imported: SystemExit: 3"),
        (EXAMPLE + "\n\0", "null bytes"),
    ],
    ids=lambda value: value[-40:],
)
def test_a_declaration_that_cannot_be_gets_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "game.py"
    path.write_text(text)
    with pytest.raises(fs.GameError) as told:
        fs.load(path)
    assert sentence in str(told.value)
    assert str(path) in str(told.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("return s.turn\n", "return 7\n", "returned 7, which is neither a player"),
        ("    return 2\n", "    return 0\n", "at a state that is not over"),
        ("    return 2\n", "    return -1\n", "at a state that is not over"),
    ],
)
def test_a_state_that_cannot_be_is_told_and_not_played_on(tmp_path, old, new, sentence):
    path = tmp_path / "game.py"
    path.write_text(EXAMPLE.replace(old, new))
    with pytest.raises(fs.GameError, match=sentence):
        fs.load(path, debug=True).start().moves()


@pytest.mark.parametrize(
    ("declared", "utility", "ranges"),
    [
        ("utility=(-3, 3)", (-3, 3), ((-3, 3), (-3, 3))),
        ("ranges=((-1, 2), (-2, 1))", (-2, 2), ((-1, 2), (-2, 1))),
        ("utility=(-2, 2), ranges=((-1, 2), (-2, 1))", (-2, 2), ((-1, 2), (-2, 1))),
        ("players=2", None, None),
    ],
)
def test_the_range_of_all_payoffs_and_those_of_each_player_tell_each_other(tmp_path, declared, utility, ranges):
    path = tmp_path / "game.py"
    path.write_text(EXAMPLE.replace(ABOUT, declared))
    about = fs.load(path, debug=True).about
    assert (about.utility, about.ranges) == (utility, ranges)


def test_the_tables_that_a_game_declared_are_copies_that_cannot_be_changed():
    game = fs.load("matrix")
    assert game.about.tables
    for values in (*game.about.tables.values(), *game._tables.values()):
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 99
        with pytest.raises(ValueError, match="WRITEABLE"):
            values.flags.writeable = True
