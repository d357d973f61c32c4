"""What files take from beyond their folder is a part of their versions: modules that lie elsewhere, and data files that
they declare."""

import importlib
import os
import sys
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.experiment import Curves, Matches, Scale, beyond
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.run import run

ROOT = Path(__file__).parents[2]
SMALL = {"small": Scale(2)}
EXPERIMENT = """
import theirs
from fogspiel.experiment import Measurements, Scale

def measured(seed):
    return {"v": theirs.moved(1.0)}

X = Measurements(about="x", function=measured, measure="v", scales={"small": Scale(2)})
"""
AGENT = "import theirs\n\n\ndef choose(observation):\n    return observation.moves[int(theirs.moved(0))]\n"
THEIRS = 'def moved(x):\n    """Not far."""\n    return x + 0\n'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    """A folder to work in, and one elsewhere from which Python imports."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.syspath_prepend(tmp_path / "there")
    monkeypatch.chdir(tmp_path / "here")
    yield tmp_path / "here"
    forget()


def forget():
    """What a process that begins now has not imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("theirs", "deeper", "folder")]:
        del sys.modules[name]


def matches(**changes) -> Matches:
    usual = {"about": "x", "games": "kuhn", "agents": {"a": "mine.py", "b": "random"}, "measure": "utility"}
    return Matches(**usual | {"scales": SMALL} | changes)


KINDS = ("agent", "game", "bandit", "function")
"""What a file may be; a bandit is a part of an agent."""


def version(kind: str) -> dict[str, str]:
    """The versions of an experiment in which mine.py is of a kind."""
    forget()
    if kind == "function":
        experiment = read_experiments("mine.py")["mine"]
    elif kind == "game":
        experiment = matches(games="mine.py", agents={"a": "random", "b": "random"})
    else:
        agent = "mine.py" if kind == "agent" else "mo-ismcts(simulations=2,bandit=mine.py)"
        experiment = matches(agents={"a": agent, "b": "random"})
    found: dict[str, str] = {}
    for cell in experiment.cells("small", str(Path.cwd())):
        found |= cell.task.versions(Loader(str(Path.cwd())))
    return found


def write(kind: str, more: str = "") -> None:
    texts = {
        "agent": AGENT,
        "function": EXPERIMENT,
        "game": (ROOT / "fogspiel/games/kuhn.py").read_text(),
        "bandit": (ROOT / "examples/my_bandit.py").read_text(),
    }
    Path("mine.py").write_text(texts[kind] + more)


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys()
    return {name.split()[0] for name in before if before[name] != after[name]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_data_file_that_is_declared_is_a_part_of_the_version(here, kind):
    there = here.parent / "there" / "theirs.py"
    there.write_text(THEIRS)
    write(kind)
    without = version(kind)
    write(kind, "\nFILES = ('weights.txt', 'data/more.txt')\n")
    (here / "data").mkdir()
    (here / "weights.txt").write_text("one")
    (here / "data" / "more.txt").write_text("two")
    what = "agent" if kind == "bandit" else kind
    first = version(kind)
    assert what in changed(without, first)
    assert version(kind) == first
    for file in ("weights.txt", "data/more.txt"):
        text = (here / file).read_text()
        (here / file).write_text(text[::-1])
        assert changed(first, version(kind)) == {what}
        (here / file).write_text(text)
        assert version(kind) == first


@pytest.mark.parametrize("kind", KINDS)
def test_a_data_file_that_is_not_there_is_a_sentence(here, kind):
    (here.parent / "there" / "theirs.py").write_text(THEIRS)
    write(kind, "\nFILES = ['weights.txt']\n")
    with pytest.raises(
        fs.SpecError, match=r"mine.py says that it reads weights.txt \(FILES\), and there is no such file"
    ):
        version(kind)


def test_it_is_told_on_the_command_line_before_anything_is_run(here, capsys):
    (here.parent / "there" / "theirs.py").write_text(THEIRS)
    write("function", "\nFILES = ('weights.txt',)\n")
    assert app(["run", "mine.py"], standalone_mode=False) == 2
    told = capsys.readouterr().err
    assert "mine.py says that it reads weights.txt (FILES), and there is no such file in its folder" in told
    assert not Path("mine.sqlite").exists()


def test_data_files_of_modules_in_the_folder_count_too(here):
    Path("mine.py").write_text("import helper\n\n\ndef choose(observation):\n    return observation.moves[0]\n")
    Path("helper.py").write_text("FILES = ('weights.txt',)\n")
    Path("weights.txt").write_text("one")
    before = version("agent")
    Path("weights.txt").write_text("two")
    assert changed(before, version("agent")) == {"agent"}
    Path("weights.txt").unlink()
    with pytest.raises(fs.SpecError, match=r"helper.py says that it reads weights.txt"):
        version("agent")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("FILES = 'weights.txt'", True),
        ("FILES = tuple(NAMES)", True),
        ("FILES = ('a', 3)", True),
        ("FILES = ()\nFILES += ('weights.txt',)", True),
        ("FILES = 8", False),
        ("FILES: tuple[str, ...]", False),
        ("RANKS, FILES = 8, 8", False),
        ("FILES = ()", False),
    ],
)
def test_what_declares_no_files_is_a_sentence_unless_it_is_something_else(here, text, wrong):
    plain = "def choose(observation):\n    return observation.moves[0]\n"
    Path("mine.py").write_text(f"{plain}NAMES = []\n{text}\n")
    if not wrong:
        assert version("agent")
        return
    line = 4 + text.count("\n")
    with pytest.raises(
        fs.SpecError, match=rf"mine.py, line {line}: FILES must be a tuple of the names of data files, written out"
    ):
        version("agent")


@pytest.mark.parametrize("kind", ["agent", "function"])
def test_a_module_in_another_folder_is_a_part_of_the_version(here, kind):
    there = here.parent / "there"
    write(kind)
    (there / "theirs.py").write_text(THEIRS)
    before = version(kind)
    (there / "theirs.py").write_text(THEIRS + "# and a comment\n")
    assert version(kind) == before
    (there / "theirs.py").write_text(THEIRS.replace("x + 0", "x - 0"))
    assert changed(before, version(kind)) == {kind}


def test_a_function_of_another_folder_that_a_games_rules_call_is_a_part_of_its_version(here):
    there = here.parent / "there" / "theirs.py"
    there.write_text(THEIRS)
    rules = (ROOT / "fogspiel/games/kuhn.py").read_text()
    for old, new in (
        ("import numpy as np\n", "import numpy as np\nfrom theirs import moved\n"),
        ("s.dealt = 0\n", "s.dealt = moved(0)\n"),
    ):
        assert old in rules
        rules = rules.replace(old, new)
    Path("mine.py").write_text(rules)
    before = version("game")
    there.write_text(THEIRS.replace("x + 0", "x - 0"))
    assert changed(before, version("game")) == {"game"}


def test_a_module_of_another_folder_that_a_part_imports_is_a_part_of_the_agents_version(here):
    there = here.parent / "there"
    (there / "theirs.py").write_text(THEIRS)
    write("bandit", "\nimport theirs\n")
    before = version("bandit")
    (there / "theirs.py").write_text(THEIRS.replace("x + 0", "x - 0"))
    assert changed(before, version("bandit")) == {"agent"}


def test_what_modules_elsewhere_import_counts_and_so_does_all_of_a_package(here):
    there = here.parent / "there"
    for folder in ("deeper", "folder"):
        (there / folder).mkdir()
    files = {
        "theirs.py": "import deeper.one\nfrom folder import two\n" + THEIRS,
        "deeper/__init__.py": "",
        "deeper/one.py": "X = 1\n",
        "deeper/inside.py": "Y = 1\n",
        "folder/two.py": "Z = 1\n",
        "folder/other.py": "W = 1\n",
    }
    for name, text in files.items():
        (there / name).write_text(text)
    write("agent")
    before = version("agent")
    for name in ("deeper/one.py", "deeper/inside.py", "folder/two.py"):
        (there / name).write_text(files[name].replace("1", "2"))
        assert changed(before, version("agent")) == {"agent"}, name
        (there / name).write_text(files[name])
    (there / "folder" / "other.py").write_text("W = 2\n")  # which nobody imports, from a folder that is no package
    assert version("agent") == before


def test_a_module_of_the_folder_comes_before_one_elsewhere(here):
    (here.parent / "there" / "theirs.py").write_text(THEIRS)
    Path("theirs.py").write_text(THEIRS)
    write("agent")
    before = version("agent")
    (here.parent / "there" / "theirs.py").write_text("raise ImportError\n")
    assert version("agent") == before
    Path("theirs.py").write_text(THEIRS.replace("x + 0", "x - 0"))
    assert changed(before, version("agent")) == {"agent"}


def test_an_edit_of_what_is_imported_already_is_another_version_when_it_is_imported_anew(here):
    there = here.parent / "there" / "theirs.py"
    there.write_text(THEIRS)
    write("agent")

    def now() -> dict[str, str]:
        cell = Curves(about="x", games="kuhn", players=["mine.py"], scales=SMALL).cells("small", str(here))[0]
        return cell.task.versions(Loader(str(here)))

    before = now()
    there.write_text(THEIRS.replace("x + 0", "x - 0"))
    assert now() == before
    forget()
    assert changed(before, now()) == {"player"}


def test_an_agent_in_a_process_of_its_own_imports_all_anew(here):
    there = here.parent / "there" / "theirs.py"
    there.write_text(THEIRS)
    write("agent")
    importlib.import_module("theirs")
    (cell, _) = matches().cells("small", str(here))
    before = cell.task.versions(Loader(str(here)))
    there.write_text(THEIRS.replace("x + 0", "x - 0"))
    assert changed(before, cell.task.versions(Loader(str(here)))) == {"agent"}


def test_what_is_installed_has_no_version(here):
    (here.parent / "there" / "site-packages").mkdir()
    sys.path.insert(0, str(here.parent / "there" / "site-packages"))
    try:
        (here.parent / "there" / "site-packages" / "theirs.py").write_text(THEIRS)
        write("agent")
        before = version("agent")
        (here.parent / "there" / "site-packages" / "theirs.py").write_text(THEIRS.replace("x + 0", "x - 0"))
        assert version("agent") == before
    finally:
        sys.path.remove(str(here.parent / "there" / "site-packages"))


def test_runs_are_done_again_when_a_data_file_has_changed(here):
    Path("mine.py").write_text(
        "def choose(observation):\n    return observation.moves[0]\n\n\nFILES = ('weights.txt',)\n"
    )
    Path("weights.txt").write_text("one")
    heard = []

    def played() -> int:
        return run(matches(), "x", "x.sqlite", Execution(folder=str(here), notice=heard.append)).played

    assert (played(), played()) == (4, 0)
    Path("weights.txt").write_text("two")
    assert (played(), played()) == (4, 0)
    assert heard == ["agent mine.py changed: 4 runs of before are kept, and not counted"] * 2


def test_a_large_data_file_is_read_once_however_many_settings_there_are(here, monkeypatch):
    Path("mine.py").write_text(
        "def choose(observation, n=0):\n    return observation.moves[0]\n\n\nFILES = ('weights.txt',)\n"
    )
    Path("weights.txt").write_text("one")
    os.utime("weights.txt", (1, 1))
    read = []
    digest = beyond.hashlib.file_digest
    monkeypatch.setattr(beyond.hashlib, "file_digest", lambda file, how: read.append(file) or digest(file, how))
    run(
        matches(agents={"a": "mine.py(n={n})", "b": "random"}, grid={"n": [*range(8)]}),
        "x",
        "x.sqlite",
        Execution(folder=str(here)),
    )
    assert len(read) == 1
