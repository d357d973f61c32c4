"""What is declared wrongly is told in one sentence, before anything is run."""

import json
import re
import sys
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.experiment import (
    Curves,
    EveryDeal,
    FixedDeals,
    Matches,
    Measurements,
    Range,
    Scale,
    Tuning,
    against,
    every_pair,
    lineups,
    loader,
    pairings,
    teams,
)
from fogspiel.experiment.analysis import rated
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import run
from fogspiel.experiment.seating import Lineup, Seated
from fogspiel.experiment.store import Store
from fogspiel.experiment.tuning import tune
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
        ({"grid": {"n": [10, 5, 10]}, "agents": ["a.py(n={n})", "random"]}, "the grid's n has 10 twice"),
        ({"games": ["kuhn", "leduc", "kuhn"]}, "games has kuhn twice"),
        ({"agents": ["random", "random"]}, "agents has random twice"),
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
        ({"deterministic": "yes"}, "deterministic must be True or False"),
        (
            {"deals": FixedDeals},
            r"deals must be made with brackets, FixedDeals\(1000\) or EveryDeal\(\), not FixedDeals",
        ),
        ({"deals": EveryDeal}, "deals must be made with brackets, .*, not EveryDeal itself"),
        ({"seats": against}, r"seats must be made by a call, such as against\('baseline'\), not the function against"),
        ({"seats": teams}, r"seats must be made by a call, such as teams\(role\), not the function teams itself"),
        ({"agents": 3}, "agents must be a list of spec strings, not 3"),
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
    with pytest.raises(fs.SpecError, match="the scale's n has 2.0 twice"):
        Scale(1, n=[1, 2, 2.0])
    with pytest.raises(fs.SpecError, match="budgets has 10 twice"):
        Scale(1, budgets=[10, 20, 10])
    with pytest.raises(fs.SpecError, match="players must name one at least"):
        Curves(about="x", games="kuhn", players=[], scales=SMALL)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"where": {"agent": "zz"}}, "no row has agent=zz; there are a, b"),
        ({"where": {"agnet": "a"}}, "there is no column 'agnet'; did you mean agent"),
        ({"by": ["agnet"]}, "there is no column 'agnet'; did you mean agent"),
        ({"measure": "pionts"}, "there is no measure 'pionts'; did you mean points"),
        (
            {"measure": "aivat"},
            "there is no measure 'aivat'; choose from utility, points, seconds, decisions, wins, won, percent$",
        ),
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
        (
            "goofspiel(cards=10)",
            "cfr",
            "several/THIRD: goofspiel(cards=10) is too large for cfr, which unrolls the game",
        ),
        (
            "goofspiel(cards=10)",
            "os-mccfr",
            "several/THIRD: goofspiel(cards=10) is too large for curves of NashConv",
        ),
        (
            "goofspiel(cards=10,bids=open)",
            "sm-mcts",
            "several/THIRD: goofspiel(cards=10,bids=open) is too large for curves of NashConv",
        ),
        (
            "goofspiel(cards=10)",
            "sm-mcts",
            "several/THIRD: sm-mcts needs a game in which nothing is hidden but pending moves",
        ),
        ("chess_of_no_kind", "cfr", "several/THIRD: there is no game 'chess_of_no_kind'"),
    ],
)
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


@pytest.mark.parametrize(
    "name", ["run", "deal", "seed", "weight", "cell", "subject", "agent", "seat", "points", "won", "seconds"]
)
def test_a_word_that_is_a_column_of_results_of_games_is_told(name):
    told = f"has {name}, which is a column of results already: take another word"
    agents = {"a": f"rollouts(simulations={{{name}}})", "b": "random"}
    with pytest.raises(fs.SpecError, match=f"the grid {told}"):
        matches(agents=agents, grid={name: [1]})
    with pytest.raises(fs.SpecError, match=f"the scale small {told}"):
        matches(agents=agents, scales={"small": Scale(1, **{name: 1})})
    with pytest.raises(fs.SpecError, match=f"the tuning {told}"):
        Tuning(about="x", of=matches(agents=agents), parameters={name: [1]})
    of = matches(agents={"a": f"rollouts(simulations={{n}},exploration={{{name}}})", "b": "random"})
    with pytest.raises(fs.SpecError, match=f"the scale small {told}"):
        Tuning(about="x", of=of, parameters={"n": [1]}, scales={"small": Scale(1, **{name: 1})})


def test_words_of_curves_and_measurements_have_their_own_columns():
    for name in ("budget", "nash_conv", "run"):
        with pytest.raises(fs.SpecError, match=f"the grid has {name}, which is a column of results already"):
            Curves(about="x", games="kuhn", players=f"dcfr(alpha={{{name}}})", grid={name: [1]}, scales=SMALL)
    for name in ("run", "points"):
        with pytest.raises(fs.SpecError, match=f"the grid has {name}, which is a column of results already"):
            Measurements(about="x", function=number, measure="v", grid={name: [1]}, scales=SMALL)
    free = {"seconds": [1], "agent": ["a"], "game": ["kuhn"]}
    assert Measurements(about="x", function=number, measure="v", grid=free, scales=SMALL).varying("small") == []


def test_a_word_may_be_that_of_the_games_or_players_label_and_nothing_else(tmp_path):
    games = {"one": "one_card_poker(cards={game})"}
    curves = {"about": "x", "players": "cfr", "budgets": [1], "grid": {"game": [3, 4]}, "scales": {"small": Scale(1)}}
    with pytest.raises(fs.SpecError, match="the grid or the scale has game, which is a column of results already"):
        run(Curves(games=games, **curves), "x", tmp_path / "x.sqlite")
    with pytest.raises(fs.SpecError, match="the grid or the scale has game, which is a column of results already"):
        run(matches(games=games, grid={"game": [3, 4]}), "x", tmp_path / "x.sqlite")
    whole = Curves(games="{game}", **curves | {"grid": {"game": ["kuhn", "leduc"]}})
    assert run(whole, "x", tmp_path / "x.sqlite").table.values("game") == ["kuhn", "leduc"]


def returns(seed: int, what: str) -> dict:
    return {"run": {"v": 1.0, "run": 3}, "what": {"v": 1.0, "what": 2.0}, "fine": {"v": [1.0, 2.0]}}[what]


def in_lists(seed: int, place: int) -> dict:
    return {"v": [1.0, 2.0]}


@pytest.mark.parametrize("what", ["run", "what"])
def test_what_a_function_returns_by_the_name_of_a_column_is_told_at_the_first_run(tmp_path, what):
    wrong = Measurements(about="x", function=returns, grid={"what": [what]}, measure="v", scales=SMALL)
    with pytest.raises(
        fs.SpecError, match=f"the function returns {what}, which is a column that tells its rows apart already"
    ):
        run(wrong, "x", tmp_path / "x.sqlite")


def test_the_place_in_a_list_is_a_column_of_its_own(tmp_path):
    wrong = Measurements(about="x", function=in_lists, grid={"place": [0, 1]}, measure="v", scales=SMALL)
    with pytest.raises(fs.SpecError, match="the grid has place, which is a column of what is returned in lists"):
        run(wrong, "x", tmp_path / "x.sqlite")
    fine = Measurements(about="x", function=returns, grid={"what": ["fine"]}, measure="v", by=["place"], scales=SMALL)
    assert [row.key for row in run(fine, "y", tmp_path / "x.sqlite").table] == [(0,), (1,)]


def seating(what):
    """A seating of one's own that returns something, or fails with it."""

    def seats(labels, players):
        if isinstance(what, BaseException):
            raise what
        return what

    return seats


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seats": seating(KeyError("c"))}, r"seats fails: test_declaring.py, line \d+: KeyError: 'c'"),
        ({"seats": seating(SystemExit())}, r"seats fails: test_declaring.py, line \d+: SystemExit$"),
        ({"seats": seating(None)}, r"seats must return Seated\(\[Lineup\(labels\), ...\], by\), not None"),
        ({"seats": seating(Seated([("a", "b")], ("agent",)))}, "seats must return Seated"),
        ({"seats": seating(Seated([Lineup("ab")], ("agent",)))}, "seats must return Seated"),
        ({"seats": seating(Seated([Lineup(("a", "b"))], "agent"))}, "seats must return Seated"),
        ({"seats": seating(Seated([Lineup(("a", "c"))], ("agent",)))}, "there is no agent 'c'"),
        ({"seats": seating(Seated([Lineup(("a", "b", "b"))], ("agent",)))}, "the game has 2 seats, and a, b, b are 3"),
        ({"seats": seating(Seated([Lineup(("a", "b"), 2)], ("agent",)))}, "subject must be a whole number from 0 to 1"),
        (
            {"seats": seating(Seated([], ("agent",)))},
            "nothing would be run: no agents are there to play by these seats",
        ),
        ({"seats": against("a"), "agents": {"a": "random"}}, "nothing would be run: no agents are there to play"),
        ({"deals": lambda setting: setting["n"]}, r"deals fails: test_declaring.py, line \d+: KeyError: 'n'"),
        (
            {"deals": lambda setting: 1 // (2 - setting["n"]), "grid": {"n": [1, 2]}},
            "deals fails at n=2: .*ZeroDivisionError",
        ),
        ({"deals": lambda setting: sys.exit()}, r"deals fails: test_declaring.py, line \d+: SystemExit"),
        (
            {"deals": lambda setting: EveryDeal},
            "what deals returns must be made with brackets, .* not EveryDeal itself",
        ),
        (
            {"deals": lambda setting: setting["n"], "grid": {"n": [1, 0]}},
            "what deals returns at n=0 must be a whole number of at least 1, not 0",
        ),
    ],
)
def test_seats_and_deals_of_ones_own_that_fail_are_told_with_their_line(tmp_path, changes, told):
    with pytest.raises(fs.SpecError, match=told):
        run(matches(**changes), "x", tmp_path / "x.sqlite")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"of": 3}, "of must be Matches, Curves or Measurements, not 3"),
        ({"minimise": "yes"}, "minimise must be True or False"),
        ({"parameters": ["x"]}, "parameters must be a dictionary such as"),
        ({"parameters": {"x": []}}, "the tuning's x must have a value at least"),
        ({"parameters": {"x": 3}}, r"the values of x must be a list or Range\(low, high\), not 3"),
    ],
)
def test_a_wrong_tuning_is_a_sentence(changes, told):
    of = Measurements(about="x", function=number, measure="v", scales=SMALL)
    with pytest.raises(fs.SpecError, match=told):
        Tuning(**{"about": "x", "of": of, "parameters": {"x": [1]}} | changes)
    with pytest.raises(fs.SpecError, match="of must be Matches, Curves or Measurements"):
        Tuning(about="x", of=Tuning(about="x", of=of, parameters={"x": [1]}), parameters={"x": [1]})
    for ends in (("a", 2), (1, None), (2, 1)):
        with pytest.raises(fs.SpecError, match="low must be|high must be|need the smaller first"):
            Range(*ends)


READIES = """
from pathlib import Path


class Agent:
    def __init__(self, n: int = 0, how: str = "well"):
        self.n, self.how = n, how

    def make_ready(self, game):
        with (Path(__file__).parent / "made").open("a") as file:
            file.write(f"{game.spec} {self.n} {self.how}\\n")
        if self.how == "badly":
            raise ValueError("no weights")
        if self.how == "leaves":
            raise SystemExit(4)

    def choose(self, observation):
        return observation.moves[0]
"""


def made(folder: Path) -> list[str]:
    """Which agents made ready since this was asked the last time."""
    file = folder / "made"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return lines


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("badly", "at n=1: Agent failed to make ready: ValueError: no weights"),
        ("leaves", r"at n=1: .* leaves Python when it makes ready \(exit code 4\)"),
    ],
)
def test_an_agent_that_cannot_make_ready_is_told_with_its_setting_before_anything_is_run(tmp_path, how, told):
    (tmp_path / "mine.py").write_text(READIES)
    agents = {"a": "mine.py(n={n},how={how})", "b": "random"}
    wrong = matches(agents=agents, grid={"n": [1, 2], "how": [how]}, seats=lineups(("a", "b")))
    with pytest.raises(fs.AgentError, match=told.replace("Agent", ".*")):
        run(wrong, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path)))
    assert len(made(tmp_path)) == 1
    with Store(tmp_path / "x.sqlite") as store:
        assert store.base.execute("SELECT count(*) FROM result").fetchone() == (0,)


def test_each_agent_makes_ready_once_before_the_runs_whatever_its_seats_and_not_where_there_are_runs(tmp_path):
    (tmp_path / "mine.py").write_text(READIES)
    games = matches(agents={"a": "mine.py", "b": "random"}, games=["kuhn", "leduc"])
    expected = ["kuhn 0 well", "leduc 0 well"]

    def play(runs: int) -> int:
        return run(
            matches(agents=games.agents, games=games.games, scales={"small": Scale(runs)}),
            "x",
            tmp_path / "x.sqlite",
            Execution(folder=str(tmp_path)),
        ).played

    assert play(2) == 8
    ready = made(tmp_path)
    assert ready[:2] == expected  # before anything is run
    assert sorted(ready[2:]) == sorted(2 * expected)  # and in each process that plays: one for each seat
    assert play(2) == 0
    assert made(tmp_path) == []
    assert play(3) == 4
    assert sorted(made(tmp_path)) == sorted(2 * expected)


def test_what_was_run_needs_not_be_asked_again_by_another_process(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(READIES)
    monkeypatch.chdir(tmp_path)
    Path("x.py").write_text(
        "from fogspiel.experiment import Matches, Scale\n"
        "X = Matches(about='x', games='kuhn', agents=['mine.py', 'random'], scales={'small': Scale(2)})\n"
    )
    for _ in range(2):
        monkeypatch.setattr("fogspiel.experiment.expected._Suited.known", set())
        assert not app(["run", "x.py"], standalone_mode=False)
        assert len(made(tmp_path)) == 3 * (_ == 0)


def test_of_agents_that_differ_in_numbers_alone_one_makes_ready_where_that_takes_long(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(READIES)
    agents = {"a": "mine.py(n={n},how={how})", "b": "random"}

    def required(values: list[int]) -> list[str]:
        grid = {"n": values, "how": ["well", "worse"]}
        all_there = matches(agents=agents, grid=grid, seats=against("b"), scales={"small": Scale(1)})
        shown = run(all_there, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path), until=0))
        assert shown.played == 0
        return sorted(made(tmp_path))

    assert required([1, 2]) == ["kuhn 1 well", "kuhn 1 worse", "kuhn 2 well", "kuhn 2 worse"]
    monkeypatch.setattr(loader, "READY_SECONDS", -1.0)
    assert required([3, 4, 5]) == ["kuhn 3 well", "kuhn 3 worse"]


def test_a_tuning_asks_of_each_candidate_once(tmp_path):
    (tmp_path / "mine.py").write_text(READIES)
    of = matches(agents={"a": "mine.py(n={n})", "b": "random"}, seats=against("b"), where={"agent": "a"})
    tuning = Tuning(about="x", of=of, parameters={"n": [1, 2, 3]}, method="halving")
    tune(tuning, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path), until=0))
    assert sorted(made(tmp_path)) == ["kuhn 1 well", "kuhn 2 well", "kuhn 3 well"]
    tune(tuning, "x", tmp_path / "x.sqlite", Execution(folder=str(tmp_path), until=0))
    assert made(tmp_path) == []


@pytest.mark.parametrize(
    ("game", "player", "told"),
    [
        ("kuhn(players=3)", "lp", "lp needs two players"),
        ("deadlock", "cfr", "the sequence form needs perfect recall"),  # which only the tree tells
        ("kuhn", "random", "random is no search by simulations"),
    ],
)
def test_what_does_not_suit_one_of_several_games_is_told_with_it_before_anything_is_run(tmp_path, game, player, told):
    wrong = Curves(about="x", games=["leduc", game], players=player, scales={"small": Scale(1)})
    at = "leduc" if player == "random" else game
    with pytest.raises(fs.FogspielError, match=rf"^at game={re.escape(at)}: {told}"):
        run(wrong, "x", tmp_path / "x.sqlite")


def test_values_of_a_tuning_or_of_budgets_that_are_given_twice_are_told():
    of = matches(agents={"a": "rollouts(simulations={n})", "b": "random"})
    with pytest.raises(fs.SpecError, match="the tuning's n has 3 twice"):
        Tuning(about="x", of=of, parameters={"n": [3, 4, 3]})
    with pytest.raises(fs.SpecError, match="budgets has 10 twice"):
        Curves(about="x", games="kuhn", players="cfr", budgets=[10, 10], scales=SMALL)


MISTAKEN = """
from fogspiel.experiment import Curves, Matches, Scale

X = Matches(about="x", games="kuhn", agents={"a": "random", "b": "random"}, scales={"small": Scale(4)}, %s)
"""


@pytest.mark.parametrize("mistake", ['measure="pionts"', 'where={"agnet": "a"}', 'by=["agnet"]'])
def test_a_mistaken_column_leaves_no_file_of_results(tmp_path, monkeypatch, capsys, mistake):
    monkeypatch.chdir(tmp_path)
    Path("x.py").write_text(MISTAKEN % mistake)
    assert app(["run", "x.py"], standalone_mode=False) == 2
    assert "did you mean" in capsys.readouterr().err
    assert not Path("x.sqlite").exists()


def test_the_columns_of_curves_are_known_before_they_are_run(tmp_path):
    usual = {"about": "x", "games": "kuhn", "players": ["cfr", "lp"], "scales": {"small": Scale(1)}}
    wrong = [({"measure": "nash_cnov"}, "did you mean nash_conv"), ({"by": ["plyaer"]}, "did you mean player")]
    for changes, told in wrong:
        with pytest.raises(fs.SpecError, match=told):
            run(Curves(**usual | changes), "x", tmp_path / "x.sqlite", Execution(until=0))
    assert run(Curves(**usual, measure="touched"), "x", tmp_path / "x.sqlite").counts["done"] == 2


def test_a_store_in_a_folder_that_is_not_there_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("x.py").write_text(MISTAKEN % "seed=1")
    assert app(["run", "x.py", "--store", "nope/x.sqlite"], standalone_mode=False) == 2
    assert "cannot write results to nope/x.sqlite: there is no folder nope" in capsys.readouterr().err
    assert app(["run", "x.py", "--store", str(tmp_path)], standalone_mode=False) == 2
    assert "it is a folder" in capsys.readouterr().err


def test_the_only_experiment_of_a_file_is_known_by_its_variable_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("x.py").write_text(MISTAKEN % "seed=1")
    for name in ("X", "x"):
        assert not app(["run", "x.py", name], standalone_mode=False)
    assert "8 of 8 runs are there; 0 of this time" in capsys.readouterr().out
    assert app(["run", "x.py", "Y"], standalone_mode=False) == 2
    assert "has no experiment 'Y'; choose from X" in capsys.readouterr().err


def ten(seed: int, n: int) -> dict:
    return {"v": 3.0 if n == 1 else 12.0}


def bounded(bounds, **changes) -> Measurements:
    return Measurements(
        **{"about": "x", "function": ten, "grid": {"n": [1, 2]}, "measure": "v", "bounds": bounds, "scales": SMALL}
        | changes
    )


def test_what_lies_outside_declared_bounds_is_told_and_nothing_is_lost(tmp_path):
    told = r"^v = 12 lies outside bounds \(0, 5\)$"
    with pytest.raises(fs.SpecError, match=told):
        run(bounded((0, 5)), "x", tmp_path / "x.sqlite")
    with Store(tmp_path / "x.sqlite") as store:
        (there,) = store.base.execute("SELECT count(*) FROM result WHERE found IS NOT NULL").fetchone()
    mended = run(bounded((0, 12)), "x", tmp_path / "x.sqlite")
    assert mended.played == 8 - there < 8
    assert [row.value for row in mended.table] == [3, 12]
    with pytest.raises(fs.SpecError, match=told):  # bounds that were made narrower once all runs were there
        run(bounded((0, 5)), "x", tmp_path / "x.sqlite")
    with Results(tmp_path / "x.sqlite") as results, pytest.raises(fs.SpecError, match=told):
        results.view().table()


def test_only_what_counts_has_to_lie_within_the_bounds(tmp_path):
    assert [row.value for row in run(bounded((0, 5), where={"n": 1}), "x", tmp_path / "x.sqlite").table] == [3]
