"""Machine code on disk: used again by the next process, never stale, and never a reason to fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.engine import native as machine_code
from fogspiel.engine.closure import fingerprint
from fogspiel.engine.kinds import Int
from fogspiel.engine.native import native
from fogspiel.game.load import module_from

GAME = """
import numpy as np
from fogspiel.game import OVER, About
import other
from other import doubled

State = np.dtype([("taken", "i1")])
STEP = 1

def about():
    return About(players=1, zero_sum=False)

def start(s):
    s.taken = 0

def actor(s):
    return OVER if s.taken >= 3 else 0

def moves(s, out):
    out[0] = helper(s.taken)
    out[1] = STEP + 100
    out[2] = other.LIMIT
    out[3] = doubled(600)
    return 4

def helper(taken):
    return taken + 10

def play(s, move):
    s.taken += 1

def payoff(s, out):
    out[0] = 1

def infoset(s, player):
    return s.taken
"""
OTHER = """
from third import LIMIT

def doubled(n):
    return 2 * n
"""
THIRD = "LIMIT = 1000\n"
MOVES = "import fogspiel as fs, sys\nprint(fs.load('game.py').start().moves(), 'numba' in sys.modules)"

KERNELS = """
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Real

FACTOR = 3

@kernel(fastmath={"contract", "nsz", "arcp"})
def first(n: Int) -> Real:
    return FACTOR * n

@kernel
def second(n: Int) -> Real:
    return n - 1
"""
CALLS = "import module\nprint(module.first(7), module.second(7))"

AT_ONCE = """
import time
from concurrent.futures import ThreadPoolExecutor
from fogspiel.engine import native
import module

real, loads = native._load, []

def load(code):
    loads.append(code)
    time.sleep(0.1)
    return real(code)

native._load = load
with ThreadPoolExecutor(4) as threads:
    found = list(threads.map(module.first, [7] * 4))
print(len(loads), "load,", found)
"""

RECURSIVE = (
    GAME.replace("return taken + 10", "return deep(taken, 5)")
    + """
def deep(a, b):
    if b == 0:
        return a
    return deeper(a + 1, b - 1) + deep(a, b - 1)

def deeper(a, b):
    if b < 0:
        raise ValueError("below zero")
    if b == 0:
        return a * 2
    return deep(a - 1, b - 1) + deeper(a, b - 1)
"""
)


class Folder:
    """Files, a cache of their own, and a new process at every run."""

    def __init__(self, path: Path, cache: Path):
        self.path, self.cache = path, cache
        path.mkdir(exist_ok=True)
        self.write(game=GAME, other=OTHER, third=THIRD, module=KERNELS)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.path / f"{name}.py").write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.path / f"{name}.py").read_text()
        assert old in text
        self.write(**{name: text.replace(old, new)})

    def start(self, code: str, **environment: str) -> subprocess.Popen:
        # without bytecode, which Python itself takes to be fresh when a file is edited twice in a second
        path = os.pathsep.join(filter(None, [str(self.path), os.environ.get("PYTHONPATH")]))
        no_bytecode = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": ""}
        more = {"FOGSPIEL_CACHE": str(self.cache), "PYTHONPATH": path} | no_bytecode
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=self.path,
            env=os.environ | more | environment,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )

    def run(self, code: str, **environment: str) -> str:
        process = self.start(code, **environment)
        out, errors = process.communicate()
        assert process.returncode == 0, errors
        assert errors == ""
        return out.strip()

    def files(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.cache.glob("*.o")}


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "games", tmp_path / "cache")


def test_the_second_start_needs_no_compiler():
    """Solving goes through the rules of a game and the kernels of the tree, the sequence form and the solver."""
    fs.solve("kuhn", iterations=10)
    code = "import fogspiel as fs, sys; print(fs.solve('kuhn', iterations=10).iterations, 'numba' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "10 False"


def test_an_edited_game_is_never_answered_with_old_code(folder, monkeypatch):
    assert folder.run(MOVES) == "[10, 101, 1000, 1200] True"
    monkeypatch.setenv("FOGSPIEL_CACHE", str(folder.cache))

    def found():
        """The moves at the start, and how many versions have been compiled."""
        return fs.load(folder.path / "game.py").start().moves(), len(folder.files())

    assert found() == ([10, 101, 1000, 1200], 1)
    folder.edit("game", "STEP + 100", "STEP + 200")
    assert found() == ([10, 201, 1000, 1200], 2), "a rule was edited"
    folder.edit("game", "taken + 10", "taken + 11")
    assert found() == ([11, 201, 1000, 1200], 3), "a helper was edited"
    folder.edit("game", "STEP = 1", "STEP = 2")
    assert found() == ([11, 202, 1000, 1200], 4), "a constant was edited"
    folder.edit("third", "1000", "3000")
    assert found() == ([11, 202, 3000, 1200], 5), "a constant that another module takes from a third was edited"
    folder.edit("other", "from third import LIMIT", "LIMIT = 4000")
    assert found() == ([11, 202, 4000, 1200], 6), "a constant of another module was edited"
    folder.edit("other", "2 * n", "3 * n")
    assert found() == ([11, 202, 4000, 1800], 7), "a helper in another module was edited"
    folder.edit("other", "3 * n", "2 * n")
    folder.edit("other", "LIMIT = 4000", "LIMIT = 3000")
    assert folder.run(MOVES) == "[11, 202, 3000, 1200] False", "an earlier version is still there"


def test_an_edited_kernel_is_never_answered_with_old_code(folder):
    assert folder.run(CALLS) == "21.0 6.0"
    folder.edit("module", "FACTOR = 3", "FACTOR = 4")
    assert folder.run(CALLS) == "28.0 6.0"
    folder.edit("module", "n - 1", "n - 2")
    assert folder.run(CALLS) == "28.0 5.0"


def test_kernels_that_exchange_their_names_are_not_mistaken_for_each_other(folder):
    plain = KERNELS.replace('(fastmath={"contract", "nsz", "arcp"})', "")
    folder.write(module=plain)
    assert folder.run(CALLS) == "21.0 6.0"
    folder.write(module=plain.replace("first", "FIRST").replace("second", "first").replace("FIRST", "second"))
    assert folder.run(CALLS) == "6.0 21.0"


VALUES = {
    "a tuple": ("T = (1, 2, 3)", "T = (1, 5, 3)", "T[1]"),
    "a tuple of arrays": (
        "T = (np.arange(2000), np.arange(2000))",
        "T = (np.arange(2000), np.arange(2000) + (np.arange(2000) == 1000))",
        "T[1][1000]",
    ),
    "an array": ("A = np.arange(5000)", "A = np.arange(5000)\nA[2500] = 7", "A[2500]"),
    "a type": ("R = np.float32", "R = np.float64", "int(R(0.1) * 1e18 - 1e17)"),
    "an enumeration": (
        "import enum\nclass E(enum.IntEnum):\n    X = 3",
        "import enum\nclass E(enum.IntEnum):\n    X = 4",
        "E.X + 0",
    ),
    "a named tuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'x y')(1, 2)",
        "from collections import namedtuple\nP = namedtuple('P', 'y x')(1, 2)",
        "P.x",
    ),
    "a kind of named tuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'x y')",
        "from collections import namedtuple\nP = namedtuple('P', 'y x')",
        "P(1, 2).x",
    ),
    "a function of C": ("from math import floor as near", "from math import ceil as near", "int(near(0.5))"),
    "a default": ("def f(n=3):\n    return n", "def f(n=4):\n    return n", "f()"),
    "a value that a function was made with": (
        "def make(n):\n    def f():\n        return n\n    return f\nf = make(3)",
        "def make(n):\n    def f():\n        return n\n    return f\nf = make(4)",
        "f()",
    ),
    "a function that Numba has wrapped": (
        "import numba\n@numba.njit\ndef f():\n    return 3",
        "import numba\n@numba.njit\ndef f():\n    return 4",
        "f()",
    ),
}


@pytest.mark.parametrize("what", VALUES)
def test_machine_code_depends_on(what, tmp_path, monkeypatch):
    """Loaded three times by one process, with one line of the file changed in between, and changed back."""
    monkeypatch.setenv("FOGSPIEL_CACHE", str(tmp_path / "cache"))
    before, after, expression = VALUES[what]
    seen = []
    for line in (before, after, before):
        (tmp_path / "file.py").write_text(f"import numpy as np\n{line}\ndef value(n):\n    return n + {expression}\n")
        plain = module_from(tmp_path / "file.py").value
        seen.append(native("code", {"value": (plain, (Int,), Int, {})})["value"](10))
    assert seen[0] != seen[1]
    assert seen[0] == seen[2]
    assert len(list((tmp_path / "cache").glob("*.o"))) == 2


COMPUTED = """
import fogspiel as fs
print(fs.playouts("pig", 50, seed=3), fs.solve("kuhn", "es-mccfr", iterations=300, seed=3).strategy.prob.tolist())
print(fs.solve("kuhn", "os-mccfr", iterations=300, seed=3).strategy.prob.tolist())
for agent in ("mo-ismcts(icarus=mast,simulations=300)", "oos(simulations=300)"):
    print(fs.think("kuhn", agent, seed=3).as_dict()["moves"])
stage = "goofspiel(cards=4,order=ascending,bids=open)"
print(fs.think(stage, "sm-mcts(bandit=exp3,simulations=300)", seed=3).as_dict()["moves"])
print(fs.solve(stage, "backward-induction").strategy.prob.tolist())  # solves a matrix game in each stage
"""


def test_code_that_is_optimised_less_computes_the_same_bits():
    """Tests run such code, unless they are started by `make test-fully`."""

    def computed(optimised):
        run, environment = [sys.executable, "-c", COMPUTED], os.environ | {"FOGSPIEL_OPTIMISE": optimised}
        return subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout

    less = computed("less")
    assert less.count("'value'") == 8
    assert computed("fully") == less


def test_another_word_for_how_code_is_optimised_is_refused(monkeypatch):
    monkeypatch.setenv("FOGSPIEL_OPTIMISE", "les")
    with pytest.raises(fs.SpecError, match="FOGSPIEL_OPTIMISE must be fully or less, not 'les'"):
        native("code", {"triple": (triple, (Int,), Int, {})})


DAMAGE = {
    "truncated": lambda stored: stored[: len(stored) // 2],
    "empty": lambda stored: b"",
    "overwritten": lambda stored: os.urandom(len(stored)),
    "altered": lambda stored: stored[:200] + bytes([stored[200] ^ 1]) + stored[201:],
}


def triple(n):
    return 3 * n


@pytest.fixture
def tripled(monkeypatch):
    """Six times three by machine code, loaded as in a new process, with its cache in a folder."""

    def compute(cache):
        monkeypatch.setenv("FOGSPIEL_CACHE", str(cache))
        monkeypatch.setattr(machine_code, "_loaded", {})
        return native("code", {"triple": (triple, (Int,), Int, {})})["triple"](6)

    return compute


def test_a_damaged_file_is_compiled_anew_and_mended(tripled, tmp_path):
    assert tripled(tmp_path) == 18
    (file,) = tmp_path.glob("*.o")
    stored = file.read_bytes()
    for damage in DAMAGE.values():
        file.write_bytes(damage(stored))
        assert tripled(tmp_path) == 18
        assert [f.read_bytes() for f in tmp_path.glob("*.o")] == [stored]


def test_a_cache_that_cannot_be_written_does_not_fail_the_run(tripled, tmp_path):
    (tmp_path / "file").write_text("a file where a folder should be")
    for place in (tmp_path / "file", tmp_path / "file" / "inside"):
        assert tripled(place) == 18


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_cache_is_read(folder):
    folder.run(MOVES)
    folder.cache.chmod(0o555)
    assert folder.run(MOVES).endswith("False")
    folder.edit("game", "STEP = 1", "STEP = 2")
    assert folder.run(MOVES) == "[10, 102, 1000, 1200] True"


def test_of_processes_that_need_the_same_code_at_once_one_compiles_it(folder):
    processes = [folder.start(MOVES) for _ in range(3)]
    answers = sorted(process.communicate() for process in processes)
    assert answers == [(f"[10, 101, 1000, 1200] {compiled}\n", "") for compiled in (False, False, True)]
    assert len(folder.files()) == 1
    assert not list(folder.cache.glob(".*"))


def test_threads_that_call_a_kernel_first_at_once_load_it_once(folder):
    assert folder.run(AT_ONCE) == "1 load, [21.0, 21.0, 21.0, 21.0]"


def test_the_name_of_a_file_does_not_depend_on_the_order_of_sets(folder):
    """Python shuffles sets of words from process to process; here the kernels' options are one."""
    for seed in "012":
        assert folder.run(CALLS, PYTHONHASHSEED=seed) == "21.0 6.0"
    assert len(folder.files()) == 1


def test_machine_code_does_not_depend_on_the_folder_of_the_game(tmp_path):
    """Functions that call each other are not inlined, so that their names are in the code."""
    made = []
    for name in ("here", "a folder with a long name"):
        folder = Folder(tmp_path / name, tmp_path / f"cache of {name}")
        folder.write(game=RECURSIVE)
        folder.run(MOVES.replace("'game.py'", repr(str(folder.path / "game.py"))))
        made.append(folder.files())
    assert made[0] == made[1]


def test_rules_may_call_functions_that_call_themselves_and_each_other(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    Folder(tmp_path, tmp_path / "cache").write(
        game=RECURSIVE, other=OTHER.replace("from third import LIMIT", "LIMIT = 1")
    )
    compiled, plain = (fs.load(tmp_path / "game.py", debug=debug) for debug in (False, True))
    for s, t in zip(*(_along(game, 3) for game in (compiled, plain)), strict=True):
        assert s.moves() == t.moves()


def _along(game, steps):
    s = game.start()
    for _ in range(steps):
        yield s
        s.play(s.moves()[0])


def loaded() -> int:
    return len(sys.modules)


def test_what_is_imported_meanwhile_changes_no_fingerprint(monkeypatch):
    before = fingerprint([loaded])
    monkeypatch.setitem(sys.modules, "imported_meanwhile", sys)
    assert fingerprint([loaded]) == before


def twice(x):
    return x + x


def calls_twice(x: int) -> int:
    return twice(x)


def test_what_is_to_be_inlined_is_other_code(monkeypatch):
    before = fingerprint([calls_twice])
    monkeypatch.setattr(twice, "inlined", True, raising=False)
    assert fingerprint([calls_twice]) != before
