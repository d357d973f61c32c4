"""The memory of a search finds every node, however many there are, and nothing once it is cleared."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.roots import Roots
from fogspiel.search.nodes import FEWEST
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch


def searched(nodes, simulations=4000):
    game = fs.load("tic_tac_toe")
    search = TreeSearch(game, parts(), seed=1, nodes=nodes)
    search.simulate(Roots([game.start()]), 0, simulations)
    return search


def found(memory):
    keys = memory.nodes.key[: memory.node_count].astype(np.int64).tolist()
    return [memory.find(key) for key in keys]


@pytest.mark.parametrize("nodes", [8, 300, 1 << 12, 1 << 16])
def test_every_node_is_found_by_its_key_while_the_index_grows(nodes):
    memory = searched(nodes).memory
    assert memory.node_count == nodes if nodes < 1000 else memory.node_count > 1000
    assert (int(memory.pool["mask"][0]) >= FEWEST) == (nodes > FEWEST)
    assert found(memory) == list(range(memory.node_count))
    assert memory.find(12345) == -1


def test_a_memory_that_was_cleared_is_as_good_as_new():
    search = searched(1 << 12)
    keys = search.memory.nodes.key[: search.memory.node_count].copy()
    search.restart(1)
    assert search.memory.node_count == 0
    assert {search.memory.find(key) for key in keys.view(np.int64).tolist()} == {-1}
    search.simulate(Roots([search.game.start()]), 0, 4000)
    assert np.array_equal(search.memory.nodes.key[: search.memory.node_count], keys)
    assert found(search.memory) == list(range(len(keys)))
