"""Whatever code a run depends on, a change of it is noticed; what does nothing is not."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.tasks import MeasureTask, Shop
from fogspiel.game import written
from fogspiel.game.written import version_of_file

AGENT = '"""Plays what the helper says."""\nimport helper\n\n\ndef choose(observation):\n    return helper.pick(observation.moves)\n'


def version(path: Path) -> str:
    return fs.agent(str(path)).fingerprint


def test_an_agents_version_changes_with_what_its_file_imports_and_not_with_comments(tmp_path):
    mine, helper, package = tmp_path / "mine.py", tmp_path / "helper.py", tmp_path / "tables"
    mine.write_text(AGENT)
    helper.write_text("from tables import first\n\n\ndef pick(moves):\n    return moves[first.PLACE]\n")
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text("PLACE = 0\n")
    before = version(mine)
    (package / "first.py").write_text("PLACE = -1\n")
    inside = version(mine)
    helper.write_text("def pick(moves):\n    return moves[0]\n")
    assert len({before, inside, version(mine)}) == 3
    helper.write_text('def pick(moves):  # the first\n    """One of them."""\n    return moves[\n        0\n    ]\n')
    told = version(mine)
    helper.write_text("def pick(moves):\n    return moves[0]\n")
    (tmp_path / "another.py").write_text("nobody = 'imports it'\n")
    assert version(mine) == told
    mine.write_text(AGENT.replace("Plays", "Does"))
    assert version(mine) == told


def test_an_agents_file_that_is_no_python_has_a_version_too(tmp_path):
    (tmp_path / "mine.py").write_text("def (:\n")
    assert len(version_of_file(tmp_path / "mine.py")) == 16


EXPERIMENT = """
from dataclasses import dataclass
from functools import cache
import helper
from fogspiel.experiment import Measurements, Scale

class Base:
    SHIFT = 1
    def shifted(self, x):
        return x + self.SHIFT

class Rule(Base):
    @property
    def seven(self):
        return 7

@dataclass(frozen=True)
class Setting:
    depth: int

RULE, SETTING = Rule(), Setting(depth=3)

@cache
def kept(x):
    return x * 2

def measured(seed):
    return {"y": [helper.twice(RULE.shifted(x)) + kept(SETTING.depth) for x in (1,)][0]}

X = Measurements(about="x", function=measured, measure="y", scales={"small": Scale(1)})
"""
HELPER = "FACTOR = 2\n\ndef twice(x):\n    return FACTOR * x\n"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("x.py", "SHIFT = 1", "SHIFT = 2"),
        ("x.py", "x + self.SHIFT", "x - self.SHIFT"),
        ("x.py", "return 7", "return 8"),
        ("x.py", "depth=3", "depth=4"),
        ("x.py", "x * 2", "x * 3"),
        ("helper.py", "FACTOR * x", "FACTOR + x"),
        ("helper.py", "FACTOR = 2", "FACTOR = 3"),
    ],
)
def test_a_functions_version_changes_with_classes_objects_and_modules(tmp_path, file, old, new):
    files = {"x.py": EXPERIMENT, "helper.py": HELPER}

    def found() -> str:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        (cell,) = read_experiments(tmp_path / "x.py")["x"].cells("small")
        assert isinstance(cell.task, MeasureTask)
        return cell.task.versions(Shop())["function"]

    before = found()
    files["x.py"] = EXPERIMENT.replace("Scale(1)", "Scale(2)") + "# and a comment\n"
    assert found() == before
    files[file] = files[file].replace(old, new)
    assert found() != before


def test_only_one_thread_parses_at_a_time(monkeypatch):
    at_it, most, parse = 0, 0, written.ast.parse
    counting = threading.Lock()

    def noted(source):
        nonlocal at_it, most
        with counting:
            at_it += 1
            most = max(most, at_it)
        time.sleep(0.01)
        with counting:
            at_it -= 1
        return parse(source)

    monkeypatch.setattr(written.ast, "parse", noted)
    with ThreadPoolExecutor(4) as threads:
        assert len({*threads.map(written.code_of, [b"x = 1  # one", b"x = 1", b"x =  1", b"x=1"])}) == 1
    assert most == 1
