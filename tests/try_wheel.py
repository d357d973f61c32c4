"""What is given out works where nothing else is: the wheel has every file of the package, and installed in an empty
environment it does what the README does first, in an empty folder: `python tests/try_wheel.py`, or `make wheel`."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIRST = re.compile(r"## A first game, solved\n\n```python\n(.*?)```.*?```sh\n(.*?)```", re.DOTALL)


def done(*command: str | Path, at: Path, **more: str) -> str:
    """What a command writes, in a folder; without the modules and the compiled code of whoever asks."""
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FOGSPIEL"))}
    run = subprocess.run([*map(str, command)], cwd=at, env=apart | more, text=True, stdout=subprocess.PIPE, check=True)
    return run.stdout


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fogspiel-wheel-") as place:
        built, made, empty = (Path(place) / name for name in ("built", "environment", "empty"))
        empty.mkdir()
        done(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", built, ROOT, at=empty)
        (wheel,) = built.glob("*.whl")
        there = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("fogspiel/")}
        files = (path for path in (ROOT / "fogspiel").rglob("*") if path.is_file() and path.suffix != ".pyc")
        kept = {path.relative_to(ROOT).as_posix() for path in files}
        assert kept == there, f"in the wheel or in the repository alone: {sorted(kept ^ there)}"
        print(f"{wheel.name} has all {len(kept)} files")
        done(sys.executable, "-m", "venv", made, at=empty)
        done(made / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, at=empty)
        lines, commands = FIRST.search((ROOT / "README.md").read_text()).groups()
        own = {"FOGSPIEL_CACHE": str(Path(place) / "cache")}
        written = done(made / "bin" / "python", "-c", lines, at=empty, **own)
        value, exploitability = written.strip().splitlines()
        assert value.startswith("(-0.085"), written
        assert float(exploitability) < 1e-3, written
        for command in filter(None, commands.splitlines()):
            program, *words = shlex.split(command, comments=True)
            written += f"$ {command}\n{done(made / 'bin' / program, *words, at=empty, **own)}"
        print(written)


if __name__ == "__main__":
    main()
