"""What is seen of long work while it lasts."""

import io
import json
import re
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

import fogspiel as fs
from fogspiel.app import cli, progress
from fogspiel.engine import notice
from fogspiel.engine.native import cache_folder

GAME = '''"""One choice, worth as much as its number."""

import numpy as np

from fogspiel.game import OVER, About, mix

State = np.dtype([("chosen", "i1")])


def about():
    return About(players=1, utility=(0, 1), zero_sum=False)


def start(s):
    s.chosen = -1


def actor(s):
    return 0 if s.chosen < 0 else OVER


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    s.chosen = move


def payoff(s, out):
    out[0] = s.chosen


def infoset(s, player):
    return mix(7, s.chosen)
'''


@pytest.fixture
def new_game(tmp_path, monkeypatch):
    """A game file whose rules are in no cache, while all else that was ever compiled is."""
    empty = tmp_path / "cache"
    empty.mkdir()
    for file in cache_folder().glob("fogspiel-*.o"):
        (empty / file.name).symlink_to(file)
    monkeypatch.setenv("FOGSPIEL_CACHE", str(empty))
    path = tmp_path / "one_choice.py"
    path.write_text(GAME)
    return path


def test_a_listener_hears_of_what_is_compiled_and_of_nothing_that_is_on_disk(new_game):
    heard = []

    class Listener:
        def __init__(self, name, functions):
            heard.append((name, functions))

        def __enter__(self):
            heard.append("began")

        def __exit__(self, *_):
            heard.append("done")

    notice.listen(Listener)
    try:
        fs.load(new_game)
        fs.load(new_game)
    finally:
        notice.listen(None)
    assert [type(one) for one in heard] == [tuple, str, str]
    assert heard[0][0] == "rules-one_choice"
    assert heard[0][1] > 6
    assert heard[1:] == ["began", "done"]


@pytest.mark.parametrize("where", ["standard output", "a file"])
def test_a_first_use_says_what_is_compiled_and_json_on_standard_output_stays_alone(
    where, new_game, monkeypatch, capsys, tmp_path
):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    file = tmp_path / "facts.json"
    arguments = ["games", str(new_game), "--json", "-" if where == "standard output" else str(file)]
    monkeypatch.setattr(sys, "argv", ["fogspiel", *arguments])
    with pytest.raises(SystemExit):
        cli.main()
    out, err = capsys.readouterr()
    if where == "standard output":
        assert json.loads(out)["players"] == 1
        assert err == ""
    else:
        assert "compiling the rules of one_choice, " in err
        assert err.count("(once)") == err.count("compiling")
        assert "compiling" not in out


def test_on_a_terminal_the_line_of_compiling_goes_away_and_counts_the_seconds(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(progress.LINE, "console", Console(file=screen, force_terminal=True, width=100))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    drawn, draw = [], progress.LINE.draw
    monkeypatch.setattr(progress.LINE, "draw", lambda text: (drawn.append(text), draw(text)))
    with progress.compiling("fogspiel-search-loop", 3):
        while not drawn:
            time.sleep(0.001)
    assert drawn[0] == "compiling fogspiel.search.loop, 3 functions (once) ... 0 s"
    assert "\x1b[2K" in screen.getvalue()  # erased
    assert progress.LINE.live is None


def test_a_function_of_ones_own_that_takes_long_is_told_of_without_what_is_compiled_for_it(monkeypatch):
    told = []
    monkeypatch.setattr(notice, "PATIENCE", 0.05)
    notice.listen(None, told.append)
    try:
        with notice.patience("draw (my_belief.py)"), notice.compiling("fogspiel-belief-replay", 3):
            time.sleep(0.2)
        assert told == []
        with notice.patience("draw (my_belief.py)"):
            while not told:
                time.sleep(0.001)
    finally:
        notice.listen(None)
    assert told == ["draw (my_belief.py) has run for 0.05 seconds and goes on; Ctrl-C ends it"]


def test_progress_within_progress_is_one_line(monkeypatch):
    monkeypatch.setattr(progress.LINE, "console", Console(file=io.StringIO(), force_terminal=True, width=100))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.Watch(patience=0.0) as watch:
        watch.unrolling(12)
        with progress.compiling("rules-kuhn", 1):
            pass
        watch.shown = 0.0
        watch.unrolling(13)
        assert progress.LINE.live is not None
    assert progress.LINE.live is None


def test_a_solver_tells_how_far_it_is_by_bounds_where_it_has_some(monkeypatch):
    drawn = []
    monkeypatch.setattr(progress.LINE, "draw", drawn.append)
    pennies = fs.read_osposg(Path(__file__).parent.parent / "data" / "pennies.osposg")
    fs.solve(pennies, "hsvi", iterations=1, callback=progress.Watch(patience=0.0).point)
    fs.solve("kuhn", "cfr", iterations=1, callback=progress.Watch(patience=0.0).point)
    assert re.search(r" s   value from [+-]\d+\.\d{4} to [+-]\d+\.\d{4}, gap \d", drawn[0])
    assert "nash_conv" not in drawn[0]
    assert re.search(r" s   nash_conv \d", drawn[1])
