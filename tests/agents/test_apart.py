"""Agents in processes of their own: what they are told, what they cannot do, and that a match goes on whatever they
do."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.agents import apart, process
from fogspiel.experiment import FixedDeals, Matches, Scale
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store

EXAMPLES = Path(__file__).parents[2] / "examples"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")

BOT = """
import json, os, sys, time

def move(told):
    return {"type": "move", "move": told["moves"][0]}

def hello(told):
    return {"type": "ready"}

def game(told):
    return {"type": "ready"}

DEED

for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps(globals()[told["type"]](told)), flush=True)
"""


@pytest.fixture
def bot(tmp_path):
    """The command of a bot that does something else than the honest one."""

    def made(deed="", name="bot"):
        file = tmp_path / f"{name}.py"
        file.write_text(BOT.replace("DEED", deed))
        return f"{sys.executable} -S {file}"

    return made


def moves_of(result):
    return {number: (record.moves, record.utilities) for number, record in result.games.items()}


def ends_soon(*pids):
    for _ in range(200):
        if not any(map(alive, pids)):
            return True
        time.sleep(0.05)
    return False


def alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


# who plays, and the same games


@pytest.mark.parametrize(
    "command",
    [f"{sys.executable} {EXAMPLES / 'bot.py'}", pytest.param(f"node {EXAMPLES / 'bot.js'}", marks=needs_node)],
)
@pytest.mark.parametrize("game", ["leduc", "goofspiel(cards=4)"])
def test_a_bot_in_any_language_plays_a_match(command, game):
    result = fs.match(game, [command, "random"], games=6, seed=1)
    assert not result.forfeits
    assert result.agents == (command, "random")
    assert result.apart == (True, False)
    assert [one["apart"] for one in result.as_dict()["agents"]] == [True, False]
    assert moves_of(fs.match(game, [command, "random"], games=6, seed=1, workers=2)) == moves_of(result)


HOUSE = ["mo-ismcts(simulations=30,belief=tracked)", "oos(simulations=30)"]


@pytest.mark.parametrize("game", ["leduc", "goofspiel(cards=4)"])
def test_agents_of_the_house_play_the_same_games_apart_and_together(game):
    games = [fs.match(game, HOUSE, games=4, seed=3, apart=how) for how in (True, False)]
    assert moves_of(games[0]) == moves_of(games[1])
    assert [one.apart for one in games] == [(True, True), (False, False)]
    assert games[0].secrecy == games[1].secrecy == ()


FILE = """
def choose(observation, rng, eager=0.7):
    assert observation.true_state is None and observation.record.keys[-1] == observation.state.key(observation.seat)
    assert set(observation.moves) == set(observation.state.moves()) and len(observation.names) == len(observation.moves)
    print("words for nobody")
    state = observation.state.copy()
    while not state.over:
        state.play(state.moves()[0])
    known = int(7 * sum(map(abs, state.payoff()))) + len(observation.state.show(observation.seat))
    return observation.moves[known % len(observation.moves)] if rng.random() < eager else rng.choice(observation.moves)
"""


def test_a_file_keeps_its_interface_apart_and_plays_the_same_games(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    spec = f"{tmp_path}/mine.py(eager=0.6)"
    for game in ("matrix", "leduc", "goofspiel(cards=4)"):  # one with tables, by whose addresses states would differ
        games = [fs.match(game, [spec, "random"], games=6, seed=2, apart=how) for how in (None, False)]
        assert not games[0].forfeits
        assert moves_of(games[0]) == moves_of(games[1])
        assert [one.apart for one in games] == [(True, False), (False, False)]
        assert games[0].agents == games[1].agents == ("mine.py(eager=0.6)", "random")
    assert games[1].secrecy == ("mine.py(eager=0.6) plays in the process of the match, and can read all that is in it",)


def test_a_game_from_a_file_is_played_apart_too(tmp_path):
    source = Path(fs.load("kuhn").module.__file__).read_text()
    (tmp_path / "mine.py").write_text(source)
    (tmp_path / "agent.py").write_text("def choose(observation):\n    return observation.moves[-1]\n")
    result = fs.match(
        fs.load(tmp_path / "mine.py", players=3), [tmp_path / "agent.py", "random", "random"], games=3, seed=0
    )
    assert not result.forfeits


# what they are told

DUMP = """
LOG = PATH + str(os.getpid())

def note(told):
    with open(LOG, "a") as file:
        file.write(json.dumps(told) + "\\n")

def hello(told):
    note(told)
    return {"type": "ready", "wants": ["names", "text", "events", "state"]}

def game(told):
    note(told)
    return {"type": "ready"}

def move(told):
    note(told)
    told["clock"] = None
    return {"type": "move", "move": told["moves"][-1]}
"""


@pytest.mark.parametrize(("spec", "deals"), [("kuhn", ((0, 1), (0, 2))), ("leduc", ((0, 1), (0, 2)))])
def test_games_that_differ_in_what_is_hidden_alone_are_told_in_the_same_words(spec, deals, bot, tmp_path):
    logs = []
    for n, dealt in enumerate(deals):
        command = bot(DUMP.replace("PATH", repr(f"{tmp_path}/log{n}-")), f"dump{n}")
        last = lambda observation: observation.moves[-1]  # noqa: E731
        record = fs.play_game(spec, [command, last], deal=5, seed=6, dealt=dealt)
        assert record.forfeit is None
        (log,) = tmp_path.glob(f"log{n}-*")
        told = [json.loads(line) for line in log.read_text().splitlines()]
        assert [one["type"] for one in told][:3] == ["hello", "game", "move"]
        for one in told:
            one.pop("clock", None)
        first_decision = next(one for one in told if one["type"] == "move")
        assert first_decision["names"]
        assert first_decision["events"]
        logs.append([told[:2], first_decision])
    assert logs[0] == logs[1]
    other = fs.play_game(
        spec, [bot(DUMP.replace("PATH", repr(f"{tmp_path}/log9-")), "dump9"), "random"], deal=5, seed=6, dealt=(1, 0)
    )
    assert other.forfeit is None
    (log,) = tmp_path.glob("log9-*")
    told = next(one for line in log.read_text().splitlines() if (one := json.loads(line))["type"] == "move")
    assert told["keys"] != logs[0][1]["keys"]  # its own card it does see
    assert told["text"] != logs[0][1]["text"]


def test_a_process_is_told_nothing_of_this_ones_environment_and_holds_none_of_its_files(bot, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "xyzzy")
    deed = f"""
with open({str(tmp_path / "seen")!r}, "w") as file:
    file.write(json.dumps([dict(os.environ), sorted(os.listdir("/proc/self/fd"))]))
"""
    secret = open(tmp_path / "secret", "w")  # noqa: SIM115
    os.set_inheritable(secret.fileno(), True)
    assert not fs.match("kuhn", [bot(deed), "random"], games=2, seed=0).forfeits
    environment, files = json.loads((tmp_path / "seen").read_text())
    assert "SECRET_TOKEN" not in environment
    if sys.platform == "linux":
        assert str(secret.fileno()) not in files


def test_no_process_sees_a_deal_twice(bot, tmp_path):
    deed = DUMP.replace("PATH", repr(f"{tmp_path}/log-"))
    result = fs.match("kuhn", [bot(deed), "random"], games=6, seed=4)
    assert not result.forfeits
    logs = [[json.loads(line) for line in log.read_text().splitlines()] for log in tmp_path.glob("log-*")]
    seats = [{one["seat"] for one in log if one["type"] == "game"} for log in logs]
    assert sorted(seats, key=min) == [{0}, {1}]
    learning = bot(DUMP.replace("PATH", repr(f"{tmp_path}/learning-")), "learning")
    assert not fs.match("kuhn", [learning, "random"], games=6, seed=4, learning=True).forfeits
    assert len(list(tmp_path.glob("learning-*"))) == 1


# what they do wrong


def forfeits_of(result, name):
    assert len(result.games) == 4
    assert {one["agent"] for one in result.forfeits} == {name}
    assert result.standings[1].wins == 4
    return {one["reason"] for one in result.forfeits}


DEEDS = {
    "def move(told): time.sleep(60)": "took more than 0.4 s to answer; its process was ended",
    "def move(told): os.kill(os.getpid(), 9)": "failed: its process ended (signal 9, SIGKILL)",
    f"def move(told): os.kill(os.getpid(), {signal.SIGRTMIN + 6})": (
        f"failed: its process ended (signal {signal.SIGRTMIN + 6})"
    ),
    "def move(told): sys.exit('enough')": "failed: its process ended (exit code 1): enough",
    "def move(told): os.close(1); time.sleep(9)": "closed the pipe that it is heard by",
    "def move(told): sys.exit(chr(27) + '[2Jenough')": "failed: its process ended (exit code 1): ?[2Jenough",
    "def move(told): return {'type': 'fault', 'reason': chr(27) + '[2Jout of\\nideas'}": "?[2Jout of ideas",
    "def move(told): return {'type': 'fault'}": "gave up",
    "def move(told):\n    while True: print('x' * 999, flush=True)": "answered what is no message: 'xxx",
    "def move(told):\n    while True: sys.stdout.write('x' * 999)": "wrote more than 1 MiB",
    "def move(told):\n    while True: sys.stderr.write('x' * 999)": "wrote more than 1 MiB",
    "def move(told): return {'type': 'move', 'move': 99}": "made the illegal move 99",
    "def move(told): return {'type': 'move', 'move': 'fly'}": "made the illegal move 'fly'",
    "def move(told): return {'type': 'move'}": "made the illegal move None",
    "def move(told): return {'type': 'move', 'move': True}": "made the illegal move True",
    "def move(told): return ['move']": "answered what is no message: '[\"move\"]'",
    "def move(told): return {'type': 'ready'}": "answered {'type': 'ready'} where a message of the type move was due",
    "def move(told): print('nonsense'); return 0": "answered what is no message: 'nonsense'",
    "def move(told): print('[' * 60000); return 0": "answered what is no message",
    "def move(told): sys.stdout.buffer.write(b'\\xff\\xfe\\n'); return 0": "answered what is no message",
    "def game(told): print(json.dumps({'type': 'ready'})); return {'type': 'ready'}": (
        "spoke before it was asked",
        "answered {'type': 'ready'}",
    ),
    "def move(told): return {'type': 'fault', 'reason': 'it hurts'}": "it hurts",
}


@pytest.mark.parametrize("deed", DEEDS)
def test_whatever_a_bot_does_costs_its_game_alone(bot, deed):
    command = bot(deed)
    result = fs.match(
        "matrix",
        [command, "random"],
        games=4,
        seed=0,
        move_time=0.4 if "sleep(60)" in deed else None,
        notice=lambda _: None,
    )
    assert all(reason.startswith(DEEDS[deed]) for reason in forfeits_of(result, command))


def test_a_bot_that_takes_memory_without_end_is_stopped(bot):
    for deed in (
        "    hoard = [bytes(1 << 20)]\n    while True: hoard += [b + b'x' for b in hoard]",
        "    import mmap; hoard = mmap.mmap(-1, 1 << 40)",
    ):
        command = bot(f"def move(told):\n{deed}")
        result = fs.match("matrix", [command, "random"], games=4, seed=0, memory=256 << 20, notice=lambda _: None)
        assert all("Memory" in reason or "memory" in reason for reason in forfeits_of(result, command))


def test_a_move_is_made_by_its_name_too(bot):
    command = bot("def move(told): return {'type': 'move', 'move': told['names'][0]}")
    honest = bot(name="honest")
    assert moves_of(fs.match("leduc", [command, "random"], games=4, seed=0)) == moves_of(
        fs.match("leduc", [honest, "random"], games=4, seed=0)
    )


def test_a_bot_that_sleeps_is_not_waited_for_without_a_limit_either(bot, monkeypatch):
    monkeypatch.setattr(apart, "MOVE_SECONDS", 0.3)
    command = bot("def move(told): time.sleep(60)")
    assert forfeits_of(fs.match("matrix", [command, "random"], games=4, seed=0, notice=lambda _: None), command) == {
        "took more than 0.3 s to answer; its process was ended"
    }


def test_one_that_never_reads_is_not_waited_for_however_long_the_message(bot, monkeypatch):
    monkeypatch.setattr(apart, "MOVE_SECONDS", 0.3)
    deed = "def game(told):\n    print(json.dumps({'type': 'ready'}), flush=True); time.sleep(60)"
    made = bot(deed + "\ndef hello(told): return {'type': 'ready', 'wants': ['names', 'text', 'events', 'state']}")
    record = fs.play_game("dou_di_zhu", [made, "random", "random"], deal=1, seed=1)
    assert (record.forfeit, record.reason) == (0, "took more than 0.3 s to answer; its process was ended")


def test_a_bot_that_cannot_start_is_refused_before_a_game_is_played(bot, tmp_path):
    for deed, told in (
        ("def hello(told): 1 // 0", r"failed: its process ended \(exit code 1\): ZeroDivisionError"),
        ("def hello(told): return {'type': 'fault', 'reason': 'two players alone'}", "two players alone"),
        (
            "def hello(told): return {'type': 'ready', 'wants': ['everything']}",
            "wants .'everything'., where there are names",
        ),
    ):
        with pytest.raises(fs.AgentError, match=told):
            fs.match("kuhn", [bot(deed), "random"], games=2, seed=0)


def test_a_bot_that_is_never_ready_is_not_waited_for(bot, monkeypatch):
    monkeypatch.setattr(apart, "START_SECONDS", 0.4)
    with pytest.raises(fs.AgentError, match="took more than 0.4 s to answer; its process was ended"):
        fs.match("kuhn", [bot("def hello(told): time.sleep(60)"), "random"], games=2, seed=0)


def test_a_file_that_fails_is_told_with_its_line_as_it_is_together(tmp_path):
    (tmp_path / "bad.py").write_text(
        "def choose(observation):\n    if observation.seat:\n        return 1 // 0\n    return None\n"
    )
    told = [
        fs.match("kuhn", [tmp_path / "bad.py", "random"], games=4, seed=0, apart=how, notice=lambda _: None).forfeits
        for how in (None, False)
    ]
    assert told[0] == told[1]
    assert {one["reason"] for one in told[0]} == {
        "made the illegal move None",
        f"failed: ZeroDivisionError: integer division or modulo by zero ({tmp_path}/bad.py, line 3)",
    }


# who is meant


def test_a_command_is_a_program_with_what_it_is_given_or_an_executable_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot").write_text("#!/bin/sh\n")
    for text in ("node bot.js", "nosuchprogram bot.js", "./bot", "./other"):
        if shutil.which(text.split()[0]) is None:
            with pytest.raises(
                fs.SpecError, match=f"there is no agent '{text}': as a command it needs the program {text.split()[0]}"
            ):
                fs.agent(text)
    os.chmod("bot", 0o755)
    with pytest.raises(fs.SpecError, match="a quote is not closed"):
        fs.agent("./bot 'a")
    assert fs.agent("./bot").command == ("./bot",)
    assert fs.agent(f"'{sys.executable}' -S 'my bot.py'").command == (sys.executable, "-S", "my bot.py")
    Path("python3 bot.py").write_text("def choose(observation):\n    return observation.moves[0]\n")
    assert fs.agent("python3 bot.py").file == Path("python3 bot.py")  # a file of that name is one
    with pytest.raises(fs.SpecError, match="did you mean mo-ismcts"):
        fs.agent("mo-ismtcs")
    with pytest.raises(fs.SpecError, match="takes no parameters"):
        fs.agent("./bot", depth=3)


def test_a_program_given_as_a_file_is_told_how_it_is_given():
    with pytest.raises(
        fs.AgentError, match='has no agent: it needs .*; a program of its own is given as a command, "python3 FILE"'
    ):
        fs.match("kuhn", [EXAMPLES / "bot.py", "random"], games=2, seed=0)


def test_objects_play_in_the_process_that_they_are_of():
    def first(observation):
        return observation.moves[0]

    with pytest.raises(
        fs.SpecError, match="first is an object of this process, and cannot play in another; name a file"
    ):
        fs.match("kuhn", [first, "random"], games=2, seed=0, apart=True)


def test_a_match_of_another_kind_or_with_changed_bots_is_not_resumed(bot, tmp_path):
    store = tmp_path / "games.jsonl"
    command = bot()
    fs.match("kuhn", [command, "random"], games=2, seed=0, store=store)
    assert store.stat().st_mode & 0o077 == 0  # in it is the seed
    assert fs.match("kuhn", [command, "random"], games=4, seed=0, store=store, resume=True).played == 2
    bot("def move(told): return {'type': 'move', 'move': told['moves'][-1]}")
    with pytest.raises(fs.FileError, match="plays by has changed"):
        fs.match("kuhn", [command, "random"], games=6, seed=0, store=store, resume=True)
    (tmp_path / "mine.py").write_text(FILE)
    fs.match("kuhn", [tmp_path / "mine.py", "random"], games=2, seed=0, store=tmp_path / "mine.jsonl")
    with pytest.raises(fs.FileError, match="not ours and play together are none, not mine.py"):
        fs.match(
            "kuhn",
            [tmp_path / "mine.py", "random"],
            games=2,
            seed=0,
            store=tmp_path / "mine.jsonl",
            resume=True,
            apart=False,
        )


# processes


def test_no_process_is_left_when_a_match_ends(bot, tmp_path):
    deed = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\nif os.fork() == 0: time.sleep(60)"
    assert not fs.match("kuhn", [bot(deed), "random"], games=4, seed=0).forfeits
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= 2
    assert ends_soon(*pids)


DAEMON = """
def daemon():
    if os.fork() == 0:
        os.setsid()
        for name in ("", "a child of its own"):
            if os.fork() == 0:
                open(PIDS, "a").write(f"{os.getpid()} ")
                os.closerange(0, 3)
                time.sleep(60)
        os._exit(0)
    os.wait()
    while not os.path.exists(PIDS) or len(open(PIDS).read().split()) < 2:
        time.sleep(0.01)
"""


@linux
@pytest.mark.parametrize("end", ["pass", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_what_leaves_the_session_of_a_bot_ends_with_it(bot, tmp_path, end):
    deed = (
        DAEMON.replace("PIDS", repr(str(tmp_path / "pids")))
        + f"daemon()\ndef move(told):\n    {end}\n    return {{'type': 'move', 'move': 0}}"
    )
    result = fs.match("kuhn", [bot(deed), "random"], games=2, seed=0, notice=lambda _: None)
    told = {"pass": [], "os._exit(3)": ["exit code 3"], "os.kill(os.getpid(), 9)": ["signal 9, SIGKILL"]}[end]
    assert [re.search(r"\((.*)\)", one["reason"])[1] for one in result.forfeits][:1] == told
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= 2
    assert ends_soon(*pids)


SCRIPT = """
import sys
from fogspiel.evaluate.match import match
from fogspiel.experiment import FixedDeals, Matches, Scale
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store
if __name__ == "__main__":
    shown = lambda _, done, total: print(done, flush=True)
    result = match("kuhn", [COMMAND, "random"], games=1_000_000, seed=0, workers=int(sys.argv[1]), progress=shown)
    print(result.stopped)
"""


@linux
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_match_however_that_ends(bot, tmp_path, workers, end):
    deed = (
        f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\ndef move(told):\n    "
        f"time.sleep(0.02)\n    return {{'type': 'move', 'move': 0}}"
    )
    (tmp_path / "script.py").write_text(SCRIPT.replace("COMMAND", repr(bot(deed))))
    run = subprocess.Popen(
        [sys.executable, tmp_path / "script.py", str(workers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while run.stdout.readline().strip() != "4":
        assert run.poll() is None, run.stderr.read()
    run.send_signal(end)
    out, err = run.communicate(timeout=20)
    if end == signal.SIGINT:
        assert (out.split()[-1], err) == ("interrupted", "")
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= 2
    assert ends_soon(*pids)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("node") is None, reason="needs root, and node"
)
def test_as_root_a_bot_is_a_user_of_its_own_which_can_read_nothing_of_the_match(tmp_path):
    folder = Path(tmp_path)
    deed = """
const fs = require("fs"), os = require("os");
const tried = { uid: process.getuid(), tmp: fs.readdirSync("/tmp") };
for (const [name, file] of [["memory", "/proc/MATCH/mem"], ["environ", "/proc/MATCH/environ"], ["file", FILE]])
  try { fs.closeSync(fs.openSync(file)); tried[name] = "read"; } catch (error) { tried[name] = error.code; }
const fault = { type: "fault", reason: JSON.stringify(tried) };
const answers = { hello: { type: "ready" }, game: { type: "ready" }, move: fault };
const answer = (line) => process.stdout.write(JSON.stringify(answers[JSON.parse(line).type]) + "\\n");
require("readline").createInterface({ input: process.stdin }).on("line", answer);
"""
    secret = folder / "secret"
    secret.write_text("the seed")
    code = deed.replace("MATCH", str(os.getpid())).replace("FILE", json.dumps(str(secret))).replace("\n", " ")
    here = Path.cwd()
    os.chdir("/")
    try:
        result = fs.match("matrix", [f"node -e '{code}'", "random"], games=2, seed=0, notice=lambda _: None)
    finally:
        os.chdir(here)
    tried = json.loads(result.forfeits[0]["reason"])
    assert tried["uid"] in process.USERS
    assert (tried["memory"], tried["environ"]) == ("EACCES", "EACCES")
    assert tried["file"] in ("EACCES", "ENOENT")
    assert result.secrecy == () or "shares" in result.secrecy[0]


def test_what_cannot_be_kept_apart_is_told(bot, monkeypatch):
    process._kept.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    command = bot()
    result = fs.match("kuhn", [command, "random"], games=2, seed=0)
    process._kept.cache_clear()
    assert len(result.secrecy) == 1
    assert result.secrecy[0].startswith(f"{command} plays as the user ")
    assert result.secrecy[0].endswith("only root can give it a user of its own")
    assert result.secrecy[0] in str(result)


@pytest.mark.parametrize(("deals", "processes"), [(None, 2), (2, 4)])
def test_in_an_experiment_files_play_apart_and_no_process_sees_a_deal_twice(tmp_path, monkeypatch, deals, processes):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "import os\nopen(f'pid-{os.getpid()}', 'w').close()\ndef choose(observation):\n    return "
        "observation.moves[0]\n"
    )
    how = {"about": "who plays", "games": "kuhn", "agents": ["mine.py", "random"], "measure": "utility"}
    how |= {"scales": {"small": Scale(4)}} | ({} if deals is None else {"deals": FixedDeals(deals)})
    outcome = run(Matches(**how), "x", "x.sqlite")
    assert outcome.counts["done"] == 8
    with Store("x.sqlite") as store:
        told = store.base.execute("SELECT versions FROM cell").fetchall()
    assert all(json.loads(versions)["process of mine.py"] == "its own" for (versions,) in told)
    mine = [name for name in os.listdir() if name.startswith("pid-") and name != f"pid-{os.getpid()}"]
    assert len(mine) >= processes  # beside the one that is asked whether it suits the game
    assert f"pid-{os.getpid()}" not in os.listdir()
