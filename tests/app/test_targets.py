"""Published experiments as commands: they are listed, run, and judged by what is measured."""

import json
import math
import sys
from dataclasses import replace

import pytest

from fogspiel.app import cli, show, targets
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
