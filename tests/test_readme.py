"""The README and the pages say what is true: examples run, tables list what the registries hold, nothing is left out of
the site."""

import re
import shlex
from pathlib import Path
from textwrap import indent

import pytest
import typer
from typer.core import TyperGroup

import fogspiel as fs
from fogspiel.app.catalogue import all_agents, all_solvers
from fogspiel.app.cli import app
from fogspiel.app.show import all_games

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


DOCS = ROOT / "docs"
SNIPPETS = ROOT / "tests" / "typing" / "snippets.py"
SITE = sorted([*DOCS.glob("*.md"), *DOCS.glob("reproduction/*.md")])
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *SITE]


def part(name: str, text: str = README) -> str:
    return text.split(f"<!-- {name} -->")[1].split(f"<!-- end of {name.split(':')[0]} -->")[0].strip()


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text()


def games_table() -> str:
    return "\n".join(["| game | |", "| --- | --- |", *(f"| `{g['name']}` | {g['about']} |" for g in all_games())])


def algorithms_table() -> str:
    rows = [f"| `{s['name']}` | {s['about']} | {s['games']} |" for s in all_solvers()]
    return "\n".join(["| algorithm | | for |", "| --- | --- | --- |", *rows])


def agents_table() -> str:
    return "\n".join(["| agent | |", "| --- | --- |", *(f"| `{a['name']}` | {a['about']} |" for a in all_agents())])


def test_the_tables_of_games_and_algorithms_are_those_of_the_registries():
    assert part("agents", page("agents")) == agents_table()
    assert part("games", page("games")) == games_table()
    assert part("algorithms", page("algorithms")) == algorithms_table()


def test_the_readme_counts_the_games_algorithms_and_agents():
    counted = re.search(r"(\d+) games .*?(\d+) algorithms .*?(\d+) agents", README, re.DOTALL)
    of_the_house = [agent for agent in all_agents() if not agent["name"].startswith("FILE")]
    assert [int(n) for n in counted.groups()] == [len(all_games()), len(all_solvers()), len(of_the_house)]


def test_the_readme_is_short():
    assert len(README.splitlines()) < 165


def test_the_speed_page_has_what_bench_measures():
    assert part("bench", page("speed")).startswith("| CFR+, iterations/s | Fogspiel |")


def test_every_page_is_in_a_table_of_contents():
    contents = "\n".join(re.findall(r"```{toctree}\n(.*?)```", page("index") + page("reproduction"), re.DOTALL))
    listed = re.findall(r"^[\w/-]+$", contents, re.MULTILINE)
    assert sorted(["index", *listed]) == sorted(str(path.relative_to(DOCS).with_suffix("")) for path in SITE)


def test_the_reference_has_every_public_name():
    named = re.findall(r"^\.\. [\w:]+:: fogspiel\.(\w+)$", page("api"), re.MULTILINE)
    assert sorted(["__version__", *named]) == sorted(fs.__all__)


def test_the_first_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"## A first game, solved\n\n```python\n(.*?)```", README, re.DOTALL).group(1)
    assert len(code.strip().splitlines()) <= 6
    exec(compile(code, "README", "exec"), {})
    value, exploitability = capsys.readouterr().out.strip().splitlines()
    assert value.startswith("(-0.085")
    assert float(exploitability) < 1e-3


def snippets() -> str:
    """What the pages show of the library, each in a function of its own, for type checkers."""
    found = []
    for path in PAGES:
        for code in re.findall(r"```python\n(import fogspiel as fs\n.*?)```", path.read_text(), re.DOTALL):
            name = f"{path.stem.lower().replace('-', '_')}_{len(found)}"
            found.append(f"def {name}() -> None:\n{indent(code, '    ')}")
    about = (
        '"""Snippets of the pages, written by `python tests/test_readme.py`. They are not run: `make lint` '
        'checks their types."""'
    )
    return "\n\n".join([f"{about}\n# mypy: disable-error-code=union-attr\n# ruff: noqa\n# fmt: off\n", *found])


def test_the_snippets_are_those_whose_types_are_checked():
    assert SNIPPETS.read_text() == snippets(), "write them anew: python tests/test_readme.py"


def commands() -> list[str]:
    """Every command line that the documents show."""
    texts = [path.read_text() for path in PAGES]
    blocks = [block for text in texts for block in re.findall(r"```(?:sh|bash|console)?\n(.*?)```", text, re.DOTALL)]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return sorted({line for line in lines if line.startswith("fogspiel ")})


def test_the_documents_show_commands():
    assert len(commands()) > 8


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_documents_have_options_that_there_are(line):
    name, *arguments = shlex.split(line, comments=True)[1:]
    if name.startswith("-"):
        return
    group = typer.main.get_command(app)
    command, above = group.commands[name], group.make_context("fogspiel", [name])
    if isinstance(command, TyperGroup):
        above = command.make_context(name, list(arguments), parent=above)
        name, command, arguments = command.resolve_command(above, arguments)
    with command.make_context(name, arguments, parent=above):
        pass


@pytest.fixture
def coin_poker(tmp_path):
    path = tmp_path / "coin_poker.py"
    path.write_text(part("example: coin_poker.py").removeprefix("```python\n").removesuffix("```"))
    return path


def test_the_game_of_the_readme_conforms_and_has_the_value_of_the_books(coin_poker):
    report = fs.check(fs.load(coin_poker))
    assert report.ok, str(report)
    assert report.whole_tree
    # bet b with an ante of 1: tails bluffs b / (b + 2), player 1 calls 2 / (b + 2), player 0 gets b / (b + 2)
    for bet in (1, 3):
        result = fs.solve(fs.load(coin_poker, bet=bet), "lp")
        assert result.value[0] == pytest.approx(bet / (bet + 2), abs=1e-9)
    debugged = fs.load(coin_poker, debug=True)
    assert fs.solve(debugged, "cfr+", iterations=200).value[0] == pytest.approx(1 / 3, abs=1e-3)


def test_documents_name_files_that_exist():
    for document in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} names {target}"


if __name__ == "__main__":
    SNIPPETS.write_text(snippets())
