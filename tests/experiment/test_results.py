"""`fogspiel results` answers, or says in one sentence why not."""

import json
import math
import os
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from scipy.stats import binomtest, norm, t

import fogspiel as fs
from fogspiel.app import experiments
from fogspiel.app.cli import app
from fogspiel.app.experiments import print_differences, print_outcome
from fogspiel.app.progress import Line
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Curves, Matches, Measurements, Scale, Tuning, against, every_pair, lineups
from fogspiel.experiment.differences import Difference
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.faults import Lost
from fogspiel.experiment.printed import Printed, as_printed
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import run
from fogspiel.experiment.tuning import tune

ROOT = Path(fs.__file__).parents[1]


def mixed(seed: int, x: int) -> dict:
    return {"v": seed % 5 + x, "word": "yes", "missing": None if seed % 2 else 1.0, "true": seed % 2 == 0}


def ask(store: Path, question: str, *more: str) -> int:
    """Ask `fogspiel results` a question; returns the status of the command."""
    return app(["results", question, str(store), *more], standalone_mode=False) or 0


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Path:
    """A store of measurements by x, with a printed number."""
    path = tmp_path_factory.mktemp("results") / "x.sqlite"
    run(
        Measurements(
            about="x",
            function=mixed,
            grid={"x": [1, 2]},
            measure="v",
            printed={1: 43.25, 2: Printed(7.5, 1.25)},
            scales={"small": Scale(6)},
        ),
        "x",
        path,
    )
    return path


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["table", "--measure", "word"], "word is text ('yes'), and has no mean; choose from"),
        (["table", "--measure", "seed"], "seed tells runs apart, and has no mean; choose from"),
        (["ratings"], "ratings are of agents that played games, and these results are of something else"),
        (["anova", "x,x"], "x is given twice: an analysis of variance takes each column once"),
        (["table", "--by", "x,,word"], "--by takes columns with commas between them, not 'x,,word'"),
        (["anova", "x,,word"], "anova takes columns with commas between them, not 'x,,word'"),
        (["report", "x.md", "--kind", "foo"], "a plot is one of auto, bars, heat, curves, not 'foo'"),
        (["report", "x.html", "--kind", "heat"], "a heat map is of two columns, not of x"),
        (["plot", "x.svg", "--kind", "foo"], "a plot is one of auto, bars, heat, curves, not 'foo'"),
        (
            ["nemeses", "--by", "x,word"],
            "nemeses are of agents that played games, and these results are of something else",
        ),
        (["anova", "word"], "word has 1 value; it takes two to compare them"),
        (["table", "--measure", "values"], "there is no measure 'values'; choose from missing, true, v"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(stored, tmp_path, monkeypatch, capsys, asked, told):
    monkeypatch.chdir(tmp_path)
    assert ask(stored, *asked) == 2
    assert told in capsys.readouterr().err


def test_spaces_in_lists_of_columns_do_no_harm(stored, capsys):
    for asked in (["table", "--by", "word, x"], ["anova", "x, word"], ["compare", "x", "--measure", "missing"]):
        ask(stored, *asked)
    assert "yes" in capsys.readouterr().out


def test_answers_in_sql_are_json_whatever_is_in_them(stored, capsys):
    query = (
        "SELECT TIMESTAMP '2024-05-06 07:08:09' AS t, NULL AS n, count(*) AS c, avg(v) AS v, [1, 2] AS l, x FROM "
        "results GROUP BY x ORDER BY x"
    )
    ask(stored, "sql", query, "--json", "-")
    first, _ = json.loads(capsys.readouterr().out)["rows"]
    assert (first["t"], first["n"], first["c"], first["l"], first["x"]) == ("2024-05-06 07:08:09", None, 6, [1, 2], 1)


def test_measurements_are_compared_by_runs_not_by_deals(stored, capsys):
    ask(stored, "compare", "x")
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
    ask(stored, "table")
    ask(stored, "report", "r.md")
    first, second = capsys.readouterr().out.splitlines()[3:5]
    assert first.endswith(" 43.25")
    assert second.endswith(" 7.5 ±1.25")
    assert "| 43.25 |" in Path("r.md").read_text()
    assert "| 7.5 ±1.25 |" in Path("r.md").read_text()
    assert [as_printed(x) for x in (43.25, 0.5106, 51, -0.0856064, 1234.5, -1 / 18, 100_000.0)] == [
        "43.25",
        "0.5106",
        "51",
        "-0.0856064",
        "1,234.5",
        "-0.0555556",
        "100,000",
    ]


@pytest.fixture(scope="module")
def curves(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("curves") / "x.sqlite"
    solvers = ["cfr", "os-mccfr"]
    run(Curves(about="x", games="kuhn", players=solvers, budgets=[10, 2000], scales={"small": Scale(4)}), "x", path)
    return path


def test_a_curve_by_seconds_has_a_point_for_each_budget_at_the_mean_of_its_seconds(curves):
    with Results(curves) as results:
        view = results.view()
        for by in (["player", "seconds"], ["seconds", "player"]):
            timed, usual = view.table(by), view.table()
            assert [(row.value, row.low, row.high, row.runs) for row in timed] == [
                (row.value, row.low, row.high, row.runs) for row in usual
            ]
        for player in ("cfr", "os-mccfr"):
            rows = [row["seconds"] for row in view.rows if (row["player"], row["budget"]) == (player, 2000)]
            assert max(
                key[1] for key in (row.key for row in view.table(["player", "seconds"])) if key[0] == player
            ) == pytest.approx(sum(rows) / len(rows), rel=1e-5)
        both = view.table(["seconds"])
        assert [row.runs for row in both] == [8, 8]
    assert ask(curves, "table", "--by", "player,seconds") == 0


def test_a_run_and_its_results_have_one_table_of_curves_over_time(tmp_path):
    timed = Curves(
        about="x", games="kuhn", players="cfr", budgets=[10, 200], by=["player", "seconds"], scales={"small": Scale(3)}
    )
    table = run(timed, "x", tmp_path / "x.sqlite").table
    with Results(tmp_path / "x.sqlite") as results:
        assert results.view().table() == table
    assert [row.runs for row in table] == [3, 3]


def test_seconds_of_what_is_no_curve_are_a_column_like_any_other(tmp_path):
    grid = {"seconds": [1, 2]}
    run(
        Measurements(about="x", function=by_seconds, grid=grid, measure="v", scales={"small": Scale(3)}),
        "x",
        tmp_path / "x.sqlite",
    )
    with Results(tmp_path / "x.sqlite") as results:
        assert [(row.key, row.runs) for row in results.view().table(["seconds"])] == [((1,), 3), ((2,), 3)]


def by_seconds(seed: int, seconds: int) -> dict:
    return {"v": float(seconds)}


THREE = {"a": "random", "b": "random", "c": "random"}


def test_who_won_with_others_has_won_though_not_alone(tmp_path):
    """Of the two against the one in Dou dizhu both win or none."""
    games = Matches(
        about="x",
        games="dou_di_zhu",
        agents=THREE,
        seats=lineups(("a", "b", "c"), subject=1),
        measure="won",
        scales={"small": Scale(30)},
    )
    (row,) = run(games, "x", tmp_path / "x.sqlite").table
    with Results(tmp_path / "x.sqlite") as results:
        rows, wins = results.view().rows, results.view().table(measure="wins")
    assert {(one["points"], one["won"], one["wins"]) for one in rows} == {(0.0, 0.0, 0.0), (0.5, 1.0, 0.0)}
    won = sum(one["won"] for one in rows)
    level = 2 * norm.cdf(t.ppf(0.975, 29)) - 1
    expected = binomtest(round(won), 30).proportion_ci(level, method="wilson")
    assert (row.value, row.low, row.high) == pytest.approx((won / 30, expected.low, expected.high), abs=1e-9)
    assert [one.value for one in wins] == [0]


def lost(seed: int) -> dict:
    return {"won": 0.0}


def test_the_bounds_of_what_was_won_are_those_of_a_share_in_games_and_not_of_what_a_function_returns(tmp_path):
    """Where all runs are alike, an interval is what the bounds leave open."""
    (tmp_path / "folds.py").write_text("def choose(observation):\n    return 99\n")
    of = Matches(
        about="x",
        games="kuhn",
        agents={"tuned": "folds.py", "b": "rollouts(simulations={n})"},
        seats=against("b"),
        measure="won",
        where={"agent": "tuned"},
        scales={"small": Scale(3)},
    )
    tuning = Tuning(about="x", of=of, parameters={"n": [1, 2]}, method="grid")
    for row in tune(tuning, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path))).table:
        assert (row.value, row.low) == (0, 0)
        assert 0 < row.high < 1
    any_number = Measurements(about="x", function=lost, measure="won", scales={"small": Scale(3)})
    (row,) = run(any_number, "y", tmp_path / "x.sqlite").table
    assert (row.low, row.high) == (-math.inf, math.inf)


AGENTS = {"mo-ismcts(simulations=1,bandit=ucb(exploration=0.5))": "random", "plain": "random"}


@pytest.fixture(scope="module")
def games(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("games") / "x.sqlite"
    seats = lineups(*((name, "b") for name in AGENTS))
    run(
        Matches(
            about="x",
            games="kuhn",
            agents=AGENTS | {"b": "random"},
            seats=seats,
            by=["seat 0"],
            measure="utility",
            deals=3,
            scales={"small": Scale(12)},
        ),
        "x",
        path,
    )
    return path


def test_categories_take_spec_strings_with_commas(games, capsys):
    name = next(iter(AGENTS))
    for text in (f"seat 0={name},plain", f"seat 0=plain , {name}"):
        assert ask(games, "table", "--categories", text, "--json") == 0
        found = json.loads(capsys.readouterr().out)["table"]
        assert {row["seat 0"] for row in found["rows"]} == set(AGENTS)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["--categories", "seat 0=plain"], "--categories takes column=first,second, such as agent=cheating,plain, not"),
        (["--categories", "seat 0=plain,plain,plain"], "--categories takes column=first,second"),
        (["--categories", "seat 0=plain,"], "--categories takes column=first,second"),
        (["--categories", "=plain,plain"], "--categories takes column=first,second"),
        (
            ["--categories", "seat 0=plain,plain"],
            "categories are of two values of seat 0 that differ, and plain is given twice",
        ),
        (["--categories", "seat 0=plain,other"], "no seat 0 is 'other'; there are mo-ismcts"),
        (["--categories", "seat 0=plain,other", "--thresholds", "0"], "each threshold must be a number above 0, not 0"),
        (["--categories", "seat 0=plain,other", "--thresholds", "1,x"], "--thresholds takes numbers with commas"),
    ],
)
def test_wrong_categories_are_a_sentence(games, capsys, line, told):
    assert ask(games, "table", *line) == 2
    assert told in capsys.readouterr().err


def test_how_much_is_there_is_told_with_every_answer_where_that_is_not_all(games, tmp_path, capsys):
    part = tmp_path / "part.sqlite"
    with sqlite3.connect(games) as whole, sqlite3.connect(part) as base:
        whole.backup(base)
        base.execute("DELETE FROM result WHERE run = 11")
    for line in (["compare", "seat 0"], ["anova", "seat 0"], ["sql", "SELECT count(*) FROM results"]):
        assert ask(part, *line) == 0
        assert capsys.readouterr().out.endswith("22 of 24 runs\n")
        assert ask(games, *line) == 0
        assert "of 24 runs" not in capsys.readouterr().out


def test_numbers_in_where_are_those_of_the_column_however_they_are_written(tmp_path):
    grid = {"seconds": [0.5, 1]}
    run(
        Measurements(about="x", function=by_seconds, grid=grid, measure="v", scales={"small": Scale(2)}),
        "x",
        tmp_path / "x.sqlite",
    )
    with Results(tmp_path / "x.sqlite") as results:
        for text in ("0.5", "0.50", "5e-1"):
            assert [row["seconds"] for row in results.view(where=[f"seconds={text}"]).rows] == [0.5, 0.5]
        with pytest.raises(fs.SpecError, match="no row has seconds=x; there are 0.5, 1"):
            _ = results.view(where=["seconds=x"]).rows


def damaged(path: Path, page: int = 2) -> None:
    """All of the file's pages from one on are written over."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\x5a" * (size - 4096 * (page - 1)))


def test_a_damaged_file_of_results_is_a_sentence_wherever_that_shows(tmp_path, capsys):
    path, experiment = (
        tmp_path / "x.sqlite",
        Measurements(about="x", function=mixed, grid={"x": [1]}, measure="v", scales={"small": Scale(900)}),
    )
    run(experiment, "x", path)
    damaged(path)
    told = (
        "x.sqlite for results: database disk image is malformed: the file is damaged; take a copy from before, or "
        "a new file"
    )
    assert ask(path, "table") == 2
    assert told in capsys.readouterr().err
    with pytest.raises(fs.FileError, match=told):
        run(experiment, "x", path)
    path.write_bytes(b"SQLite format 3\0" + b"\x00" * 2000)
    with pytest.raises(fs.FileError, match="cannot use .*x.sqlite for results"):
        Results(path)


def test_a_file_of_results_that_is_damaged_further_on_is_told_when_that_is_read(tmp_path, capsys):
    path = tmp_path / "x.sqlite"
    run(Measurements(about="x", function=mixed, grid={"x": [1]}, measure="v", scales={"small": Scale(900)}), "x", path)
    damaged(path, path.stat().st_size // 4096 // 2)
    assert ask(path, "table") == 2
    assert "the file is damaged; take a copy from before, or a new file" in capsys.readouterr().err


def test_rows_are_exported_to_a_path_however_it_is_given(stored, tmp_path):
    with Results(stored) as results:
        for path in (str(tmp_path / "a.csv"), tmp_path / "b.csv"):
            results.view().export(path)
            assert len(Path(path).read_text().splitlines()) == 13
        with pytest.raises(fs.FileError, match="use a name that ends in .csv or .parquet"):
            results.view().export("x.txt")


def test_a_single_column_is_as_good_as_a_list_of_it(stored):
    with Results(stored) as results:
        table = results.view().table("word")
    assert (table.by, [row.key for row in table]) == (("word",), [("yes",)])


def test_ratings_are_by_points_whatever_the_table_is_of_and_say_so(games, capsys):
    assert ask(games, "ratings") == 0
    usual = capsys.readouterr().out
    assert usual.splitlines()[-1] == (
        "rated by who got more in each game, and not by how much, as the table of utility is; a draw is half a win"
    )


def test_runs_that_settings_share_count_once_while_it_runs_and_at_the_end(tmp_path, capsys):
    shared = Matches(
        about="x",
        games="kuhn",
        agents={"a": "rollouts(simulations={n})", "b": "random"},
        grid={"n": [1, 2]},
        seats=every_pair,
        scales={"small": Scale(3)},
    )
    heard: list[tuple[int, int]] = []
    outcome = run(
        shared, "x", tmp_path / "x.sqlite", Execution(progress=lambda _, done, total: heard.append((done, total)))
    )
    assert heard[-1] == (21, 21)  # a against a, a against b, b against a for both n, and b against b once
    assert (outcome.counts["done"], outcome.counts["asked"]) == (21, 21)
    ask(tmp_path / "x.sqlite", "table")
    assert "21 of 21 runs" in capsys.readouterr().out


def test_a_solver_that_takes_no_budgets_is_told_of(tmp_path, capsys):
    path = tmp_path / "x.sqlite"
    budgets = Curves(about="x", games="kuhn", players=["lp", "cfr"], budgets=[10, 20], scales={"small": Scale(1)})
    outcome = run(budgets, "x", path)
    assert [row.key for row in outcome.table] == [("lp", 1), ("cfr", 10), ("cfr", 20)]
    print_outcome(outcome, path)
    ask(path, "table")
    assert (
        capsys.readouterr().out.count("lp: solved in one go, so there is one point, at budget 1, whatever the budgets")
        == 2
    )


def test_lines_for_people_end_between_words_and_commands_stay_in_one_piece(capsys, monkeypatch):
    lost = Lost({f"agent_{n}": 1 for n in range(20)}, 20).told(f"fogspiel run {'x' * 90}.py --again")
    monkeypatch.setattr(experiments, "console", Console(width=80, force_terminal=True, highlight=False))
    experiments._print_lines(lost)
    *lines, command = capsys.readouterr().out.splitlines()
    assert command == f"  fogspiel run {'x' * 90}.py --again"
    assert len(lines) > 3
    assert all(len(line) <= 80 for line in lines)
    assert " ".join(line.strip() for line in lines) == " ".join(lost[:2])
    line, text = Line(), f"{', '.join(f'agent mine.py(n={n})' for n in range(9))} changed: 8 runs of before are kept"
    line.console = Console(width=80, force_terminal=True, highlight=False)
    line.say(text)
    told = capsys.readouterr().out.splitlines()
    assert all(len(one) <= 80 for one in told)
    assert " ".join(one.strip() for one in told) == text
    line.console = Console(width=80, force_terminal=False, highlight=False)  # a program reads whole lines
    line.say(text)
    assert capsys.readouterr().out == f"{text}\n"


def peaked(seed: int, c: float) -> dict:
    return {"v": -abs(c - 2.0), "noisy": seed % 97 - c / 1e6, "flat": 0.0}


def test_results_of_a_tuning_tell_the_best_and_what_is_as_good(tmp_path, capsys):
    def told(measure: str, **how) -> str:
        of = Measurements(about="x", function=peaked, measure=measure, scales={"small": Scale(8)})
        path = tmp_path / f"{measure}{len(how)}.sqlite"
        outcome = tune(Tuning(about="x", of=of, parameters={"c": [1, 2, 4]}, method="grid", **how), "x", path)
        print_outcome(outcome, path)
        ran = [line for line in capsys.readouterr().out.splitlines() if line.startswith("best")]
        assert ran[0].startswith(f"best: c = {outcome.best['c']}")
        ask(path, "table")
        assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("best")] == ran
        return ran[0]

    def as_json(path: Path) -> dict:
        ask(path, "table", "--json")
        return json.loads(capsys.readouterr().out)

    assert told("flat") == "best: c = 1; tied with c = 2 or c = 4"
    known = as_json(tmp_path / "flat0.sqlite")
    assert (known["best"], known["tied"], known["untold"]) == ({"c": 1}, [{"c": 2}, {"c": 4}], [])
    assert told("noisy").partition("; ")[2].startswith("these runs cannot tell it from c = ")
    assert told("v", minimise=True).startswith("best: c = 4")
    assert told("v").startswith("best: c = 2")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x.sqlite", "table x.sqlite"),
        ("x.sqlite mine/A --by n --json", "table x.sqlite"),
        ("x.sqlite --compare n --where seat=0", "compare x.sqlite n"),
        ("x.sqlite --anova=n,seat", "anova x.sqlite n,seat"),
        ("--ratings x.sqlite", "ratings FILE"),
        ("x.sqlite --nemeses --second", "nemeses x.sqlite"),
        ("x.sqlite --categories n=1,2", "table x.sqlite --categories n=1,2"),
        ("x.sqlite --plot a.svg --report b.md", "plot x.sqlite a.svg"),
        ("x.sqlite --report b.md", "report x.sqlite b.md"),
        ("x.sqlite --export b.csv", "export x.sqlite b.csv"),
        ("x.sqlite --sql 'SELECT 1'", "sql x.sqlite 'SELECT 1'"),
    ],
)
def test_a_question_without_its_subcommand_is_told_how_to_ask_it(capsys, line, told):
    assert app(["results", *shlex.split(line)], standalone_mode=False) == 2
    ended = f"fogspiel: fogspiel results takes a subcommand before the file, as in: fogspiel results {told}\n"
    assert capsys.readouterr().err == ended


def test_files_are_written_and_told(games, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for question, files in (("plot", ["x.svg"]), ("report", ["x.md", "x.svg"]), ("export", ["x.csv"])):
        assert ask(games, question, files[0]) == 0
        assert capsys.readouterr().out == "".join(f"written to {file}\n" for file in files)
        assert ask(games, question, files[0], "--json") == 0
        assert json.loads(capsys.readouterr().out)["written"] == files
        assert all(Path(file).stat().st_size > 100 for file in files)


def test_a_plot_and_a_report_may_be_of_categories_of_deals(games, tmp_path, capsys):
    names = ",".join(AGENTS)
    assert ask(games, "report", str(tmp_path / "x.md"), "--categories", f"seat 0={names}") == 0
    assert ask(games, "plot", str(tmp_path / "y.svg"), "--categories", f"seat 0={names}") == 0
    assert "| category | seat 0 |" in (tmp_path / "x.md").read_text()


@pytest.mark.parametrize("question", ["table", "plot", "report", "nemeses"])
def test_help_of_a_question_fits_into_80_columns(question):
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "fogspiel", "results", question, "--help"]
    told = subprocess.run(line, capture_output=True, text=True, env=environment, cwd=ROOT).stdout
    assert "--categories" in told
    assert max(map(len, told.splitlines())) <= 80
