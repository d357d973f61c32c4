"""`fogspiel show`: a saved strategy read in words."""

import csv
import json
import sys
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app import cli
from fogspiel.app.show import console


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Run the command within this process, in an empty folder, on a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(console, "_width", 80)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fogspiel", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def save(spec: str, name: str, algorithm: str = "cfr+", iterations: int = 20) -> None:
    fs.save(fs.solve(spec, algorithm, iterations=iterations).strategy, name)


def test_solving_ends_with_how_to_read_the_strategy_and_that_is_a_grid_of_cards_and_moves(command):
    status, out, _ = command("solve", "kuhn", "-a", "lp", "--save", "kuhn.fog")
    assert status == 0
    assert out.splitlines()[-1].endswith("fogspiel show kuhn.fog")
    status, out, _ = command("show", "kuhn.fog")
    assert status == 0
    assert "value -0.055556 to player 0, +0.055556 to player 1" in out
    blocks = out.split("\n\n")
    last = next(block for block in blocks if block.startswith("player 0 after you: pass, player 1: bet"))
    lines = [line.split() for line in last.splitlines()]
    assert lines[1] == ["deal", "...", "to", "player", "0", "fold", "call", "reach", "value"]
    assert [line[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert lines[2][1:3] == ["100%", "-"]
    assert lines[4][1:3] == ["-", "100%"]


@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [("leduc", "cfr+"), ("liars_dice", "cfr"), ("goofspiel(cards=4)", "cfr"), ("kuhn(players=3)", "cfr")],
)
def test_what_is_shown_fits_eighty_columns(command, spec, algorithm):
    save(spec, "it.fog", algorithm, 3)
    status, out, _ = command("show", "it.fog", "--most", 30)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert "30 of" in out


def test_one_by_one_each_set_is_shown_as_its_owner_sees_it(command):
    save("kuhn", "kuhn.fog")
    _, out, _ = command("show", "kuhn.fog", "--list", "--player", 1)
    assert "cards ? 2   bets 2 1" in out
    assert "player 1 after chance: deal 2 to player 1, player 0: bet" in out
    assert "cards 2" not in out


def test_a_strategy_of_a_game_of_ones_own_needs_the_file_and_says_so(command):
    Path("my_kuhn.py").write_text("from fogspiel.games.kuhn import *\n\ndel show  # noqa: F821\n")
    _, out, _ = command("solve", "my_kuhn.py", "-a", "lp", "--save", "mine.fog")
    assert out.splitlines()[-1].endswith("fogspiel show mine.fog my_kuhn.py")
    status, _, wrong = command("show", "mine.fog")
    assert status == 2
    assert "my_kuhn, which is no built-in game" in wrong
    status, out, _ = command("show", "mine.fog", "my_kuhn.py")
    assert status == 0
    assert "player 1 after player 0: bet" in out


def test_the_table_is_written_as_json_and_as_lines_of_text(command):
    save("kuhn", "kuhn.fog")
    status, out, _ = command("show", "kuhn.fog", "--json", "-", "--csv", "kuhn.csv")
    facts = json.loads(out)
    assert status == 0
    assert facts["information_sets"] == len(facts["rows"]) == 12
    assert facts["rows"][0]["way"][0] == "chance: deal 1 to player 0"
    lines = list(csv.DictReader(Path("kuhn.csv").read_text().splitlines()))
    assert len(lines) == 24
    assert [float(line["probability"]) for line in lines] == [
        m["probability"] for row in facts["rows"] for m in row["moves"]
    ]


def test_choices_that_fit_nothing_or_mean_nothing_get_a_sentence(command):
    save("kuhn", "kuhn.fog")
    status, out, _ = command("show", "kuhn.fog", "--after", "bet, bet")
    assert status == 0
    assert "none of the 12 information sets" in out
    for wrong, said in (
        (("--after", "raise"), "has the words 'raise'; moves there: "),
        (("--player", 2), "player must be a whole number from 0 to 1"),
        (("--order", "colour"), "order must be one of play, reach"),
        (("leduc",), "made for kuhn, not for leduc"),
    ):
        status, _, error = command("show", "kuhn.fog", *wrong)
        assert status == 2
        assert said in error


def test_a_grid_that_is_cut_says_so(command):
    save("leduc", "leduc.fog")
    _, whole, _ = command("show", "leduc.fog", "--player", 0, "--most", 6)
    assert "left out" not in whole
    _, cut, _ = command("show", "leduc.fog", "--player", 0, "--most", 4)
    assert cut.count("... and more lines, which are left out (--most)") == 1
    assert "4 of 144 information sets" in cut
    _, alone, _ = command("show", "leduc.fog", "--player", 0, "--most", 4, "--list")
    assert "left out" not in alone
