"""A mistake in a game file is reported in one sentence that names the rule, the file, the line and what is wrong."""

import re

import numpy as np
import pytest

import fogspiel as fs

GAME = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Whole, mix

PARAMETERS = (Whole("size", 3, 1, 9, "how many coins lie on the table"),)
State = np.dtype([
    ("size", "i1"),
    ("turn", "i1"),
    ("coin", "i1", 9),
    ("past", "u8"),
])

def about(size):
    return About(players=2, utility=(-1, 1))

def start(s):
    s.turn = -1
    s.past = 0
    for i in range(s.size):
        s.coin[i] = 0

def actor(s):
    if s.turn < 0:
        return CHANCE
    return OVER if left(s) == 0 else s.turn % 2

def left(s):
    n = 0
    for i in range(s.size):
        n += s.coin[i] == 0
    return n

def moves(s, out):
    n = 0
    for i in range(s.size):
        if s.coin[i] == 0:
            out[n] = i
            n += 1
    return n

def play(s, move):
    if s.turn >= 0:
        s.coin[move] = 1
    s.past = mix(s.past, move)
    s.turn += 1

def payoff(s, out):
    out[0] = 1 if s.turn % 2 == 0 else -1
    out[1] = -out[0]

def infoset(s, player):
    key = mix(s.past, s.turn)
    return key
"""


def with_line(line: str, before: str, *, instead: bool = False) -> str:
    """The game with one more line before another, or instead of it, of the same indent and marked as the wrong one."""
    assert GAME.count(before) == 1
    indent = re.search(rf"^( *){re.escape(before)}", GAME, re.MULTILINE)[1]
    return GAME.replace(before, f"{line}  # wrong" + ("" if instead else f"\n{indent}{before}"))


class Place:
    """Where a game file is written, and the one error that loading it must give."""

    def __init__(self, path):
        self.path = path

    def load(self, text, **options):
        self.path.write_text(text)
        return fs.load(self.path, **options)

    @property
    def line(self) -> int:
        """The line that is marked as wrong."""
        (line,) = (n for n, text in enumerate(self.path.read_text().splitlines(), 1) if "# wrong" in text)
        return line

    def error(self, text, kind=fs.GameError, **options) -> str:
        with pytest.raises(kind) as caught:
            self.load(text, **options)
        return self.sentence(caught)

    def sentence(self, caught) -> str:
        """The message: one sentence, in nobody's jargon."""
        message = str(caught.value)
        assert "\n" not in message
        assert len(message) < 300 + len(str(self.path))
        assert not re.search(
            r"numba|int64|Literal\[|Traceback|\$\d", message.replace(str(self.path), ""), re.IGNORECASE
        )
        return message


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path / "coins.py")


def test_the_game_without_mistakes_is_sound(place):
    report = fs.check(place.load(GAME), playouts=50)
    assert report.ok, str(report)


COMPILING = {
    "an undefined name": (
        "payoff",
        with_line("x = nowhere + 1", "out[1] = -out[0]"),
        "the name nowhere is not defined",
    ),
    "an undefined name in a comprehension": (
        "payoff",
        with_line("x = [nowhere for i in range(3)]", "out[1] = -out[0]"),
        "the name nowhere is not defined",
    ),
    "a field that is not there": (
        "play",
        with_line("s.nope = 1", "s.turn += 1"),
        "there is no field nope; the fields are size, turn, coin, past",
    ),
    "a field with a slip of the pen": (
        "payoff",
        with_line("x = s.trun", "out[1] = -out[0]"),
        "there is no field trun; did you mean turn?",
    ),
    "a function that cannot be compiled": (
        "payoff",
        with_line("x = open('x')", "out[1] = -out[0]"),
        "open cannot be used in compiled code",
    ),
    "a function of NumPy that is not there": (
        "payoff",
        with_line("x = np.nope(3)", "out[1] = -out[0]"),
        "module 'numpy' has no attribute 'nope'",
    ),
    "a function of NumPy that cannot be compiled": (
        "payoff",
        with_line("x = np.apply_along_axis(3)", "out[1] = -out[0]"),
        "numpy.apply_along_axis cannot be used in compiled code",
    ),
    "a function of NumPy on text": (
        "payoff",
        with_line("x = np.mean('x')", "out[1] = -out[0]"),
        "mean(text) cannot be compiled",
    ),
    "print": (
        "payoff",
        with_line("print('x')", "out[1] = -out[0]"),
        "print works only where the code runs un-compiled (debug=True)",
    ),
    "text returned": (
        "actor",
        with_line("return 'me'", "return OVER if left(s) == 0 else s.turn % 2", instead=True),
        "it returns text where a whole number is expected",
    ),
    "nothing returned": (
        "infoset",
        with_line("key", "return key", instead=True),
        "it returns nothing where a whole number is expected; it must return the player's key",
    ),
    "something returned where nothing is wanted": (
        "play",
        with_line("return 3", "s.turn += 1", instead=True),
        "it returns a whole number where nothing is expected",
    ),
    "a number indexed": ("payoff", with_line("x = s.turn[0]", "out[1] = -out[0]"), "a whole number cannot be indexed"),
    "a buffer sliced": (
        "payoff",
        with_line("out[0:2] = 0", "out[1] = -out[0]"),
        "an element of a buffer, at a slice, cannot be set to a whole number",
    ),
    "a buffer gone through": (
        "payoff",
        with_line("x = [y for y in out]", "out[1] = -out[0]"),
        "a for loop cannot go through a buffer",
    ),
    "a field called": ("payoff", with_line("x = s.turn(3)", "out[1] = -out[0]"), "a whole number cannot be called"),
    "an array field set as a whole": (
        "play",
        with_line("s.coin = 0", "s.turn += 1"),
        "s.coin is an array and cannot be set to a whole number",
    ),
    "text put into a field": (
        "play",
        with_line("s.turn = 'x'", "s.turn += 1", instead=True),
        "s.turn is a whole number and cannot be set to text",
    ),
    "text put into a buffer": (
        "moves",
        with_line("out[n] = 'x'", "out[n] = i", instead=True),
        "text is given where a whole number is expected",
    ),
    "numbers and arrays added": (
        "payoff",
        with_line("x = 1.0 + 'a'", "out[1] = -out[0]"),
        "+ does not work between a real number and text",
    ),
    "a variable of two types": (
        "payoff",
        GAME.replace("out[1] = -out[0]", "x = 1\n    if s.turn:\n        x = s.coin\n    out[1] = x  # wrong"),
        "x is a whole number in one place and an array in another",
    ),
    "an array made": (
        "payoff",
        with_line("x = np.sort(s.coin)[0]", "out[1] = -out[0]").replace("-out[0]", "-out[0] + x"),
        "it makes an array, for which compiled code has no memory",
    ),
    "an empty list": ("payoff", with_line("x = []", "out[1] = -out[0]"), "the type of x cannot be told from the code"),
    "a with statement": (
        "payoff",
        with_line("with open('x'): pass", "out[1] = -out[0]"),
        "a with statement cannot be compiled",
    ),
    "an import": (
        "payoff",
        with_line("import random", "out[1] = -out[0]"),
        "an import inside a function cannot be compiled",
    ),
    "a list of the module": (
        "payoff",
        "TABLE = [1, 2]\n" + with_line("x = TABLE[0]", "out[1] = -out[0]"),
        "TABLE is a list, which compiled code cannot read",
    ),
    "a dictionary of the module": (
        "payoff",
        "TABLE = {}\n" + with_line("x = TABLE[0]", "out[1] = -out[0]"),
        "TABLE is a dictionary, which compiled code cannot read",
    ),
    "a function called through its module": (
        "payoff",
        "import textwrap\n" + with_line("x = textwrap.dedent(3)", "out[1] = -out[0]"),
        "import it by name: from textwrap import dedent",
    ),
    "a helper with too few arguments": (
        "payoff",
        with_line("x = left()", "out[1] = -out[0]"),
        "left(s) is called with other arguments (missing a required argument: 's')",
    ),
    "a primitive with too few arguments": (
        "payoff",
        with_line("x = mix(3)", "out[1] = -out[0]"),
        "a function of (key, value) is called with other arguments",
    ),
    "a primitive with too many arguments": (
        "payoff",
        with_line("x = mix(3, 4, 5)", "out[1] = -out[0]"),
        "a function of (key, value) is called with other arguments",
    ),
    "a primitive given text": (
        "payoff",
        with_line("x = mix(3, 'x')", "out[1] = -out[0]"),
        "text is given where a whole number is expected",
    ),
}


@pytest.mark.parametrize("mistake", COMPILING)
def test_a_rule_cannot_be_compiled_because_of(mistake, place):
    rule, text, reason = COMPILING[mistake]
    message = place.error(text)
    assert message.startswith(f"rule {rule} ({place.path}, line {place.line}) cannot be compiled: ")
    assert reason in message


HELPERS = {
    "an undefined name": (with_line("x = nowhere", "n += s.coin[i] == 0"), "the name nowhere is not defined"),
    "a field that is not there": (
        with_line("x = s.coins[i]", "n += s.coin[i] == 0"),
        "there is no field coins; did you mean coin?",
    ),
    "an operation that is not there": (
        with_line("n += s.size[i]", "n += s.coin[i] == 0"),
        "a whole number cannot be indexed",
    ),
    "print": (with_line("print(i)", "n += s.coin[i] == 0"), "print works only where the code runs un-compiled"),
    "a list": (with_line("n += len([j for j in range(i)])", "n += s.coin[i] == 0"), "it makes a list"),
}


@pytest.mark.parametrize("mistake", HELPERS)
def test_a_helper_cannot_be_compiled_because_of(mistake, place):
    text, reason = HELPERS[mistake]
    message = place.error(text)
    assert message.startswith(f"rule actor, in left ({place.path}, line {place.line}) cannot be compiled: ")
    assert reason in message


def test_a_mistake_in_a_helper_of_another_file_is_found_there(place, monkeypatch):
    monkeypatch.syspath_prepend(place.path.parent)
    other = Place(place.path.with_name("coins_helper.py"))
    other.path.write_text("def count(s):\n    return s.nope  # wrong\n")
    message = place.error("from coins_helper import count\n" + GAME.replace("n += s.coin[i] == 0", "n += count(s)"))
    assert message.startswith(f"rule actor, in count ({other.path}, line 2) cannot be compiled: there is no field nope")


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    "rule", ["start(s)", "actor(s)", "moves(s, out)", "play(s, move)", "payoff(s, out)", "infoset(s, player)"]
)
def test_a_missing_rule_is_named_with_what_it_is_given(rule, place, debug):
    message = place.error(GAME.replace(f"def {rule}", f"def other_{rule}"), debug=debug)
    assert message == f"{place.path} has no rule {rule}"


def test_a_rule_must_take_what_it_is_given(place):
    message = place.error(GAME.replace("def moves(s, out):", "def moves(s):  # wrong"))
    assert message == f"rule moves ({place.path}, line {place.line}) must take (s, out)"


def test_a_rule_must_be_a_plain_function(place):
    assert place.error(GAME + "\nmoves = 3\n") == f"{place.path} must define as a plain function the rule moves(s, out)"
    message = place.error(GAME.replace("def payoff(s, out):", "def payoff(s, out):  # wrong\n    yield 3"))
    assert message == f"rule payoff ({place.path}, line {place.line}) must be a plain function, without yield or async"


STATES = {
    "missing": ("", "has no State; it must be State = np.dtype([(field, type), ...], align=True)"),
    "a list": ('State = [("size", "i1")]  # wrong', "State is no structure"),
    "a plain type": ('State = np.dtype("i8")  # wrong', "State is no structure"),
    "without fields": ("State = np.dtype([])  # wrong", "State is no structure"),
    "with a keyword": (
        'State = np.dtype([("size", "i1"),\n    ("from", "i1")])  # wrong',
        "State field 'from' cannot be an attribute; use a plain name such as 'from_'",
    ),
    "with an underscore": (
        'State = np.dtype([("_size", "i1")])  # wrong',
        "State field '_size' cannot be an attribute",
    ),
    "with a blank": (
        'State = np.dtype([("two words", "i1")])  # wrong',
        "State field 'two words' cannot be an attribute",
    ),
    "with three dimensions": (
        'State = np.dtype([("size", "i1"),\n    ("board", "i1", (3, 3, 2))])  # wrong',
        "State field board has 3 dimensions; use one or two, and compute the index",
    ),
    "with an array of nothing": (
        'State = np.dtype([("size", "i1"),\n    ("board", "i1", (3, 0))])  # wrong',
        "State field board has no elements; its shape is (3, 0)",
    ),
    "with an array of bool": (
        'State = np.dtype([("size", "i1"),\n    ("seen", "?", 3)])  # wrong',
        "State field seen is an array of bool, which cannot be compiled; use i1, and 0 and 1",
    ),
    "with text": ('State = np.dtype([("name", "S8")])  # wrong', "State field name has type |S8; use whole numbers"),
    "with objects": ('State = np.dtype([("name", object)])  # wrong', "State field name has type object"),
    "with complex numbers": ('State = np.dtype([("z", "c8")])  # wrong', "State field z has type complex64"),
    "with short reals": ('State = np.dtype([("x", "f2")])  # wrong', "State field x has type float16"),
    "with long reals": ('State = np.dtype([("x", np.longdouble)])  # wrong', "State field x has type"),
    "with bytes the wrong way round": ('State = np.dtype([("x", ">i4")])  # wrong', "State field x has type >i4"),
    "with a structure inside": (
        'State = np.dtype([("x", [("y", "i1")])])  # wrong',
        "State field x has type [('y', 'i1')]",
    ),
}


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("state", STATES)
def test_a_state_cannot_be(state, place, debug):
    declared, reason = STATES[state]
    message = place.error(re.sub(r"State = .*?\]\)", declared, GAME, flags=re.DOTALL), debug=debug)
    assert reason in message
    assert message.startswith(f"{place.path}, line {place.line}: " if declared else f"{place.path} has no State")


def past_the_end():
    """Nine moves where eight have room."""
    return GAME.replace("out[n] = i", "out[n] = i  # wrong").replace(
        'PARAMETERS = (Whole("size", 3', 'MAX_MOVES = 8\nPARAMETERS = (Whole("size", 9'
    )


def test_too_many_moves_are_found_at_their_line_when_rules_run_in_python(place):
    game = place.load(past_the_end(), debug=True)
    for look in (lambda: game.start().moves(), lambda: fs.playouts(game, 1), lambda: fs.unroll(game)):
        with pytest.raises(fs.GameError) as caught:
            look()
        assert place.sentence(caught) == (
            f"rule moves ({place.path}, line {place.line}) failed: index 8 is outside its buffer, which has room for 8"
        )


def test_too_many_moves_are_counted_when_rules_are_compiled(place):
    game = place.load(past_the_end(), unchecked=True)
    for look in (lambda: game.start().moves(), lambda: fs.playouts(game, 1), lambda: fs.unroll(game)):
        with pytest.raises(fs.GameError) as caught:
            look()
        message = place.sentence(caught)
        assert message.startswith(f"rule moves ({place.path}, line ")
        assert message.endswith("wrote 9 moves where 8 have room; set MAX_MOVES = 16 in the game file")


def test_too_many_outcomes_of_chance_are_said_of_the_rule_chance(place):
    chance = (
        "\ndef chance(s, out, prob):\n    for i in range(600):\n        out[i] = i\n        prob[i] = 1 / 600\n "
        "   return 600\n"
    )
    game = place.load(GAME + chance, unchecked=True)
    with pytest.raises(
        fs.GameError, match=r"rule chance \(.* wrote 257 moves where 256 have room; set MAX_MOVES = 512"
    ):
        game.start().chance()


def test_a_write_past_the_payoffs_is_found_at_its_line_when_rules_run_in_python(place):
    game = place.load(GAME.replace("out[1] = -out[0]", "out[1] = -out[0]\n    out[2] = 0  # wrong"), debug=True)
    with pytest.raises(fs.GameError) as caught:
        fs.unroll(game)
    assert f"rule payoff ({place.path}, line {place.line}) failed: index 2 is outside its buffer" in place.sentence(
        caught
    )


def test_a_state_without_moves_that_is_not_over_is_an_error(place):
    game = place.load(GAME.replace("    return n\n\ndef play", "    return 0\n\ndef play"), unchecked=True)
    for look in (fs.unroll, lambda game: fs.playouts(game, 1)):
        with pytest.raises(fs.GameError, match="rule moves .* returns 0 at a state that is not over"):
            look(game)


@pytest.mark.parametrize("who", [2, 100, -3])
def test_an_actor_that_is_nobody_is_an_error(place, who):
    text = GAME.replace("def actor(s):", "def actor(s):  # wrong").replace("else s.turn % 2", f"else {who}")
    game = place.load(text, unchecked=True)
    with pytest.raises(fs.GameError) as caught:
        fs.unroll(game)
    assert place.sentence(caught) == (
        f"rule actor ({place.path}, line {place.line}) returned {who}, which is neither a player (0 to 1) nor CHANCE "
        "nor OVER, after the moves 1"
    )


def test_moves_that_differ_within_an_information_set_are_an_error(place):
    game = place.load(GAME.replace("key = mix(s.past, s.turn)", "key = mix(0, s.turn)"))
    with pytest.raises(fs.GameError, match="the legal moves differ between two states of one information set"):
        fs.unroll(game)


def test_a_syntax_error_is_found_at_its_line(place):
    message = place.error(
        GAME.replace(
            "n = 0\n    for i in range(s.size):\n        n +=",
            "n = = 0  # wrong\n    for i in range(s.size):\n        n +=",
        )
    )
    assert message == f"{place.path}, line {place.line}: invalid syntax"


def test_an_exception_in_the_file_itself_is_found_at_its_line(place):
    message = place.error("TABLE = {}\n\ndef fill():\n    return TABLE['x']  # wrong\n\nfill()\n" + GAME)
    assert message == f"{place.path}, line {place.line}: the file cannot be imported: KeyError: 'x'"
    message = place.error("import nowhere_to_be_found  # wrong\n" + GAME)
    assert message == (
        f"{place.path}, line 1: the file cannot be imported: ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    )


def test_a_file_that_is_not_there_is_an_error(place):
    with pytest.raises(fs.GameError, match="there is no game file"):
        fs.load(place.path)


def test_parameters_that_about_refuses_are_an_error_of_the_spec(place):
    text = GAME.replace(
        "return About(", 'if size == 2:\n        raise ValueError("size must not be 2")\n    return About('
    )
    assert place.error(text, fs.SpecError, size=2) == f"{place.path}: size must not be 2"
    assert place.load(text, size=4).parameters == {"size": 4}


def test_an_about_that_fails_is_found_at_its_line(place):
    message = place.error(GAME.replace("return About(", "size.nope  # wrong\n    return About("))
    assert (
        message
        == f"about ({place.path}, line {place.line}) failed: AttributeError: 'int' object has no attribute 'nope'"
    )
    message = place.error(GAME.replace("def about(size):", "def about():  # wrong"))
    assert message.startswith(
        f"about ({place.path}, line {place.line}) failed: TypeError: about() got an unexpected keyword argument"
    )


def test_about_must_return_an_about(place):
    message = place.error(GAME.replace("return About(players=2, utility=(-1, 1))", "return 2"))
    assert message == f"{place.path}: about must return About(players=..., ...), not 2"


def test_a_table_needs_a_field_for_its_address(place):
    text = GAME.replace("utility=(-1, 1)", "utility=(-1, 1), tables={'prices': np.arange(3)}")
    assert place.error(text) == 'coins: the table prices needs a State field ("prices", "i8")'
    assert place.error(text.replace('("turn", "i1"),', '("turn", "i1"), ("prices", "i4"),')).startswith(
        "coins: the table prices"
    )
    fine = text.replace('("turn", "i1"),', '("turn", "i1"), ("prices", "i8"),')
    assert fs.unroll(place.load(fine)).size == fs.unroll(place.load(GAME)).size


def test_a_field_must_have_room_for_its_parameter(place):
    text = GAME.replace('Whole("size", 3, 1, 9,', 'Whole("size", 3, 1, 1000,')
    assert place.error(text, size=200) == "coins: State field size (int8) cannot hold 200"


def test_parameters_must_be_a_tuple_of_parameters(place):
    text = GAME.replace('lie on the table"),)', 'lie on the table"))')
    assert place.error(text).startswith(f"{place.path}: PARAMETERS must be a tuple of Whole, Number, Choice or Text")


def test_a_mistake_that_was_mended_is_forgotten(place):
    place.error(GAME.replace("n += s.coin[i] == 0", "n += nowhere"))
    assert fs.unroll(place.load(GAME)).terminals == np.prod(range(1, 4)) * 3


def test_an_illegal_move_is_refused_and_the_legal_ones_are_told(place):
    s = place.load(GAME).start()
    with pytest.raises(fs.FogspielError, match="move 7 is not legal here; the legal moves are 0, 1, 2"):
        s.play(7)
    for move in (0, 0, 1, 2):
        s.play(move)
    assert s.over
    assert s.moves() == []
    with pytest.raises(fs.FogspielError, match="move 0 is not legal here; the game is over"):
        s.play(0)


def test_a_name_without_end_is_shortened(place):
    game = place.load(GAME)
    with pytest.raises(fs.SpecError, match=r"'a+\.\.\.: parameter size must be a whole number, not None$") as told:
        fs.Game(game.module, "a" * 5000, {"size": None})
    assert len(str(told.value)) < 200


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("            n += 1\n    return n\n", "how many moves it wrote"),
        ("    return OVER if left(s) == 0 else s.turn % 2\n", "who moves"),
    ],
)
@pytest.mark.parametrize("debug", [False, True])
def test_a_rule_without_a_return_is_told_what_to_return(place, wrong, told, debug):
    assert GAME.count(wrong) == 1
    with pytest.raises(fs.GameError) as caught:
        fs.unroll(place.load(GAME.replace(wrong, wrong.replace("return ", "")), debug=debug))
    assert f"it returns nothing where a whole number is expected; it must return {told}" in str(caught.value)
