"""The convergence of online players, measured as they search."""

import json
import signal
import subprocess
import sys
import time

import pytest

import fogspiel as fs
from fogspiel.evaluate import online
from fogspiel.evaluate.online import converge, converging


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("random", "random is no search by simulations"),
        ("pimc", "pimc keeps no statistics of information sets"),
        ("so-ismcts", "so-ismcts keeps no statistics"),
        ("mo-ismcts(view=observer)", "keeps no statistics"),
        ("rollouts", "rollouts keeps no statistics"),
        ("mo-ismcts(seconds=1,belief=replay)", "seconds, belief of .* would have no effect"),
        ("oos(simulations=50)", "simulations of .* would have no effect"),
        ("oos(progress=target(belief=replay))", "progress of .* would have no effect"),
        ("is-mcts(ignore=3)", "ignore of .* would have no effect"),
    ],
)
def test_what_cannot_be_measured_is_refused(spec, told):
    with pytest.raises(fs.FogspielError, match=told):
        converge("kuhn", spec, [10])


@pytest.mark.parametrize("spec", ["oos", "mo-ismcts", "is-mcts(belief=usual)"])
def test_slices_of_a_search_change_nothing(spec, monkeypatch):
    def curve(seconds):
        monkeypatch.setattr(online, "_SLICE", seconds)
        return [(p.simulations, p.nash_conv, p.coverage) for p in converge("kuhn", spec, [10, 5000], seed=3)]

    assert curve(1e-4) == curve(100.0)


def test_progress_is_told_between_points():
    heard = []
    points = list(converging(fs.load("kuhn"), "oos", [200, 1000], progress=heard.append))
    assert [p.simulations for p in points] == [200, 1000]
    assert heard == sorted(heard)
    assert {200, 1000} < {*heard}


def test_points_say_where_the_memory_was_full():
    small = converge("leduc", "mo-ismcts(nodes=64)", [10, 10_000, 20_000])
    assert [p.full for p in small] == [False, True, True]
    assert small[1].coverage == small[2].coverage < 0.5
    assert not any(p.full for p in converge("leduc", "mo-ismcts", [10, 10_000]))


def test_the_command_says_when_the_memory_was_full_and_what_to_do(tmp_path):
    def printed(agent):
        command = [sys.executable, "-m", "fogspiel", "converge", "leduc", agent, "-n", "1000", "--json", str(curve)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    curve = tmp_path / "curve.json"
    *_, last = printed("mo-ismcts(nodes=64)").splitlines()
    first = next(p["simulations"] for p in json.loads(curve.read_text())["curve"] if p["full"])
    assert first < 1000
    assert last.startswith(f"the memory was full within {first} simulations")
    assert "parameter nodes" in last
    assert "memory" not in printed("mo-ismcts")
    assert not any(p["full"] for p in json.loads(curve.read_text())["curve"])


def test_rows_come_one_by_one_and_ctrl_c_keeps_them(tmp_path):
    curve = tmp_path / "curve.json"
    command = [sys.executable, "-m", "fogspiel", "converge", "kuhn", "oos", "-n", "1000000000", "--json", str(curve)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        rows = [process.stdout.readline() for _ in range(5)]
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert [row.split()[0] for row in rows[2:]] == ["10", "31", "100"]
    assert "interrupted" in rest
    kept = json.loads(curve.read_text())
    assert kept["interrupted"]
    assert [p["simulations"] for p in kept["curve"]][:3] == [10, 31, 100]


def test_a_search_at_every_information_set_makes_one_strategy():
    strategy = fs.searched_strategy("patrolling(rounds=2,loss=0)", "mo-ismcts(simulations=200)", seed=1)
    tree = fs.unroll("patrolling(rounds=2,loss=0)")
    assert strategy.silent(tree) == 0
    assert fs.nash_conv("patrolling(rounds=2,loss=0)", strategy) >= 0
    assert strategy == fs.searched_strategy("patrolling(rounds=2,loss=0)", "mo-ismcts(simulations=200)", seed=1)
    for wrong in ("random", "human"):
        with pytest.raises(fs.Unsuitable, match="counts no visits"):
            fs.searched_strategy("patrolling(rounds=1)", wrong)
    with pytest.raises(fs.Unsuitable, match="knows what is hidden"):
        fs.searched_strategy("patrolling(rounds=1)", "cheating-uct")


@pytest.mark.parametrize("game", ["search_game(rounds=9)", "dou_di_zhu"])
def test_a_search_at_every_information_set_of_a_huge_game_is_refused(game):
    """Of very uneven games the estimate is far beyond the most that is walked, but nothing is sure but that."""
    heard = []
    with pytest.raises(
        fs.TooLarge, match="has about .* histories, and a search at every information set walks them all"
    ):
        fs.searched_strategy(game, "mo-ismcts(simulations=10)", progress=heard.append)
    assert heard == []


def test_the_convergence_in_a_huge_game_is_refused_before_it_is_walked():
    with pytest.raises(
        fs.TooLarge, match=r"goofspiel\(cards=13\) is too large to unroll: it has about 2e\+20 histories"
    ):
        converge("goofspiel(cards=13)", "mo-ismcts", [10])
