"""What algorithms need of games: asked by name, refused in one sentence that says what is there."""

from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.game.hidden import hidden_move, hides_something, hides_states
from fogspiel.game.needs import (
    AT_MOST_TWO,
    KNOWN_STAGES,
    NO_ABSTRACTION,
    OPEN_BUT_PENDING,
    PERFECT_INFORMATION,
    PERFECT_RECALL,
    TWO_PLAYERS,
    ZERO_SUM,
    listed,
    require,
    require_settings,
    rule,
    suits,
)
from fogspiel.game.spec import Choice

MATCHING_PENNIES = (
    (Path(__file__).parents[2] / "CONTRIBUTING.md")
    .read_text()
    .split("<!-- example: matching_pennies.py -->\n```python\n")[1]
    .split("```\n<!-- end")[0]
)


@pytest.mark.parametrize(
    ("spec", "need", "told"),
    [
        ("kuhn(players=3)", TWO_PLAYERS, "x needs two players; kuhn(players=3) has 3"),
        ("hidden_coin", TWO_PLAYERS, "x needs two players; hidden_coin has 1"),
        ("kuhn(players=3)", AT_MOST_TWO, "x needs at most two players; kuhn(players=3) has 3"),
        ("matrix(game=chicken)", ZERO_SUM, "x needs a zero-sum game; matrix(game=chicken) is not one"),
        ("deadlock", PERFECT_RECALL, "x needs perfect recall; deadlock has players who forget"),
        ("bluff(faces=2,remember=1)", NO_ABSTRACTION, "x needs a game without an abstraction; bluff(faces=2,remember=1) has one (rule abstract)"),
        ("kuhn", rule("guide"), "x needs the rule guide; kuhn has none"),
        ("kuhn", PERFECT_INFORMATION, 'x needs a game of perfect information; kuhn hides moves such as "deal 1 to player 0" from player 1'),
        ("goofspiel", PERFECT_INFORMATION, "x needs a game of perfect information; goofspiel lets players move at once"),
        ("goofspiel", OPEN_BUT_PENDING, 'x needs a game in which nothing is hidden but pending moves; goofspiel hides moves such as "bid 2" from player 1'),
        ("hearts", KNOWN_STAGES, 'x needs a game in which nothing is hidden but moves made at the same time; hearts hides moves such as "2C to player 0" from player 0'),
        ("absent_minded_driver", PERFECT_INFORMATION, "x needs a game of perfect information; absent_minded_driver hides something"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_sentence_with_both_names_and_what_is_there(spec, need, told):
    game = fs.load(spec)
    with pytest.raises(fs.Unsuitable) as caught:
        require(game, "x", (need,))
    assert str(caught.value) == told
    assert caught.value.rule == need.rule
    with pytest.raises(fs.Unsuitable) as caught:
        require(game, "x", (need,), instead="y or z")
    assert str(caught.value) == f"{told}: try y or z"
    assert not suits(game, (need,))


def test_needs_are_asked_in_their_order():
    with pytest.raises(fs.Unsuitable, match="perfect information"):
        require(fs.load("kuhn(players=3)"), "x", (ZERO_SUM, PERFECT_INFORMATION, TWO_PLAYERS))
    require(fs.load("tic_tac_toe"), "x", (TWO_PLAYERS, ZERO_SUM, PERFECT_INFORMATION, KNOWN_STAGES))


def test_settings_that_a_game_suits_are_named():
    ways = Choice("way", "plain", ("plain", "mirrored", "guided", "other"), "")
    asks = {"way": {"mirrored": (rule("mirror"),), "guided": (rule("guide"),)}}
    game = fs.load("kuhn")
    require_settings(game, "x", asks, {"way": "other"}, [ways])
    with pytest.raises(fs.Unsuitable) as caught:
        require_settings(game, "x", asks, {"way": "guided"}, [ways])
    assert str(caught.value) == "x(way=guided) needs the rule guide; kuhn has none: try way=plain or other"
    assert [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize("spec", ["battleship", "latent_tic_tac_toe", "stratego", "urban_rivals", "scotland_yard", "spades"])  # fmt: skip
def test_what_large_games_hide_is_seen_in_a_few_random_games(spec):
    game = fs.load(spec)
    assert hides_something(game)
    assert hides_something(game, pending=False)
    assert hides_states(game)
    assert hidden_move(game) is not None


@pytest.mark.parametrize("resample", [True, False])
def test_moves_made_at_the_same_time_need_not_be_declared_where_the_game_is_solved_from_its_start(tmp_path, resample):
    """Searches, which stand in the middle of a stage, need it to be told."""
    file, text = tmp_path / "pennies.py", MATCHING_PENNIES.replace(", simultaneous=True", "")
    file.write_text(text if resample else text.replace("def resample", "def no_rule"))
    game = fs.load(file)
    assert hides_something(game, pending=False)
    assert not hides_states(game)
    for algorithm in ("backward-induction", "do-alpha-beta"):
        assert fs.solve(game, algorithm).value == pytest.approx((0, 0), abs=1e-9)
