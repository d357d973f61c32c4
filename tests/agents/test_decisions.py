"""What several searches found, made one opinion; and what an agent does before it searches."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.decisions import added_up, over_worlds
from fogspiel.belief.replay import Record
from fogspiel.search.statistics import MoveStatistics


def found(*rows):
    """Moves 0, 1, ... with (visits, value, strategy, proven)."""
    return tuple(MoveStatistics(move, *row, names=str(move)) for move, row in enumerate(rows))


def test_worlds_count_alike_whatever_their_visits():
    """A move is tried much where it is good; its worth is the mean over worlds (GIB; Whitehouse 2014, sec. 5.1)."""
    one = found((90, 1.0, None, None), (10, 0.2, None, None))
    two = found((10, -1.0, None, None), (90, 0.3, None, None))
    assert [m.value for m in over_worlds([one, two])] == pytest.approx([0.0, 0.25])
    assert [m.visits for m in over_worlds([one, two])] == [100, 100]


def test_what_is_proven_in_a_world_is_its_value_there():
    one = found((90, 0.8, None, 1.0), (10, None, None, None))
    two = found((10, -1.0, None, None), (90, 0.3, None, None))
    assert [m.value for m in over_worlds([one, two])] == pytest.approx([0.0, 0.3])


def test_proven_is_what_all_worlds_agree_in_or_one_search_has_proven():
    won, lost, open_ = (found((5, 0.0, None, proven)) for proven in (1.0, -1.0, None))
    assert over_worlds([won, won])[0].proven == 1
    assert over_worlds([won, lost])[0].proven is None
    assert over_worlds([won, open_])[0].proven is None
    assert added_up([open_, won])[0].proven == 1


def test_strategies_of_searches_side_by_side_sum_to_one():
    one = found((90, 1.0, 0.5, None), (10, 0.0, 0.5, None))
    two = found((10, 0.0, 0.2, None), (290, 1.0, 0.8, None))
    both = added_up([one, two])
    assert [m.strategy for m in both] == pytest.approx([0.275, 0.725])
    assert [m.value for m in both] == pytest.approx([0.9, 290 / 300])


def test_a_search_that_has_no_strategy_has_no_say_in_it():
    one, none = found((3, 1.0, 0.25, None), (1, 0.0, 0.75, None)), found((5, 0.0, None, None), (5, 0.0, None, None))
    assert [m.strategy for m in added_up([one, none])] == [0.25, 0.75]
    assert [m.strategy for m in added_up([none, none])] == [None, None]


@pytest.mark.parametrize(("trees", "searched"), [("players", 50), ("infosets", 100)])
def test_only_a_search_that_can_be_a_model_is_run_for_one(trees, searched):
    """Before its first decision an agent searches once from the start, if its nodes tell how the others would play."""
    game, player = fs.load("kuhn"), fs.agent(f"mo-ismcts(simulations=50,belief=tracked,trees={trees})")
    state, record = game.start(), Record(0)
    while state.actor != 0:
        state.play(state.moves()[0])
    record.see(state)
    player.begin(game, 0, 1)
    player.choose(observe(state, record, np.array([1], np.uint64)))
    assert player.search.counts.done == searched


def test_a_tree_that_is_thrown_away_is_not_tidied_first(monkeypatch):
    game, player = fs.load("tic_tac_toe"), fs.agent("mcts(simulations=50)")
    player.begin(game, 0, 1)
    monkeypatch.setattr(player.search.memory, "make_room", lambda *_: pytest.fail("room was made"))
    record = Record(0)
    record.see(game.start())
    player.choose(observe(game.start(), record, np.array([1], np.uint64)))
