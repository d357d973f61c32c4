"""Published experiments as commands: they are listed, run, and judged by what is measured."""

import json
import math
import sys
from dataclasses import replace

import pytest

from fogspiel.app import cli, show, targets, targets_recall
from fogspiel.app.targets import Scale, Verdict

SMALLER = {"bluff": "bluff(faces=2)", "one_card_poker(cards=50)": "one_card_poker(cards=5)"}
TINY = Scale("small", 2000, 2, 3)


@pytest.fixture
def command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(show.console, "width", 1000)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["fogspiel", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return run


def test_targets_are_listed(command):
    status, out, _ = command("reproduce")
    assert status == 0
    assert all(f"{name} " in out and target.criterion in out for name, target in targets.TARGETS.items())


def test_no_target_is_left_out():
    assert list(targets.TARGETS) == [f"R-{n}" for n in range(1, 24)]


def test_what_there_is_not_is_refused_in_one_sentence(command):
    assert command("reproduce", "R-99")[2].startswith("fogspiel: there is no target 'R-99'")
    assert command("reproduce", "R-4", "--scale", "huge")[2] == "fogspiel: --scale must be small or full, not 'huge'\n"


@pytest.mark.parametrize("name", ["R-1", "R-2", "R-3", "R-4", "R-5", "R-6", "R-23"])
def test_a_target_measures_every_setting_it_compares(monkeypatch, name):
    monkeypatch.setattr(targets, "form_of", lambda game, real=targets.form_of: real(SMALLER.get(game, game)))
    monkeypatch.setitem(targets.SCALES, "small", TINY)
    verdict = targets.reproduce(name)
    assert (verdict.target, verdict.scale) == (name, "small")
    settings = [(row["game"], row["algorithm"], row["nodes"], row.get("below")) for row in verdict.rows]
    assert len(set(settings)) == len(settings) >= 2
    assert all(math.isfinite(row["exploitability"]) and row["exploitability"] > 0 for row in verdict.rows)
    assert all(row["nodes"] > 0 for row in verdict.rows)


@pytest.mark.parametrize("name", ["R-19", "R-20", "R-21", "R-22"])
def test_a_target_of_variance_reduction_compares_simulations(monkeypatch, name):
    monkeypatch.setitem(targets.SCALES, "small", replace(TINY, games=3))
    rows = targets.reproduce(name).rows
    assert {row["algorithm"] for row in rows} >= {"none", "control+common"}
    assert len({(row["algorithm"], row["simulations"]) for row in rows}) == len(rows) >= 3
    assert all(0 <= row["variance" if name == "R-19" else "score"] < math.inf for row in rows)


def test_sizes_are_compared_with_the_table(monkeypatch):
    # phantom tic-tac-toe has a test of its own, which takes longer (Lanctot 2013, Table 5.1: within 4%)
    monkeypatch.setattr(targets_recall, "phantom_sizes", lambda: {n: (0, s) for n, s in targets_recall.PHANTOM.items()})
    verdict = targets.reproduce("R-9")
    assert verdict.passed
    assert len({row["game"] for row in verdict.rows}) == 15
    assert {row["game"]: row["pairs"] for row in verdict.rows}["die_roll_poker(recall=sum)"] == 860
    monkeypatch.setattr(targets_recall, "phantom_sizes", lambda: dict.fromkeys(targets_recall.PHANTOM, (0, 47_818)))
    assert not targets.reproduce("R-9").passed


def test_full_and_abstract_averages_are_compared():
    verdict = targets.reproduce("R-10")
    assert verdict.passed
    found = {(r["game"], r["algorithm"], r["iterations"]): r["exploitability"] for r in verdict.rows}
    assert len(found) == 12
    game = "bluff(remember=4)"
    assert found[game, "cfr(average=full)", 1000] != found[game, "cfr(average=abstract)", 1000]
    assert found[game, "cfr(average=full)", 1000] < found[game, "cfr(average=full)", 10] / 10


def test_the_deadlock_is_found():
    verdict = targets.reproduce("R-14")
    assert verdict.passed
    assert [row["fixed from"] for row in verdict.rows] == [3, 3, 3]
    # Lanctot 2013, sec. 5.3.1: (1 - xi) / 4
    assert [row["regret"] for row in verdict.rows] == pytest.approx([0.1875, 0.125, 0.0625], abs=1e-3)


@pytest.mark.parametrize("passed", [True, False])
def test_the_exit_status_is_the_verdict(command, monkeypatch, tmp_path, passed):
    row = {"game": "kuhn", "algorithm": "es-mccfr", "nodes": 1000, "exploitability": 0.25}
    target = targets.Target("a run", "it is small", lambda scale: Verdict([row], passed))
    monkeypatch.setitem(targets.TARGETS, "R-0", target)
    status, out, _ = command("reproduce", "R-0", "--json", str(tmp_path / "r.json"))
    assert status == (0 if passed else 1)
    assert "0.2500" in out
    assert ("passed: it is small" in out) == passed
    assert json.loads((tmp_path / "r.json").read_text()) == {
        "rows": [row],
        "passed": passed,
        "target": "R-0",
        "scale": "small",
    }
