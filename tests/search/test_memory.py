"""A search whose memory is short: it forgets what is of least use, says so, and never chooses without information."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import agent
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Roots
from fogspiel.evaluate.referee import play_game
from fogspiel.search.nodes import LINE

REUSING = [
    "sm-mcts",
    "sm-mcts(selection=duct)",
    "is-mcts",
    "is-mcts(belief=usual)",
    "oos",
    "oos(progress=root)",
    "oos(progress=reach)",
]


class Noted:
    """A seat that notes, for each decision, what its search knew of the moves, and the account of it."""

    def __init__(self, spec, **budget):
        self.agent, self.name, self.log = agent(spec, **budget), spec, []

    def begin(self, game, seat, seed):
        self.agent.begin(game, seat, seed)

    def choose(self, observation):
        move = self.agent.choose(observation)
        if len(observation.moves) > 1:
            self.log.append((self.agent.found, self.agent.statistics))
        return move


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", REUSING)
def test_no_decision_is_made_without_information_however_small_the_memory(spec, seat):
    hidden = "sm-mcts" not in spec and "progress" not in spec
    game = fs.load("goofspiel(cards=9)" if hidden else "goofspiel(cards=9,bids=open)")
    noted = Noted(spec, simulations=600, nodes=256)
    seats = [agent("random"), agent("random")]
    seats[seat] = noted
    record = play_game(game, seats, deal=3, seed=4)
    assert record.forfeit is None, record.reason
    assert len(noted.log) >= 7
    for found, account in noted.log:
        assert account.nodes <= 256
        if noted.agent.measure == "visits" or "oos" not in spec:
            assert sum(m.visits for m in found) > 0
        if noted.agent.measure == "mean":
            assert all(m.strategy is not None for m in found)
    assert any(account.full for _, account in noted.log)
    assert any(account.forgotten > 0 for _, account in noted.log)


def search_of(spec, moves, **budget):
    """A search after some decisions of a game, in the agent that made them."""
    game, noted = fs.load("goofspiel(cards=6,bids=open)"), Noted(spec, **budget)
    play_game(game, [noted, agent("random")], deal=1, seed=moves)
    return game, noted.agent.search


def what_it_knows(search, nodes):
    """Everything that the memory holds of some nodes, by key."""
    m, known = search.memory, {}
    for node in nodes:
        here, slots = m.nodes[node], m.slots[m.slots_of(node)]
        pairs = None
        if search.has("coupled") and here.pairs > 0:
            place = slice(here.pairs - 1, here.pairs - 1 + here.used * here.used)
            pairs = search.search.pair_count[place].tolist(), search.search.pair_sum[place].tolist()
        known[int(here.key)] = (int(here.visits), int(here.owner), slots.tolist(), pairs)
    return known


@pytest.mark.parametrize("spec", ["sm-mcts", "sm-mcts(selection=drm)"])
def test_what_is_kept_when_room_is_made_is_kept_whole(spec):
    _, search = search_of(spec, 2, simulations=400, nodes=4096)
    m = search.memory
    count = m.node_count
    everything = what_it_knows(search, range(count))
    m.filled.refused = 1
    search.make_room()
    assert 0 < m.node_count < count
    assert search.forgotten == count - m.node_count
    left = what_it_knows(search, range(m.node_count))
    assert any(pairs is not None for *_, pairs in left.values()) == (spec == "sm-mcts")
    assert left == {key: everything[key] for key in left}
    for node in range(m.node_count):
        assert m.find(int(m.nodes.key[node])) == node
    gone = set(everything) - set(left)
    assert all(m.find(key) < 0 for key in gone)
    assert m.slot_count == int(m.nodes.used[: m.node_count].sum())


def test_what_is_forgotten_first_is_what_the_last_search_did_not_come_to():
    _, search = search_of("sm-mcts", 3, simulations=300, nodes=4096)
    m = search.memory
    fresh = m.nodes.passed[: m.node_count] > search._began
    kept = {int(key) for key in m.nodes.key[: m.node_count][fresh]}
    assert 0 < len(kept) < min(2048, m.node_count)
    m.filled.refused = 1
    search.make_room()
    assert {int(key) for key in m.nodes.key[: m.node_count]} == kept


def test_of_what_is_still_in_use_the_least_visited_goes():
    game = fs.load("goofspiel(cards=8,bids=open)")
    player = agent("sm-mcts(simulations=5000,nodes=512,selection=drm)")
    player.begin(game, 0, 1)
    search = player.search
    search.run(Roots([game.start()]), 0, simulations=5000)
    m = search.memory
    visits = np.sort(m.nodes.visits[: m.node_count])[::-1]
    assert m.node_count == 512
    search._began = -1
    search.make_room()
    assert m.node_count == 256
    assert np.array_equal(np.sort(m.nodes.visits[:256])[::-1], visits[:256])
    assert m.nodes.ctypes.data % LINE == 0


def test_a_memory_with_room_is_left_alone():
    _, search = search_of("sm-mcts", 2, simulations=100, nodes=1 << 16)
    count = search.memory.node_count
    search.make_room()
    assert search.memory.node_count == count
    assert search.forgotten == 0


def test_coupled_regret_matching_learns_where_pairs_have_no_room():
    """Sixty moves a side: there is room for the pairs of few stages, and the root of the next decision is among them."""
    game = fs.load("random_game(actions=60,depth=5)")
    player = agent("sm-mcts(simulations=3000,nodes=1024)")
    player.begin(game, 0, 5)
    state = game.start()
    rng = np.array([3], np.uint64)
    for _ in range(3):
        seat = state.actor
        record = Record(seat)
        record.see(state)
        player.seat = seat
        player.choose(observe(state, record, rng))
        shares = [m.strategy for m in player.found]
        assert max(shares) > 2 * min(shares)
        assert player.statistics.full
        for _ in range(2):
            state.play(state.moves()[0])
