"""The patrolling game: values of the games of Veselý 2024, closed forms, the rounds of an attack, what a guard can
believe."""

import pytest
from positions import after, named
from redraws import assert_redrawn_as_by_random_moves

import fogspiel as fs
from fogspiel.games.patrolling import CONFIGURATIONS, GRAPHS
from fogspiel.games.toolkit.graphs import distances

# by configuration: values with 0, H, V and RN of the game with no bound where the game is cut off
VALUES = {
    "G1_A2_L8": (50, 50, 50, 56.70),
    "G1_A3_L10": (40, 40, 41.07, 41.70),
    "G2_A2_L8": (50, 50, 50, 57.59),
    "G2_A3_L10": (33.33, 33.33, 36.69, 43.59),
    "G3_A2_L8": (50, 50, 50, 57.59),
    "G3_A3_L10": (37.5, 37.5, 40.03, 43.66),
    "G4_A3_L8": (50, 50, 58.70, 59.46),
    "G4_A4_L10": (33.33, 33.33, 39.13, 46.36),
    "G5_A3_L8": (50, 50, 50, 53.82),
    "G5_A4_L10": (0, 0, 0, 44.29),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_are_those_of_the_literature(name):
    # there sweeps stop at a change below 1, so that the last column is a little off
    for horizon, exact, error in zip(("0", "h", "v", "rn"), VALUES[name], (0.01, 0.01, 0.01, 0.25), strict=True):
        found = fs.solve(fs.load(CONFIGURATIONS[name], horizon=horizon), "lp")
        assert found.value[0] == pytest.approx(exact, abs=error)


def test_values_on_the_circle_of_four_have_closed_forms():
    game = "patrolling(loss=0,rounds=30)"
    value, random, longer = (
        fs.horizon_values(fs.load(game, attack=attack), kind) for attack, kind in [(2, "v"), (2, "rn"), (3, "rn")]
    )
    for node in range(4):
        assert value[f"-1 {node} 2"] == pytest.approx(24.3)
        assert value[f"-1 {node} 2"] / 2 == pytest.approx(12.149999983188913)  # printed
        assert random[f"-1 {node} 2"] == pytest.approx(56.7)
        assert longer[f"-1 {node} 3"] == pytest.approx(41.31)


@pytest.mark.parametrize("name", ["G1", "G4", "G5"])
def test_an_attack_under_way_is_worth_what_the_distance_tells(name):
    value = fs.horizon_values(fs.load("patrolling(attack=4,rounds=30,loss=0)", graph=name))
    away = distances(GRAPHS[name][1]).reshape(len(GRAPHS[name][1]), -1)
    for state, worth in value.items():
        attacker, defender, left = map(int, state.split())
        if attacker >= 0:
            assert worth == pytest.approx(100 * 0.9**left if away[defender, attacker] > left - 1 else 0, abs=1e-5)


def test_every_game_of_the_table_whose_graph_is_known_can_be_loaded():
    assert sorted(CONFIGURATIONS) == sorted(VALUES)
    for name, spec in CONFIGURATIONS.items():
        given = fs.load(spec).parameters
        assert name == f"{given['graph']}_A{given['attack']}_L{2 * given['rounds']}"


def test_moves_are_numbered_as_in_the_literature():
    game = fs.load("patrolling")
    for moves, names in [
        ([], {0: "wait", 1: "attack 0", 2: "attack 1", 3: "attack 2", 4: "attack 3"}),
        ([0], {0: "wait", 5: "go to 1", 6: "go to 2"}),
        ([0, 6, 0], {0: "wait", 9: "go to 0", 10: "go to 3"}),
        ([0, 6, 0, 10, 0], {0: "wait", 11: "go to 1", 12: "go to 2"}),
    ]:
        state = after(game, *moves)
        assert {move: game.move_name(state, move) for move in state.moves()} == names


@pytest.mark.parametrize(
    ("moves", "pays"),
    [
        (["attack 1", "go to 1"], -50),  # met at once
        (["attack 1", "wait", "wait", "go to 1"], -25),
        (
            ["attack 1", "wait", "wait", "wait", "wait", "go to 1"],
            12.5,
        ),  # the defender comes too late in the last round
        (["attack 3", "wait", "wait", "go to 1", "wait", "go to 3"], 12.5),
        (["wait", "wait", "wait", "wait", "wait", "wait", "wait", "wait"], 0),
        (["wait", "wait", "wait", "wait", "wait", "wait", "attack 1", "wait"], 0),  # cut off
    ],
)
def test_an_attack_succeeds_unless_the_defender_comes_before_its_last_round(moves, pays):
    assert named("patrolling(discount=0.5)", moves).payoff() == [pays, -pays]


def test_an_attack_under_way_may_be_finished_after_the_cut():
    wait = ["wait"] * 6
    state = named("patrolling(finish_attack=yes)", [*wait, "attack 3", "wait"])
    assert not state.over
    assert named(state.game, [*wait, "attack 3", "wait", *wait[:4]]).payoff() == [100, -100]
    assert named(state.game, [*wait, "wait", "wait"]).over


def test_the_defender_knows_where_it_went_and_no_more():
    assert named("patrolling", ["attack 3", "wait", "wait"]).key(1) == named(
        "patrolling", ["wait", "wait", "attack 1"]
    ).key(1)
    assert named("patrolling", ["wait", "go to 1", "wait"]).key(1) != named(
        "patrolling", ["wait", "go to 2", "wait"]
    ).key(1)


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("patrolling(attack=3)", ["wait", "go to 1", "wait", "go to 3", "attack 2"]),
        ("patrolling(graph=G5)", ["attack 3", "wait", "wait", "go to 1", "wait"]),
        ("patrolling(rounds=2,attack=3,finish_attack=yes)", ["attack 3", "go to 2", "wait", "wait", "wait"]),
    ],
)
def test_attacks_are_redrawn_as_likely_as_by_random_moves(spec, moves):
    assert_redrawn_as_by_random_moves(named(spec, moves), 1)


def test_an_edge_may_lead_back_to_its_own_node(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0\n\n0 1\n0\n")
    s = after(f"patrolling(graph={path})", 0)
    assert [s.game.move_name(s, move) for move in s.moves()] == ["wait", "go to 0", "go to 1"]
    assert "<circle" in s.svg(1)


def test_a_graph_can_be_read_from_a_file(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("1\n\n1 2\n0 2\n0 1\n")
    game = fs.load("patrolling", graph=str(path))
    state = after(game, 0)
    assert [game.move_name(state, move) for move in state.moves()] == ["wait", "go to 0", "go to 2"]
    assert len(game.start().moves()) == 4
    path.write_text("0\n\n1 2\n0 3\n0 3\n1 2\n")
    assert fs.solve(fs.load("patrolling", graph=str(path), loss=0), "lp").value[0] == pytest.approx(50)
    with pytest.raises(
        fs.FileError, match="a file that patrolling.* was made from has changed since it was loaded; load"
    ):
        fs.horizon_values(game)
    for text, wrong in [
        ("0\n\nx\n", "must have a node"),
        ("5\n\n0\n", "no line for"),
        ("0\n\n1 1\n0\n", "each edge once"),
        ("0\n\n1\n\n0\n", "dead end: no edge leads on from node 1"),
    ]:
        path.write_text(text)
        with pytest.raises(fs.SpecError, match=wrong):
            fs.load("patrolling", graph=str(path))
    with pytest.raises(fs.SpecError, match="graph must be G1, G2, G3, G4, G5 or a file"):
        fs.load("patrolling(graph=G6)")
