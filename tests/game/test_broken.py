"""Games that break a rule in one of 4,096 deals: whoever meets that says which rule and after which moves, and whoever
does not has the true answer."""

import re
from functools import cache
from pathlib import Path

import pytest

import fogspiel as fs

RARE = Path(__file__).parent / "rare.py"
KINDS = fs.load(RARE, unchecked=True).declared[0].choices
FAIR = ("nothing", "moves-twice")
"""What random play has a true answer to: a move that is listed twice is another list to draw from."""


def game(kind):
    return fs.load(RARE, kind=kind, unchecked=True)


@cache
def sound():
    return fs.solve(game("nothing"), "cfr", iterations=2).strategy


def solved(algorithm, **how):
    return lambda kind: fs.solve(game(kind), algorithm, seed=1, points=1, **how).value


ENTRIES = {
    "cfr+": solved("cfr+", iterations=3),
    "lp": solved("lp"),
    "es-mccfr": solved("es-mccfr", iterations=30_000),
    "passes": lambda kind: (fs.nash_conv(game(kind), sound(), method="passes"),),
    "playouts": lambda kind: fs.playouts(game(kind), 60_000, 1).payoff,
    "match": lambda kind: (
        fs.match(game(kind), ["mo-ismcts(simulations=3000)", "random"], games=2, seed=1).games and (0.0,)
    ),
}
"""What answers, with numbers that are 0 where nothing is wrong."""

BLIND = {
    "resample": {"cfr+", "lp", "es-mccfr", "passes", "playouts", "match"},
    "infoset": {"playouts"},
    "moves-more": {"playouts", "match"},
    "moves-others": {"playouts", "match"},
    "moves-twice": {"playouts"},
    "chance": {"match"},  # the deals of two games
    "play-reads": {"match"},
    "play-writes": {"match"},
}
"""Who never asks for what is wrong: then the answer is the true one."""


def blind(entry, kind):
    """Whether an entry need not meet what is wrong, in so many games."""
    told = {e for beginning, entries in BLIND.items() if kind.startswith(beginning) for e in entries}
    return kind == "nothing" or entry in told


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr("fogspiel.game.fault._LONGEST", 0.1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_rule_that_goes_wrong_seldom_is_told_with_the_moves_that_lead_there(entry, kind):
    rule = kind.partition("-")[0]
    try:
        answer = ENTRIES[entry](kind)
    except fs.GameError as error:
        text = str(error)
        assert kind != "nothing"
        assert "\n" not in text
        if kind.startswith(("moves-more", "moves-others", "moves-twice")):
            assert "the moves" in text or "lists the move" in text
        elif kind == "play-nothing":
            assert "did not end" in text
        else:
            named = {"table": "play", "payoff": "payoff"}.get(rule, rule)
            assert re.search(rf"rule {named}\b.*after the moves \d+", text), text
    except fs.TooLarge:
        assert kind == "play-nothing"  # a game that goes on for ever has no tree
    except fs.FileError:
        assert (entry, kind) == ("passes", "moves-more")  # of which the strategy knows nothing
    else:
        assert blind(entry, kind)
        assert all(abs(x) < 0.02 for x in answer)


@pytest.mark.parametrize("kind", ["payoff-nan", "chance-sum", "moves-none"])
def test_the_game_can_be_asked_again_after_a_failure(kind):
    broken = game(kind)
    for _ in range(2):
        with pytest.raises(fs.GameError, match="after the moves 15, 15"):
            fs.playouts(broken, 60_000, 1)
    assert abs(fs.playouts(game("nothing"), 60_000, 1).payoff[0]) < 0.02, "games of the same code are not concerned"
    assert fs.playouts(broken, 10, 1).games == 10, "where the fault is not met there is an answer"


@pytest.mark.parametrize(
    ("kind", "told"), [("resample-endless", "does not return"), ("resample-elsewhere", "changes what the player knows")]
)
def test_a_redraw_that_goes_wrong_ends_the_match_in_which_it_does(kind, told):
    with pytest.raises(fs.GameError, match=f"rule resample .*{told}.*redrawn with seed"):
        fs.match(game(kind), ["mo-ismcts(simulations=300)", "random"], games=40, seed=1)


def test_a_match_blames_no_agent_for_the_game():
    with pytest.raises(fs.GameError, match=r"rule moves .* returns 0"):
        fs.match(game("moves-none"), ["mo-ismcts(simulations=3000)", "random"], games=4, seed=1)


COIN = """
import numpy as np
from fogspiel.game import CHANCE, OVER, About, mix, pick
State = np.dtype([("coin", "i1"), ("guess", "i1"), ("step", "i1")], align=True)
def about():
    return About(players=2, utility=(-1, 1))
def start(s):
    s.coin, s.guess, s.step = -1, -1, 0
def actor(s):
    return (CHANCE, 0, OVER)[s.step]
def moves(s, out):
    out[0], out[1] = 0, 1
    return 2
def chance(s, out, prob):
    out[0], out[1] = 0, 1
    prob[0], prob[1] = 0.5, 0.5
    return 2
def play(s, move):
    if s.step == 0:
        s.coin = move
    else:
        s.guess = move
    s.step += 1
def payoff(s, out):
    out[0] = 1 if s.coin == s.guess else -1
    out[1] = -out[0]
def infoset(s, player):
    return mix(s.step, s.guess)
def resample(s, player, rng):
    if s.step == 1 or player == 1:
        s.coin = pick(rng, 2)
"""
AT_ONCE = {
    "probabilities that sum to 1.2": ("0.5, 0.5", "0.9, 0.3", "the probabilities of the 2 outcomes sum to 1.2"),
    "odds below 0": ("0.5, 0.5", "1.5, -0.5", "probability -0.5"),
    "a payoff that is no number": ("1 if s.coin == s.guess else -1", "np.nan", "no finite payoff"),
    "payoffs that both win": ("out[1] = -out[0]", "out[1] = out[0]", "sum to"),
    "payoffs out of range": ("1 if s.coin == s.guess else -1", "50 if s.coin == s.guess else -50", "utility"),
    "a key that leaks the coin": (
        "mix(s.step, s.guess)",
        "mix(mix(s.step, s.guess), s.coin)",
        "changes what the player knows",
    ),
    "a redraw into another information set": (
        "s.coin = pick(rng, 2)",
        "s.guess = pick(rng, 2)",
        "changes what the player knows",
    ),
}


@pytest.mark.parametrize("what", AT_ONCE)
def test_what_is_wrong_from_the_first_game_on_is_an_error_of_loading(tmp_path, what):
    old, new, said = AT_ONCE[what]
    path = tmp_path / "coin.py"
    path.write_text(COIN)
    assert fs.solve(str(path), "lp").value == pytest.approx((0, 0))
    path.write_text(COIN.replace(old, new))
    for _ in range(2):
        with pytest.raises(fs.GameError) as caught:
            fs.load(path)
        assert said in str(caught.value)


def test_rules_may_not_reach_memory_by_its_address(tmp_path):
    path = tmp_path / "coin.py"
    for line, use, told in (
        ("from fogspiel.engine.primitives import word_at", "word_at(8, 0)", "word_at of fogspiel.engine.primitives"),
        ("from fogspiel.game.table import copy_state", "copy_state(s, 8, 16)", "copy_state of fogspiel.game.table"),
    ):
        path.write_text(COIN.replace("\nState", f"\n{line}\nState").replace("s.step += 1", f"s.step += 1\n    {use}"))
        with pytest.raises(fs.GameError, match=told):
            fs.load(path)


TABLE = COIN.replace("utility=(-1, 1))", 'utility=(-1, 1), tables={"sides": np.arange(2)})')
TABLE = TABLE.replace('("coin", "i1")', '("sides", "i8"), ("coin", "i1")').replace(
    "import CHANCE", "import whole_at, CHANCE"
)


def test_tables_are_taken_by_their_fields_and_stay_where_they_are(tmp_path):
    path = tmp_path / "coin.py"
    for use, told in (
        ("s.coin = whole_at(s.sides, move)", None),
        (
            "s.coin = whole_at(s.sides + 8, move)",
            r"line 20.*: whole_at takes a table by the field of its name, such as whole_at",
        ),
        ("s.sides = 8", "line 20.* writes to sides, the field of a table"),
    ):
        path.write_text(TABLE.replace("s.coin = move", use))
        if told is None:
            fs.load(path)
            continue
        with pytest.raises(fs.GameError, match=told):
            fs.load(path)
