"""The guide to writing games says what is true: its games conform, and have the values that they should."""

import re
from pathlib import Path

import pytest

import fogspiel as fs

GUIDE = (Path(__file__).parent.parent / "docs" / "writing-games.md").read_text()
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```python\n(.*?)```\n<!-- end of example -->", GUIDE, re.DOTALL))


@pytest.fixture
def folder(tmp_path):
    for name, text in EXAMPLES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", ["high_card.py", "high_card.py(ante=3,prices=steep)", "pennies.py", "seven.py"])
def test_a_game_of_the_guide_conforms(folder, name):
    report = fs.check(f"{folder}/{name}", playouts=100)
    assert report.ok, str(report)
    assert report.whole_tree
    assert report.notes == (), str(report)


def test_games_of_the_guide_are_worth_what_they_should_be(folder):
    assert fs.solve(str(folder / "pennies.py"), "lp").value[0] == pytest.approx(0, abs=1e-9)
    # one chance in six to win five, else one is lost: a fair bet
    assert fs.solve(str(folder / "seven.py"), "cfr", iterations=10).value[0] == pytest.approx(0, abs=1e-9)
    flat, steep = (fs.load(folder / "high_card.py", prices=prices) for prices in ("flat", "steep"))
    assert flat.about.utility == (-2, 2)
    assert steep.start().view.prices == 1
    won = steep.start()
    for move in (5, 4, 1, 1):
        won.play(move)
    assert won.payoff() == [7, -7]


def test_the_example_of_a_collision_is_one(folder):
    """Under the key `s.a + s.b`, 1 and 4 are 2 and 3."""
    text = EXAMPLES["high_card.py"]
    both = "mix(key, s.card[player])"
    assert both in text
    file = folder / "collision.py"
    file.write_text(text.replace(f"else {both}", "else key + s.card[0] + s.card[1]"))
    report = fs.check(file, playouts=100)
    assert not report.ok
    assert any("build the key with mix" in failure.text for failure in report.failures)
