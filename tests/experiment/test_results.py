"""`fogspiel results` answers, or says in one sentence why not."""

import json
from pathlib import Path

import pytest

from fogspiel.app.cli import app
from fogspiel.app.experiments import print_differences
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.differences import Difference
from fogspiel.experiment.printed import as_printed
from fogspiel.experiment.run import run


def mixed(seed: int, x: int) -> dict:
    return {"v": seed % 5 + x, "word": "yes", "missing": None if seed % 2 else 1.0, "true": seed % 2 == 0}


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Path:
    """A store of measurements by x, with a printed number."""
    path = tmp_path_factory.mktemp("results") / "x.sqlite"
    run(
        Measurements(
            about="x", function=mixed, grid={"x": [1, 2]}, measure="v", printed={1: 43.25}, scales={"small": Scale(6)}
        ),
        "x",
        path,
    )
    return path


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--measure", "word"], "word is text ('yes'), and has no mean; choose from"),
        (["--measure", "seed"], "seed tells runs apart, and has no mean; choose from"),
        (["--ratings"], "ratings are of agents that played games, and these results are of something else"),
        (["--anova", "x,x"], "x is given twice: an analysis of variance takes each column once"),
        (["--by", "x,,word"], "--by takes columns with commas between them, not 'x,,word'"),
        (["--kind", "foo"], "--kind is for --plot and --report"),
        (["--kind", "foo", "--report", "x.md"], "a plot is one of auto, bars, heat, curves, not 'foo'"),
        (["--kind", "heat", "--report", "x.html"], "a heat map is of two columns, not of x"),
        (["--kind", "foo", "--plot", "x.svg"], "a plot is one of auto, bars, heat, curves, not 'foo'"),
        (["--compare", "x", "--interval", "student"], "--compare makes no table, so --interval would have no effect"),
        (["--ratings", "--measure", "v"], "--ratings makes no table, so --measure would have no effect"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(stored, tmp_path, monkeypatch, capsys, asked, told):
    monkeypatch.chdir(tmp_path)
    assert app(["results", str(stored), *asked], standalone_mode=False) == 2
    assert told in capsys.readouterr().err


def test_spaces_in_lists_of_columns_do_no_harm(stored, capsys):
    for asked in (["--by", "word, x"], ["--anova", "x, word"], ["--compare", "x", "--measure", "missing"]):
        app(["results", str(stored), *asked], standalone_mode=False)
    assert "yes" in capsys.readouterr().out


def test_answers_in_sql_are_json_whatever_is_in_them(stored, capsys):
    query = "SELECT TIMESTAMP '2024-05-06 07:08:09' AS t, NULL AS n, count(*) AS c, avg(v) AS v, [1, 2] AS l, x FROM results GROUP BY x ORDER BY x"
    app(["results", str(stored), "--sql", query, "--json", "-"], standalone_mode=False)
    first, _ = json.loads(capsys.readouterr().out)["rows"]
    assert (first["t"], first["n"], first["c"], first["l"], first["x"]) == ("2024-05-06 07:08:09", None, 6, [1, 2], 1)


def test_measurements_are_compared_by_runs_not_by_deals(stored, capsys):
    app(["results", str(stored), "--compare", "x"], standalone_mode=False)
    head, row, note = capsys.readouterr().out.splitlines()
    assert "runs" in head
    assert "deals" not in head
    assert row.split()[:3] == ["1", "-", "2"]
    assert note == "they share no deals, so they are compared as independent (Welch)"


def test_it_is_told_which_pairs_share_no_deals(capsys):
    pairs = [Difference(*pair, Estimate(0, -1, 1), 9, 1.0, 1.0, pair != "ac") for pair in ("ab", "ac", "bc")]
    print_differences(pairs, "points", "deals")
    told = capsys.readouterr().out.splitlines()[-1]
    assert told == "a - c: they share no deals, so they are compared as independent (Welch)"
    print_differences([d for d in pairs if d.paired], "points", "deals")
    assert "Welch" not in capsys.readouterr().out


def test_printed_numbers_are_shown_as_printed(stored, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    app(["results", str(stored), "--report", "r.md"], standalone_mode=False)
    assert capsys.readouterr().out.splitlines()[3].endswith(" 43.25")
    assert "| 43.25 |" in Path("r.md").read_text()
    assert [as_printed(x) for x in (43.25, 0.5106, 51, -0.0856064, 1234.5, -1 / 18, 100_000.0)] == [
        "43.25", "0.5106", "51", "-0.0856064", "1,234.5", "-0.0555556", "100,000",
    ]  # fmt: skip
