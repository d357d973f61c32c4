"""A match is fair, the same however it is run, and outlives interruptions, dead processes and agents that misbehave."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.evaluate import match as module
from fogspiel.evaluate.store import Store
from fogspiel.evaluate.workers import Crew
from fogspiel.game import CHANCE

SEARCH = "mo-ismcts(simulations=40)"


class First:
    """Makes the first legal move."""

    name = "first"

    def begin(self, game, seat, seed):
        pass

    def choose(self, observation):
        return observation.moves[0]


class Faulty(First):
    """Makes an illegal move in seat 1, fails in seat 0."""

    name = "faulty"

    def begin(self, game, seat, seed):
        self.seat = seat

    def choose(self, observation):
        return 99 if self.seat else 1 // 0


class Late(First):
    name = "late"

    def choose(self, observation):
        time.sleep(0.8)
        return observation.moves[0]


class Hanging(First):
    name = "hanging"

    def choose(self, observation):
        while True:
            time.sleep(1)


class Mortal(First):
    """Ends its process, the first so many times that it is asked for a move."""

    name = "mortal"

    def __init__(self, folder, times):
        self.folder, self.times = folder, times

    def choose(self, observation):
        deaths = len(list(Path(self.folder).iterdir()))
        if deaths < self.times:
            (Path(self.folder) / str(time.monotonic_ns())).touch()
            os._exit(7)
        return observation.moves[0]


class Unsendable(First):
    def __init__(self):
        self.thing = lambda: None


def table(result):
    """All of a result that does not depend on the clock."""
    games = [(n, r.utilities, r.moves, r.decisions, r.forfeit, r.deal, r.seats) for n, r in result.games.items()]
    facts = result.as_dict()
    for timed in ("seconds", "games_a_second", "workers", "resume"):
        facts.pop(timed)
    for one in facts["agents"]:
        one.pop("seconds")
        one.pop("seconds_a_move")
    return games, facts


@pytest.fixture(scope="module")
def leduc():
    return fs.match("leduc", [SEARCH, "random"], games=20, seed=3)


def test_seats_change_and_a_deal_has_the_same_chance_in_all_its_games(leduc):
    game = fs.load("leduc")

    def cards(record):
        state, found = game.start(), []
        for move in record.moves:
            if state.actor == CHANCE:
                found.append(move)
            state.play(move)
        return found

    hands = set()
    for deal in range(10):
        one, other = leduc.games[2 * deal], leduc.games[2 * deal + 1]
        assert (one.seats, other.seats) == ((0, 1), (1, 0))
        assert one.deal == other.deal
        assert all(a == b for a, b in zip(cards(one), cards(other), strict=False))
        assert one.moves != other.moves or one.moves[2:] == other.moves[2:]
        hands.add(tuple(cards(one)[:2]))
    assert len({record.deal for record in leduc.games.values()}) == 10
    assert len(hands) > 3


def test_without_duplicate_deals_every_game_has_chance_of_its_own():
    result = fs.match("leduc", ["random", "random"], games=20, duplicate=False, seed=0)
    assert len({record.deal for record in result.games.values()}) == 20
    assert result.games[0].seats != result.games[1].seats


def test_a_match_is_the_same_again_and_another_with_another_seed(leduc):
    assert table(fs.match("leduc", [SEARCH, "random"], games=20, seed=3)) == table(leduc)
    assert table(fs.match("leduc", [SEARCH, "random"], games=20, seed=4)) != table(leduc)


def test_the_number_of_workers_changes_nothing(leduc):
    assert table(fs.match("leduc", [SEARCH, "random"], games=20, seed=3, workers=2)) == table(leduc)


def test_games_are_rounded_up_to_whole_deals():
    assert len(fs.match("kuhn", ["random", "random"], games=7, seed=0).games) == 8
    assert len(fs.match("kuhn(players=3)", ["random"] * 3, games=7, seed=0).games) == 9


def test_progress_hears_of_the_score():
    heard = []
    fs.match("tic_tac_toe", ["random", First()], games=4, progress=lambda *told: heard.append(told), seed=0)
    assert [(done, total) for _, done, total in heard] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert heard[-1][0].startswith("random ")
    assert heard[-1][0].endswith(" first")


def test_a_match_cut_off_anywhere_and_resumed_ends_as_if_it_had_not_been(leduc, tmp_path):
    path = tmp_path / "games.jsonl"
    assert table(fs.match("leduc", [SEARCH, "random"], games=20, seed=3, store=path)) == table(leduc)
    whole = path.read_bytes()
    header, *lines = whole.splitlines(keepends=True)
    assert json.loads(header)["game"] == "leduc"
    cuts = [0, len(header) - 1, len(header), len(header) + len(lines[0]) + 5, len(whole) - 1, len(whole)]
    for cut, workers in zip(cuts, [1, 1, 1, 1, 2, 1], strict=True):
        path.write_bytes(whole[:cut])
        resumed = fs.match("leduc", [SEARCH, "random"], games=20, seed=3, store=path, resume=True, workers=workers)
        assert table(resumed) == table(leduc)
        assert resumed.played == 20 - max(whole[:cut].count(b"\n") - 1, 0)
        rows = sorted(json.loads(line)["number"] for line in path.read_bytes().splitlines()[1:])
        assert rows == list(range(20))


def test_a_match_can_be_made_longer(leduc, tmp_path):
    path = tmp_path / "games.jsonl"
    fs.match("leduc", [SEARCH, "random"], games=6, seed=3, store=path)
    longer = fs.match("leduc", [SEARCH, "random"], games=20, seed=3, store=path, resume=True)
    assert longer.played == 14
    assert table(longer) == table(leduc)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_was_played_and_tells_how_to_go_on(leduc, tmp_path, workers):
    path = tmp_path / "the games.jsonl"

    def stop(_, done, __):
        if done == 7:
            raise KeyboardInterrupt

    cut = fs.match("leduc", [SEARCH, "random"], games=20, seed=3, store=path, progress=stop, workers=workers)
    assert cut.stopped == "interrupted"
    assert cut.why == "interrupted after 7 of 20 games"
    assert len(cut.games) == 7
    assert (
        cut.resume_command()
        == f"fogspiel match leduc '{SEARCH}' random --games 20 --seed 3 --workers {workers} --store '{path}' --resume"
    )
    rest = fs.match("leduc", [SEARCH, "random"], games=20, seed=3, store=path, resume=True)
    assert (rest.played, rest.stopped, rest.resume_command()) == (13, "games", None)
    assert table(rest) == table(leduc)


def test_ctrl_c_cuts_no_game_off_from_its_place_in_the_file(tmp_path, monkeypatch):
    add = Store.add

    def interrupted(store, number, facts):
        if number == 3:
            signal.raise_signal(signal.SIGINT)
        add(store, number, facts)

    monkeypatch.setattr(Store, "add", interrupted)
    path = tmp_path / "games.jsonl"
    cut = fs.match("leduc", ["random", "random"], games=20, seed=3, store=path)
    assert (cut.stopped, len(cut.games)) == ("interrupted", path.read_bytes().count(b"\n") - 1)


SCRIPT = """
import multiprocessing
from fogspiel.evaluate.match import match
if __name__ == "__main__":
    result = match("leduc", ["mo-ismcts(simulations=20000)", "random"], games=100_000, workers=2, store="games.jsonl",
                   progress=lambda _, done, total: print(done, flush=True))
    print(result.stopped, len(result.games), len(multiprocessing.active_children()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_real_ctrl_c_ends_the_match_and_all_its_processes(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    run = subprocess.Popen(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while run.stdout.readline().strip() != "3":
        assert run.poll() is None, run.stderr.read()
    os.killpg(run.pid, signal.SIGINT)  # a terminal sends it to the workers too
    out, err = run.communicate(timeout=20)
    assert run.returncode == 0
    assert err == ""
    stopped, games, processes = out.split()[-3:]
    assert (stopped, processes) == ("interrupted", "0")
    assert int(games) == (tmp_path / "games.jsonl").read_bytes().count(b"\n") - 1


def test_a_script_need_not_guard_its_start_unless_agents_are_made_in_it(tmp_path):
    code = (
        'from fogspiel.evaluate.match import match\nprint(match("kuhn", ["random", "random"], games=4, workers=2).why)'
    )
    (tmp_path / "script.py").write_text(code)
    for command, given in ((["script.py"], None), (["-"], code)):
        run = subprocess.run([sys.executable, *command], input=given, cwd=tmp_path, capture_output=True, text=True)
        assert (run.stdout, run.stderr) == ("all 4 games were played\n", "")


def test_a_file_of_another_match_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "games.jsonl"
    fs.match("kuhn", ["random", First()], games=4, store=path, seed=0)
    before = path.read_bytes()
    for game, agents, seed in (
        ("leduc", ["random", First()], 0),
        ("kuhn", [First(), "random"], 0),
        ("kuhn", ["random", First()], 1),
    ):
        with pytest.raises(fs.FileError, match=r"is of another match: its (game is|agents are|seed is)"):
            fs.match(game, agents, games=4, seed=seed, store=path, resume=True)
    with pytest.raises(fs.FileError, match="is there already"):
        fs.match("kuhn", ["random", First()], games=4, store=path, seed=0)
    assert path.read_bytes() == before
    with pytest.raises(fs.FileError, match="there is no match"):
        fs.match("kuhn", ["random", First()], store=tmp_path / "none.jsonl", resume=True, seed=0)
    path.write_bytes(before.replace(b'"seats"', b'"seats', 1))
    with pytest.raises(fs.FileError, match="damaged"):
        fs.match("kuhn", ["random", First()], games=4, store=path, resume=True, seed=0)
    other = tmp_path / "notes.txt"
    other.write_text("milk, bread")
    with pytest.raises(fs.FileError, match="not a file of a match"):
        fs.match("kuhn", ["random", First()], games=4, store=other, resume=True, seed=0)
    assert other.read_text() == "milk, bread"


def test_another_strategy_of_the_same_name_is_another_agent(tmp_path):
    strategies = [fs.solve("kuhn", "cfr+", iterations=n).strategy for n in (1, 50)]
    fs.save(strategies[0], tmp_path / "a.fog")
    agents = [tmp_path / "a.fog", "random"]
    fs.match("kuhn", agents, games=4, store=tmp_path / "games.jsonl", seed=0)
    assert fs.match("kuhn", agents, games=4, store=tmp_path / "games.jsonl", resume=True, seed=0).played == 0
    fs.save(strategies[1], tmp_path / "a.fog")
    with pytest.raises(fs.FileError, match="what a.fog plays by has changed"):
        fs.match("kuhn", agents, games=4, store=tmp_path / "games.jsonl", resume=True, seed=0)
    with pytest.raises(fs.FileError, match="made for kuhn"):
        fs.match("leduc", agents, games=4, seed=0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_does_not_end_the_match(tmp_path, monkeypatch):
    class Filling(Store):
        def add(self, number, row):
            if number == 4:
                os.dup2(os.open("/dev/full", os.O_WRONLY), self.file.fileno())
            super().add(number, row)

    monkeypatch.setattr(module, "Store", Filling)
    path = tmp_path / "games.jsonl"
    result = fs.match("kuhn", ["random", First()], games=10, store=path, seed=0)
    assert len(result.games) == 10
    assert result.unsaved == f"cannot write {path}: No space left on device"
    assert path.read_bytes().count(b"\n") == 5


def test_faults_lose_games_and_the_match_goes_on():
    result = fs.match("leduc", [Faulty(), "random"], games=10, seed=0)
    assert len(result.games) == 10
    assert [s.wins for s in result.standings] == [0, 10]
    assert result.standings[0].forfeits == 10
    reasons = [f["reason"] for f in result.forfeits]
    failed = "failed: ZeroDivisionError: integer division or modulo by zero ("
    assert all(reason.startswith(failed) and "test_match.py, line " in reason for reason in reasons[::2])
    assert reasons[1::2] == ["made the illegal move 99"] * 5
    assert {f["agent"] for f in result.forfeits} == {"faulty"}


def test_a_forfeit_is_a_loss_even_if_nobody_else_gets_anything():
    result = fs.match("matrix(game=battle_of_the_sexes)", [Faulty(), First()], games=2, seed=0)
    assert result.standings[1].wins == 2


def test_a_move_over_time_forfeits_the_game():
    result = fs.match("kuhn", [Late(), "random"], games=2, move_time=0.5, seed=0)
    assert [f["agent"] for f in result.forfeits] == ["late", "late"]
    assert all("were allowed" in f["reason"] for f in result.forfeits)
    assert result.standings[1].wins == 2


def test_an_agent_that_hangs_is_ended_and_forfeits(monkeypatch):
    monkeypatch.setattr(module, "GRACE", 0.5)
    result = fs.match("kuhn", ["random", Hanging()], games=4, move_time=0.4, workers=2, seed=0)
    assert len(result.games) == 4
    assert result.standings[0].wins >= 2
    assert all(f["agent"] == "hanging" for f in result.forfeits)
    assert "its process was ended" in result.forfeits[0]["reason"]


@dataclass(frozen=True)
class Forgetful:
    """Jobs that take so many seconds to begin, and do not tell when they are done with what they gave notice of."""

    seconds: float

    def build(self):
        return self

    def do(self, number, notice):
        time.sleep(number * self.seconds)
        notice(0)
        return number


def test_what_comes_before_or_between_jobs_is_not_taken_for_what_the_last_one_did():
    plan = Forgetful(1.0)
    with Crew(plan, 1, limit=0.5) as crew:
        assert list(crew.do([0, 1])) == [(0, 0), (1, 1)]
        crew.take(plan, 1, limit=0.5)  # the same process goes on
        assert list(crew.do([1])) == [(1, 1)]


def test_the_games_of_a_process_that_dies_are_played_again(tmp_path):
    folder = tmp_path / "deaths"
    folder.mkdir()
    result = fs.match("tic_tac_toe", [Mortal(folder, 2), "random"], games=10, workers=2, seed=0)
    assert len(list(folder.iterdir())) == 2
    assert not result.failed
    assert table(result) == table(fs.match("tic_tac_toe", [Mortal(folder, 0), "random"], games=10, seed=0))


def test_a_game_whose_process_dies_every_time_fails_and_the_match_goes_on(tmp_path):
    folder = tmp_path / "deaths"
    folder.mkdir()
    how = {"games": 6, "move_time": 60, "store": tmp_path / "games.jsonl"}  # with a limit, one process is at work
    result = fs.match("tic_tac_toe", [Mortal(folder, 3), "random"], **how)
    assert result.failed == [{"game": 0, "reason": "its process died 3 times (exit code 7) while mortal was to move"}]
    assert [s.games for s in result.standings] == [5, 5]
    again = fs.match("tic_tac_toe", [Mortal(folder, 3), "random"], resume=True, **how)
    assert again.played == 0
    assert again.failed == result.failed


def test_agents_that_cannot_be_sent_to_processes_are_refused_with_one_sentence():
    for how in ({"workers": 2}, {"move_time": 1.0}):
        with pytest.raises(
            fs.SpecError, match=r"first cannot be sent to another process .*; give a spec string or a file"
        ) as refused:
            fs.match("kuhn", [Unsendable(), "random"], games=2, **how)
        assert "\n" not in str(refused.value)
    assert len(fs.match("kuhn", [Unsendable(), "random"], games=2, seed=0).games) == 2


@pytest.mark.parametrize(
    ("agents", "how", "says"),
    [
        (["random"], {}, "needs at least 2 agents, 1 given"),
        (["random", "human"], {}, "fogspiel play"),
        (["random", "mo-ismtcs"], {}, "did you mean mo-ismcts"),
        (["random", "random"], {"games": 0}, "games must be a whole number of at least 1"),
        (["random", "random"], {"workers": 0}, "workers must be a whole number from 1 to 256"),
        (["random", "random"], {"move_time": 0}, "move_time must be a number above 0"),
        (["random", "random"], {"resume": True}, "name the file"),
        (["random", "random", "random"], {"sprt": (0, 10, 0.05, 0.05)}, "compares two agents"),
        (["random", "mo-ismcts(evaluation=rule(after=3))"], {}, "needs the rule evaluate; kuhn has none"),
    ],
)
def test_what_cannot_be_is_refused_before_a_game_is_played(agents, how, says):
    with pytest.raises(fs.FogspielError, match=says):
        fs.match("kuhn", agents, **how)


def test_one_object_cannot_sit_in_two_seats():
    one = fs.agent("random")
    with pytest.raises(fs.SpecError, match="make two of it"):
        fs.match("kuhn", [one, one], seed=0)


def test_agents_that_cheat_are_marked():
    result = fs.match("kuhn", ["cheating-uct(simulations=20,determinizations=1)", "random"], games=4, seed=0)
    assert result.cheats == (True, False)
    assert result.agents[0].endswith("[sees everything]")
    assert [one["cheats"] for one in result.as_dict()["agents"]] == [True, False]


def test_more_agents_than_seats_play_a_round_robin_and_get_ratings():
    result = fs.match("tic_tac_toe", ["random", "mcts(simulations=100)", First()], games=10, seed=0)
    assert len(result.games) == 30
    assert [s.games for s in result.standings] == [20, 20, 20]
    pairs = [frozenset(r.seats) for r in result.games.values()]
    assert all(pairs.count(frozenset(p)) == 10 for p in ((0, 1), (0, 2), (1, 2)))
    assert all(s.seats[0].games == s.seats[1].games == 10 for s in result.standings)
    assert result.elo is None
    assert max(range(3), key=lambda i: result.ratings[i].value) == 1
    assert sum(r.value for r in result.ratings) == pytest.approx(0, abs=1e-6)


def test_three_players_sit_in_every_seat():
    result = fs.match("kuhn(players=3)", ["random", "random", First()], games=9, seed=0)
    assert [r.seats for r in list(result.games.values())[:3]] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert result.agents == ("random (1)", "random (2)", "first")
    assert sum(s.points for s in result.standings) == pytest.approx(9)
    assert len(result.ratings) == 3


def test_in_a_game_for_one_every_agent_plays_the_same_deals_alone():
    result = fs.match("hidden_coin", ["mo-ismcts(simulations=100)", "random"], games=20, seed=0)
    assert [s.games for s in result.standings] == [20, 20]
    assert [r.seats for r in list(result.games.values())[:3]] == [(0,), (1,), (0,)]
    assert len({r.deal for r in result.games.values()}) == 20
    assert result.standings[0].utility.value > result.standings[1].utility.value
    assert len(fs.match("hidden_coin", ["random"], games=3, seed=0).games) == 3


@pytest.mark.parametrize("workers", [1, 2])
def test_a_sequential_test_ends_the_match_when_the_winner_is_clear(workers):
    agents = ["mo-ismcts(simulations=200)", "random"]
    result = fs.match("tic_tac_toe", agents, games=1000, sprt=(0, 100, 0.05, 0.05), workers=workers, seed=0)
    assert result.stopped == "sprt"
    assert 10 < len(result.games) < 100
    assert result.ratio >= result.test.bounds[1]
    assert result.why.startswith(
        "the test found an Elo difference of 100 likelier than one of 0 (log-likelihood ratio "
    )
    assert list(result.games) == list(range(len(result.games)))
    other = fs.match("tic_tac_toe", agents[::-1], games=1000, sprt=(0, 100, 0.05, 0.05), seed=0)
    assert other.stopped == "sprt"
    assert other.ratio <= other.test.bounds[0]
    assert "of 0 likelier than one of 100" in other.why
    undecided = fs.match("tic_tac_toe", agents, games=4, sprt=(0, 100, 0.05, 0.05), seed=0)
    assert undecided.stopped == "games"
    assert "did not decide" in undecided.why


def test_a_sequential_test_stops_at_the_same_game_however_it_is_run(tmp_path):
    agents, sprt, path = ["mo-ismcts(simulations=50)", "random"], (0, 60, 0.05, 0.05), tmp_path / "games.jsonl"
    one = fs.match("tic_tac_toe", agents, games=1000, sprt=sprt, seed=0)
    two = fs.match("tic_tac_toe", agents, games=1000, sprt=sprt, workers=2, store=path, seed=0)
    assert table(one) == table(two)
    again = fs.match("tic_tac_toe", agents, games=1000, sprt=sprt, store=path, resume=True, seed=0)
    assert (again.played, table(again)) == (0, table(one))


def test_results_are_ready_for_json(leduc):
    facts = json.loads(json.dumps(leduc.as_dict(), allow_nan=False))
    assert facts["agents"][0]["name"] == SEARCH
    assert facts["games"] == facts["games_asked"] == 20
    assert (facts["judged_by"], facts["elo"]) == ("utility", None)
    assert facts["lead"]["low"] < facts["lead"]["value"] < facts["lead"]["high"]
    shutout = fs.match("tic_tac_toe", [Faulty(), "random"], games=2, seed=0).as_dict()
    assert shutout["elo"] == {"value": None, "low": None, "high": pytest.approx(shutout["elo"]["high"])}
    assert (shutout["judged_by"], shutout["lead"]) == ("wins", None)
    json.dumps(shutout, allow_nan=False)


def test_games_from_files_can_be_played_in_processes(tmp_path):
    source = Path(fs.load("kuhn").module.__file__).read_text()
    (tmp_path / "mine.py").write_text(source)
    game = fs.load(tmp_path / "mine.py", players=3)
    apart = fs.match(game, ["random"] * 3, games=6, workers=2, seed=0)
    assert table(apart) == table(fs.match(game, ["random"] * 3, games=6, seed=0))
    assert apart.game == "mine(players=3)"
