"""Files in which NashConv is called exploitability are read as what they say: every number as it was."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.experiment.results import Results
from fogspiel.reproduce import stored
from fogspiel.reproduce.documents import every_item

OLDER = Path(__file__).parents[1] / "data" / "before_nash_conv"
CFR = {10: 0.13739758763431514, 100: 0.016451954631830884}
"""What was kept of `cfr` in Kuhn poker, letter by letter: by iterations."""


def test_a_strategy_is_what_it_was():
    strategy = fs.read(OLDER / "kuhn.fog")
    assert fs.nash_conv("kuhn", strategy) == pytest.approx(CFR[100], abs=1e-15)
    assert fs.exploitability("kuhn", strategy) == pytest.approx(CFR[100] / 2, abs=1e-15)


def test_a_run_goes_on_from_a_checkpoint_with_its_curve(tmp_path):
    found = fs.solve("kuhn", "cfr", iterations=200, resume=OLDER / "kuhn.checkpoint", checkpoint=tmp_path / "c")
    straight = fs.solve("kuhn", "cfr", iterations=200)
    assert found.resumed == 100
    assert found.strategy == straight.strategy
    told = {p.iterations: p.nash_conv for p in found.curve}
    assert {n: told[n] for n in CFR} == CFR
    assert told == {p.iterations: p.nash_conv for p in straight.curve}
    again = fs.solve("kuhn", "cfr", iterations=200, resume=tmp_path / "c")
    assert [p.nash_conv for p in again.curve] == [p.nash_conv for p in found.curve]


def opened(path: Path) -> dict[str, dict[tuple, float]]:
    found = {}
    with Results(path) as results:
        for name in ("ITERATED", "OWN"):
            table = results.view(f"older/{name}").table()
            found[table.measure] = {row.key: row.value for row in table}
    return found


WANTED = {
    "nash_conv": {
        ("cfr", 10): CFR[10],
        ("cfr", 100): CFR[100],
        ("cfr+", 10): 0.06537418133668962,
        ("cfr+", 100): 0.002388808202223147,
    },
    # a function's numbers have the name that the function gave them
    "exploitability": {(0,): 0.25, (1,): 1.25},
}


def test_results_of_experiments_have_the_same_numbers_by_their_new_name(tmp_path):
    path = Path(shutil.copy(OLDER / "kuhn.sqlite", tmp_path))
    assert opened(path) == opened(path) == WANTED
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA user_version").fetchone() == (2,)
    assert base.execute(
        "SELECT DISTINCT measure FROM score WHERE experiment = 'older/ITERATED' ORDER BY 1"
    ).fetchall() == [
        ("budget",),
        ("nash_conv",),
        ("seconds",),
        ("touched",),
    ]
    base.close()


def test_results_that_cannot_be_written_to_are_read_and_stay_as_they_are(tmp_path, monkeypatch):
    path = Path(shutil.copy(OLDER / "kuhn.sqlite", tmp_path))
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert opened(path) == WANTED
    assert path.read_bytes() == before


def test_a_table_that_was_kept_has_the_same_numbers(tmp_path):
    folder = tmp_path / "vesely-2024"
    folder.mkdir()
    shutil.copy(OLDER / "6.8.small.json", folder)
    item = every_item()["vesely-2024/6.8"]
    then = json.loads((OLDER / "6.8.small.json").read_text())["experiments"]["exploitability"]
    found = stored.stored("vesely-2024/6.8", item, tmp_path)["small"].tables["nash_conv"]
    assert (then["measure"], found.measure) == ("exploitability", "nash_conv")
    assert [[*row.key, row.value] for row in found] == [row[: len(found.by) + 1] for row in then["rows"]]
    today = stored.stored("vesely-2024/6.8", item)["small"].tables["nash_conv"]
    assert [(r.key, r.value, r.low, r.high) for r in found] == [(r.key, r.value, r.low, r.high) for r in today]
