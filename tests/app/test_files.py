"""Strategies and checkpoints on disk: exact, documented, never harmed, and refused where they do not belong."""

import errno
import io
import json
import os
import pickle
import random
import signal
import stat
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from archives import change, change_header, npy, pack, unpack

import fogspiel as fs
from fogspiel.app import cli, show
from fogspiel.solvers import files, suit
from fogspiel.solvers.registry import SOLVERS

ARRAYS = {"player": "i1", "key": "u8", "start": "i8", "move": "i8", "prob": "f8"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
FAMILY = [
    f"{name}(horizon=60)" if name.startswith("hs-") else name for name, e in SOLVERS.items() if e.form and not e.exact
]
FAMILY += ["cfr(learner=hedge)", "cfr(learner=rm+,updates=simultaneous)", "dcfr(alpha=2,beta=-inf)"]


def same(a: fs.Strategy, b: fs.Strategy) -> bool:
    return (a.game, a.behaviour) == (b.game, b.behaviour) and all(
        getattr(a, n).dtype == getattr(b, n).dtype and getattr(a, n).tobytes() == getattr(b, n).tobytes()
        for n in ARRAYS
    )


@pytest.fixture
def kuhn(tmp_path) -> Path:
    """A strategy for Kuhn poker on disk."""
    path = tmp_path / "kuhn.fog"
    fs.save(fs.solve("kuhn", iterations=50).strategy, path)
    return path


@pytest.fixture
def checkpoint(tmp_path) -> Path:
    """A checkpoint of CFR+ on Kuhn poker."""
    path = tmp_path / "checkpoint.fog"
    fs.solve("kuhn", "cfr+", iterations=50, checkpoint=path)
    return path


@pytest.fixture
def command(monkeypatch, capsys):
    """Run a command within this process: its exit status, standard output and standard error."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(show.console, "width", 1000)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fogspiel", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return run


def put(values: np.ndarray, at: int, value) -> np.ndarray:
    values = values.copy()
    values[at] = value
    return values


def monstrous(array: bytes) -> bytes:
    """An array of twelve that claims to have 123456789012345 elements."""
    before, after = b"(12,), }" + b" " * 13, b"(123456789012345,), }"
    assert before in array
    return array.replace(before, after)


# strategies


@pytest.mark.parametrize(("game", "algorithm"), [("kuhn", "cfr+"), ("kuhn(players=3)", "dcfr"), ("kuhn", "lp")])
def test_a_strategy_read_back_is_the_same_bit_for_bit(tmp_path, game, algorithm):
    strategy = fs.solve(game, algorithm).strategy
    fs.save(strategy, tmp_path / "s.fog")
    assert same(fs.read(tmp_path / "s.fog"), strategy)


def test_the_same_strategy_gives_the_same_bytes_whenever_it_is_saved(kuhn, tmp_path, monkeypatch):
    later = time.localtime(time.time() + 1e6)
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    fs.save(fs.read(kuhn), tmp_path / "again.fog")
    assert (tmp_path / "again.fog").read_bytes() == Path(kuhn).read_bytes()


def test_a_strategy_file_is_what_the_format_page_says(kuhn):
    parts = unpack(kuhn)
    assert list(parts) == ["header.json", *(f"{name}.npy" for name in ARRAYS), "digest.txt"]
    header = json.loads(parts["header.json"])
    assert header.keys() == {"format", "version", "game", "behaviour", "situations"}
    assert (header["format"], header["version"], header["game"]) == ("fogspiel strategy", 2, "kuhn")
    arrays = {name: np.load(io.BytesIO(parts[f"{name}.npy"]), allow_pickle=False) for name in ARRAYS}
    assert {name: a.dtype for name, a in arrays.items()} == ARRAYS
    assert [len(arrays[name]) for name in ARRAYS] == [12, 12, 13, 24, 24]
    assert np.add.reduceat(arrays["prob"], arrays["start"][:-1]) == pytest.approx(np.ones(12))


def test_a_strategy_plays_uniformly_where_it_says_nothing(tmp_path, command):
    whole = fs.solve("kuhn", iterations=50).strategy
    half = np.arange(len(whole)) % 2 == 0
    count = np.diff(whole.start)
    rows = np.repeat(half, count)
    part = fs.Strategy.build(
        fs.load("kuhn"), whole.player[half], whole.key[half], count[half], whole.move[rows], whole.prob[rows]
    )
    filled = np.where(rows, whole.prob, 1 / np.repeat(count, count))
    explicit = fs.Strategy.build(fs.load("kuhn"), whole.player, whole.key, count, whole.move, filled)
    assert fs.nash_conv("kuhn", part) == fs.nash_conv("kuhn", explicit) > fs.nash_conv("kuhn", whole)
    fs.save(part, tmp_path / "part.fog")
    status, out, _ = command("evaluate", "kuhn", tmp_path / "part.fog")
    assert status == 0
    assert "says nothing about 6 of 12 information sets; there it plays uniformly" in out
    nothing = fs.Strategy.build(
        fs.load("kuhn"), *(a[:0] for a in (whole.player, whole.key, count, whole.move, whole.prob))
    )
    fs.save(nothing, tmp_path / "nothing.fog")
    assert "nothing about 12 of 12" in command("evaluate", "kuhn", tmp_path / "nothing.fog")[1]


def test_rows_that_the_game_never_meets_do_not_hide_those_that_are_missing(tmp_path, command):
    whole = fs.solve("kuhn", iterations=50).strategy
    key = whole.key.copy()
    key[[0, 7]] += np.uint64(1)
    fs.save(
        fs.Strategy.build(fs.load("kuhn"), whole.player, key, np.diff(whole.start), whole.move, whole.prob),
        tmp_path / "s.fog",
    )
    assert "nothing about 2 of 12 information sets" in command("evaluate", "kuhn", tmp_path / "s.fog")[1]


@pytest.mark.parametrize(
    ("made_for", "used_on"), [("matrix", "kuhn"), ("kuhn", "kuhn(players=3)"), ("kuhn(players=3)", "kuhn")]
)
def test_a_strategy_is_refused_by_another_game(tmp_path, command, made_for, used_on):
    fs.save(fs.solve(made_for, iterations=5).strategy, tmp_path / "s.fog")
    status, _, err = command("evaluate", used_on, tmp_path / "s.fog")
    assert status == 2
    assert (
        err == f"fogspiel: the strategy was made for {made_for}, not for {used_on} (or for other rules of that name)\n"
    )
    with pytest.raises(fs.FileError, match="was made for"):
        fs.best_response(used_on, fs.read(tmp_path / "s.fog"), 0)


DAMAGE = {
    "an empty file": lambda p: p.write_bytes(b""),
    "garbage": lambda p: p.write_bytes(random.Random(1).randbytes(3000)),
    "text": lambda p: p.write_text("player,key,prob\n"),
    "half of the file": lambda p: p.write_bytes(p.read_bytes()[: p.stat().st_size // 2]),
    "all but the last byte": lambda p: p.write_bytes(p.read_bytes()[:-1]),
    "no header": lambda p: pack(p, {k: v for k, v in unpack(p).items() if k != "header.json"}),
    "an empty archive": lambda p: pack(p, {}),
    "a header that is no JSON": lambda p: pack(p, unpack(p) | {"header.json": b"{"}),
    "a header that is a list": lambda p: pack(p, unpack(p) | {"header.json": b"[]"}),
    "a header without a game": lambda p: change_header(p, game=None),
    "another format": lambda p: change_header(p, format="something else"),
    "a later version": lambda p: change_header(p, version=3),
    "the version without a digest": lambda p: (change_header(p, version=1), drop(p, "digest.txt")),
    "no digest": lambda p: drop(p, "digest.txt"),
    "a digest of something else": lambda p: forge(p),
    "something more": lambda p: pack(p, unpack(p) | {"readme.txt": b"hello"}),
    "a game that is a number": lambda p: change_header(p, game=3),
    "situations that are a word": lambda p: change_header(p, situations="no"),
    "a move twice": lambda p: change(p, "move", lambda a: put(a, 1, a[0])),
    "moves that the game does not have": lambda p: change(p, "move", lambda a: a + 7),
    "a player below 0": lambda p: change(p, "player", lambda a: a - 1),
    "a player too many": lambda p: change(p, "player", lambda a: a + 1),
    "an array missing": lambda p: change(p, "move", lambda a: None),
    "an array cut short": lambda p: change(p, "prob", lambda a: a[:-1]),
    "an array of another shape": lambda p: change(p, "prob", lambda a: a.reshape(2, -1)),
    "an array of no dimension": lambda p: change(p, "key", lambda a: a[0]),
    "an array of another type": lambda p: change(p, "move", lambda a: a.astype(float)),
    "an array of words": lambda p: change(p, "player", lambda a: a.astype(str)),
    "an array that is not one": lambda p: pack(p, unpack(p) | {"key.npy": b"\x93NUMPY"}),
    "an array of a monstrous size": lambda p: pack(p, unpack(p) | {"key.npy": monstrous(unpack(p)["key.npy"])}),
    "rows that overlap": lambda p: change(p, "start", lambda a: put(a, 3, a[2])),
    "rows that do not begin at 0": lambda p: change(p, "start", lambda a: put(a, 0, 1)),
    "rows beyond the end": lambda p: change(p, "start", lambda a: put(a, -1, 1000)),
    "rows out of order": lambda p: change(p, "key", lambda a: a[::-1]),
    "rows twice": lambda p: change(p, "key", lambda a: put(a, 1, a[0])),
    "a probability that is NaN": lambda p: change(p, "prob", lambda a: put(a, 5, np.nan)),
    "a probability that is infinite": lambda p: change(p, "prob", lambda a: put(a, 5, np.inf)),
    "a negative probability": lambda p: change(p, "prob", lambda a: put(put(a, 4, -0.5), 5, 1.5)),
    "probabilities that do not sum to one": lambda p: change(p, "prob", lambda a: a * 0.9),
}


UNFIT = ("moves that the game does not have", "a player too many")
"""What is found only when the game is known."""


def drop(path: Path, name: str) -> None:
    pack(path, {part: content for part, content in unpack(path).items() if part != name})


def forge(path: Path) -> None:
    """Write another digest, of the same length, to a file."""
    parts = unpack(path)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content[::-1] if name == "digest.txt" else content)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_strategy_is_refused_in_one_sentence(kuhn, command, damage):
    before = kuhn.read_bytes()
    DAMAGE[damage](kuhn)
    assert kuhn.read_bytes() != before
    status, out, err = command("evaluate", "kuhn", kuhn)
    assert (status, out) == (2, "")
    assert err.startswith(f"fogspiel: {kuhn} " if damage not in UNFIT else "fogspiel: the strategy")
    assert err.count("\n") == 1
    if damage == "a later version":
        assert "format version 3; this Fogspiel reads version 2" in err
    if damage == "the version without a digest":
        assert "format version 1; this Fogspiel reads version 2, so make it anew" in err


def test_no_flipped_byte_gets_through(kuhn):
    content, strategy, dice = kuhn.read_bytes(), fs.read(kuhn), random.Random(7)
    refused = 0
    for _ in range(500):
        bytes_ = bytearray(content)
        bytes_[dice.randrange(len(bytes_))] ^= 1 << dice.randrange(8)
        kuhn.write_bytes(bytes_)
        try:
            # a byte that nobody reads, such as a file's date, may differ
            assert same(fs.read(kuhn), strategy)
        except fs.FileError:
            refused += 1
    assert refused > 250


def test_no_length_of_a_file_cut_short_gets_through(kuhn):
    content = kuhn.read_bytes()
    for length in range(0, len(content), 41):
        kuhn.write_bytes(content[:length])
        with pytest.raises(fs.FileError):
            fs.read(kuhn)


class Payload:
    def __reduce__(self):
        return os.mkdir, ("pwned",)


def test_pickles_in_a_file_are_refused_unopened(kuhn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evil = npy(np.array([Payload()], object), allow_pickle=True)
    assert b"mkdir" in pickle.dumps(Payload())
    for name in ("key.npy", "prob.npy"):
        pack(kuhn, unpack(kuhn) | {name: evil})
        with pytest.raises(fs.FileError, match="damaged"):
            fs.read(kuhn)
    assert not Path("pwned").exists()


def test_a_checkpoint_is_no_strategy_and_a_strategy_no_checkpoint(kuhn, checkpoint, command):
    status, _, err = command("evaluate", "kuhn", checkpoint)
    assert (status, err) == (2, f"fogspiel: {checkpoint} is not a fogspiel strategy file\n")
    status, _, err = command("solve", "kuhn", "--resume", kuhn)
    assert (status, err) == (2, f"fogspiel: {kuhn} is not a fogspiel checkpoint file\n")


# writing


def no_space(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_write_that_fails_leaves_the_file_that_was_there(kuhn, tmp_path, monkeypatch, step):
    before, other = kuhn.read_bytes(), fs.solve("kuhn", iterations=60).strategy
    with monkeypatch.context() as broken:
        broken.setattr(os, step, no_space)
        with pytest.raises(fs.FileError, match="No space left on device.*unchanged"):
            fs.save(other, kuhn)
        with pytest.raises(fs.FileError, match="No space left on device$"):
            fs.save(other, tmp_path / "new.fog")
    assert kuhn.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kuhn]


def test_a_write_that_is_interrupted_leaves_the_file_that_was_there(kuhn, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    before = kuhn.read_bytes()
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fs.save(fs.read(kuhn), kuhn)
    assert kuhn.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kuhn]


def test_a_result_is_printed_before_saving_it_fails(kuhn, command, monkeypatch, tmp_path):
    before = kuhn.read_bytes()
    monkeypatch.setattr(os, "fsync", no_space)
    status, out, err = command(
        "solve", "kuhn", "-n", 70, "--save", kuhn, "--json", tmp_path / "r.json", "--plot", tmp_path / "c.png"
    )
    assert status == 2
    assert "nash_conv" in out
    assert "iterations      70 in" in out
    assert "strategy " not in out
    assert err.count("\n") == 1
    for name in ("kuhn.fog", "r.json", "c.png"):
        assert f"cannot write {tmp_path / name}: No space left on device" in err
    assert kuhn.read_bytes() == before
    status, out, err = command("solve", "kuhn", "-n", 70, "--save", kuhn, "--json", "-")
    assert status == 2
    assert json.loads(out)["iterations"] == 70
    assert err.startswith("fogspiel: cannot write ")


def test_what_can_be_written_is_written_though_something_else_cannot(tmp_path, command, monkeypatch):
    real = files.write_safely

    def picky(path, content):
        if Path(path).suffix == ".fog":
            raise fs.FileError(f"cannot write {path}: it is full")
        real(path, content)

    monkeypatch.setattr(files, "write_safely", picky)
    status, _, err = command("solve", "kuhn", "-n", 10, "--save", tmp_path / "k.fog", "--json", tmp_path / "r.json")
    assert (status, err) == (2, f"fogspiel: cannot write {tmp_path / 'k.fog'}: it is full\n")
    assert json.loads((tmp_path / "r.json").read_text())["iterations"] == 10


def test_a_report_is_printed_before_writing_it_fails(kuhn, command, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "fsync", no_space)
    for arguments in (
        ["evaluate", "kuhn", kuhn],
        ["check", "kuhn", "--playouts", 1, "--histories", 0],
        ["games", "kuhn"],
    ):
        status, out, err = command(*arguments, "--json", tmp_path / "r.json")
        assert "kuhn" in out
        assert (status, err) == (2, f"fogspiel: cannot write {tmp_path / 'r.json'}: No space left on device\n")


@POSIX
def test_a_disk_that_is_really_full_costs_neither_the_old_file_nor_the_result(kuhn, tmp_path):
    before = kuhn.read_bytes()
    code = (
        "import resource\n"
        "from fogspiel.app.cli import main\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) // 2}, {len(before) // 2}))\n"
        "main()"
    )
    arguments = ["solve", "kuhn", "-n", "80", "--save", kuhn.name, "--checkpoint", "c.fog"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "iterations      80 in" in done.stdout
    assert done.stderr.count("fogspiel: ") == 1
    assert "cannot write kuhn.fog: File too large (the file that was there is unchanged)" in done.stderr
    assert "cannot write c.fog: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert kuhn.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kuhn]


@POSIX
def test_files_have_the_usual_permissions_and_keep_those_they_had(tmp_path):
    strategy, path = fs.solve("kuhn", iterations=1).strategy, tmp_path / "s.fog"
    mask = os.umask(0o027)
    try:
        fs.save(strategy, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        fs.save(strategy, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(mask)


@POSIX
def test_links_are_followed_and_pipes_are_written_to(kuhn, tmp_path):
    link = tmp_path / "link.fog"
    link.symlink_to("kuhn.fog")
    strategy = fs.solve("kuhn", iterations=3).strategy
    fs.save(strategy, link)
    assert link.is_symlink()
    assert same(fs.read(kuhn), strategy)
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    files.require_writable(pipe)
    files.write_safely(pipe, b"hello")
    reader.join(10)
    assert got == [b"hello"]
    assert pipe.is_fifo()


def test_names_as_long_as_the_disk_allows_can_be_written(tmp_path):
    path = tmp_path / ("x" * 251 + ".fog")
    fs.save(fs.solve("kuhn", iterations=1).strategy, path)
    assert len(fs.read(path)) == 12


# checkpoints


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)"])
@pytest.mark.parametrize("algorithm", FAMILY)
def test_every_solver_resumes_bit_for_bit(tmp_path, game, algorithm):
    if game != "kuhn" and algorithm in ("fp", "egt"):
        with pytest.raises(fs.Unsuitable):
            fs.solve(game, algorithm, iterations=1)
        return
    half = fs.solve(game, algorithm, iterations=30, checkpoint=tmp_path / "c.fog")
    resumed = fs.solve(game, algorithm, iterations=60, resume=tmp_path / "c.fog")
    straight = fs.solve(game, algorithm, iterations=60)
    assert not same(half.strategy, straight.strategy)
    assert same(resumed.strategy, straight.strategy)
    assert (resumed.nash_conv, resumed.value) == (straight.nash_conv, straight.value)
    assert resumed.iterations == 60
    assert resumed.seconds >= half.seconds
    assert [p for p in resumed.curve if p.iterations <= 30] == list(half.curve)


def test_a_checkpoint_file_is_what_the_format_page_says(checkpoint):
    header = json.loads(unpack(checkpoint)["header.json"])
    told = {"format", "version", "game", "behaviour", "abstraction", "algorithm", "seconds", "elapsed", "seed"}
    assert header.keys() == told | {"columns"}
    assert (header["format"], header["version"], header["algorithm"]) == ("fogspiel checkpoint", 3, "cfr+")
    curve = np.load(io.BytesIO(unpack(checkpoint)["curve.npy"]), allow_pickle=False)
    assert header["columns"] == ["iterations", "seconds", "touched", "nash_conv", "cce_gap", "lower", "upper"]
    assert curve.shape[1] == 7
    assert curve[-1, 0] == 50


@pytest.mark.parametrize(
    ("game", "algorithm", "words"),
    [
        ("matrix", "cfr+", "is a checkpoint of kuhn, not of matrix"),
        ("kuhn(players=3)", "cfr+", "is a checkpoint of kuhn, not of kuhn(players=3)"),
        ("kuhn", "cfr", "is a checkpoint of cfr+, not of cfr"),
        ("kuhn", "cfr+(gamma=2)", "is a checkpoint of cfr+, not of cfr+(gamma=2)"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(checkpoint, command, game, algorithm, words):
    status, out, err = command("solve", game, "-a", algorithm, "--resume", checkpoint)
    assert (status, out, err) == (2, "", f"fogspiel: {checkpoint} {words}\n")


def test_a_schedule_cannot_be_resumed_with_another_horizon(tmp_path):
    fs.solve("kuhn", "hs-dcfr", iterations=30, checkpoint=tmp_path / "c.fog")
    with pytest.raises(fs.FileError, match=r"of hs-dcfr\(horizon=30\), not of hs-dcfr\(horizon=60\)"):
        fs.solve("kuhn", "hs-dcfr", iterations=60, resume=tmp_path / "c.fog")


def test_a_checkpoint_is_looked_at_before_the_game_is_unrolled(checkpoint, monkeypatch):
    monkeypatch.setattr(suit, "form_of", lambda *_, **__: pytest.fail("unrolled"))
    with pytest.raises(fs.FileError, match="not of goofspiel"):
        fs.solve("goofspiel", "cfr+", resume=checkpoint)


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: change(p, "regret", lambda a: None),
        lambda p: change(p, "regret", lambda a: a[:-1]),
        lambda p: change(p, "regret", lambda a: a.astype(str)),
        lambda p: change(p, "regret", lambda a: put(a, 3, np.nan)),
        lambda p: change(p, "iterations", lambda a: -a),
        lambda p: change(p, "curve", lambda a: None),
        lambda p: change(p, "curve", lambda a: a[:, :3]),
        lambda p: change(p, "curve", lambda a: put(a, 0, np.nan)),
        lambda p: change(p, "curve", lambda a: put(a, 0, np.inf)),
        lambda p: change(p, "iterations", lambda a: np.array([1, 2])),
        lambda p: change_header(p, seconds=None),
        lambda p: change_header(p, seconds="soon"),
        lambda p: change_header(p, elapsed=-1),
        lambda p: change_header(p, seconds=-1.0),
        lambda p: change_header(p, seconds=float("nan")),
        lambda p: change_header(p, seconds=True),
        lambda p: change(p, "iterations", lambda a: np.array(2**60)),
        lambda p: change(p, "iterations", lambda a: np.array(7)),
        lambda p: change(p, "strategy", lambda a: a * 0.9),
        lambda p: change(p, "current", lambda a: a * 0.9),
        lambda p: change(p, "average", lambda a: -a),
        lambda p: change(p, "regret", lambda a: a + 1e300),
        lambda p: change(p, "curve", lambda a: a[::-1]),
        lambda p: change(p, "curve", lambda a: a + 0.5),
        lambda p: pack(p, unpack(p) | {"more.npy": npy(np.zeros(3))}),
        lambda p: p.write_bytes(p.read_bytes()[:-30]),
    ],
)
def test_a_damaged_checkpoint_is_refused_in_one_sentence(checkpoint, command, damage):
    damage(checkpoint)
    status, out, err = command("solve", "kuhn", "--resume", checkpoint)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"fogspiel: {checkpoint} is ")
    assert "damaged" in err


def test_a_checkpoint_that_cannot_be_written_costs_no_result(tmp_path, monkeypatch, command):
    monkeypatch.setattr(os, "fsync", no_space)
    result = fs.solve("kuhn", iterations=40, checkpoint=tmp_path / "c.fog", checkpoint_every=0)
    assert result.iterations == 40
    assert "No space left on device" in result.unsaved
    status, out, err = command("solve", "kuhn", "-n", 40, "--checkpoint", tmp_path / "c.fog")
    assert status == 2
    assert "iterations      40 in" in out
    assert "checkpoint" not in out
    assert err == f"fogspiel: cannot write {tmp_path / 'c.fog'}: No space left on device\n"


def test_a_checkpoint_written_at_last_is_no_failure(tmp_path, monkeypatch):
    real, calls = os.fsync, []

    def first_fails(handle):
        calls.append(handle)
        if len(calls) == 1:
            no_space()
        real(handle)

    monkeypatch.setattr(os, "fsync", first_fails)
    result = fs.solve("kuhn", iterations=40, checkpoint=tmp_path / "c.fog", checkpoint_every=0)
    assert len(calls) > 2
    assert result.unsaved == ""
    assert fs.solve("kuhn", iterations=0, resume=tmp_path / "c.fog").iterations == 40


def test_a_run_stopped_by_its_callback_leaves_a_checkpoint_to_go_on_from(tmp_path):
    stopped = fs.solve("kuhn", iterations=60, callback=lambda p: p.iterations >= 22, checkpoint=tmp_path / "c.fog")
    assert stopped.stopped == "callback"
    assert 22 <= stopped.iterations < 60
    assert same(
        fs.solve("kuhn", iterations=60, resume=tmp_path / "c.fog").strategy, fs.solve("kuhn", iterations=60).strategy
    )


@POSIX
def test_a_process_killed_while_writing_leaves_a_checkpoint_to_go_on_from(tmp_path):
    code = "import fogspiel as fs; fs.solve('kuhn', seconds=1e9, checkpoint='c.fog', checkpoint_every=0, points=1000)"
    dice, path = random.Random(3), tmp_path / "c.fog"
    for _ in range(6):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
        before = path.stat().st_mtime_ns if path.exists() else None
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not path.exists() or path.stat().st_mtime_ns == before):
            time.sleep(0.005)
        time.sleep(dice.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        kept = fs.solve("kuhn", iterations=0, resume=path)
        assert kept.iterations > 0
        assert len(kept.strategy) == 12
    straight = fs.solve("kuhn", iterations=kept.iterations + 10)
    assert same(fs.solve("kuhn", iterations=kept.iterations + 10, resume=path).strategy, straight.strategy)
