"""Several algorithms, or several seeds of one, in one command."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app import cli, show
from fogspiel.app.plot import COLOURS, plot_convergence


@pytest.fixture
def solve(monkeypatch, capsys, tmp_path):
    """Run the command within this process, in an empty folder: its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fogspiel", "solve", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def strokes(path, colour):
    """How many lines of a colour a picture has."""
    return len(re.findall(rf"stroke: {colour.lower()}", path.read_text()))


def test_several_algorithms_are_compared_and_none_is_forgotten(solve, tmp_path):
    status, out, err = solve("kuhn", "-a", "cfr+", "-a", "dcfr", "-n", 60, "--plot", "both.svg", "--json", "both.json")
    assert status == 0, err
    assert {"cfr+", "dcfr"} <= {line.split()[0] for line in out.splitlines()}
    facts = json.loads((tmp_path / "both.json").read_text())
    assert [run["algorithm"] for run in facts["runs"]] == ["cfr+", "dcfr"]
    for run, row in zip(facts["runs"], facts["comparison"], strict=True):
        alone = fs.solve("kuhn", run["algorithm"], iterations=60)
        assert run["nash_conv"] == alone.nash_conv == row["nash_conv"]["median"]
        assert f"{alone.nash_conv:.3e}" in out
    text = (tmp_path / "both.svg").read_text()
    assert "cfr+</text>" in text
    assert "dcfr</text>" in text


def test_algorithms_that_need_an_end_are_not_compared_on_a_game_without_one(solve):
    pennies = Path(__file__).parents[1] / "data" / "pennies.osposg"
    status, _, err = solve(pennies, "-a", "hsvi", "-a", "cfr", "-n", 10)
    assert status == 2
    assert err.startswith("fogspiel: cfr needs a game with an end; pennies is a one-sided POSG")


@pytest.mark.parametrize("again", ["cfr+", "cfr+(gamma=1)", " cfr+ ( )"])
def test_one_algorithm_given_twice_or_one_seed_is_one_run(solve, again):
    status, out, _ = solve("kuhn", "-a", "cfr+", "-a", again, "-n", 20, "--json", "-")
    assert status == 0
    assert json.loads(out)["algorithm"] == "cfr+"
    two = json.loads(solve("kuhn", "-a", "cfr+", "-a", "cfr", "-a", again, "-n", 20, "--json", "-")[1])
    assert [r["algorithm"] for r in two["runs"]] == ["cfr+", "cfr"]
    assert json.loads(solve("kuhn", "-a", "es-mccfr", "-n", 20, "--seed", 5, "--json", "-")[1])["seed"] == 5


def test_every_seed_has_a_run_and_a_curve_of_its_own(solve, tmp_path):
    asked = ("kuhn", "-a", "es-mccfr", "-a", "cfr+", "-n", 100, "--plot", "seeds.svg")
    status, out, err = solve(*asked, "--seeds", 3, "--json", "seeds.json")
    assert status == 0, err
    facts = json.loads((tmp_path / "seeds.json").read_text())
    assert [(r["algorithm"], r["seed"]) for r in facts["runs"]] == [
        ("es-mccfr", 0),
        ("es-mccfr", 1),
        ("es-mccfr", 2),
        ("cfr+", 0),  # it draws nothing at random
    ]
    found = sorted(r["nash_conv"] for r in facts["runs"][:3])
    assert len(set(found)) == 3
    assert facts["comparison"][0]["nash_conv"] == {"median": found[1], "least": found[0], "most": found[2]}
    assert "in the median of 3 seeds" in out
    picture = tmp_path / "seeds.svg"
    assert "es-mccfr, 3 seeds: median, least to most" in picture.read_text()
    # three runs, their median, and its line in the legend; of the other a curve and that
    assert (strokes(picture, COLOURS[0]), strokes(picture, COLOURS[1])) == (5, 2)
    assert "FillBetween" in picture.read_text() or "PolyCollection" in picture.read_text()
    again = json.loads(solve("kuhn", "-a", "es-mccfr", "-n", 100, "--seed", 2, "--seed", 0, "--json", "-")[1])
    assert [r["nash_conv"] for r in again["runs"]] == [facts["runs"][i]["nash_conv"] for i in (2, 0)]


def test_runs_of_which_each_has_one_point_are_drawn_without_a_band(tmp_path):
    results = [fs.solve("kuhn", "es-mccfr", iterations=1, seed=seed) for seed in range(3)]
    plot_convergence(results, tmp_path / "points.svg")
    assert "3 seeds</text>" in (tmp_path / "points.svg").read_text()


def test_an_exact_solver_is_compared_with_one_that_has_limits(solve):
    status, out, err = solve("kuhn", "-a", "lp", "-a", "cfr+", "-n", 30, "--json", "-")
    assert status == 0, err
    assert [r["stopped"] for r in json.loads(out)["runs"]] == ["exact", "iterations"]


def test_what_was_found_before_an_error_is_shown(solve):
    status, out, err = solve("matrix(game=chicken)", "-a", "cfr+", "-a", "lp", "-n", 20)
    assert status == 2
    assert "cfr+" in out
    assert "lp needs a zero-sum game" in err


def test_an_algorithm_that_the_game_does_not_suit_is_refused_before_others_run(solve):
    status, out, err = solve("kuhn(players=3)", "-a", "cfr+", "-a", "lp", "-n", 20)
    assert (status, out) == (2, "")
    assert "lp needs two players" in err


def test_games_without_a_value_of_their_own_are_compared_by_all_that_there_is(solve, monkeypatch):
    monkeypatch.setattr(show.console, "_width", 160)  # a narrow terminal breaks rows, the sooner the faster the machine
    status, out, err = solve("kuhn(players=3)", "-a", "cfr+", "-a", "xfp", "-n", 40)
    assert status == 0, err
    for name in ("cfr+", "xfp"):
        alone = fs.solve("kuhn(players=3)", name, iterations=40)
        line = next(line for line in out.splitlines() if line.split()[:1] == [name])
        assert " ".join(f"{v:+z.6f}" for v in alone.value) in line
        assert (f"{alone.cce_gap:.3e}" if alone.joint else "-") in line.split()
    assert "CCE gap" in out
    plain = solve("kuhn", "-a", "cfr+", "-a", "xfp", "-n", 40)[1]
    assert "CCE" not in plain
    assert "value: of player 0" in plain


def test_what_leaves_nothing_to_chance_says_that_it_runs_once(solve):
    status, out, err = solve("kuhn", "-a", "cfr+", "--seeds", 3, "-n", 20)
    assert status == 0, err
    assert "1 run;" in out
    assert "cfr+: one run, since no random numbers are used" in out


def test_an_exact_solution_is_drawn_on_a_floor_that_the_legend_names(tmp_path):
    """Its exploitability is zero, or what rounding made of that, and there is no such place on a logarithmic axis."""
    exact, rough = fs.solve("kuhn", "lp"), fs.solve("kuhn", "cfr+", iterations=20)
    for far in (exact.nash_conv, -5e-17, 3e-16):
        point = replace(exact.curve[0], nash_conv=far)
        one = replace(exact, nash_conv=far, curve=(point,))
        plot_convergence([rough, one], tmp_path / "both.svg")
        text = (tmp_path / "both.svg").read_text()
        assert "lp</text>" in text
        assert "floor: zero, but for rounding</text>" in text
        # the axis stays where the other curve is
        assert "{-1}" in text or "10^-1" in text or "−1" in text
        assert not re.search(r"−1[0-9]<|\{-1[0-9]\}", text)
        assert "-" not in str(one).split("nash_conv")[1].split("e")[0]
    plot_convergence([exact], tmp_path / "alone.svg")
    assert "floor" in (tmp_path / "alone.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("-a", "cfr+", "-a", "dcfr", "--save", "x.fog"), "one algorithm and one seed"),
        (("-a", "es-mccfr", "--seeds", "2", "--checkpoint", "x.fog"), "one algorithm and one seed"),
        (("--seed", "1", "--seed", "2", "--seeds", "3"), "not both"),
        (("--seeds", "0"), "seeds must be"),
        (("-a", "cfr+", "-a", "nosuch"), "no algorithm 'nosuch'"),
        (("--seed", "1", "--seed", "-1"), "seed must be"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_one_sentence(arguments, word, solve):
    status, out, err = solve("kuhn", *arguments)
    assert (status, out) == (2, "")
    assert word in err
    assert len(err.splitlines()) == 1
