"""What CONTRIBUTING.md shows works as it is written there."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents import searches
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.run import run as carry_out
from fogspiel.game.spec import read_parameters
from fogspiel.reproduce.reproducing import reproduce
from fogspiel.solvers import registry
from fogspiel.solvers.response.response import plan_nash_conv

TEXT = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()


def example(name: str) -> str:
    block = TEXT.split(f"<!-- example: {name} -->")[1].split("<!-- end of example -->")[0].strip()
    return block.removeprefix("```python\n").removesuffix("```")


def run(name: str) -> dict:
    names: dict = {"__name__": name.removesuffix(".py")}
    exec(compile(example(name), name, "exec"), names)
    return names


def test_the_game_conforms_and_has_the_value_of_the_books(tmp_path):
    path = tmp_path / "matching_pennies.py"
    path.write_text(example("matching_pennies.py"))
    report = fs.check(path)
    assert report.ok, str(report)
    assert fs.solve(path, "lp").value == pytest.approx((0, 0), abs=1e-9)


def test_the_bandit_plays_more_often_what_pays_more(tmp_path):
    path = tmp_path / "softmax.py"
    path.write_text(example("softmax.py"))
    # to bet the highest card on the highest prize is the best first bid of three
    thought = fs.think(
        "goofspiel(cards=3,bids=open)", f"mo-ismcts(simulations=3000,bandit={path}(temperature=0.05))", seed=1
    )
    assert thought.moves[0].name == "bid 3"
    assert thought.moves[0].strategy > 0.5


def test_the_agent_of_the_example_plays():
    names = vars(searches) | {"KINDS": {}}
    block = TEXT.split("```python\ndef _by_value")[1].split("```")[0]
    exec(compile("def _by_value" + block, "by_value", "exec"), names)
    kind = names["KINDS"]["so-ismcts-value"]
    made = kind.make("so-ismcts-value", read_parameters("so-ismcts-value", kind.parameters, {"simulations": 200}))
    assert fs.match("tic_tac_toe", [made, "random"], games=2, seed=1).games[0].forfeit is None


def test_the_solver_comes_close_to_an_equilibrium_and_goes_on_from_a_snapshot():
    form = fs.sequence_form("kuhn")
    one, two = (run("frank_wolfe.py")["FrankWolfe"](form, {}) for _ in range(2))
    one.advance(500)
    assert plan_nash_conv(form, one.plan()) < 0.05
    two.restore({name: np.asarray(value) for name, value in one.snapshot().items()})
    assert two.answer() == one.answer()


def test_the_row_of_the_solver_refuses_what_it_cannot_take(monkeypatch):
    row = TEXT.split('```python\n    "frank-wolfe": ')[1].split("```")[0].strip().removesuffix(",")
    monkeypatch.setitem(registry.SOLVERS, "frank-wolfe", eval(row, vars(registry)))
    with pytest.raises(
        fs.Unsuitable, match="^frank-wolfe needs perfect recall; deadlock has players who forget: try cfr"
    ):
        fs.solve("deadlock", "frank-wolfe")


def test_the_averaging_scheme_converges(tmp_path):
    (tmp_path / "linear.py").write_text(example("linear.py"))
    found = fs.solve("kuhn", f"es-mccfr(average={tmp_path}/linear.py)", iterations=20_000, seed=1)
    assert found.nash_conv < 0.05


def test_the_item_passes(tmp_path, monkeypatch):
    (tmp_path / "growing_decks.py").write_text(example("growing_decks.py"))
    monkeypatch.syspath_prepend(str(tmp_path))
    item = importlib.import_module("growing_decks").GROWING_DECKS
    found = reproduce("nobody-1900/growing", item, tmp_path / "r.sqlite")
    assert found.verdict == "passed"
    assert found.outcomes[""].table[3].value == pytest.approx(-1 / 18)


def test_the_experiment_in_a_file_passes(tmp_path):
    (tmp_path / "faster.py").write_text(example("faster.py"))
    found = carry_out(read_experiments(tmp_path / "faster.py")["faster"], "faster", tmp_path / "faster.sqlite")
    assert found.passed
