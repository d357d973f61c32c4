"""The bench compares like with like, and tells of what it leaves out. No time is asserted: those are the machine's."""

import json
import math
import random
import sys
from collections import Counter

import pytest

import fogspiel as fs
from fogspiel.app.bench import endless, measuring, playing, resources, sampling, searching
from fogspiel.app.bench.duels import DUELS, Duel
from fogspiel.app.bench.many import write_results
from fogspiel.app.bench.measuring import Effort
from fogspiel.app.bench.playing import PLAYOUTS, REDRAWN, first_decisions
from fogspiel.app.bench.run import PARTS, run_bench
from fogspiel.app.bench.searching import SEARCHES
from fogspiel.app.bench.tables import print_bench
from fogspiel.app.peers import PEERS, Ours, first_states, installed
from fogspiel.experiment.store import Store

TINY = Effort(rounds=1, seconds=0.01, limit=60.0)
DELIBERATE = 1_500
"""Simulations of a decision where inference is measured, besides a thousand: the rows are those of the ten thousand
there usually are."""
KUHN = Duel("Kuhn", "kuhn", "kuhn_poker", 30, thorough=True)
COMPARED = ("duels", "playouts", "search", "match")
"""The parts that `facts` has."""


@pytest.fixture(scope="module")
def facts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "DELIBERATE", DELIBERATE)
        patch.setattr(searching, "GAMES", 1)
        return run_bench(quiet=True, duels=(KUHN,), parts=COMPARED, effort=TINY)


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
        "nash_conv",
        "time to nash_conv 0.0001",
        "random playouts",
        "search",
        "match with 2 workers",
    }
    for row in facts["rows"]:
        assert {"what", "game", "fogspiel", "peers", "unit", "ratios"} <= row.keys()
        assert row["fogspiel"] > 0
        assert row["ratios"].keys() == row["peers"].keys()
        for name, value in row["peers"].items():
            faster = row["fogspiel"] > value if row["unit"].endswith("/s") else row["fogspiel"] < value
            assert value > 0
            assert faster == (row["ratios"][name] > 1)


def test_no_two_rows_have_the_same_name(facts):
    named = Counter((row["what"], row["game"]) for row in facts["rows"])
    assert max(named.values()) == 1
    assert ("inference", f"MO-ISMCTS, Dou Di Zhu, {DELIBERATE:,} a decision") in named


def test_inference_is_measured_at_ten_thousand_simulations_in_two_games():
    assert (searching.DELIBERATE, searching.GAMES) == (10_000, 2)


def test_results_of_two_writers_are_all_in_the_file(tmp_path):
    Store(tmp_path / "r.sqlite", create=True).close()
    for writer in range(2):
        began, ended = write_results(str(tmp_path / "r.sqlite"), writer, 30)
        assert began <= ended
    with Store(tmp_path / "r.sqlite") as store:
        assert store.counts("bench", "small")["done"] == 60


def test_the_peers_do_the_same_work(facts):
    (check,) = facts["checks"]
    assert check["agrees"] == dict.fromkeys(facts["machine"]["peers"], True)
    found = check["nash_conv"]
    for name in ("OpenSpiel", "noregret"):
        if name in found:
            assert found[name] == pytest.approx(found["Fogspiel"], rel=1e-9)
            assert check["infosets"][name] == 12
    assert rows(facts, "CFR+")[0]["peers"].keys() == facts["machine"]["peers"].keys()


@pytest.mark.parametrize("duel", DUELS[1:5], ids=lambda duel: duel.name)
def test_games_that_are_compared_are_the_same_game(duel):
    pytest.importorskip("pyspiel")
    form = fs.sequence_form(duel.spec)
    ours, peer = Ours(form), PEERS["OpenSpiel"](duel.openspiel, form.tree)
    ours.advance(5)
    peer.advance(5)
    assert peer.infosets in (form.tree.infosets, len(form.first))
    assert peer.nash_conv() == pytest.approx(ours.nash_conv(), rel=1e-9)


@pytest.mark.parametrize(("spec", "name"), [row[1:] for row in PLAYOUTS], ids=[row[0] for row in PLAYOUTS])
def test_games_that_are_played_at_random_are_the_same_game(spec, name):
    """The first player's utilities in random games, one library's against the other's: equally often, to five standard
    errors."""
    pyspiel = pytest.importorskip("pyspiel")
    count, picks = 1000, random.Random(1)
    theirs, found = pyspiel.load_game(name), Counter()
    for _ in range(count):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(picks.choices(actions, odds)[0])
            else:
                state.apply_action(picks.choice(state.legal_actions()))
        found[state.returns()[0]] += 1
    game = fs.load(spec)
    ours = Counter(fs.playouts(game, 1, seed).payoff[0] for seed in range(4 * count))
    for utility in found.keys() | ours.keys():
        share, other = found[utility] / count, ours[utility] / (4 * count)
        error = math.sqrt(max(share, other) * (1 - min(share, other)) * 1.25 / count)
        assert share == pytest.approx(other, abs=5 * error)


def test_playouts_begin_at_each_first_decision_as_often():
    game = fs.load("bluff(faces=3)")
    starts = first_decisions(game)
    assert len({start.data.tobytes() for start in starts}) == 9
    assert all(start.actor == 0 for start in starts)
    alone = [fs.playouts(game, 100, seed, starts=[start]).payoff[0] for seed, start in enumerate(starts)]
    exact = sum(_mean(start) for start in starts) / 9
    assert fs.playouts(game, 90_000, starts=starts).payoff[0] == pytest.approx(exact, abs=0.02)
    assert max(alone) - min(alone) > 0.2


def test_of_too_many_deals_some_are_drawn_at_random():
    starts = first_decisions(fs.load("hearts"))
    assert len({start.data.tobytes() for start in starts}) == len(starts) == 64
    assert all(start.actor == 0 and len(start.moves()) == 13 for start in starts)


def test_redraws_of_card_games_are_measured_beside_playouts(facts):
    found = {row["game"]: row["of_a_playout"] for row in rows(facts, "redraws")}
    assert found.keys() == set(REDRAWN)
    assert min(found.values()) > 0


def _mean(state):
    """The first player's utility if both play at random."""
    if state.over:
        return state.payoff()[0]
    moves = state.moves()
    children = [state.copy() for _ in moves]
    for child, move in zip(children, moves, strict=True):
        child.play(move)
    return sum(map(_mean, children)) / len(moves)


@pytest.mark.parametrize(("what", "name", "spec", "openspiel"), SEARCHES, ids=[row[1] for row in SEARCHES])
def test_searches_are_compared_at_the_same_decision_with_the_same_simulations(what, name, spec, openspiel, facts):
    (row,) = (row for row in rows(facts, "search") if row["game"] == f"{what}, {name}")
    assert row["simulations"] == 1000
    assert row["nodes"] > 0
    assert row["bytes_per_node"] > 64
    if openspiel is None or "OpenSpiel" not in facts["machine"]["peers"]:
        assert row["peers"] == {}
        return
    import pyspiel

    state, ours = first_states(openspiel)[0], first_decisions(fs.load(spec))[0]
    assert len(state.legal_actions()) == len(ours.moves())
    perfect = state.get_game().get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert perfect == (what == "MCTS")
    if perfect:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
        bot = pyspiel.MCTSBot(state.get_game(), evaluator, 1.4, 1000, 100, False, 1, False)
        assert bot.mcts_search(state).explore_count == 1000


def test_a_part_that_does_not_exist_is_refused():
    with pytest.raises(
        fs.SpecError, match="bench has no part 'speed'; it has memory, duels, sampling, bounds, playouts"
    ):
        run_bench(quiet=True, parts=("speed",))


def test_bounds_are_compared_with_the_time_that_is_published(monkeypatch):
    monkeypatch.setattr(endless, "GAP", 40.0)
    (row,) = run_bench(quiet=True, parts=("bounds",), effort=TINY)["rows"]
    assert (row["game"], row["unit"], row["peers"]) == ("peg03", "s", {"HSVIforOSPOSGs.jl": 60.0})
    assert row["note"].startswith("1 trials, ")
    monkeypatch.setattr(endless, "PURSUIT", endless.PURSUIT.with_name("none.osposg.gz"))
    facts = run_bench(quiet=True, parts=("bounds",), effort=TINY)
    assert not facts["rows"]
    assert any("in the repository alone" in note for note in facts["notes"])


def test_value_iteration_is_timed_on_the_states_of_an_endless_game(monkeypatch):
    monkeypatch.setattr(endless, "ENDLESS", "blind_pursuit(width=2,height=2,pursuers=1,wait=no)")
    (row,) = run_bench(quiet=True, parts=("values",), effort=TINY)["rows"]
    assert (row["what"], row["unit"]) == ("value iteration", "s")
    assert row["note"].startswith("4 states, ")


def test_every_other_part_runs_to_its_end(monkeypatch):
    monkeypatch.setattr(measuring, "installed", dict)
    monkeypatch.setattr(resources, "LARGE", "goofspiel(cards=3)")
    monkeypatch.setattr(resources, "UNROLLED", ("kuhn",))
    monkeypatch.setattr(sampling, "SAMPLED", (("Kuhn", "kuhn", "kuhn_poker"),))
    monkeypatch.setattr(sampling, "SHARED", ("es-mccfr", "kuhn"))
    found = run_bench(
        quiet=True, parts=[part for part in PARTS if part not in (*COMPARED, "bounds", "values")], effort=TINY
    )
    kept = {row["part"]: row["bytes"] for row in rows(found, "memory")}
    assert kept["all of these"] == sum(kept[part] for part in ("tree", "sequence form", "payoff table", "solver"))
    assert rows(found, "unrolling")[0]["histories"] == 58
    assert [row["infosets"] for row in rows(found, "external sampling")] == [12]
    assert rows(found, "results stored")[0]["games"] == 4000
    assert [row["game"] for row in rows(found, "start-up")] == ["import", "fogspiel --help", "fogspiel solve kuhn"]
    assert all(row["fogspiel"] > 0 for row in found["rows"] if row.get("part") != "peak growth of the process")


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
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "installed", dict)
    monkeypatch.setattr(playing, "playouts", stop)
    facts = run_bench(
        quiet=True, duels=(Duel("Kuhn", "kuhn", "kuhn_poker", 5),), parts=("duels", "playouts"), effort=TINY
    )
    assert facts["interrupted"]
    assert rows(facts, "CFR+")
    print_bench(facts)
    assert "interrupted" in capsys.readouterr().out


def test_progress_goes_to_standard_error_unless_quiet(monkeypatch, capsys):
    monkeypatch.setattr(measuring, "installed", dict)
    small = (Duel("Kuhn", "kuhn", "kuhn_poker", 5),)
    run_bench(quiet=False, duels=small, parts=("duels",), effort=TINY)
    told = capsys.readouterr()
    assert "CFR+ on Kuhn: Fogspiel" in told.err
    assert told.out == ""
    run_bench(quiet=True, duels=small, parts=("duels",), effort=TINY)
    assert capsys.readouterr().err == ""
