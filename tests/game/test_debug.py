"""With debug=True rules run as ordinary Python, everywhere: they may print and raise, and they play as compiled ones
do."""

import re
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs

GAME = """import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix, pick
FIELDS = [("card", "i1"), ("turn", "i1"), ("said", "i1", 2),
    ("small", "i1"), ("word", "u8"), ("flag", "?"), ("share", "f4")]
State = np.dtype(FIELDS, align=True)

def about():
    return About(players=2, utility=(-2, 2))

def start(s):
    s.card = -1
    s.turn = 0
    s.small = 127
    s.word = 0

def actor(s):
    if s.card < 0:
        return CHANCE
    return s.turn if s.turn < 2 else OVER

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def chance(s, out, prob):
    out[0] = 0
    out[1] = 1
    prob[0] = 0.25
    prob[1] = 0.75
    return 2

def play(s, move):
    if s.card < 0:
        s.card = move
        return
    remember(s, move)
    s.turn += 1

def remember(s, move):
    s.said[s.turn] = move
    s.small += 100
    s.word = s.word * 12345678901234567 + move - 3
    s.flag = s.said[0]
    s.share = 0.1

def payoff(s, out):
    out[0] = 2 if s.said[0] == s.card else -1
    out[1] = -out[0]

def infoset(s, player):
    key = mix(mix(s.turn, s.small), s.word)
    return mix(key, s.card) if player == 0 else key

def resample(s, player, rng):
    if player == 1 and s.card >= 0:
        s.card = pick(rng, 2)
"""

FAILING = {
    "actor": "    return s.turn if s.turn < 2 else OVER",
    "moves": "    out[1] = 1\n    return 2\n\ndef chance",
    "chance": "    prob[1] = 0.75",
    "play": "        s.card = move",
    "payoff": "    out[1] = -out[0]",
    "infoset": "    key = mix(mix(s.turn, s.small), s.word)",
}


@pytest.fixture
def load(tmp_path):
    def make(text, debug=True):
        path = tmp_path / "game.py"
        path.write_text(text)
        return fs.load(path, debug=debug)

    return make


def failing(load, rule, exception="ValueError('oh no')"):
    """The game with a line that raises put into a rule, and the beginning of the error that must come."""
    line = FAILING[rule]
    assert GAME.count(line) == 1
    indent = " " * (len(line) - len(line.lstrip()))
    game = load(GAME.replace(line, f"{indent}if s.small != 0: raise {exception}  # here\n{line}"))
    return game, f"rule {rule} ({marked_line(game)}) failed: "


def marked_line(game):
    path = game.module.__file__
    return f"{path}, line {1 + Path(path).read_text().split('# here')[0].count(chr(10))}"


def test_an_exception_in_a_rule_surfaces_from_the_state(load):
    looks = {
        "actor": (lambda s: s.play(1) or s.actor, ", after the moves 1"),
        "moves": (lambda s: s.play(1) or s.moves(), ", after the moves 1"),
        "chance": (lambda s: s.chance(), ""),
        "play": (lambda s: s.play(1), ", after the moves 1"),
        "payoff": (lambda s: [s.play(m) for m in (1, 0, 1)] and s.payoff(), ", after the moves 1, 0, 1"),
        "infoset": (lambda s: s.key(0), ""),
    }
    for rule, (look, moves) in looks.items():
        game, beginning = failing(load, rule)
        with pytest.raises(fs.GameError) as caught:
            look(game.start())
        assert str(caught.value) == f"{beginning}ValueError: oh no{moves}"
        assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("rule", FAILING)
@pytest.mark.parametrize(
    "run",
    [lambda game: fs.playouts(game, 1000, hashed=True), fs.unroll, lambda game: fs.solve(game, "cfr", iterations=2)],
    ids=["playouts", "unroll", "solve"],
)
def test_an_exception_in_a_rule_surfaces_from_whatever_runs_it(load, rule, run):
    game, beginning = failing(load, rule)
    with pytest.raises(fs.GameError) as caught:
        run(game)
    one = ", after the moves [01]"
    moves = {"chance": "", "payoff": f"{one}, [01], [01]", "infoset": f"({one})?"}.get(rule, one)
    assert re.fullmatch(f"{re.escape(beginning)}ValueError: oh no{moves}", str(caught.value))


def test_an_exception_in_start_surfaces_when_the_game_is_loaded(load):
    with pytest.raises(fs.GameError, match=r"rule start \(.*game\.py, line 13\) failed: ZeroDivisionError"):
        load(GAME.replace("    s.small = 127", "    s.small = 1 // s.turn"))


def test_an_exception_in_resample_surfaces(load):
    game = load(GAME.replace("s.card = pick(rng, 2)", "s.card = pick(rng, 2) // 0"))
    s = game.start()
    s.play(0)
    with pytest.raises(
        fs.GameError,
        match=r"rule resample \(.*failed: Zero.*, after the moves 0, \(what player 1 .* redrawn with seed 7\)$",
    ):
        s.resample(1, np.array([7], np.uint64))


def test_an_exception_in_a_helper_is_found_in_the_helper(load):
    game = load(GAME.replace("s.said[s.turn] = move", "s.said[s.turn + 2] = move  # here"))
    with pytest.raises(fs.GameError) as caught:
        fs.unroll(game)
    assert (
        str(caught.value)
        == f"rule play, in remember ({marked_line(game)}) failed: an index outside its buffer, after the moves 0, 0"
    )


RARE = """
    if s.turn == 1 and s.card == 1 and move == 0:
        raise ValueError("never")
"""


def test_the_moves_that_lead_to_an_error_are_those_that_were_made(load):
    """Named as the game names them, in whatever runs it, and without a rule being run once more."""
    text = GAME.replace("    remember(s, move)\n", f"{RARE}    remember(s, move)\n").replace(
        "def actor(s):", "def actor(s):\n    print(end='.')"
    )
    game = load(
        text + "\ndef move_name(s, move):\n    return ('tails', 'heads')[move] if s.card < 0 else f'say {move}'\n"
    )
    for run in (
        fs.unroll,
        lambda game: fs.solve(game, "es-mccfr", iterations=50, seed=1),
        lambda game: fs.playouts(game, 99),
    ):
        with pytest.raises(
            fs.GameError, match=r"ValueError: never, after the moves heads \[1\], say [01].*, say 0 \[0\]$"
        ):
            run(game)


def test_a_promise_broken_in_debug_mode_is_told_with_the_moves(load):
    game = load(GAME.replace("out[1] = -out[0]", "out[1] = -out[0] + s.card"))
    with pytest.raises(fs.GameError, match=r"rule payoff .* sum to 1; .*, after the moves 1, [01], [01]$"):
        fs.unroll(game)


def test_a_state_that_was_not_played_to_is_told_by_its_fields(load):
    game, beginning = failing(load, "moves")
    data = np.frombuffer(game.root.tobytes(), game.dtype).copy()
    data["card"], data["turn"] = 1, 1
    with pytest.raises(fs.GameError) as caught:
        fs.State(game, data.view(np.uint8)).moves()
    assert str(caught.value).startswith(
        f"{beginning}ValueError: oh no, in the state (card=1, turn=1, said=[0, 0], small=127"
    )


def test_a_trail_that_is_full_keeps_the_way_to_where_play_is(load, monkeypatch):
    monkeypatch.setattr("fogspiel.game.interpreted.FEWEST", 4)
    monkeypatch.setattr("fogspiel.game.interpreted._ROOM", 0)
    game = load(GAME.replace("    remember(s, move)\n", f"{RARE}    remember(s, move)\n"))
    for _ in range(3):
        with pytest.raises(fs.GameError, match=r"ValueError: never, after the moves 1, [01], 0$"):
            fs.playouts(game, 99)


def test_a_field_that_is_not_there_is_an_error_and_not_a_new_one(load):
    game = load(GAME.replace("out[1] = -out[0]", "out[1] = -out[0] + s.nope"))
    with pytest.raises(fs.GameError, match=r"rule payoff .* failed: there is no field nope; the fields are "):
        fs.unroll(game)


def test_what_stops_a_program_is_passed_on_as_it_is(load):
    game, _ = failing(load, "play", "KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        fs.playouts(game, 1000)


def test_a_game_can_be_used_again_after_an_exception(load):
    game, _ = failing(load, "payoff")
    for _ in range(2):
        with pytest.raises(fs.GameError):
            fs.unroll(game)
    s = game.start()
    s.play(0)
    assert (s.actor, s.moves()) == (0, [0, 1])


def test_rules_may_print(load, capsys):
    game = load(
        GAME.replace("    s.card = -1\n", "    s.card = -1\n    print('a new game')\n").replace(
            "    remember(s, move)\n", "    print('player', s.turn, 'says', move)\n    remember(s, move)\n"
        )
    )
    assert capsys.readouterr().out == "a new game\n"
    s = game.start()
    for move in (1, 0, 1):
        s.play(move)
    assert capsys.readouterr().out == "player 0 says 0\nplayer 1 says 1\n"
    fs.playouts(game, 10)
    assert len(capsys.readouterr().out.splitlines()) == 20
    fs.unroll(game)
    assert len(capsys.readouterr().out.splitlines()) == 2 * (2 + 4)


def test_nothing_of_the_game_is_compiled(load, tmp_path, monkeypatch):
    monkeypatch.setenv("FOGSPIEL_CACHE", str(tmp_path / "cache"))
    s = load(GAME).start()
    s.play(0)
    assert s.moves() == [0, 1]
    assert not (tmp_path / "cache").exists()
    load(GAME, debug=False)
    assert len(list((tmp_path / "cache").glob("rules-game-*.o"))) == 1


def test_fields_wrap_around_and_round_as_in_machine_code(load):
    """Every kind of field after the same moves, byte for byte; padding is never written."""
    states = []
    for debug in (True, False):
        s = load(GAME, debug).start()
        for move in (1, 1, 0):
            s.play(move)
        assert s.view.small == (127 + 200 + 128) % 256 - 128
        states.append(s.data.tobytes())
    assert states[0] == states[1]


GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "goofspiel(cards=4)",
    "goofspiel(cards=3,order=random,bids=open)",
    "bluff(faces=3)",
    "tic_tac_toe",
    "phantom_tic_tac_toe",
    "oshi_zumo(coins=5)",
    "random_game(actions=2,depth=3)",
    "matrix",
    "hidden_coin",
    "deadlock",
    "pig(dice=1,target=10)",
]


@pytest.mark.parametrize("spec", GAMES)
def test_random_play_is_the_same_as_compiled(spec):
    """The trace hashes every key, move and payoff."""
    plain, compiled = (fs.playouts(fs.load(spec, debug=debug), 20, seed=7, hashed=True) for debug in (True, False))
    assert plain == compiled
    assert plain.trace != 0


@pytest.mark.parametrize(
    "spec",
    [
        "kuhn",
        "kuhn(players=3)",
        "leduc",
        "goofspiel(cards=3,order=random)",
        "bluff(faces=2)",
        "hidden_coin",
        "deadlock",
    ],
)
def test_the_tree_is_the_same_as_compiled(spec):
    plain, compiled = (fs.unroll(fs.load(spec, debug=debug), histories=True) for debug in (True, False))
    for name, values in vars(plain).items():
        if isinstance(values, np.ndarray):
            assert np.array_equal(values, getattr(compiled, name)), name
    for name in ("size", "chance_nodes", "depth", "utility", "zero_sum", "infosets", "pairs"):
        assert getattr(plain, name) == getattr(compiled, name), name
    for name, values in vars(plain.histories).items():
        assert np.array_equal(values, getattr(compiled.histories, name)), name


def test_a_solution_is_the_same_as_compiled():
    plain, compiled = (fs.solve(fs.load("kuhn", debug=debug), "cfr+", iterations=50) for debug in (True, False))
    assert plain.value == compiled.value
    assert plain.nash_conv == compiled.nash_conv
