"""Files that someone made, or that a disk spoiled, are refused in a sentence or give what they should: never a crash, a
hang or nonsense.

Everything runs in this process, so that a crash or a hang would end the tests.
"""

import json
import math
import os
import random
import struct
import threading

import numpy as np
import pytest
from archives import array, npy, pack, unpack

import fogspiel as fs

CHECKPOINTS = [
    ("kuhn", "cfr+"),
    ("kuhn", "cfr(average=snapshot(snapshots=4))"),
    ("kuhn", "cfr(learner=hedge)"),
    ("kuhn", "egt"),
    ("kuhn", "xfp"),
    ("matrix", "fp"),
    ("leduc", "es-mccfr"),
    ("leduc", "os-mccfr(average=lazy)"),
    ("leduc", "os-mccfr(average=optimistic,words=64)"),
    ("leduc", "walk-cfr"),
    ("leduc", "vr-mccfr"),
]
SMALL = 1 << 20
CASES = int(os.environ.get("FOGSPIEL_TEST_CASES", "32"))
ODD = [math.nan, math.inf, -math.inf, 1e308, -1.0, 0.5, 2.0**40, 0.0]


def spoiled(content: bytes, dice: random.Random) -> bytes:
    """The bytes of a file with a few bits turned, or cut short, or with a piece put elsewhere."""
    bytes_ = bytearray(content)
    kind = dice.randrange(3)
    if kind == 0:
        for _ in range(dice.choice((1, 1, 8))):
            bytes_[dice.randrange(len(bytes_))] ^= 1 << dice.randrange(8)
    elif kind == 1:
        del bytes_[dice.randrange(len(bytes_)) :]
    else:
        at, to, length = (dice.randrange(len(bytes_)) for _ in range(3))
        bytes_[to : to + length % 64] = bytes_[at : at + length % 64]
    return bytes(bytes_)


def forged_array(values: np.ndarray, dice: random.Random) -> np.ndarray:
    """An array with other numbers in it, or of another length, shape or type."""
    values, kind = values.copy(), dice.randrange(8)
    flat = values.reshape(-1)
    if kind < 4 and flat.size:
        for _ in range(dice.choice((1, 1, 3))):
            at = dice.randrange(flat.size)
            if values.dtype.kind == "f":
                flat[at] = dice.choice([*ODD, -flat[at], flat[at] * 2])
            else:
                most = np.iinfo(values.dtype)
                flat[at] = dice.choice([most.min, most.max, 0, 1, int(flat[at]) ^ 1 << dice.randrange(most.bits - 1)])
        return values
    if kind == 4:
        words = np.frombuffer(dice.randbytes(values.nbytes), values.dtype)
        return words.reshape(values.shape)
    if kind == 5:
        return flat[: dice.randrange(flat.size + 1)]
    if kind == 6:
        return np.concatenate([flat, flat])
    return values.astype(dice.choice(["i4", "f4", "u8", "i8", "f8", ">i8"]))


def forged(parts: dict[str, bytes], dice: random.Random) -> dict[str, bytes]:
    """A file with one field changed."""
    parts = dict(parts)
    name = dice.choice([*parts.keys() - {"digest.txt"}, "header.json"])
    if name != "header.json":
        with np.errstate(all="ignore"):
            parts[name] = npy(forged_array(array(parts[name]), dice))
        return parts
    header = json.loads(parts[name])
    field = dice.choice(sorted(header))
    header[field] = dice.choice([None, True, -1, 1e308, math.nan, "", "kuhn", [], {}, 2**70, header[field]])
    parts[name] = json.dumps(header).encode()
    return parts


def attempt(work, seconds=60):
    """What some work returns, and the sentence if it is refused. It must come to an end, and raise nothing but errors
    of files."""
    found = []

    def run():
        try:
            found.append((work(), None))
        except fs.FileError as error:
            found.append((None, str(error)))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert found, "it hangs, or raised what is not an error of a file"
    result, sentence = found[0]
    assert sentence is None or "\n" not in sentence
    return result, sentence


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_crafted_strategy_is_refused_or_is_a_strategy(game, tmp_path):
    path, dice = tmp_path / "s.fog", random.Random(11)
    fs.save(fs.solve(game, iterations=3).strategy, path)
    content, parts = path.read_bytes(), unpack(path)
    refused = 0
    for case in range(100):
        if case % 2:
            path.write_bytes(spoiled(content, dice))
        else:
            pack(path, forged(parts, dice))
        found, sentence = attempt(lambda: fs.nash_conv(game, fs.read(path)))
        assert sentence or 0 <= found < 100
        refused += sentence is not None
    assert refused > 50


@pytest.mark.parametrize(("game", "algorithm"), CHECKPOINTS)
def test_a_crafted_checkpoint_is_refused_or_resumed(game, algorithm, tmp_path):
    path, dice = tmp_path / "c.fog", random.Random(algorithm)
    how = {"measure": False, "memory": SMALL} if "mccfr" in algorithm or "walk" in algorithm else {}
    fs.solve(game, algorithm, iterations=20, checkpoint=path, **how)
    content, parts = path.read_bytes(), unpack(path)
    refused = 0
    for case in range(CASES):
        if case % 4 == 3:
            path.write_bytes(spoiled(content, dice))
        else:
            pack(path, forged(parts, dice))
        result, sentence = attempt(lambda: fs.solve(game, algorithm, iterations=25, resume=path, **how))
        if sentence is None:
            assert all(math.isfinite(v) for v in result.value)
            assert np.all(np.isfinite(result.strategy.prob))
            found, sentence = attempt(lambda: fs.nash_conv(game, result.strategy))  # noqa: B023
            # what a table says of information sets that are hardly ever met shows when it is used
            assert found < 100 if sentence is None else "moves are not those of" in sentence
        refused += sentence is not None
    assert refused > CASES / 4


def test_words_that_are_no_table_are_refused(tmp_path):
    path, dice = tmp_path / "c.fog", random.Random(5)
    how = {"measure": False, "memory": SMALL}
    fs.solve("leduc", "os-mccfr(average=lazy)", iterations=50, checkpoint=path, **how)
    parts = unpack(path)
    table = array(parts["table.npy"])
    for case in range(45):
        words = table.copy()
        if case % 3 == 0:  # all of it
            words = np.frombuffer(dice.randbytes(4 * len(table)), np.int32).copy()
        elif case % 3 == 1:  # any word: a key, which nobody can tell, or something that must fit
            words[dice.randrange(len(words))] = struct.unpack("<i", dice.randbytes(4))[0]
        else:  # a length that does not fit
            words = words[: dice.randrange(1, len(words))]
        pack(path, parts | {"table.npy": npy(words)})
        result, sentence = attempt(
            lambda: fs.solve("leduc", "os-mccfr(average=lazy)", iterations=60, resume=path, **how)
        )
        if sentence is None:
            assert case % 3 != 0
            assert np.all(np.isfinite(result.strategy.prob))
        else:
            assert sentence.startswith(f"{path} is damaged: table has ")
