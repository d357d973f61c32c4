"""The search game: sizes and values of the games of Veselý 2024, the numbers of moves, clues, raids redrawn by what
they left."""

import pytest
from positions import after, generator, named
from redraws import assert_redrawn_as_by_random_moves

import fogspiel as fs
from fogspiel.game.horizon import endless_states
from fogspiel.games.search_game import CONFIGURATIONS

# by configuration: sequences of the defenders, value with 0 where the game is cut off
SIZES = {
    "W1_H2_L6_00": (19, 50),
    "W1_H3_L6_01_02": (93, 100 / 3),
    "W2_H2_L6_00_10": (117, 0),
    "W2_H3_L6_01_11": (518, 100 / 3),
    "W2_H3_L8_01_11": (5281, 100 / 3),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_and_values_are_those_of_the_literature(name):
    sequences, value = SIZES[name]
    tree = fs.unroll(CONFIGURATIONS[name])
    assert 1 + tree.count[tree.player == 1].sum() == sequences
    assert fs.solve(tree, "lp").value[0] == pytest.approx(value)


# by configuration: states, values with V and RN of the game with no bound where the game is cut off
@pytest.mark.parametrize(
    ("name", "size", "v", "rn"),
    [
        ("W1_H2_L6_00", 18, 50, 50),
        ("W1_H3_L6_01_02", 102, 33.33, 38.0),
        ("W2_H2_L6_00_10", 292, 0, 20.25),
        ("W2_H3_L6_01_11", 19_017, 33.33, 43.08),
    ],
)
def test_values_of_the_game_with_no_bound_can_be_paid_where_it_is_cut_off(name, size, v, rn):
    assert endless_states(fs.load(CONFIGURATIONS[name])).count == size
    for horizon, exact in [("v", v), ("rn", rn)]:
        game = fs.load(CONFIGURATIONS[name], horizon=horizon)
        assert fs.solve(game, "lp").value[0] == pytest.approx(exact, abs=0.06)


def test_values_of_states_are_those_of_the_printed_file():
    value = fs.horizon_values(CONFIGURATIONS["W1_H2_L6_00"], "h")
    assert value["-1; 0;;"] == pytest.approx(20.25)
    assert value["1; 0; 1;"] == pytest.approx(45)


def test_every_game_of_the_table_can_be_loaded():
    assert len(CONFIGURATIONS) == 7
    for name, spec in CONFIGURATIONS.items():
        given = fs.load(spec).parameters
        defenders = given["defenders"].replace(":", "")
        assert name == f"W{given['width']}_H{given['height']}_L{2 * given['rounds']}_{defenders}"


def names(state):
    return {move: state.game.move_name(state, move) for move in state.moves()}


def test_moves_are_numbered_as_in_the_literature():
    game = fs.load("search_game")
    assert names(game.start()) == {0: "wait", 4: "enter 0", 5: "enter 2", 6: "enter 4"}
    assert names(after(game, 0)) == {
        7: "wait wait",
        8: "wait up",
        9: "wait down",
        10: "up wait",
        11: "up up",
        12: "up down",
        13: "down wait",
        14: "down up",
        15: "down down",
    }
    assert names(after(game, 4, 7)) == {0: "wait", 2: "down", 3: "right"}
    assert names(after("search_game(width=3)", 0))[7 + 9 + 2] == "up wait down"


@pytest.mark.parametrize(
    ("moves", "short"),
    [
        ([], "-1; 0;;"),
        (["enter 1", "wait"], "1; 0; 1;"),
        (["enter 1", "wait", "up", "down"], "0; 1; 0; 1"),  # passing each other is no capture
        (["enter 1", "wait", "wait", "wait"], "1; 0;;"),
        (["enter 1", "wait", "up", "down", "down", "up"], "1; 0; 1; 0 1"),  # a clue is left again where one was found
    ],
)
def test_states_have_a_short_form(moves, short):
    state = named("search_game(width=1,height=2,rounds=4,defenders=0:0)", moves)
    assert state.game.module.short_form(state.view) == short


def test_defenders_may_not_end_up_on_one_node_but_may_change_places():
    here = names(after("search_game(width=1,defenders=0:1_0:2)", 0)).values()
    assert "down up" in here
    assert "down wait" not in here
    assert "wait up" not in here


@pytest.mark.parametrize(
    ("moves", "pays"),
    [
        (["enter 2", "wait wait"], -50),
        (["enter 0", "up wait"], -50),
        (["enter 0", "wait wait", "right", "wait up"], -25),
        (["enter 0", "wait wait", "right", "wait wait", "right", "wait up"], 12.5),
    ],
)
def test_the_attacker_wins_at_the_goal_and_loses_where_a_defender_is(moves, pays):
    assert named("search_game(rounds=4,discount=0.5)", moves).payoff() == [pays, -pays]


def test_defenders_see_the_clues_they_find_and_no_more():
    found = named("search_game(rounds=4)", ["enter 0", "wait wait", "right", "up wait"])
    not_yet = named("search_game(rounds=4)", ["enter 4", "wait wait", "right", "up wait"])
    outside = named("search_game(rounds=4)", ["wait", "wait wait", "wait", "up wait"])
    assert found.key(1) != not_yet.key(1) == outside.key(1)
    assert "clues found: - - 0" in found.show(1)
    assert "?" in found.show(1)


@pytest.mark.parametrize(
    "moves",
    [
        ["enter 0", "wait wait"],
        ["enter 0", "wait wait", "right", "up wait"],
        ["enter 4", "up wait", "up", "wait down", "right"],
    ],
)
def test_raids_are_redrawn_as_likely_as_by_random_moves(moves):
    assert_redrawn_as_by_random_moves(named("search_game", moves), 1)


def test_a_raid_that_hardly_ever_happens_is_redrawn_all_the_same():
    """Four clues in a row, found in a certain order: what random moves leave less often than once in a million
    raids."""
    raid = ["enter 3", "down", "down", "down", "down", "wait", "up", "wait"]
    guards = ["wait down", "up down", "down wait", "wait wait", "down up", "up up", "wait up", "down down"]
    game = fs.load("search_game(width=1,height=8,rounds=12,defenders=0:2_0:5)")
    state = named(game, [move for both in zip(raid, guards, strict=True) for move in both])
    assert "clues found: - - - - - 3,6 3,5,6 3,4,5,6 3,4,5,6" in state.show(1)
    drawn = state.copy()
    drawn.resample(1, generator(1))
    nodes = [int(node) for node in drawn.show().splitlines()[-1].split()[1:]]
    again = game.start()
    for to, guard in zip(nodes[1:], guards, strict=True):
        here = again.view.raid[again.view.round]
        again.play(0 if to == here else 4 + to if here < 0 else 1 if to < here else 2)
        again.play(next(move for move, name in names(again).items() if name == guard))
    assert again.key(1) == drawn.key(1) == state.key(1)
    assert again.key(0) == drawn.key(0)


def test_what_does_not_go_together_is_refused():
    for given, wrong in {
        "width=4,height=8": "too many",
        "defenders=0-1": "zone:height",
        "defenders=0:1_0:1": "different nodes",
        "defenders=2:0": "none of 2 zones",
    }.items():
        with pytest.raises(fs.SpecError, match=wrong):
            fs.load(f"search_game({given})")
