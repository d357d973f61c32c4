"""HSVI: bounds that hold, close in on known values, and are kept by strategies."""

import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from posgs import pennies, random_posg, response_to_player1, response_to_player2, tiger
from typer.testing import CliRunner

import fogspiel as fs
from fogspiel.app.cli import app
from fogspiel.solvers.posg import programs as posg_programs
from fogspiel.solvers.posg.hsvi import HSVI

DATA = Path(__file__).parent.parent / "data"
USUAL = {"share": 0.5, "neighbourhood": 1e-6}


def test_matching_pennies_for_ever_is_worth_half_of_all_rewards():
    found = fs.solve(pennies(0.9), "hsvi", iterations=1)
    assert found.bounds == pytest.approx((5.0, 5.0), abs=1e-6)


def test_a_player_without_secrets_gets_the_value_of_shapley():
    for seed in range(3):
        posg = random_posg(seed, known=True)
        value = np.zeros(3)
        for _ in range(100):
            worth = posg.reward + 0.7 * np.add.reduceat(posg.probability * value[posg.target], posg.first[:-1])
            value = np.array([two_by_two(m) for m in worth.reshape(3, 2, 2)])
        found = fs.solve(posg, "hsvi", until="nash_conv=1e-4")
        assert found.bounds[0] - 1e-6 <= value[0] <= found.bounds[1] + 1e-6
        assert found.nash_conv <= 1e-4


def two_by_two(m: np.ndarray) -> float:
    low, high = m.min(axis=1).max(), m.max(axis=0).min()
    return low if low == high else (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) / (m[0, 0] + m[1, 1] - m[0, 1] - m[1, 0])


def test_without_an_opponent_it_finds_the_published_value_of_the_tiger_problem():
    found = fs.solve(tiger(), "hsvi", until="nash_conv=0.5")
    assert found.bounds[0] <= 19.3713683559 <= found.bounds[1]  # as solvers of POMDPs (SARSOP) print it
    assert found.nash_conv <= 0.5


def test_the_bounds_of_the_public_pursuit_enclose_its_value():
    """83.443625 is what the test of HSVIforOSPOSGs.jl looks for between bounds as wide; the value is 83.49."""
    found = fs.solve(fs.read_osposg(DATA / "peg03.osposg.gz"), until="nash_conv=1")
    assert found.algorithm == "hsvi"
    assert found.bounds[1] - found.bounds[0] <= 1
    assert found.bounds[0] < 83.443625 < 83.49 < found.bounds[1]


def test_bounds_never_widen_and_never_cross():
    solver = HSVI(random_posg(5, known=False), USUAL)
    first = before = solver.bounds
    for _ in range(8):
        solver.advance(1)
        low, high = solver.bounds
        assert before[0] - 1e-9 <= low <= high <= before[1] + 1e-9
        before = low, high
    assert high - low < (first[1] - first[0]) / 10


def test_both_strategies_keep_their_bounds_against_best_responses():
    posg = random_posg(1, known=False)
    found = fs.solve(posg, "hsvi", iterations=2)
    low, high = found.bounds
    assert high - low > 1e-6
    against = response_to_player1(posg, found.strategy)
    assert against >= low - 1e-7
    assert found.strategy.guaranteed() == pytest.approx(against, abs=1e-6)
    assert found.strategy.conceded() <= high + 1e-7
    stages = 4
    rest = 0.7**stages * (posg.bounds[1] - posg.bounds[0])
    assert low - rest <= response_to_player2(posg, found.strategy, stages) <= high + 1e-7


@pytest.mark.parametrize(("failures", "stopped", "done"), [(1, "iterations", 4), (10**6, "precision", 2)])
def test_where_a_linear_program_is_not_solved_the_bounds_are_kept(monkeypatch, failures, stopped, done):
    posg, left = random_posg(5, known=False), [failures]
    usual = posg_programs._Program.solve

    def fail(program, *method):
        left[0] -= 1
        if left[0] < 0:
            return usual(program, *method)
        raise posg_programs.Unsolved("a stage game's linear program was not solved")

    def then(point):
        if point.iterations == 2:
            monkeypatch.setattr(posg_programs._Program, "solve", fail)

    before = fs.solve(posg, "hsvi", iterations=2).bounds
    found = fs.solve(posg, "hsvi", iterations=4, callback=then)
    monkeypatch.undo()
    assert (found.stopped, found.iterations) == (stopped, done)
    assert before[0] - 1e-9 <= found.bounds[0] <= found.bounds[1] <= before[1] + 1e-9
    assert found.strategy.guaranteed() >= found.bounds[0] - 1e-7
    assert found.strategy.conceded() <= found.bounds[1] + 1e-7


def test_strategies_are_played_by_what_each_player_may_know():
    posg = random_posg(3, known=False)
    found = fs.solve(posg, "hsvi", until="nash_conv=0.05")
    rng, total, games = np.random.default_rng(0), 0.0, 400
    for game in range(games):
        s = int(rng.choice(3, p=posg.belief))
        one, two = found.strategy.player1(game), found.strategy.player2(s, game)
        for stage in range(12):
            j = int(np.flatnonzero((posg.joint == (s, a := one.act(), two.act())).all(axis=1))[0])
            total += posg.discount**stage * posg.reward[j]
            e = int(
                rng.choice(
                    np.arange(posg.first[j], posg.first[j + 1]), p=posg.probability[posg.first[j] : posg.first[j + 1]]
                )
            )
            o, s = int(posg.observation[e]), int(posg.target[e])
            one.see(o, int(posg.partition[s]))
            two.see(a, o, s)
    with pytest.raises(fs.SpecError, match="cannot follow what player 1 did"):
        one.see(7, 0)
    with pytest.raises(fs.SpecError, match="does not begin in state s1"):
        fs.solve(random_posg(3, known=True), "hsvi", iterations=1).strategy.player2(1)
    assert total / games == pytest.approx(found.bounds[0], abs=0.3)


def test_a_checkpoint_goes_on_from_the_same_bounds(tmp_path):
    posg, path = random_posg(4, known=False), tmp_path / "half.fog"
    first = fs.solve(posg, "hsvi", iterations=3, checkpoint=path)
    again = fs.solve(posg, "hsvi", iterations=3, resume=path)
    assert again.bounds == pytest.approx(first.bounds, abs=1e-12)
    assert again.resumed == 3
    assert [(p.lower, p.upper) for p in again.curve] == [(p.lower, p.upper) for p in first.curve]
    assert (first.curve[-1].lower, first.curve[-1].upper) == first.bounds
    assert fs.solve(posg, "hsvi", iterations=6, resume=path).nash_conv <= first.nash_conv + 1e-12
    with pytest.raises(fs.FileError, match="is a checkpoint of random 4, not of random 5"):
        fs.solve(random_posg(5, known=False), "hsvi", iterations=6, resume=path)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("vector_mix", lambda a: a * 2, "no probabilities"),
        ("vector_mix", lambda a: a * 0.5, "do not sum to 1"),
        ("vector_node", lambda a: a + 10**6, "does not come before it"),
        ("vector_successor", lambda a: a - 99, "cannot happen"),
        ("point_plan", lambda a: a * 0.9, "do not sum to 1"),
        ("point_weight", lambda a: a * 0.9, "do not follow from it"),
        ("point_belief", lambda a: a[:-1], "too short"),
        ("vector_partition", lambda a: a + 3, "out of range"),
        ("point_links", lambda a: a.astype(np.int32), "another type"),
        ("more", lambda a: np.zeros(1), "not of this algorithm"),
    ],
)
def test_what_is_no_state_of_it_is_refused(name, change, said):
    solver = HSVI(random_posg(4, known=False), USUAL)
    solver.advance(2)
    snapshot = {k: np.asarray(v) for k, v in solver.snapshot().items()}
    snapshot[name] = change(snapshot.get(name))
    with pytest.raises(ValueError, match=said):
        HSVI(random_posg(4, known=False), USUAL).restore(snapshot)


def test_ctrl_c_keeps_both_bounds():
    posg = random_posg(5, known=False)
    press = lambda point: os.kill(os.getpid(), signal.SIGINT) if point.iterations == 1 else None  # noqa: E731
    found = fs.solve(posg, "hsvi", callback=press)
    assert (found.stopped, found.iterations) == ("interrupted", 2)
    assert found.bounds[0] < found.bounds[1]


def test_the_command_writes_both_bounds(tmp_path):
    path = tmp_path / "out.json"
    ran = CliRunner().invoke(
        app, ["solve", str(DATA / "pennies.osposg"), "--until", "nash_conv=0.1", "--json", str(path)]
    )
    assert ran.exit_code == 0
    assert "value           from +0.99999" in ran.stdout
    assert "(to player 0, who sees little)" in ran.stdout
    written = json.loads(path.read_text())
    assert (written["algorithm"], written["iterations"]) == ("hsvi", 1)
    assert (written["lower"], written["upper"]) == pytest.approx((1.0, 1.0))
    assert written["seconds"] > 0
    assert not {"value", "touched"} & {*written, *written["curve"][0]}


def test_a_file_of_controllers_is_told_from_one_of_a_strategy(tmp_path):
    """Which player 0 is depends on where the game is from."""
    saved, drawn = tmp_path / "p.fog", tmp_path / "gap.svg"
    pennies_file = str(DATA / "pennies.osposg")
    ran = CliRunner().invoke(
        app, ["solve", pennies_file, "--until", "nash_conv=0.1", "--save", str(saved), "--plot", str(drawn)]
    )
    assert f"controllers     {saved}" in ran.stdout
    assert f"read them with  fs.read_controllers(fs.read_osposg({pennies_file!r}), {str(saved)!r})" in ran.stdout
    assert "gap between the bounds" in drawn.read_text()
    assert fs.read_controllers(fs.read_osposg(pennies_file), saved).guaranteed() == pytest.approx(1.0)
    with pytest.raises(fs.FileError, match="holds controllers of a one-sided POSG, as hsvi finds them"):
        fs.read(saved)
    ran = CliRunner().invoke(app, ["solve", SMALL, "-a", "hsvi", "--until", "nash_conv=0.1", "--save", str(saved)])
    assert "(to player 0, who sees everything)" in ran.stdout
    assert f"play them with  fogspiel match '{SMALL}' {saved} random" in ran.stdout


def test_games_and_solvers_of_another_kind_are_refused():
    with pytest.raises(
        fs.Unsuitable,
        match=r"^cfr\+ needs a game with an end; pennies is a one-sided POSG, which goes on for ever: try hsvi$",
    ):
        fs.solve(pennies(), "cfr+")
    with pytest.raises(
        fs.Unsuitable, match=r"^hsvi needs a game without an end \(rule markov\); kuhn has one: try lp or cfr\+$"
    ):
        fs.solve("kuhn", "hsvi")
    with pytest.raises(fs.Unsuitable, match="discount must be below 1, not 1"):
        fs.solve("blind_pursuit", "hsvi")
    with pytest.raises(fs.SpecError, match="read_osposg reads it"):
        fs.solve("peg03.osposg", "hsvi")


SMALL = "blind_pursuit(width=2,height=2,pursuers=1,wait=no,discount=0.9,rounds=6)"


def test_a_game_with_the_rule_markov_is_solved_without_its_horizon():
    # on four cells the evader is caught with probability 1/2 in each round (Veselý 2024, sec. 5.1)
    found = fs.solve(SMALL, "hsvi", until="nash_conv=1e-3")
    assert found.bounds[0] <= -100 * 0.45 / 0.55 <= found.bounds[1] + 1e-9
    assert found.game == fs.load(SMALL).spec


def test_strategies_of_a_file_that_changed_are_refused(tmp_path):
    def load(graph):
        (tmp_path / "graph.txt").write_text(graph)
        return fs.load("patrolling", graph=str(tmp_path / "graph.txt"), attack=1, loss=0, discount=0.9)

    circle = load("0\n\n1 2\n0 2\n0 1\n")
    found = fs.solve(circle, "hsvi", until="nash_conv=10").strategy
    assert fs.play_game(circle, [found, found], deal=0, seed=0).forfeit is None
    refused = fs.play_game(load("0\n\n1\n0 2\n1\n"), [found, found], deal=0, seed=0)
    assert "these are strategies of another game" in refused.reason


def test_what_it_finds_sits_in_seats(tmp_path):
    found, path = fs.solve(SMALL, "hsvi", until="nash_conv=1"), tmp_path / "pursuit.fog"
    fs.save(found.strategy, path)
    for deal in range(4):
        one = fs.play_game(SMALL, [found.strategy, str(path)], deal=deal, seed=deal)
        other = fs.play_game(SMALL, [str(path), found.strategy], deal=deal, seed=deal)
        assert one.forfeit is None
        assert one.moves == other.moves
    with pytest.raises(fs.FileError, match="has strategies of blind_pursuit"):
        fs.read_controllers(pennies(), path)
    lost = fs.play_game("patrolling(discount=0.9)", [found.strategy, "random"], deal=1, seed=1)
    assert "these are strategies of blind_pursuit" in lost.reason
