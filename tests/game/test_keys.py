"""One key for two things that a player knows apart is found, by whatever evidence a game gives."""

import re

import pytest

import fogspiel as fs
from fogspiel.game import check_report as names
from fogspiel.game.check import FAILED, NOTED

PAIR = '''
"""Two numbers are dealt to the player, who then names the first of them."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix

State = np.dtype([("a", "i1"), ("b", "i1"), ("said", "i1"), ("step", "i1")], align=True)
SIZE = 5

def about():
    return About(players=1, utility=(0, 1), zero_sum=False)

def start(s):
    s.a, s.b, s.said, s.step = -1, -1, -1, 0

def actor(s):
    return CHANCE if s.step < 2 else 0 if s.step == 2 else OVER

def moves(s, out):
    for i in range(SIZE):
        out[i] = i
    return SIZE

def play(s, move):
    if s.step == 0:
        s.a = move
    elif s.step == 1:
        s.b = move
    else:
        s.said = move
    s.step += 1

def payoff(s, out):
    out[0] = 1 if s.said == s.a else 0

def infoset(s, player):
    return mix(mix(mix(mix(0, s.step), s.said), s.a), s.b)
'''
SOUND = "return mix(mix(mix(mix(0, s.step), s.said), s.a), s.b)"
SUM = "return mix(mix(0, s.step), s.said) ^ (s.a + s.b + 2)"
XOR = "return mix(mix(0, s.step), s.said) ^ (s.a + 1) ^ (s.b + 1)"
AT_ONCE = (
    ("CHANCE if s.step < 2 else 0 if s.step == 2", "CHANCE if s.step == 0 else 0 if s.step == 1"),
    (
        "    for i in range(SIZE):\n        out[i] = i\n    return SIZE",
        "    n = SIZE * SIZE if s.step == 0 else SIZE\n    for i in range(n):\n        out[i] = i\n    return n",
    ),
    (
        "        s.a = move\n    elif s.step == 1:\n        s.b = move\n",
        "        s.a, s.b = move // SIZE, move % SIZE\n",
    ),
)
"""One move of chance deals both numbers, so that no key on the way tells them apart."""
SHOW = "\ndef show(s, player):\n    return f'{s.a} {s.b}'\n"
SHOW_SUM = "\ndef show(s, player):\n    return f'the sum is {s.a + s.b}'\n"


@pytest.fixture
def checked(tmp_path):
    def run(key, *changes, more=""):
        text = PAIR.replace(SOUND, key)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "pair.py"
        path.write_text(text + more)
        return fs.check(path, playouts=200)

    return run


def assert_collision(report, name, *fragments):
    finding = report.finding(name)
    assert finding.status == FAILED, str(report)
    assert "player 0 has the same key after these two histories" in finding.text
    assert "build the key with mix from all that the player knows, in order" in finding.text
    for fragment in fragments:
        assert fragment in finding.text
    assert len(finding.histories) == 2


def test_a_key_that_tells_all_is_sound(checked):
    for changes in ((), AT_ONCE):
        report = checked(SOUND, *changes)
        assert report.ok, str(report)
        assert report.notes == ()


@pytest.mark.parametrize("key", [SUM, XOR])
def test_what_chance_told_one_by_one_and_the_key_no_longer_tells_is_found(checked, key):
    assert_collision(checked(key), names.COLLISION, "chance told it different things on the way")


@pytest.mark.parametrize("key", [SUM, XOR])
def test_numbers_that_make_up_for_each_other_are_found(checked, key):
    report = checked(key, *AT_ONCE)
    assert_collision(report, names.COLLISION, "in which a and b are ", "where only one of them differs")
    found = re.search(r"a and b are (\d), (\d) and (\d), (\d)", report.finding(names.COLLISION).text)
    a, b, c, d = map(int, found.groups())
    assert (a + b == c + d) if key == SUM else ((a + 1) ^ (b + 1)) == ((c + 1) ^ (d + 1))


def test_numbers_in_an_array_are_told_by_their_places(checked):
    array = (('("a", "i1"), ("b", "i1")', '("card", "i1", 2)'), ("s.a, s.b, s.said", "s.card[0], s.card[1], s.said"))
    moved = ("s.a, s.b = move", "s.card[0], s.card[1] = move")
    report = checked(
        "return mix(mix(0, s.step), s.said) ^ (s.card[0] + s.card[1])",
        *AT_ONCE,
        *array,
        moved,
        ("s.said == s.a", "s.said == s.card[0]"),
    )
    assert_collision(report, names.COLLISION, "card[0] and card[1]")


def test_pictures_that_differ_are_found_wherever_random_play_or_the_walk_meets_them(checked):
    assert_collision(checked(XOR, *AT_ONCE, more=SHOW), names.PICTURE, "two different pictures")


def test_a_picture_that_is_the_same_leaves_a_note(checked):
    report = checked(SUM, *AT_ONCE, more=SHOW_SUM)
    assert report.ok, str(report)
    assert report.finding(names.COLLISION).status == NOTED
    assert "keep what it knows in a field of its own" in report.finding(names.COLLISION).text


def test_what_a_field_of_its_own_says_is_what_the_player_knows(checked):
    total = (
        ('("a", "i1"), ("b", "i1")', '("a", "i1"), ("b", "i1"), ("total", "i1")'),
        ("s.said, s.step = -1, -1, -1, 0", "s.said, s.step, s.total = -1, -1, -1, 0, -1"),
        ("move // SIZE, move % SIZE\n", "move // SIZE, move % SIZE\n        s.total = s.a + s.b\n"),
    )
    report = checked("return mix(mix(mix(0, s.step), s.said), s.total)", *AT_ONCE, *total)
    assert report.ok, str(report)
    assert report.notes == ()


def test_the_order_of_a_hand_may_be_unknown(checked):
    report = checked("return mix(mix(mix(0, s.step), s.said), (1 << s.a + 1) + (1 << s.b + 1))")
    assert report.ok, str(report)
    assert report.notes == ()


def test_what_is_declared_to_be_forgotten_is_a_note(checked):
    report = checked(SUM, ("zero_sum=False", "zero_sum=False, perfect_recall=False"))
    assert report.ok, str(report)
    assert report.finding(names.COLLISION).status == NOTED
    assert "build the key" not in report.finding(names.COLLISION).text
