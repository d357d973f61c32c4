"""Blind pursuit: sizes and values of the games of Veselý 2024, the numbers of moves, captures, flights redrawn in
the dark."""

import pytest
from positions import after, generator, named
from redraws import assert_redrawn_as_by_random_moves

import fogspiel as fs
from fogspiel.game.horizon import endless_states
from fogspiel.games.blind_pursuit import CONFIGURATIONS
from fogspiel.solvers.posg.one_sided import solve_pairs
from fogspiel.solvers.posg.pairs import pairs_of

# by configuration: states without a capture, sequences of the pursuers, value with 0 where the game is cut off
SIZES = {
    "W2_H2_P1_C0_L8": (4, 31, -93.75),
    "W2_H2_P1_C1_L8": (12, 121, 0),
    "W3_H3_P2_C0_L6": (140, 439, -66.67),
    "W3_H3_P2_C0_L8": (140, 3511, -75),
    "W3_H3_P2_C1_L6": (504, 1718, -40),
    "W3_H4_P2_C0_L8": (360, 4989, -53.85),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_values_are_those_of_the_literature(name):
    states, sequences, value = SIZES[name]
    tree = fs.unroll(CONFIGURATIONS[name])
    assert 1 + tree.count[tree.player == 1].sum() == sequences
    assert fs.solve(tree, "lp").value[0] == pytest.approx(value, abs=0.006)
    assert endless_states(fs.load(CONFIGURATIONS[name])).count == states


@pytest.mark.parametrize(
    ("name", "sequences", "value"),
    [
        ("W3_H3_P2_C1_L8", 22_167, -60),
        ("W3_H4_P2_C0_L10", 45_338, -72.34),
        ("W3_H4_P2_C1_L8", 29_657, -37.5),
        ("W4_H3_P2_C0_L10", 39_831, -72.34),
        ("W4_H4_P2_C0_L10", 61_963, -28.57),
    ],
)
def test_sizes_and_values_of_larger_games_are_those_of_the_literature(name, sequences, value):
    pairs = pairs_of(fs.load(CONFIGURATIONS[name]))
    assert 1 + pairs.sequences == sequences
    behaviour, _ = solve_pairs(pairs)
    assert pairs.response(behaviour) @ pairs.nodes.start == pytest.approx(value, abs=0.006)


def test_every_game_of_the_table_can_be_loaded():
    assert len(CONFIGURATIONS) == 11
    for name, spec in CONFIGURATIONS.items():
        game = fs.load(spec)
        given = game.parameters
        wait = int(given["wait"] == "yes")
        length = 2 * given["rounds"]
        assert name == f"W{given['width']}_H{given['height']}_P{given['pursuers']}_C{wait}_L{length}"


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_on_two_by_two_cells_a_coin_decides_each_round(rounds):
    spec = f"blind_pursuit(width=2,height=2,pursuers=1,wait=no,rounds={rounds})"
    assert fs.solve(spec, "lp").value[0] == pytest.approx(-100 * (1 - 2**-rounds))


@pytest.mark.parametrize(
    ("name", "v", "h"),
    [
        ("W2_H2_P1_C0_L8", -98.86, -96.31),
        ("W2_H2_P1_C1_L8", 0, 0),
        ("W3_H3_P2_C0_L6", -93.41, -79.93),
        ("W3_H3_P2_C0_L8", -96.38, -85.55),
        ("W3_H3_P2_C1_L6", -89.95, -62.55),
        ("W3_H4_P2_C0_L8", -91.03, -71.60),
    ],
)
def test_values_of_the_game_with_no_bound_can_be_paid_where_it_is_cut_off(name, v, h):
    for horizon, exact in [("v", v), ("h", h)]:
        game = fs.load(CONFIGURATIONS[name], horizon=horizon)
        assert fs.solve(game, "lp-one-sided").value[0] == pytest.approx(exact, abs=0.01)


# by configuration: the value with RN, converged, and with the literature's coarse rule for when to stop
@pytest.mark.parametrize(
    ("name", "exact", "coarse"), [("W3_H3_P2_C0_L6", -85.94, -85.10), ("W3_H3_P2_C1_L6", -57.86, -54.40)]
)
def test_pursuers_who_move_at_random_after_the_cut_are_worth_what_they_were_found_to_be(name, exact, coarse, tmp_path):
    game = fs.load(CONFIGURATIONS[name], horizon="rn", horizon_discount=0.95)
    assert fs.solve(game, "lp").value[0] == pytest.approx(exact, abs=0.01)
    value = fs.horizon_values(CONFIGURATIONS[name], "rn", discount=0.95, threshold=1)
    fs.write_rewards(CONFIGURATIONS[name], tmp_path / "rewards.txt", value)
    game = fs.load(CONFIGURATIONS[name], rewards_file=str(tmp_path / "rewards.txt"))
    assert fs.solve(game, "lp").value[0] == pytest.approx(coarse, abs=0.4)  # it depends on the order of sweeps


def test_the_value_that_heuristic_search_value_iteration_finds_is_between_the_bounds():
    """The benchmark peg03, worth 83.49: what pursuers can get who move at random after the cut, and who see everything
    after it."""
    game = "blind_pursuit(wait=no,discount=0.95,horizon_discount=0.95)"
    low, high = (fs.solve(fs.load(game, horizon=horizon), "lp-one-sided").value[1] for horizon in ("rn", "v"))
    assert 75 < low < 83.49 < high < 84


def test_moves_are_numbered_as_in_the_literature():
    state = after("blind_pursuit", 0)
    names = {move: state.game.move_name(state, move) for move in state.moves()}
    assert names[11] == "down down"
    assert names[23] == "right right"
    assert names[29] == "wait wait"
    assert 5 not in names  # both up, off the board
    state = after("blind_pursuit(wait=no)", 0, 19, 0)
    assert state.game.move_name(state, 13) == "left down"


def test_pursuers_may_not_end_up_in_one_cell_but_may_change_places():
    state = after("blind_pursuit", 0)
    names = [state.game.move_name(state, move) for move in state.moves()]
    assert "down up" in names
    assert "down wait" not in names
    assert "wait up" not in names


def caught(*moves, **given):
    state = named(fs.load("blind_pursuit", width=2, height=2, pursuers=1, **given), moves)
    return state.payoff()[0] if state.over else None


def test_a_pursuer_in_the_evaders_cell_has_caught_it():
    assert caught("left", "down") == -100
    assert caught("left", "right") is None
    assert caught("wait", "down", "wait", "right") == -100
    assert caught("wait", "down", "wait", "right", discount=0.5) == -25


def test_going_through_each_other_is_a_capture():
    assert caught("wait", "down", "left", "right") == -100
    assert caught("wait", "down", "up", "right") is None


def test_the_pursuers_know_no_more_than_their_own_moves():
    assert after("blind_pursuit", 0, 11, 2).key(1) == after("blind_pursuit", 4, 11, 0).key(1)
    assert after("blind_pursuit", 0, 11, 2).key(0) != after("blind_pursuit", 4, 11, 0).key(0)


@pytest.mark.parametrize(
    "moves", [["up", "down right"], ["left", "right right", "up"], ["up", "right down", "up", "down right", "left"]]
)
def test_flights_are_redrawn_as_likely_as_by_random_moves(moves):
    assert_redrawn_as_by_random_moves(named("blind_pursuit(wait=no)", moves), 1)


def test_a_flight_that_hardly_ever_succeeds_is_redrawn_all_the_same():
    """On four cells, while a pursuer goes round, one of two moves gets the evader away: each time, once in 2^40
    games."""
    circle = ["left", "right", "up", "down", "right", "left", "down", "up"]
    state = named("blind_pursuit(width=2,height=2,pursuers=1,wait=no,rounds=50)", 10 * circle)
    drawn = state.copy()
    drawn.resample(1, generator(1))
    assert drawn.show() == state.show()


def test_a_capture_that_is_hidden_in_its_cells_pays_no_value_of_theirs(tmp_path):
    """After going through each other the pieces are where they might be without a capture."""
    spec = "blind_pursuit(width=2,height=2,pursuers=1,rounds=2)"
    fs.write_rewards(spec, tmp_path / "rewards.txt", dict.fromkeys(fs.horizon_values(spec), 7.0))
    game = fs.load(spec, rewards_file=str(tmp_path / "rewards.txt"))
    assert named(game, ["wait", "down", "left", "right"]).payoff() == [-100, 100]
    assert named(game, ["wait", "down", "wait", "wait"]).payoff() == [7, -7]


def test_what_does_not_go_together_is_refused(tmp_path):
    with pytest.raises(fs.SpecError, match="3 pursuers do not fit into a column of 2 cells"):
        fs.load("blind_pursuit(height=2,pursuers=3)")
    with pytest.raises(fs.SpecError, match="cannot be read"):
        fs.load("blind_pursuit", rewards_file=str(tmp_path))
    listed = "".join(f"{state}\nnan\n" for state in fs.horizon_values("blind_pursuit"))
    for text, wrong in [
        ("0 3 8\n", "two lines"),
        ("0 3 8\nx\n", "no state and reward"),
        ("0 3 8\n1\n", "misses the state '[0-9 ]*' and .* more"),
        (listed, "finite"),
    ]:
        (tmp_path / "rewards.txt").write_text(text)
        with pytest.raises(fs.SpecError, match=wrong):
            fs.load("blind_pursuit", rewards_file=str(tmp_path / "rewards.txt"))
