"""The command line, as a new user meets it and as a careless one does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

import fogspiel as fs
from fogspiel.app import cli, icaruses, show
from fogspiel.solvers.registry import SOLVERS

COMMAND = [sys.executable, "-c", "from fogspiel.app.cli import main; main()"]
RESULT = {
    "game",
    "algorithm",
    "seed",
    "iterations",
    "seconds",
    "value",
    "nash_conv",
    "exploitability",
    "curve",
    "stopped",
    "touched",
}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")

COIN = '''
"""Coin poker: player 0 sees a coin and bets or folds; player 1 does not see it, and calls or folds."""
import numpy as np
from fogspiel.game import CHANCE, OVER, About, Whole, mix

PARAMETERS = (Whole("bet", 1, 1, 100, "chips that a bet adds to the ante of 1"),)
State = np.dtype([("bet", "i1"), ("coin", "i1"), ("turn", "i1"), ("folded", "i1")], align=True)

def about(bet):
    return About(players=2, utility=(-1 - bet, 1 + bet))

def start(s):
    s.coin, s.turn, s.folded = -1, CHANCE, -1

def actor(s):
    return s.turn

def moves(s, out):
    out[0], out[1] = 0, 1
    return 2

def play(s, move):
    if s.turn == CHANCE:
        s.coin, s.turn = move, 0
    elif move == 0:
        s.folded, s.turn = s.turn, OVER
    else:
        s.turn = 1 if s.turn == 0 else OVER

def payoff(s, out):
    won = 1 + s.bet if s.coin == 0 else -1 - s.bet
    if s.folded >= 0:
        won = -1 if s.folded == 0 else 1
    out[0], out[1] = won, -won

def infoset(s, player):
    key = mix(s.turn, s.folded)
    return mix(key, s.coin) if player == 0 else key
'''


class Ended:
    """What a command left: its exit status, standard output and standard error."""

    def __init__(self, status: int, out: str, err: str):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> dict:
        return strict_json(self.out)


def strict_json(text: str) -> dict:
    """JSON as the standard has it, without NaN and Infinity."""

    def refuse(word: str):
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def fogspiel(monkeypatch, capsys, tmp_path):
    """Run a command within this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(show.console, "width", 1000)

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["fogspiel", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        return Ended(int(stop.value.code or 0), out, err)

    return run


def outside(*arguments: object, **options) -> Ended:
    """Run a command in a process of its own."""
    done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=200, **options)
    return Ended(done.returncode, done.stdout, done.stderr)


def assert_one_sentence(ended: Ended, *words: str, status: int = 2) -> None:
    assert ended.status == status, ended.err
    progress = ("unrolling ", "walking ", "compiling ")  # told where the machine is slow
    sentences = [line for line in ended.err.splitlines() if not line.startswith(progress)]
    assert len(sentences) == 1, ended.err
    assert sentences[0].startswith("fogspiel: ")
    for word in words:
        assert word in sentences[0]


# what every command prints


def test_the_installed_program_tells_its_version(tmp_path):
    ended = outside("--version", cwd=tmp_path)
    assert (ended.status, ended.out, ended.err) == (0, f"fogspiel {fs.__version__}\n", "")


def test_help_names_every_command_and_every_command_has_help(fogspiel):
    names = [c.name or c.callback.__name__ for c in cli.app.registered_commands]
    names += [group.name for group in cli.app.registered_groups]
    overview = fogspiel("--help").out
    assert overview.index("\n  run ") < overview.index("\n  results ") < overview.index("\n  bench ")
    assert {"games", "algorithms", "solve", "evaluate", "check", "demo", "cache"} <= set(names)
    for name in names:
        assert re.search(rf"^  {name} ", overview, re.MULTILINE)
        ended = fogspiel(name, "-h")
        assert ended.status == 0
        assert "Usage: " in ended.out


def test_games_lists_every_game_on_a_line_of_its_own():
    lines = outside("games", env={k: v for k, v in os.environ.items() if k != "COLUMNS"}).out.splitlines()
    for name in fs.built_in_games():
        (line,) = [line for line in lines if line.split(" ")[0] == name]
        assert len(line.split()) > 3
    assert len(lines) <= len(fs.built_in_games()) + 4


def test_a_game_is_described_with_its_parameters_and_sizes(fogspiel):
    out = fogspiel("games", "kuhn").out
    assert "2 to 10" in out
    assert re.search(r"^histories +58$", out, re.MULTILINE)
    assert re.search(r"^information sets +12$", out, re.MULTILINE)


def test_a_game_too_large_to_count_is_described_without_sizes(fogspiel):
    facts = fogspiel("games", "goofspiel(cards=9)", "--json", "-").json
    assert facts["sizes"] is None
    assert "too large" in facts["too_large"]
    assert facts["parameters"][0]["value"] == 9


def test_values_with_brackets_are_shown_as_they_are(fogspiel, tmp_path):
    game = "matrix(payoffs=[[0,1],[-1,0]])"
    (tmp_path / "[red]").mkdir()
    for path in (Path("[red]/x.fog"), Path("[", "x].fog")):
        path.parent.mkdir(exist_ok=True)
        ended = fogspiel("solve", game, "-n", 5, "--save", path)
        assert ended.status == 0
        assert ended.out.startswith(f"{game}, cfr+: ")
        assert ended.out.splitlines()[-2].split() == ["strategy", str(path)]
        assert ended.out.splitlines()[-1].endswith(f"fogspiel show '{path}'")
    assert "[[0,1],[-1,0]]" in fogspiel("games", game).out
    assert fogspiel("evaluate", game, "[red]/x.fog").out.startswith(game)


def test_algorithms_lists_every_solver_and_tells_of_each_all_that_can_be_asked(fogspiel):
    ended = fogspiel("algorithms")
    for name, entry in SOLVERS.items():
        assert re.search(rf"^{re.escape(name)} ", ended.out, re.MULTILINE)
        told = fogspiel("algorithms", name).out
        for p in entry.parameters:
            usual = f"{p.default:g}" if isinstance(p.default, float) else str(p.default)
            assert re.search(rf"^{p.name} +{re.escape(usual)} ", told, re.MULTILINE), (name, p.name)
    listed = fogspiel("algorithms", "--json", "-").json["algorithms"]
    assert [row["name"] for row in listed] == list(SOLVERS)


def plain(out: str) -> str:
    """What is printed, however its lines are broken."""
    return " ".join(out.split())


def test_solvers_and_agents_tell_what_they_need_of_a_game(fogspiel):
    assert "needs two players, a game small enough to unroll, a zero-sum game, perfect" in plain(
        fogspiel("algorithms", "lp").out
    )
    assert "\nchance=paired needs the rule mirror\n" in fogspiel("algorithms", "cs-mccfr").out
    assert fogspiel("algorithms", "pcs-mccfr", "--json", "-").json["needs"][1] == "the rule private"
    assert "a zero-sum game, a game of perfect information and the range of utilities" in plain(
        fogspiel("agents", "star1").out
    )
    told = fogspiel("agents", "sm-mcts", "--json", "-").json
    assert told["settings_need"]["bandit=rm"] == ["two players", "a zero-sum game"]


def test_solve_prints_the_value_the_exploitability_and_why_it_stopped(fogspiel):
    out = fogspiel("solve", "kuhn", "-a", "lp").out
    assert out.startswith("kuhn, lp: exact\n")
    assert "-0.055555556  +0.055555556" in out
    assert "stopped after the iterations asked for" in fogspiel("solve", "kuhn", "-n", 7).out
    assert "iterations      1,000 in" in fogspiel("solve", "kuhn").out


@pytest.mark.parametrize(
    ("options", "stopped"),
    [
        (["-n", "20"], "iterations"),
        (["--seconds", "0.01"], "seconds"),
        (["--until", "nash_conv=0.01"], "nash_conv"),
        (["--until", "exploitability=0.005"], "exploitability"),
        (["-a", "lp"], "exact"),
        (["--seconds", "inf", "-n", "20"], "iterations"),
    ],
)
def test_a_result_says_why_it_stopped(fogspiel, options, stopped):
    result = fogspiel("solve", "kuhn", "--json", "-", *options).json
    assert result["stopped"] == stopped
    if stopped == "iterations":
        assert result["iterations"] == 20
    if stopped in ("nash_conv", "exploitability"):
        assert result["nash_conv"] <= 0.01 < result["curve"][-2]["nash_conv"]


def test_no_iterations_give_the_strategy_that_solvers_start_from(fogspiel):
    for limit in (["-n", "0"], ["--seconds", "0"]):
        result = fogspiel("solve", "kuhn", "--json", "-", *limit).json
        assert result["iterations"] == 0
        assert result["value"] == pytest.approx([1 / 8, -1 / 8])


def test_json_on_standard_output_is_all_that_is_there(tmp_path):
    ended = outside("solve", "kuhn", "--json", "-", "--save", "kuhn.fog", "--seed", 7, cwd=tmp_path)
    assert ended.status == 0
    result = ended.json
    assert result.keys() >= RESULT
    assert (result["game"], result["algorithm"], result["seed"], result["iterations"]) == ("kuhn", "cfr+", 7, 1000)
    assert result["curve"][-1]["nash_conv"] == result["nash_conv"]
    assert result["curve"][0].keys() == {"iterations", "seconds", "touched", "nash_conv"}
    assert (tmp_path / "kuhn.fog").exists()


def test_json_in_a_file_holds_the_same_and_the_result_is_printed_as_well(fogspiel):
    ended = fogspiel("solve", "kuhn", "--json", "r.json")
    assert ended.out.splitlines()[-1].split() == ["result", "r.json"]
    written, printed = strict_json(Path("r.json").read_text()), fogspiel("solve", "kuhn", "--json", "-").json
    assert written.keys() == printed.keys()
    assert [written[k] for k in ("value", "nash_conv")] == [printed[k] for k in ("value", "nash_conv")]


def test_json_without_a_file_is_on_standard_output_too(fogspiel):
    listed = fogspiel("games", "--json", "-").json
    assert fogspiel("games", "--json").json == listed
    assert fogspiel("games", "--json", "--unchecked").json == listed


def test_every_listing_and_report_is_one_json_object(fogspiel):
    assert [row["name"] for row in fogspiel("games", "--json", "-").json["games"]] == fs.built_in_games()
    assert fogspiel("games", "kuhn", "--json", "-").json["sizes"]["histories"] == 58
    assert fogspiel("check", "kuhn", "--playouts", 5, "--histories", 0, "--json", "-").json["game"] == "kuhn"


def test_progress_goes_to_standard_error(fogspiel, monkeypatch):
    monkeypatch.setattr(show.Watch, "_due", lambda self: not self.quiet)
    ended = fogspiel("solve", "kuhn", "-n", 50)
    assert "it/s" in ended.err
    assert "it/s" not in ended.out
    assert len(ended.out.splitlines()) == 5
    assert fogspiel("solve", "kuhn", "-n", 50, "--json", "-").err == ""


def test_evaluate_measures_what_solve_found(fogspiel):
    result = fogspiel("solve", "kuhn", "-n", 50, "--save", "k.fog", "--json", "-").json
    facts = fogspiel("evaluate", "kuhn", "k.fog", "--json", "-").json
    assert facts["nash_conv"] == pytest.approx(result["nash_conv"], abs=1e-15)
    assert facts["value"] == pytest.approx(result["value"], abs=1e-15)
    assert sum(facts["gain"]) == pytest.approx(facts["nash_conv"], abs=1e-12)
    assert min(facts["gain"]) >= 0
    assert facts["information_sets_not_in_strategy"] == 0
    out = fogspiel("evaluate", "kuhn", "k.fog").out
    assert f"{facts['best_response'][0]:+.9f}" in out
    assert "uniformly" not in out


def test_icaruses_are_compared_by_their_records(fogspiel, tmp_path):
    picture = tmp_path / "sharing.svg"
    told = fogspiel("icarus", "rave>mast", "amaf", "--plot", str(picture)).out
    assert "rave>mast keeps UCT's guarantee" in told
    assert "amaf does not keep UCT's guarantee" in told
    assert picture.read_text().startswith("<?xml")
    everyone = fogspiel("icarus", "--depth", 1).out
    assert "proven=yes" in everyone
    assert "Left out: icarus=epic needs the rule episode; tic_tac_toe has none." in everyone
    assert_one_sentence(fogspiel("icarus", "rav"), "there is no ICARUS rav", "did you mean rave?")
    assert_one_sentence(fogspiel("icarus", "rave>mast+epic"), "tic_tac_toe has none; try --game", "dou_di_zhu, hearts,")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("icarus --depth 1", ["contextual", "proven=yes", "availability", "correlated", "roulette"]),
        ("agents mo-ismcts", ["mo-ismcts", "observer"]),
        ("algorithms dcfr", ["needs", "abstraction"]),
    ],
)
def test_eighty_columns_are_enough_for_whole_words(fogspiel, monkeypatch, command, words):
    monkeypatch.setattr(show.console, "width", 80)
    out = fogspiel(*command.split()).out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert {*words} <= {word.strip(",;:.") for word in re.split(r"[\s-]", out)} | {*out.replace(":", " ").split()}


def test_every_icarus_has_a_picture_unless_it_does_not_tell_what_it_reads(fogspiel, tmp_path):
    own = tmp_path / "my_icarus.py"
    own.write_text(
        "ACTS = 'playout'\ndef policy(game, search, s, n):\n    return 0\ndef capture(game, search, s):\n    pass\n"
    )
    given = ["nast(n=2)", "nast(n=3)", "rave>mast", str(own)]
    facts, drawn = icaruses.compare(given, "tic_tac_toe", 2, 2)
    assert [title for title, _ in drawn] == ["nast(n=2)", "nast(n=3)", "rave>mast: rave", "rave>mast: mast"]
    assert facts["icaruses"][-1]["parts"][0]["correlated"] is None
    assert_one_sentence(fogspiel("icarus", own, "--plot", "sharing.svg"), "nothing to draw")
    assert "my_icarus: which nodes share records is not told: no function read." in fogspiel("icarus", own).out


def test_recall_tells_whether_an_abstraction_is_well_formed(fogspiel):
    assert "bluff(faces=2,remember=1): not well-formed" in fogspiel("recall", "bluff(faces=2,remember=1)").out
    facts = fogspiel("recall", "kuhn", "--json", "-").json
    assert (facts["well_formed"], facts["violated"], facts["factor"]) == (True, [], [6, 6])
    sizes = fogspiel("games", "bluff(remember=4)", "--json", "-").json["sizes"]
    assert (sizes["information_sets"], sizes["abstract_information_sets"]) == (24576, 6744)


def test_the_states_of_an_endless_game_are_told_and_written(fogspiel):
    """H on four cells, as printed with coarse sweeps (Veselý 2024, fig. 5.5) and exact."""
    game = "blind_pursuit(width=2,height=2,pursuers=1,wait=no)"
    ended = fogspiel("horizon", game, "--kind", "h", "--threshold", 1, "--save", "rewards.txt", "--json", "out.json")
    assert "0 3" in ended.out
    assert f"{game}: what states are worth in the endless game, h: half of what" in ended.out
    assert "discount 0.9 (that of the game is 1); swept until none changes by 1\n" in ended.out
    values = strict_json(Path("out.json").read_text())["values"]
    value = values["0 3"]
    assert (value, values["2 1"]) == pytest.approx((-40.8647, -40.8891), abs=1e-4)
    assert f"0 3\n{value!r}\n" in Path("rewards.txt").read_text()
    exact = fogspiel("horizon", game, "--kind", "h", "--jacobi", "--json", "-").json["values"]["0 3"]
    assert exact == pytest.approx(-22.5 / 0.55)
    solved = fogspiel("solve", f"{game[:-1]},rewards_file=rewards.txt)", "-a", "lp-one-sided", "--json", "-").json
    assert solved["value"][0] == pytest.approx(-100 * 7 / 8 + value / 8, abs=0.1)
    assert_one_sentence(fogspiel("horizon", "kuhn"), "needs a game without an end (rule markov); kuhn has one")


def test_a_bounded_strategy_is_measured_in_the_endless_game(fogspiel):
    game = "patrolling(rounds=3,loss=0,discount=0.9,horizon=rn)"
    fogspiel("solve", game, "-a", "lp-one-sided", "--save", "guard.fog")
    ended = fogspiel("endless", game, "guard.fog", "--json", "out.json")
    assert "best response        41.33" in ended.out
    facts = strict_json(Path("out.json").read_text())
    assert (facts["player"], facts["beyond"], facts["horizon"], facts["rounds"]) == (0, "uniform", "rn", 3)
    assert facts["loss"][1] == pytest.approx(facts["response"] - facts["lower"])
    ended = fogspiel("endless", game, "--rounds", "2,3", "--plot", "gap.svg", "--json", "out.json")
    assert Path("gap.svg").stat().st_size > 1000
    rows = strict_json(Path("out.json").read_text())["horizons"]
    assert [(row["rounds"], row["horizon"]) for row in rows] == [(n, k) for n in (2, 3) for k in ("0", "v", "h", "rn")]
    assert rows[-1]["response"] == pytest.approx(facts["response"], abs=1e-5)
    assert_one_sentence(fogspiel("endless", game, "--rounds", "two"), "--rounds takes whole numbers")
    assert_one_sentence(fogspiel("endless", "patrolling"), "its discount must be below 1")


def test_check_passes_a_sound_game_and_fails_a_broken_one(fogspiel):
    ended = fogspiel("check", "kuhn", "--playouts", 20)
    assert ended.status == 0
    assert "kuhn conforms" in ended.out
    Path("broken.py").write_text(COIN.replace("out[0], out[1] = won, -won", "out[0], out[1] = won, won"))
    ended = fogspiel("check", "broken.py", "--playouts", 20, "--json", "r.json")
    assert ended.status == 1
    assert "FAIL" in ended.out
    assert "fogspiel:" not in ended.err  # at most progress, where the machine is slow
    assert strict_json(Path("r.json").read_text())["ok"] is False


def test_check_prints_failures_first_and_passes_in_a_line_unless_asked(fogspiel):
    Path("broken.py").write_text(COIN.replace("out[0], out[1] = won, -won", "out[0], out[1] = won, won"))
    short = fogspiel("check", "broken.py", "--playouts", 20).out.splitlines()
    assert short[0].startswith("FAIL")
    assert sum(line.startswith("passed: ") for line in short) == 1
    assert not [line for line in short if line.startswith("ok")]
    full = fogspiel("check", "broken.py", "--playouts", 20, "-v").out.splitlines()
    assert full[0] == short[0]
    assert len([line for line in full if line.startswith("ok")]) > 10
    assert full[-1] == short[-1]


def test_the_demo_leaves_a_strategy_and_a_picture(fogspiel):
    folder = Path("new", "demo of [bold] things")
    ended = fogspiel("demo", "--folder", folder)
    assert ended.status == 0
    assert str(folder / "leduc.fog") in ended.out
    assert "-0.085606424078" in ended.out
    assert fs.nash_conv("leduc", fs.read(folder / "leduc.fog")) < 1e-3
    picture = matplotlib.image.imread(folder / "convergence.png")
    assert min(picture.shape[:2]) > 500
    # four curves on white: most of it is background, and each colour of the palette shows
    assert 0.8 < (picture[..., :3] == 1).all(axis=2).mean() < 0.99
    for colour in ("0072B2", "D55E00", "009E73", "CC79A7"):
        rgb = np.array([int(colour[i : i + 2], 16) for i in (0, 2, 4)]) / 255
        assert (np.abs(picture[..., :3] - rgb) < 0.01).all(axis=2).sum() > 100


@pytest.mark.parametrize(("name", "magic"), [("c.png", b"\x89PNG"), ("c.PDF", b"%PDF"), ("c.svg", b"<?xml")])
def test_a_curve_is_drawn_in_the_format_of_its_name(fogspiel, name, magic):
    assert fogspiel("solve", "kuhn", "-n", 50, "--plot", name).status == 0
    assert Path(name).read_bytes().startswith(magic)


def test_what_has_no_curve_is_not_drawn(fogspiel):
    # value iteration has no tree to measure exploitability on
    ended = fogspiel("solve", "pig(target=10)", "-a", "value-iteration", "--plot", "c.png")
    assert_one_sentence(ended, "cannot draw c.png", "no NashConv was measured")
    assert "exact" in ended.out
    assert not Path("c.png").exists()


def test_the_cache_is_told_of_and_cleared_without_touching_other_files(fogspiel, monkeypatch, tmp_path):
    monkeypatch.setenv("FOGSPIEL_CACHE", str(tmp_path / "cache"))
    assert fogspiel("cache").out == f"0 files, 0 KiB, in {tmp_path / 'cache'}\n"
    (tmp_path / "cache").mkdir()
    ours, theirs = tmp_path / "cache" / f"rules-kuhn-{'0123456789abcdef' * 2}.o", tmp_path / "cache" / "main.o"
    for file in (ours, theirs):
        file.write_bytes(bytes(2048))
    assert fogspiel("cache").out.startswith("1 files, 2 KiB, in ")
    assert fogspiel("cache", "--clear").out.startswith("removed 1 files")
    assert not ours.exists()
    assert theirs.exists()


def test_user_games_work_from_any_folder_with_any_letters(fogspiel, tmp_path):
    folder = tmp_path / "Spiele für Zoë 牌"
    folder.mkdir()
    (folder / "my coin.py").write_text(COIN)
    game = f"{folder / 'my coin.py'}(bet=3)"
    ended = fogspiel("solve", game, "-a", "lp", "--save", folder / "Lösung 1.fog", "--json", folder / "ü.json")
    assert ended.status == 0
    assert strict_json((folder / "ü.json").read_text())["value"][0] == pytest.approx(3 / 5)
    assert "exploitability 0.0000" in fogspiel("evaluate", game, folder / "Lösung 1.fog").out
    assert_one_sentence(
        fogspiel("evaluate", folder / "my coin.py", folder / "Lösung 1.fog"), "was made for my coin(bet=3)"
    )


def test_resuming_from_a_checkpoint_ends_where_one_run_ends(fogspiel):
    fogspiel("solve", "kuhn", "-n", 20, "--checkpoint", "c.fog")
    resumed = fogspiel(
        "solve", "kuhn", "-n", 45, "--resume", "c.fog", "--checkpoint", "c.fog", "--save", "a.fog", "--json", "-"
    ).json
    straight = fogspiel("solve", "kuhn", "-n", 45, "--save", "b.fog", "--json", "-").json
    assert resumed["nash_conv"] == straight["nash_conv"]
    assert np.array_equal(fs.read("a.fog").prob, fs.read("b.fog").prob)
    assert fogspiel("solve", "kuhn", "-n", 0, "--resume", "c.fog", "--json", "-").json["iterations"] == 45
    assert (resumed["resumed"], straight["resumed"]) == (20, 0)


def test_a_checkpoint_with_all_that_was_asked_for_is_told_with_its_result(fogspiel):
    fogspiel("solve", "kuhn", "-n", 1200, "--checkpoint", "c.fog")
    out = fogspiel("solve", "kuhn", "--resume", "c.fog").out
    assert "nothing left to do: the checkpoint has 1,200 iterations already; ask for more with -n" in out
    assert "exploitability  " in out
    assert "stopped after the iterations asked for" in fogspiel("solve", "kuhn", "-n", 1201, "--resume", "c.fog").out
    help_text = " ".join(fogspiel("solve", "--help").out.split())
    assert "those before a resume included. Default: 1000" in help_text


def test_who_cannot_have_the_exploitability_is_told_how_to_bound_it(fogspiel):
    out = fogspiel("solve", "goofspiel(cards=9)", "-a", "os-mccfr", "-n", 100, "--memory", "1G").out
    assert "keep the strategy with --save, and fogspiel bound estimates it" in out
    assert "too large" not in fogspiel("solve", "kuhn", "-a", "os-mccfr", "-n", 100, "--no-measure").out


def test_a_check_that_stopped_early_does_not_tell_of_too_many_histories(fogspiel):
    Path("broken.py").write_text(COIN.replace("out[0], out[1] = won, -won", "out[0], out[1] = won, -s.wom"))
    out = fogspiel("check", "broken.py", "--playouts", 20).out
    assert out.splitlines()[-1].endswith("(0 random games, stopped where rules failed)")
    assert "there is no field wom; " in out
    assert "StateView" not in out


# bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve nosuch", ["no game 'nosuch'", "choose from", "backgammon", "more"]),
        ("solve kun", ["did you mean kuhn?"]),
        ("solve kuhn(cards=3)", ["kuhn has no parameter cards", "players"]),
        ("solve kuhn(players=99)", ["players=99", "2 to 10"]),
        ("solve kuhn(players=two)", ["whole number", "'two'"]),
        ("solve goofspiel(order=sideways)", ["descending, ascending, random"]),
        ("solve kuhn(players", ["closing bracket"]),
        ("solve nofile.py", ["no game file nofile.py"]),
        ("solve kuhn -a nosuch", ["no algorithm 'nosuch'", "cfr+"]),
        ("solve kuhn -a dcfr(alpha=x)", ["alpha must be a number"]),
        ("solve kuhn -a cfr+(gamma=nan)", ["gamma must be a number, not 'nan'"]),
        ("solve kuhn -a lp(x=1)", ["lp has no parameter x"]),
        ("solve kuhn -n -1", ["iterations must be a whole number of at least 0, not -1"]),
        ("solve kuhn -n 1.5", ["iterations must be a whole number", "1.5"]),
        ("solve kuhn --seed -1", ["seed must be a whole number from 0 to 2^64 - 1, not -1"]),
        ("solve kuhn --seed 18446744073709551616", ["seed must be", "18446744073709551616"]),
        ("solve kuhn --memory 99999999999G", ["memory must be at most 262144G, not 99999999999G"]),
        ("solve kuhn --memory 257T", ["memory must be at most 256T, not 257T"]),
        ("solve kuhn --until 0.01", ["until must name its measure, nash_conv=X", "or exploitability=X", "not '0.01'"]),
        ("solve kuhn --until gap=1", ["until must name its measure", "not gap=1"]),
        ("solve kuhn --until nash_conv=-1", ["nash_conv in until must be a number of at least 0, not -1"]),
        (
            "solve kuhn --until nash_conv=0",
            ["until nash_conv=0 alone may never end", "give iterations or seconds as well"],
        ),
        ("solve kuhn --iterations ten", ["iterations must be a whole number", "ten"]),
        ("solve kuhn --memory 0", ["no size"]),
        ("solve kuhn --memory much", ["'much' is no size", "512M"]),
        ("solve kuhn -a es-mccfr --threads 0", ["threads must be a whole number from 1 to 256, not 0"]),
        ("match kuhn random random --seed -1", ["seed must be"]),
        ("match kuhn random random --games 0", ["games must be a whole number of at least 1, not 0"]),
        ("match kuhn random random --move-time nan", ["move-time must be a number above 0, not nan"]),
        ("think kuhn mo-ismcts --seed -1", ["seed must be"]),
        ("play kuhn --seat random --seat random --seed -1", ["seed must be"]),
        ("solve kuhn --seconds -1", ["seconds must be"]),
        ("solve kuhn --seconds nan", ["seconds must be", "nan"]),
        ("solve kuhn --until nash_conv=-1e-3", ["nash_conv in until must be", "-1e-3"]),
        ("solve kuhn --until nash_conv=nan", ["nash_conv in until must be", "nan"]),
        ("solve kuhn -a lp --until nash_conv=nan", ["nash_conv in until must be", "nan"]),
        ("solve kuhn -a lp --checkpoint c.fog", ["lp solves in one go"]),
        ("solve kuhn --resume nofile.fog", ["no file nofile.fog"]),
        ("solve kuhn --save nofolder/x.fog", ["cannot write nofolder/x.fog", "no folder nofolder"]),
        ("solve kuhn --json .", ["cannot write .", "it is a folder"]),
        ("solve kuhn --checkpoint a/b/c", ["cannot write a/b/c"]),
        ("solve kuhn --plot curve.gif", ["cannot draw to curve.gif", ".png, .pdf, .svg"]),
        ("solve kuhn --plot curve", [".png, .pdf, .svg"]),
        ("solve kuhn --save x.fog --json ./x.fog", ["two of the files"]),
        ("solve goofspiel(cards=6) --memory 1", ["goofspiel(cards=6) is too large", "1 MiB", "smaller parameters"]),
        ("evaluate goofspiel(cards=6) nofile", ["no file nofile"]),
        ("evaluate kuhn .", ["cannot read ."]),
        ("evaluate nosuch nofile", ["no file nofile"]),
        ("check nosuch", ["no game 'nosuch'"]),
        ("games kuhn(players=1)", ["2 to 10"]),
        ("games --json nofolder/x", ["cannot write nofolder/x"]),
    ],
)
def test_a_mistake_gets_one_sentence_and_a_status(fogspiel, arguments, words):
    ended = fogspiel(*arguments.split())
    assert_one_sentence(ended, *words)
    assert ended.out == ""
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("size", ["1", "1M", "1MiB", "1024k"])
def test_memory_is_given_in_the_usual_units(fogspiel, size):
    ended = fogspiel("solve", "goofspiel(cards=6)", "--memory", size)
    assert ended.status == 2
    assert "1 MiB" in ended.err
    assert fogspiel("solve", "kuhn", "--memory", "1G", "--iterations", "10").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        "solve kuhn --nosuch",
        "nosuch",
        "solve",
    ],
)
def test_a_mistake_in_the_options_gets_a_usage_message(fogspiel, arguments):
    ended = fogspiel(*arguments.split())
    assert ended.status == 2
    assert "Usage: " in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("game", "algorithm", "advice"),
    [
        ("kuhn(players=3)", "lp", "try cfr+"),
        ("kuhn(players=3)", "egt", "try cfr+"),
        ("kuhn(players=3)", "fp", "two players"),
        ("kuhn(players=3)", "backward-induction", "at most two players"),
        ("matrix(game=stag_hunt)", "lp-normal", "try cfr+"),
        ("goofspiel", "fp", "try lp or cfr+"),
        ("kuhn", "backward-induction", "try lp or cfr+"),
        ("kuhn", "value-iteration", "try lp or cfr+"),
        ("deadlock", "cfr+", "has players who forget"),
    ],
)
def test_an_algorithm_declines_a_game_it_is_not_made_for(fogspiel, game, algorithm, advice):
    assert_one_sentence(fogspiel("solve", game, "-a", algorithm), game, advice)


@POSIX
@pytest.mark.parametrize("algorithm", ["cfr+", "lp", "backward-induction"])
def test_a_game_with_cycles_is_declined_without_eating_the_memory(algorithm, tmp_path):
    import resource

    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    ended = outside("solve", "pig", "-a", algorithm, cwd=tmp_path, preexec_fn=little_memory)
    assert_one_sentence(ended, "pig", "cycles", "value-iteration")


def test_a_game_file_with_a_mistake_gets_one_sentence(fogspiel):
    for text, words in (
        ("def (", ["bad.py, line 1"]),
        ("import nosuchmodule", ["bad.py", "cannot be imported", "nosuchmodule"]),
        ("raise ValueError('one\\ntwo')", ["bad.py", "one two"]),
        ("x = 1", ["bad.py"]),
    ):
        Path("bad.py").write_text(text)
        assert_one_sentence(fogspiel("solve", "bad.py"), *words)


def test_a_path_that_leads_through_a_file_is_refused(fogspiel):
    Path("file").write_text("")
    assert_one_sentence(fogspiel("solve", "kuhn", "--save", "file/x.fog"), "cannot write file/x.fog")
    assert_one_sentence(fogspiel("demo", "--folder", "file"), "cannot make the folder file")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_folder_is_refused_before_the_work(fogspiel):
    Path("locked").mkdir(mode=0o555)
    ended = fogspiel("solve", "kuhn", "--save", "locked/x.fog")
    assert_one_sentence(ended, "cannot write locked/x.fog", "Permission denied")
    assert ended.out == ""
    assert_one_sentence(fogspiel("demo", "--folder", "locked"), "cannot write locked/leduc.fog")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_folder_that_takes_no_files_is_refused_before_the_work(fogspiel):
    ended = fogspiel("solve", "kuhn", "--save", "/proc/x.fog")
    assert_one_sentence(ended, "cannot write /proc/x.fog")
    assert ended.out == ""


# terminals, pipes, full disks


@pytest.mark.parametrize("arguments", [["games"], ["games", "kuhn"], ["solve", "kuhn", "--json", "-"]])
def test_a_reader_that_has_seen_enough_causes_no_complaint(arguments):
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 1
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["games"], ["solve", "kuhn", "--json", "-"]])
def test_output_to_a_full_disk_gets_one_sentence(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert_one_sentence(Ended(done.returncode, "", done.stderr), "No space left on device")


@POSIX
def test_closed_output_and_letters_it_cannot_show_do_no_harm(tmp_path):
    ended = outside("games", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert ended.status == 0
    assert "Lis\\xfd" in ended.out
    code = f"exec {sys.executable} -c '{COMMAND[-1]}' solve kuhn --save k.fog >&-"
    done = subprocess.run(code, shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0
    assert all(line.startswith("compiling ") for line in done.stderr.splitlines())
    assert len(fs.read(tmp_path / "k.fog")) == 12


def test_narrow_and_colourless_terminals_are_respected():
    colour = re.compile(r"\x1b\[[0-9;]*3[0-7]m")
    arguments = ("check", "kuhn", "--playouts", 1, "--histories", 0)
    shown = outside(*arguments, env=os.environ | {"FORCE_COLOR": "1", "COLUMNS": "30", "TERM": "xterm"})
    assert shown.status == 0
    assert colour.search(shown.out)
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in shown.out.splitlines()) <= 30
    plain = outside(*arguments, env=os.environ | {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm"})
    assert not colour.search(plain.out)
