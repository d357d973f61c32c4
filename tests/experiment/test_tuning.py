"""Tuning finds what is best by construction, spends its runs on what looks good, and goes on where it stopped."""

import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import fogspiel as fs
from fogspiel.experiment import Curves, EveryDeal, FixedDeals, Matches, Measurements, Range, Scale, Tuning, against
from fogspiel.experiment.candidates import BLOCKS, still_in
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.results import Results
from fogspiel.experiment.store import Store
from fogspiel.experiment.tuning import tune


def hill(seed: int, x: float, game: str = "one") -> dict:
    """Highest at 3, with noise."""
    return {"height": -((x - 3) ** 2) + random.Random(seed).gauss(0, 0.5)}


HILL = Measurements(about="a hill", function=hill, measure="height", scales={"small": Scale(32)})


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("grid", list(range(8))),
        ("halving", Range(0, 7)),
        ("halving", Range(0.5, 6.5)),
        ("racing", list(range(8))),
        ("optuna", Range(0.0, 7.0)),
        ("optuna", Range(1, 64, log=True)),
    ],
)
def test_the_top_of_a_hill_is_found(tmp_path, method, values):
    tuning = Tuning(about="x", of=HILL, parameters={"x": values}, method=method, candidates=16)
    found = tune(tuning, "x", tmp_path / "x.sqlite")
    assert abs(found.best["x"] - 3) < 1
    if method in ("halving", "racing"):
        assert found.played < 0.7 * 32 * len(found.table)
        assert found.table[found.best["x"]].runs == max(row.runs for row in found.table)
    again = tune(tuning, "x", tmp_path / "x.sqlite")
    assert (again.played, again.best, again.table) == (0, found.best, found.table)


def test_of_two_tunings_at_once_the_second_waits_and_finds_the_same(tmp_path):
    tuning, heard = Tuning(about="x", of=HILL, parameters={"x": Range(0, 7)}, candidates=4), []
    with ThreadPoolExecutor(2) as threads:
        both = list(
            threads.map(lambda _: tune(tuning, "x", tmp_path / "x.sqlite", Execution(notice=heard.append)), range(2))
        )
    assert [told for told in heard if "waits" in told] == [
        "x: another process is at this tuning; this one waits for it"
    ]
    assert (both[0].best, both[0].table) == (both[1].best, both[1].table)
    assert sorted(one.played > 0 for one in both) == [False, True]


def test_a_tuning_that_waits_ends_with_what_the_other_has(tmp_path, monkeypatch):
    tuning, path = Tuning(about="x", of=HILL, parameters={"x": [1, 3]}, method="grid"), tmp_path / "x.sqlite"
    with Store(path, create=True) as other:
        other.take_turn("x small")
        nothing = tune(tuning, "x", path, Execution(until=0.1))
        assert (nothing.stopped, nothing.best, len(nothing.table)) == ("budget", None, 0)
    whole = tune(tuning, "x", path)
    with Store(path) as other:
        other.take_turn("x small")
        found = tune(tuning, "x", path, Execution(until=0.1))
        assert (found.stopped, found.best, found.table, found.counts) == ("budget", {"x": 3}, whole.table, whole.counts)

        def interrupt(seconds):
            raise KeyboardInterrupt

        monkeypatch.setattr(time, "sleep", interrupt)
        assert tune(tuning, "x", path).stopped == "interrupted"


def uneven(seed: int, x: int, game: str) -> dict:
    return {"height": {"one": [9, 8, 0], "two": [0, 8, 9], "three": [0, 9, 8]}[game][x]}


def test_one_value_for_all_games_is_good_in_each(tmp_path):
    games = Measurements(
        about="x", function=uneven, grid={"game": ["one", "two", "three"]}, measure="height", scales={"small": Scale(1)}
    )
    tuning = Tuning(about="x", of=games, parameters={"x": [0, 1, 2]}, method="grid", over="game")
    assert tune(tuning, "x", tmp_path / "x.sqlite").best == {"x": 1}


def level(seed: int, x: float, game: str) -> dict:
    """In two small games 2 is the best, in a large one 8."""
    return {"height": -1000 * (x - 8) ** 2 if game == "large" else -((x - 2) ** 2)}


def test_optuna_is_told_of_ranks_where_the_best_is_who_ranks_best(tmp_path):
    games = Measurements(
        about="x", function=level, grid={"game": ["one", "two", "large"]}, measure="height", scales={"small": Scale(1)}
    )
    parameters = {"x": Range(0.0, 10.0)}
    tuning = Tuning(about="x", of=games, parameters=parameters, method="optuna", over="game", candidates=60)
    found = tune(tuning, "x", tmp_path / "x.sqlite")
    assert abs(found.best["x"] - 2) < 0.5
    asked = [row.key[0] for row in found.table]
    assert sum(abs(x - 2) < 1 for x in asked) > 2 * sum(abs(x - 8) < 1 for x in asked)


def test_a_parameter_of_a_nested_part_is_tuned_by_a_name_that_says_whose_it_is(tmp_path):
    agents = {
        "tuned": "mo-ismcts(simulations=20,bandit=exp3(gamma={bandit.gamma}),belief=tracked(k={belief.k}))",
        "random": "random",
    }
    games = Matches(about="x", games="kuhn", agents=agents, where={"agent": "tuned"}, scales={"small": Scale(2)})
    values = {"bandit.gamma": [0.1, 0.4], "belief.k": [2, 3]}
    tuning = Tuning(about="x", of=games, parameters=values, method="grid")
    found = tune(tuning, "x", tmp_path / "x.sqlite")
    assert set(found.best) == set(values)
    assert found.table.by == ("bandit.gamma", "belief.k")
    assert [row.key for row in found.table] == [(0.1, 2), (0.1, 3), (0.4, 2), (0.4, 3)]
    with Results(tmp_path / "x.sqlite") as results:
        assert [row.key for row in results.view().table(["bandit.gamma"])] == [(0.1,), (0.4,)]
    agents = {one.task.agents[0] for one in tuning.settled("small").cells("small") if one.task.labels[0] == "tuned"}
    assert "mo-ismcts(simulations=20,bandit=exp3(gamma=0.4),belief=tracked(k=3))" in agents
    with pytest.raises(fs.SpecError, match=re.escape("has gamma, and no spec string has {gamma}")):
        Tuning(about="x", of=games, parameters={"gamma": [0.1]})
    with pytest.raises(fs.SpecError, match=re.escape("has {belief.k}, which is neither in the grid nor in the scale")):
        tune(Tuning(about="x", of=games, parameters={"bandit.gamma": [0.1]}), "y", tmp_path / "x.sqlite")


def test_a_solver_and_an_agent_are_tuned_by_their_parameters(tmp_path):
    curves = Curves(about="x", games="kuhn", players="dcfr(alpha={alpha})", budgets=(30,), scales={"small": Scale(1)})
    tuning = Tuning(about="x", of=curves, parameters={"alpha": [0.0, 1.5]}, method="grid")
    found = {a: fs.solve("kuhn", f"dcfr(alpha={a})", iterations=30).nash_conv for a in (0.0, 1.5)}
    assert tune(tuning, "curves", tmp_path / "x.sqlite").best["alpha"] == min(found, key=found.get)
    (tmp_path / "mine.py").write_text("def choose(observation, which=0):\n    return observation.moves[which]\n")
    games = Matches(
        about="x",
        games="kuhn",
        agents={"tuned": "mine.py(which={which})", "other": "random"},
        seats=against("other"),
        measure="utility",
        deals=FixedDeals(6),
        scales={"small": Scale(60)},
        where={"agent": "tuned"},
    )
    tuning = Tuning(about="x", of=games, parameters={"which": [0, -1]}, method="racing")
    outcome = tune(tuning, "games", tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    assert outcome.best == {"which": -1}  # to bet always is better than to pass always, against random play
    assert {row.key for row in outcome.table} == {(0,), (-1,)}


def race(means, seed, noise=1.0, runs=4, **how):
    """Who is left at the end of a race of candidates with these means, on the same deals."""
    rng = np.random.default_rng(seed)
    deal, own = rng.normal(size=BLOCKS * runs), rng.normal(0, noise, (len(means), BLOCKS * runs))
    rows = [
        {
            "cell": c,
            "run": i,
            "deal": i,
            "weight": 1.0,
            "points": 0.0,
            "game": "g",
            "x": c,
            "y": mean + deal[i] + own[c, i],
        }
        for i in range(BLOCKS * runs)
        for c, mean in enumerate(means)
    ]
    left = [(c,) for c in range(len(means))]
    for block in range(1, BLOCKS + 1):
        seen = [row for row in rows if row["run"] < block * runs and (row["x"],) in left]
        best = max(left, key=lambda one: sum(row["y"] for row in seen if (row["x"],) == one))
        left = still_in(seen, left, best, ["x"], "y", **how)
    return left


def test_a_race_seldom_drops_who_is_best():
    """Six that are as good as each other, over eight looks: at any of them any other may be ahead by chance."""
    dropped = sum((0,) not in race([0.0] * 6, seed) for seed in range(60))
    assert stats.binomtest(dropped, 60).proportion_ci(0.999).low < 0.05
    assert all(race([0.0, -3.0, -3.0, -3.0], seed) == [(0,)] for seed in range(5))


def test_in_a_race_over_games_who_is_worse_in_each_of_them_is_out():
    rows = [
        {
            "cell": (x, g),
            "run": i,
            "deal": i,
            "weight": 1.0,
            "points": 0.0,
            "game": g,
            "x": x,
            "y": y + 0.01 * (i * (x + 1) % 3),
        }
        for x, worth in enumerate(([1, 1, 1], [0, 0, 0], [0, 0, 9]))
        for g, y in zip("abc", worth, strict=True)
        for i in range(9)
    ]
    left = [(0,), (1,), (2,)]
    assert still_in(rows, left, (0,), ["x"], "y", over="game") == [(0,), (2,)]
    assert still_in(rows, left, (2,), ["x"], "y", over="game") == left
    assert still_in(rows, left, (1,), ["x"], "y", minimise=True) == [(1,)]
    assert still_in(rows, left, (0,), ["x"], "y") == [(0,), (2,)]  # in the mean it is better


AGENT_OF_ONE_MOVE = "def choose(observation, which=0):\n    return observation.moves[which]\n"


def test_a_parameter_is_tuned_against_itself_as_it_is_by_default_and_against_a_strong_player(tmp_path):
    """The protocol of Lisý 2014, table 4.6: with the default value against itself it is even."""
    (tmp_path / "mine.py").write_text(AGENT_OF_ONE_MOVE)
    solved = fs.solve("kuhn", "cfr+", iterations=100).strategy
    fs.save(solved, tmp_path / "strong.fog")
    found = {}
    for name, rival in (("itself", "mine.py(which=0)"), ("strong", "strong.fog")):
        games = Matches(
            about=name,
            games="kuhn",
            agents={"tuned": "mine.py(which={which})", "rival": rival},
            seats=against("rival"),
            deals=EveryDeal(),
            measure="percent",
            scales={"small": Scale(4)},
            where={"agent": "tuned"},
        )
        tuning = Tuning(about=name, of=games, parameters={"which": [0, -1]}, method="grid")
        found[name] = tune(tuning, name, tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    assert [row.key for row in found["itself"].table] == [(0,), (-1,)]
    assert found["itself"].table[0].value == 50
    assert found["itself"].best == {"which": -1}  # who always bets takes every pot from who always passes
    assert all(row.value < 60 for row in found["strong"].table)


def test_one_value_is_chosen_by_its_ranks_in_several_games(tmp_path):
    """The protocol of Whitehouse 2014, ch. 8: what is good in all games, whatever is at stake in each."""
    (tmp_path / "mine.py").write_text(AGENT_OF_ONE_MOVE)
    games = Matches(
        about="x",
        games=["kuhn", "leduc", "one_card_poker(cards=4)"],
        agents={"tuned": "mine.py(which={which})", "baseline": "random"},
        seats=against("baseline"),
        deals=FixedDeals(40),
        measure="points",
        scales={"small": Scale(40)},
        where={"agent": "tuned"},
    )
    tuning = Tuning(about="x", of=games, parameters={"which": [0, -1]}, method="grid", over="game")
    found = tune(tuning, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    with Results(tmp_path / "x.sqlite") as results:
        by_game = results.view().table(["game", "which"])
    better = {game: by_game[game, -1].value > by_game[game, 0].value for game in by_game.values("game")}
    assert len(better) == 3
    assert found.best == {"which": -1 if sum(better.values()) >= 2 else 0}


def test_the_protocols_of_the_page_are_experiments_that_could_be_run():
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text()
    (code,) = (one for one in re.findall("```python\n(.*?)```", page, re.DOTALL) if "STRONG = " in one)
    declared: dict = {}
    exec(code, declared)
    cells = {name: declared[name].settled("small").cells("small") for name in ("ITSELF", "STRONG", "ALL_GAMES")}
    assert {name: len(found) for name, found in cells.items()} == {"ITSELF": 12, "STRONG": 12, "ALL_GAMES": 24}
    for found in cells.values():
        found[0].task.require(Loader())


def test_mistakes_are_sentences(tmp_path):
    with pytest.raises(fs.SpecError, match="method must be one of grid, halving, racing, optuna"):
        Tuning(about="x", of=HILL, parameters={"x": [1]}, method="luck")
    with pytest.raises(fs.SpecError, match="a grid needs a list of values for x"):
        tune(Tuning(about="x", of=HILL, parameters={"x": Range(0.0, 1.0)}, method="grid"), "x", tmp_path / "x.sqlite")
    games = Matches(
        about="x",
        games="kuhn",
        agents=["mine.py(which={which})", "random"],
        measure="utility",
        scales={"small": Scale(2)},
    )
    with pytest.raises(fs.SpecError, match=r"the tuning has c, and no spec string has \{c\}; choose from which"):
        Tuning(about="x", of=games, parameters={"c": [1]})
    with pytest.raises(fs.SpecError, match="tell whose result the tuning is about"):
        tune(
            Tuning(about="x", of=games, parameters={"which": [0, 1]}),
            "x",
            tmp_path / "x.sqlite",
            Execution(folder=str(tmp_path)),
        )


def test_a_tuned_curve_counts_by_its_end_in_the_table_too(tmp_path):
    """Regret matching is the better at the beginning, regret matching+ in the end."""
    curves = Curves(about="x", games="kuhn", players="{solver}", budgets=(1, 30), scales={"small": Scale(1)})
    tuning = Tuning(about="x", of=curves, parameters={"solver": ["cfr", "cfr+"]}, method="grid")
    found = tune(tuning, "x", tmp_path / "x.sqlite")
    for solver in ("cfr", "cfr+"):
        last = fs.solve("kuhn", solver, iterations=30).nash_conv
        assert (found.table[solver].value, found.table[solver].runs) == (last, 1)
    assert found.best["solver"] == min(found.table, key=lambda row: row.value).key[0]
    with Results(tmp_path / "x.sqlite") as results:
        assert results.view().table() == found.table
        assert len(results.view().table(["solver", "budget"])) == 4


def broken(seed: int, x: int) -> dict:
    if x != 1:
        raise ValueError(f"no {x}")
    return {"height": 1.0}


@pytest.mark.parametrize("method", ["grid", "halving", "racing", "optuna"])
def test_candidates_whose_runs_fail_are_the_worst_and_where_all_fail_it_is_told_why(tmp_path, method):
    some = Measurements(about="x", function=broken, measure="height", scales={"small": Scale(4)})
    tuning = Tuning(about="x", of=some, parameters={"x": [0, 1, 2]}, method=method)
    assert tune(tuning, "x", tmp_path / "x.sqlite").best == {"x": 1}
    with pytest.raises(fs.FogspielError, match=r"x: all \d+ runs failed, so nothing can be tuned: .*ValueError: no 0"):
        tune(replace(tuning, parameters={"x": [0]}), "x", tmp_path / "y.sqlite")


def lazy(seed: int, x: int) -> dict:
    time.sleep(0.004)
    return {"height": x}


@pytest.mark.parametrize("method", ["grid", "halving", "racing", "optuna"])
def test_a_budget_chooses_the_scale_of_a_tuning(tmp_path, method):
    scales = {"small": Scale(2), "medium": Scale(4), "paper": Scale(10**5)}
    of = Measurements(about="x", function=lazy, measure="height", scales=scales)
    tuning = Tuning(about="x", of=of, parameters={"x": list(range(8))}, method=method)
    found = tune(tuning, "x", tmp_path / "x.sqlite", Execution(scale="paper", budget=300))
    assert (found.scale, found.stopped, found.best) == ("medium", "done", {"x": 7})


def test_a_race_tells_how_many_are_left_of_those_that_were_drawn(tmp_path):
    heard = []
    tuning = Tuning(about="x", of=HILL, parameters={"x": [3, 30]}, method="racing", candidates=16)
    tune(tuning, "x", tmp_path / "x.sqlite", Execution(notice=heard.append))
    assert heard[0] == "x: 1 of 2 candidates are left"


def test_a_file_that_asks_for_what_ranges_were_called_is_told_their_name(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("from fogspiel.experiment import Between\n")
    with pytest.raises(fs.SpecError, match=r"line 1: what was called Between is Range: Range\(0.1, 4.0, log=True\)"):
        read_experiments(path)
