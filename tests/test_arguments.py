"""Odd arguments of public functions: a player who is not there, a seed below 0, a count with a fraction. One sentence
each."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.evaluate.online import converge

kuhn = strategy = form = state = None
"""What the calls name. It is made when the first of them is: nothing is compiled to learn which tests there are."""


@pytest.fixture(scope="module", autouse=True)
def named():
    global kuhn, strategy, form, state
    kuhn = fs.load("kuhn")
    strategy, form, state = fs.solve(kuhn, iterations=10).strategy, fs.sequence_form(kuhn), kuhn.start()
    for outcome in (0, 2):
        state.play(outcome)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: fs.best_response("kuhn", strategy, 2), "player must be a whole number from 0 to 1, not 2"),
        (lambda: fs.best_response("kuhn", strategy, 5), "player must be a whole number from 0 to 1, not 5"),
        (lambda: fs.best_response("kuhn", strategy, -1), "player must be a whole number from 0 to 1, not -1"),
        (lambda: fs.best_response("kuhn", strategy, 0, memory=-1), "memory must be a number of bytes"),
        (lambda: state.key(2), "player must be a whole number from 0 to 1 or PUBLIC, not 2"),
        (lambda: state.key(-2), "player must be"),
        (lambda: state.situation(7), "player must be"),
        (lambda: state.situation(None), "player must be"),
        (lambda: state.show(2), "player must be"),
        (lambda: state.resample(2, np.zeros(1, np.uint64)), "player must be"),
        (lambda: state.resample(0, np.zeros(1)), "rng must be an array of one uint64"),
        (lambda: state.play(10**6), "move 1000000 is not legal here; the legal moves are 0, 1"),
        (lambda: state.force(10**6), "move 1000000 is not legal here"),
        (lambda: state.payoff(), "the game is not over"),
        (lambda: state.chance(), "chance is not to move"),
        (lambda: kuhn.move_name(state, 2**70), "is not legal here"),
        (lambda: fs.State(kuhn, np.zeros(3, np.uint8)), "a state of kuhn is an array of"),
        (lambda: fs.unroll("kuhn", most=-1), "most must be a whole number of at least 1, not -1"),
        (lambda: fs.unroll("kuhn", seconds=float("nan")), "seconds must be a number of at least 0, not nan"),
        (lambda: fs.solve("kuhn", iterations=1.5), "iterations must be a whole number of at least 0, not 1.5"),
        (lambda: fs.solve("kuhn", "es-mccfr", threads=0), "threads must be a whole number from 1 to 256, not 0"),
        (lambda: fs.solve("kuhn", "es-mccfr", threads=-3), "threads must be"),
        (lambda: fs.solve("kuhn", "es-mccfr", seed=-1), "seed must be a whole number from 0 to 2^64 - 1, not -1"),
        (lambda: fs.solve("kuhn", "es-mccfr", seed=2**64), "seed must be"),
        (lambda: fs.solve("kuhn", callback=3), "callback must be a function, not 3"),
        (lambda: fs.solve("kuhn", memory=2**100), "memory must be"),
        (lambda: fs.solve("kuhn", 3), "algorithm must be text, not 3"),
        (lambda: fs.solve(None), "a game is named by text"),
        (lambda: fs.playouts("kuhn", -1), "count must be"),
        (lambda: fs.playouts("kuhn", 3, starts=[fs.load("matrix").start()]), "starts must be states of kuhn"),
        (lambda: fs.nash_conv("kuhn", kuhn), "strategy must be a strategy"),
        (lambda: fs.nash_conv("matrix", strategy), "the strategy was made for kuhn"),
        (lambda: fs.nash_conv("kuhn", strategy, method=1), "method must be one of auto"),
        (lambda: fs.restricted_response("kuhn", strategy, 2, 0.5), "player must be"),
        (lambda: fs.restricted_response("kuhn", strategy, 0, float("nan")), "p must be a probability"),
        (lambda: fs.bound("kuhn", strategy, games=1), "games must be a whole number of at least 2, not 1"),
        (lambda: fs.match("kuhn", ["random", "random"], game=2), "match is given game twice; did you mean games?"),
        (
            lambda: fs.match("kuhn", ["random", "random"], wokers=2),
            "match has no argument wokers; did you mean workers?",
        ),
        (lambda: fs.match("kuhn"), "match needs agents"),
        (lambda: fs.think("kuhn", "mo-ismcts", sed=2), "think has no argument sed; did you mean seed?"),
        (
            lambda: fs.play_game("kuhn", ["random", "random"], sed=2),
            "play_game has no argument sed; did you mean seed?",
        ),
        (lambda: fs.bound("kuhn", strategy, gmaes=2), "bound has no argument gmaes; did you mean games?"),
        (lambda: converge("kuhn", "oos", [10], sed=2), "converge has no argument sed; did you mean seed?"),
        (
            lambda: fs.solve("kuhn", iterations=10**21),
            "iterations must be a whole number of at most 10^18, not 1000000000000000000000",
        ),
        (lambda: fs.solve("kuhn", "cfrplus"), "there is no algorithm 'cfrplus'; did you mean cfr+?"),
        (lambda: fs.match("kuhn", ["random", "random"], games=1.5), "games must be"),
        (lambda: fs.match("kuhn", ["random", "random"], seed=-1), "seed must be"),
        (lambda: fs.match("kuhn", "random"), "agents must be a list of agents, not 'random'"),
        (lambda: fs.match("kuhn", ["random", "random"], sprt="x"), "sprt must be"),
        (lambda: fs.play_game("kuhn", ["random", "random"], deal=-1, seed=0), "deal must be"),
        (lambda: fs.think("goofspiel(cards=3)", "mcts", seed=-1), "seed must be"),
        (lambda: fs.agent(None), "None is not an agent"),
        (lambda: fs.agent("mcts", simulations=1.5), "simulations must be a whole number, not 1.5"),
        (lambda: fs.read(None), "path must be the name of a file, not None"),
        (lambda: fs.save(kuhn, "x.fog"), "strategy must be a strategy"),
        (lambda: fs.load("a" * 5000 + ".py"), "there is no game file"),
        (lambda: form.best_response(form.uniform(), 2), "player must be"),
        (lambda: form.plan(np.ones(3)), "behaviour must be an array of"),
        (lambda: form.values([1.0]), "plan must be an array of"),
        (lambda: strategy.probabilities(kuhn.start()), "no player is to move in this state"),
        (lambda: strategy.replaced(0, fs.solve("matrix", iterations=1).strategy), "the strategies are of two games"),
        (lambda: fs.well_formed("deadlock").regret_bound(5, 1, 1, 1), "player must be|nothing bounds"),
    ],
    ids=lambda value: value.replace(" ", "_")[:60] if isinstance(value, str) else "",
)
def test_an_argument_that_cannot_be_gets_one_sentence(call, sentence):
    with pytest.raises(fs.FogspielError, match=f"^[^\n]*({sentence.replace('^', chr(92) + '^')})[^\n]*$"):
        call()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("start", lambda row: row * 7),
        ("prob", lambda row: row * 2),
        ("prob", lambda row: row * float("nan")),
        ("prob", lambda row: -row),
        ("player", lambda row: row[::-1].copy()),
        ("key", lambda row: row[1:]),
        ("move", lambda row: None),
        ("key", lambda row: row.astype(float)),
    ],
)
def test_arrays_that_are_no_strategy_never_reach_compiled_code(name, change):
    parts = {name: getattr(strategy, name) for name in ("game", "behaviour", "player", "key", "start", "move", "prob")}
    with pytest.raises(fs.SpecError, match="this is no strategy: "):
        fs.Strategy(**parts | {name: change(parts[name])})


def test_numbers_of_any_type_that_stand_for_whole_ones_are_taken():
    assert fs.solve("kuhn", iterations=1e1).iterations == fs.solve("kuhn", iterations=np.int8(10)).iterations == 10
    assert fs.match("kuhn", ["random", "random"], games=2.0, seed=np.uint64(2**64 - 1)).games
    assert fs.playouts("kuhn", 1e1, seed=np.int64(3)) == fs.playouts("kuhn", 10, seed=3)
    assert fs.best_response("kuhn", strategy, np.int64(1))[0] == fs.best_response("kuhn", strategy, 1)[0]
    assert fs.agent("mcts(simulations=1e1)").name == fs.agent("mcts", simulations=10).name
    assert state.key(np.int8(1)) == state.key(1)
    for method in ("tree", "vectors", "passes"):
        assert fs.best_response("kuhn", strategy, 1.0, method=method, memory=1e8)[0] == pytest.approx(
            fs.best_response("kuhn", strategy, 1)[0]
        )


def test_the_largest_seed_is_one_like_any_other():
    last = 2**64 - 1
    assert fs.solve("kuhn", "es-mccfr", iterations=5, threads=2, seed=last).seed == last
    assert fs.bound("kuhn", strategy, iterations=5, games=5, seed=last).seed == last


def test_what_a_game_file_does_wrong_in_its_pictures_is_told_with_its_line(tmp_path):
    from fogspiel.games import kuhn as rules

    path = tmp_path / "pictures.py"
    path.write_text(
        f"from {rules.__name__} import *\n\ndef show(s, player):\n    return 1 / 0\n\ndef move_name(s, move):\n    "
        "return 5\n"
    )
    game = fs.load(path)
    with pytest.raises(fs.GameError, match=r"^show \(.*pictures.py, line 4\) failed: ZeroDivisionError"):
        game.start().show()
    with pytest.raises(fs.GameError, match=r"^move_name \(.*pictures.py, line 6\) must return text, not 5$"):
        game.move_name(game.start(), 0)
