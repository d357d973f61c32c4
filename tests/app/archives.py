"""Archives taken apart and put together again, with a digest that fits: what a careful forger would write."""

import io
import json
import zipfile
from hashlib import blake2b
from pathlib import Path

import numpy as np


def unpack(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, parts: dict[str, bytes]) -> None:
    """As docs/formats.md has it: the header, the arrays, and the digest of them."""
    digest = blake2b(digest_size=32, person=b"fogspiel archive")
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(parts.keys() - {"digest.txt"}, key=lambda name: name != "header.json"):
            archive.writestr(name, parts[name])
            digest.update(name.encode() + b"\0" + parts[name] + len(parts[name]).to_bytes(8, "little"))
        if "digest.txt" in parts:
            archive.writestr("digest.txt", digest.hexdigest())


def npy(values: np.ndarray, **options) -> bytes:
    out = io.BytesIO()
    np.save(out, values, **options)
    return out.getvalue()


def array(content: bytes) -> np.ndarray:
    return np.load(io.BytesIO(content), allow_pickle=False)


def change(path: Path, name: str, how) -> None:
    """Replace an array in an archive by `how` of it; None removes it."""
    parts = unpack(path)
    new = how(array(parts.pop(f"{name}.npy")))
    pack(path, parts if new is None else parts | {f"{name}.npy": npy(np.asarray(new))})


def change_header(path: Path, **fields) -> None:
    parts = unpack(path)
    header = json.loads(parts["header.json"]) | fields
    pack(path, parts | {"header.json": json.dumps({k: v for k, v in header.items() if v is not None}).encode()})
