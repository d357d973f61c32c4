"""Whatever code a run depends on, a change of it is noticed; what does nothing is not."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.evaluate import aivat, bout, referee, seeds, statistics
from fogspiel.experiment import Experiment, Matches, Scale, deals, lineups, tasks
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.tasks import MeasureTask
from fogspiel.experiment.versions import (
    MEASURED,
    PLAYING,
    SOLVING,
    version_of_agent,
    version_of_code,
    version_of_rooms,
    version_of_solver,
)
from fogspiel.game import written
from fogspiel.game.written import version_of_file
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.stored import Stored, code_of, versions_today

AGENT = (
    '"""Plays what the helper says."""\nimport helper\n\n\ndef choose(observation):\n    return '
    "helper.pick(observation.moves)\n"
)


@pytest.fixture(autouse=True)
def forgotten():
    """What is known of code that a test has changed is not what others run."""
    yield
    version_of_code.cache_clear()


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


BANDIT = """
from helper import first

def choose(search, here, n):
    return first(n)

def learn(search, d, reward, utility):
    pass
"""
BELIEF = """
from helper import first

def draw(state):
    return [state][first(1):]
"""


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("mo-ismcts(simulations=5,bandit={file})", BANDIT),
        ("mo-ismcts(belief={file})", BELIEF),
        ("oos(progress=target(belief={file}))", BELIEF),
    ],
)
def test_files_nested_in_a_spec_count_with_what_they_import_and_the_data_that_they_name(tmp_path, spec, text):
    part, helper, data = tmp_path / "part.py", tmp_path / "helper.py", tmp_path / "weights.json"
    part.write_text(text)
    helper.write_text("def first(n):\n    return 0\n")
    data.write_text("1")

    def of() -> str:
        return version_of_agent(fs.agent(spec.format(file=part)))

    found = [of()]
    part.write_text(f"# a comment\n{text}")
    assert of() == found[0]
    for path, new in (
        (part, text + "\nOTHER = 1\n"),
        (helper, "def first(n):\n    return n * 0\n"),
        (part, text + "\nFILES = ('weights.json',)\n"),
        (data, "2"),
    ):
        path.write_text(new)
        found.append(of())
    assert len({*found}) == 5
    assert version_of_agent(fs.agent(spec.partition("(")[0])) not in found


def test_an_agent_made_before_a_nested_file_was_edited_has_the_version_of_what_it_was_made_of(tmp_path):
    part = tmp_path / "part.py"
    part.write_text("def draw(state):\n    return [state]\n")
    before = fs.agent(f"oos(progress=target(belief={part}))")
    known = before.fingerprint
    part.write_text("def draw(state):\n    return [state, state]\n")
    assert before.fingerprint == known != fs.agent(f"oos(progress=target(belief={part}))").fingerprint


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
        return cell.task.versions(Loader())["function"]

    before = found()
    files["x.py"] = EXPERIMENT.replace("Scale(1)", "Scale(2)") + "# and a comment\n"
    assert found() == before
    files[file] = files[file].replace(old, new)
    assert found() != before


def test_the_rooms_that_versions_are_of_are_there():
    rooms = {path.name for path in Path(fs.__file__).parent.iterdir() if path.is_dir()}
    assert {*PLAYING, *SOLVING, *MEASURED} <= rooms


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


GAME = Matches(
    about="x",
    games="kuhn",
    agents={"a": "random", "b": "random"},
    measure="utility",
    seats=lineups(("a", "b")),
    scales={"small": Scale(1)},
)


def worth(state):
    return 0.0


def versions_of(experiment: Experiment) -> dict[str, str]:
    version_of_code.cache_clear()
    (cell,) = experiment.cells("small")
    return cell.task.versions(Loader())


def other(*_, **__):
    """Something else."""
    return [0.5, 0.5]


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (referee, "forfeited"),
        (referee, "of_seats"),
        (referee, "_tell"),
        (seeds, "derived"),
        (seeds.Chance, "draw"),
        (bout.Noticed, "choose"),
        (tasks, "play_seated"),
        (tasks, "points"),
        (tasks, "anew"),
        (tasks._Play, "_found"),
        (tasks.MatchTask, "deal_seed"),
        (deals.EveryDeal, "weight"),
    ],
)
def test_a_change_of_the_referee_is_a_change_of_every_game_played(monkeypatch, where, name):
    before = versions_of(GAME)
    monkeypatch.setattr(where, name, other)
    after = versions_of(GAME)
    assert {kind for kind in before if before[kind] != after[kind]} == {"referee"}


@pytest.mark.parametrize(
    ("where", "name"), [(statistics, "student_quantile"), (referee, "play_game"), (bout, "require_agents")]
)
def test_what_makes_no_row_is_no_change_of_the_referee(monkeypatch, where, name):
    before = versions_of(GAME)
    monkeypatch.setattr(where, name, other)
    monkeypatch.setattr(referee.forfeited, "__code__", told_otherwise(referee.forfeited.__code__))
    assert versions_of(GAME) == before


def told_otherwise(code):
    return code.replace(co_consts=("Another one.", *code.co_consts[1:]))


OF_A_GAME = """
from fogspiel.experiment import Matches, Scale
from fogspiel.experiment.loader import Loader
games = Matches(about="x", games="kuhn", agents=["random", "so-ismcts(simulations=1)"], scales={"small": Scale(1)})
cell = games.cells("small")[0]
print(sorted(cell.task.versions(Loader()).items()))
"""


def test_versions_are_the_same_in_every_process_wherever_the_package_lies(tmp_path):
    (tmp_path / "fogspiel").symlink_to(Path(fs.__file__).parent)
    places = {"1": Path(fs.__file__).parent.parent, "3": tmp_path}
    told = {
        subprocess.run(
            [sys.executable, "-c", OF_A_GAME],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(place)},
        ).stdout
        for seed, place in places.items()
    }
    assert len(told) == 1
    assert "referee" in told.pop()


def test_what_was_played_before_is_no_change_of_the_referee():
    before, player = versions_of(GAME), fs.agent("random")
    fs.match("kuhn", [player, "random"], games=1, seed=1)
    assert versions_of(GAME) == before


def test_how_chance_is_taken_out_counts_where_it_is(monkeypatch):
    before = versions_of(GAME)["referee"], versions_of(replace(GAME, values=worth))["referee"]
    monkeypatch.setattr(aivat, "_expected", other)
    after = versions_of(GAME)["referee"], versions_of(replace(GAME, values=worth))["referee"]
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


def test_what_was_kept_before_a_kind_of_code_had_a_version_has_not_changed_by_it():
    item = Item(where="fig. 1", about="x", experiments=GAME)
    (name,) = item.parts
    today = code_of(versions_today(GAME, "small"))
    assert "referee" in today
    before = {kind: version for kind, version in today.items() if kind != "referee"}
    for code, changed in (
        (today, []),
        (before, []),
        (before | {"game": "other"}, ["game"]),
        (today | {"referee": "other"}, ["referee"]),
    ):
        assert Stored(item, "small", {}, {}, {name: code}, (), {}).changed == changed


def test_solvers_are_a_part_of_the_version_of_what_is_solved():
    assert version_of_solver("cfr+") != version_of_rooms("engine", "game", "tree")
    assert all((Path(fs.__file__).parent / room).is_dir() for room in MEASURED)


def test_a_variable_that_was_renamed_alone_is_no_other_version():
    def by_name(name: str) -> str:
        known = {"__name__": "named"}
        exec(f"def made(self, {name}):\n    self.{name} = {name}\n    return {name}.game", known)
        return version_of_code(known["made"])

    assert by_name("loader") == by_name("shop") != by_name("other")
