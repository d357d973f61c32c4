"""What agents are handed is not the referee's: whatever they do to it tells them nothing, and is gone with the game."""

import ctypes

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.agents.registry import agent
from fogspiel.evaluate.match import match
from fogspiel.evaluate.referee import play_game


class Spy:
    """Has the rules of the game that it is handed report to it, in one way or another, every state that they are given."""

    name = "spy"

    def __init__(self, way):
        self.way, self.heard, self.own = way, set(), set()

    def begin(self, game, seat, seed):
        self.game, self.seat, self.kept = game, seat, []
        for rule in ("infoset", "resample", "moves", "actor", "play"):
            function = game.functions[rule]
            if self.way == "replaced":
                game.functions[rule] = self._reporting(function)
            elif self.way == "checked":
                function.errcheck = lambda result, _, arguments: self._hear(arguments[0]) or result

    def _reporting(self, function):
        def report(address, *arguments):
            self._hear(address)
            return function(address, *arguments)

        return report

    def _hear(self, address):
        self.heard.add(ctypes.string_at(address, self.game.dtype.itemsize))

    def choose(self, observation):
        self.own.add(observation.state.data.tobytes())
        return observation.moves[0]


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("way", ["replaced", "checked"])
def test_rules_that_an_agent_is_handed_never_meet_the_true_state_nor_what_another_seat_is_shown(way, debug):
    game = fs.load("kuhn", debug=debug)
    for deal in range(10):
        spy = Spy(way)
        record = play_game(game, [spy, agent("random")], deal=deal, seed=deal)
        assert record.forfeit is None
        assert spy.heard <= spy.own  # it hears what it does itself
        spy = Spy(way)
        assert play_game(game, [agent("mcts(simulations=5)"), spy], deal=deal, seed=deal).forfeit is None
        assert spy.heard <= spy.own


class Vandal:
    name = "vandal"

    def begin(self, game, seat, seed):
        game.table[:] = 0
        game.root[:] = 255
        game.functions.clear()
        game.plain.clear()
        game.parameters.clear()
        object.__setattr__(game.about, "utility", (5.0, 5.0))
        object.__setattr__(game.about, "players", 7)
        game.dtype.names = [f"x{i}" for i in range(len(game.dtype.names))]
        game.players = 0
        game._tables.clear()

    def choose(self, observation):
        object.__setattr__(observation, "moves", (77,))
        observation.record.keys.clear()
        observation.state.data[:] = 255
        return 77


def test_an_agent_that_ruins_what_it_was_handed_ruins_nothing_else():
    game = fs.load("kuhn")
    before = (game.spec, game.root.tobytes(), game.table.tobytes(), game.dtype.names, game.about)
    record = play_game(game, [Vandal(), agent("mcts(simulations=5)")], deal=1, seed=2)
    assert (record.forfeit, record.utilities) == (0, (-2.0, 2.0))
    assert "77" in record.reason or "failed" in record.reason
    assert (game.spec, game.root.tobytes(), game.table.tobytes(), game.dtype.names, game.about) == before
    assert play_game(game, ["random", "random"], deal=1, seed=2).forfeit is None


class Note:
    """Leaves itself a note on everything that it is handed; `found` counts the games that began with one."""

    name = "note"
    found = 0

    def begin(self, game, seat, seed):
        Note.found += any(hasattr(one, "note") for one in (game, *game.functions.values())) or "note" in game.functions

    def choose(self, observation):
        game = observation.state.game
        for one in (game, *game.functions.values()):
            one.note = observation.state.data.tobytes()
        game.functions["note"] = 1
        return observation.moves[0]


def test_no_note_left_on_what_an_agent_was_handed_is_found_in_the_next_game():
    Note.found = 0
    match("kuhn", [Note(), Note()], games=20, seed=1)
    assert Note.found == 0


class Claims:
    """Says that it equals every agent."""

    name = "claims"
    games: list = []  # noqa: RUF012

    def begin(self, game, seat, seed):
        Claims.games.append(game)

    def choose(self, observation):
        assert observation.state.game is Claims.games[-1 - (observation.seat == 0)]
        return observation.moves[0]

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def test_each_seat_is_handed_a_game_of_its_own_in_which_its_states_are():
    Claims.games = []
    game = fs.load("kuhn")
    record = play_game(game, [Claims(), Claims()], deal=1, seed=1)
    assert record.forfeit is None
    first, second = Claims.games
    assert first is not second
    assert game not in (first, second)


def test_a_search_that_plays_again_is_handed_the_same_so_that_it_keeps_its_memory():
    game, search = fs.load("kuhn"), agent("mcts(simulations=5)")
    handed = []
    for deal in range(3):
        play_game(game, [search, "random"], deal=deal, seed=deal)
        handed.append((search.game, search.search))
    assert handed[0] == handed[1] == handed[2]
    assert search.game is not game
    play_game("kuhn", [search, "random"], deal=0, seed=0)
    assert search.game is not handed[0][0]


@pytest.mark.parametrize("spec", ["kuhn", "goofspiel(cards=4)", "random_game", "matrix"])
def test_a_twin_plays_as_its_game_does(spec):
    game = fs.load(spec)
    twin = game.twin()
    assert np.array_equal(twin.root, game.root)
    assert twin.dtype == game.dtype
    assert twin.about.players == game.players
    for deal in range(5):
        one, other = (play_game(g, ["random"] * game.players, deal=deal, seed=3) for g in (game, twin))
        assert (one.moves, one.utilities) == (other.moves, other.utilities)


def test_the_tables_that_rules_read_cannot_be_changed_through_what_the_game_declared():
    game = fs.load("matrix")
    before = [play_game(game, ["random", "random"], deal=0, seed=seed).utilities for seed in range(8)]
    for values in (*game.about.tables.values(), *game._tables.values()):
        if values.flags.writeable:
            values[...] = 99
        else:
            with pytest.raises(ValueError, match="read-only|WRITEABLE"):
                values.flags.writeable = True
    assert [play_game(game, ["random", "random"], deal=0, seed=seed).utilities for seed in range(8)] == before
