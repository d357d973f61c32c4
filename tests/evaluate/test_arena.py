"""What people see of matches."""

import shlex
from dataclasses import replace

import pytest

import fogspiel as fs
from fogspiel.app import arena
from fogspiel.app.arena import print_match


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setattr(arena.console, "width", 80)


def test_a_result_shows_everything_within_80_columns(capsys):
    result = fs.match(
        "leduc", ["mo-ismcts(simulations=50)", "cheating-uct(simulations=20,determinizations=1)"], games=20, seed=0
    )
    print_match(result)
    out = capsys.readouterr().out
    assert max(len(line) for line in out.splitlines() if not line.startswith("to repeat it")) <= 85
    for shown in (
        "leduc: 20 games (10 deals, each in every seat), seed 0",
        "#1 mo-ismcts(simulations=50)",
        "[sees everything]",
        "a move",
        "win rate",
        "mean utility",
        "judged by       utility",
        "utility lead",
        "superiority",
        "games/s",
        "all 20 games were played",
    ):
        assert shown in out
    assert "…" not in out
    assert "Elo" not in out
    assert "forfeits" not in out
    assert "to go on" not in out


def test_a_result_tells_of_forfeits_interruptions_and_tests(capsys, tmp_path):
    class Wrong:
        name = "wrong"

        def begin(self, game, seat, seed):
            pass

        def choose(self, observation):
            return -1

    def stop(_, done, __):
        if done == 8:
            raise KeyboardInterrupt

    def stop_amid_a_deal(_, done, __):
        if done == 7:
            raise KeyboardInterrupt

    print_match(fs.match("kuhn", ["random", "random"], games=20, progress=stop_amid_a_deal, seed=0))
    assert "kuhn: 7 games (4 deals, 3 of them in every seat), seed 0" in capsys.readouterr().out
    print_match(fs.match("kuhn", ["random", Wrong()], games=20, progress=stop, sprt=(0, 1, 0.05, 0.05), seed=0))
    out = capsys.readouterr().out
    assert "forfeits        8" in out
    assert "8, the first in game 0: wrong made the illegal move -1" in out
    assert "interrupted after 8 of 20 games" in out
    print_match(fs.match("kuhn", ["random", "random"], games=20, progress=stop, store=tmp_path / "g.jsonl", seed=0))
    assert (
        "to go on        fogspiel match kuhn random random --games 20 --seed 0 --workers 1 --store "
        f"{tmp_path / 'g.jsonl'} --resume"
    ) in capsys.readouterr().out


def test_the_command_that_goes_on_asks_the_same_and_one_deal_is_one(capsys, tmp_path):
    def stop(_, done, __):
        if done == 2:
            raise KeyboardInterrupt

    asked = (0.1234567891, 1 / 3, 0.05, 0.0123456789)
    result = fs.match(
        "kuhn", ["random", "random"], games=20, progress=stop, store=tmp_path / "g.jsonl", sprt=asked, seed=0
    )
    words = shlex.split(result.resume_command())
    assert tuple(map(float, words[words.index("--sprt") + 1].split(","))) == asked
    print_match(result)
    assert "2 games (1 deal, each in every seat)" in capsys.readouterr().out


def test_a_result_without_games_can_be_shown(capsys):
    for game, agents in (("kuhn", ["random"] * 2), ("kuhn", ["random"] * 3), ("hidden_coin", ["random"])):
        result = fs.match(game, agents, games=4, seed=0)
        empty = replace(result, games={}, stopped="interrupted", played=0)
        print_match(empty)
        empty.as_dict()
        assert "interrupted after 0 of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "shown"), [("hidden_coin", "utility"), ("kuhn(players=3)", "utility"), ("tic_tac_toe", "Elo")]
)
def test_results_of_more_agents_than_two_are_ratings(game, shown, capsys):
    print_match(fs.match(game, ["random"] * 3, games=6, seed=0))
    out = capsys.readouterr().out
    assert out.count(f"{shown} rating") == 3
    assert out.count(" rating") == 3
    assert "#3" in out
