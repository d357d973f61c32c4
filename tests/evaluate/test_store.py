"""The file of a match: one process writes to it, what is damaged is told by its line, and what a kill leaves behind
goes away."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.engine.disk import PART, replace, sweep
from fogspiel.engine.native import cache_folder
from fogspiel.solvers.files import require_writable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
HOW = {"games": 6, "seed": 5}


@pytest.fixture
def stored(tmp_path) -> Path:
    path = tmp_path / "games.jsonl"
    fs.match("kuhn", ["random", "random"], store=path, **HOW)
    return path


SCRIPT = """
import sys
from fogspiel.engine.native import cache_folder
from fogspiel.evaluate.match import match
def said(_, done, total):
    print(done, flush=True)
    if done == 3:
        sys.stdin.readline()
match("kuhn", ["random", "random"], games=6, seed=5, store="games.jsonl", progress=said)
"""


@POSIX
def test_a_second_process_is_refused_while_the_first_writes_and_welcome_when_that_was_killed(tmp_path):
    path = tmp_path / "games.jsonl"
    first = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while first.stdout.readline().strip() != "3":
        assert first.poll() is None
    before = path.read_bytes()
    with pytest.raises(
        fs.FileError, match=r"another process is writing to .*games\.jsonl; wait until that match has ended"
    ):
        fs.match("kuhn", ["random", "random"], store=path, resume=True, **HOW)
    with pytest.raises(fs.FileError, match="is there already"):
        fs.match("kuhn", ["random", "random"], store=path, **HOW)
    assert path.read_bytes() == before
    first.send_signal(signal.SIGKILL)
    first.communicate()
    resumed = fs.match("kuhn", ["random", "random"], store=path, resume=True, **HOW)
    assert (resumed.played, len(resumed.games)) == (3, 6)
    whole = fs.match("kuhn", ["random", "random"], **HOW)
    assert [r.moves for r in resumed.games.values()] == [r.moves for r in whole.games.values()]


def test_two_matches_of_one_process_do_not_share_a_file_either(stored):
    refused = []

    def intrude(*_):
        with pytest.raises(fs.FileError, match="another process is writing") as error:
            fs.match("kuhn", ["random", "random"], store=stored, resume=True, games=20, seed=5)
        refused.append(str(error.value))

    fs.match("kuhn", ["random", "random"], store=stored, resume=True, games=8, seed=5, progress=intrude)
    assert len(refused) == 2


def test_damage_in_the_middle_is_told_by_its_line_and_a_torn_end_is_dropped(stored):
    lines = stored.read_bytes().splitlines(keepends=True)
    assert all(len(json.loads(line)["digest"]) == 16 for line in lines)
    for at in range(len(lines)):
        for spoil in (
            lambda line: line[:30] + bytes([line[30] ^ 1]) + line[31:],
            lambda line: line[: len(line) // 2] + b"\n",
            lambda _: b"\n",
        ):
            stored.write_bytes(b"".join([*lines[:at], spoil(lines[at]), *lines[at + 1 :]]))
            before = stored.read_bytes()
            with pytest.raises(fs.FileError) as error:
                fs.match("kuhn", ["random", "random"], store=stored, resume=True, **HOW)
            assert f"(line {at + 1})" in str(error.value)
            assert stored.read_bytes() == before
    stored.write_bytes(b"".join(lines[:4]) + lines[4][:30])
    assert fs.match("kuhn", ["random", "random"], store=stored, resume=True, **HOW).played == 3


@pytest.mark.parametrize(
    "fields",
    [
        {"number": -1},
        {"number": 1.5},
        {"utilities": ["a", "b"]},
        {"utilities": [1.0]},
        {"utilities": []},
        {"seconds": [-1.0, 0.0]},
        {"moves": [0.5]},
        {"moves": 3},
        {"forfeit": 2},
        {"reason": 3},
        {"decisions": [1, None]},
        {"seats": [0, 5]},
        {"more": 1},
        {"deal": "x"},
    ],
)
def test_a_crafted_line_is_refused(stored, fields):
    from fogspiel.evaluate import store

    *lines, last = stored.read_bytes().splitlines(keepends=True)
    row = {name: value for name, value in json.loads(last).items() if name != "digest"} | fields
    stored.write_bytes(b"".join(lines) + store._line(row))
    with pytest.raises(fs.FileError, match="is damaged|or it is damaged"):
        fs.match("kuhn", ["random", "random"], store=stored, resume=True, **HOW)


def test_a_file_of_the_version_before_is_refused_in_a_sentence(stored):
    lines = stored.read_text().splitlines()
    header = {name: value for name, value in json.loads(lines[0]).items() if name != "digest"} | {"version": 1}
    stored.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    with pytest.raises(fs.FileError, match="has format version 1; this Fogspiel reads version 2"):
        fs.match("kuhn", ["random", "random"], store=stored, resume=True, **HOW)


KILLED = """
import os, signal, sys
from pathlib import Path
from fogspiel.engine.disk import replace
def fill(file):
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
replace(Path(sys.argv[1]), fill)
"""


@POSIX
def test_what_a_killed_writer_left_is_removed_at_the_next_start_and_nothing_else(tmp_path):
    mine, cache = tmp_path / "s.fog", tmp_path / "cache"
    cache.mkdir()
    for target in (mine, mine, cache / "code.o"):
        subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    assert len([p for p in tmp_path.iterdir() if p.name.endswith(PART)]) == 1  # the second swept up after the first
    others = [tmp_path / name for name in (f"notes{PART}", ".s.fog.abcdefgh", ".hidden", "x.tmp")]
    for other in others:
        other.write_text("not ours")
    require_writable(mine)
    assert {p.name for p in tmp_path.iterdir()} == {"cache", *(other.name for other in others)}
    fs.load("kuhn")
    for code in cache_folder().glob("rules-kuhn-*.o"):
        shutil.copy(code, cache)
    environment = dict(os.environ, FOGSPIEL_CACHE=str(cache))
    subprocess.run([sys.executable, "-c", "import fogspiel as fs; fs.load('kuhn')"], env=environment, check=True)
    assert not any(p.name.endswith(PART) for p in cache.iterdir())


@POSIX
def test_a_file_that_is_being_written_is_not_swept_away(tmp_path):
    began, swept = threading.Event(), threading.Event()

    def fill(file):
        file.write(b"first half, ")
        began.set()
        assert swept.wait(30)
        file.write(b"second half")

    writer = threading.Thread(target=replace, args=(tmp_path / "s.fog", fill))
    writer.start()
    assert began.wait(30)
    sweep(tmp_path)
    replace(tmp_path / "other.fog", lambda file: file.write(b"other"))
    swept.set()
    writer.join()
    assert (tmp_path / "s.fog").read_bytes() == b"first half, second half"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.fog", "s.fog"]
