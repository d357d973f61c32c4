"""No search chooses without information, however short memory and time are: it forgets what is of least use, and says
so."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.registry import KINDS
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Roots
from fogspiel.engine.memory import LINE
from fogspiel.search.parts import parts
from fogspiel.search.search import SCOUTS, TreeSearch

SEARCHES = [name for name, kind in KINDS.items() if "simulations" in {p.name for p in kind.parameters}]
VARIANTS = [
    "bluffing-ismcts(determinize=pure)",
    "bluffing-ismcts(determinize=two-step)",
    "is-mcts(belief=usual)",
    "mo-ismcts(belief=inferred)",
    "oos(target=public)",
    "oos(progress=root)",
    "oos(progress=reach)",
    "smooth-uct(threads=2)",
]

REUSING = [
    "sm-mcts",
    "sm-mcts(bandit=duct)",
    "is-mcts",
    "is-mcts(belief=usual)",
    "oos",
    "oos(progress=root)",
    "oos(progress=reach)",
]


class Noted:
    """A seat that notes, for each decision, what its search knew of the moves, and the account of it."""

    def __init__(self, spec, **budget):
        known = {p.name for p in KINDS[spec.partition("(")[0]].parameters}
        self.agent, self.name, self.log = fs.agent(spec, **{n: v for n, v in budget.items() if n in known}), spec, []
        self.cheats = self.agent.cheats

    def begin(self, game, seat, seed):
        self.agent.begin(game, seat, seed)

    def choose(self, observation):
        move = self.agent.choose(observation)
        if len(observation.moves) > 1:
            self.log.append((self.agent.found, self.agent.statistics))
        return move


def games_of(spec):
    """Games with dealt hands and with hidden moves, as far as a search takes them: most have more information sets than
    it has nodes."""
    if "sm-mcts" in spec or "progress" in spec:
        return ("goofspiel(cards=5,bids=open)",)
    return ("leduc",) if "ist-" in spec else ("liars_dice", "phantom_tic_tac_toe", "goofspiel(cards=5)")


def play_noted(game, noted, seat):
    seats = [fs.agent("random"), fs.agent("random")]
    seats[seat] = noted
    record = fs.play_game(game, seats, deal=3, seed=4)
    assert record.forfeit is None, record.reason
    assert len(noted.log) > 0


def assert_informed(noted):
    for found, account in noted.log:
        if getattr(noted.agent, "measure", "visits") == "mean":
            assert all(m.strategy is not None for m in found)
        else:
            assert sum(m.visits for m in found) > 0
        assert account.simulations > 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", [*SEARCHES, *VARIANTS])
def test_no_search_chooses_without_information_however_little_memory_and_time_it_has(spec, seat):
    for game in map(fs.load, games_of(spec)):
        for budget in ({"simulations": 1}, {"simulations": 300}, {"seconds": 1e-9}):
            noted = Noted(spec, nodes=16, determinizations=2, **budget)
            play_noted(game, noted, seat)
            assert_informed(noted)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", REUSING)
def test_a_search_whose_memory_is_short_says_so(spec, seat):
    hidden = "sm-mcts" not in spec and "progress" not in spec
    game = fs.load("goofspiel(cards=9)" if hidden else "goofspiel(cards=9,bids=open)")
    noted = Noted(spec, simulations=600, nodes=256)
    play_noted(game, noted, seat)
    assert_informed(noted)
    assert len(noted.log) >= 7
    assert all(account.nodes <= 256 for _, account in noted.log)
    assert any(account.full for _, account in noted.log)
    assert any(account.forgotten > 0 for _, account in noted.log)


@pytest.mark.parametrize(
    ("spec", "simulations"),
    [("smooth-uct", 1000), ("oos(target=public)", 200), ("bluffing-ismcts(determinize=pure)", 500)],
)
def test_a_search_that_hardly_comes_to_the_decision_searches_once_more_from_what_it_believes(spec, simulations):
    """With memory enough: the whole game, and what an outside observer takes for possible, are too large to meet the
    seat's own information set. Nobody decides by fewer than twenty visits a move, or a quarter of the simulations,
    where there were more to be had."""
    noted = Noted(spec, simulations=simulations)
    play_noted(fs.load("phantom_tic_tac_toe"), noted, 1)
    assert {account.simulations for _, account in noted.log} == {simulations, 2 * simulations}
    for found, account in noted.log:
        assert not account.full
        enough = min(20 * len(found), simulations // 4) if account.simulations == simulations else simulations
        assert sum(m.visits for m in found) >= enough


@pytest.mark.parametrize(
    ("spec", "game", "nodes", "seconds"),
    [
        ("smooth-uct", "phantom_tic_tac_toe", 64, 1e-9),
        ("smooth-uct", "dark_hex(size=3)", 256, 2e-3),
        ("oos(delta=0)", "goofspiel(cards=6)", 64, 1e-9),
        ("oos", "dark_hex(size=3)", 64, 1e-9),
        ("bluffing-ismcts(determinize=pure)", "phantom_tic_tac_toe", 64, 1e-9),
    ],
)
def test_a_search_that_goes_on_in_the_second_half_of_its_time_keeps_its_decision(spec, game, nodes, seconds):
    noted = Noted(spec, nodes=nodes, seconds=seconds)
    for deal in range(10):
        for seat in range(2):
            seats = [fs.agent("random"), fs.agent("random")]
            seats[seat] = noted
            fs.play_game(fs.load(game), seats, deal=deal, seed=10 + deal)
    assert len(noted.log) > 40
    assert_informed(noted)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", ["sm-mcts(aside=0.99)", "sm-mcts(aside=0.5,means=yes)"])
def test_a_search_that_learns_little_of_what_it_tries_tries_until_it_knows_something(spec, seat):
    noted = Noted(spec, simulations=1)
    play_noted(fs.load("goofspiel(cards=6,bids=open)"), noted, seat)
    assert_informed(noted)


def test_a_search_that_would_never_learn_is_refused():
    with pytest.raises(fs.SpecError, match="parameter aside=1 is out of range: it must be 0 to 0.99"):
        fs.agent("sm-mcts(aside=1)")


def test_a_search_with_few_simulations_that_comes_to_the_decision_does_not_search_again():
    noted = Noted("smooth-uct", simulations=20)
    play_noted(fs.load("kuhn"), noted, 0)
    assert noted.log[0][1].simulations == 20


def test_half_of_the_time_is_kept_for_a_search_from_what_is_believed(monkeypatch):
    player, asked = fs.agent("oos(seconds=1)"), []
    monkeypatch.setattr(
        player, "simulate", lambda roots, _, budget, how, **more: asked.append((budget["seconds"], how))
    )
    monkeypatch.setattr(player, "account", lambda _: None)
    monkeypatch.setattr(type(player), "informed", True)
    monkeypatch.setattr("fogspiel.agents.searching.Statistics.in_turn", lambda _: None)
    game, record = fs.load("kuhn"), Record(0)
    player.begin(game, 0, 1)
    state = game.start()
    while state.actor != 0:
        record.see(state)
        state.play(state.moves()[0])
    record.see(state)
    aimed = {"seen": record.keys}
    for missed, then in ((False, aimed), (True, {})):
        monkeypatch.setattr(type(player), "missed", lambda *_, missed=missed: missed)
        asked.clear()
        player.look(seen := observe(state, record, np.array([1], np.uint64)))
        player.search_from(seen)
        assert asked == [(0.5, aimed), (0.5, then)]


def test_a_proven_decision_does_not_keep_the_next_from_being_searched():
    noted = Noted("mcts(proven=yes)", seconds=0.01)
    play_noted(fs.load("tic_tac_toe"), noted, 0)
    assert any(account.proven for _, account in noted.log[:-1])
    assert all(account.simulations > 0 for _, account in noted.log)


def test_what_can_still_be_reached_is_kept_before_what_was_visited_more():
    """The root of the search was visited most; after a stage it is out of reach, and so are most of the others."""
    game = fs.load("goofspiel(cards=5,bids=open)")
    state = game.start()
    after = state.copy()
    for move in (3, 4):
        after.play(move)
    roots = Roots([after])
    searches = []
    for _ in range(2):
        search = TreeSearch(game, parts(), seed=3, nodes=256)
        search.run(Roots([state]), 0, simulations=3000)
        searches.append(search)
    search, scout = searches
    before = {int(n.key): int(n.visits) for n in search.memory.nodes[:256]}
    done = scout.counts.done
    scout.simulate(roots, 0, SCOUTS)
    reached = {int(n.key) for n in scout.memory.nodes[: scout.memory.node_count] if n.passed > done}
    search.make_room(roots, 0)
    left = {int(key) for key in search.memory.nodes.key[: search.memory.node_count]}
    assert reached <= left
    assert len(left) == 128
    gone = before.keys() - left
    assert len(reached) > 10
    assert min(before[key] for key in reached) < max(before[key] for key in gone)


def test_a_quarter_of_the_smallest_memory_holds_a_stage_of_all_players():
    game, player = fs.load("resistance(players=10)"), fs.agent("is-mcts(nodes=16)")
    player.begin(game, 0, 1)
    memory = player.search.memory
    assert len(memory.nodes) // 4 >= 10
    assert len(memory.slots) // 4 >= 10 * game.max_moves


def search_of(spec, moves, **budget):
    """A search after some decisions of a game, in the agent that made them."""
    game, noted = fs.load("goofspiel(cards=6,bids=open)"), Noted(spec, **budget)
    fs.play_game(game, [noted, fs.agent("random")], deal=1, seed=moves)
    return game, noted.agent.search


def make_room(search):
    """As if a node had been refused, with no simulation to tell what can still be reached."""
    search.memory.filled.refused = 1
    search.simulate = lambda *_: None
    search.make_room(Roots([search.game.start()]), 0)


def what_it_knows(search, nodes):
    """Everything that the memory holds of some nodes, by key."""
    m, known = search.memory, {}
    for node in nodes:
        here, slots = m.nodes[node], m.slots[m.slots_of(node)]
        pairs = None
        if "pairs" in here.dtype.names and here.pairs > 0:
            place = slice(here.pairs - 1, here.pairs - 1 + here.used * here.used)
            pairs = search.search.pair_count[place].tolist(), search.search.pair_sum[place].tolist()
        known[int(here.key)] = (int(here.visits), int(here.owner), slots.tolist(), pairs)
    return known


@pytest.mark.parametrize("spec", ["sm-mcts", "sm-mcts(bandit=drm)"])
def test_what_is_kept_when_room_is_made_is_kept_whole(spec):
    _, search = search_of(spec, 2, simulations=400, nodes=4096)
    m = search.memory
    count = m.node_count
    everything = what_it_knows(search, range(count))
    make_room(search)
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
    make_room(search)
    assert {int(key) for key in m.nodes.key[: m.node_count]} == kept


def test_of_what_is_still_in_use_the_least_visited_goes():
    game = fs.load("goofspiel(cards=8,bids=open)")
    player = fs.agent("sm-mcts(simulations=5000,nodes=512,bandit=drm)")
    player.begin(game, 0, 1)
    search = player.search
    search.run(Roots([game.start()]), 0, simulations=5000)
    m = search.memory
    visits = np.sort(m.nodes.visits[: m.node_count])[::-1]
    assert m.node_count == 512
    search._began = -1
    make_room(search)
    assert m.node_count == 256
    assert np.array_equal(np.sort(m.nodes.visits[:256])[::-1], visits[:256])
    assert m.nodes.ctypes.data % LINE == 0


def test_a_memory_with_room_is_left_alone():
    _, search = search_of("sm-mcts", 2, simulations=100, nodes=1 << 16)
    count, done = search.memory.node_count, search.counts.done
    search.make_room(Roots([search.game.start()]), 0)
    assert (search.memory.node_count, search.counts.done) == (count, done)
    assert search.forgotten == 0


def test_coupled_regret_matching_learns_where_pairs_have_no_room():
    """Sixty moves a side: there is room for the pairs of few stages, and the root of the next decision is among
    them."""
    game = fs.load("random_game(actions=60,depth=5)")
    player = fs.agent("sm-mcts(simulations=3000,nodes=1024)")
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
