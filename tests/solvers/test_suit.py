"""Solvers refuse, before they unroll it, what they cannot take, and name one that can; limits of time are of all that
is done."""

import itertools
import re
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine import notice
from fogspiel.game import load
from fogspiel.game.hidden import hides_states
from fogspiel.game.needs import rule
from fogspiel.solvers import clock as clocks
from fogspiel.solvers import suit
from fogspiel.solvers.cfr.variants import CFR
from fogspiel.solvers.registry import SOLVERS, read_solver
from fogspiel.tree.estimate import estimate

TREE = [name for name, entry in SOLVERS.items() if entry.tree]


FEW = 5000
"""Histories or states that are looked at before a game is refused: no more than there is room for at first."""


def heard_little(count):
    assert count <= FEW, f"{count} histories or states were walked"


def refusal(game, algorithm, error=fs.FogspielError, **how):
    with pytest.raises(error) as caught:
        fs.solve(game, algorithm, progress=heard_little, **how)
    return str(caught.value)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=5)", "bluff", "tic_tac_toe", "kuhn(players=3)"])
def test_the_size_of_a_game_is_estimated_without_unrolling_it(spec):
    game = fs.load(spec)
    tree, found = fs.unroll(game), estimate(game)
    # bids of bluff end after any number of steps, so that some walks count for very many
    off = 3 if spec == "bluff" else 1.15
    assert tree.size / off < found.histories < tree.size * off
    assert tree.terminals / off < found.terminals < tree.terminals * off
    assert estimate(game) == found
    assert 1 < found.alone < found.histories
    assert found.least <= tree.size


def test_nothing_is_unrolled_for_measuring_that_is_surely_too_large():
    # goofspiel(7) has 98 million histories, the large poker some billions; more than 10 million are not measured.
    # The first walks in bluff hardly tell that it has 66 million
    for spec in ("goofspiel(cards=7)", "large_poker", "bluff(dice1=2)"):
        heard = []
        result = fs.solve(spec, "os-mccfr", iterations=10, progress=heard.append)
        assert (result.nash_conv, heard) == (None, [])


def test_a_game_is_loaded_once(monkeypatch):
    loaded = []
    monkeypatch.setattr(
        load, "prepare", lambda *given, real=load.prepare, **how: loaded.append(given) or real(*given, **how)
    )
    for algorithm in ("cfr+", "es-mccfr", "lp", "value-iteration"):
        loaded.clear()
        fs.solve("tic_tac_toe" if algorithm == "value-iteration" else "kuhn", algorithm)
        assert len(loaded) == 1, algorithm
    strategy = fs.solve("kuhn", "cfr+", iterations=2).strategy
    loaded.clear()
    fs.nash_conv("kuhn", strategy)
    assert len(loaded) == 1


@pytest.mark.parametrize("algorithm", ["lp", "lp-normal", "egt", "fp"])
def test_what_is_for_two_players_refuses_one_before_it_unrolls(algorithm):
    # three million histories
    message = refusal("pig(target=25,players=1,turns=3)", algorithm, fs.Unsuitable)
    assert message.startswith(
        f"{algorithm} needs two players; pig(target=25,players=1,turns=3) has 1: try value-iteration"
    )


@pytest.mark.parametrize("algorithm", ["lp", "egt", "backward-induction"])
def test_what_is_for_zero_sums_refuses_others_before_it_unrolls(algorithm, tmp_path):
    file = tmp_path / "long.py"
    file.write_text(LONG)
    assert "needs a zero-sum game; long is not one: try cfr+" in refusal(str(file), algorithm, fs.Unsuitable)


@pytest.mark.parametrize("algorithm", TREE)
def test_a_game_far_too_large_is_refused_before_it_is_unrolled_and_solvers_come_first(algorithm):
    message = refusal("goofspiel(cards=13)", algorithm, fs.TooLarge)
    advice = 'solve it by sampling, which needs no tree: fogspiel solve "goofspiel(cards=13)" --algorithm os-mccfr'
    assert message.startswith(f"goofspiel(cards=13) is too large for {algorithm}")
    assert advice in message
    # nothing that one could give it would do
    assert "memory" not in message
    assert "may help" not in message


def test_a_game_too_large_for_the_memory_gets_the_same_advice():
    with pytest.raises(fs.TooLarge) as caught:
        fs.solve("goofspiel(cards=6)", memory=1 << 20)
    message = str(caught.value)
    assert message.index('fogspiel solve "goofspiel(cards=6)" --algorithm es-mccfr') < message.index("1 MiB allowed")
    assert "more memory or more time may help" in message
    # and the advice can be followed
    assert fs.solve("goofspiel(cards=6)", "es-mccfr", iterations=2, memory=1 << 20).iterations == 2


@pytest.mark.parametrize(("memory", "told"), [(1 << 10, "1 KiB"), (1000, "1,000 bytes")])
def test_commands_that_are_advised_for_a_game_from_a_file_name_the_file(tmp_path, monkeypatch, memory, told):
    monkeypatch.chdir(tmp_path)
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
    Path("matching_pennies.py").write_text(re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1])
    with pytest.raises(fs.TooLarge) as caught:
        fs.solve("matching_pennies.py", memory=memory)
    assert 'fogspiel solve "matching_pennies.py" --algorithm es-mccfr' in str(caught.value)
    assert f"more than the {told} allowed" in str(caught.value)


def test_states_that_merge_or_come_back_go_through_value_iteration():
    game = "pig(target=15)"
    found = fs.solve(game)
    assert found.algorithm == "value-iteration"
    assert found.value == fs.solve(game, "value-iteration").value
    alone = fs.solve("pig(target=25,players=1,turns=3)")
    assert alone.algorithm == "value-iteration"
    assert len(alone.value) == 1
    # an algorithm that is named, or a limit that only others have, is never replaced
    for how in ({"algorithm": "cfr+"}, {"iterations": 10}, {"seconds": 5}, {"algorithm": "dcfr"}, {"algorithm": "lp"}):
        with pytest.raises(fs.FogspielError) as caught:
            fs.solve(game, **how)
        assert f'fogspiel solve "{game}" --algorithm value-iteration' in str(caught.value)
    # where the tree does, all is as before
    assert fs.solve("tic_tac_toe", iterations=1).algorithm == fs.solve("kuhn").algorithm == "cfr+"
    with pytest.raises(fs.TooLarge, match='fogspiel solve "tic_tac_toe" --algorithm value-iteration'):
        fs.solve("tic_tac_toe", iterations=1, memory=1 << 20)


def test_states_are_explored_once_where_they_are_solved_over():
    heard = []
    found = fs.solve("pig(target=25)", progress=heard.append)
    assert found.algorithm == "value-iteration"
    assert heard == sorted(heard)
    states = heard[-1]
    assert heard.count(states) == 1
    again = []
    assert fs.solve("pig(target=25)", "value-iteration", progress=again.append).value == found.value
    assert again[-1] == states


@pytest.mark.parametrize("game", ["einstein", "cant_stop"])
def test_a_refusal_does_not_wait_for_all_states(game):
    """There are many millions of them; what was seen in a moment is said."""
    heard = []
    with pytest.raises(fs.TooLarge) as caught:
        fs.solve(game, "cfr+", seconds=0.05, progress=heard.append)
    assert 0 < max(heard) < 1_000_000
    message = str(caught.value)
    sampling, exact = (
        message.index(f'fogspiel solve "{game}" --algorithm {a}') for a in ("os-mccfr", "value-iteration")
    )
    assert sampling < message.index("states looked at so far") < exact
    assert "may help" not in message


@pytest.mark.parametrize("game", ["bluff(dice1=2)", "phantom_tic_tac_toe", "goofspiel(cards=6)"])
def test_backward_induction_sees_early_that_states_are_hidden(game):
    assert "needs a game in which nothing is hidden but moves made at the same time" in refusal(
        game, "backward-induction", fs.Unsuitable, memory=1 << 40
    )


@pytest.mark.parametrize(
    "game",
    ["goofspiel(cards=4,bids=open)", "tic_tac_toe", "oshi_zumo(coins=8)", "worst_case", "matrix"],
)
def test_moves_made_at_the_same_time_hide_no_states(game):
    """What backward induction solves is never taken for a game of hidden states."""
    solved = fs.solve(game, "backward-induction")
    assert solved.stopped == "exact"
    assert not hides_states(fs.load(game))


def test_value_iteration_sees_early_that_states_are_hidden():
    """Of the 10^20 histories of goofspiel with 13 cards it looks at a few."""
    heard = []
    with pytest.raises(fs.Unsuitable, match="lets players move at once"):
        fs.solve("goofspiel(cards=13)", "value-iteration", progress=heard.append)
    assert max(heard, default=0) < 100_000


class Time:
    """A clock that moves on by a second at every look."""

    def __init__(self):
        self.ticks = itertools.count()

    def monotonic(self):
        return float(next(self.ticks))


def test_seconds_are_of_all_that_is_done(monkeypatch):
    """With a clock that runs a second each time it is read, a limit of ten is over after a few iterations, however fast
    they are."""
    game = fs.load("kuhn")
    fs.solve(game, iterations=1)
    monkeypatch.setattr(notice, "time", Time())
    found = fs.solve(game, "cfr", seconds=10)
    assert found.stopped == "seconds"
    assert found.iterations < 20
    assert found.seconds < 5 < found.elapsed


def test_a_measurement_that_must_wait_does_not_cut_iterations_into_single_ones(monkeypatch):
    calls, usual, measured = [], CFR.advance, CFR.measure
    monkeypatch.setattr(CFR, "advance", lambda self, count: calls.append(count) or usual(self, count))
    monkeypatch.setattr(CFR, "measure", lambda self: time.sleep(0.05) or measured(self))
    found = fs.solve("kuhn", "cfr", seconds=1)
    assert found.stopped == "seconds"
    assert sum(calls) == found.iterations
    assert len(calls) < 200


def test_unrolling_ends_when_half_of_the_time_is_over():
    with pytest.raises(fs.TooLarge) as caught:
        fs.solve("phantom_tic_tac_toe", "cfr+", seconds=0.2, memory=64 << 30)
    message = str(caught.value)
    assert "more than can be walked in" in message
    assert 'fogspiel solve "phantom_tic_tac_toe" --algorithm' in message


def test_an_iteration_that_would_outlast_the_time_is_not_begun():
    for algorithm in ("es-mccfr", "walk-cfr", "pure-cfr"):
        message = refusal("goofspiel(cards=13)", algorithm, fs.TooLarge, seconds=3)
        assert message.startswith(f"one iteration of {algorithm} would walk about")
        assert 'fogspiel solve "goofspiel(cards=13)" --algorithm os-mccfr' in message
    assert fs.solve("goofspiel(cards=13)", "os-mccfr", seconds=0.1).iterations > 0


def test_compiling_does_not_count(monkeypatch):
    now = 0.0
    monkeypatch.setattr(notice, "time", SimpleNamespace(monotonic=lambda: now))
    clock, left = clocks.Clock(5.0), []
    with notice.compiling("fogspiel-search-loop", 3):
        for now in (10.0, 20.0):  # one within another, as two threads may
            with notice.compiling("fogspiel-belief-replay", 2):
                now += 5.0
                left.append(clock.left)
        left.append(clock.left)
    now += 1.0
    assert [*left, clock.left] == [5.0, 5.0, 5.0, 4.0]
    assert clocks.Clock(None).left == np.inf


def test_time_before_a_resume_counts(tmp_path):
    path = tmp_path / "run.fog"
    first = fs.solve("kuhn", "cfr", iterations=50, checkpoint=path)
    again = fs.solve("kuhn", "cfr", iterations=50, resume=path)
    assert again.elapsed > 0.5 * first.elapsed
    assert fs.solve("kuhn", "cfr", seconds=1e-9, resume=path).iterations == 50


def test_sampling_does_not_unroll_what_it_cannot_measure():
    heard = []
    result = fs.solve("goofspiel(cards=13)", "os-mccfr", iterations=5, progress=heard.append)
    assert result.nash_conv is None
    assert heard == []


LACKING = [
    "kuhn(players=3)",
    "kuhn",
    "matrix(game=chicken)",
    "deadlock",
    "bluff(faces=2,remember=1)",
    "goofspiel(cards=3)",
]


@pytest.mark.parametrize("spec", LACKING)
def test_every_solver_refuses_what_lacks_something_that_it_declares_in_one_wording(spec):
    game, tree = fs.load(spec), fs.unroll(spec)
    for name, entry in SOLVERS.items():
        faults = [(need.what, need.wrong(game, tree)) for need in entry.needs if need.wrong(game, tree)]
        if faults:
            told = refusal(game, name, fs.Unsuitable)
            assert any(told.startswith(f"{name} needs {what}; {spec} {fault}: try ") for what, fault in faults), told


@pytest.mark.parametrize("spec", LACKING)
def test_what_a_refusal_advises_suits_the_game(spec):
    tree = fs.unroll(spec)
    for advice in suit.instead(fs.load(spec), tree).split(" or "):
        _, entry, values = read_solver(advice)
        suit.require(advice, entry, fs.load(spec), values, None)
        suit.require_unrolled(advice, entry, tree, values)


def test_settings_need_what_their_parts_do():
    """And where a game lacks it, those that it suits are named."""
    assert SOLVERS["es-mccfr"].needs == ()
    assert SOLVERS["cs-mccfr"].asks["chance"] == {"one": (), "paired": (rule("mirror"),), "common": (), "public": ()}
    told = refusal("kuhn", "cs-mccfr(chance=paired)", fs.Unsuitable, iterations=1)
    assert told == "cs-mccfr(chance=paired) needs the rule mirror; kuhn has none: try chance=one, common or public"
    assert rule("private") in SOLVERS["pcs-mccfr"].needs


def test_who_forgets_does_not_know_the_state():
    """The driver would have got 4 by backward induction, which no strategy of its gets."""
    assert "absent_minded_driver hides something" in refusal("absent_minded_driver", "backward-induction")


def test_what_a_tree_decides_is_not_refused_before_by_what_the_game_says(tmp_path):
    """Of small games: this one calls itself general-sum, and is a zero-sum game."""
    file = tmp_path / "modest.py"
    text = (Path(fs.__file__).parent / "games" / "one_answer.py").read_text()
    file.write_text(re.sub(r"About\(", "About(zero_sum=False, ", text))
    assert not fs.load(file).about.zero_sum
    assert fs.solve(file, "lp").stopped == "exact"


LONG = """
import numpy as np
from fogspiel.game import OVER, About, mix

State = np.dtype([("length", "i1"), ("moves", "i4")], align=True)

def about():
    return About(zero_sum=False, utility=(0, 1))

def start(s):
    s.length = 0
    s.moves = 0

def actor(s):
    return OVER if s.length == 22 else s.length % 2

def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2

def play(s, move):
    s.moves = 2 * s.moves + move
    s.length += 1

def payoff(s, out):
    out[0] = 1.0
    out[1] = s.moves % 2

def infoset(s, player):
    return mix(s.length, s.moves)
"""


def test_sampling_solvers_unroll_a_game_for_measuring_where_that_is_cheap_or_asked_for():
    # 2 million histories
    game, heard = "goofspiel(cards=6)", []
    found = fs.solve(game, "es-mccfr", iterations=2, progress=heard.append)
    assert (found.nash_conv, found.exploitability, found.value, heard) == (None, None, (), [])
    assert found.unmeasured == f"to unroll {game} for it, about 2e+06 histories, is not cheap"
    assert found.as_dict()["unmeasured"] == found.unmeasured
    told = fs.solve(game, "es-mccfr", iterations=2, measure=False)
    assert (told.nash_conv, told.unmeasured) == (None, "it was not asked for")
    for asked in ({"measure": True}, {"until": "exploitability=1e-9"}):
        found = fs.solve(game, "es-mccfr", iterations=2, **asked)
        assert found.nash_conv > 0
        assert "unmeasured" not in found.as_dict()
    assert fs.solve("kuhn", "es-mccfr", iterations=2).nash_conv > 0
