"""Spec strings: what they may look like, what they set, and what is said of a wrong one."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.game import Choice, Number, Text, Whole
from fogspiel.game.spec import read_parameters, split_spec, write_spec

KNOWN = (
    Whole("size", 3, 1, 9, "a whole number"),
    Number("odds", 0.5, 0.0, 1.0, "a real number"),
    Choice("order", "up", ("up", "down"), "a word"),
    Text("board", "", "text"),
)
USUAL = {"size": 3, "odds": 0.5, "order": "up", "board": ""}


@pytest.mark.parametrize(
    ("text", "name", "given"),
    [
        ("kuhn", "kuhn", {}),
        (" kuhn ", "kuhn", {}),
        ("kuhn()", "kuhn", {}),
        ("kuhn(players=3)", "kuhn", {"players": "3"}),
        (" kuhn ( players = 3 , ) ", "kuhn", {"players": "3"}),
        ("a(b=1,c=x y,d=-2.5)", "a", {"b": "1", "c": "x y", "d": "-2.5"}),
        ("m(p=[[0,1],[-1,0]],q=2)", "m", {"p": "[[0,1],[-1,0]]", "q": "2"}),
        ("m(p=f(x=1,y={2,3}),q=2)", "m", {"p": "f(x=1,y={2,3})", "q": "2"}),
        ("m(p=a=b)", "m", {"p": "a=b"}),
    ],
)
def test_a_spec_string_is_a_name_and_what_is_given(text, name, given):
    assert split_spec(text) == (name, given)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a spec string"),
        ("(a=1)", "is not a spec string: expected name or name"),
        ("kuhn(players=3", "has no closing bracket"),
        ("kuhn(players=3)x", "has no closing bracket"),
        ("kuhn(3)", "expected parameter=value in 'kuhn(3)', found '3'"),
        ("kuhn(players=)", "expected parameter=value in 'kuhn(players=)', found 'players='"),
        ("kuhn(=3)", "expected parameter=value in 'kuhn(=3)', found '=3'"),
        ("kuhn(players=3,players=4)", "parameter players is given twice"),
        ("kunh", "there is no game 'kunh'; did you mean kuhn?"),
        ("goofspeil(cards=3)", "there is no game 'goofspeil'; did you mean goofspiel?"),
        ("xyzzy", "there is no game 'xyzzy'; choose from absent_minded_driver, "),
        ("kuhn(player=3)", "kuhn has no parameter player; did you mean players?"),
        ("goofspiel(xyzzy=3)", "goofspiel has no parameter xyzzy; choose from cards, order, "),
        ("tic_tac_toe(size=4)", "tic_tac_toe has no parameter size (it has none)"),
        ("kuhn(players=many)", "kuhn: parameter players must be a whole number, not 'many'"),
        ("kuhn(players=2.5)", "kuhn: parameter players must be a whole number, not '2.5'"),
        ("kuhn(players=11)", "kuhn: parameter players=11 is out of range: it must be 2 to 10"),
        ("deadlock(xi=half)", "deadlock: parameter xi must be a number, not 'half'"),
        ("deadlock(xi=1.5)", "deadlock: parameter xi=1.5 is out of range: it must be 0 to 1"),
        ("deadlock(xi=nan)", "deadlock: parameter xi must be a number, not 'nan'"),
        (
            "goofspiel(order=sideways)",
            "goofspiel: parameter order must be one of descending, ascending, random, shuffled, not 'sideways'",
        ),
    ],
)
def test_a_wrong_spec_string_is_told_what_is_wrong(text, reason):
    with pytest.raises(fs.SpecError) as caught:
        fs.load(text)
    assert reason in str(caught.value)


def test_parameters_that_are_not_given_have_their_defaults():
    assert read_parameters("game", KNOWN, {}) == USUAL
    given = {"size": "9", "odds": "1e-3", "order": "down", "board": "x.x"}
    assert read_parameters("game", KNOWN, given) == {"size": 9, "odds": 0.001, "order": "down", "board": "x.x"}


def test_a_parameter_may_be_given_as_a_number_of_any_type():
    assert read_parameters("game", KNOWN, {"size": np.int8(5), "odds": 1}) == USUAL | {"size": 5, "odds": 1.0}
    assert read_parameters("game", KNOWN, {"odds": np.float64(0.25)}) == USUAL | {"odds": 0.25}


@pytest.mark.parametrize("odds", [0.1, 1 / 3, 0.123456789, 1e-12, 1.0, 0.0])
def test_a_spec_string_says_exactly_what_was_given(odds):
    values = USUAL | {"odds": odds, "size": 4, "board": "[(1,2),(3,4)]"}
    name, given = split_spec(write_spec("game", KNOWN, values, USUAL))
    assert (name, read_parameters("game", KNOWN, given)) == ("game", values)


def test_a_spec_string_leaves_out_what_is_as_usual():
    assert write_spec("game", KNOWN, USUAL, USUAL) == "game"
    assert write_spec("game", KNOWN, USUAL | {"order": "down"}, USUAL) == "game(order=down)"
    assert write_spec("game", KNOWN, USUAL, USUAL | {"size": 4}) == "game(size=3)"


@pytest.mark.parametrize("name", fs.built_in_games())
def test_a_built_in_game_is_loaded_by_the_spec_it_gives(name):
    game = fs.load(name, debug=True)
    assert game.spec == name
    assert fs.load(game.spec, debug=True).spec == game.spec


@pytest.mark.parametrize(
    "spec",
    [
        "kuhn(players=3)",
        "goofspiel(cards=5,order=random)",
        "goofspiel(bids=open,payoff=points)",
        "bluff(dice1=2,faces=3)",
        "leduc(see_suits=yes)",
        "small_poker(ranks=4,raises=1)",
        "deadlock(xi=0.123456789)",
        "nonlocality(leaf=-5)",
        "random_game(seed=4611686018427387904,actions=2)",
        "matrix(payoffs=[[0,1],[-1,0]])",
        "matrix(payoffs=[[3,0],[5,1]],payoffs2=[[3,5],[0,1]])",
    ],
)
def test_a_game_with_parameters_is_loaded_by_the_spec_it_gives(spec):
    game = fs.load(spec, debug=True)
    assert game.spec == spec
    again = fs.load(game.spec, debug=True)
    assert again.parameters == game.parameters
    assert again.root.tobytes() == game.root.tobytes() or game.about.tables


def test_a_parameter_that_is_given_as_usual_is_left_out():
    assert fs.load("kuhn(players=2)").spec == "kuhn"
    assert fs.load("small_poker(suits=3)", debug=True).spec == "small_poker"
    assert fs.load("leduc(suits=2)", debug=True).spec == "leduc"


def test_a_preset_keeps_its_name_and_sets_its_parameters():
    preset, plain = fs.load("small_poker"), fs.load("poker(suits=3,bets=2,raises=2)")
    assert (preset.name, preset.spec) == ("small_poker", "small_poker")
    assert preset.parameters == plain.parameters
    assert fs.playouts(preset, 20, hashed=True) == fs.playouts(plain, 20, hashed=True)
    assert fs.load("small_poker(suits=2)", debug=True).parameters == plain.parameters | {"suits": 2}
    assert fs.load("small_poker(suits=2)", debug=True).spec == "small_poker(suits=2)"


def test_parameters_may_be_given_by_name_but_not_against_those_in_the_string():
    assert fs.load("kuhn", players=3).spec == "kuhn(players=3)"
    assert fs.load("goofspiel(cards=3)", debug=True, order="random").spec == "goofspiel(cards=3,order=random)"
    with pytest.raises(fs.SpecError, match="cards is '3' in the spec string and 5 by name"):
        fs.load("goofspiel(cards=3)", debug=True, cards=5)
    assert fs.load("deadlock", debug=True, xi=0.25).parameters == {"xi": 0.25}
    with pytest.raises(fs.SpecError, match="kuhn has no parameter player; did you mean players"):
        fs.load("kuhn", player=3)
    with pytest.raises(fs.SpecError, match=r"players=1 is out of range"):
        fs.load("kuhn", players=1)
