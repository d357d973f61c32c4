"""What several searches found, made one opinion; and what an agent does before it searches."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.agent import observe
from fogspiel.agents.decisions import added_up, over_worlds
from fogspiel.agents.searching import halves
from fogspiel.belief.record import Record
from fogspiel.belief.way import nobody_has_moved
from fogspiel.search.search import Search
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


def searches_of_a_game(monkeypatch, game, spec, seat):
    """How many simulations each search of an agent made, decision by decision, in a game against random play; and what
    the agent told of each."""
    made, told, run = [], [], Search.run

    def noting(search, *given, **more):
        account = run(search, *given, **more)
        made[-1].append(account.simulations)
        return account

    class Player:
        name = "player"
        searcher = fs.agent(spec)

        def begin(self, game, seat, seed):
            self.searcher.begin(game, seat, seed)

        def choose(self, observation):
            if len(observation.moves) == 1:
                return observation.moves[0]
            made.append([])
            move = self.searcher.choose(observation)
            told.append(self.searcher.statistics.simulations)
            return move

    monkeypatch.setattr(Search, "run", noting)
    players = [Player(), "random"]
    fs.play_game(game, players if seat == 0 else players[::-1], deal=1, seed=2)
    return made, told


@pytest.mark.parametrize(("view", "first"), [("observer", [50]), ("infoset", [25, 25])])
def test_only_a_search_that_can_be_a_model_is_run_for_one(monkeypatch, view, first):
    """Half of the first decision's simulations are for a search from the start, if its nodes tell how the others would
    play."""
    spec = f"mo-ismcts(simulations=50,belief=tracked,view={view})"
    assert searches_of_a_game(monkeypatch, "leduc", spec, 0)[0][0] == [50]
    made, told = searches_of_a_game(monkeypatch, "leduc", spec, 1)
    assert made[0] == first
    assert len(made) > 1
    assert all(later == [50] for later in made[1:])
    assert set(told) == {50}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", ["is-mcts", "oos", "mo-ismcts"])
def test_a_decision_before_anybody_has_moved_has_one_search_for_all(monkeypatch, kind, seat):
    """Both seats' first bids are made at once."""
    belief = "progress=target(belief=tracked)" if kind == "oos" else "belief=tracked"
    made, told = searches_of_a_game(monkeypatch, "goofspiel(cards=6)", f"{kind}(simulations=500,{belief})", seat)
    assert made == [[500]] * 5
    assert told == [500] * 5


@pytest.mark.parametrize("name", ["hearts", "spades", "oh_hell", "knockout_whist", "dou_di_zhu"])
def test_whoever_plays_first_after_a_long_deal_is_told_from_the_others(name):
    game = fs.load(name)
    for deal in range(3):
        state, records = game.start(), [Record(p) for p in range(game.players)]
        rng, asked = np.random.default_rng(deal), []
        for record in records:
            record.see(state)
        while len(asked) < game.players:
            who = state.actor
            if who >= 0 and who not in asked:
                asked.append(who)
                assert nobody_has_moved(records[who], state.stage) is (len(asked) == 1)
            move = int(rng.choice(state.moves()))
            if who >= 0:
                records[who].own.append(move)
            state.play(move)
            for record in records:
                record.see(state)


@pytest.mark.parametrize(
    ("spec", "first"),
    [
        ("mo-ismcts(simulations=1,belief=inferred)", [1]),
        ("mo-ismcts(simulations=5,belief=inferred)", [2, 3]),
        ("oos(simulations=6,progress=target(belief=tracked))", [2, 4]),
        ("bluffing-ismcts(simulations=1)", [1]),
    ],
)
def test_few_simulations_go_to_the_decision(monkeypatch, spec, first):
    made, _ = searches_of_a_game(monkeypatch, "kuhn", spec, 1)
    assert made[0] == first


def test_time_is_shared_as_simulations_are():
    whole = {"simulations": None, "seconds": 3.0}
    assert halves(whole, 1) == ({"simulations": None, "seconds": 1.5},) * 2
    whole = {"simulations": 7, "seconds": None}
    assert halves(whole, 2) == ({"simulations": 2, "seconds": None}, {"simulations": 5, "seconds": None})
    assert not any(halves({"simulations": 3, "seconds": None}, 2)[0].values())


def test_a_tree_that_is_thrown_away_is_not_tidied_first(monkeypatch):
    game, player = fs.load("tic_tac_toe"), fs.agent("mcts(simulations=50)")
    player.begin(game, 0, 1)
    monkeypatch.setattr(player.search.memory, "make_room", lambda *_: pytest.fail("room was made"))
    record = Record(0)
    record.see(game.start())
    player.choose(observe(game.start(), record, np.array([1], np.uint64)))
