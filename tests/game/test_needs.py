"""What algorithms need of games: asked by name, refused in one sentence that says what is there."""

from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.agents.suited import suited
from fogspiel.game import Choice
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
from fogspiel.games import goofspiel


def example(page, name):
    """A game that a page gives as an example."""
    text = (Path(__file__).parents[2] / page).read_text()
    return text.split(f"<!-- example: {name} -->\n```python\n")[1].split("```\n<!-- end")[0]


MATCHING_PENNIES = example("CONTRIBUTING.md", "matching_pennies.py")


@pytest.mark.parametrize(
    ("spec", "need", "told"),
    [
        ("kuhn(players=3)", TWO_PLAYERS, "x needs two players; kuhn(players=3) has 3"),
        ("hidden_coin", TWO_PLAYERS, "x needs two players; hidden_coin has 1"),
        ("kuhn(players=3)", AT_MOST_TWO, "x needs at most two players; kuhn(players=3) has 3"),
        ("matrix(game=chicken)", ZERO_SUM, "x needs a zero-sum game; matrix(game=chicken) is not one"),
        ("deadlock", PERFECT_RECALL, "x needs perfect recall; deadlock has players who forget"),
        (
            "bluff(faces=2,remember=1)",
            NO_ABSTRACTION,
            "x needs a game without an abstraction; bluff(faces=2,remember=1) has one (rule abstract)",
        ),
        ("kuhn", rule("guide"), "x needs the rule guide; kuhn has none"),
        (
            "kuhn",
            PERFECT_INFORMATION,
            'x needs a game of perfect information; kuhn hides moves such as "deal 1 to player 0" from player 1',
        ),
        (
            "goofspiel",
            PERFECT_INFORMATION,
            "x needs a game of perfect information; goofspiel lets players move at once",
        ),
        (
            "goofspiel",
            OPEN_BUT_PENDING,
            (
                'x needs a game in which nothing is hidden but pending moves; goofspiel hides moves such as "bid 2" '
                "from "
                "player 1"
            ),
        ),
        (
            "hearts",
            KNOWN_STAGES,
            (
                "x needs a game in which nothing is hidden but moves made at the same time; hearts hides moves such as "
                '"2C to player 0" from player 0'
            ),
        ),
        (
            "absent_minded_driver",
            PERFECT_INFORMATION,
            "x needs a game of perfect information; absent_minded_driver hides something",
        ),
    ],
)
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


@pytest.mark.parametrize(
    "spec", ["battleship", "latent_tic_tac_toe", "stratego", "urban_rivals", "scotland_yard", "spades"]
)
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


THREE_AT_ONCE = '''
"""Three players choose one of three numbers at once, twice; all are shown; whoever alone chose a number scores."""
import numpy as np
from fogspiel.game import OVER, PUBLIC, About, mix
State = np.dtype([("turn", "i1"), ("round", "i1"), ("shown", "i1", 3), ("score", "i1", 3), ("seen", "u8")], align=True)
def about():
    return About(players=3, utility=(0, 2), zero_sum=False, simultaneous=True)
def start(s):
    s.turn, s.round, s.seen = 0, 0, 0
    for i in range(3):
        s.shown[i], s.score[i] = -1, 0
def actor(s):
    return s.turn
def moves(s, out):
    for i in range(3):
        out[i] = i
    return 3
def play(s, move):
    s.shown[s.turn] = move
    s.turn += 1
    if s.turn == 3:
        for i in range(3):
            s.score[i] += s.shown[i] != s.shown[(i + 1) % 3] and s.shown[i] != s.shown[(i + 2) % 3]
            s.seen = mix(s.seen, s.shown[i])
        for i in range(3):
            s.shown[i] = -1
        s.round += 1
        s.turn = 0 if s.round < 2 else OVER
def payoff(s, out):
    for i in range(3):
        out[i] = s.score[i]
def infoset(s, player):
    key = mix(mix(1, s.round), s.seen)
    return key if player == PUBLIC else mix(key, s.shown[player])
'''


@pytest.mark.parametrize("text", [example("docs/writing-games.md", "pennies.py"), MATCHING_PENNIES, THREE_AT_ONCE])
def test_pending_moves_are_all_that_is_hidden_whether_or_not_keys_show_whose_turn_it_is(tmp_path, text):
    """Without the rule `resample`, states that look the same are found by playing."""
    file = tmp_path / "at_once.py"
    file.write_text(text.replace("def resample", "def no_rule"))
    game = fs.load(file)
    assert hides_something(game)
    assert not hides_something(game, pending=False)
    assert not hides_states(game)
    require(game, "x", (OPEN_BUT_PENDING, KNOWN_STAGES))


@pytest.mark.parametrize(("bids", "hidden"), [("open", False), ("hidden", True)])
def test_what_stays_hidden_after_a_stage_is_found_by_playing(tmp_path, bids, hidden):
    file = tmp_path / "bids.py"
    file.write_text(Path(goofspiel.__file__).read_text().replace("def resample", "def no_rule"))
    game = fs.load(file, cards=4, bids=bids)
    assert hides_something(game)
    assert hides_something(game, pending=False) == hides_states(game) == hidden


def test_searches_and_solvers_of_stages_play_the_pennies_of_the_page(tmp_path):
    file = tmp_path / "pennies.py"
    file.write_text(example("docs/writing-games.md", "pennies.py").replace("def resample", "def no_rule"))
    for player in ("sm-mcts(simulations=20)", "oos(simulations=20,progress=root)", "do-alpha-beta"):
        assert fs.match(file, [player, "random"], games=2, seed=1, strict=True).played == 2
    for algorithm in ("backward-induction", "do-alpha-beta"):
        assert fs.solve(file, algorithm).value == pytest.approx((0, 0), abs=1e-9)
    assert suited(fs.load(file)).startswith("sm-mcts")
