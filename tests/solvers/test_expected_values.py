"""Expected values where players forget, and of what HSVI found: well defined, whether or not best responses are."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from posgs import pennies, random_posg

import fogspiel as fs
from fogspiel.app import cli
from fogspiel.game import CHANCE
from fogspiel.tree.endless import one_sided_of

DATA = Path(__file__).parent.parent / "data"
FORGETFUL = ("deadlock", "absent_minded_driver", "forgetful_player", "breakthrough(rows=3,columns=2)")


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command within this process: its standard output."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["fogspiel", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        return capsys.readouterr().out

    return run


def by_hand(strategy, state):
    """Every history, each with what the strategy does in its state."""
    if state.over:
        return np.array(state.payoff())
    odds = dict(state.chance()) if state.actor == CHANCE else strategy.probabilities(state)
    total = np.zeros(state.game.players)
    for move, p in odds.items():
        child = state.copy()
        child.play(move)
        total += p * by_hand(strategy, child)
    return total


@pytest.mark.parametrize("spec", FORGETFUL)
def test_values_of_players_who_forget_are_those_of_all_histories(spec):
    game = fs.load(spec)
    result = fs.solve(game, "es-mccfr", iterations=50)
    wanted = pytest.approx(by_hand(result.strategy, game.start()).tolist(), abs=1e-9)
    assert result.value == wanted
    assert result.nash_conv is None
    assert "not measured" in result.meaning
    for method in ("tree", "vectors"):
        assert fs.expected_values(game, result.strategy, method=method) == wanted
        found = fs.measure(game, result.strategy, method=method)
        assert found.value == wanted
        assert (found.best, found.gain, found.nash_conv) == ((), (), None)
        assert "nash_conv" not in str(found).splitlines()[0]


def test_a_limit_of_exploitability_is_refused_where_it_is_not_measured():
    for measure in ("nash_conv", "exploitability"):
        with pytest.raises(fs.SpecError, match=f"{measure} cannot be a limit.* deadlock has players who forget"):
            fs.solve("deadlock", "es-mccfr", iterations=5, until=f"{measure}=0.1")


@pytest.mark.parametrize(("seed", "known"), [(3, False), (1, True)])
def test_controllers_get_what_playing_them_gives_on_average(seed, known):
    posg = random_posg(seed, known=known)
    found = fs.solve(posg, "hsvi", iterations=4).strategy
    value, other = fs.expected_values(posg, found)
    assert other == -value
    assert found.guaranteed() - 1e-6 <= value <= found.conceded() + 1e-6
    rng, totals = np.random.default_rng(0), []
    for game in range(1500):
        s = int(rng.choice(posg.members[posg.start], p=posg.belief))
        one, two, total = found.player1(game), found.player2(s, game), 0.0
        for stage in range(14):
            j = int(np.flatnonzero((posg.joint == (s, a := one.act(), two.act())).all(axis=1))[0])
            total += posg.discount**stage * posg.reward[j]
            span = np.arange(posg.first[j], posg.first[j + 1])
            e = int(rng.choice(span, p=posg.probability[span]))
            s, seen = int(posg.target[e]), int(posg.observation[e])
            one.see(seen, int(posg.partition[s]))
            two.see(a, seen, s)
        totals.append(total)
    rest = posg.discount**14 * max(map(abs, posg.bounds))
    assert abs(np.mean(totals) - value) <= rest + 4 * np.std(totals) / len(totals) ** 0.5


def test_controllers_of_matching_pennies_share_what_there_is():
    posg = pennies(0.9)
    assert fs.expected_values(posg, fs.solve(posg, "hsvi", iterations=1).strategy) == pytest.approx((5, -5), abs=1e-5)
    with pytest.raises(fs.SpecError, match="these are strategies of"):
        fs.expected_values(random_posg(1, known=True), fs.solve(posg, "hsvi", iterations=1).strategy)
    with pytest.raises(fs.SpecError, match="these are strategies of .* not of kuhn"):
        fs.expected_values("kuhn", fs.solve(posg, "hsvi", iterations=1).strategy)
    with pytest.raises(fs.SpecError, match="its strategies are controllers"):
        fs.expected_values(posg, fs.solve("kuhn", "cfr", iterations=1).strategy)


def test_controllers_of_a_game_are_paid_by_its_seats():
    """Two machines and a clean one each round: V = c (1 + 9) / 2, to the intruder, who sees everything, in seat 0
    (`tests/game/test_markov.py`)."""
    game = fs.load(Path(__file__).parent.parent.parent / "examples" / "patching.py", discount=0.9)
    found = fs.solve(one_sided_of(game), "hsvi", until="nash_conv=1e-3").strategy
    assert found.posg.seat == 1
    assert fs.expected_values(game, found) == pytest.approx((90 / 11, -90 / 11), abs=1e-3)


def test_the_command_evaluates_them_too(run, tmp_path):
    path = tmp_path / "found.fog"
    fs.save(fs.solve(fs.read_osposg(DATA / "pennies.osposg"), "hsvi", iterations=3).strategy, path)
    told = json.loads(run("evaluate", str(DATA / "pennies.osposg"), str(path), "--json", "-"))
    assert told["value"] == pytest.approx([1, -1], abs=1e-6)
    assert told["nash_conv"] == pytest.approx(0, abs=1e-6)
    path = tmp_path / "driver.fog"
    fs.save(fs.solve("absent_minded_driver", "es-mccfr", iterations=20).strategy, path)
    told = run("evaluate", "absent_minded_driver", str(path))
    assert "not measured" in told
    assert "best response  " not in told


def test_a_game_of_perfect_information_is_called_that(run):
    assert "zero-sum, 2 players, perfect information" in run("games", "breakthrough")
    assert json.loads(run("games", "breakthrough", "--json", "-"))["perfect_information"] is True
    assert "imperfect recall" in run("games", "deadlock")
    assert "perfect information" not in run("games", "kuhn")
    with pytest.raises(fs.Unsuitable, match="has keys of positions, without how they came about"):
        fs.solve("breakthrough(rows=3,columns=2)", "lp")
