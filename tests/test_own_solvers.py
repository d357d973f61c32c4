"""The guide to solvers of one's own says what is true: its examples work, as files and as objects."""

import re
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.game.load import module_from

GUIDE = (Path(__file__).parent.parent / "docs" / "own-solvers.md").read_text()
EXAMPLES = dict(re.findall(r"<!-- example: (\S+) -->\n```python\n(.*?)```\n<!-- end of example -->", GUIDE, re.DOTALL))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in EXAMPLES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def alike(one, other):
    np.testing.assert_array_equal(one.strategy.prob, other.strategy.prob)


def test_cfr_in_numpy_is_cfr(folder):
    assert len(EXAMPLES["numpy_cfr.py"].splitlines()) <= 30
    own = fs.solve("leduc", "numpy_cfr.py", iterations=60)
    plain = fs.solve("leduc", "cfr(updates=simultaneous)", iterations=60)
    assert own.strategy.prob == pytest.approx(plain.strategy.prob, abs=1e-6)
    assert own.algorithm == "numpy_cfr.py"
    made = module_from(folder / "numpy_cfr.py").NumpyCFR
    alike(own, fs.solve("leduc", made, iterations=60))
    linear = fs.solve("leduc", "numpy_cfr.py(power=1)", iterations=60)
    for same in (
        fs.solve("leduc", fs.part(made, power=1), iterations=60),
        fs.solve("leduc", made, power=1, iterations=60),
    ):
        alike(linear, same)
    assert linear.algorithm == "numpy_cfr.py(power=1)"
    assert linear.exploitability != own.exploitability


def test_the_learner_of_the_guide_is_that_of_pcfr_plus(folder):
    plain = fs.solve("leduc", "cfr(learner=prm+)", iterations=50)
    module = module_from(folder / "optimistic.py")
    alike(plain, fs.solve("leduc", "cfr(learner=optimistic.py)", iterations=50))
    alike(plain, fs.solve("leduc", "cfr", learner=module, iterations=50))
    alike(plain, fs.solve("leduc", "cfr", learner=vars(module), iterations=50))
    half = fs.solve("leduc", "cfr(learner=optimistic.py(optimism=0))", iterations=50)
    alike(half, fs.solve("leduc", "cfr(learner=rm+)", iterations=50))
    alike(half, fs.solve("leduc", "cfr", learner=fs.part(module, optimism=0), iterations=50))
    found = fs.solve(
        "leduc", "cfr(learner=optimistic.py(optimism=0.5),schedule=polynomial(gamma=2))", until="nash_conv=0.05"
    )
    assert found.nash_conv <= 0.05


def test_the_schedule_of_the_guide_restarts(folder):
    module = module_from(folder / "doubling.py")
    own = fs.solve("leduc", "cfr(schedule=doubling.py,learner=rm+)", iterations=40)
    alike(own, fs.solve("leduc", "cfr(learner=rm+)", schedule=module, iterations=40))
    with pytest.raises(AssertionError):
        alike(own, fs.solve("leduc", "cfr(learner=rm+)", iterations=40))
    # of which everything is kept it is none
    alike(
        fs.solve("leduc", "cfr(schedule=doubling.py(kept=1))", iterations=40), fs.solve("leduc", "cfr", iterations=40)
    )
    # the last restart was at 32: what was learned before is forgotten, and so what is left is an average of 9
    fresh = fs.solve("leduc", "cfr(schedule=doubling.py)", iterations=1)
    assert fresh.exploitability > own.exploitability


def test_the_average_of_the_guide_converges(folder):
    module = module_from(folder / "linear.py")
    own = fs.solve("kuhn", "es-mccfr(average=linear.py)", iterations=20_000, seed=3)
    assert own.nash_conv < 0.06
    for same in (module, module.average, {"average": module.average}):
        alike(own, fs.solve("kuhn", "es-mccfr", average=same, iterations=20_000, seed=3))
    with pytest.raises(AssertionError):
        alike(own, fs.solve("kuhn", "es-mccfr", iterations=20_000, seed=3))


def test_the_guide_names_every_array(folder):
    form = fs.sequence_form("kuhn")
    tree = form.tree
    for held in (form, tree):
        for name, value in vars(held).items():
            if isinstance(value, np.ndarray):
                assert f"`{name}`" in GUIDE or f"`{name}[" in GUIDE, name
                assert re.search(rf"\b{name}\b", type(held).__doc__), name
