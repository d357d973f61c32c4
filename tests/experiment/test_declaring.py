"""What is declared wrongly is told in one sentence, before anything is run."""

import json
import re
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.experiment import Curves, Matches, Measurements, Scale, against, every_pair, lineups, pairings, teams
from fogspiel.experiment.analysis import rated
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store
from fogspiel.game.load import _not_imported

RANDOM = {"about": "random play", "games": "kuhn", "agents": {"a": "random", "b": "random"}, "measure": "utility"}
SMALL = {"small": Scale(4)}


def matches(**changes) -> Matches:
    return Matches(**RANDOM | {"scales": SMALL} | changes)


def number(seed: int, x: int = 1) -> dict:
    return {"v": float(x), "word": "yes"}


def roles(state):
    return [0, 1]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"about": 3}, "about must be text, not 3"),
        ({"games": []}, "games must name one at least"),
        ({"agents": {}}, "agents must name one at least"),
        ({"grid": {"n": []}, "agents": ["a.py(n={n})", "random"]}, "the grid's n must have a value at least"),
        ({"seats": "every_pair"}, "seats must be one of rotations, every_pair, .*without quotes: every_pair"),
        ({"seats": ["a", "b"]}, r"seats must be one of rotations, .*; not \['a', 'b'\]"),
        ({"deals": "all"}, r"deals must be FixedDeals\(1000\), EveryDeal\(\) or a number of deals, not 'all'"),
        ({"deals": 0}, "deals must be a whole number of at least 1, not 0"),
        ({"by": "agent"}, "by must be a list of columns, not 'agent'"),
        ({"where": "agent"}, "where must be a dictionary such as"),
        ({"printed": {"a": "much"}}, "what is printed for 'a' must be a number, not 'much'"),
        ({"move_time": -1}, "move_time must be a number above 0"),
        ({"values": 3}, "values must be a function, not 3"),
        ({"passes": True, "criterion": "always"}, "passes must be a function"),
    ],
)
def test_a_wrong_declaration_is_a_sentence(changes, told):
    with pytest.raises(fs.SpecError, match=told):
        matches(**changes)


def test_a_wrong_scale_is_a_sentence():
    with pytest.raises(fs.SpecError, match="the scale's n must have a value at least"):
        Scale(1, n=[])
    with pytest.raises(fs.SpecError, match="deals must be FixedDeals"):
        Scale(1, deals="all")
    with pytest.raises(fs.SpecError, match="players must name one at least"):
        Curves(about="x", games="kuhn", players=[], scales=SMALL)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"where": {"agent": "zz"}}, "no row has agent=zz; there are a, b"),
        ({"seats": against("a", seats=[5])}, "each of seats must be a whole number from 0 to 1, not 5"),
        ({"seats": against("a", seats=[])}, "seats must have a seat at least"),
        ({"seats": lineups(("a", "b"), subject=7)}, "subject must be a whole number from 0 to 1, not 7"),
        ({"seats": lineups(("a", "b", "b"))}, "the game has 2 seats, and a, b, b are 3"),
        ({"seats": lineups(("a", "c"))}, "there is no agent 'c'"),
        ({"seats": pairings(("a", "c"))}, "there is no agent 'c'"),
        ({"seats": teams(roles, subject=2)}, "subject must be a whole number from 0 to 1, not 2"),
        ({"printed": {"c": 0.5}}, "printed has 'c', and no row of the table by agent is that; there are a, b"),
        ({"printed": {("a", 0): 0.5}}, re.escape("printed has ('a', 0), and no row of the table by agent is that")),
        ({"deals": lambda setting: "all"}, "what deals returns must be FixedDeals"),
    ],
)
def test_what_matches_no_row_is_told_before_anything_is_run(tmp_path, changes, told):
    with pytest.raises(fs.SpecError, match=told):
        run(matches(**changes), "x", tmp_path / "x.sqlite")
    with Store(tmp_path / "x.sqlite") as store:
        assert store.base.execute("SELECT count(*) FROM result").fetchone() == (0,)


def test_a_number_in_where_is_as_good_as_its_text_and_print_may_be_of_another_scale(tmp_path):
    for where in ({"seat": 0}, {"seat": "0"}):
        found = run(matches(where=where), "x", tmp_path / "x.sqlite").table
        assert [(row.key, row.runs) for row in found] == [(("a",), 4), (("b",), 4)]
    scales = {"small": Scale(1, x=[1]), "paper": Scale(1, x=[1, 2])}
    grown = Measurements(about="x", function=number, measure="v", by=["x"], printed={2: 0.5}, scales=scales)
    assert [row.printed for row in run(grown, "y", tmp_path / "x.sqlite").table] == [None]
    with pytest.raises(fs.SpecError, match="printed has 3, and no row of the table by x is that; there are 1, 2"):
        run(
            Measurements(about="x", function=number, measure="v", by=["x"], printed={3: 0.5}, scales=scales),
            "y",
            tmp_path / "x.sqlite",
        )


def test_words_in_labels_are_filled_and_settings_of_one_label_are_rated_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def choose(observation, which=0):\n    return observation.moves[which]\n")
    grid, spec = {"n": [0, -1]}, "mine.py(which={n})"
    filled = matches(agents={"s{n}": spec, "b": "random"}, grid=grid, where={"agent": "s{n}"})
    table = run(filled, "x", "x.sqlite").table
    assert [row.key for row in table] == [(0, "s0"), (-1, "s-1")]
    run(matches(agents={"s": spec, "b": "random"}, grid=grid, seats=every_pair), "y", "x.sqlite")
    with Results("x.sqlite") as results:
        names = {name for name, _ in rated(results.view("y", everyone=True).meetings())}
    assert names == {"s mine.py(which=0)", "s mine.py(which=-1)", "b"}


def test_the_line_of_a_wrong_declaration_is_the_users_own_even_above_the_library():
    file = Path(fs.__file__).parents[1] / "wrong.py"  # there is none
    text = "from fogspiel.experiment import Scale\n\nX = Scale(runs=0)\n"
    with pytest.raises(fs.SpecError) as raised:
        exec(compile(text, str(file), "exec"), {})
    assert str(_not_imported(file, raised.value)).startswith(f"{file}, line 3: ")


SEVERAL = """
from fogspiel.experiment import Curves, Matches, Measurements, Scale, Tuning

def one(seed):
    return {"v": 1.0}

FIRST = Measurements(about="ones", function=one, measure="v", scales={"small": Scale(2), "paper": Scale(4)})
OF = Curves(about="x", games="kuhn", players="dcfr(alpha={alpha})", budgets=[10], scales={"small": Scale(1)})
TUNED = Tuning(about="x", of=OF, parameters={"alpha": [0.0, 1.5]}, method="grid")
"""
WRONG = """
THIRD = Curves(about="x", games="%s", players="%s", budgets=[10], scales={"small": Scale(1)})
"""


@pytest.mark.parametrize(
    ("game", "player", "told"),
    [
        ("kuhn", "dcfr(alhpa=1)", "several/THIRD: dcfr has no parameter"),
        ("kuhn", "mo-ismcts(simulation=3)", "several/THIRD: mo-ismcts has no parameter"),
        ("goofspiel(cards=10)", "cfr", "several/THIRD: goofspiel(cards=10) is too large for cfr, which unrolls the game"),
        ("goofspiel(cards=10)", "os-mccfr", "several/THIRD: goofspiel(cards=10) is too large for curves of exploitability"),
        ("goofspiel(cards=10,bids=open)", "sm-mcts", "several/THIRD: goofspiel(cards=10,bids=open) is too large for curves of exploitability"),
        ("goofspiel(cards=10)", "sm-mcts", "several/THIRD: sm-mcts needs a game in which nothing is hidden but pending moves"),
        ("chess_of_no_kind", "cfr", "several/THIRD: there is no game 'chess_of_no_kind'"),
    ],
)  # fmt: skip
def test_a_wrong_experiment_is_told_before_the_others_are_run(tmp_path, monkeypatch, capsys, game, player, told):
    monkeypatch.chdir(tmp_path)
    Path("several.py").write_text(SEVERAL + WRONG % (game, player))
    assert app(["run", "several.py"], standalone_mode=False) == 2
    assert told in capsys.readouterr().err
    assert not Path("several.sqlite").exists()


def test_what_a_tuning_is_of_is_not_run_by_itself(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("several.py").write_text(SEVERAL)
    assert not app(["run", "several.py"], standalone_mode=False)
    with Results("several.sqlite") as results:
        assert [one.name for one in results.declared] == ["several/FIRST", "several/TUNED"]
    assert app(["run", "several.py", "OF"], standalone_mode=False) == 2
    assert "has {alpha}, which is neither in the grid nor in the scale" in capsys.readouterr().err


def test_experiments_of_a_file_without_the_scale_are_told_and_those_that_are_named_refused(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("several.py").write_text(SEVERAL)
    assert not app(["run", "several.py", "--scale", "paper"], standalone_mode=False)
    assert "not run, as there is no scale paper: several/TUNED" in capsys.readouterr().out
    assert not app(["run", "several.py", "--scale", "paper", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["outcomes"]] == ["several/FIRST"]
    assert told["left_out"] == ["several/TUNED"]
    with Results("several.sqlite") as results:
        assert [one.name for one in results.declared] == ["several/FIRST"]
    assert app(["run", "several.py", "FIRST", "TUNED", "--scale", "paper"], standalone_mode=False) == 2
    assert "several/TUNED: there is no scale 'paper'" in capsys.readouterr().err
    assert app(["run", "several.py", "--scale", "medium"], standalone_mode=False) == 2
    assert "there is no scale 'medium'" in capsys.readouterr().err
