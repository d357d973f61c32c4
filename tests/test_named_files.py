"""Files that the pages name are there."""

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
PAGES = [
    HOME / "README.md",
    HOME / "CONTRIBUTING.md",
    *(page for page in sorted((HOME / "docs").glob("*.md")) if page.name != "reproduction.md"),  # which is generated
]
ROOMS = "|".join(sorted(folder.name for folder in (HOME / "fogspiel").iterdir() if folder.is_dir()))
NAMED = re.compile(
    rf"(?<![\w./-])(?:(?:fogspiel|tests|examples|docs|benchmarks)(?:/[\w.-]+)+|(?:{ROOMS})(?:/\w+)*/\w+\.py)"
)
NEW = re.compile(r"<!-- example: (\S+) -->")


def missing(text):
    """Paths that a page names, from the repository's root or from the package, where nothing is. Files that it shows
    how to add are not there yet, nor are the pages before they are built."""
    added = {f"{test}{name}" for name in NEW.findall(text) for test in ("", "test_")}
    named = {path.rstrip(".") for path in NAMED.findall(text)} - {"docs/_build"}
    return {
        path
        for path in named
        if Path(path).name not in added and not any((HOME / top / path).exists() for top in ("", "fogspiel"))
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page):
    assert not missing(page.read_text())


def test_a_file_that_is_not_there_is_found():
    text = (
        "<!-- example: new.py -->\nSee `fogspiel/games/new.py`, `tests/games/test_new.py`, `game/rules.py`, "
        "fogspiel/game/rules.py and `docs/`."
    )
    assert missing(text) == set()
    assert missing(f"{text} Or `fogspiel/agents/menu.py`, `search/nowhere.py`.") == {
        "fogspiel/agents/menu.py",
        "search/nowhere.py",
    }
