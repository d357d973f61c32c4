"""One decision of an agent as data: the moves, the account, and the whole tree."""

import copy
import pickle

import pytest

import fogspiel as fs

OPENING = ["deal K to player 0", "check"]


def decisions(tree):
    return [node for node in tree.walk() if node.inside and node.actor >= 0]


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("kuhn", "mo-ismcts(simulations=500)"),
        ("leduc", "mo-ismcts(simulations=1000)"),
        ("goofspiel(cards=4,bids=open)", "sm-mcts(simulations=200)"),
        ("tic_tac_toe", "mcts(simulations=300,view=trail)"),
        ("pig", "mcts(simulations=100)"),
    ],
)
def test_the_whole_tree_has_every_node_of_the_search(game, spec):
    thought = fs.think(game, spec, seed=1)
    nodes = decisions(thought.tree)
    assert len(nodes) == thought.statistics.nodes
    assert thought.tree.visits == max(node.visits for node in nodes) > 0
    assert {e.move: (e.name, e.visits, e.value, e.strategy) for e in thought.tree.edges} == {
        m.move: (m.name, m.visits, m.value, m.strategy) for m in thought.moves if m.visits
    }
    for node in nodes:
        if node.visits > 1:
            assert node.value is not None
            assert node.edges
        assert sum(e.visits for e in node.edges) >= node.visits - 1


def test_a_node_tells_what_its_owner_sees():
    thought = fs.think("leduc", "mo-ismcts(simulations=1000)", OPENING, seed=2)
    assert thought.played[0] == OPENING[0]
    assert thought.player == thought.tree.actor == 1
    assert thought.tree.text == thought.knows
    for node in decisions(thought.tree):
        hands = node.text.split("hands")[1].split()[:2]
        assert hands[1 - node.actor] == "?"


def test_moves_are_given_by_name_or_number_in_a_list_or_a_text():
    by_list = fs.think("leduc", "mo-ismcts(simulations=50)", OPENING, seed=2)
    by_text = fs.think("leduc", "mo-ismcts(simulations=50)", ", ".join(OPENING), seed=2)
    assert by_list.played == by_text.played
    assert by_list.moves == by_text.moves
    assert fs.think("tic_tac_toe", "mcts(simulations=50)", [4]).player == 1


def test_a_thought_stays_as_it_was_when_its_agent_plays_on():
    player = fs.agent("mo-ismcts(simulations=300)")
    thought = fs.think("leduc", player, OPENING)
    again = fs.think("leduc", fs.agent("mo-ismcts(simulations=300)"), OPENING)
    fs.play_game("leduc", [player, "random"], deal=5, seed=6)
    assert thought.tree.as_dict() == again.tree.as_dict()


def test_a_thought_is_printed_copied_and_pickled():
    thought = fs.think("tic_tac_toe", "mcts(simulations=400)")
    assert str(thought).splitlines()[0] == f"tic_tac_toe, mcts(simulations=400): player 0 chooses {thought.chosen}"
    for other in (pickle.loads(pickle.dumps(thought)), copy.deepcopy(thought)):
        assert other == thought
        assert other.as_dict() == thought.as_dict()
        assert other.tree.as_dict() == thought.tree.as_dict()


def test_agents_that_keep_no_tree_tell_what_they_have():
    exact = fs.think("kuhn", "is-expectimax", "deal 1 to player 0,deal 3 to player 1,bet")
    assert (exact.tree, exact.excerpt, exact.chosen) == (None, None, "call")
    assert {m.name: m.value for m in exact.moves} == {"fold": -1.0, "call": 2.0}

    class First:
        name = "first"

        def begin(self, game, seat, seed): ...

        def choose(self, observation):
            return observation.moves[0]

    thought = fs.think("kuhn", First(), "deal 1 to player 0")
    assert thought.chosen == "pass"
    assert [m.name for m in thought.moves] == ["pass", "bet"]
    with pytest.raises(fs.Unsuitable, match="does not search"):
        fs.think("kuhn", "random")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"moves": 5}, "moves must be text or a list of moves, not 5"),
        ({"moves": ["jump"]}, "'jump' is neither an outcome of chance here .* nor a move of player 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"agent": 7}, "7 is not an agent"),
        ({"game": 7}, "a game is named by text"),
    ],
)
def test_what_cannot_be_thought_about_gets_one_sentence(given, sentence):
    with pytest.raises(fs.SpecError, match=sentence):
        fs.think(**{"game": "kuhn", "agent": "mo-ismcts(simulations=5)"} | given)


def test_what_chance_might_have_done_is_told_where_a_word_fits_nothing():
    with pytest.raises(fs.SpecError) as caught:
        fs.think("leduc", "mo-ismcts(simulations=10)", "deal A to player 0")
    assert str(caught.value).startswith(
        "'deal A to player 0' is neither an outcome of chance here (deal J to player 0, deal Q to player 0, "
    )
    assert str(caught.value).endswith(") nor a move of player 0 (check, bet 2)")
    with pytest.raises(fs.SpecError, match="'fly' is not a move of player 1 here; the moves are "):
        fs.think("leduc", "mo-ismcts(simulations=10)", "deal J to player 0, check, fly")


def test_the_beginning_of_several_names_is_no_name_of_one_of_them():
    with pytest.raises(fs.SpecError) as caught:
        fs.think("leduc", "mo-ismcts(simulations=10)", "deal K")
    assert str(caught.value) == (
        "'deal K' may be any of deal K to player 0, deal K to player 1; write the whole name of the one that is meant"
    )


def test_outcomes_that_the_seed_drew_are_marked():
    thought = fs.think("leduc", "mo-ismcts(simulations=10)", OPENING)
    assert thought.played[thought.drawn[0]].endswith("to player 1")
    assert thought.drawn == (1,)
    dealt = thought.played[1]
    assert f"after deal K to player 0, {dealt} (drawn), check" in str(thought)
