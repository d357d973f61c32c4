"""Othello: published move counts, the values of small boards, play as in OpenSpiel."""

from hints import ask, guessed, guided
from peers import assert_plays_as_in_openspiel
from perft import perft
from positions import after, child, load, random_states, solved

from fogspiel import OVER
from fogspiel.game import CONTINUES
from fogspiel.games.othello import OPENING, PASS, edge

NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]


def named(s):
    return {s.game.move_name(s, move) for move in s.moves()}


def with_discs(black, white, player=0):
    """A position with the given squares of both, and who is to move."""
    s = after("othello")
    for colour, names in enumerate((black, white)):
        s.view.discs[colour] = sum(1 << NAMES.index(name) for name in names.split())
    s.view.player = player
    s.view.open = s.game.module.open_to(s.view, player)
    return s


def test_othello_has_its_published_move_counts():
    counts = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
    assert [perft(load("othello"), depth) for depth in range(1, 10)] == counts


def test_othello_plays_as_in_openspiel():
    assert_plays_as_in_openspiel("othello", "othello", 800, keys=False)


def test_discs_that_are_enclosed_turn_over_in_all_directions():
    assert named(after("othello")) == {"d3", "c4", "f5", "e6"}
    s = with_discs("b2 d2 f2 f4 f6 d6 b6 b4", "c3 d3 e3 c4 e4 c5 d5 e5")
    s.play(NAMES.index("d4"))
    assert (s.view.discs[0].bit_count(), s.view.discs[1], s.actor) == (17, 0, OVER)
    assert s.payoff() == [1, -1]


def test_a_line_does_not_go_around_the_side_of_the_board():
    assert named(with_discs("h3", "a4 b4")) == {"pass"}
    assert named(with_discs("h3 c4", "a4 b4")) == {"pass"}
    assert named(with_discs("a5", "h3 g3")) == {"pass"}
    assert named(with_discs("a1", "b2 c3 d4 e5 f6 g7")) == {"h8"}


def test_who_can_enclose_nothing_must_pass_and_two_who_cannot_end_the_game():
    s = with_discs("a1 b1 h8", "c1 g8", player=1)
    assert s.moves() == [PASS]
    s.play(PASS)
    assert named(s) == {"d1", "f8"}
    s.play(NAMES.index("d1"))
    s.play(PASS)
    s.play(NAMES.index("f8"))
    assert s.over


def test_small_boards_have_their_known_winner():
    assert solved("othello(size=4)") == -1


def test_white_wins_on_four_by_four_by_eleven_to_three():
    assert _ahead(after("othello(size=4)"), -16, 16, {}) == 3 - 11


def _ahead(s, low, high, known):
    """Black's discs less White's with best play, if between low and high: alpha-beta."""
    if s.over:
        return s.view.discs[0].bit_count() - s.view.discs[1].bit_count()
    key = (s.key(0), low, high)
    if key not in known:
        best = -16 if s.actor == 0 else 16
        a, b = low, high
        for move in s.moves():
            value = _ahead(child(s, move), a, b, known)
            best = max(best, value) if s.actor == 0 else min(best, value)
            a, b = (max(a, best), b) if s.actor == 0 else (a, min(b, best))
            if a >= b:
                break
        known[key] = best
    return known[key]


def test_episodes_begin_after_moves_on_the_edge():
    squares = edge(after("othello").view.board)
    assert squares.bit_count() == 28
    assert ask(after("othello"), "episode") == OPENING
    for s in random_states(load("othello"), 3, seed=5):
        if not s.over and s.view.latest >= 0:
            on_edge = s.view.latest != PASS and 1 << s.view.latest & squares
            assert ask(s, "episode") == (s.actor if on_edge else CONTINUES)


def test_sensible_play_takes_corners():
    s = with_discs("c3 f6", "b2 g7 d3")
    assert {s.game.move_name(s, move): p for move, p in guided(s).items()} == {"a1": 0.5, "h8": 0.5, "e3": 0}
    assert guided(after("othello")) == dict.fromkeys(after("othello").moves(), 0.25)
    passing = with_discs("a1", "h8")
    assert guided(passing) == {PASS: 1}


def test_guesses_rise_with_corners_and_open_squares():
    assert guessed(after("othello"))[0] == 0
    assert guessed(with_discs("a1", "h8 a8"))[0] == (10 - 20) / 30
    assert guessed(with_discs("d4 a1", "e4 h8"))[0] == (11 - 11) / 22
    assert guessed(with_discs("d4 a1", "e4"))[0] == (11 - 1) / 12
