"""What there is to choose from is listed whole, in 80 columns, and told as it is."""

import json
import subprocess
import sys

import pytest

import fogspiel as fs
from fogspiel.agents.registry import KINDS
from fogspiel.app import cli, show
from fogspiel.game.parts import PartOf
from fogspiel.solvers.registry import SOLVERS


@pytest.fixture
def printed(monkeypatch, capsys):
    """What a command prints, in a terminal of so many columns."""

    def run(*words: str, columns: int = 200) -> str:
        monkeypatch.setattr(show.console, "width", columns)
        monkeypatch.setattr(sys, "argv", ["fogspiel", *words])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        assert not stop.value.code, err
        return out

    return run


def told(printed, *words: str) -> dict:
    return json.loads(printed(*words, "--json", "-"))


LISTS = [["agents"], ["algorithms"], ["parts"], ["parts", "bandit"], ["parts", "belief", "inferred"], ["agents", "oos"]]


@pytest.mark.parametrize("columns", [80, 300])
@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_lists_keep_to_80_columns_however_wide_the_terminal(printed, words, columns):
    lines = printed(*words, columns=columns).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines == printed(*words, columns=80).splitlines()


def test_lists_keep_to_a_narrow_terminal_and_to_80_columns_where_they_are_piped(printed):
    assert max(map(len, printed("agents", columns=50).splitlines())) <= 50
    done = subprocess.run([sys.executable, "-m", "fogspiel", "parts"], capture_output=True, text=True, check=True)
    assert done.stdout == printed("parts")


def test_every_agent_and_every_kind_of_parts_that_it_takes_is_told(printed):
    rows = {row["name"]: row for row in told(printed, "agents")["agents"]}
    listed = printed("agents")
    assert [*rows][: len(KINDS)] == [*KINDS]
    assert {*rows} - {*KINDS} == {"random", "human", "FILE.fog", "FILE.py", "FILE ..."}
    for name, kind in KINDS.items():
        assert f"\n{name} " in listed
        taken = {p.name: p for p in kind.parameters if isinstance(p, PartOf)}
        own = [p.name for p in kind.parameters if p.name not in taken]
        assert [p["name"] for p in rows[name]["parameters"]] == own
        assert {p["name"]: p["words"] for p in rows[name]["parts"]} == {n: p.words for n, p in taken.items()}
        alone = printed("agents", name)
        assert all(f"\n{word} " in alone for word in (*own, *taken))


def all_taken(parameters) -> list[PartOf]:
    """The kinds of parts that are taken, by an agent or by parts of it."""
    found = [p for p in parameters if isinstance(p, PartOf)]
    return found + [q for p in found for w in p.words for q in all_taken(p.parameters_of(p.by_word(w, {}).space))]


def test_every_part_that_somebody_takes_is_told_with_its_parameters_and_usual_values(printed):
    kinds = {row["name"]: row for row in told(printed, "parts")["kinds"]}
    listed = printed("parts")
    for owner, row in {**KINDS, **SOLVERS}.items():
        for taken in all_taken(row.parameters):
            assert f"\n{taken.kind.name} " in listed
            for word in taken.words:
                usual = {n: str(v) for n, v in taken.by_word(word, {}).values}
                rows = [r for r in kinds[taken.kind.name]["parts"] if r["name"] == word]
                mine = [r for r in rows if owner in r["of"]] if taken in row.parameters else rows
                asked = [{p["name"]: str(p["default"]) for p in (*r["parameters"], *r["parts"])} for r in mine]
                assert usual in asked, (owner, taken.name, word)
    assert kinds.keys() >= {"bandit", "belief", "evaluation", "ties", "progress"}


def test_a_word_that_stands_for_several_parts_is_told_for_all_who_have_it(printed):
    rows = told(printed, "parts", "bandit", "rm")["parts"]
    assert [row["spec"] for row in rows] == ["rm", "coupled(pure=yes)"]
    assert rows[1]["of"] == ["sm-mcts"]
    assert rows[1]["needs"] == ["two players", "a zero-sum game"]
    out = printed("parts", "bandit", "rm")
    assert "Coupled regret matching" in out
    assert "stands for coupled(pure=yes)\nof sm-mcts\nneeds two players and a zero-sum game" in out
    assert "ucb(exploration=1,ties=first)" in printed("parts", "bandit")


def test_what_is_listed_for_a_game_suits_it(printed):
    names = {
        game: [row["name"] for row in told(printed, "agents", "--for", game)["agents"]] for game in ("kuhn", "nim")
    }
    for game, listed in names.items():
        assert {"random", "human", "FILE.py"} <= {*listed}
        for name in KINDS:
            try:
                fs.agent(name).begin(fs.load(game), 0, 1)
            except fs.Unsuitable:
                assert name not in listed
            else:
                assert name in listed
    assert "star1" not in names["kuhn"]
    assert "star1" in names["nim"]
    assert "star1" not in printed("agents", "--for", "kuhn")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["agents", "mctss"], "there is no agent 'mctss'; did you mean mcts?"),
        (["agents", "--for", "kuhm"], "there is no game 'kuhm'; did you mean kuhn?"),
        (["agents", "mcts", "--for", "kuhn"], "--for lists the agents that suit a game: leave out the name of one"),
        (["algorithms", "cfr*"], "there is no algorithm 'cfr*'; did you mean cfr"),
        (["parts", "bandits"], "there is no kind of parts 'bandits'; did you mean bandit?"),
        (["parts", "bandit", "exp4"], "there is no bandit 'exp4'"),
    ],
)
def test_what_there_is_not_is_refused_with_what_is_near(monkeypatch, capsys, words, sentence):
    monkeypatch.setattr(sys, "argv", ["fogspiel", *words])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"fogspiel: {sentence}")
