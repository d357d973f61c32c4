"""The bench compares like with like, and tells of what it leaves out. No time is asserted: those are the machine's."""

import json
import sys

import pytest

from fogspiel.app import bench
from fogspiel.app.bench import DUELS, Duel, Effort, print_bench, run_bench
from fogspiel.app.peers import PEERS, Ours, installed
from fogspiel.solve.response import form_of

TINY = Effort(rounds=1, seconds=0.01, limit=60.0)
KUHN = Duel("Kuhn", "kuhn", "kuhn_poker", 30, thorough=True)


@pytest.fixture(scope="module")
def facts():
    return run_bench(quiet=True, duels=(KUHN,), parts=("duels", "playouts"), effort=TINY)


def rows(facts, what):
    return [row for row in facts["rows"] if row["what"] == what]


def test_the_facts_are_ready_for_json_and_name_the_machine_and_the_versions(facts):
    assert json.loads(json.dumps(facts)) == facts
    assert {"cpu", "python", "numpy", "numba", "fogspiel", "peers"} <= facts["machine"].keys()
    assert facts["machine"]["peers"] == installed()
    assert not facts["interrupted"]


def test_every_row_has_positive_numbers_and_a_ratio_for_each_peer(facts):
    assert {row["what"] for row in facts["rows"]} >= {
        "CFR+",
        "exploitability",
        "time to exploitability 0.0001",
        "random playouts",
    }
    for row in facts["rows"]:
        assert {"what", "game", "fogspiel", "peers", "unit", "ratios"} <= row.keys()
        assert row["fogspiel"] > 0
        assert row["ratios"].keys() == row["peers"].keys()
        for name, value in row["peers"].items():
            faster = row["fogspiel"] > value if row["unit"].endswith("/s") else row["fogspiel"] < value
            assert value > 0
            assert faster == (row["ratios"][name] > 1)


def test_the_peers_do_the_same_work(facts):
    (check,) = facts["checks"]
    assert check["agrees"] == dict.fromkeys(facts["machine"]["peers"], True)
    found = check["exploitability"]
    for name in ("OpenSpiel", "noregret"):
        if name in found:
            assert found[name] == pytest.approx(found["Fogspiel"], rel=1e-9)
            assert check["infosets"][name] == 12
    assert rows(facts, "CFR+")[0]["peers"].keys() == facts["machine"]["peers"].keys()


@pytest.mark.parametrize("duel", DUELS[1:5], ids=lambda duel: duel.name)
def test_games_that_are_compared_are_the_same_game(duel):
    pytest.importorskip("pyspiel")
    form = form_of(duel.spec)
    ours, peer = Ours(form), PEERS["OpenSpiel"](duel.openspiel, form.tree)
    ours.advance(5)
    peer.advance(5)
    assert peer.infosets in (form.tree.infosets, len(form.first))
    assert peer.exploitability() == pytest.approx(ours.exploitability(), rel=1e-9)


def test_the_printed_tables_show_ratios_and_the_check(facts, capsys):
    print_bench(facts)
    out = capsys.readouterr().out
    assert "CFR+, iterations/s" in out
    assert "the same work?" in out
    for name in facts["machine"]["peers"]:
        assert name in out
    if facts["machine"]["peers"]:
        ratio = rows(facts, "CFR+")[0]["ratios"][next(iter(facts["machine"]["peers"]))]
        assert (f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x") in out


def test_a_peer_that_is_not_installed_is_named_once_and_left_out(monkeypatch):
    for module in ("pyspiel", "LiteEFG", "noregret.games"):
        monkeypatch.setitem(sys.modules, module, None)
    facts = run_bench(quiet=True, duels=(KUHN,), parts=("duels",), effort=TINY)
    assert "OpenSpiel is not installed: pip install 'fogspiel[peers]'" in facts["notes"]
    assert len(facts["notes"]) == len(PEERS)
    assert all(row["peers"] == {} for row in facts["rows"])


def test_a_peer_that_would_take_too_long_is_left_out_and_named():
    pytest.importorskip("pyspiel")
    small = Duel("Kuhn", "kuhn", "kuhn_poker", 30)
    facts = run_bench(quiet=True, duels=(small, small), parts=("duels",), effort=Effort(1, 0.01, 0.0))
    assert "OpenSpiel" in facts["rows"][0]["peers"]
    assert facts["rows"][1]["peers"] == {}
    assert any(note.startswith("OpenSpiel is left out on Kuhn") for note in facts["notes"])


def test_other_work_is_not_compared():
    pytest.importorskip("pyspiel")
    wrong = Duel("Kuhn", "kuhn", "leduc_poker(suit_isomorphism=True)", 5)
    facts = run_bench(quiet=True, duels=(wrong,), parts=("duels",), effort=TINY)
    assert "OpenSpiel" not in facts["rows"][0]["peers"]
    assert facts["checks"][0]["agrees"]["OpenSpiel"] is False
    assert any("OpenSpiel does other work" in note for note in facts["notes"])


def test_an_interrupt_keeps_what_was_measured(monkeypatch, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "installed", dict)
    monkeypatch.setattr(bench, "playouts", stop)
    facts = run_bench(
        quiet=True, duels=(Duel("Kuhn", "kuhn", "kuhn_poker", 5),), parts=("duels", "playouts"), effort=TINY
    )
    assert facts["interrupted"]
    assert rows(facts, "CFR+")
    print_bench(facts)
    assert "interrupted" in capsys.readouterr().out


def test_progress_goes_to_standard_error_unless_quiet(monkeypatch, capsys):
    monkeypatch.setattr(bench, "installed", dict)
    small = (Duel("Kuhn", "kuhn", "kuhn_poker", 5),)
    run_bench(quiet=False, duels=small, parts=("duels",), effort=TINY)
    told = capsys.readouterr()
    assert "CFR+ on Kuhn: Fogspiel" in told.err
    assert told.out == ""
    run_bench(quiet=True, duels=small, parts=("duels",), effort=TINY)
    assert capsys.readouterr().err == ""
