"""The container of strategies and checkpoints (docs/formats.md): a ZIP archive of `header.json`, NumPy `.npy` arrays
without pickle, and `digest.txt`, a BLAKE2b digest of all that comes before it.

The digest finds damage; it does not make a file trustworthy, since whoever writes a file can write its digest. So
nothing here believes what a file says of itself: sizes are compared before memory is asked for, and what is in the
arrays is for the reader to check.
"""

import io
import json
import math
import zipfile
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import numpy as np

from fogspiel.errors import FileError
from fogspiel.tree.tree import memory_limit

READ = {"fogspiel strategy": (2,), "fogspiel checkpoint": (2, 3), "fogspiel controllers": (2,)}
"""What an archive may be, with the format versions that are read. The last is written."""
HEADER, DIGEST, ARRAY = "header.json", "digest.txt", ".npy"
_LONGEST = 1 << 20
"""Bytes of a header at most."""
_DENSEST = 1032
"""How many bytes deflate can make of one at most."""
_KINDS = {np.dtype(kind) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")}


def write(file: IO[bytes], kind: str, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write an archive to a file: the same bytes whenever it is written. Never holds a second copy of an array in
    memory."""
    digest = _digest()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        text = json.dumps({"format": kind, "version": READ[kind][-1]} | header, indent=1, allow_nan=False)
        _put(archive, HEADER, text.encode())
        _take_in(digest, HEADER, text.encode())
        for name, values in arrays.items():
            with archive.open(f"{name}{ARRAY}", "w", force_zip64=True) as item:
                both = _Both(item, digest)
                _begin(digest, f"{name}{ARRAY}")
                np.lib.format.write_array(both, np.asarray(values, order="C"), allow_pickle=False)
                _end(digest, both.written)
        _put(archive, DIGEST, digest.hexdigest().encode())


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """A file in an archive without the time at which it was written, so that the same content gives the same bytes."""
    with archive.open(name, "w") as item:
        item.write(content)


def read(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of an archive of that kind. Raises FileError where it is of another kind, or
    damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            items = _items(path, archive)
            header, text = _header(path, kind, archive, items)
            digest = _digest()
            _take_in(digest, HEADER, text)
            arrays = {}
            for item in items[1:-1]:
                content = _content(archive, item)
                _take_in(digest, item.filename, content)
                arrays[item.filename.removesuffix(ARRAY)] = _array(content)
            if archive.read(DIGEST) != digest.hexdigest().encode():
                raise FileError(f"{path} is damaged: its content does not fit its digest")
            return header, arrays
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"there is no file {path}") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from error
    except MemoryError:
        raise FileError(f"{path} has more in it than there is memory for") from None
    except Exception as error:  # a damaged archive fails in more ways than can be listed
        raise FileError(f"{path} is not a {kind} file, or it is damaged") from error


def kind_of(path: str | Path) -> str | None:
    """What an archive says that it is; None where it says nothing, or is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(HEADER).file_size > _LONGEST:
                return None
            said = json.loads(archive.read(HEADER)).get("format")
            return said if isinstance(said, str) else None
    except Exception:  # whoever reads it tells what is wrong
        return None


def _items(path: str | Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """What is in an archive, if that can be: plain or deflated, and no more than there is memory for."""
    items = archive.infolist()
    if any(item.file_size > _DENSEST * item.compress_size + 64 for item in items):
        raise ValueError("sizes that cannot be")
    if any(item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for item in items):
        raise ValueError("another compression")
    if sum(item.file_size for item in items) > memory_limit():
        raise FileError(f"{path} has more in it than there is memory for")
    return items


def _header(
    path: str | Path, kind: str, archive: zipfile.ZipFile, items: list[zipfile.ZipInfo]
) -> tuple[dict[str, Any], bytes]:
    if archive.getinfo(HEADER).file_size > _LONGEST:
        raise ValueError("too long a header")
    text = archive.read(HEADER)
    header = json.loads(text, parse_constant=_refuse)
    if not isinstance(header, dict) or header.get("format") != kind:
        raise FileError(f"{path} is not a {kind} file")
    if header.get("version") not in READ[kind]:
        known = " and ".join(map(str, READ[kind]))
        raise FileError(
            f"{path} has format version {header.get('version')}; this Fogspiel reads version {known}, so make it anew"
        )
    names = [item.filename for item in items]
    arrays = names[1:-1]
    if len({*names}) < len(names) or (names[0], names[-1]) != (HEADER, DIGEST) or items[-1].file_size > _LONGEST:
        raise ValueError("not the documented order")
    if not all(name.endswith(ARRAY) for name in arrays):
        raise ValueError("something that is no array")
    return header, text


def _content(archive: zipfile.ZipFile, item: zipfile.ZipInfo) -> bytearray:
    content, at = bytearray(item.file_size), 0
    with archive.open(item) as source, memoryview(content) as room:
        assert isinstance(source, zipfile.ZipExtFile)
        while at < len(content) and (got := source.readinto(room[at:])):
            at += got
        if at < len(content) or source.read(1):
            raise ValueError("another length")
    return content


def _array(content: bytearray) -> np.ndarray:
    """The array in a `.npy` file, over the same memory."""
    file = io.BytesIO(content[: 1 << 14])
    version = np.lib.format.read_magic(file)
    known = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, transposed, kind = known[version](file)
    if kind not in _KINDS or transposed or file.tell() + math.prod(shape) * kind.itemsize != len(content):
        raise ValueError("not an array of plain numbers")
    return np.frombuffer(content, kind, offset=file.tell()).reshape(shape)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _digest() -> Any:
    return blake2b(digest_size=32, person=b"fogspiel archive")


def _begin(digest: Any, name: str) -> None:
    digest.update(name.encode() + b"\0")


def _end(digest: Any, length: int) -> None:
    digest.update(length.to_bytes(8, "little"))


def _take_in(digest: Any, name: str, content: bytes | bytearray) -> None:
    """A file's name and a zero byte, its content, and its length as eight bytes."""
    _begin(digest, name)
    digest.update(content)
    _end(digest, len(content))


class _Both:
    """A file of which all that is written enters a digest, too."""

    def __init__(self, file: IO[bytes], digest: Any):
        self.file, self.digest, self.written = file, digest, 0

    def write(self, content: bytes) -> int:
        self.digest.update(content)
        self.written += len(content)
        return self.file.write(content)
